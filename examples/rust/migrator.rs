//! Renames a variable of a Terraform module: its declaration, every reference to it, and its value in `.tfvars` files.
//! Comments, blanks and everything else stay as they are.
//!
//! `migrator FOLDER OLD NEW` says which files changed. If one of them can't be read, none is written.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hcl_syntax::edit::{Address, Document, Reach};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, old, new] = arguments.as_slice() else {
        return Err("usage: migrator FOLDER OLD NEW".into());
    };
    let mut changed: Vec<(PathBuf, Document)> = Vec::new();
    for path in files(Path::new(folder))? {
        let name = path.display().to_string();
        match Document::parse(&name, fs::read(&path)?).and_then(|it| migrate(it, &name, old, new)) {
            Ok((0, _)) => {}
            Ok((n_changes, document)) => {
                println!("{name}: {n_changes}");
                changed.push((path, document));
            }
            Err(error) => {
                eprintln!("{error}");
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    for (path, document) in changed {
        fs::write(path, document.bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The files of a module, in order.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "tf" || ending == "tfvars") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The document after renaming, and how many places changed.
fn migrate(
    mut document: Document,
    name: &str,
    old: &str,
    new: &str,
) -> Result<(usize, Document), hcl_syntax::diagnostic::Error> {
    if name.ends_with(".tfvars") {
        let value: Address = old.parse()?;
        let n_values = document.find(&value).len();
        if n_values > 0 {
            document.rename(&value, new, Reach::One)?;
        }
        return Ok((n_values, document));
    }
    let mut n_changes = document.rename_references(&format!("var.{old}"), &format!("var.{new}"))?;
    let declaration = "variable".parse::<Address>()?.join(old);
    n_changes += document.find(&declaration).len();
    if !document.find(&declaration).is_empty() {
        document.relabel(&declaration, &[new], Reach::All)?;
    }
    Ok((n_changes, document))
}
