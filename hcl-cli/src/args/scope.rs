//! Which names are in scope, and what functions may look at.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hcl_eval::dialect;
use hcl_syntax::json::reading::Reader;

use super::given::GivenArguments;

/// Names in scope.
#[derive(Args, Clone, Debug)]
pub struct ScopeArguments {
    /// Whose functions are in scope and whose rules hold: hcl, terraform, opentofu, packer or nomad
    ///
    /// A name alone means the newest release; a release behind it means that one, as in terraform-1.11.
    #[arg(long, value_parser = Dialect::parser(), hide_possible_values = true, default_value_t = Dialect::TERRAFORM)]
    pub dialect: Dialect,
    /// Values of variables.
    #[command(flatten)]
    pub given: GivenArguments,
    /// Evaluate inside a module: a folder, or files
    ///
    /// Its variables are in `var`, its locals in `local`, the modules that it calls in `module`, its folder in `path`.
    /// Values of --var and --var-file are then those of its variables, read as the product of --dialect reads them.
    /// `path.cwd` needs --allow fs, values in the environment need --allow env; `NOMAD_VAR_NAME` of a job needs neither.
    /// Repeat for several files.
    #[arg(long = "module", value_name = "DIR|FILE")]
    pub modules: Vec<PathBuf>,
    /// Report only what is wrong with the parts of a module that are needed
    ///
    /// Without it, all of it is evaluated, as the product's console does.
    #[arg(long, requires = "modules")]
    pub on_demand: bool,
    /// Give resources and data sources of a module the values that a plan gives them, as far as their blocks tell
    ///
    /// That is an object with the attributes of the block, a tuple by `count`, an object by `for_each`. Without it they
    /// are unknown, as in the product's console.
    #[arg(long, requires = "modules")]
    pub planned: bool,
    /// Give a resource or data source of a module a value, as `TYPE.NAME=EXPR` or `data.TYPE.NAME[KEY]=EXPR`
    ///
    /// `module.NAME.TYPE.NAME=EXPR` is one of a module that is called. Repeat for several; the last counts.
    #[arg(long = "value", value_name = "ADDRESS=EXPR", requires = "modules")]
    pub values: Vec<String>,
    /// Accept values for variables that a job of Nomad does not declare, as with its -hcl2-strict=false
    #[arg(long)]
    pub lax: bool,
    /// Leave interpolations of templates as they are written when they use names that are not defined here
    ///
    /// `${NOMAD_PORT_http}` is such a one. Outside of templates such a reference becomes an interpolation. The dialect of
    /// Nomad has a rule of its own.
    #[arg(long)]
    pub leave_unknown: bool,
    /// Allow functions that depend on more than their arguments: fs[=DIR], env, clock, random
    ///
    /// There is network too, for which the command has no client.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = parse_capability)]
    pub allow: Vec<Capability>,
}

/// Whose function library is in scope: a product in a release.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dialect(&'static str);

/// A product, whatever its release.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Product {
    /// None: the language alone.
    Hcl,
    /// Terraform.
    Terraform,
    /// OpenTofu.
    Opentofu,
    /// Packer.
    Packer,
    /// Nomad.
    Nomad,
}

impl Product {
    /// How its files are read.
    pub fn reader(self) -> Reader {
        match self {
            Self::Hcl => Reader::Anybody,
            Self::Terraform => Reader::Terraform,
            Self::Opentofu => Reader::OpenTofu,
            Self::Packer => Reader::Packer,
            Self::Nomad => Reader::Nomad,
        }
    }
}

impl Dialect {
    /// Terraform in its newest release.
    pub const TERRAFORM: Self = Self("terraform");

    /// Reads a dialect on the command line; what is refused is told with all names that there are.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(dialect::names()).try_map(|name| {
            let known = dialect::names().find(|known| *known == name);
            known.map(Self).ok_or("there is no such dialect")
        })
    }

    /// The product that it is a release of.
    pub fn product(self) -> Product {
        match dialect::product(self.0) {
            Some("terraform") => Product::Terraform,
            Some("opentofu") => Product::Opentofu,
            Some("packer") => Product::Packer,
            Some("nomad") => Product::Nomad,
            _ => Product::Hcl,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Something outside the arguments that a function may look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Capability {
    /// Files, below a folder if one is given.
    Files(Option<PathBuf>),
    /// Environment variables and the home directory.
    Environment,
    /// The time of day.
    Clock,
    /// Random numbers.
    Random,
    /// The network.
    Network,
}

fn parse_capability(text: &str) -> Result<Capability, String> {
    match text.split_once('=') {
        Some(("fs", folder)) if !folder.is_empty() => Ok(Capability::Files(Some(PathBuf::from(folder)))),
        _ => match text {
            "fs" => Ok(Capability::Files(None)),
            "env" => Ok(Capability::Environment),
            "clock" => Ok(Capability::Clock),
            "random" => Ok(Capability::Random),
            "network" => Ok(Capability::Network),
            _ => Err("expected fs, fs=DIR, env, clock, random or network".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_name_what_they_open() {
        assert_eq!(parse_capability("fs=sub"), Ok(Capability::Files(Some("sub".into()))));
        assert!(parse_capability("fs=").is_err());
        assert!(parse_capability("disk").is_err());
    }
}
