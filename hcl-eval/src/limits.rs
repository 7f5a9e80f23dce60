//! Bounds on evaluation: how deep, how long, how much.
//!
//! Every loop of the evaluator and of a function charges a [`Meter`]; when a bound is reached the charge
//! fails with [`LimitReached`], evaluation winds down and the result carries one diagnostic whose code
//! starts with `limit.`. The meter is made so that charging costs a subtraction: the clock and the
//! cancel token are looked at only now and then.

use std::time::{Duration, Instant};

use hcl_syntax::diagnostic::Diagnostic;
pub use hcl_syntax::limits::{CancelToken, Stopped};
use hcl_syntax::memory;
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::source::{Source, Span};

use crate::value::assembly::Assembly;
use crate::value::node::Summary;
use crate::value::string::{STRETCH, stretches};

/// Bounds on one evaluation. All are finite by default.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use hcl_eval::eval::{EvalOptions, evaluate};
/// use hcl_eval::limits::Limits;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let deadline = Instant::now().checked_add(Duration::from_millis(100));
/// let limits = Limits { max_elements: 10, deadline, ..Limits::default() };
/// let parsed: ParsedExpression = "[for a in [1, 2, 3] : [for b in [1, 2, 3] : b]]".parse()?;
/// let (value, problems) = evaluate(parsed.expression(), None, &EvalOptions { limits, ..EvalOptions::default() });
/// assert!(!value.is_wholly_known());
/// assert_eq!(problems[0].code, "limit.elements");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// How deep expressions, templates inside templates and user functions may nest.
    pub max_depth: u32,
    /// How many steps may be taken: one for each node evaluated, element visited or unit of a function's work.
    pub max_steps: u64,
    /// How many elements may be put into collections, and what a value may weigh ([`Value::weight`]).
    ///
    /// [`Value::weight`]: crate::Value::weight
    pub max_elements: u64,
    /// How many bytes of text may be produced.
    pub max_output_bytes: u64,
    /// How many bytes of memory values may take, all that are made added up: [`ELEMENT_BYTES`] for each element of a
    /// collection, and the bytes of texts, counted the same on every machine; and what an evaluation may hold of an
    /// allocator that tells what it gave ([`hcl_syntax::memory`]).
    pub max_memory: u64,
    /// How many diagnostics may be collected before evaluation gives up.
    pub max_diagnostics: u32,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Gives up when triggered.
    pub cancel: Option<CancelToken>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 1000,
            max_steps: 1_000_000_000,
            max_elements: 10_000_000,
            max_output_bytes: 64 << 20,
            max_memory: 256 << 20,
            max_diagnostics: 1000,
            deadline: None,
            cancel: None,
        }
    }
}

impl Limits {
    /// Returns the reason to end work now, if there is one: cancelled, or out of time.
    pub fn stopped(&self) -> Option<Stopped> {
        Stopped::now(self.cancel.as_ref(), self.deadline)
    }

    /// The limits of reading a text that belongs to the work.
    ///
    /// ```
    /// use hcl_eval::limits::Limits;
    ///
    /// let limits = Limits { max_depth: 7, ..Limits::default() };
    /// assert_eq!(limits.of_reading().max_depth, 7);
    /// ```
    pub fn of_reading(&self) -> ParseLimits {
        let Self { max_depth, deadline, cancel, .. } = self.clone();
        ParseLimits { max_depth, deadline, cancel, ..ParseLimits::default() }
    }
}

/// How many parts of work a diagnostic is ([`Meter::go_on`]): it is made, names are compared for a suggestion, and it is
/// compared with others.
pub const PARTS_OF_DIAGNOSTIC: usize = 1 << 11;

/// So many bytes of a text take about as long as an element of a collection.
pub const BYTES_PER_PART: usize = 64;

/// The bytes of memory that an element of a collection counts.
pub const ELEMENT_BYTES: u64 = 24;

/// The steps, elements and bytes that an evaluation has used.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[1, 2, 3]".parse()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// evaluation.evaluate_syntax(parsed.expression(), None);
/// let first = evaluation.usage();
/// assert_eq!(first.elements, 3);
/// assert_eq!(first.and(first).elements, 6);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Steps taken, give or take the last few that were not counted yet.
    pub steps: u64,
    /// Elements put into collections.
    pub elements: u64,
    /// Bytes of text produced.
    pub output_bytes: u64,
    /// Bytes of memory that values took, all that were made.
    pub memory: u64,
    /// The deepest nesting met.
    pub depth: u32,
}

impl Usage {
    /// Adds up what two evaluations used.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            elements: self.elements.saturating_add(other.elements),
            output_bytes: self.output_bytes.saturating_add(other.output_bytes),
            memory: self.memory.saturating_add(other.memory),
            depth: self.depth.max(other.depth),
        }
    }
}

