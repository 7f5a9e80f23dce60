//! JSON syntax read by a schema: `json`.

use std::sync::Arc;

use hcl_cli::batch::eval::describe;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate, evaluate_config};
use hcl_syntax::config::{ConfigBody, Content, ContentAttribute};
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::schema::{AttributeSchema, BlockSchema, BodySchema};
use hcl_syntax::source::Source;
use serde_json::{Map, Value as Json, json};

use super::Verdict;
use super::judge::{Closeness, diagnostics_agree, is_true, list, same, string};

/// The diagnostics of parsing, of the content and of all evaluations agree, and so do the values.
pub(super) fn judge(case: &Json) -> Verdict {
    match read(case) {
        Ok((diagnostics, content)) => {
            let mut text = String::from("{\"diagnostics\":");
            write_diagnostics(&diagnostics, FileNames::Omitted, &mut text);
            text.push('}');
            let answer: Json = serde_json::from_str(&text).unwrap_or_default();
            let agreed = diagnostics_agree(case, &answer, Closeness::Starts).and_then(|()| {
                if same(&content, &case["content"]) {
                    Ok(())
                } else {
                    Err(format!("content {content} wanted {}", case["content"]))
                }
            });
            Verdict::of(agreed).and_strictly(|| diagnostics_agree(case, &answer, Closeness::Ranges))
        }
        Err(problem) => Verdict::Differs(problem),
    }
}

fn read(case: &Json) -> Result<(Diagnostics, Json), String> {
    let source = Source::json("main.json", string(case, "source")).map_err(|error| error.to_string())?;
    let scope = scope(case)?;
    let (file, mut diagnostics) = parse_json(source, &ParseLimits::default());
    let (content, more) = ConfigBody::from(&file).content(&schema(&case["schema"]));
    diagnostics.extend(more);
    let answer = outline(&content, &scope, &mut diagnostics);
    Ok((diagnostics, answer))
}

fn schema(schema: &Json) -> BodySchema {
    let attribute = |attribute: &Json| AttributeSchema {
        name: string(attribute, "name").to_owned(),
        required: is_true(attribute, "required"),
    };
    let block = |block: &Json| BlockSchema {
        block_type: string(block, "type").to_owned(),
        label_names: list(block, "labels").iter().filter_map(Json::as_str).map(str::to_owned).collect(),
    };
    BodySchema {
        attributes: list(schema, "attributes").iter().map(attribute).collect(),
        blocks: list(schema, "blocks").iter().map(block).collect(),
    }
}

/// The variables of a case; there are no functions.
fn scope(case: &Json) -> Result<Arc<Scope>, String> {
    let makers = Scope::builder().functions(dialect::makers()).build();
    let mut builder = Scope::builder().variables_allowed();
    for (name, text) in case["vars"].as_object().into_iter().flatten() {
        let source =
            Source::new(name, text.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
        let (parsed, mut problems) = parse_expression(source, &ParseLimits::default());
        let (value, more) = evaluate(parsed.expression(), Some(&makers), &EvalOptions::default());
        problems.extend(more);
        if has_errors(&problems) {
            return Err(format!("{text}: {}", problems[0]));
        }
        builder = builder.variable(name, value);
    }
    Ok(builder.build())
}

/// The values of the attributes, and the blocks with those of theirs.
fn outline(content: &Content, scope: &Scope, diagnostics: &mut Diagnostics) -> Json {
    let attributes: Vec<_> = content.attributes.iter().cloned().collect();
    let attributes = values(&attributes, scope, diagnostics);
    let mut blocks = Vec::new();
    for block in &content.blocks {
        let (attributes, more) = block.body().just_attributes();
        diagnostics.extend(more);
        let attributes = values(&attributes, scope, diagnostics);
        let labels: Vec<_> = block.labels().map(|label| label.text).collect();
        blocks.push(json!({"type": block.block_type(), "labels": labels, "body_attributes": attributes}));
    }
    json!({"attributes": attributes, "blocks": blocks})
}

/// The values of the attributes that are known after a successful evaluation; what made no sense is not.
fn values(
    attributes: &[ContentAttribute],
    scope: &Scope,
    diagnostics: &mut Diagnostics,
) -> Map<String, Json> {
    let mut values = Map::new();
    for attribute in attributes {
        let (value, problems) =
            evaluate_config(&attribute.expression(), Some(scope), &EvalOptions::default());
        if !has_errors(&problems) {
            let answer: Json = serde_json::from_str(&describe(&value)).unwrap_or_default();
            values.extend(answer.get("value").map(|value| (attribute.name().to_owned(), value.clone())));
        }
        diagnostics.extend(problems);
    }
    values
}
