//! Variables that are looked up when an evaluation comes across them.
//!
//! A frame may leave slots empty and name a [`Resolver`]. What it answers is kept until the evaluation ends, or,
//! if the host says so, until the frame is emptied; nothing is asked twice.

use std::sync::{Arc, OnceLock};

use hcl_syntax::diagnostic::Diagnostics;

use super::{Scope, User};
use crate::limits::{LimitReached, Limits};
use crate::value::Value;

/// A question for the value of a variable.
#[derive(Copy, Clone, Debug)]
pub struct Lookup<'a> {
    /// The slot that is empty.
    pub slot: usize,
    /// The name or path that the slot was declared under.
    pub name: &'a str,
    /// The bounds of the evaluation, which hold for the look-up too: its deadline, its switch.
    pub limits: &'a Limits,
    /// The user data of the evaluation.
    pub user: Option<&'a User>,
}

/// The reason that a variable has no value.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::Value;
/// use hcl_eval::eval::{Frame, Keep, Lookup, LookupError, Resolver, Scope};
/// use hcl_syntax::parser::ParsedExpression;
///
/// struct Offline;
///
/// impl Resolver for Offline {
///     fn look_up(&self, _: &Lookup<'_>) -> Result<Value, LookupError> {
///         Err(LookupError::Failed("the server does not answer".to_owned()))
///     }
/// }
///
/// let mut builder = Scope::builder();
/// builder.slot("secret");
/// let scope = builder.build();
/// let mut frame = Frame::new(&scope);
/// frame.set_resolver(Some(Arc::new(Offline)), Keep::Evaluation);
/// let parsed: ParsedExpression = "secret".parse()?;
/// let (_, problems) = frame.evaluate(parsed.expression(), &scope);
/// assert!(problems[0].detail.contains("the server does not answer"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LookupError {
    /// The variable has none, as if nobody had been asked.
    Absent,
    /// It can't be found out: the text, which follows a colon, says why.
    Failed(String),
    /// It can't be found out, and the host says why; diagnostics without a place are about the variable.
    Diagnosed(Diagnostics),
    /// The evaluation is to end.
    Stop(LimitReached),
}

/// Gives values to variables that a frame has none for. A value that will be known later is an unknown one.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Arc;
///
/// use hcl_eval::Value;
/// use hcl_eval::eval::{Frame, Keep, Lookup, LookupError, Resolver, Scope};
/// use hcl_syntax::parser::ParsedExpression;
///
/// struct Settings(BTreeMap<String, String>);
///
/// impl Resolver for Settings {
///     fn look_up(&self, lookup: &Lookup<'_>) -> Result<Value, LookupError> {
///         self.0.get(lookup.name).map(|text| text.as_str().into()).ok_or(LookupError::Absent)
///     }
/// }
///
/// let mut builder = Scope::builder();
/// builder.slot("region");
/// let scope = builder.build();
/// let mut frame = Frame::new(&scope);
/// let settings = Settings(BTreeMap::from([("region".to_owned(), "eu".to_owned())]));
/// frame.set_resolver(Some(Arc::new(settings)), Keep::Frame);
/// let parsed: ParsedExpression = "\"${region}-west\"".parse()?;
/// assert_eq!(frame.evaluate(parsed.expression(), &scope).0.as_str(), Some("eu-west"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub trait Resolver: Send + Sync {
    /// The value of a variable.
    ///
    /// # Errors
    /// There is none.
    fn look_up(&self, lookup: &Lookup<'_>) -> Result<Value, LookupError>;
}

/// The time for which answers are kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Until the evaluation ends.
    #[default]
    Evaluation,
    /// Until all slots of the frame are emptied.
    Frame,
}

/// A resolver with the answers that it gave.
pub(crate) struct Lookups {
    resolver: Arc<dyn Resolver>,
    keep: Keep,
    answers: Vec<OnceLock<Result<Value, LookupError>>>,
}

impl Lookups {
    pub(crate) fn new(resolver: Arc<dyn Resolver>, keep: Keep, n_slots: usize) -> Self {
        let answers = std::iter::repeat_with(OnceLock::new).take(n_slots).collect();
        Self { resolver, keep, answers }
    }

    /// Returns the resolver before any answer.
    pub(crate) fn anew(&self) -> Self {
        Self::new(Arc::clone(&self.resolver), self.keep, self.answers.len())
    }

    /// Makes ready for another evaluation.
    pub(crate) fn begin(&mut self) {
        if self.keep == Keep::Evaluation {
            self.forget();
        }
    }

    /// Forgets all answers.
    pub(crate) fn forget(&mut self) {
        for answer in &mut self.answers {
            answer.take();
        }
    }

    /// Looks up a slot that the frame leaves empty.
    ///
    /// # Errors
    /// There is no value.
    pub(crate) fn value(
        &self,
        slot: u32,
        scope: &Scope,
        limits: &Limits,
        user: Option<&User>,
    ) -> Result<&Value, LookupError> {
        let slot = slot as usize;
        let answer = self.answers.get(slot).ok_or(LookupError::Absent)?;
        let ask = || {
            let name = scope.slot_name(slot).unwrap_or_default();
            self.resolver.look_up(&Lookup { slot, name: &name, limits, user })
        };
        answer.get_or_init(ask).as_ref().map_err(LookupError::clone)
    }
}
