//! The evaluator: which rule applies to an operation, and where it ends at a limit.

use std::mem;

use hcl_syntax::ast::{Expression, ExpressionKind, Tree};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::source::Span;
use hcl_syntax::stack;
use smallvec::{Array, SmallVec};

use super::condition::{Readable, View};
use super::error;
use super::flow::Flow;
use super::literal::{is_long_literal, literal_value};
use super::locals::{DeepNames, Locals};
use super::observe::Observer;
use super::report::Place;
use super::resolver::Lookups;
use crate::function::Scope;
use crate::host::{Host, User};
use crate::limits::{LimitReached, Meter};
use crate::program::{Base, Code, Node, Op, OpId, lower_once};
use crate::value::Value;
use crate::value::node::Summary;

/// The inputs that an evaluation starts with.
#[derive(Copy, Clone, Default)]
pub(crate) struct Surroundings<'a> {
    pub(crate) scope: Option<&'a Scope>,
    pub(crate) slots: &'a [Option<Value>],
    pub(crate) host: Option<&'a dyn Host>,
    /// The resolver of slots that are empty.
    pub(crate) lookups: Option<&'a Lookups>,
    /// The host's user data for its functions.
    pub(crate) user: Option<&'a User>,
}

/// Code, with what it runs in.
#[derive(Copy, Clone)]
pub(crate) struct Run<'a> {
    readable: Readable<'a>,
    /// Where its expressions are.
    pub(crate) tree: &'a Tree,
    pub(crate) given: Surroundings<'a>,
    /// Constants are found for a program: those that are their parts have been counted.
    pub(super) is_ahead: bool,
}

/// Code that runs, with the names that are bound at the moment.
#[derive(Copy, Clone)]
pub(crate) struct Env<'e> {
    pub(super) run: &'e Run<'e>,
    pub(super) locals: Locals<'e>,
}

/// An evaluation under way, watched or not.
pub(crate) struct Evaluator<'m> {
    pub(super) meter: &'m mut Meter,
    pub(super) diagnostics: Diagnostics,
    /// How deep Rust calls nest, to know when to look at the stack.
    pub(super) level: u32,
    /// Above zero nobody will see the values that diagnostics mention, so they are left out.
    pub(super) quiet: u32,
    pub(super) stopped_at: Option<Span>,
    /// How many splats are at work on the items of others.
    splats: u32,
    pub(super) deep_names: DeepNames,
    /// The observer; mostly there is none.
    pub(super) observer: Option<&'m mut dyn Observer>,
}

/// Between two looks at the stack lie at most this many levels, of which each takes some kilobytes.
const LEVELS_PER_LOOK: u32 = 8;
/// Stack that must be left at a look.
pub(crate) const RED_ZONE: usize = 192 * 1024;
/// How deep values may nest at least. They get deeper than expressions when a host passes results back in.
const MAX_VALUE_DEPTH: u32 = 10_000;
/// How much of a value is looked at for a step. A walk is a matter of few instructions for each part.
const WEIGHT_PER_STEP: u32 = 64;
/// Size of each further piece of stack.
pub(crate) const SEGMENT: usize = 2 * 1024 * 1024;

impl<'a> Run<'a> {
    pub(crate) fn new(code: &'a Code, tree: &'a Tree, given: Surroundings<'a>) -> Self {
        Self { readable: Readable { code, slots: given.slots }, tree, given, is_ahead: false }
    }

    /// Code of which constant parts are evaluated while it is made.
    pub(crate) fn ahead_of_time(code: &'a Code, tree: &'a Tree, scope: Option<&'a Scope>) -> Self {
        let given = Surroundings { scope, ..Surroundings::default() };
        Self { is_ahead: true, ..Self::new(code, tree, given) }
    }
}

impl<'e> Env<'e> {
    pub(super) fn given(self) -> &'e Surroundings<'e> {
        &self.run.given
    }

