//! `hcl explain-error`, and the examples of explanations that are for a shell.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;
use std::process::Command;

use hcl_cli::explain_error::explanations;
use hcl_eval::codes::Example;

fn hcl(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hcl")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The output of an example's script, both streams, in a folder of its own with the example's other parts, or those of
/// the example that it corrects, as files.
fn script(parts: &[Example<'_>], others: &[Example<'_>]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (language, name) in [("spec", "spec.hcldec"), ("config", "in.hcl")] {
        if let Some(part) = parts.iter().chain(others).find(|part| part.language == language) {
            std::fs::write(folder.path().join(name), part.text).unwrap();
        }
    }
    let text = parts.iter().find(|part| part.language == "sh").unwrap().text;
    let commands = Path::new(env!("CARGO_BIN_EXE_hcl")).parent().unwrap();
    let path = format!("{}:{}", commands.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{text}")])
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn examples_for_a_shell_lead_to_what_they_are_examples_of() {
    let mut n_examples = 0;
    let mut wrong = Vec::new();
    for told in explanations() {
        if !told.wrong.iter().any(|part| part.language == "sh") {
            continue;
        }
        n_examples += 1;
        let found = script(&told.wrong, &[]);
        let is_told = found.contains(&format!("({})", told.code))
            || found.contains(&format!("\"{}\"", told.code))
            || told.code == "input.unreadable" && found.contains(told.summary);
        if !is_told || !found.contains(told.summary) {
            wrong.push(format!("{}: {found}", told.code));
        }
        let found = script(&told.right, &told.wrong);
        if found.contains("rror:") || found.contains("\"error\"") || found.contains("hcl: ") {
            wrong.push(format!("{}, as it should be: {found}", told.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_examples > 15);
}

#[test]
fn a_code_is_explained() {
    let (status, text, _) = hcl(&["explain-error", "lex.semicolon"]);
    assert_eq!(status, 0);
    assert_eq!(
        text,
        "lex.semicolon: Invalid character\n\n\
         \x20 A semicolon was used. Arguments and blocks end with their line.\n\n\
         \x20 Example:\n\n      a = 1; b = 2\n\n\
         \x20 Begin a new line for each argument.\n\n\
         \x20 Corrected:\n\n      a = 1\n      b = 2\n"
    );
}

#[test]
fn codes_of_decoding_show_the_specification_beside_the_body() {
    let (_, text, _) = hcl(&["explain-error", "decode.attribute_type"]);
    let spec =
        "      object {\n        attr \"port\" {\n        ^^^^^^^^^^^ asks for it\n          type = number\n";
    assert!(text.contains(spec), "{text}");
    assert!(text.contains("      port = \"http\"\n             ^^^^^^ is told\n"), "{text}");
    // Every code of decoding that an input leads to has both places.
    let told = explanations().into_iter().filter(|told| {
        told.code.starts_with("decode.") && told.wrong.iter().any(|part| part.language == "spec")
    });
    let codes: Vec<_> = told.map(|told| told.code).collect();
    assert!(codes.len() > 7 && codes.iter().any(|code| code.starts_with("decode.output.")), "{codes:?}");
    // A code that no input leads to names the specification.
    for told in explanations().iter().filter(|told| told.code.starts_with("decode.")) {
        let is_shown = codes.contains(&told.code);
        assert!(is_shown || told.cause.contains("specification"), "{}: {}", told.code, told.cause);
    }
    for code in codes {
        let (_, text, _) = hcl(&["explain-error", code]);
        assert!(text.contains("^ asks for it\n") && text.contains("^ is told\n"), "{code}: {text}");
    }
}

#[test]
fn titles_areas_and_no_code_list() {
    let (_, all, _) = hcl(&["explain-error"]);
    assert_eq!(all.lines().count(), explanations().len());
    let (_, by_title, _) = hcl(&["explain-error", "invalid character"]);
    assert!(by_title.lines().count() > 4 && by_title.contains("lex.backtick"), "{by_title}");
    let (_, area, _) = hcl(&["explain-error", "eval.for"]);
    assert!(area.lines().all(|line| line.starts_with("eval.for.")) && area.lines().count() > 4, "{area}");
    let (_, in_parentheses, _) = hcl(&["explain-error", "(lex.semicolon)"]);
    assert!(in_parentheses.starts_with("lex.semicolon: "));
}

/// A page has one empty line between its parts: an example begins with its first line of text, and an empty one is left out.
#[test]
fn pages_have_no_empty_lines_in_a_row() {
    for told in explanations() {
        let (_, page, _) = hcl(&["explain-error", told.code]);
        let lines: Vec<_> = page.lines().map(str::trim_end).collect();
        let is_double = lines.windows(2).any(|pair| pair == ["", ""]);
        assert!(!is_double, "{page}");
    }
}

#[test]
fn an_unknown_code_is_wrong_usage() {
    let (status, text, complaint) = hcl(&["explain-error", "lex.semicolom"]);
    assert_eq!((status, text.as_str()), (2, ""));
    assert!(complaint.contains("Did you mean lex.semicolon?"), "{complaint}");
    let (_, _, complaint) = hcl(&["explain-error", "parse.nope"]);
    assert!(complaint.contains("\"hcl explain-error parse\" lists those"), "{complaint}");
    let (_, _, complaint) = hcl(&["explain-error", "block_unclosd"]);
    assert!(complaint.contains("Did you mean parse.block_unclosed?"), "{complaint}");
    let (_, _, complaint) = hcl(&["explain-error", "cwd"]);
    assert!(complaint.contains("Did you mean module.path.cwd?"), "{complaint}");
    // A short word is near many others.
    for far in ["foo", "cat", "list", "paris", "banana"] {
        let (_, _, complaint) = hcl(&["explain-error", far]);
        assert!(!complaint.contains("Did you mean"), "{complaint}");
    }
}
