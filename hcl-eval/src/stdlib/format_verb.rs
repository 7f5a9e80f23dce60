//! Verbs of `format`: reading one, and writing numbers and texts as it says.
//!
//! The rules are those of the reference's run-time library: integers of any size
//! with precision as a minimum of digits, floats rounded half to even from the
//! exact binary value, `%g` with an exponent from six digits on.

use hcl_syntax::clusters::Clusters;
use num_bigint::BigUint;

use super::support::{append, next_cluster, shown};
use crate::function::{FunctionError, Invocation};
use crate::limits::{LimitReached, Pace};
use crate::value::Number;
use crate::value::number::long::decimal_digits;

/// A width or precision beyond this is refused.
const MAX_SIZE: usize = 1_000_000;

/// One verb, such as `%-8.2[1]f`: flags, width, precision, argument and letter in this order. The number of the
/// argument stands behind width and precision, and not before them as in Go's own formats.
#[derive(Debug, Default)]
pub(super) struct Verb<'a> {
    /// All of it.
    pub(super) text: &'a str,
    /// Where it starts, in bytes.
    pub(super) offset: usize,
    /// Pads with zeros: numbers behind their sign, texts on the side that is padded.
    pub(super) zero: bool,
    /// Writes the prefix of the base of an integer, and `%v` as JSON.
    pub(super) sharp: bool,
    /// Pads on the right.
    pub(super) minus: bool,
    /// Writes the sign of positive numbers too.
    pub(super) plus: bool,
    /// Leaves a blank where a positive number has no sign.
    pub(super) space: bool,
    /// The least number of characters, 0 if none is given; `%t` does not look at it.
    pub(super) width: usize,
    /// The least digits of an integer, the decimals or significant digits of a float, the most characters of a text.
    pub(super) precision: Option<usize>,
    /// The number of the argument, from 1, if it is given.
    pub(super) argument: Option<usize>,
    /// An ASCII letter. The caller refuses one that is no verb.
    pub(super) letter: char,
}

/// Reads a verb at the start of `text`, which begins with a percent sign.
pub(super) fn read(text: &str, offset: usize) -> Result<Verb<'_>, String> {
    let mut verb = Verb { offset, ..Verb::default() };
    let mut rest = &text[1..];
    while let Some(flag @ (b'0' | b'#' | b'-' | b'+' | b' ')) = rest.as_bytes().first() {
        match flag {
            b'0' => verb.zero = true,
            b'#' => verb.sharp = true,
            b'-' => verb.minus = true,
            b'+' => verb.plus = true,
            _ => verb.space = true,
        }
        rest = &rest[1..];
    }
    verb.width = digits(&mut rest);
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        verb.precision = Some(digits(&mut rest));
    }
    let at = |rest: &str| offset + text.len() - rest.len();
    if let Some(after) = rest.strip_prefix('[') {
        rest = after;
        if rest.starts_with('0') {
            return Err(unrecognized(rest, at(rest), offset));
        }
        let before = rest.len();
        verb.argument = Some(digits(&mut rest));
        match rest.strip_prefix(']') {
            Some(after) if before > rest.len() => rest = after,
            _ => return Err(unrecognized(rest, at(rest), offset)),
        }
    }
    match rest.chars().next() {
        Some(letter) if letter.is_ascii_alphabetic() => verb.letter = letter,
        _ => return Err(unrecognized(rest, at(rest), offset)),
    }
    verb.text = &text[..text.len() - rest.len() + 1];
    if verb.width > MAX_SIZE || verb.precision.is_some_and(|precision| precision > MAX_SIZE) {
        return Err(format!(
            "the width or precision of {:?} at offset {offset} is more than {MAX_SIZE}",
            shown(verb.text)
        ));
    }
    Ok(verb)
}

/// Takes decimal digits off the front: 0 if there are none, `usize::MAX` if there are too many.
fn digits(rest: &mut &str) -> usize {
    if !rest.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return 0;
    }
    let end = rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    number.parse().unwrap_or(usize::MAX)
}

/// Writes a character so many times.
pub(super) fn fill(out: &mut String, filler: char, count: usize) {
    for _ in 0..count {
        out.push(filler);
    }
}

/// The complaint about a text that does not go on as a verb; a text that ends inside the verb is told by where the
/// verb starts.
fn unrecognized(rest: &str, at: usize, start: usize) -> String {
    match rest.chars().next() {
        None => format!("invalid format string starting at offset {start}"),
        Some(found) => format!("unrecognized format character {found:?} at offset {at}"),
    }
}

