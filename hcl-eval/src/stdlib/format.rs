//! `format` and `formatlist`: verbs filled in with values.
//!
//! A format is read anew at each call, verb by verb, while the text is written; `format_verb` reads a verb and writes
//! numbers and padding. Verbs that are a mere `%s`, `%d` or `%04d`, which most are, take a short way.
//!
//! An argument that is not wholly known makes the text unknown before any verb is read, even one that is no verb. The
//! text before the first verb is then known as a prefix.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::format_verb::{Verb, fill, general, read};
use super::json;
use super::support::{
    append, fail, function, hold_push, long_text, make_room, shown, text, try_convert, unknown,
};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::{LimitReached, Pace};
use crate::types::Type;
use crate::value::string::STRETCH;
use crate::value::{Kind, Number, Refinement, Repr, Value};

/// The effect on the call of the bare `null`, which has no type.
#[derive(Copy, Clone, PartialEq, Eq)]
enum UntypedNull {
    /// It is a value like others.
    Formatted,
    /// Nothing is known of the result, as in older versions of the reference.
    MakesUnknown,
}

/// `format(format, args...)`
pub(crate) fn format() -> Function {
    format_with(UntypedNull::Formatted)
}

/// `format(format, args...)`, where a null without a type makes the result unknown.
pub(crate) fn format_typed() -> Function {
    format_with(UntypedNull::MakesUnknown)
}

/// `formatlist(format, args...)`
pub(crate) fn formatlist() -> Function {
    formatlist_with(UntypedNull::Formatted)
}

/// `formatlist(format, args...)`, where a null without a type makes the result unknown.
pub(crate) fn formatlist_typed() -> Function {
    formatlist_with(UntypedNull::MakesUnknown)
}

/// Adds the parameters that `format` and `formatlist` share.
fn parameters(function: Function, values: &'static str, nulls: UntypedNull) -> Function {
    let args = Parameter::new("args", Type::Dynamic).described(values).allow_null().allow_unknown();
    let args = if nulls == UntypedNull::Formatted { args.allow_dynamic() } else { args };
    function
        .parameter(
            Parameter::new("format", Type::String)
                .described("Text with verbs such as %s, %d, %5.2f or %#v in it; %% is a percent sign."),
        )
        .variadic(args)
}

/// Tells if an argument without a type ends the call with nothing known, as in those versions of the reference whose
/// parameter does not accept such arguments.
fn is_cut_short(args: &[Value], nulls: UntypedNull) -> bool {
    let has_no_type = |arg: &Value| arg.is_dynamic_unknown() || (arg.is_null() && arg.type_kind().is_none());
    nulls == UntypedNull::MakesUnknown && args.iter().any(has_no_type)
}

/// The function `format`. With unknown values the result keeps the text before the first verb as its known prefix.
fn format_with(nulls: UntypedNull) -> Function {
    parameters(
        function("format", "Fills the verbs of a text in with values."),
        "The values for the verbs, one after the other.",
        nulls,
    )
    .returns(Type::String)
    .implementation(move |invocation, args| {
        let [_, values @ ..] = args else { return fail("a format is required") };
        if is_cut_short(values, nulls) {
            return Ok(Value::dynamic());
        }
        let format = text(args, 0);
        if values.iter().all(|value| value.is_light() || value.is_wholly_known()) {
            return fill_in(invocation, format, values);
        }
        let known = Refinement::new().not_null();
        Ok(match format.find('%') {
            Some(start @ 1..) => Value::unknown_refined(Type::String, known.prefix(&format[..start])),
            _ => Value::unknown_refined(Type::String, known),
        })
    })
}

/// The function `formatlist`. A text whose values are not all known is unknown, the others of the list are known.
fn formatlist_with(nulls: UntypedNull) -> Function {
    parameters(
        function("formatlist", "Fills the verbs of a text in with the elements of lists, in step."),
        "Lists, sets and tuples of one length; other values are the same for every element.",
        nulls,
    )
    .returns(Type::list(Type::String))
    .implementation(move |invocation, args| {
        let [_, values @ ..] = args else { return fail("a format is required") };
        if is_cut_short(values, nulls) {
            return Ok(Value::dynamic());
        }
        let Some(length) = common_length(values)? else { return Ok(unknown(Type::list(Type::String))) };
        let mut columns: Columns<'_> = values.iter().map(Column::of).collect();
        let mut texts = Vec::new();
        for index in 0..length {
            invocation.charge_elements(1)?;
            invocation.meter().hold_push(&texts)?;
            texts.push(match next_row(&mut columns) {
                Some(row) => {
                    let filled = fill_in(invocation, text(args, 0), &row);
                    filled.map_err(|error| of_iteration(error, index))?
                }
                None => unknown(Type::String),
            });
        }
        Ok(Value::list(Type::String, texts))
    })
}