/// The bound that was reached.
///
/// ```
/// use hcl_eval::limits::{LimitReached, Limits, Meter};
///
/// let mut meter = Meter::new(Limits { max_steps: 2, ..Limits::default() });
/// assert_eq!(meter.steps(3), Err(LimitReached::Steps(2)));
/// assert_eq!(LimitReached::Steps(2).code(), "limit.steps");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LimitReached {
    /// [`Limits::max_depth`]
    Depth(u32),
    /// [`Limits::max_steps`]
    Steps(u64),
    /// [`Limits::max_elements`]
    Elements(u64),
    /// [`Limits::max_output_bytes`]
    OutputBytes(u64),
    /// [`Limits::max_memory`]
    Memory(u64),
    /// [`Limits::max_diagnostics`]
    Diagnostics(u32),
    /// [`Limits::deadline`]
    Deadline,
    /// [`Limits::cancel`]
    Cancelled,
    /// The system has no memory ([`Stopped::OutOfMemory`]).
    OutOfMemory,
    /// A callback of the host failed in a way that is to end the evaluation, with a status of its own.
    Host(i32),
}

impl From<Stopped> for LimitReached {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Deadline => Self::Deadline,
            Stopped::Cancelled => Self::Cancelled,
            Stopped::OutOfMemory => Self::OutOfMemory,
        }
    }
}

impl LimitReached {
    /// The code of the diagnostic that reports it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Depth(_) => "limit.depth",
            Self::Steps(_) => "limit.steps",
            Self::Elements(_) => "limit.elements",
            Self::OutputBytes(_) => "limit.output",
            Self::Memory(_) => "limit.memory",
            Self::Host(_) => "limit.host",
            Self::Diagnostics(_) => "limit.diagnostics",
            Self::Deadline => Stopped::Deadline.code(),
            Self::Cancelled => Stopped::Cancelled.code(),
            Self::OutOfMemory => Stopped::OutOfMemory.code(),
        }
    }
}

impl LimitReached {
    /// The kind of bound in a few words.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::Depth(_) => "Nesting too deep",
            Self::Steps(_) => "Too many steps",
            Self::Elements(_) => "Too many elements",
            Self::OutputBytes(_) => "Too much text",
            Self::Memory(_) => "Too much memory",
            Self::Diagnostics(_) => "Too many problems",
            Self::Deadline => Stopped::Deadline.summary(),
            Self::Cancelled => Stopped::Cancelled.summary(),
            Self::OutOfMemory => Stopped::OutOfMemory.summary(),
            Self::Host(_) => "Ended by the host",
        }
    }

    /// Says why `work` ended, and what to do.
    pub(crate) fn sentence(self, work: &str) -> String {
        match self {
            Self::Depth(levels) => {
                format!(
                    "{work} nests deeper than the limit of {levels} levels. Nest less deeply, or raise the limit."
                )
            }
            Self::Steps(steps) => {
                format!("{work} takes more than the limit of {steps} steps. Do less, or raise the limit.")
            }
            Self::Elements(n) => {
                format!("{work} makes more than the limit of {n} elements. Make fewer, or raise the limit.")
            }
            Self::OutputBytes(n) => {
                format!("{work} makes more text than the limit of {n} bytes. Make less, or raise the limit.")
            }
            Self::Memory(n) => {
                format!("{work} needs more memory than the limit of {n} bytes. Use less, or raise the limit.")
            }
            Self::Diagnostics(n) => format!("{work} was given up after {n} problems."),
            Self::Deadline => Stopped::Deadline.sentence(work),
            Self::Cancelled => Stopped::Cancelled.sentence(work),
            Self::OutOfMemory => Stopped::OutOfMemory.sentence(work),
            Self::Host(status) => {
                format!("A callback of the host failed with status {status}, which ends what it was part of.")
            }
        }
    }
}

/// How many steps go by between two looks at the clock and the cancel token.
const STRIDE: u64 = 1024;

/// How many parts of work that has been charged go by between two looks.
const PARTS_PER_LOOK: usize = 4096;

/// From so many parts on a walk over a value takes long enough to think of the deadline before.
const LONG_WALK: u64 = 1 << 16;
/// How long a walk takes for each part, on a slow machine.
const TIME_FOR_PART: Duration = Duration::from_nanos(200);

/// From so many elements on that are asked for at once, the list that they come together in counts.
const MANY: u64 = 1 << 10;

/// From so many bytes on the buffer counts that a text is put together in.
const LONG: u64 = 1 << 16;

/// Room for text up to this many bytes is kept for the next evaluation.
const KEPT_ROOM: usize = 1 << 16;

