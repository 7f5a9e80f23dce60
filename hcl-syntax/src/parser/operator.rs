//! Operators between two operands: how tightly each binds, and the loop that reads a chain of them.

use super::state::Parser;
use crate::ast::{BinaryOperator, ExprId};
use crate::token::TokenKind;

/// How tightly an operator binds; all are left associative.
pub(super) type Power = u8;

/// Looser than every operator.
pub(super) const LOOSEST: Power = 0;

/// The operator that a token is, with its binding power.
#[inline]
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

/// Whether an expression goes on after a term that is followed by such a token.
pub(super) fn continues_expression(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Question | TokenKind::Dot | TokenKind::OpenBracket)
        || binary_operator(kind).is_some()
}

impl Parser<'_> {
    /// `operation = operand, { operator, operand }`
    ///
    /// Operators looser than or as loose as `outer` are left to the caller; so the recursion is no deeper
    /// than there are binding powers. A chain nests to the left. If an operand can't be read, the result is
    /// what stands to the left of its operator.
    pub(super) fn operation(&mut self, outer: Power) -> ExprId {
        let before = self.report.now();
        let mut left = self.operand(self.cursor.peek());
        if self.report.lost_since(before) {
            return left;
        }
        while let Some((power, operator)) = binary_operator(self.cursor.kind()) {
            if power <= outer {
                break;
            }
            self.cursor.bump();
            let before = self.report.now();
            let right = self.operation(power);
            if self.report.lost_since(before) {
                self.tree.discard_after(left);
                return left;
            }
            let span = self.tree.span_of(left).to(self.tree.span_of(right));
            left = self.tree.binary(span, operator, left, right);
        }
        left
    }
}
