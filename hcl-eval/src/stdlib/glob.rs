//! Patterns for names of files: `*`, `?`, `[a-z]`, `{a,b}`, `\` before a character that stands for itself.
//!
//! There are two styles. [`Style::Lazy`] looks at a pattern only as far as a name makes it: what is wrong
//! farther on, or after a star, goes unnoticed. [`Style::Checked`] is checked beforehand and has its
//! alternatives expanded (`expand`), so that they may contain slashes. Walking through folders is done in
//! `fileset`.

use std::ops::Range;
use std::str::Chars;

use super::support::in_stretches;
use crate::function::{FunctionError, Invocation};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::value::string::STRETCH;

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

impl From<LimitReached> for Failure {
    fn from(limit: LimitReached) -> Self {
        Self::Other(limit.into())
    }
}

/// Returns whether a part of a pattern has anything but plain characters.
pub(super) fn is_pattern(part: &str, invocation: &mut Invocation<'_>) -> Result<bool, FunctionError> {
    let mut found = false;
    in_stretches(invocation, part, |stretch| found |= stretch.contains(['*', '?', '[', '{', '\\']))?;
    Ok(found)
}

/// The parts of a pattern between slashes; one after a backslash is no separator. In the checked style several `**` in a row are
/// as good as one.
pub(super) fn split<'p>(
    pattern: &'p str,
    style: Style,
    meter: &mut Meter,
) -> Result<Vec<&'p str>, LimitReached> {
    let mut parts = Vec::new();
    let mut rest = Some(pattern);
    while let Some(text) = rest {
        let end = unescaped(text, b'/', meter)?;
        let part = &text[..end.unwrap_or(text.len())];
        if style == Style::Lazy || part != "**" || parts.last() != Some(&"**") {
            meter.hold_push(&parts)?;
            parts.push(part);
        }
        rest = end.map(|end| &text[end + 1..]);
    }
    Ok(parts)
}

