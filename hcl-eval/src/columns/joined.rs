//! Columns of results one behind the other: those of a table that comes in pieces.

use super::bits::BitBuffer;
use super::cells::{ResultCells, ResultColumn, floats};

impl ResultColumn {
    /// Adds the cells of another column. Cells that are all null are of any type, and whole numbers become floating-point numbers
    /// if the others are.
    ///
    /// ```
    /// use hcl_eval::columns::{ResultCells, ResultColumn};
    ///
    /// let column = |cells| ResultColumn { len: 1, validity: None, n_nulls: 0, cells };
    /// let mut all = column(ResultCells::I64(vec![1]));
    /// all.append(column(ResultCells::F64(vec![0.5]))).unwrap();
    /// assert_eq!(all.cells, ResultCells::F64(vec![1.0, 0.5]));
    /// ```
    ///
    /// # Errors
    /// The types have nothing in common, there are too many texts or parts for one column, or there is no memory for them. The
    /// column is of no use then.
    pub fn append(&mut self, other: Self) -> Result<(), String> {
        if self.len == 0 && matches!(self.cells, ResultCells::Null) {
            *self = other;
            return Ok(());
        }
        if self.validity.is_some() || other.validity.is_some() || self.is_null() != other.is_null() {
            let mine = self.valid_bits();
            self.validity.insert(mine).append(&other.valid_bits());
        }
        self.n_nulls += other.n_nulls;
        self.cells.append(self.len, other.cells, other.len)?;
        self.len += other.len;
        Ok(())
    }

    /// True of a column without a type. One without cells is of any type, and has no nulls.
    fn is_null(&self) -> bool {
        self.len > 0 && self.cells == ResultCells::Null
    }

    fn valid_bits(&self) -> BitBuffer {
        match &self.validity {
            Some(bits) => bits.clone(),
            None if self.is_null() => BitBuffer::zeros(self.len),
            None => BitBuffer::ones(self.len, self.len),
        }
    }
}

impl ResultCells {
    /// Adds `n_more` cells behind `n` ones.
    fn append(&mut self, n: usize, mut more: Self, n_more: usize) -> Result<(), String> {
        if matches!(more, Self::Null) {
            return self.append_nulls(n_more);
        }
        if matches!(self, Self::Null) {
            *self = more.without_cells();
            self.append_nulls(n)?;
        }
        match (&mut *self, &mut more) {
            (Self::F64(_), Self::I64(whole)) => more = floats(whole),
            (Self::I64(whole), Self::F64(_)) => *self = floats(whole),
            _ => {}
        }
        macro_rules! plain {
            ($($kind:ident)*) => {
                match (&mut *self, more) {
                    $((Self::$kind(cells), Self::$kind(more)) => extend(cells, more),)*
                    (cells, more) => cells.append_parts(more),
                }
            };
        }
        plain!(I8 I16 I32 I64 U8 U16 U32 U64 F32 F64)
    }

    /// Adds so many cells that are null; the fields of structs have them too.
    fn append_nulls(&mut self, n: usize) -> Result<(), String> {
        if let Self::Struct { fields, .. } = self {
            for field in fields {
                field.append(ResultColumn { len: n, validity: None, n_nulls: n, cells: Self::Null })?;
            }
        }
        self.push_nulls(n);
        Ok(())
    }

    /// Adds cells that are more than a number each.
    fn append_parts(&mut self, more: Self) -> Result<(), String> {
        match (self, more) {
            (Self::Bool(bits), Self::Bool(more)) => bits.append(&more),
            (
                Self::Decimal { words, bits, precision, scale },
                Self::Decimal {
                    words: more,
                    bits: other_bits,
                    precision: other_precision,
                    scale: other_scale,
                },
            ) if (*bits, *precision, *scale) == (other_bits, other_precision, other_scale) => {
                extend(words, more)?;
            }
            (Self::Text { bounds, bytes }, Self::Text { bounds: more, bytes: other }) => {
                shifted(bounds, &more)?;
                extend(bytes, other)?;
            }
            (Self::LargeText { bounds, bytes }, Self::LargeText { bounds: more, bytes: other }) => {
                shifted(bounds, &more)?;
                extend(bytes, other)?;
            }
            (Self::List { bounds, items }, Self::List { bounds: more, items: other }) => {
                shifted(bounds, &more)?;
                items.append(*other)?;
            }
            (
                Self::Map { bounds, keys, values },
                Self::Map { bounds: more, keys: other_keys, values: other_values },
            ) => {
                shifted(bounds, &more)?;
                keys.append(*other_keys)?;
                values.append(*other_values)?;
            }
            (Self::Struct { names, fields }, Self::Struct { names: other_names, fields: others })
                if *names == other_names =>
            {
                for (field, other) in fields.iter_mut().zip(others) {
                    field.append(other)?;
                }
            }
            _ => {
                return Err(
                    "Batches of the table have results of different types. Ask for one type.".to_owned()
                );
            }
        }
        Ok(())
    }

