//! The interface of decoding and of dynamic blocks for hosts, and its cost.

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::fmt::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use hcl_eval::decode::{BodySpec, SpecFile, decode, source_place, variables_of_dynamic};
use hcl_eval::dynamic::{Body, Expansion, Needed};
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::limits::Limits;
use hcl_eval::{Type, Value};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;
use stopwatch::Stopwatch;

fn config(text: &str) -> ConfigBody {
    let source = Source::new("main.hcl", text).expect("a short text");
    let (file, problems) = parse_file(source, &ParseLimits::default());
    assert_eq!(problems, []);
    ConfigBody::from(&file)
}

fn spec(text: &str) -> BodySpec {
    let (file, problems) = SpecFile::read(&config(text), &EvalOptions::default());
    assert_eq!(problems, []);
    file.root
}

fn expanded(text: &str, expansion: Expansion, spec: &BodySpec) -> (Value, Diagnostics) {
    let body = Body::expanding(config(text), Arc::new(expansion));
    decode(&body, spec, None, &EvalOptions::default())
}

fn summaries(diagnostics: &[Diagnostic]) -> Vec<String> {
    let told = |diagnostic: &Diagnostic| {
        let line = diagnostic.subject.as_ref().map_or(0, |subject| subject.start.line);
        format!("{line}: {}", diagnostic.summary)
    };
    diagnostics.iter().map(told).collect()
}

const PORTS: &str = "block_list {\n  block_type = \"port\"\n  attr {\n    name = \"n\"\n  }\n}\n";
const TWO_PORTS: &str = "dynamic \"port\" {\n  for_each = [1, 2]\n  content {\n    n = port.value\n  }\n}\n";

#[test]
fn a_default_in_error_is_not_called_useless() {
    let told = |text: &str| summaries(&SpecFile::read(&config(text), &EvalOptions::default()).1);
    let attribute = "  attr {\n    name = \"a\"\n  }\n";
    assert_eq!(told(&format!("default {{\n{attribute}}}\n")), ["2: Useless default block"]);
    assert_eq!(told(&format!("default {{\n{attribute}  other = 1\n}}\n")), ["5: Unsupported argument"]);
}

#[test]
fn a_host_says_which_blocks_can_be_generated() {
    let ports = spec(PORTS);
    let (value, problems) = expanded(TWO_PORTS, Expansion::new(None).only(|block| block == "port"), &ports);
    assert_eq!((value.to_json().unwrap().as_str(), summaries(&problems)), ("[1,2]", Vec::new()));
    let (value, problems) = expanded(TWO_PORTS, Expansion::new(None).only(|block| block != "port"), &ports);
    assert_eq!(value.to_json().unwrap(), "[]");
    assert_eq!(summaries(&problems), ["1: Unsupported block type"]);
}

#[test]
fn opaque_blocks_are_left_alone_but_see_the_iterators_around_them() {
    let spec = spec(
        "block_list {\n  block_type = \"task\"\n  block {\n    block_type = \"config\"\n    block_list {\n      block_type = \"dynamic\"\n      attr {\n        name = \"for_each\"\n      }\n    }\n  }\n}\n",
    );
    let text = "dynamic \"task\" {\n  for_each = [\"a\"]\n  content {\n    config {\n      dynamic {\n        for_each = \"not expanded: ${task.value}\"\n      }\n    }\n  }\n}\n";
    let (value, problems) = expanded(text, Expansion::new(None).opaque(|block| block == "config"), &spec);
    assert_eq!(problems, []);
    assert_eq!(value.to_json().unwrap(), "[[\"not expanded: a\"]]");
    let (_, problems) = expanded(text, Expansion::new(None), &spec);
    assert_eq!(summaries(&problems), ["5: Missing type for dynamic"]);
}

#[test]
fn a_host_can_object_to_what_is_iterated_over() {
    let objection: hcl_eval::dynamic::ForEachCheck = Box::new(|value, expression| {
        let too_long = value.len().is_some_and(|len| len > 1);
        let problem = Diagnostic::error("host.too_long", "Too long", "One is enough.");
        too_long.then(|| problem.at(expression.source(), expression.span())).into_iter().collect()
    });
    let (value, problems) = expanded(TWO_PORTS, Expansion::new(None).check_for_each(objection), &spec(PORTS));
    assert_eq!(value.to_json().unwrap(), "[]");
    assert_eq!(summaries(&problems), ["2: Too long"]);
}

