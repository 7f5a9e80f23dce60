//! The wording of evaluation errors, with their summaries and codes.
//!
//! Summaries are those of the reference implementation, because tools match on them. Where value code or
//! conversions found the problem, their sentence is taken over.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use hcl_syntax::diagnostic::{MAX_DETAIL, suggest};
use hcl_syntax::source::Range;

use super::code;
use crate::function::{Function, Parameter};
use crate::limits::LimitReached;
use crate::value::ValueError;
use crate::value::error::sentence;

/// A problem without a place.
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) summary: Cow<'static, str>,
    pub(crate) detail: String,
}

fn problem(code: &'static str, summary: &'static str, detail: impl Into<String>) -> Problem {
    Problem { code, summary: summary.into(), detail: detail.into() }
}

/// A detail, which may quote texts: of a long one the middle is left out, and never made.
fn told(detail: fmt::Arguments<'_>) -> String {
    let mut kept = Kept::default();
    // It takes whatever is written.
    let _ = kept.write_fmt(detail);
    kept.finish()
}

/// The bytes of the beginning and of the end that are shown of a detail longer than [`MAX_DETAIL`].
const START: usize = MAX_DETAIL / 2;
const END: usize = MAX_DETAIL / 4;

/// The parts of a text that are shown.
#[derive(Default)]
struct Kept {
    /// All of it, up to [`MAX_DETAIL`].
    start: String,
    /// The last [`END`] bytes at least.
    end: String,
    len: usize,
}

impl fmt::Write for Kept {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_DETAIL.saturating_sub(self.len);
        self.start.push_str(&text[..text.floor_char_boundary(room)]);
        let last = &text[text.ceil_char_boundary(text.len().saturating_sub(END))..];
        let n_before = self.end.ceil_char_boundary((self.end.len() + last.len()).saturating_sub(END));
        self.end.drain(..n_before);
        self.end.push_str(last);
        self.len += text.len();
        Ok(())
    }
}

impl Kept {
    fn finish(mut self) -> String {
        if self.len <= MAX_DETAIL {
            return self.start;
        }
        self.start.truncate(self.start.floor_char_boundary(START));
        let n_left_out = self.len - self.start.len() - self.end.len();
        format!("{} … ({n_left_out} bytes are not shown) … {}", self.start, self.end)
    }
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| told(format_args!(" Did you mean \"{name}\"?")))
}

fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

impl From<&ValueError> for Problem {
    fn from(error: &ValueError) -> Self {
        Problem { code: error.code(), summary: error.summary().into(), detail: error.detail() }
    }
}

pub(crate) fn lookup_failed(name: &str, why: &str) -> Problem {
    let detail = told(format_args!("The value of \"{name}\" could not be looked up: {}", sentence(why)));
    problem(code::LOOKUP_FAILED, "Variable lookup failed", detail)
}

/// Of a variable about which the diagnostics before this one speak, at other places.
pub(crate) fn lookup_diagnosed(name: &str) -> Problem {
    lookup_failed(name, "the diagnostics before this one say why")
}

pub(crate) fn variables_not_allowed(name: &str) -> Problem {
    let detail = told(format_args!("Variables can't be used here, so \"{name}\" has no meaning."));
    problem(code::VARIABLES_NOT_ALLOWED, "Variables not allowed", detail)
}

pub(crate) fn unknown_variable(name: &str, known: &[&str]) -> Problem {
    let hint = did_you_mean(suggest::first_similar(name, known.iter().copied()));
    let detail = told(format_args!("There is no variable named \"{name}\".{hint}"));
    problem(code::UNKNOWN_VARIABLE, "Unknown variable", detail)
}

pub(crate) fn unbound_slot(name: &str) -> Problem {
    let detail = told(format_args!(
        "The variable \"{name}\" is declared, but this evaluation was given no value for it."
    ));
    problem(code::UNBOUND_VARIABLE, "Variable without value", detail)
}

