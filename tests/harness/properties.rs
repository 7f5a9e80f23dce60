//! Properties of any input: nothing panics, tokens tile, ranges lie inside, nesting is bounded and what is accepted
//! works on a small stack, chains have no limit of their own.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::value::Value;
use hcl_syntax::ast::{functions, variables};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;
use hcl_tests::universal::{diagnostics_are_sound, tokens_tile};
use serde_json::Value as Json;

/// The inputs of a corpus.
fn inputs(corpus: &str, key: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(corpus);
    let text = fs::read_to_string(path).expect("the corpus is readable");
    let case = |line: &str| serde_json::from_str::<Json>(line).expect("a case is JSON");
    text.lines().map(case).filter_map(|case| Some(case.get(key)?.as_str()?.to_owned())).collect()
}

fn source(text: impl AsRef<[u8]>) -> Source {
    Source::new("main.hcl", text.as_ref()).expect("the text is short")
}

/// Reads a file and looks at all there is.
fn check_file(bytes: &[u8]) {
    let source = source(bytes);
    let (file, diagnostics) = parse_file(source.clone(), &ParseLimits::default());
    let sound = tokens_tile(&source).and_then(|()| diagnostics_are_sound(&source, &diagnostics));
    assert_eq!(sound, Ok(()), "{:?}", source.text());
    let mut bodies = vec![file.body()];
    while let Some(body) = bodies.pop() {
        bodies.extend(body.blocks().map(|block| block.body()));
        for attribute in body.attributes() {
            let span = attribute.expression().span();
            assert!(
                span.start <= span.end && span.end as usize <= source.text().len(),
                "{:?}",
                source.text()
            );
            let _ = (variables(attribute.expression()), functions(attribute.expression()));
        }
    }
}

fn evaluated(text: String, scope: &Arc<Scope>) -> (Value, Diagnostics) {
    let (parsed, mut diagnostics) = parse_expression(source(text), &ParseLimits::default());
    let (value, more) = evaluate(parsed.expression(), Some(scope), &EvalOptions::default());
    diagnostics.extend(more);
    (value, diagnostics)
}

fn library() -> Arc<Scope> {
    Scope::builder().functions(dialect::hcl_test()).variables_allowed().build()
}

/// Runs on a thread with the stack that hosts commonly give.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread starts");
    thread.join().expect("the work ends without a panic");
}

#[test]
fn every_beginning_of_a_file_can_be_read() {
    for text in inputs("documents.jsonl", "source") {
        let step = 1 + text.len() / 12;
        for end in (0..text.len()).step_by(step) {
            check_file(&text.as_bytes()[..end]);
        }
        check_file(text.as_bytes());
    }
}

#[test]
fn a_file_with_a_foreign_byte_can_be_read() {
    let strange = *b"\"${}[]()%~<\\\n\r\0\xff.*:";
    for (position, text) in inputs("documents.jsonl", "source").into_iter().enumerate() {
        let mut bytes = text.into_bytes();
        if bytes.is_empty() {
            continue;
        }
        for (turn, byte) in strange.into_iter().enumerate().skip(position % 3).step_by(3) {
            let at = (position * 7919 + turn * 104_729) % bytes.len();
            let old = std::mem::replace(&mut bytes[at], byte);
            check_file(&bytes);
            bytes[at] = old;
        }
    }
}

#[test]
fn every_beginning_of_an_expression_can_be_evaluated() {
    let scope = library();
    for text in inputs("head_eval.jsonl", "expr") {
        let ends = text.char_indices().map(|(end, _)| end).step_by(1 + text.len() / 6);
        for end in ends {
            let (value, diagnostics) = evaluated(text[..end].to_owned(), &scope);
            let _ = (value.display_console(), value.ty().to_type_text());
            assert_eq!(
                diagnostics_are_sound(&source(text.as_str()), &diagnostics),
                Ok(()),
                "{:?}",
                &text[..end]
            );
        }
    }
}

#[test]
fn the_deepest_nesting_works_on_a_small_stack() {
    const FORMS: [(&str, &str, &str); 7] = [
        ("[", "1", "]"),
        ("{a=", "1", "}"),
        ("(", "1", ")"),
        ("\"${", "1", "}\""),
        ("true?", "1", ":2"),
        ("[for x in [1]:", "x", "]"),
        ("upper(", "\"a\"", ")"),
    ];
    for (open, inner, close) in FORMS {
        on_a_small_stack(move || {
            let nested = |depth: usize| open.repeat(depth) + inner + &close.repeat(depth);
            let scope = library();
            for depth in [400, 900, 5_000] {
                let (value, diagnostics) = evaluated(nested(depth), &scope);
                let reached = diagnostics.iter().any(|diagnostic| diagnostic.code == "limit.depth");
                assert!(reached || !has_errors(&diagnostics), "{open} {depth} deep: {diagnostics:?}");
                assert!(reached || depth < 1_000, "{open} {depth} deep is accepted");
                let copy = value.clone();
                let _ = (value.equals(&copy), value.to_json(), value.display_console(), value.ty());
            }
        });
    }
}

#[test]
fn chains_have_no_limit_of_their_own() {
    const LINKS: usize = 20_000;
    on_a_small_stack(|| {
        let scope = library();
        let (value, diagnostics) = evaluated("1".to_owned() + &" + 1".repeat(LINKS), &scope);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(value.display_console(), (LINKS + 1).to_string());
        let (value, diagnostics) = evaluated("-".repeat(LINKS) + "1", &scope);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(value.display_console(), "1");
        let (_, diagnostics) = evaluated("a".to_owned() + &".b".repeat(LINKS), &scope);
        assert_eq!(diagnostics[0].summary, "Unknown variable");
        let (_, diagnostics) = evaluated("true".to_owned() + &" && true".repeat(LINKS), &scope);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let (value, diagnostics) = evaluated("null".to_owned() + &"[*]".repeat(LINKS), &scope);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(value.display_console(), "[]");
        let (value, diagnostics) = evaluated("1".to_owned() + &"[*]".repeat(5_000), &scope);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(value.depth(), 5_000);
        // The chain has no limit, but what it makes nests.
        let (_, diagnostics) = evaluated("1".to_owned() + &"[*]".repeat(LINKS), &scope);
        assert_eq!(diagnostics[0].code, "limit.depth");
    });
}
