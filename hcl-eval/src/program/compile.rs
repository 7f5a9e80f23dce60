//! Compiling: names to slots, functions and bindings; literals to values; constant parts to their value.

use std::collections::HashSet;
use std::sync::Arc;

use hcl_syntax::ast::{
    Call, ExprId, Expression, ExpressionKind, ForExpression, ObjectItems, ObjectRules, StepKind, Steps,
    Traversal, Visit,
};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use smallvec::SmallVec;

use super::CompileOptions;
use super::notes::{Layout, Note, Notes, PathId, PathStep};
use crate::Str;
use crate::eval::{
    DeepNames, Evaluator, FEW, Part, Problem, Scope, Surroundings, literal_of, literal_value, part_of,
    problem_of_function, problem_of_name, slot_of,
};
use crate::limits::Meter;
use crate::sorting::sort;
use crate::value::shape::Probe;
use crate::value::{Repr, Shape, Value};

/// What compiling gives.
pub(super) struct Compiled {
    pub(super) notes: Notes,
    pub(super) needs: Needs,
    pub(super) diagnostics: Diagnostics,
}

/// Slots; mostly a few.
pub(super) type Needs = SmallVec<[usize; 2]>;

/// A chain of operations that is no longer than this is evaluated by recursion.
const SHORT_CHAIN: u8 = 16;

/// Expressions numbered below this get their table of notes at once.
const SMALL: usize = 64;

/// What is known of an expression when that which uses it is looked at.
#[derive(Copy, Clone)]
struct Folded {
    constant: bool,
    /// How many operations (or conditionals) follow each other down to this one.
    chain: u8,
}

impl Folded {
    const CONSTANT: Folded = Folded { constant: true, chain: 0 };
    const VARYING: Folded = Folded { constant: false, chain: 0 };

    /// A leaf.
    fn leaf(constant: bool) -> Folded {
        if constant { Folded::CONSTANT } else { Folded::VARYING }
    }
}

/// What matters of an expression once all within it has been looked at.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    /// Never constant.
    Varying,
    /// Constant if its operands are.
    Foldable,
    /// The same, and it means what its operand means.
    Same,
    /// Like `Foldable`; operations nest to the left.
    Binary,
    /// Like `Foldable`; conditionals nest to the right.
    Conditional,
}

/// What is still to be done.
enum Task<'t> {
    Visit(Visit<'t>),
    /// What follows the first `n_before` finished operands are those of this expression.
    Finish {
        expression: Expression<'t>,
        n_before: u32,
        form: Form,
    },
}

/// A binding around the expression at hand.
#[derive(Copy, Clone)]
enum Binding<'t> {
    For(ForExpression<'t>),
    Item,
}

struct Compiler<'t, 's> {
    scope: &'s Scope,
    options: &'s CompileOptions,
    tasks: SmallVec<[Task<'t>; 24]>,
    /// Of expressions that are finished and not yet used.
    folded: SmallVec<[Folded; 24]>,
    notes: Notes,
    needs: Needs,
    diagnostics: Diagnostics,
    bindings: Vec<Binding<'t>>,
    deep_names: DeepNames,
    /// Keys of objects that are references without parentheses: never evaluated.
    ambiguous: Option<HashSet<ExprId>>,
    /// Expressions numbered below this are arguments of a lazy function, which may mean to fail.
    lazy_below: usize,
    /// Made when there is something to evaluate.
    meter: Option<Meter>,
}

/// Prepares an expression.
pub(super) fn compile(expression: Expression<'_>, scope: &Scope, options: &CompileOptions) -> Compiled {
    let last = expression.id().index();
    let n_first = if last < SMALL { last + 1 } else { 0 };
    let mut compiler = Compiler {
        scope,
        options,
        tasks: SmallVec::new(),
        folded: SmallVec::new(),
        notes: Notes { last, list: vec![Note::Plain; n_first], ..Notes::default() },
        needs: Needs::new(),
        diagnostics: Vec::new(),
        bindings: Vec::new(),
        deep_names: DeepNames::default(),
        ambiguous: None,
        lazy_below: 0,
        meter: None,
    };
    compiler.expression(expression);
    while let Some(task) = compiler.tasks.pop() {
        match task {
            Task::Visit(visit) => compiler.visit(visit),
            Task::Finish { expression, n_before, form } => compiler.finish(expression, n_before, form),
        }
    }
    let Compiler { notes, mut needs, diagnostics, .. } = compiler;
    sort(&mut needs);
    needs.dedup();
    Compiled { notes, needs, diagnostics }
}

/// A position in a table of notes; there are fewer of them than expressions.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl<'t> Compiler<'t, '_> {
    fn visit(&mut self, visit: Visit<'t>) {
        match visit {
            Visit::Expression(expression) => self.expression(expression),
            Visit::EnterFor(names) => {
                self.deep_names.enter(names, index(self.bindings.len()));
                self.bindings.push(Binding::For(names));
            }
            Visit::EnterSplat => self.bindings.push(Binding::Item),
            Visit::LeaveFor | Visit::LeaveSplat => {
                if let Some(Binding::For(names)) = self.bindings.pop() {
                    self.deep_names.leave(names, index(self.bindings.len()));
                }
            }
        }
    }

