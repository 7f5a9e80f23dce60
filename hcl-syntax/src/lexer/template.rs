//! Template text: quoted templates, heredocs, bare templates.
//!
//! Literal text is cut into tokens in a way that shows, because strip markers trim one token only: a run
//! of ordinary characters is one token, each `$` or `%` that begins nothing is one, and so is each of
//! the escapes `$${` and `%%{`. Outside quotes a newline ends a token, too.

use memchr::memchr;

use super::characters::{line_stop, quoted_stop};
use super::problems::is_problem;
use super::shape::newlines;
use super::{Lexer, Mode, Scanner, span};
use crate::source::{Source, Span};
use crate::token::TokenKind;

/// The surroundings of the text of a template, which decide where it ends.
#[derive(Copy, Clone)]
pub(crate) enum Within {
    /// Quotes.
    Quotes,
    /// A heredoc, up to a line that is the marker.
    Heredoc {
        /// Where the marker is introduced.
        marker: Span,
    },
    /// Nothing: the template is the whole text.
    Nothing,
}

impl Lexer<'_> {
    /// Scans the text of a template until it ends, a sequence begins in it, or the stretch ends. Bytes that are no UTF-8 belong
    /// to what follows them: whether a line begins there is known only behind what goes before them.
    pub(super) fn template(&mut self, within: Within) {
        let mut at_line_start = self.scanner.is_line_start(self.pos);
        while self.pos < self.scanner.text.len() && self.may_go_on(self.pos) {
            let (kind, end) = self.scanner.template_token(self.pos, within, at_line_start);
            if kind != TokenKind::BadUtf8 {
                at_line_start = self.scanner.is_line_start(end);
            }
            self.has_problems |= is_problem(kind);
            self.push(kind, self.pos, end);
            self.pos = end;
            match kind {
                TokenKind::CloseQuote | TokenKind::CloseHeredoc => return self.leave(),
                TokenKind::TemplateInterpolation | TokenKind::TemplateControl => {
                    return self.enter(Mode::Normal { depth: 0 });
                }
                TokenKind::BadUtf8 => {}
                _ if end >= self.stretch_end => return,
                _ => {}
            }
        }
    }
}

