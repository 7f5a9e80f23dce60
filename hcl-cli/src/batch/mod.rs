//! Batch mode: one JSON request a line in, one JSON answer a line out, in order, in one process.
//!
//! A line that can't be read is answered with an error diagnostic and the batch goes on. Answers are
//! flushed when no further request is waiting, so that a program may also ask one question at a time.
//! The functions that answer a single request are public: [`eval::answer`], [`check::answer`],
//! [`fmt::answer`] and [`vars::answer`] take the text of a line and give the text of a line.

pub mod check;
pub mod eval;
pub mod fmt;
pub mod vars;

use std::io::{self, BufRead, BufReader, Write};

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::answer::{Json, diagnostics_json, to_json};
use crate::output::{Failure, Outcome};

/// Answers every line of standard input.
///
/// # Errors
/// Standard input or output fails.
pub fn run(mut answer: impl FnMut(&str) -> String) -> Result<Outcome, Failure> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let answer = match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(answer(text)),
            Err(_) => Some(refuse(None, &invalid("This line is not valid UTF-8."))),
        };
        if let Some(answer) = answer {
            output.write_all(answer.as_bytes())?;
            output.write_all(b"\n")?;
        }
        line.clear();
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(Outcome::Success)
}

/// An answer that is only a complaint.
#[derive(Serialize)]
struct Refusal {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    ok: bool,
    diagnostics: Json,
}

/// The answer to a request that can't be worked on.
fn refuse(id: Option<Json>, diagnostics: &[Diagnostic]) -> String {
    to_json(&Refusal { id, ok: false, diagnostics: diagnostics_json(diagnostics) })
}

/// Reports a problem with a request.
fn invalid(detail: impl Into<String>) -> Diagnostics {
    vec![Diagnostic::error("batch.request", "Invalid request", detail)]
}

/// The members that every request may carry, read alone when the rest makes no sense.
#[derive(Deserialize)]
struct Identified {
    id: Option<Json>,
}

/// Reads a request, or makes the answer that says why it can't be read.
fn read<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let id = serde_json::from_str::<Identified>(line).ok().and_then(|identified| identified.id);
        refuse(id, &invalid(format!("This line is not a request that can be answered: {error}.")))
    })
}
