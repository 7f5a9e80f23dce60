//! Scopes: what names mean. Built once, shared by threads and programs.

use std::sync::Arc;

use hcl_syntax::hash::IndexMap;

use super::paths::Paths;
use super::{Function, FunctionTable};
use crate::Str;
use crate::limits::{LimitReached, Meter};
use crate::value::{Entries, Value};

/// Names of variables and functions, with the scope around it. Immutable.
///
/// A name stands for a *constant* or for a *slot*, whose value a [`Frame`](crate::eval::Frame) gives. A slot may
/// also be a static path such as `each.key`; a traversal that starts with the path then reads the slot,
/// the longest path first. The nearest scope that knows a root name decides alone what it means. When no
/// scope of the chain has variables (or functions) at all, using one is an error of its own kind.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::{Scope, evaluate_str};
///
/// let outer = Scope::builder().functions(dialect::terraform()).variable("region", "eu").build();
/// let inner = Scope::builder().parent(outer).variable("name", "web").build();
/// assert_eq!(evaluate_str("upper(\"${region}-${name}\")", Some(&inner))?.as_str(), Some("EU-WEB"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Scope {
    parent: Option<Arc<Scope>>,
    names: Option<IndexMap<Str, Name>>,
    functions: Vec<Arc<FunctionTable>>,
    functions_allowed: bool,
    n_slots: usize,
    /// The names and paths of the last of the slots, which are the scope's own.
    own_slots: Vec<Str>,
    unknown_names: UnknownNames,
}

/// The treatment of a reference whose root is a name of no scope and of no `for`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum UnknownNames {
    /// It is an error.
    #[default]
    Refused,
    /// It is left as it is written, and so is an interpolation or a directive that uses it.
    LeftAsWritten,
    /// It is a text: its own source, as an interpolation.
    RuntimeReferences,
}

/// The names that are never runtime references: a job knows them even if it declares nothing.
const NAMES_OF_JOBS: [&str; 2] = ["var", "local"];

/// The meaning of a root name.
#[derive(Debug, Default)]
pub(crate) struct Name {
    pub(crate) constant: Option<Value>,
    pub(crate) slot: Option<u32>,
    pub(crate) paths: Paths,
}

/// How much work it is to put a variable into a scope.
const PARTS_OF_VARIABLE: usize = 32;

/// How much memory a variable takes in a scope: its name, its meaning, the hash of the name, and its place in a table that may be
/// half empty.
const BYTES_OF_VARIABLE: usize = size_of::<(Str, Name)>() + 4 * size_of::<usize>();

/// Up to so many names are compared one by one: to find one of them by its hash takes 280 instructions, and a comparison 20.
pub(super) const FEW_NAMES: usize = 8;

/// The meaning of one of the names of a scope.
fn name_among<'n>(names: &'n IndexMap<Str, Name>, root: &str) -> Option<&'n Name> {
    if names.len() > FEW_NAMES {
        return names.get(root);
    }
    names.iter().find_map(|(known, name)| (known.as_str() == root).then_some(name))
}

/// A program may put any number of scopes into each other: those around this one are dropped one after the other.
impl Drop for Scope {
    fn drop(&mut self) {
        let mut around = self.parent.take();
        while let Some(mut scope) = around.and_then(Arc::into_inner) {
            around = scope.parent.take();
        }
    }
}

impl Scope {
    /// Starts a scope without variables or functions.
    pub fn builder() -> ScopeBuilder {
        ScopeBuilder { scope: Self::default(), own_functions: FunctionTable::new() }
    }

