//! Which functions each product has.
//!
//! One table per product: names, and under which of them the product means something
//! else than most, both as of its newest release; beside them what its releases changed. What functions do is in
//! `stdlib`; a function whose Cargo feature is off is in no table.

#[cfg(feature = "basics")]
mod products;
mod profile;

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::function::{FunctionTable, ScopeBuilder};
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

/// The dialects that can be chosen by name, each product's newest release first, its older ones in order behind it.
const NAMES: [&str; 33] = [
    "hcl",
    "terraform",
    "terraform-1.11",
    "terraform-1.12",
    "terraform-1.13",
    "terraform-1.14",
    "terraform-1.15",
    "opentofu",
    "opentofu-1.9",
    "opentofu-1.10",
    "opentofu-1.11",
    "opentofu-1.12",
    "packer",
    "packer-1.11",
    "packer-1.12",
    "packer-1.13",
    "packer-1.14",
    "packer-1.15",
    "packer-1.16",
    "nomad",
    "nomad-1.0",
    "nomad-1.1",
    "nomad-1.2",
    "nomad-1.3",
    "nomad-1.4",
    "nomad-1.5",
    "nomad-1.6",
    "nomad-1.7",
    "nomad-1.8",
    "nomad-1.9",
    "nomad-1.10",
    "nomad-1.11",
    "nomad-2.0",
];

/// The names of all dialects: products in their newest release, and with a release behind the name, as in
/// `terraform-1.11`.
///
/// ```
/// let names: Vec<_> = hcl_eval::dialect::names().collect();
/// assert!(names.contains(&"nomad") && names.contains(&"terraform-1.11"));
/// ```
pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
    NAMES.into_iter()
}

/// The product that a dialect is a release of, by its name: `terraform` of `terraform-1.11`. Nothing if there is no
/// such dialect.
///
/// ```
/// use hcl_eval::dialect::product;
///
/// assert_eq!(product("terraform-1.11"), Some("terraform"));
/// assert_eq!(product("terraform-9.9"), None);
/// ```
pub fn product(dialect: &str) -> Option<&'static str> {
    let name = NAMES.into_iter().find(|name| *name == dialect)?;
    PRODUCTS.into_iter().find(|product| *product == name || release_of(name, product).is_some())
}

/// The release in the name of a product's dialect.
fn release_of(dialect: &str, product: &str) -> Option<Release> {
    Release::parse(dialect.strip_prefix(product)?.strip_prefix('-')?)
}

/// The names of the dialects of a product, or of all, for messages about one that is not there.
///
/// ```
/// assert!(hcl_eval::dialect::known(Some("terraform")).contains("terraform-1.11"));
/// ```
pub fn known(product: Option<&str>) -> String {
    let of = |name: &&str| product.is_none_or(|product| self::product(name) == Some(product));
    NAMES.into_iter().filter(of).collect::<Vec<_>>().join(", ")
}

/// The first release of a product that has a function, as `1.15`. Nothing if its newest release does not have it, or if
/// the product has no releases.
///
/// ```
/// use hcl_eval::dialect::since;
///
/// assert_eq!(since("terraform", "convert").as_deref(), Some("1.15"));
/// assert_eq!(since("terraform", "upper").as_deref(), Some("0.12"));
/// assert_eq!(since("opentofu", "convert"), None);
/// ```
pub fn since(product: &str, function: &str) -> Option<String> {
    #[cfg(feature = "basics")]
    let found = products::by_name(product)?.since(function).map(|release| release.to_string());
    #[cfg(not(feature = "basics"))]
    let found = {
        let _ = (product, function);
        None
    };
    found
}

/// Returns the name of a product as the product itself writes it.
///
/// ```
/// assert_eq!(hcl_eval::dialect::title("opentofu"), Some("OpenTofu"));
/// ```
pub fn title(product: &str) -> Option<&'static str> {
    Some(match product {
        "terraform" => "Terraform",
        "opentofu" => "OpenTofu",
        "packer" => "Packer",
        "nomad" => "Nomad",
        _ => return None,
    })
}

