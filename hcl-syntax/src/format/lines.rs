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
}

/// The line that begins at token `start`, and where the next one does; nothing as long as its end is not among the tokens, or if
/// the work is to end. The end of the file is in no line, and what is left before it may be none.
pub(super) fn line_at(
    source: &Source,
    tokens: &[Token],
    start: usize,
    watch: &Watch,
) -> Option<(Option<Line>, usize)> {
    let is_last = |token: &Token| token.kind == TokenKind::EndOfFile || ends_line(source, *token);
    let last = start + find(tokens.get(start..)?, is_last, watch)?;
    let end = last + usize::from(tokens[last].kind != TokenKind::EndOfFile);
    let all = start..end;
    Some(((!all.is_empty()).then(|| line(tokens, all, watch)), last + 1))
}

/// Returns whether a token ends a line.
pub(crate) fn ends_line(source: &Source, token: Token) -> bool {
    match token.kind {
        TokenKind::Newline => true,
        TokenKind::Comment => source.slice(token.span).ends_with('\n'),
        _ => false,
    }
}

/// Cuts a line into columns.
fn line(tokens: &[Token], all: Range<usize>, watch: &Watch) -> Line {
    let has_comment = all.len() > 1 && tokens[all.end - 1].kind == TokenKind::Comment;
    let code = all.start..all.end - usize::from(has_comment);
    let comment = code.end..all.end;
    let behind_first = tokens.get(code.start + 1..code.end).unwrap_or_default();
    let assign = find(behind_first, |token| token.kind == TokenKind::Assign, watch);
    // A value that goes on in the next line is not worth aligning.
    let assign = assign
        .map(|index| code.start + 1 + index)
        .filter(|&assign| net_brackets(&tokens[assign..code.end], watch) == 0)
        .unwrap_or(code.end);
    Line { lead: code.start..assign, assignment: assign..code.end, comment }
}

/// Where the first token is that is asked for; nothing if the work is to end.
pub(super) fn find(tokens: &[Token], is_meant: impl Fn(&Token) -> bool, watch: &Watch) -> Option<usize> {
    let mut n_before = 0;
    watch.in_stretches(tokens, |stretch| match stretch.iter().position(&is_meant) {
        Some(index) => ControlFlow::Break(n_before + index),
        None => {
            n_before += stretch.len();
            ControlFlow::Continue(())
        }
    })
}

/// How many more brackets are opened than closed; of some of the tokens if the work is to end.
pub(super) fn net_brackets(tokens: &[Token], watch: &Watch) -> isize {
    let mut net = 0;
    watch.in_stretches(tokens, |stretch| {
        net += stretch.iter().map(|token| bracket_change(token.kind)).sum::<isize>();
        ControlFlow::<()>::Continue(())
    });
    net
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
