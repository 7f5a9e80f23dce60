//! Arguments and blocks that several kinds of blocks share: `count` and `for_each`, `depends_on`, `lifecycle`.

use hcl_syntax::ast::{ExpressionKind, StepKind, variable_expressions_while};
use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::{Mode, Reader, Rule, RuleOf};
use crate::place::Place;
use crate::reference::first_attribute;

/// How often a block stands for something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repetition {
    pub(crate) count: Option<ConfigExpression>,
    pub(crate) for_each: Option<ConfigExpression>,
    /// `enabled` of its `lifecycle` block.
    pub(crate) enabled: Option<ConfigExpression>,
}

impl Repetition {
    /// The expression that says how often, of which there is one.
    pub(crate) fn expression(&self) -> Option<&ConfigExpression> {
        self.count.iter().chain(&self.for_each).chain(&self.enabled).next()
    }
}

/// The argument `depends_on`.
#[derive(Clone, Debug)]
pub(crate) struct DependsOn {
    /// The expressions, not all of which need be references.
    pub(crate) list: ConfigExpression,
    /// The place of the first reference among them.
    pub(crate) first: Option<Place>,
}

/// The arguments of a `lifecycle` block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifecycle {
    /// `enabled`, which only OpenTofu has.
    pub(crate) enabled: Option<ConfigExpression>,
    /// `ignore_changes`, as it is written: a list of attributes, or the word `all`.
    pub(crate) ignore_changes: Option<ConfigExpression>,
    /// Its preconditions and postconditions.
    pub(crate) rules: Vec<Rule>,
}

/// The references of a trigger of a replacement.
#[derive(Debug, Default)]
struct Trigger {
    n_resources: usize,
    /// How many refer to other things, which trigger nothing.
    n_others: usize,
    /// The root of a use of `count` or `each` for something else than a key.
    wrong_key: Option<String>,
    /// True if a reference has not the form of one.
    is_malformed: bool,
}

impl Reader<'_, '_> {
    /// Reads `count` and `for_each`, of which there may be one, and none beside `enabled`. Of `count` and `for_each`
    /// Terraform blames the second, OpenTofu the first.
    pub(super) fn repetition(&mut self, content: &Content, enabled: Option<ConfigExpression>) -> Repetition {
        let places = ["count", "for_each"].map(|name| content.attributes.get(name).map(Place::of_name));
        let starts = places.each_ref().map(|place| place.as_ref().map(|place| place.range().start.byte));
        let mut complain = |first: &str, second: &str, place: &Place| {
            let title = format!("Invalid combination of \"{first}\" and \"{second}\"");
            let detail = format!(
                "A block is repeated by \"{first}\" or by \"{second}\", not by both. Remove one of the two arguments."
            );
            self.diagnostics.push(place.error("module.repetition", title, detail));
        };
        if let [Some(count), Some(for_each)] = &places {
            let is_count_first = starts[0] < starts[1];
            let blamed = if is_count_first == self.release.is_tofu() { count } else { for_each };
            complain("count", "for_each", blamed);
        } else if enabled.is_some() {
            match &places {
                [Some(count), _] => complain("count", "enabled", count),
                [_, Some(for_each)] => complain("enabled", "for_each", for_each),
                _ => {}
            }
        }
        Repetition { count: content.expression("count"), for_each: content.expression("for_each"), enabled }
    }

    /// Reads `depends_on`, which is a list of references. An element in quotes is a reference nevertheless, with a warning.
    pub(super) fn depends_on(&mut self, content: &Content) -> Option<DependsOn> {
        let attribute = content.attributes.get("depends_on")?;
        let expression = attribute.expression();
        let Some(elements) = expression.static_list() else {
            self.diagnostics
                .push(no_reference(&Place::of_start(&expression), "A list of references is wanted here."));
            return None;
        };
        let mut first = None;
        for element in elements {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            match self.written(&element) {
                Some(written) => first = first.or_else(|| written.place_from(0)),
                None => {
                    self.diagnostics.push(no_reference(&Place::of(&element), "A reference is wanted here."));
                }
            }
        }
        Some(DependsOn { list: expression, first })
    }