/// Returns whether a name matches a part of a pattern.
pub(super) fn matches(
    pattern: &str,
    name: &str,
    style: Style,
    invocation: &mut Invocation<'_>,
) -> Result<bool, Failure> {
    Matcher { style, invocation }.matches(pattern, name, 0)
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
    fn matches(&mut self, pattern: &str, name: &str, nesting: u32) -> Result<bool, Failure> {
        let (mut p, mut n) = (0, 0);
        // Where to go on if what follows the last star does not match: behind it, and at which character.
        let mut star: Option<(usize, usize)> = None;
        loop {
            self.invocation.charge_steps(1)?;
            let step = if p < pattern.len() && n < name.len() {
                if pattern[p..].starts_with('*') {
                    p += 1;
                    if p == pattern.len() {
                        return Ok(true);
                    }
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
                    n = after_character(name, n);
                }
                (Err(Failure::Syntax) | Ok(Step::Failed), Some((behind, from))) => {
                    let from = after_character(name, from);
                    if from == name.len() {
                        return Ok(false);
                    }
                    star = Some((behind, from));
                    (p, n) = (behind, from);
                }
                (Ok(Step::Failed), None) => return Ok(false),
                (Err(failure), _) => return Err(failure),
            }
        }
    }

    fn is_checked(&self) -> bool {
        self.style == Style::Checked
    }

    /// Returns whether nothing is left, or nothing but stars. In the lazy style more than two do not count.
    fn is_end(&self, pattern: &str, name: &str) -> bool {
        let n_stars = if self.is_checked() { pattern.len() } else { 2 };
        name.is_empty() && pattern.len() <= n_stars && pattern.bytes().all(|c| c == b'*')
    }

    /// Matches what the pattern begins with, which is no star, with the first character of the name.
    fn one(&mut self, pattern: &str, name: &str, nesting: u32) -> Result<Step, Failure> {
        let mut rest = pattern.chars();
        let (Some(first), Some(c)) = (rest.next(), name.chars().next()) else { return Ok(Step::Failed) };
        let matched = match first {
            '\\' => rest.next().ok_or(Failure::Syntax)? == c,
            '[' => {
                let end = unescaped(rest.as_str(), b']', self.invocation.meter())?.ok_or(Failure::Syntax)?;
                self.invocation.charge_steps((end / BYTES_PER_PART) as u64)?;
                let (class, after) = rest.as_str().split_at(end);
                rest = after[1..].chars();
                self.class(class, c)?
            }
            '{' if !self.is_checked() => return self.alternatives(pattern, name, nesting),
            _ => first == '?' || first == c,
        };
        Ok(if matched { Step::Forward(pattern.len() - rest.as_str().len()) } else { Step::Failed })
    }

    /// Returns whether a character is one of those in brackets.
    fn class(&mut self, class: &str, c: char) -> Result<bool, Failure> {
        let negated = match class.chars().next().ok_or(Failure::Syntax)? {
            '^' => true,
            '!' => self.is_checked(),
            _ => false,
        };
        let mut rest = class[usize::from(negated)..].chars();
        if rest.as_str().is_empty() && self.is_checked() {
            return Err(Failure::Syntax);
        }
        let mut found = false;
        while let Some(low) = self.class_character(&mut rest)? {
            self.invocation.go_on(1)?;
            let mut high = low;
            let mut after = rest.clone();
            if after.next() == Some('-') && !(after.as_str().is_empty() && self.is_checked()) {
                high = self.class_character(&mut after)?.ok_or(Failure::Syntax)?;
                rest = after;
            }
            found |= (low..=high).contains(&c);
        }
        Ok(found != negated)
    }

    /// The next character of a class. A dash by itself makes no sense in the lazy style.
    fn class_character(&self, class: &mut Chars<'_>) -> Result<Option<char>, Failure> {
        match class.next() {
            Some('\\') => class.next().map(Some).ok_or(Failure::Syntax),
            Some('-') if !self.is_checked() => Err(Failure::Syntax),
            c => Ok(c),
        }
    }

    /// Tries each alternative with the rest of the pattern.
    fn alternatives(&mut self, pattern: &str, name: &str, nesting: u32) -> Result<Step, Failure> {
        let inside = &pattern[1..];
        let end = unescaped(inside, b'}', self.invocation.meter())?.ok_or(Failure::Syntax)?;
        if nesting >= MAX_NESTING {
            return Err(Failure::Syntax);
        }
        let mut rest = Some(&inside[..end]);
        while let Some(text) = rest {
            let comma = unescaped(text, b',', self.invocation.meter())?;
            let alternative = &text[..comma.unwrap_or(text.len())];
            self.invocation.charge_steps(pattern.len() as u64)?;
            self.invocation.meter().hold(pattern.len())?;
            let whole = [alternative, &inside[end + 1..]].concat();
            // An alternative and the rest of the pattern that are both empty match nothing, not even the end of a
            // name, as in the reference.
            if !whole.is_empty() && self.matches(&whole, name, nesting + 1)? {
                return Ok(Step::Matched);
            }
            rest = comma.map(|comma| &text[comma + 1..]);
        }
        Ok(Step::Failed)
    }
}

/// The outcome of matching a piece of a pattern.
enum Step {
    /// It has so many bytes, and matches the character.
    Forward(usize),
    /// All of the pattern matches.
    Matched,
    Failed,
}

/// Where the character of a name ends that begins at a byte.
fn after_character(name: &str, at: usize) -> usize {
    name.ceil_char_boundary(at + 1)
}

/// Where a character of ASCII first stands without a backslash before it.
fn unescaped(text: &str, wanted: u8, meter: &mut Meter) -> Result<Option<usize>, LimitReached> {
    let mut escaped = false;
    for (i, stretch) in text.as_bytes().chunks(STRETCH).enumerate() {
        let found = stretch.iter().position(|&c| {
            let found = !escaped && c == wanted;
            escaped = !escaped && c == b'\\';
            found
        });
        meter.go_on(1 + found.unwrap_or(stretch.len()) / BYTES_PER_PART)?;
        if let Some(at) = found {
            return Ok(Some(i * STRETCH + at));
        }
    }
    Ok(None)
}

