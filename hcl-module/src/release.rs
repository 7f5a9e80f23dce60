//! Products and their releases: which rules hold, as questions with an answer.
//!
//! Differences between releases are asked for by name here, so that no other file compares version numbers.

use std::fmt;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::function::FunctionTable;

/// The product whose modules are read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Product {
    /// Terraform.
    Terraform,
    /// OpenTofu.
    Opentofu,
}

/// A product in a release.
///
/// ```
/// use hcl_module::{Product, Release};
///
/// let release = Release::by_name("opentofu").unwrap();
/// assert_eq!(release.product(), Product::Opentofu);
/// assert!(release.functions().get("upper").is_some());
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Release {
    product: Product,
    minor: u16,
}

/// The releases of each product that can be chosen by their minor numbers, the newest last.
const TERRAFORM: std::ops::RangeInclusive<u16> = 11..=15;
const OPENTOFU: std::ops::RangeInclusive<u16> = 9..=12;

impl Default for Release {
    fn default() -> Self {
        Self::TERRAFORM
    }
}

impl Release {
    /// Terraform in its newest release.
    pub const TERRAFORM: Self = Self { product: Product::Terraform, minor: *TERRAFORM.end() };
    /// OpenTofu in its newest release.
    pub const OPENTOFU: Self = Self { product: Product::Opentofu, minor: *OPENTOFU.end() };

