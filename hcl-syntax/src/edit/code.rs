//! The codes of the editor's diagnostics.

/// `hcl get a..b main.hcl`
pub(super) const ADDRESS: &str = "edit.address";

/// `hcl get taggs main.hcl, where only tags is`
pub(super) const NOT_FOUND: &str = "edit.not_found";

/// `hcl rm ingress main.hcl, where there are two of them`
pub(super) const AMBIGUOUS: &str = "edit.ambiguous";

/// `hcl set ingress 1 main.hcl, where ingress is a block`
pub(super) const NO_VALUE: &str = "edit.no_value";

/// `hcl set a '1 # one' main.hcl, where a stands in { a = 0 }`
pub(super) const REFUSED: &str = "edit.refused";

/// `hcl attr append a 1 main.hcl, where a is`
pub(super) const EXISTS: &str = "edit.exists";
