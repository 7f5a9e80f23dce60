//! Several bodies read as one.

use super::attributes::Attributes;
use super::content::{Content, ContentAttribute, ContentBlock};
use super::reading::{Reading, Wanted};
use super::{ConfigBody, error};
use crate::diagnostic::Diagnostic;
use crate::schema::BodySchema;

/// Reads what the schema asks for; everything else is an error.
pub(super) fn content(bodies: &[ConfigBody], wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
    let mut content = Content::default();
    reading.is_of_several = true;
    for body in bodies {
        if !reading.goes_on() {
            break;
        }
        add(body.read(wanted, reading), &mut content, reading);
    }
    complain_of_missing(wanted.schema, &content, reading);
    content
}

/// Reads what the schema asks for, and returns the rest as bodies.
pub(super) fn partial_content(
    bodies: &[ConfigBody],
    wanted: &Wanted<'_>,
    reading: &mut Reading<'_>,
) -> (Content, ConfigBody) {
    let mut content = Content::default();
    let mut rests = reading.list_of(bodies.len());
    reading.is_of_several = true;
    for body in bodies {
        if !reading.goes_on() {
            break;
        }
        let (part, rest) = body.read_part(wanted, reading);
        add(part, &mut content, reading);
        rests.push(rest);
    }
    complain_of_missing(wanted.schema, &content, reading);
    (content, ConfigBody::merged(rests))
}

/// The attributes of all bodies.
pub(super) fn just_attributes(bodies: &[ConfigBody], reading: &mut Reading<'_>) -> Vec<ContentAttribute> {
    let mut all = Attributes::default();
    for body in bodies {
        if !reading.goes_on() {
            break;
        }
        add_attributes(body.read_attributes(reading), &mut all, reading);
    }
    all.into_iter().collect()
}

/// Reads everything that is in the bodies. Of an attribute that is in several of them nothing is said.
pub(super) fn everything(bodies: &[ConfigBody], reading: &mut Reading<'_>) -> Content {
    let mut content = Content::default();
    for body in bodies {
        if !reading.goes_on() {
            break;
        }
        let part = body.read_everything(reading);
        for attribute in part.attributes.into_list(reading) {
            if reading.goes_on() {
                content.attributes.add_within(attribute, reading);
            }
        }
        add_blocks(part.blocks, &mut content.blocks, reading);
    }
    content
}

/// The attributes that reading everything leaves out, each with the reason.
pub(super) fn find_duplicates(
    bodies: &[ConfigBody],
    found: &mut Vec<(ContentAttribute, Diagnostic)>,
    reading: &mut Reading<'_>,
) {
    let mut all = Attributes::default();
    for body in bodies {
        body.find_duplicates(found, reading);
        for attribute in body.read_everything(reading).attributes {
            if !reading.goes_on() {
                return;
            }
            match all.get(attribute.name()) {
                Some(first) => {
                    let told = error::argument_in_two_bodies(&attribute, first);
                    reading.push(found, (attribute, told));
                }
                None => all.add_within(attribute, reading),
            }
        }
    }
}

fn add(part: Content, content: &mut Content, reading: &mut Reading<'_>) {
    add_attributes(part.attributes.into_list(reading), &mut content.attributes, reading);
    add_blocks(part.blocks, &mut content.blocks, reading);
}

fn add_blocks(part: Vec<ContentBlock>, blocks: &mut Vec<ContentBlock>, reading: &mut Reading<'_>) {
    if blocks.is_empty() {
        *blocks = part;
        return;
    }
    for block in part {
        if reading.goes_on() {
            reading.push(blocks, block);
        }
    }
}

fn add_attributes(
    attributes: impl IntoIterator<Item = ContentAttribute>,
    all: &mut Attributes<ContentAttribute>,
    reading: &mut Reading<'_>,
) {
    for attribute in attributes {
        if !reading.goes_on() {
            break;
        }
        match all.get(attribute.name()) {
            Some(first) => reading.complain(|| error::argument_in_two_bodies(&attribute, first)),
            None => all.add_within(attribute, reading),
        }
    }
}

fn complain_of_missing(schema: &BodySchema, content: &Content, reading: &mut Reading<'_>) {
    for wanted in schema.attributes.iter().filter(|wanted| wanted.required) {
        if !reading.goes_on() {
            break;
        }
        if !content.attributes.contains(&wanted.name) {
            reading.complain(|| error::missing_argument(&wanted.name, None));
        }
    }
}
