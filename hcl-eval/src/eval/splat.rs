//! Splats: the same steps for each element.

use hcl_syntax::ast::{Expression, Splat};

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::{Binding, Local, Locals, Nesting};
use crate::convert::unify_values;
use crate::types::Type;
use crate::value::{Kind, Marks, Refinement, Value};

/// What the elements of a splat's source are.
enum Source<'v> {
    /// The elements of a list or set of this element type.
    Collection(&'v [Value], &'v Type),
    Tuple(&'v [Value]),
    /// A value that stands for its only element.
    Single,
    /// An unknown list, set or tuple.
    Unknown(Type),
}

impl<'a> Evaluator<'a> {
    /// The value of `source[*]…` or `source.*…`.
    #[inline(never)]
    pub(super) fn splat<'e>(
        &mut self,
        whole: Expression<'e>,
        splat: Splat<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let source = self.eval(splat.source, locals);
        if self.diagnostics.len() > before || self.stopped() {
            return Flow::dynamic();
        }
        if source.is_null() {
            return self.splat_of_null(&source, splat, locals);
        }
        let elements = match elements_of(source.unmarked()) {
            None => return Flow::dynamic().with_marks(source.marks()),
            Some(elements) => elements,
        };
        let result = match elements {
            Source::Unknown(ty) => self.splat_of_unknown(&source, &ty, splat, locals),
            Source::Single => {
                let maybe_null = !source.is_known() && !source.is_surely_not_null();
                match self.each(std::slice::from_ref(&*source), source.marks(), whole, splat, locals) {
                    _ if maybe_null => Value::dynamic(),
                    Ok(values) => Value::tuple(values),
                    Err(Failed) => self.unknown_tuple(std::slice::from_ref(&*source), splat, locals),
                }
            }
            Source::Tuple(values) => match self.each(values, source.marks(), whole, splat, locals) {
                Ok(results) => Value::tuple(results),
                Err(Failed) => self.unknown_tuple(values, splat, locals),
            },
            Source::Collection(values, element) => {
                match self.each(values, source.marks(), whole, splat, locals) {
                    Ok(results) => self.list_of(results, element, whole, splat, locals),
                    Err(Failed) => Value::unknown(Type::list(self.quiet_type(element, splat, locals))),
                }
            }
        };
        Flow::Owned(result).with_marks(source.marks())
    }

    fn splat_of_null<'e>(&mut self, source: &Value, splat: Splat<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        if !matches!(source.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
            return Flow::Owned(Value::tuple(Vec::new())).with_marks(source.marks());
        }
        let place = Place::within(splat.source.span(), splat.source.span().to(splat.marker));
        self.report(error::splat_of_null(), place, splat.source, locals);
        Flow::dynamic().with_marks(source.marks())
    }

    /// The results for the elements, unless one failed.
    fn each<'e>(
        &mut self,
        values: &[Value],
        marks: &Marks,
        whole: Expression<'e>,
        splat: Splat<'e>,
        locals: Locals<'e>,
    ) -> Result<Vec<Value>, Failed>
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        if let Err(limit) = self.meter.elements(values.len()) {
            self.note_stop(whole, limit);
            return Err(Failed);
        }
        let mut results = Vec::with_capacity(values.len());
        let at = Nesting::inside(locals);
        for value in values {
            let local = Local::new(at, Binding::Item(value));
            let before = self.diagnostics.len();
            let depth = self.open_element(None, value, marks);
            results.push(self.eval(splat.each, Some(&local)).into_owned());
            let is_good = self.diagnostics.len() == before;
            if !is_good {
                self.redact_since(before, marks);
            }
            self.close_element(depth, is_good);
            if self.stopped() {
                return Err(Failed);
            }
        }
        if self.diagnostics.len() > before { Err(Failed) } else { Ok(results) }
    }

    fn list_of<'e>(
        &mut self,
        results: Vec<Value>,
        element: &Type,
        whole: Expression<'e>,
        splat: Splat<'e>,
        locals: Locals<'e>,
    ) -> Value
    where
        'a: 'e,
    {
        if results.is_empty() {
            return Value::list(self.type_of_each(element, splat, locals), results);
        }
        let typed = results.iter().find(|value| !has_dynamic_type(value));
        let ty = typed.map_or(Type::Dynamic, Value::ty);
        // Results of no type, null or unknown, take the type of the others.
        if results.iter().all(|value| has_dynamic_type(value) || value.is_type(&ty))
            && let Some((ty, results)) = unify_values(results)
        {
            return Value::list(ty, results);
        }
        let place = Place::within(splat.each.span(), whole.span());
        self.report(error::nested_splat(), place, splat.each, locals);
        Value::dynamic()
    }

    fn splat_of_unknown<'e>(
        &mut self,
        source: &Value,
        ty: &Type,
        splat: Splat<'e>,
        locals: Locals<'e>,
    ) -> Value
    where
        'a: 'e,
    {
        if let Some(elements) = ty.tuple_elements() {
            let types = elements.iter().map(|element| self.type_of_each(element, splat, locals)).collect();
            return Value::unknown_not_null(Type::tuple(types));
        }
        let element = ty.element_type().unwrap_or(&Type::Dynamic);
        let result = Type::list(self.type_of_each(element, splat, locals));
        let mut refinement = Refinement::new().not_null();
        if let Some(known) = source.refinement() {
            let (least, most) = known.length_bounds();
            refinement = refinement.min_length(least).max_length(most);
        }
        Value::unknown_refined(result, refinement)
    }

    /// The type of the result for an element of type `element`.
    fn type_of_each<'e>(&mut self, element: &Type, splat: Splat<'e>, locals: Locals<'e>) -> Type
    where
        'a: 'e,
    {
        let item = Value::unknown(element.clone());
        let local = Local::new(Nesting::inside(locals), Binding::Item(&item));
        self.hide();
        let ty = self.eval(splat.each, Some(&local)).ty();
        self.show();
        ty
    }

    /// The same when its problems have been reported already.
    fn quiet_type<'e>(&mut self, element: &Type, splat: Splat<'e>, locals: Locals<'e>) -> Type
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        self.quiet += 1;
        let ty = self.type_of_each(element, splat, locals);
        self.quiet -= 1;
        self.diagnostics.truncate(before);
        ty
    }

    fn unknown_tuple<'e>(&mut self, values: &[Value], splat: Splat<'e>, locals: Locals<'e>) -> Value
    where
        'a: 'e,
    {
        let types = values.iter().map(|value| self.quiet_type(&value.ty(), splat, locals)).collect();
        Value::unknown(Type::tuple(types))
    }
}

/// The result for an element failed, or a limit was reached.
struct Failed;

fn has_dynamic_type(value: &Value) -> bool {
    value.is_dynamic_unknown() || (value.is_null() && value.ty().is_dynamic())
}

/// What a splat goes through; nothing is known if not even the type is.
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
