//! Arguments of `hcl get`, `hcl set` and `hcl rm`.

use std::path::PathBuf;

use clap::Args;

use super::eval::FormArguments;
use super::limits::LimitArguments;
use super::reporting::ReportingArguments;
use super::scope::ScopeArguments;

/// Arguments of `hcl get`.
#[derive(Args, Debug)]
#[command(after_help = "\
An address is names with dots between them: attributes, block types and labels, keys of objects. Names
that are no identifiers stand in quotes, [1] picks the second of several blocks or elements, * stands
for any block type or label. Labels may be left out at the end: all blocks that begin so are meant.

Of an attribute the value is printed as it is written, of a block all of it; of several places one
after the other. With --json, --raw or --type values are evaluated.

Examples:
  hcl get resource.aws_instance.web.tags main.tf
  hcl get 'service.\"eu.west\".ingress[1].port' service.hcl
  hcl get --raw 'variable.*.description' variables.tf")]
pub struct GetArguments {
    /// The address of what to print
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the value is printed.
    #[command(flatten)]
    pub form: FormArguments,
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

/// How files are changed.
#[derive(Args, Debug)]
pub struct ChangeArguments {
    /// Change every place that the address names, where otherwise more than one is an error
    #[arg(long)]
    pub all: bool,
    /// Change nothing; exit with status 1 if something would change
    #[arg(long)]
    pub check: bool,
    /// Change nothing; print what would change
    #[arg(long)]
    pub diff: bool,
}

/// Arguments of `hcl set`.
#[derive(Args, Debug)]
#[command(after_help = "\
Only the value changes; everything else in the file stays byte for byte. An attribute that is not there
is added behind the last one of its block, or object, and written like it. The file is replaced at once
or not at all; links to it stay. `-` reads standard input and writes standard output. hcl get --help tells about addresses.

hcl rm takes back what is added. Where that needs to know what was there, a blank says so: behind the
opening brace of a block that stood in one line, and behind a heredoc at the end of a file without a
last newline. hcl fmt takes these blanks away. A file that ends with the marker of a heredoc gets the
newline that the marker needs.

With --create, the names that are missing become one block: the first is its type, the others are its
labels, the last is the attribute's name.

Examples:
  hcl set resource.aws_instance.web.count 2 main.tf
  hcl set resource.aws_instance.web.tags.Name --string web-1 main.tf
  hcl set terraform.required_version '\">= 1.5\"' --create versions.tf
  hcl set 'ingress[1].ports' '[80, 443]' - < service.hcl")]
pub struct SetArguments {
    /// The attribute, the key of an object, or an element of a tuple
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The new value, an expression
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: String,
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// VALUE is a text, not an expression: it is put in quotes
    #[arg(long)]
    pub string: bool,
    /// Make the block that the attribute stands in, if it is not there
    #[arg(long)]
    pub create: bool,
    /// How files are changed.
    #[command(flatten)]
    pub change: ChangeArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}

/// Arguments of `hcl rm`.
#[derive(Args, Debug)]
#[command(after_help = "\
With an item go the comments in its line and those directly above it, where no empty line stands
between; comments between the braces of a block in one line stay. Of two empty lines that would meet one
goes too. A block that hcl set opened becomes one line again. Everything else stays byte for byte. The file
is replaced at once or not at all; links to it stay. `-` reads standard input and writes standard output.
hcl get --help tells about addresses.

Examples:
  hcl rm resource.aws_instance.web.tags.Name main.tf
  hcl rm --all 'moved' main.tf
  hcl rm --diff 'ingress[0]' service.hcl")]
pub struct RmArguments {
    /// The attribute, block, key of an object or element of a tuple
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How files are changed.
    #[command(flatten)]
    pub change: ChangeArguments,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}
