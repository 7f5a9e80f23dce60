//! The input of the grammar: the next token of a text, and no more than that.
//!
//! There are two inputs. [`Bytes`](super::bytes::Bytes) finds each token when it is asked for it; it gives up at the first
//! thing that would be a diagnostic. [`Tokens`](super::tokens::Tokens) has all tokens in a list, knows how to recover, and is
//! used for texts that the other has given up. The grammar is generic over them, so each production stands once.

use crate::lexer::Within;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// True if newlines are tokens of the grammar.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Newlines {
    /// They are: between items of bodies and objects.
    Significant,
    /// They are blanks: in parentheses, brackets, calls and interpolations.
    Ignored,
}

/// A place in a text, and what stands there. A `Copy` value, so that nom takes it as its input.
///
/// The mode, by which newlines count or not, is part of the value: a construct sets it on the way in and gives the
/// caller's mode back on the way out. Newlines are skipped when a token is looked at, not when the one before it is
/// taken, so that leaving a pair of brackets makes the newlines after it count again.
pub(super) trait Input<'s>: Copy {
    /// True if errors are reported and the grammar goes on behind them. Otherwise the first one is the end of the text.
    const RECOVERS: bool;

    /// A place to go back to.
    type Place: Copy;

    /// The kind of the next token. Beyond the last one there are only ends of the file.
    fn kind(&mut self) -> TokenKind;

    /// Where the next token begins, of which the kind has been asked.
    fn start(&self) -> u32;

    /// Takes the next token, which is of this kind.
    fn take(&mut self, kind: TokenKind) -> Span;

    /// Takes a number, and says whether it is sure to be one that can be stored.
    fn take_number(&mut self) -> (Span, bool);

    /// `".", name`: all of it and the name, if that is what comes.
    fn take_attribute(&mut self) -> Option<(Span, Span)> {
        attribute_of_tokens(self)
    }

    /// Takes the next token as it is written, also when it is a newline that does not count.
    fn take_raw(&mut self) -> Token;

    /// Takes the next token of a template's text.
    fn take_part(&mut self, within: Within) -> Token;

    /// Where the next token of a template's text stands; only its beginning is sure.
    fn first_part(&mut self, within: Within) -> Span;

    /// Takes a quoted template that is one literal without escapes, or nothing.
    fn take_plain_quoted(&mut self) -> Option<Span>;

    /// Takes `}` or `~}`, which ends an interpolation or a directive.
    fn take_sequence_end(&mut self) -> Option<Span>;

    /// Where the brace stands that has been taken last.
    fn taken_brace(&self) -> Span;

    /// Where the token stands that has been taken last, if that is kept; otherwise `node`, which ends with it.
    fn taken_end(&self, node: Span) -> u32;

    /// Where the first token stands, newlines included.
    fn first_token(&mut self) -> Span;

    /// Returns the surroundings of the text that follows this opener of a template.
    fn within(&self, kind: TokenKind, opener: Span) -> Within;

    /// The place of the next token, to go back to.
    fn place(&self) -> Self::Place;

    /// Goes back to a place of this text.
    fn go_back(&mut self, place: Self::Place);

    /// Ends the text here.
    fn give_up(&mut self);

    /// True if the text has been given up.
    fn is_given_up(&self) -> bool;

    /// The text.
    fn source_text(&self) -> &'s str;

    /// Changes whether newlines count and returns how it was.
    fn set_newlines(&mut self, newlines: Newlines) -> Newlines;

    /// True if the next token is of this kind.
    fn at(&mut self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Takes the next token if it is of this kind.
    #[inline(always)] // By a call `parse_data` takes 9 % more instructions.
    fn eat(&mut self, kind: TokenKind) -> Option<Span> {
        if self.at(kind) { Some(self.take(kind)) } else { None }
    }

    /// The next token.
    fn peek(&mut self) -> Token {
        let place = self.place();
        let kind = self.kind();
        let span = self.take(kind);
        self.go_back(place);
        Token { kind, span }
    }

    /// Takes the next token, whatever it is.
    fn bump(&mut self) -> Token {
        let kind = self.kind();
        Token { kind, span: self.take(kind) }
    }

    /// True if the next token is this word.
    fn at_word(&mut self, word: &str) -> bool;

    /// The source text at `span`.
    fn text(&self, span: Span) -> &'s str {
        self.source_text().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns the text at a place as bytes, which needs no look at character boundaries.
    fn bytes(&self, span: Span) -> &'s [u8] {
        self.source_text().as_bytes().get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// The general way for any input, token by token.
pub(super) fn attribute_of_tokens<'s, I: Input<'s>>(input: &mut I) -> Option<(Span, Span)> {
    let place = input.place();
    let dot = input.eat(TokenKind::Dot)?;
    let name = input.eat(TokenKind::Identifier);
    if name.is_none() {
        input.go_back(place);
    }
    name.map(|name| (dot.to(name), name))
}
