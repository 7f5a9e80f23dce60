//! How often work on whole files looks at the clock, and that work without limits takes time in proportion to them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hcl_eval::columns::{Bounds, Cells, Column, ColumnsOptions, Integers, Texts};
use hcl_eval::convert::convert_metered;
use hcl_eval::decode::{AttributeSpec, Spec, SpecFile, decode};
use hcl_eval::dynamic::{Body, Content, Expansion};
use hcl_eval::eval::{EvalOptions, Evaluation, Frame, Scope, evaluate};
use hcl_eval::evaluated::evaluate_body;
use hcl_eval::json_syntax::to_json;
use hcl_eval::limits::{CancelToken, Limits, Meter};
use hcl_eval::order::Definitions;
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::{ObjectAttribute, Type};
use hcl_eval::value::{Layout, Reveal, Value};
use hcl_syntax::config::{ConfigBody, ConfigExpression};
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::edit::{Address, Document, Reach, Side};
use hcl_syntax::format::{FormatStyle, format_with};
use hcl_syntax::json::{parse_json, to_native};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_file};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::{Source, Text};

use super::watched::lateness;
use super::{LONGEST_GAP, scale, token, watched};

const PORTS: &str = r#"block_list {
  block_type = "port"
  object {
    attr "n" {
      name = "n"
    }
    attr "text" {
      name = "text"
    }
  }
}
"#;

/// So many blocks: 100,000 where the scale is that of `make looks`.
fn many() -> usize {
    2_500 * scale()
}

/// The most elements and the longest text that anything is asked with here, as in the tests of functions. What is larger takes
/// longer to copy and to release.
const MOST_ELEMENTS: usize = 256_000;
const LONGEST_TEXT: usize = 12_000_000;

/// So many elements for each block.
fn elements(for_each_block: usize) -> usize {
    (for_each_block * many()).min(MOST_ELEMENTS)
}

/// A text so many times for each block.
fn repeated(text: &str, for_each_block: usize) -> String {
    text.repeat((for_each_block * many()).min(LONGEST_TEXT / text.len()))
}

fn blocks(n: usize) -> String {
    let block = |i| {
        format!(
            "port \"number {i}\" {{\n  n    = {i}\n  text = \"a text with ${{1 + {i}}} in it\" # and more\n}}\n"
        )
    };
    (0..n).map(block).collect()
}

const GENERATED: &str = r#"dynamic "port" {
  for_each = many
  content {
    n    = port.value
    text = "a text"
  }
}
"#;

fn json(n: usize) -> String {
    let blocks: Vec<String> =
        (0..n).map(|i| format!("{{\"n\": {i}, \"text\": \"a ${{1 + {i}}}\"}}")).collect();
    format!("{{\"port\": [{}]}}", blocks.join(", "))
}

fn source(text: &str) -> Source {
    Source::new("main.hcl", text).unwrap()
}

fn config(text: &str) -> ConfigBody {
    ConfigBody::from(&parse_file(source(text), &ParseLimits::default()).0)
}

/// Limits with which work looks.
fn parse_limits() -> ParseLimits {
    let deadline = Some(Instant::now() + std::time::Duration::from_secs(3600));
    ParseLimits { deadline, cancel: Some(token()), ..ParseLimits::default() }
}

fn options() -> EvalOptions<'static> {
    let parse = parse_limits();
    let limits = Limits { deadline: parse.deadline, cancel: parse.cancel, ..Limits::default() };
    EvalOptions { limits, ..EvalOptions::default() }
}

fn scope() -> Arc<Scope> {
    let table = hcl_eval::dialect::by_name("terraform").unwrap();
    let many: Vec<Value> = (0..many()).map(Value::count).collect();
    Scope::builder().functions(table).variable("many", Value::list(Type::Number, many)).build()
}

fn expanding(text: &str) -> Body {
    Body::expanding(config(text), Arc::new(Expansion::new(Some(scope()))))
}

