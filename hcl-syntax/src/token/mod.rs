//! Tokens: what the scanner makes of a source text.
//!
//! A token is a kind and a place. It has no text of its own, and what it means in its surroundings is found out by the parser.

mod kind;

pub use kind::TokenKind;

use crate::source::Span;

/// A token: its kind and where it stands. Its text is the source's.
///
/// ```
/// use hcl_syntax::{lexer, source::Source, token::{Token, TokenKind}};
///
/// let source = Source::new("main.hcl", "port = 80")?;
/// let Token { kind, span } = lexer::tokens(&source)[2];
/// assert_eq!((kind, source.slice(span)), (TokenKind::Number, "80"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

const _: () = assert!(size_of::<Token>() == 12);
