//! One type for many: what the arms of a conditional, or the elements of a list to be, have in common.
//!
//! Types of one kind are unified part by part, so that the result may be none of the given types:
//! `[1, "a"]` and `["b", 2]` meet in `tuple([string, string])`. Objects with different attributes meet in
//! a map, tuples of different length in a list. Otherwise the result is the most preferred of the types
//! that all the others convert to; the preference is an order by generality (string before number, list
//! before tuple before set, dynamic last).
//!
//! Only the types are found here. Values are converted to the common type directly, but for objects among maps
//! and tuples among lists: these become a collection of their own first (`Common`). The reference implementation
//! composes the two conversions so that the second loses what the first has made; here it gets it.

use hcl_syntax::hash::IndexSet;

use super::{ObjectAttribute, ObjectType, Type};
use crate::convert::rules::{Rules, Safety};
use crate::limits::{Charge, LimitReached, Meter};
use crate::stack;

/// The type that values of all these types can be converted to, if there is one. The conversions may be
/// unsafe, as everywhere in the language.
///
/// ```
/// use hcl_eval::types::{Type, unify};
///
/// assert_eq!(unify(&[Type::Number, Type::String]), Some(Type::String));
/// assert_eq!(unify(&[Type::Number, Type::Bool]), None);
/// ```
#[must_use]
pub fn unify(types: &[Type]) -> Option<Type> {
    unify_with(types, Safety::Unsafe)
}

/// [`unify`] with a choice of the conversions that count.
///
/// ```
/// use hcl_eval::convert::Safety;
/// use hcl_eval::types::{Type, unify_with};
///
/// let types = [Type::Number, Type::String];
/// assert_eq!(unify_with(&types, Safety::Safe), Some(Type::String));
/// ```
#[must_use]
pub fn unify_with(types: &[Type], safety: Safety) -> Option<Type> {
    Rules::new(safety).ask_common(&types.iter().collect::<Vec<_>>()).map(|common| common.ty)
}

/// [`unify`] with looks at the limits of a meter, which is asked for the room, and the way there.
pub(crate) fn common_within(types: &[Type], meter: &mut Meter) -> Result<Option<Common>, LimitReached> {
    let mut rules = Rules::charged(Safety::Unsafe, Charge::Parts(Some(meter)));
    let common = rules.ask_common(&types.iter().collect::<Vec<_>>());
    meter.stopped().map_or(Ok(common), Err)
}

/// The common type of several types, and the way to it.
pub(crate) struct Common {
    /// The type that values of all of them can be converted to.
    pub(crate) ty: Type,
    /// The map that objects among maps, or the list that tuples among lists, become on their way there.
    pub(crate) on_the_way: Option<Type>,
}

impl Common {
    /// A type that all values become directly.
    pub(crate) fn direct(ty: Type) -> Common {
        Common { ty, on_the_way: None }
    }
}

/// Returns the difference of two types that do not unify: a sentence for a conditional with these arms.
///
/// ```
/// use hcl_eval::types::{Type, conditional_mismatch};
///
/// let sentence = conditional_mismatch(&Type::list(Type::String), &Type::Number);
/// assert!(sentence.contains("number"));
/// ```
#[must_use]
pub fn conditional_mismatch(true_type: &Type, false_type: &Type) -> String {
    Rules::new(Safety::Unsafe).mismatch(true_type, false_type)
}

/// [`conditional_mismatch`] with looks at the limits of a meter, which is asked for the room.
pub(crate) fn mismatch_within(
    true_type: &Type,
    false_type: &Type,
    meter: &mut Meter,
) -> Result<String, LimitReached> {
    let rules = &mut Rules::charged(Safety::Unsafe, Charge::Parts(Some(meter)));
    let told = rules.mismatch(true_type, false_type);
    meter.stopped().map_or(Ok(told), Err)
}

/// From this many types on, repeated ones are sorted out before anything else.
const MANY: usize = 8;

/// How many of the types are of each kind.
#[derive(Default)]
struct Tally {
    lists: usize,
    sets: usize,
    maps: usize,
    tuples: usize,
    objects: usize,
    dynamics: usize,
    others: usize,
}

