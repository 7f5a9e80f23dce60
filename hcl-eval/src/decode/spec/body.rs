//! Specifications of whole bodies, with the schema and the type that follow from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use hcl_syntax::config::{Bounds, Unbounded};
use hcl_syntax::hash::HashMap;
use hcl_syntax::schema::{BodySchema, NestedSchema};

use super::Spec;
use crate::Str;
use crate::stack;
use crate::types::Type;

/// A specification of a whole body, with the schema that follows from it.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, BodySpec, Spec};
///
/// let spec = BodySpec::new(Spec::Tuple(vec![
///     AttributeSpec::new("host", Type::String).into(),
///     AttributeSpec::new("port", Type::Number).into(),
/// ]));
/// assert_eq!(spec.schema().attributes.len(), 2);
/// assert_eq!(spec.implied_type().to_type_text(), "tuple([string,number])");
/// ```
#[derive(Clone, Debug)]
pub struct BodySpec {
    spec: Spec,
    schema: BodySchema,
    /// The type of the value: each null and each empty collection shares it.
    ty: Type,
    /// The names of the labels that it asks for, by their numbers.
    labels: BTreeMap<usize, Str>,
}

impl BodySpec {
    /// Makes the specification of a whole body.
    pub fn new(spec: Spec) -> Self {
        Self::within(spec, &mut Unbounded)
    }

    /// [`BodySpec::new`] within bounds; when they end it, the schema lacks parts.
    pub(in crate::decode) fn within(spec: Spec, bounds: &mut dyn Bounds) -> Self {
        let schema = spec.implied_schema(bounds);
        let mut labels = BTreeMap::new();
        spec.visit(&mut |spec| {
            if let Spec::BlockLabel(label) = spec {
                labels.insert(label.index, label.name.clone());
            }
            bounds.next_item()
        });
        Self { ty: spec.implied_type(), spec, schema, labels }
    }

    /// Names of the labels that a block with such a body must have. A label that is skipped has no name, so that a large number
    /// makes no names up.
    pub fn label_names(&self) -> Vec<Str> {
        self.labels.values().cloned().collect()
    }

    /// Returns true if a label is asked for without all those before it.
    pub(in crate::decode) fn skips_labels(&self) -> bool {
        self.labels.keys().enumerate().any(|(position, index)| position != *index)
    }

    /// The specification.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the schema of the body: everything the specification mentions.
    pub fn schema(&self) -> &BodySchema {
        &self.schema
    }

    /// Returns the schema of the body and of all bodies in it.
    pub fn nested_schema(&self) -> NestedSchema {
        self.nested_schema_within(&mut Unbounded)
    }

    /// [`BodySpec::nested_schema`] within bounds: it lacks what came after they ended it.
    ///
    /// ```
    /// use hcl_eval::Type;
    /// use hcl_eval::decode::{AttributeSpec, BodySpec, Spec};
    /// use hcl_syntax::config::Unbounded;
    ///
    /// let spec = BodySpec::from(Spec::from(AttributeSpec::new("port", Type::Number)));
    /// assert_eq!(spec.nested_schema_within(&mut Unbounded).body.attributes.len(), 1);
    /// ```
    pub fn nested_schema_within(&self, bounds: &mut dyn Bounds) -> NestedSchema {
        let n_names = self.schema.attributes.len() + self.schema.blocks.len();
        if !bounds.next_item() || !bounds.has_room(n_names.saturating_mul(BYTES_OF_NAME)) {
            return NestedSchema::default();
        }
        let inner = |(block_type, spec): (&str, Option<&Arc<Self>>)| {
            let nested = stack::grow(u32::MAX, || Some(spec?.nested_schema_within(bounds)));
            Some((block_type.to_owned(), nested?))
        };
        let blocks = self.block_specs().into_iter().filter_map(inner).collect();
        NestedSchema { body: self.schema.clone(), blocks }
    }

    /// The type of the value; dynamic where it depends on the body.
    pub fn implied_type(&self) -> Type {
        self.ty.clone()
    }

    /// How the bodies of the blocks of each type are decoded; nothing for those whose attributes are taken
    /// whatever their names. Of several specifications for one type the last counts.
    pub fn block_specs(&self) -> HashMap<&str, Option<&Arc<BodySpec>>> {
        let mut found = HashMap::default();
        self.spec.visit(&mut |spec| {
            found.extend(spec.blocks_read().map(|(block_type, nested)| (block_type.as_str(), nested)));
            true
        });
        found
    }
}

/// How much memory a name of a schema takes in a copy, with the place of a block type in tables.
const BYTES_OF_NAME: usize = 128;

impl From<Spec> for BodySpec {
    fn from(spec: Spec) -> Self {
        Self::new(spec)
    }
}
