//! The functions of a product as a list, for help texts and completion.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::function::{Function, Parameter};
use hcl_eval::host::Capability;
use hcl_syntax::sorting::sort_by;

use crate::boundary::{Outcome, guard, guard_or};
use crate::extensible_struct;
use crate::function::{
    HCL_FUNCTION_PURE, HCL_PARAM_DYNAMIC, HCL_PARAM_MARKED, HCL_PARAM_NULL, HCL_PARAM_UNKNOWN,
    HCL_PARAM_VARIADIC,
};
use crate::handle::{check_out, get, hand_out, put, release};
use crate::scope::library;
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};

/// The functions of a product with how they are called. Immutable; use it from any thread. Counted:
/// `hcl_functions_ref`. Release with `hcl_functions_free`.
#[derive(Debug)]
pub struct hcl_functions {
    entries: Arc<[Entry]>,
}

/// A function with the texts that are made for it.
#[derive(Debug)]
struct Entry {
    name: String,
    signature: String,
    result_type: String,
    parameter_types: Vec<String>,
    function: Arc<Function>,
}

impl Entry {
    fn new(name: &str, function: &Arc<Function>) -> Self {
        Self {
            name: name.to_owned(),
            signature: function.signature_as(name),
            result_type: function.declared_result().to_type_text(),
            parameter_types: function.all_parameters().map(Parameter::type_text).collect(),
            function: Arc::clone(function),
        }
    }
}

/// The facts about a function that need no call. Set `size` to `sizeof(hcl_function_info)` before passing it; the
/// texts are borrowed from the list.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_function_info {
    /// `sizeof(hcl_function_info)`, set by the caller.
    pub size: usize,
    /// The name it is called by, with `::` between parts if it has several.
    pub name: hcl_str,
    /// One sentence on what it does.
    pub description: hcl_str,
    /// How it is called, for example `join(separator: string, lists: list(string)...) -> string`.
    pub signature: hcl_str,
    /// The type of its results as a type expression; `any` when it depends on the arguments.
    pub result_type: hcl_str,
    /// The capability that it asks the host for: `fs`, `env`, `clock`, `random` or `network`; empty for none.
    pub asks_for: hcl_str,
    /// The number of parameters: `hcl_functions_param`.
    pub n_params: usize,
    /// `HCL_FUNCTION_PURE`, or 0.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
}

/// A parameter of a function of a list. Set `size` to `sizeof(hcl_param_info)` before passing it; the texts are
/// borrowed from the list.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_param_info {
    /// `sizeof(hcl_param_info)`, set by the caller.
    pub size: usize,
    /// The name, as messages show it.
    pub name: hcl_str,
    /// One sentence on what it is for.
    pub description: hcl_str,
    /// The type as a type expression; `any` for no constraint.
    pub type_text: hcl_str,
    /// `HCL_PARAM_…`, joined by `|`; the last parameter may have `HCL_PARAM_VARIADIC`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
}

/// The functions of a product, `HCL_BUILTINS_…`, sorted by name; `*out` is owned. Names in a namespace, such as
/// `core::upper`, are listed like all others; functions that the library was built without are not there.
/// HCL_ERR_NOT_FOUND: there is no such library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_of(builtins: u32, out: *mut *mut hcl_functions) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        let table = library(builtins)?;
        let mut entries: Vec<Entry> =
            table.iter().map(|(name, function)| Entry::new(name, function)).collect();
        sort_by(&mut entries, |a, b| a.name.cmp(&b.name));
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_functions { entries: entries.into() }) };
        Ok(())
    })
}

/// Another owned handle to the same list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_ref(
    functions: *const hcl_functions,
    out: *mut *mut hcl_functions,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let entries = Arc::clone(&unsafe { get("functions", functions) }?.entries);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_functions { entries }) };
        Ok(())
    })
}

/// Releases a handle. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_free(functions: *mut hcl_functions) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(functions) });
}

/// The number of functions. Null counts as none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_count(functions: *const hcl_functions) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { functions.as_ref() }.map_or(0, |functions| functions.entries.len()))
}

/// The index of the function of that name. HCL_ERR_NOT_FOUND: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_find(
    functions: *const hcl_functions,
    name: *const c_char,
    name_len: usize,
    index: *mut usize,
) -> hcl_status {
    guard(|| {
        check_out("index", index)?;
        // SAFETY: null or live, by the contract of the interface.
        let functions = unsafe { get("functions", functions) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len) }?;
        let found = functions.entries.binary_search_by(|entry| entry.name.as_str().cmp(name));
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(index, found.map_err(|_| hcl_status::HCL_ERR_NOT_FOUND)?) };
        Ok(())
    })
}

/// The index of the first function whose name is not less than `text`, for completion: names that begin with `text`
/// stand side by side from there on. The number of functions when there is none; 0 when `text` is no UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_from(
    functions: *const hcl_functions,
    text: *const c_char,
    text_len: usize,
) -> usize {
    guard_or(0, || {
        // SAFETY: null or live, by the contract of the interface.
        let Some(functions) = (unsafe { functions.as_ref() }) else { return 0 };
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in("text", text, text_len) }.unwrap_or("");
        functions.entries.partition_point(|entry| entry.name.as_str() < text)
    })
}

/// # Safety
/// `functions` is null or live for `'a`.
unsafe fn entry<'a>(functions: *const hcl_functions, index: usize) -> Outcome<&'a Entry> {
    // SAFETY: passed on.
    let functions = unsafe { get("functions", functions) }?;
    Ok(functions.entries.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?)
}

/// The function at `index`. HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_get(
    functions: *const hcl_functions,
    index: usize,
    out: *mut hcl_function_info,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live, by the contract of the interface.
        let entry = unsafe { entry(functions, index) }?;
        let fields = hcl_function_info {
            size: size_of::<hcl_function_info>(),
            name: hcl_str::from(entry.name.as_str()),
            description: hcl_str::from(entry.function.description()),
            signature: hcl_str::from(entry.signature.as_str()),
            result_type: hcl_str::from(entry.result_type.as_str()),
            asks_for: entry.function.needed_capability().map_or(hcl_str::EMPTY, asks_for),
            n_params: entry.parameter_types.len(),
            flags: if entry.function.is_pure() { HCL_FUNCTION_PURE } else { 0 },
            reserved: 0,
        };
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &fields) }
    })
}

fn asks_for(capability: Capability) -> hcl_str {
    hcl_str::from(capability.as_str())
}

/// A parameter of the function at `index`. HCL_ERR_RANGE: there are not that many functions or parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_functions_param(
    functions: *const hcl_functions,
    index: usize,
    param_index: usize,
    out: *mut hcl_param_info,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live, by the contract of the interface.
        let entry = unsafe { entry(functions, index) }?;
        let parameter = entry.function.all_parameters().nth(param_index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        let ty = entry.parameter_types.get(param_index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        let flags = [
            (parameter.allow_null, HCL_PARAM_NULL),
            (parameter.allow_unknown, HCL_PARAM_UNKNOWN),
            (parameter.allow_dynamic, HCL_PARAM_DYNAMIC),
            (parameter.allow_marked, HCL_PARAM_MARKED),
            (param_index == entry.function.parameters().len(), HCL_PARAM_VARIADIC),
        ];
        let fields = hcl_param_info {
            size: size_of::<hcl_param_info>(),
            name: hcl_str::from(parameter.name.as_str()),
            description: hcl_str::from(&*parameter.description),
            type_text: hcl_str::from(ty.as_str()),
            flags: flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum(),
            reserved: 0,
        };
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &fields) }
    })
}
