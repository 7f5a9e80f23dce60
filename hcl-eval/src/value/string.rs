//! Strings: normalisation, and prefixes that stay true whatever follows.
//!
//! Every string value, map key and attribute name is in Unicode normalisation form C. Most text is ASCII
//! and most of the rest is normalised already, so both are checked before anything is copied.

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::ptr;

use unicode_normalization::char::{canonical_combining_class, compose};
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfd_quick};
use unicode_segmentation::UnicodeSegmentation;

use super::composition::{composed, composed_on, surely_composed};
use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace, go_on, hold};
use crate::text::ShortStr;
#[cfg(feature = "encoding")]
use crate::text::utf8_in_pieces;

/// Returns whether a text is in normalisation form C, as far as a quick look tells.
fn surely_normal(text: &str) -> bool {
    is_ascii(text) || surely_composed(text)
}

/// Texts of fewer bytes are looked through as words: two texts in a row, of some hundred bytes each, take 420 instructions less
/// than by the standard library, which looks at the last bytes of a text one by one.
const FEW: usize = 256;

/// Returns whether a text is ASCII; quick for short ones.
pub(crate) fn is_ascii(text: &str) -> bool {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let bytes = text.as_bytes();
    // The first and the last few bytes, which may overlap.
    let joined = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => {
            u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)
        }
        (Some(_), Some(last)) if bytes.len() < FEW => {
            let (words, _) = bytes.as_chunks();
            words.iter().fold(u64::from_ne_bytes(*last), |joined, word| joined | u64::from_ne_bytes(*word))
        }
        (Some(_), _) => return text.is_ascii(),
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)),
            _ => bytes.iter().fold(0, |joined, byte| joined | u64::from(*byte)),
        },
    };
    joined & HIGH_BITS == 0
}

/// The normalisation form C of a text.
pub(crate) fn normalize(text: Str) -> Str {
    if surely_normal(&text) { text } else { composed(&text).into() }
}

/// A text's copy in normalisation form C, made with looks at the limits, which are asked for its room.
#[inline] // Of 1 MB of JSON with many short texts, 3.0 % fewer instructions.
pub(crate) fn normalize_within(text: &str, pace: Pace<'_, '_>) -> Result<Str, LimitReached> {
    if text.len() <= STRETCH { Ok(normalized(text)) } else { normalize_long(text, pace) }
}

/// [`normalize_within`] of a text that nothing has charged for, such as a label: there is room for the copy, and a short one is
/// work, too.
pub(crate) fn normalize_charged(text: &str, meter: &mut Meter) -> Result<Str, LimitReached> {
    if let Some(short) = ShortStr::of_ascii(text) {
        meter.go_on(1)?;
        return Ok(short.into());
    }
    meter.hold(text.len())?;
    meter.go_on(1 + text.len().min(STRETCH) / BYTES_PER_PART)?;
    normalize_within(text, &mut Some(meter))
}

fn normalize_long(text: &str, pace: Pace<'_, '_>) -> Result<Str, LimitReached> {
    for stretch in stretches(text) {
        go_on(pace, stretch.len() / BYTES_PER_PART)?;
        // A mark at the start of a stretch may belong to what stands before.
        let begins = stretch.chars().next().is_some_and(|c| canonical_combining_class(c) == 0);
        if !begins || !surely_normal(stretch) {
            let composed = composed_on(text, |n, room| {
                hold(pace, room)?;
                go_on(pace, n / BYTES_PER_PART)
            });
            return copied(&composed?, pace);
        }
    }
    copied(text, pace)
}

/// A copy of a long text, made with looks at the limits, which are asked for its room.
fn copied(text: &str, pace: Pace<'_, '_>) -> Result<Str, LimitReached> {
    hold(pace, text.len())?;
    Str::copied(text, STRETCH, |n| go_on(pace, n / BYTES_PER_PART))
}

/// How many bytes of a text are worked on between two looks at the clock, give or take a character.
pub(crate) const STRETCH: usize = 1 << 15;

/// A text in stretches of [`STRETCH`].
pub(crate) fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (stretch, after) = rest.split_at(rest.ceil_char_boundary(STRETCH));
        rest = after;
        (!stretch.is_empty()).then_some(stretch)
    })
}

/// Where something is found in a text, by stretches of it with looks between. `find` looks for a single byte.
pub(crate) fn find_on(
    bytes: &[u8],
    find: impl Fn(&[u8]) -> Option<usize>,
    pace: Pace<'_, '_>,
) -> Result<Option<usize>, LimitReached> {
    match bytes.get(..STRETCH) {
        None => Ok(find(bytes)),
        Some(_) => find_in_long(bytes, &find, pace),
    }
}

