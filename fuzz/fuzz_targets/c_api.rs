//! Bytes as sequences of calls of the C interface.

#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hcl::fuzz::calls(bytes));
