//! Work that is stopped, by a token or a deadline, ends soon and says so; work that could be stopped and is not gives what
//! it always gives.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hcl_syntax::diagnostic::{Diagnostics, Error};
use hcl_syntax::edit::{Address, Destination, Document, Gap, Reach, Side};
use hcl_syntax::format::{FormatError, FormatStyle, format, format_with};
use hcl_syntax::json::{parse_json, parse_json_value};
use hcl_syntax::limits::{CancelToken, Stopped};
use hcl_syntax::parser::{
    ParseLimits, Splats, parse_expression, parse_file, parse_template, parse_traversal,
};
use hcl_syntax::schema::NestedSchema;
use hcl_syntax::source::{Grammar, Pos, Source};

/// A reader of texts, and a piece of text of which any number are one.
type Work = (&'static str, fn(&[u8], &ParseLimits) -> Diagnostics, fn(usize) -> Vec<u8>);

fn source(text: &[u8], grammar: Grammar) -> Source {
    Source::with_grammar("t", text, grammar, Pos::START).unwrap()
}

fn file(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_file(source(text, Grammar::Config), limits).1
}

fn expression(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_expression(source(text, Grammar::Config), limits).1
}

fn template(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_template(source(text, Grammar::Template), limits).1
}

fn traversal(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_traversal(source(text, Grammar::Config), Splats::Refused, limits).1
}

fn json(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_json(source(text, Grammar::Json), limits).1
}

fn json_value(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    parse_json_value(source(text, Grammar::Json), limits).1
}

fn formatted(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    stopped(format_with("t", text, FormatStyle::Hcl, limits))
}

fn formatted_for_terraform(text: &[u8], limits: &ParseLimits) -> Diagnostics {
    stopped(format_with("t", text, FormatStyle::Terraform, limits))
}

fn stopped(outcome: Result<Vec<u8>, FormatError>) -> Diagnostics {
    match outcome {
        Ok(_) => Vec::new(),
        Err(FormatError::Stopped(stopped)) => vec![stopped.diagnostic("Formatting", "t")],
        Err(FormatError::Invalid(diagnostics)) => diagnostics,
        Err(error) => panic!("{error}"),
    }
}

const WORK: &[Work] = &[
    ("lines", file, |n| "name = [1, 2]\n".repeat(n).into_bytes()),
    ("blocks", file, |n| "b \"l\" {\n}\n".repeat(n).into_bytes()),
    ("one line", expression, |n| format!("[{}]", "a, ".repeat(n)).into_bytes()),
    ("a chain", expression, |n| format!("a{}", " + a".repeat(n)).into_bytes()),
    ("prefixes", expression, |n| format!("{}a", "!".repeat(n)).into_bytes()),
    ("conditionals", expression, |n| format!("{}a", "a ? a : ".repeat(n)).into_bytes()),
    ("splats", expression, |n| format!("a{}", "[*].b".repeat(n)).into_bytes()),
    ("calls", expression, |n| format!("f({})", "f(1), ".repeat(n)).into_bytes()),
    ("a quoted template", expression, |n| format!("\"{}\"", "${a} $ ".repeat(n)).into_bytes()),
    ("a heredoc", file, |n| format!("a = <<E\n{}E\n", "text ${a}\n".repeat(n)).into_bytes()),
    ("a flush heredoc", file, |n| format!("a = <<-E\n{}E\n", "  ${a} ${b}\n".repeat(n)).into_bytes()),
    ("plain heredoc lines", file, |n| format!("a = <<E\n{}E\n", "text\n".repeat(n)).into_bytes()),
    ("bad bytes", file, |n| [b"a = <<E\n".as_slice(), &b"\xff".repeat(n), b"\nE\n"].concat()),
    ("a bare template", template, |n| "%{ if a }b%{ endif }".repeat(n).into_bytes()),
    ("a reference", traversal, |n| format!("a{}", ".b[0]".repeat(n)).into_bytes()),
    ("errors", file, |n| "a = = )\n".repeat(n).into_bytes()),
    ("comments", file, |n| "# text\n/* text */".repeat(n).into_bytes()),
    ("a JSON array", json_value, |n| format!("[{}0]", "1,".repeat(n)).into_bytes()),
    ("a JSON object", json, |n| format!("{{{}\"b\":0}}", "\"a\":\"text\",".repeat(n)).into_bytes()),
    ("JSON templates", json, |n| format!("{{\"a\":[{}0]}}", "\"${a}\",".repeat(n)).into_bytes()),
    ("JSON errors", json, |n| "[1 2],".repeat(n).into_bytes()),
    ("formatting", formatted, |n| "name=[1, 2]# b\n".repeat(n).into_bytes()),
    ("formatting a line", formatted, |n| format!("a = [{}]\n", "a,".repeat(n)).into_bytes()),
    ("formatting for Terraform", formatted_for_terraform, |n| "a=\"${b}\"\n".repeat(n).into_bytes()),
    ("formatting labels", formatted_for_terraform, |n| format!("b {}{{}}\n", "\"l\"".repeat(n)).into_bytes()),
];

fn codes(diagnostics: &Diagnostics) -> Vec<&str> {
    diagnostics.iter().map(|said| &*said.code).collect()
}

fn told(diagnostics: &Diagnostics) -> Vec<String> {
    diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_is_read_for_who_has_cancelled_or_is_late() {
    let cancel = CancelToken::new();
    cancel.trigger();
    let cancelled = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
    let late = ParseLimits { deadline: Some(Instant::now()), ..ParseLimits::default() };
    for (name, work, text) in WORK {
        assert_eq!(codes(&work(&text(1), &cancelled)), ["limit.cancelled"], "{name}");
        assert_eq!(codes(&work(&text(1), &late)), ["limit.deadline"], "{name}");
        assert_eq!(codes(&work(b"", &late)), ["limit.deadline"], "{name}");
    }
    let (file, diagnostics) = parse_file(source(b"a = 1\n", Grammar::Config), &cancelled);
    assert_eq!(file.body().attributes().count(), 0);
    assert_eq!(diagnostics[0].summary, "Cancelled");
    assert_eq!(diagnostics[0].detail, "Parsing \"t\" was cancelled.");
}

#[test]
fn work_ends_soon_after_the_deadline() {
    const MANY: usize = 200_000;
    for (name, work, text) in WORK {
        let text = text(MANY);
        let few = ParseLimits { max_diagnostics: 1, ..ParseLimits::default() };
        let ends_soon = || {
            let started = Instant::now();
            let complete = work(&text, &few);
            let whole = started.elapsed();
            let started = Instant::now();
            let limits = ParseLimits { deadline: Some(started + whole / 10), ..few.clone() };
            let diagnostics = work(&text, &limits);
            // A first run that other work of the machine slowed down allows a second one its whole result. Diagnostics of two
            // sources are never equal, their texts are.
            if told(&diagnostics) == told(&complete) {
                return false;
            }
            assert_eq!(codes(&diagnostics).last(), Some(&"limit.deadline"), "{name}");
            // The source is made in the time, too, and nobody stops that.
            started.elapsed() < whole * 2 / 3 + Duration::from_millis(20)
        };
        // Other work of the machine slows some of the runs down.
        assert!((0..10).any(|_| ends_soon()), "{name}");
    }
}

/// Texts of one long token: who reads them, the beginning, what is there many times, and the end.
type LongToken = (fn(&[u8], &ParseLimits) -> Diagnostics, &'static str, &'static str, &'static str);

const LONG_TOKENS: &[LongToken] = &[
    (file, "a = \"", "text", "\"\n"),
    (file, "a = \"", "\\n", "\"\n"),
    (file, "a = \"", "\\u00e9", "\"\n"),
    (file, "a = \"", "\\q", "\"\n"),
    (file, "a = \"", "$${", "\"\n"),
    (file, "a = \"", "\u{1a}", "\"\n"),
    (file, "b \"", "text", "\" {}\n"),
    (file, "b \"", "\\n", "\" {}\n"),
    (file, "a = x[\"", "text", "\"]\n"),
    (file, "a = x[\"", "\\n", "\"]\n"),
    (file, "a = {\"", "text", "\" = 1}\n"),
    (file, "a = <<E\n", "text", "\nE\n"),
    (file, "a = <<E\n", "    ", "\nE\n"),
    (file, "a = <<E\nE", "    ", "\nE\n"),
    (file, "a = <<-E\n", "    ", "\nE\n"),
    (file, "a = <<-E\n  x\n", "\u{3000}", "x\nE\n"),
    (file, "a = <<-E\n", "    x\n", "E\n"),
    (file, "a = <<E\n${b ~}", "    ", "\n${~ b}\nE\n"),
    (file, "a = <<", "EEEE", "\nE\n"),
    (file, "a = 1 # ", "text", "\n"),
    (file, "a = 1 /* ", "text", "*/\n"),
    (file, "a = ", "1234", "\n"),
    (file, "a = 0.", "0000", "1\n"),
    (file, "a = 1e", "0000", "1\n"),
    (file, "a = 1.1.", "1234", "\n"),
    (file, "a = 1", ".1", "\n"),
    (file, "a = x.", "0123", "\n"),
    (file, "a = ", "name", "\n"),
    (file, "a = ", "\u{e9}", "\n"),
    (file, "a = ", "    ", "1\n"),
    (file, "a = [1,\n", "    ", "]\n"),
    (file, "a = 1\n", "    ", "b = 1\n"),
    (file, "a = 1", "\r\n\r\n", "b = 1\n"),
    (expression, "\"${a ~}", "\\n\\t", "${~ b}\""),
    (template, "", "text", ""),
    (template, "${a ~}", "    ", "${~ b}"),
    (template, "\r", "$${x", ""),
    (traversal, "a[\"", "\\n", "\"]"),
    (traversal, "a[0", "0000", "]"),
    (json, "{\"a\": \"", "text", "\"}"),
    (json, "{\"a\": \"", "\\n", "\"}"),
    (json, "{\"a\": \"", "\\u00e9", "\"}"),
    (json, "{\"", "{\\\"", "\": 1}"),
    (json, "{\"a\": \"${b}", "text", "\"}"),
    (json, "{\"a\": 1", "1234", "}"),
    (json, "{\"a\": 0.", "0000", "1}"),
    (json, "{", "    ", "}"),
    (json_value, "", "word", ""),
    // Lines and columns of an error: of the beginning, of text beyond ASCII, of JSON's carriage returns.
    (file, "a = )\n", "\n\n\n\n", ""),
    (file, "a = )\nb = \"", "\u{e9}", "\"\n"),
    (file, "a = )\nb = \"", "\\n\u{301}", "\"\n"),
    (file, "a = )\n# ", "\u{e9}", "\n"),
    (json, "{\"a\": x, \"b\": \"", "\u{e9}", "\"}"),
    (json, "{\"a\": x,", "\r\n", "\"b\": 1}"),
    (json, "\"", "\u{e9}", "\""),
    // One character of megabytes, as a reader sees it.
    (file, "a = )\n# e", "\u{301}\u{301}", "\n"),
    (file, "a = )\n# ", "\u{1f469}\u{200d}", "\n"),
    (formatted, "a = \"", "text", "\"\n"),
    (formatted, "a = \"", "\u{e9}", "\" # b\n"),
    (formatted, "a = ", "    ", "1\n"),
    (formatted_for_terraform, "a = \"", "\\n", "\"\n"),
    (formatted_for_terraform, "b \"", "text", "\" {}\n"),
    // No token, but lines that have nothing to lay out.
    (formatted_for_terraform, "", "\n\n\n\n", ""),
];

#[test]
fn work_ends_soon_within_one_token() {
    // `make test-slow` asks twice as much.
    let many = if std::env::var_os("HCL_SLOW").is_some() { 8 << 20 } else { 4 << 20 };
    const SOON: Duration = Duration::from_millis(20);
    for (work, begin, piece, end) in LONG_TOKENS {
        let text = format!("{begin}{}{end}", piece.repeat(many / piece.len()));
        let read = |deadline: Option<Instant>| {
            let limits = ParseLimits { deadline, max_diagnostics: 1, ..ParseLimits::default() };
            let started = Instant::now();
            let diagnostics = work(text.as_bytes(), &limits);
            (started.elapsed(), codes(&diagnostics).last() == Some(&"limit.deadline"))
        };
        let (mut whole, _) = read(None);
        for percent in [20, 50, 80] {
            let mut ends_soon = || {
                let allowed = whole * percent / 100;
                let (elapsed, is_late) = read(Some(Instant::now() + allowed));
                if !is_late {
                    // Either the work is quicker than it was at first, or nothing looked at the time.
                    whole = whole.min(elapsed);
                }
                is_late && elapsed < allowed + SOON
            };
            // Other work of the machine slows some of the runs down.
            assert!((0..20).any(|_| ends_soon()), "{percent} % of {begin}{piece}{end}");
        }
    }
}

#[test]
fn what_was_read_before_the_end_is_there() {
    const MANY: usize = 1_000_000;
    let distinct = (0..MANY).map(|i| format!("a{i} = 1\n")).collect::<String>();
    // The second is read by its tokens, as there are names that are there twice.
    for text in [distinct, "a = 1\n".repeat(MANY)] {
        let source = source(text.as_bytes(), Grammar::Config);
        let mut allowed = Duration::from_millis(1);
        // However slow the machine is, there is a time in which some of it is read and not all.
        let some_is_read = || {
            let limits = ParseLimits { deadline: Some(Instant::now() + allowed), ..ParseLimits::default() };
            let (file, diagnostics) = parse_file(source.clone(), &limits);
            let is_late = codes(&diagnostics).last() == Some(&"limit.deadline");
            let n_read = file.body().attributes().count();
            match is_late {
                true => allowed += allowed / 8,
                // The machine was quicker than before.
                false => allowed -= allowed / 4,
            }
            is_late && n_read > 0 && n_read < MANY
        };
        assert!(std::iter::repeat_with(some_is_read).take(200).any(|is_so| is_so));
    }
}

#[test]
fn who_may_be_stopped_and_is_not_gets_the_same() {
    let watched = || ParseLimits {
        cancel: Some(CancelToken::new()),
        deadline: Some(Instant::now() + Duration::from_secs(3600)),
        ..ParseLimits::default()
    };
    let free = ParseLimits::default();
    for (name, work, text) in WORK {
        for n in [1, 1000, 30_000] {
            let text = text(n);
            assert_eq!(told(&work(&text, &watched())), told(&work(&text, &free)), "{name}");
        }
    }
    // Everything that the grammar has, at every place in what is read between two looks.
    let unit = "a = [1, {b = \"${c}\"}, <<E\n  t ${u ? \"\" : v[*].w}\n\u{e9}\nE\n]\nb \"l\" {\n x = /* c */ y # d\n}\n";
    for padding in 0..unit.len() {
        let text = format!("{}\n{}", "#".repeat(padding), unit.repeat(1500));
        let read = |limits: &ParseLimits| {
            let (file, diagnostics) = parse_file(source(text.as_bytes(), Grammar::Config), limits);
            let values: Vec<String> =
                file.body().attributes().map(|a| a.expression().source_text().to_owned()).collect();
            (values, file.body().blocks().count(), told(&diagnostics))
        };
        assert_eq!(read(&watched()), read(&free));
        let pretty =
            |limits: &ParseLimits| format_with("t", text.as_bytes(), FormatStyle::Hcl, limits).unwrap();
        assert_eq!(pretty(&watched()), pretty(&free));
        if padding % 8 != 0 {
            continue;
        }
        assert_eq!(pretty(&free), format("t", text.as_bytes(), FormatStyle::Hcl).unwrap());
    }
}

/// Blanks that formatting writes are work, too: a few thousand levels of nesting take megabytes of them.
#[test]
fn indentation_is_written_with_looks() {
    const LEVELS: usize = 5000;
    let text = format!("# {}\n{}", "x".repeat(4 << 20), "b {\n".repeat(LEVELS));
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    let limits = ParseLimits { cancel: Some(token), ..ParseLimits::default() };
    let out = format_with("t", text.as_bytes(), FormatStyle::Hcl, &limits).unwrap();
    let n_looks = n_looks.load(Ordering::Relaxed);
    assert!(n_looks > out.len() >> 17, "{n_looks} looks for {} bytes", out.len());
}

#[test]
fn the_end_of_a_parse_is_not_the_end_of_its_result() {
    let text = br#"{"a": "${b", "c": ["x", "${d}"]}"#;
    let limits =
        ParseLimits { deadline: Some(Instant::now() + Duration::from_millis(500)), ..ParseLimits::default() };
    let (file, diagnostics) = parse_json(source(text, Grammar::Json), &limits);
    assert_eq!(diagnostics, []);
    std::thread::sleep(Duration::from_millis(600));
    let body = hcl_syntax::config::ConfigBody::from(&file);
    let (attributes, diagnostics) = body.just_attributes();
    assert_eq!(diagnostics, []);
    assert_eq!(attributes[1].expression().variables().len(), 1);
    assert!(attributes[1].expression().static_list().is_some());
}

#[test]
fn what_stopped_it_has_one_name() {
    assert_eq!(Stopped::now(None, None), None);
    let cancel = CancelToken::new();
    let past = Some(Instant::now());
    assert_eq!(Stopped::now(Some(&cancel), past), Some(Stopped::Deadline));
    cancel.trigger();
    assert_eq!(Stopped::now(Some(&cancel), past), Some(Stopped::Cancelled));
}

/// Parts that are stored when the last one has been read are stored with looks at the limits.
#[test]
fn many_parts_are_stored_with_looks() {
    // A look between two pieces of 64 KiB of text, and one between two of 4,096 parts.
    const N_PARTS: usize = 1 << 17;
    for (name, work, text) in WORK {
        if !["blocks", "prefixes", "conditionals", "splats"].contains(name) {
            continue;
        }
        let text = text(N_PARTS);
        let n_looks = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_looks);
        let token = CancelToken::asking(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            false
        });
        assert!(work(&text, &ParseLimits { cancel: Some(token), ..ParseLimits::default() }).is_empty());
        let expected = (text.len() >> 16) + N_PARTS / 4096 - 2;
        assert!(
            n_looks.load(Ordering::Relaxed) >= expected,
            "{name}: {n_looks:?} looks, {expected} expected"
        );
    }
}

/// Wherever work is stopped, it ends: what it has read until then need not end as a text does.
#[test]
fn work_ends_at_whatever_look_stops_it() {
    for (name, work, text) in WORK {
        let text = text(4096);
        let looks_until = |last: usize| {
            let n_looks = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&n_looks);
            let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) >= last);
            let problems = work(&text, &ParseLimits { cancel: Some(token), ..ParseLimits::default() });
            (n_looks.load(Ordering::Relaxed), problems)
        };
        let (n_looks, _) = looks_until(usize::MAX);
        for look in 0..n_looks.min(200) {
            let (_, problems) = looks_until(look);
            assert!(problems.iter().any(|problem| problem.code == "limit.cancelled"), "{name}, look {look}");
        }
    }
}

