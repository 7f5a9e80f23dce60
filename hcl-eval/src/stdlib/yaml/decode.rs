//! Reading YAML: from the events of the parser to values, without recursion.

use std::collections::HashMap;

use indexmap::IndexMap;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::scalar::{ScalarTag, resolve};
use crate::Str;
use crate::function::{FunctionError, Invocation};
use crate::types::Type;
use crate::value::Value;

/// Where versions of the language differ.
#[derive(Copy, Clone)]
pub(super) struct Rules {
    /// Underscores and binary integers are numbers, octal and hexadecimal ones are not.
    pub(super) old_numbers: bool,
    /// `<<` takes a sequence of mappings too.
    pub(super) merge_sequences: bool,
}

const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The value of the only document of a text.
pub(super) fn decode(
    invocation: &mut Invocation<'_>,
    text: &str,
    rules: Rules,
) -> Result<Value, FunctionError> {
    check_text(text).map_err(FunctionError::new)?;
    let mut builder = Builder { invocation, rules, open: Vec::new(), anchors: HashMap::new(), root: None };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| syntax_error(&error))?;
        builder.invocation.charge_steps(1)?;
        let line = span.start.line();
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(at(line, "a second document starts, and only one is read"));
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            other => builder.event(other, line)?,
        }
    }
    match builder.root {
        // As the version with the old numbers has it.
        Some(root) if root.is_null() && rules.old_numbers => Ok(Value::dynamic()),
        Some(root) => Ok(root),
        None => Err(FunctionError::new("there is no document: the text is empty")),
    }
}

fn syntax_error(error: &ScanError) -> FunctionError {
    at(error.marker().line(), error.info())
}

fn at(line: usize, problem: impl AsRef<str>) -> FunctionError {
    FunctionError::new(format!("on line {line}: {}", problem.as_ref()))
}

/// Refuses what YAML 1.1 forbids: control characters, directives for other versions.
fn check_text(text: &str) -> Result<(), String> {
    let forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    for (line, number) in text.lines().zip(1..) {
        if let Some(c) = line.chars().find(|&c| forbidden(c)) {
            return Err(format!(
                "on line {number}: the control character {c:?} must be written as an escape in double quotes"
            ));
        }
    }
    for line in text.lines() {
        match line.strip_prefix("%YAML") {
            Some(version) if !version.trim_start().starts_with("1.1") => {
                return Err(format!("the document is for YAML{version}, and version 1.1 is read"));
            }
            _ if line.starts_with('%') || line.trim_start().starts_with('#') || line.trim().is_empty() => {}
            _ => break,
        }
    }
    Ok(())
}

/// A collection whose end has not come yet.
struct Open {
    anchor: usize,
    parts: Parts,
}

enum Parts {
    Sequence(Vec<Value>),
    Mapping { entries: IndexMap<Str, Value>, key: Option<Key> },
}

/// The key whose value comes next.
enum Key {
    Name(Str),
    Merge,
}

struct Builder<'i, 'm> {
    invocation: &'i mut Invocation<'m>,
    rules: Rules,
    open: Vec<Open>,
    /// The values of anchors; `None` while the value is still being read.
    anchors: HashMap<usize, Option<Value>>,
    root: Option<Value>,
}

