//! Function calls.

use nom::multi::fold_many0;

use super::combinator::name_part;
use super::cursor::Newlines;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::state::Parser;
use crate::ast::{ExprId, NewCall};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The arguments of a call, as far as they could be read.
struct Arguments {
    expand_final: bool,
    close: Span,
}

impl Parser<'_> {
    /// `call = name, { "::", name }, "(", [ arguments ], ")"`
    ///
    /// The first name has been taken, and `::` or `(` follows.
    pub(super) fn call(&mut self, first: Span) -> ExprId {
        let (last, joined) = match self.cursor.at(TokenKind::DoubleColon) {
            true => self.rest_of_name(first),
            false => (first, None),
        };
        if self.eat(TokenKind::DoubleColon).is_some() {
            return self.unfinished_call(SyntaxErrorKind::FunctionNameMissing, first);
        }
        if !self.cursor.at(TokenKind::OpenParen) {
            return self.unfinished_call(SyntaxErrorKind::FunctionParenthesisMissing, first);
        }
        let open = self.cursor.bump().span;
        let outer = self.cursor.set_newlines(Newlines::Ignored);
        let first_argument = self.scratch.expressions.len();
        let Arguments { expand_final, close } = self.arguments(first, open);
        self.cursor.set_newlines(outer);
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
        let text = self.cursor;
        let begin = || (first, text.text(first).to_owned());
        let join = |(_, mut joined): (Span, String), part| {
            joined.push_str("::");
            joined.push_str(text.text(part));
            (part, joined)
        };
        match self.take(fold_many0(name_part, begin, join)) {
            Ok((last, joined)) if text.text(first.to(last)) == joined => (last, None),
            Ok((last, joined)) => (last, Some(joined)),
            Err(_) => (first, None),
        }
    }

    /// A name with `::` that turns out to be no call. Goes on after the next parentheses.
    #[cold]
    fn unfinished_call(&mut self, complaint: SyntaxErrorKind, first: Span) -> ExprId {
        let found = self.cursor.bump().span;
        self.report.error(SyntaxError::new(complaint, found).from(first));
        let diagnostic = self.report.last_kept().cloned();
        self.recover_past_parentheses();
        let span = first.to(found);
        match diagnostic {
            Some(diagnostic) => self.tree.unfinished(span, vec![diagnostic]),
            None => self.tree.invalid(span),
        }
    }

    /// `arguments = expression, { ",", expression }, [ "," | "..." ]`, then `)`
    fn arguments(&mut self, name: Span, open: Span) -> Arguments {
        loop {
            if let Some(close) = self.eat(TokenKind::CloseParen) {
                return Arguments { expand_final: false, close: close.span };
            }
            let before = self.report.now();
            let argument = self.expression();
            self.scratch.expressions.push(argument);
            if self.report.lost_since(before) {
                let close = self.recover_past(TokenKind::CloseParen);
                return Arguments { expand_final: false, close: close.span };
            }
            let separator = self.cursor.bump();
            match separator.kind {
                TokenKind::Comma => {}
                TokenKind::CloseParen => {
                    return Arguments { expand_final: false, close: separator.span };
                }
                TokenKind::Ellipsis => {
                    let close = self.close_after_expansion(name, separator);
                    return Arguments { expand_final: true, close };
                }
                _ => {
                    let close = self.bad_separator(name, open, separator);
                    return Arguments { expand_final: false, close };
                }
            }
        }
    }

    /// Nothing but `)` may follow `...`.
    fn close_after_expansion(&mut self, name: Span, ellipsis: Token) -> Span {
        if let Some(close) = self.eat(TokenKind::CloseParen) {
            return close.span;
        }
        let kind = SyntaxErrorKind::CallExpansionNotLast;
        self.report.guarded_error(SyntaxError::new(kind, ellipsis.span).from(name));
        self.recover_past(TokenKind::CloseParen).span
    }

    #[cold]
    fn bad_separator(&mut self, name: Span, open: Span, found: Token) -> Span {
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::CallUnterminated, name.to(open)),
            _ => SyntaxError::new(SyntaxErrorKind::ArgumentSeparatorMissing, found.span).from(name),
        };
        self.report.error(error);
        self.recover_past(TokenKind::CloseParen).span
    }
}