/// An edit, by name.
type Edit = (&'static str, fn(&mut Document) -> Result<(), Error>);

/// Edits of a document.
const EDITS: [Edit; 18] = [
    ("set", |document| document.set(&address("port.*.n"), "{\n a = 1\n}", Reach::All)),
    ("add", |document| document.set(&address("port.*.new"), "1", Reach::All)),
    ("create", |document| document.set_creating(&address("more.n"), "1", Reach::One)),
    ("append an attribute", |document| {
        document.append_attribute(&address("port.*.new"), "1", Gap::None, Reach::All)
    }),
    ("replace", |document| document.replace(&address("port.*.n"), "m", "1", Reach::All)),
    ("append", |document| document.append(None, &ports(100))),
    ("append attributes", |document| document.append(None, "last = 1\n")),
    ("append a block", |document| {
        document.append_block(Some(&address("port[0]")), "b", &["l"], "x = 1\n", Gap::EmptyLine, Reach::One)
    }),
    ("insert", |document| document.insert(&address("port[1]"), Side::Before, &ports(100))),
    ("move", |document| {
        document.move_item(&address("first"), Destination::Beside(&address("port[1]"), Side::Before))
    }),
    ("move to", |document| document.move_to(&address("port.x"), &address("port.y"), Reach::All)),
    ("move into", |document| document.move_to(&address("first"), &address("outer.first"), Reach::One)),
    ("remove", |document| document.remove(&address("port.*.n"), Reach::All).map(drop)),
    ("rename", |document| document.rename(&address("port.*.n"), "m", Reach::All)),
    ("relabel", |document| document.relabel(&address("port"), &["z"], Reach::All)),
    ("comment above", |document| document.set_lead_comment(&address("port.*.n"), "new\nlines", Reach::All)),
    ("comment behind", |document| document.set_line_comment(&address("port.*.n"), "new", Reach::All)),
    ("rename references", |document| document.rename_references("var.a", "var.b").map(drop)),
];

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

fn ports(n: usize) -> String {
    "# Of it\nport \"x\" {\n  n = var.a # one\n}\n".repeat(n)
}

/// An edit that is stopped at any look leaves the document as it was, and can then be made.
#[test]
fn edits_end_at_whatever_look_stops_them() {
    let text = format!("first = 1\nouter {{}}\n{}", ports(2000));
    for (name, edit) in EDITS {
        let edited_until = |last: usize| {
            let n_looks = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&n_looks);
            let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) >= last);
            let mut document = Document::parse("main.hcl", text.as_str()).unwrap();
            document.set_limits(&ParseLimits { cancel: Some(token), ..ParseLimits::default() });
            let outcome = edit(&mut document);
            (n_looks.load(Ordering::Relaxed), document, outcome)
        };
        let (n_looks, edited, outcome) = edited_until(usize::MAX);
        outcome.unwrap();
        assert!(edited.bytes() != text.as_bytes(), "{name}");
        for look in (0..n_looks).step_by(1 + n_looks / 8) {
            let (_, mut document, outcome) = edited_until(look);
            let Err(stopped) = outcome else { panic!("{name}, look {look} of {n_looks}") };
            assert_eq!(stopped.diagnostics()[0].code, "limit.cancelled", "{name}, look {look}");
            assert!(document.bytes() == text.as_bytes(), "{name}, look {look}");
            document.set_limits(&ParseLimits::default());
            edit(&mut document).unwrap();
            assert!(document.bytes() == edited.bytes(), "{name}, look {look}");
        }
    }
}

