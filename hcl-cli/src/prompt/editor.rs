//! Answers for the line editor: completions, hints, colors, and whether a line needs another.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use super::completion::{candidates, signature};
use super::highlight::highlighted;
use super::incomplete::is_incomplete;
use super::session::Session;

/// Answers the line editor for a session.
pub(super) struct Assistant {
    /// The session, which is answered from between keys and shared with the loop that reads lines.
    session: Arc<Mutex<Session>>,
    colored: bool,
}

impl Assistant {
    pub(super) fn new(session: Arc<Mutex<Session>>, colored: bool) -> Self {
        Self { session, colored }
    }

    /// The session. One that a panic left locked is used nevertheless.
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Helper for Assistant {}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = candidates(&self.session(), line, pos);
        let pair = |candidate: super::completion::Candidate| Pair {
            display: candidate.shown,
            replacement: candidate.text,
        };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// The rest of the signature, right behind the parenthesis that opens a call.
    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        if pos < line.len() { None } else { signature(&self.session(), line) }
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.colored { Cow::Owned(highlighted(line)) } else { Cow::Borrowed(line) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.colored { Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")) } else { Cow::Borrowed(hint) }
    }

    /// Colors are renewed with every key that changes the line.
    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.colored && kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_incomplete(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}
