//! Options of the expansion of dynamic blocks: names, limits, and how far it goes.

use std::fmt;
use std::sync::Arc;

use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::Diagnostics;

use crate::eval::Scope;
use crate::value::Value;

/// Looks at the value of a `for_each`; what it complains of drops the dynamic block.
///
/// ```
/// use hcl_eval::dynamic::{Expansion, ForEachCheck};
/// use hcl_syntax::diagnostic::Diagnostic;
///
/// let check: ForEachCheck = Box::new(|value, _| match value.len() {
///     Some(n) if n > 100 => vec![Diagnostic::error("app.many", "Too many blocks", "At most 100.")],
///     _ => vec![],
/// });
/// let expansion = Expansion::new(None).check_for_each(check);
/// assert!(expansion.scope().is_none());
/// ```
pub type ForEachCheck = Box<dyn Fn(&Value, &ConfigExpression) -> Diagnostics + Send + Sync>;
type BlockTypeTest = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// An expansion that bodies share.
#[cfg(feature = "dynamic")]
pub(super) type Shared = Arc<Expansion>;

/// Without dynamic blocks no body has an expansion, so that the compiler leaves out what would be done with one.
#[cfg(not(feature = "dynamic"))]
#[derive(Clone, Debug)]
pub(super) enum Shared {}

#[cfg(not(feature = "dynamic"))]
impl std::ops::Deref for Shared {
    type Target = Expansion;

    fn deref(&self) -> &Expansion {
        match *self {}
    }
}

/// The rules by which dynamic blocks are expanded: the scope, and the types of blocks.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::dynamic::{Body, Expansion};
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let config = ConfigBody::from(&File::parse("main.hcl", "dynamic \"user\" {\n  for_each = names\n  content {}\n}\n")?);
/// let scope = Scope::builder().variable("names", ["ann", "bob"]).build();
/// let body = Body::expanding(config, Arc::new(Expansion::new(Some(scope)).only(|block_type| block_type == "user")));
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (content, problems) = body.content(&BodySchema::default().block("user", &[]), &mut evaluation);
/// assert_eq!((content.blocks.len(), problems.len()), (2, 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Default)]
pub struct Expansion {
    scope: Option<Arc<Scope>>,
    checks: Vec<ForEachCheck>,
    generates: Option<BlockTypeTest>,
    opaque: Option<BlockTypeTest>,
}

impl Expansion {
    /// Expands dynamic blocks of all types; `for_each` and `labels` are evaluated in `scope`.
    pub fn new(scope: Option<Arc<Scope>>) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Allows blocks of some types only: a `dynamic` block of another type is an error.
    #[must_use]
    pub fn only(mut self, generates: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.generates = Some(Box::new(generates));
        self
    }

    /// Leaves the inside of blocks of some types alone: `dynamic` means nothing special in them. The iterators around
    /// them can be used there.
    #[must_use]
    pub fn opaque(mut self, opaque: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.opaque = Some(Box::new(opaque));
        self
    }

    /// Adds a check of `for_each`.
    #[must_use]
    pub fn check_for_each(mut self, check: ForEachCheck) -> Self {
        self.checks.push(check);
        self
    }

    /// Returns the scope that `for_each` and `labels` are evaluated in.
    pub fn scope(&self) -> Option<&Arc<Scope>> {
        self.scope.as_ref()
    }

    /// Returns whether dynamic blocks may make blocks of a type.
    pub(super) fn generates(&self, block_type: &str) -> bool {
        self.generates.as_ref().is_none_or(|generates| generates(block_type))
    }

    /// Returns whether the inside of blocks of a type is left alone.
    pub(super) fn is_opaque(&self, block_type: &str) -> bool {
        self.opaque.as_ref().is_some_and(|opaque| opaque(block_type))
    }

    /// Returns the complaints about the value of a `for_each`: those of the first check that has any.
    pub(super) fn complaints(&self, value: &Value, expression: &ConfigExpression) -> Diagnostics {
        let complaints = self.checks.iter().map(|check| check(value, expression));
        complaints.into_iter().find(|complaints| !complaints.is_empty()).unwrap_or_default()
    }
}

impl fmt::Debug for Expansion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expansion")
            .field("checks", &self.checks.len())
            .field("restricted", &self.generates.is_some())
            .field("opaque", &self.opaque.is_some())
            .finish_non_exhaustive()
    }
}
