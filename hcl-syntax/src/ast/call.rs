//! Function calls, as views of a tree.

use super::collection::ExpressionList;
use super::tree::Tree;
use crate::source::Span;

/// A function call.
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "provider::time::add(start, hours...)".parse()?;
/// let call = parsed.expression().as_static_call().unwrap();
/// assert_eq!(call.name(), "provider::time::add");
/// assert_eq!(call.arguments().last().unwrap().source_text(), "hours");
/// assert!(call.expands_final());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Call<'t> {
    tree: &'t Tree,
    /// Name, opening and closing parenthesis (two words each), flags, count of arguments.
    head: &'t [u32; N_HEAD],
    /// The arguments; behind them, if that is flagged, where in the buffer the name's text is.
    rest: &'t [u32],
}

/// How many words a call has before its arguments.
const N_HEAD: usize = 8;

impl<'t> Call<'t> {
    pub(super) const EXPANDS_FINAL: u32 = 1;
    pub(super) const HAS_NAME_TEXT: u32 = 2;

    pub(super) fn new(tree: &'t Tree, first: u32) -> Self {
        let words = tree.lists.extra.get(first as usize..).unwrap_or_default();
        let (head, rest) = words.split_first_chunk().unwrap_or((&[0; N_HEAD], &[]));
        Self { tree, head, rest }
    }

    fn is_flagged(self, flag: u32) -> bool {
        self.head[6] & flag != 0
    }

    /// The name, its parts joined by `::` without blanks.
    pub fn name(self) -> &'t str {
        if self.is_flagged(Self::HAS_NAME_TEXT) {
            self.joined_name()
        } else {
            self.tree.source.slice(self.name_span())
        }
    }

    fn joined_name(self) -> &'t str {
        let place = self.rest.get(self.head[7] as usize..).and_then(<[u32]>::first_chunk);
        let [start, end] = place.copied().unwrap_or_default();
        self.tree.lists.buffer.get(start as usize..end as usize).unwrap_or_default()
    }

    /// From the first to the last part of the name.
    pub fn name_span(self) -> Span {
        Span::new(self.head[0], self.head[1])
    }

    /// The opening parenthesis.
    pub fn open_span(self) -> Span {
        Span::new(self.head[2], self.head[3])
    }

    /// The closing parenthesis; after errors, the end of the text.
    pub fn close_span(self) -> Span {
        Span::new(self.head[4], self.head[5])
    }

    /// The arguments as written.
    pub fn arguments(self) -> ExpressionList<'t> {
        ExpressionList { tree: self.tree, words: self.rest.get(..self.head[7] as usize).unwrap_or_default() }
    }

    /// Returns whether the last argument is followed by `...`.
    pub fn expands_final(self) -> bool {
        self.is_flagged(Self::EXPANDS_FINAL)
    }
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.name(), self.arguments())
    }
}
