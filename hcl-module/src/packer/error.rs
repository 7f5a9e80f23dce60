//! The wording of what is wrong with a template. Titles are Packer's, also where they break the rules that ours
//! follow. Above a function stands a text that shows the error, where its name alone does not tell.

use hcl_eval::Type;
use hcl_eval::value::ValueError;
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::diagnostic::suggest::first_similar;
use hcl_syntax::source::Range;

use super::release::Release;
use crate::declare::{says_nothing_of, unfit};
use crate::files::FileError;
use crate::place::Place;
use crate::resource_values::refused;

/// Takes out of a problem with the value of a sensitive variable what shows the value: the lines of its source, values of
/// names, and details that may quote it. Details of this module tell types only, and that of a refused capability the
/// function and the capability.
pub(super) fn withhold(name: &str, problem: &mut Diagnostic) {
    problem.source = None;
    problem.values.clear();
    if !problem.code.starts_with("packer.") && problem.code != "eval.call.not_allowed" {
        problem.detail = format!("This is about the value of var.{name}, which is sensitive and not shown.");
    }
}

/// A path without a template. `problem` says what was found in its place.
pub(super) fn no_files(path: &str, problem: &str) -> Diagnostic {
    let detail = format!(
        "{problem}. A template is a file, or the files in a folder, whose names end in .pkr.hcl or .pkr.json; case counts."
    );
    Diagnostic::error("packer.file", format!("Could not find any config file in {path}"), detail)
}

/// A file of the template or of values that can't be read.
pub(super) fn unreadable(path: &str, error: &FileError) -> Diagnostic {
    let detail = format!("The file {path} can't be read: {error}.");
    Diagnostic::error("packer.file", "Failed to read file", detail)
}

/// A file of values called otherwise than `.hcl` or `.json`.
pub(super) fn unknown_format(path: &str) -> Diagnostic {
    let detail = format!(
        "The syntax of a file of values follows from the end of its name: .hcl is native syntax, .json is JSON. \
         Rename {path}."
    );
    Diagnostic::error("packer.file", format!("Could not guess format of {path}"), detail)
}

/// `sensitive = "perhaps"`
pub(super) fn unsuitable(name: &str, ty: &Type, problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("The argument \"{name}\" takes a value of type {}: {problem}.", ty.to_type_text());
    at.error("packer.argument", "Unsuitable value type", detail)
}

/// `variable "1x" {}`; `what` is the kind of name.
pub(super) fn no_identifier(title: &'static str, name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The name \"{name}\" could not be referred to. A name begins with a letter or an underscore; letters, digits, \
         underscores and dashes follow."
    );
    at.error("packer.name", title, detail)
}

/// A construct that is there a second time.
pub(super) fn duplicate(title: &'static str, what: &str, first: &Range, at: &Place) -> Diagnostic {
    at.error(
        "packer.duplicate",
        title,
        format!("There is {what} at {first} already. Rename or remove one of them."),
    )
}

/// `type = number` with `default = "x"`
pub(super) fn unfit_default(name: &str, problem: &ValueError, at: &Place) -> Diagnostic {
    at.error("packer.default", "Invalid default value for variable", unfit("default", name, problem))
}

/// A value of a file or the environment.
pub(super) fn unfit_value(name: &str, problem: &ValueError, at: Option<&Place>) -> Diagnostic {
    of_value("Invalid value for variable", name, problem, at)
}

/// A value of the command line.
pub(super) fn unfit_argument(name: &str, problem: &ValueError) -> Diagnostic {
    of_value("Invalid argument value for -var variable", name, problem, None)
}

/// A value that does not convert to the type, with the path to the part that does not.
fn of_value(title: &'static str, name: &str, problem: &ValueError, at: Option<&Place>) -> Diagnostic {
    Place::error_perhaps_at(at, "packer.value", title, unfit("value", name, problem))
}

/// `-var zone`
pub(super) fn no_assignment(text: &str) -> Diagnostic {
    let detail = format!("In \"{text}\" there is no NAME=VALUE.");
    Diagnostic::error("packer.value", "Invalid -var option", detail)
}

