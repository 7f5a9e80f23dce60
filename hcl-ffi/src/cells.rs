//! The attributes of a body, evaluated in one call.

use hcl_eval::value::Value;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::memory;

use crate::body::{hcl_attr, hcl_body};
use crate::boundary::{Failure, Outcome, guard_with};
use crate::diagnostics::{check, check_evaluated, hcl_diags};
use crate::frame::{Each, evaluating_each, hcl_frame};
use crate::handle::{check_out, get, hand_out};
use crate::rows::{Store, cells_out, growth, hcl_cell};
use crate::status::hcl_status;
use crate::string::{array_in, hcl_buf, hcl_str, lent_text_in};

/// Evaluates attributes of a body by their names, each as `hcl_attr_eval` does, in one call: the cheapest way to read the
/// settings of a block.
///
/// `out_cells` takes one result for each of the `n_names` names: HCL_CELL_EMPTY where the body has no such attribute, else
/// what `hcl_eval_rows` gives. Texts and values in results are borrowed from `*buf`, which is owned.
///
/// An attribute that fails gets HCL_CELL_ERROR and the call goes on: HCL_OK means that all were gone through, and `*diags`
/// holds what was said about them. One that is there twice fails, in an object of JSON syntax and in several files read as one,
/// as it does for `hcl_body_content`. Each may use what the limits of the frame allow, and give 1,000 diagnostics, but the
/// deadline is that of the whole call, and so is max_memory for what the call holds of the allocator. HCL_ERR_LIMIT,
/// HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_CALLBACK, HCL_ERR_BUSY: one ended the call, as it ends `hcl_attr_eval`. Without
/// HCL_OK there is no `*buf`, and `out_cells` holds nothing of use. `frame` may be null, as for `hcl_attr_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_eval(
    body: *const hcl_body,
    names: *const hcl_str,
    n_names: usize,
    frame: *mut hcl_frame,
    out_cells: *mut hcl_cell,
    buf: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("buf", buf)?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?;
        // SAFETY: an array of the caller, readable as the interface asks.
        let names = unsafe { array_in("names", names, n_names) }?;
        // SAFETY: memory of the caller, writable as the interface asks.
        let cells = unsafe { cells_out(out_cells, n_names) }?;
        let mut store = Store::default();
        let mut all = |each: &mut Each<'_>| {
            read(body, each, said)?;
            for (index, (name, cell)) in names.iter().zip(cells.iter_mut()).enumerate() {
                // SAFETY: a text of the caller, readable as the interface asks.
                let name = unsafe { lent_text_in("names[]", name.ptr, name.len, || each.limits()) };
                let name = name.map_err(|failure| failure.of_element(index))?;
                if let Some(attr) = body.attribute(name) {
                    let first = said.len();
                    duplicates(body, name, each, said)?;
                    *cell = match said.len() > first {
                        true => hcl_cell::error(first),
                        false => evaluated(attr, each, &mut store, said)?,
                    };
                }
            }
            Ok(())
        };
        // SAFETY: null or live, by the contract of the interface.
        unsafe { evaluating_each(frame, &mut all) }?;
        let done = store.finish(cells);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(buf, done) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Makes the handles of a body within the limits.
fn read(body: &hcl_body, each: &mut Each<'_>, said: &mut Diagnostics) -> Outcome {
    if body.has_handles() {
        return Ok(());
    }
    let read = each.next(&mut |_, evaluation| {
        body.make_handles(evaluation.bounds());
        evaluation.tell_limit(body.missing_item(), said);
        check(said).map(|()| Value::TRUE)
    });
    read.map(|_| ())
}

/// Adds the complaints about several attributes of a name.
fn duplicates(body: &hcl_body, name: &str, each: &mut Each<'_>, said: &mut Diagnostics) -> Outcome {
    let mut duplicates = body.duplicates(name).peekable();
    if duplicates.peek().is_none() {
        return Ok(());
    }
    let most = each.limits().max_diagnostics as usize;
    keep(duplicates.take(most).cloned().collect(), each, said)
}

/// Adds what is said of an attribute, if there is memory for it.
fn keep(mut problems: Diagnostics, each: &mut Each<'_>, said: &mut Diagnostics) -> Outcome {
    if !problems.is_empty() {
        // The problems themselves may have taken much.
        each.check_memory(growth(said, problems.len()).max(size_of_val(&problems[..])))?;
        said.append(&mut problems);
    }
    Ok(())
}

/// The cell of an attribute. What is said of it is added to `said`.
fn evaluated(
    attr: &hcl_attr,
    each: &mut Each<'_>,
    store: &mut Store,
    said: &mut Diagnostics,
) -> Outcome<hcl_cell> {
    let first = said.len();
    let mut problems = Diagnostics::new();
    let result = each.next(&mut |scope, evaluation| {
        let (value, found) = attr.attribute().evaluate(scope, evaluation);
        problems = found;
        check_evaluated(&problems, evaluation).map(|()| value)
    });
    if memory::has_run_out() {
        // Values of further attributes, and diagnostics of them, would use up the reserve.
        return Err(hcl_status::HCL_ERR_MEMORY.into());
    }
    keep(problems, each, said)?;
    match result {
        Ok(value) => {
            each.check_memory(store.growth(&value))?;
            Ok(store.cell(value))
        }
        Err(Failure { status: hcl_status::HCL_ERR_DIAGNOSTICS, .. }) => Ok(hcl_cell::error(first)),
        Err(failure) => Err(failure),
    }
}
