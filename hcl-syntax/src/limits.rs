//! Giving up work before it is done, because it is cancelled or because time is up.
//!
//! Work in a loop has a `Watch` and looks at it now and then: a look is an atomic load and perhaps a
//! question to the clock. Work that was given up ends early with what it has, and says so.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::Bounds;
use crate::diagnostic::Diagnostic;
use crate::memory;
use crate::parser::ParseLimits;
use crate::source::Source;

/// A switch that stops work on another thread.
///
/// ```
/// use hcl_syntax::limits::CancelToken;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let cancel = CancelToken::new();
/// let limits = ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() };
/// // Another thread, or the handler of a signal, does this.
/// cancel.trigger();
/// let (_, diagnostics) = parse_file(Source::new("main.hcl", "a = 1\n")?, &limits);
/// assert_eq!(diagnostics[0].code, "limit.cancelled");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Switch>);

/// The state that the clones of a token share.
#[derive(Default)]
struct Switch {
    is_triggered: AtomicBool,
    /// A question of the host at every look.
    asks: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl CancelToken {
    /// A token that is not triggered.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is also triggered as soon as `asks` answers true, on the thread that works, at every look: at least once in
    /// a few milliseconds of work. For hosts that have a switch of their own, and to see how often work looks.
    ///
    /// ```
    /// use hcl_syntax::limits::CancelToken;
    /// use hcl_syntax::parser::{ParseLimits, parse_file};
    /// use hcl_syntax::source::Source;
    ///
    /// let limits = ParseLimits { cancel: Some(CancelToken::asking(|| true)), ..ParseLimits::default() };
    /// let (_, diagnostics) = parse_file(Source::new("main.hcl", "a = 1\n")?, &limits);
    /// assert_eq!(diagnostics[0].code, "limit.cancelled");
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn asking(asks: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Switch { is_triggered: AtomicBool::new(false), asks: Some(Box::new(asks)) }))
    }

    /// Stops everything that holds the token. One atomic store.
    pub fn trigger(&self) {
        self.0.is_triggered.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token has been triggered.
    pub fn is_triggered(&self) -> bool {
        self.0.is_triggered.load(Ordering::Relaxed) || self.0.asks.as_ref().is_some_and(|asks| asks())
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken").field("is_triggered", &self.0.is_triggered).finish_non_exhaustive()
    }
}

/// How much of the time for releasing may lie behind the deadline.
const LATENESS: Duration = Duration::from_millis(5);

/// The reason that work was given up.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stopped {
    /// Time was up.
    Deadline,
    /// The token was triggered.
    Cancelled,
    /// The system has no memory, of which an allocator tells ([`crate::memory`]).
    OutOfMemory,
}

impl Stopped {
    /// Returns the reason to end work with this token and this deadline now, if there is one.
    ///
    /// Time is up while there is still enough to release what the work has made.
    pub fn now(cancel: Option<&CancelToken>, deadline: Option<Instant>) -> Option<Self> {
        Self::in_advance(Duration::ZERO, cancel, deadline)
    }

    /// [`Stopped::now`] for work that takes so long and that nothing interrupts.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use hcl_syntax::limits::Stopped;
    ///
    /// let soon = Some(Instant::now() + Duration::from_secs(60));
    /// assert_eq!(Stopped::in_advance(Duration::from_secs(1), None, soon), None);
    /// assert_eq!(Stopped::in_advance(Duration::from_secs(90), None, soon), Some(Stopped::Deadline));
    /// ```
    pub fn in_advance(
        time: Duration,
        cancel: Option<&CancelToken>,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        let is_over = |deadline| {
            let now = Instant::now();
            now + time + memory::time_to_release(now).saturating_sub(LATENESS) >= deadline
        };
        if memory::has_run_out() {
            Some(Self::OutOfMemory)
        } else if cancel.is_some_and(CancelToken::is_triggered) {
            Some(Self::Cancelled)
        } else if deadline.is_some_and(is_over) {
            Some(Self::Deadline)
        } else {
            None
        }
    }

