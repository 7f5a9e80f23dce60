//! Quoted templates of texts and interpolations; all others, and heredocs, by their tokens.

use super::{Reader, span};
use crate::ast::ExprId;
use crate::lexer::{self, quoted_stop};
use crate::parser::cursor::Newlines;
use crate::parser::literal::{self, Escapes};
use crate::parser::scanned::Scanned;
use crate::parser::state::Parser;

/// How many templates may be read directly within each other. Where one is given up it is read again, with all in it.
const MAX_TEMPLATES: u32 = 4;

impl Reader<'_> {
    /// `quoted = '"', { part }, '"'`
    #[inline(always)]
    pub(super) fn quoted(&mut self) -> Option<ExprId> {
        match self.plain_quoted() {
            Some(span) => Some(self.tree.quoted_text(span)),
            None => self.template(),
        }
    }

    /// The same, if it is not plain text.
    #[inline(never)]
    fn template(&mut self) -> Option<ExprId> {
        let (start, newlines) = (self.pos, self.newlines);
        if self.n_templates < MAX_TEMPLATES {
            let (lengths, n_expressions) = (self.tree.lengths(), self.scratch.expressions.len());
            let n_steps = self.scratch.steps.len();
            self.n_templates += 1;
            let node = self.nested(Self::parts, ());
            self.n_templates -= 1;
            if node.is_some() || self.has_errors {
                return node;
            }
            self.tree.shorten(&lengths);
            self.scratch.expressions.truncate(n_expressions);
            self.scratch.steps.truncate(n_steps);
            (self.pos, self.newlines) = (start, newlines);
        }
        self.by_tokens()
    }

    #[inline(never)]
    fn parts(&mut self, (): ()) -> Option<ExprId> {
        let open = self.take();
        let first = self.scratch.expressions.len();
        let mut n_texts = 0;
        loop {
            if !self.may_go_on() {
                return None;
            }
            if let Some(text) = self.text_part()? {
                self.scratch.expressions.push(text);
                n_texts += 1;
            }
            if self.byte_at(self.pos) == b'"' {
                break;
            }
            self.pos += "${".len();
            let outer = self.set_newlines(Newlines::Ignored);
            let interpolation = self.expression()?;
            self.eat(b'}')?;
            self.newlines = outer;
            self.scratch.expressions.push(interpolation);
        }
        let span = open.to(self.take());
        let node = match self.scratch.expressions[first..] {
            [text] if n_texts == 1 && matches!(self.bytes(span), b"\"$\"" | b"\"%\"") => {
                // One token, as plain text is.
                self.tree.discard_from(text.index());
                self.tree.quoted_text(span)
            }
            [text] if n_texts == 1 => self.tree.text_to_template(text, span),
            [interpolation] => self.tree.interpolation(span, interpolation),
            ref parts => self.tree.template(span, parts),
        };
        self.scratch.expressions.truncate(first);
        Some(node)
    }

    /// Takes text up to a quote or `${`, if there is some.
    #[inline]
    fn text_part(&mut self) -> Option<Option<ExprId>> {
        let start = self.pos;
        let has_escapes = self.end_of_text_part()?;
        let part = span(start, self.pos);
        if self.pos == start {
            return Some(None);
        }
        if !has_escapes {
            return Some(Some(self.tree.text(part)));
        }
        self.scratch.text.clear();
        literal::decode(&self.text[start..self.pos], Escapes::All, &mut self.scratch.text);
        Some(Some(self.tree.decoded_text(part, &self.scratch.text)))
    }

    /// Goes to a quote or `${`. Whether there are escapes before it.
    fn end_of_text_part(&mut self) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let mut has_escapes = false;
        while self.may_go_on() {
            self.pos = quoted_stop(bytes, self.pos);
            match bytes[self.pos..] {
                // Strip markers are about the texts beside them.
                [b'$', b'{', b'~', ..] | [b'%', b'{', ..] => return None,
                [b'"', ..] | [b'$', b'{', ..] => return Some(has_escapes),
                [first @ (b'$' | b'%'), second, b'{', ..] if first == second => return None,
                [b'$' | b'%', ..] => self.pos += 1,
                [b'\\', ..] => {
                    self.pos += literal::escape_len(&self.text[self.pos..])?;
                    has_escapes = true;
                }
                _ => return None,
            }
        }
        None
    }

    /// A quoted template or a heredoc, read by its tokens. There is none if it has errors.
    pub(super) fn by_tokens(&mut self) -> Option<ExprId> {
        let node = self.read_tokens();
        self.has_errors = node.is_none();
        node
    }

    #[inline(never)]
    fn read_tokens(&mut self) -> Option<ExprId> {
        let tokens = std::mem::take(&mut self.tokens);
        let (tokens, end) = lexer::scan_template(self.source, self.pos, self.watch, tokens)?;
        let scanned = Scanned::new(self.text, &tokens, self.watch);
        let (tree, scratch) = (&mut *self.tree, &mut self.scratch);
        let mut parser = Parser::new(tree, scratch, self.source, &scanned, self.newlines, self.limits);
        // The expression that it is counts there.
        let node = parser.template_at_depth(self.depth + 1);
        if parser.has_errors() {
            return None;
        }
        self.tokens = tokens;
        self.pos = end;
        Some(node)
    }
}
