//! What follows a term: attributes, indexes and splats.

use smallvec::SmallVec;

use super::Reader;
use super::expression::operator;
use crate::ast::{ExprId, NewStep};
use crate::lexer::{number_end, quoted_stop};
use crate::parser::cursor::Newlines;
use crate::parser::traversal::{Chain, Head, OpenSplat, close_splats};
use crate::source::Span;

impl Reader<'_> {
    /// A name or a literal that looks like one, and the steps that follow.
    #[inline]
    pub(super) fn word_with_steps(&mut self, name: Span) -> Option<ExprId> {
        if matches!(self.bytes(name), b"true" | b"false" | b"null") {
            let literal = self.lone_word(name);
            return self.steps_after(literal);
        }
        if self.at(b"...") {
            return Some(self.tree.name(name));
        }
        let first_step = self.tree.next_step();
        let behind_name = self.pos;
        while self.peek() == b'.' {
            let dot = self.take();
            let byte = self.peek();
            let Some(name) = self.name_that_begins_with(byte) else {
                self.pos = dot.start as usize;
                break;
            };
            self.tree.attribute_step(dot.to(name), name);
        }
        if matches!(self.peek(), b'.' | b'[') && !self.at(b"...") {
            // Steps of all kinds are collected first.
            self.tree.discard_steps(first_step);
            self.pos = behind_name;
            return self.steps(Head::Variable(name), name.start);
        }
        Some(self.tree.traversal_since(name, first_step))
    }

    /// The steps after an expression, if there are any.
    #[inline(always)]
    pub(super) fn steps_after(&mut self, term: ExprId) -> Option<ExprId> {
        match self.peek() {
            b'.' | b'[' => {
                let start = self.tree.span_of(term).start;
                self.steps(Head::Expression(term), start)
            }
            _ => Some(term),
        }
    }

    /// `step = "." … | "[" …`, any number
    #[inline(never)]
    fn steps(&mut self, head: Head, start: u32) -> Option<ExprId> {
        let mut chain = Chain { head, start, first_step: self.scratch.steps.len() };
        let mut open_splats = SmallVec::<[OpenSplat; 1]>::new();
        while self.may_go_on() {
            match self.peek() {
                b'.' if !self.at(b"...") => self.dot_step(&mut chain)?,
                b'[' => open_splats.extend(self.bracket_step(&mut chain)?),
                _ => {
                    let node = chain.close(self.tree, &mut self.scratch.steps);
                    return Some(close_splats(self.tree, open_splats, node));
                }
            }
        }
        None
    }

    /// `".", name | ".", number | ".", "*", { splat_step }`
    fn dot_step(&mut self, chain: &mut Chain) -> Option<()> {
        let dot = self.take();
        if self.peek() == b'*' {
            let star = self.take();
            return self.attribute_splat(chain, dot.to(star));
        }
        let step = self.attribute_step(dot)?;
        self.scratch.steps.push(step);
        Some(())
    }

    /// `name | number` after a dot
    fn attribute_step(&mut self, dot: Span) -> Option<NewStep> {
        if !self.peek().is_ascii_digit() {
            let name = self.eat_name()?;
            return Some(NewStep::Attribute { span: dot.to(name), name });
        }
        let digits = self.digits()?;
        let is_index = !self.bytes(digits).contains(&b'.');
        is_index.then(|| NewStep::LegacyIndex { span: dot.to(digits), digits })
    }

    /// `splat_step = ".", ( name | number )`, any number, after `.*`
    fn attribute_splat(&mut self, chain: &mut Chain, marker: Span) -> Option<()> {
        let first_step = self.scratch.steps.len();
        self.peek();
        let first = super::offset(self.pos);
        while self.peek() == b'.' && !self.at(b"...") && self.may_go_on() {
            let dot = self.take();
            let step = self.attribute_step(dot)?;
            self.scratch.steps.push(step);
        }
        chain.attribute_splat(self.tree, &mut self.scratch.steps, first_step, first, marker);
        Some(())
    }

    /// `"[", expression, "]" | "[", "*", "]", { step }`
    fn bracket_step(&mut self, chain: &mut Chain) -> Option<Option<OpenSplat>> {
        let open = self.take();
        if self.eat(b'*').is_some() {
            let marker = open.to(self.eat(b']')?);
            return Some(Some(chain.full_splat(self.tree, &mut self.scratch.steps, marker)));
        }
        let outer = self.set_newlines(Newlines::Ignored);
        if !self.at_literal_key()? {
            chain.close(self.tree, &mut self.scratch.steps);
        }
        let key = self.nested(Self::key_expression, ())?;
        let brackets = open.to(self.eat(b']')?);
        self.newlines = outer;
        chain.index(self.tree, &mut self.scratch.steps, key, brackets);
        Some(None)
    }

    #[inline(never)]
    fn key_expression(&mut self, (): ()) -> Option<ExprId> {
        self.expression()
    }

    /// Whether the key that comes is a literal, and so a step, by looking ahead. Of texts with escapes that is not known.
    fn at_literal_key(&mut self) -> Option<bool> {
        let byte = self.peek();
        let start = self.pos;
        let end = match byte {
            b'0'..=b'9' => number_end(self.text, start),
            b'"' => {
                let stop = quoted_stop(self.text.as_bytes(), start + 1);
                match (self.byte_at(stop), self.byte_at(stop + 1)) {
                    (b'"', _) => stop + 1,
                    (b'$', b'{') => return Some(false),
                    _ => return None,
                }
            }
            b'<' => return None,
            _ => match ["true", "false", "null"].into_iter().find(|word| self.at_word(word)) {
                Some(word) => start + word.len(),
                None => return Some(false),
            },
        };
        self.pos = end;
        let byte = self.peek();
        let goes_on = match byte {
            b'?' | b'.' | b'[' | b'(' | b':' => true,
            byte => operator(byte, self.byte_at(self.pos + 1)).is_some(),
        };
        self.pos = start;
        Some(!goes_on)
    }
}
