//! Errors about marked arguments, without what is in them.
//!
//! Functions whose parameters do not take marks don't know of them, and quote what they were given.

use super::FunctionError;
use crate::sorting::sort_by;
use crate::value::Value;

/// The text in place of a marked one.
const HIDDEN: &str = "(sensitive value)";
/// So many texts are compared with what is said; with more than these nothing is said at all.
const MOST_TEXTS: usize = 1000;
const MOST_BYTES: usize = 1 << 20;
/// Words of fewer letters stand in sentences by chance.
const SHORTEST_WORD: usize = 4;

/// The error without the texts and numbers that are marked in the arguments. What `is_name` says of is part of the
/// wording.
pub(crate) fn hide_marked(
    arguments: &[Value],
    mut error: FunctionError,
    is_name: impl Fn(&str) -> bool,
) -> FunctionError {
    let plain = error.limit.is_some() || error.not_known_yet || error.not_allowed.is_some();
    let is_said_already = !error.diagnostics.is_empty() && !error.is_diagnosed;
    if plain || is_said_already || !arguments.iter().any(Value::contains_marks) {
        return error;
    }
    let Some(secrets) = marked_texts(arguments) else {
        let unsaid = "what is wrong is not shown, because arguments are sensitive";
        return match error.argument {
            Some(position) => FunctionError::argument(position, unsaid),
            None => FunctionError::new(unsaid),
        };
    };
    let hide = |text: &str| {
        let mut shown =
            without_quoted(text, |text| !is_name(text) && secrets.iter().any(|secret| secret.contains(text)));
        for secret in &secrets {
            if secret.len() >= SHORTEST_WORD || secret.bytes().any(|b| b.is_ascii_digit()) {
                shown = without_word(&shown, secret);
            }
        }
        shown
    };
    error.detail = hide(&error.detail);
    for said in &mut error.diagnostics {
        said.summary = hide(&said.summary).into();
        said.detail = hide(&said.detail);
        for (_, value) in &mut said.extra {
            *value = hide(value);
        }
    }
    error
}

/// The texts and numbers that are marked, or in something that is, the longest first; `None` if they are many.
fn marked_texts(arguments: &[Value]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut bytes = 0_usize;
    let mut open: Vec<(&Value, bool)> = arguments.iter().map(|value| (value, false)).collect();
    while let Some((value, inside)) = open.pop() {
        let marked = inside || value.is_marked();
        if !marked && !value.contains_marks() {
            continue;
        }
        if open.len() > MOST_TEXTS {
            return None;
        }
        if marked {
            let number = number_text(value);
            let keys = value.entries().into_iter().flatten().map(|(key, _)| &**key);
            let own = value.as_str().or(number.as_deref());
            for text in keys.chain(own).filter(|text| !text.is_empty()) {
                bytes = bytes.saturating_add(text.len());
                if texts.len() == MOST_TEXTS || bytes > MOST_BYTES {
                    return None;
                }
                texts.push(text.to_owned());
            }
        }
        match value.entries() {
            Some(entries) => open.extend(entries.map(|(_, element)| (element, marked))),
            None => open.extend(value.elements().unwrap_or(&[]).iter().map(|element| (element, marked))),
        }
    }
    // As they are, and as they are quoted.
    let quoted: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    texts.extend(quoted.iter().map(|text| text[1..text.len() - 1].to_owned()));
    sort_by(&mut texts, |a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    texts.dedup();
    Some(texts)
}

/// A number as it is written in messages. Those with thousands of digits are not.
fn number_text(value: &Value) -> Option<String> {
    value.as_number().filter(|number| number.to_f64().abs() < 1e300).map(ToString::to_string)
}

/// `detail` with everything in double quotes replaced that `hidden` says so of.
fn without_quoted(detail: &str, hidden: impl Fn(&str) -> bool) -> String {
    let mut shown = String::with_capacity(detail.len());
    let mut rest = detail;
    while let Some((before, after)) = rest.split_once('"') {
        shown.push_str(before);
        let Some(end) = closing_quote(after) else {
            shown.push('"');
            rest = after;
            continue;
        };
        let (text, behind) = (&after[..end], &after[end + 1..]);
        if !text.is_empty() && hidden(text) {
            shown.push_str(HIDDEN);
        } else {
            shown.push('"');
            shown.push_str(text);
            shown.push('"');
        }
        rest = behind;
    }
    shown.push_str(rest);
    shown
}

/// Where the first quote is that no backslash stands before.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// `detail` with `word` replaced where it does not go on to either side.
fn without_word(detail: &str, word: &str) -> String {
    let mut shown = String::with_capacity(detail.len());
    let mut rest = detail;
    while let Some(start) = rest.find(word) {
        let end = start + word.len();
        let (before, behind) = (&rest[..start], &rest[end..]);
        let goes_on = |outside: Option<char>, inside: Option<char>| {
            outside.is_some_and(char::is_alphanumeric) && inside.is_some_and(char::is_alphanumeric)
        };
        let last = before.chars().next_back().or_else(|| shown.chars().next_back());
        let part =
            goes_on(last, word.chars().next()) || goes_on(behind.chars().next(), word.chars().next_back());
        shown.push_str(before);
        shown.push_str(if part { word } else { HIDDEN });
        rest = behind;
    }
    shown.push_str(rest);
    shown
}
