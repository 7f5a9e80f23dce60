//! The kinds of tokens.

/// The kind of a token. Newlines and comments are tokens; spaces and tabs between tokens are not.
///
/// As wide as the offsets beside it: a token with gaps takes longer to copy.
///
/// ```
/// use hcl_syntax::{lexer, source::Source, token::TokenKind};
///
/// let source = Source::new("main.hcl", "a = 1 # one\n# two\n")?;
/// let comments = lexer::tokens(&source).into_iter().filter(|token| token.kind == TokenKind::Comment);
/// let texts: Vec<_> = comments.map(|token| source.slice(token.span).trim()).collect();
/// assert_eq!(texts, ["# one", "# two"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
#[non_exhaustive]
pub enum TokenKind {
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `"` that begins a quoted template.
    OpenQuote,
    /// `"` that ends a quoted template.
    CloseQuote,
    /// `<<NAME` or `<<-NAME` with its newline.
    OpenHeredoc,
    /// The line that ends a heredoc, without its newline.
    CloseHeredoc,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `%`
    Percent,
    /// `=`
    Assign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `!`
    Bang,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `::`
    DoubleColon,
    /// `...`
    Ellipsis,
    /// `=>`
    FatArrow,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `${` or `${~`
    TemplateInterpolation,
    /// `%{` or `%{~`
    TemplateControl,
    /// `}` or `~}` that ends an interpolation or a directive; a stray `~}` too.
    TemplateSequenceEnd,
    /// A run of literal text in a quoted template.
    QuotedLiteral,
    /// A run of literal text in a heredoc or a bare template, at most one line.
    StringLiteral,
    /// A number, not yet checked.
    Number,
    /// An identifier or keyword.
    Identifier,
    /// A comment; a line comment includes its newline.
    Comment,
    /// A line feed, with the carriage return before it.
    Newline,
    /// The end of the text, always the last token and always empty.
    EndOfFile,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `~`
    BitNot,
    /// `^`
    BitXor,
    /// `'`
    Apostrophe,
    /// A backtick.
    Backtick,
    /// `;`
    Semicolon,
    /// A character with no role.
    Invalid,
    /// A byte that is no part of valid UTF-8.
    BadUtf8,
    /// A newline inside a quoted template.
    QuotedNewline,
}
