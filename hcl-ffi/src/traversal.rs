//! Traversals: references to variables, step by step, and the names that expressions use.

use libc::c_char;
use std::cell::RefCell;

use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_eval::limits::Meter;
use hcl_eval::value::{Number, Value};
use hcl_syntax::ast::{self, Expression, Step, StepKind};
use hcl_syntax::config::{Bounds, ConfigExpression, push_within};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::limits::Stopped;
use hcl_syntax::parser::{ParseLimits, ParsedTraversal, Splats, TraversalStepKind, parse_traversal};
use hcl_syntax::source::{Grammar, Source, Span};

use crate::boundary::{Failure, Outcome, guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags, hcl_pos, hcl_range};
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::limits::evaluating_within;
use crate::room::{asking, range_in};
use crate::source::{hcl_parse_opts, input, origin};
use crate::status::hcl_status;
use crate::string::hcl_str;
use crate::value::hcl_value;

/// Traversals: root names with the steps that follow, in the order of the source, repetitions kept. Immutable; use it
/// from any thread. Release with `hcl_traversals_free`.
#[derive(Debug)]
pub struct hcl_traversals {
    list: Box<[Entry]>,
}

#[derive(Debug)]
struct Entry {
    source: Source,
    root: Box<str>,
    span: Span,
    text: Box<str>,
    steps: Box<[Part]>,
}

/// A step of an entry.
#[derive(Debug)]
struct Part {
    kind: u32,
    /// The length of the name, which ends where the step ends.
    name_len: u32,
    key: Option<Value>,
    span: Span,
}

/// How much memory a step takes, with its key.
const BYTES_OF_STEP: usize = size_of::<Part>() + 64;

/// How many steps are read between two looks at the limits.
const STEPS_PER_LOOK: usize = 1 << 12;

/// `hcl_step.kind`: an attribute, `.name`.
pub const HCL_STEP_ATTR: u32 = 1;
/// `hcl_step.kind`: an index by a literal, `["key"]` or `[0]`; `.0` is one too.
pub const HCL_STEP_INDEX: u32 = 2;
/// `hcl_step.kind`: all elements, `[*]`; only `hcl_traversal_parse` gives it.
pub const HCL_STEP_SPLAT: u32 = 3;

/// A step of a traversal. Set `size` to `sizeof(hcl_step)` before passing it; the rest is borrowed from the list.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_step {
    /// `sizeof(hcl_step)`, set by the caller.
    pub size: usize,
    /// `HCL_STEP_…`
    pub kind: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The name of an attribute; else empty.
    pub name: hcl_str,
    /// The key of an index: a string, a number, or another literal; unknown where the text is none. Else null.
    pub key: *const hcl_value,
    /// From the dot to the end of the name, or from bracket to bracket.
    pub range: hcl_range,
}

impl hcl_traversals {
    /// The variables that an engine function finds: each is an expression that is a traversal.
    pub(crate) fn find(find: impl FnOnce(&mut Meter) -> Vec<ConfigExpression>) -> Outcome<Self> {
        asking(|meter| {
            let mut list = Vec::new();
            for variable in find(meter) {
                Entry::add(variable.syntax().expression(), &mut list, meter);
            }
            Self { list: list.into() }
        })
    }

    fn only(entry: Entry) -> Self {
        Self { list: Box::new([entry]) }
    }
}

impl Entry {
    /// Adds an expression that is a traversal to a list, if there is memory for it.
    fn add(expression: Expression<'_>, list: &mut Vec<Self>, meter: &mut Meter) {
        if let Some(entry) = Self::of(expression, meter)
            && meter.next_item()
        {
            push_within(list, entry, meter);
        }
    }

    /// An expression that is a traversal, or nothing; also if there is no memory for it.
    fn of(expression: Expression<'_>, meter: &mut Meter) -> Option<Self> {
        let traversal = expression.as_static_traversal()?;
        // The text grows to at most twice its length, and is as long as in the source or shorter.
        let n_bytes = traversal.steps.len() * BYTES_OF_STEP + 3 * expression.source_text().len();
        if !meter.has_room(n_bytes) {
            return None;
        }
        let mut text = traversal.root.to_owned();
        traversal.steps.write_text(&mut text);
        let steps: Box<[Part]> = traversal.steps.iter().map(Part::of).collect();
        let end = steps.last().map_or(traversal.root_span, |step| step.span);
        Some(Self {
            source: expression.tree().source().clone(),
            root: traversal.root.into(),
            span: traversal.root_span.to(end),
            text: text.into(),
            steps,
        })
    }

