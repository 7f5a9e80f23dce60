//! Functions of the host: C callbacks as functions of the language.

use libc::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hcl_eval::function::{Function, FunctionError, Invocation, Parameter};
use hcl_eval::types::Type;
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::value::{Number, Value};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::handle::{check_out, get, get_mut, put};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::value::{check_readable, hcl_value};

/// `hcl_param.flags`: null is passed on; without it null is an error.
pub const HCL_PARAM_NULL: u32 = 1;
/// `hcl_param.flags`: unknown values are passed on; without it they make the result unknown and nothing is called.
pub const HCL_PARAM_UNKNOWN: u32 = 2;
/// `hcl_param.flags`: marks are passed on; without it they are taken off and put on the result.
pub const HCL_PARAM_MARKED: u32 = 4;
/// `hcl_param.flags`: takes all further arguments, possibly none; only for the last parameter.
pub const HCL_PARAM_VARIADIC: u32 = 8;

/// A parameter of a host function. Arguments are converted to its type before the call.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_param {
    /// The name, for messages.
    pub name: hcl_str,
    /// The type as a type expression, for example `list(string)`; empty for any.
    pub type_text: hcl_str,
    /// `HCL_PARAM_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
}

/// `hcl_function.flags`: equal arguments give equal results and nothing else happens, so calls with constant
/// arguments may be made once, when a program is compiled.
pub const HCL_FUNCTION_PURE: u32 = 1;
/// `hcl_function.flags`: may be called by several threads at once. Without it the library makes one call at a time.
pub const HCL_FUNCTION_THREADED: u32 = 2;

/// What a host function does. Returns 0 after `hcl_call_return…`, anything else when it failed (say why with
/// `hcl_call_fail`). `user` is the function's user data. `call` is valid until the callback returns.
///
/// Runs on the thread of the evaluation, inside it. Must not `longjmp` or throw out of the callback.
pub type hcl_callback = Option<unsafe extern "C" fn(user: *mut c_void, call: *mut hcl_call) -> i32>;

/// Releases user data.
pub type hcl_drop = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// A function of the host. Set `size` to `sizeof(hcl_function)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_function {
    /// `sizeof(hcl_function)`, set by the caller.
    pub size: usize,
    /// The name it is called by, with `::` between parts if it has several.
    pub name: hcl_str,
    /// One line on what it does; may be empty.
    pub description: hcl_str,
    /// The parameters; null when there are none.
    pub params: *const hcl_param,
    /// How many parameters.
    pub n_params: usize,
    /// The type of its results as a type expression; empty for any. Results are converted to it.
    pub result_type: hcl_str,
    /// `HCL_FUNCTION_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// What it does.
    pub call: hcl_callback,
    /// Passed to `call` and `drop_user`.
    pub user: *mut c_void,
    /// Releases `user`; may be null.
    pub drop_user: hcl_drop,
}

/// A call in progress; only inside the callback that it was passed to.
#[derive(Debug)]
pub struct hcl_call {
    arguments: *const [Value],
    cancelled: bool,
    result: Option<Value>,
    failure: Option<(Option<usize>, String)>,
}

/// The callback with its user data, which it releases when it goes.
#[derive(Debug)]
pub(crate) struct HostFunction {
    call: hcl_callback,
    user: *mut c_void,
    drop_user: hcl_drop,
    /// Held while the callback runs, unless it may run on several threads at once.
    turn: Option<Turn>,
}

// SAFETY: the host promises that `user` may be used and released on any thread; calls are serialised unless it
// declared the function fit for several threads.
unsafe impl Send for HostFunction {}
// SAFETY: as above.
unsafe impl Sync for HostFunction {}

impl Drop for HostFunction {
    fn drop(&mut self) {
        if let Some(drop_user) = self.drop_user {
            // SAFETY: called once, with the pointer that the host gave for it.
            unsafe { drop_user(self.user) };
        }
    }
}

/// Lets one thread in at a time, and notices when that thread comes again.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    lock: Mutex<()>,
    /// The number of the thread inside, 0 for none.
    owner: AtomicU64,
}

/// A number for the current thread, never 0.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

impl Turn {
    /// Runs `body` alone; `None` when the thread is inside already.
    pub(crate) fn take<T>(&self, body: impl FnOnce() -> T) -> Option<T> {
        let me = thread_number();
        if self.owner.load(Ordering::Relaxed) == me {
            return None;
        }
        let held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.owner.store(me, Ordering::Relaxed);
        let answer = body();
        self.owner.store(0, Ordering::Relaxed);
        drop(held);
        Some(answer)
    }
}

impl HostFunction {
    pub(crate) fn new(fields: &hcl_function) -> Self {
        let threaded = fields.flags & HCL_FUNCTION_THREADED != 0;
        let turn = (!threaded).then(Turn::default);
        Self { call: fields.call, user: fields.user, drop_user: fields.drop_user, turn }
    }

