//! Arguments that would take much time or memory: refused soon, and without a crash.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use hcl_eval::dialect;
use hcl_eval::limits::Limits;
use hcl_eval::value::Value;
use std::io::Write;

use super::support::evaluate_in;
use crate::stopwatch::Stopwatch;

/// The code of what stops a text, under small limits.
fn stopped(dialect: &str, text: &str, argument: &str) -> Option<String> {
    let table = dialect::by_name(dialect).expect("a dialect");
    let limits = Limits {
        max_output_bytes: 16 << 20,
        max_elements: 500_000,
        max_steps: 100_000_000,
        ..Limits::default()
    };
    let variables = [("s".to_owned(), Value::string(argument))];
    let (_, diagnostics) = evaluate_in(&table, &variables, text, limits);
    diagnostics.last().map(|said| said.code.to_string())
}

/// Nine aliases of nine aliases of nine aliases…
fn alias_bomb() -> String {
    let mut document = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (before, name) in ('a'..='y').zip('b'..='z') {
        let aliases = vec![format!("*{before}"); 9].join(", ");
        document.push_str(&format!("{name}: &{name} [{aliases}]\n"));
    }
    document
}

fn zip_bomb() -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![b'a'; 1 << 20];
    for _ in 0..200 {
        encoder.write_all(&piece).expect("memory");
    }
    STANDARD.encode(encoder.finish().expect("memory"))
}

