//! Sets: which elements are one and the same, and in which order they come.
//!
//! Elements are the same if they share the checksum of their byte form (see `set_hash`) and are known to be
//! equal; the first one added stays. Strings, bools and numbers come in their natural order, elements of
//! other types in the order of their byte forms; unknowns follow the known ones, nulls are last.
//!
//! Equal elements are found by hashing or by sorting, never by comparing all pairs, so that crafted
//! elements can't make it slow.

use std::cmp::Ordering;
use std::mem;
use std::ops::Range;

use hcl_syntax::hash::{HashMap, Seeded};
use smallvec::SmallVec;

use super::equality::{Tri, compare as compare_values, compare_ordered};
use super::node;
use super::scattered::{self, Scattering};
use super::set_hash::{Digits, checksum, crc32, hash_text, write_hash_text};
use super::{Number, Repr, Value};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace, all_on, go_on, hold};
use crate::sorting::{sort_by, sort_texts_on, sorted_places_on};
use crate::types::Type;

/// How many bytes a place in the table takes for each of the [`Members`].
const MEMBER_BYTES: usize = size_of::<Bucket<'_>>() + 64;

/// How many bytes it takes at most to make a set of so many elements, that of its texts aside.
pub(crate) fn room_for(element: &Type, n: usize) -> usize {
    n.saturating_mul(match element {
        Type::String | Type::Bool | Type::Number => 3 * size_of::<usize>() + size_of::<Value>(),
        // A text of its parts, and a place in a table, for each.
        _ => 2 * size_of::<Written>() + size_of::<Value>() + MEMBER_BYTES,
    })
}

/// Removes duplicates and sorts. The values are unmarked.
pub(crate) fn arrange(
    element: &Type,
    values: Vec<Value>,
    pace: Pace<'_, '_>,
) -> Result<Vec<Value>, LimitReached> {
    if values.len() < 2 {
        return Ok(values);
    }
    match element {
        Type::String | Type::Bool => {
            let is_twin = |a: &Value, b: &Value| b.is_known() && natural_order(a, b) == Ordering::Equal;
            arrange_plain(values, &is_twin, pace)
        }
        Type::Number => arrange_plain(values, &same_number, pace),
        _ => arrange_by_text(values, pace),
    }
}

/// Known values first, then unknowns, nulls last.
fn rank(value: &Value) -> u8 {
    match &value.0 {
        Repr::Null(_) => 2,
        Repr::Unknown(_) => 1,
        _ => 0,
    }
}

