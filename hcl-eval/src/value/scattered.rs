//! Parts in the order of memory.
//!
//! Values that have been sorted lie in another order than their blocks of memory. To release a million of them takes 300 ns each,
//! most of it waiting for memory and putting free blocks together; in the order of memory, 60 ns, this order included.
//!
//! Everything that is done for many parts stands in functions of its own: as parts of their callers, they took 37 KB of the
//! library, and evaluations of small objects 20 to 200 instructions.

use std::mem;
use std::ops::Range;

use hcl_syntax::memory::{self, Turns};

use super::Value;

/// Fewer parts lie in memory that is near anyway.
pub(crate) const SEVERAL: usize = 1 << 6;

/// Fewer parts need no account while they are worked on.
pub(crate) const MANY: usize = 1 << 12;

/// Values of fewer parts stay in the processor's own memory.
pub(crate) const LARGE: usize = 1 << 16;

/// Parts are brought into so many stretches of memory, and the parts of each again, within which they may lie in any order.
const STRETCHES: usize = 1 << 8;
const LEVELS: u32 = 2;

/// So many parts lie near each other, in any order. To arrange 1,000 blocks took 2 % of their decoding, and saved no time.
const NEAR: usize = 4 * STRETCHES;

/// So many parts tell whether all are in order, and where most are.
const SAMPLES: usize = 1 << 4;

/// Where some of the parts are: `address` gives the place of the block of memory of a part, and 0 if it has none.
fn samples<T>(parts: &[T], address: impl Fn(&T) -> usize) -> [usize; SAMPLES] {
    samples_of(parts.len(), &|at| address(&parts[at]))
}

#[inline(never)] // Its copies and those of `are_unsorted` took 8 KB of the library.
fn samples_of(n: usize, address_at: &dyn Fn(usize) -> usize) -> [usize; SAMPLES] {
    std::array::from_fn(|i| address_at(i * (n / SAMPLES)))
}

/// Returns whether there are many parts, which lie in another order than their memory.
pub(crate) fn are_scattered<T>(parts: &[T], address: impl Fn(&T) -> usize) -> bool {
    parts.len() >= SEVERAL && are_several_scattered(parts, address)
}

/// Of fewer than many, the middle one tells whether they have blocks of memory.
#[cold] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
fn are_several_scattered<T>(parts: &[T], address: impl Fn(&T) -> usize) -> bool {
    (parts.len() >= MANY || address(&parts[parts.len() / 2]) != 0) && are_unsorted(&samples(parts, address))
}

#[inline(never)] // Its copies and those of `samples_of` took 8 KB of the library.
fn are_unsorted(samples: &[usize; SAMPLES]) -> bool {
    !samples.iter().filter(|&&at| at != 0).is_sorted()
}

/// Counts the parts of a value that has been made, and those that are scattered.
pub(crate) fn count<T>(parts: &[T], address: impl Fn(&T) -> usize) {
    if parts.len() >= SEVERAL {
        count_several(parts, address);
    }
}

#[cold] // Its copies took 2 KB of the library.
fn count_several<T>(parts: &[T], address: impl Fn(&T) -> usize) {
    memory::count_parts(n_with_blocks(parts, &address));
    if are_scattered(parts, address) {
        memory::count_scattered(n_counted(parts.len()));
    }
}

/// How many of the parts of a value have blocks of memory: all, if the middle one has.
fn n_with_blocks<T>(parts: &[T], address: impl Fn(&T) -> usize) -> isize {
    let has_block = parts.get(parts.len() / 2).is_some_and(|part| address(part) != 0);
    if has_block { parts.len().cast_signed() } else { 0 }
}

/// How many of the parts of a value count as far from each other. Few are found in the processor's own memory, and many are
/// brought into the order of memory first.
fn n_counted(n_parts: usize) -> isize {
    (if n_parts < MANY { n_parts / 8 } else { n_parts / 4 }).cast_signed()
}

