//! How often work looks at the clock: every function of every dialect with arguments that grow.
//!
//! The token of these tests is asked at every look, and measures how long the thread has worked since the one before. Only the
//! processor time of the thread counts, so that other work on the machine does not.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::borrow::Cow;
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
use hcl_eval::value::{Number, Value};
use hcl_syntax::ast::variables;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;
use num_bigint::BigUint;

#[path = "../../../tests/stopwatch.rs"]
mod stopwatch;
#[path = "../../../tests/watched.rs"]
mod watched;

mod bodies;
mod calls;
mod counted;

use watched::{LONGEST_GAP, token, watched};

/// A call of each function. Variables stand for arguments that grow: see [`Arguments`].
use calls::{CALLS, OTHERS};

/// Sizes, in multiples of the base size.
const FACTORS: [usize; 5] = [1, 2, 4, 8, 64];

/// The limits of an evaluation that is watched.
fn limits() -> Limits {
    let deadline = Some(Instant::now() + Duration::from_secs(3600));
    Limits { deadline, cancel: Some(token()), max_steps: 5_000_000, ..Limits::default() }
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

    #[expect(clippy::too_many_lines, reason = "it is a table")]
    fn value(&self, name: &str) -> Value {
        let n = self.n;
        let small = Value::object(vec![("a".into(), Value::int(1)), ("b".into(), Value::string("x"))]);
        match name {
            "n" => Value::count(n),
            "size" => Value::count(n * self.width),
            "ascii" => Value::string(self.ascii()),
            // Letters and accents that come together when the text is normalised.
            "accents" => {
                Value::string("e\u{301}\u{323}o\u{308} \u{1100}\u{1161}".repeat(n * self.width / 14))
            }
            "marks" => Value::string(format!("e{}", "\u{301}".repeat(n * self.width / 2))),
            "digits" => Value::string("7".repeat(n * self.width)),
            "hours" => Value::string("0h".repeat(n * self.width / 2)),
            "big" => Value::number(Number::parse(&format!("1e{}", n * self.width)).unwrap()),
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
                (0..n)
                    .map(|i| if i % 2 == 0 { Value::count(i) } else { Value::string(format!("element {i}")) })
                    .collect(),
            ),
            "objects" => Value::list(small.ty(), vec![small; n]),
            "own" => {
                let object =
                    |i| Value::object(vec![("a".into(), Value::count(i)), ("b".into(), Value::string("x"))]);
                Value::list(small.ty(), (0..n).map(object).collect())
            }
            "lists" => Value::list(
                Type::list(Type::Number),
                (0..n).map(|i| Value::list(Type::Number, vec![Value::count(i)])).collect(),
            ),
            "type" | "number" | "string" => Value::TRUE, // words of types
            "set" => Value::set(
                Type::String,
                (0..n).map(|i| Value::string(format!("text number {i} is this"))).collect(),
            ),
            "map" => Value::map(
                Type::String,
                (0..n).map(|i| (format!("key number {i}").as_str().into(), Value::string("x"))).collect(),
            ),
            "listmap" => Value::map(
                Type::list(Type::String),
                (0..n)
                    .map(|i| {
                        (
                            format!("key number {i}").as_str().into(),
                            Value::list(Type::String, vec![Value::string(format!("v{}", i / 2))]),
                        )
                    })
                    .collect(),
            ),
            "object" => Value::object(
                (0..n).map(|i| (format!("key number {i}").as_str().into(), Value::count(i))).collect(),
            ),
            // One element that is large itself.
            "heavy" => Value::tuple(vec![self.numbers()]),
            "json" => {
                let list: Vec<String> = (0..n).map(|i| format!("{{\"a\":{i},\"b\":[\"x\",null]}}")).collect();
                Value::string(format!("[{}]", list.join(",")))
            }
            "jsontext" => Value::string(format!("\"{}\"", "ab\\u00e9".repeat(n * self.width / 8))),
            "jsonkeys" => {
                let list: Vec<String> =
                    (0..n).map(|i| format!("\"key {}\":{i}", i * 7919 % 65_537)).collect();
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
            "anchors" => Value::string((0..n).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "- &anchor{i} x");
                text
            })),
            "tags" => Value::string((0..n).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "%TAG !a{i}! tag:x");
                text
            })),
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
            "classes" => Value::string("\\pL?".repeat(n)),
            "optional" => Value::string("a?".repeat(n / 8) + &"a".repeat(n / 8)),
            "short" => Value::string("a".repeat(n)),
            "as" => Value::string("a".repeat(n * self.width)),
            "folders" => Value::string("a/".repeat(n * self.width / 2)),
            "stars" => Value::string("*".repeat(n * self.width) + "b"),
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
    code: Option<Cow<'static, str>>,
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
        code: said.map(|said| said.code.clone()),
        detail: said.map(|said| said.detail.chars().take(150).collect()).unwrap_or_default(),
    }
}

