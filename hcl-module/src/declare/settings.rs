//! Blocks that say how a module is used and give no values: `terraform`, `provider`, `language`, `check`, `moved`,
//! `removed`, `import`.

use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::{Reader, Rule, RuleOf};
use crate::place::Place;
use crate::version::Constraints;

/// The newest release of OpenTofu whose rules are known, which modules can demand.
const OPENTOFU_VERSION: [u64; 3] = [1, 12, 6];

/// What `terraform` blocks say that matters to expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The names of providers with what they stand for.
    pub(crate) providers: Vec<(String, String)>,
}

/// A `check` block.
#[derive(Clone, Debug)]
pub(crate) struct CheckBlock {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) rules: Vec<Rule>,
}

/// A block that nothing is read of.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    pub(crate) block_type: String,
    pub(crate) place: Place,
}

impl Reader<'_> {
    pub(super) fn settings(&mut self, block: &ContentBlock) -> Settings {
        let schema = ["required_version", "experiments", "language"]
            .into_iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(name))
            .block("backend", &["type"])
            .block("cloud", &[])
            .block("required_providers", &[])
            .block("provider_meta", &["provider"]);
        let schema = if self.release.is_tofu() { schema.block("encryption", &[]) } else { schema };
        let (content, problems) = block.body().content(&schema);
        self.diagnostics.extend(problems);
        if !self.release.is_tofu() {
            self.terraform_only(&content);
        }
        let mut settings = Settings::default();
        for inner in content.blocks_of_type("required_providers") {
            let (attributes, problems) = inner.body().just_attributes();
            self.diagnostics.extend(problems);
            settings.providers.extend(attributes.iter().filter_map(|attribute| {
                Some((attribute.name().to_owned(), provider_source(&attribute.expression())?))
            }));
        }
        settings
    }

    /// What OpenTofu passes over, because it is for Terraform.
    fn terraform_only(&mut self, content: &Content) {
        if let Some((text, place)) = self.text(content, "required_version") {
            self.constraint(&text, &place);
        }
        if let Some(expression) = content.expression("experiments")
            && expression.static_list().is_some_and(|list| !list.is_empty())
        {
            let detail = "Experiments are part of preliminary releases only.".to_owned();
            let place = Place::of(&expression);
            self.diagnostics.push(place.error(
                "module.experiments",
                "Module uses experimental features",
                detail,
            ));
        }
    }

    fn constraint(&mut self, text: &str, place: &Place) -> Option<Constraints> {
        let constraints = Constraints::parse(text);
        if constraints.is_none() {
            let detail = format!(
                "\"{text}\" is no condition on versions. Write one such as \">= 1.2\", or several with commas between \
                 them."
            );
            self.diagnostics.push(place.error("module.version", "Invalid version constraint", detail));
        }
        constraints
    }

    pub(super) fn provider(&mut self, block: &ContentBlock) {
        self.name(block, 0, "provider", "Invalid provider configuration name");
        let schema = BodySchema::default().attribute("alias").attribute("version").attribute("for_each");
        let (content, _, problems) = block.body().partial_content(&schema);
        self.diagnostics.extend(problems);
        if self.release.is_tofu()
            && let Some(attribute) = content.attributes.get("for_each")
            && content.expression("alias").is_none()
        {
            let detail = "Instances of a provider are told apart below an alias. Add one.".to_owned();
            let place = Place::of_name(attribute);
            let title = "Alias required when using \"for_each\"";
            self.diagnostics.push(place.error("module.provider.alias", title, detail));
        }
    }

    pub(super) fn language(&mut self, block: &ContentBlock) {
        let schema =
            BodySchema::default().attribute("edition").attribute("experiments").block("compatible_with", &[]);
        let (content, problems) = block.body().content(&schema);
        self.diagnostics.extend(problems);
        if let Some(expression) = content.expression("edition")
            && expression.keyword().as_deref() != Some("tofu2024")
        {
            let detail = "The only edition of the language is tofu2024.".to_owned();
            let place = Place::of(&expression);
            self.diagnostics.push(place.error("module.language", "Unsupported language edition", detail));
        }
        for experiment in
            content.expression("experiments").and_then(|list| list.static_list()).unwrap_or_default()
        {
            let detail = "No experiment of this name is known.".to_owned();
            let place = Place::of(&experiment);
            self.diagnostics.push(place.error("module.language", "Unknown experiment keyword", detail));
        }
        if content.blocks.len() > 1 {
            let detail = "A language block has one block of type \"compatible_with\".".to_owned();
            let place = Place::of_block(block);
            self.diagnostics.push(place.error("module.block", "Duplicate compatible_with block", detail));
        }
        for inner in content.blocks.iter().take(1) {
            let (content, _, problems) =
                inner.body().partial_content(&BodySchema::default().attribute("opentofu"));
            self.diagnostics.extend(problems);
            let Some((text, place)) = self.text(&content, "opentofu") else { continue };
            if self.constraint(&text, &place).is_some_and(|constraints| !constraints.allow(OPENTOFU_VERSION))
            {
                let [major, minor, patch] = OPENTOFU_VERSION;
                let detail = format!(
                    "The module demands OpenTofu {text}, and the rules here are those of {major}.{minor}.{patch}."
                );
                self.diagnostics.push(place.error("module.language", "Incompatible module", detail));
            }
        }
    }

    pub(super) fn check_block(&mut self, block: &ContentBlock) -> CheckBlock {
        let schema = BodySchema::default().block("data", &["type", "name"]).block("assert", &[]);
        let (content, problems) = block.body().content(&schema);
        self.diagnostics.extend(problems);
        let name = self.name(block, 0, "check", "Invalid check block name");
        let place = Place::of_block(block);
        let assertions: Vec<ContentBlock> = content.blocks_of_type("assert").cloned().collect();
        let rules: Vec<Rule> =
            assertions.iter().filter_map(|inner| self.rule(inner, RuleOf::Assertion)).collect();
        if rules.is_empty() {
            let detail = "A check block has at least one assert block.".to_owned();
            self.diagnostics.push(place.error("module.check.empty", "Zero assert blocks", detail));
        }
        CheckBlock { name, place, rules }
    }

    /// A block that only has to have its arguments.
    pub(super) fn without_value(&mut self, block: &ContentBlock) -> Unread {
        let schema = match block.block_type() {
            "moved" => BodySchema::default().required_attribute("from").required_attribute("to"),
            "removed" => BodySchema::default()
                .required_attribute("from")
                .block("lifecycle", &[])
                .block("connection", &[])
                .block("provisioner", &["type"]),
            _ => ["id", "identity", "for_each", "provider"]
                .into_iter()
                .fold(BodySchema::default().required_attribute("to"), |schema, name| schema.attribute(name)),
        };
        let (_, problems) = block.body().content(&schema);
        self.diagnostics.extend(problems);
        Unread { block_type: block.block_type().to_owned(), place: Place::of_block(block) }
    }
}

/// The address that a line of `required_providers` names.
fn provider_source(expression: &ConfigExpression) -> Option<String> {
    let items = expression.static_map()?;
    let (_, source) = items.iter().find(|(key, _)| {
        key.keyword().as_deref() == Some("source") || constant_text(key).as_deref() == Some("source")
    })?;
    constant_text(source)
}

/// The text that a constant expression is.
fn constant_text(expression: &ConfigExpression) -> Option<String> {
    let options = hcl_eval::eval::EvalOptions::default();
    let (value, _) = hcl_eval::eval::evaluate_config(expression, None, &options);
    value.as_str().map(str::to_owned)
}
