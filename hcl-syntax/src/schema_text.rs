//! Schemas as text: a body that looks like those it describes.
//!
//! ```text
//! region = required          # an argument that must be there
//! zone   = optional
//! service "name" {           # blocks with a label, called "name" in messages
//!   port = required
//! }
//! tags {}                    # blocks with arguments of any names
//! ```

use crate::ast::{Attribute, Body};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::IndexSet;
use crate::limits::{Stopped, Watch};
use crate::memory;
use crate::parser::ParseLimits;
use crate::schema::{AttributeSchema, BlockSchema, NestedSchema};
use crate::source::{Source, Span};
use crate::stack;

impl NestedSchema {
    /// Reads a schema that is written as a body: each attribute is `required` or `optional`, each block names its
    /// labels and contains what blocks of its type may contain. Blocks with nothing in them stand for blocks with
    /// attributes of any names.
    ///
    /// ```
    /// use hcl_syntax::parser::parse_file;
    /// use hcl_syntax::schema::NestedSchema;
    /// use hcl_syntax::source::Source;
    ///
    /// let text = "region = required\nservice \"name\" {\n  port = optional\n}\n";
    /// let (file, _) = parse_file(Source::new("schema.hcl", text)?, &Default::default());
    /// let (schema, problems) = NestedSchema::read(file.body());
    /// assert!(problems.is_empty());
    /// assert!(schema.body.attributes[0].required);
    /// assert_eq!(schema.body.blocks[0].label_names, ["name"]);
    /// assert_eq!(schema.blocks["service"].body.attributes[0].name, "port");
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn read(body: Body<'_>) -> (Self, Diagnostics) {
        Self::read_on(body, &Watch::idle(), usize::MAX)
    }

    /// Reads as [`NestedSchema::read`] does, within the time of a parse and with at most its diagnostics, and one that counts the
    /// others.
    ///
    /// ```
    /// use hcl_syntax::limits::{CancelToken, Stopped};
    /// use hcl_syntax::parser::{File, ParseLimits};
    /// use hcl_syntax::schema::NestedSchema;
    ///
    /// let file = File::parse("schema.hcl", "region = required\n")?;
    /// let cancel = CancelToken::new();
    /// cancel.trigger();
    /// let limits = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
    /// assert_eq!(NestedSchema::read_within(file.body(), &limits).err(), Some(Stopped::Cancelled));
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    ///
    /// # Errors
    /// The work was to end before.
    pub fn read_within(body: Body<'_>, limits: &ParseLimits) -> Result<(Self, Diagnostics), Stopped> {
        let watch = Watch::new(limits);
        let read = Self::read_on(body, &watch, limits.max_diagnostics as usize);
        watch.stopped().map_or(Ok(read), Err)
    }

    fn read_on(body: Body<'_>, watch: &Watch, max_diagnostics: usize) -> (Self, Diagnostics) {
        let source = body.tree().source();
        let mut reader =
            Reader { source, watch, diagnostics: Diagnostics::new(), max_diagnostics, n_left_out: 0 };
        let schema = reader.body(body);
        let left_out = (reader.n_left_out > 0).then(|| Diagnostic::left_out(reader.n_left_out));
        reader.diagnostics.extend(left_out);
        (schema, reader.diagnostics)
    }
}

/// How much work an attribute or a block is.
const STEPS_OF_ITEM: usize = 8;

/// So many parts of a block in a large table lie in memory in another order than in the table.
const SCATTERED_OF_BLOCK: isize = 8;
/// A table of more blocks is large.
const FEW: usize = 1 << 10;

/// Reading under way.
struct Reader<'s> {
    source: &'s Source,
    watch: &'s Watch,
    diagnostics: Diagnostics,
    max_diagnostics: usize,
    n_left_out: usize,
}

impl Reader<'_> {
    fn complain(&mut self, code: &'static str, detail: String, place: Span) {
        if self.diagnostics.len() >= self.max_diagnostics {
            self.n_left_out += 1;
            return;
        }
        self.diagnostics.push(Diagnostic::error(code, "Invalid schema", detail).at(self.source, place));
    }

    fn body(&mut self, body: Body<'_>) -> NestedSchema {
        let mut schema = NestedSchema::default();
        for attribute in self.watch.each(body.attributes(), STEPS_OF_ITEM) {
            schema.body.attributes.extend(self.attribute(attribute));
        }
        let mut known = IndexSet::default();
        for block in self.watch.each(body.blocks(), STEPS_OF_ITEM) {
            let block_type = block.block_type();
            if !known.insert(block_type) {
                let detail = format!(
                    "Blocks of type \"{block_type}\" are described twice. Put all that they may contain into one block."
                );
                self.complain("schema.block", detail, block.definition_span());
                continue;
            }
            let labels = self.watch.each(block.labels(), 1);
            let label_names = labels.map(|label| label.text().to_owned()).collect();
            schema.body.blocks.push(BlockSchema { block_type: block_type.to_owned(), label_names });
            let inner = block.body();
            if inner.attributes().len() + inner.blocks().len() > 0 {
                let inner = stack::level(|| self.body(inner));
                schema.blocks.insert(block_type.to_owned(), inner);
            }
            memory::count_scattered(if schema.blocks.len() > FEW { SCATTERED_OF_BLOCK } else { 1 });
        }
        schema
    }

    fn attribute(&mut self, attribute: Attribute<'_>) -> Option<AttributeSchema> {
        let name = attribute.name();
        let expression = attribute.expression();
        let required = match expression.as_keyword() {
            Some("required") => true,
            Some("optional") => false,
            _ => {
                let detail = format!(
                    "What is said of the argument \"{name}\" is neither \"required\" nor \"optional\". Write \"{name} = required\" if it must be there, else \"{name} = optional\"."
                );
                self.complain("schema.attribute", detail, expression.span());
                return None;
            }
        };
        Some(AttributeSchema { name: name.to_owned(), required })
    }
}
