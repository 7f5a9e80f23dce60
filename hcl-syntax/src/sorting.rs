//! Sorting with one copy of the standard library's sort for all types, which takes a tenth of the room that a copy for
//! each would take. Places are sorted instead of what is there, which is then put where it belongs: best by taking
//! one after the other from its place, for rings of swaps wait for memory at every step.

use std::cmp::Ordering;
use std::convert::Infallible;

/// So many are sorted by insertion.
const FEW: usize = 12;

/// Sorts; what compares as equal stays in order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() > FEW {
        let mut places = sorted_places(items.len(), &|a, b| compare(&items[a], &items[b]));
        arrange(&mut places, |a, b| items.swap(a, b));
        return;
    }
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && compare(&items[at], &items[at - 1]) == Ordering::Less {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts by the order that things have themselves; what is equal stays in order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, Ord::cmp);
}

/// The places of so many things in the order of the things.
pub fn sorted_places(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    sort_many(&mut places, compare);
    places
}

/// So many things are sorted without a look at the clock.
const RUN: usize = 4096;

/// To compare so many bytes is as much work as to look at a thing.
const BYTES_PER_THING: usize = 64;

/// [`sorted_places`] that can be given up: `go_on` is told of how much is looked at next. The things have texts of so many bytes
/// together.
///
/// # Errors
/// The first that `go_on` gives.
pub fn sorted_places_on<E>(
    n: usize,
    n_bytes: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
    go_on: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut error = None;
    let mut goes_on = |n| go_on(n).map_err(|problem| error = Some(problem)).is_ok();
    let places = merged_places(n, n_bytes, compare, &mut goes_on);
    error.map_or(Ok(places), Err)
}

/// [`sorted_places_on`], of which there is one copy for all errors; not in order if the work does not go on.
fn merged_places(
    n: usize,
    n_bytes: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
    goes_on: &mut dyn FnMut(usize) -> bool,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    // Each comparison takes one thing further, and is no longer than that: on average a comparison has this weight at most.
    let weight = 1 + n_bytes / n.max(1) / BYTES_PER_THING;
    let run_length = (RUN / weight).max(1);
    for run in places.chunks_mut(run_length) {
        if !goes_on(run.len() * weight) {
            return places;
        }
        sort_many(run, compare);
    }
    let mut length = run_length;
    while length < n {
        let mut merged = Vec::with_capacity(n);
        for pair in places.chunks(length.saturating_mul(2)) {
            let (mut left, mut right) = pair.split_at(length.min(pair.len()));
            while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
                if !goes_on(weight) {
                    return places;
                }
                if compare(*b, *a) == Ordering::Less {
                    merged.push(*b);
                    right = right_rest;
                } else {
                    merged.push(*a);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        places = merged;
        length = length.saturating_mul(2);
    }
    places
}

/// [`sort_by`] that can be given up: `go_on` is told of how much is looked at next.
///
/// # Errors
/// The first that `go_on` gives.
pub fn sort_by_on<T, E>(
    items: &mut [T],
    compare: impl Fn(&T, &T) -> Ordering,
    go_on: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    sort_texts_on(items, |_| 0, compare, go_on)
}

/// [`sort_by_on`] of things with texts that are compared, each of so many bytes or fewer.
///
/// # Errors
/// The first that `go_on` gives.
pub fn sort_texts_on<T, E>(
    items: &mut [T],
    n_bytes: impl Fn(&T) -> usize,
    compare: impl Fn(&T, &T) -> Ordering,
    mut go_on: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    if items.len() <= RUN && items.iter().all(|item| n_bytes(item) <= BYTES_PER_THING) {
        go_on(items.len())?;
        sort_by(items, compare);
        return Ok(());
    }
    let n_bytes = items.iter().map(n_bytes).fold(0, usize::saturating_add);
    let mut places =
        sorted_places_on(items.len(), n_bytes, &|a, b| compare(&items[a], &items[b]), &mut go_on)?;
    arrange_on(&mut places, |a, b| {
        items.swap(a, b);
        go_on(1)
    })
}

/// Brings places, which are in order, into the order of the things there.
pub fn sort_places(places: &mut [usize], compare: impl Fn(usize, usize) -> Ordering) {
    if places.len() > FEW {
        return sort_many(places, &compare);
    }
    for end in 1..places.len() {
        let (mut at, place) = (end, places[end]);
        while at > 0 && compare(place, places[at - 1]) == Ordering::Less {
            places[at] = places[at - 1];
            at -= 1;
        }
        places[at] = place;
    }
}

fn sort_many(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|&a, &b| compare(a, b));
}

/// Puts at each place what is at the place that `places` names, one ring of places after the other.
pub fn arrange(places: &mut [usize], mut swap: impl FnMut(usize, usize)) {
    let done = arrange_on(places, |a, b| {
        swap(a, b);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = done;
}

/// [`arrange`] until a swap gives an error.
///
/// # Errors
/// That of the swap.
fn arrange_on<E>(places: &mut [usize], mut swap: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
    for start in 0..places.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == start || from == at {
                break;
            }
            swap(at, from)?;
            at = from;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_order_is_that_of_the_standard_library() {
        let mut state = 1_u64;
        for n in 0..200_usize {
            let mut items: Vec<(u64, usize)> = (0..n)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 33) % (n as u64 / 2 + 1), place)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            assert_eq!(items, expected);
            items.reverse();
            sort(&mut items);
            assert_eq!(items, expected, "{n}");
        }
    }

    #[test]
    fn a_sort_that_can_be_given_up_is_the_same() {
        for n in [0, 1, RUN - 1, RUN, RUN + 1, 3 * RUN, 5 * RUN + 7] {
            let items: Vec<(usize, usize)> = (0..n).map(|i| (i * 7919 % 1009, i)).collect();
            let (mut sorted, mut expected) = (items.clone(), items.clone());
            expected.sort_by_key(|(key, _)| *key);
            let done = sort_by_on(&mut sorted, |a, b| a.0.cmp(&b.0), |_| Ok::<(), ()>(()));
            assert_eq!((done, &sorted), (Ok(()), &expected), "{n}");
            let mut left = n / 2;
            let given_up: Result<(), ()> = sort_by_on(
                &mut sorted,
                |a, b| b.0.cmp(&a.0),
                |n| {
                    left = left.checked_sub(n).ok_or(())?;
                    Ok::<(), ()>(())
                },
            );
            assert_eq!(given_up.is_err(), n > 0, "{n}");
        }
    }

    #[test]
    fn texts_that_are_long_are_compared_with_looks() {
        for n in [FEW, 50, 300] {
            let mut items: Vec<String> = (0..n).map(|i| format!("{:50000}{:03}", "", i * 7 % n)).collect();
            let (n_compared, told) = (Cell::new(0), Cell::new(0));
            let mut most = 0;
            let compare = |a: &String, b: &String| {
                n_compared.set(n_compared.get() + 1);
                a.cmp(b)
            };
            let done = sort_texts_on(&mut items, String::len, compare, |n| {
                told.set(told.get() + n);
                most = most.max(n_compared.take());
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
            assert!(items.is_sorted(), "{n}");
            assert!(most <= 12 && told.get() > n * RUN / 8, "{n}: {most} comparisons without a look");
        }
    }
}
