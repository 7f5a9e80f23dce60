//! Modules: folders of configuration files, whose expressions answer as the product's console does; templates of Packer
//! and jobs of Nomad are loaded and asked alike.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::eval::EvalOptions;
use hcl_eval::host::Host;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::Diagnostics;

use crate::boundary::{Failure, Outcome, guard, guard_or, guard_with};
use crate::diagnostics::{at_most, check, hcl_diags, hcl_range};
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::handle::{check_out, get, get_mut, hand_out, release};
use crate::host::{Asking, HostKind, hcl_host};
use crate::limits::{evaluating_within, hcl_limits, limits_in, without_raising};
use crate::room::ask_to_add;
use crate::source::{Options, hcl_parse_opts};
use crate::status::hcl_status;
use crate::string::{bytes_in, hcl_str, text_in};
use crate::value::hcl_value;
use loaded::{Loaded, Loader};

/// The preparation of a module: where its files come from and which values its variables have. Filled by one thread, used
/// by `hcl_module_load` as often as wanted. Release with `hcl_module_loader_free`.
pub struct hcl_module_loader {
    loader: Loader,
    host: Option<HostKind>,
}

impl std::fmt::Debug for hcl_module_loader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("hcl_module_loader").finish_non_exhaustive()
    }
}

/// A folder of configuration files, with the local modules that it calls. Immutable; use it from any thread: what variables,
/// locals and outputs come to is found out when it is first needed, and kept. Counted: `hcl_module_ref`. Release with
/// `hcl_module_free`.
#[derive(Clone)]
pub struct hcl_module {
    loaded: Arc<Loaded>,
    host: Option<HostKind>,
}

impl std::fmt::Debug for hcl_module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("hcl_module").finish_non_exhaustive()
    }
}

/// `hcl_module_loader_set_text`: the text is the value, whatever the type of the variable is.
pub const HCL_MODULE_LITERAL: u32 = 1;

/// `hcl_module_loader_resources`: resources have the values that a plan gives them.
pub const HCL_MODULE_PLANNED: u32 = 1;

/// `hcl_declared.kind`: an input variable, `var.NAME`.
pub const HCL_DECLARED_VARIABLE: u32 = 0;
/// `hcl_declared.kind`: a local value, `local.NAME`.
pub const HCL_DECLARED_LOCAL: u32 = 1;
/// `hcl_declared.kind`: an output, `output.NAME`.
pub const HCL_DECLARED_OUTPUT: u32 = 2;
/// `hcl_declared.kind`: a call of another module, `module.NAME`.
pub const HCL_DECLARED_MODULE: u32 = 3;
/// `hcl_declared.kind`: a managed resource, `TYPE.NAME`.
pub const HCL_DECLARED_RESOURCE: u32 = 4;
/// `hcl_declared.kind`: a data source, `data.TYPE.NAME`.
pub const HCL_DECLARED_DATA: u32 = 5;
/// `hcl_declared.kind`: an ephemeral resource, `ephemeral.TYPE.NAME`.
pub const HCL_DECLARED_EPHEMERAL: u32 = 6;
/// `hcl_declared.kind`: a source of images in a template of Packer, `source.TYPE.NAME`.
pub const HCL_DECLARED_SOURCE: u32 = 7;
/// `hcl_declared.kind`: a job of Nomad, `job.NAME`.
pub const HCL_DECLARED_JOB: u32 = 8;

/// `hcl_declared.flags`: the declaration says that the value is sensitive.
pub const HCL_DECLARED_SENSITIVE: u32 = 1;
/// `hcl_declared.flags`: a variable with neither a value nor a default.
pub const HCL_DECLARED_MISSING: u32 = 2;

/// One declaration of a module. Set `size` to `sizeof(hcl_declared)` before passing it; the texts are borrowed from the
/// module.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_declared {
    /// `sizeof(hcl_declared)`, set by the caller.
    pub size: usize,
    /// `HCL_DECLARED_…`: the kind of the declaration.
    pub kind: u32,
    /// `HCL_DECLARED_SENSITIVE`, `HCL_DECLARED_MISSING`, joined by `|`.
    pub flags: u32,
    /// The address, as `hcl_module_value` takes it.
    pub address: hcl_str,
    /// The type of a variable as a type expression; empty for everything else.
    pub type_text: hcl_str,
    /// The file that declares it.
    pub file: hcl_str,
    /// The place of the declaration in the file.
    pub range: hcl_range,
}

