//! Expressions: operations, literals, names, calls, collections, `for`.

use super::{NOTHING, Reader};
use crate::ast::{ExprId, NewCall, NewFor, UnaryOperator};
use crate::lexer::{DIGIT, number_end};
use crate::parser::cursor::Newlines;
use crate::parser::for_expr::ForNames;
use crate::parser::literal::is_number;
use crate::parser::operator::{LOOSEST, Power, binary_operator};
use crate::source::Span;
use crate::token::TokenKind;

/// The operator that begins with a byte which another follows, with its length.
#[inline]
pub(super) fn operator(first: u8, second: u8) -> Option<(TokenKind, usize)> {
    Some(match (first, second) {
        (b'|', b'|') => (TokenKind::Or, 2),
        (b'&', b'&') => (TokenKind::And, 2),
        (b'=', b'=') => (TokenKind::Equal, 2),
        (b'!', b'=') => (TokenKind::NotEqual, 2),
        (b'<', b'=') => (TokenKind::LessEqual, 2),
        (b'>', b'=') => (TokenKind::GreaterEqual, 2),
        (b'<', _) => (TokenKind::Less, 1),
        (b'>', _) => (TokenKind::Greater, 1),
        (b'+', _) => (TokenKind::Plus, 1),
        (b'-', _) => (TokenKind::Minus, 1),
        (b'*', _) => (TokenKind::Star, 1),
        (b'/', _) => (TokenKind::Slash, 1),
        (b'%', _) => (TokenKind::Percent, 1),
        _ => return None,
    })
}

