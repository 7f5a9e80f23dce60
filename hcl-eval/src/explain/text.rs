//! An explanation drawn as a tree.

use hcl_syntax::ast::{Expression, ExpressionKind};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::diagnostic::render::one_line;
use hcl_syntax::source::Span;

use super::pen::Pen;
use super::tree::{Explanation, Role, Step};
use crate::eval::Frame;
use crate::stack;
use crate::value::Value;

/// The form of an explanation as text.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_eval::explain::{ExplainOptions, TextOptions, explain};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "(1 + 2) * 3".parse()?;
/// let (_, _, explanation) = explain(parsed.expression(), None, &EvalOptions::default(), &ExplainOptions::default());
/// let text = explanation.to_text(&TextOptions { color: false, width: 60 });
/// assert!(text.contains("1 + 2"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct TextOptions {
    /// True for ANSI colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { color: false, width: 100 }
    }
}

/// Values whose form takes more bytes than this are not shown.
pub(super) const MAX_FORM: usize = 1 << 16;
/// This bound holds after a limit was reached.
pub(super) const MAX_FORM_LATE: usize = 1 << 10;
/// However narrow it gets, an expression or a value has so many columns.
const MIN_CELLS: usize = 16;

/// The role of a piece of a line.
#[derive(Copy, Clone)]
enum Ink {
    Plain,
    Value,
    Failure,
    Faint,
}

impl Ink {
    fn escape(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Value => "\x1b[36m",
            Self::Failure => "\x1b[31m",
            Self::Faint => "\x1b[2m",
        }
    }
}

impl Explanation<'_> {
    /// The explanation as a tree, a line for each step. Literals are left out: they explain themselves.
    pub fn to_text(&self, options: &TextOptions) -> String {
        let mut pen = Pen::default();
        self.draw(options, &mut pen);
        pen.out
    }

    /// [`Explanation::to_text`] within the limits of the frame that the explanation was made with. Steps for which there is no
    /// more time or memory are counted as not shown, and the limit is told unless the evaluation reached it.
    ///
    /// ```
    /// use hcl_eval::eval::{Frame, Scope};
    /// use hcl_eval::explain::TextOptions;
    /// use hcl_syntax::parser::ParsedExpression;
    ///
    /// let scope = Scope::builder().build();
    /// let mut frame = Frame::new(&scope);
    /// let parsed: ParsedExpression = "1 + 2 > 2".parse()?;
    /// let (_, mut problems, explanation) = frame.explain(parsed.expression(), &scope, &Default::default());
    /// let text = explanation.to_text_within(&TextOptions::default(), &mut frame, &mut problems);
    /// assert_eq!(text, "1 + 2 > 2 = true\n└─ 1 + 2 = 3\n");
    /// assert!(problems.is_empty());
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn to_text_within(
        &self,
        options: &TextOptions,
        frame: &mut Frame,
        diagnostics: &mut Diagnostics,
    ) -> String {
        self.write_within(frame, diagnostics, |pen| self.draw(options, pen))
    }

    fn draw(&self, options: &TextOptions, pen: &mut Pen<'_>) {
        let mut drawing = Drawing { options, pen };
        if let Some(root) = self.root().filter(|root| drawing.pen.begins(*root)) {
            drawing.step(root, "", "");
        }
        let n_omitted = drawing.pen.n_omitted(self);
        if n_omitted > 0 {
            let steps = if n_omitted == 1 { "step is" } else { "steps are" };
            drawing.ink(Ink::Faint, &format!("({n_omitted} further {steps} not shown)"));
            drawing.pen.out.push('\n');
        }
    }
}

struct Drawing<'d, 'm> {
    options: &'d TextOptions,
    pen: &'d mut Pen<'m>,
}

impl Drawing<'_, '_> {
    fn ink(&mut self, ink: Ink, text: &str) {
        let out = &mut self.pen.out;
        if self.options.color && !ink.escape().is_empty() && !text.is_empty() {
            out.push_str(ink.escape());
            out.push_str(text);
            out.push_str("\x1b[0m");
        } else {
            out.push_str(text);
        }
    }

    /// A value in the form of a line.
    fn value(&mut self, value: &Value, room: usize) {
        let form = shown(value, room, self.pen);
        self.ink(Ink::Value, &form);
    }

    /// A step, its branch before it, and its parts behind what continues the branch.
    fn step(&mut self, step: Step<'_>, branch: &str, below: &str) {
        self.ink(Ink::Faint, branch);
        let room = self.options.width.saturating_sub(branch.chars().count());
        match step.expression() {
            Some(_) => self.expression(step, room),
            None => self.element(step, room),
        }
        self.pen.out.push('\n');
        let mut parts = self.pen.parts(step);
        parts.retain(is_worth_a_line);
        let n_shown = parts.iter().filter(|part| part.role() == Role::Element).count();
        let n_more = step.n_elements().saturating_sub(n_shown);
        for (position, part) in parts.iter().enumerate() {
            if !self.pen.begins(*part) {
                continue;
            }
            let is_last = position + 1 == parts.len() && n_more == 0;
            let (branch, continued) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let [branch, continued] = [branch, continued].map(|sign| [below, sign].concat());
            stack::grow(u32::MAX, || self.step(*part, &branch, &continued));
        }
        if n_more > 0 {
            let elements = if n_more == 1 { "element" } else { "elements" };
            self.ink(Ink::Faint, &format!("{below}└─ and {n_more} more {elements}"));
            self.pen.out.push('\n');
        }
    }

