//! The column of results that have parts.

use super::bits::BitBuffer;
use super::cells::{ResultCells, ResultColumn, Wanted};
use super::result::{Refused, meter_stop};
use crate::Str;
use crate::convert::convert_within;
use crate::limits::{LimitReached, Meter, RUN};
use crate::types::{ObjectAttribute, Type, unify};
use crate::value::{Repr, Shape, Value};

/// Deepest nesting of the columns of results.
const DEEPEST: u32 = 64;

/// The column of values that have parts.
pub(super) fn gathered(
    values: Vec<Value>,
    wanted: &Wanted,
    meter: &mut Meter,
) -> Result<ResultColumn, Refused> {
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
    let Some(ty) = storable(&ty, 0, meter)? else {
        let name = ty.friendly_name();
        return Err(Refused::All(format!(
            "Results that are {name} can be no column: their parts have no type in common."
        )));
    };
    meter.hold_parts(values.len(), size_of::<Value>() + size_of::<&Value>())?;
    let mut converted = Vec::with_capacity(values.len());
    for value in values {
        meter.go_on(1)?;
        let value = convert_within(&value, &ty, meter).map_err(|error| {
            meter_stop(meter)
                .unwrap_or_else(|| Refused::All(format!("A result can be no cell: {}.", error.reason())))
        })?;
        converted.push(value);
    }
    let mut cells = Vec::with_capacity(converted.len());
    for run in converted.chunks(RUN) {
        meter.go_on(run.len())?;
        cells.extend(run);
    }
    Ok(column(&cells, &ty, *wanted == Wanted::Found, meter)?)
}

/// The type that a column has for values of a type: a tuple becomes a list. `None` if it has none.
pub(super) fn storable(ty: &Type, depth: u32, meter: &mut Meter) -> Result<Option<Type>, LimitReached> {
    if depth > DEEPEST {
        return Ok(None);
    }
    meter.go_on(1)?;
    Ok(match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => Some(ty.clone()),
        Type::List(element) | Type::Set(element) => storable(element, depth + 1, meter)?.map(Type::list),
        Type::Map(element) => storable(element, depth + 1, meter)?.map(Type::map),
        Type::Tuple(tuple) => {
            let elements = tuple.elements();
            let element = if elements.is_empty() { Some(Type::Dynamic) } else { unify(elements) };
            let Some(element) = element else { return Ok(None) };
            storable(&element, depth + 1, meter)?.map(Type::list)
        }
        Type::Object(object) => {
            meter.hold_parts(object.attributes().len(), size_of::<ObjectAttribute>())?;
            let mut attributes = Vec::with_capacity(object.attributes().len());
            for attribute in object.attributes() {
                let Some(ty) = storable(&attribute.ty, depth + 1, meter)? else { return Ok(None) };
                attributes.push(ObjectAttribute::new(attribute.name.clone(), ty));
            }
            Some(Type::object_on(attributes, &mut Some(meter))?)
        }
        Type::Capsule(_) => None,
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
            meter.hold_parts(attributes.len(), size_of::<ResultColumn>() + size_of::<Str>())?;
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
