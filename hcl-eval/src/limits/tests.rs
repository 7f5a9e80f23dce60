//! Tests of meters: what is granted, what is refused, and what remains.

use std::time::Instant;

use hcl_syntax::memory;

use super::meter::{LONG, MANY};
use super::*;

#[test]
fn steps_are_counted_exactly() {
    for max_steps in [0, 1, 1023, 1024, 1025, 5000] {
        let mut meter = Meter::new(Limits { max_steps, ..Limits::default() });
        let taken = (0..10_000).take_while(|_| meter.step().is_ok()).count() as u64;
        assert_eq!(taken, max_steps);
        assert_eq!(meter.usage().steps, max_steps);
        assert_eq!(meter.step(), Err(LimitReached::Steps(max_steps)));
    }
}

#[test]
fn reading_ends_where_the_work_does_that_it_belongs_to() {
    let cancel = CancelToken::new();
    let deadline = Some(Instant::now());
    let limits = Limits { max_depth: 7, deadline, cancel: Some(cancel.clone()), ..Limits::default() };
    let reading = limits.of_reading();
    assert_eq!((reading.max_depth, reading.deadline), (7, deadline));
    cancel.trigger();
    assert!(reading.cancel.is_some_and(|cancel| cancel.is_triggered()));
}

#[test]
fn memory_is_what_elements_and_texts_take() {
    let mut meter = Meter::new(Limits { max_memory: 1000, ..Limits::default() });
    assert!(meter.elements(10).is_ok() && meter.bytes(60).is_ok());
    assert_eq!(meter.usage().memory, 300);
    assert_eq!(meter.bytes(701), Err(LimitReached::Memory(1000)));
    assert_eq!(meter.usage().memory, 300);
}

#[test]
fn bulk_charges_add_up() {
    let mut meter = Meter::new(Limits { max_steps: 10_000, ..Limits::default() });
    assert!(meter.steps(4_000).is_ok());
    assert!(meter.steps(6_000).is_ok());
    assert_eq!(meter.usage().steps, 10_000);
    assert!(meter.steps(1).is_err());
    for n in [10_001, 20_000, u64::MAX] {
        let mut meter = Meter::new(Limits { max_steps: 10_000, ..Limits::default() });
        assert_eq!(meter.steps(n), Err(LimitReached::Steps(10_000)));
        assert_eq!(meter.usage().steps, 10_000);
    }
    // Not a few at a time, which would take centuries.
    let mut meter = Meter::new(Limits { max_steps: u64::MAX / 2, ..Limits::default() });
    assert_eq!(meter.steps(u64::MAX), Err(LimitReached::Steps(u64::MAX / 2)));
    let mut meter = Meter::new(Limits { max_steps: u64::MAX, ..Limits::default() });
    assert!(meter.steps(u64::MAX / 2).is_ok() && meter.steps(u64::MAX / 2).is_ok());
    assert_eq!(meter.usage().steps, u64::MAX - 1);
}

#[test]
fn changing_the_bounds_does_not_change_what_was_used() {
    let mut meter = Meter::new(Limits::default());
    assert!(meter.elements(100).is_ok() && meter.bytes(10).is_ok());
    let used = meter.usage();
    *meter.limits_mut() = Limits { max_steps: 1, max_elements: 1, max_output_bytes: 1, ..Limits::default() };
    assert_eq!(meter.usage(), used);
    meter.reset();
    assert_eq!(meter.usage(), Usage::default());
}

#[test]
fn a_cancelled_meter_stops_soon() {
    let cancel = CancelToken::new();
    let mut meter = Meter::new(Limits { cancel: Some(cancel.clone()), ..Limits::default() });
    assert!(meter.step().is_ok());
    cancel.trigger();
    let taken = (0..10_000).take_while(|_| meter.step().is_ok()).count();
    assert!(taken <= 1024);
    assert_eq!(meter.stopped(), Some(LimitReached::Cancelled));
    meter.reset();
    assert_eq!(meter.step(), Err(LimitReached::Cancelled));
}

