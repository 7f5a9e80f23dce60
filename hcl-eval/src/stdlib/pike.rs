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

/// The memory of a search.
pub(super) struct Cache {
    /// The threads before the byte that is looked at.
    now: Threads,
    /// The threads behind it.
    next: Threads,
    /// States that are still to be followed; kept between calls for its room only.
    stack: Vec<Follow>,
    /// The groups of the thread that is looked at.
    own: Vec<Option<Offset>>,
    /// Moves that have not been charged.
    moves: usize,
}

/// Threads in the order in which they are preferred: at most one for each state.
struct Threads {
    /// The states, the preferred first.
    order: Vec<StateID>,
    /// The place in `order` of each state, if it is there.
    place: Vec<u32>,
    /// The groups of the thread at each state, `n_slots` for each.
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
        Self { order: Vec::new(), place: vec![0; n_states], slots: vec![None; n_states * n_slots], n_slots }
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

    fn slots(&mut self, state: StateID) -> &mut Slots {
        let start = state.as_usize() * self.n_slots;
        &mut self.slots[start..start + self.n_slots]
    }
}

impl Cache {
    /// How many bytes it takes.
    pub(super) fn room_for(machine: &NFA) -> usize {
        let groups = machine.group_info().slot_len() * size_of::<Option<Offset>>();
        2 * machine.states().len() * (groups + size_of::<StateID>() + size_of::<u32>())
    }

    pub(super) fn new(machine: &NFA) -> Self {
        let own = vec![None; machine.group_info().slot_len()];
        Self { now: Threads::new(machine), next: Threads::new(machine), stack: Vec::new(), own, moves: 0 }
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
        self.now.order.clear();
        let (text, mut found) = (input.haystack(), false);
        for at in input.start()..=input.end() {
            if found && self.now.order.is_empty() {
                break;
            }
            // Nothing begins inside of a character.
            if !found && text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80) {
                self.own.fill(None);
                self.stack.push(Follow::State(machine.start_anchored()));
                Self::close(machine, input, at, &mut self.stack, &mut self.own, &mut self.now);
            }
            self.charge(1 + self.now.order.len(), invocation)?;
            self.next.order.clear();
            for place in 0..self.now.order.len() {
                let state = self.now.order[place];
                let to = match machine.state(state) {
                    State::Match { .. } => {
                        captures.slots_mut().copy_from_slice(self.now.slots(state));
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
                    self.own.copy_from_slice(self.now.slots(state));
                    self.stack.push(Follow::State(to));
                    Self::close(machine, input, at + 1, &mut self.stack, &mut self.own, &mut self.next);
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        Ok(())
    }

    /// Adds the threads of all states that can be come to without reading on.
    fn close(
        machine: &NFA,
        input: &Input<'_>,
        at: usize,
        stack: &mut Vec<Follow>,
        own: &mut Slots,
        threads: &mut Threads,
    ) {
        while let Some(follow) = stack.pop() {
            let mut state = match follow {
                Follow::State(state) => state,
                Follow::Restore(slot, offset) => {
                    own[slot] = offset;
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
                        stack.extend(others.iter().rev().map(|&other| Follow::State(other)));
                        first
                    }
                    State::BinaryUnion { alt1, alt2 } => {
                        stack.push(Follow::State(*alt2));
                        *alt1
                    }
                    State::Capture { next, slot, .. } => {
                        let slot = slot.as_usize();
                        if let Some(place) = own.get_mut(slot) {
                            stack.push(Follow::Restore(slot, *place));
                            *place = Offset::new(at);
                        }
                        *next
                    }
                    State::Fail => break,
                    State::Match { .. } | State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) => {
                        threads.slots(state).copy_from_slice(own);
                        break;
                    }
                };
            }
        }
    }
}