/// Questions have the limits of the document, or such as are given with them; also where the text is not read yet.
#[test]
fn questions_about_a_document_are_stopped() {
    let cancel = CancelToken::new();
    let limits = ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() };
    let mut document = Document::parse_with("main.hcl", ports(10).into_bytes(), &limits).unwrap();
    document.append(None, &ports(10)).unwrap();
    cancel.trigger();
    let code = |error: Error| error.diagnostics()[0].code.to_string();
    for is_of_document in [false, true] {
        let of = |document: &Document, path: &str| {
            let address = address(path);
            match is_of_document {
                true => [
                    document.get(&address).map(drop),
                    document.comments(&address).map(drop),
                    document.list(Some(&address)).map(drop),
                ],
                false => [
                    document.get_within(&address, &limits).map(drop),
                    document.comments_within(&address, &limits).map(drop),
                    document.list_within(Some(&address), &limits).map(drop),
                ],
            }
        };
        if is_of_document {
            document.set_limits(&limits);
        }
        for path in ["port[1]", "port[30]"] {
            for outcome in of(&document, path) {
                assert_eq!(outcome.map_err(code), Err("limit.cancelled".to_owned()), "{path}");
            }
        }
    }
    document.set_limits(&ParseLimits::default());
    assert_eq!(document.list(None).unwrap().len(), 20);
}

