//! JSON syntax: reading returns, a second way through native syntax is the first but for comments and the form of numbers, and
//! values come back.

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::json_syntax::{Expressions, JsonStyle, to_json_with};
use hcl_eval::value::{JsonProblem, Number, Value, ValueErrorKind};
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::escape::{is_printable, write_escaped};
use hcl_syntax::json::{parse_json, to_native};
use hcl_syntax::lexer;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use hcl_syntax::token::TokenKind;

use crate::universal::diagnostics_are_sound;

/// The property.
pub(super) fn run(bytes: &[u8]) {
    let Ok(source) = Source::json("main.json", bytes) else { return };
    let (_, mut diagnostics) = parse_json(source.clone(), &ParseLimits::default());
    // The reference tells a string that ends too early one place behind its end.
    diagnostics.retain(|diagnostic| diagnostic.code != "json.string_invalid");
    assert_eq!(diagnostics_are_sound(&source, &diagnostics), Ok(()));
    if let Ok(text) = str::from_utf8(bytes)
        && !has_large_exponent(text)
    {
        values_come_back(text);
        if let Some(native) = native_of(text) {
            let json = json_of(&native);
            let again = native_of(&json).as_deref().map(meaning);
            assert_eq!(again, Some(meaning(&native)), "{text:?} => {native} => {json}");
        }
    }
}

/// The native syntax of a text of JSON syntax that has one.
fn native_of(text: &str) -> Option<String> {
    let (file, diagnostics) = parse_json(Source::json("main.json", text).ok()?, &ParseLimits::default());
    if has_errors(&diagnostics) {
        return None;
    }
    let (native, problems) = to_native(&file, None);
    (!has_errors(&problems)).then_some(native)
}

/// The JSON syntax of a text of native syntax, which nothing is wrong with.
fn json_of(native: &str) -> String {
    let source = Source::new("main.hcl", native).expect("about as long as the JSON syntax");
    let (file, problems) = parse_file(source, &ParseLimits::default());
    assert!(!has_errors(&problems), "{native}: {problems:?}");
    let style = JsonStyle { expressions: Expressions::Kept, ..JsonStyle::default() };
    let scope = Scope::builder().variables_allowed().functions_allowed().build();
    let (json, problems) =
        to_json_with(&[file.body()], style, &scope, &mut Evaluation::new(&EvalOptions::default()));
    assert!(!has_errors(&problems), "{native}: {problems:?}");
    json
}

/// The tokens that JSON syntax has a place for, each number as JSON has it: `1E2` and `100` are one number, and `"//"` among
/// the properties of a block is a comment of native syntax, which is lost on the way back.
fn meaning(native: &str) -> Vec<String> {
    let source = Source::new("main.hcl", native).expect("about as long as the JSON syntax");
    let mut meaning = Vec::new();
    for token in lexer::tokens(&source) {
        let text = source.slice(token.span);
        let value = match token.kind {
            TokenKind::Comment | TokenKind::Newline => continue,
            TokenKind::Number => Value::number(Number::parse(text).expect("a number of JSON")),
            // A list over several lines has a comma behind its last element.
            TokenKind::CloseBracket => {
                meaning.pop_if(|last| last == "\",\"");
                Value::from(text)
            }
            TokenKind::QuotedLiteral => Value::from(seen(&Value::from(text))),
            // A string is composed when it is read from JSON, and when it is evaluated in native syntax.
            _ => Value::from(text),
        };
        meaning.push(value.to_json().expect("a known value"));
    }
    meaning
}

/// A literal, composed, with escapes for characters that are not seen: an expression keeps them as they are written, a string
/// is written anew.
fn seen(literal: &Value) -> String {
    let mut out = String::new();
    for c in literal.as_str().unwrap_or_default().chars() {
        if is_printable(c) {
            out.push(c);
        } else {
            write_escaped(c.encode_utf8(&mut [0; 4]), None, &mut out);
        }
    }
    out
}

/// A value that is read and written is the value. The text is JSON to `serde_json` if it is JSON here, and here if it is there,
/// but for properties of one name and different types.
fn values_come_back(text: &str) {
    let value = match Value::from_json_implied(text) {
        Ok(value) => value,
        Err(error) => {
            if let ValueErrorKind::JsonSyntax { problem: JsonProblem::DuplicateKey, .. } = error.kind {
                return;
            }
            let theirs = serde_json::from_str::<serde_json::Value>(text);
            assert!(theirs.is_err(), "{text:?}: {error:?}");
            return;
        }
    };
    if let Ok(written) = value.to_json() {
        let read = Value::from_json_implied(&written);
        assert_eq!(format!("{read:?}"), format!("{:?}", Ok::<_, ()>(&value)), "{text:?} => {written}");
    }
}

/// Returns whether a number may have an exponent of more than four digits. Values are written with all digits, here without
/// limits, and `serde_json` keeps exponents beyond 32 bits.
fn has_large_exponent(text: &str) -> bool {
    text.split(['e', 'E']).skip(1).any(|exponent| {
        let digits = exponent.trim_start_matches(['+', '-']);
        digits.bytes().take_while(u8::is_ascii_digit).count() > 4
    })
}