/// Says in an error of one text which it is, counted from 0. Errors of limits stay as they are.
fn of_iteration(mut error: FunctionError, index: usize) -> FunctionError {
    if error.limit.is_none() {
        error.detail = format!("error on format iteration {index}: {}", error.detail);
        error.argument = None;
    }
    error
}

/// An argument of `formatlist` on the way through it.
enum Column<'a> {
    /// A value that is no sequence is used in each text.
    Same(&'a Value),
    /// A sequence gives its elements in turn.
    Each(std::slice::Iter<'a, Value>),
}

/// The arguments of `formatlist` behind the format.
type Columns<'a> = SmallVec<[Column<'a>; 4]>;

impl<'a> Column<'a> {
    /// The argument before its first text.
    fn of(value: &'a Value) -> Self {
        value.elements().map_or(Self::Same(value), |elements| Self::Each(elements.iter()))
    }

    /// The value for the next text; nothing behind the end of a sequence.
    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Self::Same(value) => Some(*value),
            Self::Each(elements) => elements.next(),
        }
    }
}

/// The values of the next text; `None` if one of them is not known. As in the reference, what stands behind that one
/// is not gone on with then.
fn next_row(columns: &mut [Column<'_>]) -> Option<Row> {
    columns.iter_mut().map(|column| column.next().filter(|value| value.is_wholly_known()).cloned()).collect()
}

/// How many texts there will be; `None` if an argument is not known well enough.
fn common_length(values: &[Value]) -> Result<Option<usize>, FunctionError> {
    let mut chosen: Option<(usize, usize)> = None;
    let mut all_known = true;
    for (position, value) in (1..).zip(values) {
        let length = match (value.elements(), value.type_kind()) {
            (Some(elements), _) if value.length().is_known() => elements.len(),
            (None, Some(Kind::Tuple)) if !value.is_known() => {
                all_known = false;
                value.ty().tuple_elements().map_or(0, <[Type]>::len)
            }
            (Some(_), _) => {
                all_known = false;
                continue;
            }
            (None, kind) => {
                all_known &= value.is_known() || !matches!(kind, Some(Kind::List | Kind::Set) | None);
                continue;
            }
        };
        match chosen {
            None => chosen = Some((position, length)),
            Some((_, first)) if first == length => {}
            Some((chooser, first)) => {
                return Err(FunctionError::argument(
                    position,
                    format!(
                        "argument {position} has length {length}, which is inconsistent with argument {chooser} \
                         of length {first}"
                    ),
                ));
            }
        }
    }
    Ok(all_known.then_some(chosen.map_or(1, |(_, length)| length)))
}

/// The values for the verbs of one text, mostly a few.
type Row = SmallVec<[Value; 4]>;

/// The width or precision up to which nothing is charged in advance. The text that results is charged either way.
const CHARGED_LATER: usize = 1024;

/// Fills the verbs in with known values.
fn fill_in(invocation: &mut Invocation<'_>, format: &str, values: &[Value]) -> Result<Value, FunctionError> {
    // The room for text that is being put together; nobody else needs it meanwhile.
    let mut room = std::mem::take(&mut invocation.meter().text);
    let start = room.len();
    let filled = room_for_long(invocation, format, &mut room)
        .and_then(|()| write_filled(invocation, format, values, &mut room));
    let result = filled.and_then(|()| long_text(invocation, &room[start..]));
    room.truncate(start);
    invocation.meter().text = room;
    result
}

/// Makes room for what stands between the verbs of a long format.
fn room_for_long(
    invocation: &mut Invocation<'_>,
    format: &str,
    out: &mut String,
) -> Result<(), FunctionError> {
    if format.len() > STRETCH {
        make_room(invocation, format, out)?;
    }
    Ok(())
}

/// Appends the text with its verbs filled in. Arguments are counted from 1; a verb without a number of its own takes
/// the one behind that of the verb before it. All arguments up to the highest one used count as used.
fn write_filled(
    invocation: &mut Invocation<'_>,
    format: &str,
    values: &[Value],
    out: &mut String,
) -> Result<(), FunctionError> {
    let mut offset = 0;
    let (mut next, mut highest) = (1, 0);
    while let Some(found) = format.as_bytes()[offset..].iter().position(|byte| *byte == b'%') {
        if found > 0 {
            append(invocation, out, &format[offset..offset + found])?;
            offset += found;
        }
        let (letter, width, len) = match &format.as_bytes()[offset..] {
            [_, letter @ (b's' | b'd'), ..] => (*letter, 0, 2),
            [_, b'0', width @ b'1'..=b'9', b'd', ..] => (b'd', usize::from(width - b'0'), 4),
            [_, b'%', ..] => {
                out.push('%');
                offset += 2;
                continue;
            }
            _ => (0, 0, 0),
        };
        if len > 0
            && let Some(value) = values.get(next - 1)
            && write_simply(invocation, letter, width, value, out)?
        {
            highest = highest.max(next);
            next += 1;
            offset += len;
            continue;
        }
        let verb = read(&format[offset..], offset).map_err(FunctionError::new)?;
        let argument = verb.argument.unwrap_or(next);
        highest = highest.max(argument);
        next = argument.saturating_add(1);
        let Some(value) = values.get(argument - 1) else {
            return Err(FunctionError::new(format!(
                "not enough arguments for {:?} at {offset}: need index {argument} but have {} total",
                shown(verb.text),
                values.len()
            )));
        };
        write_value(invocation, &verb, value, out)?;
        offset += verb.text.len();
    }
    if offset < format.len() {
        append(invocation, out, &format[offset..])?;
    }
    match highest {
        _ if highest >= values.len() => Ok(()),
        0 => Err(FunctionError::argument(1, "too many arguments; no verbs in format string")),
        _ => Err(FunctionError::argument(
            highest + 1,
            format!("too many arguments; only {highest} used by format string"),
        )),
    }
}

/// Fills in a verb of nothing but its letter, or a `%d` of so many digits at least with zeros before them, where the value is
/// short, of the very type, and a number has no sign before zeros; false if it did nothing.
fn write_simply(
    invocation: &mut Invocation<'_>,
    letter: u8,
    width: usize,
    value: &Value,
    out: &mut String,
) -> Result<bool, FunctionError> {
    let before = out.len();
    match &value.0 {
        Repr::String(text) if letter == b's' => {
            hold_push(invocation, text, out)?;
            append(invocation, out, text)?;
        }
        Repr::Number(number) if number.is_big() => return Ok(false),
        Repr::Number(number) if letter == b's' => number.write_text(out),
        Repr::Number(number) => match number.to_i64() {
            Some(whole) if whole >= 0 || width == 0 => {
                let mut buffer = itoa::Buffer::new();
                let digits = buffer.format(whole);
                fill(out, '0', width.saturating_sub(digits.len()));
                out.push_str(digits);
            }
            _ => return Ok(false),
        },
        _ => return Ok(false),
    }
    invocation.charge_bytes(out.len() - before)?;
    Ok(true)
}

/// Appends a value as a verb says. A width that is longer than [`CHARGED_LATER`] is charged before it is written.
fn write_value(
    invocation: &mut Invocation<'_>,
    verb: &Verb<'_>,
    value: &Value,
    out: &mut String,
) -> Result<(), FunctionError> {
    let unsupported = |why: &str| unsupported(verb, why);
    let converted = |invocation: &mut Invocation<'_>, ty: &Type| converted_for(invocation, verb, value, ty);
    // The precision of a text is a bound, and not what is written.
    let digits = if matches!(verb.letter, 's' | 'q') { 0 } else { verb.precision.unwrap_or(0) };
    let least = verb.width.max(digits);
    let charged = if least > CHARGED_LATER { least } else { 0 };
    if charged > 0 {
        invocation.charge_bytes(charged)?;
    }
    if value.is_null() && verb.letter != 'v' {
        return Err(unsupported("null value cannot be formatted"));
    }
    let before = out.len();
    match verb.letter {
        'v' => write_as_is(invocation, verb, value, out).map_err(|error| match error.limit {
            Some(_) => error,
            None => unsupported(&error.detail),
        })?,
        't' => {
            let is_true = converted(invocation, &Type::Bool)?.as_bool() == Some(true);
            out.push_str(if is_true { "true" } else { "false" });
        }
        'b' | 'd' | 'o' | 'x' | 'X' => {
            let number = number_for(invocation, verb, value)?;
            if !verb.write_integer(&number, out, &mut Some(invocation.meter()))? {
                return Err(unsupported("an integer is required"));
            }
        }
        'e' | 'E' | 'f' | 'g' | 'G' => {
            let number = number_for(invocation, verb, value)?;
            verb.write_float(&number, out, &mut Some(invocation.meter()))?;
        }
        's' | 'q' => {
            if let Some(number) = value.as_number() {
                charge_number(invocation, number)?;
            }
            let string = converted(invocation, &Type::String)?;
            let cut = verb.cut(invocation, string.as_str().unwrap_or(""))?;
            let text = match verb.letter {
                's' => Cow::Borrowed(cut),
                _ => quoted(cut, invocation)?.into(),
            };
            pad_text(invocation, verb, &text, out)?;
        }
        letter => {
            return Err(FunctionError::new(format!(
                "unsupported format verb {letter:?} in {:?} at offset {}",
                shown(verb.text),
                verb.offset
            )));
        }
    }
    invocation.charge_bytes((out.len() - before).saturating_sub(charged))
}

/// The complaint about a value that a verb cannot write.
fn unsupported(verb: &Verb<'_>, why: &str) -> FunctionError {
    FunctionError::new(format!("unsupported value for {:?} at {}: {why}", shown(verb.text), verb.offset))
}

/// The value as a type that the verb writes.
fn converted_for(
    invocation: &mut Invocation<'_>,
    verb: &Verb<'_>,
    value: &Value,
    ty: &Type,
) -> Result<Value, FunctionError> {
    try_convert(value, ty, invocation.meter())?.map_err(|error| unsupported(verb, &error.detail()))
}

/// The value as a number that is about to be written.
fn number_for(
    invocation: &mut Invocation<'_>,
    verb: &Verb<'_>,
    value: &Value,
) -> Result<Number, FunctionError> {
    let number = match &value.0 {
        Repr::Number(number) => number.clone(),
        _ => {
            let converted = converted_for(invocation, verb, value, &Type::Number)?;
            converted.as_number().cloned().unwrap_or(Number::from_i64(0))
        }
    };
    charge_number(invocation, &number)?;
    Ok(number)
}

/// Charges a number that is about to be written. The text of one with a large exponent is long, and takes long to
/// make.
fn charge_number(invocation: &mut Invocation<'_>, number: &Number) -> Result<(), FunctionError> {
    if number.is_big() { charge_big(invocation, number) } else { Ok(()) }
}

/// Charges the digits of a big number, and for making them the square of their count, because conversion to decimal
/// takes about that.
fn charge_big(invocation: &mut Invocation<'_>, number: &Number) -> Result<(), FunctionError> {
    let bound = number.text_len_bound();
    invocation.charge_steps((bound / 64).saturating_mul(bound / 64))?;
    invocation.charge_bytes(usize::try_from(bound).unwrap_or(usize::MAX))
}

/// Writes `%v` and `%#v`. Without the sharp flag a text stands without quotes, and a number takes an exponent from
/// six digits on; everything else, also a number inside a collection, is JSON.
fn write_as_is(
    invocation: &mut Invocation<'_>,
    verb: &Verb<'_>,
    value: &Value,
    out: &mut String,
) -> Result<(), FunctionError> {
    let text = match (value.kind(), value.as_str(), value.as_number()) {
        (Kind::String, Some(text), _) if !verb.sharp => Cow::Borrowed(text),
        (Kind::Number, _, Some(number)) if !verb.sharp => {
            charge_number(invocation, number)?;
            plain_number(number, &mut Some(invocation.meter()))?.into()
        }
        _ => json::encode(invocation, value)?.into(),
    };
    pad_text(invocation, verb, &text, out)
}

/// Appends a text if there is room for it beside what it is taken from.
fn pad_text(
    invocation: &mut Invocation<'_>,
    verb: &Verb<'_>,
    text: &str,
    out: &mut String,
) -> Result<(), FunctionError> {
    hold_push(invocation, text, out)?;
    verb.pad_text(invocation, text, out)
}

/// A number as a `%v` that is not JSON writes it.
fn plain_number(number: &Number, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    if number.is_infinite() {
        return Ok(number.to_text());
    }
    let sign = if number.is_negative() { "-" } else { "" };
    Ok(format!("{sign}{}", general(number, None, 'e', pace)?))
}

/// A text in the quotes and escapes of JSON, as `%q` writes it.
fn quoted(text: &str, invocation: &mut Invocation<'_>) -> Result<String, FunctionError> {
    let text = long_text(invocation, text)?;
    json::encode(invocation, &text)
}
