//! A target of fuzzing: sequences of calls, as a program in C makes them.
//!
//! Bytes decide which function is called with which of the objects that are there. The contract of `hcl.h` is kept: an
//! object is released once, an out parameter can be written to. Everything else is tried: null pointers, objects of one
//! scope with those of another, calls in any order.

use libc::c_char;
use std::ptr::{null, null_mut};

use crate::body::{hcl_attr_eval, hcl_attr_expr, hcl_block_body, hcl_body_attr_at, hcl_body_block_at};
use crate::builder::{
    hcl_builder, hcl_builder_begin, hcl_builder_bool, hcl_builder_end, hcl_builder_finish, hcl_builder_free,
    hcl_builder_i64, hcl_builder_key, hcl_builder_new, hcl_builder_null, hcl_builder_string,
    hcl_builder_value,
};
use crate::comparison::{
    hcl_value_compare, hcl_value_convert, hcl_value_equal, hcl_value_hash, hcl_value_identical,
};
use crate::conversion::{hcl_file_to_json, hcl_file_to_native, hcl_format};
use crate::diagnostics::{hcl_diags, hcl_diags_free, hcl_diags_json, hcl_diags_render};
use crate::explain::hcl_expr_explain;
use crate::expression::{hcl_expr, hcl_expr_free, hcl_expr_ref};
use crate::frame::{
    hcl_eval, hcl_eval_bool, hcl_eval_str, hcl_expr_eval, hcl_frame, hcl_frame_free, hcl_frame_new,
    hcl_frame_reset, hcl_frame_set, hcl_frame_set_limits, hcl_frame_set_str,
};
use crate::json::{hcl_value_decode, hcl_value_encode};
use crate::limits::hcl_limits;
use crate::mark::{hcl_value_mark, hcl_value_unmark_deep};
use crate::program::{hcl_program, hcl_program_compile, hcl_program_free};
use crate::scope::{
    hcl_scope, hcl_scope_const, hcl_scope_dialect, hcl_scope_free, hcl_scope_new, hcl_scope_seal,
    hcl_scope_slot,
};
use crate::source::{hcl_expr_parse, hcl_file, hcl_file_body, hcl_file_free, hcl_file_parse, hcl_parse_opts};
use crate::spec::{hcl_spec, hcl_spec_decode, hcl_spec_free, hcl_spec_parse};
use crate::string::{hcl_buf, hcl_buf_free, hcl_str};
use crate::types::{hcl_type, hcl_type_free, hcl_type_parse};
use crate::value::{hcl_value, hcl_value_free, hcl_value_ref};

/// Texts that are taken where bytes choose none.
const TEXTS: [&str; 16] = [
    "a = 1\nb \"x\" {\n  c = upper(s)\n}\n",
    "s == \"x\" && n > 3",
    "[for v in list : \"${v}!\"]",
    "{\"a\": \"${s}\", \"b\": [{\"c\": null}]}",
    "object {\n  attr \"a\" {\n    type = number\n  }\n}\n",
    "list(object({a = optional(string, \"x\")}))",
    "map(number)",
    "{\"value\": [1, 2.5], \"type\": [\"list\", \"number\"]}",
    "terraform",
    "s",
    "n",
    "list",
    "nomad-1.2",
    "a = [\n",
    "jsonencode({a = s, b = range(n)})",
    "\u{e9}",
];

/// Objects of a kind, and how one is released.
struct Pool<T> {
    objects: Vec<*mut T>,
    release: unsafe extern "C" fn(*mut T),
}

impl<T> Pool<T> {
    fn new(release: unsafe extern "C" fn(*mut T)) -> Self {
        Self { objects: Vec::new(), release }
    }

    /// Keeps an object that a call has given, unless it gave none.
    fn keep(&mut self, object: *mut T) {
        if !object.is_null() {
            self.objects.push(object);
        }
    }

    /// One of the objects, or null.
    fn of(&self, choice: u8) -> *mut T {
        let at = usize::from(choice) % (self.objects.len() + 1);
        self.objects.get(at).copied().unwrap_or(null_mut())
    }

