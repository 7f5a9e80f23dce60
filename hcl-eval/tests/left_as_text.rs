//! Interpolations with unknown names that are left as text.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::{Mark, Type, Value};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression, parse_template};
use hcl_syntax::source::{Grammar, Pos, Source};

fn scope() -> Arc<Scope> {
    let var = Value::object(vec![
        ("dc".into(), Value::string("eu")),
        ("on".into(), Value::TRUE),
        ("secret".into(), Value::string("s").mark(Mark::new("sensitive"))),
        ("later".into(), Value::unknown(Type::String)),
    ]);
    let outer = Scope::builder().functions(dialect::nomad()).leave_unknown_interpolations().build();
    Scope::builder().parent(outer).variable("var", var).build()
}

fn expression(text: &str) -> ParsedExpression {
    let source = Source::new("job.hcl", text).unwrap();
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    parsed
}

/// The value as JSON, or the first complaint. Compiled, the same comes out.
fn result(text: &str) -> String {
    let (parsed, scope) = (expression(text), scope());
    let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    let shown = |value: &Value, problems: &[hcl_syntax::diagnostic::Diagnostic]| match problems.first() {
        Some(problem) => problem.to_string(),
        None => value.to_json().unwrap(),
    };
    let once = shown(&value, &problems);
    let id = parsed.expression().id();
    let (program, problems) =
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    let (value, problems) = program.evaluate(&mut Frame::new(&scope));
    assert_eq!(once, shown(&value, &problems), "{text}");
    once
}

#[test]
fn names_that_nobody_knows_are_left() {
    let cases = [
        (r#""${NOMAD_PORT_http}""#, r#""${NOMAD_PORT_http}""#),
        (r#""-${node.unique.name}-${var.dc}-""#, r#""-${node.unique.name}-eu-""#),
        (r#""${env["HOME"]}/x""#, r#""${env[\"HOME\"]}/x""#),
        (r#""${~ attr.cpu + 1 ~} x""#, r#""${attr.cpu + 1}x""#),
        (r#""a-${ env["PATH"] }-b""#, r#""a-${ env[\"PATH\"] }-b""#),
        (r#""${  attr.cpu}""#, r#""${  attr.cpu}""#),
        (r#""${~ attr.cpu }-${(attr.cpu) ~}""#, r#""${attr.cpu }-${(attr.cpu)}""#),
        (r#""${ /* why */ attr.cpu }""#, r#""${attr.cpu }""#),
        (r#""${var.dc}""#, r#""eu""#),
        (r#"upper("${meta.x}${var.dc}")"#, r#""${META.X}EU""#),
        (r#""${upper("${meta.x}")}${var.on}""#, r#""${upper(\"${meta.x}\")}true""#),
        (r#"[for v in ["a"] : "${v}${NOMAD_X}"]"#, r#"["a${NOMAD_X}"]"#),
        (r#""${[for v in ["a"] : v][0]}""#, r#""a""#),
        (r#"{ "${NOMAD_K}" = "$${x}" }"#, r#"{"${NOMAD_K}":"${x}"}"#),
    ];
    for (text, wanted) in cases {
        assert_eq!(result(text), wanted, "{text}");
    }
}

#[test]
fn outside_of_templates_they_are_left_as_interpolations() {
    let cases = [
        ("attr.kernel.name", r#""${attr.kernel.name}""#),
        ("NOMAD_DC", r#""${NOMAD_DC}""#),
        (r#"attr["a.b"].c"#, r#""${attr[\"a.b\"].c}""#),
        ("[node.class, var.dc]", r#"["${node.class}","eu"]"#),
        ("upper(NOMAD_DC)", r#""${NOMAD_DC}""#),
        ("lower(NOMAD_DC)", r#""${nomad_dc}""#),
        ("var.on ? attr.a : attr.b", r#""${attr.a}""#),
        ("[for v in [1, 2] : meta.x]", r#"["${meta.x}","${meta.x}"]"#),
        ("{ (meta.k) = meta.v }", r#"{"${meta.k}":"${meta.v}"}"#),
    ];
    for (text, wanted) in cases {
        assert_eq!(result(text), wanted, "{text}");
    }
}

#[test]
fn directives_stay_when_what_decides_is_not_known() {
    let cases = [
        ("\"%{ if var.on }${NOMAD_A}%{ else }b%{ endif }\"", "\"${NOMAD_A}\""),
        ("\"%{ if NOMAD_A == 1 }${var.dc}%{ endif }!\"", "\"%{ if NOMAD_A == 1 }${var.dc}%{ endif }!\""),
        ("\"%{ for x in [1, 2] }${x}${NOMAD_A}%{ endfor }\"", "\"1${NOMAD_A}2${NOMAD_A}\""),
        ("\"a%{ for x in NOMAD_L }${x}%{ endfor }\"", "\"a%{ for x in NOMAD_L }${x}%{ endfor }\""),
    ];
    for (text, wanted) in cases {
        assert_eq!(result(text), wanted, "{text}");
    }
}

#[test]
fn all_else_is_as_ever() {
    assert!(result("-attr.n").starts_with("job.hcl:1,2-8: Invalid operand"));
    assert!(result("\"${var.nowhere}\"").starts_with("job.hcl:1,7-15: Unsupported attribute"));
    let parsed = expression("\"${NOMAD_X}${var.secret}\"");
    let (value, _) = evaluate(parsed.expression(), Some(&scope()), &EvalOptions::default());
    assert_eq!(value.as_str(), Some("${NOMAD_X}s"));
    assert!(value.marks().contains_name("sensitive"));
    let parsed = expression("\"${NOMAD_X}${var.later}\"");
    let (value, _) = evaluate(parsed.expression(), Some(&scope()), &EvalOptions::default());
    assert_eq!(value.refinement().unwrap().string_prefix(), "${NOMAD_X}");
}

#[test]
fn bare_templates() {
    let text = "a ${NOMAD_X}\n%{ if var.on ~}\nb ${var.dc}\n%{ endif ~}\n";
    let source = Source::with_grammar("file.tpl", text, Grammar::Template, Pos::START).unwrap();
    let (parsed, problems) = parse_template(source, &ParseLimits::default());
    assert!(problems.is_empty());
    let (value, problems) = evaluate(parsed.expression(), Some(&scope()), &EvalOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(value.as_str(), Some("a ${NOMAD_X}\nb eu\n"));
}
