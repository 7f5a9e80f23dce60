//! Looks that are counted: work on so many parts looks so often, and ends at the look that says so, on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hcl_eval::columns::{Bounds, Cells, Column, ColumnsOptions, Texts};
use hcl_eval::convert::convert_metered;
use hcl_eval::decode::{SpecFile, decode};
use hcl_eval::dialect;
use hcl_eval::dynamic::Body;
use hcl_eval::eval::{EvalOptions, Evaluation, Frame, Scope, evaluate};
use hcl_eval::explain::{ExplainOptions, TextOptions};
use hcl_eval::function::{Function, FunctionTable};
use hcl_eval::host::MemoryHost;
use hcl_eval::json_syntax::to_json;
use hcl_eval::limits::{BYTES_PER_PART, CancelToken, LimitReached, Limits, Meter};
use hcl_eval::order::Definitions;
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::{Type, TypeConstraint};
use hcl_eval::value::{Mark, Value};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression, parse_file};
use hcl_syntax::source::Source;

use super::stopwatch::Stopwatch;
use super::watched::lateness;
use super::{LONGEST_GAP, token, watched};

/// There is a look at least each so many parts.
const PARTS: usize = 1 << 14;

/// So many parts.
const N: usize = 1 << 18;

/// A token that counts how often it is asked, and is triggered from the look on that has a number.
fn from_look(number: usize) -> (CancelToken, Arc<AtomicUsize>) {
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    (CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) >= number), n_looks)
}

/// A token that is triggered at a look and taken back before the next, and how many looks there were.
fn only_at_look(number: usize) -> (CancelToken, Arc<AtomicUsize>) {
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    (CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) + 1 == number), n_looks)
}

fn limits(cancel: CancelToken) -> Limits {
    Limits { cancel: Some(cancel), max_memory: u64::MAX, max_output_bytes: u64::MAX, ..Limits::default() }
}

fn options(limits: Limits) -> EvalOptions<'static> {
    EvalOptions { limits, ..EvalOptions::default() }
}

/// How often work looks that nothing ends.
fn looks_of<T>(work: impl FnOnce(Limits) -> T) -> usize {
    let (token, n_looks) = from_look(usize::MAX);
    drop(work(limits(token)));
    n_looks.load(Ordering::Relaxed)
}

/// Work on [`N`] parts looks often enough.
fn looks_often<T>(name: &str, work: impl FnOnce(Limits) -> T) {
    let n_looks = looks_of(work);
    assert!(n_looks >= N / PARTS, "{name}: {n_looks} looks");
}

fn source(text: &str) -> Source {
    Source::new("main.hcl", text).unwrap()
}

