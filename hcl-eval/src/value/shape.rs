//! Shapes: the sorted names of an object's attributes or a map's keys, shared between values.
//!
//! Short names are compared as integers. Of many, a name is found by binary search over eight bytes of each name (from where
//! not all of them agree any more), which are kept side by side as integers; only names that agree there are compared in full.
//! Nothing is hashed, so crafted names can't slow it down.

use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering as MemoryOrdering};

use smallvec::SmallVec;
use triomphe::{Arc, HeaderWithLength, ThinArc};

use super::scattered;
use super::string::{are_equal_on, normalize, order_of_long};
use crate::Str;
use crate::limits::{LimitReached, Pace};
use crate::sorting::{sort, sort_places};
use crate::text::ShortStr;

/// Sorted, distinct names. Clones share them.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::Shape;
///
/// // Objects of one shape share their names.
/// let shape = Shape::new(["port".into(), "host".into()]);
/// assert_eq!(shape.position("port"), Some(1));
/// let value = Value::object_with_shape(shape, vec![Value::from("a"), Value::from(80)]);
/// assert_eq!(value.to_json()?, r#"{"host":"a","port":80}"#);
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
#[derive(Clone)]
pub struct Shape(ThinArc<Index, Str>);

impl Drop for Shape {
    fn drop(&mut self) {
        if self.0.slice.len() >= scattered::SEVERAL {
            self.release();
        }
    }
}

/// The index by which names are found.
#[derive(Default)]
struct Index {
    /// The first names as words, 0 for those that are none and where there are no more names.
    words: [u64; LINEAR],
    /// Eight bytes of each name from `common` on, big-endian, padded with zeros; empty if the names are few.
    prefixes: Box<[u64]>,
    /// How many leading bytes all names share, if they are many.
    common: usize,
}

/// Up to this many names are compared one after the other.
const LINEAR: usize = 16;

/// Where a name that is looked for again and again was found last.
#[derive(Debug)]
pub(crate) struct Probe {
    /// [`word`] of the name, or what is the word of no name.
    word: u64,
    last: AtomicU32,
}

