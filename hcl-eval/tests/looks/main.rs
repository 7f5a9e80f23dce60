//! How often work looks at the clock: every function of every dialect with arguments that grow.
//!
//! A deadline, or a token that is triggered, is noticed at the next look. The token of these tests is asked at every look,
//! and measures how long the thread has worked since the one before. Only the processor time of the thread counts, so that
//! other work on the machine does not.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::function::FunctionTable;
use hcl_eval::host::MemoryHost;
use hcl_eval::limits::{CancelToken, Limits};
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::ast::variables;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

#[path = "../../../tests/stopwatch.rs"]
mod stopwatch;

mod calls;

use stopwatch::Stopwatch;

/// What is asked of each function. Variables stand for arguments that grow: see [`Arguments`].
use calls::{CALLS, OTHERS};

/// Sizes, in multiples of the base size.
const FACTORS: [usize; 5] = [1, 2, 4, 8, 64];

thread_local! {
    static LAST: Cell<Option<Stopwatch>> = const { Cell::new(None) };
    static LONGEST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Notes that the thread looks.
fn look() {
    if let Some(last) = LAST.get() {
        LONGEST.set(LONGEST.get().max(last.elapsed()));
        LAST.set(Some(Stopwatch::start()));
    }
}

/// Runs work; how long it took, and the longest time in it without a look.
fn watched<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    LONGEST.set(Duration::ZERO);
    let whole = Stopwatch::start();
    LAST.set(Some(whole));
    let result = work();
    let took = whole.elapsed();
    look();
    LAST.set(None);
    (result, took, LONGEST.get())
}

/// The limits of an evaluation that is watched.
fn limits() -> Limits {
    let cancel = CancelToken::asking(|| {
        look();
        false
    });
    let deadline = Some(Instant::now() + Duration::from_secs(3600));
    Limits { deadline, cancel: Some(cancel), ..Limits::default() }
}

/// Arguments of a size.
struct Arguments {
    /// How many elements, and how many bytes for each there are in long texts.
    n: usize,
    width: usize,
}

impl Arguments {
    /// The values of the variables.
    fn values(&self, names: &BTreeSet<&str>) -> Vec<(String, Value)> {
        names.iter().map(|&name| (name.to_owned(), self.value(name))).collect()
    }

    fn texts(&self, tell: impl Fn(usize) -> String) -> Value {
        Value::list(Type::String, (0..self.n).map(|i| Value::string(tell(i))).collect())
    }

    fn numbers(&self) -> Value {
        Value::list(Type::Number, (0..self.n).map(|i| Value::count(i * 7919 % 65_537)).collect())
    }

    fn ascii(&self) -> String {
        "Some words, of 7 lines.\n".repeat(self.n * self.width / 24)
    }