impl Verb<'_> {
    /// A text, padded to the width in characters; the zero flag pads with zeros on either side.
    pub(super) fn pad_text(
        &self,
        invocation: &mut Invocation<'_>,
        text: &str,
        out: &mut String,
    ) -> Result<(), FunctionError> {
        // More characters than the width make no difference.
        let (mut clusters, mut padding) = (Clusters::new(text), self.width);
        while padding > 0 && next_cluster(&mut clusters, invocation)?.is_some() {
            padding -= 1;
        }
        let filler = if self.zero { '0' } else { ' ' };
        match self.minus {
            true => {
                append(invocation, out, text)?;
                fill(out, filler, padding);
            }
            false => {
                fill(out, filler, padding);
                append(invocation, out, text)?;
            }
        }
        Ok(())
    }

    /// A text cut to the precision, of which 0 does not count.
    pub(super) fn cut<'t>(
        &self,
        invocation: &mut Invocation<'_>,
        text: &'t str,
    ) -> Result<&'t str, FunctionError> {
        let (mut clusters, mut end) = (Clusters::new(text), 0);
        for _ in 0..self.precision.unwrap_or(0) {
            match next_cluster(&mut clusters, invocation)? {
                Some(cluster) => end = cluster.end,
                None => break,
            }
        }
        Ok(if end == 0 { text } else { &text[..end] })
    }

    /// The text before the digits of a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// A number in the base of the letter, if it is whole.
    pub(super) fn write_integer(
        &self,
        number: &Number,
        out: &mut String,
        pace: Pace<'_, '_>,
    ) -> Result<bool, LimitReached> {
        let mut buffer = itoa::Buffer::new();
        let digits = match (number.to_i64(), self.letter) {
            (Some(v), 'd') => buffer.format(v.unsigned_abs()),
            _ => match number.integer_magnitude() {
                Some(magnitude) => {
                    self.write_digits(&self.digits(magnitude, pace)?, number.is_negative(), out);
                    return Ok(true);
                }
                None => return Ok(false),
            },
        };
        self.write_digits(digits, number.is_negative(), out);
        Ok(true)
    }

    /// The digits of a magnitude in the base of the letter.
    fn digits(&self, magnitude: BigUint, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
        Ok(match self.letter {
            'b' => magnitude.to_str_radix(2),
            'o' => magnitude.to_str_radix(8),
            'x' => magnitude.to_str_radix(16),
            'X' => magnitude.to_str_radix(16).to_ascii_uppercase(),
            _ => decimal_digits(magnitude, pace)?.into_iter().map(|digit| char::from(b'0' + digit)).collect(),
        })
    }

    /// Digits with sign, prefix and padding.
    fn write_digits(&self, digits: &str, negative: bool, out: &mut String) {
        let prefix = match self.letter {
            'b' => "0b",
            'o' => "0",
            'x' => "0x",
            'X' => "0X",
            _ => "",
        };
        // Zero with a precision of 0 has no digits at all, and then neither sign nor padding.
        let is_zero = digits == "0";
        if is_zero && self.precision == Some(0) {
            return;
        }
        let sign = self.sign(negative && !is_zero);
        let prefix = if self.sharp { prefix } else { "" };
        let mut zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let missing = self.width.saturating_sub(sign.len() + prefix.len() + zeros + digits.len());
        let (mut left, mut right) = (0, 0);
        match (self.minus, self.zero && self.precision.is_none()) {
            (true, _) => right = missing,
            (false, true) => zeros += missing,
            (false, false) => left = missing,
        }
        fill(out, ' ', left);
        out.push_str(sign);
        out.push_str(prefix);
        fill(out, '0', zeros);
        out.push_str(digits);
        fill(out, ' ', right);
    }

    /// A number with a fraction or an exponent, as the letter says.
    pub(super) fn write_float(
        &self,
        number: &Number,
        out: &mut String,
        pace: Pace<'_, '_>,
    ) -> Result<(), LimitReached> {
        let (sign, body) = match (number.is_infinite(), number.is_negative()) {
            (true, true) => ("-", "Inf".to_owned()),
            (true, false) => (if self.space { " " } else { "+" }, "Inf".to_owned()),
            (false, negative) => (self.sign(negative), self.float_digits(number, pace)?),
        };
        let missing = self.width.saturating_sub(sign.len() + body.len());
        // Here, unlike with integers, the zero flag wins over the minus.
        let zeros = self.zero && !number.is_infinite();
        if !zeros && !self.minus {
            fill(out, ' ', missing);
        }
        out.push_str(sign);
        if zeros {
            fill(out, '0', missing);
        }
        out.push_str(&body);
        if self.minus && !zeros {
            fill(out, ' ', missing);
        }
        Ok(())
    }

    /// The digits of a finite number without its sign.
    fn float_digits(&self, number: &Number, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
        let precision = self.precision.unwrap_or(6);
        let exponent_letter = if self.letter.is_ascii_uppercase() { 'E' } else { 'e' };
        Ok(match self.letter {
            'f' => fixed(&rounded_after_point(number, precision, pace)?, precision),
            'e' | 'E' => scientific(&number.rounded_digits(precision + 1, pace)?, precision, exponent_letter),
            _ => general(number, self.precision, exponent_letter, pace)?,
        })
    }
}

