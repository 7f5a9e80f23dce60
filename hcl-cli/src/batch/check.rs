//! `hcl check --jsonl`: the diagnostics of a source, and its structure as far as it was understood.
//!
//! Ranges are those of tokens and expressions as the tree has them, so that a program can hold another parser against
//! this one.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_syntax::ast::{Attribute, Block, Body, Label};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::{JsonFile, JsonProperty, JsonValue, parse_json};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::{Grammar, Pos, Source};
use serde::{Deserialize, Serialize};

use super::{invalid, read, refuse};
use crate::answer::{Json, diagnostics_json, range_json, to_json};

#[derive(Deserialize)]
#[serde(
    expecting = "an object with the key \"source\" or \"source_base64\", and with \"id\" or \"syntax\" at need"
)]
/// A source to be parsed.
struct Request {
    /// The source as a text. It counts more than `source_base64`.
    source: Option<String>,
    /// The source as bytes, which need not be UTF-8.
    source_base64: Option<String>,
    /// Handed back with the answer.
    id: Option<Json>,
    #[serde(default)]
    syntax: Syntax,
}

/// The syntax of the source.
#[derive(Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Syntax {
    #[default]
    Native,
    Json,
}

/// The answer to a request. A source with errors is answered like any other.
#[derive(Serialize)]
struct Answer<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    diagnostics: Json,
    /// The body of the file, in which placeholders stand where errors are.
    body: BodyJson<'t>,
}

/// A body; attributes and blocks each in the order of the text.
#[derive(Serialize)]
struct BodyJson<'t> {
    attributes: Vec<AttributeJson<'t>>,
    blocks: Vec<BlockJson<'t>>,
}

/// An attribute, with its expression as it is written.
#[derive(Serialize)]
struct AttributeJson<'t> {
    name: &'t str,
    range: Json,
    name_range: Json,
    expr_range: Json,
    expr: String,
}

/// A block.
#[derive(Serialize)]
struct BlockJson<'t> {
    #[serde(rename = "type")]
    block_type: &'t str,
    labels: Vec<&'t str>,
    range: Json,
    type_range: Json,
    label_ranges: Vec<Json>,
    open_brace_range: Json,
    close_brace_range: Json,
    body: BodyJson<'t>,
}

/// Answers one request.
pub fn answer(line: &str) -> String {
    let request: Request = match read(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    let source = match source(&request) {
        Ok(source) => source,
        Err(diagnostics) => return refuse(request.id, &diagnostics),
    };
    if request.syntax == Syntax::Json {
        let (file, diagnostics) = parse_json(source, &ParseLimits::default());
        return to_json(&Answer {
            id: request.id,
            diagnostics: diagnostics_json(&diagnostics),
            body: json_body(&file),
        });
    }
    let (file, diagnostics): (_, Diagnostics) = parse_file(source, &ParseLimits::default());
    to_json(&Answer {
        id: request.id,
        diagnostics: diagnostics_json(&diagnostics),
        body: body(file.source(), file.body()),
    })
}

/// The source of a request, under the name that its diagnostics have. The error is about the request.
fn source(request: &Request) -> Result<Source, Diagnostics> {
    let bytes = match (&request.source, &request.source_base64) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(encoded)) => BASE64_STANDARD
            .decode(encoded)
            .map_err(|error| invalid(format!("\"source_base64\" is not valid base64: {error}.")))?,
        (None, None) => {
            return Err(invalid("The request has neither \"source\" nor \"source_base64\"."));
        }
    };
    let (name, grammar) = match request.syntax {
        Syntax::Native => ("main.hcl", Grammar::Config),
        Syntax::Json => ("main.json", Grammar::Json),
    };
    let source = Source::with_grammar(name, bytes, grammar, Pos::START);
    source.map_err(|error| invalid(format!("{error}.")))
}

/// The properties of the root, or of all objects in it. Which of them are blocks only a schema can tell,
/// so all are attributes here.
fn json_body(file: &JsonFile) -> BodyJson<'_> {
    let root = file.root();
    let objects = [root].into_iter().chain(root.elements());
    let attributes = objects.flat_map(JsonValue::properties).filter(|property| property.name() != "//");
    BodyJson {
        attributes: attributes.map(|property| json_attribute(file.source(), property)).collect(),
        blocks: Vec::new(),
    }
}

/// A property of JSON syntax as an attribute.
fn json_attribute<'t>(source: &Source, property: JsonProperty<'t>) -> AttributeJson<'t> {
    let value = property.value().span();
    AttributeJson {
        name: property.name(),
        range: range_json(source, property.span()),
        name_range: range_json(source, property.name_span()),
        expr_range: range_json(source, value),
        expr: source.display(value).into_owned(),
    }
}

/// A body of native syntax.
fn body<'t>(source: &Source, body: Body<'t>) -> BodyJson<'t> {
    BodyJson {
        attributes: body.attributes().map(|item| attribute(source, item)).collect(),
        blocks: body.blocks().map(|item| block(source, item)).collect(),
    }
}

/// An attribute of native syntax.
fn attribute<'t>(source: &Source, attribute: Attribute<'t>) -> AttributeJson<'t> {
    let expression = attribute.expression().span();
    AttributeJson {
        name: attribute.name(),
        range: range_json(source, attribute.span()),
        name_range: range_json(source, attribute.name_span()),
        expr_range: range_json(source, expression),
        expr: source.display(expression).into_owned(),
    }
}

/// A block, whose range is that of its header.
fn block<'t>(source: &Source, block: Block<'t>) -> BlockJson<'t> {
    BlockJson {
        block_type: block.block_type(),
        labels: block.labels().map(Label::text).collect(),
        range: range_json(source, block.definition_span()),
        type_range: range_json(source, block.type_span()),
        label_ranges: block.labels().map(|label| range_json(source, label.span())).collect(),
        open_brace_range: range_json(source, block.open_span()),
        close_brace_range: range_json(source, block.close_span()),
        body: body(source, block.body()),
    }
}
