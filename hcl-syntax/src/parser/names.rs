//! The names of a body's attributes: which of them have been there before.

use std::hash::{BuildHasher as _, RandomState};

use crate::ast::AttributeNode;
use crate::source::Span;

/// Up to how many attributes of a body are compared one by one to find a name that is set twice.
pub(super) const FEW_ATTRIBUTES: usize = 16;

/// Finds names by their hash. A place lies where the first bits of the hash say and takes four bytes: the other bits of the
/// hash, and the number of the attribute in as many bits as are left by them. So a look costs one access to memory, to little
/// of it, and growing goes through old and new places in the same order. The hash is keyed at random: no input can be made
/// for it.
pub(super) struct AttributeNames {
    state: RandomState,
    /// A power of two of them, half of them empty: 0.
    places: Vec<u32>,
    /// By number, from 1.
    hashes: Vec<u32>,
}

#[inline]
fn bytes(text: &str, span: Span) -> &[u8] {
    text.as_bytes().get(span.start as usize..span.end as usize).unwrap_or_default()
}

impl AttributeNames {
    /// The names of these attributes, which are all different.
    pub(super) fn of(attributes: &[AttributeNode], text: &str) -> Self {
        let n_places = (attributes.len() * 4).next_power_of_two();
        let hashes = Vec::with_capacity(n_places / 2);
        let mut names = Self { state: RandomState::new(), places: vec![0; n_places], hashes };
        for (position, attribute) in attributes.iter().enumerate() {
            names.insert(bytes(text, attribute.name), &attributes[..position], text);
        }
        names
    }

    /// Adds a name, as that of the attribute after `attributes`; gives the position of the one that has it already.
    pub(super) fn insert(&mut self, name: &[u8], attributes: &[AttributeNode], text: &str) -> Option<usize> {
        if self.hashes.len() * 2 >= self.places.len() {
            self.grow();
        }
        let hash = hash(&self.state, name);
        let same = self.insert_hash(hash, name, attributes, text);
        if same.is_none() {
            self.hashes.push(hash);
        }
        same
    }

    fn insert_hash(
        &mut self,
        hash: u32,
        name: &[u8],
        attributes: &[AttributeNode],
        text: &str,
    ) -> Option<usize> {
        let (numbers, tag) = (numbers_mask(self.places.len()), tag(hash, self.places.len()));
        let mut at = start(hash, self.places.len());
        loop {
            let place = self.places[at];
            if place == 0 {
                let number = u32::try_from(attributes.len() + 1).unwrap_or(u32::MAX);
                self.places[at] = tag | number & numbers;
                return None;
            }
            let position = (place & numbers) as usize - 1;
            if place & !numbers == tag
                && attributes.get(position).is_some_and(|a| bytes(text, a.name) == name)
            {
                return Some(position);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    fn grow(&mut self) {
        let mut places = vec![0; self.places.len() * 2];
        let numbers = numbers_mask(self.places.len());
        for number in self.places.iter().map(|place| place & numbers).filter(|number| *number != 0) {
            let Some(hash) = self.hashes.get(number as usize - 1) else { continue };
            let mut at = start(*hash, places.len());
            while places[at] != 0 {
                at = (at + 1) & (places.len() - 1);
            }
            places[at] = tag(*hash, places.len()) | number;
        }
        self.places = places;
    }
}

#[inline]
fn hash(state: &RandomState, name: &[u8]) -> u32 {
    u32::try_from(state.hash_one(name) >> 32).unwrap_or_default()
}

/// The bits of a place that are a number: as many as there are places take, so more than half of the places.
#[inline]
fn numbers_mask(n_places: usize) -> u32 {
    u32::try_from(n_places - 1).unwrap_or(u32::MAX)
}

/// The bits of a hash that do not say where it is looked for, beside those of a number.
#[inline]
fn tag(hash: u32, n_places: usize) -> u32 {
    hash.checked_shl(n_places.trailing_zeros()).unwrap_or(0)
}

/// Where a hash is looked for first, among a power of two of places.
#[inline]
fn start(hash: u32, n_places: usize) -> usize {
    ((u64::from(hash) << n_places.trailing_zeros()) >> u32::BITS) as usize
}
