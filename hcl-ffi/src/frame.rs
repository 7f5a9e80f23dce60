//! Frames and evaluation.
//!
//! A frame is the one mutable object of the interface. Two calls on it at once, from two threads or from a
//! callback, are noticed and refused; a defect inside an evaluation closes it.

use libc::c_char;
use std::mem;
use std::sync::Arc;

#[cfg(feature = "arrow")]
use hcl_eval::columns::{Column, ColumnsOptions, Evaluated};
use hcl_eval::convert::convert;
use hcl_eval::eval::{EvalOptions, Evaluation, Frame, Keep, Scope, User};
#[cfg(feature = "explain")]
use hcl_eval::explain::{ExplainOptions, Explanation};
use hcl_eval::host::Host;
#[cfg(feature = "arrow")]
use hcl_eval::limits::Meter;
use hcl_eval::limits::{LimitReached, Limits, Usage};
use hcl_eval::program::Program;
use hcl_eval::types::Type;
use hcl_eval::value::{Number, Value};
#[cfg(feature = "explain")]
use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::memory;

use crate::boundary::{Failure, Outcome, guard, guard_or, guard_with};
use crate::context::pointer;
use crate::diagnostics::{check, hcl_diags};
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::host::{Asking, HostKind, hcl_host};
use crate::limits::{deadline, hcl_cancel, hcl_limits, switch};
use crate::program::hcl_program;
use crate::resolver::CallbackResolver;
use crate::rows::no_room;
use crate::scope::hcl_scope;
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::try_lock::TryLock;
use crate::value::hcl_value;

/// The values of a scope's slots, with the limits of evaluations that use them. For one thread at a time: a call
/// on a frame that is in use answers HCL_ERR_BUSY. Release with `hcl_frame_free`.
pub struct hcl_frame(TryLock<FrameState>);

pub(crate) struct FrameState {
    scope: Arc<Scope>,
    frame: Frame,
    /// How long a call may take; 0 for any time.
    timeout_ns: u64,
    /// True if a resolver is asked for empty slots.
    asks: bool,
    /// The host that is asked, if it is told the limits.
    asking: Option<Arc<Asking>>,
    /// The usage of the rows that the last call evaluated, if it evaluated rows.
    used_by_rows: Option<Usage>,
    /// The text that `hcl_eval_str` lends.
    text: Value,
}

impl std::fmt::Debug for hcl_frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("hcl_frame").finish_non_exhaustive()
    }
}

impl hcl_frame {
    /// Runs `body` with the frame to itself. If `body` panics the frame stays busy for good, unless memory has run out.
    pub(crate) fn with<T>(&self, body: impl FnOnce(&mut FrameState) -> Outcome<T>) -> Outcome<T> {
        self.0.try_with(body).ok_or(hcl_status::HCL_ERR_BUSY)?
    }
}

/// Runs evaluations that are charged together: in the scope, with the values and within the limits of a frame; or, when
/// `frame` is null, without names and within the default limits.
///
/// # Safety
/// `frame` is null or live.
pub(crate) unsafe fn evaluating<T>(
    frame: *mut hcl_frame,
    run: impl FnOnce(Option<&Arc<Scope>>, &mut Evaluation<'_>) -> Outcome<T>,
) -> Outcome<T> {
    let mut run = Some(run);
    let mut result = None;
    let mut once = |scope: Option<&Arc<Scope>>, evaluation: &mut Evaluation<'_>| {
        result = run.take().map(|run| run(scope, evaluation));
    };
    // SAFETY: passed on.
    unsafe { run_evaluating(frame, &mut once) }?;
    let Some(result) = result else { unreachable!("it is run once") };
    result
}