/// A new, empty preparation for a product's rules: `terraform`, `opentofu`, `packer`, `nomad`, or one of them with a release,
/// such as `terraform-1.11`. Without more it loads the folder `.` of no files. `*out` is owned.
///
/// HCL_ERR_ARGUMENT: there is no such product or release; `diags` names the known ones. HCL_ERR_UNSUPPORTED: the library was
/// built without modules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_new(
    dialect: *const c_char,
    dialect_len: usize,
    out: *mut *mut hcl_module_loader,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let dialect = unsafe { text_in("dialect", dialect, dialect_len) }?;
        let loader = hcl_module_loader { loader: Loader::new(dialect)?, host: None };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, loader) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// How much memory a value of a variable or of a resource takes in a list.
const BYTES_OF_GIVEN: usize = 64;

/// Changes a loader.
///
/// # Safety
/// `loader` is null or live and unshared.
unsafe fn change(
    loader: *mut hcl_module_loader,
    body: impl FnOnce(&mut hcl_module_loader) -> Outcome,
) -> hcl_status {
    guard(|| {
        // SAFETY: passed on.
        let loader = unsafe { get_mut("loader", loader) }?;
        for n in loader.loader.lengths() {
            ask_to_add(n, BYTES_OF_GIVEN)?;
        }
        body(loader)
    })
}

/// Sets the folder of the module, as `path.module` then shows it. At first it is `.`; its parts are separated by `/`. A template
/// of Packer is a folder or a file, a job of Nomad is a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_folder(
    loader: *mut hcl_module_loader,
    folder: *const c_char,
    folder_len: usize,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        loader.loader.folder(unsafe { text_in("folder", folder, folder_len) }?);
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Adds a file as a text. With one text or more, all files are texts: the host is not asked for any. Text and path are
/// copied; a file of the same path is replaced. The text need not be UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_text(
    loader: *mut hcl_module_loader,
    path: *const c_char,
    path_len: usize,
    text: *const c_char,
    text_len: usize,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let path = unsafe { text_in("path", path, path_len) }?;
        // SAFETY: as above.
        let text = unsafe { bytes_in("text", text, text_len) }?;
        loader.loader.text(path, text);
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Sets the host: it opens the files of the module, its environment may have values of variables, and functions ask it when
/// the module evaluates. Null takes it away. Loader and module keep the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_host(
    loader: *mut hcl_module_loader,
    host: *const hcl_host,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: null or live, by the contract of the interface.
        loader.host = unsafe { host.as_ref() }.map(|host| host.0.clone());
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Gives a variable of the root module a value. It counts more than the environment, than files that are read by themselves
/// and than what was given before. The loader takes a reference of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_set(
    loader: *mut hcl_module_loader,
    name: *const c_char,
    name_len: usize,
    value: *const hcl_value,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value().clone();
        loader.loader.value(name, value);
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Gives a variable of the root module a text, as `-var` of the product's commands does: the type of the variable decides
/// whether it is taken literally or as an expression. With HCL_MODULE_LITERAL in `flags` the text is the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_set_text(
    loader: *mut hcl_module_loader,
    name: *const c_char,
    name_len: usize,
    text: *const c_char,
    text_len: usize,
    flags: u32,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len) }?;
        // SAFETY: as above.
        let text = unsafe { text_in("text", text, text_len) }?;
        match flags {
            0 => loader.loader.assignment(name, text),
            HCL_MODULE_LITERAL => loader.loader.literal(name, text),
            _ => return Err(Failure::unknown_flag("flags")),
        }
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Gives variables of the root module the values of a file, as `-var-file` does. The path begins in the folder where
/// relative paths begin, not in the module's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_values(
    loader: *mut hcl_module_loader,
    path: *const c_char,
    path_len: usize,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        loader.loader.values(unsafe { text_in("path", path, path_len) }?);
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Sets what resources come to in modules that are loaded from then on. HCL_MODULE_PLANNED: they have the values that a
/// plan gives them, as far as their blocks tell: an object with the attributes of the block, a tuple of such objects by
/// `count`, an object of them by `for_each`; attributes that only a provider knows are unknown. 0, as at first: they are
/// unknown, as in the product's console. HCL_ERR_ARGUMENT: `flags` holds something else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_resources(
    loader: *mut hcl_module_loader,
    flags: u32,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        match flags {
            0 => loader.loader.planned(false),
            HCL_MODULE_PLANNED => loader.loader.planned(true),
            _ => return Err(Failure::unknown_flag("flags")),
        }
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Gives a resource, data source or ephemeral resource a value, as a test does in place of a provider. `address` is
/// `TYPE.NAME`, `data.TYPE.NAME` or `ephemeral.TYPE.NAME`, with `module.NAME.` before it for each call on the way and an
/// index behind it for one instance. Without an index the value is that of the block as a whole: of a repeated one a tuple
/// or an object. With HCL_MODULE_PLANNED the attributes of an object count more than those of the block. Of several values
/// the last counts. The loader takes a reference of its own. `hcl_module_load` complains of an address that leads to
/// nothing. Of a template of Packer data sources alone have values, by `data.TYPE.NAME`; a job of Nomad has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_resource(
    loader: *mut hcl_module_loader,
    address: *const c_char,
    address_len: usize,
    value: *const hcl_value,
) -> hcl_status {
    let body = |loader: &mut hcl_module_loader| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { text_in("address", address, address_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value().clone();
        loader.loader.resource(address, value);
        Ok(())
    };
    // SAFETY: null or live and unshared, by the contract of the interface.
    unsafe { change(loader, body) }
}

/// Releases a loader. Modules that it loaded stay. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_loader_free(loader: *mut hcl_module_loader) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(loader) });
}

