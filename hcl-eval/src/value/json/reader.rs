//! JSON text as a flat list of nodes.
//!
//! One pass without recursion checks the grammar and notes where each value stands; a node of an array or
//! object knows where its contents end, so it can be entered or stepped over. Strings are unescaped and
//! numbers read only when they are asked for.

use std::borrow::Cow;
use std::ops::Range;

use hcl_syntax::json::string_stop;

use super::super::ValueError;
use super::super::error::{JsonProblem, ValueErrorKind};
use super::JsonOptions;
use crate::limits::{BYTES_PER_PART, Charge, LimitReached, Pace, go_on, hold};
use crate::value::string::{STRETCH, append_on, find_char_on, find_on};

/// A JSON text that has been checked.
pub(super) struct Document<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    /// Where the value ends in the text.
    end: usize,
}

/// A value or a key: 16 bytes, as there is one for each two bytes of a text and all are released in one go.
#[derive(Copy, Clone)]
struct Node {
    kind: NodeKind,
    /// The bytes of the text, for strings without the quotes.
    start: u32,
    end: u32,
    /// The number of the node behind this one and its contents.
    next: u32,
}

impl Node {
    /// Where it stands in the text.
    fn place(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in a text, or the number of a node, of which no text has more than bytes. Longer texts are refused; to check that each
/// time takes 3 % more instructions.
#[expect(clippy::cast_possible_truncation, reason = "no text has so many bytes")]
fn narrow(place: usize) -> u32 {
    place as u32
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum NodeKind {
    Null,
    True,
    False,
    Number,
    PlainString,
    EscapedString,
    Array,
    Object,
}

/// The content of a node.
pub(super) enum Content<'a> {
    Null,
    Bool(bool),
    /// The digits as they stand in the text.
    Number(&'a str),
    String(Cow<'a, str>),
    Array,
    Object,
}

/// Blanks and digits in a row are mostly fewer. To take stretches of them at once took values of JSON 11 % more instructions.
const FEW: usize = 1 << 6;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How much text a node has at least, mostly: between 7 and 8 bytes in records of short names and values without blanks. A list
/// that is too short for the last nodes is copied to room for twice as many, for up to 5 % more instructions.
const BYTES_PER_NODE: usize = 7;

impl<'a> Document<'a> {
    /// Checks one value at the start of a text; what follows it is not looked at.
    pub(super) fn read(text: &'a str, options: &JsonOptions) -> Result<Document<'a>, ValueError> {
        Self::read_charged(text, options, Charge::Parts(None))
    }

    /// Reads a text, each node told to a meter.
    pub(super) fn read_charged(
        text: &'a str,
        options: &JsonOptions,
        charge: Charge<'_>,
    ) -> Result<Document<'a>, ValueError> {
        if text.len() >= u32::MAX as usize {
            return Err(ValueErrorKind::Limit(LimitReached::OutOfMemory).into());
        }
        let nodes = Vec::with_capacity(text.len() / BYTES_PER_NODE);
        let mut reader =
            Reader { bytes: text.as_bytes(), at: 0, nodes, open: vec![], is_in_object: false, charge };
        let max_depth = usize::try_from(options.max_depth).unwrap_or(usize::MAX);
        reader.document(max_depth)?;
        Ok(Document { text, nodes: reader.nodes, end: reader.at })
    }

    /// How many bytes are taken for the nodes of a text of this length before it is read.
    pub(super) fn room_for(length: usize) -> usize {
        length / BYTES_PER_NODE * size_of::<Node>()
    }

    /// Checks that no other value follows. As in the reference, a bracket that closes nothing hides all that
    /// comes after it.
    pub(super) fn require_end(&self, pace: Pace<'_, '_>) -> Result<(), ValueError> {
        let rest = self.text.as_bytes().get(self.end..).unwrap_or_default();
        match find_on(rest, |part| part.iter().position(|byte| !is_blank(*byte)), pace)? {
            Some(i) if !matches!(rest[i], b']' | b'}') => {
                Err(syntax(JsonProblem::TrailingData, self.end + i))
            }
            _ => Ok(()),
        }
    }

    /// How many nodes there are.
    pub(super) fn n_nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(super) fn root(&self) -> usize {
        0
    }

    /// Where a node stands in the text.
    pub(super) fn offset(&self, at: usize) -> usize {
        self.nodes[at].start as usize
    }

    pub(super) fn content(&self, at: usize) -> Content<'a> {
        self.content_on(at, &mut None).unwrap_or(Content::Null)
    }

    /// The content of a node, with looks at the limits.
    pub(super) fn content_on(&self, at: usize, pace: Pace<'_, '_>) -> Result<Content<'a>, LimitReached> {
        let node = &self.nodes[at];
        Ok(match node.kind {
            NodeKind::Null => Content::Null,
            NodeKind::True => Content::Bool(true),
            NodeKind::False => Content::Bool(false),
            NodeKind::Number => Content::Number(self.slice(node)),
            NodeKind::PlainString => Content::String(Cow::Borrowed(self.slice(node))),
            NodeKind::EscapedString => Content::String(Cow::Owned(unescape(self.slice(node), pace)?)),
            NodeKind::Array => Content::Array,
            NodeKind::Object => Content::Object,
        })
    }

    pub(super) fn is_array(&self, at: usize) -> bool {
        self.nodes[at].kind == NodeKind::Array
    }

    pub(super) fn is_object(&self, at: usize) -> bool {
        self.nodes[at].kind == NodeKind::Object
    }

    pub(super) fn is_string(&self, at: usize) -> bool {
        matches!(self.nodes[at].kind, NodeKind::PlainString | NodeKind::EscapedString)
    }

    /// The text of a string node, with looks at the limits. Through `content_on`, values of JSON take 7 % more instructions.
    pub(super) fn text_on(
        &self,
        at: usize,
        pace: Pace<'_, '_>,
    ) -> Result<Option<Cow<'a, str>>, LimitReached> {
        let node = &self.nodes[at];
        Ok(match node.kind {
            NodeKind::PlainString => Some(Cow::Borrowed(self.slice(node))),
            NodeKind::EscapedString => Some(Cow::Owned(unescape(self.slice(node), pace)?)),
            _ => None,
        })
    }

    /// The text of a node, of strings without the quotes.
    fn slice(&self, node: &Node) -> &'a str {
        self.text.get(node.place()).unwrap_or_default()
    }

