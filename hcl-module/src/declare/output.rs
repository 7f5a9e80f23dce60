//! `output` blocks.

use hcl_eval::types::TypeConstraint;
use hcl_syntax::config::{ConfigExpression, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::block::DependsOn;
use super::{Reader, Role, Rule, RuleOf};
use crate::place::Place;

/// The declaration of an output.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) name: String,
    /// The header of its block.
    pub(crate) place: Place,
    /// The expression of its value; an override file need not give one.
    pub(crate) value: Option<ConfigExpression>,
    /// The type that it is declared with, from Terraform 1.15 on.
    pub(crate) constraint: Option<TypeConstraint>,
    /// `sensitive`, if it is said.
    pub(crate) sensitive: Option<bool>,
    /// `ephemeral`, if it is said.
    pub(crate) ephemeral: Option<bool>,
    /// The warning for users of it, and where that stands.
    pub(crate) deprecated: Option<(String, Place)>,
    /// Its preconditions.
    pub(crate) rules: Vec<Rule>,
    pub(crate) depends_on: Option<DependsOn>,
}

impl Output {
    pub(crate) fn is_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    pub(crate) fn is_ephemeral(&self) -> bool {
        self.ephemeral == Some(true)
    }
}

impl Reader<'_, '_> {
    /// The arguments and blocks of the release.
    fn output_schema(&self) -> BodySchema {
        let schema = match self.role {
            Role::Primary => BodySchema::default().required_attribute("value"),
            Role::Override => BodySchema::default().attribute("value"),
        };
        let mut names = vec!["description", "sensitive", "depends_on"];
        if self.release.has_ephemeral() {
            names.push("ephemeral");
        }
        if self.release.has_deprecated() {
            names.push("deprecated");
        }
        if self.release.has_typed_outputs() {
            names.push("type");
        }
        let schema = names.into_iter().fold(schema, |schema, name| schema.attribute(name));
        schema.block("precondition", &[]).block("postcondition", &[])
    }

    /// Reads an output. An output whose type is in error has none.
    pub(super) fn output(&mut self, block: &ContentBlock) -> Output {
        let (content, problems) = self.evaluation.content(&block.body(), &self.output_schema());
        self.diagnostics.extend(problems);
        let name = self.name(block, 0, "output", "Invalid output name");
        let place = Place::of_block(block);
        for wrong in content.blocks_of_type("postcondition") {
            let detail =
                "An output is checked before it has a value, by precondition blocks only.".to_owned();
            let problem = Place::of_block(wrong).error(
                "module.output.postcondition",
                "Postconditions are not allowed",
                detail,
            );
            self.diagnostics.push(problem);
        }
        let preconditions: Vec<ContentBlock> = content.blocks_of_type("precondition").cloned().collect();
        let constraint =
            content.expression("type").and_then(|expression| self.type_constraint(&expression).ok());
        self.text(&content, "description");
        Output {
            value: content.expression("value"),
            constraint,
            sensitive: self.flag(&content, "sensitive"),
            ephemeral: self.flag(&content, "ephemeral"),
            deprecated: self.deprecated(&content, &place, "Invalid `deprecated` attribute"),
            rules: preconditions.iter().filter_map(|inner| self.rule(inner, RuleOf::Precondition)).collect(),
            depends_on: self.depends_on(&content),
            name,
            place,
        }
    }
}
