//! Blocks and bodies: listed, appended, renamed, with other labels.

use super::address::Address;
use super::find::Found;
use super::insert::{self, Gap, Place};
use super::layout::{Layout, at_left_edge, indented};
use super::{Document, Reach, Replacement, error, source};
use crate::ast::{Block, Body};
use crate::diagnostic::Error;
use crate::escape::write_quoted;
use crate::format::{FormatStyle, format_with};
use crate::hash::HashMap;
use crate::lexer::{is_identifier, tokens};
use crate::sorting::sort_by;
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
        let root = Address::root();
        let container = container.unwrap_or(&root);
        let mut listed = Vec::new();
        for place in self.places(container, Reach::One)? {
            match place {
                Place::Body(body, _) => listed.extend(items_of(body, container)),
                Place::Object(whole, items) => listed.extend(items.iter().filter_map(|item| {
                    let found = Found::Item { whole, item };
                    Some((container.join(found.name()?), found))
                })),
            }
        }
        Ok(listed)
    }

    /// The text between the braces of a block, as [`Document::get`] gives texts; a comment beside the opening brace is the
    /// block's.
    pub fn body_of(&self, block: Block<'_>) -> Vec<u8> {
        let layout = self.layout();
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
        let text = indented(added.layout(), "", self.newline());
        let text = text.trim_start_matches('\u{feff}').trim_matches(['\r', '\n', ' ', '\t']);
        match container {
            _ if text.is_empty() => Ok(()),
            None if is_blocks && self.can_be_continued(text) => {
                self.continue_with(text, Gap::EmptyLine);
                Ok(())
            }
            None => self.append_text(&Address::root(), text, Gap::EmptyLine, Reach::One),
            Some(container) => self.append_text(container, text, Gap::EmptyLine, Reach::One),
        }
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
        if !is_identifier(block_type) {
            return Err(error::no_name(block_type).into());
        }
        let body = Self::parse_with("body", body.as_bytes().to_vec(), &self.limits)?;
        let body = body.text().trim_matches(['\r', '\n', ' ', '\t', '\u{feff}']);
        let end = if body.is_empty() { "" } else { "\n" };
        let block = format!("{} {{\n{body}{end}}}\n", block_header(block_type, labels));
        let block = format_with("block", block.as_bytes(), FormatStyle::Hcl, &self.limits);
        let block = block.map_err(|_| error::refused(None))?;
        let added = Self::parse_with("block", block, &self.limits)?;
        let text = indented(added.layout(), "", self.newline());
        let text = text.trim_end_matches(['\r', '\n']);
        match container {
            None if self.can_be_continued(text) => {
                self.continue_with(text, gap);
                Ok(())
            }
            container => self.append_text(container.unwrap_or(&Address::root()), text, gap, reach),
        }
    }

    /// How lines of the document end.
    fn newline(&self) -> &'static str {
        match memchr::memchr(b'\n', &self.bytes) {
            Some(end) if self.bytes[..end].ends_with(b"\r") => "\r\n",
            _ => "\n",
        }
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
    fn continue_with(&mut self, text: &str, gap: Gap) {
        let newline = self.newline();
        if gap == Gap::EmptyLine {
            self.bytes.extend_from_slice(newline.as_bytes());
        }
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.extend_from_slice(newline.as_bytes());
        self.read.take();
    }

    pub(super) fn append_text(
        &mut self,
        container: &Address,
        text: &str,
        gap: Gap,
        reach: Reach,
    ) -> Result<(), Error> {
        // A heredoc at the end is one only with its newline.
        let source = source("text", format!("{text}\n").into())?;
        let tokens = tokens(&source);
        let text = Layout { source: &source, tokens: &tokens };
        let mut replacements = Vec::new();
        for place in self.places(container, reach)? {
            let Place::Body(body, block) = place else {
                return Err(self.not_found(container).into());
            };
            replacements.extend(insert::at_end(self.layout(), body, block, text, gap));
        }
        self.apply(replacements)
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
        if !is_identifier(name) {
            return Err(error::no_name(name).into());
        }
        let found = self.targets(address, reach)?;
        let replacement = |found| {
            let span = match found {
                Found::Block(block) => block.type_span(),
                Found::Attribute(_) | Found::Item { .. } => found.definition_span(),
                Found::Element { .. } => {
                    return Err(error::no_parent(self.file().source(), address, found).into());
                }
            };
            Ok(Replacement { span, text: name.as_bytes().to_vec() })
        };
        let replacements = found.into_iter().map(replacement).collect::<Result<_, Error>>()?;
        self.apply(replacements)
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
        let mut replacements = Vec::new();
        for found in self.targets(address, reach)? {
            match found {
                Found::Block(block) => replacements.extend(new_header(block, block.block_type(), labels)),
                _ => return Err(error::no_parent(self.file().source(), address, found).into()),
            }
        }
        self.apply(replacements)
    }
}

