//! The parser of JSON syntax: tokens to values.
//!
//! Containers that are open lie on a list, so nesting costs no call stack. Where an object or array makes
//! no sense its place is taken by an invalid value, what follows is skipped as the reference implementation
//! skips it, and the container around it goes on; so one mistake may be followed by complaints about what
//! is around it, as there.

use memchr::{memchr, memchr2};

use super::error::{SyntaxError, SyntaxErrorKind};
use super::lower::make_expressions;
use super::scanner::{Scanner, Token, TokenKind};
use super::string::{self, is_plain};
use super::tree::{JsonTree, NodeKind, PropertyNode, TextId, ValueId, index};
use crate::diagnostic::Diagnostics;
use crate::limits::Watch;
use crate::parser::{ParseLimits, is_number};
use crate::source::{Pos, Source, Span};

/// The values that a whole text may be.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Root {
    /// An object or an array.
    Body,
    /// Any value.
    Any,
}

/// Reads one value that makes up the whole text. Nothing if it is none that may be, if it nests too deep, or if reading was
/// stopped.
pub(super) fn parse(
    source: &Source,
    limits: &ParseLimits,
    wanted: Root,
) -> (JsonTree, Option<ValueId>, Diagnostics) {
    let watch = Watch::of(source, limits);
    let mut parser = Parser::new(source, limits, &watch);
    let mut root = parser.value();
    if root.is_some() && parser.diagnostics.is_empty() && parser.next.kind != TokenKind::EndOfFile {
        let next = parser.next;
        parser.report(SyntaxErrorKind::DataTrailing, next.span);
    }
    parser.report_encoding();
    let Parser { tree, mut diagnostics, .. } = parser;
    if wanted == Root::Body
        && let Some(node) = root.map(|root| tree.node(root))
        && !matches!(node.kind, NodeKind::Object { .. } | NodeKind::Array { .. })
    {
        root = None;
        if watch.stopped().is_none() && source.find_lines_on(&watch) {
            let error = SyntaxError { kind: SyntaxErrorKind::RootInvalid, subject: node.span };
            diagnostics.push(error.diagnostic(source));
        }
    }
    // What would be done when the values are first asked for is done now, while limits are looked at.
    if !watch.is_idle() && watch.stopped().is_none() {
        make_expressions(&tree, &watch);
    }
    if let Some(stopped) = watch.stopped() {
        diagnostics.push(stopped.diagnostic("Parsing", source.name()));
        return (tree, None, diagnostics);
    }
    (tree, root, diagnostics)
}

struct Parser<'s> {
    source: &'s Source,
    scanner: Scanner<'s>,
    watch: &'s Watch,
    /// The token that is not taken yet.
    next: Token,
    tree: JsonTree,
    containers: Vec<Container>,
    /// The elements of the arrays that are open, one list for all.
    elements: Vec<ValueId>,
    /// The properties of the objects that are open, one list for all.
    properties: Vec<PropertyNode>,
    diagnostics: Diagnostics,
    n_left_out: u32,
    limits: ParseLimits,
    /// A byte within a string that is no UTF-8.
    bad_byte: Option<u32>,
}

/// An object or array that is being read.
#[derive(Copy, Clone)]
struct Container {
    open: Span,
    /// How many nodes, and how many elements or properties, there were before it.
    n_nodes: usize,
    n_items: usize,
    kind: ContainerKind,
}

#[derive(Copy, Clone)]
enum ContainerKind {
    Array,
    /// Between properties: the next value is the name of one.
    ObjectName,
    /// After a name.
    ObjectValue {
        name_span: Span,
        name: TextId,
    },
}

