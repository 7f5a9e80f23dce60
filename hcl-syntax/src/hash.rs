//! Hash tables that the system need not be asked for.
//!
//! The tables of the standard library ask the system for random bytes, which a process whose sandbox allows memory alone
//! does not survive. Those here share one hasher, keyed once: by [`seed`], or by the standard library if nobody calls it.
//! A text can't be made to fill one bucket without the key.

use std::collections::hash_map::{DefaultHasher, RandomState};
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use smallvec::SmallVec;

/// A hash table.
pub type HashMap<K, V> = std::collections::HashMap<K, V, Seeded>;
/// A hash table of keys alone.
pub type HashSet<T> = std::collections::HashSet<T, Seeded>;
/// A hash table that keeps the order in which keys came.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, Seeded>;
/// A hash table of keys alone that keeps the order in which they came.
pub type IndexSet<T> = indexmap::IndexSet<T, Seeded>;

/// The places of texts in a list, by text. The table keeps the hash of each text beside its place and not the text, so that no
/// text is read when the table grows: a file of a million attributes is read in half the time that a table of texts takes.
///
/// ```
/// use hcl_syntax::hash::Places;
///
/// let names = ["host", "port", "host"];
/// let mut places = Places::default();
/// let found = [0, 1, 2].map(|at| places.find_or_add(names[at].as_bytes(), at, |at| names[at].as_bytes()));
/// assert_eq!(found, [None, None, Some(0)]);
/// ```
#[derive(Debug, Default)]
pub struct Places(HashTable<(u32, u32)>);

/// The hash as the table takes it, which looks at the first bits and the last.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl Places {
    /// The place of the text; if it has none it is given `place`, and `None` is returned. `text_of` gives the text of a place.
    pub fn find_or_add<'t>(
        &mut self,
        text: &[u8],
        place: usize,
        text_of: impl Fn(usize) -> &'t [u8],
    ) -> Option<usize> {
        let hash = (Seeded.hash_one(text) >> 32) as u32;
        let is_same = |&(other, at): &(u32, u32)| other == hash && text_of(at as usize) == text;
        match self.0.entry(spread(hash), is_same, |&(hash, _)| spread(hash)) {
            Entry::Occupied(same) => Some(same.get().1 as usize),
            Entry::Vacant(free) => {
                free.insert((hash, u32::try_from(place).unwrap_or(u32::MAX)));
                None
            }
        }
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one more text takes a larger table.
    pub fn is_full(&self) -> bool {
        self.0.len() == self.0.capacity()
    }

    /// How many bytes a table of twice the size takes.
    pub fn bytes_of_larger(&self) -> usize {
        // A byte beside each entry, and an eighth of the entries is free.
        3 * self.0.capacity() * size_of::<(u32, u32)>()
    }

    /// Makes the table twice as large. `go_on` is asked before each text is entered anew.
    ///
    /// # Errors
    /// The first that `go_on` gives; the table stays as it is.
    pub fn enlarge<E>(&mut self, mut go_on: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let mut larger = HashTable::with_capacity(2 * self.0.capacity());
        for &(hash, place) in &self.0 {
            go_on()?;
            larger.insert_unique(spread(hash), (hash, place), |&(hash, _)| spread(hash));
        }
        self.0 = larger;
        Ok(())
    }
}

/// A hash table of names, each with a position, that grows without moving many of them at once: to add one takes a short time
/// however many there are, and so does to release short ones, which lie in the table.
///
/// ```
/// use hcl_syntax::hash::NameMap;
///
/// let mut places = NameMap::default();
/// places.insert("port", 4);
/// assert_eq!(places.get("port"), Some(4));
/// assert!(!places.contains("host"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct NameMap {
    /// Each table but the last is full. None but the first is ever enlarged, and that only as long as it is small.
    tables: Vec<HashMap<ShortName, usize>>,
}

/// The bytes of a name, in place if they are few.
pub type ShortName = SmallVec<[u8; SHORT]>;

/// The longest name that lies in place.
const SHORT: usize = 23;

/// A table of up to so many names is enlarged; from there on another one comes beside it. One table of 400,000 names that
/// doubled was filled anew for 170 ms without a look at the limits.
const MOVED_AT_ONCE: usize = 1 << 13;

