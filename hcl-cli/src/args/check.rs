//! Arguments of `hcl check`.

use std::path::PathBuf;

use clap::Args;

use super::jobs::JobArguments;
use super::reporting::ReportingArguments;
use super::scope::Dialect;

/// Arguments of `hcl check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Files, folders, or `-` for standard input [default: . without --module]
    ///
    /// In folders files are meant that end in .hcl, .tf, .tofu, .tfvars and .nomad, also with .json behind it. Modules of
    /// Terraform and OpenTofu and templates of Packer in them are checked as wholes, and files of Nomad as jobs. Of a file
    /// .pkr.hcl the template in its folder is looked at. Names that end in .json are read as JSON syntax.
    #[arg(value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// Check a module of Terraform or OpenTofu as a whole: a folder, or files which are then all of it
    ///
    /// Repeat for several files.
    #[arg(long = "module", value_name = "DIR|FILE", conflicts_with = "jsonl")]
    pub modules: Vec<PathBuf>,
    /// Whose modules they are; without it OpenTofu's where a folder has .tofu files, else Terraform's
    ///
    /// With nomad, files that are named are jobs, whatever their names; with packer, files that are named are templates by
    /// themselves.
    #[arg(long, value_parser = Dialect::parser(), hide_possible_values = true)]
    pub dialect: Option<Dialect>,
    /// Do it again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "jsonl")]
    pub watch: bool,
    /// Answer one JSON request a line from standard input
    #[arg(long, conflicts_with = "files")]
    pub jsonl: bool,
    /// Work at once.
    #[command(flatten)]
    pub jobs: JobArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