/// The order of strings, bools and numbers, without what is left to ties.
fn natural_order(a: &Value, b: &Value) -> Ordering {
    match (&a.0, &b.0) {
        (Repr::String(a), Repr::String(b)) => a.cmp(b),
        (Repr::Bool(a), Repr::Bool(b)) => a.cmp(b),
        (Repr::Number(a), Repr::Number(b)) => number_order(a, b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// Numeric order. The zeros are equal numbers with different checksums: that of `-0` is less.
fn number_order(a: &Number, b: &Number) -> Ordering {
    let negative_zero = |n: &Number| n.is_zero() && n.is_negative();
    a.cmp(b).then_with(|| negative_zero(b).cmp(&negative_zero(a)))
}

/// Sorts values without parts and leaves out twins, of which the one that was added first stays.
fn arrange_plain(
    mut values: Vec<Value>,
    is_twin: &dyn Fn(&Value, &Value) -> bool,
    pace: Pace<'_, '_>,
) -> Result<Vec<Value>, LimitReached> {
    let n_bytes = values.iter().filter_map(Value::as_text).map(|text| text.len()).sum();
    let order = |a: usize, b: usize| natural_order(&values[a], &values[b]);
    let sorted = sorted_places_on(values.len(), n_bytes, &order, &mut |n| go_on(pace, n))?;
    // Numbers that are equal stand beside each other, but numbers of other precision that the language
    // does not count as equal to them may stand between.
    const NEIGHBOURS: usize = 4;
    let mut kept: Vec<usize> = Vec::with_capacity(sorted.len());
    for at in sorted {
        go_on(pace, 1 + values[at].as_text().map_or(0, |text| text.len() / BYTES_PER_PART))?;
        let near = kept.len().saturating_sub(NEIGHBOURS);
        match kept[near..].iter_mut().rev().find(|other| is_twin(&values[**other], &values[at])) {
            Some(twin) => *twin = at.min(*twin),
            None => kept.push(at),
        }
    }
    let _moving = Scattering::of(&values, Value::address);
    let mut arranged = Vec::with_capacity(kept.len());
    for at in kept {
        arranged.push(mem::take(&mut values[at]));
        if let Err(limit) = go_on(pace, 1) {
            scattered::release_moved(&mut arranged, Value::address);
            return Err(limit);
        }
    }
    Ok(arranged)
}

fn same_number(a: &Value, b: &Value) -> bool {
    match (&a.0, &b.0) {
        (Repr::Number(a), Repr::Number(b)) => {
            a.equal(b) && (!a.is_zero() || number_order(a, b) == Ordering::Equal)
        }
        (Repr::Null(_), Repr::Null(_)) => true,
        _ => false,
    }
}

/// Sorts elements of other types by their byte form, and leaves out those that are there already.
fn arrange_by_text(mut values: Vec<Value>, pace: Pace<'_, '_>) -> Result<Vec<Value>, LimitReached> {
    let mut members = Members::with_room(values.len());
    let mut texts = String::new();
    let mut kept: Vec<Written> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let start = texts.len();
        if texts.capacity() - start < ROOM_FOR_TEXT {
            let room = texts.capacity().max(2 * ROOM_FOR_TEXT);
            hold(pace, start + room)?;
            texts.reserve(room);
        }
        write_hash_text(value, Digits::Ten, &mut texts, pace)?;
        if members.add(&texts[start..], value, pace)? {
            kept.push((start..texts.len(), at));
        } else {
            texts.truncate(start);
        }
    }
    drop(members);
    let text = |(range, _): &Written| &texts[range.clone()];
    if kept.len() <= FEW && texts.contains("-0;") {
        sort_with_zeros(&mut kept, text, &values);
    } else {
        let order = |a: &Written, b: &Written| {
            rank(&values[a.1]).cmp(&rank(&values[b.1])).then_with(|| text(a).cmp(text(b)))
        };
        sort_texts_on(&mut kept, |(range, _)| range.len(), order, |n| go_on(pace, n))?;
    }
    let elements = kept.into_iter().map(|(_, at)| mem::take(&mut values[at])).collect();
    // Elements that are there already are released here.
    for _ in values {
        go_on(pace, 1)?;
    }
    Ok(elements)
}

/// An element by its place among the values, and its byte form by its place among the texts, which lie in one: it is released
/// as one.
type Written = (Range<usize>, usize);

/// With less room than this the texts get more.
const ROOM_FOR_TEXT: usize = 1 << 10;

/// How many elements the reference sorts by insertion, which shows when some are neither less nor greater.
const FEW: usize = 20;

/// Sorts elements in which the zeros occur: equal ones that differ in the sign of a zero are left in the order
/// of their checksums. That is no total order, so the result depends on how it is reached.
fn sort_with_zeros<'t>(elements: &mut [Written], text: impl Fn(&Written) -> &'t str, values: &[Value]) {
    sort_by(elements, |a, b| crc32(text(a).as_bytes()).cmp(&crc32(text(b).as_bytes())));
    let less = |a: &Written, b: &Written| {
        let (a_value, b_value) = (&values[a.1], &values[b.1]);
        match rank(a_value).cmp(&rank(b_value)) {
            Ordering::Equal => text(a) < text(b) && !a_value.raw_equals(b_value),
            order => order == Ordering::Less,
        }
    };
    for sorted in 1..elements.len() {
        let mut at = sorted;
        while at > 0 && less(&elements[at], &elements[at - 1]) {
            elements.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The elements of a set, for asking whether a value is among them.
pub(crate) struct Members<'v> {
    buckets: HashMap<u32, Bucket<'v>>,
}

#[derive(Default)]
struct Bucket<'v> {
    /// One, but for the rare values with one checksum.
    elements: SmallVec<[&'v Value; 1]>,
    /// For large buckets: which of the elements have which full text.
    exact: Option<Box<HashMap<String, Vec<usize>>>>,
}

/// From this size on a bucket is indexed.
const LARGE_BUCKET: usize = 8;

impl<'v> Members<'v> {
    /// Room for so many: a table that grows is filled anew, without a look at the limits.
    fn with_room(n: usize) -> Self {
        Members { buckets: HashMap::with_capacity_and_hasher(n, Seeded) }
    }

    /// None yet, and so many to come.
    pub(crate) fn expecting(n: usize, pace: Pace<'_, '_>) -> Result<Self, LimitReached> {
        hold(pace, n.saturating_mul(MEMBER_BYTES))?;
        Ok(Members::with_room(n))
    }

    pub(crate) fn new(elements: &'v [Value], pace: Pace<'_, '_>) -> Result<Self, LimitReached> {
        let mut members = Members::expecting(elements.len(), pace)?;
        for element in elements {
            let text = hash_text(element, Digits::Ten, pace)?;
            members.add(&text, element, pace)?;
        }
        Ok(members)
    }

    /// Returns whether a value is known to be among the elements.
    pub(crate) fn contains(&self, value: &Value, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        // What is not wholly known is never known to be equal.
        if !value.is_wholly_known() {
            return Ok(false);
        }
        let text = hash_text(value, Digits::Ten, pace)?;
        match self.buckets.get(&checksum(&text, pace)?) {
            Some(bucket) => bucket.contains(value, pace),
            None => Ok(false),
        }
    }

    /// True if all values are known to be among the elements.
    fn contain_all(&self, values: &[Value], pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        for value in values {
            if !self.contains(value, pace)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a value unless one is there that is equal to it. Both zeros are, which sets tell apart.
    #[cfg(feature = "basics")]
    pub(crate) fn add_distinct(
        &mut self,
        value: &'v Value,
        pace: Pace<'_, '_>,
    ) -> Result<bool, LimitReached> {
        let text = match value.as_number() {
            Some(number) if number.is_zero() => "0".to_owned(),
            _ => hash_text(value, Digits::Ten, pace)?,
        };
        self.add(&text, value, pace)
    }

    /// Adds a value with its byte form, unless it is there.
    fn add(&mut self, text: &str, value: &'v Value, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        if !value.is_wholly_known() {
            return Ok(true);
        }
        let bucket = self.buckets.entry(checksum(text, pace)?).or_default();
        if bucket.contains(value, pace)? {
            return Ok(false);
        }
        bucket.push(value, pace)?;
        Ok(true)
    }
}

impl<'v> Bucket<'v> {
    fn contains(&self, value: &Value, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        let Some(exact) = &self.exact else {
            return any_equal(self.elements.iter().copied(), value, pace);
        };
        match exact.get(&hash_text(value, Digits::All, pace)?) {
            Some(found) => any_equal(found.iter().map(|&i| self.elements[i]), value, pace),
            None => Ok(false),
        }
    }

    fn push(&mut self, value: &'v Value, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
        if self.exact.is_none() && self.elements.len() == LARGE_BUCKET {
            let mut exact: HashMap<String, Vec<usize>> = HashMap::default();
            for (i, element) in self.elements.iter().enumerate() {
                exact.entry(hash_text(element, Digits::All, pace)?).or_default().push(i);
            }
            self.exact = Some(Box::new(exact));
        }
        if let Some(exact) = &mut self.exact {
            let text = hash_text(value, Digits::All, pace)?;
            exact.entry(text).or_default().push(self.elements.len());
        }
        self.elements.push(value);
        Ok(())
    }
}

/// True if one of the values is known to be equal to another.
fn any_equal<'a>(
    values: impl Iterator<Item = &'a Value>,
    value: &'a Value,
    pace: Pace<'_, '_>,
) -> Result<bool, LimitReached> {
    for other in values {
        if compare_values(other, value, pace)? == Tri::True {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compares sets of one type: unknown if an element is, else mutual containment.
pub(crate) fn compare(a: &node::Set, b: &node::Set, pace: Pace<'_, '_>) -> Result<Tri, LimitReached> {
    for set in [a, b].into_iter().filter(|set| set.summary().contains_unknown()) {
        if !all_on(set.elements(), &mut |elements| elements.iter().all(Value::is_known), pace)? {
            return Ok(Tri::Unknown);
        }
    }
    if a.same(b) && !a.summary().contains_unknown() {
        return Ok(Tri::True);
    }
    if a.elements().len() != b.elements().len() {
        return Ok(Tri::False);
    }
    // Equal sets have their elements in one order, except where zeros of both signs or equal numbers of
    // different precisions occur.
    let mut others = b.elements().iter();
    let mut are_same =
        |numbers: &[Value]| numbers.iter().zip(others.by_ref()).all(|(a, b)| same_number(a, b));
    match a.header().element {
        Type::String | Type::Bool => return compare_ordered(a, b, pace),
        Type::Number if all_on(a.elements(), &mut are_same, pace)? => return Ok(Tri::True),
        _ => {}
    }
    let in_a = Members::new(a.elements(), pace)?;
    let in_b = Members::new(b.elements(), pace)?;
    let mutual = in_b.contain_all(a.elements(), pace)? && in_a.contain_all(b.elements(), pace)?;
    Ok(Tri::known(mutual))
}

impl Value {
    /// Returns whether a set has this element: unknown if the set, the element or another element of the set is
    /// unknown and may make it so. Marks of both go to the result.
    #[must_use]
    pub fn has_element(&self, element: &Value) -> Value {
        self.element_on(element, &mut None).unwrap_or_else(|_| Value::unknown(Type::Bool))
    }

    /// [`Value::has_element`] with looks at the limits of a meter, to which the work has been charged.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn has_element_within(&self, element: &Value, meter: &mut Meter) -> Result<Value, LimitReached> {
        self.element_on(element, &mut Some(meter))
    }

    fn element_on(&self, element: &Value, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        let (set, mut marks) = self.unmark();
        let (element, more) = element.unmark_deep_on(pace)?;
        marks.extend(&more);
        let answer = match &set.0 {
            Repr::Set(node) => {
                let known = !node.summary().contains_unknown();
                if !element.is_dynamic_unknown() && !element.is_type(&node.header().element) {
                    Tri::False
                } else if Members::new(node.elements(), pace)?.contains(&element, pace)? {
                    Tri::True
                } else if known && element.is_known() {
                    Tri::False
                } else {
                    Tri::Unknown
                }
            }
            _ => Tri::Unknown,
        };
        Ok(answer.into_value().with_marks(&marks))
    }
}
