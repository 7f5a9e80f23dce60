//! Where lines begin and columns stand: how many blanks go before each token.

use std::ops::Range;

use memchr::memchr;
use unicode_segmentation::UnicodeSegmentation;

use super::lines::{Line, lines, net_brackets};
use super::spacing::{Neighbours, has_space};
use crate::limits::{Stopped, Watch};
use crate::source::Source;
use crate::token::{Token, TokenKind};

/// Blanks for each level of indentation.
const INDENT: usize = 2;

/// How much of a token's text is as much work as a token.
const BYTES_PER_STEP: usize = 16;

/// How many blanks go before each token; [`u32::MAX`] stands for any number from there on.
///
/// # Errors
/// The work is to end.
pub(super) fn blanks(source: &Source, tokens: &[Token], watch: &Watch) -> Result<Vec<u32>, Stopped> {
    // The scanner may have been stopped, and left tokens out.
    watch.stopped().map_or(Ok(()), Err)?;
    let text = source.text();
    let mut layout = Layout {
        source,
        tokens,
        watch,
        has_wide: !is_narrow(text),
        blanks: vec![0; tokens.len()],
        opened: Vec::new(),
        assignments: Vec::new(),
        comments: Vec::new(),
    };
    layout.keep_end();
    for line in lines(source, tokens) {
        layout.line(&line)?;
    }
    layout.align_assignments();
    layout.align_comments();
    Ok(layout.blanks)
}

/// Works through the lines once; what lines have in common with their neighbours is decided when the last of them
/// is known.
struct Layout<'s> {
    source: &'s Source,
    tokens: &'s [Token],
    watch: &'s Watch,
    /// Whether tokens may take other than one column a byte.
    has_wide: bool,
    blanks: Vec<u32>,
    /// For each line above that has brackets still open, how many.
    opened: Vec<isize>,
    /// The assignments of the lines just above: the first token of each, and how wide what stands before it is.
    assignments: Vec<(usize, usize)>,
    /// All comments behind something.
    comments: Vec<Comment>,
}

/// A comment behind something.
struct Comment {
    token: usize,
    /// How wide what stands before it is, without the blanks before the assignment.
    width: usize,
    assignment: Option<usize>,
    /// Whether the line above has a comment, too.
    is_next: bool,
}

impl Layout<'_> {
    /// What stands before the end of the file, in a last line without newline, stays.
    fn keep_end(&mut self) {
        let [before @ .., end] = self.tokens else { return };
        let text = self.source.text();
        let from = before.last().map_or(0, |last| last.span.end as usize);
        let kept = text[from..end.span.start as usize].trim_start_matches('\u{feff}').len();
        self.blanks[before.len()] = saturated(kept);
    }

    fn line(&mut self, line: &Line) -> Result<(), Stopped> {
        self.indent(line.lead.clone())?;
        self.space(line.lead.clone())?;
        self.space(line.assignment.clone())?;
        let (has_assignment, has_comment) = (!line.assignment.is_empty(), !line.comment.is_empty());
        let lead = if has_assignment || has_comment { self.width(line.lead.clone())? } else { 0 };
        if has_assignment {
            self.assignments.push((line.assignment.start, lead));
        } else {
            self.align_assignments();
        }
        if has_comment {
            let token = line.comment.start;
            self.comments.push(Comment {
                token,
                width: lead + self.width(line.assignment.clone())?,
                assignment: has_assignment.then_some(line.assignment.start),
                is_next: self.comments.last().is_some_and(|last| last.token + 1 == line.lead.start),
            });
        }
        Ok(())
    }

    /// Indents every line by how many lines above it opened brackets that are still open. A line counts as one
    /// level however many it opened, and is forgotten when all of them are closed.
    fn indent(&mut self, lead: Range<usize>) -> Result<(), Stopped> {
        self.watch.count(lead.len())?;
        let first = lead.start;
        if self.tokens[first].kind == TokenKind::Newline {
            return Ok(());
        }
        // An assignment closes what it opens, and brackets in a heredoc are none.
        let head = self.tokens[lead].iter().take_while(|token| token.kind != TokenKind::OpenHeredoc);
        let net = net_brackets(head.copied());
        close(&mut self.opened, -net);
        self.blanks[first] = saturated(INDENT * self.opened.len());
        if net > 0 {
            self.opened.push(net);
        }
        Ok(())
    }

    /// Puts one space or none between the tokens of a column.
    fn space(&mut self, column: Range<usize>) -> Result<(), Stopped> {
        let (tokens, blanks) = (&self.tokens[column.clone()], &mut self.blanks[column]);
        let mut before = None;
        for (pair, blanks) in tokens.windows(2).zip(blanks.iter_mut().skip(1)) {
            let [left, right] = pair else { continue };
            self.watch.count(1)?;
            let left_is_in = left.kind == TokenKind::Identifier
                && left.span.len() == 2
                && self.source.slice(left.span) == "in";
            let space = has_space(Neighbours { before, left: left.kind, right: right.kind, left_is_in });
            *blanks = u32::from(space);
            before = Some(left.kind);
        }
        Ok(())
    }

    /// Puts the assignments of neighbouring lines one space behind the widest of what stands before them.
    fn align_assignments(&mut self) {
        let widest = self.assignments.iter().map(|&(_, width)| width).max().unwrap_or(0);
        for (token, width) in self.assignments.drain(..) {
            self.blanks[token] = saturated(widest - width + 1);
        }
    }

    /// The same for the comments of neighbouring lines, once the assignments before them have their places.
    fn align_comments(&mut self) {
        for comment in &mut self.comments {
            comment.width += comment.assignment.map_or(0, |token| self.blanks[token] as usize);
        }
        for group in self.comments.chunk_by(|_, next| next.is_next) {
            let widest = group.iter().map(|comment| comment.width).max().unwrap_or(0);
            for comment in group {
                self.blanks[comment.token] = saturated(widest - comment.width + 1);
            }
        }
    }

    /// How many columns tokens and the blanks before them take.
    fn width(&self, range: Range<usize>) -> Result<usize, Stopped> {
        let (tokens, blanks) = (&self.tokens[range.clone()], &self.blanks[range]);
        let mut width = 0;
        for (token, &blanks) in tokens.iter().zip(blanks) {
            let len = token.span.len() as usize;
            let columns = if self.has_wide {
                self.watch.count(1 + len / BYTES_PER_STEP)?;
                clusters(self.source.slice(token.span))
            } else {
                len
            };
            width += blanks as usize + columns;
        }
        Ok(width)
    }
}

fn saturated(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Takes `n` closing brackets from the lines that opened the latest.
fn close(opened: &mut Vec<isize>, mut n: isize) {
    while n > 0
        && let Some(last) = opened.last_mut()
    {
        if *last > n {
            *last -= n;
            return;
        }
        n -= *last;
        opened.pop();
    }
}

/// How many grapheme clusters a text has.
fn clusters(text: &str) -> usize {
    if is_narrow(text) { text.len() } else { text.graphemes(true).count() }
}

/// Whether every byte is a grapheme cluster. In a line break of two bytes it is not.
fn is_narrow(text: &str) -> bool {
    text.is_ascii() && memchr(b'\r', text.as_bytes()).is_none()
}
