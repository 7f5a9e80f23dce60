//! The wording of what is wrong with a job file. Titles are those of Nomad, whose tests and documentation users know
//! them from; details are our own. Above a function stands a text that shows the error, where its name alone does not
//! tell.

use hcl_syntax::diagnostic::{Diagnostic, Severity};
use hcl_syntax::source::Range;

use crate::declare::says_nothing_of;
use crate::files::FileError;
use crate::place::Place;

/// `variable "1x" {}`
pub(super) fn name_is_no_identifier(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The variable is called \"{name}\", which could not be written as var.NAME. A name begins with a letter or \
         an underscore; letters, digits, underscores and dashes follow."
    );
    at.error("job.variable_name", "Invalid variable name", detail)
}

/// Two variables of one name, in `variable` or `variables` blocks.
pub(super) fn declared_twice(name: &str, first: &Range, at: &Place) -> Diagnostic {
    let detail =
        format!("The variable \"{name}\" is declared at {first} already. Rename or remove one of them.");
    at.error("job.variable_twice", "Duplicate variable", detail)
}

/// `description = ["x"]`
pub(super) fn description_is_no_text(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The description of a variable is a text: {problem}.");
    at.error("job.description", "Unsuitable value type", detail)
}

/// `type = number` with `default = "x"`
pub(super) fn default_does_not_fit(name: &str, problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The default of var.{name} does not fit its type: {problem}.");
    at.error("job.default", "Invalid default value for variable", detail)
}

/// The origin of a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Giver {
    /// The declaration.
    Default,
    Environment,
    File,
    /// The command line, or the caller of the library.
    Argument,
}

impl Giver {
    /// Returns the words for a value of this origin when a condition refuses it.
    fn refusal(self) -> &'static str {
        match self {
            Self::Default => "Invalid value for default variable",
            Self::Environment => "Invalid value for env variable",
            Self::File => "Invalid value for varfile variable",
            Self::Argument => "Invalid value for cmd variable",
        }
    }
}

/// A value that does not convert to the variable's type; Nomad's titles tell where it is from.
pub(super) fn value_does_not_fit(name: &str, problem: &str, giver: Giver, at: Option<&Place>) -> Diagnostic {
    let (summary, given) = match giver {
        Giver::Argument => ("Invalid argument value for -var variable", "given with -var"),
        Giver::Environment => ("Invalid value for variable", "in the environment"),
        Giver::File | Giver::Default => ("Invalid value for variable", "in the file"),
    };
    let detail = format!("The value of var.{name} {given} does not fit the variable's type: {problem}.");
    Place::error_perhaps_at(at, "job.value", summary, detail)
}

/// A variable without a default that was given no value.
pub(super) fn unset(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The variable \"{name}\" has no default, so it needs a value: --var '{name}=…', NOMAD_VAR_{name} in the \
         environment, or a line in a file for --var-file."
    );
    let summary = format!("Unset variable \"{name}\"");
    at.error("job.unset", summary, detail)
}

/// A line of a file of values for no variable; a warning unless `is_strict`, which is Nomad's default.
pub(super) fn undeclared_in_file(name: &str, is_strict: bool, at: &Place) -> Diagnostic {
    let detail = format!(
        "The file gives a value for \"{name}\", but the job declares no variable of that name. Declare it, or remove \
         the line."
    );
    with_strictness(at.error("job.undeclared", "Undefined variable", detail), is_strict)
}

/// A value on the command line for no variable.
pub(super) fn undeclared_argument(name: &str, is_strict: bool) -> Diagnostic {
    let detail = format!(
        "A value for \"{name}\" is given on the command line, but the job declares no variable of that name. Declare \
         it, or leave the value out."
    );
    with_strictness(
        Diagnostic::error("job.undeclared_argument", "Undefined -var variable", detail),
        is_strict,
    )
}

/// `-var dcs`
pub(super) fn argument_without_value(argument: &str) -> Diagnostic {
    let detail = format!(
        "\"{argument}\" has no equals sign, so it gives no variable a value, and Nomad passes over it. Write NAME=VALUE, \
         or leave it out."
    );
    with_strictness(Diagnostic::error("job.option", "Ignored -var option", detail), false)
}

