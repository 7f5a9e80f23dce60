//! What a program knows about the expressions of its tree beforehand.

use std::sync::Arc;

use hcl_syntax::ast::Expression;

use crate::Str;
use crate::eval::Part;
use crate::function::Function;
use crate::value::{Shape, Value};

/// One note for each expression of a program, by number. The evaluator looks here first and else finds out
/// by itself: without notes it means the same, only slower.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The number of the first expression that has a note.
    pub(crate) first: usize,
    pub(crate) list: Vec<Note>,
    pub(crate) constants: Vec<Value>,
    pub(crate) functions: Vec<Arc<Function>>,
    pub(crate) layouts: Vec<Layout>,
    /// The first one is empty.
    pub(crate) paths: Vec<Box<[PathStep]>>,
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
}

const _: () = assert!(size_of::<Note>() <= 12);

/// Which of [`Notes::paths`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PathId(pub(crate) u32);

/// A step that follows what a note stands for.
#[derive(Debug)]
pub(crate) enum PathStep {
    Attribute(Str),
    Key(Value),
    /// None that could be taken without further ado.
    Other,
}

/// The shape of an object whose keys are all known, and where each item's value belongs.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) shape: triomphe::Arc<Shape>,
    pub(crate) positions: Vec<u32>,
}

impl Notes {
    /// The steps of a path.
    #[inline]
    pub(crate) fn path(&self, path: PathId) -> &[PathStep] {
        self.paths.get(path.0 as usize).map_or(&[], |path| path)
    }

    /// The note of an expression.
    #[inline]
    pub(crate) fn of(&self, expression: Expression<'_>) -> Note {
        let index = expression.id().index().wrapping_sub(self.first);
        self.list.get(index).copied().unwrap_or_default()
    }
}