/// Measures, and again what is late: other work of the machine makes work slower, and none quicker.
fn assert_in_time(measure: impl Fn() -> Vec<String>) {
    let work = |row: &String| row.split_once(": ").map_or(row.as_str(), |(work, _)| work).to_owned();
    let mut late = measure();
    for _ in 0..2 {
        if !late.is_empty() {
            let again: BTreeSet<String> = measure().iter().map(work).collect();
            late.retain(|row| again.contains(&work(row)));
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

fn fine(diagnostics: &Diagnostics) {
    assert!(!has_errors(diagnostics), "{:?}", diagnostics.first());
}

#[test]
fn work_on_files_looks_often() {
    assert_in_time(|| {
        let (text, written_as_json) = (blocks(many()), json(many()));
        let spec = SpecFile::read(&config(PORTS), &EvalOptions::default()).0.root;
        let mut late = Vec::new();
        let mut measure = |name: &str, work: &mut dyn FnMut()| {
            let ((), took, gap) = watched(work);
            println!("{name}: {took:?}, no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: no look for {gap:?}"));
            }
        };
        let native = source(&text);
        let mut kept = None;
        measure("parse", &mut || kept = Some(parse_file(native.clone(), &parse_limits())));
        let json = Source::json("main.json", &written_as_json).unwrap();
        let mut kept_json = None;
        measure("parse JSON", &mut || kept_json = Some(parse_json(json.clone(), &parse_limits())));
        for style in [FormatStyle::Hcl, FormatStyle::Terraform] {
            measure("format", &mut || {
                drop(format_with("main.hcl", text.as_bytes(), style, &parse_limits()).unwrap());
            });
        }
        let line = format!("a = [{}]\n", repeated("1,", 200));
        measure("format a line", &mut || {
            drop(format_with("main.hcl", line.as_bytes(), FormatStyle::Hcl, &parse_limits()).unwrap());
        });
        let mut document = None;
        measure("document", &mut || {
            document = Document::parse_with("main.hcl", text.clone().into_bytes(), &parse_limits()).ok();
        });
        let scope = scope();
        let unlabelled = text.lines().map(|line| if line.starts_with("port") { "port {" } else { line });
        let unlabelled = unlabelled.collect::<Vec<_>>().join("\n") + "\n";
        let plain = Body::from(config(&unlabelled));
        let mut values = Vec::new();
        measure("decode", &mut || {
            let (value, problems) = decode(&plain, &spec, Some(&scope), &options());
            fine(&problems);
            values.push(value);
        });
        let dynamic = expanding(GENERATED);
        measure("decode dynamic blocks", &mut || {
            let (value, problems) = decode(&dynamic, &spec, Some(&scope), &options());
            fine(&problems);
            values.push(value);
        });
        let mut bodies = Vec::new();
        for (name, body) in [("evaluate", &plain), ("evaluate dynamic blocks", &dynamic)] {
            measure(name, &mut || {
                let (body, problems) = evaluate_body(body, &[], &scope, &mut Evaluation::new(&options()));
                fine(&problems);
                bodies.push(body);
            });
        }
        let file = parse_file(native, &ParseLimits::default()).0;
        measure("write JSON", &mut || drop(to_json(&[file.body()], &scope, &options())));
        late
    });
}

/// A turn of a dynamic block takes as long as the name of its iterator, which many turns have together.
#[test]
fn turns_with_a_long_iterator_look_often() {
    assert_in_time(|| {
        let iterator = "iterator".repeat(1 << 19);
        let text = format!(
            "dynamic \"port\" {{\n  iterator = {iterator}\n  for_each = range(48)\n  content {{\n    n = 1\n  }}\n}}\n"
        );
        let (body, scope) = (expanding(&text), scope());
        let ((evaluated, problems), took, gap) =
            watched(|| evaluate_body(&body, &[], &scope, &mut Evaluation::new(&options())));
        fine(&problems);
        assert_eq!(evaluated.items.len(), 48);
        println!("{took:?}, no look for {gap:?}");
        if gap > LONGEST_GAP { vec![format!("turns: no look for {gap:?}")] } else { Vec::new() }
    });
}

/// An edit or a question, by name.
type Edit<'e> = (&'e str, &'e dyn Fn(&mut Document));

/// Edits and questions of documents look while they find, write, read and compare.
#[test]
fn edits_look_often() {
    assert_in_time(|| {
        let text = blocks(many());
        let more = text.as_str();
        let all = |path: &str| path.parse::<Address>().unwrap();
        let edits: [Edit<'_>; 12] = [
            ("list", &|document| drop(document.list(None).unwrap())),
            ("get", &|document| drop(document.get(&all("port.*")).unwrap())),
            ("set", &|document| document.set(&all("port.*.n"), "[1, 2]", Reach::All).unwrap()),
            ("add", &|document| document.set(&all("port.*.new"), "1", Reach::All).unwrap()),
            ("append", &|document| document.append(Some(&all("port[0]")), more).unwrap()),
            ("insert", &|document| document.insert(&all("port[0]"), Side::Before, more).unwrap()),
            ("remove", &|document| assert!(document.remove(&all("port.*.n"), Reach::All).unwrap() > 0)),
            ("rename", &|document| document.rename(&all("port.*.n"), "m", Reach::All).unwrap()),
            ("relabel", &|document| document.relabel(&all("port"), &["z"], Reach::All).unwrap()),
            ("comment", &|document| document.set_line_comment(&all("port.*.n"), "new", Reach::All).unwrap()),
            ("not there", &|document| drop(document.get(&all("port.nosuch")).unwrap_err())),
            ("format", &|document| document.format().unwrap()),
        ];
        let mut late = Vec::new();
        for (name, edit) in edits {
            let mut document = Document::parse("main.hcl", text.as_str()).unwrap();
            document.set_limits(&parse_limits());
            let ((), took, gap) = watched(|| edit(&mut document));
            println!("{name}: {took:?}, no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: no look for {gap:?}"));
            }
        }
        late
    });
}

