//! Blocks: tokens written with the fixed codes, with codes of their own, or their text as it is, whichever is shortest.

use super::Token;
use super::huffman::{Code, canonical, codes};

/// The symbol that ends a block.
const END: usize = 256;
/// Literals, the end, lengths.
const N_SYMBOLS: usize = 286;
const N_DISTANCES: usize = 30;
/// The length of the longest text that a block can hold as it is.
const MAX_STORED: usize = 65_535;
/// The longest code, in bits.
const MAX_CODE_LENGTH: usize = 15;
/// The codes that code lengths are written with have at most this length.
const MAX_HEADER_CODE_LENGTH: usize = 7;
/// The order in which the lengths of those codes are written (RFC 1951, 3.2.7).
const HEADER_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A symbol and what follows it: so many bits of this value.
#[derive(Copy, Clone)]
struct Symbol {
    /// The number of the symbol, in the order of RFC 1951.
    code: usize,
    /// The value of the bits behind its code.
    extra: u32,
    /// How many bits there are.
    extra_bits: u32,
}

impl Symbol {
    /// The symbol for a length, from 3.
    fn of_length(length: u16) -> Self {
        let n = u32::from(length).saturating_sub(3);
        let symbol = match n {
            0..8 => Self { code: n as usize, extra: 0, extra_bits: 0 },
            255 => Self { code: 28, extra: 0, extra_bits: 0 },
            _ => Self::in_ranges(n, n.ilog2() - 2, 4),
        };
        Self { code: END + 1 + symbol.code, ..symbol }
    }

    /// The symbol for a distance, from 1.
    fn of_distance(distance: u16) -> Self {
        match u32::from(distance).saturating_sub(1) {
            n @ 0..4 => Self { code: n as usize, extra: 0, extra_bits: 0 },
            n => Self::in_ranges(n, n.ilog2() - 1, 2),
        }
    }

    /// Numbers with so many lower bits; there are `each` ranges for a number of bits.
    fn in_ranges(n: u32, extra_bits: u32, each: u32) -> Self {
        let code = each * extra_bits + (n >> extra_bits);
        Self { code: code as usize, extra: n & ((1 << extra_bits) - 1), extra_bits }
    }
}

/// Codes for symbols and distances.
struct Codes {
    /// For literals, the end and lengths.
    symbols: Vec<Code>,
    /// For distances.
    distances: Vec<Code>,
}

impl Codes {
    /// Those that every reader knows.
    fn fixed() -> Self {
        let mut lengths = [8; N_SYMBOLS + 2];
        lengths[144..END].fill(9);
        lengths[END..280].fill(7);
        Self { symbols: canonical(&lengths), distances: canonical(&[5; N_DISTANCES]) }
    }
}

/// How often each symbol and distance occurs in a block.
struct Counts {
    symbols: [u32; N_SYMBOLS],
    distances: [u32; N_DISTANCES],
    /// The bits that follow the codes of lengths and distances, in all.
    extra_bits: usize,
}

impl Counts {
    /// Counts the symbols of tokens, and the end of the block.
    fn of(tokens: &[Token]) -> Self {
        let mut counts = Self { symbols: [0; N_SYMBOLS], distances: [0; N_DISTANCES], extra_bits: 0 };
        for token in tokens {
            match *token {
                Token::Literal(byte) => counts.symbols[usize::from(byte)] += 1,
                Token::Match { length, distance } => {
                    let (length, distance) = (Symbol::of_length(length), Symbol::of_distance(distance));
                    counts.symbols[length.code] += 1;
                    counts.distances[distance.code] += 1;
                    counts.extra_bits += (length.extra_bits + distance.extra_bits) as usize;
                }
            }
        }
        counts.symbols[END] = 1;
        // There must be a code for some distance.
        if counts.distances.iter().all(|&n| n == 0) {
            counts.distances[0] = 1;
        }
        counts
    }

