//! Blocks and bodies: listed, appended, renamed, with other labels.

use super::address::{Address, AddressStep};
use super::find::Found;
use super::insert::{self, Gap, Place};
use super::layout::{Layout, at_left_edge, indented, newline_of};
use super::work::Work;
use super::{Document, Reach, Replacement, error, not_formatted};
use crate::ast::{Block, Body};
use crate::diagnostic::Error;
use crate::escape::write_quoted_on;
use crate::format::{FormatStyle, format_with};
use crate::hash::HashMap;
use crate::lexer::tokens_within;
use crate::limits::{Stopped, Watch};
use crate::parser::ParseLimits;
use crate::sorting::sort_by_on;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

impl Document {
    /// The attributes and blocks of a block, or, without an address, of the document, in the order written, or the keys
    /// of an object; each with an address that names it alone.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let document = Document::parse("main.hcl", "a = 1\nb \"x\" {}\nb \"x\" {}\n").unwrap();
    /// let listed = document.list(None).unwrap();
    /// let addresses: Vec<_> = listed.iter().map(|(address, _)| address.to_string()).collect();
    /// assert_eq!(addresses, ["a", "b.x[0]", "b.x[1]"]);
    /// ```
    ///
    /// # Errors
    /// The address names no place that has attributes or keys, or several.
    pub fn list(&self, container: Option<&Address>) -> Result<Vec<(Address, Found<'_>)>, Error> {
        self.list_within(container, &self.limits)
    }

    /// [`Document::list`] within other limits than those of the document.
    ///
    /// # Errors
    /// The address names no place that has attributes or keys, or several, or a limit was reached.
    pub fn list_within(
        &self,
        container: Option<&Address>,
        limits: &ParseLimits,
    ) -> Result<Vec<(Address, Found<'_>)>, Error> {
        let watch = Watch::new(limits);
        self.work(limits, &watch)?.list(container)
    }

    /// Gives what [`Document::list`] lists to `visit`, one after the other and without a list of addresses.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    /// use hcl_syntax::parser::ParseLimits;
    ///
    /// let document = Document::parse("main.hcl", "a = 1\nb {}\n")?;
    /// let mut names = Vec::new();
    /// document.visit_within(None, &ParseLimits::default(), &mut |address, _| names.push(address.to_string()))?;
    /// assert_eq!(names, ["a", "b"]);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Document::list_within`].
    pub fn visit_within<'d>(
        &'d self,
        container: Option<&Address>,
        limits: &ParseLimits,
        visit: &mut dyn FnMut(Address, Found<'d>),
    ) -> Result<(), Error> {
        let watch = Watch::new(limits);
        self.work(limits, &watch)?.visit(container, visit)
    }

    /// The text between the braces of a block, as [`Document::get`] gives texts; a comment beside the opening brace is the
    /// block's.
    pub fn body_of(&self, block: Block<'_>) -> Vec<u8> {
        let watch = Watch::idle();
        let layout = self.layout(&watch);
        let tokens = layout.tokens_in(Span::new(block.open_span().end, block.close_span().start));
        let is_beside = |token: &&Token| {
            let is_comment = token.kind == TokenKind::Comment && !layout.is_single_line(block);
            token.kind == TokenKind::Newline
                || is_comment && layout.line_start(token.span.start) <= block.open_span().start
        };
        let last = tokens.iter().rev().find(|token| token.kind != TokenKind::Newline);
        let (Some(first), Some(last)) = (tokens.iter().find(|token| !is_beside(token)), last) else {
            return Vec::new();
        };
        let text = at_left_edge(layout, &self.bytes, first.span.to(last.span));
        let end = text.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
        text[..end].to_vec()
    }

    /// Adds attributes and blocks, written out, at the end of a block or, without an address, of the document, behind
    /// an empty line. Adding blocks to the document takes time in proportion to them, however long it is.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let mut document = Document::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?;
    /// document.append(Some(&"service.web".parse()?), "health {\n  path = \"/up\"\n}\n")?;
    /// assert_eq!(document.text(), "service \"web\" {\n  port = 80\n\n  health {\n    path = \"/up\"\n  }\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The text has syntax errors, or the address does not name one block.
    pub fn append(&mut self, container: Option<&Address>, text: &str) -> Result<(), Error> {
        let added = Self::parse_with("text", text.as_bytes().to_vec(), &self.limits)?;
        let is_blocks = added.file().body().attributes().len() == 0;
        let end = if is_blocks { container } else { Some(container.unwrap_or(&ROOT)) };
        self.append_read(end, added, Gap::EmptyLine, Reach::One)
    }

