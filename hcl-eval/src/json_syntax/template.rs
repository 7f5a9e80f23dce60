//! Text of templates of JSON syntax.

use std::fmt::Write as _;

use hcl_syntax::json::template::Next;

/// Text at the end of a template.
pub(crate) fn write_text(text: &str, template: &mut String) {
    let has_sequence = text.contains("${") || text.contains("%{");
    let rest = if has_sequence { write_returns(text, template) } else { text };
    write_doubled(rest, template);
}

/// Text of a template.
pub(super) fn write_part(text: &str, next: Next, template: &mut String) {
    match next {
        Next::End => write_text(text, template),
        Next::Sequence => {
            let rest = write_returns(text, template);
            write_line_before_sequence(rest, template);
        }
    }
}

/// Writes text up to its last carriage return without a line feed, and returns the rest. To the reader such a return makes
/// text of all sequences behind it, so each becomes an interpolation.
fn write_returns<'t>(text: &'t str, template: &mut String) -> &'t str {
    let lone_return = |rest: &str| {
        let mut returns = rest.match_indices('\r').map(|(at, _)| at);
        returns.find(|at| !rest[at + 1..].starts_with('\n'))
    };
    let mut rest = text;
    while let Some(at) = lone_return(rest) {
        write_line_before_sequence(&rest[..at], template);
        template.push_str("${\"\\r\"}");
        rest = &rest[at + 1..];
    }
    rest
}

/// Text before a sequence, of which the characters right before it would make an escape.
fn write_line_before_sequence(text: &str, template: &mut String) {
    let plain = text.trim_end_matches(['$', '%']);
    write_doubled(plain, template);
    if plain.len() < text.len() {
        let _ = write!(template, "${{\"{}\"}}", &text[plain.len()..]);
    }
}

/// Text with what begins sequences doubled. At the beginning a byte order mark would be overlooked.
fn write_doubled(text: &str, template: &mut String) {
    if template.is_empty() && text.starts_with('\u{feff}') {
        template.push_str("${\"\"}");
    }
    let mut written = 0;
    for (brace, _) in text.match_indices('{') {
        if let Some(sign @ (b'$' | b'%')) = text.as_bytes()[written..brace].last() {
            template.push_str(&text[written..brace]);
            template.push(char::from(*sign));
            written = brace;
        }
    }
    template.push_str(&text[written..]);
}
