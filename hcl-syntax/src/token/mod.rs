//! Tokens: what the scanner makes of a source text.

mod kind;

pub use kind::TokenKind;

use crate::source::Span;

/// A token: its kind and where it stands. Its text is the source's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

const _: () = assert!(size_of::<Token>() == 12);
