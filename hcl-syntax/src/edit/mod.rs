//! Editing a document where it stands: everything but the edited place stays byte for byte.
//!
//! An [`Address`] names attributes, blocks and parts of values that are written out; a [`Document`] gets, sets, adds,
//! moves, renames and removes them. Edits work on the text: they replace the bytes of a value, the lines of an item, or
//! put new lines in, and the result is parsed again, so that no edit leaves text that is no HCL. `find` knows what an
//! address names, `layout` which lines and comments belong to it, `insert` where something new belongs; `attributes`,
//! `blocks`, `moving`, `remove`, `comments` and `references` have the edits, `expression` and `body` write what is new;
//! `json` finds what an address names in JSON syntax, which is read only.
//!
//! To an item belong the comments in its line, and those that stand alone in the lines directly above it. They go
//! with it when it is removed. Comments between the braces of a block in one line are the block's, and stay.
//!
//! An item that is put in and removed again leaves no trace. A few forms need a sign for that, a blank that formatting
//! takes away: behind the opening brace of a block that stood in one line, and in a last line of its own behind a
//! heredoc at the end of a text without a last newline. A text whose last line is the marker of a heredoc is no HCL: it
//! gets the newline that the marker needs, and keeps it.
//!
//! ```
//! use hcl_syntax::edit::{Document, Reach};
//!
//! let text = "service \"web\" {\n  port = 80 # usual\n}\n";
//! let mut document = Document::parse("main.hcl", text).unwrap();
//! let port = "service.web.port".parse().unwrap();
//! assert_eq!(document.get(&port).unwrap(), [b"80"]);
//! document.set(&port, "8080", Reach::One).unwrap();
//! document.set(&"service.web.host".parse().unwrap(), "\"a\"", Reach::One).unwrap();
//! assert_eq!(
//!     document.text(),
//!     "service \"web\" {\n  port = 8080 # usual\n  host = \"a\"\n}\n"
//! );
//! ```

mod address;
mod attributes;
mod blocks;
mod body;
pub mod code;
mod comments;
mod error;
mod expression;
mod find;
mod insert;
mod json;
mod layout;
mod moving;
mod references;
mod remove;

use std::sync::OnceLock;

use crate::diagnostic::{Diagnostic, Error, has_errors};
use crate::format::{FormatStyle, format_with};
use crate::lexer::{is_identifier, tokens, tokens_within};
use crate::parser::{File, ParseLimits, parse_file};
use crate::source::{Source, Span, Text};
use crate::token::Token;

pub use address::Address;
pub use body::NewBody;
pub use comments::Comments;
pub use expression::NewExpression;
pub use find::Found;
pub use insert::Gap;
pub use json::{FoundInJson, find_in_json};
pub use moving::{Destination, Side};

use find::{explored, find};
use insert::Place;
use layout::{Layout, at_left_edge};

/// The number of places that an edit may change at once.
///
/// ```
/// use hcl_syntax::edit::{Document, Reach};
///
/// let mut document = Document::parse("main.hcl", "service \"a\" {\n  port = 1\n}\nservice \"b\" {\n  port = 2\n}\n")?;
/// let ports = "service.*.port".parse()?;
/// assert!(document.set(&ports, "80", Reach::One).is_err());
/// document.set(&ports, "80", Reach::All)?;
/// assert_eq!(document.text().matches("port = 80").count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// One place: it is an error if the address names several.
    One,
    /// Every place that the address names.
    All,
}

/// A text of native syntax that is being edited.
///
/// The text is read when something asks for its tree, so that appending blocks one after the other takes time in
/// proportion to them.
///
/// ```
/// use hcl_syntax::edit::{Document, Reach};
///
/// let mut document = Document::parse("main.hcl", "# Do not touch\nservice \"web\" {\n  port = 80 # usual\n}\n")?;
/// document.set(&"service.web.port".parse()?, "8080", Reach::One)?;
/// document.set_creating(&"service.web.health.path".parse()?, "\"/up\"", Reach::One)?;
/// document.append(None, "region = \"eu\"\n")?;
/// assert_eq!(
///     document.text(),
///     r#"# Do not touch
/// service "web" {
///   port = 8080 # usual
///
///   health {
///     path = "/up"
///   }
/// }
///
/// region = "eu"
/// "#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    name: String,
    bytes: Vec<u8>,
    read: OnceLock<Read>,
    limits: ParseLimits,
}

