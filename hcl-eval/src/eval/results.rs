//! The results of a `for` expression, as they come.
//!
//! Results by key stay in the order in which the keys came until all are there: they are added and released faster than in the
//! order of the keys.

use std::mem;

use hcl_syntax::ast::ForExpression;
use hcl_syntax::hash::Places;
use hcl_syntax::memory;

use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter};
use crate::sorting::sorted_places_on;
use crate::value::Value;
use crate::value::scattered::{self, Lists, Scattering};
use crate::value::shape::Shape;
use crate::value::string::go_on_with_name;

/// Where results go.
pub(super) enum Results {
    Tuple(Vec<Value>),
    /// Plain texts go to the room for text; from the first of another kind on, all are values.
    Texts(Vec<Value>),
    /// In a box, as the groups are, so that the kind is a number of its own: to tell it takes eight instructions less each time.
    Object(Box<Keyed<Value>>),
    Groups(Box<Keyed<Vec<Value>>>),
}

/// Results by key.
pub(super) struct Keyed<T> {
    entries: Vec<Entry<T>>,
    /// The places of the entries, once there are more than [`FEW`]. The first keys are compared one by one: with a search in an
    /// ordered map, an element of a group by seven keys took 46 instructions more.
    places: Places,
    /// Rooms made for the values of one of the first few keys: a group of 143 that grew to its length took an element 27
    /// instructions more.
    room: usize,
    /// How many elements there are.
    n_elements: usize,
}

struct Entry<T> {
    /// The first bytes of the key, which tell most of them apart.
    prefix: u64,
    key: Str,
    result: T,
}

/// How many keys are compared one by one.
const FEW: usize = 8;

/// Rooms made beforehand for the values of one of the first few keys, at least. Where keys are few, each has several values.
const ROOM_OF_GROUP: usize = 8;

/// Such rooms at most, so that those of all first keys take less memory than is made between two looks at the limits.
const MOST_ROOM_OF_GROUP: usize = 256;

/// Rooms made beforehand for the results of a `for` that may skip elements: moving some hundred results to more room takes an
/// element 12 instructions.
const EXPECTED: usize = 1024;

impl Results {
    /// No results so far, of so many elements.
    pub(super) fn new(names: ForExpression<'_>, len: usize) -> Self {
        if names.key().is_none() {
            let expected = if names.condition().is_some() { len.min(EXPECTED) } else { len };
            Self::Tuple(Vec::with_capacity(expected))
        } else if names.is_grouping() {
            Self::Groups(Box::new(Keyed::new(len)))
        } else {
            Self::Object(Box::new(Keyed::new(len)))
        }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Tuple(values) | Self::Texts(values) => values.len(),
            Self::Object(attributes) => attributes.entries.len(),
            Self::Groups(groups) => groups.entries.iter().map(|entry| entry.result.len()).sum(),
        }
    }

    /// Releases them: they do not become a value.
    pub(super) fn release(self) {
        match self {
            Self::Tuple(mut values) | Self::Texts(mut values) => scattered::release_each(&mut values),
            Self::Object(mut attributes) => release_values(&mut attributes.entries),
            Self::Groups(groups) => groups.release(),
        }
    }

    /// The value that they are together.
    pub(super) fn finish(self, meter: &mut Meter) -> Result<Value, LimitReached> {
        match self {
            // All of it is in the room for text: a value that takes no memory stands for what is left.
            Self::Texts(rest) if rest.is_empty() => Ok(Value::string_nfc(Str::new_static(""))),
            Self::Tuple(values) | Self::Texts(values) => Value::tuple_within(values, meter),
            Self::Object(attributes) => attributes.object(meter),
            Self::Groups(groups) => groups.into_tuples(meter)?.object(meter),
        }
    }
}

impl Lists for Vec<Entry<Vec<Value>>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn with_list(&mut self, at: usize, work: &mut dyn FnMut(&mut [Value])) {
        work(&mut self[at].result);
    }
}

impl Keyed<Value> {
    /// Adds an attribute, unless there is one with its name; returns false if there is. A limit that is reached here is met again
    /// at the next step.
    #[inline(never)] // In the loop over the elements it costs each element of a list 10 instructions, and of a group 16.
    pub(super) fn add(&mut self, name: &Str, value: Value, meter: &mut Meter) -> bool {
        match self.find(name, meter) {
            Ok(None) => {
                let _ = self.push(name, value, meter);
                true
            }
            Ok(Some(_)) => false,
            Err(_) => true,
        }
    }

    /// The object of the attributes.
    fn object(self, meter: &mut Meter) -> Result<Value, LimitReached> {
        let Self { mut entries, places, .. } = self;
        drop(places);
        let object = Self::object_of(&mut entries, meter);
        if object.is_err() {
            release_values(&mut entries);
        }
        object
    }

    /// The object of these attributes, which it takes.
    fn object_of(entries: &mut [Entry<Value>], meter: &mut Meter) -> Result<Value, LimitReached> {
        let n_bytes = entries.iter().map(|entry| entry.key.len()).sum();
        let by_key = |a: usize, b: usize| {
            let (a, b) = (&entries[a], &entries[b]);
            a.prefix.cmp(&b.prefix).then_with(|| a.key.cmp(&b.key))
        };
        let address = |entry: &Entry<Value>| entry.key.address().max(entry.result.address());
        let shared = Scattering::of_shared(entries, address);
        let order = sorted_places_on(entries.len(), n_bytes, &by_key, &mut |n| meter.go_on(n))?;
        drop(shared);
        let _moved = Scattering::of(entries, address);
        let (mut names, mut values) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for at in order {
            names.push(mem::take(&mut entries[at].key));
            values.push(mem::take(&mut entries[at].result));
            if let Err(limit) = meter.go_on(1) {
                scattered::release_moved(&mut names, Str::address);
                scattered::release_moved(&mut values, Value::address);
                return Err(limit);
            }
        }
        let shape = Shape::from_sorted(names);
        meter.go_on(values.len())?;
        Ok(Value::object_with_shape(shape, values))
    }
}

