//! Values written as native syntax, for documents that are edited.
//!
//! Native syntax writes tuples and objects, so a list or a set becomes a tuple and a map an object; readers that expect
//! the other types convert them back. Marks, unknown values, capsules and infinities have no text, and are refused.

use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::{Diagnostic, Error};
use hcl_syntax::edit::NewExpression;
use hcl_syntax::escape::write_escaped;
use hcl_syntax::lexer::{is_identifier, is_identifier_within};
use hcl_syntax::limits::Stopped;
use hcl_syntax::memory;
use hcl_syntax::parser::ParseLimits;

use crate::stack;
use crate::value::{Kind, Value};

/// The longest text, in bytes: values share their parts, so that small ones may have endless texts.
const MAX_LEN: usize = 1 << 26;

/// A value as an expression, in its canonical form: objects take a line for each key, tuples one line.
///
/// ```
/// use hcl_eval::{Value, written};
///
/// let value = Value::object(vec![("a".into(), Value::tuple(vec![Value::from(1), Value::string("${x}")]))]);
/// assert_eq!(written::expression(&value).unwrap().text(), "{\n  a = [1, \"$${x}\"]\n}");
/// ```
///
/// # Errors
/// A part of the value has no text, or the text would be too long or nest too deeply.
pub fn expression(value: &Value) -> Result<NewExpression, Error> {
    expression_within(value, &ParseLimits::default())
}

/// [`expression`] within limits.
///
/// ```
/// use hcl_eval::limits::CancelToken;
/// use hcl_eval::{Value, written};
/// use hcl_syntax::parser::ParseLimits;
///
/// let limits = ParseLimits { cancel: Some(CancelToken::asking(|| true)), ..ParseLimits::default() };
/// let stopped = written::expression_within(&Value::from(1), &limits).unwrap_err();
/// assert_eq!(stopped.diagnostics()[0].code, "limit.cancelled");
/// ```
///
/// # Errors
/// As of [`expression`], or a limit was reached.
pub fn expression_within(value: &Value, limits: &ParseLimits) -> Result<NewExpression, Error> {
    let mut writer = Writer::new(limits);
    writer.write(value)?;
    NewExpression::parse_within(&writer.out, limits)
}

/// An object or a map as the attributes of a body, in the order of their names; written out, as
/// [`Document::append_block`](hcl_syntax::edit::Document::append_block) takes them.
///
/// ```
/// use hcl_eval::{Value, written};
///
/// let value = Value::from_iter([("port", Value::from(80)), ("host", Value::from("a"))]);
/// assert_eq!(written::body(&value)?, "host = \"a\"\nport = 80\n");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// The value is neither, a name is no identifier, or as of [`expression`].
pub fn body(value: &Value) -> Result<String, Error> {
    body_within(value, &ParseLimits::default())
}

/// [`body`] within limits.
///
/// ```
/// use hcl_eval::{Value, written};
/// use hcl_syntax::parser::ParseLimits;
///
/// let value = Value::from_iter([("port", Value::from(80))]);
/// assert_eq!(written::body_within(&value, &ParseLimits::default())?, "port = 80\n");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// As of [`body`], or a limit was reached.
pub fn body_within(value: &Value, limits: &ParseLimits) -> Result<String, Error> {
    let (false, Some(entries)) = (value.is_marked(), value.entries()) else {
        return Err(refused("Only an object or a map can become the body of a block."));
    };
    let mut writer = Writer::new(limits);
    for (name, value) in entries {
        if !writer.is_identifier(name)? {
            return Err(refused(&format!(
                "{:?} is no identifier, so no attribute can be called that.",
                &**name
            )));
        }
        writer.push(name)?;
        writer.push(" = ")?;
        writer.write(value)?;
        writer.push("\n")?;
    }
    Ok(writer.out)
}

/// A text that is written within limits.
struct Writer<'l> {
    out: String,
    limits: &'l ParseLimits,
    /// The work that is left before the next look at the limits.
    fuel: usize,
}

/// How much is written between two looks at the limits: values, and pieces of long texts.
const STRIDE: usize = 1024;
/// The length of a piece of a text that is as much work as a small value.
const PIECE: usize = 64;
/// The escape of a byte is at most so long: `\u0000`.
const LONGEST_ESCAPE: usize = 6;