fn config(text: &str) -> ConfigBody {
    let (file, problems) = parse_file(source(text), &ParseLimits::default());
    assert!(!has_errors(&problems), "{problems:?}");
    ConfigBody::from(&file)
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn parsed(text: &str) -> ParsedExpression {
    let (parsed, problems) = parse_expression(source(text), &ParseLimits::default());
    assert!(!has_errors(&problems), "{problems:?}");
    parsed
}

fn is_told(problems: &Diagnostics, code: &str) -> bool {
    problems.iter().any(|problem| problem.code == code)
}

/// A limit in the middle of `block_attrs` is an error; the attributes that are missing then are not just left out.
#[test]
fn a_limit_in_the_attributes_of_a_block_is_told() {
    let body = Body::from(config(&format!("b {{\n{}}}\n", lines(2000, |i| format!("  a{i} = {i}\n")))));
    let spec = config("block_attrs {\n  block_type   = \"b\"\n  element_type = number\n}\n");
    let root = SpecFile::read(&spec, &EvalOptions::default()).0.root;
    let decoded = |limits| decode(&body, &root, None, &options(limits));
    let n_looks = looks_of(decoded);
    for look in 0..n_looks + 1 {
        let (token, _) = from_look(look);
        let (value, problems) = decoded(limits(token));
        assert_eq!(is_told(&problems, "limit.cancelled"), look < n_looks, "look {look} of {n_looks}");
        assert!(look < n_looks || value.len() == Some(2000));
    }
    for max_steps in [500, 1000, 2000, 3000, 4000] {
        let (value, problems) = decoded(Limits { max_steps, ..Limits::default() });
        assert!(is_told(&problems, "limit.steps") || value.len() == Some(2000), "{max_steps} steps");
    }
}

/// Defaults of a type are put into each of many parts.
#[test]
fn defaults_are_put_in_within_the_limits() {
    let constraint = TypeConstraint::from_text(
        "list(object({ a = optional(number, 1), b = optional(list(string), []) }))",
    )
    .unwrap();
    let given = Value::tuple(vec![Value::object(Vec::new()); N]);
    looks_often("defaults", |limits| constraint.apply_within(&given, &mut Meter::new(limits)));
    let defaults = constraint.defaults.as_ref().unwrap();
    let few = Limits { max_memory: 1 << 20, ..Limits::default() };
    let made = defaults.apply_within(&given, &mut Meter::new(few.clone()));
    assert_eq!(made.map(drop), Err(LimitReached::Memory(1 << 20)));
    let body = Body::from(config(&format!("a = [\n{}]\n", "{},\n".repeat(N))));
    let spec = "attr {\n  name = \"a\"\n  type = list(object({ a = optional(number, 1), b = optional(string, \"b\") }))\n}\n";
    let root = SpecFile::read(&config(spec), &EvalOptions::default()).0.root;
    let (_, problems) = decode(&body, &root, None, &options(few));
    assert!(is_told(&problems, "limit.memory"), "{problems:?}");
}

/// The types of nested values are compared before what is in them: here they differ at the end.
#[test]
fn types_of_nested_values_are_compared_in_pieces() {
    let nested = |last: Value| {
        let parts = (0..N / 2).map(|i| Value::tuple(vec![Value::count(i)])).chain([last]);
        Value::tuple(parts.collect())
    };
    let (a, b) = (nested(Value::TRUE), nested(Value::string("x")));
    looks_often("types", |limits| {
        let equal = a.equals_within(&b, &mut Meter::new(limits)).unwrap();
        assert_eq!(equal.as_bool(), Some(false));
    });
}

/// Tuples of parts of one type, of marked ones and of nulls are looked through in pieces before they become lists and sets.
#[test]
fn tuples_become_collections_in_pieces() {
    let tuple = |part: fn(usize) -> Value| Value::tuple((0..N).map(part).collect());
    let marked = tuple(|i| Value::count(i).mark(Mark::sensitive()));
    let scope = Scope::builder()
        .functions(dialect::terraform())
        .variable("numbers", tuple(Value::count))
        .variable("marked", marked)
        .variable("nulls", tuple(|_| Value::null(Type::Dynamic)))
        .build();
    // How often all parts are gone through, with a look at least each second stretch of 4,096.
    let calls = [
        ("tolist(numbers)", 4),
        ("tolist(marked)", 4),
        ("tolist(nulls)", 6),
        ("concat(tolist(nulls), tolist([\"a\"]))", 12),
        ("toset(marked)", 17),
        ("distinct(numbers)", 7),
    ];
    for (call, n_rounds) in calls {
        let parsed = parsed(call);
        let n_looks = looks_of(|limits| {
            let (value, problems) = evaluate(parsed.expression(), Some(&scope), &options(limits));
            assert!(problems.is_empty() && value.len() >= Some(1), "{call}: {problems:?}");
        });
        assert!(n_looks >= n_rounds * N / 8192, "{call}: {n_looks} looks");
    }
    // One that a host function returns, and one that a list is made of.
    let list = Type::list(Type::Dynamic);
    let tuple = tuple(Value::count);
    let n_looks = looks_of(|limits| convert_metered(&tuple, &list, &mut Meter::new(limits)).unwrap());
    assert!(n_looks >= 4 * N / 8192, "{n_looks} looks");
}

/// Sets are compared in pieces, whatever their elements are.
#[test]
fn sets_are_compared_in_pieces() {
    let texts = |n| Value::set(Type::String, (0..n).map(|i| Value::string(format!("text {i}"))).collect());
    let numbers = |n| Value::set(Type::Number, (0..n).map(Value::count).collect());
    let pair = |i| Value::list(Type::Number, vec![Value::count(i)]);
    let lists = |n| Value::set(Type::list(Type::Number), (0..n).map(pair).collect());
    let cases =
        [("texts", texts(N), texts(N)), ("numbers", numbers(N), numbers(N)), ("lists", lists(N), lists(N))];
    for (name, a, b) in cases {
        let n_looks = looks_of(|limits| {
            let equal = a.equals_within(&b, &mut Meter::new(limits)).unwrap();
            assert_eq!(equal.as_bool(), Some(true));
        });
        assert!(n_looks >= N / 8192, "{name}: {n_looks} looks");
    }
}

/// Equal texts are compared by how long they are.
#[test]
fn long_texts_are_compared_in_pieces() {
    let texts = || Value::tuple(vec![Value::string("x".repeat(N)); N / 1024]);
    let (a, b) = (texts(), texts());
    let n_looks = looks_of(|limits| {
        let equal = a.equals_within(&b, &mut Meter::new(limits)).unwrap();
        assert_eq!(equal.as_bool(), Some(true));
    });
    assert!(n_looks >= N / 1024 * N / BYTES_PER_PART / PARTS, "{n_looks} looks");
}

/// Long texts that are operands, keys or elements are compared, looked up and hashed with a look for each, and no more steps.
#[test]
fn long_texts_are_looked_at_one_by_one() {
    const ROUNDS: usize = 64;
    let text = |last: &str| Value::string(format!("{}{last}", "x".repeat(4 * N)));
    let names = || text("").as_text().cloned().unwrap();
    let map = Value::map(Type::Number, vec![(names(), Value::int(1)), ("a".into(), Value::int(2))]);
    let scope = Scope::builder()
        .functions(dialect::terraform())
        .variable("rounds", Value::tuple(vec![Value::TRUE; ROUNDS]))
        .variable("a", text(""))
        .variable("b", text(""))
        .variable("c", text("c"))
        .variable("digits", Value::string("0".repeat(4 * N)))
        .variable("map", map)
        .variable("object", Value::object(vec![(names(), Value::int(1))]))
        .build();
    let expressions = [
        "a == b",
        "a != b",
        "!(a == b)",
        "a == b && a == b",
        "a == b ? 1 : 2",
        "\"%{ if a == b }x%{ endif }\"",
        "length([for x in [b] : x if a == x])",
        "map[b]",
        "object[b]",
        "can(object[c])",
        "lookup(map, b)",
        "lookup(map, c, 1)",
        "{ (a) = 1, (b) = 2 }",
        "{ (a) = 1 } == { (b) = 1 }",
        "{ for k in [a] : k => 1 }",
        "{ for k in [a, b] : k => 1... }",
        "merge(object, { (b) = 1 })",
        "keys({ (a) = 1, (b) = 2 })",
        "distinct([a])",
        "setintersection([a], [b])",
        "matchkeys([1], [a], [b])",
        "contains([a], b)",
        "toset([{ (a) = 1 }, { (b) = 1 }])",
        "-digits",
    ];
    let mut wrong = Vec::new();
    for expression in expressions {
        let parsed = parsed(&format!("[for round in rounds : {expression}]"));
        let n_looks = looks_of(|limits| {
            let (value, problems) = evaluate(parsed.expression(), Some(&scope), &options(limits));
            assert!(problems.is_empty() && value.len() == Some(ROUNDS), "{expression}: {problems:?}");
        });
        if n_looks < ROUNDS {
            wrong.push(format!("{expression}: {n_looks} looks"));
        }
        let (_, problems) =
            evaluate(parsed.expression(), Some(&scope), &options(limits(from_look(n_looks / 2).0)));
        assert!(problems.len() == 1 && is_told(&problems, "limit.cancelled"), "{expression}: {problems:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The names of an object are part of what it is, and told from others in pieces.
#[test]
fn names_count_for_the_number_of_an_object() {
    let object = Value::object((0..N).map(|i| (format!("a{i}").into(), Value::TRUE)).collect());
    let n_looks = looks_of(|limits| object.fingerprint_within(&mut Meter::new(limits)).unwrap());
    assert!(n_looks >= 3 * N / 8192, "{n_looks} looks");
}

/// The variables of a template come into its scope one by one, within what memory there may be.
#[test]
fn variables_of_a_template_come_in_pieces() {
    let names = |last: &str| {
        let names = (1..N).map(|i| format!("k{i}")).chain([last.to_owned()]);
        Value::object(names.map(|name| (name.as_str().into(), Value::TRUE)).collect())
    };
    let scope = Scope::builder()
        .functions(dialect::terraform())
        .variable("text", "${k5}")
        .variable("many", names("k0"))
        .variable("unfit", names("z z"))
        .build();
    let parsed_many = parsed("templatestring(text, many)");
    let rendered = |limits| evaluate(parsed_many.expression(), Some(&scope), &options(limits));
    let n_looks = looks_of(|limits| {
        let (value, problems) = rendered(limits);
        assert!(problems.is_empty() && value.as_str() == Some("true"), "{problems:?}");
    });
    assert!(n_looks >= 8 * N / PARTS, "{n_looks} looks");
    // Enough for the elements, and not for the names.
    let few = Limits { max_memory: 20 << 20, ..Limits::default() };
    assert!(is_told(&rendered(few).1, "limit.memory"));
    let parsed = parsed("templatestring(text, unfit)");
    let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options(Limits::default()));
    assert!(problems.len() == 1 && problems[0].detail.contains("\"z z\" is no name"), "{problems:?}");
}

/// Marks are taken off, and unknown parts made null, in pieces.
#[test]
fn marks_are_taken_off_in_pieces() {
    let secret = Value::TRUE.mark(Mark::sensitive());
    let unknown = Value::unknown(Type::Bool);
    let value = Value::tuple((0..N).map(|_| Value::tuple(vec![secret.clone(), unknown.clone()])).collect());
    looks_often("marks", |limits| value.unmark_deep_within(&mut Meter::new(limits)).unwrap());
    looks_often("unknown parts", |limits| value.unknown_as_null_within(&mut Meter::new(limits)).unwrap());
    looks_often("equality", |limits| value.equals_within(&value, &mut Meter::new(limits)).unwrap());
    let few = Limits { max_memory: 1 << 20, ..Limits::default() };
    assert!(value.unmark_deep_within(&mut Meter::new(few)).is_err());
}

/// Chains, labels, attributes and interpolations are written as JSON in pieces, within what memory there may be.
#[test]
fn json_syntax_is_written_in_pieces() {
    let scope = Scope::builder().build();
    let written = |text: &str, limits: Limits| {
        let (file, problems) = parse_file(source(text), &ParseLimits::default());
        assert!(!has_errors(&problems));
        to_json(&[file.body()], &scope, &options(limits))
    };
    let chain = format!("a = {}b\n", "1 + ".repeat(N));
    let labels = format!("b {}{{}}\n", "\"x\" ".repeat(N));
    let attributes = lines(N, |i| format!("a{:06} = 1\n", i * 7919 % N));
    let parts = format!("a = \"{}\"\n", "${b}".repeat(N));
    let escapes = format!("a = \"{}\"\n", "\\u00e9\\n".repeat(N));
    for (name, text) in
        [("a chain", &chain), ("attributes", &attributes), ("parts", &parts), ("escapes", &escapes)]
    {
        looks_often(name, |limits| assert!(written(text, limits).0.ends_with("\n}\n")));
    }
    // Attributes are put in order beside what each of them takes: 8,828 looks.
    assert!(looks_of(|limits| written(&attributes, limits)) >= 9000);
    // Writing the parts of a template is work of its own beside preparing them.
    assert!(looks_of(|limits| written(&parts, limits)) >= 4 * N / PARTS);
    let few = Limits { max_memory: 1 << 20, ..Limits::default() };
    for (name, text) in [("a chain", &chain), ("attributes", &attributes)] {
        assert!(is_told(&written(text, few.clone()).1, "limit.memory"), "{name}");
    }
    // Each label is a level of the text.
    let (json, problems) = written(&labels, few.clone());
    assert!(is_told(&problems, "limit.depth") && json.len() < 100, "{} bytes: {problems:?}", json.len());
    // The list of the labels is not made, and none of them is written.
    let (json, problems) = written(&labels, Limits { max_depth: u32::MAX, ..few });
    assert!(is_told(&problems, "limit.memory") && json.len() < 100, "{} bytes: {problems:?}", json.len());
}

/// An expression is prepared link by link, within the limits: where that ends, nothing of it is evaluated.
#[test]
fn nothing_is_evaluated_of_what_is_too_large_to_prepare() {
    let n_calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_calls);
    let noted = Function::new("noted", "Counts its calls.").implementation(move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(Value::TRUE)
    });
    let mut table = FunctionTable::new();
    table.insert(noted);
    let scope = Scope::builder().functions(Arc::new(table)).variable("b", 1).build();
    let chains = [
        ("a sum", format!("[noted(), {}b]", "b + ".repeat(N))),
        ("negations", format!("[noted(), {}noted()]", "!".repeat(N))),
        ("conditionals", format!("[noted(), {}b]", "noted() ? b : ".repeat(N / 4))),
        ("elements", format!("[noted(), [{}]]", "b, ".repeat(N))),
        ("keys", format!("[noted(), {{{}}}]", lines(N, |i| format!("k{i} = b\n")))),
    ];
    for (name, text) in chains {
        let parsed = parsed(&text);
        let few = Limits { max_memory: 1 << 20, ..Limits::default() };
        let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options(few));
        assert!(is_told(&problems, "limit.memory"), "{name}: {problems:?}");
        assert_eq!(n_calls.load(Ordering::Relaxed), 0, "{name}");
        looks_often(name, |limits| evaluate(parsed.expression(), Some(&scope), &options(limits)));
        n_calls.store(0, Ordering::Relaxed);
    }
}

