//! RE2 patterns, checked and rewritten for the `regex` crate.
//!
//! The two dialects agree on meaning (leftmost-first, linear time) and differ in
//! spelling: here `\w \d \s \b` are ASCII, classes do not nest and have no set
//! operations, octal escapes exist, look-around and back-references do not. One
//! pass over the pattern refuses what RE2 refuses and writes every literal, class
//! and group in a form that has one meaning in the crate. All capture groups are
//! written without names, which the crate wants unique; the names are kept here.

use std::fmt::Write;

use super::re2_class::{NOTHING, posix_class, shorthand};

/// Why a pattern was refused, and the piece of it that is at fault.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) problem: &'static str,
    pub(super) fragment: String,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.fragment.is_empty() {
            true => f.write_str(self.problem),
            false => write!(f, "{} in {:?}", self.problem, self.fragment),
        }
    }
}

/// A pattern in the crate's spelling and the name, if any, of each capture group.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) pattern: String,
    pub(super) groups: Vec<Option<String>>,
    /// How often counted repetition copies a part of the pattern, at most.
    copies: u32,
}

impl Translated {
    /// The steps to charge for compiling the pattern.
    pub(super) fn cost(&self) -> u64 {
        self.pattern.len() as u64 * u64::from(self.copies)
    }
}

/// Repeat counts, also multiplied through nesting, end here.
const MAX_REPEAT: u32 = 1000;
/// Groups nest no deeper than this.
const MAX_DEPTH: usize = 1000;

/// Rewrites a pattern.
pub(super) fn translate(pattern: &str) -> Result<Translated, PatternError> {
    let mut translator = Translator {
        rest: pattern,
        out: String::with_capacity(pattern.len() + 16),
        groups: Vec::new(),
        pending_flags: String::new(),
        open: vec![Level::default()],
        last_repeat: None,
    };
    while !translator.rest.is_empty() {
        translator.step()?;
    }
    match translator.open.as_slice() {
        [whole] => {
            let copies = whole.weight.max(1);
            Ok(Translated { pattern: translator.out, groups: translator.groups, copies })
        }
        _ => Err(error("missing closing )", pattern)),
    }
}

struct Translator<'a> {
    rest: &'a str,
    out: String,
    groups: Vec<Option<String>>,
    /// Flags set but not written yet: a repetition may still apply to what stands before them.
    pending_flags: String,
    open: Vec<Level>,
    /// The text from the start of a repetition operator, when it is the previous token.
    last_repeat: Option<&'a str>,
}

/// An open group, or the whole pattern.
#[derive(Default)]
struct Level {
    /// Something stands before that a repetition can apply to.
    has_atom: bool,
    /// How often the last atom's contents are copied by counted repetition.
    atom_weight: u32,
    /// The largest of these in the group.
    weight: u32,
}

pub(super) fn error(problem: &'static str, fragment: &str) -> PatternError {
    PatternError { problem, fragment: fragment.to_owned() }
}

impl<'a> Translator<'a> {
    fn step(&mut self) -> Result<(), PatternError> {
        let start = self.rest;
        let repeated_before = self.last_repeat.take();
        let Some(c) = self.next_char() else { return Ok(()) };
        match c {
            '(' => self.open_group(start)?,
            ')' => self.close_group(start)?,
            '|' => {
                self.out.push('|');
                if let Some(level) = self.open.last_mut() {
                    level.has_atom = false;
                }
            }
            '^' | '$' | '.' => self.atom(|out| out.push(c)),
            '[' => self.class(start)?,
            '*' | '+' | '?' => {
                let lazy = self.eat('?');
                let text = &start[..start.len() - self.rest.len()];
                self.repeat(text, None, repeated_before.unwrap_or(start), lazy)?;
            }
            '{' => match counted(self.rest) {
                Some((min, max, after)) => {
                    self.rest = after;
                    self.counted(start, (min, max), repeated_before.unwrap_or(start))?;
                }
                None => self.literal('{'),
            },
            '\\' => self.escape(start)?,
            _ => self.literal(c),
        }
        Ok(())
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Writes something that stands for itself.
    fn atom(&mut self, write: impl FnOnce(&mut String)) {
        self.flush_flags();
        write(&mut self.out);
        self.finish_atom(1);
    }

    fn finish_atom(&mut self, weight: u32) {
        if let Some(level) = self.open.last_mut() {
            level.has_atom = true;
            level.atom_weight = weight;
            level.weight = level.weight.max(weight);
        }
    }

    fn flush_flags(&mut self) {
        let flags = std::mem::take(&mut self.pending_flags);
        self.out.push_str(&flags);
    }

    fn literal(&mut self, c: char) {
        self.atom(|out| push_literal(out, c));
    }

    fn open_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        if self.open.len() > MAX_DEPTH {
            return Err(error("expression nests too deeply", ""));
        }
        if !self.eat('?') {
            self.groups.push(None);
            self.push_group("(");
            return Ok(());
        }
        if self.rest.starts_with("P<") || self.rest.starts_with('<') {
            return self.named_group(start);
        }
        self.flags(start)
    }

