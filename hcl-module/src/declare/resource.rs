//! `resource`, `data` and `ephemeral` blocks: things that providers make and know. Nothing of them is known here
//! but that they are declared, and how often.

use hcl_syntax::config::{
    Attributes, Bounds, ConfigBody, ConfigExpression, ContentAttribute, ContentBlock, push_within,
};
use hcl_syntax::schema::BodySchema;

use super::block::{DependsOn, Lifecycle, Repetition};
use super::provisioner::Provisioners;
use super::{Reader, Rule};
use crate::place::Place;

/// The kind of the declaration.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Mode {
    /// `resource`: something that is made and destroyed.
    Managed,
    /// `data`: something that is read.
    Data,
    /// `ephemeral`: something that is there during a run only.
    Ephemeral,
}

impl Mode {
    /// How messages call it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Managed => "resource",
            Self::Data => "data resource",
            Self::Ephemeral => "ephemeral resource",
        }
    }

    /// Returns the beginning of references, before the type.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Managed => "",
            Self::Data => "data.",
            Self::Ephemeral => "ephemeral.",
        }
    }
}

/// The declaration of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) mode: Mode,
    /// Its first label, such as `aws_instance`.
    pub(crate) resource_type: String,
    pub(crate) name: String,
    /// The header of its block.
    pub(crate) place: Place,
    pub(crate) repetition: Repetition,
    /// Its preconditions and postconditions.
    pub(crate) rules: Vec<Rule>,
    /// `ignore_changes` of its `lifecycle` block.
    pub(crate) ignore_changes: Option<ConfigExpression>,
    pub(crate) depends_on: Option<DependsOn>,
    /// The bodies for the provider: that of the block, then those of override files.
    pub(crate) bodies: Vec<ConfigBody>,
    /// `provisioner` and `connection` blocks.
    pub(crate) inner: Vec<ContentBlock>,
}

impl Resource {
    /// True if expressions must say which instance they mean.
    pub(crate) fn is_repeated(&self) -> bool {
        self.repetition.count.is_some() || self.repetition.for_each.is_some()
    }

    /// The arguments that the provider reads, each once: what override files say comes first. Fewer once `bounds` end the work.
    pub(crate) fn arguments(&self, bounds: &mut dyn Bounds) -> Vec<ContentAttribute> {
        let mut found = Attributes::default();
        for body in self.bodies.iter().rev() {
            let more = body.everything_within(bounds).attributes;
            // No two of one body have one name.
            if found.is_empty() {
                found = more;
                continue;
            }
            for attribute in more {
                if !bounds.next_item() {
                    break;
                }
                found.add(attribute);
            }
        }
        found.into_iter().collect()
    }

    /// Tells all expressions in it that may refer to something, but for `enabled`, `depends_on` and `ignore_changes`. Fewer once
    /// `bounds`, which `tell` is given too, end the work.
    pub(crate) fn each_expression(
        &self,
        bounds: &mut dyn Bounds,
        tell: &mut dyn FnMut(ConfigExpression, &mut dyn Bounds),
    ) {
        let Repetition { count, for_each, .. } = &self.repetition;
        let rules = self.rules.iter().flat_map(|rule| [&rule.condition, &rule.message]);
        for expression in count.iter().chain(for_each).chain(rules) {
            if !bounds.next_item() {
                return;
            }
            tell(expression.clone(), bounds);
        }
        let mut open: Vec<ConfigBody> = self.bodies.iter().rev().cloned().collect();
        open.extend(self.inner.iter().map(ContentBlock::body));
        while let Some(body) = open.pop() {
            let content = body.everything_within(bounds);
            for attribute in &content.attributes {
                if !bounds.next_item() {
                    return;
                }
                tell(attribute.expression(), bounds);
            }
            for block in &content.blocks {
                if !bounds.next_item() || !push_within(&mut open, block.body(), bounds) {
                    return;
                }
            }
        }
    }

    /// How expressions refer to it.
    pub(crate) fn address(&self) -> String {
        format!("{}{}.{}", self.mode.prefix(), self.resource_type, self.name)
    }
}

/// The arguments and blocks that every kind of resource has beside those of its provider.
pub(super) fn resource_schema() -> BodySchema {
    ["count", "for_each", "provider", "depends_on"]
        .into_iter()
        .fold(BodySchema::default(), |schema, name| schema.attribute(name))
        .block("lifecycle", &[])
        .block("locals", &[])
        .block("_", &[])
}

impl Reader<'_, '_> {
    /// Reads a resource. What the block has beside the arguments and blocks of the language is the provider's and is
    /// read as it is.
    pub(super) fn resource(&mut self, block: &ContentBlock, mode: Mode) -> Resource {
        let schema = match mode {
            Mode::Managed => resource_schema().block("connection", &[]).block("provisioner", &["type"]),
            Mode::Data | Mode::Ephemeral => resource_schema(),
        };
        let (content, body, problems) = self.evaluation.partial_content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let (type_title, name_title) = match mode {
            Mode::Managed => ("Invalid resource type name", "Invalid resource name"),
            Mode::Data => ("Invalid data source name", "Invalid data resource name"),
            Mode::Ephemeral => ("Invalid ephemeral resource type", "Invalid ephemeral resource name"),
        };
        let resource_type = self.name(block, 0, "type", type_title);
        let name = self.name(block, 1, mode.noun(), name_title);
        let keyword = match mode {
            Mode::Managed => "resource",
            Mode::Data => "data",
            Mode::Ephemeral => "ephemeral",
        };
        self.reserved_blocks(&content, keyword, &["locals"]);
        if let Some(provider) = content.expression("provider") {
            self.provider_configuration(&provider);
        }
        self.provisioners(&content, Provisioners::All);
        let lifecycles: Vec<ContentBlock> = content.blocks_of_type("lifecycle").cloned().collect();
        let Lifecycle { enabled, ignore_changes, rules } = self.lifecycle(&lifecycles, mode);
        Resource {
            mode,
            resource_type,
            name,
            place: Place::of_block(block),
            repetition: self.repetition(&content, enabled),
            rules,
            ignore_changes,
            depends_on: self.depends_on(&content),
            bodies: vec![body],
            inner: content
                .blocks
                .iter()
                .filter(|inner| matches!(inner.block_type(), "provisioner" | "connection"))
                .cloned()
                .collect(),
        }
    }
}
