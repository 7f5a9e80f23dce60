//! Frames: the changing part of an evaluation.

use std::sync::Arc;

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::source::{Source, Span};

use super::{Evaluation, Evaluator, Keep, Lookups, Resolver, Scope, Surroundings, User};
use crate::host::Host;
use crate::limits::{LimitReached, Limits, Meter, Usage};
use crate::program::Code;
use crate::value::Value;

/// The values of a scope's slots, with the limits of evaluations that use them. For one thread at a time;
/// setting a slot allocates nothing.
///
/// ```
/// use hcl_eval::eval::{Frame, Scope};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let mut builder = Scope::builder();
/// let user = builder.slot("user");
/// let scope = builder.build();
/// let parsed: ParsedExpression = "\"Hello, ${user}!\"".parse()?;
///
/// let mut frame = Frame::new(&scope);
/// for (name, greeting) in [("Ann", "Hello, Ann!"), ("Bob", "Hello, Bob!")] {
///     frame.set(user, Some(name.into()));
///     let (value, _) = frame.evaluate(parsed.expression(), &scope);
///     assert_eq!(value.as_str(), Some(greeting));
/// }
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub struct Frame {
    pub(crate) slots: Vec<Option<Value>>,
    pub(crate) meter: Meter,
    pub(crate) host: Option<Arc<dyn Host>>,
    pub(crate) lookups: Option<Lookups>,
    user: Option<User>,
    /// Where expressions are lowered that are evaluated once.
    room: Code,
}

impl Frame {
    /// A frame of empty slots.
    pub fn new(scope: &Arc<Scope>) -> Self {
        Self::with_limits(scope, Limits::default())
    }

    /// A frame of empty slots with limits.
    pub fn with_limits(scope: &Arc<Scope>, limits: Limits) -> Self {
        Self {
            slots: vec![None; scope.n_slots()],
            meter: Meter::new(limits),
            host: None,
            lookups: None,
            user: None,
            room: Code::default(),
        }
    }

    /// Sets a slot; `None` empties it. A slot that the scope does not have is ignored.
    pub fn set(&mut self, slot: usize, value: Option<Value>) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    /// The value of a slot.
    pub fn get(&self, slot: usize) -> Option<&Value> {
        self.slots.get(slot)?.as_ref()
    }

    /// Empties all slots, and forgets what a resolver said of them.
    pub fn reset(&mut self) {
        self.slots.fill(None);
        if let Some(lookups) = &mut self.lookups {
            lookups.forget();
        }
    }

    /// The limits of evaluations.
    pub fn limits(&self) -> &Limits {
        self.meter.limits()
    }

    /// The limits of later evaluations.
    pub fn limits_mut(&mut self) -> &mut Limits {
        self.meter.limits_mut()
    }

    /// Evaluates an expression once, in the scope of the frame and with its values, charged to the frame.
    pub fn evaluate(&mut self, expression: Expression<'_>, scope: &Scope) -> (Value, Diagnostics) {
        let mut room = std::mem::take(&mut self.room);
        let (surroundings, meter) = self.begin(scope);
        let result = Evaluator::once(meter, expression, surroundings, &mut room);
        meter.leave_rooms();
        self.room = room;
        result
    }

