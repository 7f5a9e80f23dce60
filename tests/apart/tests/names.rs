//! Names of files at a terminal.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;

use rexpect::session::spawn_command;
use tempfile::TempDir;

/// The output of `hcl fmt` at a terminal for a file whose name and text hold commands for it.
fn told(argument: &str) -> String {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a\u{1b}[2J\n.hcl"), "a=\"\u{1b}[2J\"\nb = 1\n").unwrap();
    let mut command = Command::new(hcl_apart::hcl());
    command.args(["fmt", argument, "."]).current_dir(folder.path());
    // A byte is a character of what comes from there.
    let told = spawn_command(command, Some(20_000)).unwrap().exp_eof().unwrap();
    String::from_utf8(told.chars().map(|c| u8::try_from(c).unwrap()).collect()).unwrap()
}

#[test]
fn names_and_differences_can_be_seen() {
    assert_eq!(told("--check"), "./a␛[2J␊.hcl\r\n");
    let difference = told("--diff");
    assert!(difference.contains("-a=\"␛[2J\"\r\n+a = \"␛[2J\"\r\n b = 1\r\n"), "{difference}");
    assert!(!difference.contains('\u{1b}'), "{difference}");
}
