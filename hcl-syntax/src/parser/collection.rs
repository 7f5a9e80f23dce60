//! Tuple and object constructors.
//!
//! Newlines mean nothing in a tuple; in an object they separate items, wherever it is nested.

use super::cursor::Newlines;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::state::Parser;
use crate::ast::ExprId;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// What comes after an item of an object.
enum AfterItem {
    Another,
    /// The object ends here; the place of its brace, or of what stands in for it.
    End(Span),
}

impl Parser<'_> {
    /// `tuple | "[", "for", …`
    pub(super) fn tuple_or_for(&mut self) -> ExprId {
        let open = self.cursor.bump().span;
        let outer = self.cursor.set_newlines(Newlines::Ignored);
        let node = if self.cursor.at_word("for") {
            self.for_expression(open, TokenKind::CloseBracket)
        } else {
            self.tuple(open)
        };
        self.cursor.set_newlines(outer);
        node
    }

    /// `object | "{", "for", …`; newlines may stand before `for`.
    pub(super) fn object_or_for(&mut self) -> ExprId {
        let open = self.cursor.bump().span;
        let is_for = self.cursor.with_newlines(Newlines::Ignored).at_word("for");
        let within = if is_for { Newlines::Ignored } else { Newlines::Significant };
        let outer = self.cursor.set_newlines(within);
        let node = if is_for { self.for_expression(open, TokenKind::CloseBrace) } else { self.object(open) };
        self.cursor.set_newlines(outer);
        node
    }

    /// `tuple = "[", [ expression, { ",", expression }, [ "," ] ], "]"`
    fn tuple(&mut self, open: Span) -> ExprId {
        let first = self.scratch.expressions.len();
        let close = loop {
            if let Some(close) = self.eat(TokenKind::CloseBracket) {
                break close.span;
            }
            let before = self.report.now();
            let element = self.expression();
            self.scratch.expressions.push(element);
            if self.report.lost_since(before) {
                break self.recover_past(TokenKind::CloseBracket).span;
            }
            let next = self.cursor.peek();
            match next.kind {
                TokenKind::Comma => {
                    self.cursor.bump();
                }
                TokenKind::CloseBracket => {}
                _ => break self.bad_tuple_separator(open, next),
            }
        };
        let tuple = self.tree.tuple(open.to(close), &self.scratch.expressions[first..]);
        self.scratch.expressions.truncate(first);
        tuple
    }

    #[cold]
    fn bad_tuple_separator(&mut self, open: Span, found: Token) -> Span {
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::TupleUnterminated, open),
            _ => SyntaxError::new(SyntaxErrorKind::TupleSeparatorMissing, found.span).from(open),
        };
        self.report.guarded_error(error);
        self.recover_past(TokenKind::CloseBracket).span
    }

    /// `object = "{", { newline }, [ item, { ( "," | newline ), { newline }, item }, [ "," ] ], { newline }, "}"`
    fn object(&mut self, open: Span) -> ExprId {
        let first = self.scratch.expressions.len();
        let close = loop {
            let next = self.cursor.peek();
            match next.kind {
                TokenKind::Newline => {
                    self.cursor.bump();
                    continue;
                }
                TokenKind::CloseBrace => {
                    self.cursor.bump();
                    break next.span;
                }
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
        let before = self.report.now();
        let key = self.expression();
        if self.report.lost_since(before) {
            return AfterItem::End(self.recover_past(TokenKind::CloseBrace).span);
        }
        let separator = self.cursor.peek();
        if !matches!(separator.kind, TokenKind::Assign | TokenKind::Colon) {
            return AfterItem::End(self.bad_key_separator(open, separator));
        }
        self.cursor.bump();
        let before = self.report.now();
        let value = self.expression();
        self.scratch.expressions.extend([key, value]);
        if self.report.lost_since(before) {
            return AfterItem::End(self.recover_past(TokenKind::CloseBrace).span);
        }
        let next = self.cursor.peek();
        match next.kind {
            TokenKind::Comma | TokenKind::Newline => {
                self.cursor.bump();
                AfterItem::Another
            }
            TokenKind::CloseBrace => {
                self.cursor.bump();
                AfterItem::End(next.span)
            }
            _ => AfterItem::End(self.bad_item_separator(open, next)),
        }
    }

    #[cold]
    fn bad_key_separator(&mut self, open: Span, found: Token) -> Span {
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
        self.report.guarded_error(error);
        self.recover_past(TokenKind::CloseBrace).span
    }

    #[cold]
    fn bad_item_separator(&mut self, open: Span, found: Token) -> Span {
        let error = match found.kind {
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::ObjectUnterminated, open),
            _ => SyntaxError::new(SyntaxErrorKind::ObjectItemSeparatorMissing, found.span).from(open),
        };
        self.report.guarded_error(error);
        self.recover_past(TokenKind::CloseBrace).span
    }
}