/// Long texts are digested and searched for what is cut off in pieces of so many bytes that are as much work as [`N`] elements.
#[test]
fn long_texts_are_gone_through_in_pieces() {
    let text = format!("{}{}", " ".repeat(N * BYTES_PER_PART / 2), "x".repeat(N * BYTES_PER_PART / 2));
    let scope = Scope::builder().functions(dialect::terraform()).variable("text", text).build();
    let digests = ["md5", "sha1", "sha256", "sha512", "base64sha256", "base64sha512"];
    let digests = digests.map(|name| format!("{name}(text)"));
    let cuts = ["trim(text, \" x\")", "trimspace(\"${text}${text}\")"].map(str::to_owned);
    for call in digests.iter().chain(&cuts) {
        let parsed = parsed(call);
        looks_often(call, |limits| {
            let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options(limits));
            assert!(problems.is_empty(), "{call}: {problems:?}");
        });
    }
}

/// A switch that is seen while a function reads a text ends the evaluation, also if it is taken back: `try` does not catch it.
#[test]
fn a_limit_inside_a_text_of_a_call_ends_the_evaluation() {
    let calls = [
        ("try(templatestring(text, {}), 1)", "a b ".repeat(N)),
        (
            "try(provider::terraform::encode_expr([for line in split(\"\\n\", text) : line]), 1)",
            lines(N / 128, |i| format!("{i}\n")),
        ),
        ("try(provider::terraform::decode_tfvars(text), 1)", lines(N / 128, |i| format!("a{i} = {i}\n"))),
    ];
    for (call, text) in calls {
        let scope = Scope::builder().functions(dialect::terraform()).variable("text", text).build();
        let parsed = parsed(call);
        let evaluated = |number| {
            let (cancel, n_looks) = only_at_look(number);
            let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options(limits(cancel)));
            (problems, n_looks.load(Ordering::Relaxed))
        };
        let (problems, n_looks) = evaluated(usize::MAX);
        assert!(problems.is_empty() && n_looks > 5, "{call}: {problems:?}, {n_looks} looks");
        for number in 1..=n_looks {
            let (problems, n) = evaluated(number);
            assert!(
                n < number || is_told(&problems, "limit.cancelled"),
                "{call}, look {number}: {problems:?}"
            );
        }
    }
}

