//! Compiling: names to slots, functions and bindings; literals to values; constant parts to their value.

use hcl_syntax::ast::{
    Call, ExprId, Expression, ExpressionKind, ForExpression, ObjectItems, ObjectRules, StepKind, Steps,
    Traversal,
};
use hcl_syntax::ast::{Visit, Walk};
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
    pub(super) needs: Vec<usize>,
    pub(super) diagnostics: Diagnostics,
}

/// A chain of operations that is no longer than this is evaluated by recursion.
const SHORT_CHAIN: u8 = 16;

/// What is known of an expression when that which uses it is looked at.
#[derive(Copy, Clone)]
struct Folded {
    constant: bool,
    /// How many operations (or conditionals) follow each other down to this one.
    chain: u8,
}

/// A binding around the expression at hand.
#[derive(Copy, Clone)]
enum Binding<'t> {
    For(ForExpression<'t>),
    Item,
}

struct Compiler<'t, 's> {
    scope: &'s Scope,
    notes: Notes,
    needs: Vec<usize>,
    diagnostics: Diagnostics,
    bindings: Vec<Binding<'t>>,
    deep_names: DeepNames,
    /// Keys of objects that are references without parentheses: never evaluated. By place in the table of notes, empty
    /// without such a key.
    ambiguous: Vec<bool>,
    /// Expressions numbered below this are arguments of a lazy function, which may mean to fail.
    lazy_below: usize,
    max_diagnostics: usize,
}

/// Prepares an expression.
pub(super) fn compile(expression: Expression<'_>, scope: &Scope, options: &CompileOptions) -> Compiled {
    let visits: Visits<'_> = Walk::new(expression).collect();
    let mut compiler = Compiler {
        scope,
        notes: Notes::default(),
        needs: Vec::new(),
        diagnostics: Vec::new(),
        bindings: Vec::new(),
        deep_names: DeepNames::default(),
        ambiguous: Vec::new(),
        lazy_below: 0,
        max_diagnostics: options.limits.max_diagnostics as usize,
    };
    compiler.notes.first = first_number(&visits);
    compiler.notes.list = vec![Note::Plain; expression.id().index() + 1 - compiler.notes.first];
    for visit in &visits {
        compiler.visit(*visit);
    }
    compiler.fold(&visits, options);
    sort(&mut compiler.needs);
    compiler.needs.dedup();
    Compiled { notes: compiler.notes, needs: compiler.needs, diagnostics: compiler.diagnostics }
}

/// All stops on the way through an expression; mostly a few.
type Visits<'t> = SmallVec<[Visit<'t>; 24]>;

