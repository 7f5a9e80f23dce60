//! The place of a construct, kept until a complaint needs it.
//!
//! A place is a span and the source that it is in. It becomes lines and columns only when a complaint is made.

use std::borrow::Cow;

use hcl_syntax::config::{ConfigExpression, ContentAttribute, ContentBlock, ContentLabel};
use hcl_syntax::diagnostic::{Diagnostic, Severity};
use hcl_syntax::source::{Range, Source, Span};

/// A place in a text.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    source: Source,
    span: Span,
}

impl Place {
    pub(crate) fn new(source: &Source, span: Span) -> Self {
        Self { source: source.clone(), span }
    }

    /// The source, and the part of it, for diagnostics that are made elsewhere.
    pub(crate) fn in_source(&self) -> (&Source, Span) {
        (&self.source, self.span)
    }

    /// The whole expression.
    pub(crate) fn of(expression: &ConfigExpression) -> Self {
        Self::new(expression.source(), expression.span())
    }

    /// The beginning of an expression, at which the products blame it as a whole.
    pub(crate) fn of_start(expression: &ConfigExpression) -> Self {
        Self::new(expression.source(), expression.start_span())
    }

    /// The header of a block.
    pub(crate) fn of_block(block: &ContentBlock) -> Self {
        Self::new(block.source(), block.definition_span())
    }

    /// One label of a block, with its quotes if it has them.
    pub(crate) fn of_label(block: &ContentBlock, label: ContentLabel<'_>) -> Self {
        Self::new(block.source(), label.span)
    }

    /// From the name to the end of the expression.
    pub(crate) fn of_attribute(attribute: &ContentAttribute) -> Self {
        Self::new(attribute.source(), attribute.span())
    }

    /// The name of an attribute alone.
    pub(crate) fn of_name(attribute: &ContentAttribute) -> Self {
        Self::new(attribute.source(), attribute.name_span())
    }

    /// Lines and columns.
    pub(crate) fn range(&self) -> Range {
        self.source.range(self.span)
    }

    /// An error at this place.
    pub(crate) fn error(
        &self,
        code: impl Into<Cow<'static, str>>,
        summary: impl Into<String>,
        detail: String,
    ) -> Diagnostic {
        Diagnostic::error(code, summary.into(), detail).at(&self.source, self.span)
    }

    /// An error at a place, if there is one: values of the command line have none.
    pub(crate) fn error_perhaps_at(
        place: Option<&Self>,
        code: &'static str,
        summary: impl Into<String>,
        detail: String,
    ) -> Diagnostic {
        match place {
            Some(place) => place.error(code, summary, detail),
            None => Diagnostic::error(code, summary.into(), detail),
        }
    }

    /// A warning at this place.
    pub(crate) fn warning(
        &self,
        code: &'static str,
        summary: impl Into<String>,
        detail: String,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..self.error(code, summary, detail) }
    }
}
