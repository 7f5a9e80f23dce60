//! Which variables and functions an expression uses, without evaluating it.

use unicode_normalization::UnicodeNormalization;

use super::{Call, Expression, ExpressionKind, ForExpression, StepKind, Steps, Traversal, Visit, Walk};
use crate::escape::write_quoted_on;
use crate::limits::{Stopped, Watch};
use crate::parser::{ParseLimits, ParsedTraversal, TraversalStepKind};

/// The variables that an expression refers to, each with the attribute and literal index steps that
/// follow, in the order of the text, repetitions included. Names bound by a `for` are not reported.
///
/// ```
/// use hcl_syntax::ast::{functions, variables};
/// use hcl_syntax::parser::{ParseLimits, parse_expression};
/// use hcl_syntax::source::Source;
///
/// let text = "[for x in var.names : upper(\"${x}-${local.suffix}\")]";
/// let source = Source::new("input", text)?;
/// let (parsed, _) = parse_expression(source, &ParseLimits::default());
/// let needed: Vec<_> = variables(parsed.expression()).into_iter().map(|v| v.to_text()).collect();
/// assert_eq!(needed, ["var.names", "local.suffix"]);
/// assert_eq!(functions(parsed.expression())[0].name(), "upper");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn variables(expression: Expression<'_>) -> Vec<Traversal<'_>> {
    let traversals =
        variable_expressions(expression).into_iter().filter_map(|variable| match variable.kind() {
            ExpressionKind::Traversal(traversal) => Some(traversal),
            _ => None,
        });
    traversals.collect()
}

/// The expressions that [`variables`] gives the traversals of.
///
/// ```
/// use hcl_syntax::ast::variable_expressions;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "max(var.a, local.b)".parse()?;
/// let texts: Vec<_> = variable_expressions(parsed.expression()).into_iter().map(|e| e.source_text()).collect();
/// assert_eq!(texts, ["var.a", "local.b"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variable_expressions(expression: Expression<'_>) -> Vec<Expression<'_>> {
    variable_expressions_while(expression, |_| true).collect()
}

/// As [`variable_expressions`], one after the other; asked before each step, `goes_on` says false to end with those found
/// so far. It is told how many bytes the walk may take for it, which are none most times.
///
/// ```
/// use hcl_syntax::ast::variable_expressions_while;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[a, b, c]".parse()?;
/// let mut left = 3;
/// let found = variable_expressions_while(parsed.expression(), |_| {
///     left -= 1;
///     left > 0
/// });
/// assert_eq!(found.count(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variable_expressions_while<'t>(
    expression: Expression<'t>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> impl Iterator<Item = Expression<'t>> {
    let mut walk = Walk::new(expression);
    let mut bound: Vec<ForExpression<'t>> = Vec::new();
    std::iter::from_fn(move || {
        loop {
            match walk.next_while(&mut goes_on)? {
                Visit::Expression(expression) => {
                    if let ExpressionKind::Traversal(traversal) = expression.kind()
                        && !bound.iter().any(|scope| binds(*scope, traversal.root()))
                    {
                        return Some(expression);
                    }
                }
                Visit::EnterFor(for_expression) => bound.push(for_expression),
                Visit::LeaveFor => {
                    bound.pop();
                }
                Visit::EnterSplat | Visit::LeaveSplat => {}
            }
        }
    })
}

/// The functions that an expression calls, in the order of the text, repetitions included.
///
/// ```
/// use hcl_syntax::ast::functions;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "upper(join(\"-\", names))".parse()?;
/// let names: Vec<_> = functions(parsed.expression()).into_iter().map(|call| call.name()).collect();
/// assert_eq!(names, ["upper", "join"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn functions(expression: Expression<'_>) -> Vec<Call<'_>> {
    functions_while(expression, |_| true).collect()
}

/// As [`functions`], one after the other; asked before each step, `goes_on` says false to end with those found so far.
/// It is told how many bytes the walk may take for it, which are none most times.
///
/// ```
/// use hcl_syntax::ast::functions_while;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "upper(join(\"-\", names))".parse()?;
/// let mut left = 2;
/// let found = functions_while(parsed.expression(), |_| {
///     left -= 1;
///     left > 0
/// });
/// assert_eq!(found.map(|call| call.name()).collect::<Vec<_>>(), ["upper"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn functions_while<'t>(
    expression: Expression<'t>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> impl Iterator<Item = Call<'t>> {
    let mut walk = Walk::new(expression);
    std::iter::from_fn(move || {
        loop {
            if let Visit::Expression(expression) = walk.next_while(&mut goes_on)?
                && let ExpressionKind::Call(call) = expression.kind()
            {
                return Some(call);
            }
        }
    })
}

