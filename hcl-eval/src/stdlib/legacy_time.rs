//! `legacy_isotime` and `legacy_strftime`: the time at which the program started, in layouts of old.
//!
//! A layout shows how the reference time, Monday the second of January 2006 at 15:04:05 in the zone MST (-0700), would
//! be written; every piece of it that is known is replaced. A format with percent verbs is no layout: each verb stands
//! for a layout of its own, and other text stays.

use super::datetime::{Fields, Moment, offset_text};
use super::datetime_format::{MONTHS, WEEKDAYS, name};
use super::support::{Outcome, fail, function, text};
use crate::function::{Function, Invocation, Parameter};
use crate::host::Capability;
use crate::types::Type;
use crate::value::Value;

/// `legacy_isotime([format])`
pub(crate) fn legacy_isotime() -> Function {
    of_start(
        "legacy_isotime",
        "Writes the time of the program's start in a layout of the reference time.",
        write,
    )
}

/// `legacy_strftime([format])`
pub(crate) fn legacy_strftime() -> Function {
    of_start(
        "legacy_strftime",
        "Writes the time of the program's start in a format with % verbs.",
        write_verbs,
    )
}

/// The form that both functions write without an argument.
const RFC3339: &str = "2006-01-02T15:04:05Z07:00";

/// A function of at most one format that writes the time of the program's start.
fn of_start(name: &'static str, description: &'static str, write_with: WriteWith) -> Function {
    function(name, description)
        .variadic(
            Parameter::new("format", Type::String).described(
                "The format, no more than one; without it the time is written as RFC 3339 has it.",
            ),
        )
        .returns(Type::String)
        .needs(Capability::Clock)
        .implementation(move |invocation, args| {
            if args.len() > 1 {
                return fail(format!("too many values, 1 needed: {} were given", args.len()));
            }
            match args.is_empty() {
                true => write_start(invocation, RFC3339, write),
                false => write_start(invocation, text(args, 0), write_with),
            }
        })
}

/// Writes a time in a format.
type WriteWith = fn(&str, &Moment) -> String;

/// Writes the time of the program's start in UTC. A piece of a format becomes at most five times as long.
fn write_start(invocation: &mut Invocation<'_>, format: &str, write_with: WriteWith) -> Outcome {
    invocation.charge_bytes(format.len().saturating_mul(5))?;
    let start = invocation.ask(Capability::Clock, |host| host.start_time())?;
    let moment = Moment::from_unix(start.seconds, start.nanoseconds);
    Ok(Value::string(write_with(format, &moment)))
}

/// The layouts that the percent verbs stand for.
const VERBS: [(char, &str); 16] = [
    ('A', "Monday"),
    ('a', "Mon"),
    ('B', "January"),
    ('b', "Jan"),
    ('d', "02"),
    ('H', "15"),
    ('I', "03"),
    ('L', ".000"),
    ('M', "04"),
    ('m', "01"),
    ('p', "PM"),
    ('S', "05"),
    ('Y', "2006"),
    ('y', "06"),
    ('Z', "MST"),
    ('z', "-0700"),
];

/// Writes a time with its parts in place of the verbs. Verbs that are not known stay, and two percent signs are one.
fn write_verbs(format: &str, moment: &Moment) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(percent) = rest.find('%') {
        out.push_str(&rest[..percent]);
        rest = &rest[percent + 1..];
        let verb = rest.chars().next();
        match VERBS.iter().find(|(known, _)| Some(*known) == verb) {
            Some((_, layout)) => {
                out.push_str(&write(layout, moment));
                rest = &rest[1..];
            }
            None => {
                out.push('%');
                rest = rest.strip_prefix('%').unwrap_or(rest);
            }
        }
    }
    out.push_str(rest);
    out
}

/// Writes one piece of a layout.
type Piece = fn(&Fields, &Moment) -> String;

