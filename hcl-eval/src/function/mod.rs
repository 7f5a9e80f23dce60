//! Functions: what the language can call.
//!
//! A [`Function`] declares its parameters and their tolerance for null, unknown, dynamic and marked
//! values; [`invoke`] handles what a parameter does not tolerate, so that an implementation sees plain
//! known values unless it asked for more. A *lazy* function instead gets its arguments as expressions
//! and evaluates those it wants, once. The functions themselves are elsewhere (`stdlib`).

mod error;
pub(crate) mod hidden;
mod invoke;
mod paths;
mod scope;
mod signature;
mod table;
mod user;

use std::borrow::Cow;
use std::fmt;

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::Diagnostics;

use crate::Str;
use crate::host::{Capability, Host, HostError, User};
use crate::limits::{Limits, Meter};
use crate::types::type_expr::TypeMode;
use crate::types::{Defaults, Type};
use crate::value::Value;

pub use error::{Failure, FunctionError};
pub use invoke::invoke;
pub(crate) use invoke::invoke_plain;
pub(crate) use scope::{Name, UnknownNames};
pub use scope::{Scope, ScopeBuilder};
pub use table::FunctionTable;
pub use user::{UserFunctionContext, user_functions, user_functions_within};

/// A parameter of a function.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::function::{Function, Parameter};
///
/// let separator = Parameter::new("separator", Type::String).described("What stands between the parts.");
/// let parts = Parameter::new("parts", Type::list(Type::String)).allow_null();
/// let join = Function::new("join", "Joins texts.").parameter(separator).variadic(parts).returns(Type::String);
/// assert_eq!(join.signature(), "join(separator: string, parts: list(string)...) -> string");
/// ```
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name, as messages show it.
    pub name: Str,
    /// The type that arguments are converted to; [`Type::Dynamic`] leaves them as they are.
    pub ty: Type,
    /// One line on what it is for.
    pub description: Cow<'static, str>,
    /// True if null reaches the implementation; otherwise it is an error.
    pub allow_null: bool,
    /// True if unknown values reach the implementation; otherwise they make the result unknown.
    pub allow_unknown: bool,
    /// True if values of unknown *type* reach the implementation; otherwise they make the result dynamic.
    pub allow_dynamic: bool,
    /// True if marks reach the implementation; otherwise they are moved to the result.
    pub allow_marked: bool,
    /// True if the implementation takes tuples of texts for lists of them.
    pub(crate) takes_tuples: bool,
}

impl Parameter {
    /// A parameter that tolerates nothing out of the ordinary.
    pub fn new(name: &str, ty: Type) -> Self {
        Self {
            name: name.into(),
            ty,
            description: Cow::Borrowed(""),
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
            takes_tuples: false,
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn described(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = description.into();
        self
    }

    /// Passes null on to the implementation.
    #[must_use]
    pub fn allow_null(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Passes unknown values on to the implementation.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Passes values of unknown type on to the implementation.
    #[must_use]
    pub fn allow_dynamic(mut self) -> Self {
        self.allow_dynamic = true;
        self
    }

    /// Passes a tuple of nothing but known texts on as a list of texts, without making it one.
    #[cfg(feature = "basics")]
    #[must_use]
    pub(crate) fn take_tuples(mut self) -> Self {
        self.takes_tuples = true;
        self
    }

    /// Passes marks on to the implementation.
    #[must_use]
    pub fn allow_marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }
}

type ResultTypeOf = Box<dyn Fn(&[Value], &mut Meter) -> Result<Type, FunctionError> + Send + Sync>;

/// How a function's result type is found when the call is cut short by an unknown argument.
enum ResultType {
    Fixed(Type),
    Found(ResultTypeOf),
}

type Implementation =
    Box<dyn Fn(&mut Invocation<'_>, &[Value]) -> Result<Value, FunctionError> + Send + Sync>;
type LazyImplementation = Box<dyn Fn(&mut dyn LazyArguments) -> Result<Value, FunctionError> + Send + Sync>;

/// The implementation.
pub(crate) enum Body {
    Missing,
    Strict(Implementation),
    Lazy(LazyImplementation),
}

/// A function. Built once, shared as `Arc<Function>`.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::function::{Function, Parameter};
/// use hcl_eval::{Type, Value};
///
/// let shout = Function::new("shout", "The text, louder.")
///     .parameter(Parameter::new("text", Type::String))
///     .returns(Type::String)
///     .implementation(|_, arguments| Ok(Value::from(format!("{}!", arguments[0].as_str().unwrap_or_default()))));
/// let scope = Scope::builder().function(shout).build();
/// assert_eq!(evaluate_str("shout(\"hey\")", Some(&scope))?.as_str(), Some("hey!"));
/// // Arguments are converted to the types of the parameters.
/// assert_eq!(evaluate_str("shout(1)", Some(&scope))?.as_str(), Some("1!"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub struct Function {
    name: Str,
    description: Cow<'static, str>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    result: ResultType,
    not_null_result: bool,
    pure: bool,
    needs: Option<Capability>,
    /// True if the implementation looks at the limits while it works, as those of the library do.
    looks: bool,
    pub(crate) body: Body,
}

impl Function {
    /// A function that evaluates all its arguments; to be completed by the methods that follow.
    pub fn new(name: &str, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters: Vec::new(),
            variadic: None,
            result: ResultType::Fixed(Type::Dynamic),
            not_null_result: false,
            pure: true,
            needs: None,
            looks: false,
            body: Body::Missing,
        }
    }

    /// A function that evaluates its arguments itself, on demand; see [`Function::lazy_implementation`].
    pub fn lazy(name: &str, description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, description)
    }