#[test]
fn the_rest_of_a_partial_reading_still_has_its_dynamic_blocks() {
    let text = format!("{TWO_PORTS}speed = 1\ndynamic \"lamp\" {{\n  for_each = [3]\n  content {{}}\n}}\n");
    let body = Body::expanding(config(&text), Arc::new(Expansion::new(None)));
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (content, rest, problems) =
        body.partial_content(&BodySchema::default().block("port", &[]), &mut evaluation);
    assert_eq!((content.blocks.len(), content.attributes.len(), problems.len()), (2, 0, 0));
    let (content, problems) =
        rest.content(&BodySchema::default().attribute("speed").block("lamp", &[]), &mut evaluation);
    assert_eq!((content.blocks.len(), content.attributes.len()), (1, 1));
    assert_eq!(problems, []);
    let (content, problems) = rest.content(&BodySchema::default().block("lamp", &[]), &mut evaluation);
    assert_eq!((content.blocks.len(), summaries(&problems)), (1, vec!["7: Unsupported argument".to_owned()]));
}

#[test]
fn variables_are_found_before_anything_is_evaluated() {
    let text = "top = a.b\ndynamic \"port\" {\n  for_each = c[0]\n  iterator = p\n  content {\n    n = [p.value, port.value, d]\n  }\n}\n";
    let spec = spec(
        "object {\n  attr \"top\" {}\n  block_list \"port\" {\n    attr {\n      name = \"n\"\n    }\n  }\n}\n",
    );
    let body = Body::expanding(config(text), Arc::new(Expansion::new(None)));
    let names = |needed| {
        let found = variables_of_dynamic(&body, &spec, needed);
        found.iter().map(|variable| variable.source().slice(variable.span()).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(Needed::ForExpansion), ["c[0]"]);
    assert_eq!(names(Needed::ForAll), ["a.b", "c[0]", "port.value", "d"]);
}

#[test]
fn iterators_are_no_variables_of_what_is_generated() {
    let text = "dynamic \"port\" {\n  for_each = [1]\n  content {\n    n = [port.value, a.b, port2]\n  }\n}\nport {\n  n = port.value\n}\n";
    let body = Body::expanding(config(text), Arc::new(Expansion::new(None)));
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (content, problems) = body.content(&BodySchema::default().block("port", &[]), &mut evaluation);
    assert_eq!(problems, []);
    let mut names = content.blocks.iter().map(|block| {
        let (content, _) = block.body().content(&BodySchema::default().attribute("n"), &mut evaluation);
        let variables = content.attributes.get("n").expect("the attribute").variables();
        let texts = variables.iter().map(|name| name.source().slice(name.span()).to_owned());
        texts.collect::<Vec<_>>().join(" ")
    });
    assert_eq!(names.next().as_deref(), Some("a.b port2"));
    assert_eq!(names.next().as_deref(), Some("port.value"));
}

#[test]
fn a_value_has_a_place() {
    let place = |spec_text: &str, text: &str| {
        let body = Body::from(config(text));
        source_place(&body, &spec(spec_text), &EvalOptions::default()).map(|range| range.to_string())
    };
    assert_eq!(place(PORTS, "port {\n  n = 1 + 1\n}\n").as_deref(), Some("main.hcl:2,7-12"));
    assert_eq!(place(PORTS, "\nother = 1\n").as_deref(), Some("main.hcl:1,1-1"));
    assert_eq!(place("literal {\n  value = 1\n}\n", ""), None);
}

/// A label far behind the others is refused, and no names are made for those before it.
#[test]
fn a_label_far_behind_makes_no_names() {
    for index in ["1", "20000000", "9223372036854775807"] {
        let label = format!("block_label \"l\" {{\n name = \"x\"\n index = {index}\n}}");
        let text = format!("block {{\n block_type = \"a\"\n object {{\n{label}\n}}\n}}\n");
        let (file, problems) = SpecFile::read(&config(&text), &EvalOptions::default());
        assert_eq!(summaries(&problems), ["1: Invalid block_label spec"]);
        assert_eq!(file.root.schema().blocks[0].label_names, ["x"]);
    }
}

/// The type of a transformed value is found within the limits of the reading, and that they were reached is said once.
#[test]
fn the_type_of_a_transform_is_found_within_the_limits() {
    let numbers = format!("[{}]", "1, ".repeat(20));
    let result = format!("[for a in {numbers} : [for b in {numbers} : [for c in {numbers} : c]]]");
    let body = config(&format!("transform {{\n attr {{\n  name = \"a\"\n }}\n result = {result}\n}}\n"));
    assert!(SpecFile::read(&body, &EvalOptions::default()).1.is_empty());
    let limits = Limits { max_elements: 1_000, ..Limits::default() };
    let (_, problems) = SpecFile::read(&body, &EvalOptions { limits, ..EvalOptions::default() });
    assert_eq!(problems.iter().map(|problem| &*problem.code).collect::<Vec<_>>(), ["limit.elements"]);
}

/// All nulls for a block that is not there have one type, which is made once.
#[test]
fn blocks_that_are_not_there_share_their_type() {
    let spec = spec(
        "block_tuple {\n block_type = \"a\"\n block {\n  block_type = \"b\"\n  object {\n   attr \"x\" {\n   }\n  }\n }\n}\n",
    );
    let (value, problems) = decode(&Body::from(config("a {}\na {}\n")), &spec, None, &EvalOptions::default());
    assert_eq!(problems, []);
    let types: Vec<_> = value.elements().unwrap().iter().map(Value::ty).collect();
    match &types[..] {
        [Type::Object(first), Type::Object(second)] => assert!(std::ptr::eq(&**first, &**second)),
        other => panic!("{other:?}"),
    }
}

/// However blocks multiply, the limits end it, and that is said once.
#[test]
fn limits_count_for_everything_together() {
    let mut text = String::from("n = 1\n");
    let mut schema = String::from("attr {\n name = \"n\"\n}\n");
    for _ in 0..8 {
        let all = "for_each = [for i in range(100) : i]";
        text = format!("dynamic \"b\" {{\n {all}\n content {{\n{text}}}\n}}\n");
        schema = format!("block_list {{\n block_type = \"b\"\n{schema}}}\n");
    }
    let functions = Scope::builder().functions(hcl_eval::dialect::hcl_test()).build();
    let body = Body::expanding(config(&text), Arc::new(Expansion::new(Some(Arc::clone(&functions)))));
    for (limits, code) in [
        (Limits { max_steps: 1_000_000, max_memory: u64::MAX, ..Limits::default() }, "limit.steps"),
        (Limits { max_memory: 1 << 20, ..Limits::default() }, "limit.memory"),
    ] {
        let options = EvalOptions { limits, ..EvalOptions::default() };
        let (_, problems) = decode(&body, &spec(&schema), Some(&functions), &options);
        assert_eq!(problems.iter().map(|problem| &*problem.code).collect::<Vec<_>>(), [code]);
        assert!(problems[0].subject.is_some());
    }

    let limits = Limits { max_diagnostics: 10, ..Limits::default() };
    let options = EvalOptions { limits, ..EvalOptions::default() };
    let text = "port {\n  n = missing\n}\n".repeat(100);
    let dynamic = "dynamic \"port\" {\n  for_each = null\n  content {}\n}\n".repeat(100);
    let expansion = Arc::new(Expansion::new(Some(Arc::clone(&functions))));
    for body in [Body::from(config(&text)), Body::expanding(config(&dynamic), expansion)] {
        let (_, problems) = decode(&body, &spec(PORTS), Some(&functions), &options);
        assert_eq!((problems.len(), &*problems[10].code), (11, "limit.diagnostics"));
    }
}

/// Dynamic blocks inside each other, each with an iterator of its own, and the specification for them.
fn dynamic_inside_dynamic(depth: usize, for_each: &str, innermost: &str) -> (String, String) {
    let mut text = format!("n = {innermost}\n");
    let mut schema = String::from("attr {\n name = \"n\"\n}\n");
    for level in (0..depth).rev() {
        text = format!(
            "dynamic \"b\" {{\n for_each = {for_each}\n iterator = i{level}\n content {{\n{text}}}\n}}\n"
        );
        schema = format!("block_list {{\n block_type = \"b\"\n{schema}}}\n");
    }
    (text, schema)
}

#[test]
fn all_iterators_around_are_in_scope() {
    let names: Vec<String> = (0..40).map(|level| format!("i{level}.value")).collect();
    let (text, schema) = dynamic_inside_dynamic(40, "[x]", &format!("\"${{{}}}\"", names.join("}${")));
    let scope = Scope::builder().variable("x", Value::string("y")).build();
    let body = Body::expanding(config(&text), Arc::new(Expansion::new(Some(Arc::clone(&scope)))));
    let (mut value, problems) = decode(&body, &spec(&schema), Some(&scope), &EvalOptions::default());
    assert_eq!(problems, []);
    while let Some([only]) = value.elements() {
        value = only.clone();
    }
    assert_eq!(value.as_str(), Some("y".repeat(40).as_str()));
}

/// A turn inside hundreds of others costs as much as one at the top, so that the limits hold in time too.
#[test]
fn deep_turns_are_as_cheap_as_others() {
    let time = |depth: usize| {
        let (text, schema) = dynamic_inside_dynamic(depth, "[1, 2]", "1");
        let body = Body::expanding(config(&text), Arc::new(Expansion::new(None)));
        let limits = Limits { max_elements: 100_000, ..Limits::default() };
        let options = EvalOptions { limits, ..EvalOptions::default() };
        let spec = spec(&schema);
        let start = Stopwatch::start();
        let (_, problems) = decode(&body, &spec, None, &options);
        assert_eq!(problems.iter().map(|problem| &*problem.code).collect::<Vec<_>>(), ["limit.elements"]);
        start.elapsed()
    };
    let fastest = |depth| (0..3).map(|_| time(depth)).min().unwrap();
    let (shallow, deep) = (fastest(20), fastest(400));
    assert!(deep < shallow * 6, "20 levels take {shallow:?}, 400 levels {deep:?}");
}

#[test]
fn deep_blocks_and_specifications_fit_a_small_thread() {
    let decoded = || {
        const DEPTH: usize = 900;
        let text = format!("{}n = 1\n{}", "b {\n".repeat(DEPTH), "}\n".repeat(DEPTH));
        let schema = format!(
            "{}attr {{\nname = \"n\"\n}}\n{}",
            "block_list {\nblock_type = \"b\"\n".repeat(DEPTH),
            "}\n".repeat(DEPTH)
        );
        let spec = spec(&schema);
        let (value, problems) = decode(&Body::from(config(&text)), &spec, None, &EvalOptions::default());
        assert_eq!(problems, []);
        assert_eq!(value.depth() as usize, DEPTH);
    };
    thread::Builder::new().stack_size(2 << 20).spawn(decoded).unwrap().join().unwrap();
}

fn many_blocks(n_blocks: usize) -> String {
    let mut text = String::new();
    for i in 0..n_blocks {
        let _ = write!(
            text,
            "service \"s{i}\" {{\n  port    = {i}\n  address = \"10.0.0.{i}\"\n  note    = \"the service of number {i}\"\n  check {{\n    path = \"/health\"\n  }}\n}}\n"
        );
    }
    text
}

const SERVICES: &str = "block_map {\n  block_type = \"service\"\n  labels = [\"name\"]\n  object {\n    attr \"port\" {\n      type = number\n    }\n    attr \"address\" {\n      type = string\n    }\n    attr \"note\" {\n      type = string\n    }\n    block \"check\" {\n      attr {\n        name = \"path\"\n        type = string\n      }\n    }\n  }\n}\n";

fn time_of_decoding(n_blocks: usize, spec: &BodySpec) -> Duration {
    let body = Body::from(config(&many_blocks(n_blocks)));
    let start = Stopwatch::start();
    let (value, problems) = decode(&body, spec, None, &EvalOptions::default());
    let time = start.elapsed();
    assert_eq!((value.len(), problems.len()), (Some(n_blocks), 0));
    time
}

/// Ten times the blocks may take thirty times as long, not a hundred.
#[test]
fn decoding_takes_time_in_proportion() {
    let spec = spec(SERVICES);
    let fastest = |n_blocks| (0..3).map(|_| time_of_decoding(n_blocks, &spec)).min().unwrap();
    let (some, more) = (fastest(10_000), fastest(100_000));
    assert!(more < some * 30, "10,000 blocks take {some:?}, 100,000 take {more:?}");
}
