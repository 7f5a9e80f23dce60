//! Finding a place to go on after an error.
//!
//! Recovery only ever moves forward, so all of it together takes linear time. Its first use sets the
//! parse to recovering for good, which holds back complaints that may be mere consequences.

use super::input::Input;
use super::state::Parser;
use crate::token::{Token, TokenKind};

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// Skips to the closer that matches an opener read before, and over it; pairs of the same kind on the
    /// way are skipped whole. Returns the closer, or the end of the file.
    pub(super) fn recover_past(&mut self, closer: TokenKind) -> Token {
        self.report.set_recovering();
        let mut n_open = 0_u32;
        loop {
            let token = self.input.take_raw();
            if token.kind == closer && n_open == 0 || token.kind == TokenKind::EndOfFile {
                return token;
            }
            if token.kind == closer {
                n_open -= 1;
            } else if opens(token.kind, closer) {
                n_open += 1;
            }
        }
    }

    /// Skips to the next parenthesis and over all that is in it.
    pub(super) fn recover_past_parentheses(&mut self) {
        loop {
            match self.input.take_raw().kind {
                TokenKind::OpenParen | TokenKind::EndOfFile => break,
                _ => {}
            }
        }
        self.recover_past(TokenKind::CloseParen);
    }

    /// Skips to the next newline outside of brackets opened on the way, and over it. A closer also closes
    /// the openers within that were left open; one without an opener is skipped.
    pub(super) fn recover_past_item(&mut self) {
        self.report.set_recovering();
        self.scratch.brackets.clear();
        loop {
            let token = self.input.take_raw();
            match token.kind {
                TokenKind::EndOfFile => return,
                TokenKind::Newline | TokenKind::Comment if self.scratch.brackets.is_empty() => return,
                opener if PAIRS.iter().any(|(open, _)| *open == opener) => {
                    self.scratch.brackets.push(opener);
                }
                closer if is_closer(closer) => {
                    while self.scratch.brackets.pop().is_some_and(|open| !opens(open, closer)) {}
                }
                _ => {}
            }
        }
    }
}

/// The opening token of something, and the closing one.
const PAIRS: [(TokenKind, TokenKind); 7] = [
    (TokenKind::OpenBrace, TokenKind::CloseBrace),
    (TokenKind::OpenBracket, TokenKind::CloseBracket),
    (TokenKind::OpenParen, TokenKind::CloseParen),
    (TokenKind::OpenQuote, TokenKind::CloseQuote),
    (TokenKind::OpenHeredoc, TokenKind::CloseHeredoc),
    (TokenKind::TemplateInterpolation, TokenKind::TemplateSequenceEnd),
    (TokenKind::TemplateControl, TokenKind::TemplateSequenceEnd),
];

/// Returns whether a token closes something.
fn is_closer(kind: TokenKind) -> bool {
    PAIRS.iter().any(|(_, closer)| *closer == kind)
}

/// Returns whether `open` is an opener that `closer` closes.
fn opens(open: TokenKind, closer: TokenKind) -> bool {
    PAIRS.contains(&(open, closer))
}
