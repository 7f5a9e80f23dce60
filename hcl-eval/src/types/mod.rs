//! Types: what a value may be.
//!
//! Primitive types have no parameters, collections (list, set, map) one element type, structural types
//! (tuple, object) one type for each member. [`Type::Dynamic`] stands for "not known yet" in values and
//! for "any type" in constraints. A type is 16 bytes and cheap to clone: parameters are shared.
//!
//! Depth and the presence of dynamic parts are kept in each node, so that asking costs nothing; deep types
//! are compared, hashed and dropped without using up the stack.
//!
//! Elsewhere: `display` has the text forms, [`type_expr`] reads them, `defaults` puts the defaults of optional
//! attributes into values, [`unify`](mod@unify) finds one type for many.

pub(crate) mod defaults;
pub(crate) mod display;
pub mod type_expr;
pub mod unify;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::Deref;

use triomphe::Arc;

pub use crate::eval::TypeConstraint;
pub use defaults::Defaults;
pub use unify::{conditional_mismatch, unify, unify_with};
pub(crate) use unify::{mismatch_within, name_mismatch};

use crate::Str;
use crate::limits::{LimitReached, Pace, go_on, hold};
use crate::sorting::sort_texts_on;
use crate::stack::{self, SHALLOW};
use crate::value::Kind;
use crate::value::capsule::CapsuleOperations;
use crate::value::string::{is_ascii, normalize_within};

/// The type of a value, or a constraint on it.
///
/// ```
/// use hcl_eval::types::{ObjectAttribute, Type};
///
/// let server = Type::object(vec![
///     ObjectAttribute::new("name", Type::String),
///     ObjectAttribute::optional("ports", Type::list(Type::Number)),
/// ]);
/// assert_eq!(server.to_type_text(), "object({name=string,ports=optional(list(number))})");
/// assert_eq!(server.attribute("name").map(|attribute| &attribute.ty), Some(&Type::String));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not known, or any type.
    Dynamic,
    /// `true` and `false`.
    Bool,
    /// Numbers of any size.
    Number,
    /// Unicode text.
    String,
    /// A sequence of elements of one type.
    List(ElementType),
    /// Distinct elements of one type, without an order of their own.
    Set(ElementType),
    /// Elements of one type by string keys.
    Map(ElementType),
    /// A fixed number of elements, each of its own type.
    Tuple(Arc<TupleType>),
    /// Named attributes, each of its own type.
    Object(Arc<ObjectType>),
    /// An opaque host type, equal only to itself.
    Capsule(CapsuleType),
}

const _: () = assert!(size_of::<Type>() == 16);
const _: () = assert!(size_of::<Option<Type>>() == 16);

/// The element type of a collection type; reads like a [`Type`].
///
/// ```
/// use hcl_eval::types::{ElementType, Type};
///
/// let list = Type::List(ElementType::new(Type::String));
/// assert_eq!(list, Type::list(Type::String));
/// assert_eq!(list.element_type(), Some(&Type::String));
/// ```
#[derive(Clone)]
pub struct ElementType(Arc<ElementNode>);

struct ElementNode {
    ty: Type,
    depth: u32,
    has_dynamic: bool,
    has_optional: bool,
}

/// The element types of a tuple.
///
/// ```
/// use hcl_eval::Type;
///
/// let Type::Tuple(pair) = Type::tuple(vec![Type::String, Type::Number]) else { panic!("a tuple") };
/// assert_eq!(pair.elements(), [Type::String, Type::Number]);
/// ```
pub struct TupleType {
    elements: Vec<Type>,
    depth: u32,
    has_dynamic: bool,
    has_optional: bool,
}

