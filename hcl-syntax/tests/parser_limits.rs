//! Nesting bombs, long chains and masses of items: bounded stack, linear time, no floods of diagnostics.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::time::Duration;

use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::Source;
use stopwatch::Stopwatch;

const MANY: usize = 100_000;

fn read(text: String, limits: &ParseLimits) -> (File, Diagnostics) {
    parse_file(Source::new("test.hcl", text).unwrap(), limits)
}

fn read_by_default(text: String) -> (File, Diagnostics) {
    read(text, &ParseLimits::default())
}

/// On a thread with an eighth of the stack that threads of Rust programs have by default.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

/// Ways to nest: what opens a level, what is innermost, what closes a level.
const NESTINGS: &[(&str, &str, &str, &str)] = &[
    ("a = ", "(", "1", ")"),
    ("a = ", "[", "", "]"),
    ("a = ", "{a=", "1", "}"),
    ("a = ", "f(", "1", ")"),
    ("a = ", "\"${", "b", "}\""),
    ("a = ", "[for x in ", "y", ": x]"),
    ("a = ", "{for x in y: x => ", "z", "}"),
    ("a = ", "a[-", "1", "]"),
    ("a = ", "b ? ", "1", " : 2"),
    ("a = ", "-(", "1", ")"),
    ("a = ", "1 + (", "1", ")"),
    ("", "b {\n", "", "}\n"),
];

