//! Bodies of native syntax read by schema.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use hcl_syntax::config::{Bounds, ConfigBody, Content, ContentAttribute};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::schema::{BodySchema, NestedSchema};
use hcl_syntax::source::Source;

fn body(name: &str, text: &str) -> ConfigBody {
    let source = Source::new(name, text).unwrap();
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    ConfigBody::from(&file)
}

/// `Summary @ line,column-column in context`
fn told(diagnostics: &Diagnostics) -> Vec<String> {
    let tell = |diagnostic: &hcl_syntax::diagnostic::Diagnostic| {
        let place = diagnostic.subject.as_ref().map_or(String::new(), |range| format!(" @ {range}"));
        let context = diagnostic.context.as_ref().map_or(String::new(), |range| format!(" in {range}"));
        format!("{}{place}{context}", diagnostic.summary)
    };
    diagnostics.iter().map(tell).collect()
}

fn names(content: &Content) -> Vec<&str> {
    content.attributes.iter().map(ContentAttribute::name).collect()
}

#[test]
fn content_has_what_the_schema_asks_for_and_complains_of_the_rest() {
    let body = body("f", "c = 1\na = 2\nserivce \"x\" {}\nb = 3\nzone {}\nregion = 4\nother = 5\n");
    let schema = BodySchema::default()
        .required_attribute("a")
        .required_attribute("missing")
        .attribute("b")
        .attribute("zone")
        .block("service", &["name"])
        .block("region", &[]);
    let (content, diagnostics) = body.content(&schema);
    assert_eq!(names(&content), ["a", "b"]);
    assert_eq!(
        told(&diagnostics),
        [
            "Missing required argument @ f:1,1-1",
            "Unsupported argument @ f:1,1-2",
            "Unsupported argument @ f:6,1-7",
            "Unsupported argument @ f:7,1-6",
            "Unsupported block type @ f:3,1-8",
            "Unsupported block type @ f:5,1-5",
        ]
    );
    assert!(diagnostics[2].detail.ends_with("leave out the equals sign."));
    assert!(diagnostics[4].detail.ends_with("Did you mean \"service\"?"));
    assert!(diagnostics[5].detail.ends_with("set it with an equals sign."));
}

#[test]
fn suggestions_are_attributes_that_are_not_set() {
    let body = body("f", "aa = 1\nab = 2\n");
    let (_, diagnostics) = body.content(&BodySchema::default().attribute("aa").attribute("ac"));
    assert!(diagnostics[0].detail.ends_with("Did you mean \"ac\"?"), "{diagnostics:?}");
}

#[test]
fn blocks_with_a_wrong_number_of_labels_are_left_out() {
    let body = body("f", "b {}\nb x {}\nb x \"y\" {}\nn z {}\nb k {}\n");
    let schema = BodySchema::default().block("b", &["name"]).block("n", &[]);
    let (content, diagnostics) = body.content(&schema);
    let labels: Vec<&str> = content.blocks.iter().map(|block| block.label(0).unwrap().text).collect();
    assert_eq!(labels, ["x", "k"]);
    assert_eq!(
        told(&diagnostics),
        [
            "Missing name for b @ f:1,3-4 in f:1,1-4",
            "Extraneous label for b @ f:3,5-8 in f:3,1-10",
            "Extraneous label for n @ f:4,3-4 in f:4,1-6",
        ]
    );
    assert_eq!(content.blocks[0].definition_range().to_string(), "f:2,1-4");
}

#[test]
fn a_partial_reading_leaves_the_rest_to_others() {
    let body = body("f", "a = 1\nb = 2\nx {}\ny {}\n");
    let (content, rest, diagnostics) =
        body.partial_content(&BodySchema::default().attribute("a").attribute("n").block("x", &[]));
    assert_eq!((names(&content), content.blocks.len(), diagnostics.len()), (vec!["a"], 1, 0));
    // What was taken is gone: an attribute counts as missing then, blocks are not given again.
    let schema = BodySchema::default().required_attribute("a").attribute("b").block("x", &[]);
    let (content, last, diagnostics) = rest.partial_content(&schema);
    assert_eq!((names(&content), content.blocks.len()), (vec!["b"], 0));
    assert_eq!(told(&diagnostics), ["Missing required argument @ f:1,1-1"]);
    let (content, diagnostics) = last.content(&BodySchema::default().block("y", &[]));
    assert_eq!((content.blocks.len(), diagnostics.len()), (1, 0));
}

