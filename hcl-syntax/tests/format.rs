//! The formatter: what it must never do, and its bounds. That it agrees with the reference is shown by the corpus
//! `fmt`, and by the case documents.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

mod corpus;

use hcl_syntax::format::{FormatError, FormatStyle, MAX_GROWTH, format};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use hcl_syntax::token::TokenKind;
use hcl_syntax::{ast::Body, lexer};
use stopwatch::Stopwatch;

fn formatted(text: &[u8], style: FormatStyle) -> Vec<u8> {
    format("test.hcl", text, style).unwrap()
}

/// The tokens with their texts.
fn tokens(text: &[u8]) -> Vec<(TokenKind, String)> {
    let source = Source::new("test.hcl", text).unwrap();
    lexer::tokens(&source).iter().map(|token| (token.kind, source.slice(token.span).to_owned())).collect()
}

fn is_valid(text: &[u8]) -> bool {
    let source = Source::new("test.hcl", text).unwrap();
    parse_file(source, &ParseLimits::default()).1.is_empty()
}

/// The texts of the corpora that parse.
fn valid_texts() -> Vec<Vec<u8>> {
    let texts = ["documents.jsonl", "fmt.jsonl"].into_iter().flat_map(corpus::cases);
    let texts: Vec<_> = texts.map(|case| corpus::source_of(&case)).filter(|text| is_valid(text)).collect();
    assert!(texts.len() > 500, "{}", texts.len());
    texts
}

#[test]
fn nothing_but_blanks_changes() {
    for text in valid_texts() {
        let out = formatted(&text, FormatStyle::Hcl);
        assert_eq!(tokens(&out), tokens(&text), "{:?}", String::from_utf8_lossy(&text));
        let newlines = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(newlines(&out), newlines(&text), "{:?}", String::from_utf8_lossy(&text));
    }
}

/// Dots lose their blanks even where numbers come together. The answers are those of the reference.
#[test]
fn dots_are_drawn_to_numbers() {
    for (text, expected) in [
        ("a = [[1]].0 .0   #=1\n", "a = [[1]].0.0 #=1\n"),
        ("a = 1 . 0\n", "a = 1.0\n"),
        ("a = x.1 .e5x\n", "a = x.1.e5x\n"),
        ("a = f(1 ...)\n", "a = f(1...)\n"),
    ] {
        assert_eq!(String::from_utf8(formatted(text.as_bytes(), FormatStyle::Hcl)).unwrap(), expected);
    }
}

/// A long text is laid out part by part; where one part ends must not show.
#[test]
fn long_texts_are_formatted_like_their_parts() {
    let (mut text, mut expected) = (Vec::new(), Vec::new());
    let mut add = |part: &[u8]| {
        let part = [part, b"\n\n"].concat();
        text.extend_from_slice(&part);
        expected.extend(formatted(&part, FormatStyle::Hcl));
    };
    for round in 0..3 {
        for part in valid_texts().iter().filter(|text| !text.starts_with("\u{feff}".as_bytes())) {
            add(part);
        }
        // One group, one line, and one token that no stretch of the text holds.
        let lines = (0..9_000 * round).map(|i| format!("k{}=1 # {i}\n", i % 1_000));
        add(lines.collect::<String>().as_bytes());
        add(format!("long=[{}]", "[ 1,2 ], ".repeat(20_000 * round)).as_bytes());
        add(format!("a=1 #\nbc=<<END\n{}END\nd=2\n", "x ${ y }\n".repeat(20_000 * round)).as_bytes());
        add(format!("# {}\n", "é".repeat(90_000 * round)).as_bytes());
    }
    assert!(text.len() > 1 << 20, "{}", text.len());
    assert!(formatted(&text, FormatStyle::Hcl) == expected, "the parts can be told apart");
}

#[test]
fn what_is_formatted_stays() {
    for text in valid_texts() {
        for style in [FormatStyle::Hcl, FormatStyle::Terraform] {
            let once = formatted(&text, style);
            // A value in quotes within quotes loses them one by one, as with Terraform.
            let twice = formatted(&once, style);
            let settled = formatted(&twice, style);
            let unwraps =
                style == FormatStyle::Terraform && String::from_utf8_lossy(&once).contains("\"${\"");
            assert!(once == twice || unwraps, "{:?}", String::from_utf8_lossy(&text));
            assert!(settled == twice || unwraps, "{:?}", String::from_utf8_lossy(&text));
        }
    }
}

/// The structure of a body, expressions without the blanks in them.
fn outline(body: Body<'_>, out: &mut String) {
    for attribute in body.attributes() {
        let expression = attribute.expression();
        let text = body.tree().source().slice(expression.span());
        out.push_str(&format!("{} = {} {text};", attribute.name(), expression.id().index()));
    }
    for block in body.blocks() {
        let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
        out.push_str(&format!("{} {labels:?} {{", block.block_type()));
        outline(block.body(), out);
        out.push('}');
    }
}

