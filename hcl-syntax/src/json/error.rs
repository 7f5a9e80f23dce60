//! The wording of problems with a JSON text; the conversion to native syntax words its own.
//!
//! Summaries are those of the reference implementation, because tools match on them (one of them is
//! misspelt there). Details are ours: what was found, what was expected, what to do.

use std::borrow::Cow;

use super::scanner::TokenKind;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::first_similar;
use crate::source::{Source, Span};

/// A byte order mark.
const BOM: char = '\u{feff}';

/// The closed set of complaints of the parser. The example is the shortest text that triggers it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SyntaxErrorKind {
    /// `{`
    ValueMissing,
    /// `}`
    ValueMissingBeforeBrace,
    /// `]`
    ValueMissingBeforeBracket,
    /// `:`
    ValueInvalid,
    /// `{1: 2}`
    PropertyNameInvalid,
    /// `{"a"}`
    PropertyValueMissing,
    /// `{"a" = 1}`
    PropertyEquals,
    /// `{"a" 1}`
    PropertyColonMissing,
    /// `{"a": 1,}`
    ObjectTrailingComma,
    /// `{"a": 1`
    ObjectUnclosed,
    /// `{"a": 1]`
    ObjectMismatched,
    /// `{"a": 1 "b": 2}`, the second name at the given place
    ObjectCommaMissing { before: Span },
    /// `[1,]`
    ArrayTrailingComma,
    /// `[1`
    ArrayUnclosed,
    /// `[1}`
    ArrayMismatched,
    /// `[1 2]`, the second value at the given place
    ArrayCommaMissing { before: Span },
    /// `["a": 1]`
    ArrayColon,
    /// `01`
    NumberInvalid,
    /// `"\q"`
    StringInvalid,
    /// `True`
    KeywordInvalid,
    /// `{} {}`
    DataTrailing,
    /// `1`
    RootInvalid,
    /// A byte in a string that is no UTF-8.
    EncodingInvalid,
    /// `[[[[…`
    DepthLimit { max_depth: u32 },
    /// Too many complaints.
    DiagnosticsLimit { n_left_out: u32 },
}

/// A complaint: what, where, and what was found there.
#[derive(Copy, Clone, Debug)]
pub(super) struct SyntaxError {
    pub(super) kind: SyntaxErrorKind,
    pub(super) subject: Span,
}

impl SyntaxError {
    /// The complaint in words.
    pub(super) fn diagnostic(self, source: &Source) -> Diagnostic {
        let (code, summary, advice) = self.kind.wording();
        let detail: Cow<'_, str> = match self.kind {
            SyntaxErrorKind::ValueInvalid if self.subject.start == 0 && source.text().starts_with(BOM) => {
                "The text begins with a byte order mark, which JSON has not. Save the file as UTF-8 without it.".into()
            }
            SyntaxErrorKind::KeywordInvalid => keyword_detail(source.slice(self.subject)).into(),
            SyntaxErrorKind::ObjectCommaMissing { before }
            | SyntaxErrorKind::ArrayCommaMissing { before } => {
                format!("{advice} before {}, at {}.", found(source, before), source.range(before)).into()
            }
            SyntaxErrorKind::DepthLimit { max_depth } => {
                format!("Objects and arrays may nest {max_depth} levels deep. {advice}").into()
            }
            SyntaxErrorKind::DiagnosticsLimit { n_left_out } => {
                format!("{n_left_out} further problems were found. {advice}").into()
            }
            _ => advice.replacen("Found", &format!("Found {}", found(source, self.subject)), 1).into(),
        };
        Diagnostic::error(code, summary, detail).at(source, self.subject)
    }
}

