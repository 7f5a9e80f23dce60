//! Items put beside others, and moved.

use super::address::{Address, AddressStep};
use super::attributes::names_whole;
use super::blocks::{header_of, new_header};
use super::find::Found;
use super::insert::{self, Gap, Place, new_line};
use super::layout::{at_left_edge, indented, is_closing};
use super::work::Work;
use super::{Document, Reach, Replacement, error};
use crate::diagnostic::Error;
use crate::limits::Watch;
use crate::source::Span;
use crate::token::TokenKind;

/// A side of an item.
///
/// ```
/// use hcl_syntax::edit::{Document, Side};
///
/// let mut document = Document::parse("main.hcl", "b = 2\n")?;
/// document.insert(&"b".parse()?, Side::Before, "a = 1\n")?;
/// document.insert(&"b".parse()?, Side::After, "c = 3\n")?;
/// assert_eq!(document.text(), "a = 1\nb = 2\nc = 3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// Above it, and above the comments that belong to it.
    Before,
    /// Below it.
    After,
}

/// The place that an item is moved to.
///
/// ```
/// use hcl_syntax::edit::{Destination, Document};
///
/// let mut document = Document::parse("main.hcl", "port = 80\nservice {\n  host = \"a\"\n}\n")?;
/// document.move_item(&"port".parse()?, Destination::Into(&"service".parse()?))?;
/// assert_eq!(document.text(), "service {\n  host = \"a\"\n  port = 80\n}\n");
/// document.move_item(&"service.port".parse()?, Destination::Root)?;
/// assert!(document.find(&"service.port".parse()?).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Destination<'a> {
    /// Beside an attribute or a block.
    Beside(&'a Address, Side),
    /// Into a block: behind the last attribute, or, of a block, at the end.
    Into(&'a Address),
    /// As above, in the document itself.
    Root,
}

impl Document {
    /// Releases what was read of a text that is added, before limits are looked at: a large one takes long, and so does what the
    /// document was before.
    pub(super) fn release(self) {}

    /// Puts attributes and blocks, written out, beside an attribute or a block. There is an empty line between if one of the
    /// two is a block, and there is one on that side already or nothing else.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Side};
    ///
    /// let mut document = Document::parse("main.hcl", "# Of b\nb {}\n").unwrap();
    /// document.insert(&"b".parse().unwrap(), Side::Before, "a = 1\n").unwrap();
    /// assert_eq!(document.text(), "a = 1\n\n# Of b\nb {}\n");
    /// ```
    ///
    /// # Errors
    /// The text has syntax errors, or the address does not name one attribute or block with its lines alone.
    pub fn insert(&mut self, address: &Address, side: Side, text: &str) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            // The document of it has a copy of its own, and so has that without empty lines.
            work.ask(2 * text.len())?;
            let added = work.added("text", text.as_bytes().to_vec())?;
            let found = work.targets(address, Reach::One)?;
            let Some(&found) = found.first() else { return Err(work.not_found(address)) };
            let mut edits = work.edits();
            edits.push(&work.beside(address, found, side, &added)?)?;
            added.release();
            work.applied(edits)?
        };
        self.take(edited);
        Ok(())
    }

    /// Moves one attribute or block, with the comments that belong to it.
    ///
    /// ```
    /// use hcl_syntax::edit::{Destination, Document, Side};
    ///
    /// let mut document = Document::parse("main.hcl", "a {}\n\n# Of b\nb {}\n").unwrap();
    /// let (a, b) = ("a".parse().unwrap(), "b".parse().unwrap());
    /// document.move_item(&b, Destination::Beside(&a, Side::Before)).unwrap();
    /// assert_eq!(document.text(), "# Of b\nb {}\n\na {}\n");
    /// ```
    ///
    /// # Errors
    /// An address does not name one attribute or block with its lines alone, or the destination is in what is moved.
    pub fn move_item(&mut self, from: &Address, destination: Destination<'_>) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            let (found, text) = work.movable(from)?;
            let moved = work.added("text", text)?;
            work.moved((from, found), destination, &moved)?
        };
        self.take_if(edited);
        Ok(())
    }

    /// Gives what `from` names the address `to`. In the same body that is another name, or type and labels: a `*` in
    /// `to` keeps the label that is there. Otherwise the item is moved, with its comments, to the block that `to` leads
    /// into.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "a \"x\" \"1\" {}\na \"x\" \"2\" {}\n").unwrap();
    /// let (from, to) = ("a.x.*".parse().unwrap(), "a.y.*".parse().unwrap());
    /// document.move_to(&from, &to, Reach::All).unwrap();
    /// assert_eq!(document.text(), "a \"y\" \"1\" {}\na \"y\" \"2\" {}\n");
    /// ```
    ///
    /// # Errors
    /// `from` names nothing, or several places where they can't have one name each; `to` leads to no block.
    pub fn move_to(&mut self, from: &Address, to: &Address, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = self.work(&self.limits, &watch)?.moved_to(from, to, reach)?;
        self.take_if(edited);
        Ok(())
    }

    /// Takes the text of another document, if there is one.
    fn take_if(&mut self, edited: Option<Self>) {
        if let Some(edited) = edited {
            self.take(edited);
        }
    }
}

