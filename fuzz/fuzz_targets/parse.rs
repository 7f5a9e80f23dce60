//! Bytes as a configuration file.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run("parse", bytes));
