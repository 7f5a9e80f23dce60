//! An explanation, as its reader sees it.

use std::borrow::Cow;
use std::cmp::Ordering;

use hcl_syntax::ast::{BinaryOperator, ExprId, Expression, ExpressionKind, ExpressionList, Tree};
use hcl_syntax::hash::{IndexMap, IndexSet};
use hcl_syntax::source::Range;

use super::recorder::{Node, What};
use crate::value::Value;

/// The steps by which an expression got its value.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::explain::{ExplainOptions, explain};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let scope = Scope::builder().functions(dialect::terraform()).variable("name", "web").build();
/// let parsed: ParsedExpression = "upper(name)".parse()?;
/// let (_, _, explanation) =
///     explain(parsed.expression(), Some(&scope), &EvalOptions::default(), &ExplainOptions::default());
/// assert_eq!(explanation.functions(), ["upper"]);
/// let root = explanation.root().unwrap();
/// assert_eq!(root.parts()[0].value().and_then(|value| value.as_str()), Some("web"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation<'t> {
    pub(super) tree: &'t Tree,
    pub(super) nodes: Vec<Node>,
    pub(super) n_omitted: usize,
    /// False if a limit was reached before lines and columns were found.
    pub(super) has_places: bool,
}

/// The reason that a step has no proper value: the first of its problems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The kind of problem.
    pub summary: String,
    /// The detail: what was found, what was expected, what to do.
    pub detail: String,
}

/// A part of an explanation: an expression with its value, or an element that a `for` or a splat went through.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::explain::{ExplainOptions, Role, explain};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let scope = Scope::builder().variable("on", true).build();
/// let parsed: ParsedExpression = "on ? 1 : 2".parse()?;
/// let (_, _, explanation) =
///     explain(parsed.expression(), Some(&scope), &EvalOptions::default(), &ExplainOptions::default());
/// let parts = explanation.root().unwrap().parts();
/// let condition = parts.iter().find(|part| part.role() == Role::Condition).unwrap();
/// assert_eq!(condition.value().and_then(|value| value.as_bool()), Some(true));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Step<'x> {
    explanation: &'x Explanation<'x>,
    index: usize,
    role: Role,
    /// True if its value was of use.
    used: bool,
    /// True if that is known.
    certain: bool,
}

/// The relation of a step to the one that it is part of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// The whole expression.
    Whole,
    /// An operand, a part of a template, the value of a key, what is indexed.
    Part,
    /// A condition.
    Condition,
    /// The result when the condition holds.
    WhenTrue,
    /// The result when it does not.
    WhenFalse,
    /// An argument of a call, from 0.
    Argument(usize),
    /// The collection that a `for` or splat goes through.
    Collection,
    /// A key.
    Key,
    /// An element of the collection, with what follows from it.
    Element,
}

impl<'t> Explanation<'t> {
    /// The whole expression; nothing if not even that was kept.
    pub fn root(&self) -> Option<Step<'_>> {
        (!self.nodes.is_empty()).then_some(Step {
            explanation: self,
            index: 0,
            role: Role::Whole,
            used: true,
            certain: true,
        })
    }

    /// How many steps were not kept.
    pub fn n_omitted(&self) -> usize {
        self.n_omitted
    }

    /// The variables that were used, as written, each with its value at the first time. Names that the expression
    /// itself binds are left out.
    pub fn variables(&self) -> Vec<(&str, &Value)> {
        self.variables_while(|| true)
    }

    /// [`Explanation::variables`] of the steps up to one before which `goes_on` says no.
    pub(super) fn variables_while(&self, mut goes_on: impl FnMut() -> bool) -> Vec<(&str, &Value)> {
        let mut found: IndexMap<&str, &Value> = IndexMap::default();
        for node in self.nodes.iter().take_while(|_| goes_on()) {
            let (What::Expression { id, is_local: false }, Some(value)) = (&node.what, &node.value) else {
                continue;
            };
            let expression = without_wrapping(self.tree.expression(*id));
            if matches!(expression.kind(), ExpressionKind::Traversal(_)) {
                found.entry(expression.source_text()).or_insert(value);
            }
        }
        found.into_iter().collect()
    }

    /// The names of the functions that were called.
    pub fn functions(&self) -> Vec<&'t str> {
        self.functions_while(|| true)
    }

    /// [`Explanation::functions`] of the steps up to one before which `goes_on` says no.
    pub(super) fn functions_while(&self, mut goes_on: impl FnMut() -> bool) -> Vec<&'t str> {
        let mut found: IndexSet<&str> = IndexSet::default();
        for node in self.nodes.iter().take_while(|_| goes_on()) {
            let What::Expression { id, .. } = node.what else { continue };
            if let ExpressionKind::Call(call) = without_wrapping(self.tree.expression(id)).kind() {
                found.insert(call.name());
            }
        }
        found.into_iter().collect()
    }
}

