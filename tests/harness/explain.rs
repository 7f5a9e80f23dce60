//! Explanations of the codes of diagnostics are true: every code is explained, the wrong input of each example leads
//! to it, and nothing is wrong with the right one. Examples for a shell are run by `hcl-cli/tests/explain.rs`, those
//! in Rust as documentation tests of `hcl-eval`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hcl_cli::explain_error;
use hcl_eval::codes::{Example, Explanation, explanations};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use hcl_tests::check::{Complaint, complaints};
use hcl_tests::document::{Case, Document, Fence};

/// Codes that nothing in a text or a shell leads to, and why.
const WITHOUT_EXAMPLE: [(&str, &str); 13] = [
    ("limit.source", "takes a text of 1 GiB"),
    ("decode.no_such_label", "a program in Rust makes the specification"),
    ("decode.refinement", "a program in Rust makes the specification"),
    ("value.json.capsule", "needs a capsule type of a host"),
    ("api.argument", "a fault of a program in C"),
    ("api.column", "a program in C hands in a table"),
    ("api.internal", "a fault of ours"),
    ("api.folder", "a program in C names a folder that is not there"),
    ("api.refused", "a program in C asks for what can't be done"),
    ("api.result", "a program in C reads a result as something else"),
    ("api.unbound", "a program in C sets no value"),
    ("module.reference.output", "a program asks for an output by its address"),
    ("format.refused", "takes an input of the formatter that its other errors do not cover"),
];

/// Setup that the right input shares with the wrong one unless it brings its own.
const SETUP: [&str; 3] = ["vars", "scope", "spec"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder and the folders in it.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are readable") {
        let path = entry.expect("the sources are readable").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// The diagnostics that the parts of an example lead to.
fn outcome(parts: &[Example<'_>]) -> Result<Vec<Complaint>, String> {
    let bytes = parts.iter().find(|part| part.language.ends_with(" bytes"));
    if let Some(part) = bytes {
        let text: Vec<u8> = part.text.replace("\\xfc", "\u{fc}").chars().map(|c| c as u8).collect();
        let source = Source::new("main.hcl", text).map_err(|error| error.to_string())?;
        let limits = ParseLimits::default();
        let is_json = part.language.starts_with("json");
        let found = if is_json { parse_json(source, &limits).1 } else { parse_file(source, &limits).1 };
        return Ok(found.iter().map(Complaint::of).collect());
    }
    let fence = |part: &Example<'_>| {
        let mut words = part.language.split(' ').map(str::to_owned);
        let word = words.next().unwrap_or_default();
        let (exact, dialects): (Vec<_>, Vec<_>) = words.partition(|word| word == "exact");
        let text = if exact.is_empty() { part.text } else { part.text.trim_end() };
        let text = text.to_owned();
        Fence { word, dialects, text, first_line: 0, n_lines: 0 }
    };
    let fences = parts.iter().map(fence).collect();
    let case = Case { name: String::new(), fences, outer_variables: Vec::new() };
    complaints(&case)
}

/// The right input with the setup of the wrong one.
fn completed<'a>(told: &Explanation<'a>) -> Vec<Example<'a>> {
    let word = |part: &Example<'a>| part.language.split(' ').next().unwrap_or_default();
    let shared = told.wrong.iter().filter(|part| {
        let is_input =
            word(part) == "config" && !told.right.iter().any(|own| word(own).starts_with("config"));
        let is_setup = SETUP.contains(&word(part)) && told.code.split('.').next() != Some("limit");
        (is_input || is_setup) && !told.right.iter().any(|own| word(own) == word(part))
    });
    // Limits are those of the wrong input too: the right one keeps within them.
    let limits = told.wrong.iter().filter(|part| told.code.starts_with("limit.") && word(part) == "scope");
    shared.chain(limits).chain(&told.right).copied().collect()
}

