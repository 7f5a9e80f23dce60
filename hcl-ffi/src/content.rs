//! Reading bodies by schema.

use std::sync::Arc;

use hcl_eval::dynamic::{Body, Content, Needed, VariableWalk};
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression, push_within};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::schema::NestedSchema;

use crate::body::hcl_body;
use crate::boundary::{Failure, Outcome, guard, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::frame::{evaluating, hcl_frame};
use crate::handle::{check_out, get, hand_out};
use crate::room::ask_for;
use crate::schema::hcl_schema;
use crate::status::hcl_status;
use crate::string::array_in;
use crate::traversal::hcl_traversals;

/// `hcl_body_content`: what the schema does not ask for is no error; it can be had as `*rest`.
pub const HCL_CONTENT_PARTIAL: u32 = 1;
/// `hcl_body_content`, `hcl_body_just_attributes`: give what could be read also when there are errors.
pub const HCL_CONTENT_WITH_ERRORS: u32 = 2;

/// Reads a body by schema: what the schema asks for, as far as it is there, and complaints about what is missing, and
/// about everything else unless `HCL_CONTENT_PARTIAL` is among the flags.
///
/// `*content` is an owned body with just these attributes and blocks, each in the order of the source; it is looked at
/// with `hcl_body_attr_…` and `hcl_body_block_…`, and reading it again by schema gives HCL_ERR_TYPE. The bodies of its
/// blocks have not been read: they are read by schemas of their own, those of native syntax can also be looked at as they
/// are. `*rest`, which may be null and is null without `HCL_CONTENT_PARTIAL`, is an owned body of what the schema did not
/// ask for, for other readers.
///
/// `frame` is used where `dynamic` blocks are expanded (`hcl_body_expand_dynamic`): it must be of the scope given
/// there. It may be null; then slots are empty and the default limits hold.
///
/// HCL_ERR_DIAGNOSTICS: the body is not as the schema wants it; `*content` and `*rest` are written only with
/// `HCL_CONTENT_WITH_ERRORS`. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`; more than
/// 1,000 problems are HCL_ERR_LIMIT, too. The content is not all of it then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_content(
    body: *const hcl_body,
    schema: *const hcl_schema,
    flags: u32,
    frame: *mut hcl_frame,
    content: *mut *mut hcl_body,
    rest: *mut *mut hcl_body,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("content", content)?;
        let partial = flags & HCL_CONTENT_PARTIAL != 0;
        if flags & !(HCL_CONTENT_PARTIAL | HCL_CONTENT_WITH_ERRORS) != 0 {
            return Err(Failure::unknown_flag("flags"));
        }
        if !rest.is_null() && !partial {
            return Err(Failure::argument("rest", "is given without HCL_CONTENT_PARTIAL."));
        }
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?.unread()?;
        // SAFETY: as above.
        let schema = &unsafe { get("schema", schema) }?.schema().body;
        let read = |_: Option<&Arc<Scope>>, evaluation: &mut Evaluation<'_>| {
            let (content, rest, mut problems) = if partial {
                let (content, rest, problems) = body.partial_content(schema, evaluation);
                (content, Some(rest), problems)
            } else {
                let (content, problems) = body.content(schema, evaluation);
                (content, None, problems)
            };
            let content = hcl_body::content(body.clone(), content, evaluation.bounds());
            evaluation.tell_limit(body.missing_item(), &mut problems);
            (content, rest, problems)
        };
        // SAFETY: passed on.
        let (found, left, problems) = unsafe { reading(body, frame, read) }?;
        *said = problems;
        let outcome = check(said);
        if outcome.is_ok() || flags & HCL_CONTENT_WITH_ERRORS != 0 {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out(content, found) };
            if let Some(left) = left.filter(|_| !rest.is_null()) {
                // SAFETY: as above.
                unsafe { hand_out(rest, hcl_body::new(left)) };
            }
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Runs `read` with a frame that fits the body, or with none.
///
/// # Safety
/// `frame` is null or live.
pub(crate) unsafe fn reading<T>(
    body: &Body,
    frame: *mut hcl_frame,
    read: impl FnOnce(Option<&Arc<Scope>>, &mut Evaluation<'_>) -> T,
) -> Outcome<T> {
    let wanted = body.expansion().and_then(|expansion| expansion.scope());
    // SAFETY: passed on.
    unsafe {
        evaluating(frame, |scope, evaluation| match (scope, wanted) {
            (Some(scope), Some(wanted)) if !Arc::ptr_eq(scope, wanted) => {
                Err(Failure::argument("frame", "belongs to another scope than the expansion of the body."))
            }
            _ => Ok(read(scope, evaluation)),
        })
    }
}

/// All attributes of a body that should have no blocks: `*content` is an owned body with them, as by `hcl_body_content`.
/// In JSON syntax every property is an attribute. `flags` is 0 or `HCL_CONTENT_WITH_ERRORS`.
///
/// HCL_ERR_DIAGNOSTICS: there is a block, or what should be an object is none. HCL_ERR_LIMIT: there are more than 1,000
/// problems, or the body takes more memory than the default of `hcl_limits`. The content is not all of it then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_just_attributes(
    body: *const hcl_body,
    flags: u32,
    content: *mut *mut hcl_body,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("content", content)?;
        if flags & !HCL_CONTENT_WITH_ERRORS != 0 {
            return Err(Failure::unknown_flag("flags"));
        }
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?.unread()?;
        let mut evaluation = Evaluation::new(&EvalOptions::default());
        let (attributes, mut problems) = body.just_attributes_within(evaluation.bounds());
        let found = Content { attributes: attributes.into_iter().collect(), ..Content::default() };
        let found = hcl_body::content(body.clone(), found, evaluation.bounds());
        evaluation.tell_limit(body.missing_item(), &mut problems);
        *said = problems;
        let outcome = check(said);
        if outcome.is_ok() || flags != 0 {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out(content, found) };
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Several bodies read as one, in the order given: an attribute may be set in one of them only, what a schema requires
/// may be in any. `bodies` are `n_bodies` pointers; native and JSON syntax may be mixed. `*out` is owned, and keeps what it
/// needs.
///
/// Merging comes first: HCL_ERR_TYPE if one of them is what `hcl_body_content` gave, or has its `dynamic` blocks
/// expanded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_merge(
    bodies: *const *const hcl_body,
    n_bodies: usize,
    out: *mut *mut hcl_body,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: that many pointers, by the contract of the interface.
        let merged = ConfigBody::merged(unsafe { written(bodies, n_bodies) }?);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_body::new(Body::from(merged))) };
        Ok(())
    })
}

