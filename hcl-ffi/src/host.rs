//! Hosts: what functions may ask of the outside world, answered by callbacks.

use libc::{c_char, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hcl_eval::host::{Capability, FileKind, Host, HostError, Timestamp};
use hcl_eval::limits::{LimitReached, Limits, Meter, Stopped};
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::{Diagnostics, detail};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::cycle_detecting_lock::CycleDetectingLock;
use crate::extensible_struct;
use crate::function::{NotLocked, hcl_call, hcl_drop, locked};
use crate::handle::{check_out, get, get_mut, hand_out, release};
use crate::room::ask_to_add;
use crate::stack::on_own;
use crate::status::hcl_status;
use crate::string::{bytes_in, hcl_str, message_in, text_in};

/// The outside world of functions such as `file` and `timestamp`. Without a host they are refused, with a diagnostic
/// that says what to grant. Immutable; use it from any thread. Counted: `hcl_host_ref`. Give it to a frame with
/// `hcl_frame_set_host`; release it with `hcl_host_free`.
#[derive(Debug)]
pub struct hcl_host(pub(crate) HostKind);

/// The source of answers.
#[derive(Clone, Debug)]
pub(crate) enum HostKind {
    /// Callbacks, which are asked within the limits of the evaluation.
    Callbacks(Arc<CallbackHost>),
    /// A host that answers at once.
    #[cfg_attr(not(feature = "system-host"), expect(dead_code, reason = "only the system answers so"))]
    Own(Arc<dyn Host>),
}

/// Callbacks as one frame asks them: it tells them the limits of the evaluation that asks.
#[derive(Debug)]
pub(crate) struct Asking {
    host: Arc<CallbackHost>,
    limits: Mutex<Limits>,
    /// The frame's user data for callbacks.
    user: AtomicPtr<c_void>,
}

impl Asking {
    pub(crate) fn new(host: Arc<CallbackHost>) -> Self {
        Self { host, limits: Mutex::default(), user: AtomicPtr::default() }
    }

    /// An evaluation with these limits begins.
    pub(crate) fn begin(&self, limits: &Limits) {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = limits.clone();
    }

    /// Sets what callbacks are told of later evaluations.
    pub(crate) fn set_user(&self, user: *mut c_void) {
        self.user.store(user, Ordering::Relaxed);
    }

    fn limits(&self) -> Limits {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A regular file.
pub const HCL_FILE_REGULAR: u32 = 0;
/// A folder.
pub const HCL_FILE_DIRECTORY: u32 = 1;
/// A symbolic link: only in listings, everywhere else links are followed.
pub const HCL_FILE_LINK: u32 = 2;
/// A device, a pipe and the like.
pub const HCL_FILE_OTHER: u32 = 3;

/// The answer of a host's callback; only inside the callback that it was passed to.
#[derive(Debug)]
pub struct hcl_answer {
    bytes: Option<Vec<u8>>,
    kind: Option<FileKind>,
    entries: Vec<(String, FileKind)>,
    time: Option<Timestamp>,
    failure: Option<String>,
    /// Why there is no answer, in diagnostics of the host.
    pub(crate) diagnostics: Diagnostics,
    /// The frame's user data for callbacks.
    pub(crate) user: *mut c_void,
}

impl hcl_answer {
    fn new(user: *mut c_void) -> Self {
        let (entries, diagnostics) = (Vec::new(), Diagnostics::new());
        Self { bytes: None, kind: None, entries, time: None, failure: None, diagnostics, user }
    }

    /// The callback's words about its failure.
    fn host_error(self) -> Option<HostError> {
        if self.diagnostics.is_empty() {
            return self.failure.map(HostError::Failed);
        }
        Some(HostError::Diagnosed(self.diagnostics))
    }
}

/// Answers one kind of question. `what` is the path or name asked for, not followed by a NUL; paths are cleaned by
/// their text and have `/` between their parts. `most` is said with each kind. `user` is the host's user data.
///
/// Returns 0 after an `hcl_answer_…`; HCL_ERR_NOT_FOUND if there is no such thing; HCL_ERR_LIMIT if it is more than
/// `most`; HCL_ERR_UNSUPPORTED if it is not allowed; HCL_ERR_UNKNOWN if it will be known only later, which makes the
/// result of the function unknown; HCL_ERR_CANCELLED, HCL_ERR_DEADLINE or HCL_ERR_MEMORY to end the evaluation; anything else
/// when it failed (say why with `hcl_answer_fail`). Runs on the thread of the evaluation, inside it. Must not `longjmp` or
/// throw out of the callback.
pub type hcl_host_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, what: hcl_str, most: u64, answer: *mut hcl_answer) -> i32>;

/// Asks a remote store for a function that needs one. Reads arguments and returns its result as the callback of a
/// function does, with the same statuses as `hcl_host_callback`. `vault` passes the path and gets the data of the
/// secret, an object; `consul_key` passes the key and gets a text; `aws_secretsmanager` and `aws_secretsmanager_raw`
/// pass the name and get the text of the secret. `hcl_call_cancelled` tells whether the evaluation still waits.
pub type hcl_store_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, function: hcl_str, call: *mut hcl_call) -> i32>;

/// `hcl_host_callbacks.flags`: may be called by several threads at once. Without it the library makes one call at a
/// time, and others wait, until their evaluation is cancelled or its deadline has passed.
pub const HCL_HOST_THREADED: u32 = 1;

/// A host made of callbacks. Set `size` to `sizeof(hcl_host_callbacks)` and what is not wanted to zero: what has no
/// callback is not allowed.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_host_callbacks {
    /// `sizeof(hcl_host_callbacks)`, set by the caller.
    pub size: usize,
    /// `HCL_HOST_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The content of a regular file, at most `most` bytes: `hcl_answer_bytes`.
    pub read_file: hcl_host_callback,
    /// The kind of file at a path, links followed: `hcl_answer_kind`.
    pub file_kind: hcl_host_callback,
    /// The entries of a folder, at most `most`: `hcl_answer_entry` for each, in any order.
    pub list_directory: hcl_host_callback,
    /// The absolute path that relative paths start from: `hcl_answer_bytes`.
    pub working_directory: hcl_host_callback,
    /// The user's home folder: `hcl_answer_bytes`.
    pub home_directory: hcl_host_callback,
    /// An environment variable: `hcl_answer_bytes`.
    pub environment_variable: hcl_host_callback,
    /// The time: `hcl_answer_time`.
    pub now: hcl_host_callback,
    /// The time at which the run began: `hcl_answer_time`. Without it `now` is asked.
    pub start_time: hcl_host_callback,
    /// `most` random bytes: `hcl_answer_bytes`.
    pub random_bytes: hcl_host_callback,
    /// A remote store.
    pub store: hcl_store_callback,
    /// Passed to all callbacks and to `drop_user`.
    pub user: *mut c_void,
    /// Releases `user`; may be null.
    pub drop_user: hcl_drop,
}