/// A value is written for a document in pieces, and so is a long text in it.
#[test]
fn values_are_written_in_pieces() {
    assert_in_time(|| {
        let text = Value::string(repeated("\u{e9}\n${", 100));
        let list = Value::tuple((0..elements(40)).map(Value::count).collect());
        let mut late = Vec::new();
        for (name, value) in [("a text", text), ("a list", list)] {
            let limits = parse_limits();
            let ((), took, gap) = watched(|| {
                let expression = hcl_eval::written::expression_within(&value, &limits).unwrap();
                expression.text_within(&limits).unwrap();
            });
            println!("{name}: {took:?}, no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: {took:?}, no look for {gap:?}"));
            }
        }
        late
    });
}

/// Of an expression that is no constant the text is written; its names are looked for before, and what is constant is evaluated.
#[test]
fn long_expressions_are_written_as_json_in_pieces() {
    assert_in_time(|| {
        let long = |head: &str, link: &str, last: &str| format!("a = {head}{}{last}\n", repeated(link, 100));
        let texts = [
            long("", "1 + ", "1"),
            long("", "!", "b"),
            long("", "b && ", "c"),
            long("", "b ? c : ", "d"),
            long("\"", "${b}", "\""),
            long("\"", "\\u00e9\\n", "\""),
            long("\"", "abcdefgh ${b}", "\""),
        ];
        let mut late = Vec::new();
        for text in texts {
            let limits = Limits { max_memory: u64::MAX, max_output_bytes: u64::MAX, ..options().limits };
            let options = EvalOptions { limits, ..options() };
            let (file, problems) = parse_file(source(&text), &ParseLimits::default());
            assert!(problems.is_empty());
            let ((json, _), _, gap) = watched(|| to_json(&[file.body()], &scope(), &options));
            println!("{}: no look for {gap:?}", &text[..20]);
            assert!(json.ends_with("\n}\n"));
            if gap > LONGEST_GAP {
                late.push(format!("{}: no look for {gap:?}", &text[..20]));
            }
        }
        late
    });
}

/// Reading by schema goes through a body once, and its parts are no work of their own.
#[test]
fn reading_a_body_looks_often() {
    assert_in_time(|| {
        let n = elements(4);
        let lines = |line: fn(usize) -> String| (0..n).map(line).collect::<String>();
        let attributes = config(&lines(|i| format!("name_{i} = {i}\n")));
        let blocks = config(&lines(|i| format!("port \"number {i}\" {{}}\n")));
        let of_json = |text: String| {
            let (file, problems) =
                parse_json(Source::json("main.json", &text).unwrap(), &ParseLimits::default());
            fine(&problems);
            ConfigBody::from(&file)
        };
        let properties = of_json(format!("{{{}\"last\": 1}}", lines(|i| format!("\"name_{i}\": {i},"))));
        let objects = of_json(format!(
            "{{\"port\": {{{}\"last\": {{}}}}}}",
            lines(|i| format!("\"label {i}\": [{{}}],"))
        ));
        let of_array = of_json(format!("[{}{{}}]", lines(|i| format!("{{\"name_{i}\": {i}}},"))));
        let named = (0..n).fold(BodySchema::default(), |schema, i| schema.attribute(format!("name_{i}")));
        let required =
            (0..n).fold(BodySchema::default(), |schema, i| schema.required_attribute(format!("other_{i}")));
        let ports = BodySchema::default().block("port", &["name"]);
        let bodies = [
            ("attributes", attributes.clone()),
            ("blocks", blocks.clone()),
            ("properties", properties.clone()),
            ("objects by their labels", objects),
            ("an array of objects", of_array),
            ("two files", ConfigBody::merged(vec![attributes, properties, blocks])),
        ];
        let mut late = Vec::new();
        let mut kept = Vec::new();
        for (name, config) in &bodies {
            let expanding = Body::expanding(config.clone(), Arc::new(Expansion::new(Some(scope()))));
            for body in [Body::from(config.clone()), expanding] {
                for (what, schema) in [
                    ("nothing", &BodySchema::default()),
                    ("names", &named),
                    ("missing names", &required),
                    ("ports", &ports),
                ] {
                    let mut measure = |how: &str, read: &mut dyn FnMut(&mut Evaluation<'_>) -> Content| {
                        let (content, took, gap) = watched(|| read(&mut Evaluation::new(&options())));
                        let row = format!("{name}, {what}, {how}: {took:?}, no look for {gap:?}");
                        println!("{row}");
                        if gap > LONGEST_GAP {
                            late.push(row);
                        }
                        kept.push(content);
                    };
                    measure("all", &mut |evaluation| body.content(schema, evaluation).0);
                    measure("a part", &mut |evaluation| body.partial_content(schema, evaluation).0);
                    measure("whatever is there", &mut |evaluation| {
                        body.everything_within(evaluation.bounds())
                    });
                    kept.clear();
                }
            }
        }
        late
    });
}

