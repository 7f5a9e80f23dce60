//! Normalisation form C, character by character (UAX #15, section 1.3).
//!
//! The iterators of `unicode-normalization` choose between the forms while they run, and so bring the tables of all
//! forms along; its functions for characters bring those that are used.

use std::convert::Infallible;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

use super::string::stretches;
use crate::sorting::sort_by;

/// The normalisation form C of a text.
pub(super) fn composed(text: &str) -> String {
    match composed_on(text, |_| Ok::<(), Infallible>(())) {
        Ok(composed) => composed,
    }
}

/// Normalises with looks at a clock: `go_on` is told of the bytes that come next.
pub(super) fn composed_on<E>(text: &str, mut go_on: impl FnMut(usize) -> Result<(), E>) -> Result<String, E> {
    let mut composer = Composer { out: String::with_capacity(text.len()), starter: None, marks: Vec::new() };
    for stretch in stretches(text) {
        go_on(stretch.len())?;
        for whole in stretch.chars() {
            decompose_canonical(whole, |part| composer.push(part));
        }
    }
    composer.combine();
    composer.flush();
    Ok(composer.out)
}

/// Puts together what has been taken apart.
struct Composer {
    /// What nothing that follows can change.
    out: String,
    /// The character with which others may combine.
    starter: Option<char>,
    /// What stands behind it, each with its combining class, which is not 0.
    marks: Vec<(u8, char)>,
}

impl Composer {
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
            match joined {
                Some(joined) => starter = joined,
                None => blocked = class,
            }
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

    use super::composed;

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
