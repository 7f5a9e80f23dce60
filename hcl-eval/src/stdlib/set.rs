//! Sets and what is unique: union, intersection, difference, product, `distinct`, `matchkeys`.

use super::sequence::any_marked;
use super::support::{
    Outcome, elements, fail, function, refuse, try_convert, type_of_first, types_of, unify_on, unknown,
};
use crate::convert::convert_within;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::Meter;
use crate::types::Type;
use crate::value::set::Members;
use crate::value::{Marks, Refinement, Value};

/// A parameter for a set of anything. Lists and tuples are converted to one before the function sees them.
fn any_set(name: &str, description: &'static str) -> Parameter {
    Parameter::new(name, Type::set(Type::Dynamic)).described(description).allow_dynamic()
}

/// The choice of elements from two sets of one element type.
type Combine = fn(&mut Invocation<'_>, &[Value], Vec<Value>) -> Result<Vec<Value>, FunctionError>;

/// How an operation takes unknown elements.
#[derive(Copy, Clone, PartialEq, Eq)]
enum UnknownElements {
    /// They are elements like others, which the result holds.
    Kept,
    /// They make the result unknown, because they may turn out to be equal to another element.
    Decisive,
}

/// Fills in result type and body of an operation on sets.
fn operation(function: Function, unknowns: UnknownElements, combine: Combine) -> Function {
    function.returns_on(set_type).implementation(move |invocation, args| {
        let ty = set_type(args, invocation.meter())?;
        let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
        let mut types = SameType::default();
        let mut result: Option<Vec<Value>> = None;
        for (position, set) in args.iter().enumerate() {
            let set = convert_within(set, &ty, invocation.meter())
                .map_err(|error| FunctionError::from_value(position, &error))?;
            if !set.is_known() || (unknowns == UnknownElements::Decisive && !set.is_wholly_known()) {
                return Ok(unknown(ty));
            }
            if element.has_dynamic() {
                types.check(&set)?;
            }
            let values = set.elements().unwrap_or(&[]);
            invocation.charge_elements(values.len())?;
            result = Some(match result {
                None => invocation.gather(values.iter().cloned())?,
                Some(before) => combine(invocation, values, before)?,
            });
        }
        Ok(Value::set_within(element, result.unwrap_or_default(), invocation.meter())?)
    })
}

/// The type of an operation's result. Empty sets of nothing in particular have no say.
fn set_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let mut types = Vec::new();
    for set in args {
        // The parameters make sets of all arguments.
        let element = set.ty().element_type().cloned().unwrap_or(Type::Dynamic);
        if !(element.is_dynamic() && set.elements().is_some_and(<[Value]>::is_empty)) {
            types.push(element);
        }
    }
    match unify_on(&types, meter)? {
        _ if types.is_empty() => Ok(Type::set(Type::Dynamic)),
        Some(element) => Ok(Type::set(element)),
        None => fail(INCOMPATIBLE),
    }
}

/// The complaint about sets whose elements have no type in common.
const INCOMPATIBLE: &str = "given sets must all have compatible element types";

/// The type that sets have in common once they are converted. One of nulls that have no type stays apart from one of
/// elements that such a null cannot be one of.
#[derive(Default)]
struct SameType(Option<Type>);

impl SameType {
    /// Refuses a set that has elements of another type than those before it.
    fn check(&mut self, set: &Value) -> Result<(), FunctionError> {
        if set.elements().is_none_or(<[Value]>::is_empty) {
            return Ok(());
        }
        match &self.0 {
            Some(first) if set.is_type(first) => Ok(()),
            Some(_) => fail(INCOMPATIBLE),
            None => {
                self.0 = Some(set.ty());
                Ok(())
            }
        }
    }
}

/// `setunion(first_set, other_sets...)`
pub(crate) fn setunion() -> Function {
    let function = function("setunion", "Gives the set of all elements of the given sets.")
        .parameter(any_set("first_set", "A set, or what can be converted to one."))
        .variadic(any_set("other_sets", "More sets; the elements of all are converted to one type."));
    operation(function, UnknownElements::Kept, |invocation, next, mut result| {
        invocation.meter().hold_parts(result.len() + next.len(), size_of::<Value>())?;
        for value in next {
            invocation.go_on(1)?;
            result.push(value.clone());
        }
        Ok(result)
    })
}

/// `setintersection(first_set, other_sets...)`
pub(crate) fn setintersection() -> Function {
    let function = function("setintersection", "Gives the set of those elements that all given sets have.")
        .parameter(any_set("first_set", "A set, or what can be converted to one."))
        .variadic(any_set("other_sets", "More sets; the elements of all are converted to one type."));
    operation(function, UnknownElements::Decisive, |invocation, next, result| {
        choose(invocation, next, &result, true)
    })
}

