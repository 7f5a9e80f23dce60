//! The names of a body's attributes, when there are many: which of them have been there before.

use std::hash::{BuildHasher as _, RandomState};

use super::cursor::Cursor;
use crate::ast::AttributeNode;

/// Finds names by their hash. Each place takes eight bytes and lies where the first bits of the hash say, so that a
/// look costs one access to memory, and growing goes through old and new places in the same order. The hash is keyed
/// at random: no input can be made for it.
pub(super) struct AttributeNames {
    state: RandomState,
    /// A power of two of them, half of them empty.
    places: Vec<Place>,
    n_names: usize,
}

/// A part of the hash, and the number of the attribute, from 1; 0 for nothing.
#[derive(Copy, Clone, Default)]
struct Place {
    hash: u32,
    number: u32,
}

impl AttributeNames {
    /// The names of these attributes, which are all different.
    pub(super) fn of(attributes: &[AttributeNode], cursor: Cursor<'_>) -> Self {
        let places = vec![Place::default(); (attributes.len() * 4).next_power_of_two()];
        let mut names = Self { state: RandomState::new(), places, n_names: 0 };
        for position in 0..attributes.len() {
            let (before, rest) = attributes.split_at(position);
            names.insert(cursor.bytes(rest[0].name), before, cursor);
        }
        names
    }

    /// Adds a name, as that of the attribute after `attributes`; gives the position of the one that has it already.
    pub(super) fn insert(
        &mut self,
        name: &[u8],
        attributes: &[AttributeNode],
        cursor: Cursor<'_>,
    ) -> Option<usize> {
        if self.n_names * 2 >= self.places.len() {
            self.grow();
        }
        let hash = u32::try_from(self.state.hash_one(name) >> 32).unwrap_or_default();
        let mut at = start(hash, self.places.len());
        loop {
            let place = self.places[at];
            if place.number == 0 {
                self.n_names += 1;
                let number = u32::try_from(self.n_names).unwrap_or(u32::MAX);
                self.places[at] = Place { hash, number };
                return None;
            }
            let position = place.number as usize - 1;
            if place.hash == hash && attributes.get(position).is_some_and(|a| cursor.bytes(a.name) == name) {
                return Some(position);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    fn grow(&mut self) {
        let mut places = vec![Place::default(); self.places.len() * 2];
        for place in self.places.iter().filter(|place| place.number != 0) {
            let mut at = start(place.hash, places.len());
            while places[at].number != 0 {
                at = (at + 1) & (places.len() - 1);
            }
            places[at] = *place;
        }
        self.places = places;
    }
}

/// Where a hash is looked for first, among a power of two of places.
#[inline]
fn start(hash: u32, n_places: usize) -> usize {
    ((u64::from(hash) << n_places.trailing_zeros()) >> u32::BITS) as usize
}
