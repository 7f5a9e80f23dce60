//! The console form of values: what `terraform console` prints.
//!
//! It is valid HCL wherever the value can be written in HCL. Unknown values and values with the marks
//! "sensitive" or "ephemeral" are replaced by a remark in parentheses; unknown comes first, as the
//! reference has it, so a secret that is not known yet shows as unknown.

use std::fmt;

use super::quote::{charged, make_room, make_room_for_quoted, write_char, write_quoted};
use super::string::{STRETCH, append_on, find_char_on, stretches};
use super::{Repr, Value, ValueError};
use crate::limits::{BYTES_PER_PART, Meter, go_on};
use crate::stack;
use crate::types::Type;

/// The values that are shown, of those that ought to stay hidden.
///
/// ```
/// use hcl_eval::value::Reveal;
/// use hcl_eval::{Mark, Value};
///
/// let password = Value::from("hunter2").mark(Mark::sensitive());
/// assert_eq!(password.display_console_with(Reveal::Redacted), "(sensitive value)");
/// assert_eq!(password.display_console_with(Reveal::Everything), "\"hunter2\"");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Reveal {
    /// Values marked "sensitive" or "ephemeral" are replaced by a remark.
    #[default]
    Redacted,
    /// Values with any mark are replaced by a remark.
    Unmarked,
    /// Everything is shown.
    Everything,
}

/// The form in which a value is written: for people, or as one line.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// Lines, indented, with heredocs.
    #[default]
    Lines,
    /// One line, in which unknown values tell their type: `[1, unknown(string)]`. Identical values give equal text.
    Line,
}

impl Value {
    /// The value in the console's form; values marked "sensitive" or "ephemeral" are not shown.
    #[must_use]
    pub fn display_console(&self) -> String {
        self.display_console_with(Reveal::Redacted)
    }

    /// The value in the console's form.
    #[must_use]
    pub fn display_console_with(&self, reveal: Reveal) -> String {
        let mut printer = Printer::new(usize::MAX, reveal);
        // Without a limit nothing can go wrong.
        let _ = printer.value(self, 0);
        printer.out
    }

    /// The value in the console's form, if that takes at most `max_bytes`.
    ///
    /// # Errors
    /// When the form is longer.
    pub fn display_console_bounded(&self, reveal: Reveal, max_bytes: usize) -> Result<String, ValueError> {
        let mut printer = Printer::new(max_bytes, reveal);
        printer.value(self, 0)?;
        Ok(printer.out)
    }

    /// The value as one line, if that takes at most `max_bytes`, with looks at the limits of a meter.
    #[cfg(feature = "explain")]
    pub(crate) fn display_line(&self, max_bytes: usize, meter: Option<&mut Meter>) -> Option<String> {
        let printer = Printer::new(max_bytes, Reveal::Redacted);
        let mut printer = Printer { layout: Layout::Line, meter, ..printer };
        printer.value(self, 0).ok()?;
        Some(printer.out)
    }

    /// The value in the console's form, charged to a meter.
    ///
    /// # Errors
    /// When a bound has been reached.
    pub fn display_metered(
        &self,
        reveal: Reveal,
        layout: Layout,
        meter: &mut Meter,
    ) -> Result<String, ValueError> {
        let limit = usize::try_from(meter.bytes_left()).unwrap_or(usize::MAX);
        let mut printer =
            Printer { layout, meter: Some(&mut *meter), counts: true, ..Printer::new(limit, reveal) };
        let done = printer.value(self, 0);
        charged(done.map(|()| printer.out), meter)
    }
}

/// For tests and debugging: the console form, still without secrets, with refinements and marks behind it.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display_console_with(Reveal::Redacted))?;
        if let Some(text) = self.refinement_text() {
            write!(f, " /* {text} */")?;
        }
        if self.is_marked() {
            write!(f, " /* marks {:?} */", self.marks())?;
        }
        Ok(())
    }
}

/// The columns that each level is indented by.
const STEP: usize = 2;

struct Printer<'m> {
    out: String,
    limit: usize,
    reveal: Reveal,
    layout: Layout,
    meter: Option<&'m mut Meter>,
    /// True if values are charged to the meter; else it is only looked at.
    counts: bool,
}

/// How many parts of work a value is beside its text.
const PARTS_OF_VALUE: usize = 64;