    /// Notes what can be told of an expression without its operands, and puts these on the list of tasks.
    fn expression(&mut self, expression: Expression<'t>) {
        let kind = expression.kind();
        let form = match kind {
            ExpressionKind::Traversal(traversal) => {
                let constant = self.variable(expression, traversal);
                return self.folded.push(Folded::leaf(constant));
            }
            ExpressionKind::SplatItem => {
                self.set(expression, Note::Item(PathId::default()));
                return self.folded.push(Folded::VARYING);
            }
            ExpressionKind::Invalid | ExpressionKind::Unfinished(_) => {
                return self.folded.push(Folded::VARYING);
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.set(expression, Note::Binary { operator, left: left.id(), right: right.id() });
                Form::Binary
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                let [condition, when_true, when_false] =
                    [condition, when_true, when_false].map(Expression::id);
                self.set(expression, Note::Conditional { condition, when_true, when_false });
                Form::Conditional
            }
            ExpressionKind::Parentheses(inner) => {
                self.set(expression, Note::Same(inner.id()));
                Form::Same
            }
            ExpressionKind::Interpolation(inner) if !self.scope.leaves_unknown_interpolations() => {
                self.set(expression, Note::Same(inner.id()));
                Form::Same
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                let is_item = matches!(source.kind(), ExpressionKind::SplatItem);
                let path = self.path(steps, if is_item { 0 } else { steps.len() });
                if is_item {
                    self.set(expression, Note::Item(path));
                }
                Form::Foldable
            }
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::Object(items) => {
                self.object(expression, items);
                Form::Foldable
            }
            ExpressionKind::For(_) | ExpressionKind::TemplateFor(_) | ExpressionKind::Splat(_) => {
                Form::Varying
            }
            _ => {
                if let Some(value) = literal_of(kind) {
                    self.set_constant(expression, value);
                    return self.folded.push(Folded::CONSTANT);
                }
                Form::Foldable
            }
        };
        let n_before = index(self.folded.len());
        self.tasks.push(Task::Finish { expression, n_before, form });
        kind.stops_within(|stop| self.tasks.push(Task::Visit(stop)));
    }

    fn set(&mut self, expression: Expression<'_>, note: Note) {
        // Operands are numbered before what uses them.
        let Some(at) = self.notes.last.checked_sub(expression.id().index()) else { return };
        if at >= self.notes.list.len() {
            self.notes.list.resize(at + 1, Note::Plain);
        }
        self.notes.list[at] = note;
    }

    fn add_constant(&mut self, value: Value) -> u32 {
        self.notes.constants.push(value);
        index(self.notes.constants.len() - 1)
    }

    fn set_constant(&mut self, expression: Expression<'_>, value: Value) {
        let constant = self.add_constant(value);
        self.set(expression, Note::Constant(constant));
    }

