//! How complaints are shown.

use clap::{Args, ValueEnum};

/// How complaints are shown.
#[derive(Args, Clone, Debug)]
pub struct ReportingArguments {
    /// Colours in diagnostics
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// The form of diagnostics on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value_t = DiagnosticForm::Text)]
    pub diagnostics: DiagnosticForm,
}

/// When to use colours.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// On a terminal, or if `CLICOLOR_FORCE` is set, unless NO_COLOR is
    Auto,
    /// In any case
    Always,
    /// In no case
    Never,
}

/// The form of diagnostics.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum DiagnosticForm {
    /// Drawn for a reader, with the source lines
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}
