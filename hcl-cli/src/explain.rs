//! `--explain`: how a value came about, as a tree of subexpressions with their values.
//!
//! Each line is an expression as written and what it gives. Literals are left out, and so is what was
//! not looked at: of a conditional the result that was not chosen is only named. The body of a `for` is
//! shown for its first elements, with the names bound. Subexpressions are evaluated anew for their lines.

use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::value::{Kind, Value};
use hcl_syntax::ast::{Expression, ExpressionKind, ForExpression};

use crate::console::console_form;

/// How deep the tree is drawn.
const MAX_DEPTH: usize = 12;
/// For how many elements the body of a `for` is shown.
const MAX_ELEMENTS: usize = 3;
/// How much of a source text or of a value a line shows.
const MAX_WIDTH: usize = 72;

/// Values whose form takes more bytes than this are not shown.
const MAX_FORM: usize = 1 << 20;

/// The tree of `expression`.
pub fn explain(expression: Expression<'_>, scope: &Arc<Scope>, options: &EvalOptions<'_>) -> String {
    let mut explainer = Explainer { options, lines: Vec::new() };
    explainer.expression(expression, scope, 0);
    explainer.lines.join("\n")
}

struct Explainer<'o> {
    options: &'o EvalOptions<'o>,
    lines: Vec<String>,
}

impl Explainer<'_> {
    fn expression(&mut self, expression: Expression<'_>, scope: &Arc<Scope>, depth: usize) {
        let value = self.evaluate(expression, scope);
        let result = match &value {
            Ok(value) => format!("= {}", shown(value)),
            Err(summary) => format!("failed: {summary}"),
        };
        self.line(depth, &format!("{} {result}", shortened(expression.source_text())));
        if depth + 1 < MAX_DEPTH {
            self.operands(expression, scope, depth + 1);
        }
    }

    fn operands(&mut self, expression: Expression<'_>, scope: &Arc<Scope>, depth: usize) {
        match expression.kind() {
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                self.child(condition, scope, depth);
                let chosen = self.evaluate(condition, scope).ok().and_then(|value| truth(&value));
                self.branch(when_true, chosen != Some(false), scope, depth);
                self.branch(when_false, chosen != Some(true), scope, depth);
            }
            ExpressionKind::For(for_expression) => self.for_expression(for_expression, scope, depth),
            ExpressionKind::TemplateFor(inner) | ExpressionKind::Parentheses(inner) => {
                self.operands(inner, scope, depth);
            }
            ExpressionKind::Interpolation(inner) => self.child(inner, scope, depth),
            _ => {
                for operand in operands(expression) {
                    self.child(operand, scope, depth);
                }
            }
        }
    }

    /// A subexpression, unless it is a literal, which explains itself.
    fn child(&mut self, expression: Expression<'_>, scope: &Arc<Scope>, depth: usize) {
        let literal = matches!(
            expression.kind(),
            ExpressionKind::Null
                | ExpressionKind::Bool(_)
                | ExpressionKind::Number(_)
                | ExpressionKind::Text(_)
                | ExpressionKind::SplatItem
        );
        if !literal {
            self.expression(expression, scope, depth);
        }
    }

    fn branch(&mut self, expression: Expression<'_>, chosen: bool, scope: &Arc<Scope>, depth: usize) {
        if chosen {
            self.child(expression, scope, depth);
        } else if !expression.span().is_empty() {
            self.line(depth, &format!("{} is not chosen", shortened(expression.source_text())));
        }
    }

    fn for_expression(&mut self, for_expression: ForExpression<'_>, scope: &Arc<Scope>, depth: usize) {
        self.child(for_expression.collection(), scope, depth);
        let Ok(collection) = self.evaluate(for_expression.collection(), scope) else { return };
        let elements = elements(&collection);
        for (key, value) in elements.iter().take(MAX_ELEMENTS) {
            let mut builder = Scope::builder().parent(Arc::clone(scope)).variables_allowed();
            let mut names = String::new();
            if let Some(name) = for_expression.key_name() {
                names = format!("{name} = {}, ", shown(key));
                builder = builder.variable(name, key.clone());
            }
            builder = builder.variable(for_expression.value_name(), value.clone());
            self.line(depth, &format!("with {names}{} = {}:", for_expression.value_name(), shown(value)));
            let inner = builder.build();
            let parts = [for_expression.condition(), for_expression.key(), Some(for_expression.value())];
            for part in parts.into_iter().flatten() {
                self.child(part, &inner, depth + 1);
            }
        }
        if elements.len() > MAX_ELEMENTS {
            self.line(depth, &format!("and {} more elements", elements.len() - MAX_ELEMENTS));
        }
    }

    fn evaluate(&self, expression: Expression<'_>, scope: &Arc<Scope>) -> Result<Value, String> {
        let (value, diagnostics) = evaluate(expression, Some(scope), self.options);
        match diagnostics.into_iter().next() {
            Some(first) => Err(first.summary.into_owned()),
            None => Ok(value),
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:indent$}{text}", "", indent = depth * 2));
    }
}

/// The expressions that one is made of, where all are evaluated in its own scope.
fn operands(expression: Expression<'_>) -> Vec<Expression<'_>> {
    match expression.kind() {
        ExpressionKind::Template(parts) | ExpressionKind::Tuple(parts) => parts.iter().collect(),
        ExpressionKind::Object(items) => items
            .iter()
            .flat_map(|item| [item.key_name().is_none().then_some(item.key), Some(item.value)])
            .flatten()
            .collect(),
        ExpressionKind::RelativeTraversal { source, .. } => vec![source],
        ExpressionKind::Call(call) => call.arguments().iter().collect(),
        ExpressionKind::Index { collection, key, .. } => vec![collection, key],
        ExpressionKind::Splat(splat) => vec![splat.source],
        ExpressionKind::Unary { operand, .. } => vec![operand],
        ExpressionKind::Binary { left, right, .. } => vec![left, right],
        _ => Vec::new(),
    }
}

/// What a condition decides; a text counts as what it says.
fn truth(condition: &Value) -> Option<bool> {
    condition.as_bool().or_else(|| match condition.as_str()? {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    })
}

/// The keys and values that a `for` visits.
fn elements(collection: &Value) -> Vec<(Value, Value)> {
    if let Some(entries) = collection.entries() {
        return entries.map(|(name, value)| (Value::string(name), value.clone())).collect();
    }
    let is_set = collection.kind() == Kind::Set;
    let elements = collection.elements().unwrap_or_default().iter().enumerate();
    elements
        .map(|(position, value)| {
            let index = Value::int(i64::try_from(position).unwrap_or(i64::MAX));
            (if is_set { value.clone() } else { index }, value.clone())
        })
        .collect()
}

/// A value on one line, cut where it gets long.
fn shown(value: &Value) -> String {
    let form = console_form(value, MAX_FORM);
    form.map_or_else(|_| "(too long to show)".to_owned(), |form| shortened(&form))
}

/// A text on one line, cut where it gets long.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
