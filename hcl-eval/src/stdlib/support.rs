//! Tools of the functions of the library: reading arguments that `invoke` has already checked, and the wording of
//! complaints about them.

use std::ops::Range;

use hcl_syntax::clusters::Clusters;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, MAX_DETAIL, Severity};
use hcl_syntax::parser::ParseLimits;

use crate::convert::convert_within;
use crate::function::{Function, FunctionError, Invocation};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Stopped};
use crate::types::Type;
use crate::types::unify::common_within;
use crate::value::string::{STRETCH, normalize_within, stretches};
use crate::value::{Number, Value, ValueError, ValueErrorKind};

/// The type of the first argument; [`Type::Dynamic`] if there is none.
pub(super) fn type_of_first(args: &[Value], meter: &mut Meter) -> Result<Type, LimitReached> {
    args.first().map_or(Ok(Type::Dynamic), |value| value.ty_on(&mut Some(meter)))
}

/// The types of all arguments.
pub(super) fn types_of(args: &[Value], meter: &mut Meter) -> Result<Vec<Type>, LimitReached> {
    args.iter().map(|value| value.ty_on(&mut Some(meter))).collect()
}

/// The type that values of all these types can be converted to, if there is one.
pub(super) fn unify_on(types: &[Type], meter: &mut Meter) -> Result<Option<Type>, LimitReached> {
    Ok(common_within(types, meter)?.map(|common| common.ty))
}

/// Converts a value; a limit that has been reached is not among the reasons why the value does not fit.
pub(super) fn try_convert(
    value: &Value,
    ty: &Type,
    meter: &mut Meter,
) -> Result<Result<Value, ValueError>, LimitReached> {
    let converted = convert_within(value, ty, meter);
    match converted.as_ref().map_err(|error| &error.kind) {
        Err(&ValueErrorKind::Limit(limit)) => Err(limit),
        _ => Ok(converted),
    }
}

/// The result of a function.
pub(super) type Outcome = Result<Value, FunctionError>;

/// A function whose result is never null, as nearly all are.
pub(super) fn function(name: &str, description: &'static str) -> Function {
    Function::new(name, description).not_null_result(true)
}

/// A text that has been charged for as a value; looks at the limits while it is put into normal form.
pub(super) fn long_text(invocation: &mut Invocation<'_>, text: &str) -> Outcome {
    Ok(Value::string_nfc(normalize_within(text, &mut Some(invocation.meter()))?))
}

/// A text in stretches, with a look at the limits before each.
pub(super) fn in_stretches(
    invocation: &mut Invocation<'_>,
    text: &str,
    mut each: impl FnMut(&str),
) -> Result<(), FunctionError> {
    for stretch in stretches(text) {
        invocation.go_on(stretch.len() / BYTES_PER_PART)?;
        each(stretch);
    }
    Ok(())
}

/// Asks for what `out` takes when a text makes it larger.
pub(super) fn hold_push(
    invocation: &mut Invocation<'_>,
    text: &str,
    out: &String,
) -> Result<(), FunctionError> {
    let more = if out.capacity() - out.len() < text.len() { out.capacity().max(text.len()) } else { 0 };
    Ok(invocation.meter().hold(more)?)
}

/// Makes room in `out` for a text that is appended in pieces, which the limits are asked for.
#[expect(clippy::disallowed_methods, reason = "the limits have been asked")]
pub(super) fn make_room(
    invocation: &mut Invocation<'_>,
    text: &str,
    out: &mut String,
) -> Result<(), FunctionError> {
    hold_push(invocation, text, out)?;
    out.reserve(text.len());
    Ok(())
}

/// Appends a text, with looks at the limits.
#[inline(always)] // `join` of 1,000 texts takes 133,000 instructions, and 187,900 where it is a call.
pub(super) fn append(
    invocation: &mut Invocation<'_>,
    to: &mut String,
    text: &str,
) -> Result<(), FunctionError> {
    if text.len() > STRETCH {
        return append_long(invocation, to, text);
    }
    invocation.go_on(1 + text.len() / BYTES_PER_PART)?;
    to.push_str(text);
    Ok(())
}

#[cold] // Without it `join_1000` takes 29 % more instructions.
fn append_long(invocation: &mut Invocation<'_>, to: &mut String, text: &str) -> Result<(), FunctionError> {
    make_room(invocation, text, to)?;
    in_stretches(invocation, text, |stretch| to.push_str(stretch))
}

/// A byte of what characters are looked for in is as much work as so many bytes of plain text.
const BYTES_OF_WORK: usize = 8;

