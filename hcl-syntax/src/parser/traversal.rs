//! Suffixes of terms: attributes, indexes and splats.
//!
//! Steps are collected in a list until something ends the chain: a key that is no literal, a splat, or the
//! end. The steps after a full splat belong to its item; such splats are put together when the chain ends, so
//! that their number has no limit.

use smallvec::SmallVec;

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::{Input, Newlines};
use super::operator::continues_operation;
use super::state::Parser;
use crate::ast::{ExprId, Lists, NewStep, SplatKind};
use crate::limits::Watch;
use crate::source::Span;
use crate::token::TokenKind;

/// A term and the steps after it, as far as they are read.
pub(super) struct Chain {
    /// The expression before the steps that are not in the tree yet.
    pub(super) head: Head,
    /// Where the term begins.
    pub(super) start: u32,
    /// The first of the chain's steps in the list of steps.
    pub(super) first_step: usize,
}

/// The steps of chains that are being read.
type StepList = SmallVec<[NewStep; 8]>;

/// A full splat the steps of which are being read.
pub(super) struct OpenSplat {
    /// Where the term begins that the splat's source starts with.
    start: u32,
    /// The expression that gives the elements.
    source: ExprId,
    /// From `[` to `]`.
    marker: Span,
}

/// The expression that the pending steps start from.
#[derive(Copy, Clone)]
pub(super) enum Head {
    /// A variable, not in the tree yet.
    Variable(Span),
    /// A node of the tree.
    Expression(ExprId),
}

/// Makes the full splats of a chain whose last item's node this is, the innermost first.
fn close_splats(tree: &mut Lists, watch: &Watch, open: SmallVec<[OpenSplat; 1]>, mut node: ExprId) -> ExprId {
    for OpenSplat { start, source, marker } in watch.each(open.into_iter().rev(), 1) {
        let span = Span::new(start, tree.span_of(node).end);
        node = tree.splat(SplatKind::Full, span, source, node, marker);
    }
    node
}

impl Chain {
    /// Makes a node of the head and the steps, and the new head of it.
    pub(super) fn close(&mut self, tree: &mut Lists, steps: &mut StepList) -> ExprId {
        self.close_before(tree, steps, steps.len())
    }

    /// Closes the chain with the steps before `end`.
    fn close_before(&mut self, tree: &mut Lists, steps: &mut StepList, end: usize) -> ExprId {
        let own = &steps[self.first_step..end];
        let node = match (self.head, own.last()) {
            (Head::Variable(root), _) => tree.traversal(root, own),
            (Head::Expression(term), None) => term,
            (Head::Expression(term), Some(last)) => {
                let span = tree.span_of(term).to(last.span());
                tree.relative_traversal(span, term, own)
            }
        };
        if end == steps.len() {
            steps.truncate(self.first_step);
        } else {
            steps.drain(self.first_step..end);
        }
        self.head = Head::Expression(node);
        node
    }

    /// An attribute splat by `marker`, with the steps from `first_step` on; `first` is where they begin.
    pub(super) fn attribute_splat(
        &mut self,
        tree: &mut Lists,
        steps: &mut StepList,
        first_step: usize,
        first: u32,
        marker: Span,
    ) {
        let source = self.close_before(tree, steps, first_step);
        let item = tree.splat_item(marker);
        let own = &steps[self.first_step..];
        let (each, end) = match own.last() {
            None => (item, marker.end),
            Some(last) => {
                let span = Span::new(first, last.span().end);
                (tree.relative_traversal(span, item, own), span.end)
            }
        };
        steps.truncate(self.first_step);
        let span = Span::new(self.start, end);
        self.head = Head::Expression(tree.splat(SplatKind::AttributeOnly, span, source, each, marker));
    }

    /// A full splat by `marker`: the steps after it are about its item, so a chain of their own begins.
    pub(super) fn full_splat(&mut self, tree: &mut Lists, steps: &mut StepList, marker: Span) -> OpenSplat {
        let source = self.close(tree, steps);
        let splat = OpenSplat { start: self.start, source, marker };
        self.head = Head::Expression(tree.splat_item(marker));
        self.start = marker.start;
        splat
    }

