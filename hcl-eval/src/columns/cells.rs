//! Cells of results, and the types that they can have.

use num_bigint::BigInt;

use super::bits::BitBuffer;
use super::decimal;
use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::types::Type;
use crate::value::{Kind, Number, Value};

/// The type of the column of results.
///
/// ```
/// use hcl_eval::columns::Wanted;
///
/// assert_eq!(Wanted::default(), Wanted::Found);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Wanted {
    /// The type that the results have: truth values; numbers of 64 bits, whole if all are; texts; lists, maps and objects of
    /// these. A result of another type than those before ends the work.
    #[default]
    Found,
    /// Truth values.
    Bool,
    /// Whole numbers of so many bits.
    Integer {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Numbers may be below zero.
        is_signed: bool,
    },
    /// Floating-point numbers of 32 bits, the nearest.
    F32,
    /// Floating-point numbers of 64 bits, the nearest.
    F64,
    /// Decimal numbers, the nearest, halves away from zero.
    Decimal {
        /// 64, 128 or 256.
        bits: u16,
        /// The number of digits.
        precision: u8,
        /// How many of them are decimal places; fewer than 0 for zeros at the end.
        scale: i8,
    },
    /// Texts with offsets of 32 bits.
    Text,
    /// Texts with offsets of 64 bits.
    LargeText,
    /// A type of the language, in which numbers are floating-point numbers of 64 bits.
    Type(Type),
}

/// The cells of a column that is owned.
#[derive(Clone, PartialEq, Debug, Default)]
#[expect(missing_docs, reason = "named after the type of their elements")]
pub enum ResultCells {
    /// All of them are null.
    #[default]
    Null,
    Bool(BitBuffer),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Whole numbers in two's complement, little-endian, in words of 64 bits each.
    Decimal {
        words: Vec<u64>,
        bits: u16,
        precision: u8,
        scale: i8,
    },
    /// Texts one after the other, and where each begins and ends.
    Text {
        bounds: Vec<i32>,
        bytes: Vec<u8>,
    },
    /// As [`ResultCells::Text`].
    LargeText {
        bounds: Vec<i64>,
        bytes: Vec<u8>,
    },
    /// The elements of all lists, and where those of each begin and end.
    List {
        bounds: Vec<i32>,
        items: Box<ResultColumn>,
    },
    Struct {
        names: Vec<Str>,
        fields: Vec<ResultColumn>,
    },
    /// The entries of all maps, and where those of each begin and end.
    Map {
        bounds: Vec<i32>,
        keys: Box<ResultColumn>,
        values: Box<ResultColumn>,
    },
}

/// A column of results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResultColumn {
    /// The number of cells.
    pub len: usize,
    /// The bits that are 0 where a cell is null; `None` if none is.
    pub validity: Option<BitBuffer>,
    /// How many cells are null.
    pub n_nulls: usize,
    /// The cells; those that are null are of no meaning.
    pub cells: ResultCells,
}

impl ResultCells {
    /// Cells of the type that a first result has; `None` for values that are gathered.
    pub(super) fn found(value: &Value) -> Option<Self> {
        Some(match value.kind() {
            Kind::Bool => Self::Bool(BitBuffer::default()),
            Kind::Number => Self::I64(Vec::new()),
            Kind::String => Self::Text { bounds: vec![0], bytes: Vec::new() },
            _ => return None,
        })
    }

