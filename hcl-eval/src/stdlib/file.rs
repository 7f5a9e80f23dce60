//! Files as texts, in base64, as digests, and whether they are there.
//!
//! A path may begin with `~`, the home directory. It is cleaned by its text; where relative ones start is the
//! host's business. What a path is may be secret: then messages do not show it.

use sha2::{Sha256, Sha512};

use super::encoding::{encode_base64, to_base64};
use super::hash::{digest_of, hex};
use super::path::{OfPath, clean};
use super::support::{function, in_stretches, long_text, quoted, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::host::{Capability, FileKind, HostError};
use crate::types::Type;
use crate::value::Value;
use crate::value::string::utf8_within;

/// A path argument.
pub(super) struct PathArgument {
    /// As messages show it.
    shown: String,
    /// As the host gets it.
    path: String,
}

/// The meaning of `~` at the beginning of a path.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Tilde {
    /// The home directory, as in all products but for `filebase64` of Packer.
    Home,
    /// Nothing; nor does the host say where a relative path begins.
    Ordinary,
}

/// Why there is no content.
pub(super) enum Unread {
    /// Something is wrong with the path.
    Path(String),
    /// Something else.
    Other(FunctionError),
}

impl From<FunctionError> for Unread {
    fn from(error: FunctionError) -> Self {
        Self::Other(error)
    }
}

/// The argument to blame for a path that can't be read.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Blame {
    /// The parameter for the path.
    Parameter,
    /// The call as a whole.
    Call,
}

impl Unread {
    /// The error of a function.
    pub(super) fn blaming(self, blame: Blame) -> FunctionError {
        match self {
            Self::Path(detail) => match blame {
                Blame::Parameter => FunctionError::argument(0, detail),
                Blame::Call => FunctionError::new(detail),
            },
            Self::Other(error) => error,
        }
    }

    /// The error of a function that never blames the path parameter, as digests and `fileexists` do not in the
    /// reference.
    fn of_call(self) -> FunctionError {
        self.blaming(Blame::Call)
    }
}

/// The first argument as a path.
fn path_argument(
    invocation: &mut Invocation<'_>,
    args: &[Value],
    tilde: Tilde,
) -> Result<PathArgument, Unread> {
    let Some(value) = args.first() else { return Err(FunctionError::new("a path is required").into()) };
    let shown = quoted(value);
    let (plain, _) = value.unmark();
    let path = plain.as_str().unwrap_or_default();
    let path = match tilde {
        Tilde::Home => match expand_home(invocation, path)? {
            Some(expanded) => expanded,
            None => clean(invocation, path)?,
        },
        Tilde::Ordinary => from_working_directory(invocation, path)?,
    };
    Ok(PathArgument { shown, path })
}

/// A path made absolute and cleaned, if the host tells the working directory: it begins there also where the host lets other
/// relative paths begin in a folder of its own.
fn from_working_directory(invocation: &mut Invocation<'_>, path: &str) -> Result<String, FunctionError> {
    let start = invocation.ask(Capability::Files, |host| host.working_directory()).ok();
    match start {
        Some(start) if !path.starts_with('/') => clean_joined(invocation, [&start, "/", path]),
        _ => clean(invocation, path),
    }
}

/// A path of pieces, cleaned.
pub(super) fn clean_joined(
    invocation: &mut Invocation<'_>,
    pieces: [&str; 3],
) -> Result<String, FunctionError> {
    let mut joined = invocation.text_room(pieces.iter().map(|piece| piece.len()).sum())?;
    for piece in pieces {
        in_stretches(invocation, piece, |stretch| joined.push_str(stretch))?;
    }
    clean(invocation, &joined)
}

/// A path that begins with `~` with the home directory in its place, cleaned; `None` if it does not.
pub(super) fn expand_home(invocation: &mut Invocation<'_>, path: &str) -> Result<Option<String>, Unread> {
    let Some(rest) = path.strip_prefix('~') else { return Ok(None) };
    if !rest.is_empty() && !rest.starts_with('/') {
        return Err(Unread::Path(
            "only ~ and what begins with ~/ can be expanded, not the home of another user".into(),
        ));
    }
    let home = invocation.ask(Capability::Environment, |host| host.home_directory());
    let home = home.map_err(FunctionError::from)?;
    invocation.charge_bytes(home.len())?;
    Ok(Some(clean_joined(invocation, [&home, rest, ""])?))
}

/// The content of a file, charged before it is kept.
fn read(invocation: &mut Invocation<'_>, argument: &PathArgument) -> Result<Vec<u8>, Unread> {
    // The host is told how much may be read, so that a file that is too large is not read first and refused
    // afterwards.
    let most = invocation.meter().bytes_left();
    let shown = &argument.shown;
    match invocation.ask(Capability::Files, |host| host.read_file(&argument.path, most)) {
        Ok(content) => {
            invocation.charge_bytes(content.len())?;
            Ok(content)
        }
        Err(HostError::NotFound) => Err(Unread::Path(format!(
            "there is no file at {shown}; the file must be there before the expression is evaluated"
        ))),
        Err(HostError::TooLong) => {
            // One byte more than there is room for is a charge that fails, and says which bound it was.
            invocation.charge_bytes(usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1))?;
            Err(FunctionError::from(HostError::TooLong).into())
        }
        Err(HostError::NotAFile(kind)) => Err(Unread::Path(format!(
            "{shown} is {}, and only regular files can be read",
            kind.description()
        ))),
        Err(HostError::Failed(why)) => Err(Unread::Path(format!("failed to read {shown}: {why}"))),
        Err(error) => Err(FunctionError::from(error).into()),
    }
}