#[test]
fn bombs_are_refused() {
    let start = Stopwatch::start();
    let cases = [
        ("terraform", "yamldecode(s)", alias_bomb(), "limit.elements"),
        ("packer", "length(yamldecode(s))", alias_bomb(), "limit.elements"),
        ("opentofu", "length(base64gunzip(s))", zip_bomb(), "limit.output"),
        ("terraform", "yamldecode(s)", "[".repeat(1 << 20), "limit.depth"),
        ("terraform", "yamldecode(s)", "- ".repeat(1 << 20), "limit.depth"),
        ("terraform", "yamldecode(s)", "? ".repeat(1 << 20), "eval.call.failed"),
        ("terraform", "csvdecode(s)", "a\n".to_owned() + &"b\n".repeat(1 << 20), "limit.elements"),
        ("terraform", "yamldecode(s)", "- a\n".repeat(1 << 20), "limit.elements"),
        ("terraform", "replace(s, \"\", s)", "a".repeat(1 << 20), "limit.output"),
        ("terraform", "join(s, split(\"\", s))", "a".repeat(100_000), "limit.output"),
        (
            "terraform",
            "yamlencode([for i in range(1000) : [for j in range(400) : \"${s}${s}\"]])",
            "a".repeat(64),
            "limit.output",
        ),
        ("terraform", "yamlencode(1e600000000)", String::new(), "limit.output"),
        ("terraform", "[for i in range(1000) : \"${1e2000000}\"]", String::new(), "limit.elements"),
        ("terraform", "join(\",\", [for i in range(1000) : 1e2000000])", String::new(), "limit.elements"),
        ("terraform", "upper(1e600000000)", String::new(), "eval.call.invalid_argument"),
        ("terraform", "format(\"%1000000000d\", 1)", String::new(), "eval.call.failed"),
        ("terraform", "range(1e12)", String::new(), "eval.call.failed"),
        (
            "terraform",
            "rsadecrypt(\"AAAA\", s)",
            "-----BEGIN A-----\n".to_owned() + &"a".repeat(1 << 20),
            "limit.steps",
        ),
        ("terraform", "rsadecrypt(\"AAAA\", s)", "a".repeat(1 << 20), "eval.call.invalid_argument"),
        ("terraform", "[for i in range(1000) : parseint(s, 10)]", "9".repeat(1 << 20), "limit.steps"),
        ("terraform", "setproduct(range(1000), range(1000))", String::new(), "limit.elements"),
        ("terraform", "indent(1000000, s)", "\n".repeat(1000), "limit.output"),
        ("terraform", "chunklist(split(\"\", s), 1)", "a".repeat(1 << 20), "limit.elements"),
    ];
    for (dialect, text, argument, wanted) in cases {
        assert_eq!(stopped(dialect, text, &argument).as_deref(), Some(wanted), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// A deadline is kept within a function, too.
#[test]
fn deadlines_are_kept() {
    let start = Stopwatch::start();
    let deadline = Some(Instant::now() + Duration::from_millis(50));
    let limits = Limits { deadline, max_steps: u64::MAX, ..Limits::default() };
    let variables = [("s".to_owned(), Value::string("6".repeat(8 << 20)))];
    let (_, diagnostics) = evaluate_in(&dialect::terraform(), &variables, "parseint(s, 7)", limits);
    assert_eq!(diagnostics.last().map(|said| &*said.code), Some("limit.deadline"));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Sixteen times the elements take nothing like 256 times the time.
#[test]
fn collections_take_linear_time() {
    let texts = [
        "distinct(a)",
        "setunion(a, a)",
        "setintersection(a, a)",
        "zipmap(a, a)",
        "flatten([a, [a]])",
        "matchkeys(a, a, a)",
        "sort(a)",
        "chunklist(a, 2)",
        "reverse(a)",
        "concat(a, a)",
        "jsondecode(jsonencode(a))",
        "yamldecode(yamlencode(a))",
        "compact(a)",
        "join(\",\", a)",
        "merge([for x in a : { (x) = 1 }]...)",
        "transpose({ for x in a : x => [x] })",
        "csvdecode(join(\"\\n\", a))",
        "formatlist(\"%s\", a)",
        "index(a, \"none\")",
        "contains(a, \"none\")",
        "regexall(\"[0-9]+\", join(\",\", a))",
        "setproduct(a, [1])",
        "keys({ for x in a : x => x })",
    ];
    let time = |n: usize, text: &str| {
        let texts: Vec<Value> = (0..n).map(|i| Value::string(format!("k{i}"))).collect();
        let variables = [("a".to_owned(), Value::list(hcl_eval::Type::String, texts))];
        let start = Stopwatch::start();
        let (value, _) = evaluate_in(&dialect::terraform(), &variables, text, Limits::default());
        drop(value);
        start.elapsed()
    };
    for text in texts {
        let best = |n| (0..3).map(|_| time(n, text)).min().unwrap_or_default();
        let (small, large) = (best(5_000), best(80_000));
        // There is room for a loaded machine.
        assert!(large < small * 100 + Duration::from_millis(200), "{text}: {small:?}, then {large:?}");
    }
}

/// The last thing that is said of a text.
fn complaint(dialect: &str, text: &str, argument: &Value) -> (Cow<'static, str>, String) {
    let table = dialect::by_name(dialect).expect("a dialect");
    let variables = [("s".to_owned(), argument.clone())];
    let (_, diagnostics) = evaluate_in(&table, &variables, text, Limits::default());
    let said = diagnostics.last().expect("a complaint");
    (said.code.clone(), said.detail.clone())
}

/// Complaints that quote their arguments don't when these are marked.
#[test]
fn complaints_keep_secrets() {
    let cases = [
        ("parseint(s, 10)", "\"hunter2\"", "cannot parse (sensitive value) as a base 10 integer"),
        ("cidrhost(s, 1)", "\"hunter2\"", "invalid CIDR address: (sensitive value)"),
        ("cidrhost(\"10.0.0.0/8\", s)", "987654321", "a host numbered (sensitive value)."),
        ("csvdecode(s)", "\"hunter2,hunter2\\na,b\"", "duplicate column name (sensitive value)"),
        ("formatdate(\"YYYY\", s)", "\"hunter2-1\"", "cannot use (sensitive value) as year"),
        ("regex(s, \"a\")", "\"(hunter2\"", "missing closing ) in (sensitive value)"),
        ("regex(s, \"a\")", "\"a'\\\\d(hunter2\"", "missing closing ) in (sensitive value)"),
        ("regex(s, \"a\")", "\"a[hunter2\"", "missing closing ] in (sensitive value)"),
        ("replace(\"a\", s, \"\")", "\"/(hunter2/\"", "missing closing ) in (sensitive value)"),
        ("cidrnetmask(s)", "\"\\\"a\\\": hunter2\"", "invalid CIDR address: (sensitive value)"),
        ("templatestring(s, {})", "\"$${hunter2.a}\"", "there is no (sensitive value) among"),
        (
            "templatestring(s, {})",
            "\"$${hunter2()}\"",
            "<templatestring argument>:1,3-10: Call to unknown function.",
        ),
        (
            "templatestring(s, {})",
            "\"$${[1][987654321]}\"",
            "<templatestring argument>:1,6-17: Invalid index.",
        ),
        (
            "provider::terraform::decode_tfvars(s)",
            "\"a = <<hunter2\"",
            "argument>:1,5-6: Invalid expression.",
        ),
        (
            "provider::terraform::decode_tfvars(s)",
            "\"a = [1][987654321]\"",
            "argument>:1,8-19: Invalid index.",
        ),
        ("transpose(s)", "{ hunter2 = 1 }", "\"values\" parameter: map of list of string required"),
        ("true ? s : { a = 1 }", "{ hunter2 = [] }", "is inside them has no common type"),
        ("true ? [s] : [{ a = 1 }]", "{ hunter2 = [] }", "is inside them has no common type"),
        ("uuidv5(s, \"a\")", "\"hunter2\\\"\"", "(sensitive value) is no namespace"),
        ("uuidv5([s][0], \"a\")", "\"hunter2\"", "(sensitive value) is no namespace"),
        ("yamldecode(s)", "\"!hunter2 a\"", "the tag (sensitive value) is not supported"),
    ];
    let makers = dialect::makers();
    for (text, secret, wanted) in cases {
        let (secret, _) = evaluate_in(&makers, &[], &format!("sensitive({secret})"), Limits::default());
        let (_, detail) = complaint("terraform", text, &secret);
        assert!(detail.contains(wanted), "{text}: {detail}");
        assert!(!detail.contains("hunter2") && !detail.contains("987654321"), "{text}: {detail}");
    }
    // Names of parameters and other words stay, whatever the secret is.
    let (secret, _) = evaluate_in(&makers, &[], "sensitive(\"number as\")", Limits::default());
    let (_, detail) = complaint("terraform", "parseint(s, 10)", &secret);
    assert!(
        detail.starts_with("Invalid value for \"number\" parameter: cannot parse (sensitive"),
        "{detail}"
    );
}

/// A message about megabytes does not quote megabytes.
#[test]
fn complaints_stay_short() {
    for text in
        ["parseint(s, 10)", "uuidv5(s, \"a\")", "cidrhost(s, 1)", "base64decode(s)", "tonumber(s)", "s + 1"]
    {
        let (_, detail) = complaint("terraform", text, &Value::string("é~".repeat(1 << 20)));
        assert!(detail.len() < 5_000, "{text}: {} bytes", detail.len());
    }
}

/// A refusal has one code and says what to do, in every function.
#[test]
fn refusals_say_what_to_allow() {
    let cases = [
        ("terraform", "bcrypt(\"a\")", "random"),
        ("terraform", "uuid()", "random"),
        ("packer", "legacy_isotime(\"2006\")", "clock"),
        ("packer", "legacy_strftime(\"%Y\")", "clock"),
        ("terraform", "timestamp()", "clock"),
    ];
    for (dialect, text, capability) in cases {
        let (code, detail) = complaint(dialect, text, &Value::string(""));
        assert_eq!(code, "eval.call.not_allowed", "{text}: {detail}");
        assert!(detail.ends_with(&format!("--allow {capability}.")), "{text}: {detail}");
    }
}

/// Counting characters is work too.
#[test]
fn counting_is_charged() {
    let start = Stopwatch::start();
    for (dialect, text) in
        [("terraform", "length(s)"), ("terraform", "substr(s, -1, 1)"), ("nomad", "strlen(s)")]
    {
        let limits = Limits { max_steps: 50_000, ..Limits::default() };
        let table = dialect::by_name(dialect).expect("a dialect");
        let variables = [("s".to_owned(), Value::string("é".repeat(4 << 20)))];
        let (_, diagnostics) = evaluate_in(&table, &variables, text, limits);
        assert_eq!(diagnostics.last().map(|said| &*said.code), Some("limit.steps"), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