    /// Adds a parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Sets the parameter for all further arguments.
    #[must_use]
    pub fn variadic(mut self, parameter: Parameter) -> Self {
        self.variadic = Some(parameter);
        self
    }

    /// Sets a fixed result type.
    #[must_use]
    pub fn returns(mut self, ty: Type) -> Self {
        self.result = ResultType::Fixed(ty);
        self
    }

    /// Sets a result type that depends on the arguments, some of which are unknown when this is asked: a call with
    /// known arguments takes the type of what the implementation returns.
    #[must_use]
    pub fn returns_by(
        self,
        result: impl Fn(&[Value]) -> Result<Type, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        self.returns_on(move |arguments, _| result(arguments))
    }

    /// Sets a result type that is asked elsewhere, which may take long: it gets the limits of the evaluation too.
    #[must_use]
    pub fn returns_within(
        self,
        result: impl Fn(&[Value], &Limits) -> Result<Type, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        self.returns_on(move |arguments, meter| result(arguments, meter.limits()))
    }

    /// [`Function::returns_by`] with looks at the limits of a meter, which is asked for the room that types take.
    #[must_use]
    pub(crate) fn returns_on(
        mut self,
        result: impl Fn(&[Value], &mut Meter) -> Result<Type, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        self.result = ResultType::Found(Box::new(result));
        self
    }

    /// Promises that the result, when unknown, will not be null.
    #[must_use]
    pub fn not_null_result(mut self, not_null: bool) -> Self {
        self.not_null_result = not_null;
        self
    }

    /// Sets whether the function is pure. One that is not is not called ahead of time on constant arguments.
    #[must_use]
    pub fn pure(mut self, pure: bool) -> Self {
        self.pure = pure;
        self
    }

    /// Names the capability of the host that the function asks for; it is not pure therefore.
    #[must_use]
    pub fn needs(mut self, capability: Capability) -> Self {
        self.needs = Some(capability);
        self.pure = false;
        self
    }

