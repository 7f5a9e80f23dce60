//! Containers: a counted header and a slice of values in one allocation.
//!
//! The header keeps a [`Summary`] of everything below, computed when the container is made, so that
//! "wholly known?", "any marks?" and "how deep?" are answered without looking at the elements. Clones
//! share. The last owner of a deep container takes it apart with a list instead of recursion.

use std::borrow::Borrow;
use std::fmt;
use std::iter;
use std::mem;

use hcl_syntax::memory::{self, Turns};
use triomphe::{Arc, HeaderSlice, HeaderWithLength, ThinArc};

use super::shape::Shape;
use super::{Repr, Value, scattered};
use crate::stack::SHALLOW;
use crate::types::Type;

/// From this depth on a container counts as what takes longer to release.
const STEEP: u32 = 8;

/// The facts about a value and everything in it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) depth: u32,
    /// How many values one meets on a walk, shared ones as often as they are met, long texts
    /// and numbers counted by their length; [`u32::MAX`] for that many or more.
    pub(crate) weight: u32,
    flags: u8,
}

impl Summary {
    const MARKS: u8 = 1;
    const UNKNOWN: u8 = 2;
    const DYNAMIC_UNKNOWN: u8 = 4;
    const DYNAMIC_TYPE: u8 = 8;
    /// Of a container itself, not of those that it is in: a drop has more to do than to drop each element.
    const HARD_TO_DROP: u8 = 16;

    /// A known value without parts.
    pub(crate) const LEAF: Summary = Summary { depth: 0, weight: 1, flags: 0 };

    /// A text of so many bytes.
    pub(crate) fn text(len: usize) -> Summary {
        Summary { weight: u32::try_from(len / 64).unwrap_or(u32::MAX).saturating_add(1), ..Self::LEAF }
    }

    pub(crate) fn null(ty: &Type) -> Summary {
        Summary { flags: if ty.has_dynamic() { Self::DYNAMIC_TYPE } else { 0 }, ..Self::LEAF }
    }

    pub(crate) fn unknown(ty: &Type) -> Summary {
        let dynamic = match ty {
            _ if ty.has_dynamic() => Self::DYNAMIC_UNKNOWN | Self::DYNAMIC_TYPE,
            _ => 0,
        };
        Summary { flags: Self::UNKNOWN | dynamic, ..Self::LEAF }
    }

    pub(crate) fn with_marks(self) -> Summary {
        Summary { flags: self.flags | Self::MARKS, ..self }
    }

    pub(crate) fn contains_marks(self) -> bool {
        self.flags & Self::MARKS != 0
    }

    pub(crate) fn contains_unknown(self) -> bool {
        self.flags & Self::UNKNOWN != 0
    }

    /// An unknown whose type is not wholly known is among the parts.
    pub(crate) fn contains_dynamic_unknown(self) -> bool {
        self.flags & Self::DYNAMIC_UNKNOWN != 0
    }

    /// The type has dynamic parts.
    pub(crate) fn has_dynamic_type(self) -> bool {
        self.flags & Self::DYNAMIC_TYPE != 0
    }

    /// The summary of a container of these values.
    pub(crate) fn of_container(values: impl IntoIterator<Item: Borrow<Value>>) -> Summary {
        let mut depth = 0;
        let mut weight = 1_u32;
        let mut flags = 0;
        for value in values {
            let value = value.borrow();
            if value.is_light() {
                weight = weight.saturating_add(1);
                continue;
            }
            let part = value.summary();
            depth = depth.max(part.depth);
            weight = weight.saturating_add(part.weight);
            flags |= part.flags;
        }
        flags &= !Self::HARD_TO_DROP;
        if depth >= STEEP || weight as usize > scattered::SEVERAL {
            flags |= Self::deep_or_large(depth, weight);
        }
        Summary { depth: depth + 1, weight, flags }
    }

    /// The flag of a container of many parts, or of some that nest deep. Of a chain each release waits for the memory of the one
    /// before, which takes 25 ns: for these one is counted of the first eight, three of the second, which are taken apart with a
    /// list, and each fourth one from there on.
    #[cold] // Without it `merge` takes 0.8 % more instructions, and `object_8` 0.6.
    fn deep_or_large(depth: u32, weight: u32) -> u8 {
        let n_counted = match depth {
            STEEP => 1,
            SHALLOW => 3,
            _ if depth > SHALLOW => u32::from(depth.is_multiple_of(4)),
            _ => 0,
        };
        memory::count_scattered(n_counted as isize);
        let is_hard = depth >= SHALLOW || weight as usize > scattered::SEVERAL;
        if is_hard { Self::HARD_TO_DROP } else { 0 }
    }

    /// The summary for a collection whose type has this element type, which may have dynamic parts that its elements have not.
    pub(crate) fn with_element_type(mut self, element: &Type) -> Summary {
        if element.has_dynamic() {
            self.flags |= Self::DYNAMIC_TYPE;
        }
        self
    }
}

/// The data before the elements of a container: their summary, and what the kind of the container has beside it.
struct Head<H> {
    summary: Summary,
    header: H,
}

/// The header of a list or set.
pub(crate) struct SequenceHeader {
    pub(crate) element: Type,
}

/// The header of a map.
pub(crate) struct MapHeader {
    pub(crate) element: Type,
    pub(crate) shape: Shape,
}

/// The header of an object.
pub(crate) struct ObjectHeader {
    pub(crate) shape: Shape,
}

/// A header and its elements, shared.
pub(crate) struct Node<H>(ThinArc<Head<H>, Value>);

/// A container of known length, the elements of which are made where they stay.
pub(crate) struct Unfinished<H>(Arc<HeaderSlice<HeaderWithLength<Head<H>>, [Value]>>);

