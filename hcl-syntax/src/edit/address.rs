//! Addresses: which attribute, block or part of a value is meant.
//!
//! `address = step, { ".", step | "[", number | string, "]" }`, where `step = name | string | "*"`. A name ends before a
//! dot, a bracket, a quote or a blank; a backslash takes the character behind it for one of the name.

use std::fmt;
use std::str::FromStr;

use super::error;
use super::insert::write_key_on;
use crate::ast::ExpressionKind;
use crate::diagnostic::{Diagnostic, Error, has_errors};
use crate::limits::{BYTES_PER_LOOK, Stopped, Watch};
use crate::parser::{ParseLimits, parse_expression};
use crate::source::{Source, Span};

/// More steps than this name nothing.
const MAX_STEPS: usize = 1000;

/// Names an attribute, a block, or a part of an attribute's value.
///
/// ```
/// use hcl_syntax::edit::Address;
///
/// let address: Address = r#"module."eu.west"[1].tags["x.y"]"#.parse().unwrap();
/// assert_eq!(address.to_string(), r#"module."eu.west"[1].tags."x.y""#);
/// assert_eq!(r"module.eu\.west".parse::<Address>().unwrap().to_string(), r#"module."eu.west""#);
/// assert!("a..b".parse::<Address>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    pub(super) steps: Vec<AddressStep>,
}

/// A step of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AddressStep {
    /// An attribute's name, a block's type or label, or an object's key.
    Name(String),
    /// Which of several blocks, or of a tuple's elements; from 0.
    Index(usize),
    /// Any block type or label.
    Any,
}

impl AddressStep {
    /// Returns whether the step means a block's type or label.
    pub(super) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Name(name) => name == text,
            Self::Any => true,
            Self::Index(_) => false,
        }
    }
}

impl Address {
    /// The first `n_steps` steps.
    pub(super) fn prefix(&self, n_steps: usize) -> Self {
        Self { steps: self.steps[..n_steps].to_vec() }
    }

    /// The address of what this one leads into: all but the last step; none for a single one.
    pub fn parent(&self) -> Option<Self> {
        let n_steps = self.steps.len().saturating_sub(1);
        (n_steps > 0).then(|| self.prefix(n_steps))
    }

    /// The names of all steps, if there is no index and no `*` among them: a block's type and labels.
    pub fn names(&self) -> Option<Vec<&str>> {
        (0..self.steps.len()).map(|step| self.name_at(step)).collect()
    }

    /// The name at a step, if it is one.
    pub(super) fn name_at(&self, step: usize) -> Option<&str> {
        match self.steps.get(step)? {
            AddressStep::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns whether a step is `*`.
    pub(super) fn is_any_at(&self, step: usize) -> bool {
        matches!(self.steps.get(step), Some(AddressStep::Any))
    }

    /// A step as a sentence names it.
    pub(super) fn step_text(&self, step: usize) -> String {
        match self.steps.get(step) {
            Some(AddressStep::Name(name)) => format!("\"{name}\""),
            Some(AddressStep::Index(index)) => format!("element [{index}]"),
            Some(AddressStep::Any) | None => "block or label".to_owned(),
        }
    }

    /// The root: the whole document.
    pub(super) const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// The address with an index behind it.
    #[must_use]
    pub fn at(&self, index: usize) -> Self {
        let mut steps = self.steps.clone();
        steps.push(AddressStep::Index(index));
        Self { steps }
    }

    /// Returns the address with one more name.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        self.join_all([name])
    }

    /// The address with more names, such as a block's type and labels.
    #[must_use]
    pub fn join_all<'n, N: IntoIterator<Item = &'n str>>(&self, names: N) -> Self {
        let mut steps = self.steps.clone();
        steps.extend(names.into_iter().map(|name| AddressStep::Name(name.to_owned())));
        Self { steps }
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse_within(text, &ParseLimits::default())
    }
}

impl Address {
    /// Reads an address within limits.
    ///
    /// ```
    /// use hcl_syntax::edit::Address;
    /// use hcl_syntax::parser::ParseLimits;
    ///
    /// let address = Address::parse_within("service.web.port", &ParseLimits::default())?;
    /// assert_eq!(address.to_string(), "service.web.port");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is no address, or a limit was reached.
    pub fn parse_within(text: &str, limits: &ParseLimits) -> Result<Self, Error> {
        let source = match Source::new("address", text) {
            Ok(source) => source,
            Err(error) => {
                return Err(Diagnostic::error("edit.address", "Invalid address", error.to_string()).into());
            }
        };
        let watch = Watch::new(limits);
        let address = Reader { source: &source, at: 0, limits, watch: &watch }.address();
        if address.is_err() {
            // The place is told by its line and column, for which all of the text is gone through.
            source.find_lines_on(&watch);
        }
        match watch.stopped() {
            Some(stopped) => Err(stopped.diagnostic("Reading", source.name()).into()),
            None => address.map_err(|Expected { at, what }| error::address(&source, at, what).into()),
        }
    }
}

/// Text that is no address, and what should stand there instead.
#[derive(Copy, Clone, Debug)]
struct Expected {
    at: Span,
    what: &'static str,
}

/// The text of an address as it is read, to where the work is to end.
struct Reader<'s> {
    source: &'s Source,
    at: u32,
    limits: &'s ParseLimits,
    watch: &'s Watch,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        self.source.slice(Span::new(self.at, self.source.span().end))
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes a character.
    fn bump(&mut self) -> Option<char> {
        self.watch.count(1).ok()?;
        let next = self.peek()?;
        self.at += width(next);
        Some(next)
    }

