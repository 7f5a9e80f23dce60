//! The order in which locals and data sources are evaluated: each after those that it needs.
//!
//! The needs of a definition follow from the text: every reference counts, also one that is never evaluated. A reference to a
//! local or data source that is not there, one that leaves open which is meant, and a ring are an error each, with
//! which nothing is evaluated at all.

use hcl_eval::eval::Evaluation;
use hcl_syntax::ast::{StepKind, Traversal, variables};
use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::diagnostic::suggest::{self, first_similar};
use hcl_syntax::hash::IndexSet;
use hcl_syntax::stack;

use super::configuration::Configuration;
use super::error;

/// A definition, by its position.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Local(usize),
    Data(usize),
}

/// A definition with what it needs.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) node: Node,
    /// In the order of the text.
    pub(super) needs: IndexSet<Node>,
    /// True if it refers to `local` as a whole. What that holds depends on the order.
    pub(super) sees_all: bool,
}

/// Complaints that are told; more of them help nobody.
const TOLD: usize = 3;

/// The definitions in an order in which they can be evaluated. The error is one for all that is wrong, as Packer has
/// it.
pub(super) fn plan(
    configuration: &Configuration,
    evaluation: &mut Evaluation<'_>,
) -> Result<Vec<Step>, Box<Diagnostic>> {
    let mut reader = References { configuration, bounds: evaluation.bounds(), problems: Vec::new() };
    let mut steps: Vec<Step> = Vec::new();
    for (at, local) in configuration.locals.iter().enumerate() {
        if !reader.bounds.next_item() {
            break;
        }
        let mut step = Step { node: Node::Local(at), needs: IndexSet::default(), sees_all: false };
        reader.of_expression(&local.expression, &[], &mut step);
        steps.push(step);
    }
    for (at, data) in configuration.data.iter().enumerate() {
        if !reader.bounds.next_item() {
            break;
        }
        let mut step = Step { node: Node::Data(at), needs: IndexSet::default(), sees_all: false };
        reader.of_body(&data.body, &mut Vec::new(), &mut step);
        steps.push(step);
    }
    if reader.problems.is_empty() {
        // A graph that a limit has cut short has no order.
        if !reader.bounds.goes_on(steps.len()) {
            return Ok(Vec::new());
        }
        match sorted(&steps, configuration) {
            Ok(order) => return Ok(order.into_iter().map(|at| steps[at].clone()).collect()),
            Err(ring) => reader.problems.push(ring),
        }
    }
    Err(Box::new(error::no_graph(&reader.problems)))
}

/// Looks up what definitions need.
struct References<'c> {
    configuration: &'c Configuration,
    /// The limits, which may end the work with what has been found.
    bounds: &'c mut dyn Bounds,
    /// Sentences about references that mean nothing.
    problems: Vec<String>,
}

