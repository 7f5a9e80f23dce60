//! The declarations of a module, all files together: each name once, override files merged in.
//!
//! Ordinary files are put together first. A name that two of them declare is an error at the second, and the second
//! counts. Override files come afterwards, in the byte order of their names, each over the result so far;
//! [`overriding`] has the rules.

mod overriding;

use hcl_eval::eval::Evaluation;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::IndexMap;
use indexmap::map::Entry;

use crate::declare::{
    Call, CheckBlock, Declarations, Local, Mode, Output, Provider, Resource, Settings, Store, Unread,
    Variable,
};
use crate::place::Place;
use crate::release::Release;

/// The declarations of a module by name, in the order of the files.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) variables: IndexMap<String, Variable>,
    pub(crate) locals: IndexMap<String, Local>,
    pub(crate) outputs: IndexMap<String, Output>,
    pub(crate) calls: IndexMap<String, Call>,
    /// By mode, type and name. Terraform lets a resource and a data source have the type and the name in common.
    pub(crate) resources: IndexMap<(Mode, String, String), Resource>,
    pub(crate) checks: IndexMap<String, CheckBlock>,
    pub(crate) settings: Settings,
    /// By name and alias. Override files add none.
    pub(crate) providers: IndexMap<(String, Option<String>), Provider>,
    /// True if blocks without values may be in override files, where nothing becomes of them.
    is_lenient: bool,
    /// Blocks without values.
    pub(crate) unread: Vec<Unread>,
    /// The `provider_meta` blocks, by the names of their providers.
    provider_metas: IndexMap<String, Place>,
    /// The addresses that are imported into.
    imports: IndexMap<String, Place>,
    /// True if there may be more in its files, which could not be read.
    pub(crate) is_partial: bool,
}

impl Config {
    /// Puts the declarations of all files together.
    pub(crate) fn new(
        primary: Vec<Declarations>,
        overrides: Vec<Declarations>,
        release: Release,
        evaluation: &mut Evaluation<'_>,
    ) -> (Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let is_partial = primary.iter().chain(&overrides).any(|file| file.is_partial);
        let mut config = Self { is_lenient: release.is_tofu(), is_partial, ..Self::default() };
        for file in primary {
            config.add(file, &mut Told { diagnostics: &mut diagnostics, evaluation });
        }
        diagnostics.extend(config.two_stores());
        for file in overrides {
            if !evaluation.bounds().next_item() {
                break;
            }
            overriding::merge(&mut config, file, &mut diagnostics, evaluation);
        }
        (config, diagnostics)
    }

    /// How many nodes of the graph a module with these declarations has.
    pub(crate) fn n_nodes(&self) -> usize {
        2 + 2 * self.variables.len() + self.locals.len() + self.outputs.len() + self.resources.len()
    }

