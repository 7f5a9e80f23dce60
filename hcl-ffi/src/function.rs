//! Functions of the host: C callbacks as functions of the language.

use libc::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use hcl_eval::eval::LookupError;
use hcl_eval::function::{Function, FunctionError, Invocation, Parameter};
use hcl_eval::host::HostError;
use hcl_eval::limits::{LimitReached, Limits, Stopped};
use hcl_eval::types::Type;
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::value::{Number, Value};
use hcl_syntax::diagnostic::{Diagnostics, detail};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::context::pointer;
use crate::cycle_detecting_lock::{CycleDetectingLock, Patience, Refused, WaitGraph};
use crate::diagnostics::status_of;
use crate::extensible_struct;
use crate::handle::{check_out, get, get_mut, put};
use crate::stack::on_own;
use crate::status::hcl_status;
use crate::string::{array_in, borrowed_in, hcl_str, message_in, null_pointer, shown_in, text_in};
use crate::types::hcl_type;
use crate::value::{check_readable, hcl_value};

/// `hcl_param.flags`: null is passed on; without it null is an error.
pub const HCL_PARAM_NULL: u32 = 1;
/// `hcl_param.flags`: unknown values are passed on; without it they make the result unknown and nothing is called.
pub const HCL_PARAM_UNKNOWN: u32 = 2;
/// `hcl_param.flags`: marks are passed on; without it they are taken off and put on the result.
pub const HCL_PARAM_MARKED: u32 = 4;
/// `hcl_param.flags`: values of unknown type leave the type of the result what it is; without it they make it unknown
/// too. `HCL_PARAM_NULL` and `HCL_PARAM_UNKNOWN` include it.
pub const HCL_PARAM_DYNAMIC: u32 = 16;
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
/// `hcl_function.flags`: may be called by several threads at once. Without it the library makes one call at a time, and
/// others wait, until their evaluation is cancelled or its deadline has passed; a call that would wait for ever, because
/// the function is called from inside itself or two threads inside two functions call each other's, fails with a
/// diagnostic instead.
pub const HCL_FUNCTION_THREADED: u32 = 2;

/// The work of a host function. Returns 0 after `hcl_call_return…`.
///
/// There are two ways to fail. After `hcl_call_fail` it is the expression that is wrong: a diagnostic says so, and HCL's
/// `try` can go on. Without it the host itself has failed: the evaluation ends at once with HCL_ERR_CALLBACK, whatever is
/// around the call, and the diagnostic `limit.host` tells the status that was returned. Four statuses have a meaning of
/// their own: HCL_ERR_UNKNOWN makes the result unknown; HCL_ERR_CANCELLED, HCL_ERR_DEADLINE and HCL_ERR_MEMORY end the
/// evaluation as if the library had noticed. `user` is the function's user data. `call` is valid until the callback returns.
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
    /// The callback that does the work.
    pub call: hcl_callback,
    /// Passed to `call` and `drop_user`.
    pub user: *mut c_void,
    /// Releases `user`; may be null.
    pub drop_user: hcl_drop,
    /// Finds the type of a result that can't be known, because arguments are unknown: reads them, some of which are, and
    /// answers with `hcl_call_return_type`. In place of `result_type`; may be null. Called under the same rules as `call`.
    pub result_type_of: hcl_callback,
}

/// A call in progress; only inside the callback that it was passed to.
#[derive(Debug)]
pub struct hcl_call {
    arguments: *const [Value],
    /// The limits of the evaluation, null for none.
    limits: *const Limits,
    result: Option<Value>,
    /// How long the text is that has been made of the result.
    text_len: usize,
    ty: Option<Type>,
    failure: Option<Reason>,
    /// The frame's user data for callbacks.
    user: *mut c_void,
}

/// Why a callback failed, in its own words.
#[derive(Debug)]
enum Reason {
    /// A text, perhaps about one argument.
    Text(Option<usize>, String),
    /// Diagnostics; those without a place are about the argument, or the call.
    Diagnostics(Option<usize>, Diagnostics),
    /// A text that takes more than this bound on memory, which ends the evaluation.
    TooLong(u64),
}

