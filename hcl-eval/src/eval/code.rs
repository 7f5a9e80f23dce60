//! The codes of evaluation diagnostics, each with its meaning in a line.
//!
//! Each is documented by the shortest text that leads to it. Codes of index, attribute and conversion
//! problems are those of [`ValueErrorKind`](crate::value::ValueErrorKind).

use hcl_syntax::diagnostic::code::Code;

/// `a, where no variables are allowed`
pub(crate) const VARIABLES_NOT_ALLOWED: Code =
    Code { name: "eval.variables_not_allowed", meaning: "No scope has variables, but one is used." };

/// `undeclared`
pub(crate) const UNKNOWN_VARIABLE: Code =
    Code { name: "eval.unknown_variable", meaning: "A name means nothing in any scope." };

/// `a variable whose slot is empty`
pub(crate) const UNBOUND_VARIABLE: Code =
    Code { name: "eval.unbound_variable", meaning: "A variable is declared, but the host gave it no value." };

/// `each, where only each.key has a value`
pub(crate) const PARTIAL_VARIABLE: Code = Code {
    name: "eval.partial_variable",
    meaning: "Only certain paths of a variable have values, and it is used otherwise.",
};

/// `f(), where no functions are allowed`
pub(crate) const FUNCTIONS_NOT_ALLOWED: Code =
    Code { name: "eval.functions_not_allowed", meaning: "No scope has functions, but one is called." };

/// `no_such_function()`
pub(crate) const UNKNOWN_FUNCTION: Code =
    Code { name: "eval.unknown_function", meaning: "A function is called that no scope has." };

/// `upper()`
pub(crate) const NOT_ENOUGH_ARGUMENTS: Code = Code {
    name: "eval.call.not_enough_arguments",
    meaning: "A call has fewer arguments than the function has parameters.",
};

/// `upper("a", "b")`
pub(crate) const TOO_MANY_ARGUMENTS: Code = Code {
    name: "eval.call.too_many_arguments",
    meaning: "A call has more arguments than the function takes.",
};

/// `max(null...)`
pub(crate) const EXPANDING_NULL: Code =
    Code { name: "eval.call.expanding_null", meaning: "The argument before `...` is null." };

/// `max(1...)`
pub(crate) const EXPANDING_TYPE: Code =
    Code { name: "eval.call.expanding_type", meaning: "The argument before `...` is no list, set or tuple." };

/// `upper([])`
pub(crate) const INVALID_ARGUMENT: Code = Code {
    name: "eval.call.invalid_argument",
    meaning: "An argument is of a wrong type, or the function refuses it.",
};

/// `try(null.a)`
pub(crate) const CALL_FAILED: Code =
    Code { name: "eval.call.failed", meaning: "A function could not give a result." };

/// `file("a.txt"), where the host allows no files`
pub(crate) const CALL_NOT_ALLOWED: Code = Code {
    name: "eval.call.not_allowed",
    meaning: "A function needs something of the outside world that the host does not allow.",
};

/// `null ? 1 : 2`
pub(crate) const NULL_CONDITION: Code =
    Code { name: "eval.conditional.null_condition", meaning: "The condition of a conditional is null." };

/// `1 ? 2 : 3`
pub(crate) const CONDITION_TYPE: Code = Code {
    name: "eval.conditional.condition_type",
    meaning: "The condition of a conditional is neither true nor false.",
};

/// `true ? 1 : []`
pub(crate) const INCONSISTENT_RESULTS: Code = Code {
    name: "eval.conditional.inconsistent_results",
    meaning: "The results of a conditional have no type in common.",
};

/// `true ? "a" : 1, were it to convert to numbers`
pub(crate) const RESULT_CONVERSION: Code = Code {
    name: "eval.conditional.result_conversion",
    meaning: "The chosen result does not fit the type of the conditional.",
};

/// `{(null) = 1}`
pub(crate) const NULL_KEY: Code =
    Code { name: "eval.object.null_key", meaning: "The key of an object's item is null." };

/// `{([]) = 1}`
pub(crate) const KEY_TYPE: Code =
    Code { name: "eval.object.key_type", meaning: "The key of an object's item is no string." };

/// `{"a": 1, "a": 2}` in JSON syntax
pub(crate) const DUPLICATE_ATTRIBUTE: Code = Code {
    name: "eval.object.duplicate_attribute",
    meaning: "Two properties of an object in JSON syntax have one name.",
};

