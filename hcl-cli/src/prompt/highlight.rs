//! Colors for an input while it is typed.
//!
//! Colors follow from tokens alone. An input that is still incomplete has tokens too, and no tree.

use std::fmt::Write as _;

use hcl_syntax::lexer;
use hcl_syntax::source::Source;
use hcl_syntax::token::{Token, TokenKind as K};

/// The input with terminal colors put in, nothing else changed.
pub(super) fn highlighted(input: &str) -> String {
    let Ok(source) = Source::new("input", input) else { return input.to_owned() };
    let tokens = lexer::tokens(&source);
    let mut out = String::with_capacity(input.len() * 2);
    let mut done = 0;
    for (index, token) in tokens.iter().enumerate() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        out.push_str(&input[done..start]);
        match color(*token, tokens.get(index + 1), &input[start..end]) {
            // Writing to a String can't fail.
            Some(color) => drop(write!(out, "\x1b[{color}m{}\x1b[0m", &input[start..end])),
            None => out.push_str(&input[start..end]),
        }
        done = end;
    }
    out.push_str(&input[done..]);
    out
}

/// The color of a token, as the parameter of the escape sequence.
fn color(token: Token, next: Option<&Token>, text: &str) -> Option<&'static str> {
    match token.kind {
        K::OpenQuote
        | K::CloseQuote
        | K::QuotedLiteral
        | K::StringLiteral
        | K::OpenHeredoc
        | K::CloseHeredoc => Some("32"),
        K::TemplateInterpolation | K::TemplateControl | K::TemplateSequenceEnd => Some("35"),
        K::Number => Some("36"),
        K::Comment => Some("2"),
        K::Invalid | K::BadUtf8 => Some("31"),
        K::Identifier if matches!(text, "true" | "false" | "null") => Some("36"),
        K::Identifier if matches!(text, "for" | "in" | "if" | "else" | "endif" | "endfor") => Some("35"),
        K::Identifier if next.is_some_and(|next| next.kind == K::OpenParen) => Some("34"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::highlighted;

    #[test]
    fn only_colors_are_added() {
        for input in ["upper(\"a${b}\") + 1 # c", "[for x in null : x]", "é \u{1f600} \"", "<<E\nx", ""] {
            let mut plain = String::new();
            let mut rest = highlighted(input);
            while let Some(start) = rest.find("\x1b[") {
                plain.push_str(&rest[..start]);
                let end = rest[start..].find('m').map_or(rest.len(), |end| start + end + 1);
                rest = rest[end..].to_owned();
            }
            assert_eq!(plain + &rest, input);
        }
        assert_eq!(highlighted("f(1)"), "\x1b[34mf\x1b[0m(\x1b[36m1\x1b[0m)");
    }
}
