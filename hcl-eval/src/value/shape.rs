//! Shapes: the sorted names of an object's attributes or a map's keys, shared between values.
//!
//! A name is found by binary search over eight bytes of each name (from where not all of them agree any
//! more), which are kept side by side as integers; only names that agree there are compared in full. Nothing is hashed, so crafted names can't slow it down.

use std::fmt;

use smallvec::SmallVec;
use triomphe::Arc;

use super::string::normalize;
use crate::Str;

/// Sorted, distinct names.
pub struct Shape {
    names: Box<[Str]>,
    /// Eight bytes of each name from `common` on, big-endian, padded with zeros.
    prefixes: SmallVec<[u64; LINEAR]>,
    /// How many leading bytes all names share.
    common: usize,
}

/// Up to this many names are compared one after the other; their prefixes need no memory of their own.
const LINEAR: usize = 8;

impl Shape {
    /// The shape of these names; they are normalised, sorted and deduplicated.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = Str>) -> Arc<Shape> {
        let mut names: Vec<Str> = names.into_iter().map(normalize).collect();
        if !names.is_sorted_by(|a, b| a < b) {
            names.sort_unstable();
            names.dedup();
        }
        Shape::from_sorted(names)
    }

    /// The shape of names that are normalised, sorted and distinct.
    pub(crate) fn from_sorted(names: Vec<Str>) -> Arc<Shape> {
        debug_assert!(names.is_sorted_by(|a, b| a < b), "names of a shape are sorted and distinct");
        let common = match (names.first(), names.last()) {
            (Some(first), Some(last)) => common_prefix(first.as_bytes(), last.as_bytes()),
            _ => 0,
        };
        let prefixes = names.iter().map(|name| prefix_at(name.as_bytes(), common)).collect();
        Arc::new(Shape { names: names.into(), prefixes, common })
    }

    /// How many names there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names in order.
    #[inline]
    #[must_use]
    pub fn names(&self) -> &[Str] {
        &self.names
    }

    /// The position of a name.
    #[inline]
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        let bytes = name.as_bytes();
        if bytes.len() < self.common {
            return None;
        }
        let wanted = prefix_at(bytes, self.common);
        let is_it = |i: &usize| self.names[*i].as_bytes() == bytes;
        if self.prefixes.len() <= LINEAR {
            return (0..self.prefixes.len()).filter(|&i| self.prefixes[i] == wanted).find(is_it);
        }
        let first = self.prefixes.partition_point(|prefix| *prefix < wanted);
        if self.prefixes.get(first) != Some(&wanted) {
            return None;
        }
        if self.prefixes.get(first + 1) != Some(&wanted) {
            return Some(first).filter(is_it);
        }
        let alike = self.prefixes[first..].partition_point(|prefix| *prefix == wanted);
        let found = self.names[first..first + alike].binary_search_by(|name| name.as_bytes().cmp(bytes));
        found.ok().map(|i| first + i)
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.prefixes == other.prefixes && self.names == other.names)
    }
}

impl Eq for Shape {}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.names).finish()
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Eight bytes from `start` on as a number that sorts like the bytes; what is missing counts as zero.
#[inline]
fn prefix_at(bytes: &[u8], start: usize) -> u64 {
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
