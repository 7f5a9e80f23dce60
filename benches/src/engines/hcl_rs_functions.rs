//! The functions that the expressions call, for hcl-rs, which comes with none.

use hcl_rs::Value;
use hcl_rs::eval::{Context, FuncArgs, FuncDef, ParamType};

/// Declares `upper`, `join`, `format` and `merge`.
pub(crate) fn declare(context: &mut Context<'_>) {
    context.declare_func("upper", FuncDef::builder().param(ParamType::String).build(upper));
    let list = ParamType::array_of(ParamType::String);
    context.declare_func("join", FuncDef::builder().param(ParamType::String).param(list).build(join));
    let format_parameters = FuncDef::builder().param(ParamType::String).variadic_param(ParamType::Any);
    context.declare_func("format", format_parameters.build(format));
    let object = ParamType::object_of(ParamType::Any);
    context.declare_func("merge", FuncDef::builder().variadic_param(object).build(merge));
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is hcl-rs's")]
fn upper(args: FuncArgs) -> Result<Value, String> {
    Ok(args[0].as_str().ok_or("not a string")?.to_uppercase().into())
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is hcl-rs's")]
fn join(args: FuncArgs) -> Result<Value, String> {
    let separator = args[0].as_str().ok_or("not a string")?;
    let mut joined = String::new();
    for (i, element) in args[1].as_array().ok_or("not a list")?.iter().enumerate() {
        if i > 0 {
            joined.push_str(separator);
        }
        joined.push_str(element.as_str().ok_or("not a string")?);
    }
    Ok(joined.into())
}

/// Knows `%s` and `%04d`, and nothing else.
#[expect(clippy::needless_pass_by_value, reason = "the signature is hcl-rs's")]
fn format(args: FuncArgs) -> Result<Value, String> {
    use std::fmt::Write as _;
    let mut pattern = args[0].as_str().ok_or("not a string")?;
    let mut arguments = args.variadic_args();
    let mut text = String::new();
    while let Some(at) = pattern.find('%') {
        text.push_str(&pattern[..at]);
        pattern = &pattern[at..];
        let argument = arguments.next().ok_or("too few arguments")?;
        if let Some(rest) = pattern.strip_prefix("%s") {
            text.push_str(argument.as_str().ok_or("not a string")?);
            pattern = rest;
        } else if let Some(rest) = pattern.strip_prefix("%04d") {
            let number = argument.as_number().and_then(hcl_rs::Number::as_i64).ok_or("not a number")?;
            let _ = write!(text, "{number:04}");
            pattern = rest;
        } else {
            return Err("unknown verb".into());
        }
    }
    text.push_str(pattern);
    Ok(text.into())
}

fn merge(args: FuncArgs) -> Result<Value, String> {
    let mut merged = hcl_rs::Map::new();
    for object in args.into_values() {
        if let Value::Object(object) = object {
            merged.extend(object);
        }
    }
    Ok(Value::Object(merged))
}