    pub(super) fn op(self, at: OpId) -> &'e Op {
        self.code().op(at)
    }

    pub(super) fn code(self) -> &'e Code {
        self.run.readable.code
    }

    /// The part of it that is read without an evaluator.
    pub(super) fn view(self) -> View<'e> {
        View { readable: &self.run.readable, locals: self.locals }
    }

    /// The expression that an operation comes from.
    pub(super) fn source(self, at: OpId) -> Expression<'e> {
        self.run.tree.expression(self.op(at).source)
    }

    /// The expression with what surrounds it without changing its meaning.
    pub(super) fn written(self, at: OpId) -> Expression<'e> {
        self.run.tree.expression(self.op(at).written)
    }

    /// The expression that an operand of a container is written as.
    pub(super) fn operand(self, at: OpId) -> Expression<'e> {
        match at.literal() {
            Some(literal) => self.run.tree.expression(literal),
            None => self.written(at),
        }
    }

    /// Returns true if an operation is a link of a chain: the one that it is an operand of counts its step.
    pub(super) fn is_link(self, at: OpId) -> bool {
        self.op(at).cost == 0
    }

    /// An environment of the code with other bindings.
    pub(super) fn with(self, locals: Locals<'e>) -> Self {
        Self { locals, ..self }
    }
}

impl<'m> Evaluator<'m> {
    pub(crate) fn new(meter: &'m mut Meter) -> Self {
        Self {
            meter,
            diagnostics: Vec::new(),
            // Within a callback the first level looks.
            level: if stack::is_of_callback() { LEVELS_PER_LOOK - 1 } else { 0 },
            quiet: 0,
            stopped_at: None,
            splats: 0,
            deep_names: DeepNames::default(),
            observer: None,
        }
    }

    /// The evaluation with an observer.
    #[cfg(feature = "explain")]
    pub(crate) fn watched_by(self, observer: &'m mut dyn Observer) -> Self {
        Self { observer: Some(observer), ..self }
    }
}

