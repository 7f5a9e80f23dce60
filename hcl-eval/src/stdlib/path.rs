//! Paths as texts: `basename` and `dirname`. They look at no file system.

use super::support::{function, text};
use crate::function::{Function, Parameter};
use crate::types::Type;
use crate::value::Value;

fn of_path(name: &'static str, description: &'static str, body: fn(&str) -> String) -> Function {
    function(name, description)
        .parameter(Parameter::new("path", Type::String).described("The path; its parts are separated by /."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len())?;
            Ok(Value::string(body(text(args, 0))))
        })
}

/// `basename(path)`
pub(crate) fn basename() -> Function {
    of_path("basename", "Gives the last part of a path.", last_part)
}

/// The last part of a path.
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
pub(super) fn without_last_part(path: &str) -> String {
    clean(path.rfind('/').map_or("", |slash| &path[..=slash]))
}

/// The shortest path that means the same, by the text alone.
pub(super) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
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
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}