/// The attributes and blocks of a body in the order written, with their addresses.
fn items_of<'t>(body: Body<'t>, container: &Address) -> Vec<(Address, Found<'t>)> {
    // An address of a block names those with more labels, too.
    let mut all = Headers::default();
    for block in body.blocks() {
        all.count(block);
    }
    let mut before = Headers::default();
    let blocks = body.blocks().map(|block| {
        let address = container.join_all(header_of(block));
        let index = before.n_that_begin_as(block);
        before.count(block);
        let is_one_of_several = all.n_that_begin_as(block) > 1;
        (if is_one_of_several { address.at(index) } else { address }, Found::Block(block))
    });
    let attributes = body.attributes();
    let attributes = attributes.map(|it| (container.join(it.name()), Found::Attribute(it)));
    let mut items: Vec<_> = blocks.chain(attributes).collect();
    sort_by(&mut items, |(_, a), (_, b)| a.span().start.cmp(&b.span().start));
    items
}

/// How many blocks begin with the same type and labels: a tree of names, with a count at each.
#[derive(Default)]
struct Headers<'t> {
    children: HashMap<(usize, &'t str), usize>,
    counts: Vec<usize>,
}

impl<'t> Headers<'t> {
    /// The number of the root, which stands for no name.
    const ROOT: usize = 0;

    fn count(&mut self, block: Block<'t>) {
        let mut node = Self::ROOT;
        for name in header_of(block) {
            let next = self.children.len() + 1;
            node = *self.children.entry((node, name)).or_insert(next);
            self.counts.resize(self.children.len() + 1, 0);
            self.counts[node] += 1;
        }
    }

    fn n_that_begin_as(&self, block: Block<'t>) -> usize {
        let mut names = header_of(block).into_iter();
        let node = names.try_fold(Self::ROOT, |node, name| self.children.get(&(node, name)).copied());
        node.and_then(|node| self.counts.get(node)).copied().unwrap_or_default()
    }
}

/// A block's type and labels.
pub(super) fn header_of(block: Block<'_>) -> Vec<&str> {
    [block.block_type()].into_iter().chain(block.labels().map(|label| label.text())).collect()
}

/// The changes that give a block another type and other labels; where they are the same they stay as they are written.
pub(super) fn new_header(block: Block<'_>, block_type: &str, labels: &[&str]) -> Vec<Replacement> {
    let quoted = |label: &str| {
        let mut text = String::new();
        write_quoted(label, &mut text);
        text
    };
    let mut replacements = Vec::new();
    if block.block_type() != block_type {
        replacements.push(Replacement { span: block.type_span(), text: block_type.as_bytes().to_vec() });
    }
    let mut end = block.type_span().end;
    let mut new = labels.iter();
    for old in block.labels() {
        let Some(label) = new.next() else {
            replacements.push(Replacement { span: Span::new(end, old.span().end), text: Vec::new() });
            end = old.span().end;
            continue;
        };
        if old.text() != *label {
            replacements.push(Replacement { span: old.span(), text: quoted(label).into_bytes() });
        }
        end = old.span().end;
    }
    let more: String = new.map(|label| format!(" {}", quoted(label))).collect();
    replacements.push(Replacement { span: Span::empty_at(end), text: more.into_bytes() });
    replacements
}

/// A block's type and labels, as text.
pub(super) fn block_header(block_type: &str, labels: &[&str]) -> String {
    let mut header = block_type.to_owned();
    for label in labels {
        header.push(' ');
        write_quoted(label, &mut header);
    }
    header
}
