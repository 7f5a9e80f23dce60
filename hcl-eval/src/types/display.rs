//! Text forms of types: names for messages, type expressions, the console's `type()` form.

use std::fmt::Write as _;

use hcl_syntax::lexer::is_identifier;

use super::Type;
use crate::limits::{LimitReached, Meter, Pace};
use crate::stack;
use crate::value::quote::write_char;

/// How the dynamic type is called.
#[derive(Copy, Clone)]
enum Naming {
    /// `dynamic`, for values.
    Value,
    /// `any type`, for constraints.
    Constraint,
    /// `any single type`, for the element type of a constraint.
    ConstraintElement,
}

/// Up to so many bytes a text is written without being asked for.
const SHORT_TEXT: usize = 1 << 14;

impl Type {
    /// The name used in messages about values: `list of string`, `object`.
    #[must_use]
    pub fn friendly_name(&self) -> String {
        let mut out = String::new();
        write_name(self, Naming::Value, &mut out);
        out
    }

    /// The name used in messages about what is wanted: like [`Type::friendly_name`] but `any type`.
    #[must_use]
    pub fn constraint_name(&self) -> String {
        let mut out = String::new();
        write_name(self, Naming::Constraint, &mut out);
        out
    }

    /// The type as a type expression without blanks: `object({a=string,b=list(any)})`.
    #[must_use]
    pub fn to_type_text(&self) -> String {
        self.beginning_of_text(usize::MAX)
    }

    /// [`Type::to_type_text`] within the limits of a meter, which is asked for the room.
    ///
    /// ```
    /// use hcl_eval::Type;
    /// use hcl_eval::limits::Meter;
    ///
    /// assert_eq!(Type::list(Type::String).type_text_within(&mut Meter::default()).as_deref(), Ok("list(string)"));
    /// ```
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn type_text_within(&self, meter: &mut Meter) -> Result<String, LimitReached> {
        let mut n_bytes = SHORT_TEXT;
        loop {
            let text = self.beginning_of_text(n_bytes);
            if text.len() <= n_bytes {
                return Ok(text);
            }
            // The text grows to at most twice its length, which is copied.
            n_bytes *= 4;
            meter.hold_parts(3, n_bytes)?;
        }
    }

    /// [`Type::to_type_text`] as far as `n_bytes` and the part that goes beyond: shared parts make a text longer than the type.
    pub(crate) fn beginning_of_text(&self, n_bytes: usize) -> String {
        let mut out = String::new();
        write_expression(self, n_bytes, &mut out);
        out
    }

    /// The type as the console's `type()` prints it: structural types over several lines.
    #[must_use]
    pub fn to_console_text(&self) -> String {
        // Without a listener nothing ends it.
        self.console_text_on(&mut None).unwrap_or_default()
    }

    /// [`Type::to_console_text`] within the limits of a listener, which is charged for the text.
    pub(crate) fn console_text_on(&self, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
        let mut written = ConsoleText { text: String::new(), pace };
        written.ty(self, 0)?;
        Ok(written.text)
    }
}

/// Writes the name that messages use. The words for `any` differ by where it stands: in a value, as a constraint,
/// inside of one.
fn write_name(ty: &Type, naming: Naming, out: &mut String) {
    let mut ty = ty;
    let mut naming = naming;
    // A loop, not recursion: only collections have a name that contains another.
    loop {
        let prefix = match ty {
            Type::Dynamic => {
                out.push_str(match naming {
                    Naming::Value => "dynamic",
                    Naming::Constraint => "any type",
                    Naming::ConstraintElement => "any single type",
                });
                return;
            }
            Type::Bool => "bool",
            Type::Number => "number",
            Type::String => "string",
            Type::List(_) => "list of ",
            Type::Set(_) => "set of ",
            Type::Map(_) => "map of ",
            Type::Tuple(_) => "tuple",
            Type::Object(_) => "object",
            Type::Capsule(capsule) => capsule.name(),
        };
        out.push_str(prefix);
        let Some(element) = ty.element_type() else { return };
        ty = element;
        if let Naming::Constraint = naming {
            naming = Naming::ConstraintElement;
        }
    }
}

