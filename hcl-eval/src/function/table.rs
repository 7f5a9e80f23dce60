//! Functions by name.

use std::sync::Arc;
#[cfg(feature = "basics")]
use std::sync::OnceLock;

use hcl_syntax::hash::IndexMap;

use super::Function;
use crate::Str;

/// Functions by name, in the order they were added.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::function::FunctionTable;
/// use hcl_eval::host::Capability;
///
/// // The functions of Terraform, without those that read files.
/// let all = dialect::terraform();
/// let functions = all.iter().map(|(_, function)| function.clone());
/// let functions: FunctionTable =
///     functions.filter(|function| function.needed_capability() != Some(Capability::Files)).collect();
/// assert!(functions.get("file").is_none() && functions.get("upper").is_some());
/// assert!(functions.starting_with("upp").any(|(name, _)| name == "upper"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    functions: IndexMap<Str, Entry>,
    /// Names that mean nothing yet, with the reason.
    later: IndexMap<Str, Str>,
}

/// A function of a table.
#[derive(Clone, Debug)]
enum Entry {
    Made(Arc<Function>),
    /// One of the library, which is made when it is first asked for: of the 300 of a product a program uses a few.
    #[cfg(feature = "basics")]
    Lazy {
        make: fn() -> Function,
        made: OnceLock<Arc<Function>>,
    },
}

impl Entry {
    #[cfg_attr(
        not(feature = "basics"),
        expect(unused_variables, reason = "those that are there know their names")
    )]
    fn function(&self, name: &str) -> &Arc<Function> {
        match self {
            Self::Made(function) => function,
            #[cfg(feature = "basics")]
            Self::Lazy { make, made } => made.get_or_init(|| Arc::new(make().looking().renamed(name))),
        }
    }
}

impl FunctionTable {
    /// A table without functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function under its own name; one of the same name is replaced.
    pub fn insert(&mut self, function: impl Into<Arc<Function>>) {
        let function = function.into();
        self.functions.insert(Str::from(function.name()), Entry::Made(function));
    }

    /// Adds a function under another name than its own.
    pub fn insert_as(&mut self, name: &str, function: impl Into<Arc<Function>>) {
        self.functions.insert(Str::from(name), Entry::Made(function.into()));
    }

    /// Adds a function of the library, which is made when it is first asked for.
    #[cfg(feature = "basics")]
    pub(crate) fn insert_lazy(&mut self, name: &str, make: fn() -> Function) {
        self.functions.insert(Str::from(name), Entry::Lazy { make, made: OnceLock::new() });
    }

    /// Adds a name that only a later release of the dialect has. The reason goes on after "There is no function of that
    /// name here: ", without a full stop.
    pub fn insert_later(&mut self, name: &str, reason: &str) {
        self.later.insert(Str::from(name), Str::from(reason));
    }

    /// Why a name means nothing here, if a later release of the dialect has it.
    pub fn later(&self, name: &str) -> Option<&str> {
        self.later.get(name).map(Str::as_str)
    }

    /// Takes a function out.
    pub fn remove(&mut self, name: &str) -> Option<Arc<Function>> {
        self.functions.shift_remove(name).map(|entry| Arc::clone(entry.function(name)))
    }

    /// The function of that name.
    pub fn get(&self, name: &str) -> Option<&Arc<Function>> {
        self.functions.get(name).map(|entry| entry.function(name))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Returns whether there are no functions.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// All of them with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Arc<Function>)> {
        self.functions.iter().map(|(name, entry)| (name.as_str(), entry.function(name)))
    }

    /// Those whose names begin with `prefix`, for completion: with [`Function::signature_as`] and
    /// [`Function::description`] there is all that an editor shows.
    pub fn starting_with<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a Arc<Function>)> {
        let named = self.functions.iter().filter(move |(name, _)| name.starts_with(prefix));
        named.map(|(name, entry)| (name.as_str(), entry.function(name)))
    }

    /// The names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.functions.keys().map(Str::as_str)
    }
}

impl<F: Into<Arc<Function>>> FromIterator<F> for FunctionTable {
    fn from_iter<I: IntoIterator<Item = F>>(functions: I) -> Self {
        let mut table = Self::new();
        table.extend(functions);
        table
    }
}

impl<F: Into<Arc<Function>>> Extend<F> for FunctionTable {
    fn extend<I: IntoIterator<Item = F>>(&mut self, functions: I) {
        for function in functions {
            self.insert(function);
        }
    }
}