/// Places are made of lines and columns, which the first diagnostic after parsing has found.
#[test]
#[expect(clippy::too_many_lines, reason = "most of it is a table")]
fn the_first_place_of_a_long_text_looks_often() {
    assert_in_time(|| {
        type Work = fn(ConfigBody, &EvalOptions<'_>) -> Diagnostics;
        fn first(body: &ConfigBody) -> ConfigExpression {
            body.just_attributes().0.swap_remove(0).expression()
        }
        let works: [(&str, &str, Work); 8] = [
            ("a name that is not known", "a = missing", |body, options| {
                Evaluation::new(options).evaluate(&first(&body), None).1
            }),
            ("a property that is there twice", "\"a\": {\"b\": 1, \"b\": 2}", |body, options| {
                Evaluation::new(options).evaluate(&first(&body), Some(&scope())).1
            }),
            ("a body against a schema", "a = 1", |body, options| {
                Body::from(body).content(&BodySchema::default(), &mut Evaluation::new(options)).1
            }),
            ("the rest of a body", "a = 1", |body, options| {
                let schema = BodySchema::default().required_attribute("b");
                Body::from(body).partial_content(&schema, &mut Evaluation::new(options)).2
            }),
            ("decoding", "a = 1", |body, options| {
                let spec = Spec::from(AttributeSpec::new("b", Type::String).required()).into();
                decode(&Body::from(body), &spec, None, options).1
            }),
            ("a specification", "a = 1", |body, options| SpecFile::read(&body, options).1),
            ("definitions in a circle", "a = a", |body, options| {
                let mut definitions = Definitions::plain();
                definitions.extend(&body.just_attributes().0);
                definitions.evaluate(None, options).1
            }),
            ("a limit", "a = [for x in range(1000): x]", |body, options| {
                let limits = Limits { max_elements: 10, ..options.limits.clone() };
                Evaluation::new(&EvalOptions { limits, ..options.clone() })
                    .evaluate(&first(&body), Some(&scope()))
                    .1
            }),
        ];
        let wide = repeated("e\u{301} \u{1f469}\u{200d}", 200);
        let body = |begin: &str| match begin.starts_with('"') {
            true => {
                let text = format!("{{{begin}, \"c\": \"{wide}\"}}");
                ConfigBody::from(
                    &parse_json(Source::json("main.json", text).unwrap(), &ParseLimits::default()).0,
                )
            }
            false => config(&format!("{begin}\n# {wide}\n")),
        };
        let mut late = Vec::new();
        for (name, begin, work) in works {
            let whole = body(begin);
            let (diagnostics, took, gap) = watched(|| work(whole, &options()));
            println!("{name}: {took:?}, no look for {gap:?}");
            assert!(has_errors(&diagnostics) && diagnostics[0].subject.is_some(), "{name}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: no look for {gap:?}"));
            }
            // Work that ends while lines are found says so without a place.
            let n_looks = AtomicUsize::new(0);
            let cancel = CancelToken::asking(move || n_looks.fetch_add(1, Ordering::Relaxed) > 20);
            let limits = Limits { cancel: Some(cancel), ..Limits::default() };
            let diagnostics = work(body(begin), &EvalOptions { limits, ..EvalOptions::default() });
            assert!(diagnostics[0].code.starts_with("limit.") && diagnostics[0].subject.is_none(), "{name}");
            assert_eq!(diagnostics.len(), 1, "{name}");
        }
        late
    });
}

