//! Bytes as a configuration file.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run_one_of_parse(bytes));
