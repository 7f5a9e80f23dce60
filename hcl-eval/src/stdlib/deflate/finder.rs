//! Finding repetitions.
//!
//! Four bytes at a time are hashed; places with one hash are linked, the latest first, and so many of them are
//! looked at. A match is taken only if none that begins at the next byte is longer.

use std::ops::Range;

use super::Token;

/// How far back a match may reach.
const WINDOW: usize = 1 << 15;
/// Text is held so far; what is older than half of it is given up when more comes.
const HELD: usize = 2 * WINDOW;
/// Go's compressor hashes four bytes, so that it finds no matches of three.
const MIN_MATCH: usize = 4;
/// The longest match that the format has.
const MAX_MATCH: usize = 258;
/// How much must lie ahead while there may be more text.
const LOOKAHEAD: usize = MIN_MATCH + MAX_MATCH;
/// The least matches are only worth it near by.
const NEAR: usize = 4096;
/// How many places are looked at.
const MAX_TRIES: usize = 128;
/// A match of this length ends the search for a longer one.
const NICE_LENGTH: usize = 128;
/// A match of this length is taken without a look at the next byte.
const LAZY_LENGTH: usize = 16;
/// The bits of a hash. They decide which places collide, and with that which matches are found.
const HASH_BITS: u32 = 17;
/// The multiplier of Go's hash.
const HASH_FACTOR: u32 = 0x1e35_a7bd;
/// In place of a position: no text is that long.
const NOWHERE: u32 = u32::MAX;

/// A text on the way to tokens. All of it is at hand, but the finder behaves as Go's, which sees a window of it: what
/// has left the window is not found.
pub(super) struct Finder<'t> {
    text: &'t [u8],
    position: usize,
    /// The byte before the position is in no token yet: it may begin a match.
    holds_byte: bool,
    /// The match that begins at the byte before the position, `MIN_MATCH - 1` long if there is none.
    held: Found,
    /// Where the window begins of which matches are taken.
    window: usize,
    /// The latest position with a hash.
    heads: Vec<u32>,
    /// The position with the same hash before each of the window.
    links: Vec<u32>,
}

/// A match: the length in bytes, and how far back it begins.
#[derive(Copy, Clone)]
struct Found {
    length: usize,
    distance: usize,
}

/// A match that is too short to be one.
const NOTHING: Found = Found { length: MIN_MATCH - 1, distance: 0 };

/// A table of positions that are nowhere; nothing if there is no memory for it.
fn table(n: usize) -> Option<Vec<u32>> {
    let mut table = Vec::new();
    table.try_reserve_exact(n).ok()?;
    #[expect(clippy::disallowed_methods, reason = "there is room for it")]
    table.resize(n, NOWHERE);
    Some(table)
}

impl<'t> Finder<'t> {
    /// `None` if there is no memory for the tables.
    pub(super) fn new(text: &'t [u8]) -> Option<Self> {
        Some(Self {
            text,
            position: 0,
            holds_byte: false,
            held: NOTHING,
            window: 0,
            heads: table(1 << HASH_BITS)?,
            links: table(WINDOW)?,
        })
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// How much of the text is in the tokens.
    pub(super) fn covered(&self) -> usize {
        self.position - usize::from(self.holds_byte)
    }

    /// A part of the text, if all of it is still held.
    pub(super) fn within_window(&self, part: Range<usize>) -> Option<&'t [u8]> {
        if part.start < self.window { None } else { self.text.get(part) }
    }

    /// The next token; nothing at the end.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            self.shift_window();
            let ahead = self.text.len() - self.position;
            if ahead == 0 {
                let last = self.holds_byte.then(|| self.text[self.position - 1]);
                self.holds_byte = false;
                return last.map(Token::Literal);
            }
            let previous = std::mem::replace(&mut self.held, NOTHING);
            let candidate = self.enter(self.position);
            if ahead > previous.length && previous.length < LAZY_LENGTH {
                self.held = self.longest(candidate, ahead);
            }
            if previous.length >= MIN_MATCH && self.held.length <= previous.length {
                return Some(self.take(previous));
            }
            self.position += 1;
            if std::mem::replace(&mut self.holds_byte, true) {
                return Some(Token::Literal(self.text[self.position - 2]));
            }
        }
    }

    /// Takes the match that begins at the byte before the position.
    fn take(&mut self, found: Found) -> Token {
        let end = self.position - 1 + found.length;
        for position in self.position + 1..end {
            self.enter(position);
        }
        self.position = end;
        self.holds_byte = false;
        self.held = NOTHING;
        // Both are within bounds that fit.
        let [length, distance] = [found.length, found.distance].map(|n| u16::try_from(n).unwrap_or_default());
        Token::Match { length, distance }
    }

    /// Gives up the older half of what is held where that is full and the position near its end.
    fn shift_window(&mut self) {
        let held = self.window + HELD;
        if self.text.len() > held && held - self.position < LOOKAHEAD {
            self.window += WINDOW;
        }
    }

    /// Notes a position under the hash of its bytes, and gives the position that was noted there before.
    fn enter(&mut self, position: usize) -> u32 {
        let Some(bytes) = self.text[position..].first_chunk::<MIN_MATCH>() else { return NOWHERE };
        let hash = u32::from_be_bytes(*bytes).wrapping_mul(HASH_FACTOR) >> (u32::BITS - HASH_BITS);
        let here = u32::try_from(position).unwrap_or(NOWHERE);
        let before = std::mem::replace(&mut self.heads[hash as usize], here);
        self.links[position % WINDOW] = before;
        before
    }

    /// The longest match for the position; of several the nearest.
    fn longest(&self, candidate: u32, ahead: usize) -> Found {
        let here = self.position;
        let wanted = &self.text[here..here + ahead.min(MAX_MATCH)];
        let nice = wanted.len().min(NICE_LENGTH);
        let oldest = here.saturating_sub(WINDOW).max(self.window);
        let mut best = NOTHING;
        let mut candidate = candidate;
        for _ in 0..MAX_TRIES {
            let at = candidate as usize;
            if candidate == NOWHERE || at < oldest {
                break;
            }
            if wanted.get(best.length) == self.text.get(at + best.length) {
                let length = common_length(&self.text[at..], wanted);
                if length > best.length && (length > MIN_MATCH || here - at <= NEAR) {
                    best = Found { length, distance: here - at };
                    if length >= nice {
                        break;
                    }
                }
            }
            if at == oldest {
                break;
            }
            candidate = self.links[at % WINDOW];
        }
        best
    }
}

/// How many bytes two texts have in common at their start, compared eight at a time.
fn common_length(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 8;
    let same = |(a, b): &([u8; STEP], [u8; STEP])| a == b;
    let (chunks_a, chunks_b) = (a.as_chunks::<STEP>().0, b.as_chunks::<STEP>().0);
    let whole = chunks_a.iter().copied().zip(chunks_b.iter().copied()).take_while(same).count() * STEP;
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}
