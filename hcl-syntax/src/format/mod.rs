//! The canonical form of native syntax.
//!
//! Formatting looks at tokens, not at the tree, and changes nothing but the blanks before them: lines are
//! neither joined nor split, nothing is sorted, comments and literals stay as they are. So any text can be
//! formatted, also one that does not parse. `lines` cuts the tokens into lines and the lines into columns,
//! `spacing` decides about two neighbours, `layout` indents and aligns. What Terraform's formatter does beyond
//! that, it does to the text beforehand: `terraform`.

mod layout;
mod lines;
mod spacing;
mod terraform;

pub(crate) use lines::ends_line;

use layout::{Layout, Settled};

use crate::diagnostic::Diagnostics;
use crate::lexer::{Detail, Lexer};
use crate::limits::{Stopped, Watch};
use crate::parser::ParseLimits;
use crate::source::{Source, SourceTooLarge, Text};
use crate::token::{Token, TokenKind};

/// The formatter whose canonical form is written.
///
/// ```
/// use hcl_syntax::format::{FormatStyle, format};
///
/// let text = b"name = \"${var.name}\"\n";
/// assert_eq!(format("main.tf", text, FormatStyle::Hcl)?, text);
/// assert_eq!(format("main.tf", text, FormatStyle::Terraform)?, b"name = var.name\n");
/// # Ok::<(), hcl_syntax::format::FormatError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum FormatStyle {
    /// The style of the language's own formatter. Takes any text.
    #[default]
    Hcl,
    /// The style of `terraform fmt`: labels are quoted, an interpolation that is a whole value loses its quotes, and
    /// types of variables are written in today's form. Refuses text that does not parse.
    Terraform,
}

/// The reason that a text was not formatted.
///
/// ```
/// use hcl_syntax::format::{FormatError, FormatStyle, format};
///
/// let FormatError::Invalid(problems) = format("main.tf", b"a = \n", FormatStyle::Terraform).unwrap_err() else {
///     panic!("the text does not parse")
/// };
/// assert_eq!(problems.len(), 1);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The text is too long for a [`Source`].
    #[error(transparent)]
    TooLarge(#[from] SourceTooLarge),
    /// Indenting and aligning would make the text more than [`MAX_GROWTH`] times as long: it nests very
    /// deeply, or a very long line stands among very many short ones.
    #[error("formatting would make the text more than {MAX_GROWTH} times as long")]
    GrowsTooMuch,
    /// Time was up, or the work was cancelled.
    #[error("{}", .0.sentence("formatting"))]
    Stopped(Stopped),
    /// The text does not parse; only [`FormatStyle::Terraform`] minds.
    #[error("the text has syntax errors")]
    Invalid(Diagnostics),
}

/// How many times as long a text may become. Blanks are the only thing that is added, and a file that a person
/// wrote does not even double.
pub const MAX_GROWTH: usize = 16;

/// The size that every text may grow to, however short it is.
pub(crate) const ALWAYS_ALLOWED: usize = 1 << 20;

impl From<Stopped> for FormatError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// The canonical form of `text`, in time linear in it. Bytes that are no UTF-8 stay as they are; a byte order
/// mark is dropped. `name` is the file's, for diagnostics.
///
/// ```
/// use hcl_syntax::format::{FormatStyle, format};
///
/// let text = format("main.hcl", b"port=80\nname  =\"a\"# of the host\n", FormatStyle::Hcl)?;
/// assert_eq!(text, b"port = 80\nname = \"a\" # of the host\n");
/// # Ok::<(), hcl_syntax::format::FormatError>(())
/// ```
///
/// # Errors
/// The text is too long, would grow too much, or has syntax errors that the style does not take.
pub fn format(name: &str, text: &[u8], style: FormatStyle) -> Result<Vec<u8>, FormatError> {
    format_with(name, text, style, &ParseLimits::default())
}