    /// Adds what an ordinary file declares. The titles of the complaints are the product's, which words them
    /// differently for each kind.
    fn add(&mut self, file: Declarations, told: &mut Told<'_, '_>) {
        let (variables, locals, outputs) = (&mut self.variables, &mut self.locals, &mut self.outputs);
        let what = ("module.duplicate", "Duplicate variable declaration", "variable");
        once(variables, file.variables, |one| (one.name.clone(), one.place.clone()), what, told);
        let what = ("module.duplicate", "Duplicate local value definition", "local value");
        let local = |one: &Local| (one.attribute.name().to_owned(), one.place.clone());
        once(locals, file.locals, local, what, told);
        let what = ("module.duplicate", "Duplicate output definition", "output");
        once(outputs, file.outputs, |one| (one.name.clone(), one.place.clone()), what, told);
        let what = ("module.duplicate", "Duplicate module call", "module call");
        once(&mut self.calls, file.calls, |one| (one.name.clone(), one.place.clone()), what, told);
        self.resources.reserve(file.resources.len());
        for resource in file.resources {
            if told.evaluation.stopped() {
                break;
            }
            let kind = match resource.mode {
                Mode::Managed => "resource",
                Mode::Data => "data",
                Mode::Ephemeral => "ephemeral",
            };
            let title = format!("Duplicate {kind} \"{}\" configuration", resource.resource_type);
            let key = (resource.mode, resource.resource_type.clone(), resource.name.clone());
            let named = |one: &Resource| (key.clone(), one.place.clone());
            let what = ("module.duplicate", title.as_str(), resource.mode.noun());
            once(&mut self.resources, vec![resource], named, what, told);
        }
        for check in file.checks {
            if told.evaluation.stopped() {
                break;
            }
            let title = format!("Duplicate check \"{}\" configuration", check.name);
            let what = ("module.duplicate", title.as_str(), "check");
            once(&mut self.checks, vec![check], |one| (one.name.clone(), one.place.clone()), what, told);
        }
        let what = ("module.duplicate", "Duplicate provider configuration", "provider");
        let provider = |one: &Provider| ((one.name.clone(), one.alias.clone()), one.place.clone());
        once(&mut self.providers, file.providers, provider, what, told);
        self.add_unread(file.unread, told);
        for settings in file.settings {
            self.settings.providers.extend(settings.providers);
            self.required_providers_once(settings.required_providers, told);
            for (name, place) in settings.provider_metas {
                let title = "Duplicate provider_meta block";
                once_placed(&mut self.provider_metas, name, &place, (title, "provider_meta block"), told);
            }
            self.settings.provider_aliases.extend(settings.provider_aliases);
            self.settings.required.extend(settings.required);
            stores_once(&mut self.settings.stores, settings.stores, told);
        }
    }

    /// Adds blocks without values. Two imports into one resource are an error at the second.
    fn add_unread(&mut self, more: Vec<Unread>, told: &mut Told<'_, '_>) {
        for unread in more {
            if !told.evaluation.may_report(told.diagnostics) {
                break;
            }
            if let Some(target) = &unread.target {
                let title = format!("Duplicate import configuration for \"{}\"", target.resource);
                let address = target.address.clone();
                once_placed(&mut self.imports, address, &target.place, (&title, "import"), told);
            }
            self.unread.push(unread);
        }
    }

    /// Adds the `required_providers` blocks of a file, of which a module has one.
    fn required_providers_once(&mut self, more: Vec<Place>, told: &mut Told<'_, '_>) {
        for place in more {
            if !told.evaluation.may_report(told.diagnostics) {
                break;
            }
            if let Some(first) = self.settings.required_providers.first() {
                let detail = format!(
                    "There is a required_providers block at {} already. Put what they say into one.",
                    first.range()
                );
                let title = "Duplicate required providers configuration";
                told.diagnostics.push(place.error("module.duplicate", title, detail));
            }
            self.settings.required_providers.push(place);
        }
    }

    /// The complaint about a module that says in two ways where states are kept. Only ordinary files are looked at:
    /// in an override file one of the blocks replaces the other.
    fn two_stores(&self) -> Option<Diagnostic> {
        let first = |store: Store| self.settings.stores.iter().find(|(one, _)| *one == store);
        let ((_, backend), (_, cloud)) = (first(Store::Backend)?, first(Store::Cloud)?);
        let detail = format!(
            "States are kept by a backend, or as the cloud block at {} says. Remove one of the two blocks.",
            cloud.range()
        );
        let title = "Both a backend and cloud configuration are present";
        Some(backend.error("module.duplicate", title, detail))
    }

    /// The complete address of a provider that has a name in the module.
    ///
    /// `required_providers` gives its source. Without an entry there the name is the source, except that `terraform`
    /// is built in. A source of one part is one of the `hashicorp` namespace, and a source without a host name is in
    /// the registry of the product.
    pub(crate) fn provider_address(&self, name: &str, registry: &str) -> String {
        let source = match self.settings.providers.get(name) {
            Some(source) => source.clone(),
            None if name == "terraform" => "terraform.io/builtin/terraform".to_owned(),
            None => name.to_owned(),
        };
        match source.split('/').count() {
            1 => format!("{registry}/hashicorp/{source}"),
            2 => format!("{registry}/{source}"),
            _ => source,
        }
    }

