//! One reading of a body, within bounds.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use smallvec::SmallVec;

use super::attributes::FEW;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::{IndexMap, NameMap};
use crate::schema::BodySchema;

/// Bounds on the reading of bodies, which are asked while it goes on: a long body takes time and memory.
///
/// ```
/// use hcl_syntax::config::{Bounds, ConfigBody};
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// struct AtMost(usize);
///
/// impl Bounds for AtMost {
///     fn goes_on(&mut self, n_parts: usize) -> bool {
///         self.0 = self.0.saturating_sub(n_parts);
///         self.0 > 0
///     }
///     fn has_room(&mut self, _n_bytes: usize) -> bool {
///         true
///     }
///     fn max_diagnostics(&self) -> usize {
///         10
///     }
/// }
///
/// let body = ConfigBody::from(&File::parse("main.hcl", "a {}\n".repeat(1000))?);
/// let (content, _) = body.content_within(&BodySchema::default().block("a", &[]), &mut AtMost(10_000));
/// assert!(content.blocks.len() < 1000);
/// let (_, problems) = body.content_within(&BodySchema::default(), &mut AtMost(1_000_000));
/// assert_eq!(problems.len(), 10);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub trait Bounds {
    /// Returns false if the reading is to end before `n_parts` more parts of work, each of a few nanoseconds.
    fn goes_on(&mut self, n_parts: usize) -> bool;

    /// Returns false if the reading is to end before the next attribute, block or name.
    fn next_item(&mut self) -> bool {
        self.goes_on(PARTS_OF_ITEM)
    }

    /// Returns false if the reading is to end before it asks for `n_bytes` of memory at once.
    fn has_room(&mut self, n_bytes: usize) -> bool;

    /// The number of diagnostics after which the reading ends.
    fn max_diagnostics(&self) -> usize;
}

/// The bounds of a reading that nothing ends.
///
/// ```
/// use hcl_syntax::config::{ConfigBody, Unbounded};
/// use hcl_syntax::parser::File;
///
/// let body = ConfigBody::from(&File::parse("main.hcl", "a = 1\n")?);
/// assert_eq!(body.everything_within(&mut Unbounded).attributes.len(), body.everything().attributes.len());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug, Default)]
pub struct Unbounded;

impl Bounds for Unbounded {
    fn goes_on(&mut self, _n_parts: usize) -> bool {
        true
    }

    fn has_room(&mut self, _n_bytes: usize) -> bool {
        true
    }

    fn max_diagnostics(&self) -> usize {
        usize::MAX
    }
}

/// How much work an attribute, a block or a name is.
const PARTS_OF_ITEM: usize = 64;

/// From so many bytes on a list asks for room before it grows.
const MANY_BYTES: usize = 1 << 16;

/// Makes something of each item of a list, until the bounds end it.
///
/// ```
/// use hcl_syntax::config::{Unbounded, map_within};
///
/// assert_eq!(map_within(vec!["a", "bc"], &mut Unbounded, str::len), [1, 2]);
/// ```
pub fn map_within<T, U>(items: Vec<T>, bounds: &mut dyn Bounds, mut turn: impl FnMut(T) -> U) -> Vec<U> {
    let n_bytes = items.len().saturating_mul(size_of::<U>());
    if n_bytes >= MANY_BYTES && !bounds.has_room(n_bytes) {
        return Vec::new();
    }
    let mut made = Vec::with_capacity(items.len());
    for item in items {
        if !bounds.next_item() {
            break;
        }
        made.push(turn(item));
    }
    made
}

