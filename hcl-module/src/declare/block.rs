//! What several kinds of blocks have in common: `count` and `for_each`, `depends_on`, `lifecycle`.

use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::{Reader, Rule, RuleOf};
use crate::place::Place;

/// How often a block stands for something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repetition {
    pub(crate) count: Option<ConfigExpression>,
    pub(crate) for_each: Option<ConfigExpression>,
    /// `enabled` of its `lifecycle` block.
    pub(crate) enabled: Option<ConfigExpression>,
}

impl Reader<'_> {
    /// `count` and `for_each`, of which there may be one.
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

    /// `depends_on`, which is a list of references.
    pub(super) fn depends_on(&mut self, content: &Content) -> Option<(ConfigExpression, Place)> {
        let attribute = content.attributes.get("depends_on")?;
        let expression = attribute.expression();
        for element in expression.static_list().unwrap_or_default() {
            let is_quoted =
                !element.is_json() && matches!(element.syntax().expression().kind(), ExpressionKind::Text(_));
            if is_quoted {
                self.diagnostics.push(quoted_reference(&Place::of(&element)));
            }
        }
        Some((expression, Place::of_name(attribute)))
    }

    /// The `lifecycle` blocks of a resource: `enabled`, and the rules.
    pub(super) fn lifecycle(&mut self, blocks: &[ContentBlock]) -> (Option<ConfigExpression>, Vec<Rule>) {
        let mut names =
            vec!["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];
        if self.release.has_enabled() {
            names.push("enabled");
        }
        let schema = names.into_iter().fold(BodySchema::default(), |schema, name| schema.attribute(name));
        let schema = schema.block("precondition", &[]).block("postcondition", &[]);
        let schema = if self.release.has_actions() { schema.block("action_trigger", &[]) } else { schema };
        let (mut enabled, mut rules) = (None, Vec::new());
        self.refuse_second(blocks, "Duplicate lifecycle block");
        for block in blocks.iter().take(1) {
            let (content, problems) = block.body().content(&schema);
            self.diagnostics.extend(problems);
            for element in
                content.expression("ignore_changes").and_then(|list| list.static_list()).unwrap_or_default()
            {
                if !element.is_json()
                    && matches!(element.syntax().expression().kind(), ExpressionKind::Text(_))
                {
                    self.diagnostics.push(quoted_reference(&Place::of(&element)));
                }
            }
            enabled = content.expression("enabled");
            for inner in &content.blocks {
                let of = match inner.block_type() {
                    "precondition" => RuleOf::Precondition,
                    "postcondition" => RuleOf::Postcondition,
                    _ => continue,
                };
                rules.extend(self.rule(inner, of));
            }
        }
        (enabled, rules)
    }

    /// Complains of all blocks but the first.
    pub(super) fn refuse_second(&mut self, blocks: &[ContentBlock], title: &str) {
        for block in blocks.iter().skip(1) {
            let detail = format!("There can be one block of type \"{}\" here.", block.block_type());
            self.diagnostics.push(Place::of_block(block).error("module.block", title.to_owned(), detail));
        }
    }
}

/// `depends_on = ["a.b"]`
fn quoted_reference(place: &Place) -> hcl_syntax::diagnostic::Diagnostic {
    let detail = "A reference is written without quotes.".to_owned();
    place.warning("module.quoted_reference", "Quoted references are deprecated", detail)
}