/// The longest time for what [`IN_ONE_GO`] lists.
const LONGEST_PIECE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 180 } else { 80 });

/// Calls whose work grows faster than their arguments, with the law. What they do is charged accordingly.
const FASTER_GROWTH: &[(&str, &str)] = &[
    ("bcrypt(", "doubles with each step of the cost"),
    ("regex(", "states of the pattern times length of the text"),
    ("(regex(", "states of the pattern times length of the text"),
    ("(?:.*x|a)", "each match may have searched the whole text"),
    ("setproduct(", "the product of the lengths"),
    ("pow(", "digits of the result"),
    ("parseint(", "a power of the digits between 1 and 2"),
    ("%b", "the square of the digits"),
    ("%d", "the square of the digits"),
    ("${big}", "the square of the digits"),
];

/// Calls that do something in one go, with what that is. They may take [`LONGEST_PIECE`] for it.
const IN_ONE_GO: &[(&str, &str)] = &[
    ("can(jsondecode(", "the value is released, 256,000 objects with lists in them"),
    ("merge([for ", "the arguments are released, 256,000 objects"),
    ("setproduct(own, [own])", "a list of 256,000 tuples is released"),
    ("regex(optional", "a pattern of 96,000 characters is compiled; programs of more than 10 MB are refused"),
    ("regex(classes", "a pattern is compiled; more than 131,072 ranges of classes are refused"),
    ("regex(\"(?i)", "a pattern is compiled; programs of more than 10 MB are refused"),
    ("? own :", "the types of 256,000 objects are made and compared; the deadline is asked beforehand"),
];

/// How much is asked: `make test-slow` asks twice as much as `make test`, and `make check-all` still more.
fn scale() -> usize {
    let by_default = if std::env::var_os("HCL_SLOW").is_some() { 2 } else { 1 };
    std::env::var("HCL_LOOKS_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(by_default)
}

/// The calls of the functions of a table, by name.
fn calls_of(product: &str, functions: &FunctionTable) -> Vec<&'static str> {
    let mut names: Vec<&str> = functions.names().collect();
    names.sort_unstable();
    let mut texts = Vec::new();
    for name in names {
        let short = name.strip_prefix("core::").unwrap_or(name);
        let calls = CALLS.iter().find(|(called, _)| *called == short);
        let Some((_, calls)) = calls else {
            panic!("{product}: nothing is asked of {name}: add calls of it to hcl-eval/tests/looks/calls.rs");
        };
        texts.extend(*calls);
    }
    texts
}

/// Complaints about a text as its arguments grew.
fn complaint(text: &str, [.., eighth, last]: &[Measured; FACTORS.len()]) -> Option<String> {
    let in_one_go = IN_ONE_GO.iter().any(|(part, _)| text.contains(part));
    if last.gap > if in_one_go { LONGEST_PIECE } else { LONGEST_GAP } {
        return Some(format!("no look for {:?}", last.gap));
    }
    let ended = |measured: &Measured| measured.code.as_ref().is_some_and(|code| code.starts_with("limit."));
    let grows_faster = FASTER_GROWTH.iter().any(|(part, _)| text.contains(part));
    // Eight times the size, a logarithm, and room for a loaded machine.
    let most = eighth.took * 30 + Duration::from_millis(50);
    if last.took > most && !grows_faster && !ended(last) {
        return Some(format!("{:?}, then {:?} for eight times as much", eighth.took, last.took));
    }
    last.code.as_ref().filter(|code| code.starts_with("eval.variable")).map(|_| last.detail.clone())
}