/// Loads a module: reads its files, those of the local modules that it calls and the values of its variables. The module does
/// not need the loader any more. `opts` bounds the reading and may be null; its only flag here is HCL_PARSE_PARTIAL, with
/// which a module with errors is given, too: `hcl_module_at` lists its declarations, and nothing of it evaluates. Callbacks
/// of the host run during the call.
///
/// HCL_ERR_DIAGNOSTICS: something is wrong with the files or the values; `diags` speaks of all of them at once.
/// HCL_ERR_LIMIT: a file is longer than `max_source_bytes` or nests deeper than `max_depth`; there are more problems than
/// `max_diagnostics`, of which the first are kept; there are more than 10,000 modules, 1,000 levels of them or 134,217,728
/// declarations, where variables count twice and those of a module as often as it is called; or loading reaches a limit of an
/// evaluation that is given none, such as 256 MiB of memory, which the files that have been read count for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_load(
    loader: *const hcl_module_loader,
    opts: *const hcl_parse_opts,
    module: *mut *mut hcl_module,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("module", module)?;
        // SAFETY: null or live, by the contract of the interface.
        let loader = unsafe { get("loader", loader) }?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let opts = unsafe { Options::read(opts) }?;
        if opts.is_json() {
            return Err(Failure::argument(
                "opts->flags",
                "has HCL_PARSE_JSON, but the names of the files say their syntax.",
            ));
        }
        let limits = evaluating_within(opts.limits());
        let (loaded, problems) = loader.loader.load(asked(loader.host.as_ref(), &limits).as_ref(), &opts);
        *said = at_most(limits.max_diagnostics, problems);
        without_raising(said);
        let outcome = check(said);
        if outcome.is_ok() || opts.is_partial() {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out(module, hcl_module { loaded: Arc::new(loaded), host: loader.host.clone() }) };
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A host as one call asks it.
fn asked(host: Option<&HostKind>, limits: &hcl_eval::limits::Limits) -> Option<Arc<dyn Host>> {
    match host? {
        HostKind::Own(host) => Some(Arc::clone(host)),
        HostKind::Callbacks(host) => {
            let asking = Asking::new(Arc::clone(host));
            asking.begin(limits);
            Some(Arc::new(asking))
        }
    }
}

