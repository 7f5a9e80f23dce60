//! Providers: `provider` blocks, `required_providers`, and references to configurations of them.
//!
//! Arguments of providers are not looked at.

use hcl_eval::Value;
use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::config::{Bounds, ConfigExpression, Content, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::hash::HashSet;
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::schema::BodySchema;

use super::written::{Part, Written};
use super::{Reader, Settings, no_identifier};
use crate::place::Place;

/// A `provider` block.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    pub(crate) name: String,
    /// The name of one of several configurations of the provider.
    pub(crate) alias: Option<String>,
    pub(crate) place: Place,
}

impl Reader<'_, '_> {
    /// Reads the header of a `provider` block.
    pub(super) fn provider(&mut self, block: &ContentBlock) -> Option<Provider> {
        let reserved = ["count", "depends_on", "for_each", "source"];
        let schema = ["alias", "version"]
            .into_iter()
            .chain(reserved)
            .fold(BodySchema::default(), |schema, name| schema.attribute(name));
        let schema =
            ["_", "lifecycle", "locals"].into_iter().fold(schema, |schema, name| schema.block(name, &[]));
        let (content, _, problems) = self.evaluation.partial_content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let label = block.label(0)?;
        let place = Place::of_block(block);
        self.check_provider_name(label.text, &place);
        self.check_repeated_provider(&content);
        for attribute in content.attributes.iter() {
            let name = attribute.name();
            // OpenTofu repeats configurations.
            if !reserved.contains(&name) || (name == "for_each" && self.release.is_tofu()) {
                continue;
            }
            let detail = format!("The argument \"{name}\" is kept for later releases in provider blocks.");
            let title = "Reserved argument name in provider block";
            self.complain(&Place::of_name(attribute), "module.provider", title, &detail);
        }
        self.reserved_blocks(&content, "provider", &["lifecycle", "locals"]);
        let alias = content.expression("alias").and_then(|_| {
            let alias = self.text(&content, "alias").map(|(alias, _)| alias).unwrap_or_default();
            if !is_identifier_within(&alias, self.evaluation.bounds()) && !self.evaluation.stopped() {
                let detail = no_identifier("provider configuration", &alias);
                let title = "Invalid provider configuration alias";
                // The products give it no place, so that the sentence has it.
                let detail = format!("{detail} The block is at {}.", place.range());
                self.diagnostics.push(Diagnostic::error("module.provider", title, detail));
            }
            (!alias.is_empty()).then_some(alias)
        });
        if let Some(version) = content.expression("version") {
            let detail = "The version of a provider is a matter of required_providers.".to_owned();
            let title = "Version constraints inside provider configuration blocks are deprecated";
            self.diagnostics.push(Place::of(&version).warning("module.provider", title, detail));
            self.constraints(&version);
        }
        Some(Provider { name: label.text.to_owned(), alias, place })
    }

    /// OpenTofu tells the instances of a repeated configuration apart below its alias.
    fn check_repeated_provider(&mut self, content: &Content) {
        if self.release.is_tofu()
            && let Some(attribute) = content.attributes.get("for_each")
            && content.expression("alias").is_none()
        {
            let detail = "Instances of a provider are told apart below an alias. Add one.";
            let place = Place::of_name(attribute);
            let title = "Alias required when using \"for_each\"";
            self.complain(&place, "module.provider", title, detail);
        }
    }

    /// Checks the name of a provider in a module, which is a part of an address.
    pub(super) fn check_provider_name(&mut self, name: &str, place: &Place) -> bool {
        let bounds = self.evaluation.bounds();
        let is_good =
            is_part(name, bounds) && !name.chars().take_while(|_| bounds.goes_on(1)).any(char::is_uppercase);
        if !is_good {
            let detail = format!(
                "A provider can't be called \"{name}\": its name has lower-case letters, digits, and single dashes \
                 between them."
            );
            self.complain(place, "module.provider", "Invalid provider local name", &detail);
        }
        is_good
    }

    /// The configuration that `provider = aws.east` names: the provider, and the alias if there is one. Nothing if it names none,
    /// which is told.
    pub(super) fn provider_configuration(
        &mut self,
        expression: &ConfigExpression,
    ) -> Option<(String, Option<String>)> {
        let mut place = Place::of(expression);
        let n_told = self.diagnostics.len();
        let written = self.written(expression);
        let (name, alias) = match written.as_ref().map(|written| written.parts.as_slice()) {
            Some([Part::Name(name)]) => (name, None),
            Some([Part::Name(name), Part::Name(alias)]) => (name, Some(alias)),
            parts => {
                if let Some([_, Part::Key(_)]) = parts
                    && let Some(key) = written.as_ref().and_then(|written| written.place(1))
                {
                    place = key;
                }
                let detail = "The configuration of a provider is named by the provider, or by the provider, a dot, and \
                              the alias of the configuration.";
                let title = "Invalid provider configuration reference";
                self.complain(&place, "module.provider", title, detail);
                return None;
            }
        };
        let named = written.as_ref().and_then(|written| written.place(0)).unwrap_or(place);
        let is_good = self.check_provider_name(name, &named) && !has_errors(&self.diagnostics[n_told..]);
        is_good.then(|| (name.clone(), alias.cloned()))
    }