/// The text as the parser sees it.
#[derive(Clone, Debug)]
struct Read {
    file: File,
    tokens: Vec<Token>,
}

/// A piece of text that takes the place of another.
#[derive(Debug)]
struct Replacement {
    span: Span,
    text: Vec<u8>,
}

impl Document {
    /// An empty document.
    pub fn new(name: &str) -> Self {
        let (read, limits) = (OnceLock::new(), ParseLimits::default());
        Self { name: name.to_owned(), bytes: Vec::new(), read, limits }
    }

    /// Reads a text.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let document = Document::parse("main.hcl", "port = 80\n")?;
    /// assert_eq!(document.get(&"port".parse()?)?, [b"80"]);
    /// assert!(Document::parse("main.hcl", "port = \n").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    pub fn parse(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::parse_with(name, bytes.into(), &ParseLimits::default())
    }

    /// Reads a text, within limits. Those of depth and diagnostics hold for edits too. A heredoc at the end of the text
    /// gets the newline that it needs, if that is all it lacks.
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    pub fn parse_with(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<Self, Error> {
        let ended = may_lack_newline(&bytes).then(|| {
            let newline: &[u8] =
                if memchr::memmem::find(&bytes, b"\r\n").is_some() { b"\r\n" } else { b"\n" };
            [&bytes, newline].concat()
        });
        Self::parse_exactly(name, bytes, limits).or_else(|diagnostics| {
            let document = ended.and_then(|bytes| Self::parse_exactly(name, bytes, limits).ok());
            document.filter(|document| document.layout().ends_with_heredoc()).ok_or(diagnostics)
        })
    }

    fn parse_exactly(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<Self, Error> {
        let source = source(name, Text::within(&bytes, limits))?;
        let (file, diagnostics) = parse_file(source.clone(), limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics.into());
        }
        let tokens = tokens_within(&source, limits).map_err(|stopped| stopped.diagnostic("Reading", name))?;
        let read = OnceLock::from(Read { file, tokens });
        Ok(Self { name: name.to_owned(), bytes, read, limits: limits.without_end() })
    }

    /// The text as it is now.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text as it is now, with U+001A for bad bytes, which only comments may contain.
    pub fn text(&self) -> &str {
        self.file().source().text()
    }

    /// The tree of the text as it is now.
    pub fn file(&self) -> &File {
        &self.read().file
    }

    /// The name that diagnostics call the text by.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn read(&self) -> &Read {
        self.read.get_or_init(|| {
            let source = Source::of_short(&self.name, self.bytes.clone());
            let (file, _) = parse_file(source.clone(), &self.limits);
            Read { file, tokens: tokens(&source) }
        })
    }

    fn layout(&self) -> Layout<'_> {
        Layout { source: self.file().source(), tokens: &self.read().tokens }
    }

    /// Everything that an address names, in the order written; perhaps nothing.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let document = Document::parse("main.hcl", "service \"a\" {}\nservice \"b\" {}\n")?;
    /// assert_eq!(document.find(&"service.*".parse()?).len(), 2);
    /// assert!(document.find(&"service.c".parse()?).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, address: &Address) -> Vec<Found<'_>> {
        find(self.file().body(), address)
    }

    /// Everything that an address names.
    ///
    /// # Errors
    /// It names nothing.
    pub fn find_some(&self, address: &Address) -> Result<Vec<Found<'_>>, Error> {
        let found = self.find(address);
        if found.is_empty() {
            return Err(self.not_found(address).into());
        }
        Ok(found)
    }

    fn not_found(&self, address: &Address) -> Diagnostic {
        let (n_found, names) = explored(self.file().body(), address);
        error::not_found(self.file().source(), address, n_found, &names)
    }

    /// Finds what an address names and an edit may change.
    fn targets(&self, address: &Address, reach: Reach) -> Result<Vec<Found<'_>>, Error> {
        let found = self.find_some(address)?;
        if found.len() > 1 && reach == Reach::One {
            return Err(error::ambiguous(self.file().source(), address, &found).into());
        }
        Ok(found)
    }

    /// The source text of everything that an address names: of an attribute its value, of a block all of it. Lines
    /// lose the indentation of the first and end with `\n`.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let document = Document::parse("main.hcl", "hosts = [\"a\", \"b\"]\n")?;
    /// assert_eq!(document.get(&"hosts[1]".parse()?)?, [b"\"b\""]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The address names nothing.
    pub fn get(&self, address: &Address) -> Result<Vec<Vec<u8>>, Error> {
        let found = self.find_some(address)?;
        Ok(found.into_iter().map(|found| self.source_of(found)).collect())
    }

    /// The source text of one thing, as [`Document::get`] gives it.
    pub fn source_of(&self, found: Found<'_>) -> Vec<u8> {
        let span = found.value().map_or(found.span(), |_| value_span(found));
        at_left_edge(self.layout(), &self.bytes, span)
    }

    /// The bodies and objects that an address names.
    fn places(&self, container: &Address, reach: Reach) -> Result<Vec<Place<'_>>, Error> {
        if container.steps.is_empty() {
            return Ok(vec![Place::Body(self.file().body(), None)]);
        }
        let found = self.targets(container, reach)?;
        let places = found.into_iter().map(|found| {
            Place::of(found).ok_or_else(|| error::no_parent(self.file().source(), container, found).into())
        });
        places.collect()
    }

    /// Writes the whole document in its canonical form.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let mut document = Document::parse("main.hcl", "a=1\nlonger   = 2\n")?;
    /// document.format()?;
    /// assert_eq!(document.text(), "a      = 1\nlonger = 2\n");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text would grow too much.
    pub fn format(&mut self) -> Result<(), Error> {
        let text = format_with(&self.name, &self.bytes, FormatStyle::Hcl, &self.limits);
        let text = text.map_err(|_| error::refused(None))?;
        *self = Self::parse_with(&self.name, text, &self.limits)?;
        Ok(())
    }

    /// Makes replacements, which are in order and apart, and reads the result.
    fn apply(&mut self, replacements: Vec<Replacement>) -> Result<(), Error> {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut copied = 0;
        for Replacement { span, text } in replacements {
            bytes.extend_from_slice(self.bytes.get(copied..span.start as usize).unwrap_or_default());
            bytes.extend_from_slice(&text);
            copied = copied.max(span.end as usize);
        }
        bytes.extend_from_slice(&self.bytes[copied..]);
        match Self::parse_with(&self.name, bytes, &self.limits) {
            Ok(document) => {
                *self = document;
                Ok(())
            }
            Err(diagnostics) => Err(error::refused(diagnostics.into_iter().next()).into()),
        }
    }
}

/// Returns true if a text may end with the marker of a heredoc: the last line has no newline and is a name.
fn may_lack_newline(bytes: &[u8]) -> bool {
    let last_line = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    memchr::memmem::find(bytes, b"<<").is_some()
        && std::str::from_utf8(last_line).is_ok_and(|line| is_identifier(line.trim_matches([' ', '\t'])))
}

/// Where the value of an attribute, a key or an element stands.
fn value_span(found: Found<'_>) -> Span {
    let whole = found.span();
    Span::new(found.value().map_or(whole.start, |value| value.span().start), whole.end)
}

fn source(name: &str, text: Text<'_>) -> Result<Source, Error> {
    Source::new(name, text).map_err(|_| error::refused(None).into())
}
