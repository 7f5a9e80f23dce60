//! Places as people read them: line, column, byte, and the file's name.

use std::fmt;
use std::sync::Arc;

/// A place in a source text.
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
