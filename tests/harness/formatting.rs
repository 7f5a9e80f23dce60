//! The formatter on generated documents: what it gives is settled, and means what it meant.
//!
//! `HCL_DOCUMENTS=100000` sets how many; a document follows from its number alone.

use std::env;
use std::thread;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::json_syntax::to_json;
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

/// How many documents there are unless the environment says otherwise.
const DOCUMENTS: u64 = 3_000;

/// A document in the making, and the numbers that decide about it.
struct Writer {
    state: u64,
    out: String,
    n_names: u32,
}

impl Writer {
    fn document(number: u64) -> String {
        let mut writer = Self { state: number.wrapping_mul(2) + 1, out: String::new(), n_names: 0 };
        for _ in 0..8 {
            writer.below(2);
        }
        writer.body(0);
        writer.out
    }

    /// A number below `n`, by the generator of Knuth's MMIX.
    fn below(&mut self, n: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % n
    }

    fn pick(&mut self, texts: &[&str]) {
        let at = usize::try_from(self.below(texts.len() as u64)).unwrap_or_default();
        self.out.push_str(texts[at]);
    }

    fn blanks(&mut self) {
        self.pick(&["", " ", "  ", "\t", "   "]);
    }

    fn end_line(&mut self) {
        self.blanks();
        self.pick(&["\n", "\n", "\n", "\n\n", "\n\n\n", " # why\n", "  // why not\n", " /* so */\n"]);
    }

    fn name(&mut self) {
        self.n_names += 1;
        let name =
            format!("n{}{}", "x".repeat(usize::try_from(self.below(9)).unwrap_or_default()), self.n_names);
        self.out.push_str(&name);
    }

    fn body(&mut self, depth: u32) {
        for _ in 0..=self.below(5) {
            self.blanks();
            match self.below(if depth < 3 { 8 } else { 5 }) {
                0 => {
                    self.pick(&["# about", "// about", "/* on\n   lines */", "#"]);
                    self.out.push('\n');
                    continue;
                }
                1..5 => {
                    self.name();
                    self.blanks();
                    self.out.push('=');
                    self.blanks();
                    self.expression(0);
                    if self.out.ends_with('E') {
                        // Nothing may stand behind the marker of a heredoc.
                        self.out.push('\n');
                        continue;
                    }
                }
                5 => {
                    self.name();
                    self.pick(&[" {}", "{}", " \"l\"   {  }", "  l {}"]);
                }
                _ => {
                    self.name();
                    self.pick(&["{", "  {", " \"label\" {", " a  \"b\"{"]);
                    self.pick(&["\n", "\n\n", " # inside\n"]);
                    self.body(depth + 1);
                    self.blanks();
                    self.out.push('}');
                }
            }
            self.end_line();
        }
    }

    /// Something that has a value without any names.
    fn expression(&mut self, depth: u32) {
        let n = if depth < 3 { 13 } else { 5 };
        match self.below(n) {
            0 => self.pick(&["1", "2.50", "1e3", "-3", "- 4", "true", "null", "! false"]),
            1 | 2 => self.pick(&[
                "\"text\"",
                "\"\"",
                "\"a $${b} \\\" \\u00e9\"",
                "\"日本\"",
                "\"${  1+2  }\"",
                "\"x${ \"y\" }z\"",
            ]),
            3 if depth == 0 => {
                self.pick(&["<<E\nfirst\n  second ${ 1 +1}\nE", "<<-E\n    a\n   b\n  E"]);
            }
            3 | 4 => self.pick(&[
                "upper( \"a\" )",
                "max(1,2 , 3)",
                "[for  x in[1,2]:x*2  if x>1]",
                "{for k,v in {a=1}:k=>v}",
            ]),
            5 => self.list(depth, '[', ']'),
            6 => self.object(depth),
            7 => {
                self.out.push('(');
                self.blanks();
                self.expression(depth + 1);
                self.blanks();
                self.out.push(')');
            }
            8 => {
                self.pick(&["1", "2", "(3)"]);
                self.blanks();
                self.pick(&["+", "-", "*", "/", "==", "<", ">="]);
                self.blanks();
                self.pick(&["7", "(8)", "-9"]);
            }
            9 => {
                self.pick(&["true", "1<2", "!true"]);
                self.pick(&[" ? ", "?", "  ?  "]);
                self.pick(&["1:2", "\"a\" : \"b\"", "[1] : [2]"]);
            }
            10 => self.pick(&["[1,2][ 0 ]", "{a=1}.a", "{a = 1}[\"a\"]", "[{b=1}][*].b", "[{b=1}].*.b"]),
            _ => {
                self.out.push_str("jsonencode(");
                self.expression(depth + 1);
                self.out.push(')');
            }
        }
    }

    fn list(&mut self, depth: u32, open: char, close: char) {
        self.out.push(open);
        self.pick(&["", " ", "\n", "\n  # first\n"]);
        for _ in 0..self.below(4) {
            self.expression(depth + 1);
            self.pick(&[",", " , ", ",\n", ",  # one\n", ",\n\n"]);
        }
        self.blanks();
        self.out.push(close);
    }

    fn object(&mut self, depth: u32) {
        self.out.push('{');
        let is_long = self.below(2) == 0;
        self.pick(if is_long { &["\n", " # first\n"] } else { &["", " "] });
        for _ in 0..self.below(4) {
            self.blanks();
            self.name();
            self.pick(&["=", " = ", "  =", " : "]);
            self.expression(depth + 1);
            self.pick(if is_long { &["\n", ",\n", "  # one\n", "\n\n"] } else { &[",", " , "] });
        }
        self.blanks();
        self.out.push('}');
    }
}

/// The values of a document, or nothing if it has errors.
fn meaning(text: &[u8]) -> Option<String> {
    let source = Source::new("main.hcl", text).ok()?;
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    if has_errors(&diagnostics) {
        return None;
    }
    let scope = Scope::builder().functions(dialect::terraform()).build();
    Some(to_json(&[file.body()], &scope, &EvalOptions::default()).0)
}

/// The problem with how a document is formatted.
fn complaint(number: u64) -> Option<String> {
    let text = Writer::document(number);
    let Some(meant) = meaning(text.as_bytes()) else { return Some(format!("{number} has errors:\n{text}")) };
    [FormatStyle::Hcl, FormatStyle::Terraform].into_iter().find_map(|style| {
        let formatted =
            format("main.hcl", text.as_bytes(), style).expect("documents without errors are formatted");
        let shown = || format!("{style:?}:\n{text}---\n{}", String::from_utf8_lossy(&formatted));
        if meaning(&formatted).as_ref() != Some(&meant) {
            return Some(format!("{number} means something else, {}", shown()));
        }
        let again = format("main.hcl", &formatted, style).expect("formatted documents are formatted");
        (again != formatted)
            .then(|| format!("{number} is not settled, {}---\n{}", shown(), String::from_utf8_lossy(&again)))
    })
}

#[test]
fn generated_documents_keep_their_meaning_and_are_settled() {
    let n_documents = env::var("HCL_DOCUMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(DOCUMENTS);
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let complaints: Vec<String> = thread::scope(|scope| {
        let begin = |first| {
            scope.spawn(move || {
                (0..n_documents)
                    .skip(first)
                    .step_by(n_threads)
                    .filter_map(complaint)
                    .take(3)
                    .collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..n_threads).map(begin).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("formatting does not panic")).collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
