//! The walk itself: which rule applies to an expression, and where problems go.

use hcl_syntax::ast::{Expression, ExpressionKind, Literal};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::source::Span;

use super::conditional::Parts;
use super::error::{self, Problem};
use super::flow::Flow;
use super::locals::{self, DeepNames, Locals};
use super::observe::Observer;
use super::resolver::Lookups;
use super::scope::Scope;
use crate::host::Host;
use crate::limits::{LimitReached, Meter};
use crate::program::{Note, Notes};
use crate::types::Type;
use crate::value::node::Summary;
use crate::value::{Marks, Value};

/// What an evaluation starts with.
#[derive(Copy, Clone, Default)]
pub(crate) struct Surroundings<'a> {
    pub(crate) scope: Option<&'a Scope>,
    pub(crate) slots: &'a [Option<Value>],
    pub(crate) notes: Option<&'a Notes>,
    pub(crate) host: Option<&'a dyn Host>,
    /// Who is asked for slots that are empty.
    pub(crate) lookups: Option<&'a Lookups>,
}

/// An evaluation under way, watched or not.
pub(crate) struct Evaluator<'a> {
    pub(super) given: Surroundings<'a>,
    pub(super) meter: &'a mut Meter,
    pub(super) diagnostics: Diagnostics,
    /// How deep Rust calls nest, to know when to look at the stack.
    pub(super) level: u32,
    /// Above zero nobody will see the values that diagnostics mention, so they are left out.
    pub(super) quiet: u32,
    stopped_at: Option<Span>,
    /// How many splats are at work on the items of others.
    splats: u32,
    pub(super) deep_names: DeepNames,
    /// Who is told what goes on; mostly nobody.
    pub(super) observer: Option<&'a mut dyn Observer>,
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

impl<'a> Evaluator<'a> {
    pub(crate) fn new(surroundings: Surroundings<'a>, meter: &'a mut Meter) -> Self {
        Self {
            given: surroundings,
            meter,
            diagnostics: Vec::new(),
            level: 0,
            quiet: 0,
            stopped_at: None,
            splats: 0,
            deep_names: DeepNames::default(),
            observer: None,
        }
    }

