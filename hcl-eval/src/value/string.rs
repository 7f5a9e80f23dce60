//! Strings: normalisation, and prefixes that stay true whatever follows.
//!
//! Every string value, map key and attribute name is in Unicode normalisation form C. Most text is ASCII
//! and most of the rest is normalised already, so both are checked before anything is copied.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use crate::Str;

/// Whether a text is in normalisation form C, as far as a quick look tells.
#[inline]
fn surely_normal(text: &str) -> bool {
    text.is_ascii() || matches!(is_nfc_quick(text.chars()), IsNormalized::Yes)
}

/// The normalisation form C of a text.
#[inline]
pub(crate) fn normalize(text: Str) -> Str {
    if surely_normal(&text) { text } else { text.nfc().collect::<String>().into() }
}

/// A value's text from any text.
#[inline]
pub(crate) fn normalized(text: &str) -> Str {
    if surely_normal(text) { Str::new(text) } else { text.nfc().collect::<String>().into() }
}

/// The part of `text` that is sure to start any string made by appending to `text`.
///
/// What follows may combine with the last character, so that one is dropped unless nothing combines with
/// it: the ASCII punctuation and blanks that usually separate the parts of names and addresses.
pub(crate) fn safe_prefix(text: &str) -> Str {
    let text = normalized(text);
    let Some((start, last)) = text.grapheme_indices(true).next_back() else { return text };
    if is_boundary(last) { text } else { Str::new(&text[..start]) }
}

/// Whether nothing that follows this grapheme cluster can become part of it, by the reference's list.
fn is_boundary(cluster: &str) -> bool {
    let [byte] = cluster.as_bytes() else { return false };
    b"-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'".contains(byte)
}