    /// The scope around this one.
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.parent.as_ref()
    }

    /// How many slots a frame of this scope has, those of the scopes around it included.
    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |scope| scope.parent.as_deref())
    }

    /// The nearest meaning of a root name.
    pub(crate) fn name(&self, root: &str) -> Option<&Name> {
        self.chain().find_map(|scope| name_among(scope.names.as_ref()?, root))
    }

    /// Returns whether some scope of the chain has variables, even an empty list of them.
    pub fn has_variables(&self) -> bool {
        self.chain().any(|scope| scope.names.is_some())
    }

    /// Returns whether some scope of the chain has functions, even an empty list of them.
    pub fn has_functions(&self) -> bool {
        self.chain().any(|scope| scope.functions_allowed)
    }

    /// Returns whether interpolations that use unknown names are left as text, here or in a scope around.
    pub fn leaves_unknown_interpolations(&self) -> bool {
        self.unknown_names == UnknownNames::LeftAsWritten
    }

    /// True if references to unknown names are texts for another program, here or in a scope around.
    pub fn has_runtime_references(&self) -> bool {
        self.unknown_names == UnknownNames::RuntimeReferences
    }

    /// Returns the treatment of references to names that are variables nowhere.
    pub(crate) fn unknown_names(&self) -> UnknownNames {
        self.unknown_names
    }

    /// True if a reference with this root, which no `for` around it binds, is a runtime reference.
    pub(crate) fn is_runtime_root(&self, root: &str) -> bool {
        self.has_runtime_references() && !NAMES_OF_JOBS.contains(&root) && self.name(root).is_none()
    }

    /// The nearest function of that name.
    pub fn function(&self, name: &str) -> Option<&Arc<Function>> {
        self.chain().find_map(|scope| scope.functions.iter().rev().find_map(|table| table.get(name)))
    }

    /// Why a name is no function here, if a later release of a dialect in scope has one of that name.
    pub(crate) fn later_function(&self, name: &str) -> Option<&str> {
        self.chain().find_map(|scope| scope.functions.iter().rev().find_map(|table| table.later(name)))
    }

    /// All root names of the chain, the nearest scope's first.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.chain().flat_map(|scope| scope.names.iter().flat_map(|names| names.keys().map(Str::as_str)))
    }

    /// All function names of the chain, the nearest scope's first.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.chain().flat_map(|scope| scope.functions.iter().rev().flat_map(|table| table.names()))
    }

    /// The function tables of the chain, the farthest scope's first: a scope that adds them in this order
    /// means the same by every name.
    pub fn function_tables(&self) -> Vec<Arc<FunctionTable>> {
        let mut tables: Vec<_> =
            self.chain().flat_map(|scope| scope.functions.iter().rev().cloned()).collect();
        tables.reverse();
        tables
    }

    /// The name or path of a slot, for messages.
    pub fn slot_name(&self, slot: usize) -> Option<String> {
        self.slot_path(slot).map(str::to_owned)
    }

    /// The name or path of a slot.
    pub(crate) fn slot_path(&self, slot: usize) -> Option<&str> {
        self.chain().find_map(|scope| {
            let first = scope.n_slots - scope.own_slots.len();
            scope.own_slots.get(slot.checked_sub(first)?).map(Str::as_str)
        })
    }

    /// The slot declared under that very name or path, in the nearest scope that declares it.
    pub fn slot(&self, name: &str) -> Option<usize> {
        let mut parts = name.split('.');
        let root = parts.next()?;
        let steps: Vec<Str> = parts.map(Str::from).collect();
        self.chain().find_map(|scope| {
            let name = scope.names.as_ref()?.get(root)?;
            let slot = if steps.is_empty() { name.slot } else { name.paths.get(steps.clone()) };
            slot.map(|slot| slot as usize)
        })
    }
}

/// Builds a [`Scope`].
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::Scope;
///
/// let mut builder = Scope::builder().functions(dialect::terraform()).variable("region", "eu");
/// let key = builder.slot("each.key");
/// let scope = builder.build();
/// assert_eq!((scope.slot("each.key"), scope.n_slots()), (Some(key), 1));
/// ```
#[derive(Debug)]
pub struct ScopeBuilder {
    scope: Scope,
    own_functions: FunctionTable,
}

impl ScopeBuilder {
    /// Sets the scope around this one. Comes before any slot, because slots of one frame are numbered
    /// from the outermost scope on.
    #[must_use]
    pub fn parent(mut self, parent: Arc<Scope>) -> Self {
        debug_assert!(self.scope.n_slots == 0, "the parent is set before slots are declared");
        self.scope.n_slots = parent.n_slots;
        if self.scope.unknown_names == UnknownNames::Refused {
            self.scope.unknown_names = parent.unknown_names;
        }
        self.scope.parent = Some(parent);
        self
    }

    /// Allows variables even if there are none.
    #[must_use]
    pub fn variables_allowed(mut self) -> Self {
        self.names();
        self
    }

    /// Allows functions even if there are none.
    #[must_use]
    pub fn functions_allowed(mut self) -> Self {
        self.scope.functions_allowed = true;
        self
    }

