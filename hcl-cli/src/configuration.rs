//! Configuration files of either syntax.

use std::sync::Arc;

use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::{Source, SourceTooLarge};

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
    native: Option<File>,
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
                (Self { body: ConfigBody::from(&file), source, native: Some(file) }, diagnostics)
            }
            Syntax::Json => {
                let source = Arc::new(Source::json(name, bytes)?);
                let (file, diagnostics) = parse_json(Arc::clone(&source), limits);
                (Self { body: ConfigBody::from(&file), source, native: None }, diagnostics)
            }
        })
    }

    /// The block at the top of the file that a place lies in, by its type and labels.
    pub fn block_at(&self, byte: u64) -> Option<String> {
        let mut blocks = self.native.as_ref()?.body().blocks();
        let around = blocks.find(|block| {
            let span = block.span();
            (u64::from(span.start)..u64::from(span.end)).contains(&byte)
        })?;
        let mut text = around.block_type().to_owned();
        for label in around.labels() {
            text.push_str(&format!(" \"{}\"", label.text()));
        }
        Some(text)
    }
}
