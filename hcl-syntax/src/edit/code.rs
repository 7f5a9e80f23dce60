//! The codes of the editor's diagnostics, each with its meaning in a line.

use crate::diagnostic::code::Code;

/// `hcl get a..b main.hcl`
pub(super) const ADDRESS: Code =
    Code { name: "edit.address", meaning: "An address is not written as addresses are." };

/// `hcl get taggs main.hcl, where only tags is`
pub(super) const NOT_FOUND: Code =
    Code { name: "edit.not_found", meaning: "An address names nothing in the document." };

/// `hcl rm ingress main.hcl, where there are two of them`
pub(super) const AMBIGUOUS: Code =
    Code { name: "edit.ambiguous", meaning: "An address names several places where one is to be changed." };

/// `hcl set ingress 1 main.hcl, where ingress is a block`
pub(super) const NO_VALUE: Code =
    Code { name: "edit.no_value", meaning: "What an address names has no value that could be replaced." };

/// `hcl set a '1 # one' main.hcl, where a stands in { a = 0 }`
pub(super) const REFUSED: Code =
    Code { name: "edit.refused", meaning: "A change would have left text that is no HCL." };

/// The codes of the editor's diagnostics.
pub const EDIT: &[Code] = &[ADDRESS, NOT_FOUND, AMBIGUOUS, NO_VALUE, REFUSED];
