//! Ways to evaluate a program, told when it is made.
//!
//! To evaluate `var.a.b` is to follow pointers. The general evaluation saves registers and looks at what there is to do, which
//! takes longer than that. So each way is a function of its own and saves what it needs.

use hcl_syntax::ast::{Expression, ExpressionKind, StepKind};

use super::{Base, Code, CodeStep, Node};
use crate::Str;
use crate::value::Value;

/// How a program is evaluated.
#[derive(Copy, Clone, Debug)]
pub(super) enum Way {
    /// It is a variable and attributes of very short names.
    Attributes(Start),
    /// It is a variable and attributes or elements of short names.
    Names(Start),
    /// It leads straight to a value otherwise, or operates on operands that do.
    AtOnce,
    /// It is anything else.
    ByEvaluator,
}

/// The slot where all steps of the code begin, and what they cost.
#[derive(Copy, Clone, Debug)]
pub(super) struct Start {
    slot: u32,
    pub(super) cost: u32,
}

impl Way {
    /// The way to evaluate the code of an expression.
    pub(super) fn of(code: &Code, expression: Expression<'_>) -> Self {
        let Some(op) = code.ops.last() else { return Self::ByEvaluator };
        match op.node {
            Node::Direct { base: Base::Slot, index: slot, path } if path.len as usize == code.steps.len() => {
                let start = Start { slot, cost: op.cost };
                if has_attributes_alone(expression) && code.steps.iter().all(|step| step.probe.is_of_word()) {
                    Self::Attributes(start)
                } else if code.steps.iter().all(|step| step.name().is_some_and(Str::is_in_place)) {
                    Self::Names(start)
                } else {
                    Self::AtOnce
                }
            }
            Node::Direct { .. }
            | Node::Binary { direct: 1.., .. }
            | Node::Conditional { direct: 1.., .. }
            | Node::Record { direct: true, .. }
            | Node::Template { direct: 1.., .. } => Self::AtOnce,
            _ => Self::ByEvaluator,
        }
    }
}

/// Returns true for a variable with attributes, which mostly are an object's.
fn has_attributes_alone(expression: Expression<'_>) -> bool {
    let ExpressionKind::Traversal(traversal) = expression.kind() else { return false };
    traversal.steps().iter().all(|step| matches!(step.kind, StepKind::Attribute(_)))
}

impl Start {
    /// The value that the steps lead to, each of which is taken by `follow`.
    pub(super) fn follow<'v>(
        self,
        steps: &[CodeStep],
        slots: &'v [Option<Value>],
        follow: impl Fn(&'v Value, &CodeStep) -> Option<&'v Value>,
    ) -> Option<&'v Value> {
        let mut value = slots.get(self.slot as usize)?.as_ref()?;
        for step in steps {
            value = follow(value, step)?;
        }
        Some(value)
    }
}
