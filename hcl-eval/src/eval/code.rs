//! The codes of evaluation diagnostics.
//!
//! Each is documented by the shortest text that leads to it. Codes of index, attribute and conversion
//! problems are those of [`ValueErrorKind`](crate::value::ValueErrorKind).

/// `a, where no variables are allowed`
pub(crate) const VARIABLES_NOT_ALLOWED: &str = "eval.variables_not_allowed";

/// `undeclared`
pub(crate) const UNKNOWN_VARIABLE: &str = "eval.unknown_variable";

/// `a variable whose slot is empty`
pub(crate) const UNBOUND_VARIABLE: &str = "eval.unbound_variable";

/// `each, where only each.key has a value`
pub(crate) const PARTIAL_VARIABLE: &str = "eval.partial_variable";

/// `a variable that the host can't look up`
pub(crate) const LOOKUP_FAILED: &str = "eval.lookup_failed";

/// `f(), where no functions are allowed`
pub(crate) const FUNCTIONS_NOT_ALLOWED: &str = "eval.functions_not_allowed";

/// `no_such_function()`
pub(crate) const UNKNOWN_FUNCTION: &str = "eval.unknown_function";

/// `upper()`
pub(crate) const NOT_ENOUGH_ARGUMENTS: &str = "eval.call.not_enough_arguments";

/// `upper("a", "b")`
pub(crate) const TOO_MANY_ARGUMENTS: &str = "eval.call.too_many_arguments";

/// `max(null...)`
pub(crate) const EXPANDING_NULL: &str = "eval.call.expanding_null";

/// `max(1...)`
pub(crate) const EXPANDING_TYPE: &str = "eval.call.expanding_type";

/// `upper([])`
pub(crate) const INVALID_ARGUMENT: &str = "eval.call.invalid_argument";

/// `try(null.a)`
pub(crate) const CALL_FAILED: &str = "eval.call.failed";

/// `file("a.txt"), where the host allows no files`
pub(crate) const CALL_NOT_ALLOWED: &str = "eval.call.not_allowed";

/// `null ? 1 : 2`
pub(crate) const NULL_CONDITION: &str = "eval.conditional.null_condition";

/// `1 ? 2 : 3`
pub(crate) const CONDITION_TYPE: &str = "eval.conditional.condition_type";

/// `true ? 1 : []`
pub(crate) const INCONSISTENT_RESULTS: &str = "eval.conditional.inconsistent_results";

/// `true ? "a" : 1, were it to convert to numbers`
pub(crate) const RESULT_CONVERSION: &str = "eval.conditional.result_conversion";

/// `{(null) = 1}`
pub(crate) const NULL_KEY: &str = "eval.object.null_key";

/// `{([]) = 1}`
pub(crate) const KEY_TYPE: &str = "eval.object.key_type";

/// `{"a": 1, "a": 2}` in JSON syntax
pub(crate) const DUPLICATE_ATTRIBUTE: &str = "eval.object.duplicate_attribute";

/// `{a.b = 1}`
pub(crate) const AMBIGUOUS_KEY: &str = "eval.object.ambiguous_key";

/// `[for x in null : x]`
pub(crate) const ITERATION_OVER_NULL: &str = "eval.for.null_collection";

/// `[for x in 1 : x]`
pub(crate) const NOT_ITERABLE: &str = "eval.for.not_iterable";

/// `[for x in [1] : x if null]`
pub(crate) const FOR_CONDITION_NULL: &str = "eval.for.null_condition";

/// `[for x in [1] : x if 1]`
pub(crate) const FOR_CONDITION_TYPE: &str = "eval.for.condition_type";

/// `{for x in [1] : null => x}`
pub(crate) const FOR_KEY_NULL: &str = "eval.for.null_key";

/// `{for x in [1] : [] => x}`
pub(crate) const FOR_KEY_TYPE: &str = "eval.for.key_type";

/// `{for x in [1, 1] : x => x}`
pub(crate) const DUPLICATE_KEY: &str = "eval.for.duplicate_key";

/// `tolist(null)[*]`
pub(crate) const SPLAT_OF_NULL: &str = "eval.splat.null";

/// `tolist([null, "a"])[*][*]`
pub(crate) const NESTED_SPLAT: &str = "eval.splat.mixed_types";

/// `"a" + 1`
pub(crate) const OPERAND: &str = "eval.operand";

/// `0 / 0`
pub(crate) const OPERATION_FAILED: &str = "eval.operation_failed";

/// `"x${null}"`
pub(crate) const TEMPLATE_NULL: &str = "eval.template.null";

/// `"x${[]}"`
pub(crate) const TEMPLATE_TYPE: &str = "eval.template.type";
