//! Diagnostics as reports of the crate `miette`, for programs that show all their errors through it.
//!
//! ```
//! use hcl_syntax::diagnostic::{Error, IntoResult};
//! use hcl_syntax::{parser, source::Source};
//!
//! fn load(text: &str) -> miette::Result<usize> {
//!     let source = Source::new("main.hcl", text).map_err(Error::from)?;
//!     let file = parser::parse_file(source, &Default::default()).into_result()?;
//!     Ok(file.body().attributes().count())
//! }
//!
//! let report = load("a = \n").unwrap_err();
//! assert_eq!(report.code().unwrap().to_string(), "parse.expression_invalid");
//! let label = report.labels().unwrap().next().unwrap();
//! assert_eq!((label.offset(), label.len()), (4, 1));
//! ```

use std::fmt;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::{Diagnostic, Error, Severity};
use crate::source::Source;

/// A report about the first error; the other diagnostics are related to it.
impl From<Error> for miette::Report {
    fn from(error: Error) -> Self {
        let mut reports: Vec<Report> = error.into_iter().map(Report::new).collect();
        let first = reports.iter().position(|report| report.diagnostic.severity == Severity::Error);
        if reports.is_empty() {
            return Self::msg("no diagnostics");
        }
        let mut report = reports.remove(first.unwrap_or(0));
        report.related = reports;
        Self::new(report)
    }
}

/// A diagnostic in the form that miette asks for.
#[derive(Debug)]
struct Report {
    diagnostic: Diagnostic,
    file: Option<File>,
    related: Vec<Report>,
}

impl Report {
    fn new(diagnostic: Diagnostic) -> Self {
        let file = diagnostic.source.clone().map(|source| {
            let name = diagnostic.subject.as_ref().map_or("", |subject| &*subject.filename).to_owned();
            File { name, source }
        });
        Self { diagnostic, file, related: Vec::new() }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.summary)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(&self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        let values = self.diagnostic.values.iter();
        let values = values.map(|value| format!("\n{} {}", value.expression, value.description));
        let help = format!("{}{}", self.diagnostic.detail, values.collect::<String>());
        (!help.is_empty()).then(|| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.file.as_ref().map(|file| file as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (subject, file) = (self.diagnostic.subject.as_ref()?, self.file.as_ref()?);
        let span = file.source.span_of(subject);
        let label = LabeledSpan::new(None, span.start as usize, (span.end - span.start) as usize);
        Some(Box::new(std::iter::once(label)))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        let related = self.related.iter().map(|report| report as &dyn miette::Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<_>)
    }
}

/// A source with the name that diagnostics call it by.
#[derive(Debug)]
struct File {
    name: String,
    source: Source,
}

impl SourceCode for File {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.source.text().read_span(span, lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
