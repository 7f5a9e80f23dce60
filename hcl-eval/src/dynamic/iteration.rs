//! The values of iterators, for one turn of a dynamic block and those around it.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

#[cfg(not(feature = "dynamic"))]
use super::expansion::Shared;
use super::generator::Surroundings;
use crate::Str;
use crate::eval::{Evaluation, Scope};
use crate::value::string::go_on_with_name;
use crate::value::{Kind, Marks, Shape, Value};

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
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    turns: Arc<Turns>,
    at: usize,
    /// Without dynamic blocks there is no turn, so that the compiler leaves out what would be done in one.
    #[cfg(not(feature = "dynamic"))]
    _never: Shared,
}

/// All turns of a dynamic block. They are made by the million, so that none takes memory of its own.
#[derive(Debug)]
struct Turns {
    name: Str,
    collection: Value,
    outer: Option<Iteration>,
    /// How many turns they happen in.
    level: usize,
    /// The marks of the collections, here and around.
    marks: Marks,
    /// Nothing is known of one of the collections.
    is_unknown: bool,
    last: LastScope,
}

/// Turns happen in each other as deep as a text nests: those around these are dropped one after the other.
impl Drop for Turns {
    fn drop(&mut self) {
        let mut around = self.outer.take();
        while let Some(mut turns) = around.and_then(|iteration| Arc::into_inner(iteration.turns)) {
            around = turns.outer.take();
        }
    }
}

/// The last scope that was made for a turn of a body's dynamic blocks: mostly what is evaluated next is in the same turn.
pub(super) type LastScope = Arc<Mutex<Option<TurnScope>>>;

/// The scope of a turn, with the scope it was made in.
#[derive(Debug)]
pub(super) struct TurnScope {
    /// The address of the turns and the number of this one.
    turn: (usize, usize),
    base: Option<Arc<Scope>>,
    scope: Arc<Scope>,
}

/// The content of a lock that no thread holds for longer than a copy takes.
fn inside<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Iteration {
    /// The first turn of a block that goes through a collection.
    pub(super) fn new(name: &Str, collection: &Value, surroundings: &Surroundings<'_, '_>) -> Self {
        let (outer, last) = (surroundings.inherited, surroundings.last);
        // The scope may be one of turns that are no more, and the address of these theirs.
        *inside(last) = None;
        let turns = Turns {
            name: name.clone(),
            collection: collection.clone(),
            outer: outer.iteration.clone(),
            level: outer.iteration.as_ref().map_or(0, |outer| outer.turns.level + 1),
            marks: outer.marks().union(collection.marks()),
            is_unknown: outer.is_unknown() || !collection.is_known(),
            last: Arc::clone(last),
        };
        Self {
            turns: Arc::new(turns),
            at: 0,
            #[cfg(not(feature = "dynamic"))]
            _never: surroundings.expansion.clone(),
        }
    }

    pub(super) fn marks(&self) -> &Marks {
        &self.turns.marks
    }

    /// Returns whether the turn stands for any number of them.
    pub(super) fn is_unknown(&self) -> bool {
        self.turns.is_unknown
    }

    /// How many turns there are: one, of which nothing is known, if the collection is not known.
    pub(super) fn n_turns(&self) -> usize {
        let collection = &self.turns.collection;
        if collection.is_known() { collection.len().unwrap_or(0) } else { 1 }
    }

    /// Another turn of the block.
    pub(super) fn at(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    /// The value of the iterator: the key and value of an element, marks of the collection left aside.
    fn value(&self) -> Value {
        let collection = &self.turns.collection;
        let value = collection.parts().and_then(|parts| parts.get(self.at)).cloned();
        let value = value.unwrap_or_else(Value::dynamic);
        let key = match (collection.shape(), collection.kind()) {
            (Some(shape), _) => Value::string_nfc(shape.names()[self.at].clone()),
            (None, Kind::List | Kind::Tuple) => Value::count(self.at),
            // An element of a set is its own key.
            _ => value.clone(),
        };
        Value::object_with_shape(NAMES.clone(), vec![key, value])
    }

    /// The bytes of memory that it is counted as. Few levels of small collections make many blocks, so that blocks are
    /// counted as what they are and not as elements of the collections.
    pub(super) fn bytes(&self) -> u64 {
        TURN_BYTES + ITERATOR_BYTES * self.n_in_scope() as u64
    }

    /// How many iterators its scope has, those of the scopes around it left aside.
    fn n_in_scope(&self) -> usize {
        self.turns.level % TURNS_PER_SCOPE + 1
    }

    /// This turn and those around it, the innermost first.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |iteration| iteration.turns.outer.as_ref())
    }

    /// Returns whether `name` is an iterator's here.
    pub(super) fn binds(&self, name: &str) -> bool {
        self.chain().any(|iteration| iteration.turns.name == name)
    }

    /// The names of the iterators, the innermost last.
    pub(super) fn names(&self) -> Vec<Str> {
        let mut names: Vec<Str> = self.chain().map(|iteration| iteration.turns.name.clone()).collect();
        names.reverse();
        names
    }

    /// A scope in `base` in which the iterators have their values; inner ones hide outer ones. `evaluation` is told how long
    /// their names are.
    pub(super) fn scope(&self, base: Option<&Arc<Scope>>, evaluation: &mut Evaluation<'_>) -> Arc<Scope> {
        let turn = (Arc::as_ptr(&self.turns).addr(), self.at);
        let same_base = |made: &TurnScope| made.base.as_ref().map(Arc::as_ptr) == base.map(Arc::as_ptr);
        let last = inside(&self.turns.last);
        if let Some(made) = last.as_ref().filter(|made| made.turn == turn && same_base(made)) {
            return Arc::clone(&made.scope);
        }
        drop(last);
        let scope = self.build(base, evaluation);
        let made = TurnScope { turn, base: base.cloned(), scope: Arc::clone(&scope) };
        *inside(&self.turns.last) = Some(made);
        scope
    }

    fn build(&self, base: Option<&Arc<Scope>>, evaluation: &mut Evaluation<'_>) -> Arc<Scope> {
        let mut turns: Vec<&Self> = self.chain().take(self.n_in_scope()).collect();
        turns.reverse();
        let around = turns.first().and_then(|turn| turn.turns.outer.as_ref());
        let parent = around.map(|turn| turn.scope(base, evaluation)).or_else(|| base.cloned());
        let mut builder = Scope::builder();
        if let Some(parent) = parent {
            builder = builder.parent(parent);
        }
        for turn in turns {
            let name = &turn.turns.name;
            // Once it should end, the evaluation does so before it uses the scope.
            let _ = go_on_with_name(name, &mut Some(evaluation.meter()));
            builder = builder.constant(name.clone(), turn.value());
        }
        builder.build()
    }
}