/// A text is not made longer than is allowed, however many places a value is put in.
#[test]
fn edits_make_no_text_longer_than_allowed() {
    let mut document = Document::parse("main.hcl", ports(1000)).unwrap();
    let len = document.bytes().len();
    document.set_max_len(len + 100);
    let long = format!("\"{}\"", "x".repeat(200));
    let too_long = [
        document.set(&address("port.*.n"), &long, Reach::All),
        document.set(&address("port[1].n"), &long, Reach::One),
        document.append(None, &ports(3)),
        document.append_block(None, "b", &[], &format!("x = {long}\n"), Gap::None, Reach::One),
    ];
    for outcome in too_long {
        let refused = outcome.unwrap_err();
        assert_eq!(refused.diagnostics()[0].code, "limit.source", "{refused}");
    }
    assert_eq!(document.bytes().len(), len);
    document.append(None, &ports(1)).unwrap();
}

/// Complaints about the directives of a template are told at its end, all at once.
#[test]
fn many_errors_are_told_in_pieces() {
    let n = 1 << 16;
    let text = format!("\"{}\"", "%{endif}".repeat(n));
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    let limits = ParseLimits { cancel: Some(token), max_diagnostics: u32::MAX, ..ParseLimits::default() };
    assert_eq!(expression(text.as_bytes(), &limits).len(), n);
    let n_looks = n_looks.load(Ordering::Relaxed);
    assert!(n_looks >= n / 256, "{n_looks} looks");
}

