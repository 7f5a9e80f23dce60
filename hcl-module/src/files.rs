//! The files of a module: where they come from, and which names belong.
//!
//! A module does no input and output of its own. It asks a [`Files`] for the names in a folder and for the
//! content of a file; [`TextFiles`] holds texts by name, [`HostFiles`] asks the [`Host`] of evaluations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hcl_eval::host::{FileKind, Host, HostError};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashSet;
use hcl_syntax::json::parse_json;
use hcl_syntax::memory;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::{Source, SourceTooLarge, Text};

use crate::release::Release;

/// The reason that a file or folder can't be read.
///
/// ```
/// use hcl_module::{FileError, Files, TextFiles};
///
/// assert_eq!(TextFiles::default().read("main.tf"), Err(FileError::NotFound));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// There is none of that name.
    NotFound,
    /// It can't be read; the text says why.
    Failed(String),
}

/// The reason, as the end of a sentence.
///
/// ```
/// use hcl_module::FileError;
///
/// assert_eq!(FileError::NotFound.to_string(), "there is no such file or folder");
/// assert_eq!(FileError::Failed("it is locked".to_owned()).to_string(), "it is locked");
/// ```
impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFound => "there is no such file or folder",
            Self::Failed(why) => why,
        })
    }
}

/// Folders with files in them. Paths have `/` between their parts and are clean; `.` is the folder where
/// relative paths begin.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{FileError, Files, LoadOptions, Module};
///
/// /// A folder with one file, which is made when it is read.
/// struct Generated;
///
/// impl Files for Generated {
///     fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
///         if folder == "." { Ok(vec!["main.tf".to_owned()]) } else { Err(FileError::NotFound) }
///     }
///
///     fn read(&self, _path: &str) -> Result<Vec<u8>, FileError> {
///         Ok(format!("locals {{\n  n = {}\n}}\n", 42).into_bytes())
///     }
/// }
///
/// let (module, _) = Module::load(&Generated, &LoadOptions::default());
/// let (value, _) = module.evaluate("local.n", &EvalOptions::default());
/// assert_eq!(value.unwrap().to_string(), "42");
/// ```
pub trait Files: Send + Sync {
    /// The names of the files in a folder, in any order.
    ///
    /// # Errors
    /// There is no such folder, or it can't be read.
    fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError>;

    /// The content of a file.
    ///
    /// # Errors
    /// There is no such file, or it can't be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;
}

impl std::fmt::Debug for dyn Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files")
    }
}

/// Texts by path.
///
/// ```
/// use hcl_module::{Files, TextFiles};
///
/// let files = TextFiles::from_iter([("main.tf", "locals {}"), ("net/main.tf", "")]);
/// assert_eq!(files.names_in("net"), Ok(vec!["main.tf".to_owned()]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextFiles {
    /// By clean path, so that the names of a folder come in byte order.
    files: BTreeMap<String, Vec<u8>>,
}

impl TextFiles {
    /// Adds a file; one of the same path is replaced.
    #[must_use]
    pub fn with(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(clean(path), text.into());
        self
    }
}

impl<'t, T: Into<Vec<u8>>> FromIterator<(&'t str, T)> for TextFiles {
    fn from_iter<I: IntoIterator<Item = (&'t str, T)>>(files: I) -> Self {
        files.into_iter().fold(Self::default(), |all, (path, text)| all.with(path, text))
    }
}

impl Files for TextFiles {
    fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let prefix = if folder == "." { String::new() } else { format!("{folder}/") };
        let after = self.files.range(prefix.clone()..).map(|(path, _)| path);
        let inside: Vec<&str> = after.map_while(|path| path.strip_prefix(&prefix)).collect();
        if inside.is_empty() && folder != "." {
            return Err(FileError::NotFound);
        }
        Ok(inside.into_iter().filter(|name| !name.contains('/')).map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let text = self.files.get(&clean(path)).ok_or(FileError::NotFound)?;
        match memory::is_to_be_had(text.len()) {
            true => Ok(text.clone()),
            false => Err(FileError::Failed("there is no memory for a copy of it".to_owned())),
        }
    }
}

