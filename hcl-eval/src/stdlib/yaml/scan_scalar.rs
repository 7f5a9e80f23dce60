//! The scalars of YAML as texts: block scalars, quoted ones, plain ones.
//!
//! Line ends in a text are LF, whatever the source has, except for U+2028 and U+2029, which stay. Only LF is folded
//! into a space. The functions follow libyaml step by step, as the reference is a translation of it.

use super::cursor::{is_blank, is_break};
use super::scanner::{Scanned, Scanner, as_indent};

/// Line ends between two pieces of a scalar that is folded.
#[derive(Default)]
struct Gap {
    /// Blanks before the first line end.
    blanks: String,
    /// The first line end.
    first: Option<char>,
    /// The line ends behind it.
    more: String,
}

impl Gap {
    /// Puts what the gap amounts to behind a text: a single line end is a space.
    fn join(&mut self, text: &mut String) {
        match self.first.take() {
            None => text.push_str(&self.blanks),
            Some('\n') if self.more.is_empty() => text.push(' '),
            Some('\n') => text.push_str(&self.more),
            Some(other) => {
                text.push(other);
                text.push_str(&self.more);
            }
        }
        self.blanks.clear();
        self.more.clear();
    }
}

/// The treatment of line ends at the end of a block scalar.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Chomping {
    /// None of them are part of the text.
    Strip,
    /// One of them is.
    Clip,
    /// All of them are.
    Keep,
}

