//! The command line of `hcldec`, read as the reference reads it.
//!
//! Flags and files may be mixed, `--` ends flags. `--name=value` and `--name value` are the same, and so are `-s
//! value`, `-svalue` and `-s=value`; flags that are on or off take a value after `=` only. These are the rules of
//! Go's pflag, and so are the messages; clap, which reads the other commands' arguments, has rules of its own and
//! only makes the manual page here.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command};

/// The options of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Options {
    /// The path of the specification; empty if none was given, which is told by a message of its own.
    pub(super) spec: String,
    /// The path of the result; empty for standard output.
    pub(super) out: String,
    /// The form of diagnostics, not yet checked; empty for text.
    pub(super) diagnostics: String,
    pub(super) var_refs: bool,
    pub(super) with_type: bool,
    pub(super) version: bool,
    pub(super) keep_nulls: bool,
    /// The values of `--vars`, in their order.
    pub(super) variables: Vec<String>,
    /// The paths of the input; standard input without any.
    pub(super) files: Vec<String>,
}

/// The result of reading a command line.
pub(super) enum Reading {
    /// The options, if all of it can be read.
    Options(Options),
    /// How the command is used, after what is wrong if anything is.
    Usage(String),
}

/// The options that flags set.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Flag {
    Diagnostics,
    KeepNulls,
    Out,
    Spec,
    VarRefs,
    Vars,
    Version,
    WithType,
}

/// A flag with its long and short names, what its value is called, and what it is for.
struct Description(Flag, &'static str, Option<char>, &'static str, &'static str);

/// The flags in the order of the usage, which is that of their names.
const FLAGS: [Description; 8] = [
    Description(
        Flag::Diagnostics,
        "diags",
        None,
        "string",
        "write diagnostics in another form; \"json\" is the only one",
    ),
    Description(
        Flag::KeepNulls,
        "keep-nulls",
        None,
        "",
        "keep properties whose value is null, which are left out otherwise",
    ),
    Description(
        Flag::Out,
        "out",
        Some('o'),
        "string",
        "write the result to this file instead of standard output",
    ),
    Description(Flag::Spec, "spec", Some('s'), "string", "the file with the specification (required)"),
    Description(
        Flag::VarRefs,
        "var-refs",
        None,
        "",
        "do not decode, but describe as JSON which variables the input refers to",
    ),
    Description(
        Flag::Vars,
        "vars",
        Some('V'),
        "json-or-file",
        "variables for the input: a JSON object, or a file of attributes",
    ),
    Description(Flag::Version, "version", Some('v'), "", "show the version and do nothing else"),
    Description(Flag::WithType, "with-type", None, "", "write the type of the value beside it"),
];

impl Description {
    /// True if the flag is on or off, which those are whose value has no name.
    fn is_switch(&self) -> bool {
        self.3.is_empty()
    }

    /// The flag as messages name it.
    fn shown(&self) -> String {
        match self.2 {
            Some(short) => format!("-{short}, --{}", self.1),
            None => format!("--{}", self.1),
        }
    }
}

/// Reads the arguments without the command's name.
pub(super) fn read(arguments: &[String]) -> Reading {
    let mut reader = Reader { options: Options::default(), rest: arguments };
    match reader.read() {
        Ok(()) => Reading::Options(reader.options),
        Err(Refused::Help) => Reading::Usage(usage()),
        Err(Refused::Because(message)) => Reading::Usage(format!("{message}\n{}", usage())),
    }
}

/// The reasons to show the usage.
enum Refused {
    /// It was asked for.
    Help,
    /// An argument makes no sense.
    Because(String),
}

/// Arguments on the way to options.
struct Reader<'a> {
    options: Options,
    rest: &'a [String],
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Reads all arguments. A single dash is a file.
    fn read(&mut self) -> Result<(), Refused> {
        while let Some(argument) = self.next() {
            if argument == "--" {
                self.options.files.extend_from_slice(self.rest);
                break;
            } else if let Some(long) = argument.strip_prefix("--") {
                self.long(argument, long)?;
            } else {
                match argument.strip_prefix('-') {
                    Some(short) if !short.is_empty() => self.short(short)?,
                    _ => self.options.files.push(argument.to_owned()),
                }
            }
        }
        Ok(())
    }

    /// Reads a flag by its long name, with its value. `argument` is all of it, for messages.
    fn long(&mut self, argument: &str, text: &str) -> Result<(), Refused> {
        if text.starts_with(['-', '=']) {
            return Err(Refused::Because(format!("bad flag syntax: {argument}")));
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let Some(flag) = FLAGS.iter().find(|flag| flag.1 == name) else {
            return Err(match name {
                "help" => Refused::Help,
                _ => Refused::Because(format!("unknown flag: --{name}")),
            });
        };
        let value = match value {
            Some(value) => value,
            None if flag.is_switch() => "true",
            None => {
                self.next().ok_or_else(|| Refused::Because(format!("flag needs an argument: {argument}")))?
            }
        };
        self.set(flag, value)
    }

    /// Reads one or more flags by their short names, the last one perhaps with its value. A lone `=` behind a flag
    /// that takes a value is the value, as in the reference.
    fn short(&mut self, text: &str) -> Result<(), Refused> {
        let mut flags = text;
        while let Some(short) = flags.chars().next() {
            let behind = &flags[short.len_utf8()..];
            let Some(flag) = FLAGS.iter().find(|flag| flag.2 == Some(short)) else {
                return Err(match short {
                    'h' => Refused::Help,
                    _ => Refused::Because(format!("unknown shorthand flag: {short:?} in -{flags}")),
                });
            };
            let assigned = behind.strip_prefix('=').filter(|value| !value.is_empty());
            if let Some(value) = assigned {
                return self.set(flag, value);
            }
            if flag.is_switch() {
                self.set(flag, "true")?;
                flags = behind;
                continue;
            }
            let value = if behind.is_empty() {
                let missing = || format!("flag needs an argument: {short:?} in -{flags}");
                self.next().ok_or_else(|| Refused::Because(missing()))?
            } else {
                behind
            };
            return self.set(flag, value);
        }
        Ok(())
    }

    /// Sets an option. Of several values the last counts, but for `--vars`.
    fn set(&mut self, flag: &Description, value: &str) -> Result<(), Refused> {
        let options = &mut self.options;
        match flag.0 {
            Flag::Diagnostics => value.clone_into(&mut options.diagnostics),
            Flag::Out => value.clone_into(&mut options.out),
            Flag::Spec => value.clone_into(&mut options.spec),
            Flag::Vars => options.variables.push(value.to_owned()),
            Flag::KeepNulls => options.keep_nulls = switched(flag, value)?,
            Flag::VarRefs => options.var_refs = switched(flag, value)?,
            Flag::Version => options.version = switched(flag, value)?,
            Flag::WithType => options.with_type = switched(flag, value)?,
        }
        Ok(())
    }
}

/// The truth value of a flag, as Go's strconv reads it.
fn switched(flag: &Description, value: &str) -> Result<bool, Refused> {
    match value {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(Refused::Because(format!(
            "invalid argument {value:?} for {:?} flag: {value:?} is neither true nor false",
            flag.shown()
        ))),
    }
}

/// How the command is used.
fn usage() -> String {
    // The column in which purposes begin.
    const WIDTH: usize = 28;
    let mut text = String::from("usage: hcldec --spec=<spec-file> [options] [hcl-file ...]\n");
    for Description(_, long, short, value, purpose) in &FLAGS {
        let short = short.map_or_else(|| "    ".to_owned(), |short| format!("-{short}, "));
        let name = format!("  {short}--{long} {value}");
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:WIDTH$}{purpose}");
    }
    text
}

