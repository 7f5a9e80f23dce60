//! The command line: verbs and flags, as clap derives them.
//!
//! The doc comments of this file are the text of `hcl --help`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Evaluate, check and inspect HCL.
///
/// Exit status: 0 success, 1 the input is wrong (diagnostics were printed), 2 wrong usage,
/// 3 a limit was reached.
#[derive(Parser, Debug)]
#[command(name = "hcl", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Evaluate one expression and print its value
    Eval(EvalArguments),
    /// Render a template file
    Template(TemplateArguments),
    /// Parse files and report every problem
    Check(CheckArguments),
    /// Convert files to JSON syntax, or from JSON syntax with --from
    Json(JsonArguments),
    /// List the variables and functions that files or an expression need
    Vars(VarsArguments),
    /// Put files into canonical form
    Fmt(FmtArguments),
    /// List the functions of a dialect, or show all there is to know about some
    Functions(FunctionsArguments),
    /// Evaluate expressions one after the other as they are typed
    Console(ConsoleArguments),
    /// Make one JSON value of files, as a specification says
    Decode(DecodeArguments),
}

/// Arguments of `hcl eval`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl eval '[for s in [\"a\", \"b\"] : upper(s)]'
  hcl eval --var 'port=8080' --json '{ listen = \"0.0.0.0:${port}\" }'
  echo '1 + 1' | hcl eval -")]
pub struct EvalArguments {
    /// The expression, or `-` for standard input
    #[arg(value_name = "EXPR", required_unless_present_any = ["file", "jsonl"], conflicts_with = "file", allow_hyphen_values = true)]
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
    /// Show how the value came about: every subexpression with its value
    #[arg(long, conflicts_with_all = ["json", "raw", "type_only", "target", "jsonl"])]
    pub explain: bool,
    /// Answer one JSON request a line from standard input
    #[arg(long, conflicts_with_all = ["expression", "file"])]
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

/// Names in scope.
#[derive(Args, Clone, Debug)]
pub struct ScopeArguments {
    /// Whose functions are in scope
    #[arg(long, value_enum, default_value_t = Dialect::Terraform)]
    pub dialect: Dialect,
    /// Define a variable; the right side is an expression
    #[arg(long = "var", value_name = "NAME=EXPR")]
    pub variables: Vec<String>,
    /// Define a variable for every attribute of a file; names that end in .json are read as JSON syntax
    #[arg(long = "var-file", value_name = "FILE")]
    pub variable_files: Vec<PathBuf>,
    /// Evaluate inside a module: its variables are in `var`, with their types, defaults and validations, its
    /// locals in `local`. Values of --var and --var-file are then those of its variables. Repeat for several files
    #[arg(long = "module", value_name = "FILE")]
    pub modules: Vec<PathBuf>,
    /// Leave interpolations of templates as they are written when they use names that are not defined here, such
    /// as `${NOMAD_PORT_http}`
    #[arg(long)]
    pub leave_unknown: bool,
    /// Allow functions that depend on more than their arguments: fs[=DIR], env, clock, random, network
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = parse_capability)]
    pub allow: Vec<Capability>,
}

/// Whose function library is in scope.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// The functions of the reference library
    Hcl,
    /// The functions of Terraform
    Terraform,
    /// The functions of OpenTofu
    Opentofu,
    /// The functions of Packer
    Packer,
    /// The functions of Nomad
    Nomad,
}

impl Dialect {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hcl => "hcl",
            Self::Terraform => "terraform",
            Self::Opentofu => "opentofu",
            Self::Packer => "packer",
            Self::Nomad => "nomad",
        }
    }
}

/// Something outside the arguments that a function may look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Capability {
    /// Files, below a folder if one is given.
    Files(Option<PathBuf>),
    /// Environment variables and the home directory.
    Environment,
    /// The time of day.
    Clock,
    /// Random numbers.
    Random,
    /// The network.
    Network,
}

