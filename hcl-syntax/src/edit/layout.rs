//! How a document is laid out: lines, indentation, and which comments belong to what.

use crate::ast::Block;
use crate::config::push_within;
use crate::format::ends_line;
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// A text with its tokens, comments included. Where the watch says that the work is to end, questions that go through tokens
/// are answered by those that have been looked at.
#[derive(Copy, Clone)]
pub(super) struct Layout<'d> {
    pub(super) source: &'d Source,
    pub(super) tokens: &'d [Token],
    /// How lines end.
    pub(super) newline: &'static str,
    pub(super) watch: &'d Watch,
}

impl<'d> Layout<'d> {
    /// The number of the first token that begins at an offset or behind it.
    pub(super) fn token_at(self, offset: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }

    /// The token at a number; behind the last one it is the end of the text.
    pub(super) fn token(self, index: usize) -> Token {
        let end = self.source.span().at_end();
        self.tokens.get(index).copied().unwrap_or(Token { kind: TokenKind::EndOfFile, span: end })
    }

    /// The token before a number.
    pub(super) fn before(self, index: usize) -> Option<Token> {
        self.tokens.get(index.checked_sub(1)?).copied()
    }

    /// The tokens that begin in a range.
    pub(super) fn tokens_in(self, range: Span) -> &'d [Token] {
        &self.tokens[self.token_at(range.start)..self.token_at(range.end)]
    }

    /// Counts one small piece of work; false if the work is to end.
    pub(super) fn goes_on(self) -> bool {
        self.watch.count(1).is_ok()
    }

    /// Returns whether a token is the last of its line.
    pub(super) fn ends_line(self, token: Token) -> bool {
        ends_line(self.source, token)
    }

    /// Returns whether the token with this number is the first of its line.
    pub(super) fn begins_line(self, index: usize) -> bool {
        self.before(index).is_none_or(|before| self.ends_line(before))
    }

    /// Where the line of an offset begins; behind the byte order mark, if it is the first.
    pub(super) fn line_start(self, offset: u32) -> u32 {
        let text = self.source.text();
        let start = text[..offset as usize].rfind('\n').map_or(0, |newline| newline + 1);
        let mark = if text[start..].starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        u32::try_from(start + mark).unwrap_or(offset)
    }

    /// The blanks that the line of an offset begins with.
    pub(super) fn indentation(self, offset: u32) -> &'d str {
        let line = self.source.slice(Span::new(self.line_start(offset), self.source.span().end));
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns whether no line ends between two places.
    pub(super) fn on_one_line(self, from: u32, to: u32) -> bool {
        let tokens = self.token_at(from)..self.token_at(to);
        let mut tokens = tokens.take_while(|_| self.goes_on()).map(|index| self.token(index));
        !tokens.any(|token| self.ends_line(token))
    }

    /// Returns whether a block has the form with at most one attribute and no line of its own for it.
    pub(super) fn is_single_line(self, block: Block<'_>) -> bool {
        !self.ends_line(self.token(self.behind_comments(block.open_span().end)))
    }

    /// The number of the first token at an offset or behind it that is no comment within its line.
    fn behind_comments(self, offset: u32) -> usize {
        let mut index = self.token_at(offset);
        while self.is_comment_within_line(index) && self.goes_on() {
            index += 1;
        }
        index
    }

    /// The number of the first token of what belongs to the one with this number: comments before it in its
    /// line, and those that stand alone in the lines directly above.
    fn lead(self, mut index: usize) -> usize {
        loop {
            let Some(before) = self.before(index).filter(|_| self.goes_on()) else { return index };
            match before.kind {
                TokenKind::Comment if !self.ends_line(before) => index -= 1,
                TokenKind::Comment if self.begins_line(index - 1) => index -= 1,
                // A block comment with a newline behind it is two tokens.
                TokenKind::Newline => match self.before(index - 1) {
                    Some(above) if above.kind == TokenKind::Comment && !self.ends_line(above) => {
                        let first = self.first_of_comments(index - 2);
                        if !self.begins_line(first) {
                            return index;
                        }
                        index = first;
                    }
                    _ => return index,
                },
                _ => return index,
            }
        }
    }

    /// Where an item begins with the comments that belong to it above it and before it in its line.
    pub(super) fn lead_start(self, item: Span) -> u32 {
        self.token(self.lead(self.token_at(item.start))).span.start
    }

    /// The comments behind an item in its line.
    pub(super) fn line_comments(self, item_end: u32) -> Vec<Token> {
        let mut comments = Vec::new();
        for token in &self.tokens[self.token_at(item_end)..] {
            if !self.goes_on() {
                break;
            }
            match token.kind {
                TokenKind::Comment => {
                    push_within(&mut comments, *token, &mut { self.watch });
                }
                TokenKind::Comma => {}
                _ => break,
            }
            if self.ends_line(*token) {
                break;
            }
        }
        comments
    }

    /// True if there is an empty line directly above the token with this number.
    pub(super) fn is_empty_above(self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|above| self.is_empty_line(above))
    }

    /// True if the token with this number is all there is in its line: its end.
    pub(super) fn is_empty_line(self, index: usize) -> bool {
        self.token(index).kind == TokenKind::Newline && self.begins_line(index)
    }

    /// The number of the first of several block comments in a line, of which one has this number.
    fn first_of_comments(self, mut index: usize) -> usize {
        while index > 0 && self.is_comment_within_line(index - 1) && self.goes_on() {
            index -= 1;
        }
        index
    }

    /// Returns whether the token with this number is a comment that does not end its line.
    fn is_comment_within_line(self, index: usize) -> bool {
        let token = self.token(index);
        token.kind == TokenKind::Comment && !self.ends_line(token)
    }

    /// The lines of an item with the comments that belong to it, its newline included, if it has its lines
    /// alone.
    pub(super) fn lines_of(self, item: Span) -> Option<Span> {
        let first = self.lead(self.token_at(item.start));
        if !self.begins_line(first) {
            return None;
        }
        let end = self.end_of_line(item.end)?;
        Some(Span::new(self.line_start(self.token(first).span.start), end))
    }

    /// Where the line of an item's end ends, behind its newline, if nothing but a comma and comments follow.
    pub(super) fn end_of_line(self, item_end: u32) -> Option<u32> {
        let mut index = self.token_at(item_end);
        loop {
            let token = self.token(index);
            match token.kind {
                TokenKind::EndOfFile => return Some(token.span.end),
                _ if self.ends_line(token) => return Some(token.span.end),
                _ if !self.goes_on() => return None,
                TokenKind::Comment | TokenKind::Comma => index += 1,
                _ => return None,
            }
        }
    }

    /// The end of an item with the comments behind it in its line, and the comma behind these, if there is one.
    pub(super) fn behind_in_line(self, item_end: u32) -> (u32, Option<Token>) {
        let index = self.behind_comments(item_end);
        let comments = &self.tokens[self.token_at(item_end)..index];
        let end = comments.last().map_or(item_end, |last| last.span.end);
        (end, Some(self.token(index)).filter(|token| token.kind == TokenKind::Comma))
    }

    /// The number of the comma behind an element, which may stand in a later line.
    pub(super) fn comma_behind(self, element_end: u32) -> Option<usize> {
        let mut index = self.token_at(element_end);
        while matches!(self.token(index).kind, TokenKind::Comment | TokenKind::Newline) && self.goes_on() {
            index += 1;
        }
        (self.token(index).kind == TokenKind::Comma).then_some(index)
    }

    /// True if nothing but line ends and comments stands between an offset and a closing bracket.
    pub(super) fn closes_behind(self, offset: u32) -> bool {
        let behind = self.tokens[self.token_at(offset)..].iter().take_while(|_| self.goes_on());
        let mut behind = behind.map(|token| token.kind);
        behind.find(|kind| !matches!(kind, TokenKind::Newline | TokenKind::Comment)).is_some_and(is_closing)
    }

    /// Where the line of the marker ends, if an item ends with a heredoc.
    pub(super) fn end_of_heredoc(self, item_end: u32) -> Option<u32> {
        let next = self.token_at(item_end);
        let is_heredoc = self.before(next).is_some_and(|marker| marker.kind == TokenKind::CloseHeredoc);
        let newline = self.token(next);
        (is_heredoc && newline.kind == TokenKind::Newline).then_some(newline.span.end)
    }

    /// The bracket that ends the line above the token with this number, comments behind it aside.
    pub(super) fn opening_above(self, index: usize) -> Option<Token> {
        let first = self.first_of_comments(index.checked_sub(1)?);
        self.before(first).filter(|before| is_opening(before.kind))
    }

    /// Lines to take out, with an empty line too if two would meet or one would stand at an edge.
    pub(super) fn without_gap(self, lines: Span) -> Span {
        let first = self.token_at(lines.start);
        let next = self.token(self.token_at(lines.end));
        let above = self.before(first);
        let empty_above = self.is_empty_above(first);
        let opens = above.is_none() || self.opening_above(first).is_some();
        // Empty lines that alone are left between braces stood there before.
        let is_last = opens && {
            let rest = &self.tokens[self.token_at(lines.end)..];
            let mut rest = rest.iter().take_while(|_| self.goes_on());
            let behind = rest.find(|token| token.kind != TokenKind::Newline);
            behind.is_none_or(|token| is_closing(token.kind) || token.kind == TokenKind::EndOfFile)
        };
        let mut span = lines;
        if next.kind == TokenKind::Newline && (empty_above || opens) && !is_last {
            span.end = next.span.end;
        } else if empty_above && (is_closing(next.kind) || next.kind == TokenKind::EndOfFile) {
            span.start = self.line_start(self.token(first - 1).span.start);
        }
        // A heredoc has its newline even where the text ends without one, and then a last line of blanks.
        let ending = Span::new(span.end, self.source.span().end);
        let is_heredoc = self
            .end_of_heredoc(self.before(self.token_at(lines.end)).map_or(0, |newline| newline.span.start))
            == Some(lines.end);
        let is_blank = !ending.is_empty() && self.source.slice(ending).trim_matches([' ', '\t']).is_empty();
        if is_heredoc && is_blank {
            span.end = ending.end;
        }
        // Where the last line has no newline the one that becomes the last has none.
        let cut = self.source.slice(span);
        if span.end == self.source.span().end && !cut.is_empty() && !cut.ends_with('\n') {
            let kept = self.source.slice(Span::new(0, span.start));
            let newline = if kept.ends_with("\r\n") { 2 } else { u32::from(kept.ends_with('\n')) };
            span.start -= newline;
        }
        span
    }

    /// Returns whether nothing but a line's end may follow the text.
    pub(super) fn ends_with_heredoc(self) -> bool {
        let tokens = self.tokens.iter().rev().take_while(|_| self.goes_on());
        let mut tokens = tokens.map(|token| token.kind);
        tokens.find(|kind| !matches!(kind, TokenKind::EndOfFile | TokenKind::Newline))
            == Some(TokenKind::CloseHeredoc)
    }

    /// Returns whether the text ends with a comment that takes the rest of its line.
    pub(super) fn ends_with_line_comment(self) -> bool {
        let mut tokens = self.tokens.iter().rev().take_while(|_| self.goes_on());
        let last = tokens.find(|token| !matches!(token.kind, TokenKind::EndOfFile | TokenKind::Newline));
        last.is_some_and(|last| {
            last.kind == TokenKind::Comment && !self.source.slice(last.span).starts_with("/*")
        })
    }

    /// The end of the last line that is not empty before a closing brace or the end of the text.
    pub(super) fn end_of_content(self, close: u32) -> u32 {
        let mut index = self.token_at(close);
        while index > 0 && self.is_empty_line(index - 1) && self.goes_on() {
            index -= 1;
        }
        match self.before(index) {
            Some(before) if self.ends_line(before) => before.span.end,
            Some(_) => close,
            None => self.line_start(0),
        }
    }
}

