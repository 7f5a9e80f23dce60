//! Calling a function with values: null, unknown, dynamic and marked arguments are dealt with here, once.

use hcl_syntax::memory;

use super::hidden::hide_marked;
use super::{Body, Function, FunctionError, Implementation, Invocation};
use crate::limits::{LimitReached, Meter, RUN};
use crate::types::Type;
use crate::value::scattered::Scattering;
use crate::value::{Marks, Repr, Value};

/// Calls `function` with arguments that have been converted to its parameters' types.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::function::{Invocation, invoke};
/// use hcl_eval::limits::{Limits, Meter};
///
/// let functions = dialect::terraform();
/// let upper = functions.get("upper").unwrap();
/// let mut meter = Meter::new(Limits::default());
/// let result = invoke(upper, &["web".into()], &mut Invocation::new(&mut meter, None, None))?;
/// assert_eq!(result.as_str(), Some("WEB"));
/// # Ok::<(), hcl_eval::function::FunctionError>(())
/// ```
///
/// # Errors
/// An argument is null where it must not be, or the function refuses.
pub fn invoke(
    function: &Function,
    arguments: &[Value],
    invocation: &mut Invocation<'_>,
) -> Result<Value, FunctionError> {
    let Body::Strict(run) = &function.body else {
        return Err(FunctionError::new("this function cannot be called with values"));
    };
    let (is_plain, size) = survey(arguments, invocation.meter())?;
    let _sharing = ask_for_room(arguments, size, invocation.meter())?;
    if is_plain {
        return invoke_plain(function, run, arguments, invocation);
    }
    let is_name = |text: &str| function.all_parameters().any(|p| p.name == text) || function.name() == text;
    call_guarded(function, run, arguments, invocation).map_err(|error| hide_marked(arguments, error, is_name))
}

/// A function takes so many times the memory of its arguments at most beside what it asks for itself.
const TIMES_ARGUMENTS: u64 = 4;

/// With less the system is not asked.
const MUCH: u64 = 1 << 18;

/// Looks at the limits now and then while arguments are gone through one by one.
fn look_among_many(position: usize, meter: &mut Meter) -> Result<(), LimitReached> {
    if position % RUN == RUN - 1 { meter.go_on(RUN) } else { Ok(()) }
}

/// Returns whether no parameter could object to any of the arguments, and about how many bytes they take.
fn survey(arguments: &[Value], meter: &mut Meter) -> Result<(bool, u64), LimitReached> {
    let (mut is_plain, mut size) = (true, 0_u64);
    for run in arguments.chunks(RUN) {
        if arguments.len() > RUN {
            meter.go_on(run.len())?;
        }
        for argument in run {
            let (is_plain_too, own_size) = survey_one(argument);
            is_plain &= is_plain_too;
            size = size.saturating_add(own_size);
        }
    }
    Ok((is_plain, size))
}

/// Asks the system for the memory that a function takes without asking: what it makes of its arguments on the way. What is more
/// than the limits leave is refused by them. The result is to be kept until the function has returned.
fn ask_for_room(arguments: &[Value], size: u64, meter: &mut Meter) -> Result<Scattering, LimitReached> {
    let size = size.saturating_mul(TIMES_ARGUMENTS).min(meter.bytes_left());
    if size < MUCH {
        return Ok(Scattering::default());
    }
    if !memory::has_room_for(usize::try_from(size).unwrap_or(usize::MAX)) {
        return Err(meter.stop(LimitReached::OutOfMemory));
    }
    let mut sharing = Scattering::default();
    // Of more arguments, each has few parts.
    if arguments.len() <= RUN {
        sharing.add_values_shared(arguments);
    }
    Ok(sharing)
}

/// Runs `function` with arguments that no parameter could object to. A part of its callers: 20 instructions for each call.
#[inline(always)]
pub(crate) fn invoke_plain(
    function: &Function,
    run: &Implementation,
    arguments: &[Value],
    invocation: &mut Invocation<'_>,
) -> Result<Value, FunctionError> {
    match run(invocation, arguments) {
        Err(error) => or_unknown(function, arguments, error, invocation),
        result => result,
    }
}

