//! Expressions are lowered once and run by one evaluator: prepared or not they use the same, and one place decides what an
//! operation does.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use hcl_eval::eval::{Frame, Scope};
use hcl_eval::limits::{Limits, Usage};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::{Mark, Str, Type, Value};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

/// With constant parts of every kind, names that are constants and slots, chains, parentheses, trees of plain operands.
const EXPRESSIONS: [&str; 58] = [
    "1 + 2 * 3",
    r#"can(yamldecode("[a, [a, [a, [a"))"#,
    "((1)) + -(-2)",
    "!!true && 1 < 2",
    "1 + n + 2 + 3",
    "(1 + 2) * n - (n + 4)",
    r#""a${"b"}c${1 + 1}${n}""#,
    r#""${n}""#,
    r#""a${"b"}""#,
    "[1, [2, 3], n, [upper(\"x\")]]",
    r#"{ a = 1, "b" = 2, (upper("c")) = [3] }"#,
    r#"{ a = n, "b" = [1, 2], c = { d = 1 } }"#,
    r#"{ "b" = "${n}x", a = fixed.a.b, c = [1, {}], d = [{ e = n }] }"#,
    r#"{ b = "${n} more than sixty-four bytes of text that is written beside a number, so that it takes a step", "a" = fixed.list, c = [[[1], 2]], n = n }"#,
    r#"{ b = "${n}", a = fixed.none, n = n }"#,
    r#"[{ b = { a = n }, "${n}" = { c = [n], "d" = { e = [[1]], "f" = "${n}" } } }]"#,
    "true ? 1 : false ? 2 : 3",
    "n > 2 ? 1 + 1 : false ? 2 + 2 : n",
    "fixed.a.b",
    "fixed.a[\"b\"] + fixed.list[1]",
    "fixed.list[n - 2]",
    "fixed.none",
    "[for x in fixed.list : x * (1 + 1) if x != 2 + 1]",
    r#"{ for k, v in { a = 1, "b" = 2 } : upper(k) => { "v" = v, w = 1 + 1 } }"#,
    "fixed.objects[*].name",
    "max([1, 2, 3]...) + length([1, 2])",
    r#""%{ for x in fixed.list }${x}-%{ endfor }%{ if 1 < 2 }yes%{ endif }""#,
    "[upper(\"a\")][0]",
    "unknown(1) + [1]",
    "n + 1 > 2 && n * 2 == 6 || (n < 1 && -n > 2)",
    "(n + 1) * (n + fixed.none) - n / 2",
    "n == 3 && (n > 1 || fixed.list == n) && n + 1",
    "n / 0 > 1 && n - n == 0 / (n - n)",
    "n * 2 > 5 ? n + 1 : n - 1",
    "n + 1 ? 1 : n > 2",
    r#""${n}-${fixed.a.b}.${n}""#,
    r#""${n} more than sixty-four bytes of text that is written beside a number, so that it takes a step""#,
    r#""${n}${fixed.list}${n > 2}""#,
    "1e20000 * 1e20000 > 1",
    "jsonencode([1e-400, 1e999 * n])",
    "jsonencode(1e-999 * n)",
    "1 < 2 < 3",
    "1 + 2 < 3 && (1 < 2 == true) < n",
    "- -1 + n",
    "!!true ? n : 1 < 2 ? 3 : false ? 4 : 5",
    "n > 1 ? n : (1 < 2 ? [3] : 1 < 2 < n ? [4] : [5])",
    "[1, [2]][1][0] + { a = { b = [3] } }.a.b[0] + [[n]][0][1 - 1]",
    "[[upper(\"a\")]][0][0].b",
    r#"provider::terraform::decode_tfvars(sensitive("a = [1, [2]]"))"#,
    r#"[provider::terraform::decode_tfvars("a = 1\nb = \"c\""), jsondecode(sensitive("[[[1]]]"))]"#,
    r#"format("%2000d%-3000s|%.1500f", n, "x", n)"#,
    r#"upper(lower(upper(format("%5s", sensitive("a")))))"#,
    r#"[can(jsondecode("[[[[1]]]]")), n]"#,
    r#"[can(yamldecode("[[[[1]]]]")), n]"#,
    r#"["${jsonencode([1, 1e300])}", n]"#,
    "length([for l in [[1, 2, 3]] : [l, l, l]])",
    r#"length(upper("more than two times sixty-four bytes of text that is made and thrown away, so that nothing is left of it but a number that weighs next to nothing"))"#,
    r#"[for i, x in fixed.list : "${i}: ${x}, ${[for y in fixed.list : x * n + y > 4 && y != x]}"]"#,
];

fn scope() -> Arc<Scope> {
    let scope = Scope::builder().dialect("terraform").expect("a dialect");
    let fixed = r#"{"a": {"b": 5}, "list": [1, 2, 3], "objects": [{"name": "x"}, {"name": "y"}]}"#;
    let mut scope = scope.variable("fixed", Value::from_json_implied(fixed).expect("JSON"));
    scope.slot("n");
    scope.build()
}