/// A variable of which only some `paths` have values, used as `written`. Of all `n` paths the first are given.
pub(crate) fn only_paths(name: &str, written: &str, paths: &[&str], n: usize) -> Problem {
    let detail = match suggest::first_similar(written, paths.iter().copied()) {
        Some(similar) => told(format_args!("There is no \"{written}\".{}", did_you_mean(Some(similar)))),
        None if written == name => told(format_args!(
            "The variable \"{name}\" can't be used as a whole here, but only {}.",
            some_of(paths, n)
        )),
        None => told(format_args!(
            "There is no \"{written}\"; what there is of \"{name}\" is {}.",
            some_of(paths, n)
        )),
    };
    problem(code::PARTIAL_VARIABLE, "Unknown variable", detail)
}

/// The first few of `n` names, of which some may be missing at the end of the list.
fn some_of(names: &[&str], n: usize) -> String {
    const SHOWN: usize = 8;
    match n.checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

pub(crate) fn functions_not_allowed(name: &str) -> Problem {
    let detail = told(format_args!("Functions can't be called here, so \"{name}\" has no meaning."));
    problem(code::FUNCTIONS_NOT_ALLOWED, "Function calls not allowed", detail)
}

/// A function that a later release of the dialect has.
pub(crate) fn later_function(name: &str, reason: &str) -> Problem {
    let detail = told(format_args!(
        "There is no function of the name \"{name}\" here: {reason}. Choose a later release, or do without it."
    ));
    problem(code::UNKNOWN_FUNCTION, "Call to unknown function", detail)
}

pub(crate) fn unknown_function(name: &str, known: &[&str]) -> Problem {
    let detail = match name.rfind("::") {
        None => {
            let hint = did_you_mean(suggest::first_similar(name, known.iter().copied()));
            told(format_args!("There is no function named \"{name}\".{hint}"))
        }
        Some(separator) => {
            let (namespace, own) = name.split_at(separator + 2);
            let mut others = known.iter().copied().filter(|other| other.starts_with(namespace)).peekable();
            if others.peek().is_none() {
                told(format_args!("There are no functions in the namespace \"{namespace}\"."))
            } else {
                let hint = did_you_mean(suggest::first_similar(name, others));
                told(format_args!(
                    "There is no function named \"{own}\" in the namespace \"{namespace}\".{hint}"
                ))
            }
        }
    };
    problem(code::UNKNOWN_FUNCTION, "Call to unknown function", detail)
}

pub(crate) fn not_enough_arguments(name: &str, function: &Function, given: usize) -> Problem {
    let wanted = function.parameters().len();
    let qualifier = if function.variadic_parameter().is_some() { "at least " } else { "" };
    let missing = function.parameters().get(given).map_or("", |parameter| parameter.name.as_str());
    let detail = told(format_args!(
        "The function \"{name}\" takes {qualifier}{}, but the call has {given}. The argument for \"{missing}\" is missing.",
        count(wanted, "argument")
    ));
    problem(code::NOT_ENOUGH_ARGUMENTS, "Not enough function arguments", detail)
}

pub(crate) fn too_many_arguments(name: &str, function: &Function, given: usize) -> Problem {
    let wanted = count(function.parameters().len(), "argument");
    let detail = told(format_args!(
        "The function \"{name}\" takes {wanted}, but the call has {given}. Leave out the rest."
    ));
    problem(code::TOO_MANY_ARGUMENTS, "Too many function arguments", detail)
}

const EXPANDING: &str = "Invalid expanding argument value";

pub(crate) fn expanding_null() -> Problem {
    let detail = "The argument before \"...\" is null. It must be a list, a set or a tuple, whose elements become the arguments.";
    problem(code::EXPANDING_NULL, EXPANDING, detail)
}

pub(crate) fn expanding_type(found: &str) -> Problem {
    let detail = told(format_args!(
        "The argument before \"...\" must be a list, a set or a tuple, whose elements become the arguments, but it is of type {found}."
    ));
    problem(code::EXPANDING_TYPE, EXPANDING, detail)
}

pub(crate) fn invalid_argument(parameter: &Parameter, path: &str, reason: &str) -> Problem {
    let place = if path.is_empty() { String::new() } else { told(format_args!(" at {path}")) };
    let detail =
        told(format_args!("Invalid value for \"{}\" parameter{place}: {}", parameter.name, sentence(reason)));
    problem(code::INVALID_ARGUMENT, "Invalid function argument", detail)
}

pub(crate) fn call_failed(name: &str, reason: &str) -> Problem {
    let detail = told(format_args!("Call to function \"{name}\" failed: {}", sentence(reason)));
    problem(code::CALL_FAILED, "Error in function call", detail)
}

/// Of a call about which the diagnostics before this one speak, at other places.
pub(crate) fn call_diagnosed(name: &str) -> Problem {
    call_failed(name, "the diagnostics before this one say why")
}

pub(crate) fn call_not_allowed(name: &str, reason: &str) -> Problem {
    Problem { code: code::CALL_NOT_ALLOWED, ..call_failed(name, reason) }
}

pub(crate) fn null_condition() -> Problem {
    problem(code::NULL_CONDITION, "Null condition", "The condition is null. It must be either true or false.")
}

pub(crate) fn condition_type(reason: &str) -> Problem {
    let detail = told(format_args!("The condition must be either true or false: {}", sentence(reason)));
    problem(code::CONDITION_TYPE, "Incorrect condition type", detail)
}

const INCONSISTENT: &str = "Inconsistent conditional result types";

pub(crate) fn inconsistent_results(reason: &str) -> Problem {
    let detail = told(format_args!(
        "Both results of a conditional must be of types that one type can stand for. {}",
        sentence(reason)
    ));
    problem(code::INCONSISTENT_RESULTS, INCONSISTENT, detail)
}

pub(crate) fn result_conversion(which: bool, reason: &str) -> Problem {
    let detail = told(format_args!(
        "The {which} result does not fit the type of the conditional: {}",
        sentence(reason)
    ));
    problem(code::RESULT_CONVERSION, INCONSISTENT, detail)
}

pub(crate) fn null_key() -> Problem {
    problem(code::NULL_KEY, "Null value as key", "The key of this item is null. A key must be a string.")
}

pub(crate) fn key_type(reason: &str) -> Problem {
    let detail = told(format_args!("This value can't be used as a key: {}", sentence(reason)));
    problem(code::KEY_TYPE, "Incorrect key type", detail)
}

pub(crate) fn null_json_key() -> Problem {
    let detail = "The name of this property is a template whose value is null. It must be a string.";
    problem(code::NULL_KEY, "Invalid object key expression", detail)
}

pub(crate) fn json_key_type(reason: &str) -> Problem {
    let detail = told(format_args!(
        "The name of this property is a template that gives no string: {}",
        sentence(reason)
    ));
    problem(code::KEY_TYPE, "Invalid object key expression", detail)
}

pub(crate) fn duplicate_attribute(name: &str, first: &Range) -> Problem {
    let detail = told(format_args!(
        "The object already has an attribute named \"{name}\", from {first}. Remove one of the two."
    ));
    problem(code::DUPLICATE_ATTRIBUTE, "Duplicate object attribute", detail)
}

pub(crate) fn ambiguous_key(text: &str) -> Problem {
    let detail = told(format_args!(
        "If this is meant to be a reference whose value is the key, write it in parentheses: ({text}). If it is meant to be the key itself, write it in quotes."
    ));
    problem(code::AMBIGUOUS_KEY, "Ambiguous attribute key", detail)
}

pub(crate) fn iteration_over_null() -> Problem {
    let detail =
        "The collection of this \"for\" is null. It must be a collection; an empty one gives no results.";
    problem(code::ITERATION_OVER_NULL, "Iteration over null value", detail)
}

pub(crate) fn not_iterable(found: &str) -> Problem {
    let detail = told(format_args!(
        "A \"for\" goes through the elements of a list, a set, a tuple, a map or an object, not through a value of type {found}."
    ));
    problem(code::NOT_ITERABLE, "Iteration over non-iterable value", detail)
}

const FOR_CONDITION: &str = "Invalid 'for' condition";

pub(crate) fn for_condition_null(summary: ForConditionNull) -> Problem {
    let detail = "The condition after \"if\" is null. It must be either true or false.";
    match summary {
        ForConditionNull::BeforeIteration => problem(code::FOR_CONDITION_NULL, "Condition is null", detail),
        ForConditionNull::OfElement => problem(code::FOR_CONDITION_NULL, FOR_CONDITION, detail),
    }
}

/// When a condition was found to be null.
#[derive(Copy, Clone)]
pub(crate) enum ForConditionNull {
    BeforeIteration,
    OfElement,
}

pub(crate) fn for_condition_type(reason: &str) -> Problem {
    let detail =
        told(format_args!("The condition after \"if\" must be either true or false: {}", sentence(reason)));
    problem(code::FOR_CONDITION_TYPE, FOR_CONDITION, detail)
}

pub(crate) fn for_key_null() -> Problem {
    let detail = "The key of a result of this \"for\" is null. A key must be a string.";
    problem(code::FOR_KEY_NULL, "Invalid object key", detail)
}

pub(crate) fn for_key_type(reason: &str) -> Problem {
    let detail =
        told(format_args!("The key of a result of this \"for\" must be a string: {}", sentence(reason)));
    problem(code::FOR_KEY_TYPE, "Invalid object key", detail)
}

/// Without a key it is one that must not be told.
pub(crate) fn duplicate_key(key: Option<&str>) -> Problem {
    let key = key.map_or_else(|| "same key".to_owned(), |key| told(format_args!("key \"{key}\"")));
    let detail = told(format_args!(
        "Two elements gave the {key}. If that is intended, put \"...\" after the value, which gathers the values of each key in a tuple."
    ));
    problem(code::DUPLICATE_KEY, "Duplicate object key", detail)
}

pub(crate) fn splat_of_null() -> Problem {
    let detail =
        "The value before \"*\" is null. It must be a list, a set or a tuple; an empty one gives no results.";
    problem(code::SPLAT_OF_NULL, "Splat of null value", detail)
}

pub(crate) fn nested_splat() -> Problem {
    let detail = "The elements gave results of different types, which no list can hold. A \"for\" expression gives a tuple instead, whose elements may differ.";
    problem(code::NESTED_SPLAT, "Invalid nested splat expressions", detail)
}

pub(crate) fn operand(side: &str, reason: &str) -> Problem {
    let detail = told(format_args!("Unsuitable value for {side} operand: {}", sentence(reason)));
    problem(code::OPERAND, "Invalid operand", detail)
}

pub(crate) fn operation_failed(error: &ValueError) -> Problem {
    problem(code::OPERATION_FAILED, "Operation failed", told(format_args!("{}", error.detail())))
}

const INTERPOLATION: &str = "Invalid template interpolation value";

pub(crate) fn template_null() -> Problem {
    let detail = "The expression is null, which has no text that could stand in a template.";
    problem(code::TEMPLATE_NULL, INTERPOLATION, detail)
}

pub(crate) fn template_type(reason: &str) -> Problem {
    let detail = told(format_args!("The value can't stand in a template: {}", sentence(reason)));
    problem(code::TEMPLATE_TYPE, INTERPOLATION, detail)
}

pub(crate) fn limit(reached: LimitReached) -> Problem {
    Problem {
        code: reached.code(),
        summary: reached.summary().into(),
        detail: reached.sentence("The evaluation"),
    }
}
