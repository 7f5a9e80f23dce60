//! Numbers: rounding, comparing, powers and reading integers.
//!
//! Precision goes with the number: `abs`, `ceil` and `floor` keep that of their
//! argument, `min` and `max` return the winning argument itself, `pow` and `log`
//! work on 64-bit floats and have their 53 bits.

use num_bigint::BigUint;

use super::support::{Outcome, WHOLE_NUMBER, fail, function, number, refuse, shown, text, whole};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::types::Type;
use crate::value::number::long::multiply;
use crate::value::{Kind, Number, Value};

/// A function from one number to another, for which unknown types do not make the result's type unknown.
fn rounding(name: &'static str, description: &'static str, body: fn(&Number) -> Number) -> Function {
    function(name, description)
        .parameter(
            Parameter::new("num", Type::Number)
                .described("The number; it keeps its precision.")
                .allow_dynamic(),
        )
        .returns(Type::Number)
        .implementation(move |_, args| Ok(Value::number(body(&number(args, 0)))))
}

/// `abs(num)`
pub(crate) fn abs() -> Function {
    rounding("abs", "Gives the number without its sign.", Number::abs)
}

/// `ceil(num)`
pub(crate) fn ceil() -> Function {
    rounding("ceil", "Rounds up to a whole number.", Number::ceil)
}

/// `floor(num)`
pub(crate) fn floor() -> Function {
    rounding("floor", "Rounds down to a whole number.", Number::floor)
}

/// `signum(num)`
pub(crate) fn signum() -> Function {
    function("signum", "Gives -1, 0 or 1 for a negative number, zero or a positive number.")
        .parameter(
            Parameter::new("num", Type::Number)
                .described("A whole number that fits 64 bits; fractions are refused."),
        )
        .returns(Type::Number)
        .implementation(|_, args| Ok(Value::int(whole(args, 0, "num")?.signum())))
}

/// The first argument that `better` prefers to those before it.
fn extreme(name: &'static str, description: &'static str, better: fn(&Number, &Number) -> bool) -> Function {
    function(name, description)
        .variadic(
            Parameter::new("numbers", Type::Number).described("The numbers, at least one.").allow_dynamic(),
        )
        .returns(Type::Number)
        .implementation(move |_, args| {
            let numbers = (0..args.len()).map(|position| number(args, position));
            match numbers.reduce(|best, next| if better(&next, &best) { next } else { best }) {
                Some(best) => Ok(Value::number(best)),
                None => fail("must pass at least one number"),
            }
        })
}

/// `max(numbers...)`
pub(crate) fn max() -> Function {
    extreme("max", "Gives the largest of the numbers.", |next, best| next.cmp(best).is_gt())
}

/// `min(numbers...)`
pub(crate) fn min() -> Function {
    extreme("min", "Gives the smallest of the numbers.", |next, best| next.cmp(best).is_lt())
}

/// A function of two 64-bit floats.
fn of_floats(
    name: &'static str,
    description: &'static str,
    second: (&'static str, &'static str),
    body: fn(f64, f64) -> f64,
) -> Function {
    function(name, description)
        .parameter(
            Parameter::new("num", Type::Number).described("The number; 64-bit floating point is used."),
        )
        .parameter(Parameter::new(second.0, Type::Number).described(second.1))
        .returns(Type::Number)
        .implementation(move |_, args| {
            let result = body(float(&number(args, 0), "num")?, float(&number(args, 1), second.0)?);
            match Number::from_f64(result) {
                Some(result) => Ok(Value::number(result)),
                None => fail(format!("{name} has no result for these numbers")),
            }
        })
}

/// The nearest float. Infinity may be given, but not come about.
fn float(number: &Number, name: &str) -> Result<f64, FunctionError> {
    let float = number.to_f64();
    match float.is_infinite() && !number.is_infinite() {
        true => {
            let (least, most) = (whole_digits(f64::MIN), whole_digits(f64::MAX));
            fail(format!("\"{name}\" must be between {least} and {most} inclusive"))
        }
        false => Ok(float),
    }
}

/// All digits of a float that is rounded to a whole number. The ways in which Rust writes floats are large, and used nowhere.
pub(super) fn whole_digits(float: f64) -> String {
    let sign = if float.is_sign_negative() { "-" } else { "" };
    match Number::from_f64(float.round_ties_even()).and_then(|whole| whole.integer_magnitude()) {
        Some(magnitude) => format!("{sign}{magnitude}"),
        None => format!("{sign}inf"),
    }
}