impl Builder<'_, '_> {
    fn event(&mut self, event: Event<'_>, line: usize) -> Result<(), FunctionError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.scalar(&text, style, anchor, tag.as_deref(), line)
            }
            Event::SequenceStart(anchor, tag) => {
                self.check_collection(tag.as_deref(), "seq", "sequence", line)?;
                self.start(anchor, Parts::Sequence(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                self.check_collection(tag.as_deref(), "map", "mapping", line)?;
                self.start(anchor, Parts::Mapping { entries: IndexMap::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(line),
            Event::Alias(anchor) => self.alias(anchor, line),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    /// Whether what comes next is a key.
    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { parts: Parts::Mapping { key: None, .. }, .. }))
    }

    fn check_collection(
        &self,
        tag: Option<&Tag>,
        wanted: &str,
        what: &str,
        line: usize,
    ) -> Result<(), FunctionError> {
        if self.wants_key() {
            return Err(at(line, format!("a key must be a scalar, and this is a {what}")));
        }
        match tag.map(full_name) {
            Some(name) if name.strip_prefix(TAG_PREFIX) != Some(wanted) => {
                Err(at(line, format!("the tag {name} does not go with a {what}")))
            }
            _ => Ok(()),
        }
    }

    fn start(&mut self, anchor: usize, parts: Parts) -> Result<(), FunctionError> {
        self.invocation.charge_elements(1)?;
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.open.push(Open { anchor, parts });
        Ok(())
    }

    fn end(&mut self, line: usize) -> Result<(), FunctionError> {
        let Some(Open { anchor, parts }) = self.open.pop() else { return Ok(()) };
        let value = match parts {
            Parts::Sequence(elements) => Value::tuple(elements),
            Parts::Mapping { entries, .. } => Value::object(entries.into_iter().collect()),
        };
        self.anchor(anchor, &value);
        self.add(value, line)
    }

    fn anchor(&mut self, anchor: usize, value: &Value) {
        if anchor > 0 {
            self.anchors.insert(anchor, Some(value.clone()));
        }
    }

    fn alias(&mut self, anchor: usize, line: usize) -> Result<(), FunctionError> {
        if self.wants_key() {
            return Err(at(line, "a key must be a scalar, and this is an alias"));
        }
        let value = match self.anchors.get(&anchor) {
            Some(Some(value)) => value.clone(),
            Some(None) => return Err(at(line, "an alias must not stand inside of what it refers to")),
            None => return Err(at(line, "the alias refers to an anchor that is not defined")),
        };
        // What an alias repeats counts again: it is shared, but whoever looks at the result sees it as often.
        self.invocation.charge_elements(usize::try_from(value.weight()).unwrap_or(usize::MAX))?;
        self.add(value, line)
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        line: usize,
    ) -> Result<(), FunctionError> {
        self.invocation.charge_elements(1)?;
        let name = tag.map(full_name);
        if self.wants_key() && text == "<<" && self.is_merge(name.as_deref()) {
            self.set_key(Key::Merge);
            return Ok(());
        }
        let tag = match &name {
            None => ScalarTag::Absent,
            Some(name) => match name.strip_prefix(TAG_PREFIX).and_then(ScalarTag::from_name) {
                Some(tag) => tag,
                None => return Err(at(line, format!("the tag {name} is not supported"))),
            },
        };
        let quoted = style != ScalarStyle::Plain;
        let value =
            resolve(text, quoted, tag, self.rules.old_numbers).map_err(|problem| at(line, problem))?;
        if !self.wants_key() {
            self.anchor(anchor, &value);
            return self.add(value, line);
        }
        if let Some(number) = value.as_number() {
            let bound = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
            self.invocation.charge_bytes(bound)?;
        }
        match crate::convert::convert(&value, &Type::String).as_ref().map(Value::as_str) {
            Ok(Some(name)) => self.set_key(Key::Name(Str::from(name))),
            _ => return Err(at(line, "a key must not be null")),
        }
        Ok(())
    }

    fn is_merge(&self, tag: Option<&str>) -> bool {
        match tag.map(|name| name.strip_prefix(TAG_PREFIX)) {
            None => true,
            Some(name) => self.rules.merge_sequences && name == Some("merge"),
        }
    }

    fn set_key(&mut self, next: Key) {
        if let Some(Open { parts: Parts::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(next);
        }
    }

    /// Puts a value where it belongs.
    fn add(&mut self, value: Value, line: usize) -> Result<(), FunctionError> {
        match self.open.last_mut().map(|open| &mut open.parts) {
            None => self.root = Some(value),
            Some(Parts::Sequence(elements)) => elements.push(value),
            Some(Parts::Mapping { entries, key }) => match key.take() {
                Some(Key::Name(name)) => {
                    entries.insert(name, value);
                }
                Some(Key::Merge) => {
                    let n = merge(entries, &value, self.rules.merge_sequences)
                        .map_err(|problem| at(line, problem))?;
                    self.invocation.charge_elements(n)?;
                }
                None => return Err(at(line, "a value without a key")),
            },
        }
        Ok(())
    }
}

/// Adds the entries of a mapping, or of several; those that are there already are replaced. How many there were.
fn merge(entries: &mut IndexMap<Str, Value>, value: &Value, sequences: bool) -> Result<usize, String> {
    let several = if sequences { value.elements() } else { None };
    let mut n = 0;
    for one in several.unwrap_or(std::slice::from_ref(value)) {
        let Some(merged) = one.entries() else {
            return Err(format!("<< takes a mapping, and this is {}", one.ty().friendly_name()));
        };
        for (name, value) in merged {
            entries.insert(name.clone(), value.clone());
            n += 1;
        }
    }
    Ok(n)
}

fn full_name(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}
