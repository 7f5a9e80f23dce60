//! The codes of diagnostics about dynamic blocks.

/// `dynamic "no_such_type" { … }`
pub(crate) const UNSUPPORTED_TYPE: &str = "dynamic.unsupported_type";

/// `for_each = null`
pub(crate) const NULL_FOR_EACH: &str = "dynamic.for_each.null";

/// `for_each = 5`
pub(crate) const FOR_EACH_TYPE: &str = "dynamic.for_each.type";

/// `iterator = upper("x")`
pub(crate) const ITERATOR_EXPRESSION: &str = "dynamic.iterator.expression";

/// `iterator = a.b`
pub(crate) const ITERATOR_NAME: &str = "dynamic.iterator.name";

/// `labels = names`
pub(crate) const LABELS_EXPRESSION: &str = "dynamic.labels.expression";

/// `labels = ["a", "b"], where one is expected`
pub(crate) const EXTRANEOUS_LABEL: &str = "dynamic.labels.extraneous";

/// `labels = [], where one is expected`
pub(crate) const INSUFFICIENT_LABELS: &str = "dynamic.labels.insufficient";

/// `labels = [[]]`
pub(crate) const LABEL_TYPE: &str = "dynamic.label.type";

/// `labels = [null]`
pub(crate) const NULL_LABEL: &str = "dynamic.label.null";

/// `labels = [known_after_apply]`
pub(crate) const UNKNOWN_LABEL: &str = "dynamic.label.unknown";

/// `labels = [secret]`
pub(crate) const MARKED_LABEL: &str = "dynamic.label.marked";

/// `dynamic "x" { for_each = [] }`
pub(crate) const MISSING_CONTENT: &str = "dynamic.content.missing";

/// `content {}` twice
pub(crate) const EXTRANEOUS_CONTENT: &str = "dynamic.content.extraneous";
