//! Bits: of truth values, and of cells that are not null.

/// Bits, the lowest of a word first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BitBuffer {
    words: Vec<u64>,
    len: usize,
}

impl BitBuffer {
    pub(super) fn zeros(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Adds the bits of another list.
    pub(super) fn append(&mut self, more: &Self) {
        for (at, word) in more.words.iter().enumerate() {
            self.push_word(*word, (more.len - 64 * at).min(64));
        }
    }

    /// So many ones, with room for `n` bits.
    pub(super) fn ones(len: usize, n: usize) -> Self {
        let mut words = Vec::with_capacity(n.div_ceil(64));
        words.resize(len / 64, u64::MAX);
        let mut ones = Self { words, len: len - len % 64 };
        ones.push_word(u64::MAX, len % 64);
        ones
    }

    /// Makes room for so many bits.
    pub(super) fn reserve(&mut self, n: usize) {
        self.words.reserve_exact(n.div_ceil(64));
    }

    pub(super) fn push(&mut self, bit: bool) {
        self.push_word(u64::from(bit), 1);
    }

    /// Adds the lowest `n` bits of a word, at most 64.
    pub(super) fn push_word(&mut self, word: u64, n: usize) {
        if n == 0 {
            return;
        }
        let word = if n < 64 { word & ((1 << n) - 1) } else { word };
        let shift = self.len % 64;
        if shift == 0 {
            self.words.push(word);
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= word << shift;
            }
            if shift + n > 64 {
                self.words.push(word >> (64 - shift));
            }
        }
        self.len += n;
    }

    /// The number of bits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no bits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at `index`; false beyond the last.
    #[must_use]
    pub fn get(&self, index: usize) -> bool {
        index < self.len && self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// The bits in words that lie in memory with their lowest byte first.
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words.into_iter().map(u64::to_le).collect()
    }

    pub(super) fn n_zeros(&self) -> usize {
        self.len - self.words.iter().map(|word| word.count_ones() as usize).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_that_were_added() {
        let word = 0x9e37_79b9_7f4a_7c15_u64;
        for first in [0, 1, 7, 63, 64, 65] {
            let mut buffer = BitBuffer::ones(first, 200);
            let mut expected = vec![true; first];
            for n in [0, 1, 63, 64, 5, 59, 64, 2] {
                // Bits of the word beyond the lowest `n` are none of those added.
                buffer.push_word(word, n);
                expected.extend((0..n).map(|at| word >> at & 1 != 0));
            }
            buffer.append(&BitBuffer::ones(70, 70));
            expected.extend([true; 70]);
            assert_eq!(buffer.len, expected.len());
            let mut words = vec![0; expected.len().div_ceil(64)];
            for (at, _) in expected.iter().enumerate().filter(|(_, bit)| **bit) {
                words[at / 64] |= 1_u64 << (at % 64);
            }
            assert_eq!(buffer.words, words, "behind {first} ones");
        }
    }
}
