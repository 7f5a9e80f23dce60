//! Lowering: names to slots, functions and bindings; literals to values; constant parts to their value.
//!
//! For a program all of that is done. An evaluation that happens once leaves to itself what it does only once: it makes
//! literals and looks names up where they stand, folds nothing and reports nothing. What is inside a `for` or a splat
//! is done again and again, so its names are found beforehand there too.

mod names;

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use hcl_syntax::ast::{
    BinaryOperator, Call, ExprId, Expression, ExpressionKind, ExpressionList, ForExpression, Literal,
    ObjectItem, ObjectItems, ObjectRules, Tree,
};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use smallvec::SmallVec;

use super::CompileOptions;
use super::code::{Base, Code, ForParts, Layout, List, NONE, Node, Op, OpId, Path, Place, index};
use crate::Str;
use crate::eval::{
    DeepNames, Evaluator, Problem, RED_ZONE, Run, SEGMENT, Scope, is_long_literal, is_long_number,
    plain_result, problem_of_function, value_of,
};
use crate::limits::{Meter, Usage};
use crate::value::string::normalized;
use crate::value::{Repr, Shape, Value};

/// The result of lowering for a program.
pub(super) struct Compiled {
    pub(super) code: Code,
    pub(super) needs: Needs,
    pub(super) diagnostics: Diagnostics,
}

/// Slots; mostly a few.
pub(super) type Needs = SmallVec<[usize; 2]>;

/// A tree of operations on operands that lead straight to values has so many operations at most. It is evaluated by recursion,
/// and again by the general rules if an operand is not plain.
const LARGEST_TREE: u8 = 32;

/// How many operations there is room for at once.
const MOST_AT_FIRST: usize = 256;

/// How many links of chains are open before room for more is asked for.
const N_OPEN: usize = 8;

/// How many operations are made between two looks at the limits: less than a millisecond's work.
const OPS_PER_LOOK: usize = 1 << 14;

/// From so many operands on a list takes memory that is asked for beforehand.
const MANY_OPERANDS: usize = 1 << 12;

/// From so many bytes on a list that grows is asked for beforehand.
const MANY_BYTES: usize = 1 << 16;

/// Among so many operations one is expected to have a value or a step.
const OPS_FOR_PART: usize = 4;

/// How many levels of expressions lie between two looks at the stack.
const LEVELS_PER_LOOK: u32 = 16;

/// The facts about an expression that its user needs when that is lowered.
#[derive(Copy, Clone)]
struct Lowered {
    at: OpId,
    constant: bool,
    /// How many operations a tree has of which all operands lead straight to values; 0 for what is none.
    n_plain: u8,
}

impl Lowered {
    /// One that is no such tree.
    fn alone(at: OpId, constant: bool) -> Self {
        Self { at, constant, n_plain: 0 }
    }
}

/// An expression of which one operand is being lowered: the one where chains without end nest.
#[derive(Copy, Clone)]
struct Open {
    whole: ExprId,
    /// Where its operations begin.
    start: usize,
    form: Form,
}

/// The steps that follow when the operand of a chain has been lowered.
#[derive(Copy, Clone)]
enum Form {
    /// It means what its operand means.
    Same,
    Interpolation,
    Unary,
    Binary {
        operator: BinaryOperator,
        /// The left operand is such an operation, too.
        is_chain: bool,
        right: ExprId,
    },
    Conditional {
        condition: OpId,
        when_true: OpId,
        constant: bool,
    },
    Index,
    Steps,
    TemplateFor,
    /// The source has been lowered next.
    SplatSource,
    /// The result for each item has been lowered next.
    SplatEach {
        source: OpId,
    },
}

/// A binding around the expression at hand.
#[derive(Copy, Clone)]
enum Binding<'t> {
    For(ForExpression<'t>),
    Item,
}

