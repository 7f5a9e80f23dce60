//! What one parse shares: the cursor, the tree that grows, the diagnostics, and the bounds.

use smallvec::SmallVec;

use super::ParseLimits;
use super::combinator::Mismatch;
use super::cursor::{Cursor, Newlines};
use super::error::{SyntaxError, SyntaxErrorKind};
use super::scanned::Scanned;
use super::template::TemplateScratch;
use crate::ast::{AttributeNode, BlockNode, ExprId, Lists, NewStep, UnaryOperator};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// How often the remaining stack is looked at, in levels.
pub(super) const LEVELS_PER_CHECK: u32 = 16;
/// What that many levels need at most, with room to spare; a level takes about 2 KiB.
pub(super) const STACK_NEEDED: usize = 128 * 1024;
/// What is added when less than that is left.
pub(super) const STACK_ADDED: usize = 1024 * 1024;

/// A run of the grammar over one source.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s>,
    pub(super) tree: &'s mut Lists,
    pub(super) report: Report<'s>,
    pub(super) scratch: &'s mut Scratch,
    /// Levels that are calls of each other.
    depth: u32,
    /// Levels that are not: directives nest in a list. Were they counted together, the stack would be looked at in vain.
    n_directives: u32,
    max_depth: u32,
}

/// Lists under construction. Each is one stack that all levels share: a production remembers its length,
/// pushes, and truncates when it hands its part over to the tree. What short texts need takes no allocation.
pub(super) struct Scratch {
    pub(super) expressions: SmallVec<[ExprId; 16]>,
    pub(super) steps: SmallVec<[NewStep; 8]>,
    pub(super) attributes: SmallVec<[AttributeNode; 16]>,
    pub(super) blocks: SmallVec<[BlockNode; 8]>,
    pub(super) prefixes: SmallVec<[(UnaryOperator, Span); 2]>,
    pub(super) conditionals: SmallVec<[super::expression::OpenConditional; 1]>,
    pub(super) brackets: Vec<TokenKind>,
    pub(super) template: TemplateScratch,
    pub(super) text: String,
}

impl Default for Scratch {
    /// Empty lists, made where they will be.
    #[inline(always)]
    fn default() -> Self {
        Self {
            expressions: SmallVec::new(),
            steps: SmallVec::new(),
            attributes: SmallVec::new(),
            blocks: SmallVec::new(),
            prefixes: SmallVec::new(),
            conditionals: SmallVec::new(),
            brackets: Vec::new(),
            template: TemplateScratch::default(),
            text: String::new(),
        }
    }
}

/// The diagnostics of a parse, and what depends on there being some.
pub(super) struct Report<'s> {
    source: &'s Source,
    scanned: &'s Scanned<'s>,
    diagnostics: Diagnostics,
    max_diagnostics: usize,
    n_left_out: usize,
    /// How many errors the grammar has met, kept or not.
    n_errors: usize,
    recovering: bool,
    depth_reported: bool,
}

/// A moment of the parse: whether errors came after it can be asked.
#[derive(Copy, Clone)]
pub(super) struct Moment(usize);

impl<'s> Report<'s> {
    fn new(source: &'s Source, scanned: &'s Scanned<'s>, limits: &ParseLimits) -> Self {
        Self {
            source,
            scanned,
            diagnostics: Diagnostics::new(),
            max_diagnostics: limits.max_diagnostics as usize,
            n_left_out: 0,
            n_errors: 0,
            recovering: false,
            depth_reported: false,
        }
    }

    /// Puts the diagnostics of the scanner first, of which so many more are left out.
    pub(super) fn begin_with(&mut self, (diagnostics, n_left_out): (Diagnostics, u32)) {
        self.diagnostics = diagnostics;
        self.n_left_out = n_left_out as usize;
    }

    /// Reports an error; unless the parse was stopped, which makes any text look unfinished.
    #[cold]
    pub(super) fn error(&mut self, error: SyntaxError) {
        self.n_errors += 1;
        if self.scanned.watch.stopped().is_some() {
            return;
        }
        if self.diagnostics.len() < self.max_diagnostics {
            let diagnostic = error.diagnostic(self.source);
            self.diagnostics.push(diagnostic);
        } else {
            self.n_left_out += 1;
        }
    }

    /// Reports an error that may be a mere consequence of an earlier one: not while recovering.
    #[cold]
    pub(super) fn guarded_error(&mut self, error: SyntaxError) {
        if !self.recovering {
            self.error(error);
        }
    }

    /// The moment now.
    #[inline]
    pub(super) fn now(&self) -> Moment {
        Moment(self.n_errors)
    }

    /// Whether errors came since.
    #[inline]
    pub(super) fn has_errors_since(&self, moment: Moment) -> bool {
        self.n_errors > moment.0
    }

    /// Whether what was read since left the cursor at a place that can't be trusted.
    #[inline]
    pub(super) fn lost_since(&self, moment: Moment) -> bool {
        self.recovering && self.n_errors > moment.0
    }

