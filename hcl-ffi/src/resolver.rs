//! Resolvers: variables that callbacks look up when an evaluation needs them.

use libc::c_void;
use std::ptr;

use hcl_eval::eval::{Keep, Lookup, LookupError, Resolver};
use hcl_eval::value::Value;

use crate::boundary::{Failure, Outcome, guard};
use crate::context::pointer;
use crate::extensible_struct;
use crate::frame::hcl_frame;
use crate::function::{hcl_call, hcl_drop};
use crate::handle::get;
use crate::stack::on_own;
use crate::status::hcl_status;
use crate::string::{hcl_str, null_pointer};

/// `hcl_resolver.flags`: answers are kept until `hcl_frame_reset`, not only until the evaluation ends.
pub const HCL_RESOLVER_KEEP: u32 = 1;

/// Looks a variable up whose slot is empty. `name` is the name or path that `slot` was declared under. `user` is the
/// resolver's user data. `call` takes the answer as that of a function: it has no arguments, and is valid until the
/// callback returns. An evaluation asks at most once for each slot.
///
/// Returns 0 after `hcl_call_return…`, also with an unknown or marked value; HCL_ERR_NOT_FOUND if there is no such
/// variable; anything else as the callback of a function. What `hcl_call_fail` says becomes a diagnostic at the variable.
/// Runs on the thread of the evaluation, inside it. Must not `longjmp` or throw out of the callback.
pub type hcl_resolve_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, slot: usize, name: hcl_str, call: *mut hcl_call) -> i32>;

/// A source of variables. Set `size` to `sizeof(hcl_resolver)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_resolver {
    /// `sizeof(hcl_resolver)`, set by the caller.
    pub size: usize,
    /// `HCL_RESOLVER_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The callback that is asked for a variable.
    pub look_up: hcl_resolve_callback,
    /// Passed to `look_up` and `drop_user`.
    pub user: *mut c_void,
    /// Releases `user`; may be null.
    pub drop_user: hcl_drop,
}

/// The callback with its user data, which it releases when it goes.
#[derive(Debug)]
pub(crate) struct CallbackResolver(hcl_resolver);

// SAFETY: the frame that has the resolver is used by one thread at a time; the host promises that frames move between
// threads only if `user` may.
unsafe impl Send for CallbackResolver {}
// SAFETY: as above.
unsafe impl Sync for CallbackResolver {}

impl Drop for CallbackResolver {
    fn drop(&mut self) {
        if let Some(drop_user) = self.0.drop_user {
            // SAFETY: called once, with the pointer that the host gave for it.
            on_own(|| unsafe { drop_user(self.0.user) });
        }
    }
}

/// The resolver that a struct describes; none when `from` is null.
///
/// # Safety
/// `from` is null or a struct of the caller, readable as the interface asks.
unsafe fn read(from: *const hcl_resolver) -> Outcome<Option<(CallbackResolver, Keep)>> {
    if from.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    let fields: hcl_resolver = unsafe { extensible_struct::take("resolver", from) }?;
    // The user data is owned from here on, so that every way out releases it.
    let resolver = CallbackResolver(fields);
    extensible_struct::check_reserved("resolver", &fields)?;
    if fields.look_up.is_none() {
        return Err(null_pointer("resolver->look_up"));
    }
    if fields.flags & !HCL_RESOLVER_KEEP != 0 {
        return Err(Failure::unknown_flag("resolver->flags"));
    }
    let keep = if fields.flags & HCL_RESOLVER_KEEP == 0 { Keep::Evaluation } else { Keep::Frame };
    Ok(Some((resolver, keep)))
}

impl Resolver for CallbackResolver {
    fn look_up(&self, lookup: &Lookup<'_>) -> Result<Value, LookupError> {
        let Some(callback) = self.0.look_up else { return Err(LookupError::Absent) };
        let mut call = hcl_call::new(&[], Some(lookup.limits)).of_user(pointer(lookup.user));
        let name = hcl_str::from(lookup.name);
        // SAFETY: the callback was given with this user data; text and call outlive it.
        let status = on_own(|| unsafe { callback(self.0.user, lookup.slot, name, ptr::from_mut(&mut call)) });
        call.lookup_outcome(status)
    }
}

/// Sets who is asked for the values of slots that are empty, in later evaluations; null takes it away. The struct is
/// copied. Answers are kept until the evaluation ends, or with `HCL_RESOLVER_KEEP` until `hcl_frame_reset`.
///
/// From this call on `resolver->drop_user` is called once, whatever becomes of the call: when the frame goes or is given
/// another resolver, or at once if the call fails. Of a struct whose `size` is wrong, or that sets a field the library does not
/// know, nothing is used, `drop_user` neither. HCL_ERR_ARGUMENT: the struct is wrong. HCL_ERR_BUSY: the frame is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_resolver(
    frame: *mut hcl_frame,
    resolver: *const hcl_resolver,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let resolver = unsafe { read(resolver) }?;
        // SAFETY: null or live, by the contract of the interface; the state is reached only through `with`.
        unsafe { get("frame", frame.cast_const()) }?.with(|state| {
            state.ask(resolver);
            Ok(())
        })
    })
}