    /// Leaves interpolations as text when they use a name that is a variable nowhere: `${name.of.host}` stays
    /// `${name.of.host}`, for a program that knows the name later. The rest of the template is evaluated. An
    /// interpolation stays or goes as a whole, and so does an `if` or `for` directive whose condition or
    /// collection uses such a name. Outside templates a reference becomes the interpolation that it would be in
    /// one: `name.of.host` is the text `${name.of.host}`.
    ///
    /// ```
    /// use hcl_eval::Value;
    /// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
    /// use hcl_syntax::{parser, source::Source};
    ///
    /// let text = r#"["--port=${NOMAD_PORT_http}", "--zone=${zone}"]"#;
    /// let (parsed, _) = parser::parse_expression(Source::new("job", text)?, &Default::default());
    /// let scope = Scope::builder().leave_unknown_interpolations().variable("zone", Value::string("b")).build();
    /// let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    /// assert!(problems.is_empty());
    /// assert_eq!(value.to_json().unwrap(), r#"["--port=${NOMAD_PORT_http}","--zone=b"]"#);
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    #[must_use]
    pub fn leave_unknown_interpolations(mut self) -> Self {
        self.scope.unknown_names = UnknownNames::LeftAsWritten;
        self
    }

    /// Takes references to names that are variables nowhere for texts, as Nomad does: `node.unique.name` is the known
    /// string `${node.unique.name}`, and everything around it works on that string. Functions change it, `==`
    /// compares it, `can` is true of it; arithmetic, conditions and `for` refuse it as they refuse any text. A name
    /// of the scope, or one that a `for` binds, hides a runtime reference, and `var` and `local` never are one.
    ///
    /// The text is the source of the reference between `${` and `}`. In an interpolation that begins with the
    /// reference, spaces between it and the braces belong to the text: `"${ node.x }"` is `${ node.x }`.
    ///
    /// ```
    /// use hcl_eval::Value;
    /// use hcl_eval::dialect;
    /// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
    /// use hcl_syntax::{parser, source::Source};
    ///
    /// let text = r#"["${zone}-${node.unique.name}", upper(node.class), node.class == "a"]"#;
    /// let (parsed, _) = parser::parse_expression(Source::new("job", text)?, &Default::default());
    /// let builder = Scope::builder().functions(dialect::nomad()).runtime_references();
    /// let scope = builder.variable("zone", Value::string("b")).build();
    /// let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    /// assert!(problems.is_empty());
    /// assert_eq!(value.to_json().unwrap(), r#"["b-${node.unique.name}","${NODE.CLASS}",false]"#);
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    #[must_use]
    pub fn runtime_references(mut self) -> Self {
        self.scope.unknown_names = UnknownNames::RuntimeReferences;
        self
    }

    fn names(&mut self) -> &mut IndexMap<Str, Name> {
        self.scope.names.get_or_insert_default()
    }

    /// How long the lists and tables of the scope are, of which one grows with each thing that is added: those of names, slots,
    /// functions and tables of functions.
    ///
    /// ```
    /// use hcl_eval::eval::Scope;
    ///
    /// let mut builder = Scope::builder().variable("port", 80);
    /// builder.slot("each.key");
    /// assert_eq!(builder.lengths(), [2, 1, 0, 0]);
    /// ```
    pub fn lengths(&self) -> [usize; 4] {
        let n_names = self.scope.names.as_ref().map_or(0, IndexMap::len);
        [n_names, self.scope.own_slots.len(), self.own_functions.len(), self.scope.functions.len()]
    }

    /// Adds a constant.
    ///
    /// ```
    /// use hcl_eval::eval::{Scope, evaluate_str};
    ///
    /// let scope = Scope::builder().variable("port", 80).variable("hosts", ["a", "b"]).build();
    /// assert_eq!(evaluate_str("\"${hosts[1]}:${port}\"", Some(&scope))?.as_str(), Some("b:80"));
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    #[must_use]
    pub fn variable(self, name: &str, value: impl Into<Value>) -> Self {
        self.constant(name.into(), value.into())
    }

    /// [`ScopeBuilder::variable`] of a name that is shared.
    pub(crate) fn constant(mut self, name: Str, value: Value) -> Self {
        self.names().entry(name).or_default().constant = Some(value);
        self
    }

