//! Diagnostics as people see them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use hcl_syntax::diagnostic::render::{RenderOptions, render, render_all};
use hcl_syntax::diagnostic::{Diagnostic, NamedValue};
use hcl_syntax::lexer;
use hcl_syntax::parser::File;
use hcl_syntax::source::{Source, Span};

fn at(text: &str, subject: &str) -> Diagnostic {
    let source = Source::new("main.hcl", text).unwrap();
    let start = text.find(subject).unwrap();
    Diagnostic::error("eval.example", "Odd thing", "This is odd.")
        .at(&source, span(start, start + subject.len()))
}

fn span(start: usize, end: usize) -> Span {
    Span::new(u32::try_from(start).unwrap(), u32::try_from(end).unwrap())
}

fn shown(diagnostic: &Diagnostic, options: RenderOptions) -> String {
    let mut out = String::new();
    render(diagnostic, &options, &mut out);
    out
}

const ASCII: RenderOptions = RenderOptions { width: 60, color: false, unicode: false };
const UNICODE: RenderOptions = RenderOptions { unicode: true, ..ASCII };

#[test]
fn a_diagnostic_shows_its_line_its_values_and_what_to_do() {
    let source = Source::new("main.hcl", "a = 1\nb = 2\nc = a & b\n").unwrap();
    let (mut found, _) = lexer::diagnostics(&source, &lexer::tokens(&source), 10);
    found[0].values.push(NamedValue { expression: "a".into(), description: "is 1".into() });
    found[0].values.push(NamedValue { expression: "b".into(), description: "is 2".into() });
    let expected = "\
error: Unsupported operator (lex.unsupported_operator)
  at main.hcl:3:7
    |
  3 | c = a & b
    |       ^
  where a is 1
    and b is 2

  Found a single \"&\". HCL has no bitwise operators. Did you
  mean \"&&\", the logical \"and\"?
";
    assert_eq!(shown(&found[0], ASCII), expected);
}

#[test]
fn carets_stand_under_wide_characters_tabs_and_controls() {
    let diagnostic = at("\tx = \"日本e\u{301}\x1b[0m\u{202e}\" + oops\n", "oops");
    let text = shown(&diagnostic, UNICODE);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[3], "  1 │     x = \"日本e\u{301}␛[0m\u{fffd}\" + oops");
    assert_eq!(lines[4], "    │                        ^^^^");
    let text = shown(&diagnostic, ASCII);
    let lines: Vec<&str> = text.lines().collect();
    assert!(text.is_ascii());
    assert_eq!(lines[3].find("oops"), lines[4].find("^^^^"));
}

#[test]
fn a_long_line_is_shown_around_the_subject() {
    let text = format!("a = [{}oops{}]\n", "1, ".repeat(100_000), ", 2".repeat(100_000));
    let shown = shown(&at(&text, "oops"), ASCII);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.iter().all(|line| line.len() <= 60), "{shown}");
    assert!(lines[3].starts_with("  1 | ...") && lines[3].ends_with("..."), "{shown}");
    assert_eq!(lines[3].find("oops"), lines[4].find("^^^^"));
}

#[test]
fn the_subject_is_in_the_window_however_wide_the_text_before_is() {
    for before in ["👨\u{200d}👩", "\t", "日", "x"] {
        for n in [3, 10, 17, 40, 4_000] {
            let text = format!("a = \"{}\" oops\n", before.repeat(n));
            for options in [ASCII, UNICODE] {
                let shown = shown(&at(&text, "oops"), options);
                assert!(shown.contains("oops") && shown.contains("^^^^"), "{shown}");
            }
        }
    }
}

#[test]
fn a_line_is_cut_in_front_if_its_subject_begins_behind_two_thirds() {
    // A page of 60 has 51 cells for a line, two thirds of which are 34, and one third 17.
    let line = |from: usize, len: usize| {
        let text = format!("{}oops", "-".repeat(from));
        let shown = shown(&at(&format!("{text}{}", "+".repeat(len - text.len())), "oops"), ASCII);
        shown.lines().nth(3).unwrap().to_owned()
    };
    let [few, many] = [34, 17].map(|n| "-".repeat(n));
    assert_eq!(line(45, 51), format!("  1 | {few}-----------oops++"));
    assert_eq!(line(34, 52), format!("  1 | {few}oops{}...", "+".repeat(13)));
    assert_eq!(line(35, 52), format!("  1 | ...{many}oops{}", "+".repeat(13)));
}