/// The files of a host.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::host::MemoryHost;
/// use hcl_module::{Files, HostFiles};
///
/// let files = HostFiles::new(Arc::new(MemoryHost::new().with_file("main.tf", "locals {}\n")));
/// assert_eq!(files.read("main.tf"), Ok(b"locals {}\n".to_vec()));
/// ```
#[derive(Clone, Debug)]
pub struct HostFiles(Arc<dyn Host>);

impl HostFiles {
    /// The most names in a folder that are asked for; a host fails if there are more.
    const MOST_NAMES: usize = 1 << 20;
    /// The longest file that is asked for, in bytes. The limits of parsing are far below it as a rule.
    const LONGEST: u64 = 1 << 30;

    /// The files that a host shows.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self(host)
    }
}

impl From<HostError> for FileError {
    fn from(error: HostError) -> Self {
        match error {
            HostError::NotFound => Self::NotFound,
            other => Self::Failed(other.to_string()),
        }
    }
}

impl Files for HostFiles {
    fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let entries = self.0.list_directory(folder, Self::MOST_NAMES)?;
        let is_file = |(name, kind): &(String, FileKind)| match kind {
            FileKind::File => true,
            FileKind::Link => self.0.file_kind(&join(folder, name)) == Ok(FileKind::File),
            FileKind::Directory | FileKind::Other => false,
        };
        Ok(entries.into_iter().filter(is_file).map(|(name, _)| name).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        Ok(self.0.read_file(path, Self::LONGEST)?)
    }
}

/// A path without `.`, without empty parts, and without `..` behind a name. The empty path is `.`. Links are not
/// looked at: `a/..` is `.`, wherever `a` leads, as Go's `path.Clean` has it.
pub(crate) fn clean(path: &str) -> String {
    let mut cleaned = String::with_capacity(path.len());
    if path.starts_with('/') {
        cleaned.push('/');
    }
    let root = cleaned.len();
    // No `..` takes away what is before here.
    let mut fixed = root;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if cleaned.len() > fixed => {
                let last = cleaned[fixed..].rfind('/').unwrap_or_default();
                cleaned.truncate(fixed + last);
            }
            ".." if root > 0 => {}
            part => {
                if cleaned.len() > root {
                    cleaned.push('/');
                }
                cleaned.push_str(part);
                if part == ".." {
                    fixed = cleaned.len();
                }
            }
        }
    }
    if cleaned.is_empty() { ".".to_owned() } else { cleaned }
}

/// A path below a folder.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if folder == "." { clean(path) } else { clean(&format!("{folder}/{path}")) }
}

/// The configuration files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// Those that declare, in the order of their names.
    pub(crate) primary: Vec<String>,
    /// Those that override, in the order of their names.
    pub(crate) overrides: Vec<String>,
}

/// Picks the configuration files out of the names in a folder.
///
/// OpenTofu has endings of its own: `x.tofu` hides `x.tf`, and `x.tofu.json` hides `x.tf.json`, but neither hides a
/// file of the other syntax. A hidden file is not even parsed. This holds for override files too, and those of both
/// kinds are merged in one order.
pub(crate) fn choose(names: Vec<String>, release: Release) -> Chosen {
    let all: BTreeSet<String> = names.into_iter().filter(|name| !is_ignored(name)).collect();
    let endings: &[&str] =
        if release.is_tofu() { &[".tf", ".tf.json", ".tofu", ".tofu.json"] } else { &[".tf", ".tf.json"] };
    let hidden: HashSet<String> = match release.is_tofu() {
        true => all.iter().filter_map(|name| hidden_by(name)).collect(),
        false => HashSet::default(),
    };
    let mut chosen = Chosen::default();
    for name in all {
        let Some(stem) = endings.iter().find_map(|ending| name.strip_suffix(ending)) else { continue };
        if hidden.contains(&name) {
            continue;
        }
        if stem == "override" || stem.ends_with("_override") {
            chosen.overrides.push(name);
        } else {
            chosen.primary.push(name);
        }
    }
    chosen
}

