//! References: what the names in an expression mean, found out before it is evaluated.
//!
//! All references of an expression are looked at, also those in parts that will not be evaluated, as the products do:
//! `false ? var.nope : 1` is an error, and `try` does not help. A reference that means nothing is an error, with the
//! product's title; one that means something is a [`Target`]. The root word decides: `var`, `local` and the like are
//! kept for the language, any other word is the type of a resource.

use std::cell::Cell;

use hcl_eval::eval::later_function_problem;
use hcl_eval::function::FunctionTable;
use hcl_syntax::ast::{
    Call, ExpressionKind, Step, StepKind, Traversal, functions_while, variable_expressions_while,
};
use hcl_syntax::config::{Bounds, ConfigExpression, has_room_for_table, push_within};
use hcl_syntax::diagnostic::suggest::{self, first_similar};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashSet;
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::{Source, Span};

use crate::config::Config;
use crate::declare::{Mode, Resource, quoted};
use crate::engine::{Looks, PARTS_OF_REFERENCE};
use crate::names::PathName;
use crate::release::Release;

/// The meaning of a reference.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Target {
    /// `var.x`, by position.
    Variable(usize),
    /// `local.x`
    Local(usize),
    /// `path.module`
    Path(PathName),
    /// `terraform.workspace`
    Workspace,
    /// `terraform.applying`
    Applying,
    /// `count.index`
    CountIndex,
    /// `each.key`
    EachKey,
    /// `each.value`
    EachValue,
    /// `module.c`, by the position of the call, as a whole.
    Module(usize),
    /// `module.c.x`: a call, and the output of the module.
    Output(usize, usize),
    /// `module.c.x`, where the module has no such output.
    NoOutput(usize),
    /// A resource, by position.
    Resource(usize),
    /// The resource that the expression is a part of, as `self`.
    Own,
}

/// The surroundings of an expression that its references are looked up in.
pub(crate) struct Surroundings<'m> {
    /// The release whose words and titles are used.
    pub(crate) release: Release,
    /// The declarations of the module that the expression stands in.
    pub(crate) config: &'m Config,
    /// The declarations of the modules that are called, by the position of the call; `None` if nobody knows them.
    pub(crate) called: &'m dyn Fn(usize) -> Option<&'m Config>,
    /// The functions of the release.
    pub(crate) functions: &'m FunctionTable,
    /// True if `count.index` means something.
    pub(crate) has_count: bool,
    /// True if `each.key` and `each.value` do.
    pub(crate) has_each: bool,
    /// True if `self` does.
    pub(crate) has_self: bool,
    /// The local value whose expression it is.
    pub(crate) local: Option<usize>,
    /// Asked before each part of an expression; may end it with the references found so far.
    pub(crate) looks: &'m Looks<'m>,
}

/// The references of an expression, each meaning once, and what is wrong with the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct References {
    /// The meanings, in the order of the text.
    pub(crate) targets: Vec<Target>,
    pub(crate) problems: Diagnostics,
}

/// The first attribute behind a root name; none if the root stands alone or an index follows.
pub(crate) fn first_attribute(traversal: Traversal<'_>) -> Option<&str> {
    match traversal.steps().iter().next()?.kind {
        StepKind::Attribute(name) => Some(name),
        _ => None,
    }
}

/// The reference that an element of a list is. In quotes it is one, too, of which the products warn: its text is read
/// as a source that begins behind the quote, so that places in it are those of the file.
fn reference_of(element: &ConfigExpression) -> Option<ParsedExpression> {
    let syntax = element.syntax();
    let text = match syntax.expression().kind() {
        ExpressionKind::Text(text) if !element.is_json() => text,
        _ => return element.static_traversal(),
    };
    let (parsed, problems) = parse_expression(quoted(element, text)?, &ParseLimits::default());
    let is_reference = !has_errors(&problems) && parsed.expression().as_static_traversal().is_some();
    is_reference.then_some(parsed)
}