#[test]
fn examples_lead_to_what_they_are_examples_of() {
    let mut wrong = Vec::new();
    let mut titles = Vec::new();
    for told in explanations() {
        let language = told.wrong.last().map_or("", |part| part.language);
        if matches!(language, "" | "sh" | "rust") {
            continue;
        }
        match outcome(&told.wrong) {
            Ok(found) => match found.iter().find(|found| found.code == told.code) {
                Some(Complaint { summary, .. }) => {
                    titles.push((told.code, summary.clone()));
                    if summary != told.summary {
                        wrong.push(format!("{}: the summary is {summary:?}", told.code));
                    }
                }
                None => wrong.push(format!("{}: the example leads to {found:?}", told.code)),
            },
            Err(problem) => wrong.push(format!("{}: {problem}", told.code)),
        }
        match outcome(&completed(&told)) {
            Ok(found) if found.is_empty() => {}
            Ok(found) => wrong.push(format!("{}: the right input leads to {found:?}", told.code)),
            Err(problem) => wrong.push(format!("{}: of the right input, {problem}", told.code)),
        }
    }
    if std::env::var_os("HCL_UPDATE").is_some() {
        update(&titles);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The messages of all cases and examples, a line each, sorted by code.
fn messages() -> String {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let documents = Document::read_all(&cases).expect("the case documents are readable");
    let of_cases = documents.iter().flat_map(|document| &document.cases);
    let mut found: BTreeSet<Complaint> =
        of_cases.flat_map(|case| complaints(case).expect("the case can be run")).collect();
    found.extend(explanations().filter_map(|told| outcome(&told.wrong).ok()).flatten());
    let mut text = String::from(
        "# Messages\n\nThe diagnostics of the case documents and of the examples of codes, in one list: read it for one voice. A detail \
         says what was found,\nwhat was expected, and what to do. `HCL_UPDATE=1 cargo test -p hcl-tests --test explain` writes it.\n",
    );
    let mut area = String::new();
    let mut last = String::new();
    for Complaint { code, summary, detail } in &found {
        let of = code.split('.').next().unwrap_or_default();
        if of != area {
            text.push_str(&format!("\n## {of}\n"));
            of.clone_into(&mut area);
        }
        let heading = format!("{code}: {summary}");
        if heading != last {
            text.push_str(&format!("\n{heading}\n\n"));
            last = heading;
        }
        let detail = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("    {detail}\n"));
    }
    text
}

#[test]
fn messages_are_those_of_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages.md");
    let wanted = messages();
    if std::env::var_os("HCL_UPDATE").is_some() {
        fs::write(&path, &wanted).expect("the list can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    let (has, ought) = present
        .lines()
        .chain(["(nothing)"])
        .zip(wanted.lines().chain(["(nothing)"]))
        .find(|(present, wanted)| present != wanted)
        .unwrap_or_default();
    assert!(
        present == wanted,
        "tests/messages.md is out of date: it has {has:?} and ought to have {ought:?}; \
         `HCL_UPDATE=1 cargo test -p hcl-tests --test explain` writes it"
    );
}

/// Writes summaries into the texts.
fn update(titles: &[(&str, String)]) {
    let mut pages = Vec::new();
    for folder in ["hcl-syntax/src/diagnostic/explain", "hcl-eval/src/codes"] {
        files(&crates().join(folder), "md", &mut pages);
    }
    for page in pages {
        let mut text = fs::read_to_string(&page).expect("the texts are readable");
        for (code, title) in titles {
            let heading = format!("\n## {code}\n\n*");
            if let Some(start) = text.find(&heading).map(|at| at + heading.len()) {
                let end = text[start..].find("*\n").map_or(start, |at| start + at);
                text.replace_range(start..end, title);
            }
        }
        fs::write(&page, text).expect("the texts can be written");
    }
}

#[test]
fn every_explanation_is_whole() {
    let excused: BTreeSet<_> = WITHOUT_EXAMPLE.iter().map(|(code, _)| *code).collect();
    let mut seen = BTreeSet::new();
    for told in explain_error::explanations() {
        assert!(seen.insert(told.code), "{} is explained twice", told.code);
        for (what, text) in [("summary", told.summary), ("cause", told.cause), ("cure", told.cure)] {
            assert!(!text.is_empty() && text != "?", "{} has no {what}", told.code);
        }
        assert!(told.cause.ends_with('.') && told.cure.ends_with('.'), "{}: sentences end", told.code);
        let has_example = !told.wrong.is_empty() && !told.right.is_empty();
        assert_ne!(has_example, excused.contains(told.code), "{} has an example or a reason", told.code);
    }
}

/// Whatever looks like a code in the sources.
fn codes_of_sources() -> BTreeSet<String> {
    let areas: BTreeSet<_> =
        explain_error::explanations().iter().filter_map(|told| told.code.split('.').next()).collect();
    let mut sources = Vec::new();
    for name in ["hcl-syntax", "hcl-eval", "hcl-module", "hcl-arrow", "hcl-ffi", "hcl-cli"] {
        files(&crates().join(name).join("src"), "rs", &mut sources);
    }
    let mut found = BTreeSet::new();
    for source in sources {
        let text = fs::read_to_string(source).expect("the sources are readable");
        let text = text.split("mod tests {").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for quoted in code.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let is_name = |part: &str| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            };
            let is_code = quoted.contains('.') && !quoted.ends_with(".md") && quoted.split('.').all(is_name);
            if is_code && quoted.split('.').next().is_some_and(|area| areas.contains(area)) {
                found.insert(quoted.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_code_is_explained() {
    let told: BTreeSet<_> = explain_error::explanations().iter().map(|told| told.code.to_owned()).collect();
    let known = codes_of_sources();
    let unexplained: Vec<_> = known.difference(&told).collect();
    assert!(unexplained.is_empty(), "nothing is said of {unexplained:?}");
    let needless: Vec<_> = told.difference(&known).collect();
    assert!(needless.is_empty(), "nothing has these codes: {needless:?}");
}
