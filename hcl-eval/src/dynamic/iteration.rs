//! The values of iterators, for one turn of a dynamic block and those around it.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::Str;
use crate::eval::Scope;
use crate::value::{Shape, Value};

/// How many turns, one inside the other, put their iterators into one scope. More than one, so that names are
/// found in few steps; not all, so that a turn deep inside others costs no more than one at the top.
const TURNS_PER_SCOPE: usize = 16;

/// The bytes of memory that a turn is counted as: the block that it makes, with its body and its iterator's value.
const TURN_BYTES: u64 = 512;

/// The bytes that each iterator in the scope of a turn is counted as.
const ITERATOR_BYTES: u64 = 128;

/// The names in the value of an iterator, which all turns share.
static NAMES: LazyLock<Shape> = LazyLock::new(|| Shape::new(["key".into(), "value".into()]));

/// One turn of a dynamic block: what its iterator stands for, and the turns it happens in.
#[derive(Debug)]
pub(super) struct Iteration {
    name: Str,
    value: Value,
    outer: Option<Arc<Iteration>>,
    /// How many turns it happens in.
    level: usize,
    /// The last scope made for it with the scope it was made in: nearly always there is one only.
    scope: OnceLock<(Option<Arc<Scope>>, Arc<Scope>)>,
}

impl Iteration {
    /// A turn with a key and a value, inside `outer`.
    pub(super) fn new(name: &Str, key_and_value: [Value; 2], outer: Option<Arc<Self>>) -> Arc<Self> {
        let value = Value::object_with_shape(NAMES.clone(), key_and_value.into());
        let level = outer.as_ref().map_or(0, |outer| outer.level + 1);
        Arc::new(Self { name: name.clone(), value, outer, level, scope: OnceLock::new() })
    }

    /// The bytes of memory that it is counted as. Few levels of small collections make many blocks, so that blocks are
    /// counted as what they are and not as elements of the collections.
    pub(super) fn bytes(&self) -> u64 {
        TURN_BYTES + ITERATOR_BYTES * self.n_in_scope() as u64
    }

    /// How many iterators its scope has, those of the scopes around it left aside.
    fn n_in_scope(&self) -> usize {
        self.level % TURNS_PER_SCOPE + 1
    }

    /// This turn and those around it, the innermost first.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |iteration| iteration.outer.as_deref())
    }

    /// Returns whether `name` is an iterator's here.
    pub(super) fn binds(&self, name: &str) -> bool {
        self.chain().any(|iteration| iteration.name == name)
    }

    /// The names of the iterators, the innermost last.
    pub(super) fn names(&self) -> Vec<Str> {
        let mut names: Vec<Str> = self.chain().map(|iteration| iteration.name.clone()).collect();
        names.reverse();
        names
    }

    /// A scope in `base` in which the iterators have their values; inner ones hide outer ones.
    pub(super) fn scope(&self, base: Option<&Arc<Scope>>) -> Arc<Scope> {
        let (made_in, scope) = self.scope.get_or_init(|| (base.cloned(), self.build(base)));
        let is_for_base = match (made_in, base) {
            (Some(made_in), Some(base)) => Arc::ptr_eq(made_in, base),
            (made_in, base) => made_in.is_none() && base.is_none(),
        };
        if is_for_base { Arc::clone(scope) } else { self.build(base) }
    }

    fn build(&self, base: Option<&Arc<Scope>>) -> Arc<Scope> {
        let mut turns: Vec<&Self> = self.chain().take(self.n_in_scope()).collect();
        turns.reverse();
        let around = turns.first().and_then(|turn| turn.outer.as_ref());
        let parent = around.map(|turn| turn.scope(base)).or_else(|| base.cloned());
        let mut builder = Scope::builder();
        if let Some(parent) = parent {
            builder = builder.parent(parent);
        }
        for turn in turns {
            builder = builder.variable(&turn.name, turn.value.clone());
        }
        builder.build()
    }
}