#[test]
fn reading_bytes_that_are_not_utf8_looks_often() {
    assert_in_time(|| {
        let bytes = vec![0xff; (150 * many()).min(LONGEST_TEXT)];
        let (kept, _, native) = watched(|| {
            let source = Source::new("main.hcl", Text::within(&bytes, &parse_limits())).unwrap();
            parse_file(source, &parse_limits())
        });
        let (kept_json, _, json) = watched(|| {
            let source = Source::json("main.json", Text::within(&bytes, &parse_limits())).unwrap();
            parse_json(source, &parse_limits())
        });
        println!("no look for {native:?} and {json:?}");
        assert!(has_errors(&kept.1) && has_errors(&kept_json.1));
        let gaps = [("native syntax", native), ("JSON syntax", json)];
        let late = gaps.iter().filter(|(_, gap)| *gap > LONGEST_GAP);
        let late: Vec<String> = late.map(|(name, gap)| format!("{name}: no look for {gap:?}")).collect();
        late
    });
}

#[test]
fn values_are_read_under_a_type_and_shown_in_pieces() {
    assert_in_time(|| {
        let n = elements(20);
        let n_of = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(",");
        let of = |item: &dyn Fn(usize) -> String| n_of(n, item);
        let entries = format!("{{{}}}", of(&|i| format!("\"k{i}\":{i}")));
        let texts = format!("[{}]", of(&|i| format!("\"text {}\"", i * 7919 % 65_537)));
        let objects = format!("[{}]", of(&|i| format!("{{\"a\":{i},\"b\":\"x\"}}")));
        let names = ["a", "b"].map(|name| ObjectAttribute::new(name, Type::String));
        let cases = [
            (&entries, Type::map(Type::String)),
            (&texts, Type::set(Type::String)),
            (&texts, Type::list(Type::String)),
            (&objects, Type::list(Type::object(names.to_vec()))),
            (&objects, Type::list(Type::map(Type::String))),
        ];
        let mut late = Vec::new();
        let mut measured = |name: &str, gap: std::time::Duration| {
            println!("{name}: no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: no look for {gap:?}"));
            }
        };
        let limits = || Limits { max_output_bytes: u64::MAX, max_memory: u64::MAX, ..options().limits };
        for (text, ty) in cases {
            let mut meter = Meter::new(limits());
            let (value, _, gap) = watched(|| Value::from_json_metered(text, Some(&ty), &mut meter));
            assert!(value.is_ok());
            measured(&format!("read {ty:?}"), gap);
        }
        // The type beside the value: of as many parts as the value, and of optional attributes that the value lacks.
        let n_nested = n.min(MOST_ELEMENTS / 4);
        let nested = format!("[{}]", n_of(n_nested, &|_| "[[1],{}]".to_owned()));
        let nested = Value::from_json_implied(&nested).unwrap();
        let attributes = of(&|i| format!("\"k{}\":\"string\"", i * 7919 % 65_537));
        let optional = of(&|i| format!("\"k{}\"", i * 7919 % 65_537));
        let wide = format!("{{\"type\":[\"object\",{{{attributes}}},[{optional}]],\"value\":{{}}}}");
        let mut written = String::new();
        let (_, _, gap) = watched(|| {
            written = nested.to_json_metered(Some(&Type::Dynamic), &mut Meter::new(limits())).unwrap();
        });
        measured("write a type", gap);
        for text in [&written, &wide] {
            let mut meter = Meter::new(limits());
            let (value, _, gap) =
                watched(|| Value::from_json_metered(text, Some(&Type::Dynamic), &mut meter));
            assert!(value.is_ok());
            measured(&format!("read {} bytes with their type", text.len()), gap);
        }
        let long = Value::string("e\u{301}\u{e9}a".repeat(n));
        for layout in [Layout::Line, Layout::Lines] {
            let mut meter = Meter::new(limits());
            let (shown, _, gap) = watched(|| long.display_metered(Reveal::Redacted, layout, &mut meter));
            assert!(shown.is_ok());
            measured(&format!("show a text, {layout:?}"), gap);
        }
        late
    });
}

/// An expression over columns, and a frame that does not bound its memory.
fn over_columns(text: &str, scope: &Arc<Scope>) -> (Program, Frame) {
    let parsed: ParsedExpression = text.parse().unwrap();
    let (tree, id) = (parsed.tree().clone(), parsed.expression().id());
    let (program, _) = Program::compile(tree, id, Arc::clone(scope), &CompileOptions::default());
    let mut frame = Frame::new(scope);
    *frame.limits_mut() = Limits { max_memory: u64::MAX, ..options().limits };
    (program, frame)
}