/// Returns whether a `for` gives a meaning of its own to `name`.
fn binds(for_expression: ForExpression<'_>, name: &str) -> bool {
    for_expression.value_name() == name || for_expression.key_name() == Some(name)
}

impl Traversal<'_> {
    /// The traversal as it would be written: `a.b[0]["c d"]`.
    pub fn to_text(self) -> String {
        let mut text = self.root().to_owned();
        self.steps().write_text(&mut text);
        text
    }
}

impl ParsedTraversal {
    /// The reference as it would be written; nothing if there is none.
    pub fn to_text(&self) -> String {
        self.to_text_on(&Watch::idle())
    }

    /// [`ParsedTraversal::to_text`] within the time of a parse.
    ///
    /// ```
    /// use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
    /// use hcl_syntax::source::{Grammar, Source};
    ///
    /// let limits = ParseLimits::default();
    /// let source = Source::new("input", "a[\"b\"].c")?;
    /// let (parsed, _) = parse_traversal(source, Splats::Refused, &limits);
    /// assert_eq!(parsed.to_text_within(&limits).unwrap(), "a[\"b\"].c");
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    ///
    /// # Errors
    /// The work was to end before.
    pub fn to_text_within(&self, limits: &ParseLimits) -> Result<String, Stopped> {
        let watch = Watch::new(limits);
        let text = self.to_text_on(&watch);
        watch.stopped().map_or(Ok(text), Err)
    }

    fn to_text_on(&self, watch: &Watch) -> String {
        let mut text = self.root().unwrap_or_default().to_owned();
        for step in watch.each(self.steps(), 1) {
            match step.kind {
                TraversalStepKind::Attribute(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                TraversalStepKind::Index(key) => {
                    text.push('[');
                    write_key(key, watch, &mut text);
                    text.push(']');
                }
                TraversalStepKind::Splat => text.push_str("[*]"),
            }
        }
        text
    }
}

impl Steps<'_> {
    /// Appends the steps as they would be written.
    pub fn write_text(self, text: &mut String) {
        for step in self.iter() {
            match step.kind {
                StepKind::Attribute(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                StepKind::Index(key) => {
                    text.push('[');
                    write_key(key, &Watch::idle(), text);
                    text.push(']');
                }
                StepKind::LegacyIndex(digits) => {
                    text.push('[');
                    write_plain_number(digits, text);
                    text.push(']');
                }
                StepKind::InvalidLegacyIndex => text.push_str("[?]"),
            }
        }
    }
}

/// Writes a key, or some of it if the work is to end.
fn write_key(key: Expression<'_>, watch: &Watch, text: &mut String) {
    match key.kind() {
        ExpressionKind::Text(key) => {
            // A key is compared as values are, which are normalised.
            let chars = watch.each(key.nfc(), 1);
            write_quoted_on(&chars.collect::<String>(), watch, text);
        }
        ExpressionKind::Number(digits) => write_plain_number(digits, text),
        ExpressionKind::Null | ExpressionKind::Bool(_) => text.push_str(key.source_text()),
        _ => text.push('?'),
    }
}

/// Numbers with larger exponents are left as they are written.
const MAX_EXPONENT: usize = 400;

/// Writes a number literal in plain decimal, without needless zeros: `1.50e2` as `150`.
fn write_plain_number(digits: &str, text: &mut String) {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Some(exponent) = exponent.parse::<isize>().ok().filter(|e| e.unsigned_abs() <= MAX_EXPONENT) else {
        return text.push_str(digits);
    };
    let all = [whole, fraction].concat();
    // Where the point stands among all digits; zeros fill what is missing on either side.
    let point = isize::try_from(whole.len()).unwrap_or(isize::MAX).saturating_add(exponent);
    let missing = point.min(0).unsigned_abs();
    let point = point.max(0).unsigned_abs();
    let padded = format!("{}{all}{}", "0".repeat(missing), "0".repeat(point.saturating_sub(all.len())));
    let (whole, fraction) = padded.split_at(point);
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
}
