//! Lowering: names to slots, functions and bindings; literals to values; constant parts to their value.
//!
//! For a program all of that is done. An evaluation that happens once leaves to itself what it does only once: it makes
//! literals and looks names up where they stand, folds nothing and reports nothing. What is inside a `for` or a splat
//! is done again and again, so its names are found beforehand there too.

mod call;
mod chain;
mod container;
mod fold;
mod names;
mod room;

use std::mem;

use hcl_syntax::ast::{Expression, ExpressionKind, ForExpression, Literal, Tree};
use hcl_syntax::diagnostic::Diagnostics;

use smallvec::SmallVec;

use self::chain::Open;
use super::CompileOptions;
use super::code::{Base, Code, List, NONE, Node, Op, OpId, Path, index};
use crate::eval::{DeepNames, RED_ZONE, SEGMENT, Scope, is_long_number, value_of};
use crate::limits::{Limits, Meter};
use crate::value::Value;

/// The result of lowering for a program.
pub(super) struct Compiled {
    pub(super) code: Code,
    pub(super) needs: Needs,
    pub(super) diagnostics: Diagnostics,
}

/// Slots; mostly a few.
pub(super) type Needs = SmallVec<[usize; 2]>;

/// How many operations there is room for at once.
const MOST_AT_FIRST: usize = 256;

/// From so many bytes of text on an expression may take much memory.
const LONG: u32 = 1 << 12;

/// How many links of chains are open before room for more is asked for.
const N_OPEN: usize = 8;

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
    /// The meter of the evaluation that happens once, or one that knows of no bound but the system's memory.
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
    // Nothing bounds a program but the memory of the system, which a short expression has in the reserve.
    let mut unbounded = None;
    let mut lowering = Lowering::new(expression, Some(scope), Some(options), Code::default());
    if expression.span().len() >= LONG {
        let limits = Limits { max_memory: u64::MAX, ..Limits::default() };
        lowering.watch = Some(unbounded.insert(Meter::new(limits)));
    }
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
        self.ask_for_operands(operands.len());
        if self.is_over {
            return List::default();
        }
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
    #[inline(always)] // By a call `compile` takes 2.8 % more instructions.
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

    fn literal(&mut self, expression: Expression<'t>, literal: Literal<'t>) -> OpId {
        if self.is_kept() && !is_long_number(literal) {
            let value = self.add(value_of(literal));
            return self.push(expression, Node::constant(value));
        }
        self.push(expression, Node::Literal)
    }

    /// True if a problem with this expression is told, and not left to the evaluation.
    fn is_reported(&self, expression: Expression<'_>) -> bool {
        let Some(options) = self.options else { return false };
        let most = options.limits.max_diagnostics as usize;
        expression.id().index() >= self.lazy_below && self.diagnostics.len() < most
    }
}