    /// The code of the diagnostic that reports it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Deadline => "limit.deadline",
            Self::Cancelled => "limit.cancelled",
            Self::OutOfMemory => "limit.out_of_memory",
        }
    }

    /// Returns whether a diagnostic of this code reports that work was given up.
    pub(crate) fn is_code(code: &str) -> bool {
        [Self::Deadline, Self::Cancelled, Self::OutOfMemory].iter().any(|stopped| stopped.code() == code)
    }

    /// It in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Deadline => "Out of time",
            Self::Cancelled => "Cancelled",
            Self::OutOfMemory => "Out of memory",
        }
    }

    /// Says in a sentence why `work` ended.
    pub fn sentence(self, work: &str) -> String {
        match self {
            Self::Deadline => {
                format!("{work} could not finish before its deadline. Do less, or allow more time.")
            }
            Self::Cancelled => format!("{work} was cancelled."),
            Self::OutOfMemory => format!("{work} needs more memory than the system has."),
        }
    }

    /// The diagnostic that reports it for the source of this name. It has no place: a place would have to be looked for,
    /// in all of the text.
    pub fn diagnostic(self, work: &str, name: &str) -> Diagnostic {
        let work = format!("{work} \"{name}\"");
        Diagnostic::error(self.code(), self.summary(), self.sentence(&work))
    }
}

/// How much may be done between two looks: about a quarter of a millisecond's work.
const STRIDE: usize = 4096;

/// How much of a text is read between two looks, give or take a token.
pub(crate) const BYTES_PER_LOOK: usize = 1 << 16;

/// How much memory is given back between two looks.
const BYTES_PER_RELEASE: usize = 1 << 22;

/// Work that has taken so many bytes may need more than the reserve for the next ones.
const MUCH_MEMORY: usize = 1 << 16;

/// The memory that a byte of a text takes, beside the growth of lists.
const MEMORY_OF_BYTE: usize = 64;

/// The memory that a text of [`BYTES_PER_LOOK`] takes, beside the growth of lists.
const BYTES_BETWEEN_LOOKS: usize = MEMORY_OF_BYTE * BYTES_PER_LOOK;

/// A text of up to so many bytes takes no more memory than the reserve has.
pub(crate) const SHORT_TEXT: usize = 1 << 11;

/// How much of a text is as much work as a small piece of it.
const BYTES_PER_STEP: usize = BYTES_PER_LOOK / STRIDE;

/// The bounds that one piece of work looks at. Once it should end, it always should.
#[derive(Debug)]
pub(crate) struct Watch {
    deadline: Option<Instant>,
    cancel: Option<CancelToken>,
    /// The bytes that the thread held when work began that asks for memory.
    asks_since: Option<isize>,
    /// From so many bytes on it asks again.
    asks_from: Cell<usize>,
    /// The work that is left before the next look.
    fuel: Cell<usize>,
    stopped: Cell<Option<Stopped>>,
}

impl Watch {
    /// The watch of work under these limits, which begins now; perhaps it is over already.
    pub(crate) fn new(limits: &ParseLimits) -> Self {
        let watch = Self {
            deadline: limits.deadline,
            cancel: limits.cancel.clone(),
            asks_since: limits.asks_for_memory.then(memory::held),
            asks_from: Cell::new(MUCH_MEMORY),
            fuel: Cell::new(STRIDE),
            stopped: Cell::new(None),
        };
        watch.look();
        watch
    }

    /// The watch of work on a source, which is over if the text was not read.
    pub(crate) fn of(source: &Source, limits: &ParseLimits) -> Self {
        let watch = Self::new(limits);
        // The memory until the next look is asked for, too. For a short text the reserve has enough.
        let len = source.text().len().min(BYTES_PER_LOOK);
        if len > SHORT_TEXT {
            watch.has_room(MEMORY_OF_BYTE * len + 2 * MUCH_MEMORY);
        }
        if let stopped @ Some(_) = source.stopped() {
            watch.stopped.set(stopped);
            watch.look();
        }
        watch
    }

    /// The watch of work that nothing stops.
    pub(crate) const fn idle() -> Self {
        Self {
            deadline: None,
            cancel: None,
            asks_since: None,
            asks_from: Cell::new(MUCH_MEMORY),
            fuel: Cell::new(STRIDE),
            stopped: Cell::new(None),
        }
    }

    /// The watch of work that only a lack of memory ends, and that takes so many bytes until the first look.
    pub(crate) fn asking(bytes: usize) -> Self {
        let watch = Self::new(&ParseLimits { asks_for_memory: true, ..ParseLimits::default() });
        watch.has_room(bytes);
        watch
    }

    /// Returns whether something might stop the work.
    pub(crate) fn is_idle(&self) -> bool {
        let is_unbound = self.deadline.is_none() && self.cancel.is_none() && !memory::may_run_out();
        is_unbound && self.stopped.get().is_none()
    }