/// The text of a reference is made of as many steps as it has, and of a key as long as it is.
#[test]
fn the_text_of_a_reference_is_made_in_pieces() {
    const N: usize = 1 << 17;
    for text in [format!("a{}", ".b".repeat(N)), format!("a[\"{}\"]", "\\u00e9".repeat(N))] {
        let source = source(text.as_bytes(), Grammar::Config);
        let (parsed, problems) = parse_traversal(source, Splats::Refused, &ParseLimits::default());
        assert!(problems.is_empty());
        let n_looks = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_looks);
        let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
        let limits = ParseLimits { cancel: Some(token), ..ParseLimits::default() };
        assert_eq!(parsed.to_text_within(&limits).unwrap(), parsed.to_text());
        let n_looks = n_looks.load(Ordering::Relaxed);
        assert!(n_looks >= N / 4096, "{n_looks} looks");

        let cancel = CancelToken::new();
        cancel.trigger();
        let limits = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
        assert_eq!(parsed.to_text_within(&limits), Err(Stopped::Cancelled));
    }
}

/// The labels that a schema has for blocks of a type are copied in pieces.
#[test]
fn the_labels_of_a_schema_are_read_in_pieces() {
    const N: usize = 1 << 17;
    let text = format!("x {} {{}}\n", "\"a\"".repeat(N));
    let (file, problems) = parse_file(source(text.as_bytes(), Grammar::Config), &ParseLimits::default());
    assert!(problems.is_empty());
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    let limits = ParseLimits { cancel: Some(token), ..ParseLimits::default() };
    let (schema, _) = NestedSchema::read_within(file.body(), &limits).unwrap();
    assert_eq!(schema.body.blocks[0].label_names.len(), N);
    let n_looks = n_looks.load(Ordering::Relaxed);
    assert!(n_looks >= N / 4096, "{n_looks} looks");
}

