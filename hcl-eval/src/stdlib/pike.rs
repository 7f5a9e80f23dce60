//! Searches in long texts that can be cut short.
//!
//! A machine is run as Pike's: all its threads go through the text together, those that the pattern prefers first. The crate
//! has the same, but looks at no clock, and a search in a long text may take seconds.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::captures::Captures;
use regex_automata::util::primitives::StateID;
use regex_automata::{Input, PatternID};

use crate::function::{FunctionError, Invocation};

/// The places where groups begin and end, two for each group; that of group 0 is the match.
type Slots = [Option<Offset>];
/// A place in the text in bytes, in the form in which the crate's captures hold it.
type Offset = regex_automata::util::primitives::NonMaxUsize;

/// So many moves of threads are charged at once.
const MOVES: usize = 4096;
/// The charge for them, in steps.
const STEPS: u64 = 256;
/// So many places of groups are copied between two looks, and in the time of so many of them a part of work is done.
const COPIES: usize = 1 << 16;
const COPIES_OF_PART: usize = 16;

/// The memory of a search.
pub(super) struct Cache {
    /// The threads before the byte that is looked at.
    now: Threads,
    /// The threads behind it.
    next: Threads,
    walk: Walk,
    /// Moves that have not been charged.
    moves: usize,
}

/// The way from one state to those that are come to from it without reading on.
struct Walk {
    /// States that are still to be followed; kept between calls for its room only.
    stack: Vec<Follow>,
    /// The groups of the thread that is looked at.
    own: Vec<Option<Offset>>,
    /// Places of groups that were copied since the last look.
    copied: usize,
}

/// Threads in the order in which they are preferred: at most one for each state.
struct Threads {
    /// The states that have been come to, the preferred first.
    order: Vec<StateID>,
    /// The place in `order` of each state, if it is there.
    place: Vec<u32>,
    /// Those of them at which a thread waits for the next byte, or has found a match.
    waiting: Vec<StateID>,
    /// The groups of the thread at each of these, `n_slots` for each. The room for all of them is there from the start, of which
    /// the system gives as much as is used.
    slots: Vec<Option<Offset>>,
    /// The number of places of the groups of one thread.
    n_slots: usize,
}

/// Work that is left when a state is followed without reading on.
enum Follow {
    /// A state to add, with all that can be come to from it.
    State(StateID),
    /// The groups as they were before another way was gone.
    Restore(usize, Option<Offset>),
}

impl Threads {
    fn new(machine: &NFA) -> Self {
        let (n_states, n_slots) = (machine.states().len(), machine.group_info().slot_len());
        #[expect(clippy::disallowed_methods, reason = "`room_for` has been asked for")]
        let slots = Vec::with_capacity(n_states * n_slots);
        Self { order: Vec::new(), place: vec![0; n_states], waiting: Vec::new(), slots, n_slots }
    }

    fn clear(&mut self) {
        self.order.clear();
        self.waiting.clear();
        self.slots.clear();
    }

    /// Adds a state and tells if it was not there yet. A state that was there keeps its place, which is the preferred
    /// one. `place` need not be cleared between bytes: an entry counts only if `order` agrees with it.
    fn insert(&mut self, state: StateID) -> bool {
        let place = self.place[state.as_usize()] as usize;
        if self.order.get(place) == Some(&state) {
            return false;
        }
        self.place[state.as_usize()] = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        self.order.push(state);
        true
    }

    /// Lets a thread with these groups wait.
    fn wait(&mut self, state: StateID, groups: &Slots) {
        self.waiting.push(state);
        self.slots.extend_from_slice(groups);
    }

    /// The groups of a thread that waits.
    fn slots(&self, place: usize) -> &Slots {
        let start = place * self.n_slots;
        &self.slots[start..start + self.n_slots]
    }
}

impl Cache {
    /// How many bytes it takes.
    pub(super) fn room_for(machine: &NFA) -> usize {
        let groups = machine.group_info().slot_len() * size_of::<Option<Offset>>();
        2 * machine.states().len() * (groups + 5 * size_of::<StateID>())
    }

    pub(super) fn new(machine: &NFA) -> Self {
        let own = vec![None; machine.group_info().slot_len()];
        let walk = Walk { stack: Vec::new(), own, copied: 0 };
        Self { now: Threads::new(machine), next: Threads::new(machine), walk, moves: 0 }
    }

