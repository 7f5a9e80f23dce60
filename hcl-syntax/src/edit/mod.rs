//! Editing a document where it stands: everything but the edited place stays byte for byte.
//!
//! An [`Address`] names attributes, blocks and parts of values that are written out; a [`Document`] gets, sets, adds,
//! moves, renames and removes them. Edits work on the text: they replace the bytes of a value, the lines of an item, or
//! put new lines in, and the result is parsed again, so that no edit leaves text that is no HCL. `find` knows what an
//! address names, `layout` which lines and comments belong to it, `insert` where something new belongs; `attributes`,
//! `blocks`, `moving`, `remove`, `comments` and `references` have the edits, `expression` and `body` write what is new;
//! `json` finds what an address names in JSON syntax, which is read only. `work` is one call on a document, with the limits
//! that its loops look at.
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
mod work;

use std::sync::OnceLock;

use crate::diagnostic::{Error, has_errors};
use crate::format::{FormatError, FormatStyle, format_with};
use crate::lexer::{is_identifier, is_identifier_on, tokens, tokens_within};
use crate::limits::{Stopped, Watch};
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

use find::find;
use layout::{Layout, at_left_edge, newline_of};
use work::Work;

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
    max_len: usize,
}

/// The text as the parser sees it.
#[derive(Clone, Debug)]
struct Read {
    file: File,
    tokens: Vec<Token>,
    /// How lines end.
    newline: &'static str,
}