    /// The release that a dialect's name stands for: `terraform`, `opentofu`, or either with a release, such as
    /// `terraform-1.11`.
    ///
    /// ```
    /// use hcl_module::Release;
    ///
    /// assert_eq!(Release::by_name("terraform"), Some(Release::TERRAFORM));
    /// assert!(Release::by_name("terraform-1.11").is_some());
    /// assert!(Release::by_name("terraform-9.9").is_none());
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        let (product, version) =
            name.split_once('-').map_or((name, None), |(name, version)| (name, Some(version)));
        let (newest, known) = match product {
            "terraform" => (Self::TERRAFORM, TERRAFORM),
            "opentofu" => (Self::OPENTOFU, OPENTOFU),
            _ => return None,
        };
        let Some(version) = version else { return Some(newest) };
        dialect::product(name)?;
        let minor = version.strip_prefix("1.")?.parse().ok()?;
        known.contains(&minor).then_some(Self { minor, ..newest })
    }

    /// The product.
    pub fn product(self) -> Product {
        self.product
    }

    /// The version that modules may demand: the newest one of the release that is known.
    pub(crate) fn version(self) -> [u64; 3] {
        let patch = match (self.product, self.minor) {
            (Product::Terraform, 15) => 9,
            (Product::Terraform, 11) => 4,
            (Product::Opentofu, 12) => 6,
            _ => 0,
        };
        [1, u64::from(self.minor), patch]
    }

    /// The functions of the product's console. Those of the provider that comes with the products are among them:
    /// whether a module can call them is looked at with its references.
    pub fn functions(self) -> Arc<FunctionTable> {
        let newest = match self.product {
            Product::Terraform => dialect::terraform,
            Product::Opentofu => dialect::opentofu,
        };
        let table = dialect::by_name(&self.to_string()).unwrap_or_else(newest);
        if !self.is_tofu() {
            return table;
        }
        let mut table = (*table).clone();
        let terraform = dialect::terraform();
        for (name, function) in terraform.starting_with("provider::terraform::") {
            if self.has_provider_functions() {
                table.insert_as(name, Arc::clone(function));
            } else {
                let reason = format!("it exists since OpenTofu 1.10, and this is OpenTofu 1.{}", self.minor);
                table.insert_later(name, &reason);
            }
        }
        Arc::new(table)
    }

    /// The files of a folder that make a module, of all its names: override files come last.
    ///
    /// ```
    /// let names = ["b.tf", "override.tf", "a.tf", "notes.md"].map(str::to_owned).to_vec();
    /// assert_eq!(hcl_module::Release::TERRAFORM.own_files(names), ["a.tf", "b.tf", "override.tf"]);
    /// ```
    pub fn own_files(self, names: Vec<String>) -> Vec<String> {
        let chosen = crate::files::choose(names, self);
        chosen.primary.into_iter().chain(chosen.overrides).collect()
    }

    pub(crate) fn is_tofu(self) -> bool {
        self.product == Product::Opentofu
    }

    fn terraform_since(self, minor: u16) -> bool {
        self.product == Product::Terraform && self.minor >= minor
    }

    fn tofu_since(self, minor: u16) -> bool {
        self.product == Product::Opentofu && self.minor >= minor
    }

    /// True if `variable` and `output` have the argument `deprecated`.
    pub(crate) fn has_deprecated(self) -> bool {
        self.terraform_since(15) || self.tofu_since(10)
    }

    /// True if `variable` has the argument `const`.
    pub(crate) fn has_const(self) -> bool {
        self.terraform_since(15) || self.tofu_since(12)
    }

    /// True if `output` has the argument `type`.
    pub(crate) fn has_typed_outputs(self) -> bool {
        self.terraform_since(15)
    }

    /// True if `module` has the argument `ignore_nested_deprecations`.
    pub(crate) fn has_nested_deprecations(self) -> bool {
        self.terraform_since(15)
    }

    /// True if the sources of module calls are evaluated.
    pub(crate) fn has_static_sources(self) -> bool {
        self.terraform_since(15) || self.tofu_since(8)
    }

    /// True if `import` blocks may say what is imported by its attributes instead of an identifier.
    pub(crate) fn imports_by_identity(self) -> bool {
        self.terraform_since(12)
    }

    /// True if there are `action` blocks, and references to them.
    pub(crate) fn has_actions(self) -> bool {
        self.terraform_since(14)
    }

    /// True if `lifecycle` has the argument `enabled`, also in module calls.
    pub(crate) fn has_enabled(self) -> bool {
        self.tofu_since(11)
    }

    /// True if `prevent_destroy` may be made of the module's values.
    pub(crate) fn prevents_by_expression(self) -> bool {
        self.tofu_since(12)
    }

    /// True if there is a top-level block `language`.
    pub(crate) fn has_language(self) -> bool {
        self.tofu_since(12)
    }

    /// True if there is a top-level block `encryption`.
    pub(crate) fn has_encryption(self) -> bool {
        self.tofu_since(8)
    }

    /// True if the outputs of a child that are declared sensitive are marked for its caller.
    pub(crate) fn marks_sensitive_outputs(self) -> bool {
        self.terraform_since(13) || self.is_tofu()
    }

    /// True if the values in validations keep the marks of the variable's declaration.
    pub(crate) fn validates_with_marks(self) -> bool {
        self.terraform_since(13) || self.is_tofu()
    }

    /// True if there are ephemeral variables, outputs and resources, and `terraform.applying`.
    pub(crate) fn has_ephemeral(self) -> bool {
        self.product == Product::Terraform || self.tofu_since(11)
    }

    /// True if attributes that are written for a variable and that its type lacks are told.
    pub(crate) fn tells_ignored_attributes(self) -> bool {
        self.tofu_since(11)
    }

    /// True if a `count` must not be ephemeral.
    pub(crate) fn refuses_ephemeral_count(self) -> bool {
        self.product == Product::Terraform || self.tofu_since(12)
    }

    /// True if a module may call the functions of the provider that comes with the products.
    fn has_provider_functions(self) -> bool {
        self.product == Product::Terraform || self.tofu_since(10)
    }

    /// True if an output that is declared ephemeral must have an ephemeral value.
    pub(crate) fn wants_ephemeral_outputs(self) -> bool {
        self.product == Product::Terraform && self.minor <= 11
    }

    /// True if a resource of a known type is an object of its attributes, none of them known.
    pub(crate) fn knows_resource_types(self) -> bool {
        self.terraform_since(14)
    }

    /// True if wrong arguments of module calls are told beside other problems of loading.
    pub(crate) fn checks_calls_early(self) -> bool {
        self.terraform_since(15)
    }

    /// True if the words for primitive types mean nothing else when they stand alone.
    pub(crate) fn reserves_type_words(self) -> bool {
        self.terraform_since(15)
    }

    /// The words that a variable can't be named, because a module call has an argument or a block of that name.
    pub(crate) fn reserved_variable_names(self) -> impl Iterator<Item = &'static str> {
        let newer = self.has_nested_deprecations().then_some("ignore_nested_deprecations");
        [
            "source",
            "version",
            "providers",
            "count",
            "for_each",
            "depends_on",
            "lifecycle",
            "locals",
            "provider",
            "_",
        ]
        .into_iter()
        .chain(newer)
    }
}

/// The dialect's name.
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.product {
            Product::Terraform => "terraform",
            Product::Opentofu => "opentofu",
        };
        if *self == Self::TERRAFORM || *self == Self::OPENTOFU {
            return f.write_str(name);
        }
        write!(f, "{name}-1.{}", self.minor)
    }
}
