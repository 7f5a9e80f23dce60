//! Attributes by name, in the order of the text.

use std::collections::HashMap;
use std::ops::Index;

/// Something that is known by a name.
pub trait Named {
    /// The name.
    fn name(&self) -> &str;
}

/// Attributes of a body, no two of one name, in the order in which they came.
///
/// Bodies have few attributes as a rule: only many are hashed.
#[derive(Clone, Debug)]
pub struct Attributes<A> {
    list: Vec<A>,
    /// Where each name is in the list, once they are more than [`FEW`].
    places: HashMap<String, usize>,
}

/// Up to how many names are compared one by one.
pub(super) const FEW: usize = 8;

impl<A> Default for Attributes<A> {
    fn default() -> Self {
        Self { list: Vec::new(), places: HashMap::new() }
    }
}

impl<A: Named> Attributes<A> {
    /// The attribute of a name.
    pub fn get(&self, name: &str) -> Option<&A> {
        self.list.get(self.position(name)?)
    }

    /// Whether there is an attribute of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Adds an attribute behind all others, unless there is one of its name: then nothing changes.
    pub fn add(&mut self, attribute: A) {
        if self.contains(attribute.name()) {
            return;
        }
        self.list.push(attribute);
        let first_new = match self.list.len() {
            ..=FEW => return,
            _ if self.places.is_empty() => 0,
            n => n - 1,
        };
        let new = self.list.iter().enumerate().skip(first_new);
        self.places.extend(new.map(|(place, attribute)| (attribute.name().to_owned(), place)));
    }

    fn position(&self, name: &str) -> Option<usize> {
        if self.list.len() > FEW {
            return self.places.get(name).copied();
        }
        self.list.iter().position(|attribute| attribute.name() == name)
    }

    /// The same attributes, each turned into something else of its name.
    pub fn map<B: Named>(self, turn: impl FnMut(A) -> B) -> Attributes<B> {
        Attributes { list: self.list.into_iter().map(turn).collect(), places: self.places }
    }
}

impl<A> Attributes<A> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The attributes in order.
    pub fn as_slice(&self) -> &[A] {
        &self.list
    }

    /// The attributes in order, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, A> {
        self.list.iter()
    }
}

/// The attribute of a name.
///
/// # Panics
/// There is none.
impl<A: Named> Index<&str> for Attributes<A> {
    type Output = A;

    fn index(&self, name: &str) -> &A {
        match self.get(name) {
            Some(attribute) => attribute,
            None => panic!("there is no attribute {name:?}"),
        }
    }
}

/// Of several attributes of one name the first counts.
impl<A: Named> FromIterator<A> for Attributes<A> {
    fn from_iter<I: IntoIterator<Item = A>>(attributes: I) -> Self {
        let mut all = Self::default();
        attributes.into_iter().for_each(|attribute| all.add(attribute));
        all
    }
}

impl<A> IntoIterator for Attributes<A> {
    type Item = A;
    type IntoIter = std::vec::IntoIter<A>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a, A> IntoIterator for &'a Attributes<A> {
    type Item = &'a A;
    type IntoIter = std::slice::Iter<'a, A>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
