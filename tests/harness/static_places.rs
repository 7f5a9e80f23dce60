//! Modules on their way from native to JSON syntax and back, and the other way round: what a product reads without
//! evaluating it, what means itself, and the blocks that it knows.
//!
//! `HCL_DOCUMENTS=100000` sets how many are generated; a module follows from its number alone.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use hcl_cli::batch::eval::describe;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate};
use hcl_eval::json_syntax::{Expressions, JsonStyle, Reader, to_json_with};
use hcl_syntax::ast::{Body, Label};
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::json::reading::{Others, Place, Reading};
use hcl_syntax::json::{parse_json, to_native_for};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::schema::NestedSchema;
use hcl_syntax::source::Source;
use serde_json::{Value as Json, json};

/// How many modules there are of each kind unless the environment says otherwise.
const MODULES: u64 = 2_000;

fn n_modules() -> u64 {
    env::var("HCL_DOCUMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MODULES)
}

fn functions() -> &'static Scope {
    static FUNCTIONS: LazyLock<Arc<Scope>> =
        LazyLock::new(|| Scope::builder().functions(dialect::terraform()).variables_allowed().build());
    &FUNCTIONS
}

fn parsed(native: &str) -> Option<File> {
    let source = Source::new("main.tf", native).expect("a small text");
    let (file, problems) = parse_file(source, &ParseLimits::default());
    (!has_errors(&problems)).then_some(file)
}

/// The JSON syntax of a text, or nothing if it has none.
fn json_of(native: &str, style: JsonStyle) -> Option<String> {
    let file = parsed(native)?;
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (json, problems) = to_json_with(&[file.body()], style, functions(), &mut evaluation);
    problems.is_empty().then_some(json)
}

