//! Conditionals: both results are evaluated and brought to one type, then one is chosen.
//!
//! The order is that of the reference: true result, false result, type, condition. What the result that
//! is not chosen complained about is forgotten. A chain `a ? b : c ? d : e …` is a loop.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::report::Place;
use crate::convert::convert_within;
use crate::limits::{LimitReached, Meter};
use crate::program::{Node, OpId};
use crate::types::unify::{Common, common_within};
use crate::types::{Type, mismatch_within, name_mismatch};
use crate::value::{Bound, Kind, Marks, Number, Refinement, Repr, Value};

/// A conditional whose true result has been evaluated.
struct Pending<'e> {
    parts: Parts,
    when_true: Flow<'e>,
    /// How many diagnostics there were before the true result, and before the false one.
    before_true: usize,
    before_false: usize,
}

/// The inputs of a decision between two results.
struct Decision<'e> {
    /// The type of the result.
    target: Target,
    condition: Flow<'e>,
    /// How many diagnostics there were before the condition.
    before_condition: usize,
}

/// A conditional taken apart.
#[derive(Copy, Clone)]
struct Parts {
    whole: OpId,
    condition: OpId,
    when_true: OpId,
    when_false: OpId,
}

/// The type of the result.
enum Target {
    /// Both results have it already.
    Same,
    /// One is an untyped null and takes the type of the other.
    OfTrue,
    OfFalse,
    /// It is not known, and nothing is converted.
    Dynamic,
    /// Both are converted to it.
    Unified(Common),
}

