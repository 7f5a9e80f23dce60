//! Places: where something stands, said by the handle of what stands there.

use std::ptr;

use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::source::{Pos, Range, Source, Span};

use crate::body::{hcl_attr, hcl_block, hcl_body};
use crate::boundary::{Failure, Outcome};
use crate::diagnostics::{hcl_pos, hcl_range};
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::handle::get;
use crate::room::ask_for_lines;
use crate::source::hcl_file;
use crate::spec::{decoded, hcl_spec};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};

/// `hcl_place.part`: all of it: of an attribute from its name to the end of its expression, of a block from its type to
/// its closing brace, of a body the place where something that is missing would stand.
pub const HCL_PLACE_WHOLE: u32 = 0;
/// `hcl_place.part`: the value: the expression of an attribute.
pub const HCL_PLACE_VALUE: u32 = 1;
/// `hcl_place.part`: the name: of an attribute its name, of a block its type.
pub const HCL_PLACE_NAME: u32 = 2;
/// `hcl_place.part`: the header of a block, from its type to its last label.
pub const HCL_PLACE_HEADER: u32 = 3;
/// `hcl_place.part`: where the value of an attribute begins: of its expression the part that stands first, which is what the
/// library itself points at when a value is not of the type that is wanted.
pub const HCL_PLACE_START: u32 = 4;

/// A place in a source, said by the handle of what stands there. Set `size` to `sizeof(hcl_place)`, one of the handles, and
/// what is not wanted to zero. The handles are only read during the call that takes the struct.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_place {
    /// `sizeof(hcl_place)`, set by the caller.
    pub size: usize,
    /// Which part of an attribute or a block: `HCL_PLACE_…`; of the others 0.
    pub part: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// An attribute.
    pub attr: *const hcl_attr,
    /// A block.
    pub block: *const hcl_block,
    /// A body: where something that it lacks would stand. With `spec`, what that makes of it at `path`.
    pub body: *const hcl_body,
    /// An expression.
    pub expr: *const hcl_expr,
    /// A file: its beginning.
    pub file: *const hcl_file,
    /// If it is set, this range of the source that the handle is in; its byte offsets count.
    pub range: hcl_range,
    /// With `body`: the place of a part of the value that the specification makes of it, as by `hcl_decoded_range`.
    pub spec: *const hcl_spec,
    /// With `spec`: the path in the value; of the place `part` says which.
    pub path: hcl_str,
}

/// A span of a source.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) source: Source,
    pub(crate) span: Span,
}

impl Place {
    fn new(source: &Source, span: Span) -> Self {
        Self { source: source.clone(), span }
    }

    /// Gives a diagnostic its subject here.
    pub(crate) fn subject_of(&self, said: Diagnostic) -> Diagnostic {
        said.at(&self.source, self.span)
    }
}

/// The place that a struct says; `None` when it is null.
///
/// # Safety
/// `from` is null or a struct of the caller, readable as the interface asks; its handles are null or live.
pub(crate) unsafe fn read(what: &str, from: *const hcl_place) -> Outcome<Option<Place>> {
    if from.is_null() {
        return Ok(None);
    }
    // SAFETY: passed on.
    let fields: hcl_place = unsafe { extensible_struct::read(what, from) }?;
    let handles = [
        fields.attr.cast::<u8>(),
        fields.block.cast(),
        fields.body.cast(),
        fields.expr.cast(),
        fields.file.cast(),
    ];
    if handles.iter().filter(|handle| !handle.is_null()).count() != 1 {
        return Err(Failure::argument(what, "sets none of its handles, or several."));
    }
    // SAFETY: null or live, by contract.
    let whole = unsafe { place_of(what, &fields) }?;
    ask_for_lines(&whole.source)?;
    let range = &fields.range;
    if range.start.line == 0 && range.end.byte == 0 {
        return Ok(Some(whole));
    }
    let span = whole.source.span_of(&written_range(whole.source.name(), range));
    Ok(Some(Place { span, ..whole }))
}

/// The place of the one handle that is set.
///
/// # Safety
/// The handles are null or live, the path is readable as the interface asks.
unsafe fn place_of(what: &str, fields: &hcl_place) -> Outcome<Place> {
    let no_part = || {
        Err(Failure::argument(
            &format!("{what}->part"),
            format_args!("is {}, which it does not have.", fields.part),
        ))
    };
    // SAFETY: null or live, by contract.
    if let Some(attr) = unsafe { fields.attr.as_ref() } {
        let written = attr.attribute().written();
        let span = match fields.part {
            HCL_PLACE_WHOLE => written.span(),
            HCL_PLACE_NAME => written.name_span(),
            HCL_PLACE_VALUE | HCL_PLACE_START => {
                let expression = written.expression();
                let is_start = fields.part == HCL_PLACE_START;
                let span = if is_start { expression.start_span() } else { expression.span() };
                return Ok(Place::new(expression.source(), span));
            }
            _ => return no_part(),
        };
        return Ok(Place::new(written.source(), span));
    }
    // SAFETY: null or live, by contract.
    if let Some(block) = unsafe { fields.block.as_ref() } {
        let block = block.block();
        let span = match fields.part {
            HCL_PLACE_WHOLE => block.span(),
            HCL_PLACE_NAME => block.type_span(),
            HCL_PLACE_HEADER => block.definition_span(),
            _ => return no_part(),
        };
        return Ok(Place::new(block.source(), span));
    }
    if !fields.spec.is_null() {
        // SAFETY: a text of the caller, readable as the interface asks.
        let path = unsafe { text_in(&format!("{what}->path"), fields.path.ptr, fields.path.len) }?;
        // SAFETY: null or live, by contract.
        let (source, span) =
            unsafe { decoded(fields.spec, fields.body, ptr::null_mut(), path, fields.part) }?;
        return Ok(Place { source, span });
    }
    if fields.part != HCL_PLACE_WHOLE {
        return no_part();
    }
    // SAFETY: null or live, by contract.
    if let Some(body) = unsafe { fields.body.as_ref() } {
        let (source, span) = body.missing_item().ok_or(hcl_status::HCL_ERR_NOT_FOUND)?;
        return Ok(Place::new(source, span));
    }
    // SAFETY: null or live, by contract.
    if let Some(expr) = unsafe { fields.expr.as_ref() } {
        return Ok(Place::new(expr.config().source(), expr.config().span()));
    }
    // SAFETY: null or live, by contract.
    let file = unsafe { get("file", fields.file) }?;
    Ok(Place::new(file.source(), Span::new(0, 0)))
}

/// A range of C.
pub(crate) fn written_range(filename: &str, range: &hcl_range) -> Range {
    let pos = |at: hcl_pos| Pos { line: at.line, column: at.column, byte: at.byte };
    Range { filename: filename.into(), start: pos(range.start), end: pos(range.end) }
}
