//! Splats: the same steps for each element.

use hcl_syntax::ast::ExpressionKind;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::locals::{Local, Nesting};
use super::report::Place;
use super::variable::follow;
use crate::convert::unify_values;
use crate::program::{Base, Node, OpId};
use crate::types::Type;
use crate::value::node::{Unfinished, put};
use crate::value::scattered::Scattering;
use crate::value::{Kind, Marks, Refinement, Repr, Value};

/// The elements of a splat's source.
enum Source<'v> {
    /// The elements of a list or set of this element type.
    Collection(&'v [Value], &'v Type),
    Tuple(&'v [Value]),
    /// A value that stands for its only element.
    Single,
    /// An unknown list, set or tuple.
    Unknown(Type),
}

impl Evaluator<'_> {
    /// The value of `source[*]…` or `source.*…`.
    pub(super) fn splat<'e>(&mut self, whole: OpId, [source, each]: [OpId; 2], env: Env<'e>) -> Flow<'e> {
        let before = self.diagnostics.len();
        let source_at = source;
        let source = self.eval_seldom(source_at, env);
        if self.diagnostics.len() > before || self.stopped() {
            return Flow::dynamic();
        }
        if source.is_null() {
            return self.splat_of_null(&source, whole, source_at, env);
        }
        let elements = match elements_of(source.unmarked()) {
            None => return Flow::dynamic().with_marks(source.marks()),
            Some(elements) => elements,
        };
        let result = match elements {
            Source::Unknown(ty) => self.splat_of_unknown(&source, &ty, each, env),
            Source::Single => {
                let maybe_null = !source.is_known() && !source.is_surely_not_null();
                let values = std::slice::from_ref(&*source);
                match self.tuple_of_each(values, source.marks(), whole, each, env) {
                    _ if maybe_null => Value::dynamic(),
                    Ok(results) => results,
                    Err(Failed) => self.unknown_tuple(values, each, env),
                }
            }
            Source::Tuple(values) => match self.tuple_of_each(values, source.marks(), whole, each, env) {
                Ok(results) => results,
                Err(Failed) => self.unknown_tuple(values, each, env),
            },
            Source::Collection(values, element) => {
                match self.vec_of_each(values, source.marks(), whole, each, env) {
                    Ok(results) => self.list_of(results, element, whole, each, env),
                    Err(Failed) => Value::unknown(Type::list(self.quiet_type(element, each, env))),
                }
            }
        };
        Flow::Owned(result).with_marks(source.marks())
    }

    fn splat_of_null<'e>(&mut self, source: &Value, whole: OpId, source_at: OpId, env: Env<'e>) -> Flow<'e> {
        if !matches!(source.type_kind(), Some(Kind::List | Kind::Set | Kind::Tuple)) {
            return Flow::Owned(Value::tuple(Vec::new())).with_marks(source.marks());
        }
        let written = env.written(source_at);
        if let ExpressionKind::Splat(splat) = env.source(whole).kind() {
            let place = Place::within(written.span(), written.span().to(splat.marker));
            self.report(error::splat_of_null(), place, written, env);
        }
        Flow::dynamic().with_marks(source.marks())
    }

    /// The results for the elements as a tuple, unless one failed.
    fn tuple_of_each(
        &mut self,
        values: &[Value],
        marks: &Marks,
        whole: OpId,
        each: OpId,
        env: Env<'_>,
    ) -> Result<Value, Failed> {
        self.charge_results(values.len(), whole, env)?;
        let mut tuple = Unfinished::new((), values.len());
        self.each(values, tuple.places(), marks, each, env)?;
        Ok(Value(Repr::Tuple(tuple.finish())))
    }

    /// The results for the elements, unless one failed.
    fn vec_of_each(
        &mut self,
        values: &[Value],
        marks: &Marks,
        whole: OpId,
        each: OpId,
        env: Env<'_>,
    ) -> Result<Vec<Value>, Failed> {
        self.charge_results(values.len(), whole, env)?;
        let mut results = vec![Value::FALSE; values.len()];
        self.each(values, &mut results, marks, each, env)?;
        Ok(results)
    }

    fn charge_results(&mut self, n: usize, whole: OpId, env: Env<'_>) -> Result<(), Failed> {
        // They are made where they stay, which is filled first.
        let room = self.meter.hold_copy(n.saturating_mul(size_of::<Value>()));
        room.and_then(|()| self.meter.elements(n)).map_err(|_| {
            self.stopped_at(whole, env);
            Failed
        })
    }

    /// Puts the results for the elements into their places, unless one fails.
    fn each(
        &mut self,
        values: &[Value],
        results: &mut [Value],
        marks: &Marks,
        each: OpId,
        env: Env<'_>,
    ) -> Result<(), Failed> {
        let _shared = Scattering::of_copied(values, Value::address);
        let before = self.diagnostics.len();
        let at = Nesting::inside(env.locals, None);
        let op = env.op(each);
        // Nobody needs the binding of an item whose steps lead straight to a value.
        let path = match op.node {
            Node::Direct { base: Base::Item, path, .. } if self.observer.is_none() => env.code().path(path),
            _ => None,
        };
        for (value, result) in values.iter().zip(results) {
            if let Some(part) = path.and_then(|path| follow(value, path))
                && self.meter.afford(op.cost.into())
            {
                put(result, part.clone());
                continue;
            }
            let local = Local::new(&at, value, value);
            *result = self.result_for(value, marks, each, env.with(Some(&local)))?;
        }
        if self.diagnostics.len() > before { Err(Failed) } else { Ok(()) }
    }

    /// The result for an element that is bound, unless a limit was reached.
    #[inline(never)] // Inlined, it makes `splat_1000` take 3 % more instructions.
    fn result_for(
        &mut self,
        value: &Value,
        marks: &Marks,
        each: OpId,
        env: Env<'_>,
    ) -> Result<Value, Failed> {
        let before = self.diagnostics.len();
        let depth = self.open_element(None, value, marks);
        let result = self.eval_seldom(each, env).into_owned();
        let is_good = self.diagnostics.len() == before;
        if !is_good {
            self.redact_since(before, marks);
        }
        self.close_element(depth, is_good);
        if self.stopped() { Err(Failed) } else { Ok(result) }
    }

    fn list_of(
        &mut self,
        mut results: Vec<Value>,
        element: &Type,
        whole: OpId,
        each: OpId,
        env: Env<'_>,
    ) -> Value {
        if results.is_empty() {
            return Value::list(self.type_of_each(element, each, env), results);
        }
        let typed = results.iter().find(|value| !has_dynamic_type(value));
        let is_typed_so = |value: &Value| typed.is_some_and(|typed| value.same_type(typed));
        // Results of no type, null or unknown, take the type of the others.
        if results.iter().all(|value| has_dynamic_type(value) || is_typed_so(value))
            && let Ok(Ok(ty)) = unify_values(&mut results, &mut Some(&mut *self.meter))
        {
            return Value::list(ty, results);
        }
        let written = env.written(each);
        let place = Place::within(written.span(), env.source(whole).span());
        self.report(error::nested_splat(), place, written, env);
        Value::dynamic()
    }

    fn splat_of_unknown(&mut self, source: &Value, ty: &Type, each: OpId, env: Env<'_>) -> Value {
        if let Some(elements) = ty.tuple_elements() {
            let types = elements.iter().map(|element| self.type_of_each(element, each, env)).collect();
            return Value::unknown_not_null(Type::tuple(types));
        }
        let element = ty.element_type().unwrap_or(&Type::Dynamic);
        let result = Type::list(self.type_of_each(element, each, env));
        let mut refinement = Refinement::new().not_null();
        if let Some(known) = source.refinement() {
            let (least, most) = known.length_bounds();
            refinement = refinement.min_length(least).max_length(most);
        }
        Value::unknown_refined(result, refinement)
    }

    /// The type of the result for an element of type `element`.
    fn type_of_each(&mut self, element: &Type, each: OpId, env: Env<'_>) -> Type {
        let item = Value::unknown(element.clone());
        let at = Nesting::inside(env.locals, None);
        let local = Local::new(&at, &item, &item);
        self.hide();
        let ty = self.eval_seldom(each, env.with(Some(&local))).ty();
        self.show();
        ty
    }

    /// Returns the type of a result whose problems have been reported already.
    fn quiet_type(&mut self, element: &Type, each: OpId, env: Env<'_>) -> Type {
        let before = self.diagnostics.len();
        self.quiet += 1;
        let ty = self.type_of_each(element, each, env);
        self.quiet -= 1;
        self.diagnostics.truncate(before);
        ty
    }

    /// A tuple of the types of results, one of which failed.
    fn unknown_tuple(&mut self, values: &[Value], each: OpId, env: Env<'_>) -> Value {
        // Once a limit has been reached nobody sees the value, and the types of many elements take long.
        if self.stopped() {
            return Value::dynamic();
        }
        let mut types = Vec::new();
        for value in values {
            let element =
                self.meter.hold_push(&types).and_then(|()| value.ty_on(&mut Some(&mut *self.meter)));
            let Ok(element) = element else { return Value::dynamic() };
            types.push(self.quiet_type(&element, each, env));
        }
        Value::unknown(Type::tuple(types))
    }
}

/// The result for an element failed, or a limit was reached.
struct Failed;

fn has_dynamic_type(value: &Value) -> bool {
    value.is_dynamic_unknown() || (value.is_null() && value.type_kind().is_none())
}

/// Returns the elements that a splat goes through; `None` if not even their type is known.
fn elements_of(source: &Value) -> Option<Source<'_>> {
    Some(match source.kind() {
        Kind::List | Kind::Set => {
            Source::Collection(source.elements().unwrap_or_default(), source.element_type()?)
        }
        Kind::Tuple => Source::Tuple(source.elements().unwrap_or_default()),
        Kind::Unknown => match source.ty() {
            Type::Dynamic => return None,
            ty @ (Type::List(_) | Type::Set(_) | Type::Tuple(_)) => Source::Unknown(ty),
            _ => Source::Single,
        },
        _ => Source::Single,
    })
}
