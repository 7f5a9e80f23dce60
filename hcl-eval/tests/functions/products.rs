//! Functions that few products have, and functions that need a host or a key.

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::host::{Host, HostError, Timestamp};
use hcl_eval::limits::Limits;
use hcl_eval::value::{Reveal, Value};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::support::{in_dialect, terraform};
use crate::stopwatch::Stopwatch;

/// A host with a fixed time and salt.
struct Fixed;

impl Host for Fixed {
    fn now(&self) -> Result<Timestamp, HostError> {
        Ok(Timestamp { seconds: 1_136_239_445, nanoseconds: 120_000_000 })
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        for (byte, salt) in buffer.iter_mut().zip([0x10, 0x41, 0x04].into_iter().cycle()) {
            *byte = salt;
        }
        Ok(())
    }
}

fn with_host(functions: &str, text: &str, limits: Limits) -> Result<Value, Cow<'static, str>> {
    let table = dialect::by_name(functions).expect("a dialect");
    let scope = Scope::builder().functions(table).variables_allowed().build();
    let source = Source::new("test", text).expect("tests are short");
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{text}: {problems:?}");
    let options = EvalOptions { limits, host: Some(&Fixed), ..EvalOptions::default() };
    let (value, diagnostics) = evaluate(parsed.expression(), Some(&scope), &options);
    diagnostics.first().map_or(Ok(value), |said| Err(said.code.clone()))
}

fn shown(functions: &str, text: &str) -> String {
    match with_host(functions, text, Limits::default()) {
        Ok(value) => value.display_console_with(Reveal::Everything),
        Err(code) => code.into_owned(),
    }
}

