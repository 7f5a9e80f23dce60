//! Reading YAML: from the events of the parser to values, without recursion.
//!
//! Sequences become tuples and mappings objects. An anchor stands for the value that was read last under its name,
//! and an alias for a copy of it, so that a document is a tree.

use hcl_syntax::hash::NameMap;

use super::super::support::{in_stretches, long_text, shown};
use super::parser::{Event, Parser};
use super::scalar::{ScalarTag, resolve};
use super::scanner::{Style, SyntaxError, TOO_DEEP};
use crate::Str;
use crate::convert::convert_within;
use crate::function::{FunctionError, Invocation};
use crate::limits::LimitReached;
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

/// The beginning of the tags of YAML's own types, which `!!` stands for.
pub(super) const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The value of the only document of a text.
pub(super) fn decode(
    invocation: &mut Invocation<'_>,
    text: &str,
    rules: Rules,
) -> Result<Value, FunctionError> {
    check_text(invocation, text)?;
    // A byte order mark may be there, and one more.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser::new(text, invocation.meter().limits());
    let (anchors, anchored) = (NameMap::default(), Vec::new());
    let mut builder = Builder { invocation, rules, open: Vec::new(), anchors, anchored, root: None };
    let mut documents = 0;
    loop {
        builder.invocation.charge_steps(parser.cost())?;
        let meter = builder.invocation.meter();
        let next = parser.next(meter);
        if let Some(limit) = parser.stopped().map(|stopped| meter.stop(stopped.into())).or(meter.stopped()) {
            return Err(limit.into());
        }
        let (event, line) = match next {
            Err(SyntaxError { problem: TOO_DEEP, .. }) => {
                return Err(meter.stop(LimitReached::Depth(meter.limits().max_depth)).into());
            }
            Err(problem) => {
                // A text that is no document has been read as deep.
                meter.nest(parser.deepest())?;
                return Err(syntax_error(problem));
            }
            Ok(next) => next,
        };
        match event {
            Event::StreamEnd => break,
            Event::DocumentStart => {
                documents += 1;
                if documents > 1 {
                    return Err(at(line, "a second document starts, and only one is read"));
                }
            }
            Event::DocumentEnd => {}
            other => builder.event(other, line)?,
        }
    }
    match builder.root {
        // As the version with the old numbers has it.
        Some(root) if root.is_null() && root.ty().is_dynamic() && rules.old_numbers => Ok(Value::dynamic()),
        Some(root) => {
            builder.invocation.meter().nest(root.depth())?;
            Ok(root)
        }
        None => Err(FunctionError::new("there is no document: the text is empty")),
    }
}

/// The error of a function that tells of a problem in the text.
fn syntax_error(SyntaxError { line, problem }: SyntaxError) -> FunctionError {
    at(line, problem)
}

/// An error at a line, counted from 1.
fn at(line: usize, problem: impl AsRef<str>) -> FunctionError {
    FunctionError::new(format!("on line {line}: {}", problem.as_ref()))
}

/// Refuses the control characters that YAML 1.1 forbids.
fn check_text(invocation: &mut Invocation<'_>, text: &str) -> Result<(), FunctionError> {
    let forbidden = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        c => c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'),
    };
    let (mut line, mut found) = (1, false);
    in_stretches(invocation, text, |stretch| {
        let before = if found { Some(0) } else { stretch.find(forbidden) };
        found = before.is_some();
        line += stretch[..before.unwrap_or(stretch.len())].matches('\n').count();
    })?;
    match found {
        true => Err(at(line, "a control character must be written as an escape in double quotes")),
        false => Ok(()),
    }
}

/// A collection whose end has not come yet.
struct Open {
    /// The name that it has for aliases.
    anchor: Option<String>,
    parts: Parts,
}

/// The parts of a collection under way.
enum Parts {
    Sequence(Vec<Value>),
    /// The entries, of which the last of each key counts, and the key whose value has not come yet.
    Mapping {
        entries: Vec<(Str, Value)>,
        key: Option<Key>,
    },
}

/// The key whose value comes next.
enum Key {
    /// A key of the mapping.
    Name(Str),
    /// `<<`, whose value is merged into the mapping.
    Merge,
}

