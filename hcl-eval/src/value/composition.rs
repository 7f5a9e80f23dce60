//! Normalisation form C, character by character (UAX #15, section 1.3).
//!
//! As in the reference, the result is a stream-safe text (UAX #15, section 13): behind 30 characters that belong to the one
//! before them comes a COMBINING GRAPHEME JOINER.
//!
//! The iterators of `unicode-normalization` choose between the forms while they run, and so bring the tables of all
//! forms along; its functions for characters bring those that are used.

use hcl_syntax::memory;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

use super::string::{STRETCH, stretches};
use crate::sorting::sort_by;

/// So many characters may follow one that they belong to.
const MOST_FOLLOWERS: usize = 30;
/// A character by itself has no more of them when it is taken apart.
const MOST_OF_ONE: usize = 3;
/// The character that starts anew.
const JOINER: char = '\u{34f}';

/// Returns whether a text is in normalisation form C, as far as a quick look tells.
pub(super) fn surely_composed(text: &str) -> bool {
    let (mut n_marks, mut most) = (0, 0);
    let chars = text.chars().inspect(|&c| {
        // No character before U+0300 is a mark.
        n_marks = if c < '\u{300}' || canonical_combining_class(c) == 0 { 0 } else { n_marks + 1 };
        most = most.max(n_marks);
    });
    matches!(is_nfc_quick(chars), IsNormalized::Yes) && most <= MOST_FOLLOWERS - MOST_OF_ONE
}

/// The normalisation form C of a text; an empty one where memory runs out. Most texts have it already, and do not come here.
pub(super) fn composed(text: &str) -> String {
    let has_room = |_, room| if memory::is_to_be_had(room) { Ok(()) } else { Err(()) };
    composed_on(text, has_room).unwrap_or_default()
}

/// Normalises with looks at the limits: `go_on` is told of the bytes that come next, and how many it takes to keep them.
pub(super) fn composed_on<E>(
    text: &str,
    mut go_on: impl FnMut(usize, usize) -> Result<(), E>,
) -> Result<String, E> {
    // Each 30 marks, of two bytes or more, bring a joiner, and a stretch triples at most.
    let joined = |n_bytes: usize| n_bytes + n_bytes / MOST_FOLLOWERS;
    let spare = 3 * text.len().min(STRETCH);
    let room = joined(text.len()) + spare;
    go_on(0, room)?;
    let out = String::with_capacity(room);
    let mut composer = Composer { out, starter: None, marks: Vec::new(), n_followers: 0 };
    let mut left = text.len();
    for stretch in stretches(text) {
        go_on(stretch.len(), 0)?;
        let needed = joined(left) + spare;
        if composer.out.capacity() - composer.out.len() < needed {
            go_on(0, 2 * composer.out.capacity() + needed)?;
            composer.out.reserve(needed);
        }
        left -= stretch.len();
        for whole in stretch.chars() {
            composer.count(whole);
            decompose_canonical(whole, |part| composer.push(part));
        }
    }
    composer.combine();
    composer.flush();
    Ok(composer.out)
}

/// Puts together what has been taken apart.
struct Composer {
    /// The text that nothing that follows can change.
    out: String,
    /// The character with which others may combine.
    starter: Option<char>,
    /// The characters behind it, each with its combining class, which is not 0.
    marks: Vec<(u8, char)>,
    /// How many characters belong to one before them, up to the one that comes next.
    n_followers: usize,
}

/// Returns whether a part belongs to what stands before it: a mark, or the vowel of a syllable.
fn follows(part: char) -> bool {
    canonical_combining_class(part) != 0 || matches!(is_nfc_quick(std::iter::once(part)), IsNormalized::Maybe)
}

impl Composer {
    /// Counts the parts of the next character that belong to others. Before the first that are too many it starts anew.
    fn count(&mut self, whole: char) {
        let (mut n_first, mut n_last, mut all_follow) = (0, 0, true);
        decompose_canonical(whole, |part| {
            if follows(part) {
                n_first += usize::from(all_follow);
                n_last += 1;
            } else {
                (n_last, all_follow) = (0, false);
            }
        });
        if n_first > 0 && self.n_followers + n_first > MOST_FOLLOWERS {
            self.push(JOINER);
            self.n_followers = 0;
        }
        self.n_followers = if n_first > 0 { self.n_followers + n_first } else { n_last };
    }

