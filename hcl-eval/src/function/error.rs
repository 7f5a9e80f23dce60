//! Why a call gave no value.

use std::fmt;
use std::ops::{Deref, DerefMut};

use hcl_syntax::diagnostic::Diagnostics;

use crate::host::{Capability, HostError};
use crate::limits::LimitReached;
use crate::value::{Path, ValueError, ValueErrorKind};

/// The reason that a call gave no value. The evaluator turns it into a diagnostic with a place.
///
/// It is a pointer to a [`Failure`], whose fields it has, so that results stay small.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::function::{Function, FunctionError, Parameter};
/// use hcl_eval::{Type, Value};
///
/// let port = Function::new("port", "The port of a service.")
///     .parameter(Parameter::new("service", Type::String))
///     .implementation(|_, arguments| match arguments[0].as_str() {
///         Some("http") => Ok(Value::from(80)),
///         _ => Err(FunctionError::argument(0, "no service has this name")),
///     });
/// let scope = Scope::builder().function(port).build();
/// let error = evaluate_str("port(\"gopher\")", Some(&scope)).unwrap_err();
/// assert!(error.to_string().contains("no service has this name"));
/// ```
#[derive(Clone, Debug)]
pub struct FunctionError(Box<Failure>);

/// The fields of a [`FunctionError`].
#[derive(Clone, Debug)]
pub struct Failure {
    /// The argument at fault, from 0; `None` when it is the call as a whole.
    pub argument: Option<usize>,
    /// The problem, as a sentence without its first capital letter and full stop: it is shown after a colon.
    pub detail: String,
    /// The place inside the argument.
    pub path: Path,
    /// The limit that ended the call. Such an error ends the whole evaluation.
    pub limit: Option<LimitReached>,
    /// Diagnostics of a lazy function about its arguments, or of the host: reported in place of the rest.
    pub diagnostics: Diagnostics,
    /// True if the diagnostics are the host's: those without a place are about the call, or about the argument at fault.
    pub is_diagnosed: bool,
    /// The capability that the host does not allow.
    pub not_allowed: Option<Capability>,
    /// True if this is no failure: the host will know the answer later, so that the result is unknown.
    pub not_known_yet: bool,
}

impl FunctionError {
    /// An error of the call as a whole.
    pub fn new(detail: impl Into<String>) -> Self {
        Self(Box::new(Failure {
            argument: None,
            detail: detail.into(),
            path: Path::default(),
            limit: None,
            diagnostics: Diagnostics::new(),
            is_diagnosed: false,
            not_allowed: None,
            not_known_yet: false,
        }))
    }

    /// An error of one argument; `detail` is what follows `Invalid value for "name" parameter: `.
    pub fn argument(position: usize, detail: impl Into<String>) -> Self {
        let mut error = Self::new(detail);
        error.argument = Some(position);
        error
    }

    /// Places the problem inside the argument.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// An error that has its diagnostics already, such as those of an argument that a lazy function evaluated.
    pub fn reported(diagnostics: Diagnostics) -> Self {
        let mut error = Self::new("an argument has errors");
        error.diagnostics = diagnostics;
        error
    }

    /// An error that the host has its own words for, about one argument or the call as a whole. Diagnostics without a place are
    /// about that; others may be in any source, and if all are elsewhere a diagnostic at the call follows them.
    pub fn diagnosed(argument: Option<usize>, diagnostics: Diagnostics) -> Self {
        let mut error = Self::new("the host's function failed");
        error.argument = argument;
        // Warnings alone do not tell that the call failed.
        error.is_diagnosed = hcl_syntax::diagnostic::has_errors(&diagnostics);
        error.diagnostics = if error.is_diagnosed { diagnostics } else { Diagnostics::new() };
        error
    }

    /// An error of value code about one argument.
    pub fn from_value(position: usize, error: &ValueError) -> Self {
        match error.kind {
            ValueErrorKind::Limit(limit) => limit.into(),
            _ => Self::argument(position, error.detail()).at_path(error.path.clone()),
        }
    }
}

impl From<HostError> for FunctionError {
    fn from(error: HostError) -> Self {
        let (not_allowed, reason) = match &error {
            HostError::NotAllowed(capability) => (*capability, "it needs access to"),
            HostError::Outside => (Capability::Files, "it needs access to other"),
            HostError::Stopped(stopped) => return LimitReached::from(*stopped).into(),
            HostError::Diagnosed(said) => return Self::diagnosed(None, said.clone()),
            _ => {
                let mut failed = Self::new(error.to_string());
                failed.not_known_yet = error == HostError::NotKnownYet;
                return failed;
            }
        };
        let cure = match not_allowed {
            Capability::Files => "if the host grants it; the command does with --allow fs=DIR".to_owned(),
            // The command has no client, so that --allow would not help.
            Capability::Network => "in programs that provide it".to_owned(),
            other => format!("if the host grants it; the command does with --allow {}", other.as_str()),
        };
        let detail =
            format!("{reason} {}, which is not allowed here. It works {cure}", not_allowed.description());
        let mut error = Self::new(detail);
        error.not_allowed = Some(not_allowed);
        error
    }
}

impl Deref for FunctionError {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl DerefMut for FunctionError {
    fn deref_mut(&mut self) -> &mut Failure {
        &mut self.0
    }
}

impl From<LimitReached> for FunctionError {
    fn from(limit: LimitReached) -> Self {
        let mut error = Self::new("a limit of the evaluation was reached");
        error.limit = Some(limit);
        error
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for FunctionError {}