impl Evaluator<'_> {
    /// Evaluates an expression once with nobody watching, as [`Evaluator::run_once`] does.
    pub(crate) fn once(
        meter: &mut Meter,
        expression: Expression<'_>,
        given: Surroundings<'_>,
        room: &mut Code,
    ) -> (Value, Diagnostics) {
        // Most attributes of a file are literals, which making room for would cost more than making them.
        if !is_long_literal(expression)
            && let Some(value) = literal_value(expression)
            && meter.afford(1)
        {
            return (value, Diagnostics::new());
        }
        Evaluator::new(meter).run_once(expression, given, room)
    }

    /// Evaluates an expression once and reports a limit that was reached. `room` is where it is lowered.
    pub(crate) fn run_once(
        self,
        expression: Expression<'_>,
        given: Surroundings<'_>,
        room: &mut Code,
    ) -> (Value, Diagnostics) {
        lower_once(expression, given.scope, room, self.observer.is_some(), self.meter);
        let mut said = Diagnostics::new();
        let value = self.run(&Run::new(room, expression.tree(), given), &mut said);
        room.clear();
        (value, said)
    }

    /// Evaluates code and reports a limit that was reached; diagnostics are appended to a list. A part of its callers, which
    /// have the evaluator: 122 instructions for a conditional with what stands around this, and 154 where it is a call.
    #[inline(always)]
    pub(crate) fn run(mut self, run: &Run<'_>, said: &mut Diagnostics) -> Value {
        let env = Env { run, locals: None };
        let root = run.readable.code.root();
        let mut value = self.make(root, env.op(root), env);
        if let Some(limit) = self.meter.stopped() {
            value = self.limited(limit, env.written(root));
        }
        let Self { mut diagnostics, deep_names, .. } = self;
        deep_names.discard();
        if diagnostics.capacity() == 0 {
            // A list that was never filled has no memory to give back.
            mem::forget(diagnostics);
        } else {
            said.append(&mut diagnostics);
        }
        value
    }

    /// The answer when a limit was reached.
    fn limited(&mut self, limit: LimitReached, whole: Expression<'_>) -> Value {
        let span = self.stopped_at.unwrap_or(whole.span());
        self.push(whole, error::limit(limit), span, None, Vec::new());
        Value::dynamic()
    }

    /// Evaluates an expression once, as a part of something that reports limits itself.
    pub(crate) fn part(
        mut self,
        expression: Expression<'_>,
        given: Surroundings<'_>,
    ) -> (Value, Diagnostics) {
        let mut code = Code::default();
        lower_once(expression, given.scope, &mut code, self.observer.is_some(), self.meter);
        let run = Run::new(&code, expression.tree(), given);
        let value = self.eval_seldom(code.root(), Env { run: &run, locals: None }).into_owned();
        (value, self.diagnostics)
    }

    /// Evaluates an operation and tells nobody about problems.
    pub(crate) fn quietly(mut self, run: &Run<'_>, at: OpId) -> Option<Value> {
        self.quiet = 1;
        let value = self.eval_seldom(at, Env { run, locals: None }).into_owned();
        (self.diagnostics.is_empty() && self.meter.stopped().is_none()).then_some(value)
    }

    /// The value of an operation. Problems go to the list of diagnostics; what cannot be known then is
    /// unknown, so that nothing else complains about the same thing.
    #[inline(always)] // By calls of this, of `eval_owned` and of `View::direct`, `for_group_1000` takes 22 % more instructions.
    pub(super) fn eval<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let op = env.op(at);
        match self.reach(op, env) {
            Some(value) => Flow::Borrowed(value),
            None => self.eval_other(at, op, env),
        }
    }

    /// [`Evaluator::eval`] where little work is done around it: each of its copies takes half a kilobyte.
    pub(super) fn eval_seldom<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        self.eval(at, env)
    }

    /// The value of an operation, to be kept.
    #[inline(always)] // By a call `for_group_1000` takes 9 % more instructions, and `for_filter_1000` 3.
    pub(super) fn eval_owned(&mut self, at: OpId, op: &Op, env: Env<'_>) -> Value {
        match self.reach(op, env) {
            Some(value) => value.clone(),
            None => self.make(at, op, env),
        }
    }

    /// The value that an operation leads straight to, if that is there and may be taken.
    #[inline(always)] // By a call `for_group_1000` takes 13 % more instructions.
    pub(super) fn reach<'e>(&mut self, op: &Op, env: Env<'e>) -> Option<&'e Value> {
        if self.observer.is_some() { None } else { env.view().reach(op, self.meter) }
    }

    /// The value of an operation that does not lead straight to one.
    pub(super) fn eval_other<'e>(&mut self, at: OpId, op: &Op, env: Env<'e>) -> Flow<'e> {
        if self.is_direct_call(op) {
            return Flow::Owned(self.direct_call(at, op, env));
        }
        match self.at_once(op, env) {
            Some(result) => Flow::Owned(result),
            None => self.begin(at, op, env),
        }
    }

    /// The value of such an operation, to be kept: what may be borrowed is looked at and moved once more, by seven instructions.
    #[inline(never)] // Inlined, it makes `for_group_1000` take 0.9 % more instructions.
    fn make(&mut self, at: OpId, op: &Op, env: Env<'_>) -> Value {
        if self.is_direct_call(op) { self.direct_call(at, op, env) } else { self.make_other(at, op, env) }
    }

    #[inline(never)] // Inlined, it makes `for_nested_10x10` take 2.4 % more instructions.
    fn make_other(&mut self, at: OpId, op: &Op, env: Env<'_>) -> Value {
        match self.at_once(op, env) {
            Some(result) => result,
            None => self.begin(at, op, env).into_owned(),
        }
    }

    /// Returns true for a call of arguments that lead straight to values, which nobody watches.
    fn is_direct_call(&self, op: &Op) -> bool {
        matches!(op.node, Node::Call { direct: 1.., .. }) && self.observer.is_none()
    }

    /// The value of an operation by a short way, if there is one.
    #[inline(always)] // By a call `for_nested_10x10` takes 3 % more instructions.
    fn at_once(&mut self, op: &Op, env: Env<'_>) -> Option<Value> {
        if self.observer.is_some() { None } else { env.view().direct_result(op, self.meter) }
    }

    /// The value of an operation that leads to none by a short way.
    pub(super) fn begin<'e>(&mut self, at: OpId, op: &Op, env: Env<'e>) -> Flow<'e> {
        if let Node::Folded { value, usage } = op.node {
            self.folded(at, [value, usage], env)
        } else if let Node::Record { direct: true, .. } = op.node
            && let Some(object) = self.record_at_once(op, env)
        {
            Flow::Owned(object)
        } else if !self.meter.afford(u64::from(op.cost - op.path_cost)) {
            self.unaffordable(at, env)
        } else if self.observer.is_some() {
            self.watched(at, env)
        } else {
            self.proceed(at, op, env)
        }
    }

    /// The value of an operation whose steps have been counted and of which an observer has been told.
    pub(super) fn proceed<'e>(&mut self, at: OpId, op: &Op, env: Env<'e>) -> Flow<'e> {
        if self.level % LEVELS_PER_LOOK == LEVELS_PER_LOOK - 1 {
            return self.on_enough_stack(move |this| this.proceed(at, op, env));
        }
        self.level += 1;
        let flow = self.dispatch(at, op, env);
        self.level -= 1;
        flow
    }

    /// The one place that decides what an operation does. It is a part of its only caller, which would otherwise hand
    /// each result on in memory.
    #[inline(always)] // By a call the library is 1 KB larger.
    fn dispatch<'e>(&mut self, at: OpId, op: &Op, env: Env<'e>) -> Flow<'e> {
        match op.node {
            Node::Literal => self.literal(at, env),
            Node::Direct { base: Base::Constant, .. } => {
                env.code().constant(at).map_or_else(Flow::dynamic, Flow::Borrowed)
            }
            Node::Direct { base: Base::Item, .. } => self.item(at, env),
            Node::Direct { .. } | Node::Name => self.variable(at, env),
            Node::Folded { value, usage } => self.folded(at, [value, usage], env),
            Node::Invalid | Node::KeyName | Node::AmbiguousKey => Flow::dynamic(),
            Node::Unfinished => self.unfinished(at, env),
            Node::Interpolation(inner) => self.interpolation(inner, env),
            Node::Unary { .. } => self.unary(at, env),
            Node::Binary { .. } => self.binary(at, env),
            Node::Conditional { .. } => self.conditional(at, env),
            Node::Index { .. } | Node::Steps(_) => self.access(at, env),
            Node::Call { .. } => self.as_level(at, env, |this| this.call(at, env)),
            Node::Tuple(elements) => self.as_level(at, env, |this| this.tuple(at, elements, env)),
            Node::Object(items) => self.as_level(at, env, |this| this.object(at, items, env)),
            Node::JsonObject(items) => self.as_level(at, env, |this| this.json_object(at, items, env)),
            Node::Record { layout, values, .. } => {
                self.as_level(at, env, |this| this.record(at, layout, values, env))
            }
            Node::Template { parts, .. } => self.as_level(at, env, |this| this.template(at, parts, env)),
            Node::For(parts) => self.as_level(at, env, |this| this.for_expression(at, None, parts, env)),
            Node::TemplateFor(inner) => self.template_for(at, inner, env),
            Node::Splat { source, each } => {
                if self.enter_splat().is_err() {
                    return self.stop_at(at, env);
                }
                let flow = self.splat(at, [source, each], env);
                self.splats -= 1;
                if self.is_bounded(&flow, at, env) { flow } else { Flow::dynamic() }
            }
        }
    }

    /// A value that was found ahead of time, if there is left what it used; else the limit is met where it lies.
    fn folded<'e>(&mut self, at: OpId, [value, usage]: [u32; 2], env: Env<'e>) -> Flow<'e> {
        let code = env.code();
        let (value, usage) = (&code.values[value as usize], &code.usages[usage as usize]);
        if env.run.is_ahead || self.meter.afford_again(env.op(at).cost.into(), usage) {
            return Flow::Borrowed(value);
        }
        self.unfolded(at, env)
    }

    fn unfolded<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut code = Code::default();
        lower_once(env.written(at), env.given().scope, &mut code, self.observer.is_some(), self.meter);
        let op = env.op(at);
        let all_steps = match op.node {
            Node::Folded { usage, .. } => env.code().usages[usage as usize].steps,
            Node::Direct { path, .. } => path.first.into(),
            _ => 0,
        };
        // The step of a link has been counted by the chain that it is in.
        if u64::from(op.cost) < all_steps
            && let Some(root) = code.ops.last_mut()
        {
            root.cost = root.cost.saturating_sub(1);
        }
        let run = Run { readable: Readable { code: &code, ..env.run.readable }, ..*env.run };
        Flow::Owned(self.eval_seldom(code.root(), Env { run: &run, locals: None }).into_owned())
    }

    fn unfinished<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let expression = env.source(at);
        if let ExpressionKind::Unfinished(diagnostics) = expression.kind() {
            for diagnostic in diagnostics {
                if self.stopped() {
                    break;
                }
                let diagnostic = diagnostic.clone();
                // One that stands for those that were left out has no place.
                let diagnostic = match diagnostic.subject {
                    Some(_) => diagnostic,
                    None => self.meter.placed(diagnostic, expression.tree().source(), expression.span()),
                };
                self.diagnostics.push(diagnostic);
                self.count_diagnostics(Place::at(expression.span()));
            }
        }
        Flow::dynamic()
    }

    /// Gives up at an operation whose steps are not there.
    fn unaffordable<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        match env.op(at).node {
            // A constant that was calculated ahead of time: the limit is met where it lies.
            Node::Direct { base: Base::Constant, .. } if env.source(at).literal().is_none() => {
                self.unfolded(at, env)
            }
            _ => self.stop_within(at, env),
        }
    }

    /// Gives up at an operation whose steps are not there: at the innermost that the last of them is for.
    pub(super) fn stop_within<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut expression = env.written(at);
        while self.meter.step().is_ok() {
            expression = match expression.kind() {
                ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) => inner,
                ExpressionKind::RelativeTraversal { source, .. } => source,
                _ => break,
            };
        }
        self.stopped_at.get_or_insert(expression.span());
        Flow::dynamic()
    }

    /// The result of `work` for an operation, counted as a level for the limit and held against the other limits. It is two
    /// checks around `work`, which the result should not pass through memory for.
    fn as_level<'e>(&mut self, at: OpId, env: Env<'e>, work: impl FnOnce(&mut Self) -> Flow<'e>) -> Flow<'e> {
        if self.meter.enter().is_err() {
            return self.stop_at(at, env);
        }
        let flow = work(self);
        self.meter.leave();
        if flow.is_light() || self.is_bounded(&flow, at, env) { flow } else { Flow::dynamic() }
    }

    /// Goes a level down the Rust stack, and on with more of it if little is left.
    fn on_enough_stack<'e>(&mut self, evaluate: impl FnOnce(&mut Self) -> Flow<'e>) -> Flow<'e> {
        self.level += 1;
        let flow = stack::ensure(RED_ZONE, SEGMENT, || evaluate(self));
        self.level -= 1;
        flow
    }

    /// Returns false, and ends the evaluation, if there is too much of a value: it shares its parts too often, or nests too deep.
    pub(super) fn is_bounded(&mut self, value: &Value, at: OpId, env: Env<'_>) -> bool {
        let Summary { weight, depth, .. } = value.summary();
        let is_allowed = self.meter.allows(weight);
        let limits = self.meter.limits();
        let deepest = limits.max_depth.max(MAX_VALUE_DEPTH);
        let limit = if !is_allowed {
            LimitReached::Elements(limits.max_elements)
        } else if depth > deepest {
            LimitReached::Depth(deepest)
        } else {
            return true;
        };
        self.meter.stop(limit);
        self.stopped_at(at, env);
        false
    }

    /// Splats in a row are a chain and no nesting, but what they make nests, and values do so only so deep.
    fn enter_splat(&mut self) -> Result<(), LimitReached> {
        let deepest = self.meter.limits().max_depth.max(MAX_VALUE_DEPTH);
        if self.splats >= deepest {
            return Err(self.meter.stop(LimitReached::Depth(deepest)));
        }
        self.splats += 1;
        Ok(())
    }

    /// Asks for what one more link takes of a chain that is gone through; false if a limit has been reached.
    pub(super) fn hold_link<A: Array>(&mut self, chain: &SmallVec<A>) -> bool {
        let n_grown = if chain.len() < chain.capacity() { 0 } else { 2 * chain.capacity() };
        n_grown == 0 || self.meter.hold_parts(n_grown, size_of::<A::Item>()).is_ok()
    }

    /// Charges for looking at all of a value.
    pub(super) fn charge_walk(&mut self, value: &Value, at: OpId, env: Env<'_>) {
        if !value.is_light() {
            self.charge_long_walk(value, at, env);
        }
    }

    #[inline(never)] // Inlined, it makes `merge` take 1.2 % more instructions.
    fn charge_long_walk(&mut self, value: &Value, at: OpId, env: Env<'_>) {
        let work = value.weight() / WEIGHT_PER_STEP;
        if work > 0 && self.meter.steps(u64::from(work)).is_err() {
            self.stopped_at(at, env);
        }
    }

    pub(super) fn stop_at<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        self.stopped_at(at, env);
        Flow::dynamic()
    }

    /// Remembers where a limit was reached.
    #[cold] // Without it `for_group_1000` takes 0.9 % more instructions.
    pub(super) fn stopped_at(&mut self, at: OpId, env: Env<'_>) {
        self.stopped_by(env.source(at));
    }

    /// Remembers where a limit was reached.
    pub(super) fn stopped_by(&mut self, expression: Expression<'_>) {
        self.stopped_at.get_or_insert(expression.span());
    }

    /// Returns whether a limit has been reached, so that work is to be wound down.
    pub(super) fn stopped(&self) -> bool {
        self.meter.stopped().is_some()
    }
}