/// [`format()`] within limits: their deadline and their token are looked at all the time, and [`FormatStyle::Terraform`]
/// parses within the others.
///
/// ```
/// use hcl_syntax::format::{FormatError, FormatStyle, format_with};
/// use hcl_syntax::limits::CancelToken;
/// use hcl_syntax::parser::ParseLimits;
///
/// let cancel = CancelToken::new();
/// cancel.trigger();
/// let limits = ParseLimits { cancel: Some(cancel), ..ParseLimits::default() };
/// let result = format_with("main.hcl", b"a=1\n", FormatStyle::Hcl, &limits);
/// assert!(matches!(result, Err(FormatError::Stopped(_))));
/// ```
///
/// # Errors
/// Those of [`format()`], and [`FormatError::Stopped`].
pub fn format_with(
    name: &str,
    text: &[u8],
    style: FormatStyle,
    limits: &ParseLimits,
) -> Result<Vec<u8>, FormatError> {
    let source = Source::new(name, Text::within(text, limits))?;
    let watch = Watch::of(&source, limits);
    if style == FormatStyle::Terraform
        && let Some(rewritten) = terraform::rewritten(&source, text, limits, &watch)?
    {
        drop(source);
        return format_with(name, &rewritten, FormatStyle::Hcl, limits);
    }
    let lexer = Lexer::of_source(&source, Detail::Full, &watch);
    laid_out(text, Layout::new(&source, lexer, &watch), &watch, |_| true)
}

/// The text with the `=` of neighbouring lines below each other, and nothing else changed: where blanks in expressions
/// mean something, as those around a runtime reference of Nomad do, the text is not to be in its canonical form.
///
/// ```
/// use hcl_syntax::format::align;
///
/// let text = align("job.hcl", b"cores = \"${ node.cores }\"\nos = upper( node.os )\n")?;
/// assert_eq!(text, b"cores = \"${ node.cores }\"\nos    = upper( node.os )\n");
/// # Ok::<(), hcl_syntax::format::FormatError>(())
/// ```
///
/// # Errors
/// The text is too long or would grow too much.
pub fn align(name: &str, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    let watch = Watch::new(&ParseLimits::default());
    let source = Source::new(name, text)?;
    let lexer = Lexer::of_source(&source, Detail::Full, &watch);
    laid_out(text, Layout::new(&source, lexer, &watch), &watch, |token| token.kind == TokenKind::Assign)
}

/// The text with blanks as they are laid out before the tokens that are meant.
fn laid_out(
    text: &[u8],
    mut layout: Layout<'_>,
    watch: &Watch,
    is_meant: impl Fn(&Token) -> bool,
) -> Result<Vec<u8>, FormatError> {
    let most = ALWAYS_ALLOWED.max(text.len().saturating_mul(MAX_GROWTH));
    let mut length = text.len();
    let room = length + length / 8;
    let mut out = Vec::with_capacity(if watch.has_room(room) { room } else { 0 });
    let mut end = 0;
    while let Some((tokens, blanks)) = layout.next_settled(end)? {
        for (tokens, blanks) in tokens.chunks(AT_ONCE).zip(blanks.chunks(AT_ONCE)) {
            length = blanks.iter().fold(length, |sum, &n| sum.saturating_add(n as usize));
            if length > most || blanks.contains(&u32::MAX) {
                return Err(FormatError::GrowsTooMuch);
            }
            let written = Written { out: &mut out, text, watch };
            end = written.with_blanks((tokens, blanks), end, &is_meant);
            watch.count(tokens.len())?;
            watch.stopped().map_or(Ok(()), Err)?;
        }
    }
    layout.release();
    watch.stopped().map_or(Ok(out), |stopped| Err(stopped.into()))
}

/// How many tokens are written between two looks at the most.
const AT_ONCE: usize = 1 << 14;

/// So many blanks are no work beside the token that they stand before.
const FEW_BLANKS: usize = 64;

/// A text that is being written.
struct Written<'w> {
    out: &'w mut Vec<u8>,
    /// The text as given, because the source has stand-ins for bytes that are no UTF-8.
    text: &'w [u8],
    watch: &'w Watch,
}

impl Written<'_> {
    /// Writes the tokens of the text, which begin behind `end`, with so many blanks before those that are meant, and answers
    /// where they end. What has them already is copied as a whole.
    fn with_blanks(
        self,
        (tokens, blanks): Settled<'_>,
        mut end: usize,
        is_meant: impl Fn(&Token) -> bool,
    ) -> usize {
        let Self { out, text, watch } = self;
        let copy =
            |out: &mut Vec<u8>, bytes| watch.stretches(bytes).for_each(|part| out.extend_from_slice(part));
        let mut first = end;
        for (token, &n) in tokens.iter().zip(blanks) {
            let (start, n) = (token.span.start as usize, n as usize);
            let gap = &text[end..start];
            if is_meant(token) && (gap.len() != n || gap.iter().any(|&byte| byte != b' ')) {
                copy(out, &text[first..end]);
                if n > FEW_BLANKS && watch.count_bytes(n).is_err() {
                    return end;
                }
                out.resize(out.len() + n, b' ');
                first = start;
            }
            end = token.span.end as usize;
        }
        copy(out, &text[first..end]);
        end
    }
}
