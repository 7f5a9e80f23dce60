//! Diagnostics: what is wrong with an input, as data.
//!
//! A [`Diagnostic`] is self-contained: ranges are resolved when it is made and the source is held for
//! snippets. Summaries are those of the reference implementation, because tools match on them; details
//! are our own. The library never sorts or deduplicates a list: its order is the order of detection.

mod error;
#[cfg(feature = "explain")]
pub mod explain;
pub mod json;
#[cfg(feature = "miette")]
pub mod miette;
pub mod render;
pub mod sarif;
pub mod suggest;

use std::borrow::Cow;
use std::fmt::{self, Write as _};

pub use error::{Error, IntoResult};

use crate::source::{Range, Source, Span};

/// The severity of a diagnostic.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, Severity};
///
/// let unused = Diagnostic::warning("app.unused", "Unused service", "Nothing refers to the service.");
/// assert!(unused.severity < Severity::Error);
/// assert_eq!(unused.severity.as_str(), "warning");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; the result stands.
    Warning,
    /// The result is not usable, or only in part.
    Error,
}

impl Severity {
    /// `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A value that takes part in the expression a diagnostic is about, as a short text.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, NamedValue};
///
/// let mut problem = Diagnostic::error("app.port", "Invalid port", "A port is a number.");
/// problem.values.push(NamedValue { expression: "var.port".to_owned(), description: "is \"http\"".to_owned() });
/// assert_eq!(problem.values.len(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedValue {
    /// The expression as written, for example `var.port`.
    pub expression: String,
    /// The value in words, for example `is "http"` or `is a number, known only after apply`.
    pub description: String,
}

/// An error or a warning about an input, with its place.
///
/// ```
/// use hcl_syntax::diagnostic::Diagnostic;
/// use hcl_syntax::parser::File;
///
/// // A program that reads a configuration complains about it as the library does.
/// let file = File::parse("main.hcl", "port = 99999\n")?;
/// let port = file.body().attribute("port").unwrap().expression();
/// let problem = Diagnostic::error("app.port", "Invalid port", "A port is at most 65535.").at(file.source(), port.span());
/// assert_eq!(problem.to_string(), "main.hcl:1,8-13: Invalid port; A port is at most 65535.");
/// assert_eq!(problem.subject_text(), "99999");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code, for example `eval.unknown_variable`; `hcl explain-error` knows each of the library's. A host has
    /// codes of its own.
    pub code: Cow<'static, str>,
    /// The kind of problem in two to six words.
    pub summary: Cow<'static, str>,
    /// Full sentences: what was found, what was expected, what to do.
    pub detail: String,
    /// The tight place of the problem.
    pub subject: Option<Range>,
    /// A wider place that contains the subject.
    pub context: Option<Range>,
    /// Values of the names involved.
    pub values: Vec<NamedValue>,
    /// The source the ranges are in, for snippets.
    pub source: Option<Source>,
    /// The cause outside of the input: of complaints about decoding, the place in the specification.
    pub origin: Option<Box<Origin>>,
    /// Additions of a host for the programs that read its diagnostics: distinct keys with values. JSON and SARIF have them.
    pub extra: Vec<(String, String)>,
    /// True if a callback of the host failed with it. Its code is then the host's affair, whatever it says: `limit.steps` of a
    /// host ends nothing.
    pub is_of_host: bool,
}

/// A place outside of the input that a diagnostic has to do with.
///
/// ```
/// use hcl_syntax::diagnostic::Diagnostic;
/// use hcl_syntax::source::Source;
///
/// let rules = Source::new("rules.hcl", "max = 10\n")?;
/// let problem = Diagnostic::error("app.max", "Too many", "At most 10.").because_of(&rules, rules.span());
/// assert_eq!(problem.origin.unwrap().range.start.line, 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The place.
    pub range: Range,
    /// The source that it is in.
    pub source: Source,
}

/// How many bytes a detail has at most, what stands for the rest of it included.
pub const MAX_DETAIL: usize = 4096;

/// A detail of which no more is made than [`MAX_DETAIL`], however long the texts are that it quotes.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, MAX_DETAIL, detail};
///
/// let name = "x".repeat(1_000_000);
/// let cut = detail(format_args!("There is no type named \"{name}\"."));
/// assert!(cut.capacity() <= 2 * MAX_DETAIL);
/// assert_eq!(cut, Diagnostic::error("a.b", "No type", format!("There is no type named \"{name}\".")).detail);
/// ```
pub fn detail(text: fmt::Arguments<'_>) -> String {
    let mut beginning = Beginning { kept: String::new(), len: 0 };
    // It takes whatever is written.
    let _ = beginning.write_fmt(text);
    let Beginning { kept, len } = beginning;
    cut(kept, len)
}

/// The beginning of a text, of which as much is kept as a detail has.
struct Beginning {
    kept: String,
    len: usize,
}

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_DETAIL.saturating_sub(self.len);
        self.kept.push_str(&text[..text.floor_char_boundary(room)]);
        self.len += text.len();
        Ok(())
    }
}

/// A detail of which there is no more than [`MAX_DETAIL`].
fn bounded(detail: String) -> String {
    let len = detail.len();
    cut(detail, len)
}

