//! Compiling: names to slots, functions and bindings; literals to values; constant parts to their value.

mod names;

use std::ops::ControlFlow;
use std::sync::Arc;

use hcl_syntax::ast::{
    BinaryOperator, Call, ExprId, Expression, ExpressionKind, ExpressionList, ForExpression, ObjectItem,
    ObjectItems, ObjectRules, Steps, Tree,
};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use smallvec::SmallVec;

use super::CompileOptions;
use super::notes::{Known, Layout, Note, Notes, PathId};
use crate::Str;
use crate::eval::{
    DeepNames, Evaluator, Problem, RED_ZONE, SEGMENT, Scope, Surroundings, plain_result, problem_of_function,
};
use crate::limits::Meter;
use crate::value::assembly::push_literal;
use crate::value::string::normalized;
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

/// How many notes there is room for at once.
const MOST_AT_FIRST: usize = 256;

/// For how many constants, steps and the like there is room at first, at most.
const MOST_ROOM: usize = 16;

/// How many levels of expressions lie between two looks at the stack.
const LEVELS_PER_LOOK: u32 = 16;

/// What is known of an expression when that which uses it is looked at.
#[derive(Copy, Clone)]
struct Folded {
    constant: bool,
    /// How many operations (or conditionals) follow each other down to this one.
    chain: u8,
    /// The expression, or the one in its parentheses.
    meant: ExprId,
}

impl Folded {
    /// One that is no link of a chain.
    #[inline]
    fn alone(expression: Expression<'_>, constant: bool) -> Self {
        Self { constant, chain: 0, meant: expression.id() }
    }
}

/// What matters of an expression once all within it has been looked at.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    /// Never constant.
    Varying,
    /// The same; its last operand is evaluated for each item.
    Splat,
    /// Constant if its operands are.
    Foldable,
    /// The same, and it means what its operand means.
    Same,
    /// Like `Foldable`; operations nest to the left.
    Binary(BinaryOperator),
    /// Like `Foldable`; conditionals nest to the right.
    Conditional,
}

/// An expression of which one operand is being looked at: the one where chains without end nest.
#[derive(Copy, Clone)]
struct Open {
    whole: ExprId,
    /// The operand that follows.
    rest: Option<ExprId>,
    form: Form,
    /// Whether the operands before are constant.
    constant: bool,
}

/// A binding around the expression at hand.
#[derive(Copy, Clone)]
enum Binding<'t> {
    For(ForExpression<'t>),
    Item,
}

struct Compiler<'t, 's> {
    tree: &'t Tree,
    scope: &'s Scope,
    options: &'s CompileOptions,
    /// Of all levels.
    open: SmallVec<[Open; 8]>,
    /// For how many of what notes refer to there is room at first.
    room: usize,
    /// How deep expressions nest here, chains aside.
    level: u32,
    notes: Notes,
    needs: Needs,
    diagnostics: Diagnostics,
    bindings: SmallVec<[Binding<'t>; 2]>,
    deep_names: DeepNames,
    /// Expressions numbered below this are arguments of a lazy function, which may mean to fail.
    lazy_below: usize,
    /// Made when there is something to evaluate.
    meter: Option<Meter>,
}

/// Prepares an expression.
pub(super) fn compile(expression: Expression<'_>, scope: &Scope, options: &CompileOptions) -> Compiled {
    let last = expression.id().index();
    // How many notes there will be is not known, but hardly one for every other character.
    let length = expression.span().len() as usize;
    let (n_expected, room) = match expression.is_leaf() {
        true => (1, 1),
        false => (length / 3 + 2, (length / 2 + 1).min(6).max((length / 5).min(MOST_ROOM))),
    };
    let n_first = (last + 1).min(n_expected).min(MOST_AT_FIRST);
    let mut compiler = Compiler {
        tree: expression.tree(),
        scope,
        options,
        open: SmallVec::new(),
        room,
        level: 0,
        notes: Notes { last, list: vec![Note::Plain; n_first], ..Notes::default() },
        needs: Needs::new(),
        diagnostics: Vec::new(),
        bindings: SmallVec::new(),
        deep_names: DeepNames::default(),
        lazy_below: 0,
        meter: None,
    };
    compiler.expression(expression);
    let Compiler { notes, mut needs, diagnostics, .. } = compiler;
    names::tidy(&mut needs);
    Compiled { notes, needs, diagnostics }
}

/// A position in a table of notes; there are fewer of them than expressions.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Makes room for so many more where there is none: then for `room` at least, and for as many as there are.
#[inline]
fn make_room<T>(list: &mut Vec<T>, n_more: usize, room: usize) {
    if list.capacity() - list.len() < n_more {
        list.reserve_exact(n_more.max(room).max(list.len()));
    }
}

fn is_literal(expression: Expression<'_>) -> bool {
    expression.literal().is_some()
}

fn is_literal_item(item: ObjectItem<'_>) -> bool {
    is_literal(item.value) && (item.key_name().is_some() || is_literal(item.key))
}

impl<'t> Compiler<'t, '_> {
    /// Looks at an expression and all within it.
    fn expression(&mut self, expression: Expression<'t>) -> Folded {
        let kind = expression.kind();
        if let Some(folded) = self.leaf(expression, kind) {
            return folded;
        }
        self.level += 1;
        let folded = if self.level.is_multiple_of(LEVELS_PER_LOOK) {
            stacker::maybe_grow(RED_ZONE, SEGMENT, || self.chain(expression, kind))
        } else {
            self.chain(expression, kind)
        };
        self.level -= 1;
        folded
    }