    /// The first configuration of a provider that is handed to a module and that this module has not: its name and
    /// its alias. An alias in `configuration_aliases` counts as there, because the caller gives it.
    pub(crate) fn missing_provider(&self) -> Option<&(String, String)> {
        let has = |(name, alias): &(String, String)| {
            self.providers.contains_key(&(name.clone(), Some(alias.clone())))
                || self.settings.provider_aliases.contains(&format!("{name}.{alias}"))
        };
        self.calls.values().flat_map(|call| &call.providers).find(|handed| !has(handed))
    }

    /// The resource that a reference names.
    pub(crate) fn resource(&self, mode: Mode, resource_type: &str, name: &str) -> Option<&Resource> {
        self.resources.get(&(mode, resource_type.to_owned(), name.to_owned()))
    }

    /// True if the functions of Terraform's own provider can be called by a name: `required_providers` must list it.
    pub(crate) fn has_builtin_provider(&self, name: &str) -> bool {
        self.settings.is_builtin(name)
    }
}

/// Adds blocks that say where states are kept; all but the first of a kind are complained of.
fn stores_once(stores: &mut Vec<(Store, Place)>, more: Vec<(Store, Place)>, told: &mut Told<'_, '_>) {
    for (store, place) in more {
        if !told.evaluation.may_report(told.diagnostics) {
            return;
        }
        let Some((_, first)) = stores.iter().find(|(one, _)| *one == store) else {
            stores.push((store, place));
            continue;
        };
        let (title, noun) = match store {
            Store::Backend => ("Duplicate backend configuration", "backend"),
            Store::Cloud => ("Duplicate HCP Terraform configurations", "cloud"),
        };
        let detail = format!("There is a {noun} block at {} already. Remove one of them.", first.range());
        told.diagnostics.push(place.error("module.duplicate", title, detail));
    }
}

/// The complaints so far, and the limits within which they are made.
struct Told<'d, 'e> {
    diagnostics: &'d mut Diagnostics,
    evaluation: &'d mut Evaluation<'e>,
}

/// A name and where it is declared.
type Named<K> = (K, Place);

/// Adds declarations; of several of one name the last counts, and all but the first are complained of.
fn once<K: std::hash::Hash + Eq, T: Placed>(
    all: &mut IndexMap<K, T>,
    more: Vec<T>,
    named: impl Fn(&T) -> Named<K>,
    (code, title, what): (&'static str, &str, &str),
    told: &mut Told<'_, '_>,
) {
    // One long list takes less time than those that it would grow through.
    if told.evaluation.bounds().has_room(more.len().saturating_mul(size_of::<(K, T)>())) {
        all.reserve(more.len());
    }
    for one in more {
        if !told.evaluation.may_report(told.diagnostics) {
            break;
        }
        let (key, place) = named(&one);
        match all.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(one);
            }
            Entry::Occupied(mut before) => {
                told.diagnostics.push(duplicate(code, title, what, before.get().place(), &place));
                before.insert(one);
            }
        }
    }
}

/// Notes where something is declared; a second declaration is complained of.
fn once_placed(
    all: &mut IndexMap<String, Place>,
    name: String,
    place: &Place,
    (title, what): (&str, &str),
    told: &mut Told<'_, '_>,
) {
    if let Some(first) = all.insert(name, place.clone()) {
        told.diagnostics.push(duplicate("module.duplicate", title, what, &first, place));
    }
}

/// The complaint about the second of two declarations, at the second.
fn duplicate(code: &'static str, title: &str, what: &str, first: &Place, second: &Place) -> Diagnostic {
    let detail = format!(
        "A {what} of this name is declared at {} already. Rename or remove one of them.",
        first.range()
    );
    second.error(code, title.to_owned(), detail)
}

/// Something that is declared somewhere.
trait Placed {
    fn place(&self) -> &Place;
}

macro_rules! placed {
    ($($kind:ty),*) => {$(
        impl Placed for $kind {
            fn place(&self) -> &Place {
                &self.place
            }
        }
    )*};
}

placed!(Variable, Local, Output, Call, Resource, CheckBlock, Provider);
