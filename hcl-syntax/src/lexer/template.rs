//! Template text: quoted templates, heredocs, bare templates.
//!
//! Literal text is cut into tokens in a way that shows, because strip markers trim one token only: a run
//! of ordinary characters is one token, each `$` or `%` that begins nothing is one, and so is each of
//! the escapes `$${` and `%%{`. Outside quotes a newline ends a token, too.

use memchr::memchr;

use super::characters::{line_stop, quoted_stop};
use super::problems::is_problem;
use super::shape::newlines;
use super::{Lexer, Mode};
use crate::source::{Source, Span};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Scans the text of a quoted template until it ends or a sequence begins in it.
    pub(super) fn quoted(&mut self) {
        while self.may_go_on(self.pos) {
            let start = self.pos;
            self.pos = self.quoted_run(start);
            if self.pos > start {
                self.push(TokenKind::QuotedLiteral, start, self.pos);
            }
            let pos = self.pos;
            match self.text.as_bytes().get(pos) {
                None => return,
                Some(b'"') => {
                    self.take(TokenKind::CloseQuote, 1);
                    return self.leave();
                }
                Some(b'$' | b'%') => {
                    let begins_sequence = self.marker(TokenKind::QuotedLiteral, TokenKind::Invalid);
                    if begins_sequence {
                        return;
                    }
                }
                Some(b'\r' | b'\n') => {
                    let run = newlines(&self.text[pos..]).map_or(1, |(_, run)| run.len());
                    self.take(TokenKind::QuotedNewline, run);
                }
                Some(b'\\') => self.take(TokenKind::Invalid, 1),
                Some(_) => self.take(TokenKind::BadUtf8, 1),
            }
        }
    }

    /// Scans the text of a heredoc, or of a bare template if there is no marker, until it ends or a
    /// sequence begins in it.
    pub(super) fn lines(&mut self, marker: Option<Span>) {
        let bytes = self.text.as_bytes();
        // A bare template may end in the middle of anything; what is left is text then.
        let unfinished = if marker.is_some() { TokenKind::Invalid } else { TokenKind::StringLiteral };
        let mut at_line_start = bytes.get(self.pos.wrapping_sub(1)) == Some(&b'\n');
        while self.pos < bytes.len() && self.may_go_on(self.pos) {
            let start = self.pos;
            let closing = marker.filter(|_| at_line_start).and_then(|marker| self.closing_line(marker));
            if let Some(end) = closing {
                self.take(TokenKind::CloseHeredoc, end - start);
                return self.leave();
            }
            let stop = self.line_run(start);
            let newline = match bytes.get(stop..) {
                Some([b'\n', ..]) => 1,
                Some([b'\r', b'\n', ..]) => 2,
                _ => 0,
            };
            if stop + newline > start {
                self.take(TokenKind::StringLiteral, stop + newline - start);
                at_line_start = newline > 0;
            }
            match bytes.get(stop) {
                Some(b'$' | b'%') => {
                    at_line_start = false;
                    let begins_sequence = self.marker(TokenKind::StringLiteral, unfinished);
                    if begins_sequence {
                        return;
                    }
                }
                // The reference stops scanning at a carriage return that stands alone; so all that
                // follows is one token. Bad bytes in what is text then are complained of all the same.
                Some(b'\r') if newline == 0 => {
                    let mut end = bytes.len();
                    if marker.is_none() {
                        end = (stop..end).find(|&pos| self.is_bad_byte(pos)).unwrap_or(end);
                    }
                    self.take(unfinished, end - stop);
                }
                // As in the reference, a line still begins behind bad bytes.
                Some(&Source::BAD_BYTE) => self.take(TokenKind::BadUtf8, 1),
                _ => {}
            }
        }
    }

    /// Makes a token of the next `len` bytes.
    fn take(&mut self, kind: TokenKind, len: usize) {
        let start = self.pos;
        self.pos += len;
        self.has_problems |= is_problem(kind);
        self.push(kind, start, self.pos);
    }

    /// Scans what the `$` or `%` at hand begins. Answers whether that is a sequence, so that normal mode
    /// follows; otherwise it is text of kind `literal`, or `unfinished` if the text of the source ends
    /// right after it.
    fn marker(&mut self, literal: TokenKind, unfinished: TokenKind) -> bool {
        let text = &self.text.as_bytes()[self.pos..];
        let sequence =
            if text[0] == b'$' { TokenKind::TemplateInterpolation } else { TokenKind::TemplateControl };
        match *text {
            [_, b'{', b'~', ..] => self.take(sequence, 3),
            [_, b'{', ..] => self.take(sequence, 2),
            [first, second, b'{', ref rest @ ..] if first == second => {
                self.take(literal, if rest.starts_with(b"~") { 4 } else { 3 });
                return false;
            }
            // As the reference has it, one of these and the last character of a line are one token.
            [_, _, b'\n' | b'\r', ..]
                if literal == TokenKind::StringLiteral && !self.is_bad_byte(self.pos + 1) =>
            {
                self.take(literal, 2);
                return false;
            }
            [_] => {
                self.take(unfinished, 1);
                return false;
            }
            _ => {
                self.take(literal, 1);
                return false;
            }
        }
        self.enter(Mode::Normal { depth: 0 });
        true
    }

    /// Where the run of ordinary characters and backslash escapes ends that begins at `pos`.
    #[inline]
    pub(super) fn quoted_run(&self, mut pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            pos = quoted_stop(bytes, pos);
            match bytes.get(pos..) {
                Some([b'\\', escaped, ..])
                    if !matches!(escaped, b'\r' | b'\n') && !self.is_bad_byte(pos + 1) =>
                {
                    pos += 2;
                }
                Some([Source::BAD_BYTE, ..]) if !self.is_bad_byte(pos) => pos += 1,
                _ => return pos,
            }
        }
    }

    /// Where the run of ordinary characters ends that begins at `pos`.
    fn line_run(&self, mut pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            pos = line_stop(bytes, pos);
            if bytes.get(pos) != Some(&Source::BAD_BYTE) || self.is_bad_byte(pos) {
                return pos;
            }
            pos += 1;
        }
    }

    /// If the line that begins here ends the heredoc of `marker`: where it ends, without its newline. Such a
    /// line holds the marker and blanks, and has a newline.
    fn closing_line(&self, marker: Span) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let marker = self.source.slice(marker);
        // Nearly every line is told apart by its first character.
        let inked = bytes[self.pos..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
        let first = bytes[self.pos + inked];
        if first.is_ascii_graphic() && !marker.as_bytes().starts_with(&[first]) {
            return None;
        }
        let line = &self.text[self.pos..self.pos + memchr(b'\n', &bytes[self.pos..])?];
        let line = line.strip_suffix('\r').unwrap_or(line);
        (line.trim() == marker && !line.contains('\r')).then_some(self.pos + line.len())
    }
}