#[test]
fn a_long_range_is_shown_by_its_ends() {
    let text = format!("a = [\n{}]\n", "  1,\n".repeat(50));
    let subject = text.trim_end();
    let lines: Vec<String> = shown(&at(&text, subject), ASCII).lines().map(str::to_owned).collect();
    assert_eq!(
        lines[3..12].join("\n"),
        "  1 | a = [\n    | ^^^^^\n  2 |   1,\n    |   ^^\n  3 |   1,\n    |   ^^\n    | ...\n 52 | ]\n    | ^"
    );
}

#[test]
fn a_subject_without_extent_has_a_caret() {
    let source = Source::new("main.hcl", "a {\nb = 1").unwrap();
    for (offset, column) in [(9, 11), (3, 9), (6, 8)] {
        let diagnostic = Diagnostic::error("x", "X", "").at(&source, Span::empty_at(offset));
        let text = shown(&diagnostic, ASCII);
        assert_eq!(text.lines().nth(4).map(str::len), Some(column + 1), "{text}");
        assert!(text.ends_with("^\n"), "{text}");
    }
}

#[test]
fn the_context_is_shown_around_the_subject() {
    let source = Source::new("main.hcl", "b {\n  x = 1\n  oops\n}\n").unwrap();
    let diagnostic = Diagnostic::error("x", "X", "").at(&source, span(14, 18)).within(&source, span(0, 20));
    let expected = "\
error: X (x)
  at main.hcl:3:3
    |
  1 | b {
  2 |   x = 1
  3 |   oops
    |   ^^^^
  4 | }
";
    assert_eq!(shown(&diagnostic, ASCII), expected);
    let colored = shown(&diagnostic, RenderOptions { color: true, ..ASCII });
    assert!(colored.contains("\x1b[2m b {\x1b[0m"), "{colored:?}");
    assert!(colored.contains("\x1b[1;31m   ^^^^\x1b[0m"), "{colored:?}");
}

#[test]
fn a_line_number_counts_from_the_origin() {
    let origin = hcl_syntax::source::Pos { line: 41, column: 9, byte: 1_000 };
    let grammar = hcl_syntax::source::Grammar::Config;
    let source = Source::with_grammar("t", "a\nb ?", grammar, origin).unwrap();
    let text = shown(&Diagnostic::error("x", "X", "").at(&source, Span::new(4, 5)), ASCII);
    assert_eq!(text, "error: X (x)\n  at t:42:3\n    |\n 42 | b ?\n    |   ^\n");
}

#[test]
fn nothing_sent_to_a_terminal_is_taken_for_a_command() {
    let mut diagnostic = at("a = \x1b]0;x\x07\n", "\x1b");
    diagnostic.summary = "A\x1b[31m\nB".into();
    diagnostic.detail = "C\u{9b}D\n\n  kept   as it is \x08\nE".into();
    diagnostic.values.push(NamedValue { expression: "v\x1bw\n".into(), description: "is \u{202e}".into() });
    let mut out = String::new();
    render_all(&[diagnostic.clone(), diagnostic], &UNICODE, &mut out);
    assert!(!out.contains(['\x1b', '\x07', '\x08', '\u{9b}', '\u{202e}']), "{out:?}");
    assert!(out.contains("error: A␛[31m␊B (eval.example)\n"));
    assert!(out.contains("\n    kept   as it is ␈\n  E\n\nerror:"));
}

#[test]
fn a_byte_that_is_no_utf_8_is_drawn_as_messages_quote_it() {
    let error = File::parse("t", &b"# \x1a\na = \xff 1\n"[..]).unwrap_err();
    let text = shown(&error.diagnostics()[0], UNICODE);
    assert!(text.contains("  2 │ a = \u{fffd} 1\n    │     ^\n"), "{text}");
    // The control character that stands for it within the source stays what it is.
    let control = at("a = \x1a 1\n", "\x1a");
    assert!(shown(&control, UNICODE).contains("a = ␚ 1\n"));
}

#[test]
fn examples_of_explanations_stand_under_their_titles() {
    let mut all = hcl_syntax::diagnostic::explain::explanations();
    let told = all.find(|told| told.code == "lex.unsupported_operator").expect("it is explained");
    let mut text = String::new();
    told.render(&RenderOptions::default(), &mut text);
    let (_, examples) = text.split_once("\n\n").expect("a summary, then the cause");
    assert_eq!(
        examples,
        "  One of the characters & | ^ ~ stands alone. HCL has no bitwise operators.\n\
         \n  Example: (Variables)\n\n      ready = true\n      enabled = true\n\
         \n      both = ready & enabled\n\
         \n  Write `&&` for \"and\", `||` for \"or\", `!` for \"not\".\n\
         \n  Corrected:\n\n      both = ready && enabled\n"
    );
}
