//! Building a value piece by piece: one handle for a whole tree.

use libc::{c_char, c_void};

use hcl_eval::Str;
use hcl_eval::convert::convert_within;
use hcl_eval::types::Type;
use hcl_eval::value::{Number, Value};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::capsule::Object;
use crate::function::hcl_drop;
use crate::handle::{check_out, get, get_mut, hand_out, release};
use crate::room::{ask_for, ask_to_add, asking};
use crate::status::hcl_status;
use crate::string::text_in;
use crate::types::hcl_type;
use crate::value::{
    HCL_KIND_LIST, HCL_KIND_MAP, HCL_KIND_OBJECT, HCL_KIND_SET, HCL_KIND_TUPLE, hcl_value, number_in,
};

/// Builds one value from the outside in: `begin`, for objects and maps `key` before each element, the elements,
/// `end`, and at last `finish`. Not for several threads at once. Release with `hcl_builder_free`.
///
/// A call that returns an error has changed nothing.
#[derive(Debug, Default)]
pub struct hcl_builder {
    open: Vec<Open>,
    done: Option<Value>,
}

/// A container that is not complete.
#[derive(Debug)]
struct Open {
    kind: u32,
    keys: Vec<Str>,
    /// A key that waits for its element.
    key: Option<Str>,
    values: Vec<Value>,
}

/// The kinds that are built from elements.
const CONTAINERS: [u32; 5] = [HCL_KIND_LIST, HCL_KIND_SET, HCL_KIND_MAP, HCL_KIND_TUPLE, HCL_KIND_OBJECT];

/// How many containers may be open at once.
const MAX_OPEN: usize = 1000;

/// How deep a value may nest that is built of others. Texts that indent their lines grow with the square of it.
const MAX_DEPTH: u32 = 10_000;

/// How much a value may weigh. Values share their parts, so that without this a loop of thirty rounds would build one
/// that no other call could look through.
const MAX_WEIGHT: u64 = 10_000_000;

/// How much memory an element takes, with its key, while a container is closed: in a copy of the list, in a list of pairs, while
/// those are sorted, and in what is made of them.
const BYTES_TO_CLOSE: usize = 4 * size_of::<(Str, Value)>();

impl Open {
    fn is_keyed(&self) -> bool {
        matches!(self.kind, HCL_KIND_MAP | HCL_KIND_OBJECT)
    }

    /// Returns the weight of the finished container.
    fn weight(&self) -> u64 {
        self.values.iter().map(|value| u64::from(value.weight())).sum()
    }

    /// How deep the container will nest.
    fn depth(&self) -> u32 {
        1 + self.values.iter().map(Value::depth).max().unwrap_or(0)
    }

    /// The container's value. HCL_ERR_TYPE: the elements of a list, set or map are of no common type.
    fn close(&self) -> Outcome<Value> {
        ask_for(self.values.len(), BYTES_TO_CLOSE)?;
        let values = self.values.clone();
        let whole = if self.is_keyed() {
            Value::object(self.keys.iter().cloned().zip(values).collect())
        } else {
            Value::tuple(values)
        };
        let target = match self.kind {
            HCL_KIND_LIST => Type::list(Type::Dynamic),
            HCL_KIND_SET => Type::set(Type::Dynamic),
            HCL_KIND_MAP => Type::map(Type::Dynamic),
            _ => return Ok(whole),
        };
        let converted = asking(|meter| convert_within(&whole, &target, meter))?;
        converted.map_err(|_| hcl_status::HCL_ERR_TYPE.into())
    }
}

impl hcl_builder {
    /// Adds a complete value where the next one belongs.
    fn push(&mut self, value: Value) -> Outcome {
        self.check_place()?;
        match self.open.last_mut() {
            None => self.done = Some(value),
            Some(open) => {
                ask_to_add(open.values.len(), size_of::<Value>().max(size_of::<Str>()))?;
                open.keys.extend(open.key.take());
                open.values.push(value);
            }
        }
        Ok(())
    }

    /// An error if no value belongs here: the whole is complete, or an object waits for a key.
    fn check_place(&self) -> Outcome {
        match self.open.last() {
            None if self.done.is_some() => Err(unfit("holds a complete value: call hcl_builder_finish.")),
            Some(open) if open.is_keyed() && open.key.is_none() => {
                Err(unfit("waits for a key: call hcl_builder_key."))
            }
            _ => Ok(()),
        }
    }
}

/// The error of a call that does not follow from those before it.
fn unfit(problem: &str) -> Failure {
    Failure::argument("builder", problem)
}

/// A new builder. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_new(out: *mut *mut hcl_builder) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_builder::default()) };
        Ok(())
    })
}

/// Opens a container: `HCL_KIND_LIST`, `_SET`, `_MAP`, `_TUPLE` or `_OBJECT`.
///
/// HCL_ERR_ARGUMENT: another kind, or no value belongs here (a key is missing, or all is complete).
/// HCL_ERR_LIMIT: 1000 containers are open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_begin(builder: *mut hcl_builder, kind: u32) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let builder = unsafe { get_mut("builder", builder) }?;
        builder.check_place()?;
        if !CONTAINERS.contains(&kind) {
            return Err(Failure::argument("kind", "is no HCL_KIND_… of what has elements."));
        }
        if builder.open.len() >= MAX_OPEN {
            return Err(hcl_status::HCL_ERR_LIMIT.into());
        }
        builder.open.push(Open { kind, keys: Vec::new(), key: None, values: Vec::new() });
        Ok(())
    })
}

