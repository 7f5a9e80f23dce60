//! Expressions: conditionals, prefix operators, and what can be an operand.
//!
//! Only what can nest without end calls [`Parser::expression`], which counts the level. Chains of
//! conditionals and of prefix operators are loops.

use super::cursor::Newlines;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::literal;
use super::operator;
use super::state::{Moment, Parser};
use crate::ast::{ExprId, UnaryOperator};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A conditional whose last part is still being read.
pub(super) struct OpenConditional {
    start: Span,
    condition: ExprId,
    when_true: ExprId,
    /// When the last part began.
    before_last: Moment,
}

impl Parser<'_> {
    /// `expression = operation, [ "?", expression, ":", expression ]`
    pub(super) fn expression(&mut self) -> ExprId {
        match self.nested(Self::conditional) {
            Some(expression) => expression,
            None => self.tree.invalid(self.cursor.peek().span),
        }
    }

    /// An expression and nothing else, up to the end of the text.
    pub(super) fn whole_expression(&mut self) -> ExprId {
        let expression = self.expression();
        let next = self.cursor.peek();
        if next.kind != TokenKind::EndOfFile {
            self.report.guarded_error(SyntaxError::new(SyntaxErrorKind::ExpressionTrailing, next.span));
        }
        expression
    }

    /// `conditional = operation, [ "?", expression, ":", conditional ]`
    ///
    /// The right side of `:` may be a conditional again: that is a chain, kept in a list of open ones.
    fn conditional(&mut self) -> ExprId {
        let first = self.scratch.conditionals.len();
        let last = loop {
            let start = self.cursor.peek().span;
            let before = self.report.now();
            let condition = self.operation(operator::LOOSEST);
            if !self.cursor.at(TokenKind::Question) || self.report.lost_since(before) {
                break condition;
            }
            self.cursor.bump();
            if !self.first_result(start, condition) {
                break condition;
            }
        };
        self.close_conditionals(first, last)
    }

    /// `expression, ":"`: whether the conditional goes on after that.
    fn first_result(&mut self, start: Span, condition: ExprId) -> bool {
        let before = self.report.now();
        let when_true = self.expression();
        let found = self.cursor.peek();
        let lost = self.report.lost_since(before);
        if lost || found.kind != TokenKind::Colon {
            if !lost {
                let kind = SyntaxErrorKind::ConditionalColonMissing;
                self.report.error(SyntaxError::new(kind, found.span).from(start));
            }
            self.tree.discard_after(condition);
            return false;
        }
        self.cursor.bump();
        let before_last = self.report.now();
        self.scratch.conditionals.push(OpenConditional { start, condition, when_true, before_last });
        true
    }

    /// Makes the conditionals of a chain, the innermost first. Where the last part can't be read, what is
    /// left is the condition.
    fn close_conditionals(&mut self, first: usize, last: ExprId) -> ExprId {
        let mut result = last;
        while self.scratch.conditionals.len() > first {
            let Some(open) = self.scratch.conditionals.pop() else { break };
            if self.report.lost_since(open.before_last) {
                self.tree.discard_after(open.condition);
                result = open.condition;
            } else {
                let span = open.start.to(self.tree.span_of(result));
                result = self.tree.conditional(span, [open.condition, open.when_true, result]);
            }
        }
        result
    }

    /// `operand = { "-" | "!" }, term, { step }`
    ///
    /// `token` is the next one.
    #[inline]
    pub(super) fn operand(&mut self, token: Token) -> ExprId {
        if !matches!(token.kind, TokenKind::Minus | TokenKind::Bang) {
            return self.term_with_steps(token);
        }
        self.prefixed_operand(token)
    }

    fn prefixed_operand(&mut self, mut next: Token) -> ExprId {
        let first = self.scratch.prefixes.len();
        loop {
            let operator = match next.kind {
                TokenKind::Minus => UnaryOperator::Negate,
                TokenKind::Bang => UnaryOperator::Not,
                _ => break,
            };
            self.cursor.bump();
            self.scratch.prefixes.push((operator, next.span));
            next = self.cursor.peek();
        }
        let mut operand = self.term_with_steps(next);
        while self.scratch.prefixes.len() > first {
            let Some((operator, at)) = self.scratch.prefixes.pop() else { break };
            let span = at.to(self.tree.span_of(operand));
            operand = self.tree.unary(span, operator, operand);
        }
        operand
    }

    /// `term = number | template | heredoc | tuple | object | for | parentheses`
    ///
    /// Names, with calls and literals that look like them, are read by
    /// [`term_with_steps`](Self::term_with_steps), which takes the steps that follow together with them.
    pub(super) fn term(&mut self, token: Token) -> ExprId {
        match token.kind {
            TokenKind::Number => {
                self.cursor.bump();
                self.number(token.span)
            }
            TokenKind::OpenQuote => self.quoted_template(),
            TokenKind::OpenHeredoc => self.heredoc(),
            TokenKind::OpenBracket => self.tuple_or_for(),
            TokenKind::OpenBrace => self.object_or_for(),
            TokenKind::OpenParen => self.parentheses(),
            _ => self.missing_term(token),
        }
    }

    /// A number, checked; the text is kept as written.
    fn number(&mut self, span: Span) -> ExprId {
        if self.check_number(span) { self.tree.number(span) } else { self.tree.invalid(span) }
    }

    /// Whether a number token is a number, reported if not.
    pub(super) fn check_number(&mut self, span: Span) -> bool {
        let is_number = literal::is_number(self.cursor.text(span));
        if !is_number {
            self.report.error(SyntaxError::new(SyntaxErrorKind::NumberInvalid, span));
        }
        is_number
    }

    /// `parentheses = "(", expression, ")"`; newlines within do not count.
    fn parentheses(&mut self) -> ExprId {
        let open = self.cursor.bump();
        let outer = self.cursor.set_newlines(Newlines::Ignored);
        let before = self.report.now();
        let inner = self.expression();
        if self.report.has_errors_since(before) {
            self.recover_past(TokenKind::CloseParen);
            self.cursor.set_newlines(outer);
            return inner;
        }
        let found = self.cursor.bump();
        if found.kind != TokenKind::CloseParen {
            let kind = SyntaxErrorKind::ParenthesesUnbalanced;
            self.report.error(SyntaxError::new(kind, found.span).from(open.span));
            self.report.set_recovering();
        }
        self.cursor.set_newlines(outer);
        self.tree.parentheses(open.span.to(found.span), inner)
    }

    /// Leaves the token where it is: it may mean something to whoever called.
    #[cold]
    fn missing_term(&mut self, found: Token) -> ExprId {
        let kind = match found.kind {
            TokenKind::EndOfFile => SyntaxErrorKind::ExpressionMissing,
            _ => SyntaxErrorKind::ExpressionInvalid,
        };
        self.report.guarded_error(SyntaxError::new(kind, found.span));
        self.report.set_recovering();
        self.tree.invalid(found.span)
    }
}
