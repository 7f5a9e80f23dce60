//! Where the values of variables come from: the environment, files, and the command line.
//!
//! Sources come in a fixed order, the weakest first: the default, `PKR_VAR_NAME`, the automatic files of the template's
//! folder, the files that are named, in their order, and the values that are named, wherever they stand between the
//! files. A value that does not fit is an error even if a stronger one takes its place.

use hcl_eval::Value;
use hcl_eval::host::Host;
use hcl_syntax::config::{ConfigBody, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

use super::error;
use super::session::Session;
use super::variable::{Assignment, Origin, Reading, Variable};
use crate::files::{Files, join, read_body, too_large};
use crate::inputs::{Given, has_declarations};
use crate::place::Place;

/// Where values are looked for.
pub(super) struct Sources<'s> {
    pub(super) files: &'s dyn Files,
    /// The host that knows the environment.
    pub(super) host: Option<&'s dyn Host>,
    /// The folder with files that are read without being named; `None` for a template that is a file.
    pub(super) folder: Option<&'s str>,
    pub(super) given: &'s [Given],
    pub(super) limits: &'s ParseLimits,
}

/// A value of the command line, by the name of its variable.
enum Argument<'s> {
    /// A text that is read by the variable's type.
    Text(&'s str),
    /// A text that is the value.
    Literal(&'s str),
    /// A value of the caller.
    Value(&'s Value),
}

/// Gives variables their values.
pub(super) fn gather(
    variables: &mut IndexMap<String, Variable>,
    sources: &Sources<'_>,
    session: &mut Session<'_>,
) {
    let limits = sources.limits;
    if let Some(host) = sources.host {
        for variable in variables.values_mut() {
            if !session.evaluation.bounds().next_item() {
                return;
            }
            if let Ok(text) = host.environment_variable(&format!("PKR_VAR_{}", variable.name)) {
                take_text(variable, &text, Origin::Environment, limits, session);
            }
        }
    }
    if let Some(folder) = sources.folder {
        let names = sources.files.names_in(folder).unwrap_or_default();
        for name in automatic(names) {
            read_file(&join(folder, &name), variables, sources, session);
        }
    }
    // Values of the command line beat all files, wherever they stand; of several for one variable the last counts.
    let mut arguments: IndexMap<&str, Argument<'_>> = IndexMap::default();
    for given in sources.given {
        match given {
            Given::File(path) => read_file(path, variables, sources, session),
            Given::Value { name, value } => {
                arguments.insert(name, Argument::Value(value));
            }
            Given::Text { name, text } => {
                arguments.insert(name, Argument::Literal(text));
            }
            Given::Assignment(assignment) => match assignment.split_once('=') {
                Some((name, text)) => {
                    arguments.insert(name, Argument::Text(text));
                }
                None => session.diagnostics.push(error::no_assignment(assignment)),
            },
        }
    }
    for (name, argument) in arguments {
        if !session.evaluation.may_report(&session.diagnostics) {
            break;
        }
        let Some(variable) = variables.get_mut(name) else {
            session.diagnostics.push(error::undeclared_argument(name));
            continue;
        };
        match argument {
            Argument::Text(text) => take_text(variable, text, Origin::CommandLine, limits, session),
            Argument::Literal(text) => take_literal(variable, text, Origin::CommandLine, session),
            Argument::Value(value) => take(variable, value, Origin::CommandLine, None, session),
        }
    }
}

/// The files of values that are read without being named: native ones before those of JSON syntax, each by name.
/// Unlike Terraform, Packer has none without `.auto.` in their names.
fn automatic(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    let of = |ending: &'static str| names.iter().filter(move |name| name.ends_with(ending)).cloned();
    of(".auto.pkrvars.hcl").chain(of(".auto.pkrvars.json")).collect()
}

/// Takes a text as the variable's type wants it.
fn take_text(
    variable: &mut Variable,
    text: &str,
    origin: Origin,
    limits: &ParseLimits,
    session: &mut Session<'_>,
) {
    if variable.reading() == Reading::Literal {
        return take_literal(variable, text, origin, session);
    }
    let before = session.diagnostics.len();
    if let Some((value, place)) = value_of_text(variable, text, origin, limits, session) {
        take(variable, &value, origin, Some(place), session);
    }
    variable.withhold(before, session);
}

/// Takes a text as it is.
fn take_literal(variable: &mut Variable, text: &str, origin: Origin, session: &mut Session<'_>) {
    match session.evaluation.text(text) {
        Ok(value) => take(variable, &value, origin, None, session),
        Err(limit) => session.diagnostics.extend(limit),
    }
}

/// The value of a text that is an expression, and its place in the text; none if it is in error. Messages name the
/// text after its variable and its origin, as the product does.
fn value_of_text(
    variable: &Variable,
    text: &str,
    origin: Origin,
    limits: &ParseLimits,
    session: &mut Session<'_>,
) -> Option<(Value, Place)> {
    let from = if origin == Origin::Environment { "env" } else { "arguments" };
    let source = match Source::new(
        &format!("<value for var.{} from {from}>", variable.name),
        text.as_bytes().to_vec(),
    ) {
        Ok(source) => source,
        Err(error) => {
            session.diagnostics.push(too_large(&variable.name, &error));
            return None;
        }
    };
    let (parsed, problems) = parse_expression(source, limits);
    let failed = has_errors(&problems);
    session.diagnostics.extend(problems);
    if failed {
        return None;
    }
    let expression = parsed.expression();
    let (value, problems) = session.evaluation.evaluate_syntax(expression, None);
    let failed = has_errors(&problems);
    session.diagnostics.extend(problems);
    (!failed).then(|| (value, Place::new(expression.tree().source(), expression.span())))
}

/// Takes a value, brought to the type, in place of the one before it. A value that does not fit leaves that one as it
/// is, and is told.
fn take(
    variable: &mut Variable,
    value: &Value,
    origin: Origin,
    place: Option<Place>,
    session: &mut Session<'_>,
) {
    let fitted = session.evaluation.fit(value, &variable.constraint, place.as_ref().map(Place::in_source));
    match fitted {
        Err(limit) => session.diagnostics.extend(limit),
        Ok(Ok(value)) => variable.assignment = Some(Assignment { origin, value, place }),
        Ok(Err(problem)) => session.diagnostics.push(match origin {
            Origin::CommandLine => error::unfit_argument(&variable.name, &problem),
            _ => error::unfit_value(&variable.name, &problem, place.as_ref()),
        }),
    }
}

/// Takes the values of a file. The end of its name tells the syntax.
fn read_file(
    path: &str,
    variables: &mut IndexMap<String, Variable>,
    sources: &Sources<'_>,
    session: &mut Session<'_>,
) {
    let is_json = path.ends_with(".json");
    if !is_json && !path.ends_with(".hcl") {
        return session.diagnostics.push(error::unknown_format(path));
    }
    let bytes = match sources.files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => return session.diagnostics.push(error::unreadable(path, &error)),
    };
    let Some(body) = parse(path, bytes, is_json, sources.limits, session) else { return };
    if !is_json && has_declarations(&body, &mut session.evaluation, &mut session.diagnostics, declaration) {
        return;
    }
    let (attributes, problems) = session.evaluation.just_attributes(&body);
    session.diagnostics.extend(problems);
    for attribute in &attributes {
        if !session.evaluation.may_report(&session.diagnostics) {
            break;
        }
        line(attribute, variables, session);
    }
}

/// The body of a file; `None` if its syntax is in error.
pub(super) fn parse(
    path: &str,
    bytes: Vec<u8>,
    is_json: bool,
    limits: &ParseLimits,
    session: &mut Session<'_>,
) -> Option<ConfigBody> {
    match read_body(path, bytes, is_json, limits) {
        Ok((body, problems)) => {
            let failed = has_errors(&problems);
            session.diagnostics.extend(problems);
            (!failed).then_some(body)
        }
        Err(error) => {
            session.diagnostics.push(too_large(path, &error));
            None
        }
    }
}

fn declaration(block: &ContentBlock) -> Diagnostic {
    error::declaration_in_file(&Place::new(block.source(), block.type_span()))
}

/// Takes a line of a file of values. Its expression is evaluated before its variable is looked for, so that an error
/// is told also for an undeclared one.
fn line(attribute: &ContentAttribute, variables: &mut IndexMap<String, Variable>, session: &mut Session<'_>) {
    let expression = attribute.expression();
    let before = session.diagnostics.len();
    let value = session.value(&expression, None).ok();
    match (variables.get_mut(attribute.name()), value) {
        (Some(variable), value) => {
            if let Some(value) = value {
                take(variable, &value, Origin::File, Some(Place::of(&expression)), session);
            }
            variable.withhold(before, session);
        }
        (None, Some(_)) => {
            let place = Place::of_name(attribute);
            session.diagnostics.push(error::undeclared_in_file(attribute.name(), &place));
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_files_of_json_are_the_strongest() {
        let names = [
            "b.auto.pkrvars.hcl",
            "a.auto.pkrvars.json",
            ".auto.pkrvars.hcl",
            "c.pkrvars.hcl",
            "A.AUTO.PKRVARS.HCL",
        ];
        let found = automatic(names.map(str::to_owned).to_vec());
        assert_eq!(found, [".auto.pkrvars.hcl", "b.auto.pkrvars.hcl", "a.auto.pkrvars.json"]);
    }
}
