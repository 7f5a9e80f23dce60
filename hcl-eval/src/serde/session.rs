//! The inputs of reading beside the body: names, limits, the outside world.

use std::cell::RefCell;

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use crate::eval::{EvalOptions, Evaluator, Lookups, Scope, Surroundings};
use crate::limits::Meter;
use crate::program::Code;
use crate::value::Value;

/// A body being read: all its attributes are charged to one meter.
pub(super) struct Session<'a> {
    surroundings: Surroundings<'a>,
    lookups: Option<Lookups>,
    meter: RefCell<Meter>,
    /// Where expressions are lowered, one after the other.
    room: RefCell<Code>,
}

impl<'a> Session<'a> {
    pub(super) fn new(scope: Option<&'a Scope>, options: &'a EvalOptions<'_>) -> Self {
        let slots = options.frame.map_or(&[][..], |frame| &frame.slots);
        let surroundings =
            Surroundings { scope, slots, host: options.host, user: options.user, ..Surroundings::default() };
        Self {
            surroundings,
            lookups: options.lookups(),
            meter: RefCell::new(Meter::new(options.limits.clone())),
            room: RefCell::default(),
        }
    }

    /// The value of an expression.
    pub(super) fn evaluate(&self, expression: Expression<'_>) -> Result<Value, Diagnostics> {
        let surroundings = Surroundings { lookups: self.lookups.as_ref(), ..self.surroundings };
        let (mut meter, mut room) = (self.meter.borrow_mut(), self.room.borrow_mut());
        let (value, diagnostics) = Evaluator::once(&mut meter, expression, surroundings, &mut room);
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(value) }
    }
}