    /// A reference that was read by itself, if it has a root name. The key of an index may be long, and is made within limits.
    ///
    /// # Errors
    /// The work was to end before.
    fn of_parsed(parsed: &ParsedTraversal, limits: &ParseLimits) -> Result<Option<Self>, Stopped> {
        let options = &EvalOptions { limits: evaluating_within(limits), ..EvalOptions::default() };
        let Some((root, root_span)) = parsed.root().zip(parsed.root_span()) else { return Ok(None) };
        let mut steps = Vec::with_capacity(parsed.steps().len());
        for (idx, step) in parsed.steps().enumerate() {
            if idx % STEPS_PER_LOOK == STEPS_PER_LOOK - 1 {
                options.limits.stopped().map_or(Ok(()), Err)?;
            }
            steps.push(match step.kind {
                TraversalStepKind::Attribute(name) => Part::attribute(name, step.span),
                TraversalStepKind::Index(key) => Part::index(evaluate(key, None, options).0, step.span),
                TraversalStepKind::Splat => {
                    Part { kind: HCL_STEP_SPLAT, name_len: 0, key: None, span: step.span }
                }
            });
        }
        let end = steps.last().map_or(root_span, |step| step.span);
        Ok(Some(Self {
            source: parsed.tree().source().clone(),
            root: root.into(),
            span: root_span.to(end),
            text: parsed.to_text_within(limits)?.into(),
            steps: steps.into(),
        }))
    }
}

impl Part {
    fn of(step: Step<'_>) -> Self {
        match step.kind {
            StepKind::Attribute(name) => Self::attribute(name, step.span),
            StepKind::Index(key) => Self::index(literal(key), step.span),
            StepKind::LegacyIndex(digits) => {
                let key = Number::parse_literal(digits).map_or_else(Value::dynamic, Value::number);
                Self::index(key, step.span)
            }
            StepKind::InvalidLegacyIndex => Self::index(Value::dynamic(), step.span),
        }
    }

    fn attribute(name: &str, span: Span) -> Self {
        let name_len = u32::try_from(name.len()).unwrap_or_default();
        Self { kind: HCL_STEP_ATTR, name_len, key: None, span }
    }

    fn index(key: Value, span: Span) -> Self {
        Self { kind: HCL_STEP_INDEX, name_len: 0, key: Some(key), span }
    }
}

/// The value of a literal; unknown after errors.
fn literal(expression: Expression<'_>) -> Value {
    evaluate(expression, None, &EvalOptions::default()).0
}

/// The variables that `expr` refers to: root names with the attributes and literal indexes that follow. Names
/// that a `for` of the expression itself introduces are left out. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_variables(
    expr: *const hcl_expr,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let config = unsafe { get("expr", expr) }?.config();
        let variables = hcl_traversals::find(|meter| {
            let mut found = Vec::new();
            config.find_variables(&mut found, meter);
            found
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, variables) };
        Ok(())
    })
}

/// The functions that `expr` calls, in the order of the source, repetitions kept: each as an entry without steps, whose
/// root is the function's name (parts joined by `::`) and whose range is where the name stands. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_functions(
    expr: *const hcl_expr,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        let entry = |call: ast::Call<'_>| Entry {
            source: expr.tree().source().clone(),
            root: call.name().into(),
            span: call.name_span(),
            text: call.name().into(),
            steps: Box::default(),
        };
        let list = asking(|meter| {
            let meter = RefCell::new(meter);
            let goes_on = |n_bytes| meter.borrow_mut().goes_on(1) && meter.borrow_mut().has_room(n_bytes);
            let mut list = Vec::new();
            for call in ast::functions_while(expr.expression(), goes_on) {
                push_within(&mut list, entry(call), *meter.borrow_mut());
            }
            list
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_traversals { list: list.into() }) };
        Ok(())
    })
}

/// An expression as a traversal, without evaluating it: a name with attributes and literal indexes; in JSON syntax a
/// string that holds one. `true`, `false` and `null` count as names. `*out` is an owned list of one entry.
///
/// HCL_ERR_TYPE: the expression is something else, parentheses and templates included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_static_traversal(
    expr: *const hcl_expr,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let syntax = unsafe { get("expr", expr) }?.config().static_traversal();
        let entry = asking(|meter| syntax.and_then(|syntax| Entry::of(syntax.expression(), meter)))?;
        let entry = entry.ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_traversals::only(entry)) };
        Ok(())
    })
}

