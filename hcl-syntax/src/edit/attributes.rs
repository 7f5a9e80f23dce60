//! Attributes and keys of objects: set, added, renamed.

use super::address::{Address, AddressStep};
use super::blocks::block_header;
use super::find::{Found, explored, find};
use super::insert::{self, Gap, Place, key_text_on};
use super::layout::{Layout, indented, newline_of};
use super::work::{Edits, Work};
use super::{Document, Reach, Replacement, error, value_span};
use crate::diagnostic::{Error, has_errors};
use crate::lexer::tokens_within;
use crate::limits::Watch;
use crate::parser::parse_expression;
use crate::source::Source;
use crate::token::{Token, TokenKind};

/// A value that is to be put in.
pub(super) struct NewValue<'w> {
    source: Source,
    tokens: Vec<Token>,
    watch: &'w Watch,
}

impl NewValue<'_> {
    fn layout(&self) -> Layout<'_> {
        let newline = newline_of(self.source.text().as_bytes());
        Layout { source: &self.source, tokens: &self.tokens, newline, watch: self.watch }
    }

    /// The value as it stands at a place with this indentation.
    pub(super) fn indented(&self, indentation: &str, newline: &str) -> String {
        let mut text = indented(self.layout(), indentation, newline);
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
        text
    }

    /// True if the line behind it must end.
    pub(super) fn ends_with_heredoc(&self) -> bool {
        self.layout().ends_with_heredoc()
    }

    /// True if it needs no line of its own.
    pub(super) fn fits_in_a_line(&self) -> bool {
        !self.ends_with_comment() && !self.indented("", "\n").contains('\n')
    }

    /// True if the rest of its line would become part of a comment.
    pub(super) fn ends_with_comment(&self) -> bool {
        self.layout().ends_with_line_comment()
    }
}

impl Document {
    /// Replaces the value of an attribute, or adds the attribute if what it would stand in is there: behind the last
    /// attribute there, written like it. Lines of the value behind the first are indented as its place is. Labels of the block
    /// that it stands in, or is to stand in, may be left out if that leaves one block.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "port = 80 # usual\n")?;
    /// document.set(&"port".parse()?, "8080", Reach::One)?;
    /// document.set(&"host".parse()?, "\"a\"", Reach::One)?;
    /// assert_eq!(document.text(), "port = 8080 # usual\nhost = \"a\"\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The value is no expression, or the address names no place, several or a block. The document is as before.
    pub fn set(&mut self, address: &Address, value: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = self.work(&self.limits, &watch)?.set(address, value, reach)?;
        self.take(edited);
        Ok(())
    }

    /// As above, and where there is no block to add the attribute to, one is made at the end: the first name that is
    /// missing is its type, those up to the attribute's are its labels. Blocks of the type with other labels are no
    /// place for it.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::new("main.hcl");
    /// document.set_creating(&"service.port".parse()?, "80", Reach::One)?;
    /// assert_eq!(document.text(), "service {\n  port = 80\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Document::set`].
    pub fn set_creating(&mut self, address: &Address, value: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = self.work(&self.limits, &watch)?.set_creating(address, value, reach)?;
        self.take(edited);
        Ok(())
    }

    /// Adds an attribute, or a key of an object, that is not there: behind the last one, written like it.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Gap, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "service {\n  port = 80\n}\n")?;
    /// document.append_attribute(&"service.host".parse()?, "\"a\"", Gap::None, Reach::One)?;
    /// assert_eq!(document.text(), "service {\n  port = 80\n  host = \"a\"\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// It is there, the value is no expression, or the address does not lead into one place that has attributes or keys.
    pub fn append_attribute(
        &mut self,
        address: &Address,
        value: &str,
        gap: Gap,
        reach: Reach,
    ) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = self.work(&self.limits, &watch)?.with_attribute(address, value, gap, reach)?;
        self.take(edited);
        Ok(())
    }

    /// Gives attributes or keys another name and another value at once.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "instances = 2 # each\n")?;
    /// document.replace(&"instances".parse()?, "count", "3", Reach::One)?;
    /// assert_eq!(document.text(), "count = 3 # each\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Document::rename`] and [`Document::set`].
    pub fn replace(&mut self, address: &Address, name: &str, value: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            let value = work.new_value(value)?;
            let mut edits = work.edits();
            for found in work.targets(address, reach)? {
                let name = match found {
                    Found::Attribute(_) => {
                        work.check_name(name)?;
                        name.to_owned()
                    }
                    Found::Item { .. } => key_text_on(name, work.watch),
                    _ => return Err(work.refuse(|source| error::no_value(source, address, found))),
                };
                edits.replace(found.definition_span(), name.as_bytes())?;
                edits.push(&work.replaced(found, &value)?)?;
            }
            work.applied(edits)?
        };
        self.take(edited);
        Ok(())
    }
}