/// The digest is one of the test vectors that implementations of bcrypt share.
#[test]
fn bcrypt_with_a_known_salt() {
    let digest = shown("terraform", r#"bcrypt("U*U", 5)"#);
    assert_eq!(digest, "\"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\"");
    assert!(shown("terraform", r#"bcrypt("a", 3)"#).starts_with("\"$2a$10$"));
    assert_eq!(shown("terraform", r#"bcrypt("a", 32)"#), "eval.call.failed");
    assert_eq!(shown("terraform", r#"bcrypt("a", 4, 4)"#), "eval.call.failed");
    let limits = Limits { max_steps: 1_000_000, ..Limits::default() };
    assert_eq!(with_host("terraform", r#"bcrypt("a", 31)"#, limits).err().as_deref(), Some("limit.steps"));
    let start = Stopwatch::start();
    let limits = Limits {
        max_steps: u64::MAX,
        deadline: Some(Instant::now() + Duration::from_millis(50)),
        ..Limits::default()
    };
    assert_eq!(with_host("terraform", r#"bcrypt("a", 31)"#, limits).err().as_deref(), Some("limit.deadline"));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(terraform(r#"bcrypt("a", 4)"#), "error: Error in function call");
}

#[test]
fn layouts_of_old() {
    let cases = [
        ("legacy_isotime()", "\"2006-01-02T22:04:05Z\""),
        (r#"legacy_isotime("Monday, 02-Jan-06 15:04:05 MST")"#, "\"Monday, 02-Jan-06 22:04:05 UTC\""),
        (
            r#"legacy_isotime("Januar Month 3:04PM .000 .999 _2 __2 002")"#,
            "\"Januar Month 10:04PM .120 .12  2   2 002\"",
        ),
        (r#"legacy_strftime("%Y-%m-%d %H:%M:%S %p %q 2006")"#, "\"2006-01-02 22:04:05 PM %q 2006\""),
        (r#"legacy_strftime("%A %a %B %b %I %y %z %Z")"#, "\"Monday Mon January Jan 10 06 +0000 UTC\""),
        (r#"legacy_isotime("a", "b")"#, "eval.call.failed"),
    ];
    for (text, wanted) in cases {
        assert_eq!(shown("packer", text), wanted, "{text}");
    }
}

#[test]
fn times_taken_apart() {
    let packer = dialect::packer();
    let show = |text: &str| in_dialect(&packer, text);
    let parsed = r#"jsonencode(rfc3339_parse("2021-01-03 23:30:15.5+02:00"))"#;
    let wanted = r#"{"day":3,"hour":23,"iso_week":53,"iso_year":2020,"minute":30,"month":1,"month_name":"January","second":15,"unix":1609709415,"weekday":0,"weekday_name":"Sunday","year":2021,"year_day":3}"#;
    assert_eq!(show(parsed), format!("{wanted:?}"));
    assert_eq!(show("unix_timestamp_parse(1609709415).rfc3339"), "\"2021-01-03T21:30:15Z\"");
    assert_eq!(show("unix_timestamp_parse(-1).year"), "1969");
    assert_eq!(show("unix_timestamp_parse(9223372036854775807).month > 0"), "true");
    assert_eq!(show("unix_timestamp_parse(1.5)"), "error: Invalid function argument");
    assert_eq!(show(r#"rfc3339_parse("yesterday")"#), "error: Invalid function argument");
}

#[test]
fn converting_to_a_written_type() {
    for dialect in [dialect::packer(), dialect::nomad(), dialect::hcl()] {
        let show = |text: &str| in_dialect(&dialect, text);
        assert_eq!(show(r#"convert(["1", 2], list(number))"#), "tolist([\n  1,\n  2,\n])");
        assert_eq!(
            show("convert({a = 1}, object({a = string, b = optional(bool)}))"),
            "error: Invalid function argument"
        );
        assert_eq!(show(r#"convert("x", number)"#), "error: Invalid function argument");
        assert_eq!(show("convert(null, string)"), "tostring(null)");
        assert_eq!(show("convert(nosuch, string)"), "error: Unknown variable");
        assert!(show("convert(1, strin)").starts_with("error: Invalid type specification"));
        assert_eq!(show("convert([1, string]...)"), "error: Unknown variable");
    }
}

#[test]
fn the_library_under_its_own_names() {
    let hcl = dialect::hcl();
    let cases = [
        ("add(1, \"2\")", "3"),
        ("modulo(-5, 3)", "-2"),
        ("divide(1, 0)", "+Inf"),
        ("divide(0, 0)", "error: Error in function call"),
        ("int(-1.9)", "-1"),
        ("negate(2)", "-2"),
        ("and(true, false)", "false"),
        ("or(true, false)", "true"),
        ("not(\"false\")", "true"),
        ("equal([1], [1])", "true"),
        ("notequal(1, \"1\")", "true"),
        ("lessthan(1, 2) && greaterthanorequalto(2, 2)", "true"),
        ("assertnotnull(null)", "error: Invalid function argument"),
        ("hasindex([1], 0)", "true"),
        ("hasindex({a = 1}, \"a\")", "error: Error in function call"),
        ("index([\"a\", \"b\"], 1)", "\"b\""),
        ("sethaselement([1, 2], 2)", "true"),
        ("setsymmetricdifference([1, 2], [2, 3])", "toset([\n  1,\n  3,\n])"),
        ("byteslen(\"a\")", "error: Invalid function argument"),
        ("timestamp()", "error: Call to unknown function"),
    ];
    for (text, wanted) in cases {
        assert_eq!(in_dialect(&hcl, text), wanted, "{text}");
    }
}

/// Bytes come from the host, as a capsule.
#[test]
fn bytes_of_the_host() {
    let buffer = Value::capsule(dialect::bytes_type(), Arc::new(b"hello".to_vec()));
    let show = |text: &str| {
        let variables = [("buffer".to_owned(), buffer.clone())];
        let (value, diagnostics) =
            super::support::evaluate_in(&dialect::hcl(), &variables, text, Limits::default());
        diagnostics.first().map_or_else(|| value.display_console(), |said| said.summary.to_string())
    };
    assert_eq!(show("byteslen(buffer)"), "5");
    assert_eq!(show("byteslen(bytesslice(buffer, 1, 3))"), "3");
    assert_eq!(show("bytesslice(buffer, 3, 3)"), "Error in function call");
    assert_eq!(show("bytesslice(buffer, -1, 3)"), "Invalid function argument");
}
