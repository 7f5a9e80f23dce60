//! The values of an expression's variables at the moment it fails: shown with the diagnostic.

use hcl_syntax::ast::{Expression, ExpressionKind, variable_expressions};
use hcl_syntax::diagnostic::NamedValue;

use super::evaluator::{Env, Evaluator, Run, Surroundings};
use crate::program::Code;
use crate::value::{Kind, Number, Value};

/// At most this many variables are described.
const MAX_VALUES: usize = 8;
/// Variables of expressions that are longer than this many bytes are not looked for.
const MAX_EXPRESSION: u32 = 4096;
/// Texts longer than this many characters are cut.
const MAX_TEXT: usize = 60;
/// At most this many attribute names are listed.
const MAX_NAMES: usize = 6;

impl Evaluator<'_> {
    /// The variables in an expression that is not evaluated.
    pub(super) fn values_outside(
        mut self,
        expression: Expression<'_>,
        given: Surroundings<'_>,
    ) -> Vec<NamedValue> {
        let code = Code::default();
        self.values_in(expression, Env { run: &Run::new(&code, expression.tree(), given), locals: None })
    }

    /// The variables in an expression with what they are, of marked ones only that they are.
    pub(super) fn values_in(&mut self, expression: Expression<'_>, env: Env<'_>) -> Vec<NamedValue> {
        let mut found: Vec<NamedValue> = Vec::new();
        if expression.span().len() > MAX_EXPRESSION {
            return found;
        }
        let problems = self.diagnostics.len();
        self.quiet += 1;
        for variable in variable_expressions(expression) {
            let ExpressionKind::Traversal(traversal) = variable.kind() else { continue };
            let name = traversal.to_text();
            if found.len() == MAX_VALUES || found.iter().any(|other| other.expression == name) {
                continue;
            }
            let value = self.traversal_by_name(variable, traversal, env);
            let failed = self.diagnostics.len() > problems;
            self.diagnostics.truncate(problems);
            if !failed {
                found.push(NamedValue { expression: name, description: format!("is {}", describe(&value)) });
            }
        }
        self.quiet -= 1;
        found
    }
}

/// Describes a value without its parts: some may be marked, and marked ones are never shown.
fn describe(value: &Value) -> String {
    if value.is_marked() {
        return value.marks().remark().to_owned();
    }
    match value.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Unknown if value.is_dynamic_unknown() => "a value that is not known yet".to_owned(),
        Kind::Unknown => format!("a value of type {} that is not known yet", value.type_name()),
        Kind::Bool => value.as_bool().unwrap_or_default().to_string(),
        Kind::Number => value.as_number().map(describe_number).unwrap_or_default(),
        Kind::String => format!("{:?}", shorten(value.as_str().unwrap_or_default())),
        Kind::Object => describe_object(value),
        Kind::Capsule => format!("a value of type {}", value.type_name()),
        Kind::List | Kind::Set | Kind::Map | Kind::Tuple => {
            let n = value.len().unwrap_or_default();
            let elements = if n == 1 { "element" } else { "elements" };
            let kind = match value.kind() {
                Kind::Tuple => "tuple".to_owned(),
                _ => value.type_name(),
            };
            format!("a {kind} with {n} {elements}")
        }
    }
}

fn describe_number(number: &Number) -> String {
    // In full it could be hundreds of megabytes.
    if number.is_long() { number.hash_text() } else { shorten(&number.to_text()) }
}

fn describe_object(value: &Value) -> String {
    let names = value.entries().into_iter().flatten().map(|(name, _)| format!("\"{}\"", shorten(name)));
    let names = names.take(MAX_NAMES).collect::<Vec<_>>().join(", ");
    match value.len().unwrap_or_default() {
        0 => "an object without attributes".to_owned(),
        1 => format!("an object with the attribute {names}"),
        n if n <= MAX_NAMES => format!("an object with the attributes {names}"),
        n => format!("an object with {n} attributes, among them {names}"),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
