//! Expressions: values where they are constant, else templates; and those that their readers do not evaluate.

use std::borrow::Cow;

use hcl_syntax::ast::{Expression, ExpressionKind, ExpressionList, ObjectItem, ObjectItems};
use hcl_syntax::diagnostic::json::write_string_part;
use hcl_syntax::hash::{IndexMap, Seeded};
use hcl_syntax::json::reading::{Reading, is_plain_value, reference_text};
use hcl_syntax::json::template::{room_of_text, write_interpolation, write_template};

use super::Writer;
use super::template::{write_part, write_text};
use crate::limits::BYTES_PER_PART;
use crate::stack;
use crate::value::string::stretches;
use crate::value::{Kind, Value};

/// The meaning of strings to their reader.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Strings {
    /// They are templates, so that `${` in a text must be escaped.
    Templates,
    /// They are what they are.
    Literal,
}

/// An item of an object: its name and its value.
type Item<'t> = (Cow<'t, str>, Expression<'t>);

impl Writer<'_, '_> {
    /// An argument as it is read.
    pub(super) fn argument(&mut self, expression: Expression<'_>, reading: Reading) {
        match reading {
            Reading::Expression => self.expression(expression),
            Reading::Literal => match self.literal(expression) {
                Some(value) => self.value(&value, Strings::Literal),
                None => self.expression(expression),
            },
            Reading::Reference => self.reference(expression),
            Reading::References => self.references(expression),
            Reading::Type if is_plain_value(expression) => self.expression(expression),
            Reading::Type => match expression.kind() {
                ExpressionKind::Text(text) => self.string(text),
                _ => self.string(expression.source_text()),
            },
            Reading::Mapping => match expression.as_static_map() {
                Some(items) => self.items(items, |writer, item| {
                    writer.reference(item.key);
                    writer.out.push_str(": ");
                    writer.reference(item.value);
                }),
                None => self.expression(expression),
            },
            Reading::Requirement => match expression.as_static_map() {
                Some(items) => self.items(items, Self::requirement),
                None => self.argument(expression, Reading::Literal),
            },
        }
    }