/// The attributes of an object type, sorted by name.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::types::Type;
///
/// let Type::Object(object) = Value::from_iter([("port", 80)]).ty() else { panic!("an object") };
/// assert_eq!(object.get("port").map(|attribute| &attribute.ty), Some(&Type::Number));
/// ```
pub struct ObjectType {
    attributes: Vec<ObjectAttribute>,
    depth: u32,
    has_dynamic: bool,
    /// This type with every attribute required, if an attribute anywhere in it is optional. It is made once: made again for
    /// the default of each object that another one is in, it would take depth times width.
    required: Option<Arc<ObjectType>>,
}

/// One attribute of an object type.
///
/// ```
/// use hcl_eval::types::{ObjectAttribute, Type};
/// use hcl_eval::{Value, convert::convert};
///
/// let ty = Type::object(vec![ObjectAttribute::optional("port", Type::Number)]);
/// let value = convert(&Value::object(vec![]), &ty)?;
/// assert!(value.get_attribute("port").unwrap().is_null());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectAttribute {
    /// The name, NFC-normalised.
    pub name: Str,
    /// The attribute's type.
    pub ty: Type,
    /// True if a value to be converted may lack the attribute; only meaningful in conversion targets.
    pub optional: bool,
}

/// The identity of an opaque host type, with what the host lets the language do with its values.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::Value;
/// use hcl_eval::types::{CapsuleType, Type};
///
/// let connection = CapsuleType::new("connection");
/// let value = Value::capsule(connection.clone(), Arc::new("db:5432".to_owned()));
/// assert_eq!(value.ty(), Type::Capsule(connection));
/// let payload = value.as_capsule().and_then(|capsule| capsule.downcast_ref::<String>());
/// assert_eq!(payload.map(String::as_str), Some("db:5432"));
/// ```
#[derive(Clone)]
pub struct CapsuleType(Arc<CapsuleNode>);

struct CapsuleNode {
    name: Str,
    operations: Option<Box<dyn CapsuleOperations>>,
}

impl Type {
    /// The type of lists of `element`.
    #[must_use]
    pub fn list(element: Type) -> Type {
        Type::List(ElementType::new(element))
    }

    /// The type of sets of `element`.
    #[must_use]
    pub fn set(element: Type) -> Type {
        Type::Set(ElementType::new(element))
    }

    /// The type of maps of `element`.
    #[must_use]
    pub fn map(element: Type) -> Type {
        Type::Map(ElementType::new(element))
    }

    /// The type of tuples with these elements.
    #[must_use]
    pub fn tuple(elements: Vec<Type>) -> Type {
        Type::Tuple(Arc::new(TupleType::new(elements)))
    }

    /// The type of objects with these attributes, in any order; of two with one name the later counts.
    #[must_use]
    pub fn object(attributes: Vec<ObjectAttribute>) -> Type {
        Type::Object(Arc::new(ObjectType::new(attributes)))
    }

    /// The type of objects with these attributes, the names of which are normalised, sorted and distinct. No attribute is
    /// optional, at any depth, as in the types of values.
    #[inline(never)] // Inlined it makes `Rules::fill` alone 387 bytes larger.
    pub(crate) fn object_from_sorted(attributes: Vec<ObjectAttribute>) -> Type {
        Type::Object(Arc::new(ObjectType::from_sorted(attributes)))
    }

    /// [`Type::object`] with looks at the limits.
    pub(crate) fn object_on(
        attributes: Vec<ObjectAttribute>,
        pace: Pace<'_, '_>,
    ) -> Result<Type, LimitReached> {
        Ok(Type::Object(Arc::new(ObjectType::new_on(attributes, pace)?)))
    }

