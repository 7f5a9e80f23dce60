//! Directives of templates: which are open, and what becomes of them.
//!
//! An open directive remembers where its parts begin in the list that all levels share. When it ends, these parts
//! become one expression: a conditional of two strings, or a `for` whose results are joined.

use super::error::Directive;
use super::for_expr::ForNames;
use super::state::Scratch;
use crate::ast::{ExprId, Lists, NewFor};
use crate::source::Span;

/// A directive that waits for its end.
#[derive(Copy, Clone)]
pub(super) struct OpenDirective {
    pub(super) kind: OpenKind,
    /// The opening marker as a whole.
    pub(super) at: Span,
    /// Its parts in the list of expressions, or those of the branch at hand.
    first_part: usize,
}

/// The kinds of directives that wait for an end.
#[derive(Copy, Clone)]
pub(super) enum OpenKind {
    /// `if`, in its first branch.
    If { condition: ExprId },
    /// `if`, in its second branch.
    Else { condition: ExprId, when_true: ExprId },
    /// `for`, in its only branch.
    For { names: ForNames, collection: ExprId },
}

/// The effect of `else`, `endif` or `endfor` on the innermost directive.
pub(super) enum Continued {
    /// Its other branch begins.
    Branch,
    /// It has ended, and is this expression.
    Ended(ExprId),
    /// Nothing: that is not what continues it.
    Mismatched(OpenDirective),
    /// Nothing: none is open.
    Orphan,
}

impl OpenDirective {
    /// The word that opened it.
    pub(super) fn directive(&self) -> Directive {
        match self.kind {
            OpenKind::If { .. } | OpenKind::Else { .. } => Directive::If,
            OpenKind::For { .. } => Directive::For,
        }
    }
}

impl Scratch {
    /// Opens a directive behind the parts that are there.
    pub(super) fn open_directive(&mut self, kind: OpenKind, at: Span) {
        let first_part = self.expressions.len();
        self.template.directives.push(OpenDirective { kind, at, first_part });
    }

    /// Gives the directive at `at` to the innermost of those from `first` on.
    pub(super) fn continue_directive(
        &mut self,
        tree: &mut Lists,
        first: usize,
        directive: Directive,
        at: Span,
    ) -> Continued {
        let Some(&open) = self.template.directives.get(first..).and_then(<[_]>::last) else {
            return Continued::Orphan;
        };
        let node = match (open.kind, directive) {
            (OpenKind::If { condition }, Directive::Else) => {
                let when_true = self.branch(tree, open.first_part, open.at.at_end());
                if let Some(innermost) = self.template.directives.last_mut() {
                    innermost.kind = OpenKind::Else { condition, when_true };
                }
                return Continued::Branch;
            }
            (OpenKind::If { condition }, Directive::EndIf) => {
                let when_true = self.branch(tree, open.first_part, open.at.at_end());
                let when_false = tree.text(Span::empty_at(at.start));
                tree.conditional(open.at.to(at), [condition, when_true, when_false])
            }
            (OpenKind::Else { condition, when_true }, Directive::EndIf) => {
                let when_false = self.branch(tree, open.first_part, Span::empty_at(at.start));
                tree.conditional(open.at.to(at), [condition, when_true, when_false])
            }
            (OpenKind::For { names, collection }, Directive::EndFor) => {
                self.joined_for(tree, &open, names, collection, at)
            }
            _ => return Continued::Mismatched(open),
        };
        self.close_directive();
        Continued::Ended(node)
    }

    /// Ends the innermost directive; what is left of its parts goes.
    pub(super) fn close_directive(&mut self) {
        if let Some(open) = self.template.directives.pop() {
            self.expressions.truncate(open.first_part);
        }
    }

    /// The parts of a branch as one string; an empty one stands at `empty_at`.
    fn branch(&mut self, tree: &mut Lists, first_part: usize, empty_at: Span) -> ExprId {
        let node = match self.expressions[first_part..] {
            [] => tree.text(empty_at),
            [part] if tree.is_text(part) => part,
            [first, ..] => {
                let parts = &self.expressions[first_part..];
                let last = parts.last().copied().unwrap_or(first);
                let span = tree.span_of(first).to(tree.span_of(last));
                tree.template(span, parts)
            }
        };
        self.expressions.truncate(first_part);
        node
    }

    /// The expression of a `for` directive: a `for` expression without keys, whose results are joined to one string.
    fn joined_for(
        &mut self,
        tree: &mut Lists,
        open: &OpenDirective,
        names: ForNames,
        collection: ExprId,
        end: Span,
    ) -> ExprId {
        let value = self.branch(tree, open.first_part, open.at.at_end());
        let span = open.at.to(end);
        let inner = tree.for_expression(
            span,
            &NewFor {
                key_name: names.key,
                value_name: names.value,
                collection,
                key: None,
                value,
                condition: None,
                grouping: false,
                open: open.at,
                close: end,
            },
        );
        tree.template_for(span, inner)
    }
}