/// Adds to a list, unless the bounds have no room for what it grows to. Returns whether the list has it.
///
/// ```
/// use hcl_syntax::config::{Unbounded, push_within};
///
/// let mut list = vec![1];
/// assert!(push_within(&mut list, 2, &mut Unbounded));
/// assert_eq!(list, [1, 2]);
/// ```
pub fn push_within<T>(list: &mut Vec<T>, item: T, bounds: &mut dyn Bounds) -> bool {
    let n_bytes = list.len().saturating_mul(2 * size_of::<T>());
    let has_room = list.len() < list.capacity() || n_bytes < MANY_BYTES || bounds.has_room(n_bytes);
    if has_room {
        list.push(item);
    }
    has_room
}

/// Asks for the memory of a table of so many entries. Returns false if there is no room for it.
///
/// ```
/// use hcl_syntax::config::{Unbounded, has_room_for_table};
///
/// assert!(has_room_for_table::<String>(1000, &mut Unbounded));
/// ```
pub fn has_room_for_table<T>(n: usize, bounds: &mut dyn Bounds) -> bool {
    // A table is at most seven eighths full, its size is a power of two, and each entry has a byte beside it.
    let n_bytes = n.saturating_mul(3 * (size_of::<T>() + 1));
    n_bytes < MANY_BYTES || bounds.has_room(n_bytes)
}

/// A reading under way: its bounds, and the problems that it has found. Once it has ended it finds nothing more.
pub(crate) struct Reading<'b> {
    bounds: &'b mut dyn Bounds,
    diagnostics: Diagnostics,
    has_ended: bool,
    /// True if the body is one of several that are read as one: an attribute that is missing in it may be in another.
    pub(crate) is_of_several: bool,
}

impl<'b> Reading<'b> {
    pub(super) fn new(bounds: &'b mut dyn Bounds) -> Self {
        Self { bounds, diagnostics: Diagnostics::new(), has_ended: false, is_of_several: false }
    }

    /// The problems in the order in which they were found.
    pub(super) fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }

    /// Returns false if the reading is to end before the next item.
    pub(crate) fn goes_on(&mut self) -> bool {
        self.has_ended = self.has_ended || !self.bounds.next_item();
        !self.has_ended
    }

    /// Returns false if the reading is to end before item `n` of so many, of which [`FEW`] are asked for at once.
    pub(super) fn goes_on_at(&mut self, n: usize, n_items: usize) -> bool {
        if !n.is_multiple_of(FEW) {
            return true;
        }
        self.has_ended = self.has_ended || !self.bounds.goes_on(FEW.min(n_items - n) * PARTS_OF_ITEM);
        !self.has_ended
    }

    /// Returns false if the reading is to end before it asks for so many bytes at once.
    pub(super) fn has_room(&mut self, n_bytes: usize) -> bool {
        self.has_ended = self.has_ended || (n_bytes >= MANY_BYTES && !self.bounds.has_room(n_bytes));
        !self.has_ended
    }

    /// Returns false if the reading is to end before a table of so many entries is made.
    pub(super) fn has_room_for_table<T>(&mut self, n: usize) -> bool {
        self.has_ended = self.has_ended || !has_room_for_table::<T>(n, self.bounds);
        !self.has_ended
    }

    /// An empty list for so many items, if there is room for that.
    pub(crate) fn list_of<T>(&mut self, n: usize) -> Vec<T> {
        let has_room = self.has_room(n.saturating_mul(size_of::<T>()));
        Vec::with_capacity(if has_room { n } else { 0 })
    }

    /// Adds to a list, unless there is no room for that.
    pub(crate) fn push<T>(&mut self, list: &mut Vec<T>, item: T) {
        self.has_ended = self.has_ended || !push_within(list, item, self.bounds);
    }

    /// Adds names to a set, as far as the reading goes on.
    pub(crate) fn add_names(&mut self, names: &mut dyn Iterator<Item = &str>, set: &mut NameMap) {
        for name in names {
            if !self.goes_on() {
                break;
            }
            if !set.contains(name) && self.has_room(set.bytes_to_add(name)) {
                set.add(name);
            }
        }
    }

    /// Reports a problem.
    pub(crate) fn complain(&mut self, problem: impl FnOnce() -> Diagnostic) {
        if !self.has_ended {
            self.diagnostics.push(problem());
            self.has_ended = self.diagnostics.len() >= self.bounds.max_diagnostics();
        }
    }
}