/// Brings the parts of a value that is released into the order of memory, and counts them no longer. Parts that are held
/// elsewhere, too, stay where they are.
pub(crate) fn release<T>(
    parts: &mut [T],
    address: impl Fn(&T) -> usize + Copy,
    is_shared: impl Fn(&T) -> bool,
) {
    if parts.len() >= SEVERAL {
        memory::count_parts(-n_with_blocks(parts, address));
    }
    if are_scattered(parts, address) {
        memory::count_scattered(-n_counted(parts.len()));
        if !is_shared(&parts[parts.len() / 2]) {
            gather(parts, address);
        }
    }
}

/// Releases parts one after the other, their blocks in turns.
pub(crate) fn release_each<'p, T: Default + 'p>(parts: impl IntoIterator<Item = &'p mut T>) {
    Turns::begin().release_each(parts.into_iter().map(mem::take));
}

/// Releases the parts of a list from `first` on.
pub(crate) fn release_last<T: Default>(parts: &mut Vec<T>, first: usize) {
    if parts.len() - first >= MANY {
        release_each(&mut parts[first..]);
    }
    parts.truncate(first);
}

/// Releases parts that have been brought into another order, in the order of memory.
pub(crate) fn release_moved<T: Default>(parts: &mut [T], address: impl Fn(&T) -> usize) {
    gather(parts, address);
    release_each(parts);
}

/// Lists of parts that were made in turn, so that each has its parts between those of the others, as groups of a `for` have.
pub(crate) trait Lists {
    fn len(&self) -> usize;
    /// Works on the parts of a list, if nobody else holds them.
    fn with_list(&mut self, at: usize, work: &mut dyn FnMut(&mut [Value]));
}

impl Lists for &mut [Value] {
    fn len(&self) -> usize {
        <[Value]>::len(self)
    }

    fn with_list(&mut self, at: usize, work: &mut dyn FnMut(&mut [Value])) {
        self[at].with_own_parts(work);
    }
}

/// Releases the parts of several lists together, in the order of memory, unless they are in order one list after the other. That
/// takes a part 100 ns, where one list after the other takes up to 300. Two turns bound the memory for it to eight bytes a part.
pub(crate) fn release_together(lists: &mut dyn Lists) {
    let Some(middle) = middle_of_interleaved(lists) else { return };
    let mut n_parts = 0;
    for at in 0..lists.len() {
        lists.with_list(at, &mut |parts| n_parts += parts.len());
    }
    let mut together = Vec::new();
    if together.try_reserve_exact(n_parts / 2 + 1).is_err() {
        return;
    }
    for places in [1..=middle, 1..=usize::MAX] {
        for at in 0..lists.len() {
            lists.with_list(at, &mut |parts| {
                for part in parts.iter_mut().filter(|part| places.contains(&part.address())) {
                    if together.len() == together.capacity() {
                        release_gathered(&mut together);
                    }
                    together.push(mem::replace(part, Value::FALSE));
                }
            });
        }
        release_gathered(&mut together);
    }
}

fn release_gathered(parts: &mut Vec<Value>) {
    release_moved(parts, Value::address);
    parts.clear();
}

