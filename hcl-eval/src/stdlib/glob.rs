//! Patterns for names of files: `*`, `?`, `[a-z]`, `{a,b}`, `\` before a character that stands for itself.
//!
//! There are two styles. [`Style::Lazy`] looks at a pattern only as far as a name makes it: what is wrong
//! farther on, or after a star, goes unnoticed. [`Style::Checked`] is checked beforehand and has its
//! alternatives expanded (`expand`), so that they may contain slashes. Walking through folders is done in
//! `fileset`.

use crate::function::{FunctionError, Invocation};

/// How patterns are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// As in Terraform, Packer and Nomad.
    Lazy,
    /// As in `OpenTofu`.
    Checked,
}

/// Why there is no telling whether a name matches.
#[derive(Debug)]
pub(super) enum Failure {
    /// The pattern makes no sense.
    Syntax,
    /// Something else.
    Other(FunctionError),
}

impl From<FunctionError> for Failure {
    fn from(error: FunctionError) -> Self {
        Self::Other(error)
    }
}

/// Returns whether a part of a pattern has anything but plain characters.
pub(super) fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '[', '{', '\\'])
}

/// The parts of a pattern between slashes; one after a backslash is no separator.
pub(super) fn split(pattern: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, c) in pattern.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == separator {
            parts.push(&pattern[start..at]);
            start = at + c.len_utf8();
        }
    }
    parts.push(&pattern[start..]);
    parts
}

/// Returns whether a name matches a part of a pattern.
pub(super) fn matches(
    pattern: &str,
    name: &str,
    style: Style,
    invocation: &mut Invocation<'_>,
) -> Result<bool, Failure> {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    Matcher { style, invocation }.matches(&pattern, &name, 0)
}

/// Matches names with parts of patterns, as code points.
struct Matcher<'a, 'i> {
    style: Style,
    invocation: &'a mut Invocation<'i>,
}

/// Alternatives inside alternatives go this deep before a pattern counts as senseless.
const MAX_NESTING: u32 = 100;

impl Matcher<'_, '_> {
    /// Tells if the whole of a name matches the whole of a pattern. After a mismatch it goes back to the last star
    /// only, and lets it take one more character, which is enough: what an earlier star would take, the later one can
    /// take as well. `nesting` counts the alternatives that this pattern stands in.
    fn matches(&mut self, pattern: &[char], name: &[char], nesting: u32) -> Result<bool, Failure> {
        let (mut p, mut n) = (0, 0);
        // Where to go on if what follows the last star does not match: behind it, and at which character.
        let mut star: Option<(usize, usize)> = None;
        loop {
            self.invocation.charge_steps(1)?;
            let step = if p < pattern.len() && n < name.len() {
                if pattern[p] == '*' {
                    if pattern[p..].iter().all(|&c| c == '*') && (p + 1 == pattern.len() || self.is_checked())
                    {
                        return Ok(true);
                    }
                    p += 1;
                    star = Some((p, n));
                    continue;
                }
                self.one(&pattern[p..], &name[n..], nesting)
            } else {
                Ok(if self.is_end(&pattern[p..], &name[n..]) { Step::Matched } else { Step::Failed })
            };
            match (step, star) {
                (Ok(Step::Matched), _) => return Ok(true),
                (Ok(Step::Forward(length)), _) => {
                    p += length;
                    n += 1;
                }
                (Err(Failure::Syntax) | Ok(Step::Failed), Some((behind, from))) if from + 1 < name.len() => {
                    star = Some((behind, from + 1));
                    (p, n) = (behind, from + 1);
                }
                (Err(Failure::Syntax) | Ok(Step::Failed), Some(_)) => return Ok(false),
                (Ok(Step::Failed), None) => return Ok(false),
                (Err(failure), _) => return Err(failure),
            }
        }
    }

    fn is_checked(&self) -> bool {
        self.style == Style::Checked
    }

    /// Returns whether nothing is left, or nothing but stars. In the lazy style more than two do not count.
    fn is_end(&self, pattern: &[char], name: &[char]) -> bool {
        name.is_empty() && pattern.iter().all(|&c| c == '*') && (self.is_checked() || pattern.len() <= 2)
    }

