//! Blocks that say how a module is used and give no values: `terraform`, `provider`, `language`, `check`, `moved`,
//! `removed`, `import`.
//!
//! They are read as far as the products look at them without a provider or a state: headers, required arguments,
//! versions, and the form of addresses. Arguments of providers and backends are not looked at.

use hcl_eval::Value;
use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::{Reader, Rule, RuleOf};
use crate::place::Place;
use crate::reference::first_attribute;
use crate::version::Constraints;

/// The contents of `terraform` blocks that matter to expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The names of providers with what they stand for.
    pub(crate) providers: Vec<(String, String)>,
    /// The configurations of providers that callers hand over: a name and an alias.
    pub(crate) provider_aliases: Vec<(String, String)>,
    /// The releases that the module demands, and where.
    pub(crate) required: Vec<(Constraints, Place)>,
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
        let is_builtin = |source: &str| source == "terraform.io/builtin/terraform";
        self.providers.iter().filter(move |(_, source)| is_builtin(source)).map(|(name, _)| name.as_str())
    }
}

/// A `provider` block.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    pub(crate) name: String,
    /// The name of one of several configurations of the provider.
    pub(crate) alias: Option<String>,
    pub(crate) place: Place,
}

/// A `check` block.
#[derive(Clone, Debug)]
pub(crate) struct CheckBlock {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Its assertions, without those that are in error.
    pub(crate) rules: Vec<Rule>,
}

/// A block without a value.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    /// `moved`, `removed` or `import`.
    pub(crate) block_type: String,
    pub(crate) place: Place,
    /// The expressions in it that are evaluated some time.
    pub(crate) expressions: Vec<ConfigExpression>,
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
        for inner in content.blocks_of_type("required_providers") {
            let (attributes, problems) = self.evaluation.just_attributes(&inner.body());
            self.diagnostics.extend(problems);
            for attribute in &attributes {
                let source = self.required_provider(&attribute.expression(), &mut settings.provider_aliases);
                settings.providers.extend(source.map(|source| (attribute.name().to_owned(), source)));
            }
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
        if let Some(expression) = content.expression("experiments")
            && expression.static_list().is_some_and(|list| !list.is_empty())
        {
            let detail = "Experiments are part of preliminary releases only.".to_owned();
            let place = Place::of(&expression);
            self.diagnostics.push(place.error(
                "module.settings",
                "Module uses experimental features",
                detail,
            ));
        }
    }

    /// Reads `required_version`, which is a constant. If the release fits is checked later.
    fn required_version(&mut self, content: &Content) {
        let Some(expression) = content.expression("required_version") else { return };
        let place = Place::of(&expression);
        let (value, is_good) = self.constant(&expression);
        if !is_good {
            return;
        }
        match convert(&value, &Type::String).ok().as_ref().and_then(Value::as_str) {
            Some(text) => {
                if let Some(constraints) = self.constraint(text, &place) {
                    self.required.push((constraints, place));
                }
            }
            None => {
                let detail = "The version that is demanded is a text such as \">= 1.2\".".to_owned();
                self.diagnostics.push(place.error("module.version", "Invalid version constraint", detail));
            }
        }
    }

    /// The conditions on versions that a text holds; complains if it holds none.
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

    /// Reads the header of a `provider` block; its other arguments are the provider's.
    pub(super) fn provider(&mut self, block: &ContentBlock) -> Option<Provider> {
        let schema = BodySchema::default().attribute("alias").attribute("version").attribute("for_each");
        let (content, _, problems) = self.evaluation.partial_content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        if self.release.is_tofu()
            && let Some(attribute) = content.attributes.get("for_each")
            && content.expression("alias").is_none()
        {
            let detail = "Instances of a provider are told apart below an alias. Add one.".to_owned();
            let place = Place::of_name(attribute);
            let title = "Alias required when using \"for_each\"";
            self.diagnostics.push(place.error("module.provider", title, detail));
        }
        let alias = content.expression("alias").and_then(|alias| self.constant_text(&alias));
        Some(Provider { name: block.label(0)?.text.to_owned(), alias, place: Place::of_block(block) })
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
            let detail = "The only edition of the language is tofu2024.".to_owned();
            let place = Place::of(&expression);
            self.diagnostics.push(place.error("module.settings", "Unsupported language edition", detail));
        }
        for experiment in
            content.expression("experiments").and_then(|list| list.static_list()).unwrap_or_default()
        {
            let detail = "No experiment of this name is known.".to_owned();
            let place = Place::of(&experiment);
            self.diagnostics.push(place.error("module.settings", "Unknown experiment keyword", detail));
        }
        if content.blocks.len() > 1 {
            let detail = "A language block has one block of type \"compatible_with\".".to_owned();
            let place = Place::of_block(block);
            self.diagnostics.push(place.error("module.block", "Duplicate compatible_with block", detail));
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
                self.diagnostics.push(place.error("module.settings", "Incompatible module", detail));
            }
        }
    }

    /// Reads a `check` block. Its data source has no value here.
    pub(super) fn check_block(&mut self, block: &ContentBlock) -> CheckBlock {
        let schema = BodySchema::default().block("data", &["type", "name"]).block("assert", &[]);
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let name = self.name(block, 0, "check", "Invalid check block name");
        let place = Place::of_block(block);
        let mut rules = Vec::new();
        for inner in content.blocks_of_type("assert") {
            let n_before = self.diagnostics.len();
            // An assertion that is wrong does not count.
            rules.extend(self.rule(inner, RuleOf::Assertion).filter(|_| self.diagnostics.len() == n_before));
        }
        if rules.is_empty() {
            let detail = "A check block has at least one assert block.".to_owned();
            self.diagnostics.push(place.error("module.check.empty", "Zero assert blocks", detail));
        }
        CheckBlock { name, place, rules }
    }

    /// Reads a block that only has to have its arguments: `moved`, `removed` or `import`. Newer releases import by
    /// `identity` as well as by `id`, and then neither is required here.
    pub(super) fn without_value(&mut self, block: &ContentBlock) -> Unread {
        let schema = match block.block_type() {
            "moved" => BodySchema::default().required_attribute("from").required_attribute("to"),
            "removed" => BodySchema::default()
                .required_attribute("from")
                .block("lifecycle", &[])
                .block("connection", &[])
                .block("provisioner", &["type"]),
            _ => {
                let schema = BodySchema::default().required_attribute("to");
                let schema = match self.release.imports_by_identity() {
                    true => schema.attribute("id").attribute("identity"),
                    false => schema.required_attribute("id"),
                };
                schema.attribute("for_each").attribute("provider")
            }
        };
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        if block.block_type() != "import" {
            self.addresses(&content);
        }
        let evaluated = content.attributes.iter().filter(|one| matches!(one.name(), "id" | "for_each"));
        Unread {
            block_type: block.block_type().to_owned(),
            place: Place::of_block(block),
            expressions: evaluated.map(|attribute| attribute.expression()).collect(),
        }
    }

    /// Checks `from` and `to`, which name resources or modules. They are addresses and not evaluated; only their form
    /// is looked at.
    fn addresses(&mut self, content: &Content) {
        for attribute in content.attributes.iter() {
            let expression = attribute.expression();
            let names_something = expression.static_traversal().is_some_and(|syntax| {
                let ExpressionKind::Traversal(traversal) = syntax.expression().kind() else { return false };
                let is_other = matches!(
                    traversal.root(),
                    "var" | "local" | "path" | "terraform" | "each" | "count" | "self" | "data"
                );
                !is_other && first_attribute(traversal).is_some()
            });
            if !names_something {
                let detail =
                    "The address of a resource is TYPE.NAME, that of a module module.NAME.".to_owned();
                let place = Place::of(&expression);
                self.diagnostics.push(place.error("module.address", "Invalid address", detail));
            }
        }
    }
}

