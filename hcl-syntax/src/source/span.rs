//! A [`Span`] is a piece of one source text: two byte offsets, nothing else.
//!
//! Syntax nodes carry spans because they are small and need no source at hand. What a person reads,
//! lines and columns, is a [`Range`](super::Range), made from a span by the [`Source`](super::Source)
//! it belongs to.

/// A half-open range of byte offsets into one source text.
///
/// ```
/// use hcl_syntax::source::{Source, Span};
///
/// let source = Source::new("main.hcl", "port = 80\n")?;
/// let (name, value) = (Span::new(0, 4), Span::new(7, 9));
/// assert_eq!(source.slice(name.to(value)), "port = 80");
/// assert_eq!(value.len(), 2);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; never less than `start`.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    pub const fn empty_at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The number of bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span has no bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The empty span after the last byte.
    #[must_use]
    pub const fn at_end(self) -> Self {
        Self::empty_at(self.end)
    }
}
