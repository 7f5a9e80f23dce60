//! Signals that end the process: it ends between two files that it replaces, not within one, and leaves the terminal as it was.
//!
//! No handler is installed, so that a signal has the effect that it has without this module: it ends the process, with the
//! status that shells know, or is ignored where the process was started so, as by `nohup`. The threads that write block it,
//! and one thread takes it, which waits for the replacements under way.

use std::io;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::thread;

use nix::sys::signal::{SigSet, SigmaskHow, Signal, raise};
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};

/// Held by each replacement under way, and by the thread that lets a signal have its effect.
static REPLACING: RwLock<()> = RwLock::new(());

/// True once a thread takes the signals.
static ARE_TAKEN: LazyLock<bool> = LazyLock::new(|| thread::Builder::new().spawn(take).is_ok());

/// The settings of the terminal that a signal leaves behind; without them it leaves those of the moment.
static TERMINAL: OnceLock<Mutex<Termios>> = OnceLock::new();

/// Signals held back from this thread, and from those that it starts, until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldBack {
    /// The mask of the thread before.
    before: SigSet,
}

impl HeldBack {
    /// Holds back the signals; none where nobody could take them, so that they end the process at once.
    pub(crate) fn new() -> Option<Self> {
        let before = signals().thread_swap_mask(SigmaskHow::SIG_BLOCK).ok()?;
        // The thread that takes them begins with the mask of this one.
        let held = Self { before };
        ARE_TAKEN.then_some(held)
    }
}

impl Drop for HeldBack {
    fn drop(&mut self) {
        // A set that the system gave is one that it takes.
        let _ = self.before.thread_set_mask();
    }
}

/// Begins a replacement, which signals that are held back wait for until the guard is dropped.
pub(crate) fn replacement() -> RwLockReadGuard<'static, ()> {
    REPLACING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Lets a signal that ends the process leave the terminal as it is now, and not as a line editor has it while it reads keys.
pub(crate) fn keep_terminal() {
    if let Ok(settings) = tcgetattr(io::stdin()) {
        TERMINAL.get_or_init(|| Mutex::new(settings));
    }
}

fn signals() -> SigSet {
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect()
}

/// Lets each signal have its effect when no replacement is under way.
fn take() {
    while let Ok(signal) = signals().wait() {
        let _none = REPLACING.write().unwrap_or_else(PoisonError::into_inner);
        // Ctrl-C is a key to a line editor, and cancels an evaluation while none reads keys.
        if signal != Signal::SIGINT
            && let Some(settings) = TERMINAL.get()
        {
            let settings = settings.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &settings);
        }
        let alone = SigSet::from(signal);
        // The process lives on only if the signal is ignored, or handled by a program that this command is part of.
        let _ = raise(signal).and_then(|()| alone.thread_unblock()).and_then(|()| alone.thread_block());
    }
}