/// Runs a call that evaluates in a module.
///
/// # Safety
/// The pointers are as the interface asks.
unsafe fn evaluating(
    module: *const hcl_module,
    limits: *const hcl_limits,
    diags: *mut *mut hcl_diags,
    body: impl FnOnce(&Loaded, &EvalOptions<'_>, &mut Diagnostics) -> Outcome,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        // SAFETY: null or live, by the contract of the interface.
        let module = unsafe { get("module", module) }?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let limits = unsafe { limits_in("limits", limits) }?;
        let host = asked(module.host.as_ref(), &limits);
        let options = EvalOptions { limits, host: host.as_deref(), ..EvalOptions::default() };
        body(&module.loaded, &options, said)
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Hands out the value of an evaluation, if it has one and there are no errors.
///
/// # Safety
/// `out` points to writable memory for one pointer.
unsafe fn give(
    out: *mut *mut hcl_value,
    (value, problems): (Option<Value>, Diagnostics),
    said: &mut Diagnostics,
) -> Outcome {
    *said = problems;
    check(said)?;
    let value = value.ok_or(hcl_status::HCL_ERR_DIAGNOSTICS)?;
    // SAFETY: passed on.
    unsafe { hand_out(out, hcl_value::new(value)) };
    Ok(())
}

/// Evaluates what a text names in a module.
///
/// # Safety
/// The pointers are as the interface asks.
unsafe fn evaluating_text(
    module: *const hcl_module,
    (name, text, text_len): (&'static str, *const c_char, usize),
    limits: *const hcl_limits,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
    evaluate: impl FnOnce(&Loaded, &str, &EvalOptions<'_>) -> (Option<Value>, Diagnostics),
) -> hcl_status {
    let body = |module: &Loaded, options: &EvalOptions<'_>, said: &mut Diagnostics| {
        check_out("value", value)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in(name, text, text_len) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { give(value, evaluate(module, text, options), said) }
    };
    // SAFETY: passed on.
    unsafe { evaluating(module, limits, diags, body) }
}

/// Evaluates an expression in a module: the names of the module mean what they mean in its files. Only what the expression
/// needs is evaluated, and `diags` speaks of it only. Functions ask the host that the loader had. `limits` bounds the call and
/// may be null. `*value` is owned; it may be unknown, as resources are, and all that needs a variable without a value, which
/// HCL_DECLARED_MISSING marks.
///
/// HCL_ERR_DIAGNOSTICS: the expression, or what it needs, is wrong. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the
/// evaluation was stopped; it can be asked again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_eval(
    module: *const hcl_module,
    source: *const c_char,
    source_len: usize,
    limits: *const hcl_limits,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let text = ("source", source, source_len);
    // SAFETY: passed on.
    unsafe { evaluating_text(module, text, limits, value, diags, Loaded::evaluate) }
}

/// As `hcl_module_eval` for an expression that has been parsed, which may be a template (`hcl_expr_parse`), or borrowed from
/// a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_eval_expr(
    module: *const hcl_module,
    expr: *const hcl_expr,
    limits: *const hcl_limits,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |module: &Loaded, options: &EvalOptions<'_>, said: &mut Diagnostics| {
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { give(value, module.evaluate_parsed(expr, options), said) }
    };
    // SAFETY: passed on.
    unsafe { evaluating(module, limits, diags, body) }
}

/// The value at an address: `output.x`, `local.x`, `var.x`, `module.a.output.b`, or what `hcl_declared.address` says. As
/// `hcl_module_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_value(
    module: *const hcl_module,
    address: *const c_char,
    address_len: usize,
    limits: *const hcl_limits,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let text = ("address", address, address_len);
    // SAFETY: passed on.
    unsafe { evaluating_text(module, text, limits, value, diags, Loaded::evaluate_address) }
}

/// Everything in a template of Packer or a job of Nomad as one value. `limits` bounds the call and may be null. `*value` is
/// owned.
///
/// Of a template it is an object: `sources`, a tuple of `[TYPE, NAME]`, and `builds`. A build has `name`, `description` and
/// `sources`, the uses of sources, each with `type`, `name` (in the build), `source` (the name of its block), `body`,
/// `provisioners`, `post_processors` (a tuple of sequences) and perhaps `error_cleanup`. Steps have `type`, `name` and `body`.
/// Of a job it is the body of the file without declarations. A body is an object of `attributes`, an object, and if there
/// are any `blocks`, each with `type`, `labels` (a tuple, or null) and `body`. Dynamic blocks are expanded; references to what
/// only Nomad's client knows are texts.
///
/// HCL_ERR_DIAGNOSTICS: something in it can't be evaluated. HCL_ERR_ARGUMENT: it is a module of Terraform or OpenTofu.
/// HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the evaluation was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_evaluated(
    module: *const hcl_module,
    limits: *const hcl_limits,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |module: &Loaded, options: &EvalOptions<'_>, said: &mut Diagnostics| {
        check_out("value", value)?;
        let evaluated = module.evaluated(options)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { give(value, evaluated, said) }
    };
    // SAFETY: passed on.
    unsafe { evaluating(module, limits, diags, body) }
}

