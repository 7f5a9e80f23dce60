//! YAML 1.1 text to tokens: indentation, keys without a question mark, flow brackets.
//!
//! No crate reads this version of the language as the reference does. A key without a question mark is recognised
//! by the colon behind it, so what may be such a key is remembered, and its token put in front when the colon comes.

use std::collections::VecDeque;

use super::cursor::{Cursor, is_blank, is_break};
use crate::limits::Limits;

/// The problem with a text, and its line.
#[derive(Debug)]
pub(super) struct SyntaxError {
    /// Counted from 1.
    pub(super) line: usize,
    /// A sentence without a full stop.
    pub(super) problem: &'static str,
}

pub(super) type Scanned<T> = Result<T, SyntaxError>;

/// A piece of the text.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    StreamEnd,
    /// `%YAML`, with its version.
    Version(u32, u32),
    /// `%TAG`: handle and prefix.
    TagDirective(String, String),
    DocumentStart,
    DocumentEnd,
    /// A sequence begins at this indentation; a token that no character stands for.
    BlockSequence,
    /// A mapping begins at this indentation, before its first key.
    BlockMapping,
    /// Either of the two ends, because the indentation is less.
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    /// `-`
    BlockEntry,
    /// `,`
    FlowEntry,
    /// `?`, or the place before a key that a colon follows.
    Key,
    /// `:`
    Value,
    /// `*name`
    Alias(String),
    /// `&name`
    Anchor(String),
    /// Handle and suffix.
    Tag(String, String),
    /// A text, its quotes, escapes and folds resolved.
    Scalar(String, Style),
}

/// How a scalar is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Plain,
    Quoted,
    Block,
}

/// A place that may turn out to begin a key without a question mark.
struct SimpleKey {
    /// True if it must be a key: nothing else can stand there.
    required: bool,
    /// The number of its token.
    token: usize,
    line: usize,
    index: usize,
    column: usize,
}

/// A key may not be longer, in code points, and must stand in one line: the rule of YAML 1.1 that bounds how far the
/// scanner has to look ahead.
const LONGEST_KEY: usize = 1024;

/// A text on the way to tokens.
pub(super) struct Scanner<'t> {
    /// The place up to which the text has been read.
    pub(super) cursor: Cursor<'t>,
    /// Tokens that have been found and not handed out, with their lines.
    tokens: VecDeque<(Token, usize)>,
    /// How many tokens have been handed out.
    taken: usize,
    /// The column of the innermost block collection; -1 outside of all.
    pub(super) indent: i64,
    /// The columns of the block collections around it.
    indents: Vec<i64>,
    /// The place that may begin a key, outside of brackets and in each pair of open ones.
    simple_keys: Vec<Option<SimpleKey>>,
    /// True if a key may begin at the next token.
    pub(super) simple_key_allowed: bool,
    /// True if the last token has been found.
    ended: bool,
    /// How many block collections, or brackets, may be open.
    max_depth: usize,
    /// How many brackets and indentations have been open together.
    deepest: usize,
}

pub(super) const TOO_DEEP: &str = "collections nest too deep";

impl<'t> Scanner<'t> {
    /// A scanner of a text within limits.
    pub(super) fn new(text: &'t str, limits: &Limits) -> Scanner<'t> {
        Scanner {
            cursor: Cursor::new(text, limits.clone()),
            tokens: VecDeque::new(),
            taken: 0,
            indent: -1,
            indents: Vec::new(),
            simple_keys: vec![None],
            simple_key_allowed: true,
            ended: false,
            max_depth: usize::try_from(limits.max_depth).unwrap_or(usize::MAX),
            deepest: 0,
        }
    }

    /// Returns whether the scanner stands inside of brackets.
    pub(super) fn in_flow(&self) -> bool {
        self.simple_keys.len() > 1
    }

    /// How many brackets and indentations are open: what each token costs to look through.
    pub(super) fn depth(&self) -> usize {
        self.simple_keys.len() + self.indents.len()
    }

    fn n_open(&self) -> usize {
        self.indents.len() + self.simple_keys.len() - 1
    }

    /// How many collections have been open together.
    pub(super) fn deepest(&self) -> u32 {
        u32::try_from(self.deepest).unwrap_or(u32::MAX)
    }

    pub(super) fn fail<T>(&self, problem: &'static str) -> Scanned<T> {
        Err(SyntaxError { line: self.cursor.line + 1, problem })
    }

    /// The next token and its line, which stays the next one.
    pub(super) fn peek(&mut self) -> Scanned<&(Token, usize)> {
        while self.needs_more()? {
            self.fetch()?;
        }
        match self.tokens.front() {
            Some(_) => Ok(&self.tokens[0]),
            None => Err(SyntaxError { line: self.cursor.line + 1, problem: "the text ends too early" }),
        }
    }

    /// Goes past the next token.
    pub(super) fn take(&mut self) -> Option<Token> {
        self.taken += 1;
        self.tokens.pop_front().map(|(token, _)| token)
    }

    /// Tells if the next token cannot be handed out yet: there is none, or it may be the beginning of a key.
    fn needs_more(&mut self) -> Scanned<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        Ok(self.simple_keys.iter().flatten().any(|key| key.token == self.taken))
    }