fn size(n: u64) -> usize {
    usize::try_from(n).expect("small")
}

/// The smallest bound on memory within which a charge is granted.
fn least(charge: impl Fn(&mut Meter) -> Result<(), LimitReached>) -> u64 {
    let is_granted = |max_memory| charge(&mut Meter::new(Limits { max_memory, ..Limits::default() })).is_ok();
    let (mut least, mut granted) = (0_u64, 1 << 30);
    while least < granted {
        let middle = least.midpoint(granted);
        if is_granted(middle) { granted = middle } else { least = middle + 1 }
    }
    granted
}

#[test]
fn what_is_put_together_and_then_copied_needs_room_for_both() {
    for (n, needed) in
        [(0, 0), (1, 1), (63, 63), (LONG - 1, LONG - 1), (LONG, 2 * LONG), (LONG + 1, 2 * LONG + 2)]
    {
        assert_eq!(least(|meter| meter.bytes(size(n))), needed, "{n} bytes");
    }
    for (n, needed) in [(0, 0), (1, 1), (MANY - 1, MANY - 1), (MANY, 2 * MANY), (MANY + 1, 2 * MANY + 2)] {
        assert_eq!(least(|meter| meter.room(size(n))), needed * ELEMENT_BYTES, "{n} elements");
    }
}

#[test]
fn the_last_byte_and_the_last_element_are_granted() {
    let limits = Limits { max_output_bytes: 1000, max_elements: 10, ..Limits::default() };
    let mut meter = Meter::new(limits);
    assert!(meter.bytes(63).is_ok() && meter.usage().steps == 0);
    assert!(meter.bytes(64).is_ok() && meter.usage().steps == 1);
    assert!(meter.bytes(873).is_ok() && meter.usage().steps == 14);
    assert!(meter.room(4).is_ok() && meter.room(6).is_ok());
    assert_eq!((meter.bytes_left(), meter.elements_left()), (0, 0));
    assert_eq!(meter.bytes(1), Err(LimitReached::OutputBytes(1000)));
    meter.reset();
    assert!(meter.room(10).is_ok());
    assert_eq!(meter.room(1), Err(LimitReached::Elements(10)));
}

#[test]
#[cfg(feature = "basics")]
fn a_list_that_is_full_needs_room_to_grow() {
    let mut list = Vec::<u64>::new();
    assert_eq!(least(|meter| meter.hold_push(&list)), 0);
    list.reserve_exact(5);
    let n_room = list.capacity();
    list.resize(n_room - 1, 0);
    assert_eq!(least(|meter| meter.hold_push(&list)), 0);
    list.push(0);
    assert_eq!(least(|meter| meter.hold_push(&list)), 3 * 8 * n_room as u64);
}

#[test]
fn a_text_that_grows_needs_room() {
    assert_eq!(least(|meter| meter.hold_text(10)), 10);
    for (more, needed) in [(0, 0), (1, 1000), (1000, 1000), (1001, 1001)] {
        let held = least(|meter| {
            meter.text = "x".repeat(1000);
            meter.hold_text(more)
        });
        assert_eq!(held, needed, "{more} bytes");
    }
}

#[test]
fn what_is_kept_between_evaluations_counts_until_the_limits_change() {
    let before = memory::held();
    let mut meter = Meter::new(Limits { max_memory: 1000, ..Limits::default() });
    memory::count(300);
    meter.keep_since(before);
    meter.reset();
    assert_eq!(meter.bytes_left(), 700);
    assert!(meter.hold(700).is_ok() && meter.hold(701).is_err());
    meter.limits_mut().max_memory = 2000;
    meter.keep_since(before);
    meter.reset();
    assert_eq!(meter.bytes_left(), 1700);
    assert!(meter.hold(1700).is_ok() && meter.hold(1701).is_err());
    meter.limits_mut().max_memory = 2000;
    meter.reset();
    assert!(meter.hold(2000).is_ok() && meter.hold(2001).is_err());
    memory::count(-300);
}
