//! Characters that a build script packs: each is a step from the one before it.
//!
//! A step is a number in groups of seven bits, the lowest first; a byte of 128 or more says that another group
//! follows. 0 is a place without a character. An odd number is a step forward by half of it, rounded up; an even one
//! is a step back by half of it, less one. All of it is deflated.

use std::io;
use std::sync::OnceLock;

/// Characters that are unpacked when they are first asked for.
pub(super) struct Table {
    /// The steps, deflated.
    packed: &'static [u8],
    /// The characters once they are unpacked.
    chars: OnceLock<Vec<char>>,
}

impl Table {
    pub(super) const fn new(packed: &'static [u8]) -> Table {
        Table { packed, chars: OnceLock::new() }
    }

    /// All places; U+FFFD where there is no character.
    pub(super) fn chars(&self) -> &[char] {
        self.chars.get_or_init(|| self.unpack().unwrap_or_default())
    }

    fn unpack(&self) -> io::Result<Vec<char>> {
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let steps = miniz_oxide::inflate::decompress_to_vec(self.packed).map_err(|_| damaged())?;
        #[expect(clippy::disallowed_methods, reason = "tables of the library")]
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
