//! The JSON that batch answers are made of.
//!
//! Answers are structs whose fields stand in the order in which they are written. Parts that are JSON
//! text already, such as diagnostics and values, are put in as they are.

use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics, write_range};
use hcl_syntax::source::{Source, Span};
use serde::Serialize;
use serde_json::value::RawValue;

/// A piece of JSON text.
pub type Json = Box<RawValue>;

/// JSON text as a part of an answer. Only what this crate wrote is put in, so it is JSON.
pub fn raw(text: String) -> Json {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Diagnostics of one text, as a list.
pub fn diagnostics_json(diagnostics: &[Diagnostic]) -> Json {
    let mut out = String::new();
    write_diagnostics(diagnostics, FileNames::Omitted, &mut out);
    raw(out)
}

/// Writes `{"diagnostics": […]}` for `--diagnostics json`; ranges have the names of their files.
pub fn diagnostics_document(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::from("{\"diagnostics\":");
    write_diagnostics(diagnostics, FileNames::Included, &mut out);
    out.push('}');
    out
}

/// The range of a span of `source`.
pub fn range_json(source: &Source, span: Span) -> Json {
    let mut out = String::new();
    write_range(&source.range(span), FileNames::Omitted, &mut out);
    raw(out)
}

/// The JSON of one of the shapes of this crate; they hold strings, numbers and lists, so writing can't fail.
pub fn to_json(shape: &impl Serialize) -> String {
    serde_json::to_string(shape).unwrap_or_default()
}
