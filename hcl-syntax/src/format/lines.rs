//! Tokens in lines, and lines in columns.
//!
//! A line ends with a newline token or with a line comment; the newlines inside strings, heredocs and block
//! comments end nothing. The columns of a line are its *lead*, from the first `=` on its *assignment*, and at
//! its end its *comment*; neighbouring lines have the latter two aligned.

use std::ops::{ControlFlow, Range};

use crate::limits::Watch;
use crate::source::Source;
use crate::token::{Token, TokenKind};

/// A line: token indexes, the columns one behind the other. All but the lead may be empty.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) lead: Range<usize>,
    pub(super) assignment: Range<usize>,
    pub(super) comment: Range<usize>,
    /// How many more brackets the lead opens than it closes; those in a heredoc are none.
    pub(super) net: isize,
}

/// Brackets of a line as far as it has been read.
#[derive(Copy, Clone, Default)]
struct Brackets {
    /// How many more are opened than closed.
    net: isize,
    /// As many before the first heredoc, if there is one.
    before_heredoc: Option<isize>,
}

/// The line that begins at token `start`, and where the next one does; nothing as long as its end is not among the tokens, or if
/// the work is to end. The end of the file is in no line, and what is left before it may be none.
pub(super) fn line_at(
    source: &Source,
    tokens: &[Token],
    start: usize,
    watch: &Watch,
) -> Option<(Option<Line>, usize)> {
    let (mut last, mut brackets, mut assign) = (start, Brackets::default(), None);
    watch.in_stretches(tokens.get(start..)?, |stretch| {
        for token in stretch {
            match token.kind {
                TokenKind::Assign if assign.is_none() && last > start => assign = Some((last, brackets)),
                TokenKind::OpenHeredoc => {
                    brackets.before_heredoc.get_or_insert(brackets.net);
                }
                TokenKind::EndOfFile => return ControlFlow::Break(()),
                _ if ends_line(source, *token) => return ControlFlow::Break(()),
                kind => brackets.net += bracket_change(kind),
            }
            last += 1;
        }
        ControlFlow::Continue(())
    })?;
    let end = last + usize::from(tokens[last].kind != TokenKind::EndOfFile);
    let has_comment = end > start + 1 && tokens[end - 1].kind == TokenKind::Comment;
    let code_end = end - usize::from(has_comment);
    // A value that goes on in the next line is not worth aligning.
    let kept = assign.filter(|(_, before)| before.net == brackets.net);
    let (assign, of_lead) = kept.unwrap_or((code_end, brackets));
    let line = Line {
        lead: start..assign,
        assignment: assign..code_end,
        comment: code_end..end,
        net: of_lead.before_heredoc.unwrap_or(of_lead.net),
    };
    Some(((start < end).then_some(line), last + 1))
}

/// Returns whether a token ends a line.
pub(crate) fn ends_line(source: &Source, token: Token) -> bool {
    match token.kind {
        TokenKind::Newline => true,
        TokenKind::Comment => source.slice(token.span).ends_with('\n'),
        _ => false,
    }
}

/// 1 for what opens, -1 for what closes, 0 for everything else.
pub(crate) fn bracket_change(kind: TokenKind) -> isize {
    match kind {
        TokenKind::OpenBrace
        | TokenKind::OpenBracket
        | TokenKind::OpenParen
        | TokenKind::TemplateControl
        | TokenKind::TemplateInterpolation => 1,
        TokenKind::CloseBrace
        | TokenKind::CloseBracket
        | TokenKind::CloseParen
        | TokenKind::TemplateSequenceEnd => -1,
        _ => 0,
    }
}