#[test]
fn just_attributes_complains_of_the_first_block_only() {
    let body = body("f", "x {\n  n = 1\n}\na = 1\ny {}\nb = 2\n");
    let (attributes, diagnostics) = body.just_attributes();
    assert_eq!(attributes.iter().map(|attribute| attribute.name()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(told(&diagnostics), ["Unexpected \"x\" block @ f:1,1-2"]);
    // Blocks that are taken already still count, as in the reference implementation.
    let schema = BodySchema::default().attribute("a").block("x", &[]).block("y", &[]);
    let (content, rest, _) = body.partial_content(&schema);
    let (attributes, diagnostics) = rest.just_attributes();
    assert_eq!(
        (attributes.len(), told(&diagnostics)),
        (1, vec!["Unexpected \"x\" block @ f:1,1-2".to_owned()])
    );
    let inner = content.blocks[0].body();
    assert_eq!(inner.missing_item_range().unwrap().to_string(), "f:1,3-3");
    assert_eq!(inner.just_attributes().0[0].range().to_string(), "f:2,3-8");
}

#[test]
fn several_files_are_read_as_one() {
    let merged = ConfigBody::merged(vec![
        body("f", "a = 1\nx {}\n"),
        ConfigBody::merged(vec![body("g", "b = 2\na = 3\nx {}\n"), body("h", "u = 1\n")]),
    ]);
    let schema = BodySchema::default()
        .required_attribute("a")
        .required_attribute("b")
        .required_attribute("n")
        .block("x", &[]);
    let (content, diagnostics) = merged.content(&schema);
    assert_eq!((names(&content), content.blocks.len()), (vec!["a", "b"], 2));
    assert_eq!(
        told(&diagnostics),
        ["Duplicate argument @ g:2,1-2", "Unsupported argument @ h:1,1-2", "Missing required argument"]
    );
    let (_, rest, _) = merged.partial_content(&schema);
    let (attributes, diagnostics) = rest.just_attributes();
    assert_eq!(attributes.len(), 1);
    assert_eq!(told(&diagnostics), ["Unexpected \"x\" block @ f:2,1-2", "Unexpected \"x\" block @ g:3,1-2"]);
    assert_eq!(merged.missing_item_range().unwrap().to_string(), "f:1,1-1");
    assert!(ConfigBody::default().missing_item_range().is_none());
}

#[test]
fn expressions_of_attributes_stand_alone() {
    let body = body("f", "a = [f(x.y), true, {k = 1}]\n");
    let attribute = &body.just_attributes().0[0];
    drop(body);
    let list = attribute.expression().static_list().unwrap();
    let call = list[0].static_call().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.len()), ("f", 1));
    assert_eq!(call.arguments[0].range().to_string(), "f:1,8-11");
    assert!(call.arguments[0].static_traversal().is_some());
    assert_eq!(list[1].keyword().as_deref(), Some("true"));
    assert_eq!(list[2].static_map().unwrap()[0].0.keyword().as_deref(), Some("k"));
    let expression = attribute.expression();
    assert_eq!(expression.source().range(expression.start_span()).to_string(), "f:1,5-6");
    assert_eq!(attribute.expression().variables()[0].range().to_string(), "f:1,8-11");
}

