//! Normalisation form C, character by character (UAX #15, section 1.3).
//!
//! The iterators of `unicode-normalization` choose between the forms while they run, and so bring the tables of all
//! forms along; its functions for characters bring those that are used.

use hcl_syntax::memory;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

use super::string::stretches;
use crate::sorting::{sort_by, sort_by_on};

/// The normalisation form C of a text; an empty one where memory runs out. Most texts have it already, and do not come here.
#[cold]
#[inline(never)]
pub(super) fn composed(text: &str) -> String {
    let has_room = |_, room| if memory::is_to_be_had(room) { Ok(()) } else { Err(()) };
    composed_on(text, has_room).unwrap_or_default()
}

/// Normalises with looks at the limits: `go_on` is told of the bytes that come next, and how many it takes to keep them.
pub(super) fn composed_on<E>(
    text: &str,
    mut go_on: impl FnMut(usize, usize) -> Result<(), E>,
) -> Result<String, E> {
    go_on(0, text.len())?;
    let mut composer = Composer { out: String::with_capacity(text.len()), starter: None, marks: Vec::new() };
    for stretch in stretches(text) {
        go_on(stretch.len(), 0)?;
        for whole in stretch.chars() {
            let mut done = Ok(());
            decompose_canonical(whole, |part| {
                if done.is_ok() {
                    done = composer.push(part, &mut go_on);
                }
            });
            done?;
        }
    }
    composer.combine(&mut go_on)?;
    composer.flush(&mut go_on)?;
    Ok(composer.out)
}

/// From so many marks behind one character on there are looks at the clock.
const MANY: usize = 4096;
/// A mark is as much work as so many bytes of plain text.
const BYTES_OF_WORK: usize = 16;

/// Puts together what has been taken apart.
struct Composer {
    /// The text that nothing that follows can change.
    out: String,
    /// The character with which others may combine.
    starter: Option<char>,
    /// The characters behind it, each with its combining class, which is not 0.
    marks: Vec<(u8, char)>,
}

impl Composer {
    fn push<E>(&mut self, c: char, go_on: &mut impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let class = canonical_combining_class(c);
        if class != 0 {
            if self.marks.len() >= MANY && self.marks.len() == self.marks.capacity() {
                go_on(0, self.marks.len() * size_of::<(u8, char)>())?;
            }
            self.marks.push((class, c));
            return Ok(());
        }
        self.combine(go_on)?;
        let joined = self.starter.filter(|_| self.marks.is_empty()).and_then(|starter| compose(starter, c));
        if joined.is_none() {
            self.flush(go_on)?;
        }
        self.starter = joined.or(Some(c));
        Ok(())
    }

    /// Brings the marks into the order of their classes and combines with the starter those that can. A mark that cannot
    /// keeps others of its class from the starter.
    fn combine<E>(&mut self, go_on: &mut impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        if self.marks.len() <= MANY {
            sort_by(&mut self.marks, |(a, _), (b, _)| a.cmp(b));
        } else if !self.marks.is_sorted_by_key(|(class, _)| *class) {
            sort_by_on(&mut self.marks, |(a, _), (b, _)| a.cmp(b), |n| go_on(n * BYTES_OF_WORK, 0))?;
        }
        let Some(mut starter) = self.starter else { return Ok(()) };
        let (mut blocked, mut kept) = (0, 0);
        for at in 0..self.marks.len() {
            if at % MANY == MANY - 1 {
                go_on(MANY * BYTES_OF_WORK, 0)?;
            }
            let (class, mark) = self.marks[at];
            let joined = if class == blocked { None } else { compose(starter, mark) };
            if let Some(joined) = joined {
                starter = joined;
            } else {
                blocked = class;
                self.marks[kept] = (class, mark);
                kept += 1;
            }
        }
        self.marks.truncate(kept);
        self.starter = Some(starter);
        Ok(())
    }

    fn flush<E>(&mut self, go_on: &mut impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        self.out.extend(self.starter.take());
        for marks in self.marks.chunks(MANY) {
            if marks.len() == MANY {
                go_on(MANY * BYTES_OF_WORK, 0)?;
            }
            self.out.extend(marks.iter().map(|(_, mark)| mark));
        }
        self.marks.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;

    use super::{BYTES_OF_WORK, MANY, composed, composed_on};

    #[test]
    fn many_marks_behind_a_character_are_more_work_than_their_bytes() {
        for n in [0, 1, MANY - 1, MANY, MANY + 1, 3 * MANY + 5] {
            let text = format!("x{}", "\u{334}".repeat(n));
            let mut told = 0;
            let mut room = 0;
            let composed = composed_on(&text, |bytes, needed| {
                told += bytes;
                room += needed;
                Ok::<(), ()>(())
            });
            // Beside the text there is the list of the marks, which grows to twice its size.
            let grown = n.next_power_of_two().saturating_sub(MANY);
            let for_marks = if n > MANY { grown * size_of::<(u8, char)>() } else { 0 };
            assert_eq!(room, text.len() + for_marks, "{n} marks");
            assert_eq!(composed.as_ref(), Ok(&text));
            // They are looked through once and written once.
            assert_eq!(told, text.len() + 2 * (n / MANY) * MANY * BYTES_OF_WORK, "{n} marks");
        }
    }

    #[test]
    fn the_form_is_that_of_the_iterators() {
        let all = (char::MIN..=char::MAX).collect::<String>();
        assert_eq!(composed(&all), all.nfc().collect::<String>());
        for c in char::MIN..=char::MAX {
            let alone = c.to_string();
            assert_eq!(composed(&alone), alone.nfc().collect::<String>());
        }
        // Starters, marks of several classes, parts of syllables, singletons, what is excluded from composition.
        let parts = "aeo\u{1100}\u{1161}\u{11a8}\u{ac00}\u{300}\u{301}\u{308}\u{323}\u{327}\u{328}\u{338}\u{345}\u{0958}\u{093c}\
                     \u{915}\u{3099}\u{304b}\u{212b}\u{1e9b}\u{0f71}\u{0f72}\u{1d15e}\u{110ba}\u{11099}=<";
        let parts = parts.chars().collect::<Vec<_>>();
        let mut state = 1_u64;
        for n in 0..20_000 {
            let text = (0..n % 40)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    parts[(state >> 40) as usize % parts.len()]
                })
                .collect::<String>();
            assert_eq!(composed(&text), text.nfc().collect::<String>(), "{text:?}");
        }
    }
}
