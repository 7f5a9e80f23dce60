//! The values of locals and data sources, evaluated one after the other.
//!
//! A data source is not asked here, so that its value is unknown, unless the host gives one. Its body is evaluated
//! nevertheless, for what is wrong in it.

use std::sync::Arc;

use hcl_eval::dynamic::{Body, Expansion};
use hcl_eval::eval::Scope;
use hcl_eval::evaluated::evaluate_body;
use hcl_eval::{Str, Type, Value};
use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::suggest;
use hcl_syntax::hash::{HashMap, IndexMap};

use super::configuration::{Configuration, Data};
use super::error;
use super::order::{Node, Step, plan};
use super::session::Session;
use crate::place::Place;
use crate::resource_values::{ResourceValue, data_source};

/// The values so far, by position.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// The values of locals; none where the work has not come, or where it failed.
    locals: Vec<Option<Value>>,
    data: Vec<Option<Value>>,
}

impl Definitions {
    /// The locals that have a value, in the order of their definition. Fewer once `bounds` end the work.
    pub(super) fn locals(
        &self,
        configuration: &Configuration,
        bounds: &mut dyn Bounds,
    ) -> IndexMap<String, Value> {
        let both = configuration.locals.iter().zip(&self.locals).take_while(|_| bounds.next_item());
        both.filter_map(|(local, value)| Some((local.name.clone(), value.clone()?))).collect()
    }

    /// All data sources that have a value, as an object of objects.
    pub(super) fn data_object(&self, configuration: &Configuration) -> Value {
        data_object(
            (0..configuration.data.len()).filter(|&at| self.data[at].is_some()),
            configuration,
            &self.data,
        )
    }
}

/// The values that a host gives to data sources, by position. An address that leads to none is complained of.
pub(super) fn given(
    values: &[ResourceValue],
    configuration: &Configuration,
    session: &mut Session<'_>,
) -> HashMap<usize, Value> {
    let mut given = HashMap::default();
    // The addresses that there are, listed when one is wrong.
    let mut known: Option<Vec<String>> = None;
    for one in values {
        if !session.evaluation.bounds().goes_on(suggest::MOST_PARTS) {
            break;
        }
        let Some((data_type, name)) = data_source(&one.address) else {
            session.diagnostics.push(error::no_data_address(&one.address));
            continue;
        };
        match configuration.data(&data_type, &name) {
            Some(at) => {
                given.insert(at, one.value.clone());
            }
            None => {
                let known = known.get_or_insert_with(|| {
                    configuration.data.iter().take(suggest::MOST_CANDIDATES).map(Data::address).collect()
                });
                session.diagnostics.push(error::undeclared_data(&one.address, known));
            }
        }
    }
    given
}

/// Evaluates locals and data sources in the order that [`plan`] finds. The first that fails ends the work, as in
/// Packer; those after it have no value.
pub(super) fn evaluate(
    configuration: &Configuration,
    given: &HashMap<usize, Value>,
    base: &Arc<Scope>,
    session: &mut Session<'_>,
) -> Definitions {
    let mut definitions = Definitions {
        locals: vec![None; configuration.locals.len()],
        data: vec![None; configuration.data.len()],
    };
    let steps = match plan(configuration, &mut session.evaluation) {
        Ok(steps) => steps,
        Err(problem) => {
            session.diagnostics.push(*problem);
            return definitions;
        }
    };
    for step in &steps {
        if session.evaluation.stopped() {
            break;
        }
        // A scope with all locals is charged, since each such definition makes one.
        if step.sees_all {
            let place = match step.node {
                Node::Local(at) => Place::of(&configuration.locals[at].expression),
                Node::Data(at) => configuration.data[at].place.clone(),
            };
            let charged = session.evaluation.charge(definitions.locals.len(), 0, place.in_source());
            if let Err(limit) = charged {
                session.diagnostics.extend(limit);
                break;
            }
        }
        let sees_locals = matches!(step.node, Node::Local(_)) || session.release.orders_data_with_locals();
        let scope = scope_of(step, sees_locals, configuration, &definitions, base);
        match step.node {
            Node::Local(at) => {
                let Ok(value) = session.value(&configuration.locals[at].expression, Some(&scope)) else {
                    break;
                };
                definitions.locals[at] = Some(value);
            }
            Node::Data(at) => {
                let data = &configuration.data[at];
                let expansion = Arc::new(Expansion::new(Some(Arc::clone(&scope))));
                let body = Body::expanding(data.body.clone(), expansion);
                let (_, problems) = evaluate_body(&body, &[], &scope, &mut session.evaluation);
                if !problems.is_empty() {
                    session.diagnostics.extend(problems);
                    break;
                }
                let told = given.get(&at).cloned();
                definitions.data[at] = Some(told.unwrap_or_else(|| Value::unknown(Type::Dynamic)));
            }
        }
    }
    definitions
}

/// Returns the scope of a definition: of the others only those that it needs, so that all scopes together are small.
/// Before Packer 1.12 data sources did not see locals.
fn scope_of(
    step: &Step,
    sees_locals: bool,
    configuration: &Configuration,
    definitions: &Definitions,
    base: &Arc<Scope>,
) -> Arc<Scope> {
    let local = |at: usize| {
        Some((Str::from(configuration.locals[at].name.as_str()), definitions.locals[at].clone()?))
    };
    let needed = step.needs.iter();
    let locals = match step.sees_all {
        _ if !sees_locals => Vec::new(),
        true => (0..configuration.locals.len()).filter_map(local).collect(),
        false => needed
            .clone()
            .filter_map(|node| if let Node::Local(at) = node { local(*at) } else { None })
            .collect(),
    };
    let data = needed.filter_map(|node| if let Node::Data(at) = node { Some(*at) } else { None });
    Scope::builder()
        .parent(Arc::clone(base))
        .variable("local", Value::object(locals))
        .variable("data", data_object(data, configuration, &definitions.data))
        .build()
}

/// The data sources at some positions as an object of types, each an object of names.
fn data_object(
    positions: impl Iterator<Item = usize>,
    configuration: &Configuration,
    values: &[Option<Value>],
) -> Value {
    let mut by_type: IndexMap<&str, Vec<(Str, Value)>> = IndexMap::default();
    for at in positions {
        let data = &configuration.data[at];
        let value = values[at].clone().unwrap_or_default();
        by_type.entry(&data.data_type).or_default().push((data.name.as_str().into(), value));
    }
    Value::object(by_type.into_iter().map(|(name, values)| (name.into(), Value::object(values))).collect())
}
