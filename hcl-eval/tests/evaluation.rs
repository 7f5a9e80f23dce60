//! Bounds of evaluation, and that prepared and one-shot evaluation agree.

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use hcl_eval::Value;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Frame, Scope, evaluate};
use hcl_eval::function::{Function, FunctionError, Parameter};
use hcl_eval::limits::{CancelToken, Limits};
use hcl_eval::program::{CompileOptions, Program};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;
use stopwatch::Stopwatch;

/// A thread as small as hosts make them.
const SMALL_STACK: usize = 256 * 1024;

fn parse_with(text: &str, limits: &ParseLimits) -> ParsedExpression {
    let source = Source::new("test", text).expect("the text is short");
    let (parsed, problems) = parse_expression(source, limits);
    assert!(problems.is_empty(), "{problems:?}");
    parsed
}

fn parse(text: &str) -> ParsedExpression {
    parse_with(text, &ParseLimits { max_depth: 20_000, ..ParseLimits::default() })
}

fn scope() -> Arc<Scope> {
    Scope::builder()
        .functions(dialect::terraform())
        .variable("a", Value::int(1))
        .variable("t", Value::TRUE)
        .variable("l", Value::tuple(vec![Value::string("x"), Value::string("y")]))
        .build()
}

fn run(text: &str, limits: Limits) -> (Value, Diagnostics) {
    let parsed = parse(text);
    evaluate(parsed.expression(), Some(&scope()), &EvalOptions { limits, ..EvalOptions::default() })
}

fn on_small_stack(body: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .stack_size(SMALL_STACK)
        .spawn(body)
        .expect("a thread can be made")
        .join()
        .expect("no panic");
}

/// The code of the only diagnostic.
fn code(problems: &Diagnostics) -> &str {
    assert_eq!(problems.len(), 1, "{problems:?}");
    &problems[0].code
}

#[test]
fn chains_are_no_nesting() {
    on_small_stack(|| {
        let n = 100_000;
        for text in [
            vec!["a"; n].join("+"),
            vec!["t"; n].join("&&"),
            "t?a:".repeat(n) + "a",
            format!("[{}]", vec!["1"; n].join(",")),
            format!("\"{}\"", "x${a}".repeat(n)),
        ] {
            let (value, problems) = run(&text, Limits::default());
            assert!(problems.is_empty(), "{}: {problems:?}", &text[..20]);
            assert!(value.is_wholly_known());
        }
        let (_, problems) = run(&format!("[[0]]{}", "[0]".repeat(n)), Limits::default());
        assert_eq!(code(&problems), "value.index.not_indexable");
    });
}

#[test]
fn a_million_operands_take_no_stack() {
    on_small_stack(|| {
        let (value, problems) = run(&vec!["a"; 1_000_000].join("+"), Limits::default());
        assert!(problems.is_empty());
        assert_eq!(value.as_number().and_then(|n| n.to_i64()), Some(1_000_000));
    });
}

#[test]
fn nesting_is_bounded() {
    on_small_stack(|| {
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(run(&nested(1000), Limits::default()).1.is_empty());
        assert_eq!(code(&run(&nested(1001), Limits::default()).1), "limit.depth");
        let deep = Limits { max_depth: 10_000, ..Limits::default() };
        for text in [
            nested(10_000),
            "{a=".repeat(10_000) + "1" + &"}".repeat(10_000),
            "abs(".repeat(10_000) + "1" + &")".repeat(10_000),
            "!".repeat(10_000) + "t",
            "(".repeat(10_000) + "a" + &")".repeat(10_000),
            "[for x in ".repeat(5_000) + "[1]" + &": x]".repeat(5_000),
            "t ? ".repeat(5_000) + "a" + &" : a".repeat(5_000),
        ] {
            let (_, problems) = run(&text, deep.clone());
            assert!(problems.is_empty(), "{}: {problems:?}", &text[..20]);
        }
    });
}

