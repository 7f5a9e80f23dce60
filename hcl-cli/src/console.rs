//! The form in which the console shows values.

use hcl_eval::value::Value;

/// The console's form of a value, marks redacted. What `type(…)` gives is shown as the type that it tells,
/// which is no secret even if the value is.
pub fn console_form(value: &Value) -> String {
    let told = value.as_capsule().filter(|capsule| capsule.ty().name() == "type");
    match told.and_then(|capsule| capsule.downcast_ref::<String>()) {
        Some(text) => text.clone(),
        None => value.display_console(),
    }
}
