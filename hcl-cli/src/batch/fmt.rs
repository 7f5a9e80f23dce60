//! `hcl fmt --jsonl`: the canonical form of a source.

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::format::FormatStyle;
use serde::{Deserialize, Serialize};

use super::{invalid, read, refuse};
use crate::answer::{Json, to_json};
use crate::fmt::{LastLine, formatted};

/// A source to be formatted.
#[derive(Deserialize)]
#[serde(expecting = "an object with the key \"source\", and with \"id\" or \"style\" at need")]
struct Request {
    source: Option<String>,
    id: Option<Json>,
    #[serde(default)]
    style: Style,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Style {
    #[default]
    Hcl,
    Terraform,
}

/// The answer to a request; one that can't be formatted is refused with diagnostics.
#[derive(Serialize)]
struct Answer<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    formatted: &'t str,
}

/// Answers one request.
pub fn answer(line: &str) -> String {
    let request: Request = match read(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    match formatted_text(&request) {
        Ok(text) => to_json(&Answer { id: request.id, formatted: &text }),
        Err(diagnostics) => refuse(request.id, &diagnostics),
    }
}

/// The canonical form of the source. The error is that of the request, or of the syntax.
fn formatted_text(request: &Request) -> Result<String, Diagnostics> {
    let source = request.source.as_deref().ok_or_else(|| invalid("The request has no \"source\"."))?;
    let style = match request.style {
        Style::Hcl => FormatStyle::Hcl,
        Style::Terraform => FormatStyle::Terraform,
    };
    let text = formatted("main.hcl", source.as_bytes(), style, LastLine::Ended)?;
    // Only blanks and ASCII were put into a text that was UTF-8.
    Ok(String::from_utf8_lossy(&text).into_owned())
}
