//! Visiting every expression of a tree in the order of evaluation, without recursion.

use smallvec::{SmallVec, smallvec};

use super::{Expression, ExpressionKind, ExpressionList, ForExpression, ObjectItem, ObjectItems};

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
    pending: SmallVec<[Visit<'t>; 8]>,
    /// Long lists whose parts become pending one after the other, each with how many stops are pending behind it.
    long: Vec<(usize, Long<'t>)>,
}

/// The rest of a long list.
#[derive(Clone, Debug)]
enum Long<'t> {
    List(ExpressionList<'t>),
    Items(ObjectItems<'t>),
}

/// From so many parts on a list is long: so few are pending at once, whatever the text is.
const LONG: usize = 64;

impl<'t> Walk<'t> {
    /// Starts at an expression.
    pub fn new(expression: Expression<'t>) -> Self {
        Self { pending: smallvec![Visit::Expression(expression)], long: Vec::new() }
    }

    /// Goes on if `goes_on` says so, which is told how many bytes the stops that then are pending may take.
    pub(super) fn next_while(&mut self, goes_on: &mut impl FnMut(usize) -> bool) -> Option<Visit<'t>> {
        let grows = self.pending.len() + 2 * LONG > self.pending.capacity();
        let room = if grows { 2 * self.pending.capacity().max(2 * LONG) * size_of::<Visit<'t>>() } else { 0 };
        if goes_on(room) { self.next() } else { None }
    }

    /// Goes on with the next part of the innermost long list, until there is a stop before those behind it.
    fn go_on_with_long(&mut self) {
        while let Some((n_behind, long)) = self.long.last_mut()
            && *n_behind == self.pending.len()
        {
            match long {
                Long::List(list) => {
                    if let Some((first, rest)) = list.split_first() {
                        *list = rest;
                        self.pending.push(Visit::Expression(first));
                        continue;
                    }
                }
                Long::Items(items) => {
                    if let Some((first, rest)) = items.split_first() {
                        *items = rest;
                        first.stops(|stop| self.pending.push(stop));
                        continue;
                    }
                }
            }
            self.long.pop();
        }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    fn next(&mut self) -> Option<Visit<'t>> {
        if self.long.last().is_some_and(|(n_behind, _)| *n_behind == self.pending.len()) {
            self.go_on_with_long();
        }
        let visit = self.pending.pop()?;
        if let Visit::Expression(expression) = visit
            && !expression.is_leaf()
        {
            let kind = expression.kind();
            let long = match kind {
                ExpressionKind::Template(list) | ExpressionKind::Tuple(list) if list.len() >= LONG => {
                    Long::List(list)
                }
                ExpressionKind::Call(call) if call.arguments().len() >= LONG => Long::List(call.arguments()),
                ExpressionKind::Object(items) if items.len() >= LONG => Long::Items(items),
                _ => {
                    kind.stops_within(|stop| self.pending.push(stop));
                    return Some(visit);
                }
            };
            self.long.push((self.pending.len(), long));
        }
        Some(visit)
    }
}

impl<'t> ObjectItem<'t> {
    /// Tells the stops in it, the last one first.
    fn stops(self, mut tell: impl FnMut(Visit<'t>)) {
        tell(Visit::Expression(self.value));
        if self.key_name().is_none() {
            tell(Visit::Expression(self.key));
        }
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
                    item.stops(&mut tell);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::ParsedExpression;

    /// The texts of the expressions on a walk.
    fn texts(text: &str) -> Vec<String> {
        let parsed: ParsedExpression = text.parse().expect("an expression");
        let expressions = Walk::new(parsed.expression()).filter_map(|visit| match visit {
            Visit::Expression(expression) => Some(expression.source_text().to_owned()),
            _ => None,
        });
        expressions.collect()
    }

    #[test]
    fn long_lists_are_visited_in_order_like_short_ones() {
        let list =
            |n: usize| (0..n).map(|i| format!("[a{i}, {{b = c, (d) = e}}]")).collect::<Vec<_>>().join(", ");
        let object = |n: usize| (0..n).map(|i| format!("(k{i}) = v{i}")).collect::<Vec<_>>().join(", ");
        for text in [list(3), object(3)] {
            let more = [list(LONG + 1), object(LONG + 1)];
            let long = if text == list(3) { &more[0] } else { &more[1] };
            let (open, close) = if text == list(3) { ("[", "]") } else { ("{", "}") };
            let (few, many) =
                (texts(&format!("{open}{text}{close}")), texts(&format!("{open}{long}{close}")));
            assert_eq!(few[1..], many[1..few.len()]);
            assert_eq!((many.len() - 1) / (LONG + 1), (few.len() - 1) / 3);
        }
        let nested = texts(&format!("[[{}], f({}), z]", list(LONG), list(LONG)));
        assert_eq!(nested.last().map(String::as_str), Some("z"));
    }

    #[test]
    fn few_stops_are_pending_however_long_a_list_is() {
        let parsed: ParsedExpression = format!("[{}]", "a, ".repeat(10_000)).parse().expect("a tuple");
        let mut walk = Walk::new(parsed.expression());
        while walk.next().is_some() {
            assert!(walk.pending.len() < LONG && walk.long.len() < 2);
        }
    }

    #[test]
    fn room_is_told_before_stops_take_it() {
        let many = "f(a, b) + 1, ".repeat(3 * LONG);
        let deep = format!("{}a{}", "[".repeat(50), ", b]".repeat(50));
        let wide = vec!["[a, b, c, d, e, f, g, h, i, j, k, l, m, n]"; LONG - 1].join(" + ");
        let full = format!("[{}]", "a, ".repeat(LONG - 1));
        for text in ["a", &format!("[{many}]"), &deep, &wide, &full] {
            let parsed: ParsedExpression = text.parse().expect("an expression");
            let (mut walk, mut told) = (Walk::new(parsed.expression()), 0);
            loop {
                let before = walk.pending.capacity();
                let stop = walk.next_while(&mut |bytes| {
                    told = bytes;
                    true
                });
                let after = walk.pending.capacity();
                assert!(after == before || told >= after * size_of::<Visit<'_>>(), "{told} for {after}");
                if stop.is_none() {
                    break;
                }
            }
            assert!(Walk::new(parsed.expression()).next_while(&mut |_| false).is_none());
        }
    }
}
