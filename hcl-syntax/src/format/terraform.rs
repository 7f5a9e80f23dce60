//! The changes of `terraform fmt` beyond blanks, as a list of replacements in the text.
//!
//! Labels are written in quotes. The value of an attribute that is nothing but one interpolation loses its
//! quotes, and gets parentheses if it goes on over several lines. In `variable` blocks types are written in
//! today's form. Two things are better here: a label is never lost, and where taking the quotes away would leave
//! a line comment or a newline in the middle of an expression, the result is still the same expression.

use super::FormatError;
use super::lines::{bracket_change, ends_line};
use crate::ast::{Attribute, Block, Body, ExpressionKind};
use crate::escape::write_quoted_on;
use crate::lexer::{Detail, Lexer};
use crate::limits::{Stopped, Watch};
use crate::parser::{ParseLimits, parse_file};
use crate::sorting::sort_by_on;
use crate::source::{Grammar, Source, Span};
use crate::token::{Token, TokenKind as K};

/// How much of an expression's text is as much work as an attribute.
const BYTES_PER_STEP: usize = 16;

/// The text with everything replaced that is not only blanks; none if that is nothing. `text` is what the source was made
/// from.
pub(super) fn rewritten(
    source: &Source,
    text: &[u8],
    limits: &ParseLimits,
    watch: &Watch,
) -> Result<Option<Vec<u8>>, FormatError> {
    let (file, diagnostics) = parse_file(source.clone(), limits);
    watch.look().map_or(Ok(()), Err)?;
    if !diagnostics.is_empty() {
        return Err(FormatError::Invalid(diagnostics));
    }
    let mut rewrite = Rewrite { source, watch, replacements: Vec::new(), scratch: String::new() };
    // A stack instead of recursion: blocks nest as deeply as the parser allows.
    let mut bodies = vec![(file.body(), Within::File)];
    while let Some((body, within)) = bodies.pop() {
        rewrite.body(body, within)?;
        for block in body.blocks() {
            watch.count(1)?;
            bodies.push((block.body(), within.block(block)));
        }
    }
    let mut replacements = rewrite.replacements;
    sort_by_on(&mut replacements, |(a, _), (b, _)| a.start.cmp(&b.start), |n| watch.count(n))?;
    watch.look().map_or(Ok(()), Err)?;
    if replacements.is_empty() {
        return Ok(None);
    }
    let rewritten = apply(text, &replacements, watch);
    watch.stopped().map_or(Ok(Some(rewritten)), |stopped| Err(stopped.into()))
}

/// Makes the replacements, as far as the work goes on.
fn apply(text: &[u8], replacements: &[(Span, String)], watch: &Watch) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut done = 0;
    let append =
        |out: &mut Vec<u8>, bytes| watch.stretches(bytes).for_each(|part| out.extend_from_slice(part));
    for (span, replacement) in replacements {
        append(&mut out, &text[done..span.start as usize]);
        append(&mut out, replacement.as_bytes());
        done = span.end as usize;
        if watch.count_bytes(replacement.len()).is_err() {
            return out;
        }
    }
    append(&mut out, &text[done..]);
    out
}

/// The construct that a body belongs to, as far as it matters.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Within {
    File,
    Variable,
    Other,
}

impl Within {
    /// Returns the construct that the body of a block in such a body belongs to.
    fn block(self, block: Block<'_>) -> Self {
        if self == Self::File && block.block_type() == "variable" { Self::Variable } else { Self::Other }
    }
}

struct Rewrite<'s> {
    source: &'s Source,
    watch: &'s Watch,
    replacements: Vec<(Span, String)>,
    /// The label at hand, in quotes.
    scratch: String,
}