/// [`evaluating`], of which there is one copy for all kinds of results.
///
/// # Safety
/// `frame` is null or live.
unsafe fn run_evaluating(
    frame: *mut hcl_frame,
    run: &mut dyn FnMut(Option<&Arc<Scope>>, &mut Evaluation<'_>),
) -> Outcome {
    // SAFETY: passed on; the state is reached only through `with`.
    let Some(frame) = (unsafe { frame.cast_const().as_ref() }) else {
        run(None, &mut Evaluation::new(&EvalOptions::default()));
        return Ok(());
    };
    frame.with(|state| {
        let (frame, scope) = state.enter();
        frame.together(|evaluation| run(Some(scope), evaluation));
        Ok(())
    })
}

/// Runs evaluations as [`evaluating`] does, each of which may use what the limits of the frame allow; the deadline and what is
/// held of memory are those of all of them.
///
/// # Safety
/// `frame` is null or live.
pub(crate) unsafe fn evaluating_each(
    frame: *mut hcl_frame,
    run: &mut dyn FnMut(&mut Each<'_>) -> Outcome,
) -> Outcome {
    let before = memory::held();
    // SAFETY: passed on; the state is reached only through `with`.
    let Some(frame) = (unsafe { frame.cast_const().as_ref() }) else {
        return run(&mut Each { state: None, before, used: Usage::default() });
    };
    frame.with(|state| {
        state.enter();
        let mut each = Each { state: Some(&mut *state), before, used: Usage::default() };
        let done = run(&mut each);
        let used = each.used;
        state.set_used(used);
        done
    })
}

/// One evaluation, in the scope of the frame if there is one.
type Step<'r> = dyn FnMut(Option<&Arc<Scope>>, &mut Evaluation<'_>) -> Outcome<Value> + 'r;

/// Evaluations one after the other, whose values are kept together.
pub(crate) struct Each<'s> {
    state: Option<&'s mut FrameState>,
    /// How much the thread held before.
    before: isize,
    used: Usage,
}

impl Each<'_> {
    /// Runs the next evaluation.
    pub(crate) fn next(&mut self, run: &mut Step<'_>) -> Outcome<Value> {
        let Some(state) = &mut self.state else {
            return run(None, &mut Evaluation::new(&EvalOptions::default()));
        };
        state.keep_since(self.before);
        let result = state.frame.together(|evaluation| run(Some(&state.scope), evaluation));
        self.used = self.used.and(state.used());
        result
    }

    /// The limits of each evaluation.
    pub(crate) fn limits(&self) -> Limits {
        self.state.as_ref().map_or_else(Limits::default, |state| state.limits().clone())
    }

    /// An error if with so many bytes the evaluations would hold more than they may together.
    pub(crate) fn check_memory(&mut self, n_bytes: usize) -> Outcome {
        match &mut self.state {
            Some(state) => state.check_memory(n_bytes),
            None if memory::is_to_be_had(n_bytes) => Ok(()),
            None => Err(hcl_status::HCL_ERR_MEMORY.into()),
        }
    }
}

/// A new frame for a sealed scope, its slots empty. The frame keeps the scope. `*out` is owned. HCL_ERR_ARGUMENT: the scope
/// is not sealed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_new(scope: *const hcl_scope, out: *mut *mut hcl_frame) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let scope = Arc::clone(unsafe { get("scope", scope) }?.sealed("scope")?);
        let frame = Frame::new(&scope);
        let state = FrameState {
            scope,
            frame,
            timeout_ns: 0,
            asks: false,
            asking: None,
            used_by_rows: None,
            text: Value::TRUE,
        };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_frame(TryLock::new(state))) };
        Ok(())
    })
}

/// Changes a frame.
///
/// # Safety
/// `frame` is null or live.
unsafe fn change(frame: *mut hcl_frame, body: impl FnOnce(&mut FrameState) -> Outcome) -> hcl_status {
    // SAFETY: passed on; the state is reached only through `with`.
    guard(|| unsafe { get("frame", frame.cast_const()) }?.with(body))
}

