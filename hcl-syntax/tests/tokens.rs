//! The scanner against the conformance corpora: boundaries and kinds of tokens.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod corpus;

use hcl_syntax::lexer;
use hcl_syntax::source::{Grammar, Pos, Source};
use hcl_syntax::token::{Token, TokenKind};
use serde_json::Value;

/// A token as the corpora write it.
type Row = (String, u64, u64);

fn scanned(bytes: Vec<u8>, grammar: Grammar) -> Vec<Row> {
    let source = Source::with_grammar("case", bytes, grammar, Pos::START).unwrap();
    let row =
        |token: &Token| (word(token.kind).to_owned(), u64::from(token.span.start), u64::from(token.span.end));
    lexer::tokens(&source).iter().map(row).collect()
}

fn expected(rows: &Value, start: usize) -> Vec<Row> {
    let row = |row: &Value| {
        (row[0].as_str().unwrap().to_owned(), row[start].as_u64().unwrap(), row[start + 1].as_u64().unwrap())
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

#[test]
fn tokens_are_those_of_the_corpus() {
    let mut failed = Vec::new();
    let cases = corpus::cases("tokens.jsonl");
    for case in &cases {
        if case.get("differs").is_some() {
            continue;
        }
        let grammar = if case["mode"] == "template" { Grammar::Template } else { Grammar::Config };
        let ours = scanned(corpus::source_of(case), grammar);
        let theirs = expected(&case["tokens"], 2);
        if ours != theirs {
            failed
                .push(format!("{}: {}\n  ours   {ours:?}\n  theirs {theirs:?}", case["id"], case["source"]));
        }
    }
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn bad_bytes_are_tokens_of_their_own() {
    let mut failed = Vec::new();
    for case in &corpus::cases("documents_bytes.jsonl") {
        let id = case["id"].as_str().unwrap();
        if case.get("differs").is_some() || corpus::BAD_NAMES.contains(&id) {
            continue;
        }
        let ours = scanned(corpus::source_of(case), Grammar::Config);
        let theirs = expected(&case["token_bounds"], 1);
        if ours != theirs {
            failed.push(format!("{id}\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The kinds and texts of the tokens of a text, but for the last.
fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
    let source = Source::new("case", text).unwrap();
    let tokens = lexer::tokens(&source);
    let row = |token: &Token| (token.kind, &text[token.span.start as usize..token.span.end as usize]);
    tokens.iter().take(tokens.len() - 1).map(row).collect()
}

#[test]
fn a_heredoc_ends_with_a_line_of_its_marker_and_blanks() {
    for (line, closes) in [
        ("E\n", true),
        ("\t E \n", true),
        ("E\r\n", true),
        ("\u{a0}E\u{2003}\n", true),
        ("\u{b}E\n", true),
        ("E", false),
        ("E\r\r\n", false),
        ("EE\n", false),
        ("E x\n", false),
        ("e\n", false),
        ("$E\n", false),
    ] {
        let text = format!("<<-E\n{line}");
        let closed = kinds(&text).iter().any(|&(kind, _)| kind == TokenKind::CloseHeredoc);
        assert_eq!(closed, closes, "{line:?}");
    }
    assert_eq!(
        kinds("<<E\r\n E \r\n")[1..],
        [(TokenKind::CloseHeredoc, " E "), (TokenKind::Newline, "\r\n")]
    );
    assert!(!kinds("<<E\n${a}E\n").contains(&(TokenKind::CloseHeredoc, "E")));
}

#[test]
fn a_carriage_return_alone_ends_the_scanning_of_a_heredoc() {
    assert_eq!(kinds("<<E\na\rb${c}\nE\n").last(), Some(&(TokenKind::Invalid, "\rb${c}\nE\n")));
}

#[test]
fn a_template_that_ends_within_a_marker_is_unfinished() {
    assert_eq!(kinds("\"a$").last(), Some(&(TokenKind::Invalid, "$")));
    assert_eq!(kinds("<<E\na%").last(), Some(&(TokenKind::Invalid, "%")));
    assert_eq!(kinds("\"a\\").last(), Some(&(TokenKind::Invalid, "\\")));
}

#[test]
fn braces_are_counted_by_interpolation() {
    let ends = |text: &str| {
        let kinds = kinds(text);
        kinds
            .iter()
            .filter(|(kind, _)| *kind == TokenKind::TemplateSequenceEnd)
            .map(|row| row.1.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(ends("{ \"${ {} }\" }"), [1]);
    assert_eq!(ends("{ \"${ { ~} ~}\" } ~}"), [2, 2, 2]);
    assert_eq!(kinds("{ ~} \"${a}\" }").last(), Some(&(TokenKind::CloseBrace, "}")));
}

#[test]
fn identifiers() {
    for name in [
        "a", "_", "a-", "é", "e\u{301}", "日本", "ℼ", "\u{2118}", "\u{1885}", "\u{309b}", "\u{e33}", "a·b",
        "Ა",
    ] {
        assert!(lexer::is_identifier(name), "{name}");
    }
    for text in [
        "",
        "-",
        "1",
        "a b",
        "a.b",
        "a\n",
        " a",
        "\u{301}",
        "x\u{200d}y",
        "x\u{200c}",
        "\u{feff}a",
        "👍",
        "٣",
    ] {
        assert!(!lexer::is_identifier(text), "{text}");
    }
}

/// The corpora's word for a kind.
fn word(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::OpenBrace => "obrace",
        TokenKind::CloseBrace => "cbrace",
        TokenKind::OpenBracket => "obrack",
        TokenKind::CloseBracket => "cbrack",
        TokenKind::OpenParen => "oparen",
        TokenKind::CloseParen => "cparen",
        TokenKind::OpenQuote => "oquote",
        TokenKind::CloseQuote => "cquote",
        TokenKind::OpenHeredoc => "oheredoc",
        TokenKind::CloseHeredoc => "cheredoc",
        TokenKind::Star => "star",
        TokenKind::Slash => "slash",
        TokenKind::Plus => "plus",
        TokenKind::Minus => "minus",
        TokenKind::Percent => "percent",
        TokenKind::Assign => "assign",
        TokenKind::Equal => "eq",
        TokenKind::NotEqual => "ne",
        TokenKind::Less => "lt",
        TokenKind::LessEqual => "le",
        TokenKind::Greater => "gt",
        TokenKind::GreaterEqual => "ge",
        TokenKind::And => "and",
        TokenKind::Or => "or",
        TokenKind::Bang => "bang",
        TokenKind::Dot => "dot",
        TokenKind::Comma => "comma",
        TokenKind::DoubleColon => "doublecolon",
        TokenKind::Ellipsis => "ellipsis",
        TokenKind::FatArrow => "fatarrow",
        TokenKind::Question => "question",
        TokenKind::Colon => "colon",
        _ => word_of_template_or_problem(kind),
    }
}

fn word_of_template_or_problem(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::TemplateInterpolation => "interp",
        TokenKind::TemplateControl => "control",
        TokenKind::TemplateSequenceEnd => "seqend",
        TokenKind::QuotedLiteral => "quotedlit",
        TokenKind::StringLiteral => "stringlit",
        TokenKind::Number => "number",
        TokenKind::Identifier => "ident",
        TokenKind::Comment => "comment",
        TokenKind::Newline => "newline",
        TokenKind::EndOfFile => "eof",
        TokenKind::BitAnd => "bitand",
        TokenKind::BitOr => "bitor",
        TokenKind::BitNot => "bitnot",
        TokenKind::BitXor => "bitxor",
        TokenKind::Apostrophe => "apostrophe",
        TokenKind::Backtick => "backtick",
        TokenKind::Semicolon => "semicolon",
        TokenKind::Invalid => "invalid",
        TokenKind::BadUtf8 => "badutf8",
        TokenKind::QuotedNewline => "quotednewline",
        other => panic!("no word for {other:?}"),
    }
}
