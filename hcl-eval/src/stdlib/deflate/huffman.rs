//! Codes: the shorter, the more often their symbol occurs.

/// A code as it is written, its first bit the lowest, and its length.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Code {
    /// The bits in the order in which they are written, the first the lowest.
    pub(super) bits: u16,
    /// How many there are; 0 for a symbol that does not occur.
    pub(super) length: u8,
}

/// The best codes of at most so many bits for symbols that occur so often. Symbols that do not occur have none.
pub(super) fn codes(frequencies: &[u32], max_length: usize) -> Vec<Code> {
    let occurs = |symbol: &usize| frequencies[*symbol] > 0;
    let mut symbols: Vec<usize> = (0..frequencies.len()).filter(occurs).collect();
    let mut lengths = vec![0; frequencies.len()];
    if symbols.len() <= 2 {
        symbols.iter().for_each(|&symbol| lengths[symbol] = 1);
    } else {
        symbols.sort_by_key(|&symbol| (frequencies[symbol], symbol));
        let weights: Vec<u32> = symbols.iter().map(|&symbol| frequencies[symbol]).collect();
        for (symbol, length) in symbols.into_iter().zip(code_lengths(&weights, max_length)) {
            lengths[symbol] = length;
        }
    }
    canonical(&lengths)
}

/// The codes that lengths lead to (RFC 1951, 3.2.2).
pub(super) fn canonical(lengths: &[u8]) -> Vec<Code> {
    let mut codes = vec![Code::default(); lengths.len()];
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let mut next: u16 = 0;
    for length in 1..=longest {
        next <<= 1;
        for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, of)| **of == length) {
            *code = Code { bits: next.reverse_bits() >> (u16::BITS - u32::from(length)), length };
            next += 1;
        }
    }
    codes
}

/// The lengths for weights in ascending order, of which there are at least three, by package-merge: what is on a
/// level are the weights, and the pairs of what is on the level below. A pair goes before a weight that is as heavy.
fn code_lengths(weights: &[u32], max_length: usize) -> Vec<u8> {
    let levels = max_length.min(weights.len() - 1);
    let mut items: Vec<(u32, bool)> = weights.iter().map(|&weight| (weight, true)).collect();
    #[expect(clippy::disallowed_methods, reason = "codes have 15 bits at most")]
    let mut below = Vec::with_capacity(levels);
    for _ in 1..levels {
        let pairs = items.chunks_exact(2).map(|pair| (pair[0].0.saturating_add(pair[1].0), false));
        let mut pairs = pairs.peekable();
        #[expect(clippy::disallowed_methods, reason = "an alphabet has 286 letters at most")]
        let mut merged = Vec::with_capacity(2 * weights.len());
        for &weight in weights {
            while let Some(pair) = pairs.next_if(|pair| pair.0 <= weight) {
                merged.push(pair);
            }
            merged.push((weight, true));
        }
        merged.extend(pairs);
        below.push(std::mem::replace(&mut items, merged));
    }
    below.push(items);
    let mut lengths = vec![0; weights.len()];
    let mut taken = 2 * weights.len() - 2;
    for items in below.iter().rev() {
        let n_weights = items.iter().take(taken).filter(|(_, is_weight)| *is_weight).count();
        lengths[..n_weights].iter_mut().for_each(|length| *length += 1);
        taken = 2 * (taken - n_weights);
    }
    lengths
}