    /// Adds a block of a type with labels at the end of blocks or, without an address, of the document. Its body is
    /// attributes and blocks, written out, perhaps none; the block is written in its canonical form.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Gap, Reach};
    ///
    /// let mut document = Document::new("main.hcl");
    /// document.append_block(None, "service", &["web"], "port=80\nname=\"x\"\n", Gap::EmptyLine, Reach::One).unwrap();
    /// assert_eq!(document.text(), "service \"web\" {\n  port = 80\n  name = \"x\"\n}\n");
    /// ```
    ///
    /// # Errors
    /// The type is no identifier, the body has syntax errors, or the address does not name one block.
    pub fn append_block(
        &mut self,
        container: Option<&Address>,
        block_type: &str,
        labels: &[&str],
        body: &str,
        gap: Gap,
        reach: Reach,
    ) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        self.check_name(block_type, &watch)?;
        let body = Self::parse_with("body", body.as_bytes().to_vec(), &self.limits)?;
        let body = body.text().trim_matches(['\r', '\n', ' ', '\t', '\u{feff}']);
        let end = if body.is_empty() { "" } else { "\n" };
        let header = block_header(block_type, labels, &watch);
        let block = watch.joined(&[&header, " {\n", body, end, "}\n"]);
        self.go_on(&watch)?;
        let block = format_with("block", block.as_bytes(), FormatStyle::Hcl, &self.limits);
        let block = block.map_err(|error| not_formatted(&error, &self.name))?;
        let added = Self::parse_with("block", block, &self.limits)?;
        self.append_read(container, added, gap, reach)
    }

    /// Adds what has been read at the end of blocks; without an address, blocks at the end of the document.
    fn append_read(
        &mut self,
        container: Option<&Address>,
        added: Self,
        gap: Gap,
        reach: Reach,
    ) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let text = indented(added.layout(&watch), "", newline_of(&self.bytes));
        added.release();
        self.go_on(&watch)?;
        let text = text.trim_start_matches('\u{feff}').trim_matches(['\r', '\n', ' ', '\t']);
        let edited = match container {
            _ if text.is_empty() => return Ok(()),
            None if self.can_be_continued(text) => return self.continue_with(text, gap),
            container => {
                let container = container.unwrap_or(&ROOT);
                self.work(&self.limits, &watch)?.append_text(container, text, gap, reach)?
            }
        };
        self.take(edited);
        Ok(())
    }

    /// True if blocks may simply be written behind the text: its last line ends, and is not empty.
    fn can_be_continued(&self, more: &str) -> bool {
        let line = self.bytes.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let has_last_line =
            line.is_some_and(|line| line.last().is_some_and(|last| !last.is_ascii_whitespace()));
        has_last_line && self.bytes.len() + more.len() + 4 <= Source::MAX_LEN
    }

    /// Writes blocks, which have been parsed, behind the text. Blocks have no names that could be there twice, so the
    /// text as a whole needs not be parsed for them.
    fn continue_with(&mut self, text: &str, gap: Gap) -> Result<(), Error> {
        let newline = newline_of(&self.bytes);
        let gap = if gap == Gap::EmptyLine { newline } else { "" };
        let len = self.bytes.len() + gap.len() + text.len() + newline.len();
        if len > self.max_len {
            return Err(error::too_long(len, self.max_len).into());
        }
        if self.bytes.try_reserve(len - self.bytes.len()).is_err() {
            return Err(Stopped::OutOfMemory.diagnostic("Editing", &self.name).into());
        }
        for part in [gap, text, newline] {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        self.read.take();
        Ok(())
    }

    /// Gives attributes or keys another name, or blocks another type.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "server \"web\" {\n  prt = 80\n}\n")?;
    /// document.rename(&"server.web.prt".parse()?, "port", Reach::One)?;
    /// document.rename(&"server.web".parse()?, "service", Reach::One)?;
    /// assert_eq!(document.text(), "service \"web\" {\n  port = 80\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The name is no identifier, or the address names no place or several.
    pub fn rename(&mut self, address: &Address, name: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            work.check_name(name)?;
            work.renamed(address, name, reach)?
        };
        self.take(edited);
        Ok(())
    }

    /// Gives blocks other labels. Those that stay are left as they are written.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "resource \"disk\" \"data\" {}\n")?;
    /// document.relabel(&"resource.disk.data".parse()?, &["disk", "logs"], Reach::One)?;
    /// assert_eq!(document.text(), "resource \"disk\" \"logs\" {}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The address names no place, several, or something that is no block.
    pub fn relabel(&mut self, address: &Address, labels: &[&str], reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            let mut edits = work.edits();
            for found in work.targets(address, reach)? {
                match found {
                    Found::Block(block) => {
                        edits.extend(new_header(block, block.block_type(), labels, work.watch))?;
                    }
                    _ => return Err(work.refuse(|source| error::no_parent(source, address, found))),
                }
            }
            work.applied(edits)?
        };
        self.take(edited);
        Ok(())
    }
}

