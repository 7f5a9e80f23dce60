//! Definitions that refer to each other, such as Terraform's `locals`: each is evaluated once, after those
//! that it needs.
//!
//! ```
//!
//! use hcl_eval::eval::EvalOptions;
//! use hcl_eval::order::Definitions;
//! use hcl_syntax::config::ConfigBody;
//! use hcl_syntax::parser::parse_file;
//! use hcl_syntax::source::Source;
//!
//! let text = "url  = \"http://${local.host}:80\"\nhost = \"${local.name}.example.com\"\nname = \"www\"\n";
//! let (file, _) = parse_file(Source::new("main.hcl", text)?, &Default::default());
//! let (attributes, _) = ConfigBody::from(&file).just_attributes();
//!
//! let mut locals = Definitions::below("local");
//! locals.extend(&attributes);
//! let (values, problems) = locals.evaluate(None, &EvalOptions::default());
//! assert!(problems.is_empty());
//! assert_eq!(values.get("url").and_then(|url| url.as_str()), Some("http://www.example.com:80"));
//! # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
//! ```
//!
//! Only what an expression refers to by name counts, whether or not it is needed in the end: `false ? local.a
//! : 1` needs `a`. Definitions that need each other in a circle are unknown, and a diagnostic shows the
//! circle. The work is linear in definitions and references, and a chain may be of any length.

mod code;
mod error;
mod graph;

use std::cell::RefCell;
use std::iter;
use std::sync::Arc;

use hcl_syntax::ast::{ExpressionKind, StepKind, Traversal, variable_expressions_while};
use hcl_syntax::config::{Bounds, ConfigExpression, ContentAttribute, Unbounded};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::hash::{HashMap, IndexMap};
use hcl_syntax::parser::ParsedExpression;
use hcl_syntax::source::{Source, Span};

use crate::Str;
use crate::eval::{EvalOptions, Evaluation, Scope, ScopeBuilder};
use crate::sorting::sort_by_on;
use crate::value::{Mark, Value};

/// How much memory a definition takes while its place in the order is found, beside what it needs.
const BYTES_FOR_DEFINITION: usize = 80;

/// A name and the expression that gives its value.
#[derive(Debug)]
pub(crate) struct Definition {
    name: Str,
    name_span: Span,
    source: Source,
    expression: ParsedExpression,
    /// The mark of its value.
    mark: Option<Mark>,
}

/// Expressions with names by which they refer to each other. The first definition of a name counts.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_eval::order::Definitions;
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "total = local.price * 2\nprice = 21\n")?;
/// let (attributes, _) = ConfigBody::from(&file).just_attributes();
/// let mut locals = Definitions::below("local");
/// locals.extend(&attributes);
/// assert_eq!(locals.order().0, ["price", "total"]);
/// let (values, problems) = locals.evaluate(None, &EvalOptions::default());
/// assert_eq!((values["total"].to_string(), problems.len()), ("42".to_owned(), 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Debug)]
pub struct Definitions {
    /// The variable whose attributes the definitions are; `None` if they are variables themselves.
    root: Option<Str>,
    definitions: Vec<Definition>,
    by_name: HashMap<Str, usize>,
    problems: Diagnostics,
}

/// How much memory a definition takes while its place in the order is found, beside what it needs.
const BYTES_OF_PLAN: usize = 256;

/// The definitions in the order in which they can be evaluated.
struct Plan {
    /// Positions, each after those that it needs; without circles.
    order: Vec<usize>,
    needs: graph::Needs,
}

impl Definitions {
    /// Definitions that refer to each other by name alone: `a = b + 1`.
    pub fn plain() -> Self {
        Self {
            root: None,
            definitions: Vec::new(),
            by_name: HashMap::default(),
            problems: Diagnostics::new(),
        }
    }

    /// Definitions that refer to each other as attributes of a variable: `a = local.b + 1`. The variable can't
    /// be used as a whole, or with a computed index, since nothing would tell what is needed.
    pub fn below(root: &str) -> Self {
        Self { root: Some(root.into()), ..Self::plain() }
    }

    /// Adds a definition. `name_span` is where the name stands in the source of the expression. One that is
    /// there already is kept, and the second is reported.
    pub fn add(&mut self, name: &str, name_span: Span, expression: &ConfigExpression) {
        let source = expression.source().clone();
        if let Some(&first) = self.by_name.get(name) {
            let first = &self.definitions[first];
            self.problems.push(error::duplicate(&self.shown(name), first, &source, name_span));
            return;
        }
        let name = Str::from(name);
        self.by_name.insert(name.clone(), self.definitions.len());
        let expression = expression.syntax();
        self.definitions.push(Definition { name, name_span, source, expression, mark: None });
    }