    /// Returns the kind of the known values of this type; `None` for the dynamic type.
    #[must_use]
    pub(crate) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Type::Dynamic => return None,
            Type::Bool => Kind::Bool,
            Type::Number => Kind::Number,
            Type::String => Kind::String,
            Type::List(_) => Kind::List,
            Type::Set(_) => Kind::Set,
            Type::Map(_) => Kind::Map,
            Type::Tuple(_) => Kind::Tuple,
            Type::Object(_) => Kind::Object,
            Type::Capsule(_) => Kind::Capsule,
        })
    }

    /// Returns whether this is the dynamic type itself.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        matches!(self, Type::Dynamic)
    }

    /// Returns whether the dynamic type occurs anywhere in this type.
    #[must_use]
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String | Type::Capsule(_) => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.0.has_dynamic,
            Type::Tuple(tuple) => tuple.has_dynamic,
            Type::Object(object) => object.has_dynamic,
        }
    }

    /// Returns whether this is string, number or bool.
    #[must_use]
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }

    /// Returns whether this is a list, set or map type.
    #[must_use]
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// Returns whether this is a tuple or object type.
    #[must_use]
    pub fn is_structural(&self) -> bool {
        matches!(self, Type::Tuple(_) | Type::Object(_))
    }

    /// The element type of a collection type.
    #[must_use]
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            Type::Dynamic
            | Type::Bool
            | Type::Number
            | Type::String
            | Type::Tuple(_)
            | Type::Object(_)
            | Type::Capsule(_) => None,
        }
    }

    /// The element types of a tuple type.
    #[must_use]
    pub fn tuple_elements(&self) -> Option<&[Type]> {
        if let Type::Tuple(tuple) = self { Some(tuple.elements()) } else { None }
    }

    /// The attributes of an object type, sorted by name.
    #[must_use]
    pub fn attributes(&self) -> Option<&[ObjectAttribute]> {
        if let Type::Object(object) = self { Some(object.attributes()) } else { None }
    }

    /// The attribute of this name, if this is an object type that has it.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&ObjectAttribute> {
        if let Type::Object(object) = self { object.get(name) } else { None }
    }

    /// How deep this type nests: 0 for primitives.
    #[must_use]
    pub fn depth(&self) -> u32 {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => 0,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.0.depth,
            Type::Tuple(tuple) => tuple.depth,
            Type::Object(object) => object.depth,
        }
    }

    /// Returns whether this type is `want`, where a dynamic part of `want` stands for any type.
    #[must_use]
    pub fn conforms_to(&self, want: &Type) -> bool {
        if !want.has_dynamic() {
            return self == want;
        }
        stack::grow(self.depth(), || match (self, want) {
            (_, Type::Dynamic) => true,
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                a.conforms_to(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.elements.len() == b.elements.len()
                    && a.elements.iter().zip(&b.elements).all(|(a, b)| a.conforms_to(b))
            }
            (Type::Object(a), Type::Object(b)) => {
                let pairs = || a.attributes.iter().zip(&b.attributes);
                a.attributes.len() == b.attributes.len()
                    && pairs().all(|(a, b)| a.name == b.name && a.ty.conforms_to(&b.ty))
            }
            _ => false,
        })
    }

    /// Returns whether an attribute anywhere in this type is optional.
    pub(crate) fn has_optional(&self) -> bool {
        match self {
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.0.has_optional,
            Type::Tuple(tuple) => tuple.has_optional,
            Type::Object(object) => object.required.is_some(),
        }
    }

    /// This type with every attribute required, at any depth: what a value of it has.
    #[must_use]
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        stack::grow(self.depth(), || match self {
            Type::List(element) => Type::list(element.without_optional()),
            Type::Set(element) => Type::set(element.without_optional()),
            Type::Map(element) => Type::map(element.without_optional()),
            Type::Tuple(tuple) => Type::tuple(tuple.elements.iter().map(Type::without_optional).collect()),
            Type::Object(object) => Type::Object(object.required.as_ref().unwrap_or(object).clone()),
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => self.clone(),
        })
    }
}

impl ElementType {
    /// Shares a type as the element type of a collection.
    #[must_use]
    pub fn new(ty: Type) -> ElementType {
        let depth = ty.depth().saturating_add(1);
        let (has_dynamic, has_optional) = (ty.has_dynamic(), ty.has_optional());
        ElementType(Arc::new(ElementNode { ty, depth, has_dynamic, has_optional }))
    }
}

