//! Arithmetic on numbers of any precision: `numbers_512` and other files of that form, expressions in postfix
//! notation with the text of the result.
//!
//! `L1.5` is a literal, with 512 bits of precision; `I7:64` a whole number with its precision; `F400921fb54442d18`
//! the bits of a 64-bit float, with 53; `~` is negation.

use hcl_eval::value::Number;

use super::Verdict;

/// The text of the result is the same.
pub(super) fn judge(line: &str) -> Verdict {
    let (expression, wanted) = line.split_once('\t').unwrap_or((line, ""));
    match text_of(expression) {
        Some(got) if got == wanted => Verdict::Strictly,
        got => Verdict::Differs(format!("{got:?} wanted {wanted:?}")),
    }
}

fn text_of(expression: &str) -> Option<String> {
    calculated(expression).map(|number| number.to_text())
}

/// The number that an expression in postfix notation is.
pub(super) fn calculated(expression: &str) -> Option<Number> {
    let mut stack: Vec<Number> = Vec::new();
    for word in expression.split_whitespace() {
        let result = match word {
            "~" => stack.pop()?.neg(),
            "+" | "-" | "*" | "/" | "%" => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                operate(word, &left, &right)?
            }
            _ => operand(word)?,
        };
        stack.push(result);
    }
    stack.pop()
}

fn operand(word: &str) -> Option<Number> {
    if let Some(literal) = word.strip_prefix('L') {
        return Number::parse(literal);
    }
    if let Some(bits) = word.strip_prefix('F') {
        return Number::from_f64(f64::from_bits(u64::from_str_radix(bits, 16).ok()?));
    }
    let (digits, precision) = word.strip_prefix('I')?.split_once(':')?;
    Number::parse_integer(digits, precision.parse().ok()?)
}

fn operate(operator: &str, left: &Number, right: &Number) -> Option<Number> {
    match operator {
        "+" => left.add(right),
        "-" => left.sub(right),
        "*" => left.mul(right),
        "/" => left.div(right),
        _ => left.rem(right),
    }
    .ok()
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn operands_have_their_own_precision() {
        assert_eq!(text_of("I1:64 I3:64 /").as_deref(), Some("0.33333333333333333334"));
        assert_eq!(text_of("F3ff0000000000000 F4008000000000000 /").as_deref(), Some("0.3333333333333333"));
        assert_eq!(text_of("F3fe0000000000000 L2 + ~").as_deref(), Some("-2.5"));
        assert_eq!(text_of("I-7:64 I2:64 %").as_deref(), Some("-1"));
        assert_eq!(text_of("X1"), None);
    }
}
