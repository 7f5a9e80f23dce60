//! Results of rows, as they come in.

use std::borrow::Cow;

use super::ColumnsOptions;
use super::bits::BitBuffer;
use super::cells::{ResultCells, ResultColumn, Wanted, floats};
use super::gathered::{gathered, storable};
use crate::convert::convert_within;
use crate::limits::{LimitReached, Meter};
use crate::types::{Defaults, Type};
use crate::value::{Repr, Value};

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
            Wanted::Type(ty) if ty.has_dynamic() || storable(&ty, 0, meter)?.is_none() => {
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
    meter.steps(u64::from(value.weight()))?;
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
pub(super) fn meter_stop(meter: &Meter) -> Option<Refused> {
    meter.stopped().map(Refused::Limit)
}