/// How much memory a body takes that is merged with others: in a list, in a longer one while that grows, and where they stay.
const BYTES_OF_MERGED: usize = 4 * size_of::<ConfigBody>();

/// The bodies as they are written.
///
/// # Safety
/// `bodies` points to `n_bodies` pointers to live bodies.
unsafe fn written(bodies: *const *const hcl_body, n_bodies: usize) -> Outcome<Vec<ConfigBody>> {
    // SAFETY: passed on.
    let bodies = unsafe { array_in("bodies", bodies, n_bodies) }?;
    ask_for(bodies.len(), BYTES_OF_MERGED)?;
    let one = |&body: &*const hcl_body| {
        // SAFETY: null or live, by contract.
        let body = unsafe { get("bodies[]", body) }?.unread()?;
        if body.expansion().is_some() {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        }
        Ok(body.written().clone())
    };
    let numbered = |(index, body)| one(body).map_err(|failure: Failure| failure.of_element(index));
    bodies.iter().enumerate().map(numbered).collect()
}

/// `hcl_body_variables`, `hcl_spec_variables`: only those that expanding `dynamic` blocks needs: of `for_each` and
/// `labels`.
pub const HCL_VARIABLES_FOR_EXPANSION: u32 = 1;

/// Reads `flags`.
pub(crate) fn needed(flags: u32) -> Outcome<Needed> {
    match flags {
        0 => Ok(Needed::ForAll),
        HCL_VARIABLES_FOR_EXPANSION => Ok(Needed::ForExpansion),
        _ => Err(Failure::unknown_flag("flags")),
    }
}

/// The variables of all that a schema asks for in a body and in its blocks, found without evaluating anything: those of a
/// body's attributes before those of its blocks, else in the order of the source. Where `dynamic` blocks are to be
/// expanded they are looked into, and their iterators are left out. `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. What
/// is wrong with the body is not said here. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_variables(
    body: *const hcl_body,
    schema: *const hcl_schema,
    flags: u32,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        let needed = needed(flags)?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?.unread()?;
        // SAFETY: as above.
        let schema = unsafe { get("schema", schema) }?.schema();
        let walk = VariableWalk::new(body, needed);
        let found = hcl_traversals::find(|meter| variables(walk, schema, meter))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, found) };
        Ok(())
    })
}

/// The variables of a body and of the bodies in it. A level is done before those inside it, which wait in a list.
fn variables(start: VariableWalk, schema: &NestedSchema, bounds: &mut dyn Bounds) -> Vec<ConfigExpression> {
    let mut found = Vec::new();
    let mut waiting = vec![(start, Some(schema))];
    while let Some((walk, schema)) = waiting.pop() {
        let Some(schema) = schema else {
            walk.visit_attributes(&mut found, bounds);
            continue;
        };
        let children = walk.visit(&schema.body, &mut found, bounds);
        for (block_type, child) in children.into_iter().rev() {
            if !push_within(&mut waiting, (child, schema.blocks.get(&block_type)), bounds) {
                break;
            }
        }
    }
    found
}
