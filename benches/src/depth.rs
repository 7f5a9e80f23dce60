//! Depth: how small a stack may be, and how far the limit of nesting can be raised.
//!
//! Each attempt runs in a process of its own, on a thread with the stack in question, and goes through everything
//! that could recurse: parse, evaluate at once, compile, run, compare, format, drop.

use std::process::Command;
use std::thread;

use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_eval::limits::Limits;
use hcl_eval::program::{CompileOptions, Program};
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;

use crate::findings::Findings;
use crate::ordeal;
use crate::pathological::{self, Form};

/// Kinds that nest and are valid, one level each.
const NESTING: [&str; 8] = [
    "paren",
    "brack",
    "brace",
    "call_upper_nest",
    "for_nest_body",
    "interp_nest",
    "tmpl_if_nest",
    "blocks_nest",
];
/// Kinds that are chains.
const CHAINS: [&str; 5] = ["chain_add", "chain_mul", "chain_and", "cond_chain", "interp"];

/// The figures of goals S3 and S4.
pub(crate) fn run(is_quick: bool, findings: &mut Findings) {
    findings.report.section("Depth", &["what", "stack KiB", "limit", "n", "does not work"]);
    let chain = if is_quick { 10_000 } else { 1_000_000 };
    let stack = smallest_stack(&NESTING, 1_000, 1_000, &[64, 256, 512, 1_024, 2_048], findings);
    findings.figure("nesting stack", stack);
    let stack = smallest_stack(&CHAINS, chain, 1_000, &[64, 256, 2_048], findings);
    findings.figure("chain stack", stack);
    let mut reached = None;
    for limit in [1_000, 10_000, 40_000] {
        if smallest_stack(&NESTING, limit, limit, &[2_048], findings).is_none() {
            break;
        }
        reached = Some(f64::from(limit));
    }
    findings.figure("nesting raised", reached);
}

/// The first of the stacks, in KiB, on which all kinds work.
fn smallest_stack(
    kinds: &[&str],
    n: u32,
    limit: u32,
    stacks: &[u32],
    findings: &mut Findings,
) -> Option<f64> {
    let what = if kinds == CHAINS { "chains" } else { "nesting" };
    for &stack in stacks {
        let failures: Vec<&str> =
            kinds.iter().copied().filter(|kind| !works(kind, n, limit, stack)).collect();
        let failed = if failures.is_empty() { "-".to_owned() } else { failures.join(", ") };
        findings.report.row(vec![what.into(), stack.to_string(), limit.to_string(), n.to_string(), failed]);
        if failures.is_empty() {
            return Some(f64::from(stack));
        }
    }
    None
}

fn works(kind: &str, n: u32, limit: u32, stack: u32) -> bool {
    let program = std::env::current_exe().expect("a program knows where it lies");
    let numbers = [n, limit, stack].map(|number| number.to_string());
    let output = Command::new(program).args(["depth", kind]).args(numbers).output();
    output.is_ok_and(|output| output.status.success())
}

/// The child: whether the text works on such a stack.
pub(crate) fn attempt(kind: &str, n: u32, limit: u32, stack: u32) -> bool {
    let Some(kind) = pathological::by_name(kind) else { return false };
    let n = n.saturating_sub(headroom(kind.form)) as usize;
    let work = move || {
        let text = (kind.text)(n);
        // Blocks that are indented a thousand times may be more than the formatter allows; it has to say so.
        drop(format("text", text.as_bytes(), FormatStyle::Hcl));
        goes_well(kind.form, &text, limit)
    };
    let thread = thread::Builder::new().stack_size(stack as usize * 1024).spawn(work);
    thread.is_ok_and(|thread| thread.join().unwrap_or(false))
}

/// The levels that the innermost expression takes itself.
fn headroom(form: Form) -> u32 {
    match form {
        Form::Expression => 2,
        Form::Config => 1,
    }
}

fn goes_well(form: Form, text: &str, max_depth: u32) -> bool {
    let source = Source::new("text", text).expect("the text is small enough");
    let limits = ParseLimits { max_depth, ..ParseLimits::default() };
    if form == Form::Config {
        let (file, diagnostics) = parse_file(source, &limits);
        drop(file);
        return diagnostics.is_empty();
    }
    let (parsed, diagnostics) = parse_expression(source, &limits);
    let (scope, mut frame) = ordeal::surroundings();
    let limits = Limits { max_depth, ..Limits::default() };
    let options = EvalOptions { limits: limits.clone(), frame: Some(&frame), ..EvalOptions::default() };
    let (once, complaints) = evaluate(parsed.expression(), Some(&scope), &options);
    let mut options = CompileOptions::default();
    options.limits.max_depth = max_depth;
    let id = parsed.expression().id();
    let (program, _) = Program::compile(parsed.tree().clone(), id, scope, &options);
    *frame.limits_mut() = limits;
    let (again, more_complaints) = program.evaluate(&mut frame);
    let is_fine = [&diagnostics, &complaints, &more_complaints].into_iter().all(|all| all.is_empty());
    is_fine && once.raw_equals(&again)
}