/// `pow(num, power)`
pub(crate) fn pow() -> Function {
    of_floats(
        "pow",
        "Raises a number to a power.",
        ("power", "The exponent; it may be negative or a fraction."),
        crate::value::number::pow,
    )
}

/// `log(num, base)`
pub(crate) fn log() -> Function {
    of_floats(
        "log",
        "Gives the logarithm of a number to a base.",
        ("base", "The base of the logarithm."),
        |num, base| crate::value::number::ln(num) / crate::value::number::ln(base),
    )
}

/// `parseint(number, base)`
pub(crate) fn parseint() -> Function {
    function("parseint", "Reads a whole number that is written in some base.")
        .parameter(Parameter::new("number", Type::Dynamic).described("The digits: a string, with one sign before them if wanted. Letters go on after 9; above base 36 small ones come before capital ones."))
        .parameter(Parameter::new("base", Type::Number).described("The base: a whole number from 2 to 62."))
        .returns_by(|args| {
            check_is_text(args)?;
            Ok(Type::Number)
        })
        .implementation(parse_in_base)
}

/// Checks that the first argument of `parseint` is a text. A number is not converted, because its digits would be
/// those of base 10.
fn check_is_text(args: &[Value]) -> Result<(), FunctionError> {
    match args.first() {
        Some(value) if value.type_kind() != Some(Kind::String) => {
            refuse(0, format!("first argument must be a string, not {}", value.type_name()))
        }
        _ => Ok(()),
    }
}

/// Reads digits with an optional sign. Blanks, underscores and prefixes such as `0x` are errors.
fn parse_in_base(invocation: &mut Invocation<'_>, args: &[Value]) -> Outcome {
    check_is_text(args)?;
    let written = text(args, 0);
    let base = match number(args, 1).to_i64() {
        Some(base @ 2..=62) => u32::try_from(base).unwrap_or(10),
        Some(_) => return refuse(1, "base must be a whole number between 2 and 62 inclusive"),
        None => return refuse(1, WHOLE_NUMBER),
    };
    invocation.charge_steps(written.len() as u64 / 8)?;
    let digits = written.strip_prefix(['+', '-']).unwrap_or(written);
    let values = invocation.gather(digits.bytes().map(|digit| digit_value(digit, base)))?;
    let values: Option<Vec<u8>> = values.into_iter().collect();
    match values.filter(|values| !values.is_empty()) {
        Some(values) => {
            let magnitude = from_digits(invocation, &values, base)?;
            Ok(Value::number(Number::from_integer(magnitude, written.starts_with('-'))))
        }
        None => refuse(0, format!("cannot parse {:?} as a base {base} integer", shown(written))),
    }
}

/// As many digits are read at once.
const BLOCK: usize = 512;

/// Reads digits in halves, so that the time is that of a few long multiplications, and looks at the limits between.
fn from_digits(invocation: &mut Invocation<'_>, digits: &[u8], base: u32) -> Result<BigUint, FunctionError> {
    // The base to the power of the digits in each part.
    let mut power: Option<BigUint> = None;
    // Numbers of one block each, the last digits first.
    let mut parts: Vec<BigUint> = Vec::new();
    for block in digits.rchunks(BLOCK) {
        invocation.charge_steps(BLOCK as u64)?;
        parts.push(BigUint::from_radix_be(block, base).unwrap_or_default());
    }
    while parts.len() > 1 {
        let factor = match &power {
            None => BigUint::from(base).pow(u32::try_from(BLOCK).unwrap_or(u32::MAX)),
            Some(last) => multiply(last, last, &mut Some(invocation.meter()))?,
        };
        let mut joined = invocation.room(parts.len().div_ceil(2))?;
        for pair in parts.chunks(2) {
            // Roughly what a multiplication of these lengths takes.
            let words = factor.bits() / 64 + 1;
            invocation.charge_steps(words.saturating_mul(1 + words.isqrt() / 4))?;
            joined.push(match pair {
                [low, high] => multiply(high, &factor, &mut Some(invocation.meter()))? + low,
                [low] => low.clone(),
                _ => BigUint::ZERO,
            });
        }
        parts = joined;
        power = Some(factor);
    }
    Ok(parts.pop().unwrap_or_default())
}

/// Up to base 36 letters of either case are the same digit; beyond, capitals follow small letters.
fn digit_value(digit: u8, base: u32) -> Option<u8> {
    let value = match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'z' => digit - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => digit - b'A' + 10,
        b'A'..=b'Z' => digit - b'A' + 36,
        _ => return None,
    };
    (u32::from(value) < base).then_some(value)
}

