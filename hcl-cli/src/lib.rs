//! The command `hcl`: evaluate, check and inspect HCL from a shell or a script.
//!
//! It is the library's own first user: nothing here reaches past the public API of `hcl-syntax` and
//! `hcl-eval`. One module per verb turns arguments into calls and results into text; [`batch`] answers the same questions a line of JSON at a time, and is public so that the
//! `hcl-eval`. One file per verb ([`eval`], [`check`], [`vars`], [`mod@fmt`],
//! [`prompt`]) turns arguments into calls and results
//! into text; [`batch`] answers the same questions a line of JSON at a time, and is public so that the
//! conformance runner can ask in-process what a script asks through a pipe. Values are printed by
//! [`answer`], diagnostics by [`output`].

pub mod answer;
pub mod args;
pub mod batch;
pub mod check;
pub mod console;
pub mod eval;
pub mod explain;
pub mod fmt;
pub mod functions;
pub mod functions_json;
pub mod needs;
pub mod output;
pub mod outside;
pub mod prompt;
pub mod sarif;
pub mod scope;
pub mod value_json;
pub mod vars;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Verb};
use output::{Failure, Outcome};

/// Reads the arguments of the process, does what they ask, and says how it went.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.verb {
        Verb::Eval(arguments) => eval::run(arguments),
        Verb::Check(arguments) => check::run(arguments),
        Verb::Vars(arguments) => vars::run(arguments),
        Verb::Fmt(arguments) => fmt::run(arguments),
        Verb::Functions(arguments) => functions::run(arguments),
        Verb::Console(arguments) => prompt::run(arguments),
    };
    match outcome {
        Ok(outcome) => outcome.exit_code(),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Outcome::Success.exit_code()
        }
        Err(failure) => {
            output::complain(&failure);
            failure.exit_code()
        }
    }
}
