//! Code: what an expression is lowered to.
//!
//! Operations lie in one vector, operands before what uses them, and name each other by number. Each knows the
//! expression that it comes from, for diagnostics and explanations; to run it nothing else of the tree is needed, but
//! where a name is looked up, a literal is made for one evaluation only, or a problem is told.
//!
//! An operation has a *cost*, the steps that it takes by itself. Parentheses and templates that are nothing but an
//! interpolation are no operations of their own: they add to the cost of what they mean, and to how it is written. A
//! part that was found ahead of time keeps what it would have used, so that an evaluation uses the same whether it was
//! prepared or not.

use std::sync::Arc;

use thin_vec::ThinVec;

use hcl_syntax::ast::{BinaryOperator, ExprId, UnaryOperator};

use crate::Str;
use crate::function::Function;
use crate::limits::Usage;
use crate::text::ShortStr;
use crate::value::shape::Probe;
use crate::value::string::normalized_elsewhere;
use crate::value::{Repr, Shape, Value};

/// Which operation of a code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OpId(pub(crate) u32);

/// Marks the number of an expression among the operands of a container.
const LITERAL: u32 = 1 << 31;
/// Marks the number of a value among the parts of a template.
const CONSTANT: u32 = 1 << 30;

impl OpId {
    /// The operand of a container that is a literal, or the plain name that is a key, and made where it will be: no operation is
    /// made for it. `None` for a number that is too large.
    pub(crate) fn of_literal(literal: ExprId) -> Option<Self> {
        u32::try_from(literal.index())
            .ok()
            .filter(|index| *index < LITERAL)
            .map(|index| Self(index | LITERAL))
    }

    /// The part of a template that is a literal text and takes no step: no operation is made for it, unless there are too many.
    pub(crate) fn of_constant(value: u32) -> Option<Self> {
        (value < CONSTANT).then_some(Self(value | CONSTANT))
    }

    pub(crate) fn as_constant(self) -> Option<u32> {
        (self.0 & (LITERAL | CONSTANT) == CONSTANT).then_some(self.0 & !CONSTANT)
    }

    /// The literal that an operand of a container is.
    pub(crate) fn literal(self) -> Option<ExprId> {
        (self.0 & LITERAL != 0).then(|| ExprId::from_index(self.0 & !LITERAL))
    }
}

/// An operation.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Op {
    pub(crate) node: Node,
    /// The steps it takes, those along its path included.
    pub(crate) cost: u32,
    /// The steps along its path, which are counted as they are taken where they are not taken at once.
    pub(crate) path_cost: u32,
    /// The expression that it comes from.
    pub(crate) source: ExprId,
    /// The expression with what surrounds it without changing its meaning.
    pub(crate) written: ExprId,
}

/// The work of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// A literal that is made when it is evaluated.
    Literal,
    /// Leads straight to a value, if that is there: a base, and steps after it.
    Direct {
        base: Base,
        index: u32,
        path: Path,
    },
    /// A value that was found ahead of time, and what finding it used.
    Folded {
        value: u32,
        usage: u32,
    },
    /// A variable that is looked up by its name.
    Name,
    /// The plain name that is a key.
    KeyName,
    /// A reference that is a key without parentheses.
    AmbiguousKey,
    /// A place that the parser has complained about already.
    Invalid,
    /// A place whose diagnostics are told again.
    Unfinished,
    /// A template that is nothing but an interpolation, which may be left as it is written.
    Interpolation(OpId),
    Unary {
        operator: UnaryOperator,
        operand: OpId,
    },
    /// `direct` is the steps of the operands, if all of them lead straight to values or are a few operations on such; else 0. It
    /// is 0 for an operand of one that has it. `constant` is the value of a right operand that is a constant, else [`NONE`].
    Binary {
        operator: BinaryOperator,
        direct: u16,
        constant: u32,
        left: OpId,
        right: OpId,
    },
    /// `direct` is the steps of the operands, if all of them lead straight to values or are operations on operands that do;
    /// else 0.
    Conditional {
        direct: u16,
        condition: OpId,
        when_true: OpId,
        when_false: OpId,
    },
    Index {
        collection: OpId,
        key: OpId,
    },
    /// Steps after anything but a variable.
    Steps(OpId),
    /// `function` is [`NONE`] if there is none of that name. `expands` tells that the last argument stands for its elements.
    /// `direct` is the steps of the arguments, if all of them lead straight to values and the function takes so many; else 0.
    Call {
        expands: bool,
        direct: u16,
        function: u32,
        arguments: List,
    },
    Tuple(List),
    /// Keys and values in turn.
    Object(List),
    /// Its form in JSON syntax.
    JsonObject(List),
    /// The values of an object whose keys are all known. `direct` tells that these are few and can be made without an evaluator.
    Record {
        direct: bool,
        layout: u32,
        values: List,
    },
    /// `direct` is the steps of the parts, if all of them lead straight to values; else 0.
    Template {
        direct: u16,
        parts: List,
    },
    /// Which of [`Code::operands`] are the first of its parts.
    For(u32),
    TemplateFor(OpId),
    Splat {
        source: OpId,
        each: OpId,
    },
}