    /// Releases one of the objects, or null.
    fn release(&mut self, choice: u8) {
        let at = usize::from(choice) % (self.objects.len() + 1);
        let object = if at < self.objects.len() { self.objects.swap_remove(at) } else { null_mut() };
        // SAFETY: null or owned, and no longer in the pool.
        unsafe { (self.release)(object) };
    }
}

impl<T> Drop for Pool<T> {
    fn drop(&mut self) {
        for &object in &self.objects {
            // SAFETY: owned, and released here only.
            unsafe { (self.release)(object) };
        }
    }
}

/// The bytes that are left.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn choice(&mut self) -> u8 {
        self.next().unwrap_or_default()
    }

    /// A text: one of the usual ones, or as many of the bytes as the first says.
    fn text(&mut self) -> (*const c_char, usize) {
        let choice = usize::from(self.choice());
        let text = match TEXTS.get(choice) {
            Some(text) => text.as_bytes(),
            None => {
                let (text, rest) = self.0.split_at((choice - TEXTS.len()).min(self.0.len()));
                self.0 = rest;
                text
            }
        };
        (text.as_ptr().cast(), text.len())
    }
}

/// Bounds that leave time for many inputs a second.
fn limits() -> hcl_limits {
    hcl_limits {
        size: size_of::<hcl_limits>(),
        max_depth: 50,
        reserved: 0,
        max_steps: 20_000,
        max_elements: 5_000,
        max_output_bytes: 1 << 16,
        timeout_ns: 0,
        max_memory: 1 << 20,
        cancel: null(),
    }
}