impl<'l> Writer<'l> {
    fn new(limits: &'l ParseLimits) -> Self {
        Self { out: String::new(), limits, fuel: 0 }
    }

    /// Counts work that is done next.
    fn go_on(&mut self, n: usize) -> Result<(), Error> {
        if let Some(fuel) = self.fuel.checked_sub(n) {
            self.fuel = fuel;
            return Ok(());
        }
        self.fuel = STRIDE;
        let stopped = Stopped::now(self.limits.cancel.as_ref(), self.limits.deadline);
        stopped.map_or(Ok(()), |stopped| Err(stopped.diagnostic("Writing", "value").into()))
    }

    /// Asks for the memory that `n` more bytes take.
    #[expect(clippy::disallowed_methods, reason = "the memory has been asked for")]
    fn make_room(&mut self, n: usize) -> Result<(), Error> {
        if n > self.out.capacity() - self.out.len() {
            if !memory::is_to_be_had(self.out.len() + n.max(self.out.len())) {
                return Err(Stopped::OutOfMemory.diagnostic("Writing", "value").into());
            }
            self.out.reserve(n);
        }
        Ok(())
    }

    /// Adds a text, piece by piece.
    fn push(&mut self, text: &str) -> Result<(), Error> {
        self.make_room(text.len())?;
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(STRIDE * PIECE));
            self.out.push_str(piece);
            self.go_on(piece.len() / PIECE)?;
            rest = after;
        }
        Ok(())
    }

    /// Returns whether a name is an identifier, with looks if it is long.
    fn is_identifier(&mut self, name: &str) -> Result<bool, Error> {
        if name.len() <= STRIDE * PIECE {
            return Ok(is_identifier(name));
        }
        let mut bounds = Looks { writer: self, stopped: None };
        let is_one = is_identifier_within(name, &mut bounds);
        bounds.stopped.map_or(Ok(is_one), Err)
    }

    fn write(&mut self, value: &Value) -> Result<(), Error> {
        self.go_on(1)?;
        if self.out.len() > MAX_LEN {
            return Err(refused("The text of the value would be too long."));
        }
        if value.is_marked() {
            return Err(refused(
                "The value is marked, and its marks would be lost. Take them off, if it may be shown.",
            ));
        }
        stack::grow(value.depth(), || self.write_unmarked(value))
    }

    /// Writes a value as source that evaluates to it. Collections are written as tuples and objects, since types have no
    /// literals.
    fn write_unmarked(&mut self, value: &Value) -> Result<(), Error> {
        match value.kind() {
            Kind::Null => self.push("null")?,
            Kind::Bool => self.push(if value.as_bool() == Some(true) { "true" } else { "false" })?,
            Kind::Number => match value.as_number() {
                Some(number) if !number.is_infinite() && number.text_len_bound() < MAX_LEN as u64 => {
                    self.make_room(usize::try_from(number.text_len_bound()).unwrap_or(MAX_LEN))?;
                    number.write_text(&mut self.out);
                }
                _ => return Err(refused("The number is infinite or takes too many digits.")),
            },
            Kind::String => self.quote(value.as_str().unwrap_or_default())?,
            Kind::List | Kind::Set | Kind::Tuple => {
                self.push("[")?;
                for (index, element) in value.elements().unwrap_or_default().iter().enumerate() {
                    self.push(if index == 0 { "" } else { ", " })?;
                    self.write(element)?;
                }
                self.push("]")?;
            }
            Kind::Map | Kind::Object => {
                self.push("{")?;
                for (key, element) in value.entries().into_iter().flatten() {
                    self.push("\n")?;
                    match self.is_identifier(key)? {
                        true => self.push(key)?,
                        false => self.quote(key)?,
                    }
                    self.push(" = ")?;
                    self.write(element)?;
                }
                self.push(if value.is_empty() { "}" } else { "\n}" })?;
            }
            Kind::Capsule => return Err(refused("The value is an object of the host, which has no text.")),
            Kind::Unknown => return Err(refused("The value is not known, so it has no text.")),
        }
        Ok(())
    }

    /// Writes a text in quotes.
    fn quote(&mut self, text: &str) -> Result<(), Error> {
        self.push("\"")?;
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(STRIDE * PIECE));
            self.make_room(LONGEST_ESCAPE * piece.len())?;
            write_escaped(piece, after.chars().next(), &mut self.out);
            self.go_on(piece.len() / PIECE)?;
            rest = after;
        }
        self.push("\"")
    }
}

