//! The machines of patterns, for which each class is compiled once.
//!
//! The crate makes up to 300 states of a class with characters beyond ASCII, and does so anew for each copy that counted
//! repetition asks for: `[\p{L}\p{N}]{1,256}` takes it 33 ms without a look at the clock. So a mark stands for such a class while
//! the crate compiles the pattern. Copies of the states of the class then take the place of each mark, within 8 ms, with looks
//! between.

use regex_automata::nfa::thompson::{Builder, Compiler, Config, NFA, State, Transition};
use regex_automata::util::primitives::StateID;
use regex_syntax::hir::{Capture, Class, ClassUnicode, Hir, Look};

use super::re2::MAX_GROUPS;
use crate::limits::{LimitReached, Meter};

/// How large the machine of a pattern may be. The crate makes the final form of so much within 15 ms, without a look at the
/// clock.
const LARGEST: usize = 7 << 20;
/// How large a machine may be that the crate makes, with what it needs on the way. So much takes it 20 ms.
pub(super) const LARGEST_AT_ONCE: usize = 5 << 20;
/// The bytes that copying takes on the way for each byte of the machine.
const BYTES_OF_BYTE: usize = 3;
/// The bytes that compiling a class takes at most, and those that are left of a small one.
const BYTES_OF_CLASS: usize = 1 << 20;
/// A mark is a capture group around one character. Groups of the pattern have lower numbers.
const FIRST_MARK: usize = MAX_GROUPS + 1;

/// Compiles a pattern in which marks stand for classes; nothing if the machine becomes too large.
pub(super) fn machine(
    marked: &Hir,
    classes: Vec<ClassUnicode>,
    meter: &mut Meter,
) -> Result<Option<NFA>, LimitReached> {
    let compiler = compiler();
    let Ok(frame) = compiler.build_from_hir(marked) else { return Ok(None) };
    meter.look()?;
    if classes.is_empty() {
        return Ok(Some(frame));
    }
    let mut pieces = Vec::new();
    for class in classes {
        meter.hold(BYTES_OF_CLASS)?;
        // A class at the start of a text has no states that look for that start.
        let alone = Hir::concat(vec![Hir::look(Look::Start), Hir::class(Class::Unicode(class))]);
        let Ok(piece) = compiler.build_from_hir(&alone) else { return Ok(None) };
        pieces.push(piece);
        meter.look()?;
    }
    let sizes = Mark::all(&frame).filter_map(|mark| Some(pieces.get(mark.class)?.memory_usage()));
    let size: usize = frame.memory_usage() + sizes.sum::<usize>();
    if size > LARGEST {
        return Ok(None);
    }
    meter.hold(size * BYTES_OF_BYTE)?;
    Copies { frame: &frame, pieces: &pieces, builder: Builder::new() }.build(meter)
}

/// The crate's way from a tree to a machine.
fn compiler() -> Compiler {
    let mut compiler = Compiler::new();
    compiler.configure(Config::new().nfa_size_limit(Some(LARGEST_AT_ONCE)));
    compiler
}

/// The mark of a class of this number.
pub(super) fn mark(class: usize) -> Hir {
    let index = u32::try_from(FIRST_MARK + class).unwrap_or(u32::MAX);
    Hir::capture(Capture { index, name: None, sub: Box::new(Hir::literal(*b"x")) })
}

/// A mark among the states of a machine.
struct Mark {
    /// The number of the class that it stands for.
    class: usize,
    /// The state behind it.
    next: StateID,
}

impl Mark {
    /// The marks in a machine.
    fn all(frame: &NFA) -> impl Iterator<Item = Self> {
        frame.states().iter().filter_map(|state| Self::of(frame, state))
    }

    /// The mark that begins with a state, if one does.
    fn of(frame: &NFA, state: &State) -> Option<Self> {
        let State::Capture { next, group_index, slot, .. } = state else { return None };
        let class = group_index.as_usize().checked_sub(FIRST_MARK)?;
        if slot.as_usize() % 2 != 0 {
            return None;
        }
        let State::ByteRange { trans } = frame.state(*next) else { return None };
        let State::Capture { next, .. } = frame.state(trans.next) else { return None };
        Some(Self { class, next: *next })
    }
}

/// A machine in which copies of pieces take the place of marks.
struct Copies<'m> {
    /// The machine with marks.
    frame: &'m NFA,
    /// The machines of the classes.
    pieces: &'m [NFA],
    builder: Builder,
}

