//! Editing a document where it stands: everything but the edited place stays byte for byte.
//!
//! An [`Address`] names attributes, blocks and parts of values that are written out; a [`Document`] gets, sets and
//! removes them. Edits work on the text: they replace the bytes of a value, the lines of an item, or put new
//! lines in, and the result is parsed again, so that no edit leaves text that is no HCL. `find` knows what an
//! address names, `layout` which lines and comments belong to it, `insert` where something new belongs.
//!
//! To an item belong the comments in its line, and those that stand alone in the lines directly above it. They go
//! with it when it is removed. Comments between the braces of a block in one line are the block's, and stay.
//!
//! An item that is put in and removed again leaves no trace. A few forms need a sign for that, a blank that formatting
//! takes away: behind the opening brace of a block that stood in one line, and in a last line of its own behind a
//! heredoc at the end of a text without a last newline. A text whose last line is the marker of a heredoc is no HCL: it
//! gets the newline that the marker needs, and keeps it.
//!
//! ```
//! use hcl_syntax::edit::{Document, Reach};
//!
//! let text = "service \"web\" {\n  port = 80 # usual\n}\n";
//! let mut document = Document::parse("main.hcl", text).unwrap();
//! let port = "service.web.port".parse().unwrap();
//! assert_eq!(document.get(&port).unwrap(), [b"80"]);
//! document.set(&port, "8080", Reach::One).unwrap();
//! document.set(&"service.web.host".parse().unwrap(), "\"a\"", Reach::One).unwrap();
//! assert_eq!(
//!     document.text(),
//!     "service \"web\" {\n  port = 8080 # usual\n  host = \"a\"\n}\n"
//! );
//! ```

mod address;
pub mod code;
mod error;
mod find;
mod insert;
mod layout;

use crate::ast::Block;
use crate::diagnostic::{Diagnostic, Diagnostics, has_errors};
use crate::escape::write_quoted;
use crate::lexer::{is_identifier, tokens};
use crate::parser::{File, ParseLimits, parse_expression, parse_file};
use crate::sorting::sort_by;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

pub use address::Address;
pub use find::Found;

use address::AddressStep;
use find::{explored, find};
use insert::Place;
use layout::{Layout, OneLine, at_left_edge, indented, is_closing};

/// How much an edit may change at once.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// One place: it is an error if the address names several.
    One,
    /// Every place that the address names.
    All,
}

/// A text of native syntax that is being edited.
#[derive(Debug)]
pub struct Document {
    bytes: Vec<u8>,
    file: File,
    tokens: Vec<Token>,
    limits: ParseLimits,
}

/// A piece of text that takes the place of another.
#[derive(Debug)]
struct Replacement {
    span: Span,
    text: Vec<u8>,
}

/// A value that is to be put in.
struct NewValue {
    source: Source,
    tokens: Vec<Token>,
}

impl NewValue {
    fn layout(&self) -> Layout<'_> {
        Layout { source: &self.source, tokens: &self.tokens }
    }

    /// The value as it stands at a place with this indentation.
    fn indented(&self, indentation: &str, newline: &str) -> String {
        let mut text = indented(self.layout(), indentation, newline);
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
        text
    }

    /// Whether the line behind it must end.
    fn ends_with_heredoc(&self) -> bool {
        self.layout().ends_with_heredoc()
    }

    /// True if it needs no line of its own.
    fn fits_in_a_line(&self) -> bool {
        !self.ends_with_comment() && !self.indented("", "\n").contains('\n')
    }

    /// Whether what stands in the line behind it would become part of a comment.
    fn ends_with_comment(&self) -> bool {
        self.layout().ends_with_line_comment()
    }
}