struct Lowering<'t, 's> {
    tree: &'t Tree,
    scope: Option<&'s Scope>,
    /// How to prepare a program; nothing for an evaluation that happens once.
    options: Option<&'s CompileOptions>,
    /// An observer is told of each operation.
    is_watched: bool,
    /// Of all levels.
    open: SmallVec<[Open; N_OPEN]>,
    /// How deep expressions nest here, chains aside.
    level: u32,
    code: Code,
    needs: Needs,
    diagnostics: Diagnostics,
    bindings: SmallVec<[Binding<'t>; 2]>,
    deep_names: DeepNames,
    /// Expressions numbered below this are arguments of a lazy function, which may mean to fail.
    lazy_below: usize,
    /// Made when there is something to evaluate.
    meter: Option<Meter>,
    /// The meter of the evaluation that happens once.
    watch: Option<&'s mut Meter>,
    /// How many operations there may be before the limits are looked at.
    look_at: usize,
    /// How many links of chains may be open before.
    open_until: usize,
    /// A limit has been reached, and what is left is not lowered: it will not be evaluated.
    is_over: bool,
}

/// Prepares an expression for a program.
pub(super) fn compile(expression: Expression<'_>, scope: &Scope, options: &CompileOptions) -> Compiled {
    let mut lowering = Lowering::new(expression, Some(scope), Some(options), Code::default());
    lowering.expression(expression);
    let Lowering { code, mut needs, diagnostics, .. } = lowering;
    names::tidy(&mut needs);
    Compiled { code, needs, diagnostics }
}

/// Lowers an expression that is evaluated once. What is in the code already goes.
/// `is_watched` tells that an observer is told of each operation.
pub(crate) fn lower_once(
    expression: Expression<'_>,
    scope: Option<&Scope>,
    room: &mut Code,
    is_watched: bool,
    meter: &mut Meter,
) {
    room.clear();
    if expression.is_literal() {
        let source = expression.id();
        return room.ops.push(Op { node: Node::Literal, cost: 1, path_cost: 0, source, written: source });
    }
    let mut lowering = Lowering::new(expression, scope, None, mem::take(room));
    lowering.is_watched = is_watched;
    lowering.watch = Some(meter);
    lowering.expression(expression);
    *room = lowering.code;
}

fn is_literal_item(item: ObjectItem<'_>) -> bool {
    item.value.is_literal() && (item.key_name().is_some() || item.key.is_literal())
}

impl<'t, 's> Lowering<'t, 's> {
    fn new(
        expression: Expression<'t>,
        scope: Option<&'s Scope>,
        options: Option<&'s CompileOptions>,
        mut code: Code,
    ) -> Self {
        // How many operations there will be is not known, but hardly one for every other character.
        let n_expected = if expression.is_leaf() { 1 } else { expression.span().len() as usize / 3 + 2 };
        let n_expected = n_expected.min(MOST_AT_FIRST);
        if code.ops.capacity() < n_expected {
            code.ops = Vec::with_capacity(n_expected);
        }
        Self {
            tree: expression.tree(),
            scope,
            options,
            is_watched: false,
            open: SmallVec::new(),
            level: 0,
            code,
            needs: Needs::new(),
            diagnostics: Vec::new(),
            bindings: SmallVec::new(),
            deep_names: DeepNames::default(),
            lazy_below: 0,
            meter: None,
            watch: None,
            look_at: 0,
            open_until: N_OPEN,
            is_over: false,
        }
    }

    /// True if facts found now serve several evaluations.
    fn is_kept(&self) -> bool {
        self.options.is_some() || !self.bindings.is_empty()
    }

    /// True if parts of containers are made when they are evaluated, where they will be, and nobody is told of them.
    fn is_made_once(&self) -> bool {
        !self.is_kept() && !self.is_watched
    }

    /// True if constant parts are evaluated now.
    fn folds(&self) -> bool {
        self.options.is_some()
    }

    /// How many values, or steps after variables, to expect: room that has to grow costs more than the lowering.
    fn n_parts_expected(&self) -> usize {
        self.code.ops.capacity() / OPS_FOR_PART
    }

    /// Adds an operation that takes a step.
    fn push(&mut self, expression: Expression<'_>, node: Node) -> OpId {
        self.push_of_cost(expression, node, 1)
    }

    /// Adds an operation that takes `own` steps, and those along a path.
    fn push_path(&mut self, expression: Expression<'_>, node: Node, path: Path, own: u32) -> OpId {
        let at = self.push_of_cost(expression, node, path.len.saturating_add(own));
        if let Some(op) = self.code.ops.last_mut() {
            op.path_cost = path.len;
        }
        at
    }

    fn push_of_cost(&mut self, expression: Expression<'_>, node: Node, cost: u32) -> OpId {
        if self.code.ops.len() >= self.look_at && !self.look() {
            return self.code.root();
        }
        let at = OpId(index(self.code.ops.len()));
        let id = expression.id();
        self.code.ops.push(Op { node, cost, path_cost: 0, source: id, written: id });
        at
    }

    /// Looks at the limits, and makes room for more operations; returns whether there is some. Where a limit leaves none, the
    /// last operation stands for what is not lowered.
    #[cold]
    fn look(&mut self) -> bool {
        let ops = &mut self.code.ops;
        let grows = ops.len() == ops.capacity();
        if let Some(meter) = &mut self.watch {
            let room = if grows { 2 * ops.capacity() * size_of::<Op>() } else { 0 };
            self.is_over |= meter.look().and_then(|()| meter.hold(room)).is_err();
        }
        if grows && !self.is_over {
            ops.reserve_exact(ops.len().max(1));
        }
        self.look_at = ops.capacity().min(ops.len() + OPS_PER_LOOK);
        let has_room = ops.len() < ops.capacity();
        if !has_room && let Some(last) = ops.last_mut() {
            last.node = Node::Invalid;
            last.cost = 1;
        }
        has_room
    }