    fn push_group(&mut self, opening: &str) {
        self.flush_flags();
        self.out.push_str(opening);
        self.open.push(Level::default());
    }

    fn named_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        let name_start = self.rest.trim_start_matches('P').get(1..).unwrap_or("");
        let Some(end) = name_start.find('>') else {
            return Err(error("invalid named capture", start));
        };
        let name = &name_start[..end];
        self.rest = &name_start[end + 1..];
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(error("invalid named capture", &start[..start.len() - self.rest.len()]));
        }
        self.groups.push(Some(name.to_owned()));
        self.push_group("(");
        Ok(())
    }

    /// `(?flags)` or `(?flags:`, from behind the question mark.
    fn flags(&mut self, start: &'a str) -> Result<(), PatternError> {
        let flags = self.rest;
        let (mut negated, mut any_after_minus) = (false, true);
        while let Some(c) = self.next_char() {
            let read = &flags[..flags.len() - self.rest.len() - c.len_utf8()];
            match c {
                'i' | 'm' | 's' | 'U' => any_after_minus = true,
                '-' if !negated => (negated, any_after_minus) = (true, false),
                ':' if any_after_minus => {
                    self.push_group(&format!("(?{read}:"));
                    return Ok(());
                }
                ')' if any_after_minus => {
                    if !read.is_empty() {
                        // Writing to a String cannot fail.
                        let _ = write!(self.pending_flags, "(?{read})");
                    }
                    return Ok(());
                }
                _ => break,
            }
        }
        Err(error("invalid or unsupported Perl syntax", &start[..start.len() - self.rest.len()]))
    }

    fn close_group(&mut self, start: &'a str) -> Result<(), PatternError> {
        if self.open.len() < 2 {
            return Err(error("unexpected )", start));
        }
        let level = self.open.pop().unwrap_or_default();
        self.pending_flags.clear();
        self.out.push(')');
        self.finish_atom(level.weight.max(1));
        Ok(())
    }

    fn counted(
        &mut self,
        start: &'a str,
        (min, max): (u32, Option<u32>),
        before: &'a str,
    ) -> Result<(), PatternError> {
        let lazy = self.eat('?');
        let text = &start[..start.len() - self.rest.len()];
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || max < min) {
            return Err(error("invalid repeat count", text));
        }
        self.repeat(text, Some(max.unwrap_or(min)), before, lazy)
    }

    /// Applies a repetition operator to the last atom. `copies` is how often a counted one copies it.
    fn repeat(
        &mut self,
        text: &'a str,
        copies: Option<u32>,
        before: &'a str,
        lazy: bool,
    ) -> Result<(), PatternError> {
        let start = &before[..before.len() - self.rest.len()];
        if start.len() > text.len() {
            return Err(error("invalid nested repetition operator", start));
        }
        let Some(level) = self.open.last_mut().filter(|level| level.has_atom) else {
            return Err(error("missing argument to repetition operator", text));
        };
        if let Some(copies) = copies {
            level.atom_weight = match copies {
                0 => 1,
                copies => level.atom_weight.saturating_mul(copies),
            };
            level.weight = level.weight.max(level.atom_weight);
            if level.atom_weight > MAX_REPEAT {
                return Err(error("invalid repeat count", text));
            }
        }
        self.out.push_str(text);
        debug_assert!(!lazy || text.ends_with('?'));
        self.last_repeat = Some(before);
        Ok(())
    }

    fn escape(&mut self, start: &'a str) -> Result<(), PatternError> {
        let Some(c) = self.rest.chars().next() else {
            return Err(error("trailing backslash at end of expression", ""));
        };
        match c {
            'A' | 'z' => {
                self.next_char();
                self.atom(|out| out.extend(['\\', c]));
            }
            'b' | 'B' => {
                self.next_char();
                self.atom(|out| out.extend(['(', '?', '-', 'u', ':', '\\', c, ')']));
            }
            'Q' => {
                self.next_char();
                let (text, after) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                text.chars().for_each(|c| self.literal(c));
                self.rest = after;
            }
            _ => match shorthand(&mut self.rest)? {
                Some(class) => self.atom(|out| out.push_str(&class)),
                None => match escaped_char(&mut self.rest, start)? {
                    Some(c) => self.literal(c),
                    None => self.atom(|out| out.push_str(NOTHING)),
                },
            },
        }
        Ok(())
    }

    fn class(&mut self, start: &'a str) -> Result<(), PatternError> {
        let mut class = String::from("[");
        if self.eat('^') {
            class.push('^');
        }
        let mut first = true;
        loop {
            match self.rest.chars().next() {
                None => return Err(error("missing closing ]", start)),
                Some(']') if !first => break,
                Some(_) => self.class_item(&mut class, start)?,
            }
            first = false;
        }
        self.rest = &self.rest[1..];
        class.push(']');
        self.atom(|out| out.push_str(&class));
        Ok(())
    }

    fn class_item(&mut self, class: &mut String, start: &'a str) -> Result<(), PatternError> {
        if self.rest.starts_with("[:")
            && let Some(end) = self.rest[2..].find(":]")
        {
            let name = &self.rest[..end + 4];
            let set = posix_class(name).ok_or_else(|| error("invalid character class range", name))?;
            class.push_str(set);
            self.rest = &self.rest[end + 4..];
            return Ok(());
        }
        if let Some(after) = self.rest.strip_prefix('\\') {
            let mut rest = after;
            if let Some(set) = shorthand(&mut rest)? {
                class.push_str(&set);
                self.rest = rest;
                return Ok(());
            }
        }
        self.class_range(class, start)
    }

    fn class_range(&mut self, class: &mut String, start: &'a str) -> Result<(), PatternError> {
        let range_start = self.rest;
        let low = self.class_char(start)?;
        let mut high = low;
        if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
            self.rest = &self.rest[1..];
            high = self.class_char(start)?;
            if high < low {
                let range = &range_start[..range_start.len() - self.rest.len()];
                return Err(error("invalid character class range", range));
            }
        }
        push_range(class, low, high);
        Ok(())
    }

    /// A code point of a class; surrogates can be written, though no text has them.
    fn class_char(&mut self, class_start: &'a str) -> Result<u32, PatternError> {
        let start = self.rest;
        match self.next_char() {
            None => Err(error("missing closing ]", class_start)),
            Some('\\') => escaped_code(&mut self.rest, start),
            Some(c) => Ok(u32::from(c)),
        }
    }
}

