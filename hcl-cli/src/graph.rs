//! `hcl graph`: what the declarations of a module refer to, as DOT, as text or as JSON.

use std::fmt::Write as _;

use hcl_eval::eval::Scope;
use hcl_module::{DeclaredKind, GraphNode, Module, Release};
use hcl_syntax::source::Range;
use serde::Serialize;

use crate::answer::to_json;
use crate::args::{GraphArguments, ScopeArguments};
use crate::names::{Names, load_module};
use crate::output::{Failure, Outcome, print, report};
use crate::{host, notes};

/// Runs the verb. A module with errors has a graph of what could be read of it.
///
/// # Errors
/// There is no such folder, the dialect has no modules, or nothing can be written.
pub fn run(arguments: &GraphArguments) -> Result<Outcome, Failure> {
    let Some(release) = Release::by_name(arguments.dialect.name()) else {
        let name = arguments.dialect.name();
        return Err(Failure::Usage(format!(
            "{name} has no modules; those of terraform and opentofu have a graph"
        )));
    };
    let scope = ScopeArguments {
        dialect: arguments.dialect,
        given: arguments.given.clone(),
        modules: vec![arguments.folder.clone()],
        on_demand: true,
        planned: false,
        values: Vec::new(),
        lax: false,
        leave_unknown: false,
        allow: Vec::new(),
    };
    let host = host::allowing(&scope.allow)?;
    let functions = Scope::builder().functions(release.functions()).build();
    let (names, diagnostics) = load_module(&scope, release, &arguments.limits, &host, functions)?;
    report(&diagnostics, &arguments.reporting)?;
    let note = notes::on_empty_module(&scope.modules, release);
    notes::tell(note.as_slice(), &arguments.reporting)?;
    if let Names::Module(names) = &names {
        print(drawn(&names.module, arguments).trim_end())?;
    }
    Ok(Outcome::of(&diagnostics))
}

fn drawn(module: &Module, arguments: &GraphArguments) -> String {
    let nodes = module.graph();
    match (arguments.text, arguments.json) {
        (true, _) => text(&nodes),
        (_, true) => json(&nodes),
        _ => dot(&nodes),
    }
}

/// Each declaration, and what it refers to below it.
fn text(nodes: &[GraphNode]) -> String {
    let mut out = String::new();
    for node in nodes {
        out.push_str(&node.address);
        out.push('\n');
        for &reference in &node.references {
            let _ = writeln!(out, "  {}", nodes[reference].address);
        }
    }
    out
}

/// The graph in the language of Graphviz. The declarations of a module are a cluster of their own, inside that of the
/// module that calls it.
fn dot(nodes: &[GraphNode]) -> String {
    let mut out = String::from("digraph {\n  rankdir = \"LR\"\n  node [shape = \"box\"]\n");
    let mut order: Vec<&GraphNode> = nodes.iter().collect();
    // A module comes before those that it calls, and these before its next sibling.
    order.sort_by(|one, other| one.module.cmp(&other.module));
    let mut open: &[String] = &[];
    for node in order {
        let common = open.iter().zip(&node.module).take_while(|(one, other)| one == other).count();
        (common..open.len()).for_each(|_| out.push_str("  }\n"));
        for depth in common..node.module.len() {
            let address = node.module[..=depth].join(".module.");
            let label = quoted(&format!("module.{}", node.module[depth]));
            let _ = writeln!(out, "  subgraph {} {{", quoted(&format!("cluster module.{address}")));
            let _ = writeln!(out, "  label = {label}");
        }
        open = &node.module;
        let (name, own) = (quoted(&node.address), quoted(own_name(node)));
        let _ = writeln!(out, "  {name} [label = {own}{}]", look(node.kind));
    }
    open.iter().for_each(|_| out.push_str("  }\n"));
    for node in nodes {
        for &reference in &node.references {
            let _ = writeln!(out, "  {} -> {}", quoted(&node.address), quoted(&nodes[reference].address));
        }
    }
    out.push_str("}\n");
    out
}

/// The address of a declaration inside its module.
fn own_name(node: &GraphNode) -> &str {
    let before: usize = node.module.iter().map(|name| "module.".len() + name.len() + 1).sum();
    node.address.get(before..).unwrap_or(&node.address)
}

/// The attributes of a node that tell kinds apart.
fn look(kind: DeclaredKind) -> &'static str {
    match kind {
        DeclaredKind::Variable => ", shape = \"cds\"",
        DeclaredKind::Local => "",
        DeclaredKind::Output => ", style = \"bold\"",
        DeclaredKind::Module => ", shape = \"component\"",
        DeclaredKind::Resource | DeclaredKind::Data | DeclaredKind::Ephemeral => ", style = \"rounded\"",
    }
}

/// A text as DOT has it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[derive(Serialize)]
struct Document<'g> {
    nodes: Vec<Node<'g>>,
    edges: Vec<Edge<'g>>,
}

#[derive(Serialize)]
struct Node<'g> {
    address: &'g str,
    kind: &'static str,
    module: String,
    file: &'g str,
    line: u32,
}

/// A reference from one declaration to another, by their addresses.
#[derive(Serialize)]
struct Edge<'g> {
    from: &'g str,
    to: &'g str,
}

fn json(nodes: &[GraphNode]) -> String {
    let edges = nodes.iter().flat_map(|node| {
        let from = node.address.as_str();
        node.references.iter().map(move |&to| Edge { from, to: nodes[to].address.as_str() })
    });
    to_json(&Document { nodes: nodes.iter().map(described).collect(), edges: edges.collect() })
}

/// A declaration as JSON has it; `module` is empty for the root.
fn described(node: &GraphNode) -> Node<'_> {
    let Range { filename, start, .. } = &node.range;
    let kind = match node.kind {
        DeclaredKind::Variable => "variable",
        DeclaredKind::Local => "local",
        DeclaredKind::Output => "output",
        DeclaredKind::Module => "module",
        DeclaredKind::Resource => "resource",
        DeclaredKind::Data => "data",
        DeclaredKind::Ephemeral => "ephemeral",
    };
    let module: Vec<String> = node.module.iter().map(|name| format!("module.{name}")).collect();
    Node { address: &node.address, kind, module: module.join("."), file: filename, line: start.line }
}