/// The content of the file that the first argument names, which must be UTF-8, and how messages name the file.
pub(super) fn read_text(invocation: &mut Invocation<'_>, args: &[Value]) -> Result<(String, String), Unread> {
    let argument = path_argument(invocation, args, Tilde::Home)?;
    let content = read(invocation, &argument)?;
    match utf8_within(content, invocation.meter()).map_err(FunctionError::from)? {
        Some(text) => Ok((text, argument.shown)),
        None => Err(FunctionError::new(format!(
            "the content of {} is not valid UTF-8; filebase64 gives it in base64, and filesha256 and the like a digest",
            argument.shown
        ))
        .into()),
    }
}

/// A function of a path that may be secret.
fn of_path(name: &'static str, description: &'static str, result: Type) -> Function {
    function(name, description)
        .parameter(Parameter::new("path", Type::String).described("The path of a file; a relative one starts from the working directory, ~/ is the home directory.").allow_marked())
        .returns(result)
        .needs(Capability::Files)
}

/// A value with the marks of the path.
fn marked_like(args: &[Value], value: Value) -> Value {
    args.first().map_or(value.clone(), |path| value.with_marks(path.marks()))
}

/// `file(path)`
pub(crate) fn file() -> Function {
    file_blaming(Blame::Parameter)
}

/// `file(path)`, which fails as a whole.
pub(crate) fn file_or_fail() -> Function {
    file_blaming(Blame::Call)
}

fn file_blaming(blame: Blame) -> Function {
    of_path("file", "Reads a file as text.", Type::String).implementation(move |invocation, args| {
        let (text, _) = read_text(invocation, args).map_err(|unread| unread.blaming(blame))?;
        let text = long_text(invocation, &text)?;
        Ok(marked_like(args, text))
    })
}

/// `filebase64(path)`
pub(crate) fn filebase64() -> Function {
    filebase64_with(Tilde::Home, Blame::Parameter)
}

/// `filebase64(path)`, which fails as a whole.
pub(crate) fn filebase64_or_fail() -> Function {
    filebase64_with(Tilde::Home, Blame::Call)
}

/// `filebase64(path)`, where `~` means nothing and paths begin in the working directory, and which fails as a whole.
pub(crate) fn filebase64_plain() -> Function {
    filebase64_with(Tilde::Ordinary, Blame::Call)
}

fn filebase64_with(tilde: Tilde, blame: Blame) -> Function {
    let function = of_path("filebase64", "Reads a file and encodes it in base64.", Type::String);
    function.implementation(move |invocation, args| {
        let argument = path_argument(invocation, args, tilde).map_err(|unread| unread.blaming(blame))?;
        let content = read(invocation, &argument).map_err(|unread| unread.blaming(blame))?;
        invocation.charge_bytes(content.len().div_ceil(3).saturating_mul(4))?;
        let encoded = encode_base64(invocation, &content)?;
        Ok(marked_like(args, long_text(invocation, &encoded)?))
    })
}

/// `fileexists(path)`
pub(crate) fn fileexists() -> Function {
    of_path("fileexists", "Tells whether there is a file at a path.", Type::Bool).implementation(
        |invocation, args| {
            let argument = path_argument(invocation, args, Tilde::Home).map_err(Unread::of_call)?;
            let exists = exists(invocation, &argument)?;
            Ok(marked_like(args, Value::bool(exists)))
        },
    )
}

/// Tells if a regular file stands at a path. Anything else that stands there, such as a folder, is an error and not
/// the answer no, as in the reference.
fn exists(invocation: &mut Invocation<'_>, argument: &PathArgument) -> Result<bool, FunctionError> {
    match invocation.ask(Capability::Files, |host| host.file_kind(&argument.path)) {
        Ok(FileKind::File) => Ok(true),
        Err(HostError::NotFound) => Ok(false),
        Ok(kind) => {
            Err(FunctionError::new(format!("{} is {}, not a file", argument.shown, kind.description())))
        }
        Err(HostError::Failed(why)) => {
            Err(FunctionError::new(format!("failed to look at {}: {why}", argument.shown)))
        }
        Err(error) => Err(error.into()),
    }
}

/// A function that digests the bytes of a file, which need not be UTF-8.
fn digest_of_file(name: &'static str, description: &'static str, body: super::hash::Write) -> Function {
    of_path(name, description, Type::String).implementation(move |invocation, args| {
        let argument = path_argument(invocation, args, Tilde::Home).map_err(Unread::of_call)?;
        let content = read(invocation, &argument).map_err(Unread::of_call)?;
        invocation.charge_steps(content.len() as u64 / 16)?;
        Ok(marked_like(args, Value::string(body(invocation, &content)?)))
    })
}