pub(crate) type List = Node<SequenceHeader>;
pub(crate) type Set = Node<SequenceHeader>;
pub(crate) type Tuple = Node<()>;
pub(crate) type Map = Node<MapHeader>;
pub(crate) type Object = Node<ObjectHeader>;

impl<H> Node<H> {
    pub(crate) fn new(summary: Summary, header: H, values: Vec<Value>) -> Node<H> {
        scattered::count(&values, Value::address);
        let header = HeaderWithLength::new(Head { summary, header }, values.len());
        Node(Arc::into_thin(Arc::from_header_and_vec(header, values)))
    }

    /// A container of the elements that an iterator gives.
    pub(crate) fn from_values<I: ExactSizeIterator<Item = Value>>(
        summary: Summary,
        header: H,
        values: I,
    ) -> Self {
        let node = Node(ThinArc::from_header_and_iter(Head { summary, header }, values));
        scattered::count(node.elements(), Value::address);
        node
    }

    pub(crate) fn header(&self) -> &H {
        &self.0.header.header.header
    }

    pub(crate) fn summary(&self) -> Summary {
        self.0.header.header.summary
    }

    pub(crate) fn elements(&self) -> &[Value] {
        &self.0.slice
    }

    /// Returns whether both are one allocation.
    pub(crate) fn same(&self, other: &Node<H>) -> bool {
        std::ptr::eq(self.elements().as_ptr(), other.elements().as_ptr())
    }

    /// Where its memory is.
    pub(crate) fn address(&self) -> usize {
        self.elements().as_ptr().addr()
    }

    /// Others hold it, too.
    pub(crate) fn is_shared(&self) -> bool {
        self.0.with_arc(|node| Arc::strong_count(node) > 1)
    }

    /// Drops what nests too deep for recursion, and brings many elements into the order of memory. In the drop of values, every
    /// one of them would save the registers that this takes: 29 instructions for a number, and 18 without.
    #[inline(never)]
    fn take_apart(&mut self) {
        let Summary { depth, weight, .. } = self.summary();
        let weight = weight as usize;
        self.with_own_elements(&mut |elements| {
            scattered::release(elements, Value::address, Value::is_shared);
            if weight > scattered::LARGE {
                scattered::release_together(&mut { &mut *elements });
            }
            let is_plain = elements.get(elements.len() / 2).is_none_or(|element| element.address() == 0);
            if weight > scattered::MANY && !is_plain && depth <= SHALLOW {
                scattered::release_each(elements);
            }
        });
        if depth > SHALLOW {
            let mut pending = Vec::new();
            self.with_own_elements(&mut |elements| take_deep(elements, &mut pending));
            drop_deep(pending);
        }
    }

    /// Works on the elements, if nobody else holds them.
    pub(super) fn with_own_elements(&mut self, work: &mut dyn FnMut(&mut [Value])) {
        self.0.with_arc_mut(|node| {
            if let Some(node) = Arc::get_mut(node) {
                work(node.slice_mut());
            }
        });
    }
}

impl<H> Unfinished<H> {
    /// A container of so many elements, each `false` so far.
    pub(crate) fn new(header: H, len: usize) -> Self {
        let values = iter::repeat_n((), len).map(|()| Value::FALSE);
        let head = Head { summary: Summary::LEAF, header };
        Self(Arc::from_header_and_iter(HeaderWithLength::new(head, len), values))
    }

    /// The places of the elements.
    pub(crate) fn places(&mut self) -> &mut [Value] {
        Arc::get_mut(&mut self.0).map_or_else(Default::default, |node| &mut node.slice)
    }

    /// The container, all elements of which are there.
    pub(crate) fn finish(mut self) -> Node<H> {
        if let Some(node) = Arc::get_mut(&mut self.0) {
            node.header.header.summary = Summary::of_container(&node.slice);
            scattered::count(&node.slice, Value::address);
        }
        Node(Arc::into_thin(self.0))
    }
}

/// Puts an element into its place in a container.
pub(crate) fn put(place: &mut Value, element: Value) {
    // Mostly the place has none yet; what drops one is a call.
    if matches!(place.0, Repr::Bool(_)) {
        mem::forget(mem::replace(place, element));
    } else {
        *place = element;
    }
}

/// Puts a copy of an element there. Texts have a path of their own, on which the copy is made where it stays.
pub(crate) fn put_copy(place: &mut Value, element: &Value) {
    if let Repr::String(text) = &element.0 {
        put(place, Value(Repr::String(text.clone())));
    } else {
        put(place, element.clone());
    }
}

impl<H> Clone for Node<H> {
    fn clone(&self) -> Self {
        Node(self.0.clone())
    }
}

impl<H> fmt::Debug for Node<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

impl<H> Drop for Node<H> {
    fn drop(&mut self) {
        if self.summary().flags & Summary::HARD_TO_DROP != 0 {
            self.take_apart();
        }
    }
}

/// Moves out what has parts.
fn take_deep(elements: &mut [Value], into: &mut Vec<Value>) {
    for element in elements {
        if element.summary().depth > 0 {
            into.push(mem::replace(element, Value::FALSE));
        }
    }
}

/// Drops values of any depth: before a container goes, its parts that have parts move to the list.
fn drop_deep(mut pending: Vec<Value>) {
    let mut turns = Turns::begin();
    while let Some(mut value) = pending.pop() {
        turns.go_on();
        if let Repr::Marked(marked) = &mut value.0 {
            if let Some(marked) = Arc::get_mut(marked) {
                pending.push(mem::replace(&mut marked.value, Value::FALSE));
            }
        } else {
            value.with_own_parts(&mut |elements| take_deep(elements, &mut pending));
        }
    }
}