impl Scanner<'_> {
    /// `|…` or `>…`: the text of a block. In a folded one a single line end between two lines that begin with no
    /// blank is a space. An indentation of 0 stands for one that the first line with a text decides.
    pub(super) fn block_scalar(&mut self, literal: bool) -> Scanned<String> {
        self.cursor.skip();
        let (chomping, increment) = self.block_header()?;
        let mut indent = match increment {
            0 => 0,
            increment if self.indent >= 0 => self.indent + increment,
            increment => increment,
        };
        let mut text = String::new();
        let mut first: Option<char> = None;
        let mut more = self.block_breaks(&mut indent)?;
        let mut after_blank = false;
        while as_indent(self.cursor.column) == indent && self.cursor.peek().is_some() {
            let blank = self.cursor.peek().is_some_and(is_blank);
            match first.take() {
                Some('\n') if !literal && !after_blank && !blank => {
                    if more.is_empty() {
                        text.push(' ');
                    }
                }
                other => text.extend(other),
            }
            text.push_str(&more);
            after_blank = blank;
            while let Some(c) = self.cursor.peek().filter(|&c| !is_break(c)) {
                text.push(c);
                self.cursor.skip();
            }
            first = self.cursor.take_break();
            more = self.block_breaks(&mut indent)?;
        }
        if chomping != Chomping::Strip {
            text.extend(first);
        }
        if chomping == Chomping::Keep {
            text.push_str(&more);
        }
        Ok(text)
    }

    /// Sign and digit behind `|` or `>`, in either order, and the rest of the line.
    fn block_header(&mut self) -> Scanned<(Chomping, i64)> {
        let (mut chomping, mut increment) = (None, None);
        while let Some(c) = self.cursor.peek() {
            match c {
                '+' if chomping.is_none() => chomping = Some(Chomping::Keep),
                '-' if chomping.is_none() => chomping = Some(Chomping::Strip),
                '0' if increment.is_none() => return self.fail("a block cannot be indented by 0"),
                '1'..='9' if increment.is_none() => increment = c.to_digit(10).map(i64::from),
                _ => break,
            }
            self.cursor.skip();
        }
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some('#') {
            self.cursor.skip_to_break();
        }
        if self.cursor.peek().is_some_and(|c| !is_break(c)) {
            return self.fail("a block starts in the next line: only a comment may follow the sign");
        }
        self.cursor.take_break();
        Ok((chomping.unwrap_or(Chomping::Clip), increment.unwrap_or(0)))
    }

    /// Goes past empty lines and the indentation of the next one, and finds out what that is.
    fn block_breaks(&mut self, indent: &mut i64) -> Scanned<String> {
        let mut breaks = String::new();
        let mut widest = 0;
        loop {
            let inside = |column| *indent == 0 || as_indent(column) < *indent;
            while inside(self.cursor.column) && self.cursor.peek() == Some(' ') {
                self.cursor.skip();
            }
            widest = widest.max(as_indent(self.cursor.column));
            if inside(self.cursor.column) && self.cursor.peek() == Some('\t') {
                return self.fail("a tab cannot indent a block");
            }
            match self.cursor.take_break() {
                Some(c) => breaks.push(c),
                None => break,
            }
        }
        if *indent == 0 {
            // A block is at least one column further in than the node around it, and never at the margin.
            *indent = widest.max(self.indent + 1).max(1);
        }
        Ok(breaks)
    }

    /// `'…'` or `"…"`: the text between the quotes, with its lines folded. Behind a backslash at the end of a line
    /// the text goes on without a space.
    pub(super) fn quoted_scalar(&mut self, single: bool) -> Scanned<String> {
        let quote = if single { '\'' } else { '"' };
        self.cursor.skip();
        let mut text = String::new();
        let mut gap = Gap::default();
        loop {
            if self.cursor.column == 0 && self.cursor.at_document_indicator() {
                return self.fail("--- and ... cannot start a line of a quoted text");
            }
            let mut folded = false;
            while let Some(c) = self.cursor.peek().filter(|&c| !is_blank(c) && !is_break(c)) {
                if c == quote && !(single && self.cursor.peek_at(1) == Some('\'')) {
                    break;
                }
                self.cursor.skip();
                match c {
                    '\'' if single => {
                        self.cursor.skip();
                        text.push('\'');
                    }
                    '\\' if !single && self.cursor.peek().is_some_and(is_break) => {
                        self.cursor.take_break();
                        folded = true;
                        break;
                    }
                    '\\' if !single => text.push(self.escape()?),
                    c => text.push(c),
                }
            }
            match self.cursor.peek() {
                None => return self.fail("a quoted text is not closed"),
                Some(c) if c == quote && !folded => {
                    self.cursor.skip();
                    return Ok(text);
                }
                Some(_) => {}
            }
            self.gap(&mut gap, folded, None)?;
            if folded && gap.first.is_none() {
                text.push_str(&gap.more);
                gap = Gap::default();
            } else {
                gap.join(&mut text);
            }
        }
    }

    /// Takes blanks and line ends up. Behind an escaped line end, the blanks do not count. With an indentation, a tab
    /// that takes its place is refused.
    fn gap(&mut self, gap: &mut Gap, folded: bool, indentation: Option<i64>) -> Scanned<()> {
        let mut at_start = folded;
        while let Some(c) = self.cursor.peek() {
            if is_blank(c) {
                let too_early = |least| as_indent(self.cursor.column) < least;
                if at_start && c == '\t' && indentation.is_some_and(too_early) {
                    return self.fail("a tab cannot indent");
                }
                if !at_start {
                    gap.blanks.push(c);
                }
                self.cursor.skip();
            } else if let Some(c) = self.cursor.take_break() {
                match at_start {
                    true => gap.more.push(c),
                    false => gap.first = Some(c),
                }
                at_start = true;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Reads the character behind a backslash.
    fn escape(&mut self) -> Scanned<char> {
        let Some(c) = self.cursor.peek() else { return self.fail("a quoted text is not closed") };
        self.cursor.skip();
        Ok(match c {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            ' ' | '"' | '\'' | '\\' => c,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => self.code_point(2)?,
            'u' => self.code_point(4)?,
            'U' => self.code_point(8)?,
            _ => return self.fail("there is no such escape: a backslash itself is written \\\\"),
        })
    }

    /// Reads a character by its number of so many hexadecimal digits.
    fn code_point(&mut self, digits: usize) -> Scanned<char> {
        let mut code = 0_u32;
        for _ in 0..digits {
            match self.cursor.peek().and_then(|c| c.to_digit(16)) {
                Some(digit) => code = code << 4 | digit,
                None => return self.fail("hexadecimal digits are missing behind \\x, \\u or \\U"),
            }
            self.cursor.skip();
        }
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.fail("there is no character of this number"),
        }
    }

    /// A scalar without quotes, which may go on in further lines. It ends before a colon with a blank behind it, a
    /// comment, a line that is not indented enough, and between brackets before punctuation of the collection.
    pub(super) fn plain_scalar(&mut self) -> Scanned<String> {
        let in_flow = self.in_flow();
        let indent = self.indent + 1;
        let mut text = String::new();
        let mut gap = Gap::default();
        let mut new_line = false;
        loop {
            let at_indicator = self.cursor.column == 0 && self.cursor.at_document_indicator();
            if at_indicator || self.cursor.peek() == Some('#') {
                break;
            }
            let mut started = false;
            while let Some(c) = self.cursor.peek().filter(|&c| !is_blank(c) && !is_break(c)) {
                let ends = c == ':' && self.cursor.blank_or_end_at(1);
                if ends || (in_flow && matches!(c, ',' | '?' | '[' | ']' | '{' | '}')) {
                    break;
                }
                if !started {
                    gap.join(&mut text);
                    new_line = false;
                    started = true;
                }
                text.push(c);
                self.cursor.skip();
            }
            if !self.cursor.peek().is_some_and(|c| is_blank(c) || is_break(c)) {
                break;
            }
            self.gap(&mut gap, false, Some(indent))?;
            new_line = gap.first.is_some();
            if !in_flow && as_indent(self.cursor.column) < indent {
                break;
            }
        }
        // The scalar ended with its line, so that the next token may begin a key.
        if new_line {
            self.simple_key_allowed = true;
        }
        Ok(text)
    }
}