/// Puts values together from events.
struct Builder<'i, 'm> {
    invocation: &'i mut Invocation<'m>,
    /// The version of the language.
    rules: Rules,
    /// The collections that are open, the innermost last.
    open: Vec<Open>,
    /// The places of anchors among their values.
    anchors: NameMap,
    /// The values of anchors; `None` while the value is still being read.
    anchored: Vec<Option<Value>>,
    /// The value of the document, once it is complete.
    root: Option<Value>,
}

impl Builder<'_, '_> {
    /// Takes an event inside of a document.
    fn event(&mut self, event: Event, line: usize) -> Result<(), FunctionError> {
        match event {
            Event::Scalar { text, style, anchor, tag } => {
                self.scalar(&text, style, anchor.as_deref(), tag.as_deref(), line)
            }
            Event::SequenceStart { anchor, tag } => {
                self.check_collection(tag.as_deref(), "seq", "sequence", line)?;
                self.start(anchor, Parts::Sequence(Vec::new()))
            }
            Event::MappingStart { anchor, tag } => {
                self.check_collection(tag.as_deref(), "map", "mapping", line)?;
                self.start(anchor, Parts::Mapping { entries: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(line),
            Event::Alias(anchor) => self.alias(&anchor, line),
            Event::StreamEnd | Event::DocumentStart | Event::DocumentEnd => Ok(()),
        }
    }

    /// Returns whether the next node is a key.
    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { parts: Parts::Mapping { key: None, .. }, .. }))
    }

    /// Refuses a collection that is a key, or has a tag other than `wanted`. `what` names it in messages.
    fn check_collection(
        &self,
        tag: Option<&str>,
        wanted: &str,
        what: &str,
        line: usize,
    ) -> Result<(), FunctionError> {
        if self.wants_key() {
            return Err(at(line, format!("a key must be a scalar, and this is a {what}")));
        }
        match tag {
            Some(name) if name.strip_prefix(TAG_PREFIX) != Some(wanted) => {
                Err(at(line, format!("the tag {} does not go with a {what}", shown(name))))
            }
            _ => Ok(()),
        }
    }

    /// Opens a collection. Its anchor counts from here on, so that an alias to it from inside is noticed.
    fn start(&mut self, anchor: Option<String>, parts: Parts) -> Result<(), FunctionError> {
        self.invocation.charge_elements(1)?;
        self.anchor(anchor.as_deref(), None)?;
        self.open.push(Open { anchor, parts });
        Ok(())
    }

    /// Closes the innermost collection.
    fn end(&mut self, line: usize) -> Result<(), FunctionError> {
        let Some(Open { anchor, parts }) = self.open.pop() else { return Ok(()) };
        let value = match parts {
            Parts::Sequence(elements) => {
                self.invocation.go_on(elements.len())?;
                Value::tuple(elements)
            }
            Parts::Mapping { entries, .. } => Value::object_on(entries, &mut Some(self.invocation.meter()))?,
        };
        self.anchor(anchor.as_deref(), Some(&value))?;
        self.add(value, line)
    }

    /// Notes the value of an anchor, if there is one.
    fn anchor(&mut self, anchor: Option<&str>, value: Option<&Value>) -> Result<(), FunctionError> {
        let Some(name) = anchor else { return Ok(()) };
        match self.anchors.get(name) {
            Some(place) => self.anchored[place] = value.cloned(),
            None => {
                let meter = self.invocation.meter();
                meter.hold_push(&self.anchored)?;
                meter.hold(self.anchors.bytes_to_add(name))?;
                self.anchors.insert(name, self.anchored.len());
                self.anchored.push(value.cloned());
            }
        }
        Ok(())
    }

    /// Puts the value of an anchor in place of an alias.
    fn alias(&mut self, anchor: &str, line: usize) -> Result<(), FunctionError> {
        if self.wants_key() {
            return Err(at(line, "a key must be a scalar, and this is an alias"));
        }
        let value = match self.anchors.get(anchor).map(|place| &self.anchored[place]) {
            Some(Some(value)) => value.clone(),
            Some(None) => return Err(at(line, "an alias must not stand inside of what it refers to")),
            None => return Err(at(line, "the alias refers to an anchor that is not defined")),
        };
        // A value that an alias repeats counts again: it is shared, but a reader of the result sees it as often.
        self.invocation.charge_elements(usize::try_from(value.weight()).unwrap_or(usize::MAX))?;
        self.add(value, line)
    }

