//! The characters of the large character sets, which a build script packs: a character is a step from the one before it.

use std::io;
use std::sync::OnceLock;

/// The characters at the places of a set.
pub(super) struct Table {
    packed: &'static [u8],
    chars: OnceLock<Vec<char>>,
}

macro_rules! table {
    ($file:literal) => {
        Table { packed: include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".z")), chars: OnceLock::new() }
    };
}

/// Pairs of bytes, from 81 40 to fe fe.
pub(super) static BIG5: Table = table!("big5");
pub(super) static EUC_KR: Table = table!("euc-kr");
pub(super) static GBK: Table = table!("gbk");
/// The four bytes of GB18030 within the first plane, in their order.
pub(super) static GB18030: Table = table!("gb18030");
/// Rows of 94 characters.
pub(super) static JIS0208: Table = table!("jis0208");
pub(super) static JIS0212: Table = table!("jis0212");

impl Table {
    /// All places; U+FFFD where there is no character.
    pub(super) fn chars(&self) -> &[char] {
        self.chars.get_or_init(|| self.unpack().unwrap_or_default())
    }

    pub(super) fn at(&self, place: usize) -> Option<char> {
        self.chars().get(place).copied().filter(|&c| c != char::REPLACEMENT_CHARACTER)
    }

    fn unpack(&self) -> io::Result<Vec<char>> {
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let steps = miniz_oxide::inflate::decompress_to_vec(self.packed).map_err(|_| damaged())?;
        let mut chars = Vec::with_capacity(steps.len());
        let (mut step, mut shift, mut last) = (0_u32, 0, 0_u32);
        for byte in steps {
            step |= u32::from(byte & 0x7f) << (shift & 31);
            shift += 7;
            if byte >= 0x80 {
                continue;
            }
            chars.push(match step {
                0 => char::REPLACEMENT_CHARACTER,
                step => {
                    let (far, back) = ((step - 1) >> 1, (step - 1) & 1 == 1);
                    last = if back { last.wrapping_sub(far) } else { last.wrapping_add(far + 1) };
                    char::from_u32(last).ok_or_else(damaged)?
                }
            });
            (step, shift) = (0, 0);
        }
        Ok(chars)
    }
}
