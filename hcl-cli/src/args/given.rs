//! `--var`, `--var-string` and `--var-file`, in the order in which they stand.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// A value for a variable, or a file of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenArgument {
    /// `--var NAME=EXPR`
    Variable(String),
    /// `--var-string NAME=TEXT`
    Text(String),
    /// `--var-file FILE`
    File(PathBuf),
}

/// Values of variables in the order of the command line: where several are for one variable, the last counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GivenArguments(pub Vec<GivenArgument>);

const VARIABLE: &str = "var";
const TEXT: &str = "var_string";
const FILE: &str = "var_file";

impl GivenArguments {
    /// The files of values.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter_map(|given| match given {
            GivenArgument::File(path) => Some(path.as_path()),
            GivenArgument::Variable(_) | GivenArgument::Text(_) => None,
        })
    }
}

impl Args for GivenArguments {
    fn augment_args(command: Command) -> Command {
        let variable = Arg::new(VARIABLE).long("var").value_name("NAME=EXPR").action(ArgAction::Append)
            .help("Define a variable; the right side is an expression")
            .long_help(
                "Define a variable; the right side is an expression, or inside a module what the product makes of it: a \
                 text for variables of type string",
            );
        let text = Arg::new(TEXT)
            .long("var-string")
            .value_name("NAME=TEXT")
            .action(ArgAction::Append)
            .help("Define a variable; the right side is a text, whatever is in it");
        let file = Arg::new(FILE)
            .long("var-file")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(OsString))
            .help("Define a variable for every attribute of a file")
            .long_help(
                "Define a variable for every attribute of a file; names that end in .json are read as JSON syntax. \
                 Repeat for several files: of several values for a variable the last counts",
            );
        command.arg(variable).arg(text).arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut all: Vec<(usize, GivenArgument)> = Vec::new();
        let variable = |text: &String| GivenArgument::Variable(text.clone());
        let text = |text: &String| GivenArgument::Text(text.clone());
        all.extend(with_places::<String>(matches, VARIABLE).map(|(at, given)| (at, variable(given))));
        all.extend(with_places::<String>(matches, TEXT).map(|(at, given)| (at, text(given))));
        let file = |path: &OsString| GivenArgument::File(PathBuf::from(path));
        all.extend(with_places::<OsString>(matches, FILE).map(|(at, given)| (at, file(given))));
        // clap keeps the values of each argument apart; their places bring back the common order.
        all.sort_by_key(|(at, _)| *at);
        Ok(Self(all.into_iter().map(|(_, given)| given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of an argument with their places on the command line.
fn with_places<'m, T: Clone + Send + Sync + 'static>(
    matches: &'m ArgMatches,
    id: &'m str,
) -> impl Iterator<Item = (usize, &'m T)> {
    let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
    let places = matches.indices_of(id).into_iter().flatten().filter(move |_| is_given);
    places.zip(matches.get_many::<T>(id).into_iter().flatten())
}
