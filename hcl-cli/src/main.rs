//! The command `hcl`. Everything it does is in the library `hcl_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hcl_cli::run()
}
