//! Override files: what they say takes the place of what the other files say, argument by argument.
//!
//! An ordinary file must declare whatever is overridden. A block of a name that the override file has twice is merged
//! twice, without a complaint. Rules of validation can't be overridden; the reader of declarations refuses them. The
//! rules are those of the page "Override Files" of Terraform's documentation, as far as the products keep to it.

use hcl_eval::eval::Evaluation;
use hcl_syntax::diagnostic::Diagnostics;

use super::{Config, Told};

use crate::declare::{
    Call, Declarations, DependsOn, Mode, Output, Resource, Settings, Unread, Variable, fitted_default,
    not_overriding,
};
use crate::place::Place;

/// Merges an override file into what there is so far.
pub(super) fn merge(
    config: &mut Config,
    file: Declarations,
    diagnostics: &mut Diagnostics,
    evaluation: &mut Evaluation<'_>,
) {
    for over in file.variables {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        match config.variables.get_mut(&over.name) {
            Some(base) => variable(base, over, diagnostics, evaluation),
            None => missing("Missing base variable declaration to override", &over.place, diagnostics),
        }
    }
    // A provider without an alias need not be there.
    for over in file.providers.into_iter().filter(|over| over.alias.is_some()) {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        if !config.providers.contains_key(&(over.name, over.alias)) {
            missing("Missing base provider configuration for override", &over.place, diagnostics);
        }
    }
    for over in file.locals {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        match config.locals.get_mut(over.attribute.name()) {
            Some(base) => *base = over,
            None => missing("Missing base local value definition to override", &over.place, diagnostics),
        }
    }
    for over in file.outputs {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        match config.outputs.get_mut(&over.name) {
            Some(base) => output(base, over, diagnostics),
            None => missing("Missing base output definition to override", &over.place, diagnostics),
        }
    }
    for over in file.calls {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        match config.calls.get_mut(&over.name) {
            Some(base) => call(base, over, diagnostics),
            None => missing("Missing module call to override", &over.place, diagnostics),
        }
    }
    // An ephemeral resource in an override file is read, and nothing becomes of it, in the products too.
    for over in file.resources.into_iter().filter(|over| over.mode != Mode::Ephemeral) {
        if !evaluation.may_report(diagnostics) {
            return;
        }
        let key = (over.mode, over.resource_type.clone(), over.name.clone());
        match config.resources.get_mut(&key) {
            Some(base) => resource(base, over, diagnostics),
            None => missing(missing_resource(over.mode), &over.place, diagnostics),
        }
    }
    others(config, &file.unread, file.settings, &mut Told { diagnostics, evaluation });
}

/// Merges the blocks that declare nothing.
fn others(config: &mut Config, unread: &[Unread], settings: Vec<Settings>, told: &mut Told<'_, '_>) {
    // OpenTofu accepts these blocks in silence and does nothing with them; Terraform refuses all but `removed`.
    let is_refused = |unread: &&Unread| !config.is_lenient && unread.block_type != "removed";
    for unread in unread.iter().filter(is_refused) {
        if !told.evaluation.may_report(told.diagnostics) {
            return;
        }
        told.diagnostics
            .push(not_overriding(format!("Cannot override '{}' blocks", unread.block_type), &unread.place));
    }
    // A backend here replaces the one of the module and is not kept; only two of a kind in one file are wrong.
    let mut stores = Vec::new();
    for settings in settings {
        super::stores_once(&mut stores, settings.stores, told);
        config.settings.providers.extend(settings.providers);
        config.settings.provider_aliases.extend(settings.provider_aliases);
        // The versions required by override files replace those of the module. An override file without any leaves
        // them.
        if !settings.required.is_empty() {
            config.settings.required = settings.required;
        }
    }
}

/// The error about an override of something that no ordinary file declares.
fn missing(title: &'static str, place: &Place, diagnostics: &mut Diagnostics) {
    let detail =
        "An override file changes what other files declare, and none of them declares this.".to_owned();
    diagnostics.push(place.error("module.override", title, detail));
}

/// The title of that error for a resource of a mode.
fn missing_resource(mode: Mode) -> &'static str {
    match mode {
        Mode::Data => "Missing data resource to override",
        Mode::Managed | Mode::Ephemeral => "Missing resource to override",
    }
}

/// Reports `depends_on`, which the products don't let override files change, at its first reference.
fn refuse_depends_on(argument: Option<&DependsOn>, diagnostics: &mut Diagnostics) {
    if let Some(first) = argument.and_then(|argument| argument.first.as_ref()) {
        let detail = "The argument depends_on can't be changed by an override file.".to_owned();
        diagnostics.push(first.error("module.override", "Unsupported override", detail));
    }
}

/// Replaces an argument if the override file has it.
fn set<T>(base: &mut Option<T>, over: Option<T>) {
    if over.is_some() {
        *base = over;
    }
}

/// Merges a variable. The default that results must have the type that results; the error about it stands at the
/// block of the override file, not at the default.
fn variable(
    base: &mut Variable,
    over: Variable,
    diagnostics: &mut Diagnostics,
    evaluation: &mut Evaluation<'_>,
) {
    let is_wrong = over.is_type_wrong;
    base.is_type_wrong |= is_wrong;
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
    // A wrong type or default of this block was complained of already.
    if is_wrong {
        return;
    }
    let Some(default) = base.default.clone() else { return };
    // Defaults of optional attributes are filled in when the variable is evaluated.
    let optional = base.constraint.as_mut().and_then(|constraint| constraint.defaults.take());
    let fitted = fitted_default(base, &default, &over.place, evaluation);
    if let Some(constraint) = &mut base.constraint {
        constraint.defaults = optional;
    }
    match fitted {
        Ok(value) => base.default = Some(value),
        Err(problems) => diagnostics.extend(problems),
    }
}

/// Merges an output. An overriding type brings the defaults of its optional attributes along, unlike that of a
/// variable.
fn output(base: &mut Output, over: Output, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.value, over.value);
    set(&mut base.constraint, over.constraint);
    set(&mut base.sensitive, over.sensitive);
    set(&mut base.ephemeral, over.ephemeral);
}

/// Merges a module call. `enabled` of OpenTofu stays that of the base, and nothing complains if `count` and
/// `for_each` come together this way.
fn call(base: &mut Call, over: Call, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.source, over.source);
    set(&mut base.version, over.version);
    base.is_refused |= over.is_refused;
    set(&mut base.repetition.count, over.repetition.count);
    set(&mut base.repetition.for_each, over.repetition.for_each);
    base.arguments.extend(over.arguments);
    base.wrong_blocks.extend(over.wrong_blocks);
}

/// Merges a resource. The bodies of the override come last, and the last of several arguments of one name counts.
fn resource(base: &mut Resource, over: Resource, diagnostics: &mut Diagnostics) {
    refuse_depends_on(over.depends_on.as_ref(), diagnostics);
    set(&mut base.repetition.count, over.repetition.count);
    set(&mut base.repetition.for_each, over.repetition.for_each);
    set(&mut base.repetition.enabled, over.repetition.enabled);
    base.bodies.extend(over.bodies);
}
