//! The names that expressions use: variables with the steps that follow them, and functions.
//!
//! Static: nothing is evaluated. Variables come in source order and with repetitions, as the reference
//! lists them.

use hcl_eval::value::{Number, Value};
use hcl_syntax::ast::{Body, Expression, ExpressionKind, StepKind, Traversal, functions, variables};
use hcl_syntax::diagnostic::json::write_string;
use hcl_syntax::hash::IndexSet;
use hcl_syntax::json::JsonFile;
use hcl_syntax::json::reading::{Place, Reader, Reading};

/// The names that expressions use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UsedNames {
    /// Variables with their literal steps, for example `a.b[0]`, in source order.
    pub variables: Vec<String>,
    /// Functions, each once, in the order of first use.
    pub functions: IndexSet<String>,
}

impl UsedNames {
    /// The names in one expression.
    pub fn of_expression(expression: Expression<'_>) -> Self {
        let mut names = Self::default();
        names.add_expression(expression);
        names
    }

    /// The names in all expressions of a file and of the blocks in it: types, addresses and other arguments that the
    /// reader takes without evaluating them are left out.
    pub fn of_file(body: Body<'_>, reader: Reader) -> Self {
        let mut names = Self::default();
        let mut bodies = vec![(body, Place::file(reader))];
        while let Some((body, place)) = bodies.pop() {
            for attribute in body.attributes() {
                if refers(place, attribute.name()) {
                    names.add_expression(attribute.expression());
                }
            }
            let inner: Vec<_> = body
                .blocks()
                .map(|block| {
                    let labels: Vec<&str> = block.labels().map(|label| label.text()).collect();
                    (block.body(), place.block(block.block_type(), &labels))
                })
                .collect();
            bodies.extend(inner.into_iter().rev());
        }
        names
    }

    /// The names in all strings of a JSON text, of which nothing says what is a block. What its topmost
    /// objects call `"//"` is a comment.
    pub fn of_json(file: &JsonFile) -> Self {
        let mut names = Self::default();
        let all = file.expression().syntax();
        let bodies: Vec<_> = match all.expression().kind() {
            ExpressionKind::Tuple(bodies) => bodies.iter().collect(),
            _ => vec![all.expression()],
        };
        for body in bodies {
            let ExpressionKind::Object(items) = body.kind() else { continue };
            for item in items.iter().filter(|item| !matches!(item.key.kind(), ExpressionKind::Text("//"))) {
                names.add_expression(item.value);
            }
        }
        names
    }

    /// Adds variables with repetitions, and functions once.
    fn add_expression(&mut self, expression: Expression<'_>) {
        self.variables.extend(variables(expression).into_iter().map(traversal_text));
        for call in functions(expression) {
            if !self.functions.contains(call.name()) {
                self.functions.insert(call.name().to_owned());
            }
        }
    }
}

/// Returns true if the names in an argument are references to something declared.
fn refers(place: Place, name: &str) -> bool {
    match place.argument(name) {
        Reading::Expression | Reading::Literal | Reading::Requirement => true,
        Reading::References => matches!(name, "depends_on" | "replace_triggered_by"),
        Reading::Reference | Reading::Type | Reading::Mapping => false,
    }
}

/// Steps mostly take fewer bytes than this.
const ROOM_FOR_STEPS: usize = 24;

/// A variable with its steps, as it would be written; a number as values print it, so that `a[1e2]` is
/// `a[100]`; a key that could not be read as `[?]`.
fn traversal_text(traversal: Traversal<'_>) -> String {
    let mut text = String::with_capacity(traversal.root().len() + ROOM_FOR_STEPS);
    text.push_str(traversal.root());
    for step in traversal.steps().iter() {
        match step.kind {
            StepKind::Attribute(name) => {
                text.push('.');
                text.push_str(name);
            }
            StepKind::Index(key) => write_index(&literal_text(key), &mut text),
            StepKind::LegacyIndex(digits) => write_index(&number_text(digits), &mut text),
            StepKind::InvalidLegacyIndex => write_index("?", &mut text),
        }
    }
    text
}

fn write_index(key: &str, out: &mut String) {
    out.push('[');
    out.push_str(key);
    out.push(']');
}

/// The key of a literal index step.
fn literal_text(key: Expression<'_>) -> String {
    match key.kind() {
        // A key is a value, and those are normalised.
        ExpressionKind::Text(text) => quoted(Value::string(text).as_str().unwrap_or(text)),
        ExpressionKind::Number(digits) => number_text(digits),
        ExpressionKind::Invalid => "?".to_owned(),
        _ => key.source_text().to_owned(),
    }
}

/// A number as values print it; as it is written if it is none.
fn number_text(digits: &str) -> String {
    Number::parse(digits).map_or_else(|| digits.to_owned(), |number| number.to_text())
}

/// A text as an HCL string literal: JSON's escapes are among HCL's, and a template's opening is doubled.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(text, &mut out);
    out.replace("${", "$${").replace("%{", "%%{")
}