/// How a block that was opened, because a block in one line takes one attribute, says what it was: by the blanks behind
/// its opening brace.
///
/// A lone blank stands for the form `{ a = 1 }`. Any other form keeps what stood beside the attribute where it stood,
/// with a tab behind what is left in the line of the brace.
#[derive(Copy, Clone, Debug)]
pub(super) struct OneLine {
    /// The text that belongs behind the opening brace.
    pub(super) kept: Span,
    /// True if blanks around the attribute are the usual ones.
    pub(super) is_usual: bool,
}

impl OneLine {
    pub(super) const MARK: &'static str = "\t";
    pub(super) const USUAL_GAP: &'static str = " ";

    /// The form that a block had, if it says so.
    pub(super) fn of(layout: Layout<'_>, block: Block<'_>) -> Option<Self> {
        let open = block.open_span().end;
        let newline = layout.token(layout.behind_comments(open));
        if newline.kind != TokenKind::Newline {
            return None;
        }
        let line = layout.source.slice(Span::new(open, newline.span.start));
        let is_usual = line == Self::USUAL_GAP;
        let kept = if is_usual { line } else { line.strip_suffix(Self::MARK)? };
        let end = open + u32::try_from(kept.len()).ok()?;
        Some(Self { kept: Span::new(open, end), is_usual })
    }
}