/// The continuation after a value of a container.
enum Progress {
    /// Another value.
    Another,
    /// The container is finished, and is this value.
    Finished(ValueId),
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source, limits: &ParseLimits, watch: &'s Watch) -> Self {
        let mut scanner = Scanner::new(source, source.span(), watch);
        let next = scanner.next();
        Self {
            source,
            scanner,
            watch,
            next,
            tree: JsonTree::new(source.clone(), limits.without_end()),
            containers: Vec::new(),
            elements: Vec::new(),
            properties: Vec::new(),
            diagnostics: Diagnostics::new(),
            n_left_out: 0,
            limits: limits.clone(),
            bad_byte: None,
        }
    }

    /// Takes the next token.
    fn bump(&mut self) -> Token {
        std::mem::replace(&mut self.next, self.scanner.next())
    }

    /// Reports an error; unless the parse was stopped, which makes any text look unfinished.
    fn report(&mut self, kind: SyntaxErrorKind, subject: Span) {
        if self.watch.stopped().is_some() || !self.source.find_lines_on(self.watch) {
            return;
        }
        if self.diagnostics.len() < self.limits.max_diagnostics as usize {
            self.diagnostics.push(SyntaxError { kind, subject }.diagnostic(self.source));
        } else {
            self.n_left_out = self.n_left_out.saturating_add(1);
        }
    }

    /// Reports what is said once for the whole text.
    fn report_encoding(&mut self) {
        if let Some(byte) = self.bad_byte {
            self.report(SyntaxErrorKind::EncodingInvalid, Span::new(byte, byte + 1));
        }
        if self.n_left_out > 0 {
            let kind = SyntaxErrorKind::DiagnosticsLimit { n_left_out: self.n_left_out };
            let subject = self.source.span().at_end();
            self.diagnostics.push(SyntaxError { kind, subject }.diagnostic(self.source));
        }
    }

    /// `value = object | array | string | number | "true" | "false" | "null"`
    fn value(&mut self) -> Option<ValueId> {
        loop {
            let Some(mut value) = self.begin_value()? else { continue };
            loop {
                let Some(container) = self.containers.last().copied() else { return Some(value) };
                match self.place(container, value) {
                    Progress::Another => break,
                    Progress::Finished(container) => {
                        self.containers.pop();
                        value = container;
                    }
                }
            }
        }
    }

    /// Reads a value, or the beginning of a container, of which `Some(None)` tells. Nothing if that nests
    /// too deep.
    fn begin_value(&mut self) -> Option<Option<ValueId>> {
        let token = self.next;
        let kind = match token.kind {
            TokenKind::BraceOpen => ContainerKind::ObjectName,
            TokenKind::BracketOpen => ContainerKind::Array,
            _ => return Some(Some(self.leaf())),
        };
        if self.containers.len() >= self.limits.max_depth as usize {
            self.report(SyntaxErrorKind::DepthLimit { max_depth: self.limits.max_depth }, token.span);
            return None;
        }
        self.bump();
        let (n_items, closer) = match kind {
            ContainerKind::Array => (self.elements.len(), TokenKind::BracketClose),
            _ => (self.properties.len(), TokenKind::BraceClose),
        };
        let container = Container { open: token.span, n_nodes: self.tree.nodes.len(), n_items, kind };
        if self.next.kind == closer {
            return Some(Some(self.close(container)));
        }
        self.containers.push(container);
        Some(None)
    }

    fn leaf(&mut self) -> ValueId {
        let token = self.next;
        let kind = match token.kind {
            TokenKind::Number => self.number(token.span),
            TokenKind::Keyword => match self.source.slice(token.span) {
                "null" => Ok(NodeKind::Null),
                "true" => Ok(NodeKind::Bool(true)),
                "false" => Ok(NodeKind::Bool(false)),
                _ => Err(SyntaxErrorKind::KeywordInvalid),
            },
            TokenKind::String => return self.string(),
            // Left for the search for the end of a container.
            _ => {
                self.report(SyntaxErrorKind::of_value(token.kind), token.span);
                return self.tree.push(token.span, NodeKind::Invalid);
            }
        };
        self.bump();
        let kind = kind.unwrap_or_else(|error| {
            self.report(error, token.span);
            NodeKind::Invalid
        });
        self.tree.push(token.span, kind)
    }

    /// `number = [ "-" ], ( "0" | "1"…"9", { digit } ), [ ".", digit, { digit } ], [ "e", [ sign ], digit, { digit } ]`
    fn number(&self, span: Span) -> Result<NodeKind, SyntaxErrorKind> {
        let text = self.source.slice(span);
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let has_others = |part: &[u8]| !part.iter().all(u8::is_ascii_digit);
        let are_digits = |part: &str| !part.is_empty() && !self.watch.any(part.as_bytes(), has_others);
        if let [b'1'..=b'9', rest @ ..] = unsigned.as_bytes()
            && !self.watch.any(rest, has_others)
        {
            return Ok(NodeKind::Number);
        }
        let cut = |text: &'s str, at: Option<usize>| at.map(|at| (&text[..at], &text[at + 1..]));
        let letter = self.watch.find(unsigned.as_bytes(), |part| memchr2(b'e', b'E', part));
        let (mantissa, exponent) = match cut(unsigned, letter) {
            Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['-', '+']).unwrap_or(exponent)),
            None => (unsigned, "0"),
        };
        let point = self.watch.find(mantissa.as_bytes(), |part| memchr(b'.', part));
        let (whole, fraction) = cut(mantissa, point).unwrap_or((mantissa, "0"));
        let is_json = [whole, fraction, exponent].into_iter().all(are_digits)
            && (whole == "0" || !whole.starts_with('0'));
        if is_json && is_number(unsigned, self.watch) {
            Ok(NodeKind::Number)
        } else {
            Err(SyntaxErrorKind::NumberInvalid)
        }
    }

    fn string(&mut self) -> ValueId {
        let span = self.bump().span;
        let token = self.source.slice(span);
        if is_plain(token, self.watch) && !self.source.has_bad_byte(span) {
            return self.tree.push(span, NodeKind::String(TextId::VERBATIM));
        }
        if let Some(flaw) = string::first_flaw(token, self.watch) {
            self.report_string(span, flaw);
            return self.tree.push(span, NodeKind::Invalid);
        }
        if self.bad_byte.is_none() {
            self.bad_byte = self.source.first_bad_byte(span);
        }
        let text = self.tree.push_text(|out| string::decode(self.source, span, self.watch, out));
        self.tree.push(span, NodeKind::String(text))
    }

    /// The reference implementation points at the byte after the flaw, and counts columns in bytes.
    fn report_string(&mut self, token: Span, flaw: usize) {
        let n_before = self.diagnostics.len();
        self.report(SyntaxErrorKind::StringInvalid, token);
        let Some(diagnostic) = self.diagnostics.get_mut(n_before) else { return };
        let flaw = index(flaw + 1).min(token.len());
        let context = diagnostic.subject.clone();
        if let Some(subject) = &mut diagnostic.subject {
            let Pos { line, column, byte } = subject.start;
            subject.start =
                Pos { line, column: column.saturating_add(flaw), byte: byte.saturating_add(u64::from(flaw)) };
            subject.end = Pos {
                line,
                column: subject.start.column.saturating_add(1),
                byte: subject.start.byte.saturating_add(1),
            };
        }
        diagnostic.context = context;
    }

    /// Puts a value where it belongs in the innermost container, and reads what follows it.
    fn place(&mut self, container: Container, value: ValueId) -> Progress {
        match container.kind {
            ContainerKind::Array => {
                self.elements.push(value);
                self.after_element(container)
            }
            ContainerKind::ObjectName => self.property_name(container, value),
            ContainerKind::ObjectValue { name_span, name } => {
                self.properties.push(PropertyNode { name_span, name, value });
                self.after_property(container)
            }
        }
    }

    /// `object = "{", [ property, { ",", property } ], "}"`, `property = string, ":", value`
    fn property_name(&mut self, container: Container, value: ValueId) -> Progress {
        let node = self.tree.node(value);
        let NodeKind::String(name) = node.kind else {
            let subject = match node.kind {
                NodeKind::Object { .. } | NodeKind::Array { .. } => {
                    Span::new(node.span.start, node.span.start + 1)
                }
                _ => node.span,
            };
            return self.give_up(container, SyntaxErrorKind::PropertyNameInvalid, subject);
        };
        let colon = self.bump();
        if colon.kind != TokenKind::Colon {
            self.skip_past(TokenKind::BraceOpen, TokenKind::BraceClose, colon);
            let error = match colon.kind {
                TokenKind::BraceClose | TokenKind::Comma => SyntaxErrorKind::PropertyValueMissing,
                TokenKind::Equals => SyntaxErrorKind::PropertyEquals,
                _ => SyntaxErrorKind::PropertyColonMissing,
            };
            return self.give_up(container, error, colon.span);
        }
        // The name is a value no more.
        self.tree.nodes.pop();
        if let Some(container) = self.containers.last_mut() {
            container.kind = ContainerKind::ObjectValue { name_span: node.span, name };
        }
        Progress::Another
    }

    fn after_property(&mut self, container: Container) -> Progress {
        let token = self.next;
        match token.kind {
            TokenKind::BraceClose => Progress::Finished(self.close(container)),
            TokenKind::Comma => {
                self.bump();
                if self.next.kind == TokenKind::BraceClose {
                    return self.give_up(container, SyntaxErrorKind::ObjectTrailingComma, token.span);
                }
                if let Some(container) = self.containers.last_mut() {
                    container.kind = ContainerKind::ObjectName;
                }
                Progress::Another
            }
            TokenKind::EndOfFile => self.give_up(container, SyntaxErrorKind::ObjectUnclosed, container.open),
            TokenKind::BracketClose => {
                self.bump();
                self.give_up(container, SyntaxErrorKind::ObjectMismatched, self.next.span)
            }
            _ => {
                self.bump();
                self.skip_past(TokenKind::BraceOpen, TokenKind::BraceClose, token);
                self.give_up(
                    container,
                    SyntaxErrorKind::ObjectCommaMissing { before: token.span },
                    self.next.span,
                )
            }
        }
    }

    /// `array = "[", [ value, { ",", value } ], "]"`
    fn after_element(&mut self, container: Container) -> Progress {
        let token = self.next;
        let error = match token.kind {
            TokenKind::BracketClose => return Progress::Finished(self.close(container)),
            TokenKind::Comma => {
                self.bump();
                if self.next.kind == TokenKind::BracketClose {
                    return self.give_up(container, SyntaxErrorKind::ArrayTrailingComma, token.span);
                }
                return Progress::Another;
            }
            TokenKind::EndOfFile => {
                return self.give_up(container, SyntaxErrorKind::ArrayUnclosed, container.open);
            }
            TokenKind::Colon => SyntaxErrorKind::ArrayColon,
            TokenKind::BraceClose => SyntaxErrorKind::ArrayMismatched,
            _ => SyntaxErrorKind::ArrayCommaMissing { before: token.span },
        };
        self.bump();
        self.skip_past(TokenKind::BracketOpen, TokenKind::BracketClose, token);
        self.give_up(container, error, self.next.span)
    }

    /// Takes the closing token, and makes a value of the container.
    fn close(&mut self, container: Container) -> ValueId {
        let span = container.open.to(self.bump().span);
        let kind = match container.kind {
            ContainerKind::Array => {
                let first = index(self.tree.elements.len());
                self.tree.elements.extend(self.elements.drain(container.n_items..));
                NodeKind::Array { first, count: index(self.tree.elements.len()) - first }
            }
            ContainerKind::ObjectName | ContainerKind::ObjectValue { .. } => {
                let first = index(self.tree.properties.len());
                self.tree.properties.extend(self.properties.drain(container.n_items..));
                NodeKind::Object { first, count: index(self.tree.properties.len()) - first }
            }
        };
        self.tree.push(span, kind)
    }

    /// Makes an invalid value of the container.
    fn give_up(&mut self, container: Container, error: SyntaxErrorKind, subject: Span) -> Progress {
        self.report(error, subject);
        match container.kind {
            ContainerKind::Array => self.elements.truncate(container.n_items),
            _ => self.properties.truncate(container.n_items),
        }
        self.tree.nodes.truncate(container.n_nodes);
        Progress::Finished(self.tree.push(container.open, NodeKind::Invalid))
    }

    /// Skips to the end of a container, beginning with a token that is taken already. One nested container
    /// counts as the end too, as in the reference implementation.
    fn skip_past(&mut self, opener: TokenKind, closer: TokenKind, taken: Token) {
        let mut n_open = 1_u32;
        let mut token = taken;
        loop {
            if token.kind == TokenKind::EndOfFile {
                return;
            }
            if token.kind == opener {
                n_open = n_open.saturating_add(1);
            } else if token.kind == closer {
                n_open = n_open.saturating_sub(1);
                if n_open <= 1 {
                    return;
                }
            }
            token = self.bump();
        }
    }
}
