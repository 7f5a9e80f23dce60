//! The command `hcldec`: decoding by specification, as a drop-in for the reference's tool of that name.
//!
//! Flags, standard output, exit statuses and the form of diagnostics are the reference's. Everything goes
//! through [`run`], which sees files through [`Files`] and prints nothing itself, so that tests can ask in
//! their own process. `flags` reads the command line, `report` writes diagnostics, `references` the
//! description of variables.

mod flags;
mod report;

use std::io;
use std::sync::Arc;

use hcl_eval::Str;
use hcl_eval::decode::{BodySpec, SpecFile, decode, variables};
use hcl_eval::dynamic::Body;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::function::FunctionTable;
use hcl_eval::limits::Limits;
use hcl_eval::value::Value;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::IndexMap;

use crate::configuration::{Configuration, Syntax};
use crate::decoded::{Nulls, Types, decoded_json};
use crate::disk::path_shown_as;
use crate::output;
use crate::references::references_json;
use flags::{Options, Reading};
pub use report::Terminal;
use report::{Form, written};

/// Where the command's files are.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no such file, or it can't be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The bytes of standard input.
    ///
    /// # Errors
    /// It can't be read.
    fn read_input(&self) -> io::Result<Vec<u8>>;

    /// Makes or replaces a file.
    ///
    /// # Errors
    /// It can't be written.
    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()>;
}

/// The files of the system.
#[derive(Copy, Clone, Debug)]
pub struct SystemFiles;

impl Files for SystemFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        output::read_file(&path_shown_as(path))
    }

    fn read_input(&self) -> io::Result<Vec<u8>> {
        output::read_standard_input()
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        std::fs::write(path, contents)
    }
}

/// The outcome of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The text for standard output.
    pub stdout: String,
    /// The text for standard error.
    pub stderr: String,
    /// The exit status: 0 success, 1 the command could not do its work, 2 wrong input or wrong usage.
    pub status: u8,
}

impl Answer {
    fn success(stdout: String) -> Self {
        Self { stdout, stderr: String::new(), status: 0 }
    }

    /// Wrong usage or wrong input.
    fn usage(stderr: String) -> Self {
        Self { stdout: String::new(), stderr, status: 2 }
    }

    /// A failure of another kind, which is plain text whatever the form of diagnostics.
    fn failure(message: &str) -> Self {
        Self { stdout: String::new(), stderr: format!("Error: {message}\n\n"), status: 1 }
    }
}

/// The command as its manual page describes it; its arguments are read as the reference reads them.
pub(crate) fn command() -> clap::Command {
    flags::command()
}

/// Does what the arguments, without the command's name, ask for.
pub fn run(arguments: &[String], files: &dyn Files, terminal: Terminal) -> Answer {
    let options = match flags::read(arguments) {
        Reading::Options(options) => options,
        Reading::Usage(text) => return Answer::usage(text),
    };
    if options.version {
        return Answer::success(concat!(env!("CARGO_PKG_VERSION"), "\n").to_owned());
    }
    let form = match options.diagnostics.as_str() {
        "" => Form::Text(terminal),
        "json" => Form::Json,
        other => {
            return Answer::usage(format!(
                "Invalid diagnostics format {other:?}: only \"json\" is supported.\n"
            ));
        }
    };
    let mut run = Run { files, read: IndexMap::default(), diagnostics: Diagnostics::new() };
    let outcome = run.decode(&options);
    match outcome {
        Ok(result) => delivered(result, &options, files),
        Err(Problem::Message(message)) => Answer::failure(&message),
        Err(Problem::Reported) => Answer::usage(written(&run.diagnostics, &form, &run.read)),
    }
}

/// Puts a result where it belongs.
fn delivered(mut result: String, options: &Options, files: &dyn Files) -> Answer {
    result.push('\n');
    if options.out.is_empty() {
        return Answer::success(result);
    }
    match files.write(&options.out, result.as_bytes()) {
        Ok(()) => Answer::success(String::new()),
        Err(error) => Answer::failure(&format!("can't open {} for writing: {error}", options.out)),
    }
}

/// Why there is no result.
enum Problem {
    /// The input is wrong; the diagnostics say how.
    Reported,
    /// Something else is.
    Message(String),
}

/// A run under way.
struct Run<'f> {
    files: &'f dyn Files,
    /// The files that have been read, by name. A file that is named twice is read, and complained of, once.
    read: IndexMap<String, Configuration>,
    /// The diagnostics so far. Those of a run that succeeds are never shown, warnings included.
    diagnostics: Diagnostics,
}