/// So many bytes, at most [`memory::MOST`], as a difference: what a thread holds is far enough from the ends of its type for one
/// or two of them.
fn difference(bytes: u64) -> isize {
    isize::try_from(bytes.min(memory::MOST.unsigned_abs() as u64)).unwrap_or(memory::MOST)
}

/// Counts what an evaluation uses against its limits.
///
/// Once a bound has been reached, every further step and part of work fails with the same answer. A charge that counts none,
/// such as a few bytes, may still be granted.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    left: Allowance,
    /// The allowance by the limits. They may be changed before the next evaluation, which renews it.
    allowed: Allowance,
    /// How much more than at the beginning an evaluation may hold of the allocator.
    may_hold: isize,
    is_outdated: bool,
    /// Parts of work until the next look.
    parts_left: usize,
    /// How much the thread may have of the allocator before there is too much for this evaluation.
    most_held: isize,
    depth: u32,
    deepest: u32,
    stopped: Option<LimitReached>,
    /// Room for text that is being put together, kept from one evaluation to the next.
    pub(crate) text: String,
    /// Where containers are made, once there has been one.
    assembly: Option<Box<Assembly>>,
}

/// How much may be used. It is copied as a whole when an evaluation begins.
#[derive(Copy, Clone, Debug, Default)]
struct Allowance {
    /// Steps until the next look; those after it are in `steps`.
    fuel: u64,
    steps: u64,
    elements: u64,
    bytes: u64,
    memory: u64,
}

impl Allowance {
    fn of(limits: &Limits) -> Self {
        let Limits { max_steps, max_elements, max_output_bytes, max_memory, .. } = *limits;
        // With no fuel the first step looks, so that evaluations of a few steps notice too.
        let looks = limits.cancel.is_some() || limits.deadline.is_some();
        let fuel = if looks { 0 } else { max_steps.min(STRIDE) };
        let steps = max_steps - fuel;
        Self { fuel, steps, elements: max_elements, bytes: max_output_bytes, memory: max_memory }
    }
}

impl Meter {
    /// A meter that has used nothing.
    pub fn new(limits: Limits) -> Self {
        let mut meter = Self {
            left: Allowance::default(),
            allowed: Allowance::default(),
            may_hold: 0,
            is_outdated: true,
            parts_left: PARTS_PER_LOOK,
            most_held: 0,
            depth: 0,
            deepest: 0,
            stopped: None,
            text: String::new(),
            assembly: None,
            limits,
        };
        meter.reset();
        meter
    }

    /// Lets the next evaluation hold only what is left of the bound beside what has been kept since the thread held `before`.
    /// That ends when the limits are changed.
    pub(crate) fn keep_since(&mut self, before: isize) {
        if self.is_outdated {
            self.renew();
        }
        let kept = memory::held().wrapping_sub(before);
        self.may_hold = difference(self.limits.max_memory).wrapping_sub(kept);
    }

    fn renew(&mut self) {
        self.is_outdated = false;
        self.allowed = Allowance::of(&self.limits);
        self.may_hold = difference(self.limits.max_memory);
    }

    /// Starts anew with the same bounds.
    pub fn reset(&mut self) {
        self.restart();
        self.empty_rooms();
    }

    /// [`Meter::reset`] for what needs no rooms, which stay as the last evaluation left them.
    pub(crate) fn restart(&mut self) {
        if self.is_outdated {
            self.renew();
        }
        self.left = self.allowed;
        self.depth = 0;
        self.deepest = 0;
        self.stopped = None;
        self.most_held = memory::held().wrapping_add(self.may_hold);
    }

    /// Empties where texts and containers are made. An evaluation that was stopped leaves parts there.
    pub(crate) fn empty_rooms(&mut self) {
        self.text.clear();
        if self.assembly.is_some() || self.text.capacity() > KEPT_ROOM {
            self.tidy();
        }
    }

    /// Starts anew with what one of several evaluations has to itself: all but steps, the time, and what is held in memory. The
    /// usage stays that of all of them.
    #[cfg(feature = "columns")]
    pub(crate) fn go_on_anew(&mut self) {
        let used = |allowed: &mut u64, left: &mut u64, most: u64| {
            *allowed = allowed.saturating_add(most - *left);
            *left = most;
        };
        used(&mut self.allowed.elements, &mut self.left.elements, self.limits.max_elements);
        used(&mut self.allowed.bytes, &mut self.left.bytes, self.limits.max_output_bytes);
        used(&mut self.allowed.memory, &mut self.left.memory, self.limits.max_memory);
        self.is_outdated = true;
        self.depth = 0;
        self.empty_rooms();
    }

