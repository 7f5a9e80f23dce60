//! Override files: what they say takes the place of what the other files say, argument by argument.

use hcl_syntax::diagnostic::Diagnostics;

use super::Config;

use crate::declare::{
    Call, Declarations, Mode, Output, Resource, Unread, Variable, fitted_default, not_overriding,
};
use crate::place::Place;

/// Merges an override file into what there is so far.
pub(super) fn merge(config: &mut Config, file: Declarations, diagnostics: &mut Diagnostics) {
    for over in file.variables {
        match config.variables.get_mut(&over.name) {
            Some(base) => variable(base, over, diagnostics),
            None => missing("Missing base variable declaration to override", &over.place, diagnostics),
        }
    }
    for over in file.locals {
        match config.locals.get_mut(over.attribute.name()) {
            Some(base) => *base = over,
            None => missing("Missing base local value definition to override", &over.place, diagnostics),
        }
    }
    for over in file.outputs {
        match config.outputs.get_mut(&over.name) {
            Some(base) => output(base, over, diagnostics),
            None => missing("Missing base output definition to override", &over.place, diagnostics),
        }
    }
    for over in file.calls {
        match config.calls.get_mut(&over.name) {
            Some(base) => call(base, over, diagnostics),
            None => missing("Missing module call to override", &over.place, diagnostics),
        }
    }
    for over in file.resources {
        let key = (over.mode, over.resource_type.clone(), over.name.clone());
        match config.resources.get_mut(&key) {
            Some(base) => resource(base, over, diagnostics),
            None => missing(missing_resource(over.mode), &over.place, diagnostics),
        }
    }
    let is_refused = |unread: &&Unread| !config.is_lenient && unread.block_type != "removed";
    for unread in file.unread.iter().filter(is_refused) {
        diagnostics
            .push(not_overriding(format!("Cannot override '{}' blocks", unread.block_type), &unread.place));
    }
    let mut stores = Vec::new();
    for settings in file.settings {
        super::stores_once(&mut stores, settings.stores, diagnostics);
        config.settings.providers.extend(settings.providers);
        config.settings.provider_aliases.extend(settings.provider_aliases);
        if !settings.required.is_empty() {
            config.settings.required = settings.required;
        }
    }
}

fn missing(title: &'static str, place: &Place, diagnostics: &mut Diagnostics) {
    let detail =
        "An override file changes what other files declare, and none of them declares this.".to_owned();
    diagnostics.push(place.error("module.override", title, detail));
}

fn missing_resource(mode: Mode) -> &'static str {
    match mode {
        Mode::Managed => "Missing resource to override",
        Mode::Data => "Missing data resource to override",
        Mode::Ephemeral => "Missing ephemeral resource to override",
    }
}

fn refuse_depends_on(
    argument: Option<&(hcl_syntax::config::ConfigExpression, Place)>,
    diagnostics: &mut Diagnostics,
) {
    if let Some((_, place)) = argument {
        let detail = "The argument depends_on can't be changed by an override file.".to_owned();
        diagnostics.push(place.error("module.override", "Unsupported override", detail));
    }
}

fn set<T>(base: &mut Option<T>, over: Option<T>) {
    if over.is_some() {
        *base = over;
    }
}

fn variable(base: &mut Variable, over: Variable, diagnostics: &mut Diagnostics) {
    base.is_type_wrong |= over.is_type_wrong;
    if let Some(mut constraint) = over.constraint {
        // The defaults of optional attributes stay those of the base, as in the products.
        constraint.defaults = base.constraint.take().and_then(|constraint| constraint.defaults);
        base.constraint = Some(constraint);
        base.reading = over.reading;
    }
    set(&mut base.default, over.default);
    set(&mut base.sensitive, over.sensitive);
    set(&mut base.ephemeral, over.ephemeral);
    set(&mut base.nullable, over.nullable);
    set(&mut base.constant, over.constant);
    if base.is_type_wrong {
        return;
    }
    let Some(default) = base.default.clone() else { return };
    match fitted_default(base, &default, &over.place) {
        Ok(value) => base.default = Some(value),
        Err(problem) => {
            base.is_type_wrong = true;
            diagnostics.push(problem);
        }
    }
}

fn output(base: &mut Output, over: Output, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.value, over.value);
    set(&mut base.constraint, over.constraint);
    set(&mut base.sensitive, over.sensitive);
    set(&mut base.ephemeral, over.ephemeral);
}

fn call(base: &mut Call, over: Call, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.source, over.source);
    set(&mut base.version, over.version);
    set(&mut base.repetition.count, over.repetition.count);
    set(&mut base.repetition.for_each, over.repetition.for_each);
    base.arguments.extend(over.arguments);
    base.wrong_blocks.extend(over.wrong_blocks);
}

fn resource(base: &mut Resource, over: Resource, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.repetition.count, over.repetition.count);
    set(&mut base.repetition.for_each, over.repetition.for_each);
    set(&mut base.repetition.enabled, over.repetition.enabled);
    base.bodies.splice(0..0, over.bodies);
}
