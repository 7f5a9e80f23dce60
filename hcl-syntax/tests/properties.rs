//! Properties of the scanner for any input: it returns, tokens tile the text, time is linear.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::time::Duration;

use hcl_syntax::lexer;
use hcl_syntax::source::{Grammar, Pos, Source};
use hcl_syntax::token::{Token, TokenKind};
use stopwatch::Stopwatch;

/// A generator of pseudo-random numbers (xorshift64*), so that a failure can be had again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap() % bound
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

fn source(bytes: &[u8], grammar: Grammar) -> Source {
    Source::with_grammar("case", bytes, grammar, Pos::START).unwrap()
}

/// Tokens are in order, nothing but blanks (and a leading byte order mark) is between them, only the last
/// is empty, and it is the end.
fn check_tiling(source: &Source, tokens: &[Token]) {
    let text = source.text();
    let mut end = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for token in tokens {
        assert!(token.span.start as usize >= end, "{token:?} overlaps in {text:?}");
        let gap = &text[end..token.span.start as usize];
        assert!(gap.bytes().all(|byte| matches!(byte, b' ' | b'\t')), "{gap:?} before {token:?} in {text:?}");
        let is_last = token.kind == TokenKind::EndOfFile;
        assert_eq!(token.span.is_empty(), is_last, "{token:?} in {text:?}");
        end = token.span.end as usize;
    }
    assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::EndOfFile));
    assert_eq!(end, text.len());
}

fn check(bytes: &[u8]) {
    for grammar in [Grammar::Config, Grammar::Template] {
        let source = source(bytes, grammar);
        let tokens = lexer::tokens(&source);
        check_tiling(&source, &tokens);
        lexer::diagnostics(&source, &tokens, 100);
        let positions: Vec<Pos> = tokens.iter().map(|token| source.position(token.span.start)).collect();
        assert!(positions.is_sorted(), "{:?}", source.text());
    }
}

const PIECES: &[&str] = &[
    "a",
    "b-c",
    "_",
    "é",
    "日本",
    "👨\u{200d}👩",
    "e\u{301}",
    "1",
    "1.5e3",
    "1e",
    ".",
    "...",
    "\"",
    "\"x\"",
    "\\",
    "\\\"",
    "\\n",
    "${",
    "%{",
    "${~",
    "~}",
    "}",
    "{",
    "$",
    "%",
    "$${",
    "%%{",
    "$$",
    "~",
    "[",
    "]",
    "(",
    ")",
    "<<E\n",
    "<<-E\r\n",
    "\nE\n",
    "\n  E  \n",
    "\nE",
    "E\n",
    "<<",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "\u{1a}",
    "#",
    "//",
    "/*",
    "*/",
    "/",
    "*",
    "=",
    "==",
    "=>",
    "!",
    "!=",
    "<",
    ">=",
    "&",
    "&&",
    "|",
    "||",
    "^",
    ";",
    "'",
    "`",
    ",",
    ":",
    "::",
    "?",
    "for x in y",
    "if",
    "endif",
    "“",
    "\u{2028}",
];

#[test]
fn any_mixture_of_pieces_is_tiled() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let mut text = Vec::new();
        for _ in 0..random.below(24) {
            text.extend_from_slice(random.pick(PIECES).as_bytes());
        }
        check(&text);
    }
}

#[test]
fn any_bytes_are_tiled() {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    for _ in 0..5_000 {
        let bytes: Vec<u8> = (0..random.below(64)).map(|_| random.next().to_be_bytes()[0]).collect();
        check(&bytes);
    }
}

