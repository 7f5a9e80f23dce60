//! Blocks that say how a module is used and give no values: `terraform`, `language`, `check`.
//!
//! They are read as far as the products look at them without a provider or a state: headers, required arguments and
//! versions. Arguments of backends are not looked at.

use hcl_eval::Value;
use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::hash::{HashSet, IndexMap};
use hcl_syntax::schema::BodySchema;

use super::resource::resource_schema;
use super::{Reader, Rule, RuleOf};
use crate::place::Place;
use crate::version::Constraints;

/// The contents of `terraform` blocks that matter to expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The names of providers with what they stand for.
    pub(crate) providers: IndexMap<String, String>,
    /// The configurations of providers that callers hand over: `NAME.ALIAS`.
    pub(crate) provider_aliases: HashSet<String>,
    /// The `required_providers` blocks.
    pub(crate) required_providers: Vec<Place>,
    /// The releases that the module demands, and where.
    pub(crate) required: Vec<(Constraints, Place)>,
    /// The `provider_meta` blocks, by the names of their providers.
    pub(crate) provider_metas: Vec<(String, Place)>,
    /// The blocks that say where states are kept.
    pub(crate) stores: Vec<(Store, Place)>,
}

/// The two ways to say where states are kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Store {
    Backend,
    Cloud,
}

impl Settings {
    /// The names that stand for the provider that comes with the products.
    pub(crate) fn builtin_providers(&self) -> impl Iterator<Item = &str> {
        self.providers.keys().map(String::as_str).filter(|name| self.is_builtin(name))
    }

    /// True if a name stands for the provider that comes with the products.
    pub(crate) fn is_builtin(&self, name: &str) -> bool {
        self.providers.get(name).is_some_and(|source| source == "terraform.io/builtin/terraform")
    }
}

/// A `check` block.
#[derive(Clone, Debug)]
pub(crate) struct CheckBlock {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Its assertions, without those that are in error.
    pub(crate) rules: Vec<Rule>,
}

