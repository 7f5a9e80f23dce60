//! Texts of columns: where each lies, and whether it is UTF-8.

use std::borrow::Cow;
use std::ops::Range;

use super::column::{CellProblem, NoValue};
use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::value::string::{normalize_within, normalized};

/// Where the parts of each row begin and end in what they lie in: one more than there are rows, ascending.
#[derive(Copy, Clone, Debug)]
pub enum Bounds<'a> {
    /// Of 32 bits.
    Small(&'a [i32]),
    /// Of 64 bits.
    Large(&'a [i64]),
    /// All rows have as many parts, so many.
    Fixed(usize),
}

impl Bounds<'_> {
    /// The parts of a row.
    pub(super) fn range(&self, row: usize) -> Range<usize> {
        let at =
            |start, end| usize::try_from(start).unwrap_or_default()..usize::try_from(end).unwrap_or_default();
        match self {
            Self::Small(bounds) => at(i64::from(bounds[row]), i64::from(bounds[row + 1])),
            Self::Large(bounds) => at(bounds[row], bounds[row + 1]),
            Self::Fixed(n) => row * n..(row + 1) * n,
        }
    }

    /// The parts of so many rows.
    fn whole(&self, n_rows: usize) -> Range<usize> {
        match n_rows.checked_sub(1) {
            Some(last) => self.range(0).start..self.range(last).end,
            None => 0..0,
        }
    }

    /// An error that says why if these are no bounds of `n_rows` rows in such parts.
    pub(super) fn check(&self, n_rows: usize, parts: Range<usize>) -> Result<(), &'static str> {
        fn checked<T: Copy + PartialOrd + Into<i64>>(
            bounds: &[T],
            n_rows: usize,
            parts: Range<usize>,
        ) -> Result<(), &'static str> {
            let (Some(&first), Some(&last)) = (bounds.first(), bounds.last()) else {
                return Err("has no offsets");
            };
            if bounds.len() != n_rows + 1 {
                return Err("has too few offsets");
            }
            if first.into() < 0 || !bounds.is_sorted_by(|a, b| a <= b) {
                return Err("has offsets that do not ascend");
            }
            match (usize::try_from(first.into()), usize::try_from(last.into())) {
                (Ok(first), _) if n_rows > 0 && first < parts.start => {
                    Err("has offsets before the first of its elements")
                }
                (_, Ok(last)) if last <= parts.end => Ok(()),
                _ => Err("has offsets beyond the end of its elements"),
            }
        }
        match self {
            Self::Small(bounds) => checked(bounds, n_rows, parts),
            Self::Large(bounds) => checked(bounds, n_rows, parts),
            Self::Fixed(n) => match n.checked_mul(n_rows) {
                Some(n) if parts.start == 0 && n <= parts.end => Ok(()),
                _ => Err("has fewer elements than its rows need"),
            },
        }
    }
}

/// Texts that are lent.
#[derive(Clone, Debug)]
pub enum Texts<'a> {
    /// One after the other.
    Joined {
        /// Where each begins and ends in `bytes`.
        bounds: Bounds<'a>,
        /// The bytes of all of them.
        bytes: &'a [u8],
        /// True if each of them is known to be UTF-8. False until an evaluation has looked at them.
        is_utf8: bool,
        /// True if all of them are known to be ASCII. False until an evaluation has looked at them.
        is_ascii: bool,
    },
    /// Views of 16 bytes: the length; then the text, if it has no more than 12 bytes, else its first 4 bytes, the number of the
    /// buffer that it is in, and its place there.
    Views {
        /// The views.
        views: &'a [[u8; 16]],
        /// The buffers.
        buffers: Vec<&'a [u8]>,
    },
}

/// The characters that a whole text is known to have.
#[derive(Copy, Clone, PartialEq, Eq)]
enum TextKind {
    Ascii,
    Utf8,
}

