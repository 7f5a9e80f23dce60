//! Explanations of this crate's diagnostics: cause and cure, with an example of each.
//!
//! The form of the texts is that of [`hcl_syntax::diagnostic::explain`].

use hcl_syntax::diagnostic::explain::{Explanation, read};

/// The codes of the diagnostics of modules.
///
/// ```
/// let codes: Vec<_> = hcl_module::codes::explanations().map(|told| told.code).collect();
/// assert!(codes.iter().any(|code| code.starts_with("module.")));
/// ```
pub fn explanations() -> impl Iterator<Item = Explanation<'static>> {
    read(include_str!("codes.md")).chain(read(include_str!("nomad/codes.md")))
}
