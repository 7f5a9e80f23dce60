//! The codes of problems between Rust values and HCL, each with its meaning in a line.

use hcl_syntax::diagnostic::code::Code;

/// `port = "http"` for a field of type `u16`
pub(crate) const UNSUITABLE: Code =
    Code { name: "serde.unsuitable_value", meaning: "A value does not fit the type of the host's field." };

/// `server {}` for a struct with a field that is not optional
pub(crate) const MISSING: Code =
    Code { name: "serde.missing", meaning: "An argument or block that the host's type needs is not there." };

/// `prot = 80` for a struct that refuses unknown fields
pub(crate) const UNSUPPORTED_ARGUMENT: Code =
    Code { name: "serde.unsupported_argument", meaning: "The host's type has no field of that name." };

/// `tags {}` for a field that is a string
pub(crate) const UNSUPPORTED_BLOCK: Code = Code {
    name: "serde.unsupported_block",
    meaning: "The host's type has no field for blocks of that type, or one that wants an argument.",
};

/// two `server {}` for a field that is one struct
pub(crate) const DUPLICATE_BLOCK: Code = Code {
    name: "serde.duplicate_block",
    meaning: "There are several blocks where the host's type has one.",
};

/// `server {}` for a struct with a label
pub(crate) const LABELS: Code =
    Code { name: "serde.labels", meaning: "A block has more or fewer labels than the host's type asks for." };

/// a map with keys that are no texts
pub(crate) const UNSERIALIZABLE: Code =
    Code { name: "serde.unserializable", meaning: "A Rust value can't be written as an HCL value." };

/// All of them.
pub const SERDE: &[Code] =
    &[UNSUITABLE, MISSING, UNSUPPORTED_ARGUMENT, UNSUPPORTED_BLOCK, DUPLICATE_BLOCK, LABELS, UNSERIALIZABLE];
