//! The commands `hcl` and `hcldec`: evaluate, check, format, convert, decode and inspect HCL.
//!
//! It is the library's own first user: nothing here reaches past the public API of `hcl-syntax`, `hcl-eval` and
//! `hcl-module`. One module per verb turns arguments into calls and results into text; [`batch`] answers the
//! same questions a line of JSON at a time, and is public so that the conformance runner can ask in-process
//! what a script asks through a pipe. Values are printed by [`answer`], diagnostics by [`output`].
//! [`hcldec`] is a command of its own.

pub mod answer;
pub mod args;
pub mod batch;
pub mod check;
pub mod configuration;
pub mod console;
pub mod containers;
pub mod decode;
pub mod decoded;
pub mod disk;
pub mod edit;
pub mod eval;
pub mod evaluated;
pub mod explain;
pub mod explain_error;
pub mod filter;
pub mod fmt;
pub mod folders;
pub mod functions;
pub mod functions_json;
pub mod graph;
pub mod hcldec;
pub mod host;
pub mod job;
pub mod json;
pub mod module;
pub mod names;
pub mod notes;
pub mod output;
pub mod prompt;
pub mod references;
mod replace;
pub mod scope;
pub mod shell;
#[cfg(unix)]
mod signals;
pub mod template;
pub mod templates;
pub mod used_names;
pub mod value_json;
pub mod vars;
pub mod watch;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Verb};
use output::Failure;

/// The exit status when the reader of the output, such as `head`, went away before the end: that of a process which the signal
/// for it has ended. The work is not finished then, and its errors are not all told, so that it is no success.
const PIPE_CLOSED: u8 = 128 + 13;

/// Reads the arguments of the process, does what they ask, and says how it went.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os()))
}

/// Does what these arguments ask, the first of which is the program's name, and gives the code to exit with: for programs
/// that contain the command.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(args::flags_first(&arguments)) {
        Ok(cli) => cli,
        Err(told) => {
            if let Some(complaint) = args::unknown_flag(&told, &arguments) {
                let failure = Failure::Usage(complaint);
                output::complain(&failure);
                return failure.outcome().code();
            }
            // Help and usage errors; an output that is closed is none of their business.
            let _ = told.print();
            return u8::try_from(told.exit_code()).unwrap_or(2);
        }
    };
    let outcome = match &cli.verb {
        Verb::Eval(arguments) => eval::run(arguments),
        Verb::Template(arguments) => template::run(arguments),
        Verb::Check(arguments) => check::run(arguments),
        Verb::Json(arguments) => json::run(arguments),
        Verb::Vars(arguments) => vars::run(arguments),
        Verb::Graph(arguments) => graph::run(arguments),
        Verb::Fmt(arguments) => fmt::run(arguments),
        Verb::Functions(arguments) => functions::run(arguments),
        Verb::Get(arguments) => edit::get(arguments),
        Verb::Set(arguments) => edit::set(arguments),
        Verb::Rm(arguments) => edit::rm(arguments),
        Verb::Attr(arguments) => filter::attr(arguments),
        Verb::Block(arguments) => filter::block(arguments),
        Verb::Body(arguments) => filter::body(arguments),
        Verb::Console(arguments) => prompt::run(arguments),
        Verb::Decode(arguments) => decode::run(arguments),
        Verb::ExplainError(arguments) => explain_error::run(arguments),
        Verb::Completions(arguments) => shell::completions(arguments),
        Verb::Man(arguments) => shell::man(arguments),
    };
    match outcome {
        Ok(outcome) => outcome.code(),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => PIPE_CLOSED,
        Err(failure) => {
            output::complain(&failure);
            failure.outcome().code()
        }
    }
}

/// `hcldec`: reads the arguments of the process, does what they ask, and says how it went.
pub fn run_hcldec() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let colors = io::stderr().is_terminal();
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = hcldec::Terminal { colors, ..hcldec::Terminal::default() };
    let terminal = columns.map_or(terminal, |columns| hcldec::Terminal { columns, ..terminal });
    let answer = hcldec::run(&arguments, &hcldec::SystemFiles, terminal);
    let written = io::stderr()
        .write_all(answer.stderr.as_bytes())
        .and_then(|()| io::stdout().write_all(answer.stdout.as_bytes()));
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(PIPE_CLOSED),
        Err(_) => ExitCode::FAILURE,
        Ok(()) => ExitCode::from(answer.status),
    }
}
