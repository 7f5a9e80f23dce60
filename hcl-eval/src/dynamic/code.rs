//! The codes of diagnostics about dynamic blocks, each with its meaning in a line.

use hcl_syntax::diagnostic::code::Code;

/// `dynamic "no_such_type" { … }`
pub(crate) const UNSUPPORTED_TYPE: Code = Code {
    name: "dynamic.unsupported_type",
    meaning: "A dynamic block is of a type that is not expected there, or may not be generated.",
};

/// `for_each = null`
pub(crate) const NULL_FOR_EACH: Code =
    Code { name: "dynamic.for_each.null", meaning: "The for_each of a dynamic block is null." };

/// `for_each = 5`
pub(crate) const FOR_EACH_TYPE: Code =
    Code { name: "dynamic.for_each.type", meaning: "The for_each of a dynamic block has no elements." };

/// `iterator = upper("x")`
pub(crate) const ITERATOR_EXPRESSION: Code =
    Code { name: "dynamic.iterator.expression", meaning: "The iterator of a dynamic block is not a name." };

/// `iterator = a.b`
pub(crate) const ITERATOR_NAME: Code = Code {
    name: "dynamic.iterator.name",
    meaning: "The iterator of a dynamic block is more than a single name.",
};

/// `labels = names`
pub(crate) const LABELS_EXPRESSION: Code = Code {
    name: "dynamic.labels.expression",
    meaning: "The labels of a dynamic block are not written as a list.",
};

/// `labels = ["a", "b"], where one is expected`
pub(crate) const EXTRANEOUS_LABEL: Code = Code {
    name: "dynamic.labels.extraneous",
    meaning: "A dynamic block has more labels than its type takes.",
};

/// `labels = [], where one is expected`
pub(crate) const INSUFFICIENT_LABELS: Code = Code {
    name: "dynamic.labels.insufficient",
    meaning: "A dynamic block has fewer labels than its type takes.",
};

/// `labels = [[]]`
pub(crate) const LABEL_TYPE: Code =
    Code { name: "dynamic.label.type", meaning: "A label of a dynamic block is not a string." };

/// `labels = [null]`
pub(crate) const NULL_LABEL: Code =
    Code { name: "dynamic.label.null", meaning: "A label of a dynamic block is null." };

/// `labels = [known_after_apply]`
pub(crate) const UNKNOWN_LABEL: Code =
    Code { name: "dynamic.label.unknown", meaning: "A label of a dynamic block is not known." };

/// `labels = [secret]`
pub(crate) const MARKED_LABEL: Code = Code {
    name: "dynamic.label.marked",
    meaning: "A label of a dynamic block is marked, for example as sensitive.",
};

/// `dynamic "x" { for_each = [] }`
pub(crate) const MISSING_CONTENT: Code =
    Code { name: "dynamic.content.missing", meaning: "A dynamic block has no content block." };

/// `content {}` twice
pub(crate) const EXTRANEOUS_CONTENT: Code =
    Code { name: "dynamic.content.extraneous", meaning: "A dynamic block has more than one content block." };

/// The codes of diagnostics about dynamic blocks.
pub const DYNAMIC: &[Code] = &[
    UNSUPPORTED_TYPE,
    NULL_FOR_EACH,
    FOR_EACH_TYPE,
    ITERATOR_EXPRESSION,
    ITERATOR_NAME,
    LABELS_EXPRESSION,
    EXTRANEOUS_LABEL,
    INSUFFICIENT_LABELS,
    LABEL_TYPE,
    NULL_LABEL,
    UNKNOWN_LABEL,
    MARKED_LABEL,
    MISSING_CONTENT,
    EXTRANEOUS_CONTENT,
];
