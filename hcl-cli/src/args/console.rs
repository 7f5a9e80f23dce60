//! Arguments of `hcl console`.

use clap::Args;

use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl console`.
#[derive(Args, Debug)]
#[command(
    after_help = "At the prompt, :help tells more. From a pipe, one expression after the other is answered."
)]
pub struct ConsoleArguments {
    /// Names in scope.
    #[command(flatten)]
    pub scope: ScopeArguments,
    /// Bounds.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