    /// Reads the arguments of the `lifecycle` blocks of a resource, of which the first counts.
    pub(super) fn lifecycle(&mut self, blocks: &[ContentBlock], mode: Mode) -> Lifecycle {
        let names = ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];
        let enabled = self.release.has_enabled().then_some("enabled");
        let schema = names
            .into_iter()
            .chain(enabled)
            .fold(BodySchema::default(), |schema, name| schema.attribute(name));
        let schema = schema.block("precondition", &[]).block("postcondition", &[]);
        let schema = if self.release.has_actions() { schema.block("action_trigger", &[]) } else { schema };
        self.refuse_second(blocks, "Duplicate lifecycle block");
        let mut lifecycle = Lifecycle::default();
        let Some(block) = blocks.first() else { return lifecycle };
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        for attribute in
            content.attributes.iter().filter(|one| mode != Mode::Managed && one.name() != "enabled")
        {
            let title = format!("Invalid {} lifecycle argument", mode.noun());
            let detail = "What is only read is neither made nor destroyed.";
            self.complain(&Place::of_name(attribute), "module.lifecycle", &title, detail);
        }
        if mode == Mode::Managed {
            self.flag(&content, "create_before_destroy");
            if !self.release.prevents_by_expression() {
                self.flag(&content, "prevent_destroy");
            }
            self.triggers(&content);
        }
        lifecycle.ignore_changes = content.expression("ignore_changes");
        if let Some(ignored) = lifecycle.ignore_changes.as_ref().filter(|_| mode == Mode::Managed) {
            self.ignored(ignored);
        }
        lifecycle.enabled = content.expression("enabled");
        for inner in &content.blocks {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let of = match inner.block_type() {
                "precondition" => RuleOf::Precondition,
                "postcondition" => RuleOf::Postcondition,
                _ => continue,
            };
            lifecycle.rules.extend(self.rule(inner, of));
        }
        lifecycle
    }

    /// Checks `ignore_changes`: a list of attributes, or the word `all`.
    fn ignored(&mut self, ignored: &ConfigExpression) {
        let Some(elements) = ignored.static_list() else {
            if ignored.keyword().as_deref() != Some("all") {
                let detail = "A list of attributes is wanted here, or the keyword all.";
                self.diagnostics.push(no_reference(&Place::of_start(ignored), detail));
            }
            return;
        };
        let (mut wildcard, mut has_attributes) = (None, false);
        for element in elements {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            if matches!(element.syntax().expression().kind(), ExpressionKind::Text("*")) {
                let detail = "All attributes are ignored by ignore_changes = all.";
                let title = "Invalid ignore_changes wildcard";
                self.complain(&Place::of(ignored), "module.lifecycle", title, detail);
                wildcard = Some(Place::of(&element));
            } else if self.written(&element).is_some() {
                has_attributes = true;
            } else {
                self.diagnostics
                    .push(no_reference(&Place::of(&element), "The name of an attribute is wanted here."));
            }
        }
        if let Some(wildcard) = wildcard.filter(|_| has_attributes) {
            let detail = "All attributes are ignored, so none has to be named.";
            let title = "Invalid ignore_changes ruleset";
            self.complain(&wildcard, "module.lifecycle", title, detail);
        }
    }

    /// Reads the triggers of a replacement: expressions, each of which refers to a resource. The first that is wrong
    /// ends it.
    fn triggers(&mut self, content: &Content) {
        let Some(list) = content.expression("replace_triggered_by") else { return };
        let Some(elements) = list.static_list() else {
            let detail = "A list of resources and their attributes is wanted here.";
            self.diagnostics.push(no_reference(&Place::of_start(&list), detail));
            return;
        };
        let wrong = |place: &Place, title: &'static str| {
            let detail = "Only resources and their attributes trigger a replacement.".to_owned();
            place.error("module.lifecycle", title, detail)
        };
        for element in elements {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let Some(element) = self.bare(&element) else { return };
            let place = Place::of(&element);
            let n_told = self.diagnostics.len();
            let found = self.trigger(&element);
            for _ in 0..found.n_others {
                if !self.evaluation.may_report(self.diagnostics) {
                    return;
                }
                let title = "Invalid reference in replace_triggered_by expression";
                self.diagnostics.push(wrong(&place, title));
            }
            if let Some(root) = found.wrong_key {
                let title = format!("Invalid {root} reference in replace_triggered_by expression");
                let detail = "Keys of instances are count.index and each.key.";
                self.complain(&place, "module.lifecycle", &title, detail);
            }
            if found.is_malformed {
                let detail = "A resource is TYPE.NAME.";
                self.complain(&place, "module.reference.form", "Invalid reference", detail);
            } else if found.n_resources != 1 {
                self.diagnostics.push(wrong(&place, "Invalid replace_triggered_by expression"));
            }
            if self.diagnostics.len() > n_told {
                return;
            }
        }
    }

    /// The references of a trigger, up to the first that has not the form of one.
    fn trigger(&mut self, element: &ConfigExpression) -> Trigger {
        let mut found = Trigger::default();
        let syntax = element.syntax();
        let goes_on = |_| self.evaluation.bounds().next_item();
        for variable in variable_expressions_while(syntax.expression(), goes_on) {
            let ExpressionKind::Traversal(traversal) = variable.kind() else { continue };
            let name = first_attribute(traversal);
            match traversal.root() {
                "count" if name == Some("index") => {}
                "each" if name == Some("key") => {}
                root @ ("count" | "each") if name.is_some() => found.wrong_key = Some(root.to_owned()),
                "var" | "local" | "path" | "terraform" | "module" if name.is_some() => found.n_others += 1,
                "self" => found.n_others += 1,
                root => {
                    let n_names = if matches!(root, "data" | "ephemeral" | "resource") { 2 } else { 1 };
                    let names = traversal.steps().iter().take(n_names);
                    let names = names.filter(|step| matches!(step.kind, StepKind::Attribute(_)));
                    found.is_malformed = names.count() < n_names;
                    found.n_resources += 1;
                }
            }
            if found.is_malformed {
                break;
            }
        }
        found
    }

    /// Complains of blocks whose types are kept for later releases, and of a second block `_`.
    pub(super) fn reserved_blocks(&mut self, content: &Content, what: &str, reserved: &[&str]) {
        let escaping: Vec<ContentBlock> = content.blocks_of_type("_").cloned().collect();
        self.refuse_second(&escaping, "Duplicate escaping block");
        for inner in content.blocks.iter().filter(|inner| reserved.contains(&inner.block_type())) {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let detail = format!("Blocks of type \"{}\" are kept for later releases.", inner.block_type());
            let title = format!("Reserved block type name in {what} block");
            let place = Place::new(inner.source(), inner.type_span());
            self.complain(&place, "module.block", &title, &detail);
        }
    }

    /// Complains of all blocks but the first.
    pub(super) fn refuse_second(&mut self, blocks: &[ContentBlock], title: &str) {
        for block in blocks.iter().skip(1) {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            let detail = format!("There can be one block of type \"{}\" here.", block.block_type());
            self.complain(&Place::of_block(block), "module.block", title, &detail);
        }
    }
}

/// `depends_on = [1]`
fn no_reference(place: &Place, detail: &str) -> hcl_syntax::diagnostic::Diagnostic {
    place.error("module.reference.form", "Invalid expression", detail.to_owned())
}