impl Reader<'_> {
    /// An expression up to the end of the text.
    pub(super) fn whole_expression(&mut self) -> Option<ExprId> {
        let root = self.expression()?;
        self.is_at_end().then_some(root)
    }

    /// `expression = operation, [ "?", expression, ":", expression ]`
    pub(super) fn expression(&mut self) -> Option<ExprId> {
        let byte = self.peek();
        let start = self.pos;
        let operand = self.operand(byte)?;
        match self.peek() {
            b'\n' | b',' | b'}' | b')' | b']' | b'~' | NOTHING => Some(operand),
            _ => self.nested(Self::conditional, (start, operand)),
        }
    }

    /// The same, of which the first operand has been taken, that begins at `start`.
    #[inline(never)]
    fn conditional(&mut self, (start, operand): (usize, ExprId)) -> Option<ExprId> {
        let condition = self.operations(operand, LOOSEST)?;
        if self.eat(b'?').is_none() {
            return Some(condition);
        }
        let when_true = self.expression()?;
        self.eat_colon()?;
        let when_false = self.expression()?;
        let span = Span::new(super::offset(start), self.tree.span_of(when_false).end);
        Some(self.tree.conditional(span, [condition, when_true, when_false]))
    }

    /// `operation = operand, { operator, operand }`, of which the first operand has been taken; operators as loose as `outer`
    /// are left to the caller.
    fn operations(&mut self, mut left: ExprId, outer: Power) -> Option<ExprId> {
        while self.may_go_on() {
            let byte = self.peek();
            let Some((kind, len)) = operator(byte, self.byte_at(self.pos + 1)) else { return Some(left) };
            let (power, operator) = binary_operator(kind)?;
            if power <= outer {
                return Some(left);
            }
            self.pos += len;
            let byte = self.peek();
            let right = self.next_operand(byte)?;
            let right = self.operations(right, power)?;
            let span = self.tree.span_of(left).to(self.tree.span_of(right));
            left = self.tree.binary(span, operator, left, right);
        }
        None
    }

    /// The operand behind an operator; `byte` is next.
    #[inline(never)]
    fn next_operand(&mut self, byte: u8) -> Option<ExprId> {
        self.operand(byte)
    }

    /// `operand = { "-" | "!" }, term, { step }`; `byte` is next.
    #[inline(always)]
    fn operand(&mut self, byte: u8) -> Option<ExprId> {
        let term = match byte {
            b'"' => self.quoted()?,
            b'0'..=b'9' => self.number()?,
            b'[' => self.nested(Self::tuple_or_for, ())?,
            b'{' => self.nested(Self::object_or_for, ())?,
            b'(' => self.nested(Self::parentheses, ())?,
            b'-' => return self.nested(Self::prefixed, UnaryOperator::Negate),
            b'!' if self.byte_at(self.pos + 1) != b'=' => {
                return self.nested(Self::prefixed, UnaryOperator::Not);
            }
            b'<' => self.by_tokens()?,
            byte => return self.word(byte),
        };
        self.steps_after(term)
    }

    #[inline(never)]
    fn prefixed(&mut self, operator: UnaryOperator) -> Option<ExprId> {
        let at = self.take();
        let byte = self.peek();
        let operand = self.next_operand(byte)?;
        Some(self.tree.unary(at.to(self.tree.span_of(operand)), operator, operand))
    }

    #[inline(always)]
    fn number(&mut self) -> Option<ExprId> {
        let digits = self.digits()?;
        Some(self.tree.number(digits))
    }

    /// Takes the number that is next. A few digits, a point among them or none, and nothing else are one.
    #[inline(always)]
    pub(super) fn digits(&mut self) -> Option<Span> {
        const FEW: usize = 64;
        let start = self.pos;
        let mut end = DIGIT.skip(self.text.as_bytes(), start);
        if self.byte_at(end) == b'.' && self.byte_at(end + 1).is_ascii_digit() {
            end = DIGIT.skip(self.text.as_bytes(), end + 2);
        }
        if matches!(self.byte_at(end), b'.' | b'e' | b'E') || end - start > FEW {
            return self.unusual_number();
        }
        self.pos = end;
        Some(super::span(start, end))
    }

    #[inline(never)]
    fn unusual_number(&mut self) -> Option<Span> {
        let start = self.pos;
        self.pos = number_end(self.text, start);
        is_number(&self.text[start..self.pos]).then(|| super::span(start, self.pos))
    }

    /// `name | "true" | "false" | "null" | call`, each with `{ step }`
    #[inline]
    fn word(&mut self, byte: u8) -> Option<ExprId> {
        let name = self.name_that_begins_with(byte)?;
        match self.peek() {
            b'(' => self.call(name, name),
            b':' if self.at(b"::") => self.qualified_call(name),
            b'.' | b'[' => self.word_with_steps(name),
            _ => Some(self.lone_word(name)),
        }
    }

    /// `name | "true" | "false" | "null"`, taken already; nothing follows that makes more of it.
    #[inline(always)]
    pub(super) fn lone_word(&mut self, name: Span) -> ExprId {
        match self.bytes(name) {
            b"true" => self.tree.bool(name, true),
            b"false" => self.tree.bool(name, false),
            b"null" => self.tree.null(name),
            _ => self.tree.name(name),
        }
    }

    /// `parentheses = "(", expression, ")"`
    #[inline(never)]
    fn parentheses(&mut self, (): ()) -> Option<ExprId> {
        let open = self.take();
        let outer = self.set_newlines(Newlines::Ignored);
        let inner = self.expression()?;
        let close = self.eat(b')')?;
        self.newlines = outer;
        Some(self.tree.parentheses(open.to(close), inner))
    }

    /// `name, { "::", name }, …` without blanks
    fn qualified_call(&mut self, first: Span) -> Option<ExprId> {
        let mut last = first;
        while self.pos == last.end as usize && self.at(b"::") {
            self.pos += 2;
            let byte = self.byte_at(self.pos);
            last = self.name_that_begins_with(byte)?;
        }
        if self.peek() == b'(' { self.call(first, last) } else { None }
    }

    /// `"(", [ expression, { ",", expression }, [ "," | "..." ] ], ")"` after the name, and steps
    fn call(&mut self, first: Span, last: Span) -> Option<ExprId> {
        let call = self.nested(Self::arguments, (first, last))?;
        self.steps_after(call)
    }

    #[inline(never)]
    fn arguments(&mut self, (first, last): (Span, Span)) -> Option<ExprId> {
        let open = self.take();
        let outer = self.set_newlines(Newlines::Ignored);
        let first_argument = self.scratch.expressions.len();
        let mut expand_final = false;
        let close = loop {
            if let Some(close) = self.eat(b')') {
                break close;
            }
            let argument = self.list_item()?;
            self.scratch.expressions.push(argument);
            match self.peek() {
                b',' => self.pos += 1,
                b'.' if self.at(b"...") => {
                    self.pos += 3;
                    expand_final = true;
                    break self.eat(b')')?;
                }
                b')' => break self.take(),
                _ => return None,
            }
        };
        self.newlines = outer;
        let call = self.tree.call(
            first.to(close),
            &NewCall {
                name: first.to(last),
                name_text: None,
                open,
                close,
                arguments: &self.scratch.expressions[first_argument..],
                expand_final,
            },
        );
        self.scratch.expressions.truncate(first_argument);
        Some(call)
    }

    /// An expression of a list, unless the work is to end.
    #[inline(always)]
    fn list_item(&mut self) -> Option<ExprId> {
        if self.may_go_on() { self.expression() } else { None }
    }

    /// `tuple = "[", [ expression, { ",", expression }, [ "," ] ], "]" | "[", "for", …`
    #[inline(never)]
    fn tuple_or_for(&mut self, (): ()) -> Option<ExprId> {
        let open = self.take();
        let outer = self.set_newlines(Newlines::Ignored);
        let node = if self.peek() == b'f' && self.at_word("for") {
            self.for_expression(open, b']')?
        } else {
            self.tuple(open)?
        };
        self.newlines = outer;
        Some(node)
    }

    fn tuple(&mut self, open: Span) -> Option<ExprId> {
        let first = self.scratch.expressions.len();
        let close = loop {
            if let Some(close) = self.eat(b']') {
                break close;
            }
            let element = self.list_item()?;
            self.scratch.expressions.push(element);
            match self.peek() {
                b',' => self.pos += 1,
                b']' => break self.take(),
                _ => return None,
            }
        };
        let tuple = self.tree.tuple(open.to(close), &self.scratch.expressions[first..]);
        self.scratch.expressions.truncate(first);
        Some(tuple)
    }

    /// `object = "{", { newline }, [ item, { ( "," | newline ), { newline }, item }, [ "," ] ], { newline }, "}" | "{", "for",
    /// …`
    #[inline(never)]
    fn object_or_for(&mut self, (): ()) -> Option<ExprId> {
        let open = self.take();
        let outer = self.set_newlines(Newlines::Ignored);
        let node = if self.peek() == b'f' && self.at_word("for") {
            self.for_expression(open, b'}')?
        } else {
            self.newlines = Newlines::Significant;
            self.object(open)?
        };
        self.newlines = outer;
        Some(node)
    }

    fn object(&mut self, open: Span) -> Option<ExprId> {
        let first = self.scratch.expressions.len();
        let close = loop {
            match self.peek() {
                b'\n' => {
                    self.take_newline();
                    continue;
                }
                b'}' => break self.take(),
                _ => {}
            }
            if !self.may_go_on() {
                return None;
            }
            let key = self.key()?;
            if self.at_equals() {
                self.pos += 1;
            } else {
                self.eat_colon()?;
            }
            let value = self.expression()?;
            self.scratch.expressions.push(key);
            self.scratch.expressions.push(value);
            match self.peek() {
                b'\n' => self.take_newline(),
                b',' => self.pos += 1,
                b'}' => break self.take(),
                _ => return None,
            }
        };
        let object = self.tree.object(open.to(close), &self.scratch.expressions[first..]);
        self.scratch.expressions.truncate(first);
        Some(object)
    }

    /// The key of an item: a name alone, as most are, or any expression.
    #[inline(always)]
    fn key(&mut self) -> Option<ExprId> {
        let byte = self.peek();
        let start = self.pos;
        if let Some(name) = self.name_that_begins_with(byte) {
            if self.at_equals() || self.at_colon() {
                return Some(self.lone_word(name));
            }
            self.pos = start;
        }
        self.expression()
    }

    /// Takes a colon that is no part of `::`.
    #[inline(never)]
    fn eat_colon(&mut self) -> Option<()> {
        self.at_colon().then(|| self.pos += 1)
    }

    #[inline(always)]
    fn at_colon(&mut self) -> bool {
        self.peek() == b':' && !self.at(b"::")
    }

    /// `for = "[", "for", introduction, expression, ":", results, "]"`, or the same in braces
    ///
    /// The bracket has been taken.
    fn for_expression(&mut self, open: Span, closer: u8) -> Option<ExprId> {
        self.pos += "for".len();
        let names = self.for_names()?;
        let collection = self.expression()?;
        self.eat_colon()?;
        let mut value = self.expression()?;
        let mut key = None;
        if self.peek() == b'=' && self.at(b"=>") {
            self.pos += 2;
            key = Some(value);
            value = self.expression()?;
        }
        let grouping = self.peek() == b'.' && self.at(b"...");
        if grouping {
            self.pos += 3;
        }
        let mut condition = None;
        if self.peek() == b'i' && self.at_word("if") {
            self.pos += "if".len();
            condition = Some(self.expression()?);
        }
        let close = self.eat(closer)?;
        let is_object = closer == b'}';
        if is_object != key.is_some() || (grouping && !is_object) {
            return None;
        }
        let ForNames { key: key_name, value: value_name } = names;
        let new = NewFor { key_name, value_name, collection, key, value, condition, grouping, open, close };
        Some(self.tree.for_expression(open.to(close), &new))
    }

    /// `introduction = name, [ ",", name ], "in"`
    pub(super) fn for_names(&mut self) -> Option<ForNames> {
        let first = self.eat_name()?;
        let names = match self.eat(b',') {
            Some(_) => ForNames { key: Some(first), value: self.eat_name()? },
            None => ForNames { key: None, value: first },
        };
        self.peek();
        if !self.at_word("in") {
            return None;
        }
        self.pos += "in".len();
        Some(names)
    }
}
