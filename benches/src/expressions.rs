//! Expressions: compiled programs and one-shot evaluation beside hcl-rs, in time and in allocations.

use std::hint::black_box;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::program::{CompileOptions, Program};
use hcl_rs::eval::{Context, Evaluate as _};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;

use crate::allocation;
use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::context;
use crate::hcl_rs_functions;
use crate::report::{Report, figure, geometric_mean, nanos, ratio};

/// Name and text; what they use of `var` is in [`context`].
const EXPRESSIONS: [(&str, &str); 18] = [
    ("const_arith", "1 + 2 * 3"),
    ("traversal", "var.a.b.c"),
    ("bool_cmp", r#"var.env == "prod" && var.count > 3"#),
    ("conditional", r#"var.env == "prod" ? var.count * 2 : 1"#),
    ("template5", r#""${var.prefix}-${var.region}-${var.env}-${var.count}.${var.a.b.c}""#),
    ("for_upper_10", r#"[for s in var.list10 : upper(s) if s != ""]"#),
    ("for_upper_1000", r#"[for s in var.list1000 : upper(s) if s != ""]"#),
    ("for_nested_10x10", r#"[for a in var.list10 : [for b in var.list10 : "${a}/${b}"]]"#),
    ("for_group_1000", "{ for o in var.objs1000 : o.zone => o.name... }"),
    ("for_filter_1000", "[for o in var.objs1000 : o.size * 1.5 if o.enabled && o.size > 100]"),
    ("splat_1000", "var.objs1000[*].name"),
    ("index_map1000", r#"var.map1000["key500"]"#),
    ("join_1000", r#"join(",", var.list1000)"#),
    ("format", r#"format("%s-%04d", var.prefix, var.count)"#),
    ("merge", r#"merge(var.tags, { Name = "x", env = var.env })"#),
    (
        "object_8",
        r#"{ name = var.prefix, env = var.env, region = var.region, n = var.count, a = 1, b = true, c = [1, 2, 3], d = "${var.env}-x" }"#,
    ),
    (
        "directives_10",
        r#""%{ for o in var.objs10 ~}${o.name}=${o.size};%{ endfor ~}%{ if var.count > 3 }yes%{ else }no%{ endif }""#,
    ),
    (
        "num_20ops",
        "((var.count * 3.25 + 17) / 7 - 2) * (var.count % 3 + 1) + ((var.count - 1.5) * (var.count + 2.5) / 3 + 9) * 4 - (var.count * var.count + 0.1) / (var.count + 0.2) + 1 - 2 * 3",
    ),
];

/// What all evaluations of libhcl share.
struct Ours {
    scope: Arc<Scope>,
    frame: Frame,
}

impl Ours {
    fn new() -> Self {
        let functions = dialect::by_name("terraform").expect("the dialect is built in");
        let mut scope = Scope::builder().functions(functions);
        let slot = scope.slot("var");
        let scope = scope.build();
        let mut frame = Frame::new(&scope);
        frame.set(slot, Some(context::our_value()));
        Self { scope, frame }
    }

    fn parse(text: &str) -> ParsedExpression {
        let source = Arc::new(Source::new("expression", text).expect("expressions are short"));
        let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        parsed
    }

    fn compile(&self, text: &str) -> Program {
        let parsed = Self::parse(text);
        let id = parsed.expression().id();
        let options = CompileOptions::default();
        let (program, diagnostics) =
            Program::compile(Arc::clone(parsed.tree()), id, Arc::clone(&self.scope), &options);
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        program
    }

    /// Evaluates once more, to see that the answer is one and that both ways give the same.
    fn check(&mut self, text: &str) {
        let (compiled, diagnostics) = self.compile(text).evaluate(&mut self.frame);
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        let options = EvalOptions { frame: Some(&self.frame), ..EvalOptions::default() };
        let (value, _) = evaluate(Self::parse(text).expression(), Some(&self.scope), &options);
        assert!(value.is_wholly_known() && compiled.raw_equals(&value), "{text}: two answers");
    }
}

/// The expression for hcl-rs, which has each attribute of `var` as a variable, and its context.
struct Theirs {
    text: String,
    expression: hcl_rs::Expression,
}

impl Theirs {
    fn new(text: &str, context: &Context<'_>) -> Option<Self> {
        let text = text.replace("var.", "");
        let expression: hcl_rs::Expression = text.parse().ok()?;
        expression.evaluate(context).ok()?;
        Some(Self { text, expression })
    }
}

/// What was found out about one expression; the fourth and sixth times are hcl-rs's, if it can.
struct Row {
    name: &'static str,
    evaluation: Vec<Timing>,
    preparation: Vec<Timing>,
    n_allocations: f64,
}

/// Measures and adds the tables to `report`.
pub(crate) fn run(is_quick: bool, report: &mut Report) {
    let effort = if is_quick { Effort::QUICK } else { Effort::FULL };
    let mut ours = Ours::new();
    let mut context = context::hcl_rs_context();
    hcl_rs_functions::declare(&mut context);
    let rows: Vec<Row> = EXPRESSIONS
        .iter()
        .map(|&(name, text)| {
            ours.check(text);
            measure(name, text, &mut ours, &context, effort)
        })
        .collect();
    report_evaluation(&rows, report);
    report_preparation(&rows, report);
}

/// Evaluates the program of one expression a number of times.
pub(crate) fn repeat(name: &str, repeats: u32) {
    let mut ours = Ours::new();
    let (_, text) = EXPRESSIONS.into_iter().find(|(known, _)| *known == name).expect("a known expression");
    let program = ours.compile(text);
    for _ in 0..repeats {
        drop(black_box(program.evaluate(&mut ours.frame)));
    }
}

fn measure(name: &'static str, text: &str, ours: &mut Ours, context: &Context<'_>, effort: Effort) -> Row {
    let theirs = Theirs::new(text, context);
    let program = ours.compile(text);
    let parsed = Ours::parse(text);
    let n_allocations = allocations(&program, &mut ours.frame);

    let one_shot_frame = std::mem::replace(&mut ours.frame, Frame::new(&ours.scope));
    let mut frame = Frame::new(&ours.scope);
    frame.set(0, one_shot_frame.get(0).cloned());
    let scope = Arc::clone(&ours.scope);
    let mut contenders: Vec<Work<'_>> = vec![
        Box::new(|| drop(black_box(program.evaluate(&mut frame)))),
        Box::new(|| {
            let options = EvalOptions { frame: Some(&one_shot_frame), ..EvalOptions::default() };
            drop(black_box(evaluate(parsed.expression(), Some(&scope), &options)));
        }),
    ];
    if let Some(theirs) = &theirs {
        contenders.push(Box::new(|| drop(black_box(theirs.expression.evaluate(context)))));
    }
    let evaluation = time_interleaved(&mut contenders, effort);
    drop(contenders);
    ours.frame = one_shot_frame;

    let mut contenders: Vec<Work<'_>> = vec![
        Box::new(|| drop(black_box(Ours::parse(text)))),
        Box::new(|| drop(black_box(ours.compile(text)))),
    ];
    if let Some(theirs) = &theirs {
        contenders.push(Box::new(|| drop(black_box(theirs.text.parse::<hcl_rs::Expression>()))));
    }
    let preparation = time_interleaved(&mut contenders, effort);
    Row { name, evaluation, preparation, n_allocations }
}

/// Allocations of one evaluation, when all that is made once has been made.
fn allocations(program: &Program, frame: &mut Frame) -> f64 {
    const EVALUATIONS: u32 = 10;
    drop(program.evaluate(frame));
    let ((), tally) = allocation::count(|| {
        for _ in 0..EVALUATIONS {
            drop(black_box(program.evaluate(frame)));
        }
    });
    f64::from(u32::try_from(tally.calls).unwrap_or(u32::MAX)) / f64::from(EVALUATIONS)
}

fn report_evaluation(rows: &[Row], report: &mut Report) {
    report.section(
        "Evaluation, ns of processor time",
        &[
            "expression",
            "compiled",
            "spread",
            "one-shot",
            "hcl-rs",
            "spread",
            "hcl-rs/compiled",
            "hcl-rs/one-shot",
            "allocations",
        ],
    );
    for row in rows {
        let (compiled, one_shot) = (row.evaluation[0], row.evaluation[1]);
        let mut cells = vec![
            row.name.to_owned(),
            nanos(compiled.min),
            format!("{:.0}%", compiled.spread()),
            nanos(one_shot.min),
        ];
        cells.extend(peer_cells(row.evaluation.get(2), &[compiled, one_shot]));
        cells.push(figure(row.n_allocations));
        report.row(cells);
    }
    report.note(summary("hcl-rs to compiled", rows, |row| (row.evaluation.get(2), row.evaluation[0])));
    report.note(summary("hcl-rs to one-shot", rows, |row| (row.evaluation.get(2), row.evaluation[1])));
    report.note("hcl-rs has each attribute of `var` as a variable of its own; with one variable it takes up to a millisecond more per use.".into());
}

fn report_preparation(rows: &[Row], report: &mut Report) {
    report.section(
        "Preparing an expression, ns of processor time",
        &[
            "expression",
            "parse",
            "parse+compile",
            "spread",
            "hcl-rs parse",
            "spread",
            "hcl-rs/parse",
            "hcl-rs/parse+compile",
        ],
    );
    for row in rows {
        let (parse, compile) = (row.preparation[0], row.preparation[1]);
        let mut cells = vec![
            row.name.to_owned(),
            nanos(parse.min),
            nanos(compile.min),
            format!("{:.0}%", compile.spread()),
        ];
        cells.extend(peer_cells(row.preparation.get(2), &[parse, compile]));
        report.row(cells);
    }
    report.note(summary("hcl-rs to parse", rows, |row| (row.preparation.get(2), row.preparation[0])));
    report.note(summary("hcl-rs to parse+compile", rows, |row| (row.preparation.get(2), row.preparation[1])));
}

/// Time and spread of the peer, and its ratio to each of ours.
fn peer_cells(peer: Option<&Timing>, ours: &[Timing]) -> Vec<String> {
    let Some(peer) = peer else {
        return vec!["-".into(); 2 + ours.len()];
    };
    let mut cells = vec![nanos(peer.min), format!("{:.0}%", peer.spread())];
    cells.extend(ours.iter().map(|time| ratio(peer.min, time.min)));
    cells
}

fn summary<'r>(
    name: &str,
    rows: &'r [Row],
    pair: impl Fn(&'r Row) -> (Option<&'r Timing>, Timing),
) -> String {
    let ratios: Vec<f64> = rows
        .iter()
        .filter_map(|row| {
            let (peer, ours) = pair(row);
            Some(peer?.min / ours.min)
        })
        .collect();
    geometric_mean(name, &ratios)
}
