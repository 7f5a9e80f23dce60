//! Several bodies read as one.

use super::attributes::Attributes;
use super::content::{Content, ContentAttribute};
use super::{ConfigBody, error};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::schema::{AttributeSchema, BodySchema};

/// Reads what the schema asks for; everything else is an error.
pub(super) fn content(bodies: &[ConfigBody], schema: &BodySchema) -> (Content, Diagnostics) {
    let (mut content, mut diagnostics) = (Content::default(), Diagnostics::new());
    let lenient = without_requirements(schema);
    for body in bodies {
        let (part, complaints) = body.content(&lenient);
        diagnostics.extend(complaints);
        add(part, &mut content, &mut diagnostics);
    }
    complain_of_missing(schema, &content, &mut diagnostics);
    (content, diagnostics)
}

/// Reads what the schema asks for, and returns the rest as bodies.
pub(super) fn partial_content(
    bodies: &[ConfigBody],
    schema: &BodySchema,
) -> (Content, ConfigBody, Diagnostics) {
    let (mut content, mut diagnostics) = (Content::default(), Diagnostics::new());
    let lenient = without_requirements(schema);
    let mut rests = Vec::with_capacity(bodies.len());
    for body in bodies {
        let (part, rest, complaints) = body.partial_content(&lenient);
        diagnostics.extend(complaints);
        add(part, &mut content, &mut diagnostics);
        rests.push(rest);
    }
    complain_of_missing(schema, &content, &mut diagnostics);
    (content, ConfigBody::merged(rests), diagnostics)
}

/// The attributes of all bodies.
pub(super) fn just_attributes(bodies: &[ConfigBody]) -> (Vec<ContentAttribute>, Diagnostics) {
    let (mut all, mut diagnostics) = (Attributes::default(), Diagnostics::new());
    for body in bodies {
        let (attributes, complaints) = body.just_attributes();
        diagnostics.extend(complaints);
        add_attributes(attributes, &mut all, &mut diagnostics);
    }
    (all.into_iter().collect(), diagnostics)
}

/// Reads everything that is in the bodies.
pub(super) fn everything(bodies: &[ConfigBody]) -> Content {
    let mut content = Content::default();
    for body in bodies {
        add(body.everything(), &mut content, &mut Diagnostics::new());
    }
    content
}

/// The attributes that reading everything leaves out, each with the reason.
pub(super) fn duplicates(bodies: &[ConfigBody]) -> Vec<(ContentAttribute, Diagnostic)> {
    let (mut all, mut duplicates) = (Attributes::default(), Vec::new());
    for body in bodies {
        duplicates.extend(body.duplicates());
        for attribute in body.everything().attributes {
            match all.get(attribute.name()) {
                Some(first) => {
                    let told = error::argument_in_two_bodies(&attribute, first);
                    duplicates.push((attribute, told));
                }
                None => all.add(attribute),
            }
        }
    }
    duplicates
}

/// The schema for one body of several: what is required may be in another one.
fn without_requirements(schema: &BodySchema) -> BodySchema {
    let optional =
        |attribute: &AttributeSchema| AttributeSchema { name: attribute.name.clone(), required: false };
    BodySchema { attributes: schema.attributes.iter().map(optional).collect(), blocks: schema.blocks.clone() }
}

fn add(part: Content, content: &mut Content, diagnostics: &mut Diagnostics) {
    add_attributes(part.attributes, &mut content.attributes, diagnostics);
    content.blocks.extend(part.blocks);
}

fn add_attributes(
    attributes: impl IntoIterator<Item = ContentAttribute>,
    all: &mut Attributes<ContentAttribute>,
    diagnostics: &mut Diagnostics,
) {
    for attribute in attributes {
        match all.get(attribute.name()) {
            Some(first) => diagnostics.push(error::argument_in_two_bodies(&attribute, first)),
            None => all.add(attribute),
        }
    }
}

fn complain_of_missing(schema: &BodySchema, content: &Content, diagnostics: &mut Diagnostics) {
    let required = schema.attributes.iter().filter(|attribute| attribute.required);
    let missing = required.filter(|attribute| !content.attributes.contains(&attribute.name));
    diagnostics.extend(missing.map(|attribute| error::missing_argument(&attribute.name, None)));
}
