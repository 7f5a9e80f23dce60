//! JSON syntax: places, recovery, bodies, and what holds for any bytes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::time::Duration;

use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigBody, ConfigExpression};
use hcl_syntax::diagnostic::render::{self, RenderOptions};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::{JsonFile, JsonKind, Strings, parse_json, parse_json_value, to_native};
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;
use stopwatch::Stopwatch;

fn parsed(bytes: impl AsRef<[u8]>) -> (JsonFile, Diagnostics) {
    parse_json(Source::json("f", bytes.as_ref()).unwrap(), &ParseLimits::default())
}

/// `Summary @ range`
fn told(diagnostics: &Diagnostics) -> Vec<String> {
    let place = |range: &Option<_>| range.as_ref().map_or("nowhere".to_owned(), ToString::to_string);
    diagnostics.iter().map(|problem| format!("{} @ {}", problem.summary, place(&problem.subject))).collect()
}

fn render(problem: &Diagnostic) -> String {
    let mut shown = String::new();
    render::render(problem, &RenderOptions::default(), &mut shown);
    shown
}

fn attribute(text: &str) -> ConfigExpression {
    let (file, diagnostics) = parsed(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    ConfigBody::from(&file).just_attributes().0[0].expression()
}

#[test]
fn a_tab_is_one_column_and_a_carriage_return_none() {
    let (_, diagnostics) = parsed("{\t\t\"a\":\t?\r\r}");
    assert_eq!(told(&diagnostics)[0], "Invalid start of value @ f:1,9-10");
    let (_, diagnostics) = parsed("{\r\n\t\"a\": 1,\r \r\"b\": x}\r");
    assert_eq!(told(&diagnostics), ["Invalid JSON keyword @ f:2,15-16"]);
}

#[test]
fn columns_count_clusters_in_strings() {
    let (_, diagnostics) = parsed("{\"e\u{301}\u{1f468}\u{200d}\u{1f469}\": x}");
    assert_eq!(told(&diagnostics), ["Invalid JSON keyword @ f:1,8-9"]);
}

#[test]
fn a_string_ends_at_a_control_character() {
    let (_, diagnostics) = parsed("{\"a\": \"x\ny\"}");
    assert_eq!(diagnostics[0].summary, "Invalid JSON string");
}

#[test]
fn bytes_that_are_no_text_are_reported_once_and_replaced() {
    let (file, diagnostics) = parsed(&b"{\"a\xff\": \"\xe2\x82\", \"b\": \"\xc0\x80\"}"[..]);
    assert_eq!(told(&diagnostics), ["Invalid character encoding @ f:1,4-5"]);
    let names: Vec<_> = file.root().properties().map(|property| property.name().to_owned()).collect();
    assert_eq!(names, ["a\u{fffd}", "b"]);
    let JsonKind::String(text) = file.root().properties().next().unwrap().value().kind() else { panic!() };
    assert_eq!(text, "\u{fffd}\u{fffd}");
    // Elsewhere they begin no value, as any other byte.
    assert_eq!(told(&parsed(&b"\xff"[..]).1)[0], "Invalid start of value @ f:1,1-2");
}

#[test]
fn places_in_templates_count_from_the_opening_quote() {
    let variables = |text: &str| -> Vec<String> {
        attribute(text).variables().iter().map(|variable| variable.range().to_string()).collect()
    };
    assert_eq!(variables("{\"a\": \"x ${b.c} ${d}\"}"), ["f:1,12-15", "f:1,19-20"]);
    // Beyond an escape places are those of the decoded text, as in the reference implementation.
    assert_eq!(variables("{\"a\": \"\\t${b}\\n${c}\"}"), ["f:1,11-12", "f:2,3-4"]);
    assert_eq!(variables("{\"a\": {\"\\u00e9${k}\": \"${é}\"}}"), ["f:1,12-13", "f:1,25-26"]);
}

#[test]
fn complaints_about_decoded_templates_show_the_file() {
    let syntax = attribute("{\n  \"a\": \"\\u00e9 ${b +}\"\n}").syntax();
    let ExpressionKind::Unfinished(diagnostics) = syntax.expression().kind() else { panic!() };
    assert_eq!(diagnostics[0].summary, "Invalid expression");
    let shown = render(&diagnostics[0]);
    assert!(shown.contains("\"a\": \"\\u00e9 ${b +}\""), "{shown}");
}

#[test]
fn complaints_about_templates_are_kept_up_to_the_limit() {
    let limits = ParseLimits { max_diagnostics: 3, ..ParseLimits::default() };
    let source =
        Source::json("f", r#"{"a": ["${", "${b +} ${1..2}", "${", "${c}", "\n${", "${b +}"]}"#).unwrap();
    let file = parse_json(source, &limits).0;
    let syntax = ConfigBody::from(&file).everything().expression("a").unwrap().syntax();
    let ExpressionKind::Tuple(elements) = syntax.expression().kind() else { panic!() };
    let summaries = elements.iter().map(|element| match element.kind() {
        ExpressionKind::Unfinished(problems) => problems.iter().map(|problem| &*problem.summary).collect(),
        _ => vec![],
    });
    let summaries: Vec<Vec<_>> = summaries.collect();
    assert_eq!(
        summaries[..2],
        [vec!["Missing expression"], vec!["Invalid expression", "Invalid number literal"]]
    );
    let left_out = vec!["Too many diagnostics"];
    assert_eq!(summaries[2..], [left_out.clone(), vec![], left_out.clone(), left_out]);
    let ExpressionKind::Unfinished([told]) = elements.get(5).unwrap().kind() else { panic!() };
    assert!(told.detail.starts_with("3 further problems"), "{}", told.detail);
    let (_, problems) = to_native(&file, None);
    assert_eq!(problems.iter().filter(|problem| problem.code == "limit.diagnostics").count(), 1);
}

#[test]
fn strings_are_templates_or_literals() {
    let expression = attribute("{\"a\": {\"${k}\": [\"${v}\", \"\\u00e9\", -1.5e3, null, true]}}");
    let templates = expression.syntax();
    let ExpressionKind::Object(items) = templates.expression().kind() else { panic!() };
    assert_eq!(items.len(), 1);
    let literal = expression.syntax_with(Strings::Literal);
    let ExpressionKind::Object(items) = literal.expression().kind() else { panic!() };
    let item = items.iter().next().unwrap();
    assert!(matches!(item.key.kind(), ExpressionKind::Text("${k}")));
    let ExpressionKind::Tuple(elements) = item.value.kind() else { panic!() };
    assert!(matches!(elements.get(0).unwrap().kind(), ExpressionKind::Text("${v}")));
    assert!(matches!(elements.get(1).unwrap().kind(), ExpressionKind::Text("\u{e9}")));
    assert!(matches!(elements.get(2).unwrap().kind(), ExpressionKind::Number("-1.5e3")));
}

#[test]
fn strings_hold_references_calls_and_keywords() {
    let list = attribute("{\"a\": [\"x.y[0]\", \"list(string)\", \"any\", \"1 + 1\", {\"k\": 1}]}");
    let list = list.static_list().unwrap();
    assert_eq!(
        list[0].static_traversal().unwrap().expression().as_static_traversal().unwrap().steps.len(),
        2
    );
    let call = list[1].static_call().unwrap();
    // Places begin at the opening quote.
    assert_eq!(
        (call.name.as_str(), call.source.range(call.name_span).to_string()),
        ("list", "f:1,18-22".into())
    );
    assert_eq!(call.arguments[0].keyword().as_deref(), Some("string"));
    assert_eq!(list[2].keyword().as_deref(), Some("any"));
    assert!(list[3].static_traversal().is_none() && list[3].static_call().is_none());
    assert_eq!(list[4].static_map().unwrap()[0].0.keyword().as_deref(), Some("k"));
}

#[test]
fn a_body_is_read_by_its_schema() {
    let text = r#"[{"//": "comment", "region": "x", "region": "y"},
 {"service": {"web": [{"port": 1}, {"port": 2}], "db": {"port": 3}}, "serivce": 1}]"#;
    let (file, _) = parsed(text);
    let schema = BodySchema::default()
        .required_attribute("region")
        .required_attribute("zone")
        .block("service", &["name"]);
    let body = ConfigBody::from(&file);
    let (content, diagnostics) = body.content(&schema);
    let labels: Vec<_> = content.blocks.iter().map(|block| block.label(0).unwrap().text).collect();
    assert_eq!(labels, ["web", "web", "db"]);
    assert_eq!(content.attributes["region"].range().to_string(), "f:1,20-33");
    assert_eq!(
        told(&diagnostics),
        [
            "Duplicate argument @ f:1,35-43",
            "Missing required argument @ f:1,1-2",
            "Extraneous JSON object property @ f:2,70-79"
        ]
    );
    assert!(diagnostics[2].detail.ends_with("Did you mean \"service\"?"));
    let (_, rest, _) = body.partial_content(&BodySchema::default().attribute("region"));
    assert_eq!(rest.content(&schema).0.blocks.len(), 3);
}

#[test]
fn a_file_without_a_body_lacks_arguments_nowhere() {
    let lacking = |text: &str| {
        let (file, diagnostics) = parsed(text);
        assert!(has_errors(&diagnostics), "{text}");
        let (_, diagnostics) =
            ConfigBody::from(&file).content(&BodySchema::default().required_attribute("a"));
        told(&diagnostics)
    };
    assert_eq!(lacking(""), ["Missing required argument @ nowhere"]);
    assert_eq!(lacking("5"), ["Missing required argument @ nowhere"]);
}

#[test]
fn containers_with_errors_keep_nothing_and_leave_those_around_them_as_they_were() {
    let text = r#"{"x": 1, "y": [1, [2 3], {"z": 4 "q": 5}, 6], "w": {"a": [7: 8], "b": 8}, "v": [{"c": 9 "d": 10}, 11]}"#;
    let (file, problems) = parsed(text);
    assert_eq!(problems.len(), 4, "{problems:?}");
    let everything = ConfigBody::from(&file).everything();
    let names: Vec<_> = everything.attributes.iter().map(|attribute| attribute.name()).collect();
    assert_eq!(names, ["x", "y", "w", "v"]);
    let parts = |name: &str| everything.expression(name).unwrap().static_list().unwrap().len();
    assert_eq!((parts("y"), parts("v")), (4, 2));
    assert_eq!(everything.expression("w").unwrap().static_map().unwrap().len(), 2);
}

#[test]
fn nesting_is_limited() {
    let limits = ParseLimits { max_depth: 3, ..ParseLimits::default() };
    let parse = |text: &str| parse_json_value(Source::json("f", text).unwrap(), &limits).1;
    assert!(parse("[[[1]]]").is_empty());
    assert_eq!(told(&parse("[[[[1]]]]")), ["Nesting limit reached @ f:1,4-5"]);
    let deep = |n: usize, open: &str, close: &str| format!("{}1{}", open.repeat(n), close.repeat(n));
    for text in [deep(100_000, "[", "]"), deep(100_000, "{\"a\":", "}"), "[".repeat(1_000_000)] {
        let (file, diagnostics) = parsed(text);
        assert_eq!(diagnostics.len(), 1);
        assert!(ConfigBody::from(&file).just_attributes().0.is_empty());
    }
    let limits = ParseLimits { max_depth: 10_000, ..ParseLimits::default() };
    let text = format!("{{\"a\": {}}}", deep(9_999, "[", "]"));
    let (file, diagnostics) = parse_json(Source::json("f", text).unwrap(), &limits);
    assert!(diagnostics.is_empty());
    let attributes = ConfigBody::from(&file).just_attributes().0;
    assert!(attributes[0].expression().variables().is_empty());
    let labels = vec!["label"; 9_998];
    let (_, diagnostics) = ConfigBody::from(&parsed(deep(900, "{\"a\":", "}")).0)
        .content(&BodySchema::default().block("a", &labels));
    assert_eq!(told(&diagnostics)[0].split(" @").next(), Some("Incorrect JSON value type"));
}

/// Reads a text in every way there is.
fn exercise(bytes: &[u8]) {
    let (file, diagnostics) = parsed(bytes);
    let schema = BodySchema::default().required_attribute("a").attribute("b").block("one", &["name"]);
    let body = ConfigBody::from(&file);
    let (content, rest, _) = body.partial_content(&schema);
    let (_, more) = rest.content(&schema);
    for problem in diagnostics.iter().chain(&more) {
        render(problem);
    }
    let blocks = content.blocks.iter().flat_map(|block| block.body().just_attributes().0);
    for attribute in body.just_attributes().0.into_iter().chain(blocks) {
        let expression = attribute.expression();
        for variable in expression.variables() {
            variable.range();
        }
        let syntax = expression.syntax_with(Strings::Literal);
        for visit in hcl_syntax::ast::Walk::new(expression.syntax().expression())
            .chain(hcl_syntax::ast::Walk::new(syntax.expression()))
        {
            if let hcl_syntax::ast::Visit::Expression(part) = visit
                && let ExpressionKind::Unfinished(problems) = part.kind()
            {
                assert!(has_errors(problems));
                render(&problems[0]);
            }
        }
        let _ = (expression.static_list(), expression.static_map(), expression.static_call());
        let _ = (expression.keyword(), expression.start_span());
    }
}

#[test]
fn any_bytes_are_read() {
    let pieces: Vec<&[u8]> = vec![
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"=",
        b"\"",
        b"\\",
        b"\"a\":",
        b"\"one\":",
        b"${",
        b"%{if x}",
        b"true",
        b"nul",
        b"-1.5e3",
        b"01",
        b"\r",
        b"\n",
        b"\t",
        b"\0",
        b"\xff",
        b"\xe2\x82",
        b"\xc3\xa9",
        b"\xf0\x9f\x91\xa8\xe2\x80\x8d",
        b"\\ud83d",
        b"\\u00e9",
        b"\xef\xbb\xbf",
        b"e\xcc\x81",
        b" ",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).unwrap()).unwrap()
    };
    for _ in 0..20_000 {
        let mut text = if random(2) == 0 { b"{\"a\": \"x".to_vec() } else { Vec::new() };
        for _ in 0..random(12) {
            text.extend_from_slice(pieces[random(pieces.len())]);
        }
        exercise(&text);
    }
}