    /// Sets the implementation.
    #[must_use]
    pub fn implementation(
        mut self,
        run: impl Fn(&mut Invocation<'_>, &[Value]) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        self.body = Body::Strict(Box::new(run));
        self
    }

    /// Sets the implementation, which is given unevaluated arguments.
    #[must_use]
    pub fn lazy_implementation(
        mut self,
        run: impl Fn(&mut dyn LazyArguments) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        self.body = Body::Lazy(Box::new(run));
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A function that looks at the limits while it works and after it has asked the host.
    #[cfg(feature = "basics")]
    #[must_use]
    pub(crate) fn looking(mut self) -> Self {
        self.looks = true;
        self
    }

    /// True if a call may take long without a look at the limits.
    pub(crate) fn may_be_late(&self) -> bool {
        !self.looks
    }

    /// Returns the function under another name.
    #[must_use]
    pub fn renamed(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// One line on what it does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The parameters but the variadic one.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The parameter that takes all further arguments.
    pub fn variadic_parameter(&self) -> Option<&Parameter> {
        self.variadic.as_ref()
    }

    /// All parameters, the variadic one last.
    ///
    /// ```
    /// let functions = hcl_eval::dialect::terraform();
    /// let names = functions.get("join").unwrap().all_parameters().map(|parameter| parameter.name.as_str());
    /// assert_eq!(names.collect::<Vec<_>>(), ["separator", "lists"]);
    /// ```
    pub fn all_parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().chain(&self.variadic)
    }

    /// The parameter that takes the argument of the given position.
    pub fn parameter_at(&self, position: usize) -> Option<&Parameter> {
        self.parameters.get(position).or(self.variadic.as_ref())
    }

    /// Returns true if a call may have so many arguments.
    pub(crate) fn takes(&self, n_arguments: usize) -> bool {
        let wanted = self.parameters.len();
        n_arguments == wanted || (n_arguments > wanted && self.variadic.is_some())
    }

    /// The result type, unless it depends on the arguments.
    pub fn fixed_result(&self) -> Option<&Type> {
        match &self.result {
            ResultType::Fixed(ty) => Some(ty),
            ResultType::Found(_) => None,
        }
    }

    /// The type of the result of a call with these arguments, some of which may be unknown, in an evaluation with these
    /// limits.
    ///
    /// # Errors
    /// The arguments do not fit the function.
    pub fn result_type(&self, arguments: &[Value], limits: &Limits) -> Result<Type, FunctionError> {
        self.result_type_on(arguments, &mut Meter::new(limits.clone()))
    }

    /// [`Function::result_type`] as a part of an evaluation.
    pub(crate) fn result_type_on(
        &self,
        arguments: &[Value],
        meter: &mut Meter,
    ) -> Result<Type, FunctionError> {
        match &self.result {
            ResultType::Fixed(ty) => Ok(ty.clone()),
            ResultType::Found(find) => find(arguments, meter),
        }
    }

    /// Returns whether an unknown result is known not to be null.
    pub fn has_not_null_result(&self) -> bool {
        self.not_null_result
    }

    /// Returns whether equal arguments always give equal results, and nothing else happens.
    pub fn is_pure(&self) -> bool {
        self.pure
    }

    /// Returns the capability of the host that the function asks for.
    pub fn needed_capability(&self) -> Option<Capability> {
        self.needs
    }

    /// Returns whether it evaluates its arguments itself.
    pub fn is_lazy(&self) -> bool {
        matches!(self.body, Body::Lazy(_))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The means of a running function beside its arguments: limits, host, scope, user data.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::function::{Function, Parameter};
/// use hcl_eval::{Type, Value};
///
/// let zeros = Function::new("zeros", "So many zeros.")
///     .parameter(Parameter::new("n", Type::Number))
///     .implementation(|invocation, arguments| {
///         let n = arguments[0].as_number().and_then(|n| n.to_usize()).unwrap_or(0);
///         // A huge number meets the limits of the evaluation before there is any result.
///         invocation.charge_bytes(n)?;
///         Ok(Value::from("0".repeat(n)))
///     });
/// let scope = Scope::builder().function(zeros).build();
/// assert_eq!(evaluate_str("zeros(3)", Some(&scope))?.as_str(), Some("000"));
/// assert!(evaluate_str("zeros(1e15)", Some(&scope)).is_err());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub struct Invocation<'a> {
    meter: &'a mut Meter,
    host: Option<&'a dyn Host>,
    scope: Option<&'a Scope>,
    user: Option<&'a User>,
    evaluate: EvaluatePart,
}

/// Evaluates an expression as a part of a call. Functions know no evaluator; the one that makes an invocation hands this on.
pub(crate) type EvaluatePart =
    fn(Expression<'_>, Option<&Scope>, &mut Meter, Option<&dyn Host>, Option<&User>) -> (Value, Diagnostics);

impl<'a> Invocation<'a> {
    /// An invocation whose expressions are evaluated by `evaluate`.
    pub(crate) fn evaluated_by(
        evaluate: EvaluatePart,
        meter: &'a mut Meter,
        host: Option<&'a dyn Host>,
        scope: Option<&'a Scope>,
    ) -> Self {
        Self { meter, host, scope, user: None, evaluate }
    }

    /// As above, in an evaluation with user data of the host.
    #[must_use]
    pub fn of_user(mut self, user: Option<&'a User>) -> Self {
        self.user = user;
        self
    }

    /// The user data of the evaluation; none while a program is compiled.
    pub fn user(&self) -> Option<&'a User> {
        self.user
    }

    /// Charges `n` units of work; call it in loops, for a bounded amount of work each.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn charge_steps(&mut self, n: u64) -> Result<(), FunctionError> {
        self.meter.steps(n).map_err(FunctionError::from)
    }

    /// Charges `n` elements of a result, before they are made.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn charge_elements(&mut self, n: usize) -> Result<(), FunctionError> {
        self.meter.elements(n).map_err(FunctionError::from)
    }

    /// Charges `n` bytes of a result's text, before they are made.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn charge_bytes(&mut self, n: usize) -> Result<(), FunctionError> {
        self.meter.bytes(n).map_err(FunctionError::from)
    }

    /// Tells that `n` parts of work are about to be done that was charged for as a whole ([`Meter::go_on`]).
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn go_on(&mut self, n: usize) -> Result<(), FunctionError> {
        self.meter.go_on(n).map_err(FunctionError::from)
    }

