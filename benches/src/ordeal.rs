//! Running pathological input: each text in a process and on a small stack of its own.
//!
//! A process that dies takes nothing with it, and its peak is its own. The child parses the text,
//! evaluates all expressions in it, compiles and runs them as programs, drops everything, and prints one
//! line of figures; the parent holds them against the bounds.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::{Value, dialect};
use hcl_syntax::ast::{Body, Expression, SharedTree};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;

use crate::allocation;
use crate::clock::{Pace, cpu_nanos};
use crate::findings::{Findings, greatest};
use crate::goals::{GROWTH, LARGEST, SLOWEST};
use crate::pathological::{Form, KINDS, Kind};
use crate::report::figure;
use crate::resident;

/// The stack of the thread that does the work: what a thread gets by default.
const STACK: usize = 2 * 1024 * 1024;
/// A child that takes longer is killed.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a text is put to the test at most for the sake of a quiet moment.
const ATTEMPTS: u32 = 5;
/// How long tries go on before a text is blamed for its cost.
const DISTURBANCE: Duration = Duration::from_secs(30);
/// Texts up to this count have bounds in time and memory; of longer ones only the growth counts.
const BOUNDED: usize = 100_000;
/// Work this short says nothing about growth.
const SHORTEST_TELLING: f64 = 3.0;

/// Milliseconds and bytes that one text took.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Cost {
    parse: f64,
    evaluate: f64,
    compile: f64,
    run: f64,
    discard: f64,
    n_diagnostics: usize,
    peak: i64,
    /// Nanoseconds of the known work of [`Pace`] beside it, the slower of before and after.
    pace: f64,
}

impl Cost {
    fn parse_and_evaluate(self) -> f64 {
        self.parse + self.evaluate + self.discard
    }

    /// Everything, for growth.
    fn total(self) -> f64 {
        self.parse_and_evaluate() + self.compile + self.run
    }

    #[expect(clippy::cast_precision_loss, reason = "figures are rounded to three places")]
    fn megabytes(self) -> f64 {
        self.peak as f64 / 1e6
    }

    fn to_line(self) -> String {
        let Self { parse, evaluate, compile, run, discard, n_diagnostics, peak, pace } = self;
        format!("{parse} {evaluate} {compile} {run} {discard} {n_diagnostics} {peak} {pace}")
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut time = || words.next()?.parse().ok();
        let (parse, evaluate, compile, run, discard) = (time()?, time()?, time()?, time()?, time()?);
        let n_diagnostics = words.next()?.parse().ok()?;
        let peak = words.next()?.parse().ok()?;
        let pace = words.next()?.parse().ok()?;
        Some(Self { parse, evaluate, compile, run, discard, n_diagnostics, peak, pace })
    }
}

/// The bounds of an outcome.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Bounds {
    /// It must end, and in order.
    Survival,
    /// It must not cost much either, nor grow faster than the input.
    Cost,
}

/// The outcome of a text, as the parent found it.
#[derive(Copy, Clone, Debug)]
enum Outcome {
    Survived(Cost),
    Died,
    TookTooLong,
}

/// The child: measures one text and prints the line.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn endure(kind: Kind, n: usize) {
    let text = (kind.text)(n);
    let work = move || {
        let pace_before = Pace::nanos();
        let before = resident::peak();
        let (cost, tally) = allocation::count(|| measure(kind.form, &text));
        // Stacks are not allocated, and what is allocated need not be touched.
        let peak = tally.peak.max(resident::peak() - before);
        Cost { peak, pace: Pace::nanos().max(pace_before), ..cost }
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    println!("{}", thread.join().expect("libhcl does not panic").to_line());
}

/// Runs `work` and adds its milliseconds to `time`.
fn timed<T>(time: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = cpu_nanos();
    let result = work();
    *time += (cpu_nanos() - start) / 1e6;
    result
}

fn measure(form: Form, text: &str) -> Cost {
    let mut cost = Cost::default();
    let source = Source::new("ordeal", text).expect("the text is small enough");
    let limits = ParseLimits::default();
    match form {
        Form::Config => {
            let (file, diagnostics) = timed(&mut cost.parse, || parse_file(source, &limits));
            cost.n_diagnostics = diagnostics.len();
            let mut expressions = Vec::new();
            collect(file.body(), &mut expressions);
            measure_evaluation(file.tree(), &expressions, &mut cost);
            drop(expressions);
            timed(&mut cost.discard, || drop((file, diagnostics)));
        }
        Form::Expression => {
            let (parsed, diagnostics) = timed(&mut cost.parse, || parse_expression(source, &limits));
            cost.n_diagnostics = diagnostics.len();
            measure_evaluation(parsed.tree(), &[parsed.expression()], &mut cost);
            timed(&mut cost.discard, || drop((parsed, diagnostics)));
        }
    }
    cost
}

