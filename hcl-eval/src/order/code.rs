//! The codes of problems with definitions that refer to each other, each with its meaning in a line.

use hcl_syntax::diagnostic::code::Code;

/// `a = local.b` and `b = local.a`
pub(crate) const CYCLE: Code =
    Code { name: "order.cycle", meaning: "Definitions need each other's values in a circle." };

/// `a = 1` in two files of a module
pub(crate) const DUPLICATE: Code = Code { name: "order.duplicate", meaning: "A name is defined twice." };

/// `a = keys(local)`
pub(crate) const WHOLE: Code = Code {
    name: "order.whole",
    meaning: "A definition refers to all definitions at once, so that nothing tells what it needs.",
};

/// All of them.
pub const ORDER: &[Code] = &[CYCLE, DUPLICATE, WHOLE];
