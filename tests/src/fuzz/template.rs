//! Templates: prepared or once, the text is one; what is no sequence stays as it is.

use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::parser::{ParseLimits, parse_template};
use hcl_syntax::source::{Grammar, Pos, Source};

use super::choices::Input;
use super::evaluate::{LIBRARIES, evaluated_both_ways};
use super::expression::Writer;

/// The property.
pub(super) fn run(bytes: &[u8]) {
    let library = &LIBRARIES[0];
    let text = match Input::new(bytes) {
        Input::Text(text) => text.to_vec(),
        Input::Choices(mut choices) => {
            let mut writer = Writer::new(&mut choices, &library.functions);
            writer.parts(true);
            writer.out.into_bytes()
        }
    };
    let Ok(source) = Source::with_grammar("input", text, Grammar::Template, Pos::START) else { return };
    let (parsed, diagnostics) = parse_template(source.clone(), &ParseLimits::default());
    evaluated_both_ways(&parsed, &library.scope);
    // A byte order mark is no part of the text.
    let text = source.text().strip_prefix('\u{feff}').unwrap_or(source.text());
    if !text.contains("${") && !text.contains("%{") && !has_errors(&diagnostics) {
        let (value, problems) = evaluate(parsed.expression(), Some(&library.scope), &EvalOptions::default());
        assert_eq!(value.as_str(), Some(normal(text)).as_deref(), "{text:?}: {problems:?}");
    }
}

/// The text as values have it: in the normal form NFC.
fn normal(text: &str) -> String {
    hcl_eval::Value::string(text).as_str().unwrap_or_default().to_owned()
}
