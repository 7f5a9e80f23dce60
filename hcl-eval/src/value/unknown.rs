//! Unknown values: a type, and perhaps a refinement of what the value can turn out to be.

use std::sync::OnceLock;

use triomphe::Arc;

use super::refinement::Refinement;
use super::{Repr, Value};
use crate::types::Type;

/// An unknown: its type alone, or with what is known of the eventual value.
#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    Plain(Type),
    Refined(Arc<Refined>),
}

#[derive(Debug)]
pub(crate) struct Refined {
    pub(crate) ty: Type,
    pub(crate) refinement: Refinement,
}

impl Unknown {
    pub(crate) fn ty(&self) -> &Type {
        match self {
            Unknown::Plain(ty) => ty,
            Unknown::Refined(refined) => &refined.ty,
        }
    }

    pub(crate) fn refinement(&self) -> Option<&Refinement> {
        match self {
            Unknown::Plain(_) => None,
            Unknown::Refined(refined) => Some(&refined.refinement),
        }
    }
}

impl Value {
    /// An unknown value of this type; optional attributes of the type don't count.
    ///
    /// ```
    /// use hcl_eval::eval::{Scope, evaluate_str};
    /// use hcl_eval::{Type, Value};
    ///
    /// let scope = Scope::builder().variable("later", Value::unknown(Type::Number)).build();
    /// let sum = evaluate_str("later + 1", Some(&scope))?;
    /// assert!(!sum.is_known());
    /// assert_eq!(sum.ty(), Type::Number);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    #[must_use]
    pub fn unknown(ty: Type) -> Value {
        Value(Repr::Unknown(Unknown::Plain(if ty.is_structural() || ty.is_collection() {
            ty.without_optional()
        } else {
            ty
        })))
    }

    /// The unknown of which not even the type is known.
    #[must_use]
    pub const fn dynamic() -> Value {
        Value(Repr::Unknown(Unknown::Plain(Type::Dynamic)))
    }

    /// An unknown of this type that is surely not null: what an operation on unknowns gives.
    #[must_use]
    pub fn unknown_not_null(ty: Type) -> Value {
        // These two are what operators give; they are made once and shared.
        static BOOL: OnceLock<Value> = OnceLock::new();
        static NUMBER: OnceLock<Value> = OnceLock::new();
        let make = |ty| Value::unknown_refined(ty, Refinement::new().not_null());
        match ty {
            Type::Bool => BOOL.get_or_init(|| make(Type::Bool)).clone(),
            Type::Number => NUMBER.get_or_init(|| make(Type::Number)).clone(),
            ty => make(ty),
        }
    }

    /// Returns the facts about an unknown value beside its type.
    #[must_use]
    pub fn refinement(&self) -> Option<&Refinement> {
        if let Repr::Unknown(unknown) = &self.unmarked().0 { unknown.refinement() } else { None }
    }

    /// Returns whether this is surely not null: known and not null, or refined so.
    #[must_use]
    pub fn is_surely_not_null(&self) -> bool {
        match &self.unmarked().0 {
            Repr::Null(_) => false,
            Repr::Unknown(unknown) => unknown.refinement().is_some_and(Refinement::is_not_null),
            _ => true,
        }
    }
}