impl<'w> Work<'_, 'w> {
    /// [`Document::set`]
    pub(super) fn set(&self, address: &Address, value: &str, reach: Reach) -> Result<Document, Error> {
        let value = self.new_value(value)?;
        let mut edits = self.edits();
        if self.find(address)?.is_empty() {
            self.add(&mut edits, (address, &value), None, reach)?;
        } else {
            for found in self.targets(address, reach)? {
                self.replace(&mut edits, (address, &value), found)?;
            }
        }
        self.applied(edits)
    }

    fn replace(
        &self,
        edits: &mut Edits<'_>,
        (address, value): (&Address, &NewValue<'_>),
        found: Found<'_>,
    ) -> Result<(), Error> {
        match found {
            Found::Block(_) => Err(self.refuse(|source| error::no_value(source, address, found))),
            _ => edits.push(&self.replaced(found, value)?),
        }
    }

    /// [`Document::set_creating`]
    fn set_creating(&self, address: &Address, value: &str, reach: Reach) -> Result<Document, Error> {
        let steps = &address.steps;
        let parent = address.prefix(steps.len().saturating_sub(1));
        let is_meant = |found| names_whole(address, parent.steps.len(), found);
        if parent.steps.is_empty() || self.find(&parent)?.into_iter().any(is_meant) {
            return self.set(address, value, reach);
        }
        let (mut n_found, _) = explored(self.file().body(), address, self.watch);
        // Blocks of which labels are not named are others than the one that is missing.
        while self
            .find(&address.prefix(n_found))?
            .into_iter()
            .any(|found| !names_whole(address, n_found, found))
        {
            n_found -= 1;
        }
        let names = (n_found..steps.len()).map(|step| address.name_at(step)).collect::<Option<Vec<_>>>();
        let (Some([block_type, labels @ .., name]), container) = (names.as_deref(), address.prefix(n_found))
        else {
            return Err(self.not_found(address));
        };
        for name in [block_type, name] {
            self.check_name(name)?;
        }
        let value = self.new_value(value)?;
        let newline = self.layout().newline;
        let text = value.indented("  ", newline);
        self.go_on()?;
        let header = block_header(block_type, labels, self.watch);
        let parts = [&header, " {", newline, "  ", name, " = ", &text, newline, "}"];
        let block = self.watch.joined(&parts);
        self.go_on()?;
        self.append_text(&container, &block, Gap::EmptyLine, reach)
    }

    /// [`Document::append_attribute`]
    pub(super) fn with_attribute(
        &self,
        address: &Address,
        value: &str,
        gap: Gap,
        reach: Reach,
    ) -> Result<Document, Error> {
        let value = self.new_value(value)?;
        if let Some(found) = self.find(address)?.into_iter().next() {
            return Err(self.refuse(|source| error::exists(source, address, found)));
        }
        let mut edits = self.edits();
        self.add(&mut edits, (address, &value), Some(gap), reach)?;
        self.applied(edits)
    }

    /// Adds the attributes or keys that are missing where an address leads. Labels that it does not name hide an attribute that
    /// is there: without a gap, which is for new ones alone, that is set.
    fn add(
        &self,
        edits: &mut Edits<'_>,
        (address, value): (&Address, &NewValue<'_>),
        gap: Option<Gap>,
        reach: Reach,
    ) -> Result<(), Error> {
        let Some((last @ AddressStep::Name(name), parent)) = address.steps.split_last() else {
            return Err(self.not_found(address));
        };
        let last = Address { steps: vec![last.clone()] };
        let parent = address.prefix(parent.len());
        if !parent.steps.is_empty() && self.find(&parent)?.is_empty() {
            return Err(self.not_found(address));
        }
        for place in self.places(&parent, reach)? {
            match place {
                Place::Body(body, block) => {
                    self.check_name(name)?;
                    match (find(body, &last, self.watch).first(), gap) {
                        (None, _) => {
                            let gap = gap.unwrap_or(Gap::None);
                            edits.extend(insert::attribute(
                                self.layout(),
                                body,
                                block,
                                (name, value),
                                gap,
                            ))?;
                        }
                        (Some(&found), None) => self.replace(edits, (address, value), found)?,
                        (Some(&found), Some(_)) => {
                            return Err(self.refuse(|source| error::exists(source, address, found)));
                        }
                    }
                }
                Place::Object(object, items) => {
                    edits.push(&insert::item(self.layout(), object, items, name, value))?;
                }
            }
        }
        Ok(())
    }

    /// The text of a value, checked.
    fn new_value(&self, text: &str) -> Result<NewValue<'w>, Error> {
        // A heredoc at the end must have its newline.
        let source = self.source_of_texts("value", &[text.trim_matches([' ', '\t', '\r', '\n']), "\n"])?;
        let (_, diagnostics) = parse_expression(source.clone(), self.limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics.into());
        }
        let tokens = tokens_within(&source, self.limits).map_err(|stopped| self.stopped(stopped))?;
        Ok(NewValue { tokens, source, watch: self.watch })
    }

    fn replaced(&self, found: Found<'_>, value: &NewValue<'_>) -> Result<Replacement, Error> {
        let layout = self.layout();
        let mut span = value_span(found);
        let indentation = layout.indentation(found.span().start);
        let mut text = value.indented(indentation, layout.newline);
        let mut next = layout.token_at(span.end);
        if value.ends_with_comment() && layout.end_of_line(span.end).is_none() {
            return Err(self.refuse(|source| error::swallowing(source, layout.token(next).span)));
        }
        if value.ends_with_heredoc() {
            // In an object the newline of the heredoc stands for the comma.
            if matches!(found, Found::Item { .. }) && layout.token(next).kind == TokenKind::Comma {
                next += 1;
                span.end = layout.token(next).span.start;
            }
            let next = layout.token(next);
            if next.kind != TokenKind::Newline {
                text.push_str(layout.newline);
                text.push_str(indentation);
                span.end = next.span.start;
            }
        }
        Ok(Replacement { span, text: text.into_bytes() })
    }
}

/// Returns true if the first steps of an address end with the type and all labels of the block that was found.
pub(super) fn names_whole(address: &Address, n_steps: usize, found: Found<'_>) -> bool {
    let Found::Block(block) = found else { return true };
    let steps = address.steps[..n_steps].iter().filter(|step| !matches!(step, AddressStep::Index(_)));
    let labels: Vec<_> = block.labels().collect();
    let written = labels.iter().rev().map(|label| label.text()).chain([block.block_type()]);
    let mut steps = steps.rev();
    written.into_iter().all(|text| steps.next().is_some_and(|step| step.matches(text)))
}
