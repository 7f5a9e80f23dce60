//! Checks of a job that need no Nomad: numbers, durations, and the names in `env` and `meta`.

use hcl_eval::convert::convert;
use hcl_eval::dynamic::Attribute;
use hcl_eval::eval::Evaluation;
use hcl_eval::evaluated::{EvaluatedBody, EvaluatedItem, Inside, Layout};
use hcl_eval::types::Type;
use hcl_eval::value::{Kind, Value};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::source::{Source, Span};

use super::error;
use super::layout;
use crate::place::Place;

/// The arguments of blocks that are durations, as the pages of the job specification name them. `layout` tells which of
/// the pages are those of release 2.0.
const DURATIONS: &[(&str, &[&str])] = &[
    ("change_script", &["timeout"]),
    ("check", &["interval", "timeout"]),
    ("check_restart", &["grace"]),
    ("csi_plugin", &["health_timeout"]),
    ("disconnect", &["lost_after", "stop_on_client_after"]),
    (
        "group",
        &["max_client_disconnect", "max_run_duration", "shutdown_delay", "stop_after_client_disconnect"],
    ),
    ("identity", &["ttl"]),
    ("migrate", &["healthy_deadline", "min_healthy_time"]),
    ("proxy", &["connect_timeout"]),
    ("reschedule", &["delay", "interval", "max_delay"]),
    ("restart", &["delay", "interval"]),
    ("sidecar_task", &["kill_timeout", "shutdown_delay"]),
    ("task", &["kill_timeout", "shutdown_delay"]),
    ("template", &["splay", "vault_grace"]),
    ("update", &["healthy_deadline", "min_healthy_time", "progress_deadline", "stagger"]),
    ("wait", &["max", "min"]),
];

/// The arguments of blocks that are numbers, from the same pages.
const NUMBERS: &[(&str, &[&str])] = &[
    ("affinity", &["weight"]),
    ("check_restart", &["limit"]),
    ("device", &["count"]),
    ("ephemeral_disk", &["size"]),
    ("group", &["count"]),
    ("job", &["priority"]),
    ("logs", &["max_file_size", "max_files"]),
    ("migrate", &["max_parallel"]),
    ("port", &["static", "to"]),
    ("reschedule", &["attempts"]),
    ("resources", &["cores", "cpu", "memory", "memory_max", "secrets"]),
    ("restart", &["attempts"]),
    ("scaling", &["max", "min"]),
    ("spread", &["weight"]),
    ("target", &["percent"]),
    ("update", &["canary", "max_parallel"]),
    ("upstreams", &["local_bind_port"]),
];

/// True if a table has an argument of a block.
fn lists(table: &[(&str, &[&str])], block_type: &str, name: &str) -> bool {
    table.iter().any(|(listed, names)| *listed == block_type && names.contains(&name))
}

/// Reports problems with the bodies of a job's file, whatever the values of its variables.
pub(super) fn problems(file: &EvaluatedBody, evaluation: &mut Evaluation<'_>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let mut pending: Vec<(&str, &EvaluatedBody, &[Layout])> = vec![("", file, layout::FILE)];
    while let Some((block_type, body, layout)) = pending.pop() {
        look_at(block_type, body, layout, &mut diagnostics, evaluation);
        let known = body.blocks().filter_map(|block| {
            let block_type = block.block_type.as_str();
            Some((block_type, &block.body, layout_inside(layout, block_type)?))
        });
        let mut inside: Vec<_> = known.collect();
        inside.reverse();
        pending.extend(inside);
    }
    diagnostics
}

/// The blocks that a block of a type may have, in a body of the layout. Nothing can be said of what is in blocks that are
/// not listed, or whose names are free.
fn layout_inside(layout: &[Layout], block_type: &str) -> Option<&'static [Layout]> {
    match layout.iter().find(|known| known.block_type == block_type)?.inside {
        Inside::Blocks(inside) => Some(inside),
        Inside::Anything => None,
    }
}

