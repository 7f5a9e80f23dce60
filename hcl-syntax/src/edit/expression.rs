//! Expressions that are written, not parsed: values, references, calls, tuples and objects.

use super::insert::key_text;
use super::{error, not_formatted, source};
use crate::diagnostic::{Error, has_errors};
use crate::escape::write_quoted;
use crate::format::{FormatError, FormatStyle, format_with};
use crate::lexer::{is_identifier, tokens_within};
use crate::limits::{Stopped, Watch};
use crate::parser::{ParseLimits, Splats, parse_expression, parse_traversal};
use crate::source::Text;
use crate::token::TokenKind;

/// The text of an expression, built of parts. [`text`](NewExpression::text) gives it in its canonical form, as
/// [`Document::set`](super::Document::set) takes it.
///
/// ```
/// use hcl_syntax::edit::NewExpression;
///
/// let name = NewExpression::traversal("var.name").unwrap();
/// let upper = NewExpression::call("upper", [name], false).unwrap();
/// let object = NewExpression::object([("Name", upper), ("a b", NewExpression::string("${"))]);
/// assert_eq!(object.text(), "{\n  Name  = upper(var.name)\n  \"a b\" = \"$${\"\n}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewExpression {
    text: String,
}

impl NewExpression {
    /// An expression that is written out.
    ///
    /// # Errors
    /// It has syntax errors.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_within(text, &ParseLimits::default())
    }

    /// [`NewExpression::parse`] within limits.
    ///
    /// # Errors
    /// It has syntax errors, or a limit was reached.
    pub fn parse_within(text: &str, limits: &ParseLimits) -> Result<Self, Error> {
        let watch = Watch::new(limits);
        let line = joined_within(&[text.trim(), "\n"], &watch);
        let source = source("expression", line.map_err(|stopped| not_read(stopped, "expression"))?.into())?;
        let (_, diagnostics) = parse_expression(source.clone(), limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics.into());
        }
        // A text that ends with a heredoc or a comment needs the rest of its line.
        let last = tokens_within(&source, limits)
            .map_err(|stopped| not_read(stopped, "expression"))?
            .into_iter()
            .rev()
            .find(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::EndOfFile));
        let needs_line =
            last.is_some_and(|last| matches!(last.kind, TokenKind::CloseHeredoc | TokenKind::Comment));
        let text = joined_within(&[if needs_line { source.text() } else { text.trim() }], &watch);
        Ok(Self { text: text.map_err(|stopped| not_read(stopped, "expression"))? })
    }

    /// A text in quotes.
    pub fn string(text: &str) -> Self {
        let mut quoted = String::new();
        write_quoted(text, &mut quoted);
        Self { text: quoted }
    }

    /// `true` or `false`
    pub fn bool(value: bool) -> Self {
        Self { text: value.to_string() }
    }

    /// A whole number.
    pub fn integer(value: i64) -> Self {
        Self { text: value.to_string() }
    }

    /// `null`
    pub fn null() -> Self {
        Self { text: "null".to_owned() }
    }

    /// A reference such as `aws_instance.web[0].id`.
    ///
    /// # Errors
    /// It is none.
    pub fn traversal(text: &str) -> Result<Self, Error> {
        let source = source("reference", text.into())?;
        let (parsed, diagnostics) = parse_traversal(source, Splats::Refused, &ParseLimits::default());
        match has_errors(&diagnostics) {
            true => Err(diagnostics.into()),
            false => Ok(Self { text: parsed.to_text() }),
        }
    }

    /// A call of a function, whose name may have `::` in it. With `expands` the last argument is followed by `...`.
    ///
    /// # Errors
    /// The name is none.
    pub fn call(name: &str, arguments: impl IntoIterator<Item = Self>, expands: bool) -> Result<Self, Error> {
        if !name.split("::").all(is_identifier) {
            return Err(error::no_name(name).into());
        }
        let mut text = format!("{name}({}", joined(arguments));
        if expands {
            text.push_str("...");
        }
        text.push(')');
        Ok(Self { text })
    }

    /// A tuple, in one line.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Self {
        Self { text: format!("[{}]", joined(elements)) }
    }

    /// An object, a line for each key; keys that are no names stand in quotes.
    pub fn object<K: AsRef<str>>(items: impl IntoIterator<Item = (K, Self)>) -> Self {
        let mut text = String::from("{");
        for (key, value) in items {
            text.push('\n');
            text.push_str(&key_text(key.as_ref()));
            text.push_str(" = ");
            text.push_str(value.text.trim_end_matches('\n'));
        }
        text.push_str(if text == "{" { "}" } else { "\n}" });
        Self { text }
    }

    /// The expression as its parts were given.
    pub(super) fn raw(&self) -> &str {
        &self.text
    }

    /// The expression in its canonical form.
    pub fn text(&self) -> String {
        let text = self.text_within(&ParseLimits::default());
        text.unwrap_or_else(|_| self.text.trim_end_matches('\n').to_owned())
    }

    /// [`NewExpression::text`] within limits.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn text_within(&self, limits: &ParseLimits) -> Result<String, Error> {
        const NAME: &str = "value = ";
        let watch = Watch::new(limits);
        let stopped = |stopped| not_formatted(&FormatError::Stopped(stopped), "value");
        let line = joined_within(&[NAME, &self.text, "\n"], &watch).map_err(stopped)?;
        let formatted = match format_with("value", line.as_bytes(), FormatStyle::Hcl, limits) {
            Err(error @ FormatError::Stopped(_)) => return Err(not_formatted(&error, "value")),
            formatted => formatted.ok().map(|bytes| Text::within(bytes, limits).read().map_err(stopped)),
        };
        let formatted = formatted.transpose()?;
        let text = formatted.as_deref().and_then(|text| text.strip_prefix(NAME)).unwrap_or(&self.text);
        joined_within(&[text.trim_end_matches('\n')], &watch).map_err(stopped)
    }
}

/// Texts one behind the other.
///
/// # Errors
/// The work is to end.
fn joined_within(texts: &[&str], watch: &Watch) -> Result<String, Stopped> {
    let joined = watch.joined(texts);
    watch.stopped().map_or(Ok(joined), Err)
}

fn not_read(stopped: Stopped, name: &str) -> Error {
    stopped.diagnostic("Reading", name).into()
}

/// Expressions with commas between.
fn joined(expressions: impl IntoIterator<Item = NewExpression>) -> String {
    let texts: Vec<String> = expressions.into_iter().map(|expression| expression.text).collect();
    texts.join(", ")
}