impl From<Type> for ElementType {
    fn from(ty: Type) -> ElementType {
        ElementType::new(ty)
    }
}

impl Deref for ElementType {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.0.ty
    }
}

impl AsRef<Type> for ElementType {
    fn as_ref(&self) -> &Type {
        &self.0.ty
    }
}

impl ObjectAttribute {
    /// A required attribute.
    pub fn new(name: impl Into<Str>, ty: Type) -> ObjectAttribute {
        ObjectAttribute { name: name.into(), ty, optional: false }
    }

    /// An optional attribute.
    pub fn optional(name: impl Into<Str>, ty: Type) -> ObjectAttribute {
        ObjectAttribute { name: name.into(), ty, optional: true }
    }

    /// Returns whether this attribute is optional, or one in its type.
    fn has_optional(&self) -> bool {
        self.optional || self.ty.has_optional()
    }
}

impl ObjectType {
    /// Sorts, normalises and deduplicates the attributes.
    #[must_use]
    pub fn new(attributes: Vec<ObjectAttribute>) -> ObjectType {
        // Without a meter there is no limit.
        ObjectType::new_on(attributes, &mut None).unwrap_or_else(|_| ObjectType::from_sorted(Vec::new()))
    }

    /// [`ObjectType::new`] with looks at the limits.
    fn new_on(mut attributes: Vec<ObjectAttribute>, pace: Pace<'_, '_>) -> Result<ObjectType, LimitReached> {
        for attribute in &mut attributes {
            go_on(pace, 1)?;
            if !is_ascii(&attribute.name) {
                attribute.name = normalize_within(&attribute.name, pace)?;
            }
        }
        if !attributes.is_sorted_by(|a, b| a.name < b.name) {
            // The later of two attributes with one name counts: reversed, a stable sort puts it first.
            attributes.reverse();
            sort_texts_on(&mut attributes, |a| a.name.len(), |a, b| a.name.cmp(&b.name), |n| go_on(pace, n))?;
            attributes.dedup_by(|later, first| later.name == first.name);
        }
        ObjectType::from_sorted_on(attributes, pace)
    }

    /// The type of [`Type::object_from_sorted`].
    fn from_sorted(attributes: Vec<ObjectAttribute>) -> ObjectType {
        debug_assert!(!attributes.iter().any(ObjectAttribute::has_optional));
        ObjectType::with_required(attributes, None)
    }

    fn with_required(attributes: Vec<ObjectAttribute>, required: Option<Arc<ObjectType>>) -> ObjectType {
        let depth = attributes.iter().map(|a| a.ty.depth()).max().unwrap_or(0).saturating_add(1);
        let has_dynamic = attributes.iter().any(|a| a.ty.has_dynamic());
        ObjectType { attributes, depth, has_dynamic, required }
    }

    /// [`ObjectType::from_sorted`] where attributes may be optional.
    fn from_sorted_on(
        attributes: Vec<ObjectAttribute>,
        pace: Pace<'_, '_>,
    ) -> Result<ObjectType, LimitReached> {
        if !attributes.iter().any(ObjectAttribute::has_optional) {
            return Ok(ObjectType::from_sorted(attributes));
        }
        hold(pace, size_of_val(&*attributes))?;
        let mut required = Vec::with_capacity(attributes.len());
        for attribute in &attributes {
            go_on(pace, 1)?;
            required.push(ObjectAttribute::new(attribute.name.clone(), attribute.ty.without_optional()));
        }
        let required = Arc::new(ObjectType::from_sorted(required));
        Ok(ObjectType::with_required(attributes, Some(required)))
    }

    /// The attributes, sorted by name.
    #[must_use]
    pub fn attributes(&self) -> &[ObjectAttribute] {
        &self.attributes
    }

    /// The attribute of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ObjectAttribute> {
        let found = self.attributes.binary_search_by(|a| a.name.as_str().cmp(name)).ok()?;
        self.attributes.get(found)
    }
}