    /// Gives up keys whose colon can't come any more.
    fn drop_stale_keys(&mut self) -> Scanned<()> {
        let (line, index) = (self.cursor.line, self.cursor.index);
        for place in &mut self.simple_keys {
            if let Some(key) = place.take_if(|key| key.line < line || key.index + LONGEST_KEY < index)
                && key.required
            {
                return Err(SyntaxError { line: key.line + 1, problem: "a colon is missing behind a key" });
            }
        }
        Ok(())
    }

    /// Remembers that a key may begin here.
    fn save_simple_key(&mut self) -> Scanned<()> {
        if !self.simple_key_allowed {
            return Ok(());
        }
        self.remove_simple_key()?;
        let Cursor { line, index, column, .. } = self.cursor;
        let required = !self.in_flow() && self.indent == as_indent(column);
        let token = self.taken + self.tokens.len();
        if let Some(place) = self.simple_keys.last_mut() {
            *place = Some(SimpleKey { required, token, line, index, column });
        }
        Ok(())
    }

    /// Gives up the place that may begin a key.
    fn remove_simple_key(&mut self) -> Scanned<()> {
        match self.simple_keys.last_mut().and_then(Option::take) {
            Some(key) if key.required => self.fail("a colon is missing behind a key"),
            _ => Ok(()),
        }
    }

    pub(super) fn push(&mut self, token: Token) {
        self.tokens.push_back((token, self.cursor.line + 1));
    }

    /// Opens a block collection if the column is further in; its token goes where token number `at` is.
    fn roll_indent(&mut self, column: usize, at: Option<usize>, token: Token) -> Scanned<()> {
        if self.in_flow() || self.indent >= as_indent(column) {
            return Ok(());
        }
        if self.indents.len() >= self.max_depth {
            return self.fail(TOO_DEEP);
        }
        self.indents.push(self.indent);
        self.deepest = self.deepest.max(self.n_open());
        self.indent = as_indent(column);
        let line = self.cursor.line + 1;
        match at {
            Some(number) => self.tokens.insert(number.saturating_sub(self.taken), (token, line)),
            None => self.tokens.push_back((token, line)),
        }
        Ok(())
    }

    /// Closes the block collections that are further in than the column.
    fn unroll_indent(&mut self, column: i64) {
        while !self.in_flow() && self.indent > column {
            self.push(Token::BlockEnd);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    /// Reads on to the next token and adds it, with those that the change of indentation brings.
    fn fetch(&mut self) -> Scanned<()> {
        self.skip_to_token();
        self.drop_stale_keys()?;
        self.unroll_indent(as_indent(self.cursor.column));
        let Some(c) = self.cursor.peek() else { return self.stream_end() };
        let before_blank = self.cursor.blank_or_end_at(1);
        if self.cursor.column == 0 {
            if c == '%' {
                return self.directive();
            }
            if self.cursor.at_document_indicator() {
                return self.document_indicator(c);
            }
        }
        let in_flow = self.in_flow();
        match c {
            '[' => self.flow_start(Token::FlowSequence),
            '{' => self.flow_start(Token::FlowMapping),
            ']' => self.flow_end(Token::FlowSequenceEnd),
            '}' => self.flow_end(Token::FlowMappingEnd),
            ',' => self.entry(Token::FlowEntry),
            '-' if before_blank => self.block_entry(),
            '?' if in_flow || before_blank => self.key(),
            ':' if in_flow || before_blank => self.value(),
            '*' | '&' => self.reference(c),
            '!' => {
                self.start_of_key()?;
                let (handle, suffix) = self.tag()?;
                self.push(Token::Tag(handle, suffix));
                Ok(())
            }
            '|' | '>' if !in_flow => {
                self.remove_simple_key()?;
                self.simple_key_allowed = true;
                let text = self.block_scalar(c == '|')?;
                self.push(Token::Scalar(text, Style::Block));
                Ok(())
            }
            '\'' | '"' => {
                self.start_of_key()?;
                let text = self.quoted_scalar(c == '\'')?;
                self.push(Token::Scalar(text, Style::Quoted));
                Ok(())
            }
            _ if starts_plain(c, &self.cursor, in_flow) => {
                self.start_of_key()?;
                let text = self.plain_scalar()?;
                self.push(Token::Scalar(text, Style::Plain));
                Ok(())
            }
            _ => self.fail("a character that starts nothing: tabs cannot indent, and some signs need quotes"),
        }
    }

    /// Allows a key to follow, and none behind it.
    fn start_of_key(&mut self) -> Scanned<()> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        Ok(())
    }

    /// Goes past blanks, comments and line ends.
    fn skip_to_token(&mut self) {
        loop {
            let tabs = self.in_flow() || !self.simple_key_allowed;
            while self.cursor.peek().is_some_and(|c| c == ' ' || (tabs && c == '\t')) {
                self.cursor.skip();
            }
            if self.cursor.peek() == Some('#') {
                self.cursor.skip_to_break();
            }
            if !self.cursor.peek().is_some_and(is_break) {
                return;
            }
            self.cursor.take_break();
            if !self.in_flow() {
                self.simple_key_allowed = true;
            }
        }
    }

    fn stream_end(&mut self) -> Scanned<()> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.ended = true;
        self.push(Token::StreamEnd);
        Ok(())
    }

