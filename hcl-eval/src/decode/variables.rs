//! The variables that decoding needs, found without evaluating anything.

use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression, Unbounded};
use hcl_syntax::source::Source;

use super::spec::{BodySpec, Spec};
use crate::dynamic::{Body, Needed, VariableWalk};
use crate::sorting::sort_by;
use crate::stack;

/// The variables of all expressions that decoding reads, in the order of the specification and within it
/// in the order of the text, repetitions included. What is wrong with the body is not said here.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, Spec, variables};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).into();
/// let file = File::parse("main.hcl", "port = var.base + 1\nother = var.more\n")?;
/// let needed = variables(&ConfigBody::from(&file), &spec);
/// assert_eq!(needed.len(), 1);
/// assert_eq!(needed[0].syntax().expression().source_text(), "var.base");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variables(body: &ConfigBody, spec: &BodySpec) -> Vec<ConfigExpression> {
    variables_within(body, spec, &mut Unbounded)
}

/// [`variables`] within bounds: those that have been found when they end it are not all.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, Spec, variables_within};
/// use hcl_syntax::config::{ConfigBody, Unbounded};
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).into();
/// let body = ConfigBody::from(&File::parse("main.hcl", "port = var.base + 1\n")?);
/// assert_eq!(variables_within(&body, &spec, &mut Unbounded).len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variables_within(
    body: &ConfigBody,
    spec: &BodySpec,
    bounds: &mut dyn Bounds,
) -> Vec<ConfigExpression> {
    let mut found = Vec::new();
    collect(body, spec, &mut found, bounds);
    found
}

/// Adds the variables of the attributes that the specification evaluates, in the order of the specification.
fn collect(body: &ConfigBody, spec: &BodySpec, found: &mut Vec<ConfigExpression>, bounds: &mut dyn Bounds) {
    stack::grow(u32::MAX, || {
        let (content, _, _) = body.partial_content_within(spec.schema(), bounds);
        spec.spec().visit(&mut |spec| {
            if let Spec::Attribute(attribute) = spec
                && let Some(attribute) = content.attributes.get(attribute.name.as_str())
            {
                attribute.expression().find_variables(found, bounds);
            }
            let Some((block_type, nested)) = spec.blocks_read() else { return true };
            let reads_one = matches!(spec, Spec::Block(_) | Spec::BlockAttributes(_));
            let n_read = if reads_one { 1 } else { usize::MAX };
            for block in content.blocks_of_type(block_type).take(n_read) {
                match nested {
                    Some(nested) => collect(&block.body(), nested, found, bounds),
                    None => {
                        for attribute in &block.body().just_attributes_within(bounds).0 {
                            attribute.expression().find_variables(found, bounds);
                        }
                    }
                }
            }
            true
        });
    });
}

/// The variables that decoding a body with dynamic blocks needs, or those that its expansion alone needs, in
/// the order of the text, repetitions included.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, BlockSpec, Spec, variables_of_dynamic};
/// use hcl_eval::dynamic::{Body, Expansion, Needed};
/// use hcl_eval::Type;
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let text = "dynamic \"listen\" {\n  for_each = var.on\n  content {\n    port = local.port\n  }\n}\n";
/// let config = ConfigBody::from(&File::parse("main.hcl", text)?);
/// let body = Body::expanding(config, Arc::new(Expansion::new(None)));
/// let port = Spec::from(AttributeSpec::new("port", Type::Number));
/// let listen = BlockSpec { block_type: "listen".into(), required: false, nested: Arc::new(port.into()) };
/// let spec = Spec::Block(listen).into();
/// assert_eq!(variables_of_dynamic(&body, &spec, Needed::ForExpansion).len(), 1);
/// assert_eq!(variables_of_dynamic(&body, &spec, Needed::ForAll).len(), 2);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variables_of_dynamic(body: &Body, spec: &BodySpec, needed: Needed) -> Vec<ConfigExpression> {
    variables_of_dynamic_within(body, spec, needed, &mut Unbounded)
}

/// [`variables_of_dynamic`] within bounds: those that have been found when they end it are not all.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, Spec, variables_of_dynamic_within};
/// use hcl_eval::dynamic::{Body, Needed};
/// use hcl_syntax::config::Unbounded;
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).into();
/// let body = Body::from(&File::parse("main.hcl", "port = var.base + 1\n")?);
/// assert_eq!(variables_of_dynamic_within(&body, &spec, Needed::ForAll, &mut Unbounded).len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn variables_of_dynamic_within(
    body: &Body,
    spec: &BodySpec,
    needed: Needed,
    bounds: &mut dyn Bounds,
) -> Vec<ConfigExpression> {
    let mut found = Vec::new();
    collect_dynamic(&VariableWalk::new(body, needed), spec, &mut found, bounds);
    // Sorting takes as much again.
    match bounds.has_room(found.len().saturating_mul(2 * size_of::<Placed>())) {
        true => in_order_of_text(found),
        false => Vec::new(),
    }
}

fn collect_dynamic(
    walk: &VariableWalk,
    spec: &BodySpec,
    found: &mut Vec<ConfigExpression>,
    bounds: &mut dyn Bounds,
) {
    stack::grow(u32::MAX, || {
        let children = walk.visit(spec.schema(), found, bounds);
        let specs = spec.block_specs();
        for (block_type, child) in children {
            match specs.get(block_type.as_str()) {
                Some(Some(spec)) => collect_dynamic(&child, spec, found, bounds),
                Some(None) => child.visit_attributes(found, bounds),
                None => {}
            }
        }
    });
}

/// A variable with its file and its offset there.
type Placed = (usize, u64, ConfigExpression);

/// Sorted by place; files stay in the order in which they were met.
fn in_order_of_text(variables: Vec<ConfigExpression>) -> Vec<ConfigExpression> {
    let mut sources: Vec<Source> = Vec::new();
    let mut placed: Vec<Placed> = variables
        .into_iter()
        .map(|variable| {
            let source = variable.source();
            let file = sources.iter().position(|known| known == source).unwrap_or_else(|| {
                sources.push(source.clone());
                sources.len() - 1
            });
            (file, variable.range().start.byte, variable)
        })
        .collect();
    sort_by(&mut placed, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    placed.into_iter().map(|(_, _, variable)| variable).collect()
}