fn native_of(json: &str, schema: Option<&NestedSchema>, reader: Reader) -> String {
    let source = Source::json("main.tf.json", json).expect("a small text");
    let (file, problems) = parse_json(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{json}: {problems:?}");
    let (native, problems) = to_native_for(&file, schema, reader);
    assert!(problems.is_empty(), "{json}: {problems:?}");
    native
}

/// The contents of bodies of one kind.
fn schema_of(bodies: &[Body<'_>]) -> NestedSchema {
    let mut schema = NestedSchema::default();
    let names: BTreeSet<&str> =
        bodies.iter().flat_map(|body| body.attributes()).map(|item| item.name()).collect();
    for name in names {
        schema.body = schema.body.attribute(name);
    }
    let blocks: Vec<_> = bodies.iter().flat_map(|body| body.blocks()).collect();
    let types: BTreeSet<&str> = blocks.iter().map(|block| block.block_type()).collect();
    for block_type in types {
        let alike = || blocks.iter().filter(|block| block.block_type() == block_type);
        let n_labels = alike().next().map_or(0, |block| block.labels().len());
        schema.body = schema.body.block(block_type, &vec!["label"; n_labels]);
        let inner: Vec<_> = alike().map(|block| block.body()).collect();
        schema.blocks.insert(block_type.to_owned(), schema_of(&inner));
    }
    schema
}

/// The value of every attribute, or its text where it has none without the module; and the blocks, by type and labels.
///
/// In places that are not evaluated a reference in quotes means the same as one without: JSON syntax has its text.
fn outline(body: Body<'_>, place: Place) -> Json {
    let scope = Scope::builder().functions(dialect::terraform()).build();
    let mut items: Vec<(String, Json)> = Vec::new();
    for attribute in body.attributes() {
        let (value, problems) = evaluate(attribute.expression(), Some(&scope), &EvalOptions::default());
        let value = match place.argument(attribute.name()) {
            Reading::Expression | Reading::Literal if has_errors(&problems) => json!("not constant"),
            Reading::Expression | Reading::Literal => json!(describe(&value)),
            _ => json!("not evaluated"),
        };
        items.push((attribute.name().to_owned(), value));
    }
    for block in body.blocks() {
        let labels: Vec<_> = block.labels().map(Label::text).collect();
        items.push((
            format!("{} {labels:?}", block.block_type()),
            outline(block.body(), place.block(block.block_type(), &labels)),
        ));
    }
    // The order of blocks of the same labels is kept.
    items.sort_by(|(a, _), (b, _)| a.cmp(b));
    json!(items)
}

/// The numbers that decide about a module: the generator of Knuth's MMIX.
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

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// Text in which `@kind` stands for something of a kind.
const BLOCKS: [&str; 20] = [
    "variable \"@name\" {\n  type = @type\n  default = @literal\n  description = @text\n  sensitive = @literal\n}\n",
    "variable \"@name\" {\n  type = @type\n  nullable = false\n  validation {\n    condition = @value\n    error_message = @text\n  }\n}\n",
    "output \"@name\" {\n  value = @value\n  depends_on = @list\n  sensitive = true\n  precondition {\n    condition = @value\n    error_message = @text\n  }\n}\n",
    "locals {\n  a = @value\n  b = [{ c = @value }, { c = @value }]\n}\n",
    "resource \"terraform_data\" \"@name\" {\n  input = @value\n  triggers_replace = [{ a = @value }]\n  provider = @address\n  depends_on = @list\n}\n",
    "resource \"t\" \"@name\" {\n  count = @value\n  lifecycle {\n    ignore_changes = @list\n    replace_triggered_by = @list\n    create_before_destroy = true\n  }\n  nested {\n    a = @value\n  }\n}\n",
    "resource \"t\" \"@name\" {\n  lifecycle {\n    ignore_changes = all\n    prevent_destroy = @literal\n    postcondition {\n      condition = @value\n      error_message = @text\n    }\n    action_trigger {\n      events = [after_create]\n      actions = @list\n      condition = @value\n    }\n  }\n}\n",
    "resource \"t\" \"@name\" {\n  provisioner \"local-exec\" {\n    when = destroy\n    on_failure = continue\n    command = @text\n    environment = { A = @value }\n  }\n  provisioner \"file\" {\n    source = @text\n    connection {\n      host = @text\n    }\n  }\n  provisioner \"local-exec\" {\n    command = @text\n  }\n  connection {\n    host = @value\n  }\n}\n",
    "resource \"t\" \"@name\" {\n  for_each = @value\n  dynamic \"rule\" {\n    for_each = [{ a = @value }]\n    iterator = it\n    labels = [@text]\n    content {\n      depends_on = [@value]\n      name = @value\n    }\n  }\n}\n",
    "data \"terraform_remote_state\" \"@name\" {\n  backend = \"local\"\n  config = { path = @value }\n  defaults = [{ a = @value }]\n  provider = @address\n}\n",
    "module \"@name\" {\n  source = @text\n  version = \"~> 1.0\"\n  providers = { aws = aws.second, aws.x = aws }\n  depends_on = @list\n  for_each = @value\n  objects = [{ a = @value }, { a = @value }]\n}\n",
    "moved {\n  from = @address\n  to = @address\n}\n",
    "import {\n  to = @address\n  id = @value\n  provider = @address\n}\n",
    "import {\n  for_each = @value\n  to = @address\n  identity = { a = @value }\n}\n",
    "removed {\n  from = @address\n  lifecycle {\n    destroy = false\n  }\n  provisioner \"local-exec\" {\n    when = destroy\n    command = @text\n  }\n}\n",
    "terraform {\n  required_version = \">= 1.5\"\n  experiments = [x]\n  required_providers {\n    aws = { source = \"a/b\", version = \"$${x}\", configuration_aliases = [aws.x, aws.y] }\n    null = \"1.0\"\n  }\n  backend \"local\" {\n    path = @literal\n  }\n}\n",
    "terraform {\n  cloud {\n    organization = @literal\n    workspaces {\n      tags = [\"$${x}\"]\n    }\n  }\n}\n",
    "provider \"aws\" {\n  alias = \"second\"\n  region = @value\n  assume {\n    role = @value\n  }\n}\n",
    "check \"@name\" {\n  data \"t\" \"x\" {\n    depends_on = @list\n    name = @value\n  }\n  assert {\n    condition = @value\n    error_message = @text\n  }\n}\n",
    "ephemeral \"t\" \"@name\" {\n  provider = @address\n  a = @value\n}\n",
];

/// The texts of a kind.
fn texts(kind: &str) -> &'static [&'static str] {
    match kind {
        "name" => &["a", "b", "a b", "for", "$${x}"],
        "type" => &[
            "string",
            "any",
            "list(string)",
            "map(object({ a = number }))",
            "object({ n = optional(number, 1), m = optional(list(string), []) })",
            "object({\n    n = string\n    m = set(any)\n  })",
            "tuple([string, bool])",
        ],
        "literal" => &[
            "null",
            "true",
            "1.25",
            "\"$${x} %%{if}\"",
            "[{ a = 1 }, { a = \"$${x}\" }]",
            "{ \"$${k}\" = [1, \"two\"], null = null }",
            "[]",
            "{}",
            "\"\"",
        ],
        "text" => &["\"a\"", "\"$${x}\"", "\"a \\\"b\\\"\\n\"", "\"\"", "\"./%%{m}\""],
        "address" => &[
            "t.a",
            "aws.second",
            "t.b[0]",
            "t.b[\"x y\"]",
            "module.m.t.c[\"$${x}\"]",
            "module.m[1].data.t.c",
            "t.b[each.key]",
            "a",
        ],
        "list" => &[
            "[]",
            "[t.a]",
            "[t.a, module.b, var.c[0], t.d[\"x\"].id]",
            "[tags[\"Name\"], t.b[count.index]]",
            "[\n    t.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n    t.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,\n  ]",
        ],
        _ => &[
            "1 + 2",
            "\"x ${var.a} $${y}\"",
            "var.a",
            "toset([\"a\"])",
            "[for x in var.l : x]",
            "{ a = t.b.c, \"d e\" = 1 }",
            "[{ a = 1 }]",
            "t.a[*].id",
            "null",
            "\"t.a\"",
            "<<EOT\n  $${x} ${local.y}\nEOT\n",
            "(\n    1\n    + var.a\n  )",
        ],
    }
}

fn filled(template: &str, chance: &mut Chance) -> String {
    let mut out = String::new();
    let mut pieces = template.split('@');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(piece.len());
        let text = chance.of(texts(&piece[..end]));
        // A heredoc ends its line, which not every place allows.
        let ends_line = piece[end..].starts_with('\n');
        let text = if text.starts_with("<<") && !ends_line { "local.y" } else { text };
        out.push_str(text);
        out.push_str(if text.ends_with('\n') { &piece[end + 1..] } else { &piece[end..] });
    }
    out
}