/// All expressions of attributes, those of blocks included.
fn collect<'t>(body: Body<'t>, expressions: &mut Vec<Expression<'t>>) {
    let mut bodies = vec![body];
    while let Some(body) = bodies.pop() {
        expressions.extend(body.attributes().map(|attribute| attribute.expression()));
        bodies.extend(body.blocks().map(|block| block.body()));
    }
}

fn measure_evaluation(tree: &SharedTree, expressions: &[Expression<'_>], cost: &mut Cost) {
    let (scope, mut frame) = surroundings();
    let results: Vec<_> = timed(&mut cost.evaluate, || {
        let options = EvalOptions { frame: Some(&frame), ..EvalOptions::default() };
        expressions.iter().map(|&expression| evaluate(expression, Some(&scope), &options)).collect()
    });
    cost.n_diagnostics += results.iter().map(|(_, diagnostics)| diagnostics.len()).sum::<usize>();
    timed(&mut cost.discard, || drop(black_box(results)));

    let programs: Vec<_> = timed(&mut cost.compile, || {
        let options = CompileOptions::default();
        let compile = |expression: &Expression<'_>| {
            Program::compile(tree.clone(), expression.id(), Arc::clone(&scope), &options).0
        };
        expressions.iter().map(compile).collect()
    });
    timed(&mut cost.run, || {
        for program in &programs {
            drop(black_box(program.evaluate(&mut frame)));
        }
    });
    timed(&mut cost.compile, || drop(programs));
}

/// The variables and functions that the expressions may use.
pub(crate) fn surroundings() -> (Arc<Scope>, Frame) {
    let functions = dialect::by_name("terraform").expect("the dialect is built in");
    let mut scope = Scope::builder().functions(functions);
    let (a, t) = (scope.slot("a"), scope.slot("t"));
    let scope = scope.build();
    let mut frame = Frame::new(&scope);
    frame.set(a, Some(Value::int(1)));
    frame.set(t, Some(Value::bool(true)));
    (scope, frame)
}

/// The parent: puts every kind (or the chosen ones) to the test, writes the table, counts violations.
pub(crate) fn run(sizes: &[usize], chosen: &[String], bounds: Bounds, findings: &mut Findings) -> usize {
    findings.report.section(
        "Pathological input, ms of processor time on a stack of 2 MiB, and MB at the peak",
        &[
            "kind",
            "n",
            "parse",
            "evaluate",
            "compile",
            "run",
            "drop",
            "growth",
            "peak MB",
            "diagnostics",
            "verdict",
        ],
    );
    let mut worst = Worst::default();
    for kind in KINDS.iter().filter(|kind| chosen.is_empty() || chosen.iter().any(|name| name == kind.name)) {
        let mut smaller = None;
        for &n in sizes {
            let (outcome, growth, verdict) = judge(*kind, n, smaller, bounds);
            worst.note(n, outcome, growth, &verdict);
            findings.report.row(row(*kind, n, outcome, growth, verdict));
            smaller = match outcome {
                Outcome::Survived(cost) => Some((n, cost.total())),
                Outcome::Died | Outcome::TookTooLong => None,
            };
        }
    }
    findings.figure("hostile deaths", Some(worst.n_deaths));
    findings.figure("hostile slowest", worst.slowest);
    findings.figure("hostile largest", worst.largest);
    findings.figure("hostile growth", worst.growth);
    findings.report.note(format!("Violations: {}", worst.n_violations));
    findings.report.note(format!("Must, at 100k: parsed, evaluated and dropped in {SLOWEST} ms, compiled and run in {SLOWEST} ms, in {LARGEST} MB; at most {GROWTH} times the time for 10 times the text."));
    worst.n_violations
}

/// The worst of all outcomes.
#[derive(Debug, Default)]
struct Worst {
    n_violations: usize,
    n_deaths: f64,
    /// Milliseconds, of texts up to [`BOUNDED`].
    slowest: Option<f64>,
    /// Megabytes, of the same.
    largest: Option<f64>,
    growth: Option<f64>,
}

impl Worst {
    fn note(&mut self, n: usize, outcome: Outcome, growth: Option<f64>, verdict: &str) {
        self.n_violations += usize::from(verdict.starts_with("VIOLATION"));
        self.growth = greatest(self.growth.into_iter().chain(growth));
        let Outcome::Survived(cost) = outcome else {
            self.n_deaths += 1.0;
            return;
        };
        if n <= BOUNDED {
            let time = cost.parse_and_evaluate().max(cost.compile + cost.run);
            self.slowest = greatest(self.slowest.into_iter().chain([time]));
            self.largest = greatest(self.largest.into_iter().chain([cost.megabytes()]));
        }
    }
}

