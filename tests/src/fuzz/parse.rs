//! Native syntax: reading returns, its places are in the text, and formatting changes blanks only.

use hcl_syntax::ast::{functions, variables};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::lexer;
use hcl_syntax::parser::{
    ParseLimits, Splats, parse_expression, parse_file, parse_template, parse_traversal,
};
use hcl_syntax::source::{Grammar, Pos, Source};
use hcl_syntax::token::TokenKind;

use crate::universal::{diagnostics_are_sound, tokens_tile};

/// The property.
pub(super) fn run(bytes: &[u8]) {
    let limits = ParseLimits::default();
    let Ok(source) = Source::new("main.hcl", bytes) else { return };
    let (file, diagnostics) = parse_file(source.clone(), &limits);
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
    if !has_errors(&diagnostics) {
        formatting_changes_blanks_only(bytes);
    }
    let (parsed, diagnostics) = parse_expression(source.clone(), &limits);
    check(&source, &diagnostics);
    let _ = variables(parsed.expression());
    let (_, diagnostics) = parse_traversal(source.clone(), Splats::Allowed, &limits);
    check(&source, &diagnostics);
    let template = Source::with_grammar("main.tpl", bytes, Grammar::Template, Pos::START);
    let template = template.expect("as long as the source before");
    let (_, diagnostics) = parse_template(template.clone(), &limits);
    check(&template, &diagnostics);
}

fn check(source: &Source, diagnostics: &[Diagnostic]) {
    let sound = tokens_tile(source).and_then(|()| diagnostics_are_sound(source, diagnostics));
    assert_eq!(sound, Ok(()), "{:?}", source.text());
}

fn formatting_changes_blanks_only(bytes: &[u8]) {
    let formatted = format("main.hcl", bytes, FormatStyle::Hcl);
    if let Ok(formatted) = &formatted {
        assert_eq!(tokens(formatted), tokens(bytes), "{:?}", String::from_utf8_lossy(bytes));
    }
    if let Ok(formatted) = format("main.hcl", bytes, FormatStyle::Terraform) {
        let source = Source::new("main.hcl", formatted).expect("about as long as before");
        let (_, diagnostics) = parse_file(source, &ParseLimits::default());
        assert!(!has_errors(&diagnostics), "{:?}: {diagnostics:?}", String::from_utf8_lossy(bytes));
    }
}

/// The tokens of a text. Blanks at the end of comments, carriage returns and a byte order mark are no part of them.
fn tokens(bytes: &[u8]) -> Vec<(TokenKind, String)> {
    let source = Source::new("main.hcl", bytes).expect("about as long as before");
    let text = |span| source.slice(span).trim_end().replace('\r', "");
    lexer::tokens(&source).iter().map(|token| (token.kind, text(token.span))).collect()
}