/// The functions of a product.
#[cfg(feature = "basics")]
struct Product {
    /// Names with the implementation that most products have.
    names: &'static [&'static [&'static str]],
    /// Names with an implementation of their own, which wins.
    variants: &'static [(&'static str, Constructor)],
    /// A namespace in which every function is found a second time, but for those of other namespaces.
    namespace: Option<&'static str>,
    /// The first release that is known of the product, if it has releases.
    first: Option<Release>,
    /// The functions that later releases added. All others are in the first.
    since: &'static [(Release, &'static [&'static str])],
    /// The functions that releases changed, the newest first, as far back as older ones can be chosen.
    history: &'static [Change],
}

/// A release of a product: its major and its minor number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Release(u16, u16);

impl Release {
    /// A release as names of dialects have it, such as `1.11`.
    fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self(major.parse().ok()?, minor.parse().ok()?))
    }
}

impl std::fmt::Display for Release {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A function that earlier releases of a product have in another form.
#[cfg(feature = "basics")]
struct Change {
    /// The first release that has the name as the product's table says.
    since: Release,
    /// A name of the table.
    name: &'static str,
    /// The function of earlier releases under the name.
    before: Constructor,
}

#[cfg(feature = "basics")]
impl Change {
    const fn from(since: Release, name: &'static str, before: Constructor) -> Self {
        Self { since, name, before }
    }
}

#[cfg(feature = "basics")]
impl Product {
    const fn without_releases(
        names: &'static [&'static [&'static str]],
        variants: &'static [(&'static str, Constructor)],
    ) -> Self {
        Self { names, variants, namespace: None, first: None, since: &[], history: &[] }
    }

    /// The functions of the newest release.
    fn table(&self) -> FunctionTable {
        self.table_of(self.constructors())
    }

    /// The functions of an older release. Those that came later are known by name.
    fn table_as_of(&self, release: Release, title: &str) -> FunctionTable {
        let mut constructors = self.constructors();
        for change in self.history.iter().filter(|change| release < change.since) {
            if let Some((_, constructor)) = constructors.iter_mut().find(|(name, _)| *name == change.name) {
                *constructor = change.before;
            }
        }
        let is_there = |name: &str| self.since(name).is_none_or(|since| since <= release);
        let later: Vec<_> =
            constructors.iter().map(|(name, _)| *name).filter(|name| !is_there(name)).collect();
        constructors.retain(|(name, _)| is_there(name));
        let mut table = self.table_of(constructors);
        for name in later {
            let Some(since) = self.since(name) else { continue };
            let reason = format!(
                "it exists since {title} {since}, and the functions here are those of {title} {release}"
            );
            if let Some(namespace) = self.namespace {
                table.insert_later(&format!("{namespace}::{name}"), &reason);
            }
            table.insert_later(name, &reason);
        }
        table
    }

    /// The first release that has a function.
    fn since(&self, name: &str) -> Option<Release> {
        let name =
            self.namespace.and_then(|space| name.strip_prefix(space)?.strip_prefix("::")).unwrap_or(name);
        let is_listed = self.names.iter().copied().flatten().any(|known| *known == name)
            || self.variants.iter().any(|(known, _)| *known == name);
        if !is_listed {
            return None;
        }
        let added = self.since.iter().find(|(_, names)| names.contains(&name));
        added.map(|(release, _)| *release).or(self.first)
    }

    fn constructors(&self) -> Vec<(&'static str, Constructor)> {
        let mut constructors = self.variants.to_vec();
        let own = |name: &&&str| !self.variants.iter().any(|(variant, _)| variant == *name);
        for name in self.names.iter().copied().flatten().filter(own) {
            let found = FUNCTIONS.binary_search_by_key(name, |(known, _)| known);
            constructors.extend(found.ok().map(|at| FUNCTIONS[at]));
        }
        constructors
    }