    fn run(&self, invocation: &mut Invocation<'_>, arguments: &[Value]) -> Result<Value, FunctionError> {
        let Some(callback) = self.call else {
            return Err(FunctionError::new("the function has no callback"));
        };
        let cancel = invocation.meter().limits().cancel.as_ref();
        let cancelled = cancel.is_some_and(hcl_eval::limits::CancelToken::is_triggered);
        let mut call = hcl_call::new(arguments, cancelled);
        // SAFETY: the callback was given with this user data; the call outlives it.
        let mut enter = || unsafe { callback(self.user, &raw mut call) };
        let status = match &self.turn {
            None => enter(),
            Some(turn) => turn.take(enter).ok_or_else(|| {
                FunctionError::new(
                    "the function called itself through another evaluation, which it does not allow",
                )
            })?,
        };
        call.outcome(status)
    }
}

impl hcl_call {
    /// A call with arguments that outlive it.
    pub(crate) fn new(arguments: &[Value], cancelled: bool) -> Self {
        Self { arguments: ptr::from_ref(arguments), cancelled, result: None, failure: None }
    }

    /// What the callback said of its failure.
    pub(crate) fn failure_text(self) -> Option<String> {
        self.failure.map(|(_, detail)| detail)
    }

    pub(crate) fn outcome(self, status: i32) -> Result<Value, FunctionError> {
        if let Some((argument, detail)) = self.failure {
            return Err(FunctionError { argument, ..FunctionError::new(detail) });
        }
        if status != 0 {
            let name = hcl_status::name_of(status);
            return Err(FunctionError::new(format!(
                "the host's function failed with status {status}, {name}"
            )));
        }
        self.result.ok_or_else(|| FunctionError::new("the host's function succeeded without a result"))
    }

    fn argument(&self, index: usize) -> Outcome<&Value> {
        // SAFETY: the arguments outlive the call, which lives only inside its callback.
        let arguments = unsafe { &*self.arguments };
        Ok(arguments.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?)
    }

    /// An argument that may be read.
    fn readable(&self, index: usize) -> Outcome<&Value> {
        let argument = self.argument(index)?;
        check_readable(argument)?;
        Ok(argument)
    }
}

/// A text inside a struct of the caller.
///
/// # Safety
/// As for [`text_in`].
unsafe fn field<'a>(what: &str, text: hcl_str) -> Outcome<&'a str> {
    // SAFETY: passed on.
    unsafe { text_in(what, text.ptr, text.len) }
}

/// # Safety
/// As for [`text_in`].
unsafe fn type_field(what: &str, text: hcl_str) -> Outcome<Type> {
    // SAFETY: passed on.
    let text = unsafe { field(what, text) }?;
    if text.is_empty() {
        return Ok(Type::Dynamic);
    }
    parse_type_text(text).map(|(ty, _)| ty).map_err(|_| hcl_status::HCL_ERR_TYPE.into())
}

/// The function that `fields` describes, which calls `host`.
///
/// # Safety
/// The texts and parameters of `fields` are readable as the interface asks.
pub(crate) unsafe fn build(fields: &hcl_function, host: HostFunction) -> Outcome<Function> {
    // SAFETY: passed on.
    let name = unsafe { field("function->name", fields.name) }?;
    // SAFETY: passed on.
    let description = unsafe { field("function->description", fields.description) }?;
    // SAFETY: passed on.
    let result = unsafe { type_field("function->result_type", fields.result_type) }?;
    let known = HCL_FUNCTION_PURE | HCL_FUNCTION_THREADED;
    if name.is_empty() || fields.call.is_none() || fields.flags & !known != 0 {
        return Err(hcl_status::HCL_ERR_ARGUMENT.into());
    }
    let mut function = Function::new(name, description.to_owned())
        .returns(result.clone())
        .pure(fields.flags & HCL_FUNCTION_PURE != 0);
    for index in 0..fields.n_params {
        // SAFETY: passed on.
        let (param, flags) = unsafe { parameter(fields, index) }?;
        let last = index + 1 == fields.n_params;
        function = match flags & HCL_PARAM_VARIADIC != 0 {
            false => function.parameter(param),
            true if last => function.variadic(param),
            true => return Err(hcl_status::HCL_ERR_ARGUMENT.into()),
        };
    }
    Ok(function.implementation(move |invocation, arguments| {
        let value = host.run(invocation, arguments)?;
        if result == Type::Dynamic {
            return Ok(value);
        }
        hcl_eval::convert::convert(&value, &result).map_err(|error| {
            FunctionError::new(format!("the host's function gave an unfit result: {}", error.detail()))
        })
    }))
}

