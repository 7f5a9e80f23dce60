//! `hcl console`: ask, and see at once.
//!
//! At a terminal a line editor reads the input: `editor` knows the keys' side of it (completion, hints, colors, and
//! when a line needs another), `session` what an input means. Input from a pipe goes through the same session,
//! one expression after the other.

mod completion;
mod editor;
mod highlight;
mod incomplete;
mod interrupt;
mod session;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use crate::args::{ConsoleArguments, ReportingArguments};
use crate::notes::tell;
use crate::output::{Failure, Outcome, print, report, use_color};
#[cfg(unix)]
use crate::signals;
use editor::Assistant;
use incomplete::is_incomplete;
use session::{Reply, Session};

/// Runs the verb.
///
/// # Errors
/// A file of variables can't be read, an argument makes no sense, or nothing can be written.
pub fn run(arguments: &ConsoleArguments) -> Result<Outcome, Failure> {
    let (session, diagnostics) = Session::new(arguments)?;
    report(&diagnostics, &arguments.reporting)?;
    let outcome = Outcome::of(&diagnostics);
    // A module with errors answers all the same, unless it could not be loaded.
    if outcome != Outcome::Success && !session.can_answer() {
        return Ok(outcome);
    }
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        interactive(arguments, session)
    } else {
        Ok(outcome.max(piped(arguments, session)?))
    }
}

/// One input after the other; what is wrong with one does not keep the next from being answered.
fn piped(arguments: &ConsoleArguments, mut session: Session) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Success;
    let mut input = String::new();
    let mut stdin = io::stdin().lock();
    loop {
        let at_end =
            stdin.read_line(&mut input).map_err(|error| Failure::Input(PathBuf::from("-"), error))? == 0;
        // At the end of the input an incomplete expression is answered as it is, with its error.
        if !at_end && is_incomplete(&input) {
            continue;
        }
        if !input.trim().is_empty() {
            let reply = session.answer(&input)?;
            match shown(reply, &arguments.reporting)? {
                Some(one) => outcome = outcome.max(one),
                None => return Ok(outcome),
            }
        }
        if at_end {
            return Ok(outcome);
        }
        input.clear();
    }
}

/// Shows a reply; the outcome is none if it ends the console.
fn shown(reply: Reply, how: &ReportingArguments) -> Result<Option<Outcome>, Failure> {
    match reply {
        Reply::Value(text, notes) => {
            print(&text)?;
            tell(&notes, how)?;
        }
        Reply::Text(text) => print(&text)?,
        Reply::Complaints(diagnostics, notes) => {
            report(&diagnostics, how)?;
            tell(&notes, how)?;
            return Ok(Some(Outcome::of(&diagnostics)));
        }
        Reply::Exit => return Ok(None),
    }
    Ok(Some(Outcome::Success))
}

/// Reads with a line editor until the user has had enough. Nothing that is typed ends with a status but success.
fn interactive(arguments: &ConsoleArguments, session: Session) -> Result<Outcome, Failure> {
    // Before threads are started, which begin with the signals of this one.
    #[cfg(unix)]
    let _held = hold_signals();
    interrupt::catch();
    let colored = use_color(arguments.reporting.color);
    let session = Arc::new(Mutex::new(session));
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .color_mode(if colored { rustyline::ColorMode::Forced } else { rustyline::ColorMode::Disabled })
        .build();
    let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config).map_err(terminal_failure)?;
    editor.set_helper(Some(Assistant::new(Arc::clone(&session), colored)));
    let history = history_file();
    if let Some(path) = &history {
        // The first time there is none.
        let _ = editor.load_history(path);
    }
    print("Type an expression, or :help for help. Ctrl-D leaves.")?;
    loop {
        let input = match editor.readline("hcl> ") {
            Ok(input) => input,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) if is_no_text(&error) => {
                print("That was not UTF-8, and is forgotten.")?;
                continue;
            }
            Err(error) => return Err(terminal_failure(error)),
        };
        if input.trim().is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(input.as_str());
        if let Some(path) = &history {
            // A history that can't be kept is no reason to stop.
            let _ = editor.append_history(path);
        }
        let reply = session.lock().unwrap_or_else(PoisonError::into_inner).answer(&input)?;
        if shown(reply, &arguments.reporting)?.is_none() {
            break;
        }
        io::stdout().flush()?;
    }
    Ok(Outcome::Success)
}

/// Lets signals that end the process leave the terminal as it is now.
#[cfg(unix)]
fn hold_signals() -> Option<signals::HeldBack> {
    signals::keep_terminal();
    signals::HeldBack::new()
}

/// True if the keys that were read are no text, which is no reason to leave.
fn is_no_text(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == io::ErrorKind::InvalidData)
}

/// A failure of the line editor as one of the output.
fn terminal_failure(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => Failure::Output(error),
        error => Failure::Output(io::Error::other(error)),
    }
}

/// Where the history is kept between runs: in the user's state folder. Nowhere if there is none.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    let folder = state.join("hcl");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("console_history"))
}
