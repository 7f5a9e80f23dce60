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

use std::sync::Arc;

pub(crate) use lines::ends_line;

use crate::diagnostic::Diagnostics;
use crate::lexer;
use crate::limits::{Stopped, Watch};
use crate::parser::ParseLimits;
use crate::source::{Source, SourceTooLarge};
use crate::token::Token;

/// Whose canonical form.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum FormatStyle {
    /// What the language's own formatter gives. Takes any text.
    #[default]
    Hcl,
    /// What `terraform fmt` gives: labels are quoted, an interpolation that is a whole value loses its
    /// quotes, and types of variables are written in today's form. Refuses text that does not parse.
    Terraform,
}

/// Why a text was not formatted.
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

/// What every text may grow to, however short it is.
const ALWAYS_ALLOWED: usize = 1 << 20;

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

/// The same within limits: its deadline and its token are looked at all the time, and [`FormatStyle::Terraform`]
/// parses within the others.
///
/// # Errors
/// Those of [`format()`], and [`FormatError::Stopped`].
pub fn format_with(
    name: &str,
    text: &[u8],
    style: FormatStyle,
    limits: &ParseLimits,
) -> Result<Vec<u8>, FormatError> {
    let watch = Watch::new(limits);
    let source = Arc::new(Source::new(name, text)?);
    let tokens = lexer::watched_tokens(&source, &watch);
    if style == FormatStyle::Terraform
        && let Some(rewritten) = terraform::rewritten(&source, &tokens, text, limits, &watch)?
    {
        drop((source, tokens));
        return format_with(name, &rewritten, FormatStyle::Hcl, limits);
    }
    canonical(text, &source, &tokens, &watch)
}

fn canonical(text: &[u8], source: &Source, tokens: &[Token], watch: &Watch) -> Result<Vec<u8>, FormatError> {
    let blanks = layout::blanks(source, tokens, watch)?;
    let length = blanks.iter().fold(text.len(), |sum, &n| sum.saturating_add(n as usize));
    let is_beyond_counting = || blanks.contains(&u32::MAX);
    if length > ALWAYS_ALLOWED.max(text.len().saturating_mul(MAX_GROWTH)) || is_beyond_counting() {
        return Err(FormatError::GrowsTooMuch);
    }
    Ok(with_blanks(text, tokens, &blanks, length))
}

/// The text with so many blanks before each token. What has them already is copied as a whole; from the text as
/// given, because the source has stand-ins for bytes that are no UTF-8.
fn with_blanks(text: &[u8], tokens: &[Token], blanks: &[u32], length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(length);
    let (mut first, mut end) = (0, 0);
    for (token, &n) in tokens.iter().zip(blanks) {
        let (start, n) = (token.span.start as usize, n as usize);
        let gap = &text[end..start];
        if gap.len() != n || gap.iter().any(|&byte| byte != b' ') {
            out.extend_from_slice(&text[first..end]);
            out.resize(out.len() + n, b' ');
            first = start;
        }
        end = token.span.end as usize;
    }
    out.extend_from_slice(&text[first..end]);
    out
}