impl Shape {
    /// The shape of these names; they are normalised, sorted and deduplicated.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = Str>) -> Shape {
        let mut names: Vec<Str> = names.into_iter().map(normalize).collect();
        if !names.is_sorted_by(|a, b| a < b) {
            sort(&mut names);
            names.dedup();
        }
        Shape::from_sorted(names)
    }

    /// The shape of names that are normalised, sorted and distinct.
    pub(crate) fn from_sorted(names: impl IntoIterator<Item = Str, IntoIter: ExactSizeIterator>) -> Shape {
        let names = names.into_iter();
        let header = HeaderWithLength::new(Index::default(), names.len());
        let mut shape = Arc::from_header_and_iter(header, names);
        if let Some(whole) = Arc::get_mut(&mut shape) {
            whole.header.header.fill(&whole.slice);
            scattered::count(&whole.slice, Str::address);
        }
        Shape(Arc::into_thin(shape))
    }

    /// The shape of these normalised names, and the position in it of each of them.
    pub(crate) fn with_places(names: &mut [Str]) -> (Shape, Vec<u32>) {
        let keys: SmallVec<[u64; LINEAR]> = names.iter().map(|name| prefix(name)).collect();
        let mut order: SmallVec<[usize; LINEAR]> = (0..names.len()).collect();
        sort_places(&mut order, |a, b| keys[a].cmp(&keys[b]).then_with(|| names[a].cmp(&names[b])));
        let (mut sorted, mut places): (Vec<Str>, _) = (Vec::with_capacity(names.len()), vec![0; names.len()]);
        for at in order {
            let name = std::mem::take(&mut names[at]);
            if sorted.last() != Some(&name) {
                sorted.push(name);
            }
            places[at] = u32::try_from(sorted.len() - 1).unwrap_or(u32::MAX);
        }
        (Shape::from_sorted(sorted), places)
    }

    /// Returns whether both are one list, and not just equal.
    pub(crate) fn is_clone_of(&self, other: &Shape) -> bool {
        self.0.ptr() == other.0.ptr()
    }

    #[cold] // Its copies took 4 KB of the library.
    fn release(&mut self) {
        self.0.with_arc_mut(|names| {
            if let Some(names) = Arc::get_mut(names) {
                let names = names.slice_mut();
                scattered::release(names, Str::address, Str::is_shared);
                if names.len() > scattered::MANY {
                    scattered::release_each(names);
                }
            }
        });
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.slice.len()
    }

    /// Returns whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.slice.is_empty()
    }

    /// The names in order.
    #[must_use]
    pub fn names(&self) -> &[Str] {
        &self.0.slice
    }

    /// The position of a name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        let (names, index) = (self.names(), self.index());
        let bytes = name.as_bytes();
        let is_it = |i: &usize| names[*i].as_bytes() == bytes;
        if names.len() <= LINEAR {
            return match word_of(name) {
                0 => (0..names.len()).find(is_it),
                word => index.words.iter().position(|other| *other == word),
            };
        }
        if bytes.len() < index.common {
            return None;
        }
        let wanted = prefix_at(bytes, index.common);
        let first = index.prefixes.partition_point(|prefix| *prefix < wanted);
        if index.prefixes.get(first) != Some(&wanted) {
            return None;
        }
        if index.prefixes.get(first + 1) != Some(&wanted) {
            return Some(first).filter(is_it);
        }
        let alike = index.prefixes[first..].partition_point(|prefix| *prefix == wanted);
        let found = names[first..first + alike].binary_search_by(|name| name.as_bytes().cmp(bytes));
        found.ok().map(|i| first + i)
    }

    /// [`Shape::position`] of a name that may be long: it is compared with looks at the limits.
    pub(crate) fn position_on(&self, name: &Str, pace: Pace<'_, '_>) -> Result<Option<usize>, LimitReached> {
        if name.is_long() { self.position_of_long(name, pace) } else { Ok(self.position(name)) }
    }

    /// Finds a long name: all before it that begin alike are compared by halves, of few names each.
    fn position_of_long(&self, name: &str, pace: Pace<'_, '_>) -> Result<Option<usize>, LimitReached> {
        let (names, wanted) = (self.names(), prefix_at(name.as_bytes(), self.index().common));
        let (mut start, mut end) = (0, names.len());
        while start < end {
            let middle = start.midpoint(end);
            let by_prefix =
                self.index().prefixes.get(middle).map_or(Ordering::Equal, |prefix| prefix.cmp(&wanted));
            let order = match by_prefix {
                Ordering::Equal => order_of_long(&names[middle], name, pace)?,
                order => order,
            };
            match order {
                Ordering::Less => start = middle + 1,
                Ordering::Equal => return Ok(Some(middle)),
                Ordering::Greater => end = middle,
            }
        }
        Ok(None)
    }

    /// Returns whether both have the names, of which long ones are compared with looks at the limits.
    pub(crate) fn equals_on(&self, other: &Shape, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        if self.is_clone_of(other) || self.index().words != other.index().words || self.len() != other.len() {
            return Ok(self.is_clone_of(other));
        }
        for (ours, theirs) in self.names().iter().zip(other.names()) {
            if !are_equal_on(ours, theirs, pace)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The position of a name that is probably where it was found last.
    pub(crate) fn find(&self, name: &Str, probe: &Probe) -> Option<usize> {
        let last = probe.last.load(MemoryOrdering::Relaxed) as usize;
        if self.names().get(last) == Some(name) { Some(last) } else { self.find_anew(name, probe) }
    }

    /// The position where a short name was found last, if it is there again.
    pub(crate) fn find_again(&self, probe: &Probe) -> Option<usize> {
        // Beyond the first names it is another one's place, which is found out like any name that is not in its place.
        let last = probe.last.load(MemoryOrdering::Relaxed) as usize % LINEAR;
        (self.index().words[last] == probe.word).then_some(last)
    }

    /// That of a name which is in place.
    pub(crate) fn find_short_again(&self, name: &Str, probe: &Probe) -> Option<usize> {
        let last = probe.last.load(MemoryOrdering::Relaxed) as usize;
        self.names().get(last).filter(|other| other.is_short_and(name)).map(|_| last)
    }

    fn find_anew(&self, name: &Str, probe: &Probe) -> Option<usize> {
        let found = self.position(name)?;
        probe.last.store(u32::try_from(found).unwrap_or(u32::MAX), MemoryOrdering::Relaxed);
        Some(found)
    }

    fn index(&self) -> &Index {
        &self.0.header.header
    }
}

impl Index {
    /// Makes the index of these names of one of no names.
    fn fill(&mut self, names: &[Str]) {
        debug_assert!(names.is_sorted_by(|a, b| a < b), "names of a shape are sorted and distinct");
        for (word, name) in self.words.iter_mut().zip(names) {
            *word = word_of_name(name);
        }
        if names.len() > LINEAR
            && let [first, .., last] = names
        {
            self.common = common_prefix(first.as_bytes(), last.as_bytes());
            self.prefixes = names.iter().map(|name| prefix_at(name.as_bytes(), self.common)).collect();
        }
    }
}

impl Probe {
    /// The probe of no name: its word is found nowhere.
    pub(crate) const fn none() -> Probe {
        Probe { word: u64::MAX, last: AtomicU32::new(0) }
    }

    /// The probe of a name that has not been looked for; it is normalised.
    pub(crate) fn new(name: &Str) -> Probe {
        Probe { word: probed(word_of_name(name)), last: AtomicU32::new(0) }
    }

    /// Returns true if the name is a word, which tells it from all others.
    pub(crate) fn is_of_word(&self) -> bool {
        self.word != u64::MAX
    }

    /// That of a short name.
    pub(crate) fn of_short(name: ShortStr) -> Probe {
        Probe { word: probed(word_of_short(name)), last: AtomicU32::new(0) }
    }
}

/// A word that is looked for: one that no name has, if the name has none.
fn probed(word: u64) -> u64 {
    if word == 0 { u64::MAX } else { word }
}

impl Clone for Probe {
    fn clone(&self) -> Probe {
        Probe { word: self.word, last: AtomicU32::new(self.last.load(MemoryOrdering::Relaxed)) }
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.is_clone_of(other)
            || (self.index().words == other.index().words && self.names() == other.names())
    }
}

impl Eq for Shape {}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A name of one to eight bytes without zeros as a number, which tells it from all others; 0 for other names.
fn word_of(name: &str) -> u64 {
    if name.len() > 8 { 0 } else { whole_word(name.len(), prefix(name)) }
}

/// Returns the word of a name whose bytes are words already.
fn word_of_short(name: ShortStr) -> u64 {
    let len = name.len();
    if len > 8 { 0 } else { whole_word(len, name.prefix()) }
}

/// Returns the word of a name that may be long.
fn word_of_name(name: &Str) -> u64 {
    let len = name.len();
    if len > 8 { 0 } else { whole_word(len, name.prefix()) }
}

/// `word`, which holds a name of up to eight bytes, if it tells the name from all others; else 0.
fn whole_word(len: usize, word: u64) -> u64 {
    // The bytes that are not there count as ones: is there a zero byte?
    let filled = word | u64::MAX.checked_shr(u32::try_from(8 * len).unwrap_or(64)).unwrap_or(0);
    let zeros = filled.wrapping_sub(0x0101_0101_0101_0101) & !filled & 0x8080_8080_8080_8080;
    if zeros == 0 { word } else { 0 }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The first eight bytes of a name as a number that sorts like the bytes; what is missing counts as zero.
pub(crate) fn prefix(name: &str) -> u64 {
    prefix_at(name.as_bytes(), 0)
}

/// Eight bytes from `start` on as a number that sorts like the bytes; what is missing counts as zero.
pub(crate) fn prefix_at(bytes: &[u8], start: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    if let Some(chunk) = rest.first_chunk::<8>() {
        return u64::from_be_bytes(*chunk);
    }
    // Fewer than eight: the first and the last few of them, which may overlap.
    let missing = 64 - 8 * rest.len();
    if let (Some(first), Some(last)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        return u64::from(u32::from_be_bytes(*first)) << 32 | u64::from(u32::from_be_bytes(*last)) << missing;
    }
    if let (Some(first), Some(last)) = (rest.first_chunk::<2>(), rest.last_chunk::<2>()) {
        return u64::from(u16::from_be_bytes(*first)) << 48 | u64::from(u16::from_be_bytes(*last)) << missing;
    }
    rest.first().map_or(0, |byte| u64::from(*byte) << 56)
}

#[cfg(test)]
mod tests {
    use super::{Probe, Shape, prefix_at};
    use crate::Str;

    #[test]
    fn a_probe_finds_a_name_wherever_it_is() {
        let many = |n: usize| (0..n).map(|i| format!("name{i}")).collect::<Vec<_>>();
        let lists = [
            vec![],
            vec![""],
            vec!["a"],
            vec!["", "a", "a\0", "ab"],
            vec!["12345678", "123456789", "1234567"],
            vec!["\0", "\0\0", "\u{7f}", "é"],
            vec!["b", "a", "d", "c", "name1", "name10", "name17"],
        ];
        let lists = lists.into_iter().map(|list| list.into_iter().map(str::to_owned).collect::<Vec<_>>());
        // All names begin alike, one has nothing more, and of some what follows differs behind its first bytes only.
        let alike = ["name", "name of many", "name of many others", "name of much", "nam", "name "]
            .map(str::to_owned);
        let begin_alike = [&many(40)[..], &alike[..1]].concat();
        let much_alike = [&many(20)[..], &alike[..4]].concat();
        let lists = lists.chain([1, 15, 16, 17, 40, 300].map(many)).chain([begin_alike, much_alike]);
        let lists: Vec<_> = lists.chain([alike.to_vec()]).collect();
        let shapes: Vec<_> = lists.iter().map(|list| Shape::new(list.iter().map(Str::from))).collect();
        for name in lists.iter().flatten() {
            let name = &Str::from(name);
            let probe = Probe::new(name);
            for shape in shapes.iter().chain(shapes.iter().rev()) {
                let expected = shape.names().iter().position(|other| other == name);
                assert_eq!(shape.find(name, &probe), expected, "{name:?} in {shape:?}");
                assert_eq!(shape.find(name, &probe), expected, "{name:?} in {shape:?} again");
                assert_eq!(shape.position(name), expected, "{name:?} in {shape:?} by position");
            }
        }
    }

    #[test]
    fn a_prefix_is_eight_bytes_and_zeros_for_what_is_missing() {
        let bytes: Vec<u8> = (0x81..0x90).collect();
        for len in 0..=bytes.len() {
            for start in 0..=len + 1 {
                let rest = bytes[..len].get(start..).unwrap_or_default();
                let mut eight = [0; 8];
                for (to, from) in eight.iter_mut().zip(rest) {
                    *to = *from;
                }
                assert_eq!(prefix_at(&bytes[..len], start), u64::from_be_bytes(eight), "{start} of {len}");
            }
        }
    }

    #[test]
    fn names_that_repeat_have_one_place() {
        for names in [
            vec![],
            vec!["b"],
            vec!["b", "a", "b", "c", "a", "b"],
            vec!["long name 2", "long name 1", "long name 2"],
        ] {
            let mut given: Vec<Str> = names.iter().map(|name| Str::from(*name)).collect();
            let (shape, places) = Shape::with_places(&mut given);
            let mut sorted = names.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(shape.names(), sorted);
            let expected: Vec<_> =
                names.iter().map(|name| sorted.iter().position(|other| other == name)).collect();
            let found: Vec<_> = places.iter().map(|place| Some(*place as usize)).collect();
            assert_eq!(found, expected, "{names:?}");
        }
    }
}
