//! Arguments of `hcl template`.

use std::path::PathBuf;

use clap::Args;

use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl template`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl template --var 'port=8080' nginx.conf.tftpl
  hcl template --var-file prod.tfvars - < motd.tpl")]
pub struct TemplateArguments {
    /// The template, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Do it again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
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
