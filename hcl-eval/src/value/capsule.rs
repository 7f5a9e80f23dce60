//! Capsules: opaque values of the host's own types.

use std::any::Any;
use std::fmt;
use std::sync::Arc as SharedArc;

use triomphe::Arc;

use super::{Repr, Value, ValueError};
use crate::types::{CapsuleType, Type};

/// The operations of the language on values of a host. Every method has an answer that means "nothing".
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::Value;
/// use hcl_eval::types::CapsuleType;
/// use hcl_eval::value::{Capsule, CapsuleOperations};
///
/// struct Version;
///
/// impl CapsuleOperations for Version {
///     fn console_text(&self, capsule: &Capsule) -> Option<String> {
///         capsule.downcast_ref::<(u32, u32)>().map(|(major, minor)| format!("version {major}.{minor}"))
///     }
/// }
///
/// let version = CapsuleType::with_operations("version", Box::new(Version));
/// assert_eq!(Value::capsule(version, Arc::new((1_u32, 11_u32))).to_string(), "version 1.11");
/// ```
pub trait CapsuleOperations: Send + Sync {
    /// Returns whether two values are equal; `None` compares their identity.
    fn equals(&self, _a: &Capsule, _b: &Capsule) -> Option<bool> {
        None
    }

    /// A text that is the same for equal values, for membership in sets.
    fn hash_key(&self, _capsule: &Capsule) -> Option<String> {
        None
    }

    /// Converts a value of another type to this capsule type; `None` if there is no such conversion.
    fn convert_from(&self, _value: &Value) -> Option<Result<Value, ValueError>> {
        None
    }

    /// Converts a capsule to another type; `None` if there is no such conversion.
    fn convert_to(&self, _capsule: &Capsule, _to: &Type) -> Option<Result<Value, ValueError>> {
        None
    }

    /// Returns whether values of this type convert from another type.
    fn converts_from(&self, _from: &Type) -> bool {
        false
    }

    /// Returns whether values convert to another type.
    fn converts_to(&self, _to: &Type) -> bool {
        false
    }

    /// The value in the console's form; `None` shows the name of the type.
    fn console_text(&self, _capsule: &Capsule) -> Option<String> {
        None
    }

    /// The JSON text of a value; `None` if it has none.
    fn to_json(&self, _capsule: &Capsule) -> Option<String> {
        None
    }
}

/// A value of a host type.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::Value;
/// use hcl_eval::types::CapsuleType;
///
/// let value = Value::capsule(CapsuleType::new("socket"), Arc::new(7_i32));
/// let capsule = value.as_capsule().unwrap();
/// assert_eq!((capsule.ty().name(), capsule.downcast_ref::<i32>()), ("socket", Some(&7)));
/// ```
#[derive(Clone)]
pub struct Capsule(Arc<CapsuleNode>);

struct CapsuleNode {
    ty: CapsuleType,
    payload: SharedArc<dyn Any + Send + Sync>,
}

impl Capsule {
    /// The host type.
    #[must_use]
    pub fn ty(&self) -> &CapsuleType {
        &self.0.ty
    }

    /// Returns the payload that the host put in.
    #[must_use]
    pub fn payload(&self) -> &SharedArc<dyn Any + Send + Sync> {
        &self.0.payload
    }

    /// Returns the payload, if it is of this Rust type.
    #[must_use]
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        self.0.payload.downcast_ref()
    }

    /// Returns whether both hold the same payload.
    pub(crate) fn same(&self, other: &Capsule) -> bool {
        self.0.ty == other.0.ty && SharedArc::ptr_eq(&self.0.payload, &other.0.payload)
    }

    /// Equality as the host has it, or identity.
    pub(crate) fn equals(&self, other: &Capsule) -> bool {
        if self.0.ty != other.0.ty {
            return false;
        }
        let asked = self.0.ty.operations().and_then(|operations| operations.equals(self, other));
        asked.unwrap_or_else(|| self.same(other))
    }
}

impl fmt::Debug for Capsule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capsule({})", self.0.ty.name())
    }
}

impl Value {
    /// A value of a host type.
    #[must_use]
    pub fn capsule(ty: CapsuleType, payload: SharedArc<dyn Any + Send + Sync>) -> Value {
        Value(Repr::Capsule(Capsule(Arc::new(CapsuleNode { ty, payload }))))
    }

    /// The capsule, if this is one.
    #[must_use]
    pub fn as_capsule(&self) -> Option<&Capsule> {
        if let Repr::Capsule(capsule) = &self.unmarked().0 { Some(capsule) } else { None }
    }
}
