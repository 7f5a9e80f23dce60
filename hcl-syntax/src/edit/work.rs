//! One call on a document: what it reads and replaces, within limits.

use super::address::Address;
use super::find::{Found, explored, find};
use super::insert::Place;
use super::layout::{Layout, at_left_edge};
use super::{Document, Reach, Read, Replacement, error, source, value_span};
use crate::diagnostic::{Diagnostic, Error};
use crate::limits::{Stopped, Watch};
use crate::parser::{File, ParseLimits};
use crate::sorting::sort_by_on;
use crate::source::{Source, Span};

/// The work of one call on a document, which looks at a watch.
#[derive(Copy, Clone)]
pub(super) struct Work<'d, 'w> {
    pub(super) document: &'d Document,
    pub(super) read: &'d Read,
    pub(super) limits: &'w ParseLimits,
    pub(super) watch: &'w Watch,
}

impl<'d, 'w> Work<'d, 'w> {
    /// Returns the call's work on another document.
    pub(super) fn on<'o>(&self, other: &'o Document) -> Result<Work<'o, 'w>, Error> {
        other.work(self.limits, self.watch)
    }

    pub(super) fn file(&self) -> &'d File {
        &self.read.file
    }

    pub(super) fn source(&self) -> &'d Source {
        self.read.file.source()
    }

    pub(super) fn layout(&self) -> Layout<'_> {
        self.read.layout(self.watch)
    }

    /// Counts one small piece of work.
    ///
    /// # Errors
    /// The work is to end.
    pub(super) fn go_on(&self) -> Result<(), Error> {
        self.document.go_on(self.watch)
    }

    /// Asks for so many bytes.
    ///
    /// # Errors
    /// There are none, or the work is to end.
    pub(super) fn ask(&self, n_bytes: usize) -> Result<(), Error> {
        self.watch.has_room(n_bytes);
        self.watch.stopped().map_or(Ok(()), |stopped| Err(self.stopped(stopped)))
    }

    /// The source of texts that stand one behind the other.
    ///
    /// # Errors
    /// There is no memory for it, or the work is to end.
    pub(super) fn source_of_texts(&self, name: &str, texts: &[&str]) -> Result<Source, Error> {
        // The source has a copy of its own.
        self.ask(2 * texts.iter().map(|text| text.len()).sum::<usize>())?;
        let text = self.watch.joined(texts);
        self.go_on()?;
        source(name, text.into())
    }

    /// As [`Document::check_name`].
    pub(super) fn check_name(&self, name: &str) -> Result<(), Error> {
        self.document.check_name(name, self.watch)
    }

    /// The error of work that ends before it is done.
    pub(super) fn stopped(&self, stopped: Stopped) -> Error {
        stopped.diagnostic("Editing", &self.document.name).into()
    }

    /// The error that a diagnostic with places in the text is.
    pub(super) fn refuse(&self, diagnostic: impl FnOnce(&Source) -> Diagnostic) -> Error {
        let found = self.watch.stopped().map_or(Ok(()), Err);
        match found.and_then(|()| self.source().find_lines(self.limits, |_| true)) {
            Ok(()) => diagnostic(self.source()).into(),
            Err(stopped) => self.stopped(stopped),
        }
    }

    /// Everything that an address names, in the order written; perhaps nothing.
    pub(super) fn find(&self, address: &Address) -> Result<Vec<Found<'d>>, Error> {
        let found = find(self.file().body(), address, self.watch);
        self.go_on()?;
        Ok(found)
    }

    /// Everything that an address names.
    pub(super) fn find_some(&self, address: &Address) -> Result<Vec<Found<'d>>, Error> {
        let found = self.find(address)?;
        if found.is_empty() {
            return Err(self.not_found(address));
        }
        Ok(found)
    }

    pub(super) fn not_found(&self, address: &Address) -> Error {
        let (n_found, names) = explored(self.file().body(), address, self.watch);
        self.refuse(|source| error::not_found(source, address, n_found, &names))
    }

    /// Finds what an address names and an edit may change.
    pub(super) fn targets(&self, address: &Address, reach: Reach) -> Result<Vec<Found<'d>>, Error> {
        let found = self.find_some(address)?;
        if found.len() > 1 && reach == Reach::One {
            return Err(self.refuse(|source| error::ambiguous(source, address, &found)));
        }
        Ok(found)
    }

    /// The source text of one thing.
    pub(super) fn source_of(&self, found: Found<'_>) -> Vec<u8> {
        at_left_edge(self.layout(), &self.document.bytes, value_span(found))
    }

    /// The bodies and objects that an address names.
    pub(super) fn places(&self, container: &Address, reach: Reach) -> Result<Vec<Place<'d>>, Error> {
        if container.steps.is_empty() {
            return Ok(vec![Place::Body(self.file().body(), None)]);
        }
        let found = self.targets(container, reach)?;
        let places = found.into_iter().map(|found| {
            self.go_on()?;
            Place::of(found).ok_or_else(|| self.refuse(|source| error::no_parent(source, container, found)))
        });
        places.collect()
    }

    /// Reads a text that is put in.
    pub(super) fn added(&self, name: &str, text: Vec<u8>) -> Result<Document, Error> {
        Document::parse_with(name, text, self.limits)
    }

    /// Makes replacements and reads the result.
    pub(super) fn applied(&self, edits: Edits<'_>) -> Result<Document, Error> {
        let Edits { mut places, text, .. } = edits;
        let order = |a: &Edit, b: &Edit| (a.span.start, a.span.end).cmp(&(b.span.start, b.span.end));
        sort_by_on(&mut places, order, |n| self.watch.count(n)).map_err(|stopped| self.stopped(stopped))?;
        let old = self.document.bytes.as_slice();
        let mut bytes = Vec::new();
        self.watch.make_room(&mut bytes, old.len());
        let mut copied = 0;
        for Edit { span, from, to } in places {
            self.append(old.get(copied..span.start as usize).unwrap_or_default(), &mut bytes)?;
            self.append(&text[from..to], &mut bytes)?;
            copied = copied.max(span.end as usize);
        }
        self.append(&old[copied..], &mut bytes)?;
        self.parsed(bytes)
    }

    /// Appends bytes, stretch by stretch.
    fn append(&self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.watch.make_room(out, bytes.len());
        for stretch in self.watch.stretches(bytes) {
            out.extend_from_slice(stretch);
        }
        self.watch.count_bytes(bytes.len()).map_err(|stopped| self.stopped(stopped))
    }

    /// Reads the text that an edit leaves.
    pub(super) fn parsed(&self, bytes: Vec<u8>) -> Result<Document, Error> {
        let most = self.document.max_len;
        if bytes.len() > most {
            return Err(error::too_long(bytes.len(), most).into());
        }
        self.go_on()?;
        let parsed = Document::parse_with(&self.document.name, bytes, self.limits);
        parsed.map_err(|diagnostics| {
            let problem = diagnostics.into_iter().next();
            match problem {
                Some(problem) if problem.code.starts_with("limit.") => problem.into(),
                problem => error::refused(problem).into(),
            }
        })
    }
}

