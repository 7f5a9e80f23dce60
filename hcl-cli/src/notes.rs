//! Notes on standard error, beside a result or a complaint: what it comes from, and which argument helps.
//!
//! They are for people: with `--diagnostics json` or `sarif` standard error is a document, which has none.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hcl_eval::value::Value;
use hcl_module::{DeclaredKind, GraphNode, Module, Product, Release};
use hcl_syntax::ast::{Expression, ExpressionKind, StepKind};

use crate::args::{Capability, DiagnosticForm, ReportingArguments, ScopeArguments};
use crate::names::{Names, files_of};
use crate::output::Failure;

/// How many names a note lists.
const MOST_NAMES: usize = 5;

/// Writes notes.
///
/// # Errors
/// Standard error is closed.
pub fn tell(notes: &[String], how: &ReportingArguments) -> Result<(), Failure> {
    if how.diagnostics == DiagnosticForm::Text {
        for note in notes {
            writeln!(io::stderr(), "note: {note}")?;
        }
    }
    Ok(())
}

/// The note about a folder that has no files of a kind: a wrong folder may be named.
pub fn on_empty(kind: &str, folder: &Path) -> String {
    format!("there are no files {kind} in {}", folder.display())
}

/// The note about a module that no file is of.
pub fn on_empty_module(modules: &[PathBuf], release: Release) -> Option<String> {
    let first = modules.first().filter(|_| files_of(modules, release).is_empty())?;
    Some(on_empty(kind_of_files(release), first))
}

/// The kind of files that a module is made of.
fn kind_of_files(release: Release) -> &'static str {
    match release.product() {
        Product::Terraform => "of Terraform",
        Product::Opentofu => "of OpenTofu",
    }
}

/// The notes about what is not known in the value of an expression or address: why, and how it is given. Beside errors there are
/// none, as these are the reason.
pub fn on_unknown(
    names: &Names,
    (text, value): (&str, &Value),
    arguments: &ScopeArguments,
    has_errors: bool,
) -> Vec<String> {
    if has_errors || value.is_wholly_known() {
        return Vec::new();
    }
    let general = "a part of the value is known only in a run of the product";
    let module = match names {
        Names::Module(names) => &names.module,
        Names::Plain(_) => return vec![general.to_owned()],
        Names::Template(_) => {
            return vec![format!("{general}; --value data.TYPE.NAME=EXPR gives a data source a value")];
        }
    };
    let origins = module.unknown_origins(text);
    let of = |wanted: fn(DeclaredKind) -> bool| -> Vec<&str> {
        origins.iter().filter(|one| wanted(one.kind)).map(|one| one.address.as_str()).collect()
    };
    let mut notes = Vec::new();
    let variables = of(|kind| kind == DeclaredKind::Variable);
    if let Some(first) = variables.first() {
        let name = first.trim_start_matches("var.");
        let with_allow = match arguments.allow.contains(&Capability::Environment) {
            true => "",
            false => " with --allow env",
        };
        notes.push(format!(
            "not known because {} no value: --var {name}=VALUE gives one, or TF_VAR_{name}{with_allow}",
            have(&variables)
        ));
    }
    let resources =
        of(|kind| matches!(kind, DeclaredKind::Resource | DeclaredKind::Data | DeclaredKind::Ephemeral));
    if let Some(first) = resources.first() {
        let planned = if arguments.planned { "" } else { "--planned takes what the blocks say, " };
        notes.push(format!(
            "not known because {} values only in a run: {planned}--value {first}=EXPR gives one",
            have(&resources)
        ));
    }
    let modules = of(|kind| kind == DeclaredKind::Module);
    if !modules.is_empty() {
        notes.push(format!("not known because the files of {} are not here", listed(&modules)));
    }
    if notes.is_empty() {
        notes.push(general.to_owned());
    }
    notes
}

/// The notes about an expression that names what it can't refer to.
pub fn on_names(names: &Names, expression: Expression<'_>) -> Vec<String> {
    let private = match names {
        Names::Module(names) => on_private(&names.module, expression),
        Names::Plain(_) | Names::Template(_) => None,
    };
    on_output(names, expression).into_iter().chain(private).collect()
}

/// The note about an expression that names a local, a variable or a resource of a module that is called: to others such a
/// module has outputs alone.
pub fn on_private(module: &Module, expression: Expression<'_>) -> Option<String> {
    let ExpressionKind::Traversal(traversal) = expression.kind() else { return None };
    if traversal.root() != "module" {
        return None;
    }
    let mut written = traversal.root().to_owned();
    for step in traversal.steps().iter() {
        // Keys of instances are in no address of a declaration.
        if let StepKind::Attribute(name) = step.kind {
            written.push('.');
            written.push_str(name);
        }
    }
    let begins_so = |address: &str| {
        written.strip_prefix(address).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let is_private = |node: &GraphNode| !matches!(node.kind, DeclaredKind::Output | DeclaredKind::Module);
    let graph = module.graph();
    let node = graph.iter().find(|node| is_private(node) && begins_so(&node.address))?;
    let before: usize = node.module.iter().map(|name| "module.".len() + name.len() + 1).sum();
    let own = node.address.get(before..).filter(|_| before > 0)?;
    let folder = Path::new(&*node.range.filename).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    Some(format!("{} is private to its module: hcl eval --module {folder} {own} asks there", node.address))
}

/// The note about an expression that names an output of its own module.
fn on_output(names: &Names, expression: Expression<'_>) -> Option<String> {
    let (Names::Module(_), ExpressionKind::Traversal(traversal)) = (names, expression.kind()) else {
        return None;
    };
    let name = match traversal.steps().iter().next()?.kind {
        StepKind::Attribute(name) if traversal.root() == "output" => name,
        _ => return None,
    };
    Some(format!("hcl eval --module DIR --address output.{name} gives an output of the module"))
}

/// Names as the subject of a sentence about what they have.
fn have(names: &[&str]) -> String {
    format!("{} {}", listed(names), if names.len() == 1 { "has" } else { "have" })
}

/// Names with commas between them, and an "and" before the last; of many the first.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [few @ .., last] if names.len() <= MOST_NAMES => format!("{} and {last}", few.join(", ")),
        many => format!("{} and {} more", many[..MOST_NAMES].join(", "), many.len() - MOST_NAMES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_names_are_listed_and_of_many_the_first() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a"; 8]), "a, a, a, a, a and 3 more");
    }
}
