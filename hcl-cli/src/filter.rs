//! `hcl attr`, `hcl block` and `hcl body`: attributes and blocks of standard input, of files and of folders.
//!
//! An address means every place that it names, in as many files as are read. Where it names nothing nothing is changed,
//! which is told as a warning, so that a chain of commands goes on. Files are changed together or not at all.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Error, Severity};
use hcl_syntax::edit::{Address, Document, Found, Gap, Reach};

use crate::args::{
    AttrArguments, AttrVerb, BlockArguments, BlockVerb, BodyArguments, BodyVerb, FilterArguments,
    InputArguments,
};
use crate::edit::document;
use crate::folders::{FoundFiles, is_native};
use crate::output::{Failure, Outcome, Reporter, complain};
use crate::replace::{check_replaceable, hold_back_signals, keep_first_names, replace};

/// Runs `hcl attr`.
///
/// # Errors
/// An argument makes no sense, a file can't be read or written, or nothing can be printed.
pub fn attr(arguments: &AttrArguments) -> Result<Outcome, Failure> {
    match &arguments.verb {
        AttrVerb::Get(get) => print(&get.address, &get.input, Kind::Attribute, |document, found, out| {
            let comments = if get.with_comments { document.comments_of(found) } else { <_>::default() };
            for comment in &comments.lead {
                writeln!(out, "{comment}")?;
            }
            out.write_all(&document.source_of(found))?;
            for comment in &comments.line {
                write!(out, " {comment}")?;
            }
            writeln!(out)
        }),
        AttrVerb::Set(set) => change(&set.address, &set.filter, |document, address| {
            check(document, address, Kind::Attribute)?;
            document.set(address, &set.value, Reach::All)
        }),
        AttrVerb::Append(append) => {
            let work = |document: &mut Document, parent: Option<&Address>, address: &Address| {
                // Without the block that the address leads through there is nothing to append to.
                if parent.is_some_and(|parent| document.find(parent).is_empty()) {
                    return Ok(None);
                }
                document.append_attribute(address, &append.value, gap(append.newline), Reach::All).map(Some)
            };
            change_where(&append.address, &append.filter, |document, address| {
                work(document, address.parent().as_ref(), address)
            })
        }
        AttrVerb::Rm(rm) => change(&rm.address, &rm.filter, |document, address| {
            check(document, address, Kind::Attribute)?;
            document.remove(address, Reach::All).map(drop)
        }),
        AttrVerb::Mv(mv) => moved(&mv.from, &mv.to, &mv.filter, Kind::Attribute),
        AttrVerb::Replace(new) => change(&new.address, &new.filter, |document, address| {
            document.replace(address, &new.name, &new.value, Reach::All)
        }),
    }
}

/// Runs `hcl block`.
///
/// # Errors
/// As of [`attr`].
pub fn block(arguments: &BlockArguments) -> Result<Outcome, Failure> {
    match &arguments.verb {
        BlockVerb::Get(get) => print(&get.address, &get.input, Kind::Block, |document, found, out| {
            out.write_all(&document.source_of(found))?;
            writeln!(out)
        }),
        BlockVerb::List(input) => list(input),
        BlockVerb::New(new) => change_where(&new.address, &new.filter, |document, address| {
            append_block(document, None, address, gap(new.newline)).map(Some)
        }),
        BlockVerb::Append(append) => {
            let child = match parsed(&append.child, &append.filter.input)? {
                Ok(child) => child,
                Err(outcome) => return Ok(outcome),
            };
            change(&append.parent, &append.filter, |document, parent| {
                append_block(document, Some(parent), &child, gap(append.newline))
            })
        }
        BlockVerb::Rm(rm) => change(&rm.address, &rm.filter, |document, address| {
            check(document, address, Kind::Block)?;
            document.remove(address, Reach::All).map(drop)
        }),
        BlockVerb::Mv(mv) => moved(&mv.from, &mv.to, &mv.filter, Kind::Block),
    }
}

