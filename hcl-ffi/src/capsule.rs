//! Capsules: objects of the host as values that HCL passes around unseen.

use libc::{c_char, c_void};
use std::sync::Arc;

use hcl_eval::types::{CapsuleType, Type};
use hcl_eval::value::Value;

use crate::boundary::{Failure, Outcome, guard};
use crate::function::hcl_drop;
use crate::handle::{check_out, get, hand_out, put};
use crate::stack::on_own;
use crate::status::hcl_status;
use crate::string::shown_in;
use crate::types::hcl_type;
use crate::value::{check_readable, hcl_value};

/// An object of the host, which it releases when it goes.
#[derive(Debug)]
pub(crate) struct Object {
    pointer: *mut c_void,
    drop: hcl_drop,
}

impl Object {
    pub(crate) fn new(pointer: *mut c_void, drop: hcl_drop) -> Self {
        Self { pointer, drop }
    }

    /// The object as a value of a type of capsules.
    ///
    /// # Safety
    /// `ty` is null or live.
    pub(crate) unsafe fn into_value(self, ty: *const hcl_type) -> Outcome<Value> {
        // SAFETY: passed on.
        let ty = capsule_type(unsafe { get("ty", ty) }?)?;
        Ok(Value::capsule(ty.clone(), Arc::new(self)))
    }
}

// SAFETY: nothing here looks behind the pointer; the host promises that it may be released on any thread.
unsafe impl Send for Object {}
// SAFETY: as above.
unsafe impl Sync for Object {}

impl Drop for Object {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: called once, with the pointer that the host gave for it.
            on_own(|| unsafe { drop(self.pointer) });
        }
    }
}

/// A type of objects of the host, called `name` in messages. It is equal to itself only: make it once, and keep it. `*out` is
/// owned. HCL_ERR_ARGUMENT: the name is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_capsule(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut hcl_type,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { shown_in("name", name, name_len) }?;
        if name.is_empty() {
            return Err(Failure::argument("name", "is empty."));
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_type::new(Type::Capsule(CapsuleType::new(&*name)))) };
        Ok(())
    })
}

fn capsule_type(ty: &hcl_type) -> Outcome<&CapsuleType> {
    match &ty.0 {
        Type::Capsule(capsule) => Ok(capsule),
        _ => Err(hcl_status::HCL_ERR_TYPE.into()),
    }
}

/// An object of the host as a value of a type of `hcl_type_capsule`. Expressions pass it on, a function of the host gets it
/// as it is (`hcl_value_as_capsule`), `==` compares whether it is the same value, and it converts to no other type. `*out` is
/// owned.
///
/// From this call on `drop`, which may be null, is called once with `pointer`, whatever becomes of the call: when the last
/// reference to the value goes, on whatever thread that is, or at once if the call fails. HCL_ERR_TYPE: `ty` is of another kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_capsule(
    ty: *const hcl_type,
    pointer: *mut c_void,
    drop: hcl_drop,
    out: *mut *mut hcl_value,
) -> hcl_status {
    // The object is owned from here on, so that every way out releases it.
    let object = Object::new(pointer, drop);
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { object.into_value(ty) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(value)) };
        Ok(())
    })
}

/// The object in a value of `hcl_value_capsule`; it lives at least as long as the value. HCL_ERR_TYPE: the value is none, or of
/// another type than `ty`. HCL_ERR_UNKNOWN, HCL_ERR_MARKED: as for `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_capsule(
    value: *const hcl_value,
    ty: *const hcl_type,
    out: *mut *mut c_void,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        // SAFETY: as above.
        let ty = capsule_type(unsafe { get("ty", ty) }?)?;
        check_readable(value)?;
        let capsule = value.as_capsule().filter(|capsule| capsule.ty() == ty);
        let object = capsule.and_then(|capsule| capsule.downcast_ref::<Object>());
        let pointer = object.ok_or(hcl_status::HCL_ERR_TYPE)?.pointer;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, pointer) };
        Ok(())
    })
}