    /// The evaluation with somebody who watches it, for which nothing may have been noted about the expression.
    #[cfg(feature = "explain")]
    pub(crate) fn watched_by(self, observer: &'a mut dyn Observer) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Evaluates a whole expression and reports a limit that was reached.
    pub(crate) fn run(mut self, expression: Expression<'_>) -> (Value, Diagnostics) {
        let value = self.eval(expression, None).into_owned();
        let Some(limit) = self.meter.stopped() else { return (value, self.diagnostics) };
        let span = self.stopped_at.unwrap_or(expression.span());
        self.push(expression, error::limit(limit), span, None, Vec::new());
        (Value::dynamic(), self.diagnostics)
    }

    /// Evaluates an expression as a part of something that reports limits itself.
    pub(crate) fn part(mut self, expression: Expression<'_>) -> (Value, Diagnostics) {
        let value = self.eval(expression, None).into_owned();
        (value, self.diagnostics)
    }

    /// Evaluates an expression and tells nobody about problems.
    pub(crate) fn quietly(mut self, expression: Expression<'_>) -> Option<Value> {
        self.quiet = 1;
        let value = self.eval(expression, None).into_owned();
        (self.diagnostics.is_empty() && self.meter.stopped().is_none()).then_some(value)
    }

    #[inline]
    pub(super) fn note(&self, expression: Expression<'_>) -> &'a Note {
        self.given.notes.map_or(&Note::Plain, |notes| notes.of(expression))
    }

    /// The value of an expression. Problems go to the list of diagnostics; what cannot be known then is
    /// unknown, so that nothing else complains about the same thing.
    #[inline(always)]
    pub(super) fn eval<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        if self.meter.step().is_err() {
            return self.stop_at(expression);
        }
        let note = self.note(expression);
        if note.is_direct()
            && let Some(value) = self.given.noted(note, locals)
        {
            return Flow::Borrowed(value);
        }
        self.eval_other(expression, note, locals)
    }

    /// The value of an expression that is only looked at. It is put into `room`, unless it belongs to somebody else: a
    /// value that is moved as soon as it is there has to be waited for.
    #[inline(always)]
    pub(super) fn look_at<'e, 'r>(
        &mut self,
        expression: Expression<'e>,
        locals: Locals<'e>,
        room: &'r mut Value,
    ) -> &'r Value
    where
        'a: 'e,
        'e: 'r,
    {
        let flow = if self.meter.step().is_err() {
            self.stop_at(expression)
        } else {
            let note = self.note(expression);
            if note.is_direct()
                && let Some(value) = self.given.noted(note, locals)
            {
                return value;
            }
            self.eval_other(expression, note, locals)
        };
        match flow {
            Flow::Borrowed(value) => value,
            Flow::Owned(value) => {
                *room = value;
                room
            }
        }
    }

    /// The value of an expression that no note leads straight to.
    #[inline(never)]
    fn eval_other<'e>(&mut self, expression: Expression<'e>, note: &'a Note, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        match note {
            Note::Binary { .. } => self.operate_noted(expression, note, locals),
            Note::Conditional { .. } => self.choose_noted(expression, note, locals),
            _ => self.eval_plain(expression, note, locals),
        }
    }

    /// The value of an expression whose operands are not noted; of any, if somebody watches.
    #[inline(never)]
    fn eval_plain<'e>(&mut self, expression: Expression<'e>, note: &'a Note, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        match self.observer {
            None => self.eval_unseen(expression, note, locals),
            Some(_) => self.watched(expression, locals),
        }
    }

    /// The value of an expression whose operands are not noted, of which nobody is told.
    #[inline]
    pub(super) fn eval_unseen<'e>(
        &mut self,
        mut expression: Expression<'e>,
        mut note: &'a Note,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        loop {
            let inner = match *note {
                Note::Binary { .. } | Note::Conditional { .. } => {
                    return self.eval_other(expression, note, locals);
                }
                Note::Function(_) => return self.call(expression, locals),
                Note::Same(inner) => expression.tree().expression(inner),
                _ => match expression.kind() {
                    kind @ (ExpressionKind::Interpolation(inner) | ExpressionKind::Parentheses(inner)) => {
                        if let Some(text) = self.whole_left_as_text(kind, locals) {
                            return Value::string(text).into();
                        }
                        inner
                    }
                    kind => return self.eval_kind(expression, kind, locals),
                },
            };
            expression = inner;
            if self.meter.step().is_err() {
                return self.stop_at(expression);
            }
            note = self.note(expression);
            if note.is_direct()
                && let Some(value) = self.given.noted(note, locals)
            {
                return Flow::Borrowed(value);
            }
        }
    }

    /// The value of an expression of which nothing is noted but perhaps what it needs.
    #[inline(never)]
    fn eval_kind<'e>(
        &mut self,
        expression: Expression<'e>,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        match kind {
            ExpressionKind::Traversal(traversal) => self.traversal(expression, traversal, locals),
            ExpressionKind::Text(text) => Value::string(text).into(),
            ExpressionKind::Number(digits) => Value::of_digits(digits).into(),
            ExpressionKind::Bool(value) => Value::bool(value).into(),
            ExpressionKind::Null => Value::null(Type::Dynamic).into(),
            ExpressionKind::SplatItem => locals::item(locals).map_or_else(Flow::dynamic, Flow::Borrowed),
            ExpressionKind::Unfinished(diagnostics) => {
                self.diagnostics.extend_from_slice(diagnostics);
                Flow::dynamic()
            }
            ExpressionKind::Invalid => Flow::dynamic(),
            ExpressionKind::Call(_) => self.call(expression, locals),
            _ => self.compound(expression, kind, locals),
        }
    }

    /// The value of an expression with operands.
    #[inline]
    fn compound<'e>(
        &mut self,
        expression: Expression<'e>,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if self.is_time_to_look() {
            return self.on_enough_stack(move |this| this.compound_below(expression, kind, locals));
        }
        self.level += 1;
        let flow = match kind {
            ExpressionKind::Template(_)
            | ExpressionKind::Tuple(_)
            | ExpressionKind::Object(_)
            | ExpressionKind::For(_) => self.nested(expression, kind, locals),
            _ => self.chained(expression, kind, locals),
        };
        self.level -= 1;
        flow
    }

    #[inline(never)]
    fn compound_below<'e>(
        &mut self,
        expression: Expression<'e>,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        self.compound(expression, kind, locals)
    }

    /// The value of what can nest without bound, and so counts as a level for the limit.
    #[inline]
    fn nested<'e>(
        &mut self,
        expression: Expression<'e>,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        self.as_level(expression, |this| match kind {
            ExpressionKind::Template(parts) => this.template(expression, parts, locals),
            ExpressionKind::Tuple(elements) => this.tuple(expression, elements, locals),
            ExpressionKind::Object(items) => this.object(expression, items, locals),
            ExpressionKind::For(names) => this.for_expression(expression, names, locals),
            _ => Flow::dynamic(),
        })
    }

    /// What `work` gives for an expression, counted as a level for the limit and held against the other limits. It is two
    /// checks around `work`, which the result should not pass through memory for.
    #[inline(always)]
    pub(super) fn as_level<'e>(
        &mut self,
        expression: Expression<'e>,
        work: impl FnOnce(&mut Self) -> Flow<'e>,
    ) -> Flow<'e> {
        if let Err(limit) = self.meter.enter() {
            self.note_stop(expression, limit);
            return Flow::dynamic();
        }
        let flow = work(self);
        self.meter.leave();
        if flow.is_light() { flow } else { self.bounded(flow, expression) }
    }

    /// Whether it is time to see if there is enough stack, which [`Evaluator::on_enough_stack`] does.
    ///
    /// Each kind of expression asks by itself: one function that took the work as a closure would pass what the closure
    /// holds through memory, at every level.
    #[inline]
    pub(super) fn is_time_to_look(&self) -> bool {
        self.level % LEVELS_PER_LOOK == LEVELS_PER_LOOK - 1
    }

    /// Goes a level down the Rust stack, and on with more of it if little is left.
    #[cold]
    #[inline(never)]
    pub(super) fn on_enough_stack<'e>(&mut self, evaluate: impl FnOnce(&mut Self) -> Flow<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        self.level += 1;
        let flow = stacker::maybe_grow(RED_ZONE, SEGMENT, || evaluate(self));
        self.level -= 1;
        flow
    }

    /// A value, unless there is too much of it.
    #[inline(never)]
    pub(super) fn bounded<'e>(&mut self, flow: Flow<'e>, expression: Expression<'e>) -> Flow<'e> {
        let limits = self.meter.limits();
        let Summary { weight, depth, .. } = flow.summary();
        if u64::from(weight) > limits.max_elements {
            let limit = LimitReached::Elements(limits.max_elements);
            return self.too_large(expression, limit);
        }
        if depth > limits.max_depth.max(MAX_VALUE_DEPTH) {
            let limit = LimitReached::Depth(limits.max_depth.max(MAX_VALUE_DEPTH));
            return self.too_large(expression, limit);
        }
        flow
    }

    /// The value of another expression with operands.
    #[inline(never)]
    fn chained<'e>(
        &mut self,
        expression: Expression<'e>,
        kind: ExpressionKind<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        match kind {
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(expression, operator, [left, right], locals)
            }
            ExpressionKind::Unary { .. } => self.unary(expression, locals),
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                let parts = Parts { whole: expression, condition, when_true, when_false };
                self.conditional(parts, locals)
            }
            ExpressionKind::Index { collection, key, brackets } => {
                self.index(expression, [collection, key], brackets, locals)
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                self.relative_traversal(expression, source, steps, locals)
            }
            ExpressionKind::TemplateFor(inner) => self.template_for(expression, inner, locals),
            ExpressionKind::Splat(splat) => {
                if let Err(limit) = self.enter_splat() {
                    self.note_stop(expression, limit);
                    return Flow::dynamic();
                }
                let flow = self.splat(expression, splat, locals);
                self.splats -= 1;
                self.bounded(flow, expression)
            }
            _ => Flow::dynamic(),
        }
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

    /// Gives up because of a value that nobody could look at: it shares its parts too often, or nests too deep.
    #[cold]
    fn too_large<'e>(&mut self, expression: Expression<'e>, limit: LimitReached) -> Flow<'e> {
        let limit = self.meter.stop(limit);
        self.note_stop(expression, limit);
        Flow::dynamic()
    }

    /// Charges for looking at all of a value.
    #[inline]
    pub(super) fn charge_walk(&mut self, value: &Value, expression: Expression<'_>) {
        if !value.is_light() {
            self.charge_long_walk(value, expression);
        }
    }

    #[inline(never)]
    fn charge_long_walk(&mut self, value: &Value, expression: Expression<'_>) {
        let work = value.weight() / WEIGHT_PER_STEP;
        if work > 0
            && let Err(limit) = self.meter.walk(u64::from(work), u64::from(value.weight()))
        {
            self.note_stop(expression, limit);
        }
    }

    /// The value of a literal that is the key of a step.
    #[inline]
    pub(super) fn literal<'e>(&self, key: Expression<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        if let (Some(notes), Note::Constant(index)) = (self.given.notes, self.note(key))
            && let Some(value) = notes.constant(*index)
        {
            return Flow::Borrowed(value);
        }
        match literal_value(key) {
            Some(value) => value.into(),
            None => Flow::dynamic(),
        }
    }

    #[cold]
    pub(super) fn stop_at<'e>(&mut self, expression: Expression<'_>) -> Flow<'e> {
        self.stopped_at(expression);
        Flow::dynamic()
    }

    /// Remembers where a limit was reached.
    #[cold]
    pub(super) fn stopped_at(&mut self, expression: Expression<'_>) {
        self.stopped_at.get_or_insert(expression.span());
    }

    /// Remembers where a limit was reached.
    #[cold]
    pub(super) fn note_stop(&mut self, expression: Expression<'_>, _limit: LimitReached) {
        self.stopped_at.get_or_insert(expression.span());
    }

    /// Whether a limit has been reached, so that work is to be wound down.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.meter.stopped().is_some()
    }

    /// Reports a problem at `subject`. The values of the variables in `about` are mentioned with it.
    #[cold]
    pub(super) fn report<'e>(
        &mut self,
        problem: Problem,
        place: Place,
        about: Expression<'e>,
        locals: Locals<'e>,
    ) where
        'a: 'e,
    {
        if self.stopped() {
            return;
        }
        let values = if self.quiet > 0 { Vec::new() } else { self.values_in(about, locals) };
        self.push(about, problem, place.subject, place.context, values);
        let limit = self.meter.limits().max_diagnostics;
        if self.diagnostics.len() >= limit as usize {
            self.meter.stop(LimitReached::Diagnostics(limit));
            self.stopped_at.get_or_insert(place.subject);
        }
    }

    /// Takes values out of the diagnostics from a number on, if these marks say that they must not be shown.
    pub(super) fn redact_since(&mut self, first: usize, marks: &Marks) {
        if marks.is_empty() || self.diagnostics.len() == first || !marks.hide() {
            return;
        }
        for diagnostic in self.diagnostics.iter_mut().skip(first) {
            if !diagnostic.code.starts_with("limit.") {
                HIDDEN_DETAIL.clone_into(&mut diagnostic.detail);
                for value in &mut diagnostic.values {
                    NOT_SHOWN.clone_into(&mut value.description);
                }
            }
        }
    }

    fn push(
        &mut self,
        within: Expression<'_>,
        problem: Problem,
        subject: Span,
        context: Option<Span>,
        values: Vec<hcl_syntax::diagnostic::NamedValue>,
    ) {
        let source = within.tree().source();
        let Problem { code, summary, detail } = problem;
        let mut diagnostic = Diagnostic::error(code, summary, detail).at(source, subject);
        if let Some(context) = context {
            diagnostic = diagnostic.within(source, context);
        }
        diagnostic.values = values;
        self.diagnostics.push(diagnostic);
    }
}

/// What is told of a problem with an element of a collection that must not be shown.
const HIDDEN_DETAIL: &str = "This happens with an element of a collection that is sensitive or ephemeral, so what was \
                             found is not shown. Use nonsensitive() around the collection where it may be seen.";

/// What is told of a name's value then: it may be, or come from, the element.
const NOT_SHOWN: &str = "is not shown";

/// Where a problem is.
#[derive(Copy, Clone)]
pub(super) struct Place {
    subject: Span,
    context: Option<Span>,
}

impl Place {
    pub(super) fn at(subject: Span) -> Self {
        Self { subject, context: None }
    }

    pub(super) fn within(subject: Span, context: Span) -> Self {
        Self { subject, context: Some(context) }
    }
}

/// The value of a literal.
pub(crate) fn literal_value(expression: Expression<'_>) -> Option<Value> {
    let value = match expression.literal()? {
        Literal::Text(text) => Value::string(text),
        Literal::Number(digits) => Value::of_digits(digits),
        Literal::Bool(value) => Value::bool(value),
        Literal::Null => Value::null(Type::Dynamic),
    };
    Some(value)
}