/// Evaluates everything that the module and those that it calls declare, as the product's console does before it answers.
/// `diags` speaks of all problems. HCL_OK: there are no errors. HCL_ERR_DIAGNOSTICS, with a diagnostic that says so: the
/// module was given with errors (HCL_PARSE_PARTIAL), and is not looked at again.
///
/// `limits` bounds the whole call, of which all expressions share max_steps, max_elements, max_output_bytes and max_memory. What
/// a call has found out is kept in the module and is not charged to later calls, so that a check may succeed where one before it
/// ran into a limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_check(
    module: *const hcl_module,
    limits: *const hcl_limits,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |module: &Loaded, options: &EvalOptions<'_>, said: &mut Diagnostics| {
        if module.is_refused() {
            return Err(hcl_status::HCL_ERR_DIAGNOSTICS.into());
        }
        *said = at_most(options.limits.max_diagnostics, module.check(options));
        check(said)
    };
    // SAFETY: passed on.
    unsafe { evaluating(module, limits, diags, body) }
}

/// The number of declarations of a module: variables, locals, outputs, calls of modules, then resources, data sources and
/// ephemeral resources together; of Packer also sources, of Nomad the job. Null counts as none. 0 if there is no memory for the
/// list of them, which is made when it is first asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_count(module: *const hcl_module) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { module.as_ref() }.map_or(0, |module| module.loaded.n_declared()))
}

/// The declaration at an index: in the order of `hcl_module_count`, and within that of the files. HCL_ERR_RANGE: there are
/// not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_at(
    module: *const hcl_module,
    index: usize,
    out: *mut hcl_declared,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live, by the contract of the interface.
        let declared = unsafe { get("module", module) }?.loaded.declared(index)?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &declared) }
    })
}

/// Another owned handle to the same module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_ref(module: *const hcl_module, out: *mut *mut hcl_module) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let module = unsafe { get("module", module) }?.clone();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, module) };
        Ok(())
    })
}

/// Releases a module. Values and diagnostics that it gave stay. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_module_free(module: *mut hcl_module) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(module) });
}

#[cfg(feature = "modules")]
mod loaded {
    use std::sync::{Arc, Mutex, OnceLock};

    use hcl_eval::eval::EvalOptions;
    use hcl_eval::host::Host;
    use hcl_eval::types::Type;
    use hcl_eval::value::Value;
    use hcl_module::{
        DeclaredKind, Entry as OtherEntry, EntryKind, FileError, Files, Given, HostFiles, LoadOptions,
        Module, Release, ResourceValue, TextFiles,
    };
    use hcl_syntax::diagnostic::{Diagnostics, has_errors};
    use hcl_syntax::hash::IndexSet;
    use hcl_syntax::parser::ParseLimits;
    use hcl_syntax::source::Range;

    use super::{
        HCL_DECLARED_DATA, HCL_DECLARED_EPHEMERAL, HCL_DECLARED_JOB, HCL_DECLARED_LOCAL,
        HCL_DECLARED_MISSING, HCL_DECLARED_MODULE, HCL_DECLARED_OUTPUT, HCL_DECLARED_RESOURCE,
        HCL_DECLARED_SENSITIVE, HCL_DECLARED_SOURCE, HCL_DECLARED_VARIABLE, hcl_declared,
    };
    use crate::boundary::{Failure, Outcome};
    use crate::diagnostics::hcl_range;
    use crate::expression::hcl_expr;
    use crate::limits::evaluating_within;
    use crate::products::{Product, Request, Whole};
    use crate::room::ask_for;
    use crate::source::{Options, check_size};
    use crate::status::hcl_status;

    /// The product whose rules hold.
    enum Rules {
        Module(Release),
        Other(Product),
    }

    pub(super) struct Loader {
        rules: Rules,
        folder: String,
        texts: Option<TextFiles>,
        given: Vec<Given>,
        is_planned: bool,
        resource_values: Vec<ResourceValue>,
    }

    impl Loader {
        pub(super) fn new(dialect: &str) -> Outcome<Self> {
            let unknown = || {
                let products = ["terraform", "opentofu", "packer", "nomad"];
                let known = products.map(|product| hcl_eval::dialect::known(Some(product))).join(", ");
                Failure::argument(
                    "dialect",
                    format_args!("is \"{dialect}\", of which there are no modules. Known are {known}."),
                )
            };
            let module = Release::by_name(dialect).map(Rules::Module);
            let rules = module.or_else(|| Product::by_name(dialect).map(Rules::Other)).ok_or_else(unknown)?;
            Ok(Self {
                rules,
                folder: ".".to_owned(),
                texts: None,
                given: Vec::new(),
                is_planned: false,
                resource_values: Vec::new(),
            })
        }