fn module(number: u64) -> String {
    let mut chance = Chance::new(number);
    let n_blocks = 1 + chance.below(5);
    (0..n_blocks).map(|_| filled(BLOCKS[chance.below(BLOCKS.len())], &mut chance)).collect()
}

/// Returns true if there are names only where the product knows names: elsewhere its JSON syntax has none.
fn has_names_in_place(body: Body<'_>, place: Place) -> bool {
    let scope = Scope::builder().build();
    body.attributes().all(|argument| {
        place.argument(argument.name()) != Reading::Literal
            || !has_errors(&evaluate(argument.expression(), Some(&scope), &EvalOptions::default()).1)
    }) && body.blocks().all(|block| {
        let labels: Vec<_> = block.labels().map(Label::text).collect();
        has_names_in_place(block.body(), place.block(block.block_type(), &labels))
    })
}

/// Returns true if blocks and arguments are told apart without a schema: known blocks have their labels, and no argument
/// has the shape of blocks where shapes decide.
fn is_clear(body: Body<'_>, place: Place, style: JsonStyle) -> bool {
    let (known, others) = place.blocks();
    let n_labels = |name: &str| known.iter().find(|(known, _)| *known == name).map(|(_, n)| *n);
    let are_blocks_clear = body.blocks().all(|block| {
        let labels: Vec<_> = block.labels().map(Label::text).collect();
        let is_known = n_labels(block.block_type()) == Some(labels.len());
        let is_guessed = n_labels(block.block_type()).is_none() && others == Others::ByShape;
        (is_known || is_guessed) && is_clear(block.body(), place.block(block.block_type(), &labels), style)
    });
    let are_arguments_clear = body.attributes().all(|argument| {
        if others == Others::Arguments || place.argument(argument.name()) != Reading::Expression {
            return n_labels(argument.name()).is_none();
        }
        let text = format!("a = {}\n", argument.expression().source_text());
        let json = json_of(&text, style).and_then(|json| serde_json::from_str::<Json>(&json).ok());
        n_labels(argument.name()).is_none() && json.is_some_and(|json| !has_shape_of_blocks(&json["a"]))
    });
    are_blocks_clear && are_arguments_clear
}