impl Document {
    /// Reads a text.
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    pub fn parse(name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self, Diagnostics> {
        Self::parse_with(name, bytes.into(), &ParseLimits::default())
    }

    /// Reads a text, within limits. Those of depth and diagnostics hold for edits too. A heredoc at the end of the text
    /// gets the newline that it needs, if that is all it lacks.
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    pub fn parse_with(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<Self, Diagnostics> {
        let ended = may_lack_newline(&bytes).then(|| {
            let newline: &[u8] =
                if memchr::memmem::find(&bytes, b"\r\n").is_some() { b"\r\n" } else { b"\n" };
            [&bytes, newline].concat()
        });
        Self::parse_exactly(name, bytes, limits).or_else(|diagnostics| {
            let document = ended.and_then(|bytes| Self::parse_exactly(name, bytes, limits).ok());
            document.filter(|document| document.layout().ends_with_heredoc()).ok_or(diagnostics)
        })
    }

    fn parse_exactly(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<Self, Diagnostics> {
        let source = source(name, bytes.clone())?;
        let (file, diagnostics) = parse_file(source.clone(), limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics);
        }
        Ok(Self { tokens: tokens(&source), bytes, file, limits: limits.without_end() })
    }

    /// The text as it is now.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text as it is now, with U+001A for bad bytes, which only comments may contain.
    pub fn text(&self) -> &str {
        self.file.source().text()
    }

    /// The tree of the text as it is now.
    pub fn file(&self) -> &File {
        &self.file
    }

    fn layout(&self) -> Layout<'_> {
        Layout { source: self.file.source(), tokens: &self.tokens }
    }

    /// Everything that an address names, in the order written; perhaps nothing.
    pub fn find(&self, address: &Address) -> Vec<Found<'_>> {
        find(self.file.body(), address)
    }