    /// An index by `key`: a step if that is a literal, else a node; then the chain has been closed before the key was read.
    pub(super) fn index(&mut self, tree: &mut Lists, steps: &mut StepList, key: ExprId, brackets: Span) {
        if tree.is_literal(key) {
            return steps.push(NewStep::Index { span: brackets, key });
        }
        let collection = self.close(tree, steps);
        let span = Span::new(self.start, brackets.end);
        self.head = Head::Expression(tree.index(span, collection, key, brackets));
    }
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `name | "true" | "false" | "null" | call`, each with `{ step }`; and the kind of the token behind it
    pub(super) fn name_with_steps(&mut self) -> (ExprId, TokenKind) {
        let name = self.input.take(TokenKind::Identifier);
        if !self.input.at(TokenKind::Dot) {
            match self.input.kind() {
                TokenKind::OpenParen | TokenKind::DoubleColon => {
                    let call = self.call(name);
                    return self.steps_after(call);
                }
                TokenKind::OpenBracket => {}
                next => return (self.lone_name(name), next),
            }
        }
        match self.input.bytes(name) {
            b"true" | b"false" | b"null" => {
                let literal = self.lone_name(name);
                self.steps_after(literal)
            }
            _ => self.variable_with_steps(name),
        }
    }

    /// `name | "true" | "false" | "null"`, which has been taken, and nothing that makes more of it follows
    pub(super) fn lone_name(&mut self, name: Span) -> ExprId {
        match self.input.bytes(name) {
            b"true" => self.tree.bool(name, true),
            b"false" => self.tree.bool(name, false),
            b"null" => self.tree.null(name),
            _ => self.tree.name(name),
        }
    }

    /// `name, { step }`, where the name is that of a variable
    ///
    /// Most steps are attributes: these go into the tree at once, as nothing else is pushed between them.
    fn variable_with_steps(&mut self, name: Span) -> (ExprId, TokenKind) {
        let first_step = self.tree.next_step();
        while let Some((span, name)) = self.input.take_attribute() {
            self.tree.attribute_step(span, name);
        }
        let next = self.input.kind();
        if !matches!(next, TokenKind::Dot | TokenKind::OpenBracket) {
            return (self.tree.traversal_since(name, first_step), next);
        }
        let first_in_list = self.scratch.steps.len();
        self.tree.take_attribute_steps(first_step, &mut self.scratch.steps);
        self.steps(Chain { head: Head::Variable(name), start: name.start, first_step: first_in_list })
    }

    /// The steps after an expression, if there are any; and the kind of the token behind them.
    pub(super) fn steps_after(&mut self, term: ExprId) -> (ExprId, TokenKind) {
        let next = self.input.kind();
        if !matches!(next, TokenKind::Dot | TokenKind::OpenBracket) {
            return (term, next);
        }
        let start = self.tree.span_of(term).start;
        self.steps(Chain { head: Head::Expression(term), start, first_step: self.scratch.steps.len() })
    }

    /// `step = "." … | "[" …`, any number; and the kind of the token behind them
    fn steps(&mut self, mut chain: Chain) -> (ExprId, TokenKind) {
        let mut open_splats = SmallVec::<[OpenSplat; 1]>::new();
        let behind = loop {
            match self.input.kind() {
                TokenKind::Dot => self.dot_step(&mut chain),
                TokenKind::OpenBracket => open_splats.extend(self.bracket_step(&mut chain)),
                next => break next,
            }
        };
        let node = chain.close(self.tree, &mut self.scratch.steps);
        (close_splats(self.tree, self.report.watch(), open_splats, node), behind)
    }

    /// `".", name | ".", number | ".", "*", { splat_step }`
    fn dot_step(&mut self, chain: &mut Chain) {
        if let Some((span, name)) = self.input.take_attribute() {
            return self.scratch.steps.push(NewStep::Attribute { span, name });
        }
        let dot = self.input.take(TokenKind::Dot);
        match self.input.kind() {
            TokenKind::Number => {
                let digits = self.input.take(TokenKind::Number);
                let step = self.legacy_index(dot, digits, digits);
                self.scratch.steps.push(step);
            }
            TokenKind::Star => {
                let star = self.input.take(TokenKind::Star);
                self.attribute_splat(chain, dot, star);
            }
            _ => self.unfinished_step(chain, dot),
        }
    }

