//! Times taken apart: `rfc3339_parse` and `unix_timestamp_parse`.

use std::borrow::Cow;

use super::datetime::{Fields, Moment, Reading, parse};
use super::datetime_format::{MONTHS, WEEKDAYS, name};
use super::support::{WHOLE_NUMBER, function, number, refuse, text};
use crate::Str;
use crate::function::{Function, Parameter};
use crate::types::{ObjectAttribute, Type};
use crate::value::Value;

/// `rfc3339_parse(timestamp)`
pub(crate) fn rfc3339_parse() -> Function {
    function("rfc3339_parse", "Takes a time apart: year, month, day, hour and so on.")
        .parameter(
            Parameter::new("timestamp", Type::String)
                .described("The time, as RFC 3339 writes it; its own offset is used."),
        )
        .returns(result_type("unix", Type::Number))
        .implementation(|invocation, args| {
            // A space may stand for the T.
            let written = text(args, 0);
            let with_t = match written.as_bytes().get(10) {
                Some(b' ') => {
                    invocation.meter().hold_copy(written.len())?;
                    Cow::Owned(written.replacen(' ', "T", 1))
                }
                _ => Cow::Borrowed(written),
            };
            match parse(&with_t, Reading::Lax) {
                Ok(moment) => Ok(parts(&moment, "unix", Value::int(moment.seconds))),
                Err(problem) => refuse(0, problem),
            }
        })
}

/// `unix_timestamp_parse(unix_timestamp)`
pub(crate) fn unix_timestamp_parse() -> Function {
    function("unix_timestamp_parse", "Takes a time apart that is given in seconds since 1970, in UTC.")
        .parameter(
            Parameter::new("unix_timestamp", Type::Number)
                .described("Whole seconds since 1970-01-01T00:00:00Z."),
        )
        .returns(result_type("rfc3339", Type::String))
        .implementation(|_, args| {
            let Some(seconds) = number(args, 0).to_i64() else { return refuse(0, WHOLE_NUMBER) };
            let moment = Moment::from_unix(seconds, 0);
            Ok(parts(&moment, "rfc3339", Value::string(moment.to_text())))
        })
}

/// The attributes that are numbers, sorted by name; `parts` lists their values in this order.
const NUMBERS: [&str; 10] =
    ["day", "hour", "iso_week", "iso_year", "minute", "month", "second", "weekday", "year", "year_day"];

/// The type of a time taken apart. `instant` is the attribute that has the whole of it in the other form.
fn result_type(instant: &str, ty: Type) -> Type {
    let numbers = NUMBERS.iter().map(|name| (*name, Type::Number));
    let texts = [("month_name", Type::String), ("weekday_name", Type::String), (instant, ty)];
    let attributes = numbers.chain(texts).map(|(name, ty)| ObjectAttribute::new(Str::from(name), ty));
    Type::object(attributes.collect())
}

/// A time taken apart.
fn parts(moment: &Moment, instant: &str, as_instant: Value) -> Value {
    let Fields { year, month, day, weekday, hour, minute, second } = moment.fields();
    let (iso_year, iso_week) = moment.iso_week();
    let numbers = [day, hour, iso_week, iso_year, minute, month, second, weekday, year, moment.day_of_year()];
    let mut entries: Vec<(Str, Value)> =
        NUMBERS.iter().zip(numbers).map(|(name, part)| (Str::from(*name), Value::int(part))).collect();
    entries.push((Str::from("month_name"), Value::string(name(&MONTHS, month - 1))));
    entries.push((Str::from("weekday_name"), Value::string(name(&WEEKDAYS, weekday))));
    entries.push((Str::from(instant), as_instant));
    Value::object(entries)
}
