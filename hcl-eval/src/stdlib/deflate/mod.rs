//! Compression as Go's standard library does it at its default level, so that the bytes are those of the products.
//!
//! A library of Rust would choose other repetitions and other blocks: the text that comes back is the same, the bytes are
//! not, and what products write is compared, hashed and stored. `finder` finds repetitions, `block` chooses
//! how a run of them is written, `huffman` makes the codes.

mod block;
mod finder;
mod huffman;

use block::BlockWriter;
use finder::Finder;

/// How many tokens a block has at most.
const MAX_TOKENS: usize = 1 << 14;

/// A piece of a text: one byte, or a repetition of what came before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Token {
    /// This byte.
    Literal(u8),
    /// So many bytes once more, from so far back.
    Match { length: u16, distance: u16 },
}

/// Deflates a text, step by step.
pub(super) struct Deflater<'t> {
    finder: Finder<'t>,
    blocks: BlockWriter,
    /// The tokens of the block under way.
    tokens: Vec<Token>,
    /// Where the block begins that `tokens` are for.
    block_start: usize,
}

impl<'t> Deflater<'t> {
    /// Writes behind `out`. `None` if there is no memory to work with.
    pub(super) fn new(text: &'t [u8], out: Vec<u8>) -> Option<Self> {
        let finder = Finder::new(text)?;
        Some(Self { finder, blocks: BlockWriter::new(out), tokens: Vec::new(), block_start: 0 })
    }

    /// Goes on for about so many bytes of the text; false if its end was reached.
    pub(super) fn advance(&mut self, bytes: usize) -> bool {
        let stop = self.finder.position().saturating_add(bytes);
        while self.finder.position() < stop {
            let Some(token) = self.finder.next() else {
                self.end_block();
                return false;
            };
            self.tokens.push(token);
            if self.tokens.len() == MAX_TOKENS {
                self.end_block();
            }
        }
        true
    }

    /// Returns what has been written, with the marks of a flush and of the end behind it.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.blocks.stored(&[], false);
        self.blocks.stored(&[], true);
        self.blocks.into_bytes()
    }

    /// Writes the tokens under way as a block.
    fn end_block(&mut self) {
        if self.tokens.is_empty() {
            return;
        }
        let end = self.finder.covered();
        // Text that has left the window can't be stored as it is.
        let plain = self.finder.within_window(self.block_start..end);
        self.blocks.block(&self.tokens, plain);
        self.block_start = end;
        self.tokens.clear();
    }
}