/// The property: calls return, whatever they are given, and everything can be released afterwards.
pub fn calls(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let limits = limits();
    let mut opts: hcl_parse_opts =
        // SAFETY: zeros are what an empty description has.
        unsafe { std::mem::zeroed() };
    opts.size = size_of::<hcl_parse_opts>();
    // Dropped in the reverse order: what borrows goes before what it borrows from.
    let mut types = Pool::<hcl_type>::new(hcl_type_free);
    let mut values = Pool::<hcl_value>::new(hcl_value_free);
    let mut files = Pool::<hcl_file>::new(hcl_file_free);
    let mut exprs = Pool::<hcl_expr>::new(hcl_expr_free);
    let mut scopes = Pool::<hcl_scope>::new(hcl_scope_free);
    let mut programs = Pool::<hcl_program>::new(hcl_program_free);
    let mut frames = Pool::<hcl_frame>::new(hcl_frame_free);
    let mut specs = Pool::<hcl_spec>::new(hcl_spec_free);
    let mut builders = Pool::<hcl_builder>::new(hcl_builder_free);
    let mut all_diags = Pool::<hcl_diags>::new(hcl_diags_free);
    let name = c"main.hcl".as_ptr();
    while let Some(call) = bytes.next() {
        let mut diags = null_mut();
        let mut value = null_mut();
        let mut buf: *mut hcl_buf = null_mut();
        let (first, second) = (bytes.choice(), bytes.choice());
        let frame = frames.of(first);
        #[expect(
            clippy::multiple_unsafe_ops_per_block,
            reason = "one call of many, and all keep one contract"
        )]
        // SAFETY: pointers are null, live objects of the pools, texts of that length, or places on this stack.
        unsafe {
            match call % 42 {
                0 => {
                    let (text, len) = bytes.text();
                    opts.flags = u32::from(first % 4);
                    let mut file = null_mut();
                    hcl_file_parse(name, 8, text, len, &raw const opts, &raw mut file, &raw mut diags);
                    files.keep(file);
                }
                1 => {
                    let (text, len) = bytes.text();
                    opts.flags = u32::from(first % 2);
                    let mut expr = null_mut();
                    let flags = u32::from(second % 3);
                    hcl_expr_parse(
                        name,
                        8,
                        text,
                        len,
                        null(),
                        flags,
                        &raw const opts,
                        &raw mut expr,
                        &raw mut diags,
                    );
                    exprs.keep(expr);
                }
                2 => {
                    let mut scope = null_mut();
                    hcl_scope_new(scopes.of(first), &raw mut scope);
                    scopes.keep(scope);
                }
                3 => {
                    let (text, len) = bytes.text();
                    let mut slot = 0;
                    hcl_scope_slot(scopes.of(first), text, len, &raw mut slot);
                }
                4 => {
                    let (text, len) = bytes.text();
                    hcl_scope_const(scopes.of(first), text, len, values.of(second));
                }
                5 => {
                    let (text, len) = bytes.text();
                    hcl_scope_dialect(scopes.of(first), text, len);
                }
                6 | 7 => {
                    hcl_scope_seal(scopes.of(first));
                }
                8 => {
                    let mut program = null_mut();
                    let flags = u32::from(bytes.choice() % 5);
                    hcl_program_compile(
                        exprs.of(first),
                        scopes.of(second),
                        flags,
                        &raw mut program,
                        &raw mut diags,
                    );
                    programs.keep(program);
                }
                9 => {
                    let mut frame = null_mut();
                    hcl_frame_new(scopes.of(first), &raw mut frame);
                    hcl_frame_set_limits(frame, &raw const limits);
                    frames.keep(frame);
                }
                10 => {
                    hcl_frame_set(frame, usize::from(second % 4), values.of(bytes.choice()));
                }
                11 => {
                    let (text, len) = bytes.text();
                    hcl_frame_set_str(frame, usize::from(second % 4), text, len);
                }
                12 => {
                    hcl_frame_reset(frame);
                }
                13 | 14 => {
                    hcl_eval(programs.of(second), frame, &raw mut value, &raw mut diags);
                }
                15 => {
                    let mut result = false;
                    hcl_eval_bool(programs.of(second), frame, &raw mut result, &raw mut diags);
                }
                16 => {
                    let mut text = hcl_str::from("");
                    hcl_eval_str(programs.of(second), frame, &raw mut text, &raw mut diags);
                }
                17 => {
                    hcl_expr_eval(exprs.of(second), frame, &raw mut value, &raw mut diags);
                }
                18 => {
                    hcl_expr_explain(exprs.of(second), frame, null(), &raw mut buf, &raw mut diags);
                }
                19 => {
                    let attr =
                        hcl_body_attr_at(hcl_file_body(files.of(second)), usize::from(bytes.choice() % 3));
                    hcl_attr_eval(attr, frame, &raw mut value, &raw mut diags);
                    let mut expr = null_mut();
                    hcl_expr_ref(hcl_attr_expr(attr), &raw mut expr);
                    exprs.keep(expr);
                }
                20 => {
                    let body = hcl_block_body(hcl_body_block_at(
                        hcl_file_body(files.of(first)),
                        usize::from(second % 2),
                    ));
                    let mut expr = null_mut();
                    hcl_expr_ref(hcl_attr_expr(hcl_body_attr_at(body, 0)), &raw mut expr);
                    exprs.keep(expr);
                }
                21 => {
                    let (text, len) = bytes.text();
                    let mut spec = null_mut();
                    opts.flags = 0;
                    hcl_spec_parse(name, 8, text, len, &raw const opts, &raw mut spec, &raw mut diags);
                    specs.keep(spec);
                }
                22 => {
                    let body = hcl_file_body(files.of(bytes.choice()));
                    hcl_spec_decode(specs.of(second), body, frame, &raw mut value, &raw mut diags);
                }
                23 => {
                    let (text, len) = bytes.text();
                    let mut ty = null_mut();
                    hcl_type_parse(text, len, &raw mut ty, &raw mut diags);
                    types.keep(ty);
                }
                24 => {
                    let (of, ty) = (values.of(first), types.of(second));
                    hcl_value_convert(of, ty, &raw const limits, &raw mut value, &raw mut diags);
                }
                25 => {
                    let flags = u32::from(bytes.choice() % 4);
                    let format = u32::from(second % 5);
                    hcl_value_encode(
                        values.of(first),
                        format,
                        flags,
                        &raw const limits,
                        &raw mut buf,
                        &raw mut diags,
                    );
                }
                26 => {
                    let (text, len) = bytes.text();
                    let format = u32::from(second % 5);
                    let ty = types.of(first);
                    hcl_value_decode(
                        format,
                        text,
                        len,
                        ty,
                        &raw const limits,
                        &raw mut value,
                        &raw mut diags,
                    );
                }
                27 => {
                    let (a, b) = (values.of(first), values.of(second));
                    let (mut order, mut hash) = (0, 0);
                    hcl_value_identical(a, b);
                    hcl_value_compare(a, b, &raw mut order);
                    hcl_value_hash(a, &raw const limits, &raw mut hash, null_mut());
                    hcl_value_equal(a, b, &raw const limits, &raw mut value, &raw mut diags);
                }
                28 => {
                    let (text, len) = bytes.text();
                    hcl_value_mark(values.of(first), text, len, &raw mut value);
                }
                29 => {
                    hcl_value_unmark_deep(
                        values.of(first),
                        &raw const limits,
                        &raw mut value,
                        null_mut(),
                        &raw mut diags,
                    );
                }
                30 => {
                    hcl_value_ref(values.of(first), &raw mut value);
                }
                31 => {
                    hcl_file_to_json(files.of(second), frame, &raw mut buf, &raw mut diags);
                }
                32 => {
                    hcl_file_to_native(files.of(first), null(), &raw mut buf, &raw mut diags);
                }
                33 => {
                    let (text, len) = bytes.text();
                    let style = u32::from(second % 3);
                    hcl_format(name, 8, text, len, style, null(), &raw mut buf, &raw mut diags);
                }
                34 => {
                    hcl_diags_render(all_diags.of(first), null(), &raw mut buf);
                }
                35 => {
                    hcl_diags_json(all_diags.of(first), null(), &raw mut buf);
                }
                36 => {
                    let mut builder = null_mut();
                    hcl_builder_new(&raw mut builder);
                    builders.keep(builder);
                }
                37 => build(builders.of(first), second, values.of(bytes.choice()), &mut bytes),
                38 => {
                    hcl_builder_finish(builders.of(first), &raw mut value);
                }
                39 => release_source(&mut files, &mut exprs, &mut specs, first, second),
                40 => release_evaluation(&mut scopes, &mut programs, &mut frames, first, second),
                _ => match first % 4 {
                    0 => values.release(second),
                    1 => types.release(second),
                    2 => builders.release(second),
                    _ => all_diags.release(second),
                },
            }
            hcl_buf_free(buf);
        }
        values.keep(value);
        all_diags.keep(diags);
    }
}