        /// How long the lists are that a call may add to.
        pub(super) fn lengths(&self) -> [usize; 2] {
            [self.given.len(), self.resource_values.len()]
        }

        pub(super) fn folder(&mut self, folder: &str) {
            folder.clone_into(&mut self.folder);
        }

        pub(super) fn text(&mut self, path: &str, text: &[u8]) {
            self.texts = Some(self.texts.take().unwrap_or_default().with(path, text));
        }

        pub(super) fn value(&mut self, name: &str, value: Value) {
            self.given.push(Given::Value { name: name.to_owned(), value });
        }

        pub(super) fn assignment(&mut self, name: &str, text: &str) {
            self.given.push(Given::Assignment(format!("{name}={text}")));
        }

        pub(super) fn literal(&mut self, name: &str, text: &str) {
            self.given.push(Given::Text { name: name.to_owned(), text: text.to_owned() });
        }

        pub(super) fn planned(&mut self, is_planned: bool) {
            self.is_planned = is_planned;
        }

        pub(super) fn resource(&mut self, address: &str, value: Value) {
            self.resource_values.push(ResourceValue { address: address.to_owned(), value });
        }

        pub(super) fn values(&mut self, path: &str) {
            self.given.push(Given::File(path.to_owned()));
        }

        pub(super) fn load(&self, host: Option<&Arc<dyn Host>>, opts: &Options) -> (Loaded, Diagnostics) {
            let none = TextFiles::default();
            let opened = host.cloned().map(HostFiles::new);
            let files: &dyn Files = match (&self.texts, &opened) {
                (Some(texts), _) => texts,
                (None, Some(opened)) => opened,
                (None, None) => &none,
            };
            let refused = Mutex::new(Diagnostics::new());
            let files = BoundedFiles { files, most: opts.max_source_bytes(), refused };
            let (loaded, mut problems) = self.load_from(&files, host, opts.limits());
            problems.extend(files.refused.into_inner().unwrap_or_default());
            (loaded, problems)
        }

        fn load_from(
            &self,
            files: &dyn Files,
            host: Option<&Arc<dyn Host>>,
            limits: &ParseLimits,
        ) -> (Loaded, Diagnostics) {
            let release = match &self.rules {
                Rules::Module(release) => *release,
                Rules::Other(product) => {
                    let (path, given) = (&self.folder, &self.given);
                    let resource_values = &self.resource_values;
                    let request = Request { path, files, given, resource_values, host, limits };
                    let (whole, diagnostics) = product.load(&request);
                    let object =
                        if has_errors(&diagnostics) { Object::Broken(whole) } else { Object::Other(whole) };
                    return (Loaded::new(object), diagnostics);
                }
            };
            let options = LoadOptions {
                release,
                folder: self.folder.clone(),
                given: self.given.clone(),
                host: host.map(|host| &**host),
                parse_limits: limits.clone(),
                // Loading evaluates, to find folders and values.
                limits: evaluating_within(limits),
                planned: self.is_planned,
                resource_values: self.resource_values.clone(),
                ..LoadOptions::default()
            };
            let (module, diagnostics) = Module::load(files, &options);
            (Loaded::new(Object::Module(Box::new(module))), diagnostics)
        }
    }

