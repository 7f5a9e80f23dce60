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

/// Whether no expression goes on with such a token. There are others; they are looked at more closely.
#[inline]
fn ends_expression(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Newline
            | TokenKind::Comma
            | TokenKind::Assign
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::CloseParen
            | TokenKind::TemplateSequenceEnd
            | TokenKind::EndOfFile
    )
}

impl Parser<'_> {
    /// `expression = operation, [ "?", expression, ":", expression ]`
    #[inline]
    pub(super) fn expression(&mut self) -> ExprId {
        match self.lone_term() {
            Some(term) => term,
            None => self.full_expression(),
        }
    }

    /// An expression that is a name or a plain literal and no more, as most are. The token after it tells,
    /// and saves the way down through all that an expression may be.
    #[inline]
    fn lone_term(&mut self) -> Option<ExprId> {
        let mut cursor = self.cursor.ahead();
        let token = cursor.bump();
        let is_term =
            matches!(token.kind, TokenKind::Identifier | TokenKind::Number | TokenKind::PlainQuoted);
        if !is_term || !ends_expression(cursor.kind()) || !self.may_enter() {
            return None;
        }
        self.cursor.advance_to(cursor);
        Some(match token.kind {
            TokenKind::Identifier => self.word(token.span),
            TokenKind::Number => self.number(token.span),
            _ => self.tree.quoted_text(token.span),
        })
    }

    /// `name | "true" | "false" | "null"`, taken already; nothing follows that makes more of it.
    #[inline]
    pub(super) fn word(&mut self, span: Span) -> ExprId {
        match self.cursor.bytes(span) {
            b"true" => self.tree.bool(span, true),
            b"false" => self.tree.bool(span, false),
            b"null" => self.tree.null(span),
            _ => self.tree.name(span),
        }
    }

    fn full_expression(&mut self) -> ExprId {
        match self.nested(Self::nested_expression) {
            Some(expression) => expression,
            None => self.tree.invalid(self.cursor.peek().span),
        }
    }

    /// Most end after one operand.
    fn nested_expression(&mut self) -> ExprId {
        self.refill();
        let token = self.cursor.peek();
        let before = self.report.now();
        let first = self.operand(token);
        if ends_expression(self.cursor.kind()) { first } else { self.conditional(token.span, before, first) }
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
    /// The first operand has been taken, which begins at `start` and is not older than `before`. The right side of `:` may
    /// be a conditional again: that is a chain, kept in a list of open ones.
    #[inline(never)]
    fn conditional(&mut self, mut start: Span, mut before: Moment, mut operand: ExprId) -> ExprId {
        let first = self.scratch.conditionals.len();
        let last = loop {
            let condition = self.operations(before, operand, operator::LOOSEST);
            if !self.cursor.at(TokenKind::Question) || self.report.lost_since(before) {
                break condition;
            }
            self.cursor.bump();
            if !self.first_result(start, condition) {
                break condition;
            }
            let token = self.cursor.peek();
            start = token.span;
            before = self.report.now();
            operand = self.operand(token);
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
            TokenKind::PlainQuoted => {
                self.cursor.bump();
                self.tree.quoted_text(token.span)
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