/// Long formats and names are read in pieces, whether anything comes of them or not.
#[test]
fn long_arguments_are_read_in_pieces() {
    let long = |text: &str| text.repeat(N * BYTES_PER_PART / text.len());
    let calls = [
        ("formatdate(text, \"2024-05-06T07:08:09Z\")", format!("'{}", long("''"))),
        ("replace(\"a\", \"/a/\", text)", format!("$1{}", long("x"))),
        ("replace(\"a\", \"/a/\", text)", format!("${{x{}}}", long("\u{e9}"))),
        ("yamldecode(text)", format!("{}\u{1}", long("\u{e9}"))),
    ];
    for (call, text) in calls {
        let scope = Scope::builder().functions(dialect::terraform()).variable("text", text).build();
        let parsed = parsed(call);
        looks_often(call, |limits| evaluate(parsed.expression(), Some(&scope), &options(limits)));
    }
}

/// Texts of a column are looked through in pieces, and the clock is not read for each of them.
#[test]
fn texts_of_a_column_are_looked_through_in_pieces() {
    let bytes = vec![b'x'; N * BYTES_PER_PART];
    let mut builder = Scope::builder();
    let slot = builder.slot("a");
    let scope = builder.build();
    let parsed = parsed("a == null");
    let tree = parsed.tree().clone();
    let (program, _) =
        Program::compile(tree, parsed.expression().id(), Arc::clone(&scope), &CompileOptions::default());
    let bounds = [0, i32::try_from(bytes.len()).unwrap()];
    let n_looks = looks_of(|limits| {
        let cells = Cells::Text(Texts::joined(Bounds::Small(&bounds), &bytes));
        let column = Column::new(cells, 1).unwrap();
        let mut frame = Frame::with_limits(&scope, limits);
        program.evaluate_columns(&mut frame, vec![(slot, column)], 1, &ColumnsOptions::default()).unwrap()
    });
    assert!((N / PARTS..N / 1024).contains(&n_looks), "{n_looks} looks");
}

/// JSON is read in pieces, within what memory there may be.
#[test]
fn json_is_read_in_pieces() {
    let escapes = format!("\"{}\"", "\\n".repeat(N));
    looks_often("escapes", |limits| {
        Value::from_json_metered(&escapes, None, &mut Meter::new(limits)).unwrap()
    });
    let nulls = format!("[{}null]", "[],".repeat(N));
    let few = Limits { max_memory: 4 << 20, ..Limits::default() };
    let error = Value::from_json_metered(&nulls, None, &mut Meter::new(few)).unwrap_err();
    assert_eq!(error.code(), "limit.memory");
}

