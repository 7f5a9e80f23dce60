//! The C interface of libhcl.
//!
//! Each exported function checks its pointers, converts what comes in, makes one call into `hcl-syntax` or
//! `hcl-eval` and converts what goes out. The meaning of HCL is not decided here. The rules that hold for all
//! functions stand at the top of `hcl.h` (`cbindgen.toml`); they are also the safety contract of every
//! `unsafe extern "C"` function: a pointer parameter is null or points to a live object of its type, an object
//! passed as non-`const` is used by nobody else, texts and structs are readable for the length that is said.
//!
//! `handle` holds every conversion of a pointer to a Rust object, `boundary` what keeps panics inside,
//! `extensible_struct` what lets structs grow.

#![expect(unsafe_code, reason = "the boundary to C: pointers come in and go out")]

mod allocator;
mod arrow;
mod body;
mod boundary;
mod builder;
mod capsule;
mod cells;
mod collection;
mod comparison;
mod complaint;
mod content;
mod context;
mod conversion;
mod cycle_detecting_lock;
mod definitions;
mod detail;
mod diagnostics;
mod document;
mod dynamic;
mod edits;
mod explain;
mod expression;
mod extensible_struct;
mod frame;
mod function;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod handle;
mod host;
mod json;
mod library;
mod limits;
mod mark;
#[cfg_attr(
    not(feature = "modules"),
    expect(
        dead_code,
        unused_variables,
        reason = "without modules nothing is loaded; constants are for the header"
    )
)]
mod module;
mod once;
mod place;
#[cfg(feature = "modules")]
mod products;
mod program;
mod reserve;
mod resolver;
mod rows;
mod schema;
mod scope;
mod source;
mod spec;
#[cfg_attr(not(unix), path = "stack_of_system.rs")]
mod stack;
mod start;
mod static_form;
mod status;
mod string;
mod sync;
mod system_host;
mod traversal;
mod try_lock;
mod types;
mod value;
mod version;