    /// Matches what the pattern begins with, which is no star, with the first character of the name.
    fn one(&mut self, pattern: &[char], name: &[char], nesting: u32) -> Result<Step, Failure> {
        let (Some(&first), Some(&c)) = (pattern.first(), name.first()) else { return Ok(Step::Failed) };
        let forward = |matched: bool, length: usize| match matched {
            true => Step::Forward(length),
            false => Step::Failed,
        };
        match first {
            '\\' => {
                let escaped = pattern.get(1).ok_or(Failure::Syntax)?;
                Ok(forward(*escaped == c, 2))
            }
            '[' => {
                let end = unescaped(&pattern[1..], ']').ok_or(Failure::Syntax)?;
                Ok(forward(self.class(&pattern[1..=end], c)?, end + 2))
            }
            '{' if !self.is_checked() => self.alternatives(pattern, name, nesting),
            '?' => Ok(forward(true, 1)),
            _ => Ok(forward(first == c, 1)),
        }
    }

    /// Returns whether a character is one of those in brackets.
    fn class(&mut self, class: &[char], c: char) -> Result<bool, Failure> {
        let negated = match class.first().ok_or(Failure::Syntax)? {
            '^' => true,
            '!' => self.is_checked(),
            _ => false,
        };
        let mut rest = &class[usize::from(negated)..];
        if rest.is_empty() && self.is_checked() {
            return Err(Failure::Syntax);
        }
        let mut found = false;
        while let Some((low, after)) = self.class_character(rest)? {
            let mut high = low;
            rest = after;
            if let Some(('-', after)) = after.split_first().map(|(c, after)| (*c, after))
                && !(after.is_empty() && self.is_checked())
            {
                let (end, after) = self.class_character(after)?.ok_or(Failure::Syntax)?;
                high = end;
                rest = after;
            }
            found |= (low..=high).contains(&c);
        }
        Ok(found != negated)
    }

    /// The next character of a class. A dash by itself makes no sense in the lazy style.
    fn class_character<'c>(&self, class: &'c [char]) -> Result<Option<(char, &'c [char])>, Failure> {
        match class {
            [] => Ok(None),
            ['\\'] => Err(Failure::Syntax),
            ['\\', escaped, rest @ ..] => Ok(Some((*escaped, rest))),
            ['-', ..] if !self.is_checked() => Err(Failure::Syntax),
            [c, rest @ ..] => Ok(Some((*c, rest))),
        }
    }

    /// Tries each alternative with the rest of the pattern.
    fn alternatives(&mut self, pattern: &[char], name: &[char], nesting: u32) -> Result<Step, Failure> {
        let inside = &pattern[1..];
        let end = unescaped(inside, '}').ok_or(Failure::Syntax)?;
        if nesting >= MAX_NESTING {
            return Err(Failure::Syntax);
        }
        let mut rest = &inside[..end];
        loop {
            let (alternative, after) = match unescaped(rest, ',') {
                Some(comma) => (&rest[..comma], Some(&rest[comma + 1..])),
                None => (rest, None),
            };
            self.invocation.charge_steps(pattern.len() as u64)?;
            let whole = [alternative, &inside[end + 1..]].concat();
            // An alternative and the rest of the pattern that are both empty match nothing, not even the end of a
            // name, as in the reference.
            if !whole.is_empty() && self.matches(&whole, name, nesting + 1)? {
                return Ok(Step::Matched);
            }
            match after {
                Some(after) => rest = after,
                None => return Ok(Step::Failed),
            }
        }
    }
}

/// The outcome of matching a piece of a pattern.
enum Step {
    /// It is so long, and matches the character.
    Forward(usize),
    /// All of the pattern matches.
    Matched,
    Failed,
}

/// Where a character first stands without a backslash before it.
fn unescaped(text: &[char], wanted: char) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&c| {
        let found = !escaped && c == wanted;
        escaped = !escaped && c == '\\';
        found
    })
}