    /// How many bits the tokens take with these codes.
    fn bits_with(&self, codes: &Codes) -> usize {
        bits_of(&self.symbols, &codes.symbols) + bits_of(&self.distances, &codes.distances) + self.extra_bits
    }
}

/// How many bits symbols take that occur so often.
fn bits_of(counts: &[u32], codes: &[Code]) -> usize {
    counts.iter().zip(codes).map(|(&n, code)| n as usize * usize::from(code.length)).sum()
}

/// The header before tokens with codes of their own: the lengths of those codes, run by run, in codes themselves.
struct Header {
    /// How many lengths of codes for symbols are written: those at the end that no symbol has are left out.
    n_symbols: usize,
    n_distances: usize,
    /// The lengths, as runs.
    runs: Vec<Symbol>,
    /// The codes that runs are written in.
    codes: Vec<Code>,
    /// How many lengths of codes for runs are written.
    n_codes: usize,
    /// The length of the header in bits.
    bits: usize,
}

impl Header {
    /// The header for codes.
    fn of(own: &Codes) -> Self {
        let used = |codes: &[Code]| codes.iter().rposition(|code| code.length > 0).map_or(0, |last| last + 1);
        let (n_symbols, n_distances) = (used(&own.symbols), used(&own.distances));
        let written = own.symbols[..n_symbols].iter().chain(&own.distances[..n_distances]);
        let lengths: Vec<u8> = written.map(|code| code.length).collect();
        let mut runs = Vec::new();
        lengths.chunk_by(|a, b| a == b).for_each(|run| push_run(usize::from(run[0]), run.len(), &mut runs));
        let mut counts = [0; HEADER_ORDER.len()];
        runs.iter().for_each(|run: &Symbol| counts[run.code] += 1);
        let codes = codes(&counts, MAX_HEADER_CODE_LENGTH);
        let n_codes =
            HEADER_ORDER.iter().rposition(|&code| counts[code] > 0).map_or(0, |last| last + 1).max(4);
        let extra: usize = runs.iter().map(|run| run.extra_bits as usize).sum();
        let bits = 5 + 5 + 4 + 3 * n_codes + bits_of(&counts, &codes) + extra;
        Self { n_symbols, n_distances, runs, codes, n_codes, bits }
    }
}

/// A run of one length: itself, then how often it is repeated; zeros are repeated by codes of their own.
fn push_run(length: usize, count: usize, runs: &mut Vec<Symbol>) {
    let repeat = |code: usize, n: usize, least: usize, extra_bits: u32| Symbol {
        code,
        extra: u32::try_from(n - least).unwrap_or_default(),
        extra_bits,
    };
    let once = Symbol { code: length, extra: 0, extra_bits: 0 };
    let mut left = count;
    if length == 0 {
        while left >= 11 {
            let n = left.min(138);
            runs.push(repeat(18, n, 11, 7));
            left -= n;
        }
        if left >= 3 {
            runs.push(repeat(17, left, 3, 3));
            left = 0;
        }
    } else {
        runs.push(once);
        left -= 1;
        while left >= 3 {
            let n = left.min(6);
            runs.push(repeat(16, n, 3, 2));
            left -= n;
        }
    }
    runs.extend(std::iter::repeat_n(once, left));
}

/// Writes blocks.
pub(super) struct BlockWriter {
    out: BitWriter,
    /// The codes that need no header.
    fixed: Codes,
}

impl BlockWriter {
    /// Writes behind `out`, which ends where a byte does.
    pub(super) fn new(out: Vec<u8>) -> Self {
        Self { out: BitWriter { bytes: out, pending: 0, n_pending: 0 }, fixed: Codes::fixed() }
    }

