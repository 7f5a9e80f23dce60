//! Parts of templates that are left as text, because they use names that only somebody else knows.
//!
//! A scope asks for it ([`leave_unknown_interpolations`](super::ScopeBuilder::leave_unknown_interpolations)).

use hcl_syntax::ast::{Expression, ExpressionKind, variables};

use super::evaluator::Evaluator;
use super::locals::Locals;
use super::scope::Scope;

/// How much source text is looked through for a step.
const BYTES_PER_STEP: u32 = 16;

impl<'a> Evaluator<'a> {
    /// The text of a part of a template, if it is to be left as it is written.
    #[inline]
    pub(super) fn left_as_text<'e>(&mut self, part: Expression<'e>, locals: Locals<'e>) -> Option<String>
    where
        'a: 'e,
    {
        if self.leaves_text() { self.written_part(part, locals) } else { None }
    }

    /// Whether the scope asks for it.
    #[inline]
    pub(super) fn leaves_text(&self) -> bool {
        self.given.scope.is_some_and(Scope::leaves_unknown_interpolations)
    }

    /// The text of a template that is nothing but an interpolation, if that is to be left as it is written.
    #[inline]
    pub(super) fn whole_left_as_text<'e>(
        &mut self,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Option<String>
    where
        'a: 'e,
    {
        match kind {
            ExpressionKind::Interpolation(inner) => self.left_as_text(inner, locals),
            _ => None,
        }
    }

    #[cold]
    fn written_part<'e>(&mut self, part: Expression<'e>, locals: Locals<'e>) -> Option<String>
    where
        'a: 'e,
    {
        let text = part.source_text();
        // An expression can't begin so; a directive's span is from its first to its last sequence.
        if !text.starts_with("%{") {
            return self.uses_unknown(part, locals).then(|| format!("${{{text}}}"));
        }
        let decides = match part.kind() {
            ExpressionKind::Conditional { condition, .. } => condition,
            ExpressionKind::TemplateFor(inner) => match inner.kind() {
                ExpressionKind::For(for_expression) => for_expression.collection(),
                _ => part,
            },
            _ => part,
        };
        self.uses_unknown(decides, locals).then(|| text.to_owned())
    }

    /// Whether an expression uses a name that neither the scope nor a `for` around knows.
    fn uses_unknown<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> bool
    where
        'a: 'e,
    {
        if let Err(limit) = self.meter.steps(u64::from(expression.span().len() / BYTES_PER_STEP)) {
            self.note_stop(expression, limit);
            return false;
        }
        variables(expression).iter().any(|variable| {
            let name = variable.root();
            self.deep_names.lookup(locals, name).is_none()
                && self.given.scope.is_none_or(|scope| scope.name(name).is_none())
        })
    }
}
