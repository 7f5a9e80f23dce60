//! Visiting every expression of a tree in the order of evaluation, without recursion.

use smallvec::{SmallVec, smallvec};

use super::collection::ObjectItem;
use super::{Expression, ExpressionKind, ExpressionList, ForExpression, ObjectItems};

/// A stop on the way through an expression.
///
/// ```
/// use hcl_syntax::ast::{ExpressionKind, Visit, Walk};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[for x in xs : x + limit]".parse()?;
/// let mut bound = Vec::new();
/// let mut free = Vec::new();
/// for stop in Walk::new(parsed.expression()) {
///     match stop {
///         Visit::EnterFor(each) => bound.push(each.value_name()),
///         Visit::LeaveFor => drop(bound.pop()),
///         Visit::Expression(expression) => match expression.kind() {
///             ExpressionKind::Traversal(name) if !bound.contains(&name.root()) => free.push(name.root()),
///             _ => {}
///         },
///         Visit::EnterSplat | Visit::LeaveSplat => {}
///     }
/// }
/// assert_eq!(free, ["xs", "limit"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub enum Visit<'t> {
    /// An expression; its operands follow. Plain names as object keys are left out: they are no variables.
    Expression(Expression<'t>),
    /// The names of a `for` are visible from here on, until the matching [`Visit::LeaveFor`].
    EnterFor(ForExpression<'t>),
    /// The names of the innermost `for` end.
    LeaveFor,
    /// [`ExpressionKind::SplatItem`] means this splat's item from here on, until the matching [`Visit::LeaveSplat`].
    EnterSplat,
    /// The innermost splat's item ends.
    LeaveSplat,
}

/// Visits an expression and everything in it, each before its operands, operands in the order written.
///
/// ```
/// use hcl_syntax::ast::{Visit, Walk};
/// use hcl_syntax::parser::ParsedExpression;
///
/// // The tuple, `a`, the call and `b`.
/// let parsed: ParsedExpression = "[a, f(b)]".parse()?;
/// let n = Walk::new(parsed.expression()).filter(|stop| matches!(stop, Visit::Expression(_))).count();
/// assert_eq!(n, 4);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    pending: SmallVec<[Pending<'t>; 8]>,
}

/// What a walk has still to visit. Of a list it is one entry, however many are in it.
#[derive(Clone, Debug)]
enum Pending<'t> {
    Stop(Visit<'t>),
    List(ExpressionList<'t>),
    Items(ObjectItems<'t>),
}

impl<'t> Walk<'t> {
    /// Starts at an expression.
    pub fn new(expression: Expression<'t>) -> Self {
        Self { pending: smallvec![Pending::Stop(Visit::Expression(expression))] }
    }

    /// The next stop of those that are pending.
    fn pop(&mut self) -> Option<Visit<'t>> {
        loop {
            match self.pending.pop()? {
                Pending::Stop(visit) => return Some(visit),
                Pending::List(list) => {
                    let Some((first, rest)) = list.split_first() else { continue };
                    self.pending.push(Pending::List(rest));
                    return Some(Visit::Expression(first));
                }
                Pending::Items(items) => {
                    let Some((first, rest)) = items.split_first() else { continue };
                    self.pending.push(Pending::Items(rest));
                    let ObjectItem { key, value } = first;
                    if first.key_name().is_some() {
                        return Some(Visit::Expression(value));
                    }
                    self.pending.push(Pending::Stop(Visit::Expression(value)));
                    return Some(Visit::Expression(key));
                }
            }
        }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    fn next(&mut self) -> Option<Visit<'t>> {
        let visit = self.pop()?;
        if let Visit::Expression(expression) = visit
            && !expression.is_leaf()
        {
            match expression.kind() {
                ExpressionKind::Template(list) | ExpressionKind::Tuple(list) => {
                    self.pending.push(Pending::List(list));
                }
                ExpressionKind::Call(call) => self.pending.push(Pending::List(call.arguments())),
                ExpressionKind::Object(items) => self.pending.push(Pending::Items(items)),
                kind => kind.stops_within(|stop| self.pending.push(Pending::Stop(stop))),
            }
        }
        Some(visit)
    }
}

impl<'t> ExpressionKind<'t> {
    /// Tells the stops between such an expression and what follows it on a [`Walk`], the last one first: for those who
    /// keep a list of what they have still to visit.
    pub fn stops_within(self, mut tell: impl FnMut(Visit<'t>)) {
        match self {
            ExpressionKind::Null
            | ExpressionKind::Bool(_)
            | ExpressionKind::Number(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Traversal(_)
            | ExpressionKind::SplatItem
            | ExpressionKind::Invalid
            | ExpressionKind::Unfinished(_) => {}
            ExpressionKind::Template(list) | ExpressionKind::Tuple(list) => tell_all(list, tell),
            ExpressionKind::Call(call) => tell_all(call.arguments(), tell),
            ExpressionKind::Interpolation(inner)
            | ExpressionKind::Parentheses(inner)
            | ExpressionKind::TemplateFor(inner)
            | ExpressionKind::Unary { operand: inner, .. }
            | ExpressionKind::RelativeTraversal { source: inner, .. } => tell(Visit::Expression(inner)),
            ExpressionKind::Object(items) => {
                for item in items.iter().rev() {
                    tell(Visit::Expression(item.value));
                    if item.key_name().is_none() {
                        tell(Visit::Expression(item.key));
                    }
                }
            }
            ExpressionKind::For(names) => {
                tell(Visit::LeaveFor);
                let parts = [names.condition(), Some(names.value()), names.key()];
                parts.into_iter().flatten().for_each(|part| tell(Visit::Expression(part)));
                tell(Visit::EnterFor(names));
                tell(Visit::Expression(names.collection()));
            }
            ExpressionKind::Splat(splat) => {
                tell(Visit::LeaveSplat);
                tell(Visit::Expression(splat.each));
                tell(Visit::EnterSplat);
                tell(Visit::Expression(splat.source));
            }
            ExpressionKind::Index { collection: left, key: right, .. }
            | ExpressionKind::Binary { left, right, .. } => {
                tell(Visit::Expression(right));
                tell(Visit::Expression(left));
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                tell(Visit::Expression(when_false));
                tell(Visit::Expression(when_true));
                tell(Visit::Expression(condition));
            }
        }
    }
}

fn tell_all<'t>(list: ExpressionList<'t>, mut tell: impl FnMut(Visit<'t>)) {
    for expression in list.iter().rev() {
        tell(Visit::Expression(expression));
    }
}
