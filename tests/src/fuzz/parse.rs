//! Native syntax: reading returns, its places are in the text, and formatting changes blanks only.

use hcl_syntax::ast::{functions, variables};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::lexer;
use hcl_syntax::parser::{
    ParseLimits, Splats, parse_expression, parse_file, parse_template, parse_traversal,
};
use hcl_syntax::source::{Grammar, Pos, Source};
use hcl_syntax::token::{Token, TokenKind};

use crate::universal::{diagnostics_are_sound, tokens_tile};

/// The properties, one for each way of reading a text.
const PROPERTIES: [fn(&[u8]); 6] = [tokens_cover, formatting, file, expression, traversal, template];

/// All properties.
pub(super) fn run(bytes: &[u8]) {
    for property in PROPERTIES {
        property(bytes);
    }
}

/// One of the properties, which the length of the text decides about.
pub(super) fn run_one(bytes: &[u8]) {
    PROPERTIES[bytes.len() % PROPERTIES.len()](bytes);
}

/// The tokens of both grammars cover the text.
fn tokens_cover(bytes: &[u8]) {
    for grammar in [Grammar::Config, Grammar::Template] {
        let Some(source) = source_of(bytes, grammar) else { return };
        assert_eq!(tokens_tile(&source), Ok(()), "{:?}", source.text());
    }
}

fn file(bytes: &[u8]) {
    let Some(source) = source_of(bytes, Grammar::Config) else { return };
    let (file, diagnostics) = parse_file(source.clone(), &ParseLimits::default());
    check(&source, &diagnostics);
    let mut bodies = vec![file.body()];
    while let Some(body) = bodies.pop() {
        bodies.extend(body.blocks().map(|block| block.body()));
        for attribute in body.attributes() {
            let span = attribute.expression().span();
            assert!(span.start <= span.end && span.end as usize <= source.text().len());
            let _ = (variables(attribute.expression()), functions(attribute.expression()));
        }
    }
}

fn expression(bytes: &[u8]) {
    let Some(source) = source_of(bytes, Grammar::Config) else { return };
    let (parsed, diagnostics) = parse_expression(source.clone(), &ParseLimits::default());
    check(&source, &diagnostics);
    let _ = variables(parsed.expression());
}

fn traversal(bytes: &[u8]) {
    let Some(source) = source_of(bytes, Grammar::Config) else { return };
    let (_, diagnostics) = parse_traversal(source.clone(), Splats::Allowed, &ParseLimits::default());
    check(&source, &diagnostics);
}

fn template(bytes: &[u8]) {
    let Some(source) = source_of(bytes, Grammar::Template) else { return };
    let (_, diagnostics) = parse_template(source.clone(), &ParseLimits::default());
    check(&source, &diagnostics);
}

/// Formatting changes blanks only.
fn formatting(bytes: &[u8]) {
    let Some(source) = source_of(bytes, Grammar::Config) else { return };
    let (_, diagnostics) = parse_file(source, &ParseLimits::default());
    if !has_errors(&diagnostics) {
        formatting_changes_blanks_only(bytes);
    }
}

/// The text, unless it is longer than a source may be.
fn source_of(bytes: &[u8], grammar: Grammar) -> Option<Source> {
    Source::with_grammar("main.hcl", bytes, grammar, Pos::START).ok()
}

fn check(source: &Source, diagnostics: &[Diagnostic]) {
    assert_eq!(diagnostics_are_sound(source, diagnostics), Ok(()), "{:?}", source.text());
}

fn formatting_changes_blanks_only(bytes: &[u8]) {
    let Ok(formatted) = format("main.hcl", bytes, FormatStyle::Hcl) else { return };
    let (before, after) = (tokens(bytes), tokens(&formatted));
    let text = String::from_utf8_lossy(bytes);
    // A name that touches a number in the canonical form was one with the end of the number.
    let settled = with_whole_numbers(&after, |name| name.touches);
    assert_eq!(settled, with_whole_numbers(&before, |_| false), "{text:?}");
    // What dots were drawn to may be no number any more: of `1 .e5x` the reference makes `1.e5x`, too.
    let is_read_alike = after.iter().map(|read| &read.text).eq(before.iter().map(|read| &read.text));
    if is_read_alike && let Ok(formatted) = format("main.hcl", bytes, FormatStyle::Terraform) {
        let source = Source::new("main.hcl", formatted).expect("about as long as before");
        let (_, diagnostics) = parse_file(source, &ParseLimits::default());
        assert!(!has_errors(&diagnostics), "{text:?}: {diagnostics:?}");
    }
}

/// A token of a text.
struct Read {
    kind: TokenKind,
    text: String,
    /// It begins where the token before it ends.
    touches: bool,
}

/// The tokens of a text. Blanks at the end of comments, carriage returns and a byte order mark are no part of them.
fn tokens(bytes: &[u8]) -> Vec<Read> {
    let source = Source::new("main.hcl", bytes).expect("about as long as before");
    let mut end = 0;
    let read = |token: &Token| Read {
        kind: token.kind,
        text: source.slice(token.span).trim_end().replace('\r', ""),
        touches: std::mem::replace(&mut end, token.span.end) == token.span.start,
    };
    lexer::tokens(&source).iter().map(read).collect()
}

/// The tokens, those of a number with the dots behind it and with what the dots are followed by as one.
///
/// The form of the reference has no blanks around dots. So `x.0 .0` has one number in that form, `0.0`, where the text has two:
/// both are read as the same indexes. Of `1 . 0`, which is an error, a number is made.
/// `is_rest` says of which tokens behind a number they are its end. A name may have dashes and combining marks: `x.2 .e5-`
/// becomes `x.2.e5-`.
fn with_whole_numbers(tokens: &[Read], is_rest: impl Fn(&Read) -> bool) -> Vec<(TokenKind, String)> {
    let mut whole: Vec<(TokenKind, String)> = Vec::new();
    for read in tokens {
        let is_dot = matches!(read.kind, TokenKind::Dot | TokenKind::Ellipsis);
        let is_name = matches!(read.kind, TokenKind::Number | TokenKind::Identifier);
        let is_of_name = is_name || matches!(read.kind, TokenKind::Minus | TokenKind::Invalid);
        match whole.last_mut() {
            Some((TokenKind::Number, number))
                if is_dot || is_name && number.ends_with('.') || is_of_name && is_rest(read) =>
            {
                number.push_str(&read.text);
            }
            _ => whole.push((read.kind, read.text.clone())),
        }
    }
    whole
}
