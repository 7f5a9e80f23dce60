//! User data of one evaluation, which functions and resolvers of the host see: the request that it serves, for example.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A value of the host's own, which functions and resolvers of one evaluation reach. Cheap to clone.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::eval::{Frame, Scope, User};
/// use hcl_eval::function::{Function, FunctionTable};
/// use hcl_syntax::{parser, source::Source};
///
/// struct Request {
///     tenant: String,
/// }
///
/// let tenant = Function::new("tenant", "Who asks.").pure(false).implementation(|invocation, _| {
///     let request = invocation.user().and_then(|user| user.get::<Request>());
///     Ok(Value::string(request.map_or("nobody", |request| &request.tenant)))
/// });
/// let mut functions = FunctionTable::default();
/// functions.insert(tenant);
/// let scope = Scope::builder().functions(functions.into()).build();
/// let (parsed, _) = parser::parse_expression(Source::new("policy", "tenant()")?, &Default::default());
/// let mut frame = Frame::new(&scope);
/// frame.set_user(Some(User::new(Request { tenant: "ann".to_owned() })));
/// let (value, problems) = frame.evaluate(parsed.expression(), &scope);
/// assert_eq!((value.as_str(), problems.len()), (Some("ann"), 0));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
#[derive(Clone)]
pub struct User(Arc<dyn Any + Send + Sync>);

impl User {
    /// Keeps a value for the functions of an evaluation.
    pub fn new<T: Any + Send + Sync>(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// The value, if it is of this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("User")
    }
}