/// Puts something into a value that is being built.
///
/// # Safety
/// The builder and the value are null or live.
unsafe fn build(builder: *mut hcl_builder, choice: u8, value: *const hcl_value, bytes: &mut Bytes<'_>) {
    let (text, len) = bytes.text();
    #[expect(
        clippy::multiple_unsafe_ops_per_block,
        reason = "one call of several, and all keep one contract"
    )]
    // SAFETY: null or live; a text of that length. One of these is called.
    unsafe {
        match choice % 8 {
            0 => hcl_builder_begin(builder, u32::from(choice / 8)),
            1 => hcl_builder_key(builder, text, len),
            2 => hcl_builder_end(builder),
            3 => hcl_builder_value(builder, value),
            4 => hcl_builder_null(builder),
            5 => hcl_builder_bool(builder, true),
            6 => hcl_builder_i64(builder, i64::from(choice)),
            _ => hcl_builder_string(builder, text, len),
        }
    };
}

fn release_source(
    files: &mut Pool<hcl_file>,
    exprs: &mut Pool<hcl_expr>,
    specs: &mut Pool<hcl_spec>,
    kind: u8,
    choice: u8,
) {
    match kind % 3 {
        0 => files.release(choice),
        1 => exprs.release(choice),
        _ => specs.release(choice),
    }
}

fn release_evaluation(
    scopes: &mut Pool<hcl_scope>,
    programs: &mut Pool<hcl_program>,
    frames: &mut Pool<hcl_frame>,
    kind: u8,
    choice: u8,
) {
    match kind % 3 {
        0 => scopes.release(choice),
        1 => programs.release(choice),
        _ => frames.release(choice),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::calls;

    #[test]
    fn what_was_found_stays_mended() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions/c_api");
        let mut paths: Vec<_> = fs::read_dir(folder)
            .expect("the folder is readable")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        assert!(!paths.is_empty());
        for path in paths {
            println!("{}", path.display());
            calls(&fs::read(path).expect("a readable file"));
        }
    }
}
