//! The codes of problems between Rust values and HCL.

/// `port = "http"` for a field of type `u16`
pub(crate) const UNSUITABLE: &str = "serde.unsuitable_value";

/// `server {}` for a struct with a field that is not optional
pub(crate) const MISSING: &str = "serde.missing";

/// `prot = 80` for a struct that refuses unknown fields
pub(crate) const UNSUPPORTED_ARGUMENT: &str = "serde.unsupported_argument";

/// `tags {}` for a field that is a string
pub(crate) const UNSUPPORTED_BLOCK: &str = "serde.unsupported_block";

/// two `server {}` for a field that is one struct
pub(crate) const DUPLICATE_BLOCK: &str = "serde.duplicate_block";

/// `server {}` for a struct with a label
pub(crate) const LABELS: &str = "serde.labels";

/// a map with keys that are no texts
pub(crate) const UNSERIALIZABLE: &str = "serde.unserializable";