impl Reader<'_, '_> {
    /// Reads a `terraform` block. OpenTofu does not look at `required_version` when it reads a module, Terraform
    /// checks its form.
    pub(super) fn settings(&mut self, block: &ContentBlock) -> Settings {
        let schema = ["required_version", "experiments", "language"]
            .into_iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(name))
            .block("backend", &["type"])
            .block("cloud", &[])
            .block("required_providers", &[])
            .block("provider_meta", &["provider"]);
        let schema = if self.release.is_tofu() { schema.block("encryption", &[]) } else { schema };
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        if !self.release.is_tofu() {
            self.terraform_only(&content);
        }
        let mut settings = Settings { required: std::mem::take(&mut self.required), ..Settings::default() };
        self.required_providers(&content, &mut settings);
        for inner in content.blocks_of_type("provider_meta") {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let name = inner.label(0).map_or_else(String::new, |label| label.text.to_owned());
            let place = Place::of_block(inner);
            self.check_provider_name(&name, &place);
            settings.provider_metas.push((name, place));
        }
        for (store, block_type) in [(Store::Backend, "backend"), (Store::Cloud, "cloud")] {
            let blocks = content.blocks_of_type(block_type);
            settings.stores.extend(blocks.map(|block| (store, Place::of_block(block))));
        }
        settings
    }

    /// Reads what is for Terraform, and OpenTofu passes over.
    fn terraform_only(&mut self, content: &Content) {
        self.required_version(content);
        if let Some(attribute) = content.attributes.get("experiments") {
            let detail = "Experiments are part of preliminary releases only.";
            let place = Place::of_name(attribute);
            self.complain(&place, "module.settings", "Module uses experimental features", detail);
        }
        if let Some(edition) = content.expression("language") {
            let title = match edition.keyword().as_deref() {
                Some("TF2021") => return,
                Some(_) => "Unsupported language edition",
                None => "Invalid language edition",
            };
            let detail = "The only edition of the language is TF2021.";
            self.complain(&Place::of(&edition), "module.settings", title, detail);
        }
    }

    /// Reads `required_version`. If the release fits is checked later.
    fn required_version(&mut self, content: &Content) {
        let Some(expression) = content.expression("required_version") else { return };
        if let Some(constraints) = self.constraints(&expression) {
            self.required.push((constraints, Place::of(&expression)));
        }
    }

    /// The conditions on versions of an argument, which is a constant. Null is no condition.
    pub(super) fn constraints(&mut self, expression: &ConfigExpression) -> Option<Constraints> {
        let place = Place::of(expression);
        let (value, is_good) = self.constant(expression);
        if !is_good || value.is_null() {
            return None;
        }
        match convert(&value, &Type::String).ok().as_ref().and_then(Value::as_str) {
            Some(text) => self.constraint(text, &place),
            None => {
                self.wrong_version(&place);
                None
            }
        }
    }

    /// Complains of a version that is no text.
    pub(super) fn wrong_version(&mut self, place: &Place) {
        let detail = "A condition on versions is a text such as \">= 1.2\".";
        self.complain(place, "module.version", "Invalid version constraint", detail);
    }

    /// The conditions on versions that a text holds; complains if it holds none.
    pub(super) fn constraint(&mut self, text: &str, place: &Place) -> Option<Constraints> {
        let constraints = Constraints::parse(text, self.evaluation.bounds());
        if constraints.is_none() && !self.evaluation.stopped() {
            let detail = format!(
                "\"{text}\" is no condition on versions. Write one such as \">= 1.2\", or several with commas between \
                 them."
            );
            self.complain(place, "module.version", "Invalid version constraint", &detail);
        }
        constraints
    }

    /// Reads a `language` block of OpenTofu and checks it against the release.
    pub(super) fn language(&mut self, block: &ContentBlock) {
        let schema =
            BodySchema::default().attribute("edition").attribute("experiments").block("compatible_with", &[]);
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        if let Some(expression) = content.expression("edition")
            && expression.keyword().as_deref() != Some("tofu2024")
        {
            let detail = "The only edition of the language is tofu2024.";
            let place = Place::of(&expression);
            self.complain(&place, "module.settings", "Unsupported language edition", detail);
        }
        for experiment in
            content.expression("experiments").and_then(|list| list.static_list()).unwrap_or_default()
        {
            let detail = "No experiment of this name is known.";
            let place = Place::of(&experiment);
            self.complain(&place, "module.settings", "Unknown experiment keyword", detail);
        }
        if content.blocks.len() > 1 {
            let detail = "A language block has one block of type \"compatible_with\".";
            let place = Place::of_block(block);
            self.complain(&place, "module.block", "Duplicate compatible_with block", detail);
        }
        for inner in content.blocks.iter().take(1) {
            let (content, _, problems) =
                self.evaluation.partial_content(&inner.body(), &BodySchema::default().attribute("opentofu"));
            self.diagnostics.extend(problems);
            let Some((text, place)) = self.text(&content, "opentofu") else { continue };
            if self
                .constraint(&text, &place)
                .is_some_and(|constraints| !constraints.allow(self.release.version()))
            {
                let [major, minor, patch] = self.release.version();
                let detail = format!(
                    "The module demands OpenTofu {text}, and the rules here are those of {major}.{minor}.{patch}. Choose a \
                     release that it allows."
                );
                self.complain(&place, "module.settings", "Incompatible module", &detail);
            }
        }
    }

    /// Reads a `check` block. Its data source has no value here.
    pub(super) fn check_block(&mut self, block: &ContentBlock) -> CheckBlock {
        let schema = BodySchema::default().block("data", &["type", "name"]).block("assert", &[]);
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let name = self.name(block, 0, "check", "Invalid check block name");
        let mut has_source = false;
        for source in content.blocks_of_type("data") {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            if has_source {
                let detail = "A check block has one data source.";
                let place = Place::of_block(source);
                self.complain(&place, "module.block", "Multiple data resource blocks", detail);
            }
            // One in error is none.
            let n_told = self.diagnostics.len();
            self.source_of_check(source);
            has_source |= self.diagnostics.len() == n_told;
        }
        let place = Place::of_block(block);
        let mut rules = Vec::new();
        for inner in content.blocks_of_type("assert") {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let n_before = self.diagnostics.len();
            // An assertion that is wrong does not count.
            rules.extend(self.rule(inner, RuleOf::Assertion).filter(|_| self.diagnostics.len() == n_before));
        }
        if rules.is_empty() {
            let detail = "A check block has at least one assert block.";
            self.complain(&place, "module.check.empty", "Zero assert blocks", detail);
        }
        CheckBlock { name, place, rules }
    }

    /// Reads the data source of a `check` block, which is read once and in no certain order.
    fn source_of_check(&mut self, block: &ContentBlock) {
        let (content, _, problems) = self.evaluation.partial_content(&block.body(), &resource_schema());
        self.diagnostics.extend(problems);
        self.depends_on(&content);
        if let Some(provider) = content.expression("provider") {
            self.provider_configuration(&provider);
        }
        self.reserved_blocks(&content, "data", &["locals"]);
        let repetitions = ["count", "for_each"].into_iter().filter_map(|name| content.attributes.get(name));
        for attribute in repetitions {
            let title = format!("Invalid \"{}\" attribute", attribute.name());
            let detail = "The data source of a check block can't be repeated.";
            self.complain(&Place::of_name(attribute), "module.check.data", &title, detail);
        }
        if let Some(lifecycle) = content.blocks_of_type("lifecycle").next() {
            let detail = "The data source of a check block has no lifecycle block.";
            let place = Place::of_block(lifecycle);
            self.complain(&place, "module.check.data", "Invalid lifecycle block", detail);
        }
    }
}
