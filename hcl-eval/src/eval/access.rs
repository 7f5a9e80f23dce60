//! Indexes by computed keys, and steps after anything but a variable: chains, taken from the left.

use hcl_syntax::ast::{Expression, ExpressionKind, Steps};
use hcl_syntax::source::Span;
use smallvec::SmallVec;

use super::error::Problem;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use super::variable::{part, plain_element};
use crate::program::Note;
use crate::value::index;

impl<'a> Evaluator<'a> {
    /// The value of `collection[key]`.
    #[inline(never)]
    pub(super) fn index<'e>(
        &mut self,
        expression: Expression<'e>,
        [collection, key]: [Expression<'e>; 2],
        brackets: Span,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if collection.is_access() {
            return self.access_chain(expression, locals);
        }
        let collection = self.eval(collection, locals);
        let key = self.eval(key, locals);
        if self.stopped() {
            return Flow::dynamic();
        }
        self.element(&collection, &key, expression, brackets, locals)
    }

    /// The value of steps after an expression that is no variable.
    #[inline(never)]
    pub(super) fn relative_traversal<'e>(
        &mut self,
        expression: Expression<'e>,
        source: Expression<'e>,
        steps: Steps<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if source.is_access() {
            return self.access_chain(expression, locals);
        }
        let value = self.eval(source, locals);
        self.steps(value, steps, 0, expression, locals)
    }

    /// The value of a chain such as `f()[a].b[c]`, of any length without recursion.
    fn access_chain<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut chain: SmallVec<[Expression<'e>; 4]> = SmallVec::new();
        let mut base = expression;
        while base.is_access() {
            if !chain.is_empty() && matches!(self.note(base), Note::Constant(_)) {
                break;
            }
            if !chain.is_empty() {
                self.open(base);
            }
            chain.push(base);
            base = match base.kind() {
                ExpressionKind::Index { collection: inner, .. }
                | ExpressionKind::RelativeTraversal { source: inner, .. } => inner,
                _ => break,
            };
        }
        let before = self.diagnostics.len();
        let mut value = self.eval(base, locals);
        while let Some(link) = chain.pop() {
            value = match link.kind() {
                ExpressionKind::Index { key, brackets, .. } => {
                    let key = self.eval(key, locals);
                    self.element(&value, &key, link, brackets, locals)
                }
                ExpressionKind::RelativeTraversal { steps, .. } => self.steps(value, steps, 0, link, locals),
                _ => value,
            };
            if !chain.is_empty() {
                self.close(&value, before);
            }
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        value
    }

    fn element<'e>(
        &mut self,
        collection: &Flow<'e>,
        key: &Flow<'e>,
        link: Expression<'e>,
        brackets: Span,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if let Some(element) = part(collection, |collection| plain_element(collection, key)) {
            return element;
        }
        match index::index(collection, key) {
            Ok(value) => value.into(),
            Err(error) => {
                self.report(Problem::from(&error), Place::at(brackets), link, locals);
                Flow::dynamic()
            }
        }
    }
}
