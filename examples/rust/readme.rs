//! The README, so that its example is compiled and run as a test.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "the README links to folders, which mean something on the forge"
)]
#![doc = include_str!("../../README.md")]
