//! Everything in one call: a text goes in, JSON comes out.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate};
use hcl_eval::limits::{Limits, Meter};
use hcl_eval::value::{Value, ValueError, ValueErrorKind};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::parser;
use hcl_syntax::source::{Grammar, Pos, Source, Span};

use crate::boundary::{Failure, Outcome, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::extensible_struct;
use crate::handle::{check_out, hand_out};
use crate::json::{HCL_FORMAT_JSON, encode, refused, stopped};
use crate::limits::{hcl_limits, limits_in};
use crate::source::{HCL_PARSE_JSON, Options};
use crate::spec::decode_once;
use crate::status::hcl_status;
use crate::string::{bytes_in, hcl_buf, hcl_str, limited_text_in, shown_in, text_in};

/// `hcl_once_opts.flags`, of `hcl_evaluate`: the text is a template, as in a template file, not an expression.
pub const HCL_ONCE_TEMPLATE: u32 = 1;
/// `hcl_once_opts.flags`, of `hcl_decode_json`: the text is of JSON syntax.
pub const HCL_ONCE_JSON: u32 = 2;

/// How a call works that does everything at once. Set `size` to `sizeof(hcl_once_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_once_opts {
    /// `sizeof(hcl_once_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_ONCE_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The name by which diagnostics call the text; empty for `input`.
    pub name: hcl_str,
    /// The dialect whose functions there are, as of `hcl_scope_dialect`; empty for `terraform`.
    pub dialect: hcl_str,
    /// The limits of each step of the call: reading variables, parsing, evaluating, writing. The timeout is that of the call as a
    /// whole. Null for the defaults.
    pub limits: *const hcl_limits,
}

/// The options of a call that has begun.
struct Once<'a> {
    flags: u32,
    name: String,
    dialect: &'a str,
    limits: Limits,
}

impl<'a> Once<'a> {
    /// # Safety
    /// `opts` is null or a struct of the caller, readable as the interface asks for `'a`.
    unsafe fn read(opts: *const hcl_once_opts, known: u32) -> Outcome<Self> {
        // SAFETY: passed on.
        let opts: hcl_once_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if opts.flags & !known != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        // SAFETY: passed on.
        let name = unsafe { shown_in("opts->name", opts.name.ptr, opts.name.len) }?;
        // SAFETY: passed on.
        let dialect = unsafe { text_in("opts->dialect", opts.dialect.ptr, opts.dialect.len) }?;
        // SAFETY: passed on.
        let limits = unsafe { limits_in("opts->limits", opts.limits) }?;
        let or = |given: &'a str, default| if given.is_empty() { default } else { given };
        Ok(Self {
            flags: opts.flags,
            name: if name.is_empty() { "input".to_owned() } else { name.into_owned() },
            dialect: or(dialect, "terraform"),
            limits,
        })
    }

    fn eval_options(&self) -> EvalOptions<'static> {
        EvalOptions { limits: self.limits.clone(), ..EvalOptions::default() }
    }

    /// The functions of the dialect, and the attributes of a JSON object as variables.
    ///
    /// # Safety
    /// As for [`limited_text_in`].
    unsafe fn scope(&self, vars_json: *const c_char, vars_json_len: usize) -> Outcome<Arc<Scope>> {
        let mut meter = Meter::new(self.limits.clone());
        // SAFETY: passed on.
        let vars_json = unsafe { limited_text_in("vars_json", vars_json, vars_json_len, &mut meter) }?;
        let builder = Scope::builder().variables_allowed().functions_allowed().dialect(self.dialect);
        let builder = builder.ok_or_else(|| {
            Failure::argument("opts->dialect", format_args!("is \"{}\", which is no dialect.", self.dialect))
        })?;
        if vars_json.is_empty() {
            return Ok(builder.build());
        }
        let vars = Value::from_json_metered(vars_json, None, &mut meter)
            .map_err(|error| self.wrong_variables(&error, vars_json))?;
        let Some(entries) = vars.entries() else {
            let no_object = ValueErrorKind::JsonMismatch(
                "An object is required, with a property for each variable.".into(),
            );
            return Err(self.wrong_variables(&no_object.into(), vars_json));
        };
        Ok(builder.entries_within(entries, &mut meter).map_err(stopped)?.build())
    }

    /// A value as JSON.
    fn json(&self, value: &Value) -> Outcome<hcl_buf> {
        encode(value, HCL_FORMAT_JSON, 0, self.limits.clone()).map(hcl_buf::new)
    }

    /// The failure that wrong variables are, with its place in their text.
    fn wrong_variables(&self, error: &ValueError, text: &str) -> Failure {
        const NAME: &str = "vars_json";
        let failure = refused(error, hcl_status::HCL_ERR_DIAGNOSTICS).within(NAME);
        let start = match error.kind {
            ValueErrorKind::JsonSyntax { offset, .. } => text.floor_char_boundary(offset),
            ValueErrorKind::JsonMismatch(_) => text.len() - text.trim_start().len(),
            _ => return failure,
        };
        let end = text.ceil_char_boundary(start + 1);
        let (Ok(source), Ok(start), Ok(end)) =
            (Source::json(NAME, text), u32::try_from(start), u32::try_from(end))
        else {
            return failure;
        };
        if Evaluation::new(&self.eval_options()).find_lines([&source]).is_err() {
            return failure;
        }
        let placed = |diagnostic: Diagnostic| diagnostic.at(&source, Span::new(start, end));
        Failure { diagnostics: failure.diagnostics.into_iter().map(placed).collect(), ..failure }
    }
}

