//! What reading a body with dynamic blocks gives.

use std::sync::Arc;

use hcl_syntax::config::{ConfigExpression, ContentAttribute, ContentLabel};
use hcl_syntax::diagnostic::{Diagnostics, NamedValue};
use hcl_syntax::source::{Range, Source, Span};
use indexmap::IndexMap;

use super::Body;
use super::iteration::Iteration;
use crate::eval::{Evaluation, Scope};
use crate::value::{Marks, Value};

/// The attributes and blocks that a schema asked for, dynamic blocks expanded.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The attributes by name, in the order of the text.
    pub attributes: IndexMap<String, Attribute>,
    /// The blocks of all types, in the order of the text.
    pub blocks: Vec<Block>,
}

/// What everything in a body has from the blocks around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Inherited {
    /// The iterators in scope.
    pub(super) iteration: Option<Arc<Iteration>>,
    /// The marks of the collections iterated over.
    pub(super) marks: Marks,
    /// Whether it stands for blocks of which nothing is known.
    pub(super) unknown: bool,
}

/// An attribute, with what it needs to be evaluated where it stands.
#[derive(Clone, Debug)]
pub struct Attribute {
    written: ContentAttribute,
    inherited: Inherited,
}

impl Attribute {
    pub(super) fn new(written: ContentAttribute, inherited: Inherited) -> Self {
        Self { written, inherited }
    }

    /// The attribute as it is written.
    pub fn written(&self) -> &ContentAttribute {
        &self.written
    }

    /// The expression as it is written; it may refer to iterators.
    pub fn expression(&self) -> &ConfigExpression {
        &self.written.expression
    }

    /// The value in `scope`, with the iterators of the dynamic blocks around it. Unknown in a block that
    /// stands for an unknown number of them.
    pub fn evaluate(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        let Inherited { marks, unknown, .. } = &self.inherited;
        if *unknown {
            return (Value::dynamic().with_marks(marks), Diagnostics::new());
        }
        let scope = self.scope_in(scope);
        let (value, diagnostics) = evaluation.evaluate(&self.written.expression, scope.as_deref());
        (value.with_marks(marks), diagnostics)
    }

    /// What the variables of the expression are, for a message about it. In a dynamic block it tells which
    /// element the message is about.
    pub(crate) fn values(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> Vec<NamedValue> {
        let scope = self.scope_in(scope);
        evaluation.values_in(&self.written.expression, scope.as_deref())
    }

    fn scope_in(&self, scope: Option<&Arc<Scope>>) -> Option<Arc<Scope>> {
        match &self.inherited.iteration {
            Some(iteration) => Some(iteration.scope(scope)),
            None => scope.cloned(),
        }
    }

    /// The variables that the expression refers to, iterators left out.
    pub fn variables(&self) -> Vec<ConfigExpression> {
        let mut variables = self.written.expression.variables();
        if let Some(iteration) = &self.inherited.iteration {
            variables.retain(|variable| !root_of(variable).is_some_and(|root| iteration.binds(&root)));
        }
        variables
    }
}

/// The name that a variable with its steps begins with.
pub(super) fn root_of(variable: &ConfigExpression) -> Option<String> {
    let syntax = variable.static_traversal()?;
    Some(syntax.expression().as_static_traversal()?.root.to_owned())
}

/// A block, written or generated.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block type.
    pub block_type: String,
    /// Where the type stands; of a generated block, the label of the dynamic block.
    pub type_span: Span,
    /// The labels, as many as the schema names; those of a generated block are where their expressions are.
    pub labels: Vec<ContentLabel>,
    /// What messages about the block as a whole point at; of a generated block, the dynamic block's header.
    pub definition_span: Span,
    /// The whole block; of a generated block, the whole dynamic block.
    pub span: Span,
    /// What the block contains.
    pub body: Body,
    /// What the spans are places in.
    pub source: Source,
}

impl Block {
    /// What messages about the block as a whole point at.
    pub fn definition_range(&self) -> Range {
        self.source.range(self.definition_span)
    }
}