#[test]
fn time_is_linear() {
    let texts: [Vec<u8>; 7] = [
        format!("{{\"a\": [{}1]}}", "{\"k\": \"v${x}\", \"é\": [1, 2.5, null]},".repeat(40_000)).into(),
        format!("{{\"a\": \"{}\"}}", "\\u00e9${x} ".repeat(150_000)).into(),
        format!("{{{}\"a\": 1}}", "\"one\": {\"x\": {\"n\": 1}},\r\n".repeat(60_000)).into(),
        "{\"a\": \"\\q".repeat(1_000_000).into(),
        "[1 ".repeat(3_000_000).into(),
        [b"{\"a\": \"".to_vec(), vec![0xff; 1_000_000], b"\"}".to_vec()].concat(),
        format!("{{\"a\": [{}1]}}", "\"\\u00e9${\",".repeat(20_000)).into(),
    ];
    for text in texts {
        let start = Stopwatch::start();
        exercise(&text);
        let shown = String::from_utf8_lossy(&text[..30]).into_owned();
        assert!(start.elapsed() < Duration::from_secs(20), "{shown}: {:?}", start.elapsed());
    }
    let start = Stopwatch::start();
    let (file, diagnostics) = parsed(format!("[{}{{}}]", "{\"k\": [\"v\", 2.5, null]},\n".repeat(400_000)));
    let (attributes, _) = ConfigBody::from(&file).content(&BodySchema::default().attribute("k"));
    assert!(diagnostics.is_empty() && attributes.attributes.len() == 1);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Tabs count as one column and carriage returns as none, whatever else is in the line; every run of bytes that are no
/// UTF-8 is told with its place, and stands for U+FFFD.
#[test]
fn places_behind_tabs_and_broken_bytes() {
    let told = |bytes: &[u8]| {
        let (_, problems) = parse_json(Source::json("f", bytes).unwrap(), &ParseLimits::default());
        let told =
            |problem: &Diagnostic| format!("{} {}", problem.subject.as_ref().unwrap(), problem.summary);
        problems.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(told(b"{\t\"a\":\t1,\r\n\t\t\"b\" 2}")[0], "f:2,7-8 Missing property value colon");
    let family = "{\"\u{1f468}\u{200d}\u{1f469}\":\t\t\"x\" y}";
    assert_eq!(told(family.as_bytes())[0], "f:1,14-14 Missing attribute seperator comma");
    assert_eq!(told(b"{\t\"a\": \"x\xff\"}"), ["f:1,10-11 Invalid character encoding"]);
    assert_eq!(told(b"{\"\xff\": 1}"), ["f:1,3-4 Invalid character encoding"]);
    assert_eq!(told(b"{\"a\": \xff}")[0], "f:1,7-8 Invalid start of value");
}

#[test]
fn a_name_is_that_of_an_argument_or_of_blocks_in_native_syntax() {
    for (text, places) in [
        (r#"[{"b": {"c": 1}}, {"b": [{"c": 1}, {}]}]"#, &["Duplicate argument @ f:1,20-23"][..]),
        (r#"[{"b": [{"c": 1}, {}]}, {"b": {"c": 1}}]"#, &["Duplicate argument @ f:1,26-29"]),
        (r#"[{"b": [{}]}, {"b": [{}]}]"#, &[]),
    ] {
        let (file, diagnostics) = parsed(text);
        assert_eq!(diagnostics, []);
        assert_eq!(told(&to_native(&file, None).1), places);
    }
}

#[test]
fn native_syntax_is_not_many_times_as_long() {
    let brackets = |bracket: &str| bracket.repeat(500);
    let text = format!("{{\"a\": {}{}1{}}}", brackets("["), "[1], ".repeat(50_000), brackets("]"));
    let (file, _) = parse_json(Source::json("deep.json", &text).unwrap(), &ParseLimits::default());
    let (native, diagnostics) = to_native(&file, None);
    assert!(native.len() < 17 * text.len(), "{} of {}", native.len(), text.len());
    assert_eq!(diagnostics.iter().map(|one| &*one.code).collect::<Vec<_>>(), ["limit.output"]);
    let text = format!("{{{}\"b\": 1}}", "\"a b\": 1, ".repeat(5_000));
    let (file, _) = parse_json(Source::json("names.json", &text).unwrap(), &ParseLimits::default());
    let (_, diagnostics) = to_native(&file, None);
    let last = diagnostics.last().map(|one| (&*one.code, one.detail.split(' ').next()));
    assert_eq!((diagnostics.len(), last), (1001, Some(("limit.diagnostics", Some("8999")))));
}
