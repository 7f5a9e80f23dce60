//! Names in scope: the functions of a dialect, `--var` and `--var-file`.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, ScopeBuilder, evaluate, evaluate_config};
use hcl_eval::function::FunctionTable;
use hcl_eval::host::Host;
use hcl_eval::value::Value;
use hcl_module::Release;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;

use crate::args::{Dialect, GivenArgument, LimitArguments, Product, ScopeArguments};
use crate::configuration::Syntax;
use crate::names::{Names, load_module};
use crate::output::{Failure, read_input};
use crate::templates::{read_template, release};
use crate::{job, module};

/// The function library of a dialect.
pub fn functions(dialect: Dialect) -> Arc<FunctionTable> {
    dialect::by_name(dialect.name()).unwrap_or_default()
}

/// The bounds of a parse that begins now.
pub fn parse_limits(arguments: &LimitArguments) -> ParseLimits {
    let default = ParseLimits::default();
    ParseLimits {
        max_depth: arguments.max_depth.unwrap_or(default.max_depth),
        deadline: deadline(arguments),
        ..default
    }
}

/// When the time that `--timeout` gives to work that begins now is up.
fn deadline(arguments: &LimitArguments) -> Option<Instant> {
    arguments.timeout.and_then(|timeout| Instant::now().checked_add(timeout))
}

/// The bounds of an evaluation, and what functions may ask of the outside world; the clock of `--timeout`
/// starts now.
pub fn evaluation_options<'h>(arguments: &LimitArguments, host: &'h dyn Host) -> EvalOptions<'h> {
    let mut options = EvalOptions { host: Some(host), ..EvalOptions::default() };
    if let Some(steps) = arguments.max_steps {
        options.limits.max_steps = steps;
    }
    if let Some(depth) = arguments.max_depth {
        options.limits.max_depth = depth;
    }
    if let Some(bytes) = arguments.max_output {
        options.limits.max_output_bytes = bytes;
    }
    if let Some(bytes) = arguments.max_memory {
        options.limits.max_memory = bytes;
    }
    options.limits.deadline = deadline(arguments);
    options
}

/// How many bytes of text a value may be printed with.
pub fn output_limit(arguments: &LimitArguments) -> usize {
    let bytes = arguments.max_output.unwrap_or(EvalOptions::default().limits.max_output_bytes);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// A text as a source. Its name is shown in messages.
///
/// # Errors
/// The text is too long.
pub fn source(name: &str, bytes: Vec<u8>) -> Result<Source, Failure> {
    Source::new(name, bytes).map_err(|error| Failure::Usage(format!("{name}: {error}")))
}

/// A text as a source of JSON syntax.
///
/// # Errors
/// The text is too long.
pub fn json_source(name: &str, bytes: Vec<u8>) -> Result<Source, Failure> {
    Source::json(name, bytes).map_err(|error| Failure::Usage(format!("{name}: {error}")))
}

/// Returns whether a file is of JSON syntax, by its name.
pub fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The scope that the arguments ask for: functions of the dialect, and variables. What is wrong with the
/// variables is in the diagnostics.
///
/// # Errors
/// A file can't be read, or an argument makes no sense.
pub fn build(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
) -> Result<(Arc<Scope>, Diagnostics), Failure> {
    let (names, mut diagnostics) = names(arguments, limits, host)?;
    let (scope, more) = names.scope(&evaluation_options(limits, host));
    diagnostics.extend(more);
    Ok((scope, diagnostics))
}

/// The names that the arguments ask for.
///
/// # Errors
/// A file can't be read, or an argument makes no sense.
pub fn names(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
) -> Result<(Names, Diagnostics), Failure> {
    names_around(arguments, limits, host, Scope::builder())
}

/// Returns the names for expressions that stand alone: without `--module` they are evaluated as in a folder without
/// files, where products tell a module already where it is.
///
/// # Errors
/// A file can't be read, or an argument makes no sense.
pub fn names_for_console(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
) -> Result<(Names, Diagnostics), Failure> {
    let is_alone = arguments.modules.is_empty();
    let builder = Scope::builder();
    let product = arguments.dialect.product();
    let builder = match product {
        Product::Terraform | Product::Opentofu if is_alone => {
            let release = Release::by_name(arguments.dialect.name()).unwrap_or_default();
            hcl_module::with_names(builder, release, ".", Some(host))
        }
        Product::Packer if is_alone => {
            hcl_module::packer::with_names(builder, release(arguments.dialect), ".", Some(host))
        }
        _ => builder,
    };
    names_around(arguments, limits, host, builder)
}

/// Adds to a scope what the arguments ask for.
fn names_around(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
    builder: ScopeBuilder,
) -> Result<(Names, Diagnostics), Failure> {
    let table = functions(arguments.dialect);
    let mut builder = builder.functions(Arc::clone(&table)).variables_allowed();
    let is_nomad = arguments.dialect.product() == Product::Nomad;
    if is_nomad {
        builder = builder.runtime_references();
    } else if arguments.leave_unknown {
        builder = builder.leave_unknown_interpolations();
    }
    if is_nomad && let Some(path) = job::file(arguments)? {
        let (scope, diagnostics) = job::scope(path, arguments, limits, host, builder.build())?;
        return Ok((Names::Plain(scope), diagnostics));
    }
    let release = Release::by_name(arguments.dialect.name()).filter(|_| !arguments.modules.is_empty());
    if let Some(release) = release {
        let functions = builder.functions(release.functions()).build();
        return load_module(arguments, release, limits, host, functions);
    }
    if arguments.dialect.product() == Product::Packer && !arguments.modules.is_empty() {
        let (template, diagnostics) = read_template(arguments, limits, host)?;
        return Ok((Names::Template(Box::new(template)), diagnostics));
    }
    let mut definitions = Definitions {
        functions: Scope::builder().functions(table).build(),
        limits,
        host,
        values: Vec::new(),
        diagnostics: Diagnostics::new(),
    };
    for path in arguments.given.files() {
        definitions.read_file(path)?;
    }
    for given in &arguments.given.0 {
        match given {
            GivenArgument::Variable(definition) => definitions.define(definition)?,
            GivenArgument::Text(definition) => definitions.define_text(definition)?,
            GivenArgument::File(_) => {}
        }
    }
    let Definitions { values, mut diagnostics, .. } = definitions;
    if arguments.modules.is_empty() {
        if is_nomad {
            // A job without declarations has these.
            builder = ["var", "local"]
                .iter()
                .fold(builder, |builder, name| builder.variable(name, Value::object(Vec::new())));
        }
        let scope = values.into_iter().fold(builder, |builder, (name, value)| builder.variable(&name, value));
        return Ok((Names::Plain(scope.build()), diagnostics));
    }
    let surroundings = module::Surroundings {
        base: builder.build(),
        given: values,
        parse_limits: parse_limits(limits),
        options: evaluation_options(limits, host),
    };
    let (scope, more) = module::scope(&arguments.modules, surroundings)?;
    diagnostics.extend(more);
    Ok((Names::Plain(scope), diagnostics))
}

/// Variables as they are gathered. Their expressions may call functions, but use no variables.
struct Definitions<'a> {
    /// The functions that values may call.
    functions: Arc<Scope>,
    limits: &'a LimitArguments,
    host: &'a dyn Host,
    /// The values so far: those of files first, wherever they stand among the arguments.
    values: Vec<(String, Value)>,
    diagnostics: Diagnostics,
}