/// Sets a slot to what `value` makes.
///
/// # Safety
/// `frame` is null or live.
unsafe fn set(
    frame: *mut hcl_frame,
    slot: usize,
    value: impl FnOnce() -> Outcome<Option<Value>>,
) -> hcl_status {
    // SAFETY: passed on.
    unsafe { change(frame, |state| state.set(slot, value()?)) }
}

/// Sets a slot; null empties it. The frame takes a reference of its own. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set(
    frame: *mut hcl_frame,
    slot: usize,
    value: *const hcl_value,
) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    let same = || Ok(unsafe { value.as_ref() }.map(|value| value.value().clone()));
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, same) }
}

/// Sets a slot to a text, which is copied. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_str(
    frame: *mut hcl_frame,
    slot: usize,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let string = || Ok(Some(Value::string(unsafe { text_in("text", text, text_len) }?)));
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, string) }
}

/// Sets a slot to a whole number. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_i64(frame: *mut hcl_frame, slot: usize, value: i64) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, || Ok(Some(Value::int(value)))) }
}

/// Sets a slot to a whole number. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_u64(frame: *mut hcl_frame, slot: usize, value: u64) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, || Ok(Some(Value::number(Number::from_u64(value))))) }
}

/// Sets a slot to the number that a double is. HCL_ERR_RANGE: it is not a number, or the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_f64(frame: *mut hcl_frame, slot: usize, value: f64) -> hcl_status {
    let number = || Ok(Some(Value::number(Number::from_f64(value).ok_or(hcl_status::HCL_ERR_RANGE)?)));
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, number) }
}

/// Sets a slot to `true` or `false`. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_bool(frame: *mut hcl_frame, slot: usize, value: bool) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, || Ok(Some(Value::bool(value)))) }
}

/// Sets a slot to a null of no particular type. HCL_ERR_RANGE: the scope has no such slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_null(frame: *mut hcl_frame, slot: usize) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { set(frame, slot, || Ok(Some(Value::null(Type::Dynamic)))) }
}

/// Empties all slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_reset(frame: *mut hcl_frame) -> hcl_status {
    let body = |state: &mut FrameState| {
        state.frame.reset();
        Ok(())
    };
    // SAFETY: null or live, by the contract of the interface.
    unsafe { change(frame, body) }
}

/// Sets the limits of later evaluations; null gives the defaults back. The struct is copied. Each evaluation may use them
/// up, and its time begins with it. A switch in the struct takes the place of that of `hcl_frame_set_cancel`; without
/// one, or with null for the struct, that stays, until `hcl_frame_set_cancel` takes it away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_limits(
    frame: *mut hcl_frame,
    limits: *const hcl_limits,
) -> hcl_status {
    let body = |state: &mut FrameState| {
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let fields: hcl_limits = unsafe { extensible_struct::read("limits", limits) }?;
        state.timeout_ns = fields.timeout_ns;
        // SAFETY: null or live, by the contract of the interface.
        let cancel = unsafe { switch(fields.cancel) }.or_else(|| state.frame.limits().cancel.clone());
        *state.frame.limits_mut() = Limits { cancel, ..fields.bounds() };
        Ok(())
    };
    // SAFETY: null or live, by the contract of the interface.
    unsafe { change(frame, body) }
}

/// Sets the switch that stops later evaluations; null takes it away. The frame keeps the switch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_cancel(
    frame: *mut hcl_frame,
    cancel: *const hcl_cancel,
) -> hcl_status {
    let body = |state: &mut FrameState| {
        // SAFETY: null or live, by the contract of the interface.
        state.frame.limits_mut().cancel = unsafe { cancel.as_ref() }.map(|cancel| cancel.0.clone());
        Ok(())
    };
    // SAFETY: null or live, by the contract of the interface.
    unsafe { change(frame, body) }
}

