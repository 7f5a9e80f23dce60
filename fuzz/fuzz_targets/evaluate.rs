//! Bytes as an expression, prepared and once.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run("evaluate", bytes));
