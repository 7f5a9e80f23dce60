//! The state that one parse shares: the input, the tree that grows, the diagnostics, and the bounds.

use smallvec::SmallVec;

use super::ParseLimits;
use super::combinator::Mismatch;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::template::TemplateScratch;
use crate::ast::{AttributeNode, BlockNode, ExprId, Lists, NewStep, UnaryOperator};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::TokenKind;

/// How often the remaining stack is looked at, in levels.
const LEVELS_PER_CHECK: u32 = 16;
/// The stack that so many levels need at most, with room to spare; a level takes about 2 KiB.
const STACK_NEEDED: usize = 128 * 1024;
/// The stack that is added when less than that is left.
const STACK_ADDED: usize = 1024 * 1024;

/// How much work an error is, in small pieces: two texts are made, and its place is looked for.
const STEPS_PER_ERROR: usize = 16;

/// A run of the grammar over one source.
pub(super) struct Parser<'s, I> {
    /// The place in the text.
    pub(super) input: I,
    /// The tree that grows.
    pub(super) tree: &'s mut Lists,
    pub(super) report: Report<'s>,
    /// Lists under construction.
    pub(super) scratch: &'s mut Scratch,
    /// The item of the file's body that is being read.
    pub(super) item: ItemStart,
    /// Levels that are calls of each other.
    depth: u32,
    /// Where the remaining stack or the limit is to be looked at.
    look_at: u32,
    /// Levels that are not: directives nest in a list. Were they counted together, the stack would be looked at needlessly.
    n_directives: u32,
    /// The limit of levels, both kinds together.
    max_depth: u32,
}

/// Where an item of a file's body begins.
#[derive(Copy, Clone, Default)]
pub(super) struct ItemStart {
    /// The offset of its name.
    pub(super) offset: u32,
    /// The state of the tree before it.
    pub(super) n_extra: usize,
}

/// Lists under construction. Each is one stack that all levels share: a production remembers its length,
/// pushes, and truncates when it hands its part over to the tree. What short texts need takes no allocation.
#[derive(Default)]
pub(super) struct Scratch {
    /// Arguments, elements, keys and values by turns, and parts of templates.
    pub(super) expressions: SmallVec<[ExprId; 16]>,
    pub(super) steps: SmallVec<[NewStep; 8]>,
    pub(super) attributes: SmallVec<[AttributeNode; 16]>,
    pub(super) blocks: SmallVec<[BlockNode; 8]>,
    /// Prefix operators that wait for their operand.
    pub(super) prefixes: SmallVec<[(UnaryOperator, Span); 2]>,
    /// Conditionals that wait for their last part.
    pub(super) conditionals: SmallVec<[super::expression::OpenConditional; 1]>,
    /// Openers that recovery has passed.
    pub(super) brackets: Vec<TokenKind>,
    pub(super) template: TemplateScratch,
}

impl Scratch {
    /// Leaves of all that is being read only what is before an item of a file's body.
    pub(super) fn discard_item(&mut self, offset: u32) {
        let n_attributes =
            self.attributes.iter().take_while(|attribute| attribute.name.start < offset).count();
        let n_blocks = self.blocks.iter().take_while(|block| block.block_type.start < offset).count();
        let Self { attributes, blocks, .. } = std::mem::take(self);
        (self.attributes, self.blocks) = (attributes, blocks);
        self.attributes.truncate(n_attributes);
        self.blocks.truncate(n_blocks);
    }
}

/// The diagnostics of a parse, and what depends on there being some.
pub(super) struct Report<'s> {
    source: &'s Source,
    watch: &'s Watch,
    diagnostics: Diagnostics,
    max_diagnostics: usize,
    /// How many more there were.
    n_left_out: usize,
    /// How many errors the grammar has met, kept or not.
    n_errors: usize,
    /// True once recovery was used, so that guarded errors are held back.
    recovering: bool,
    /// True once the limit of nesting was reported.
    depth_reported: bool,
}

/// A moment of the parse, as the number of errors before it: whether errors came after it can be asked.
#[derive(Copy, Clone)]
pub(super) struct Moment(usize);

impl<'s> Report<'s> {
    fn new(source: &'s Source, watch: &'s Watch, limits: &ParseLimits) -> Self {
        Self {
            source,
            watch,
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
    pub(super) fn error(&mut self, error: SyntaxError) {
        self.n_errors += 1;
        let counted = self.watch.count(STEPS_PER_ERROR);
        if counted.is_err() || self.is_stopped() || !self.source.find_lines_on(self.watch) {
            return;
        }
        if self.diagnostics.len() < self.max_diagnostics {
            let diagnostic = error.diagnostic(self.source);
            self.diagnostics.push(diagnostic);
        } else {
            self.n_left_out += 1;
        }
    }

    /// The bounds of the work.
    pub(super) fn watch(&self) -> &'s Watch {
        self.watch
    }

    /// True if the work is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.watch.stopped().is_some()
    }

