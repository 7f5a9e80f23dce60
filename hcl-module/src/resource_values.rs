//! Values that a host gives to resources: the addresses, and which block each one means.

use hcl_eval::Value;
use hcl_eval::eval::Evaluation;
use hcl_eval::value::Number;
use hcl_syntax::ast::{Expression, ExpressionKind};
use hcl_syntax::diagnostic::suggest::{self, first_similar};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::HashMap;
use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
use hcl_syntax::source::Source;

use crate::declare::{Mode, Part, Parts, Written};
use crate::tree::Tree;

/// The value of a resource, a data source or an ephemeral resource, in place of what a provider would make or read.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{LoadOptions, Module, ResourceValue, TextFiles};
///
/// let files = TextFiles::from_iter([("main.tf", "resource \"vm\" \"web\" {}\n")]);
/// let value = Value::from_iter([("id", "vm-1")]);
/// let resource_values = vec![ResourceValue { address: "vm.web".to_owned(), value }];
/// let (module, _) = Module::load(&files, &LoadOptions { resource_values, ..LoadOptions::default() });
/// let (id, _) = module.evaluate("vm.web.id", &EvalOptions::default());
/// assert_eq!(id.unwrap().as_str(), Some("vm-1"));
/// ```
#[derive(Clone, Debug)]
pub struct ResourceValue {
    /// `TYPE.NAME`, `data.TYPE.NAME` or `ephemeral.TYPE.NAME`. Behind it an index names one instance; before it
    /// `module.NAME.` leads into a module, with an index into one instance of the module.
    pub address: String,
    /// The value. Without an index that of the block as a whole: of a repeated one a tuple or an object.
    pub value: Value,
}

/// The key of an instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// By `count`.
    Position(u64),
    /// By `for_each`.
    Name(String),
}

impl Key {
    /// The number or the name.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Position(number) => number.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}

/// A value that was given, with the instances that it is for.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    /// The address as it was written.
    pub(crate) address: String,
    /// For each call on the way the instance, `None` for all of them.
    modules: Vec<Option<Key>>,
    /// The instance of the resource, `None` for the block as a whole.
    pub(crate) key: Option<Key>,
    pub(crate) value: Value,
}

impl GivenValue {
    /// True if it is for resources in an instance of their module, which has these keys on the way to it.
    pub(crate) fn is_in(&self, keys: &[Option<Key>]) -> bool {
        self.modules.iter().zip(keys).all(|(wanted, key)| wanted.is_none() || wanted == key)
    }

    /// True if a key says which instance of a module it is in.
    pub(crate) fn names_module_instance(&self) -> bool {
        self.modules.iter().any(Option::is_some)
    }
}

/// The values that were given, by module and position of the resource; of several for one instance the last counts.
#[derive(Debug, Default)]
pub(crate) struct GivenValues(HashMap<(usize, usize), Vec<GivenValue>>);

impl GivenValues {
    /// Looks the addresses up. What is wrong with them is in the diagnostics.
    pub(crate) fn new(
        given: &[ResourceValue],
        tree: &Tree,
        evaluation: &mut Evaluation<'_>,
    ) -> (Self, Diagnostics) {
        let mut all = Self::default();
        let mut known = Known::default();
        let mut diagnostics = Diagnostics::new();
        for one in given {
            if !evaluation.bounds().goes_on(suggest::MOST_PARTS) {
                break;
            }
            match Address::parse(&one.address).and_then(|address| address.resolved(tree, &mut known)) {
                Ok((place, modules, key)) => {
                    all.0.entry(place).or_default().push(GivenValue {
                        address: one.address.clone(),
                        modules,
                        key,
                        value: one.value.clone(),
                    });
                }
                Err((title, detail)) => {
                    diagnostics.push(refused(&one.address, title, &detail));
                }
            }
        }
        (all, diagnostics)
    }

