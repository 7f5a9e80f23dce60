//! Scopes: what names mean.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{Scope, ScopeBuilder};
use hcl_eval::function::FunctionTable;

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::extensible_struct;
use crate::function::{self, hcl_function};
use crate::handle::{check_out, get, get_mut, hand_out, put, release};
use crate::room::ask_to_add;
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::value::hcl_value;

/// The meaning of names: variables, slots and functions, with an outer scope or none.
///
/// A scope is filled by one thread, then sealed with `hcl_scope_seal`; from then on it is immutable, may be used
/// from any thread, and can be compiled against. Counted: `hcl_scope_ref`. Release with `hcl_scope_free`.
#[derive(Debug)]
pub struct hcl_scope {
    state: State,
}

#[derive(Debug)]
enum State {
    Open(Box<ScopeBuilder>),
    Sealed(Arc<Scope>),
}

/// How much memory a name takes in a list of meanings, and less in the other lists and tables of a scope.
const BYTES_OF_ENTRY: usize = 128;

impl hcl_scope {
    /// A scope that is sealed from the beginning.
    pub(crate) fn of(scope: Arc<Scope>) -> Self {
        Self { state: State::Sealed(scope) }
    }

    /// The sealed scope, which came in as the parameter `what`.
    pub(crate) fn sealed(&self, what: &str) -> Outcome<&Arc<Scope>> {
        match &self.state {
            State::Sealed(scope) => Ok(scope),
            State::Open(_) => Err(Failure::argument(what, "is not sealed yet: call hcl_scope_seal first.")),
        }
    }

    /// Changes the scope while it is open.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(ScopeBuilder) -> (ScopeBuilder, T)) -> Outcome<T> {
        match &mut self.state {
            State::Sealed(_) => Err(Failure::argument("scope", "is sealed, and does not change any more.")),
            State::Open(builder) => {
                for n in builder.lengths() {
                    ask_to_add(n, BYTES_OF_ENTRY)?;
                }
                let (changed, answer) = change(std::mem::replace(&mut **builder, Scope::builder()));
                **builder = changed;
                Ok(answer)
            }
        }
    }
}

/// A new, open scope inside `parent`, which must be sealed; `parent` may be null. Names that the new scope does not
/// know are looked up in the parent. `*out` is owned. HCL_ERR_ARGUMENT: the parent is not sealed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_new(parent: *const hcl_scope, out: *mut *mut hcl_scope) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        let mut builder = Scope::builder().variables_allowed().functions_allowed();
        // SAFETY: null or live, by the contract of the interface.
        if let Some(parent) = unsafe { parent.as_ref() } {
            builder = builder.parent(Arc::clone(parent.sealed("parent")?));
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_scope { state: State::Open(Box::new(builder)) }) };
        Ok(())
    })
}

/// Declares a slot: a root name (`request`) or a static path (`each.key`) whose value a frame gives. `*slot` is its
/// index in frames; declaring it again gives the same index.
///
/// A traversal that begins with the path reads the slot, of several paths the longest. An expression that uses the
/// root as a whole needs a slot for the root. Slots of a parent keep their indices; those declared here follow. What is no
/// name or path of names can be declared, but no expression comes to it. HCL_ERR_ARGUMENT: the scope is sealed, or the name
/// is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_slot(
    scope: *mut hcl_scope,
    name: *const c_char,
    name_len: usize,
    slot: *mut usize,
) -> hcl_status {
    guard(|| {
        check_out("slot", slot)?;
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { name_in(name, name_len) }?;
        let index = scope.change(|mut builder| {
            let index = builder.slot(name);
            (builder, index)
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(slot, index) };
        Ok(())
    })
}

/// A name coming in: text that is not empty.
///
/// # Safety
/// As for [`text_in`].
unsafe fn name_in<'a>(name: *const c_char, len: usize) -> Outcome<&'a str> {
    // SAFETY: passed on.
    let name = unsafe { text_in("name", name, len) }?;
    if name.is_empty() { Err(Failure::argument("name", "is empty.")) } else { Ok(name) }
}

/// Gives a root name a value that never changes; for `a.b` to mean something, `a` is an object. The scope takes a reference
/// of its own. A constant defined again is replaced. HCL_ERR_ARGUMENT: the scope is sealed, or the name is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_const(
    scope: *mut hcl_scope,
    name: *const c_char,
    name_len: usize,
    value: *const hcl_value,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { name_in(name, name_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?;
        scope.change(|builder| (builder.variable(name, value.value().clone()), ()))
    })
}

/// The functions of HCL itself.
pub const HCL_BUILTINS_HCL: u32 = 0;
/// The functions of Terraform.
pub const HCL_BUILTINS_TERRAFORM: u32 = 1;
/// The functions of OpenTofu.
pub const HCL_BUILTINS_OPENTOFU: u32 = 2;
/// The functions of Packer.
pub const HCL_BUILTINS_PACKER: u32 = 3;
/// The functions of Nomad.
pub const HCL_BUILTINS_NOMAD: u32 = 4;
/// The function of Packer in the defaults of variables: `env`.
pub const HCL_BUILTINS_PACKER_DEFAULTS: u32 = 5;
/// The functions of Terraform 1.11; HCL_BUILTINS_TERRAFORM has those of the newest release.
pub const HCL_BUILTINS_TERRAFORM_1_11: u32 = 6;