/// `{a.b = 1}`
pub(crate) const AMBIGUOUS_KEY: Code = Code {
    name: "eval.object.ambiguous_key",
    meaning: "A key is a reference without parentheses around it.",
};

/// `[for x in null : x]`
pub(crate) const ITERATION_OVER_NULL: Code =
    Code { name: "eval.for.null_collection", meaning: "The collection of a `for` is null." };

/// `[for x in 1 : x]`
pub(crate) const NOT_ITERABLE: Code =
    Code { name: "eval.for.not_iterable", meaning: "The collection of a `for` has no elements." };

/// `[for x in [1] : x if null]`
pub(crate) const FOR_CONDITION_NULL: Code =
    Code { name: "eval.for.null_condition", meaning: "The condition of a `for` is null." };

/// `[for x in [1] : x if 1]`
pub(crate) const FOR_CONDITION_TYPE: Code =
    Code { name: "eval.for.condition_type", meaning: "The condition of a `for` is neither true nor false." };

/// `{for x in [1] : null => x}`
pub(crate) const FOR_KEY_NULL: Code =
    Code { name: "eval.for.null_key", meaning: "A key that a `for` gives is null." };

/// `{for x in [1] : [] => x}`
pub(crate) const FOR_KEY_TYPE: Code =
    Code { name: "eval.for.key_type", meaning: "A key that a `for` gives is no string." };

/// `{for x in [1, 1] : x => x}`
pub(crate) const DUPLICATE_KEY: Code =
    Code { name: "eval.for.duplicate_key", meaning: "Two elements gave the same key." };

/// `tolist(null)[*]`
pub(crate) const SPLAT_OF_NULL: Code =
    Code { name: "eval.splat.null", meaning: "A splat is applied to a null list, set or tuple." };

/// `tolist([null, "a"])[*][*]`
pub(crate) const NESTED_SPLAT: Code =
    Code { name: "eval.splat.mixed_types", meaning: "A splat over a list gives results of different types." };

/// `"a" + 1`
pub(crate) const OPERAND: Code = Code { name: "eval.operand", meaning: "An operand is of a wrong type." };

/// `0 / 0`
pub(crate) const OPERATION_FAILED: Code =
    Code { name: "eval.operation_failed", meaning: "An operation has no result." };

/// `"x${null}"`
pub(crate) const TEMPLATE_NULL: Code =
    Code { name: "eval.template.null", meaning: "A part of a template is null." };

/// `"x${[]}"`
pub(crate) const TEMPLATE_TYPE: Code =
    Code { name: "eval.template.type", meaning: "A part of a template has no text." };

/// The codes of the evaluator's diagnostics.
pub const EVALUATION: &[Code] = &[
    VARIABLES_NOT_ALLOWED,
    UNKNOWN_VARIABLE,
    UNBOUND_VARIABLE,
    PARTIAL_VARIABLE,
    FUNCTIONS_NOT_ALLOWED,
    UNKNOWN_FUNCTION,
    NOT_ENOUGH_ARGUMENTS,
    TOO_MANY_ARGUMENTS,
    EXPANDING_NULL,
    EXPANDING_TYPE,
    INVALID_ARGUMENT,
    CALL_FAILED,
    CALL_NOT_ALLOWED,
    NULL_CONDITION,
    CONDITION_TYPE,
    INCONSISTENT_RESULTS,
    RESULT_CONVERSION,
    NULL_KEY,
    KEY_TYPE,
    DUPLICATE_ATTRIBUTE,
    AMBIGUOUS_KEY,
    ITERATION_OVER_NULL,
    NOT_ITERABLE,
    FOR_CONDITION_NULL,
    FOR_CONDITION_TYPE,
    FOR_KEY_NULL,
    FOR_KEY_TYPE,
    DUPLICATE_KEY,
    SPLAT_OF_NULL,
    NESTED_SPLAT,
    OPERAND,
    OPERATION_FAILED,
    TEMPLATE_NULL,
    TEMPLATE_TYPE,
    Code { name: "limit.depth", meaning: "Expressions nest deeper than the limit." },
    Code { name: "limit.steps", meaning: "The evaluation takes more steps than the limit." },
    Code { name: "limit.elements", meaning: "More elements are made than the limit." },
    Code { name: "limit.output", meaning: "More text is made than the limit." },
    Code { name: "limit.diagnostics", meaning: "The evaluation was given up after many problems." },
    Code { name: "limit.deadline", meaning: "The evaluation did not end in time." },
    Code { name: "limit.cancelled", meaning: "The evaluation was cancelled by the host." },
];
