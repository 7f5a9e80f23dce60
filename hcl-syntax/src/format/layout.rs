//! Where lines begin and columns stand: how many blanks go before each token.

use std::ops::Range;

use super::lines::{Line, line_at};
use super::spacing::{Neighbours, has_space};
use crate::lexer::Lexer;
use crate::limits::{Stopped, Watch};
use crate::source::{Source, is_wide, n_clusters};
use crate::token::{Token, TokenKind};

/// Blanks for each level of indentation.
const INDENT: usize = 2;

/// Tokens, and how many blanks go before each of them.
pub(super) type Settled<'l> = (&'l [Token], &'l [u32]);

/// How much of a text is scanned at once: its tokens stay in caches until they are written.
const STRETCH: usize = 1 << 16;

/// Works through the lines once; what lines have in common with their neighbours is decided when the last of them
/// is known. No more of the text is held in tokens than it takes to know that.
pub(super) struct Layout<'s> {
    source: &'s Source,
    /// Its tokens are those at hand.
    lexer: Lexer<'s>,
    /// True until the lexer is at its end.
    has_more: bool,
    watch: &'s Watch,
    /// True if tokens may take other than one column a byte.
    has_wide: bool,
    /// How many blanks go before each token at hand; [`u32::MAX`] stands for any number from there on.
    blanks: Vec<u32>,
    /// Where the next line begins.
    next: usize,
    /// Before how many tokens the blanks are known for good.
    n_settled: usize,
    /// For each line above that has brackets still open, how many.
    opened: Vec<isize>,
    /// The assignments of the lines just above: the first token of each, and how wide what stands before it is.
    assignments: Vec<(usize, usize)>,
    /// Comments behind something that are not settled.
    comments: Vec<Comment>,
}

/// A comment behind something.
struct Comment {
    token: usize,
    /// How wide what stands before it is, without the blanks before the assignment.
    width: usize,
    assignment: Option<usize>,
    /// True if the line above has a comment, too.
    is_next: bool,
}

impl<'s> Layout<'s> {
    /// The layout of a source by the tokens of a scanner, which may have scanned all of it or nothing.
    pub(super) fn new(source: &'s Source, lexer: Lexer<'s>, watch: &'s Watch) -> Self {
        Self {
            source,
            has_more: lexer.tokens.is_empty(),
            lexer,
            watch,
            has_wide: watch.any(source.text().as_bytes(), is_wide),
            blanks: Vec::new(),
            next: 0,
            n_settled: 0,
            opened: Vec::new(),
            assignments: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// The next tokens of the text, and how many blanks go before each of them; nothing after the last of them. `end` is
    /// where those before end.
    ///
    /// # Errors
    /// The work is to end.
    pub(super) fn next_settled(&mut self, end: usize) -> Result<Option<Settled<'_>>, Stopped> {
        self.forget_settled();
        while self.n_settled == 0 {
            if self.has_more {
                // Where nothing is settled for long, ever more is scanned before it is looked at again.
                let pending = self.lexer.tokens.last().map_or(0, |last| last.span.end as usize - end);
                self.has_more = self.lexer.scan_on(pending.max(STRETCH));
            } else if self.lexer.tokens.is_empty() {
                return Ok(None);
            }
            // The scanner may have been stopped, and left tokens out.
            self.watch.stopped().map_or(Ok(()), Err)?;
            self.lines(end)?;
        }
        Ok(Some((&self.lexer.tokens[..self.n_settled], &self.blanks[..self.n_settled])))
    }

    /// Gives back what was needed to lay the text out.
    pub(super) fn release(self) {
        self.watch.release(self.lexer.tokens);
        self.watch.release(self.blanks);
    }

    /// Drops the tokens that are settled. What is not comes behind them.
    fn forget_settled(&mut self) {
        let n = std::mem::take(&mut self.n_settled);
        self.lexer.tokens.drain(..n);
        self.blanks.drain(..n);
        self.next -= n;
        for (token, _) in &mut self.assignments {
            *token -= n;
        }
        for comment in &mut self.comments {
            comment.token -= n;
            comment.assignment = comment.assignment.map(|token| token - n);
        }
    }

    /// Goes through the lines at hand.
    fn lines(&mut self, end: usize) -> Result<(), Stopped> {
        let (n_tokens, n_known) = (self.lexer.tokens.len(), self.blanks.len());
        self.watch.make_room(&mut self.blanks, n_tokens - n_known);
        while self.blanks.len() < n_tokens {
            self.blanks.resize(self.watch.next_look(self.blanks.len(), n_tokens, STRETCH), 0);
            self.watch.count(STRETCH / 16)?;
        }
        while let Some((line, next)) = line_at(self.source, &self.lexer.tokens, self.next, self.watch) {
            self.next = next;
            let Some(line) = line else { break };
            self.watch.count(1)?;
            let is_alone = line.assignment.is_empty() && line.comment.is_empty();
            self.line(&line)?;
            if is_alone {
                self.align_comments();
                self.n_settled = next;
            }
        }
        self.watch.stopped().map_or(Ok(()), Err)?;
        if !self.has_more {
            self.align_assignments();
            self.align_comments();
            self.keep_end(end);
            self.n_settled = self.lexer.tokens.len();
        }
        Ok(())
    }

    /// Keeps a last line without newline as it is.
    fn keep_end(&mut self, end: usize) {
        let [before @ .., last] = &*self.lexer.tokens else { return };
        let text = self.source.text();
        let from = before.last().map_or(end, |before| before.span.end as usize);
        let kept = text[from..last.span.start as usize].trim_start_matches('\u{feff}').len();
        self.blanks[before.len()] = saturated(kept);
    }

    fn line(&mut self, line: &Line) -> Result<(), Stopped> {
        self.indent(line);
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
    fn indent(&mut self, line: &Line) {
        if self.lexer.tokens[line.lead.start].kind == TokenKind::Newline {
            return;
        }
        // An assignment closes what it opens.
        close(&mut self.opened, -line.net);
        self.blanks[line.lead.start] = saturated(INDENT * self.opened.len());
        if line.net > 0 {
            self.opened.push(line.net);
        }
    }

    /// Puts one space or none between the tokens of a column.
    fn space(&mut self, column: Range<usize>) -> Result<(), Stopped> {
        let (tokens, blanks) = (&self.lexer.tokens[column.clone()], &mut self.blanks[column]);
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

    /// Aligns the comments of neighbouring lines, once the assignments before them have their places and no other
    /// comment can follow.
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
        self.comments.clear();
    }

    /// How many columns tokens and the blanks before them take.
    fn width(&self, range: Range<usize>) -> Result<usize, Stopped> {
        self.watch.count(range.len())?;
        let (tokens, blanks) = (&self.lexer.tokens[range.clone()], &self.blanks[range]);
        let mut width = 0;
        for (token, &blanks) in tokens.iter().zip(blanks) {
            let len = token.span.len() as usize;
            let columns = if self.has_wide {
                self.watch.count_bytes(len)?;
                n_clusters(self.source.slice(token.span), self.watch)
            } else {
                len
            };
            width += blanks as usize + columns;
        }
        // Some of a text has fewer columns than it.
        self.watch.stopped().map_or(Ok(width), Err)
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