    /// Reads a directive, which ends all collections.
    fn directive(&mut self) -> Scanned<()> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        let token = self.scan_directive()?;
        self.push(token);
        Ok(())
    }

    /// Reads `---` or `...`, which ends all collections.
    fn document_indicator(&mut self, c: char) -> Scanned<()> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.push(if c == '-' { Token::DocumentStart } else { Token::DocumentEnd });
        self.cursor.skip_many(3);
        Ok(())
    }

    /// Opens brackets, which may begin a key themselves.
    fn flow_start(&mut self, token: Token) -> Scanned<()> {
        self.save_simple_key()?;
        if self.simple_keys.len() > self.max_depth {
            return self.fail(TOO_DEEP);
        }
        self.simple_keys.push(None);
        self.deepest = self.deepest.max(self.n_open());
        self.simple_key_allowed = true;
        self.push(token);
        self.cursor.skip();
        Ok(())
    }

    /// Closes brackets. Those that do not match are the parser's business.
    fn flow_end(&mut self, token: Token) -> Scanned<()> {
        self.remove_simple_key()?;
        if self.in_flow() {
            self.simple_keys.pop();
        }
        self.simple_key_allowed = false;
        self.push(token);
        self.cursor.skip();
        Ok(())
    }

    /// Reads a sign of one character behind which a key may begin.
    fn entry(&mut self, token: Token) -> Scanned<()> {
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        self.push(token);
        self.cursor.skip();
        Ok(())
    }

    /// Reads a dash, which may begin a sequence.
    fn block_entry(&mut self) -> Scanned<()> {
        if !self.in_flow() {
            if !self.simple_key_allowed {
                return self.fail("an entry of a sequence (-) cannot stand here");
            }
            self.roll_indent(self.cursor.column, None, Token::BlockSequence)?;
        }
        self.entry(Token::BlockEntry)
    }

    /// Reads a question mark, which may begin a mapping.
    fn key(&mut self) -> Scanned<()> {
        if !self.in_flow() {
            if !self.simple_key_allowed {
                return self.fail("a key (?) cannot stand here");
            }
            self.roll_indent(self.cursor.column, None, Token::BlockMapping)?;
        }
        self.entry(Token::Key)?;
        self.simple_key_allowed = !self.in_flow();
        Ok(())
    }

    /// Reads a colon. If a key was remembered, its token and perhaps that of a mapping go in front of the key.
    fn value(&mut self) -> Scanned<()> {
        match self.simple_keys.last_mut().and_then(Option::take) {
            Some(key) => {
                let line = key.line + 1;
                self.tokens.insert(key.token.saturating_sub(self.taken), (Token::Key, line));
                self.roll_indent(key.column, Some(key.token), Token::BlockMapping)?;
                self.simple_key_allowed = false;
            }
            None => {
                if !self.in_flow() {
                    if !self.simple_key_allowed {
                        return self.fail("the value of a mapping (:) cannot stand here");
                    }
                    self.roll_indent(self.cursor.column, None, Token::BlockMapping)?;
                }
                self.simple_key_allowed = !self.in_flow();
            }
        }
        self.push(Token::Value);
        self.cursor.skip();
        Ok(())
    }

    /// `*alias` or `&anchor`
    fn reference(&mut self, sign: char) -> Scanned<()> {
        self.start_of_key()?;
        self.cursor.skip();
        let mut name = String::new();
        while let Some(c) = self.cursor.peek().filter(|&c| is_word(c)) {
            name.push(c);
            self.cursor.skip();
        }
        let ended =
            self.cursor.blank_or_end_at(0) || self.cursor.peek().is_some_and(|c| "?:,]}%@`".contains(c));
        if name.is_empty() || !ended {
            return self.fail("the name of an anchor has letters, digits, - and _ only");
        }
        self.push(if sign == '*' { Token::Alias(name) } else { Token::Anchor(name) });
        Ok(())
    }
}

/// A column as an indentation.
pub(super) fn as_indent(column: usize) -> i64 {
    i64::try_from(column).unwrap_or(i64::MAX)
}

/// Letters and digits of ASCII, dash and underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// Tells if a character can begin a scalar without quotes.
fn starts_plain(c: char, cursor: &Cursor<'_>, in_flow: bool) -> bool {
    match c {
        '-' => !cursor.peek_at(1).is_some_and(is_blank),
        '?' | ':' => !in_flow && !cursor.blank_or_end_at(1),
        ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
            false
        }
        c => !is_blank(c) && !is_break(c),
    }
}
