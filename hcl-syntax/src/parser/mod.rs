//! The grammar: tokens to tree. Parsing never fails to return.

use std::sync::Arc;

use crate::ast::{Body, BodyId, ExprId, Expression, Tree};
use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// Bounds on one parse.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ParseLimits {
    /// How deep brackets, blocks, templates and operators may nest. Chains such as `a + b + c` do not.
    pub max_depth: u32,
    /// How many diagnostics are kept; one more then says how many were left out.
    pub max_diagnostics: u32,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_depth: 1000, max_diagnostics: 1000 }
    }
}

/// A parsed configuration file.
#[derive(Debug)]
pub struct File {
    tree: Tree,
    body: BodyId,
}

impl File {
    /// The body of the file.
    pub fn body(&self) -> Body<'_> {
        self.tree.body_at(self.body)
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text the file was made from.
    pub fn source(&self) -> &Arc<Source> {
        self.tree.source()
    }
}

/// A parsed expression that stands alone, with the tree it is in.
#[derive(Debug)]
pub struct ParsedExpression {
    tree: Tree,
    root: ExprId,
}

impl ParsedExpression {
    /// The expression.
    pub fn expression(&self) -> Expression<'_> {
        self.tree.expression(self.root)
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// Reads a configuration file. What could be understood is in the file, also when there are errors.
pub fn parse_file(source: Arc<Source>, _limits: &ParseLimits) -> (File, Diagnostics) {
    let mut tree = Tree::new(source);
    let body = tree.body(crate::source::Span::default(), &[], &[]);
    (File { tree, body }, Diagnostics::new())
}

/// Reads one expression that makes up the whole text.
pub fn parse_expression(source: Arc<Source>, _limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let mut tree = Tree::new(source);
    let root = tree.invalid(crate::source::Span::default());
    (ParsedExpression { tree, root }, Diagnostics::new())
}

/// Reads a bare template that makes up the whole text; make the source with [`Grammar::Template`](crate::source::Grammar::Template).
pub fn parse_template(source: Arc<Source>, _limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let mut tree = Tree::new(source);
    let root = tree.invalid(crate::source::Span::default());
    (ParsedExpression { tree, root }, Diagnostics::new())
}