/// A host made of callbacks, whose user data it releases when it goes.
#[derive(Debug)]
pub(crate) struct CallbackHost {
    callbacks: hcl_host_callbacks,
    /// Held while a callback runs, unless they may run on several threads at once.
    lock: Option<CycleDetectingLock>,
}

// SAFETY: the host promises that `user` may be used and released on any thread; calls are serialised unless it
// declared its callbacks fit for several threads.
unsafe impl Send for CallbackHost {}
// SAFETY: as above.
unsafe impl Sync for CallbackHost {}

impl Drop for CallbackHost {
    fn drop(&mut self) {
        if let Some(drop_user) = self.callbacks.drop_user {
            // SAFETY: called once, with the pointer that the host gave for it.
            on_own(|| unsafe { drop_user(self.callbacks.user) });
        }
    }
}

/// Returns the meaning of a callback's status that is not 0.
fn error_of(status: i32, capability: Capability, said: Option<HostError>) -> HostError {
    if let Some(said) = said {
        return said;
    }
    match status {
        s if s == hcl_status::HCL_ERR_NOT_FOUND as i32 => HostError::NotFound,
        s if s == hcl_status::HCL_ERR_LIMIT as i32 => HostError::TooLong,
        s if s == hcl_status::HCL_ERR_UNSUPPORTED as i32 => HostError::NotAllowed(capability),
        s if s == hcl_status::HCL_ERR_UNKNOWN as i32 => HostError::NotKnownYet,
        s if s == hcl_status::HCL_ERR_CANCELLED as i32 => HostError::Stopped(Stopped::Cancelled),
        s if s == hcl_status::HCL_ERR_DEADLINE as i32 => HostError::Stopped(Stopped::Deadline),
        s if s == hcl_status::HCL_ERR_MEMORY as i32 => HostError::Stopped(Stopped::OutOfMemory),
        s => HostError::Failed(format!("the host failed with status {s}, {}", hcl_status::name_of(s))),
    }
}

fn incomplete() -> HostError {
    HostError::Failed("the host succeeded without an answer".to_owned())
}

