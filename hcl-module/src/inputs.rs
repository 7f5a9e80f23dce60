//! Values of the root's variables, from the environment, from files, and from the caller who loads the module.
//!
//! Sources come in an order, the weakest first, and of several values for one variable the last counts as a whole:
//! `TF_VAR_` in the environment, `terraform.tfvars`, `terraform.tfvars.json`, the `.auto.tfvars` files of either
//! syntax by name, then what is given, in the order in which it is given. Maps and objects are not merged. A text is
//! read by the type that the variable is declared with.
//!
//! A value of null counts as given. The defaults of variables, the conversion to their types and the rule about null
//! belong to the engine; here only the sources are known.

use hcl_eval::Value;
use hcl_eval::eval::Evaluation;
use hcl_eval::host::Host;
use hcl_syntax::config::{ConfigBody, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::suggest::{self, nearest_long};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;

use crate::config::Config;
use crate::declare::{Reading, ignored_attributes};
use crate::files::{FileError, Files, automatic_value_files, is_json, join, read_body, too_large};
use crate::place::Place;
use crate::release::Release;

/// A value for a variable of the root, or several.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{Given, LoadOptions, Module, TextFiles};
///
/// let files = TextFiles::from_iter([
///     ("main.tf", "variable \"zone\" {}\nvariable \"size\" {}\nvariable \"n\" {}\n"),
///     ("prod.tfvars", "n = 3\n"),
/// ]);
/// let given = vec![
///     Given::File("prod.tfvars".to_owned()),
///     Given::Assignment("zone=eu".to_owned()),
///     Given::Value { name: "size".to_owned(), value: 10.into() },
/// ];
/// let (module, problems) = Module::load(&files, &LoadOptions { given, ..LoadOptions::default() });
/// assert!(problems.is_empty());
/// let (value, _) = module.evaluate("\"${var.zone} ${var.size} ${var.n}\"", &EvalOptions::default());
/// assert_eq!(value.unwrap().as_str(), Some("eu 10 3"));
/// ```
#[derive(Clone, Debug)]
pub enum Given {
    /// A value.
    Value {
        /// The variable.
        name: String,
        /// Its value.
        value: Value,
    },
    /// A text as a command line has it: `NAME=TEXT`. Whether it is taken literally or as an expression depends on the
    /// variable's type.
    Assignment(String),
    /// A text that is the value, whatever the type.
    Text {
        /// The variable.
        name: String,
        /// Its value.
        text: String,
    },
    /// A file of values. Paths begin in the working directory.
    File(String),
}

/// The values of the root's variables, by position.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// For each variable of the root its value, and the place of the value if it is in a file.
    values: Vec<Option<(Value, Option<Place>)>>,
}

impl Inputs {
    /// The value that is given for a variable, and where it is written if it is in a file.
    pub(crate) fn value(&self, at: usize) -> Option<(&Value, Option<&Place>)> {
        let (value, place) = self.values.get(at)?.as_ref()?;
        Some((value, place.as_ref()))
    }
}

/// Where values are looked for.
pub(crate) struct Sources<'s> {
    pub(crate) files: &'s dyn Files,
    /// The host that knows the environment; `None` if the environment does not count.
    pub(crate) host: Option<&'s dyn Host>,
    /// The folder with files that are read without being named; `None` if they do not count.
    pub(crate) folder: Option<&'s str>,
    pub(crate) given: &'s [Given],
    pub(crate) limits: &'s ParseLimits,
    pub(crate) release: Release,
}

/// The undeclared names of files that are told one by one. One more warning counts the rest, as Terraform does.
const TOLD: usize = 2;

/// The values so far, and what it takes to read more.
struct Gathering<'s, 'e> {
    sources: &'s Sources<'s>,
    config: &'s Config,
    inputs: Inputs,
    /// An evaluation without names and functions, as the expressions of values have none.
    evaluation: &'s mut Evaluation<'e>,
    /// The undeclared names in files.
    n_undeclared: usize,
    diagnostics: Diagnostics,
}

