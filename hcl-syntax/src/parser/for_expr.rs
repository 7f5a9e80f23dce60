//! `for` expressions, in brackets and in braces. Newlines mean nothing in them.

use nom::Parser as _;
use nom::combinator::{cut, opt};
use nom::sequence::{pair, preceded};

use super::combinator::{Mismatch, Parsed, keyword, name, token};
use super::error::{ForEnd, SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::state::Parser;
use crate::ast::{ExprId, NewFor};
use crate::source::Span;
use crate::token::TokenKind;

/// The names that a `for` binds.
#[derive(Copy, Clone)]
pub(super) struct ForNames {
    /// The first of two names.
    pub(super) key: Option<Span>,
    /// The second of two names, or the only one.
    pub(super) value: Span,
}

/// Why the beginning of a `for` can't be read.
pub(super) enum BadIntroduction {
    /// Something else stands where a name should.
    Name(Mismatch),
    /// Something else stands where `in` should.
    In(Mismatch),
}

/// `for_names = name, [ ",", name ]`
fn for_names<'s, I: Input<'s>>(i: I) -> Parsed<I, ForNames> {
    let second = opt(preceded(token(TokenKind::Comma), cut(name)));
    let (rest, (first, second)) = pair(name, second).parse_complete(i)?;
    let names = match second {
        Some(value) => ForNames { key: Some(first), value },
        None => ForNames { key: None, value: first },
    };
    Ok((rest, names))
}

/// The parts of a `for` that are found before its result ends.
struct Results {
    collection: ExprId,
    /// The part before `=>`.
    key: Option<ExprId>,
    value: ExprId,
    /// `...`, which groups results by key.
    ellipsis: Option<Span>,
    /// The part behind `if`.
    condition: Option<ExprId>,
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `introduction = for_names, "in"`
    pub(super) fn for_introduction(&mut self) -> Result<ForNames, BadIntroduction> {
        let names = self.take(for_names).map_err(BadIntroduction::Name)?;
        self.take(keyword("in")).map_err(BadIntroduction::In)?;
        Ok(names)
    }

    /// `for = "[", "for", introduction, expression, ":", results, "]"`, or the same in braces
    ///
    /// The bracket has been taken. Where the form can't be made out, all of it becomes a placeholder.
    pub(super) fn for_expression(&mut self, open: Span, closer: TokenKind) -> ExprId {
        self.input.take(TokenKind::Identifier);
        let first_node = self.tree.mark();
        let names = match self.for_introduction() {
            Ok(names) => names,
            Err(BadIntroduction::Name(Mismatch { found })) => {
                return self.bad_for(open, closer, Some((SyntaxErrorKind::ForNameMissing, found.span)));
            }
            Err(BadIntroduction::In(Mismatch { found })) => {
                return self.bad_for(open, closer, Some((SyntaxErrorKind::ForInMissing, found.span)));
            }
        };
        let results = match self.for_results() {
            Ok(results) => results,
            Err(complaint) => {
                self.tree.discard_from(first_node);
                return self.bad_for(open, closer, complaint);
            }
        };
        let close = self.close_for(open, closer, &results);
        self.check_for_form(&results, open.to(close), closer);
        self.tree.for_expression(
            open.to(close),
            &NewFor {
                key_name: names.key,
                value_name: names.value,
                collection: results.collection,
                key: results.key,
                value: results.value,
                condition: results.condition,
                grouping: results.ellipsis.is_some(),
                open,
                close,
            },
        )
    }

    /// `expression, ":", [ expression, "=>" ], expression, [ "..." ], [ "if", expression ]`
    ///
    /// Fails with what to complain about, if that has not been done. Which of the forms goes with which bracket is
    /// checked later, so that the reader hears of all that is wrong.
    fn for_results(&mut self) -> Result<Results, Option<(SyntaxErrorKind, Span)>> {
        let before = self.now();
        let collection = self.expression();
        if self.lost_since(before) {
            return Err(None);
        }
        if self.input.eat(TokenKind::Colon).is_none() {
            return Err(Some((SyntaxErrorKind::ForColonMissing, self.input.peek().span)));
        }
        let before = self.now();
        let mut value = self.expression();
        let mut key = None;
        if self.input.eat(TokenKind::FatArrow).is_some() {
            key = Some(value);
            value = self.expression();
        }
        if self.lost_since(before) {
            return Err(None);
        }
        let ellipsis = self.input.eat(TokenKind::Ellipsis);
        let mut condition = None;
        if self.take(keyword("if")).is_ok() {
            let before = self.now();
            condition = Some(self.expression());
            if self.lost_since(before) {
                return Err(None);
            }
        }
        Ok(Results { collection, key, value, ellipsis, condition })
    }

    /// Reads the bracket that ends a `for`. The complaint about something else says what may follow the part read
    /// last.
    fn close_for(&mut self, open: Span, closer: TokenKind, results: &Results) -> Span {
        if let Some(close) = self.input.eat(closer) {
            return close;
        }
        let found = self.input.peek().span;
        let end = match (closer, results.condition, results.ellipsis) {
            (TokenKind::CloseBrace, Some(_), _) => ForEnd::ObjectCondition,
            (TokenKind::CloseBrace, None, Some(_)) => ForEnd::Grouping,
            (TokenKind::CloseBrace, None, None) => ForEnd::ObjectResult,
            (_, Some(_), _) => ForEnd::TupleCondition,
            (_, None, _) => ForEnd::TupleResult,
        };
        let kind = SyntaxErrorKind::ForTrailing(end);
        self.guarded_error(SyntaxError::new(kind, found).from(open));
        self.recover_past(closer).span
    }

    /// Checks that an object has keys, and that a tuple has neither keys nor grouping.
    fn check_for_form(&mut self, results: &Results, whole: Span, closer: TokenKind) {
        if closer == TokenKind::CloseBrace {
            if results.key.is_none() {
                let value = self.tree.span_of(results.value);
                self.error(SyntaxError::new(SyntaxErrorKind::ForKeyMissing, value).within(whole));
            }
            return;
        }
        if let Some(key) = results.key {
            let key = self.tree.span_of(key);
            self.error(SyntaxError::new(SyntaxErrorKind::ForKeyInTuple, key).within(whole));
        }
        if let Some(ellipsis) = results.ellipsis {
            self.error(SyntaxError::new(SyntaxErrorKind::ForGroupingInTuple, ellipsis).within(whole));
        }
    }

    /// Makes a placeholder of a `for` that can't be read, and complains unless that has been done.
    fn bad_for(
        &mut self,
        open: Span,
        closer: TokenKind,
        complaint: Option<(SyntaxErrorKind, Span)>,
    ) -> ExprId {
        if let Some((kind, found)) = complaint {
            self.guarded_error(SyntaxError::new(kind, found).from(open));
        }
        let close = self.recover_past(closer);
        self.tree.invalid(open.to(close.span))
    }
}