/// Returns whether a pattern of the checked style makes sense.
pub(super) fn is_valid(pattern: &str, meter: &mut Meter) -> Result<bool, LimitReached> {
    let bytes = pattern.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&c) = bytes.get(at) {
        meter.go_on(1)?;
        at += 1;
        match c {
            b'\\' if at == bytes.len() => return Ok(false),
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' if depth == 0 => return Ok(false),
            b'}' => depth -= 1,
            b'[' => {
                at += usize::from(matches!(bytes.get(at), Some(b'!' | b'^')));
                match unescaped(&pattern[at..], b']', meter)? {
                    None | Some(0) => return Ok(false),
                    Some(end) => at += end + 1,
                }
            }
            _ => {}
        }
    }
    Ok(depth == 0)
}

/// The patterns without alternatives that a valid one stands for. Empty braces hold no alternative at all.
pub(super) fn expand(pattern: &str, invocation: &mut Invocation<'_>) -> Result<Vec<String>, FunctionError> {
    let mut done = Vec::new();
    let mut open = Vec::new();
    add(&mut open, [pattern, "", ""], invocation)?;
    while let Some(pattern) = open.pop() {
        let Some((start, alternatives, end)) = first_alternatives(&pattern, invocation.meter())? else {
            invocation.meter().hold_push(&done)?;
            done.push(pattern);
            continue;
        };
        let none = matches!(alternatives.as_slice(), [only] if only.is_empty());
        for alternative in alternatives.into_iter().filter(|_| !none) {
            add(&mut open, [&pattern[..start], &pattern[alternative], &pattern[end..]], invocation)?;
        }
    }
    Ok(done)
}

/// Adds a pattern of so many pieces.
fn add(
    open: &mut Vec<String>,
    pieces: [&str; 3],
    invocation: &mut Invocation<'_>,
) -> Result<(), FunctionError> {
    invocation.charge_elements(1)?;
    invocation.charge_bytes(pieces.iter().map(|piece| piece.len()).sum())?;
    invocation.meter().hold_push(open)?;
    open.push(pieces.concat());
    Ok(())
}

/// Start, alternatives and end of a pair of braces, as positions in a pattern.
type Alternatives = (usize, Vec<Range<usize>>, usize);

/// Where the first alternatives of a pattern start, what they are, and where they end.
fn first_alternatives(pattern: &str, meter: &mut Meter) -> Result<Option<Alternatives>, LimitReached> {
    let (mut at, mut depth) = (0, 0_usize);
    let mut start = 0;
    let mut from = 0;
    let mut found = Vec::new();
    while let Some(&c) = pattern.as_bytes().get(at) {
        meter.go_on(1)?;
        match c {
            b'\\' => at += 1,
            b'[' => at += unescaped(&pattern[at + 1..], b']', meter)?.map_or(0, |end| end + 1),
            b'{' => {
                if depth == 0 {
                    start = at;
                    from = at + 1;
                }
                depth += 1;
            }
            b',' | b'}' if depth == 1 => {
                meter.hold_push(&found)?;
                found.push(from..at);
                from = at + 1;
                if c == b'}' {
                    return Ok(Some((start, found, from)));
                }
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let meter = &mut Meter::default();
        for pattern in valid {
            assert_eq!(is_valid(pattern, meter), Ok(true), "{pattern}");
        }
        for pattern in invalid {
            assert_eq!(is_valid(pattern, meter), Ok(false), "{pattern}");
        }
    }

    #[test]
    fn the_first_alternatives_are_those_of_the_outermost_braces() {
        let of = |pattern: &str| first_alternatives(pattern, &mut Meter::default()).unwrap();
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
