//! How a result came about, as text and as JSON.

use hcl_syntax::diagnostic::Diagnostics;

use crate::boundary::{Failure, guard_with};
use crate::diagnostics::hcl_diags;
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::frame::hcl_frame;
use crate::handle::{check_out, get, hand_out};
use crate::status::hcl_status;
use crate::string::hcl_buf;

/// `hcl_explain_opts.flags`: JSON instead of text.
pub const HCL_EXPLAIN_JSON: u32 = 1;
/// `hcl_explain_opts.flags`: text with colour by ANSI escape sequences.
pub const HCL_EXPLAIN_COLOR: u32 = 2;

/// How an evaluation is explained. Set `size` to `sizeof(hcl_explain_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub struct hcl_explain_opts {
    /// `sizeof(hcl_explain_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_EXPLAIN_…`, joined by `|`.
    pub flags: u32,
    /// How wide text may become, in columns; 0 for 100.
    pub width: u32,
    /// How many steps are shown, the others are counted; 0 for 2000.
    pub max_steps: u32,
    /// How deep steps may nest; 0 for 64, at most 500.
    pub max_depth: u32,
    /// How many elements of a `for` or a splat are shown, the others are counted; 0 for 3.
    pub max_elements: u32,
    /// Not used; zero.
    pub reserved: u32,
}

/// Evaluates an expression once, as `hcl_expr_eval` does, and tells how its value came about: every subexpression with
/// its value and place, the variables and functions, which branch was taken and why. Values marked "sensitive" or
/// "ephemeral" are redacted. `opts` may be null for the defaults.
///
/// HCL_OK: `*out` is owned, also when the evaluation failed or was stopped, which is then part of what is told; why is in
/// `*diags`.
/// HCL_ERR_ARGUMENT: a null pointer or an unknown flag. HCL_ERR_BUSY: the frame is in use. HCL_ERR_UNSUPPORTED: the
/// library was built without it. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_explain(
    expr: *const hcl_expr,
    frame: *mut hcl_frame,
    opts: *const hcl_explain_opts,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        // SAFETY: as above; the state is reached only through `with`.
        let frame = unsafe { get("frame", frame.cast_const()) }?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let opts: hcl_explain_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if opts.flags & !(HCL_EXPLAIN_JSON | HCL_EXPLAIN_COLOR) != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        let text = frame.with(|state| told::result(state, expr, &opts, said))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

#[cfg(feature = "explain")]
pub(crate) mod told {
    use hcl_eval::explain::{ExplainOptions, TextOptions};
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::diagnostic::render::RenderOptions;

    use super::{HCL_EXPLAIN_COLOR, HCL_EXPLAIN_JSON, hcl_explain_opts};
    use crate::boundary::Outcome;
    use crate::expression::hcl_expr;
    use crate::frame::FrameState;
    use crate::status::hcl_status;

    pub(super) fn result(
        state: &mut FrameState,
        expr: &hcl_expr,
        opts: &hcl_explain_opts,
        said: &mut Diagnostics,
    ) -> Outcome<String> {
        let (frame, explanation) = state.explain(expr.expression(), &opts.bounds(), said);
        Ok(match opts.flags & HCL_EXPLAIN_JSON {
            0 => explanation.to_text_within(&opts.text(), frame, said),
            _ => explanation.to_json_within(frame, said),
        })
    }

    pub(crate) fn code(code: &str) -> Outcome<String> {
        let told = hcl_eval::codes::explain(code).ok_or(hcl_status::HCL_ERR_NOT_FOUND)?;
        let mut text = String::new();
        told.render(&RenderOptions::default(), &mut text);
        Ok(text)
    }

    impl hcl_explain_opts {
        fn bounds(&self) -> ExplainOptions {
            let default = ExplainOptions::default();
            let or = |given: u32, default: usize| if given == 0 { default } else { given as usize };
            ExplainOptions {
                max_steps: or(self.max_steps, default.max_steps),
                max_depth: or(self.max_depth, default.max_depth),
                max_elements: or(self.max_elements, default.max_elements),
            }
        }

        fn text(&self) -> TextOptions {
            let default = TextOptions::default();
            let width = if self.width == 0 { default.width } else { self.width as usize };
            TextOptions { color: self.flags & HCL_EXPLAIN_COLOR != 0, width }
        }
    }
}

/// A build that has nothing to tell.
#[cfg(not(feature = "explain"))]
pub(crate) mod told {
    use hcl_syntax::diagnostic::Diagnostics;

    use super::hcl_explain_opts;
    use crate::boundary::Outcome;
    use crate::expression::hcl_expr;
    use crate::frame::FrameState;
    use crate::status::hcl_status;

    pub(super) fn result(
        _: &mut FrameState,
        _: &hcl_expr,
        _: &hcl_explain_opts,
        _: &mut Diagnostics,
    ) -> Outcome<String> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    pub(crate) fn code(_: &str) -> Outcome<String> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }
}