/// How often work within limits looks at them.
fn looks_of(work: impl FnOnce(&ParseLimits)) -> usize {
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let token = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) == usize::MAX);
    work(&ParseLimits { cancel: Some(token), ..ParseLimits::default() });
    n_looks.load(Ordering::Relaxed)
}

/// Names that edits give are checked in pieces, and so are those that are refused.
#[test]
fn long_names_are_checked_in_pieces() {
    const N: usize = 1 << 18;
    let name = "\u{e9}".repeat(N);
    let [no_name, no_start] = [format!("{name}."), format!("1{name}")];
    let check = |what: &str, expected: usize, edit: &dyn Fn(&mut Document) -> Result<(), Error>| {
        let mut document = Document::parse("main.hcl", "a = 1\n").unwrap();
        let n_looks = looks_of(|limits| {
            document.set_limits(limits);
            edit(&mut document).unwrap_err();
        });
        assert!(n_looks >= expected, "{what}: {n_looks} looks");
    };
    check("nothing", N >> 12, &|document| document.rename(&address("nothing"), &name, Reach::One));
    check("its end", N >> 12, &|document| document.rename(&address("a"), &no_name, Reach::One));
    check("its beginning", N >> 16, &|document| document.rename(&address("a"), &no_start, Reach::One));
    check("a type", N >> 12, &|document| {
        document.append_block(None, &no_name, &[], "", Gap::None, Reach::One)
    });
}