fn find_in_long(
    bytes: &[u8],
    find: &dyn Fn(&[u8]) -> Option<usize>,
    pace: Pace<'_, '_>,
) -> Result<Option<usize>, LimitReached> {
    for (i, stretch) in bytes.chunks(STRETCH).enumerate() {
        let found = find(stretch);
        go_on(pace, found.unwrap_or(stretch.len()) / BYTES_PER_PART)?;
        if let Some(at) = found {
            return Ok(Some(i * STRETCH + at));
        }
    }
    Ok(None)
}

/// [`find_on`] from the end of the text.
pub(crate) fn find_last_on(
    bytes: &[u8],
    find: impl Fn(&[u8]) -> Option<usize>,
    pace: Pace<'_, '_>,
) -> Result<Option<usize>, LimitReached> {
    match bytes.get(..STRETCH) {
        None => Ok(find(bytes)),
        Some(_) => find_last_in_long(bytes, &find, pace),
    }
}

#[cold] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
fn find_last_in_long(
    bytes: &[u8],
    find: &dyn Fn(&[u8]) -> Option<usize>,
    pace: Pace<'_, '_>,
) -> Result<Option<usize>, LimitReached> {
    let mut end = bytes.len();
    for stretch in bytes.rchunks(STRETCH) {
        go_on(pace, stretch.len() / BYTES_PER_PART)?;
        end -= stretch.len();
        if let Some(at) = find(stretch) {
            return Ok(Some(end + at));
        }
    }
    Ok(None)
}

/// Where a character of ASCII is in a text, found with looks at the limits.
pub(crate) fn find_char_on(text: &str, c: char, pace: Pace<'_, '_>) -> Result<Option<usize>, LimitReached> {
    if text.len() <= STRETCH { Ok(text.find(c)) } else { find_char_in_long(text, c, pace) }
}

#[cold] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
fn find_char_in_long(text: &str, c: char, pace: Pace<'_, '_>) -> Result<Option<usize>, LimitReached> {
    let mut start = 0;
    for stretch in stretches(text) {
        let found = stretch.find(c);
        go_on(pace, found.unwrap_or(stretch.len()) / BYTES_PER_PART)?;
        if let Some(at) = found {
            return Ok(Some(start + at));
        }
        start += stretch.len();
    }
    Ok(None)
}

/// Appends a text for which there is room, with looks at the limits if it is long.
pub(crate) fn append_on(text: &str, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    if text.len() <= STRETCH {
        out.push_str(text);
        return Ok(());
    }
    for stretch in stretches(text) {
        go_on(pace, stretch.len() / BYTES_PER_PART)?;
        out.push_str(stretch);
    }
    Ok(())
}

/// Returns whether texts are equal: long ones are compared in stretches, with looks at the limits.
pub(crate) fn are_equal_on(a: &Str, b: &Str, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    a.equals_at_once(b).map_or_else(|| are_long_and_equal(a, b, pace), Ok)
}

fn are_long_and_equal(a: &str, b: &str, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    Ok(order_of_long(a, b, pace)? == Ordering::Equal)
}

/// The order of two texts, which are compared in stretches, with looks at the limits.
pub(crate) fn order_of_long(a: &str, b: &str, pace: Pace<'_, '_>) -> Result<Ordering, LimitReached> {
    if !ptr::eq(a, b) {
        for (a, b) in a.as_bytes().chunks(STRETCH).zip(b.as_bytes().chunks(STRETCH)) {
            go_on(pace, a.len() / BYTES_PER_PART)?;
            let order = a.cmp(b);
            if order.is_ne() {
                return Ok(order);
            }
        }
    }
    Ok(a.len().cmp(&b.len()))
}

/// Tells that something is about to be done with a name as a whole, if that takes time: it is compared with others, or hashed.
pub(crate) fn go_on_with_name(name: &Str, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    if name.is_long() { go_on(pace, name.len() / BYTES_PER_PART) } else { Ok(()) }
}

/// Bytes as a text, unless they are not UTF-8, which is checked with looks at the limits.
#[cfg(feature = "encoding")]
pub(crate) fn utf8_within(bytes: Vec<u8>, meter: &mut Meter) -> Result<Option<String>, LimitReached> {
    utf8_in_pieces(bytes, STRETCH, &mut |n| meter.go_on(n / BYTES_PER_PART))
}

/// A value's text from any text.
pub(crate) fn normalized(text: &str) -> Str {
    match ShortStr::of_ascii(text) {
        Some(short) => short.into(),
        None => normalized_elsewhere(text),
    }
}

/// Normalises a text that is long or not ASCII.
pub(crate) fn normalized_elsewhere(text: &str) -> Str {
    if is_ascii(text) { Str::new(text) } else { normalized_characters(text) }
}