impl Rewrite<'_> {
    fn body(&mut self, body: Body<'_>, within: Within) -> Result<(), Stopped> {
        for attribute in body.attributes() {
            self.watch.count(1 + attribute.expression().span().len() as usize / BYTES_PER_STEP)?;
            if within == Within::Variable && attribute.name() == "type" {
                self.type_of_variable(attribute);
            } else {
                self.value(attribute);
            }
        }
        for block in body.blocks() {
            self.watch.count(1)?;
            self.labels(block);
        }
        Ok(())
    }

    /// Writes all labels in quotes, and drops the comments before and between them.
    fn labels(&mut self, block: Block<'_>) {
        let Some(last) = block.labels().len().checked_sub(1).and_then(|last| block.label(last)) else {
            return;
        };
        if self.has_plain_labels(block) {
            return;
        }
        let mut text = String::new();
        for label in self.watch.each(block.labels(), 1) {
            text.push(' ');
            write_quoted_on(label.text(), self.watch, &mut text);
        }
        self.replacements.push((Span::new(block.type_span().end, last.span().end), text));
    }

    /// Returns whether the labels are written in the final form, but perhaps for blanks.
    fn has_plain_labels(&mut self, block: Block<'_>) -> bool {
        let mut end = block.type_span().end;
        block.labels().all(|label| {
            let (gap, span) = (Span::new(end, label.span().start), label.span());
            end = span.end;
            self.scratch.clear();
            write_quoted_on(label.text(), self.watch, &mut self.scratch);
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            self.watch.count(1).is_ok()
                && self.watch.all(self.source.slice(gap).as_bytes(), is_blank)
                && self.source.slice(span) == self.scratch
        })
    }

    /// Writes a type that is a word, quoted or not, in today's form.
    fn type_of_variable(&mut self, attribute: Attribute<'_>) {
        let expression = attribute.expression();
        let written = self.source.slice(expression.span());
        let today = match (expression.kind(), written) {
            (ExpressionKind::Text(_), "\"string\"") => "string",
            (ExpressionKind::Text(_), "\"list\"") => "list(string)",
            (ExpressionKind::Text(_), "\"map\"") => "map(string)",
            (ExpressionKind::Traversal(_), "list") => "list(any)",
            (ExpressionKind::Traversal(_), "map") => "map(any)",
            (ExpressionKind::Traversal(_), "set") => "set(any)",
            _ => return,
        };
        self.replacements.push((expression.span(), today.to_owned()));
    }

    /// Takes the quotes from a value that is nothing but one interpolation.
    fn value(&mut self, attribute: Attribute<'_>) {
        let expression = attribute.expression();
        let span = expression.span();
        let is_quoted = self.source.text().as_bytes().get(span.start as usize) == Some(&b'"');
        if !is_quoted || !matches!(expression.kind(), ExpressionKind::Interpolation(_)) {
            return;
        }
        let piece = Span::new(span.start, self.source.span().end);
        let mut lexer = Lexer::new(self.source, (piece, Grammar::Config), Detail::Full, self.watch);
        // With the token behind the value.
        let is_part = |token: &Token| token.kind != K::EndOfFile && token.span.end <= span.end;
        lexer.scan_on(span.len() as usize);
        while lexer.tokens.last().is_none_or(is_part) && lexer.scan_on(1) {}
        let len = lexer.tokens.iter().take_while(|token| is_part(token)).count();
        let [quote, _, inner @ .., _, _] = &lexer.tokens[..len] else { return };
        if quote.kind != K::OpenQuote {
            return;
        }
        let is_newline = |token: &Token| token.kind == K::Newline;
        let Some(from) = inner.iter().position(|token| !is_newline(token)) else { return };
        let to = inner.iter().rposition(|token| !is_newline(token)).unwrap_or(from);
        let inner = &inner[from..=to];
        if has_template_heredoc(inner) {
            return;
        }
        let last = inner[inner.len() - 1];
        let mut span = span;
        if last.kind == K::CloseHeredoc {
            // A marker must have its line to itself, with a newline.
            let Some(next) = lexer.tokens.get(len).filter(|next| next.kind == K::Newline) else { return };
            span.end = next.span.start;
        }
        let text = self.source.slice(inner[0].span.to(last.span));
        let replacement = match self.parentheses(inner) {
            Parentheses::None => text.to_owned(),
            Parentheses::Needed => format!("({text})"),
            Parentheses::NoHelp => return,
        };
        self.replacements.push((span, replacement));
    }

    fn parentheses(&self, inner: &[Token]) -> Parentheses {
        let (mut depth, mut bare_newline, mut bare_comment) = (0, false, false);
        for (index, token) in inner.iter().enumerate() {
            depth += bracket_change(token.kind);
            let is_bare = depth == 0 && index + 1 < inner.len();
            bare_newline |= is_bare && token.kind == K::Newline;
            bare_comment |= is_bare && token.kind == K::Comment && ends_line(self.source, *token);
        }
        let several_lines = inner.iter().any(|token| token.kind == K::Newline);
        let last = inner[inner.len() - 1].kind;
        let parenthesized = inner[0].kind == K::OpenParen && last == K::CloseParen;
        let is_needed = several_lines && (!parenthesized || bare_newline);
        // The end marker of a heredoc has its line to itself, and a newline before the parenthesis is not Terraform's form.
        if is_needed && last != K::CloseHeredoc {
            Parentheses::Needed
        } else if is_needed || bare_comment {
            Parentheses::NoHelp
        } else {
            Parentheses::None
        }
    }
}

/// The need of parentheses for an expression that leaves an interpolation.
enum Parentheses {
    None,
    Needed,
    /// A line comment would end the expression, and Terraform does not put parentheses around that; or a heredoc's end
    /// marker would have a parenthesis behind it.
    NoHelp,
}

/// Returns whether a heredoc has template sequences of its own, those in quoted strings aside. Terraform leaves an
/// interpolation with such a heredoc in its quotes.
fn has_template_heredoc(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    tokens.iter().any(|token| {
        match token.kind {
            K::OpenQuote => depth += 1,
            K::CloseQuote => depth = depth.saturating_sub(1),
            K::TemplateInterpolation | K::TemplateControl => return depth == 0,
            _ => {}
        }
        false
    })
}
