//! Results on their way: values that may still be borrowed.

use std::ops::Deref;

use crate::types::Type;
use crate::value::{Marks, Value};

/// A value that is borrowed as long as nobody needs to own it: variables, their attributes and elements,
/// and the constants of programs pass through expressions without being cloned.
#[derive(Clone)]
pub(crate) enum Flow<'e> {
    Borrowed(&'e Value),
    Owned(Value),
}

impl Flow<'_> {
    pub(crate) fn dynamic() -> Self {
        Flow::Owned(Value::dynamic())
    }

    pub(crate) fn unknown(ty: Type) -> Self {
        Flow::Owned(Value::unknown(ty))
    }

    pub(crate) fn into_owned(self) -> Value {
        match self {
            Flow::Borrowed(value) => value.clone(),
            Flow::Owned(value) => value,
        }
    }

    /// Drops what there is; quick for what is mostly owned, small numbers and bools.
    pub(crate) fn discard(self) {
        if let Flow::Owned(value) = self {
            value.discard();
        }
    }

    /// Adds marks.
    pub(crate) fn with_marks(self, marks: &Marks) -> Self {
        if marks.is_empty() { self } else { Flow::Owned(self.into_owned().with_marks(marks)) }
    }
}

impl Deref for Flow<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Flow::Borrowed(value) => value,
            Flow::Owned(value) => value,
        }
    }
}

impl From<Value> for Flow<'_> {
    fn from(value: Value) -> Self {
        Flow::Owned(value)
    }
}