impl Definitions<'_> {
    /// `NAME=TEXT`
    fn define_text(&mut self, definition: &str) -> Result<(), Failure> {
        let (name, text) = parts("--var-string", "NAME=TEXT", definition)?;
        self.values.push((name.to_owned(), Value::string(text)));
        Ok(())
    }

    /// `NAME=EXPR`
    fn define(&mut self, definition: &str) -> Result<(), Failure> {
        let (name, expression) = parts("--var", "NAME=EXPR", definition)?;
        let source = source(&format!("--var {name}"), expression.as_bytes().to_vec())?;
        let (parsed, diagnostics) = parse_expression(source, &parse_limits(self.limits));
        if has_errors(&diagnostics) {
            self.diagnostics.extend(diagnostics);
            return Ok(());
        }
        let options = evaluation_options(self.limits, self.host);
        let (value, mut diagnostics) = evaluate(parsed.expression(), Some(&self.functions), &options);
        if parsed.expression().as_keyword().is_some() {
            // A text without quotes reads like a name.
            for problem in &mut diagnostics {
                let hint = format!(
                    " If a text is meant, write --var '{name}=\"{expression}\"' or --var-string '{name}={expression}'."
                );
                problem.detail.push_str(&hint);
            }
        }
        self.diagnostics.extend(diagnostics);
        self.values.push((name.to_owned(), value));
        Ok(())
    }

    /// The attributes of a file.
    fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        let (name, bytes) = read_input(path)?;
        let (body, diagnostics) = if Syntax::of_input(&name, &bytes) == Syntax::Json {
            let (file, diagnostics) = parse_json(json_source(&name, bytes)?, &parse_limits(self.limits));
            (ConfigBody::from(&file), diagnostics)
        } else {
            let (file, diagnostics) = parse_file(source(&name, bytes)?, &parse_limits(self.limits));
            (ConfigBody::from(&file), diagnostics)
        };
        let failed = has_errors(&diagnostics);
        self.diagnostics.extend(diagnostics);
        if !failed {
            self.read_body(&body);
        }
        Ok(())
    }

    /// Takes the attributes of a body. Strings of JSON syntax are what they are here, not templates.
    fn read_body(&mut self, body: &ConfigBody) {
        let (attributes, diagnostics) = body.just_attributes();
        self.diagnostics.extend(diagnostics);
        for attribute in attributes {
            let expression = attribute.expression();
            let scope = (!expression.is_json()).then_some(&*self.functions);
            let options = evaluation_options(self.limits, self.host);
            let (value, diagnostics) = evaluate_config(&expression, scope, &options);
            self.diagnostics.extend(diagnostics);
            self.values.push((attribute.name().to_owned(), value));
        }
    }
}

/// The name and the right side of a definition.
fn parts<'d>(option: &str, form: &str, definition: &'d str) -> Result<(&'d str, &'d str), Failure> {
    let refused = || Failure::Usage(format!("{option} {definition:?}: expected {form}"));
    let (name, right) = definition.split_once('=').ok_or_else(refused)?;
    let name = name.trim();
    if !is_identifier(name) {
        return Err(Failure::Usage(format!("{option} {definition:?}: {name:?} is no variable name")));
    }
    Ok((name, right))
}