/// Walks over values look at the stack from some depth on; what they need up to there has to be little.
#[test]
fn values_of_any_depth_take_little_stack() {
    for depth in [15, 16, 17, 33, 63, 64, 65, 129, 400] {
        let walk = move || {
            let nest = |inner, _| Value::object(vec![("a".into(), Value::tuple(vec![inner]))]);
            let (one, other) = ((0..depth).fold(Value::int(1), nest), (0..depth).fold(Value::int(1), nest));
            assert!(one.raw_equals(&other));
            assert_eq!(one.ty(), other.ty());
            assert!(one.to_json().is_ok_and(|json| Value::from_json_implied(&json).is_ok()));
        };
        thread::Builder::new()
            .stack_size(SMALL_STACK / 6)
            .spawn(walk)
            .expect("a thread can be made")
            .join()
            .expect("no panic");
    }
}

#[test]
fn limits_end_an_evaluation() {
    let loops = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]]";
    let steps = Limits { max_steps: 10_000, ..Limits::default() };
    let elements = Limits { max_elements: 10_000, ..Limits::default() };
    let output = Limits { max_output_bytes: 1_000, ..Limits::default() };
    let cancel = CancelToken::new();
    cancel.trigger();
    let cancelled = Limits { cancel: Some(cancel), ..Limits::default() };
    assert_eq!(code(&run(loops, steps.clone()).1), "limit.steps");
    assert_eq!(code(&run(loops, elements).1), "limit.elements");
    assert_eq!(code(&run(loops, cancelled).1), "limit.cancelled");
    let text = "\"%{ for a in range(1000) }${a},%{ endfor }\"";
    assert_eq!(code(&run(text, output).1), "limit.output");
    // A limit is no failure that could be tried around.
    assert_eq!(code(&run(&format!("try({loops}, 1)"), steps).1), "limit.steps");
}

#[test]
fn room_is_asked_for_within_the_limits() {
    let limits = Limits { max_memory: 100, ..Limits::default() };
    let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    assert!(evaluation.hold_parts(10, 10).is_ok() && evaluation.hold_parts(25, 4).is_ok());
    assert!(!evaluation.stopped());
    let told = evaluation.hold_parts(101, 1).expect_err("it is too much");
    assert_eq!(code(&told), "limit.memory");
    // It is told once.
    assert!(evaluation.hold_parts(101, 1).is_err_and(|told| told.is_empty()));
}

/// A text is as large as it is written: a long literal is held against the limits, also one that is all that there is.
#[test]
fn long_literals_are_held_against_the_limits() {
    let few = Limits { max_memory: 10_000, ..Limits::default() };
    let long = format!("\"{}\"", "x".repeat(100_000));
    for text in [long.clone(), format!("[{long}]"), format!("{{ a = {long} }}")] {
        assert_eq!(code(&run(&text, few.clone()).1), "limit.memory");
        assert!(run(&text, Limits::default()).1.is_empty());
    }
}

/// A value of so many levels, each of which is the one below twice, as `v`.
fn doubled(levels: usize, body: &str) -> String {
    let step = "[for v in [[v, v]] : ".repeat(levels);
    format!("[for v in [[1, 1]] : {step}{body}{}]", "][0]".repeat(levels))
}

#[test]
fn values_that_share_their_parts_are_bounded() {
    for body in ["length(v)", "v == [v, v]", "t ? v : [v]", "v + 1", "jsonencode(v)", "tolist(v)"] {
        assert_eq!(code(&run(&doubled(60, body), Limits::default()).1), "limit.elements", "{body}");
    }
    assert!(run(&doubled(10, "length(v)"), Limits::default()).1.is_empty());
    // Looking at a large value takes steps, wherever it comes from.
    let steps = Limits { max_steps: 10_000, ..Limits::default() };
    for body in ["length(v)", "v == [v, v]", "t ? v : v"] {
        let text = doubled(15, &format!("[for i in range(50) : {body}]"));
        assert_eq!(code(&run(&text, steps.clone()).1), "limit.steps", "{body}");
    }
}

