//! Operators between two operands: how tightly each binds, and the loop that reads a chain of them.

use super::input::Input;
use super::state::Parser;
use crate::ast::{BinaryOperator, ExprId};
use crate::token::TokenKind;

/// How tightly an operator binds; all are left associative.
pub(super) type Power = u8;

/// Looser than every operator.
pub(super) const LOOSEST: Power = 0;

/// The operator that a token is, with its binding power.
pub(super) fn binary_operator(kind: TokenKind) -> Option<(Power, BinaryOperator)> {
    Some(match kind {
        TokenKind::Or => (1, BinaryOperator::Or),
        TokenKind::And => (2, BinaryOperator::And),
        TokenKind::Equal => (3, BinaryOperator::Equal),
        TokenKind::NotEqual => (3, BinaryOperator::NotEqual),
        TokenKind::Less => (4, BinaryOperator::Less),
        TokenKind::LessEqual => (4, BinaryOperator::LessEqual),
        TokenKind::Greater => (4, BinaryOperator::Greater),
        TokenKind::GreaterEqual => (4, BinaryOperator::GreaterEqual),
        TokenKind::Plus => (5, BinaryOperator::Add),
        TokenKind::Minus => (5, BinaryOperator::Subtract),
        TokenKind::Star => (6, BinaryOperator::Multiply),
        TokenKind::Slash => (6, BinaryOperator::Divide),
        TokenKind::Percent => (6, BinaryOperator::Modulo),
        _ => return None,
    })
}

/// True if an operator between operands comes, a conditional's included.
pub(super) fn continues_operation(kind: TokenKind) -> bool {
    kind == TokenKind::Question || binary_operator(kind).is_some()
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `operation = operand, { operator, operand }`
    ///
    /// The next token is of the kind `next`. Operators looser than or as loose as `outer` are left to the caller; so the
    /// recursion is no deeper than there are binding powers. A chain nests to the left. If an operand can't be read, the
    /// result is what stands to the left of its operator.
    ///
    /// The kind of the token behind it is returned, too, so that each level need not find it again; what it is after an
    /// operand that can't be read means nothing.
    pub(super) fn operation(&mut self, next: TokenKind, outer: Power) -> (ExprId, TokenKind) {
        let before = self.now();
        let (left, next) = self.next_operand(next);
        if self.lost_since(before) || binary_operator(next).is_none_or(|(power, _)| power <= outer) {
            return (left, next);
        }
        self.rest_of_operation(left, next, outer)
    }

    /// `{ operator, operand }`, with the token behind it as for [`operation`](Self::operation)
    pub(super) fn rest_of_operation(
        &mut self,
        mut left: ExprId,
        mut next: TokenKind,
        outer: Power,
    ) -> (ExprId, TokenKind) {
        while let Some((power, operator)) = binary_operator(next).filter(|(power, _)| *power > outer) {
            self.input.take(next);
            let before = self.now();
            next = self.input.kind();
            let (right, behind) = self.operation(next, power);
            if self.lost_since(before) {
                self.tree.discard_after(left);
                return (left, next);
            }
            let span = self.tree.span_of(left).to(self.tree.span_of(right));
            left = self.tree.binary(span, operator, left, right);
            next = behind;
        }
        (left, next)
    }
}
