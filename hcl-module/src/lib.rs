//! Folders of configuration.

mod files;
mod inputs;
pub mod packer;
mod place;
mod release;
mod version;

pub use files::{FileError, Files, HostFiles, TextFiles};
pub use inputs::Given;
pub use release::Release;
