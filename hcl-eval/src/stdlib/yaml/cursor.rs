//! A place in a YAML text, with its line and column. A text that is to be read no further ends there.

use crate::limits::{Limits, Stopped};
use crate::value::string::STRETCH;

/// Where the scanner is.
pub(super) struct Cursor<'t> {
    rest: &'t str,
    /// In code points, like the column; all count from 0.
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    limits: Limits,
    /// The index from which on the limits are looked at again.
    next_look: usize,
    /// Why the text was cut off.
    pub(super) stopped: Option<Stopped>,
}

/// Tells if a character is white space inside of a line.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The line ends of YAML 1.1.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, limits: Limits) -> Cursor<'t> {
        Cursor { rest: text, index: 0, line: 0, column: 0, limits, next_look: STRETCH, stopped: None }
    }

    /// Cuts the text off if its reader is to stop.
    fn look(&mut self) {
        self.next_look += STRETCH;
        self.stopped = self.limits.stopped();
        if self.stopped.is_some() {
            self.rest = "";
        }
    }

    /// The next character; `None` at the end.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// The character after so many others.
    pub(super) fn peek_at(&self, n: usize) -> Option<char> {
        self.rest.chars().nth(n)
    }

    /// Returns whether there is a blank, a line end or the end of the text.
    pub(super) fn blank_or_end_at(&self, n: usize) -> bool {
        self.peek_at(n).is_none_or(|c| is_blank(c) || is_break(c))
    }

    /// Returns whether `---` or `...` stands here by itself.
    pub(super) fn at_document_indicator(&self) -> bool {
        (self.rest.starts_with("---") || self.rest.starts_with("...")) && self.blank_or_end_at(3)
    }

    /// Goes past a character that is no line end.
    pub(super) fn skip(&mut self) {
        let mut chars = self.rest.chars();
        if chars.next().is_some() {
            self.rest = chars.as_str();
            self.index += 1;
            self.column += 1;
            if self.index >= self.next_look {
                self.look();
            }
        }
    }

    /// Goes past so many characters that are no line ends.
    pub(super) fn skip_many(&mut self, n: usize) {
        for _ in 0..n {
            self.skip();
        }
    }

    pub(super) fn skip_to_break(&mut self) {
        while self.peek().is_some_and(|c| !is_break(c)) {
            self.skip();
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.skip();
        }
    }

    /// Goes past a line end, and says what it is in a text: LF for all but the Unicode separators.
    pub(super) fn take_break(&mut self) -> Option<char> {
        let length = if self.rest.starts_with("\r\n") { 2 } else { 1 };
        let c = self.peek().filter(|&c| is_break(c))?;
        self.skip_many(length);
        self.line += 1;
        self.column = 0;
        Some(if matches!(c, '\u{2028}' | '\u{2029}') { c } else { '\n' })
    }
}