/// Sets what functions may ask of the outside world in later evaluations; null takes it away, as it is at first. The
/// frame keeps the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_host(frame: *mut hcl_frame, host: *const hcl_host) -> hcl_status {
    let body = |state: &mut FrameState| {
        // SAFETY: null or live, by the contract of the interface.
        state.set_host(unsafe { host.as_ref() }.map(|host| host.0.clone()));
        Ok(())
    };
    // SAFETY: null or live, by the contract of the interface.
    unsafe { change(frame, body) }
}

/// The usage of the last call that evaluated with this frame, all its evaluations together. A program uses what its expression
/// uses once. With limits of what was used the evaluation gives the same, but max_memory has to be more where the evaluation
/// holds more of the allocator than it makes. Of several evaluations, `max_elements` is the larger of the elements that all of
/// them put into collections and the parts of the largest value. `timeout_ns` is 0 and `cancel` null. Set `out->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_used(frame: *const hcl_frame, out: *mut hcl_limits) -> hcl_status {
    let body = |state: &mut FrameState| {
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &hcl_limits::used(state.used())) }
    };
    // SAFETY: null or live, by the contract of the interface; the state is reached only through `with`.
    guard(|| unsafe { get("frame", frame) }?.with(body))
}

/// Releases a frame. Null is ignored. A frame that is in use must not be released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_free(frame: *mut hcl_frame) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(frame) });
}

impl FrameState {
    /// Evaluates a program whose slots are all filled.
    #[inline] // By a call an evaluation of a bool takes 5 % more instructions.
    fn evaluate(&mut self, program: &Program, said: &mut Diagnostics) -> Outcome<Value> {
        self.begin(program)?;
        self.evaluate_row(program, said)
    }

    /// Makes ready for evaluations of a program, whose deadline runs from now on.
    #[inline] // By a call an evaluation of a bool takes 2 % more instructions.
    pub(crate) fn begin(&mut self, program: &Program) -> Outcome {
        if !Arc::ptr_eq(program.scope(), &self.scope) {
            return Err(Failure::argument("frame", "belongs to another scope than the program."));
        }
        self.enter();
        Ok(())
    }

    /// An error if a slot of a program is empty, unless it gets its value elsewhere or there is a resolver.
    pub(crate) fn check_bound(&self, program: &Program, is_elsewhere: impl Fn(usize) -> bool) -> Outcome {
        let empty = |slot: &&usize| self.frame.get(**slot).is_none() && !is_elsewhere(**slot);
        if !self.asks
            && let Some(&slot) = program.needs().iter().find(empty)
        {
            return Err(unbound(&self.scope, slot));
        }
        Ok(())
    }

    /// Evaluates over columns after [`FrameState::begin`].
    #[cfg(feature = "arrow")]
    pub(crate) fn columns(
        &mut self,
        program: &Program,
        columns: Vec<(usize, Column<'_>)>,
        n_rows: usize,
        options: &ColumnsOptions,
    ) -> Result<Evaluated, Diagnostics> {
        let done = program.evaluate_columns(&mut self.frame, columns, n_rows, options);
        // Later evaluations hold nothing of the columns.
        self.frame.limits_mut();
        done
    }

    /// The meter of the last evaluation, for work on what it gave.
    #[cfg(feature = "arrow")]
    pub(crate) fn meter(&mut self) -> &mut Meter {
        self.frame.meter()
    }

    /// Evaluates once after [`FrameState::begin`]. Nothing has been said yet.
    pub(crate) fn evaluate_row(&mut self, program: &Program, said: &mut Diagnostics) -> Outcome<Value> {
        self.check_bound(program, |_| false)?;
        let value = program.evaluate_into(&mut self.frame, said);
        if !said.is_empty() {
            check(said)?;
        }
        Ok(value)
    }

    /// Evaluates an expression and tells how its value came about, with the frame whose limits hold for writing that.
    #[cfg(feature = "explain")]
    pub(crate) fn explain<'t>(
        &mut self,
        expression: Expression<'t>,
        bounds: &ExplainOptions,
        said: &mut Diagnostics,
    ) -> (&mut Frame, Explanation<'t>) {
        let (frame, scope) = self.enter();
        let (_, diagnostics, explanation) = frame.explain(expression, scope, bounds);
        *said = diagnostics;
        (frame, explanation)
    }

