//! The command line: verbs and flags, as clap derives them; a file for each verb and for what verbs share.
//!
//! The doc comments are the text of `hcl --help`.

mod check;
mod console;
mod decode;
mod edit;
mod eval;
mod explain_error;
mod filter;
mod fmt;
mod functions;
mod given;
mod graph;
mod jobs;
mod json;
mod limits;
mod reporting;
mod scope;
mod shell;
mod template;
mod vars;

use std::borrow::Cow;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

pub use check::CheckArguments;
pub use console::ConsoleArguments;
pub use decode::DecodeArguments;
pub use edit::{ChangeArguments, GetArguments, RmArguments, SetArguments};
pub use eval::{EvalArguments, FormArguments};
pub use explain_error::ExplainErrorArguments;
pub use filter::{
    AddressArguments, AttrArguments, AttrVerb, BlockArguments, BlockVerb, BodyArguments, BodyVerb,
    FilterArguments, InputArguments,
};
pub use fmt::{FmtArguments, FmtStyle};
pub use functions::FunctionsArguments;
pub use given::{GivenArgument, GivenArguments};
pub use graph::GraphArguments;
pub use jobs::JobArguments;
pub use json::JsonArguments;
pub use limits::LimitArguments;
pub use reporting::{ColorChoice, DiagnosticForm, ReportingArguments};
pub use scope::{Capability, Dialect, Product, ScopeArguments};
pub use shell::{CompletionsArguments, ManArguments, Shell};
pub use template::TemplateArguments;
pub use vars::VarsArguments;

/// Evaluate, check and inspect HCL.
///
/// Exit status: 0 success, 1 the input is wrong (diagnostics were printed), 2 wrong usage or
/// a file that is not there, 3 a limit was reached.
#[derive(Parser, Debug)]
#[command(name = "hcl", version, max_term_width = 100)]
pub struct Cli {
    /// The verb, with its arguments.
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
    /// Show what refers to what in a module
    Graph(GraphArguments),
    /// Put files into canonical form
    Fmt(FmtArguments),
    /// List the functions of a dialect, or show all there is to know about some
    Functions(FunctionsArguments),
    /// Print an attribute's value or a block
    Get(GetArguments),
    /// Set an attribute's value in a file, keeping comments and spacing
    Set(SetArguments),
    /// Remove attributes or blocks from a file, keeping everything else
    Rm(RmArguments),
    /// Print, set, append, remove, move or replace attributes of files or of standard input
    Attr(AttrArguments),
    /// Print, list, add, remove or move blocks of files or of standard input
    Block(BlockArguments),
    /// Print the bodies of blocks
    Body(BodyArguments),
    /// Evaluate expressions one after the other as they are typed
    Console(ConsoleArguments),
    /// Make one JSON value of files, as a specification says
    Decode(DecodeArguments),
    /// Tell cause and cure of a diagnostic
    ExplainError(ExplainErrorArguments),
    /// Print what a shell needs to complete the arguments of hcl
    Completions(CompletionsArguments),
    /// Print the manual page of hcl or of a verb, or write all of them into a folder
    Man(ManArguments),
}

/// An expression may begin with a minus sign, and even with two; but before a letter two are a flag that is not there.
fn expression(text: &str) -> Result<String, String> {
    match looks_like_flag(text) {
        true => Err("there is no such flag; an expression that begins with two minus signs and a name needs parentheses".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn looks_like_flag(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// The first of the arguments behind a verb that looks like a flag and is none, if another argument is refused because
/// this one has been taken for the expression.
pub fn unknown_flag(told: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let is_told = |refused: &str| refused.starts_with('-');
    match (told.kind(), told.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(refused))) if !is_told(refused) => {}
        _ => return None,
    }
    let mut texts = arguments.iter().map(|argument| argument.to_string_lossy());
    let command = Cli::command();
    let verb = command.find_subcommand(texts.nth(1)?.as_ref())?.clone();
    let is_known = |text: &str| {
        let name = text.trim_start_matches('-').split('=').next();
        name == Some("help") || verb.get_arguments().any(|argument| argument.get_long() == name)
    };
    let found = texts.take_while(|text| text != "--").find(|text| looks_like_flag(text) && !is_known(text));
    found.map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