impl Asking {
    /// Runs a callback, alone if it must be.
    fn enter<T>(&self, limits: &Limits, body: impl FnOnce() -> T) -> Result<T, HostError> {
        locked(self.host.lock.as_ref(), limits, body).map_err(|refused| match refused {
            NotLocked::Stopped(stopped) => HostError::Stopped(stopped),
            NotLocked::Deadlock => HostError::Failed(
                "the host was asked from inside its own callback, or from inside another that waits for it"
                    .to_owned(),
            ),
        })
    }

    fn ask(
        &self,
        callback: hcl_host_callback,
        capability: Capability,
        (what, most): (&str, u64),
    ) -> Result<hcl_answer, HostError> {
        let callback = callback.ok_or(HostError::NotAllowed(capability))?;
        let mut answer = hcl_answer::new(self.user.load(Ordering::Relaxed));
        let what = hcl_str::from(what);
        let user = self.host.callbacks.user;
        // SAFETY: the callback was given with this user data; text and answer outlive the call.
        let ask = || on_own(|| unsafe { callback(user, what, most, &raw mut answer) });
        let status = self.enter(&self.limits(), ask)?;
        if status == 0 { Ok(answer) } else { Err(error_of(status, capability, answer.host_error())) }
    }

    fn ask_text(
        &self,
        callback: hcl_host_callback,
        capability: Capability,
        what: &str,
    ) -> Result<String, HostError> {
        let bytes = self.ask(callback, capability, (what, u64::MAX))?.bytes.ok_or_else(incomplete)?;
        let mut meter = Meter::new(self.limits());
        match meter.end_of_utf8(&bytes) {
            // SAFETY: all of it has been checked.
            Ok(end) if end == bytes.len() => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
            Ok(_) => Err(HostError::Failed("the host's answer is not UTF-8".to_owned())),
            Err(LimitReached::Deadline) => Err(HostError::Stopped(Stopped::Deadline)),
            Err(LimitReached::Cancelled) => Err(HostError::Stopped(Stopped::Cancelled)),
            Err(_) => Err(HostError::Stopped(Stopped::OutOfMemory)),
        }
    }

    fn ask_time(&self, callback: hcl_host_callback) -> Result<Timestamp, HostError> {
        self.ask(callback, Capability::Clock, ("", 0))?.time.ok_or_else(incomplete)
    }
}

impl Host for Asking {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let answer = self.ask(self.host.callbacks.read_file, Capability::Files, (path, most))?;
        let bytes = answer.bytes.ok_or_else(incomplete)?;
        if bytes.len() as u64 > most { Err(HostError::TooLong) } else { Ok(bytes) }
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        let answer = self.ask(self.host.callbacks.file_kind, Capability::Files, (path, 0))?;
        answer.kind.ok_or_else(incomplete)
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        let answer = self.ask(self.host.callbacks.list_directory, Capability::Files, (path, most as u64))?;
        if answer.entries.len() > most { Err(HostError::TooLong) } else { Ok(answer.entries) }
    }

    fn working_directory(&self) -> Result<String, HostError> {
        self.ask_text(self.host.callbacks.working_directory, Capability::Files, "")
    }

    fn home_directory(&self) -> Result<String, HostError> {
        self.ask_text(self.host.callbacks.home_directory, Capability::Environment, "")
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        self.ask_text(self.host.callbacks.environment_variable, Capability::Environment, name)
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        self.ask_time(self.host.callbacks.now)
    }

    fn start_time(&self) -> Result<Timestamp, HostError> {
        self.ask_time(self.host.callbacks.start_time.or(self.host.callbacks.now))
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        let wanted = ("", buffer.len() as u64);
        let answer = self.ask(self.host.callbacks.random_bytes, Capability::Random, wanted)?;
        let bytes = answer.bytes.filter(|bytes| bytes.len() >= buffer.len()).ok_or_else(incomplete)?;
        buffer.copy_from_slice(&bytes[..buffer.len()]);
        Ok(())
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        let callback = self.host.callbacks.store.ok_or(HostError::NotAllowed(Capability::Network))?;
        let limits = self.limits();
        let mut call = hcl_call::new(arguments, Some(&limits)).of_user(self.user.load(Ordering::Relaxed));
        let name = hcl_str::from(function);
        let user = self.host.callbacks.user;
        // SAFETY: the callback was given with this user data; text and call outlive it.
        let ask = || on_own(|| unsafe { callback(user, name, &raw mut call) });
        let status = self.enter(&limits, ask)?;
        match call.reason(status) {
            0 => call.outcome(),
            status => Err(error_of(status, Capability::Network, call.host_error())),
        }
    }
}