/// True for hidden files and for the backups and locks that editors leave.
fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

/// The name that a file of OpenTofu takes the place of.
fn hidden_by(name: &str) -> Option<String> {
    let native = name.strip_suffix(".tofu").map(|stem| format!("{stem}.tf"));
    native.or_else(|| name.strip_suffix(".tofu.json").map(|stem| format!("{stem}.tf.json")))
}

/// True if files of a name are read as JSON syntax. The last ending decides, whatever the rest of the name is.
pub(crate) fn is_json(name: &str) -> bool {
    name.ends_with(".json")
}

/// The complaint about a text that is longer than a source may be.
pub(crate) fn too_large(name: &str, why: &SourceTooLarge) -> Diagnostic {
    Diagnostic::error("limit.source", "Source too large", format!("{name}: {why}"))
}

/// The body of a file of either syntax, read within limits.
///
/// # Errors
/// The text is longer than any text may be.
pub(crate) fn read_body(
    name: &str,
    bytes: Vec<u8>,
    is_json: bool,
    limits: &ParseLimits,
) -> Result<(ConfigBody, Diagnostics), SourceTooLarge> {
    let text = Text::within(bytes, limits);
    let (body, mut problems) = if is_json {
        let (file, problems) = parse_json(Source::json(name, text)?, limits);
        (ConfigBody::from(&file), problems)
    } else {
        let (file, problems) = parse_file(Source::new(name, text)?, limits);
        (ConfigBody::from(&file), problems)
    };
    // A module tells where its declarations are.
    let found = body.sources().try_for_each(|source| source.find_lines(limits, |_| true));
    if let Err(stopped) = found {
        if !has_errors(&problems) {
            problems.push(stopped.diagnostic("Reading", name));
        }
        return Ok((ConfigBody::default(), problems));
    }
    Ok((body, problems))
}

/// The files of values that are read without being named, the weakest first.
pub(crate) fn automatic_value_files(names: Vec<String>) -> Vec<String> {
    let all: BTreeSet<String> = names.into_iter().collect();
    let named = ["terraform.tfvars", "terraform.tfvars.json"].into_iter().filter(|name| all.contains(*name));
    let is_automatic = |name: &&String| name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json");
    named.map(str::to_owned).chain(all.iter().filter(is_automatic).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn paths_are_cleaned() {
        let cases = [
            ("./a/../b", "b"),
            ("..", ".."),
            ("a/..", "."),
            (".//x", "x"),
            ("/a/../..", "/"),
            ("../../x", "../../x"),
        ];
        for (path, wanted) in cases {
            assert_eq!(clean(path), wanted, "{path}");
        }
        assert_eq!(join("a/b", "../c"), "a/c");
    }

    #[test]
    fn files_belong_by_their_names() {
        let all = names(&[
            "b.tf",
            "a.tf",
            ".h.tf",
            "x.tf~",
            "#y.tf#",
            "t.tftest.hcl",
            "override.tf",
            "z_override.tf.json",
            "myoverride.tf",
        ]);
        let chosen = choose(all, Release::TERRAFORM);
        assert_eq!(chosen.primary, ["a.tf", "b.tf", "myoverride.tf"]);
        assert_eq!(chosen.overrides, ["override.tf", "z_override.tf.json"]);
    }

    #[test]
    fn files_of_opentofu_hide_others() {
        let all = names(&["x.tf", "x.tofu", "y.tf", "y.tofu.json", "override.tf", "override.tofu"]);
        let chosen = choose(all, Release::OPENTOFU);
        assert_eq!(chosen.primary, ["x.tofu", "y.tf", "y.tofu.json"]);
        assert_eq!(chosen.overrides, ["override.tofu"]);
    }

    #[test]
    fn files_of_values_are_found() {
        let all =
            names(&["z.auto.tfvars", "10.auto.tfvars.json", "9.auto.tfvars", "terraform.tfvars", "x.tfvars"]);
        let found = automatic_value_files(all);
        assert_eq!(found, ["terraform.tfvars", "10.auto.tfvars.json", "9.auto.tfvars", "z.auto.tfvars"]);
    }
}