    /// Charges for so many moves.
    fn charge(&mut self, moves: usize, invocation: &mut Invocation<'_>) -> Result<(), FunctionError> {
        self.moves += moves;
        if self.moves < MOVES {
            return Ok(());
        }
        let rounds = self.moves / MOVES;
        self.moves %= MOVES;
        invocation.charge_steps(STEPS * rounds as u64)
    }

    /// Finds the first match, and the preferred one of those that begin there.
    ///
    /// # Errors
    /// A limit has been reached.
    pub(super) fn search(
        &mut self,
        machine: &NFA,
        input: &Input<'_>,
        captures: &mut Captures,
        invocation: &mut Invocation<'_>,
    ) -> Result<(), FunctionError> {
        captures.set_pattern(None);
        self.now.clear();
        let (text, mut found) = (input.haystack(), false);
        for at in input.start()..=input.end() {
            if found && self.now.order.is_empty() {
                break;
            }
            // Nothing begins inside of a character.
            if !found && text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80) {
                self.walk.own.fill(None);
                let start = (machine.start_anchored(), at);
                self.walk.follow(machine, input, start, &mut self.now, invocation)?;
            }
            self.charge(1 + self.now.order.len(), invocation)?;
            self.next.clear();
            for place in 0..self.now.waiting.len() {
                let to = match machine.state(self.now.waiting[place]) {
                    State::Match { .. } => {
                        captures.slots_mut().copy_from_slice(self.now.slots(place));
                        captures.set_pattern(Some(PatternID::ZERO));
                        found = true;
                        break;
                    }
                    State::ByteRange { trans } => text
                        .get(at)
                        .filter(|_| at < input.end() && trans.matches(text, at))
                        .map(|_| trans.next),
                    State::Sparse(ways) if at < input.end() => ways.matches(text, at),
                    State::Dense(ways) if at < input.end() => ways.matches(text, at),
                    _ => None,
                };
                if let Some(to) = to {
                    self.walk.own.copy_from_slice(self.now.slots(place));
                    self.walk.follow(machine, input, (to, at + 1), &mut self.next, invocation)?;
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        Ok(())
    }
}

impl Walk {
    /// Adds the threads of all states that can be come to from a state at a place of the text without reading on.
    fn follow(
        &mut self,
        machine: &NFA,
        input: &Input<'_>,
        (state, at): (StateID, usize),
        threads: &mut Threads,
        invocation: &mut Invocation<'_>,
    ) -> Result<(), FunctionError> {
        self.stack.push(Follow::State(state));
        while let Some(follow) = self.stack.pop() {
            let mut state = match follow {
                Follow::State(state) => state,
                Follow::Restore(slot, offset) => {
                    self.own[slot] = offset;
                    continue;
                }
            };
            while threads.insert(state) {
                state = match machine.state(state) {
                    State::Look { look, next } => {
                        if !machine.look_matcher().matches(*look, input.haystack(), at) {
                            break;
                        }
                        *next
                    }
                    State::Union { alternates } => {
                        let Some((&first, others)) = alternates.split_first() else { break };
                        self.stack.extend(others.iter().rev().map(|&other| Follow::State(other)));
                        first
                    }
                    State::BinaryUnion { alt1, alt2 } => {
                        self.stack.push(Follow::State(*alt2));
                        *alt1
                    }
                    State::Capture { next, slot, .. } => {
                        let slot = slot.as_usize();
                        if let Some(place) = self.own.get_mut(slot) {
                            self.stack.push(Follow::Restore(slot, *place));
                            *place = Offset::new(at);
                        }
                        *next
                    }
                    State::Fail => break,
                    State::Match { .. } | State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) => {
                        threads.wait(state, &self.own);
                        self.look(invocation)?;
                        break;
                    }
                };
            }
        }
        Ok(())
    }

    /// Looks at the limits now and then, when the groups of a thread have been copied.
    fn look(&mut self, invocation: &mut Invocation<'_>) -> Result<(), FunctionError> {
        self.copied += self.own.len();
        if self.copied < COPIES {
            return Ok(());
        }
        let copied = std::mem::take(&mut self.copied);
        invocation.go_on(copied / COPIES_OF_PART)
    }
}
