//! Reading a `dynamic` block and making blocks of it, one for each element of its `for_each`.
//!
//! A problem with the block itself leaves no blocks at all, and only the first is told where others would follow from
//! it. Labels are evaluated for each turn, and a turn whose label fails is left out. The content is left to the reader of
//! the blocks that are made.

use std::sync::{Arc, LazyLock};

use hcl_syntax::config::{ConfigBody, ConfigExpression, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::schema::{BlockSchema, BodySchema};

use super::content::{Block, Generated, GeneratedLabel, Inherited};
use super::error;
use super::expansion::Shared;
use super::iteration::{Iteration, LastScope};
use crate::Str;
use crate::convert::convert;
use crate::eval::{Evaluation, Scope};
use crate::types::Type;
use crate::value::string::normalize_charged;
use crate::value::{Kind, Mark, Value};

/// The arguments of a dynamic block for a block type without labels, where `labels` is refused.
static WITHOUT_LABELS: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::default().required_attribute("for_each").attribute("iterator").block("content", &[])
});
/// The arguments of a dynamic block for a block type with labels.
static WITH_LABELS: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::default()
        .required_attribute("for_each")
        .attribute("iterator")
        .required_attribute("labels")
        .block("content", &[])
});

/// A `dynamic` block that has been read and found good.
pub(super) struct Generator {
    for_each: ConfigExpression,
    /// The value of `for_each`, perhaps unknown or marked.
    collection: Value,
    iterator: Str,
    /// An expression for each label of the block type.
    labels: Vec<ConfigExpression>,
    content: ConfigBody,
}

/// The inputs for reading and running the dynamic blocks of one body.
pub(super) struct Surroundings<'s, 'a> {
    pub(super) expansion: &'s Shared,
    pub(super) inherited: &'s Inherited,
    pub(super) last: &'s LastScope,
    pub(super) evaluation: &'s mut Evaluation<'a>,
    pub(super) diagnostics: &'s mut Diagnostics,
}

impl Generator {
    /// Returns the content of each generated block.
    pub(super) fn content(&self) -> &ConfigBody {
        &self.content
    }

    /// The heritage of the block of the first turn, in a body with one of its own.
    pub(super) fn inherited(&self, surroundings: &Surroundings<'_, '_>) -> Inherited {
        Inherited { iteration: Some(Iteration::new(&self.iterator, &self.collection, surroundings)) }
    }
}

impl Surroundings<'_, '_> {
    /// Reads a block. What is wrong is reported, one thing at a time as far as one leads to another.
    pub(super) fn read(&mut self, block: &ContentBlock, schema: &BlockSchema) -> Option<Generator> {
        if !self.evaluation.may_report(self.diagnostics) {
            return None;
        }
        let body_schema = if schema.label_names.is_empty() { &WITHOUT_LABELS } else { &WITH_LABELS };
        let (content, complaints) = block.body().content(body_schema);
        let broken = has_errors(&complaints);
        self.diagnostics.extend(complaints);
        let for_each = content.expression("for_each").filter(|_| !broken)?;
        let iterator = self.iterator(content.expression("iterator"), &schema.block_type)?;
        let collection = self.collection(&for_each)?;
        let labels = self.labels(content.expression("labels"), schema)?;
        if let Some(second) = content.blocks.get(1) {
            return self.refuse(error::extraneous_content(second.source(), second.definition_span()));
        }
        let Some(first) = content.blocks.into_iter().next() else {
            return self.refuse(error::missing_content(block.body().missing_item()));
        };
        Some(Generator { for_each, collection, iterator, labels, content: first.body() })
    }

    /// Reports a problem, and gives nothing.
    fn refuse<T>(&mut self, problem: Diagnostic) -> Option<T> {
        self.diagnostics.push(problem);
        None
    }

    /// Refuses the value of an expression; what its variables are is told with it.
    fn refuse_value<T>(
        &mut self,
        problem: Diagnostic,
        about: &ConfigExpression,
        scope: Option<&Scope>,
    ) -> Option<T> {
        let values = self.evaluation.values_in(about, scope);
        self.refuse(Diagnostic { values, ..problem })
    }

    /// The name of the iterator: the block type unless it is given.
    fn iterator(&mut self, given: Option<ConfigExpression>, block_type: &str) -> Option<Str> {
        let Some(given) = given else { return Some(block_type.into()) };
        let Some(syntax) = given.static_traversal() else {
            return self.refuse(error::iterator_expression(&given));
        };
        let expression = syntax.expression();
        match (expression.as_keyword(), expression.as_static_traversal()) {
            (Some(name), _) => {
                let place = (syntax.tree().source(), expression.span());
                let named = self.evaluation.within(Some(place), |meter| normalize_charged(name, meter));
                named.map_err(|limit| self.diagnostics.extend(limit)).ok()
            }
            (None, traversal) => {
                // In JSON syntax the traversal is a text in quotes, which are left out.
                let span = traversal.map_or(expression.span(), |traversal| {
                    let end = traversal.steps.iter().last().map_or(traversal.root_span, |step| step.span);
                    traversal.root_span.to(end)
                });
                self.refuse(error::iterator_name(syntax.tree().source(), span))
            }
        }
    }