impl<'d> Work<'d, '_> {
    /// [`Document::move_to`]; nothing if that changes nothing.
    fn moved_to(&self, from: &Address, to: &Address, reach: Reach) -> Result<Option<Document>, Error> {
        let found = self.targets(from, reach)?;
        let Some(&first) = found.first() else { return Ok(None) };
        if !matches!(first, Found::Block(_)) {
            let parent = to.parent();
            let name = to.name_at(to.steps.len().saturating_sub(1)).ok_or_else(|| self.not_found(to))?;
            let is_same = parent == from.parent();
            return match first {
                _ if is_same => {
                    self.check_name(name)?;
                    self.renamed(from, name, reach).map(Some)
                }
                Found::Attribute(_) => self.moved_renamed(from, parent.as_ref(), &[name]),
                _ => self.moved_value(from, to).map(Some),
            };
        }
        let parent = self.parent_of(from, first)?;
        let is_same_length = to.steps.len() == from.steps.len();
        let starts_alike = to.steps.starts_with(&parent.steps);
        let container = match starts_alike && is_same_length {
            true => parent.clone(),
            false => self.container_of(to)?,
        };
        let names = &to.steps[container.steps.len()..];
        if names.is_empty() {
            return Err(self.not_found(to));
        }
        if container == parent {
            return self.with_headers(from, to, names, reach).map(Some);
        }
        let names = names.iter().map(|step| match step {
            AddressStep::Name(name) => Some(name.as_str()),
            _ => None,
        });
        let names = names.collect::<Option<Vec<_>>>().ok_or_else(|| self.not_found(to))?;
        self.moved_renamed(from, Some(&container), &names)
    }

    /// The value of a key or of an element in another place.
    fn moved_value(&self, from: &Address, to: &Address) -> Result<Document, Error> {
        let found = self.find_some(from)?;
        let texts: Vec<_> = found.into_iter().map(|found| self.source_of(found)).collect();
        let value = String::from_utf8_lossy(&texts.concat()).into_owned();
        let with_both = self.with_attribute(to, &value, Gap::None, Reach::One)?;
        Ok(self.on(&with_both)?.removed(from, Reach::One)?.0)
    }

    /// Moves an item into a body under another name, or type and labels.
    fn moved_renamed(
        &self,
        from: &Address,
        container: Option<&Address>,
        names: &[&str],
    ) -> Result<Option<Document>, Error> {
        let (found, text) = self.movable(from)?;
        let moved = self.added("text", text)?;
        let [name, labels @ ..] = names else { return Err(self.not_found(from)) };
        self.check_name(name)?;
        let renamed = {
            let work = self.on(&moved)?;
            let mut edits = work.edits();
            for (_, item) in work.list(None)? {
                match item {
                    Found::Block(block) => edits.extend(new_header(block, name, labels, self.watch))?,
                    _ => edits.replace(item.definition_span(), name.as_bytes())?,
                }
            }
            work.applied(edits)?
        };
        let destination = container.map_or(Destination::Root, Destination::Into);
        self.moved((from, found), destination, &renamed)
    }

    /// Gives blocks other types and labels; `*` keeps one.
    fn with_headers(
        &self,
        from: &Address,
        to: &Address,
        names: &[AddressStep],
        reach: Reach,
    ) -> Result<Document, Error> {
        let mut edits = self.edits();
        for found in self.targets(from, reach)? {
            let Found::Block(block) = found else { continue };
            let old: Vec<&str> = header_of(block).collect();
            let new = names.iter().enumerate().map(|(at, step)| match step {
                AddressStep::Name(name) => Some(name.as_str()),
                AddressStep::Any => old.get(at).copied(),
                AddressStep::Index(_) => None,
            });
            let new = new.collect::<Option<Vec<_>>>().ok_or_else(|| self.not_found(to))?;
            let [block_type, labels @ ..] = new.as_slice() else { continue };
            self.check_name(block_type)?;
            edits.extend(new_header(block, block_type, labels, self.watch))?;
        }
        self.applied(edits)
    }

    /// The address of what a block stands in.
    fn parent_of(&self, address: &Address, found: Found<'_>) -> Result<Address, Error> {
        let inner = found.span();
        let is_around = |outer: Found<'_>| {
            let outer = outer.span();
            outer != inner && outer.start <= inner.start && inner.end <= outer.end
        };
        // If a block that some steps name is around it, so is one that fewer steps name.
        let lengths: Vec<usize> = (1..address.steps.len()).collect();
        let n_steps = lengths.partition_point(|&n_steps| {
            self.find(&address.prefix(n_steps)).is_ok_and(|found| found.into_iter().any(is_around))
        });
        self.go_on()?;
        Ok(address.prefix(n_steps))
    }

    /// The address of the innermost block that an address leads into, and not only to some with its labels.
    fn container_of(&self, address: &Address) -> Result<Address, Error> {
        for n_steps in (1..address.steps.len()).rev() {
            let found = self.find(&address.prefix(n_steps))?;
            if matches!(found.as_slice(), [block @ Found::Block(_)] if names_whole(address, n_steps, *block))
            {
                return Ok(address.prefix(n_steps));
            }
        }
        Ok(Address::root())
    }

    /// One attribute or block, and its text with its comments.
    fn movable(&self, address: &Address) -> Result<(Found<'d>, Vec<u8>), Error> {
        let found = self.targets(address, Reach::One)?;
        let Some(&found) = found.first() else { return Err(self.not_found(address)) };
        if !matches!(found, Found::Attribute(_) | Found::Block(_)) {
            return Err(self.refuse(|source| error::no_lines(source, address, found)));
        }
        let layout = self.layout();
        let item = found.span();
        let whole = match layout.lines_of(item) {
            Some(lines) => Span::new(layout.lead_start(item), lines.end),
            None => item,
        };
        let mut text = at_left_edge(layout, &self.document.bytes, whole);
        self.go_on()?;
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        Ok((found, text))
    }

    /// Takes an item away and puts its text elsewhere; nothing if that is where it is.
    fn moved(
        &self,
        (from, found): (&Address, Found<'_>),
        destination: Destination<'_>,
        moved: &Document,
    ) -> Result<Option<Document>, Error> {
        let removed = self.removal(found);
        let added = match destination {
            Destination::Beside(address, side) => {
                let target = self.targets(address, Reach::One)?;
                let Some(&target) = target.first() else { return Err(self.not_found(address)) };
                if target.span() == found.span() {
                    return Ok(None);
                }
                vec![self.beside(address, target, side, moved)?]
            }
            Destination::Into(container) => self.end_of(container, moved)?,
            Destination::Root => self.end_of(&Address::root(), moved)?,
        };
        if added.iter().any(|added| removed.start < added.span.start && added.span.end < removed.end) {
            return Err(self.refuse(|source| error::inside_itself(source, from, found)));
        }
        let mut edits = self.edits();
        edits.extend(added)?;
        edits.push(&Replacement { span: removed, text: Vec::new() })?;
        self.applied(edits).map(Some)
    }

    /// A document without empty lines at its edges.
    fn trimmed(&self, added: &Document) -> Document {
        let text = added.text().trim_start_matches('\u{feff}').trim_matches(['\r', '\n', ' ', '\t']);
        let text = self.watch.joined(&[text, "\n"]);
        Document::unread(&added.name, text.into_bytes(), added.limits.clone())
    }

    /// An item at the end of a body; an attribute behind the last one, or before the first block.
    fn end_of(&self, container: &Address, added: &Document) -> Result<Vec<Replacement>, Error> {
        let layout = self.layout();
        let Some(Place::Body(body, block)) = self.places(container, Reach::One)?.into_iter().next() else {
            return Err(self.not_found(container));
        };
        let is_attribute = added.file().body().blocks().len() == 0;
        let beside = match (body.attributes().last(), body.blocks().next()) {
            (Some(last), _) if is_attribute => Some((Found::Attribute(last), Side::After)),
            (None, Some(first)) if is_attribute => Some((Found::Block(first), Side::Before)),
            _ => None,
        };
        if let Some((target, side)) = beside
            && layout.lines_of(target.span()).is_some()
        {
            return Ok(vec![self.beside(container, target, side, added)?]);
        }
        let added = self.trimmed(added);
        Ok(insert::at_end(layout, body, block, self.on(&added)?.layout(), Gap::EmptyLine))
    }

    /// Items beside another.
    fn beside(
        &self,
        address: &Address,
        target: Found<'_>,
        side: Side,
        added: &Document,
    ) -> Result<Replacement, Error> {
        let layout = self.layout();
        let item = target.span();
        let lines = match target {
            Found::Attribute(_) | Found::Block(_) => layout.lines_of(item),
            Found::Item { .. } | Found::Element { .. } => None,
        };
        let lines = lines.ok_or_else(|| self.refuse(|source| error::no_lines(source, address, target)))?;
        let indentation = layout.indentation(item.start);
        let added = self.trimmed(added);
        let added = self.on(&added)?;
        let is_block = matches!(target, Found::Block(_)) || added.file().body().blocks().len() > 0;
        let text = indented(added.layout(), indentation, layout.newline);
        let text = self.watch.joined(&[indentation, text.trim_end_matches(['\r', '\n'])]);
        self.go_on()?;
        let newline = layout.newline;
        let (first, next) = (layout.token_at(lines.start), layout.token_at(lines.end));
        Ok(match side {
            Side::Before => {
                let is_first = layout.before(first).is_none() || layout.opening_above(first).is_some();
                let has_gap = is_block && (is_first || layout.is_empty_above(first));
                let gap = if has_gap { newline } else { "" };
                let text = self.watch.joined(&[&text, newline, gap]);
                Replacement { span: Span::empty_at(lines.start), text: text.into_bytes() }
            }
            Side::After => {
                let behind = layout.token(next);
                let is_last = is_closing(behind.kind) || behind.kind == TokenKind::EndOfFile;
                let has_gap = is_block && (is_last || layout.is_empty_line(next));
                let gap = if has_gap { newline } else { "" };
                let text = self.watch.joined(&[gap, &text]);
                new_line(layout, lines.end, &text, added.layout().ends_with_heredoc())
            }
        })
    }
}