impl Evaluator<'_> {
    /// The value of a conditional, and of any number of these, each the false result of the one before.
    pub(super) fn conditional<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut chain: SmallVec<[Pending<'e>; 2]> = SmallVec::new();
        let mut last = at;
        while let Node::Conditional { condition, when_true, when_false, .. } = env.op(last).node
            && (chain.is_empty() || env.is_link(last))
        {
            if !chain.is_empty() {
                if !self.hold_link(&chain) {
                    return self.stop_at(last, env);
                }
                self.open(env.source(last));
            }
            let parts = Parts { whole: last, condition, when_true, when_false };
            let before_true = self.diagnostics.len();
            let when_true = self.eval_seldom(when_true, env);
            let before_false = self.diagnostics.len();
            chain.push(Pending { parts, when_true, before_true, before_false });
            last = when_false;
            if self.stopped() && env.is_link(last) {
                return Flow::dynamic();
            }
        }
        let mut value = self.eval_seldom(last, env);
        if self.stopped() {
            return Flow::dynamic();
        }
        while let Some(pending) = chain.pop() {
            let before = pending.before_true;
            value = self.decide(pending, value, env);
            if !chain.is_empty() {
                self.close(&value, before);
            }
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        value
    }

    /// The value of a conditional whose results have been evaluated.
    fn decide<'e>(&mut self, pending: Pending<'e>, when_false: Flow<'e>, env: Env<'e>) -> Flow<'e> {
        let parts = pending.parts;
        self.charge_walk(&pending.when_true, parts.whole, env);
        self.charge_walk(&when_false, parts.whole, env);
        if self.stopped() {
            return Flow::dynamic();
        }
        if !is_alike(&pending.when_true, &when_false) {
            return self.decide_generally(pending, when_false, env);
        }
        let before_condition = self.diagnostics.len();
        let condition = self.eval_seldom(parts.condition, env);
        if let Repr::Bool(chosen) = condition.0
            && self.diagnostics.len() == pending.before_true
        {
            let (result, other) =
                if chosen { (pending.when_true, when_false) } else { (when_false, pending.when_true) };
            other.discard();
            return result;
        }
        let decision = Decision { target: Target::Same, condition, before_condition };
        self.settle(pending, when_false, decision, env)
    }

    fn decide_generally<'e>(&mut self, pending: Pending<'e>, when_false: Flow<'e>, env: Env<'e>) -> Flow<'e> {
        let parts = pending.parts;
        let Ok(target) = target(&pending.when_true, &when_false, self.meter) else {
            return self.stop_at(parts.whole, env);
        };
        let Some(target) = target else {
            self.diagnostics.truncate(pending.before_true);
            let types = types_of(&pending.when_true, &when_false, self.meter);
            let Ok([if_true, if_false]) = types else { return self.stop_at(parts.whole, env) };
            let reason = match pending.when_true.hides_names() || when_false.hides_names() {
                true => Ok(name_mismatch(&if_true, &if_false)),
                false => mismatch_within(&if_true, &if_false, self.meter),
            };
            let Ok(reason) = reason else { return self.stop_at(parts.whole, env) };
            let whole = env.source(parts.whole);
            let subject = env.written(parts.when_true).span().to(env.written(parts.when_false).span());
            let place = Place::within(subject, whole.span());
            self.report(error::inconsistent_results(&reason), place, whole, env);
            return Flow::dynamic();
        };
        let before_condition = self.diagnostics.len();
        let condition = self.eval_seldom(parts.condition, env);
        self.settle(pending, when_false, Decision { target, condition, before_condition }, env)
    }

    /// The result when the condition has been evaluated, too.
    fn settle<'e>(
        &mut self,
        pending: Pending<'e>,
        when_false: Flow<'e>,
        decision: Decision<'e>,
        env: Env<'e>,
    ) -> Flow<'e> {
        let Pending { parts, when_true, before_true, before_false } = pending;
        let Decision { target, condition, before_condition } = decision;
        let chosen = match condition.0 {
            Repr::Bool(chosen) => Some(chosen),
            _ => match self.condition(&condition, parts, env) {
                Condition::Known(chosen) => Some(chosen),
                Condition::Unknown => None,
                Condition::Refused => {
                    self.diagnostics.drain(before_true..before_condition);
                    let ty = target.ty(&when_true, &when_false, self.meter);
                    return ty.map_or_else(|_| self.stop_at(parts.whole, env), Flow::unknown);
                }
            },
        };
        if self.diagnostics.len() > before_true {
            self.keep_chosen(chosen, [before_true, before_false, before_condition]);
        }
        let marks = if condition.is_marked() || when_true.is_marked() || when_false.is_marked() {
            condition.marks().union(when_true.marks()).union(when_false.marks())
        } else {
            Marks::EMPTY
        };
        let Some(chosen) = chosen else {
            let ty = target.ty(&when_true, &when_false, self.meter);
            let Ok(ty) = ty else { return self.stop_at(parts.whole, env) };
            return Flow::Owned(either(when_true.unmarked(), when_false.unmarked(), ty).with_marks(&marks));
        };
        let needed = match (target, chosen) {
            (Target::Unified(common), _) => Ok(Some(common)),
            (target @ Target::OfTrue, false) | (target @ Target::OfFalse, true) => {
                target.ty(&when_true, &when_false, self.meter).map(|ty| Some(Common::direct(ty)))
            }
            _ => Ok(None),
        };
        let result = if chosen { when_true } else { when_false };
        match needed {
            Ok(None) => result,
            Ok(Some(common)) => self.converted(&result, common, chosen, parts, env),
            Err(_) => self.stop_at(parts.whole, env),
        }
        .with_marks(&marks)
    }

    /// Returns the meaning of a condition that is no plain bool.
    fn condition(&mut self, value: &Value, parts: Parts, env: Env<'_>) -> Condition {
        let written = env.written(parts.condition);
        let place = Place::within(written.span(), env.source(parts.whole).span());
        if value.is_null() {
            self.report(error::null_condition(), place, written, env);
            return Condition::Refused;
        }
        if !value.is_known() {
            return Condition::Unknown;
        }
        match convert_within(value.unmarked(), &Type::Bool, self.meter) {
            Ok(value) => Condition::Known(value.as_bool().unwrap_or_default()),
            Err(error) => {
                self.report(error::condition_type(&error.detail()), place, written, env);
                Condition::Refused
            }
        }
    }

    /// Puts the condition's diagnostics first, then those of the chosen result; the rest goes.
    fn keep_chosen(
        &mut self,
        chosen: Option<bool>,
        [before_true, before_false, before_condition]: [usize; 3],
    ) {
        let of_condition = self.diagnostics.split_off(before_condition);
        let of_false = self.diagnostics.split_off(before_false);
        let of_true = self.diagnostics.split_off(before_true);
        self.diagnostics.extend(of_condition);
        match chosen {
            Some(true) => self.diagnostics.extend(of_true),
            Some(false) => self.diagnostics.extend(of_false),
            None => {}
        }
    }

    fn converted<'e>(
        &mut self,
        result: &Value,
        common: Common,
        chosen: bool,
        parts: Parts,
        env: Env<'e>,
    ) -> Flow<'e> {
        match common.convert_result(result, &mut Some(self.meter)) {
            Ok(value) => value.into(),
            Err(_) if self.meter.stopped().is_some() => self.stop_at(parts.whole, env),
            Err(error) => {
                let expression = env.written(if chosen { parts.when_true } else { parts.when_false });
                let place = Place::within(expression.span(), env.source(parts.whole).span());
                self.report(error::result_conversion(chosen, &error.detail()), place, expression, env);
                Flow::unknown(common.ty)
            }
        }
    }
}