/// The attributes of an object of JSON syntax are put in order in pieces.
#[test]
fn objects_of_json_syntax_are_made_in_pieces() {
    let text = format!("{{\"a\": {{{}\"z\": 1}}}}", lines(N, |i| format!("\"k{}\": 1,", i * 7919 % N)));
    let (file, _) = parse_json(Source::json("main.json", &text).unwrap(), &ParseLimits::default());
    let body = Body::from(ConfigBody::from(&file));
    let root =
        SpecFile::read(&config("attr {\n  name = \"a\"\n  type = any\n}\n"), &EvalOptions::default()).0.root;
    let empty = Scope::builder().build();
    // Making and evaluating the parts takes a look for each 1,024 of them; what comes after takes as many again.
    let n_looks = looks_of(|limits| decode(&body, &root, Some(&empty), &options(limits)));
    assert!(n_looks >= 2 * N / 1024, "{n_looks} looks");
}

/// Functions of a specification, and optional attributes that an object lacks.
#[test]
fn large_specifications_and_types_are_read_in_pieces() {
    let n = N / 16;
    let functions = config(&format!(
        "{}attr \"a\" {{\n  type = any\n}}\n",
        lines(n, |i| format!("function \"f{i}\" {{\n  params = []\n  result = 1\n}}\n"))
    ));
    looks_often("functions", |limits| SpecFile::read(&functions, &options(limits)));
    let ty = format!("object({{{}}})", lines(N, |i| format!("a{i} = optional(number),")));
    let wide = TypeConstraint::from_text(&ty).unwrap();
    let none = Value::object(Vec::new());
    looks_often("optional attributes", |limits| {
        convert_metered(&none, &wide.ty, &mut Meter::new(limits)).unwrap()
    });
    looks_often("a type in a text", |limits| {
        TypeConstraint::from_text_within(&ty, &mut Evaluation::new(&options(limits))).unwrap()
    });
    let written = parsed(&ty);
    looks_often("a type", |limits| {
        TypeConstraint::parse_within(written.expression(), &mut Evaluation::new(&options(limits)))
    });
}

/// Defaults have the limits of the evaluation that reads their type, and more than a text can write down otherwise.
#[test]
fn defaults_are_charged_to_who_reads_them() {
    let ty = format!("object({{{}}})", lines(N, |i| format!("a{i} = optional(list(number), [1, 2]),")));
    let many = TypeConstraint::from_text(&ty).unwrap();
    assert_eq!(many.defaults.unwrap().values().count(), N);
    let written = parsed(&ty);
    let limits = Limits { max_elements: 100, ..Limits::default() };
    let mut evaluation = Evaluation::new(&options(limits.clone()));
    let (_, problems) = TypeConstraint::parse_within(written.expression(), &mut evaluation);
    assert_eq!((problems.len(), &*problems[0].code), (1, "limit.elements"));
    // Where a text is read that is part of another, the place is known by the next expression alone.
    let mut evaluation = Evaluation::new(&options(limits));
    assert_eq!(TypeConstraint::from_text_within(&ty, &mut evaluation).unwrap().ty, Type::Dynamic);
    let (_, problems) = evaluation.evaluate_syntax(written.expression(), None);
    assert_eq!((problems.len(), &*problems[0].code), (1, "limit.elements"));
}

/// The time of defaults is that of the evaluation, too.
#[test]
fn defaults_are_evaluated_in_pieces() {
    let ones = "1, ".repeat(200);
    let ty =
        format!("object({{ a = optional(any, [for a in [{ones}] : [for b in [{ones}] : b if false]]) }})");
    let written = parsed(&ty);
    for in_text in [true, false] {
        let n_looks = looks_of(|limits| {
            let mut evaluation = Evaluation::new(&options(limits));
            match in_text {
                true => drop(TypeConstraint::from_text_within(&ty, &mut evaluation).unwrap()),
                false => drop(TypeConstraint::parse_within(written.expression(), &mut evaluation)),
            }
        });
        assert!(n_looks >= 200 * 200 / 1024, "{n_looks} looks");
    }
}

/// Much of a text is packed before something comes of it: there are looks beside those for steps.
#[test]
fn texts_are_packed_in_pieces() {
    let text = Value::string("some text ".repeat(N));
    let scope =
        Scope::builder().functions(dialect::by_name("terraform").unwrap()).variable("t", text).build();
    let parsed = parsed("base64gzip(t)");
    let mut n_steps = 0;
    let n_looks = looks_of(|limits| {
        let mut evaluation = Evaluation::new(&options(limits));
        let (packed, _) = evaluation.evaluate_syntax(parsed.expression(), Some(&scope));
        n_steps = usize::try_from(evaluation.usage().steps).unwrap();
        packed
    });
    assert!(n_looks >= 10 * N / (1 << 16), "{n_looks} looks for {n_steps} steps");
}

/// The type that an argument is written as is read at the expense of the call.
#[test]
fn types_of_arguments_are_read_in_pieces() {
    let scope = Scope::builder().functions(dialect::by_name("terraform").unwrap()).build();
    let attributes = lines(N / 4, |i| format!("a{i} = string,"));
    let parsed = parsed(&format!("convert(null, object({{{attributes}}}))"));
    let evaluated = |limits| evaluate(parsed.expression(), Some(&scope), &options(limits));
    let n_looks = looks_of(evaluated);
    assert!(n_looks >= N / 4 / 128, "{n_looks} looks");
    let (_, problems) = evaluated(Limits { max_memory: 1 << 20, ..Limits::default() });
    assert!(is_told(&problems, "limit.memory"), "{problems:?}");
}