/// A schema, with the names in it once they have been looked for: several bodies that are read as one look for them together.
pub(crate) struct Wanted<'s> {
    pub(crate) schema: &'s BodySchema,
    attributes: OnceCell<Names<'s>>,
    blocks: OnceCell<Names<'s>>,
    /// The block types that no later reader of a body finds, and those of them that earlier readers have taken.
    taken: RefCell<Option<[Arc<NameMap>; 2]>>,
}

impl<'s> Wanted<'s> {
    pub(crate) fn new(schema: &'s BodySchema) -> Self {
        Self { schema, attributes: OnceCell::new(), blocks: OnceCell::new(), taken: RefCell::new(None) }
    }

    /// The names of attributes.
    pub(crate) fn attributes(&self, reading: &mut Reading<'_>) -> &Names<'s> {
        self.attributes.get_or_init(|| Names::of_attributes(self.schema, reading))
    }

    /// The types of blocks.
    pub(crate) fn blocks(&self, reading: &mut Reading<'_>) -> &Names<'s> {
        self.blocks.get_or_init(|| Names::of_blocks(self.schema, reading))
    }

    /// The block types that are asked for, and those that were `before`. Bodies that have been read together share them.
    pub(super) fn block_types_with(&self, before: &Arc<NameMap>, reading: &mut Reading<'_>) -> Arc<NameMap> {
        let mut taken = self.taken.borrow_mut();
        if let Some([with, of]) = &*taken
            && (Arc::ptr_eq(of, before) || of.is_empty() && before.is_empty())
        {
            return Arc::clone(with);
        }
        let mut all = NameMap::default();
        reading.add_names(&mut before.names(), &mut all);
        reading.add_names(&mut self.schema.blocks.iter().map(|block| block.block_type.as_str()), &mut all);
        let all = Arc::new(all);
        *taken = Some([Arc::clone(&all), Arc::clone(before)]);
        all
    }
}

/// Names that are looked up; hashed only if they are many.
pub(crate) struct Names<'n> {
    list: SmallVec<[&'n str; FEW]>,
    places: Option<IndexMap<&'n str, usize>>,
}

impl<'n> Names<'n> {
    /// The block types of a schema.
    fn of_blocks(schema: &'n BodySchema, reading: &mut Reading<'_>) -> Self {
        Self::new(&mut schema.blocks.iter().map(|block| block.block_type.as_str()), reading)
    }

    /// The names of the attributes of a schema.
    fn of_attributes(schema: &'n BodySchema, reading: &mut Reading<'_>) -> Self {
        Self::new(&mut schema.attributes.iter().map(|attribute| attribute.name.as_str()), reading)
    }

    /// The names as far as the reading goes on.
    pub(crate) fn new(names: &mut dyn ExactSizeIterator<Item = &'n str>, reading: &mut Reading<'_>) -> Self {
        let n = names.len();
        if n <= FEW {
            return Self { list: names.collect(), places: None };
        }
        if !reading.has_room(n.saturating_mul(size_of::<&str>()))
            || !reading.has_room_for_table::<(&str, usize)>(n)
        {
            return Self { list: SmallVec::new(), places: None };
        }
        let mut list = SmallVec::with_capacity(n);
        let mut places = IndexMap::with_capacity_and_hasher(n, Default::default());
        for name in names.take_while(|_| reading.goes_on()) {
            places.insert(name, list.len());
            list.push(name);
        }
        Self { list, places: Some(places) }
    }

    /// Where a name is in the list, for the last time.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(name).copied(),
            None => self.list.iter().rposition(|other| *other == name),
        }
    }

    /// Returns whether the name is in the list.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// All names in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'n str> {
        self.list.iter().copied()
    }
}