/// The callback with its user data, which it releases when it goes.
#[derive(Debug)]
pub(crate) struct HostFunction {
    call: hcl_callback,
    result_type_of: hcl_callback,
    user: *mut c_void,
    drop_user: hcl_drop,
    /// Held while the callback runs, unless it may run on several threads at once.
    lock: Option<CycleDetectingLock>,
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
            on_own(|| unsafe { drop_user(self.user) });
        }
    }
}

/// A number for the current thread, never 0.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

/// Runs a callback of an evaluation with these limits: alone if there is a lock, for which it waits no longer than the
/// evaluation may take.
pub(crate) fn locked<T>(
    lock: Option<&CycleDetectingLock>,
    limits: &Limits,
    body: impl FnOnce() -> T,
) -> Result<T, NotLocked> {
    static GRAPH: LazyLock<WaitGraph> = LazyLock::new(WaitGraph::default);
    let Some(lock) = lock else { return Ok(body()) };
    let goes_on = || limits.stopped().is_none();
    let may_end = limits.cancel.is_some() || limits.deadline.is_some();
    let patience: Patience<'_> = if may_end { Some(&goes_on) } else { None };
    lock.with(&GRAPH, thread_number(), patience, body).map_err(|refused| match (refused, limits.stopped()) {
        (Refused::Stopped, Some(stopped)) => NotLocked::Stopped(stopped),
        _ => NotLocked::Deadlock,
    })
}

/// Why a callback was not run.
pub(crate) enum NotLocked {
    /// It would wait for ever.
    Deadlock,
    /// The evaluation ended while it waited.
    Stopped(Stopped),
}

impl HostFunction {
    pub(crate) fn new(fields: &hcl_function) -> Self {
        let threaded = fields.flags & HCL_FUNCTION_THREADED != 0;
        let lock = (!threaded).then(CycleDetectingLock::default);
        let hcl_function { call, result_type_of, user, drop_user, .. } = *fields;
        Self { call, result_type_of, user, drop_user, lock }
    }

    fn run(&self, invocation: &mut Invocation<'_>, arguments: &[Value]) -> Result<Value, FunctionError> {
        let user = pointer(invocation.user());
        // Borrowed once: the call keeps its address while the callback runs.
        let limits: &Limits = invocation.meter().limits();
        let call = hcl_call::new(arguments, Some(limits)).of_user(user);
        let (call, status) = self.enter(self.call, call, limits)?;
        let text_len = call.text_len;
        match call.answer(status) {
            Answer::Value(value) => invocation.charge_bytes(text_len).map(|()| value),
            Answer::Type(_) => Err(FunctionError::new("the host's function gave a type as its result")),
            Answer::None => Err(FunctionError::new("the host's function succeeded without a result")),
            Answer::Refused(refusal) => Err(refusal.into()),
        }
    }

    /// The type of a result that is not known, because of arguments that are not.
    fn result_type(&self, arguments: &[Value], limits: &Limits) -> Result<Type, FunctionError> {
        let call = hcl_call::new(arguments, Some(limits));
        let (call, status) = self.enter(self.result_type_of, call, limits)?;
        match call.answer(status) {
            Answer::Type(ty) => Ok(ty),
            Answer::Value(_) | Answer::None => Ok(Type::Dynamic),
            Answer::Refused(refusal) => Err(refusal.into()),
        }
    }

    fn enter(
        &self,
        callback: hcl_callback,
        mut call: hcl_call,
        limits: &Limits,
    ) -> Result<(hcl_call, i32), FunctionError> {
        let Some(callback) = callback else {
            return Err(FunctionError::new("the function has no callback"));
        };
        // SAFETY: the callback was given with this user data; the call outlives it.
        let enter = || on_own(|| unsafe { callback(self.user, &raw mut call) });
        let status = locked(self.lock.as_ref(), limits, enter).map_err(|refused| match refused {
            NotLocked::Stopped(stopped) => FunctionError::from(LimitReached::from(stopped)),
            NotLocked::Deadlock => FunctionError::new(
                "the function was called from inside itself, or from inside another that waits for it, and only one \
                 thread at a time may be inside either: callbacks that several threads may call at once say so with \
                 HCL_FUNCTION_THREADED",
            ),
        })?;
        Ok((call, status))
    }
}

