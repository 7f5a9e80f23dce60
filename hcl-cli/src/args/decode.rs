//! Arguments of `hcl decode`.

use std::path::PathBuf;

use clap::Args;

use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl decode`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl decode --spec service.hcldec service.hcl
  hcl decode --spec service.hcldec --dynamic --var 'ports=[80, 443]' service.hcl more.hcl.json
  hcl decode --spec service.hcldec --dynamic --var-refs service.hcl")]
pub struct DecodeArguments {
    /// The specification: which attributes and blocks there are, and what becomes of them
    #[arg(short, long, value_name = "SPEC")]
    pub spec: PathBuf,
    /// The files, read together as one, or `-` for standard input; names ending in .json are JSON
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Expand dynamic blocks
    #[arg(long)]
    pub dynamic: bool,
    /// Write the type of the value beside it
    #[arg(long)]
    pub with_type: bool,
    /// Keep attributes whose value is null, which are left out otherwise
    #[arg(long)]
    pub keep_nulls: bool,
    /// Do not decode, but describe as JSON which variables the files refer to
    #[arg(long, conflicts_with_all = ["with_type", "keep_nulls"])]
    pub var_refs: bool,
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
