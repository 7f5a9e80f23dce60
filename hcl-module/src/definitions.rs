//! The blocks in which a configuration defines its names.

use hcl_eval::dialect;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::schema::BodySchema;

/// The content of a body besides the blocks in which a configuration of the product of a dialect defines its names: `var` and
/// `local`. Nothing if the dialect is that of no product.
///
/// ```
/// use hcl_module::without_definitions;
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("main.nomad", "locals {}\njob \"a\" {}\n")?;
/// let (file, _) = parse_file(source, &ParseLimits::default());
/// let rest = without_definitions(&ConfigBody::from(&file), "nomad").expect("a product's dialect");
/// assert_eq!(rest.everything().blocks[0].block_type(), "job");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn without_definitions(body: &ConfigBody, dialect: &str) -> Option<ConfigBody> {
    let schema = BodySchema::default().block("variable", &["name"]).block("locals", &[]);
    let schema = match dialect::product(dialect)? {
        "terraform" | "opentofu" => schema,
        "nomad" => schema.block("variables", &[]),
        "packer" => schema.block("variables", &[]).block("local", &["name"]),
        _ => return None,
    };
    let (_, rest, _) = body.partial_content(&schema);
    Some(rest)
}
