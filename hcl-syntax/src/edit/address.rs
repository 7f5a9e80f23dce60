//! Addresses: which attribute, block or part of a value is meant.
//!
//! `address = step, { ".", step | "[", number | string, "]" }`, where `step = name | string | "*"`.

use std::fmt;
use std::str::FromStr;

use super::error;
use crate::ast::ExpressionKind;
use crate::diagnostic::{Diagnostic, Diagnostics, has_errors};
use crate::escape::write_quoted;
use crate::lexer::{is_identifier, tokens};
use crate::parser::{ParseLimits, parse_expression};
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// More steps than this name nothing.
const MAX_STEPS: usize = 1000;

/// Names an attribute, a block, or a part of an attribute's value.
///
/// ```
/// use hcl_syntax::edit::Address;
///
/// let address: Address = r#"module."eu.west"[1].tags["x.y"]"#.parse().unwrap();
/// assert_eq!(address.to_string(), r#"module."eu.west"[1].tags."x.y""#);
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
    /// Whether a block's type or label is meant.
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

    /// The name at a step, if it is one.
    pub(super) fn name_at(&self, step: usize) -> Option<&str> {
        match self.steps.get(step)? {
            AddressStep::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Whether a step is `*`.
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

    /// The same with one more name.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let mut steps = self.steps.clone();
        steps.push(AddressStep::Name(name.to_owned()));
        Self { steps }
    }
}

impl FromStr for Address {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        let source = match Source::new("address", text) {
            Ok(source) => source,
            Err(error) => {
                return Err(vec![Diagnostic::error("edit.address", "Invalid address", error.to_string())]);
            }
        };
        Reader { tokens: tokens(&source), at: 0, source }.address()
    }
}

/// The tokens of an address as they are read.
struct Reader {
    source: Source,
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    /// The next token; the last one is the end of the text.
    fn peek(&self) -> Token {
        let end = self.source.span().at_end();
        self.tokens.get(self.at).copied().unwrap_or(Token { kind: TokenKind::EndOfFile, span: end })
    }

    fn bump(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn expected(&self, what: &str) -> Diagnostics {
        vec![error::address(&self.source, self.peek().span, what)]
    }

    fn address(mut self) -> Result<Address, Diagnostics> {
        let mut steps = vec![self.step()?];
        loop {
            steps.push(match self.peek().kind {
                TokenKind::EndOfFile => return Ok(Address { steps }),
                _ if steps.len() == MAX_STEPS => return Err(self.expected("the end")),
                TokenKind::Dot => {
                    self.bump();
                    self.step()?
                }
                TokenKind::OpenBracket => {
                    self.bump();
                    self.index()?
                }
                _ => return Err(self.expected("a dot, an index or the end")),
            });
        }
    }

    /// `step = name | string | "*"`
    fn step(&mut self) -> Result<AddressStep, Diagnostics> {
        match self.peek().kind {
            TokenKind::Identifier => {
                let span = self.bump().span;
                Ok(AddressStep::Name(self.source.slice(span).to_owned()))
            }
            TokenKind::OpenQuote => self.string().map(AddressStep::Name),
            TokenKind::Star => {
                self.bump();
                Ok(AddressStep::Any)
            }
            _ => Err(self.expected("a name")),
        }
    }

    /// `number | string, "]"`, behind the bracket
    fn index(&mut self) -> Result<AddressStep, Diagnostics> {
        let refused = self.expected("a number or a quoted name");
        let step = match self.peek().kind {
            TokenKind::Number => {
                let span = self.bump().span;
                let digits = self.source.slice(span);
                AddressStep::Index(digits.parse().map_err(|_| refused)?)
            }
            TokenKind::OpenQuote => AddressStep::Name(self.string()?),
            _ => return Err(refused),
        };
        match self.peek().kind {
            TokenKind::CloseBracket => {
                self.bump();
                Ok(step)
            }
            _ => Err(self.expected("a closing bracket")),
        }
    }

    /// A quoted literal, decoded.
    fn string(&mut self) -> Result<String, Diagnostics> {
        let refused = self.expected("a quoted name without templates");
        let open = self.bump().span;
        let mut end = open;
        loop {
            let token = self.bump();
            end = end.to(token.span);
            match token.kind {
                TokenKind::CloseQuote => break,
                TokenKind::QuotedLiteral => {}
                _ => return Err(refused),
            }
        }
        let literal = self.source.slice(Span::new(open.start, end.end));
        let source = Source::new("address", literal).map_err(|_| refused.clone())?;
        let (parsed, problems) = parse_expression(source, &ParseLimits::default());
        match parsed.expression().kind() {
            ExpressionKind::Text(text) if !has_errors(&problems) => Ok(text.to_owned()),
            _ => Err(refused),
        }
    }
}

/// The address as it is written, with quotes where they are needed.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            let dot = if position == 0 { "" } else { "." };
            match step {
                AddressStep::Index(index) => write!(f, "[{index}]")?,
                AddressStep::Any => write!(f, "{dot}*")?,
                AddressStep::Name(name) if is_identifier(name) => write!(f, "{dot}{name}")?,
                AddressStep::Name(name) => {
                    let mut quoted = String::new();
                    write_quoted(name, &mut quoted);
                    write!(f, "{dot}{quoted}")?;
                }
            }
        }
        Ok(())
    }
}
