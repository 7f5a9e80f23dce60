//! Arguments of `hcl functions`.

use clap::Args;

use super::scope::Dialect;

/// Arguments of `hcl functions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl functions --dialect nomad
  hcl functions substr cidrsubnet
  hcl functions --json > functions.json")]
pub struct FunctionsArguments {
    /// Functions to show in full, in every dialect that has them
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Whose functions are listed; without it those of Terraform
    #[arg(long, value_parser = Dialect::parser(), hide_possible_values = true)]
    pub dialect: Option<Dialect>,
    /// Print JSON of the shape of `terraform metadata functions -json`, with more in it
    #[arg(long)]
    pub json: bool,
}