    /// Files of which none is longer than a limit.
    struct BoundedFiles<'f> {
        files: &'f dyn Files,
        most: u64,
        /// The complaints about those that are longer.
        refused: Mutex<Diagnostics>,
    }

    impl Files for BoundedFiles<'_> {
        fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
            self.files.names_in(folder)
        }

        fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
            let bytes = self.files.read(path)?;
            match check_size(path, &bytes, self.most) {
                Ok(()) => Ok(bytes),
                Err(failure) => {
                    if let Ok(mut refused) = self.refused.lock() {
                        refused.extend(failure.diagnostics);
                    }
                    Err(FileError::Failed("it is longer than the limit allows".to_owned()))
                }
            }
        }
    }

    /// How much memory a declaration takes in the lists of the engine and of the interface, with the text of a short type.
    const BYTES_OF_DECLARED: usize = 2 * size_of::<Entry>() + 512;

    /// A module with the texts that its list of declarations lends, which is made when it is first asked for.
    #[derive(Debug)]
    pub(super) struct Loaded {
        object: Object,
        declared: OnceLock<Vec<Entry>>,
    }

    #[derive(Debug)]
    enum Object {
        Module(Box<Module>),
        Other(Whole),
        /// A template or a job with errors, which is not evaluated.
        Broken(Whole),
    }

    #[derive(Debug)]
    struct Entry {
        kind: u32,
        address: String,
        range: Range,
        type_text: String,
        is_sensitive: bool,
        is_missing: bool,
    }

    impl Loaded {
        fn new(object: Object) -> Self {
            Self { object, declared: OnceLock::new() }
        }

        fn entries(&self) -> Outcome<&[Entry]> {
            if self.declared.get().is_none() {
                let n = match &self.object {
                    Object::Module(module) => module.n_declared(),
                    Object::Other(whole) | Object::Broken(whole) => whole.declared().len(),
                };
                ask_for(n, BYTES_OF_DECLARED)?;
            }
            Ok(self.declared.get_or_init(|| match &self.object {
                Object::Module(module) => entries_of_module(module),
                Object::Other(whole) | Object::Broken(whole) => entries_of(whole),
            }))
        }

        pub(super) fn evaluate(
            &self,
            source: &str,
            options: &EvalOptions<'_>,
        ) -> (Option<Value>, Diagnostics) {
            match &self.object {
                Object::Module(module) => module.evaluate(source, options),
                Object::Other(whole) => whole.evaluate(source, options),
                Object::Broken(_) => (None, Diagnostics::new()),
            }
        }

        pub(super) fn evaluate_parsed(
            &self,
            expr: &hcl_expr,
            options: &EvalOptions<'_>,
        ) -> (Option<Value>, Diagnostics) {
            match &self.object {
                Object::Module(module) => module.evaluate_parsed(&expr.config().syntax(), None, options),
                Object::Other(whole) => whole.evaluate_parsed(&expr.config().syntax(), options),
                Object::Broken(_) => (None, Diagnostics::new()),
            }
        }

        pub(super) fn evaluate_address(
            &self,
            address: &str,
            options: &EvalOptions<'_>,
        ) -> (Option<Value>, Diagnostics) {
            match &self.object {
                Object::Module(module) => module.evaluate_address(address, options),
                Object::Other(whole) => whole.evaluate(address, options),
                Object::Broken(_) => (None, Diagnostics::new()),
            }
        }

        /// True if there are errors in it, so that nothing of it evaluates.
        pub(super) fn is_refused(&self) -> bool {
            match &self.object {
                Object::Module(module) => !module.can_be_evaluated(),
                Object::Other(_) => false,
                Object::Broken(_) => true,
            }
        }

        pub(super) fn check(&self, options: &EvalOptions<'_>) -> Diagnostics {
            match &self.object {
                Object::Module(module) => module.check(options),
                Object::Other(whole) => whole.check(options),
                Object::Broken(_) => Diagnostics::new(),
            }
        }

        pub(super) fn evaluated(&self, options: &EvalOptions<'_>) -> Outcome<(Option<Value>, Diagnostics)> {
            match &self.object {
                Object::Module(_) => Err(Failure::argument(
                    "module",
                    "is one of Terraform or OpenTofu, which has no value as a whole; ask for its outputs.",
                )),
                Object::Other(whole) => Ok(whole.evaluated(options)),
                Object::Broken(_) => Ok((None, Diagnostics::new())),
            }
        }

        pub(super) fn n_declared(&self) -> usize {
            self.entries().map_or(0, <[_]>::len)
        }

        pub(super) fn declared(&self, index: usize) -> Outcome<hcl_declared> {
            let entry = self.entries()?.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
            let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
            Ok(hcl_declared {
                size: size_of::<hcl_declared>(),
                kind: entry.kind,
                flags: flag(entry.is_sensitive, HCL_DECLARED_SENSITIVE)
                    | flag(entry.is_missing, HCL_DECLARED_MISSING),
                address: entry.address.as_str().into(),
                type_text: entry.type_text.as_str().into(),
                file: entry.range.filename.as_ref().into(),
                range: hcl_range::from(&entry.range),
            })
        }
    }

    fn entries_of_module(module: &Module) -> Vec<Entry> {
        let missing: IndexSet<&str> = module.missing_variables().into_iter().collect();
        let entry = |declared: hcl_module::Declared| {
            let name = declared.address.strip_prefix("var.");
            Entry {
                kind: match declared.kind {
                    DeclaredKind::Variable => HCL_DECLARED_VARIABLE,
                    DeclaredKind::Local => HCL_DECLARED_LOCAL,
                    DeclaredKind::Output => HCL_DECLARED_OUTPUT,
                    DeclaredKind::Module => HCL_DECLARED_MODULE,
                    DeclaredKind::Resource => HCL_DECLARED_RESOURCE,
                    DeclaredKind::Data => HCL_DECLARED_DATA,
                    DeclaredKind::Ephemeral => HCL_DECLARED_EPHEMERAL,
                },
                is_missing: declared.kind == DeclaredKind::Variable
                    && name.is_some_and(|name| missing.contains(name)),
                type_text: type_text(declared.ty.as_ref()),
                is_sensitive: declared.sensitive,
                range: declared.range,
                address: declared.address,
            }
        };
        module.declared().into_iter().map(entry).collect()
    }

    fn entries_of(whole: &Whole) -> Vec<Entry> {
        let entry = |entry: &OtherEntry| Entry {
            kind: match entry.kind {
                EntryKind::Local => HCL_DECLARED_LOCAL,
                EntryKind::Data => HCL_DECLARED_DATA,
                EntryKind::Source => HCL_DECLARED_SOURCE,
                EntryKind::Job => HCL_DECLARED_JOB,
                _ => HCL_DECLARED_VARIABLE,
            },
            address: entry.address.clone(),
            range: entry.range.clone(),
            type_text: type_text(entry.ty.as_ref()),
            is_sensitive: entry.is_sensitive,
            is_missing: entry.is_missing,
        };
        whole.declared().iter().map(entry).collect()
    }

    fn type_text(ty: Option<&Type>) -> String {
        ty.map(Type::to_type_text).unwrap_or_default()
    }
}