/// Returns true if a value has an array of objects in it that is reached by objects alone.
fn has_shape_of_blocks(value: &Json) -> bool {
    match value {
        Json::Array(elements) => !elements.is_empty() && elements.iter().all(Json::is_object),
        Json::Object(entries) => entries.values().any(has_shape_of_blocks),
        _ => false,
    }
}

/// Holds a text of native syntax against what JSON syntax gives back. Returns true if that was possible without a schema
/// too.
fn check_native(name: &str, native: &str, reader: Reader) -> bool {
    let Some(file) = parsed(native) else { return false };
    if !has_names_in_place(file.body(), Place::file(reader)) {
        return false;
    }
    let style = JsonStyle { expressions: Expressions::Evaluated, reader };
    let is_clear = is_clear(file.body(), Place::file(reader), style);
    let schema = schema_of(&[file.body()]);
    let wanted = outline(file.body(), Place::file(reader));
    for expressions in [Expressions::Evaluated, Expressions::Kept] {
        let style = JsonStyle { expressions, reader };
        let Some(json) = json_of(native, style) else { return false };
        for schema in [Some(&schema), None].into_iter().filter(|schema| is_clear || schema.is_some()) {
            let back = native_of(&json, schema, reader);
            let again = json_of(&back, style).unwrap_or_else(|| panic!("{name}:\n{back}\nis not written"));
            assert_eq!(again, json, "{name}:\n{native}\n=> {back}");
            let file = parsed(&back).expect("it has been read before");
            assert_eq!(
                outline(file.body(), Place::file(reader)),
                wanted,
                "{name}:\n{native}\n=> {json}\n=> {back}"
            );
        }
    }
    is_clear
}

#[test]
fn generated_modules_come_back() {
    let mut n_clear = 0;
    for number in 0..n_modules() {
        let native = module(number);
        for reader in [Reader::Terraform, Reader::OpenTofu] {
            n_clear += u64::from(check_native(&number.to_string(), &native, reader));
        }
    }
    assert!(n_clear > n_modules(), "{n_clear}");
}

/// Strings in places that are read without being evaluated, among them some that are no references.
const STRINGS: [&str; 30] = [
    "t.a",
    "t.b[0]",
    "t.b[\"x\"]",
    "all",
    "list(string)",
    "object({ a = number })",
    "a.0.b",
    "t.b[each.key].id",
    "",
    " ",
    "a b",
    " a",
    "a ",
    "a\n.b",
    "(a\n)",
    "null",
    "true",
    "1",
    "-1",
    "[a]",
    "{}",
    "\"q\"",
    "${x}",
    "$${x}",
    "%{ if x }",
    "for",
    "a /* b */",
    "a # b",
    "<<E\nx\nE\n",
    "\u{e9}.\u{fc}",
];

/// A value in a place of a kind.
fn placed(chance: &mut Chance, depth: usize) -> Json {
    let text = json!(chance.of(&STRINGS));
    match chance.below(if depth > 1 { 6 } else { 10 }) {
        0..=3 => text,
        4 => json!([text, chance.of(&STRINGS)]),
        5 => [Json::Null, json!(true), json!(7), json!([]), json!({})][chance.below(5)].clone(),
        6 => json!({ "aws": text, "aws.x": placed(chance, depth + 1), "for": chance.of(&STRINGS) }),
        7 => json!([placed(chance, depth + 1)]),
        8 => json!([{ "a": text }]),
        _ => json!({ "a b": text, "configuration_aliases": placed(chance, depth + 1) }),
    }
}

/// A string that is a template wherever it is one, so that it comes back as it is.
fn is_template(value: &Json) -> bool {
    match value {
        Json::String(text) => !["${x}", "%{ if x }"].contains(&text.as_str()),
        Json::Array(elements) => elements.iter().all(is_template),
        Json::Object(entries) => entries.values().all(is_template),
        _ => true,
    }
}