/// The kind of a text that may be long; `None` if it is no UTF-8.
fn kind_of(mut bytes: &[u8], meter: &mut Meter) -> Result<Option<TextKind>, LimitReached> {
    /// So many bytes are looked at between two reports to the meter.
    const PIECE: usize = 1 << 16;
    let mut kind = TextKind::Ascii;
    while !bytes.is_empty() {
        let piece = bytes.get(..PIECE).unwrap_or(bytes);
        meter.go_on(piece.len() / BYTES_PER_PART)?;
        let mut len = piece.len();
        if !piece.is_ascii() {
            kind = TextKind::Utf8;
            len = match std::str::from_utf8(piece) {
                Ok(_) => len,
                // A character goes on in the next piece.
                Err(error) if error.error_len().is_none() && len < bytes.len() => error.valid_up_to(),
                Err(_) => return Ok(None),
            };
        }
        bytes = &bytes[len..];
    }
    Ok(Some(kind))
}

/// The longest text that lies in a view.
const LONGEST_INLINE: usize = 12;

impl<'a> Texts<'a> {
    /// Texts one after the other.
    #[must_use]
    pub fn joined(bounds: Bounds<'a>, bytes: &'a [u8]) -> Self {
        Self::Joined { bounds, bytes, is_utf8: false, is_ascii: false }
    }

    /// The bytes of a row; `None` if they are nowhere.
    pub(super) fn bytes(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Joined { bounds, bytes, .. } => bytes.get(bounds.range(row)),
            Self::Views { views, buffers } => {
                let view: &'a [u8; 16] = &views[row];
                let number = |at: usize| {
                    let mut bytes = [0; 4];
                    bytes.copy_from_slice(&view[at..at + 4]);
                    usize::try_from(i32::from_le_bytes(bytes)).ok()
                };
                let len = number(0)?;
                if len <= LONGEST_INLINE {
                    return view.get(4..4 + len);
                }
                let (buffer, start) = (number(8)?, number(12)?);
                buffers.get(buffer)?.get(start..start.checked_add(len)?)
            }
        }
    }

    /// The text of a row; `None` if it is nowhere, or no UTF-8.
    pub(super) fn get(&self, row: usize) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(row)?).ok()
    }

    /// The text of a row as that of a value.
    pub(super) fn value(&self, row: usize, meter: &mut Meter) -> Result<Str, NoValue> {
        const NO_TEXT: CellProblem = Cow::Borrowed("is no UTF-8 text");
        let bytes = self.bytes(row).ok_or(NO_TEXT)?;
        let n_parts = bytes.len() / BYTES_PER_PART;
        if n_parts > 0 {
            meter.memory(bytes.len() as u64)?;
            meter.go_on(n_parts)?;
        }
        let text = std::str::from_utf8(bytes).map_err(|_| NO_TEXT)?;
        if n_parts == 0 {
            return Ok(normalized(text));
        }
        meter.go_on(n_parts)?;
        Ok(normalize_within(text, &mut Some(meter))?)
    }

    /// Finds out what is true of all texts of so many rows.
    pub(super) fn prepare(&mut self, n_rows: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        let Self::Joined { bounds, bytes, is_utf8, is_ascii } = self else { return Ok(()) };
        let part = bounds.whole(n_rows);
        let Some(found) = kind_of(bytes.get(part.clone()).unwrap_or_default(), meter)? else {
            return Ok(());
        };
        *is_ascii = found == TextKind::Ascii;
        *is_utf8 = *is_ascii;
        if !*is_ascii {
            // A text that begins within a character is none.
            let is_within =
                |at: usize| at < part.end && bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
            *is_utf8 = true;
            for row in 0..n_rows {
                meter.go_on(1)?;
                *is_utf8 &= !is_within(bounds.range(row).start);
            }
        }
        Ok(())
    }

    /// True if all texts are known to be ASCII.
    pub(super) fn is_ascii(&self) -> bool {
        matches!(self, Self::Joined { is_ascii: true, .. })
    }

    /// An error that says why if there are not texts for so many rows.
    pub(super) fn check(&self, n_rows: usize) -> Result<(), &'static str> {
        match self {
            Self::Joined { bounds, bytes, .. } => bounds.check(n_rows, 0..bytes.len()),
            Self::Views { views, .. } if views.len() < n_rows => {
                Err("has fewer views than the table has rows")
            }
            Self::Views { .. } => Ok(()),
        }
    }
}