    /// The values for a resource, in the order in which they were given.
    pub(crate) fn of(&self, module: usize, resource: usize) -> &[GivenValue] {
        self.0.get(&(module, resource)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The complaint about a value that was given for an address.
pub(crate) fn refused(address: &str, title: &'static str, detail: &str) -> Diagnostic {
    let detail = format!("A value is given for {address:?}: {detail}");
    Diagnostic::error("module.value.resource", title, detail)
}

/// Type and name of the data source that an address means, where there are no modules and no instances.
pub(crate) fn data_source(address: &str) -> Option<(String, String)> {
    let address = Address::parse(address).ok()?;
    let is_plain = address.modules.is_empty() && address.mode == Mode::Data && address.key.is_none();
    is_plain.then_some((address.resource_type, address.name))
}

/// The addresses of resources of a kind in a module, of which a wrong one may be meant; they are listed once.
type Known = HashMap<(usize, Mode), Vec<String>>;

/// Title and detail of a complaint about an address.
type Refusal = (&'static str, String);

/// An address in its parts. It is read as a traversal, so that keys have the quotes and escapes of the language.
struct Address {
    /// The calls on the way, from the root, each with an instance if one is named.
    modules: Vec<(String, Option<Key>)>,
    mode: Mode,
    resource_type: String,
    name: String,
    key: Option<Key>,
}

fn malformed() -> Refusal {
    let detail = "An address is TYPE.NAME, data.TYPE.NAME or ephemeral.TYPE.NAME, with module.NAME. before it and an index \
                  behind it where they are needed.";
    ("Invalid address", detail.to_owned())
}

impl Address {
    /// Reads an address. `resource.` may stand in front of a resource, which helps if its type is called `data`, for
    /// one.
    fn parse(text: &str) -> Result<Self, Refusal> {
        let source = Source::new("address", text.as_bytes().to_vec()).map_err(|_| malformed())?;
        let (parsed, problems) = parse_traversal(source.clone(), Splats::Refused, &ParseLimits::default());
        let written = Written::in_quotes(&source, &parsed).ok_or_else(malformed)?;
        if !problems.is_empty() || written.parts.contains(&Part::Key(None)) {
            return Err(malformed());
        }
        let mut parts = Parts::of(&written);
        let mut modules = Vec::new();
        while parts.next_is("module") {
            modules.push((parts.name().ok_or_else(malformed)?.to_owned(), parts.key()));
        }
        let mode = if parts.next_is("data") {
            Mode::Data
        } else if parts.next_is("ephemeral") {
            Mode::Ephemeral
        } else {
            parts.next_is("resource");
            Mode::Managed
        };
        let names = parts.name().zip(parts.name());
        let (resource_type, name) =
            names.map(|(ty, name)| (ty.to_owned(), name.to_owned())).ok_or_else(malformed)?;
        let key = parts.key();
        if parts.is_done() { Ok(Self { modules, mode, resource_type, name, key }) } else { Err(malformed()) }
    }

    /// Module and resource by position, and the instances. An index must be of the kind that the block's repetition
    /// makes; the instances themselves are not known yet, so any key of the kind passes.
    #[allow(clippy::type_complexity, reason = "its parts are taken apart at once")]
    fn resolved(
        self,
        tree: &Tree,
        known: &mut Known,
    ) -> Result<((usize, usize), Vec<Option<Key>>, Option<Key>), Refusal> {
        let mut module = 0;
        let mut keys = Vec::with_capacity(self.modules.len());
        for (name, key) in self.modules {
            let call = tree.modules[module].config.calls.get_index_of(&name);
            let child = call.and_then(|call| tree.modules[module].children[call]);
            let none = || ("Reference to undeclared module", format!("there is no module \"{name}\" here."));
            module = child.ok_or_else(none)?;
            keys.push(key);
        }
        let named = (self.mode, self.resource_type, self.name);
        let Some((at, _, resource)) = tree.modules[module].config.resources.get_full(&named) else {
            let (mode, ..) = named;
            let known = known.entry((module, mode)).or_insert_with(|| {
                let known = tree.modules[module].config.resources.values().filter(|one| one.mode == mode);
                known.map(crate::declare::Resource::address).take(suggest::MOST_CANDIDATES).collect()
            });
            let wanted = format!("{}{}.{}", mode.prefix(), named.1, named.2);
            let hint = first_similar(&wanted, known.iter().map(String::as_str));
            let hint = hint.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
            let detail = format!("the module declares no {} {wanted}.{hint}", mode.noun());
            return Err(("Reference to undeclared resource", detail));
        };
        let is_fitting = match &self.key {
            None => true,
            Some(Key::Position(_)) => resource.repetition.count.is_some(),
            Some(Key::Name(_)) => resource.repetition.for_each.is_some(),
        };
        if !is_fitting {
            let detail =
                "an index is the number of an instance by count, or the key of one by for_each.".to_owned();
            return Err(("Unexpected resource instance key", detail));
        }
        Ok(((module, at), keys, self.key))
    }
}

/// The key that a literal means: a text, or a number that is whole and not negative. Anything else is none.
pub(crate) fn key_of(key: Expression<'_>) -> Option<Key> {
    match key.kind() {
        ExpressionKind::Text(text) => Some(Key::Name(Value::string(text).as_str()?.to_owned())),
        ExpressionKind::Number(digits) => Number::parse(digits)?.to_u64().map(Key::Position),
        _ => None,
    }
}
