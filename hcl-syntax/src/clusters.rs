//! Characters as a reader sees them, found with looks at the limits however long one of them is.
//!
//! A character with megabytes of accents is one, so the search is shown ever more of the text. All before stays in view: without
//! it the search counts flags twice. It looks back once for a character, to what a sequence of emoji or a syllable begins with,
//! and that has no look inside.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use crate::limits::Watch;

/// How much of a text is shown to the search at a time.
const STRETCH: usize = 1 << 15;

/// The characters of a text, from its beginning on.
///
/// ```
/// use hcl_syntax::clusters::Clusters;
///
/// let text = "e\u{301}a";
/// let mut clusters = Clusters::new(text);
/// let accented = clusters.next(|_| Ok::<_, ()>(()))?;
/// assert_eq!(accented, Some(0..3));
/// # Ok::<(), ()>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clusters<'t> {
    text: &'t str,
    cursor: GraphemeCursor,
    /// The end of what the search is shown.
    seen: usize,
    /// How much is added to it at a time.
    stretch: usize,
}

impl<'t> Clusters<'t> {
    /// The characters of a text.
    pub fn new(text: &'t str) -> Self {
        Self::in_stretches_of(text, STRETCH)
    }

    fn in_stretches_of(text: &'t str, stretch: usize) -> Self {
        let cursor = GraphemeCursor::new(0, text.len(), true);
        Self { text, cursor, seen: text.ceil_char_boundary(stretch), stretch }
    }

    /// The places of the characters, as far as they have been found when the work is to end.
    pub(crate) fn on<'w>(
        mut self,
        watch: &'w Watch,
    ) -> impl Iterator<Item = Range<usize>> + Clone + use<'t, 'w> {
        std::iter::from_fn(move || {
            let cluster = self.next(|bytes| watch.count_bytes(bytes)).ok()??;
            watch.count_bytes(cluster.len()).is_ok().then_some(cluster)
        })
    }

    /// The place of the next character; `None` after the last one. `go_on` is told of so many bytes more that are looked at.
    ///
    /// # Errors
    /// Those of `go_on`, which end the search.
    pub fn next<E>(
        &mut self,
        mut go_on: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Range<usize>>, E> {
        let start = self.cursor.cur_cursor();
        loop {
            match self.cursor.next_boundary(&self.text[..self.seen], 0) {
                Ok(end) => return Ok(end.map(|end| start..end)),
                // With all before in view only what follows can be missing.
                Err(_) => {
                    self.seen = self.text.ceil_char_boundary(self.seen + self.stretch);
                    go_on(self.stretch)?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use unicode_segmentation::UnicodeSegmentation as _;

    use super::Clusters;

    #[test]
    fn stretches_make_no_difference() {
        // Accents, flags, families, syllables of Hangul and of Devanagari, prefixed signs, line ends.
        let parts: Vec<char> =
            "ae\u{301}\u{308}\u{200d}\u{1f1e9}\u{1f1ea}\u{1f468}\u{1f469}\u{1f3fd}\u{1100}\u{1161}\u{11a8}\
                                \u{915}\u{94d}\u{93c}\u{937}\u{600}\r\n\t "
                .chars()
                .collect();
        let mut state = 1_u64;
        for n in 0..20_000 {
            let text: String = (0..n % 23)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    parts[(state >> 40) as usize % parts.len()]
                })
                .collect();
            for stretch in [1, 2, 5, 9, 100] {
                let mut clusters = Clusters::in_stretches_of(&text, stretch);
                let mut found = Vec::new();
                while let Ok(Some(range)) = clusters.next(|_| Ok::<(), Infallible>(())) {
                    found.push(&text[range]);
                }
                assert_eq!(found, text.graphemes(true).collect::<Vec<_>>(), "{text:?} by {stretch}");
            }
        }
    }
}