    /// Writes the items of an object, each as `write` has it.
    fn items(&mut self, items: ObjectItems<'_>, write: impl Fn(&mut Self, ObjectItem<'_>)) {
        self.list('{', items.iter(), '}', write);
    }

    /// An item of what is required of a provider.
    fn requirement(&mut self, item: ObjectItem<'_>) {
        self.reference(item.key);
        self.out.push_str(": ");
        let reading = match item.key_name() {
            Some("configuration_aliases") => Reading::References,
            _ => Reading::Literal,
        };
        self.argument(item.value, reading);
    }

    /// Writes a list of references, each as a string.
    fn references(&mut self, expression: Expression<'_>) {
        match expression.as_static_list() {
            Some(elements) => {
                self.list('[', elements.iter(), ']', Self::reference);
            }
            None => self.reference(expression),
        }
    }

    /// Writes a reference as a string; a plain value, which is none, as it is.
    fn reference(&mut self, expression: Expression<'_>) {
        if is_plain_value(expression) {
            return self.expression(expression);
        }
        if self.evaluation.bounds().has_room(expression.span().len() as usize) {
            let text = reference_text(expression);
            self.string(&text);
        }
    }

    /// Writes an expression: containers as they are, constants as values, anything else as a template. Parentheses
    /// are left out, since JSON has none.
    pub(super) fn expression(&mut self, expression: Expression<'_>) {
        stack::grow(u32::MAX, || match expression.kind() {
            ExpressionKind::Tuple(elements) => self.tuple(elements),
            ExpressionKind::Object(items) => self.object(expression, items),
            ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) => {
                self.expression(inner);
            }
            kind => match self.constant(expression) {
                Some(value) => self.value(&value, Strings::Templates),
                None => match kind {
                    ExpressionKind::Template(_) => {
                        let (reader, bounds) = (self.style.reader, self.evaluation.bounds());
                        let mut text = String::new();
                        write_template(expression, reader, write_part, bounds, &mut text);
                        self.string(&text);
                    }
                    _ => self.source(expression),
                },
            },
        });
    }

    fn tuple(&mut self, elements: ExpressionList<'_>) {
        self.list('[', elements.iter(), ']', Self::expression);
    }

    /// Writes an object. Of several items of one key the last counts, where the first stands. An object with a key
    /// that is not constant is written as one template.
    fn object(&mut self, expression: Expression<'_>, items: ObjectItems<'_>) {
        let n = items.len();
        if !self.has_room_for::<(Item<'_>, u64)>(n) || !self.has_room_for_table::<usize>(n) {
            return;
        }
        let mut kept: IndexMap<Cow<'_, str>, Expression<'_>> = IndexMap::with_capacity_and_hasher(n, Seeded);
        for item in items.iter() {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            let name = match item.key_name() {
                Some(name) => Some(Cow::Borrowed(name)),
                // A bare reference as a key is an error, which the template is to give too.
                None if item.key.as_static_traversal().is_some() => None,
                None => self.constant(item.key).and_then(|key| Some(Cow::Owned(key.as_str()?.to_owned()))),
            };
            let Some(name) = name else { return self.source(expression) };
            kept.insert(name, item.value);
        }
        self.list('{', &kept, '}', |writer, (name, value)| {
            writer.text(name, Strings::Templates);
            writer.out.push_str(": ");
            writer.expression(*value);
        });
    }

    /// An expression as a template that is nothing else.
    fn source(&mut self, expression: Expression<'_>) {
        let length = expression.span().len() as usize;
        let bounds = self.evaluation.bounds();
        if !bounds.goes_on(length / BYTES_PER_PART) || !bounds.has_room(length) {
            return;
        }
        let mut template = String::with_capacity(length + "${\n}".len());
        write_interpolation(expression, self.style.reader, &mut template);
        self.string(&template);
    }

    /// A string of JSON.
    pub(super) fn string(&mut self, text: &str) {
        self.out.push('"');
        for stretch in stretches(text) {
            let n_parts = stretch.len() / BYTES_PER_PART;
            if !self.evaluation.bounds().goes_on(n_parts) || !self.has_room_for_text() {
                break;
            }
            write_string_part(stretch, &mut self.out);
        }
        self.out.push('"');
    }

    /// A text as a string that means it.
    fn text(&mut self, text: &str, strings: Strings) {
        match strings {
            Strings::Literal => self.string(text),
            Strings::Templates => {
                // Escapes make it larger.
                let room = room_of_text(text);
                if !self.evaluation.bounds().has_room(room) {
                    return;
                }
                let mut template = String::with_capacity(room);
                write_text(text, &mut template);
                self.string(&template);
            }
        }
    }

    /// Writes a constant value, its texts as `strings` says.
    fn value(&mut self, value: &Value, strings: Strings) {
        stack::grow(value.depth(), || match value.kind() {
            Kind::Bool => self.out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Number => {
                if let Some(number) = value.as_number() {
                    // Once a limit is reached all of it ends.
                    let _ = number.write_text_within(&mut self.out, &mut Some(self.evaluation.meter()));
                }
            }
            Kind::String => self.text(value.as_str().unwrap_or_default(), strings),
            Kind::List | Kind::Set | Kind::Tuple => {
                let elements = value.elements().unwrap_or_default();
                self.list('[', elements, ']', |writer, element| writer.value(element, strings));
            }
            Kind::Map | Kind::Object => {
                let entries = value.entries().into_iter().flatten();
                self.list('{', entries, '}', |writer, (name, value)| {
                    writer.text(name, strings);
                    writer.out.push_str(": ");
                    writer.value(value, strings);
                });
            }
            Kind::Null | Kind::Unknown | Kind::Capsule => self.out.push_str("null"),
        });
    }
}
