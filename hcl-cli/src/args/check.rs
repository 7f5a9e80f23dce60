//! Arguments of `hcl check`.

use std::path::PathBuf;

use clap::Args;

use super::reporting::ReportingArguments;

/// Arguments of `hcl check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The files, or `-` for standard input; names that end in .json are read as JSON syntax
    #[arg(value_name = "FILE", required_unless_present = "jsonl")]
    pub files: Vec<PathBuf>,
    /// Answer one JSON request a line from standard input
    #[arg(long, conflicts_with = "files")]
    pub jsonl: bool,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
