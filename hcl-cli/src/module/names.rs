//! What a module is told of where it is and how it is used: `path`, `terraform`, `tofu`.

use hcl_eval::eval::ScopeBuilder;
use hcl_eval::host::Host;
use hcl_eval::value::{Mark, Value};

use crate::args::Product;

/// Adds the names that a product gives to every module; the files of this one are in `folder`. `path.cwd` is
/// there only if the host tells the working directory.
pub fn with_names(
    builder: ScopeBuilder,
    product: Product,
    folder: &str,
    host: Option<&dyn Host>,
) -> ScopeBuilder {
    let (folders, products): (&[&str], &[&str]) = match product {
        Product::Terraform => (&["module", "root"], &["terraform"]),
        // Modules that are written for both products say `terraform`.
        Product::Opentofu => (&["module", "root"], &["terraform", "tofu"]),
        Product::Packer | Product::Nomad | Product::Hcl => return builder,
    };
    let working_directory = host.and_then(|host| host.working_directory().ok());
    let path = folders.iter().map(|name| (*name, folder));
    let path = path.chain(working_directory.as_deref().map(|directory| ("cwd", directory)));
    let path = path.map(|(name, folder)| (name.into(), Value::string(folder))).collect();
    let builder = builder.variable("path", Value::object(path));
    products.iter().fold(builder, |builder, name| builder.variable(name, run()))
}

/// What there is to know of the run of a product: nothing is being applied, in the workspace that there is
/// from the beginning.
fn run() -> Value {
    let applying = Value::FALSE.mark(Mark::new("ephemeral"));
    Value::object(vec![("workspace".into(), Value::string("default")), ("applying".into(), applying)])
}
