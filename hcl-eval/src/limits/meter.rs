//! The meter: what an evaluation may still use, and the looks at the clock, the cancel token and the memory.
//!
//! Charging costs a subtraction: the clock and the cancel token are looked at only now and then.

use std::time::Duration;

use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::limits::Stopped;
use hcl_syntax::memory;
use hcl_syntax::source::{Source, Span};

use super::{BYTES_PER_PART, ELEMENT_BYTES, LimitReached, Limits, Usage};
use crate::text::end_of_utf8;
use crate::value::assembly::Assembly;
#[cfg(feature = "basics")]
use crate::value::merging::Merging;
use crate::value::node::Summary;
use crate::value::string::{STRETCH, stretches};

/// How many steps go by between two looks at the clock and the cancel token.
const STRIDE: u64 = 1024;

/// How many parts of work that has been charged go by between two looks: loops over many parts take them in runs of so many.
pub(crate) const RUN: usize = 1 << 12;

/// Copies of so many bytes take long enough to look at the clock before.
const LONG_TO_FILL: usize = 1 << 20;
/// How many bytes are copied to new memory in a nanosecond.
const BYTES_IN_A_NANOSECOND: u64 = 2;

/// How much a tree grows by a character that may begin or end a part of it, with the copy that growing makes; the tokens that a
/// text is laid out by take as much.
const BYTES_OF_PART: usize = 48;

/// From so many elements on that are asked for at once, the list that they come together in counts.
pub(super) const MANY: u64 = 1 << 10;

/// From so many bytes on the buffer counts that a text is put together in.
pub(super) const LONG: u64 = 1 << 16;

/// How many bytes the system is asked for beside those that follow from what an evaluation holds.
const AHEAD: usize = 1 << 20;

/// So many bytes are made between two looks without being asked for, in blocks that the reserve has if the system has none.
const MUCH_MEMORY: usize = 1 << 16;

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
    /// The allowance is not outdated, and nothing but fuel has been used of it or will be before the next evaluation.
    is_fresh: bool,
    /// Parts of work until the next look.
    parts_left: usize,
    /// How much the thread may have of the allocator before there is too much for this evaluation.
    most_held: isize,
    depth: u32,
    deepest: u32,
    heaviest: u32,
    /// How much the evaluation holds when the system is asked next for what may be needed soon, in units of [`MUCH_MEMORY`].
    asks_beyond: u32,
    stopped: Option<LimitReached>,
    /// Room for text that is being put together, kept from one evaluation to the next.
    pub(crate) text: String,
    /// Where containers are made, once there has been one.
    assembly: Option<Box<Assembly>>,
    /// How objects were merged last.
    #[cfg(feature = "basics")]
    pub(crate) merging: Option<Box<Merging>>,
}

