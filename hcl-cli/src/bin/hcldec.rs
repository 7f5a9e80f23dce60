//! The command `hcldec`. Everything it does is in the library `hcl_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_cli::run_hcldec()
}