/// The bounds of a look at a long name.
struct Looks<'w, 'l> {
    writer: &'w mut Writer<'l>,
    stopped: Option<Error>,
}

impl Bounds for Looks<'_, '_> {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.stopped = self.stopped.take().or_else(|| self.writer.go_on(n_parts).err());
        self.stopped.is_none()
    }

    fn has_room(&mut self, n_bytes: usize) -> bool {
        memory::is_to_be_had(n_bytes)
    }

    fn max_diagnostics(&self) -> usize {
        usize::MAX
    }
}

fn refused(detail: &str) -> Error {
    Diagnostic::error("edit.refused", "Edit refused", detail).into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use hcl_syntax::edit::{Document, Gap, Reach};
    use hcl_syntax::limits::CancelToken;
    use hcl_syntax::parser::parse_expression;
    use hcl_syntax::source::Source;

    use super::*;
    use crate::Type;
    use crate::convert::convert;
    use crate::eval::{EvalOptions, evaluate};
    use crate::value::Mark;

    #[test]
    fn values_are_read_back() {
        let null = Value::null(Type::String);
        let list = Value::list(Type::String, vec![Value::string("a\n\"${b}"), null]);
        let map =
            Value::map(Type::Number, vec![("x y".into(), Value::from(-1)), ("z".into(), Value::from(0))]);
        let inner = Value::object(vec![("list".into(), list), ("map".into(), map)]);
        let whole = Value::tuple(vec![inner, Value::from(true), Value::tuple(vec![]), Value::object(vec![])]);
        let text = expression(&whole).unwrap().text();
        let expected = "[{\n  list = [\"a\\n\\\"$${b}\", null]\n  map = {\n    \"x y\" = -1\n    z     = 0\n  }\n}, true, [], {}]";
        assert_eq!(text, expected);
        let source = Source::new("value", text.as_str()).unwrap();
        let (parsed, _) = parse_expression(source, &ParseLimits::default());
        let (value, problems) = evaluate(parsed.expression(), None, &EvalOptions::default());
        assert!(problems.is_empty());
        let back = convert(&value, &whole.ty()).unwrap();
        assert_eq!(back.display_console(), whole.display_console());
    }

    #[test]
    fn what_has_no_text_is_refused() {
        let marked = Value::tuple(vec![Value::from(1).mark(Mark::new("sensitive"))]);
        let mut deep = Value::from(1);
        for _ in 0..5_000 {
            deep = Value::tuple(vec![deep]);
        }
        let mut wide = Value::string("x".repeat(1_000));
        for _ in 0..40 {
            wide = Value::tuple(vec![wide.clone(), wide]);
        }
        for value in [marked, Value::unknown(Type::String), deep, wide] {
            assert!(expression(&value).is_err());
        }
        let object = Value::object(vec![("a b".into(), Value::from(1))]);
        assert!(body(&object).is_err() && body(&Value::from(1)).is_err());
    }

    /// Keys are checked and written in pieces.
    #[test]
    fn long_keys_are_written_with_looks() {
        const N: usize = 1 << 18;
        let value = Value::object(vec![("\u{e9}".repeat(N).as_str().into(), Value::from(1))]);
        let n_looks = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_looks);
        let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
        let limits = ParseLimits { cancel: Some(token), ..ParseLimits::default() };
        Writer::new(&limits).write(&value).unwrap();
        assert!(n_looks.swap(0, Ordering::Relaxed) >= N / STRIDE);
        body_within(&value, &limits).unwrap();
        assert!(n_looks.load(Ordering::Relaxed) >= N / STRIDE);
    }

    #[test]
    fn blocks_are_made_of_values() {
        let value = Value::object(vec![("port".into(), Value::from(80)), ("on".into(), Value::from(true))]);
        let mut document = Document::new("main.hcl");
        let body = body(&value).unwrap();
        document.append_block(None, "service", &["web"], &body, Gap::EmptyLine, Reach::One).unwrap();
        assert_eq!(document.text(), "service \"web\" {\n  on   = true\n  port = 80\n}\n");
    }
}