    /// Notes the keys of all steps, and makes a path of the steps but the first `skip` of them.
    fn path(&mut self, steps: Steps<'t>, skip: usize) -> PathId {
        let first = self.notes.steps.len();
        for (position, step) in steps.iter().enumerate() {
            let value = match step.kind {
                StepKind::Attribute(_) if position < skip => continue,
                StepKind::Attribute(name) => Some(Value::string(name)),
                StepKind::Index(key) => {
                    let value = literal_value(key);
                    if let Some(value) = &value {
                        self.set_constant(key, value.clone());
                    }
                    value
                }
                StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => None,
            };
            if position >= skip {
                self.notes.steps.push(match value {
                    Some(Value(Repr::String(name))) => PathStep::Name(Probe::new(name)),
                    Some(key) => PathStep::Key(key),
                    None => PathStep::Other,
                });
            }
        }
        let len = self.notes.steps.len() - first;
        if len == 0 { PathId::default() } else { PathId { first: index(first), len: index(len) } }
    }

    /// Whether a variable is a constant now.
    fn variable(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) -> bool {
        let is_ambiguous = self.ambiguous.as_ref().is_some_and(|keys| keys.contains(&expression.id()));
        if !is_ambiguous {
            self.traversal(expression, traversal);
        }
        // A constant of the scope with its steps.
        matches!(self.notes.of(expression), Note::Root { .. }) && self.fold(expression)
    }

    fn traversal(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        let steps = traversal.steps();
        let root = traversal.root();
        if let Some((hops, part)) = self.bound(root) {
            let path = self.path(steps, 0);
            // Names farther out than can be counted are looked up.
            if let Ok(hops) = u16::try_from(hops) {
                self.set(expression, Note::Local { hops, part, path });
            }
            return;
        }
        let name = self.scope.name(root);
        let slot = name.and_then(|name| slot_of(name, steps));
        match (slot, name.and_then(|name| name.constant.as_ref())) {
            (Some((slot, skip)), constant) => {
                let slot_index = slot as usize;
                if self.needs.last() != Some(&slot_index) {
                    self.needs.push(slot_index);
                }
                let path = self.path(steps, skip);
                // With a constant to fall back on, the choice is left to the evaluation.
                if constant.is_none() {
                    self.set(expression, Note::Slot { slot, path });
                }
            }
            (None, Some(constant)) => {
                let constant = self.add_constant(constant.clone());
                let path = self.path(steps, 0);
                self.set(expression, Note::Root { constant, path });
            }
            (None, None) => {
                self.path(steps, steps.len());
                if self.is_reported(expression) {
                    self.report_name(expression, traversal);
                }
            }
        }
    }

    /// How many bindings out a name is bound, and to what.
    fn bound(&self, name: &str) -> Option<(usize, Part)> {
        let n = self.bindings.len();
        let innermost = index(n).checked_sub(1)?;
        // Beyond some depth it is known where names are bound; what is not there is bound farther out.
        let skipped = match self.deep_names.innermost(name, innermost) {
            Some(depth) => innermost - depth,
            None => index(n).saturating_sub(FEW),
        };
        let skipped = skipped as usize;
        self.bindings.iter().rev().enumerate().skip(skipped).find_map(|(hops, binding)| match binding {
            Binding::For(names) => part_of(*names, name).map(|part| (hops, part)),
            Binding::Item => None,
        })
    }

    #[cold]
    fn report_name(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        if self.scope.leaves_unknown_interpolations() && self.scope.name(traversal.root()).is_none() {
            // In a template it will be left alone; elsewhere evaluation reports it.
            return;
        }
        let names = || {
            self.bindings.iter().rev().filter_map(|binding| match binding {
                Binding::For(names) => Some(*names),
                Binding::Item => None,
            })
        };
        let known = names().flat_map(|names| names.key_name().into_iter().chain([names.value_name()]));
        let problem = problem_of_name(Some(self.scope), traversal, names().next().is_some(), known);
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem;
        let diagnostic = Diagnostic::error(code, summary, detail).at(source, traversal.root_span());
        self.diagnostics.push(diagnostic);
    }

    fn call(&mut self, expression: Expression<'t>, call: Call<'t>) -> Form {
        if let Some(function) = self.scope.function(call.name()) {
            if function.is_lazy() {
                self.lazy_below = self.lazy_below.max(expression.id().index());
            }
            self.notes.functions.push(Arc::clone(function));
            self.set(expression, Note::Function(index(self.notes.functions.len() - 1)));
            return if function.is_pure() && !function.is_lazy() { Form::Foldable } else { Form::Varying };
        }
        if self.is_reported(expression) {
            self.report_function(expression, call);
        }
        Form::Varying
    }

