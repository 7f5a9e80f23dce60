//! Texts that lie compressed in the program, because few runs need them: what is said of codes takes 18 KB in place of 75.

use std::sync::OnceLock;

/// A text that is unpacked when it is first asked for.
#[derive(Debug)]
pub struct Packed {
    bytes: &'static [u8],
    text: OnceLock<String>,
}

impl Packed {
    /// Of what a build script has made with the algorithm of deflate.
    pub const fn new(bytes: &'static [u8]) -> Packed {
        Packed { bytes, text: OnceLock::new() }
    }

    /// The text; empty if the bytes are none that have been packed.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let bytes = miniz_oxide::inflate::decompress_to_vec(self.bytes).unwrap_or_default();
            String::from_utf8(bytes).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn stored_bytes_are_a_text_and_others_are_none() {
        assert_eq!(Packed::new(&[1, 2, 0, 0xfd, 0xff, b'h', b'i']).text(), "hi");
        assert_eq!(Packed::new(b"\xff").text(), "");
    }
}