    /// Looks at the limits, and makes room for further links of chains.
    #[cold]
    fn look_before_opening(&mut self) {
        let n = self.open.len();
        if n == self.open.capacity() {
            self.ask_for_room(2 * n * size_of::<Open>());
        }
        self.is_over |= self.watch.as_mut().is_some_and(|meter| meter.look().is_err());
        if !self.is_over {
            self.open.reserve(1);
        }
        self.open_until = self.open.capacity().min(n + OPS_PER_LOOK);
    }

    /// Asks for the memory of a list that grows, if it is long.
    #[cold]
    fn ask_for_room(&mut self, n_bytes: usize) {
        if n_bytes >= MANY_BYTES
            && let Some(meter) = &mut self.watch
        {
            self.is_over |= meter.hold(n_bytes).is_err();
        }
    }

    fn add(&mut self, value: Value) -> u32 {
        if self.code.values.is_empty() {
            let n_expected = self.n_parts_expected().max(1);
            if self.code.values.capacity() < n_expected {
                self.code.values = Vec::with_capacity(n_expected);
            }
        }
        if self.code.values.len() == self.code.values.capacity() {
            self.ask_for_room(2 * self.code.values.capacity() * size_of::<Value>());
            if self.is_over {
                return NONE;
            }
        }
        self.code.values.push(value);
        index(self.code.values.len() - 1)
    }

    fn set_cost(&mut self, at: OpId, steps: u64) {
        if let Some(op) = self.code.ops.get_mut(at.0 as usize) {
            op.cost = u32::try_from(steps).unwrap_or(u32::MAX);
        }
    }

    /// Takes back a step of an operation which is part of another that counts it.
    fn discount(&mut self, at: OpId) {
        if let Some(op) = self.code.ops.get_mut(at.0 as usize) {
            op.cost = op.cost.saturating_sub(1);
        }
    }

    fn list(&mut self, operands: &[OpId]) -> List {
        let first = index(self.code.operands.len());
        self.code.operands.extend_from_slice(operands);
        List { first, len: index(operands.len()) }
    }

    /// Lowers an expression and all within it.
    fn expression(&mut self, expression: Expression<'t>) -> Lowered {
        if self.is_over {
            return Lowered::alone(OpId(0), false);
        }
        let kind = expression.kind();
        if let Some(lowered) = self.leaf(expression, kind) {
            return lowered;
        }
        self.level += 1;
        let lowered = if self.level.is_multiple_of(LEVELS_PER_LOOK) {
            hcl_syntax::stack::ensure(RED_ZONE, SEGMENT, || self.chain(expression, kind))
        } else {
            self.chain(expression, kind)
        };
        self.level -= 1;
        lowered
    }

