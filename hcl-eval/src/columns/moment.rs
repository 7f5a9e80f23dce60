//! Dates and times of columns: text of RFC 3339 in UTC, or the number that they are stored as.

use std::borrow::Cow;
use std::fmt::Write;

use super::column::{CellProblem, Integers};
use crate::calendar::date_of_day;
use crate::types::Type;
use crate::value::{Number, Value};

/// The meaning of the counts of a column of dates or times.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MomentForm {
    /// A date, `2006-01-02`: so many days since 1970, or that many milliseconds.
    Date,
    /// A time of day, `15:04:05.999`.
    Time,
    /// A point in time, `2006-01-02T15:04:05.999Z`.
    Timestamp,
}

/// Dates or times as counts since the beginning of 1970, or of the day.
#[derive(Copy, Clone, Debug)]
pub struct Moments<'a> {
    /// The counts.
    pub counts: Integers<'a>,
    /// Their meaning.
    pub form: MomentForm,
    /// How many of the unit make a second; 0 if the unit is the day.
    pub per_second: u32,
    /// The value is the count as it is stored.
    pub as_number: bool,
}

const SECONDS_PER_DAY: i64 = 86_400;

impl Moments<'_> {
    pub(super) fn ty(&self) -> Type {
        if self.as_number { Type::Number } else { Type::String }
    }

    /// The value of a row.
    pub(super) fn value(&self, row: usize) -> Result<Value, CellProblem> {
        let count = i64::try_from(self.counts.get(row)).unwrap_or(i64::MAX);
        if self.as_number {
            return Ok(Value::number(Number::from_i64(count)));
        }
        match self.text(count) {
            Some(text) => Ok(Value::string(text)),
            None => Err(Cow::Borrowed(match self.form {
                MomentForm::Time => "is no time of a day",
                MomentForm::Date | MomentForm::Timestamp => "has a year that is not from 0 to 9999",
            })),
        }
    }

    /// The text of a count; `None` if RFC 3339 has none for it.
    fn text(&self, count: i64) -> Option<String> {
        let (seconds, fraction) = match i64::from(self.per_second) {
            0 => (count.checked_mul(SECONDS_PER_DAY)?, 0),
            unit => (count.div_euclid(unit), count.rem_euclid(unit)),
        };
        let (day, second) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
        let mut text = String::with_capacity(32);
        if self.form == MomentForm::Time {
            if day != 0 {
                return None;
            }
        } else {
            let (year, month, day) = date_of_day(day);
            if !(0..=9999).contains(&year) {
                return None;
            }
            write!(text, "{year:04}-{month:02}-{day:02}").ok()?;
            if self.form == MomentForm::Date {
                return Some(text);
            }
            text.push('T');
        }
        write!(text, "{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60).ok()?;
        if fraction != 0 {
            // One digit for each power of ten in the unit.
            let digits = self.per_second.ilog10() as usize;
            write!(text, ".{fraction:0digits$}").ok()?;
            text.truncate(text.trim_end_matches('0').len());
        }
        if self.form == MomentForm::Timestamp {
            text.push('Z');
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(form: MomentForm, per_second: u32, count: i64) -> Option<String> {
        Moments { counts: Integers::I64(&[]), form, per_second, as_number: false }.text(count)
    }

    #[test]
    fn counts_are_told_as_rfc_3339_has_them() {
        for (form, per_second, count, expected) in [
            (MomentForm::Date, 0, 0, Some("1970-01-01")),
            (MomentForm::Date, 0, 11_016, Some("2000-02-29")),
            (MomentForm::Date, 0, -1, Some("1969-12-31")),
            (MomentForm::Date, 1000, 951_782_400_000, Some("2000-02-29")),
            (MomentForm::Date, 0, -719_528, Some("0000-01-01")),
            (MomentForm::Date, 0, -719_529, None),
            (MomentForm::Date, 0, 2_932_896, Some("9999-12-31")),
            (MomentForm::Date, 0, 2_932_897, None),
            (MomentForm::Date, 0, i64::MAX, None),
            (MomentForm::Time, 1, 86_399, Some("23:59:59")),
            (MomentForm::Time, 1, 86_400, None),
            (MomentForm::Time, 1000, 1, Some("00:00:00.001")),
            (MomentForm::Time, 1_000_000_000, 61_500_000_000, Some("00:01:01.5")),
            (MomentForm::Time, 1, -1, None),
            (MomentForm::Timestamp, 1, 1_700_000_000, Some("2023-11-14T22:13:20Z")),
            (MomentForm::Timestamp, 1000, -1, Some("1969-12-31T23:59:59.999Z")),
            (MomentForm::Timestamp, 1_000_000, 1_700_000_000_120_000, Some("2023-11-14T22:13:20.12Z")),
            (MomentForm::Timestamp, 1_000_000_000, i64::MAX, Some("2262-04-11T23:47:16.854775807Z")),
            (MomentForm::Timestamp, 1, i64::MIN, None),
        ] {
            assert_eq!(text(form, per_second, count).as_deref(), expected, "{form:?} {per_second} {count}");
        }
    }
}