/// Evaluates one expression, or with `HCL_ONCE_TEMPLATE` one template, and gives its value as JSON:
/// `hcl_evaluate("a + 1", HCL_NUL, "{\"a\": 1}", HCL_NUL, NULL, &out, &diags)` gives `2`. The program at the top of this file is
/// complete.
///
/// `vars_json` is a JSON object whose properties are the variables, and what diagnostics call its text; with length 0 there are
/// none. `opts` may be null: the functions are then those of Terraform, of which those that ask the outside world are refused,
/// and the limits are the defaults. What is evaluated often is compiled instead (`hcl_program_compile`).
///
/// HCL_OK: `*out` is owned. HCL_ERR_DIAGNOSTICS: the text or the variables are wrong, or the evaluation failed. HCL_ERR_UNKNOWN,
/// HCL_ERR_MARKED, HCL_ERR_TYPE: JSON has no word for the value, as for `hcl_value_encode`. HCL_ERR_LIMIT, HCL_ERR_CANCELLED,
/// HCL_ERR_DEADLINE: it was stopped. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_evaluate(
    src: *const c_char,
    src_len: usize,
    vars_json: *const c_char,
    vars_json_len: usize,
    opts: *const hcl_once_opts,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let bytes = unsafe { bytes_in("src", src, src_len) }?;
        // SAFETY: as above.
        let once = unsafe { Once::read(opts, HCL_ONCE_TEMPLATE) }?;
        // SAFETY: as above.
        let scope = unsafe { once.scope(vars_json, vars_json_len) }?;
        let parsing = Options::within(&once.limits, 0);
        let source = |grammar| parsing.source(&once.name, bytes, grammar, Pos::START);
        let (parsed, problems) = match once.flags {
            HCL_ONCE_TEMPLATE => parser::parse_template(source(Grammar::Template)?, parsing.limits()),
            _ => parser::parse_expression(source(Grammar::Config)?, parsing.limits()),
        };
        *said = problems;
        check(said)?;
        let (value, problems) = evaluate(parsed.expression(), Some(&scope), &once.eval_options());
        said.extend(problems);
        check(said)?;
        let json = once.json(&value)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, json) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Makes one value of a whole configuration file, as a specification says (`hcl_spec_parse`), and gives it as JSON. With
/// `HCL_ONCE_JSON` the file is of JSON syntax; the specification is native.
///
/// `spec` is the text of the specification, which diagnostics call `specification`. `vars_json`, `opts` and the statuses are as
/// for `hcl_evaluate`; the specification's own variables and functions come on top. HCL_ERR_UNSUPPORTED: the library was built
/// without specifications.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_decode_json(
    src: *const c_char,
    src_len: usize,
    spec: *const c_char,
    spec_len: usize,
    vars_json: *const c_char,
    vars_json_len: usize,
    opts: *const hcl_once_opts,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let bytes = unsafe { bytes_in("src", src, src_len) }?;
        // SAFETY: as above.
        let spec = unsafe { bytes_in("spec", spec, spec_len) }?;
        // SAFETY: as above.
        let once = unsafe { Once::read(opts, HCL_ONCE_JSON) }?;
        // SAFETY: as above.
        let scope = unsafe { once.scope(vars_json, vars_json_len) }?;
        let native = Options::within(&once.limits, 0);
        let syntax = if once.flags & HCL_ONCE_JSON == 0 { 0 } else { HCL_PARSE_JSON };
        let of_file = Options::within(&once.limits, syntax);
        let options = once.eval_options();
        let spec = ("specification", spec, &native);
        let value = decode_once(spec, (&once.name, bytes, &of_file), &scope, &options, said)?;
        let json = once.json(&value)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, json) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}