impl Read {
    pub(super) fn layout<'l>(&'l self, watch: &'l Watch) -> Layout<'l> {
        Layout { source: self.file.source(), tokens: &self.tokens, newline: self.newline, watch }
    }
}

/// The replacements of an edit. Their texts are one, so that they grow and are released as one.
pub(super) struct Edits<'w> {
    work: &'w Work<'w, 'w>,
    places: Vec<Edit>,
    text: Vec<u8>,
}

/// A place that is replaced, and the part of the text that replaces it.
struct Edit {
    span: Span,
    from: usize,
    to: usize,
}

impl Work<'_, '_> {
    /// No replacements yet.
    pub(super) fn edits(&self) -> Edits<'_> {
        Edits { work: self, places: Vec::new(), text: Vec::new() }
    }
}

impl Edits<'_> {
    /// Adds a replacement.
    ///
    /// # Errors
    /// The work is to end, or the result would be too long.
    pub(super) fn push(&mut self, replacement: &Replacement) -> Result<(), Error> {
        self.replace(replacement.span, &replacement.text)
    }

    /// Adds a replacement by a text, of which it takes a copy.
    ///
    /// # Errors
    /// As of [`Edits::push`].
    pub(super) fn replace(&mut self, span: Span, text: &[u8]) -> Result<(), Error> {
        let from = self.text.len();
        let most = self.work.document.max_len;
        if from + text.len() > most {
            return Err(error::too_long(from + text.len(), most).into());
        }
        self.work.append(text, &mut self.text)?;
        self.places.push(Edit { span, from, to: self.text.len() });
        Ok(())
    }

    /// Adds replacements.
    ///
    /// # Errors
    /// As of [`Edits::push`].
    pub(super) fn extend(
        &mut self,
        replacements: impl IntoIterator<Item = Replacement>,
    ) -> Result<(), Error> {
        replacements.into_iter().try_for_each(|replacement| self.push(&replacement))
    }
}
