//! Tokens: `tokens`.

use hcl_syntax::lexer;
use hcl_syntax::source::{Grammar, Pos, Source};
use hcl_syntax::token::TokenKind;
use serde_json::{Value as Json, json};

use super::Verdict;
use super::judge::{list, string};

/// Boundaries agree; strictly also the kinds.
pub(super) fn judge(case: &Json) -> Verdict {
    let grammar = if string(case, "mode") == "template" { Grammar::Template } else { Grammar::Config };
    let Ok(source) = Source::with_grammar("tokens", string(case, "source"), grammar, Pos::START) else {
        return Verdict::Differs("the source is too long".to_owned());
    };
    let got: Vec<Json> = lexer::tokens(&source)
        .iter()
        .map(|token| json!([word(token.kind), source.slice(token.span), token.span.start, token.span.end]))
        .collect();
    let wanted = list(case, "tokens");
    let bounds =
        |tokens: &[Json]| tokens.iter().map(|t| (t[2].to_string(), t[3].to_string())).collect::<Vec<_>>();
    let kinds = |tokens: &[Json]| tokens.iter().map(|t| t[0].to_string()).collect::<Vec<_>>();
    let told = || format!("{} wanted {}", json!(got), json!(wanted));
    if bounds(&got) != bounds(wanted) {
        return Verdict::Differs(told());
    }
    Verdict::Strictly.and_strictly(|| if kinds(&got) == kinds(wanted) { Ok(()) } else { Err(told()) })
}

/// Returns the corpus's word for a kind of token.
fn word(kind: TokenKind) -> &'static str {
    WORDS.iter().find(|(known, _)| *known == kind).map_or("?", |(_, word)| word)
}

const WORDS: &[(TokenKind, &str)] = &[
    (TokenKind::OpenBrace, "obrace"),
    (TokenKind::CloseBrace, "cbrace"),
    (TokenKind::OpenBracket, "obrack"),
    (TokenKind::CloseBracket, "cbrack"),
    (TokenKind::OpenParen, "oparen"),
    (TokenKind::CloseParen, "cparen"),
    (TokenKind::OpenQuote, "oquote"),
    (TokenKind::CloseQuote, "cquote"),
    (TokenKind::OpenHeredoc, "oheredoc"),
    (TokenKind::CloseHeredoc, "cheredoc"),
    (TokenKind::Star, "star"),
    (TokenKind::Slash, "slash"),
    (TokenKind::Plus, "plus"),
    (TokenKind::Minus, "minus"),
    (TokenKind::Percent, "percent"),
    (TokenKind::Assign, "assign"),
    (TokenKind::Equal, "eq"),
    (TokenKind::NotEqual, "ne"),
    (TokenKind::Less, "lt"),
    (TokenKind::LessEqual, "le"),
    (TokenKind::Greater, "gt"),
    (TokenKind::GreaterEqual, "ge"),
    (TokenKind::And, "and"),
    (TokenKind::Or, "or"),
    (TokenKind::Bang, "bang"),
    (TokenKind::Dot, "dot"),
    (TokenKind::Comma, "comma"),
    (TokenKind::DoubleColon, "doublecolon"),
    (TokenKind::Ellipsis, "ellipsis"),
    (TokenKind::FatArrow, "fatarrow"),
    (TokenKind::Question, "question"),
    (TokenKind::Colon, "colon"),
    (TokenKind::TemplateInterpolation, "interp"),
    (TokenKind::TemplateControl, "control"),
    (TokenKind::TemplateSequenceEnd, "seqend"),
    (TokenKind::QuotedLiteral, "quotedlit"),
    (TokenKind::StringLiteral, "stringlit"),
    (TokenKind::Number, "number"),
    (TokenKind::Identifier, "ident"),
    (TokenKind::Comment, "comment"),
    (TokenKind::Newline, "newline"),
    (TokenKind::EndOfFile, "eof"),
    (TokenKind::BitAnd, "bitand"),
    (TokenKind::BitOr, "bitor"),
    (TokenKind::BitNot, "bitnot"),
    (TokenKind::BitXor, "bitxor"),
    (TokenKind::Apostrophe, "apostrophe"),
    (TokenKind::Backtick, "backtick"),
    (TokenKind::Semicolon, "semicolon"),
    (TokenKind::Invalid, "invalid"),
    (TokenKind::BadUtf8, "badutf8"),
    (TokenKind::QuotedNewline, "quotednewline"),
];
