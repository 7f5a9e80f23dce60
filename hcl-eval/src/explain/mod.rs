//! How a result came about: every subexpression with its value, which branch was taken and why.
//!
//! [`explain`] evaluates an expression once, as [`evaluate`](crate::eval::evaluate) does, and keeps what it sees: an
//! [`Explanation`], which is read through [`Step`]s, drawn with [`Explanation::to_text`] or written with
//! [`Explanation::to_json`]. What is kept is bounded by [`ExplainOptions`]; what goes beyond is counted. Values
//! marked "sensitive" or "ephemeral" are redacted in both forms, and so is everything that is bound to an element
//! of such a value. The bodies of functions that a configuration defines are not gone into.
//!
//! ```
//! use hcl_eval::Value;
//! use hcl_eval::eval::{EvalOptions, Scope};
//! use hcl_eval::explain::{ExplainOptions, TextOptions, explain};
//! use hcl_syntax::{parser, source::Source};
//!
//! let source = Source::new("example", "n > 2 ? \"many\" : \"few\"")?;
//! let (parsed, _) = parser::parse_expression(source, &Default::default());
//! let scope = Scope::builder().variable("n", Value::int(3)).build();
//! let (value, _, explanation) =
//!     explain(parsed.expression(), Some(&scope), &EvalOptions::default(), &ExplainOptions::default());
//! assert_eq!(value.as_str(), Some("many"));
//! assert_eq!(
//!     explanation.to_text(&TextOptions::default()),
//!     "\
//! n > 2 ? \"many\" : \"few\" = \"many\"
//! ├─ condition n > 2 = true
//! │  └─ n = 3
//! ├─ \"many\" is chosen, because the condition is true
//! └─ \"few\" is not chosen
//! "
//! );
//! # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
//! ```

mod json;
mod pen;
mod recorder;
mod text;
mod tree;

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::Diagnostics;

use crate::eval::{EvalOptions, Evaluator, Frame, Scope, Surroundings};
use crate::limits::Meter;
use crate::program::Code;
use crate::value::Value;

use recorder::Recorder;
pub use text::TextOptions;
pub use tree::{Explanation, Problem, Role, Step};

/// Bounds on the steps of an evaluation that an explanation keeps.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_eval::explain::{ExplainOptions, explain};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[for x in [1, 2, 3] : x * 2]".parse()?;
/// let bounds = ExplainOptions { max_steps: 2, ..ExplainOptions::default() };
/// let (value, _, explanation) = explain(parsed.expression(), None, &EvalOptions::default(), &bounds);
/// assert_eq!(value.len(), Some(3));
/// assert!(explanation.n_omitted() > 0);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct ExplainOptions {
    /// How many steps.
    pub max_steps: usize,
    /// How deep steps may nest.
    pub max_depth: usize,
    /// How many elements of a `for` or a splat are shown; of those that fail as many more.
    pub max_elements: usize,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        Self { max_steps: 2_000, max_depth: 64, max_elements: 3 }
    }
}

/// Deeper than this steps are not nested, whatever is asked for.
const MAX_DEPTH: usize = 500;

/// Evaluates an expression once and keeps how its value came about.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::explain::{ExplainOptions, TextOptions, explain};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let scope = Scope::builder().variable("tries", 7).build();
/// let parsed: ParsedExpression = "tries < 5 ? \"again\" : \"never\"".parse()?;
/// let (value, _, explanation) =
///     explain(parsed.expression(), Some(&scope), &EvalOptions::default(), &ExplainOptions::default());
/// assert_eq!(value.as_str(), Some("never"));
/// assert_eq!(explanation.variables()[0].0, "tries");
/// assert!(explanation.to_text(&TextOptions::default()).contains("tries < 5"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn explain<'t>(
    expression: Expression<'t>,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
    bounds: &ExplainOptions,
) -> (Value, Diagnostics, Explanation<'t>) {
    let mut meter = Meter::new(options.limits.clone());
    let slots = options.frame.map_or(&[][..], |frame| &frame.slots);
    let lookups = options.lookups();
    let surroundings =
        Surroundings { scope, slots, host: options.host, lookups: lookups.as_ref(), user: options.user };
    watched(expression, surroundings, &mut meter, bounds)
}

fn watched<'t>(
    expression: Expression<'t>,
    surroundings: Surroundings<'_>,
    meter: &mut Meter,
    bounds: &ExplainOptions,
) -> (Value, Diagnostics, Explanation<'t>) {
    let mut recorder = Recorder::new(bounds);
    // Each step has a place. Where there are none the evaluation ends at once.
    let has_places = meter.find_lines(expression.tree().source()).is_ok();
    let (value, diagnostics) = Evaluator::new(meter).watched_by(&mut recorder).run_once(
        expression,
        surroundings,
        &mut Code::default(),
    );
    (value, diagnostics, recorder.finish(expression, has_places))
}

impl Frame {
    /// Evaluates an expression once, in the scope of the frame and with its values, charged to the frame, and keeps
    /// how its value came about.
    pub fn explain<'t>(
        &mut self,
        expression: Expression<'t>,
        scope: &Scope,
        bounds: &ExplainOptions,
    ) -> (Value, Diagnostics, Explanation<'t>) {
        let (surroundings, meter) = self.begin(scope);
        watched(expression, surroundings, meter, bounds)
    }
}