    /// From now on guarded errors are held back; as in the reference this is for good.
    pub(super) fn set_recovering(&mut self) {
        self.recovering = true;
    }

    /// Whether guarded errors are held back.
    pub(super) fn is_recovering(&self) -> bool {
        self.recovering
    }

    /// The diagnostic reported last, if it was kept.
    pub(super) fn last_kept(&self) -> Option<&Diagnostic> {
        self.diagnostics.last().filter(|_| self.n_left_out == 0)
    }

    /// How many diagnostics are kept.
    pub(super) fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Puts what was reported from `middle` on before what was reported from `start` on.
    pub(super) fn swap_order(&mut self, start: usize, middle: usize) {
        let n = self.diagnostics.len();
        self.diagnostics[start.min(n)..].rotate_left(middle.min(n) - start.min(n));
    }

    /// All of them, with a last one on how many were left out.
    fn finish(&mut self) -> Diagnostics {
        if self.n_left_out > 0 {
            let end = Span::empty_at(self.source.span().end);
            let error =
                SyntaxError::new(SyntaxErrorKind::DiagnosticsLimit { n_left_out: self.n_left_out }, end);
            self.diagnostics.push(error.diagnostic(self.source));
        }
        if let Some(stopped) = self.scanned.watch.stopped() {
            self.diagnostics.push(stopped.diagnostic("Parsing", self.source.name()));
        }
        std::mem::take(&mut self.diagnostics)
    }
}

impl<'s> Parser<'s> {
    /// A parser at the first token, which adds to a tree.
    pub(super) fn new(
        tree: &'s mut Lists,
        scratch: &'s mut Scratch,
        source: &'s Source,
        scanned: &'s Scanned<'s>,
        newlines: Newlines,
        limits: &ParseLimits,
    ) -> Self {
        Self {
            cursor: Cursor::new(scanned, newlines),
            tree,
            report: Report::new(source, scanned, limits),
            scratch,
            depth: 0,
            n_directives: 0,
            max_depth: limits.max_depth,
        }
    }

    /// Says how deep the text at hand is nested: in how many calls, and in how many directives.
    pub(super) fn set_depth(&mut self, depth: u32, n_directives: u32) {
        (self.depth, self.n_directives) = (depth, n_directives);
    }

    /// Whether the grammar has met errors.
    pub(super) fn has_errors(&self) -> bool {
        self.report.n_errors > 0
    }

    /// The diagnostics, when all is read.
    pub(super) fn finish(&mut self) -> Diagnostics {
        self.report.finish()
    }

    /// Runs a flat production at the cursor, which moves only if it matches. Always inlined, so that the
    /// result of the combination is not built only to be taken apart.
    #[inline]
    pub(super) fn take<T>(
        &mut self,
        mut production: impl nom::Parser<Cursor<'s>, Output = T, Error = Mismatch>,
    ) -> Result<T, Mismatch> {
        match production.parse_complete(self.cursor) {
            Ok((rest, output)) => {
                self.cursor = rest;
                Ok(output)
            }
            Err(nom::Err::Error(mismatch) | nom::Err::Failure(mismatch)) => Err(mismatch),
            Err(nom::Err::Incomplete(_)) => Err(Mismatch { found: self.cursor.peek() }),
        }
    }

    /// Takes the next token if it is of the given kind.
    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        let (token, rest) = self.cursor.split_first();
        if token.kind != kind {
            return None;
        }
        self.cursor = rest;
        Some(token)
    }

    /// Reads something one level deeper. `None` where the limit is reached, which is reported once.
    #[inline]
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.may_nest() {
            return None;
        }
        self.depth += 1;
        let result = if self.depth.is_multiple_of(LEVELS_PER_CHECK) {
            stacker::maybe_grow(STACK_NEEDED, STACK_ADDED, || parse(self))
        } else {
            parse(self)
        };
        self.depth -= 1;
        Some(result)
    }

    /// Begins a directive, unless there are too many levels.
    pub(super) fn begin_directive(&mut self) -> bool {
        let may_nest = self.may_nest();
        if may_nest {
            self.n_directives += 1;
        }
        may_nest
    }

    pub(super) fn end_directive(&mut self) {
        self.n_directives -= 1;
    }

    /// Whether there may be another level; complains if not.
    #[inline]
    fn may_nest(&mut self) -> bool {
        let may_nest = self.depth + self.n_directives <= self.max_depth;
        if !may_nest {
            self.too_deep();
        }
        may_nest
    }

    #[cold]
    fn too_deep(&mut self) {
        let kind = SyntaxErrorKind::DepthLimit { max_depth: self.max_depth };
        if self.report.depth_reported {
            self.report.n_errors += 1;
        } else {
            self.report.error(SyntaxError::new(kind, self.cursor.peek().span));
            self.report.depth_reported = true;
        }
        self.report.set_recovering();
    }
}
