//! Arguments of `hcl json`.

use std::path::PathBuf;

use clap::Args;

use super::jobs::JobArguments;
use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl json`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "hcl json [OPTIONS] FILE...
       hcl json [OPTIONS] --module DIR|FILE",
    after_help = "\
A constant is written as its value if that keeps its type, everything else as a template \"${…}\",
which JSON syntax evaluates to the same. Several files become an array, which is read as one body;
the limits hold for each of them.
Arguments that the product of --dialect reads without evaluating them, such as depends_on and the
types of variables, become strings as it reads them; files *.tfvars are written without templates.

With --from, \"//\" is a comment, an array of objects is a block for each object, objects around it
are its labels, and everything else is an argument; with --spec, the specification says what is a
block. Of modules of Terraform and OpenTofu the product's own blocks are known, and what it reads
without evaluating it stands without quotes again. A name that is no identifier, such as \"a b\", is a
key in quotes; as the name of an argument or a type of blocks it is an error.

Every value and its type come back, in either direction; these spellings do not: digits of numbers
(1.50 is 1.5, 1e3 is 1000), blanks around the expression in \"${ a }\", escapes, heredocs, strip markers,
and the quotes around an object, \"${{ a = 1 }}\". Comments of native syntax have no place in JSON
syntax, so that \"//\" is lost on the way there and back. A list of objects can't be told from blocks
without --spec, where the product does not say which it is.

Examples:
  hcl json --var 'region=\"north\"' main.hcl
  hcl json --evaluated --module .
  hcl json --evaluated --dialect nomad --var count=3 web.nomad.hcl
  hcl json --from main.hcl.json
  hcl json --from --spec service.hcldec main.hcl.json"
)]
pub struct JsonArguments {
    /// The files, or `-` for standard input; of folders those that are not yet in the syntax that is asked for
    ///
    /// Without any, those of the module of Terraform or OpenTofu that --module names.
    #[arg(value_name = "FILE", required_unless_present = "modules")]
    pub files: Vec<PathBuf>,
    /// Convert from JSON syntax to native syntax
    #[arg(long)]
    pub from: bool,
    /// Evaluate nothing: every expression but literals, lists and objects becomes a template
    #[arg(long, conflicts_with_all = ["from", "evaluated"])]
    pub keep_expressions: bool,
    /// Evaluate everything, with dynamic blocks expanded; what can't be evaluated is an error
    ///
    /// Files may be of either syntax. Blocks that define names are left out where --module says that they do.
    #[arg(long, conflicts_with_all = ["from", "spec"])]
    pub evaluated: bool,
    /// With --evaluated, write what is not known as {"$unknown": "its type and what is known of it"}
    #[arg(long, requires = "evaluated")]
    pub partial: bool,
    /// A specification of hcldec that says what the files may contain; anything else is an error
    #[arg(long, value_name = "SPEC")]
    pub spec: Option<PathBuf>,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobArguments,
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
