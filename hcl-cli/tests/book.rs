//! The sessions in the tutorials and guides of the book: each command runs as it stands, and what it prints stands below it.
//!
//! A fence that names a file behind its language is that file. `HCL_UPDATE=1 cargo test -p hcl-cli --test book` writes the
//! outputs anew; read the difference.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let folders = ["tutorial", "guides"].map(|folder| docs.join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the book has the folder"));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("an entry of a readable folder").path()).collect();
    paths.sort();
    paths
}

/// The output of a command line of a session, on both streams.
fn output(folder: &Path, line: &str) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_hcl")).parent().expect("the command lies in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin.to_owned()].into_iter().chain(std::env::split_paths(&path)));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {line}")])
        .current_dir(folder)
        .env("PATH", path.expect("folders of a path"))
        .env("COLUMNS", "80")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("a shell is there");
    let printed = String::from_utf8(output.stdout).expect("the output is UTF-8");
    if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" }
}

/// The text of a page with what its sessions print today.
fn with_outputs(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for the files of the page");
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        let Some(opening) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let body = inside.iter().map(|line| format!("{line}\n")).collect::<String>();
        match opening.split_once(' ') {
            Some(("text", _)) => out.push_str(&body),
            Some((_, file)) => {
                fs::write(folder.path().join(file), &body).expect("the file can be written");
                out.push_str(&body);
            }
            None if opening == "console" => {
                let commands = inside.iter().filter_map(|line| line.strip_prefix("$ "));
                for command in commands {
                    out.push_str(&format!("$ {command}\n{}", output(folder.path(), command)));
                }
            }
            None => out.push_str(&body),
        }
        out.push_str("```\n");
    }
    out
}

#[test]
fn sessions_print_what_stands_below_the_commands() {
    let update = std::env::var_os("HCL_UPDATE").is_some();
    let mut sessions = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).expect("pages are text");
        sessions += text.matches("\n```console\n").count();
        let wanted = with_outputs(&text);
        if update {
            fs::write(&path, &wanted).expect("pages are writable");
        } else {
            assert_eq!(text, wanted, "{}", path.display());
        }
    }
    assert!(sessions >= 10, "only {sessions} sessions were found");
}