    /// Most evaluations make nothing there, and would save registers for it.
    #[inline(never)]
    fn tidy(&mut self) {
        if let Some(assembly) = &mut self.assembly {
            assembly.reset();
        }
        self.text.shrink_to(KEPT_ROOM);
    }

    /// Where containers are made.
    pub(crate) fn assembly(&mut self) -> &mut Assembly {
        self.assembly.get_or_insert_default()
    }

    /// The bounds, to be changed before [`Meter::reset`].
    pub fn limits_mut(&mut self) -> &mut Limits {
        self.is_outdated = true;
        &mut self.limits
    }

    /// The bounds.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Which bound has been reached, if any.
    pub fn stopped(&self) -> Option<LimitReached> {
        self.stopped
    }

    /// Fails if a bound has been reached already.
    pub(crate) fn check(&self) -> Result<(), LimitReached> {
        self.stopped.map_or(Ok(()), Err)
    }

    /// Returns the steps, elements and bytes that have been used.
    pub fn usage(&self) -> Usage {
        Usage {
            steps: (self.allowed.fuel + self.allowed.steps) - (self.left.fuel + self.left.steps),
            elements: self.allowed.elements - self.left.elements,
            output_bytes: self.allowed.bytes - self.left.bytes,
            memory: self.allowed.memory - self.left.memory,
            depth: self.deepest,
        }
    }

