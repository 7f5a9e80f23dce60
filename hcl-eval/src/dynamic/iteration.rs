//! The values of iterators, for one turn of a dynamic block and those around it.

use std::sync::{Arc, OnceLock};

use crate::Str;
use crate::eval::Scope;
use crate::value::Value;

/// One turn of a dynamic block: what its iterator stands for, and the turns it happens in.
#[derive(Debug)]
pub(super) struct Iteration {
    name: Str,
    value: Value,
    outer: Option<Arc<Iteration>>,
    /// The last scope made for it with the scope it was made in: nearly always there is one only.
    scope: OnceLock<(Option<Arc<Scope>>, Arc<Scope>)>,
}

impl Iteration {
    /// A turn with a key and a value, inside `outer`.
    pub(super) fn new(name: &Str, [key, value]: [Value; 2], outer: Option<Arc<Self>>) -> Arc<Self> {
        let value = Value::object(vec![("key".into(), key), ("value".into(), value)]);
        Arc::new(Self { name: name.clone(), value, outer, scope: OnceLock::new() })
    }

    /// This turn and those around it, the innermost first.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |iteration| iteration.outer.as_deref())
    }

    /// Whether `name` is an iterator's here.
    pub(super) fn binds(&self, name: &str) -> bool {
        self.chain().any(|iteration| iteration.name == name)
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
        let mut builder = Scope::builder();
        if let Some(base) = base {
            builder = builder.parent(Arc::clone(base));
        }
        let mut turns: Vec<&Self> = self.chain().collect();
        turns.reverse();
        for turn in turns {
            builder = builder.variable(&turn.name, turn.value.clone());
        }
        builder.build()
    }
}
