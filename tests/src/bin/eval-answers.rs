//! Evaluates texts in many ways and prints the answers: a line of base64 in, a line of answers out.
//!
//! Each text is an expression, a template, and the value of a property in JSON syntax; each is evaluated once and
//! prepared, with and without a scope, with names left as text, within narrow limits, and explained. The names that a
//! text uses have values, made from the names: known, unknown, refined, null, marked, deep. `make compare-eval` builds
//! this file in two trees, so it uses nothing but the crates that are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufWriter, Write};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_eval::Str;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Frame, Scope, ScopeBuilder, evaluate};
use hcl_eval::explain::ExplainOptions;
use hcl_eval::limits::{Limits, Usage};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::Type;
use hcl_eval::value::{Mark, Number, Refinement, Value};
use hcl_syntax::ast::{Expression, SharedTree, StepKind, variables};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_template};
use hcl_syntax::source::Source;

/// Longer parts of an answer are told by their digest.
const LONGEST: usize = 400;
/// How deep the values go that are made for names.
const DEEPEST: usize = 6;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text = BASE64_STANDARD.decode(line?.trim()).map_err(io::Error::other)?;
        writeln!(out, "{}", answer(&text))?;
    }
    out.flush()
}

/// The answers about a text, each evaluation behind a tab.
fn answer(text: &[u8]) -> String {
    let mut out = String::new();
    let limits = ParseLimits::default();
    if let Ok(source) = Source::new("text", text) {
        let (parsed, _) = parse_expression(source, &limits);
        ask(parsed.tree(), parsed.expression(), &mut out);
    }
    if text.windows(2).any(|pair| pair == b"${" || pair == b"%{")
        && let Ok(source) = Source::new("text", text)
    {
        let (parsed, _) = parse_template(source, &limits);
        ask(parsed.tree(), parsed.expression(), &mut out);
    }
    if text.first() == Some(&b'{') {
        ask_json(text, &mut out);
    }
    out
}

fn ask_json(text: &[u8], out: &mut String) {
    let Ok(source) = Source::json("text.json", text) else { return };
    let (file, _) = hcl_syntax::json::parse_json(source, &ParseLimits::default());
    for attribute in &ConfigBody::from(&file).just_attributes().0 {
        let expression = attribute.expression();
        let scope = Scope::builder().functions(dialect::by_name("terraform").unwrap_or_default()).build();
        for scope in [Some(&*scope), None] {
            let mut evaluation = Evaluation::new(&EvalOptions::default());
            let answer = evaluation.evaluate(&expression, scope);
            tell(out, "json", &answer, Some(&evaluation.usage()));
        }
    }
}

/// Evaluates an expression in all ways.
fn ask(tree: &SharedTree, expression: Expression<'_>, out: &mut String) {
    let names = names_of(expression);
    let usual = || Scope::builder().dialect("terraform").unwrap_or_else(Scope::builder);
    let few = Limits { max_steps: 40, max_elements: 30, ..Limits::default() };
    let flat = Limits { max_depth: 4, max_output_bytes: 40, max_diagnostics: 2, ..Limits::default() };
    let usual_limits = Limits { max_steps: 1_000_000, max_elements: 100_000, ..Limits::default() };
    for (what, builder, limits) in [
        ("usual", usual(), usual_limits.clone()),
        ("few", usual(), few),
        ("flat", usual(), flat),
        ("left", usual().leave_unknown_interpolations(), usual_limits.clone()),
        ("runtime", usual().runtime_references(), usual_limits),
    ] {
        let knows_all = !matches!(what, "left" | "runtime");
        let (scope, slots) = scope_of(builder, &names, knows_all);
        let mut frame = Frame::with_limits(&scope, limits);
        slots.into_iter().for_each(|(slot, value)| frame.set(slot, Some(value)));
        let once = frame.evaluate(expression, &scope);
        tell(out, what, &once, Some(&frame.used()));
        if matches!(what, "few" | "flat") {
            continue;
        }
        let options = CompileOptions::default();
        let (program, problems) =
            Program::compile(tree.clone(), expression.id(), Arc::clone(&scope), &options);
        let _ = write!(out, "\t{what} compiled {:?} {}", program.needs(), said(&problems));
        if let Some(constant) = program.constant() {
            let _ = write!(out, " constant {}", shortened(&format!("{constant:?}")));
        }
        for _ in 0..2 {
            let prepared = program.evaluate(&mut frame);
            tell(out, "prepared", &prepared, None);
        }
        let bounds = ExplainOptions::default();
        let (value, problems, explanation) = frame.explain(expression, &scope, &bounds);
        let _ = write!(out, "\texplained {}", shortened(&explanation.to_json()));
        tell(out, "explained", &(value, problems), Some(&frame.used()));
    }
    tell(out, "bare", &evaluate(expression, None, &EvalOptions::default()), None);
}

