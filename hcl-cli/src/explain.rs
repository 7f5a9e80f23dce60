//! `--explain`: how a value came about, drawn for a terminal.

use std::io::{self, IsTerminal};

use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::explain::{ExplainOptions, TextOptions, explain as explained};
use hcl_syntax::ast::Expression;

use crate::args::ColorChoice;
use crate::output::use_color_on;

/// How standard output is drawn to. Shells tell the width in `COLUMNS` if they export it.
pub fn text_options(color: ColorChoice) -> TextOptions {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    TextOptions {
        color: use_color_on(color, io::stdout().is_terminal()),
        width: columns.unwrap_or(TextOptions::default().width),
    }
}

/// The tree of `expression`, without the last newline.
pub fn explain(expression: Expression<'_>, scope: &Scope, options: &EvalOptions<'_>) -> String {
    let (_, _, explanation) = explained(expression, Some(scope), options, &ExplainOptions::default());
    let mut text = explanation.to_text(&text_options(ColorChoice::Auto));
    text.truncate(text.trim_end().len());
    text
}
