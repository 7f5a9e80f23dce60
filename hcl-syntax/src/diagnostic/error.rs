//! Diagnostics as one error of Rust, and results that are given beside diagnostics as `Result`.

use std::fmt;

use super::render::{RenderOptions, render_all};
use super::{Diagnostic, Diagnostics, Severity, has_errors};
use crate::source::SourceTooLarge;

/// An input is wrong: the diagnostics say how. Displayed as text for people, with the source lines; formatted with `{:#}`
/// as the first error in one line.
///
/// ```
/// use hcl_syntax::diagnostic::{Error, IntoResult};
/// use hcl_syntax::{parser, source::Source};
///
/// fn load(text: &str) -> Result<usize, Error> {
///     let file = parser::parse_file(Source::new("main.hcl", text)?, &Default::default()).into_result()?;
///     Ok(file.body().attributes().count())
/// }
///
/// assert_eq!(load("a = 1\n")?, 1);
/// let error = load("a = \n").unwrap_err();
/// assert!(error.to_string().contains("main.hcl:1:5"));
/// assert_eq!(error.diagnostics().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<[Diagnostic]>);

impl Error {
    /// The diagnostics, warnings included.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0
    }

    /// The diagnostics, warnings included.
    pub fn into_diagnostics(self) -> Diagnostics {
        self.0.into_vec()
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(Box::new([diagnostic]))
    }
}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Self {
        Self(diagnostics.into_boxed_slice())
    }
}

impl From<SourceTooLarge> for Diagnostic {
    fn from(error: SourceTooLarge) -> Self {
        Self::error("limit.source", "Source too large", error.to_string())
    }
}

impl From<SourceTooLarge> for Error {
    fn from(error: SourceTooLarge) -> Self {
        Diagnostic::from(error).into()
    }
}

impl From<Error> for Diagnostics {
    fn from(error: Error) -> Self {
        error.into_diagnostics()
    }
}

/// The diagnostics in their order.
impl IntoIterator for Error {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_diagnostics().into_iter()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            let first = self.0.iter().find(|said| said.severity == Severity::Error).or(self.0.first());
            return match first {
                Some(first) => first.fmt(f),
                None => f.write_str("no diagnostics"),
            };
        }
        let mut text = String::new();
        render_all(&self.0, &RenderOptions::default(), &mut text);
        f.write_str(text.trim_end_matches('\n'))
    }
}

/// Shown as people read it, because `main` shows the error that it returns in this form.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// A result beside diagnostics, as a `Result`.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let file = File::parse("main.hcl", "prt = 80\n")?;
/// let error = ConfigBody::from(&file).content(&BodySchema::default().attribute("port")).into_result().unwrap_err();
/// assert_eq!(error.diagnostics()[0].summary, "Unsupported argument");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub trait IntoResult {
    /// The result if nothing is wrong.
    type Good;

    /// An error if any diagnostic is one. Warnings alone are no error.
    ///
    /// # Errors
    /// The diagnostics, warnings included.
    fn into_result(self) -> Result<Self::Good, Error>;
}

/// The good result is the warnings.
impl IntoResult for Diagnostics {
    type Good = Diagnostics;

    fn into_result(self) -> Result<Self::Good, Error> {
        if has_errors(&self) { Err(self.into()) } else { Ok(self) }
    }
}

/// The good result is the product of a stage; its warnings are dropped.
impl<T> IntoResult for (T, Diagnostics) {
    type Good = T;

    fn into_result(self) -> Result<T, Error> {
        let (product, diagnostics) = self;
        diagnostics.into_result().map(|_| product)
    }
}

const _: () = {
    const fn is_sent_between_threads<T: std::error::Error + Send + Sync>() {}
    is_sent_between_threads::<Error>();
};

#[cfg(test)]
mod tests {
    use super::{Error, IntoResult};
    use crate::diagnostic::Diagnostic;
    use crate::source::{Source, Span};

    #[test]
    fn an_error_shows_the_lines_and_in_short_the_first_error() {
        let source = Source::new("g.hcl", "port = 70000\n").unwrap();
        let warning = Diagnostic::warning("host.old", "Old", "Outdated.");
        let wrong =
            Diagnostic::error("host.port", "Port out of range", "Below 65536.").at(&source, Span::new(7, 12));
        assert_eq!(vec![warning.clone()].into_result().unwrap().len(), 1);
        assert_eq!((3, vec![warning.clone()]).into_result().unwrap(), 3);
        let error = vec![warning, wrong].into_result().unwrap_err();
        assert_eq!(format!("{error:#}"), "g.hcl:1,8-13: Port out of range; Below 65536.");
        let text = error.to_string();
        assert!(
            text.contains("1 │ port = 70000\n") && text.contains("^^^^^") && text.ends_with('.'),
            "{text}"
        );
        assert_eq!(format!("{error:?}"), text);
        assert_eq!(error.into_diagnostics().len(), 2);
        assert_eq!(format!("{:#}", Error::from(Vec::new())), "no diagnostics");
    }
}