    /// Returns true if the node takes more of the text than is read in one go.
    pub(super) fn is_long(&self, at: usize) -> bool {
        self.nodes[at].place().len() > STRETCH
    }

    /// The text of a string node if it stands there without escapes.
    pub(super) fn plain_text(&self, at: usize) -> Option<&'a str> {
        let node = &self.nodes[at];
        (node.kind == NodeKind::PlainString).then(|| self.slice(node))
    }

    /// Returns true if a node is a string that stands there as `text`.
    pub(super) fn is_written(&self, at: usize, text: &str) -> bool {
        let node = &self.nodes[at];
        node.kind == NodeKind::PlainString && self.text.as_bytes().get(node.place()) == Some(text.as_bytes())
    }

    /// The nodes of an array's elements.
    pub(super) fn elements(&self, array: usize) -> impl Iterator<Item = usize> + use<'_, 'a> {
        let end = self.nodes[array].next as usize;
        let mut at = array + 1;
        std::iter::from_fn(move || {
            let found = (at < end).then_some(at)?;
            at = self.nodes[at].next as usize;
            Some(found)
        })
    }

    /// The nodes of an object's keys and values.
    pub(super) fn entries(&self, object: usize) -> impl Iterator<Item = (usize, usize)> + use<'_, 'a> {
        let mut nodes = self.elements(object);
        std::iter::from_fn(move || Some((nodes.next()?, nodes.next()?)))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn syntax(problem: JsonProblem, offset: usize) -> ValueError {
    ValueErrorKind::JsonSyntax { problem, offset }.into()
}

struct Reader<'a, 'm> {
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The nodes of the arrays and objects that are open.
    open: Vec<usize>,
    /// The innermost of them is an object.
    is_in_object: bool,
    charge: Charge<'m>,
}

impl Reader<'_, '_> {
    /// One value: scalars at once, containers opened here and closed when their bracket comes.
    fn document(&mut self, max_depth: usize) -> Result<(), ValueError> {
        loop {
            self.charge.part()?;
            self.blanks()?;
            let opened = self.value()?;
            if opened {
                if self.open.len() > max_depth {
                    return Err(syntax(JsonProblem::TooDeep, self.at - 1));
                }
                self.blanks()?;
                if self.peek() != Some(self.closer()) {
                    self.key()?;
                    continue;
                }
            }
            // A value is complete: close what it completes, then go to the next one.
            loop {
                if self.open.is_empty() {
                    return Ok(());
                }
                self.blanks()?;
                match self.peek() {
                    Some(b',') if !self.just_opened() => {
                        self.at += 1;
                        self.blanks()?;
                        self.key()?;
                        break;
                    }
                    Some(byte) if byte == self.closer() => self.close(),
                    _ => return Err(self.unexpected()),
                }
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) -> Result<(), LimitReached> {
        if self.peek().is_some_and(is_blank) { self.pass_blanks() } else { Ok(()) }
    }

    #[inline(never)] // Within `blanks`, values of JSON take 2 % more instructions.
    fn pass_blanks(&mut self) -> Result<(), LimitReached> {
        self.pass(is_blank)
    }

    /// Passes the bytes that are as asked for, with looks at the limits.
    fn pass(&mut self, is_it: impl Fn(u8) -> bool) -> Result<(), LimitReached> {
        let near = self.at + FEW;
        while self.at < near {
            if !self.peek().is_some_and(&is_it) {
                return Ok(());
            }
            self.at += 1;
        }
        self.pass_many(&is_it)
    }

    fn pass_many(&mut self, is_it: &dyn Fn(u8) -> bool) -> Result<(), LimitReached> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = find_on(rest, |part| part.iter().position(|&byte| !is_it(byte)), &mut self.charge.pace())?;
        self.at += end.unwrap_or(rest.len());
        Ok(())
    }

    fn unexpected(&self) -> ValueError {
        match self.peek() {
            Some(_) if self.at == 0 && self.bytes.starts_with(BYTE_ORDER_MARK) => {
                syntax(JsonProblem::ByteOrderMark, 0)
            }
            Some(byte) => syntax(JsonProblem::UnexpectedByte(byte), self.at),
            None => syntax(JsonProblem::UnexpectedEnd, self.at),
        }
    }

    fn closer(&self) -> u8 {
        if self.is_in_object { b'}' } else { b']' }
    }

    /// Returns whether the innermost container has no contents yet.
    fn just_opened(&self) -> bool {
        self.open.last().is_some_and(|&node| node + 1 == self.nodes.len())
    }

    fn close(&mut self) {
        self.at += 1;
        if let Some(node) = self.open.pop() {
            self.nodes[node].next = narrow(self.nodes.len());
            self.nodes[node].end = narrow(self.at);
        }
        self.is_in_object = self.open.last().is_some_and(|&node| self.nodes[node].kind == NodeKind::Object);
    }

    /// In an object, the key and the colon before the next value.
    fn key(&mut self) -> Result<(), ValueError> {
        if !self.is_in_object {
            return Ok(());
        }
        if self.peek() != Some(b'"') {
            return Err(self.unexpected());
        }
        self.string()?;
        self.blanks()?;
        if self.peek() != Some(b':') {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a scalar, or the opening bracket of a container (and then answers `true`).
    fn value(&mut self) -> Result<bool, ValueError> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", NodeKind::True)?,
            Some(b'f') => self.word("false", NodeKind::False)?,
            Some(b'n') => self.word("null", NodeKind::Null)?,
            Some(byte @ (b'[' | b'{')) => {
                self.at += 1;
                self.open.push(self.nodes.len());
                self.is_in_object = byte == b'{';
                self.push(if byte == b'[' { NodeKind::Array } else { NodeKind::Object }, start, self.at)?;
                return Ok(true);
            }
            _ => return Err(self.unexpected()),
        }
        Ok(false)
    }

    fn push(&mut self, kind: NodeKind, start: usize, end: usize) -> Result<(), ValueError> {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow()?;
        }
        let next = narrow(self.nodes.len() + 1);
        self.nodes.push(Node { kind, start: narrow(start), end: narrow(end), next });
        Ok(())
    }

    /// Makes room for more nodes, twice as many as there are.
    #[cold] // Without it `value_of_json` takes 2 % more instructions.
    fn grow(&mut self) -> Result<(), ValueError> {
        let more = self.nodes.len().max(16);
        hold(&mut self.charge.pace(), 2 * more * size_of::<Node>())?;
        match self.nodes.try_reserve(more) {
            Ok(()) => Ok(()),
            Err(_) => Err(ValueErrorKind::Limit(LimitReached::OutOfMemory).into()),
        }
    }

    fn word(&mut self, word: &str, kind: NodeKind) -> Result<(), ValueError> {
        let start = self.at;
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return Err(self.unexpected());
            }
            self.at += 1;
        }
        self.push(kind, start, self.at)
    }

    fn number(&mut self) -> Result<(), ValueError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(NodeKind::Number, start, self.at)
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), ValueError> {
        let start = self.at;
        self.pass(|byte| byte.is_ascii_digit())?;
        if self.at == start { Err(syntax(JsonProblem::InvalidNumber, start)) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<(), ValueError> {
        let start = self.at + 1;
        let stretch = self.bytes.get(..start + BYTES_PER_PART).unwrap_or(self.bytes);
        let end = string_stop(stretch, start);
        // A short text is part of what its node counts.
        if stretch.get(end) == Some(&b'"') {
            self.at = end + 1;
            return self.push(NodeKind::PlainString, start, end);
        }
        self.long_string()
    }

    /// A string that is long, has escapes or is not well-formed. Apart from the others, which saves values of JSON 4 % of their
    /// instructions.
    #[inline(never)]
    fn long_string(&mut self) -> Result<(), ValueError> {
        self.at += 1;
        let start = self.at;
        let mut kind = NodeKind::PlainString;
        loop {
            let stretch = self.bytes.get(..self.at + STRETCH).unwrap_or(self.bytes);
            let passed = string_stop(stretch, self.at) - self.at;
            self.at += passed;
            go_on(&mut self.charge.pace(), passed / BYTES_PER_PART + 1)?;
            match self.peek() {
                Some(_) if passed == STRETCH => {}
                Some(b'"') => break,
                Some(b'\\') => {
                    kind = NodeKind::EscapedString;
                    self.escape()?;
                }
                Some(_) => return Err(syntax(JsonProblem::ControlCharacter, self.at)),
                None => return Err(syntax(JsonProblem::UnexpectedEnd, self.at)),
            }
        }
        self.push(kind, start, self.at)?;
        self.at += 1;
        Ok(())
    }

    /// Steps over a backslash and what belongs to it.
    fn escape(&mut self) -> Result<(), ValueError> {
        let start = self.at;
        let invalid = || syntax(JsonProblem::InvalidEscape, start);
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 1..self.at + 5).ok_or_else(invalid)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(invalid());
                }
                self.at += 5;
            }
            _ => return Err(invalid()),
        }
        Ok(())
    }
}

/// The text of a checked string with its escapes replaced; halves of surrogate pairs that stand alone
/// become U+FFFD.
fn unescape(text: &str, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = find_char_on(rest, '\\', pace)? {
        go_on(pace, 1 + backslash / BYTES_PER_PART)?;
        append_on(&rest[..backslash], &mut out, pace)?;
        rest = &rest[backslash + 1..];
        let mut chars = rest.chars();
        let escape = chars.next().unwrap_or('\\');
        rest = chars.as_str();
        out.push(match escape {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (c, after) = unicode_escape(rest);
                rest = after;
                c
            }
            other => other,
        });
    }
    append_on(rest, &mut out, pace)?;
    Ok(out)
}

/// The character of the four digits at the start of `text`, with the low surrogate that may follow.
fn unicode_escape(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let first = unit(text).unwrap_or(0xfffd);
    let rest = text.get(4..).unwrap_or_default();
    let low = rest.strip_prefix("\\u").and_then(unit);
    if let Some(low) = low
        && let Some(Ok(c)) = char::decode_utf16([first, low]).next()
        && c.len_utf16() == 2
    {
        return (c, rest.get(6..).unwrap_or_default());
    }
    (char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}
