//! Packer's templates: a file, or the files in a folder, whose names end in `.pkr.hcl` or `.pkr.json`.
//!
//! A [`Template`] is read in two phases, as Packer reads it. What is wrong in the first ends the work: syntax, the
//! version demanded, blocks and arguments, declarations, values for variables. In the second, variables are validated,
//! then locals and data sources are evaluated in the order of what they need, then sources and builds are read. Each
//! of these steps is done whatever the others complain of. What belongs to plugins, the arguments of sources,
//! provisioners and post-processors, is evaluated by [`Template::builds`].
//!
//! ```
//! use hcl_module::TextFiles;
//! use hcl_module::packer::{Template, TemplateOptions};
//!
//! let files = TextFiles::from_iter([(
//!     "web.pkr.hcl",
//!     r#"
//!     variable "release" { default = "1.2" }
//!     source "docker" "web" { image = "debian:${var.release}" }
//!     build { sources = ["source.docker.web"] }
//!     "#,
//! )]);
//! let (template, problems) = Template::read(".", &files, &TemplateOptions::default());
//! assert!(problems.is_empty());
//! let (builds, problems) = template.builds(&Default::default());
//! assert!(problems.is_empty());
//! let image = builds[0].sources[0].body.attribute("image");
//! assert_eq!(image.and_then(|image| image.as_str()), Some("debian:1.2"));
//! ```

mod build;
mod configuration;
mod data;
mod error;
mod host;
mod names;
mod order;
mod release;
mod secrets;
mod session;
mod settings;
mod structure;
mod uses;
mod validation;
mod values;
mod variable;

use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::host::Host;
use hcl_syntax::config::{Bounds, ConfigBody};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::parser::ParseLimits;

use crate::entry::{Entry, EntryKind};
use crate::files::{Files, join};
use crate::inputs::Given;
use crate::place::Place;
use crate::resource_values::ResourceValue;

pub use build::SourceName;
pub use host::FolderHost;
pub use names::with_names;
pub use release::Release;
pub use secrets::Secrets;
pub use uses::{Build, EvaluatedStep, SourceUse};

use build::Builds;
use configuration::Configuration;
use session::Session;
use variable::Variable;

/// The options of reading a template.
///
/// ```
/// use hcl_module::packer::{Template, TemplateOptions};
/// use hcl_module::{Given, TextFiles};
/// use hcl_syntax::diagnostic::IntoResult;
///
/// let files = TextFiles::from_iter([("image.pkr.hcl", "variable \"zone\" {\n  type = string\n}\n")]);
/// let given = vec![Given::Assignment("zone=eu".to_owned())];
/// let options = TemplateOptions { given, ..TemplateOptions::default() };
/// let template = Template::read(".", &files, &options).into_result()?;
/// assert_eq!(template.variables()["zone"].as_str(), Some("eu"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TemplateOptions<'a> {
    /// The release whose rules hold.
    pub release: Release,
    /// Values of variables and files of values, as the command line has them.
    pub given: Vec<Given>,
    /// True if variables may have no value: it is unknown then, and what is made of it. Neither the environment nor files
    /// of values that are read by themselves count then.
    pub may_lack_values: bool,
    /// The results of data sources, by their addresses `data.TYPE.NAME`; of several for one the last counts. All others
    /// are unknown.
    pub resource_values: Vec<ResourceValue>,
    /// Bounds of the parse.
    pub parse_limits: ParseLimits,
    /// Bounds of each phase, and the outside world: the environment, and what functions may ask.
    pub evaluation: EvalOptions<'a>,
}

/// A template that has been read.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions};
/// use hcl_syntax::diagnostic::IntoResult;
///
/// let text = r#"
/// source "null" "vm" {
///   communicator = "none"
/// }
/// build {
///   sources = ["source.null.vm"]
///   provisioner "shell" {
///     inline = ["echo ${source.name}"]
///   }
/// }
/// "#;
/// let files = TextFiles::from_iter([("image.pkr.hcl", text)]);
/// let template = Template::read(".", &files, &TemplateOptions::default()).into_result()?;
/// let builds = template.builds(&EvalOptions::default()).into_result()?;
/// let shell = &builds[0].sources[0].provisioners[0];
/// assert_eq!(shell.step_type, "shell");
/// assert_eq!(shell.body.attribute("inline").unwrap().to_json().unwrap(), r#"["echo vm"]"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Debug)]
pub struct Template {
    release: Release,
    /// `path.root`
    folder: String,
    variables: IndexMap<String, Value>,
    locals: IndexMap<String, Value>,
    /// The texts that are not to be shown.
    secrets: Secrets,
    /// The scope of an expression beside the template.
    outside: Arc<Scope>,
    /// The scope of an expression within the template, with data sources.
    inside: Arc<Scope>,
    /// The sources and builds, not yet evaluated.
    builds: Builds,
    declared: Vec<Entry>,
}

