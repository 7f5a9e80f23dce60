//! Results of rows, as they come in and as a column.

use std::borrow::Cow;

use num_bigint::BigInt;

use super::{ColumnsOptions, decimal};
use crate::Str;
use crate::convert::convert_within;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::types::{Defaults, Type, unify};
use crate::value::{Kind, Number, Repr, Shape, Value};

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

/// Bits, the lowest of a word first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BitBuffer {
    words: Vec<u64>,
    len: usize,
}

impl BitBuffer {
    pub(super) fn zeros(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Adds the bits of another list.
    pub(super) fn append(&mut self, more: &Self) {
        for (at, word) in more.words.iter().enumerate() {
            self.push_word(*word, (more.len - 64 * at).min(64));
        }
    }

    /// So many ones, with room for `n` bits.
    pub(super) fn ones(len: usize, n: usize) -> Self {
        let mut words = Vec::with_capacity(n.div_ceil(64));
        words.resize(len / 64, u64::MAX);
        let mut ones = Self { words, len: len - len % 64 };
        ones.push_word(u64::MAX, len % 64);
        ones
    }

    fn push(&mut self, bit: bool) {
        self.push_word(u64::from(bit), 1);
    }

    /// Adds the lowest `n` bits of a word, at most 64.
    fn push_word(&mut self, word: u64, n: usize) {
        if n == 0 {
            return;
        }
        let word = if n < 64 { word & ((1 << n) - 1) } else { word };
        let shift = self.len % 64;
        if shift == 0 {
            self.words.push(word);
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= word << shift;
            }
            if shift + n > 64 {
                self.words.push(word >> (64 - shift));
            }
        }
        self.len += n;
    }

    /// The number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at `index`; false beyond the last.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        index < self.len && self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// The bits in words that lie in memory with their lowest byte first.
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words.into_iter().map(u64::to_le).collect()
    }

    pub(super) fn n_zeros(&self) -> usize {
        self.len - self.words.iter().map(|word| word.count_ones() as usize).sum::<usize>()
    }
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

/// The reason why a result is not taken.
pub(super) enum Refused {
    /// It is an error of the row, of which this is the detail.
    Row(String),
    /// It ends the work.
    All(String),
    /// A limit has been reached.
    Limit(LimitReached),
}

impl From<LimitReached> for Refused {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

/// Results as they come in.
pub(super) struct Results {
    wanted: Wanted,
    defaults: Option<Defaults>,
    /// How many there will be.
    n_rows: usize,
    len: usize,
    validity: Option<BitBuffer>,
    growing: Growing,
    /// The bytes that the results take, with those of the batches before.
    held: u64,
}

enum Growing {
    /// Nothing but null has come.
    Undecided,
    Cells(ResultCells),
    /// Values of which the type is found, or made, in the end.
    Values(Vec<Value>),
}

impl Growing {
    /// Nothing yet, with room for all cells at once, so that the list need not grow.
    fn with_room(mut self, n_rows: usize, meter: &mut Meter) -> Result<Self, LimitReached> {
        match &mut self {
            Self::Undecided => {}
            Self::Cells(cells) => {
                meter.hold_parts(n_rows, cells.width())?;
                cells.reserve(n_rows);
            }
            Self::Values(values) => {
                meter.hold_parts(n_rows, size_of::<Value>())?;
                values.reserve_exact(n_rows);
            }
        }
        Ok(self)
    }
}

/// Deepest nesting of the columns of results.
const DEEPEST: u32 = 64;

fn empty(wanted: &Wanted) -> Growing {
    Growing::Cells(match *wanted {
        Wanted::Found => return Growing::Undecided,
        Wanted::Type(_) => return Growing::Values(Vec::new()),
        Wanted::Bool => ResultCells::Bool(BitBuffer::default()),
        Wanted::Integer { bits: 8, is_signed: true } => ResultCells::I8(Vec::new()),
        Wanted::Integer { bits: 16, is_signed: true } => ResultCells::I16(Vec::new()),
        Wanted::Integer { bits: 32, is_signed: true } => ResultCells::I32(Vec::new()),
        Wanted::Integer { is_signed: true, .. } => ResultCells::I64(Vec::new()),
        Wanted::Integer { bits: 8, .. } => ResultCells::U8(Vec::new()),
        Wanted::Integer { bits: 16, .. } => ResultCells::U16(Vec::new()),
        Wanted::Integer { bits: 32, .. } => ResultCells::U32(Vec::new()),
        Wanted::Integer { .. } => ResultCells::U64(Vec::new()),
        Wanted::F32 => ResultCells::F32(Vec::new()),
        Wanted::F64 => ResultCells::F64(Vec::new()),
        Wanted::Decimal { bits, precision, scale } => {
            ResultCells::Decimal { words: Vec::new(), bits, precision, scale }
        }
        Wanted::Text => ResultCells::Text { bounds: vec![0], bytes: Vec::new() },
        Wanted::LargeText => ResultCells::LargeText { bounds: vec![0], bytes: Vec::new() },
    })
}

impl ResultCells {
    /// Cells of the type that a first result has; `None` for values that are gathered.
    fn found(value: &Value) -> Option<Self> {
        Some(match value.kind() {
            Kind::Bool => Self::Bool(BitBuffer::default()),
            Kind::Number => Self::I64(Vec::new()),
            Kind::String => Self::Text { bounds: vec![0], bytes: Vec::new() },
            _ => return None,
        })
    }

