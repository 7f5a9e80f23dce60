//! Text as a terminal shows it: which cells a piece of text fills, and what must not be sent there.
//!
//! Source text may hold anything, escape sequences and direction overrides included. Control characters
//! and invisible formatting characters are replaced by something that can be seen, so that neither the
//! terminal nor the reader is deceived.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

/// Characters of one grapheme cluster beyond this many are not shown.
const MAX_CLUSTER: usize = 12;

/// Which characters may be sent to the terminal.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Charset {
    /// ASCII; all else is written as `\u{…}`.
    Ascii,
    /// All that Unicode has, if it can be seen.
    Unicode,
}

impl Charset {
    /// Appends a grapheme cluster as it is to be shown and answers how many cells it fills.
    pub(super) fn push_cluster(self, cluster: &str, out: &mut String) -> usize {
        if let [byte @ b' '..=b'~'] = cluster.as_bytes() {
            out.push(char::from(*byte));
            return 1;
        }
        let start = out.len();
        for c in cluster.chars().take(MAX_CLUSTER) {
            self.push_char(c, out);
        }
        let shown = &out[start..];
        if shown.is_ascii() { shown.len() } else { width(shown) }
    }

    /// How many cells `text`, which is one line, fills when it is shown.
    pub(super) fn width_of(self, text: &str) -> usize {
        let mut shown = String::new();
        text.graphemes(true).map(|cluster| self.push_cluster(cluster, &mut shown)).sum()
    }

    fn push_char(self, c: char, out: &mut String) {
        match (self, c) {
            (_, '\t') => out.push_str("    "),
            (_, ' '..='~') => out.push(c),
            (Self::Unicode, '\0'..='\x1f') => out.push(picture(c)),
            (Self::Unicode, _) if is_unseen(c) => out.push(char::REPLACEMENT_CHARACTER),
            (Self::Unicode, _) => out.push(c),
            (Self::Ascii, _) => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }

    /// Appends text that is not source but may quote some.
    pub(super) fn push_text(self, text: &str, out: &mut String) {
        for c in text.chars() {
            match (self, c) {
                // The sign of an omission in sentences.
                (Self::Ascii, '…') => out.push_str("..."),
                _ => self.push_char(c, out),
            }
        }
    }
}

/// The control picture of an ASCII control character.
fn picture(control: char) -> char {
    char::from_u32(0x2400 + u32::from(control)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Controls, direction marks and overrides, separators that break lines, and other characters without a
/// shape. Joiners and variation selectors stay, because emoji are built with them.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// How many cells a shown grapheme cluster fills: as many as its first character, but two if it asks to
/// be shown as an emoji.
fn width(cluster: &str) -> usize {
    let wide = cluster.contains('\u{fe0f}') || cluster.chars().next().is_some_and(is_wide);
    if wide { 2 } else { 1 }
}

/// Characters that terminals show two cells wide: those of East Asian width W or F, in blocks.
fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{231a}'..='\u{231b}' | '\u{23e9}'..='\u{23ec}' | '\u{2614}'..='\u{2615}'
        | '\u{2648}'..='\u{2653}' | '\u{2705}' | '\u{270a}'..='\u{270b}' | '\u{2728}' | '\u{274c}'
        | '\u{2753}'..='\u{2755}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{4dbf}' | '\u{4e00}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe10}'..='\u{fe19}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff01}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{17000}'..='\u{18cff}'
        | '\u{1b000}'..='\u{1b2ff}' | '\u{1f004}' | '\u{1f0cf}' | '\u{1f18e}' | '\u{1f191}'..='\u{1f19a}'
        | '\u{1f200}'..='\u{1f64f}' | '\u{1f680}'..='\u{1f6ff}' | '\u{1f900}'..='\u{1f9ff}'
        | '\u{1fa70}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
}