impl Tally {
    fn of(types: &[&Type]) -> Tally {
        let mut tally = Tally::default();
        for ty in types {
            *match ty {
                Type::List(_) => &mut tally.lists,
                Type::Set(_) => &mut tally.sets,
                Type::Map(_) => &mut tally.maps,
                Type::Tuple(_) => &mut tally.tuples,
                Type::Object(_) => &mut tally.objects,
                Type::Dynamic => &mut tally.dynamics,
                Type::Bool | Type::Number | Type::String | Type::Capsule(_) => &mut tally.others,
            } += 1;
        }
        tally
    }
}

/// Which primitive types, and the dynamic type, occur in a list of nothing else.
#[derive(Copy, Clone, Default)]
pub(crate) struct Primitives {
    bool: bool,
    number: bool,
    string: bool,
    dynamic: bool,
}

impl Primitives {
    /// Takes note of a type; false if it is neither primitive nor dynamic.
    pub(crate) fn add(&mut self, ty: &Type) -> bool {
        match ty {
            Type::Bool => self.bool = true,
            Type::Number => self.number = true,
            Type::String => self.string = true,
            Type::Dynamic => self.dynamic = true,
            _ => return false,
        }
        true
    }

    /// Unifies the types.
    pub(crate) fn unify(self, safety: Safety) -> Option<Type> {
        let common = match self {
            Primitives { string: true, .. } => Some(Type::String),
            Primitives { number: true, bool: false, .. } => Some(Type::Number),
            Primitives { bool: true, number: false, .. } => Some(Type::Bool),
            _ => None,
        };
        match common {
            // Dynamic yields to the others only by an unsafe conversion; all of them convert to it.
            Some(_) if self.dynamic && safety == Safety::Safe => Some(Type::Dynamic),
            Some(common) => Some(common),
            None => self.dynamic.then_some(Type::Dynamic),
        }
    }
}