/// The results of rows that have parts are gone through several times before they are a column.
#[test]
fn results_with_parts_become_a_column_in_pieces() {
    assert_in_time(|| {
        let n = elements(100);
        let numbers: Vec<i64> = (0..).take(n).collect();
        let mut builder = Scope::builder();
        let slot = builder.slot("a");
        let scope = builder.build();
        let mut late = Vec::new();
        for text in ["[a, a]", "{ a = a, b = \"x\" }"] {
            let (program, mut frame) = over_columns(text, &scope);
            let column = Column::new(Cells::Integer(Integers::I64(&numbers)), n).unwrap();
            let (done, took, gap) = watched(|| {
                program.evaluate_columns(&mut frame, vec![(slot, column)], n, &ColumnsOptions::default())
            });
            assert!(done.is_ok());
            println!("{text}: {took:?}, no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{text}: {took:?}, no look for {gap:?}"));
            }
        }
        late
    });
}

/// A cell of many parts becomes a value in pieces.
#[test]
fn cells_of_many_parts_are_read_in_pieces() {
    assert_in_time(|| {
        let n = (25_000 * scale()).min(1_000_000);
        let keys: String = (0..n).map(|i| format!("{:07}", i * 7919 % 1_000_003)).collect();
        let numbers: Vec<i64> = (0..).take(n).collect();
        let ends: Vec<i32> = (0..).step_by(7).take(n + 1).collect();
        let whole = [0, i32::try_from(n).unwrap()];
        let values = || Box::new(Column::new(Cells::Integer(Integers::I64(&numbers)), n).unwrap());
        let keys = Cells::Text(Texts::joined(Bounds::Small(&ends), keys.as_bytes()));
        let keys = Box::new(Column::new(keys, n).unwrap());
        let bounds = Bounds::Small(&whole);
        let cells = [
            ("a map", Cells::Map { bounds, keys, values: values(), skipped: 0 }),
            ("a list", Cells::List { bounds, items: values(), skipped: 0 }),
        ];
        let table = hcl_eval::dialect::by_name("terraform").unwrap();
        let mut builder = Scope::builder().functions(table);
        let slot = builder.slot("a");
        let scope = builder.build();
        let mut late = Vec::new();
        for (name, cells) in cells {
            let (program, mut frame) = over_columns("length(a)", &scope);
            let column = Column::new(cells, 1).unwrap();
            let (done, took, gap) = watched(|| {
                program.evaluate_columns(&mut frame, vec![(slot, column)], 1, &ColumnsOptions::default())
            });
            assert_eq!(done.unwrap().n_failed, 0);
            println!("{name}: {took:?}, no look for {gap:?}");
            if gap > LONGEST_GAP {
                late.push(format!("{name}: {took:?}, no look for {gap:?}"));
            }
        }
        late
    });
}

/// A long chain of operators is lowered, evaluated and released in pieces.
#[test]
fn long_chains_are_evaluated_in_pieces() {
    assert_in_time(|| {
        let text = format!("{}1", "1 + ".repeat((75_000 * scale()).min(3_000_000)));
        let parsed: ParsedExpression = text.parse().unwrap();
        let limits = Limits { max_memory: u64::MAX, ..options().limits };
        let ((value, problems), took, gap) =
            watched(|| evaluate(parsed.expression(), None, &EvalOptions { limits, ..options() }));
        assert!(value.is_known() && problems.is_empty());
        println!("a chain: {took:?}, no look for {gap:?}");
        if gap > LONGEST_GAP { vec![format!("a chain: {took:?}, no look for {gap:?}")] } else { Vec::new() }
    });
}

