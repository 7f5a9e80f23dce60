//! `hcl completions` and `hcl man`: what a shell and `man` need to know, made from the definitions that the command
//! line itself is read by.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::generate;
use clap_complete::shells::{Bash, Fish, PowerShell, Zsh};
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArguments, ManArguments, Shell};
use crate::hcldec;
use crate::output::{Failure, Outcome, print_exactly};

/// Runs `hcl completions`.
///
/// # Errors
/// Nothing can be written.
pub fn completions(arguments: &CompletionsArguments) -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    match arguments.shell {
        Shell::Bash => generate(Bash, &mut command, "hcl", &mut script),
        Shell::Zsh => generate(Zsh, &mut command, "hcl", &mut script),
        Shell::Fish => generate(Fish, &mut command, "hcl", &mut script),
        Shell::PowerShell => generate(PowerShell, &mut command, "hcl", &mut script),
    }
    print_exactly(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Success)
}

/// Runs `hcl man`.
///
/// # Errors
/// There is no such verb, or nothing can be written.
pub fn man(arguments: &ManArguments) -> Result<Outcome, Failure> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.folder {
        write_pages(&command, folder)?;
        write_page(hcldec::command(), folder)?;
        return Ok(Outcome::Success);
    }
    let wanted = match &arguments.verb {
        None => command,
        Some(name) if name == "hcldec" => hcldec::command(),
        Some(name) => {
            let verb = command.find_subcommand(name).cloned();
            verb.ok_or_else(|| Failure::Usage(format!("there is no verb \"{name}\"; hcl --help lists them")))?
        }
    };
    print_exactly(&page(wanted)?)?;
    Ok(Outcome::Success)
}

/// The page of a command; that of a verb is called `hcl-VERB`.
fn page(command: Command) -> Result<String, Failure> {
    let mut out = Vec::new();
    Man::new(command).render(&mut out)?;
    Ok(in_ascii(&String::from_utf8_lossy(&out)))
}

/// The text of a page in the names that `troff` has for characters: without them it reads bytes, unless `preconv` goes before.
fn in_ascii(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for c in page.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "\\[u{:04X}]", u32::from(c));
        }
    }
    out
}

/// The pages of a command and of its verbs, and of theirs.
fn write_pages(command: &Command, folder: &Path) -> Result<(), Failure> {
    write_page(command.clone(), folder)?;
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        write_pages(verb, folder)?;
    }
    Ok(())
}

/// Writes the page of a command into a folder, which is made if it is not there.
fn write_page(command: Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    let refused = |error| Failure::Input(path.clone(), error);
    fs::create_dir_all(folder).map_err(|error| Failure::Input(folder.to_owned(), error))?;
    fs::write(&path, page(command)?).map_err(refused)
}
