//! Tuple and object constructors.
//!
//! Newlines mean nothing in a tuple; in an object they separate items, wherever it is nested.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::{Input, Newlines};
use super::state::Parser;
use crate::ast::ExprId;
use crate::source::Span;
use crate::token::TokenKind;

/// The continuation after an item of an object.
enum AfterItem {
    /// An item or the end follows.
    Another,
    /// The object ends here; the place of its brace, or of what stands in for it.
    End(Span),
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `tuple | "[", "for", …`
    pub(super) fn tuple_or_for(&mut self) -> ExprId {
        let open = self.input.take(TokenKind::OpenBracket);
        let outer = self.input.set_newlines(Newlines::Ignored);
        let node = if self.input.at_word("for") {
            self.for_expression(open, TokenKind::CloseBracket)
        } else {
            self.tuple(open)
        };
        self.input.set_newlines(outer);
        node
    }

    /// `object | "{", "for", …`; newlines may stand before `for`.
    pub(super) fn object_or_for(&mut self) -> ExprId {
        let open = self.input.take(TokenKind::OpenBrace);
        let outer = self.input.set_newlines(Newlines::Ignored);
        let node = if self.input.at_word("for") {
            self.for_expression(open, TokenKind::CloseBrace)
        } else {
            self.input.set_newlines(Newlines::Significant);
            self.object(open)
        };
        self.input.set_newlines(outer);
        node
    }

    /// `tuple = "[", [ expression, { ",", expression }, [ "," ] ], "]"`
    fn tuple(&mut self, open: Span) -> ExprId {
        let first = self.scratch.expressions.len();
        let close = loop {
            if let Some(close) = self.input.eat(TokenKind::CloseBracket) {
                break close;
            }
            let before = self.now();
            let element = self.expression();
            self.scratch.expressions.push(element);
            if self.lost_since(before) {
                break self.recover_past(TokenKind::CloseBracket).span;
            }
            match self.input.kind() {
                TokenKind::Comma => {
                    self.input.take(TokenKind::Comma);
                }
                TokenKind::CloseBracket => {}
                _ => break self.bad_tuple_separator(open),
            }
        };
        let tuple = self.tree.tuple(open.to(close), &self.scratch.expressions[first..]);
        self.scratch.expressions.truncate(first);
        tuple
    }

    /// Complains of what stands where a comma or the end of a tuple should. Returns the place where the tuple ends.
    fn bad_tuple_separator(&mut self, open: Span) -> Span {
        let found = self.input.peek();
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::TupleUnterminated, open),
            _ => SyntaxError::new(SyntaxErrorKind::TupleSeparatorMissing, found.span).from(open),
        };
        self.guarded_error(error);
        self.recover_past(TokenKind::CloseBracket).span
    }

    /// `object = "{", { newline }, [ item, { ( "," | newline ), { newline }, item }, [ "," ] ], { newline }, "}"`
    fn object(&mut self, open: Span) -> ExprId {
        let first = self.scratch.expressions.len();
        let close = loop {
            match self.input.kind() {
                TokenKind::Newline => {
                    self.input.take(TokenKind::Newline);
                    continue;
                }
                TokenKind::CloseBrace => break self.input.take(TokenKind::CloseBrace),
                _ => {}
            }
            match self.object_item(open) {
                AfterItem::Another => {}
                AfterItem::End(close) => break close,
            }
        };
        let object = self.tree.object(open.to(close), &self.scratch.expressions[first..]);
        self.scratch.expressions.truncate(first);
        object
    }

    /// `item = expression, ( "=" | ":" ), expression`, and the separator. An item with a broken value is
    /// kept, one with a broken key is not.
    fn object_item(&mut self, open: Span) -> AfterItem {
        let before = self.now();
        let key = self.key_of_item();
        if self.lost_since(before) {
            return AfterItem::End(self.recover_past(TokenKind::CloseBrace).span);
        }
        if self.input.eat(TokenKind::Assign).is_none() && self.input.eat(TokenKind::Colon).is_none() {
            return AfterItem::End(self.bad_key_separator(open));
        }
        let before = self.now();
        let value = self.expression();
        self.scratch.expressions.push(key);
        self.scratch.expressions.push(value);
        if self.lost_since(before) {
            return AfterItem::End(self.recover_past(TokenKind::CloseBrace).span);
        }
        match self.input.kind() {
            kind @ (TokenKind::Comma | TokenKind::Newline) => {
                self.input.take(kind);
                AfterItem::Another
            }
            TokenKind::CloseBrace => AfterItem::End(self.input.take(TokenKind::CloseBrace)),
            _ => AfterItem::End(self.bad_item_separator(open)),
        }
    }

    /// `expression` as a key. A name alone, as most keys are, goes a short way, though not past the limit of nesting:
    /// both ways must agree on which texts are too deep.
    fn key_of_item(&mut self) -> ExprId {
        if self.input.at(TokenKind::Identifier) && self.begin_level() {
            self.end_level();
            let place = self.input.place();
            let name = self.input.take(TokenKind::Identifier);
            if matches!(self.input.kind(), TokenKind::Assign | TokenKind::Colon) {
                return self.lone_name(name);
            }
            self.input.go_back(place);
        }
        self.expression()
    }

    /// Complains of what stands behind a key. Returns the place where the object ends.
    fn bad_key_separator(&mut self, open: Span) -> Span {
        let found = self.input.peek();
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::ObjectUnterminated, open),
            TokenKind::Newline | TokenKind::Comma => {
                SyntaxError::new(SyntaxErrorKind::ObjectValueMissing, found.span).from(open)
            }
            TokenKind::Identifier => {
                SyntaxError::new(SyntaxErrorKind::ObjectSeparatorMissingBeforeName, found.span).from(open)
            }
            _ => SyntaxError::new(SyntaxErrorKind::ObjectSeparatorMissing, found.span).from(open),
        };
        self.guarded_error(error);
        self.recover_past(TokenKind::CloseBrace).span
    }

    /// Complains of what stands behind a value. Returns the place where the object ends.
    fn bad_item_separator(&mut self, open: Span) -> Span {
        let found = self.input.peek();
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::ObjectUnterminated, open),
            _ => SyntaxError::new(SyntaxErrorKind::ObjectItemSeparatorMissing, found.span).from(open),
        };
        self.guarded_error(error);
        self.recover_past(TokenKind::CloseBrace).span
    }
}