    fn table_of(&self, mut constructors: Vec<(&'static str, Constructor)>) -> FunctionTable {
        sort_by(&mut constructors, |(a, _), (b, _)| a.cmp(b));
        let mut table = FunctionTable::new();
        for &(name, make) in &constructors {
            table.insert_lazy(name, make);
        }
        if let Some(namespace) = self.namespace {
            for &(name, make) in constructors.iter().filter(|(name, _)| !name.contains("::")) {
                table.insert_lazy(&[namespace, "::", name].concat(), make);
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
    makers = Product::without_releases(&[], MAKERS).table();
}

/// Returns true for a function that all products and the language's own library have, none of them in a form of its own, in any
/// release.
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

/// The functions of Terraform 1.11 and its console.
///
/// ```
/// let functions = hcl_eval::dialect::terraform_1_11();
/// assert!(functions.get("templatestring").is_some() && functions.get("convert").is_none());
/// ```
pub fn terraform_1_11() -> Arc<FunctionTable> {
    by_name("terraform-1.11").unwrap_or_else(terraform)
}

/// The functions of a product by its name, as the command line spells it; behind the name of a product may stand a
/// release: `terraform-1.11`. [`names`] lists all that there are.
///
/// ```
/// use hcl_eval::dialect::by_name;
/// use hcl_eval::eval::{Scope, evaluate_str};
///
/// let functions = by_name("terraform-1.11").ok_or("no such dialect")?;
/// let scope = Scope::builder().functions(functions).build();
/// assert_eq!(evaluate_str("upper(\"a\")", Some(&scope))?.as_str(), Some("A"));
/// assert!(by_name("terraform-9.9").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn by_name(name: &str) -> Option<Arc<FunctionTable>> {
    Some(match name {
        "terraform" => terraform(),
        "opentofu" => opentofu(),
        "packer" => packer(),
        "packer-defaults" => packer_defaults(),
        "nomad" => nomad(),
        "hcl" => hcl(),
        "hcl-test" => hcl_test(),
        _ => return of_release(name),
    })
}

/// The functions of a release, shared as those of the newest are.
fn of_release(name: &str) -> Option<Arc<FunctionTable>> {
    static TABLES: [Mutex<Weak<FunctionTable>>; NAMES.len()] =
        [const { Mutex::new(Weak::new()) }; NAMES.len()];
    let at = NAMES.iter().position(|known| *known == name)?;
    let product = product(name)?;
    let release = release_of(name, product)?;
    let mut held = TABLES[at].lock().unwrap_or_else(PoisonError::into_inner);
    Some(held.upgrade().unwrap_or_else(|| {
        #[cfg(feature = "basics")]
        let made = products::by_name(product)
            .map(|known| known.table_as_of(release, title(product).unwrap_or(product)))
            .unwrap_or_default();
        #[cfg(not(feature = "basics"))]
        let made = {
            let _ = release;
            FunctionTable::new()
        };
        let made = Arc::new(made);
        *held = Arc::downgrade(&made);
        made
    }))
}

#[cfg(all(test, feature = "basics"))]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_the_order_in_which_they_are_looked_for() {
        assert!(FUNCTIONS.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn rows_of_releases_speak_of_functions_that_there_are() {
        for name in PRODUCTS {
            let Some(product) = products::by_name(name) else { continue };
            let table = by_name(name).expect("a product has a table");
            for (release, added) in product.since {
                assert!(product.first.is_some_and(|first| first < *release), "{name} {release}");
                for function in *added {
                    let is_made = FUNCTIONS.iter().any(|(known, _)| known == function);
                    assert!(table.get(function).is_some() || !is_made, "{name} {function}");
                }
            }
            for change in product.history {
                assert!(table.get(change.name).is_some(), "{name} {}", change.name);
            }
        }
    }

    #[test]
    fn the_newest_release_has_the_functions_of_the_product() {
        for name in ["terraform-1.15", "opentofu-1.12", "packer-1.16", "nomad-2.0"] {
            let (release, newest) = (by_name(name).unwrap(), by_name(product(name).unwrap()).unwrap());
            assert!(release.names().eq(newest.names()), "{name}");
        }
    }
}

impl ScopeBuilder {
    /// Adds the functions of a dialect, and takes its rule for names that are variables nowhere: `nomad` has
    /// [runtime references](Self::runtime_references). Gives nothing if there is no such dialect.
    ///
    /// ```
    /// use hcl_eval::eval::Scope;
    ///
    /// let scope = Scope::builder().dialect("nomad").expect("a dialect").build();
    /// assert!(scope.has_runtime_references() && scope.function("strlen").is_some());
    /// assert!(Scope::builder().dialect("terraform-9.9").is_none());
    /// ```
    #[must_use]
    pub fn dialect(self, name: &str) -> Option<Self> {
        let builder = self.functions(by_name(name)?);
        let is_nomad = product(name) == Some("nomad");
        Some(if is_nomad { builder.runtime_references() } else { builder })
    }
}
