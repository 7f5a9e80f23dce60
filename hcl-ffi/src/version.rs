//! Which version this is.

use crate::boundary::guard_or;
use crate::status::hcl_status;
use crate::string::hcl_str;

/// The major version of this header.
pub const HCL_VERSION_MAJOR: u32 = 0;
/// The minor version of this header.
pub const HCL_VERSION_MINOR: u32 = 1;
/// The patch version of this header.
pub const HCL_VERSION_PATCH: u32 = 0;
/// The version of this header as one number: `major << 16 | minor << 8 | patch`.
pub const HCL_VERSION: u32 = 256;

const _: () = assert!(HCL_VERSION == HCL_VERSION_MAJOR << 16 | HCL_VERSION_MINOR << 8 | HCL_VERSION_PATCH);

/// The version of the loaded library, in the form of `HCL_VERSION`. Any thread, any time.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_version() -> u32 {
    HCL_VERSION
}

/// The name and version of the loaded library, for example `libhcl 0.1.0`. Static; any thread, any time.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_version_string() -> hcl_str {
    hcl_str::from(concat!("libhcl ", env!("CARGO_PKG_VERSION")))
}

/// True if a program compiled with a header of `header_version` (pass `HCL_VERSION`) may use the loaded library: the
/// same major version and, before 1.0, the same minor version, and not older than the header.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_compatible(header_version: u32) -> bool {
    let series = |version: u32| if version >> 16 == 0 { version >> 8 } else { version >> 16 };
    series(header_version) == series(HCL_VERSION) && header_version <= HCL_VERSION
}

/// The name of a status, for example `HCL_ERR_TYPE`; a text in parentheses for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_status_name(status: i32) -> hcl_str {
    guard_or(hcl_str::EMPTY, || hcl_str::from(hcl_status::name_of(status)))
}
