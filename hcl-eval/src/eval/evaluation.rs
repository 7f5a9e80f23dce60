//! Several evaluations charged to one meter: what reading a whole configuration is.

use hcl_syntax::ast::Expression;
use hcl_syntax::config::{ConfigExpression, ContentAttribute};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, NamedValue};
use hcl_syntax::json::Strings;
use hcl_syntax::source::{Source, Span};

use super::error::{self, Problem};
use super::{EvalOptions, Evaluator, Lookups, Scope, Surroundings, User};
use crate::host::Host;
use crate::limits::{LimitReached, Limits, Meter, Usage};
use crate::program::Code;
use crate::value::Value;

/// Evaluations that share their limits. When a limit is reached one diagnostic says so; everything after
/// it is unknown.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let (attributes, _) = ConfigBody::from(&File::parse("main.hcl", "a = 1 + 1\nb = [1, 2]\n")?).just_attributes();
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// for attribute in &attributes {
///     let (value, problems) = evaluation.evaluate(&attribute.expression(), None);
///     assert!(value.is_known() && problems.is_empty());
/// }
/// assert!(evaluation.usage().elements == 2 && !evaluation.stopped());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub struct Evaluation<'a> {
    slots: &'a [Option<Value>],
    host: Option<&'a dyn Host>,
    lookups: Option<Lookups>,
    user: Option<&'a User>,
    pub(super) meter: Meter,
    /// Where expressions are lowered, one after the other.
    room: Code,
    n_diagnostics: usize,
    reported: bool,
}

impl<'a> Evaluation<'a> {
    /// An evaluation that has used nothing.
    pub fn new(options: &EvalOptions<'a>) -> Self {
        Self {
            slots: options.frame.map_or(&[][..], |frame| &frame.slots),
            host: options.host,
            lookups: options.lookups(),
            user: options.user,
            meter: Meter::new(options.limits.clone()),
            room: Code::default(),
            n_diagnostics: 0,
            reported: false,
        }
    }

    /// An evaluation with what a frame has and its meter.
    pub(super) fn of_frame(given: Surroundings<'a>, meter: Meter) -> Self {
        let Surroundings { slots, host, user, .. } = given;
        let room = Code::default();
        Self { slots, host, lookups: None, user, meter, room, n_diagnostics: 0, reported: false }
    }

    /// Sets who is asked for slots that are empty.
    pub(super) fn ask(&mut self, lookups: Option<Lookups>) {
        self.lookups = lookups;
    }

    /// Returns the meter, and the resolver with its answers.
    pub(super) fn into_parts(self) -> (Meter, Option<Lookups>) {
        (self.meter, self.lookups)
    }

    /// The value of an expression in a scope. Without a scope, variables and functions are not allowed, and
    /// strings of JSON syntax are no templates.
    pub fn evaluate(&mut self, expression: &ConfigExpression, scope: Option<&Scope>) -> (Value, Diagnostics) {
        self.evaluate_syntax(expression.place_with(strings_in(scope)), scope)
    }

    /// Evaluates the expression of an attribute.
    pub(crate) fn evaluate_attribute(
        &mut self,
        attribute: &ContentAttribute,
        scope: Option<&Scope>,
    ) -> (Value, Diagnostics) {
        self.evaluate_syntax(attribute.place_with(strings_in(scope)), scope)
    }

    /// Evaluates an expression of a tree.
    pub fn evaluate_syntax(
        &mut self,
        expression: Expression<'_>,
        scope: Option<&Scope>,
    ) -> (Value, Diagnostics) {
        if self.reported {
            return (Value::dynamic(), Diagnostics::new());
        }
        // Small evaluations look seldom, and what is kept between them is counted nowhere else: the evaluation tells the limit.
        let _ = self.meter.hold(0);
        let lookups = self.lookups.as_ref();
        let surroundings =
            Surroundings { scope, slots: self.slots, host: self.host, lookups, user: self.user };
        let result = Evaluator::once(&mut self.meter, expression, surroundings, &mut self.room);
        self.reported = self.meter.stopped().is_some();
        result
    }