/// Where parts are of many types, these are made, compared and brought together; so they are to say what is wrong.
#[test]
fn values_of_unlike_parts_are_converted_in_pieces() {
    assert_in_time(|| {
        let n = elements(20);
        let object = |i: usize| Value::object(vec![(format!("k{i}").into(), Value::count(i))]);
        let unlike = Value::tuple((0..n).map(object).collect());
        let pair = |i: usize| Value::tuple(vec![Value::count(i); 1 + i % 2]);
        let pairs = Value::tuple((0..n).map(pair).collect());
        let mut wrong: Vec<Value> = (0..n).map(|_| Value::tuple(vec![Value::TRUE])).collect();
        wrong.push(object(1));
        let wrong = Value::tuple(wrong);
        let cases = [
            (&unlike, Type::list(Type::Dynamic), true),
            (&unlike, Type::set(Type::Dynamic), true),
            (&unlike, Type::list(Type::map(Type::Dynamic)), true),
            (&pairs, Type::list(Type::Dynamic), true),
            (&wrong, Type::list(Type::Dynamic), false),
            (&wrong, Type::list(Type::list(Type::Bool)), false),
        ];
        let mut late = Vec::new();
        for (value, ty, converts) in cases {
            let limits = || Limits { max_memory: u64::MAX, ..options().limits };
            let mut meter = Meter::new(limits());
            let (converted, _, gap) = watched(|| convert_metered(value, &ty, &mut meter));
            assert_eq!(converted.is_ok(), converts, "{ty:?}");
            let end = lateness(|token| {
                let mut meter = Meter::new(Limits { cancel: Some(token), ..limits() });
                convert_metered(value, &ty, &mut meter)
            });
            println!("to {ty:?}: no look for {gap:?}, {end:?} late");
            if gap.max(end) > LONGEST_GAP {
                late.push(format!("to {ty:?}: no look for {gap:?}, {end:?} late"));
            }
        }
        let table = hcl_eval::dialect::by_name("terraform").unwrap();
        let scope = Scope::builder().functions(table).variable("unlike", unlike).build();
        let parsed: ParsedExpression = "tolist(unlike)".parse().unwrap();
        let ((list, problems), _, gap) = watched(|| evaluate(parsed.expression(), Some(&scope), &options()));
        assert!(list.is_known() && problems.is_empty());
        println!("tolist: no look for {gap:?}");
        if gap > LONGEST_GAP {
            late.push(format!("tolist: no look for {gap:?}"));
        }
        late
    });
}

/// The values of blocks and of attributes are brought to one type, sorted and compared when all of them are there.
#[test]
fn values_of_many_blocks_are_brought_together_in_pieces() {
    assert_in_time(|| {
        let n = elements(16);
        let lines = |line: fn(usize) -> String| (0..n).map(line).collect::<String>();
        let numbers = lines(|i| format!("port {{\n  a = {i}\n}}\n"));
        // The first is unlike the others, so that all of them are converted.
        let texts = format!("port {{\n  a = 1\n}}\n{}", lines(|i| format!("port {{\n  a = \"{i}\"\n}}\n")));
        let tuples =
            format!("port {{\n  a = [1]\n}}\n{}", lines(|i| format!("port {{\n  a = [\"{i}\"]\n}}\n")));
        let labelled = lines(|i| format!("port \"{i}\" {{\n  a = {i}\n}}\n"));
        let attributes = format!("port {{\n  a = \"\"\n{}}}\n", lines(|i| format!("  a{i} = {i}\n")));
        let objects = format!("a = [\n{}]\n", lines(|i| format!("  {{ b = {i}, c = {i} }},\n")));
        let blocks = |kind: &str, ty: &str| {
            format!("{kind} {{\n block_type = \"port\"\n attr {{\n name = \"a\"\n type = {ty}\n}}\n}}\n")
        };
        let map = blocks("block_map", "number").replacen(" attr", " labels = [\"name\"]\n attr", 1);
        let cases = [
            (&texts, blocks("block_list", "any")),
            (&tuples, blocks("block_list", "any")),
            (&tuples, blocks("block_set", "any")),
            (&numbers, blocks("block_set", "number")),
            (&labelled, map),
            (&attributes, "block_attrs {\n block_type = \"port\"\n element_type = any\n}\n".to_owned()),
            (
                &objects,
                "attr {\n name = \"a\"\n type = list(object({ b = string, c = string }))\n}\n".to_owned(),
            ),
            (&objects, "attr {\n name = \"a\"\n type = set(map(string))\n}\n".to_owned()),
        ];
        let mut late = Vec::new();
        for (text, spec) in cases {
            let (body, root) = (Body::from(config(text)), SpecFile::read(&config(&spec), &options()).0.root);
            let limits = || Limits { max_memory: u64::MAX, ..options().limits };
            let decoded =
                |limits| decode(&body, &root, None, &EvalOptions { limits, ..EvalOptions::default() });
            let ((value, problems), _, gap) = watched(|| decoded(limits()));
            fine(&problems);
            assert!(value.is_known());
            let end = lateness(|token| decoded(Limits { cancel: Some(token), ..limits() }));
            for look in (0..12).map(|k| 1 << k) {
                let n_looks = Arc::new(AtomicUsize::new(0));
                let counter = Arc::clone(&n_looks);
                let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) >= look);
                let (_, problems) = decoded(Limits { cancel: Some(token), ..limits() });
                let is_told = problems.iter().any(|problem| problem.code == "limit.cancelled");
                assert_eq!(is_told, n_looks.load(Ordering::Relaxed) > look, "{spec} at look {look}");
            }
            let row = format!("{}: no look for {gap:?}, {end:?} late", spec.replace('\n', ""));
            println!("{row}");
            if gap.max(end) > LONGEST_GAP {
                late.push(row);
            }
        }
        late
    });
}

