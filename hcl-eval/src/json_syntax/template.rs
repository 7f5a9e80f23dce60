//! Templates of JSON syntax.

use std::fmt::Write as _;

use hcl_syntax::ast::{Expression, ExpressionKind, ExpressionList};
use hcl_syntax::config::Bounds;
use hcl_syntax::json::reading::{Reader, interpolated_text};
use hcl_syntax::lexer::is_identifier;

use crate::stack;

/// A template with its text decoded, and without strip markers: the text is as it is after trimming.
///
/// A template is a string even where nothing but one interpolation is left of it, which alone would be the value of its
/// expression: an interpolation of no text is put behind it.
pub(super) fn decoded_template(parts: ExpressionList<'_>, reader: Reader, bounds: &mut dyn Bounds) -> String {
    let mut written = Template {
        out: String::new(),
        reader,
        bounds,
        text: String::new(),
        n_interpolations: 0,
        has_more: false,
    };
    written.parts(parts);
    let is_alone = written.n_interpolations == 1 && !written.has_more && written.text.is_empty();
    written.end_text(write_text);
    if is_alone {
        written.out.push_str("${\"\"}");
    }
    written.out
}

/// A template under way.
struct Template<'b> {
    out: String,
    reader: Reader,
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
    fn parts(&mut self, parts: ExpressionList<'_>) {
        for part in parts.iter() {
            let room = 2 * (self.out.len() + self.text.len());
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
                self.end_text(write_text_before_sequence);
                self.n_interpolations += 1;
                write_interpolation(part, self.reader, &mut self.out);
            }
        }
    }

    /// Writes the text that has been collected. A strip marker that was kept is not to take blanks from it.
    fn end_text(&mut self, write: fn(&str, &mut String)) {
        self.has_more |= !self.text.is_empty();
        if self.text.starts_with(char::is_whitespace) && self.out.ends_with("~}") {
            self.out.push_str("${\"\"}");
        }
        write(&self.text, &mut self.out);
        self.text.clear();
    }

    /// The beginning of a directive, up to its brace.
    fn directive(&mut self, beginning: &str, expression: Expression<'_>) {
        self.end_text(write_text_before_sequence);
        self.has_more = true;
        self.out.push_str(beginning);
        write_source(expression.source_text(), &mut self.out);
        self.out.push_str(" }");
    }

    /// The text that a directive repeats or chooses, up to the next directive.
    fn branch(&mut self, branch: Expression<'_>) {
        stack::grow(u32::MAX, || match branch.kind() {
            ExpressionKind::Template(parts) => self.parts(parts),
            _ => self.part(branch),
        });
        self.end_text(write_text_before_sequence);
    }
}

/// Returns true if a part was written as a directive.
fn is_directive(part: Expression<'_>) -> bool {
    part.source_text().starts_with("%{")
}

/// `${…}`
pub(super) fn write_interpolation(expression: Expression<'_>, reader: Reader, template: &mut String) {
    template.push_str("${");
    write_source(interpolated_text(expression, reader), template);
    template.push('}');
}

/// An expression as it is written. A heredoc ends with its line.
fn write_source(source: &str, template: &mut String) {
    template.push_str(source);
    if may_end_in_heredoc(source) {
        template.push('\n');
    }
}

/// True if the last line may be the marker of a heredoc.
fn may_end_in_heredoc(source: &str) -> bool {
    source.contains("<<") && source.rsplit_once('\n').is_some_and(|(_, line)| is_identifier(line.trim()))
}

/// Text at the end of a template.
pub(crate) fn write_text(text: &str, template: &mut String) {
    let has_sequence = text.contains("${") || text.contains("%{");
    let rest = if has_sequence { write_returns(text, template) } else { text };
    write_doubled(rest, template);
}

fn write_text_before_sequence(text: &str, template: &mut String) {
    let rest = write_returns(text, template);
    write_line_before_sequence(rest, template);
}

/// Writes text up to its last carriage return without a line feed, and returns the rest. To the reader such a return makes
/// text of all sequences behind it, so each becomes an interpolation.
fn write_returns<'t>(text: &'t str, template: &mut String) -> &'t str {
    let lone_return = |rest: &str| {
        let mut returns = rest.match_indices('\r').map(|(at, _)| at);
        returns.find(|at| !rest[at + 1..].starts_with('\n'))
    };
    let mut rest = text;
    while let Some(at) = lone_return(rest) {
        write_line_before_sequence(&rest[..at], template);
        template.push_str("${\"\\r\"}");
        rest = &rest[at + 1..];
    }
    rest
}

/// Text before a sequence, of which the characters right before it would make an escape.
fn write_line_before_sequence(text: &str, template: &mut String) {
    let plain = text.trim_end_matches(['$', '%']);
    write_doubled(plain, template);
    if plain.len() < text.len() {
        let _ = write!(template, "${{\"{}\"}}", &text[plain.len()..]);
    }
}

/// Text with what begins sequences doubled. At the beginning a byte order mark would be overlooked.
fn write_doubled(text: &str, template: &mut String) {
    if template.is_empty() && text.starts_with('\u{feff}') {
        template.push_str("${\"\"}");
    }
    let mut written = 0;
    for (brace, _) in text.match_indices('{') {
        if let Some(sign @ (b'$' | b'%')) = text.as_bytes()[written..brace].last() {
            template.push_str(&text[written..brace]);
            template.push(char::from(*sign));
            written = brace;
        }
    }
    template.push_str(&text[written..]);
}
