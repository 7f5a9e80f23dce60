//! Tokens of YAML to events: documents, collections, scalars.
//!
//! The parser is libyaml's. The present state says what may come next, and a stack of states says what comes after
//! the node under way, so that nesting takes no stack of the machine. A value that is left out is an event too: an
//! empty plain scalar, which means null.

use hcl_syntax::hash::NameMap;

use super::scanner::{Scanned, Scanner, Style, SyntaxError, Token};
use crate::limits::{Limits, Meter, Stopped};

/// The parts of a document. Tags are complete: the prefix of their handle has been put in.
#[derive(Debug)]
pub(super) enum Event {
    StreamEnd,
    DocumentStart,
    /// The end of a document, with `...` or without.
    DocumentEnd,
    Alias(String),
    Scalar {
        text: String,
        style: Style,
        anchor: Option<String>,
        tag: Option<String>,
    },
    SequenceStart {
        anchor: Option<String>,
        tag: Option<String>,
    },
    SequenceEnd,
    MappingStart {
        anchor: Option<String>,
        tag: Option<String>,
    },
    MappingEnd,
}

/// The expectation of the parser: the place in the grammar of the next token.
#[derive(Copy, Clone, Debug)]
enum State {
    /// A document, or the end of the text. Only the first document may begin without `---`.
    DocumentStart {
        implicit: bool,
    },
    /// The value of a document, which may be missing.
    DocumentContent,
    DocumentEnd,
    /// A node of block style.
    BlockNode,
    /// A dash of a sequence, or its end.
    BlockEntry,
    /// A dash of a sequence that is not indented more than the key it is the value of.
    IndentlessEntry,
    /// A key of a mapping, or its end.
    BlockKey,
    /// The value of a key.
    BlockValue,
    /// An entry between brackets; all but the first stand behind a comma.
    FlowEntry {
        first: bool,
    },
    /// The key of a mapping of one pair without braces of its own: `[a: 1]`.
    PairKey,
    /// The value of such a pair.
    PairValue,
    /// The end of such a mapping, for which there is no token.
    PairEnd,
    /// A key between braces; all but the first stand behind a comma.
    FlowKey {
        first: bool,
    },
    /// The value of such a key, which is absent behind a key without a mark.
    FlowValue {
        absent: bool,
    },
    End,
}

/// The collections that a node may be.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Collections {
    /// Those in brackets.
    Flow,
    /// Those of block style too.
    Block,
    /// Also a sequence at the column of the mapping that the node is a key or a value of.
    InMapping,
}