    /// Looks at an expression without operands.
    #[inline(always)]
    fn leaf(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Option<Folded> {
        let constant = match kind {
            ExpressionKind::Traversal(traversal) => self.variable(expression, traversal),
            ExpressionKind::SplatItem => {
                self.set(expression, Note::Item(PathId::default()));
                false
            }
            ExpressionKind::Invalid | ExpressionKind::Unfinished(_) => false,
            ExpressionKind::Text(_)
            | ExpressionKind::Number(_)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Null => self.literal(expression),
            _ => return None,
        };
        Some(Folded::alone(expression, constant))
    }

    #[inline(never)]
    fn literal(&mut self, expression: Expression<'t>) -> bool {
        let Some(literal) = expression.literal() else { return false };
        make_room(&mut self.notes.known, 1, self.room);
        push_literal(&mut self.notes.known, literal, Known::Value);
        self.set(expression, Note::Constant(index(self.notes.known.len() - 1)));
        true
    }

    /// Looks at an expression, at the operand that a chain goes on with, and so on to the end of the chain; then, from there
    /// back, at the other operands.
    fn chain(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Folded {
        let n_outside = self.open.len();
        let mut folded = self.descend(expression, kind);
        while self.open.len() > n_outside
            && let Some(open) = self.open.pop()
        {
            folded = if open.form == Form::Splat { self.leave_splat(open) } else { self.leave(open, folded) };
        }
        folded
    }

    /// Goes to the end of a chain.
    #[inline]
    fn descend(&mut self, mut expression: Expression<'t>, mut kind: ExpressionKind<'t>) -> Folded {
        loop {
            match self.enter(expression, kind) {
                ControlFlow::Continue(operand) => expression = operand,
                ControlFlow::Break(folded) => return folded,
            }
            kind = expression.kind();
            if let Some(folded) = self.leaf(expression, kind) {
                return folded;
            }
        }
    }

    /// Gives the operand that a chain goes on with, or looks at all operands of what is no link of one.
    #[inline]
    fn enter(
        &mut self,
        expression: Expression<'t>,
        kind: ExpressionKind<'t>,
    ) -> ControlFlow<Folded, Expression<'t>> {
        let (form, operand, rest) = match kind {
            ExpressionKind::Binary { operator, left, right } => (Form::Binary(operator), left, Some(right)),
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                return ControlFlow::Continue(
                    self.conditional(expression, [condition, when_true, when_false]),
                );
            }
            ExpressionKind::Parentheses(inner) => (Form::Same, inner, None),
            ExpressionKind::Interpolation(inner) if !self.scope.leaves_unknown_interpolations() => {
                (Form::Same, inner, None)
            }
            ExpressionKind::Interpolation(inner) | ExpressionKind::Unary { operand: inner, .. } => {
                (Form::Foldable, inner, None)
            }
            ExpressionKind::TemplateFor(inner) => (Form::Varying, inner, None),
            ExpressionKind::RelativeTraversal { source, steps } => {
                self.steps_after(expression, source, steps);
                (Form::Foldable, source, None)
            }
            ExpressionKind::Index { collection, key, .. } => (Form::Foldable, collection, Some(key)),
            ExpressionKind::Splat(splat) => (Form::Splat, splat.source, Some(splat.each)),
            _ => return ControlFlow::Break(self.nested(expression, kind)),
        };
        self.open.push(Open { whole: expression.id(), rest: rest.map(Expression::id), form, constant: true });
        ControlFlow::Continue(operand)
    }