fn tell(out: &mut String, what: &str, (value, problems): &(Value, Diagnostics), used: Option<&Usage>) {
    let _ = write!(out, "\t{what} {} {}", shortened(&format!("{value:?}")), said(problems));
    if let Some(used) = used {
        let _ = write!(out, " {used:?}");
    }
}

/// All of some diagnostics.
fn said(problems: &Diagnostics) -> String {
    let mut out = String::new();
    for problem in problems {
        let values: Vec<_> =
            problem.values.iter().map(|value| (&value.expression, &value.description)).collect();
        let _ = write!(
            out,
            "[{} {}|{}|{:?}|{:?}|{values:?}]",
            problem.code, problem.summary, problem.detail, problem.subject, problem.context
        );
    }
    shortened(&out.replace(['\n', '\t', '\r'], " "))
}

/// A text on one line; the digest of a long one.
fn shortened(text: &str) -> String {
    if text.len() > 4 * LONGEST {
        let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        return format!(
            "{}… {} bytes, {digest:016x}",
            text[..text.floor_char_boundary(LONGEST)].replace(['\n', '\t', '\r'], " "),
            text.len()
        );
    }
    text.replace(['\n', '\t', '\r'], " ")
}

/// The attributes that a text asks of a name, and so on.
#[derive(Default)]
struct Wanted(BTreeMap<String, Wanted>);

fn names_of(expression: Expression<'_>) -> Wanted {
    let mut names = Wanted::default();
    for traversal in variables(expression).into_iter().take(64) {
        let mut at = names.0.entry(traversal.root().to_owned()).or_default();
        for step in traversal.steps().iter().take(DEEPEST) {
            let StepKind::Attribute(name) = step.kind else { break };
            at = at.0.entry(name.to_owned()).or_default();
        }
    }
    names
}

/// A scope that knows the names, some as constants, some as slots; not every one unless `knows_all`.
fn scope_of(mut builder: ScopeBuilder, names: &Wanted, knows_all: bool) -> (Arc<Scope>, Vec<(usize, Value)>) {
    let mut slots = Vec::new();
    for (name, wanted) in &names.0 {
        let number = number_of(name);
        if !knows_all && number.is_multiple_of(3) {
            continue;
        }
        let value = value_of(wanted, number);
        if number.is_multiple_of(2) {
            builder = builder.variable(name, value);
        } else {
            let slot = builder.slot(name);
            // One in 16 has no value.
            if number % 16 != 1 {
                slots.push((slot, value));
            }
        }
    }
    (builder.build(), slots)
}

fn number_of(name: &str) -> u32 {
    let sum =
        name.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    sum ^ (sum >> 15)
}

/// An object of the attributes that are asked for, or a value that the number chooses.
fn value_of(wanted: &Wanted, number: u32) -> Value {
    let value =
        match wanted.0.is_empty() {
            true => chosen(number),
            false if number % 29 == 5 => chosen(number),
            false => {
                let attributes = wanted.0.iter();
                object(attributes.map(|(name, below)| {
                    (name.as_str(), value_of(below, number_of(name).wrapping_add(number)))
                }))
            }
        };
    if number % 23 == 7 { value.mark(Mark::sensitive()) } else { value }
}

fn chosen(number: u32) -> Value {
    let text = |text: &str| Value::string(text);
    let records = || {
        let record = |name: &str, size: i64| {
            object([
                ("name", text(name)),
                ("size", Value::int(size)),
                ("zone", text(if size % 2 == 0 { "a" } else { "b" })),
            ])
        };
        vec![record("one", 1), record("two", 2), record("three", 3)]
    };
    match (number >> 8) % 22 {
        0 => text("text"),
        1 => Value::int(3),
        2 => Value::bool(true),
        3 => Value::bool(false),
        4 => Value::null(Type::Dynamic),
        5 => Value::null(Type::String),
        6 => Value::dynamic(),
        7 => Value::unknown(Type::String),
        8 => {
            Value::unknown_refined(Type::Number, Refinement::new().not_null().min(Number::from_u64(2), true))
        }
        9 => Value::unknown(Type::list(Type::String)),
        10 => Value::unknown(Type::Bool),
        11 => Value::tuple(records()),
        12 => Value::tuple(vec![text("a"), text("b"), text("c")]),
        13 => Value::list(Type::String, vec![text("x"), text("y")]),
        14 => Value::tuple(vec![Value::int(1), text("two"), Value::null(Type::Dynamic)]),
        15 => object([("a", Value::int(1)), ("b", text("b")), ("id", text("7"))]),
        16 => Value::string("12.5"),
        17 => Value::list(Type::Number, vec![Value::int(5), Value::int(6)]).mark(Mark::sensitive()),
        18 => Value::tuple(vec![text("s").mark(Mark::sensitive()), text("t")]),
        19 => Value::list(Type::Dynamic, Vec::new()),
        20 => text("true"),
        _ => Value::int(-7),
    }
}

fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Value)>) -> Value {
    Value::object(attributes.into_iter().map(|(name, value)| (Str::from(name.as_ref()), value)).collect())
}