    /// Gives what has been written. The last block must have ended where a byte does, as a stored one does.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out.bytes
    }

    /// Writes tokens as a block that is not the last. `plain` is their text, if it may be stored.
    pub(super) fn block(&mut self, tokens: &[Token], plain: Option<&[u8]>) {
        let counts = Counts::of(tokens);
        let own = Codes {
            symbols: codes(&counts.symbols, MAX_CODE_LENGTH),
            distances: codes(&counts.distances, MAX_CODE_LENGTH),
        };
        let header = Header::of(&own);
        let fixed_bits = 3 + counts.bits_with(&self.fixed);
        let own_bits = 3 + header.bits + counts.bits_with(&own);
        let stored_bits = plain.filter(|plain| plain.len() <= MAX_STORED).map(|plain| (plain.len() + 5) * 8);
        match plain {
            Some(plain) if stored_bits.is_some_and(|bits| bits < fixed_bits.min(own_bits)) => {
                self.stored(plain, false);
            }
            _ if own_bits < fixed_bits => {
                self.out.push(0b100, 3);
                self.out.header(&header);
                self.out.tokens(tokens, &own);
            }
            _ => {
                self.out.push(0b010, 3);
                self.out.tokens(tokens, &self.fixed);
            }
        }
    }

    /// Writes a text as it is, in a block that ends where a byte does.
    pub(super) fn stored(&mut self, plain: &[u8], is_last: bool) {
        self.out.push(u32::from(is_last), 3);
        self.out.fill_byte();
        let length = u16::try_from(plain.len()).unwrap_or(u16::MAX);
        self.out.bytes.extend(length.to_le_bytes());
        self.out.bytes.extend((!length).to_le_bytes());
        self.out.bytes.extend(plain);
    }
}

/// Writes bit by bit, the lowest bit of a byte first.
struct BitWriter {
    /// The whole bytes so far.
    bytes: Vec<u8>,
    /// The bits behind them, fewer than 32.
    pending: u64,
    /// How many there are.
    n_pending: u32,
}

impl BitWriter {
    /// Writes a header: three counts, the lengths of the codes for runs, the runs.
    fn header(&mut self, header: &Header) {
        for (n, bits) in [(header.n_symbols - 257, 5), (header.n_distances - 1, 5), (header.n_codes - 4, 4)] {
            self.push(u32::try_from(n).unwrap_or_default(), bits);
        }
        for &code in &HEADER_ORDER[..header.n_codes] {
            self.push(u32::from(header.codes[code].length), 3);
        }
        header.runs.iter().for_each(|&run| self.symbol(run, &header.codes));
    }

    /// Writes tokens and the end of the block.
    fn tokens(&mut self, tokens: &[Token], codes: &Codes) {
        let symbol = |code| Symbol { code, extra: 0, extra_bits: 0 };
        for token in tokens {
            match *token {
                Token::Literal(byte) => self.symbol(symbol(usize::from(byte)), &codes.symbols),
                Token::Match { length, distance } => {
                    self.symbol(Symbol::of_length(length), &codes.symbols);
                    self.symbol(Symbol::of_distance(distance), &codes.distances);
                }
            }
        }
        self.symbol(symbol(END), &codes.symbols);
    }

    /// Writes a symbol with the bits that follow it.
    fn symbol(&mut self, symbol: Symbol, codes: &[Code]) {
        let code = codes[symbol.code];
        self.push(u32::from(code.bits), u32::from(code.length));
        self.push(symbol.extra, symbol.extra_bits);
    }

    /// Writes at most 32 bits.
    fn push(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.n_pending;
        self.n_pending += count;
        if self.n_pending >= u32::BITS {
            let [a, b, c, d, ..] = self.pending.to_le_bytes();
            self.bytes.extend([a, b, c, d]);
            self.pending >>= u32::BITS;
            self.n_pending -= u32::BITS;
        }
    }

    /// Writes what is pending, with zeros up to the end of its last byte.
    fn fill_byte(&mut self) {
        let n_bytes = self.n_pending.div_ceil(8) as usize;
        self.bytes.extend(&self.pending.to_le_bytes()[..n_bytes]);
        (self.pending, self.n_pending) = (0, 0);
    }
}
