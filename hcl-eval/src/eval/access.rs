//! Indexes by computed keys, and steps after anything but a variable: chains, taken from the left.

use hcl_syntax::ast::ExpressionKind;
use smallvec::SmallVec;

use super::error::Problem;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::report::Place;
use super::variable::{part, plain_element};
use crate::program::{Node, OpId};
use crate::value::{ValueErrorKind, index};

impl Evaluator<'_> {
    fn written_steps<'e>(&mut self, value: Flow<'e>, at: OpId, env: Env<'e>) -> Flow<'e> {
        let expression = env.source(at);
        let ExpressionKind::RelativeTraversal { steps, .. } = expression.kind() else { return value };
        self.steps(value, steps, 0, expression, env)
    }

    /// The value of a chain such as `f()[a].b[c]`, of any length without recursion.
    pub(super) fn access<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut chain: SmallVec<[OpId; 4]> = SmallVec::new();
        let mut base = at;
        while let Node::Index { collection: inner, .. } | Node::Steps(inner) = env.op(base).node
            && (chain.is_empty() || env.is_link(base))
        {
            if !chain.is_empty() {
                self.open(env.source(base));
            }
            chain.push(base);
            base = inner;
        }
        let before = self.diagnostics.len();
        let mut value = self.eval_seldom(base, env);
        while let Some(link) = chain.pop() {
            value = match env.op(link).node {
                Node::Index { key, .. } => {
                    let key = self.eval_seldom(key, env);
                    self.element(&value, &key, link, env)
                }
                _ => self.written_steps(value, link, env),
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

    fn element<'e>(&mut self, collection: &Flow<'e>, key: &Flow<'e>, at: OpId, env: Env<'e>) -> Flow<'e> {
        if let Some(element) = part(collection, |collection| plain_element(collection, key)) {
            return element;
        }
        match index::index_on(collection, key, &mut Some(self.meter)) {
            Ok(value) => value.into(),
            Err(error) if let ValueErrorKind::Limit(_) = error.kind => self.stop_at(at, env),
            Err(error) => {
                let link = env.source(at);
                let ExpressionKind::Index { brackets, .. } = link.kind() else { return Flow::dynamic() };
                self.report(Problem::from(&error), Place::at(brackets), link, env);
                Flow::dynamic()
            }
        }
    }
}
