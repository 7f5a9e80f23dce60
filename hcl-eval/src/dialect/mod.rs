//! Which functions each product has.
//!
//! One table per product: names, and under which of them the product means something
//! else than most, both as of its newest release; beside them what its releases changed. What functions do is in
//! `stdlib`; a function whose Cargo feature is off is in no table.

#[cfg(feature = "basics")]
mod products;
mod profile;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::function::FunctionTable;
#[cfg(feature = "basics")]
use crate::sorting::sort_by;
#[cfg(feature = "basics")]
pub use crate::stdlib::bytes_type;
#[cfg(feature = "basics")]
use crate::stdlib::{Constructor, FUNCTIONS, MAKERS};

pub use profile::{Profile, profiles};

/// The names of the dialects that are a product's newest release, or the language's own. The last is what Packer has in
/// the defaults of variables.
pub const PRODUCTS: [&str; 6] = ["terraform", "opentofu", "packer", "nomad", "hcl", "packer-defaults"];

/// The functions of a product.
#[cfg(feature = "basics")]
struct Product {
    /// Names with the implementation that most products have.
    names: &'static [&'static [&'static str]],
    /// Names with an implementation of their own, which wins.
    variants: &'static [(&'static str, Constructor)],
    /// A namespace in which every function is found a second time, but for those of other namespaces.
    namespace: Option<&'static str>,
    /// The changes of releases, the newest first, as far back as older ones can be chosen.
    history: &'static [Change],
}

/// A release of a product: its major and its minor number.
#[cfg(feature = "basics")]
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Release(u16, u16);

/// A change that a release made to the functions of a product.
#[cfg(feature = "basics")]
struct Change {
    /// The first release that has the name as the product's table says.
    since: Release,
    /// A name of the table.
    name: &'static str,
    /// The function of earlier releases under the name, if they have one.
    before: Option<Constructor>,
}

#[cfg(feature = "basics")]
impl Change {
    /// A function that earlier releases do not have.
    const fn addition(since: Release, name: &'static str) -> Self {
        Self { since, name, before: None }
    }

    /// A function that earlier releases have in another form.
    const fn from(since: Release, name: &'static str, before: Constructor) -> Self {
        Self { since, name, before: Some(before) }
    }
}

#[cfg(feature = "basics")]
impl Product {
    /// The functions of the newest release.
    fn table(&self) -> FunctionTable {
        self.table_of(self.constructors())
    }

    /// The functions of an older release.
    fn table_as_of(&self, release: Release) -> FunctionTable {
        let mut constructors = self.constructors();
        for change in self.history.iter().filter(|change| release < change.since) {
            constructors.retain(|(name, _)| *name != change.name);
            constructors.extend(change.before.map(|before| (change.name, before)));
        }
        self.table_of(constructors)
    }

    fn constructors(&self) -> Vec<(&'static str, Constructor)> {
        let mut constructors: Vec<(&str, Constructor)> = self.variants.to_vec();
        let own = |name: &&&str| !self.variants.iter().any(|(variant, _)| variant == *name);
        for name in self.names.iter().copied().flatten().filter(own) {
            constructors.extend(FUNCTIONS.iter().find(|(known, _)| known == name));
        }
        constructors
    }

    fn table_of(&self, mut constructors: Vec<(&'static str, Constructor)>) -> FunctionTable {
        sort_by(&mut constructors, |(a, _), (b, _)| a.cmp(b));
        let mut table = FunctionTable::new();
        for &(name, make) in &constructors {
            table.insert(make().renamed(name));
        }
        if let Some(namespace) = self.namespace {
            for &(name, make) in constructors.iter().filter(|(name, _)| !name.contains("::")) {
                table.insert(make().renamed(&format!("{namespace}::{name}")));
            }
        }
        table
    }
}

/// A table that is made when it is asked for, and shared for as long as anybody holds it: nothing stays
/// behind when a host has released all it had.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident = $table:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> Arc<FunctionTable> {
            static TABLE: Mutex<Weak<FunctionTable>> = Mutex::new(Weak::new());
            let mut held = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
            held.upgrade().unwrap_or_else(|| {
                #[cfg(feature = "basics")]
                let made = Arc::new($table);
                #[cfg(not(feature = "basics"))]
                let made = Arc::new(FunctionTable::new());
                *held = Arc::downgrade(&made);
                made
            })
        }
    )*};
}

tables! {
    /// The functions of Terraform 1.15 and its console.
    terraform = products::TERRAFORM.table();
    /// The functions of Terraform 1.11 and its console.
    terraform_1_11 = products::TERRAFORM.table_as_of(Release(1, 11));
    /// The functions of `OpenTofu` 1.12.
    opentofu = products::OPENTOFU.table();
    /// The functions of Packer.
    packer = products::PACKER.table();
    /// The function that Packer has in the defaults of variables: `env`.
    packer_defaults = products::PACKER_DEFAULTS.table();
    /// The functions of Nomad.
    nomad = products::NOMAD.table();
    /// The functions that come with the language, for programs of their own.
    hcl = products::HCL.table();
    /// The functions that the conformance tests of the language use.
    hcl_test = products::HCL_TEST.table();
    /// The functions of specifications for decoding, with which they compute constants and transform results.
    specification = products::SPECIFICATION.table();
    /// Makers of values that no expression gives, for tests: `unknown`, `null_of`, `typed`, `refine`, `marked`, `bytes`,
    /// `sensitive`, `ephemeral`.
    makers = Product { names: &[], variants: MAKERS, namespace: None, history: &[] }.table();
}

/// Returns true for a function that all products and the language's own library have, none of them in a form of its own, in any release.
#[cfg(all(feature = "basics", feature = "conversion"))]
pub(crate) fn is_shared(name: &str) -> bool {
    let products =
        [&products::TERRAFORM, &products::OPENTOFU, &products::PACKER, &products::NOMAD, &products::HCL];
    products.iter().all(|product| {
        product.names.iter().copied().flatten().any(|known| *known == name)
            && !product.variants.iter().any(|(variant, _)| *variant == name)
            && !product.history.iter().any(|change| change.name == name)
    })
}

/// Returns false: there are no functions.
#[cfg(all(not(feature = "basics"), feature = "conversion"))]
pub(crate) fn is_shared(_: &str) -> bool {
    false
}

/// The functions of a product by its name, as the command line spells it; behind the name of a product may stand an
/// older release: `terraform-1.11`.
pub fn by_name(name: &str) -> Option<Arc<FunctionTable>> {
    Some(match name {
        "terraform" => terraform(),
        "terraform-1.11" => terraform_1_11(),
        "opentofu" => opentofu(),
        "packer" => packer(),
        "packer-defaults" => packer_defaults(),
        "nomad" => nomad(),
        "hcl" => hcl(),
        "hcl-test" => hcl_test(),
        _ => return None,
    })
}