const _: () = assert!(size_of::<Node>() <= 16);

impl Op {
    /// The steps that it takes with its operands, where these lead straight to values.
    pub(crate) fn direct_cost(&self) -> u64 {
        let operands = match self.node {
            Node::Binary { direct, .. }
            | Node::Conditional { direct, .. }
            | Node::Call { direct, .. }
            | Node::Template { direct, .. } => direct,
            _ => 0,
        };
        u64::from(self.cost) + u64::from(operands)
    }
}

/// Where [`Node::Direct`] begins, and what its index counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    /// A slot, which may include the first of the steps that are written.
    Slot,
    /// A literal, or a small value that was calculated ahead of time and took nothing but steps. No steps follow: where the path
    /// would begin stands how many steps the calculation took.
    Constant,
    /// A constant of the scope.
    Root,
    /// The key of a `for`, so many bindings out.
    Key,
    /// The value of a `for`, so many bindings out.
    Element,
    /// The item of the innermost splat.
    Item,
}

impl Node {
    /// One of [`Base::Constant`].
    pub(crate) fn constant(index: u32) -> Self {
        Self::Direct { base: Base::Constant, index, path: Path::default() }
    }

    /// Returns true if it leads straight to a value, if that is there.
    pub(crate) fn is_direct(&self) -> bool {
        matches!(self, Self::Direct { .. })
    }

    /// Returns true if it can be an item of an object that is made without an evaluator: it leads straight to a value, was found
    /// ahead of time, or is a text of such.
    pub(crate) fn is_simple(&self) -> bool {
        matches!(self, Self::Direct { .. } | Self::Folded { .. } | Self::Template { direct: 1.., .. })
    }
}

/// Stands for nothing.
pub(crate) const NONE: u32 = u32::MAX;

/// Which of [`Code::steps`] follow each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Path {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// Which of [`Code::operands`] follow each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct List {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// A step of a path, to an attribute or to the element of a key.
#[derive(Clone, Debug)]
pub(crate) struct CodeStep {
    /// The name as a text, or another key. `None` for a step that can't be taken without further ado.
    pub(crate) key: Option<Value>,
    /// Of no name where the key is not one, so that a step needs no look at its key: two instructions less.
    pub(crate) probe: Probe,
}

impl CodeStep {
    pub(crate) fn new(key: Option<Value>) -> Self {
        let probe = match &key {
            Some(Value(Repr::String(name))) => Probe::new(name),
            _ => Probe::none(),
        };
        Self { key, probe }
    }

    /// A step to an attribute, whose name is as it is written.
    pub(crate) fn to_attribute(name: &str) -> Self {
        match ShortStr::of_ascii(name) {
            Some(short) => {
                Self { key: Some(Value(Repr::String(short.into()))), probe: Probe::of_short(short) }
            }
            None => Self::new(Some(Value::string_nfc(normalized_elsewhere(name)))),
        }
    }

    /// The name of the attribute or the element, if it is one.
    pub(crate) fn name(&self) -> Option<&Str> {
        match &self.key {
            Some(Value(Repr::String(name))) => Some(name),
            _ => None,
        }
    }

    /// The part of a value that the step leads to, if its name is in place and where it was found last.
    #[inline(always)] // By a call an evaluation of `var.map["key"]` takes some 10 instructions more.
    pub(crate) fn find_short_again<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.find_short_again(self.name()?, &self.probe)
    }
}

