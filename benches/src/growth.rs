//! Functions at growing sizes: what each costs at 1,000, 10,000 and 100,000 elements, beside the reference.
//!
//! The reference is a Go program in `benches/go/functions`, run when there is a Go toolchain. Both make the same arguments;
//! times are of the call alone, the arguments stand ready.

use std::collections::HashMap;
use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use hcl_eval::dialect;
use hcl_eval::eval::{Frame, Scope};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::{Str, Type, Value};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::peer;
use crate::report::{Report, nanos, ratio};

/// The sizes.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// Ten times the elements may cost this many times as much: ten times, the factor of sorting, and caches that no
/// longer hold everything, which were seen to make it 24. Quadratic growth makes it 100.
const MOST_GROWTH: f64 = 40.0;

/// Name, for the reference's program too, and the call; the variables are those of [`arguments`].
const CALLS: [(&str, &str); 48] = [
    ("alltrue", "alltrue(bools)"),
    ("base64gzip", "base64gzip(text)"),
    ("chunklist", "chunklist(strings, 10)"),
    ("coalescelist", "coalescelist([], strings)"),
    ("compact", "compact(strings)"),
    ("concat", "concat(strings, others)"),
    ("concat_tuples", "concat(tuple, tuple)"),
    ("contains", "contains(strings, \"none\")"),
    ("csvdecode", "csvdecode(csv)"),
    ("distinct", "distinct(strings)"),
    ("distinct_half", "distinct(twice)"),
    ("flatten", "flatten(nested)"),
    ("formatlist", "formatlist(\"%s=%s\", strings, others)"),
    ("index", "index(strings, last)"),
    ("join", "join(\",\", strings)"),
    ("jsondecode", "jsondecode(json)"),
    ("jsonencode", "jsonencode(object)"),
    ("keys", "keys(map)"),
    ("keys_object", "keys(object)"),
    ("lookup", "lookup(map, last, \"\")"),
    ("matchkeys", "matchkeys(strings, others, strings)"),
    ("max", "max(numbers...)"),
    ("merge", "merge(map, map_2)"),
    ("merge_objects", "merge(object, { extra = 1 })"),
    ("regexall", "regexall(\"[0-9]+\", text)"),
    ("replace", "replace(text, \"item\", \"thing\")"),
    ("reverse", "reverse(strings)"),
    ("setintersection", "setintersection(set, set_2)"),
    ("setproduct", "setproduct(few, few_2)"),
    ("setproduct_sets", "setproduct(toset(few), toset(few_2))"),
    ("setsubtract", "setsubtract(set, set_2)"),
    ("setunion", "setunion(set, set_2)"),
    ("setunion_numbers", "setunion(numbers, numbers_2)"),
    ("slice", "slice(strings, 1, length(strings))"),
    ("sort", "sort(strings)"),
    ("split", "split(\" \", text)"),
    ("strrev", "strrev(text)"),
    ("substr", "substr(text, -20, 10)"),
    ("sum", "sum(numbers)"),
    ("title", "title(text)"),
    ("tolist", "tolist(set)"),
    ("tomap", "tomap(object)"),
    ("toset", "toset(strings)"),
    ("transpose", "transpose(groups)"),
    ("values", "values(map)"),
    ("yamldecode", "yamldecode(yaml)"),
    ("yamlencode", "yamlencode(strings)"),
    ("zipmap", "zipmap(strings, others)"),
];

/// The names of an argument and its values by size.
fn arguments(n: usize) -> Vec<(&'static str, Value)> {
    // A prime step goes through all numbers in no order that sorting would notice.
    let item = |i: usize| format!("item-{:07}", i * 7919 % n);
    let other = |i: usize| format!("item-{:07}", i * 7919 % n + n / 2);
    let strings =
        |make: &dyn Fn(usize) -> String, n: usize| (0..n).map(make).map(Value::string).collect::<Vec<_>>();
    let list = |values| Value::list(Type::String, values);
    let entries = |make: &dyn Fn(usize) -> String| -> Vec<(Str, Value)> {
        (0..n).map(|i| (Str::from(make(i)), Value::string(format!("value-{i}")))).collect()
    };
    let counted =
        |from: usize| Value::list(Type::Number, (0..n).map(|i| Value::count(i * 7919 % n + from)).collect());
    let nested = (0..n / 10).map(|i| Value::tuple(strings(&|j| item(i * 10 + j), 10)));
    let groups =
        (0..n / 10).map(|i| (Str::from(item(i)), list(strings(&|j| format!("group-{}", (i + j) % 100), 10))));
    let few = n.isqrt();
    let lines = |line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    vec![
        ("strings", list(strings(&item, n))),
        ("others", list(strings(&other, n))),
        ("twice", list(strings(&|i| item(i / 2), n))),
        ("few", list(strings(&item, few))),
        ("few_2", list(strings(&other, few))),
        ("tuple", Value::tuple(strings(&item, n))),
        ("nested", Value::tuple(nested.collect())),
        ("set", Value::set(Type::String, strings(&item, n))),
        ("set_2", Value::set(Type::String, strings(&other, n))),
        ("numbers", counted(0)),
        ("numbers_2", counted(n / 2)),
        ("bools", Value::list(Type::Bool, vec![Value::bool(true); n])),
        ("map", Value::map(Type::String, entries(&item))),
        ("map_2", Value::map(Type::String, entries(&other))),
        ("object", Value::object(entries(&item))),
        ("groups", Value::map(Type::list(Type::String), groups.collect())),
        ("last", Value::string(item(n - 1))),
        ("text", Value::string((0..n).map(item).collect::<Vec<_>>().join(" "))),
        ("csv", Value::string("a,b\n".to_owned() + &lines(&|i| format!("{},{i}\n", item(i))))),
        (
            "json",
            Value::string(format!("[{}0]", lines(&|i| format!("{{\"a\":\"{}\",\"b\":{i}}},", item(i))))),
        ),
        ("yaml", Value::string(lines(&|i| format!("- a: {}\n  b: {i}\n", item(i))))),
    ]
}

