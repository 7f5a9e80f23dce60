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
use std::iter;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory, Parser, Subcommand};

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
/// a file that is not there, 3 a limit was reached, 141 the reader of the output went away.
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
    /// Check files for syntax, and modules, templates and jobs as wholes
    Check(CheckArguments),
    /// Convert files to JSON syntax, or from JSON syntax with --from
    Json(JsonArguments),
    /// List the variables and functions that files or an expression need
    Vars(VarsArguments),
    /// Show what refers to what in a module
    Graph(GraphArguments),
    /// Put files into canonical form
    Fmt(FmtArguments),
    /// List the functions of a dialect, or show some in full
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
    /// Explain a diagnostic: its cause and its cure
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

/// As [`expression`], or the name of a file, which need not be UTF-8.
fn file_or_expression() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|text| match text.into_string() {
        Ok(text) => expression(&text).map(OsString::from),
        Err(name) => Ok(name),
    })
}

fn looks_like_flag(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// The arguments with the flags of a verb before its inputs, if it takes several of which each may begin with a minus sign:
/// behind the first of them everything would be taken for an input. Arguments behind `--` are inputs.
pub fn flags_first(arguments: &[OsString]) -> Vec<OsString> {
    let command = Cli::command();
    let verb = arguments.get(1).and_then(|verb| command.find_subcommand(verb));
    let takes_several = |argument: &Arg| {
        argument.is_allow_hyphen_values_set() && matches!(argument.get_action(), ArgAction::Append)
    };
    let Some(verb) = verb.filter(|verb| verb.get_positionals().any(takes_several)) else {
        return arguments.to_vec();
    };
    let mut flags = arguments[..2].to_vec();
    let mut inputs = vec![OsString::from("--")];
    let mut rest = arguments[2..].iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            break;
        }
        match flag_in(verb, &argument.to_string_lossy()) {
            Flag::None => inputs.push(argument.clone()),
            Flag::Whole => flags.push(argument.clone()),
            Flag::WithValue(flag, value) => flags.extend([flag.into(), value.into()]),
            Flag::NeedsNext => flags.extend(iter::once(argument).chain(rest.next()).cloned()),
        }
    }
    flags.extend(inputs);
    flags.extend(rest.cloned());
    flags
}

/// The kind of flag that an argument is.
enum Flag {
    None,
    /// One that needs no value, or a long one with its value.
    Whole,
    /// A short one with its value.
    WithValue(String, String),
    /// One whose value is the next argument.
    NeedsNext,
}

/// The flag that an argument is. A number may stand right behind a short flag, anything else makes an expression of it.
fn flag_in(verb: &Command, text: &str) -> Flag {
    let of = |flag: &Arg| if flag.get_action().takes_values() { Flag::NeedsNext } else { Flag::Whole };
    if let Some(long) = text.strip_prefix("--") {
        let (name, has_value) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
        return match verb.get_arguments().find(|flag| flag.get_long() == Some(name)) {
            Some(_) if has_value => Flag::Whole,
            Some(flag) => of(flag),
            None if name == "help" => Flag::Whole,
            None => Flag::None,
        };
    }
    let Some(mut short) = text.strip_prefix('-').map(str::chars) else { return Flag::None };
    let Some(letter) = short.next() else { return Flag::None };
    let value = short.as_str().trim_start_matches('=');
    match verb.get_arguments().find(|flag| flag.get_short() == Some(letter)).map(of) {
        Some(flag) if short.as_str().is_empty() => flag,
        Some(Flag::NeedsNext) if value.starts_with(|first: char| first.is_ascii_digit()) => {
            Flag::WithValue(format!("-{letter}"), value.to_owned())
        }
        None if text == "-h" => Flag::Whole,
        _ => Flag::None,
    }
}

/// The complaint about the first of the arguments behind a verb that looks like a flag and is none, if another argument is
/// refused because this one has been taken for the expression. A flag with one minus sign, as the products write theirs, is
/// such an argument.
pub fn unknown_flag(told: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let is_told = |refused: &str| refused.starts_with('-');
    match (told.kind(), told.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(refused))) if !is_told(refused) => {}
        _ => return None,
    }
    let mut texts = arguments.iter().map(|argument| argument.to_string_lossy());
    let command = Cli::command();
    let verb = command.find_subcommand(texts.nth(1)?.as_ref())?.clone();
    let complaint = |text: Cow<'_, str>| {
        let name = text.trim_start_matches('-').split('=').next()?;
        let is_known =
            name == "help" || verb.get_arguments().any(|argument| argument.get_long() == Some(name));
        match is_known {
            false if looks_like_flag(&text) => Some(format!("there is no flag {text}; --help lists them")),
            true if text.starts_with('-') && !text.starts_with("--") => {
                Some(format!("there is no flag -{name}; it is written --{name}"))
            }
            _ => None,
        }
    };
    texts.take_while(|text| text != "--").find_map(complaint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
