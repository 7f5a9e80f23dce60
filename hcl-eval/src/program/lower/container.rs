//! Containers and templates: expressions with any number of parts.

use hcl_syntax::ast::{
    Expression, ExpressionKind, ExpressionList, ForExpression, Literal, ObjectItem, ObjectItems, ObjectRules,
};

use smallvec::SmallVec;

use super::{Binding, Lowered, Lowering};
use crate::Str;
use crate::eval::{Scope, is_long_literal};
use crate::program::code::{ForParts, Layout, List, Node, OpId, Place, index};
use crate::value::scattered::SEVERAL;
use crate::value::string::normalized;
use crate::value::{Shape, Value};

impl<'t> Lowering<'t, '_> {
    /// Lowers what nests and has any number of operands.
    pub(super) fn nested(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Lowered {
        let start = self.code.ops.len();
        match kind {
            ExpressionKind::Tuple(elements) => {
                let (operands, constant) = self.all(elements, Self::part);
                let constant = constant
                    && self.has_room_for(elements.len(), elements.iter().all(Expression::is_literal));
                let at = self.push(expression, Node::Tuple(operands));
                self.finish(at, start, constant)
            }
            ExpressionKind::Template(parts) => {
                let (operands, constant) = self.all(parts, Self::template_part);
                // A scope may ask for the text of a part in place of its value.
                let is_text = self.scope.is_some_and(Scope::leaves_unknown_interpolations);
                let direct = if is_text { 0 } else { self.steps_of_direct(operands) };
                let at = self.push(expression, Node::Template { direct, parts: operands });
                self.finish(at, start, constant)
            }
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::Object(items) => self.object(expression, items),
            ExpressionKind::For(names) => {
                let at = self.for_expression(expression, names);
                Lowered::alone(at, false)
            }
            _ => Lowered::alone(self.push(expression, Node::Invalid), false),
        }
    }

    /// Lowers all of these; whether all are constant.
    pub(super) fn all(
        &mut self,
        operands: ExpressionList<'t>,
        lower: impl Fn(&mut Self, Expression<'t>) -> Lowered,
    ) -> (List, bool) {
        self.ask_for_operands(operands.len());
        let n = if self.is_over { 0 } else { operands.len() };
        let mut ids: SmallVec<[OpId; 8]> = SmallVec::with_capacity(n);
        let mut constant = true;
        for operand in operands.iter().take(n) {
            if self.is_over_after(ids.len()) {
                break;
            }
            let lowered = lower(self, operand);
            constant &= lowered.constant;
            ids.push(lowered.at);
        }
        (self.list(&ids), constant)
    }

    /// Lowers an element or a value of a container. A literal that is made once takes no operation of its own.
    fn part(&mut self, expression: Expression<'t>) -> Lowered {
        match self.literal_part(expression) {
            Some(at) => Lowered::alone(at, true),
            None => self.expression(expression),
        }
    }

    /// Lowers a part of a template. A literal text takes no step, and no operation of its own where it is kept.
    fn template_part(&mut self, expression: Expression<'t>) -> Lowered {
        let ExpressionKind::Text(text) = expression.kind() else { return self.expression(expression) };
        if self.is_kept()
            && let Some(at) = OpId::of_constant(self.add(Value::string(text)))
        {
            return Lowered::alone(at, true);
        }
        let at = self.literal(expression, Literal::Text(text));
        self.discount(at);
        Lowered::alone(at, true)
    }

    /// The operand that stands for a literal, where that is made once and nobody watches.
    fn literal_part(&self, expression: Expression<'t>) -> Option<OpId> {
        if self.is_made_once() && expression.is_literal() && !is_long_literal(expression) {
            OpId::of_literal(expression.id())
        } else {
            None
        }
    }

    /// The layout of an object whose keys are all known, if there is room for it.
    fn layout(&mut self, items: ObjectItems<'_>) -> Option<Layout> {
        // The names, a list of them in order, and what finds the order lie beside the layout.
        self.ask_for_room(items.len() * 4 * size_of::<Str>());
        if self.is_over { None } else { layout(items) }
    }

    /// Lowers an object: to a record, whose names are laid out once, if its keys are names and nobody has to see them
    /// evaluated; else to keys and values in turn.
    fn object(&mut self, expression: Expression<'t>, items: ObjectItems<'t>) -> Lowered {
        let start = self.code.ops.len();
        let is_json = items.rules() == ObjectRules::Json;
        // Keys that are literals are told to who watches, which nobody does with programs.
        let has_layout = self.folds() || self.is_kept() && items.iter().all(|item| item.key_name().is_some());
        let layout = if is_json || !has_layout { None } else { self.layout(items) };
        let lower = if is_json { Self::expression } else { Self::part };
        self.ask_for_operands(2 * items.len());
        let mut ids: SmallVec<[OpId; 8]> = SmallVec::new();
        let mut constant = true;
        for (n, item) in items.iter().enumerate() {
            if self.is_over_after(n) {
                break;
            }
            if layout.is_none() {
                let key = if item.key_name().is_some() && !is_json {
                    Lowered::alone(self.key_name(item.key), true)
                } else if !is_json && matches!(item.key.kind(), ExpressionKind::Traversal(_)) {
                    Lowered::alone(self.push_of_cost(item.key, Node::AmbiguousKey, 0), false)
                } else {
                    lower(self, item.key)
                };
                constant &= key.constant;
                ids.push(key.at);
            }
            let value = lower(self, item.value);
            constant &= value.constant;
            ids.push(value.at);
        }
        constant = constant && self.has_room_for(items.len(), items.iter().all(is_literal_item));
        let operands = self.list(&ids);
        let node = match layout {
            Some(layout) => {
                if self.code.layouts.len() == self.code.layouts.capacity() {
                    self.ask_for_room(3 * self.code.layouts.capacity() * size_of::<Layout>());
                    if self.is_over {
                        return Lowered::alone(self.code.root(), false);
                    }
                }
                self.code.layouts.push(layout);
                let direct = ids.len() < SEVERAL && ids.iter().all(|&at| self.code.op(at).node.is_simple());
                Node::Record { direct, layout: index(self.code.layouts.len() - 1), values: operands }
            }
            None if is_json => Node::JsonObject(operands),
            None => Node::Object(operands),
        };
        let at = self.push(expression, node);
        self.finish(at, start, constant)
    }

    /// The operand that stands for a plain name that is a key.
    fn key_name(&mut self, key: Expression<'t>) -> OpId {
        // A name such as `null` is a literal as an expression.
        match OpId::of_literal(key.id()).filter(|_| self.is_made_once() && !key.is_literal()) {
            Some(at) => at,
            None => self.push_of_cost(key, Node::KeyName, 0),
        }
    }

    fn for_expression(&mut self, expression: Expression<'t>, names: ForExpression<'t>) -> OpId {
        let collection = self.expression(names.collection()).at;
        let depth = index(self.bindings.len());
        self.deep_names.enter(names, depth);
        self.bindings.push(Binding::For(names));
        let key = names.key().map(|key| self.expression(key).at);
        let value = self.expression(names.value()).at;
        let condition = names.condition().map(|condition| self.expression(condition).at);
        self.bindings.pop();
        self.deep_names.leave(names, depth);
        let parts = self.list(&ForParts { collection, condition, key, value }.operands());
        self.push(expression, Node::For(parts.first))
    }

    /// The steps that operands take if all of them lead straight to values; else 0.
    pub(super) fn steps_of_direct(&self, operands: List) -> u16 {
        let operands = self.code.list(operands).iter().copied().filter(|at| at.as_constant().is_none());
        self.steps_of_operands(operands, |_| false)
    }
}

fn is_literal_item(item: ObjectItem<'_>) -> bool {
    item.value.is_literal() && (item.key_name().is_some() || item.key.is_literal())
}

/// The layout of an object whose keys are all known.
fn layout(items: ObjectItems<'_>) -> Option<Layout> {
    let mut names: SmallVec<[Str; 8]> = SmallVec::with_capacity(items.len());
    for item in items.iter() {
        let name = item.key_name().or_else(|| match item.key.kind() {
            ExpressionKind::Text(text) => Some(text),
            _ => None,
        });
        names.push(normalized(name?));
    }
    let (shape, positions) = Shape::with_places(&mut names);
    let place =
        |(position, item): (u32, ObjectItem<'_>)| Place { position, is_literal: item.key_name().is_none() };
    let places = positions.into_iter().zip(items.iter()).map(place).collect();
    Some(Layout { shape, places })
}
