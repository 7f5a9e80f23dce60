//! Paths as texts: `basename` and `dirname`. They look at no file system.

use super::support::{function, in_stretches, long_text, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::types::Type;

/// A function that makes one path of another.
pub(super) type OfPath = fn(&mut Invocation<'_>, &str) -> Result<String, FunctionError>;

/// A function from one path to another.
fn of_path(name: &'static str, description: &'static str, body: OfPath) -> Function {
    function(name, description)
        .parameter(Parameter::new("path", Type::String).described("The path; its parts are separated by /."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len())?;
            let part = body(invocation, text(args, 0))?;
            long_text(invocation, &part)
        })
}

/// `basename(path)`
pub(crate) fn basename() -> Function {
    of_path("basename", "Gives the last part of a path.", |_, path| Ok(last_part(path)))
}

/// The last part of a path, of which slashes at the end are none: `.` for an empty path, `/` for one of slashes only.
pub(super) fn last_part(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    match (path, trimmed.rsplit('/').next()) {
        ("", _) => ".".to_owned(),
        (_, Some(last)) if !last.is_empty() => last.to_owned(),
        _ => "/".to_owned(),
    }
}

/// `dirname(path)`
pub(crate) fn dirname() -> Function {
    of_path("dirname", "Gives a path without its last part.", without_last_part)
}

/// A path without its last part, cleaned.
pub(super) fn without_last_part(
    invocation: &mut Invocation<'_>,
    path: &str,
) -> Result<String, FunctionError> {
    clean(invocation, before_last_part(path))
}

/// A path up to its last slash; empty if there is none.
fn before_last_part(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The shortest path that means the same, by the text alone: no `.`, no empty parts, `..` only at the start. An empty
/// path is `.`.
pub(super) fn clean(invocation: &mut Invocation<'_>, path: &str) -> Result<String, FunctionError> {
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut cleaned = invocation.text_room(path.len())?;
    cleaned.push_str(root);
    // The parts that a `..` may take back.
    let mut n_parts = 0_usize;
    for part in path.split('/') {
        invocation.go_on(1)?;
        match part {
            "" | "." => {}
            ".." if n_parts > 0 => {
                n_parts -= 1;
                cleaned.truncate(cleaned.rfind('/').unwrap_or(0).max(root.len()));
            }
            ".." if !root.is_empty() => {}
            _ => {
                n_parts += usize::from(part != "..");
                push_part(&mut cleaned, "");
                in_stretches(invocation, part, |stretch| cleaned.push_str(stretch))?;
            }
        }
    }
    if cleaned.is_empty() {
        cleaned.push('.');
    }
    Ok(cleaned)
}

/// Adds a part to a path, which may be empty for the working directory.
pub(super) fn push_part(path: &mut String, part: &str) {
    if !path.is_empty() && path != "/" {
        path.push('/');
    }
    path.push_str(part);
}