#[test]
fn everything_is_what_the_syntax_tells_and_nobody_has_taken() {
    let native = body("f", "a = 1\nx \"y\" {\n}\nb = 2\nz {}\n");
    let everything = native.everything();
    assert_eq!((names(&everything), everything.blocks.len()), (vec!["a", "b"], 2));
    assert_eq!(everything.blocks[0].source().range(everything.blocks[0].span()).to_string(), "f:2,1-3,2");
    let (_, rest, _) = native.partial_content(&BodySchema::default().attribute("a").block("z", &[]));
    assert_eq!((names(&rest.everything()), rest.everything().blocks.len()), (vec!["b"], 1));
    let merged = ConfigBody::merged(vec![rest, body("g", "b = 3\nc = 4\n")]);
    assert_eq!(names(&merged.everything()), ["b", "c"]);

    let source = Source::json("j", r#"{"a": 1, "x": {"y": {}}}"#).unwrap();
    let (file, _) = hcl_syntax::json::parse_json(source, &ParseLimits::default());
    let everything = ConfigBody::from(&file).everything();
    assert_eq!((names(&everything), everything.blocks.len()), (vec!["a", "x"], 0));
    let (content, _) =
        ConfigBody::from(&file).content(&BodySchema::default().attribute("a").block("x", &["n"]));
    let block = &content.blocks[0];
    assert_eq!(block.source().range(block.span()).to_string(), "j:1,21-23");
}

#[test]
fn expressions_in_strings_of_json_are_within_the_limits_of_their_file() {
    let expression = |max_depth| {
        let limits = ParseLimits { max_depth, ..ParseLimits::default() };
        let source = Source::json("j", r#"{"a": "f(((b)))", "t": "c[\"d\"]"}"#).unwrap();
        let (file, problems) = hcl_syntax::json::parse_json(source, &limits);
        assert!(problems.is_empty(), "{problems:?}");
        let everything = ConfigBody::from(&file).everything();
        ["a", "t"].map(|name| everything.expression(name).unwrap())
    };
    let [call, traversal] = expression(20);
    assert!(call.static_call().is_some() && traversal.static_traversal().is_some());
    let [call, traversal] = expression(2);
    assert!(call.static_call().is_none() && traversal.static_traversal().is_some());
}

#[test]
fn many_items_take_linear_time() {
    let mut text = String::new();
    let mut schema = BodySchema::default().block("known", &["name"]);
    for n in 0..100_000 {
        text.push_str(&format!("a{n} = {n}\nknown \"{n}\" {{}}\nother {{}}\n"));
        schema = schema.attribute(format!("b{n}"));
    }
    let (content, diagnostics) = body("f", &text).content(&schema);
    assert_eq!((content.blocks.len(), diagnostics.len()), (100_000, 200_000));
}

#[test]
fn few_and_many_names_are_read_alike() {
    for n in [1, 2, 8, 9, 30] {
        let attributes: String = (0..n).map(|i| format!("a{i} = {i}\n")).collect();
        let blocks: String = (0..n).map(|i| format!("b{i} {{}}\n")).collect();
        let body = body("f", &format!("{attributes}{blocks}odd = 1\nstrange {{}}\n"));
        let schema = (0..n).rev().fold(BodySchema::default(), |schema, i| {
            schema.attribute(format!("a{i}")).block(format!("b{i}"), &[])
        });
        let expected: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();

        let (content, diagnostics) = body.content(&schema);
        assert_eq!(names(&content), expected);
        assert_eq!(content.blocks.len(), n);
        let summaries: Vec<_> = diagnostics.iter().map(|d| &*d.summary).collect();
        assert_eq!(summaries, ["Unsupported argument", "Unsupported block type"]);

        let (content, rest, diagnostics) = body.partial_content(&schema);
        assert_eq!((names(&content).len(), content.blocks.len(), diagnostics.len()), (n, n, 0));
        let (again, diagnostics) = rest.content(&schema);
        assert_eq!((again.attributes.len(), again.blocks.len(), diagnostics.len()), (0, 0, 2));
    }
}

#[test]
fn many_labels_cost_what_they_are() {
    let n = 100_000;
    let text = format!("block {} {{}}\n", "\"label\" ".repeat(n));
    let everything = body("f", &text).everything();
    let block = &everything.blocks[0];
    assert_eq!(block.n_labels(), n);
    // A reader asks for all of them, one by one, by their places.
    for at in 0..block.n_labels() {
        assert_eq!(block.label(at).unwrap().text, "label");
    }
    assert_eq!(block.labels().count(), n);
    assert!(block.label(n).is_none());
}

/// A schema with more mistakes than a parse may tell gives the first ones, and says how many are left out.
#[test]
fn the_problems_of_a_schema_end_at_their_limit() {
    let text: String = (0..100).map(|n| format!("a{n} = x\n")).collect();
    let (file, _) = parse_file(Source::new("schema", text).unwrap(), &ParseLimits::default());
    let limits = ParseLimits { max_diagnostics: 3, ..ParseLimits::default() };
    let (_, problems) = NestedSchema::read_within(file.body(), &limits).unwrap();
    let codes: Vec<&str> = problems.iter().map(|problem| &*problem.code).collect();
    assert_eq!(codes, ["schema.attribute", "schema.attribute", "schema.attribute", "limit.diagnostics"]);
    assert!(problems[3].detail.starts_with("97 further problems"), "{}", problems[3].detail);
}

/// Counts the parts of the work of a reading.
struct Counted(usize);

impl Bounds for Counted {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.0 += n_parts;
        true
    }

    fn has_room(&mut self, _n_bytes: usize) -> bool {
        true
    }

    fn max_diagnostics(&self) -> usize {
        usize::MAX
    }
}

/// The work of reading so many bodies of one property as one, by a schema that knows the property of most.
fn work_of_many(n: usize, parse: impl Fn(&str) -> ConfigBody) -> usize {
    let name = |i: usize| if i.is_multiple_of(100) { format!("other{i}") } else { format!("a{i}") };
    let merged = ConfigBody::merged((0..n).map(|i| parse(&name(i))).collect());
    let schema = (0..n).fold(BodySchema::default(), |all, i| all.attribute(format!("a{i}")));
    let schema = (0..n).fold(schema, |all, i| all.block(format!("b{i}"), &[]));
    let mut work = Counted(0);
    let (content, problems) = merged.content_within(&schema, &mut work);
    assert_eq!((content.attributes.len(), problems.len()), (n - n / 100, n / 100));
    let (_, rest, _) = merged.partial_content_within(&schema, &mut work);
    let (_, rest, _) = rest.partial_content_within(&schema, &mut work);
    assert_eq!(rest.everything_within(&mut work).attributes.len(), n / 100);
    work.0
}

#[test]
fn many_bodies_are_read_as_one_with_work_in_proportion() {
    let native = |name: &str| body("f", &format!("{name} = 1\n"));
    let json = |name: &str| ConfigBody::from(&JsonFile::parse("f", format!("{{\"{name}\": 1}}")).unwrap());
    // A complaint looks among a thousand names.
    let (few, many) = (1_000, 4_000);
    assert!(work_of_many(many, native) < 5 * work_of_many(few, native));
    assert!(work_of_many(many, json) < 5 * work_of_many(few, json));
}
