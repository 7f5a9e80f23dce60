//! Sources and builds as JSON.

use hcl_eval::Value;
use hcl_eval::value::Kind;
use hcl_syntax::diagnostic::json::write_string;

use super::body::EvaluatedBody;
use super::build::SourceName;
use super::uses::{Build, EvaluatedStep, SourceUse};

/// What is written for a value that is not known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Placeholders {
    /// Nothing can be; it is an error.
    Refused,
    /// `{"$unknown": TYPE}`
    Written,
}

/// A value that is not known, where [`Placeholders`] are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownValue {
    /// Where it is, for example `build 1, source.docker.web: image`.
    pub place: String,
}

/// The JSON of sources and builds: `{"sources": [[TYPE, NAME]…], "builds": […]}`.
///
/// A build has `name`, `description` and `sources`. Each use of a source has `type`, `name`, `source`, `body`,
/// `provisioners`, `post_processors` and perhaps `error_cleanup`; a step has `type`, `name` and `body`; a body has
/// `attributes` and, if there are any, `blocks` with `type`, `labels` and `body`.
///
/// # Errors
/// A value is not known, and placeholders are refused.
pub fn structure_json(
    sources: &[SourceName],
    builds: &[Build],
    placeholders: Placeholders,
) -> Result<String, UnknownValue> {
    let mut writer = Writer { out: String::new(), placeholders, place: Vec::new() };
    writer.structure(sources, builds)?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    placeholders: Placeholders,
    /// Where the writer is, for a complaint.
    place: Vec<String>,
}

type Written = Result<(), UnknownValue>;

impl Writer {
    fn structure(&mut self, sources: &[SourceName], builds: &[Build]) -> Written {
        self.out.push_str("{\"sources\":");
        self.list(sources, |writer, source| {
            writer.list(&[&source.source_type, &source.name], |writer, text| {
                writer.text(text);
                Ok(())
            })
        })?;
        self.out.push_str(",\"builds\":");
        let numbered: Vec<(usize, &Build)> = (1..).zip(builds).collect();
        self.list(&numbered, |writer, (number, build)| {
            writer.at(format!("build {number}"), |writer| writer.build(build))
        })?;
        self.out.push('}');
        Ok(())
    }

    fn build(&mut self, build: &Build) -> Written {
        self.named("{", "description", &build.description);
        self.named(",", "name", &build.name);
        self.out.push_str(",\"sources\":");
        self.list(&build.sources, |writer, used| {
            writer.at(format!("source.{}", used.source), |writer| writer.source_use(used))
        })?;
        self.out.push('}');
        Ok(())
    }

    fn source_use(&mut self, used: &SourceUse) -> Written {
        self.named("{", "type", &used.source.source_type);
        self.named(",", "name", &used.name);
        self.named(",", "source", &used.source.name);
        self.out.push_str(",\"body\":");
        self.body(&used.body)?;
        self.out.push_str(",\"provisioners\":");
        self.list(&used.provisioners, Self::step)?;
        self.out.push_str(",\"post_processors\":");
        self.list(&used.post_processors, |writer, sequence| writer.list(sequence, Self::step))?;
        if let Some(step) = &used.error_cleanup {
            self.out.push_str(",\"error_cleanup\":");
            self.step(step)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn step(&mut self, step: &EvaluatedStep) -> Written {
        self.named("{", "type", &step.step_type);
        self.named(",", "name", &step.name);
        self.out.push_str(",\"body\":");
        self.at(step.step_type.clone(), |writer| writer.body(&step.body))?;
        self.out.push('}');
        Ok(())
    }

    fn body(&mut self, body: &EvaluatedBody) -> Written {
        self.out.push_str("{\"attributes\":{");
        for (position, (name, value)) in body.attributes.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            self.text(name);
            self.out.push(':');
            self.at(name.clone(), |writer| writer.value(value))?;
        }
        self.out.push('}');
        if !body.blocks.is_empty() {
            self.out.push_str(",\"blocks\":");
            self.list(&body.blocks, |writer, block| {
                writer.named("{", "type", &block.block_type);
                writer.out.push_str(",\"labels\":");
                match block.labels.is_empty() {
                    true => writer.out.push_str("null"),
                    false => writer.list(&block.labels, |writer, label| {
                        writer.text(label);
                        Ok(())
                    })?,
                }
                writer.out.push_str(",\"body\":");
                writer.at(block.block_type.clone(), |writer| writer.body(&block.body))?;
                writer.out.push('}');
                Ok(())
            })?;
        }
        self.out.push('}');
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Written {
        match value.kind() {
            Kind::Null => self.out.push_str("null"),
            Kind::Bool => self.out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Number => match value.as_number() {
                Some(number) if number.is_infinite() => self.special("$number", &number.to_text()),
                Some(number) => number.write_text(&mut self.out),
                None => self.out.push_str("null"),
            },
            Kind::String => self.text(value.as_str().unwrap_or_default()),
            Kind::List | Kind::Set | Kind::Tuple => {
                return self.list(value.elements().unwrap_or_default(), |writer, part| writer.value(part));
            }
            Kind::Map | Kind::Object => {
                self.out.push('{');
                for (position, (name, part)) in value.entries().into_iter().flatten().enumerate() {
                    if position > 0 {
                        self.out.push(',');
                    }
                    self.text(name);
                    self.out.push(':');
                    self.value(part)?;
                }
                self.out.push('}');
            }
            Kind::Capsule => self.special("$capsule", &value.ty().friendly_name()),
            Kind::Unknown if self.placeholders == Placeholders::Written => {
                self.special("$unknown", &value.ty().to_type_text());
            }
            Kind::Unknown => return Err(UnknownValue { place: self.place.join(", ") }),
        }
        Ok(())
    }

    fn list<T>(&mut self, parts: &[T], mut write: impl FnMut(&mut Self, &T) -> Written) -> Written {
        self.out.push('[');
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            write(self, part)?;
        }
        self.out.push(']');
        Ok(())
    }

    /// Writes something that has a name of its own in complaints.
    fn at(&mut self, name: String, write: impl FnOnce(&mut Self) -> Written) -> Written {
        self.place.push(name);
        let written = write(self);
        if written.is_ok() {
            self.place.pop();
        }
        written
    }

    fn named(&mut self, before: &str, name: &str, text: &str) {
        self.out.push_str(before);
        self.text(name);
        self.out.push(':');
        self.text(text);
    }

    fn special(&mut self, name: &str, text: &str) {
        self.named("{", name, text);
        self.out.push('}');
    }

    fn text(&mut self, text: &str) {
        write_string(text, &mut self.out);
    }
}
