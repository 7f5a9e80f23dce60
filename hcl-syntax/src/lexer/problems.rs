//! Diagnostics of the scanner: what to say about tokens that stand for something HCL does not have.
//!
//! Some complaints are made only a few times per text, as the reference implementation does: whoever
//! writes semicolons has usually written many.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// The diagnostics of `tokens`, in order, at most `max` of them; and how many more there would be.
///
/// ```
/// use hcl_syntax::lexer;
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("main.hcl", "a = 1; b = 2\n")?;
/// let (problems, more) = lexer::diagnostics(&source, &lexer::tokens(&source), 10);
/// assert_eq!((problems[0].subject_text(), problems.len(), more), (";", 1, 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn diagnostics(source: &Source, tokens: &[Token], max: u32) -> (Diagnostics, u32) {
    diagnostics_on(source, tokens, max, &Watch::idle())
}

/// [`diagnostics`], as far as they have been found when the work is to end.
pub(crate) fn diagnostics_on(
    source: &Source,
    tokens: &[Token],
    max: u32,
    watch: &Watch,
) -> (Diagnostics, u32) {
    let mut told = Told::default();
    let mut kept = Diagnostics::new();
    let mut left_out = 0u32;
    for token in watch.each(tokens.iter().filter(|token| is_problem(token.kind)), 1) {
        let Some(problem) = told.problem(source, *token) else {
            continue;
        };
        if !source.find_lines_on(watch) {
            break;
        }
        if kept.len() < max as usize {
            let summary = problem.summary();
            let diagnostic = Diagnostic::error(problem.code(), summary, problem.detail(source, token.span));
            kept.push(diagnostic.at(source, token.span));
        } else {
            left_out = left_out.saturating_add(1);
        }
    }
    (kept, left_out)
}

/// Returns whether tokens of this kind are a problem. Kinds are in the order of their declaration, and this is the
/// first that no grammar rule mentions.
pub(crate) fn is_problem(kind: TokenKind) -> bool {
    kind >= TokenKind::BitAnd
}

/// How often a complaint with a limit has come up.
#[derive(Default)]
struct Told {
    operators: u32,
    backticks: u32,
    single_quotes: u32,
    semicolons: u32,
    bad_bytes: u32,
}

impl Told {
    /// Returns the problem with `token`, unless it has been reported often enough.
    fn problem(&mut self, source: &Source, token: Token) -> Option<Problem> {
        let (seen, problem, tell): (&mut u32, Problem, fn(u32) -> bool) = match token.kind {
            TokenKind::BitAnd | TokenKind::BitOr | TokenKind::BitNot | TokenKind::BitXor => {
                (&mut self.operators, Problem::Operator(token.kind), |n| n <= 4)
            }
            TokenKind::Backtick => (&mut self.backticks, Problem::Backtick, |n| n == 1 || n == 3),
            TokenKind::Apostrophe => (&mut self.single_quotes, Problem::SingleQuote, |n| n == 1 || n == 3),
            TokenKind::Semicolon => (&mut self.semicolons, Problem::Semicolon, |n| n == 1),
            TokenKind::BadUtf8 => (&mut self.bad_bytes, Problem::BadByte, |n| n == 1),
            TokenKind::QuotedNewline => return Some(Problem::NewlineInString),
            TokenKind::Invalid => {
                let first = source.slice(token.span).chars().next().unwrap_or_default();
                return Some(match first {
                    '\u{201c}' | '\u{201d}' => Problem::CurlyQuote(first),
                    _ => Problem::Character(first),
                });
            }
            _ => return None,
        };
        *seen = seen.saturating_add(1);
        tell(*seen).then_some(problem)
    }
}

/// A kind of lexical problem.
#[derive(Copy, Clone)]
enum Problem {
    /// `a & b`
    Operator(TokenKind),
    /// `` `a` ``
    Backtick,
    /// `'a'`
    SingleQuote,
    /// `a = 1;`
    Semicolon,
    /// `“a”`
    CurlyQuote(char),
    /// `@`
    Character(char),
    /// A byte of no UTF-8 sequence.
    BadByte,
    /// A line break between quotes.
    NewlineInString,
}

