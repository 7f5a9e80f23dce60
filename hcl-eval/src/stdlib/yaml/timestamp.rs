//! Dates and times as YAML 1.1 writes them, to RFC 3339.

/// `2001-12-14`, `2001-12-14 21:59:43.10`, `2001-12-14t21:59:43.10-05:00` as RFC 3339; `None` if it is no time.
/// Months, days, hours and so on may have one digit; a fraction is dropped.
pub(super) fn to_rfc3339(text: &str) -> Option<String> {
    let mut cursor = Cursor { rest: text };
    let year = cursor.number(4..=4)?;
    cursor.expect('-')?;
    let month = cursor.number(1..=2).filter(|month| (1..=12).contains(month))?;
    cursor.expect('-')?;
    let day = cursor.number(1..=2).filter(|&day| day >= 1 && day <= days_in(year, month))?;
    let date = format!("{year:04}-{month:02}-{day:02}");
    if cursor.rest.is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    // Behind a space there is no offset: with one the text is no time and stays a text.
    let zoned = !cursor.rest.starts_with(' ');
    match cursor.rest.strip_prefix([' ', 'T', 't']) {
        Some(rest) => cursor.rest = rest,
        None => return None,
    }
    let hour = cursor.number(1..=2).filter(|&hour| hour <= 23)?;
    cursor.expect(':')?;
    let minute = cursor.number(1..=2).filter(|&minute| minute <= 59)?;
    cursor.expect(':')?;
    let second = cursor.number(1..=2).filter(|&second| second <= 59)?;
    cursor.fraction()?;
    let zone = if zoned { cursor.zone()? } else { "Z".to_owned() };
    cursor.rest.is_empty().then(|| format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A time on the way through its text.
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// A number of at least and at most so many digits.
    fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let found = self.rest.bytes().take(*digits.end()).take_while(u8::is_ascii_digit).count();
        if found < *digits.start() {
            return None;
        }
        let (number, rest) = self.rest.split_at(found);
        self.rest = rest;
        number.parse().ok()
    }

    /// Takes a character that must come.
    fn expect(&mut self, c: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    /// Goes past a fraction of a second.
    fn fraction(&mut self) -> Option<()> {
        if let Some(digits) = self.rest.strip_prefix(['.', ',']) {
            let end = digits.bytes().take_while(u8::is_ascii_digit).count();
            if end == 0 {
                return None;
            }
            self.rest = &digits[end..];
        }
        Some(())
    }

    /// The offset from UTC as RFC 3339 writes it. Hours up to 24 and minutes up to 60 pass, as in the reference.
    fn zone(&mut self) -> Option<String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some("Z".to_owned());
        }
        let sign = self.rest.chars().next().filter(|c| matches!(c, '+' | '-'))?;
        self.rest = &self.rest[1..];
        let hours = self.number(2..=2).filter(|&hours| hours <= 24)?;
        self.expect(':')?;
        let minutes = self.number(2..=2).filter(|&minutes| minutes <= 60)?;
        Some(match (hours, minutes) {
            (0, 0) => "Z".to_owned(),
            _ => format!("{sign}{hours:02}:{minutes:02}"),
        })
    }
}