    fn value(&self, name: &str) -> Value {
        let n = self.n;
        let small = Value::object(vec![("a".into(), Value::int(1)), ("b".into(), Value::string("x"))]);
        match name {
            "n" => Value::count(n),
            "size" => Value::count(n * self.width),
            "ascii" => Value::string(self.ascii()),
            // Letters and accents that come together when the text is normalised.
            "accents" => Value::string("e\u{301}\u{323}o\u{308} \u{1100}\u{1161}".repeat(n * self.width / 14)),
            "marks" => Value::string(format!("e{}", "\u{301}".repeat(n * self.width / 2))),
            "digits" => Value::string("7".repeat(n * self.width)),
            "big" => Value::number(
                hcl_eval::value::Number::parse(&format!("1e{}", n * self.width)).unwrap(),
            ),
            "spaces" => Value::string(" ".repeat(n * self.width)),
            "percents" => Value::string("%41%20".repeat(n * self.width / 6)),
            "chain" => Value::string(format!("a{}", "()".repeat(n))),
            "base64" => Value::string(STANDARD.encode(self.ascii())),
            "gzip" => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                std::io::Write::write_all(&mut encoder, self.ascii().as_bytes()).unwrap();
                Value::string(STANDARD.encode(encoder.finish().unwrap()))
            }
            "texts" => self.texts(|i| format!("text number {i} is this")),
            "same" => self.texts(|_| "a text that occurs often".to_owned()),
            "mixed" => self.texts(|i| format!("text number {} is this", i * 7919 % 65_537)),
            "empties" => self.texts(|_| String::new()),
            "numbers" => self.numbers(),
            "bools" => Value::list(Type::Bool, vec![Value::TRUE; n]),
            "falses" => Value::list(Type::Bool, vec![Value::FALSE; n]),
            "tuple" => Value::tuple(
                (0..n).map(|i| if i % 2 == 0 { Value::count(i) } else { Value::string(format!("element {i}")) }).collect(),
            ),
            "objects" => Value::list(small.ty(), vec![small; n]),
            "own" => {
                let object = |i| Value::object(vec![("a".into(), Value::count(i)), ("b".into(), Value::string("x"))]);
                Value::list(small.ty(), (0..n).map(object).collect())
            }
            "lists" => Value::list(
                Type::list(Type::Number),
                (0..n).map(|i| Value::list(Type::Number, vec![Value::count(i)])).collect(),
            ),
            "type" | "number" | "string" => Value::TRUE, // words of types
            "set" => Value::set(Type::String, (0..n).map(|i| Value::string(format!("text number {i} is this"))).collect()),
            "map" => Value::map(Type::String, (0..n).map(|i| (format!("key number {i}").as_str().into(), Value::string("x"))).collect()),
            "listmap" => Value::map(
                Type::list(Type::String),
                (0..n).map(|i| (format!("key number {i}").as_str().into(), Value::list(Type::String, vec![Value::string(format!("v{}", i / 2))]))).collect(),
            ),
            "object" => Value::object((0..n).map(|i| (format!("key number {i}").as_str().into(), Value::count(i))).collect()),
            // One element that is large itself.
            "heavy" => Value::tuple(vec![self.numbers()]),
            "json" => {
                let list: Vec<String> = (0..n).map(|i| format!("{{\"a\":{i},\"b\":[\"x\",null]}}")).collect();
                Value::string(format!("[{}]", list.join(",")))
            }
            "jsontext" => Value::string(format!("\"{}\"", "ab\\u00e9".repeat(n * self.width / 8))),
            "jsonkeys" => {
                let list: Vec<String> = (0..n).map(|i| format!("\"key {}\":{i}", i * 7919 % 65_537)).collect();
                Value::string(format!("{{{}}}", list.join(",")))
            }
            "yaml" => Value::string((0..n).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "- a: {i}\n  b: [x, 'y', null]");
                text
            })),
            "yamltext" => Value::string(format!("\"{}\"", "ab\\u00e9".repeat(n * self.width / 8))),
            "yamlblock" => Value::string(format!("|\n{}", "  a line of text\n".repeat(n * self.width / 17))),
            "yamlkeys" => Value::string((0..n).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "key {}: {i}", i * 7919 % 65_537);
                text
            })),
            "aliases" => Value::string(format!("a: &a [1, 2, 3]\nb:\n{}", "- *a\n".repeat(n))),
            "csv" => Value::string(format!("a,b\n{}", "one,\"two, three\"\n".repeat(n))),
            "wide" => {
                let names: Vec<String> = (0..n).map(|i| format!("c{i}")).collect();
                Value::string(format!("{}\n{}\n", names.join(","), names.join(",")))
            }
            "template" => Value::string("${a} and %{ if true }b%{ endif }\n".repeat(n)),
            "tfvars" => Value::string((0..n).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "name{i} = [1, \"two\"]");
                text
            })),
            "verbs" => Value::string("%d,".repeat(n)),
            "cidrs" => Value::list(Type::Number, vec![Value::int(20); n]),
            "alternatives" => {
                let list: Vec<String> = (0..n).map(|i| format!("word{i}")).collect();
                Value::string(list.join("|"))
            }
            "optional" => Value::string("a?".repeat(n) + &"a".repeat(n)),
            "as" => Value::string("a".repeat(n * self.width)),
            "path" => Value::string("folder/../".repeat(n * self.width / 10)),
            "date" => Value::string("YYYY-MM-DD'of'hh:mm ".repeat(n * self.width / 20)),
            "strftime" => Value::string("%Y-%m-%d ".repeat(n * self.width / 9)),
            other => panic!("no argument is called {other}"),
        }
    }
}