impl Keyed<Vec<Value>> {
    /// Makes a tuple of each group.
    fn into_tuples(mut self, meter: &mut Meter) -> Result<Keyed<Value>, LimitReached> {
        let mut tuples = Vec::with_capacity(self.entries.len());
        for at in 0..self.entries.len() {
            if let Err(limit) = meter.go_on(1) {
                self.release();
                release_values(&mut tuples);
                return Err(limit);
            }
            let Entry { prefix, key, result } = &mut self.entries[at];
            let (key, group) = (mem::take(key), mem::take(result));
            tuples.push(Entry { prefix: *prefix, key, result: Value::tuple(group) });
        }
        Ok(Keyed { entries: tuples, places: Places::default(), room: 0, n_elements: 0 })
    }

    /// Releases the values of all groups.
    fn release(mut self) {
        scattered::release_together(&mut self.entries);
        scattered::release_each(self.entries.iter_mut().flat_map(|entry| &mut entry.result));
        scattered::release_each(self.entries.iter_mut().map(|entry| &mut entry.result));
    }

    /// Adds a value under a key. A limit that is reached here is met again at the next step.
    pub(super) fn add_to_group(&mut self, key: &Str, value: Value, meter: &mut Meter) {
        let n = self.entries.len();
        let at = match self.find(key, meter) {
            Ok(Some(at)) => at,
            Ok(None) if self.push(key, Vec::new(), meter).is_ok() => n,
            _ => return,
        };
        let group = &mut self.entries[at].result;
        if group.len() == group.capacity() {
            let first_room = if at < FEW { self.room } else { 1 };
            make_room(group, first_room, &value, [n, self.n_elements]);
        }
        group.push(value);
    }
}

/// Releases the values of attributes, and their names where those take memory.
fn release_values(attributes: &mut [Entry<Value>]) {
    scattered::release_each(attributes.iter_mut().map(|entry| &mut entry.result));
    scattered::release_each(attributes.iter_mut().map(|entry| &mut entry.key));
}

/// Makes room for the first values of a group, or for as many more as it has. Unless they are few, those that will come are
/// counted, which will be like the one that comes now, and the room that is moved: they are made far from each other, and so are
/// some of their parts. Of few groups half of them count, and of few elements with few parts an eighth.
#[cold] // Without it `for_group_1000` takes 2 % more instructions.
fn make_room(group: &mut Vec<Value>, first_room: usize, value: &Value, [n_groups, n_elements]: [usize; 2]) {
    let n_more = if group.is_empty() { first_room } else { group.len().max(3) };
    if !group.is_empty() || n_more > ROOM_OF_GROUP {
        let weight = value.summary().weight as usize;
        let n_of_value = if value.address() == 0 { 0 } else { 1 + (weight / 8).min(4) };
        let n_parts = 1 + n_more * n_of_value;
        let n_far = match n_elements.saturating_mul(weight) {
            ..scattered::MANY => n_parts / 8,
            _ if n_groups < scattered::SEVERAL => n_parts / 2,
            _ => n_parts,
        };
        memory::count_scattered(n_far.cast_signed());
    }
    group.reserve_exact(n_more);
}

/// Tells that a key is about to be found that may be long: compared with each of few, or hashed. A limit that is reached here is
/// met again at the next step.
pub(super) fn look_for_key(key: &Str, meter: &mut Meter) {
    if key.is_long() {
        let _ = meter.go_on(FEW * key.len() / BYTES_PER_PART);
    }
}

impl<T> Keyed<T> {
    /// None so far, of so many elements.
    fn new(len: usize) -> Self {
        // As if there were as many keys as are compared one by one, and a quarter more values of some than of others.
        let room = (len / FEW * 5 / 4).clamp(ROOM_OF_GROUP, MOST_ROOM_OF_GROUP);
        Self { entries: Vec::with_capacity(FEW), places: Places::default(), room, n_elements: len }
    }

    /// The place of the entry under a key. Of many entries, a new key gets the next place.
    fn find(&mut self, key: &Str, meter: &mut Meter) -> Result<Option<usize>, LimitReached> {
        let n = self.entries.len();
        if n < FEW {
            let prefix = key.prefix();
            return Ok(self.entries.iter().position(|entry| entry.prefix == prefix && entry.key == *key));
        }
        if self.places.is_full() {
            meter.hold(self.places.bytes_of_larger())?;
            self.places.enlarge(|| meter.go_on(1))?;
        }
        let text_of = |at: usize| self.entries[at].key.as_bytes();
        if self.places.is_empty() {
            for at in 0..n {
                go_on_with_name(&self.entries[at].key, &mut Some(meter))?;
                self.places.find_or_add(text_of(at), at, text_of);
            }
        }
        Ok(self.places.find_or_add(key.as_bytes(), n, text_of))
    }

    fn push(&mut self, key: &Str, result: T, meter: &mut Meter) -> Result<(), LimitReached> {
        if self.entries.len() == self.entries.capacity() {
            meter.hold_push(&self.entries)?;
        }
        self.entries.push(Entry { prefix: key.prefix(), key: key.clone(), result });
        Ok(())
    }
}
