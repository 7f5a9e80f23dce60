//! Parts in the order of memory.
//!
//! Values that have been sorted lie in another order than their blocks of memory. To release a million of them takes 300 ns each,
//! most of it waiting for memory and putting free blocks together; in the order of memory, 60 ns, this order included.
//!
//! Everything that is done for many parts stands in functions of its own: as parts of their callers, they took 37 KB of the
//! library, and evaluations of small objects 20 to 200 instructions.

use hcl_syntax::memory;

use super::Value;

/// Fewer parts lie in memory that is near anyway.
pub(crate) const MANY: usize = 1 << 12;

/// Parts are brought into so many stretches of memory, within which they may lie in any order.
const STRETCHES: usize = 1 << 8;

/// So many parts tell whether all are in order, and where most are.
const SAMPLES: usize = 1 << 4;

/// Where some of the parts are: `address` gives the place of the block of memory of a part, and 0 if it has none.
fn samples<T>(parts: &[T], address: impl Fn(&T) -> usize) -> [usize; SAMPLES] {
    samples_of(parts.len(), &|at| address(&parts[at]))
}

#[cold]
#[inline(never)]
fn samples_of(n: usize, address_at: &dyn Fn(usize) -> usize) -> [usize; SAMPLES] {
    std::array::from_fn(|i| address_at(i * (n / SAMPLES)))
}

/// Returns whether there are many parts, which lie in another order than their memory.
pub(crate) fn are_scattered<T>(parts: &[T], address: impl Fn(&T) -> usize) -> bool {
    parts.len() >= MANY && are_many_scattered(parts, address)
}

#[cold]
#[inline(never)]
fn are_many_scattered<T>(parts: &[T], address: impl Fn(&T) -> usize) -> bool {
    are_unsorted(&samples(parts, address))
}

#[cold]
#[inline(never)]
fn are_unsorted(samples: &[usize; SAMPLES]) -> bool {
    !samples.iter().filter(|&&at| at != 0).is_sorted()
}

/// Counts the parts of a value that has been made, if they are scattered.
pub(crate) fn count<T>(parts: &[T], address: impl Fn(&T) -> usize) {
    if parts.len() >= MANY {
        count_many(parts, address);
    }
}

#[cold]
#[inline(never)]
fn count_many<T>(parts: &[T], address: impl Fn(&T) -> usize) {
    if are_scattered(parts, address) {
        memory::count_scattered(parts.len().cast_signed());
    }
}

/// Brings the parts of a value that is released into the order of memory, and counts them no longer.
#[inline(never)]
pub(crate) fn release<T>(parts: &mut [T], address: impl Fn(&T) -> usize + Copy) {
    if are_scattered(parts, address) {
        memory::count_scattered(-parts.len().cast_signed());
        gather(parts, address);
    }
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
        Self::of_parts(if counts { parts.len() } else { 0 })
    }

    /// Parts that are shared one after the other, if they are scattered.
    pub(crate) fn of_shared<T>(parts: &[T], address: impl Fn(&T) -> usize) -> Self {
        Self::of_parts(if are_scattered(parts, address) { parts.len() } else { 0 })
    }

    /// The parts of these values, and of their parts, which are shared.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_values_shared(values: &[Value]) -> Self {
        let below = values.iter().flat_map(few_parts);
        let all = values.iter().chain(below).filter_map(Value::parts);
        Self::of_parts(all.filter(|parts| are_scattered(parts, Value::address)).map(<[Value]>::len).sum())
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
#[cold]
#[inline(never)]
pub(crate) fn gather<T>(parts: &mut [T], address: impl Fn(&T) -> usize) {
    if parts.len() >= MANY {
        let samples = samples(parts, &address);
        arrange(&samples, &mut (parts, address));
    }
}

/// Parts of which an order is made: one copy of the code does for all.
trait Parts {
    fn len(&self) -> usize;
    fn address(&self, at: usize) -> usize;
    fn swap(&mut self, a: usize, b: usize);
}

impl<T, F: Fn(&T) -> usize> Parts for (&mut [T], F) {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn address(&self, at: usize) -> usize {
        (self.1)(&self.0[at])
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }
}

#[cold]
#[inline(never)]
fn arrange(samples: &[usize; SAMPLES], parts: &mut dyn Parts) {
    let places = || samples.iter().filter(|&&at| at != 0);
    let (Some(first), Some(last)) = (places().min(), places().max()) else { return };
    if !are_unsorted(samples) {
        return;
    }
    // Others may lie before and behind.
    let margin = (last - first) / SAMPLES * 2;
    let (first, last) = (first.saturating_sub(margin), last.saturating_add(margin));
    let shift = (last - first).ilog2().saturating_sub(STRETCHES.ilog2() - 1);
    let stretch_of = |parts: &dyn Parts, at| {
        let place: usize = parts.address(at);
        (place.saturating_sub(first) >> shift).min(STRETCHES - 1)
    };
    let mut ends = [0_u32; STRETCHES];
    for at in 0..parts.len() {
        ends[stretch_of(parts, at)] += 1;
    }
    let mut starts = [0_u32; STRETCHES];
    let mut n_before = 0;
    for (start, end) in starts.iter_mut().zip(&mut ends) {
        *start = n_before;
        n_before += *end;
        *end = n_before;
    }
    for stretch in 0..STRETCHES {
        while starts[stretch] < ends[stretch] {
            let at = starts[stretch] as usize;
            let to = stretch_of(parts, at);
            if to != stretch {
                parts.swap(at, starts[to] as usize);
            }
            starts[to] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MANY, gather};

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
}
