//! Facts about single functions that the corpora do not show, and hostile arguments.

use hcl_eval::limits::Limits;
use hcl_eval::{Value, dialect};

use super::support::{evaluate_in, in_dialect, terraform};
use crate::stopwatch::Stopwatch;

fn check(cases: &[(&str, &str)]) {
    for (text, wanted) in cases {
        assert_eq!(terraform(text), *wanted, "{text}");
    }
}

#[test]
fn patterns_are_re2() {
    check(&[
        (r#"regexall("\\B", "aéb c")"#, "tolist([])"),
        (r#"regex("(?i)\\w+", "aſ\u212a")"#, "\"aſK\""),
        (r#"replace("abc", "/(?<1>b)/", "[$1]")"#, "\"a[b]c\""),
        (r#"replace("abc", "/(?<2>b)/", "[$2]")"#, "\"a[]c\""),
        (r#"regex("a{,3}", "xa{,3}")"#, "\"a{,3}\""),
        (r#"regex("a(?i)*", "xaa")"#, "\"\""),
        (r#"regex("a(?i)|B", "b")"#, "\"b\""),
        (r#"regex("(?U)a+", "aaa")"#, "\"a\""),
        (r#"regex("a(?U)+", "aaa")"#, "\"a\""),
        (r#"regex("a(?U)+?", "aaa")"#, "\"aaa\""),
        (r#"regex("(?U:a+?)b+", "aabb")"#, "\"aabb\""),
        (r#"regex("(?U:a(?-U)+)b", "aab")"#, "\"aab\""),
        (r#"join("|", regexall("(?i)k", "Kk\u212a"))"#, "\"K|k|K\""),
        (r#"join("|", regexall("(?i)[^k-m]|ß", "kKmẞ"))"#, "\"ẞ\""),
        (r#"join("|", regexall("(?i:a(?-i)b)B", "AbBabBaBB"))"#, "\"AbB|abB\""),
        (r#"join("|", regexall("(?i)\\p{Lu}σ", "aΣxς"))"#, "\"aΣ|xς\""),
        (r#"regex("[a&&b]+", "x&&a")"#, "\"&&a\""),
        (r#"regex("[[:word:]-]+", "é a-_9")"#, "\"a-_9\""),
        (r#"regex("\\Qa.b\\E+", "a.bbb")"#, "\"a.bbb\""),
        (r#"regex("\\x{1F600}|\\101", "A")"#, "\"A\""),
        (r#"regex("\\pN+", "a12")"#, "\"12\""),
        (r#"regex("\\p{Letter}", "a")"#, "\"a\""),
        (r#"regex("a**", "a")"#, "error: Invalid function argument"),
        (r#"regex("(a{100}){100}", "a")"#, "error: Invalid function argument"),
        (r#"regex("a{1001}", "a")"#, "error: Invalid function argument"),
        (r#"replace("ab", "/(a)/", "[$1²]$1ⓐ$²")"#, "\"[a²]aⓐ$²b\""),
        (r#"replace("ab", "/(?P<99999999999>a)/", "[$99999999999]")"#, "\"[a]b\""),
        (r#"replace("ab", "/(a)/", "[$123456789]")"#, "\"[]b\""),
        (r#"regex("(?:(?:a{59}){0}){25}b", "ab")"#, "\"b\""),
        (r#"regex("(?:(?:a{59}){1}){25}b", "ab")"#, "error: Invalid function argument"),
        (r#"regex(join("", [for i in range(1000) : "(a)(a)(a)"]), "a")"#, "error: Invalid function argument"),
        (r#"regex("(?=a)", "a")"#, "error: Invalid function argument"),
        (r#"regex("\\1", "a")"#, "error: Invalid function argument"),
        (r#"regex("(a", "a")"#, "error: Invalid function argument"),
        (r#"regex("a)", "a")"#, "error: Invalid function argument"),
        (r#"regex("[b-a]", "a")"#, "error: Invalid function argument"),
        (r#"regex("(?x) a", "a")"#, "error: Invalid function argument"),
        (r#"regex("(?P<a>b)(c)", "bc")"#, "error: Invalid function argument"),
        (r#"regex("(?P<a_1>b)", "b").a_1"#, "\"b\""),
        (r#"regex("(?P<>b)", "b")"#, "error: Invalid function argument"),
        (r#"regex("(?<>b)", "b")"#, "error: Invalid function argument"),
        (r#"regex("(?P<a-b>b)", "b")"#, "error: Invalid function argument"),
        (r#"regex("(?P<é>b)", "b")"#, "error: Invalid function argument"),
    ]);
}

#[test]
fn numbers_are_formatted_as_the_reference_does() {
    check(&[
        (r#"format("%.25f", 1/3)"#, "\"0.3333333333333333333333333\""),
        (r#"format("%010.3g|%+.2e|% d", 1234.5678, 0.00012, 5)"#, "\"001.23e+03|+1.20e-04| 5\""),
        (r#"format("%.0f|%.0f|%.0f|%.1f|%.2f", 0.5, 1.5, 0.7, 0.05, 0.001)"#, "\"0|2|1|0.1|0.00\""),
        (r#"format("%.3d|%08.3d|%+d|%-8d|", 5, 7, 3, 9)"#, "\"005|     007|+3|9       |\""),
        (r#"format("%5t|%-5t|", true, false)"#, "\"true|false|\""),
        (r#"format("%.0s|%.s|%.2q", "abc", "def", "ghi")"#, "\"abc|def|\\\"gh\\\"\""),
        (r#"format("%#g|%#.3f|%#d|%#b", 1, 2, 3, 5)"#, "\"1|2.000|3|0b101\""),
        (r#"format("%v", 1234567.5)"#, "\"1.2345675e+06\""),
    ]);
}

#[test]
fn patterns_are_as_long_as_they_may_be() {
    let pattern = |n: usize| {
        let part = "\\\\Q\\\\E".repeat(n);
        format!("regex(join(\"\", [for i in range(1024) : \"{part}\"]), \"b\")")
    };
    // 256 KiB, of which nothing is left.
    assert_eq!(terraform(&pattern(64)), "\"\"");
    assert_eq!(terraform(&pattern(65)), "error: Invalid function argument");
}

#[test]
fn what_can_not_be_added_up_is_told() {
    for (list, told) in [
        ("[]", "cannot sum an empty list"),
        ("toset([])", "cannot sum an empty list"),
        ("{}", "cannot sum an empty list"),
        ("tomap({})", "cannot sum an empty list"),
        ("{ a = 1 }", "argument must be list, set, or tuple. Received object"),
        ("tomap({ a = 1 })", "argument must be list, set, or tuple. Received map of number"),
        ("5", "cannot sum noniterable"),
        ("\"x\"", "cannot sum noniterable"),
        ("[1, null]", "argument must be list, set, or tuple of number values"),
        ("[1, \"x\"]", "argument must be list, set, or tuple of number values"),
        ("[1, []]", "argument must be list, set, or tuple of number values"),
    ] {
        let (_, said) = evaluate_in(&dialect::terraform(), &[], &format!("sum({list})"), Limits::default());
        assert!(said[0].detail.contains(told), "{list}: {}", said[0].detail);
    }
}

#[test]
fn networks_as_the_reference_counts_them() {
    check(&[
        (r#"try(cidrsubnets("0.0.0.0/8", 4, 4), "full")"#, "\"full\""),
        (r#"join(" ", cidrsubnets("255.0.0.0/8", 1, 1))"#, "\"255.0.0.0/9 255.128.0.0/9\""),
        (r#"try(cidrsubnets("255.0.0.0/8", 1, 1, 1), "full")"#, "\"full\""),
        (r#"join(" ", cidrsubnets("ffff::/16", 1, 1))"#, "\"ffff::/17 ffff:8000::/17\""),
        (r#"cidrsubnet("::ffff:10.0.0.0/104", 8, 1)"#, "\"10.1.0.0/16\""),
        (r#"cidrnetmask("::ffff:10.0.0.0/104")"#, "\"ffff:ffff:ffff:ffff:ffff:ffff:ff00:0\""),
        (r#"cidrhost("10.0.0.0/8", -16777216)"#, "\"10.0.0.0\""),
        (r#"try(cidrhost("10.0.0.0/8", -16777217), "none")"#, "\"none\""),
        (r#"cidrsubnet("10.0.0.0/8", 8, -1)"#, "\"0.1.0.0/16\""),
        (r#"cidrsubnet("10.0.0.0/8", -9, 0)"#, "\"<nil>\""),
        (r#"cidrhost("010.0000.0.0/08", 1)"#, "\"10.0.0.1\""),
    ]);
}

#[test]
fn products_differ_where_they_should() {
    let (nomad, packer) = (dialect::nomad(), dialect::packer());
    assert_eq!(in_dialect(&nomad, r#"reverse("abc")"#), "\"cba\"");
    assert_eq!(in_dialect(&packer, r#"reverse(["a", "b"])"#), "[\n  \"b\",\n  \"a\",\n]");
    assert_eq!(in_dialect(&nomad, r#"index(["a", "b"], 1)"#), "\"b\"");
    assert_eq!(in_dialect(&packer, r#"index(["a", "b"], "b")"#), "1");
    assert_eq!(in_dialect(&nomad, r#"coalesce("", "x")"#), "\"\"");
    assert_eq!(in_dialect(&packer, r#"coalesce("", "x")"#), "\"x\"");
    assert_eq!(in_dialect(&nomad, r#"length("abc")"#), "error: Error in function call");
    assert_eq!(in_dialect(&packer, r#"element(["a"], -1)"#), "error: Error in function call");
    assert_eq!(in_dialect(&nomad, r#"element(["a", "b"], -1)"#), "\"b\"");
    assert_eq!(in_dialect(&packer, r#"replace("a/b", "/./", "x")"#), "\"a/b\"");
    assert_eq!(in_dialect(&packer, r#"regex_replace("abc", "(b)", "[$1]")"#), "\"a[b]c\"");
    assert_eq!(in_dialect(&packer, r#"format("%v", null)"#), "(known after apply)");
    assert_eq!(in_dialect(&nomad, r#"format("%v", null)"#), "\"null\"");
    assert_eq!(in_dialect(&dialect::opentofu(), r#"core::urldecode("a+%C3%A9")"#), "\"a é\"");
    assert_eq!(in_dialect(&dialect::hcl_test(), r#"ns::upper("a")"#), "\"A\"");
}

/// The cost of a text is bounded: each of these is refused, soon and without a crash.
#[test]
fn hostile_arguments_are_refused() {
    let limits = || Limits {
        max_output_bytes: 1 << 20,
        max_elements: 100_000,
        max_steps: 10_000_000,
        ..Limits::default()
    };
    let nested_groups = format!("regex(\"{}{}\", \"a\")", "(".repeat(5000), ")".repeat(5000));
    let texts = [
        "range(1e12)",
        "range(0, 1, 0)",
        r#"format("%1000000000d", 1)"#,
        r#"format("%.1000000000f", 1)"#,
        r#"indent(1000000000000, "a\nb")"#,
        r#"indent(-1, "a")"#,
        r#"regex("(((a{10}){10}){10}){10}", "a")"#,
        r#"regex("\\pL{1000}\\pL{1000}\\pL{1000}\\pL{1000}", "a")"#,
        r#"parseint("99999999999999999999z", 36) == parseint("1", 99)"#,
        "setproduct(range(1024), range(1024), range(1024), range(1024), range(1024), range(1024), range(1024))",
        r#"cidrsubnet("10.0.0.0/8", 9223372036854775807, 1)"#,
        r#"timeadd("9999-12-31T00:00:00Z", "99999999999999h")"#,
        r#"element([1], 1e300)"#,
        r#"substr("abc", 1e300, 1)"#,
        r#"log(-1, 10)"#,
        r#"pow(-8, 1/3)"#,
        &nested_groups,
    ];
    for text in texts {
        let (_, diagnostics) = evaluate_in(&dialect::terraform(), &[], text, limits());
        assert!(!diagnostics.is_empty(), "{text}");
    }
}

/// Work on a long argument or a large pattern is charged, so that a loop of it ends.
#[test]
fn work_is_charged() {
    let limits = || Limits { max_steps: 100_000, ..Limits::default() };
    let long = "a".repeat(1 << 20);
    let texts = [
        r#"[for i in range(1000) : regex("(a{30}){30}${i}|a", "a")]"#.to_owned(),
        format!(r#"[for i in range(1000) : substr("{long}", i, 1)]"#),
        format!(r#"[for i in range(1000) : trim("a", "{long}")]"#),
        format!(r#"length(regexall("[^x]*x|a", "{long}"))"#),
    ];
    for text in texts {
        let (_, diagnostics) = evaluate_in(&dialect::terraform(), &[], &text, limits());
        assert_eq!(diagnostics.last().map(|said| &*said.code), Some("limit.steps"), "{}", &text[..40]);
    }
}

/// The bytes of a result count as often as they are written, whether they are many texts or a long one.
#[test]
fn bytes_that_are_written_are_charged() {
    let once = [
        "jsonencode(text)",
        "jsonencode(texts)",
        "yamlencode(text)",
        "yamlencode(texts)",
        "yamlencode({ (text) = text })",
        "upper(text)",
        "title(text)",
        "strrev(text)",
        "indent(1, text)",
        "join(text, [\"\", \"\", \"\"])",
        "format(\"%s%s\", text, text)",
    ];
    // As it was given, and laid out.
    let twice = [
        "provider::terraform::encode_expr(text)",
        "provider::terraform::encode_expr(texts)",
        "provider::terraform::encode_tfvars({ a = text, b = [text, { c = texts }] })",
    ];
    let at_most_twice = [
        "replace(text, \"b\", \"c\")",
        "replace(text, \"/b/\", \"c\")",
        "urlencode(text)",
        "base64encode(text)",
        "textencodebase64(text, \"UTF-16\")",
    ];
    let text = "ab\u{e9}\n".repeat(100_000);
    let texts = Value::tuple(vec![Value::string(&text[..100]); 5_000]);
    let variables = [("text".to_owned(), Value::string(&text)), ("texts".to_owned(), texts)];
    let ends = |call: &str, max_output_bytes| {
        let limits = Limits { max_output_bytes, ..Limits::default() };
        let (value, said) = evaluate_in(&dialect::terraform(), &variables, call, limits);
        match said.last() {
            Some(said) => Err(said.code.to_string()),
            None => Ok(value.as_str().expect("a text").len() as u64),
        }
    };
    let too_much = || Err("limit.output".to_owned());
    for call in once {
        let length = ends(call, u64::MAX).expect(call);
        assert_eq!(ends(call, length), Ok(length), "{call}");
        assert_eq!(ends(call, length - 1), too_much(), "{call}");
    }
    for call in twice {
        let length = ends(call, u64::MAX).expect(call);
        assert_eq!(ends(call, 2 * length + 8), Ok(length), "{call}");
        // But for brackets and commas.
        assert_eq!(ends(call, 2 * length - length / 20), too_much(), "{call}");
    }
    for call in at_most_twice {
        let length = ends(call, u64::MAX).expect(call);
        assert_eq!(ends(call, 2 * length), Ok(length), "{call}");
        assert_eq!(ends(call, length - 1), too_much(), "{call}");
    }
}

/// Each of these took time in proportion to the square of the length.
#[test]
fn long_arguments_take_linear_time() {
    let (a, b) = ("a".repeat(1 << 20), "b".repeat(1 << 20));
    let texts = [
        format!(r#"trim("{a}", "{b}a")"#),
        r#"length(formatlist("%s", flatten([for i in range(500) : range(1000)])))"#.to_owned(),
    ];
    for text in texts {
        let (_, diagnostics) = evaluate_in(&dialect::terraform(), &[], &text, Limits::default());
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", &text[..20]);
    }
}

/// Collections of a hundred thousand elements take no time to speak of.
#[test]
fn large_collections_are_linear() {
    let list = "[for a in range(400) : [for b in range(250) : a * 250 + b]]";
    let texts = [
        format!("length(distinct(flatten({list})))"),
        format!("length(setunion(flatten({list}), flatten({list})))"),
        format!("length(setsubtract(flatten({list}), [1]))"),
        format!("length(zipmap(flatten({list}), flatten({list})))"),
        format!("length(merge([for l in {list} : {{ for e in l : e => e }}]...))"),
        format!("length(matchkeys(flatten({list}), flatten({list}), flatten({list})))"),
        format!("index(flatten({list}), 99999) + 1"),
    ];
    let start = Stopwatch::start();
    for text in &texts {
        let wanted = if text.contains("subtract") { "99999" } else { "100000" };
        assert_eq!(terraform(text), wanted, "{text}");
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn the_library_of_the_language_keeps_what_its_functions_know() {
    let cases = [
        (r#"index(["a", 2], 1)"#, "2"),
        (r#"index(tomap({ a = 1 }), "a")"#, "1"),
        (r#"index(["a", 2], 2)"#, "error: Error in function call"),
        (r#"sort(["b", null])"#, "error: Error in function call"),
        (r#"regex_replace("a", "(", "b")"#, "error: Error in function call"),
        (r#"regex_replace("aXb", "(?P<x>X)", "<$${x}>")"#, "\"a<X>b\""),
        (r#"strlen("e\u0301")"#, "1"),
        (r#"jsondecode("1 ]x")"#, "1"),
        (r#"jsondecode("1 2")"#, "error: Error in function call"),
    ];
    for (text, wanted) in cases {
        assert_eq!(in_dialect(&dialect::hcl(), text), wanted, "{text}");
    }
}