/// The results of an expression once and prepared, with their usage.
fn both_ways(text: &str, limits: &Limits) -> [(String, Usage); 2] {
    let scope = scope();
    let (parsed, problems) =
        parse_expression(Source::new("text", text).expect("short"), &ParseLimits::default());
    assert!(problems.is_empty(), "{text}");
    let expression = parsed.expression();
    let mut frame = Frame::with_limits(&scope, limits.clone());
    frame.set(0, Some(Value::int(3)));
    let once = format!("{:?}", frame.evaluate(expression, &scope));
    let used_once = frame.used();
    let tree = parsed.tree().clone();
    let (program, _) =
        Program::compile(tree, expression.id(), Arc::clone(&scope), &CompileOptions::default());
    let prepared = format!("{:?}", program.evaluate(&mut frame));
    [(once, used_once), (prepared, frame.used())]
}

#[test]
fn a_program_uses_what_its_expression_uses_once() {
    for text in EXPRESSIONS {
        let [once, prepared] = both_ways(text, &Limits::default());
        assert_eq!(once, prepared, "{text}");
    }
}

#[test]
fn logic_of_comparisons_has_its_table_of_truth_in_both_ways() {
    let value = |text: &str| both_ways(text, &Limits::default()).map(|(value, _)| value);
    let sides = [("n == 3", true), ("n + 1 < 4", false)];
    for (a, is_a) in sides {
        for (b, is_b) in sides {
            assert_eq!(value(&format!("{a} && {b}")), value(&(is_a && is_b).to_string()), "{a} && {b}");
            assert_eq!(value(&format!("{a} || {b}")), value(&(is_a || is_b).to_string()), "{a} || {b}");
            for (c, is_c) in sides {
                let rows = [
                    (format!("{a} && {b} || {c}"), is_a && is_b || is_c),
                    (format!("{a} || {b} && {c}"), is_a || is_b && is_c),
                    (format!("({a} || {b}) && {c}"), (is_a || is_b) && is_c),
                    (format!("{a} || {b} || {c}"), is_a || is_b || is_c),
                    (format!("{a} && {b} && {c}"), is_a && is_b && is_c),
                ];
                for (text, expected) in rows {
                    assert_eq!(value(&text), value(&expected.to_string()), "{text}");
                }
            }
        }
    }
}

#[test]
fn constants_of_a_program_are_made_once() {
    let scope = scope();
    let source = Source::new("text", r#"[n, [upper("a"), [1 + 1]]]"#).expect("short");
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    let id = parsed.expression().id();
    let (program, _) =
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default());
    let mut frame = Frame::new(&scope);
    let values = [1, 2].map(|n| {
        frame.set(0, Some(Value::int(n)));
        program.evaluate(&mut frame).0
    });
    let [first, second] =
        values.each_ref().map(|value| value.elements().and_then(|all| all[1].elements()).expect("a tuple"));
    assert_eq!(first.as_ptr(), second.as_ptr());
    let shown = values.each_ref().map(|value| format!("{value:?}"));
    assert_ne!(shown[0], shown[1]);
}

#[test]
fn limits_are_met_at_the_same_place() {
    for text in EXPRESSIONS {
        let [(_, used), _] = both_ways(text, &Limits::default());
        for max_steps in 0..used.steps {
            let [once, prepared] = both_ways(text, &Limits { max_steps, ..Limits::default() });
            assert_eq!(once.0, prepared.0, "{text} within {max_steps} steps");
        }
        // A value may have more parts than were made, which it shares.
        for max_elements in 0..used.elements + 10 {
            let [once, prepared] = both_ways(text, &Limits { max_elements, ..Limits::default() });
            assert_eq!(once.0, prepared.0, "{text} within {max_elements} elements");
        }
        for max_output_bytes in 0..used.output_bytes {
            let [once, prepared] = both_ways(text, &Limits { max_output_bytes, ..Limits::default() });
            assert_eq!(once.0, prepared.0, "{text} within {max_output_bytes} bytes");
        }
        for max_depth in 0..used.depth {
            let [once, prepared] = both_ways(text, &Limits { max_depth, ..Limits::default() });
            assert_eq!(once.0, prepared.0, "{text} within {max_depth} levels");
        }
    }
}

/// A place of a tree is taken apart to tell where a problem is, never to decide what to do.
#[test]
fn one_place_decides_what_an_operation_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval");
    let mut deciding = Vec::new();
    for file in fs::read_dir(folder).expect("the sources") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("UTF-8");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let arms = ["Node::Template {", "Node::Splat {", "Node::Tuple("];
        let n_arms = arms.iter().filter(|arm| text.contains(**arm)).count();
        if n_arms > 1 {
            deciding.push(name.clone());
        }
        let kinds = ["ExpressionKind::Tuple", "ExpressionKind::Template(", "ExpressionKind::Binary"];
        assert!(!kinds.iter().any(|kind| text.contains(kind)), "{name} decides on the kind of an expression");
    }
    assert_eq!(deciding, ["evaluator.rs"]);
}

