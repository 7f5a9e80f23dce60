//! Where lines begin and columns stand: how many blanks go before each token.

use std::ops::Range;

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

/// How many blanks go before each token.
///
/// # Errors
/// The work is to end.
pub(super) fn blanks(source: &Source, tokens: &[Token], watch: &Watch) -> Result<Vec<usize>, Stopped> {
    // The scanner may have been stopped, and left tokens out.
    watch.stopped().map_or(Ok(()), Err)?;
    let lines = lines(source, tokens);
    let mut layout = Layout { source, tokens, watch, blanks: vec![0; tokens.len()] };
    layout.keep_end();
    layout.indent(&lines)?;
    for line in &lines {
        layout.space(line.lead.clone())?;
        layout.space(line.assignment.clone())?;
    }
    layout.align(&lines, |line| line.assignment.clone())?;
    layout.align(&lines, |line| line.comment.clone())?;
    Ok(layout.blanks)
}

struct Layout<'s> {
    source: &'s Source,
    tokens: &'s [Token],
    watch: &'s Watch,
    blanks: Vec<usize>,
}

impl Layout<'_> {
    /// What stands before the end of the file, in a last line without newline, stays.
    fn keep_end(&mut self) {
        let [before @ .., end] = self.tokens else { return };
        let text = self.source.text();
        let from = before.last().map_or(0, |last| last.span.end as usize);
        self.blanks[before.len()] = text[from..end.span.start as usize].trim_start_matches('\u{feff}').len();
    }

    /// Indents every line by how many lines above it opened brackets that are still open. A line counts as one
    /// level however many it opened, and is forgotten when all of them are closed.
    fn indent(&mut self, lines: &[Line]) -> Result<(), Stopped> {
        let mut opened: Vec<isize> = Vec::new();
        for line in lines {
            self.watch.count(line.lead.len())?;
            let first = line.lead.start;
            if self.tokens[first].kind == TokenKind::Newline {
                continue;
            }
            // An assignment closes what it opens.
            let net = self.brackets_of_lead(line.lead.clone());
            close(&mut opened, -net);
            self.blanks[first] = INDENT * opened.len();
            if net > 0 {
                opened.push(net);
            }
        }
        Ok(())
    }

    /// The brackets of a lead, without those in a heredoc.
    fn brackets_of_lead(&self, lead: Range<usize>) -> isize {
        net_brackets(
            self.tokens[lead].iter().copied().take_while(|token| token.kind != TokenKind::OpenHeredoc),
        )
    }

    /// Puts one space or none between the tokens of a column.
    fn space(&mut self, column: Range<usize>) -> Result<(), Stopped> {
        for left in column.start..column.end.saturating_sub(1) {
            self.watch.count(1)?;
            let kind = self.tokens[left].kind;
            let pair = Neighbours {
                before: (left > column.start).then(|| self.tokens[left - 1].kind),
                left: kind,
                right: self.tokens[left + 1].kind,
                left_is_in: kind == TokenKind::Identifier
                    && self.tokens[left].span.len() == 2
                    && self.source.slice(self.tokens[left].span) == "in",
            };
            self.blanks[left + 1] = usize::from(has_space(pair));
        }
        Ok(())
    }

    /// Puts a column of neighbouring lines one space behind the widest of what stands before it.
    fn align(&mut self, lines: &[Line], column: impl Fn(&Line) -> Range<usize>) -> Result<(), Stopped> {
        for group in lines.chunk_by(|a, b| column(a).is_empty() == column(b).is_empty()) {
            if column(&group[0]).is_empty() {
                continue;
            }
            let widths: Vec<usize> = group
                .iter()
                .map(|line| self.width(line.lead.start..column(line).start))
                .collect::<Result<_, _>>()?;
            let widest = widths.iter().copied().max().unwrap_or(0);
            for (line, width) in group.iter().zip(widths) {
                self.blanks[column(line).start] = widest - width + 1;
            }
        }
        Ok(())
    }

    /// How many columns tokens and the blanks before them take.
    fn width(&self, range: Range<usize>) -> Result<usize, Stopped> {
        let mut width = 0;
        for index in range {
            let text = self.source.slice(self.tokens[index].span);
            self.watch.count(1 + text.len() / BYTES_PER_STEP)?;
            width += self.blanks[index] + clusters(text);
        }
        Ok(width)
    }
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
    let is_plain = text.bytes().all(|byte| byte.is_ascii() && byte != b'\r');
    if is_plain { text.len() } else { text.graphemes(true).count() }
}
