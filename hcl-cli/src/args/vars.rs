//! Arguments of `hcl vars`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::file_or_expression;
use super::jobs::JobArguments;
use super::reporting::ReportingArguments;
use super::scope::Dialect;

/// Arguments of `hcl vars`.
#[derive(Args, Debug)]
#[command(
    override_usage = "hcl vars [OPTIONS] FILE|EXPR...
       hcl vars [OPTIONS] --module DIR|FILE [FILE|EXPR]...
       hcl vars [OPTIONS] --jsonl",
    after_help = "\
Examples:
  hcl vars 'var.zone == local.name'
  hcl vars main.tf
  hcl vars --module . output.label"
)]
pub struct VarsArguments {
    /// Files, folders, whose files of either syntax are meant, `-` for standard input, or expressions
    ///
    /// Names that end in .json are read as JSON syntax. What names no file and no folder is an expression, but for names
    /// with an ending of the language, paths that begin with `/`, `./` or `../`, and paths into folders.
    /// The names of all inputs are listed together, whichever module they belong to.
    #[arg(value_name = "FILE|EXPR", required_unless_present_any = ["jsonl", "modules"], allow_hyphen_values = true, value_parser = file_or_expression())]
    pub inputs: Vec<OsString>,
    /// List also what the declarations of a module need that inputs refer to: a folder, or files
    ///
    /// Without inputs all is listed that its files refer to. An input may be an address such as output.NAME. Repeat for
    /// several files.
    #[arg(long = "module", value_name = "DIR|FILE", conflicts_with = "jsonl")]
    pub modules: Vec<PathBuf>,
    /// Whose module it is
    #[arg(long, value_parser = Dialect::parser(), hide_possible_values = true, default_value_t = Dialect::TERRAFORM)]
    pub dialect: Dialect,
    /// Answer one JSON request a line from standard input
    #[arg(long, conflicts_with = "inputs")]
    pub jsonl: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobArguments,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