/// The usage is enough as limits for everything but the memory that is held meanwhile.
#[test]
fn limits_of_what_was_used_are_enough() {
    for text in EXPRESSIONS {
        let [(whole, used), _] = both_ways(text, &Limits::default());
        let limits = Limits {
            max_depth: used.depth,
            max_steps: used.steps,
            max_elements: used.elements.max(used.parts.into()),
            max_output_bytes: used.output_bytes,
            ..Limits::default()
        };
        assert_eq!(both_ways(text, &limits), [(whole.clone(), used), (whole, used)], "{text}");
    }
}

/// Variables with names of all lengths and places, in objects and maps, and what else is evaluated on ways of its own.
const SHORT_WAYS: [&str; 26] = [
    "v",
    "v.a.b.c",
    "(v.a).b",
    "v.name_of_ten",
    "v.name_of_over_twenty_bytes",
    "v.wide.k04",
    "v.wide.k20",
    "v[\"wide\"].k20",
    "v.map.x",
    "v.map[\"x\"]",
    "v.list[1]",
    "v.none",
    "v.a.none",
    "v.null.x",
    "v.secret",
    "v.secret.x",
    "v.text",
    "fixed.a.b",
    "unset",
    "5",
    "v.a.b.c > 2 && v.a.b.c < 9",
    "v.a.b.c * 2",
    "v.a.b.c > 2 ? v.a.b.c : 1",
    "\"${v.a.b.c}-${v.text}\"",
    "[for i in range(200) : { i = v.a.b.c }]",
    "upper(v.text)",
];

/// The values of [`SHORT_WAYS`].
fn variables() -> Value {
    let wide = (0..40).map(|i| (Str::new(format!("k{i:02}")), Value::int(i))).collect();
    let map = Value::map(Type::Number, vec![("x".into(), Value::int(7))]);
    let c = Value::object(vec![("c".into(), Value::int(5))]);
    Value::object(vec![
        ("a".into(), Value::object(vec![("b".into(), c)])),
        ("name_of_ten".into(), true.into()),
        ("name_of_over_twenty_bytes".into(), "long".into()),
        ("wide".into(), Value::object(wide)),
        ("map".into(), map.clone()),
        ("list".into(), Value::tuple(vec![Value::int(1), Value::int(2)])),
        ("null".into(), Value::null(Type::Dynamic)),
        ("secret".into(), map.mark(Mark::sensitive())),
        ("text".into(), "a text that is longer than is kept in place".into()),
    ])
}

/// An evaluation leaves nothing behind that the next one with its frame would see, whichever ways they go and however often.
#[test]
fn an_evaluation_uses_the_same_after_any_other() {
    let scope = Scope::builder().dialect("terraform").expect("a dialect");
    let fixed = Value::from_json_implied(r#"{"a": {"b": 5}}"#).expect("JSON");
    let mut scope = scope.variable("fixed", fixed);
    let (slot, _) = (scope.slot("v"), scope.slot("unset"));
    let scope = scope.build();
    let programs = SHORT_WAYS.map(|text| {
        let source = Source::new("text", text).expect("short");
        let (parsed, problems) = parse_expression(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{text}");
        let id = parsed.expression().id();
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default()).0
    });
    let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let few = Limits { max_steps: 3, max_elements: 100, ..Limits::default() };
    for limits in [Limits::default(), few, late] {
        let frame = || {
            let mut frame = Frame::with_limits(&scope, limits.clone());
            frame.set(slot, Some(variables()));
            frame
        };
        let result =
            |program: &Program, frame: &mut Frame| (format!("{:?}", program.evaluate(frame)), frame.used());
        let alone = programs.each_ref().map(|program| result(program, &mut frame()));
        for (first, before) in programs.iter().zip(&alone) {
            let mut frame = frame();
            for (text, (second, expected)) in SHORT_WAYS.iter().zip(programs.iter().zip(&alone)) {
                assert_eq!(&result(first, &mut frame), before, "before {text}");
                assert_eq!(&result(second, &mut frame), expected, "{text}");
                assert_eq!(&result(second, &mut frame), expected, "{text} again");
            }
        }
    }
}

/// Room for texts is kept from one evaluation to the next; where a limit is reached does not depend on it.
#[test]
fn room_of_earlier_texts_decides_nothing() {
    let mut scope = Scope::builder();
    let slot = scope.slot("v");
    let scope = scope.build();
    let source = Source::new("text", r#""${v.text}, and é${v.text}${v.none}${v.a + "x"}""#).expect("short");
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    let id = parsed.expression().id();
    let (program, _) =
        Program::compile(parsed.into_tree(), id, Arc::clone(&scope), &CompileOptions::default());
    for max_output_bytes in [0, 2, 60, 1000] {
        let limits = Limits { max_output_bytes, ..Limits::default() };
        let mut frames = [Frame::with_limits(&scope, limits.clone()), Frame::new(&scope)];
        frames.iter_mut().for_each(|frame| frame.set(slot, Some(variables())));
        program.evaluate(&mut frames[1]);
        *frames[1].limits_mut() = limits;
        let [fresh, used] =
            frames.each_mut().map(|frame| (format!("{:?}", program.evaluate(frame)), frame.used()));
        assert_eq!(fresh, used, "within {max_output_bytes} bytes");
    }
}
