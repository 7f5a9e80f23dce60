//! Files as people get them wrong, and what they are told: `tests/broken`. Each message is stored beside its file and
//! was read with one question: does it say what is wrong, where, and what to do, without knowing the engine?
//!
//! `HCL_UPDATE=1 cargo test -p hcl-cli --test broken` stores what is said now; read the difference.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;
use std::process::Command;

/// The name of the stored message, and the arguments that lead to it.
const RUNS: [(&str, &str); 24] = [
    ("unclosed-quote", "check unclosed-quote.hcl"),
    ("nested-quote", "check nested-quote.hcl"),
    ("single-quotes", "check single-quotes.hcl"),
    ("missing-comma", "check missing-comma.hcl"),
    ("missing-bracket", "check missing-bracket.hcl"),
    ("missing-brace", "check missing-brace.hcl"),
    ("heredoc-marker", "check heredoc-marker.hcl"),
    ("colon", "check colon.hcl"),
    ("equals-block", "check equals-block.hcl"),
    ("brace-below", "check brace-below.hcl"),
    ("if-word", "check if-word.hcl"),
    ("missing-operator", "check missing-operator.hcl"),
    ("unclosed-comment", "check unclosed-comment.hcl"),
    ("unclosed-interpolation", "check unclosed-interpolation.hcl"),
    ("duplicate", "check duplicate.hcl"),
    ("json-commas", "check trailing-comma.json missing-comma.json"),
    ("wide", "check wide.hcl"),
    ("misspelt-argument", "decode --spec service.hcldec misspelt-argument.hcl"),
    ("unsupported-block", "decode --spec service.hcldec unsupported-block.hcl"),
    ("wrong-type", "decode --spec service.hcldec wrong-type.hcl"),
    ("unknown-function", "decode --spec service.hcldec unknown-function.hcl"),
    ("argument-count", "decode --spec service.hcldec argument-count.hcl"),
    ("missing-variable", "eval --module missing-variable.tf local.host"),
    ("operands", "eval --var ports=[80] --var secret=sensitive(\"x\") secret+ports[0]+ports"),
];

#[test]
fn messages_are_those_that_were_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut wrong = Vec::new();
    for (name, arguments) in RUNS {
        let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(arguments.split(' '))
            .current_dir(&folder)
            .env_remove("COLUMNS")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let said = format!("$ hcl {arguments}\n{}", String::from_utf8(output.stderr).unwrap());
        let stored = folder.join(format!("{name}.txt"));
        if std::env::var_os("HCL_UPDATE").is_some() {
            std::fs::write(&stored, &said).unwrap();
        }
        if std::fs::read_to_string(&stored).unwrap_or_default() != said {
            wrong.push(said);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_used() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_used = RUNS.iter().any(|(stored, arguments)| {
            name == format!("{stored}.txt") || arguments.split(' ').any(|argument| argument == name)
        });
        assert!(is_used, "{name}");
    }
}