impl Rules<'_> {
    /// The type that all of `types` can be converted to.
    pub(crate) fn unify(&mut self, types: &[&Type]) -> Option<Type> {
        self.common(types).map(|common| common.ty)
    }

    /// [`Rules::unify`], and the way there.
    pub(crate) fn common(&mut self, types: &[&Type]) -> Option<Common> {
        let (first, rest) = types.split_first()?;
        if !self.charge(types.len()) {
            return None;
        }
        let mut primitives = Primitives::default();
        if types.iter().all(|ty| primitives.add(ty)) {
            return primitives.unify(self.safety).map(Common::direct);
        }
        if !self.goes_on(types.len()) {
            return None;
        }
        if rest.iter().all(|ty| ty == first) {
            return Some(Common::direct(first.without_optional()));
        }
        if !self.goes_on(types.len()) {
            return None;
        }
        let depth = types.iter().map(|ty| ty.depth()).max().unwrap_or(0);
        stack::grow(depth, || {
            if types.len() < MANY {
                return self.unify_different(types);
            }
            if !self.has_room(types.len(), 4 * size_of::<&Type>()) {
                return None;
            }
            let mut distinct = IndexSet::with_capacity_and_hasher(types.len(), Default::default());
            for ty in types {
                if !self.charge(1) {
                    return None;
                }
                distinct.insert(*ty);
            }
            self.unify_different(&distinct.into_iter().collect::<Vec<_>>())
        })
    }

    /// Types that are neither equal nor all primitive. The kinds decide: all of one kind unify part by part, objects
    /// beside maps and tuples beside lists become these, objects beside tuples have nothing in common; else one of
    /// the types has to take all.
    fn unify_different(&mut self, types: &[&Type]) -> Option<Common> {
        if !self.goes_on(types.len()) {
            return None;
        }
        let tally = Tally::of(types);
        if !self.goes_on(types.len()) {
            return None;
        }
        let concrete = types.len() - tally.dynamics;
        let by_way = match tally {
            Tally { maps, .. } if maps == concrete => {
                return self.unify_elements(types, &tally, Type::map).map(Common::direct);
            }
            Tally { lists, .. } if lists == concrete => {
                return self.unify_elements(types, &tally, Type::list).map(Common::direct);
            }
            Tally { sets, .. } if sets == concrete => {
                return self.unify_elements(types, &tally, Type::set).map(Common::direct);
            }
            Tally { objects, .. } if objects == concrete => {
                return self.unify_objects(types, &tally).map(Common::direct);
            }
            Tally { tuples, .. } if tuples == concrete => {
                return self.unify_tuples(types, &tally).map(Common::direct);
            }
            Tally { objects, tuples, .. } if objects > 0 && tuples > 0 => return None,
            Tally { maps, objects, .. } if maps > 0 && objects > 0 && maps + objects == concrete => {
                self.unify_as_maps(types)
            }
            Tally { lists, tuples, .. } if lists > 0 && tuples > 0 && lists + tuples == concrete => {
                self.unify_as_lists(types)
            }
            _ => None,
        };
        by_way.or_else(|| self.most_general(types, &tally).map(Common::direct))
    }

    /// Collections of one kind. What a dynamic one among them will turn out to be can't be foreseen.
    fn unify_elements(&mut self, types: &[&Type], tally: &Tally, make: fn(Type) -> Type) -> Option<Type> {
        if tally.dynamics > 0 {
            return Some(Type::Dynamic);
        }
        let elements: Vec<&Type> = types.iter().filter_map(|ty| ty.element_type()).collect();
        self.unify(&elements).map(make).filter(|common| self.all_fit(types, common))
    }

    /// Objects: attribute by attribute if the names agree, else as maps.
    fn unify_objects(&mut self, types: &[&Type], tally: &Tally) -> Option<Type> {
        if tally.dynamics > 0 {
            return Some(Type::Dynamic);
        }
        let objects: Vec<&[ObjectAttribute]> = types.iter().filter_map(|ty| ty.attributes()).collect();
        let (first, rest) = objects.split_first()?;
        let same_names = |other: &&[ObjectAttribute]| {
            other.len() == first.len() && other.iter().zip(*first).all(|(a, b)| a.name == b.name)
        };
        if !rest.iter().all(same_names) {
            return self.objects_to_map(types);
        }
        if !self.has_room(first.len(), size_of::<ObjectAttribute>()) {
            return None;
        }
        let mut column = Vec::with_capacity(objects.len());
        let mut attributes = Vec::with_capacity(first.len());
        for (i, attribute) in first.iter().enumerate() {
            column.clear();
            column.extend(objects.iter().map(|object| &object[i].ty));
            attributes.push(ObjectAttribute::new(attribute.name.clone(), self.unify(&column)?));
        }
        let object = Type::object_from_sorted(attributes);
        if self.all_fit(types, &object) { Some(object) } else { self.objects_to_map(types) }
    }

    /// Tuples: position by position if the lengths agree, else as lists.
    fn unify_tuples(&mut self, types: &[&Type], tally: &Tally) -> Option<Type> {
        if tally.dynamics > 0 {
            return Some(Type::Dynamic);
        }
        let tuples: Vec<&[Type]> = types.iter().filter_map(|ty| ty.tuple_elements()).collect();
        let (first, rest) = tuples.split_first()?;
        if !rest.iter().all(|other| other.len() == first.len()) {
            return self.tuples_to_list(types);
        }
        if !self.has_room(first.len(), size_of::<Type>()) {
            return None;
        }
        let mut column = Vec::with_capacity(tuples.len());
        let mut elements = Vec::with_capacity(first.len());
        for i in 0..first.len() {
            column.clear();
            column.extend(tuples.iter().map(|tuple| &tuple[i]));
            elements.push(self.unify(&column)?);
        }
        let tuple = Type::tuple(elements);
        if self.all_fit(types, &tuple) { Some(tuple) } else { self.tuples_to_list(types) }
    }

    /// True if all of `types` convert to what their parts unify to. They need not: parts are brought together in
    /// ways of their own, by a dynamic one, or by an empty object that takes what any map has.
    fn all_fit(&mut self, types: &[&Type], common: &Type) -> bool {
        if !self.goes_on(types.len()) {
            return false;
        }
        let is_sure = !self.is_lossy && !types.iter().any(|ty| ty.has_dynamic());
        is_sure || types.iter().all(|ty| self.exists(ty, common))
    }

    /// [`Rules::unify`] of types that are gathered first.
    #[expect(single_use_lifetimes, reason = "without a name it is unstable in `impl Trait`")]
    fn unify_all<'t>(&mut self, types: impl Iterator<Item = &'t Type> + Clone) -> Option<Type> {
        let n = types.clone().count();
        if !self.has_room(n, size_of::<&Type>()) {
            return None;
        }
        let mut all = Vec::with_capacity(n);
        for ty in types {
            if !self.goes_on(1) {
                return None;
            }
            all.push(ty);
        }
        self.unify(&all)
    }

    /// The map type that the attributes of all object types among `types` go into.
    fn objects_to_map(&mut self, types: &[&Type]) -> Option<Type> {
        let objects: Vec<&Type> = types.iter().copied().filter(|ty| ty.attributes().is_some()).collect();
        if !self.goes_on(types.len()) {
            return None;
        }
        let attributes = objects.iter().filter_map(|ty| ty.attributes()).flatten();
        let map = Type::map(self.unify_all(attributes.map(|attribute| &attribute.ty))?);
        self.all_fit(&objects, &map).then_some(map)
    }

    /// The list type that the elements of all tuple types among `types` go into.
    fn tuples_to_list(&mut self, types: &[&Type]) -> Option<Type> {
        let tuples: Vec<&Type> = types.iter().copied().filter(|ty| ty.tuple_elements().is_some()).collect();
        if !self.goes_on(types.len()) {
            return None;
        }
        let elements = tuples.iter().filter_map(|ty| ty.tuple_elements()).flatten();
        let list = Type::list(self.unify_all(elements)?);
        self.all_fit(&tuples, &list).then_some(list)
    }

    /// Maps and objects: the objects as maps, which then unify with the maps.
    fn unify_as_maps(&mut self, types: &[&Type]) -> Option<Common> {
        let map = self.objects_to_map(types)?;
        let mut maps: Vec<&Type> = types.iter().copied().filter(|ty| ty.attributes().is_none()).collect();
        maps.push(&map);
        let ty = self.unify(&maps).filter(|unified| matches!(unified, Type::Map(_)))?;
        let attributes = types.iter().filter_map(|ty| ty.attributes()).flatten();
        self.is_lossy |= is_mixed(attributes.map(|attribute| &attribute.ty));
        Some(Common { ty, on_the_way: Some(map) })
    }

    /// Lists and tuples: the tuples as lists, which then unify with the lists.
    fn unify_as_lists(&mut self, types: &[&Type]) -> Option<Common> {
        let list = self.tuples_to_list(types)?;
        let mut lists: Vec<&Type> =
            types.iter().copied().filter(|ty| ty.tuple_elements().is_none()).collect();
        lists.push(&list);
        let ty = self.unify(&lists).filter(|unified| matches!(unified, Type::List(_)))?;
        self.is_lossy |= is_mixed(types.iter().filter_map(|ty| ty.tuple_elements()).flatten());
        Some(Common { ty, on_the_way: Some(list) })
    }

    /// The most preferred of the types to which all others convert.
    fn most_general(&mut self, types: &[&Type], tally: &Tally) -> Option<Type> {
        let sequences = tally.lists + tally.sets + tally.tuples;
        let keyed = tally.maps + tally.objects;
        // No conversion leads from one of these families to another, unless a host made one; but everything
        // converts to dynamic.
        let families = [sequences, keyed, tally.others];
        let capsules = types.iter().any(|ty| matches!(ty, Type::Capsule(_)));
        if !capsules && families.iter().filter(|&&members| members > 0).count() > 1 {
            return (tally.dynamics > 0).then_some(Type::Dynamic);
        }
        let order = self.preference_order(types)?;
        let mut fits = |want: &Type| types.iter().all(|ty| self.exists(ty, want));
        let common = order.into_iter().map(|i| types[i]).find(|want| fits(want))?;
        self.is_lossy |= tally.maps > 0 && matches!(common, Type::Object(_));
        Some(common.without_optional())
    }

    /// The positions of `types`, more general ones before those they are more general than, else as given.
    fn preference_order(&mut self, types: &[&Type]) -> Option<Vec<usize>> {
        let n = types.len();
        if !self.charge(n.saturating_mul(n) / 2) || !self.has_room(n, 4 * size_of::<Vec<usize>>()) {
            return None;
        }
        let mut less_general: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut waiting_for = vec![0_usize; n];
        for i in 0..n {
            // Others may come to wait for each of these, in lists that grow.
            if !self.has_room(n, 3 * size_of::<usize>()) {
                return None;
            }
            for j in i + 1..n {
                match self.preferred(types[i], types[j]) {
                    Preference::First => {
                        less_general[i].push(j);
                        waiting_for[j] += 1;
                    }
                    Preference::Second => {
                        less_general[j].push(i);
                        waiting_for[i] += 1;
                    }
                    Preference::Neither => {}
                }
            }
        }
        let mut order: Vec<usize> = (0..n).filter(|&i| waiting_for[i] == 0).collect();
        let mut next = 0;
        while let Some(&i) = order.get(next) {
            next += 1;
            for &j in &less_general[i] {
                waiting_for[j] -= 1;
                if waiting_for[j] == 0 {
                    order.push(j);
                }
            }
        }
        Some(order)
    }

    /// Which of two types is the better common type, as far as can be told without trying.
    fn preferred(&mut self, a: &Type, b: &Type) -> Preference {
        if !self.charge(1) {
            return Preference::Neither;
        }
        match (a, b) {
            (Type::Dynamic, Type::Dynamic) => Preference::Neither,
            (_, Type::Dynamic)
            | (Type::String, Type::Bool | Type::Number)
            | (Type::List(_), Type::Tuple(_) | Type::Set(_))
            | (Type::Tuple(_), Type::Set(_))
            | (Type::Map(_), Type::Object(_)) => Preference::First,
            (Type::Dynamic, _)
            | (Type::Bool | Type::Number, Type::String)
            | (Type::Tuple(_) | Type::Set(_), Type::List(_))
            | (Type::Set(_), Type::Tuple(_))
            | (Type::Object(_), Type::Map(_)) => Preference::Second,
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                stack::grow(a.depth(), || self.preferred(a, b))
            }
            (Type::Tuple(a), Type::Tuple(b)) if a.elements().len() == b.elements().len() => {
                self.preferred_parts(a.elements().iter().zip(b.elements()))
            }
            (Type::Object(a), Type::Object(b)) => {
                let (a, b) = (a.attributes(), b.attributes());
                if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.name != b.name) {
                    return Preference::Neither;
                }
                self.preferred_parts(a.iter().zip(b).map(|(a, b)| (&a.ty, &b.ty)))
            }
            _ => Preference::Neither,
        }
    }

    /// The preference of structural types is that of their parts, if these agree.
    fn preferred_parts<'t>(&mut self, pairs: impl Iterator<Item = (&'t Type, &'t Type)>) -> Preference {
        let mut found = Preference::Neither;
        for (a, b) in pairs {
            let part = stack::grow(a.depth().min(b.depth()), || self.preferred(a, b));
            match (found, part) {
                (_, Preference::Neither) => {}
                (Preference::Neither, _) => found = part,
                (Preference::First, Preference::Second) | (Preference::Second, Preference::First) => {
                    return Preference::Neither;
                }
                (Preference::First, Preference::First) | (Preference::Second, Preference::Second) => {}
            }
        }
        found
    }
}