    /// Looks at the operands of a conditional but the last, which is given back.
    fn conditional(&mut self, expression: Expression<'t>, operands: [Expression<'t>; 3]) -> Expression<'t> {
        let [condition, when_true, when_false] = operands.map(Expression::id);
        self.set(expression, Note::Conditional { condition, when_true, when_false });
        let [condition, when_true, when_false] = operands;
        let constant = self.expression(condition).constant & self.expression(when_true).constant;
        self.open.push(Open { whole: expression.id(), rest: None, form: Form::Conditional, constant });
        when_false
    }

    fn steps_after(&mut self, expression: Expression<'t>, source: Expression<'t>, steps: Steps<'t>) {
        let is_item = source.is_leaf() && matches!(source.kind(), ExpressionKind::SplatItem);
        let path = self.path(steps, if is_item { 0 } else { steps.len() });
        if is_item {
            self.set(expression, Note::Item(path));
        }
    }

    /// Looks at the operand that follows the one that has been looked at.
    #[inline]
    fn leave(&mut self, open: Open, operand: Folded) -> Folded {
        let whole = self.tree.expression(open.whole);
        let mut constant = open.constant & operand.constant;
        let Some(rest) = open.rest else {
            return self.finish(whole, open.form, Folded { constant, ..operand });
        };
        let rest = self.expression(self.tree.expression(rest));
        constant &= rest.constant;
        if let Form::Binary(operator) = open.form
            && !constant
            && operator.is_arithmetic()
        {
            self.settle(operand);
            self.settle(rest);
        }
        // A long chain is evaluated without recursion.
        if let Form::Binary(operator) = open.form
            && operand.chain < SHORT_CHAIN
        {
            self.set(whole, Note::Binary { operator, left: operand.meant, right: rest.meant });
        }
        self.finish(whole, open.form, Folded { constant, ..operand })
    }

    /// Looks at what a splat makes of each item, after its source. That may be a splat again, and so on without end, so it
    /// is a link of the chain, too.
    fn leave_splat(&mut self, open: Open) -> Folded {
        let Some(each) = open.rest.map(|each| self.tree.expression(each)) else {
            self.bindings.pop();
            return Folded::alone(self.tree.expression(open.whole), false);
        };
        self.bindings.push(Binding::Item);
        self.open.push(Open { rest: None, ..open });
        let kind = each.kind();
        self.leaf(each, kind).unwrap_or_else(|| self.descend(each, kind))
    }

    /// Looks at what nests and has any number of operands.
    fn nested(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Folded {
        let (form, constant) = match kind {
            ExpressionKind::Tuple(elements) if elements.iter().all(is_literal) => {
                return Folded::alone(expression, self.fold_literals(expression, elements.len()));
            }
            ExpressionKind::Object(items) if items.iter().all(is_literal_item) => {
                let constant = self.fold_literals(expression, items.len());
                // Evaluation then makes it each time, by its names at least.
                if !constant {
                    self.object(expression, items);
                }
                return Folded::alone(expression, constant);
            }
            ExpressionKind::Template(operands) | ExpressionKind::Tuple(operands) => {
                (Form::Foldable, self.all(operands))
            }
            ExpressionKind::Call(call) => (self.call(expression, call), self.all(call.arguments())),
            ExpressionKind::Object(items) => {
                self.object(expression, items);
                (Form::Foldable, self.all_of_items(items))
            }
            ExpressionKind::For(names) => {
                self.for_expression(names);
                (Form::Varying, false)
            }
            _ => (Form::Varying, false),
        };
        self.finish(expression, form, Folded::alone(expression, constant))
    }

    /// Whether all of these are constant.
    fn all(&mut self, operands: ExpressionList<'t>) -> bool {
        operands.iter().fold(true, |constant, operand| constant & self.expression(operand).constant)
    }

    fn all_of_items(&mut self, items: ObjectItems<'t>) -> bool {
        let rules = items.rules();
        items.iter().fold(true, |constant, item| {
            self.key(item, rules) & constant & self.expression(item.value).constant
        })
    }

    /// Whether the key of an item is constant. A reference without parentheses is ambiguous, and never evaluated.
    #[inline]
    fn key(&mut self, item: ObjectItem<'t>, rules: ObjectRules) -> bool {
        let is_ambiguous = || rules != ObjectRules::Json && item.key.as_static_traversal().is_some();
        item.key_name().is_some() || !is_ambiguous() && self.expression(item.key).constant
    }

    fn for_expression(&mut self, names: ForExpression<'t>) {
        self.expression(names.collection());
        let depth = index(self.bindings.len());
        self.deep_names.enter(names, depth);
        self.bindings.push(Binding::For(names));
        for part in names.key().into_iter().chain([names.value()]).chain(names.condition()) {
            self.expression(part);
        }
        self.bindings.pop();
        self.deep_names.leave(names, depth);
    }

    #[inline]
    fn set(&mut self, expression: Expression<'_>, note: Note) {
        // Operands are numbered before what uses them.
        let Some(at) = self.notes.last.checked_sub(expression.id().index()) else { return };
        if at >= self.notes.list.len() {
            self.make_notes(at);
        }
        // In one place, so that it is made there: a note that is moved has to be waited for.
        if let Some(place) = self.notes.list.get_mut(at) {
            *place = note;
        }
    }

    /// Makes notes that tell nothing, up to this place.
    #[cold]
    #[inline(never)]
    fn make_notes(&mut self, last: usize) {
        self.notes.list.resize(last + 1, Note::Plain);
    }

    #[inline]
    fn add(&mut self, known: Known) -> u32 {
        make_room(&mut self.notes.known, 1, self.room);
        self.notes.known.push(known);
        index(self.notes.known.len() - 1)
    }

    /// The value of an expression, if it is known.
    #[inline]
    fn constant(&self, expression: ExprId) -> Option<&Value> {
        match *self.notes.of(self.tree.expression(expression)) {
            Note::Constant(index) => self.notes.constant(index),
            _ => None,
        }
    }

    #[inline]
    fn set_constant(&mut self, expression: Expression<'_>, value: Value) {
        let constant = self.add(Known::Value(value));
        self.set(expression, Note::Constant(constant));
    }

    /// Makes ready an operand that may be a constant number and is calculated with.
    fn settle(&mut self, operand: Folded) {
        if operand.constant
            && let Note::Constant(index) = *self.notes.of(self.tree.expression(operand.meant))
            && let Some(Known::Value(Value(Repr::Number(number)))) = self.notes.known.get_mut(index as usize)
        {
            number.settle();
        }
    }

    fn call(&mut self, expression: Expression<'t>, call: Call<'t>) -> Form {
        if let Some(function) = self.scope.function(call.name()) {
            if function.is_lazy() {
                self.lazy_below = self.lazy_below.max(expression.id().index());
            }
            let noted = self.add(Known::Function(Arc::clone(function)));
            self.set(expression, Note::Function(noted));
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
            let Some(name) = name else { return };
            names.push(normalized(name));
        }
        let (shape, positions) = Shape::with_places(&mut names);
        let noted = self.add(Known::Layout(Box::new(Layout { shape, positions })));
        self.set(expression, Note::Layout(noted));
    }

    /// Looks at an expression whose operands have been looked at: evaluates it if it is made of constants only. What does
    /// not succeed stays as it is. `operands` tells whether all of them are constant, and of the one that nests its chain.
    #[inline]
    fn finish(&mut self, expression: Expression<'t>, form: Form, operands: Folded) -> Folded {
        let foldable = operands.constant && form != Form::Varying;
        if foldable && self.fold(expression) {
            return Folded::alone(expression, true);
        }
        let folded = Folded::alone(expression, false);
        match form {
            Form::Same => {
                self.set(expression, Note::Same(operands.meant));
                Folded { meant: operands.meant, ..folded }
            }
            Form::Binary(_) => Folded { chain: operands.chain.saturating_add(1), ..folded },
            Form::Conditional => {
                // Like one of operations.
                if operands.chain >= SHORT_CHAIN {
                    self.set(expression, Note::Plain);
                }
                Folded { chain: operands.chain.saturating_add(1), ..folded }
            }
            // A splat is no operation of constants; it is left elsewhere.
            Form::Varying | Form::Splat | Form::Foldable => folded,
        }
    }

    /// Whether an expression whose operands are all constant is now constant itself.
    fn fold(&mut self, expression: Expression<'t>) -> bool {
        if let Note::Binary { operator, left, right } = *self.notes.of(expression)
            && let (Some(left), Some(right)) = (self.constant(left), self.constant(right))
            && let Some(value) = plain_result(operator, left, right)
        {
            self.set_constant(expression, value);
            return true;
        }
        let meter = self.meter.get_or_insert_with(|| Meter::new(self.options.limits.clone()));
        let surroundings =
            Surroundings { scope: Some(self.scope), notes: Some(&self.notes), ..Surroundings::default() };
        let folded = Evaluator::new(surroundings, meter).quietly(expression);
        self.set_folded(expression, folded)
    }

    /// Whether a container of nothing but so many literals is now constant. They need no notes: evaluated without, they are
    /// made where they will be.
    fn fold_literals(&mut self, expression: Expression<'t>, n_literals: usize) -> bool {
        let meter = self.meter.get_or_insert_with(|| Meter::new(self.options.limits.clone()));
        // It weighs more than what is in it, so that it would be too large in the end.
        if n_literals as u64 >= meter.elements_left() {
            return false;
        }
        let folded = Evaluator::new(Surroundings::default(), meter).quietly(expression);
        self.set_folded(expression, folded)
    }

    fn set_folded(&mut self, expression: Expression<'t>, folded: Option<Value>) -> bool {
        let is_constant = folded.is_some();
        if let Some(value) = folded {
            self.set_constant(expression, value);
        }
        is_constant
    }
}
