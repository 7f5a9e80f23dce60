//! Where the values of the root's variables come from.

use hcl_eval::Value;

/// A value for a variable of the root, or several.
#[derive(Clone, Debug)]
pub enum Given {
    /// A value.
    Value {
        /// The variable.
        name: String,
        /// Its value.
        value: Value,
    },
    /// A text as a command line has it: `NAME=TEXT`. Whether it is taken literally or as an expression depends on the
    /// variable's type.
    Assignment(String),
    /// A text that is the value, whatever the type.
    Text {
        /// The variable.
        name: String,
        /// Its value.
        text: String,
    },
    /// A file of values. Paths begin in the working directory.
    File(String),
}
