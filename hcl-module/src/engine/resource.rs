//! Resources, checks and imports: nothing of them has a value here, but what they say can be looked at.
//!
//! A console evaluates nothing of these blocks; validation evaluates every expression once, with unknown keys.
//! Schemas of providers are not known, so a block is held against one only if its type comes with the products
//! themselves (`terraform_data`, `terraform_remote_state`).

use hcl_eval::Value;
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::source::Span;

use super::expansion::{count, for_each};
use super::expression::Place as At;
use super::prepare::{Repeated, part};
use super::{Engine, Outcome, State, Walk};
use crate::declare::{Mode, Resource, Rule};
use crate::place::Place;
use crate::reference::{known_attributes, unknown_type};
use crate::tree::{NodeId, NodeKind};

impl Engine<'_> {
    /// A resource: as a console has it before a plan, nothing of it is evaluated, unless a plan is asked for.
    pub(super) fn resource(&mut self, module: usize, at: usize, node: NodeId) -> Outcome {
        if self.walk == Walk::Console && self.tree().plans {
            return self.plan(module, at, node);
        }
        let mut diagnostics = Diagnostics::new();
        if self.walk == Walk::Validate
            && let Some((_, resource)) = self.tree().modules[module].config.resources.get_index(at)
        {
            self.check_resource(module, resource, &mut diagnostics);
        }
        Outcome { state: State::Good, diagnostics, ..Outcome::default() }
    }

    /// Validates a block: its type, what repeats it, its body, its conditions and the blocks that are not the
    /// provider's.
    fn check_resource(&mut self, module: usize, resource: &Resource, diagnostics: &mut Diagnostics) {
        if let Some((title, detail)) = unknown_type(resource) {
            diagnostics.push(resource.place.error("module.resource", title, detail));
            return;
        }
        self.check_repetition(module, resource, diagnostics);
        let repeated = Repeated::by(&resource.repetition);
        self.check_body(module, resource, repeated, diagnostics);
        for rule in &resource.rules {
            let repeated = Repeated { has_self: rule.is_postcondition, ..repeated };
            let n_before = diagnostics.len();
            self.check_rules(module, std::slice::from_ref(rule), repeated, diagnostics);
            let unknown: Vec<_> = diagnostics[n_before..].iter().filter_map(unknown_self).collect();
            diagnostics.extend(unknown);
        }
        for block in &resource.inner {
            self.check_inner(module, block, Repeated { has_self: true, ..repeated }, diagnostics);
        }
    }

    /// The value of an expression of a module, as far as it is known beforehand; none if it is in error.
    fn looked_at(
        &mut self,
        module: usize,
        expression: &ConfigExpression,
        repeated: Repeated,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let part = part(self.tree(), module, expression, repeated, &self.looks());
        let (value, problems) = self.value(&part, At::plain(module, 0));
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        (!failed).then_some(value)
    }

    /// Validates `count` or `for_each`, which may be unknown.
    fn check_repetition(&mut self, module: usize, resource: &Resource, diagnostics: &mut Diagnostics) {
        let repetition = &resource.repetition;
        if let Some(expression) = &repetition.count
            && let Some(value) = self.looked_at(module, expression, Repeated::default(), diagnostics)
        {
            diagnostics.extend(count(&value, self.tree().release, self.walk, &Place::of(expression)).err());
        } else if let Some(expression) = &repetition.for_each
            && let Some(value) = self.looked_at(module, expression, Repeated::default(), diagnostics)
        {
            let is_tofu = self.tree().release.is_tofu();
            diagnostics.extend(for_each(&value, self.walk, is_tofu, &Place::of(expression)).err());
        }
    }

    /// Checks the body for the provider. The type that comes with the products is known, others are looked at as they
    /// are.
    ///
    /// References come first, then `for_each` of dynamic blocks, the schema, and the values. The order is that of the
    /// products, which leave out the later steps where a reference is wrong.
    fn check_body(
        &mut self,
        module: usize,
        resource: &Resource,
        repeated: Repeated,
        diagnostics: &mut Diagnostics,
    ) {
        let contents: Vec<_> = resource.bodies.iter().rev().map(|body| body.everything()).collect();
        let attributes: Vec<&ContentAttribute> =
            contents.iter().flat_map(|content| content.attributes.iter()).collect();
        let blocks: Vec<&ContentBlock> = contents.iter().flat_map(|content| &content.blocks).collect();
        let n_before = diagnostics.len();
        for attribute in &attributes {
            diagnostics
                .extend(part(self.tree(), module, &attribute.expression(), repeated, &self.looks()).problems);
        }
        let known = known_attributes(resource.mode, &resource.resource_type);
        for block in blocks.iter().filter(|block| block.block_type() == "dynamic") {
            if known.is_some() {
                diagnostics.push(wrong_block(block, block.label(0).map(|label| label.span)));
            }
            if let Some(attribute) = block.body().everything().attributes.get("for_each") {
                self.looked_at(module, &attribute.expression(), repeated, diagnostics);
            }
        }
        // Where a reference is wrong the products do not go on to the schema.
        if diagnostics.len() > n_before
            && diagnostics[n_before..].iter().any(|one| one.code.starts_with("module.reference."))
        {
            return;
        }
        if let Some(known) = known {
            check_ignored(resource, known, diagnostics);
            check_schema(resource, known, &attributes, &blocks, diagnostics);
        }
        for attribute in attributes {
            let expression = attribute.expression();
            let Some(value) = self.looked_at(module, &expression, repeated, diagnostics) else { continue };
            let is_kept = known.is_some() && resource.mode == Mode::Managed;
            if is_kept && value.marks_deep().contains_name("ephemeral") {
                let detail = "The value is ephemeral, and resources keep what they are given.".to_owned();
                let place = Place::of(&expression);
                diagnostics.push(place.error("module.resource", "Invalid use of ephemeral value", detail));
            }
        }
        for block in blocks.iter().filter(|block| known.is_none() && block.block_type() != "dynamic") {
            self.check_inner(module, block, repeated, diagnostics);
        }
    }

    /// The expressions of a block and of the blocks in it, but for those in `dynamic` blocks.
    fn check_inner(
        &mut self,
        module: usize,
        block: &ContentBlock,
        repeated: Repeated,
        diagnostics: &mut Diagnostics,
    ) {
        let mut open = vec![block.body()];
        while let Some(body) = open.pop() {
            let content = body.everything();
            for attribute in content.attributes.iter() {
                let name = attribute.name();
                // Their values are keywords of provisioners, not references.
                if matches!(name, "when" | "on_failure") {
                    continue;
                }
                self.looked_at(module, &attribute.expression(), repeated, diagnostics);
            }
            let inner = content.blocks.iter().filter(|block| block.block_type() != "dynamic");
            open.extend(inner.map(ContentBlock::body));
        }
    }

    /// Evaluates conditions and messages for the errors in them. A condition that is false is none.
    fn check_rules(
        &mut self,
        module: usize,
        rules: &[Rule],
        repeated: Repeated,
        diagnostics: &mut Diagnostics,
    ) {
        for rule in rules {
            self.looked_at(module, &rule.condition, repeated, diagnostics);
            self.looked_at(module, &rule.message, repeated, diagnostics);
        }
    }

    /// Reports problems with `check` and `import` blocks of all modules whose instances are in order.
    pub(crate) fn blocks_without_values(&mut self) -> Diagnostics {
        let tree = self.tree();
        let mut diagnostics = Diagnostics::new();
        for module in 0..tree.modules.len() {
            let node = tree.node(module, NodeKind::Instances);
            if self.outcome(node).state != State::Good {
                continue;
            }
            let config = &tree.modules[module].config;
            for check in config.checks.values() {
                self.check_rules(module, &check.rules, Repeated::default(), &mut diagnostics);
            }
            let repeated = Repeated { has_each: true, ..Repeated::default() };
            for expression in config.unread.iter().flat_map(|unread| &unread.expressions) {
                if self.evaluation.stopped() {
                    break;
                }
                self.looked_at(module, expression, repeated, &mut diagnostics);
            }
        }
        diagnostics
    }
}