/// Puts a text to the test until nothing disturbs, and for longer before it is blamed for its cost; the least counts. Who
/// died is not asked again.
fn judge(
    kind: Kind,
    n: usize,
    smaller: Option<(usize, f64)>,
    bounds: Bounds,
) -> (Outcome, Option<f64>, String) {
    let start = Instant::now();
    let mut best = Outcome::TookTooLong;
    for n_attempts in 1.. {
        let outcome = put_to_test(kind, n);
        let was_quiet = match outcome {
            Outcome::Survived(cost) => Pace::was_quiet(cost.pace),
            Outcome::Died | Outcome::TookTooLong => true,
        };
        best = match (best, outcome) {
            (Outcome::Survived(old), Outcome::Survived(new)) if new.total() > old.total() => best,
            (Outcome::Survived(_), Outcome::TookTooLong) => best,
            _ => outcome,
        };
        let growth = growth(smaller, n, best);
        let verdict = verdict(n, best, growth, bounds);
        let is_settled = match best {
            Outcome::Died => true,
            _ if verdict.starts_with("VIOLATION") => start.elapsed() > DISTURBANCE,
            _ => was_quiet || bounds == Bounds::Survival || n_attempts >= ATTEMPTS,
        };
        if is_settled {
            return (best, growth, verdict);
        }
    }
    unreachable!("the last attempt returns")
}

fn put_to_test(kind: Kind, n: usize) -> Outcome {
    let program = std::env::current_exe().expect("a program knows where it lies");
    let mut child = Command::new(program)
        .args(["ordeal", kind.name, &n.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can start itself");
    let start = Instant::now();
    while child.try_wait().ok().flatten().is_none() {
        if start.elapsed() > PATIENCE {
            // It may have ended this moment; either way it is gone after the wait.
            let _ = child.kill();
            let _ = child.wait();
            return Outcome::TookTooLong;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map(|output| output.stdout).unwrap_or_default();
    Cost::from_line(&String::from_utf8_lossy(&output)).map_or(Outcome::Died, Outcome::Survived)
}

/// How many times the time of the smaller text, scaled to ten times its size.
fn growth(smaller: Option<(usize, f64)>, n: usize, outcome: Outcome) -> Option<f64> {
    let (Some((smaller_n, smaller_time)), Outcome::Survived(cost)) = (smaller, outcome) else {
        return None;
    };
    let as_float = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let decades = (as_float(n) / as_float(smaller_n)).log10();
    let is_telling = cost.total() >= SHORTEST_TELLING && smaller_time > 0.0 && decades > 0.0;
    is_telling.then(|| (cost.total() / smaller_time).powf(1.0 / decades))
}

fn verdict(n: usize, outcome: Outcome, growth: Option<f64>, bounds: Bounds) -> String {
    let cost = match outcome {
        Outcome::Died => return "VIOLATION: died".into(),
        Outcome::TookTooLong => return "VIOLATION: took too long".into(),
        Outcome::Survived(_) if bounds == Bounds::Survival => return "ok".into(),
        Outcome::Survived(cost) => cost,
    };
    let mut complaints = Vec::new();
    let bound = |must: f64| if n <= BOUNDED { must } else { f64::INFINITY };
    if cost.parse_and_evaluate() > bound(SLOWEST) || cost.compile + cost.run > bound(SLOWEST) {
        complaints.push("slow");
    }
    if cost.megabytes() > bound(LARGEST) {
        complaints.push("large");
    }
    if growth.is_some_and(|growth| growth > GROWTH) {
        complaints.push("grows");
    }
    if complaints.is_empty() { "ok".into() } else { format!("VIOLATION: {}", complaints.join(", ")) }
}

fn row(kind: Kind, n: usize, outcome: Outcome, growth: Option<f64>, verdict: String) -> Vec<String> {
    let mut cells = vec![kind.name.to_owned(), n.to_string()];
    if let Outcome::Survived(cost) = outcome {
        cells.extend([cost.parse, cost.evaluate, cost.compile, cost.run, cost.discard].map(figure));
        cells.push(growth.map_or("-".into(), |growth| format!("{growth:.1}x")));
        cells.push(figure(cost.megabytes()));
        cells.push(cost.n_diagnostics.to_string());
    } else {
        cells.extend(std::iter::repeat_n("-".to_owned(), 8));
    }
    cells.push(verdict);
    cells
}