    /// Lowers an expression without operands.
    #[inline(always)]
    fn leaf(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Option<Lowered> {
        let (at, constant) = match kind {
            ExpressionKind::Traversal(traversal) => self.variable(expression, traversal),
            ExpressionKind::SplatItem => {
                let path = Path::default();
                (self.push(expression, Node::Direct { base: Base::Item, index: 0, path }), false)
            }
            ExpressionKind::Invalid => (self.push(expression, Node::Invalid), false),
            ExpressionKind::Unfinished(_) => (self.push(expression, Node::Unfinished), false),
            ExpressionKind::Text(text) => (self.literal(expression, Literal::Text(text)), true),
            ExpressionKind::Number(digits) => (self.literal(expression, Literal::Number(digits)), true),
            ExpressionKind::Bool(value) => (self.literal(expression, Literal::Bool(value)), true),
            ExpressionKind::Null => (self.literal(expression, Literal::Null), true),
            _ => return None,
        };
        Some(Lowered::alone(at, constant))
    }

    /// Lowers an element or a value of a container. A literal that is made once takes no operation of its own.
    fn part(&mut self, expression: Expression<'t>) -> Lowered {
        match self.literal_part(expression) {
            Some(at) => Lowered::alone(at, true),
            None => self.expression(expression),
        }
    }

    /// Lowers a part of a template. A literal text takes no step, and no operation of its own where it is kept.
    fn template_part(&mut self, expression: Expression<'t>) -> Lowered {
        let ExpressionKind::Text(text) = expression.kind() else { return self.expression(expression) };
        if self.is_kept()
            && let Some(at) = OpId::of_constant(self.add(Value::string(text)))
        {
            return Lowered::alone(at, true);
        }
        let at = self.literal(expression, Literal::Text(text));
        self.discount(at);
        Lowered::alone(at, true)
    }

    /// The operand that stands for a literal, where that is made once and nobody watches.
    fn literal_part(&self, expression: Expression<'t>) -> Option<OpId> {
        if self.is_made_once() && expression.is_literal() && !is_long_literal(expression) {
            OpId::of_literal(expression.id())
        } else {
            None
        }
    }

    fn literal(&mut self, expression: Expression<'t>, literal: Literal<'t>) -> OpId {
        if self.is_kept() && !is_long_number(literal) {
            let value = self.add(value_of(literal));
            return self.push(expression, Node::constant(value));
        }
        self.push(expression, Node::Literal)
    }

    /// Lowers an expression: the operand that a chain goes on with, and so on to the end of the chain; then, from there
    /// back, the other operands.
    fn chain(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Lowered {
        let n_outside = self.open.len();
        let mut lowered = self.descend(expression, kind);
        while !self.is_over
            && self.open.len() > n_outside
            && let Some(open) = self.open.pop()
        {
            lowered = self.leave(open, lowered);
        }
        if self.is_over {
            self.open.truncate(n_outside);
            return Lowered::alone(self.push(expression, Node::Invalid), false);
        }
        lowered
    }

    /// Goes to the end of a chain.
    fn descend(&mut self, mut expression: Expression<'t>, mut kind: ExpressionKind<'t>) -> Lowered {
        loop {
            match self.enter(expression, kind) {
                ControlFlow::Continue(operand) => expression = operand,
                ControlFlow::Break(lowered) => return lowered,
            }
            kind = expression.kind();
            if let Some(lowered) = self.leaf(expression, kind) {
                return lowered;
            }
        }
    }

    /// Gives the operand that a chain goes on with, or lowers what is no link of one.
    fn enter(
        &mut self,
        expression: Expression<'t>,
        kind: ExpressionKind<'t>,
    ) -> ControlFlow<Lowered, Expression<'t>> {
        let start = self.code.ops.len();
        let (form, operand) = match kind {
            ExpressionKind::Binary { operator, left, right } => {
                (Form::Binary { operator, is_chain: left.is_binary(), right: right.id() }, left)
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                let condition = self.expression(condition);
                let when_true = self.expression(when_true);
                let constant = condition.constant & when_true.constant;
                (Form::Conditional { condition: condition.at, when_true: when_true.at, constant }, when_false)
            }
            ExpressionKind::Parentheses(inner) => (Form::Same, inner),
            ExpressionKind::Interpolation(inner) => match self.scope {
                Some(scope) if scope.leaves_unknown_interpolations() => (Form::Interpolation, inner),
                _ => (Form::Same, inner),
            },
            ExpressionKind::Unary { operand, .. } => (Form::Unary, operand),
            ExpressionKind::TemplateFor(inner) => (Form::TemplateFor, inner),
            ExpressionKind::RelativeTraversal { source, steps } => {
                if source.is_leaf() && matches!(source.kind(), ExpressionKind::SplatItem) {
                    let path = self.path(steps, 0);
                    let at = self.push_path(
                        expression,
                        Node::Direct { base: Base::Item, index: 0, path },
                        path,
                        2,
                    );
                    return ControlFlow::Break(Lowered::alone(at, false));
                }
                (Form::Steps, source)
            }
            ExpressionKind::Index { collection, .. } => (Form::Index, collection),
            ExpressionKind::Splat(splat) => (Form::SplatSource, splat.source),
            _ => return ControlFlow::Break(self.nested(expression, kind)),
        };
        if self.open.len() >= self.open_until {
            self.look_before_opening();
        }
        if self.is_over {
            return ControlFlow::Break(Lowered::alone(OpId(0), false));
        }
        self.open.push(Open { whole: expression.id(), start, form });
        ControlFlow::Continue(operand)
    }

    /// Lowers what follows the operand that has been lowered.
    fn leave(&mut self, open: Open, operand: Lowered) -> Lowered {
        let Open { whole, start, form } = open;
        let whole = self.tree.expression(whole);
        match form {
            Form::Same => {
                if let Some(op) = self.code.ops.get_mut(operand.at.0 as usize) {
                    op.cost = op.cost.saturating_add(1);
                    op.written = whole.id();
                }
                operand
            }
            Form::Interpolation => {
                let at = self.push(whole, Node::Interpolation(operand.at));
                self.finish(at, start, operand.constant)
            }
            Form::Unary => {
                let ExpressionKind::Unary { operator, operand: inner } = whole.kind() else { return operand };
                if matches!(inner.kind(), ExpressionKind::Unary { .. }) {
                    self.discount(operand.at);
                }
                let at = self.push(whole, Node::Unary { operator, operand: operand.at });
                self.finish(at, start, operand.constant)
            }
            Form::Binary { operator, is_chain, right } => {
                if is_chain {
                    self.discount(operand.at);
                }
                let right = self.expression(self.tree.expression(right));
                self.leave_binary(whole, start, operator, [operand, right])
            }
            Form::Conditional { condition, when_true, constant } => {
                self.leave_conditional(whole, start, [condition, when_true], constant, operand)
            }
            Form::Index => {
                let ExpressionKind::Index { collection, key, .. } = whole.kind() else { return operand };
                if collection.is_access() {
                    self.discount(operand.at);
                }
                let key = self.expression(key);
                let at = self.push(whole, Node::Index { collection: operand.at, key: key.at });
                let constant = operand.constant & key.constant;
                self.finish(at, start, constant)
            }
            Form::Steps => {
                let ExpressionKind::RelativeTraversal { source, .. } = whole.kind() else { return operand };
                if source.is_access() {
                    self.discount(operand.at);
                }
                let at = self.push(whole, Node::Steps(operand.at));
                self.finish(at, start, operand.constant)
            }
            Form::TemplateFor => Lowered::alone(self.push(whole, Node::TemplateFor(operand.at)), false),
            Form::SplatSource => self.leave_splat(whole, start, operand),
            Form::SplatEach { source } => {
                self.bindings.pop();
                Lowered::alone(self.push(whole, Node::Splat { source, each: operand.at }), false)
            }
        }
    }

    /// Lowers a conditional whose false result has been lowered. `constant` tells that its other operands are constant.
    fn leave_conditional(
        &mut self,
        whole: Expression<'t>,
        start: usize,
        [condition, when_true]: [OpId; 2],
        constant: bool,
        operand: Lowered,
    ) -> Lowered {
        let ExpressionKind::Conditional { when_false, .. } = whole.kind() else { return operand };
        if when_false.is_conditional() {
            self.discount(operand.at);
        }
        let when_false = operand.at;
        let direct = self.steps_of_operands([condition, when_true, when_false]);
        let at = self.push(whole, Node::Conditional { direct, condition, when_true, when_false });
        self.finish(at, start, constant & operand.constant)
    }

    /// Lowers an operation whose operands are lowered. Left-leaning chains are walked by a loop, which calls this on the way
    /// up, and takes back the step of the inner operation, which the outer one counts.
    fn leave_binary(
        &mut self,
        whole: Expression<'t>,
        start: usize,
        operator: BinaryOperator,
        [left, right]: [Lowered; 2],
    ) -> Lowered {
        let constant = left.constant & right.constant;
        if operator.is_arithmetic() && !constant {
            self.settle(left);
            self.settle(right);
        }
        let n_plain = left.n_plain + right.n_plain + 1;
        // `&&` and `||` have answers as operands, the others have numbers.
        let is_joint = operator.is_logical();
        let fits = |at: OpId| match self.code.op(at).node {
            Node::Binary { operator, .. } => operator.is_arithmetic() != is_joint,
            _ => true,
        };
        let is_tree = n_plain <= LARGEST_TREE && fits(left.at) && fits(right.at);
        let direct = if is_tree { self.steps_of_operands([left.at, right.at]) } else { 0 };
        if direct > 0 {
            self.join_tree(left.at);
            self.join_tree(right.at);
        }
        let constant_right = match self.code.op(right.at).node {
            Node::Direct { base: Base::Constant, index, .. } => index,
            _ => NONE,
        };
        let (left, right) = (left.at, right.at);
        let at = self.push(whole, Node::Binary { operator, direct, constant: constant_right, left, right });
        let lowered = self.finish(at, start, constant);
        if lowered.constant || direct == 0 { lowered } else { Lowered { n_plain, ..lowered } }
    }

    /// Makes an operation a part of the tree of another, which counts its steps.
    fn join_tree(&mut self, at: OpId) {
        if let Some(Op { node: Node::Binary { direct, .. }, .. }) = self.code.ops.get_mut(at.0 as usize) {
            *direct = 0;
        }
    }

    /// The steps that operands take if all of them lead straight to values or are operations on such; 0 if not, or if there
    /// are too many to be noted.
    fn steps_of_operands(&self, operands: impl IntoIterator<Item = OpId>) -> u16 {
        let mut steps = 0_u32;
        for at in operands {
            let op = self.code.op(at);
            let below = match op.node {
                Node::Direct { .. } => 0,
                Node::Binary { direct: below @ 1.., .. } => u32::from(below),
                _ => return 0,
            };
            steps = steps.saturating_add(op.cost).saturating_add(below);
        }
        u16::try_from(steps).unwrap_or(0)
    }

    /// The steps that operands take if all of them lead straight to values; else 0.
    fn steps_of_direct(&self, operands: List) -> u16 {
        let operands = self.code.list(operands).iter().copied().filter(|at| at.as_constant().is_none());
        let is_direct = operands.clone().all(|at| self.code.op(at).node.is_direct());
        if is_direct { self.steps_of_operands(operands) } else { 0 }
    }

    /// Goes on with what a splat makes of each item, after its source. That may be a splat again, and so on without end,
    /// so it is a link of the chain, too.
    fn leave_splat(&mut self, whole: Expression<'t>, start: usize, source: Lowered) -> Lowered {
        let ExpressionKind::Splat(splat) = whole.kind() else { return source };
        self.bindings.push(Binding::Item);
        self.open.push(Open { whole: whole.id(), start, form: Form::SplatEach { source: source.at } });
        let kind = splat.each.kind();
        self.leaf(splat.each, kind).unwrap_or_else(|| self.descend(splat.each, kind))
    }

    /// Lowers what nests and has any number of operands.
    fn nested(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Lowered {
        let start = self.code.ops.len();
        match kind {
            ExpressionKind::Tuple(elements) => {
                let (operands, constant) = self.all(elements, Self::part);
                let constant = constant
                    && self.has_room_for(elements.len(), elements.iter().all(Expression::is_literal));
                let at = self.push(expression, Node::Tuple(operands));
                self.finish(at, start, constant)
            }
            ExpressionKind::Template(parts) => {
                let (operands, constant) = self.all(parts, Self::template_part);
                // A scope may ask for the text of a part in place of its value.
                let is_text = self.scope.is_some_and(Scope::leaves_unknown_interpolations);
                let direct = if is_text { 0 } else { self.steps_of_direct(operands) };
                let at = self.push(expression, Node::Template { direct, parts: operands });
                self.finish(at, start, constant)
            }
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::Object(items) => self.object(expression, items),
            ExpressionKind::For(names) => {
                let at = self.for_expression(expression, names);
                Lowered::alone(at, false)
            }
            _ => Lowered::alone(self.push(expression, Node::Invalid), false),
        }
    }

    /// Returns true if a container of so many literals may be made now. It weighs more than what is in it, so that it would be
    /// too large in the end.
    fn has_room_for(&mut self, n_elements: usize, is_all_literals: bool) -> bool {
        let Some(options) = self.options.filter(|_| is_all_literals) else { return true };
        let meter = self.meter.get_or_insert_with(|| Meter::new(options.limits.clone()));
        (n_elements as u64) < meter.elements_left()
    }

    /// Lowers all of these; whether all are constant.
    fn all(
        &mut self,
        operands: ExpressionList<'t>,
        lower: impl Fn(&mut Self, Expression<'t>) -> Lowered,
    ) -> (List, bool) {
        self.ask_for_operands(operands.len());
        let n = if self.is_over { 0 } else { operands.len() };
        let mut ids: SmallVec<[OpId; 8]> = SmallVec::with_capacity(n);
        let mut constant = true;
        for operand in operands.iter().take(n) {
            if self.is_over_after(ids.len()) {
                break;
            }
            let lowered = lower(self, operand);
            constant &= lowered.constant;
            ids.push(lowered.at);
        }
        (self.list(&ids), constant)
    }

    /// Asks for the memory of a list of operands, and of the one that is kept beside it, if it is long.
    fn ask_for_operands(&mut self, n: usize) {
        if n >= MANY_OPERANDS
            && let Some(meter) = &mut self.watch
        {
            self.is_over |= meter.hold_parts(2 * n, size_of::<OpId>()).is_err();
        }
    }

    /// Returns true if a limit has been reached; looks now and then. Operands that are literals take no operation, which would
    /// look.
    fn is_over_after(&mut self, n_operands: usize) -> bool {
        if (n_operands + 1).is_multiple_of(OPS_PER_LOOK) {
            self.look();
        }
        self.is_over
    }

    /// The layout of an object whose keys are all known, if there is room for it.
    fn layout(&mut self, items: ObjectItems<'_>) -> Option<Layout> {
        // The names, a list of them in order, and what finds the order lie beside the layout.
        self.ask_for_room(items.len() * 4 * size_of::<Str>());
        if self.is_over { None } else { layout(items) }
    }

    fn for_expression(&mut self, expression: Expression<'t>, names: ForExpression<'t>) -> OpId {
        let collection = self.expression(names.collection()).at;
        let depth = index(self.bindings.len());
        self.deep_names.enter(names, depth);
        self.bindings.push(Binding::For(names));
        let key = names.key().map(|key| self.expression(key).at);
        let value = self.expression(names.value()).at;
        let condition = names.condition().map(|condition| self.expression(condition).at);
        self.bindings.pop();
        self.deep_names.leave(names, depth);
        let parts = self.list(&ForParts { collection, condition, key, value }.operands());
        self.push(expression, Node::For(parts.first))
    }

    /// Makes ready an operand that may be a constant number and is calculated with.
    fn settle(&mut self, operand: Lowered) {
        if operand.constant
            && let Some(op) = self.code.ops.get(operand.at.0 as usize)
            && let Node::Direct { base: Base::Constant, index, .. } | Node::Folded { value: index, .. } =
                op.node
            && let Some(Value(Repr::Number(number))) = self.code.values.get_mut(index as usize)
        {
            number.settle();
        }
    }

    /// Lowers a call. It is constant if its arguments are and the function depends on nothing else; a function that
    /// evaluates its arguments itself, such as `try`, never is, and problems below it are left to it.
    fn call(&mut self, expression: Expression<'t>, call: Call<'t>) -> Lowered {
        let start = self.code.ops.len();
        let mut is_foldable = false;
        let mut is_plain = false;
        let mut function = NONE;
        if let Some(found) = self.scope.and_then(|scope| scope.function(call.name())) {
            if found.is_lazy() {
                self.lazy_below = self.lazy_below.max(expression.id().index());
            }
            is_foldable = found.is_pure() && !found.is_lazy();
            is_plain = !found.is_lazy()
                && !found.may_be_late()
                && !call.expands_final()
                && found.takes(call.arguments().len());
            self.code.functions.push(Arc::clone(found));
            function = index(self.code.functions.len() - 1);
        } else if self.is_reported(expression) {
            self.report_function(expression, call);
        }
        let (arguments, constant) = self.all(call.arguments(), Self::expression);
        let expands = call.expands_final();
        // Where there is nothing to expand the other arguments are not evaluated, and take no steps.
        is_foldable &= !expands || self.has_elements(arguments);
        let direct = if is_plain { self.steps_of_direct(arguments) } else { 0 };
        let at = self.push(expression, Node::Call { expands, direct, function, arguments });
        self.finish(at, start, constant & is_foldable)
    }

    /// Returns true if the last of the operands is a constant with elements.
    fn has_elements(&self, operands: List) -> bool {
        let last = self.code.list(operands).last();
        last.and_then(|&at| self.code.constant(at)).is_some_and(|value| value.elements().is_some())
    }

    #[cold]
    fn report_function(&mut self, expression: Expression<'t>, call: Call<'t>) {
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem_of_function(self.scope, call.name());
        let diagnostic = Diagnostic::error(code, summary, detail);
        let diagnostic = if self.scope.is_some_and(Scope::has_functions) {
            diagnostic.at(source, call.name_span()).within(source, expression.span())
        } else {
            diagnostic.at(source, expression.span())
        };
        self.diagnostics.push(diagnostic);
    }

    /// True if a problem with this expression is told, and not left to the evaluation.
    fn is_reported(&self, expression: Expression<'_>) -> bool {
        let Some(options) = self.options else { return false };
        let most = options.limits.max_diagnostics as usize;
        expression.id().index() >= self.lazy_below && self.diagnostics.len() < most
    }

    /// Lowers an object: to a record, whose names are laid out once, if its keys are names and nobody has to see them
    /// evaluated; else to keys and values in turn.
    fn object(&mut self, expression: Expression<'t>, items: ObjectItems<'t>) -> Lowered {
        let start = self.code.ops.len();
        let is_json = items.rules() == ObjectRules::Json;
        // Keys that are literals are told to who watches, which nobody does with programs.
        let has_layout = self.folds() || self.is_kept() && items.iter().all(|item| item.key_name().is_some());
        let layout = if is_json || !has_layout { None } else { self.layout(items) };
        let lower = if is_json { Self::expression } else { Self::part };
        self.ask_for_operands(2 * items.len());
        let mut ids: SmallVec<[OpId; 8]> = SmallVec::new();
        let mut constant = true;
        for (n, item) in items.iter().enumerate() {
            if self.is_over_after(n) {
                break;
            }
            if layout.is_none() {
                let key = if item.key_name().is_some() && !is_json {
                    Lowered::alone(self.key_name(item.key), true)
                } else if !is_json && matches!(item.key.kind(), ExpressionKind::Traversal(_)) {
                    Lowered::alone(self.push_of_cost(item.key, Node::AmbiguousKey, 0), false)
                } else {
                    lower(self, item.key)
                };
                constant &= key.constant;
                ids.push(key.at);
            }
            let value = lower(self, item.value);
            constant &= value.constant;
            ids.push(value.at);
        }
        constant = constant && self.has_room_for(items.len(), items.iter().all(is_literal_item));
        let operands = self.list(&ids);
        let node = match layout {
            Some(layout) => {
                self.code.layouts.push(layout);
                Node::Record { layout: index(self.code.layouts.len() - 1), values: operands }
            }
            None if is_json => Node::JsonObject(operands),
            None => Node::Object(operands),
        };
        let at = self.push(expression, node);
        self.finish(at, start, constant)
    }

    /// The operand that stands for a plain name that is a key.
    fn key_name(&mut self, key: Expression<'t>) -> OpId {
        // A name such as `null` is a literal as an expression.
        match OpId::of_literal(key.id()).filter(|_| self.is_made_once() && !key.is_literal()) {
            Some(at) => at,
            None => self.push_of_cost(key, Node::KeyName, 0),
        }
    }

    /// Looks at an operation whose operands have been lowered: evaluates it if they are constant. What does not succeed
    /// stays as it is. Its operations begin at `start`.
    fn finish(&mut self, at: OpId, start: usize, constant: bool) -> Lowered {
        if constant && self.folds() && self.fold(at, start) {
            return Lowered::alone(OpId(index(start)), true);
        }
        Lowered::alone(at, false)
    }

    /// Returns true if an operation with constant operands is now constant itself. Its operands go.
    fn fold(&mut self, at: OpId, start: usize) -> bool {
        let Some((value, own)) = self.value_now(at) else { return false };
        let Some(mut op) = self.code.ops.get(at.0 as usize).copied() else { return false };
        let mut usage = own;
        for operand in self.code.ops.get(start..at.0 as usize).unwrap_or_default() {
            if let Node::Folded { usage: part, .. } = operand.node
                && let Some(&part) = self.code.usages.get(part as usize)
            {
                let steps = u64::from(operand.cost);
                let depth = own.depth.saturating_add(part.depth);
                usage = usage.and(Usage { steps, depth, ..part });
            }
        }
        self.code.ops.truncate(start);
        let takes_steps_only = value.is_light() && usage == Usage { steps: usage.steps, ..Usage::default() };
        let value = self.add(value);
        op.node = if takes_steps_only {
            Node::constant(value)
        } else {
            self.code.usages.push(usage);
            Node::Folded { value, usage: index(self.code.usages.len() - 1) }
        };
        op.cost = u32::try_from(usage.steps).unwrap_or(u32::MAX);
        op.path_cost = 0;
        self.code.ops.push(op);
        true
    }

    /// The value of an operation on constants, and what it and the literals among them used.
    fn value_now(&mut self, at: OpId) -> Option<(Value, Usage)> {
        if let Node::Binary { operator, left: left_at, right: right_at, .. } = self.code.op(at).node
            && let (Some(left), Some(right)) = (self.code.constant(left_at), self.code.constant(right_at))
            && let Some(value) = plain_result(operator, left, right)
        {
            let of_literals = [left_at, right_at]
                .map(|at| self.code.op(at))
                .into_iter()
                .filter_map(|op| op.node.is_direct().then_some(u64::from(op.cost)));
            return Some((value, Usage { steps: of_literals.sum::<u64>() + 1, ..Usage::default() }));
        }
        let options = self.options?;
        let meter = self.meter.get_or_insert_with(|| Meter::new(options.limits.clone()));
        let before = meter.begin_part();
        let run = Run::ahead_of_time(&self.code, self.tree, self.scope);
        let value = Evaluator::new(meter).quietly(&run, at)?;
        Some((value, meter.end_part(before)))
    }
}

/// The layout of an object whose keys are all known.
fn layout(items: ObjectItems<'_>) -> Option<Layout> {
    let mut names: SmallVec<[Str; 8]> = SmallVec::with_capacity(items.len());
    for item in items.iter() {
        let name = item.key_name().or_else(|| match item.key.kind() {
            ExpressionKind::Text(text) => Some(text),
            _ => None,
        });
        names.push(normalized(name?));
    }
    let (shape, positions) = Shape::with_places(&mut names);
    let place =
        |(position, item): (u32, ObjectItem<'_>)| Place { position, is_literal: item.key_name().is_none() };
    let places = positions.into_iter().zip(items.iter()).map(place).collect();
    Some(Layout { shape, places })
}
