//! Arguments of `hcl vars`.

use clap::Args;

use super::expression;
use super::reporting::ReportingArguments;

/// Arguments of `hcl vars`.
#[derive(Args, Debug)]
pub struct VarsArguments {
    /// Files, or `-` for standard input; names that end in .json are read as JSON syntax, and what names no file is an
    /// expression
    #[arg(value_name = "FILE|EXPR", required_unless_present = "jsonl", allow_hyphen_values = true, value_parser = expression)]
    pub inputs: Vec<String>,
    /// Answer one JSON request a line from standard input
    #[arg(long, conflicts_with = "inputs")]
    pub jsonl: bool,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