    /// From now on guarded errors are held back; as in the reference this is for good.
    pub(super) fn set_recovering(&mut self) {
        self.recovering = true;
    }

    /// Returns whether guarded errors are held back.
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
        if let Some(stopped) = self.watch.stopped() {
            self.diagnostics.push(stopped.diagnostic("Parsing", self.source.name()));
        }
        std::mem::take(&mut self.diagnostics)
    }
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// A parser that adds to a tree.
    pub(super) fn new(
        input: I,
        tree: &'s mut Lists,
        scratch: &'s mut Scratch,
        source: &'s Source,
        watch: &'s Watch,
        limits: &ParseLimits,
    ) -> Self {
        Self {
            input,
            tree,
            report: Report::new(source, watch, limits),
            scratch,
            item: ItemStart::default(),
            depth: 0,
            look_at: (LEVELS_PER_CHECK - 1).min(limits.max_depth.saturating_add(1)),
            n_directives: 0,
            max_depth: limits.max_depth,
        }
    }

    /// The diagnostics, when all is read.
    pub(super) fn finish(&mut self) -> Diagnostics {
        self.report.finish()
    }

    /// Reports an error, or gives the text up.
    pub(super) fn error(&mut self, error: SyntaxError) {
        if I::RECOVERS { self.report.error(error) } else { self.input.give_up() }
    }

    /// Reports an error that may be a mere consequence of an earlier one: not while recovering.
    pub(super) fn guarded_error(&mut self, error: SyntaxError) {
        if !I::RECOVERS || !self.report.is_recovering() {
            self.error(error);
        }
    }

    /// The moment now.
    pub(super) fn now(&self) -> Moment {
        Moment(if I::RECOVERS { self.report.n_errors } else { 0 })
    }

    /// True if errors came since.
    pub(super) fn has_errors_since(&self, moment: Moment) -> bool {
        I::RECOVERS && self.report.n_errors > moment.0
    }

    /// True if what was read since left the input at a place that can't be trusted.
    pub(super) fn lost_since(&self, moment: Moment) -> bool {
        self.has_errors_since(moment) && self.report.recovering
    }

    /// A placeholder with the diagnostic that was reported last.
    pub(super) fn unfinished(&mut self, span: Span) -> ExprId {
        match self.report.last_kept().cloned() {
            Some(diagnostic) => self.tree.unfinished(span, vec![diagnostic]),
            None => self.tree.invalid(span),
        }
    }

    /// Runs a flat production at the input, which moves only if it matches.
    pub(super) fn take<T>(
        &mut self,
        mut production: impl nom::Parser<I, Output = T, Error = Mismatch>,
    ) -> Result<T, Mismatch> {
        match production.parse_complete(self.input) {
            Ok((rest, output)) => {
                self.input = rest;
                Ok(output)
            }
            Err(nom::Err::Error(mismatch) | nom::Err::Failure(mismatch)) => Err(mismatch),
            Err(nom::Err::Incomplete(_)) => Err(Mismatch { found: self.input.peek() }),
        }
    }

    /// Begins a level. False where the limit or the stack is to be looked at first, by [`look`](Self::look).
    pub(super) fn begin_level(&mut self) -> bool {
        let may_nest = self.depth < self.look_at;
        self.depth += u32::from(may_nest);
        may_nest
    }

    pub(super) fn end_level(&mut self) {
        self.depth -= 1;
    }

    /// Begins a level again, with enough of a stack. `None` where the limit is reached, which is reported once.
    pub(super) fn look<T>(&mut self, again: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth + self.n_directives > self.max_depth {
            self.too_deep();
            return None;
        }
        self.look_at = (self.depth + LEVELS_PER_CHECK).min(self.limit());
        let result = crate::stack::ensure(STACK_NEEDED, STACK_ADDED, || again(self));
        // Back on the stack of before, whose room is to be looked at again.
        self.look_at = self.depth;
        Some(result)
    }

    /// The first level that is too deep.
    fn limit(&self) -> u32 {
        self.max_depth.saturating_add(1).saturating_sub(self.n_directives)
    }

    /// Begins a directive, unless there are too many levels.
    pub(super) fn begin_directive(&mut self) -> bool {
        let may_nest = self.depth + self.n_directives <= self.max_depth;
        if may_nest {
            self.n_directives += 1;
            self.look_at = self.look_at.min(self.limit());
        } else {
            self.too_deep();
        }
        may_nest
    }

    pub(super) fn end_directive(&mut self) {
        self.n_directives -= 1;
    }

    /// Reports that nesting is too deep, once; the text that follows can't be trusted.
    fn too_deep(&mut self) {
        if self.report.depth_reported {
            self.report.n_errors += 1;
        } else {
            let kind = SyntaxErrorKind::DepthLimit { max_depth: self.max_depth };
            let at = self.input.peek().span;
            self.error(SyntaxError::new(kind, at));
            self.report.depth_reported = true;
        }
        self.report.set_recovering();
    }
}