    #[cold]
    fn report_function(&mut self, expression: Expression<'t>, call: Call<'t>) {
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem_of_function(Some(self.scope), call.name());
        let diagnostic = Diagnostic::error(code, summary, detail);
        let diagnostic = if self.scope.has_functions() {
            diagnostic.at(source, call.name_span()).within(source, expression.span())
        } else {
            diagnostic.at(source, expression.span())
        };
        self.diagnostics.push(diagnostic);
    }

    /// Whether a problem with this expression is told, and not left to the evaluation.
    fn is_reported(&self, expression: Expression<'_>) -> bool {
        let most = self.options.limits.max_diagnostics as usize;
        expression.id().index() >= self.lazy_below && self.diagnostics.len() < most
    }

    fn object(&mut self, expression: Expression<'t>, items: ObjectItems<'t>) {
        if items.rules() == ObjectRules::Json {
            return;
        }
        let mut names: SmallVec<[Str; 8]> = SmallVec::with_capacity(items.len());
        for item in items.iter() {
            let name = item.key_name().or_else(|| match item.key.kind() {
                ExpressionKind::Text(text) => Some(text),
                _ => None,
            });
            if let Some(name) = name {
                names.extend(Value::string(name).as_text().cloned());
            } else if item.key.as_static_traversal().is_some() {
                self.ambiguous.get_or_insert_default().insert(item.key.id());
            }
        }
        if names.len() < items.len() {
            return;
        }
        let shape = Shape::new(names.iter().cloned());
        let mut positions = Vec::with_capacity(names.len());
        positions.extend(names.iter().filter_map(|name| shape.position(name).map(index)));
        if positions.len() < names.len() {
            return;
        }
        self.notes.layouts.push(Layout { shape, positions });
        self.set(expression, Note::Layout(index(self.notes.layouts.len() - 1)));
    }

    /// Looks at an expression whose operands are finished: evaluates it if it is made of constants only. What does not
    /// succeed stays as it is.
    fn finish(&mut self, expression: Expression<'t>, n_before: u32, form: Form) {
        let operands = &self.folded[n_before as usize..];
        let chain = match form {
            Form::Binary => operands.first(),
            Form::Conditional => operands.last(),
            Form::Varying | Form::Foldable | Form::Same => None,
        };
        let chain = chain.map_or(0, |operand| operand.chain.saturating_add(1));
        let foldable = form != Form::Varying && operands.iter().all(|operand| operand.constant);
        self.folded.truncate(n_before as usize);
        if foldable && self.fold(expression) {
            return self.folded.push(Folded::CONSTANT);
        }
        match form {
            // Evaluation goes through it without recursion.
            Form::Binary | Form::Conditional if chain > SHORT_CHAIN => self.set(expression, Note::Plain),
            Form::Binary | Form::Same => self.skip_parentheses(expression),
            Form::Varying | Form::Foldable | Form::Conditional => {}
        }
        self.folded.push(Folded { constant: false, chain });
    }

    /// Notes the operands that are meant where there are parentheses.
    fn skip_parentheses(&mut self, expression: Expression<'t>) {
        let meant = |id: ExprId| match self.notes.of(expression.tree().expression(id)) {
            Note::Same(inner) => *inner,
            _ => id,
        };
        let note = match *self.notes.of(expression) {
            Note::Binary { operator, left, right } => {
                Note::Binary { operator, left: meant(left), right: meant(right) }
            }
            Note::Same(inner) => Note::Same(meant(inner)),
            _ => return,
        };
        self.set(expression, note);
    }

    /// Whether an expression whose operands are all constant is now constant itself.
    fn fold(&mut self, expression: Expression<'t>) -> bool {
        let meter = self.meter.get_or_insert_with(|| Meter::new(self.options.limits.clone()));
        let surroundings =
            Surroundings { scope: Some(self.scope), notes: Some(&self.notes), ..Surroundings::default() };
        let folded = Evaluator::new(surroundings, meter).quietly(expression);
        let is_constant = folded.is_some();
        if let Some(value) = folded {
            self.set_constant(expression, value);
        }
        is_constant
    }
}