    /// The way into an evaluation: its deadline runs from now on, and the host is told the limits. Nothing is evaluated with
    /// the frame otherwise.
    #[inline] // By a call an evaluation of a bool takes 2 % more instructions.
    fn enter(&mut self) -> (&mut Frame, &Arc<Scope>) {
        self.used_by_rows = None;
        if self.timeout_ns != 0 {
            self.frame.limits_mut().deadline = deadline(self.timeout_ns);
        }
        if let Some(asking) = &self.asking {
            asking.begin(self.frame.limits());
        }
        (&mut self.frame, &self.scope)
    }

    /// Sets who is asked for the outside world.
    fn set_host(&mut self, host: Option<HostKind>) {
        self.asking = None;
        let host: Option<Arc<dyn Host>> = match host {
            None => None,
            Some(HostKind::Own(host)) => Some(host),
            Some(HostKind::Callbacks(host)) => {
                let asking = Arc::new(Asking::new(host));
                asking.set_user(pointer(self.frame.user()));
                self.asking = Some(Arc::clone(&asking));
                Some(asking)
            }
        };
        self.frame.set_host(host);
    }

    /// Sets what callbacks are told of later evaluations.
    pub(crate) fn set_user(&mut self, user: Option<User>) {
        if let Some(asking) = &self.asking {
            asking.set_user(pointer(user.as_ref()));
        }
        self.frame.set_user(user);
    }

    /// Sets who is asked for slots that are empty.
    pub(crate) fn ask(&mut self, resolver: Option<(CallbackResolver, Keep)>) {
        self.asks = resolver.is_some();
        match resolver {
            Some((resolver, keep)) => self.frame.set_resolver(Some(Arc::new(resolver)), keep),
            None => self.frame.set_resolver(None, Keep::default()),
        }
    }

    /// Sets a slot; `None` empties it.
    #[inline] // By calls of this and of `bytes_in`, to set a text and a number takes 9 % more instructions.
    pub(crate) fn set(&mut self, slot: usize, value: Option<Value>) -> Outcome {
        if slot >= self.scope.n_slots() {
            return Err(hcl_status::HCL_ERR_RANGE.into());
        }
        self.frame.set(slot, value);
        Ok(())
    }

    /// Returns the usage of the last evaluation.
    pub(crate) fn used(&self) -> Usage {
        self.used_by_rows.unwrap_or_else(|| self.frame.used())
    }

    /// Ends a call that evaluated several times; what its results hold is no longer counted.
    pub(crate) fn set_used(&mut self, used: Usage) {
        self.used_by_rows = Some(used);
        self.frame.limits_mut();
    }

    /// The limits of evaluations.
    pub(crate) fn limits(&self) -> &Limits {
        self.frame.limits()
    }

    /// How many diagnostics one call gives at most.
    pub(crate) fn max_diagnostics(&self) -> usize {
        self.frame.limits().max_diagnostics as usize
    }

    /// An error if a buffer of so many bytes would become longer than a text may be.
    pub(crate) fn check_room(&self, held: usize, more: usize) -> Outcome {
        let most = self.frame.limits().max_output_bytes;
        if (held as u64).saturating_add(more as u64) <= most {
            return Ok(());
        }
        let detail = format!("The results of the rows are together longer than the limit of {most} bytes.");
        Err(no_room(LimitReached::OutputBytes(most), "Too much text", detail))
    }