impl Scanner<'_> {
    /// True if a line begins at `pos`.
    pub(crate) fn is_line_start(&self, pos: usize) -> bool {
        self.text.as_bytes().get(pos.wrapping_sub(1)) == Some(&b'\n')
    }

    /// The token of a template's text that begins at `pos`, and where it ends. The marker of a heredoc is looked for where a line
    /// begins; bytes before it that are no UTF-8 do not count.
    pub(crate) fn template_token(
        &self,
        pos: usize,
        within: Within,
        at_line_start: bool,
    ) -> (TokenKind, usize) {
        match within {
            Within::Quotes => self.quoted(pos),
            Within::Heredoc { marker } => self.lines(pos, Some(marker), at_line_start),
            Within::Nothing => self.lines(pos, None, at_line_start),
        }
    }

    fn quoted(&self, pos: usize) -> (TokenKind, usize) {
        let end = self.quoted_run(pos);
        if end > pos {
            return (TokenKind::QuotedLiteral, end);
        }
        match self.text.as_bytes()[pos] {
            b'"' => (TokenKind::CloseQuote, pos + 1),
            b'$' | b'%' => self.marker(pos, TokenKind::QuotedLiteral, TokenKind::Invalid),
            b'\r' | b'\n' => {
                let run = newlines(&self.text[pos..]).map_or(1, |(_, run)| run.len());
                (TokenKind::QuotedNewline, pos + run)
            }
            b'\\' => (TokenKind::Invalid, pos + 1),
            _ => (TokenKind::BadUtf8, pos + 1),
        }
    }

    /// In a heredoc, or in a bare template if there is no marker.
    fn lines(&self, pos: usize, marker: Option<Span>, at_line_start: bool) -> (TokenKind, usize) {
        let bytes = self.text.as_bytes();
        // A bare template may end in the middle of anything; what is left is text then.
        let unfinished = if marker.is_some() { TokenKind::Invalid } else { TokenKind::StringLiteral };
        if let Some(marker) = marker
            && at_line_start
            && let Some(end) = self.closing_line(pos, marker)
        {
            return (TokenKind::CloseHeredoc, end);
        }
        let stop = self.line_run(pos);
        match bytes.get(stop..).unwrap_or_default() {
            [b'\n', ..] => (TokenKind::StringLiteral, stop + 1),
            [b'\r', b'\n', ..] => (TokenKind::StringLiteral, stop + 2),
            _ if stop > pos => (TokenKind::StringLiteral, stop),
            [b'$' | b'%', ..] => self.marker(pos, TokenKind::StringLiteral, unfinished),
            // The reference stops scanning at a carriage return that stands alone; so all that follows is one token. Bad
            // bytes in what is text then are complained of all the same.
            [b'\r', ..] if marker.is_none() => (unfinished, self.first_bad_byte(pos)),
            [b'\r', ..] => (unfinished, bytes.len()),
            _ => (TokenKind::BadUtf8, pos + 1),
        }
    }

    /// The first byte from `pos` on that was no UTF-8; the end of the text if there is none.
    fn first_bad_byte(&self, mut pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(at) = self.watch.find(&bytes[pos..], |part| memchr(Source::BAD_BYTE, part)) {
            if self.is_bad_byte(pos + at) || self.watch.count_bytes(at).is_err() {
                return pos + at;
            }
            pos += at + 1;
        }
        bytes.len()
    }

    /// Finds out what the `$` or `%` at `pos` begins: a sequence, text of kind `literal`, or `unfinished` if the text
    /// of the source ends right after it.
    fn marker(&self, pos: usize, literal: TokenKind, unfinished: TokenKind) -> (TokenKind, usize) {
        let text = &self.text.as_bytes()[pos..];
        let sequence =
            if text[0] == b'$' { TokenKind::TemplateInterpolation } else { TokenKind::TemplateControl };
        let (kind, len) = match *text {
            [_, b'{', b'~', ..] => (sequence, 3),
            [_, b'{', ..] => (sequence, 2),
            [first, second, b'{', b'~', ..] if first == second => (literal, 4),
            [first, second, b'{', ..] if first == second => (literal, 3),
            // As the reference has it, one of these and the last character of a line are one token.
            [_, _, b'\n' | b'\r', ..]
                if literal == TokenKind::StringLiteral && !self.is_bad_byte(pos + 1) =>
            {
                (literal, 2)
            }
            [_] => (unfinished, 1),
            _ => (literal, 1),
        };
        (kind, pos + len)
    }

    /// The marker of a heredoc with this opener.
    pub(crate) fn marker_of(&self, opener: Span) -> Span {
        let line = self.text.get(opener.start as usize..opener.end as usize).unwrap_or_default();
        let marker = line.trim_start_matches(['<', '-']);
        let start = opener.end as usize - marker.len();
        span(start, start + marker.trim_end().len())
    }

    /// Where the run of ordinary characters and backslash escapes ends that begins at `pos`.
    pub(crate) fn quoted_run(&self, pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        let end = self.watch.run(bytes, pos, quoted_stop);
        match bytes.get(end) {
            Some(&(b'\\' | Source::BAD_BYTE)) => self.quoted_run_on(pos, end),
            _ => end,
        }
    }

    /// Where the run ends that begins at `start`, and at `end` goes on only if an escape or a character stands there.
    fn quoted_run_on(&self, mut start: usize, mut end: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(end..) {
                Some([b'\\', escaped, ..])
                    if !matches!(escaped, b'\r' | b'\n') && !self.is_bad_byte(end + 1) =>
                {
                    end += 2;
                }
                Some([Source::BAD_BYTE, ..]) if !self.is_bad_byte(end) => end += 1,
                _ => return end,
            }
            // A run that ends soon ends before a look, so it is counted, too.
            if self.watch.count_bytes(end - start).is_err() {
                return bytes.len();
            }
            start = end;
            // Where there are escapes, there are often several in a row.
            if bytes.get(end) != Some(&b'\\') {
                end = self.watch.run(bytes, end, quoted_stop);
            }
        }
    }

    /// Where the run of ordinary characters ends that begins at `pos`.
    fn line_run(&self, mut pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            let start = pos;
            pos = self.watch.run(bytes, pos, line_stop);
            if bytes.get(pos) != Some(&Source::BAD_BYTE) || self.is_bad_byte(pos) {
                return pos;
            }
            pos += 1;
            if self.watch.count_bytes(pos - start).is_err() {
                return bytes.len();
            }
        }
    }

    /// If the line that begins here ends the heredoc of `marker`: where it ends, without its newline. Such a
    /// line holds the marker and blanks, and has a newline.
    fn closing_line(&self, pos: usize, marker: Span) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let marker = self.source.slice(marker);
        // Nearly every line is told apart by its first character.
        let is_ink = |byte: &u8| !matches!(byte, b' ' | b'\t');
        let inked = self.watch.find(&bytes[pos..], |part| part.iter().position(is_ink))?;
        let first = bytes[pos + inked];
        if first.is_ascii_graphic() && !marker.as_bytes().starts_with(&[first]) {
            return None;
        }
        let start = pos + inked;
        let line = &self.text[start..start + self.watch.find(&bytes[start..], |part| memchr(b'\n', part))?];
        let line = line.strip_suffix('\r').unwrap_or(line);
        let is_marker = self.watch.trim_start(self.watch.trim_end(line)) == marker;
        let has_return = is_marker && self.watch.any(line.as_bytes(), |part| part.contains(&b'\r'));
        (is_marker && !has_return).then_some(start + line.len())
    }
}
