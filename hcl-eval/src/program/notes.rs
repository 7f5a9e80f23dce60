//! What a program knows about the expressions of its tree beforehand.

use std::sync::Arc;

use hcl_syntax::ast::{BinaryOperator, ExprId, Expression};

use crate::eval::Part;
use crate::function::Function;
use crate::value::shape::Probe;
use crate::value::{Shape, Value};

/// One note for each expression of a program, by number. The evaluator looks here first and else finds out
/// by itself: without notes it means the same, only slower.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The number of the program's expression, which is the highest.
    pub(crate) last: usize,
    /// From the program's expression down; the rest has none.
    pub(crate) list: Vec<Note>,
    /// What notes refer to: in one list, as most expressions need two or three of them.
    pub(crate) known: Vec<Known>,
}

/// What is known of one expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Note {
    /// Nothing.
    #[default]
    Plain,
    /// Its value.
    Constant(u32),
    /// A traversal whose root is a slot, which may include the first of its steps.
    Slot { slot: u32, path: PathId },
    /// A traversal whose root is a constant of the scope.
    Root { constant: u32, path: PathId },
    /// A traversal whose root is bound by a `for`, as many bindings out as `hops` says.
    Local { hops: u16, part: Part, path: PathId },
    /// Steps after the item of the innermost splat.
    Item(PathId),
    /// A call of this function.
    Function(u32),
    /// An object constructor with this layout.
    Layout(u32),
    /// An operation whose left operand is no long chain of operations.
    Binary { operator: BinaryOperator, left: ExprId, right: ExprId },
    /// A conditional whose false result is no long chain of conditionals.
    Conditional { condition: ExprId, when_true: ExprId, when_false: ExprId },
    /// It means what another expression means: parentheses, or a template of nothing but an interpolation.
    Same(ExprId),
}

impl Note {
    /// Whether it leads straight to a value, if that is there.
    #[inline]
    pub(crate) fn is_direct(&self) -> bool {
        matches!(
            self,
            Self::Constant(_) | Self::Slot { .. } | Self::Root { .. } | Self::Local { .. } | Self::Item(_)
        )
    }
}

const _: () = assert!(size_of::<Note>() <= 16);

/// Which of [`Notes::known`] are steps that follow each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PathId {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// What a note refers to.
#[derive(Debug)]
pub(crate) enum Known {
    /// A constant, or the key of a step.
    Value(Value),
    /// A step to an attribute, or to the element of a key that is a text.
    Name(Probe),
    /// A step that can't be taken without further ado.
    OtherStep,
    Function(Arc<Function>),
    Layout(Box<Layout>),
}

const _: () = assert!(size_of::<Known>() <= 40);

/// The shape of an object whose keys are all known, and where each item's value belongs.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) shape: Shape,
    pub(crate) positions: Vec<u32>,
}

impl Notes {
    /// The steps of a path.
    #[inline]
    pub(crate) fn path(&self, path: PathId) -> &[Known] {
        let first = path.first as usize;
        self.known.get(first..first + path.len as usize).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn constant(&self, index: u32) -> Option<&Value> {
        match self.known.get(index as usize) {
            Some(Known::Value(value)) => Some(value),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn function(&self, index: u32) -> Option<&Arc<Function>> {
        match self.known.get(index as usize) {
            Some(Known::Function(function)) => Some(function),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn layout(&self, index: u32) -> Option<&Layout> {
        match self.known.get(index as usize) {
            Some(Known::Layout(layout)) => Some(layout),
            _ => None,
        }
    }

    /// The note of an expression.
    #[inline]
    pub(crate) fn of(&self, expression: Expression<'_>) -> &Note {
        let index = self.last.wrapping_sub(expression.id().index());
        self.list.get(index).unwrap_or(&Note::Plain)
    }
}