impl Run<'_> {
    /// Does the work in the reference's order: specification, variables, input. Errors of the first keep the others
    /// from being looked at; those of the other two are told together, before anything is decoded.
    fn decode(&mut self, options: &Options) -> Result<String, Problem> {
        if options.spec.is_empty() {
            return Err(Problem::Message("the --spec=... argument is required".to_owned()));
        }
        let spec = self.specification(&options.spec)?;
        let scope = self.scope(&spec, options);
        let body = self.input(options)?;
        if options.var_refs {
            return Ok(references_json(&variables(&body, &spec.root), scope.as_ref()));
        }
        let value = self.decoded(&body, &spec.root, scope.as_ref(), options.files.len() > 1)?;
        let types = if options.with_type { Types::Included } else { Types::Omitted };
        let nulls = if options.keep_nulls { Nulls::Kept } else { Nulls::Removed };
        let max_bytes = usize::try_from(EvalOptions::default().limits.max_output_bytes).unwrap_or(usize::MAX);
        decoded_json(&value, types, nulls, max_bytes).map_err(|error| Problem::Message(error.message))
    }

    /// Complains, and goes on only if there is no error so far.
    fn report(&mut self, diagnostics: Diagnostics) -> Result<(), Problem> {
        self.diagnostics.extend(diagnostics);
        if has_errors(&self.diagnostics) { Err(Problem::Reported) } else { Ok(()) }
    }

    /// The body of a file, as far as it could be read.
    fn file(&mut self, path: &str, syntax: Syntax) -> Option<ConfigBody> {
        if let Some(known) = self.read.get(path) {
            return Some(known.body.clone());
        }
        match self.files.read(path) {
            Ok(bytes) => self.text(path, bytes, syntax),
            Err(_) => {
                let detail = format!("The file \"{path}\" is not there, or can't be read.");
                self.diagnostics.push(Diagnostic::error("input.unreadable", "Failed to read file", detail));
                None
            }
        }
    }

    /// Parses a text, and keeps it for the snippets of diagnostics.
    fn text(&mut self, name: &str, bytes: Vec<u8>, syntax: Syntax) -> Option<ConfigBody> {
        match Configuration::parse(name, bytes, syntax) {
            Ok((configuration, diagnostics)) => {
                let body = configuration.body.clone();
                self.read.insert(name.to_owned(), configuration);
                self.diagnostics.extend(diagnostics);
                Some(body)
            }
            Err(too_large) => {
                let detail = format!("The file \"{name}\" can't be read: {too_large}.");
                self.diagnostics.push(Diagnostic::error("input.unreadable", "Failed to read file", detail));
                None
            }
        }
    }

    /// Reads the specification, which is of native syntax whatever its name is.
    fn specification(&mut self, path: &str) -> Result<SpecFile, Problem> {
        let body = self.file(path, Syntax::Native);
        self.report(Diagnostics::new())?;
        let (spec, diagnostics) = SpecFile::read(&body.unwrap_or_default(), &options());
        // The reference gives no place for what is no type.
        let placeless = diagnostics.into_iter().map(|mut diagnostic| {
            if diagnostic.code == "spec.type_expression" {
                diagnostic.subject = None;
            }
            diagnostic
        });
        self.report(placeless.collect())?;
        Ok(spec)
    }

    /// Makes the scope of the input: variables, functions, or both. Without either there is no scope at all, which
    /// shows: names and calls have other messages then, and strings of JSON syntax are no templates.
    fn scope(&mut self, spec: &SpecFile, options: &Options) -> Option<Arc<Scope>> {
        let mut variables = spec.variables.clone();
        for (position, given) in options.variables.iter().enumerate() {
            let body = if given.trim().starts_with('{') {
                let name = format!("<vars argument {position}>");
                self.text(&name, given.clone().into_bytes(), Syntax::Json)
            } else {
                self.file(given, Syntax::of(given))
            };
            if let Some(body) = body {
                self.define(&body, &mut variables);
            }
        }
        if variables.is_empty() && spec.functions.is_empty() {
            return None;
        }
        let mut builder = Scope::builder();
        for (name, value) in variables {
            builder = builder.variable(&name, value);
        }
        Some(with_functions(builder, &spec.functions).build())
    }

    /// Takes a body's attributes as variables; later ones replace earlier ones. They are evaluated without a scope.
    fn define(&mut self, body: &ConfigBody, variables: &mut IndexMap<Str, Value>) {
        let (attributes, diagnostics) = body.just_attributes();
        self.diagnostics.extend(diagnostics);
        let mut evaluation = Evaluation::new(&options());
        for attribute in attributes {
            let (value, diagnostics) = evaluation.evaluate(&attribute.expression(), None);
            self.diagnostics.extend(diagnostics);
            variables.insert(attribute.name().into(), value);
        }
    }

    /// The input's files as one body.
    fn input(&mut self, options: &Options) -> Result<ConfigBody, Problem> {
        let mut bodies = Vec::new();
        if options.files.is_empty() {
            let unreadable = |error: io::Error| Problem::Message(format!("failed to read stdin: {error}"));
            let bytes = self.files.read_input().map_err(unreadable)?;
            bodies.extend(self.text("<stdin>", bytes, Syntax::Native));
        }
        for path in &options.files {
            bodies.extend(self.file(path, Syntax::of(path)));
        }
        self.report(Diagnostics::new())?;
        Ok(match <[ConfigBody; 1]>::try_from(bodies) {
            Ok([only]) => only,
            Err(bodies) => ConfigBody::merged(bodies),
        })
    }

    /// Decodes the input. `merged` is true if it is several files.
    fn decoded(
        &mut self,
        body: &ConfigBody,
        spec: &BodySpec,
        scope: Option<&Arc<Scope>>,
        merged: bool,
    ) -> Result<Value, Problem> {
        let (value, mut diagnostics) = decode(&Body::from(body.clone()), spec, scope, &options());
        // The reference gives no place for what is missing from several files together.
        let nowhere = body.missing_item_range().filter(|_| merged);
        for diagnostic in &mut diagnostics {
            let missing = matches!(
                &*diagnostic.code,
                "content.missing_argument" | "decode.missing_block" | "decode.insufficient_blocks"
            );
            if missing && diagnostic.subject == nowhere {
                diagnostic.subject = None;
            }
        }
        self.report(diagnostics)?;
        Ok(value)
    }
}

/// The options of all work. As the reference's tool it tells all problems, however many they are.
fn options() -> EvalOptions<'static> {
    let limits = Limits { max_diagnostics: u32::MAX, ..Limits::default() };
    EvalOptions { limits, ..EvalOptions::default() }
}

/// Adds the functions of the specification, if it defines some. An empty table would make calls errors of another
/// kind.
fn with_functions(
    builder: hcl_eval::eval::ScopeBuilder,
    functions: &FunctionTable,
) -> hcl_eval::eval::ScopeBuilder {
    if functions.is_empty() { builder } else { builder.functions(Arc::new(functions.clone())) }
}