impl<'d> Work<'d, '_> {
    /// [`Document::list`]
    pub(super) fn list(&self, container: Option<&Address>) -> Result<Vec<(Address, Found<'d>)>, Error> {
        let mut listed = Vec::new();
        self.visit(container, &mut |address, found| listed.push((address, found)))?;
        Ok(listed)
    }

    /// [`Document::visit_within`]
    fn visit(
        &self,
        container: Option<&Address>,
        visit: &mut dyn FnMut(Address, Found<'d>),
    ) -> Result<(), Error> {
        let container = container.unwrap_or(&ROOT);
        for place in self.places(container, Reach::One)? {
            match place {
                Place::Body(body, _) => self.visit_items(body, container, visit)?,
                Place::Object(whole, items) => {
                    for item in items.iter() {
                        self.go_on()?;
                        let found = Found::Item { whole, item };
                        if let Some(name) = found.name() {
                            visit(self.joined(container, [name].into_iter(), (1, name.len()))?, found);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Visits the attributes and blocks of a body in the order written.
    fn visit_items(
        &self,
        body: Body<'d>,
        container: &Address,
        visit: &mut dyn FnMut(Address, Found<'d>),
    ) -> Result<(), Error> {
        // An address of a block names those with more labels, too.
        let mut n_names = 0;
        for block in body.blocks() {
            self.go_on()?;
            n_names += 1 + block.labels().len();
        }
        let [mut all, mut before] = [self.headers(n_names)?, self.headers(n_names)?];
        let mut items = Vec::new();
        for block in body.blocks() {
            self.go_on()?;
            all.count(block, self.watch);
            items.push(Found::Block(block));
        }
        for attribute in body.attributes() {
            self.go_on()?;
            items.push(Found::Attribute(attribute));
        }
        let order = |a: &Found<'_>, b: &Found<'_>| a.span().start.cmp(&b.span().start);
        sort_by_on(&mut items, order, |n| self.watch.count(n)).map_err(|stopped| self.stopped(stopped))?;
        for found in items {
            self.go_on()?;
            let Found::Block(block) = found else {
                let name = found.name().unwrap_or_default();
                visit(self.joined(container, [name].into_iter(), (1, name.len()))?, found);
                continue;
            };
            let size = (1 + block.labels().len(), block.definition_span().len() as usize);
            let mut address = self.joined(container, header_of(block), size)?;
            let index = before.n_that_begin_as(block, self.watch);
            before.count(block, self.watch);
            if all.n_that_begin_as(block, self.watch) > 1 {
                address.steps.push(AddressStep::Index(index));
            }
            visit(address, found);
        }
        Ok(())
    }

    /// No headers yet, with memory for so many names: a table that grows is copied in one go.
    fn headers(&self, n_names: usize) -> Result<Headers<'d>, Error> {
        // A table is at most seven eighths full, and half of that behind a power of two.
        let n_bytes = n_names * (3 * size_of::<((usize, &str), usize)>() + size_of::<usize>());
        self.ask(n_bytes)?;
        let mut headers = Headers::default();
        headers.children.reserve(n_names);
        headers.counts.reserve(n_names + 1);
        Ok(headers)
    }

    /// The address of something in a container, by its name or its type and labels: `n_names` of them, of so many bytes.
    fn joined<'n, N: Iterator<Item = &'n str>>(
        &self,
        container: &Address,
        names: N,
        (n_names, n_bytes): (usize, usize),
    ) -> Result<Address, Error> {
        let n_outer = container.n_bytes();
        // With an index that may follow.
        let n_steps = container.steps.len() + n_names + 1;
        self.ask(size_of::<AddressStep>() * n_steps + 2 * (n_outer + n_bytes))?;
        self.watch.count_bytes(n_outer).map_err(|stopped| self.stopped(stopped))?;
        let mut steps = Vec::with_capacity(n_steps);
        steps.extend_from_slice(&container.steps);
        for name in names {
            steps.push(AddressStep::Name(name.to_owned()));
            self.watch.count_bytes(name.len()).map_err(|stopped| self.stopped(stopped))?;
        }
        Ok(Address { steps })
    }

    /// Adds text at the end of bodies.
    pub(super) fn append_text(
        &self,
        container: &Address,
        text: &str,
        gap: Gap,
        reach: Reach,
    ) -> Result<Document, Error> {
        // A heredoc at the end is one only with its newline.
        let source = self.source_of_texts("text", &[text, "\n"])?;
        let tokens = tokens_within(&source, self.limits).map_err(|stopped| self.stopped(stopped))?;
        let newline = newline_of(source.text().as_bytes());
        let text = Layout { source: &source, tokens: &tokens, newline, watch: self.watch };
        let mut edits = self.edits();
        for place in self.places(container, reach)? {
            let Place::Body(body, block) = place else {
                return Err(self.not_found(container));
            };
            edits.extend(insert::at_end(self.layout(), body, block, text, gap))?;
        }
        self.applied(edits)
    }

    /// [`Document::rename`], to a name that is known to be one.
    pub(super) fn renamed(&self, address: &Address, name: &str, reach: Reach) -> Result<Document, Error> {
        let mut edits = self.edits();
        for found in self.targets(address, reach)? {
            let span = match found {
                Found::Block(block) => block.type_span(),
                Found::Attribute(_) | Found::Item { .. } => found.definition_span(),
                Found::Element { .. } => {
                    return Err(self.refuse(|source| error::no_parent(source, address, found)));
                }
            };
            edits.replace(span, name.as_bytes())?;
        }
        self.applied(edits)
    }
}

/// The address of the whole document.
static ROOT: Address = Address::root();

/// How many blocks begin with the same type and labels: a tree of names, with a count at each.
#[derive(Default)]
struct Headers<'t> {
    children: HashMap<(usize, &'t str), usize>,
    counts: Vec<usize>,
}

impl<'t> Headers<'t> {
    /// The number of the root, which stands for no name.
    const ROOT: usize = 0;

    /// Counts a block; with some of its labels only if the work is to end.
    fn count(&mut self, block: Block<'t>, watch: &Watch) {
        let mut node = Self::ROOT;
        for name in watch.each(header_of(block), 1) {
            let next = self.children.len() + 1;
            node = *self.children.entry((node, name)).or_insert(next);
            self.counts.resize(self.children.len() + 1, 0);
            self.counts[node] += 1;
        }
    }

    fn n_that_begin_as(&self, block: Block<'t>, watch: &Watch) -> usize {
        let mut names = watch.each(header_of(block), 1);
        let node = names.try_fold(Self::ROOT, |node, name| self.children.get(&(node, name)).copied());
        node.and_then(|node| self.counts.get(node)).copied().unwrap_or_default()
    }
}

/// A block's type and labels.
pub(super) fn header_of<'t>(block: Block<'t>) -> impl Iterator<Item = &'t str> {
    [block.block_type()].into_iter().chain(block.labels().map(|label| label.text()))
}

/// The changes that give a block another type and other labels; where they are the same they stay as they are written. Some of
/// them if the work is to end.
pub(super) fn new_header(
    block: Block<'_>,
    block_type: &str,
    labels: &[&str],
    watch: &Watch,
) -> Vec<Replacement> {
    let mut replacements = Vec::new();
    if block.block_type() != block_type {
        let text = watch.joined(&[block_type]).into_bytes();
        replacements.push(Replacement { span: block.type_span(), text });
    }
    let mut end = block.type_span().end;
    let mut new = labels.iter();
    for old in watch.each(block.labels(), 1) {
        let Some(label) = new.next() else {
            replacements.push(Replacement { span: Span::new(end, old.span().end), text: Vec::new() });
            end = old.span().end;
            continue;
        };
        if old.text() != *label {
            let mut text = String::new();
            write_quoted_on(label, watch, &mut text);
            replacements.push(Replacement { span: old.span(), text: text.into_bytes() });
        }
        end = old.span().end;
    }
    let mut more = String::new();
    write_labels_on(new.copied(), watch, &mut more);
    replacements.push(Replacement { span: Span::empty_at(end), text: more.into_bytes() });
    replacements
}

/// A block's type and labels, as text; some of it if the work is to end.
pub(super) fn block_header(block_type: &str, labels: &[&str], watch: &Watch) -> String {
    let mut header = String::new();
    // With a blank and quotes.
    let n_bytes = block_type.len() + labels.iter().map(|label| label.len() + 3).sum::<usize>();
    if watch.has_room(n_bytes) {
        header.reserve(n_bytes);
    }
    watch.append(block_type, &mut header);
    write_labels_on(labels.iter().copied(), watch, &mut header);
    header
}

/// Labels in quotes, a blank before each; some of them if the work is to end.
fn write_labels_on<'l, L: Iterator<Item = &'l str>>(labels: L, watch: &Watch, out: &mut String) {
    for label in watch.each(labels, 1) {
        out.push(' ');
        write_quoted_on(label, watch, out);
    }
}
