//! Bytes as a specification and a body.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run("decode", bytes));
