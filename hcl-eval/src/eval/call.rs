//! Function calls: finding the function, preparing the arguments, placing its errors.

use std::sync::Arc;

use hcl_syntax::ast::{Call, Expression, ExpressionList};
use hcl_syntax::source::Span;
use smallvec::SmallVec;

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::lazy::LazyCall;
use super::locals::Locals;
use super::variable::problem_of_function;
use crate::convert::convert;
use crate::function::{Body, Function, FunctionError, Invocation, Parameter, invoke};
use crate::program::Note;
use crate::types::Type;
use crate::value::{Repr, Value};

/// A call under way.
pub(super) struct CallSite<'e> {
    pub(super) expression: Expression<'e>,
    pub(super) call: Call<'e>,
    pub(super) locals: Locals<'e>,
    written: ExpressionList<'e>,
    /// The elements of an expanded last argument.
    pub(super) expanded: Option<Vec<Value>>,
}

/// Arguments: most calls have few.
type Arguments = SmallVec<[Value; 4]>;

impl<'e> CallSite<'e> {
    /// How many arguments are written out.
    #[inline]
    pub(super) fn n_written(&self) -> usize {
        self.written.len() - usize::from(self.expanded.is_some())
    }

    /// How many arguments there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.n_written() + self.expanded.as_ref().map_or(0, Vec::len)
    }

    /// The expression that an argument comes from.
    pub(super) fn source_of(&self, position: usize) -> Expression<'e> {
        let written = self.written;
        let expression = if position < self.n_written() { written.get(position) } else { written.last() };
        expression.unwrap_or(self.expression)
    }

    /// Where a problem with an argument is shown.
    fn subject_of(&self, position: usize) -> Span {
        let source = self.source_of(position);
        if position < self.n_written() { source.start_span() } else { source.span() }
    }

    fn place(&self, subject: Span) -> Place {
        Place::within(subject, self.expression.span())
    }
}