/// The products evaluate conditions of resources even if a reference in them is wrong, and tell of `self` twice.
fn unknown_self(problem: &Diagnostic) -> Option<Diagnostic> {
    let is_self = problem.code == "module.reference.self";
    let detail = "There is no value \"self\" here.".to_owned();
    is_self.then(|| Diagnostic {
        code: "eval.unknown_variable".into(),
        summary: "Unknown variable".into(),
        detail,
        ..problem.clone()
    })
}

/// Reports names in `ignore_changes` that are no attributes of the type.
fn check_ignored(resource: &Resource, known: &[&str], diagnostics: &mut Diagnostics) {
    let list = resource.ignore_changes.as_ref().and_then(ConfigExpression::static_list).unwrap_or_default();
    for element in list {
        let name = element.keyword().or_else(|| {
            let syntax = element.static_traversal()?;
            match syntax.expression().kind() {
                ExpressionKind::Traversal(traversal) => Some(traversal.root().to_owned()),
                _ => None,
            }
        });
        if let Some(name) = name.filter(|name| !known.contains(&name.as_str())) {
            let detail = format!("{} has no attribute \"{name}\".", resource.address());
            let place = Place::of(&element);
            diagnostics.push(place.error(
                "module.reference.resource_attribute",
                "Unsupported attribute",
                detail,
            ));
        }
    }
}

/// Holds a block against the attributes of its type.
fn check_schema(
    resource: &Resource,
    known: &[&str],
    attributes: &[&ContentAttribute],
    blocks: &[&ContentBlock],
    diagnostics: &mut Diagnostics,
) {
    for attribute in attributes.iter().filter(|attribute| !known.contains(&attribute.name())) {
        let is_json = attribute.expression().is_json();
        let title = if is_json { "Extraneous JSON object property" } else { "Unsupported argument" };
        let detail = format!("{} has no argument \"{}\".", resource.address(), attribute.name());
        diagnostics.push(Place::of_name(attribute).error("module.resource", title, detail));
    }
    for block in blocks.iter().filter(|block| block.block_type() != "dynamic") {
        diagnostics.push(wrong_block(block, None));
    }
    let has = |name: &str| attributes.iter().any(|attribute| attribute.name() == name);
    if resource.mode == Mode::Managed && has("id") {
        let detail = format!("{} gets its identifier when it is made.", resource.address());
        diagnostics.push(Diagnostic::error("module.resource", "\"id\" attribute is read-only", detail));
    }
    if resource.mode == Mode::Data && !has("backend") {
        let detail = format!("{} needs the argument \"backend\".", resource.address());
        diagnostics.push(resource.place.error("module.resource", "Missing required argument", detail));
    }
}

/// The complaint about a block that the type does not have, at `at` or at the type of the block.
fn wrong_block(block: &ContentBlock, at: Option<Span>) -> Diagnostic {
    let detail = "The type of the resource has no blocks of this type.".to_owned();
    let place = Place::new(block.source(), at.unwrap_or_else(|| block.type_span()));
    place.error("module.resource", "Unsupported block type", detail)
}