    /// `.0`; `.0.1` scans as one number, which is reported at `complain_at`.
    fn legacy_index(&mut self, dot: Span, digits: Span, complain_at: Span) -> NewStep {
        let span = dot.to(digits);
        if self.input.text(digits).contains('.') {
            self.error(SyntaxError::new(SyntaxErrorKind::LegacyIndexFraction, complain_at));
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
    fn unfinished_step(&mut self, chain: &mut Chain, dot: Span) {
        let found = self.input.peek().span;
        self.error(SyntaxError::new(SyntaxErrorKind::AttributeNameInvalid, found));
        let span = Span::new(chain.start, dot.end);
        let node = self.unfinished(span);
        self.scratch.steps.truncate(chain.first_step);
        chain.head = Head::Expression(node);
        self.report.set_recovering();
    }

    /// `splat_step = ".", ( name | number )`, any number, after `.*`
    ///
    /// Complaints about what follows a dot point at the star, as those of the reference implementation do.
    fn attribute_splat(&mut self, chain: &mut Chain, dot: Span, star: Span) {
        let first_step = self.scratch.steps.len();
        // The place of the next token is sure only after its kind has been asked.
        self.input.kind();
        let first = self.input.start();
        while self.input.at(TokenKind::Dot) {
            if let Some((span, name)) = self.input.take_attribute() {
                self.scratch.steps.push(NewStep::Attribute { span, name });
                continue;
            }
            let dot = self.input.take(TokenKind::Dot);
            if !self.input.at(TokenKind::Number) {
                let next = self.input.peek();
                let error = match next.kind {
                    TokenKind::Star => SyntaxError::new(SyntaxErrorKind::SplatNested, next.span),
                    _ => SyntaxError::new(SyntaxErrorKind::AttributeNameInvalid, star),
                };
                self.guarded_error(error);
                self.report.set_recovering();
                self.scratch.steps.truncate(first_step);
                return;
            }
            let digits = self.input.take(TokenKind::Number);
            let step = self.legacy_index(dot, digits, star);
            self.scratch.steps.push(step);
        }
        chain.attribute_splat(self.tree, &mut self.scratch.steps, first_step, first, dot.to(star));
    }

    /// `"[", expression, "]" | "[", "*", "]", { step }`
    fn bracket_step(&mut self, chain: &mut Chain) -> Option<OpenSplat> {
        let open = self.input.take(TokenKind::OpenBracket);
        if self.input.eat(TokenKind::Star).is_some() {
            let close = self.close_bracket(SyntaxErrorKind::SplatBracketMissing);
            return Some(chain.full_splat(self.tree, &mut self.scratch.steps, open.to(close)));
        }
        if !self.at_literal_key() {
            chain.close(self.tree, &mut self.scratch.steps);
        }
        let (key, brackets) = self.key(open);
        chain.index(self.tree, &mut self.scratch.steps, key, brackets);
        None
    }

    /// `expression, "]"`, and from where to where the brackets go; newlines within do not count.
    fn key(&mut self, open: Span) -> (ExprId, Span) {
        let outer = self.input.set_newlines(Newlines::Ignored);
        let before = self.now();
        let key = self.expression();
        let close = if self.lost_since(before) {
            self.recover_past(TokenKind::CloseBracket).span
        } else {
            self.close_bracket(SyntaxErrorKind::IndexBracketMissing)
        };
        self.input.set_newlines(outer);
        (key, open.to(close))
    }

    /// The closing bracket; if something else stands there it is taken too, and what follows up to the
    /// bracket, unless errors came before. The complaint points at where that ends, as in the reference.
    fn close_bracket(&mut self, complaint: SyntaxErrorKind) -> Span {
        if let Some(close) = self.input.eat(TokenKind::CloseBracket) {
            return close;
        }
        let found = self.input.bump().span;
        if self.report.is_recovering() {
            return found;
        }
        let end = self.recover_past(TokenKind::CloseBracket).span;
        self.error(SyntaxError::new(complaint, end).found(found));
        end
    }

    /// Looks ahead whether the key that comes is a literal, and so a step. It matters before the key is read, because
    /// the collection of an index node precedes its key in the tree. Only tokens are looked at; a long key is read
    /// twice, but none more often, since keys inside of it are not looked at.
    fn at_literal_key(&mut self) -> bool {
        let place = self.input.place();
        let outer = self.input.set_newlines(Newlines::Ignored);
        let is_literal = self.takes_literal_key();
        self.input.set_newlines(outer);
        self.input.go_back(place);
        is_literal
    }

    /// Takes the key up to what follows it and tells if it is a literal.
    fn takes_literal_key(&mut self) -> bool {
        match self.input.kind() {
            TokenKind::Number => {
                self.input.take(TokenKind::Number);
            }
            TokenKind::Identifier => {
                let name = self.input.take(TokenKind::Identifier);
                let is_literal = matches!(self.input.text(name), "true" | "false" | "null");
                if !is_literal || matches!(self.input.kind(), TokenKind::OpenParen | TokenKind::DoubleColon) {
                    return false;
                }
            }
            kind @ (TokenKind::OpenQuote | TokenKind::OpenHeredoc) => {
                let opener = self.input.take(kind);
                let within = self.input.within(kind, opener);
                loop {
                    match self.input.take_part(within).kind {
                        TokenKind::QuotedLiteral | TokenKind::StringLiteral => {}
                        TokenKind::CloseQuote | TokenKind::CloseHeredoc => break,
                        TokenKind::TemplateInterpolation | TokenKind::TemplateControl => return false,
                        // Unterminated, and a literal as far as it goes.
                        _ => return true,
                    }
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
        let next = self.input.kind();
        !continues_operation(next) && !matches!(next, TokenKind::Dot | TokenKind::OpenBracket)
    }
}