#[test]
fn mutated_configuration_is_tiled() {
    let sound = "\u{feff}# ü\nb \"l\" x {\n  a = \"é${f(b[0].*.c, -1.5e3)}%{ if x ~}y%{ endif }\\n\"\n\
                 c = <<-EOT\n    $${x} ${ { k = <<E\ni\nE\n } } %%\n  EOT\n  /* é */ d = [for k, v in m : k => v...] // x\n}\n";
    let mut random = Random(0x94d0_49bb_1331_11eb);
    for _ in 0..10_000 {
        let mut bytes = sound.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let (at, len) = (random.below(bytes.len()), random.below(6));
            let end = (at + len).min(bytes.len());
            match random.below(3) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes[at] = random.next().to_be_bytes()[0],
                _ => drop(bytes.splice(at..end, random.pick(PIECES).bytes())),
            }
            if bytes.is_empty() {
                break;
            }
        }
        check(&bytes);
    }
}

/// The shortest of a few runs over `bytes`, all that is computed of a text included.
fn time(bytes: &[u8]) -> Duration {
    let run = || {
        let start = Stopwatch::start();
        let source = source(bytes, Grammar::Config);
        let tokens = lexer::tokens(&source);
        lexer::diagnostics(&source, &tokens, 1_000);
        for token in &tokens {
            source.position(token.span.start);
        }
        start.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap_or_default()
}

/// Ten times the input takes at most forty times as long; a quadratic scan would take a hundred times. On a busy
/// machine one comparison says little, so one of several has to show it.
fn check_linear(name: &str, small_text: &[u8], large_text: &[u8]) {
    let mut last = (Duration::ZERO, Duration::ZERO);
    for _ in 0..10 {
        let small = time(small_text).max(Duration::from_micros(100));
        let large = time(large_text);
        if large < small * 40 {
            return;
        }
        last = (small, large);
    }
    panic!("{name}: {:?} for a tenth of what took {:?}", last.0, last.1);
}

#[test]
fn time_is_linear_for_pathological_input() {
    for (name, text) in PATHOLOGICAL {
        check_linear(name, text(20_000).as_bytes(), text(200_000).as_bytes());
    }
}

/// A text of about `n` repetitions.
type Generator = fn(usize) -> String;

const PATHOLOGICAL: &[(&str, Generator)] = &[
    ("open parentheses", |n| "(".repeat(n)),
    ("dollars", |n| format!("\"{}\"", "$".repeat(n))),
    ("dollars, open", |n| format!("\"{}", "$".repeat(n))),
    ("open comments", |n| "/* ".repeat(n)),
    ("open comments and stars", |n| format!("/{}", "*".repeat(n))),
    ("open heredocs", |n| "a = <<EOT\n".repeat(n)),
    ("nested heredocs", |n| "<<A\n${".repeat(n)),
    ("heredoc lines", |n| format!("a = <<EOT\n{}EOT\n", "line ${a} x\n".repeat(n))),
    ("heredoc blanks", |n| format!("a = <<EOT\n{}", " ".repeat(n))),
    ("heredoc, nearly closed", |n| format!("a = <<EOT\n{}", "EOT x\n".repeat(n))),
    ("introducers without newline", |n| "<<E".repeat(n)),
    ("open string", |n| format!("\"{}", "x".repeat(n))),
    ("quotes at line ends", |n| "a = \"\n".repeat(n)),
    ("nested interpolations", |n| "\"${".repeat(n)),
    ("escapes", |n| format!("\"{}", "\\\\".repeat(n))),
    ("digits and dots", |n| "1.".repeat(n)),
    ("dots", |n| format!("1{}", ".".repeat(n))),
    ("exponents", |n| "1e+".repeat(n)),
    ("garbage", |n| "@".repeat(n)),
    ("bad bytes", |n| "\u{1a}".repeat(n)),
    ("marks", |n| format!("a = \"e{}\"", "\u{301}".repeat(n))),
    ("ideographs", |n| format!("a = \"{}\"", "日".repeat(n))),
    ("flags", |n| format!("a = \"{}\"", "🇩".repeat(n))),
    ("one long line", |n| format!("a = [{}]\n", "\"é\", ".repeat(n))),
    ("combining tokens", |n| "=\u{301}".repeat(n)),
];

#[test]
fn bytes_that_are_no_text_cost_no_more() {
    check_linear("no text", &[0xff; 20_000], &[0xff; 200_000]);
}