impl Template {
    /// Reads the template at a path: a folder or a file.
    ///
    /// After errors the template has what could be found out; with errors of the first phase that is nothing.
    pub fn read(path: &str, files: &dyn Files, options: &TemplateOptions<'_>) -> (Self, Diagnostics) {
        let (location, found) = Location::of(path, files);
        let mut reading =
            Reading { options, files, session: Session::new(options.release, &options.evaluation) };
        let configuration = match found {
            Ok(names) => reading.parse(&location, &names),
            Err(problem) => {
                reading.session.diagnostics.push(error::no_files(path, &problem));
                Configuration::default()
            }
        };
        let diagnostics = reading.session.told();
        if has_errors(&diagnostics) {
            let (template, _) = reading.initialise(&location, &Configuration::default());
            return (template, diagnostics);
        }
        reading.session.diagnostics = diagnostics;
        let (template, problems) = reading.initialise(&location, &configuration);
        let mut diagnostics = reading.session.told();
        diagnostics.extend(problems);
        (template, diagnostics)
    }

    /// The folder in which relative paths of its functions begin; also `path.root`.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The names that an expression beside the template sees, with the functions: `var`, `local`, `path`, `packer`,
    /// `source` and `build`. It is to be evaluated with the host that [`Template::host`] gives.
    pub fn scope(&self) -> &Arc<Scope> {
        &self.outside
    }

    /// A host as functions in the template see it: relative paths begin in its folder.
    pub fn host<'h>(&'h self, host: &'h dyn Host) -> FolderHost<'h> {
        FolderHost::new(&self.folder, host)
    }

    /// The values of variables, unknown for those without one.
    pub fn variables(&self) -> &IndexMap<String, Value> {
        &self.variables
    }

    /// The values of locals, as far as they were evaluated.
    pub fn locals(&self) -> &IndexMap<String, Value> {
        &self.locals
    }

    /// The texts in sensitive variables and locals, which are not to be shown.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The names of its sources, in order of type and name.
    pub fn sources(&self) -> Vec<SourceName> {
        self.source_names().into_iter().cloned().collect()
    }

    fn source_names(&self) -> Vec<&SourceName> {
        let mut names: Vec<&SourceName> = self.builds.sources.keys().collect();
        names.sort();
        names
    }

    /// Its declarations: variables, locals, data sources, then sources. After errors of the first phase that is nothing.
    pub fn declared(&self) -> &[Entry] {
        &self.declared
    }

    /// Its builds with each use of a source, evaluated. A build whose head is in error is not among them.
    pub fn builds(&self, options: &EvalOptions<'_>) -> (Vec<Build>, Diagnostics) {
        let based = options.host.map(|host| self.host(host));
        let host = based.as_ref().map(|host| host as &dyn Host);
        let mut session = Session::new(self.release, &EvalOptions { host, ..options.clone() });
        let builds = uses::all(&self.builds, &self.inside, &mut session);
        (builds, session.told())
    }

    /// Its sources and builds as one value; none if a limit has ended the work. It is an object: `sources`, a tuple of types
    /// with names, and `builds`.
    ///
    /// A build has `name`, `description` and `sources`. Each use of a source has `type`, `name` (what the build calls it),
    /// `source` (what its block calls it), `body`, `provisioners`, `post_processors` and, if there is one,
    /// `error_cleanup`. A provisioner or post-processor has `type`, `name` and `body`. A body has `attributes` and, if
    /// there are any, `blocks`, each with `type`, `labels` (null without any) and `body`.
    ///
    /// ```
    /// use hcl_module::TextFiles;
    /// use hcl_module::packer::{Template, TemplateOptions};
    ///
    /// let text = "source \"null\" \"x\" {}\nbuild {\n  sources = [\"null.x\"]\n}\n";
    /// let files = TextFiles::from_iter([("a.pkr.hcl", text)]);
    /// let (template, _) = Template::read(".", &files, &TemplateOptions::default());
    /// let (whole, _) = template.structure(&Default::default());
    /// let sources = whole.unwrap().get_attribute("sources").and_then(|names| names.len());
    /// assert_eq!(sources, Some(1));
    /// ```
    pub fn structure(&self, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        let based = options.host.map(|host| self.host(host));
        let host = based.as_ref().map(|host| host as &dyn Host);
        let mut session = Session::new(self.release, &EvalOptions { host, ..options.clone() });
        let builds = uses::all(&self.builds, &self.inside, &mut session);
        if session.evaluation.stopped() {
            return (None, session.told());
        }
        match structure::structure(&self.source_names(), &builds, &mut session.evaluation) {
            Ok(whole) => (Some(whole), session.told()),
            Err(limit) => {
                session.diagnostics.extend(limit);
                (None, session.told())
            }
        }
    }
}

