//! The choices that bytes make for a grammar.

use arbitrary::Unstructured;

/// The first byte of an input that is a text; what follows is the text.
const IS_TEXT: u8 = b'#';

/// An input.
pub(super) enum Input<'b> {
    /// A text.
    Text(&'b [u8]),
    /// Choices that a text is written by.
    Choices(Choices<'b>),
}

impl<'b> Input<'b> {
    /// Bytes that begin with `#` are a text.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        match bytes.split_first() {
            Some((&IS_TEXT, text)) => Self::Text(text),
            _ => Self::Choices(Choices(Unstructured::new(bytes))),
        }
    }
}

/// Bytes as decisions. When they have come to an end, every decision is for the first of what there is to choose from.
pub(super) struct Choices<'b>(Unstructured<'b>);

impl<'b> Choices<'b> {
    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.int_in_range(0..=n.saturating_sub(1)).unwrap_or(0)
    }

    /// One of these.
    pub(super) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// True as long as there are bytes.
    pub(super) fn has_more(&self) -> bool {
        !self.0.is_empty()
    }

    /// A short text of any characters.
    pub(super) fn text(&mut self) -> &'b str {
        self.0.arbitrary().unwrap_or_default()
    }

    /// A number of any size, as it is written.
    pub(super) fn number(&mut self) -> String {
        match self.below(6) {
            0 => self.below(10).to_string(),
            1 => self.0.arbitrary::<i64>().unwrap_or_default().unsigned_abs().to_string(),
            2 => format!("{}.{}", self.below(1000), self.below(100_000)),
            3 => format!("{}e{}", self.below(100), self.below(400)),
            4 => format!("{}e-{}", self.below(100), self.below(400)),
            _ => "9".repeat(1 + self.below(200)),
        }
    }
}
