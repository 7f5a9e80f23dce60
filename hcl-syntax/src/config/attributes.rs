//! Attributes by name, in the order of the text.

use std::ops::Index;

use super::reading::{Bounds, Reading, Unbounded, map_within};
use crate::hash::{NameMap, ShortName};

/// A thing with a name, such as an attribute.
pub trait Named {
    /// The name.
    fn name(&self) -> &str;

    /// Returns whether it has this name.
    fn is_named(&self, name: &str) -> bool {
        self.name() == name
    }
}

/// Attributes of a body, no two of one name, in the order in which they came.
///
/// Bodies have few attributes as a rule: only many are hashed.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "zone = \"b\"\nregion = \"eu\"\n")?;
/// let attributes = ConfigBody::from(&file).everything().attributes;
/// assert_eq!(attributes["region"].expression().span().len(), 4);
/// assert!(attributes.get("host").is_none());
/// let names: Vec<_> = attributes.iter().map(|attribute| attribute.name()).collect();
/// assert_eq!(names, ["zone", "region"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attributes<A> {
    list: Vec<A>,
    /// Where each name is in the list, if they are more than [`FEW`].
    places: Option<NameMap>,
}

/// Up to how many names are compared one by one.
pub(super) const FEW: usize = 8;

impl<A> Default for Attributes<A> {
    fn default() -> Self {
        Self { list: Vec::new(), places: None }
    }
}

impl<A: Named> Attributes<A> {
    /// The attribute of a name.
    pub fn get(&self, name: &str) -> Option<&A> {
        self.list.get(self.position(name)?)
    }

    /// Returns whether there is an attribute of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Adds an attribute behind all others, unless there is one of its name: then nothing changes.
    pub fn add(&mut self, attribute: A) {
        if self.contains(attribute.name()) {
            return;
        }
        match &mut self.places {
            Some(places) => {
                places.insert(attribute.name(), self.list.len());
                self.list.push(attribute);
            }
            None => {
                self.list.push(attribute);
                self.hash_many();
            }
        }
    }

    /// Attributes that are known to have different names; none if the reading ends before they can be looked up.
    pub(super) fn of_distinct(list: Vec<A>, reading: &mut Reading<'_>) -> Self {
        if list.len() <= FEW {
            return Self { list, places: None };
        }
        if !reading.has_room_for_table::<(ShortName, usize)>(list.len()) {
            return Self::default();
        }
        let mut places = NameMap::with_capacity(list.len());
        for (position, attribute) in list.iter().enumerate() {
            if !reading.goes_on() {
                return Self::default();
            }
            places.insert(attribute.name(), position);
        }
        Self { list, places: Some(places) }
    }

    /// The attributes of a list, of several with one name the first, as far as the reading goes on.
    pub(super) fn of_list(list: impl IntoIterator<Item = A>, reading: &mut Reading<'_>) -> Self {
        let mut all = Self::default();
        for attribute in list {
            if !reading.goes_on() {
                break;
            }
            all.add_within(attribute, reading);
        }
        all
    }

    /// Makes room for so many that a table which grows would be filled anew for long, if the reading has it.
    pub(crate) fn expect(&mut self, n: usize, reading: &mut Reading<'_>) {
        if n > FEW
            && reading.has_room(n * size_of::<A>())
            && reading.has_room_for_table::<(ShortName, usize)>(n)
        {
            self.list.reserve_exact(n);
            self.places = Some(NameMap::with_capacity(n));
        }
    }

    /// Adds an attribute as [`Attributes::add`] does, unless there is no room for it.
    pub(crate) fn add_within(&mut self, attribute: A, reading: &mut Reading<'_>) {
        let n = self.list.len();
        let of_list = if n < self.list.capacity() { 0 } else { 2 * n * size_of::<A>() };
        let of_places = self.places.as_ref().map_or(0, |places| places.bytes_to_add(attribute.name()));
        if reading.has_room(of_list) && reading.has_room(of_places) {
            self.add(attribute);
        }
    }

    /// The attributes alone. To release many names takes time.
    pub(crate) fn into_list(self, reading: &mut Reading<'_>) -> Vec<A> {
        self.places.into_iter().flatten().take_while(|_| reading.goes_on()).for_each(drop);
        self.list
    }

    fn hash_many(&mut self) {
        if self.list.len() > FEW {
            let mut places = NameMap::default();
            for (position, attribute) in self.list.iter().enumerate() {
                places.insert(attribute.name(), position);
            }
            self.places = Some(places);
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(name),
            None => self.list.iter().position(|attribute| attribute.is_named(name)),
        }
    }

    /// Turns each attribute into something else of its name.
    pub fn map<B: Named>(self, turn: impl FnMut(A) -> B) -> Attributes<B> {
        self.map_within(&mut Unbounded, turn)
    }

    /// Turns each attribute into something else of its name; gives nothing if the bounds end that.
    pub fn map_within<B: Named>(self, bounds: &mut dyn Bounds, turn: impl FnMut(A) -> B) -> Attributes<B> {
        let n = self.list.len();
        let list = map_within(self.list, bounds, turn);
        if list.len() < n { Attributes::default() } else { Attributes { list, places: self.places } }
    }
}

impl<A> Attributes<A> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no attributes.
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

#[cfg(test)]
mod tests {
    use super::{Attributes, FEW, Named, Reading, Unbounded};

    impl Named for String {
        fn name(&self) -> &str {
            self
        }
    }

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("name{}", n - i)).collect()
    }

    #[test]
    fn attributes_are_found_by_name_however_many_they_are() {
        for n in [0, 1, FEW - 1, FEW, FEW + 1, FEW + 2, 50] {
            let added: Attributes<String> = names(n).into_iter().collect();
            let distinct = Attributes::of_distinct(names(n), &mut Reading::new(&mut Unbounded));
            for all in [&added, &distinct, &added.clone().map(|name| name)] {
                assert_eq!(all.as_slice(), names(n), "the order is that of the text");
                for name in names(n) {
                    assert_eq!(all.get(&name), Some(&name), "{n}");
                    assert_eq!(all[&name], name, "{n}");
                }
                assert!(!all.contains("other"), "{n}");
            }
        }
    }

    #[test]
    fn of_several_with_one_name_the_first_counts() {
        for n in [1, FEW, FEW + 1, 50] {
            let twice: Attributes<String> = names(n).into_iter().chain(names(n)).collect();
            assert_eq!(twice.as_slice(), names(n), "{n}");
            assert_eq!(twice.len(), n);
        }
    }
}