impl Copies<'_> {
    /// Makes the machine; nothing if it has too many states.
    fn build(mut self, meter: &mut Meter) -> Result<Option<NFA>, LimitReached> {
        let frame = self.frame;
        let mut n_states = frame.states().len();
        if self.add_frame().is_none() {
            return Ok(None);
        }
        for mark in Mark::all(frame) {
            let Some(piece) = self.pieces.get(mark.class) else { continue };
            meter.go_on(piece.states().len())?;
            if self.add_piece(piece, n_states, mark.next).is_none() {
                return Ok(None);
            }
            n_states += piece.states().len();
        }
        meter.look()?;
        let machine = self.builder.build(frame.start_anchored(), frame.start_unanchored()).ok();
        // Releasing the parts that it was made of takes half as long again.
        meter.look()?;
        Ok(machine)
    }

    /// Adds the states of the frame, which keep their numbers. A mark leads to its piece: pieces follow in the order of marks.
    fn add_frame(&mut self) -> Option<()> {
        self.builder.set_utf8(true);
        self.builder.start_pattern().ok()?;
        let mut next_piece = self.frame.states().len();
        for state in self.frame.states() {
            let piece = Mark::of(self.frame, state).and_then(|mark| self.pieces.get(mark.class));
            if let Some(piece) = piece {
                self.add_step(piece.start_anchored(), next_piece)?;
                next_piece += piece.states().len();
            } else {
                self.add_of_frame(state)?;
            }
        }
        self.builder.finish_pattern(self.frame.start_anchored()).ok()?;
        Some(())
    }

    /// Adds a state of the frame that begins no mark.
    fn add_of_frame(&mut self, state: &State) -> Option<StateID> {
        let added = match state {
            // The end of a mark, where nothing leads.
            State::Capture { group_index, .. } if group_index.as_usize() >= FIRST_MARK => {
                self.builder.add_fail()
            }
            State::Capture { next, group_index, slot, .. } if slot.as_usize() % 2 == 0 => {
                self.builder.add_capture_start(*next, group_index.as_u32(), None)
            }
            State::Capture { next, group_index, .. } => {
                self.builder.add_capture_end(*next, group_index.as_u32())
            }
            State::Match { .. } => self.builder.add_match(),
            State::Look { look, next } => self.builder.add_look(*next, *look),
            other => return self.add_moved(other, 0),
        };
        added.ok()
    }

    /// Adds the states of a piece, the first under the number `first`. A match of it leads to the state behind its mark.
    fn add_piece(&mut self, piece: &NFA, first: usize, behind: StateID) -> Option<()> {
        for state in piece.states() {
            match state {
                State::Match { .. } => self.add_step(behind, 0)?,
                // The start of the text that `machine` adds, and the bounds of the match.
                State::Look { next, .. } | State::Capture { next, .. } => self.add_step(*next, first)?,
                other => self.add_moved(other, first)?,
            };
        }
        Some(())
    }

    /// Adds a state that does nothing but lead to another one.
    fn add_step(&mut self, next: StateID, by: usize) -> Option<StateID> {
        let state = self.builder.add_empty().ok()?;
        self.builder.patch(state, moved(next, by)?).ok()?;
        Some(state)
    }

    /// Adds a state that reads, or one with alternatives. It leads to states whose numbers are higher by so much.
    fn add_moved(&mut self, state: &State, by: usize) -> Option<StateID> {
        let transition = |it: &Transition| Some(Transition { next: moved(it.next, by)?, ..*it });
        let states = |all: &[StateID]| all.iter().map(|it| moved(*it, by)).collect::<Option<_>>();
        let added = match state {
            State::ByteRange { trans } => self.builder.add_range(transition(trans)?),
            State::Sparse(all) => {
                self.builder.add_sparse(all.transitions.iter().map(transition).collect::<Option<_>>()?)
            }
            State::Union { alternates } => self.builder.add_union(states(alternates)?),
            State::BinaryUnion { alt1, alt2 } => self.builder.add_union(states(&[*alt1, *alt2])?),
            // The crate makes no other ones for a text in UTF-8.
            _ => self.builder.add_fail(),
        };
        added.ok()
    }
}

/// A number of a state that is higher by so much.
fn moved(state: StateID, by: usize) -> Option<StateID> {
    StateID::new(state.as_usize() + by).ok()
}

#[cfg(test)]
mod tests {
    use regex_automata::nfa::thompson::backtrack::BoundedBacktracker;
    use regex_automata::util::primitives::NonMaxUsize;

    use super::super::re2::{self, Translated};
    use super::super::re2_class::ClassNames;
    use super::*;

    /// The machine of a pattern; nothing if it becomes too large.
    fn machine(pattern: &str) -> Option<NFA> {
        let mut meter = Meter::default();
        let translated = re2::translate(pattern, ClassNames::Loose, &mut meter).expect(pattern);
        let Translated { tree, classes, .. } = translated;
        super::machine(&tree, classes, &mut meter).expect("there is room")
    }