/// Where a template is.
struct Location {
    /// `path.root`
    folder: String,
    /// The folder with automatic files of values.
    automatic: Option<String>,
}

impl Location {
    /// The folder and the files of a template; what was found instead if it has none. A template that is a file is
    /// alone: automatic files of values are not read beside it.
    fn of(path: &str, files: &dyn Files) -> (Self, Result<Vec<String>, String>) {
        match files.names_in(path) {
            Ok(names) => {
                let location = Self { folder: path.to_owned(), automatic: Some(path.to_owned()) };
                let names = chosen(names).into_iter().map(|name| join(path, &name)).collect::<Vec<_>>();
                let found =
                    if names.is_empty() { Err("No file in the folder is one".to_owned()) } else { Ok(names) };
                (location, found)
            }
            Err(problem) => {
                let folder = path
                    .rsplit_once('/')
                    .map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder });
                let location = Self { folder: folder.to_owned(), automatic: None };
                let found = match files.read(path) {
                    Ok(_) if is_template(path) => Ok(vec![path.to_owned()]),
                    Ok(_) => Err("The name of the file is not that of a template".to_owned()),
                    Err(why) if why == problem => Err(format!("It can't be read: {why}")),
                    Err(why) => Err(format!("It can't be read: {why}; as a folder: {problem}")),
                };
                (location, found)
            }
        }
    }
}

/// True if a file belongs to a template, by its name.
///
/// ```
/// assert!(hcl_module::packer::is_template("image.pkr.hcl"));
/// assert!(!hcl_module::packer::is_template("main.tf"));
/// ```
pub fn is_template(name: &str) -> bool {
    name.ends_with(".pkr.hcl") || name.ends_with(".pkr.json")
}

/// The files of a template, native ones before those of JSON syntax.
fn chosen(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| is_template(name));
    names.sort_by(|a, b| (a.ends_with(".json"), a).cmp(&(b.ends_with(".json"), b)));
    names
}

/// A template being read.
struct Reading<'r, 'a> {
    options: &'r TemplateOptions<'a>,
    files: &'r dyn Files,
    /// The evaluations of the first phase.
    session: Session<'a>,
}

impl Reading<'_, '_> {
    /// The first phase: everything up to the values of variables.
    fn parse(&mut self, location: &Location, names: &[String]) -> Configuration {
        let bodies = self.bodies(names);
        if has_errors(&self.session.diagnostics)
            || settings::check_version(&bodies, &mut self.session).is_err()
        {
            return Configuration::default();
        }
        let defaults = names::functions_of_defaults();
        let mut configuration = configuration::read(&bodies, &defaults, &mut self.session);
        let sources = values::Sources {
            files: self.files,
            host: self.options.evaluation.host.filter(|_| !self.options.may_lack_values),
            folder: location.automatic.as_deref().filter(|_| !self.options.may_lack_values),
            given: &self.options.given,
            limits: &self.options.parse_limits,
        };
        values::gather(&mut configuration.variables, &sources, &mut self.session);
        configuration
    }

    /// The files of the template, parsed. All are read, so that each tells its syntax errors.
    fn bodies(&mut self, names: &[String]) -> Vec<ConfigBody> {
        let mut bodies = Vec::with_capacity(names.len());
        for name in names {
            match self.files.read(name) {
                Ok(bytes) => {
                    let limits = &self.options.parse_limits;
                    let is_json = name.ends_with(".json");
                    bodies.extend(values::parse(name, bytes, is_json, limits, &mut self.session));
                }
                Err(problem) => self.session.diagnostics.push(error::unreadable(name, &problem)),
            }
        }
        bodies
    }

