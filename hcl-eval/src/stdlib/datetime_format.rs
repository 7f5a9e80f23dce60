//! The formats of `formatdate`: runs of one letter are verbs, quoted text and everything that is no ASCII letter
//! stands for itself.
//!
//! A run of letters that is no verb is an error. Names of months and days are English, whatever the locale of the
//! system.

use hcl_syntax::diagnostic::MAX_DETAIL;

use super::datetime::{Fields, Moment, offset_text};
use super::support::{append, refuse};
use crate::function::{FunctionError, Invocation};

/// From January on. The first three letters are the short form.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// From Sunday on. The first three letters are the short form.
pub(super) const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Writes a moment in a format.
pub(super) fn format_moment(
    invocation: &mut Invocation<'_>,
    format: &str,
    moment: &Moment,
) -> Result<String, FunctionError> {
    let refused = |problem: String| FunctionError::argument(0, problem);
    let fields = moment.fields();
    let mut out = String::new();
    let mut rest = format;
    while let Some(c) = rest.chars().next() {
        invocation.go_on(1)?;
        let end = match c {
            '\'' => quoted(invocation, rest, &mut out)?,
            c if c.is_ascii_alphabetic() => {
                // A longer run is no field either, and no more of it is shown.
                let end = rest.bytes().take(MAX_DETAIL).take_while(|next| char::from(*next) == c).count();
                let written = verb(&rest[..end], &fields, moment.offset_minutes);
                out.push_str(&written.map_err(refused)?);
                end
            }
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[end..];
    }
    Ok(out)
}

/// Copies quoted text; two quotes are one, and end the text too if nothing follows them. Gives the length of it all.
fn quoted(invocation: &mut Invocation<'_>, text: &str, out: &mut String) -> Result<usize, FunctionError> {
    if text.starts_with("''") {
        out.push('\'');
        return Ok(2);
    }
    let mut at = 1;
    loop {
        let Some(quote) = text[at..].find('\'') else { return refuse(0, "unterminated literal '") };
        append(invocation, out, &text[at..at + quote])?;
        at += quote + 1;
        if !text[at..].starts_with('\'') {
            return Ok(at);
        }
        out.push('\'');
        at += 1;
        if at == text.len() {
            return Ok(at);
        }
    }
}

/// One of several names, by its position; empty beyond the last.
pub(super) fn name(names: &[&'static str], position: i64) -> &'static str {
    usize::try_from(position).ok().and_then(|position| names.get(position)).copied().unwrap_or("")
}

/// Writes the field that a run of one letter stands for. `offset` is that from UTC, in minutes. The length of the run
/// is part of the verb: `MMM` is a name, `MM` a number.
fn verb(verb: &str, fields: &Fields, offset: i64) -> Result<String, String> {
    let Fields { year, month, day, weekday, hour, minute, second } = fields;
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    Ok(match verb {
        "YYYY" => format!("{year:04}"),
        "YY" => format!("{:02}", year % 100),
        "M" => month.to_string(),
        "MM" => format!("{month:02}"),
        "MMM" => name(&MONTHS, month - 1)[..3].to_owned(),
        "MMMM" => name(&MONTHS, month - 1).to_owned(),
        "D" => day.to_string(),
        "DD" => format!("{day:02}"),
        "EEE" => name(&WEEKDAYS, *weekday)[..3].to_owned(),
        "EEEE" => name(&WEEKDAYS, *weekday).to_owned(),
        "h" => hour.to_string(),
        "hh" => format!("{hour:02}"),
        "H" => twelve.to_string(),
        "HH" => format!("{twelve:02}"),
        "AA" => if *hour < 12 { "AM" } else { "PM" }.to_owned(),
        "aa" => if *hour < 12 { "am" } else { "pm" }.to_owned(),
        "m" => minute.to_string(),
        "mm" => format!("{minute:02}"),
        "s" => second.to_string(),
        "ss" => format!("{second:02}"),
        "Z" if offset == 0 => "Z".to_owned(),
        "ZZZ" if offset == 0 => "UTC".to_owned(),
        "Z" | "ZZZZZ" => offset_text(offset, ":"),
        "ZZZ" | "ZZZZ" => offset_text(offset, ""),
        _ => return Err(refused(verb)),
    })
}

/// The complaint about a run of letters that is no verb, with those that its letter has.
fn refused(verb: &str) -> String {
    let wanted = match verb.chars().next() {
        Some('Y') => "the year must be YY or YYYY",
        Some('M') => "the month must be M, MM, MMM or MMMM",
        Some('D') => "the day must be D or DD",
        Some('E') => "the weekday must be EEE or EEEE",
        Some('h') => "the 24-hour hour must be h or hh",
        Some('H') => "the 12-hour hour must be H or HH",
        Some('A' | 'a') => "the half of the day must be AA or aa",
        Some('m') => "the minute must be m or mm",
        Some('s') => "the second must be s or ss",
        Some('Z') => "the UTC offset must be Z, ZZZ, ZZZZ or ZZZZZ",
        _ => "letters that are to stand for themselves are put in single quotes",
    };
    format!("invalid date format verb {verb:?}: {wanted}")
}
