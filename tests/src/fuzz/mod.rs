//! Properties that hold for every input, as functions of bytes: `make fuzz` looks for bytes that break one.
//!
//! A target panics where its property is broken. [`TARGETS`] names them; `fuzz/` runs each under libFuzzer, and the test
//! `fuzz` repeats all inputs in `fuzz/regressions`. The interface of C has its target in `hcl-ffi/src/fuzz.rs`.
//!
//! An input is a text, or it decides about a text that a grammar writes ([`choices`]): the first byte says which.

mod choices;
mod decode;
mod document;
mod evaluate;
mod expression;
mod json;
mod parse;
mod template;

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A property of bytes.
#[derive(Copy, Clone, Debug)]
pub struct Target {
    /// The name of the program in `fuzz/`, and of its folder of inputs.
    pub name: &'static str,
    /// Panics where the property is broken.
    pub run: fn(&[u8]),
}

/// All properties but that of the C interface.
pub const TARGETS: [Target; 5] = [
    Target { name: "parse", run: parse::run },
    Target { name: "json", run: json::run },
    Target { name: "evaluate", run: evaluate::run },
    Target { name: "template", run: template::run },
    Target { name: "decode", run: decode::run },
];

/// Runs the target of a name; panics if there is none.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a known target").run)(bytes);
}

/// Runs one of the properties of reading native syntax, which the length of the input decides about: an execution takes a
/// sixth of the time that all of them take, so that the fuzzer tries more inputs.
pub fn run_one_of_parse(bytes: &[u8]) {
    parse::run_one(bytes);
}

/// The inputs that once broke a property, or come near to it, by name.
///
/// # Errors
/// A file can't be read.
pub fn regressions(target: &str) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions").join(target);
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        inputs.push((path.clone(), fs::read(path)?));
    }
    inputs.sort();
    Ok(inputs)
}
