//! Expressions: conditionals, prefix operators, and what can be an operand.
//!
//! Only what can nest without end calls [`Parser::expression`], which counts the level. Chains of
//! conditionals and of prefix operators are loops.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::{Input, Newlines};
use super::literal;
use super::operator::{self, continues_operation};
use super::state::{Moment, Parser};
use crate::ast::{ExprId, UnaryOperator};
use crate::source::Span;
use crate::token::TokenKind;

/// A conditional whose last part is still being read.
pub(super) struct OpenConditional {
    start: u32,
    condition: ExprId,
    when_true: ExprId,
    /// When the last part began.
    before_last: Moment,
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `expression = operation, [ "?", expression, ":", expression ]`
    pub(super) fn expression(&mut self) -> ExprId {
        if !self.begin_level() {
            return self.look(Self::expression).unwrap_or_else(|| {
                let at = self.input.peek().span;
                self.tree.invalid(at)
            });
        }
        let before = self.now();
        let next = self.input.kind();
        let start = self.input.start();
        let (mut expression, next) = self.operand(next);
        if !self.lost_since(before) && continues_operation(next) {
            expression = self.rest_of_conditional(start, before, expression, next);
        }
        self.end_level();
        expression
    }

    /// An expression and nothing else, up to the end of the text.
    pub(super) fn whole_expression(&mut self) -> ExprId {
        let expression = self.expression();
        if !self.input.at(TokenKind::EndOfFile) {
            let found = self.input.peek().span;
            self.guarded_error(SyntaxError::new(SyntaxErrorKind::ExpressionTrailing, found));
        }
        expression
    }

    /// `{ operator, operand }, [ "?", expression, ":", conditional ]`
    ///
    /// The right side of `:` may be a conditional again: that is a chain, kept in a list of open ones.
    fn rest_of_conditional(
        &mut self,
        mut start: u32,
        mut before: Moment,
        first: ExprId,
        next: TokenKind,
    ) -> ExprId {
        let first_open = self.scratch.conditionals.len();
        let (mut condition, mut next) = self.rest_of_operation(first, next, operator::LOOSEST);
        while next == TokenKind::Question && !self.lost_since(before) {
            self.input.take(TokenKind::Question);
            if !self.first_result(start, condition) {
                break;
            }
            before = self.now();
            let first = self.input.kind();
            start = self.input.start();
            (condition, next) = self.operation(first, operator::LOOSEST);
        }
        self.close_conditionals(first_open, condition)
    }

    /// `expression, ":"`; false if the conditional can't go on after that, so that its condition stands for it.
    fn first_result(&mut self, start: u32, condition: ExprId) -> bool {
        let before = self.now();
        let when_true = self.expression();
        let lost = self.lost_since(before);
        if lost || !self.input.at(TokenKind::Colon) {
            if !lost {
                let found = self.input.peek().span;
                let kind = SyntaxErrorKind::ConditionalColonMissing;
                self.error(SyntaxError::new(kind, found).from(Span::empty_at(start)));
            }
            self.tree.discard_after(condition);
            return false;
        }
        self.input.take(TokenKind::Colon);
        let before_last = self.now();
        self.scratch.conditionals.push(OpenConditional { start, condition, when_true, before_last });
        true
    }

    /// Makes the conditionals of a chain, the innermost first. Where the last part can't be read, what is
    /// left is the condition.
    fn close_conditionals(&mut self, first: usize, last: ExprId) -> ExprId {
        let mut result = last;
        while self.scratch.conditionals.len() > first {
            if self.report.watch().count(1).is_err() {
                self.scratch.conditionals.truncate(first);
                break;
            }
            let Some(open) = self.scratch.conditionals.pop() else { break };
            if self.lost_since(open.before_last) {
                self.tree.discard_after(open.condition);
                result = open.condition;
            } else {
                let span = Span::new(open.start, self.tree.span_of(result).end);
                result = self.tree.conditional(span, [open.condition, open.when_true, result]);
            }
        }
        result
    }