/// Returns whether a pattern of the checked style makes sense.
pub(super) fn is_valid(pattern: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&c) = pattern.get(at) {
        at += 1;
        match c {
            '\\' if at == pattern.len() => return false,
            '\\' => at += 1,
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            '[' => {
                let negated = matches!(pattern.get(at), Some('!' | '^'));
                at += usize::from(negated);
                match unescaped(&pattern[at.min(pattern.len())..], ']') {
                    None | Some(0) => return false,
                    Some(end) => at += end + 1,
                }
            }
            _ => {}
        }
    }
    depth == 0
}

/// The patterns without alternatives that a valid one stands for. Empty braces hold no alternative at all.
pub(super) fn expand(pattern: &str, invocation: &mut Invocation<'_>) -> Result<Vec<String>, FunctionError> {
    let mut done = Vec::new();
    let mut open: Vec<Vec<char>> = vec![pattern.chars().collect()];
    while let Some(pattern) = open.pop() {
        invocation.charge_elements(1)?;
        invocation.charge_bytes(pattern.len())?;
        let Some((start, alternatives, end)) = first_alternatives(&pattern) else {
            done.push(pattern.into_iter().collect());
            continue;
        };
        let none = matches!(alternatives.as_slice(), [only] if only.is_empty());
        for alternative in alternatives.into_iter().filter(|_| !none) {
            open.push([&pattern[..start], &pattern[alternative], &pattern[end..]].concat());
        }
    }
    Ok(done)
}

/// Start, alternatives and end of a pair of braces, as positions in a pattern.
type Alternatives = (usize, Vec<std::ops::Range<usize>>, usize);

/// Where the first alternatives of a pattern start, what they are, and where they end.
fn first_alternatives(pattern: &[char]) -> Option<Alternatives> {
    let (mut at, mut depth) = (0, 0_usize);
    let mut start = 0;
    let mut from = 0;
    let mut found = Vec::new();
    while let Some(&c) = pattern.get(at) {
        match c {
            '\\' => at += 1,
            '[' => at += unescaped(&pattern[at + 1..], ']').map_or(0, |end| end + 1),
            '{' => {
                if depth == 0 {
                    start = at;
                    from = at + 1;
                }
                depth += 1;
            }
            ',' if depth == 1 => {
                found.push(from..at);
                from = at + 1;
            }
            '}' if depth == 1 => {
                found.push(from..at);
                return Some((start, found, at + 1));
            }
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{first_alternatives, is_valid};

    #[test]
    fn patterns_make_sense_when_what_they_open_is_closed() {
        let valid = [
            "",
            "a",
            "{a,b}",
            "{a,{b,c}}{d}",
            "{}",
            "[a]",
            "[!a]",
            "[^a]",
            "[a]]",
            "[\\]]",
            "[{]",
            "{[}]}",
            "\\{",
            "\\\\",
            "\\[",
            "a{b}c",
            "[ab]{c}",
        ];
        let invalid = [
            "{", "}", "{a", "a}", "{{a}", "{a}}", "}{", "[", "[a", "[]", "[!]", "[^]", "[!", "[\\]", "\\",
            "a\\", "{\\}", "[a]\\", "[]a]{",
        ];
        for pattern in valid {
            assert!(is_valid(pattern), "{pattern}");
        }
        for pattern in invalid {
            assert!(!is_valid(pattern), "{pattern}");
        }
    }

    #[test]
    fn the_first_alternatives_are_those_of_the_outermost_braces() {
        let of = |pattern: &str| first_alternatives(&pattern.chars().collect::<Vec<_>>());
        for none in ["", "a", "\\{a}", "[{]a", "a,b", "}"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(of("{,}"), Some((0, vec![1..1, 2..2], 3)));
        assert_eq!(of("a{b,cd}e"), Some((1, vec![2..3, 4..6], 7)));
        assert_eq!(of("{a,{b,c},d}{e}"), Some((0, vec![1..2, 3..8, 9..10], 11)));
        assert_eq!(of("{[,}],b}"), Some((0, vec![1..5, 6..7], 8)));
        assert_eq!(of("{\\,,\\}}"), Some((0, vec![1..3, 4..6], 7)));
        assert_eq!(of("}{,a}"), Some((1, vec![2..2, 3..4], 5)));
    }
}
