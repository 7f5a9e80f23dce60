//! Columns that are lent: typed cells, of which each is a value of the language or null.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use super::moment::Moments;
use super::text::{Bounds, Texts};
use crate::Str;
use crate::limits::{LimitReached, Limits, Meter, Pace, RUN, go_on, hold};
use crate::sorting::sorted_places_on;
use crate::types::{ObjectAttribute, Type};
use crate::value::string::normalize_charged;
use crate::value::{Number, Shape, Value};

/// Bits that are lent, the lowest of a byte first, from a bit on.
#[derive(Copy, Clone, Debug)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    first: usize,
    len: usize,
}

impl<'a> Bits<'a> {
    /// `len` bits from bit `first` on; `None` if the bytes are too few.
    #[must_use]
    pub fn new(bytes: &'a [u8], first: usize, len: usize) -> Option<Self> {
        let end = first.checked_add(len)?;
        (end.div_ceil(8) <= bytes.len()).then_some(Self { bytes, first, len })
    }

    /// The bit at `index`; false beyond the last.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        if index >= self.len {
            return false;
        }
        let at = self.first + index;
        self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 != 0)
    }

    /// The 64 bits from `index` on; those beyond the last are of no meaning.
    pub(super) fn word(&self, index: usize) -> u64 {
        let at = self.first + index;
        let (byte, shift) = (at / 8, at % 8);
        let mut bytes = [0; 16];
        let rest = self.bytes.get(byte..).unwrap_or_default();
        let n = rest.len().min(9);
        bytes[..n].copy_from_slice(&rest[..n]);
        let bits = u128::from_le_bytes(bytes) >> shift;
        u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default()
    }
}

/// Whole numbers of one width.
#[derive(Copy, Clone, Debug)]
#[expect(missing_docs, reason = "named after the type of their elements")]
pub enum Integers<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

/// Evaluates `$body` with `$cells` bound to the slice.
macro_rules! with_integers {
    ($integers:expr, $cells:ident => $body:expr) => {
        match $integers {
            Integers::I8($cells) => $body,
            Integers::I16($cells) => $body,
            Integers::I32($cells) => $body,
            Integers::I64($cells) => $body,
            Integers::U8($cells) => $body,
            Integers::U16($cells) => $body,
            Integers::U32($cells) => $body,
            Integers::U64($cells) => $body,
        }
    };
}
pub(super) use with_integers;

impl Integers<'_> {
    /// The number at `index`, which is below the length.
    pub(super) fn get(&self, index: usize) -> i128 {
        with_integers!(self, cells => i128::from(cells[index]))
    }

    fn len(&self) -> usize {
        with_integers!(self, cells => cells.len())
    }

    fn number(&self, index: usize) -> Number {
        let wide = self.get(index);
        match i64::try_from(wide) {
            Ok(number) => Number::from_i64(number),
            // The cells of one type alone are above `i64`.
            Err(_) => Number::from_u64(u64::try_from(wide).unwrap_or(u64::MAX)),
        }
    }
}

