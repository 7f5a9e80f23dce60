//! Bytes as a template.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl_tests::fuzz::run("template", bytes));
