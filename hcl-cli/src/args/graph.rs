//! Arguments of `hcl graph`.

use std::path::PathBuf;

use clap::Args;

use super::given::GivenArguments;
use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::Dialect;

/// Arguments of `hcl graph`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl graph | dot -Tsvg > graph.svg
  hcl graph --text modules/network
  hcl graph --json | jq -r '.edges[] | select(.to == \"var.region\") | .from'")]
pub struct GraphArguments {
    /// The folder of the module
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// Print each declaration, and indented below it what it refers to
    #[arg(long, conflicts_with = "json")]
    pub text: bool,
    /// Print one JSON object: nodes with their places, and edges
    #[arg(long)]
    pub json: bool,
    /// Whose module it is: of Terraform or OpenTofu
    #[arg(long, value_parser = Dialect::parser(), hide_possible_values = true, default_value_t = Dialect::TERRAFORM)]
    pub dialect: Dialect,
    /// Values of variables, which sources of modules may depend on.
    #[command(flatten)]
    pub given: GivenArguments,
    /// Bounds.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
