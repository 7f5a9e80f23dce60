//! Why a call gave no value.

use std::fmt;

use hcl_syntax::diagnostic::Diagnostics;

use crate::host::{Capability, HostError};
use crate::limits::LimitReached;
use crate::value::{Path, ValueError};

/// Why a call gave no value. The evaluator turns it into a diagnostic with a place.
#[derive(Clone, Debug)]
pub struct FunctionError {
    /// The argument at fault, from 0; `None` when it is the call as a whole.
    pub argument: Option<usize>,
    /// What is wrong, as a sentence without its first capital letter and full stop: it is shown after a colon.
    pub detail: String,
    /// The place inside the argument.
    pub path: Path,
    /// The limit that ended the call. Such an error ends the whole evaluation.
    pub limit: Option<LimitReached>,
    /// What a lazy function found wrong with its arguments: reported as it is, in place of the rest.
    pub diagnostics: Diagnostics,
    /// What the host does not allow.
    pub not_allowed: Option<Capability>,
    /// Whether this is no failure: the host will know the answer later, so that the result is unknown.
    pub not_known_yet: bool,
}

impl FunctionError {
    /// An error of the call as a whole.
    pub fn new(detail: impl Into<String>) -> Self {
        Self {
            argument: None,
            detail: detail.into(),
            path: Path::default(),
            limit: None,
            diagnostics: Diagnostics::new(),
            not_allowed: None,
            not_known_yet: false,
        }
    }

    /// An error of one argument; `detail` is what follows `Invalid value for "name" parameter: `.
    pub fn argument(position: usize, detail: impl Into<String>) -> Self {
        Self { argument: Some(position), ..Self::new(detail) }
    }

    /// The same at a place inside the argument.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// An error that has its diagnostics already, such as those of an argument that a lazy function evaluated.
    pub fn reported(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, ..Self::new("an argument has errors") }
    }

    /// An error of value code about one argument.
    pub fn from_value(position: usize, error: &ValueError) -> Self {
        Self { path: error.path.clone(), ..Self::argument(position, error.detail()) }
    }
}

impl From<HostError> for FunctionError {
    fn from(error: HostError) -> Self {
        let (not_allowed, reason) = match &error {
            HostError::NotAllowed(capability) => (*capability, "it needs access to"),
            HostError::Outside => (Capability::Files, "it needs access to other"),
            HostError::Stopped(stopped) => return LimitReached::from(*stopped).into(),
            _ => {
                return Self {
                    not_known_yet: error == HostError::NotKnownYet,
                    ..Self::new(error.to_string())
                };
            }
        };
        let detail = format!(
            "{reason} {}, which is not allowed here. It works if the host grants it; the command does with --allow {}",
            not_allowed.description(),
            match not_allowed {
                Capability::Files => "fs=DIR",
                other => other.as_str(),
            }
        );
        Self { not_allowed: Some(not_allowed), ..Self::new(detail) }
    }
}

impl From<LimitReached> for FunctionError {
    fn from(limit: LimitReached) -> Self {
        Self { limit: Some(limit), ..Self::new("a limit of the evaluation was reached") }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for FunctionError {}