/// The beginning of a detail of so many bytes, of which there are these.
fn cut(mut detail: String, len: usize) -> String {
    if len > MAX_DETAIL {
        let kept = detail.floor_char_boundary(MAX_DETAIL - 40);
        let more = format!("… and {} more bytes", len - kept);
        detail.truncate(kept);
        detail.push_str(&more);
        detail.shrink_to_fit();
    }
    detail
}

impl Diagnostic {
    /// An error without a place. Of a very long detail the beginning is kept.
    pub fn error(
        code: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code: code.into(),
            summary: summary.into(),
            detail: bounded(detail.into()),
            subject: None,
            context: None,
            values: Vec::new(),
            source: None,
            origin: None,
            extra: Vec::new(),
            is_of_host: false,
        }
    }

    /// The error that stands behind the diagnostics of a list for those that are left out of it.
    ///
    /// ```
    /// use hcl_syntax::diagnostic::Diagnostic;
    ///
    /// assert!(Diagnostic::left_out(3).detail.starts_with("3 further problems"));
    /// ```
    pub fn left_out(n: usize) -> Self {
        let detail =
            format!("{n} further problems were found. Correct those shown first, or raise the limit.");
        Self::error("limit.diagnostics", "Too many diagnostics", detail)
    }

    /// A warning without a place.
    pub fn warning(
        code: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, summary, detail) }
    }

    /// Returns the diagnostic with a value in `extra`, in place of what the key had before.
    #[must_use]
    pub fn noting(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.note(key.into(), value.into());
        self
    }

    /// Sets a value in `extra`.
    pub fn note(&mut self, key: String, value: String) {
        match self.extra.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => self.extra.push((key, value)),
        }
    }

    /// Places the subject at `span` of `source`.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span) -> Self {
        self.subject = Some(source.range(span));
        self.source = Some(source.shown().clone());
        self
    }

    /// Places the context at `span` of `source`; call it after [`Diagnostic::at`].
    #[must_use]
    pub fn within(mut self, source: &Source, span: Span) -> Self {
        self.context = Some(source.range(span));
        self
    }

    /// Returns the diagnostic with a cause outside of the input.
    #[must_use]
    pub fn because_of(mut self, source: &Source, span: Span) -> Self {
        self.origin = Some(Box::new(Origin { range: source.range(span), source: source.shown().clone() }));
        self
    }

    /// The subject as it is written in the source; empty without a place.
    pub fn subject_text(&self) -> &str {
        let (Some(subject), Some(source)) = (&self.subject, &self.source) else { return "" };
        source.slice(source.span_of(subject))
    }
}

/// `file:line,col: summary; detail`
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(subject) = &self.subject {
            write!(f, "{subject}: ")?;
        }
        write!(f, "{}; {}", self.summary, self.detail)
    }
}

/// Diagnostics in the order of detection.
pub type Diagnostics = Vec<Diagnostic>;

/// Sorts diagnostics by place: by the names of their files, then by where their subjects begin and end. Those without a
/// place come last. Those of one place stay in their order.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, sort_by_place};
/// use hcl_syntax::source::{Source, Span};
///
/// let source = Source::new("main.hcl", "a = 1\nb = 2\n")?;
/// let complaint = |span| Diagnostic::error("app.x", "Wrong", "No.").at(&source, span);
/// let mut found = vec![complaint(Span::new(6, 7)), complaint(Span::new(0, 1))];
/// sort_by_place(&mut found);
/// assert_eq!((found[0].subject_text(), found[1].subject_text()), ("a", "b"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn sort_by_place(diagnostics: &mut [Diagnostic]) {
    let place = |range: &Range| (range.start.byte, range.end.byte);
    diagnostics.sort_by(|a, b| match (&a.subject, &b.subject) {
        (Some(a), Some(b)) => a.filename.cmp(&b.filename).then_with(|| place(a).cmp(&place(b))),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
}

/// Shortens a list to at most `most` diagnostics: warnings go first, then errors, the last ones before those in front of them.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, cap, has_errors};
///
/// let mut found = vec![Diagnostic::warning("app.w", "Old", "Old."), Diagnostic::error("app.e", "Wrong", "No.")];
/// cap(&mut found, 1);
/// assert!(found.len() == 1 && has_errors(&found));
/// ```
pub fn cap(diagnostics: &mut Diagnostics, most: usize) {
    let mut surplus = diagnostics.len().saturating_sub(most);
    for severity in [Severity::Warning, Severity::Error] {
        let n_of_it = diagnostics.iter().filter(|said| said.severity == severity).count();
        let mut kept = n_of_it.saturating_sub(surplus);
        surplus -= n_of_it - kept;
        diagnostics.retain(|said| {
            let stays = said.severity != severity || kept > 0;
            kept -= usize::from(said.severity == severity && stays);
            stays
        });
    }
}

/// Returns true if any of the diagnostics is an error.
///
/// ```
/// use hcl_syntax::diagnostic::has_errors;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let (_, diagnostics) = parse_file(Source::new("main.hcl", "port = \n")?, &ParseLimits::default());
/// assert!(has_errors(&diagnostics));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_is_bounded() {
        for length in [0, MAX_DETAIL, MAX_DETAIL + 1, 1_000_000] {
            for filling in ["a", "é", "𝄞"] {
                let detail = filling.repeat(length / filling.len());
                let kept = Diagnostic::error("test", "Test", detail.clone()).detail;
                assert!(kept.len() <= MAX_DETAIL);
                assert_eq!(kept == detail, detail.len() <= MAX_DETAIL);
            }
        }
    }
}