impl<'a> Evaluator<'a> {
    /// The value of a call, which counts as a level for the limit like other expressions that nest. It does not come by
    /// way of [`Expression::kind`] if it is noted as one, for calls are many.
    #[inline(never)]
    pub(super) fn call<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        if self.is_time_to_look() {
            return self.on_enough_stack(move |this| this.call(expression, locals));
        }
        let Some(call) = expression.as_static_call() else { return Flow::dynamic() };
        self.as_level(expression, |this| {
            this.level += 1;
            let flow = this.result_of(expression, call, locals);
            this.level -= 1;
            flow
        })
    }

    /// What the function gives for the arguments, or nothing that is known where either is not there.
    #[inline]
    fn result_of<'e>(&mut self, expression: Expression<'e>, call: Call<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let function = match (self.given.notes, self.note(expression)) {
            (Some(notes), Note::Function(index)) => notes.function(*index),
            _ => self.given.scope.and_then(|scope| scope.function(call.name())),
        };
        let Some(function) = function else {
            self.report_unknown_function(expression, call);
            return Flow::dynamic();
        };
        let mut site = CallSite { expression, call, locals, written: call.arguments(), expanded: None };
        let before = self.diagnostics.len();
        if call.expands_final()
            && let Err(settled) = self.expand(&mut site)
        {
            return settled;
        }
        if !self.check_count(&site, function) {
            return Flow::dynamic();
        }
        let result = match &function.body {
            Body::Lazy(run) => run(&mut LazyCall::new(self, &site)),
            Body::Strict(_) | Body::Missing => match self.invoke(&site, function, before) {
                Some(result) => result,
                None => return Flow::dynamic(),
            },
        };
        match result {
            Ok(value) => value.into(),
            Err(error) => {
                self.report_failure(&error, &site, function);
                Flow::dynamic()
            }
        }
    }

    /// Calls a function with its arguments. Not if something is wrong with them; `before` them there were so many
    /// diagnostics.
    #[inline]
    fn invoke<'e>(
        &mut self,
        site: &CallSite<'e>,
        function: &Function,
        before: usize,
    ) -> Option<Result<Value, FunctionError>>
    where
        'a: 'e,
    {
        if site.len() == 1
            && site.expanded.is_none()
            && let (Some(parameter), Some(only)) = (function.parameter_at(0), site.written.first())
        {
            let value = self.eval(only, site.locals);
            self.charge_walk(&value, site.expression);
            let result = if takes(parameter, &value) {
                self.perform(function, std::slice::from_ref(&*value), before)
            } else {
                let converted = self.convert_argument((*value).clone(), 0, site, parameter);
                self.perform(function, std::slice::from_ref(&converted), before)
            };
            value.discard();
            return result;
        }
        let mut arguments = Arguments::new();
        self.arguments(site, function, &mut arguments);
        self.perform(function, &arguments, before)
    }

    #[inline]
    fn perform(
        &mut self,
        function: &Function,
        arguments: &[Value],
        before: usize,
    ) -> Option<Result<Value, FunctionError>> {
        if self.diagnostics.len() > before || self.stopped() {
            return None;
        }
        let mut invocation = Invocation::new(self.meter, self.given.host, self.given.scope);
        Some(invoke(function, arguments, &mut invocation))
    }

    #[cold]
    fn report_unknown_function(&mut self, expression: Expression<'_>, call: Call<'_>) {
        let problem = problem_of_function(self.given.scope, call.name());
        let allowed = self.given.scope.is_some_and(super::Scope::has_functions);
        let place = if allowed {
            Place::within(call.name_span(), expression.span())
        } else {
            Place::at(expression.span())
        };
        // No variables are mentioned: the arguments have nothing to do with it.
        self.quiet += 1;
        self.report(problem, place, expression, None);
        self.quiet -= 1;
    }

    /// Evaluates the argument before `...`; gives the result of the call if there is nothing to expand.
    fn expand<'e>(&mut self, site: &mut CallSite<'e>) -> Result<(), Flow<'e>>
    where
        'a: 'e,
    {
        let Some(last) = site.written.last() else { return Ok(()) };
        let before = self.diagnostics.len();
        let value = self.eval(last, site.locals);
        if self.diagnostics.len() > before || self.stopped() {
            return Err(Flow::dynamic());
        }
        if let Some(elements) = value.elements() {
            let marks = value.marks();
            site.expanded = Some(elements.iter().map(|element| element.clone().with_marks(marks)).collect());
            return Ok(());
        }
        let ty = value.ty();
        let expandable = matches!(ty, Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if expandable && !value.is_null() {
            return Err(Flow::dynamic().with_marks(value.marks()));
        }
        let problem =
            if expandable { error::expanding_null() } else { error::expanding_type(&ty.friendly_name()) };
        self.report(problem, site.place(last.span()), last, site.locals);
        Err(Flow::dynamic())
    }

    /// Whether there are as many arguments as the function takes.
    #[inline]
    fn check_count<'e>(&mut self, site: &CallSite<'e>, function: &Function) -> bool
    where
        'a: 'e,
    {
        let given = site.len();
        let wanted = function.parameters().len();
        let fits = given == wanted || (given > wanted && function.variadic_parameter().is_some());
        if !fits {
            self.report_count(site, function);
        }
        fits
    }

    #[cold]
    fn report_count<'e>(&mut self, site: &CallSite<'e>, function: &Function)
    where
        'a: 'e,
    {
        let given = site.len();
        let wanted = function.parameters().len();
        let (problem, subject) = if given < wanted {
            let problem = error::not_enough_arguments(site.call.name(), function, given);
            (problem, site.call.close_span())
        } else {
            (error::too_many_arguments(site.call.name(), function, given), site.subject_of(wanted))
        };
        self.report(problem, site.place(subject), site.expression, site.locals);
    }

    /// The arguments, converted to the types of the parameters. What does not convert has been reported.
    #[inline]
    fn arguments<'e>(&mut self, site: &CallSite<'e>, function: &Function, arguments: &mut Arguments)
    where
        'a: 'e,
    {
        let n_written = site.n_written();
        for (position, argument) in site.written.iter().take(n_written).enumerate() {
            let value = self.eval(argument, site.locals).into_owned();
            self.charge_walk(&value, site.expression);
            arguments.push(self.argument(value, position, site, function));
        }
        for (position, value) in site.expanded.iter().flatten().enumerate() {
            arguments.push(self.argument(value.clone(), n_written + position, site, function));
        }
    }

    #[inline]
    fn argument<'e>(
        &mut self,
        value: Value,
        position: usize,
        site: &CallSite<'e>,
        function: &Function,
    ) -> Value
    where
        'a: 'e,
    {
        let Some(parameter) = function.parameter_at(position) else { return value };
        if takes(parameter, &value) { value } else { self.convert_argument(value, position, site, parameter) }
    }

    #[inline(never)]
    fn convert_argument<'e>(
        &mut self,
        value: Value,
        position: usize,
        site: &CallSite<'e>,
        parameter: &Parameter,
    ) -> Value
    where
        'a: 'e,
    {
        match convert(&value, &parameter.ty) {
            Ok(value) => value,
            Err(error) => {
                let problem = error::invalid_argument(parameter, &error.path.to_text(), &error.kind.detail());
                let place = site.place(site.subject_of(position));
                self.report(problem, place, site.source_of(position), site.locals);
                value
            }
        }
    }

    #[cold]
    fn report_failure<'e>(&mut self, error: &FunctionError, site: &CallSite<'e>, function: &Arc<Function>)
    where
        'a: 'e,
    {
        if let Some(limit) = error.limit {
            self.meter.stop(limit);
            return self.note_stop(site.expression, limit);
        }
        if !error.diagnostics.is_empty() {
            self.diagnostics.extend(error.diagnostics.iter().cloned());
            return;
        }
        let parameter =
            error.argument.and_then(|position| Some((position, function.parameter_at(position)?)));
        match parameter {
            Some((position, parameter)) => {
                let problem = error::invalid_argument(parameter, &error.path.to_text(), &error.detail);
                if position < site.len() {
                    let place = site.place(site.subject_of(position));
                    self.report(problem, place, site.source_of(position), site.locals);
                } else {
                    let place = Place::at(site.expression.span());
                    self.report(problem, place, site.expression, site.locals);
                }
            }
            None => {
                let problem = match error.not_allowed {
                    Some(_) => error::call_not_allowed(site.call.name(), &error.detail),
                    None => error::call_failed(site.call.name(), &error.detail),
                };
                let place = site.place(site.expression.start_span());
                self.report(problem, place, site.expression, site.locals);
            }
        }
    }
}

/// Whether a parameter takes the value as it is.
#[inline]
fn takes(parameter: &Parameter, value: &Value) -> bool {
    match (&value.0, &parameter.ty) {
        (_, Type::Dynamic)
        | (Repr::String(_), Type::String)
        | (Repr::Number(_), Type::Number)
        | (Repr::Bool(_), Type::Bool) => true,
        (Repr::Tuple(tuple), _) if parameter.takes_tuples => {
            !tuple.elements().is_empty()
                && tuple.elements().iter().all(|element| matches!(element.0, Repr::String(_)))
        }
        _ => false,
    }
}
