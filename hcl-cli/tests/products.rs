//! The files of `examples/products`: each is evaluated by the command, and what comes out is stored beside them.
//!
//! `HCL_UPDATE=1 cargo test -p hcl-cli --test products` stores it anew; read the difference.

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/products")
}

/// Runs a command line as the README shows it, in the folder of the examples.
fn output(command_line: &str) -> String {
    let mut words = command_line.split_whitespace();
    assert_eq!(words.next(), Some("hcl"), "{command_line}");
    let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(words)
        .current_dir(folder())
        .env_remove("COLUMNS")
        .output()
        .expect("the command starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{command_line}\n{complaints}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// The command lines of the README, each with the file that its output is stored in.
fn commands() -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("the README is there");
    let text = readme.replace("\\\n", " ");
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ ")?.split_once(" > "));
    lines.map(|(command, file)| (command.trim().to_owned(), file.trim().to_owned())).collect()
}

#[test]
fn what_the_readme_shows_comes_out_as_it_is_stored() {
    let update = std::env::var_os("HCL_UPDATE").is_some();
    let commands = commands();
    for product in ["terraform", "packer", "nomad", "opentofu"] {
        assert!(commands.iter().any(|(_, file)| file.starts_with(product)), "nothing of {product}");
    }
    for (command, file) in commands {
        let got = output(&command);
        let path = folder().join(&file);
        if update {
            std::fs::write(&path, &got).expect("the result can be stored");
        }
        let wanted = std::fs::read_to_string(&path).expect("a result is stored");
        assert_eq!(got, wanted, "{command}\ndoes not give what is in {file}");
    }
}
