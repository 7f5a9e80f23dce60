//! Bodies, attributes, blocks and labels.

use super::{NOTHING, Reader, span};
use crate::ast::{AttributeNode, BlockNode, BodyId};
use crate::lexer::quoted_stop;
use crate::parser::names;
use crate::source::Span;

impl Reader<'_> {
    /// The body of a file: up to the end of the text.
    pub(super) fn file_body(&mut self) -> Option<BodyId> {
        let start = self.first_token()?;
        Some(self.body((start, NOTHING))?.0)
    }

    /// Where the first token stands. A last comment without a newline is none.
    fn first_token(&mut self) -> Option<Span> {
        self.skip_blanks();
        while self.at(b"/*") {
            self.take_block_comment()?;
            self.skip_blanks();
        }
        let start = self.pos;
        Some(if self.is_at_end() { self.end_of_text() } else { span(start, start) })
    }

    fn end_of_text(&self) -> Span {
        self.source.span().at_end()
    }

    /// `body = { newline | attribute | block }`, and the closer; where it stands. Where the work is to end, what is there.
    #[inline(never)]
    fn body(&mut self, (open, closer): (Span, u8)) -> Option<(BodyId, Span)> {
        let first_attribute = self.scratch.attributes.len();
        let first_block = self.scratch.blocks.len();
        let close = loop {
            if !self.may_go_on() {
                break self.end_of_text();
            }
            let byte = self.peek();
            if byte == b'\n' {
                self.take_newline();
            } else if let Some(name) = self.name_that_begins_with(byte) {
                if self.item(name).is_none() {
                    self.watch.stopped()?;
                    break self.end_of_text();
                }
            } else if byte == closer {
                break if byte == NOTHING { self.end_of_text() } else { self.take() };
            } else {
                return None;
            }
        };
        let attributes = &self.scratch.attributes[first_attribute..];
        if names::is_any_twice(attributes, self.text) {
            return None;
        }
        if closer == NOTHING && self.pos < self.text.len() {
            self.watch.stopped()?;
        }
        let body = self.tree.body(open.to(close), attributes, &self.scratch.blocks[first_block..]);
        self.scratch.attributes.truncate(first_attribute);
        self.scratch.blocks.truncate(first_block);
        Some((body, close))
    }

    /// `item = ( attribute | block ), ( newline | end )`
    #[inline]
    fn item(&mut self, name: Span) -> Option<()> {
        if self.at_equals() {
            let attribute = self.attribute(name)?;
            self.scratch.attributes.push(attribute);
        } else {
            let block = self.block(name)?;
            self.scratch.blocks.push(block);
        }
        match self.peek() {
            b'\n' => self.take_newline(),
            NOTHING => {}
            _ => return None,
        }
        Some(())
    }

    /// Whether `=` is next.
    #[inline(always)]
    pub(super) fn at_equals(&mut self) -> bool {
        self.peek() == b'=' && !matches!(self.byte_at(self.pos + 1), b'=' | b'>')
    }

    /// `attribute = name, "=", expression`, of which the name has been taken
    #[inline]
    fn attribute(&mut self, name: Span) -> Option<AttributeNode> {
        let equals = self.take().start;
        let expression = self.expression()?;
        Some(AttributeNode { name, equals, end: self.tree.span_of(expression).end, expression })
    }

    /// `block = name, { label }, "{", body, "}"`, of which the name has been taken
    fn block(&mut self, block_type: Span) -> Option<BlockNode> {
        let first_label = self.tree.next_label();
        let open = loop {
            match self.peek() {
                b'{' => break self.take(),
                b'"' => {
                    let label = self.plain_quoted()?;
                    self.tree.label(label, true, None);
                }
                byte => {
                    let label = self.name_that_begins_with(byte)?;
                    self.tree.label(label, false, None);
                }
            }
        };
        let n_labels = self.tree.n_labels_since(first_label);
        let (body, close) = match self.peek() {
            b'\n' | b'}' => self.nested(Self::body, (open, b'}'))?,
            byte => self.one_line_body(byte)?,
        };
        Some(BlockNode { block_type, first_label, n_labels, open, close, body })
    }

    /// `one_line_body = attribute`, and `}`
    fn one_line_body(&mut self, byte: u8) -> Option<(BodyId, Span)> {
        let name = self.name_that_begins_with(byte)?;
        if !self.at_equals() {
            return None;
        }
        let attribute = self.attribute(name)?;
        let close = self.eat(b'}')?;
        Some((self.tree.body(Span::new(name.start, attribute.end), &[attribute], &[]), close))
    }

    /// Takes a quoted template that is plain text.
    #[inline(always)]
    pub(super) fn plain_quoted(&mut self) -> Option<Span> {
        let start = self.pos;
        let stop = quoted_stop(self.text.as_bytes(), start + 1);
        if self.byte_at(stop) != b'"' {
            return None;
        }
        self.pos = stop + 1;
        Some(span(start, self.pos))
    }
}