impl<'x> Step<'x> {
    fn node(self) -> &'x Node {
        &self.explanation.nodes[self.index]
    }

    /// The expression; elements have none.
    pub fn expression(self) -> Option<Expression<'x>> {
        match self.node().what {
            What::Expression { id, .. } => Some(self.explanation.tree.expression(id)),
            What::Element { .. } => None,
        }
    }

    /// Where the expression stands; nothing also if a limit was reached before that was found.
    pub fn range(self) -> Option<Range> {
        let expression = self.expression().filter(|_| self.explanation.has_places)?;
        Some(expression.tree().source().range(expression.span()))
    }

    /// How many steps it is with its parts.
    pub(super) fn n_steps(self) -> usize {
        self.node().end.saturating_sub(self.index).max(1)
    }

    /// Returns the role of the step in the one around it.
    pub fn role(self) -> Role {
        self.role
    }

    /// The value; of an element the element itself. It carries the marks of what it was taken from.
    pub fn value(self) -> Option<&'x Value> {
        match &self.node().what {
            What::Element { element, .. } => Some(element),
            What::Expression { .. } => self.node().value.as_ref(),
        }
    }

    /// The key of an element, if the `for` has a name for it.
    pub fn key(self) -> Option<&'x Value> {
        match &self.node().what {
            What::Element { key, .. } => key.as_ref(),
            What::Expression { .. } => None,
        }
    }

    /// Why there is no proper value.
    pub fn problem(self) -> Option<&'x Problem> {
        self.node().problem.as_ref()
    }

    /// Returns whether the result goes back to the step: not that of a conditional which was not chosen.
    pub fn is_used(self) -> bool {
        self.used
    }

    /// Returns whether `is_used` is known: not if the condition isn't.
    pub fn is_certain(self) -> bool {
        self.certain
    }

    /// How many elements a `for` or splat went through, shown or not.
    pub fn n_elements(self) -> usize {
        self.node().n_elements
    }

    /// The function that is called.
    pub fn function(self) -> Option<&'x str> {
        match without_wrapping(self.expression()?).kind() {
            ExpressionKind::Call(call) => Some(call.name()),
            _ => None,
        }
    }

    /// Returns whether the step is a literal, which explains itself.
    pub fn is_literal(self) -> bool {
        self.expression().is_some_and(|expression| {
            matches!(
                expression.kind(),
                ExpressionKind::Null
                    | ExpressionKind::Bool(_)
                    | ExpressionKind::Number(_)
                    | ExpressionKind::Text(_)
                    | ExpressionKind::SplatItem
            )
        })
    }

    /// Returns the steps that it was made of, in the order in which they are best told. Of a result that was not
    /// chosen nothing is told.
    pub fn parts(self) -> Vec<Step<'x>> {
        self.first_parts(usize::MAX).0
    }

    /// No more than `n_most` of [`Step::parts`], and how many steps are behind them; a conditional has three parts.
    pub(super) fn first_parts(self, n_most: usize) -> (Vec<Step<'x>>, usize) {
        if !self.used {
            return (Vec::new(), 0);
        }
        let whole = self.expression().map(without_wrapping);
        let mut parts = Vec::new();
        let mut index = self.index + 1;
        while index < self.node().end && parts.len() < n_most {
            let role = self.role_of(index, whole);
            parts.push(Step { explanation: self.explanation, index, role, used: true, certain: true });
            index = self.explanation.nodes[index].end.max(index + 1);
        }
        // The condition is evaluated last.
        if let Some(position) = parts.iter().position(|part| part.role == Role::Condition)
            && whole.is_some_and(Expression::is_conditional)
        {
            parts[..=position].rotate_right(1);
        }
        let chosen = decision(&parts);
        for part in &mut parts {
            let is_branch = matches!(part.role, Role::WhenTrue | Role::WhenFalse);
            part.certain = !is_branch || chosen.is_some();
            part.used = match part.role {
                Role::WhenTrue => chosen != Some(false),
                Role::WhenFalse => chosen != Some(true),
                _ => true,
            };
        }
        (parts, self.node().end.saturating_sub(index))
    }

    fn role_of(self, index: usize, whole: Option<Expression<'_>>) -> Role {
        let What::Expression { id, .. } = self.explanation.nodes[index].what else { return Role::Element };
        match whole.map(Expression::kind) {
            Some(ExpressionKind::Conditional { condition, when_true, when_false }) => match id {
                id if id == condition.id() => Role::Condition,
                id if id == when_true.id() => Role::WhenTrue,
                id if id == when_false.id() => Role::WhenFalse,
                _ => Role::Part,
            },
            Some(ExpressionKind::Call(call)) => {
                position_of(id, call.arguments()).map_or(Role::Part, Role::Argument)
            }
            Some(ExpressionKind::For(names)) if names.collection().id() == id => Role::Collection,
            Some(ExpressionKind::Splat(splat)) if splat.source.id() == id => Role::Collection,
            Some(ExpressionKind::Index { key, .. }) if key.id() == id => Role::Key,
            // The parts of an element are those of the `for`; two of them have a name.
            None => self.role_in_element(index),
            _ => Role::Part,
        }
    }

    fn role_in_element(self, index: usize) -> Role {
        let What::Expression { id, .. } = self.explanation.nodes[index].what else { return Role::Element };
        let Some(ExpressionKind::For(names)) = self.around().map(|around| around.kind()) else {
            return Role::Part;
        };
        if names.condition().is_some_and(|condition| condition.id() == id) {
            Role::Condition
        } else if names.key().is_some_and(|key| key.id() == id) {
            Role::Key
        } else {
            Role::Part
        }
    }

    /// The expression that goes through this element.
    pub(super) fn around(self) -> Option<Expression<'x>> {
        let around = self.node().around;
        let What::Expression { id, .. } = self.explanation.nodes[around].what else { return None };
        Some(without_wrapping(self.explanation.tree.expression(id)))
    }

    /// Why the value is what it is, where the parts do not say so themselves.
    pub fn reason(self) -> Option<Cow<'static, str>> {
        if self.problem().is_some() {
            return None;
        }
        match without_wrapping(self.expression()?).kind() {
            ExpressionKind::Conditional { .. } => Some(Cow::Borrowed(match decision(&self.parts()) {
                Some(true) => "the condition is true",
                Some(false) => "the condition is false",
                None => "the condition is not known",
            })),
            ExpressionKind::Binary { operator, .. } => {
                short_circuit(operator, &self.parts()).map(Cow::Borrowed)
            }
            ExpressionKind::Call(call) => self.tried(&self.parts(), call.arguments().len()).map(Cow::Owned),
            _ => None,
        }
    }

    /// Says how a function that may do without some of its arguments used them.
    fn tried(self, parts: &[Step<'_>], n_arguments: usize) -> Option<String> {
        let n_failed = parts.iter().filter(|part| part.problem().is_some()).count();
        let all_told = self.explanation.n_omitted == 0;
        let (Role::Argument(last), true) = (parts.last()?.role, all_told) else { return None };
        if n_failed == 0 && parts.len() == n_arguments {
            return None;
        }
        let outcome = if parts.last()?.problem().is_some() { "an error" } else { "no error" };
        Some(format!("argument {} has {outcome}", last + 1))
    }

    /// Returns whether an element was left out by the condition of its `for`.
    pub fn is_skipped(self) -> bool {
        self.expression().is_none() && decision(&self.parts()) == Some(false)
    }
}