#[test]
fn problems_are_bounded() {
    let (_, problems) = run("[for a in range(1000) : [for b in range(1000) : nope]]", Limits::default());
    assert_eq!(problems.len(), 1001);
    assert_eq!(problems[1000].code, "limit.diagnostics");
}

#[test]
fn long_details_lack_their_middle() {
    let text = format!("fail(\"{}{}\")", "é".repeat(1500), "z".repeat(3000));
    let fail = Function::new("fail", "Fails.")
        .parameter(Parameter::new("why", hcl_eval::Type::String))
        .implementation(|_, args| Err(FunctionError::new(args[0].as_str().unwrap_or(""))));
    let scope = Scope::builder().function(fail).build();
    let parsed = parse(&text);
    let (_, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    let detail: &str = &problems[0].detail;
    let (start, rest) = detail.split_once(" … (").expect("the middle is left out");
    let (n_left_out, end) = rest.split_once(" bytes are not shown) … ").expect("its length is told");
    assert!((2047..=2048).contains(&start.len()), "{start}");
    assert_eq!(end.len(), 1024);
    let whole = format!("Call to function \"fail\" failed: {}{}.", "é".repeat(1500), "z".repeat(3000));
    assert!(whole.starts_with(start) && whole.ends_with(end), "{detail}");
    assert_eq!(n_left_out, (whole.len() - start.len() - end.len()).to_string());
}

/// A key that nobody knows ahead of time is not taken for a constant for the sake of its constant value.
#[test]
fn keys_that_are_calls_are_evaluated_each_time() {
    let calls = AtomicUsize::new(0);
    let tick = Function::new("tick", "Counts its calls.")
        .pure(false)
        .implementation(move |_, _| Ok(Value::count(calls.fetch_add(1, Ordering::Relaxed))));
    let scope = Scope::builder().function(tick).build();
    let parsed = parse("{ (tick()) = 1 }");
    let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
    let (program, _) = Program::compile(tree, id, Arc::clone(&scope), &CompileOptions::default());
    let keys = || {
        let (value, problems) = program.evaluate(&mut Frame::new(&scope));
        assert!(problems.is_empty(), "{problems:?}");
        value.to_string()
    };
    assert_ne!(keys(), keys());
}

#[test]
fn an_invocation_shows_its_meter() {
    let shown = Function::new("shown", "").implementation(|call, _| Ok(Value::string(format!("{call:?}"))));
    let scope = Scope::builder().function(shown).build();
    let (value, _) = evaluate(parse("shown()").expression(), Some(&scope), &EvalOptions::default());
    assert!(value.as_str().is_some_and(|text| text.starts_with("Invocation { meter: Meter {")), "{value:?}");
}

/// The arguments of a call are an error as a whole if the last, which is expanded, has one.
#[test]
fn nothing_is_expanded_beside_an_error() {
    let parsed = parse("length([nope]...)");
    let (value, problems) = evaluate(parsed.expression(), Some(&scope()), &EvalOptions::default());
    assert_eq!(code(&problems), "eval.unknown_variable");
    assert_eq!(value.ty(), hcl_eval::Type::Dynamic);
}

#[test]
fn programs_mean_what_their_expressions_mean() {
    let outer = Scope::builder().functions(dialect::terraform()).variable("one", Value::int(1)).build();
    let mut builder = Scope::builder().parent(outer);
    let root = builder.slot("v");
    let path = builder.slot("each.key");
    let scope = builder.build();
    let mut frame = Frame::new(&scope);
    let object = Value::object(vec![("a".into(), Value::int(7)), ("é".into(), Value::string("x"))]);
    frame.set(root, Some(Value::tuple(vec![object.clone(), Value::null(hcl_eval::Type::String), object])));
    frame.set(path, Some(Value::string("k")));
    for text in [
        "v[0].a + one * 2 == 9 && each.key != \"\"",
        "[for i, x in v : \"${i}-${each.key}\" if x != null]",
        "{ for i, x in v : i => [for i in [x] : i] }",
        "{ a = 1, \"b\" = each[\"key\"], a = v[2].a, (each.key) = one }",
        "{ b = 1, a = 2, b = upper(\"x\") }",
        "v[*]",
        "v[0][*].a",
        "v.1[*]",
        "v[one].a",
        "[for v in [[1, 2]] : v[1]]",
        "[for x in v[*] : x.e\u{301}]",
        "true ? v[0].a : \"text\"",
        "try(v[5].a, nope, one)",
        "can(nope(1))",
        "v[0].zz + nope",
        "\"%{ for x in [1, 2] ~} ${x + one} %{ endfor ~}\"",
        "max([1, 2, one]...)",
        "{ v.a = 1 }",
        "nope() ? 1 : 2",
        "each",
    ] {
        // Alone, and behind so many others that it is numbered high.
        for others in [0, 100] {
            let parsed = parse(&format!("[{}{text}\n]", "0, ".repeat(others)));
            let elements = parsed.expression().as_static_list();
            let expression = elements.and_then(|elements| elements.last()).expect("there is an element");
            let options = EvalOptions { frame: Some(&frame), ..EvalOptions::default() };
            let (value, problems) = evaluate(expression, Some(&scope), &options);
            let tree = parsed.tree().clone();
            let (program, _) =
                Program::compile(tree, expression.id(), Arc::clone(&scope), &CompileOptions::default());
            let mut frame = Frame::new(&scope);
            frame.set(root, options.frame.and_then(|frame| frame.get(root)).cloned());
            frame.set(path, Some(Value::string("k")));
            let (prepared, prepared_problems) = program.evaluate(&mut frame);
            assert!(value.raw_equals(&prepared), "{text}");
            assert_eq!(problems, prepared_problems, "{text}");
        }
    }
}

#[test]
fn compiling_tells_what_is_needed_and_what_is_unknown() {
    let mut builder = Scope::builder().functions(dialect::terraform());
    let slots = ["a", "each.key", "each.value", "b"].map(|name| builder.slot(name));
    let scope = builder.build();
    let compile = |text: &str| {
        let parsed = parse(text);
        let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
        Program::compile(tree, id, Arc::clone(&scope), &CompileOptions::default())
    };
    let (program, problems) = compile("[for a in b : a + each.key]");
    assert!(problems.is_empty());
    assert_eq!(program.needs(), [slots[1], slots[3]]);
    let (_, problems) = compile("nope + nada()");
    let summaries: Vec<_> = problems.iter().map(|problem| problem.summary.as_ref()).collect();
    assert_eq!(summaries, ["Unknown variable", "Call to unknown function"]);
    assert!(compile("try(nope, 1)").1.is_empty());
    assert_eq!(compile("each").1[0].code, "eval.partial_variable");
    let (program, _) = compile("[upper(\"a\"), 1 + 2][1] * 2");
    assert_eq!(program.constant().and_then(Value::as_number).and_then(|n| n.to_i64()), Some(6));
}

#[test]
fn what_is_needed_is_told_once_and_in_order() {
    for n_slots in [1, 2, 7, 8, 9, 17, 100] {
        let mut builder = Scope::builder();
        let names: Vec<_> = (0..n_slots).map(|i| format!("n{i}")).collect();
        let mut slots: Vec<_> = names.iter().map(|name| builder.slot(name)).collect();
        // Every name at least once, but the last two, and in no order.
        let n_used = names.len().max(3) - 2;
        let uses: Vec<_> = (0..3_000)
            .map(|i| &*names[i * i * 7 % n_used])
            .chain(names.iter().take(n_used).map(|name| &**name))
            .collect();
        let parsed = parse(&uses.join(" + "));
        let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
        let (program, _) = Program::compile(tree, id, builder.build(), &CompileOptions::default());
        slots.truncate(n_used);
        slots.sort_unstable();
        assert_eq!(program.needs(), slots, "{n_slots}");
    }
}

#[test]
fn values_of_the_names_involved_are_told() {
    let (_, problems) = run("a + upper(l)", Limits::default());
    let told: Vec<_> =
        problems[0].values.iter().map(|v| format!("{} {}", v.expression, v.description)).collect();
    assert_eq!(told, ["l is a tuple with 2 elements"]);

    // Parts that are evaluated or reported without them do not silence those behind.
    for part in ["l[*].nothing", "tolist([{}])[*].nothing", "nada(a)", "try(a.nothing, 1)", "1 + upper(l)"] {
        let (_, problems) = run(&format!("[{part}, a + upper(l)]"), Limits::default());
        let last = problems.last().expect("the second part fails");
        let told: Vec<_> =
            last.values.iter().map(|v| format!("{} {}", v.expression, v.description)).collect();
        assert_eq!(told, ["l is a tuple with 2 elements"], "{part}");
    }
}

/// A name in a diagnostic has its meaning at the problem: other bindings in between, of the expression itself, make
/// no difference.
#[test]
fn values_are_told_of_names_as_they_are_bound_at_the_problem() {
    let cases: [(&str, &[&str]); 5] = [
        (r#"[for a in ["one"] : [for b in ["two"] : 1 + [for p in [2] : "${b}${p}"]]]"#, &["b is \"two\""]),
        (
            r#"[for b in ["one"] : 1 + [for p in [2] : [for q in [3] : "${b}${a}"]]]"#,
            &["b is \"one\"", "a is 1"],
        ),
        // Of an element nothing is known before there is one, and it is not what has its name outside.
        ("[for l in [] : 1 if 2 + l + a]", &["a is 1"]),
        ("[for b in [5] : [for a, l in [] : 1 if 2 + l.x + a + b]]", &["b is 5"]),
        ("[for l in [0] : tolist([{q = [1]}, true ? null : {q = [1]}])[*][*].q[l]]", &["l is 0"]),
    ];
    for (text, expected) in cases {
        let parsed = parse(text);
        let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
        let (program, _) = Program::compile(tree, id, scope(), &CompileOptions::default());
        let (_, of_program) = program.evaluate(&mut Frame::new(&scope()));
        for problems in [run(text, Limits::default()).1, of_program] {
            let values = problems[0].values.iter();
            let told: Vec<_> = values.map(|v| format!("{} {}", v.expression, v.description)).collect();
            assert_eq!(told, expected, "{text}: {problems:?}");
        }
    }
}

#[test]
fn numbers_that_would_be_long_are_told_briefly() {
    let (_, problems) = run("[for n in [1e100000] : n && t]", Limits::default());
    let told = problems[0].values.iter().find(|value| value.expression == "n").map(|v| &*v.description);
    assert_eq!(told, Some("is 1e+100000"));
}

/// Constant parts may be work for minutes; each evaluation has limits for that, compiling does none of it.
#[test]
fn constant_parts_that_take_long_are_left_to_evaluation() {
    let many = "flatten(setproduct(range(1000), range(1000)))";
    let long = "format(\"%1000000s%100000s\", \"\", \"\")";
    let texts = [
        format!("length({many})"),
        format!("length([{}])", [many; 50].join(", ")),
        format!("length(\"${{{long}}}\")"),
        format!("length([{}])", vec![format!("strrev(upper({long}))"); 200].join(", ")),
        "1e600000000 % 7.5e-300000000".to_owned(),
        format!("length(toset([{}]))", ["1e-600000000"; 500].join(", ")),
    ];
    for text in texts {
        let parsed = parse(&text);
        let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
        let begin = Stopwatch::start();
        let (program, problems) = Program::compile(tree, id, scope(), &CompileOptions::default());
        let taken = begin.elapsed();
        assert!(problems.is_empty(), "{problems:?}");
        assert!(program.constant().is_none(), "{text:.40}");
        assert!(taken.as_millis() < 1000, "{taken:?} for {text:.40}");
    }
    let parsed = parse(&format!("length({long})"));
    let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
    let scope = scope();
    let (program, _) = Program::compile(tree, id, Arc::clone(&scope), &CompileOptions::default());
    let (value, problems) = program.evaluate(&mut Frame::new(&scope));
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(value.as_number().and_then(|n| n.to_i64()), Some(1_100_000));
}

/// A container has as many parts as there are literals in it, and weighs one more.
#[test]
fn containers_of_literals_are_constant_if_they_are_small_enough() {
    let most = 10_000;
    let limits = Limits { max_elements: most as u64, ..Limits::default() };
    let options = CompileOptions { limits };
    let scope = scope();
    for n in [0, 1, most - 1, most, most + 1] {
        let tuple = format!("[{}]", "\"a\",".repeat(n));
        let items: String = (0..n).map(|i| format!("k{i} = {i}, \"t{i}\" = null,")).collect();
        for text in [tuple, format!("{{{items}}}")] {
            let parsed = parse(&text);
            let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
            let (program, problems) = Program::compile(tree, id, Arc::clone(&scope), &options);
            assert!(problems.is_empty(), "{problems:?}");
            let (expected, _) = run(&text, Limits::default());
            let is_small = expected.weight() as usize <= most + 1;
            assert_eq!(program.constant().is_some(), is_small, "{n} {text:.20}");
            let (value, _) = program.evaluate(&mut Frame::new(&scope));
            assert!(value.raw_equals(&expected), "{n} {text:.20}");
        }
    }
}

/// A function that evaluates text in its own scope nests without end; the limit ends it.
#[test]
fn recursion_through_functions_is_bounded() {
    on_small_stack(|| {
        let parsed = Arc::new(parse("again(n + 1)"));
        let body = Arc::clone(&parsed);
        let again = Function::new("again", "")
            .parameter(Parameter::new("n", hcl_eval::Type::Number))
            .implementation(move |invocation, arguments| {
                let mut scope = Scope::builder().variable("n", arguments[0].clone());
                for table in invocation.scope().map(Scope::function_tables).unwrap_or_default() {
                    scope = scope.functions(table);
                }
                let (value, problems) = invocation.evaluate(body.expression(), Some(&scope.build()));
                match problems.first() {
                    None => Ok(value),
                    Some(problem) => Err(FunctionError::new(problem.to_string())),
                }
            });
        let scope = Scope::builder().variable("n", Value::int(0)).function(again).build();
        let (_, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
        assert_eq!(code(&problems), "limit.depth");
    });
}

/// Names are found through any number of bindings: each means the innermost `for` that has it.
#[test]
fn names_are_found_below_many_bindings() {
    let depth = 60;
    for (wanted, expected) in [(0, 0), (1, 1), (15, 15), (16, 16), (17, 17), (40, 40), (59, 59)] {
        // The value of the binding at depth i is i; every third one is called `again`.
        let name = |i: usize| if i % 3 == 2 { "again".to_owned() } else { format!("v{i}") };
        let open: String = (0..depth).map(|i| format!("[for k, {} in [{i}]: ", name(i))).collect();
        let body = format!("[{}, again, l[0]]", name(wanted));
        let text = format!("{open}{body}{}", "]".repeat(depth));
        let parsed = parse(&text);
        let scope = scope();
        let (once, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
        assert!(problems.is_empty(), "{problems:?}");
        let id = parsed.expression().id();
        let (program, problems) =
            Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default());
        assert!(problems.is_empty(), "{problems:?}");
        let (compiled, problems) = program.evaluate(&mut Frame::new(&scope));
        assert!(problems.is_empty() && compiled.raw_equals(&once), "{problems:?}");
        let mut value = &once;
        for _ in 0..depth {
            value = &value.elements().expect("a tuple")[0];
        }
        let again = depth - 1;
        let first = if wanted % 3 == 2 { again } else { expected };
        let parts = value.elements().expect("a tuple");
        assert!(
            parts[0].raw_equals(&Value::number(hcl_eval::Number::integer_512(first as i64))),
            "{value:?}"
        );
        assert!(
            parts[1].raw_equals(&Value::number(hcl_eval::Number::integer_512(again as i64))),
            "{value:?}"
        );
        assert_eq!(parts[2].as_str(), Some("x"));
    }
}

/// Operands in parentheses are shown with them, whether they were prepared or not.
#[test]
fn complaints_about_operands_show_their_parentheses() {
    let parsed = parse("1 + ((l))");
    let scope = scope();
    let (_, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    let id = parsed.expression().id();
    let mut slots = Scope::builder();
    let slot = slots.slot("l");
    let slots = slots.build();
    let (program, _) =
        Program::compile(parsed.tree().clone(), id, Arc::clone(&slots), &CompileOptions::default());
    let mut frame = Frame::new(&slots);
    frame.set(slot, Some(Value::tuple(Vec::new())));
    let (_, again) = program.evaluate(&mut frame);
    assert_eq!((problems.len(), again.len()), (1, 1));
    assert_eq!(problems[0].subject, again[0].subject);
}

#[test]
fn mistakes_in_strings_of_json_count_as_diagnostics() {
    let text = format!("{{\"a\": [{}1]}}", "\"${\", ".repeat(20));
    let file = JsonFile::parse("main.hcl.json", text).expect("it is JSON");
    let elements = ConfigBody::from(&file).everything().expression("a").expect("it is there");
    let codes = |max_diagnostics| {
        let limits = Limits { max_diagnostics, ..Limits::default() };
        let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
        let (_, problems) = evaluation.evaluate(&elements, Some(&scope()));
        problems.into_iter().map(|problem| problem.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(100), ["parse.expression_missing"; 20]);
    assert_eq!(codes(3), [["parse.expression_missing"; 3].as_slice(), &["limit.diagnostics"]].concat());
}

/// Processor time for a scope with so many slots below one root, a program that reads all of them, and one that reads another.
fn time_of_paths(n: usize) -> Duration {
    let paths: Vec<String> = (0..n).map(|i| format!("a.b{i}")).collect();
    let all = parse(&format!("[{}]", paths.join(", ")));
    let other = parse("a.c5");
    let start = Stopwatch::start();
    let mut builder = Scope::builder();
    let slots: Vec<usize> = paths.iter().map(|path| builder.slot(path)).collect();
    let scope = builder.build();
    assert!(paths.iter().zip(slots).all(|(path, slot)| {
        scope.slot(path) == Some(slot) && scope.slot_name(slot).as_ref() == Some(path)
    }));
    let compile = |parsed: &ParsedExpression| {
        let id = parsed.expression().id();
        Program::compile(parsed.tree().clone(), id, Arc::clone(&scope), &CompileOptions::default()).1
    };
    assert!(compile(&all).is_empty());
    let detail = &compile(&other)[0].detail;
    assert!(detail.contains("Did you mean \"a.b"), "{detail}");
    start.elapsed()
}

/// Four times the slots may take a little more than four times as long, but not sixteen times.
#[test]
fn slots_below_one_root_take_time_in_proportion() {
    let shortest = |n| (0..3).map(|_| time_of_paths(n)).min().expect("some runs");
    let (few, many) = (shortest(4_000), shortest(16_000));
    assert!(many < few * 8 + Duration::from_millis(20), "{few:?}, then {many:?}");
}

#[test]
fn the_longest_path_is_read_among_few_and_many() {
    for n in [2, 20] {
        let mut builder = Scope::builder();
        let whole = builder.slot("a");
        let short: Vec<usize> = (0..n).map(|i| builder.slot(&format!("a.b{i}"))).collect();
        let long: Vec<usize> = (0..n).map(|i| builder.slot(&format!("a.b{i}.c"))).collect();
        let scope = builder.build();
        let cases = [
            ("a.x", whole),
            ("a[0]", whole),
            ("a[\"b1.c\"]", whole),
            ("a.b1", short[1]),
            ("a.b1.x", short[1]),
            ("a[\"b1\"].c.d", long[1]),
        ];
        for (text, wanted) in cases {
            let parsed = parse(text);
            let id = parsed.expression().id();
            let (program, problems) =
                Program::compile(parsed.into_tree(), id, Arc::clone(&scope), &CompileOptions::default());
            assert!(problems.is_empty(), "{problems:?}");
            assert_eq!(program.needs(), [wanted], "{text}, {n}");
        }
    }
}
