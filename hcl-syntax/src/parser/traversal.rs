//! What follows a term: attributes, indexes and splats.
//!
//! Steps are collected in a list until something ends the chain: a key that is no literal, a splat, or the
//! end. The steps after a full splat belong to its item; such splats are put together when the chain ends, so
//! that their number has no limit.

use smallvec::SmallVec;

use super::combinator::attribute_step;
use super::cursor::Newlines;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::operator::continues_expression;
use super::state::Parser;
use crate::ast::{ExprId, NewStep, SplatKind};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A term and the steps after it, as far as they are read.
struct Chain {
    head: Head,
    /// Where the term begins.
    start: u32,
    /// The first of the chain's steps in the list of steps.
    first_step: usize,
}

/// A full splat the steps of which are being read.
struct OpenSplat {
    /// Where the term begins that the splat's source starts with.
    start: u32,
    source: ExprId,
    marker: Span,
}

/// What the pending steps start from.
#[derive(Copy, Clone)]
enum Head {
    /// A variable, not in the tree yet.
    Variable(Span),
    Expression(ExprId),
}

impl Parser<'_> {
    /// `name | "true" | "false" | "null" | call | term`, each with `{ step }`
    ///
    /// `token` is the next one.
    #[inline]
    pub(super) fn term_with_steps(&mut self, token: Token) -> ExprId {
        if token.kind != TokenKind::Identifier {
            let term = self.term(token);
            return self.steps_after(term);
        }
        self.cursor.bump();
        let next = self.cursor.kind();
        if matches!(next, TokenKind::OpenParen | TokenKind::DoubleColon) {
            let call = self.call(token.span);
            return self.steps_after(call);
        }
        let literal = match self.cursor.bytes(token.span) {
            b"true" => self.tree.bool(token.span, true),
            b"false" => self.tree.bool(token.span, false),
            b"null" => self.tree.null(token.span),
            _ if matches!(next, TokenKind::Dot | TokenKind::OpenBracket) => {
                if let Some(traversal) = self.plain_traversal(token.span) {
                    return traversal;
                }
                return self.steps(Head::Variable(token.span), token.span.start);
            }
            _ => return self.tree.name(token.span),
        };
        self.steps_after(literal)
    }

    /// `{ ".", name }` and nothing else that goes on with a variable: so most of them are, and the steps go straight to the
    /// tree. Else nothing is taken.
    #[inline]
    fn plain_traversal(&mut self, root: Span) -> Option<ExprId> {
        let mut cursor = self.cursor.ahead();
        let first_step = self.tree.n_steps();
        let after = loop {
            let dot = cursor.nth_raw(0);
            if dot.kind != TokenKind::Dot {
                break dot.kind;
            }
            let name = cursor.nth_raw(1);
            if name.kind != TokenKind::Identifier {
                break TokenKind::Dot;
            }
            cursor.skip_raw(2);
            self.tree.attribute_step(dot.span.to(name.span), name.span);
        };
        let may_go_on = match after {
            TokenKind::Dot | TokenKind::OpenBracket => true,
            // There may be more on the next line.
            TokenKind::Newline | TokenKind::Comment => cursor.newlines() == Newlines::Ignored,
            _ => false,
        };
        if may_go_on {
            self.tree.discard_steps(first_step);
            return None;
        }
        self.cursor.advance_to(cursor);
        Some(self.tree.traversal_since(root, first_step))
    }

    /// The steps after an expression, if there are any.
    #[inline]
    fn steps_after(&mut self, term: ExprId) -> ExprId {
        if !matches!(self.cursor.kind(), TokenKind::Dot | TokenKind::OpenBracket) {
            return term;
        }
        let start = self.tree.span_of(term).start;
        self.steps(Head::Expression(term), start)
    }

    /// `step = "." … | "[" …`, any number
    fn steps(&mut self, head: Head, start: u32) -> ExprId {
        let mut chain = Chain { head, start, first_step: self.scratch.steps.len() };
        let mut open_splats = SmallVec::<[OpenSplat; 1]>::new();
        loop {
            self.refill();
            match self.cursor.kind() {
                TokenKind::Dot => self.dot_step(&mut chain),
                TokenKind::OpenBracket => open_splats.extend(self.bracket_step(&mut chain)),
                _ => break,
            }
        }
        let mut node = self.close_chain(&mut chain, self.scratch.steps.len());
        for OpenSplat { start, source, marker } in open_splats.into_iter().rev() {
            let span = Span::new(start, self.tree.span_of(node).end);
            node = self.tree.splat(SplatKind::Full, span, source, node, marker);
        }
        node
    }

    /// Makes a node of the head and the chain's steps up to `end`, and the chain's new head of it.
    fn close_chain(&mut self, chain: &mut Chain, end: usize) -> ExprId {
        let steps = &self.scratch.steps[chain.first_step..end];
        let node = match (chain.head, steps.last()) {
            (Head::Variable(root), _) => self.tree.traversal(root, steps),
            (Head::Expression(term), None) => term,
            (Head::Expression(term), Some(last)) => {
                let span = self.tree.span_of(term).to(last.span());
                self.tree.relative_traversal(span, term, steps)
            }
        };
        if end == self.scratch.steps.len() {
            self.scratch.steps.truncate(chain.first_step);
        } else {
            self.scratch.steps.drain(chain.first_step..end);
        }
        chain.head = Head::Expression(node);
        node
    }

    /// `".", name | ".", number | ".", "*", { splat_step }`
    #[inline]
    fn dot_step(&mut self, chain: &mut Chain) {
        match self.take(attribute_step) {
            Ok((span, name)) => self.scratch.steps.push(NewStep::Attribute { span, name }),
            Err(_) => self.odd_dot_step(chain),
        }
    }

    fn odd_dot_step(&mut self, chain: &mut Chain) {
        let dot = self.cursor.bump().span;
        let next = self.cursor.peek();
        match next.kind {
            TokenKind::Number => {
                self.cursor.bump();
                let step = self.legacy_index(dot, next.span, next.span);
                self.scratch.steps.push(step);
            }
            TokenKind::Star => {
                self.cursor.bump();
                self.attribute_splat(chain, dot, next.span);
            }
            _ => self.unfinished_step(chain, dot, next.span),
        }
    }

    /// `.0`; `.0.1` scans as one number, which is reported at `complain_at`.
    fn legacy_index(&mut self, dot: Span, digits: Span, complain_at: Span) -> NewStep {
        let span = dot.to(digits);
        if self.cursor.text(digits).contains('.') {
            self.report.error(SyntaxError::new(SyntaxErrorKind::LegacyIndexFraction, complain_at));
            return NewStep::InvalidLegacyIndex { span };
        }
        if self.check_number(digits) {
            NewStep::LegacyIndex { span, digits }
        } else {
            NewStep::InvalidLegacyIndex { span }
        }
    }

    /// A dot with nothing usable after it: the chain so far is replaced by a node that says so, for
    /// editors that complete names.
    #[cold]
    fn unfinished_step(&mut self, chain: &mut Chain, dot: Span, found: Span) {
        self.report.error(SyntaxError::new(SyntaxErrorKind::AttributeNameInvalid, found));
        let span = Span::new(chain.start, dot.end);
        let node = match self.report.last_kept().cloned() {
            Some(diagnostic) => self.tree.unfinished(span, vec![diagnostic]),
            None => self.tree.invalid(span),
        };
        self.scratch.steps.truncate(chain.first_step);
        chain.head = Head::Expression(node);
        self.report.set_recovering();
    }

    /// `splat_step = ".", ( name | number )`, any number, after `.*`
    ///
    /// Complaints about what follows a dot point at the star, as those of the reference implementation do.
    fn attribute_splat(&mut self, chain: &mut Chain, dot: Span, star: Span) {
        let first_step = self.scratch.steps.len();
        let first = self.cursor.peek().span;
        while self.cursor.at(TokenKind::Dot) {
            if let Ok((span, name)) = self.take(attribute_step) {
                self.scratch.steps.push(NewStep::Attribute { span, name });
                continue;
            }
            let dot = self.cursor.bump().span;
            let next = self.cursor.peek();
            if next.kind != TokenKind::Number {
                let error = match next.kind {
                    TokenKind::Star => SyntaxError::new(SyntaxErrorKind::SplatNested, next.span),
                    _ => SyntaxError::new(SyntaxErrorKind::AttributeNameInvalid, star),
                };
                self.report.guarded_error(error);
                self.report.set_recovering();
                self.scratch.steps.truncate(first_step);
                return;
            }
            self.cursor.bump();
            let step = self.legacy_index(dot, next.span, star);
            self.scratch.steps.push(step);
        }
        let source = self.close_chain(chain, first_step);
        let item = self.tree.splat_item(dot.to(star));
        let steps = &self.scratch.steps[chain.first_step..];
        let (each, end) = match steps.last() {
            None => (item, star.end),
            Some(last) => {
                let span = Span::new(first.start, last.span().end);
                (self.tree.relative_traversal(span, item, steps), span.end)
            }
        };
        self.scratch.steps.truncate(chain.first_step);
        let span = Span::new(chain.start, end);
        let splat = self.tree.splat(SplatKind::AttributeOnly, span, source, each, dot.to(star));
        chain.head = Head::Expression(splat);
    }

    /// `"[", expression, "]" | "[", "*", "]", { step }`
    fn bracket_step(&mut self, chain: &mut Chain) -> Option<OpenSplat> {
        let open = self.cursor.bump().span;
        if self.cursor.at(TokenKind::Star) {
            self.cursor.bump();
            return Some(self.full_splat(chain, open));
        }
        if !self.at_literal_key() {
            self.close_chain(chain, self.scratch.steps.len());
        }
        let (key, brackets) = self.key(open);
        if self.tree.is_literal(key) {
            self.scratch.steps.push(NewStep::Index { span: brackets, key });
        } else {
            let collection = self.close_chain(chain, self.scratch.steps.len());
            let span = Span::new(chain.start, brackets.end);
            chain.head = Head::Expression(self.tree.index(span, collection, key, brackets));
        }
        None
    }

    /// `expression, "]"`, and from where to where the brackets go; newlines within do not count.
    fn key(&mut self, open: Span) -> (ExprId, Span) {
        let outer = self.cursor.set_newlines(Newlines::Ignored);
        let before = self.report.now();
        let key = self.expression();
        let close = if self.report.lost_since(before) {
            self.recover_past(TokenKind::CloseBracket)
        } else {
            self.close_bracket(SyntaxErrorKind::IndexBracketMissing)
        };
        self.cursor.set_newlines(outer);
        (key, open.to(close.span))
    }

    /// The closing bracket; if something else stands there it is taken too, and what follows up to the
    /// bracket, unless errors came before. The complaint points at where that ends, as in the reference.
    fn close_bracket(&mut self, complaint: SyntaxErrorKind) -> Token {
        let close = self.cursor.bump();
        if close.kind == TokenKind::CloseBracket || self.report.is_recovering() {
            return close;
        }
        let end = self.recover_past(TokenKind::CloseBracket);
        self.report.error(SyntaxError::new(complaint, end.span).found(close.span));
        end
    }

    /// The steps after `[*]` are about its item, so a chain of their own begins.
    fn full_splat(&mut self, chain: &mut Chain, open: Span) -> OpenSplat {
        let close = self.close_bracket(SyntaxErrorKind::SplatBracketMissing);
        let marker = open.to(close.span);
        let source = self.close_chain(chain, self.scratch.steps.len());
        let splat = OpenSplat { start: chain.start, source, marker };
        chain.head = Head::Expression(self.tree.splat_item(marker));
        chain.start = marker.start;
        splat
    }

    /// Whether the key that comes is a literal, and so a step, by looking ahead. It matters before the key
    /// is read, because the collection of an index node precedes its key in the tree.
    fn at_literal_key(&self) -> bool {
        let (token, mut rest) = self.cursor.with_newlines(Newlines::Ignored).split_first();
        match token.kind {
            TokenKind::Number | TokenKind::PlainQuoted => {}
            TokenKind::Identifier => {
                let is_literal = matches!(rest.text(token.span), "true" | "false" | "null");
                if !is_literal || matches!(rest.kind(), TokenKind::OpenParen | TokenKind::DoubleColon) {
                    return false;
                }
            }
            TokenKind::OpenQuote | TokenKind::OpenHeredoc => {
                while matches!(rest.kind(), TokenKind::QuotedLiteral | TokenKind::StringLiteral) {
                    rest.bump();
                }
                match rest.bump().kind {
                    TokenKind::CloseQuote | TokenKind::CloseHeredoc => {}
                    TokenKind::TemplateInterpolation | TokenKind::TemplateControl => return false,
                    // Unterminated, and a literal as far as it goes.
                    _ => return true,
                }
            }
            TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::OpenParen
            | TokenKind::OpenBracket
            | TokenKind::OpenBrace => return false,
            // No expression at all: the placeholder counts as a literal.
            _ => return true,
        }
        !continues_expression(rest.kind())
    }
}