/// `%g` and `%v`: the shortest digits, or so many, with an exponent when it is below −4 or large.
pub(super) fn general(
    number: &Number,
    precision: Option<usize>,
    exponent_letter: char,
    pace: Pace<'_, '_>,
) -> Result<String, LimitReached> {
    let decimal = match precision {
        None => number.shortest_digits(pace)?,
        Some(precision) => number.rounded_digits(precision.max(1), pace)?,
    };
    let (digits, point) = (decimal.0.len(), if decimal.0.is_empty() { 0 } else { decimal.1 });
    let limit = match precision.map(|precision| precision.max(1)) {
        // Go's formatting without a precision switches at 21 digits; the reference asks for it in a way that switches
        // at six.
        None => 6,
        Some(precision) if precision > digits && as_signed(digits) >= point => as_signed(digits),
        Some(precision) => as_signed(precision),
    };
    let exponent = point - 1;
    if exponent < -4 || exponent >= limit {
        return Ok(scientific(&decimal, digits.saturating_sub(1), exponent_letter));
    }
    let decimals = usize::try_from(as_signed(digits) - point).unwrap_or(0);
    Ok(fixed(&(decimal.0, point), decimals))
}

/// A count of digits, to be compared with the place of a decimal point.
fn as_signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The digits of a number rounded to so many behind the point.
fn rounded_after_point(
    number: &Number,
    decimals: usize,
    pace: Pace<'_, '_>,
) -> Result<(Vec<u8>, i64), LimitReached> {
    let wanted_at = |point: i64| usize::try_from(point.saturating_add(as_signed(decimals))).unwrap_or(0);
    // A few digits tell where the point is, unless rounding to them moved it on.
    let (_, point) = number.rounded_digits(20, pace)?;
    if wanted_at(point) > 0 {
        let rounded = number.rounded_digits(wanted_at(point), pace)?;
        // Rounding up to the next power of ten is final; otherwise the point was found too far to the right.
        return match rounded.1 >= point {
            true => Ok(rounded),
            false => number.rounded_digits(wanted_at(rounded.1).max(1), pace),
        };
    }
    // All digits are behind the last one shown. It is at most the first one that
    // rounds up, if what there is is more than a half.
    let (digits, point) = number.rounded_digits(1000, pace)?;
    let is_next = point.saturating_add(as_signed(decimals)) == 0;
    let is_more_than_half =
        digits.first().is_some_and(|&first| first > 5 || (first == 5 && digits.len() > 1));
    Ok(match is_next && is_more_than_half {
        true => (vec![1], 1 - as_signed(decimals)),
        false => (Vec::new(), 0),
    })
}

/// Digits with a fixed number of decimals, filled up with zeros.
fn fixed((digits, point): &(Vec<u8>, i64), decimals: usize) -> String {
    let digit = |position: i64| match usize::try_from(position).ok().and_then(|position| digits.get(position))
    {
        Some(&digit) => char::from(b'0' + digit),
        None => '0',
    };
    let point = if digits.is_empty() { 0 } else { *point };
    let mut text = String::new();
    match point > 0 {
        true => text.extend((0..point).map(digit)),
        false => text.push('0'),
    }
    if decimals > 0 {
        text.push('.');
        text.extend((point..point + as_signed(decimals)).map(digit));
    }
    text
}

/// Digits with one before the point and an exponent of at least two digits.
fn scientific((digits, point): &(Vec<u8>, i64), decimals: usize, exponent_letter: char) -> String {
    let digit = |position: usize| char::from(b'0' + digits.get(position).copied().unwrap_or(0));
    let mut text = String::from(digit(0));
    if decimals > 0 {
        text.push('.');
        text.extend((1..=decimals).map(digit));
    }
    let exponent = if digits.is_empty() { 0 } else { point - 1 };
    text.push(exponent_letter);
    text.push(if exponent < 0 { '-' } else { '+' });
    text.push_str(&format!("{:02}", exponent.unsigned_abs()));
    text
}
