//! Releases of Packer: which rules hold, as questions with an answer.

use std::fmt;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::function::FunctionTable;

/// Packer in a release.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Release {
    /// The minor number; the major one is 1.
    minor: u16,
}

/// The releases that can be chosen by their minor numbers, the newest last.
const KNOWN: std::ops::RangeInclusive<u16> = 11..=16;

impl Default for Release {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl Release {
    /// The newest release.
    pub const NEWEST: Self = Self { minor: *KNOWN.end() };

    /// The release that a dialect's name stands for: `packer`, or with a release, such as `packer-1.13`.
    ///
    /// ```
    /// use hcl_module::packer::Release;
    ///
    /// assert_eq!(Release::by_name("packer"), Some(Release::NEWEST));
    /// assert!(Release::by_name("packer-1.13").is_some());
    /// assert!(Release::by_name("packer-9.9").is_none());
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        let release = |minor| Self { minor };
        if name == "packer" {
            Some(Self::NEWEST)
        } else {
            KNOWN.map(release).find(|known| known.name() == name)
        }
    }

    /// The dialect's name with the release.
    fn name(self) -> String {
        format!("packer-1.{}", self.minor)
    }

    /// The version that templates may demand, and see as `packer.version`.
    pub(super) fn version(self) -> [u64; 3] {
        [1, u64::from(self.minor), 0]
    }

    /// The functions of templates.
    pub fn functions(self) -> Arc<FunctionTable> {
        dialect::by_name(&self.name()).unwrap_or_else(dialect::packer)
    }

    /// True if object types of variables may have optional attributes.
    pub(super) fn has_optional_attributes(self) -> bool {
        self.minor >= 16
    }

    /// True if provisioners have the argument `continue_on_error`.
    pub(super) fn continues_on_error(self) -> bool {
        self.minor >= 16
    }

    /// True if `hcp_packer_registry` may stand beside builds.
    pub(super) fn has_registry_at_top(self) -> bool {
        self.minor >= 13
    }

    /// True if data sources may use locals.
    pub(super) fn orders_data_with_locals(self) -> bool {
        self.minor >= 12
    }
}

/// The dialect's name.
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NEWEST { f.write_str("packer") } else { f.write_str(&self.name()) }
    }
}