    /// The type of the cells without one of them.
    fn without_cells(&self) -> Self {
        let empty = |column: &ResultColumn| ResultColumn {
            len: 0,
            validity: None,
            n_nulls: 0,
            cells: column.cells.without_cells(),
        };
        match self {
            Self::Null => Self::Null,
            Self::Bool(_) => Self::Bool(BitBuffer::default()),
            Self::I8(_) => Self::I8(Vec::new()),
            Self::I16(_) => Self::I16(Vec::new()),
            Self::I32(_) => Self::I32(Vec::new()),
            Self::I64(_) => Self::I64(Vec::new()),
            Self::U8(_) => Self::U8(Vec::new()),
            Self::U16(_) => Self::U16(Vec::new()),
            Self::U32(_) => Self::U32(Vec::new()),
            Self::U64(_) => Self::U64(Vec::new()),
            Self::F32(_) => Self::F32(Vec::new()),
            Self::F64(_) => Self::F64(Vec::new()),
            &Self::Decimal { bits, precision, scale, .. } => {
                Self::Decimal { words: Vec::new(), bits, precision, scale }
            }
            Self::Text { .. } => Self::Text { bounds: vec![0], bytes: Vec::new() },
            Self::LargeText { .. } => Self::LargeText { bounds: vec![0], bytes: Vec::new() },
            Self::List { items, .. } => Self::List { bounds: vec![0], items: Box::new(empty(items)) },
            Self::Struct { names, fields } => {
                Self::Struct { names: names.clone(), fields: fields.iter().map(empty).collect() }
            }
            Self::Map { keys, values, .. } => {
                Self::Map { bounds: vec![0], keys: Box::new(empty(keys)), values: Box::new(empty(values)) }
            }
        }
    }
}

/// Adds elements if there is memory for them: a table may have more pieces than it has room for results.
fn extend<T>(list: &mut Vec<T>, more: Vec<T>) -> Result<(), String> {
    list.try_reserve(more.len())
        .map_err(|_| "There is no memory for the results of all batches.".to_owned())?;
    list.extend(more);
    Ok(())
}

/// Adds bounds behind the last one, where theirs begin.
fn shifted<T>(bounds: &mut Vec<T>, more: &[T]) -> Result<(), String>
where
    T: Copy + Default + TryFrom<i64>,
    i64: From<T>,
{
    let last = i64::from(bounds.last().copied().unwrap_or_default());
    for &bound in more.iter().skip(1) {
        let moved = T::try_from(last + i64::from(bound));
        bounds.push(
            moved.map_err(|_| {
                "The results are too long for one column. Ask for \"large_string\".".to_owned()
            })?,
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::shifted;

    #[test]
    fn bounds_go_on_where_the_last_one_is() {
        let mut bounds = vec![0_i32, 3];
        assert_eq!(shifted(&mut bounds, &[0, 2, 2, 7]), Ok(()));
        assert_eq!(bounds, [0, 3, 5, 5, 10]);
        assert_eq!(shifted(&mut bounds, &[0]), Ok(()));
        assert_eq!(shifted(&mut bounds, &[0, i32::MAX - 10]), Ok(()));
        assert_eq!(bounds, [0, 3, 5, 5, 10, i32::MAX]);
        assert!(shifted(&mut bounds, &[0, 1]).is_err_and(|error| error.contains("large_string")));
        let mut none = Vec::<i64>::new();
        assert_eq!(shifted(&mut none, &[0, 4]), Ok(()));
        assert_eq!(none, [4]);
    }
}