/// A host that asks callbacks. The struct is copied. `*out` is owned.
///
/// From this call on `callbacks->drop_user` is called once, whatever becomes of the call: when the last handle and the
/// last frame that has the host go, on whatever thread that is, or at once if the call fails. Of a struct whose `size` is wrong,
/// or that sets a field the library does not know, nothing is used, `drop_user` neither.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_host_new(
    callbacks: *const hcl_host_callbacks,
    out: *mut *mut hcl_host,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let fields: hcl_host_callbacks = unsafe { extensible_struct::take("callbacks", callbacks) }?;
        // The user data is owned from here on, so that every way out releases it.
        let lock = (fields.flags & HCL_HOST_THREADED == 0).then(CycleDetectingLock::default);
        let host = CallbackHost { callbacks: fields, lock };
        extensible_struct::check_reserved("callbacks", &fields)?;
        check_out("out", out)?;
        if fields.flags & !HCL_HOST_THREADED != 0 {
            return Err(Failure::unknown_flag("callbacks->flags"));
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_host(HostKind::Callbacks(Arc::new(host)))) };
        Ok(())
    })
}

/// Another owned handle to the same host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_host_ref(host: *const hcl_host, out: *mut *mut hcl_host) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let host = unsafe { get("host", host) }?.0.clone();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_host(host)) };
        Ok(())
    })
}

/// Releases a handle. Frames that were given the host keep it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_host_free(host: *mut hcl_host) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(host) });
}

/// Changes the answer of a running callback.
///
/// # Safety
/// `answer` is null or the answer of a running callback.
unsafe fn change(answer: *mut hcl_answer, body: impl FnOnce(&mut hcl_answer) -> Outcome) -> hcl_status {
    guard(|| {
        // SAFETY: passed on.
        body(unsafe { get_mut("answer", answer) }?)
    })
}

/// Answers with bytes or a text; they are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_bytes(
    answer: *mut hcl_answer,
    bytes: *const c_char,
    len: usize,
) -> hcl_status {
    let body = |answer: &mut hcl_answer| {
        // SAFETY: bytes of the caller, readable as the interface asks.
        answer.bytes = Some(unsafe { bytes_in("bytes", bytes, len) }?.to_vec());
        Ok(())
    };
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    unsafe { change(answer, body) }
}

fn kind_in(kind: u32) -> Outcome<FileKind> {
    match kind {
        HCL_FILE_REGULAR => Ok(FileKind::File),
        HCL_FILE_DIRECTORY => Ok(FileKind::Directory),
        HCL_FILE_LINK => Ok(FileKind::Link),
        HCL_FILE_OTHER => Ok(FileKind::Other),
        _ => Err(Failure::argument("kind", "is no HCL_FILE_….")),
    }
}

/// Answers with what stands at a path: `HCL_FILE_…`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_kind(answer: *mut hcl_answer, kind: u32) -> hcl_status {
    let body = |answer: &mut hcl_answer| {
        answer.kind = Some(kind_in(kind)?);
        Ok(())
    };
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    unsafe { change(answer, body) }
}

/// Adds an entry of a folder: its name, which is copied, and its kind, `HCL_FILE_…`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_entry(
    answer: *mut hcl_answer,
    name: *const c_char,
    name_len: usize,
    kind: u32,
) -> hcl_status {
    let body = |answer: &mut hcl_answer| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len) }?;
        ask_to_add(answer.entries.len(), size_of::<(String, FileKind)>())?;
        answer.entries.push((name.to_owned(), kind_in(kind)?));
        Ok(())
    };
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    unsafe { change(answer, body) }
}

/// Answers with a time: seconds since 1970-01-01 00:00:00 UTC, and nanoseconds. HCL_ERR_RANGE: there are 10⁹ or more
/// nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_time(
    answer: *mut hcl_answer,
    seconds: i64,
    nanoseconds: u32,
) -> hcl_status {
    let body = |answer: &mut hcl_answer| {
        if nanoseconds >= 1_000_000_000 {
            return Err(hcl_status::HCL_ERR_RANGE.into());
        }
        answer.time = Some(Timestamp { seconds, nanoseconds });
        Ok(())
    };
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    unsafe { change(answer, body) }
}

/// Says why there is no answer. The message is shown after a colon, so it begins with a small letter; up to 4,096 bytes of it
/// are copied. Then return anything but 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_fail(
    answer: *mut hcl_answer,
    message: *const c_char,
    message_len: usize,
) -> hcl_status {
    let body = |answer: &mut hcl_answer| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let message = unsafe { message_in("message", message, message_len) }?;
        answer.failure = Some(detail(format_args!("{message}")));
        Ok(())
    };
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    unsafe { change(answer, body) }
}
