//! Codes of diagnostics: stable names for kinds of problems, each with its meaning in a line.
//!
//! A code is `area.problem`. Summaries are shared by several problems, because tools match on the
//! reference's; codes tell them apart.

/// A stable name for a kind of problem.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    /// The name, for example `lex.semicolon`.
    pub name: &'static str,
    /// What it stands for, in a line.
    pub meaning: &'static str,
}

/// `a & b`
pub(crate) const UNSUPPORTED_OPERATOR: Code = Code {
    name: "lex.unsupported_operator",
    meaning: "One of the characters & | ^ ~ stands alone; HCL has no bitwise operators.",
};

/// `` a = `text` ``
pub(crate) const BACKTICK: Code = Code {
    name: "lex.backtick",
    meaning: "A backtick was used; strings are written in double quotes or as heredocs.",
};

/// `a = 'text'`
pub(crate) const SINGLE_QUOTE: Code = Code {
    name: "lex.single_quote",
    meaning: "A single quote was used; strings are written in double quotes.",
};

/// `a = 1; b = 2`
pub(crate) const SEMICOLON: Code = Code {
    name: "lex.semicolon",
    meaning: "A semicolon was used; arguments and blocks end with their line.",
};

/// `a = “text”`
pub(crate) const CURLY_QUOTE: Code = Code {
    name: "lex.curly_quote",
    meaning: "A typographic quote was used; strings are written in straight double quotes.",
};

/// `a = @`
pub(crate) const INVALID_CHARACTER: Code = Code {
    name: "lex.invalid_character",
    meaning: "A character has no role in HCL outside strings and comments.",
};

/// `a = "\xff"`, with that byte in the file
pub(crate) const INVALID_ENCODING: Code =
    Code { name: "lex.invalid_encoding", meaning: "A byte is no part of valid UTF-8 text." };

/// `a = "first` and on the next line `second"`
pub(crate) const NEWLINE_IN_STRING: Code = Code {
    name: "lex.newline_in_string",
    meaning: "A quoted string goes on over a line break, or its closing quote is missing.",
};

/// The codes of the scanner's diagnostics.
pub const LEXICAL: &[Code] = &[
    UNSUPPORTED_OPERATOR,
    BACKTICK,
    SINGLE_QUOTE,
    SEMICOLON,
    CURLY_QUOTE,
    INVALID_CHARACTER,
    INVALID_ENCODING,
    NEWLINE_IN_STRING,
];
