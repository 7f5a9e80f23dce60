//! Configuration files of either syntax.

use std::sync::Arc;

use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::{JsonFile, JsonKind, JsonValue, parse_json};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::{Source, SourceTooLarge, Span};

/// In which syntax a file is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// HCL's own.
    Native,
    /// JSON.
    Json,
}

impl Syntax {
    /// The syntax that a file's name speaks for.
    pub fn of(name: &str) -> Self {
        if name.ends_with(".json") { Self::Json } else { Self::Native }
    }
}

/// A file that has been read.
#[derive(Debug)]
pub struct Configuration {
    /// What is in it, as far as it was understood.
    pub body: ConfigBody,
    /// Its text.
    pub source: Arc<Source>,
    parsed: Parsed,
}

#[derive(Debug)]
enum Parsed {
    Native(File),
    Json(JsonFile),
}

impl Configuration {
    /// Reads a file.
    ///
    /// # Errors
    /// The text is longer than any text may be.
    pub fn parse(name: &str, bytes: Vec<u8>, syntax: Syntax) -> Result<(Self, Diagnostics), SourceTooLarge> {
        Self::parse_with(name, bytes, syntax, &ParseLimits::default())
    }

    /// Reads a file within limits.
    ///
    /// # Errors
    /// The text is longer than any text may be.
    pub fn parse_with(
        name: &str,
        bytes: Vec<u8>,
        syntax: Syntax,
        limits: &ParseLimits,
    ) -> Result<(Self, Diagnostics), SourceTooLarge> {
        Ok(match syntax {
            Syntax::Native => {
                let source = Arc::new(Source::new(name, bytes)?);
                let (file, diagnostics) = parse_file(Arc::clone(&source), limits);
                (Self { body: ConfigBody::from(&file), source, parsed: Parsed::Native(file) }, diagnostics)
            }
            Syntax::Json => {
                let source = Arc::new(Source::json(name, bytes)?);
                let (file, diagnostics) = parse_json(Arc::clone(&source), limits);
                (Self { body: ConfigBody::from(&file), source, parsed: Parsed::Json(file) }, diagnostics)
            }
        })
    }

    /// What a place lies in, for a message: in native syntax the block at the top of the file, by its type and
    /// labels; in JSON syntax the innermost object or array, by the way to it.
    pub fn surroundings_at(&self, byte: u64) -> Option<String> {
        match &self.parsed {
            Parsed::Native(file) => block_at(file, byte),
            Parsed::Json(file) => container_at(file, byte),
        }
    }
}

fn holds(span: Span, byte: u64) -> bool {
    (u64::from(span.start)..u64::from(span.end)).contains(&byte)
}

fn block_at(file: &File, byte: u64) -> Option<String> {
    let around = file.body().blocks().find(|block| holds(block.span(), byte))?;
    let mut text = around.block_type().to_owned();
    for label in around.labels() {
        text.push_str(&format!(" \"{}\"", label.text()));
    }
    Some(text)
}

fn container_at(file: &JsonFile, byte: u64) -> Option<String> {
    let is_around = |value: &JsonValue<'_>| {
        matches!(value.kind(), JsonKind::Object | JsonKind::Array) && holds(value.span(), byte)
    };
    let mut at = file.root();
    let mut path = String::new();
    loop {
        let next = match at.kind() {
            JsonKind::Object => {
                let property = at.properties().find(|property| is_around(&property.value()));
                property.map(|property| (format!(".{}", property.name()), property.value()))
            }
            JsonKind::Array => {
                let element = at.elements().enumerate().find(|(_, element)| is_around(element));
                element.map(|(position, element)| (format!("[{position}]"), element))
            }
            _ => None,
        };
        let Some((step, inner)) = next else { break };
        path.push_str(&step);
        at = inner;
    }
    let path = path.strip_prefix('.').unwrap_or(&path);
    (!path.is_empty()).then(|| path.to_owned())
}
