//! Reads the conformance corpora.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::Path;

use serde_json::Value;

/// Two cases of `documents_bytes.jsonl` in which the reference takes a bad byte and what follows it for
/// an identifier; we report the first bad byte outside comments, whatever follows.
pub(crate) const BAD_NAMES: [&str; 2] = ["bytes/encoding/032", "bytes/encoding/037"];

/// The cases of a corpus, one a line.
pub(crate) fn cases(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The source of a case, which may be text or bytes.
pub(crate) fn source_of(case: &Value) -> Vec<u8> {
    case["source"]
        .as_str()
        .map_or_else(|| base64(case["source_base64"].as_str().unwrap()), |text| text.as_bytes().to_vec())
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut n_bits) = (0u32, 0);
    for digit in text.bytes().filter(|&digit| digit != b'=') {
        let value = ALPHABET.iter().position(|&known| known == digit).unwrap();
        bits = bits << 6 | u32::try_from(value).unwrap();
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push(u8::try_from(bits >> n_bits & 0xff).unwrap());
        }
    }
    bytes
}