/// A text on the way to events.
pub(super) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    /// The states to go back to, the next one last.
    states: Vec<State>,
    /// The places of handles of tags among what they stand for.
    handles: NameMap,
    prefixes: Vec<String>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, limits: &Limits) -> Parser<'t> {
        Parser {
            scanner: Scanner::new(text, limits),
            state: State::DocumentStart { implicit: true },
            states: Vec::new(),
            handles: NameMap::default(),
            prefixes: Vec::new(),
        }
    }

    /// Why the text was not read to its end.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.scanner.cursor.stopped
    }

    /// How many collections have been open together so far.
    pub(super) fn deepest(&self) -> u32 {
        self.scanner.deepest()
    }

    /// Returns the charge for finding the next event.
    pub(super) fn cost(&self) -> u64 {
        1 + self.scanner.depth() as u64 / 8
    }

    /// The next event and its line. What is kept of directives is asked of a meter; at its limits there is no event.
    pub(super) fn next(&mut self, meter: &mut Meter) -> Scanned<(Event, usize)> {
        let line = self.scanner.peek()?.1;
        let event = match self.state {
            State::DocumentStart { implicit } => self.document_start(implicit, meter),
            State::DocumentContent => match self.token()? {
                Token::Version(..)
                | Token::TagDirective(..)
                | Token::DocumentStart
                | Token::DocumentEnd
                | Token::StreamEnd => self.empty_and_back(),
                _ => self.node(Collections::Block),
            },
            State::DocumentEnd => {
                if *self.token()? == Token::DocumentEnd {
                    self.scanner.take();
                }
                self.state = State::DocumentStart { implicit: false };
                Ok(Event::DocumentEnd)
            }
            State::BlockNode => self.node(Collections::Block),
            State::BlockEntry => self.block_entry(),
            State::IndentlessEntry => self.indentless_entry(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FlowEntry { first } => self.flow_entry(first),
            State::PairKey => self.pair_key(),
            State::PairValue => self.pair_value(),
            State::PairEnd => {
                self.state = State::FlowEntry { first: false };
                Ok(Event::MappingEnd)
            }
            State::FlowKey { first } => self.flow_key(first),
            State::FlowValue { absent } => self.flow_value(absent),
            State::End => Ok(Event::StreamEnd),
        }?;
        Ok((event, line))
    }

    fn token(&mut self) -> Scanned<&Token> {
        self.scanner.peek().map(|(token, _)| token)
    }

    /// An error at the next token.
    fn fail<T>(&mut self, problem: &'static str) -> Scanned<T> {
        let line = self.scanner.peek()?.1;
        Err(SyntaxError { line, problem })
    }

    /// Goes back to the state behind the node that ends here.
    fn back(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// The event for a value that is left out.
    fn empty() -> Event {
        Event::Scalar { text: String::new(), style: Style::Plain, anchor: None, tag: None }
    }

    /// An empty scalar in place of the node that should be here.
    fn empty_and_back(&mut self) -> Scanned<Event> {
        self.back();
        Ok(Self::empty())
    }

    /// An empty scalar, and what comes after it.
    fn empty_then(&mut self, next: State) -> Scanned<Event> {
        self.state = next;
        Ok(Self::empty())
    }

    /// A node, and what comes after it.
    fn node_then(&mut self, next: State, allowed: Collections) -> Scanned<Event> {
        self.states.push(next);
        self.node(allowed)
    }

    /// Begins a document, with its directives. The first one is `implicit` and may do without `---`; before a later
    /// one any number of `...` may stand.
    fn document_start(&mut self, implicit: bool, meter: &mut Meter) -> Scanned<Event> {
        if !implicit {
            while *self.token()? == Token::DocumentEnd {
                self.scanner.take();
            }
        }
        match self.token()? {
            Token::StreamEnd => {
                self.state = State::End;
                Ok(Event::StreamEnd)
            }
            Token::Version(..) | Token::TagDirective(..) | Token::DocumentStart => {
                self.directives(meter)?;
                if *self.token()? != Token::DocumentStart {
                    return self.fail("--- must follow the directives");
                }
                self.scanner.take();
                self.states.push(State::DocumentEnd);
                self.state = State::DocumentContent;
                Ok(Event::DocumentStart)
            }
            _ if implicit => {
                self.directives(meter)?;
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                Ok(Event::DocumentStart)
            }
            _ => self.fail("the document has ended, and only --- may start another"),
        }
    }

    /// Reads directives, which hold for one document, and adds the two handles that every document has.
    fn directives(&mut self, meter: &mut Meter) -> Scanned<()> {
        self.handles = NameMap::default();
        self.prefixes.clear();
        let mut version = false;
        loop {
            match self.token()?.clone() {
                Token::Version(..) if version => return self.fail("%YAML stands there twice"),
                Token::Version(1, 1) => version = true,
                Token::Version(..) => return self.fail("only version 1.1 of YAML is read"),
                Token::TagDirective(handle, prefix) => {
                    let table = self.handles.bytes_to_add(&handle);
                    if meter.hold_push(&self.prefixes).and(meter.hold(table)).is_err()
                        || !self.define(&handle, prefix)
                    {
                        return self.fail("a handle of tags is defined twice");
                    }
                }
                _ => break,
            }
            self.scanner.take();
        }
        self.define("!", "!".to_owned());
        self.define("!!", super::decode::TAG_PREFIX.to_owned());
        Ok(())
    }

    /// Notes what a handle stands for, unless that is known: then nothing changes.
    fn define(&mut self, handle: &str, prefix: String) -> bool {
        let is_new = !self.handles.contains(handle);
        if is_new {
            self.handles.insert(handle, self.prefixes.len());
            self.prefixes.push(prefix);
        }
        is_new
    }

    /// Anchor and tag, in either order.
    fn properties(&mut self) -> Scanned<(Option<String>, Option<String>)> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.token()? {
                Token::Anchor(_) if anchor.is_none() => {
                    if let Some(Token::Anchor(name)) = self.scanner.take() {
                        anchor = Some(name);
                    }
                }
                Token::Tag(..) if tag.is_none() => {
                    if let Some(Token::Tag(handle, suffix)) = self.scanner.take() {
                        tag = Some(self.full_tag(&handle, suffix)?);
                    }
                }
                _ => return Ok((anchor, tag)),
            }
        }
    }

    /// A tag with the prefix that its handle stands for.
    fn full_tag(&mut self, handle: &str, suffix: String) -> Scanned<String> {
        if handle.is_empty() {
            return Ok(suffix);
        }
        match self.handles.get(handle) {
            Some(place) => Ok(format!("{}{suffix}", self.prefixes[place])),
            None => self.fail("the handle of a tag is not defined"),
        }
    }

    /// Begins a node: an alias, a scalar, or a collection that is allowed. Properties alone make an empty scalar.
    fn node(&mut self, allowed: Collections) -> Scanned<Event> {
        if let Token::Alias(_) = self.token()? {
            self.back();
            return match self.scanner.take() {
                Some(Token::Alias(name)) => Ok(Event::Alias(name)),
                _ => self.fail("an alias without a name"),
            };
        }
        let (anchor, tag) = self.properties()?;
        match self.token()? {
            Token::BlockEntry if allowed == Collections::InMapping => {
                self.state = State::IndentlessEntry;
                Ok(Event::SequenceStart { anchor, tag })
            }
            Token::Scalar(..) => {
                self.back();
                match self.scanner.take() {
                    Some(Token::Scalar(text, style)) => Ok(Event::Scalar { text, style, anchor, tag }),
                    _ => self.fail("a scalar without text"),
                }
            }
            Token::FlowSequence => {
                self.state = State::FlowEntry { first: true };
                self.scanner.take();
                Ok(Event::SequenceStart { anchor, tag })
            }
            Token::FlowMapping => {
                self.state = State::FlowKey { first: true };
                self.scanner.take();
                Ok(Event::MappingStart { anchor, tag })
            }
            Token::BlockSequence if allowed != Collections::Flow => {
                self.state = State::BlockEntry;
                self.scanner.take();
                Ok(Event::SequenceStart { anchor, tag })
            }
            Token::BlockMapping if allowed != Collections::Flow => {
                self.state = State::BlockKey;
                self.scanner.take();
                Ok(Event::MappingStart { anchor, tag })
            }
            _ if anchor.is_some() || tag.is_some() => {
                self.back();
                Ok(Event::Scalar { text: String::new(), style: Style::Plain, anchor, tag })
            }
            _ => self.fail("a value is missing here"),
        }
    }

    /// An entry of a sequence that is indented.
    fn block_entry(&mut self) -> Scanned<Event> {
        match self.token()? {
            Token::BlockEntry => {
                self.scanner.take();
                match self.token()? {
                    Token::BlockEntry | Token::BlockEnd => self.empty_then(State::BlockEntry),
                    _ => self.node_then(State::BlockEntry, Collections::Block),
                }
            }
            Token::BlockEnd => {
                self.scanner.take();
                self.back();
                Ok(Event::SequenceEnd)
            }
            _ => self.fail("the next entry of the sequence (-) is missing, or indented otherwise"),
        }
    }

    /// An entry of a sequence below a key, which ends with whatever is no dash.
    fn indentless_entry(&mut self) -> Scanned<Event> {
        if *self.token()? != Token::BlockEntry {
            self.back();
            return Ok(Event::SequenceEnd);
        }
        self.scanner.take();
        match self.token()? {
            Token::BlockEntry | Token::Key | Token::Value | Token::BlockEnd => {
                self.empty_then(State::IndentlessEntry)
            }
            _ => self.node_then(State::IndentlessEntry, Collections::Block),
        }
    }

    /// A key of a mapping in block style.
    fn block_key(&mut self) -> Scanned<Event> {
        match self.token()? {
            Token::Key => {
                self.scanner.take();
                match self.token()? {
                    Token::Key | Token::Value | Token::BlockEnd => self.empty_then(State::BlockValue),
                    _ => self.node_then(State::BlockValue, Collections::InMapping),
                }
            }
            Token::BlockEnd => {
                self.scanner.take();
                self.back();
                Ok(Event::MappingEnd)
            }
            _ => self.fail("the next key of the mapping is missing, or indented otherwise"),
        }
    }

    /// A value of a mapping in block style.
    fn block_value(&mut self) -> Scanned<Event> {
        if *self.token()? != Token::Value {
            return self.empty_then(State::BlockKey);
        }
        self.scanner.take();
        match self.token()? {
            Token::Key | Token::Value | Token::BlockEnd => self.empty_then(State::BlockKey),
            _ => self.node_then(State::BlockKey, Collections::InMapping),
        }
    }

    /// An entry between brackets.
    fn flow_entry(&mut self, first: bool) -> Scanned<Event> {
        if !first && *self.token()? != Token::FlowSequenceEnd {
            if *self.token()? != Token::FlowEntry {
                return self.fail("a comma or ] is missing");
            }
            self.scanner.take();
        }
        match self.token()? {
            Token::Key => {
                self.scanner.take();
                self.state = State::PairKey;
                Ok(Event::MappingStart { anchor: None, tag: None })
            }
            Token::FlowSequenceEnd => {
                self.scanner.take();
                self.back();
                Ok(Event::SequenceEnd)
            }
            _ => self.node_then(State::FlowEntry { first: false }, Collections::Flow),
        }
    }

    /// The key of a single pair between brackets.
    fn pair_key(&mut self) -> Scanned<Event> {
        match self.token()? {
            Token::Value | Token::FlowEntry | Token::FlowSequenceEnd => self.empty_then(State::PairValue),
            _ => self.node_then(State::PairValue, Collections::Flow),
        }
    }

    /// The value of a single pair between brackets.
    fn pair_value(&mut self) -> Scanned<Event> {
        if *self.token()? == Token::Value {
            self.scanner.take();
            if !matches!(self.token()?, Token::FlowEntry | Token::FlowSequenceEnd) {
                return self.node_then(State::PairEnd, Collections::Flow);
            }
        }
        self.empty_then(State::PairEnd)
    }

    /// A key between braces.
    fn flow_key(&mut self, first: bool) -> Scanned<Event> {
        if !first && *self.token()? != Token::FlowMappingEnd {
            if *self.token()? != Token::FlowEntry {
                return self.fail("a comma or } is missing");
            }
            self.scanner.take();
        }
        match self.token()? {
            Token::Key => {
                self.scanner.take();
                match self.token()? {
                    Token::Value | Token::FlowEntry | Token::FlowMappingEnd => {
                        self.empty_then(State::FlowValue { absent: false })
                    }
                    _ => self.node_then(State::FlowValue { absent: false }, Collections::Flow),
                }
            }
            Token::FlowMappingEnd => {
                self.scanner.take();
                self.back();
                Ok(Event::MappingEnd)
            }
            _ => self.node_then(State::FlowValue { absent: true }, Collections::Flow),
        }
    }

    /// A value between braces.
    fn flow_value(&mut self, absent: bool) -> Scanned<Event> {
        let next = State::FlowKey { first: false };
        if !absent && *self.token()? == Token::Value {
            self.scanner.take();
            if !matches!(self.token()?, Token::FlowEntry | Token::FlowMappingEnd) {
                return self.node_then(next, Collections::Flow);
            }
        }
        self.empty_then(next)
    }
}
