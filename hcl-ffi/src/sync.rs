//! What `turn` synchronises with: in the library the standard library's own. A test puts a model checker's in its
//! place.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
