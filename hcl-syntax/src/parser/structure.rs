//! Bodies, attributes, blocks and labels.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::literal::{self, Escapes};
use super::names::{AttributeNames, FEW_ATTRIBUTES};
use super::state::Parser;
use super::template::plain_rest;
use crate::ast::{AttributeNode, BlockNode, BodyId};
use crate::source::Span;
use crate::token::TokenKind;

/// The items of a body, as far as they are read: from these lengths of the shared lists on.
struct Items {
    /// The brace that opened the body; of a file the first token.
    start: Span,
    first_attribute: usize,
    first_block: usize,
    /// The names, once there are many.
    names: Option<AttributeNames>,
}

/// What the attempt to read the one attribute of a single-line block gave.
type OneLineBody = Option<AttributeNode>;

impl Parser<'_> {
    /// The body of a file: up to the end of the text.
    pub(super) fn file_body(&mut self) -> BodyId {
        let mut items = self.begin_body(self.cursor.previous_span());
        let end = self.rest_of_body(&mut items, TokenKind::EndOfFile);
        self.end_body(&items, end)
    }

    #[inline]
    fn begin_body(&self, start: Span) -> Items {
        Items {
            start,
            first_attribute: self.scratch.attributes.len(),
            first_block: self.scratch.blocks.len(),
            names: None,
        }
    }

    /// `body = { newline | attribute | block }`, and the closer, which is answered
    ///
    /// A token that can begin no item gives the rest of the body up.
    #[inline]
    fn rest_of_body(&mut self, items: &mut Items, closer: TokenKind) -> Span {
        loop {
            let token = self.cursor.peek();
            match token.kind {
                TokenKind::Identifier => self.item(token.span, items),
                TokenKind::Newline => {
                    self.cursor.bump();
                }
                kind if kind == closer => {
                    self.cursor.bump();
                    return token.span;
                }
                _ => return self.abandon_body(items.start, closer),
            }
        }
    }

    /// Hands the items of a body over to the tree.
    #[inline]
    fn end_body(&mut self, items: &Items, end: Span) -> BodyId {
        let attributes = &self.scratch.attributes[items.first_attribute..];
        let blocks = &self.scratch.blocks[items.first_block..];
        let body = self.tree.body(items.start.to(end), attributes, blocks);
        self.scratch.attributes.truncate(items.first_attribute);
        self.scratch.blocks.truncate(items.first_block);
        body
    }

    /// A body up to the brace that closes it.
    fn braced_body(&mut self, open: Span) -> BodyId {
        let mut items = self.begin_body(open);
        let end = self.rest_of_body(&mut items, TokenKind::CloseBrace);
        self.end_body(&items, end)
    }

    /// Skips the rest of a body; returns the token that was too much for it.
    #[cold]
    fn abandon_body(&mut self, start: Span, closer: TokenKind) -> Span {
        let found = self.cursor.bump();
        let error = match found.kind {
            TokenKind::OpenQuote => SyntaxError::new(SyntaxErrorKind::ArgumentNameQuoted, found.span),
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::BlockUnclosed, start),
            _ => SyntaxError::new(SyntaxErrorKind::ItemRequired, found.span),
        };
        self.report.guarded_error(error);
        self.recover_past(closer);
        found.span
    }

    /// `item = attribute, ( newline | end ) | block, ( newline | end )`
    fn item(&mut self, first: Span, items: &mut Items) {
        if let Some(equals) = self.attribute_start() {
            let (attribute, is_lost) = self.attribute(first, equals);
            if !is_lost {
                self.end_attribute(first);
            }
            return self.add_attribute(attribute, items);
        }
        self.cursor.bump();
        match self.cursor.kind() {
            TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Identifier => {
                let block = self.block(first);
                self.scratch.blocks.push(block);
            }
            _ => {
                self.report.error(SyntaxError::new(SyntaxErrorKind::ItemIncomplete, first));
                self.recover_past_item();
            }
        }
    }

    /// `name, "="`, where a name comes: the place of the sign. Else nothing is taken.
    #[inline]
    fn attribute_start(&mut self) -> Option<Span> {
        let mut cursor = self.cursor;
        cursor.bump();
        let equals = cursor.bump();
        if equals.kind != TokenKind::Assign {
            return None;
        }
        self.cursor = cursor;
        Some(equals.span)
    }

    /// `attribute = name, "=", expression`
    ///
    /// The beginning has been taken. Also says whether the expression left the cursor at some odd place, in
    /// which case the rest of the item has been skipped.
    #[inline]
    fn attribute(&mut self, name: Span, equals: Span) -> (AttributeNode, bool) {
        let before = self.report.now();
        let expression = self.expression();
        let end = self.cursor.previous_span().end;
        let is_lost = self.report.lost_since(before);
        if is_lost {
            self.recover_past_item();
        }
        (AttributeNode { name, equals: equals.start, end, expression }, is_lost)
    }

    fn end_attribute(&mut self, name: Span) {
        let next = self.cursor.peek();
        let kind = match next.kind {
            TokenKind::Newline | TokenKind::EndOfFile => {
                self.cursor.bump();
                return;
            }
            TokenKind::Comma => SyntaxErrorKind::AttributeCommaUnexpected,
            _ => SyntaxErrorKind::AttributeNewlineMissing,
        };
        self.report.guarded_error(SyntaxError::new(kind, next.span).from(name));
        self.recover_past_item();
    }

    /// Of several attributes of one name the first counts.
    fn add_attribute(&mut self, attribute: AttributeNode, items: &mut Items) {
        match self.earlier_attribute(attribute.name, items) {
            None => self.scratch.attributes.push(attribute),
            Some(first) => {
                let kind = SyntaxErrorKind::AttributeRedefined { first };
                self.report.error(SyntaxError::new(kind, attribute.name));
            }
        }
    }

    /// Where an attribute of the body with the same name has it.
    fn earlier_attribute(&self, name: Span, items: &mut Items) -> Option<Span> {
        let text = self.cursor.bytes(name);
        let attributes = &self.scratch.attributes[items.first_attribute..];
        if attributes.len() < FEW_ATTRIBUTES {
            let same = attributes.iter().find(|other| self.cursor.bytes(other.name) == text);
            return same.map(|other| other.name);
        }
        let source = self.cursor.scanned().text();
        let names = items.names.get_or_insert_with(|| AttributeNames::of(attributes, source));
        let same = names.insert(text, attributes, source);
        same.and_then(|position| attributes.get(position)).map(|other| other.name)
    }

    /// `block = name, { label }, "{", body, "}"`
    ///
    /// The block type has been taken.
    fn block(&mut self, block_type: Span) -> BlockNode {
        let (first_label, n_labels) = self.labels();
        let Some(open) = self.eat(TokenKind::OpenBrace) else {
            return self.broken_block(block_type, first_label, n_labels);
        };
        let open = open.span;
        let body = match self.cursor.kind() {
            TokenKind::Newline | TokenKind::EndOfFile | TokenKind::CloseBrace => self.block_body(open),
            _ => self.one_line_body(block_type, open),
        };
        let close = self.cursor.previous_span();
        self.end_block(block_type);
        BlockNode { block_type, first_label, n_labels, open, close, body }
    }

    /// `{ label }` with `label = name | string`: the first one's index, and how many.
    fn labels(&mut self) -> (u32, u32) {
        let first = self.tree.next_label();
        loop {
            let next = self.cursor.peek();
            match next.kind {
                TokenKind::Identifier => {
                    self.cursor.bump();
                    self.tree.label(next.span, false, None);
                }
                TokenKind::OpenQuote => self.quoted_label(next.span),
                _ => return (first, self.tree.n_labels_since(first)),
            }
        }
    }

    /// `'"', [ literal ], '"'`
    fn quoted_label(&mut self, open: Span) {
        let mut cursor = self.cursor;
        cursor.bump();
        if let Some(close) = plain_rest(&mut cursor) {
            self.cursor = cursor;
            self.tree.label(open.to(close), true, None);
        } else {
            let span = self.string_literal();
            self.tree.label(span, true, Some(&self.scratch.text));
        }
    }

    /// A block whose header is no good: its ranges stand in for the missing ones, and its body is empty.
    #[cold]
    fn broken_block(&mut self, block_type: Span, first_label: u32, n_labels: u32) -> BlockNode {
        let found = self.cursor.peek();
        let error = |kind| SyntaxError::new(kind, found.span).from(block_type);
        match found.kind {
            TokenKind::Assign => self.report.error(error(SyntaxErrorKind::BlockEqualsUnexpected)),
            TokenKind::Newline => self.report.error(error(SyntaxErrorKind::BlockNewlineUnexpected)),
            _ => self.report.guarded_error(error(SyntaxErrorKind::BlockHeaderInvalid)),
        }
        self.recover_past_item();
        let body = self.tree.body(block_type, &[], &[]);
        BlockNode { block_type, first_label, n_labels, open: block_type, close: block_type, body }
    }

    /// A body on lines of its own, which may contain blocks again.
    fn block_body(&mut self, open: Span) -> BodyId {
        match self.nested(|parser| parser.braced_body(open)) {
            Some(body) => body,
            None => {
                let close = self.recover_past(TokenKind::CloseBrace).span;
                self.tree.body(open.to(close), &[], &[])
            }
        }
    }

    /// `one_line_body = attribute`, and `}`, all on the line of `{`
    ///
    /// A complaint about the end comes before those about what is inside, as in the reference.
    fn one_line_body(&mut self, block_type: Span, open: Span) -> BodyId {
        let first = self.report.len();
        let attribute = self.one_line_attribute();
        let middle = self.report.len();
        self.end_one_line_body(block_type, open);
        self.report.swap_order(first, middle);
        match attribute {
            Some(attribute) => {
                self.tree.body(Span::new(attribute.name.start, attribute.end), &[attribute], &[])
            }
            None => self.tree.body(open.to(self.cursor.previous_span()), &[], &[]),
        }
    }

    fn one_line_attribute(&mut self) -> OneLineBody {
        let first = self.cursor.peek();
        if first.kind == TokenKind::Identifier
            && let Some(equals) = self.attribute_start()
        {
            return Some(self.attribute(first.span, equals).0);
        }
        self.cursor.bump();
        let next = self.cursor.peek();
        let error = match next.kind {
            TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Identifier
                if first.kind == TokenKind::Identifier =>
            {
                SyntaxError::new(SyntaxErrorKind::ArgumentRequired, first.span.to(next.span))
            }
            _ if first.kind == TokenKind::Identifier => {
                SyntaxError::new(SyntaxErrorKind::ItemIncomplete, first.span)
            }
            _ => SyntaxError::new(SyntaxErrorKind::ItemRequired, first.span),
        };
        self.report.error(error);
        self.recover_past_item();
        None
    }

    fn end_one_line_body(&mut self, block_type: Span, open: Span) {
        let found = self.cursor.peek();
        let at_found = |kind| SyntaxError::new(kind, found.span);
        match found.kind {
            TokenKind::CloseBrace => {
                self.cursor.bump();
                return;
            }
            TokenKind::Comma => self.report.error(at_found(SyntaxErrorKind::OneLineBlockComma)),
            TokenKind::Newline => self.report.error(at_found(SyntaxErrorKind::OneLineBlockNewline)),
            TokenKind::EndOfFile => {
                let unclosed = SyntaxError::new(SyntaxErrorKind::BlockUnclosed, open);
                self.report.guarded_error(unclosed.within(block_type.to(open)));
            }
            _ => self.report.guarded_error(at_found(SyntaxErrorKind::OneLineBlockInvalid)),
        }
        self.recover_past(TokenKind::CloseBrace);
    }

    fn end_block(&mut self, block_type: Span) {
        let next = self.cursor.peek();
        if matches!(next.kind, TokenKind::Newline | TokenKind::EndOfFile) {
            self.cursor.bump();
            return;
        }
        let kind = SyntaxErrorKind::BlockNewlineMissing;
        self.report.guarded_error(SyntaxError::new(kind, next.span).from(block_type));
        self.recover_past_item();
    }

    /// `string = '"', { literal }, '"'`: its place; the text is left in `scratch.text`. Sequences are
    /// reported and leave a mark in the text.
    pub(super) fn string_literal(&mut self) -> Span {
        let open = self.cursor.bump().span;
        self.scratch.text.clear();
        loop {
            let token = self.cursor.bump();
            let error = |kind| SyntaxError::new(kind, token.span).from(open);
            match token.kind {
                TokenKind::CloseQuote => return open.to(token.span),
                TokenKind::QuotedLiteral => {
                    self.check_escapes(token.span);
                    literal::decode(self.cursor.text(token.span), Escapes::All, &mut self.scratch.text);
                }
                TokenKind::TemplateInterpolation | TokenKind::TemplateControl => {
                    self.report.error(error(SyntaxErrorKind::LabelTemplate));
                    let is_interpolation = token.kind == TokenKind::TemplateInterpolation;
                    self.scratch.text.push_str(if is_interpolation { "${ ... }" } else { "%{ ... }" });
                    self.recover_past(TokenKind::TemplateSequenceEnd);
                }
                TokenKind::EndOfFile => {
                    self.report.error(error(SyntaxErrorKind::LabelUnterminated));
                    return open.to(token.span);
                }
                _ => {
                    self.report.error(error(SyntaxErrorKind::LabelInvalid));
                    self.recover_past(TokenKind::CloseQuote);
                    return open.to(token.span);
                }
            }
        }
    }
}