/// Which of two types is more general.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Preference {
    First,
    Second,
    Neither,
}

/// Returns whether there are different types among the parts of objects or tuples: what these have in common may convert to a
/// type that one of them does not convert to.
#[expect(single_use_lifetimes, reason = "without a name it is unstable in `impl Trait`")]
fn is_mixed<'t>(mut parts: impl Iterator<Item = &'t Type>) -> bool {
    let first = parts.next();
    parts.any(|part| Some(part) != first)
}

/// Names the mismatch without what is inside of the types.
pub(crate) fn name_mismatch(true_type: &Type, false_type: &Type) -> String {
    let (if_true, if_false) = (true_type.friendly_name(), false_type.friendly_name());
    if if_true == if_false {
        return format!("Both results are of type {if_true}, but what is inside them has no common type.");
    }
    format!("The 'true' value is {if_true}, the 'false' value is {if_false}.")
}

/// Two types of which a difference is told.
type Pair<'t> = (&'t Type, &'t Type);

impl Rules<'_> {
    /// Tells the difference of two types that do not unify, from the outside to where it is. When a limit has been reached there
    /// is only a part of it.
    fn mismatch(&mut self, true_type: &Type, false_type: &Type) -> String {
        let mut out = String::new();
        let mut inner = Some((true_type, false_type));
        while let Some(types) = inner {
            // The difference lies deeper, or its end is told here.
            inner = match types {
                (a, b) if !self.goes_on_at(a, b, &out) => None,
                (Type::Object(a), Type::Object(b)) => self.object_mismatch(types, a, b, &mut out),
                (Type::Tuple(a), Type::Tuple(b)) => {
                    self.tuple_mismatch(types, a.elements(), b.elements(), &mut out)
                }
                (Type::List(a), Type::List(b)) => collection_mismatch(types, ("list", a, b), &mut out),
                (Type::Set(a), Type::Set(b)) => collection_mismatch(types, ("set", a, b), &mut out),
                (Type::Map(a), Type::Map(b)) => collection_mismatch(types, ("map", a, b), &mut out),
                (a, b) => tell(&mut out, &name_mismatch(a, b)),
            };
        }
        out
    }

    /// Tells that types are compared which nest so deep, and asks for the room that a longer text takes.
    fn goes_on_at(&mut self, a: &Type, b: &Type, out: &str) -> bool {
        self.goes_on(1 + a.depth().min(b.depth()) as usize) && self.has_room(out.len(), 3)
    }

    /// Returns whether the types of two parts have none in common.
    fn differ(&mut self, a: &Type, b: &Type) -> bool {
        !self.goes_on_at(a, b, "") || a != b && self.with(Safety::Unsafe).ask_common(&[a, b]).is_none()
    }

    /// Names the first attribute that only one result has, else the first whose types have none in common.
    fn object_mismatch<'t>(
        &mut self,
        types: Pair<'t>,
        if_true: &'t ObjectType,
        if_false: &'t ObjectType,
        out: &mut String,
    ) -> Option<Pair<'t>> {
        for (side, other, has, lacks) in
            [("true", "false", if_true, if_false), ("false", "true", if_false, if_true)]
        {
            let extra = has.attributes().iter().find(|a| !self.goes_on(1) || lacks.get(&a.name).is_none());
            if let Some(extra) = extra {
                let name = self.quoted(&extra.name);
                return tell(
                    out,
                    &format!("The '{side}' value has an attribute {name}, which the '{other}' value lacks."),
                );
            }
        }
        let mut pairs = if_true.attributes().iter().zip(if_false.attributes());
        let Some((a, b)) = pairs.find(|(a, b)| self.differ(&a.ty, &b.ty)) else {
            return tell(out, &name_mismatch(types.0, types.1));
        };
        let name = self.quoted(&a.name);
        tell(out, &format!("The types of attribute {name} do not agree. "));
        Some((&a.ty, &b.ty))
    }

    /// A name as messages have it, for which there is room.
    fn quoted(&mut self, name: &str) -> String {
        // Of a character there are at most ten, and a copy of them in the message.
        if self.has_room(name.len(), 20) { format!("{name:?}") } else { String::new() }
    }

    /// Names the lengths if they differ, else the first element whose types have none in common.
    fn tuple_mismatch<'t>(
        &mut self,
        types: Pair<'t>,
        if_true: &'t [Type],
        if_false: &'t [Type],
        out: &mut String,
    ) -> Option<Pair<'t>> {
        let (true_len, false_len) = (if_true.len(), if_false.len());
        if true_len != false_len {
            return tell(
                out,
                &format!(
                    "The 'true' value is a tuple of length {true_len}, the 'false' value one of length {false_len}, and \
                     their elements have no common type."
                ),
            );
        }
        let mut pairs = if_true.iter().zip(if_false).enumerate();
        let Some((i, pair)) = pairs.find(|(_, (a, b))| self.differ(a, b)) else {
            return tell(out, &name_mismatch(types.0, types.1));
        };
        tell(out, &format!("The types of tuple element {i} do not agree. "));
        Some(pair)
    }
}