    fn expected(&self, what: &'static str) -> Expected {
        Expected { at: Span::new(self.at, self.at + self.peek().map_or(0, width)), what }
    }

    fn address(mut self) -> Result<Address, Expected> {
        let mut steps = vec![self.step()?];
        loop {
            steps.push(match self.peek() {
                None => return Ok(Address { steps }),
                _ if steps.len() == MAX_STEPS => return Err(self.expected("the end")),
                Some('.') => {
                    self.bump();
                    self.step()?
                }
                Some('[') => {
                    self.bump();
                    self.index()?
                }
                Some(_) => return Err(self.expected("a dot, an index or the end")),
            });
        }
    }

    /// `step = name | string | "*"`
    fn step(&mut self) -> Result<AddressStep, Expected> {
        if self.peek() == Some('"') {
            return self.string().map(AddressStep::Name);
        }
        let start = self.at;
        let mut name = String::new();
        while let Some(next) = self.peek() {
            if matches!(next, '.' | '[' | ']' | '"') || next.is_ascii_whitespace() {
                break;
            }
            if self.bump().is_none() {
                break;
            }
            match next {
                '\\' => {
                    let escaped = self.bump();
                    name.push(escaped.ok_or_else(|| self.expected("a character behind the backslash"))?);
                }
                _ => name.push(next),
            }
        }
        match self.source.slice(Span::new(start, self.at)) {
            "" => Err(self.expected("a name")),
            "*" => Ok(AddressStep::Any),
            _ => Ok(AddressStep::Name(name)),
        }
    }

    /// `number | string, "]"`, behind the bracket
    fn index(&mut self) -> Result<AddressStep, Expected> {
        let refused = self.expected("a number or a quoted name");
        let rest = self.rest();
        let n_digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let step = if self.peek() == Some('"') {
            AddressStep::Name(self.string()?)
        } else {
            let index = rest[..n_digits].parse().map_err(|_| refused)?;
            rest[..n_digits].chars().for_each(|digit| self.at += width(digit));
            AddressStep::Index(index)
        };
        match self.bump() {
            Some(']') => Ok(step),
            _ => Err(self.expected("a closing bracket")),
        }
    }

    /// A quoted literal, decoded.
    fn string(&mut self) -> Result<String, Expected> {
        let refused = self.expected("a quoted name without templates");
        let start = self.at;
        self.bump();
        loop {
            match self.bump() {
                None => return Err(refused),
                Some('"') => break,
                Some('\\') => _ = self.bump(),
                Some(_) => {}
            }
        }
        let literal = self.source.slice(Span::new(start, self.at));
        let source = Source::new("address", literal).map_err(|_| refused)?;
        let (parsed, problems) = parse_expression(source, self.limits);
        match parsed.expression().kind() {
            ExpressionKind::Text(text) if !has_errors(&problems) => Ok(text.to_owned()),
            _ => Err(refused),
        }
    }
}

/// The length of a character in bytes.
fn width(c: char) -> u32 {
    match c.len_utf8() {
        1 => 1,
        2 => 2,
        3 => 3,
        _ => 4,
    }
}

impl Address {
    /// How many bytes its names have.
    pub(super) fn n_bytes(&self) -> usize {
        let names =
            self.steps.iter().map(|step| if let AddressStep::Name(name) = step { name.len() } else { 0 });
        names.sum()
    }

    /// [`Display`](fmt::Display) within limits. The text of a short address is made without a look at them.
    ///
    /// ```
    /// use hcl_syntax::edit::Address;
    /// use hcl_syntax::parser::ParseLimits;
    ///
    /// let address: Address = "service.\"a b\"".parse()?;
    /// assert_eq!(address.to_text_within(&ParseLimits::default()), Ok(address.to_string()));
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    ///
    /// # Errors
    /// The work was to end before.
    pub fn to_text_within(&self, limits: &ParseLimits) -> Result<String, Stopped> {
        let is_short = self.steps.len() + self.n_bytes() <= BYTES_PER_LOOK;
        let watch = if is_short { Watch::idle() } else { Watch::new(limits) };
        let mut text = String::new();
        self.write_on(&watch, &mut text);
        watch.stopped().map_or(Ok(text), Err)
    }

    /// Writes the address; some of it if the work is to end.
    fn write_on(&self, watch: &Watch, out: &mut String) {
        let steps = watch.each(self.steps.iter(), 1);
        for (position, step) in steps.enumerate() {
            if position > 0 && !matches!(step, AddressStep::Index(_)) {
                out.push('.');
            }
            match step {
                AddressStep::Index(index) => out.push_str(&format!("[{index}]")),
                AddressStep::Any => out.push('*'),
                AddressStep::Name(name) => write_key_on(name, watch, out),
            }
        }
    }
}

/// The address as it is written, with quotes where they are needed.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_on(&Watch::idle(), &mut text);
        f.write_str(&text)
    }
}