    /// An error if with so many bytes the call would hold more than it may. 0 is not even asked about.
    pub(crate) fn check_memory(&mut self, n_bytes: usize) -> Outcome {
        match if n_bytes == 0 { Ok(()) } else { self.frame.hold(n_bytes) } {
            Ok(()) => return Ok(()),
            Err(LimitReached::OutOfMemory) => return Err(hcl_status::HCL_ERR_MEMORY.into()),
            Err(_) => {}
        }
        let most = self.frame.limits().max_memory;
        let detail = format!("The results need together more memory than the limit of {most} bytes.");
        Err(no_room(LimitReached::Memory(most), "Too much memory", detail))
    }

    /// Results kept since the thread held `before` count for the evaluations that follow in this call.
    pub(crate) fn keep_since(&mut self, before: isize) {
        self.frame.keep_since(before);
    }

    /// Adds the parts of a value to `weight`; an error if values would have more of them together than one may.
    pub(crate) fn check_weight(&self, weight: &mut u64, value: &Value) -> Outcome {
        let most = self.frame.limits().max_elements;
        let sum = weight.saturating_add(u64::from(value.weight().saturating_sub(1)));
        if sum <= most {
            *weight = sum;
            return Ok(());
        }
        let detail = format!("The results of the rows have together more than the limit of {most} elements.");
        Err(no_room(LimitReached::Elements(most), "Too many elements", detail))
    }
}

fn unbound(scope: &Scope, slot: usize) -> Failure {
    let name = scope.slot_name(slot).unwrap_or_default();
    let detail = format!(
        "The expression needs \"{name}\", but slot {slot} of the frame is empty. Set it before evaluating."
    );
    Failure {
        status: hcl_status::HCL_ERR_UNBOUND,
        diagnostics: vec![Diagnostic::error("api.unbound", "Slot without a value", detail)],
    }
}

/// Evaluates a program and passes the value on.
///
/// # Safety
/// The pointers are as the interface asks.
unsafe fn run(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    diags: *mut *mut hcl_diags,
    done: impl FnOnce(Value, &mut FrameState, &Program) -> Outcome,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        // SAFETY: null or live, by the contract of the interface.
        let program = unsafe { get("program", program) }?;
        // SAFETY: as above; the state is reached only through `with`.
        let frame = unsafe { get("frame", frame.cast_const()) }?;
        frame.with(|state| {
            let value = state.evaluate(program.program(), said)?;
            done(value, state, program.program())
        })
    };
    // SAFETY: passed on.
    unsafe { guard_with(diags, body) }
}

/// Evaluates a program with the values of a frame. Both must be of the same scope.
///
/// HCL_OK: `*value` is owned. HCL_ERR_DIAGNOSTICS: the evaluation failed, `*value` is not written. HCL_ERR_UNBOUND: a slot
/// of the program (`hcl_program_needs_at`) is empty, even if this evaluation would not have come to it, and there is no
/// resolver. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped. HCL_ERR_CALLBACK: a callback failed and
/// did not say why. HCL_ERR_BUSY: the frame is in use. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let done = |result, _: &mut FrameState, _: &Program| {
        check_out("value", value)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(value, hcl_value::new(result)) };
        Ok(())
    };
    // SAFETY: as the interface asks.
    unsafe { run(program, frame, diags, done) }
}

impl FrameState {
    /// A result as a plain known value of the wanted type.
    fn scalar(&mut self, result: &Value, wanted: &Type, program: &Program) -> Outcome<Value> {
        let mut no = |status, reason: &str| Err(self.unsuitable(status, wanted, reason, program));
        if result.is_marked() {
            return no(hcl_status::HCL_ERR_MARKED, "it has marks");
        }
        if !result.is_known() {
            return no(hcl_status::HCL_ERR_UNKNOWN, "it is not known");
        }
        if result.is_null() {
            return no(hcl_status::HCL_ERR_TYPE, "it is null");
        }
        convert(result, wanted).or_else(|error| no(hcl_status::HCL_ERR_TYPE, &error.detail()))
    }