impl Surroundings<'_> {
    /// Looks up the references of a `depends_on` list: each is the whole of something. Elements that are no
    /// references have been complained of when the block was read.
    pub(crate) fn order(&self, list: &ConfigExpression) -> References {
        let mut found = References::default();
        for element in list.static_list().unwrap_or_default() {
            if !self.looks.go_on(PARTS_OF_REFERENCE)
                || found.problems.len() >= self.looks.bounds().max_diagnostics()
            {
                break;
            }
            let Some(syntax) = reference_of(&element) else { continue };
            let source = syntax.tree().source();
            let ExpressionKind::Traversal(traversal) = syntax.expression().kind() else { continue };
            let reader = Lookup { surroundings: self, source, traversal, also: Cell::new(None) };
            let most = match traversal.root() {
                "data" | "ephemeral" | "resource" => 2,
                _ => 1,
            };
            // An instance is a whole, too.
            let has_instances = !matches!(traversal.root(), "var" | "local");
            if traversal.steps().len() > most + usize::from(has_instances && reader.is_index(most)) {
                let detail = "What comes first is named as a whole, without attributes and indexes.";
                let title = "Invalid depends_on reference";
                found.problems.push(reader.error("module.depends_on", title, detail, reader.whole()));
                continue;
            }
            match reader.target() {
                Ok(target) => found.targets.extend(target),
                Err(problems) => found.problems.extend(problems),
            }
        }
        found
    }

    /// Looks all references of an expression up. Functions of namespaces are looked up as well, because the products
    /// do so before they evaluate.
    pub(crate) fn references(&self, expression: &ConfigExpression) -> References {
        let syntax = expression.syntax();
        let source = syntax.tree().source();
        let mut found = References::default();
        let most = self.looks.bounds().max_diagnostics();
        let goes_on = |bytes| self.looks.go_on(1) && self.looks.bounds().has_room(bytes);
        for place in variable_expressions_while(syntax.expression(), goes_on) {
            if !self.looks.go_on(PARTS_OF_REFERENCE) {
                break;
            }
            let ExpressionKind::Traversal(traversal) = place.kind() else { continue };
            let reader = Lookup { surroundings: self, source, traversal, also: Cell::new(None) };
            let target = reader.target();
            found.targets.extend(reader.also.get());
            match target {
                Ok(Some(target)) if found.targets.len() > FEW || !found.targets.contains(&target) => {
                    push_within(&mut found.targets, target, &mut self.looks.bounds());
                }
                Ok(_) => {}
                Err(problems) => found.problems.extend(problems),
            }
            if found.problems.len() >= most {
                break;
            }
        }
        let calls = || functions_while(syntax.expression(), goes_on);
        let of_namespaces = calls().filter(|call| call.name().contains("::"));
        let problems = of_namespaces.filter_map(|call| self.function_problem(call, source));
        found.problems.extend(problems.take(most.saturating_sub(found.problems.len())));
        // Evaluating the call would tell as much, but nothing is evaluated if a reference is wrong. The words for types
        // that such a function takes are wrong references without it.
        if !found.problems.is_empty() {
            let later = |call| later_function_problem(self.functions, call, source);
            found.problems.extend(calls().filter_map(later).take(most.saturating_sub(found.problems.len())));
        }
        let n_targets = found.targets.len();
        if n_targets > FEW && has_room_for_table::<Target>(n_targets, &mut self.looks.bounds()) {
            let mut seen = HashSet::default();
            found.targets.retain(|target| seen.insert(*target));
        }
        found
    }
}

impl Surroundings<'_> {
    /// Returns the problem with a function of a namespace. Of providers only that which comes with the products is
    /// known.
    fn function_problem(&self, call: Call<'_>, source: &Source) -> Option<Diagnostic> {
        let is_tofu = self.release.is_tofu();
        let name = call.name();
        let mut parts = name.split("::");
        let namespace = parts.next().unwrap_or_default();
        let is_function = |name: &str| self.functions.get(name).is_some();
        let title = match (namespace, parts.next()) {
            ("core", Some(function)) if is_tofu || is_function(function) => return None,
            ("provider", Some(provider)) if self.config.has_builtin_provider(provider) => {
                let known = ["encode_tfvars", "decode_tfvars", "encode_expr"];
                if parts.next().is_some_and(|function| known.contains(&function)) {
                    return None;
                }
                if is_tofu { "Function not found in provider" } else { "Unknown provider function" }
            }
            ("provider", _) if is_tofu => "Unknown function provider",
            _ if is_tofu => "Unknown function namespace",
            _ => "Unknown provider function",
        };
        let detail = format!(
            "No function \"{name}\" is known. Functions of providers are not, but for those of \
             terraform.io/builtin/terraform, which required_providers has to name."
        );
        Some(Diagnostic::error("module.reference.function", title, detail).at(source, call.name_span()))
    }
}

