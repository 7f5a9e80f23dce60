//! Static forms: expressions taken literally, without evaluating them.

use std::ptr;

use hcl_syntax::config::{ConfigExpression, StaticCall};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::expression::hcl_expr;
use crate::handle::{check_out, get, hand_out, release};
use crate::room::ask_for;
use crate::status::hcl_status;
use crate::string::hcl_str;

/// `hcl_expr_static`: a function call, for example `list(string)`; in JSON syntax a string that holds one.
pub const HCL_STATIC_CALL: u32 = 1;
/// `hcl_expr_static`: a tuple that is written out, for example `[a.b, c]`, or a JSON array.
pub const HCL_STATIC_LIST: u32 = 2;
/// `hcl_expr_static`: an object that is written out, for example `{ aws = aws.west }`, or a JSON object. Pairs are kept
/// as written, also several of one key.
pub const HCL_STATIC_MAP: u32 = 3;
/// `hcl_expr_static`: nothing but a name, for example `string`, or `true`, `false`, `null`; in JSON syntax a string that
/// holds a name.
pub const HCL_STATIC_KEYWORD: u32 = 4;

/// An expression taken literally. Immutable; use it from any thread. Release with `hcl_static_free`.
#[derive(Debug)]
pub struct hcl_static {
    name: Box<str>,
    keys: Box<[hcl_expr]>,
    items: Box<[hcl_expr]>,
}

fn handles(expressions: Vec<ConfigExpression>) -> Box<[hcl_expr]> {
    expressions.into_iter().map(hcl_expr::new).collect()
}

/// How much memory a pair takes, in the list of the engine and in two of handles: 96 bytes where an expression has 24. An element
/// takes 24.
const BYTES_OF_PART: usize = 4 * size_of::<hcl_expr>();

fn taken(expression: &ConfigExpression, kind: u32) -> Outcome<hcl_static> {
    ask_for(expression.n_static_parts(), BYTES_OF_PART)?;
    let found =
        match kind {
            HCL_STATIC_CALL => expression.static_call().map(|StaticCall { name, arguments, .. }| {
                hcl_static { name: name.into(), keys: Box::default(), items: handles(arguments) }
            }),
            HCL_STATIC_LIST => expression.static_list().map(|elements| hcl_static {
                name: Box::default(),
                keys: Box::default(),
                items: handles(elements),
            }),
            HCL_STATIC_MAP => expression.static_map().map(|pairs| {
                let (keys, values) = pairs.into_iter().unzip();
                hcl_static { name: Box::default(), keys: handles(keys), items: handles(values) }
            }),
            HCL_STATIC_KEYWORD => expression.keyword().map(|name| hcl_static {
                name: name.into(),
                keys: Box::default(),
                items: Box::default(),
            }),
            _ => return Err(Failure::argument("kind", "is no HCL_STATIC_….")),
        };
    found.ok_or_else(|| hcl_status::HCL_ERR_TYPE.into())
}

/// Takes an expression literally: as a call, a list, a map or a keyword, `HCL_STATIC_…`. Parentheses, conditionals and
/// templates are never looked through. For references there is `hcl_expr_static_traversal`.
///
/// HCL_ERR_TYPE: the expression is something else. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_static(
    expr: *const hcl_expr,
    kind: u32,
    out: *mut *mut hcl_static,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let form = taken(unsafe { get("expr", expr) }?.config(), kind)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, form) };
        Ok(())
    })
}

/// The name of a call, its parts joined by `::`, or the keyword; borrowed. Empty for lists and maps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_static_name(form: *const hcl_static) -> hcl_str {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(hcl_str::EMPTY, || unsafe { form.as_ref() }.map_or(hcl_str::EMPTY, |form| (&*form.name).into()))
}

/// The number of arguments, elements or pairs. Null counts as none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_static_count(form: *const hcl_static) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { form.as_ref() }.map_or(0, |form| form.items.len()))
}

/// The argument, element or value at `index`, borrowed; null when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_static_at(form: *const hcl_static, index: usize) -> *const hcl_expr {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { form.as_ref() }.and_then(|form| form.items.get(index)).map_or(ptr::null(), ptr::from_ref)
    })
}

/// The key of the pair at `index` of a map, borrowed; null when there are not that many pairs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_static_key(form: *const hcl_static, index: usize) -> *const hcl_expr {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { form.as_ref() }.and_then(|form| form.keys.get(index)).map_or(ptr::null(), ptr::from_ref)
    })
}

/// Releases a static form and the expressions borrowed from it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_static_free(form: *mut hcl_static) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(form) });
}