/// Names the text at `span`, for use in a sentence.
fn found(source: &Source, span: Span) -> String {
    const LONGEST: usize = 40;
    if span.is_empty() {
        return "the end of the text".to_owned();
    }
    // A byte that begins nothing may be a part of a character.
    let text = source.text();
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.ceil_char_boundary(span.end as usize).max(start);
    let to_u32 = |offset: usize| u32::try_from(offset).unwrap_or(span.end);
    let text = source.display(Span::new(to_u32(start), to_u32(end)));
    if text.starts_with('"') && text.len() <= LONGEST {
        return text.into_owned();
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn keyword_detail(word: &str) -> String {
    const KEYWORDS: [&str; 3] = ["false", "true", "null"];
    let shown: String = word.chars().take(40).collect();
    match (word, first_similar(word, KEYWORDS)) {
        ("undefined" | "NaN" | "Infinity", _) => format!(
            "\"{word}\" is a word of JavaScript that JSON does not have. Write null, a string, or leave the property out."
        ),
        (_, Some(meant)) => format!("\"{shown}\" is no JSON value. Did you mean \"{meant}\"?"),
        _ => format!("\"{shown}\" is no JSON value. Only true, false and null are written without quotes."),
    }
}

impl SyntaxErrorKind {
    /// Returns the complaint for a token of the given kind where a value is wanted.
    pub(super) fn of_value(found: TokenKind) -> Self {
        match found {
            TokenKind::BraceClose => Self::ValueMissingBeforeBrace,
            TokenKind::BracketClose => Self::ValueMissingBeforeBracket,
            TokenKind::EndOfFile => Self::ValueMissing,
            _ => Self::ValueInvalid,
        }
    }

    /// Code, summary and advice.
    pub(super) fn wording(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ValueMissing
            | Self::ValueMissingBeforeBrace
            | Self::ValueMissingBeforeBracket
            | Self::ValueInvalid
            | Self::NumberInvalid
            | Self::StringInvalid
            | Self::KeywordInvalid => self.value_wording(),
            Self::PropertyNameInvalid
            | Self::PropertyValueMissing
            | Self::PropertyEquals
            | Self::PropertyColonMissing
            | Self::ObjectTrailingComma
            | Self::ObjectUnclosed
            | Self::ObjectMismatched
            | Self::ObjectCommaMissing { .. } => self.object_wording(),
            Self::ArrayTrailingComma
            | Self::ArrayUnclosed
            | Self::ArrayMismatched
            | Self::ArrayCommaMissing { .. }
            | Self::ArrayColon => self.array_wording(),
            Self::DataTrailing => (
                "json.data_trailing",
                "Extraneous data after value",
                "Found after the end of the value. A file of JSON syntax is one object, or one array of objects.",
            ),
            Self::RootInvalid => (
                "json.root_invalid",
                "Root value must be object",
                "A file of JSON syntax is an object with a property for each argument and block type, or an array of such objects.",
            ),
            Self::EncodingInvalid => (
                "json.invalid_encoding",
                "Invalid character encoding",
                "A byte here is no part of valid UTF-8 text; U+FFFD takes its place. Save the file as UTF-8.",
            ),
            Self::DepthLimit { .. } => {
                ("limit.depth", "Nesting limit reached", "Nest less deeply, or raise the limit.")
            }
            Self::DiagnosticsLimit { .. } => (
                "limit.diagnostics",
                "Too many diagnostics",
                "Correct those shown first, or raise the limit.",
            ),
        }
    }

    fn value_wording(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ValueMissing => {
                ("json.value_missing", "Missing value", "The text ends where a value was expected.")
            }
            Self::ValueMissingBeforeBrace => (
                "json.value_missing",
                "Missing JSON value",
                "Found where a value was expected. Write an object, an array, a string, a number, true, false or null.",
            ),
            Self::ValueMissingBeforeBracket => (
                "json.value_missing",
                "Missing array element value",
                "Found where a value was expected. Write an object, an array, a string, a number, true, false or null.",
            ),
            Self::NumberInvalid => (
                "json.number_invalid",
                "Invalid JSON number",
                "Found where a number was expected. A JSON number has no plus sign and no needless zero in front, digits on both sides of its point, and a size that can be stored.",
            ),
            Self::StringInvalid => (
                "json.string_invalid",
                "Invalid JSON string",
                "A JSON string stands in double quotes on one line. A backslash begins one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uNNNN; write \"\\\\\" for a backslash and an escape for a control character.",
            ),
            Self::KeywordInvalid => (
                "json.keyword_invalid",
                "Invalid JSON keyword",
                "Only true, false and null are written without quotes.",
            ),
            _ => (
                "json.value_invalid",
                "Invalid start of value",
                "Found where a value was expected. Write an object, an array, a string, a number, true, false or null; JSON has no comments.",
            ),
        }
    }

    fn object_wording(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::PropertyNameInvalid => (
                "json.property_name_invalid",
                "Invalid object property name",
                "The name of a property is a string: write it in double quotes.",
            ),
            Self::PropertyValueMissing => (
                "json.property_value_missing",
                "Missing object value",
                "Found after the name of a property. Write a colon and the value; for a list of values use brackets in place of the braces.",
            ),
            Self::PropertyEquals => (
                "json.property_equals",
                "Missing property value colon",
                "In JSON syntax a colon, and no equals sign, stands between the name of a property and its value.",
            ),
            Self::PropertyColonMissing => (
                "json.property_colon_missing",
                "Missing property value colon",
                "Found after the name of a property. Write a colon between the name and the value.",
            ),
            Self::ObjectTrailingComma => (
                "json.object_trailing_comma",
                "Trailing comma in object",
                "JSON has no comma after the last property of an object. Remove it.",
            ),
            Self::ObjectUnclosed => (
                "json.object_unclosed",
                "Unclosed object",
                "The text ends before this object does. Add the missing \"}\".",
            ),
            Self::ObjectMismatched => (
                "json.object_mismatched",
                "Mismatched braces",
                "An object ends with \"}\", but \"]\" was found before this place.",
            ),
            _ => (
                "json.object_comma_missing",
                "Missing attribute seperator comma",
                "A comma is missing between two properties of an object,",
            ),
        }
    }

    fn array_wording(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ArrayTrailingComma => (
                "json.array_trailing_comma",
                "Trailing comma in array",
                "JSON has no comma after the last value of an array. Remove it.",
            ),
            Self::ArrayUnclosed => (
                "json.array_unclosed",
                "Unclosed object",
                "The text ends before this array does. Add the missing \"]\".",
            ),
            Self::ArrayMismatched => (
                "json.array_mismatched",
                "Mismatched brackets",
                "An array ends with \"]\", but \"}\" was found before this place.",
            ),
            Self::ArrayColon => (
                "json.array_colon",
                "Invalid array value",
                "The values of an array have no names, but a colon was found before this place. Use braces for names and values.",
            ),
            _ => (
                "json.array_comma_missing",
                "Missing attribute seperator comma",
                "A comma is missing between two values of an array,",
            ),
        }
    }
}