    /// Takes a scalar as a value, or as a key. Keys are resolved like values and then made texts: `0x10` is the key
    /// `16`. Anchors of keys are not noted, as in the reference.
    fn scalar(
        &mut self,
        text: &str,
        style: Style,
        anchor: Option<&str>,
        tag: Option<&str>,
        line: usize,
    ) -> Result<(), FunctionError> {
        // A key counts with its value.
        self.invocation.charge_elements(usize::from(!self.wants_key()))?;
        if self.wants_key() && text == "<<" && self.is_merge(tag) {
            self.set_key(Key::Merge);
            return Ok(());
        }
        let tag = match tag {
            None => ScalarTag::Absent,
            Some(name) => match name.strip_prefix(TAG_PREFIX).and_then(ScalarTag::from_name) {
                Some(tag) => tag,
                None => return Err(at(line, format!("the tag {:?} is not supported", shown(name)))),
            },
        };
        // A tag makes no difference between a block and a plain scalar.
        let quoted = match tag {
            ScalarTag::Absent => style != Style::Plain,
            _ => style == Style::Quoted,
        };
        let value = match tag {
            // As the reference has it.
            ScalarTag::Absent if style == Style::Block && text.is_empty() => Value::null(Type::String),
            ScalarTag::Absent if quoted => long_text(self.invocation, text)?,
            _ => {
                let meter = self.invocation.meter();
                resolve(text, quoted, tag, self.rules.old_numbers, meter)
                    .map_err(|problem| at(line, problem))?
            }
        };
        if !self.wants_key() {
            self.anchor(anchor, Some(&value))?;
            return self.add(value, line);
        }
        if let Some(number) = value.as_number() {
            let bound = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
            self.invocation.charge_bytes(bound)?;
        }
        match convert_within(&value, &Type::String, self.invocation.meter()).as_ref().map(Value::as_str) {
            Ok(Some(name)) => self.set_key(Key::Name(Str::from(name))),
            _ => return Err(at(line, "a key must not be null")),
        }
        Ok(())
    }

    /// Tells if the key `<<` merges: without a tag, however it is quoted, or with the tag for it where that is known.
    fn is_merge(&self, tag: Option<&str>) -> bool {
        match tag.map(|name| name.strip_prefix(TAG_PREFIX)) {
            None => true,
            Some(name) => self.rules.merge_sequences && name == Some("merge"),
        }
    }

    /// Keeps a key until its value comes.
    fn set_key(&mut self, next: Key) {
        if let Some(Open { parts: Parts::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(next);
        }
    }

    /// Puts a value where it belongs.
    fn add(&mut self, value: Value, line: usize) -> Result<(), FunctionError> {
        match self.open.last_mut().map(|open| &mut open.parts) {
            None => self.root = Some(value),
            Some(Parts::Sequence(elements)) => {
                self.invocation.meter().hold_push(elements)?;
                elements.push(value);
            }
            Some(Parts::Mapping { entries, key }) => match key.take() {
                Some(Key::Name(name)) => {
                    self.invocation.meter().hold_push(entries)?;
                    entries.push((name, value));
                }
                Some(Key::Merge) => return merge(self.invocation, entries, &value, self.rules, line),
                None => return Err(at(line, "a value without a key")),
            },
        }
        Ok(())
    }
}

/// Adds the entries of a mapping, or of several. They count in place of entries that are there already, also of those whose keys
/// are written out before the merge, as in the reference.
fn merge(
    invocation: &mut Invocation<'_>,
    entries: &mut Vec<(Str, Value)>,
    value: &Value,
    rules: Rules,
    line: usize,
) -> Result<(), FunctionError> {
    let several = if rules.merge_sequences { value.elements() } else { None };
    for one in several.unwrap_or(std::slice::from_ref(value)) {
        let Some(merged) = one.entries() else {
            return Err(at(line, format!("<< takes a mapping, and this is {}", one.type_name())));
        };
        for (name, value) in merged {
            invocation.charge_elements(1)?;
            invocation.meter().hold_push(entries)?;
            entries.push((name.clone(), value.clone()));
        }
    }
    Ok(())
}