    /// How much of a list of `len` things may be done before the next look, after `done` of them.
    pub(crate) fn next_look(&self, done: usize, len: usize, stride: usize) -> usize {
        if self.is_idle() {
            len
        } else if self.stopped.get().is_some() {
            done.min(len)
        } else {
            done.saturating_add(stride).min(len)
        }
    }

    /// Goes through `bytes` from `pos` on to where `stop` says, stretch by stretch with a look after each; to the end if the
    /// work is to end.
    pub(crate) fn run(&self, bytes: &[u8], mut pos: usize, stop: impl Fn(&[u8], usize) -> usize) -> usize {
        loop {
            let stretch = &bytes[..self.next_look(pos, bytes.len(), BYTES_PER_LOOK)];
            pos = stop(stretch, pos);
            if pos < stretch.len() || stretch.len() == bytes.len() {
                return pos;
            }
            if self.look().is_some() {
                return bytes.len();
            }
        }
    }

    /// Where something is found in `bytes`, stretch by stretch with a look after each; nothing if the work is to end. `find`
    /// looks for a single byte.
    pub(crate) fn find(&self, bytes: &[u8], find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        match bytes.get(..BYTES_PER_LOOK) {
            None => find(bytes),
            Some(near) => find(near).or_else(|| self.find_far(bytes, find)),
        }
    }

    fn find_far(&self, bytes: &[u8], find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        self.look();
        let end = self.run(bytes, BYTES_PER_LOOK, |part, pos| {
            find(part.get(pos..).unwrap_or_default()).map_or(part.len(), |at| pos + at)
        });
        (end < bytes.len()).then_some(end)
    }

    /// Returns whether a stretch of `bytes` has what is asked for; no if the work is to end.
    pub(crate) fn any(&self, bytes: &[u8], mut has: impl FnMut(&[u8]) -> bool) -> bool {
        self.in_stretches(bytes, |stretch| if has(stretch) { Break(()) } else { Continue(()) }).is_some()
    }

    /// Returns whether all of a list are as asked for, as far as they have been looked at if the work is to end.
    pub(crate) fn all<T>(&self, list: &[T], mut is_so: impl FnMut(&T) -> bool) -> bool {
        let of_stretch =
            |stretch: &[T]| if stretch.iter().all(&mut is_so) { Continue(()) } else { Break(()) };
        self.in_stretches(list, of_stretch).is_none()
    }

    /// Works on the stretches of a list until the work breaks or is to end: on the first at once, before each further one with
    /// a look.
    pub(crate) fn in_stretches<T, B>(
        &self,
        list: &[T],
        mut work: impl FnMut(&[T]) -> ControlFlow<B>,
    ) -> Option<B> {
        let (first, rest) = list.split_at(list.len().min(BYTES_PER_LOOK / size_of::<T>().max(1)));
        match work(first) {
            Break(found) => Some(found),
            Continue(()) if rest.is_empty() => None,
            Continue(()) => self.in_further_stretches(rest, &mut work),
        }
    }

    #[cold] // Without it `parse_json` takes 4 % more instructions.
    fn in_further_stretches<T, B>(
        &self,
        list: &[T],
        work: &mut dyn FnMut(&[T]) -> ControlFlow<B>,
    ) -> Option<B> {
        match self.look() {
            Some(_) => None,
            None => self.stretches(list).try_for_each(work).break_value(),
        }
    }

