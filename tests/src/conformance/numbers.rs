//! Arithmetic at 512 bits: `numbers_512`, expressions in postfix notation with the text of the result.

use hcl_eval::value::Number;

use super::Verdict;

/// The text of the result is the same.
pub(super) fn judge(line: &str) -> Verdict {
    let (expression, wanted) = line.split_once('\t').unwrap_or((line, ""));
    match calculated(expression) {
        Some(got) if got == wanted => Verdict::Strictly,
        got => Verdict::Differs(format!("{got:?} wanted {wanted:?}")),
    }
}

fn calculated(expression: &str) -> Option<String> {
    let mut stack: Vec<Number> = Vec::new();
    for word in expression.split_whitespace() {
        let result = match word {
            "~" => stack.pop()?.neg(),
            "+" | "-" | "*" | "/" | "%" => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                operate(word, &left, &right)?
            }
            _ => Number::parse(word.strip_prefix('L')?)?,
        };
        stack.push(result);
    }
    stack.pop().map(|number| number.to_text())
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
