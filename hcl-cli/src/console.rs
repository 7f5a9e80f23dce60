//! The form in which the console shows values.

use hcl_eval::eval::Scope;
use hcl_eval::types::Type;
use hcl_eval::value::{Reveal, Value, ValueError};
use hcl_syntax::ast::{Call, Expression, ExpressionKind, functions};
use hcl_syntax::diagnostic::Diagnostic;

/// The console's form of a value, marks redacted. What `type(…)` gives is shown as the type that it tells,
/// which is no secret even if the value is.
///
/// # Errors
/// The form takes more than `max_bytes`.
pub fn console_form(value: &Value, max_bytes: usize) -> Result<String, ValueError> {
    let told = value.as_capsule().filter(|capsule| capsule.ty().name() == "type");
    match told.and_then(|capsule| capsule.downcast_ref::<String>()) {
        Some(text) => Ok(text.clone()),
        None => value.display_console_bounded(Reveal::Redacted, max_bytes),
    }
}

/// The type of a value in the console's form. In place of the type of something hidden there is a remark if it tells
/// names of attributes: they may have been made of what is hidden.
pub fn type_form(value: &Value) -> String {
    match value.hides_names() {
        true => "(sensitive type)".to_owned(),
        false => value.ty().to_console_text(),
    }
}

/// The complaint about a call of `type` inside an expression: what it gives is for the console alone.
pub fn misused_type(expression: Expression<'_>, scope: Option<&Scope>) -> Option<Diagnostic> {
    let shows_type = |call: &Call<'_>| {
        let function = scope.and_then(|scope| scope.function(call.name()));
        let result = function.and_then(|function| function.fixed_result());
        matches!(result, Some(Type::Capsule(capsule)) if capsule.name() == "type")
    };
    let mut whole = expression;
    while let ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) = whole.kind() {
        whole = inner;
    }
    if matches!(whole.kind(), ExpressionKind::Call(call) if shows_type(&call)) {
        return None;
    }
    let call = functions(expression).into_iter().find(shows_type)?;
    let detail = format!(
        "\"{}\" shows a type in the console and has no result that an expression could go on with. Call it alone.",
        call.name()
    );
    let complaint = Diagnostic::error("eval.type.misused", "Invalid use of type function", detail);
    Some(complaint.at(expression.tree().source(), call.name_span()))
}
