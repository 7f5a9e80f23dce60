//! `packer` blocks: which versions of Packer and of plugins a template demands.

use hcl_eval::dynamic::Body;
use hcl_eval::{Type, Value};
use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::schema::BodySchema;

use super::error;
use super::session::Session;
use crate::place::Place;
use crate::version::Constraints;

/// A template is for another version, so that nothing else counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct OtherVersion;

/// The argument and the block of a `packer` block.
fn schema() -> BodySchema {
    BodySchema::default().attribute("required_version").block("required_plugins", &[])
}

/// Holds the versions that files demand against the one whose rules hold.
pub(super) fn check_version(files: &[ConfigBody], session: &mut Session<'_>) -> Result<(), OtherVersion> {
    let blocks = BodySchema::default().block("packer", &[]);
    let mut checked = Ok(());
    for file in files {
        // Other errors in the file are told when all of it is read.
        let (content, _, _) = file.partial_content_within(&blocks, session.evaluation.bounds());
        for block in &content.blocks {
            let (content, _) = Body::from(block.body()).content(&schema(), &mut session.evaluation);
            let Some(attribute) = content.attributes.get("required_version") else { continue };
            // An attribute without a value is complained of once.
            if session.attribute(attribute, None).is_err() {
                continue;
            }
            let Ok(Some(text)) = session.text(&content, "required_version", None) else { continue };
            let place = Place::of(&attribute.expression());
            match Constraints::parse(&text, session.evaluation.bounds()) {
                None if session.evaluation.stopped() => {}
                None => session.diagnostics.push(error::no_constraint(&text, &place)),
                Some(constraints) if constraints.allow(session.release.version()) => {}
                Some(_) => {
                    session.diagnostics.push(error::unsupported_version(&text, session.release, &place));
                    checked = Err(OtherVersion);
                }
            }
        }
    }
    checked
}

/// Reads `required_plugins`; the version has been looked at.
pub(super) fn read_plugins(block: &ContentBlock, session: &mut Session<'_>) {
    let (content, problems) = session.evaluation.content(&block.body(), &schema());
    session.diagnostics.extend(problems);
    for plugins in &content.blocks {
        let (attributes, problems) = session.evaluation.just_attributes(&plugins.body());
        session.diagnostics.extend(problems);
        for attribute in &attributes {
            let problems = problems_of(attribute, session);
            // Behind a limit that was told nothing has a value.
            if !session.evaluation.stopped() {
                session.diagnostics.extend(problems);
            }
        }
    }
}

/// The complaints about `amazon = { source = "github.com/hashicorp/amazon", version = "~> 1.2" }`.
fn problems_of(attribute: &ContentAttribute, session: &mut Session<'_>) -> Diagnostics {
    let place = Place::of_attribute(attribute);
    let name = attribute.name();
    let mut problems = Diagnostics::new();
    let mut tell = |title: &'static str, detail: String| problems.push(error::plugin(title, detail, &place));
    if !is_part(name.chars(), session.evaluation.bounds()) {
        let detail = format!("\"{name}\" is no name of a plugin. {PART}");
        tell("Invalid plugin local name", detail);
    }
    let Some(items) = attribute.expression().static_map() else {
        let detail = format!(
            "The plugin \"{name}\" needs an object: {{ source = \"HOST/NAMESPACE/TYPE\", version = \"…\" }}."
        );
        tell("Invalid plugin requirement", detail);
        return problems;
    };
    let (mut has_source, mut has_version) = (false, false);
    for (key, value) in &items {
        let text = constant(value, session);
        let text = text.as_str();
        match key_name(key, session).as_deref() {
            Some("version") => {
                has_version = true;
                if text.and_then(|text| Constraints::parse(text, session.evaluation.bounds())).is_none() {
                    let detail = format!(
                        "The version of \"{name}\" is a text with conditions, such as \">= 1.2\" or \"~> 1.0\"; several \
                         are separated by commas."
                    );
                    tell("Invalid version constraint", detail);
                }
            }
            Some("source") => {
                has_source = true;
                if !text.is_some_and(|text| is_source(text, session.evaluation.bounds())) {
                    let detail = format!(
                        "The source of \"{name}\" is an address with a host: \"HOST/NAMESPACE/TYPE\", for example \
                         \"github.com/hashicorp/{name}\"."
                    );
                    tell("Failed to parse source", detail);
                }
            }
            _ => {
                let detail = format!(
                    "The object of \"{name}\" has the attributes \"source\" and \"version\" and no others."
                );
                tell("Invalid required_plugins object", detail);
            }
        }
    }
    if !has_version {
        tell("No version constraint was set", format!("The object of \"{name}\" needs version = \"…\"."));
    }
    if !has_source {
        tell(
            "No source was set",
            format!("The object of \"{name}\" needs source = \"HOST/NAMESPACE/TYPE\"."),
        );
    }
    problems
}