    /// `a + b = 3`
    fn expression(&mut self, step: Step<'_>, room: usize) {
        let role = match step.role() {
            Role::Condition => "condition ",
            Role::Key => "key ",
            _ => "",
        };
        self.ink(Ink::Faint, role);
        let room = room.saturating_sub(role.len());
        let text = step.expression().map(written).unwrap_or_default();
        let text = line(text, (room / 2).max(MIN_CELLS));
        self.ink(Ink::Plain, &text);
        if !step.is_used() {
            return self.ink(Ink::Faint, " is not chosen");
        }
        let is_branch = matches!(step.role(), Role::WhenTrue | Role::WhenFalse);
        if is_branch && step.is_literal() {
            let chosen = self.chosen(step);
            return self.ink(Ink::Faint, chosen);
        }
        if let Some(problem) = step.problem() {
            self.ink(Ink::Failure, &format!(" failed: {}", problem.summary));
        } else if let Some(value) = step.value() {
            self.pen.out.push_str(" = ");
            let room = room.saturating_sub(text.chars().count() + 3).max(MIN_CELLS);
            self.value(value, room);
        }
        let is_conditional = step.expression().is_some_and(|expression| {
            matches!(super::tree::without_wrapping(expression).kind(), ExpressionKind::Conditional { .. })
        });
        if let Some(reason) = step.reason().filter(|_| !is_conditional) {
            self.ink(Ink::Faint, &format!(", because {reason}"));
        }
        if is_branch {
            let chosen = self.chosen(step);
            self.ink(Ink::Faint, &format!(",{}", chosen.trim_start_matches(" is")));
        }
    }

    /// Why a result of a conditional is told.
    fn chosen(&self, step: Step<'_>) -> &'static str {
        match (step.is_certain(), step.role()) {
            (false, _) => " may be chosen: the condition is not known",
            (true, Role::WhenTrue) => " is chosen, because the condition is true",
            (true, _) => " is chosen, because the condition is false",
        }
    }

    /// `with k = 1, v = 2`
    fn element(&mut self, step: Step<'_>, room: usize) {
        let names = step.around().map(|around| around.kind());
        let [key_name, name] = match names {
            Some(ExpressionKind::For(names)) => [names.key_name(), Some(names.value_name())],
            _ => [None, None],
        };
        self.ink(Ink::Faint, "with ");
        let room = (room / 2).max(MIN_CELLS);
        if let (Some(key_name), Some(key)) = (key_name, step.key()) {
            self.pen.out.extend([&line(key_name, room), " = "]);
            self.value(key, room);
            self.pen.out.push_str(", ");
        }
        self.pen.out.extend([&line(name.unwrap_or("item"), room), " = "]);
        if let Some(element) = step.value() {
            self.value(element, room);
        }
        if step.is_skipped() {
            self.ink(Ink::Faint, " is left out, because the condition is false");
        }
    }
}

/// Literals explain themselves; what was chosen is told all the same.
fn is_worth_a_line(step: &Step<'_>) -> bool {
    let is_branch = matches!(step.role(), Role::WhenTrue | Role::WhenFalse);
    let is_empty = step.expression().is_some_and(|expression| expression.span().is_empty());
    !is_empty && (is_branch || !step.is_literal())
}

/// An expression as written. Where a template ends with an interpolation, so does what is shown of it.
pub(super) fn written(expression: Expression<'_>) -> &str {
    let span = expression.span();
    let source = expression.tree().source();
    if let ExpressionKind::Template(parts) = expression.kind()
        && parts.last().is_some_and(|last| last.span().end == span.end && !is_text(last))
    {
        let rest = source.slice(Span::new(span.end, source.span().end));
        let behind = rest.trim_start_matches([' ', '\t', '\n', '~']);
        let end = source.span().end - u32::try_from(behind.len()).unwrap_or_default();
        if behind.starts_with('}') {
            return source.slice(Span::new(span.start, end + 1));
        }
    }
    expression.source_text()
}

fn is_text(expression: Expression<'_>) -> bool {
    matches!(expression.kind(), ExpressionKind::Text(_))
}

/// A value on one line.
pub(super) fn shown(value: &Value, cells: usize, pen: &mut Pen<'_>) -> String {
    match value.display_line(pen.max_form(), pen.meter()) {
        Some(form) => {
            pen.made(form.len());
            line(&form, cells)
        }
        None => {
            pen.made(MAX_FORM);
            "(too long to show)".to_owned()
        }
    }
}

/// A text on one line, of which the beginning is looked at: what has no width, and blanks, take no column.
pub(super) fn line(text: &str, cells: usize) -> String {
    let beginning = &text[..text.floor_char_boundary(MAX_FORM)];
    let mut line = one_line(beginning, cells);
    if beginning.len() < text.len() && !line.ends_with('…') {
        line.push('…');
    }
    line
}