    /// Marks the value of a definition that has been added, before any other sees it.
    pub fn mark(&mut self, name: &str, mark: Mark) {
        if let Some(&at) = self.by_name.get(name) {
            self.definitions[at].mark = Some(mark);
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    /// How many complaints there are about names that were added again.
    ///
    /// ```
    /// assert_eq!(hcl_eval::order::Definitions::plain().n_problems(), 0);
    /// ```
    pub fn n_problems(&self) -> usize {
        self.problems.len()
    }

    /// Returns whether there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// The names in the order in which they can be evaluated, each after those that it needs; those of circles,
    /// and those that use the variable as a whole, are left out. What is wrong with the definitions is in the diagnostics.
    pub fn order(&self) -> (Vec<&str>, Diagnostics) {
        self.order_within(&mut Unbounded)
    }

    /// [`Definitions::order`] within bounds: what has been found when they end it is not all.
    ///
    /// ```
    /// use hcl_eval::order::Definitions;
    /// use hcl_syntax::config::Unbounded;
    ///
    /// assert!(Definitions::plain().order_within(&mut Unbounded).0.is_empty());
    /// ```
    pub fn order_within(&self, bounds: &mut dyn Bounds) -> (Vec<&str>, Diagnostics) {
        // Each list of the plan has an entry for each definition, and so has the list of names.
        if !bounds.has_room(self.len().saturating_mul(BYTES_OF_PLAN)) {
            return (Vec::new(), Diagnostics::new());
        }
        let (plan, problems) = self.plan(bounds);
        (plan.order.iter().map(|&at| self.definitions[at].name.as_str()).collect(), problems)
    }

    /// The values by name, in the order in which the definitions were added. `scope` is what there is
    /// besides; the options hold for all of them together. What has no value is unknown.
    pub fn evaluate(
        &self,
        scope: Option<&Arc<Scope>>,
        options: &EvalOptions<'_>,
    ) -> (IndexMap<Str, Value>, Diagnostics) {
        self.evaluate_with(scope, &mut Evaluation::new(options))
    }

    /// The values by name, as a part of something larger with limits of its own.
    pub fn evaluate_with(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (IndexMap<Str, Value>, Diagnostics) {
        let (values, diagnostics) = self.values(scope, evaluation);
        let values = values.into_iter().chain(iter::repeat(Value::dynamic()));
        (self.names().zip(values).collect(), diagnostics)
    }

    /// The values as an object, as [`evaluate_with`](Self::evaluate_with) has them; unknown once a limit is reached.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation};
    /// use hcl_eval::order::Definitions;
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::parser::File;
    ///
    /// let (attributes, _) = ConfigBody::from(&File::parse("main.hcl", "b = a * 2\na = 21\n")?).just_attributes();
    /// let mut definitions = Definitions::plain();
    /// definitions.extend(&attributes);
    /// let (value, problems) = definitions.evaluate_object(None, &mut Evaluation::new(&EvalOptions::default()));
    /// assert_eq!((value.to_json()?.as_str(), problems.len()), (r#"{"a":21,"b":42}"#, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_object(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        let (values, mut diagnostics) = self.values(scope, evaluation);
        if evaluation.stopped() {
            return (Value::dynamic(), diagnostics);
        }
        let last = self.definitions.last().map(|last| (&last.source, last.name_span));
        let object = evaluation.within(last, |meter| {
            meter.hold_parts(values.len(), size_of::<(Str, Value)>())?;
            Value::object_on(self.names().zip(values).collect(), &mut Some(meter))
        });
        let value = object.unwrap_or_else(|limit| {
            diagnostics.extend(limit);
            Value::dynamic()
        });
        (value, diagnostics)
    }

    /// The names, in the order in which the definitions were added.
    fn names(&self) -> impl Iterator<Item = Str> {
        self.definitions.iter().map(|definition| definition.name.clone())
    }

    /// The values, in the order in which the definitions were added.
    fn values(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Vec<Value>, Diagnostics) {
        let Some(last) = self.definitions.last() else { return (Vec::new(), Diagnostics::new()) };
        let n = self.definitions.len();
        let sources = self.definitions.iter().map(|definition| &definition.source);
        // A limit that is reached here leaves all without a value.
        if let Err(limit) = evaluation
            .find_lines(sources)
            .and_then(|()| evaluation.hold_parts(n, size_of::<Value>() + BYTES_FOR_DEFINITION))
        {
            return (Vec::new(), limit);
        }
        let mut values = vec![Value::dynamic(); n];
        let (plan, mut diagnostics) = self.plan(evaluation.bounds());
        evaluation.tell_limit(Some((&last.source, last.name_span)), &mut diagnostics);
        for &at in &plan.order {
            let definition = &self.definitions[at];
            if !evaluation.may_report(&diagnostics) {
                evaluation.tell_limit(Some((&definition.source, definition.name_span)), &mut diagnostics);
                break;
            }
            let own = self.scope_of(&plan.needs[at], &values, scope);
            let (value, problems) =
                evaluation.evaluate_syntax(definition.expression.expression(), Some(&own));
            values[at] = match &definition.mark {
                Some(mark) => value.mark(mark.clone()),
                None => value,
            };
            diagnostics.extend(problems);
        }
        (values, diagnostics)
    }

    /// Returns the scope of one definition: of the others only those it needs, so that all scopes together are small.
    fn scope_of(&self, needs: &[usize], values: &[Value], outer: Option<&Arc<Scope>>) -> Arc<Scope> {
        let mut builder = Scope::builder();
        if let Some(outer) = outer {
            builder = builder.parent(Arc::clone(outer));
        }
        let needed = needs.iter().map(|&at| (self.definitions[at].name.clone(), values[at].clone()));
        match &self.root {
            None => needed.fold(builder.variables_allowed(), |builder: ScopeBuilder, (name, value)| {
                builder.variable(&name, value)
            }),
            Some(root) => builder.variable(root, Value::object(needed.collect())),
        }
        .build()
    }

    /// The order of the work; none once the bounds, which are asked for each expression and each need that is looked at, end it.
    fn plan(&self, bounds: &mut dyn Bounds) -> (Plan, Diagnostics) {
        let mut problems = self.problems.clone();
        let mut is_refused = vec![false; self.definitions.len()];
        let mut needs: graph::Needs = Vec::with_capacity(self.definitions.len());
        for (at, definition) in self.definitions.iter().enumerate() {
            if !bounds.goes_on(1) || problems.len() >= bounds.max_diagnostics() {
                return (Plan { order: Vec::new(), needs }, problems);
            }
            let n_before = problems.len();
            needs.push(self.needs_of(definition, &mut problems, bounds));
            is_refused[at] = problems.len() > n_before;
        }
        let goes_on = &mut |n| bounds.goes_on(n);
        let mut order = Vec::with_capacity(self.definitions.len());
        for group in graph::groups(&needs, goes_on).iter() {
            match graph::circle(group, &needs, goes_on) {
                None => order.extend(group.iter().copied().filter(|&at| !is_refused[at])),
                Some(circle) => problems.push(self.circle_problem(&circle, goes_on)),
            }
        }
        if !goes_on(1) {
            order.clear();
        }
        (Plan { order, needs }, problems)
    }

    /// The positions of the definitions that one refers to, each once.
    fn needs_of(
        &self,
        definition: &Definition,
        problems: &mut Diagnostics,
        bounds: &mut dyn Bounds,
    ) -> Vec<usize> {
        let mut needed: Vec<usize> = Vec::new();
        let bounds = RefCell::new(bounds);
        let goes_on = |n| bounds.borrow_mut().goes_on(n);
        let has_room = |n_bytes| n_bytes == 0 || bounds.borrow_mut().has_room(n_bytes);
        let expression = definition.expression.expression();
        for variable in variable_expressions_while(expression, |n_bytes| goes_on(1) && has_room(n_bytes)) {
            let ExpressionKind::Traversal(traversal) = variable.kind() else { continue };
            match self.target(traversal) {
                Target::Definition(at) => {
                    if needed.len() == needed.capacity() && !has_room(2 * size_of_val(needed.as_slice())) {
                        break;
                    }
                    needed.push(at);
                }
                Target::Whole => problems.push(error::whole(&definition.source, traversal)),
                Target::Other => {}
            }
        }
        // The needs that have been found are in no order once the work is to end.
        let _ = sort_by_on(&mut needed, usize::cmp, |n| if goes_on(n) { Ok(()) } else { Err(()) });
        needed.dedup();
        needed
    }

    /// Returns the definition that a reference means.
    fn target(&self, traversal: Traversal<'_>) -> Target {
        let known = |name: &str| self.by_name.get(name).map_or(Target::Other, |&at| Target::Definition(at));
        match &self.root {
            None => known(traversal.root()),
            Some(root) if *root != traversal.root() => Target::Other,
            Some(_) => match traversal.steps().iter().next().map(|step| step.kind) {
                Some(StepKind::Attribute(name)) => known(name),
                Some(StepKind::Index(key)) => match key.kind() {
                    ExpressionKind::Text(name) => known(name),
                    _ => Target::Other,
                },
                Some(StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex) => Target::Other,
                None => Target::Whole,
            },
        }
    }

    /// A name as expressions write it.
    fn shown(&self, name: &str) -> String {
        match &self.root {
            Some(root) => format!("{root}.{name}"),
            None => name.to_owned(),
        }
    }

    fn circle_problem(
        &self,
        circle: &[usize],
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> hcl_syntax::diagnostic::Diagnostic {
        let members: Vec<_> = circle.iter().map(|&at| &self.definitions[at]).collect();
        let next = circle.get(1).or(circle.first()).copied();
        // Where the first refers to the next.
        let reference = members.first().and_then(|first| {
            let mut all = variable_expressions_while(first.expression.expression(), |_| goes_on(1));
            all.find_map(|variable| match variable.kind() {
                ExpressionKind::Traversal(traversal) => match self.target(traversal) {
                    Target::Definition(at) if Some(at) == next => Some(error::span_of(traversal)),
                    _ => None,
                },
                _ => None,
            })
        });
        error::circle(&members, reference, |name| self.shown(name))
    }
}

/// The meaning of a reference.
enum Target {
    Definition(usize),
    /// The variable whose attributes the definitions are, as a whole.
    Whole,
    Other,
}

impl<'a> Extend<&'a ContentAttribute> for Definitions {
    fn extend<I: IntoIterator<Item = &'a ContentAttribute>>(&mut self, attributes: I) {
        for attribute in attributes {
            self.add(attribute.name(), attribute.name_span(), &attribute.expression());
        }
    }
}
