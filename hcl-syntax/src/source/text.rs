//! Texts of sources.

use std::borrow::Cow;

use super::Source;

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
}

impl<'t> From<Cow<'t, str>> for Text<'t> {
    #[inline]
    fn from(text: Cow<'t, str>) -> Self {
        Self { text, bad_bytes: Vec::new() }
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
        str::from_utf8(bytes).map_or_else(|_| with_stand_ins(bytes.to_vec()), Self::from)
    }
}

impl<'t, const N: usize> From<&'t [u8; N]> for Text<'t> {
    fn from(bytes: &'t [u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

impl From<Vec<u8>> for Text<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| with_stand_ins(error.into_bytes()), Self::from)
    }
}

/// The text of bytes some of which are not UTF-8, and the offsets of these.
fn with_stand_ins<'t>(mut bytes: Vec<u8>) -> Text<'t> {
    let mut bad_bytes = Vec::new();
    let mut checked = 0;
    while let Err(error) = str::from_utf8(&bytes[checked..]) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