/// The pieces of a layout; of those that fit the longest comes first.
const PIECES: &[(&str, Piece)] = &[
    ("January", |time, _| name(&MONTHS, time.month - 1).to_owned()),
    ("Jan", |time, _| short(name(&MONTHS, time.month - 1))),
    ("Monday", |time, _| name(&WEEKDAYS, time.weekday).to_owned()),
    ("Mon", |time, _| short(name(&WEEKDAYS, time.weekday))),
    ("MST", |_, moment| zone_name(moment)),
    ("002", |_, moment| format!("{:03}", moment.day_of_year())),
    ("01", |time, _| format!("{:02}", time.month)),
    ("02", |time, _| format!("{:02}", time.day)),
    ("03", |time, _| format!("{:02}", hour12(time))),
    ("04", |time, _| format!("{:02}", time.minute)),
    ("05", |time, _| format!("{:02}", time.second)),
    ("06", |time, _| format!("{:02}", time.year.rem_euclid(100))),
    ("15", |time, _| format!("{:02}", time.hour)),
    ("1", |time, _| time.month.to_string()),
    ("2006", |time, _| format!("{:04}", time.year)),
    ("2", |time, _| time.day.to_string()),
    ("__2", |_, moment| format!("{:3}", moment.day_of_year())),
    ("_2006", |time, _| format!("_{:04}", time.year)),
    ("_2", |time, _| format!("{:2}", time.day)),
    ("3", |time, _| hour12(time).to_string()),
    ("4", |time, _| time.minute.to_string()),
    ("5", |time, _| time.second.to_string()),
    ("PM", |time, _| if time.hour >= 12 { "PM" } else { "AM" }.to_owned()),
    ("pm", |time, _| if time.hour >= 12 { "pm" } else { "am" }.to_owned()),
    ("-07:00:00", |_, moment| offset_text(moment.offset_minutes, ":") + ":00"),
    ("-070000", |_, moment| offset_text(moment.offset_minutes, "") + "00"),
    ("-07:00", |_, moment| offset_text(moment.offset_minutes, ":")),
    ("-0700", |_, moment| offset_text(moment.offset_minutes, "")),
    ("-07", |_, moment| offset_text(moment.offset_minutes, "").chars().take(3).collect()),
    ("Z07:00:00", |_, moment| zulu(moment, ":", ":00")),
    ("Z070000", |_, moment| zulu(moment, "", "00")),
    ("Z07:00", |_, moment| zulu(moment, ":", "")),
    ("Z0700", |_, moment| zulu(moment, "", "")),
    ("Z07", |_, moment| zulu(moment, "", "").chars().take(3).collect()),
];

/// The first three letters of a name.
fn short(name: &str) -> String {
    name.chars().take(3).collect()
}

fn hour12(time: &Fields) -> i64 {
    if time.hour % 12 == 0 { 12 } else { time.hour % 12 }
}

/// The name of the zone. Only UTC has one here; others are written as their offset.
fn zone_name(moment: &Moment) -> String {
    if moment.offset_minutes == 0 { "UTC".to_owned() } else { offset_text(moment.offset_minutes, "") }
}

/// The offset from UTC, or Z. `seconds` stands behind an offset, whose seconds are always zero.
fn zulu(moment: &Moment, separator: &str, seconds: &str) -> String {
    if moment.offset_minutes == 0 {
        return "Z".to_owned();
    }
    offset_text(moment.offset_minutes, separator) + seconds
}

/// Writes a time in a layout. Text that is no piece stays.
fn write(layout: &str, moment: &Moment) -> String {
    let time = moment.fields();
    let mut out = String::new();
    let mut rest = layout;
    while let Some(c) = rest.chars().next() {
        if let Some((length, digits)) = fraction(rest) {
            out.push_str(&digits(moment));
            rest = &rest[length..];
            continue;
        }
        let piece = PIECES.iter().find(|(piece, _)| rest.starts_with(piece) && !is_word(piece, rest));
        match piece {
            Some((piece, write)) => {
                out.push_str(&write(&time, moment));
                rest = &rest[piece.len()..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// "Jan" and "Mon" with a small letter behind them are the start of some other word.
fn is_word(piece: &str, rest: &str) -> bool {
    matches!(piece, "Jan" | "Mon") && rest[piece.len()..].starts_with(|c: char| c.is_ascii_lowercase())
}

/// Writes the digits of a fraction.
type Digits = Box<dyn Fn(&Moment) -> String>;

/// A fraction of a second, `.000` or `,999`: how long it is, and what takes its place. Nines leave out zeros at the end.
fn fraction(rest: &str) -> Option<(usize, Digits)> {
    let mark = rest.chars().next().filter(|c| matches!(c, '.' | ','))?;
    let digit = rest[1..].chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let length = rest[1..].chars().take_while(|&c| c == digit).count();
    if rest[1 + length..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let write = move |moment: &Moment| {
        let nine = format!("{:09}", moment.nanoseconds);
        let digits: String = nine.chars().chain(std::iter::repeat('0')).take(length).collect();
        match digit {
            '0' => format!("{mark}{digits}"),
            _ => match digits.trim_end_matches('0') {
                "" => String::new(),
                digits => format!("{mark}{digits}"),
            },
        }
    };
    Some((1 + length, Box::new(write)))
}
