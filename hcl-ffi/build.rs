//! Instructions for the linker of `libhcl.so`: its name, that it stays loaded, and where rare functions lie. Tests are told which
//! part of the version the name has.
//!
//! It is said here, so that `cargo build` and cargo-c link the same library.

use std::env;

/// Systems whose libraries are ELF files with a SONAME.
const ELF: [&str; 5] = ["linux", "freebsd", "dragonfly", "netbsd", "openbsd"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let major = variable("CARGO_PKG_VERSION_MAJOR");
    // Before 1.0 each minor version is an interface of its own.
    let interface = if major == "0" { format!("0.{}", variable("CARGO_PKG_VERSION_MINOR")) } else { major };
    println!("cargo::rustc-env=HCL_INTERFACE={interface}");
    if ELF.contains(&variable("CARGO_CFG_TARGET_OS").as_str()) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhcl.so.{interface}");
        // A host may dlclose the library while thread-local destructors of the Rust runtime are still to run.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // Functions marked cold, 0.3 MB, lie apart, as GNU's linker puts them without being told: a first evaluation runs through
        // 109 pages of code, not 115, and takes 64 KiB less memory.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,keep-text-section-prefix");
    }
}