/// How much may be used. It is copied as a whole when an evaluation begins.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
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
            is_fresh: false,
            parts_left: RUN,
            most_held: 0,
            depth: 0,
            deepest: 0,
            heaviest: 0,
            asks_beyond: 0,
            stopped: None,
            text: String::new(),
            assembly: None,
            #[cfg(feature = "basics")]
            merging: None,
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

    /// A meter for work beside this one's, with the same limits: together both hold no more.
    #[cfg(feature = "columns")]
    pub(crate) fn beside(&self) -> Self {
        let mut beside = Self::new(self.limits.clone());
        beside.may_hold = self.most_held.wrapping_sub(memory::held());
        beside.reset();
        beside
    }

    fn renew(&mut self) {
        self.is_outdated = false;
        self.is_fresh = false;
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
        if self.is_fresh {
            // To begin all anew would take an evaluation of a condition ten instructions more.
            self.left.fuel = self.allowed.fuel;
            debug_assert!(self.has_used_fuel_alone(), "what uses anything else says so");
        } else {
            if self.is_outdated {
                self.renew();
            }
            self.begin();
        }
        self.most_held = memory::held().wrapping_add(self.may_hold);
    }

    /// [`Meter::restart`] for an evaluation that uses so many steps and nothing else, if they are there without a look at
    /// anything.
    pub(crate) fn restart_with(&mut self, n_steps: u64) -> bool {
        if !self.is_fresh {
            if self.is_outdated {
                return false;
            }
            self.begin();
        }
        let is_possible = n_steps <= self.allowed.fuel;
        if is_possible {
            self.left.fuel = self.allowed.fuel - n_steps;
            debug_assert!(self.has_used_fuel_alone(), "what uses anything else says so");
            self.most_held = memory::held().wrapping_add(self.may_hold);
        }
        is_possible
    }

    fn begin(&mut self) {
        self.left = self.allowed;
        self.depth = 0;
        self.deepest = 0;
        self.heaviest = 0;
        self.asks_beyond = 0;
        self.stopped = None;
        self.is_fresh = true;
    }

    fn has_used_fuel_alone(&self) -> bool {
        let counts = [self.depth, self.deepest, self.heaviest, self.asks_beyond];
        let left = Allowance { fuel: self.allowed.fuel, ..self.left };
        left == self.allowed && counts == [0; 4] && self.stopped.is_none()
    }

    /// Tells that more than fuel may be used before the next evaluation.
    pub(crate) fn use_all(&mut self) {
        self.is_fresh = false;
    }

    /// Empties where texts and containers are made, for work that uses anything. An evaluation that was stopped leaves parts
    /// there.
    pub(crate) fn empty_rooms(&mut self) {
        self.use_all();
        self.text.clear();
        if self.assembly.is_some() || self.text.capacity() > KEPT_ROOM {
            self.tidy();
        }
    }

    /// Gives large rooms back when an evaluation is over, and what it left there when a limit ended it.
    pub(crate) fn leave_rooms(&mut self) {
        if self.text.capacity() > KEPT_ROOM || self.stopped.is_some() {
            self.empty_rooms();
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
    #[inline(never)] // Inlined, it makes `format` take 1.6 % more instructions.
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
        self.use_all();
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
            parts: self.heaviest,
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
    pub(crate) fn afford(&mut self, n: u64) -> bool {
        if n <= self.left.fuel {
            self.left.fuel -= n;
            return true;
        }
        self.afford_beyond_fuel(n)
    }

    #[cold] // Not measured alone: without all such attributes `splat_1000` takes 40 % more instructions.
    fn afford_beyond_fuel(&mut self, n: u64) -> bool {
        n <= self.left.steps.saturating_add(self.left.fuel) && self.steps(n).is_ok()
    }

    /// Uses what a part of an expression used when it was found ahead of time, if there is so much; else nothing. The
    /// steps are given beside it.
    pub(crate) fn afford_again(&mut self, steps: u64, part: &Usage) -> bool {
        let deepest = self.depth.saturating_add(part.depth);
        let is_there = part.elements <= self.left.elements
            && part.output_bytes <= self.left.bytes
            && part.memory <= self.left.memory
            && deepest <= self.limits.max_depth
            && u64::from(part.parts) <= self.limits.max_elements;
        if !is_there || !self.afford(steps) {
            return false;
        }
        self.left.elements -= part.elements;
        self.left.bytes -= part.output_bytes;
        self.left.memory -= part.memory;
        self.deepest = self.deepest.max(deepest);
        self.heaviest = self.heaviest.max(part.parts);
        true
    }

    /// Returns true if a value of this weight has no more parts than it may: all that it weighs beside itself.
    pub(crate) fn allows(&mut self, weight: u32) -> bool {
        let n_parts = weight.saturating_sub(1);
        self.heaviest = self.heaviest.max(n_parts);
        u64::from(n_parts) <= self.limits.max_elements
    }

    /// Uses the steps of a text that is made a level deeper, and what its bytes take, if there is so much; else nothing.
    pub(crate) fn afford_text(&mut self, steps: u64, n_bytes: usize) -> bool {
        let bytes = n_bytes as u64;
        let parts = Summary::text(n_bytes).weight - 1;
        let part = Usage { output_bytes: bytes, memory: bytes, depth: 1, parts, ..Usage::default() };
        self.use_all();
        !self.is_too_much(bytes) && self.afford_again(steps + u64::from(parts), &part)
    }

    /// Begins a part of which it is told what it used; gives what was used before.
    pub(crate) fn begin_part(&mut self) -> Usage {
        let before = self.usage();
        self.deepest = self.depth;
        self.heaviest = 0;
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
            parts: now.parts,
        }
    }

    #[inline(never)] // Not measured alone: without all such attributes `for_group_1000` takes 32 % more instructions.
    fn steps_beyond_fuel(&mut self, n: u64) -> Result<(), LimitReached> {
        self.look()?;
        let left = self.left.steps.checked_sub(n.saturating_sub(self.left.fuel));
        self.left.steps = left.unwrap_or(0);
        self.refuel();
        if left.is_none() { Err(self.stop(LimitReached::Steps(self.limits.max_steps))) } else { Ok(()) }
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

    #[cold] // Without it `join_1000` takes 1.5 % more instructions.
    #[inline(never)] // Without it `value_of_json` takes 1.1 % more instructions.
    fn go_on_and_look(&mut self) -> Result<(), LimitReached> {
        self.look()?;
        self.parts_left = RUN;
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
            self.hold_copied(bytes)?;
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
        if n >= LONG {
            return self.bytes_of_long(n);
        }
        self.memory(n)?;
        if n < 64 { Ok(()) } else { self.steps(n / 64) }
    }

    /// Uses the memory and the steps of a long text, which is put together, and then copied to where it stays.
    #[cold] // Without it `for_upper_1000` takes 1.4 % more instructions.
    fn bytes_of_long(&mut self, n: u64) -> Result<(), LimitReached> {
        self.hold_copied(n)?;
        self.look_before_filling(n)?;
        self.memory(n)?;
        self.steps(n / 64)
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
    #[inline(never)] // Its copies took 16 KB of the library.
    pub fn hold(&mut self, n: usize) -> Result<(), LimitReached> {
        if self.is_too_much(n as u64) || !memory::is_to_be_had(n) {
            return Err(self.stop_for_memory());
        }
        Ok(())
    }

    /// [`Meter::hold`] for what is copied there in one go, which is not begun if it would end after the deadline.
    ///
    /// # Errors
    /// A bound has been reached.
    pub(crate) fn hold_copy(&mut self, n: usize) -> Result<(), LimitReached> {
        self.hold(n)?;
        if n < LONG_TO_FILL { Ok(()) } else { self.look_before_filling(n as u64) }
    }

    fn look_before_filling(&mut self, n: u64) -> Result<(), LimitReached> {
        self.look_ahead(Duration::from_nanos(n / BYTES_IN_A_NANOSECOND))
    }

    /// Asks for `n` bytes, and for as many that they are copied to.
    fn hold_copied(&mut self, n: u64) -> Result<(), LimitReached> {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        self.hold(n.saturating_mul(2))
    }

    /// Finds the lines and columns of a text, of which the places of diagnostics are made: in a long text that takes time and
    /// memory.
    ///
    /// # Errors
    /// A bound has been reached, and there are no lines.
    pub(crate) fn find_lines(&mut self, source: &Source) -> Result<(), LimitReached> {
        if source.lacks_lines() { self.find_many_lines(source) } else { Ok(()) }
    }

    #[cold] // Without it `decode` takes 0.5 % more instructions.
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
    pub(crate) fn placed(&mut self, diagnostic: Diagnostic, source: &Source, span: Span) -> Diagnostic {
        match self.find_lines(source) {
            Ok(()) => diagnostic.at(source, span),
            Err(_) => diagnostic,
        }
    }

    /// There is too much for the bound, or for the system.
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

    /// Asks for what reading or laying out a text takes: parsing itself ends only at [`Limits::of_reading`].
    ///
    /// ```
    /// use hcl_eval::limits::{LimitReached, Limits, Meter};
    ///
    /// let mut meter = Meter::new(Limits { max_memory: 1 << 20, ..Limits::default() });
    /// assert_eq!(meter.hold_reading("[1, 2, 3]"), Ok(()));
    /// assert_eq!(meter.hold_reading(&"1,".repeat(100_000)), Err(LimitReached::Memory(1 << 20)));
    /// ```
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn hold_reading(&mut self, source: &str) -> Result<(), LimitReached> {
        let mut n_parts = 0;
        let mut before = b' ';
        for stretch in stretches(source) {
            self.go_on(stretch.len() / BYTES_PER_PART)?;
            for c in stretch.bytes() {
                // Of a character that is not ASCII the first byte counts, of blanks the first of them.
                let is_part = match c {
                    b' ' => before != b' ',
                    0x80..=0xBF => false,
                    _ => !c.is_ascii_alphanumeric(),
                };
                n_parts += usize::from(is_part);
                before = c;
            }
        }
        // The text is copied to be read.
        self.hold(n_parts.saturating_mul(BYTES_OF_PART).saturating_add(source.len()))
    }

    /// Checks that bytes are UTF-8, with looks: returns how many of them are, up to the first character that is none.
    ///
    /// ```
    /// use hcl_eval::limits::Meter;
    ///
    /// let mut meter = Meter::default();
    /// assert_eq!(meter.end_of_utf8("caf\u{e9}".as_bytes()), Ok(5));
    /// assert_eq!(meter.end_of_utf8(b"caf\xe9"), Ok(3));
    /// ```
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn end_of_utf8(&mut self, bytes: &[u8]) -> Result<usize, LimitReached> {
        end_of_utf8(bytes, STRETCH, &mut |n| self.go_on(n / BYTES_PER_PART))
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
    pub(crate) fn is_too_much(&self, n: u64) -> bool {
        memory::held().wrapping_add(difference(n)) > self.most_held
    }

    /// How many bytes of output are left.
    pub fn bytes_left(&self) -> u64 {
        self.left.bytes.min(self.memory_left())
    }

    /// How many bytes of memory are left.
    pub(crate) fn memory_left(&self) -> u64 {
        let not_held = self.most_held.saturating_sub(memory::held());
        self.left.memory.min(u64::try_from(not_held).unwrap_or(0))
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
    pub(crate) fn enter_with(&mut self, n: u64) -> bool {
        let enters = self.depth < self.limits.max_depth && self.afford(n);
        if enters {
            self.depth += 1;
            self.deepest = self.deepest.max(self.depth);
        }
        enters
    }

    /// Takes a value that was read and nests so deep, if it may: the levels count like those that lead to it.
    #[cfg(feature = "basics")]
    pub(crate) fn nest(&mut self, levels: u32) -> Result<(), LimitReached> {
        let deepest = self.depth.saturating_add(levels);
        if deepest > self.limits.max_depth {
            return Err(self.stop(LimitReached::Depth(self.limits.max_depth)));
        }
        self.deepest = self.deepest.max(deepest);
        Ok(())
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
    pub fn stop(&mut self, limit: LimitReached) -> LimitReached {
        self.use_all();
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
    pub fn look(&mut self) -> Result<(), LimitReached> {
        self.use_all();
        self.check()?;
        self.hold(0)?;
        self.ask_ahead()?;
        self.look_ahead(Duration::ZERO)
    }

    /// Asks the system for twice as much again as the evaluation holds: a list that it has may be copied, or grow to twice its
    /// length, before the next look, and most requests can't be refused once they have been made. No more than the bound leaves,
    /// and again when there is an eighth more.
    fn ask_ahead(&mut self) -> Result<(), LimitReached> {
        let left = self.most_held.saturating_sub(memory::held());
        let held = usize::try_from(self.may_hold.saturating_sub(left)).unwrap_or(0);
        let n_units = u32::try_from(held / MUCH_MEMORY).unwrap_or(u32::MAX);
        if n_units <= self.asks_beyond {
            return Ok(());
        }
        self.asks_beyond = n_units.saturating_add(n_units / 8);
        match memory::is_to_be_had(left.unsigned_abs().min(2 * held + AHEAD)) {
            true => Ok(()),
            false => Err(self.stop(LimitReached::OutOfMemory)),
        }
    }

    fn look_ahead(&mut self, time: Duration) -> Result<(), LimitReached> {
        match Stopped::in_advance(time, self.limits.cancel.as_ref(), self.limits.deadline) {
            Some(stopped) => Err(self.stop(stopped.into())),
            None => Ok(()),
        }
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}