/// The function library of a number.
pub(crate) fn library(number: u32) -> Outcome<Arc<FunctionTable>> {
    Ok(match number {
        HCL_BUILTINS_HCL => dialect::hcl(),
        HCL_BUILTINS_TERRAFORM => dialect::terraform(),
        HCL_BUILTINS_OPENTOFU => dialect::opentofu(),
        HCL_BUILTINS_PACKER => dialect::packer(),
        HCL_BUILTINS_NOMAD => dialect::nomad(),
        HCL_BUILTINS_PACKER_DEFAULTS => dialect::packer_defaults(),
        HCL_BUILTINS_TERRAFORM_1_11 => dialect::terraform_1_11(),
        _ => return Err(hcl_status::HCL_ERR_NOT_FOUND.into()),
    })
}

/// Adds the function library of a product: `HCL_BUILTINS_…`. Functions added later win over those of the same name. Those
/// that the library was built without are not there.
/// HCL_ERR_ARGUMENT: the scope is sealed. HCL_ERR_NOT_FOUND: there is no such library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_builtins(scope: *mut hcl_scope, library: u32) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        let table = self::library(library)?;
        scope.change(|builder| (builder.functions(table), ()))
    })
}

/// Adds the function library of a dialect by its name, such as `terraform`, `packer-1.13` or `nomad`, and takes its rule for
/// names that mean nothing: `nomad` sets HCL_SCOPE_RUNTIME_REFERENCES. `hcl_dialect_name` lists the names. HCL_ERR_ARGUMENT:
/// the scope is sealed. HCL_ERR_NOT_FOUND: there is no such dialect; the scope is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_dialect(
    scope: *mut hcl_scope,
    name: *const c_char,
    name_len: usize,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { name_in(name, name_len) }?;
        if dialect::by_name(name).is_none() {
            return Err(hcl_status::HCL_ERR_NOT_FOUND.into());
        }
        scope.change(|builder| (builder.dialect(name).unwrap_or_else(Scope::builder), ()))
    })
}

/// The name of a dialect for `hcl_scope_dialect`, such as `terraform-1.11`. `index` counts from 0; beyond the last dialect the
/// name is empty. Each product's newest release comes first, its releases in order behind it. Static; any thread, any time.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_dialect_name(index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || dialect::names().nth(index).map_or(hcl_str::EMPTY, hcl_str::from))
}

/// References to names that mean nothing are texts for another program: `node.x` is the known string `${node.x}`, and everything
/// around it works on that string. `var` and `local` are never such references. That is the rule of Nomad's jobs.
pub const HCL_SCOPE_RUNTIME_REFERENCES: u32 = 1;
/// Interpolations that use names which mean nothing stay as they are written, and other references become such interpolations.
pub const HCL_SCOPE_LEAVE_UNKNOWN: u32 = 2;

/// Says what becomes of references to names that mean nothing, in this scope and in those inside it that do not say otherwise:
/// one of `HCL_SCOPE_…`. Without it they are errors. HCL_ERR_ARGUMENT: the scope is sealed, or the flag is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_flags(scope: *mut hcl_scope, flags: u32) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        match flags {
            HCL_SCOPE_RUNTIME_REFERENCES => scope.change(|builder| (builder.runtime_references(), ())),
            HCL_SCOPE_LEAVE_UNKNOWN => scope.change(|builder| (builder.leave_unknown_interpolations(), ())),
            _ => Err(Failure::argument(
                "flags",
                "is neither HCL_SCOPE_RUNTIME_REFERENCES nor HCL_SCOPE_LEAVE_UNKNOWN.",
            )),
        }
    })
}

/// Adds a function of the host. The struct and its texts are copied.
///
/// From this call on `function->drop_user` is called once, whatever becomes of the call: when the last scope that
/// holds the function goes, on whatever thread that is, or at once if the call fails. Of a struct whose `size` is wrong, or that
/// sets a field the library does not know, nothing is used, `drop_user` neither.
/// HCL_ERR_ARGUMENT: the scope is sealed, or the struct is wrong; HCL_ERR_TYPE: a type in it is no type; HCL_ERR_LIMIT: one
/// reaches a limit (`hcl_type_parse`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_function(
    scope: *mut hcl_scope,
    function: *const hcl_function,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let fields: hcl_function = unsafe { extensible_struct::take("function", function) }?;
        // The user data is owned from here on, so that every way out releases it.
        let host = function::HostFunction::new(&fields);
        extensible_struct::check_reserved("function", &fields)?;
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        // SAFETY: texts and parameters of the caller, readable as the interface asks.
        let function = unsafe { function::build(&fields, host) }?;
        scope.change(|builder| (builder.function(function), ()))
    })
}

/// Seals a scope: it can no longer be changed, and can be used. Sealing again does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_seal(scope: *mut hcl_scope) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        if let State::Open(builder) = &mut scope.state {
            let builder = std::mem::replace(&mut **builder, Scope::builder());
            scope.state = State::Sealed(builder.build());
        }
        Ok(())
    })
}

/// Another owned handle to a sealed scope. HCL_ERR_ARGUMENT: it is not sealed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_ref(scope: *const hcl_scope, out: *mut *mut hcl_scope) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let sealed = Arc::clone(unsafe { get("scope", scope) }?.sealed("scope")?);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_scope { state: State::Sealed(sealed) }) };
        Ok(())
    })
}

/// Releases a handle. Programs, frames and inner scopes keep what they need. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_free(scope: *mut hcl_scope) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(scope) });
}