/// Returns the value of the condition among the parts.
fn decision(parts: &[Step<'_>]) -> Option<bool> {
    truth(parts.iter().find(|part| part.role == Role::Condition)?.value()?)
}

/// The answer of a condition. Conversion is not asked: it would walk over the type of a value that is no condition to tell of it.
fn truth(value: &Value) -> Option<bool> {
    match value.as_str() {
        Some("true" | "1") => Some(true),
        Some("false" | "0") => Some(false),
        _ => value.as_bool(),
    }
}

/// Which side of `&&` or `||` was enough.
fn short_circuit(operator: BinaryOperator, parts: &[Step<'_>]) -> Option<&'static str> {
    let deciding = match operator {
        BinaryOperator::And => false,
        BinaryOperator::Or => true,
        _ => return None,
    };
    let [left, right] = parts else { return None };
    let decides =
        |part: &Step<'_>| part.problem().is_none() && part.value().and_then(truth) == Some(deciding);
    match (decides(left), decides(right), deciding) {
        (true, _, false) => Some("the left side is false"),
        (true, _, true) => Some("the left side is true"),
        (false, true, false) => Some("the right side is false"),
        (false, true, true) => Some("the right side is true"),
        (false, false, _) => None,
    }
}

/// Which of a list an expression is; expressions are numbered in the order written.
fn position_of(id: ExprId, list: ExpressionList<'_>) -> Option<usize> {
    let [mut low, mut high] = [0, list.len()];
    while low < high {
        let middle = low.midpoint(high);
        match list.get(middle)?.id().cmp(&id) {
            Ordering::Equal => return Some(middle),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// Takes off parentheses, and templates that only wrap or join one expression.
pub(super) fn without_wrapping(mut expression: Expression<'_>) -> Expression<'_> {
    while let ExpressionKind::Parentheses(inner)
    | ExpressionKind::Interpolation(inner)
    | ExpressionKind::TemplateFor(inner) = expression.kind()
    {
        expression = inner;
    }
    expression
}