    /// The bytes of a cell, but for the text of texts.
    fn width(&self) -> usize {
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
    fn reserve(&mut self, n: usize) {
        match self {
            Self::Null | Self::Struct { .. } => {}
            Self::Bool(bits) => bits.words.reserve_exact(n.div_ceil(64)),
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
    fn room_for_text(&self, value: &Value, meter: &mut Meter) -> Result<(), LimitReached> {
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
    fn ty(&self) -> Type {
        match self {
            Self::Bool(_) => Type::Bool,
            Self::Text { .. } | Self::LargeText { .. } => Type::String,
            _ => Type::Number,
        }
    }

    /// Adds a cell for a value of [`ResultCells::ty`]. A text says why it does not fit.
    fn push(&mut self, value: &Value) -> Result<(), String> {
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

/// The reason why a result can be no cell, whatever its type.
fn unsuitable(value: &Value) -> Option<&'static str> {
    if value.contains_marks() {
        Some("it has marks, such as that of a sensitive value")
    } else if !value.is_wholly_known() {
        Some("it is not known")
    } else {
        None
    }
}

impl Results {
    /// Room for the results of so many rows.
    pub(super) fn new(options: &ColumnsOptions, n_rows: usize, meter: &mut Meter) -> Result<Self, Refused> {
        let wanted = match options.wanted.clone() {
            Wanted::Type(Type::Dynamic) => Wanted::Found,
            Wanted::Type(ty) if ty.has_dynamic() || storable(&ty, 0).is_none() => {
                let name = ty.friendly_name();
                return Err(Refused::All(format!(
                    "Results can be no column of {name}: a column has one type, all parts of which are given."
                )));
            }
            wanted => wanted,
        };
        let growing = empty(&wanted).with_room(n_rows, meter)?;
        let defaults = options.defaults.clone();
        let held = options.before.memory;
        Ok(Self { wanted, defaults, n_rows, len: 0, validity: None, growing, held })
    }

    /// The bytes that the results take, with those of the batches before.
    pub(super) fn memory(&self) -> u64 {
        self.held
    }

    /// True if results that are truth values can be added many at a time.
    pub(super) fn takes_bits(&self) -> bool {
        matches!(self.wanted, Wanted::Found | Wanted::Bool)
    }

    /// Adds truth values: the lowest `n` bits of a word, at most 64.
    pub(super) fn push_bits(&mut self, word: u64, n: usize, meter: &mut Meter) -> Result<(), Refused> {
        if !matches!(self.growing, Growing::Cells(ResultCells::Bool(_))) {
            self.decide(&Value::TRUE, meter)?;
        }
        self.count(n as u64 / 8 + 1, meter)?;
        if let Growing::Cells(ResultCells::Bool(bits)) = &mut self.growing {
            bits.push_word(word, n);
        }
        if let Some(validity) = &mut self.validity {
            validity.push_word(u64::MAX, n);
        }
        self.len += n;
        Ok(())
    }

    /// Adds the result of a row.
    pub(super) fn push(&mut self, value: &Value, meter: &mut Meter) -> Result<(), Refused> {
        if let Some(reason) = unsuitable(value) {
            return Err(Refused::Row(format!("The result can't be a cell: {reason}.")));
        }
        if value.is_null() {
            self.push_null(meter)?;
            return Ok(());
        }
        self.decide(value, meter)?;
        let is_found = self.wanted == Wanted::Found;
        match &mut self.growing {
            Growing::Undecided => {}
            Growing::Values(values) => {
                let kept = kept(value, &self.wanted, self.defaults.as_ref(), meter)?;
                let weight = u64::from(kept.weight());
                values.push(kept);
                self.count(weight.saturating_mul(crate::limits::ELEMENT_BYTES), meter)?;
            }
            Growing::Cells(cells) => {
                let bytes = (cells.width() + value.as_str().map_or(0, str::len)) as u64;
                let ty = cells.ty();
                if is_found
                    && value.as_number().is_some_and(|number| number.to_i64().is_none())
                    && let ResultCells::I64(whole) = cells
                {
                    meter.hold(self.n_rows.saturating_mul(size_of::<f64>()))?;
                    *cells = floats(whole);
                    cells.reserve(self.n_rows.saturating_sub(self.len));
                }
                let converted;
                let plain = match (&value.0, &ty) {
                    (Repr::Bool(_), Type::Bool)
                    | (Repr::Number(_), Type::Number)
                    | (Repr::String(_), Type::String) => value,
                    _ => {
                        converted = convert_within(value, &ty, meter).map_err(|error| {
                            let (name, detail) = (ty.friendly_name(), error.detail());
                            Refused::Row(format!("The result can't be a cell of type {name}: {detail}."))
                        })?;
                        &converted
                    }
                };
                cells.room_for_text(plain, meter)?;
                cells
                    .push(plain)
                    .map_err(|reason| Refused::Row(format!("The result can't be a cell: {reason}.")))?;
                self.count(bytes, meter)?;
            }
        }
        if let Some(validity) = &mut self.validity {
            validity.push(true);
        }
        self.len += 1;
        Ok(())
    }

    /// Adds a cell that is null.
    pub(super) fn push_null(&mut self, meter: &mut Meter) -> Result<(), LimitReached> {
        let width = match &mut self.growing {
            Growing::Undecided => 0,
            Growing::Cells(cells) => {
                cells.push_nulls(1);
                cells.width()
            }
            Growing::Values(values) => {
                values.push(Value::null(Type::Dynamic));
                size_of::<Value>()
            }
        };
        if self.validity.is_none() {
            meter.hold(self.n_rows / 8)?;
        }
        let (len, n_rows) = (self.len, self.n_rows);
        self.validity.get_or_insert_with(|| BitBuffer::ones(len, n_rows)).push(false);
        self.len += 1;
        self.count(width as u64, meter)
    }

    /// Decides for the type of a first result; an error if one of another type has come before.
    fn decide(&mut self, value: &Value, meter: &mut Meter) -> Result<(), Refused> {
        if self.wanted != Wanted::Found {
            return Ok(());
        }
        let was = match &self.growing {
            Growing::Undecided => {
                let found = ResultCells::found(value).map_or(Growing::Values(Vec::new()), Growing::Cells);
                self.growing = found.with_room(self.n_rows, meter)?;
                match &mut self.growing {
                    Growing::Undecided => {}
                    Growing::Cells(cells) => cells.push_nulls(self.len),
                    Growing::Values(values) => values.resize(self.len, Value::null(Type::Dynamic)),
                }
                return Ok(());
            }
            Growing::Cells(cells) if cells.ty() == value.ty() => return Ok(()),
            Growing::Values(_) if ResultCells::found(value).is_none() => return Ok(()),
            Growing::Cells(cells) => cells.ty().friendly_name(),
            Growing::Values(values) => values
                .iter()
                .find(|value| !value.is_null())
                .map(|value| value.type_name())
                .unwrap_or_default(),
        };
        let is = value.type_name();
        Err(Refused::All(format!(
            "The result is {is}, but results of rows before are {was}. Ask for a type."
        )))
    }

    /// Counts what the results take against the limit on memory, so many bytes more.
    fn count(&mut self, bytes: u64, meter: &mut Meter) -> Result<(), LimitReached> {
        self.held = self.held.saturating_add(bytes);
        if self.held > meter.limits().max_memory {
            return Err(meter.stop(LimitReached::Memory(meter.limits().max_memory)));
        }
        Ok(())
    }

    /// The column. A text says why there is none.
    pub(super) fn finish(self, meter: &mut Meter) -> Result<ResultColumn, Refused> {
        let Self { wanted, len, validity, growing, .. } = self;
        let n_nulls = validity.as_ref().map_or(0, BitBuffer::n_zeros);
        let cells = match growing {
            Growing::Undecided => ResultCells::Null,
            Growing::Cells(cells) => cells,
            Growing::Values(values) => return gathered(values, &wanted, meter),
        };
        Ok(ResultColumn { len, validity, n_nulls, cells })
    }
}

/// The value with the defaults of a type for attributes that it lacks.
fn completed<'v>(
    value: &'v Value,
    defaults: Option<&Defaults>,
    meter: &mut Meter,
) -> Result<Cow<'v, Value>, LimitReached> {
    let Some(defaults) = defaults else { return Ok(Cow::Borrowed(value)) };
    let n_parts = u64::from(value.weight());
    meter.walk(n_parts, n_parts)?;
    defaults.apply_within(value, meter).map(Cow::Owned)
}

/// The value that is kept for a result: of the type that was asked for, with its defaults.
fn kept(
    value: &Value,
    wanted: &Wanted,
    defaults: Option<&Defaults>,
    meter: &mut Meter,
) -> Result<Value, Refused> {
    let Wanted::Type(ty) = wanted else { return Ok(value.clone()) };
    let value = completed(value, defaults, meter)?;
    convert_within(&value, ty, meter).map_err(|error| {
        let (name, detail) = (ty.friendly_name(), error.detail());
        meter_stop(meter).unwrap_or(Refused::Row(format!("The result can't be {name}: {detail}.")))
    })
}

/// The limit that ended a conversion, if one did.
fn meter_stop(meter: &Meter) -> Option<Refused> {
    meter.stopped().map(Refused::Limit)
}

/// Floating-point numbers of whole ones.
pub(super) fn floats(whole: &[i64]) -> ResultCells {
    ResultCells::F64(whole.iter().map(|&cell| cell as f64).collect())
}

/// The column of values that have parts.
fn gathered(values: Vec<Value>, wanted: &Wanted, meter: &mut Meter) -> Result<ResultColumn, Refused> {
    let ty = match wanted {
        Wanted::Type(ty) => ty.without_optional(),
        _ => {
            let mut types: Vec<Type> = Vec::new();
            for value in values.iter().filter(|value| !value.is_null()) {
                // The type of a tuple or an object has a part for each of its parts; it is made in a list that grows.
                if matches!(value.unmarked().0, Repr::Tuple(_) | Repr::Object(_)) {
                    let n_parts = value.weight() as usize;
                    meter.hold_parts(n_parts, 3 * size_of::<Type>())?;
                    meter.go_on(n_parts.saturating_mul(1 + types.len()))?;
                }
                let ty = value.ty();
                if !types.contains(&ty) {
                    types.push(ty);
                }
                meter.steps(1 + types.len() as u64)?;
            }
            unify(&types).ok_or_else(|| {
                Refused::All("The results of the rows have no type in common. Ask for a type.".to_owned())
            })?
        }
    };
    let Some(ty) = storable(&ty, 0) else {
        let name = ty.friendly_name();
        return Err(Refused::All(format!(
            "Results that are {name} can be no column: their parts have no type in common."
        )));
    };
    meter.hold_parts(values.len(), size_of::<Value>() + size_of::<&Value>())?;
    let mut converted = Vec::with_capacity(values.len());
    for value in values {
        let value = convert_within(&value, &ty, meter).map_err(|error| {
            meter_stop(meter)
                .unwrap_or_else(|| Refused::All(format!("A result can be no cell: {}.", error.detail())))
        })?;
        converted.push(value);
    }
    let cells: Vec<&Value> = converted.iter().collect();
    Ok(column(&cells, &ty, *wanted == Wanted::Found, meter)?)
}

/// The type that a column has for values of a type: a tuple becomes a list. `None` if it has none.
fn storable(ty: &Type, depth: u32) -> Option<Type> {
    if depth > DEEPEST {
        return None;
    }
    Some(match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => ty.clone(),
        Type::List(element) | Type::Set(element) => Type::list(storable(element, depth + 1)?),
        Type::Map(element) => Type::map(storable(element, depth + 1)?),
        Type::Tuple(tuple) => {
            let elements = tuple.elements();
            let element = if elements.is_empty() { Type::Dynamic } else { unify(elements)? };
            Type::list(storable(&element, depth + 1)?)
        }
        Type::Object(object) => {
            let attributes = object.attributes().iter().map(|attribute| {
                storable(&attribute.ty, depth + 1)
                    .map(|ty| crate::types::ObjectAttribute::new(attribute.name.clone(), ty))
            });
            Type::object(attributes.collect::<Option<_>>()?)
        }
        Type::Capsule(_) => return None,
    })
}

/// The column of values of a type that columns have.
fn column(
    values: &[&Value],
    ty: &Type,
    is_found: bool,
    meter: &mut Meter,
) -> Result<ResultColumn, LimitReached> {
    meter.steps(values.len() as u64)?;
    meter.hold(32 * values.len())?;
    let n_nulls = sum(values, meter, |value| usize::from(value.is_null()))?;
    let validity = match n_nulls {
        0 => None,
        _ => Some(validity_of(values, meter)?),
    };
    let cells = match ty {
        Type::Number if is_found && sum(values, meter, |value| usize::from(!is_null_or_i64(value)))? == 0 => {
            plain(ResultCells::I64(Vec::new()), values, meter)?
        }
        Type::Number => plain(ResultCells::F64(Vec::new()), values, meter)?,
        Type::Bool => plain(ResultCells::Bool(BitBuffer::default()), values, meter)?,
        Type::String => {
            let n_bytes = sum(values, meter, |value| value.as_str().map_or(0, str::len))?;
            meter.hold(n_bytes)?;
            plain(ResultCells::Text { bounds: vec![0], bytes: Vec::with_capacity(n_bytes) }, values, meter)?
        }
        Type::List(element) => {
            let parts = parts_of(values, meter)?;
            ResultCells::List {
                bounds: parts.0,
                items: Box::new(column(&parts.1, element, is_found, meter)?),
            }
        }
        Type::Map(element) => {
            let parts = parts_of(values, meter)?;
            let keys = Box::new(keys_of(values, meter)?);
            ResultCells::Map {
                bounds: parts.0,
                keys,
                values: Box::new(column(&parts.1, element, is_found, meter)?),
            }
        }
        Type::Object(object) => {
            let null = Value::null(Type::Dynamic);
            let attributes = object.attributes();
            let mut fields = Vec::with_capacity(attributes.len());
            for attribute in attributes {
                meter.hold_parts(values.len(), size_of::<&Value>())?;
                let mut parts = Vec::with_capacity(values.len());
                for run in values.chunks(RUN) {
                    meter.go_on(run.len())?;
                    parts.extend(
                        run.iter().map(|value| value.get_attribute(&attribute.name).unwrap_or(&null)),
                    );
                }
                fields.push(column(&parts, &attribute.ty, is_found, meter)?);
            }
            ResultCells::Struct {
                names: attributes.iter().map(|attribute| attribute.name.clone()).collect(),
                fields,
            }
        }
        _ => ResultCells::Null,
    };
    Ok(ResultColumn { len: values.len(), validity, n_nulls, cells })
}

fn is_null_or_i64(value: &Value) -> bool {
    value.as_number().is_none_or(|number| number.to_i64().is_some())
}

/// So many cells are made between two looks at the limits.
const RUN: usize = 1 << 12;

/// The sum of numbers that values have, with looks at the limits: of a million values each is waited for in memory.
fn sum(
    values: &[&Value],
    meter: &mut Meter,
    number: impl Fn(&Value) -> usize,
) -> Result<usize, LimitReached> {
    let mut sum = 0;
    for run in values.chunks(RUN) {
        meter.go_on(run.len())?;
        sum += run.iter().map(|value| number(value)).sum::<usize>();
    }
    Ok(sum)
}

/// A bit for each value, which says that it is not null.
fn validity_of(values: &[&Value], meter: &mut Meter) -> Result<BitBuffer, LimitReached> {
    let mut bits = BitBuffer::default();
    for run in values.chunks(RUN) {
        meter.go_on(run.len())?;
        run.iter().for_each(|value| bits.push(!value.is_null()));
    }
    Ok(bits)
}

fn plain(mut cells: ResultCells, values: &[&Value], meter: &mut Meter) -> Result<ResultCells, LimitReached> {
    for run in values.chunks(RUN) {
        meter.go_on(run.len())?;
        for value in run {
            // A value that is null, or does not fit, which the limits do not allow to be.
            if value.is_null() || cells.push(value).is_err() {
                cells.push_nulls(1);
            }
        }
    }
    Ok(cells)
}

/// The keys of all maps.
fn keys_of(maps: &[&Value], meter: &mut Meter) -> Result<ResultColumn, LimitReached> {
    let len = sum(maps, meter, |map| names_of(map).len())?;
    let runs = || maps.iter().flat_map(|map| names_of(map).chunks(RUN));
    let mut n_bytes = 0;
    for run in runs() {
        meter.go_on(run.len())?;
        n_bytes += run.iter().map(|name| name.len()).sum::<usize>();
    }
    meter.hold(n_bytes + (len + 1) * size_of::<i32>())?;
    let (mut bounds, bytes) = (Vec::with_capacity(len + 1), Vec::with_capacity(n_bytes));
    bounds.push(0);
    let mut cells = ResultCells::Text { bounds, bytes };
    for run in runs() {
        meter.go_on(run.len())?;
        for name in run {
            // Keys are parts of values that limits bound, far below the most there can be.
            let _ = cells.push(&Value::string_nfc(name.clone()));
        }
    }
    Ok(ResultColumn { len, validity: None, n_nulls: 0, cells })
}

/// The keys of a map; none of null.
fn names_of(map: &Value) -> &[Str] {
    map.shape().map_or(&[], Shape::names)
}

/// Where the parts of each value begin and end, and all parts.
fn parts_of<'v>(values: &[&'v Value], meter: &mut Meter) -> Result<(Vec<i32>, Vec<&'v Value>), LimitReached> {
    let n_parts = sum(values, meter, |value| value.parts().map_or(0, <[Value]>::len))?;
    meter.hold((values.len() + 1) * size_of::<i32>() + n_parts * size_of::<&Value>())?;
    let (mut bounds, mut all) = (Vec::with_capacity(values.len() + 1), Vec::with_capacity(n_parts));
    bounds.push(0);
    for value in values {
        meter.go_on(1)?;
        for run in value.parts().unwrap_or_default().chunks(RUN) {
            meter.go_on(run.len())?;
            all.extend(run);
        }
        bounds.push(i32::try_from(all.len()).unwrap_or(i32::MAX));
    }
    Ok((bounds, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_that_were_added() {
        let word = 0x9e37_79b9_7f4a_7c15_u64;
        for first in [0, 1, 7, 63, 64, 65] {
            let mut buffer = BitBuffer::ones(first, 200);
            let mut expected = vec![true; first];
            for n in [0, 1, 63, 64, 5, 59, 64, 2] {
                // Bits of the word beyond the lowest `n` are none of those added.
                buffer.push_word(word, n);
                expected.extend((0..n).map(|at| word >> at & 1 != 0));
            }
            buffer.append(&BitBuffer::ones(70, 70));
            expected.extend([true; 70]);
            assert_eq!(buffer.len, expected.len());
            let mut words = vec![0; expected.len().div_ceil(64)];
            for (at, _) in expected.iter().enumerate().filter(|(_, bit)| **bit) {
                words[at / 64] |= 1_u64 << (at % 64);
            }
            assert_eq!(buffer.words, words, "behind {first} ones");
        }
    }

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
