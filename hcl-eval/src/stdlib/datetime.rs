//! Points in time: `formatdate`, `timeadd`, `timecmp`.
//!
//! Times are RFC 3339 texts. The first two functions read them strictly; `timecmp`
//! lets some things pass that an older reader let pass. Formats are in
//! `datetime_format`.

use super::datetime_format::format_moment;
use super::support::{function, long_text, shown, text};
use crate::calendar::{date_of_day, day_of_date};
use crate::duration;
use crate::function::{Function, FunctionError, Parameter};
use crate::types::Type;
use crate::value::Value;

/// A point in time with the offset from UTC that it is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Seconds since the start of 1970, in UTC.
    pub(super) seconds: i64,
    /// The fraction of the second, from 0 to 999,999,999.
    pub(super) nanoseconds: i64,
    /// The offset in minutes, positive east of Greenwich.
    pub(super) offset_minutes: i64,
}

/// The fields of a moment where it is shown.
#[derive(Debug)]
pub(super) struct Fields {
    /// The year, which may be negative after arithmetic.
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    /// From Sunday, which is 0.
    pub(super) weekday: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
}

/// The seconds of a day; leap seconds do not exist here.
const DAY: i64 = 86_400;

impl Moment {
    /// The fields at the moment's own offset.
    pub(super) fn fields(&self) -> Fields {
        let local = self.seconds + self.offset_minutes * 60;
        let (days, second_of_day) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let (year, month, day) = date_of_day(days);
        Fields {
            year,
            month,
            day,
            // The first day of 1970 was a Thursday.
            weekday: (days + 4).rem_euclid(7),
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }

    /// A moment shown in UTC.
    pub(super) fn from_unix(seconds: i64, nanoseconds: u32) -> Moment {
        Moment { seconds, nanoseconds: i64::from(nanoseconds), offset_minutes: 0 }
    }

    /// Days since the start of 1970 where the moment is shown.
    fn days(&self) -> i64 {
        (self.seconds + self.offset_minutes * 60).div_euclid(DAY)
    }

    /// The day of its year, from 1.
    pub(super) fn day_of_year(&self) -> i64 {
        self.days() - day_of_date(self.fields().year, 1, 1) + 1
    }

    /// Year and week as ISO 8601 has them: weeks start on Monday and belong to the year of their Thursday.
    pub(super) fn iso_week(&self) -> (i64, i64) {
        let days = self.days();
        let thursday = days + 3 - (days + 3).rem_euclid(7);
        let (year, _, _) = date_of_day(thursday);
        (year, (thursday - day_of_date(year, 1, 1)) / 7 + 1)
    }

    /// RFC 3339 without a fraction.
    pub(super) fn to_text(self) -> String {
        let Fields { year, month, day, hour, minute, second, .. } = self.fields();
        let year = if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") };
        let offset = match self.offset_minutes {
            0 => "Z".to_owned(),
            minutes => offset_text(minutes, ":"),
        };
        format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}")
    }
}

/// `+hh:mm` with the given separator.
pub(super) fn offset_text(minutes: i64, separator: &str) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

/// How much is let pass.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// The form of RFC 3339.
    Strict,
    /// Also an hour of one digit, a comma before the fraction, an offset of 24 hours or 60 minutes.
    Lax,
}

/// Reads a time.
pub(super) fn parse(text: &str, reading: Reading) -> Result<Moment, String> {
    let mut cursor = Cursor { rest: text };
    cursor.moment(reading).map_err(|problem| format!("not a valid RFC3339 timestamp: {problem}"))
}

