//! Configuration files of either syntax.

use std::sync::OnceLock;

use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::{JsonFile, parse_json};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::{Source, SourceTooLarge};

use crate::containers::Containers;
use crate::output::STANDARD_INPUT;

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

    /// The syntax of a text that was read. The name of standard input says nothing: a text of native syntax begins with
    /// neither a brace nor a bracket, and one of JSON syntax with nothing else.
    pub fn of_input(name: &str, text: &[u8]) -> Self {
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        match first {
            Some(b'{' | b'[') if name == STANDARD_INPUT => Self::Json,
            _ => Self::of(name),
        }
    }
}

/// A file that has been read.
#[derive(Debug)]
pub struct Configuration {
    /// The content of the file, as far as it was understood.
    pub body: ConfigBody,
    /// Its text.
    pub source: Source,
    parsed: Parsed,
    /// Made when it is first asked for: only messages need it, but there may be many of them.
    containers: OnceLock<Containers>,
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
                let source = Source::new(name, bytes)?;
                let (file, diagnostics) = parse_file(source.clone(), limits);
                (
                    Self {
                        body: ConfigBody::from(&file),
                        source,
                        parsed: Parsed::Native(file),
                        containers: OnceLock::new(),
                    },
                    diagnostics,
                )
            }
            Syntax::Json => {
                let source = Source::json(name, bytes)?;
                let (file, diagnostics) = parse_json(source.clone(), limits);
                (
                    Self {
                        body: ConfigBody::from(&file),
                        source,
                        parsed: Parsed::Json(file),
                        containers: OnceLock::new(),
                    },
                    diagnostics,
                )
            }
        })
    }

    /// Names the surroundings of a place, for a message: in native syntax the block at the top of the file, by its
    /// type and labels; in JSON syntax the innermost object or array, by the way to it.
    pub fn surroundings_at(&self, byte: u64) -> Option<String> {
        let containers = self.containers.get_or_init(|| match &self.parsed {
            Parsed::Native(file) => Containers::of_blocks(file),
            Parsed::Json(file) => Containers::of_json(file),
        });
        containers.path_at(byte)
    }
}
