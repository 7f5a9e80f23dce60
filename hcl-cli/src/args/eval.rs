//! Arguments of `hcl eval`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::expression;
use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl eval`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("input").required(true).args(["expression", "file", "jsonl"]), after_help = "\
Examples:
  hcl eval '[for s in [\"a\", \"b\"] : upper(s)]'
  hcl eval --module . --address output.url
  hcl eval --var 'port=8080' --json '{ listen = \"0.0.0.0:${port}\" }'
  echo '1 + 1' | hcl eval -")]
pub struct EvalArguments {
    /// The expression, or `-` for standard input
    #[arg(value_name = "EXPR", allow_hyphen_values = true, value_parser = expression)]
    pub expression: Option<String>,
    /// Read the expression from FILE
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// How the value is printed.
    #[command(flatten)]
    pub form: FormArguments,
    /// Convert the value to a type, for example `list(string)`
    #[arg(long = "as", value_name = "TYPE")]
    pub target: Option<String>,
    /// Take the expression for an address in the module: `output.NAME`, `module.NAME.output.NAME`, or any reference
    ///
    /// Expressions can't refer to outputs of their own module, addresses can.
    #[arg(long, requires = "modules", conflicts_with_all = ["explain", "jsonl"])]
    pub address: bool,
    /// Show how the value came about: every subexpression with its value; with --json as JSON
    #[arg(long, conflicts_with_all = ["raw", "type_only", "target", "jsonl"])]
    pub explain: bool,
    /// Answer one JSON request a line from standard input
    ///
    /// --dialect, --allow and the bounds hold for each request, but for a dialect that a request names itself.
    #[arg(long, conflicts_with_all = ["FormArguments", "target", "var", "var_string", "var_file", "modules", "leave_unknown", "lax"])]
    pub jsonl: bool,
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

/// How a value is printed; without any of these in the console form.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct FormArguments {
    /// Print the value as JSON
    #[arg(long)]
    pub json: bool,
    /// Print a string without quotes
    #[arg(long)]
    pub raw: bool,
    /// Print the type instead of the value
    #[arg(long = "type")]
    pub type_only: bool,
}