impl TupleType {
    /// A tuple type with these elements.
    #[must_use]
    pub fn new(elements: Vec<Type>) -> TupleType {
        let depth = elements.iter().map(Type::depth).max().unwrap_or(0).saturating_add(1);
        let has_dynamic = elements.iter().any(Type::has_dynamic);
        let has_optional = elements.iter().any(Type::has_optional);
        TupleType { elements, depth, has_dynamic, has_optional }
    }

    /// The element types in order.
    #[must_use]
    pub fn elements(&self) -> &[Type] {
        &self.elements
    }
}

impl CapsuleType {
    /// A new type, equal only to itself.
    pub fn new(name: impl Into<Str>) -> CapsuleType {
        CapsuleType(Arc::new(CapsuleNode { name: name.into(), operations: None }))
    }

    /// A new type whose values the language can compare, hash or convert.
    pub fn with_operations(name: impl Into<Str>, operations: Box<dyn CapsuleOperations>) -> CapsuleType {
        CapsuleType(Arc::new(CapsuleNode { name: name.into(), operations: Some(operations) }))
    }

    /// The name used in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the operations that the host lets the language do with the values.
    #[must_use]
    pub fn operations(&self) -> Option<&dyn CapsuleOperations> {
        self.0.operations.as_deref()
    }
}

// Equality, hash and debug form of the nodes: shared nodes are equal at once, deep ones grow the stack.

impl PartialEq for ElementType {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.depth == other.0.depth && stack::grow(self.0.depth, || self.0.ty == other.0.ty))
    }
}

impl Eq for ElementType {}

impl Hash for ElementType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        stack::grow(self.0.depth, || self.0.ty.hash(state));
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_type_text())
    }
}

impl fmt::Debug for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.ty.fmt(f)
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.depth == other.depth && stack::grow(self.depth, || self.elements == other.elements))
    }
}

impl Eq for TupleType {}

impl Hash for TupleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        stack::grow(self.depth, || self.elements.hash(state));
    }
}

impl fmt::Debug for TupleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TupleType").field(&self.elements).finish()
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.depth == other.depth && stack::grow(self.depth, || self.attributes == other.attributes))
    }
}

impl Eq for ObjectType {}

impl Hash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        stack::grow(self.depth, || self.attributes.hash(state));
    }
}

impl fmt::Debug for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObjectType").field(&self.attributes).finish()
    }
}

impl PartialEq for CapsuleType {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CapsuleType {}

impl Hash for CapsuleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for CapsuleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CapsuleType({})", self.0.name)
    }
}

// Dropping: the last owner of a deep node takes it apart with a list instead of recursion.

impl Drop for ElementNode {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            drop_deep(vec![mem::replace(&mut self.ty, Type::Bool)]);
        }
    }
}

impl Drop for TupleType {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            drop_deep(mem::take(&mut self.elements));
        }
    }
}

impl Drop for ObjectType {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            drop_deep(mem::take(&mut self.attributes).into_iter().map(|a| a.ty).collect());
        }
    }
}

/// Drops types of any depth: the parts of a node that nobody else holds go onto the list before the node
/// itself is dropped, which then has nothing left to recurse into.
fn drop_deep(mut pending: Vec<Type>) {
    while let Some(mut ty) = pending.pop() {
        if ty.depth() <= SHALLOW {
            continue;
        }
        match &mut ty {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                if let Some(node) = Arc::get_mut(&mut element.0) {
                    pending.push(mem::replace(&mut node.ty, Type::Bool));
                    node.depth = 0;
                }
            }
            Type::Tuple(tuple) => {
                if let Some(node) = Arc::get_mut(tuple) {
                    pending.append(&mut node.elements);
                    node.depth = 0;
                }
            }
            Type::Object(object) => {
                if let Some(node) = Arc::get_mut(object) {
                    pending.extend(mem::take(&mut node.attributes).into_iter().map(|a| a.ty));
                    node.depth = 0;
                }
            }
            Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => {}
        }
    }
}