fn push_literal(out: &mut String, c: char) {
    match c.is_ascii_alphanumeric() {
        true => out.push(c),
        false => {
            let _ = write!(out, "\\x{{{:X}}}", u32::from(c));
        }
    }
}

/// Writes the characters of a range, without the surrogates inside it.
fn push_range(class: &mut String, low: u32, high: u32) {
    const SURROGATES: std::ops::RangeInclusive<u32> = 0xd800..=0xdfff;
    let low = if SURROGATES.contains(&low) { 0xe000 } else { low };
    let high = if SURROGATES.contains(&high) { 0xd7ff } else { high };
    if low > high {
        class.push_str(NOTHING);
    } else {
        let _ = write!(class, "\\x{{{low:X}}}-\\x{{{high:X}}}");
    }
}

/// `n}`, `n,}` or `n,m}` behind an opening brace, and what follows. Anything else
/// leaves the brace a literal.
fn counted(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (min, rest) = count(text)?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, Some(min), rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, None, rest));
    }
    let (max, rest) = count(rest)?;
    Some((min, Some(max), rest.strip_prefix('}')?))
}

/// A decimal number without leading zeros; too large ones are all alike.
fn count(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let digits = &text[..end];
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), &text[end..]))
}

/// The character behind a backslash; `None` for a surrogate.
fn escaped_char(rest: &mut &str, start: &str) -> Result<Option<char>, PatternError> {
    escaped_code(rest, start).map(char::from_u32)
}

fn escaped_code(rest: &mut &str, start: &str) -> Result<u32, PatternError> {
    let after = *rest;
    let Some(c) = after.chars().next() else {
        return Err(error("trailing backslash at end of expression", ""));
    };
    *rest = &after[c.len_utf8()..];
    let code = match c {
        '0'..='7' => octal(c, rest),
        'x' => hexadecimal(rest),
        'a' => Some(7),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
        _ => None,
    };
    code.ok_or_else(|| error("invalid escape sequence", &start[..start.len() - rest.len()]))
}

/// Up to three octal digits. A single one other than 0 would be a back-reference.
fn octal(first: char, rest: &mut &str) -> Option<u32> {
    let digits = rest.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if first != '0' && digits == 0 {
        return None;
    }
    let mut code = first.to_digit(8)?;
    for b in rest.bytes().take(digits) {
        code = code * 8 + u32::from(b - b'0');
    }
    *rest = &rest[digits..];
    Some(code)
}

/// Two digits, or any number of them in braces.
fn hexadecimal(rest: &mut &str) -> Option<u32> {
    let text = *rest;
    let (digits, after) = match text.strip_prefix('{') {
        Some(braced) => braced.split_once('}')?,
        None => (text.get(..2)?, text.get(2..)?),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    *rest = after;
    u32::from_str_radix(digits, 16).ok().filter(|&code| code <= 0x0010_ffff)
}