/// Gathers the values of the root's variables.
pub(crate) fn gather(
    config: &Config,
    sources: &Sources<'_>,
    evaluation: &mut Evaluation<'_>,
) -> (Inputs, Diagnostics) {
    let inputs = Inputs { values: vec![None; config.variables.len()] };
    let mut gathering =
        Gathering { sources, config, inputs, evaluation, n_undeclared: 0, diagnostics: Diagnostics::new() };
    gathering.environment();
    if let Some(folder) = sources.folder
        && gathering.evaluation.limit_with(0).is_none()
    {
        for name in automatic_value_files(sources.files.names_in(folder).unwrap_or_default()) {
            gathering.file(&join(folder, &name));
        }
    }
    for given in sources.given {
        if !gathering.evaluation.may_report(&gathering.diagnostics) {
            break;
        }
        gathering.given(given);
    }
    if let Some(n_more) = gathering.n_undeclared.checked_sub(TOLD + 1) {
        gathering.diagnostics.push(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(
                "module.value.undeclared",
                "Values for undeclared variables",
                format!(
                    "There are {} more values for variables that the module does not declare.",
                    n_more + 1
                ),
            )
        });
    }
    (gathering.inputs, gathering.diagnostics)
}

impl Gathering<'_, '_> {
    /// Reads `TF_VAR_NAME` of the declared variables. Other names of that form are ignored, as the products do.
    fn environment(&mut self) {
        let Some(host) = self.sources.host else { return };
        for at in 0..self.config.variables.len() {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            let Some((name, _)) = self.config.variables.get_index(at) else { continue };
            if let Ok(text) = host.environment_variable(&format!("TF_VAR_{name}")) {
                self.text(at, &text);
            }
        }
    }

    /// Takes a value of the caller. An undeclared name is an error here; in files it is a warning.
    fn given(&mut self, given: &Given) {
        match given {
            Given::Value { name, value } => {
                if let Some(at) = self.declared(name) {
                    self.inputs.values[at] = Some((value.clone(), None));
                }
            }
            Given::Text { name, text } => {
                if let Some(at) = self.declared(name) {
                    self.literal(at, text);
                }
            }
            Given::Assignment(assignment) => match assignment.split_once('=') {
                Some((name, text)) if !name.ends_with(' ') => {
                    if let Some(at) = self.declared(name) {
                        self.text(at, text);
                    }
                }
                _ => {
                    let detail = format!(
                        "A value is given as NAME=VALUE, without a blank before the equals sign; \"{assignment}\" is not."
                    );
                    self.diagnostics.push(Diagnostic::error(
                        "module.value.option",
                        "Invalid -var option",
                        detail,
                    ));
                }
            },
            Given::File(path) => self.file(path),
        }
    }

    /// The position of a variable; complains if it is not declared.
    fn declared(&mut self, name: &str) -> Option<usize> {
        let at = self.config.variables.get_index_of(name);
        if at.is_none() {
            let title = "Value for undeclared variable";
            self.evaluation.bounds().goes_on(suggest::MOST_PARTS);
            let detail = undeclared(name, self.config);
            self.diagnostics.push(Diagnostic::error("module.value.undeclared", title, detail));
        }
        at
    }

    /// Takes a text for a variable. Without a type, and for primitive types, the text is a string, which is converted
    /// later; for all other types, `any` included, it is an expression. So `-var s=null` is the text "null".
    fn text(&mut self, at: usize, text: &str) {
        let Some((name, declared)) = self.config.variables.get_index(at) else { return };
        if declared.reading == Reading::Literal {
            return self.literal(at, text);
        }
        let source = match Source::new(&format!("<value for var.{name}>"), text.as_bytes().to_vec()) {
            Ok(source) => source,
            Err(error) => return self.diagnostics.push(too_large(name, &error)),
        };
        let (parsed, problems) = parse_expression(source, self.sources.limits);
        let is_syntax = !has_errors(&problems);
        self.diagnostics.extend(problems);
        if is_syntax {
            let (value, problems) = self.evaluation.evaluate_syntax(parsed.expression(), None);
            self.diagnostics.extend(problems);
            if self.sources.release.tells_ignored_attributes() {
                self.diagnostics.extend(ignored_attributes(parsed.expression(), declared));
            }
            self.inputs.values[at] = Some((value, None));
        }
    }