/// An error in strict mode, else a warning.
fn with_strictness(diagnostic: Diagnostic, is_strict: bool) -> Diagnostic {
    let severity = if is_strict { Severity::Error } else { Severity::Warning };
    Diagnostic { severity, ..diagnostic }
}

/// A `variable` block in a file of values.
pub(super) fn declaration_in_file(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "A file of values says NAME = VALUE. The variable is declared in the job's own file; here it would be {name} = …."
    );
    at.error("job.declaration_in_file", "Variable declaration in a .var file", detail)
}

/// A `validation` block without `condition`.
pub(super) fn no_condition(at: &Place) -> Diagnostic {
    let detail = "A validation says which values are good: condition = …, with the variable itself in it.";
    at.error("job.no_condition", "Invalid variable validation specification", detail.to_owned())
}

/// `error_message = ""`
pub(super) fn message_is_no_text(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The error_message is a text that says which values are good: {problem}.");
    at.error("job.message", "Invalid validation error message", detail)
}

/// `condition = var.other > 1`
pub(super) fn foreign_reference(reference: &str, name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The condition refers to {reference}. It is about one value and knows nothing else: refer to var.{name} only."
    );
    at.error("job.foreign_reference", "Invalid reference in variable validation", detail)
}

/// `condition = true`
pub(super) fn condition_of_something_else(name: &str, at: &Place) -> Diagnostic {
    at.error("job.condition", "Invalid variable validation condition", says_nothing_of(name))
}

/// `condition = "perhaps"`
pub(super) fn condition_is_no_bool(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("A condition gives true or false: {problem}.");
    at.error("job.condition_type", "Invalid variable validation result", detail)
}

/// A value that its variable's condition refuses. The detail begins with what the job itself says.
pub(super) fn condition_fails(
    name: &str,
    message: &str,
    giver: Giver,
    at: Option<&Place>,
    condition: &Range,
) -> Diagnostic {
    let detail = format!("{message}\nThe condition of var.{name} at {condition} does not hold.");
    Place::error_perhaps_at(at, "job.validation", giver.refusal(), detail)
}

/// Local values that need each other. `circle` is a way from a local value back to it.
pub(super) fn circle(circle: &[String], at: &Place) -> Diagnostic {
    let detail = format!(
        "{} has no value yet where it is needed: the local values refer to each other in a circle, {}. Take one of the \
         references out.",
        circle.get(1).map_or("It", String::as_str),
        circle.join(" -> ")
    );
    at.error("job.circle", "Unsupported attribute", detail)
}

/// A file without a `job` block.
pub(super) fn no_job() -> Diagnostic {
    let detail = "The file has no block of type \"job\". Write one: job \"NAME\" { … }.";
    Diagnostic::error("job.missing", "Missing job block", detail)
}

/// A file with two `job` blocks.
pub(super) fn second_job(first: &Range, at: &Place) -> Diagnostic {
    let detail = format!(
        "A file has one job, and there is one at {first} already. Put this one into a file of its own."
    );
    at.error("job.duplicate", "Duplicate job block", detail)
}

/// A file of values that can't be read.
pub(super) fn unreadable(path: &str, problem: &FileError) -> Diagnostic {
    let detail = format!("The file {path} can't be read: {problem}.");
    Diagnostic::error("job.file", "Failed to read file", detail)
}

/// `env` or `meta` a second time.
pub(super) fn map_twice(name: &str, first: &Range, at: &Place) -> Diagnostic {
    let detail = format!(
        "There is one \"{name}\" at {first} already. Write all of it into one block, or into one argument."
    );
    at.error("job.map_twice", format!("Duplicate {name} block"), detail)
}

/// `env { LIST = [1] }`
pub(super) fn entry_is_no_text(name: &str, key: &str, found: &str, at: &Place) -> Diagnostic {
    let detail =
        format!("The values in \"{name}\" become text, and \"{key}\" is {found}. Write a text or a number.");
    at.error("job.unsuitable", "Unsuitable value type", detail)
}

/// `count = "many"`
pub(super) fn unsuitable(name: &str, problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The value of \"{name}\" does not fit: {problem}.");
    at.error("job.unsuitable", "Unsuitable value type", detail)
}