impl Reader<'_, '_> {
    /// The text that a constant expression is; nothing, and no word, if it is none. That a limit of the load was
    /// reached is told.
    fn constant_text(&mut self, expression: &ConfigExpression) -> Option<String> {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        if self.evaluation.stopped() {
            self.diagnostics.extend(problems);
        }
        value.as_str().map(str::to_owned)
    }

    /// The address that a line of `required_providers` names. Adds the configurations that it expects of callers. A
    /// line that is a text alone is a version, as in releases before Terraform 0.13, and names no source.
    fn required_provider(
        &mut self,
        expression: &ConfigExpression,
        aliases: &mut Vec<(String, String)>,
    ) -> Option<String> {
        let Some(items) = expression.static_map() else {
            let version = self.constant_text(expression)?;
            self.constraint(&version, &Place::of(expression));
            return None;
        };
        let mut source = None;
        for (key, value) in items {
            let place = Place::of(&key);
            match key.keyword().or_else(|| self.constant_text(&key)).as_deref() {
                Some("source") => source = self.constant_text(&value),
                Some("version") => {
                    if let Some(version) = self.constant_text(&value) {
                        self.constraint(&version, &Place::of(&value));
                    }
                }
                Some("configuration_aliases") => {
                    let list = value.static_list().unwrap_or_default();
                    aliases.extend(list.iter().filter_map(provider_with_alias));
                }
                // Behind a limit that was told nothing has a value.
                _ if self.evaluation.stopped() => {}
                _ => {
                    let detail = "A provider has a source, a version, and configuration_aliases.".to_owned();
                    let title = "Invalid required_providers object";
                    self.diagnostics.push(place.error("module.provider", title, detail));
                }
            }
        }
        source
    }
}

/// The name and the alias of `aws.east`; none without an alias.
pub(crate) fn provider_with_alias(expression: &ConfigExpression) -> Option<(String, String)> {
    let syntax = expression.static_traversal()?;
    let ExpressionKind::Traversal(traversal) = syntax.expression().kind() else { return None };
    Some((traversal.root().to_owned(), first_attribute(traversal)?.to_owned()))
}