/// `setsubtract(a, b)`
pub(crate) fn setsubtract() -> Function {
    let function = function("setsubtract", "Gives the set of those elements of a that b does not have.")
        .parameter(any_set("a", "The set to take elements out of."))
        .parameter(any_set("b", "The elements to take out."));
    operation(function, UnknownElements::Decisive, |invocation, next, result| {
        choose(invocation, next, &result, false)
    })
}

/// `setsymmetricdifference(first_set, other_sets...)`
pub(crate) fn setsymmetricdifference() -> Function {
    let function =
        function("setsymmetricdifference", "Gives the set of those elements that an odd number of sets has.")
            .parameter(any_set("first_set", "A set, or what can be converted to one."))
            .variadic(any_set("other_sets", "More sets; the elements of all are converted to one type."));
    operation(function, UnknownElements::Decisive, |invocation, next, result| {
        let mut differing = choose(invocation, next, &result, false)?;
        let others = choose(invocation, &result, next, false)?;
        invocation.meter().hold_parts(differing.len() + others.len(), size_of::<Value>())?;
        differing.extend(others);
        Ok(differing)
    })
}

/// Those of the values that are among some members, or those that are not.
fn choose(
    invocation: &mut Invocation<'_>,
    members: &[Value],
    values: &[Value],
    contained: bool,
) -> Result<Vec<Value>, FunctionError> {
    let members = Members::new(members, &mut Some(invocation.meter()))?;
    let mut chosen = Vec::new();
    for value in values {
        if members.contains(value, &mut Some(invocation.meter()))? == contained {
            invocation.meter().hold_push(&chosen)?;
            chosen.push(value.clone());
        }
    }
    Ok(chosen)
}

/// `distinct(list)`
pub(crate) fn distinct() -> Function {
    function("distinct", "Removes elements that are equal to one before them.")
        .parameter(
            Parameter::new("list", Type::list(Type::Dynamic))
                .described("The list; elements must be of one type."),
        )
        .returns_on(|args, meter| Ok(type_of_first(args, meter)?))
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            let ty = list.ty();
            if !list.is_wholly_known() {
                return Ok(unknown(ty));
            }
            let values = elements(args, 0);
            invocation.charge_elements(values.len())?;
            let pace = &mut Some(invocation.meter());
            let mut kept: Vec<Value> = Vec::new();
            let mut members = Members::expecting(values.len(), pace)?;
            for value in values {
                if members.add_distinct(value, pace)? {
                    kept.push(value.clone());
                }
            }
            let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
            Ok(Value::list_within(element, kept, invocation.meter())?)
        })
}

/// `matchkeys(values, keys, searchset)`
pub(crate) fn matchkeys() -> Function {
    let list = |name: &str, description: &'static str| {
        Parameter::new(name, Type::list(Type::Dynamic)).described(description)
    };
    function("matchkeys", "Gives those values whose keys are in a set.")
        .parameter(list("values", "The values to choose from."))
        .parameter(list("keys", "The key of each value; as many as values."))
        .parameter(list("searchset", "The keys that are wanted."))
        .returns_on(|args, meter| {
            match_type(args, meter)?;
            Ok(type_of_first(args, meter)?)
        })
        .implementation(match_keys)
}

/// The type that keys and wanted keys are both converted to.
fn match_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let types = types_of(args.get(1..).unwrap_or(&[]), meter)?;
    unify_on(&types, meter)?.ok_or_else(|| FunctionError::new("keys and searchset must be of the same type"))
}

/// Chooses values by their keys. An unknown wanted key ends the search without a result, and not in an unknown list,
/// as in the reference.
fn match_keys(invocation: &mut Invocation<'_>, args: &[Value]) -> Outcome {
    let [list, keys, wanted] = args else { return fail("three lists are required") };
    let ty = list.ty();
    let common = match_type(args, invocation.meter())?;
    if !list.is_wholly_known() || !keys.is_wholly_known() {
        return Ok(unknown(ty));
    }
    let (values, length) = (elements(args, 0), elements(args, 1).len());
    if values.len() != length {
        return fail("length of keys and values should be equal");
    }
    invocation.meter().hold_parts(keys.len().unwrap_or(0) + wanted.len().unwrap_or(0), size_of::<Value>())?;
    let mut of_keys = |list: &Value, position| {
        convert_within(list, &common, invocation.meter())
            .map_err(|error| FunctionError::from_value(position, &error))
    };
    let (keys, wanted) = (of_keys(keys, 1)?, of_keys(wanted, 2)?);
    // The reference gives up, with nothing, at the first unknown element that it looks at.
    let wanted = wanted.elements().unwrap_or(&[]);
    let known = wanted.iter().position(|value| !value.is_wholly_known()).unwrap_or(wanted.len());
    let members = Members::new(&wanted[..known], &mut Some(invocation.meter()))?;
    let all_known = known == wanted.len();
    let mut matched = Vec::new();
    for (key, value) in keys.elements().unwrap_or(&[]).iter().zip(values) {
        invocation.charge_elements(1)?;
        if members.contains(key, &mut Some(invocation.meter()))? {
            invocation.meter().hold_push(&matched)?;
            matched.push(value.clone());
        } else if !all_known {
            matched.clear();
            break;
        }
    }
    let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
    Ok(Value::list_within(element, matched, invocation.meter())?)
}

