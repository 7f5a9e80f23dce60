//! References that only a client of Nomad knows: texts that everything around them works on.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate, evaluate_config};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::value::Value;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_template};
use hcl_syntax::source::{Grammar, Pos, Source};

/// A job's names inside the functions of Nomad.
fn scope() -> Arc<Scope> {
    let var = Value::object(vec![
        ("k".into(), Value::string("key")),
        ("m".into(), Value::object(vec![("a".into(), Value::string("one"))])),
        ("on".into(), Value::TRUE),
    ]);
    let outer = Scope::builder().functions(dialect::nomad()).runtime_references().build();
    let local = Value::object(Vec::new());
    Scope::builder().parent(outer).variable("var", var).variable("local", local).build()
}

fn shown(value: &Value, problems: &[Diagnostic]) -> String {
    match problems.first() {
        Some(problem) => problem.summary.to_string(),
        None => value.to_json().unwrap(),
    }
}

/// The value as JSON, or the title of the first complaint. Compiled, the same comes out.
fn result(text: &str) -> String {
    let (parsed, problems) = parse_expression(Source::new("job.hcl", text).unwrap(), &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    let scope = scope();
    let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    let once = shown(&value, &problems);
    let id = parsed.expression().id();
    let (program, _) =
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default());
    let (value, problems) = program.evaluate(&mut Frame::new(&scope));
    assert_eq!(once, shown(&value, &problems), "{text}");
    once
}

fn expect(cases: &[(&str, &str)]) {
    for (text, wanted) in cases {
        assert_eq!(result(text), *wanted, "{text}");
    }
}

