//! Hash tables that the system need not be asked for.
//!
//! The tables of the standard library ask the system for random bytes, which a process whose sandbox allows memory alone
//! does not survive. Those here share one hasher, keyed once: by [`seed`], or by the standard library if nobody calls it.
//! A text can't be made to fill one bucket without the key.

use std::collections::hash_map::{DefaultHasher, RandomState};
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

/// A hash table.
pub type HashMap<K, V> = std::collections::HashMap<K, V, Seeded>;
/// A hash table of keys alone.
pub type HashSet<T> = std::collections::HashSet<T, Seeded>;
/// A hash table that keeps the order in which keys came.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, Seeded>;
/// A hash table of keys alone that keeps the order in which they came.
pub type IndexSet<T> = indexmap::IndexSet<T, Seeded>;

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

    #[inline]
    fn build_hasher(&self) -> DefaultHasher {
        KEYED.get_or_init(|| RandomState::new().build_hasher()).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_stays() {
        let before = Seeded.hash_one("a");
        seed(b"another");
        assert_eq!(Seeded.hash_one("a"), before);
        assert_ne!(Seeded.hash_one("a"), DefaultHasher::new().finish());
    }
}
