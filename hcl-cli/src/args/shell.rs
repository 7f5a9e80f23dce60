//! Arguments of `hcl completions` and `hcl man`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `hcl completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl completions bash > ~/.local/share/bash-completion/completions/hcl
  hcl completions zsh > \"${fpath[1]}/_hcl\"
  hcl completions fish > ~/.config/fish/completions/hcl.fish
  hcl completions powershell >> $PROFILE")]
pub struct CompletionsArguments {
    /// For which shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell that can complete arguments.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
    /// PowerShell
    #[value(name = "powershell")]
    PowerShell,
}

/// Arguments of `hcl man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hcl man | man -l -
  hcl man --to /usr/local/share/man/man1")]
pub struct ManArguments {
    /// The verb whose page is printed, or `hcldec`; without it that of `hcl`
    #[arg(value_name = "VERB", conflicts_with = "folder")]
    pub verb: Option<String>,
    /// Write all pages into a folder
    #[arg(long = "to", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}