#[test]
fn a_reference_is_the_text_of_its_interpolation() {
    expect(&[
        ("node.class", r#""${node.class}""#),
        ("service", r#""${service}""#),
        ("each.key", r#""${each.key}""#),
        ("Local.x", r#""${Local.x}""#),
        ("varx.y", r#""${varx.y}""#),
        (r#"attr["driver.docker"].version"#, r#""${attr[\"driver.docker\"].version}""#),
        ("node.list[0].0", r#""${node.list[0].0}""#),
        ("(\nnode\n.x\n)", "\"${node\\n.x}\""),
        ("node/* why */.x", r#""${node/* why */.x}""#),
        (r#""${node.x}-${var.k}""#, r#""${node.x}-key""#),
        (r#""$${node.x}""#, r#""${node.x}""#),
        (r#""$$${node.x}""#, r#""$${node.x}""#),
        (r#""%%{if node.x}%%${node.x}""#, r#""%{if node.x}%%${node.x}""#),
        (
            r#"{ node = 1, (node.k) = node.v, "${node.x}-" = 2 }"#,
            r#"{"${node.k}":"${node.v}","${node.x}-":2,"node":1}"#,
        ),
    ]);
}

#[test]
fn blanks_between_the_braces_and_the_reference_belong_to_it() {
    expect(&[
        (r#""${ node.x }""#, r#""${ node.x }""#),
        (r#""${   node.x   }!""#, r#""${   node.x   }!""#),
        (r#""${node.x }""#, r#""${node.x }""#),
        (r#""${node.x~}  y""#, r#""${node.x~}y""#),
        ("\"${node.x\t}\"", "\"${node.x\\t}\""),
        ("\"${node.x\n}\"", "\"${node.x\\n}\""),
        ("\"${node.x\n  }\"", "\"${node.x\\n  }\""),
        ("\"${node.x\n\n}\"", r#""${node.x}""#),
        ("\"${\tnode.x\t}\"", r#""${node.x}""#),
        ("\"${\n  node.x\n}\"", r#""${node.x}""#),
        (r#""a ${~ node.x ~} b""#, r#""a${node.x}b""#),
        (r#""${(node.x)}""#, r#""${node.x}""#),
        (r#""${ (node.x) }""#, r#""${node.x}""#),
        (r#""${upper( node.x )}""#, r#""${NODE.X}""#),
        (r#""${ node.x == "$${ node.x}" }""#, "true"),
        (r#""${ node.x == "$${node.x}" }""#, "false"),
        (r#""${ var.on ? node.x : node.y }""#, r#""${node.x}""#),
    ]);
}

#[test]
fn a_brace_that_follows_stays_single() {
    expect(&[
        (r#""{${node.x}}""#, r#""{${node.x}}""#),
        (r#""{ ${node.x} }""#, r#""{ ${node.x} }""#),
        (r#""{{${x}}}""#, r#""{{${x}}}""#),
        (r#""{ ${ node.x  } }""#, r#""{ ${ node.x  } }""#),
        (r#""${upper(node.x)} }""#, r#""${NODE.X} }""#),
    ]);
}

#[test]
fn everything_around_works_on_the_text() {
    expect(&[
        ("strlen(node.class)", "13"),
        (r#"split(".", node.x)[1]"#, r#""x}""#),
        (r#"node.x == "a""#, "false"),
        (r#"node.x == "$${node.x}""#, "true"),
        ("node.x != null", "true"),
        ("can(node.x)", "true"),
        (r#"try(node.x, "d")"#, r#""${node.x}""#),
        (r#"try(node.x + 1, "d")"#, r#""d""#),
        (r#"lookup(var.m, node.x, "d")"#, r#""d""#),
        ("node.list[*]", r#"["${node.list}"]"#),
        (r#"[for x in ["a", node.x] : x if x != node.x]"#, r#"["a"]"#),
        (r#""%{ if node.x == "a" }yes%{ else }no%{ endif }""#, r#""no""#),
        (r#""%{ for s in ["a"] }${s}${node.x};%{ endfor }""#, r#""a${node.x};""#),
        (r#"var.on ? "${node.x}" : 1"#, r#""${node.x}""#),
    ]);
}

#[test]
fn what_cant_work_on_a_text_is_an_error() {
    expect(&[
        ("node.cpu * 2", "Invalid operand"),
        (r#""${node.cpu + 1}""#, "Invalid operand"),
        ("!node.flag", "Invalid operand"),
        ("-node.n", "Invalid operand"),
        ("node.flag && true", "Invalid operand"),
        ("node.a < node.b", "Invalid operand"),
        ("node.flag ? 1 : 2", "Incorrect condition type"),
        (r#""%{ if node.flag }yes%{ endif }""#, "Incorrect condition type"),
        ("[for x in node.list : x]", "Iteration over non-iterable value"),
        ("node[var.k]", "Invalid index"),
        (r#"attr["x${var.k}"]"#, "Invalid index"),
        ("node.x[-1]", "Invalid index"),
        ("(node.x).y", "Unsupported attribute"),
        ("node.*.id", "Unsupported attribute"),
        ("upper(node.x).y", "Unsupported attribute"),
        ("[1, 2][node.x]", "Invalid index"),
        ("var.m[node.x]", "Invalid index"),
    ]);
}

#[test]
fn names_that_are_known_are_no_references() {
    expect(&[
        ("var.nope", "Unsupported attribute"),
        ("local.nope", "Unsupported attribute"),
        ("[for node in [1] : node]", "[1]"),
        ("[for node in [{ x = 1 }] : node.x][0] == node.x", "false"),
        ("[for k, v in { a = 1 } : [k, v, other]]", r#"[["a",1,"${other}"]]"#),
    ]);
    // Of a scope without the names of a job, too.
    let bare = Scope::builder().runtime_references().variables_allowed().build();
    let (parsed, _) = parse_expression(Source::new("x", "var.a").unwrap(), &ParseLimits::default());
    let (_, problems) = evaluate(parsed.expression(), Some(&bare), &EvalOptions::default());
    assert_eq!(problems[0].summary, "Unknown variable");
}

#[test]
fn slots_are_names_of_the_scope() {
    let mut builder = Scope::builder().functions(dialect::nomad()).runtime_references();
    let slot = builder.slot("zone");
    let scope = builder.build();
    let text = r#""${zone}-${upper(node.x)}""#;
    let (parsed, _) = parse_expression(Source::new("job", text).unwrap(), &ParseLimits::default());
    let id = parsed.expression().id();
    let (program, problems) =
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    let mut frame = Frame::new(&scope);
    for zone in ["a", "b"] {
        frame.set(slot, Some(Value::string(zone)));
        let (value, problems) = program.evaluate(&mut frame);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(value.as_str(), Some(format!("{zone}-${{NODE.X}}").as_str()));
    }
    frame.set(slot, None);
    assert!(!program.evaluate(&mut frame).1.is_empty(), "a slot without a value is no runtime reference");
}

#[test]
fn strings_of_json_syntax_have_them_too() {
    let text = r#"{"a": "${node.x}", "b": "é\n\"q\" ${ node.x } }", "c": {"${node.k}": ["${upper(node.x)}"]},
        "d": "$${node.x}", "e": "plain"}"#;
    let (file, problems) = parse_json(Source::json("job.json", text).unwrap(), &ParseLimits::default());
    assert!(problems.is_empty(), "{problems:?}");
    let (attributes, _) = ConfigBody::from(&file).just_attributes();
    let scope = scope();
    let values: Vec<String> = attributes
        .iter()
        .map(|attribute| {
            let (value, problems) =
                evaluate_config(&attribute.expression(), Some(&scope), &EvalOptions::default());
            shown(&value, &problems)
        })
        .collect();
    let wanted = [
        r#""${node.x}""#,
        r#""é\n\"q\" ${ node.x } }""#,
        r#"{"${node.k}":["${NODE.X}"]}"#,
        r#""${node.x}""#,
        r#""plain""#,
    ];
    assert_eq!(values, wanted);
}

#[test]
fn bare_templates_have_them_too() {
    let text = "a ${NOMAD_X} }\n%{ if var.on ~}\nb ${ node.y } ${var.k}\n%{ endif ~}\n";
    let source = Source::with_grammar("file.tpl", text, Grammar::Template, Pos::START).unwrap();
    let (parsed, problems) = parse_template(source, &ParseLimits::default());
    assert!(problems.is_empty());
    let (value, problems) = evaluate(parsed.expression(), Some(&scope()), &EvalOptions::default());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(value.as_str(), Some("a ${NOMAD_X} }\nb ${ node.y } key\n"));
}

#[test]
fn an_inner_scope_has_the_rule_of_the_outer_one_unless_it_has_its_own() {
    let outer = Scope::builder().runtime_references().build();
    assert!(Scope::builder().parent(Arc::clone(&outer)).build().has_runtime_references());
    let inner = Scope::builder().parent(outer).leave_unknown_interpolations().build();
    assert!(inner.leaves_unknown_interpolations() && !inner.has_runtime_references());
}