    /// Uses one step.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn step(&mut self) -> Result<(), LimitReached> {
        self.steps(1)
    }

    /// Uses `n` steps.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn steps(&mut self, n: u64) -> Result<(), LimitReached> {
        if n > self.left.fuel {
            return self.steps_beyond_fuel(n);
        }
        self.left.fuel -= n;
        Ok(())
    }

    /// Uses `n` steps if there are so many; else none.
    pub(crate) fn afford(&mut self, n: u32) -> bool {
        let n = u64::from(n);
        if n <= self.left.fuel {
            self.left.fuel -= n;
            return true;
        }
        self.afford_beyond_fuel(n)
    }

    #[cold]
    #[inline(never)]
    fn afford_beyond_fuel(&mut self, n: u64) -> bool {
        n <= self.left.steps.saturating_add(self.left.fuel) && self.steps(n).is_ok()
    }

    /// Uses what a part of an expression used when it was found ahead of time, if there is so much; else nothing. The
    /// steps are given beside it, and so is the weight of what was found.
    pub(crate) fn afford_again(&mut self, steps: u32, part: &Usage, weight: u32) -> bool {
        let deepest = self.depth.saturating_add(part.depth);
        let is_there = part.elements <= self.left.elements
            && part.output_bytes <= self.left.bytes
            && part.memory <= self.left.memory
            && deepest <= self.limits.max_depth
            && u64::from(weight) <= self.limits.max_elements;
        if !is_there || !self.afford(steps) {
            return false;
        }
        self.left.elements -= part.elements;
        self.left.bytes -= part.output_bytes;
        self.left.memory -= part.memory;
        self.deepest = self.deepest.max(deepest);
        true
    }

    /// Uses the steps of a text that is made a level deeper, and what its bytes take, if there is so much; else nothing.
    pub(crate) fn afford_text(&mut self, steps: u32, n_bytes: usize) -> bool {
        let bytes = n_bytes as u64;
        let part = Usage { output_bytes: bytes, memory: bytes, depth: 1, ..Usage::default() };
        let weight = Summary::text(n_bytes).weight;
        let steps = steps.saturating_add(weight - 1);
        !self.is_too_much(bytes) && self.afford_again(steps, &part, weight)
    }

    /// Begins a part of which it is told what it used; gives what was used before.
    pub(crate) fn begin_part(&mut self) -> Usage {
        let before = self.usage();
        self.deepest = self.depth;
        before
    }

    /// The usage since `before`, which was the usage then.
    pub(crate) fn end_part(&self, before: Usage) -> Usage {
        let now = self.usage();
        Usage {
            steps: now.steps - before.steps,
            elements: now.elements - before.elements,
            output_bytes: now.output_bytes - before.output_bytes,
            memory: now.memory - before.memory,
            depth: now.depth - self.depth,
        }
    }

    #[inline(never)]
    fn steps_beyond_fuel(&mut self, n: u64) -> Result<(), LimitReached> {
        self.look()?;
        let left = self.left.steps.checked_sub(n.saturating_sub(self.left.fuel));
        self.left.steps = left.unwrap_or(0);
        self.refuel();
        if left.is_none() { Err(self.stop(LimitReached::Steps(self.limits.max_steps))) } else { Ok(()) }
    }

    /// Uses `n` steps for a walk over so many parts of a value, which nothing interrupts. Gives up beforehand if it
    /// would probably end after the deadline.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn walk(&mut self, n: u64, parts: u64) -> Result<(), LimitReached> {
        if parts >= LONG_WALK
            && let Some(deadline) = self.limits.deadline
            && self.stopped.is_none()
        {
            let needed = TIME_FOR_PART * u32::try_from(parts).unwrap_or(u32::MAX);
            if Instant::now() + needed >= deadline {
                return Err(self.stop(LimitReached::Deadline));
            }
        }
        self.steps(n)
    }

    /// Tells that `n` parts of work are about to be done that was charged for as a whole; looks now and then. A part is an
    /// element, or [`BYTES_PER_PART`] bytes of a text.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn go_on(&mut self, n: usize) -> Result<(), LimitReached> {
        match self.parts_left.checked_sub(n) {
            Some(left) => {
                self.parts_left = left;
                Ok(())
            }
            None => self.go_on_and_look(),
        }
    }

    #[cold]
    #[inline(never)]
    fn go_on_and_look(&mut self) -> Result<(), LimitReached> {
        self.look()?;
        self.parts_left = PARTS_PER_LOOK;
        Ok(())
    }

    /// Uses `n` elements of collections, and a step for each.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn elements(&mut self, n: usize) -> Result<(), LimitReached> {
        self.room(n)?;
        self.steps(n as u64)
    }

    /// Uses `n` elements of collections, without the steps to make them.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn room(&mut self, n: usize) -> Result<(), LimitReached> {
        let n = n as u64;
        if n > self.left.elements {
            return Err(self.stop(LimitReached::Elements(self.limits.max_elements)));
        }
        self.left.elements -= n;
        let bytes = n.saturating_mul(ELEMENT_BYTES);
        // Many at once come together in a list, which is copied to where they stay.
        if n >= MANY {
            self.hold(usize::try_from(bytes.saturating_mul(2)).unwrap_or(usize::MAX))?;
        }
        self.memory(bytes)
    }

    /// Uses `n` bytes of output, and a step for each 64 of them.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn bytes(&mut self, n: usize) -> Result<(), LimitReached> {
        let n = n as u64;
        if n > self.left.bytes {
            return Err(self.stop(LimitReached::OutputBytes(self.limits.max_output_bytes)));
        }
        self.left.bytes -= n;
        // A long text is put together, and then copied to where it stays.
        if n >= LONG {
            self.hold(usize::try_from(n.saturating_mul(2)).unwrap_or(usize::MAX))?;
        }
        self.memory(n)?;
        if n < 64 { Ok(()) } else { self.steps(n / 64) }
    }

    /// Uses `n` bytes of memory for values.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn memory(&mut self, n: u64) -> Result<(), LimitReached> {
        if n > self.left.memory || self.is_too_much(n) {
            return Err(self.stop_for_memory());
        }
        self.left.memory -= n;
        Ok(())
    }

    /// Asks for `n` bytes that are not kept, or have been counted: an error if with them the evaluation would hold more
    /// than it may, or if the system has less. Where the allocator does not tell what it gave, there is always room.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn hold(&mut self, n: usize) -> Result<(), LimitReached> {
        if self.is_too_much(n as u64) || !memory::is_to_be_had(n) {
            return Err(self.stop_for_memory());
        }
        Ok(())
    }

    /// Finds the lines and columns of a text, of which the places of diagnostics are made: in a long text that takes time and
    /// memory.
    ///
    /// # Errors
    /// A bound has been reached, and there are no lines.
    pub(crate) fn find_lines(&mut self, source: &Source) -> Result<(), LimitReached> {
        if source.lacks_lines() { self.find_many_lines(source) } else { Ok(()) }
    }

    #[cold]
    fn find_many_lines(&mut self, source: &Source) -> Result<(), LimitReached> {
        let limits = self.limits.of_reading();
        let mut room = Ok(());
        let has_room = |bytes| {
            room = self.hold(bytes);
            room.is_ok()
        };
        match source.find_lines(&limits, has_room) {
            Ok(()) => room,
            Err(stopped) => Err(self.stop(stopped.into())),
        }
    }

    /// Places a diagnostic, unless lines can't be found within the bounds: then it is told without a place rather than late.
    #[cold]
    pub(crate) fn placed(&mut self, diagnostic: Diagnostic, source: &Source, span: Span) -> Diagnostic {
        match self.find_lines(source) {
            Ok(()) => diagnostic.at(source, span),
            Err(_) => diagnostic,
        }
    }

    /// There is too much for the bound, or for the system.
    #[cold]
    fn stop_for_memory(&mut self) -> LimitReached {
        self.stop(self.limit_of_memory())
    }

    fn limit_of_memory(&self) -> LimitReached {
        match memory::has_run_out() {
            true => LimitReached::OutOfMemory,
            false => LimitReached::Memory(self.limits.max_memory),
        }
    }

    /// Looks at the limits without ending anything: returns that which has been reached by now, or would be with `n` more bytes
    /// of memory. [`Meter::stop`] makes it final.
    pub fn limit_with(&self, n: usize) -> Option<LimitReached> {
        if self.stopped.is_some() {
            self.stopped
        } else if self.is_too_much(n as u64) || !memory::is_to_be_had(n) {
            Some(self.limit_of_memory())
        } else {
            self.limits.stopped().map(LimitReached::from)
        }
    }

    /// Asks for the bytes of `n` parts of so many bytes each, as [`Meter::hold`] does.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn hold_parts(&mut self, n: usize, bytes: usize) -> Result<(), LimitReached> {
        self.hold(n.saturating_mul(bytes))
    }

    /// Asks for what a list takes when one more element makes it larger, the smaller one beside it, and for a copy of it all
    /// to where it stays.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn hold_push<T>(&mut self, list: &Vec<T>) -> Result<(), LimitReached> {
        if list.len() < list.capacity() {
            return self.hold(0);
        }
        self.hold_parts(3 * list.capacity(), size_of::<T>())
    }

    /// Returns whether the text that is put together takes `n` more bytes without being moved.
    pub(crate) fn has_room_for_text(&self, n: usize) -> bool {
        n <= self.text.capacity() - self.text.len()
    }

    /// Asks for what the text that is put together takes when `n` more bytes make it larger.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn hold_text(&mut self, n: usize) -> Result<(), LimitReached> {
        if self.has_room_for_text(n) { Ok(()) } else { self.hold(n.max(self.text.capacity())) }
    }

    /// Adds to the text that is put together, with looks.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), LimitReached> {
        self.hold_text(text.len())?;
        if text.len() <= STRETCH {
            self.go_on(1 + text.len() / BYTES_PER_PART)?;
            self.text.push_str(text);
            return Ok(());
        }
        self.text.reserve(text.len());
        for stretch in stretches(text) {
            self.go_on(stretch.len() / BYTES_PER_PART)?;
            self.text.push_str(stretch);
        }
        Ok(())
    }

    /// Returns true if the evaluation would hold more than it may, with `n` bytes more.
    fn is_too_much(&self, n: u64) -> bool {
        memory::held().wrapping_add(difference(n)) > self.most_held
    }

    /// How many bytes of output are left.
    pub fn bytes_left(&self) -> u64 {
        let not_held = self.most_held.saturating_sub(memory::held());
        self.left.bytes.min(self.left.memory).min(u64::try_from(not_held).unwrap_or(0))
    }

    /// How many elements of collections are left.
    pub fn elements_left(&self) -> u64 {
        self.left.elements.min(self.left.memory / ELEMENT_BYTES)
    }

    /// Goes one level deeper; to be followed by [`Meter::leave`] if it succeeds.
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn enter(&mut self) -> Result<(), LimitReached> {
        if self.enter_with(0) { Ok(()) } else { Err(self.stop(LimitReached::Depth(self.limits.max_depth))) }
    }

    /// Goes one level deeper and uses `n` steps, if there are so many; else nothing.
    pub(crate) fn enter_with(&mut self, n: u32) -> bool {
        let enters = self.depth < self.limits.max_depth && self.afford(n);
        if enters {
            self.depth += 1;
            self.deepest = self.deepest.max(self.depth);
        }
        enters
    }

    /// Comes back from a level.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// How deep evaluation is at the moment.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Records that a bound has been reached; the first one stays.
    #[cold]
    pub fn stop(&mut self, limit: LimitReached) -> LimitReached {
        self.left.steps += self.left.fuel;
        self.left.fuel = 0;
        // Whatever asks from now on is told at once.
        self.parts_left = 0;
        *self.stopped.get_or_insert(limit)
    }

    fn refuel(&mut self) {
        self.left.fuel = self.left.steps.min(STRIDE);
        self.left.steps -= self.left.fuel;
    }

    /// Looks at the clock and the cancel token: after a call that may have taken long.
    ///
    /// # Errors
    /// A bound has been reached.
    #[cold]
    pub fn look(&mut self) -> Result<(), LimitReached> {
        self.check()?;
        self.hold(0)?;
        match self.limits.stopped() {
            Some(stopped) => Err(self.stop(stopped.into())),
            None => Ok(()),
        }
    }
}