/// The name that a key is: a word, or a text that is constant.
fn key_name(key: &ConfigExpression, session: &mut Session<'_>) -> Option<String> {
    key.keyword().or_else(|| constant(key, session).as_str().map(str::to_owned))
}

/// The value of an expression without names; unknown if it has some. That a limit of the load was reached is told.
fn constant(expression: &ConfigExpression, session: &mut Session<'_>) -> Value {
    let (value, problems) = session.evaluation.evaluate(expression, None);
    let is_good = problems.is_empty();
    if session.evaluation.stopped() {
        session.diagnostics.extend(problems);
    }
    if is_good { value } else { Value::unknown(Type::Dynamic) }
}

/// The rule for names of plugins and parts of their addresses.
const PART: &str = "It has small letters, digits and dashes, with no dash at either end.";

/// True if the characters are a name by the rule that [`PART`] tells. Letters without case count as small. False if `bounds` end
/// the reading.
fn is_part(characters: impl Iterator<Item = char>, bounds: &mut dyn Bounds) -> bool {
    let is_edge = |c: char| c.is_lowercase() || c.is_numeric() || (c.is_alphabetic() && !c.is_uppercase());
    let mut last = None;
    for c in characters {
        if !bounds.goes_on(PARTS_OF_CHARACTER) || !(is_edge(c) || c == '-' && last.is_some()) {
            return false;
        }
        last = Some(c);
    }
    last.is_some_and(is_edge)
}

/// True if a text is the address of a plugin: a host, and two or more parts behind it. Packer folds case, and takes
/// underscores and dots for dashes, before it looks at the parts. False if `bounds` end the reading.
fn is_source(text: &str, bounds: &mut dyn Bounds) -> bool {
    let mut parts = text.split('/');
    let host = parts.next().unwrap_or_default();
    let is_of_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':');
    let mut n_names = 0;
    let is_name = |part: &str| {
        n_names += 1;
        let folded = part.chars().flat_map(char::to_lowercase);
        is_part(folded.map(|c| if matches!(c, '_' | '.') { '-' } else { c }), bounds)
    };
    !host.is_empty()
        && parts.all(is_name)
        && n_names >= 2
        && host.chars().all(|c| bounds.goes_on(PARTS_OF_CHARACTER) && is_of_host(c))
}

/// How much work it is to look a character up.
const PARTS_OF_CHARACTER: usize = 8;

#[cfg(test)]
mod tests {
    use hcl_syntax::config::Unbounded;

    use super::*;

    #[test]
    fn addresses_of_plugins_have_a_host() {
        let is_source = |text: &str| is_source(text, &mut Unbounded);
        assert!(is_source("github.com/hashicorp/amazon"));
        assert!(is_source("example.com:8443/a/b/c"));
        assert!(is_source("example.com/A_b/c.d/\u{3a3}"));
        assert!(!is_source("hashicorp/amazon"));
        assert!(!is_source("github.com//amazon"));
        assert!(!is_source("github.com/a/_b"));
        let is_part = |text: &str| is_part(text.chars(), &mut Unbounded);
        assert!(
            is_part("amazon-ebs") && !is_part("Amazon") && !is_part("a-") && !is_part("-a") && !is_part("")
        );
    }
}
