//! Detection of an input that wants another line.

use hcl_syntax::lexer;
use hcl_syntax::source::Source;
use hcl_syntax::token::TokenKind as K;

/// Returns whether brackets or a heredoc are still open at the end of an input. An open quote does not count: its
/// text can't go on in another line.
pub(super) fn is_incomplete(input: &str) -> bool {
    let Ok(source) = Source::new("input", line(input)) else { return false };
    let (mut brackets, mut heredocs, mut in_quotes) = (0i64, 0i64, 0i64);
    for token in lexer::tokens(&source) {
        match token.kind {
            K::OpenBrace | K::OpenBracket | K::OpenParen | K::TemplateInterpolation | K::TemplateControl => {
                brackets += 1;
            }
            K::CloseBrace | K::CloseBracket | K::CloseParen | K::TemplateSequenceEnd => brackets -= 1,
            K::OpenHeredoc => heredocs += 1,
            K::CloseHeredoc => heredocs -= 1,
            K::OpenQuote => in_quotes += 1,
            K::CloseQuote => in_quotes -= 1,
            K::QuotedNewline | K::Invalid => return false,
            _ => {}
        }
    }
    heredocs > 0 || (brackets > 0 && in_quotes <= 0)
}

/// An input with a newline at its end only if it may have a heredoc, whose marker is one only with it: places at the end
/// of an input are then in its last line.
pub(super) fn line(input: &str) -> String {
    let input = input.trim_end_matches(['\n', '\r']);
    if input.contains("<<") { format!("{input}\n") } else { input.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::is_incomplete;

    #[test]
    fn open_brackets_and_heredocs_want_more() {
        for input in ["[1,", "{\na = 1", "f(", "<<E", "<<E\ntext", "[for x in y :", "\"a\" == [", "(1 +\n2"] {
            assert!(is_incomplete(input), "{input:?}");
        }
    }

    #[test]
    fn everything_else_does_not() {
        for input in ["", "1 + 1", "1 +", "[1, 2]", "\"a", "\"${a", "<<E\ntext\nE\n", "]", "a ? b", ":help"] {
            assert!(!is_incomplete(input), "{input:?}");
        }
    }
}