/// `setproduct(sets...)`
pub(crate) fn setproduct() -> Function {
    function("setproduct", "Gives all combinations of an element of each of the given sets.")
        .variadic(any_marked("sets").described("Two or more lists, tuples or sets; if all are lists or tuples the result is a list, otherwise a set.").allow_unknown())
        .returns_on(product_type)
        .implementation(|invocation, args| {
            let ty = product_type(args, invocation.meter())?;
            let marks = args.iter().fold(Marks::EMPTY, |marks, set| marks.union(set.marks()));
            if args.iter().any(|set| !set.is_known() || !set.length().is_known()) {
                return Ok(unknown_product(ty, args).with_marks(&marks));
            }
            let combinations = args.iter().try_fold(1_usize, |n, set| n.checked_mul(set.len().unwrap_or(0)));
            let Some(combinations) = combinations.filter(|n| n.checked_mul(args.len()).is_some()) else {
                return fail("the product of these sets is too large");
            };
            invocation.charge_elements(combinations.saturating_mul(1 + args.len()))?;
            let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
            // Each combination has a header beside its elements, and lies in a list before it lies in the result.
            let bytes = 40 + (args.len() + 2) * size_of::<Value>();
            invocation.meter().hold_parts(combinations, bytes)?;
            let product = combine_all(invocation, args, &element, combinations)?;
            Ok(match ty {
                Type::List(_) => Value::list_within(element, product, invocation.meter())?,
                _ => Value::set_within(element, product, invocation.meter())?,
            }
            .with_marks(&marks))
        })
}

/// A list of tuples if all arguments are ordered, else a set of them.
fn product_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    if args.len() < 2 {
        return fail("at least two arguments are required");
    }
    let mut ordered = true;
    let mut types = Vec::new();
    for (position, set) in args.iter().enumerate() {
        let ty = set.ty_on(&mut Some(meter))?;
        ordered &= !matches!(ty, Type::Set(_));
        types.push(match (&ty, ty.tuple_elements()) {
            (Type::List(_) | Type::Set(_), _) => ty.element_type().cloned().unwrap_or(Type::Dynamic),
            (_, Some([])) => Type::Dynamic,
            (_, Some(elements)) => unify_on(elements, meter)?
                .ok_or_else(|| FunctionError::argument(position, "all elements must be of the same type"))?,
            _ => return refuse(position, "a set or a list is required"),
        });
    }
    let element = Type::tuple(types);
    Ok(if ordered { Type::list(element) } else { Type::set(element) })
}

/// Every combination, the last argument varying fastest.
fn combine_all(
    invocation: &mut Invocation<'_>,
    args: &[Value],
    element: &Type,
    combinations: usize,
) -> Result<Vec<Value>, FunctionError> {
    let mut columns = invocation.room(args.len())?;
    for (set, ty) in args.iter().zip(element.tuple_elements().unwrap_or(&[])) {
        let mut column = invocation.room(set.len().unwrap_or(0))?;
        for value in set.elements().unwrap_or(&[]) {
            invocation.go_on(1)?;
            let converted = try_convert(value, ty, invocation.meter())?;
            column.push(converted.map_err(|error| FunctionError::new(error.detail()))?);
        }
        columns.push(column);
    }
    let combination = |mut number: usize| {
        #[expect(clippy::disallowed_methods, reason = "asked for with all combinations")]
        let mut values = Vec::with_capacity(columns.len());
        for column in columns.iter().rev() {
            values.push(column[number % column.len()].clone());
            number /= column.len();
        }
        values.reverse();
        Value::tuple(values)
    };
    invocation.gather((0..combinations).map(combination))
}

/// How many combinations are still told of a product that is not known.
const TOLD: u64 = 2048;

/// An unknown product, with bounds of its length where lengths are known or bounded. Beyond [`TOLD`] combinations, or
/// 1024 elements in one of the sets, nothing is told.
fn unknown_product(ty: Type, args: &[Value]) -> Value {
    let mut most = 1_u64;
    for set in args {
        let length = match (set.ty().tuple_elements(), set.len(), set.refinement()) {
            (Some(elements), ..) => elements.len() as u64,
            (None, Some(length), _) if set.length().is_known() => length as u64,
            (None, Some(_), _) => u64::MAX,
            (None, None, Some(known)) => known.length_bounds().1,
            (None, None, None) => u64::MAX,
        };
        most = most.saturating_mul(length);
        if length > 1024 || most > TOLD {
            return unknown(ty);
        }
    }
    let least = most.min(1);
    Value::unknown_refined(ty, Refinement::new().not_null().min_length(least).max_length(most))
}
