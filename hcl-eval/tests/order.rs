//! Definitions that refer to each other.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::limits::Limits;
use hcl_eval::order::Definitions;
use hcl_eval::{Value, dialect};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

fn filled(mut definitions: Definitions, texts: &[&str]) -> Definitions {
    for (n, text) in texts.iter().enumerate() {
        let source = Source::new(&format!("{n}.hcl"), *text).unwrap();
        let (file, problems) = parse_file(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{problems:?}");
        definitions.extend(&ConfigBody::from(&file).just_attributes().0);
    }
    definitions
}

/// `name = value` of each, and the complaints.
fn outcome(definitions: &Definitions, scope: Option<&Arc<Scope>>) -> (Vec<String>, Vec<String>) {
    let (values, problems) = definitions.evaluate(scope, &EvalOptions::default());
    let shown = values.iter().map(|(name, value)| {
        let text = if value.is_known() { value.display_console() } else { "unknown".to_owned() };
        format!("{name} = {}", text.replace('\n', ""))
    });
    (shown.collect(), lines(&problems))
}

fn lines(problems: &Diagnostics) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn each_comes_after_what_it_needs() {
    let texts = [
        "a = local.b + local.c[\"x\"]\nb = local[\"d\"] * 2\n",
        "c = { x = 1 }\nd = var.n\ne = [for local in [1]: local]\n",
    ];
    let definitions = filled(Definitions::below("local"), &texts);
    assert_eq!(definitions.order().0, ["d", "b", "c", "a", "e"]);
    let scope = Scope::builder().variable("var", Value::object(vec![("n".into(), Value::int(20))])).build();
    let (values, problems) = outcome(&definitions, Some(&scope));
    assert_eq!(values, ["a = 41", "b = 40", "c = {  \"x\" = 1}", "d = 20", "e = [  1,]"]);
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn plain_names_and_functions_of_the_scope() {
    let scope = Scope::builder().functions(dialect::terraform()).variable("x", Value::int(1)).build();
    let definitions = filled(Definitions::plain(), &["b = upper(a)\na = \"a${x}\"\n"]);
    assert_eq!(outcome(&definitions, Some(&scope)).0, ["b = \"A1\"", "a = \"a1\""]);
}

#[test]
fn circles_are_shown() {
    let text = "a = [local.b]\nb = { k = local.c }\nc = local.a[0]\nd = local.c\ne = local.e\nf = 1\n";
    let definitions = filled(Definitions::below("local"), &[text]);
    let (values, problems) = outcome(&definitions, None);
    assert_eq!(
        problems,
        [
            "0.hcl:1,6-13: Cycle; These definitions need each other's values, so none can be first: \
             local.a (0.hcl:1,1) -> local.b (0.hcl:2,1) -> local.c (0.hcl:3,1) -> local.a. Take one of the references out.",
            "0.hcl:5,5-12: Cycle; The definition needs its own value: local.e (0.hcl:5,1) -> local.e. Take the reference out.",
        ]
    );
    assert_eq!(values[3..], ["d = unknown", "e = unknown", "f = 1"]);
}

#[test]
fn a_circle_of_plain_names_is_the_shortest_one() {
    let definitions = filled(Definitions::plain(), &["a = b + c\nb = c\nc = a\n"]);
    let problems = lines(&definitions.order().1);
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].ends_with("a (0.hcl:1,1) -> c (0.hcl:3,1) -> a. Take one of the references out."),
        "{}",
        problems[0]
    );
}

#[test]
fn what_else_can_be_wrong() {
    let texts = ["a = 1\nb = keys(local)\nc = local.nowhere\nd = local.c\n", "a = 2\n"];
    let scope = Scope::builder().functions(dialect::terraform()).build();
    let (values, problems) = outcome(&filled(Definitions::below("local"), &texts), Some(&scope));
    assert_eq!(values, ["a = 1", "b = unknown", "c = unknown", "d = unknown"]);
    assert!(problems[0].starts_with("1.hcl:1,1-2: Duplicate definition; "), "{problems:?}");
    assert!(problems[1].starts_with("0.hcl:2,10-15: Invalid reference; "), "{problems:?}");
    assert!(problems[2].starts_with("0.hcl:3,10-18: Unsupported attribute; "), "{problems:?}");
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn limits_hold_for_all_of_them_together() {
    let definitions = filled(Definitions::plain(), &["a = 1 + 1\nb = a + 1\nc = b + 1\n"]);
    let limits = Limits { max_steps: 7, ..Limits::default() };
    let (values, problems) = definitions.evaluate(None, &EvalOptions { limits, ..EvalOptions::default() });
    assert!(values["b"].is_known() && !values["c"].is_known());
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, "limit.steps");
}

/// Mistakes in references are found before anything is evaluated, others one after the other; both end at the limit.
#[test]
fn problems_end_at_their_limit() {
    for wrong in ["local.nosuch", "1 + \"x\""] {
        let text: String = (0..100).map(|at| format!("a{at} = {wrong}\n")).collect();
        let definitions = filled(Definitions::below("local"), &[&text]);
        let limits = Limits { max_diagnostics: 10, ..Limits::default() };
        let (_, problems) = definitions.evaluate(None, &EvalOptions { limits, ..EvalOptions::default() });
        assert_eq!((problems.len(), &*problems[10].code), (11, "limit.diagnostics"), "{wrong}");
    }
}

#[test]
fn long_chains_wide_fans_and_large_circles() {
    const N: usize = 100_000;
    let chain: String = (1..N).map(|n| format!("v{n} = local.v{} + 1\n", n - 1)).rev().collect();
    let definitions = filled(Definitions::below("local"), &[&chain, "v0 = 0\n"]);
    let (values, problems) = definitions.evaluate(None, &EvalOptions::default());
    assert!(problems.is_empty());
    assert_eq!(values[&*format!("v{}", N - 1)].display_console(), (N - 1).to_string());

    let circle: String = (0..N).map(|n| format!("v{n} = v{}\n", (n + 1) % N)).collect();
    let problems = filled(Definitions::plain(), &[&circle]).order().1;
    assert_eq!(problems.len(), 1);
    assert!(problems[0].detail.contains("-> 99988 more -> v0."), "{}", problems[0].detail);

    let pairs: String = (0..N).map(|n| format!("v{n} = v{}\n", n ^ 1)).collect();
    assert_eq!(filled(Definitions::plain(), &[&pairs]).order().1.len(), N / 2);

    let names: String = (0..N).map(|n| format!("local.v{n}, ")).collect();
    let each: String = (0..N).map(|n| format!("v{n} = {n}\n")).collect();
    let fan = filled(Definitions::below("local"), &[&format!("all = [{names}]\n{each}")]);
    assert_eq!(fan.evaluate(None, &EvalOptions::default()).0["all"].len(), Some(N));
}
