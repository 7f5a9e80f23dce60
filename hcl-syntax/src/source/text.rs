//! Texts of sources.

use std::borrow::Cow;

use super::Source;
use crate::clusters::Clusters;
use crate::limits::{BYTES_PER_LOOK, Stopped, Watch};
use crate::parser::ParseLimits;

/// A text that a source can be made of: `str`s as they are, bytes as far as they are UTF-8. The source copies it.
///
/// ```
/// use hcl_syntax::source::Source;
///
/// assert_eq!(Source::new("main.hcl", "a = 1\n")?.text(), "a = 1\n");
/// // Bytes that are no UTF-8 are kept out of the text, but not out of the count.
/// assert_eq!(Source::new("main.hcl", b"# \xff\n")?.text(), "# \u{1a}\n");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Debug)]
pub struct Text<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where bytes that are not UTF-8 were.
    pub(super) bad_bytes: Vec<u32>,
    /// Why it was not read.
    pub(super) stopped: Option<Stopped>,
}

impl<'t> Text<'t> {
    /// The text of bytes, read within limits: bytes that are not UTF-8 are looked for one by one. If it was stopped it is empty,
    /// and to parse or format a source of it ends at once, for the same reason.
    ///
    /// ```
    /// use hcl_syntax::limits::CancelToken;
    /// use hcl_syntax::parser::{ParseLimits, parse_file};
    /// use hcl_syntax::source::{Source, Text};
    ///
    /// let cancel = CancelToken::new();
    /// cancel.trigger();
    /// let limits = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
    /// let source = Source::new("main.hcl", Text::within(b"a = 1 # \xff\n", &limits))?;
    /// let (_, diagnostics) = parse_file(source, &ParseLimits::default());
    /// assert_eq!(diagnostics[0].code, "limit.cancelled");
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn within(bytes: impl Into<Cow<'t, [u8]>>, limits: &ParseLimits) -> Self {
        Self::of_bytes(bytes.into(), || Watch::new(limits))
    }

    fn of_bytes(bytes: Cow<'t, [u8]>, watch: impl FnOnce() -> Watch) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => {
                str::from_utf8(bytes).map_or_else(|_| with_stand_ins(bytes.to_vec(), &watch()), Self::from)
            }
            Cow::Owned(bytes) => String::from_utf8(bytes)
                .map_or_else(|error| with_stand_ins(error.into_bytes(), &watch()), Self::from),
        }
    }
}

impl<'t> From<Cow<'t, str>> for Text<'t> {
    #[inline]
    fn from(text: Cow<'t, str>) -> Self {
        Self { text, bad_bytes: Vec::new(), stopped: None }
    }
}

impl<'t> From<&'t str> for Text<'t> {
    #[inline]
    fn from(text: &'t str) -> Self {
        Cow::Borrowed(text).into()
    }
}

impl<'t> From<&'t String> for Text<'t> {
    fn from(text: &'t String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

impl<'t> From<&'t [u8]> for Text<'t> {
    fn from(bytes: &'t [u8]) -> Self {
        Self::of_bytes(bytes.into(), Watch::idle)
    }
}

impl<'t, const N: usize> From<&'t [u8; N]> for Text<'t> {
    fn from(bytes: &'t [u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

impl From<Vec<u8>> for Text<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::of_bytes(bytes.into(), Watch::idle)
    }
}

/// The text of bytes some of which are not UTF-8, and the offsets of these.
fn with_stand_ins<'t>(mut bytes: Vec<u8>, watch: &Watch) -> Text<'t> {
    let mut bad_bytes = Vec::new();
    let (mut checked, mut next_look) = (0, 0);
    while let Err(error) = str::from_utf8(&bytes[checked..]) {
        if checked >= next_look {
            if let stopped @ Some(_) = watch.look() {
                return Text { stopped, ..Text::from("") };
            }
            next_look = checked + BYTES_PER_LOOK;
        }
        let start = checked + error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |len| start + len);
        for (offset, byte) in bytes.iter_mut().enumerate().take(end).skip(start) {
            // What is further on is in a text that is refused.
            bad_bytes.extend(u32::try_from(offset));
            *byte = Source::BAD_BYTE;
        }
        checked = end;
    }
    let text = String::from_utf8(bytes).unwrap_or_default();
    Text { bad_bytes, ..text.into() }
}

/// How many characters a text has, as a reader counts them; some of them if the work is to end.
pub(crate) fn n_clusters(text: &str, watch: &Watch) -> usize {
    if watch.any(text.as_bytes(), is_wide) { Clusters::new(text).on(watch).count() } else { text.len() }
}

/// Returns whether bytes may be part of characters of several bytes, as a reader counts them: beyond ASCII, and in line
/// breaks.
pub(crate) fn is_wide(part: &[u8]) -> bool {
    !part.is_ascii() || part.contains(&b'\r')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::limits::CancelToken;

    const LENGTHS: [usize; 3] = [0, 1, 300];

    #[test]
    fn a_text_is_the_same_whatever_it_is_made_of() {
        for n in LENGTHS {
            let text = "aé".chars().cycle().take(n).collect::<String>();
            let made = [
                Text::from(text.as_str()),
                Text::from(&text),
                Text::from(text.clone()),
                Text::from(Cow::Borrowed(text.as_str())),
                Text::from(text.as_bytes()),
                Text::from(text.clone().into_bytes()),
            ];
            for made in made {
                assert_eq!((&*made.text, &made.bad_bytes[..]), (text.as_str(), &[][..]));
            }
        }
    }

    #[test]
    fn limits_are_looked_at_while_bytes_are_looked_for() {
        let n_looks = Arc::new(AtomicUsize::new(0));
        let bytes = b"a\xff".repeat(1 << 19);
        let within = |n_allowed: usize| {
            n_looks.store(0, Ordering::Relaxed);
            let count = Arc::clone(&n_looks);
            let token = CancelToken::asking(move || count.fetch_add(1, Ordering::Relaxed) >= n_allowed);
            Text::within(&bytes, &ParseLimits { cancel: Some(token), ..ParseLimits::default() })
        };
        let whole = within(usize::MAX);
        assert_eq!((whole.bad_bytes.len(), whole.stopped), (1 << 19, None));
        assert!(n_looks.load(Ordering::Relaxed) >= bytes.len() / BYTES_PER_LOOK);
        let stopped = within(3);
        assert_eq!((&*stopped.text, stopped.stopped), ("", Some(Stopped::Cancelled)));
        assert_eq!(n_looks.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_found_in_texts_of_any_length() {
        for n in LENGTHS {
            let mut bytes = vec![b'a'; n];
            bytes.extend(b"\xff\xc3b");
            let end = u32::try_from(n).unwrap();
            for made in [Text::from(&bytes[..]), Text::from(bytes.clone())] {
                assert_eq!(*made.text, *format!("{}\u{1a}\u{1a}b", "a".repeat(n)));
                assert_eq!(made.bad_bytes, [end, end + 1]);
            }
        }
    }
}