/// A time on the way through its text.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// A number of exactly so many digits.
    fn number(&mut self, digits: usize, what: &str) -> Result<i64, String> {
        let number = self.rest.get(..digits).filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
        match number.and_then(|text| text.parse().ok()) {
            Some(number) => {
                self.rest = &self.rest[digits..];
                Ok(number)
            }
            None if self.rest.is_empty() => Err(format!("end of string before {what}")),
            None => Err(format!("cannot use {:?} as {what}", shown(self.rest))),
        }
    }

    /// Takes a character that must come.
    fn expect(&mut self, c: char) -> Result<(), String> {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None if self.rest.is_empty() => Err(format!("end of string where {c:?} is expected")),
            None => Err(format!("found {:?} where {c:?} is expected", shown(self.rest))),
        }
    }

    /// Reads a time from start to end of the text.
    fn moment(&mut self, reading: Reading) -> Result<Moment, String> {
        let year = self.number(4, "year")?;
        self.expect('-')?;
        let month = within(self.number(2, "month")?, 1..=12, "month")?;
        self.expect('-')?;
        let day = self.number(2, "day of month")?;
        let next_month = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        let length = day_of_date(next_month.0, next_month.1, 1) - day_of_date(year, month, 1);
        within(day, 1..=length, "day of month")?;
        self.expect('T')?;
        let one_digit = reading == Reading::Lax && self.rest.as_bytes().get(1) == Some(&b':');
        let hour = within(self.number(if one_digit { 1 } else { 2 }, "hour")?, 0..=23, "hour")?;
        self.expect(':')?;
        let minute = within(self.number(2, "minute")?, 0..=59, "minute")?;
        self.expect(':')?;
        let second = within(self.number(2, "second")?, 0..=59, "second")?;
        let nanoseconds = self.fraction(reading)?;
        let offset_minutes = self.offset(reading)?;
        if !self.rest.is_empty() {
            return Err(format!("found {:?} behind the UTC offset", shown(self.rest)));
        }
        let seconds = day_of_date(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
        Ok(Moment { seconds: seconds - offset_minutes * 60, nanoseconds, offset_minutes })
    }

    /// The nanoseconds behind a point; further digits are dropped.
    fn fraction(&mut self, reading: Reading) -> Result<i64, String> {
        let comma = reading == Reading::Lax && self.rest.starts_with(',');
        if !comma && !self.rest.starts_with('.') {
            return Ok(0);
        }
        let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(format!("cannot use {:?} as fraction of a second", shown(self.rest)));
        }
        let written = &self.rest[1..=digits];
        self.rest = &self.rest[1 + digits..];
        let nine: String = written.chars().chain(std::iter::repeat('0')).take(9).collect();
        Ok(nine.parse().unwrap_or(0))
    }

    /// Reads the offset from UTC, in minutes.
    fn offset(&mut self, reading: Reading) -> Result<i64, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let sign = match self.rest.chars().next() {
            Some('+') => 1,
            Some('-') => -1,
            Some(_) => return Err(format!("cannot use {:?} as UTC offset", shown(self.rest))),
            None => return Err("end of string before UTC offset".to_owned()),
        };
        self.rest = &self.rest[1..];
        let most = if reading == Reading::Lax { 24 } else { 23 };
        let hours = within(self.number(2, "UTC offset")?, 0..=most, "hours of the UTC offset")?;
        self.expect(':')?;
        let most = if reading == Reading::Lax { 60 } else { 59 };
        let minutes = within(self.number(2, "UTC offset")?, 0..=most, "minutes of the UTC offset")?;
        Ok(sign * (hours * 60 + minutes))
    }
}

/// A number, if it is in a range. `what` names it in the message.
fn within(number: i64, range: std::ops::RangeInclusive<i64>, what: &str) -> Result<i64, String> {
    match range.contains(&number) {
        true => Ok(number),
        false => Err(format!("{what} must be between {} and {} inclusive", range.start(), range.end())),
    }
}

/// Reads the time that an argument is.
fn moment_argument(args: &[Value], position: usize, reading: Reading) -> Result<Moment, FunctionError> {
    parse(text(args, position), reading).map_err(|problem| FunctionError::argument(position, problem))
}

/// `formatdate(format, time)`
pub(crate) fn formatdate() -> Function {
    function("formatdate", "Writes a time in a format of one's own.")
        .parameter(Parameter::new("format", Type::String).described("The format: runs of the same letter are fields, for example YYYY-MM-DD hh:mm:ss; text in single quotes stands for itself."))
        .parameter(Parameter::new("time", Type::String).described("The time, as RFC 3339 writes it: 2006-01-02T15:04:05Z. Its own offset is used."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let moment = moment_argument(args, 1, Reading::Strict)?;
            invocation.charge_bytes(text(args, 0).len().saturating_mul(4))?;
            let formatted = format_moment(invocation, text(args, 0), &moment)?;
            long_text(invocation, &formatted)
        })
}

/// `timeadd(timestamp, duration)`. The result of an unknown argument may be null.
pub(crate) fn timeadd() -> Function {
    Function::new("timeadd", "Adds a duration such as 1h30m to a time, or takes a negative one off.")
        .parameter(Parameter::new("timestamp", Type::String).described("The time, as RFC 3339 writes it."))
        .parameter(Parameter::new("duration", Type::String).described("Numbers with units h, m, s, ms, us or ns, for example 1h30m or -10s."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let moment = parse(text(args, 0), Reading::Strict).map_err(FunctionError::new)?;
            let Some(duration) = duration::parse_on(text(args, 1), &mut Some(invocation.meter()))? else {
                let detail = format!(
                    "invalid duration {:?}: write numbers with units, such as 1h30m; units are h, m, s, ms, us and ns",
                    shown(text(args, 1))
                );
                return Err(FunctionError::new(detail));
            };
            // The fraction of the sum is dropped, though not before it has carried into the seconds.
            let nanoseconds = moment.nanoseconds + duration.rem_euclid(1_000_000_000);
            let seconds = moment.seconds + duration.div_euclid(1_000_000_000) + nanoseconds / 1_000_000_000;
            Ok(Value::string(Moment { seconds, ..moment }.to_text()))
        })
}

/// `timecmp(timestamp_a, timestamp_b)`
pub(crate) fn timecmp() -> Function {
    function("timecmp", "Compares two times: -1, 0 or 1 if the first is earlier, the same or later.")
        .parameter(Parameter::new("timestamp_a", Type::String).described("A time, as RFC 3339 writes it."))
        .parameter(Parameter::new("timestamp_b", Type::String).described("The time to compare it with."))
        .returns(Type::Number)
        .implementation(|_, args| {
            let (a, b) = (moment_argument(args, 0, Reading::Lax)?, moment_argument(args, 1, Reading::Lax)?);
            let order = (a.seconds, a.nanoseconds).cmp(&(b.seconds, b.nanoseconds));
            Ok(Value::int(order as i64))
        })
}
