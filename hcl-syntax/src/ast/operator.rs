//! Operators, as views of a tree.

/// `-` or `!`
///
/// ```
/// use hcl_syntax::ast::{ExpressionKind, UnaryOperator};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "!var.enabled".parse()?;
/// let ExpressionKind::Unary { operator, operand } = parsed.expression().kind() else { panic!("an operator") };
/// assert_eq!(operator, UnaryOperator::Not);
/// assert_eq!(operand.source_text(), "var.enabled");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// The operators between two operands.
///
/// ```
/// use hcl_syntax::ast::{BinaryOperator, ExpressionKind};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "a || b && c".parse()?;
/// let ExpressionKind::Binary { operator, right, .. } = parsed.expression().kind() else { panic!("an operator") };
/// assert_eq!(operator, BinaryOperator::Or);
/// assert_eq!(right.source_text(), "b && c");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    /// Returns whether the operator calculates a number of two.
    #[must_use]
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Modulo)
    }

    /// Returns whether the operator is `&&` or `||`, whose operands are answers.
    ///
    /// ```
    /// use hcl_syntax::ast::BinaryOperator;
    ///
    /// assert!(BinaryOperator::And.is_logical() && !BinaryOperator::Equal.is_logical());
    /// ```
    #[must_use]
    pub fn is_logical(self) -> bool {
        matches!(self, Self::Or | Self::And)
    }

    pub(super) const ALL: [Self; 13] = [
        Self::Or,
        Self::And,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Modulo,
    ];

    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BinaryOperator;

    #[test]
    fn five_operators_calculate() {
        let arithmetic = BinaryOperator::ALL.into_iter().filter(|operator| operator.is_arithmetic());
        assert_eq!(arithmetic.map(BinaryOperator::symbol).collect::<String>(), "+-*/%");
    }
}