fn outline_of(text: &[u8]) -> String {
    let source = Source::new("test.hcl", text).unwrap();
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", String::from_utf8_lossy(text));
    let mut out = String::new();
    outline(file.body(), &mut out);
    out.retain(|c| c != ' ' && c != '\t');
    out
}

#[test]
fn what_is_formatted_means_the_same() {
    for text in valid_texts() {
        assert_eq!(outline_of(&formatted(&text, FormatStyle::Hcl)), outline_of(&text));
        // Terraform's style changes expressions, but leaves them expressions.
        outline_of(&formatted(&text, FormatStyle::Terraform));
    }
}

#[test]
fn labels_and_expressions_survive_the_style_of_terraform() {
    let cases = [
        // The reference drops a label that holds an escaped sequence.
        ("foo \"a$${b}\" {}\n", "foo \"a$${b}\" {}\n"),
        // Here it leaves an expression that ends in the middle.
        ("a = \"${(b)\n+ (c)}\"\n", "a = ((b)\n+ (c))\n"),
        ("a = \"${ # why\nb}\"\n", "a = \"${ # why\nb}\"\n"),
        ("a = \"${<<E\nx\nE\n}\" # why\n", "a = \"${<<E\nx\nE\n}\" # why\n"),
        ("a = \"${<<E\nx\nE\n}\"  \n", "a = <<E\nx\nE\n"),
        ("a = \"${<<E\nx\nE\n}\" ", "a = \"${<<E\nx\nE\n}\" "),
        ("a = \"${b}\"", "a = b"),
        // It writes a parenthesis behind the end marker, which is none then.
        ("a = \"${1 +\n<<E\nE\n}\"\n", "a = \"${1 +\n  <<E\nE\n}\"\n"),
        // A heredoc with sequences of its own keeps the quotes around it with Terraform, too.
        ("a = \"${<<E\n${b}\nE\n}\"\n", "a = \"${<<E\n${b}\nE\n}\"\n"),
        ("a = \"${f(<<E\n${b}\nE\n)}\"\n", "a = \"${f(<<E\n${b}\nE\n)}\"\n"),
        ("a = \"${f(\"${b}\")}\"\n", "a = f(\"${b}\")\n"),
    ];
    for (text, wanted) in cases {
        let out = formatted(text.as_bytes(), FormatStyle::Terraform);
        assert_eq!(String::from_utf8_lossy(&out), wanted, "{text:?}");
        assert!(is_valid(&out), "{text:?}");
    }
}

#[test]
fn any_bytes_are_formatted() {
    for text in [&b"a=\xff1\n# \xc3\x28\n"[..], b"\xef\xbb\xbf", b"\xef\xbb\xbf  ", b" \t", b"\0", b"]]}\"${"]
    {
        let out = formatted(text, FormatStyle::Hcl);
        let visible = |text: &[u8]| {
            let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
            text.iter().copied().filter(|byte| !b" \t".contains(byte)).collect::<Vec<_>>()
        };
        assert_eq!(visible(&out), visible(text), "{text:?}");
    }
    for case in corpus::cases("documents_bytes.jsonl") {
        formatted(&corpus::source_of(&case), FormatStyle::Hcl);
    }
}

#[test]
fn a_text_that_would_explode_is_refused() {
    let deep = "[\n".repeat(100_000);
    assert!(matches!(format("deep", deep.as_bytes(), FormatStyle::Hcl), Err(FormatError::GrowsTooMuch)));
    let wide = format!("{} = 1\n{}", "a".repeat(100_000), "b = 1\n".repeat(100_000));
    assert!(matches!(format("wide", wide.as_bytes(), FormatStyle::Hcl), Err(FormatError::GrowsTooMuch)));
    // A nesting that people would still call deep is fine.
    let nested = format!("a = {}{}", "[\n".repeat(200), "]\n".repeat(200));
    assert!(formatted(nested.as_bytes(), FormatStyle::Hcl).len() < MAX_GROWTH * (1 << 20));
}

#[test]
fn time_is_linear() {
    let text =
        |n: usize| "resource \"a\" \"b\" {\n  name=\"${c}-x\" # why\n  list = [1,2, {a=1}]\n}\n".repeat(n);
    let time = |text: &str| {
        let start = Stopwatch::start();
        formatted(text.as_bytes(), FormatStyle::Terraform);
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (text(2_000), text(20_000));
    let ratio = (0..10).map(|_| time(&large) / time(&small)).fold(f64::INFINITY, f64::min);
    assert!(ratio < 15.0, "{ratio}");
}