/// A listener to work: a meter, or none.
pub(crate) type Pace<'p, 'm> = &'p mut Option<&'m mut Meter>;

/// Tells that `n` parts of work are about to be done ([`Meter::go_on`]).
pub(crate) fn go_on(pace: Pace<'_, '_>, n: usize) -> Result<(), LimitReached> {
    match pace {
        Some(meter) => meter.go_on(n),
        None => Ok(()),
    }
}

/// Asks for `n` bytes that are not kept, or have been counted ([`Meter::hold`]).
pub(crate) fn hold(pace: Pace<'_, '_>, n: usize) -> Result<(), LimitReached> {
    match pace {
        Some(meter) => meter.hold(n),
        None => Ok(()),
    }
}

/// A listener to each part of a value or a text that is looked at.
pub(crate) enum Charge<'m> {
    /// Nobody, or a meter that has been charged for the whole.
    Parts(Option<&'m mut Meter>),
    /// A meter that counts each part as an element.
    Elements(&'m mut Meter),
}

impl Charge<'_> {
    /// Tells of a part.
    pub(crate) fn part(&mut self) -> Result<(), LimitReached> {
        match self {
            Self::Parts(None) => Ok(()),
            Self::Parts(Some(meter)) => meter.go_on(1),
            Self::Elements(meter) => meter.elements(1),
        }
    }

    /// The meter, for work on parts that have been counted.
    pub(crate) fn pace(&mut self) -> Option<&mut Meter> {
        match self {
            Self::Parts(meter) => meter.as_deref_mut(),
            Self::Elements(meter) => Some(meter),
        }
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_exactly() {
        for max_steps in [0, 1, 1023, 1024, 1025, 5000] {
            let mut meter = Meter::new(Limits { max_steps, ..Limits::default() });
            let taken = (0..10_000).take_while(|_| meter.step().is_ok()).count() as u64;
            assert_eq!(taken, max_steps);
            assert_eq!(meter.usage().steps, max_steps);
            assert_eq!(meter.step(), Err(LimitReached::Steps(max_steps)));
        }
    }

    #[test]
    fn reading_ends_where_the_work_does_that_it_belongs_to() {
        let cancel = CancelToken::new();
        let deadline = Some(Instant::now());
        let limits = Limits { max_depth: 7, deadline, cancel: Some(cancel.clone()), ..Limits::default() };
        let reading = limits.of_reading();
        assert_eq!((reading.max_depth, reading.deadline), (7, deadline));
        cancel.trigger();
        assert!(reading.cancel.is_some_and(|cancel| cancel.is_triggered()));
    }

    #[test]
    fn memory_is_what_elements_and_texts_take() {
        let mut meter = Meter::new(Limits { max_memory: 1000, ..Limits::default() });
        assert!(meter.elements(10).is_ok() && meter.bytes(60).is_ok());
        assert_eq!(meter.usage().memory, 300);
        assert_eq!(meter.bytes(701), Err(LimitReached::Memory(1000)));
        assert_eq!(meter.usage().memory, 300);
    }

    #[test]
    fn bulk_charges_add_up() {
        let mut meter = Meter::new(Limits { max_steps: 10_000, ..Limits::default() });
        assert!(meter.steps(4_000).is_ok());
        assert!(meter.steps(6_000).is_ok());
        assert_eq!(meter.usage().steps, 10_000);
        assert!(meter.steps(1).is_err());
        for n in [10_001, 20_000, u64::MAX] {
            let mut meter = Meter::new(Limits { max_steps: 10_000, ..Limits::default() });
            assert_eq!(meter.steps(n), Err(LimitReached::Steps(10_000)));
            assert_eq!(meter.usage().steps, 10_000);
        }
        // Not a few at a time, which would take centuries.
        let mut meter = Meter::new(Limits { max_steps: u64::MAX / 2, ..Limits::default() });
        assert_eq!(meter.steps(u64::MAX), Err(LimitReached::Steps(u64::MAX / 2)));
        let mut meter = Meter::new(Limits { max_steps: u64::MAX, ..Limits::default() });
        assert!(meter.steps(u64::MAX / 2).is_ok() && meter.steps(u64::MAX / 2).is_ok());
        assert_eq!(meter.usage().steps, u64::MAX - 1);
    }

    #[test]
    fn changing_the_bounds_does_not_change_what_was_used() {
        let mut meter = Meter::new(Limits::default());
        assert!(meter.elements(100).is_ok() && meter.bytes(10).is_ok());
        let used = meter.usage();
        *meter.limits_mut() =
            Limits { max_steps: 1, max_elements: 1, max_output_bytes: 1, ..Limits::default() };
        assert_eq!(meter.usage(), used);
        meter.reset();
        assert_eq!(meter.usage(), Usage::default());
    }

    #[test]
    fn a_long_walk_is_not_begun_shortly_before_the_deadline() {
        let soon = Instant::now() + Duration::from_millis(900);
        let mut meter = Meter::new(Limits { deadline: Some(soon), ..Limits::default() });
        assert!(meter.walk(10, 1_000).is_ok());
        assert!(meter.walk(10, 100_000).is_ok());
        assert_eq!(meter.walk(10, 8_000_000), Err(LimitReached::Deadline));
    }

    #[test]
    fn a_cancelled_meter_stops_soon() {
        let cancel = CancelToken::new();
        let mut meter = Meter::new(Limits { cancel: Some(cancel.clone()), ..Limits::default() });
        assert!(meter.step().is_ok());
        cancel.trigger();
        let taken = (0..10_000).take_while(|_| meter.step().is_ok()).count();
        assert!(taken <= 1024);
        assert_eq!(meter.stopped(), Some(LimitReached::Cancelled));
        meter.reset();
        assert_eq!(meter.step(), Err(LimitReached::Cancelled));
    }

    fn size(n: u64) -> usize {
        usize::try_from(n).expect("small")
    }

    /// The smallest bound on memory within which a charge is granted.
    fn least(charge: impl Fn(&mut Meter) -> Result<(), LimitReached>) -> u64 {
        let is_granted =
            |max_memory| charge(&mut Meter::new(Limits { max_memory, ..Limits::default() })).is_ok();
        let (mut least, mut granted) = (0_u64, 1 << 30);
        while least < granted {
            let middle = least.midpoint(granted);
            if is_granted(middle) { granted = middle } else { least = middle + 1 }
        }
        granted
    }

    #[test]
    fn what_is_put_together_and_then_copied_needs_room_for_both() {
        for (n, needed) in
            [(0, 0), (1, 1), (63, 63), (LONG - 1, LONG - 1), (LONG, 2 * LONG), (LONG + 1, 2 * LONG + 2)]
        {
            assert_eq!(least(|meter| meter.bytes(size(n))), needed, "{n} bytes");
        }
        for (n, needed) in [(0, 0), (1, 1), (MANY - 1, MANY - 1), (MANY, 2 * MANY), (MANY + 1, 2 * MANY + 2)]
        {
            assert_eq!(least(|meter| meter.room(size(n))), needed * ELEMENT_BYTES, "{n} elements");
        }
    }

    #[test]
    fn the_last_byte_and_the_last_element_are_granted() {
        let limits = Limits { max_output_bytes: 1000, max_elements: 10, ..Limits::default() };
        let mut meter = Meter::new(limits);
        assert!(meter.bytes(63).is_ok() && meter.usage().steps == 0);
        assert!(meter.bytes(64).is_ok() && meter.usage().steps == 1);
        assert!(meter.bytes(873).is_ok() && meter.usage().steps == 14);
        assert!(meter.room(4).is_ok() && meter.room(6).is_ok());
        assert_eq!((meter.bytes_left(), meter.elements_left()), (0, 0));
        assert_eq!(meter.bytes(1), Err(LimitReached::OutputBytes(1000)));
        meter.reset();
        assert!(meter.room(10).is_ok());
        assert_eq!(meter.room(1), Err(LimitReached::Elements(10)));
    }

    #[test]
    #[cfg(feature = "basics")]
    fn a_list_that_is_full_needs_room_to_grow() {
        let mut list = Vec::<u64>::new();
        assert_eq!(least(|meter| meter.hold_push(&list)), 0);
        list.reserve_exact(5);
        let n_room = list.capacity();
        list.resize(n_room - 1, 0);
        assert_eq!(least(|meter| meter.hold_push(&list)), 0);
        list.push(0);
        assert_eq!(least(|meter| meter.hold_push(&list)), 3 * 8 * n_room as u64);
    }

    #[test]
    fn a_text_that_grows_needs_room() {
        assert_eq!(least(|meter| meter.hold_text(10)), 10);
        for (more, needed) in [(0, 0), (1, 1000), (1000, 1000), (1001, 1001)] {
            let held = least(|meter| {
                meter.text = "x".repeat(1000);
                meter.hold_text(more)
            });
            assert_eq!(held, needed, "{more} bytes");
        }
    }

    #[test]
    fn what_is_kept_between_evaluations_counts_until_the_limits_change() {
        let before = memory::held();
        let mut meter = Meter::new(Limits { max_memory: 1000, ..Limits::default() });
        memory::count(300);
        meter.keep_since(before);
        meter.reset();
        assert_eq!(meter.bytes_left(), 700);
        assert!(meter.hold(700).is_ok() && meter.hold(701).is_err());
        meter.limits_mut().max_memory = 2000;
        meter.keep_since(before);
        meter.reset();
        assert_eq!(meter.bytes_left(), 1700);
        assert!(meter.hold(1700).is_ok() && meter.hold(1701).is_err());
        meter.limits_mut().max_memory = 2000;
        meter.reset();
        assert!(meter.hold(2000).is_ok() && meter.hold(2001).is_err());
        memory::count(-300);
    }
}
