//! Bodies, attributes, blocks and labels.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::literal::{self, Escapes};
use super::state::{ItemStart, Parser};
use crate::ast::{AttributeNode, BlockNode, BodyId};
use crate::hash::Places;
use crate::lexer::Within;
use crate::source::Span;
use crate::token::TokenKind;

/// Up to how many attributes of a body are compared one by one to find a name that is set twice.
const FEW_ATTRIBUTES: usize = 16;

/// The items of a body, as far as they are read: from these lengths of the shared lists on.
struct Items {
    /// The brace that opened the body; of a file the first token.
    start: Span,
    /// The length of the list of attributes before the body.
    first_attribute: usize,
    /// The length of the list of blocks before the body.
    first_block: usize,
    /// The names, once there are many.
    names: Places,
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// The body of a file: up to the end of the text.
    pub(super) fn file_body(&mut self) -> BodyId {
        let start = self.input.first_token();
        self.rest_of_file(start)
    }

    /// Reads the rest of a file that begins at `start`, whose first items have been read.
    pub(super) fn rest_of_file(&mut self, start: Span) -> BodyId {
        let mut items = Items { start, first_attribute: 0, first_block: 0, names: Places::default() };
        let end = self.rest_of_body(&mut items, TokenKind::EndOfFile);
        // The items that have been read stay for the parser that goes on.
        if self.input.is_given_up() { BodyId::default() } else { self.end_body(&items, end) }
    }

    /// `body = { newline | attribute | block }`, and the closer, whose place is returned
    ///
    /// A token that can begin no item gives the rest of the body up.
    fn rest_of_body(&mut self, items: &mut Items, closer: TokenKind) -> Span {
        loop {
            match self.input.kind() {
                TokenKind::Identifier => {
                    let name = self.input.take(TokenKind::Identifier);
                    if closer == TokenKind::EndOfFile {
                        self.item = ItemStart { offset: name.start, n_extra: self.tree.n_extra() };
                    }
                    self.item(name, items);
                }
                TokenKind::Newline => {
                    self.input.take(TokenKind::Newline);
                }
                kind if kind == closer => return self.input.take(closer),
                _ => return self.abandon_body(items.start, closer),
            }
        }
    }

    /// Hands the items of a body over to the tree.
    fn end_body(&mut self, items: &Items, end: Span) -> BodyId {
        let attributes = &self.scratch.attributes[items.first_attribute..];
        let blocks = &self.scratch.blocks[items.first_block..];
        let body = self.tree.body(items.start.to(end), attributes, blocks, self.report.watch());
        self.scratch.attributes.truncate(items.first_attribute);
        self.scratch.blocks.truncate(items.first_block);
        body
    }

    /// A body up to the brace that closes it.
    fn braced_body(&mut self, open: Span) -> BodyId {
        let (first_attribute, first_block) = (self.scratch.attributes.len(), self.scratch.blocks.len());
        let mut items = Items { start: open, first_attribute, first_block, names: Places::default() };
        let end = self.rest_of_body(&mut items, TokenKind::CloseBrace);
        self.end_body(&items, end)
    }