/// Bounds on the work.
#[derive(Args, Clone, Debug, Default)]
pub struct LimitArguments {
    /// Stop after N steps of evaluation
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Stop when more than BYTES of text would be made or printed
    #[arg(long, value_name = "BYTES")]
    pub max_output: Option<u64>,
    /// Refuse nesting deeper than N levels
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Stop after a time, for example 500ms, 2s or 1m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
}

/// How complaints are shown.
#[derive(Args, Debug)]
pub struct ReportingArguments {
    /// Colors in diagnostics
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// The form of diagnostics on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value_t = DiagnosticForm::Text)]
    pub diagnostics: DiagnosticForm,
}

/// When to use colors.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// In any case
    Always,
    /// In no case
    Never,
}

/// The form of diagnostics.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum DiagnosticForm {
    /// Drawn for a reader, with the source lines
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

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

/// Arguments of `hcl json`.
#[derive(Args, Debug)]
#[command(after_help = "\
What can be evaluated is written as its value, everything else as a template \"${…}\", which JSON
syntax evaluates to the same. Several files become an array, which is read as one body.

With --from, \"//\" is a comment, an array of objects is a block for each object, objects around it
are its labels, and everything else is an argument; with --spec, the specification says what is a
block.

Examples:
  hcl json --var 'region=\"north\"' main.hcl
  hcl json --from main.hcl.json
  hcl json --from --spec service.hcldec main.hcl.json")]
pub struct JsonArguments {
    /// The files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Convert from JSON syntax to native syntax
    #[arg(long)]
    pub from: bool,
    /// What the files may contain, as a specification of hcldec; anything else is an error
    #[arg(long, value_name = "SPEC")]
    pub spec: Option<PathBuf>,
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

/// Arguments of `hcl vars`.
#[derive(Args, Debug)]
pub struct VarsArguments {
    /// Files, or `-` for standard input; names that end in .json are read as JSON syntax, and what names no file is an
    /// expression
    #[arg(value_name = "FILE|EXPR", required_unless_present = "jsonl", allow_hyphen_values = true)]
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

/// Arguments of `hcl fmt`.
#[derive(Args, Debug)]
#[command(after_help = "\
Files are rewritten in place and their names printed; `-` formats standard input to standard output.\nIn the style hcl, files with syntax errors are laid out as far as they make sense; hcl check tells what is wrong.")]
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
    /// Answer one JSON request a line from standard input
    #[arg(long)]
    pub jsonl: bool,
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

/// Arguments of `hcl functions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl functions --dialect nomad
  hcl functions substr cidrsubnet
  hcl functions --json > functions.json")]
pub struct FunctionsArguments {
    /// Functions to show in full, in every dialect that has them
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Whose functions are listed; without it those of Terraform
    #[arg(long, value_enum)]
    pub dialect: Option<Dialect>,
    /// Print JSON of the shape of `terraform metadata functions -json`, with more in it
    #[arg(long)]
    pub json: bool,
}

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

fn parse_capability(text: &str) -> Result<Capability, String> {
    match text.split_once('=') {
        Some(("fs", folder)) if !folder.is_empty() => Ok(Capability::Files(Some(PathBuf::from(folder)))),
        _ => match text {
            "fs" => Ok(Capability::Files(None)),
            "env" => Ok(Capability::Environment),
            "clock" => Ok(Capability::Clock),
            "random" => Ok(Capability::Random),
            "network" => Ok(Capability::Network),
            _ => Err("expected fs, fs=DIR, env, clock, random or network".to_owned()),
        },
    }
}

/// A number with a unit; without a unit, seconds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let refused = || "expected a time such as 500ms, 2s or 1m".to_owned();
    let (number, factor) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
        .ok_or_else(refused)?;
    let seconds = number.parse::<f64>().map_err(|_| refused())? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("-1s").is_err());
    }

    #[test]
    fn capabilities_name_what_they_open() {
        assert_eq!(parse_capability("fs=sub"), Ok(Capability::Files(Some("sub".into()))));
        assert!(parse_capability("fs=").is_err());
        assert!(parse_capability("disk").is_err());
    }
}
