//! Arguments of `hcl fmt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::jobs::JobArguments;
use super::reporting::ReportingArguments;

/// Arguments of `hcl fmt`.
#[derive(Args, Debug)]
#[command(after_help = "\
Files are rewritten and their names printed; `-` formats standard input to standard output. Folders are
read with those in them, but nothing whose name begins with a dot. Owner, permissions and links of a file
stay. It is replaced at once or not at all; only one with hard links, or whose owner a new file can't have,
is written in place. Only regular files are rewritten. In the style hcl, files with syntax errors are laid out as far as they
make sense, and hcl check tells what is wrong; the style terraform leaves them as they are.")]
pub struct FmtArguments {
    /// Files, folders (.hcl, .tf, .tofu, .tfvars and .nomad files in them are meant), or `-`
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Whose canonical form
    #[arg(long, value_enum, default_value_t = FmtStyle::Hcl)]
    pub style: FmtStyle,
    /// Change nothing; exit with status 1 if something is not in canonical form
    #[arg(long)]
    pub check: bool,
    /// Change nothing; print what would change
    #[arg(long)]
    pub diff: bool,
    /// Do it again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "jsonl")]
    pub watch: bool,
    /// Answer one JSON request a line from standard input
    #[arg(long)]
    pub jsonl: bool,
    /// Work at once.
    #[command(flatten)]
    pub jobs: JobArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}

/// Whose canonical form.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum FmtStyle {
    /// The language's own formatter's
    Hcl,
    /// `terraform fmt`'s: also quotes labels, takes needless quotes from values, updates old types
    Terraform,
}