/// Normalises a text that is not ASCII.
fn normalized_characters(text: &str) -> Str {
    if surely_composed(text) { Str::new(text) } else { composed(text).into() }
}

/// The part of `text` that is sure to start any string made by appending to `text`.
///
/// What follows may combine with the last character, so that one is dropped with all that it combines with.
/// Characters that normalisation leaves alone are dropped as well, for they may be part of a longer grapheme
/// cluster, unless nothing makes one of them: the ASCII punctuation and blanks that usually separate the parts
/// of names and addresses. As in the reference, nothing is then sure from a line feed or a carriage return on,
/// unless they stand together.
pub(crate) fn safe_prefix(text: &str) -> Str {
    let text = normalized(text);
    if let Some(rest) = before_interacting(&text) {
        return Str::new(rest);
    }
    let mut last = (0, "");
    for (start, cluster) in text.grapheme_indices(true) {
        last = (start, cluster);
        if matches!(cluster, "\n" | "\r") {
            break;
        }
    }
    let (start, cluster) = last;
    let end = if is_boundary(cluster) { start + cluster.len() } else { start };
    Str::new(&text[..end])
}

/// [`safe_prefix`] of the first `max` bytes of `text`. Where they end within a character, what is there of it is all that is
/// dropped for being the last cluster.
pub(crate) fn safe_prefix_of_first(text: &str, max: usize) -> Str {
    let first = &text[..text.floor_char_boundary(max)];
    if first.len() == max.min(text.len()) {
        return safe_prefix(first);
    }
    let first = normalized(first);
    before_interacting(&first).map_or(first.clone(), Str::new)
}

/// The part of a text before its last character and all that this combines with, if that may become something else.
fn before_interacting(text: &str) -> Option<&str> {
    let last_starter = || text.char_indices().rev().find(|&(_, c)| canonical_combining_class(c) == 0);
    text.chars().next_back().filter(|&c| interacts(c)).and_then(|_| Some(&text[..last_starter()?.0]))
}

/// Returns whether normalisation may make something else of the character, alone or with what follows it.
fn interacts(c: char) -> bool {
    match c {
        'q' | 'Q' => false,
        '<' | '=' | '>' => true,
        _ if c.is_ascii() => c.is_ascii_alphabetic(),
        _ => {
            canonical_combining_class(c) != 0
                || !matches!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes)
                || !matches!(is_nfd_quick(std::iter::once(c)), IsNormalized::Yes)
                || SECONDS.iter().cloned().flatten().any(|second| compose(c, second).is_some())
        }
    }
}

/// The characters with which others before them compose.
const SECONDS: &[RangeInclusive<char>] = &[
    '\u{300}'..='\u{345}',
    '\u{653}'..='\u{655}',
    '\u{93c}'..='\u{93c}',
    '\u{9be}'..='\u{9be}',
    '\u{9d7}'..='\u{9d7}',
    '\u{b3e}'..='\u{b57}',
    '\u{bbe}'..='\u{bbe}',
    '\u{bd7}'..='\u{bd7}',
    '\u{c56}'..='\u{c56}',
    '\u{cc2}'..='\u{cd6}',
    '\u{d3e}'..='\u{d57}',
    '\u{dca}'..='\u{ddf}',
    '\u{102e}'..='\u{102e}',
    '\u{1161}'..='\u{1175}',
    '\u{11a8}'..='\u{11c2}',
    '\u{1b35}'..='\u{1b35}',
    '\u{3099}'..='\u{309a}',
    '\u{110ba}'..='\u{110ba}',
    '\u{11127}'..='\u{11127}',
    '\u{1133e}'..='\u{11357}',
    '\u{113b8}'..='\u{113c9}',
    '\u{114b0}'..='\u{114bd}',
    '\u{115af}'..='\u{115af}',
    '\u{11930}'..='\u{11930}',
    '\u{1611e}'..='\u{16129}',
    '\u{16d67}'..='\u{16d67}',
];

/// Returns whether nothing that follows this grapheme cluster can become part of it, by the reference's list.
fn is_boundary(cluster: &str) -> bool {
    let [byte] = cluster.as_bytes() else { return false };
    b"-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::{FEW, is_ascii};

    #[test]
    fn a_character_of_several_bytes_is_found_wherever_it_is() {
        for len in 0..FEW + 20 {
            assert!(is_ascii(&"a".repeat(len)), "{len}");
            for at in 0..len {
                let text = format!("{}é{}", "a".repeat(at), "a".repeat(len - at - 1));
                assert!(!is_ascii(&text), "{text}");
            }
        }
    }
}
