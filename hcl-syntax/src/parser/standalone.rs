//! References that stand alone: a variable and steps that can be read without evaluating anything.

use nom::Parser as _;
use nom::sequence::preceded;

use super::combinator::{Mismatch, Parsed, any, name, token};
use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::state::Parser;
use crate::ast::NewStep;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The treatment of `[*]` in a reference that stands alone.
///
/// ```
/// use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
/// use hcl_syntax::source::Source;
///
/// for (splats, n_problems) in [(Splats::Refused, 1), (Splats::Allowed, 0)] {
///     let (_, problems) = parse_traversal(Source::new("input", "a[*].b")?, splats, &ParseLimits::default());
///     assert_eq!(problems.len(), n_problems);
/// }
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Splats {
    /// `[*]` is an error.
    Refused,
    /// `[*]` is a step.
    Allowed,
}

/// A step of a reference that stands alone.
#[derive(Copy, Clone, Debug)]
pub(super) enum ReferenceStep {
    /// An attribute or an index.
    Step(NewStep),
    /// `[*]`
    Splat(Span),
}

/// `"["`, and the token after it, which decides and is not taken.
fn index_start<'s, I: Input<'s>>(i: I) -> Parsed<I, (Span, Token)> {
    let (mut rest, open) = token(TokenKind::OpenBracket).parse_complete(i)?;
    let next = rest.peek();
    Ok((rest, (open, next)))
}

/// `".", any`: what stands where a name should.
fn after_dot<'s, I: Input<'s>>(i: I) -> Parsed<I, Token> {
    preceded(token(TokenKind::Dot), any).parse_complete(i)
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `reference = name, { ".", name | "[", ( number | string | "*" ), "]" }`, up to the end of the text
    ///
    /// Stops at the first error; what has been read by then is in `steps`. Returns the variable.
    pub(super) fn reference(&mut self, splats: Splats, steps: &mut Vec<ReferenceStep>) -> Option<Span> {
        let root = match self.take(name) {
            Ok(root) => root,
            Err(Mismatch { found }) => {
                self.error(SyntaxError::new(SyntaxErrorKind::VariableRequired, found.span));
                return None;
            }
        };
        let before = self.now();
        while !self.input.at(TokenKind::EndOfFile) && !self.has_errors_since(before) {
            match self.reference_step(root, splats) {
                Ok(step) => steps.push(step),
                Err(error) => self.error(error),
            }
        }
        Some(root)
    }

    /// `".", name | "[" …`
    fn reference_step(&mut self, root: Span, splats: Splats) -> Result<ReferenceStep, SyntaxError> {
        if let Some((span, name)) = self.input.take_attribute() {
            return Ok(ReferenceStep::Step(NewStep::Attribute { span, name }));
        }
        if let Ok(found) = self.take(after_dot) {
            let kind = match found.kind {
                TokenKind::Star => SyntaxErrorKind::TraversalSplat,
                _ => SyntaxErrorKind::TraversalNameRequired,
            };
            return Err(SyntaxError::new(kind, found.span).from(root));
        }
        match self.take(index_start) {
            Ok((open, key)) => self.reference_index(root, open, key, splats),
            Err(Mismatch { found }) => {
                Err(SyntaxError::new(SyntaxErrorKind::TraversalTrailing, found.span).from(root))
            }
        }
    }

    /// `( number | string | "*" ), "]"`, from behind the opening bracket. The token `key` comes next.
    fn reference_index(
        &mut self,
        root: Span,
        open: Span,
        key: Token,
        splats: Splats,
    ) -> Result<ReferenceStep, SyntaxError> {
        match key.kind {
            TokenKind::Number => {
                let digits = self.input.bump().span;
                let is_number = self.check_number(digits);
                let key = if is_number { self.tree.number(digits) } else { self.tree.invalid(digits) };
                let span = self.end_reference_index(open);
                Ok(ReferenceStep::Step(NewStep::Index { span, key }))
            }
            TokenKind::OpenQuote => {
                let text = self.tree.next_text();
                let at = self.string_literal();
                let part = Span::new((at.start + 1).min(at.end), at.end);
                let key = self.tree.template_text(at, part, text);
                let span = self.end_reference_index(open);
                Ok(ReferenceStep::Step(NewStep::Index { span, key }))
            }
            TokenKind::Star if splats == Splats::Allowed => {
                self.input.bump();
                Ok(ReferenceStep::Splat(self.end_reference_index(open)))
            }
            TokenKind::Star => Err(SyntaxError::new(SyntaxErrorKind::TraversalSplat, key.span).from(root)),
            _ => Err(SyntaxError::new(SyntaxErrorKind::TraversalKeyRequired, key.span).from(root)),
        }
    }

    /// `"]"`: from bracket to bracket. A step without it is reported and kept.
    fn end_reference_index(&mut self, open: Span) -> Span {
        let close = self.input.bump();
        if close.kind != TokenKind::CloseBracket {
            let kind = SyntaxErrorKind::TraversalBracketMissing;
            self.error(SyntaxError::new(kind, close.span).from(open));
        }
        open.to(close.span)
    }
}