    /// The configurations with an alias that `providers = { aws = aws.east }` hands to a module.
    pub(super) fn handed_providers(&mut self, content: &Content) -> Vec<(String, String)> {
        let mut handed = Vec::new();
        let Some(expression) = content.expression("providers") else { return handed };
        let Some(items) = expression.static_map() else {
            let detail = "Providers are handed over as an object: name = configuration.";
            let place = Place::of_start(&expression);
            self.complain(&place, "module.reference.form", "Invalid expression", detail);
            return handed;
        };
        let mut seen = HashSet::default();
        for (key, value) in items {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let (inner, outer) = (self.provider_configuration(&key), self.provider_configuration(&value));
            let (Some(inner), Some((name, alias))) = (inner, outer) else { continue };
            handed.extend(alias.map(|alias| (name, alias)));
            let (name, alias) = inner;
            if !seen.insert(format!("{name}.{}", alias.unwrap_or_default())) {
                let detail = "The module is given a configuration of this name already.";
                let title = "Duplicate provider address";
                self.complain(&Place::of(&value), "module.provider", title, detail);
            }
        }
        handed
    }

    /// Reads the `required_providers` blocks of a `terraform` block.
    pub(super) fn required_providers(&mut self, content: &Content, settings: &mut Settings) {
        for inner in content.blocks_of_type("required_providers") {
            let (attributes, problems) = self.evaluation.just_attributes(&inner.body());
            let has_blocks = has_errors(&problems);
            self.diagnostics.extend(problems);
            if has_blocks {
                continue;
            }
            settings.required_providers.push(Place::of_block(inner));
            for attribute in &attributes {
                if self.evaluation.stopped() || !self.evaluation.may_report(self.diagnostics) {
                    break;
                }
                let source = self.required_provider(attribute, &mut settings.provider_aliases);
                settings.providers.extend(source.map(|source| (attribute.name().to_owned(), source)));
            }
        }
    }

    /// The address that a line of `required_providers` names. Adds the configurations that it expects of callers. A
    /// line that is a text alone is a version, as in releases before Terraform 0.13, and names no source.
    fn required_provider(
        &mut self,
        attribute: &ContentAttribute,
        aliases: &mut HashSet<String>,
    ) -> Option<String> {
        let expression = attribute.expression();
        let place = Place::of(&expression);
        let Some(items) = expression.static_map() else {
            let version = self.silent_constant(&expression)?;
            match convert(&version, &Type::String).ok().filter(|text| text.as_str().is_some()) {
                Some(text) => _ = self.constraint(text.as_str().unwrap_or_default(), &place),
                None => self.wrong_requirement("A provider is required by an object.", &place),
            }
            return None;
        };
        if !self.check_provider_name(attribute.name(), &place) {
            return None;
        }
        let mut source = None;
        for (key, value) in items {
            let place = Place::of(&value);
            let Some(name) = self.requirement(&key) else {
                if self.evaluation.stopped() {
                    break;
                }
                continue;
            };
            match name.as_str() {
                "source" => source = self.source_of_provider(&value),
                "version" => match self.silent_constant(&value)?.as_str() {
                    Some(version) => _ = self.constraint(version, &place),
                    None => self.wrong_version(&place),
                },
                "configuration_aliases" => self.expected_aliases(attribute.name(), &value, aliases),
                _ => {
                    let detail = "A provider has a source, a version, and configuration_aliases.";
                    self.wrong_requirement(detail, &Place::of(&key));
                    break;
                }
            }
        }
        source
    }

    /// The name of an item of `required_providers`; nothing if it is none, or behind a limit, which is told.
    fn requirement(&mut self, key: &ConfigExpression) -> Option<String> {
        if let Some(keyword) = key.keyword() {
            return Some(keyword);
        }
        let (value, is_good) = self.constant(key);
        let name = value.as_str().map(str::to_owned);
        if is_good && name.is_none() {
            let detail = "The items of a required provider have names.";
            self.complain(&Place::of(key), "module.provider", "Invalid Attribute", detail);
        }
        name
    }

    /// Complains of an item of `required_providers`.
    fn wrong_requirement(&mut self, detail: &str, place: &Place) {
        let title = "Invalid required_providers object";
        self.complain(place, "module.provider", title, detail);
    }

