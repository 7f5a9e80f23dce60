//! Text that is left as it is, because it uses names that only another program knows: parts of templates as they are
//! written, and references elsewhere as the interpolations that they would be in a template.
//!
//! A scope asks for it ([`leave_unknown_interpolations`](super::ScopeBuilder::leave_unknown_interpolations)), or for
//! the rule of Nomad, which knows of references only ([`runtime_references`](super::ScopeBuilder::runtime_references)).

use hcl_syntax::ast::{Expression, ExpressionKind, Traversal, variables};

use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use crate::function::{Scope, UnknownNames};
use crate::limits::{LimitReached, Pace, hold};
use crate::program::{Node, OpId};
use crate::value::Value;
use crate::value::string::{append_on, normalize_within};

/// How much source text is looked through for a step.
const BYTES_PER_STEP: usize = 16;

impl Env<'_> {
    /// Returns true if the scope asks for unknown names to be left as text.
    pub(super) fn leaves_text(self) -> bool {
        self.given().scope.is_some_and(Scope::leaves_unknown_interpolations)
    }
}

impl Evaluator<'_> {
    /// The text of a part of a template, if it is to be left as it is written.
    pub(super) fn left_as_text(&mut self, part: Expression<'_>, env: Env<'_>) -> Option<String> {
        if env.leaves_text() { self.written_part(part, env) } else { None }
    }

    /// The value of a template that is nothing but an interpolation: that of what is in it, or the text as it is written.
    /// An observer is told of both as one.
    pub(super) fn interpolation<'e>(&mut self, inner: OpId, env: Env<'e>) -> Flow<'e> {
        if let Some(text) = self.left_as_text(env.written(inner), env) {
            return match normalize_within(&text, &mut Some(self.meter)) {
                Ok(text) => Value::string_nfc(text).into(),
                Err(_) => self.stop_within(inner, env),
            };
        }
        let op = env.op(inner);
        if !matches!(op.node, Node::Folded { .. }) && !self.meter.afford(u64::from(op.cost - op.path_cost)) {
            return self.stop_within(inner, env);
        }
        self.proceed(inner, env.op(inner), env)
    }

    /// The text that stands for a reference, if its name is known nowhere: that of the interpolation that it would be
    /// in a template.
    pub(super) fn reference_left_as_text(
        &mut self,
        expression: Expression<'_>,
        traversal: Traversal<'_>,
        env: Env<'_>,
    ) -> Option<Value> {
        let scope = env.given().scope?;
        let is_left = match scope.unknown_names() {
            UnknownNames::Refused => false,
            UnknownNames::LeftAsWritten => scope.name(traversal.root()).is_none(),
            UnknownNames::RuntimeReferences => scope.is_runtime_root(traversal.root()),
        };
        if !is_left {
            return None;
        }
        let text = expression.source_text();
        if !self.charge_text(text, expression) {
            return Some(Value::dynamic());
        }
        let text = match scope.unknown_names() {
            UnknownNames::RuntimeReferences => text_of_runtime_reference(expression),
            _ => text,
        };
        Some(value_of_interpolation(text, &mut Some(self.meter)).unwrap_or_else(|_| {
            self.stopped_by(expression);
            Value::dynamic()
        }))
    }

    /// Returns whether there are steps left for looking at so much text.
    fn charge_text(&mut self, text: &str, expression: Expression<'_>) -> bool {
        match self.meter.steps(steps_of_text(text)) {
            Ok(()) => true,
            Err(_) => {
                self.stopped_by(expression);
                false
            }
        }
    }

    fn written_part(&mut self, part: Expression<'_>, env: Env<'_>) -> Option<String> {
        let text = part.source_text();
        // An expression can't begin so; a directive's span is from its first to its last sequence.
        if !text.starts_with("%{") {
            if !self.uses_unknown(part, env) {
                return None;
            }
            let text = with_blanks(part);
            let is_charged = self.charge_text(text, part);
            return is_charged.then(|| between("${", text, "}", &mut Some(self.meter)).ok()).flatten();
        }
        let decides = match part.kind() {
            ExpressionKind::Conditional { condition, .. } => condition,
            ExpressionKind::TemplateFor(inner) => match inner.kind() {
                ExpressionKind::For(for_expression) => for_expression.collection(),
                _ => part,
            },
            _ => part,
        };
        let is_left = self.uses_unknown(decides, env);
        is_left.then(|| between("", text, "", &mut Some(self.meter)).ok()).flatten()
    }

    /// Returns whether an expression uses a name that neither the scope nor a `for` around knows.
    fn uses_unknown(&mut self, expression: Expression<'_>, env: Env<'_>) -> bool {
        if !self.charge_text(expression.source_text(), expression) {
            return false;
        }
        variables(expression).iter().any(|variable| {
            let name = variable.root();
            self.deep_names.lookup(env.locals, name).is_none()
                && env.given().scope.is_none_or(|scope| scope.name(name).is_none())
        })
    }
}

/// How many steps it takes to look through a text.
pub(crate) fn steps_of_text(text: &str) -> u64 {
    (text.len() / BYTES_PER_STEP) as u64
}

/// A text with what stands before and behind it.
fn between(before: &str, text: &str, behind: &str, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    hold(pace, text.len())?;
    let mut whole = String::with_capacity(before.len() + text.len() + behind.len());
    whole.push_str(before);
    append_on(text, &mut whole, pace)?;
    whole.push_str(behind);
    Ok(whole)
}

/// The value that is the interpolation of a text.
fn value_of_interpolation(text: &str, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
    let whole = between("${", text, "}", pace)?;
    Ok(Value::string_nfc(normalize_within(&whole, pace)?))
}

/// The value of a runtime reference.
pub(crate) fn runtime_reference(
    reference: Expression<'_>,
    pace: Pace<'_, '_>,
) -> Result<Value, LimitReached> {
    value_of_interpolation(text_of_runtime_reference(reference), pace)
}

/// The text of a runtime reference between the braces, by the rule of Nomad.
///
/// Where nothing but spaces is between `${` and the reference, they are part of the text. The byte behind the
/// reference then is, too, together with the spaces behind it, if a `}` follows. Elsewhere the text is the
/// source of the reference between `${` and `}`.
fn text_of_runtime_reference(reference: Expression<'_>) -> &str {
    let (text, span) = (reference.tree().source().text(), reference.span());
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text[..start].trim_end_matches(' ');
    if !before.ends_with("${") {
        return &text[start..end];
    }
    let is_closed = text.as_bytes().get(end) == Some(&b'}');
    // The brace may stand behind one byte of any kind, and spaces.
    let rest = text.as_bytes().get(end + 1..).unwrap_or_default();
    let n_spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    let end = if !is_closed && rest.get(n_spaces) == Some(&b'}') { end + 1 + n_spaces } else { end };
    &text[before.len()..end]
}

/// The text of an interpolated expression with the blanks around it; where a strip marker or a comment is beside
/// them, without those.
fn with_blanks(part: Expression<'_>) -> &str {
    let blanks = [' ', '\t', '\r', '\n'];
    let (text, span) = (part.tree().source().text(), part.span());
    let (start, end) = (span.start as usize, span.end as usize);
    let (opening, rest) = (text[..start].trim_end_matches(blanks), text[end..].trim_start_matches(blanks));
    let start = if opening.ends_with("${") { opening.len() } else { start };
    let end = if rest.starts_with('}') { text.len() - rest.len() } else { end };
    &text[start..end]
}
