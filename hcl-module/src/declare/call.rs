//! `module` blocks: calls of other modules.

use hcl_syntax::config::{ConfigBody, ConfigExpression, Content, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::hash::IndexMap;
use hcl_syntax::schema::BodySchema;

use super::block::{DependsOn, Repetition};
use super::{Reader, Role};
use crate::address::Address;
use crate::place::Place;

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) expression: ConfigExpression,
    /// Where the name stands.
    pub(crate) name_place: Place,
    /// From the name to the end of the expression.
    pub(crate) place: Place,
}

/// A call of a module.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The header of its block.
    pub(crate) place: Place,
    /// The address of the module; an override file need not give it.
    pub(crate) source: Option<ConfigExpression>,
    /// The versions that a registry may give.
    pub(crate) version: Option<ConfigExpression>,
    /// True if source or version are wrong, which was told when the block was read.
    pub(crate) is_refused: bool,
    pub(crate) repetition: Repetition,
    /// The values for its variables, by name.
    pub(crate) arguments: IndexMap<String, Argument>,
    pub(crate) depends_on: Option<DependsOn>,
    /// The configurations of providers with an alias that are handed to the module.
    pub(crate) providers: Vec<(String, String)>,
    /// Problems with the blocks in the call; some releases report them only if the rest can be loaded.
    pub(crate) wrong_blocks: Vec<Diagnostic>,
    /// True if uses of what is deprecated further in are not told.
    pub(crate) ignores_deprecations: bool,
}

impl Reader<'_, '_> {
    /// The arguments and blocks of a call that have a meaning of their own. Everything else is an argument for a
    /// variable.
    fn call_schema(&self) -> BodySchema {
        let schema = match self.role {
            Role::Primary => BodySchema::default().required_attribute("source"),
            Role::Override => BodySchema::default().attribute("source"),
        };
        let mut names = vec!["version", "count", "for_each", "depends_on", "providers"];
        if self.release.has_nested_deprecations() {
            names.push("ignore_nested_deprecations");
        }
        let schema = names.into_iter().fold(schema, |schema, name| schema.attribute(name));
        let schema = schema.block("provider", &["type"]);
        ["_", "lifecycle", "locals"].into_iter().fold(schema, |schema, name| schema.block(name, &[]))
    }

    /// Reads a call. Arguments in a block `_` are for variables too, so that one can be set whose name has a meaning
    /// in the block.
    pub(super) fn call(&mut self, block: &ContentBlock) -> Call {
        let (content, rest, problems) = self.evaluation.partial_content(&block.body(), &self.call_schema());
        self.diagnostics.extend(problems);
        let name = self.name(block, 0, "module call", "Invalid module instance name");
        let enabled = self.blocks_of_call(&content);
        let is_refused = !self.release.has_static_sources() && !self.check_constant_source(&content);
        let mut call = Call {
            name,
            place: Place::of_block(block),
            source: content.expression("source"),
            version: content.expression("version"),
            is_refused,
            repetition: self.repetition(&content, enabled),
            arguments: IndexMap::default(),
            depends_on: self.depends_on(&content),
            providers: self.handed_providers(&content),
            wrong_blocks: Vec::new(),
            ignores_deprecations: self.flag(&content, "ignore_nested_deprecations") == Some(true),
        };
        self.arguments(&rest, &mut call);
        for escaped in content.blocks_of_type("_") {
            self.arguments(&escaped.body(), &mut call);
        }
        call
    }

    /// Checks source and version of a call in releases where both are constants. An address with a version is one of a
    /// registry, even if the version is null or in error. True if nothing is wrong.
    fn check_constant_source(&mut self, content: &Content) -> bool {
        let n_told = self.diagnostics.len();
        let version = content.expression("version");
        if let Some(version) = &version {
            self.constraints(version);
        }
        if let Some((address, place)) = self.text(content, "source") {
            match Address::parse(&address) {
                Some(Address::Registry) => {}
                _ if version.is_some() => self.diagnostics.push(no_registry(&address, &place)),
                Some(_) => {}
                None => self.diagnostics.push(no_address(&address, &place)),
            }
        }
        self.diagnostics.len() == n_told
    }

    /// Reads the rest as arguments for the variables of the module, and reports blocks, which are wrong.
    fn arguments(&mut self, body: &ConfigBody, call: &mut Call) {
        let everything = self.evaluation.everything(body);
        for attribute in everything.attributes.iter() {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            call.arguments.insert(attribute.name().to_owned(), argument(attribute));
        }
        for block in &everything.blocks {
            if !self.evaluation.may_report(&call.wrong_blocks) {
                break;
            }
            let detail = format!(
                "A module takes arguments, and no blocks of type \"{}\". Write an argument with an equals sign.",
                block.block_type()
            );
            let place = Place::new(block.source(), block.type_span());
            call.wrong_blocks.push(place.error("module.call.block", "Unsupported block type", detail));
        }
    }

    /// Reads the blocks whose types have a meaning, or had one, and gives `enabled` of the `lifecycle` block. An
    /// override file can't set it, as in OpenTofu.
    fn blocks_of_call(&mut self, content: &Content) -> Option<ConfigExpression> {
        let is_lifecycle =
            |block: &&ContentBlock| block.block_type() == "lifecycle" && self.release.has_enabled();
        let lifecycles: Vec<ContentBlock> = content.blocks.iter().filter(is_lifecycle).cloned().collect();
        let has_enabled = self.release.has_enabled();
        for block in &content.blocks {
            let block_type = block.block_type();
            if block_type == "_" || (block_type == "lifecycle" && has_enabled) {
                continue;
            }
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let detail =
                format!("Blocks of type \"{block_type}\" in a module call are kept for later releases.");
            let place = Place::new(block.source(), block.type_span());
            self.diagnostics.push(place.error(
                "module.call.block",
                "Reserved block type name in module block",
                detail,
            ));
        }
        self.reserved_blocks(content, "module", &[]);
        self.refuse_second(&lifecycles, "Duplicate lifecycle block");
        let first = lifecycles.first()?;
        let (inner, problems) =
            self.evaluation.content(&first.body(), &BodySchema::default().attribute("enabled"));
        self.diagnostics.extend(problems);
        inner.expression("enabled").filter(|_| self.role == Role::Primary)
    }
}

/// An attribute as an argument.
fn argument(attribute: &ContentAttribute) -> Argument {
    Argument {
        name: attribute.name().to_owned(),
        expression: attribute.expression(),
        name_place: Place::of_name(attribute),
        place: Place::of_attribute(attribute),
    }
}

/// `source = "x"`
pub(crate) fn no_address(address: &str, place: &Place) -> Diagnostic {
    let detail = format!(
        "\"{address}\" is no address of a module. The path of a folder begins with ./ or ../, an address of a registry \
         is NAMESPACE/NAME/PROVIDER."
    );
    place.error("module.source.address", "Invalid module source address", detail)
}

/// `source = "./x"` with `version`
pub(crate) fn no_registry(address: &str, place: &Place) -> Diagnostic {
    let detail = format!(
        "\"{address}\" is no address of a registry, and only modules of registries have versions. Remove the argument \
         \"version\"."
    );
    place.error("module.source.address", "Invalid registry module source address", detail)
}
