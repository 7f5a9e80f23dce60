//! Evaluating a text in a dialect.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::function::FunctionTable;
use hcl_eval::limits::Limits;
use hcl_eval::value::{Reveal, Value};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

/// The value of a text with these variables.
pub(crate) fn evaluate_in(
    functions: &Arc<FunctionTable>,
    variables: &[(String, Value)],
    text: &str,
    limits: Limits,
) -> (Value, Diagnostics) {
    let mut scope = Scope::builder().functions(Arc::clone(functions)).variables_allowed();
    for (name, value) in variables {
        scope = scope.variable(name, value.clone());
    }
    let source = Source::new("test", text).expect("tests are short");
    let (parsed, mut diagnostics) = parse_expression(source, &ParseLimits::default());
    if has_errors(&diagnostics) {
        return (Value::dynamic(), diagnostics);
    }
    let options = EvalOptions { limits, ..EvalOptions::default() };
    let (value, more) = evaluate(parsed.expression(), Some(&scope.build()), &options);
    diagnostics.extend(more);
    (value, diagnostics)
}

/// The values of variables that are given as texts, which may call the makers.
pub(crate) fn variables(functions: &Arc<FunctionTable>, texts: &serde_json::Value) -> Vec<(String, Value)> {
    let mut table = FunctionTable::new();
    table.extend(functions.iter().chain(dialect::makers().iter()).map(|(_, function)| Arc::clone(function)));
    let table = Arc::new(table);
    let texts = texts.as_object().into_iter().flatten();
    texts
        .map(|(name, text)| {
            let text = text.as_str().expect("a text");
            let (value, diagnostics) = evaluate_in(&table, &[], text, Limits::default());
            assert!(!has_errors(&diagnostics), "{name} = {text}: {diagnostics:?}");
            (name.clone(), value)
        })
        .collect()
}

/// The console form of a text's value in the Terraform dialect, marks shown as what they hide; or the
/// title of the error.
pub(crate) fn terraform(text: &str) -> String {
    in_dialect(&dialect::terraform(), text)
}

/// Evaluates in another dialect.
pub(crate) fn in_dialect(functions: &Arc<FunctionTable>, text: &str) -> String {
    let (value, diagnostics) = evaluate_in(functions, &[], text, Limits::default());
    match diagnostics.first() {
        Some(error) => format!("error: {}", error.summary),
        None => value.display_console_with(Reveal::Everything),
    }
}

/// A corpus of conformance answers, if there is one here.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders =
        [root.join("tests/conformance"), root.join("shared/conformance"), root.join("../shared/conformance")];
    folders.into_iter().map(|folder| folder.join(name)).find(|path| path.exists())
}