    /// Returns the values of the variables of an expression, for a diagnostic about it: at most eight, of marked ones only that
    /// they are marked.
    ///
    /// ```
    /// use hcl_eval::Value;
    /// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::parser::File;
    ///
    /// let (attributes, _) = ConfigBody::from(&File::parse("main.hcl", "a = port > 1023\n")?).just_attributes();
    /// let scope = Scope::builder().variable("port", Value::int(80)).build();
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// let values = evaluation.values_in(&attributes[0].expression(), Some(&scope));
    /// assert!(values[0].expression == "port" && values[0].description == "is 80");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn values_in(&mut self, expression: &ConfigExpression, scope: Option<&Scope>) -> Vec<NamedValue> {
        if self.stopped() {
            return Vec::new();
        }
        let lookups = self.lookups.as_ref();
        let surroundings =
            Surroundings { scope, slots: self.slots, host: self.host, lookups, user: self.user };
        Evaluator::new(&mut self.meter)
            .values_outside(expression.place_with(Strings::Templates), surroundings)
    }

    /// Tells that work is about to be done because of what stands at a place; looks at the clock and the token now and then. A
    /// part is a few nanoseconds' work.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    pub fn go_on(&mut self, n_parts: usize, because_of: (&Source, Span)) -> Result<(), Diagnostics> {
        self.meter.go_on(n_parts).map_err(|limit| self.report(limit, Some(because_of)))
    }

    /// Charges for `n` things of so many bytes in all, made because of what stands at a place.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    pub fn charge(&mut self, n: usize, bytes: u64, because_of: (&Source, Span)) -> Result<(), Diagnostics> {
        match self.meter.elements(n).and_then(|()| self.meter.memory(bytes)) {
            Ok(()) => Ok(()),
            Err(limit) => Err(self.report(limit, Some(because_of))),
        }
    }

    /// Finds the lines and columns of texts, of which the places of diagnostics are made: in long texts that takes time and
    /// memory. Work that makes diagnostics of its own begins with it.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once, and has no place.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_syntax::source::Source;
    ///
    /// let source = Source::new("main.hcl", "a = 1\n".repeat(1 << 20))?;
    /// assert!(Evaluation::new(&EvalOptions::default()).find_lines([&source]).is_ok());
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    #[expect(single_use_lifetimes, reason = "without a name it is unstable in `impl Trait`")]
    pub fn find_lines<'s>(
        &mut self,
        sources: impl IntoIterator<Item = &'s Source>,
    ) -> Result<(), Diagnostics> {
        for source in sources {
            if let Err(limit) = self.meter.find_lines(source) {
                return Err(self.report(limit, Some((source, source.span()))));
            }
        }
        Ok(())
    }

    /// Counts diagnostics against their limit. That it was reached is told by the next evaluation, which
    /// does nothing else.
    pub(crate) fn count_diagnostics(&mut self, n: usize) {
        self.n_diagnostics = self.n_diagnostics.saturating_add(n);
        let limit = self.meter.limits().max_diagnostics;
        if self.n_diagnostics >= limit as usize && n > 0 {
            self.meter.stop(LimitReached::Diagnostics(limit));
        }
    }

    /// The diagnostic of a limit, the first time.
    pub(super) fn report(&mut self, limit: LimitReached, place: Option<(&Source, Span)>) -> Diagnostics {
        if std::mem::replace(&mut self.reported, true) {
            return Diagnostics::new();
        }
        let Problem { code, summary, detail } = error::limit(limit);
        let diagnostic = Diagnostic::error(code, summary, detail);
        vec![match place {
            Some((source, span)) => self.meter.placed(diagnostic, source, span),
            None => diagnostic,
        }]
    }

    /// Exchanges the limits, and what has been used of them, with another evaluation: what one has used counts for the other,
    /// too, if they are exchanged again when the work is done.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    ///
    /// let (mut whole, mut part) = (Evaluation::new(&EvalOptions::default()), Evaluation::new(&EvalOptions::default()));
    /// part.exchange_usage(&mut whole);
    /// part.evaluate_syntax("[1, 2]".parse::<hcl_syntax::parser::ParsedExpression>()?.expression(), None);
    /// part.exchange_usage(&mut whole);
    /// assert_eq!((whole.usage().elements, part.usage().elements), (2, 0));
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn exchange_usage(&mut self, other: &mut Evaluation<'_>) {
        std::mem::swap(&mut self.meter, &mut other.meter);
        std::mem::swap(&mut self.n_diagnostics, &mut other.n_diagnostics);
        std::mem::swap(&mut self.reported, &mut other.reported);
    }

    /// The limits that the evaluations share.
    pub fn limits(&self) -> &Limits {
        self.meter.limits()
    }

    /// Returns whether a limit has been reached, so that further work leads nowhere.
    pub fn stopped(&self) -> bool {
        self.meter.stopped().is_some()
    }

    /// The limit that has been reached, if any.
    pub fn limit(&self) -> Option<LimitReached> {
        self.meter.stopped()
    }

    /// Returns true once a limit was reached and told: what is evaluated from then on is unknown, and says nothing.
    pub(crate) fn is_over(&self) -> bool {
        self.reported
    }

    /// Returns the steps, elements and bytes that have been used.
    pub fn usage(&self) -> Usage {
        self.meter.usage()
    }
}

/// Returns the meaning of strings of JSON syntax.
pub(super) fn strings_in(scope: Option<&Scope>) -> Strings {
    if scope.is_some() { Strings::Templates } else { Strings::Literal }
}

impl std::fmt::Debug for Evaluation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluation").field("used", &self.usage()).finish_non_exhaustive()
    }
}