impl From<Reason> for HostError {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Text(_, detail) => Self::Failed(detail),
            Reason::Diagnostics(_, said) => Self::Diagnosed(said),
            Reason::TooLong(_) => Self::TooLong,
        }
    }
}

/// The meaning of a callback's return.
enum Answer {
    Value(Value),
    Type(Type),
    /// Success, and nothing else.
    None,
    Refused(Refusal),
}

/// The meaning of a callback's failure.
enum Refusal {
    /// The callback said what is wrong.
    Failed(Reason),
    /// It did not.
    Status(i32),
}

impl From<Refusal> for FunctionError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Failed(Reason::Text(Some(argument), detail)) => Self::argument(argument, detail),
            Refusal::Failed(Reason::Text(None, detail)) => Self::new(detail),
            Refusal::Failed(Reason::Diagnostics(argument, said)) => Self::diagnosed(argument, said),
            Refusal::Failed(Reason::TooLong(most)) => Self::from(LimitReached::Memory(most)),
            Refusal::Status(status) if status == hcl_status::HCL_ERR_UNKNOWN as i32 => {
                Self::from(HostError::NotKnownYet)
            }
            Refusal::Status(status) => Self::from(ended(status)),
        }
    }
}

/// The end of an evaluation whose callback fails with a status and does not say why.
fn ended(status: i32) -> LimitReached {
    match status {
        s if s == hcl_status::HCL_ERR_CANCELLED as i32 => LimitReached::Cancelled,
        s if s == hcl_status::HCL_ERR_DEADLINE as i32 => LimitReached::Deadline,
        s if s == hcl_status::HCL_ERR_MEMORY as i32 => LimitReached::OutOfMemory,
        s => LimitReached::Host(s),
    }
}

impl hcl_call {
    /// A call with arguments that outlive it, of an evaluation with these limits.
    pub(crate) fn new(arguments: &[Value], limits: Option<&Limits>) -> Self {
        let limits = limits.map_or(ptr::null(), ptr::from_ref);
        let user = ptr::null_mut();
        Self {
            arguments: ptr::from_ref(arguments),
            limits,
            result: None,
            text_len: 0,
            ty: None,
            failure: None,
            user,
        }
    }

    /// As above, in an evaluation with a frame that has user data.
    pub(crate) fn of_user(mut self, user: *mut c_void) -> Self {
        self.user = user;
        self
    }

    pub(crate) fn user(&self) -> *mut c_void {
        self.user
    }

    /// Keeps why the callback is going to fail.
    pub(crate) fn fail_with(&mut self, argument: usize, said: Diagnostics) {
        let argument = (argument < self.arguments.len()).then_some(argument);
        self.fail(Reason::Diagnostics(argument, said));
    }

    /// Keeps a reason, unless the evaluation ends already.
    fn fail(&mut self, reason: Reason) {
        if !matches!(self.failure, Some(Reason::TooLong(_))) {
            self.failure = Some(reason);
        }
    }

    /// Returns the callback's reason for its failure.
    pub(crate) fn host_error(self) -> Option<HostError> {
        self.failure.map(HostError::from)
    }

    fn answer(self, status: i32) -> Answer {
        let status = self.reason(status);
        match (self.failure, status, self.result, self.ty) {
            (Some(reason), ..) => Answer::Refused(Refusal::Failed(reason)),
            (None, 0, Some(value), _) => Answer::Value(value),
            (None, 0, None, Some(ty)) => Answer::Type(ty),
            (None, 0, None, None) => Answer::None,
            (None, status, ..) => Answer::Refused(Refusal::Status(status)),
        }
    }

    /// Returns the answer of a callback that was asked for a value and returned 0.
    pub(crate) fn outcome(self) -> Result<Value, HostError> {
        match self.answer(0) {
            Answer::Value(value) => Ok(value),
            Answer::Refused(Refusal::Failed(reason)) => Err(reason.into()),
            _ => Err(HostError::Failed("the host succeeded without an answer".to_owned())),
        }
    }

