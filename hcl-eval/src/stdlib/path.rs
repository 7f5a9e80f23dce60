//! Paths as texts: `basename` and `dirname`. They look at no file system.

use super::support::{function, long_text, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::types::Type;

/// A function from one path to another.
fn of_path(
    name: &'static str,
    description: &'static str,
    body: fn(&mut Invocation<'_>, &str) -> Result<String, FunctionError>,
) -> Function {
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
    of_path("dirname", "Gives a path without its last part.", |invocation, path| {
        clean_on(before_last_part(path), |bytes| invocation.go_on(1 + bytes / BYTES_PER_PART))
    })
}

/// A path without its last part, cleaned.
#[cfg(feature = "hash")]
pub(super) fn without_last_part(path: &str) -> String {
    clean(before_last_part(path))
}

/// A path up to its last slash; empty if there is none.
fn before_last_part(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The shortest path that means the same, by the text alone: no `.`, no empty parts, `..` only at the start. An empty
/// path is `.`.
#[cfg(feature = "hash")]
pub(super) fn clean(path: &str) -> String {
    let Ok(cleaned) = clean_on(path, |_| Ok::<(), std::convert::Infallible>(()));
    cleaned
}

/// [`clean`] with looks at a clock: `go_on` is told of the bytes that come next.
fn clean_on<E>(path: &str, mut go_on: impl FnMut(usize) -> Result<(), E>) -> Result<String, E> {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        go_on(part.len())?;
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if rooted => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Ok(match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    })
}