impl References<'_> {
    /// Adds what an expression needs. `bound` are names that mean something else there.
    fn of_expression(&mut self, expression: &ConfigExpression, bound: &[String], step: &mut Step) {
        let syntax = expression.syntax();
        for reference in variables(syntax.expression()) {
            // The others are not told, and nothing is put in order any more.
            if !self.bounds.next_item() || self.problems.len() >= TOLD {
                break;
            }
            if bound.iter().any(|name| name == reference.root()) {
                continue;
            }
            let needed = match reference.root() {
                "local" => self.local(reference, step),
                "data" => self.data(reference),
                _ => continue,
            };
            match needed {
                Ok(needed) => step.needs.extend(needed),
                Err(problem) => {
                    let place = syntax.tree().source().range(reference.root_span());
                    self.problems.push(format!("At {place}, {problem}."));
                }
            }
        }
    }

    /// The local that a reference means. An index is refused: Packer crashes over `local["b"]` in a local.
    fn local(&mut self, reference: Traversal<'_>, step: &mut Step) -> Result<Option<Node>, String> {
        match reference.steps().iter().next().map(|step| step.kind) {
            None => {
                step.sees_all = true;
                Ok(None)
            }
            Some(StepKind::Attribute(name)) => match self.configuration.local(name) {
                Some(at) => Ok(Some(Node::Local(at))),
                None => {
                    self.bounds.goes_on(suggest::MOST_PARTS);
                    let known = self.configuration.locals.iter().map(|local| local.name.as_str());
                    let hint = first_similar(name, known)
                        .map_or_else(String::new, |near| format!("; local.{near} was probably meant"));
                    Err(format!("local.{name} is not defined{hint}"))
                }
            },
            Some(_) => Err("a local is referred to by an index; write local.NAME".to_owned()),
        }
    }

    /// The data source that a reference means, which gives its type and name.
    fn data(&self, reference: Traversal<'_>) -> Result<Option<Node>, String> {
        let mut names = reference.steps().iter().map_while(|step| match step.kind {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        });
        let (Some(data_type), Some(name)) = (names.next(), names.next()) else {
            return Err(
                "a data source is referred to without its type and name; write data.TYPE.NAME".to_owned()
            );
        };
        match self.configuration.data(data_type, name) {
            Some(at) => Ok(Some(Node::Data(at))),
            None => Err(format!("data.{data_type}.{name} is not defined")),
        }
    }

    /// Adds what everything in a body needs. The content of a dynamic block does not need what its iterator is
    /// called; `iterator` itself is a word and no reference.
    fn of_body(&mut self, body: &ConfigBody, bound: &mut Vec<String>, step: &mut Step) {
        stack::level(|| self.of_content(body, bound, step));
    }

    fn of_content(&mut self, body: &ConfigBody, bound: &mut Vec<String>, step: &mut Step) {
        let content = body.everything_within(self.bounds);
        for attribute in content.attributes.iter() {
            self.of_expression(&attribute.expression(), bound, step);
        }
        for block in &content.blocks {
            let n_bound = bound.len();
            if block.block_type() == "dynamic" {
                let inner = block.body().everything_within(self.bounds);
                let named = inner.expression("iterator").and_then(|name| name.keyword());
                bound.extend(named.or_else(|| block.label(0).map(|label| label.text.to_owned())));
                for attribute in inner.attributes.iter().filter(|attribute| attribute.name() != "iterator") {
                    self.of_expression(&attribute.expression(), bound, step);
                }
                for content in &inner.blocks {
                    self.of_body(&content.body(), bound, step);
                }
            } else {
                self.of_body(&block.body(), bound, step);
            }
            bound.truncate(n_bound);
        }
    }
}

/// How far a definition is.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Progress {
    /// It has not been looked at.
    New,
    /// Its needs are being placed.
    Open,
    /// It is in the order.
    Done,
}

/// Positions of the steps, each after what it needs; those that see all locals as late as possible.
fn sorted(steps: &[Step], configuration: &Configuration) -> Result<Vec<usize>, String> {
    let position = |node: Node| match node {
        Node::Local(at) => at,
        Node::Data(at) => configuration.locals.len() + at,
    };
    let mut order = Vec::with_capacity(steps.len());
    let mut progress = vec![Progress::New; steps.len()];
    let late = |sees_all: bool| (0..steps.len()).filter(move |&at| steps[at].sees_all == sees_all);
    for start in late(false).chain(late(true)) {
        if progress[start] != Progress::New {
            continue;
        }
        progress[start] = Progress::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let Some(&needed) = steps[at].needs.get_index(*next) else {
                progress[at] = Progress::Done;
                order.push(at);
                path.pop();
                continue;
            };
            *next += 1;
            let needed = position(needed);
            match progress[needed] {
                Progress::Done => {}
                Progress::New => {
                    progress[needed] = Progress::Open;
                    path.push((needed, 0));
                }
                Progress::Open => {
                    let from = path.iter().position(|(member, _)| *member == needed).unwrap_or(0);
                    let members =
                        path[from..].iter().map(|(member, _)| shown(steps[*member].node, configuration));
                    let mut members: Vec<String> = members.collect();
                    members.push(shown(steps[needed].node, configuration));
                    return Err(format!(
                        "There is a ring: {}. Take one of the references out.",
                        members.join(" needs ")
                    ));
                }
            }
        }
    }
    Ok(order)
}

/// The name of a definition in messages.
fn shown(node: Node, configuration: &Configuration) -> String {
    match node {
        Node::Local(at) => format!("local.{}", configuration.locals[at].name),
        Node::Data(at) => {
            let data = &configuration.data[at];
            format!("data.{}.{}", data.data_type, data.name)
        }
    }
}
