//! Properties of every input, whatever a case is about.

use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::lexer;
use hcl_syntax::source::{Range, Source};
use hcl_syntax::token::TokenKind;

/// Checks that the tokens of a source tile it: in order, without overlap, with nothing but spaces, tabs
/// and a leading byte order mark between them, the end of the file last.
///
/// # Errors
/// Says where they do not.
pub fn tokens_tile(source: &Source) -> Result<(), String> {
    let text = source.text();
    let tokens = lexer::tokens(source);
    let mut end = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for token in &tokens {
        let (start, next) = (token.span.start as usize, token.span.end as usize);
        let between = text.get(end..start).ok_or_else(|| format!("tokens overlap at byte {start}"))?;
        if !between.chars().all(|c| matches!(c, ' ' | '\t')) {
            return Err(format!("no token covers {between:?} at byte {end}"));
        }
        end = next;
    }
    match tokens.last() {
        Some(last) if last.kind == TokenKind::EndOfFile && end == text.len() => Ok(()),
        _ => Err(format!("the tokens end at byte {end} of {}", text.len())),
    }
}

/// Checks that the ranges of diagnostics lie inside the source and that the texts are sentences.
///
/// # Errors
/// Says which does not.
pub fn diagnostics_are_sound(source: &Source, diagnostics: &[Diagnostic]) -> Result<(), String> {
    let len = source.text().len() as u64;
    let inside = |range: &Range| range.start.byte <= range.end.byte && range.end.byte <= len;
    for diagnostic in diagnostics {
        if !diagnostic.subject.iter().chain(&diagnostic.context).all(inside) {
            return Err(format!("a range lies outside the source: {diagnostic:?}"));
        }
        if diagnostic.summary.is_empty() || diagnostic.summary.ends_with('.') || diagnostic.code.is_empty() {
            return Err(format!("a summary names the problem and is no sentence: {diagnostic:?}"));
        }
    }
    Ok(())
}