/// Runs `hcl body`.
///
/// # Errors
/// As of [`attr`].
pub fn body(arguments: &BodyArguments) -> Result<Outcome, Failure> {
    let BodyVerb::Get(get) = &arguments.verb;
    print(&get.address, &get.input, Kind::Block, |document, found, out| {
        let Found::Block(block) = found else { return Ok(()) };
        let body = document.body_of(block);
        out.write_all(&body)?;
        if body.is_empty() { Ok(()) } else { writeln!(out) }
    })
}

/// The kind of item that a verb is for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Attribute,
    Block,
}

/// Fails if an address names something that the verb is not for.
fn check(document: &Document, address: &Address, kind: Kind) -> Result<(), Error> {
    let is_wrong = |found: &Found<'_>| matches!(found, Found::Block(_)) != (kind == Kind::Block);
    let Some(wrong) = document.find(address).into_iter().find(is_wrong) else { return Ok(()) };
    let (summary, detail) = match kind {
        Kind::Attribute => {
            ("Not an attribute", format!("{address} is a block. Name an attribute, or use hcl block."))
        }
        Kind::Block => ("Not a block", format!("{address} is no block. Name a block, or use hcl attr.")),
    };
    let source = document.file().source();
    Err(Diagnostic::error("edit.no_value", summary, detail).at(source, wrong.definition_span()).into())
}

/// The lines before something new.
fn gap(is_wanted: bool) -> Gap {
    if is_wanted { Gap::EmptyLine } else { Gap::None }
}

/// Adds an empty block, whose address is its type and labels.
fn append_block(
    document: &mut Document,
    parent: Option<&Address>,
    child: &Address,
    gap: Gap,
) -> Result<(), Error> {
    match child.names().as_deref() {
        Some([block_type, labels @ ..]) => {
            document.append_block(parent, block_type, labels, "", gap, Reach::All)
        }
        _ => {
            let detail = format!("{child} is no type with labels. Leave indexes and * out.");
            Err(Diagnostic::error("edit.address", "Invalid address", detail).into())
        }
    }
}

/// Moves or renames everything that an address names.
fn moved(from: &str, to: &str, filter: &FilterArguments, kind: Kind) -> Result<Outcome, Failure> {
    let to = match parsed(to, &filter.input)? {
        Ok(to) => to,
        Err(outcome) => return Ok(outcome),
    };
    change(from, filter, |document, from| {
        check(document, from, kind)?;
        document.move_to(from, &to, Reach::All)
    })
}

/// An address; one that is wrong has been reported.
fn parsed(address: &str, input: &InputArguments) -> Result<Result<Address, Outcome>, Failure> {
    match address.parse() {
        Ok(address) => Ok(Ok(address)),
        Err(diagnostics) => {
            let mut reporter = Reporter::new(&input.reporting);
            reporter.add(diagnostics.into())?;
            Ok(Err(reporter.finish()?))
        }
    }
}

/// The files that are meant; `-` for standard input, which is read if none is named. Of several that can't be read
/// all are told, and the last is the failure.
fn files(input: &InputArguments) -> Result<Vec<PathBuf>, Failure> {
    if input.paths.is_empty() {
        return Ok(vec![PathBuf::from("-")]);
    }
    let FoundFiles { files, mut failures } = FoundFiles::of(&input.paths, &is_native, NonZeroUsize::MIN);
    match failures.pop() {
        Some(last) => {
            failures.iter().for_each(complain);
            Err(last)
        }
        None => Ok(files),
    }
}

