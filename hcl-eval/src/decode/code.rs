//! The codes of diagnostics about decoding and about specifications.

/// `port = "http", where a number is expected`
pub(crate) const ATTRIBUTE_TYPE: &str = "decode.attribute_type";

/// `labels { x = [] }, where strings are expected`
pub(crate) const BLOCK_ATTRIBUTE_TYPE: &str = "decode.block_attribute_type";

/// `labels { a = 1, b = [] }, where all are of one type`
pub(crate) const INCONSISTENT_ATTRIBUTES: &str = "decode.inconsistent_attributes";

/// `a block that must be there, left out`
pub(crate) const MISSING_BLOCK: &str = "decode.missing_block";

/// `a {} and again a {}`
pub(crate) const DUPLICATE_BLOCK: &str = "decode.duplicate_block";

/// `a "x" {} and again a "x" {}`
pub(crate) const DUPLICATE_LABELS: &str = "decode.duplicate_labels";

/// `a {}, where two are expected`
pub(crate) const INSUFFICIENT_BLOCKS: &str = "decode.insufficient_blocks";

/// `a {} and again a {}, where one is allowed`
pub(crate) const TOO_MANY_BLOCKS: &str = "decode.too_many_blocks";

/// `a { x = 1 } and a { x = [] }, where x can be anything`
pub(crate) const INCONSISTENT_BLOCKS: &str = "decode.inconsistent_blocks";

/// `a label of what is no block, as a program in Rust may ask for it`
pub(crate) const NO_SUCH_LABEL: &str = "decode.no_such_label";

/// `a value that a program in Rust has said cannot be`
pub(crate) const REFINEMENT: &str = "decode.refinement";

/// `an empty specification`
pub(crate) const MISSING_SPEC: &str = "spec.missing_spec";

/// `attr "a" {} and attr "b" {}, not inside an object`
pub(crate) const EXTRANEOUS_SPEC: &str = "spec.extraneous_spec";

/// `default { attr "a" {} }`
pub(crate) const USELESS_DEFAULT: &str = "spec.useless_default";

/// `transform { result = nested }`
pub(crate) const INVALID_TRANSFORM: &str = "spec.invalid_transform";

/// `attr { type = string }`
pub(crate) const MISSING_NAME: &str = "spec.missing_name";

/// `block_label { index = 1 } without that of index 0`
pub(crate) const BLOCK_LABEL: &str = "spec.block_label";

/// `block_list { … } without block_type`
pub(crate) const MISSING_BLOCK_TYPE: &str = "spec.missing_block_type";

/// `block_map { labels = [] … }`
pub(crate) const NO_LABELS: &str = "spec.no_labels";

/// `block_map { … attr { type = any } }`
pub(crate) const DYNAMIC_BLOCK_MAP: &str = "spec.dynamic_block_map";

/// `required = "perhaps"`
pub(crate) const ARGUMENT_VALUE: &str = "spec.argument_value";

/// `type = "string"`
pub(crate) const TYPE_EXPRESSION: &str = "spec.type_expression";
