//! Decoding: any specification with any body comes to a value or to diagnostics, the same each time.

use super::choices::Input;
use super::document::{body, spec};
use super::evaluate::{LIBRARIES, told};
use crate::decoded::Decoding;

/// Separates the specification from the body where the input is a text.
const SEPARATOR: u8 = 0;

/// The property.
pub(super) fn run(bytes: &[u8]) {
    let library = &LIBRARIES[2];
    let decoding = match Input::new(bytes) {
        Input::Text(text) => {
            let mut parts = text.splitn(2, |&byte| byte == SEPARATOR);
            let mut part = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
            let (spec, config) = (part(), part());
            let is_json = config.starts_with('{');
            Decoding::new(spec, config, is_json)
        }
        Input::Choices(mut choices) => {
            let (mut specification, mut config) = (String::new(), String::new());
            spec(&mut choices, 0, &mut specification);
            body(&mut choices, &library.functions, 0, &mut config);
            Decoding::new(specification, config, false)
        }
    };
    let outcome = || match decoding.outcome(&library.scope) {
        Ok((Some(value), diagnostics)) => told(&value, &diagnostics),
        Ok((None, diagnostics)) => format!("{diagnostics:?}"),
        Err(refused) => refused,
    };
    assert_eq!(outcome(), outcome(), "{decoding:?}");
}
