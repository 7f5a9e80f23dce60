//! Names of sources.

/// The name of a source. A short one is in place: sources of one expression are made and dropped by the million.
pub(super) enum Name {
    Short { len: u8, bytes: [u8; Self::IN_PLACE] },
    Long(Box<str>),
}

impl Name {
    const IN_PLACE: usize = 22;

    pub(super) fn new(name: &str) -> Self {
        let mut bytes = [0; Self::IN_PLACE];
        match (bytes.get_mut(..name.len()), u8::try_from(name.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(name.as_bytes());
                Self::Short { len, bytes }
            }
            _ => Self::Long(name.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short { len, bytes } => {
                let bytes = bytes.get(..usize::from(*len)).unwrap_or_default();
                str::from_utf8(bytes).unwrap_or_default()
            }
            Self::Long(name) => name,
        }
    }
}