/// The object of a `for` is put together in pieces, beside the looks that its elements take.
#[test]
fn the_object_of_a_for_is_made_in_pieces() {
    let scope = Scope::builder().variable("many", Value::tuple(vec![Value::TRUE; N])).build();
    for (text, n_attributes) in
        [("{ for i, x in many : \"k${i}\" => x }", N), ("{ for i, x in many : \"k${i}\" => x... }", N)]
    {
        let parsed = parsed(text);
        let mut n_steps = 0;
        let n_looks = looks_of(|limits| {
            let mut evaluation = Evaluation::new(&options(limits));
            let (value, _) = evaluation.evaluate_syntax(parsed.expression(), Some(&scope));
            assert_eq!(value.len(), Some(n_attributes));
            n_steps = usize::try_from(evaluation.usage().steps).unwrap();
        });
        assert!(n_looks >= n_steps / 1024 + N / PARTS, "{text}: {n_looks} looks for {n_steps} steps");
    }
}

/// The types of the results of a conditional, what they have in common, and the result as that.
#[test]
fn unlike_results_of_a_conditional_are_brought_together_in_pieces() {
    let wide = |prefix: &str, value: Value| {
        Value::object((0..N).map(|i| (format!("{prefix}{i}").into(), value.clone())).collect())
    };
    let scope = Scope::builder()
        .variable("a", wide("a", Value::count(1)))
        .variable("b", wide("b", Value::string("text")))
        .variable("c", wide("c", Value::tuple(vec![Value::TRUE])))
        .build();
    for (text, n_pieces) in [("true ? a : b", 5 * N), ("true ? a : {}", 3 * N), ("true ? a : c", 4 * N)] {
        let parsed = parsed(text);
        let evaluated = |limits| evaluate(parsed.expression(), Some(&scope), &options(limits));
        let n_looks = looks_of(evaluated);
        assert!(n_looks >= n_pieces / PARTS, "{text}: {n_looks} looks");
        for look in [n_looks / 4, n_looks / 2, n_looks - 1] {
            let (_, problems) = evaluated(limits(from_look(look).0));
            assert!(is_told(&problems, "limit.cancelled"), "{text}, look {look} of {n_looks}: {problems:?}");
        }
        let few = Limits { max_memory: 1 << 20, ..Limits::default() };
        assert!(is_told(&evaluated(few).1, "limit.memory"), "{text}");
    }
}

/// Definitions, what they need and circles of them are put in order in pieces, and then the object of their values.
#[test]
fn definitions_are_put_in_order_in_pieces() {
    let n = N / 2;
    // So many looks come before something is evaluated; those at what expressions need are fewer.
    let cases = [
        ("plain", lines(n, |i| format!("a{i} = 1\n")), 160),
        ("a list", format!("a = 1\nz = [{}]\n", "a, ".repeat(n)), 130),
        ("a circle", lines(n, |i| format!("a{i} = a{}\n", (i + 1) % n)), 440),
    ];
    for (name, text, least) in cases {
        let mut definitions = Definitions::plain();
        definitions.extend(&config(&text).just_attributes().0);
        // Their lines are found once.
        definitions.evaluate(None, &EvalOptions::default());
        let n_looks = looks_of(|limits| {
            let nothing = options(Limits { max_steps: 0, ..limits });
            definitions.evaluate_object(None, &mut Evaluation::new(&nothing))
        });
        assert!(n_looks >= least, "{name}: {n_looks} looks");
        let looks_for_values = looks_of(|limits| definitions.evaluate(None, &options(limits)));
        let object = |limits| definitions.evaluate_object(None, &mut Evaluation::new(&options(limits)));
        assert!(looks_of(object) >= looks_for_values + definitions.len() / 4096, "{name}");
    }
}

/// An explanation is written step by step within the limits of its evaluation. Steps without time are counted, the limit is told.
#[test]
fn explanations_are_written_in_pieces() {
    let parsed = parsed(&format!("[{}]", "1.25 * 3, ".repeat(2000)));
    let scope = Scope::builder().build();
    let told = |is_json: bool, limits: Limits, n_looks: &AtomicUsize| {
        let mut frame = Frame::with_limits(&scope, limits);
        let (_, mut problems, explanation) = frame.explain(parsed.expression(), &scope, &Default::default());
        let n_before = n_looks.load(Ordering::Relaxed);
        let text = match is_json {
            true => explanation.to_json_within(&mut frame, &mut problems),
            false => explanation.to_text_within(&TextOptions::default(), &mut frame, &mut problems),
        };
        (text, problems, n_before)
    };
    for is_json in [false, true] {
        let (token, n_looks) = from_look(usize::MAX);
        let (whole, problems, n_before) = told(is_json, limits(token), &n_looks);
        let n_for_writing = n_looks.load(Ordering::Relaxed) - n_before;
        // A step is 256 parts of work, and there is a look for each 4,096.
        assert!(problems.is_empty() && n_for_writing >= 600 * 256 / 4096, "{n_for_writing} looks");
        let (token, n_looks) = from_look(n_before + n_for_writing / 2);
        let (part, problems, _) = told(is_json, limits(token), &n_looks);
        assert!(is_told(&problems, "limit.cancelled") && problems.len() == 1, "{problems:?}");
        assert!(part.len() > whole.len() / 4 && part.len() < whole.len() * 3 / 4, "{}", part.len());
        // An evaluation that a limit ended is explained in part.
        let (token, n_looks) = from_look(n_before - 1);
        let (part, problems, _) = told(is_json, limits(token), &n_looks);
        assert_eq!(problems.iter().filter(|problem| problem.code == "limit.cancelled").count(), 1);
        assert!(part.len() > 300 && part.len() < whole.len() / 4, "{} of {}", part.len(), whole.len());
    }
}

