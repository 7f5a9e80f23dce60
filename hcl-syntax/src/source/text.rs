//! Texts of sources.

use std::borrow::Cow;
use std::ops::Deref;

use arrayvec::ArrayString;

use super::Source;

/// A text that a source can be made of: `str`s as they are, bytes as far as they are UTF-8.
///
/// What is owned is taken over, but for a short text, which is stored in the source itself.
#[derive(Debug)]
pub struct Text {
    pub(super) stored: Stored,
    /// Where bytes that are not UTF-8 were.
    pub(super) bad_bytes: Vec<u32>,
}

/// A text as a source has it. A short one is in place: sources of one expression are made and dropped by the million.
#[derive(Debug)]
pub(super) enum Stored {
    Short(ArrayString<{ Self::IN_PLACE }>),
    Long(String),
}

impl Stored {
    /// Most expressions fit.
    const IN_PLACE: usize = 76;
}

impl Deref for Stored {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Short(text) => text,
            Self::Long(text) => text,
        }
    }
}

impl From<&str> for Text {
    #[inline]
    fn from(text: &str) -> Self {
        let stored = ArrayString::from(text).map_or_else(|_| Stored::Long(text.into()), Stored::Short);
        Self { stored, bad_bytes: Vec::new() }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        let short = ArrayString::from(&text).ok();
        let stored = short.map_or_else(|| Stored::Long(text), Stored::Short);
        Self { stored, bad_bytes: Vec::new() }
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        str::from_utf8(bytes).map_or_else(|_| with_stand_ins(bytes.to_vec()), Self::from)
    }
}

impl<const N: usize> From<&[u8; N]> for Text {
    fn from(bytes: &[u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| with_stand_ins(error.into_bytes()), Self::from)
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

/// The text of bytes some of which are not UTF-8, and the offsets of these.
fn with_stand_ins(mut bytes: Vec<u8>) -> Text {
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

    /// Below, at and above the length of texts that are in place.
    const LENGTHS: [usize; 6] = [0, 1, 75, 76, 77, 300];

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
                assert_eq!((&*made.stored, &made.bad_bytes[..]), (text.as_str(), &[][..]));
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
                assert_eq!(*made.stored, *format!("{}\u{1a}\u{1a}b", "a".repeat(n)));
                assert_eq!(made.bad_bytes, [end, end + 1]);
            }
        }
    }
}
