//! Places as people read them: line, column, byte, and the file's name.

use std::fmt;
use std::sync::Arc;

/// A place in a source text.
///
/// ```
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("main.hcl", "a = \"é\"\nb = 2\n")?;
/// let pos = source.position(9);
/// assert_eq!((pos.line, pos.column, pos.byte), (2, 1, 9));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pos {
    /// Line, counted from 1.
    pub line: u32,
    /// Column, counted from 1 in grapheme clusters (UAX #29); clusters start anew at every token.
    pub column: u32,
    /// Byte offset, counted from 0.
    pub byte: u64,
}

impl Pos {
    /// Where a text begins unless the caller says otherwise.
    pub const START: Self = Self { line: 1, column: 1, byte: 0 };
}

impl Default for Pos {
    fn default() -> Self {
        Self::START
    }
}

/// A piece of a named source text, with resolved positions. Independent of the text itself.
///
/// ```
/// use hcl_syntax::source::{Range, Source, Span};
///
/// let source = Source::new("main.hcl", "port = 80\n")?;
/// let range: Range = source.range(Span::new(7, 9));
/// drop(source);
/// assert_eq!((&*range.filename, range.start.column, range.end.column), ("main.hcl", 8, 10));
/// assert_eq!(range.to_string(), "main.hcl:1,8-10");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The name the source was given, as it is to be shown.
    pub filename: Arc<str>,
    /// The first place within.
    pub start: Pos,
    /// The place after the last one within.
    pub end: Pos,
}

/// `file:LINE,COL-COL`, or `file:LINE,COL-LINE,COL` when it spans lines.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { filename, start, end } = self;
        write!(f, "{filename}:{},{}-", start.line, start.column)?;
        if start.line == end.line {
            write!(f, "{}", end.column)
        } else {
            write!(f, "{},{}", end.line, end.column)
        }
    }
}