    /// The source of a provider, if it has the form of one.
    fn source_of_provider(&mut self, expression: &ConfigExpression) -> Option<String> {
        let value = self.silent_constant(expression)?;
        let (title, detail) =
            match value.as_str().map(|source| (source, wrong_source(source, self.evaluation.bounds()))) {
                Some((source, None)) => return Some(source.to_owned()),
                Some((_, Some(wrong))) => wrong,
                None => ("Invalid source", "The source of a provider is a constant text.".to_owned()),
            };
        self.complain(&Place::of(expression), "module.provider", title, &detail);
        None
    }

    /// Reads the configurations that a module expects of its callers: a list of references that begin with the name of
    /// the provider.
    fn expected_aliases(
        &mut self,
        provider: &str,
        expression: &ConfigExpression,
        aliases: &mut HashSet<String>,
    ) {
        let form = |place: Place| {
            let detail = "Configurations are listed as [NAME.ALIAS].".to_owned();
            place.error("module.reference.form", "Invalid expression", detail)
        };
        let Some(elements) = expression.static_list() else {
            self.diagnostics.push(form(Place::of_start(expression)));
            return;
        };
        for element in elements {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let written = Written::of(&element);
            match written.as_ref().map(|written| written.parts.as_slice()) {
                None => self.diagnostics.push(form(Place::of(&element))),
                Some([Part::Name(name)]) if name == provider => {}
                Some([Part::Name(name), Part::Name(alias)]) if name == provider => {
                    aliases.insert(format!("{name}.{alias}"));
                }
                Some(_) => {
                    let detail = format!("A configuration of this provider is named {provider}.ALIAS.");
                    let title = "Invalid configuration_aliases value";
                    self.complain(&Place::of(expression), "module.provider", title, &detail);
                }
            }
        }
    }

    /// The value of a constant expression, null if it has none, without a word. That a limit of the load was reached
    /// is told, and there is no value then.
    fn silent_constant(&mut self, expression: &ConfigExpression) -> Option<Value> {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        if self.evaluation.stopped() {
            self.diagnostics.extend(problems);
            return None;
        }
        Some(value)
    }
}

/// The error in the source of a provider, `[HOST/][NAMESPACE/]NAME`: the title of the complaint and its detail.
fn wrong_source(source: &str, bounds: &mut dyn Bounds) -> Option<(&'static str, String)> {
    // More than three parts are wrong, however many.
    let parts: Vec<&str> = source.splitn(4, '/').collect();
    let (host, namespace, name) = match parts.as_slice() {
        [name] if !name.is_empty() => (None, None, *name),
        [namespace, name] if !namespace.is_empty() && !name.is_empty() => (None, Some(*namespace), *name),
        [host, namespace, name] if parts.iter().all(|part| !part.is_empty()) => {
            (Some(*host), Some(*namespace), *name)
        }
        _ => {
            let detail = format!(
                "\"{source}\" is no source of a provider. It is NAME, NAMESPACE/NAME or HOST/NAMESPACE/NAME."
            );
            return Some(("Invalid provider source string", detail));
        }
    };
    // The namespace `-` is that of providers from before there were namespaces.
    let is_named_twice = namespace.is_some() && name.to_ascii_lowercase().starts_with("terraform-");
    let (title, part) = if !is_part(name, bounds) {
        ("Invalid provider type", name)
    } else if let Some(namespace) =
        namespace.filter(|namespace| *namespace != "-" && !is_part(namespace, bounds))
    {
        ("Invalid provider namespace", namespace)
    } else if let Some(host) = host.filter(|host| !is_host(host, bounds) && bounds.goes_on(1)) {
        ("Invalid provider source hostname", host)
    } else if is_named_twice {
        ("Invalid provider type", name)
    } else {
        return None;
    };
    Some((title, format!("\"{part}\" has no place in the source of a provider: \"{source}\".")))
}

/// True for letters and digits with single dashes between them, as far as the bounds allow looking.
fn is_part(text: &str, bounds: &mut dyn Bounds) -> bool {
    let is_character = |c: char| c == '-' || c.is_alphanumeric();
    text.chars().take_while(|_| bounds.goes_on(1)).all(is_character)
        && text.split('-').take_while(|_| bounds.goes_on(1)).all(|word| !word.is_empty())
}

/// True for the name of a host, which may have a port. False if `bounds` end the reading.
fn is_host(text: &str, bounds: &mut dyn Bounds) -> bool {
    let (name, port) = text.split_once(':').map_or((text, "1"), |(name, port)| (name, port));
    let is_label = |label: &str| {
        let mut is_character = |c: char| bounds.goes_on(1) && (c.is_alphanumeric() || c == '-');
        let is_inside = !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
        is_inside && !label.starts_with("xn--") && label.chars().all(&mut is_character)
    };
    name.split('.').all(is_label) && port.parse::<u16>().is_ok()
}
