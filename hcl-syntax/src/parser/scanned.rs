//! A source text and what the scanner makes of it: all of it, or of a long text what a window holds.
//!
//! The tokens of a long text are scanned while they are read, so that no more of them are held than caches hold. Where the
//! grammar holds one place only, what lies before it makes room for what follows. What is said of errors is about all
//! tokens, so a text that has any is read again with all of them at hand; and so is one of which the grammar wants to see
//! more at once than the window holds.

use std::cell::{Cell, RefCell};

use crate::lexer::{Detail, Lexer, Window, usual_n_tokens};
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// The tokens of texts up to this length are scanned at once.
const LONG: usize = 1 << 14;
/// How many tokens a window holds.
const WINDOW: usize = 1 << 12;
/// How many tokens are read between two looks at the watch.
const TOKENS_PER_LOOK: usize = 4096;

/// Whether a text is read through a window.
pub(super) fn is_long(source: &Source) -> bool {
    source.text().len() > LONG
}

/// Room for the tokens of a long text.
pub(super) fn window() -> Vec<Token> {
    vec![NO_TOKEN; WINDOW]
}

const NO_TOKEN: Token = Token { kind: TokenKind::EndOfFile, span: Span::empty_at(0) };

/// A scanner that fills a window.
type LongLexer<'s> = Lexer<'s, Window<'s>>;

/// A source text and its tokens.
///
/// The grammar asks for one token after the other, and what it may have of them ends where the watch is to be looked at, or
/// with the window; there it gets more, or finds the end of the file. So a parse that can be stopped costs as much as one
/// that can't.
pub(super) struct Scanned<'s> {
    text: &'s str,
    /// As many tokens as may be read before the next look.
    given: Cell<&'s [Cell<Token>]>,
    /// All that are at hand.
    tokens: Cell<&'s [Cell<Token>]>,
    /// What is found beyond the last token.
    end: Cell<Token>,
    pub(super) watch: &'s Watch,
    /// The scanner of a long text, and where its tokens lie.
    lexer: Option<&'s RefCell<LongLexer<'s>>>,
    window: &'s [Cell<Token>],
    /// From which token on more are wanted.
    wanted_from: Cell<u32>,
    is_lost: Cell<bool>,
}

impl<'s> Scanned<'s> {
    /// All tokens of a text.
    #[inline(always)]
    pub(super) fn new(text: &'s str, tokens: &'s mut [Token], watch: &'s Watch) -> Self {
        let end = tokens.last().copied().unwrap_or(NO_TOKEN);
        let tokens = Cell::from_mut(tokens).as_slice_of_cells();
        let n_given = watch.next_look(0, tokens.len(), TOKENS_PER_LOOK);
        Self {
            text,
            given: Cell::new(&tokens[..n_given]),
            tokens: Cell::new(tokens),
            end: Cell::new(end),
            watch,
            lexer: None,
            window: &[],
            wanted_from: Cell::new(u32::MAX),
            is_lost: Cell::new(false),
        }
    }