    /// The value of `for_each`, if it can be iterated over or is not known.
    fn collection(&mut self, for_each: &ConfigExpression) -> Option<Value> {
        let base = self.expansion.scope();
        let scope = match &self.inherited.iteration {
            Some(iteration) => Some(iteration.scope(base, self.evaluation)),
            None => base.map(Arc::clone),
        };
        let (value, complaints) = self.evaluation.evaluate(for_each, scope.as_deref());
        let failed = has_errors(&complaints) || self.evaluation.stopped();
        self.diagnostics.extend(complaints);
        if failed {
            return None;
        }
        let objections = self.expansion.complaints(&value, for_each);
        let refused = has_errors(&objections);
        self.diagnostics.extend(objections);
        let iterable = matches!(
            value.type_kind(),
            Some(Kind::List | Kind::Set | Kind::Map | Kind::Tuple | Kind::Object) | None
        );
        if refused {
            None
        } else if !iterable {
            self.refuse_value(error::for_each_type(&value.type_name(), for_each), for_each, scope.as_deref())
        } else if value.is_null() {
            self.refuse_value(error::null_for_each(for_each), for_each, scope.as_deref())
        } else {
            Some(value)
        }
    }

    /// The expressions of the labels, as many as the block type takes.
    fn labels(
        &mut self,
        given: Option<ConfigExpression>,
        schema: &BlockSchema,
    ) -> Option<Vec<ConfigExpression>> {
        let Some(given) = given else { return Some(Vec::new()) };
        let Some(labels) = given.static_list() else {
            return self.refuse(error::labels_expression(&given));
        };
        let n_wanted = schema.label_names.len();
        if let Some(surplus) = labels.get(n_wanted) {
            return self.refuse(error::extraneous_label(schema, surplus));
        }
        if labels.len() < n_wanted {
            return self.refuse(error::insufficient_labels(schema, labels.len(), &given));
        }
        Some(labels)
    }

    /// Makes the blocks of all turns. One for all if the collection is not known.
    pub(super) fn turns(&mut self, generator: &Generator, by: &Arc<Generated>, blocks: &mut Vec<Block>) {
        let Some(first) = &by.body.inherited().iteration else { return };
        let place = (generator.for_each.source(), generator.for_each.span());
        for turn in (0..first.n_turns()).map(|at| first.at(at)) {
            if let Err(limit) = self.evaluation.charge(1, first.bytes(), place) {
                self.diagnostics.extend(limit);
                break;
            }
            if let Some(labels) = self.labels_in(&turn, generator) {
                blocks.push(Block::generated(Arc::clone(by), turn, labels));
            } else if !self.evaluation.may_report(self.diagnostics) {
                break;
            }
        }
    }

    /// The texts of the labels in one turn, whose scope is made only if there are any.
    fn labels_in(&mut self, iteration: &Iteration, generator: &Generator) -> Option<Box<[GeneratedLabel]>> {
        if generator.labels.is_empty() {
            return Some(Box::default());
        }
        let scope = iteration.scope(self.expansion.scope(), self.evaluation);
        generator.labels.iter().map(|label| self.label(label, &scope)).collect()
    }

    /// The text of a label in one turn.
    fn label(&mut self, label: &ConfigExpression, scope: &Arc<Scope>) -> Option<GeneratedLabel> {
        let (value, complaints) = self.evaluation.evaluate(label, Some(scope));
        let failed = has_errors(&complaints) || self.evaluation.stopped();
        self.diagnostics.extend(complaints);
        if failed {
            return None;
        }
        let text = match convert(&value, &Type::String) {
            Ok(text) => text,
            Err(error) => {
                return self.refuse_value(error::label_type(&error.reason(), label), label, Some(scope));
            }
        };
        match (problem_of_label(&text, label), text.as_str()) {
            (Some(problem), _) => self.refuse_value(problem, label, Some(scope)),
            (None, text) => Some(GeneratedLabel { text: text?.into(), span: label.span() }),
        }
    }
}

/// The reason that a text can't be a label: it is null, unknown or marked.
fn problem_of_label(text: &Value, label: &ConfigExpression) -> Option<Diagnostic> {
    if text.is_null() {
        Some(error::null_label(label))
    } else if !text.is_known() {
        Some(error::unknown_label(label))
    } else if text.is_marked() {
        let names: Vec<&str> = text.marks().iter().map(Mark::name).collect();
        Some(error::marked_label(&names.join(", "), label))
    } else {
        None
    }
}