    /// `operand = { "-" | "!" }, term, { step }`, where
    /// `term = number | template | heredoc | tuple | object | for | parentheses | name | literal | call`
    ///
    /// The next token is of the kind `next`. The kind of the token behind it is returned, too, which has been found to tell that
    /// no step follows.
    #[inline(always)] // By a call `parse_data` takes 4 % more instructions.
    fn operand(&mut self, next: TokenKind) -> (ExprId, TokenKind) {
        let term = match next {
            TokenKind::Identifier => return self.name_with_steps(),
            TokenKind::OpenQuote => self.quoted_template(),
            TokenKind::Number => self.number(),
            TokenKind::OpenBracket => self.tuple_or_for(),
            TokenKind::OpenBrace => self.object_or_for(),
            TokenKind::OpenParen => self.parentheses(),
            TokenKind::OpenHeredoc => self.heredoc(),
            TokenKind::Minus | TokenKind::Bang => return self.prefixed_operand(next),
            _ => self.missing_term(),
        };
        self.steps_after(term)
    }

    /// Reads an operand behind an operator.
    pub(super) fn next_operand(&mut self, next: TokenKind) -> (ExprId, TokenKind) {
        self.operand(next)
    }

    /// `{ "-" | "!" }, operand`, with the operators in a list, so that their number is not bounded by the stack.
    fn prefixed_operand(&mut self, mut next: TokenKind) -> (ExprId, TokenKind) {
        let first = self.scratch.prefixes.len();
        loop {
            let operator = match next {
                TokenKind::Minus => UnaryOperator::Negate,
                TokenKind::Bang => UnaryOperator::Not,
                _ => break,
            };
            let at = self.input.take(next);
            self.scratch.prefixes.push((operator, at));
            next = self.input.kind();
        }
        let (mut operand, behind) = self.next_operand(next);
        while self.scratch.prefixes.len() > first {
            if self.report.watch().count(1).is_err() {
                self.scratch.prefixes.truncate(first);
                break;
            }
            let Some((operator, at)) = self.scratch.prefixes.pop() else { break };
            let span = at.to(self.tree.span_of(operand));
            operand = self.tree.unary(span, operator, operand);
        }
        (operand, behind)
    }

    /// A number, checked; the text is kept as written.
    fn number(&mut self) -> ExprId {
        let (span, is_number) = self.input.take_number();
        if is_number || self.check_number(span) { self.tree.number(span) } else { self.tree.invalid(span) }
    }

    /// Returns whether a number token is a number, and reports it if not.
    pub(super) fn check_number(&mut self, span: Span) -> bool {
        let is_number =
            self.report.is_stopped() || literal::is_number(self.input.text(span), self.report.watch());
        if !is_number {
            self.error(SyntaxError::new(SyntaxErrorKind::NumberInvalid, span));
        }
        is_number
    }

    /// `parentheses = "(", expression, ")"`; newlines within do not count.
    fn parentheses(&mut self) -> ExprId {
        let open = self.input.take(TokenKind::OpenParen);
        let outer = self.input.set_newlines(Newlines::Ignored);
        let before = self.now();
        let inner = self.expression();
        if self.has_errors_since(before) {
            self.recover_past(TokenKind::CloseParen);
            self.input.set_newlines(outer);
            return inner;
        }
        let close = self.input.eat(TokenKind::CloseParen).unwrap_or_else(|| {
            let found = self.input.bump().span;
            let kind = SyntaxErrorKind::ParenthesesUnbalanced;
            self.error(SyntaxError::new(kind, found).from(open));
            self.report.set_recovering();
            found
        });
        self.input.set_newlines(outer);
        self.tree.parentheses(open.to(close), inner)
    }

    /// Complains of a token that begins no term, and leaves it where it is: it may mean something to the caller.
    fn missing_term(&mut self) -> ExprId {
        let found = self.input.peek();
        let kind = match found.kind {
            TokenKind::EndOfFile => SyntaxErrorKind::ExpressionMissing,
            _ => SyntaxErrorKind::ExpressionInvalid,
        };
        self.guarded_error(SyntaxError::new(kind, found.span));
        self.report.set_recovering();
        self.tree.invalid(found.span)
    }
}