impl NameMap {
    /// An empty table with room for so many names.
    pub fn with_capacity(n: usize) -> Self {
        Self { tables: vec![HashMap::with_capacity_and_hasher(n, Seeded)] }
    }

    /// The position of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.tables.iter().find_map(|table| table.get(name.as_bytes()).copied())
    }

    /// Returns whether the name is there.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Adds a name of which nothing but that it is there will be asked.
    pub fn add(&mut self, name: &str) {
        self.insert(name, 0);
    }

    /// Adds a name with its position, unless it is there: then nothing changes.
    pub fn insert(&mut self, name: &str, position: usize) {
        let name = ShortName::from_slice(name.as_bytes());
        let Some((last, full)) = self.tables.split_last_mut() else {
            self.tables.push(std::iter::once((name, position)).collect());
            return;
        };
        if full.iter().any(|table| table.contains_key(&name)) {
            return;
        }
        if last.len() < last.capacity().max(MOVED_AT_ONCE) {
            last.entry(name).or_insert(position);
        } else if !last.contains_key(&name) {
            let n = full.iter().map(HashMap::len).sum::<usize>() + last.len();
            let mut next = HashMap::with_capacity_and_hasher(n, Seeded);
            next.insert(name, position);
            self.tables.push(next);
        }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.tables.iter().map(HashMap::len).sum()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether one more name takes another table, or a larger one.
    pub fn is_full(&self) -> bool {
        self.tables.last().is_none_or(|last| last.len() == last.capacity())
    }

    /// How many bytes it takes to add a name: for itself if it is long, and for another table or a larger one. Names that
    /// an input decides are added once so much has been asked for.
    ///
    /// ```
    /// use hcl_syntax::hash::NameMap;
    ///
    /// let mut places = NameMap::with_capacity(4);
    /// assert_eq!(places.bytes_to_add("port"), 0);
    /// assert_eq!(places.bytes_to_add(&"long ".repeat(1000)), 5000);
    /// (0..100_000).for_each(|i| places.insert(&format!("name {i}"), i));
    /// while !places.is_full() {
    ///     places.insert(&format!("name {}", places.len()), 0);
    /// }
    /// assert!(places.bytes_to_add("port") > 100_000 * 32);
    /// ```
    pub fn bytes_to_add(&self, name: &str) -> usize {
        let of_name = if name.len() > SHORT { name.len() } else { 0 };
        // Of twice as many places an eighth is free, and each has a byte beside it.
        let of_table = if self.is_full() { 3 * self.len() * size_of::<(ShortName, usize)>() } else { 0 };
        of_name.saturating_add(of_table)
    }

    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().flatten().map(|(name, _)| std::str::from_utf8(name).unwrap_or_default())
    }
}

impl IntoIterator for NameMap {
    type Item = (ShortName, usize);
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<HashMap<ShortName, usize>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.tables.into_iter().flatten()
    }
}

/// A hasher that has read the key.
static KEYED: OnceLock<DefaultHasher> = OnceLock::new();

/// Gives the tables of this process their key. What comes after the first table, or a second time, changes nothing.
pub fn seed(secret: &[u8]) {
    KEYED.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        hasher.write(secret);
        hasher
    });
}

/// Makes hashers that have read the key of the process.
#[derive(Copy, Clone, Debug, Default)]
pub struct Seeded;

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        KEYED.get_or_init(|| RandomState::new().build_hasher()).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_many_tables_they_are_in() {
        for (n, room) in
            [(0, 0), (1, 0), (MOVED_AT_ONCE, 0), (5 * MOVED_AT_ONCE, 0), (3 * MOVED_AT_ONCE, 100)]
        {
            let mut names = NameMap::with_capacity(room);
            for i in 0..n {
                names.insert(&format!("name{i}"), i);
                names.insert(&format!("name{}", i / 2), n);
            }
            assert_eq!(names.len(), n);
            assert!((0..n).all(|i| names.get(&format!("name{i}")) == Some(i)), "{n}");
            assert!(!names.contains("other"));
            assert_eq!(names.names().collect::<HashSet<_>>().len(), n);
        }
    }

    #[test]
    fn the_key_stays() {
        let before = Seeded.hash_one("a");
        seed(b"another");
        assert_eq!(Seeded.hash_one("a"), before);
        assert_ne!(Seeded.hash_one("a"), DefaultHasher::new().finish());
    }
}
