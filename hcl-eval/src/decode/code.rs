//! The codes of diagnostics about decoding and about specifications, each with its meaning in a line.

use hcl_syntax::diagnostic::code::Code;

/// `port = "http", where a number is expected`
pub(crate) const ATTRIBUTE_TYPE: Code =
    Code { name: "decode.attribute_type", meaning: "The value of an argument does not fit its type." };

/// `labels { x = [] }, where strings are expected`
pub(crate) const BLOCK_ATTRIBUTE_TYPE: Code = Code {
    name: "decode.block_attribute_type",
    meaning: "The value of an argument does not fit the type of all arguments of its block.",
};

/// `labels { a = 1, b = [] }, where all are of one type`
pub(crate) const INCONSISTENT_ATTRIBUTES: Code = Code {
    name: "decode.inconsistent_attributes",
    meaning: "The arguments of a block that becomes a map have no type in common.",
};

/// `a block that must be there, left out`
pub(crate) const MISSING_BLOCK: Code =
    Code { name: "decode.missing_block", meaning: "A block that must be there is missing." };

/// `a {} and again a {}`
pub(crate) const DUPLICATE_BLOCK: Code =
    Code { name: "decode.duplicate_block", meaning: "A block that can be there once is there twice." };

/// `a "x" {} and again a "x" {}`
pub(crate) const DUPLICATE_LABELS: Code =
    Code { name: "decode.duplicate_labels", meaning: "Two blocks of a type have the same labels." };

/// `a {}, where two are expected`
pub(crate) const INSUFFICIENT_BLOCKS: Code = Code {
    name: "decode.insufficient_blocks",
    meaning: "There are fewer blocks of a type than there must be.",
};

/// `a {} and again a {}, where one is allowed`
pub(crate) const TOO_MANY_BLOCKS: Code =
    Code { name: "decode.too_many_blocks", meaning: "There are more blocks of a type than there may be." };

/// `a { x = 1 } and a { x = [] }, where x can be anything`
pub(crate) const INCONSISTENT_BLOCKS: Code = Code {
    name: "decode.inconsistent_blocks",
    meaning: "The values of several blocks have no type in common.",
};

/// `an empty specification`
pub(crate) const MISSING_SPEC: Code =
    Code { name: "spec.missing_spec", meaning: "A specification lacks the block that says what to decode." };

/// `attr "a" {} and attr "b" {}, not inside an object`
pub(crate) const EXTRANEOUS_SPEC: Code = Code {
    name: "spec.extraneous_spec",
    meaning: "A specification has several blocks where one is expected.",
};

/// `default { attr "a" {} }`
pub(crate) const USELESS_DEFAULT: Code =
    Code { name: "spec.useless_default", meaning: "A default block has nothing to fall back to." };

/// `transform { result = nested }`
pub(crate) const INVALID_TRANSFORM: Code = Code {
    name: "spec.invalid_transform",
    meaning: "A transform block does not have exactly one nested block.",
};

/// `attr { type = string }`
pub(crate) const MISSING_NAME: Code =
    Code { name: "spec.missing_name", meaning: "An attr block does not say which argument it is about." };

/// `block_list { … } without block_type`
pub(crate) const MISSING_BLOCK_TYPE: Code = Code {
    name: "spec.missing_block_type",
    meaning: "A specification does not say which blocks it is about.",
};

/// `block_map { labels = [] … }`
pub(crate) const NO_LABELS: Code =
    Code { name: "spec.no_labels", meaning: "A block_map has no labels to make keys of." };

/// `block_map { … attr { type = any } }`
pub(crate) const DYNAMIC_BLOCK_MAP: Code = Code {
    name: "spec.dynamic_block_map",
    meaning: "The values of a block_map could be of different types.",
};

/// `required = "perhaps"`
pub(crate) const ARGUMENT_VALUE: Code =
    Code { name: "spec.argument_value", meaning: "An argument of a specification is of a wrong type." };

/// `type = "string"`
pub(crate) const TYPE_EXPRESSION: Code =
    Code { name: "spec.type_expression", meaning: "The type in a specification is no type." };

/// The codes of diagnostics about decoding and specifications.
pub const DECODING: &[Code] = &[
    ATTRIBUTE_TYPE,
    BLOCK_ATTRIBUTE_TYPE,
    INCONSISTENT_ATTRIBUTES,
    MISSING_BLOCK,
    DUPLICATE_BLOCK,
    DUPLICATE_LABELS,
    INSUFFICIENT_BLOCKS,
    TOO_MANY_BLOCKS,
    INCONSISTENT_BLOCKS,
    MISSING_SPEC,
    EXTRANEOUS_SPEC,
    USELESS_DEFAULT,
    INVALID_TRANSFORM,
    MISSING_NAME,
    MISSING_BLOCK_TYPE,
    NO_LABELS,
    DYNAMIC_BLOCK_MAP,
    ARGUMENT_VALUE,
    TYPE_EXPRESSION,
];
