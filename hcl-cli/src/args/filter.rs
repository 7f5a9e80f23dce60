//! Arguments of `hcl attr`, `hcl block` and `hcl body`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::expression;
use super::reporting::ReportingArguments;

/// How what is read comes in.
#[derive(Args, Debug)]
pub struct InputArguments {
    /// Files, or folders (.hcl, .tf, .tofu, .tfvars and .nomad files in them are meant); standard input without any
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Complaints.
    #[command(flatten)]
    pub reporting: ReportingArguments,
}

/// The files that are changed, and where the result goes to.
#[derive(Args, Debug)]
pub struct FilterArguments {
    /// The files to read.
    #[command(flatten)]
    pub input: InputArguments,
    /// Change the files; otherwise the changed text of one input is printed
    #[arg(long)]
    pub write: bool,
}

/// Arguments of `hcl attr`.
#[derive(Args, Debug)]
#[command(after_help = "\
An address is names with dots between them: attributes, block types and labels, keys of objects. A dot in
a label is \\. or stands in quotes with the label, * stands for any block type or label, [1] picks the second
of several blocks or elements. Labels may be left out at the end. Every place that an address names is meant.

Comments in the line of an attribute and directly above it belong to it. Everything that is not changed stays
byte for byte. A text that would not parse afterwards is refused, and no file is changed then. An address that
names nothing leaves the text as it is, with a warning.

Examples:
  hcl attr get resource.aws_instance.web.ami main.tf
  hcl attr set 'module.*.version' '\"2.0\"' --write modules
  hcl attr append 'terraform.required_version' '\">= 1.5\"' < versions.tf")]
pub struct AttrArguments {
    /// The edit.
    #[command(subcommand)]
    pub verb: AttrVerb,
}

/// Edits of attributes.
#[derive(Subcommand, Debug)]
pub enum AttrVerb {
    /// Print the values as they are written
    Get(AttrGetArguments),
    /// Replace the value of attributes that are there
    Set(AttrSetArguments),
    /// Add an attribute that is not there
    Append(AttrAppendArguments),
    /// Remove attributes
    Rm(AddressArguments),
    /// Give an attribute another name, or move it to another block
    Mv(MvArguments),
    /// Replace name and value of attributes
    Replace(AttrReplaceArguments),
}

/// Arguments of `hcl attr get`.
#[derive(Args, Debug)]
pub struct AttrGetArguments {
    /// The attribute, key of an object or element of a tuple
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// Print the comments too: those above before the value, those in its line behind it
    #[arg(long)]
    pub with_comments: bool,
    /// The files to read.
    #[command(flatten)]
    pub input: InputArguments,
}

/// Arguments of `hcl attr set`.
#[derive(Args, Debug)]
pub struct AttrSetArguments {
    /// The attribute, key of an object or element of a tuple
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The new value, an expression
    #[arg(value_name = "VALUE", allow_hyphen_values = true, value_parser = expression)]
    pub value: String,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl attr append`.
#[derive(Args, Debug)]
pub struct AttrAppendArguments {
    /// The new attribute or key of an object; what it stands in must be there
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The value, an expression
    #[arg(value_name = "VALUE", allow_hyphen_values = true, value_parser = expression)]
    pub value: String,
    /// Leave an empty line before it
    #[arg(long)]
    pub newline: bool,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl attr replace`.
#[derive(Args, Debug)]
pub struct AttrReplaceArguments {
    /// The attribute or key of an object
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The new name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The new value, an expression
    #[arg(value_name = "VALUE", allow_hyphen_values = true, value_parser = expression)]
    pub value: String,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl attr rm` and `hcl block rm`.
#[derive(Args, Debug)]
pub struct AddressArguments {
    /// The place that is meant
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl attr mv` and `hcl block mv`.
#[derive(Args, Debug)]
pub struct MvArguments {
    /// The address now
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The address afterwards; a * in it keeps a block's type or label
    #[arg(value_name = "TO")]
    pub to: String,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl block`.
#[derive(Args, Debug)]
#[command(after_help = "\
hcl attr --help tells about addresses and what stays as it is.

Examples:
  hcl block list main.tf
  hcl block mv resource.aws_s3_bucket.logs resource.aws_s3_bucket.archive --write .
  hcl block new 'variable.region' --newline < variables.tf
  hcl block append resource.aws_instance.web ingress --write main.tf")]
pub struct BlockArguments {
    /// The edit.
    #[command(subcommand)]
    pub verb: BlockVerb,
}

/// Edits of blocks.
#[derive(Subcommand, Debug)]
pub enum BlockVerb {
    /// Print blocks
    Get(GetBlockArguments),
    /// Print the addresses of the blocks of files
    List(InputArguments),
    /// Add an empty block at the end
    New(BlockNewArguments),
    /// Add an empty block at the end of blocks
    Append(BlockAppendArguments),
    /// Remove blocks
    Rm(AddressArguments),
    /// Give a block another type and other labels, or move it to another block
    Mv(MvArguments),
}

/// Arguments of `hcl block get` and `hcl body get`.
#[derive(Args, Debug)]
pub struct GetBlockArguments {
    /// The block
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// The files to read.
    #[command(flatten)]
    pub input: InputArguments,
}

/// Arguments of `hcl block new`.
#[derive(Args, Debug)]
pub struct BlockNewArguments {
    /// The type of the block and its labels
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// Leave an empty line before it
    #[arg(long)]
    pub newline: bool,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl block append`.
#[derive(Args, Debug)]
pub struct BlockAppendArguments {
    /// The blocks that get a new one
    #[arg(value_name = "PARENT")]
    pub parent: String,
    /// The type of the new block and its labels
    #[arg(value_name = "CHILD")]
    pub child: String,
    /// Leave an empty line before it
    #[arg(long)]
    pub newline: bool,
    /// The files to change.
    #[command(flatten)]
    pub filter: FilterArguments,
}

/// Arguments of `hcl body`.
#[derive(Args, Debug)]
pub struct BodyArguments {
    /// The edit.
    #[command(subcommand)]
    pub verb: BodyVerb,
}

/// Edits of bodies.
#[derive(Subcommand, Debug)]
pub enum BodyVerb {
    /// Print what stands between the braces of blocks
    Get(GetBlockArguments),
}
