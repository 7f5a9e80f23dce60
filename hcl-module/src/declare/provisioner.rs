//! `provisioner` and `connection` blocks.
//!
//! Their arguments are for the provisioner and are read as they are. What runs when a resource is destroyed sees nothing
//! but the resource.

use hcl_syntax::ast::{ExpressionKind, variable_expressions_while};
use hcl_syntax::config::{ConfigBody, ConfigExpression, Content, ContentBlock};
use hcl_syntax::schema::BodySchema;

use super::Reader;
use crate::place::Place;
use crate::reference::first_attribute;

/// The provisioners that a block may have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Provisioners {
    /// All kinds.
    All,
    /// Those that run when the resource is destroyed.
    OfDestruction,
    /// Neither provisioners nor connections: the block is not about a resource as a whole.
    None,
}

impl Reader<'_, '_> {
    /// Reads the `provisioner` and `connection` blocks among the contents of a block.
    pub(super) fn provisioners(&mut self, content: &Content, allowed: Provisioners) {
        let connections: Vec<ContentBlock> = content.blocks_of_type("connection").cloned().collect();
        match allowed {
            Provisioners::None => {
                for block in &connections {
                    if !self.evaluation.may_report(self.diagnostics) {
                        return;
                    }
                    let detail = "Only the removal of a resource as a whole has a connection.";
                    let title = "Invalid connection block";
                    self.complain(&Place::of_block(block), "module.provisioner", title, detail);
                }
            }
            _ => self.refuse_second(&connections, "Duplicate connection block"),
        }
        let mut has_of_destruction = false;
        for block in content.blocks_of_type("provisioner") {
            if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
            has_of_destruction |= self.provisioner(block, allowed);
        }
        let connection = connections.first().filter(|_| has_of_destruction && allowed == Provisioners::All);
        if let Some(connection) = connection {
            self.only_own_references(&connection.body());
        }
    }

    /// Reads a provisioner. True if it runs when the resource is destroyed.
    fn provisioner(&mut self, block: &ContentBlock, allowed: Provisioners) -> bool {
        let place = Place::of_block(block);
        let schema = ["_", "connection", "lifecycle"]
            .into_iter()
            .fold(BodySchema::default().attribute("when").attribute("on_failure"), |schema, name| {
                schema.block(name, &[])
            });
        let (content, rest, problems) = self.evaluation.partial_content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        if let Some(label) = block.label(0)
            && ["chef", "habitat", "puppet", "salt-masterless"].contains(&label.text)
        {
            let title = format!("The \"{}\" provisioner has been removed", label.text);
            let detail = "The products have no provisioner of this type any more.";
            self.complain(&Place::of_label(block, label), "module.provisioner", &title, detail);
            return false;
        }
        let when = content.expression("when");
        let is_of_destruction = when
            .as_ref()
            .is_some_and(|when| self.word(when, "when", ["create", "destroy"]) == Some("destroy"));
        if let Some(on_failure) = content.expression("on_failure") {
            self.word(&on_failure, "on_failure", ["continue", "fail"]);
        }
        if allowed == Provisioners::None || (allowed == Provisioners::OfDestruction && !is_of_destruction) {
            let detail = "A removed block has provisioners of resources that are destroyed: when = destroy.";
            self.complain(&place, "module.provisioner", "Invalid provisioner block", detail);
        }
        let own: Vec<ContentBlock> = content.blocks_of_type("connection").cloned().collect();
        self.refuse_second(&own, "Duplicate connection block");
        self.reserved_blocks(&content, "provisioner", &["lifecycle"]);
        if is_of_destruction && allowed != Provisioners::None {
            self.only_own_references(&rest);
            if let Some(connection) = own.first() {
                self.only_own_references(&connection.body());
            }
        }
        is_of_destruction
    }

    /// The word that an argument is, one of two; complains if it is another. In quotes it is one as well, with a
    /// warning.
    fn word(
        &mut self,
        expression: &ConfigExpression,
        argument: &str,
        words: [&'static str; 2],
    ) -> Option<&'static str> {
        let place = Place::of(expression);
        let syntax = expression.syntax();
        let written = match syntax.expression().kind() {
            ExpressionKind::Text(text) if !expression.is_json() => {
                let detail = "A keyword is written without quotes.".to_owned();
                let title = "Quoted keywords are deprecated";
                self.diagnostics.push(place.warning("module.quoted_reference", title, detail));
                self.quoted_word(expression, text)
            }
            _ => expression.keyword(),
        };
        let word = words.into_iter().find(|word| written.as_deref() == Some(word));
        if word.is_none() {
            let title = format!("Invalid \"{argument}\" keyword");
            let detail = format!("The argument \"{argument}\" is {} or {}.", words[0], words[1]);
            self.complain(&place, "module.provisioner", &title, &detail);
        }
        word
    }

    /// Complains of references to other things than the resource itself, since these may be gone when it is
    /// destroyed.
    fn only_own_references(&mut self, body: &ConfigBody) {
        let (attributes, _) = self.evaluation.just_attributes(body);
        let is_tofu = self.release.is_tofu();
        for attribute in &attributes {
            let expression = attribute.expression();
            let syntax = expression.syntax();
            let goes_on = |_| self.evaluation.bounds().next_item();
            let others = variable_expressions_while(syntax.expression(), goes_on).filter(|variable| {
                let ExpressionKind::Traversal(traversal) = variable.kind() else { return false };
                match traversal.root() {
                    "self" | "count" | "path" | "terraform" => false,
                    "each" => first_attribute(traversal) != Some("key"),
                    "tofu" => !is_tofu,
                    _ => true,
                }
            });
            for _ in 0..others.count() {
                if !self.evaluation.may_report(self.diagnostics) {
                    return;
                }
                let detail = "A provisioner that runs when its resource is destroyed may refer to self, count.index and \
                              each.key.";
                let title = "Invalid reference from destroy provisioner";
                self.complain(&Place::of(&expression), "module.provisioner", title, detail);
            }
        }
    }
}