fn is_opening(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::OpenBrace | TokenKind::OpenBracket)
}

pub(super) fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::CloseBrace | TokenKind::CloseBracket)
}

/// How the lines of a text end.
pub(super) fn newline_of(text: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', text) {
        Some(end) if text[..end].ends_with(b"\r") => "\r\n",
        _ => "\n",
    }
}

/// A text of several lines as it stands at a place with this indentation: every line but the first gets it,
/// except empty ones and those inside strings, heredocs and comments. Some of it if the work is to end.
pub(super) fn indented(text: Layout<'_>, indentation: &str, newline: &str) -> String {
    let mut out = String::new();
    let whole = text.source.text();
    let mut copied = 0;
    let tokens = text.tokens.iter().take_while(|_| text.goes_on());
    for token in tokens.filter(|token| text.ends_line(**token)) {
        let line = &whole[copied..token.span.end as usize];
        out.push_str(line.trim_end_matches(['\r', '\n']));
        out.push_str(newline);
        copied = token.span.end as usize;
        let next = whole[copied..].trim_start_matches([' ', '\t']);
        if !next.is_empty() && !next.starts_with(['\r', '\n']) {
            out.push_str(indentation);
        }
    }
    text.watch.append(&whole[copied..], &mut out);
    out
}

/// The reverse: a piece of a document as it would stand at the left edge, lines ending with `\n`. Bytes that
/// are no UTF-8 are kept. Some of it if the work is to end.
pub(super) fn at_left_edge(document: Layout<'_>, bytes: &[u8], span: Span) -> Vec<u8> {
    let indentation = document.indentation(span.start).as_bytes();
    let mut out = Vec::new();
    let mut copied = span.start as usize;
    let tokens = &document.tokens[document.token_at(span.start)..document.token_at(span.end)];
    let tokens = tokens.iter().take_while(|_| document.goes_on());
    for token in tokens.filter(|token| document.ends_line(**token)) {
        let mut line = &bytes[copied..token.span.end as usize];
        while let [kept @ .., b'\r' | b'\n'] = line {
            line = kept;
        }
        out.extend_from_slice(line);
        out.push(b'\n');
        copied = token.span.end as usize;
        let blanks = bytes[copied..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = &bytes[copied + blanks..];
        if !matches!(rest, [] | [b'\r' | b'\n', ..]) {
            let shared = bytes[copied..].iter().zip(indentation).take_while(|(a, b)| a == b).count();
            copied += shared;
        }
    }
    out.extend_from_slice(bytes.get(copied..span.end as usize).unwrap_or_default());
    out
}
