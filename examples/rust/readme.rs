//! The README, so that its example is compiled and run as a test.
#![doc = include_str!("../../README.md")]