/// # Safety
/// As for [`build`].
unsafe fn parameter(fields: &hcl_function, index: usize) -> Outcome<(Parameter, u32)> {
    if fields.params.is_null() {
        return Err(Failure::argument("function->params is a null pointer."));
    }
    // SAFETY: not null, and `n_params` long by contract.
    let param = unsafe { fields.params.wrapping_add(index).read() };
    // SAFETY: passed on.
    let name = unsafe { field("param->name", param.name) }?;
    // SAFETY: passed on.
    let ty = unsafe { type_field("param->type_text", param.type_text) }?;
    let known = HCL_PARAM_NULL | HCL_PARAM_UNKNOWN | HCL_PARAM_MARKED | HCL_PARAM_VARIADIC;
    if param.flags & !known != 0 {
        return Err(hcl_status::HCL_ERR_ARGUMENT.into());
    }
    let mut parameter = Parameter::new(name, ty);
    parameter.allow_null = param.flags & HCL_PARAM_NULL != 0;
    parameter.allow_unknown = param.flags & HCL_PARAM_UNKNOWN != 0;
    parameter.allow_dynamic = parameter.allow_unknown;
    parameter.allow_marked = param.flags & HCL_PARAM_MARKED != 0;
    Ok((parameter, param.flags))
}

/// The number of arguments, those of a variadic parameter included. Null counts as none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_count(call: *const hcl_call) -> usize {
    guard_or(0, || {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let Some(call) = (unsafe { call.as_ref() }) else { return 0 };
        call.arguments.len()
    })
}

/// The argument at `index`, borrowed until the callback returns; null when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_arg(call: *const hcl_call, index: usize) -> *const hcl_value {
    guard_or(ptr::null(), || {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let found = unsafe { get("call", call) }.and_then(|call| call.argument(index));
        found.map_or(ptr::null(), hcl_value::borrow)
    })
}

/// The text of the argument at `index`, borrowed until the callback returns. As `hcl_value_as_str`;
/// HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_arg_str(
    call: *const hcl_call,
    index: usize,
    out: *mut hcl_str,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let text = unsafe { get("call", call) }?.readable(index)?.as_str().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, hcl_str::from(text)) };
        Ok(())
    })
}

/// The whole number of the argument at `index`. As `hcl_value_as_i64`; HCL_ERR_RANGE also: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_arg_i64(call: *const hcl_call, index: usize, out: *mut i64) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let argument = unsafe { get("call", call) }?.readable(index)?;
        let number = argument.as_number().ok_or(hcl_status::HCL_ERR_TYPE)?;
        let whole = number.to_i64().ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, whole) };
        Ok(())
    })
}

/// The bool of the argument at `index`. As `hcl_value_as_bool`; HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_arg_bool(
    call: *const hcl_call,
    index: usize,
    out: *mut bool,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let read =
            unsafe { get("call", call) }?.readable(index)?.as_bool().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        Ok(())
    })
}

/// Sets the result of a call.
///
/// # Safety
/// `call` is null or the call of a running callback.
unsafe fn answer(call: *mut hcl_call, value: impl FnOnce() -> Outcome<Value>) -> hcl_status {
    guard(|| {
        // SAFETY: passed on.
        let call = unsafe { get_mut("call", call) }?;
        call.result = Some(value()?);
        Ok(())
    })
}

/// Sets the result; the library takes a reference of its own, so the callback still frees what it owns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return(call: *mut hcl_call, value: *const hcl_value) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    let same = || Ok(unsafe { get("value", value) }?.value().clone());
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, same) }
}

/// Sets a text as the result; it is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_str(
    call: *mut hcl_call,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let string = || Ok(Value::string(unsafe { text_in("text", text, text_len) }?));
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, string) }
}

/// Sets a whole number as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_i64(call: *mut hcl_call, value: i64) -> hcl_status {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, || Ok(Value::int(value))) }
}

/// Sets the number that a double is as the result. HCL_ERR_RANGE: it is not a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_f64(call: *mut hcl_call, value: f64) -> hcl_status {
    let number = || Ok(Value::number(Number::from_f64(value).ok_or(hcl_status::HCL_ERR_RANGE)?));
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, number) }
}

/// Sets `true` or `false` as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_bool(call: *mut hcl_call, value: bool) -> hcl_status {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, || Ok(Value::bool(value))) }
}

/// Sets a null of no particular type as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_null(call: *mut hcl_call) -> hcl_status {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, || Ok(Value::null(Type::Dynamic))) }
}

/// Says why a call failed: `argument` is the index of the argument at fault, or `HCL_NO_ARGUMENT` (any number that is no index). The message is
/// shown after a colon, so it begins with a small letter; it is copied. Then return anything but 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_fail(
    call: *mut hcl_call,
    argument: usize,
    message: *const c_char,
    message_len: usize,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let call = unsafe { get_mut("call", call) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let message = unsafe { text_in("message", message, message_len) }?;
        let argument = (argument < call.arguments.len()).then_some(argument);
        call.failure = Some((argument, message.to_owned()));
        Ok(())
    })
}

/// Whether the evaluation that makes the call was cancelled before it: a long callback may as well give up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_cancelled(call: *const hcl_call) -> bool {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    guard_or(false, || unsafe { call.as_ref() }.is_some_and(|call| call.cancelled))
}