/// The place where a text is no address is looked for in pieces, and not at all once the work is to end.
#[test]
fn the_place_of_no_address_is_looked_for_in_pieces() {
    const N: usize = 1 << 19;
    let read = |text: &str| looks_of(|limits| drop(Address::parse_within(text, limits)));
    let name = "\u{e9}".repeat(N);
    let (of_address, of_none) = (read(&name), read(&format!("{name} .")));
    assert!(of_none >= of_address + (N >> 17), "{of_none} looks after {of_address}");
}

/// Comments and labels are listed in pieces.
#[test]
fn what_an_item_has_is_listed_in_pieces() {
    const N: usize = 1 << 16;
    let document = Document::parse("main.hcl", format!("a = 1{}\nb {{}}\n", "/**/".repeat(N))).unwrap();
    let n_looks = looks_of(|limits| {
        assert_eq!(document.comments_within(&address("a"), limits).unwrap().line.len(), N);
    });
    assert!(n_looks >= 3 * (N >> 13), "{n_looks} looks at comments");
    let document = Document::parse("main.hcl", format!("b {}{{}}\n", "\"\"".repeat(N))).unwrap();
    let n_looks = looks_of(|limits| {
        assert_eq!(document.list_within(None, limits).unwrap().len(), 1);
    });
    assert!(n_looks >= 4 * (N >> 12), "{n_looks} looks at labels");
    let listed = document.list(None).unwrap();
    let text = listed[0].0.to_string();
    let n_looks = looks_of(|limits| assert_eq!(listed[0].0.to_text_within(limits).as_ref(), Ok(&text)));
    assert!(n_looks >= N >> 12, "{n_looks} looks at an address");
}