    /// Takes a text as it is.
    fn literal(&mut self, at: usize, text: &str) {
        match self.evaluation.text(text) {
            Ok(value) => self.inputs.values[at] = Some((value, None)),
            Err(limit) => self.diagnostics.extend(limit),
        }
    }

    /// The attributes of a file. Strings of JSON syntax are what they are, not templates.
    fn file(&mut self, path: &str) {
        let bytes = match self.sources.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.diagnostics.push(unreadable(path, &error)),
        };
        let (body, problems) = match read_body(path, bytes, is_json(path), self.sources.limits) {
            Ok(parsed) => parsed,
            Err(error) => return self.diagnostics.push(too_large(path, &error)),
        };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return;
        }
        if !is_json(path) && has_declarations(&body, self.evaluation, &mut self.diagnostics, declaration) {
            return;
        }
        let (attributes, problems) = self.evaluation.just_attributes(&body);
        self.diagnostics.extend(problems);
        for attribute in &attributes {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            self.line(attribute);
        }
    }

    /// Takes an attribute of a file. One whose evaluation fails gives no value, so that an earlier source counts.
    fn line(&mut self, attribute: &ContentAttribute) {
        let expression = attribute.expression();
        let (value, problems) = self.evaluation.evaluate(&expression, None);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return;
        }
        match self.config.variables.get_index_of(attribute.name()) {
            Some(at) => self.inputs.values[at] = Some((value, Some(Place::of(&expression)))),
            None => {
                self.n_undeclared += 1;
                if self.n_undeclared <= TOLD {
                    let detail = undeclared(attribute.name(), self.config);
                    let place = Place::of_name(attribute);
                    let title = "Value for undeclared variable";
                    self.diagnostics.push(place.warning("module.value.undeclared", title, detail));
                }
            }
        }
    }
}

/// The complaint about a value for a variable that is not there.
fn undeclared(name: &str, config: &Config) -> String {
    let near = nearest_long(name, config.variables.keys().map(String::as_str));
    let hint = near.map_or_else(String::new, |near| format!(" Did you mean \"{near}\"?"));
    format!("A value is given for \"{name}\", but the module declares no variable of that name.{hint}")
}

/// The complaint about a file that can't be read. It has no place, also where an argument names the file.
fn unreadable(path: &str, error: &FileError) -> Diagnostic {
    let detail = format!("The file {path} can't be read: {error}.");
    Diagnostic::error("module.value.file", "Failed to read variables file", detail)
}

/// Complains of `variable` blocks in a file of values, as far as the limits allow: the text that they belong to is another.
/// Blocks of other types are complained of when the attributes are read.
pub(crate) fn has_declarations(
    body: &ConfigBody,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
    complaint: fn(&ContentBlock) -> Diagnostic,
) -> bool {
    let schema = BodySchema::default().block("variable", &["name"]);
    let (content, _, _) = body.partial_content_within(&schema, evaluation.bounds());
    for block in &content.blocks {
        if !evaluation.may_report(diagnostics) {
            break;
        }
        diagnostics.push(complaint(block));
    }
    !content.blocks.is_empty()
}

/// The complaint about a `variable` block.
fn declaration(block: &ContentBlock) -> Diagnostic {
    let detail = "A file of values has lines NAME = VALUE. Variables are declared by the module.".to_owned();
    let place = Place::new(block.source(), block.type_span());
    place.error("module.value.file", "Variable declaration in .tfvars file", detail)
}