    /// The scanner of a long text.
    pub(super) fn lexer(source: &'s Source, watch: &'s Watch) -> RefCell<LongLexer<'s>> {
        RefCell::new(Lexer::of_source(source, Detail::PlainQuoted, watch))
    }

    /// The tokens of a long text, by its scanner.
    pub(super) fn through(
        window: &'s mut [Token],
        lexer: &'s RefCell<LongLexer<'s>>,
        source: &'s Source,
        watch: &'s Watch,
    ) -> Self {
        let scanned = Self {
            text: source.text(),
            given: Cell::new(&[]),
            tokens: Cell::new(&[]),
            end: Cell::new(Token { kind: TokenKind::EndOfFile, span: source.span().at_end() }),
            watch,
            lexer: Some(lexer),
            window: Cell::from_mut(window).as_slice_of_cells(),
            wanted_from: Cell::new(u32::MAX),
            is_lost: Cell::new(false),
        };
        scanned.fill(0);
        scanned
    }

    /// The text.
    #[inline(always)]
    pub(super) fn text(&self) -> &'s str {
        self.text
    }

    /// How many tokens the text has; of a long one, how many it has at most if it goes on as it begins and is no denser than
    /// others.
    pub(super) fn n_expected(&self) -> usize {
        let n_tokens = self.tokens.get().len();
        match self.tokens.get().last() {
            Some(last) if self.is_long() => {
                let (len, scanned) = (self.text.len(), u64::from(last.get().span.end.max(1)));
                let n_expected = n_tokens as u64 * len as u64 / scanned * 5 / 4;
                usize::try_from(n_expected).unwrap_or(usize::MAX).min(usual_n_tokens(len))
            }
            _ => n_tokens,
        }
    }

    /// Whether the tokens are in a window.
    pub(super) fn is_long(&self) -> bool {
        self.lexer.is_some()
    }

    /// Whether the text has to be read with all its tokens at hand.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.get()
    }

    /// Says that it has to be: the text ends here.
    pub(super) fn give_up(&self) {
        self.is_lost.set(true);
        self.given.set(&[]);
    }

    /// The token at `index`; beyond the last one there are only ends of the file.
    #[inline(always)]
    pub(super) fn token(&self, index: usize) -> Token {
        match self.given.get().get(index) {
            Some(token) => token.get(),
            None => self.give_more(index).get(),
        }
    }

    /// Those at hand from `index` on.
    pub(super) fn tokens_from(&self, index: usize) -> &'s [Cell<Token>] {
        self.tokens.get().get(index..).unwrap_or_default()
    }

    /// Whether who is at `index` should make room for more.
    #[inline(always)]
    pub(super) fn wants_more_at(&self, index: u32) -> bool {
        index >= self.wanted_from.get()
    }

    /// Makes room for more tokens in place of the first ones, and numbers them anew.
    pub(super) fn drop_first(&self, n_dropped: usize) {
        let kept = self.tokens_from(n_dropped);
        for (place, token) in self.window.iter().zip(kept) {
            place.set(token.get());
        }
        self.fill(kept.len());
    }

    /// Gets more tokens into the window, behind its first `n_kept`.
    fn fill(&self, n_kept: usize) {
        let Some(lexer) = self.lexer else { return };
        let mut lexer = lexer.borrow_mut();
        let (n_filled, has_more) = lexer.fill(self.window, n_kept);
        let wanted_from = if has_more { n_filled * 3 / 4 } else { usize::MAX };
        self.wanted_from.set(u32::try_from(wanted_from).unwrap_or(u32::MAX));
        self.tokens.set(&self.window[..n_filled]);
        // Nothing may have been scanned for it, so nobody may have looked since.
        self.watch.look();
        self.given.set(&self.window[..self.watch.next_look(n_kept, n_filled, TOKENS_PER_LOOK)]);
        if self.is_lost() || lexer.has_problems || n_filled == n_kept {
            self.give_up();
        }
    }

    /// The token at `index`, where those that were given end: the end of the file if there are no more.
    ///
    /// Answers by reference, so that whoever asks needs no copy in memory, which would have to be waited for.
    #[cold]
    fn give_more(&self, index: usize) -> &Cell<Token> {
        let n_tokens = self.tokens.get().len();
        if index >= n_tokens && self.wants_more_at(u32::MAX - 1) {
            // Places before may be held, so all tokens stay where they are.
            self.fill(n_tokens);
        }
        let tokens = self.tokens.get();
        match tokens.get(index) {
            Some(token) if !self.is_lost() && self.watch.look().is_none() => {
                self.given.set(&tokens[..self.watch.next_look(index + 1, tokens.len(), TOKENS_PER_LOOK)]);
                token
            }
            _ => &self.end,
        }
    }
}
