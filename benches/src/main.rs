//! `hcl-bench`: what libhcl costs, measured beside its peers in one run.
//!
//! Without a verb it measures everything and holds it against the goals. `hcl-bench pathological` feeds libhcl what
//! attackers would and fails when a bound is broken. `hcl-bench guard` counts instructions and fails when they grow.
//! `hcl-bench profile` does one piece of work again and again, for profilers.

#![expect(clippy::print_stdout, reason = "the report goes there")]

mod allocation;
mod charts;
mod clock;
mod context;
mod depth;
mod document;
mod engines;
mod expressions;
mod findings;
mod goals;
mod growth;
mod guard;
mod inputs;
mod library;
mod linear;
mod measure;
mod numbers;
mod ordeal;
mod parse;
mod pathological;
mod peer;
mod pieces;
mod profile;
mod random;
mod report;
mod resident;
mod texts;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use findings::Findings;
use guard::Verdict;
use measure::Part;
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
    /// Only these parts
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    only: Vec<Part>,
    /// Write `performance.md` and its charts in this folder, too
    #[arg(long, value_name = "FOLDER")]
    docs: Option<PathBuf>,
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
    /// Count the instructions of a fixed set of pieces; fails when one needs more than is stored
    Guard {
        /// Store the counts instead
        #[arg(long)]
        update: bool,
        /// Compare even with counts that another compiler or C library made
        #[arg(long)]
        force: bool,
    },
    /// Do one piece of work a number of times, for profilers
    Profile(profile::Arguments),
    /// Do all pieces, or these
    #[command(hide = true)]
    Pieces {
        /// The pieces
        names: Vec<String>,
    },
    /// Nesting on a small stack
    #[command(hide = true)]
    Depth {
        /// The kind
        kind: String,
        /// The count
        n: u32,
        /// The limit of nesting
        limit: u32,
        /// The stack in KiB
        stack: u32,
    },
    /// Parse one input and print the bytes that the process grew by
    #[command(hide = true)]
    Resident {
        /// The input, like `tf_1m`
        input: String,
    },
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
    let mut findings = Findings::default();
    match cli.verb {
        None => {
            measure::run(cli.measure.quick, &cli.measure.only, &mut findings);
            let published = publish(&findings.report, cli.measure.markdown);
            let documented = cli.measure.docs.map_or(Ok(()), |docs| document::write(&docs, &findings));
            if let Err(problem) = documented {
                println!("The page could not be written: {problem}.");
                return ExitCode::FAILURE;
            }
            published
        }
        Some(Verb::Pathological(PathologicalArguments { n, kind, survive, markdown })) => {
            let bounds = if survive { Bounds::Survival } else { Bounds::Cost };
            let n_violations = ordeal::run(&n, &kind, bounds, &mut findings);
            let published = publish(&findings.report, markdown);
            if n_violations > 0 { ExitCode::FAILURE } else { published }
        }
        Some(Verb::Growth(GrowthArguments { quick, names, markdown })) => {
            let n_violations = growth::run(quick, &names, &mut findings.report);
            let published = publish(&findings.report, markdown);
            if n_violations > 0 && !quick { ExitCode::FAILURE } else { published }
        }
        Some(Verb::Guard { update, force }) => {
            let verdict = guard::run(update, force, &mut findings.report);
            print!("{}", findings.report.markdown());
            if verdict == Verdict::Passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Some(verb) => run_inner(verb),
    }
}

/// Verbs for profilers, and those that the program starts itself with.
fn run_inner(verb: Verb) -> ExitCode {
    let went_well = match verb {
        Verb::Profile(arguments) => profile::run(&arguments),
        Verb::Pieces { names } => {
            guard::run_pieces(&names);
            true
        }
        Verb::Ordeal { kind, n } => {
            let kind = pathological::by_name(&kind);
            kind.inspect(|kind| ordeal::endure(*kind, n)).is_some()
        }
        Verb::Depth { kind, n, limit, stack } => depth::attempt(&kind, n, limit, stack),
        Verb::Resident { input } => {
            resident::run(&input);
            true
        }
        Verb::Pathological(_) | Verb::Growth(_) | Verb::Guard { .. } => false,
    };
    if went_well { ExitCode::SUCCESS } else { ExitCode::from(2) }
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