/// Up to this many meanings are compared one by one; more are made unique at the end.
const FEW: usize = 16;

/// One reference being looked up.
struct Lookup<'r, 'm> {
    surroundings: &'r Surroundings<'m>,
    source: &'r Source,
    /// The reference: a root word and steps.
    traversal: Traversal<'r>,
    /// The likely meaning of a reference that is wrong, such as a resource that lacks its instance key. It is listed
    /// as a meaning all the same.
    also: Cell<Option<Target>>,
}

/// The target, none for what is no reference, or what is wrong.
type Found = Result<Option<Target>, Diagnostics>;

impl<'r> Lookup<'r, '_> {
    /// Looks the reference up by its root word.
    fn target(&self) -> Found {
        let release = self.surroundings.release;
        match self.traversal.root() {
            "var" => self.variable(),
            "local" => self.local(),
            "path" => self.path(),
            "terraform" => self.run("terraform"),
            "tofu" if release.is_tofu() => self.run("tofu"),
            "count" => self.count(),
            "each" => self.each(),
            "self" if self.surroundings.has_self => Ok(Some(Target::Own)),
            "self" => Err(vec![self.error(
                "module.reference.self",
                "Invalid \"self\" reference",
                "Only provisioners, connections and postconditions can refer to their own resource as self.",
                self.traversal.root_span(),
            )]),
            "module" => self.module(),
            "data" => self.resource(Mode::Data, 0),
            "ephemeral" if release.has_ephemeral() => self.resource(Mode::Ephemeral, 0),
            "resource" => self.resource(Mode::Managed, 0),
            "action" if release.has_actions() => Err(vec![self.error(
                "module.reference.form",
                "Invalid reference",
                "Actions have no values to refer to.",
                self.whole(),
            )]),
            word @ ("template" | "lazy" | "arg") => Err(vec![self.error(
                "module.reference.reserved",
                "Reserved symbol name",
                &format!("The word \"{word}\" is kept for a later use. To refer to a resource of this type write resource.{word}."),
                self.traversal.root_span(),
            )]),
            // The words for types, which `convert` takes as its second argument.
            "string" | "number" | "bool" | "any"
                if release.reserves_type_words() && self.traversal.steps().is_empty() =>
            {
                Ok(None)
            }
            _ => self.resource_of_type(),
        }
    }

    /// The step at a position.
    fn step(&self, at: usize) -> Option<Step<'r>> {
        self.traversal.steps().iter().nth(at)
    }

    /// The name that the step at a position takes.
    fn attribute(&self, at: usize) -> Option<&'r str> {
        match self.step(at)?.kind {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        }
    }

    /// True if the step at a position is an index.
    fn is_index(&self, at: usize) -> bool {
        self.step(at).is_some_and(|step| matches!(step.kind, StepKind::Index(_) | StepKind::LegacyIndex(_)))
    }

    /// From the root to the step at a position, as far as there are steps.
    fn up_to(&self, at: usize) -> Span {
        let root = self.traversal.root_span();
        let steps = self.traversal.steps();
        let last = steps.iter().take(at + 1).last();
        last.map_or(root, |step| root.to(step.span))
    }

    fn whole(&self) -> Span {
        self.up_to(usize::MAX - 1)
    }

    fn error(&self, code: &'static str, title: &str, detail: &str, span: Span) -> Diagnostic {
        Diagnostic::error(code, title.to_owned(), detail).at(self.source, span)
    }

    /// The error about a reference that has not the form that its root word asks for: at the first of the steps from one on
    /// that takes no name, or at all of it if there are too few.
    fn invalid(&self, detail: &str, from: usize) -> Diagnostic {
        let mut steps = self.traversal.steps().after(from).iter();
        let wrong = steps.find(|step| !matches!(step.kind, StepKind::Attribute(_)));
        let span = wrong.map_or_else(|| self.whole(), |step| step.span);
        self.error("module.reference.form", "Invalid reference", detail, span)
    }

    /// The name behind a root word that stands for several things. A root word alone is an error; the products add
    /// that there is no thing of an empty name, in the words that are given as `beside`.
    fn named(&self, beside: Option<(&'static str, String)>) -> Result<&'r str, Diagnostics> {
        if let Some(name) = self.attribute(0) {
            return Ok(name);
        }
        let root = self.traversal.root();
        let mut problems =
            vec![self.invalid(&format!("The word \"{root}\" must be followed by a dot and a name."), 0)];
        problems.extend(beside.map(|(code, title)| {
            Diagnostic::error(code, title, format!("There is no name behind \"{root}\"."))
        }));
        Err(problems)
    }

    /// `var.x`
    fn variable(&self) -> Found {
        let beside = ("module.reference.variable", "Reference to undeclared input variable".to_owned());
        let name = self.named(Some(beside))?;
        let variables = &self.surroundings.config.variables;
        if let Some(at) = variables.get_index_of(name) {
            return Ok(Some(Target::Variable(at)));
        }
        let hint = self
            .meant(name, &mut variables.keys())
            .unwrap_or_else(|| format!(" Declare it with a block: variable \"{name}\" {{}}"));
        let detail = format!("The module declares no variable \"{name}\".{hint}");
        Err(vec![self.undeclared(
            "module.reference.variable",
            "Reference to undeclared input variable",
            &detail,
            0,
        )])
    }

    /// `local.x`, which must not be the local whose value the expression is.
    fn local(&self) -> Found {
        let beside = ("module.reference.local", "Reference to undeclared local value".to_owned());
        let name = self.named(Some(beside))?;
        let locals = &self.surroundings.config.locals;
        match locals.get_index_of(name) {
            Some(at) if self.surroundings.local == Some(at) => {
                let detail = format!("The local value \"{name}\" is made of itself.");
                let title = "Self-referencing local value";
                Err(vec![self.error("module.local.self", title, &detail, self.up_to(0))])
            }
            Some(at) => Ok(Some(Target::Local(at))),
            None => {
                let own = self.surroundings.local.and_then(|at| locals.get_index(at));
                let mut others = locals.keys().filter(|name| own.is_none_or(|(own, _)| own != *name));
                let hint = self.meant(name, &mut others).unwrap_or_default();
                let detail = format!("The module has no local value \"{name}\".{hint}");
                Err(vec![self.undeclared(
                    "module.reference.local",
                    "Reference to undeclared local value",
                    &detail,
                    0,
                )])
            }
        }
    }

    /// A sentence with the name that was probably meant.
    fn meant(&self, name: &str, candidates: &mut dyn Iterator<Item = &String>) -> Option<String> {
        self.surroundings.looks.go_on(suggest::MOST_PARTS);
        let near = first_similar(name, candidates.map(String::as_str))?;
        Some(format!(" Did you mean \"{near}\"?"))
    }

    /// The error about a name that is not declared, from the root to the step at a position.
    fn undeclared(&self, code: &'static str, title: &str, detail: &str, at: usize) -> Diagnostic {
        self.error(code, title, detail, self.up_to(at))
    }

    /// Complains of an attribute that a word does not have.
    fn no_attribute(&self, root: &str, name: &str, known: &[&str]) -> Diagnostics {
        let hint = match first_similar(name, known.iter().copied()) {
            Some(near) => format!(" Did you mean \"{near}\"?"),
            None => format!(" There are: {}.", known.join(", ")),
        };
        let hint = match (root, name) {
            ("terraform" | "tofu", "env") => format!(" It is called {root}.workspace now."),
            _ => hint,
        };
        let detail = format!("The word \"{root}\" has no attribute \"{name}\".{hint}");
        let title = format!("Invalid \"{root}\" attribute");
        vec![self.error("module.reference.attribute", &title, &detail, self.up_to(0))]
    }

    /// The name behind a root word whose attributes are fixed.
    fn attribute_of(&self, root: &'static str) -> Result<&'r str, Diagnostics> {
        self.named(Some(("module.reference.attribute", format!("Invalid \"{root}\" attribute"))))
    }

    /// `path.module` and the like.
    fn path(&self) -> Found {
        let name = self.attribute_of("path")?;
        match PathName::by_name(name) {
            Some(name) => Ok(Some(Target::Path(name))),
            None => Err(self.no_attribute("path", name, &["module", "root", "cwd"])),
        }
    }

    /// `terraform.workspace` and the like.
    fn run(&self, root: &'static str) -> Found {
        let has_applying = self.surroundings.release.has_ephemeral();
        match self.attribute_of(root)? {
            "workspace" => Ok(Some(Target::Workspace)),
            "applying" if has_applying => Ok(Some(Target::Applying)),
            name => {
                let known = if has_applying { &["workspace", "applying"][..] } else { &["workspace"] };
                Err(self.no_attribute(root, name, known))
            }
        }
    }

    /// `count.index`
    fn count(&self) -> Found {
        match self.attribute_of("count")? {
            "index" if self.surroundings.has_count => Ok(Some(Target::CountIndex)),
            "index" => Err(vec![self.error(
                "module.reference.count",
                "Reference to \"count\" in non-counted context",
                "Only the block that sets \"count\" can refer to count.index.",
                self.up_to(0),
            )]),
            name => Err(self.no_attribute("count", name, &["index"])),
        }
    }

    /// `each.key` and `each.value`
    fn each(&self) -> Found {
        let has_each = self.surroundings.has_each;
        match self.attribute_of("each")? {
            "key" if has_each => Ok(Some(Target::EachKey)),
            "value" if has_each => Ok(Some(Target::EachValue)),
            "key" => Err(vec![self.error(
                "module.reference.each",
                "Reference to \"each\" in context without for_each",
                "Only the block that sets \"for_each\" can refer to each.key.",
                self.up_to(0),
            )]),
            "value" => Err(vec![self.error(
                "module.reference.each",
                "each.value cannot be used in this context",
                "Only the block that sets \"for_each\" can refer to each.value.",
                self.up_to(0),
            )]),
            name => Err(self.no_attribute("each", name, &["key", "value"])),
        }
    }

    /// `module.c`, `module.c.x`, `module.c[i].x`. Behind an instance key stands the name of an output, with a dot; an
    /// index there is an error, as in the products. The index of a call that is not repeated is left to evaluation.
    fn module(&self) -> Found {
        let name = self.named(None)?;
        let behind = if self.is_index(1) { 2 } else { 1 };
        if self.is_index(behind) {
            let detail = format!(
                "An instance of the module \"{name}\" is followed by a dot and the name of an output."
            );
            return Err(vec![self.invalid(&detail, behind)]);
        }
        let calls = &self.surroundings.config.calls;
        let Some(at) = calls.get_index_of(name) else {
            let hint = self.meant(name, &mut calls.keys()).unwrap_or_default();
            let detail = format!("The module calls no module \"{name}\".{hint}");
            return Err(vec![self.undeclared(
                "module.reference.module",
                "Reference to undeclared module",
                &detail,
                behind,
            )]);
        };
        let Some(output) = self.attribute(behind) else { return Ok(Some(Target::Module(at))) };
        Ok(Some(match (self.surroundings.called)(at) {
            None => Target::Module(at),
            Some(config) => match config.outputs.get_index_of(output) {
                Some(output) => Target::Output(at, output),
                None => Target::NoOutput(at),
            },
        }))
    }

    /// `data.T.n`, the type at a position behind the root.
    fn resource(&self, mode: Mode, at: usize) -> Found {
        let (Some(resource_type), Some(name)) = (self.attribute(at), self.attribute(at + 1)) else {
            let detail = format!(
                "The word \"{}\" is followed by a type and a name, with dots between them.",
                self.traversal.root()
            );
            return Err(vec![self.invalid(&detail, at)]);
        };
        self.declared_resource(mode, resource_type, name, at + 2)
    }

    /// `T.n`
    fn resource_of_type(&self) -> Found {
        let root = self.traversal.root();
        match self.attribute(0) {
            Some(name) => self.declared_resource(Mode::Managed, root, name, 1),
            None => {
                let detail = format!(
                    "The word \"{root}\" would be the type of a resource, which is followed by a dot and a name. Text \
                     stands in quotes."
                );
                Err(vec![self.invalid(&detail, 0)])
            }
        }
    }

    /// A resource by kind, type and name, with the steps from `behind` on. An index is wanted exactly if the block is
    /// repeated; that holds without knowing the provider.
    fn declared_resource(&self, mode: Mode, resource_type: &str, name: &str, behind: usize) -> Found {
        let config = self.surroundings.config;
        let key = (mode, resource_type.to_owned(), name.to_owned());
        let Some((at, _, resource)) = config.resources.get_full(&key) else {
            // A misspelt root word looks like the type of a resource.
            let word = if mode == Mode::Managed && behind == 1 {
                first_similar(resource_type, ["local", "module", "path", "data", "each", "count", "var"])
            } else {
                None
            };
            let is_output = mode == Mode::Managed && behind == 1 && resource_type == "output";
            let own_output = || {
                " Expressions can't refer to outputs of their own module: write what the output is made of."
                    .to_owned()
            };
            let other = (mode == Mode::Managed && config.resource(Mode::Data, resource_type, name).is_some())
                .then(|| format!(" Did you mean the data source data.{resource_type}.{name}?"))
                .or_else(|| is_output.then(own_output))
                .or_else(|| word.map(|word| format!(" Did you mean {word}.{name}?")));
            let detail = format!(
                "The module declares no {} {}{resource_type}.{name}.{}",
                mode.noun(),
                mode.prefix(),
                other.unwrap_or_default()
            );
            let title = "Reference to undeclared resource";
            return Err(vec![self.undeclared("module.reference.resource", title, &detail, behind - 1)]);
        };
        let address = resource.address();
        self.also.set(Some(Target::Resource(at)));
        if let Some((title, detail)) = unknown_type(resource) {
            return Err(vec![self.error("module.resource", title, &detail, self.whole())]);
        }
        let mut problems = Diagnostics::new();
        if resource.is_repeated() && self.attribute(behind).is_some() {
            let detail = format!("There are several instances of {address}. Say which one: {address}[…].");
            let title = "Missing resource instance key";
            problems.push(self.error("module.reference.instance", title, &detail, self.up_to(behind - 1)));
        }
        if !resource.is_repeated() && self.is_index(behind) {
            let detail = format!("There is one {address}, which needs no index.");
            let title = "Unexpected resource instance key";
            problems.push(self.error("module.reference.instance", title, &detail, self.up_to(behind)));
        }
        let attribute = if self.is_index(behind) { behind + 1 } else { behind };
        problems.extend(self.attribute_of_resource(resource, attribute));
        if problems.is_empty() { Ok(Some(Target::Resource(at))) } else { Err(problems) }
    }

    /// The first step that an instance of a type which comes with the products can't take, from a position on. It is
    /// told beside a missing or superfluous key.
    fn attribute_of_resource(&self, resource: &Resource, at: usize) -> Option<Diagnostic> {
        let known = known_attributes(resource.mode, &resource.resource_type)?;
        let step = self.step(at)?;
        let address = resource.address();
        let code = "module.reference.resource_attribute";
        let StepKind::Attribute(name) = step.kind else {
            let is_index = matches!(step.kind, StepKind::Index(_) | StepKind::LegacyIndex(_));
            let detail = format!("Attributes of {address} are taken with a dot and their name.");
            return is_index.then(|| self.error(code, "Invalid index operation", &detail, step.span));
        };
        if !known.contains(&name) {
            let hint = first_similar(name, known.iter().copied());
            let hint = hint.map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
            let detail = format!("{address} has no attribute \"{name}\".{hint}");
            return Some(self.error(code, "Unsupported attribute", &detail, step.span));
        }
        let step = self.step(at + 1).filter(|_| TEXTS.contains(&name))?;
        let title = match step.kind {
            StepKind::Attribute(_) => "Unsupported attribute",
            StepKind::Index(_) | StepKind::LegacyIndex(_) => "Invalid index",
            StepKind::InvalidLegacyIndex => return None,
        };
        let detail = format!("The attribute \"{name}\" of {address} is text, which has no parts.");
        Some(self.error(code, title, &detail, step.span))
    }
}

/// The attributes of the types that come with the products whose values are text. Those of all others can be anything.
const TEXTS: &[&str] = &["id", "backend", "workspace"];

/// Title and detail about a type that the products' own provider does not have.
pub(crate) fn unknown_type(resource: &Resource) -> Option<(&'static str, String)> {
    let is_own = resource.resource_type.starts_with("terraform_");
    if !is_own || known_attributes(resource.mode, &resource.resource_type).is_some() {
        return None;
    }
    let title = match resource.mode {
        Mode::Managed => "Invalid resource type",
        Mode::Data => "Invalid data source",
        Mode::Ephemeral => "Invalid ephemeral resource",
    };
    let what = resource.mode.noun();
    Some((title, format!("The products come with no {what} of the type \"{}\".", resource.resource_type)))
}

/// The attributes of the types that come with the products; nothing for those of other providers.
pub(crate) fn known_attributes(mode: Mode, resource_type: &str) -> Option<&'static [&'static str]> {
    match (mode, resource_type) {
        (Mode::Managed, "terraform_data") => Some(&["id", "input", "output", "triggers_replace"]),
        (Mode::Data, "terraform_remote_state") => {
            Some(&["backend", "config", "defaults", "outputs", "workspace"])
        }
        _ => None,
    }
}