/// `hcl_traversal_parse`: `[*]` is allowed as a step.
pub const HCL_TRAVERSAL_SPLAT: u32 = 1;

/// Parses a reference that stands alone and makes up the whole of `src`, such as `module.web["a"].port`.
///
/// `flags` is 0 or `HCL_TRAVERSAL_SPLAT`. Texts, `start`, `opts`, statuses and `diags` are as for `hcl_expr_parse`; with
/// `HCL_PARSE_PARTIAL` what was read before the first error is given too, if it has a root name. `*out` is an owned
/// list of one entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversal_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    start: *const hcl_pos,
    flags: u32,
    opts: *const hcl_parse_opts,
    out: *mut *mut hcl_traversals,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<Diagnostic>| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        if flags & !HCL_TRAVERSAL_SPLAT != 0 {
            return Err(Failure::unknown_flag("flags"));
        }
        if opts.is_json() {
            return Err(Failure::argument("opts->flags", "has HCL_PARSE_JSON, which traversals don't."));
        }
        // SAFETY: null or readable, by the contract of the interface.
        let origin = origin(unsafe { start.as_ref() }, &opts);
        let source = opts.source(&name, bytes, Grammar::Config, origin)?;
        let splats = if flags & HCL_TRAVERSAL_SPLAT == 0 { Splats::Refused } else { Splats::Allowed };
        let (parsed, diagnostics) = parse_traversal(source, splats, opts.limits());
        *said = diagnostics;
        let outcome = check(said);
        if outcome.is_err() && !opts.is_partial() {
            return outcome;
        }
        match Entry::of_parsed(&parsed, opts.limits()) {
            // SAFETY: checked not to be null, writable by contract.
            Ok(Some(entry)) => unsafe { hand_out(out, hcl_traversals::only(entry)) },
            Err(stopped) if outcome.is_ok() => {
                return Err(Failure::of(vec![stopped.diagnostic("Reading", &name)]));
            }
            Ok(None) | Err(_) => {}
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The number of entries in the list. Null counts as an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_count(list: *const hcl_traversals) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { list.as_ref() }.map_or(0, |list| list.list.len()))
}

/// # Safety
/// `list` is null or live for `'a`.
unsafe fn entry<'a>(list: *const hcl_traversals, index: usize) -> Outcome<&'a Entry> {
    // SAFETY: passed on.
    let list = unsafe { get("list", list) }?;
    Ok(list.list.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?)
}

/// The root name of the entry at `index`, for example `local`; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_root(list: *const hcl_traversals, index: usize) -> hcl_str {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(hcl_str::EMPTY, || unsafe { entry(list, index) }.map_or(hcl_str::EMPTY, |e| (&*e.root).into()))
}

/// The entry at `index` as text, for example `local.ports["http"]`; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_text(list: *const hcl_traversals, index: usize) -> hcl_str {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(hcl_str::EMPTY, || unsafe { entry(list, index) }.map_or(hcl_str::EMPTY, |e| (&*e.text).into()))
}

/// Where the entry at `index` stands. HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_range(
    list: *const hcl_traversals,
    index: usize,
    out: *mut hcl_range,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let entry = unsafe { entry(list, index) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(&entry.source, entry.span)?) };
        Ok(())
    })
}

/// The name of the file that the entry at `index` is in; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_filename(list: *const hcl_traversals, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { entry(list, index) }.map_or(hcl_str::EMPTY, |entry| hcl_str::from(entry.source.name()))
    })
}

/// The number of steps after the root of the entry at `index`; 0 when there are not that many entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_step_count(list: *const hcl_traversals, index: usize) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { entry(list, index) }.map_or(0, |entry| entry.steps.len()))
}

/// Fills `*out` with a step of the entry at `index`. HCL_ERR_RANGE: there are not that many entries or steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_step(
    list: *const hcl_traversals,
    index: usize,
    step_index: usize,
    out: *mut hcl_step,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let entry = unsafe { entry(list, index) }?;
        let step = entry.steps.get(step_index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        let fields = hcl_step {
            size: size_of::<hcl_step>(),
            kind: step.kind,
            reserved: 0,
            name: hcl_str::from(entry.source.slice(Span::new(step.span.end - step.name_len, step.span.end))),
            key: step.key.as_ref().map_or(std::ptr::null(), hcl_value::borrow),
            range: range_in(&entry.source, step.span)?,
        };
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &fields) }
    })
}

/// Releases the list. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_free(list: *mut hcl_traversals) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(list) });
}