    /// The second phase, with a session of its own: functions see paths from the template's folder on, while
    /// conditions of variables see them from the working directory on.
    fn initialise(&mut self, location: &Location, configuration: &Configuration) -> (Template, Diagnostics) {
        let functions = names::functions(self.options.release);
        for variable in configuration.variables.values() {
            if !self.session.evaluation.may_report(&self.session.diagnostics) {
                break;
            }
            if variable.assignment.is_none() && !self.options.may_lack_values {
                self.session.diagnostics.push(error::unset(&variable.name, &variable.place));
            }
            validation::check(variable, &functions, &mut self.session);
        }
        let based = self.options.evaluation.host.map(|host| FolderHost::new(&location.folder, host));
        let host = based.as_ref().map(|host| host as &dyn Host);
        let mut session =
            Session::new(self.options.release, &EvalOptions { host, ..self.options.evaluation.clone() });
        let variables = configuration.variables.values();
        let variables = variables.take_while(|_| session.evaluation.bounds().next_item());
        let variables: IndexMap<_, _> =
            variables.map(|variable| (variable.name.clone(), variable.value())).collect();
        let names = object(&variables, &mut session.evaluation);
        let builder = Scope::builder().parent(functions).variable("var", names);
        let base = with_names(builder, self.options.release, &location.folder, host).build();
        let given = data::given(&self.options.resource_values, configuration, &mut session);
        let definitions = data::evaluate(configuration, &given, &base, &mut session);
        let locals = definitions.locals(configuration, session.evaluation.bounds());
        let names = object(&locals, &mut session.evaluation);
        let outside = Scope::builder().parent(base).variable("local", names).build();
        let inside = Scope::builder()
            .parent(Arc::clone(&outside))
            .variable("data", definitions.data_object(configuration))
            .build();
        let builds = build::read(&configuration.later, &inside, &mut session);
        let secrets = secrets_of(configuration, &locals, session.evaluation.bounds());
        let declared = declared(configuration, &builds, session.evaluation.bounds());
        let folder = location.folder.clone();
        (
            Template {
                release: self.options.release,
                folder,
                variables,
                locals,
                secrets,
                outside,
                inside,
                builds,
                declared,
            },
            session.told(),
        )
    }
}

/// Values by name as an object; nothing that is known, if a limit ends that.
fn object(values: &IndexMap<String, Value>, evaluation: &mut Evaluation<'_>) -> Value {
    let mut entries = Vec::with_capacity(values.len());
    for (name, value) in values.iter().take_while(|_| evaluation.bounds().next_item()) {
        entries.push((name.as_str().into(), value.clone()));
    }
    evaluation.object_of_known(entries).unwrap_or_default()
}

/// The entries of what a template declares; fewer once `bounds` end the work.
fn declared(configuration: &Configuration, builds: &Builds, bounds: &mut dyn Bounds) -> Vec<Entry> {
    let variable = |variable: &Variable| Entry {
        ty: Some(variable.constraint.ty.without_optional()),
        is_sensitive: variable.is_sensitive,
        is_missing: variable.assignment.is_none(),
        ..Entry::new(EntryKind::Variable, format!("var.{}", variable.name), variable.place.range())
    };
    let local = |local: &configuration::Local| {
        let range = Place::of(&local.expression).range();
        let entry = Entry::new(EntryKind::Local, format!("local.{}", local.name), range);
        Entry { is_sensitive: local.is_sensitive, ..entry }
    };
    let data = |data: &configuration::Data| Entry::new(EntryKind::Data, data.address(), data.place.range());
    let source = |(name, block): (&SourceName, &build::SourceBlock)| {
        let address = format!("source.{}.{}", name.source_type, name.name);
        Entry::new(EntryKind::Source, address, block.place.range())
    };
    let all = configuration.variables.values().map(variable).chain(configuration.locals.iter().map(local));
    let all = all.chain(configuration.data.iter().map(data)).chain(builds.sources.iter().map(source));
    all.take_while(|_| bounds.next_item()).collect()
}

/// The texts of sensitive variables and locals, of which some are missing once a limit has ended the evaluation.
fn secrets_of(
    configuration: &Configuration,
    locals: &IndexMap<String, Value>,
    bounds: &mut dyn Bounds,
) -> Secrets {
    let variables = configuration.variables.values().filter(|variable| variable.is_sensitive);
    let named = configuration.locals.iter().filter(|local| local.is_sensitive);
    let named = named.map(|local| locals.get(&local.name).cloned().unwrap_or_default());
    Secrets::of(variables.map(Variable::value).chain(named), bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_by_the_ends_of_their_names() {
        let names = [
            "z.pkr.hcl",
            "a.pkr.json",
            ".h.pkr.hcl",
            "x~.pkr.hcl",
            "U.PKR.HCL",
            "o.hcl",
            "v.auto.pkrvars.hcl",
        ];
        let found = chosen(names.map(str::to_owned).to_vec());
        assert_eq!(found, [".h.pkr.hcl", "x~.pkr.hcl", "z.pkr.hcl", "a.pkr.json"]);
    }
}