    /// An empty list with room for so many, which the limits are asked for.
    ///
    /// # Errors
    /// A limit has been reached.
    #[cfg(feature = "basics")]
    pub(crate) fn room<T>(&mut self, n: usize) -> Result<Vec<T>, FunctionError> {
        self.meter.hold_parts(n, size_of::<T>())?;
        Ok(Vec::with_capacity(n))
    }

    /// An empty text with room for so many bytes, which the limits are asked for.
    ///
    /// # Errors
    /// A limit has been reached.
    #[cfg(feature = "basics")]
    pub(crate) fn text_room(&mut self, bytes: usize) -> Result<String, FunctionError> {
        self.meter.hold(bytes)?;
        Ok(String::with_capacity(bytes))
    }

    /// Collects what has been charged for, with looks at the limits; asks for the room that it takes.
    ///
    /// # Errors
    /// A limit has been reached.
    #[cfg(feature = "basics")]
    pub(crate) fn gather<T>(&mut self, parts: impl IntoIterator<Item = T>) -> Result<Vec<T>, FunctionError> {
        let parts = parts.into_iter();
        let mut gathered = self.room(parts.size_hint().0)?;
        for part in parts {
            self.go_on(1)?;
            if gathered.len() == gathered.capacity() {
                self.meter.hold_push(&gathered)?;
            }
            gathered.push(part);
        }
        Ok(gathered)
    }

    /// Returns the meter that the call is charged to.
    pub fn meter(&mut self) -> &mut Meter {
        self.meter
    }

    /// The outside world.
    pub fn host(&self) -> Option<&'a dyn Host> {
        self.host
    }

    /// The outside world, for a function that cannot do without.
    ///
    /// # Errors
    /// There is no host.
    pub fn require_host(&self, capability: Capability) -> Result<&'a dyn Host, HostError> {
        self.host.ok_or(HostError::NotAllowed(capability))
    }

    /// Asks the outside world, and looks at the limits afterwards: the answer may have taken long.
    ///
    /// # Errors
    /// There is no host, it has no answer, or a limit has been reached.
    pub fn ask<T>(
        &mut self,
        capability: Capability,
        question: impl FnOnce(&dyn Host) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let answer = question(self.require_host(capability)?);
        // A host that ends the evaluation says why.
        if matches!(answer, Err(HostError::Stopped(_))) {
            return answer;
        }
        match self.meter.limits().stopped() {
            None => answer,
            Some(stopped) => {
                self.meter.stop(stopped.into());
                Err(HostError::Stopped(stopped))
            }
        }
    }

    /// The scope that the call stands in; a function that evaluates text takes the functions from it.
    pub fn scope(&self) -> Option<&'a Scope> {
        self.scope
    }

    /// Evaluates an expression in `scope`, one level deeper, charged to this call.
    pub fn evaluate(&mut self, expression: Expression<'_>, scope: Option<&Scope>) -> (Value, Diagnostics) {
        (self.evaluate)(expression, scope, self.meter, self.host, self.user)
    }
}

impl fmt::Debug for Invocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation").field("meter", &self.meter).finish_non_exhaustive()
    }
}

/// The arguments of a lazy function. Each is evaluated at most once if the function asks at most once.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::function::{Function, Parameter};
/// use hcl_eval::{Type, Value};
///
/// let source = Function::lazy("source", "The text of an expression.")
///     .parameter(Parameter::new("expression", Type::Dynamic))
///     .lazy_implementation(|arguments| {
///         Ok(Value::from(arguments.expression(0).map(|argument| argument.source_text().to_owned())))
///     });
/// let scope = Scope::builder().function(source).build();
/// assert_eq!(evaluate_str("source(1 + 2)", Some(&scope))?.as_str(), Some("1 + 2"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub trait LazyArguments {
    /// How many there are.
    fn len(&self) -> usize;

    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of one, marks included, with the diagnostics of its evaluation. A value beyond the last
    /// argument is unknown.
    fn evaluate(&mut self, position: usize) -> (Value, Diagnostics);

    /// One as it is written, for functions that take a type; `None` for one that came from `...`.
    fn expression(&self, position: usize) -> Option<Expression<'_>>;

    /// The type that one is written as, the defaults in it, evaluated at the expense of the call, and what is wrong with it;
    /// `None` for one that came from `...`.
    fn type_written(
        &mut self,
        position: usize,
        mode: TypeMode,
    ) -> Option<(Type, Option<Defaults>, Diagnostics)>;

    /// The means of the call.
    fn invocation(&mut self) -> Invocation<'_>;
}