    /// Everything that an address names.
    ///
    /// # Errors
    /// It names nothing.
    pub fn find_some(&self, address: &Address) -> Result<Vec<Found<'_>>, Diagnostics> {
        let found = self.find(address);
        if found.is_empty() {
            return Err(vec![self.not_found(address)]);
        }
        Ok(found)
    }

    fn not_found(&self, address: &Address) -> Diagnostic {
        let (n_found, names) = explored(self.file.body(), address);
        error::not_found(self.file.source(), address, n_found, &names)
    }

    /// What an address names and may be changed.
    fn targets(&self, address: &Address, reach: Reach) -> Result<Vec<Found<'_>>, Diagnostics> {
        let found = self.find_some(address)?;
        if found.len() > 1 && reach == Reach::One {
            return Err(vec![error::ambiguous(self.file.source(), address, &found)]);
        }
        Ok(found)
    }

    /// The source text of everything that an address names: of an attribute its value, of a block all of it. Lines
    /// lose the indentation of the first and end with `\n`.
    ///
    /// # Errors
    /// The address names nothing.
    pub fn get(&self, address: &Address) -> Result<Vec<Vec<u8>>, Diagnostics> {
        let found = self.find_some(address)?;
        Ok(found.into_iter().map(|found| self.source_of(found)).collect())
    }

    /// The source text of one thing, as [`Document::get`] gives it.
    pub fn source_of(&self, found: Found<'_>) -> Vec<u8> {
        let span = found.value().map_or(found.span(), |_| value_span(found));
        at_left_edge(self.layout(), &self.bytes, span)
    }

    /// Replaces the value of an attribute, or adds the attribute if what it would stand in is there: behind the last
    /// attribute there, written like it. Lines of the value behind the first are indented as its place is.
    ///
    /// # Errors
    /// The value is no expression, or the address names no place, several or a block. The document is as before.
    pub fn set(&mut self, address: &Address, value: &str, reach: Reach) -> Result<(), Diagnostics> {
        let value = self.new_value(value)?;
        let existing = self.find(address);
        let replacements = if existing.is_empty() {
            self.additions(address, &value, reach)?
        } else {
            let found = self.targets(address, reach)?;
            let replaced = found.into_iter().map(|found| match found {
                Found::Block(_) => Err(vec![error::no_value(self.file.source(), address, found)]),
                _ => self.replaced(found, &value),
            });
            replaced.collect::<Result<Vec<_>, _>>()?
        };
        self.apply(replacements)
    }

    /// The same, and where there is no block to add the attribute to, one is made at the end: the first name that is
    /// missing is its type, those up to the attribute's are its labels. Blocks of the type with other labels are no
    /// place for it.
    ///
    /// # Errors
    /// As of [`Document::set`].
    pub fn set_creating(&mut self, address: &Address, value: &str, reach: Reach) -> Result<(), Diagnostics> {
        let steps = &address.steps;
        let parent = address.prefix(steps.len().saturating_sub(1));
        if parent.steps.is_empty() || !self.find(&parent).is_empty() {
            return self.set(address, value, reach);
        }
        let (mut n_found, _) = explored(self.file.body(), address);
        // Blocks of which labels are not named are others than the one that is missing.
        while self
            .find(&address.prefix(n_found))
            .into_iter()
            .any(|found| !names_whole(address, n_found, found))
        {
            n_found -= 1;
        }
        let names = (n_found..steps.len()).map(|step| address.name_at(step)).collect::<Option<Vec<_>>>();
        let (Some([block_type, labels @ .., name]), container) = (names.as_deref(), address.prefix(n_found))
        else {
            return Err(vec![self.not_found(address)]);
        };
        for name in [block_type, name] {
            if !is_identifier(name) {
                return Err(vec![error::no_name(name)]);
            }
        }
        let value = self.new_value(value)?;
        let newline = self.layout().newline();
        let text = value.indented("  ", newline);
        let header = block_header(block_type, labels);
        let block = format!("{header} {{{newline}  {name} = {text}{newline}}}");
        self.append_text(&container, &block, reach)
    }

    /// Removes everything that an address names, with the comments that belong to it. Of empty lines that then meet
    /// one goes too.
    ///
    /// # Errors
    /// The address names nothing or several places. The document is as before.
    pub fn remove(&mut self, address: &Address, reach: Reach) -> Result<usize, Diagnostics> {
        let found = self.targets(address, reach)?;
        let n_found = found.len();
        let items: Vec<Span> = found.iter().map(|found| found.span()).collect();
        let mut replacements: Vec<Replacement> = Vec::new();
        for found in found {
            let mut span = self.removal(found);
            // Neighbours that go both may each claim what stands between them.
            if let Some(last) = replacements.last() {
                span.start = span.start.max(last.span.end).min(span.end.max(last.span.end));
                span.end = span.end.max(span.start);
            }
            replacements.push(Replacement { span, text: Vec::new() });
        }
        let closed = self.closed(&items, &replacements);
        // A value that has been set since may need several lines.
        if closed.is_none_or(|closed| self.apply(closed).is_err()) {
            self.apply(replacements)?;
        }
        Ok(n_found)
    }

    /// The removals of items where blocks close that were in one line before something was put in; nothing if no
    /// block does.
    fn closed(&self, items: &[Span], removals: &[Replacement]) -> Option<Vec<Replacement>> {
        let mut closings: Vec<Replacement> = Vec::new();
        let mut interiors: Vec<Span> = Vec::new();
        let mut bodies = vec![self.file.body()];
        while let Some(body) = bodies.pop() {
            for block in body.blocks() {
                bodies.push(block.body());
                let interior = Span::new(block.open_span().end, block.close_span().start);
                let first = items.partition_point(|item| item.start < interior.start);
                if items.get(first).is_some_and(|item| item.end <= interior.end)
                    && let Some(closing) = self.closing(block, interior, items, removals)
                {
                    closings.extend(closing);
                    interiors.push(interior);
                }
            }
        }
        if interiors.is_empty() {
            return None;
        }
        sort_by(&mut interiors, |a, b| a.start.cmp(&b.start));
        let is_outside = |removal: &&Replacement| {
            let behind = interiors.partition_point(|interior| interior.start <= removal.span.start);
            behind == 0 || interiors[behind - 1].end < removal.span.end
        };
        let kept = removals.iter().filter(is_outside);
        closings.extend(kept.map(|removal| Replacement { span: removal.span, text: Vec::new() }));
        sort_by(&mut closings, |a, b| a.span.start.cmp(&b.span.start));
        Some(closings)
    }

    /// How a block becomes one line, if it was one and nothing is left in it but an attribute as it was put in a line
    /// of its own, or nothing at all.
    fn closing(
        &self,
        block: Block<'_>,
        interior: Span,
        items: &[Span],
        removals: &[Replacement],
    ) -> Option<Vec<Replacement>> {
        let layout = self.layout();
        let form = OneLine::of(layout, block)?;
        let is_left = |span: Span| items.binary_search_by_key(&span.start, |item| item.start).is_err();
        if block.body().blocks().any(|inner| is_left(inner.span())) {
            return None;
        }
        let mut left = block.body().attributes().filter(|attribute| is_left(attribute.span()));
        let only = left.next();
        if left.next().is_some() {
            return None;
        }
        let is_removed = |at: u32| {
            let behind = removals.partition_point(|removal| removal.span.start <= at);
            behind > 0 && at < removals[behind - 1].span.end
        };
        let mut tokens = layout.tokens_in(Span::new(form.kept.end, interior.end));
        tokens.retain(|token| !is_removed(token.span.start));
        // The line of the brace.
        let [Token { kind: TokenKind::Newline, .. }, rest @ ..] = tokens.as_slice() else { return None };
        let mark = form.kept.end;
        let Some(only) = only else {
            let span = Span::new(mark, interior.end);
            return rest.is_empty().then(|| vec![Replacement { span, text: Vec::new() }]);
        };
        let (value, behind) = rest.split_at(rest.partition_point(|token| token.span.start < only.span().end));
        let (newline, comments) = behind.split_last()?;
        let begins = value.first().is_some_and(|first| first.span.start == only.span().start);
        let ends = value.last().is_some_and(|last| last.kind != TokenKind::CloseHeredoc)
            && newline.kind == TokenKind::Newline
            && comments.iter().all(|comment| comment.kind == TokenKind::Comment);
        if !begins || !ends {
            return None;
        }
        let end = match form.is_usual {
            true => Replacement {
                span: Span::new(only.span().end, interior.end),
                text: OneLine::USUAL_GAP.as_bytes().to_vec(),
            },
            false => Replacement { span: Span::new(newline.span.start, interior.end), text: Vec::new() },
        };
        if form.is_usual && !comments.is_empty() {
            return None;
        }
        Some(vec![Replacement { span: Span::new(mark, only.span().start), text: Vec::new() }, end])
    }

    /// Gives attributes or keys another name, or blocks another type.
    ///
    /// # Errors
    /// The name is no identifier, or the address names no place or several.
    pub fn rename(&mut self, address: &Address, name: &str, reach: Reach) -> Result<(), Diagnostics> {
        if !is_identifier(name) {
            return Err(vec![error::no_name(name)]);
        }
        let found = self.targets(address, reach)?;
        let spans = found.into_iter().map(|found| match found {
            Found::Block(block) => Ok(block.type_span()),
            Found::Attribute(_) | Found::Item { .. } => Ok(found.definition_span()),
            Found::Element { .. } => Err(vec![error::no_parent(self.file.source(), address, found)]),
        });
        let replacements = spans.map(|span| Ok(Replacement { span: span?, text: name.as_bytes().to_vec() }));
        let replacements = replacements.collect::<Result<_, Diagnostics>>()?;
        self.apply(replacements)
    }

    /// Gives blocks other labels.
    ///
    /// # Errors
    /// The address names no place, several, or something that is no block.
    pub fn relabel(&mut self, address: &Address, labels: &[&str], reach: Reach) -> Result<(), Diagnostics> {
        let found = self.targets(address, reach)?;
        let replacements = found.into_iter().map(|found| match found {
            Found::Block(block) => Ok(Replacement {
                span: block.definition_span(),
                text: block_header(block.block_type(), labels).into_bytes(),
            }),
            _ => Err(vec![error::no_parent(self.file.source(), address, found)]),
        });
        let replacements = replacements.collect::<Result<_, Diagnostics>>()?;
        self.apply(replacements)
    }

    /// Adds attributes and blocks, written out, at the end of a block or, without an address, of the document, behind
    /// an empty line.
    ///
    /// # Errors
    /// The text has syntax errors, or the address does not name one block.
    pub fn append(&mut self, container: Option<&Address>, text: &str) -> Result<(), Diagnostics> {
        let added = Self::parse_with("text", text.as_bytes().to_vec(), &self.limits)?;
        let text = indented(added.layout(), "", self.layout().newline());
        let root = Address { steps: Vec::new() };
        self.append_text(container.unwrap_or(&root), text.trim_matches(['\r', '\n', ' ', '\t']), Reach::One)
    }

    fn append_text(&mut self, container: &Address, text: &str, reach: Reach) -> Result<(), Diagnostics> {
        // A heredoc at the end is one only with its newline.
        let source = source("text", format!("{text}\n").into_bytes())?;
        let tokens = tokens(&source);
        let text = Layout { source: &source, tokens: &tokens };
        let mut replacements = Vec::new();
        for place in self.places(container, reach)? {
            let Place::Body(body, block) = place else {
                return Err(vec![self.not_found(container)]);
            };
            replacements.extend(insert::at_end(self.layout(), body, block, text));
        }
        self.apply(replacements)
    }

    /// The bodies and objects that an address names.
    fn places(&self, container: &Address, reach: Reach) -> Result<Vec<Place<'_>>, Diagnostics> {
        if container.steps.is_empty() {
            return Ok(vec![Place::Body(self.file.body(), None)]);
        }
        let found = self.targets(container, reach)?;
        let places = found.into_iter().map(|found| {
            Place::of(found).ok_or_else(|| vec![error::no_parent(self.file.source(), container, found)])
        });
        places.collect()
    }

    /// The attributes or keys that are missing where an address leads.
    fn additions(
        &self,
        address: &Address,
        value: &NewValue,
        reach: Reach,
    ) -> Result<Vec<Replacement>, Diagnostics> {
        let Some((AddressStep::Name(name), parent)) = address.steps.split_last() else {
            return Err(vec![self.not_found(address)]);
        };
        let parent = address.prefix(parent.len());
        if !parent.steps.is_empty() && self.find(&parent).is_empty() {
            return Err(vec![self.not_found(address)]);
        }
        let places = self.places(&parent, reach)?;
        let added = places.into_iter().map(|place| match place {
            Place::Body(..) if !is_identifier(name) => Err(vec![error::no_name(name)]),
            Place::Body(body, block) => Ok(insert::attribute(self.layout(), body, block, name, value)),
            Place::Object(object, items) => Ok(vec![insert::item(self.layout(), object, items, name, value)]),
        });
        added.collect::<Result<Vec<_>, _>>().map(|added| added.into_iter().flatten().collect())
    }

    /// The text of a value, checked.
    fn new_value(&self, text: &str) -> Result<NewValue, Diagnostics> {
        // A heredoc at the end must have its newline.
        let text = format!("{}\n", text.trim_matches([' ', '\t', '\r', '\n']));
        let source = source("value", text.into_bytes())?;
        let (_, diagnostics) = parse_expression(source.clone(), &self.limits);
        if has_errors(&diagnostics) {
            return Err(diagnostics);
        }
        Ok(NewValue { tokens: tokens(&source), source })
    }

    fn replaced(&self, found: Found<'_>, value: &NewValue) -> Result<Replacement, Diagnostics> {
        let layout = self.layout();
        let mut span = value_span(found);
        let indentation = layout.indentation(found.span().start);
        let mut text = value.indented(indentation, layout.newline());
        let mut next = layout.token_at(span.end);
        if value.ends_with_comment() && layout.end_of_line(span.end).is_none() {
            return Err(vec![error::swallowing(self.file.source(), layout.token(next).span)]);
        }
        if value.ends_with_heredoc() {
            // In an object the newline of the heredoc stands for the comma.
            if matches!(found, Found::Item { .. }) && layout.token(next).kind == TokenKind::Comma {
                next += 1;
                span.end = layout.token(next).span.start;
            }
            let next = layout.token(next);
            if next.kind != TokenKind::Newline {
                text.push_str(layout.newline());
                text.push_str(indentation);
                span.end = next.span.start;
            }
        }
        Ok(Replacement { span, text: text.into_bytes() })
    }

    /// What goes when something is removed.
    fn removal(&self, found: Found<'_>) -> Span {
        let layout = self.layout();
        let item = found.span();
        match (layout.lines_of(item), found) {
            (Some(lines), Found::Element { .. }) => match layout.comma_behind(item.end) {
                Some(comma) if layout.token(comma).span.start >= lines.end => {
                    let comma = layout.token(comma).span;
                    match layout.end_of_line(comma.end) {
                        Some(end) => layout.without_gap(Span::new(lines.start, end)),
                        None => self.removal_from_list(item),
                    }
                }
                _ => layout.without_gap(lines),
            },
            (Some(lines), _) => layout.without_gap(lines),
            // The attribute of a block in one line: nothing else but comments stands between the braces.
            (None, Found::Attribute(_) | Found::Block(_)) => self.removal_from_line(item),
            (None, _) => self.removal_from_list(item),
        }
    }

    /// The removal of something from braces in one line: a blank on each side too, or before a comment that
    /// stays, one of them.
    fn removal_from_line(&self, item: Span) -> Span {
        let layout = self.layout();
        let source = self.file.source();
        let first = layout.token_at(item.start);
        let before = layout
            .before(first)
            .unwrap_or(Token { kind: TokenKind::EndOfFile, span: Span::empty_at(item.start) });
        let end = layout.end_of_heredoc(item.end).unwrap_or(item.end);
        let next = layout.token(layout.token_at(end));
        let is_blank = |gap: Span| source.slice(gap).starts_with([' ', '\t']);
        let mut span = Span::new(item.start, end);
        if is_blank(Span::new(before.span.end.min(item.start), item.start)) {
            span.start -= 1;
        }
        let is_alone = before.kind != TokenKind::Comment && next.kind != TokenKind::Comment;
        if is_alone && end == item.end && is_blank(Span::new(end, next.span.start.max(end))) {
            span.end += 1;
        }
        span
    }

    /// What goes when a key or an element is removed from a line that it shares: the comma behind it too, or if there
    /// is none, that before it.
    fn removal_from_list(&self, item: Span) -> Span {
        let layout = self.layout();
        let first = layout.token_at(item.start);
        let before = layout.before(first).map_or(item.start, |before| before.span.end);
        let follows_comma = layout.before(first).is_some_and(|before| before.kind == TokenKind::Comma);
        if let Some(comma) = layout.comma_behind(item.end) {
            let after = layout.token(comma + 1);
            let comma = layout.token(comma).span;
            // Behind the last one nothing changes.
            return if layout.ends_line(after) || follows_comma && layout.closes_behind(comma.end) {
                Span::new(before, comma.end)
            } else {
                Span::new(item.start, after.span.start)
            };
        }
        // The newline of a heredoc at the end goes with it.
        let (behind, _) = layout.behind_in_line(item.end);
        let end = layout.end_of_heredoc(item.end).unwrap_or(behind);
        let next = layout.token(layout.token_at(end));
        match layout.before(first) {
            Some(comma) if comma.kind == TokenKind::Comma => {
                if !layout.closes_behind(end) {
                    return Span::new(comma.span.start, behind);
                }
                let gap = Span::new(comma.span.end, item.start);
                let is_kept = end > behind && self.file.source().slice(gap) == "  ";
                Span::new(if is_kept { gap.start } else { comma.span.start }, end)
            }
            _ if is_closing(next.kind) => self.removal_from_line(item),
            _ if layout.ends_line(layout.token(layout.token_at(item.end))) => Span::new(before, item.end),
            _ => Span::new(before, layout.token(layout.token_at(item.end)).span.start),
        }
    }

    /// Makes replacements, which are in order and apart, and reads the result.
    fn apply(&mut self, replacements: Vec<Replacement>) -> Result<(), Diagnostics> {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut copied = 0;
        for Replacement { span, text } in replacements {
            bytes.extend_from_slice(self.bytes.get(copied..span.start as usize).unwrap_or_default());
            bytes.extend_from_slice(&text);
            copied = copied.max(span.end as usize);
        }
        bytes.extend_from_slice(&self.bytes[copied..]);
        match Self::parse_with(self.file.source().name(), bytes, &self.limits) {
            Ok(document) => {
                *self = document;
                Ok(())
            }
            Err(diagnostics) => Err(vec![error::refused(diagnostics.into_iter().next())]),
        }
    }
}