    /// The bytes of a cell, but for the text of texts.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Null | Self::Struct { .. } => 0,
            Self::Bool(_) | Self::I8(_) | Self::U8(_) => 1,
            Self::I16(_) | Self::U16(_) => 2,
            Self::I32(_) | Self::U32(_) | Self::F32(_) => 4,
            Self::Text { .. } | Self::List { .. } | Self::Map { .. } => 4,
            Self::I64(_) | Self::U64(_) | Self::F64(_) | Self::LargeText { .. } => 8,
            Self::Decimal { bits, .. } => usize::from(bits / 8),
        }
    }

    /// Makes room for so many more cells, but not for the text of texts.
    pub(super) fn reserve(&mut self, n: usize) {
        match self {
            Self::Null | Self::Struct { .. } => {}
            Self::Bool(bits) => bits.reserve(n),
            Self::I8(cells) => cells.reserve_exact(n),
            Self::I16(cells) => cells.reserve_exact(n),
            Self::I32(cells) => cells.reserve_exact(n),
            Self::I64(cells) => cells.reserve_exact(n),
            Self::U8(cells) => cells.reserve_exact(n),
            Self::U16(cells) => cells.reserve_exact(n),
            Self::U32(cells) => cells.reserve_exact(n),
            Self::U64(cells) => cells.reserve_exact(n),
            Self::F32(cells) => cells.reserve_exact(n),
            Self::F64(cells) => cells.reserve_exact(n),
            Self::Decimal { words, bits, .. } => words.reserve_exact(n * usize::from(*bits / 64)),
            Self::Text { bounds, .. } | Self::List { bounds, .. } | Self::Map { bounds, .. } => {
                bounds.reserve_exact(n);
            }
            Self::LargeText { bounds, .. } => bounds.reserve_exact(n),
        }
    }

    /// Asks for the room that the text of a value takes when the list of bytes has to grow for it, and tells that it is copied.
    pub(super) fn room_for_text(&self, value: &Value, meter: &mut Meter) -> Result<(), LimitReached> {
        let (Self::Text { bytes, .. } | Self::LargeText { bytes, .. }, Some(text)) = (self, value.as_str())
        else {
            return Ok(());
        };
        meter.go_on(text.len() / BYTES_PER_PART)?;
        let needed = bytes.len() + text.len();
        if needed > bytes.capacity() { meter.hold(needed.max(2 * bytes.capacity())) } else { Ok(()) }
    }

    /// Adds so many cells that are null.
    pub(super) fn push_nulls(&mut self, n: usize) {
        fn more<T: Copy>(list: &mut Vec<T>, n: usize, with: T) {
            list.resize(list.len() + n, with);
        }
        fn again<T: Copy + Default>(bounds: &mut Vec<T>, n: usize) {
            let last = bounds.last().copied().unwrap_or_default();
            more(bounds, n, last);
        }
        match self {
            Self::Null => {}
            Self::Bool(bits) => (0..n).for_each(|_| bits.push(false)),
            Self::I8(cells) => more(cells, n, 0),
            Self::I16(cells) => more(cells, n, 0),
            Self::I32(cells) => more(cells, n, 0),
            Self::I64(cells) => more(cells, n, 0),
            Self::U8(cells) => more(cells, n, 0),
            Self::U16(cells) => more(cells, n, 0),
            Self::U32(cells) => more(cells, n, 0),
            Self::U64(cells) => more(cells, n, 0),
            Self::F32(cells) => more(cells, n, 0.0),
            Self::F64(cells) => more(cells, n, 0.0),
            Self::Decimal { words, bits, .. } => more(words, n * usize::from(*bits / 64), 0),
            Self::Text { bounds, .. } | Self::List { bounds, .. } | Self::Map { bounds, .. } => {
                again(bounds, n);
            }
            Self::LargeText { bounds, .. } => again(bounds, n),
            Self::Struct { .. } => {}
        }
    }

    /// The type of the language that results have to be of.
    pub(super) fn ty(&self) -> Type {
        match self {
            Self::Bool(_) => Type::Bool,
            Self::Text { .. } | Self::LargeText { .. } => Type::String,
            _ => Type::Number,
        }
    }

    /// Adds a cell for a value of [`ResultCells::ty`]. A text says why it does not fit.
    pub(super) fn push(&mut self, value: &Value) -> Result<(), String> {
        fn whole<T: TryFrom<i128>>(list: &mut Vec<T>, number: &Number, name: &str) -> Result<(), String> {
            let wide = number.to_i64().map(i128::from).or_else(|| number.to_u64().map(i128::from));
            match wide.and_then(|wide| T::try_from(wide).ok()) {
                Some(cell) => list.push(cell),
                None => return Err(format!("it is not a whole number that fits {name}")),
            }
            Ok(())
        }
        if let Some(number) = value.as_number() {
            match self {
                Self::I8(cells) => whole(cells, number, "8 bits")?,
                Self::I16(cells) => whole(cells, number, "16 bits")?,
                Self::I32(cells) => whole(cells, number, "32 bits")?,
                Self::I64(cells) => whole(cells, number, "64 bits")?,
                Self::U8(cells) => whole(cells, number, "8 bits without a sign")?,
                Self::U16(cells) => whole(cells, number, "16 bits without a sign")?,
                Self::U32(cells) => whole(cells, number, "32 bits without a sign")?,
                Self::U64(cells) => whole(cells, number, "64 bits without a sign")?,
                #[expect(clippy::cast_possible_truncation, reason = "the nearest is asked for")]
                Self::F32(cells) => cells.push(number.to_f64() as f32),
                Self::F64(cells) => cells.push(number.to_f64()),
                Self::Decimal { words, bits, precision, scale } => {
                    let scaled = decimal::scaled(number, u32::from(*precision), i32::from(*scale));
                    let Some(scaled) = scaled else {
                        return Err(format!("it has more digits than decimal({precision}, {scale})"));
                    };
                    push_decimal(&scaled, usize::from(*bits / 64), words);
                }
                _ => {}
            }
        } else if let Some(text) = value.as_str() {
            match self {
                Self::Text { bounds, bytes } => {
                    let end = i32::try_from(bytes.len() + text.len());
                    bounds.push(end.map_err(|_| "the texts are together longer than 2 GiB".to_owned())?);
                    bytes.extend_from_slice(text.as_bytes());
                }
                Self::LargeText { bounds, bytes } => {
                    bytes.extend_from_slice(text.as_bytes());
                    bounds.push(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
                }
                _ => {}
            }
        } else if let (Some(bit), Self::Bool(bits)) = (value.as_bool(), self) {
            bits.push(bit);
        }
        Ok(())
    }
}