    /// Returns the answer of a callback that looks variables up.
    pub(crate) fn lookup_outcome(self, status: i32) -> Result<Value, LookupError> {
        let refusal = match self.answer(status) {
            Answer::Value(value) => return Ok(value),
            Answer::Type(_) | Answer::None => {
                return Err(LookupError::Failed("the host succeeded without an answer".to_owned()));
            }
            Answer::Refused(refusal) => refusal,
        };
        match refusal {
            Refusal::Failed(Reason::Text(_, detail)) => Err(LookupError::Failed(detail)),
            Refusal::Failed(Reason::Diagnostics(_, said)) => Err(LookupError::Diagnosed(said)),
            Refusal::Failed(Reason::TooLong(most)) => Err(LookupError::Stop(LimitReached::Memory(most))),
            Refusal::Status(s) if s == hcl_status::HCL_ERR_NOT_FOUND as i32 => Err(LookupError::Absent),
            Refusal::Status(s) if s == hcl_status::HCL_ERR_UNKNOWN as i32 => Ok(Value::dynamic()),
            Refusal::Status(s) => Err(LookupError::Stop(ended(s))),
        }
    }

    /// Returns why the evaluation that makes the call is to end, if it is.
    fn stopped(&self) -> Option<Stopped> {
        // SAFETY: null, or the limits of the evaluation, which outlive the call.
        unsafe { self.limits.as_ref() }?.stopped()
    }

    /// Returns the status of a callback. One that gives up as [`hcl_call_cancelled`] tells it to does not know why.
    pub(crate) fn reason(&self, status: i32) -> i32 {
        let gave_up = status == hcl_status::HCL_ERR_CANCELLED as i32;
        match gave_up.then(|| self.stopped()).flatten() {
            Some(Stopped::Deadline) => hcl_status::HCL_ERR_DEADLINE as i32,
            _ => status,
        }
    }

    /// Refuses a text that takes more memory than the evaluation may, before the system is asked for it.
    fn check_len(&mut self, len: usize) -> Outcome {
        // SAFETY: null, or the limits of the evaluation, which outlive the call.
        match unsafe { self.limits.as_ref() } {
            Some(limits) if len as u64 > limits.max_memory => {
                self.failure = Some(Reason::TooLong(limits.max_memory));
                Err(hcl_status::HCL_ERR_LIMIT.into())
            }
            _ => Ok(()),
        }
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
    parse_type_text(text).map(|(ty, _)| ty).map_err(|error| {
        let status = match status_of(&Diagnostics::from(error)) {
            hcl_status::HCL_ERR_DIAGNOSTICS => hcl_status::HCL_ERR_TYPE,
            limit => limit,
        };
        status.into()
    })
}

/// The function that `fields` describes, which calls `host`.
///
/// # Safety
/// The texts and parameters of `fields` are readable as the interface asks.
pub(crate) unsafe fn build(fields: &hcl_function, host: HostFunction) -> Outcome<Function> {
    // SAFETY: passed on.
    let name = unsafe { field("function->name", fields.name) }?;
    // SAFETY: passed on.
    let description =
        unsafe { shown_in("function->description", fields.description.ptr, fields.description.len) }?;
    // SAFETY: passed on.
    let result = unsafe { type_field("function->result_type", fields.result_type) }?;
    let known = HCL_FUNCTION_PURE | HCL_FUNCTION_THREADED;
    let asks_for_type = fields.result_type_of.is_some();
    if name.is_empty() {
        return Err(Failure::argument("function->name", "is empty."));
    }
    if fields.call.is_none() {
        return Err(null_pointer("function->call"));
    }
    if fields.flags & !known != 0 {
        return Err(Failure::unknown_flag("function->flags"));
    }
    // SAFETY: passed on.
    let params = unsafe { array_in("function->params", fields.params, fields.n_params) }?;
    let mut function = Function::new(name, description.into_owned())
        .returns(result.clone())
        .pure(fields.flags & HCL_FUNCTION_PURE != 0);
    for (index, param) in params.iter().enumerate() {
        // SAFETY: passed on.
        let described = unsafe { parameter(param) }.map_err(|failure| failure.of_element(index))?;
        function = match param.flags & HCL_PARAM_VARIADIC != 0 {
            false => function.parameter(described),
            true if index + 1 == params.len() => function.variadic(described),
            true => {
                let problem = "has HCL_PARAM_VARIADIC, which only the last parameter may have.";
                return Err(Failure::argument("function->params[].flags", problem).of_element(index));
            }
        };
    }
    let host = Arc::new(host);
    if asks_for_type {
        let host = Arc::clone(&host);
        function = function.returns_within(move |arguments, limits| host.result_type(arguments, limits));
    }
    Ok(function.implementation(move |invocation, arguments| {
        let value = host.run(invocation, arguments)?;
        if result == Type::Dynamic {
            return Ok(value);
        }
        let converted = hcl_eval::convert::convert_metered(&value, &result, invocation.meter());
        converted.map_err(|error| match invocation.meter().stopped() {
            Some(limit) => FunctionError::from(limit),
            None => {
                FunctionError::new(format!("the host's function gave an unfit result: {}", error.detail()))
            }
        })
    }))
}

/// # Safety
/// As for [`build`].
unsafe fn parameter(param: &hcl_param) -> Outcome<Parameter> {
    // SAFETY: passed on.
    let name = unsafe { shown_in("function->params[].name", param.name.ptr, param.name.len) }?;
    // SAFETY: passed on.
    let ty = unsafe { type_field("function->params[].type_text", param.type_text) }?;
    let tolerated = HCL_PARAM_NULL | HCL_PARAM_UNKNOWN | HCL_PARAM_DYNAMIC;
    let known = tolerated | HCL_PARAM_MARKED | HCL_PARAM_VARIADIC;
    if param.flags & !known != 0 {
        return Err(Failure::unknown_flag("function->params[].flags"));
    }
    if param.reserved != 0 {
        return Err(extensible_struct::not_zero("function->params[].reserved"));
    }
    let mut parameter = Parameter::new(&name, ty);
    parameter.allow_null = param.flags & HCL_PARAM_NULL != 0;
    parameter.allow_unknown = param.flags & HCL_PARAM_UNKNOWN != 0;
    parameter.allow_dynamic = param.flags & tolerated != 0;
    parameter.allow_marked = param.flags & HCL_PARAM_MARKED != 0;
    Ok(parameter)
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

/// Sets a text as the result; it is copied, and that of a function counts as text that is made. HCL_ERR_LIMIT: it is longer than
/// the `max_memory` of the evaluation, which ends with that limit whatever the callback returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_str(
    call: *mut hcl_call,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let call = unsafe { get_mut("call", call) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let bytes = unsafe { borrowed_in("text", text, text_len) }?;
        call.check_len(bytes.len())?;
        call.text_len = bytes.len();
        // SAFETY: as above.
        call.result = Some(Value::string(unsafe { text_in("text", bytes.as_ptr().cast(), bytes.len()) }?));
        Ok(())
    })
}

