//! The C interface of libhcl.
//!
//! Each exported function checks its pointers, converts what comes in, makes one call into `hcl-syntax`, `hcl-eval`, `hcl-module`
//! or `hcl-arrow`, and converts what goes out. The meaning of HCL is not decided here, and this is no library for Rust: a program
//! in Rust uses those crates. The rules that hold for all functions stand at the top of `hcl.h` (`cbindgen.toml`); they are also
//! the safety contract of every `unsafe extern "C"` function: a pointer parameter is null or points to a live object of its
//! type, an object passed as non-`const` is used by nobody else, texts and structs are readable for the length that is said.
//!
//! # A first program
//!
//! ```c
#![cfg_attr(doc, doc = include_str!("../../examples/c/first.c"))]
//! ```
//!
//! # Modules
//!
//! A file has a kind of handle, or a subject; `hcl-ffi/README.md` names all, `sections.md` says in which section of `hcl.h` their
//! functions stand.
//!
//! | to | look at |
//! |---|---|
//! | convert a pointer to a Rust object, or hand one out | `handle`; `string` for texts |
//! | keep panics inside, and make a status of a failure | `boundary`, `status`, `detail` |
//! | let structs of the interface grow | `extensible_struct` |
//! | find the functions for texts and trees | `source`, `expression`, `body`, `content`, `schema`, `document` |
//! | … for evaluation | `scope`, `program`, `frame`, `rows`, `arrow`, `limits` |
//! | … for values and types | `value`, `collection`, `builder`, `json`, `types`, `comparison`, `mark` |
//! | … for callbacks of the host | `function`, `resolver`, `host`; `cycle_detecting_lock` has one thread at a time inside |
//! | … for whole folders and files | `module`, `products`, `spec`, `definitions`, `dynamic` |
//! | see what stands in for the system | `allocator`, `reserve`, `stack`, `start` |
//!
//! # Features
//!
//! The header has all functions in any case. One whose feature is off answers `HCL_ERR_UNSUPPORTED`; the functions of HCL whose
//! family is off are unknown names. All are on by default.
//!
//! | feature | is |
//! |---|---|
//! | `functions` | all functions of the products; by family they are `hcl-eval/basics`, `hcl-eval/regex` … |
//! | `system-host` | `hcl_host_system` |
//! | `explain`, `conversion`, `dynamic`, `decoding`, `definitions`, `editing`, `modules`, `arrow` | `hcl_expr_explain`, `hcl_file_to_json`, `hcl_body_expand_dynamic`, `hcl_spec_…`, `hcl_definitions_…`, `hcl_document_…`, `hcl_module_…`, `hcl_eval_arrow` |
//! | `capi` | how cargo-c finds the package |

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
mod room;
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