/// The detail about a value for no variable.
fn not_declared(name: &str) -> String {
    format!("A value is given for \"{name}\", but the template declares no variable of that name.")
}

/// A value of the command line for no variable.
pub(super) fn undeclared_argument(name: &str) -> Diagnostic {
    Diagnostic::error("packer.undeclared", "Undefined -var variable", not_declared(name))
}

/// A line of a file of values for no variable, which Packer lets pass.
pub(super) fn undeclared_in_file(name: &str, at: &Place) -> Diagnostic {
    at.warning("packer.undeclared", "Undefined variable", not_declared(name))
}

/// A `variable` block in a file of values.
pub(super) fn declaration_in_file(at: &Place) -> Diagnostic {
    let detail =
        "A file of values has lines NAME = VALUE. Variables are declared by the template.".to_owned();
    at.error("packer.values_file", "Variable declaration in a .pkrvar file", detail)
}

/// A variable without a value.
pub(super) fn unset(name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The variable has no default, so it needs a value: --var '{name}=…', PKR_VAR_{name} in the \
         environment, or a line in a file for --var-file."
    );
    at.error("packer.unset", format!("Unset variable \"{name}\""), detail)
}

/// `condition = var.other > 1`
pub(super) fn foreign_reference(reference: &str, name: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The condition mentions {reference}, but it may refer to the variable that it is of and to nothing else: \
         var.{name}, with its attributes and elements behind that."
    );
    at.error("packer.validation", "Invalid reference in variable validation", detail)
}

/// `condition = true`
pub(super) fn condition_of_something_else(name: &str, at: &Place) -> Diagnostic {
    at.error("packer.validation", "Invalid variable validation condition", says_nothing_of(name))
}

/// `error_message = "bad"`
pub(super) fn no_sentence(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "The message is shown as it is, so it has to be a sentence: {problem}. Begin with a capital letter, and end \
         with a full stop, a question mark or an exclamation mark."
    );
    at.error("packer.validation", "Invalid validation error message", detail)
}

/// `condition = var.text`
pub(super) fn condition_is_no_bool(problem: &str, at: &Place) -> Diagnostic {
    let detail = format!("A condition gives true or false: {problem}.");
    at.error("packer.validation", "Invalid variable validation result", detail)
}

/// A value that a condition refuses. `origin` is where the value comes from; `rule` is where the condition is.
pub(super) fn condition_fails(origin: &str, message: &str, rule: &Range, at: Option<&Place>) -> Diagnostic {
    let title = format!("Invalid value for {origin} variable");
    let detail = format!("{message}\n\nThe rule is at {rule}.");
    Place::error_perhaps_at(at, "packer.refused", title, detail)
}

/// `local "x" {}`
pub(super) fn no_expression(name: &str, at: &Place) -> Diagnostic {
    let detail = format!("The block of local.{name} has no argument \"expression\", which is its value.");
    at.error("packer.argument", "Missing required argument", detail)
}

/// Locals and data sources that have no order; each problem is a sentence.
pub(super) fn no_graph(problems: &[String]) -> Diagnostic {
    let detail = format!(
        "Locals and data sources are evaluated each after those that it needs, and there is no such order. {}",
        problems.join(" ")
    );
    Diagnostic::error("packer.graph", "failed to prepare execution graph", detail)
}

/// `required_version` that the chosen release does not meet.
pub(super) fn unsupported_version(wanted: &str, release: Release, at: &Place) -> Diagnostic {
    let [major, minor, patch] = release.version();
    let detail = format!(
        "The template demands Packer {wanted}, and the rules here are those of {major}.{minor}.{patch}. Choose a release that \
         it allows."
    );
    at.error("packer.version", "Unsupported Packer Core version", detail)
}