    fn push(&mut self, c: char) {
        let class = canonical_combining_class(c);
        if class != 0 {
            self.marks.push((class, c));
            return;
        }
        self.combine();
        let joined = self.starter.filter(|_| self.marks.is_empty()).and_then(|starter| compose(starter, c));
        if joined.is_none() {
            self.flush();
        }
        self.starter = joined.or(Some(c));
    }

    /// Brings the marks into the order of their classes and combines with the starter those that can. A mark that cannot
    /// keeps others of its class from the starter.
    fn combine(&mut self) {
        sort_by(&mut self.marks, |(a, _), (b, _)| a.cmp(b));
        let Some(mut starter) = self.starter else { return };
        let mut blocked = 0;
        self.marks.retain(|&(class, mark)| {
            let joined = if class == blocked { None } else { compose(starter, mark) };
            starter = joined.unwrap_or(starter);
            blocked = if joined.is_some() { blocked } else { class };
            joined.is_none()
        });
        self.starter = Some(starter);
    }

    fn flush(&mut self) {
        self.out.extend(self.starter.take());
        self.out.extend(self.marks.drain(..).map(|(_, mark)| mark));
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;

    use super::{composed, composed_on, surely_composed};

    #[test]
    fn the_form_is_that_of_the_iterators() {
        let all = (char::MIN..=char::MAX).collect::<Vec<_>>();
        for some in all.chunks(15) {
            let text = some.iter().collect::<String>();
            assert_eq!(composed(&text), text.nfc().collect::<String>());
        }
        for c in all {
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

    #[test]
    fn room_is_asked_for_before_it_is_needed() {
        for (text, is_growing) in [("\u{301}", false), ("a", false), ("\u{1d160}", true), ("\u{958}", true)] {
            let text = text.repeat(200_000);
            let (mut told, mut room) = (0, 0);
            let composed = composed_on(&text, |n_bytes, n| {
                (told, room) = (told + n_bytes, room.max(n));
                Ok::<(), ()>(())
            });
            let composed = composed.expect("nothing ends it");
            assert_eq!(told, text.len());
            assert!(composed.capacity() <= room, "{} of {room} bytes", composed.capacity());
            assert_eq!(room > 2 * text.len(), is_growing, "{room} of {}", text.len());
        }
    }

    /// Answers of Terraform.
    #[test]
    fn more_than_thirty_followers_are_told_apart() {
        let spread = |runs: &[(&str, usize)]| runs.iter().map(|(c, n)| c.repeat(*n)).collect::<String>();
        let joiner = ("\u{34f}", 1);
        let (tilde, acute) = ("\u{334}", "\u{301}");
        let cases: &[(&[_], &[_])] = &[
            (&[("x", 1), (tilde, 30)], &[("x", 1), (tilde, 30)]),
            (&[("x", 1), (tilde, 31)], &[("x", 1), (tilde, 30), joiner, (tilde, 1)]),
            (&[("x", 1), (tilde, 65)], &[("x", 1), (tilde, 30), joiner, (tilde, 30), joiner, (tilde, 5)]),
            (&[("é", 1), (tilde, 29)], &[("é", 1), (tilde, 29)]),
            (&[("é", 1), (tilde, 30)], &[("é", 1), (tilde, 29), joiner, (tilde, 1)]),
            (&[("ᾦ", 1), (tilde, 28)], &[("ᾦ", 1), (tilde, 27), joiner, (tilde, 1)]),
            (&[(acute, 35)], &[(acute, 30), joiner, (acute, 5)]),
            (
                &[("x", 1), ("\u{345}", 20), (acute, 20)],
                &[("x", 1), (acute, 10), ("\u{345}", 20), joiner, (acute, 10)],
            ),
            (&[("ক", 1), ("\u{9be}", 40)], &[("ক", 1), ("\u{9be}", 30), joiner, ("\u{9be}", 10)]),
            (&[("ᄀ", 1), ("\u{1161}", 33)], &[("가", 1), ("\u{1161}", 29), joiner, ("\u{1161}", 3)]),
            (&[("가", 1), ("\u{11a8}", 31)], &[("각", 1), ("\u{11a8}", 28), joiner, ("\u{11a8}", 2)]),
            (
                &[("a", 1), (acute, 29), ("\u{344}", 1), ("\u{327}", 3)],
                &[("á", 1), (acute, 28), joiner, ("\u{327}", 3), ("\u{308}", 1), (acute, 1)],
            ),
        ];
        for (text, normal) in cases {
            let (text, normal) = (spread(text), spread(normal));
            assert_eq!(composed(&text), normal, "{text:?}");
            assert!(text == normal || !surely_composed(&text), "{text:?}");
        }
    }
}