    /// The stretches of a list, with a look between each two of them; no more of them if the work is to end.
    pub(crate) fn stretches<'l, T>(&self, list: &'l [T]) -> impl Iterator<Item = &'l [T]> {
        let mut may_go_on = self.stopped.get().is_none();
        list.chunks(BYTES_PER_LOOK / size_of::<T>().max(1))
            .take_while(move |_| std::mem::replace(&mut may_go_on, false) || self.look().is_none())
    }

    /// Makes room in a list for `n` more: what a long list has is moved stretch by stretch with looks between, and stays where it
    /// is if the work is to end.
    pub(crate) fn make_room<T: Copy>(&self, list: &mut Vec<T>, n: usize) {
        let is_short = (list.len() + n).saturating_mul(size_of::<T>()) <= BYTES_PER_LOOK;
        if is_short || n <= list.capacity() - list.len() || self.is_idle() {
            list.reserve(n);
        } else {
            self.make_room_elsewhere(list, n);
        }
    }

    fn make_room_elsewhere<T: Copy>(&self, list: &mut Vec<T>, n: usize) {
        let capacity = list.len() + n.max(list.len());
        if !self.has_room(capacity.saturating_mul(size_of::<T>())) {
            return;
        }
        let mut longer = Vec::with_capacity(capacity);
        self.stretches(list).for_each(|stretch| longer.extend_from_slice(stretch));
        if self.stopped.get().is_none() {
            *list = longer;
        }
    }

    /// Gives the memory of a list back, from its end and piece by piece with a look before each: the system takes its time for
    /// every page.
    pub(crate) fn release<T: Copy>(&self, mut list: Vec<T>) {
        list.clear();
        let stride = BYTES_PER_RELEASE / size_of::<T>().max(1);
        while list.capacity() > stride && !self.is_idle() && self.look().is_none() {
            list.shrink_to(list.capacity() - stride);
        }
    }

    /// Appends a text, stretch by stretch with a look before each but the first; the beginning of it if the work is to end.
    pub(crate) fn append(&self, text: &str, out: &mut String) {
        if text.len() <= BYTES_PER_LOOK {
            out.push_str(text);
        } else {
            self.append_long(text, out);
        }
    }

    fn append_long(&self, text: &str, out: &mut String) {
        if text.len() > out.capacity() - out.len() {
            if !self.has_room(out.len() + text.len().max(out.len())) {
                return;
            }
            out.reserve(text.len());
        }
        let mut rest = text;
        while !rest.is_empty() && self.look().is_none() {
            let (stretch, after) = rest.split_at(rest.ceil_char_boundary(BYTES_PER_LOOK));
            out.push_str(stretch);
            rest = after;
        }
    }

    /// Texts one behind the other, with looks as in [`Watch::append`]; the beginning of it all if the work is to end.
    pub(crate) fn joined(&self, texts: &[&str]) -> String {
        let len = texts.iter().map(|text| text.len()).sum();
        if !self.has_room(len) {
            return String::new();
        }
        let mut joined = String::with_capacity(len);
        texts.iter().for_each(|text| self.append(text, &mut joined));
        joined
    }

    /// A text without the blanks that it begins with; perhaps with some of them if the work is to end.
    pub(crate) fn trim_start<'t>(&self, text: &'t str) -> &'t str {
        if text.len() <= BYTES_PER_LOOK { text.trim_start() } else { self.trim_start_of_long(text) }
    }

    fn trim_start_of_long<'t>(&self, mut text: &'t str) -> &'t str {
        loop {
            let (stretch, after) = text.split_at(text.ceil_char_boundary(BYTES_PER_LOOK));
            let len = stretch.trim_start().len();
            text = &text[stretch.len() - len..];
            if len > 0 || after.is_empty() || self.look().is_some() {
                return text;
            }
        }
    }

    /// A text without the blanks that it ends with; perhaps with some of them if the work is to end.
    pub(crate) fn trim_end<'t>(&self, text: &'t str) -> &'t str {
        if text.len() <= BYTES_PER_LOOK { text.trim_end() } else { self.trim_end_of_long(text) }
    }

    fn trim_end_of_long<'t>(&self, mut text: &'t str) -> &'t str {
        loop {
            let start = text.floor_char_boundary(text.len().saturating_sub(BYTES_PER_LOOK));
            let len = text[start..].trim_end().len();
            text = &text[..start + len];
            if len > 0 || start == 0 || self.look().is_some() {
                return text;
            }
        }
    }

    /// Why the work is to end, as far as has been seen.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// Looks whether the work is to end.
    pub(crate) fn look(&self) -> Option<Stopped> {
        if self.stopped.get().is_none() {
            let stopped = Stopped::now(self.cancel.as_ref(), self.deadline);
            self.stopped.set(stopped.or_else(|| self.lacks_memory()));
        }
        if self.stopped.get().is_some() {
            // Whatever counts from now on is told at once.
            self.fuel.set(0);
        }
        self.stopped.get()
    }

    /// Asks the system for twice as much again as the work has taken by now, if that is much: several lists may grow to twice
    /// their length before the next look, and most requests can't be refused once they have been made. It asks again when there
    /// is an eighth more: each template of a JSON text looks, and the system takes 5 us to answer.
    fn lacks_memory(&self) -> Option<Stopped> {
        let taken = usize::try_from(memory::held().wrapping_sub(self.asks_since?)).unwrap_or(0);
        if taken < self.asks_from.get() {
            return None;
        }
        self.asks_from.set(taken + taken / 8);
        (!memory::is_to_be_had(2 * taken + BYTES_BETWEEN_LOOKS)).then_some(Stopped::OutOfMemory)
    }

    /// Asks the system for so many bytes, if the work asks for memory. Returns false if the work is to end, also for an earlier
    /// reason.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        if self.stopped.get().is_none() && self.asks_since.is_some() && !memory::is_to_be_had(bytes) {
            self.stopped.set(Some(Stopped::OutOfMemory));
            self.fuel.set(0);
        }
        self.stopped.get().is_none()
    }

    /// Counts `n` small pieces of work, and looks when enough have been done.
    ///
    /// # Errors
    /// The work is to end.
    pub(crate) fn count(&self, n: usize) -> Result<(), Stopped> {
        match self.fuel.get().checked_sub(n) {
            Some(fuel) => {
                self.fuel.set(fuel);
                Ok(())
            }
            None => self.count_and_look(),
        }
    }

    /// Returns things one by one and counts each as so much work; ends where the work is to end.
    pub(crate) fn each<T>(&self, things: impl IntoIterator<Item = T>, n: usize) -> impl Iterator<Item = T> {
        things.into_iter().take_while(move |_| self.count(n).is_ok())
    }

    /// Counts work on so many bytes of a text.
    ///
    /// # Errors
    /// The work is to end.
    pub(crate) fn count_bytes(&self, n: usize) -> Result<(), Stopped> {
        self.count(1 + n / BYTES_PER_STEP)
    }

    #[cold] // Without it `format_tf` takes 1.5 % more instructions.
    fn count_and_look(&self) -> Result<(), Stopped> {
        self.fuel.set(STRIDE);
        self.look().map_or(Ok(()), Err)
    }
}