/// Prints something of everything that an address names.
fn print(
    address: &str,
    input: &InputArguments,
    kind: Kind,
    mut write: impl FnMut(&Document, Found<'_>, &mut dyn Write) -> io::Result<()>,
) -> Result<Outcome, Failure> {
    let address = match parsed(address, input)? {
        Ok(address) => address,
        Err(outcome) => return Ok(outcome),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut reporter = Reporter::new(&input.reporting);
    let mut missing = Missing::default();
    for path in files(input)? {
        let document = match document(&path)? {
            Ok((document, _)) => document,
            Err(diagnostics) => {
                reporter.add(diagnostics.into())?;
                continue;
            }
        };
        if let Err(diagnostics) = check(&document, &address, kind) {
            reporter.add(diagnostics.into())?;
            continue;
        }
        let found = document.find(&address);
        missing.saw(&document, &address, !found.is_empty());
        for found in found {
            write(&document, found, &mut out)?;
        }
    }
    out.flush()?;
    reporter.add(missing.warning())?;
    reporter.finish()
}

/// Prints the addresses of the blocks of files.
fn list(input: &InputArguments) -> Result<Outcome, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut reporter = Reporter::new(&input.reporting);
    for path in files(input)? {
        let document = document(&path)?.map(|(document, _)| document);
        match document.as_ref().map_err(Clone::clone).and_then(|document| document.list(None)) {
            Ok(listed) => {
                let blocks = listed.iter().filter(|(_, found)| matches!(found, Found::Block(_)));
                for (address, _) in blocks {
                    writeln!(out, "{address}")?;
                }
            }
            Err(diagnostics) => reporter.add(diagnostics.into())?,
        }
    }
    out.flush()?;
    reporter.finish()
}

/// Changes the documents in which an address names something.
fn change(
    address: &str,
    filter: &FilterArguments,
    work: impl Fn(&mut Document, &Address) -> Result<(), Error>,
) -> Result<Outcome, Failure> {
    change_where(address, filter, |document, address| match document.find(address).is_empty() {
        true => Ok(None),
        false => work(document, address).map(Some),
    })
}

/// Changes documents; `work` gives nothing where there is nothing to do. A single document that is not changed is
/// printed nevertheless, so that a chain of commands goes on.
fn change_where(
    address: &str,
    filter: &FilterArguments,
    work: impl Fn(&mut Document, &Address) -> Result<Option<()>, Error>,
) -> Result<Outcome, Failure> {
    let address = match parsed(address, &filter.input)? {
        Ok(address) => address,
        Err(outcome) => return Ok(outcome),
    };
    let mut files = files(&filter.input)?;
    let is_standard = files.iter().any(|path| path == Path::new("-"));
    if filter.write && is_standard {
        return Err(Failure::Usage("--write needs files or folders, not standard input".to_owned()));
    }
    if !filter.write && files.len() > 1 {
        return Err(Failure::Usage("several files are changed with --write only".to_owned()));
    }
    if filter.write {
        keep_first_names(&mut files);
    }
    let mut reporter = Reporter::new(&filter.input.reporting);
    let mut missing = Missing::default();
    let mut changed: Vec<(PathBuf, Document)> = Vec::new();
    for path in files {
        if filter.write {
            check_replaceable(&path)?;
        }
        let mut document = match document(&path)? {
            Ok((document, _)) => document,
            Err(diagnostics) => {
                reporter.add(diagnostics.into())?;
                continue;
            }
        };
        match work(&mut document, &address) {
            Ok(done) => {
                missing.saw(&document, &address, done.is_some());
                if done.is_some() || !filter.write {
                    changed.push((path, document));
                }
            }
            Err(diagnostics) => reporter.add(diagnostics.into())?,
        }
    }
    reporter.add(missing.warning())?;
    let outcome = reporter.finish()?;
    // An error in one file leaves all of them as they are.
    if outcome != Outcome::Success {
        return Ok(outcome);
    }
    // A signal between two files would leave half of the work done.
    let _held_back = filter.write.then(hold_back_signals);
    for (path, document) in changed {
        if filter.write {
            replace(&path, document.bytes())?;
        } else {
            let mut out = io::stdout().lock();
            out.write_all(document.bytes())?;
            out.flush()?;
        }
    }
    Ok(outcome)
}

/// Remembers what is to be told if an address names nothing anywhere.
#[derive(Default)]
struct Missing {
    /// True if the address has named something in any file.
    has_found: bool,
    /// The errors of the first file in which it named nothing.
    told: Diagnostics,
}

impl Missing {
    /// Takes note of a file.
    fn saw(&mut self, document: &Document, address: &Address, is_there: bool) {
        self.has_found |= is_there;
        if !self.has_found && self.told.is_empty() {
            self.told = document.find_some(address).err().map(Diagnostics::from).unwrap_or_default();
        }
    }

    /// The warning about a missing item.
    fn warning(self) -> Diagnostics {
        let told = if self.has_found { Diagnostics::new() } else { self.told };
        told.into_iter().map(|told| Diagnostic { severity: Severity::Warning, ..told }).collect()
    }
}