fn push_decimal(number: &BigInt, n_words: usize, words: &mut Vec<u64>) {
    let mut bytes = Vec::with_capacity(8 * n_words);
    decimal::write(number, 8 * n_words, &mut bytes);
    words.extend(bytes.chunks_exact(8).map(|chunk| {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    }));
}

/// Floating-point numbers of whole ones.
pub(super) fn floats(whole: &[i64]) -> ResultCells {
    ResultCells::F64(whole.iter().map(|&cell| cell as f64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_a_text_is_asked_for_where_the_bytes_have_none() {
        for (len, n_room) in [(0, 0), (10, 10), (10, 40)] {
            for n_more in [0, 1, 9, 10, 11, 30, 31, 100] {
                let mut bytes = Vec::with_capacity(n_room);
                bytes.resize(len, b'x');
                let (n_room, needed) = (bytes.capacity(), len + n_more);
                let asked = if needed > n_room { needed.max(2 * n_room) as u64 } else { 0 };
                let (text, large) = (bytes, Vec::new());
                let cells = ResultCells::Text { bounds: vec![0], bytes: text };
                let is_granted = |cells: &ResultCells, max_memory| {
                    let limits = crate::limits::Limits { max_memory, ..crate::limits::Limits::default() };
                    let value = Value::string("y".repeat(n_more));
                    cells.room_for_text(&value, &mut Meter::new(limits)).is_ok()
                };
                assert!(is_granted(&cells, asked), "{n_more} behind {len} in {n_room}");
                assert!(asked == 0 || !is_granted(&cells, asked - 1), "{n_more} behind {len} in {n_room}");
                let large = ResultCells::LargeText { bounds: vec![0], bytes: large };
                assert!(n_more == 0 || !is_granted(&large, n_more as u64 - 1));
            }
        }
    }
}