/// Returns true if a text may end with the marker of a heredoc: the last line has no newline and is a name.
fn may_lack_newline(bytes: &[u8]) -> bool {
    let last_line = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    memchr::memmem::find(bytes, b"<<").is_some()
        && std::str::from_utf8(last_line).is_ok_and(|line| is_identifier(line.trim_matches([' ', '\t'])))
}

/// Where the value of an attribute, a key or an element stands.
fn value_span(found: Found<'_>) -> Span {
    let whole = found.span();
    Span::new(found.value().map_or(whole.start, |value| value.span().start), whole.end)
}

/// Whether the first steps of an address end with the type and all labels of the block that was found.
fn names_whole(address: &Address, n_steps: usize, found: Found<'_>) -> bool {
    let Found::Block(block) = found else { return true };
    let steps = address.steps[..n_steps].iter().filter(|step| !matches!(step, AddressStep::Index(_)));
    let labels: Vec<_> = block.labels().collect();
    let written = labels.iter().rev().map(|label| label.text()).chain([block.block_type()]);
    let mut steps = steps.rev();
    written.into_iter().all(|text| steps.next().is_some_and(|step| step.matches(text)))
}

/// A block's type and labels, as text.
fn block_header(block_type: &str, labels: &[&str]) -> String {
    let mut header = block_type.to_owned();
    for label in labels {
        header.push(' ');
        write_quoted(label, &mut header);
    }
    header
}

fn source(name: &str, bytes: Vec<u8>) -> Result<Source, Diagnostics> {
    Source::new(name, bytes).map_err(|_| vec![error::refused(None)])
}
