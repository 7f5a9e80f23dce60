//! Function calls: finding the function, preparing the arguments, placing its errors.

use std::sync::Arc;

use hcl_syntax::ast::{Call, Expression};
use hcl_syntax::source::Span;
use smallvec::SmallVec;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::lazy::LazyCall;
use super::report::{Place, Told};
use super::variable::problem_of_function;
use crate::convert::convert_within;
use crate::function::{Body, Function, FunctionError, Invocation, Parameter, invoke, invoke_plain};
use crate::limits::{LimitReached, Meter};
use crate::program::{Node, Op, OpId};
use crate::types::Type;
use crate::value::scattered::{self, Scattering};
use crate::value::{Kind, Marks, Repr, Value, ValueErrorKind};

/// A call under way.
pub(super) struct CallSite<'e> {
    pub(super) at: OpId,
    pub(super) env: Env<'e>,
    written: &'e [OpId],
    /// The elements of an expanded last argument.
    pub(super) expanded: Option<Expanded>,
}

/// Arguments: most calls have few.
type Arguments = SmallVec<[Value; 4]>;

/// The outcome of a function.
type CallResult = Result<Value, FunctionError>;

impl<'e> CallSite<'e> {
    /// How many arguments are written out.
    pub(super) fn n_written(&self) -> usize {
        self.written.len() - usize::from(self.expanded.is_some())
    }

    /// How many arguments there are.
    pub(super) fn len(&self) -> usize {
        self.n_written() + self.expanded.as_ref().map_or(0, |expanded| expanded.values.len())
    }

    /// The operation that an argument comes from.
    pub(super) fn argument(&self, position: usize) -> OpId {
        let written = self.written;
        let at = if position < self.n_written() { written.get(position) } else { written.last() };
        at.copied().unwrap_or(self.at)
    }

    /// The expression that an argument comes from.
    pub(super) fn source_of(&self, position: usize) -> Expression<'e> {
        self.env.written(self.argument(position))
    }

    /// The call as it is written.
    fn call(&self) -> Option<Call<'e>> {
        self.env.source(self.at).as_static_call()
    }

    fn name(&self) -> &'e str {
        self.call().map_or("", Call::name)
    }

    /// Where a problem with an argument is shown.
    fn subject_of(&self, position: usize) -> Span {
        let source = self.source_of(position);
        if position < self.n_written() { source.start_span() } else { source.span() }
    }

    fn place(&self, subject: Span) -> Place {
        Place::within(subject, self.env.source(self.at).span())
    }
}

