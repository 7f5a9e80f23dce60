//! Version constraints: `>= 1.2, < 2.0`.
//!
//! A constraint has as many numbers as its author writes; numbers that are missing count as 0, except for `~>`, where
//! their count says which numbers may grow. Only releases are compared with constraints, so the suffix of a version,
//! such as `-beta1`, is checked for its form and left out.

use hcl_syntax::config::Bounds;

/// The comparison of a version constraint.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Operator {
    /// `=`, and no operator at all.
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    /// `~>`: at least the version, with all its numbers but the last unchanged.
    Pessimistic,
}

/// The operators, longer ones before those that they begin with.
const OPERATORS: [(&str, Operator); 7] = [
    (">=", Operator::GreaterEqual),
    ("<=", Operator::LessEqual),
    ("!=", Operator::NotEqual),
    ("~>", Operator::Pessimistic),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("=", Operator::Equal),
];

/// Conditions on versions, separated by commas in the text. A version has to meet every one of them.
#[derive(Clone, Debug)]
pub(crate) struct Constraints(Vec<(Operator, Vec<u64>)>);

impl Constraints {
    /// The conditions in a text; nothing if one of them is malformed, the text is empty, or `bounds` end the reading.
    pub(crate) fn parse(text: &str, bounds: &mut dyn Bounds) -> Option<Self> {
        text.split(',').map(|condition| one(condition, bounds)).collect::<Option<_>>().map(Self)
    }

    /// True if a version meets all conditions.
    pub(crate) fn allow(&self, version: [u64; 3]) -> bool {
        self.0.iter().all(|(operator, bound)| {
            // `1.12` is compared as `1.12.0`; of a bound with more than three numbers the rest makes it greater.
            let padded: Vec<u64> =
                bound.iter().copied().chain(std::iter::repeat(0)).take(bound.len().max(3)).collect();
            let order = version.as_slice().cmp(padded.as_slice());
            match operator {
                Operator::Equal => order.is_eq(),
                Operator::NotEqual => order.is_ne(),
                Operator::Greater => order.is_gt(),
                Operator::GreaterEqual => order.is_ge(),
                Operator::Less => order.is_lt(),
                Operator::LessEqual => order.is_le(),
                Operator::Pessimistic => {
                    let fixed = bound.len().saturating_sub(1).min(version.len());
                    order.is_ge() && version[..fixed] == bound[..fixed]
                }
            }
        })
    }
}

/// How much work it is to read a number, and the condition that may be around it.
const PARTS_OF_NUMBER: usize = 32;

/// Reads one condition. A `v` in front of the version is accepted, as go-version does.
fn one(text: &str, bounds: &mut dyn Bounds) -> Option<(Operator, Vec<u64>)> {
    let text = text.trim();
    let found = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    let (operator, version) = found.unwrap_or((Operator::Equal, text));
    let version = version.trim();
    let version = version.strip_prefix('v').unwrap_or(version);
    let (numbers, suffix) = match version.find(['-', '+']) {
        Some(at) => version.split_at(at),
        None => (version, ""),
    };
    let mut is_suffix = |part: &str| {
        let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '~' | '+');
        !part.is_empty() && part.chars().all(|c| bounds.goes_on(1) && is_good(c))
    };
    if !suffix.is_empty() && !is_suffix(&suffix[1..]) {
        return None;
    }
    let number = |text: &str| text.parse().ok().filter(|_| bounds.goes_on(PARTS_OF_NUMBER));
    let numbers = numbers.split('.').map(number).collect::<Option<_>>()?;
    Some((operator, numbers))
}

#[cfg(test)]
mod tests {
    use hcl_syntax::config::Unbounded;

    use super::*;

    #[test]
    fn constraints_are_read_and_held() {
        let allows = |text: &str| {
            Constraints::parse(text, &mut Unbounded).map(|constraints| constraints.allow([1, 12, 6]))
        };
        assert_eq!(allows(">= 1.12"), Some(true));
        assert_eq!(allows(">= 1.2, < 1.12.6"), Some(false));
        assert_eq!(allows("~> 1.12.0"), Some(true));
        assert_eq!(allows("~> 1.11.0"), Some(false));
        assert_eq!(allows("1.12.6"), Some(true));
        assert_eq!(allows("nonsense"), None);
        assert_eq!(allows(""), None);
        assert_eq!(allows(">= 1.0-"), None);
    }
}
