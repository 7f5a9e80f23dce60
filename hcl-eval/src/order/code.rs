//! The codes of problems with definitions that refer to each other.

/// `a = local.b` and `b = local.a`
pub(crate) const CYCLE: &str = "order.cycle";

/// `a = 1` in two files of a module
pub(crate) const DUPLICATE: &str = "order.duplicate";

/// `a = keys(local)`
pub(crate) const WHOLE: &str = "order.whole";
