//! Cases of decoding: a `spec`, a `config` (or `config.json`), and in `decoded` what comes out.
//!
//! Dynamic blocks are expanded, and everything is evaluated in the case's scope. An object is shown with a
//! line for each attribute; complaints follow, a line for each.

use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::decode::{SpecFile, decode};
use hcl_eval::dynamic::{Body, Expansion};
use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::value::Kind;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::document::Fence;
use crate::notation::notation;

/// The inputs of a case that decodes.
#[derive(Clone, Debug, Default)]
pub struct Decoding {
    spec: String,
    config: String,
    is_json: bool,
}

impl Decoding {
    /// Decoding of a body by a specification.
    pub fn new(spec: String, config: String, is_json: bool) -> Self {
        Self { spec, config, is_json }
    }

    /// Takes an input of the case; whether it is one.
    pub fn take(&mut self, fence: &Fence) -> bool {
        match fence.word.as_str() {
            "spec" => self.spec.clone_from(&fence.text),
            "config" | "config.json" => {
                self.config.clone_from(&fence.text);
                self.is_json = fence.word == "config.json";
            }
            _ => return false,
        }
        true
    }

    /// The text that a `decoded` fence ought to have.
    ///
    /// # Errors
    /// An input is too long.
    pub fn expectation(&self, scope: &Arc<Scope>) -> Result<String, String> {
        let (value, diagnostics) = self.outcome(scope)?;
        let value = value.filter(|_| !has_errors(&diagnostics));
        Ok(value.as_ref().map(shown).unwrap_or_default() + &complaints(&diagnostics))
    }

    /// The value, if it came to decoding, and what is wrong.
    ///
    /// # Errors
    /// An input is too long.
    pub fn outcome(&self, scope: &Arc<Scope>) -> Result<(Option<Value>, Diagnostics), String> {
        let (spec, mut diagnostics) = parsed("main.hcldec", &self.spec, false)?;
        let (spec, more) = SpecFile::read(&spec, &EvalOptions::default());
        diagnostics.extend(more);
        let (body, more) = parsed("main.hcl", &self.config, self.is_json)?;
        diagnostics.extend(more);
        if has_errors(&diagnostics) {
            return Ok((None, diagnostics));
        }
        let body = Body::expanding(body, Arc::new(Expansion::new(Some(Arc::clone(scope)))));
        let (value, more) = decode(&body, &spec.root, Some(scope), &EvalOptions::default());
        diagnostics.extend(more);
        Ok((Some(value), diagnostics))
    }
}

fn parsed(name: &str, text: &str, is_json: bool) -> Result<(ConfigBody, Diagnostics), String> {
    let limits = ParseLimits::default();
    let source = if is_json { Source::json(name, text) } else { Source::new(name, text) };
    let source = source.map_err(|error| error.to_string())?;
    Ok(if is_json {
        let (file, diagnostics) = parse_json(source, &limits);
        (ConfigBody::from(&file), diagnostics)
    } else {
        let (file, diagnostics) = parse_file(source, &limits);
        (ConfigBody::from(&file), diagnostics)
    })
}

fn shown(value: &Value) -> String {
    match value.entries() {
        Some(entries) if value.kind() == Kind::Object && !value.is_marked() => {
            entries.map(|(name, value)| format!("{name} = {}\n", notation(value))).collect()
        }
        _ => format!("{}\n", notation(value)),
    }
}

fn complaints(diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let place = diagnostic.subject.as_ref().map(|range| format!(" {range}")).unwrap_or_default();
        let severity = diagnostic.severity.as_str();
        let values = diagnostic.values.iter();
        let values: String =
            values.map(|value| format!("  {} {}\n", value.expression, value.description)).collect();
        format!("{severity}{place}: {}\n  {}\n{values}", diagnostic.summary, diagnostic.detail)
    };
    diagnostics.iter().map(line).collect()
}
