//! Bytes as JSON syntax and JSON values, both ways.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run("json", bytes));