/// The world that functions see.
fn world(arguments: &Arguments) -> MemoryHost {
    let mut host = MemoryHost::new()
        .with_file("/long.txt", arguments.ascii())
        .with_file("/template.tftpl", "${a} and %{ if true }b%{ endif }\n".repeat(arguments.n));
    for i in 0..arguments.n.min(100_000) {
        host = host.with_file(&format!("/many/folder{}/file{i}.txt", i % 100), "x");
    }
    host
}

/// The variables that a text names.
fn names_in(text: &str) -> BTreeSet<String> {
    let source = Source::new("call", text).unwrap();
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    variables(parsed.expression()).iter().map(|variable| variable.root().to_owned()).collect()
}

/// One call at one size.
struct Measured {
    took: Duration,
    gap: Duration,
    code: Option<&'static str>,
    detail: String,
}

fn measure(functions: &Arc<FunctionTable>, host: &MemoryHost, text: &str, arguments: &Arguments) -> Measured {
    let names = names_in(text);
    let values = arguments.values(&names.iter().map(String::as_str).collect());
    let mut scope = Scope::builder().functions(Arc::clone(functions)).variables_allowed();
    for (name, value) in values {
        scope = scope.variable(&name, value);
    }
    let scope = scope.build();
    let source = Source::new("call", text).unwrap();
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    let options = EvalOptions { limits: limits(), host: Some(host), ..EvalOptions::default() };
    let ((value, diagnostics), took, gap) = watched(|| evaluate(parsed.expression(), Some(&scope), &options));
    drop(value);
    let said = diagnostics.last();
    Measured {
        took,
        gap,
        code: said.map(|said| said.code),
        detail: said.map(|said| said.detail.chars().take(150).collect()).unwrap_or_default(),
    }
}

/// A text at all sizes.
fn grown(functions: &Arc<FunctionTable>, text: &str, scale: usize) -> Vec<Measured> {
    let grow = |factor| {
        let arguments = Arguments { n: 100 * factor * scale, width: 50 };
        let host = if text.contains("(\"/") { world(&arguments) } else { MemoryHost::new() };
        measure(functions, &host, text, &arguments)
    };
    FACTORS.into_iter().map(grow).collect()
}

#[test]
fn looks_are_frequent() {
    let scale: usize = std::env::var("HCL_LOOKS_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1);
    let only = std::env::var("HCL_LOOKS_ONLY").unwrap_or_default();
    let most = Duration::from_millis(20);
    let mut done = BTreeSet::new();
    let mut bad = 0;
    for product in dialect::PRODUCTS {
        let table = dialect::by_name(product).unwrap();
        let mut names: Vec<&str> = table.names().collect();
        names.sort_unstable();
        let mut texts = Vec::new();
        for name in names {
            let short = name.strip_prefix("core::").unwrap_or(name);
            match CALLS.iter().find(|(called, _)| *called == short) {
                Some((_, calls)) => texts.extend(calls.iter().copied()),
                None => {
                    println!("{product}: nothing is asked of {name}");
                    bad += 1;
                }
            }
        }
        if product == "terraform" {
            texts.extend(OTHERS);
        }
        for text in texts {
            if !text.contains(&only) || !done.insert(text) {
                continue;
            }
            let all = grown(&table, text, scale);
            let [.., eighth, last] = &all[..] else { continue };
            let is_bad = last.gap > most;
            bad += usize::from(is_bad);
            println!(
                "{}{product} {text}: {:.1} {:.1} ms, gap {:.2} {:.2}, {:?} {}",
                if is_bad { "!! " } else { "" },
                eighth.took.as_secs_f64() * 1e3,
                last.took.as_secs_f64() * 1e3,
                eighth.gap.as_secs_f64() * 1e3,
                last.gap.as_secs_f64() * 1e3,
                last.code,
                last.detail,
            );
        }
    }
    assert_eq!(bad, 0);
}