impl Evaluator<'_> {
    /// The result of a call whose arguments lead straight to values. It is a function of its own because its room for arguments
    /// would otherwise lie in the frame of each level.
    pub(super) fn direct_call(&mut self, at: OpId, op: &Op, env: Env<'_>) -> Value {
        match self.call_at_once(at, op, env) {
            Some(result) => result,
            None => self.begin(at, op, env).into_owned(),
        }
    }

    /// The result of such a call, if the arguments are small, of the parameters' types, and the steps are there. Else nothing has
    /// been charged or reported, and the general rules apply.
    #[inline(always)] // By a call `for_upper_1000` takes 4.5 % more instructions.
    fn call_at_once(&mut self, at: OpId, op: &Op, env: Env<'_>) -> Option<Value> {
        let Node::Call { function, arguments, .. } = op.node else { return None };
        let function = env.code().functions.get(function as usize)?;
        let written = env.code().list(arguments);
        let [only] = *written else { return self.call_of_several(at, op, function, env) };
        let argument = small(function, 0, only, env)?;
        self.call_with(std::slice::from_ref(argument), at, op, function, env)
    }

    /// That of other than one argument.
    #[inline(never)] // Inlined, it makes `for_upper_1000` take 1.3 % more instructions.
    fn call_of_several(
        &mut self,
        at: OpId,
        op: &Op,
        function: &Arc<Function>,
        env: Env<'_>,
    ) -> Option<Value> {
        let Node::Call { arguments: written, .. } = op.node else { return None };
        let mut arguments = Arguments::new();
        for (position, &argument) in env.code().list(written).iter().enumerate() {
            arguments.push(small(function, position, argument, env)?.clone());
        }
        self.call_with(&arguments, at, op, function, env)
    }

    #[inline(always)] // By a call `for_upper_1000` takes 7.6 % more instructions, and `format` 2.4.
    fn call_with(
        &mut self,
        arguments: &[Value],
        at: OpId,
        op: &Op,
        function: &Arc<Function>,
        env: Env<'_>,
    ) -> Option<Value> {
        let Body::Strict(run) = &function.body else { return None };
        if !self.meter.enter_with(op.direct_cost()) {
            return None;
        }
        let given = env.given();
        let mut invocation = Invocation::new(self.meter, given.host, given.scope).of_user(given.user);
        let result = invoke_plain(function, run, arguments, &mut invocation);
        self.meter.leave();
        match result {
            Ok(value) if value.is_light() || self.is_bounded(&value, at, env) => Some(value),
            Ok(_) => Some(Value::dynamic()),
            result => Some(self.failed_at_once(at, op, function, result, env)),
        }
    }

    fn failed_at_once(
        &mut self,
        at: OpId,
        op: &Op,
        function: &Arc<Function>,
        result: CallResult,
        env: Env<'_>,
    ) -> Value {
        let Node::Call { arguments, .. } = op.node else { return Value::dynamic() };
        let site = CallSite { at, env, written: env.code().list(arguments), expanded: None };
        self.in_time(&site, function, result)
    }

    /// Calls the function, or returns nothing that is known where the function or an argument is not there.
    #[inline(never)] // Inlined, it makes the library 11 KB larger.
    pub(super) fn call<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let code = env.code();
        let Node::Call { expands, function, arguments, .. } = env.op(at).node else { return Flow::dynamic() };
        let Some(function) = code.functions.get(function as usize) else {
            self.report_unknown_function(env.source(at), env);
            return Flow::dynamic();
        };
        let mut site = CallSite { at, env, written: code.list(arguments), expanded: None };
        let before = self.diagnostics.len();
        if expands && let Err(settled) = self.expand(&mut site) {
            return settled;
        }
        if !function.takes(site.len()) {
            self.report_count(&site, function);
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
            Ok(value) if !function.may_be_late() => value.into(),
            result => self.in_time(&site, function, result).into(),
        }
    }

    /// Calls a function with its arguments; `None` if something is wrong with them. `before` them there were so many
    /// diagnostics.
    fn invoke(&mut self, site: &CallSite<'_>, function: &Function, before: usize) -> Option<CallResult> {
        let mut arguments = Arguments::new();
        self.arguments(site, function, &mut arguments);
        if self.diagnostics.len() > before || self.stopped() {
            return None;
        }
        let given = site.env.given();
        let mut invocation = Invocation::new(self.meter, given.host, given.scope).of_user(given.user);
        Some(invoke(function, &arguments, &mut invocation))
    }

    /// The result of a function, unless it failed, or was a host's and a limit has been reached meanwhile.
    fn in_time(&mut self, site: &CallSite<'_>, function: &Arc<Function>, result: CallResult) -> Value {
        let result = match &result {
            // A function that ends the evaluation says why.
            Err(error) if error.limit.is_some() => result,
            _ if function.may_be_late() => self.meter.look().map_err(FunctionError::from).and(result),
            _ => result,
        };
        match result {
            Ok(value) => value,
            Err(error) => {
                self.report_failure(&error, site, function);
                Value::dynamic()
            }
        }
    }

    fn report_unknown_function(&mut self, expression: Expression<'_>, env: Env<'_>) {
        let Some(call) = expression.as_static_call() else { return };
        let scope = env.given().scope;
        let problem = problem_of_function(scope, call.name());
        let allowed = scope.is_some_and(super::Scope::has_functions);
        let place = if allowed {
            Place::within(call.name_span(), expression.span())
        } else {
            Place::at(expression.span())
        };
        // No variables are mentioned: the arguments have nothing to do with it.
        self.quiet += 1;
        self.report(problem, place, expression, env.with(None));
        self.quiet -= 1;
    }

    /// Evaluates the argument before `...`; gives the result of the call if there is nothing to expand.
    fn expand<'e>(&mut self, site: &mut CallSite<'e>) -> Result<(), Flow<'e>> {
        let Some(&last) = site.written.last() else { return Ok(()) };
        let before = self.diagnostics.len();
        let value = self.eval_seldom(last, site.env);
        if self.diagnostics.len() > before || self.stopped() {
            return Err(Flow::dynamic());
        }
        if let Some(elements) = value.elements() {
            let Ok(expanded) = Expanded::new(elements, value.marks(), self.meter) else {
                self.stopped_at(site.at, site.env);
                return Err(Flow::dynamic());
            };
            site.expanded = Some(expanded);
            return Ok(());
        }
        let expandable = matches!(value.type_kind(), Some(Kind::Tuple | Kind::List | Kind::Set) | None);
        if expandable && !value.is_null() {
            return Err(Flow::dynamic().with_marks(value.marks()));
        }
        let problem =
            if expandable { error::expanding_null() } else { error::expanding_type(&value.type_name()) };
        let written = site.env.written(last);
        self.report(problem, site.place(written.span()), written, site.env);
        Err(Flow::dynamic())
    }

    fn report_count(&mut self, site: &CallSite<'_>, function: &Function) {
        let given = site.len();
        let wanted = function.parameters().len();
        let (problem, subject) = if given < wanted {
            let problem = error::not_enough_arguments(site.name(), function, given);
            (problem, site.call().map_or(site.subject_of(0), Call::close_span))
        } else {
            (error::too_many_arguments(site.name(), function, given), site.subject_of(wanted))
        };
        self.report(problem, site.place(subject), site.env.source(site.at), site.env);
    }

    /// The arguments, converted to the types of the parameters. What does not convert has been reported.
    fn arguments(&mut self, site: &CallSite<'_>, function: &Function, arguments: &mut Arguments) {
        if self.meter.hold_parts(site.len(), size_of::<Value>()).is_err() {
            return self.stopped_at(site.at, site.env);
        }
        if site.len() > arguments.inline_size() {
            arguments.reserve_exact(site.len());
        }
        let n_written = site.n_written();
        for (position, &argument) in site.written.iter().take(n_written).enumerate() {
            if self.stopped() {
                return;
            }
            let value = self.eval_seldom(argument, site.env).into_owned();
            self.charge_walk(&value, site.at, site.env);
            arguments.push(self.argument(value, position, site, function));
        }
        for (position, value) in site.expanded.iter().flat_map(|expanded| &expanded.values).enumerate() {
            if self.meter.go_on(1).is_err() {
                return self.stopped_at(site.at, site.env);
            }
            arguments.push(self.argument(value.clone(), n_written + position, site, function));
        }
    }

    fn argument(&mut self, value: Value, position: usize, site: &CallSite<'_>, function: &Function) -> Value {
        let Some(parameter) = function.parameter_at(position) else { return value };
        if takes(parameter, &value) { value } else { self.convert_argument(value, position, site, parameter) }
    }

    #[inline(never)] // Inlined, it makes `merge` take 1.5 % more instructions.
    fn convert_argument(
        &mut self,
        value: Value,
        position: usize,
        site: &CallSite<'_>,
        parameter: &Parameter,
    ) -> Value {
        match convert_within(&value, &parameter.ty, self.meter) {
            Ok(value) => value,
            Err(error) if let ValueErrorKind::Limit(_) = error.kind => {
                self.stopped_at(site.at, site.env);
                value
            }
            Err(error) => {
                let problem =
                    error::invalid_argument(parameter, &error.path.to_short_text(), &error.kind.detail());
                let place = site.place(site.subject_of(position));
                self.report(problem, place, site.source_of(position), site.env);
                value
            }
        }
    }

    /// Reports a failure that the host has diagnostics of.
    fn report_diagnosed_call(&mut self, error: &FunctionError, site: &CallSite<'_>) {
        let call = site.env.source(site.at);
        let (place, about) = match error.argument.filter(|&position| position < site.len()) {
            Some(position) => (site.place(site.subject_of(position)), site.source_of(position)),
            None => (site.place(call.start_span()), call),
        };
        if self.report_diagnosed(error.diagnostics.clone(), place, about) == Told::Elsewhere {
            self.report(error::call_diagnosed(site.name()), place, about, site.env);
        }
    }

    #[cold] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
    fn report_failure(&mut self, error: &FunctionError, site: &CallSite<'_>, function: &Arc<Function>) {
        if let Some(limit) = error.limit {
            self.meter.stop(limit);
            return self.stopped_at(site.at, site.env);
        }
        if error.is_diagnosed {
            return self.report_diagnosed_call(error, site);
        }
        if !error.diagnostics.is_empty() {
            self.diagnostics.extend(error.diagnostics.iter().cloned());
            return;
        }
        let expression = site.env.source(site.at);
        let parameter =
            error.argument.and_then(|position| Some((position, function.parameter_at(position)?)));
        match parameter {
            Some((position, parameter)) => {
                let problem = error::invalid_argument(parameter, &error.path.to_short_text(), &error.detail);
                if position < site.len() {
                    let place = site.place(site.subject_of(position));
                    self.report(problem, place, site.source_of(position), site.env);
                } else {
                    let place = Place::at(expression.span());
                    self.report(problem, place, expression, site.env);
                }
            }
            None => {
                let problem = match error.not_allowed {
                    Some(_) => error::call_not_allowed(site.name(), &error.detail),
                    None => error::call_failed(site.name(), &error.detail),
                };
                let place = site.place(expression.start_span());
                self.report(problem, place, expression, site.env);
            }
        }
    }
}