impl Bounds for &Watch {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.count(n_parts).is_ok()
    }

    fn has_room(&mut self, n_bytes: usize) -> bool {
        Watch::has_room(self, n_bytes)
    }

    fn max_diagnostics(&self) -> usize {
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_to_end_is_told_at_every_count() {
        let cancel = CancelToken::new();
        let watch = Watch::new(&ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() });
        assert_eq!(watch.count(1), Ok(()));
        cancel.trigger();
        assert_eq!(watch.look(), Some(Stopped::Cancelled));
        assert_eq!([watch.count(1), watch.count(1)], [Err(Stopped::Cancelled); 2]);
    }

    #[test]
    fn a_long_list_is_moved_in_pieces_and_stays_where_work_ends() {
        let cancel = CancelToken::new();
        let watch = Watch::new(&ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() });
        for n in [0, 1, BYTES_PER_LOOK, 3 * BYTES_PER_LOOK + 5] {
            let whole: Vec<u8> = (0..n).map(|i| i.to_le_bytes()[0]).collect();
            let mut list = whole.clone();
            watch.make_room(&mut list, 100);
            assert!(list == whole && list.capacity() >= n + 100, "{n}");
            let room = list.capacity();
            watch.make_room(&mut list, room - n);
            assert_eq!(list.capacity(), room);
        }
        let mut list = vec![1_u8; 3 * BYTES_PER_LOOK];
        let room = list.capacity();
        cancel.trigger();
        watch.make_room(&mut list, 2 * room);
        assert_eq!((list.len(), list.capacity()), (3 * BYTES_PER_LOOK, room));
    }

    #[test]
    fn a_run_goes_on_behind_a_look_and_ends_where_it_is_told_to() {
        const LOOK: usize = BYTES_PER_LOOK;
        let bytes = vec![b'x'; 2 * LOOK + 100];
        let cancel = CancelToken::new();
        let watch = Watch::new(&ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() });
        let ran = |to: usize| {
            let stretches = Cell::new(0);
            let end = watch.run(&bytes, 0, |stretch, _| {
                stretches.set(stretches.get() + 1);
                to.min(stretch.len())
            });
            (end, stretches.get())
        };
        // A text that ends exactly with a stretch may go on in the next.
        assert_eq!([5, LOOK - 1, LOOK, LOOK + 1].map(ran), [(5, 1), (LOOK - 1, 1), (LOOK, 2), (LOOK + 1, 2)]);
        assert_eq!(ran(2 * LOOK + 99), (2 * LOOK + 99, 3));
        assert_eq!(ran(usize::MAX), (bytes.len(), 3));
        cancel.trigger();
        assert_eq!([5, LOOK + 1].map(ran), [(5, 1), (bytes.len(), 1)]);
    }
}
