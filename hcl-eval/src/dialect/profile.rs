//! The meanings of a name, product by product.

use std::sync::Arc;

use super::{PRODUCTS, by_name};
use crate::function::Function;

/// A function with the products in which its name means just that.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Names of dialects, in the order of [`PRODUCTS`].
    pub products: Vec<&'static str>,
    /// The function as the first of them has it.
    pub function: Arc<Function>,
}

/// Returns the functions of a name in all products that have it, the commonest of the first product first.
/// Functions count as one when they are called and described alike.
///
/// ```
/// let upper = hcl_eval::dialect::profiles("upper");
/// assert!(upper[0].products.contains(&"terraform") && upper[0].products.contains(&"packer"));
/// assert_eq!(upper[0].function.name(), "upper");
/// ```
pub fn profiles(name: &str) -> Vec<Profile> {
    let mut found: Vec<Profile> = Vec::new();
    for product in PRODUCTS {
        let Some(function) = by_name(product).and_then(|table| table.get(name).map(Arc::clone)) else {
            continue;
        };
        match found.iter_mut().find(|known| is_described_alike(&known.function, &function)) {
            Some(known) => known.products.push(product),
            None => found.push(Profile { products: vec![product], function }),
        }
    }
    found
}

fn is_described_alike(a: &Function, b: &Function) -> bool {
    let descriptions = |function: &Function| -> Vec<_> {
        function.all_parameters().map(|parameter| parameter.description.clone()).collect()
    };
    a.signature() == b.signature()
        && a.description() == b.description()
        && descriptions(a) == descriptions(b)
        && a.needed_capability() == b.needed_capability()
}
