//! Programs: expressions compiled once against a scope, evaluated many times.

use std::sync::Arc;

use hcl_eval::program::{CompileOptions, Program};
use hcl_syntax::memory;

use crate::boundary::{Failure, guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::expression::hcl_expr;
use crate::handle::{check_out, get, hand_out_counted, put, release_counted, share};
use crate::scope::hcl_scope;
use crate::status::hcl_status;

/// An expression compiled against a scope. Immutable; evaluate it on any number of threads, each with a frame of
/// its own. Counted: `hcl_program_ref`. Release with `hcl_program_free`.
#[derive(Debug)]
pub struct hcl_program {
    program: Program,
}

impl hcl_program {
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }
}

/// `hcl_program_compile`: gives the program also when a name or function is not known. Evaluations that come across
/// it fail then, those that don't go well.
pub const HCL_COMPILE_PARTIAL: u32 = 1;
/// `hcl_program_compile`: computes nothing beforehand, and calls no function of the host.
pub const HCL_COMPILE_NO_FOLDING: u32 = 2;

/// Compiles an expression against a sealed scope: names become slots and constants, functions are looked up, what is
/// constant is computed, within narrow limits. `flags` are `HCL_COMPILE_…`, joined by `|`. The program keeps what it
/// needs of both.
///
/// HCL_ERR_DIAGNOSTICS: a name or function is not known; `*out` is written only with `HCL_COMPILE_PARTIAL`.
/// HCL_ERR_ARGUMENT: a null pointer, an unknown flag, or the scope is not sealed. `*out` is owned; `diags` as for
/// `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_program_compile(
    expr: *const hcl_expr,
    scope: *const hcl_scope,
    flags: u32,
    out: *mut *mut hcl_program,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<_>| {
        check_out("out", out)?;
        if flags & !(HCL_COMPILE_PARTIAL | HCL_COMPILE_NO_FOLDING) != 0 {
            return Err(Failure::unknown_flag("flags"));
        }
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        // SAFETY: as above.
        let scope = unsafe { get("scope", scope) }?.sealed("scope")?;
        let mut options = CompileOptions::default();
        if flags & HCL_COMPILE_NO_FOLDING != 0 {
            options.limits.max_steps = 0;
        }
        let (program, diagnostics) =
            Program::compile(expr.tree().clone(), expr.id(), Arc::clone(scope), &options);
        if memory::has_run_out() {
            return Err(hcl_status::HCL_ERR_MEMORY.into());
        }
        *said = diagnostics;
        let outcome = check(said);
        if outcome.is_ok() || flags & HCL_COMPILE_PARTIAL != 0 {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out_counted(out, hcl_program { program }) };
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The number of slots that a program reads. Null counts as none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_program_needs_count(program: *const hcl_program) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { program.as_ref() }.map_or(0, |program| program.program.needs().len()))
}

/// The slot that comes at `index` among those a program reads, in ascending order; `SIZE_MAX` when there are not that
/// many. A host fills only these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_program_needs_at(program: *const hcl_program, index: usize) -> usize {
    guard_or(usize::MAX, || {
        // SAFETY: null or live, by the contract of the interface.
        let slot = unsafe { program.as_ref() }.and_then(|program| program.program.needs().get(index));
        slot.copied().unwrap_or(usize::MAX)
    })
}

/// Another owned handle to the same program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_program_ref(
    program: *const hcl_program,
    out: *mut *mut hcl_program,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface, and counted.
        let another = unsafe { share("program", program) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, another) };
        Ok(())
    })
}

/// Releases a handle. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_program_free(program: *mut hcl_program) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release_counted(program) });
}