/// The command as its manual page describes it.
pub(super) fn command() -> Command {
    let flags = FLAGS.iter().map(|Description(flag, long, short, value, purpose)| {
        let argument = Arg::new(*long).long(*long).help(*purpose).required(*flag == Flag::Spec);
        let argument = if let Some(short) = short { argument.short(*short) } else { argument };
        if value.is_empty() { argument.action(ArgAction::SetTrue) } else { argument.value_name(*value) }
    });
    let files = "The files to decode, all as one; standard input without any. Files whose names end with .json are of \
                 JSON syntax.";
    Command::new("hcldec")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Decode HCL files as a specification says, and write the value as JSON")
        .args(flags)
        .arg(Arg::new("hcl-file").num_args(0..).help(files))
        .disable_version_flag(true)
        .after_help(
            "Exit status: 0 success, 1 something kept the command from its work, 2 the input or the usage is \
             wrong. `hcl decode` does the same with the flags of `hcl`.",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match read(&arguments) {
            Reading::Options(options) => Ok(options),
            Reading::Usage(text) => Err(text.lines().next().unwrap_or_default().to_owned()),
        }
    }

    #[test]
    fn values_can_be_given_in_many_ways() {
        for line in ["--spec=f", "--spec f", "-s f", "-sf", "-s=f", "-s g --spec=f", "-vsf", "-v=true -s=f"] {
            assert_eq!(options(line).map(|options| options.spec), Ok("f".to_owned()), "{line}");
        }
        let mixed = options("a --vars x=1 b -V {} -- --spec - --keep-nulls=0").expect("a good line");
        assert_eq!(mixed.files, ["a", "b", "--spec", "-", "--keep-nulls=0"]);
        assert_eq!(mixed.variables, ["x=1", "{}"]);
        assert_eq!(options("-").map(|options| options.files), Ok(vec!["-".to_owned()]));
    }

    #[test]
    fn wrong_usage_is_told() {
        let told = |line: &str| options(line).expect_err("a wrong line");
        assert_eq!(told("--bogus"), "unknown flag: --bogus");
        assert_eq!(told("-vx"), "unknown shorthand flag: 'x' in -x");
        assert_eq!(told("--spec"), "flag needs an argument: --spec");
        assert_eq!(told("-s"), "flag needs an argument: 's' in -s");
        assert_eq!(told("--=x"), "bad flag syntax: --=x");
        assert!(told("-v=maybe").starts_with("invalid argument \"maybe\" for \"-v, --version\" flag: "));
        assert!(told("--help").starts_with("usage: ") && told("-h").starts_with("usage: "));
    }
}
