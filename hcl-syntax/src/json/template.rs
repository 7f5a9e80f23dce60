//! Templates written as text, in native syntax and in JSON syntax.
//!
//! The templates have no strip markers but those that Nomad counts to the text of a reference: the tree has the text as
//! it is after trimming.

use super::reading::{Reader, interpolated_text};
use crate::ast::{Expression, ExpressionKind};
use crate::config::Bounds;
use crate::lexer::is_identifier;
use crate::stack;

/// The continuation after a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// An interpolation or a directive.
    Sequence,
    /// The end of the template.
    End,
}

/// Writes text of a template as the syntax has it.
pub type WriteText = fn(&str, Next, &mut String);

/// Writes a template, or as much of it as `bounds` let pass.
///
/// A template is a string even where nothing but one interpolation is left of it, which alone would be the value of its
/// expression: an interpolation of no text is put behind it.
pub fn write_template(
    template: Expression<'_>,
    reader: Reader,
    write_text: WriteText,
    bounds: &mut dyn Bounds,
    out: &mut String,
) {
    let mut written = Template {
        out,
        reader,
        write_text,
        bounds,
        text: String::new(),
        n_interpolations: 0,
        has_more: false,
    };
    written.parts(template);
    let is_alone = written.n_interpolations == 1 && !written.has_more && written.text.is_empty();
    written.end_text(Next::End);
    if is_alone {
        written.out.push_str("${\"\"}");
    }
}

/// A template under way.
struct Template<'b> {
    out: &'b mut String,
    reader: Reader,
    write_text: WriteText,
    /// Asked before each part; what follows is left out if one is reached.
    bounds: &'b mut dyn Bounds,
    /// The text that is not written yet: parts of text may follow each other.
    text: String,
    n_interpolations: usize,
    /// True if there is text or a directive.
    has_more: bool,
}

impl Template<'_> {
    /// Writes the parts of a template, up to that before which a bound is reached.
    fn parts(&mut self, template: Expression<'_>) {
        let ExpressionKind::Template(parts) = template.kind() else { return self.part(template) };
        for part in parts.iter() {
            let room = 2 * (self.out.len() + self.text.len() + part.span().len() as usize);
            if !self.bounds.goes_on(1) || !self.bounds.has_room(room) {
                break;
            }
            self.part(part);
        }
    }

    /// Writes a part of a template: text is collected until something else follows, directives and interpolations are
    /// written as source.
    fn part(&mut self, part: Expression<'_>) {
        match part.kind() {
            ExpressionKind::Text(text) => self.text.push_str(text),
            ExpressionKind::Conditional { condition, when_true, when_false } if is_directive(part) => {
                self.directive("%{ if ", condition);
                self.branch(when_true);
                if !matches!(when_false.kind(), ExpressionKind::Text("")) {
                    self.out.push_str("%{ else }");
                    self.branch(when_false);
                }
                self.out.push_str("%{ endif }");
            }
            ExpressionKind::TemplateFor(inner) => {
                if let ExpressionKind::For(each) = inner.kind() {
                    let key = each.key_name().map_or_else(String::new, |key| format!("{key}, "));
                    self.directive(&format!("%{{ for {key}{} in ", each.value_name()), each.collection());
                    self.branch(each.value());
                    self.out.push_str("%{ endfor }");
                }
            }
            _ => {
                self.end_text(Next::Sequence);
                self.n_interpolations += 1;
                write_interpolation(part, self.reader, self.out);
            }
        }
    }

    /// Writes the text that has been collected. A strip marker that was kept is not to take blanks from it.
    fn end_text(&mut self, next: Next) {
        self.has_more |= !self.text.is_empty();
        if self.text.starts_with(char::is_whitespace) && self.out.ends_with("~}") {
            self.out.push_str("${\"\"}");
        }
        if make_room(self.out, room_of_text(&self.text), self.bounds) {
            (self.write_text)(&self.text, next, self.out);
        }
        self.text.clear();
    }

    /// The beginning of a directive, up to its brace.
    fn directive(&mut self, beginning: &str, expression: Expression<'_>) {
        self.end_text(Next::Sequence);
        self.has_more = true;
        self.out.push_str(beginning);
        write_source(expression.source_text(), self.out);
        self.out.push_str(" }");
    }

    /// The text that a directive repeats or chooses, up to the next directive.
    fn branch(&mut self, branch: Expression<'_>) {
        stack::level(|| self.parts(branch));
        self.end_text(Next::Sequence);
    }
}

/// The most bytes that a text takes in a template of JSON syntax, where returns become interpolations and braces are escaped.
///
/// ```
/// use hcl_syntax::json::template::room_of_text;
///
/// assert!(room_of_text("a$\r${b}") >= "a${\"$\"}${\"\\r\"}$${b}".len());
/// ```
pub fn room_of_text(text: &str) -> usize {
    let count = |wanted| memchr::memchr_iter(wanted, text.as_bytes()).count();
    let of_return = "${\"\"}${\"\\r\"}".len();
    text.len().saturating_add(count(b'{')).saturating_add((1 + count(b'\r')).saturating_mul(of_return))
}

/// Makes room for `n` more bytes, if `bounds` let it pass.
fn make_room(out: &mut String, n: usize, bounds: &mut dyn Bounds) -> bool {
    if n > out.capacity() - out.len() {
        let larger = (out.len() + n).max(2 * out.capacity());
        if !bounds.has_room(larger) {
            return false;
        }
        out.reserve(n);
    }
    true
}

/// Returns true if a part was written as a directive.
fn is_directive(part: Expression<'_>) -> bool {
    part.source_text().starts_with("%{")
}

/// `${…}`
pub fn write_interpolation(expression: Expression<'_>, reader: Reader, out: &mut String) {
    out.push_str("${");
    write_source(interpolated_text(expression, reader), out);
    out.push('}');
}

/// Writes an expression as it stands in `source`, in brackets within which lines may end anywhere.
pub(crate) fn write_source(source: &str, out: &mut String) {
    out.push_str(source);
    // A heredoc ends with its line.
    let last_line = source.rsplit_once('\n').map(|(_, line)| line.trim());
    if last_line.is_some_and(|line| is_identifier(line) && source.contains("<<")) {
        out.push('\n');
    }
}