/// The middle of the memory of several lists, if neighbours among them lie between each other. Parts that are held elsewhere do
/// not count: they stay, so that lists of the same parts, each in order, are released faster one after the other.
fn middle_of_interleaved(lists: &mut dyn Lists) -> Option<usize> {
    const QUARTERS: usize = 4;
    /// Some are found, if each third list has several parts.
    const PAIRS: usize = 4 * SAMPLES;
    const NOTHING: [usize; 2] = [usize::MAX, 0];
    let around = |a: [usize; 2], b: [usize; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let (mut whole, mut shared) = (NOTHING, 0_usize);
    let end = lists.len().saturating_sub(1);
    for at in (0..end).step_by(end.div_ceil(PAIRS).max(1)) {
        let mut pair = [NOTHING; 2];
        for (list, stretch) in (at..).zip(&mut pair) {
            lists.with_list(list, &mut |parts| {
                let last = parts.len().saturating_sub(1);
                let some = (0..=QUARTERS).filter_map(|quarter| parts.get(last * quarter / QUARTERS));
                let own = some.filter(|part| !part.is_shared());
                for place in own.map(Value::address).filter(|&place| place != 0) {
                    *stretch = around(*stretch, [place, place]);
                }
            });
            whole = around(whole, *stretch);
        }
        let [one, other] = pair;
        shared = shared.saturating_add(one[1].min(other[1]).saturating_sub(one[0].max(other[0])));
    }
    let is_interleaved = shared > whole[1].saturating_sub(whole[0]) / SAMPLES;
    is_interleaved.then(|| whole[0].midpoint(whole[1]))
}

/// An account of work on parts that brings them into another order, or shares them as they are. They are counted until it is
/// dropped.
#[derive(Default)]
pub(crate) struct Scattering(isize);

/// The parts of a value that has few of them.
fn few_parts(value: &Value) -> &[Value] {
    value.parts().filter(|parts| parts.len() < MANY).unwrap_or_default()
}

impl Scattering {
    /// Parts that may be brought into another order.
    pub(crate) fn of<T>(parts: &[T], address: impl Fn(&T) -> usize) -> Self {
        let counts = parts.len() >= MANY && samples(parts, address) != [0; SAMPLES];
        Self::of_parts(if counts { parts.len() / 4 } else { 0 })
    }

    /// Parts that are shared one after the other, if they are scattered.
    pub(crate) fn of_shared<T>(parts: &[T], address: impl Fn(&T) -> usize) -> Self {
        Self::of_parts(if are_scattered(parts, address) { parts.len() } else { 0 })
    }

    /// Parts that are copied one after the other at once. Even in the order of memory, it takes some time to give shares of them
    /// back: that of one of four that are far from each other.
    pub(crate) fn of_copied<T>(parts: &[T], address: impl Fn(&T) -> usize + Copy) -> Self {
        if parts.len() < MANY || are_scattered(parts, address) {
            return Self::of_shared(parts, address);
        }
        let has_memory = samples(parts, address) != [0; SAMPLES];
        Self::of_parts(if has_memory { parts.len() / 4 } else { 0 })
    }

    /// The parts of these values, too, and of their parts, which are shared.
    #[inline(never)] // Inlined, it makes the library 2 KB larger.
    pub(crate) fn add_values_shared(&mut self, values: &[Value]) {
        let below = values.iter().flat_map(few_parts);
        let all = values.iter().chain(below).filter_map(Value::parts);
        let n: usize = all.filter(|parts| are_scattered(parts, Value::address)).map(<[Value]>::len).sum();
        memory::count_scattered(n.cast_signed());
        self.0 += n.cast_signed();
    }

    fn of_parts(n: usize) -> Self {
        if n > 0 {
            memory::count_scattered(n.cast_signed());
        }
        Self(n.cast_signed())
    }
}

impl Drop for Scattering {
    fn drop(&mut self) {
        if self.0 > 0 {
            memory::count_scattered(-self.0);
        }
    }
}

/// Brings many parts roughly into the order of memory.
#[inline(never)] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
pub(crate) fn gather<T>(parts: &mut [T], address: impl Fn(&T) -> usize) {
    let all = 0..parts.len();
    arrange(&mut (parts, address), all, LEVELS);
}

/// Parts of which an order is made: one copy of the code does for all.
trait Parts {
    fn address(&self, at: usize) -> usize;
    fn swap(&mut self, a: usize, b: usize);
}

impl<T, F: Fn(&T) -> usize> Parts for (&mut [T], F) {
    fn address(&self, at: usize) -> usize {
        (self.1)(&self.0[at])
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }
}

fn arrange(parts: &mut dyn Parts, range: Range<usize>, levels: u32) {
    if range.len() <= NEAR {
        return;
    }
    let samples = samples_of(range.len(), &|at| parts.address(range.start + at));
    if !are_unsorted(&samples) {
        return;
    }
    let places = samples.iter().filter(|&&at| at != 0);
    let (first, last) = places.fold((usize::MAX, 0), |(first, last), &at| (first.min(at), last.max(at)));
    // Others may lie before and behind.
    let margin = (last - first) / SAMPLES * 2;
    let (first, last) = (first.saturating_sub(margin), last.saturating_add(margin));
    let shift = (last - first).ilog2().saturating_sub(STRETCHES.ilog2() - 1);
    let stretch_of = |parts: &dyn Parts, at| {
        let place: usize = parts.address(at);
        (place.saturating_sub(first) >> shift).min(STRETCHES - 1)
    };
    let mut ends = [0; STRETCHES];
    for at in range.clone() {
        ends[stretch_of(parts, at)] += 1;
    }
    let mut starts = [0; STRETCHES];
    let mut n_before = range.start;
    for (start, end) in starts.iter_mut().zip(&mut ends) {
        *start = n_before;
        n_before += *end;
        *end = n_before;
    }
    for stretch in 0..STRETCHES {
        while starts[stretch] < ends[stretch] {
            let at = starts[stretch];
            let to = stretch_of(parts, at);
            if to != stretch {
                parts.swap(at, starts[to]);
            }
            starts[to] += 1;
        }
    }
    let mut start = range.start;
    for end in ends {
        if levels > 1 {
            arrange(parts, start..end, levels - 1);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::{MANY, gather, middle_of_interleaved, release_together};
    use crate::value::Value;

    #[test]
    fn parts_come_into_the_order_of_memory() {
        let step = 1 << 12;
        let places = (0..2 * MANY).map(|i| i * 7919 % (2 * MANY));
        let mut parts: Vec<usize> = places.map(|i| if i % 3 == 0 { 0 } else { i * step }).collect();
        let mut sorted = parts.clone();
        gather(&mut parts, |&part| part);
        let stretch = 2 * MANY * step / 50;
        assert!(parts.windows(2).all(|pair| pair[1] + stretch > pair[0]));
        parts.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(parts, sorted, "none is lost");
    }

    #[test]
    fn parts_without_memory_or_in_order_stay() {
        let mut none = vec![0; MANY];
        gather(&mut none, |&part| part);
        let mut ordered: Vec<usize> = (0..MANY).collect();
        gather(&mut ordered, |&part| part);
        assert_eq!((none, ordered), (vec![0; MANY], (0..MANY).collect()));
    }

    /// So many lists of texts, made in turn or one after the other.
    fn lists(in_turn: bool) -> Vec<Value> {
        let mut texts: Vec<Value> =
            (0..7 * 500).map(|n| Value::from(format!("text number {n} is long"))).collect();
        // Other tests have left free blocks in any order.
        texts.sort_by_key(Value::address);
        let of_list = |list: usize| move |n: usize| if in_turn { 7 * n + list } else { 500 * list + n };
        (0..7)
            .map(|list| Value::tuple((0..500).map(of_list(list)).map(|n| texts[n].clone()).collect()))
            .collect()
    }

    #[test]
    fn lists_that_were_made_in_turn_are_released_together() {
        let mut one_after_the_other = lists(false);
        assert_eq!(middle_of_interleaved(&mut &mut one_after_the_other[..]), None);
        let mut in_turn = lists(true);
        let held_elsewhere = in_turn[3].clone();
        assert!(middle_of_interleaved(&mut &mut in_turn[..]).is_some());
        release_together(&mut &mut in_turn[..]);
        for (at, list) in in_turn.iter().enumerate() {
            let is_there =
                list.elements().is_some_and(|texts| texts.iter().all(|text| text.as_str().is_some()));
            assert_eq!(is_there, at == 3);
        }
        assert!(held_elsewhere.raw_equals(&in_turn[3]));
    }
}