    /// The machine that the crate makes of a pattern in its own syntax.
    fn at_once_of(pattern: &str) -> NFA {
        compiler().build_from_hir(&regex_syntax::parse(pattern).expect(pattern)).expect(pattern)
    }

    /// The bounds of all groups of all matches.
    fn matches(machine: NFA, text: &str) -> Vec<Vec<Option<NonMaxUsize>>> {
        let engine = BoundedBacktracker::new_from_nfa(machine).expect("the machine is not too large");
        let mut cache = engine.create_cache();
        let found = engine.try_captures_iter(&mut cache, text);
        found.map(|it| it.expect("the text is short").slots().to_vec()).collect()
    }

    #[test]
    fn a_machine_of_copies_matches_as_one_made_at_once() {
        // Both libraries read these patterns alike.
        let patterns = [
            r"\pL",
            r"^[\p{L}\p{N}_.:/=+\-@]{1,64}$",
            r"(\pL{2,3}?)(\pN|é)*",
            r"(?:(\pL)|(.))*?$",
            r"[^a]+|(a)",
            r"(\p{Greek}|b|\p{Cyrillic}{0,2}c)*",
            r"(?:\pL{0,2}){0,2}(x)?",
            r"(\PL(\pL(\pN)?)?)+",
            r"(?:[à-ý]|[a-c]|日){3}.",
            r"(?ms)^.|b$",
            r"(?m)(^.)(?-m:$)?|(?s:.\z)",
            r"([à-ý]{0}a)(b)?",
            r"a(?:)*|(?:)+?.|(|é)",
        ];
        let texts =
            ["", "a", "éà1 ñ", "aβγ, бвc", "日本語 abc x", "été2 1é\nxé", "a😀b", "12 34\n", "ωωb\n\n"];
        for pattern in patterns {
            let (ours, theirs) = (machine(pattern).expect(pattern), at_once_of(pattern));
            assert_eq!(ours.group_info().all_group_len(), theirs.group_info().all_group_len(), "{pattern}");
            for text in texts {
                let [ours, theirs] = [&ours, &theirs].map(|machine| matches(machine.clone(), text));
                assert_eq!(ours, theirs, "{pattern} in {text:?}");
            }
        }
    }

    #[test]
    fn the_first_branch_that_matches_has_precedence() {
        let found = |pattern: &str, text: &str| {
            let whole = |groups: &Vec<Option<NonMaxUsize>>| match groups.as_slice() {
                [Some(start), Some(end), ..] => text[start.get()..end.get()].to_owned(),
                _ => panic!("a match has bounds"),
            };
            matches(machine(pattern).expect(pattern), text).iter().map(whole).collect::<Vec<_>>()
        };
        // Answers of Go.
        assert_eq!(found(".*foo|.*bar", "bar foo bar"), ["bar foo", " bar"]);
        assert_eq!(found("a?a|a?b", "ab"), ["a", "b"]);
        assert_eq!(found(r"\d*1|(?:\d*2|\d*3)", "1212"), ["121", "2"]);
        assert_eq!(found(r"(?:\pL*a|\pL*b)", "abab"), ["aba", "b"]);
        assert_eq!(found("a{1,2}a|a{1,2}b", "aab"), ["aa"]);
        assert_eq!(found("x(?:y.*a|y.*b)|c", "xyabc"), ["xya", "c"]);
    }

    #[test]
    fn classes_that_counted_repetition_copies_are_within_the_bound() {
        // Texts of tags, and descriptions.
        assert!(machine(r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,256}$").is_some());
        assert!(machine(r"^[\p{L}\p{M}\p{S}\p{N}\p{P}\p{Z}]{0,350}$").is_some());
        assert!(machine(r"\pL{1000}").is_none());
    }

    #[test]
    fn any_number_of_classes_have_marks() {
        let letters = || ('à'..).take(200);
        let pattern: String = letters().map(|c| format!("[{c}一]")).collect();
        let text: String = letters().collect();
        assert_eq!(matches(machine(&pattern).expect("the pattern is small"), &text).len(), 1);
    }

    #[test]
    fn alternatives_of_one_character_are_a_class() {
        let letters = || ('à'..).step_by(2).take(2000);
        let of = |letters: Vec<String>| format!("(?:{}){{100}}", letters.join("|"));
        let size = |pattern: &str| machine(pattern).expect("copies are small").states().len();
        let one = of(letters().map(String::from).collect());
        let other = format!("[{}]{{100}}", letters().collect::<String>());
        assert_eq!(size(&one), size(&other));
        assert_eq!(matches(machine("(?:é|[ab]|c)").expect("it is small"), "céxa").len(), 3);
    }
}
