//! Arguments of `hcl explain-error`.

use clap::Args;

use super::reporting::ColorChoice;

/// Arguments of `hcl explain-error`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl explain-error parse.block_unclosed
  hcl explain-error 'Invalid character'
  hcl explain-error json")]
pub struct ExplainErrorArguments {
    /// The code, which stands behind the summary of a diagnostic, the summary itself, or the first part of codes;
    /// without it all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// Colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}