    /// Why the result of an expression can't be read.
    fn unsuitable(&mut self, status: hcl_status, wanted: &Type, reason: &str, program: &Program) -> Failure {
        let expression = program.expression();
        let detail = format!("The result can't be read as {}: {reason}.", wanted.friendly_name());
        let complaint = Diagnostic::error("api.result", "Unsuitable result", detail);
        let placed = self.frame.placed(complaint, expression.tree().source(), expression.span());
        Failure { status, diagnostics: vec![placed] }
    }
}

/// Evaluates a condition, without a handle for the result. As `hcl_eval`; the result is converted to bool, and
/// HCL_ERR_TYPE, HCL_ERR_UNKNOWN and HCL_ERR_MARKED are as for `hcl_value_as_bool`, with a diagnostic at the expression.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_bool(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    out: *mut bool,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let done = |result: Value, state: &mut FrameState, program: &Program| {
        check_out("out", out)?;
        let read = match result.as_bool() {
            Some(read) if !result.is_marked() => {
                // A bool has nothing to release: 679 instructions for a call, and 708 where that is found out.
                mem::forget(result);
                read
            }
            _ => state.scalar(&result, &Type::Bool, program)?.as_bool().ok_or(hcl_status::HCL_ERR_TYPE)?,
        };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        Ok(())
    };
    // SAFETY: as the interface asks.
    unsafe { run(program, frame, diags, done) }
}

/// Evaluates to a whole number, without a handle for the result. As `hcl_eval_bool`; HCL_ERR_RANGE as for
/// `hcl_value_as_i64`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_i64(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    out: *mut i64,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let done = |result: Value, state: &mut FrameState, program: &Program| {
        check_out("out", out)?;
        let value = state.scalar(&result, &Type::Number, program)?;
        let number = value.as_number().ok_or(hcl_status::HCL_ERR_TYPE)?;
        let whole = number.to_i64().ok_or_else(|| {
            let reason = "it is not a whole number that fits into 64 bits";
            state.unsuitable(hcl_status::HCL_ERR_RANGE, &Type::Number, reason, program)
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, whole) };
        Ok(())
    };
    // SAFETY: as the interface asks.
    unsafe { run(program, frame, diags, done) }
}

/// Evaluates to the double nearest to a number, without a handle for the result. As `hcl_eval_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_f64(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    out: *mut f64,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let done = |result: Value, state: &mut FrameState, program: &Program| {
        check_out("out", out)?;
        let value = state.scalar(&result, &Type::Number, program)?;
        let number = value.as_number().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, number.to_f64()) };
        Ok(())
    };
    // SAFETY: as the interface asks.
    unsafe { run(program, frame, diags, done) }
}

/// Evaluates to a text, without a handle for the result. `*out` is borrowed from the frame until the next call on it.
/// As `hcl_eval_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_str(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    out: *mut hcl_str,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let done = |result: Value, state: &mut FrameState, program: &Program| {
        check_out("out", out)?;
        state.text = state.scalar(&result, &Type::String, program)?;
        let text = state.text.as_str().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, hcl_str::from(text)) };
        Ok(())
    };
    // SAFETY: as the interface asks.
    unsafe { run(program, frame, diags, done) }
}

/// Evaluates an expression once, without compiling it, in the scope and with the values of a frame. A slot that is empty
/// is an error only if the evaluation comes to it: HCL_ERR_DIAGNOSTICS at the name. Otherwise as `hcl_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_eval(
    expr: *const hcl_expr,
    frame: *mut hcl_frame,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        // SAFETY: as above; the state is reached only through `with`.
        let frame = unsafe { get("frame", frame.cast_const()) }?;
        frame.with(|state| {
            let (frame, scope) = state.enter();
            let (result, diagnostics) = frame.evaluate(expr.expression(), scope);
            *said = diagnostics;
            check(said)?;
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out(value, hcl_value::new(result)) };
            Ok(())
        })
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}