/// The shape of an object whose keys are all known, and where each item's value belongs.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) shape: Shape,
    pub(crate) places: Vec<Place>,
}

/// Where the value of an item belongs.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(crate) position: u32,
    /// The key is a literal and no plain name.
    pub(crate) is_literal: bool,
}

/// The parts of a `for`.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ForParts {
    pub(crate) collection: OpId,
    pub(crate) condition: Option<OpId>,
    pub(crate) key: Option<OpId>,
    pub(crate) value: OpId,
}

/// Stands among the operands for a part that is not there.
const ABSENT: OpId = OpId(NONE);

impl ForParts {
    /// The operands that it is kept as.
    pub(crate) fn operands(self) -> [OpId; 4] {
        let Self { collection, condition, key, value } = self;
        [collection, condition.unwrap_or(ABSENT), key.unwrap_or(ABSENT), value]
    }
}

/// A lowered expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) operands: Vec<OpId>,
    pub(crate) values: Vec<Value>,
    pub(crate) steps: ThinVec<CodeStep>,
    pub(crate) functions: ThinVec<Arc<Function>>,
    pub(crate) layouts: ThinVec<Layout>,
    pub(crate) usages: ThinVec<Usage>,
}

/// Room for so many operations is kept for the next evaluation.
const KEPT_ROOM: usize = 1 << 10;

impl Code {
    /// Forgets everything but the room that it took, if that is not much.
    pub(crate) fn clear(&mut self) {
        if self.ops.capacity().max(self.operands.capacity()).max(self.values.capacity()) > KEPT_ROOM {
            *self = Self::default();
            return;
        }
        self.ops.clear();
        self.operands.clear();
        self.values.clear();
        self.steps.clear();
        self.functions.clear();
        self.layouts.clear();
        self.usages.clear();
    }

    /// An operation.
    pub(crate) fn op(&self, at: OpId) -> &Op {
        &self.ops[at.0 as usize]
    }

    /// The operation of the whole expression, which comes last.
    pub(crate) fn root(&self) -> OpId {
        OpId(index(self.ops.len()) - 1)
    }

    /// The steps of a path.
    pub(crate) fn path(&self, path: Path) -> Option<&[CodeStep]> {
        let first = path.first as usize;
        self.steps.get(first..first + path.len as usize)
    }

    /// The operands in a list.
    pub(crate) fn list(&self, list: List) -> &[OpId] {
        let first = list.first as usize;
        self.operands.get(first..first + list.len as usize).unwrap_or_default()
    }

    /// The parts of a `for` that begin at an operand.
    pub(crate) fn for_parts(&self, first: u32) -> Option<ForParts> {
        let &[collection, condition, key, value] = self.operands.get(first as usize..)?.first_chunk()?;
        let optional = |part| (part != ABSENT).then_some(part);
        Some(ForParts { collection, condition: optional(condition), key: optional(key), value })
    }

    /// The value of an operation that was found ahead of time, or is a literal.
    pub(crate) fn constant(&self, at: OpId) -> Option<&Value> {
        match self.op(at).node {
            Node::Direct { base: Base::Constant, index: value, .. } | Node::Folded { value, .. } => {
                self.values.get(value as usize)
            }
            _ => None,
        }
    }
}

/// A position in a list of a code; there are fewer of them than bytes in a text.
pub(crate) fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_is_an_operation_a_literal_or_a_constant() {
        for number in [0, 5, CONSTANT - 1] {
            let at = OpId::of_literal(ExprId::from_index(number)).expect("few literals");
            assert_eq!((at.literal(), at.as_constant()), (Some(ExprId::from_index(number)), None));
            let at = OpId::of_constant(number).expect("few constants");
            assert_eq!((at.literal(), at.as_constant()), (None, Some(number)));
            assert_eq!((OpId(number).literal(), OpId(number).as_constant()), (None, None));
        }
        assert!(OpId::of_literal(ExprId::from_index(LITERAL - 1)).is_some());
        assert!(OpId::of_literal(ExprId::from_index(LITERAL)).is_none());
        assert!(OpId::of_constant(CONSTANT).is_none());
    }
}