/// The cells of a column.
#[derive(Clone, Debug)]
pub enum Cells<'a> {
    /// All of them are null.
    Null,
    /// Truth values.
    Bool(Bits<'a>),
    /// Whole numbers.
    Integer(Integers<'a>),
    /// Floating-point numbers of 16 bits.
    F16(&'a [u16]),
    /// Floating-point numbers of 32 bits.
    F32(&'a [f32]),
    /// Floating-point numbers of 64 bits.
    F64(&'a [f64]),
    /// Decimal numbers: whole numbers in two's complement, little-endian, of so many bytes each, to be divided by
    /// 10 to the power of the scale.
    Decimal {
        /// The numbers.
        bytes: &'a [u8],
        /// Bytes for each.
        width: usize,
        /// Decimal places; fewer than 0 for zeros at the end.
        scale: i32,
    },
    /// Texts.
    Text(Texts<'a>),
    /// Dates and times.
    Moment(Moments<'a>),
    /// Each cell is the number of an entry.
    Dictionary {
        /// The numbers.
        keys: Integers<'a>,
        /// The entries.
        entries: Box<Column<'a>>,
        /// The values of the entries, `None` for one that has none. Empty until an evaluation makes them, and where there are
        /// fewer cells than entries. Shared, since plans of conditions hold copies of columns.
        values: Arc<Vec<Option<Value>>>,
    },
    /// Lists.
    List {
        /// The elements of each row.
        bounds: Bounds<'a>,
        /// The elements of all rows.
        items: Box<Column<'a>>,
        /// How many elements there are before the first of `items`.
        skipped: usize,
    },
    /// Objects.
    Struct {
        /// The names of the fields, sorted.
        shape: Shape,
        /// The fields in the order of the names, each as long as the column.
        fields: Vec<Column<'a>>,
    },
    /// Maps with texts as keys.
    Map {
        /// The entries of each row.
        bounds: Bounds<'a>,
        /// The keys of all rows, texts.
        keys: Box<Column<'a>>,
        /// The values of all rows.
        values: Box<Column<'a>>,
        /// How many entries there are before the first of `keys` and `values`.
        skipped: usize,
    },
}

/// A column that is lent: cells of one type, some of which may be null.
///
/// ```
/// use hcl_eval::columns::{Cells, Column, Integers};
///
/// let ages = Column::new(Cells::Integer(Integers::I64(&[17, 18])), 2);
/// assert!(ages.is_ok());
/// assert!(Column::new(Cells::Integer(Integers::I64(&[17, 18])), 3).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Column<'a> {
    cells: Cells<'a>,
    /// Bits that are 0 where the cell is null: those of the column, and of the columns around it.
    validity: Vec<Bits<'a>>,
    len: usize,
    ty: Type,
    /// An object that the column is a field of may be null.
    is_of_nulls: bool,
}

/// The reason why a cell has no value, as the end of a sentence about the column.
pub(super) type CellProblem = Cow<'static, str>;

const TOO_LARGE: &str = "is larger than the limits allow";

/// The type of objects with such fields.
fn type_of_fields(shape: &Shape, fields: &[Column<'_>], pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
    hold(pace, fields.len().saturating_mul(size_of::<ObjectAttribute>()))?;
    let mut attributes = Vec::with_capacity(fields.len());
    for (name, field) in shape.names().iter().zip(fields) {
        go_on(pace, 1)?;
        attributes.push(ObjectAttribute::new(name.clone(), field.ty.clone()));
    }
    Type::object_on(attributes, pace)
}

/// The reason why there is no value.
pub(super) enum NoValue {
    /// The cell has none.
    Cell(CellProblem),
    /// A limit has been reached.
    Limit(LimitReached),
}

impl From<CellProblem> for NoValue {
    fn from(problem: CellProblem) -> Self {
        Self::Cell(problem)
    }
}

impl From<LimitReached> for NoValue {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl<'a> Column<'a> {
    /// A column of `len` cells, none of which is null but for [`Cells::Null`].
    ///
    /// # Errors
    /// The cells are fewer, or parts of theirs are not there. The text is the end of a sentence about the column.
    pub fn new(cells: Cells<'a>, len: usize) -> Result<Self, &'static str> {
        Self::new_on(cells, len, &mut None)
    }

    /// [`Column::new`] within limits: the type of many fields takes time and memory to make.
    ///
    /// ```
    /// use hcl_eval::columns::{Cells, Column};
    /// use hcl_eval::limits::Meter;
    ///
    /// let mut meter = Meter::default();
    /// assert!(Column::new_within(Cells::Null, 2, &mut meter).is_ok() && meter.stopped().is_none());
    /// ```
    ///
    /// # Errors
    /// As for [`Column::new`]. If a limit has been reached, the meter tells which.
    pub fn new_within(cells: Cells<'a>, len: usize, meter: &mut Meter) -> Result<Self, &'static str> {
        Self::new_on(cells, len, &mut Some(meter))
    }

    fn new_on(cells: Cells<'a>, len: usize, pace: Pace<'_, '_>) -> Result<Self, &'static str> {
        const SHORT: &str = "has fewer cells than the table has rows";
        let is_long = |n: usize| if n >= len { Ok(()) } else { Err(SHORT) };
        let ty = match &cells {
            Cells::Null => Type::Dynamic,
            Cells::Bool(bits) => is_long(bits.len).map(|()| Type::Bool)?,
            Cells::Integer(integers) => is_long(integers.len()).map(|()| Type::Number)?,
            Cells::F16(cells) => is_long(cells.len()).map(|()| Type::Number)?,
            Cells::F32(cells) => is_long(cells.len()).map(|()| Type::Number)?,
            Cells::F64(cells) => is_long(cells.len()).map(|()| Type::Number)?,
            Cells::Decimal { bytes, width, .. } => {
                is_long(bytes.len().checked_div(*width).unwrap_or_default()).map(|()| Type::Number)?
            }
            Cells::Text(texts) => texts.check(len).map(|()| Type::String)?,
            Cells::Moment(moments) => is_long(moments.counts.len()).map(|()| moments.ty())?,
            Cells::Dictionary { keys, entries, .. } => is_long(keys.len()).map(|()| entries.ty.clone())?,
            Cells::List { bounds, items, skipped } => {
                bounds.check(len, *skipped..skipped.saturating_add(items.len))?;
                Type::list(items.ty.clone())
            }
            Cells::Struct { shape, fields } => {
                if shape.len() != fields.len() {
                    return Err("has two fields of one name");
                }
                fields.iter().try_for_each(|field| is_long(field.len))?;
                type_of_fields(shape, fields, pace).map_err(|_| TOO_LARGE)?
            }
            Cells::Map { bounds, keys, values, skipped } => {
                if !matches!(keys.cells, Cells::Text(_)) {
                    return Err("has keys that are no texts");
                }
                bounds.check(len, *skipped..skipped.saturating_add(values.len.min(keys.len)))?;
                Type::map(values.ty.clone())
            }
        };
        Ok(Self { cells, validity: Vec::new(), len, ty, is_of_nulls: false })
    }

    /// The column with bits that are 0 where a cell is null, in addition to those that it has. There are as many bits as cells.
    ///
    /// ```
    /// use hcl_eval::columns::{Bits, Cells, Column, Integers};
    ///
    /// let valid = Bits::new(&[0b01], 0, 2).unwrap();
    /// let ages = Column::new(Cells::Integer(Integers::U8(&[17, 0])), 2)?.with_validity(valid);
    /// assert!(!ages.is_null(0) && ages.is_null(1));
    /// # Ok::<(), &'static str>(())
    /// ```
    #[must_use]
    pub fn with_validity(mut self, valid: Bits<'a>) -> Self {
        self.validity.push(valid);
        self
    }

    /// The number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The type of the cells' values.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The cells.
    pub(super) fn cells(&self) -> &Cells<'a> {
        &self.cells
    }

    /// True if the cell of a row is null because the column or one around it says so, or it has none but such.
    #[must_use]
    pub fn is_null(&self, row: usize) -> bool {
        matches!(self.cells, Cells::Null) || self.validity.iter().any(|valid| !valid.get(row))
    }

    /// The 64 bits from a row on that are 0 where a cell is null.
    pub(super) fn valid_word(&self, row: usize) -> u64 {
        self.validity.iter().fold(u64::MAX, |word, valid| word & valid.word(row))
    }

    /// Makes ready for [`Column::value`]: looks at texts that lie together, and makes each entry of a dictionary a value once.
    /// Where there are fewer cells than entries, those that are needed are read in their rows.
    ///
    /// # Errors
    /// A key is the number of no entry, or a limit has been reached.
    pub(super) fn prepare(&mut self, meter: &mut Meter) -> Result<(), NoValue> {
        let Self { cells, validity, len, .. } = self;
        match cells {
            Cells::Text(texts) => Ok(texts.prepare(*len, meter)?),
            Cells::Dictionary { keys, entries, values } => {
                let n_entries = entries.len as i128;
                for row in 0..*len {
                    meter.go_on(1)?;
                    let key = keys.get(row);
                    if !(0..n_entries).contains(&key) && validity.iter().all(|valid| valid.get(row)) {
                        let problem = format!("has key {key} in row {row}, but {n_entries} entries");
                        return Err(NoValue::Cell(problem.into()));
                    }
                }
                if *len < entries.len {
                    return Ok(());
                }
                entries.prepare(meter)?;
                meter.hold_parts(entries.len, size_of::<Option<Value>>())?;
                let mut made = Vec::new();
                made.reserve_exact(entries.len);
                for entry in 0..entries.len {
                    meter.go_on(1)?;
                    made.push(match entries.value(entry, meter) {
                        Ok(value) => Some(value),
                        // An entry without a value is an error of the rows that have it.
                        Err(NoValue::Cell(_)) => None,
                        Err(limit @ NoValue::Limit(_)) => return Err(limit),
                    });
                }
                *values = Arc::new(made);
                Ok(())
            }
            Cells::List { items, .. } => items.prepare(meter),
            Cells::Map { keys, values, .. } => {
                keys.prepare(meter)?;
                values.prepare(meter)
            }
            Cells::Struct { fields, .. } => fields.iter_mut().try_for_each(|field| {
                meter.go_on(1)?;
                field.prepare(meter)
            }),
            _ => Ok(()),
        }
    }

    /// Reads a cell as a value, for those who take columns of results apart.
    ///
    /// ```
    /// use hcl_eval::columns::{Cells, Column};
    /// use hcl_eval::limits::Limits;
    ///
    /// let column = Column::new(Cells::F64(&[0.5, f64::NAN]), 2)?;
    /// assert_eq!(column.cell(0, &Limits::default()).unwrap().as_number().unwrap().to_f64(), 0.5);
    /// assert!(column.cell(1, &Limits::default()).is_err());
    /// assert!(column.cell(2, &Limits::default()).is_err());
    /// # Ok::<(), &'static str>(())
    /// ```
    ///
    /// # Errors
    /// There is no such cell, it has no value in the language, or a limit has been reached. The text is the end of a sentence
    /// about the cell.
    pub fn cell(&self, row: usize, limits: &Limits) -> Result<Value, Cow<'static, str>> {
        if row >= self.len {
            return Err("is none of the column".into());
        }
        self.value(row, &mut Meter::new(limits.clone())).map_err(|problem| match problem {
            NoValue::Cell(problem) => problem,
            NoValue::Limit(_) => TOO_LARGE.into(),
        })
    }

    /// The value of a cell: null of the column's type where it is null. What the parts of a value take is charged for.
    ///
    /// # Errors
    /// The cell has no value in the language, or a limit has been reached.
    pub(super) fn value(&self, row: usize, meter: &mut Meter) -> Result<Value, NoValue> {
        if self.is_null(row) {
            return Ok(Value::null(self.ty.clone()));
        }
        Ok(match &self.cells {
            Cells::Null => Value::null(Type::Dynamic),
            Cells::Bool(bits) => Value::bool(bits.get(row)),
            Cells::Integer(integers) => Value::number(integers.number(row)),
            Cells::F16(cells) => float(f16_to_f64(cells[row]))?,
            Cells::F32(cells) => float(f64::from(cells[row]))?,
            Cells::F64(cells) => float(cells[row])?,
            Cells::Decimal { bytes, width, scale } => {
                let bytes = bytes.get(row * width..(row + 1) * width).unwrap_or_default();
                Value::number(super::decimal::number(bytes, *scale))
            }
            Cells::Text(texts) => Value::string_nfc(texts.value(row, meter)?),
            Cells::Moment(moments) => moments.value(row)?,
            Cells::Dictionary { keys, entries, values } => {
                let entry = usize::try_from(keys.get(row)).unwrap_or(usize::MAX);
                match values.get(entry) {
                    Some(Some(value)) => value.clone(),
                    _ if entry < entries.len => entries.value(entry, meter)?,
                    _ => return Err(NoValue::Cell("has a key that is the number of no entry".into())),
                }
            }
            Cells::List { bounds, items, skipped } => {
                let parts = bounds.range(row);
                meter.elements(parts.len())?;
                let mut elements = Vec::with_capacity(parts.len());
                for part in parts {
                    meter.go_on(1)?;
                    elements.push(items.value(part - skipped, meter)?);
                }
                Value::list_on(items.ty.clone(), elements, &mut Some(meter))?
            }
            Cells::Struct { shape, fields } => {
                meter.room(fields.len())?;
                let mut values = Vec::with_capacity(fields.len());
                for field in fields {
                    meter.go_on(1)?;
                    values.push(field.value(row, meter)?);
                }
                Value::object_with_shape(shape.clone(), values)
            }
            Cells::Map { bounds, keys, values, skipped } => {
                let parts = bounds.range(row);
                let n_parts = parts.len();
                meter.elements(n_parts)?;
                // Each entry has a key beside its value.
                meter.hold_parts(n_parts, size_of::<(Str, Value)>())?;
                let mut entries = Vec::with_capacity(n_parts);
                for part in parts {
                    meter.go_on(1)?;
                    entries.push((keys.key(part - skipped, meter)?, values.value(part - skipped, meter)?));
                }
                let map = Value::map_on(values.ty.clone(), entries, &mut Some(meter))?;
                if map.parts().is_some_and(|values| values.len() < n_parts) {
                    return Err(NoValue::Cell("has a key twice in one map".into()));
                }
                map
            }
        })
    }

    /// The text of a cell as the key of a map.
    fn key(&self, row: usize, meter: &mut Meter) -> Result<Str, NoValue> {
        let problem = match &self.cells {
            Cells::Text(texts) if !self.is_null(row) => match texts.value(row, meter) {
                Err(NoValue::Cell(_)) => "has a key that is no UTF-8 text",
                key => return key,
            },
            _ => "has a key that is null",
        };
        Err(NoValue::Cell(problem.into()))
    }

    /// The column of a field, null where the object is; `None` if the column is none of objects, or has no such field.
    pub(super) fn field(&self, name: &str) -> Option<Column<'a>> {
        let Cells::Struct { shape, fields } = &self.cells else { return None };
        let mut field = fields.get(shape.position(name)?)?.clone();
        field.validity.extend_from_slice(&self.validity);
        field.is_of_nulls |= !self.validity.is_empty();
        Some(field)
    }

    /// True if null of a cell may be that of an object around it.
    pub(super) fn is_of_nulls(&self) -> bool {
        self.is_of_nulls
    }
}

fn float(number: f64) -> Result<Value, CellProblem> {
    Number::from_f64(number).map(Value::number).ok_or(Cow::Borrowed("is NaN, which is no number"))
}

/// The number that 16 bits are.
pub(super) fn f16_to_f64(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 2_f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (1.0 + fraction / 1024.0) * 2_f64.powi(i32::from(exponent) - 15),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// The shape of fields with these names, and the numbers of the fields in the order of the shape. Of equal names the shape has
/// one.
///
/// ```
/// use hcl_eval::columns::arranged;
/// use hcl_eval::limits::Meter;
///
/// let (shape, order) = arranged(&["b", "c", "a"], &mut Meter::default()).unwrap();
/// assert_eq!((shape.len(), order), (3, vec![2, 0, 1]));
/// ```
///
/// # Errors
/// A limit has been reached.
pub fn arranged(names: &[&str], meter: &mut Meter) -> Result<(Shape, Vec<usize>), LimitReached> {
    // Two lists of names, the shape with its index, and two of numbers.
    meter.hold_parts(names.len(), 3 * size_of::<Str>() + 3 * size_of::<usize>())?;
    let mut own = Vec::with_capacity(names.len());
    for name in names {
        own.push(normalize_charged(name, meter)?);
    }
    let n_bytes = own.iter().map(|name| name.len()).sum();
    let order = sorted_places_on(own.len(), n_bytes, &|a, b| own[a].cmp(&own[b]), &mut |n| meter.go_on(n))?;
    let mut sorted = Vec::with_capacity(own.len());
    for run in order.chunks(RUN) {
        meter.go_on(run.len())?;
        sorted.extend(run.iter().map(|&place| mem::take(&mut own[place])));
    }
    sorted.dedup();
    Ok((Shape::from_sorted(sorted), order))
}

#[cfg(test)]
mod tests {
    use super::f16_to_f64;

    #[test]
    fn numbers_of_16_bits_are_those_of_ieee_754() {
        let known = [
            (0x0000, 0.0),
            (0x0001, 2_f64.powi(-24)),
            (0x03ff, 1023.0 * 2_f64.powi(-24)),
            (0x0400, 2_f64.powi(-14)),
            (0x3555, 0.333_251_953_125),
            (0x3c00, 1.0),
            (0x3c01, 1.0 + 2_f64.powi(-10)),
            (0x7bff, 65504.0),
            (0x7c00, f64::INFINITY),
        ];
        for (bits, number) in known {
            assert_eq!(f16_to_f64(bits).to_bits(), f64::to_bits(number), "{bits:#x}");
            assert_eq!(f16_to_f64(bits | 0x8000).to_bits(), f64::to_bits(-number), "{bits:#x}");
        }
        assert!([0x7c01, 0x7e00, 0x7fff, 0xfc01].into_iter().all(|bits| f16_to_f64(bits).is_nan()));
        // Of numbers below infinity, a larger one has larger bits.
        assert!((0..0x7c00).is_sorted_by(|low, high| f16_to_f64(*low) < f16_to_f64(*high)));
    }
}