enum Condition {
    Known(bool),
    Unknown,
    Refused,
}

impl Target {
    fn ty(&self, when_true: &Value, when_false: &Value, meter: &mut Meter) -> Result<Type, LimitReached> {
        match self {
            Target::Same | Target::OfTrue => when_true.ty_on(&mut Some(meter)),
            Target::OfFalse => when_false.ty_on(&mut Some(meter)),
            Target::Dynamic => Ok(Type::Dynamic),
            Target::Unified(common) => Ok(common.ty.clone()),
        }
    }
}

/// Returns whether both are plain values of one primitive type.
fn is_alike(left: &Value, right: &Value) -> bool {
    matches!(
        (&left.0, &right.0),
        (Repr::String(_), Repr::String(_))
            | (Repr::Number(_), Repr::Number(_))
            | (Repr::Bool(_), Repr::Bool(_))
    )
}

/// The type that both results can have; `None` if there is none.
fn target(when_true: &Value, when_false: &Value, meter: &mut Meter) -> Result<Option<Target>, LimitReached> {
    let untyped_null = |value: &Value| matches!(value.0, Repr::Null(Type::Dynamic));
    let untyped = |value: &Value| match &value.unmarked().0 {
        Repr::Null(ty) => ty.is_dynamic(),
        _ => value.is_dynamic_unknown(),
    };
    Ok(Some(if when_true.same_type_on(when_false, &mut Some(meter))? && !untyped(when_true) {
        Target::Same
    } else if untyped_null(when_true) {
        Target::OfFalse
    } else if untyped_null(when_false) {
        Target::OfTrue
    } else if untyped(when_true) || untyped(when_false) {
        Target::Dynamic
    } else {
        let types = types_of(when_true, when_false, meter)?;
        return Ok(common_within(&types, meter)?.map(Target::Unified));
    }))
}

fn types_of(when_true: &Value, when_false: &Value, meter: &mut Meter) -> Result<[Type; 2], LimitReached> {
    let pace = &mut Some(meter);
    Ok([when_true.ty_on(pace)?, when_false.ty_on(pace)?])
}

/// Returns the facts about a value that is one of two.
fn either(when_true: &Value, when_false: &Value, ty: Type) -> Value {
    if when_true.is_null() && when_false.is_null() {
        return Value::null(ty);
    }
    let mut refinement = Refinement::new();
    if when_true.is_surely_not_null() && when_false.is_surely_not_null() {
        refinement = refinement.not_null();
    }
    let is_number = |value: &Value| value.type_kind() == Some(Kind::Number);
    if ty == Type::Number && is_number(when_true) && is_number(when_false) {
        refinement = number_hull(refinement, when_true, when_false);
    } else if ty.is_collection() && when_true.same_type(when_false) {
        let (true_lengths, false_lengths) = (length_bounds(when_true), length_bounds(when_false));
        refinement = refinement
            .min_length(true_lengths.0.min(false_lengths.0))
            .max_length(true_lengths.1.max(false_lengths.1));
    }
    Value::unknown_refined(ty, refinement)
}

fn number_hull(mut refinement: Refinement, when_true: &Value, when_false: &Value) -> Refinement {
    let (true_low, true_high) = when_true.number_bounds();
    let (false_low, false_high) = when_false.number_bounds();
    let low = true_low.zip(false_low).map(|(a, b)| outer(a, b, Ordering::Less));
    let high = true_high.zip(false_high).map(|(a, b)| outer(a, b, Ordering::Greater));
    let single = matches!((&low, &high), (Some(low), Some(high)) if low.value.cmp(&high.value).is_eq());
    // An infinite bound says nothing, unless nothing but infinity is possible.
    if let Some(low) = low.filter(|low| single || !low.value.is_infinite()) {
        refinement = refinement.min(low.value, low.inclusive);
    }
    if let Some(high) = high.filter(|high| single || !high.value.is_infinite()) {
        refinement = refinement.max(high.value, high.inclusive);
    }
    refinement
}

/// The bound farther out; `outward` is how it compares to the other.
fn outer(a: Bound, b: Bound, outward: Ordering) -> Bound {
    match a.value.cmp(&b.value) {
        Ordering::Equal => Bound { inclusive: a.inclusive || b.inclusive, value: a.value },
        order if order == outward => a,
        _ => b,
    }
}

fn length_bounds(value: &Value) -> (u64, u64) {
    match value.length().as_number().and_then(Number::to_u64) {
        Some(length) => (length, length),
        None => match value.refinement() {
            Some(refinement) => refinement.length_bounds(),
            // Of a known set whose elements may turn out equal the reference tells nothing.
            None => Refinement::new().length_bounds(),
        },
    }
}