/// A build without modules.
#[cfg(not(feature = "modules"))]
mod loaded {
    use std::sync::Arc;

    use hcl_eval::eval::EvalOptions;
    use hcl_eval::host::Host;
    use hcl_eval::value::Value;
    use hcl_syntax::diagnostic::Diagnostics;

    use super::hcl_declared;
    use crate::boundary::Outcome;
    use crate::expression::hcl_expr;
    use crate::source::Options;
    use crate::status::hcl_status;

    pub(super) enum Loader {}

    impl Loader {
        pub(super) fn new(_: &str) -> Outcome<Self> {
            Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
        }

        pub(super) fn lengths(&self) -> [usize; 2] {
            match *self {}
        }

        pub(super) fn folder(&mut self, _: &str) {
            match *self {}
        }

        pub(super) fn text(&mut self, _: &str, _: &[u8]) {
            match *self {}
        }

        pub(super) fn value(&mut self, _: &str, _: Value) {
            match *self {}
        }

        pub(super) fn assignment(&mut self, _: &str, _: &str) {
            match *self {}
        }

        pub(super) fn literal(&mut self, _: &str, _: &str) {
            match *self {}
        }

        pub(super) fn planned(&mut self, _: bool) {
            match *self {}
        }

        pub(super) fn resource(&mut self, _: &str, _: Value) {
            match *self {}
        }

        pub(super) fn values(&mut self, _: &str) {
            match *self {}
        }

        pub(super) fn load(&self, _: Option<&Arc<dyn Host>>, _: &Options) -> (Loaded, Diagnostics) {
            match *self {}
        }
    }

    #[derive(Debug)]
    pub(super) enum Loaded {}

    impl Loaded {
        pub(super) fn evaluate(&self, _: &str, _: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
            match *self {}
        }

        pub(super) fn evaluate_parsed(
            &self,
            _: &hcl_expr,
            _: &EvalOptions<'_>,
        ) -> (Option<Value>, Diagnostics) {
            match *self {}
        }

        pub(super) fn evaluate_address(&self, _: &str, _: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
            match *self {}
        }

        pub(super) fn is_refused(&self) -> bool {
            match *self {}
        }

        pub(super) fn check(&self, _: &EvalOptions<'_>) -> Diagnostics {
            match *self {}
        }

        pub(super) fn evaluated(&self, _: &EvalOptions<'_>) -> Outcome<(Option<Value>, Diagnostics)> {
            match *self {}
        }

        pub(super) fn n_declared(&self) -> usize {
            match *self {}
        }

        pub(super) fn declared(&self, _: usize) -> Outcome<hcl_declared> {
            match *self {}
        }
    }
}