/// The more the labels of blocks have in common, the longer it takes to sort them.
#[test]
fn long_labels_are_sorted_in_pieces() {
    let beginning = "x".repeat(100_000);
    let blocks: String = (0..100).map(|i| format!("b \"{beginning}{:02}\" {{}}\n", i * 7 % 100)).collect();
    let spec = "block_map {\n  block_type = \"b\"\n  labels = [\"l\"]\n  literal {\n    value = 1\n  }\n}\n";
    let (body, root) = (Body::from(config(&blocks)), SpecFile::read(&config(spec), &options()).0.root);
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let cancel = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    let limits = Limits { cancel: Some(cancel), max_memory: u64::MAX, ..Limits::default() };
    let (value, problems) = decode(&body, &root, None, &EvalOptions { limits, ..EvalOptions::default() });
    fine(&problems);
    assert!(value.is_known());
    // A look for each comparison of several; 40 come with the labels alone.
    assert!(n_looks.load(Ordering::Relaxed) > 150, "labels: {n_looks:?} looks");
}

/// Attributes that a text lacks are null, of which each object has its own.
#[test]
fn attributes_that_a_text_lacks_count_as_elements() {
    let ty = Type::object((0..100).map(|i| ObjectAttribute::new(format!("a{i}"), Type::String)).collect());
    let read = |text: &str| {
        let mut meter = Meter::new(Limits { max_elements: 1000, ..Limits::default() });
        Value::from_json_metered(text, Some(&Type::list(ty.clone())), &mut meter)
            .map(|_| meter.usage().elements)
    };
    assert_eq!(read("[{},{\"a1\":null}]").unwrap(), 4 + 100 + 99);
    assert!(read("[{},{},{},{},{},{},{},{},{},{}]").is_err());
}

/// A name, and what makes work for so many blocks.
type Work<'w> = (&'w str, &'w dyn Fn(usize) -> Box<dyn FnOnce()>);

/// Work without limits in its interface.
#[test]
fn work_without_limits_takes_time_in_proportion_to_the_text() {
    let wrong = |n: usize| "a = = )\n".repeat(n);
    let works: [Work<'_>; 6] = [
        ("set an attribute", &|n| {
            let mut document = Document::parse("main.hcl", blocks(n)).unwrap();
            let address: Address = format!("port.\"number {}\".n", n - 1).parse().unwrap();
            Box::new(move || document.set(&address, "1", Reach::One).unwrap())
        }),
        ("set all", &|n| {
            let mut document = Document::parse("main.hcl", blocks(n)).unwrap();
            let address: Address = "port.*.n".parse().unwrap();
            Box::new(move || document.set(&address, "1", Reach::All).unwrap())
        }),
        ("format a document", &|n| {
            let mut document = Document::parse("main.hcl", blocks(n)).unwrap();
            Box::new(move || document.format().unwrap())
        }),
        ("write native syntax", &|n| {
            let (file, _) = parse_json(Source::json("main.json", json(n)).unwrap(), &ParseLimits::default());
            Box::new(move || drop(to_native(&file, None)))
        }),
        ("render", &|n| {
            let limits = ParseLimits { max_diagnostics: u32::MAX, ..ParseLimits::default() };
            let (_, problems) = parse_file(source(&wrong(n)), &limits);
            Box::new(move || render_all(&problems, &RenderOptions::default(), &mut String::new()))
        }),
        ("write diagnostics as JSON", &|n| {
            let limits = ParseLimits { max_diagnostics: u32::MAX, ..ParseLimits::default() };
            let (_, problems) = parse_file(source(&wrong(n)), &limits);
            Box::new(move || write_diagnostics(&problems, FileNames::Included, &mut String::new()))
        }),
    ];
    for (name, work) in works {
        let measure = |n: usize| {
            let work = work(n);
            watched(work).1
        };
        let (small, large) = (measure(many() / 8), measure(many()));
        println!("{name}: {small:?}, then {large:?} for eight times as much");
        let most = small * 30 + std::time::Duration::from_millis(50);
        assert!(large <= most, "{name}: {small:?}, then {large:?} for eight times as much");
    }
}