/// The lowest number of an expression among the visits, keys of steps included: these are numbered right before the
/// expression that they belong to.
fn first_number(visits: &[Visit<'_>]) -> usize {
    let expressions = visits.iter().filter_map(|visit| match visit {
        Visit::Expression(expression) => Some(*expression),
        _ => None,
    });
    let first = expressions.min_by_key(|expression| expression.id());
    first.map_or(0, |first| {
        let steps = match first.kind() {
            ExpressionKind::Traversal(traversal) => Some(traversal.steps()),
            _ => None,
        };
        let lowest = steps.into_iter().flat_map(keys).map(Expression::id).min();
        lowest.unwrap_or(first.id()).index()
    })
}

/// The literal keys of steps.
fn keys(steps: Steps<'_>) -> impl Iterator<Item = Expression<'_>> {
    steps.iter().filter_map(|step| match step.kind {
        StepKind::Index(key) => Some(key),
        _ => None,
    })
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

    fn expression(&mut self, expression: Expression<'t>) {
        let kind = expression.kind();
        match kind {
            ExpressionKind::Traversal(traversal) => {
                let at = self.at(expression);
                if !self.ambiguous.get(at).is_some_and(|is_ambiguous| *is_ambiguous) {
                    self.traversal(expression, traversal);
                }
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                self.steps(steps);
                if matches!(source.kind(), ExpressionKind::SplatItem) {
                    let path = self.path(steps, 0);
                    self.set(expression, Note::Item(path));
                }
            }
            ExpressionKind::SplatItem => self.set(expression, Note::Item(PathId::default())),
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::Object(items) => self.object(expression, items),
            _ => {
                if let Some(value) = literal_of(kind) {
                    self.set_constant(expression, value);
                }
            }
        }
    }

    /// The place of an expression in the table of notes.
    fn at(&self, expression: Expression<'_>) -> usize {
        expression.id().index() - self.notes.first
    }

    fn set(&mut self, expression: Expression<'_>, note: Note) {
        let at = self.at(expression);
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

    fn steps(&mut self, steps: Steps<'t>) {
        for key in keys(steps) {
            if let Some(value) = literal_value(key) {
                self.set_constant(key, value);
            }
        }
    }

    /// Makes a path of steps but the first `skip` of them.
    fn path(&mut self, steps: Steps<'t>, skip: usize) -> PathId {
        if steps.len() == skip {
            return PathId::default();
        }
        let path = steps.iter().skip(skip).map(|step| {
            let value = match step.kind {
                StepKind::Attribute(name) => Some(Value::string(name)),
                StepKind::Index(key) => literal_value(key),
                _ => None,
            };
            match value {
                Some(Value(Repr::String(name))) => PathStep::Name(Probe::new(name)),
                Some(key) => PathStep::Key(key),
                None => PathStep::Other,
            }
        });
        let first = self.notes.steps.len();
        self.notes.steps.extend(path);
        PathId { first: index(first), len: index(steps.len() - skip) }
    }

    fn traversal(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        let steps = traversal.steps();
        self.steps(steps);
        let root = traversal.root();
        if let Some((hops, part)) = self.bound(root) {
            // Names farther out than can be counted are looked up.
            if let Ok(hops) = u16::try_from(hops) {
                let path = self.path(steps, 0);
                self.set(expression, Note::Local { hops, part, path });
            }
            return;
        }
        let name = self.scope.name(root);
        let slot = name.and_then(|name| slot_of(name, steps));
        match (slot, name.and_then(|name| name.constant.as_ref())) {
            (Some((slot, skip)), constant) => {
                self.needs.push(slot as usize);
                // With a constant to fall back on, the choice is left to the evaluation.
                if constant.is_none() {
                    let path = self.path(steps, skip);
                    self.set(expression, Note::Slot { slot, path });
                }
            }
            (None, Some(constant)) => {
                let constant = self.add_constant(constant.clone());
                let path = self.path(steps, 0);
                self.set(expression, Note::Root { constant, path });
            }
            (None, None) if self.is_reported(expression) => self.report_name(expression, traversal),
            (None, None) => {}
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

    fn call(&mut self, expression: Expression<'t>, call: Call<'t>) {
        if let Some(function) = self.scope.function(call.name()) {
            if function.is_lazy() {
                self.lazy_below = self.lazy_below.max(expression.id().index());
            }
            self.notes.functions.push(function.clone());
            return self.set(expression, Note::Function(index(self.notes.functions.len() - 1)));
        }
        if !self.is_reported(expression) {
            return;
        }
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
        expression.id().index() >= self.lazy_below && self.diagnostics.len() < self.max_diagnostics
    }

    fn object(&mut self, expression: Expression<'t>, items: ObjectItems<'t>) {
        if items.rules() == ObjectRules::Json {
            return;
        }
        let mut names: Vec<Str> = Vec::with_capacity(items.len());
        for item in items.iter() {
            match (item.key_name(), item.key.kind()) {
                (Some(name), _) => names.push(Str::new(name)),
                (None, ExpressionKind::Text(text)) => {
                    names.extend(Value::string(text).as_text().cloned());
                }
                _ if item.key.as_static_traversal().is_some() => {
                    self.ambiguous.resize(self.notes.list.len(), false);
                    let at = self.at(item.key);
                    self.ambiguous[at] = true;
                }
                _ => {}
            }
        }
        if names.len() < items.len() {
            return;
        }
        let shape = Shape::new(names.iter().cloned());
        let positions: Option<Vec<u32>> = names
            .into_iter()
            .map(|name| shape.position(Value::string(name).as_str().unwrap_or_default()).map(index))
            .collect();
        let Some(positions) = positions else { return };
        self.notes.layouts.push(Layout { shape, positions });
        self.set(expression, Note::Layout(index(self.notes.layouts.len() - 1)));
    }

    /// Goes from the inside out: evaluates what is made of constants only, and notes the operands of the rest.
    /// What does not succeed stays as it is.
    fn fold(&mut self, visits: &[Visit<'t>], options: &CompileOptions) {
        let mut meter = None;
        // In reverse order operands come before what uses them: for each finished operand there is an entry,
        // the first operand's the last.
        let mut operands: SmallVec<[Folded; 24]> = SmallVec::new();
        for visit in visits.iter().rev() {
            let Visit::Expression(expression) = *visit else { continue };
            let kind = expression.kind();
            let first = operands.len().saturating_sub(n_operands(kind));
            let foldable = operands[first..].iter().all(|operand| operand.constant);
            let (leftmost, rightmost) = (operands.last().copied(), operands.get(first).copied());
            operands.truncate(first);
            if foldable
                && self.is_candidate(expression, kind)
                && self.fold_one(expression, &mut meter, options)
            {
                operands.push(Folded { constant: true, chain: 0 });
                continue;
            }
            let chain = match kind {
                ExpressionKind::Binary { .. } => leftmost,
                ExpressionKind::Conditional { .. } => rightmost,
                _ => None,
            };
            let chain = chain.map_or(0, |operand| operand.chain.saturating_add(1));
            if chain <= SHORT_CHAIN {
                self.note_operands(expression, kind);
            }
            operands.push(Folded { constant: false, chain });
        }
    }

    /// Notes the operands of what is evaluated often and has few.
    #[inline]
    fn note_operands(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) {
        let note = match kind {
            ExpressionKind::Binary { operator, left, right } => {
                Note::Binary { operator, left: self.meant(left), right: self.meant(right) }
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => Note::Conditional {
                condition: condition.id(),
                when_true: when_true.id(),
                when_false: when_false.id(),
            },
            ExpressionKind::Parentheses(inner) => Note::Same(self.meant(inner)),
            ExpressionKind::Interpolation(inner) if !self.scope.leaves_unknown_interpolations() => {
                Note::Same(self.meant(inner))
            }
            _ => return,
        };
        self.set(expression, note);
    }

    /// The expression that one means: what is within parentheses.
    fn meant(&self, expression: Expression<'t>) -> ExprId {
        match self.notes.of(expression) {
            Note::Same(inner) => *inner,
            _ => expression.id(),
        }
    }

    /// Whether an expression may be evaluated ahead of time if its operands are constant.
    #[inline]
    fn is_candidate(&self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> bool {
        match (kind, self.notes.of(expression)) {
            (ExpressionKind::Call(_), Note::Function(index)) => {
                let function = &self.notes.functions[*index as usize];
                function.is_pure() && !function.is_lazy()
            }
            (ExpressionKind::Traversal(_), note) => matches!(note, Note::Root { .. }),
            (
                ExpressionKind::Call(_)
                | ExpressionKind::For(_)
                | ExpressionKind::TemplateFor(_)
                | ExpressionKind::Splat(_)
                | ExpressionKind::SplatItem
                | ExpressionKind::Invalid
                | ExpressionKind::Unfinished(_),
                _,
            ) => false,
            _ => true,
        }
    }

    /// Whether an expression whose operands are all constant is now constant itself.
    fn fold_one(
        &mut self,
        expression: Expression<'t>,
        meter: &mut Option<Meter>,
        options: &CompileOptions,
    ) -> bool {
        if matches!(self.notes.of(expression), Note::Constant(_)) {
            return true;
        }
        let meter = meter.get_or_insert_with(|| Meter::new(options.limits.clone()));
        let surroundings =
            Surroundings { scope: Some(self.scope), notes: Some(&self.notes), ..Surroundings::default() };
        let folded = Evaluator::new(surroundings, meter).quietly(expression);
        if let Some(value) = folded {
            self.set_constant(expression, value);
            return true;
        }
        false
    }
}

/// How many operands of an expression are visited.
#[inline]
fn n_operands(kind: ExpressionKind<'_>) -> usize {
    match kind {
        ExpressionKind::Template(list) | ExpressionKind::Tuple(list) => list.len(),
        ExpressionKind::Object(items) => {
            items.iter().map(|item| 1 + usize::from(item.key_name().is_none())).sum()
        }
        ExpressionKind::Call(call) => call.arguments().len(),
        ExpressionKind::For(names) => {
            2 + usize::from(names.key().is_some()) + usize::from(names.condition().is_some())
        }
        ExpressionKind::Interpolation(_)
        | ExpressionKind::Parentheses(_)
        | ExpressionKind::TemplateFor(_)
        | ExpressionKind::Unary { .. }
        | ExpressionKind::RelativeTraversal { .. } => 1,
        ExpressionKind::Index { .. } | ExpressionKind::Splat(_) | ExpressionKind::Binary { .. } => 2,
        ExpressionKind::Conditional { .. } => 3,
        _ => 0,
    }
}