/// Names and texts that are not ASCII are looked through in pieces where they become those of values.
#[test]
fn long_names_are_gone_through_in_pieces() {
    let name = "\u{e9}".repeat(N * BYTES_PER_PART / 4);
    let mut definitions = Definitions::plain();
    definitions.extend(&config(&format!("{name} = 1\n")).just_attributes().0);
    let n_looks = |object: bool| {
        looks_of(|limits| match object {
            true => drop(definitions.evaluate_object(None, &mut Evaluation::new(&options(limits)))),
            false => drop(definitions.evaluate(None, &options(limits))),
        })
    };
    // Their lines are found once.
    n_looks(false);
    let (n_for_values, n_for_object) = (n_looks(false), n_looks(true));
    assert!(
        n_for_object >= n_for_values + N / 2 / PARTS,
        "{n_for_object} looks, {n_for_values} for the values"
    );
    let scope = Scope::builder().variable("b", Value::object(Vec::new())).build();
    // Long texts of an expression; a limit that is reached in one ends the evaluation.
    let texts = [
        format!("{{ {name} = 1 }}"),
        format!("{{ \"{name}\" = 1 }}"),
        format!("\"{name}${{1}}\""),
        format!("{{ a = 1 }}[\"{name}\"]"),
        format!("b.{name}"),
    ];
    for (at, text) in texts.iter().enumerate() {
        let parsed = parsed(text);
        let evaluated = |limits| evaluate(parsed.expression(), Some(&scope), &options(limits));
        // Looks for lines, the first time, come before.
        evaluated(Limits::default());
        let n_looks = looks_of(evaluated);
        assert!(n_looks >= N / PARTS, "{at}: {n_looks} looks");
        let (_, problems) = evaluated(limits(from_look(n_looks / 2).0));
        assert_eq!(
            problems.iter().map(|problem| &*problem.code).collect::<Vec<_>>(),
            ["limit.cancelled"],
            "{at}"
        );
        let few = Limits { max_memory: 1 << 20, ..Limits::default() };
        assert!(is_told(&evaluated(few).1, "limit.memory"), "{at}");
    }
}

/// Of a long text, name or key an explanation looks at the beginning, and writes no more of it.
#[test]
fn the_beginnings_of_long_texts_are_explained() {
    let long = "k".repeat(1 << 23);
    let texts = [
        format!("{{ {long} = 1 }}"),
        format!("\"{long}\""),
        format!("\"${{1}}{long}\""),
        format!("{long}()"),
        long,
    ];
    let scope = Scope::builder().variables_allowed().functions(dialect::terraform()).build();
    for (at, text) in texts.iter().enumerate() {
        let parsed = parsed(text);
        for is_json in [false, true] {
            let explained = || {
                let mut frame = Frame::with_limits(&scope, limits(token()));
                let (_, mut problems, explanation) =
                    frame.explain(parsed.expression(), &scope, &Default::default());
                match is_json {
                    true => explanation.to_json_within(&mut frame, &mut problems),
                    false => explanation.to_text_within(&TextOptions::default(), &mut frame, &mut problems),
                }
            };
            // Lines are found the first time, and other work of the machine makes it slower.
            let rounds: Vec<_> = (0..4).map(|_| watched(explained)).collect();
            let gap = rounds.iter().map(|(_, _, gap)| *gap).min().unwrap();
            assert!(gap <= LONGEST_GAP, "{at}, JSON {is_json}: no look for {gap:?}");
            assert!(rounds[0].0.len() < 1 << 16, "{at}, JSON {is_json}: {} bytes", rounds[0].0.len());
        }
    }
}

/// Of many steps that were recorded before a limit was reached the first are written, and the others counted at once.
#[test]
fn few_of_many_steps_are_written_after_a_limit() {
    // A build without optimisation takes 40 ms for 300,000 of them, too near the 60 ms for a machine with other work.
    let n = if cfg!(debug_assertions) { 100_000 } else { 300_000 };
    let parsed = parsed(&format!("[{}]", "word, ".repeat(n)));
    let scope = Scope::builder().variable("word", "a word that is longer than fits").build();
    let bounds = ExplainOptions { max_steps: usize::MAX, ..ExplainOptions::default() };
    for is_json in [false, true] {
        let told = |token| {
            let mut frame = Frame::with_limits(&scope, limits(token));
            let (_, mut problems, explanation) = frame.explain(parsed.expression(), &scope, &bounds);
            let watch = Stopwatch::start();
            let text = match is_json {
                true => explanation.to_json_within(&mut frame, &mut problems),
                false => explanation.to_text_within(&TextOptions::default(), &mut frame, &mut problems),
            };
            (text, watch.elapsed())
        };
        let (token, n_looks) = from_look(usize::MAX);
        let mut frame = Frame::with_limits(&scope, limits(token));
        drop(frame.explain(parsed.expression(), &scope, &bounds));
        let at_the_end = n_looks.load(Ordering::Relaxed) - 1;
        let rounds: Vec<_> = (0..3).map(|_| told(from_look(at_the_end).0)).collect();
        let took = rounds.iter().map(|(_, took)| *took).min().unwrap();
        assert!(rounds[0].0.len() > 1000, "JSON {is_json}: {} bytes", rounds[0].0.len());
        assert!(took <= LONGEST_GAP, "JSON {is_json}: written for {took:?}");
    }
}

/// Results of a splat are of no use once a limit is reached, nor are the types of the rest.
#[test]
fn a_splat_ends_at_a_limit() {
    let object = |i| Value::object(vec![("a".into(), Value::object(vec![("b".into(), Value::count(i))]))]);
    let scope = Scope::builder().variable("many", Value::tuple((0..N).map(object).collect())).build();
    let parsed = parsed("many[*].a");
    let late = || lateness(|cancel| evaluate(parsed.expression(), Some(&scope), &options(limits(cancel))));
    let late = (0..3).map(|_| late()).min().unwrap();
    assert!(late <= LONGEST_GAP, "{late:?}");
}