/// The place of the next character of a text, with looks at the limits.
pub(super) fn next_cluster(
    clusters: &mut Clusters<'_>,
    invocation: &mut Invocation<'_>,
) -> Result<Option<Range<usize>>, FunctionError> {
    clusters.next(|bytes| invocation.go_on(1 + bytes * BYTES_OF_WORK / BYTES_PER_PART))
}

/// The text of an argument whose parameter is a string. An argument that is missing or no text reads as empty;
/// `invoke` has refused such arguments before.
pub(super) fn text(args: &[Value], position: usize) -> &str {
    args.get(position).and_then(Value::as_str).unwrap_or("")
}

/// An argument whose parameter is a number, or 0 where `text` would be empty.
pub(super) fn number(args: &[Value], position: usize) -> Number {
    args.get(position).and_then(Value::as_number).cloned().unwrap_or(Number::from_i64(0))
}

/// A number, called `name`, that must be whole and fit 64 bits.
pub(super) fn whole(args: &[Value], position: usize, name: &str) -> Result<i64, FunctionError> {
    number(args, position).to_i64().ok_or_else(|| FunctionError::new(format!("\"{name}\": {WHOLE_NUMBER}")))
}

/// The complaint about a number that is not whole or does not fit 64 bits.
pub(super) const WHOLE_NUMBER: &str =
    "value must be a whole number, between -9223372036854775808 and 9223372036854775807";

/// The elements of a known list, set or tuple.
pub(super) fn elements(args: &[Value], position: usize) -> &[Value] {
    args.get(position).and_then(Value::elements).unwrap_or(&[])
}

/// An unknown value that is not null.
pub(super) fn unknown(ty: Type) -> Value {
    Value::unknown(ty).refine_not_null()
}

/// An error of one argument.
pub(super) fn refuse<T>(position: usize, detail: impl Into<String>) -> Result<T, FunctionError> {
    Err(FunctionError::argument(position, detail))
}

/// An error of the call as a whole.
pub(super) fn fail<T>(detail: impl Into<String>) -> Result<T, FunctionError> {
    Err(FunctionError::new(detail))
}

/// A text to be quoted in a message, of which no more is shown than a message may have.
pub(super) fn shown(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_DETAIL)]
}

/// Quotes a text that a host may have asked to keep from being shown, unless it is marked.
pub(super) fn quoted(value: &Value) -> String {
    match (value.is_marked(), value.as_str()) {
        (false, Some(text)) => format!("{:?}", shown(text)),
        _ => "(sensitive value)".to_owned(),
    }
}

/// How to read text within the bounds of a call.
pub(super) fn parse_limits(invocation: &mut Invocation<'_>) -> ParseLimits {
    invocation.meter().limits().of_reading()
}

/// Checks that nothing has ended the call while it read or evaluated a text, of which these are the problems.
pub(super) fn goes_on(invocation: &mut Invocation<'_>, problems: &Diagnostics) -> Result<(), FunctionError> {
    let mut reasons = [Stopped::Deadline, Stopped::Cancelled, Stopped::OutOfMemory].into_iter();
    let told = reasons.find(|reason| problems.iter().any(|problem| problem.code == reason.code()));
    unless_stopped(invocation, told)
}

/// Checks that nothing has ended the call while it worked on a text. What has ended the work on the text may be over by now: a
/// switch is taken back, or there is time again as less is to be released.
pub(super) fn unless_stopped(
    invocation: &mut Invocation<'_>,
    told: Option<Stopped>,
) -> Result<(), FunctionError> {
    let meter = invocation.meter();
    match told.or_else(|| meter.limits().stopped()) {
        Some(stopped) => Err(meter.stop(stopped.into()).into()),
        None => Ok(meter.check()?),
    }
}

/// Errors inside a text that a function reads, as a part of a sentence.
pub(super) fn embedded(diagnostics: &Diagnostics) -> String {
    told(diagnostics, ToString::to_string)
}

/// Lists the problems without details, which may tell what is in the text.
pub(super) fn places(diagnostics: &Diagnostics) -> String {
    told(diagnostics, |diagnostic| match &diagnostic.subject {
        Some(subject) => format!("{subject}: {}", diagnostic.summary),
        None => diagnostic.summary.to_string(),
    })
}

/// Lists the problems, each as `tell` words it.
fn told(diagnostics: &Diagnostics, tell: impl Fn(&Diagnostic) -> String) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mut texts: Vec<String> = errors.map(tell).collect();
    // Some three problems tell what is wrong with a text; more would hide the function's own message.
    const SHOWN: usize = 3;
    if texts.len() > SHOWN {
        let more = texts.len() - SHOWN;
        texts.truncate(SHOWN);
        texts.push(format!("and {more} more"));
    }
    texts.join("; ")
}
