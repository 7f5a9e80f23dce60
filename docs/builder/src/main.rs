//! `hcl-book FOLDER HCL`: writes the source of the book into the folder; HCL is the command whose help it has.
//! `hcl-book --check FOLDER`: checks the links of the book that mdBook has made in the folder.

use std::path::Path;
use std::process::{Command, ExitCode};

use hcl_book::Book;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            #[allow(clippy::print_stderr, reason = "a command tells its problems")]
            {
                eprintln!("{problem}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, hcl] = arguments.as_slice() else {
        return Err("usage: hcl-book FOLDER HCL, or hcl-book --check FOLDER".to_owned());
    };
    if folder == "--check" {
        let dead = hcl_book::html::dead_links(Path::new(hcl))?;
        return if dead.is_empty() { Ok(()) } else { Err(dead.join("\n")) };
    }
    let help = |arguments: &[&str]| {
        let output = Command::new(hcl).args(arguments).env_remove("CLICOLOR_FORCE").output();
        let output = output.map_err(|error| format!("{hcl}: {error}"))?;
        String::from_utf8(output.stdout).map_err(|error| format!("{hcl}: {error}"))
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Book::gather(&root, &help)?.write(&root, Path::new(folder))
}