/// The text of a type is written line by line, within what memory there may be.
#[test]
fn the_text_of_a_type_is_written_in_pieces() {
    let many = Value::tuple((0..N).map(Value::count).collect());
    let scope = Scope::builder().functions(dialect::terraform()).variable("many", many).build();
    let parsed = parsed("type([[[[many]]]])");
    let told = |limits| evaluate(parsed.expression(), Some(&scope), &options(limits));
    // Four pieces of each line, beside the type itself.
    assert!(looks_of(told) >= 16 * N / PARTS);
    let few = Limits { max_output_bytes: 1 << 20, ..Limits::default() };
    assert!(is_told(&told(few).1, "limit.output"));
}

/// The difference of two types that nest deep is looked for level by level.
#[test]
fn the_difference_of_types_is_told_in_pieces() {
    let deep = |n| (0..n).fold(Value::TRUE, |inner, _| Value::tuple(vec![inner]));
    let unknown = Value::unknown(Type::Bool);
    let builder =
        Scope::builder().variable("which", unknown).variable("a", deep(1000)).variable("b", deep(900));
    let (scope, parsed) = (builder.build(), parsed("which ? a : b"));
    let n_looks = looks_of(|limits| {
        let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options(limits));
        let ends_well = problems[0].detail.contains("The types of tuple element 0 do not agree. ");
        assert!(problems.len() == 1 && ends_well, "{problems:?}");
    });
    assert!(n_looks >= 100, "{n_looks} looks");
}

/// Expressions of one long text `t`, which is something at its beginning, a part that is repeated, and something at its end; and
/// how many times at least it is gone through in pieces.
const OF_ONE_TEXT: &[(&str, [&str; 3], usize)] = &[
    ("tonumber(t)", ["", "0", ""], 2),
    ("tonumber(t)", ["1e", "0", "1"], 2),
    ("tonumber(t)", ["0.", "0", "1"], 2),
    ("can(tonumber(t))", ["", "0", "x"], 1),
    ("t + 1", ["", "0", ""], 2),
    ("element([1, 2], t)", ["", "0", ""], 2),
    ("[1, 2][t]", ["", "0", ""], 2),
    ("cidrhost(\"10.0.0.0/8\", t)", ["", "0", ""], 2),
    ("cidrhost(t, 1)", ["", "0", "10.0.0.0/8"], 1),
    ("cidrhost(t, 1)", ["10.0.0.0/", "0", "8"], 1),
    ("jsondecode(t)", ["1", "0", ""], 3),
    ("jsondecode(t)", ["", " ", "1"], 1),
    ("jsondecode(t)", ["1", " ", ""], 1),
    ("jsondecode(t)", ["\"\\n", "\u{6f22}", "\""], 5),
    ("yamldecode(t)", ["1", "0", ""], 5),
    ("csvdecode(t)", ["a\n", "\u{6f22}", ""], 5),
    ("csvdecode(t)", ["", "\u{6f22}", "\na"], 6),
    ("csvdecode(t)", ["a\n\"", "\u{6f22}", "\""], 5),
    ("uuidv5(\"dns\", t)", ["", "0", ""], 1),
    ("base64decode(t)", ["", "MDEy", ""], 4),
    ("textdecodebase64(t, \"UTF-8\")", ["", "5ryi", ""], 4),
    ("textdecodebase64(t, \"GBK\")", ["", "nWidaJ1o", ""], 5),
    ("can(textdecodebase64(t, \"ISO-2022-JP\"))", ["", "nWidaJ1o", ""], 3),
    ("can(textdecodebase64(t, \"HZ-GB-2312\"))", ["", "nWidaJ1o", ""], 3),
    ("chomp(t)", ["x", "\n", ""], 1),
];

/// Functions work on one long text in pieces, whatever it consists of.
#[test]
fn one_long_text_is_worked_on_in_pieces() {
    const N_BYTES: usize = 1 << 22;
    // A look for each 4,096 parts, of which a few may be left out at the ends.
    const LOOKS_OF_ALL: usize = N_BYTES / BYTES_PER_PART / 4096 - 1;
    let mut wrong = Vec::new();
    for &(text, [first, part, last], n_times) in OF_ONE_TEXT {
        let long = format!("{first}{}{last}", part.repeat(N_BYTES / part.len()));
        let scope = Scope::builder()
            .functions(dialect::by_name("terraform").unwrap())
            .variable("t", Value::string(long))
            .build();
        let parsed = parsed(text);
        let evaluated = |limits| evaluate(parsed.expression(), Some(&scope), &options(limits));
        let (_, problems) = evaluated(limits(token()));
        assert!(problems.is_empty(), "{text} of {first:?}, {part:?}, {last:?}: {problems:?}");
        let n_looks = looks_of(evaluated);
        if n_looks < n_times * LOOKS_OF_ALL {
            wrong.push(format!("{n_looks} looks: {text} of {first:?}, {part:?}, {last:?}"));
        }
        let (_, problems) = evaluated(limits(from_look(n_looks / 2).0));
        assert!(
            is_told(&problems, "limit.cancelled"),
            "{text} of {first:?}, {part:?}, {last:?}: {problems:?}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Answers of the host are worked on in pieces, too.
#[test]
fn a_long_answer_of_the_host_is_worked_on_in_pieces() {
    let long = "\u{6f22}".repeat(N);
    let host =
        MemoryHost::new().with_file("/long.txt", long.clone()).with_environment_variable("LONG", &long);
    let cases = [("terraform", "file(\"/long.txt\")", 12), ("packer-defaults", "env(\"LONG\")", 8)];
    for (product, text, least) in cases {
        let scope = Scope::builder().functions(dialect::by_name(product).unwrap()).build();
        let parsed = parsed(text);
        let n_looks = looks_of(|limits| {
            let options = EvalOptions { host: Some(&host), ..options(limits) };
            let (_, problems) = evaluate(parsed.expression(), Some(&scope), &options);
            assert!(problems.is_empty(), "{problems:?}");
        });
        assert!(n_looks >= least, "{text}: {n_looks} looks");
    }
}
