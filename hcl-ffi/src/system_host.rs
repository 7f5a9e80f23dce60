//! A host that opens the real world: files, environment, clock, randomness.

use crate::boundary::{Failure, guard_with};
use crate::diagnostics::hcl_diags;
use crate::extensible_struct;
use crate::handle::{check_out, hand_out};
use crate::host::hcl_host;
use crate::status::hcl_status;
use crate::string::hcl_str;

/// `hcl_host_opts.flags`: environment variables and the home directory.
pub const HCL_ALLOW_ENV: u32 = 1;
/// `hcl_host_opts.flags`: the clock.
pub const HCL_ALLOW_CLOCK: u32 = 2;
/// `hcl_host_opts.flags`: random numbers.
pub const HCL_ALLOW_RANDOM: u32 = 4;
/// `hcl_host_opts.flags`: all files, not only those in `folders`.
pub const HCL_ALLOW_ALL_FILES: u32 = 8;

const ALLOW_ALL: u32 = HCL_ALLOW_ENV | HCL_ALLOW_CLOCK | HCL_ALLOW_RANDOM | HCL_ALLOW_ALL_FILES;

/// How much of the real world a host opens. Set `size` to `sizeof(hcl_host_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_host_opts {
    /// `sizeof(hcl_host_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_ALLOW_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// Folders whose files may be read. They must be there. Null when there are none.
    pub folders: *const hcl_str,
    /// How many folders.
    pub n_folders: usize,
    /// The absolute path that relative paths of expressions start from; empty for the working directory of now.
    pub start: hcl_str,
}

/// A host that opens as much of the real world as it is told to. `*out` is owned; `diags` as for `hcl_file_parse`.
///
/// Files are those in the folders, at any depth; links and `..` are followed, but not out of the folders, also if
/// links change in the meantime. Only regular files are read. HCL_ERR_DIAGNOSTICS: a folder can't be opened.
/// HCL_ERR_UNSUPPORTED: the library was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_host_system(
    opts: *const hcl_host_opts,
    out: *mut *mut hcl_host,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut _| {
        check_out("out", out)?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let opts: hcl_host_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if opts.flags & !ALLOW_ALL != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        // SAFETY: texts of the caller, readable as the interface asks.
        let host = unsafe { real::open(&opts) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, host) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Opening the real world.
#[cfg(feature = "system-host")]
mod real {
    use std::path::Path;
    use std::sync::Arc;

    use hcl_eval::host::SystemHost;

    use super::{HCL_ALLOW_ALL_FILES, HCL_ALLOW_CLOCK, HCL_ALLOW_ENV, HCL_ALLOW_RANDOM, hcl_host_opts};
    use crate::boundary::{Failure, Outcome};
    use crate::host::{HostKind, hcl_host};
    use crate::status::hcl_status;
    use crate::string::{array_in, text_in};

    /// # Safety
    /// The texts of `opts` are readable as the interface asks.
    pub(super) unsafe fn open(opts: &hcl_host_opts) -> Outcome<hcl_host> {
        // SAFETY: passed on.
        let start = unsafe { text_in("opts->start", opts.start.ptr, opts.start.len) }?;
        let mut host = match start {
            "" => SystemHost::new().map_err(|error| unopened("the working directory", &error))?,
            _ if Path::new(start).is_absolute() => SystemHost::starting_in(Path::new(start)),
            _ => return Err(Failure::argument("opts->start", "is no absolute path.")),
        };
        // SAFETY: passed on.
        for folder in unsafe { array_in("opts->folders", opts.folders, opts.n_folders) }? {
            // SAFETY: passed on.
            let folder = unsafe { text_in("opts->folders[]", folder.ptr, folder.len) }?;
            host = host.allow_files_in(Path::new(folder)).map_err(|error| unopened(folder, &error))?;
        }
        if opts.flags & HCL_ALLOW_ALL_FILES != 0 {
            host = host.allow_all_files().map_err(|error| unopened("the root folder", &error))?;
        }
        if opts.flags & HCL_ALLOW_ENV != 0 {
            host = host.allow_environment();
        }
        if opts.flags & HCL_ALLOW_CLOCK != 0 {
            host = host.allow_clock();
        }
        if opts.flags & HCL_ALLOW_RANDOM != 0 {
            host = host.allow_random();
        }
        Ok(hcl_host(HostKind::Own(Arc::new(host))))
    }

    fn unopened(folder: &str, error: &std::io::Error) -> Failure {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            _ => error.to_string(),
        };
        let detail = format!("The folder {folder} can't be opened: {why}.");
        Failure {
            status: hcl_status::HCL_ERR_DIAGNOSTICS,
            diagnostics: vec![hcl_syntax::diagnostic::Diagnostic::error(
                "api.folder",
                "Folder not opened",
                detail,
            )],
        }
    }
}

/// A build that cannot open it.
#[cfg(not(feature = "system-host"))]
mod real {
    use super::hcl_host_opts;
    use crate::boundary::Outcome;
    use crate::host::hcl_host;
    use crate::status::hcl_status;

    /// # Safety
    /// None is needed.
    pub(super) unsafe fn open(_: &hcl_host_opts) -> Outcome<hcl_host> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }
}
