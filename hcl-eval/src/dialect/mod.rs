//! Which functions each product has.
//!
//! One table per product: names, and under which of them the product means something
//! else than most. What functions do is in `stdlib`; a function whose Cargo feature is
//! off is in no table.

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

/// The names of the dialects that are a product's, or the language's own. The last is what Packer has in the defaults
/// of variables.
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
}

#[cfg(feature = "basics")]
impl Product {
    fn table(&self) -> FunctionTable {
        let mut constructors: Vec<(&str, Constructor)> = self.variants.to_vec();
        let own = |name: &&&str| !self.variants.iter().any(|(variant, _)| variant == *name);
        for name in self.names.iter().copied().flatten().filter(own) {
            constructors.extend(FUNCTIONS.iter().find(|(known, _)| known == name));
        }
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
    ($($(#[$doc:meta])* $name:ident = $product:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> Arc<FunctionTable> {
            static TABLE: Mutex<Weak<FunctionTable>> = Mutex::new(Weak::new());
            let mut held = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
            held.upgrade().unwrap_or_else(|| {
                #[cfg(feature = "basics")]
                let made = Arc::new($product.table());
                #[cfg(not(feature = "basics"))]
                let made = Arc::new(FunctionTable::new());
                *held = Arc::downgrade(&made);
                made
            })
        }
    )*};
}

tables! {
    /// The functions of Terraform 1.11 and its console.
    terraform = products::TERRAFORM;
    /// The functions of `OpenTofu`.
    opentofu = products::OPENTOFU;
    /// The functions of Packer.
    packer = products::PACKER;
    /// The function that Packer has in the defaults of variables: `env`.
    packer_defaults = products::PACKER_DEFAULTS;
    /// The functions of Nomad.
    nomad = products::NOMAD;
    /// The functions that come with the language, for programs of their own.
    hcl = products::HCL;
    /// The functions that the conformance tests of the language use.
    hcl_test = products::HCL_TEST;
    /// The functions of specifications for decoding, with which they compute constants and transform results.
    specification = products::SPECIFICATION;
    /// Makers of values that no expression gives, for tests: `unknown`, `null_of`, `typed`, `refine`, `marked`, `bytes`,
    /// `sensitive`, `ephemeral`.
    makers = Product { names: &[], variants: MAKERS, namespace: None };
}

/// Returns true for a function that all products and the language's own library have, none of them in a form of its own.
#[cfg(feature = "basics")]
pub(crate) fn is_shared(name: &str) -> bool {
    let products =
        [&products::TERRAFORM, &products::OPENTOFU, &products::PACKER, &products::NOMAD, &products::HCL];
    products.iter().all(|product| {
        product.names.iter().copied().flatten().any(|known| *known == name)
            && !product.variants.iter().any(|(variant, _)| *variant == name)
    })
}

/// Returns false: there are no functions.
#[cfg(not(feature = "basics"))]
pub(crate) fn is_shared(_: &str) -> bool {
    false
}

/// The functions of a product by its name, as the command line spells it.
pub fn by_name(name: &str) -> Option<Arc<FunctionTable>> {
    Some(match name {
        "terraform" => terraform(),
        "opentofu" => opentofu(),
        "packer" => packer(),
        "packer-defaults" => packer_defaults(),
        "nomad" => nomad(),
        "hcl" => hcl(),
        "hcl-test" => hcl_test(),
        _ => return None,
    })
}