impl Printer<'_> {
    fn new(limit: usize, reveal: Reveal) -> Self {
        Self { out: String::new(), limit, reveal, layout: Layout::Lines, meter: None, counts: false }
    }

    /// Writes a value, or what stands for one that is not known or not to be seen. Where facts about unknown values
    /// are shown, those about a hidden one are not.
    fn value(&mut self, value: &Value, indent: usize) -> Result<(), ValueError> {
        if let Some(meter) = &mut self.meter {
            if self.counts { meter.step()? } else { meter.go_on(PARTS_OF_VALUE)? }
        }
        self.check(0)?;
        let is_hidden = match self.reveal {
            Reveal::Everything => false,
            Reveal::Redacted => value.marks().hide(),
            Reveal::Unmarked => value.is_marked(),
        };
        if !value.is_known() && self.layout == Layout::Line {
            self.out.push_str("unknown(");
            self.out.push_str(&value.ty().beginning_of_text(self.limit));
            // Facts about a secret are a part of it.
            if let Some(facts) = value.refinement().filter(|_| !is_hidden) {
                facts.write_facts(&mut self.out);
            }
            self.out.push(')');
            return Ok(());
        }
        if !value.is_known() {
            self.out.push_str("(known after apply)");
            return Ok(());
        }
        if is_hidden {
            self.out.push_str(value.marks().remark());
            return Ok(());
        }
        stack::grow(value.depth(), || self.content(value.unmarked(), indent))
    }

    fn content(&mut self, value: &Value, indent: usize) -> Result<(), ValueError> {
        match &value.0 {
            Repr::Null(ty) => self.null(ty),
            Repr::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Repr::Number(number) => {
                self.check(usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX))?;
                number.write_text_within(&mut self.out, &mut self.meter)?;
            }
            Repr::String(text) => self.string(text, indent)?,
            Repr::Tuple(tuple) => self.sequence("[", tuple.elements(), "]", indent)?,
            Repr::List(list) => self.sequence("tolist([", list.elements(), "])", indent)?,
            Repr::Set(set) => self.sequence("toset([", set.elements(), "])", indent)?,
            Repr::Object(_) => self.entries("{", value, "}", indent)?,
            Repr::Map(_) => self.entries("tomap({", value, "})", indent)?,
            Repr::Capsule(capsule) => {
                match capsule.ty().operations().and_then(|operations| operations.console_text(capsule)) {
                    Some(text) => self.out.push_str(&text),
                    None => {
                        self.out.push_str("(capsule ");
                        self.out.push_str(capsule.ty().name());
                        self.out.push(')');
                    }
                }
            }
            Repr::Unknown(_) | Repr::Marked(_) => {}
        }
        self.check(0)
    }

    /// Writes null as an expression of its type, as far as a function makes such; the rest of the type stands in a
    /// comment.
    fn null(&mut self, ty: &Type) {
        self.out.push_str(match ty {
            Type::Bool => "tobool(null)",
            Type::Number => "tonumber(null)",
            Type::String => "tostring(null)",
            Type::List(_) => "tolist(null)",
            Type::Set(_) => "toset(null)",
            Type::Map(_) => "tomap(null)",
            Type::Dynamic | Type::Tuple(_) | Type::Object(_) | Type::Capsule(_) => "null",
        });
        let (start, rest) = match (ty, ty.element_type()) {
            (_, Some(element)) => (" /* of ", element),
            (Type::Tuple(_) | Type::Object(_) | Type::Capsule(_), None) => (" /* ", ty),
            _ => return,
        };
        self.out.extend([start, &rest.friendly_name(), " */"]);
    }

    /// Text in quotes, or as a heredoc if it has several lines.
    fn string(&mut self, text: &str, indent: usize) -> Result<(), ValueError> {
        if text.len() > STRETCH {
            self.check(text.len())?;
        } else {
            make_room_for_quoted(&mut self.out, text, self.limit)?;
        }
        if self.layout == Layout::Line || find_char_on(text, '\n', &mut self.meter)?.is_none() {
            if text.len() > STRETCH {
                return self.long_line(text);
            }
            write_quoted(text, &mut self.out);
            return Ok(());
        }
        let mut delimiter = String::from("EOT");
        while self.has_line(text, &delimiter)? {
            delimiter.push('_');
        }
        self.out.push_str(if indent == 0 { "<<" } else { "<<-" });
        self.out.push_str(&delimiter);
        for line in text.split('\n') {
            go_on(&mut self.meter, 1 + line.len() / BYTES_PER_PART)?;
            self.new_line(indent)?;
            append_on(line, &mut self.out, &mut self.meter)?;
            self.check(0)?;
        }
        self.new_line(indent)?;
        self.out.push_str(&delimiter);
        Ok(())
    }

    /// Returns whether a line of a text is nothing but a delimiter and blanks.
    fn has_line(&mut self, text: &str, delimiter: &str) -> Result<bool, ValueError> {
        for line in text.split('\n') {
            go_on(&mut self.meter, 1 + line.len() / BYTES_PER_PART)?;
            if line.trim() == delimiter {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A long text in quotes.
    fn long_line(&mut self, text: &str) -> Result<(), ValueError> {
        self.out.push('"');
        for stretch in stretches(text) {
            go_on(&mut self.meter, stretch.len() / BYTES_PER_PART)?;
            make_room_for_quoted(&mut self.out, stretch, self.limit)?;
            stretch.chars().for_each(|c| write_char(c, &mut self.out));
        }
        self.out.push('"');
        Ok(())
    }

    fn sequence(
        &mut self,
        open: &str,
        elements: &[Value],
        close: &str,
        indent: usize,
    ) -> Result<(), ValueError> {
        self.out.push_str(open);
        for (i, element) in elements.iter().enumerate() {
            if self.layout == Layout::Line {
                self.between(i);
                self.value(element, indent)?;
                continue;
            }
            self.new_line(indent + STEP)?;
            self.value(element, indent + STEP)?;
            self.out.push(',');
        }
        if !elements.is_empty() {
            self.new_line(indent)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    fn entries(&mut self, open: &str, value: &Value, close: &str, indent: usize) -> Result<(), ValueError> {
        self.out.push_str(open);
        for (i, (key, value)) in value.entries().into_iter().flatten().enumerate() {
            if self.layout == Layout::Line {
                self.between(i);
            }
            self.new_line(indent + STEP)?;
            self.string(key, indent + STEP)?;
            self.out.push_str(" = ");
            self.value(value, indent + STEP)?;
        }
        if !value.is_empty() {
            self.new_line(indent)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    /// Goes between the parts of a line.
    fn between(&mut self, n_before: usize) {
        if n_before > 0 {
            self.out.push_str(", ");
        }
    }

    fn new_line(&mut self, indent: usize) -> Result<(), ValueError> {
        if self.layout != Layout::Line {
            // Blanks take more than the rest where values nest deep.
            self.check(indent)?;
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', indent));
        }
        Ok(())
    }

    /// Makes room for `more` bytes if they still fit the limit, and for no more than that.
    fn check(&mut self, more: usize) -> Result<(), ValueError> {
        make_room(&mut self.out, more, self.limit)
    }
}