    /// Adds constants within the limits of the work that they are for, with room for as many as there may be.
    ///
    /// # Errors
    /// A bound has been reached.
    ///
    /// ```
    /// use hcl_eval::eval::{Scope, evaluate_str};
    /// use hcl_eval::limits::Meter;
    ///
    /// let mut variables = [("port".into(), 80.into())].into_iter();
    /// let scope = Scope::builder().variables_within(&mut variables, &mut Meter::default())?.build();
    /// assert_eq!(evaluate_str("port + 1", Some(&scope)).unwrap().to_string(), "81");
    /// # Ok::<(), hcl_eval::limits::LimitReached>(())
    /// ```
    pub fn variables_within(
        mut self,
        variables: &mut dyn Iterator<Item = (Str, Value)>,
        meter: &mut Meter,
    ) -> Result<Self, LimitReached> {
        // A table that grows would be filled anew, and its list copied, without a look.
        let n = variables.size_hint().1.unwrap_or(0);
        meter.hold_parts(n, BYTES_OF_VARIABLE)?;
        self.names().reserve(n);
        for (name, value) in variables {
            meter.go_on(PARTS_OF_VARIABLE)?;
            self.names().entry(name).or_default().constant = Some(value);
        }
        Ok(self)
    }

    /// Adds the entries of a map or an object as constants, as [`ScopeBuilder::variables_within`] does.
    ///
    /// # Errors
    /// A bound has been reached.
    ///
    /// ```
    /// use hcl_eval::Value;
    /// use hcl_eval::eval::{Scope, evaluate_str};
    /// use hcl_eval::limits::Meter;
    ///
    /// let object = Value::from_iter([("port", 80)]);
    /// let entries = object.entries().expect("an object");
    /// let scope = Scope::builder().entries_within(entries, &mut Meter::default())?.build();
    /// assert_eq!(evaluate_str("port + 1", Some(&scope)).unwrap().to_string(), "81");
    /// # Ok::<(), hcl_eval::limits::LimitReached>(())
    /// ```
    pub fn entries_within(self, entries: Entries<'_>, meter: &mut Meter) -> Result<Self, LimitReached> {
        self.variables_within(&mut entries.map(|(name, value)| (name.clone(), value.clone())), meter)
    }

    /// Declares a root name, or a static path such as `each.key`, as a slot. The answer is its index in
    /// frames; declaring it again gives the same one.
    pub fn slot(&mut self, name: &str) -> usize {
        let next = u32::try_from(self.scope.n_slots).unwrap_or(u32::MAX);
        let mut parts = name.split('.');
        let root = parts.next().unwrap_or_default();
        let steps: Vec<Str> = parts.map(Str::from).collect();
        let entry = self.names().entry(root.into()).or_default();
        let slot = match steps.is_empty() {
            true => *entry.slot.get_or_insert(next),
            false => entry.paths.get_or_add(steps, next),
        };
        if slot == next {
            self.scope.n_slots += 1;
            self.scope.own_slots.push(name.into());
        }
        slot as usize
    }

    /// Adds the functions of a table; those added later win.
    #[must_use]
    pub fn functions(mut self, table: Arc<FunctionTable>) -> Self {
        self.scope.functions.push(table);
        self.functions_allowed()
    }

    /// Adds one function; it wins over those of tables.
    #[must_use]
    pub fn function(mut self, function: impl Into<Arc<Function>>) -> Self {
        self.own_functions.insert(function);
        self.functions_allowed()
    }

    /// The scope.
    pub fn build(mut self) -> Arc<Scope> {
        if !self.own_functions.is_empty() {
            self.scope.functions.push(Arc::new(self.own_functions));
        }
        Arc::new(self.scope)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::limits::{CancelToken, Limits};

    #[test]
    fn names_are_found_among_few_and_many() {
        for n in [1, FEW_NAMES, FEW_NAMES + 1] {
            let mut builder = Scope::builder();
            let names: Vec<String> = (0..n).map(|index| format!("name_{index}")).collect();
            let slots: Vec<usize> = names.iter().map(|name| builder.slot(name)).collect();
            let scope = builder.build();
            let found = |name: &str| scope.name(name).and_then(|name| name.slot).map(|slot| slot as usize);
            assert!(names.iter().zip(slots).all(|(name, slot)| found(name) == Some(slot)), "{n} names");
            assert_eq!(found("name_"), None);
        }
    }

    #[test]
    fn many_variables_are_added_with_looks() {
        let n_looks = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&n_looks);
        let cancel = CancelToken::asking(move || counter.fetch_add(1, Ordering::Relaxed) >= 50);
        let mut meter = Meter::new(Limits { cancel: Some(cancel), ..Limits::default() });
        let mut variables = (0..100_000).map(|i| (format!("name_{i}").into(), Value::count(i)));
        let limit = Scope::builder().variables_within(&mut variables, &mut meter).map(drop);
        assert_eq!(limit, Err(LimitReached::Cancelled));
        assert_eq!(n_looks.load(Ordering::Relaxed), 51);
        assert!(variables.next().is_some());
    }
}