    /// Skips the rest of a body; returns the token that was too much for it.
    fn abandon_body(&mut self, start: Span, closer: TokenKind) -> Span {
        if !I::RECOVERS {
            self.input.give_up();
            return start;
        }
        let found = self.input.bump();
        let error = match found.kind {
            TokenKind::OpenQuote => SyntaxError::new(SyntaxErrorKind::ArgumentNameQuoted, found.span),
            TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::BlockUnclosed, start),
            _ => SyntaxError::new(SyntaxErrorKind::ItemRequired, found.span),
        };
        self.guarded_error(error);
        self.recover_past(closer);
        found.span
    }

    /// `item = attribute, ( newline | end ) | block, ( newline | end )`
    ///
    /// The name has been taken.
    fn item(&mut self, name: Span, items: &mut Items) {
        if let Some(equals) = self.input.eat(TokenKind::Assign) {
            let (attribute, is_lost) = self.attribute(name, equals);
            if !is_lost {
                self.end_attribute(name);
            }
            return self.add_attribute(attribute, items);
        }
        match self.input.kind() {
            TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Identifier => {
                let block = self.block(name);
                self.scratch.blocks.push(block);
            }
            _ => {
                self.error(SyntaxError::new(SyntaxErrorKind::ItemIncomplete, name));
                self.recover_past_item();
            }
        }
    }

    /// `attribute = name, "=", expression`
    ///
    /// The beginning has been taken. Also says whether the expression left the cursor at some odd place, in
    /// which case the rest of the item has been skipped.
    fn attribute(&mut self, name: Span, equals: Span) -> (AttributeNode, bool) {
        let before = self.now();
        let expression = self.expression();
        let end = self.input.taken_end(self.tree.span_of(expression));
        let is_lost = self.lost_since(before);
        if is_lost {
            self.recover_past_item();
        }
        (AttributeNode { name, equals: equals.start, end, expression }, is_lost)
    }

    /// The newline or end of the text behind an attribute. A comma has a complaint of its own.
    fn end_attribute(&mut self, name: Span) {
        let kind = match self.input.kind() {
            kind @ (TokenKind::Newline | TokenKind::EndOfFile) => {
                self.input.take(kind);
                return;
            }
            TokenKind::Comma => SyntaxErrorKind::AttributeCommaUnexpected,
            _ => SyntaxErrorKind::AttributeNewlineMissing,
        };
        let found = self.input.peek().span;
        self.guarded_error(SyntaxError::new(kind, found).from(name));
        self.recover_past_item();
    }

    /// Adds an attribute to the body, unless one of its name is there: of several the first counts, and its
    /// redefinition is reported.
    fn add_attribute(&mut self, attribute: AttributeNode, items: &mut Items) {
        match self.earlier_attribute(attribute.name, items) {
            None => self.scratch.attributes.push(attribute),
            Some(first) => {
                let kind = SyntaxErrorKind::AttributeRedefined { first };
                self.error(SyntaxError::new(kind, attribute.name));
            }
        }
    }

    /// Where an attribute of the body with the same name has it.
    fn earlier_attribute(&self, name: Span, items: &mut Items) -> Option<Span> {
        let input = self.input;
        let text = input.bytes(name);
        let attributes = &self.scratch.attributes[items.first_attribute..];
        if attributes.len() < FEW_ATTRIBUTES {
            return attributes.iter().map(|other| other.name).find(|other| input.bytes(*other) == text);
        }
        if items.names.is_empty() {
            for (number, other) in attributes.iter().enumerate() {
                items.names.find_or_add(input.bytes(other.name), number, |_| &[]);
            }
        }
        let name_of = |number: usize| attributes.get(number).map(|other| other.name);
        let text_of = |number| name_of(number).map_or(&[][..], |name| input.bytes(name));
        items.names.find_or_add(text, attributes.len(), text_of).and_then(name_of)
    }

    /// `block = name, { label }, "{", body, "}"`
    ///
    /// The block type has been taken.
    fn block(&mut self, block_type: Span) -> BlockNode {
        let (first_label, n_labels) = self.labels();
        let Some(open) = self.input.eat(TokenKind::OpenBrace) else {
            return self.broken_block(block_type, first_label, n_labels);
        };
        let body = match self.input.kind() {
            TokenKind::Newline | TokenKind::EndOfFile | TokenKind::CloseBrace => self.block_body(open),
            _ => self.one_line_body(block_type, open),
        };
        let close = self.input.taken_brace();
        self.end_block(block_type);
        BlockNode { block_type, first_label, n_labels, open, close, body }
    }

    /// `{ label }` with `label = name | string`: the first one's index, and how many.
    fn labels(&mut self) -> (u32, u32) {
        let first = self.tree.next_label();
        loop {
            match self.input.kind() {
                TokenKind::Identifier => {
                    let name = self.input.take(TokenKind::Identifier);
                    self.tree.label(name, false, None);
                }
                TokenKind::OpenQuote => self.quoted_label(),
                _ => return (first, self.tree.n_labels_since(first)),
            }
        }
    }

    /// `'"', [ literal ], '"'`
    fn quoted_label(&mut self) {
        if let Some(label) = self.input.take_plain_quoted() {
            self.tree.label(label, true, None);
        } else {
            let text = self.tree.next_text();
            let span = self.string_literal();
            self.tree.label(span, true, Some(text));
        }
    }

    /// A block whose header is no good: its ranges stand in for the missing ones, and its body is empty.
    fn broken_block(&mut self, block_type: Span, first_label: u32, n_labels: u32) -> BlockNode {
        let found = self.input.peek();
        let error = |kind| SyntaxError::new(kind, found.span).from(block_type);
        match found.kind {
            TokenKind::Assign => self.error(error(SyntaxErrorKind::BlockEqualsUnexpected)),
            TokenKind::Newline => self.error(error(SyntaxErrorKind::BlockNewlineUnexpected)),
            _ => self.guarded_error(error(SyntaxErrorKind::BlockHeaderInvalid)),
        }
        self.recover_past_item();
        let body = self.tree.empty_body(block_type);
        BlockNode { block_type, first_label, n_labels, open: block_type, close: block_type, body }
    }

    /// A body on lines of its own, which may contain blocks again.
    fn block_body(&mut self, open: Span) -> BodyId {
        if !self.begin_level() {
            return self.look(|parser| parser.block_body(open)).unwrap_or_else(|| {
                let close = self.recover_past(TokenKind::CloseBrace).span;
                self.tree.empty_body(open.to(close))
            });
        }
        let body = self.braced_body(open);
        self.end_level();
        body
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
                let span = Span::new(attribute.name.start, attribute.end);
                self.tree.body(span, &[attribute], &[], self.report.watch())
            }
            None => self.tree.empty_body(open.to(self.input.taken_brace())),
        }
    }

    /// `attribute` in a body on one line. The complaint about something else tells blocks, which are not allowed
    /// there, from what is no item.
    fn one_line_attribute(&mut self) -> Option<AttributeNode> {
        let first = self.input.bump();
        if first.kind == TokenKind::Identifier
            && let Some(equals) = self.input.eat(TokenKind::Assign)
        {
            return Some(self.attribute(first.span, equals).0);
        }
        let next = self.input.peek();
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
        self.error(error);
        self.recover_past_item();
        None
    }

    /// `"}"` of a body on one line, with complaints about what people write there instead.
    fn end_one_line_body(&mut self, block_type: Span, open: Span) {
        if self.input.eat(TokenKind::CloseBrace).is_some() {
            return;
        }
        let found = self.input.peek();
        let at_found = |kind| SyntaxError::new(kind, found.span);
        match found.kind {
            TokenKind::Comma => self.error(at_found(SyntaxErrorKind::OneLineBlockComma)),
            TokenKind::Newline => self.error(at_found(SyntaxErrorKind::OneLineBlockNewline)),
            TokenKind::EndOfFile => {
                let unclosed = SyntaxError::new(SyntaxErrorKind::BlockUnclosed, open);
                self.guarded_error(unclosed.within(block_type.to(open)));
            }
            _ => self.guarded_error(at_found(SyntaxErrorKind::OneLineBlockInvalid)),
        }
        self.recover_past(TokenKind::CloseBrace);
    }

    /// The newline or end of the text behind a block.
    fn end_block(&mut self, block_type: Span) {
        let next = self.input.kind();
        if matches!(next, TokenKind::Newline | TokenKind::EndOfFile) {
            self.input.take(next);
            return;
        }
        let kind = SyntaxErrorKind::BlockNewlineMissing;
        let found = self.input.peek().span;
        self.guarded_error(SyntaxError::new(kind, found).from(block_type));
        self.recover_past_item();
    }

    /// `string = '"', { literal }, '"'`: its place; the text is appended to those of the tree. Sequences are
    /// reported and leave a mark in the text.
    pub(super) fn string_literal(&mut self) -> Span {
        let open = self.input.take(TokenKind::OpenQuote);
        loop {
            let token = self.input.take_part(Within::Quotes);
            let error = |kind| SyntaxError::new(kind, token.span).from(open);
            match token.kind {
                TokenKind::CloseQuote => return open.to(token.span),
                TokenKind::QuotedLiteral => {
                    self.check_escapes(token.span);
                    let text = self.input.text(token.span);
                    literal::decode(text, Escapes::All, self.report.watch(), self.tree.text_buffer());
                }
                TokenKind::TemplateInterpolation | TokenKind::TemplateControl => {
                    self.error(error(SyntaxErrorKind::LabelTemplate));
                    let is_interpolation = token.kind == TokenKind::TemplateInterpolation;
                    self.tree.text_buffer().push_str(if is_interpolation { "${ ... }" } else { "%{ ... }" });
                    self.recover_past(TokenKind::TemplateSequenceEnd);
                }
                TokenKind::EndOfFile => {
                    self.error(error(SyntaxErrorKind::LabelUnterminated));
                    return open.to(token.span);
                }
                _ => {
                    self.error(error(SyntaxErrorKind::LabelInvalid));
                    self.recover_past(TokenKind::CloseQuote);
                    return open.to(token.span);
                }
            }
        }
    }
}
