//! `hcl template`: render a template file to standard output.

use std::path::Path;

use hcl_eval::convert::convert;
use hcl_eval::eval::evaluate;
use hcl_eval::types::Type;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::parse_template;
use hcl_syntax::source::{Grammar, Pos, Source};

use crate::args::TemplateArguments;
use crate::eval::{disclosed, no_text, refused};
use crate::output::{Failure, Outcome, print_exactly, read_input, report};
use crate::watch::watch;
use crate::{host, scope};

/// Runs the verb. Nothing is added to the text, so that what is rendered is what the template says.
///
/// # Errors
/// A file can't be read, an argument makes no sense, or nothing can be written.
pub fn run(arguments: &TemplateArguments) -> Result<Outcome, Failure> {
    if !arguments.watch {
        return render(arguments);
    }
    let scope = &arguments.scope;
    let inputs = [arguments.file.as_path()].into_iter().chain(scope.given.files());
    let inputs = inputs.map(Path::to_owned).chain(scope.modules.iter().cloned());
    let inputs: Vec<_> = inputs.collect();
    watch(&inputs, |_| false, || render(arguments).map(|_| ()))
}

/// Renders the template once.
fn render(arguments: &TemplateArguments) -> Result<Outcome, Failure> {
    let (text, diagnostics) = rendered(arguments)?;
    report(&diagnostics, &arguments.reporting)?;
    if let Some(text) = text {
        print_exactly(&text)?;
    }
    Ok(Outcome::of(&diagnostics))
}

/// The text, unless something is wrong. None of it is given if any part is marked to be kept from view.
fn rendered(arguments: &TemplateArguments) -> Result<(Option<String>, Diagnostics), Failure> {
    let (name, bytes) = read_input(&arguments.file)?;
    let source = Source::with_grammar(&name, bytes, Grammar::Template, Pos::START)
        .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    let (parsed, mut diagnostics) = parse_template(source, &scope::parse_limits(&arguments.limits));
    let host = host::allowing(&arguments.scope.allow)?;
    let (names, more) = scope::names(&arguments.scope, &arguments.limits, &host)?;
    diagnostics.extend(more);
    if has_errors(&diagnostics) {
        return Ok((None, diagnostics));
    }
    let options = scope::evaluation_options(&arguments.limits, &host);
    let (scope, more) = names.scope_for(&parsed, &options);
    diagnostics.extend(more);
    let Some(scope) = scope.filter(|_| !has_errors(&diagnostics)) else { return Ok((None, diagnostics)) };
    let (value, more) = evaluate(parsed.expression(), Some(&scope), &options);
    diagnostics.extend(more);
    if has_errors(&diagnostics) {
        return Ok((None, diagnostics));
    }
    if let Err(more) = disclosed(&value, parsed.expression()) {
        diagnostics.extend(more);
        return Ok((None, diagnostics));
    }
    // A template that is a single interpolation has the value of the expression within.
    match convert(&value, &Type::String) {
        Ok(text) => match text.as_str() {
            Some(text) => Ok((Some(text.to_owned()), diagnostics)),
            None => {
                diagnostics.push(no_text(&text, parsed.expression()));
                Ok((None, diagnostics))
            }
        },
        Err(error) => {
            diagnostics.push(refused(&error, parsed.expression()));
            Ok((None, diagnostics))
        }
    }
}