fn collection_mismatch<'t>(
    types: Pair<'t>,
    (kind, a, b): (&str, &'t Type, &'t Type),
    out: &mut String,
) -> Option<Pair<'t>> {
    // The names of structural types say nothing about what is inside.
    if a.friendly_name() != b.friendly_name() {
        return tell(out, &name_mismatch(types.0, types.1));
    }
    tell(out, &format!("The element types of the two {kind}s do not agree. "));
    Some((a, b))
}

/// Adds a sentence, after which nothing is to come.
fn tell<'t>(out: &mut String, sentence: &str) -> Option<Pair<'t>> {
    out.push_str(sentence);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_that_do_not_agree_are_told_by_their_kind() {
        let elements = [Type::tuple(vec![Type::Bool]), Type::tuple(vec![Type::list(Type::Bool)])];
        let makers = [Type::list as fn(Type) -> Type, Type::set, Type::map];
        for (make, name) in makers.into_iter().zip(["lists", "sets", "maps"]) {
            let told = conditional_mismatch(&make(elements[0].clone()), &make(elements[1].clone()));
            let beginning = format!("The element types of the two {name} do not agree. ");
            assert_eq!(told, beginning + &conditional_mismatch(&elements[0], &elements[1]));
            let named = conditional_mismatch(&make(Type::Bool), &make(elements[1].clone()));
            assert_eq!(named, name_mismatch(&make(Type::Bool), &make(elements[1].clone())));
        }
    }
}