/// The value that an argument leads straight to, if that is small and the parameter takes it.
#[inline(always)] // By a call `for_upper_1000` takes 4 % more instructions, and `format` 6.
fn small<'e>(function: &Function, position: usize, at: OpId, env: Env<'e>) -> Option<&'e Value> {
    let value = env.view().direct(&env.op(at).node)?;
    (value.is_light() && takes(function.parameter_at(position)?, value)).then_some(value)
}

/// Returns whether a parameter takes the value as it is.
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

/// The arguments that the elements of an expanded argument become.
pub(super) struct Expanded {
    pub(super) values: Vec<Value>,
    /// They are shared here, and once more as what the function takes.
    shared: [Scattering; 2],
}

impl Expanded {
    /// Each element gets the marks of the whole.
    fn new(elements: &[Value], marks: &Marks, meter: &mut Meter) -> Result<Self, LimitReached> {
        // They lie beside those that have been converted.
        meter.hold_parts(2 * elements.len(), size_of::<Value>())?;
        let shared = || Scattering::of_copied(elements, Value::address);
        let mut expanded =
            Self { values: Vec::with_capacity(elements.len()), shared: [shared(), Scattering::default()] };
        for element in elements {
            meter.go_on(1)?;
            expanded.values.push(element.clone().with_marks(marks));
        }
        expanded.shared[1] = shared();
        Ok(expanded)
    }
}

impl Drop for Expanded {
    fn drop(&mut self) {
        scattered::release_last(&mut self.values, 0);
    }
}
