//! Documents on their way from native to JSON syntax and back, and the other way round: nothing is lost.
//!
//! `HCL_DOCUMENTS=100000` sets how many; a document follows from its number alone.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;

use hcl_cli::batch::eval::describe;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate, evaluate_config};
use hcl_eval::json_syntax::{Expressions, JsonStyle, Reader, to_json_with};
use hcl_eval::value::Value;
use hcl_syntax::ast::Body;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::format::align;
use hcl_syntax::json::{parse_json, to_native, to_native_for};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::schema::NestedSchema;
use hcl_syntax::source::Source;
use serde_json::{Map, Value as Json, json};

/// How many documents there are unless the environment says otherwise.
const DOCUMENTS: u64 = 2_000;

fn n_documents() -> u64 {
    env::var("HCL_DOCUMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(DOCUMENTS)
}

/// The numbers that decide about a document: the generator of Knuth's MMIX.
struct Chance(u64);

impl Chance {
    fn new(number: u64) -> Self {
        let mut chance = Self(number.wrapping_mul(2) + 1);
        for _ in 0..8 {
            chance.below(2);
        }
        chance
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % n
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Pieces of templates: text with what means something in it, sequences, and directives.
const PIECES: [&str; 20] = [
    "a",
    " ",
    "$",
    "%",
    "$$",
    "%%",
    "{",
    "}",
    "\\n",
    "\\\"",
    "\\\\",
    "\\t",
    "\u{e9}",
    "$${v}",
    "%%{if}",
    "${s}",
    "${~ n ~}",
    "${\"\"}",
    "%{ if b }yes%{ else }${n}%{ endif }",
    "%{ for x in l }${x},%{ endfor }",
];

const EXPRESSIONS: [&str; 34] = [
    "1",
    "-1.5",
    "0.1",
    "1e100",
    "true",
    "null",
    "s",
    "n",
    "b",
    "l",
    "o",
    "o.k",
    "l[0]",
    "toset([\"a\", \"a\"])",
    "tomap({ k = n })",
    "tolist([])",
    "tonumber(\"1\")",
    "tostring(null)",
    "upper(s)",
    "upper(\"a\")",
    "1 + 2",
    "n / 3",
    "b ? 1 : \"x\"",
    "[for x in l : x + 1]",
    "{ for x in l : \"k${x}\" => x }",
    "l[*]",
    "!b",
    "sensitive(s)",
    "u",
    "ul",
    "(1)",
    "(\n  n\n)",
    "<<-EOT\n    x ${s}\n      y\n    EOT\n",
    "<<EOT\n$${s} ${n}\nEOT\n",
];

/// A document of native syntax.
struct Writer {
    chance: Chance,
    out: String,
}

impl Writer {
    fn document(number: u64) -> String {
        let mut writer = Self { chance: Chance::new(number), out: String::new() };
        writer.body(0);
        writer.out
    }

    /// Attributes and blocks in any order. A type of blocks has as many labels as its name says.
    fn body(&mut self, depth: usize) {
        let n_items = self.chance.below(7);
        let mut names = vec!["a", "b", "c", "d-e", "for", "null", "\u{fc}"];
        for _ in 0..n_items {
            if self.chance.below(3) > 0 || depth > 2 {
                let name = names.swap_remove(self.chance.below(names.len()));
                self.out.push_str(name);
                self.out.push_str(" = ");
                self.expression(0);
                if !self.out.ends_with('\n') {
                    self.out.push('\n');
                }
            } else {
                let n_labels = self.chance.below(3);
                self.out.push_str(["plain", "one", "two"][n_labels]);
                for _ in 0..n_labels {
                    self.out.push_str(self.chance.of(&[" \"x\"", " y", " \"a b\"", " \"$${x}\"", " \"//\""]));
                }
                self.out.push_str(" {\n");
                self.body(depth + 1);
                self.out.push_str("}\n");
            }
        }
    }

    fn expression(&mut self, depth: usize) {
        match self.chance.below(if depth > 2 { 6 } else { 9 }) {
            0..=3 => {
                let text = self.chance.of(&EXPRESSIONS);
                // A heredoc ends its line, which not every place allows.
                self.out.push_str(if depth > 0 && text.starts_with("<<") { "n" } else { text });
            }
            4 | 5 => self.template(),
            6 => self.tuple(depth),
            _ => self.object(depth),
        }
    }

    fn template(&mut self) {
        self.out.push('"');
        for _ in 0..self.chance.below(5) {
            let piece = self.chance.of(&PIECES);
            // A dollar and what follows it must not make something else.
            let joins = self.out.ends_with(['$', '%']) && piece.starts_with(['{', '$', '%']);
            self.out.push_str(if joins { "." } else { piece });
        }
        self.out.push('"');
    }

    fn tuple(&mut self, depth: usize) {
        self.out.push('[');
        for _ in 0..self.chance.below(4) {
            self.expression(depth + 1);
            self.out.push_str(", ");
        }
        self.out.push(']');
    }

    fn object(&mut self, depth: usize) {
        self.out.push_str("{\n");
        for _ in 0..self.chance.below(4) {
            self.out.push_str(self.chance.of(&[
                "k",
                "\"k l\"",
                "(s)",
                "\"${n}\"",
                "m",
                "\"$${k}\"",
                "(\"k\")",
                "if",
            ]));
            self.out.push_str(" = ");
            self.expression(depth + 1);
            self.out.push('\n');
        }
        self.out.push('}');
    }
}

/// The names that expressions use, with functions.
fn scope() -> Arc<Scope> {
    Scope::builder()
        .functions(dialect::terraform())
        .variable("s", Value::string("text"))
        .variable("n", Value::from(5))
        .variable("b", Value::TRUE)
        .variable("l", Value::list(hcl_eval::Type::Number, vec![Value::from(1), Value::from(2)]))
        .variable("o", Value::object(vec![("k".into(), Value::string("v"))]))
        .variable("u", Value::unknown(hcl_eval::Type::String))
        .variable("ul", Value::unknown(hcl_eval::Type::list(hcl_eval::Type::Bool)))
        .build()
}

/// The functions alone: what the writer knows of names.
fn functions() -> Arc<Scope> {
    Scope::builder().functions(dialect::terraform()).variables_allowed().build()
}

fn parsed(native: &str) -> File {
    let (file, problems) =
        parse_file(Source::new("main.hcl", native).expect("a small text"), &ParseLimits::default());
    assert!(!has_errors(&problems), "{native}: {problems:?}");
    file
}

fn json_of(native: &str, style: JsonStyle) -> String {
    let file = parsed(native);
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (json, problems) = to_json_with(&[file.body()], style, &functions(), &mut evaluation);
    assert!(problems.is_empty(), "{native}: {problems:?}");
    json
}

fn native_of(json: &str, schema: Option<&NestedSchema>) -> String {
    let (file, problems) =
        parse_json(Source::json("main.json", json).expect("a small text"), &ParseLimits::default());
    assert!(problems.is_empty(), "{json}: {problems:?}");
    let (native, problems) = to_native(&file, schema);
    assert!(problems.is_empty(), "{json}: {problems:?}");
    native
}

/// The contents of a body, blocks of a type together.
fn schema_of(bodies: &[Body<'_>]) -> NestedSchema {
    let mut schema = NestedSchema::default();
    let mut blocks: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    let mut names: Vec<&str> =
        bodies.iter().flat_map(|body| body.attributes()).map(|item| item.name()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        schema.body = schema.body.attribute(name);
    }
    for block in bodies.iter().flat_map(|body| body.blocks()) {
        blocks.entry(block.block_type()).or_default().push(block);
    }
    for (block_type, blocks) in blocks {
        schema.body = schema.body.block(block_type, &["label"; 2][..blocks[0].labels().len()]);
        let bodies: Vec<_> = blocks.iter().map(|block| block.body()).collect();
        schema.blocks.insert(block_type.to_owned(), schema_of(&bodies));
    }
    schema
}

/// The value of every attribute, and the blocks by type and labels, in the order of each.
fn outline(body: Body<'_>, scope: &Scope) -> Json {
    let mut attributes = Map::new();
    for attribute in body.attributes() {
        let (value, problems) = evaluate(attribute.expression(), Some(scope), &EvalOptions::default());
        let value = match problems.first() {
            Some(problem) => json!(problem.summary),
            None => serde_json::from_str(&describe(&value)).expect("a description is JSON"),
        };
        attributes.insert(attribute.name().to_owned(), value);
    }
    let mut blocks: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for block in body.blocks() {
        let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
        let header = format!("{} {labels:?}", block.block_type());
        blocks.entry(header).or_default().push(outline(block.body(), scope));
    }
    json!([attributes, blocks])
}

#[test]
fn native_documents_keep_their_values() {
    for number in 0..n_documents() {
        let native = Writer::document(number);
        let file = parsed(&native);
        let schema = schema_of(&[file.body()]);
        let wanted = outline(file.body(), &scope());
        for expressions in [Expressions::Evaluated, Expressions::Kept] {
            let json = json_of(&native, JsonStyle { expressions, ..JsonStyle::default() });
            let back = native_of(&json, Some(&schema));
            let got = outline(parsed(&back).body(), &scope());
            assert_eq!(got, wanted, "{number}:\n{native}\n=> {json}\n=> {back}");
        }
    }
}

/// A value of JSON syntax as it is written: strings that the writer of JSON syntax would write so.
fn value(chance: &mut Chance, depth: usize) -> Json {
    match chance.below(if depth > 2 { 4 } else { 7 }) {
        0 => chance.of(&[json!(0), json!(-7), json!(12345678), json!(true), json!(false)].each_ref()).clone(),
        1 => Json::Null,
        2 | 3 => json!(string(chance)),
        4 => {
            // An array of nothing but objects would be blocks.
            let mut elements: Vec<_> = (0..chance.below(3)).map(|_| value(chance, depth + 1)).collect();
            elements.push(json!(string(chance)));
            Json::Array(elements)
        }
        _ => {
            let keys = ["k", "k l", "//", "for", "$${k}", "7", ""];
            let mut object = Map::new();
            for _ in 0..chance.below(4) {
                object.insert(chance.of(&keys).to_owned(), value(chance, depth + 1));
            }
            Json::Object(object)
        }
    }
}

fn string(chance: &mut Chance) -> String {
    let pieces = [
        "a",
        " ",
        "\n",
        "\"",
        "\\",
        "\t",
        "\u{1}",
        "\u{1f600}",
        "$${v}",
        "%%{if}",
        "${v}",
        "${v.w[0]}",
        "${f(v, \"x\")}",
        "{",
        "}",
        "%{ if v }yes%{ else }no ${v}%{ endif }",
        "%{ if v }yes%{ endif }",
        "%{ for x in v }${x}%{ endfor }",
        "$",
    ];
    let mut text = String::new();
    for _ in 0..chance.below(4) {
        let piece = chance.of(&pieces);
        if !(text.ends_with('$') && piece.starts_with(['{', '$', '%'])) {
            text.push_str(piece);
        }
    }
    text
}

/// A body of JSON syntax: arguments, and blocks of as many labels as their type says.
fn body(chance: &mut Chance, depth: usize) -> Json {
    let mut object = Map::new();
    for _ in 0..chance.below(5) {
        if depth > 2 || chance.below(2) == 0 {
            object.insert(chance.of(&["a", "b-c", "null"]).to_owned(), value(chance, 0));
            continue;
        }
        let n_labels = chance.below(3);
        let blocks = labelled(chance, n_labels, depth);
        object.insert(["plain", "one", "two"][n_labels].to_owned(), blocks);
    }
    Json::Object(object)
}

fn labelled(chance: &mut Chance, n_labels: usize, depth: usize) -> Json {
    if n_labels == 0 {
        return Json::Array((0..=chance.below(2)).map(|_| body(chance, depth + 1)).collect());
    }
    let mut object = Map::new();
    for _ in 0..=chance.below(2) {
        let label = chance.of(&["x", "a b", "$${x}", "${x}", "//"]).to_owned();
        object.insert(label, labelled(chance, n_labels - 1, depth));
    }
    Json::Object(object)
}

#[test]
fn json_documents_stay_what_they_are() {
    for number in 0..n_documents() {
        let document = body(&mut Chance::new(number), 0);
        let native = native_of(&document.to_string(), None);
        let style = JsonStyle { expressions: Expressions::Kept, ..JsonStyle::default() };
        let back: Json = serde_json::from_str(&json_of(&native, style)).expect("the text is JSON");
        assert_eq!(back, document, "{number}:\n{document}\n=> {native}");
    }
}

/// A template with runtime references of Nomad, of which blanks and some strip markers are a part.
fn runtime_template(chance: &mut Chance) -> String {
    let opening = ["${", "${ ", "${  ", "${\t", "${\n", "${~", "${~ ", "${/**/", "${ /**/ "];
    let expressions = [
        "node.x",
        "node . x",
        "node.x[ 0 ]",
        "node",
        "(node.x)",
        "( node.x )",
        "upper( node.x )",
        "upper(\"${ node.x }\")",
        "lower(\"${node.x~}  Y\")",
        "node.x == \"${ node.x }\"",
        "node.x != null ? node.y : 1",
        "[ node.x ][0]",
        "{ a = node.x }.a",
        "node.list[*][0]",
        "local.a",
        "5",
    ];
    let closing = ["}", " }", "   }", "\t}", "\n}", "~}", " ~}", "/**/}", " /**/ }", "\n \n}"];
    let texts = ["", "a", " ", "\n", "\n  b", "\t", "~", "$", "%", "$${node.x}", "%%{", "}", "\u{e9}", "~}"];
    let mut text = String::new();
    for _ in 0..=chance.below(4) {
        let piece = match chance.below(8) {
            0..=3 => format!("{}{}{}", chance.of(&opening), chance.of(&expressions), chance.of(&closing)),
            4 => format!(
                "%{{ if {} == 1 {}{}{}",
                chance.of(&["node.x", "1"]),
                chance.of(&["}", "~}"]),
                chance.of(&["${ node.y }", "${ node.y~}", "  c"]),
                chance.of(&["%{ endif }", "%{~ else } ${ node.z}%{ endif ~}"])
            ),
            5 => format!(
                "%{{ for x in [1, 2] }}{}${{x}} %{{ endfor }}",
                chance.of(&["${ node.x~}", "${ x }", " "])
            ),
            _ => chance.of(&texts).to_owned(),
        };
        let joins = text.ends_with(['$', '%']) && piece.starts_with(['{', '$', '%']);
        text.push_str(if joins { "." } else { &piece });
    }
    text
}

#[test]
fn runtime_references_of_nomad_keep_their_text() {
    let scope = Scope::builder()
        .functions(dialect::nomad())
        .runtime_references()
        .variable("local", Value::object(vec![("a".into(), Value::string("b"))]))
        .build();
    let style = JsonStyle { reader: Reader::Nomad, ..JsonStyle::default() };
    let values_of_json = |json: &str| {
        let source = Source::json("job.json", json).expect("a small text");
        let (file, problems) = parse_json(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{json}: {problems:?}");
        let (attributes, _) = ConfigBody::from(&file).just_attributes();
        let mut values = Vec::new();
        for attribute in attributes {
            let (value, problems) =
                evaluate_config(&attribute.expression(), Some(&scope), &EvalOptions::default());
            values.push((!has_errors(&problems)).then(|| describe(&value)));
        }
        (file, values)
    };
    let mut n_compared = 0;
    for number in 0..n_documents() {
        let mut chance = Chance::new(number);
        let mut document = json!({ "a": runtime_template(&mut chance) });
        document["b"] = json!([runtime_template(&mut chance)]);
        document["c"] = json!({ runtime_template(&mut chance): runtime_template(&mut chance) });
        let (file, wanted) = values_of_json(&document.to_string());
        let (native, problems) = to_native_for(&file, None, Reader::Nomad);
        if has_errors(&problems) || wanted.contains(&None) {
            continue;
        }
        let native = align("", native.as_bytes()).expect("a small text");
        let native = String::from_utf8(native).expect("a text");
        let converted = parsed(&native);
        let mut found = Vec::new();
        for attribute in converted.body().attributes() {
            let (value, problems) = evaluate(attribute.expression(), Some(&scope), &EvalOptions::default());
            assert!(problems.is_empty(), "{number}: {document}\n=> {native}: {problems:?}");
            found.push(Some(describe(&value)));
        }
        assert_eq!(found, wanted, "{number}: {document}\n=> {native}");
        let mut evaluation = Evaluation::new(&EvalOptions::default());
        let (json, problems) = to_json_with(&[converted.body()], style, &scope, &mut evaluation);
        assert!(problems.is_empty(), "{native}: {problems:?}");
        assert_eq!(values_of_json(&json).1, wanted, "{number}: {document}\n=> {native}\n=> {json}");
        n_compared += 1;
    }
    assert!(n_compared > n_documents() / 4, "only {n_compared} documents were compared");
}