/// `sum(list)`
pub(crate) fn sum() -> Function {
    function("sum", "Adds up the numbers of a list, set or tuple.")
        .parameter(
            Parameter::new("list", Type::Dynamic).described("A list, set or tuple of numbers, not empty."),
        )
        .returns(Type::Number)
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            let numbers = match list.type_kind() {
                Some(Kind::List | Kind::Set | Kind::Tuple) => list.elements().unwrap_or(&[]),
                Some(Kind::Map | Kind::Object)
                    if list.entries().is_some_and(|mut entries| entries.next().is_some()) =>
                {
                    let found = list.type_name();
                    return refuse(0, format!("argument must be list, set, or tuple. Received {found}"));
                }
                Some(Kind::Map | Kind::Object) => &[],
                _ => return refuse(0, "cannot sum noniterable"),
            };
            if numbers.is_empty() {
                return refuse(0, "cannot sum an empty list");
            }
            if !list.is_wholly_known() {
                return Ok(super::support::unknown(Type::Number));
            }
            invocation.charge_steps(numbers.len() as u64)?;
            add_up(invocation, numbers)
        })
}

/// Adds numbers, and texts that read as numbers, from the first to the last. The precision grows with that of the
/// operands.
fn add_up(invocation: &mut Invocation<'_>, values: &[Value]) -> Outcome {
    let mut total: Option<Number> = None;
    for value in values {
        invocation.go_on(1)?;
        let converted = match value.is_null() {
            true => None,
            false => crate::convert::convert(value, &Type::Number).ok(),
        };
        let Some(next) = converted.as_ref().and_then(Value::as_number) else {
            return refuse(0, "argument must be list, set, or tuple of number values");
        };
        total = Some(match total {
            None => next.clone(),
            Some(total) => total.add(next).map_err(|error| FunctionError::new(error.message()))?,
        });
    }
    Ok(Value::number(total.unwrap_or(Number::from_i64(0))))
}

/// How many numbers `range` gives at most.
const MAX_RANGE: usize = 1024;

/// `range(params...)`
pub(crate) fn range() -> Function {
    function("range", "Gives a list of evenly spaced numbers, at most 1024 of them.")
        .variadic(Parameter::new("params", Type::Number).described(
            "The end; or start and end; or start, end and step. The end is not part of the result.",
        ))
        .returns(Type::list(Type::Number))
        .implementation(|invocation, args| {
            let (start, end, step) = range_bounds(args)?;
            let down = step.signum() < 0;
            let finished =
                |number: &Number| if down { number.cmp(&end).is_le() } else { number.cmp(&end).is_ge() };
            let mut numbers = Vec::new();
            let mut next = start;
            while !finished(&next) {
                if numbers.len() >= MAX_RANGE {
                    return fail(format!(
                        "more than {MAX_RANGE} values: bring start and end together, or use a larger step"
                    ));
                }
                invocation.charge_elements(1)?;
                // The steps add up, and so do their rounding errors.
                let sum = next.add(&step).map_err(|error| FunctionError::new(error.message()))?;
                numbers.push(Value::number(std::mem::replace(&mut next, sum)));
            }
            Ok(Value::list(Type::Number, numbers))
        })
}

/// Start, end and step. A step of 0 is not refused here, as in the reference: without an end in sight the count runs
/// into [`MAX_RANGE`].
fn range_bounds(args: &[Value]) -> Result<(Number, Number, Number), FunctionError> {
    let towards = |start: Number, end: Number| {
        let step = Number::from_i64(if end.cmp(&start).is_lt() { -1 } else { 1 });
        (start, end, step)
    };
    let (start, end, step) = match args.len() {
        1 => towards(Number::from_f64(0.0).unwrap_or(Number::from_i64(0)), number(args, 0)),
        2 => towards(number(args, 0), number(args, 1)),
        3 => (number(args, 0), number(args, 1), number(args, 2)),
        _ => return fail("must have one, two, or three arguments"),
    };
    let (ahead, down) = (end.cmp(&start), step.signum() < 0);
    if down && ahead.is_gt() {
        return refuse(1, "end must be less than start when step is negative");
    }
    if !down && ahead.is_lt() {
        return refuse(1, "end must be greater than start when step is positive");
    }
    Ok((start, end, step))
}

#[cfg(test)]
mod tests {
    use super::whole_digits;

    #[test]
    fn floats_are_written_as_rust_writes_them() {
        let floats =
            [0.0, -0.4, 0.5, 1.5, -2.5, 12.5, 1e15 + 0.5, 1e22, -1e300, f64::MIN, f64::MAX, f64::INFINITY];
        for float in floats {
            assert_eq!(whole_digits(float), format!("{float:.0}"));
        }
    }
}