/// Writes the type as a type expression in one line, which reads back as the type; no part of it behind `n_most` bytes.
fn write_expression(ty: &Type, n_most: usize, out: &mut String) {
    if out.len() > n_most {
        return;
    }
    stack::grow(ty.depth(), || match ty {
        Type::Dynamic => out.push_str("any"),
        Type::Bool => out.push_str("bool"),
        Type::Number => out.push_str("number"),
        Type::String => out.push_str("string"),
        Type::Capsule(capsule) => out.push_str(capsule.name()),
        Type::List(element) => write_wrapped("list(", element, n_most, out),
        Type::Set(element) => write_wrapped("set(", element, n_most, out),
        Type::Map(element) => write_wrapped("map(", element, n_most, out),
        Type::Tuple(tuple) => {
            out.push_str("tuple([");
            for (i, element) in tuple.elements().iter().enumerate() {
                if out.len() > n_most {
                    return;
                }
                out.push_str(if i > 0 { "," } else { "" });
                write_expression(element, n_most, out);
            }
            out.push_str("])");
        }
        Type::Object(object) => {
            out.push_str("object({");
            for (i, attribute) in object.attributes().iter().enumerate() {
                if out.len() > n_most {
                    return;
                }
                out.push_str(if i > 0 { "," } else { "" });
                write_attribute_name(&attribute.name, out);
                out.push('=');
                if attribute.optional {
                    write_wrapped("optional(", &attribute.ty, n_most, out);
                } else {
                    write_expression(&attribute.ty, n_most, out);
                }
            }
            out.push_str("})");
        }
    });
}

fn write_wrapped(open: &str, ty: &Type, n_most: usize, out: &mut String) {
    out.push_str(open);
    write_expression(ty, n_most, out);
    out.push(')');
}

/// A name as it stands in an object type: bare if it is an identifier, else quoted, with escapes that the language has.
fn write_attribute_name(name: &str, out: &mut String) {
    if is_identifier(name) {
        out.push_str(name);
        return;
    }
    out.push('"');
    for c in name.chars() {
        match c {
            '\n' | '\r' | '\t' => write_char(c, out),
            // Writing to a String can't fail.
            c if c.is_ascii_control() => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => write_char(c, out),
        }
    }
    out.push('"');
}

/// A type as `type()` in the product's console writes it: structures over several lines, indented by four, names never quoted.
struct ConsoleText<'p, 'm> {
    text: String,
    pace: Pace<'p, 'm>,
}

impl ConsoleText<'_, '_> {
    fn ty(&mut self, ty: &Type, indent: usize) -> Result<(), LimitReached> {
        stack::grow(ty.depth(), || match ty {
            Type::Dynamic => self.push("dynamic"),
            Type::Bool => self.push("bool"),
            Type::Number => self.push("number"),
            Type::String => self.push("string"),
            Type::Capsule(capsule) => self.push(capsule.name()),
            Type::List(element) => self.collection("list(", element, indent),
            Type::Set(element) => self.collection("set(", element, indent),
            Type::Map(element) => self.collection("map(", element, indent),
            Type::Tuple(tuple) => {
                self.push("tuple([")?;
                for element in tuple.elements() {
                    self.line(None, element, indent + 4)?;
                }
                self.end(tuple.elements().is_empty(), indent, "])")
            }
            Type::Object(object) => {
                self.push("object({")?;
                for attribute in object.attributes() {
                    self.line(Some(&attribute.name), &attribute.ty, indent + 4)?;
                }
                self.end(object.attributes().is_empty(), indent, "})")
            }
        })
    }

    /// Structural element types stand on lines of their own, others beside the keyword.
    fn collection(&mut self, open: &str, element: &Type, indent: usize) -> Result<(), LimitReached> {
        self.push(open)?;
        if !element.is_structural() {
            self.ty(element, indent)?;
            return self.push(")");
        }
        self.line(None, element, indent + 4)?;
        self.end(false, indent, ")")
    }

    /// The line of an element, or of an attribute, which has a name.
    fn line(&mut self, name: Option<&str>, ty: &Type, indent: usize) -> Result<(), LimitReached> {
        self.new_line(indent)?;
        if let Some(name) = name {
            self.push(name)?;
            self.push(": ")?;
        }
        self.ty(ty, indent)?;
        self.push(",")
    }

    fn end(&mut self, is_empty: bool, indent: usize, close: &str) -> Result<(), LimitReached> {
        if !is_empty {
            self.new_line(indent)?;
        }
        self.push(close)
    }

    fn push(&mut self, text: &str) -> Result<(), LimitReached> {
        self.charge(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    fn new_line(&mut self, indent: usize) -> Result<(), LimitReached> {
        self.charge(1 + indent)?;
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        Ok(())
    }

    /// Charges for so many bytes, and asks for the room that a longer text takes beside the one that it is copied from.
    fn charge(&mut self, n: usize) -> Result<(), LimitReached> {
        let Some(meter) = self.pace else { return Ok(()) };
        meter.go_on(1)?;
        meter.bytes(n)?;
        let room = self.text.capacity();
        if n > room - self.text.len() { meter.hold(2 * room + n) } else { Ok(()) }
    }
}