/// The key of the next element of the open map or object. Of equal keys the last one counts.
///
/// HCL_ERR_ARGUMENT: no map or object is open, or its last key has no element yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_key(
    builder: *mut hcl_builder,
    key: *const c_char,
    key_len: usize,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let builder = unsafe { get_mut("builder", builder) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let key = unsafe { text_in("key", key, key_len) }?;
        match builder.open.last_mut() {
            Some(open) if open.is_keyed() && open.key.is_none() => open.key = Some(Str::new(key)),
            Some(open) if open.is_keyed() => return Err(unfit("has a key that waits for its element.")),
            _ => return Err(unfit("has no map or object open.")),
        }
        Ok(())
    })
}

/// Closes the container opened last.
///
/// HCL_ERR_ARGUMENT: none is open, or a key has no element. HCL_ERR_TYPE: the elements of a list, set or map have no
/// common type. HCL_ERR_LIMIT: with all that is inside, values used twice counted twice, it would have more than
/// 10,000,000 elements, or nest deeper than 10,000 levels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_end(builder: *mut hcl_builder) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let builder = unsafe { get_mut("builder", builder) }?;
        let whole = match builder.open.last() {
            Some(open) if open.weight() > MAX_WEIGHT || open.depth() > MAX_DEPTH => {
                return Err(hcl_status::HCL_ERR_LIMIT.into());
            }
            Some(open) if open.key.is_none() => open.close()?,
            Some(_) => return Err(unfit("has a key that waits for its element.")),
            None => return Err(unfit("has nothing open.")),
        };
        let closed = builder.open.pop();
        let pushed = builder.push(whole);
        if pushed.is_err() {
            builder.open.extend(closed);
        }
        pushed
    })
}

/// Pushes what `value` makes.
///
/// # Safety
/// `builder` is null or live and unshared.
unsafe fn push(builder: *mut hcl_builder, value: impl FnOnce() -> Outcome<Value>) -> hcl_status {
    guard(|| {
        // SAFETY: passed on.
        let builder = unsafe { get_mut("builder", builder) }?;
        builder.push(value()?)
    })
}

/// Adds a value; the builder takes a reference of its own. HCL_ERR_ARGUMENT as for `hcl_builder_begin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_value(builder: *mut hcl_builder, value: *const hcl_value) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    let same = || Ok(unsafe { get("value", value) }?.value().clone());
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, same) }
}

/// Adds a null of no particular type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_null(builder: *mut hcl_builder) -> hcl_status {
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, || Ok(Value::null(Type::Dynamic))) }
}

/// Adds `true` or `false`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_bool(builder: *mut hcl_builder, value: bool) -> hcl_status {
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, || Ok(Value::bool(value))) }
}

/// Adds a whole number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_i64(builder: *mut hcl_builder, value: i64) -> hcl_status {
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, || Ok(Value::int(value))) }
}

/// Adds a whole number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_u64(builder: *mut hcl_builder, value: u64) -> hcl_status {
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, || Ok(Value::number(Number::from_u64(value)))) }
}

/// Adds a number of any size and precision, as `hcl_value_number` makes it. HCL_ERR_RANGE: the text is no number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_number(
    builder: *mut hcl_builder,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let number = || unsafe { number_in(text, text_len) };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, number) }
}

/// Adds an object of the host, as `hcl_value_capsule` makes a value of it: from this call on `drop` is called once, also if the
/// call fails. HCL_ERR_TYPE: `ty` is no type of `hcl_type_capsule`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_capsule(
    builder: *mut hcl_builder,
    ty: *const hcl_type,
    pointer: *mut c_void,
    drop: hcl_drop,
) -> hcl_status {
    // The object is owned from here on, so that every way out releases it.
    let object = Object::new(pointer, drop);
    // SAFETY: null or live, by the contract of the interface.
    let capsule = || unsafe { object.into_value(ty) };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, capsule) }
}

/// Adds the number that a double is. HCL_ERR_RANGE: it is not a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_f64(builder: *mut hcl_builder, value: f64) -> hcl_status {
    let number = || Ok(Value::number(Number::from_f64(value).ok_or(hcl_status::HCL_ERR_RANGE)?));
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, number) }
}

/// Adds a text, which is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_string(
    builder: *mut hcl_builder,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let string = || Ok(Value::string(unsafe { text_in("text", text, text_len) }?));
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { push(builder, string) }
}

/// The finished value; the builder is then empty and can build the next one. `*out` is owned.
///
/// HCL_ERR_ARGUMENT: a container is open, or nothing was built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_finish(
    builder: *mut hcl_builder,
    out: *mut *mut hcl_value,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live and unshared, by the contract of the interface.
        let builder = unsafe { get_mut("builder", builder) }?;
        let complete = builder.open.is_empty().then(|| builder.done.take()).flatten();
        let value = complete.ok_or_else(|| unfit("holds no complete value."))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(value)) };
        Ok(())
    })
}

/// Releases a builder and what it holds. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_builder_free(builder: *mut hcl_builder) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(builder) });
}
