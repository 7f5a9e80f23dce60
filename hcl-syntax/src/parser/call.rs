//! Function calls.

use super::combinator::name_part;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::{Input, Newlines};
use super::state::Parser;
use crate::ast::{ExprId, NewCall};
use crate::source::Span;
use crate::token::TokenKind;

/// The arguments of a call, as far as they could be read.
struct Arguments {
    /// True if `...` follows the last one.
    expand_final: bool,
    /// The closing parenthesis, or what stands in for it.
    close: Span,
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `call = name, { "::", name }, "(", [ arguments ], ")"`
    ///
    /// The first name has been taken, and `::` or `(` follows.
    pub(super) fn call(&mut self, first: Span) -> ExprId {
        let (last, joined) = match self.input.at(TokenKind::DoubleColon) {
            true => self.rest_of_name(first),
            false => (first, None),
        };
        if self.input.eat(TokenKind::DoubleColon).is_some() {
            return self.unfinished_call(SyntaxErrorKind::FunctionNameMissing, first);
        }
        let Some(open) = self.input.eat(TokenKind::OpenParen) else {
            return self.unfinished_call(SyntaxErrorKind::FunctionParenthesisMissing, first);
        };
        let outer = self.input.set_newlines(Newlines::Ignored);
        let first_argument = self.scratch.expressions.len();
        let Arguments { expand_final, close } = self.arguments(first, open);
        self.input.set_newlines(outer);
        let call = self.tree.call(
            first.to(close),
            &NewCall {
                name: first.to(last),
                name_text: joined.as_deref(),
                open,
                close,
                arguments: &self.scratch.expressions[first_argument..],
                expand_final,
            },
        );
        self.scratch.expressions.truncate(first_argument);
        call
    }

    /// `{ "::", name }`: the last name, and all joined if they are not written so.
    fn rest_of_name(&mut self, first: Span) -> (Span, Option<String>) {
        let (mut last, mut joined) = (first, self.input.text(first).to_owned());
        while let Ok(part) = self.take(name_part) {
            joined.push_str("::");
            joined.push_str(self.input.text(part));
            last = part;
        }
        // Blanks and comments may stand around `::`; the name without them is then kept beside the tree.
        let is_written_so = self.input.text(first.to(last)) == joined;
        (last, (!is_written_so).then_some(joined))
    }

    /// A name with `::` that turns out to be no call. Goes on after the next parentheses.
    fn unfinished_call(&mut self, complaint: SyntaxErrorKind, first: Span) -> ExprId {
        let found = self.input.bump().span;
        self.error(SyntaxError::new(complaint, found).from(first));
        let node = self.unfinished(first.to(found));
        self.recover_past_parentheses();
        node
    }

    /// `arguments = expression, { ",", expression }, [ "," | "..." ]`, then `)`
    fn arguments(&mut self, name: Span, open: Span) -> Arguments {
        loop {
            if let Some(close) = self.input.eat(TokenKind::CloseParen) {
                return Arguments { expand_final: false, close };
            }
            let before = self.now();
            let argument = self.expression();
            self.scratch.expressions.push(argument);
            if self.lost_since(before) {
                let close = self.recover_past(TokenKind::CloseParen).span;
                return Arguments { expand_final: false, close };
            }
            match self.input.kind() {
                TokenKind::Comma => {
                    self.input.take(TokenKind::Comma);
                }
                TokenKind::CloseParen => {}
                TokenKind::Ellipsis => {
                    let close = self.close_after_expansion(name);
                    return Arguments { expand_final: true, close };
                }
                _ => {
                    let close = self.bad_separator(name, open);
                    return Arguments { expand_final: false, close };
                }
            }
        }
    }

    /// Reads the parenthesis behind `...`; nothing else may follow it. Returns its place.
    fn close_after_expansion(&mut self, name: Span) -> Span {
        let ellipsis = self.input.take(TokenKind::Ellipsis);
        if let Some(close) = self.input.eat(TokenKind::CloseParen) {
            return close;
        }
        let kind = SyntaxErrorKind::CallExpansionNotLast;
        self.guarded_error(SyntaxError::new(kind, ellipsis).from(name));
        self.recover_past(TokenKind::CloseParen).span
    }

    /// Complains of what stands where a comma or the end of a call should. Returns the place where the call ends.
    fn bad_separator(&mut self, name: Span, open: Span) -> Span {
        let found = self.input.bump();
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::CallUnterminated, name.to(open)),
            _ => SyntaxError::new(SyntaxErrorKind::ArgumentSeparatorMissing, found.span).from(name),
        };
        self.error(error);
        self.recover_past(TokenKind::CloseParen).span
    }
}
