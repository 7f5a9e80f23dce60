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
        let bytes = bytes.into();
        if bytes.len() <= BYTES_PER_LOOK {
            return Self::of_bytes(bytes, || Watch::new(limits));
        }
        let watch = Watch::new(limits);
        // Bytes that are not UTF-8 are replaced in a copy, and the source takes one.
        let _ = watch.has_room(bytes.len().saturating_mul(2));
        let is_read_at_once = is_read_at_once(&bytes, &watch);
        let text = match is_read_at_once {
            _ if watch.stopped().is_some() => Self::from(""),
            true => Self::of_bytes(bytes, || Watch::new(limits)),
            false => in_pieces(&bytes, &watch),
        };
        // The text is copied next.
        match watch.look() {
            stopped @ Some(_) => Self { stopped, ..Self::from("") },
            None => text,
        }
    }

    fn of_bytes(bytes: Cow<'t, [u8]>, watch: impl FnOnce() -> Watch) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => {
                str::from_utf8(bytes).map_or_else(|_| in_pieces(bytes, &watch()), Self::from)
            }
            Cow::Owned(bytes) => String::from_utf8(bytes)
                .map_or_else(|error| in_pieces(error.as_bytes(), &watch()), Self::from),
        }
    }

    /// The text, unless its bytes were not read.
    ///
    /// # Errors
    /// The work was to end meanwhile.
    pub(crate) fn read(self) -> Result<Cow<'t, str>, Stopped> {
        self.stopped.map_or(Ok(self.text), Err)
    }
}

impl<'t> From<Cow<'t, str>> for Text<'t> {
    fn from(text: Cow<'t, str>) -> Self {
        Self { text, bad_bytes: Vec::new(), stopped: None }
    }
}

impl<'t> From<&'t str> for Text<'t> {
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

/// So many bytes with characters beyond ASCII among them are checked at once. ASCII is checked ten times as fast as others.
const WIDE_AT_ONCE: usize = 1 << 21;

/// Returns whether it takes a short time only to check that bytes are UTF-8.
fn is_read_at_once(bytes: &[u8], watch: &Watch) -> bool {
    let wide = watch.stretches(bytes).filter(|stretch| !stretch.is_ascii());
    wide.map(<[u8]>::len).sum::<usize>() <= WIDE_AT_ONCE
}

/// The text of bytes some of which may not be UTF-8, and the offsets of these. It is put together piece by piece.
fn in_pieces<'t>(bytes: &[u8], watch: &Watch) -> Text<'t> {
    let (mut text, mut bad_bytes) = (String::with_capacity(bytes.len()), Vec::new());
    while text.len() < bytes.len() {
        let stretch = &bytes[text.len()..bytes.len().min(text.len() + BYTES_PER_LOOK)];
        let is_last = text.len() + stretch.len() == bytes.len();
        let mut left = stretch.len();
        for chunk in stretch.utf8_chunks() {
            left -= chunk.valid().len() + chunk.invalid().len();
            text.push_str(chunk.valid());
            // A character that the stretch ends in begins the next one.
            if left == 0 && !is_last {
                break;
            }
            for _ in chunk.invalid() {
                // A text that is long enough for larger offsets is refused.
                bad_bytes.extend(u32::try_from(text.len()));
                text.push(char::from(Source::BAD_BYTE));
            }
        }
        if !bad_bytes.is_empty() && !is_last {
            watch.make_room(&mut bad_bytes, BYTES_PER_LOOK);
        }
        if let stopped @ Some(_) = watch.look() {
            return Text { stopped, ..Text::from("") };
        }
    }
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
    fn characters_and_bad_bytes_may_lie_across_pieces() {
        for lead in 0..5 {
            let mut bytes = vec![b'a'; BYTES_PER_LOOK - lead];
            bytes.extend("\u{1f469}é".as_bytes());
            bytes.resize(2 * BYTES_PER_LOOK - lead, b'a');
            bytes.extend(b"\xf0\x9f\x91b\xe2\x82\xff");
            let (mut text, mut bad_bytes) = (String::new(), Vec::new());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                for _ in chunk.invalid() {
                    bad_bytes.push(u32::try_from(text.len()).unwrap());
                    text.push('\u{1a}');
                }
            }
            assert_eq!(bad_bytes.len(), 6);
            for made in [Text::within(&bytes, &ParseLimits::default()), Text::from(&bytes[..])] {
                assert!(*made.text == *text, "{lead}");
                assert_eq!(made.bad_bytes, bad_bytes);
            }
        }
        let wide = "é".repeat(WIDE_AT_ONCE / 2 + 1);
        let made = Text::within(wide.as_bytes(), &ParseLimits::default());
        assert!(*made.text == *wide && made.bad_bytes.is_empty());
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