/// A construct that only later releases have; `what` names it.
pub(super) fn later(
    title: &'static str,
    what: &str,
    since: &str,
    release: Release,
    at: &Place,
) -> Diagnostic {
    let [major, minor, _] = release.version();
    let detail = format!(
        "Packer has {what} since {since}, and the rules here are those of {major}.{minor}. Choose a later release, or do \
         without."
    );
    at.error("packer.later", title, detail)
}

/// `required_version = "new"`
pub(super) fn no_constraint(text: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "\"{text}\" is no condition on versions. Write versions with operators, such as >= 1.2 or ~> 1.0; several are \
         separated by commas."
    );
    at.error("packer.version", "Invalid version constraint", detail)
}

/// A problem with a line of `required_plugins`.
pub(super) fn plugin(title: &'static str, detail: String, at: &Place) -> Diagnostic {
    at.error("packer.plugin", title, detail)
}

/// `sources = ["x"]`
pub(super) fn no_source_reference(text: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "\"{text}\" is no reference to a source, which is written \"source.TYPE.NAME\" or \"TYPE.NAME\"."
    );
    at.error("packer.source", "Invalid source reference", detail)
}

/// A build that uses a source without a block; `near` is a name that was perhaps meant.
pub(super) fn unknown_source(reference: &str, near: Option<&str>, at: &Place) -> Diagnostic {
    let hint = near.map_or_else(String::new, |near| format!(" Did you mean {near}?"));
    let detail = format!("The template has no such source block.{hint}");
    at.error("packer.source", format!("Unknown source {reference}"), detail)
}

/// A build without sources.
pub(super) fn no_source(at: &Place) -> Diagnostic {
    let detail = "A build needs a source: name some in the list \"sources\", or in source blocks.".to_owned();
    at.error("packer.source", "missing source reference", detail)
}

/// `pause_before = "10 s"`
pub(super) fn no_duration(name: &str, text: &str, at: &Place) -> Diagnostic {
    let detail = format!(
        "\"{text}\" is no duration. Write numbers with units, such as 1m30s; units are h, m, s, ms, us and ns."
    );
    at.error("packer.build", format!("Failed to parse {name} duration"), detail)
}

/// `override = [1]`; `part` is the attribute of it that is no object.
pub(super) fn override_is_no_object(part: Option<&str>, at: &Place) -> Diagnostic {
    let which = part.map_or_else(String::new, |name| format!(".'{name}'"));
    let title = format!("provisioner's override{which} block must be an HCL object");
    let detail = "An override is an object with the names of sources, and for each an object with arguments."
        .to_owned();
    at.error("packer.build", title, detail)
}

/// A block that a build or template can have once.
pub(super) fn only_one(what: &str, first: &Range, at: &Place) -> Diagnostic {
    let title = format!("Only one {what} is allowed");
    at.error("packer.build", title, format!("There is one at {first} already. Remove one of them."))
}

/// `only` and `except` at once. Packer gives no place.
pub(super) fn only_and_except(at: &Place) -> Diagnostic {
    let detail = format!("The block at {} has both. Of \"only\" and \"except\" one is enough.", at.range());
    Diagnostic::error("packer.build", "only one of 'only' or 'except' may be specified", detail)
}

/// `bucket_name = "a b"`
pub(super) fn bucket_name(name: &str, at: &Place) -> Diagnostic {
    let title = "hcp_packer_registry.bucket_name can only contain between 3 and 36 ASCII letters, numbers and hyphens";
    at.error("packer.registry", title, format!("The name is \"{name}\". Choose another."))
}

/// A value that the host gives to something that is no data source.
pub(super) fn no_data_address(address: &str) -> Diagnostic {
    let detail = "a template has data sources only, and the address of one is data.TYPE.NAME.";
    refused(address, "Invalid address", detail)
}

/// A value that the host gives to a data source that is not declared.
pub(super) fn undeclared_data(address: &str, known: &[String]) -> Diagnostic {
    let hint = first_similar(address, known.iter().map(String::as_str));
    let hint = hint.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
    let detail = format!("the template declares no such data source.{hint}");
    refused(address, "Reference to undeclared resource", &detail)
}