fn nested((start, open, inner, close): (&str, &str, &str, &str), depth: usize) -> String {
    format!("{start}{}{inner}{}\nlast = 1\n", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nesting_is_read_up_to_the_limit() {
    on_small_stack(|| {
        for &nesting in NESTINGS {
            let (_, diagnostics) = read_by_default(nested(nesting, 999));
            assert!(diagnostics.is_empty(), "{nesting:?} {:?}", diagnostics.first());
        }
    });
}

/// The stack is looked at every few levels; no other thing that counts as a level may lead past these looks.
#[test]
fn directives_do_not_hide_the_end_of_the_stack() {
    on_small_stack(|| {
        let limits = ParseLimits { max_depth: 10_000, ..ParseLimits::default() };
        for (n_first, n_between) in (0..20).flat_map(|first| (0..20).map(move |between| (first, between))) {
            let open = format!("\"%{{if b}}${{{}", "(".repeat(n_between));
            let close = format!("{}}}%{{endif}}\"", ")".repeat(n_between));
            let depth = 9_000 / (n_between + 3);
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            let text = format!("a = {}{open}1{close}{}\n", "(".repeat(n_first), ")".repeat(n_first));
            let (_, diagnostics) = read(text, &limits);
            assert!(diagnostics.is_empty(), "{n_first} {n_between} {:?}", diagnostics.first());
        }
    });
}

#[test]
fn nesting_beyond_the_limit_is_one_error() {
    on_small_stack(|| {
        for &nesting in NESTINGS {
            for depth in [1100, MANY] {
                let (_, diagnostics) = read_by_default(nested(nesting, depth));
                let codes: Vec<_> = diagnostics.iter().map(|diagnostic| &*diagnostic.code).collect();
                assert_eq!(codes, ["limit.depth"], "{nesting:?}");
            }
        }
        let bomb = format!("a = \"{}x{}\"\n", "%{ if t }".repeat(MANY), "%{ endif }".repeat(MANY));
        assert_eq!(read_by_default(bomb).1.len(), 1);
    });
}

#[test]
fn what_follows_too_deep_nesting_is_read() {
    let (file, _) = read_by_default(nested(NESTINGS[1], MANY));
    assert!(file.body().attribute("last").is_some());
}

#[test]
fn the_limit_can_be_raised_and_lowered() {
    on_small_stack(|| {
        let raised = ParseLimits { max_depth: 10_000, ..ParseLimits::default() };
        for &nesting in NESTINGS {
            assert!(read(nested(nesting, 9_999), &raised).1.is_empty(), "{nesting:?}");
        }
        let lowered = ParseLimits { max_depth: 0, ..ParseLimits::default() };
        assert_eq!(read("a = 1".to_owned(), &lowered).1.len(), 0);
        assert_eq!(read("a = [1]".to_owned(), &lowered).1.len(), 1);
    });
}

#[test]
fn chains_have_no_limit() {
    on_small_stack(|| {
        for chain in [
            format!("a = {}t\n", "t + ".repeat(MANY)),
            format!("a = {}t\n", "t && t * ".repeat(MANY)),
            format!("a = t{}\n", ".b".repeat(MANY)),
            format!("a = t{}\n", "[0]".repeat(MANY)),
            format!("a = t{}\n", "[b]".repeat(MANY)),
            format!("a = t{}\n", "[*]".repeat(MANY)),
            format!("a = t{}\n", "[*].b[0]".repeat(MANY)),
            format!("a = {}t\n", "!".repeat(MANY)),
            format!("a = {}t\n", "-".repeat(MANY)),
            format!("a = {}t\n", "t ? b : ".repeat(MANY)),
            format!("a = \"{}\"\n", "x${a}".repeat(MANY)),
            format!("a = \"{}\"\n", "%{ if t }x%{ endif }".repeat(MANY)),
            format!("a = {}f()\n", "n::".repeat(MANY)),
        ] {
            let (_, diagnostics) = read_by_default(chain);
            assert!(diagnostics.is_empty(), "{:?}", diagnostics.first());
        }
    });
}

#[test]
fn a_chain_of_operators_nests_to_the_left() {
    let (file, _) = read_by_default(format!("a = {}t\n", "t + ".repeat(MANY)));
    let mut expression = file.body().attribute("a").unwrap().expression();
    let mut n_operators = 0;
    while let ExpressionKind::Binary { left, right, .. } = expression.kind() {
        assert!(matches!(right.kind(), ExpressionKind::Traversal(_)));
        expression = left;
        n_operators += 1;
    }
    assert_eq!(n_operators, MANY);
}

#[test]
fn diagnostics_are_capped() {
    for text in ["a b\n".repeat(MANY), "a = 1\n".repeat(MANY), "a = \"\\q\"\n".repeat(MANY), "@".repeat(MANY)]
    {
        let (_, diagnostics) = read_by_default(text);
        assert_eq!(diagnostics.len(), 1001);
        assert_eq!(diagnostics.last().unwrap().code, "limit.diagnostics");
    }
    let (_, diagnostics) = read_by_default("a = 1\n".repeat(1000));
    assert_eq!(diagnostics.len(), 999);
}

/// Inputs whose cost could grow faster than their size.
fn pathological(n: usize) -> Vec<String> {
    vec![
        (0..n).map(|i| format!("a{i} = 1\n")).collect(),
        "a = 1\n".repeat(n),
        "b \"x\" {}\n".repeat(n),
        format!("b {} {{}}\n", "\"x\" ".repeat(n)),
        format!("a = <<E\n{}E\n", "line\n".repeat(n)),
        format!("a = <<-E\n{}E\n", "  line ${x}\n".repeat(n)),
        format!("a = <<-E\n{}", "  line\n".repeat(n)),
        format!("a = {{\n{}}}\n", "k = 1\n".repeat(n)),
        format!("a = [{}]\n", "1, ".repeat(n)),
        format!("a = {}\n", "[".repeat(n)),
        format!("a = {}\n", "f(".repeat(n)),
        format!("a = {}\n", "{a=[(".repeat(n)),
        format!("a = {}\n", "a[\"".repeat(n)),
        "a = [\n".repeat(n),
        "a = (\nb = ]\n".repeat(n),
        "a = b.\n".repeat(n),
        format!("a = b{}\n", " .".repeat(n)),
        format!("a = \"{}\n", "${".repeat(n)),
        format!("a = \"{}\n", "%{ bad }".repeat(n)),
        format!("a = {}1\n", "(\n".repeat(n)),
        format!("a = f(1{})\n", "\n".repeat(n)),
        "}\n".repeat(n),
        "\"".repeat(n),
    ]
}

/// The shortest of several runs, which tells least of what else the machine does.
fn fastest(text: &str) -> Duration {
    let run = || {
        let text = text.to_owned();
        let start = Stopwatch::start();
        read_by_default(text);
        start.elapsed()
    };
    run().min(run()).min(run())
}

/// Returns whether ten times the input takes some ten times the time, and not a hundred.
fn is_linear(small: &str, large: &str) -> bool {
    fastest(large) < 40 * fastest(small).max(Duration::from_micros(500))
}

#[test]
fn time_is_linear() {
    let small = pathological(5_000);
    let large = pathological(50_000);
    for (small, large) in small.iter().zip(&large) {
        // A busy machine may spoil a measurement, but not ten in a row.
        let is_linear = (0..10).any(|_| is_linear(small, large));
        assert!(is_linear, "{:?}", small.chars().take(30).collect::<String>());
    }
}