#[test]
fn strings_in_places_that_are_not_evaluated_stay_what_they_are() {
    let mut n_static = 0;
    for number in 0..n_modules() * 4 {
        let mut chance = Chance::new(number);
        let value = placed(&mut chance, 0);
        let module = match chance.below(14) {
            0 => json!({"variable": {"a": [{"type": value}]}}),
            1 => json!({"variable": {"a": [{"default": value}]}}),
            2 => json!({"resource": {"t": {"a": [{"provider": value}]}}}),
            3 => json!({"resource": {"t": {"a": [{"depends_on": value}]}}}),
            4 => json!({"resource": {"t": {"a": [{"lifecycle": [{"ignore_changes": value}]}]}}}),
            5 => json!({"resource": {"t": {"a": [{"lifecycle": [{"replace_triggered_by": value}]}]}}}),
            6 => json!({"module": {"m": [{"providers": value}]}}),
            7 => json!({"moved": [{"from": value, "to": "t.a"}]}),
            8 => json!({"removed": [{"from": value}]}),
            9 => json!({"import": [{"to": value}]}),
            10 => json!({"terraform": [{"required_providers": [{"aws": value}]}]}),
            11 => json!({"output": {"a": [{"description": value}]}}),
            12 => json!({"provider": {"a": [{"alias": value}]}}),
            _ => json!({"resource": {"t": {"a": [{"dynamic": {"r": [{"iterator": value}]}}]}}}),
        };
        // A value that such places can't have is read as an expression, in which a sequence is evaluated.
        if !is_template(&value) && (!value.is_string() || module.get("module").is_some()) {
            continue;
        }
        let native = native_of(&module.to_string(), None, Reader::Terraform);
        let style = JsonStyle { expressions: Expressions::Kept, reader: Reader::Terraform };
        let back = json_of(&native, style).unwrap_or_else(|| panic!("{module}:\n{native}"));
        let back: Json = serde_json::from_str(&back).expect("it is JSON");
        assert_eq!(back, module, "{native}");
        n_static += 1;
    }
    assert!(n_static > n_modules());
}

fn tree(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the tree").flatten() {
        let path = entry.path();
        if path.is_dir() { files_under(&path, found) } else { found.push(path) }
    }
}

/// The modules of the corpora and of the tree: names, texts, and how they are read.
fn corpora() -> BTreeSet<(String, String, bool)> {
    let mut texts = BTreeSet::new();
    for corpus in ["modules.jsonl", "modules_opentofu.jsonl", "modules_validate.jsonl"] {
        let lines = fs::read_to_string(tree("conformance").join(corpus)).expect("a corpus");
        for line in lines.lines() {
            let case: Json = serde_json::from_str(line).expect("a case is JSON");
            for (name, text) in case["files"].as_object().into_iter().flatten() {
                texts.insert((
                    name.clone(),
                    text.as_str().unwrap_or_default().to_owned(),
                    corpus.contains("tofu"),
                ));
            }
        }
    }
    let mut files = Vec::new();
    for folder in ["twins", "projects", "../examples"] {
        files_under(&tree(folder), &mut files);
    }
    for path in files {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.display().to_string();
        let is_tofu = name.contains("tofu");
        texts.insert((name, text, is_tofu));
    }
    texts
}

#[test]
fn modules_of_the_corpora_come_back() {
    let (mut n_native, mut n_json) = (0, 0);
    for (name, text, is_tofu) in corpora() {
        let product = if is_tofu { Reader::OpenTofu } else { Reader::Terraform };
        let has = |ending: &str| name.ends_with(ending);
        let is_values = has(".tfvars") || has(".tfvars.json");
        let reader = if is_values { Reader::Values } else { product };
        if has(".tf") || has(".tofu") || has(".tfvars") {
            n_native += usize::from(check_native(&name, &text, reader));
        } else if has(".tf.json") || has(".tofu.json") || has(".tfvars.json") {
            let source = Source::json(&name, &text).expect("a small text");
            let (file, problems) = parse_json(source, &ParseLimits::default());
            if !problems.is_empty() {
                continue;
            }
            let (native, problems) = to_native_for(&file, None, reader);
            if problems.is_empty() {
                n_json += usize::from(check_native(&name, &native, reader));
            }
        }
    }
    assert!(n_native > 450 && n_json > 20, "{n_native} {n_json}");
}
