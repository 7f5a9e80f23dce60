//! One call: its source, the folder that it names, its arguments.

use std::sync::Arc;

use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::ast::variables;
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::Diagnostic;

use super::{Loader, MOST_LEVELS, MOST_MODULES, Open, folder};
use crate::address::Address;
use crate::config::Config;
use crate::declare::{Call, no_address, no_registry};
use crate::engine::MOST_NODES;
use crate::files::join;
use crate::place::Place;
use crate::tree::TreeModule;
use crate::version::Constraints;

impl Loader<'_> {
    /// Looks at a call, and adds the module that it calls. A call in error adds none, and its value is unknown then.
    pub(super) fn call(&mut self, open: Open) {
        let config = Arc::clone(&self.configuration.tree.modules[open.module].config);
        let Some((name, call)) = config.calls.get_index(open.call) else { return };
        let Some(source) = &call.source else { return };
        let place = Place::of(source);
        let address = match self.options.release.has_static_sources() {
            true => self.early_address(open, call, source),
            false => self.constant_address(call, source),
        };
        let Some(address) = address else { return };
        let folder = match Address::parse(&address) {
            Some(Address::Local(folder)) => {
                join(&self.configuration.tree.modules[open.module].folder, &folder)
            }
            Some(Address::Registry | Address::Remote) => match self.fetched(open.module, name) {
                Some(folder) => folder,
                None => {
                    let warning = not_here(&address, &place);
                    self.configuration.tree.modules[open.module].missing.insert(open.call, warning);
                    return;
                }
            },
            None => return self.diagnostics.push(no_address(&address, &place)),
        };
        if self.is_too_deep(open, &folder, call) {
            return;
        }
        let Some(config) = self.declarations_in(&folder, &place) else { return };
        self.check_arguments(call, &config);
        if !self.has_room_for(&folder, call, &config) {
            return;
        }
        let parent = Some((open.module, open.call));
        let child = self.configuration.tree.add(parent, folder, config);
        self.check_constant_arguments(open, child);
        self.open_calls(child);
    }

    /// The folder of a module that the product has fetched: its list goes by the names of the calls on the way from the root.
    fn fetched(&self, module: usize, call: &str) -> Option<String> {
        if self.installed.is_empty() {
            return None;
        }
        let mut path = self.configuration.tree.path(module);
        path.push(call);
        self.installed.get(&path.join(".")).cloned()
    }

    /// The declarations in a folder that a source names, which the calls of the folder share; its problems are told once.
    fn declarations_in(&mut self, folder: &str, place: &Place) -> Option<Arc<Config>> {
        if let Some(config) = self.folders.get(folder) {
            return Some(Arc::clone(config));
        }
        let read =
            folder::read(self.files, folder, self.options, &mut self.evaluation, &mut self.diagnostics);
        match read {
            Ok(config) => {
                self.folders.insert(folder.to_owned(), Arc::clone(&config));
                Some(config)
            }
            Err(problem) => {
                // A folder that can't be read is an error of the source that names it.
                let detail = format!("{} A source is a path from the folder of the call on.", problem.detail);
                self.diagnostics.push(place.error(problem.code, problem.summary, detail));
                None
            }
        }
    }

    /// The address of the module, in releases where source and version are evaluated now. Nothing if it is none, or
    /// if no version can be asked for, which is told.
    fn early_address(&mut self, open: Open, call: &Call, source: &ConfigExpression) -> Option<String> {
        let address = self.source_text(open, source)?;
        match self.version(open, call) {
            Some(version) if !self.check_version(call, &version, &address, &Place::of(source)) => None,
            _ => Some(address),
        }
    }

    /// The address of the module, in releases where source and version are constants. What is wrong with each block has
    /// been told; files together may ask for a version of a module that is in a folder.
    fn constant_address(&mut self, call: &Call, source: &ConfigExpression) -> Option<String> {
        if call.is_refused {
            return None;
        }
        let mut text = |expression: &ConfigExpression| {
            let (value, _) = self.evaluation.evaluate(expression, None);
            convert(&value, &Type::String).ok()?.as_str().map(str::to_owned)
        };
        let address = text(source)?;
        let has_version = call.version.as_ref().and_then(text).is_some();
        if has_version && Address::parse(&address) != Some(Address::Registry) {
            let detail =
                "Only modules of registries have versions. Remove the argument \"version\".".to_owned();
            let title = "Invalid version constraint";
            self.diagnostics.push(call.place.error("module.version", title, detail));
            return None;
        }
        Some(address)
    }

    /// The text of a source; complains if it is none.
    fn source_text(&mut self, open: Open, source: &ConfigExpression) -> Option<String> {
        let value = self.known_early(open, source, super::statically::Of::Source)?;
        let place = Place::of(source);
        match convert(&value, &Type::String).map(|value| value.as_str().map(str::to_owned)) {
            Ok(Some(text)) => Some(text),
            _ => {
                let title = match self.options.release.is_tofu() {
                    true => "Unsuitable value type",
                    false => "Unsuitable module source",
                };
                let detail =
                    "The source of a module is a text: a path that begins with ./ or ../, or an address."
                        .to_owned();
                self.diagnostics.push(place.error("module.source", title, detail));
                None
            }
        }
    }

    /// The version that is asked for, if one is.
    fn version(&mut self, open: Open, call: &Call) -> Option<String> {
        let expression = call.version.as_ref()?;
        let value = self.known_early(open, expression, super::statically::Of::Version)?;
        convert(&value, &Type::String).ok()?.as_str().map(str::to_owned)
    }

    /// Checks that a version can be asked for, which is so for addresses of registries only. False ends the call.
    /// OpenTofu complains of the address also if the version is malformed, Terraform then says nothing more.
    fn check_version(&mut self, call: &Call, version: &str, address: &str, place: &Place) -> bool {
        let is_version = Constraints::parse(version, self.evaluation.bounds()).is_some();
        if !is_version && !self.evaluation.stopped() {
            let detail = format!("\"{version}\" is no condition on versions. Write one such as \"~> 1.2\".");
            let at = call.version.as_ref().map_or_else(|| place.clone(), Place::of);
            self.diagnostics.push(at.error("module.version", "Invalid version constraint", detail));
        }
        if Address::parse(address) == Some(Address::Registry) {
            return is_version;
        }
        if is_version || self.options.release.is_tofu() {
            self.diagnostics.push(no_registry(address, place));
        }
        false
    }

    /// True if there would be too many modules, or one that calls itself.
    fn is_too_deep(&mut self, open: Open, folder: &str, call: &Call) -> bool {
        if let Some(problem) = self.ring(open, folder, call) {
            self.diagnostics.push(problem);
            return true;
        }
        let (title, detail) = if self.configuration.tree.modules[open.module].depth >= MOST_LEVELS {
            (
                "Modules nested too deep",
                format!("Modules call each other more than {MOST_LEVELS} levels deep."),
            )
        } else if self.configuration.tree.modules.len() >= MOST_MODULES {
            ("Too many modules", format!("There are more than {MOST_MODULES} modules."))
        } else {
            return false;
        };
        self.end_full(call, title, detail);
        true
    }

    /// Nothing more is loaded; one diagnostic says so for all calls that are left.
    fn end_full(&mut self, call: &Call, title: &'static str, detail: String) {
        if !std::mem::replace(&mut self.is_full, true) {
            self.diagnostics.push(call.place.error("limit.modules", title, detail));
        }
        self.open.clear();
    }

    /// Returns false if the tree can't take one more module: it would declare too much, or the memory ends the evaluation.
    fn has_room_for(&mut self, folder: &str, call: &Call, config: &Config) -> bool {
        if self.configuration.tree.n_nodes() + config.n_nodes() > MOST_NODES {
            let detail = format!(
                "The modules, each with what it declares as often as it is called, declare more than {MOST_NODES} things."
            );
            self.end_full(call, "Too many declarations", detail);
            return false;
        }
        // Lists grow beside what they were before.
        let n_modules = self.configuration.tree.modules.len() + 1;
        let n_calls = self.open.len() + config.calls.len();
        let n_bytes = n_modules * 2 * size_of::<TreeModule>()
            + n_calls * 2 * size_of::<Open>()
            + config.calls.len() * size_of::<Option<usize>>()
            + folder.len();
        self.evaluation.bounds().has_room(n_bytes)
    }

    /// The complaint about a module that calls itself whatever its variables are: each source on the way to the
    /// folder is constant. A ring through a source that depends on variables may end, and is left to the limits.
    fn ring(&self, open: Open, folder: &str, call: &Call) -> Option<Diagnostic> {
        let is_fixed = |call: &Call| {
            call.source.as_ref().is_some_and(|source| variables(source.syntax().expression()).is_empty())
        };
        let mut calls = vec![&*call.name];
        let mut at = open.module;
        let mut fixed = is_fixed(call);
        while fixed {
            let module = &self.configuration.tree.modules[at];
            if module.folder == folder {
                calls.reverse();
                let detail = format!(
                    "The module in {folder} calls itself, by module.{}, so there would be no end of modules.",
                    calls.join(".module.")
                );
                return Some(call.place.error("module.call.ring", "Module calls itself", detail));
            }
            let (parent, position) = module.parent?;
            let (_, before) = self.configuration.tree.modules[parent].config.calls.get_index(position)?;
            fixed = is_fixed(before);
            calls.push(&before.name);
            at = parent;
        }
        None
    }

    /// Holds a call against what the module declares. Where the files of the module have errors it may declare more
    /// than is known.
    fn check_arguments(&mut self, call: &Call, config: &Config) {
        // Of files that can't be read to the end nobody knows what they declare.
        if !config.is_partial {
            self.check_names(call, config);
        }
        if !self.options.release.is_tofu() {
            self.late.extend(call.wrong_blocks.iter().cloned());
        }
    }

    /// Holds the arguments of a call against the variables of the module.
    fn check_names(&mut self, call: &Call, config: &Config) {
        for argument in
            call.arguments.values().filter(|argument| !config.variables.contains_key(&argument.name))
        {
            if !self.evaluation.may_report(&self.late) {
                break;
            }
            let near = hcl_syntax::diagnostic::suggest::first_similar(
                &argument.name,
                config.variables.keys().map(String::as_str),
            );
            let hint = near.map_or_else(String::new, |near| format!(" Did you mean \"{near}\"?"));
            let detail = format!("The module declares no variable \"{}\".{hint}", argument.name);
            self.late.push(argument.name_place.error("module.call.argument", "Unsupported argument", detail));
        }
        for variable in config.variables.values() {
            if !self.evaluation.bounds().goes_on(1) {
                break;
            }
            if variable.default.is_none()
                && !variable.is_type_wrong
                && !call.arguments.contains_key(&variable.name)
                && self.evaluation.may_report(&self.late)
            {
                let detail = format!(
                    "The module's variable \"{}\" has no default, so a value has to be given here.",
                    variable.name
                );
                self.late.push(call.place.error("module.call.required", "Missing required argument", detail));
            }
        }
    }
}

/// `source = "hashicorp/consul/aws"`
fn not_here(address: &str, place: &Place) -> Diagnostic {
    let detail = format!(
        "The module {address} is not in a folder here, and nothing is fetched. Its outputs are not known. Fetch it with \
         the product first, which notes where it is."
    );
    place.warning("module.source.remote", "Module not available", detail)
}
