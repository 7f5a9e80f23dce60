//! Reading bodies within the limits of evaluations.

use hcl_syntax::config::{Bounds, ConfigBody, Content, ContentAttribute};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParsedExpression, parse_expression};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::{Source, Span};

use super::{Evaluation, TypeConstraint};
use crate::Str;
use crate::duration;
use crate::limits::{LimitReached, Meter, PARTS_OF_DIAGNOSTIC};
use crate::value::string::normalize_charged;
use crate::value::{Value, ValueError};

impl Bounds for Meter {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.go_on(n_parts).is_ok()
    }

    fn has_room(&mut self, n_bytes: usize) -> bool {
        self.hold(n_bytes).is_ok()
    }

    fn max_diagnostics(&self) -> usize {
        self.limits().max_diagnostics as usize
    }
}

impl Evaluation<'_> {
    /// Reads a text, an expression, within the limits.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Limits;
    ///
    /// let limits = Limits { max_memory: 1 << 20, ..Limits::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    /// let (parsed, problems) = evaluation.parse("input", "1 + 1").unwrap();
    /// assert!(problems.is_empty() && parsed.expression().source_text() == "1 + 1");
    /// let limit = evaluation.parse("input", &"1 + ".repeat(100_000)).unwrap_err();
    /// assert_eq!(limit[0].code, "limit.memory");
    /// ```
    ///
    /// # Errors
    /// A limit has been reached, or the text is too long for any.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(ParsedExpression, Diagnostics), Diagnostics> {
        if let Err(limit) = self.meter.hold_reading(text) {
            return Err(self.report(limit, None));
        }
        let source = Source::new(name, text).map_err(|problem| vec![problem.into()])?;
        Ok(parse_expression(source, &self.meter.limits().of_reading()))
    }

    /// Reads a body as [`ConfigBody::content`] does, within the limits. When one is reached, a diagnostic says so, and what has
    /// been read is not all.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Limits;
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::limits::CancelToken;
    /// use hcl_syntax::parser::File;
    /// use hcl_syntax::schema::BodySchema;
    ///
    /// let body = ConfigBody::from(&File::parse("main.hcl", "a {}\n".repeat(1000))?);
    /// let limits = Limits { cancel: Some(CancelToken::asking(|| true)), ..Limits::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    /// let (_, problems) = evaluation.content(&body, &BodySchema::default().block("a", &[]));
    /// assert_eq!(problems[0].code, "limit.cancelled");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn content(&mut self, body: &ConfigBody, schema: &BodySchema) -> (Content, Diagnostics) {
        self.read(body, |meter| body.content_within(schema, meter))
    }

    /// Reads a body as [`ConfigBody::partial_content`] does, within the limits, as [`Evaluation::content`] has them.
    pub fn partial_content(
        &mut self,
        body: &ConfigBody,
        schema: &BodySchema,
    ) -> (Content, ConfigBody, Diagnostics) {
        let ((content, rest), problems) = self.read(body, |meter| {
            let (content, rest, problems) = body.partial_content_within(schema, meter);
            ((content, rest), problems)
        });
        (content, rest, problems)
    }

    /// Reads a body as [`ConfigBody::just_attributes`] does, within the limits, as [`Evaluation::content`] has them.
    pub fn just_attributes(&mut self, body: &ConfigBody) -> (Vec<ContentAttribute>, Diagnostics) {
        self.read(body, |meter| body.just_attributes_within(meter))
    }

    /// Reads a body as [`ConfigBody::everything`] does, within the limits. The next evaluation says that one was reached.
    pub fn everything(&mut self, body: &ConfigBody) -> Content {
        body.everything_within(&mut self.meter)
    }

    fn read<T: Default>(
        &mut self,
        body: &ConfigBody,
        read: impl FnOnce(&mut Meter) -> (T, Diagnostics),
    ) -> (T, Diagnostics) {
        if let Err(limit) = self.find_lines(body.sources()) {
            return (T::default(), limit);
        }
        let (found, mut problems) = read(&mut self.meter);
        self.tell_limit_of(body, &mut problems);
        (found, problems)
    }

    /// [`Evaluation::tell_limit`] where something is missing from a body.
    pub(crate) fn tell_limit_of(&mut self, body: &ConfigBody, problems: &mut Diagnostics) {
        self.end_if_too_many(problems);
        if self.stopped() {
            self.tell_limit(body.missing_item(), problems);
        }
    }

    /// Adds the diagnostic of the limit that has ended the reading of a body, if one has. Too many diagnostics of a reading are a
    /// limit, too.
    pub fn tell_limit(&mut self, place: Option<(&Source, Span)>, problems: &mut Diagnostics) {
        self.end_if_too_many(problems);
        if let Some(limit) = self.meter.stopped() {
            problems.extend(self.report(limit, place));
        }
    }

    /// Returns false if the work is to end before it reports more than these problems: a limit has been reached, perhaps that of
    /// diagnostics.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Limits;
    /// use hcl_syntax::diagnostic::Diagnostic;
    ///
    /// let limits = Limits { max_diagnostics: 10, ..Limits::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    /// let mut problems = Vec::new();
    /// while evaluation.may_report(&problems) {
    ///     problems.push(Diagnostic::error("host.wrong", "Wrong", "It is wrong."));
    /// }
    /// evaluation.tell_limit(None, &mut problems);
    /// assert_eq!(problems.len(), 11);
    /// assert_eq!(problems[10].code, "limit.diagnostics");
    /// ```
    pub fn may_report(&mut self, problems: &Diagnostics) -> bool {
        self.end_if_too_many(problems);
        self.meter.go_on(PARTS_OF_DIAGNOSTIC).is_ok()
    }

    fn end_if_too_many(&mut self, problems: &Diagnostics) {
        if problems.len() >= self.meter.max_diagnostics() {
            self.meter.stop(LimitReached::Diagnostics(self.meter.limits().max_diagnostics));
        }
    }

    /// Charges for a value that is made of a body, as for an element of a collection.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    pub(crate) fn charge_part(&mut self, body: &ConfigBody) -> Result<(), Diagnostics> {
        self.meter.elements(1).map_err(|limit| self.report(limit, body.missing_item()))
    }

    /// Does work on a meter that may end at a limit.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    pub(crate) fn within<T>(
        &mut self,
        place: Option<(&Source, Span)>,
        work: impl FnOnce(&mut Meter) -> Result<T, LimitReached>,
    ) -> Result<T, Diagnostics> {
        work(&mut self.meter).map_err(|limit| self.report(limit, place))
    }

    /// Brings a value to a type, with its defaults: [`TypeConstraint::apply`], within the limits.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::types::TypeConstraint;
    ///
    /// let port = TypeConstraint::from_text("number")?;
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert!(evaluation.fit(&"80".into(), &port, None).unwrap()?.raw_equals(&80.into()));
    /// assert!(evaluation.fit(&"http".into(), &port, None).unwrap().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fit(
        &mut self,
        value: &Value,
        constraint: &TypeConstraint,
        because_of: Option<(&Source, Span)>,
    ) -> Result<Result<Value, ValueError>, Diagnostics> {
        self.within(because_of, |meter| {
            let fitted = constraint.apply_within(value, meter);
            meter.stopped().map_or(Ok(fitted), Err)
        })
    }

    /// A value of a text of the host, as [`Value::string`] makes it, with looks at the limits.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert_eq!(evaluation.text("e\u{301}").unwrap().as_str(), Some("\u{e9}"));
    /// ```
    pub fn text(&mut self, text: &str) -> Result<Value, Diagnostics> {
        self.within(None, |meter| Ok(Value::string_nfc(normalize_charged(text, meter)?)))
    }

    /// Makes an object as [`Value::object`] does, charged for as one that an expression makes.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once, and has no place.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Limits;
    ///
    /// let limits = Limits { max_elements: 2, ..Limits::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    /// let entry = || ("a".into(), true.into());
    /// assert!(evaluation.object(vec![entry()]).is_ok());
    /// assert_eq!(evaluation.object(vec![entry(), entry()]).unwrap_err()[0].code, "limit.elements");
    /// ```
    pub fn object(&mut self, entries: Vec<(Str, Value)>) -> Result<Value, Diagnostics> {
        let names = entries.iter().map(|(name, _)| name.len() as u64).sum();
        let charged = self.meter.elements(entries.len()).and_then(|()| self.meter.memory(names));
        let made = charged.and_then(|()| Value::object_on(entries, &mut Some(&mut self.meter)));
        made.map_err(|limit| self.report(limit, None))
    }

    /// Makes an object as [`Value::object`] does, of values that have been charged for; none if a limit is reached meanwhile,
    /// which [`Evaluation::tell_limit`] tells.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert!(evaluation.object_of_known(vec![("a".into(), true.into())]).is_some());
    /// assert_eq!(evaluation.usage().elements, 0);
    /// ```
    pub fn object_of_known(&mut self, entries: Vec<(Str, Value)>) -> Option<Value> {
        Value::object_on(entries, &mut Some(&mut self.meter)).ok()
    }

    /// Makes a tuple as [`Value::tuple`] does, charged for as one that an expression makes.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once, and has no place.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Limits;
    ///
    /// let limits = Limits { max_elements: 2, ..Limits::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    /// assert!(evaluation.tuple(vec![true.into()]).is_ok());
    /// assert!(evaluation.tuple(vec![true.into(), true.into()]).is_err());
    /// ```
    pub fn tuple(&mut self, elements: Vec<Value>) -> Result<Value, Diagnostics> {
        match self.meter.elements(elements.len()) {
            Ok(()) => Ok(Value::tuple(elements)),
            Err(limit) => Err(self.report(limit, None)),
        }
    }

    /// Asks for room for `n` things of so many bytes each, of which something is made.
    ///
    /// # Errors
    /// A limit has been reached. The diagnostic that says so comes once, and has no place.
    pub fn hold_parts(&mut self, n: usize, bytes: usize) -> Result<(), Diagnostics> {
        self.meter.hold_parts(n, bytes).map_err(|limit| self.report(limit, None))
    }

    /// Ends the evaluation because work beside it has been given up. [`Evaluation::tell_limit`] tells it.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::Stopped;
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// evaluation.end(Stopped::Cancelled);
    /// let mut problems = Vec::new();
    /// evaluation.tell_limit(None, &mut problems);
    /// assert_eq!(problems[0].code, "limit.cancelled");
    /// ```
    pub fn end(&mut self, limit: impl Into<LimitReached>) {
        self.meter.stop(limit.into());
    }

    /// Looks at the limits for work beside the evaluation: returns that which has been reached by now, or would be with so many
    /// more bytes of memory. [`Evaluation::end`] makes it final.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::limits::LimitReached;
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert_eq!(evaluation.limit_with(1000), None);
    /// assert_eq!(evaluation.limit_with(1 << 30), Some(LimitReached::Memory(256 << 20)));
    /// assert!(!evaluation.stopped());
    /// ```
    pub fn limit_with(&self, n_bytes: usize) -> Option<LimitReached> {
        self.meter.limit_with(n_bytes)
    }

    /// Reads JSON within the limits. The next evaluation says that one was reached.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert_eq!(evaluation.json("[1, 2]").and_then(|value| value.len()), Some(2));
    /// assert!(evaluation.json("[1, 2").is_none());
    /// ```
    pub fn json(&mut self, text: &str) -> Option<Value> {
        Value::from_json_metered(text, None, &mut self.meter).ok()
    }

    /// Reads a duration as [`duration::parse`] does, within the limits. The next evaluation says that one was reached.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    ///
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// assert_eq!(evaluation.duration("1m30s"), Some(90_000_000_000));
    /// ```
    pub fn duration(&mut self, text: &str) -> Option<i64> {
        duration::parse_on(text, &mut Some(&mut self.meter)).ok()?
    }

    /// The limits as bounds of other readings.
    pub fn bounds(&mut self) -> &mut dyn Bounds {
        &mut self.meter
    }

    /// The meter of the evaluation.
    pub(crate) fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}