/// `filemd5(path)`
pub(crate) fn filemd5() -> Function {
    digest_of_file("filemd5", "Gives the MD5 digest of a file in hexadecimal.", |invocation, content| {
        Ok(hex(&digest_of::<md5::Md5>(invocation, content)?))
    })
}

/// `filesha1(path)`
pub(crate) fn filesha1() -> Function {
    digest_of_file("filesha1", "Gives the SHA-1 digest of a file in hexadecimal.", |invocation, content| {
        Ok(hex(&digest_of::<sha1::Sha1>(invocation, content)?))
    })
}

/// `filesha256(path)`
pub(crate) fn filesha256() -> Function {
    digest_of_file(
        "filesha256",
        "Gives the SHA-256 digest of a file in hexadecimal.",
        |invocation, content| Ok(hex(&digest_of::<Sha256>(invocation, content)?)),
    )
}

/// `filesha512(path)`
pub(crate) fn filesha512() -> Function {
    digest_of_file(
        "filesha512",
        "Gives the SHA-512 digest of a file in hexadecimal.",
        |invocation, content| Ok(hex(&digest_of::<Sha512>(invocation, content)?)),
    )
}

/// `filebase64sha256(path)`
pub(crate) fn filebase64sha256() -> Function {
    digest_of_file(
        "filebase64sha256",
        "Gives the SHA-256 digest of a file in base64.",
        |invocation, content| Ok(to_base64(&digest_of::<Sha256>(invocation, content)?)),
    )
}

/// `filebase64sha512(path)`
pub(crate) fn filebase64sha512() -> Function {
    digest_of_file(
        "filebase64sha512",
        "Gives the SHA-512 digest of a file in base64.",
        |invocation, content| Ok(to_base64(&digest_of::<Sha512>(invocation, content)?)),
    )
}

/// `pathexpand(path)`
pub(crate) fn pathexpand() -> Function {
    pathexpand_with(|_| Ok(()))
}

/// `pathexpand(path)`, only where files are allowed.
pub(crate) fn pathexpand_gated() -> Function {
    pathexpand_with(files_allowed)
}

/// Builds `pathexpand`. A path without a tilde is given back as it is, without being cleaned.
fn pathexpand_with(check: fn(&mut Invocation<'_>) -> Result<(), FunctionError>) -> Function {
    function("pathexpand", "Puts the home directory in place of a ~ at the start of a path.")
        .parameter(Parameter::new("path", Type::String).described("The path; its parts are separated by /."))
        .returns(Type::String)
        .needs(Capability::Environment)
        .implementation(move |invocation, args| {
            check(invocation)?;
            invocation.charge_bytes(text(args, 0).len())?;
            let expanded = expand_home(invocation, text(args, 0)).map_err(Unread::of_call)?;
            match expanded {
                Some(path) => long_text(invocation, &path),
                None => Ok(args.first().cloned().unwrap_or(Value::string(""))),
            }
        })
}

/// `abspath(path)`
pub(crate) fn abspath() -> Function {
    abspath_with(|_| Ok(()))
}

/// `abspath(path)`, only where files are allowed.
pub(crate) fn abspath_gated() -> Function {
    abspath_with(files_allowed)
}

fn abspath_with(check: fn(&mut Invocation<'_>) -> Result<(), FunctionError>) -> Function {
    function("abspath", "Makes a path absolute, starting from the working directory.")
        .parameter(Parameter::new("path", Type::String).described("The path; its parts are separated by /."))
        .returns(Type::String)
        .needs(Capability::Files)
        .implementation(move |invocation, args| {
            check(invocation)?;
            let path = text(args, 0);
            invocation.charge_bytes(path.len())?;
            let path = if path.starts_with('/') {
                clean(invocation, path)?
            } else {
                let start = invocation.ask(Capability::Files, |host| host.working_directory())?;
                invocation.charge_bytes(start.len())?;
                clean_joined(invocation, [&start, "/", path])?
            };
            long_text(invocation, &path)
        })
}

/// Refuses where files are not allowed, as Nomad does for all functions of paths. The host is asked for something
/// cheap; the answer does not matter.
pub(super) fn files_allowed(invocation: &mut Invocation<'_>) -> Result<(), FunctionError> {
    invocation.ask(Capability::Files, |host| host.working_directory())?;
    Ok(())
}

/// A function of paths that works only where files are allowed, though it looks at none.
fn gated(function: Function, body: OfPath) -> Function {
    function.needs(Capability::Files).implementation(move |invocation, args| {
        files_allowed(invocation)?;
        invocation.charge_bytes(text(args, 0).len())?;
        let path = body(invocation, text(args, 0))?;
        long_text(invocation, &path)
    })
}

/// `basename(path)`, only where files are allowed.
pub(crate) fn basename_gated() -> Function {
    gated(super::path::basename(), |_, path| Ok(super::path::last_part(path)))
}

/// `dirname(path)`, only where files are allowed.
pub(crate) fn dirname_gated() -> Function {
    gated(super::path::dirname(), super::path::without_last_part)
}
