//! The rules for a space between two neighbours in a line.

use super::lines::bracket_change;
use crate::token::TokenKind as K;

/// The input of the rules: a token, those around it in its column, and whether the token is the word `in`.
#[derive(Copy, Clone)]
pub(super) struct Neighbours {
    /// The token before `left`.
    pub(super) before: Option<K>,
    pub(super) left: K,
    pub(super) right: K,
    /// True if `left` is the identifier `in`.
    pub(super) left_is_in: bool,
}

/// Returns whether a space stands between `left` and `right`. The first rule that applies decides.
pub(super) fn has_space(pair: Neighbours) -> bool {
    let Neighbours { before, left, right, left_is_in } = pair;
    match (left, right) {
        // Lines end without blanks; names hang together with calls, namespaces and attributes.
        (_, K::Newline)
        | (K::Identifier, K::OpenParen | K::DoubleColon)
        | (K::DoubleColon, K::Identifier)
        | (K::Dot, _)
        | (_, K::Dot | K::Comma | K::Ellipsis) => false,
        (K::Comma, _) => true,
        // The text of templates is sacred.
        (K::QuotedLiteral | K::StringLiteral | K::OpenQuote | K::OpenHeredoc, _)
        | (_, K::QuotedLiteral | K::StringLiteral | K::CloseQuote | K::CloseHeredoc) => false,
        // `for x in [1, 2]`: a keyword, although `in[1]` might be an index.
        _ if left_is_in && before == Some(K::Identifier) => true,
        (_, K::OpenBracket) if is_indexable(left) => false,
        (K::Bang, _) => false,
        (K::Minus, _) => !negates(before),
        (K::OpenBrace, K::CloseBrace) => false,
        (K::OpenBrace, _) | (_, K::CloseBrace) => true,
        // An object alone in an interpolation: `${ {} }`.
        (K::TemplateInterpolation | K::TemplateControl, K::OpenBrace)
        | (K::CloseBrace, K::TemplateSequenceEnd) => true,
        (K::TemplateSequenceEnd, K::TemplateInterpolation | K::TemplateControl) => false,
        _ => bracket_change(left) <= 0 && bracket_change(right) >= 0,
    }
}

/// Returns whether an opening bracket behind such a token is taken for an index.
fn is_indexable(left: K) -> bool {
    matches!(left, K::Identifier | K::Number) || bracket_change(left) < 0
}

/// Returns whether a minus behind such a token is taken for a sign and not for an operator.
fn negates(before: Option<K>) -> bool {
    match before {
        None => true,
        Some(kind) => matches!(
            kind,
            K::OpenParen
                | K::OpenBrace
                | K::OpenBracket
                | K::Assign
                | K::Colon
                | K::Comma
                | K::Question
                | K::Plus
                | K::Star
                | K::Slash
                | K::Percent
                | K::Minus
                | K::Equal
                | K::NotEqual
                | K::Greater
                | K::GreaterEqual
                | K::Less
                | K::LessEqual
                | K::And
                | K::Or
                | K::Bang
        ),
    }
}