    /// Runs several evaluations with the values of the frame; what they use together is charged to it.
    pub fn together<T>(&mut self, run: impl FnOnce(&mut Evaluation<'_>) -> T) -> T {
        let mut run = Some(run);
        let mut result = None;
        self.run_together(&mut |evaluation| result = run.take().map(|run| run(evaluation)));
        let Some(result) = result else { unreachable!("it is run once") };
        result
    }

    /// [`Frame::together`], of which there is one copy for all kinds of results.
    fn run_together(&mut self, run: &mut dyn FnMut(&mut Evaluation<'_>)) {
        let Frame { slots, meter, host, lookups, user, .. } = self;
        meter.reset();
        if let Some(lookups) = lookups {
            lookups.begin();
        }
        let lent = std::mem::replace(meter, Meter::new(Limits::default()));
        let given =
            Surroundings { slots, host: host.as_deref(), user: user.as_ref(), ..Surroundings::default() };
        let mut evaluation = Evaluation::of_frame(given, lent);
        evaluation.ask(lookups.take());
        run(&mut evaluation);
        (*meter, *lookups) = evaluation.into_parts();
        meter.leave_rooms();
    }

    /// Lets the next evaluation hold only what is left of the bound on memory beside what has been kept since the thread held
    /// `before` ([`hcl_syntax::memory::held`]): for several evaluations whose values are kept together. That ends when the limits
    /// are changed.
    pub fn keep_since(&mut self, before: isize) {
        self.meter.keep_since(before);
    }

    /// Asks for so many bytes beside what the last evaluation holds.
    ///
    /// # Errors
    /// They would be too many for the limits.
    pub fn hold(&mut self, n_bytes: usize) -> Result<(), LimitReached> {
        self.meter.hold(n_bytes)
    }

    /// The meter of the last evaluation, for work on what it gave.
    ///
    /// ```
    /// use hcl_eval::eval::{Frame, Scope};
    ///
    /// let mut frame = Frame::new(&Scope::builder().build());
    /// assert!(frame.meter().go_on(1).is_ok());
    /// ```
    pub fn meter(&mut self) -> &mut Meter {
        self.meter.use_all();
        &mut self.meter
    }

    /// Places a diagnostic about the last evaluation, unless lines can't be found within its limits.
    pub fn placed(&mut self, diagnostic: Diagnostic, source: &Source, span: Span) -> Diagnostic {
        self.meter.placed(diagnostic, source, span)
    }

    /// Returns the inputs of an evaluation with this frame, and the meter that it is charged to.
    pub(crate) fn begin<'f>(&'f mut self, scope: &'f Scope) -> (Surroundings<'f>, &'f mut Meter) {
        self.meter.reset();
        self.surroundings(scope)
    }

    /// The parts of this frame that an evaluation reads, and the meter that it is charged to, which goes on as it is.
    pub(crate) fn surroundings<'f>(&'f mut self, scope: &'f Scope) -> (Surroundings<'f>, &'f mut Meter) {
        let Frame { slots, meter, host, lookups, user, .. } = self;
        if let Some(lookups) = lookups {
            lookups.begin();
        }
        let surroundings = Surroundings {
            scope: Some(scope),
            slots,
            host: host.as_deref(),
            lookups: lookups.as_ref(),
            user: user.as_ref(),
        };
        (surroundings, meter)
    }

    /// Sets the resolver that later evaluations ask for the values of empty slots.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use hcl_eval::Value;
    /// use hcl_eval::eval::{Frame, Keep, Lookup, LookupError, Resolver, Scope};
    /// use hcl_syntax::{parser, source::Source};
    ///
    /// struct Lengths;
    ///
    /// impl Resolver for Lengths {
    ///     fn look_up(&self, lookup: &Lookup<'_>) -> Result<Value, LookupError> {
    ///         Ok(Value::int(lookup.name.len() as i64))
    ///     }
    /// }
    ///
    /// let mut scope = Scope::builder();
    /// scope.slot("four");
    /// let scope = scope.build();
    /// let mut frame = Frame::new(&scope);
    /// frame.set_resolver(Some(Arc::new(Lengths)), Keep::Evaluation);
    /// let (parsed, _) = parser::parse_expression(Source::new("sum", "four + 1")?, &Default::default());
    /// let (value, _) = frame.evaluate(parsed.expression(), &scope);
    /// assert!(value.raw_equals(&Value::int(5)));
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn set_resolver(&mut self, resolver: Option<Arc<dyn Resolver>>, keep: Keep) {
        self.lookups = resolver.map(|resolver| Lookups::new(resolver, keep, self.slots.len()));
    }

    /// Sets what functions and resolvers of the host may know of later evaluations.
    pub fn set_user(&mut self, user: Option<User>) {
        self.user = user;
    }

    /// The user data that functions and resolvers of the host see.
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    /// Sets the host that functions ask for the outside world.
    pub fn set_host(&mut self, host: Option<Arc<dyn Host>>) {
        self.host = host;
    }

    /// Returns what the last evaluation used.
    pub fn used(&self) -> Usage {
        self.meter.usage()
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame")
            .field("n_slots", &self.slots.len())
            .field("used", &self.used())
            .finish_non_exhaustive()
    }
}
