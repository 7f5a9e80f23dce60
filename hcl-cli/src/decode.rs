//! `hcl decode`: make one JSON value of files, as a specification says.

use std::sync::Arc;

use hcl_eval::decode::{SpecFile, decode, variables, variables_of_dynamic};
use hcl_eval::dynamic::{Body, Expansion, Needed};
use hcl_eval::eval::Scope;
use hcl_eval::value::Value;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};

use crate::args::DecodeArguments;
use crate::configuration::{Configuration, Syntax};
use crate::decoded::{Nulls, Types, decoded_json};
use crate::output::{Failure, Outcome, print, read_input, report};
use crate::references::references_json;
use crate::{host, module, scope};

/// Runs the verb.
///
/// # Errors
/// A file can't be read, or nothing can be written.
pub fn run(arguments: &DecodeArguments) -> Result<Outcome, Failure> {
    let (text, diagnostics) = decoded(arguments)?;
    report(&diagnostics, &arguments.reporting)?;
    if let Some(text) = text {
        print(&text)?;
    }
    Ok(Outcome::of(&diagnostics))
}

/// Decodes the body, and returns the text to print unless something is wrong.
fn decoded(arguments: &DecodeArguments) -> Result<(Option<String>, Diagnostics), Failure> {
    let host = host::allowing(&arguments.scope.allow)?;
    let options = scope::evaluation_options(&arguments.limits, &host);
    let (body, mut diagnostics) = read(&[&arguments.spec], |_, _| Syntax::Native, arguments)?;
    let (spec, more) = SpecFile::read(&body, &options);
    // A specification with syntax errors is not complained of twice.
    if !has_errors(&diagnostics) {
        diagnostics.extend(more);
    }
    let paths: Vec<_> = arguments.files.iter().collect();
    let (body, more) = read(&paths, Syntax::of_input, arguments)?;
    diagnostics.extend(more);
    // A file may be the module itself: what defines names is then no part of what is decoded.
    let body = match arguments.scope.modules.is_empty() {
        true => body,
        false => module::without_definitions(&body, arguments.scope.dialect),
    };
    let (scope, more) = scope::build(&arguments.scope, &arguments.limits, &host)?;
    diagnostics.extend(more);
    if has_errors(&diagnostics) {
        return Ok((None, diagnostics));
    }
    let scope = with_specification(&scope, &spec);
    let body = if arguments.dynamic {
        Body::expanding(body, Arc::new(Expansion::new(Some(Arc::clone(&scope)))))
    } else {
        Body::from(body)
    };
    // References are told of the body as it is written, without decoding it.
    if arguments.var_refs {
        let found = if arguments.dynamic {
            variables_of_dynamic(&body, &spec.root, Needed::ForAll)
        } else {
            variables(body.written(), &spec.root)
        };
        return Ok((Some(references_json(&found, Some(&scope))), diagnostics));
    }
    let (value, more) = decode(&body, &spec.root, Some(&scope), &options);
    diagnostics.extend(more);
    if has_errors(&diagnostics) {
        return Ok((None, diagnostics));
    }
    let text = written(&value, arguments).map_err(|problems| diagnostics.extend(problems)).ok();
    Ok((text, diagnostics))
}

/// Files as one body, in which attributes are unique and blocks stand in the order of the files.
fn read(
    paths: &[&std::path::PathBuf],
    syntax: impl Fn(&str, &[u8]) -> Syntax,
    arguments: &DecodeArguments,
) -> Result<(ConfigBody, Diagnostics), Failure> {
    let limits = scope::parse_limits(&arguments.limits);
    let mut bodies = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for path in paths {
        let (name, bytes) = read_input(path)?;
        let syntax = syntax(&name, &bytes);
        let (configuration, problems) = Configuration::parse_with(&name, bytes, syntax, &limits)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        bodies.push(configuration.body);
        diagnostics.extend(problems);
    }
    let body = match <[ConfigBody; 1]>::try_from(bodies) {
        Ok([only]) => only,
        Err(bodies) => ConfigBody::merged(bodies),
    };
    Ok((body, diagnostics))
}

/// The scope with the variables and functions of a specification. What the command line defines wins.
fn with_specification(scope: &Arc<Scope>, spec: &SpecFile) -> Arc<Scope> {
    let mut builder = Scope::builder().parent(Arc::clone(scope)).functions(Arc::new(spec.functions.clone()));
    for (name, value) in &spec.variables {
        if !scope.variable_names().any(|known| known == name) {
            builder = builder.variable(name, value.clone());
        }
    }
    builder.build()
}

/// A value as it is printed. One with parts that were marked to be kept from view is refused as a whole.
fn written(value: &Value, arguments: &DecodeArguments) -> Result<String, Diagnostics> {
    let (plain, marks) = value.unmark_deep();
    if let Some(mark) = marks.iter().find(|mark| matches!(mark.name(), "sensitive" | "ephemeral")) {
        let detail = format!(
            "Something in the value is {mark}, so it is not printed. Use nonsensitive() where it may be seen.",
            mark = mark.name()
        );
        return Err(vec![Diagnostic::error("decode.output.hidden", "Hidden value", detail)]);
    }
    let types = if arguments.with_type { Types::Included } else { Types::Omitted };
    let nulls = if arguments.keep_nulls { Nulls::Kept } else { Nulls::Removed };
    let max_bytes = scope::output_limit(&arguments.limits);
    decoded_json(&plain, types, nulls, max_bytes).map_err(|error| {
        if error.is_too_long {
            return vec![Diagnostic::error("limit.output", "Output too long", error.message)];
        }
        let detail = format!("The value can't be written as JSON: {}.", error.message);
        vec![Diagnostic::error("decode.output.unsuitable", "Value without JSON form", detail)]
    })
}
