//! The recorder of steps while an expression is evaluated.
//!
//! Steps lie in a vector in the order in which they were opened, each with the number behind its last part, so that
//! taking back an element is cutting the vector.

use hcl_syntax::ast::{ExprId, Expression};
use hcl_syntax::diagnostic::Diagnostic;

use super::tree::{Explanation, Problem};
use super::{ExplainOptions, MAX_DEPTH};
use crate::eval::Observer;
use crate::limits::Meter;
use crate::value::{Marks, Value};

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) what: What,
    /// The number behind its last part.
    pub(super) end: usize,
    /// The number of the step that it is part of.
    pub(super) around: usize,
    pub(super) value: Option<Value>,
    pub(super) problem: Option<Problem>,
    /// How many elements there were, if the step goes through some.
    pub(super) n_elements: usize,
}

/// The subject of a step.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// An expression.
    Expression {
        id: ExprId,
        /// It is a name that the expression around it binds.
        is_local: bool,
    },
    /// An element, with what it is bound to.
    Element { key: Option<Value>, element: Value },
}

/// Something open.
#[derive(Debug)]
struct Open {
    /// Its step, if it is kept.
    step: Option<usize>,
    /// How many elements of it have been kept.
    n_shown: usize,
    /// How many of the marks that hide what is bound are of things around it.
    n_marks: usize,
}

/// Keeps steps.
pub(super) struct Recorder {
    bounds: ExplainOptions,
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// The marks of everything that is gone through.
    marks: Vec<Marks>,
    hidden: usize,
    n_omitted: usize,
}

impl Recorder {
    pub(super) fn new(bounds: &ExplainOptions) -> Self {
        Self {
            bounds: ExplainOptions { max_depth: bounds.max_depth.min(MAX_DEPTH), ..*bounds },
            nodes: Vec::new(),
            open: Vec::new(),
            marks: Vec::new(),
            hidden: 0,
            n_omitted: 0,
        }
    }

    pub(super) fn finish(self, expression: Expression<'_>, has_places: bool) -> Explanation<'_> {
        Explanation { tree: expression.tree(), nodes: self.nodes, n_omitted: self.n_omitted, has_places }
    }

    fn push(&mut self, what: What, meter: &mut Meter) {
        let around = self.open.last().map_or(Some(0), |around| around.step);
        let is_kept = self.hidden == 0
            && self.nodes.len() < self.bounds.max_steps.max(1)
            && self.open.len() < self.bounds.max_depth.max(1)
            && around.is_some()
            && meter.hold_push(&self.nodes).is_ok();
        let step = is_kept.then_some(self.nodes.len());
        if let Some(around) = around.filter(|_| is_kept) {
            self.nodes.push(Node { what, end: 0, around, value: None, problem: None, n_elements: 0 });
        } else if self.hidden == 0 {
            self.n_omitted += 1;
        }
        self.open.push(Open { step, n_shown: 0, n_marks: self.marks.len() });
    }

    /// Ends what was opened last; gives its step.
    fn pop(&mut self) -> Option<&mut Node> {
        let closed = self.open.pop()?;
        self.marks.truncate(closed.n_marks);
        let end = self.nodes.len();
        let node = self.nodes.get_mut(closed.step?)?;
        node.end = end;
        Some(node)
    }

    /// A value with the marks of what it was taken from.
    fn veiled(&self, value: &Value) -> Value {
        self.marks.iter().fold(value.clone(), |value, marks| value.with_marks(marks))
    }
}

impl Observer for Recorder {
    fn depth(&self) -> usize {
        self.open.len()
    }

    fn open(&mut self, expression: Expression<'_>, is_local: bool, meter: &mut Meter) {
        self.push(What::Expression { id: expression.id(), is_local }, meter);
    }

    fn close(&mut self, value: &Value, diagnostics: &[Diagnostic]) {
        let is_kept = self.open.last().is_some_and(|open| open.step.is_some());
        let value = is_kept.then(|| self.veiled(value));
        if let Some(node) = self.pop() {
            node.value = value;
            node.problem = diagnostics.first().map(|first| Problem {
                summary: first.summary.clone().into_owned(),
                detail: first.detail.clone(),
            });
        }
    }

    fn abandon(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.pop();
        }
    }

    fn open_element(&mut self, key: Option<&Value>, element: &Value, marks: &Marks, meter: &mut Meter) {
        let around = self.open.last().and_then(|around| around.step);
        if let Some(node) = around.and_then(|step| self.nodes.get_mut(step)).filter(|_| self.hidden == 0) {
            node.n_elements += 1;
        }
        let [key, element] =
            [key, Some(element)].map(|value| value.map(|value| self.veiled(value).with_marks(marks)));
        self.push(What::Element { key, element: element.unwrap_or_else(Value::dynamic) }, meter);
        if !marks.is_empty() {
            self.marks.push(marks.clone());
        }
    }

    fn close_element(&mut self, is_good: bool) {
        let Some(closed) = self.open.last().map(|open| open.step) else { return };
        self.pop();
        let max_elements = self.bounds.max_elements;
        let Some(around) = self.open.last_mut() else { return };
        let limit = if is_good { max_elements } else { max_elements.saturating_mul(2) };
        if around.n_shown < limit {
            around.n_shown += 1;
        } else if let Some(step) = closed {
            self.nodes.truncate(step);
        }
    }

    fn hide(&mut self) {
        self.hidden += 1;
    }

    fn show(&mut self) {
        self.hidden = self.hidden.saturating_sub(1);
    }
}