#[test]
fn looks_are_frequent() {
    let only = std::env::var("HCL_LOOKS_ONLY").unwrap_or_default();
    let (mut done, mut wrong) = (BTreeSet::new(), Vec::new());
    // A function without calls is told before anything is measured, which takes long.
    let asked = dialect::PRODUCTS.map(|product| {
        let table = dialect::by_name(product).unwrap();
        let texts = calls_of(product, &table);
        (product, table, texts)
    });
    for (product, table, mut texts) in asked {
        if product == "terraform" {
            texts.extend(OTHERS);
        }
        for text in texts {
            if !text.contains(&only) || !done.insert(text) {
                continue;
            }
            let complaint = || {
                let measured = FACTORS.map(|factor| {
                    let arguments = Arguments { n: 100 * factor * scale(), width: 50 };
                    let host = if text.contains("(\"/") { world(&arguments) } else { MemoryHost::new() };
                    measure(&table, &host, text, &arguments)
                });
                let last = &measured[FACTORS.len() - 1];
                println!(
                    "{text}: {:?}, no look for {:?}, {:?} {}",
                    last.took, last.gap, last.code, last.detail
                );
                complaint(text, &measured)
            };
            // Other work of the machine makes a call slower, and none quicker.
            let complaint = complaint().and_then(|_| complaint()).and_then(|_| complaint());
            wrong.extend(complaint.map(|complaint| format!("{text}: {complaint}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Digits by the hundred thousand, which a few bytes of text may ask for, are found in pieces.
#[test]
fn long_numbers_are_written_and_read_in_pieces() {
    // Halfway between two numbers of 512 bits: only the last of all digits tells that it is not nearer to one of them.
    // The texts of more digits are longer than the limits allow.
    let n = 100_000 * u32::try_from(scale()).unwrap().min(5);
    let digits = ((BigUint::from(1_u32) << 512_u32) + 1_u32) * BigUint::from(5_u32).pow(n);
    let halfway = format!("{digits}e-{n}");
    let variables = [
        ("long", Value::string("f".repeat(n as usize))),
        ("halfway", Value::string(&halfway)),
        ("json", Value::string(format!("[{halfway}, {halfway}]"))),
        ("tiny", Value::number(Number::parse(&format!("1e-{n}")).unwrap())),
        ("huge", Value::number(Number::parse(&format!("1e{n}")).unwrap())),
        ("half", Value::count(n as usize / 2)),
    ];
    let texts = [
        "format(\"%d\", huge)",
        "format(\"%x\", huge)",
        "format(\"%f\", huge)",
        "format(\"%v\", huge)",
        "format(\"%.${half}e\", huge)",
        "format(\"%.${half}g\", huge)",
        "format(\"%.${half}e\", tiny)",
        "format(\"%.${2 * half}f\", tiny)",
        "tostring(parseint(long, 16))",
        "\"x${parseint(long, 16)}\"",
        "jsonencode(parseint(long, 16))",
        "yamlencode(parseint(long, 16))",
        "format(\"%d\", parseint(long, 16))",
        "tonumber(halfway)",
        "jsondecode(json)",
        "yamldecode(json)",
        "1 + halfway",
        halfway.as_str(),
        "max(halfway, 1)",
    ];
    let mut scope = Scope::builder().functions(dialect::by_name("terraform").unwrap()).variables_allowed();
    for (name, value) in variables {
        scope = scope.variable(name, value);
    }
    let scope = scope.build();
    let mut wrong = Vec::new();
    for text in texts {
        let (parsed, _) = parse_expression(Source::new("call", text).unwrap(), &ParseLimits::default());
        let limits = Limits { max_steps: u64::MAX, ..limits() };
        let options = EvalOptions { limits, ..EvalOptions::default() };
        let ((_, diagnostics), took, gap) = watched(|| evaluate(parsed.expression(), Some(&scope), &options));
        let shown = &text[..text.len().min(40)];
        println!("{shown}: {took:?}, no look for {gap:?}");
        assert!(diagnostics.is_empty(), "{shown}: {diagnostics:?}");
        if gap > LONGEST_GAP {
            wrong.push(format!("{shown}: no look for {gap:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Expressions of texts that are as long as the limits allow.
const OF_LONG_TEXTS: &[&str] = &[
    "upper(plain)",
    "lower(lines)",
    "title(lines)",
    "chomp(plain)",
    "trimspace(lines)",
    "trimprefix(lines, \"Some\")",
    "trim(plain, \"y\")",
    "indent(1, plain)",
    "indent(1, lines)",
    "indent(n, \"a\\nb\")",
    "split(\"none\", plain)",
    "split(\"none\", lines)",
    "split(needle, plain)",
    "split(\"S\", substr(lines, 0, n / 4))",
    "replace(plain, \"none\", \"z\")",
    "replace(lines, \"Some\", \"Many\")",
    "replace(accents, \"none\", \"z\")",
    "replace(plain, \"/none/\", \"z\")",
    "replace(\"ab\", \"\", plain)",
    "join(\"\", [plain, \"y\"])",
    "substr(plain, 1, -1)",
    "strrev(plain)",
    "strcontains(lines, \"none\")",
    "strcontains(lines, needle)",
    "strcontains(plain, needle)",
    "startswith(plain, plain)",
    "format(\"%s\", plain)",
    "format(\"%1000000s\", \"a\")",
    "jsonencode(plain)",
    "jsonencode(lines)",
    "yamlencode(plain)",
    "base64encode(substr(plain, 0, n / 2))",
    "urlencode(plain)",
    "textencodebase64(substr(plain, 0, n / 4), \"UTF-16LE\")",
    "sha256(plain)",
    "\"${plain}y\"",
    "plain == \"${plain}\"",
];

/// Texts as long as the limits allow are searched, changed and copied to where they stay in pieces.
#[test]
fn texts_of_all_that_the_limits_allow_are_worked_on_in_pieces() {
    let n = (1_200_000 * scale()).min(48_000_000);
    let variables = [
        ("n", Value::count(n)),
        ("lines", Value::string("Some words, of 7 lines.\n".repeat(n / 24))),
        ("plain", Value::string("x".repeat(n))),
        ("accents", Value::string("e\u{301}\u{323}o\u{308} \u{1100}\u{1161}".repeat(n / 14))),
        ("needle", Value::string(format!("{}y", "x".repeat(100)))),
    ];
    let mut scope = Scope::builder().functions(dialect::by_name("terraform").unwrap()).variables_allowed();
    for (name, value) in variables {
        scope = scope.variable(name, value);
    }
    let scope = scope.build();
    let mut wrong = Vec::new();
    for &text in OF_LONG_TEXTS {
        let (parsed, _) = parse_expression(Source::new("call", text).unwrap(), &ParseLimits::default());
        let measure = || {
            let limits = Limits {
                max_steps: u64::MAX,
                max_elements: u64::MAX,
                max_output_bytes: u64::MAX,
                max_memory: u64::MAX,
                ..limits()
            };
            let options = EvalOptions { limits, ..EvalOptions::default() };
            let ((_, diagnostics), took, gap) =
                watched(|| evaluate(parsed.expression(), Some(&scope), &options));
            println!("{text}: {took:?}, no look for {gap:?}");
            assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
            gap
        };
        // Other work of the machine makes a call slower, and none quicker.
        let gap = measure();
        let gap = if gap > LONGEST_GAP { gap.min(measure()).min(measure()) } else { gap };
        if gap > LONGEST_GAP {
            wrong.push(format!("{text}: no look for {gap:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A callback takes its own time, and a look follows it.
#[test]
fn a_callback_is_followed_by_a_look() {
    use hcl_eval::function::Function;

    let late = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let token = CancelToken::asking({
        let late = Arc::clone(&late);
        move || late.load(std::sync::atomic::Ordering::Relaxed)
    });
    let calls = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let slow = Function::new("slow", "Takes long.").pure(false).implementation({
        let (late, calls) = (Arc::clone(&late), Arc::clone(&calls));
        move |_, _| {
            late.store(true, std::sync::atomic::Ordering::Relaxed);
            calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(Value::int(1))
        }
    });
    let table: FunctionTable = [slow].into_iter().collect();
    let scope = Scope::builder().functions(Arc::new(table)).variables_allowed().build();
    let (parsed, _) =
        parse_expression(Source::new("call", "[slow(), slow(), slow()]").unwrap(), &ParseLimits::default());
    let limits = Limits { cancel: Some(token), ..Limits::default() };
    let (_, diagnostics) =
        evaluate(parsed.expression(), Some(&scope), &EvalOptions { limits, ..EvalOptions::default() });
    assert_eq!(diagnostics.iter().map(|said| &*said.code).collect::<Vec<_>>(), ["limit.cancelled"]);
    assert_eq!(calls.load(std::sync::atomic::Ordering::Relaxed), 1);
}
