//! `for` expressions, in brackets and in braces. Newlines mean nothing in them.

use nom::Parser as _;
use nom::combinator::{cut, opt};
use nom::sequence::{pair, preceded};

use super::combinator::{Mismatch, Parsed, keyword, name, token};
use super::cursor::Cursor;
use super::error::{ForEnd, SyntaxError, SyntaxErrorKind};
use super::state::Parser;
use crate::ast::{ExprId, NewFor};
use crate::source::Span;
use crate::token::TokenKind;

/// The names that a `for` binds.
#[derive(Copy, Clone)]
pub(super) struct ForNames {
    pub(super) key: Option<Span>,
    pub(super) value: Span,
}

/// Why the beginning of a `for` can't be read.
pub(super) enum BadIntroduction {
    Name(Mismatch),
    In(Mismatch),
}

/// `for_names = name, [ ",", name ]`
fn for_names(i: Cursor<'_>) -> Parsed<'_, ForNames> {
    let second = opt(preceded(token(TokenKind::Comma), cut(name)));
    let (rest, (first, second)) = pair(name, second).parse_complete(i)?;
    let names = match second {
        Some(value) => ForNames { key: Some(first), value },
        None => ForNames { key: None, value: first },
    };
    Ok((rest, names))
}

/// What of a `for` is found before its result ends.
struct Results {
    collection: ExprId,
    key: Option<ExprId>,
    value: ExprId,
    ellipsis: Option<Span>,
    condition: Option<ExprId>,
}

impl Parser<'_> {
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
        self.cursor.bump();
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
    /// Fails with what to complain about, if that has not been done.
    fn for_results(&mut self) -> Result<Results, Option<(SyntaxErrorKind, Span)>> {
        let before = self.report.now();
        let collection = self.expression();
        if self.report.lost_since(before) {
            return Err(None);
        }
        let colon = self.cursor.peek();
        if colon.kind != TokenKind::Colon {
            return Err(Some((SyntaxErrorKind::ForColonMissing, colon.span)));
        }
        self.cursor.bump();
        let before = self.report.now();
        let mut value = self.expression();
        let mut key = None;
        if self.eat(TokenKind::FatArrow).is_some() {
            key = Some(value);
            value = self.expression();
        }
        if self.report.lost_since(before) {
            return Err(None);
        }
        let ellipsis = self.eat(TokenKind::Ellipsis).map(|token| token.span);
        let mut condition = None;
        if self.take(keyword("if")).is_ok() {
            let before = self.report.now();
            condition = Some(self.expression());
            if self.report.lost_since(before) {
                return Err(None);
            }
        }
        Ok(Results { collection, key, value, ellipsis, condition })
    }

    fn close_for(&mut self, open: Span, closer: TokenKind, results: &Results) -> Span {
        let found = self.cursor.peek();
        if found.kind == closer {
            self.cursor.bump();
            return found.span;
        }
        let end = match (closer, results.condition, results.ellipsis) {
            (TokenKind::CloseBrace, Some(_), _) => ForEnd::ObjectCondition,
            (TokenKind::CloseBrace, None, Some(_)) => ForEnd::Grouping,
            (TokenKind::CloseBrace, None, None) => ForEnd::ObjectResult,
            (_, Some(_), _) => ForEnd::TupleCondition,
            (_, None, _) => ForEnd::TupleResult,
        };
        let kind = SyntaxErrorKind::ForTrailing(end);
        self.report.guarded_error(SyntaxError::new(kind, found.span).from(open));
        self.recover_past(closer).span
    }

    /// An object needs keys, a tuple has none.
    fn check_for_form(&mut self, results: &Results, whole: Span, closer: TokenKind) {
        if closer == TokenKind::CloseBrace {
            if results.key.is_none() {
                let value = self.tree.span_of(results.value);
                self.report.error(SyntaxError::new(SyntaxErrorKind::ForKeyMissing, value).within(whole));
            }
            return;
        }
        if let Some(key) = results.key {
            let key = self.tree.span_of(key);
            self.report.error(SyntaxError::new(SyntaxErrorKind::ForKeyInTuple, key).within(whole));
        }
        if let Some(ellipsis) = results.ellipsis {
            self.report.error(SyntaxError::new(SyntaxErrorKind::ForGroupingInTuple, ellipsis).within(whole));
        }
    }

    #[cold]
    fn bad_for(
        &mut self,
        open: Span,
        closer: TokenKind,
        complaint: Option<(SyntaxErrorKind, Span)>,
    ) -> ExprId {
        if let Some((kind, found)) = complaint {
            self.report.guarded_error(SyntaxError::new(kind, found).from(open));
        }
        let close = self.recover_past(closer);
        self.tree.invalid(open.to(close.span))
    }
}
