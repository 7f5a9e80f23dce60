//! What the codes of this crate's diagnostics mean: cause and cure, with an example of each.
//!
//! The form of the texts is that of [`hcl_syntax::diagnostic::explain`].

use hcl_syntax::diagnostic::explain::{Explanation, read};

/// The codes of the diagnostics of modules.
pub fn explanations() -> impl Iterator<Item = Explanation<'static>> {
    read(include_str!("codes.md")).chain(read(include_str!("nomad/codes.md")))
}
