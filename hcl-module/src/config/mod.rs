//! What a module declares, all files together: each name once, override files merged in.

mod overriding;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::IndexMap;
use indexmap::map::Entry;

use crate::declare::{
    Call, CheckBlock, Declarations, Local, Mode, Output, Provider, Resource, Settings, Unread, Variable,
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
    pub(crate) resources: IndexMap<(Mode, String, String), Resource>,
    pub(crate) checks: IndexMap<String, CheckBlock>,
    pub(crate) settings: Settings,
    pub(crate) providers: IndexMap<(String, Option<String>), Provider>,
    /// True if blocks without values may be in override files, where nothing becomes of them.
    is_lenient: bool,
    /// Blocks without values.
    pub(crate) unread: Vec<Unread>,
    /// True if there may be more in its files, which could not be read.
    pub(crate) is_partial: bool,
}

impl Config {
    /// Puts the declarations of all files together.
    pub(crate) fn new(
        primary: Vec<Declarations>,
        overrides: Vec<Declarations>,
        release: Release,
    ) -> (Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let is_partial = primary.iter().chain(&overrides).any(|file| file.is_partial);
        let mut config = Self { is_lenient: release.is_tofu(), is_partial, ..Self::default() };
        for file in primary {
            config.add(file, &mut diagnostics);
        }
        for file in overrides {
            overriding::merge(&mut config, file, &mut diagnostics);
        }
        (config, diagnostics)
    }

    fn add(&mut self, file: Declarations, diagnostics: &mut Diagnostics) {
        let (variables, locals, outputs) = (&mut self.variables, &mut self.locals, &mut self.outputs);
        let what = ("module.duplicate", "Duplicate variable declaration", "variable");
        once(variables, file.variables, |one| (one.name.clone(), one.place.clone()), what, diagnostics);
        let what = ("module.duplicate", "Duplicate local value definition", "local value");
        let local = |one: &Local| (one.attribute.name().to_owned(), one.place.clone());
        once(locals, file.locals, local, what, diagnostics);
        let what = ("module.duplicate", "Duplicate output definition", "output");
        once(outputs, file.outputs, |one| (one.name.clone(), one.place.clone()), what, diagnostics);
        let what = ("module.duplicate", "Duplicate module call", "module call");
        once(&mut self.calls, file.calls, |one| (one.name.clone(), one.place.clone()), what, diagnostics);
        for resource in file.resources {
            let kind = match resource.mode {
                Mode::Managed => "resource",
                Mode::Data => "data",
                Mode::Ephemeral => "ephemeral",
            };
            let title = format!("Duplicate {kind} \"{}\" configuration", resource.resource_type);
            let key = (resource.mode, resource.resource_type.clone(), resource.name.clone());
            let named = |one: &Resource| (key.clone(), one.place.clone());
            let what = ("module.duplicate", title.as_str(), resource.mode.noun());
            once(&mut self.resources, vec![resource], named, what, diagnostics);
        }
        for check in file.checks {
            let title = format!("Duplicate check \"{}\" configuration", check.name);
            let what = ("module.duplicate", title.as_str(), "check");
            once(
                &mut self.checks,
                vec![check],
                |one| (one.name.clone(), one.place.clone()),
                what,
                diagnostics,
            );
        }
        let what = ("module.duplicate", "Duplicate provider configuration", "provider");
        let provider = |one: &Provider| ((one.name.clone(), one.alias.clone()), one.place.clone());
        once(&mut self.providers, file.providers, provider, what, diagnostics);
        self.unread.extend(file.unread);
        for settings in file.settings {
            self.settings.providers.extend(settings.providers);
            self.settings.required.extend(settings.required);
        }
    }

    /// The resource that a reference names.
    pub(crate) fn resource(&self, mode: Mode, resource_type: &str, name: &str) -> Option<&Resource> {
        self.resources.get(&(mode, resource_type.to_owned(), name.to_owned()))
    }

    /// True if the functions of Terraform's own provider can be called.
    pub(crate) fn has_builtin_provider(&self, name: &str) -> bool {
        self.settings.builtin_providers().any(|known| known == name)
    }
}

/// A name and where it is declared.
type Named<K> = (K, Place);

/// Adds declarations; of several of one name the last counts, and all but the first are complained of.
fn once<K: std::hash::Hash + Eq, T: Placed>(
    all: &mut IndexMap<K, T>,
    more: Vec<T>,
    named: impl Fn(&T) -> Named<K>,
    (code, title, what): (&'static str, &str, &str),
    diagnostics: &mut Diagnostics,
) {
    for one in more {
        let (key, place) = named(&one);
        match all.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(one);
            }
            Entry::Occupied(mut before) => {
                diagnostics.push(duplicate(code, title, what, before.get().place(), &place));
                before.insert(one);
            }
        }
    }
}

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
