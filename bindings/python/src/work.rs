//! Work without the interpreter's lock, which Ctrl-C ends.
//!
//! Python runs handlers of signals on its main thread only, between instructions of its own; so an evaluation there is
//! done by another thread while the main thread looks for signals. That costs more than most evaluations take: those
//! that call nothing of Python are first tried where they are, within a budget of steps that takes a millisecond.
//! Functions of Python run on the thread of the caller, where Ctrl-C reaches them.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use hcl_eval::limits::{CancelToken, Limits};
use hcl_syntax::diagnostic::Diagnostics;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How many steps may be taken before the main thread makes itself free for signals.
const QUICK_STEPS: u64 = 20_000;
/// How often it looks for them.
const LOOK: Duration = Duration::from_millis(20);

/// The bounds that Python gives, in seconds and steps.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    timeout: Option<Duration>,
    limits: Limits,
}

impl Bounds {
    /// Of the arguments `timeout` and `max_steps`.
    pub(crate) fn new(timeout: Option<f64>, max_steps: Option<u64>) -> PyResult<Self> {
        let timeout = timeout
            .map(|seconds| {
                Duration::try_from_secs_f64(seconds).map_err(|_| {
                    PyValueError::new_err(format!("timeout is to be a number of seconds, not {seconds}"))
                })
            })
            .transpose()?;
        let mut limits = Limits::default();
        if let Some(steps) = max_steps {
            limits.max_steps = steps;
        }
        Ok(Self { timeout, limits })
    }

    /// The limits of work that begins now.
    pub(crate) fn start(&self) -> Limits {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Limits { deadline, ..self.limits.clone() }
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    Ok(threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?))
}

/// Evaluates: without the lock, and so that Ctrl-C ends it. `run` is called again if the first try was cut short.
pub(crate) fn evaluating<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    calls_python: bool,
    run: impl Fn(&Limits) -> (T, Diagnostics) + Sync + Send,
) -> PyResult<(T, Diagnostics)> {
    if calls_python {
        return once(py, limits, true, run);
    }
    let quick = Limits { max_steps: limits.max_steps.min(QUICK_STEPS), ..limits.clone() };
    let result = py.detach(|| run(&quick));
    let was_cut = quick.max_steps < limits.max_steps && result.1.iter().any(|one| one.code == "limit.steps");
    if !was_cut {
        return Ok(result);
    }
    once(py, limits, false, run)
}

/// Works without the lock, and so that Ctrl-C ends it; without a first try, for work that takes long.
pub(crate) fn once<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    calls_python: bool,
    run: impl Fn(&Limits) -> T + Sync + Send,
) -> PyResult<T> {
    if !calls_python && is_main_thread(py)? {
        return interruptible(py, limits, run);
    }
    let result = py.detach(|| run(limits));
    py.check_signals()?;
    Ok(result)
}

/// Runs on another thread while this one looks for signals.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    run: impl Fn(&Limits) -> T + Sync + Send,
) -> PyResult<T> {
    let cancel = CancelToken::new();
    let limits = Limits { cancel: Some(cancel.clone()), ..limits.clone() };
    py.detach(|| {
        std::thread::scope(|threads| {
            let (tell, told) = sync_channel(1);
            threads.spawn(|| {
                let tell = tell;
                // The receiver is gone only after Ctrl-C.
                let _ = tell.send(run(&limits));
            });
            loop {
                match told.recv_timeout(LOOK) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                            cancel.trigger();
                            return Err(interrupt);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(PyRuntimeError::new_err("the evaluation ended without a result"));
                    }
                }
            }
        })
    })
}