/// Checks the arguments of one body and the entries of its `env` and `meta`.
fn look_at(
    block_type: &str,
    body: &EvaluatedBody,
    layout: &[Layout],
    diagnostics: &mut Diagnostics,
    evaluation: &mut Evaluation<'_>,
) {
    // Where `env` and `meta` stood first, as a block or as an argument.
    let mut first: Vec<(&str, Place)> = Vec::new();
    let mut once = |name: &'static str, place: Place, diagnostics: &mut Diagnostics| match first
        .iter()
        .find(|(known, _)| *known == name)
    {
        Some((_, first)) => diagnostics.push(error::map_twice(name, &first.range(), &place)),
        None => first.push((name, place)),
    };
    for item in &body.items {
        if !evaluation.may_report(diagnostics) {
            break;
        }
        match item {
            EvaluatedItem::Attribute(attribute, value) => {
                let name = attribute.written().name();
                if let Some(name) = name_of_map(layout, name) {
                    once(name, Place::of_name(attribute.written()), diagnostics);
                    entries(name, attribute, value, diagnostics, evaluation);
                } else {
                    argument(block_type, attribute, value, diagnostics, evaluation);
                }
            }
            EvaluatedItem::Block(block) => {
                let Some(name) = name_of_map(layout, &block.block_type) else { continue };
                once(name, Place::new(&block.source, block.definition_span), diagnostics);
                for item in &block.body.items {
                    if !evaluation.may_report(diagnostics) {
                        break;
                    }
                    if let EvaluatedItem::Attribute(attribute, value) = item
                        && let Some(problem) = problem_of_entry(value)
                    {
                        let expression = attribute.expression();
                        let place = place(expression.source(), expression.span());
                        let key = attribute.written().name();
                        diagnostics.push(error::entry_is_no_text(name, key, problem, &place));
                    }
                }
            }
        }
    }
}

fn place(source: &Source, span: Span) -> Place {
    Place::new(source, span)
}

/// The blocks whose entries are texts, of which a body has one. In other bodies such a name is an argument like any
/// other: the `env` of a template is true or false.
fn name_of_map(layout: &[Layout], name: &str) -> Option<&'static str> {
    let is_map = |name: &&str| {
        layout.iter().any(|known| known.block_type == *name && matches!(known.inside, Inside::Anything))
    };
    ["env", "meta"].into_iter().find(|known| *known == name).filter(is_map)
}

/// Checks an argument `env` or `meta`, which is an object of texts.
fn entries(
    name: &str,
    attribute: &Attribute,
    value: &Value,
    diagnostics: &mut Diagnostics,
    evaluation: &mut Evaluation<'_>,
) {
    let place = Place::of(&attribute.expression());
    if !matches!(value.kind(), Kind::Map | Kind::Object | Kind::Unknown) {
        let problem = format!("texts by name are needed, and this is {}", kind_of(value));
        diagnostics.push(error::unsuitable(name, &problem, &place));
    }
    for (key, value) in value.entries().into_iter().flatten() {
        if !evaluation.may_report(diagnostics) {
            break;
        }
        if let Some(problem) = problem_of_entry(value) {
            diagnostics.push(error::entry_is_no_text(name, key, problem, &place));
        }
    }
}

/// The type of a value in a message.
fn kind_of(value: &Value) -> String {
    if value.is_null() { "null".to_owned() } else { value.type_name() }
}

/// The kind of a value that does not become a text; nothing for one that does, or is unknown.
fn problem_of_entry(value: &Value) -> Option<&'static str> {
    match value.kind() {
        Kind::Null => Some("null"),
        Kind::List | Kind::Set | Kind::Tuple => Some("a list"),
        Kind::Map | Kind::Object => Some("an object"),
        _ => None,
    }
}

/// Checks an argument that is a number or a duration.
fn argument(
    block_type: &str,
    attribute: &Attribute,
    value: &Value,
    diagnostics: &mut Diagnostics,
    evaluation: &mut Evaluation<'_>,
) {
    let name = attribute.written().name();
    let problem = if lists(DURATIONS, block_type, name) {
        problem_of_duration(value, evaluation)
    } else if lists(NUMBERS, block_type, name) {
        convert(value, &Type::Number).err().map(|problem| problem.reason())
    } else {
        None
    };
    if let Some(problem) = problem {
        diagnostics.push(error::unsuitable(name, &problem, &Place::of(&attribute.expression())));
    }
}

/// Says what is wrong with a duration, which is a text of Go's durations or a number of nanoseconds.
fn problem_of_duration(value: &Value, evaluation: &mut Evaluation<'_>) -> Option<String> {
    match value.kind() {
        Kind::Unknown | Kind::Number => None,
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            let detail = "a duration is a number of nanoseconds, or a text such as \"1h30m\", and this is";
            let is_wrong = evaluation.duration(text).is_none() && !evaluation.stopped();
            is_wrong.then(|| format!("{detail} {text:?}"))
        }
        Kind::Null => Some("a duration is needed, and this is null".to_owned()),
        _ => Some(format!("a duration is needed, and this is {}", value.type_name())),
    }
}