/// Measures and adds the table to `report`; how many functions grow too much.
pub(crate) fn run(is_quick: bool, only: &[String], report: &mut Report) -> usize {
    let sizes = if is_quick { &SIZES[..2] } else { &SIZES[..] };
    let calls: Vec<_> = CALLS
        .into_iter()
        .filter(|(name, _)| only.is_empty() || only.iter().any(|wanted| wanted == name))
        .collect();
    let mut times: HashMap<(&str, usize), Timing> = HashMap::new();
    for &n in sizes {
        measure(n, &calls, is_quick, &mut times);
    }
    let reference = if is_quick { HashMap::new() } else { reference(only) };
    report.section(
        "Functions at growing sizes, ns of processor time; `growth` is from the last size but one to the last",
        &["function", "1k", "10k", "100k", "growth", "Go 1k", "Go 10k", "Go 100k", "Go growth", "Go/ours 10k"],
    );
    let mut n_violations = 0;
    for (name, _) in &calls {
        let ours: Vec<Option<f64>> =
            SIZES.iter().map(|&n| times.get(&(*name, n)).map(|time| time.min)).collect();
        let theirs: Vec<Option<f64>> =
            SIZES.iter().map(|&n| reference.get(&((*name).to_owned(), n)).copied()).collect();
        let grown = growth(&ours);
        n_violations += usize::from(grown.is_some_and(|grown| grown > MOST_GROWTH));
        let mut cells = vec![(*name).to_owned()];
        cells.extend(ours.iter().map(|time| time.map_or("-".into(), nanos)));
        cells.push(shown(grown));
        cells.extend(theirs.iter().map(|time| time.map_or("-".into(), nanos)));
        cells.push(shown(growth(&theirs)));
        cells.push(theirs[1].zip(ours[1]).map_or("-".into(), |(theirs, ours)| ratio(theirs, ours)));
        report.row(cells);
    }
    report
        .note(format!("{n_violations} functions grow by more than {MOST_GROWTH} for ten times the elements"));
    if reference.is_empty() {
        report.note("the reference was not measured: it needs Go".to_owned());
    }
    n_violations
}

/// The growth from the last size but one to the last.
fn growth(times: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = times.iter().map_while(|time| *time).collect();
    let [.., before, last] = known[..] else { return None };
    Some(last / before)
}

fn shown(growth: Option<f64>) -> String {
    growth.map_or("-".into(), |growth| format!("{growth:.1}x"))
}

fn measure<'c>(
    n: usize,
    calls: &[(&'c str, &'c str)],
    is_quick: bool,
    times: &mut HashMap<(&'c str, usize), Timing>,
) {
    let effort = if is_quick {
        Effort::QUICK
    } else {
        Effort { rounds: 3, samples: 1, sample_nanos: 1e6, patience: Duration::from_secs(1) }
    };
    let functions = dialect::by_name("terraform").expect("the dialect is built in");
    let mut builder = Scope::builder().functions(functions);
    let values: Vec<_> = arguments(n).into_iter().map(|(name, value)| (builder.slot(name), value)).collect();
    let scope = builder.build();
    let mut frame = Frame::new(&scope);
    for (slot, value) in values {
        frame.set(slot, Some(value));
    }
    for &(name, text) in calls {
        let program = compile(text, &scope);
        let (value, diagnostics) = program.evaluate(&mut frame);
        assert!(diagnostics.is_empty() && value.is_wholly_known(), "{text}: {diagnostics:?}");
        drop(value);
        let mut work = [Work::here(|| drop(black_box(program.evaluate(&mut frame))))];
        times.insert((name, n), time_interleaved(&mut work, effort)[0]);
    }
}

fn compile(text: &str, scope: &Arc<Scope>) -> Program {
    let source = Source::new("call", text).expect("calls are short");
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
    let id = parsed.expression().id();
    let options = CompileOptions::default();
    let (program, diagnostics) = Program::compile(parsed.tree().clone(), id, Arc::clone(scope), &options);
    assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
    program
}

/// Measures the reference, by name and size; nothing without Go.
fn reference(only: &[String]) -> HashMap<(String, usize), f64> {
    let output = peer::build("functions").and_then(|program| Command::new(program).args(only).output().ok());
    let Some(output) = output.filter(|output| output.status.success()) else { return HashMap::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |line: &str| {
        let mut cells = line.split('\t');
        let (name, n, time) = (cells.next()?, cells.next()?, cells.next()?);
        Some(((name.to_owned(), n.parse().ok()?), time.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}
