//! `hcl-bench`: what libhcl costs, measured beside its peers in one run.
//!
//! Without a verb it measures parsing and evaluation. `hcl-bench pathological` feeds libhcl what attackers
//! would and fails when a bound is broken. `hcl-bench parse FILE` parses one file again and again, for
//! profilers.

#![expect(clippy::print_stdout, reason = "the report goes there")]

mod allocation;
mod clock;
mod context;
mod expressions;
mod growth;
mod hcl_rs_functions;
mod inputs;
mod ordeal;
mod parse;
mod pathological;
mod profile;
mod random;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use ordeal::Bounds;
use report::Report;

/// Measure libhcl beside its peers, in one run.
#[derive(Parser, Debug)]
#[command(name = "hcl-bench", max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    measure: MeasureArguments,
}

#[derive(Args, Debug)]
struct MeasureArguments {
    /// Small inputs and few samples, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Only measure parsing
    #[arg(long)]
    parse: bool,
    /// Only measure expressions
    #[arg(long)]
    expressions: bool,
    /// Write the report to a file, too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Parse and evaluate pathological input; fails when a bound is broken
    Pathological(PathologicalArguments),
    /// Measure functions at 1,000, 10,000 and 100,000 elements beside the Go reference; fails when one grows too much
    Growth(GrowthArguments),
    /// Parse and evaluate one pathological input and print the figures
    #[command(hide = true)]
    Ordeal {
        /// The kind
        kind: String,
        /// The count
        n: usize,
    },
    /// Do one piece of work a number of times, for profilers
    Profile(profile::Arguments),
}

#[derive(Args, Debug)]
struct PathologicalArguments {
    /// Counts to make the input of
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    n: Vec<usize>,
    /// Only ask whether it is survived, not what it costs
    #[arg(long)]
    survive: bool,
    /// Only these kinds
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    kind: Vec<String>,
    /// Write the report to a file, too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct GrowthArguments {
    /// Small sizes and few samples, without the reference, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Only these, by the names of the report
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Write the report to a file, too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut report = Report::default();
    match cli.verb {
        None => {
            let MeasureArguments { quick, parse, expressions, markdown } = cli.measure;
            if parse || !expressions {
                parse::run(quick, &mut report);
            }
            if expressions || !parse {
                expressions::run(quick, &mut report);
            }
            publish(&report, markdown)
        }
        Some(Verb::Pathological(PathologicalArguments { n, kind, survive, markdown })) => {
            let bounds = if survive { Bounds::Survival } else { Bounds::Cost };
            let n_violations = ordeal::run(&n, &kind, bounds, &mut report);
            let published = publish(&report, markdown);
            if n_violations > 0 { ExitCode::FAILURE } else { published }
        }
        Some(Verb::Growth(GrowthArguments { quick, names, markdown })) => {
            let n_violations = growth::run(quick, &names, &mut report);
            let published = publish(&report, markdown);
            if n_violations > 0 && !quick { ExitCode::FAILURE } else { published }
        }
        Some(Verb::Ordeal { kind, n }) => match pathological::by_name(&kind) {
            Some(kind) => {
                ordeal::endure(kind, n);
                ExitCode::SUCCESS
            }
            None => ExitCode::from(2),
        },
        Some(Verb::Profile(arguments)) => {
            profile::run(&arguments);
            ExitCode::SUCCESS
        }
    }
}

fn publish(report: &Report, markdown: Option<PathBuf>) -> ExitCode {
    let text = report.markdown();
    print!("{text}");
    match markdown.map(|path| std::fs::write(path, &text)) {
        Some(Err(problem)) => {
            println!("The report could not be written: {problem}.");
            ExitCode::FAILURE
        }
        Some(Ok(())) | None => ExitCode::SUCCESS,
    }
}