/// Calls with arguments that are null, unknown or marked, or have parts that are.
fn call_guarded(
    function: &Function,
    run: &Implementation,
    arguments: &[Value],
    invocation: &mut Invocation<'_>,
) -> Result<Value, FunctionError> {
    let mut marks = Marks::EMPTY;
    let mut stripped = Vec::new();
    let arguments = match strip(function, arguments, &mut marks, &mut stripped, invocation.meter())? {
        true => &stripped[..],
        false => arguments,
    };
    let result = match check(function, arguments, invocation.meter())? {
        Outcome::Run => invoke_plain(function, run, arguments, invocation)?,
        outcome => {
            // The function would have dealt with these, had it been asked.
            marks = arguments.iter().fold(marks, |marks, value| marks.union(value.marks()));
            match outcome {
                Outcome::Dynamic => Value::dynamic(),
                _ => Value::unknown(function.result_type_on(arguments, invocation.meter())?),
            }
        }
    };
    let refined = function.has_not_null_result() && !result.is_known();
    let result = if refined { result.refine_not_null() } else { result };
    Ok(if marks.is_empty() { result } else { result.with_marks(&marks) })
}

/// An unknown result if the host says that the answer will come later; else the error.
fn or_unknown(
    function: &Function,
    arguments: &[Value],
    error: FunctionError,
    invocation: &mut Invocation<'_>,
) -> Result<Value, FunctionError> {
    if !error.not_known_yet {
        return Err(error);
    }
    let unknown = Value::unknown(function.result_type_on(arguments, invocation.meter())?);
    Ok(if function.has_not_null_result() { unknown.refine_not_null() } else { unknown })
}

/// Returns whether no parameter could object to the value, known, not null, without marks at any depth, and how many bytes it
/// takes.
fn survey_one(value: &Value) -> (bool, u64) {
    match &value.0 {
        Repr::String(text) => return (true, text.len() as u64),
        Repr::Number(number) if number.is_long() => return (true, number.text_len_bound()),
        _ => {}
    }
    let summary = value.summary();
    let is_plain =
        !matches!(value.0, Repr::Null(_)) && !summary.contains_marks() && !summary.contains_unknown();
    (is_plain, u64::from(summary.weight) * size_of::<Value>() as u64)
}

enum Outcome {
    Run,
    Dynamic,
    Unknown,
}

/// Takes the marks off arguments whose parameters do not want them. Whether there were any.
fn strip(
    function: &Function,
    arguments: &[Value],
    marks: &mut Marks,
    stripped: &mut Vec<Value>,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    let unwanted = |position: usize, value: &Value| {
        value.contains_marks() && !function.parameter_at(position).is_some_and(|p| p.allow_marked)
    };
    if !arguments.iter().enumerate().any(|(position, value)| unwanted(position, value)) {
        return Ok(false);
    }
    for (position, value) in arguments.iter().enumerate() {
        look_among_many(position, meter)?;
        if !unwanted(position, value) {
            stripped.push(value.clone());
            continue;
        }
        let (value, own) = value.unmark_deep_within(meter)?;
        *marks = marks.union(&own);
        stripped.push(value);
    }
    Ok(true)
}

/// A set with unknown elements keeps their type when it is converted to a list; functions want theirs.
fn check_type(position: usize, value: &Value, wanted: &Type, meter: &mut Meter) -> Result<(), FunctionError> {
    let ty = value.ty_on(&mut Some(meter))?;
    if ty.conforms_to(wanted) {
        return Ok(());
    }
    let (found, wanted) = (ty.friendly_name(), wanted.constraint_name());
    Err(FunctionError::argument(position, format!("{wanted} required, but have {found}")))
}

/// Decides the effect of null, dynamic and unknown arguments.
fn check(function: &Function, arguments: &[Value], meter: &mut Meter) -> Result<Outcome, FunctionError> {
    let mut outcome = Outcome::Run;
    for (position, value) in arguments.iter().enumerate() {
        look_among_many(position, meter)?;
        let Some(parameter) = function.parameter_at(position) else { continue };
        if value.is_null() && !parameter.allow_null {
            return Err(FunctionError::argument(position, "argument must not be null"));
        }
        // The bare null has no type either.
        let has_no_type = value.is_dynamic_unknown() || (value.is_null() && value.type_kind().is_none());
        if has_no_type && !parameter.allow_dynamic {
            // Nothing is asked of the arguments that follow, as in the reference implementation.
            return Ok(Outcome::Dynamic);
        }
        if parameter.ty.is_collection() && !value.is_wholly_known() {
            check_type(position, value, &parameter.ty, meter)?;
        }
        if !value.is_known() && !parameter.allow_unknown {
            outcome = Outcome::Unknown;
        }
    }
    Ok(outcome)
}