/// Sets a whole number as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_i64(call: *mut hcl_call, value: i64) -> hcl_status {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, || Ok(Value::int(value))) }
}

/// Sets a whole number as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_u64(call: *mut hcl_call, value: u64) -> hcl_status {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    unsafe { answer(call, || Ok(Value::number(Number::from_u64(value)))) }
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

/// Sets the type of a result that is not known: only for `hcl_function.result_type_of`. The library takes a reference of
/// its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_return_type(call: *mut hcl_call, ty: *const hcl_type) -> hcl_status {
    guard(|| {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let call = unsafe { get_mut("call", call) }?;
        // SAFETY: null or live, by the contract of the interface.
        call.ty = Some(unsafe { get("ty", ty) }?.0.clone());
        Ok(())
    })
}

/// Says why a call failed: `argument` is the index of the argument at fault, or `HCL_NO_ARGUMENT` (any number that is no
/// index). The message is shown after a colon, so it begins with a small letter; it is copied. Then return anything but 0.
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
        let message = unsafe { message_in("message", message, message_len) }?;
        let argument = (argument < call.arguments.len()).then_some(argument);
        // Of a long message no more is kept than a diagnostic shows.
        call.fail(Reason::Text(argument, detail(format_args!("{message}"))));
        Ok(())
    })
}

/// True once the evaluation that makes the call has been cancelled or its deadline has passed: a long callback asks
/// now and then, and gives up with HCL_ERR_CANCELLED. If it was the deadline, the evaluation answers HCL_ERR_DEADLINE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_cancelled(call: *const hcl_call) -> bool {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    guard_or(false, || unsafe { call.as_ref() }.is_some_and(|call| call.stopped().is_some()))
}