impl Read {
    fn new(file: File, tokens: Vec<Token>) -> Self {
        let newline = newline_of(file.source().text().as_bytes());
        Self { file, tokens, newline }
    }
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
        Self::unread(name, Vec::new(), ParseLimits::default())
    }

    /// A document of which the text is read when its tree is asked for.
    fn unread(name: &str, bytes: Vec<u8>, limits: ParseLimits) -> Self {
        Self { name: name.to_owned(), bytes, read: OnceLock::new(), limits, max_len: Source::MAX_LEN }
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

    /// Reads a text, within limits. Those of depth and diagnostics hold for edits too; [`Document::set_limits`] gives edits a
    /// deadline and a token. A heredoc at the end of the text gets the newline that it needs, if that is all it lacks.
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
            document.filter(|document| document.layout(&Watch::idle()).ends_with_heredoc()).ok_or(diagnostics)
        })
    }

    fn parse_exactly(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<Self, Error> {
        let source = source(name, Text::within(&bytes, limits))?;
        let (file, diagnostics) = parse_file(source.clone(), limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics.into());
        }
        let tokens = tokens_within(&source, limits).map_err(|stopped| stopped.diagnostic("Reading", name))?;
        let read = OnceLock::from(Read::new(file, tokens));
        Ok(Self { read, ..Self::unread(name, bytes, limits.without_end()) })
    }

    /// Sets the limits of edits and questions from now on. One that is stopped by the deadline or the token is an error, of which
    /// the code begins with `limit.`, and leaves the document as it was. What can't fail looks at no limits.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    /// use hcl_syntax::limits::CancelToken;
    /// use hcl_syntax::parser::ParseLimits;
    ///
    /// let mut document = Document::parse("main.hcl", "port = 80\n")?;
    /// let cancel = CancelToken::new();
    /// document.set_limits(&ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() });
    /// document.set(&"port".parse()?, "8080", Reach::One)?;
    /// cancel.trigger();
    /// let stopped = document.set(&"port".parse()?, "9090", Reach::One).unwrap_err();
    /// assert_eq!(stopped.diagnostics()[0].code, "limit.cancelled");
    /// assert_eq!(document.text(), "port = 8080\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_limits(&mut self, limits: &ParseLimits) {
        self.limits = limits.clone();
    }

    /// Sets how many bytes the text may have that an edit leaves; [`Source::MAX_LEN`] otherwise.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "port = 80\n")?;
    /// document.set_max_len(12);
    /// document.set(&"port".parse()?, "8080", Reach::One)?;
    /// let refused = document.set(&"port".parse()?, "80800", Reach::One).unwrap_err();
    /// assert_eq!(refused.diagnostics()[0].code, "limit.source");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_max_len(&mut self, n_bytes: usize) {
        self.max_len = n_bytes.min(Source::MAX_LEN);
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
            let (file, _) = parse_file(source.clone(), &self.limits.without_end());
            Read::new(file, tokens(&source))
        })
    }

    /// The text as the parser sees it, which is perhaps parsed for that, within limits.
    fn read_within(&self, limits: &ParseLimits) -> Result<&Read, Error> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let source = Source::of_short(&self.name, Text::within(&self.bytes, limits));
        let (file, diagnostics) = parse_file(source.clone(), limits);
        if let Some(stopped) = diagnostics.into_iter().find(|problem| Stopped::is_code(&problem.code)) {
            return Err(stopped.into());
        }
        let tokens =
            tokens_within(&source, limits).map_err(|stopped| stopped.diagnostic("Reading", &self.name))?;
        Ok(self.read.get_or_init(|| Read::new(file, tokens)))
    }

    /// Returns the work of a call that looks at a watch of these limits.
    fn work<'d, 'w>(&'d self, limits: &'w ParseLimits, watch: &'w Watch) -> Result<Work<'d, 'w>, Error> {
        Ok(Work { document: self, read: self.read_within(limits)?, limits, watch })
    }

    /// Checks that a name is an identifier. The text is not read for that.
    ///
    /// # Errors
    /// It is none, or the work is to end.
    fn check_name(&self, name: &str, watch: &Watch) -> Result<(), Error> {
        let problem = (!is_identifier_on(name, watch)).then(|| error::no_name_on(name, watch));
        self.go_on(watch)?;
        problem.map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// Counts one small piece of work.
    ///
    /// # Errors
    /// The work is to end.
    fn go_on(&self, watch: &Watch) -> Result<(), Error> {
        watch.count(1).map_err(|stopped| stopped.diagnostic("Editing", &self.name).into())
    }

    /// Lays out the text for a call that looks at a watch.
    fn layout<'l>(&'l self, watch: &'l Watch) -> Layout<'l> {
        self.read().layout(watch)
    }

    /// Takes the text of another document.
    fn take(&mut self, edited: Self) {
        self.bytes = edited.bytes;
        self.read = edited.read;
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
        find(self.file().body(), address, &Watch::idle())
    }

    /// Everything that an address names.
    ///
    /// # Errors
    /// It names nothing.
    pub fn find_some(&self, address: &Address) -> Result<Vec<Found<'_>>, Error> {
        self.work(&self.limits, &Watch::new(&self.limits))?.find_some(address)
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
        self.get_within(address, &self.limits)
    }

    /// [`Document::get`] within other limits than those of the document.
    ///
    /// # Errors
    /// The address names nothing, or a limit was reached.
    pub fn get_within(&self, address: &Address, limits: &ParseLimits) -> Result<Vec<Vec<u8>>, Error> {
        let watch = Watch::new(limits);
        let work = self.work(limits, &watch)?;
        let found = work.find_some(address)?;
        let mut texts = Vec::new();
        for found in found {
            texts.push(work.source_of(found));
            work.go_on()?;
        }
        Ok(texts)
    }

    /// The source text of one thing, as [`Document::get`] gives it.
    pub fn source_of(&self, found: Found<'_>) -> Vec<u8> {
        at_left_edge(self.layout(&Watch::idle()), &self.bytes, value_span(found))
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
        let watch = Watch::new(&self.limits);
        let formatted = {
            let work = self.work(&self.limits, &watch)?;
            let text = format_with(&self.name, &self.bytes, FormatStyle::Hcl, &self.limits);
            work.parsed(text.map_err(|error| not_formatted(&error, &self.name))?)?
        };
        self.take(formatted);
        Ok(())
    }
}

/// The error of a text that was not formatted.
fn not_formatted(error: &FormatError, name: &str) -> Error {
    match error {
        FormatError::Stopped(stopped) => stopped.diagnostic("Formatting", name).into(),
        _ => error::refused(None).into(),
    }
}

/// Returns true if a text may end with the marker of a heredoc: the last line has no newline and is a name.
fn may_lack_newline(bytes: &[u8]) -> bool {
    let last_line = &bytes[memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1)..];
    memchr::memmem::find(bytes, b"<<").is_some()
        && std::str::from_utf8(last_line).is_ok_and(|line| is_identifier(line.trim_matches([' ', '\t'])))
}

/// Where the value of an attribute, a key or an element stands, or a block.
fn value_span(found: Found<'_>) -> Span {
    let whole = found.span();
    Span::new(found.value().map_or(whole.start, |value| value.span().start), whole.end)
}

fn source(name: &str, text: Text<'_>) -> Result<Source, Error> {
    Source::new(name, text).map_err(|_| error::refused(None).into())
}
