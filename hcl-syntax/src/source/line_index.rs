//! Offsets to lines and columns.

use super::{Pos, Source};

/// Where lines begin, and what columns need beyond bytes.
pub(super) struct LineIndex {}

impl LineIndex {
    pub(super) fn new(_source: &Source) -> Self {
        Self {}
    }

    pub(super) fn position(&self, offset: u32, _origin: Pos) -> Pos {
        Pos { line: 1, column: 1 + offset, byte: u64::from(offset) }
    }
}