impl Problem {
    fn code(self) -> &'static str {
        match self {
            Self::Operator(_) => "lex.unsupported_operator",
            Self::Backtick => "lex.backtick",
            Self::SingleQuote => "lex.single_quote",
            Self::Semicolon => "lex.semicolon",
            Self::CurlyQuote(_) => "lex.curly_quote",
            Self::Character(_) => "lex.invalid_character",
            Self::BadByte => "lex.invalid_encoding",
            Self::NewlineInString => "lex.newline_in_string",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Operator(_) => "Unsupported operator",
            Self::Backtick
            | Self::SingleQuote
            | Self::Semicolon
            | Self::CurlyQuote(_)
            | Self::Character(_) => "Invalid character",
            Self::BadByte => "Invalid character encoding",
            Self::NewlineInString => "Invalid multi-line string",
        }
    }

    fn detail(self, source: &Source, span: Span) -> String {
        match self {
            Self::Operator(kind) => operator(kind).to_owned(),
            Self::Backtick => {
                "Found a backtick. Strings are written in double quotes; for several lines of text \
                 use a heredoc, which begins with \"<<EOT\" and ends with a line that is EOT."
                    .to_owned()
            }
            Self::SingleQuote => "Found a single quote. Strings are written in double quotes.".to_owned(),
            Self::Semicolon => {
                "Found a semicolon. Every argument and block ends with its line: begin a new line. \
                 Within braces of an object, commas separate the items."
                    .to_owned()
            }
            Self::CurlyQuote(quote) => format!(
                "Found the typographic quote {}. Strings are written in straight double quotes (\"); word \
                 processors and web pages like to replace them.",
                shown(quote)
            ),
            Self::Character(c) => character(c, source, span),
            Self::BadByte => {
                "This byte is no part of valid UTF-8 text. Save the file in the encoding UTF-8; it may \
                 have been written in another, such as Latin-1 or UTF-16."
                    .to_owned()
            }
            Self::NewlineInString => {
                "A quoted string must end on the line it begins on. Add the closing quote, or \
                 write \\n for a line break within the string, or use a heredoc for several lines of text."
                    .to_owned()
            }
        }
    }
}

/// Returns the operator to write in place of a bitwise one.
fn operator(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::BitAnd => {
            "Found a single \"&\". HCL has no bitwise operators. Did you mean \"&&\", the logical \"and\"?"
        }
        TokenKind::BitOr => {
            "Found a single \"|\". HCL has no bitwise operators. Did you mean \"||\", the logical \"or\"?"
        }
        TokenKind::BitNot => {
            "Found \"~\". HCL has no bitwise operators. Did you mean \"!\", the logical \"not\"? Next to the braces \
             of a template sequence \"~\" strips blanks: \"${~\" and \"~}\" are written without a space."
        }
        _ => "Found \"^\". HCL has no bitwise operators, and none for powers.",
    }
}

/// Why a character is out of place, with advice for those that people meet.
fn character(c: char, source: &Source, span: Span) -> String {
    match c {
        '$' | '%' if span.end == source.span().end => {
            format!("The text ends right after \"{c}\", in the middle of a template. Close the template.")
        }
        '$' => "Found \"$\" outside a template. Only in quoted strings and heredocs does \"${\" begin an \
             interpolation; elsewhere write the expression alone."
            .to_owned(),
        '\\' => "Found a backslash that escapes nothing. In a quoted string it begins an escape sequence, such as \
             \\n or \\\"; elsewhere it has no role, not even at the end of a line."
            .to_owned(),
        '\r' => "Found a carriage return without a line feed. Lines end with a line feed, or with a carriage \
             return and a line feed."
            .to_owned(),
        '\u{feff}' => "Found a byte order mark (U+FEFF) inside the text. Only the very first character may be one; \
             it was probably left behind when files were joined. Delete it."
            .to_owned(),
        _ if c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}') => format!(
            "Found {}. It looks like a space or like nothing at all, but between tokens only ordinary spaces, tabs \
             and line breaks may stand.",
            shown(c)
        ),
        _ if c.is_control() => format!("Found the control character {}. Delete it.", shown(c)),
        _ => format!(
            "Found {}, which has no role outside quoted strings, heredocs and comments. Remove it, or quote the text \
             that it belongs to.",
            shown(c)
        ),
    }
}

/// A character with its code point; the code point alone if the character cannot be seen.
fn shown(c: char) -> String {
    let code_point = u32::from(c);
    if c.is_whitespace() || c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}') {
        format!("U+{code_point:04X}")
    } else {
        format!("\"{c}\" (U+{code_point:04X})")
    }
}
