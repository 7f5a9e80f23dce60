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
