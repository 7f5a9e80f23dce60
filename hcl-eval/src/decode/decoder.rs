//! Making the value of a body.

use std::mem;
use std::sync::Arc;

use hcl_syntax::config::{Attributes, ContentAttribute};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashMap;
use hcl_syntax::source::{Source, Span};

use super::error;
use super::place::{Place, place_of};
use super::spec::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockSpec, BodySpec, RefineSpec, Spec, TransformSpec,
    ValidateSpec, WrittenSpec,
};
use crate::Str;
use crate::convert::{convert_within, is_converted};
use crate::dynamic::{BareContent, Block, Body};
use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::limits::{LimitReached, Meter};
use crate::stack;
use crate::types::{Defaults, Type};
use crate::value::string::normalize_charged;
use crate::value::{Marks, Value, ValueError};

/// The value of a body. Its expressions are evaluated in `scope`; limits count for all of them together.
///
/// There is a value in any case: what could not be decoded is unknown, or null where nothing was found.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, ObjectSpec, Spec, decode};
/// use hcl_eval::dynamic::Body;
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::{Type, dialect};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(ObjectSpec::from_iter([
///     ("name", Spec::from(AttributeSpec::new("name", Type::String).required())),
///     ("port", Spec::from(AttributeSpec::new("port", Type::Number))),
/// ]));
/// let body = Body::from(&File::parse("main.hcl", "name = upper(\"web\")\nport = \"80\"\n")?);
/// let scope = Scope::builder().functions(dialect::terraform()).build();
/// let value = decode(&body, &spec.into(), Some(&scope), &EvalOptions::default()).into_result()?;
/// assert_eq!(value.to_json().unwrap(), r#"{"name":"WEB","port":80}"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn decode(
    body: &Body,
    spec: &BodySpec,
    scope: Option<&Arc<Scope>>,
    options: &EvalOptions<'_>,
) -> (Value, Diagnostics) {
    decode_with(body, spec, scope, &mut Evaluation::new(options))
}

/// The value of a body, as a part of something larger with limits of its own.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Spec, decode_with};
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_eval::{Type, dynamic::Body};
/// use hcl_syntax::parser::File;
///
/// // Two files count against one set of limits.
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).into();
/// for text in ["port = 80\n", "port = 443\n"] {
///     let body = Body::from(&File::parse("main.hcl", text)?);
///     let (value, problems) = decode_with(&body, &spec, None, &mut evaluation);
///     assert!(value.is_known() && problems.is_empty());
/// }
/// assert!(evaluation.usage().steps >= 2);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn decode_with(
    body: &Body,
    spec: &BodySpec,
    scope: Option<&Arc<Scope>>,
    evaluation: &mut Evaluation<'_>,
) -> (Value, Diagnostics) {
    if let Err(limit) = evaluation.find_lines(body.written().sources()) {
        return (Value::unknown(spec.implied_type().without_optional()), limit);
    }
    let mut decoder = Decoder { scope, evaluation, diagnostics: Diagnostics::new() };
    let value = decoder.body(body, spec, Labels::none());
    // The values that complaints show take steps, too.
    decoder.evaluation.tell_limit(body.missing_item(), &mut decoder.diagnostics);
    (value, decoder.diagnostics)
}

/// From so many parts on room for them is asked for.
const MANY_PARTS: usize = 1 << 10;

/// Decoding under way.
pub(super) struct Decoder<'d, 'a> {
    pub(super) scope: Option<&'d Arc<Scope>>,
    pub(super) evaluation: &'d mut Evaluation<'a>,
    diagnostics: Diagnostics,
}

/// A body that has been read: what specifications look things up in.
pub(super) struct Found<'f> {
    pub(super) body: &'f Body,
    pub(super) attributes: &'f Attributes<ContentAttribute>,
    pub(super) labels: Labels<'f>,
    /// By type. Most bodies have none, and need no table.
    blocks: Option<HashMap<&'f str, Vec<&'f Block>>>,
}

/// The labels of the block whose body is decoded, those aside that are keys; none of a file.
#[derive(Copy, Clone)]
pub(super) struct Labels<'b> {
    block: Option<&'b Block>,
    n_keys: usize,
}

impl<'b> Labels<'b> {
    pub(super) fn none() -> Self {
        Self { block: None, n_keys: 0 }
    }

    /// The labels of a block, of which the first are keys.
    pub(super) fn of(block: &'b Block, n_keys: usize) -> Self {
        Self { block: Some(block), n_keys }
    }

    /// A label and where it stands.
    pub(super) fn get(self, index: usize) -> Option<(&'b str, Place)> {
        let block = self.block?;
        let label = block.label(self.n_keys.checked_add(index)?)?;
        Some((label.text, Place { source: block.source().clone(), span: label.span }))
    }
}

impl<'f> Found<'f> {
    pub(super) fn new(content: &'f BareContent, body: &'f Body, labels: Labels<'f>) -> Self {
        let mut blocks = None;
        let mut rest = &content.blocks[..];
        while let Some(block_type) = rest.first().map(Block::block_type) {
            let n_alike = rest.iter().take_while(|block| block.block_type() == block_type).count();
            let by_type: &mut HashMap<&str, Vec<&Block>> = blocks.get_or_insert_default();
            by_type.entry(block_type).or_default().extend(&rest[..n_alike]);
            rest = &rest[n_alike..];
        }
        Self { body, attributes: &content.attributes, labels, blocks }
    }

    /// Where something that is missing is said to be missing.
    pub(super) fn missing_item(&self) -> Option<(&'f Source, Span)> {
        self.body.missing_item()
    }

    /// The blocks of a type, in order.
    pub(super) fn blocks(&self, block_type: &str) -> &[&'f Block] {
        self.blocks.as_ref().and_then(|blocks| blocks.get(block_type)).map_or(&[], Vec::as_slice)
    }
}

impl Decoder<'_, '_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.report_all(vec![diagnostic]);
    }

    pub(super) fn report_all(&mut self, diagnostics: Diagnostics) {
        match diagnostics.capacity() {
            // None has been made, so there is nothing to release: to find that out takes 2 % of the decoding of small blocks.
            0 => mem::forget(diagnostics),
            _ => self.report_many(diagnostics),
        }
    }

    #[inline(never)] // Inlined, it makes `decode` take 1.4 % more instructions.
    fn report_many(&mut self, diagnostics: Diagnostics) {
        self.evaluation.count_diagnostics(diagnostics.len());
        self.diagnostics.extend(diagnostics);
    }

    /// Does work that may end at a limit, which is told: then there is no result.
    pub(super) fn within<T>(
        &mut self,
        place: Option<(&Source, Span)>,
        work: impl FnOnce(&mut Meter) -> Result<T, LimitReached>,
    ) -> Option<T> {
        self.evaluation.within(place, work).map_err(|limit| self.report_all(limit)).ok()
    }

    /// An empty list with room for so many, which the limits are asked for if they are many.
    pub(super) fn room_for<T>(&mut self, n: usize, place: Option<(&Source, Span)>) -> Option<Vec<T>> {
        if n >= MANY_PARTS {
            self.within(place, |meter| meter.hold_parts(n, size_of::<T>()))?;
        }
        Some(Vec::with_capacity(n))
    }

    /// The value of a whole body.
    pub(super) fn body(&mut self, body: &Body, spec: &BodySpec, labels: Labels<'_>) -> Value {
        let (content, mut diagnostics) = body.find(spec.schema(), self.evaluation);
        // An item that several files lack together is said to be missing from the first.
        for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.subject.is_none()) {
            if let Some((source, span)) = body.missing_item() {
                *diagnostic = diagnostic.clone().at(source, span);
            }
        }
        self.report_all(diagnostics);
        self.spec(spec.spec(), &Found::new(&content, body, labels))
    }

    /// The value that a specification asks for.
    fn spec(&mut self, spec: &Spec, found: &Found<'_>) -> Value {
        if let Spec::Written(written) = spec {
            return self.written(written, found);
        }
        // A specification may have more parts than the body: each makes a value.
        if let Err(limit) = self.evaluation.charge_part(found.body.written()) {
            self.report_all(limit);
            return Value::dynamic();
        }
        if let Spec::Object(object) = spec
            && object.specs().len() >= MANY_PARTS
            && self.within(found.missing_item(), |meter| object.hold(meter)).is_none()
        {
            return Value::dynamic();
        }
        match spec {
            Spec::Attribute(attribute) => self.attribute(attribute, found),
            Spec::BlockLabel(label) => self.block_label(label, found),
            Spec::Literal(value) => value.clone(),
            _ => stack::grow(u32::MAX, || self.of_parts(spec, found)),
        }
    }

    /// The value that a written specification asks for. Complaints about the fit get its place, if they have none yet.
    fn written(&mut self, written: &WrittenSpec, found: &Found<'_>) -> Value {
        let before = self.diagnostics.len();
        let value = self.spec(&written.spec, found);
        for diagnostic in self.diagnostics.iter_mut().skip(before) {
            if diagnostic.origin.is_none() && diagnostic.code.starts_with("decode.") {
                *diagnostic = diagnostic.clone().because_of(&written.source, written.span);
            }
        }
        value
    }

    /// The value that a specification with others in it asks for.
    fn of_parts(&mut self, spec: &Spec, found: &Found<'_>) -> Value {
        match spec {
            Spec::Object(object) => object.value(|spec| self.spec(spec, found)),
            Spec::Tuple(specs) => Value::tuple(specs.iter().map(|spec| self.spec(spec, found)).collect()),
            Spec::Block(block) => self.block(block, found),
            Spec::Blocks(blocks) => self.blocks(blocks, found),
            Spec::BlockMap(blocks) => self.block_map(blocks, found),
            Spec::BlockObject(blocks) => self.block_object(blocks, found),
            Spec::BlockAttributes(block) => self.block_attributes(block, found),
            Spec::Default(specs) => self.first_not_null(specs, found),
            Spec::Transform(transform) => self.transform(transform, found),
            Spec::Refined(refined) => self.refined(refined, found),
            Spec::Validated(validated) => self.validated(validated, found),
            Spec::Attribute(_) | Spec::BlockLabel(_) | Spec::Literal(_) | Spec::Written(_) => {
                self.spec(spec, found)
            }
        }
    }

    /// The value of an attribute: null if it is not there, which the schema has complained of if it is required.
    /// Defaults are put in before the conversion, which would refuse what lacks them. A value that does not fit is
    /// told and unknown.
    fn attribute(&mut self, spec: &AttributeSpec, found: &Found<'_>) -> Value {
        let Some(attribute) = found.attributes.get(&spec.name) else {
            return Value::null(spec.ty.without_optional());
        };
        self.value_of(attribute, found.body, (&spec.ty, spec.defaults.as_ref()), |error| {
            error::attribute_type(attribute, error)
        })
    }

    /// The value of an attribute that is there, brought to a type; unknown if that fails, with a complaint.
    fn value_of(
        &mut self,
        attribute: &ContentAttribute,
        body: &Body,
        (ty, defaults): (&Type, Option<&Defaults>),
        complaint: impl FnOnce(&ValueError) -> Diagnostic,
    ) -> Value {
        let (value, diagnostics) = body.inherited().evaluate(attribute, self.scope, self.evaluation);
        self.report_all(diagnostics);
        if defaults.is_none() && is_converted(&value, ty) {
            return value;
        }
        let converted = self.within(Some((attribute.source(), attribute.span())), |meter| {
            let completed = defaults.map(|defaults| defaults.apply_within(&value, meter)).transpose()?;
            let converted = convert_within(completed.as_ref().unwrap_or(&value), ty, meter);
            meter.stopped().map_or(Ok(converted), Err)
        });
        converted
            .and_then(|converted| {
                converted
                    .map_err(|error| {
                        let mut problem = complaint(&error);
                        problem.values = body.inherited().values(attribute, self.scope, self.evaluation);
                        self.report(problem);
                    })
                    .ok()
            })
            .unwrap_or_else(|| Value::unknown(ty.without_optional()))
    }

    /// The value of the only block of a type, with the marks that a `for_each` has given to it.
    fn block(&mut self, spec: &BlockSpec, found: &Found<'_>) -> Value {
        let Some(block) = self.only_block(&spec.block_type, spec.required, found) else {
            return Value::null(spec.nested.implied_type());
        };
        let body = block.body();
        self.body(&body, &spec.nested, Labels::of(block, 0)).with_marks(body.marks())
    }

    /// The only block of a type, or the first one with a complaint about others.
    fn only_block<'f>(&mut self, block_type: &Str, required: bool, found: &Found<'f>) -> Option<&'f Block> {
        match found.blocks(block_type) {
            [] => {
                if required {
                    self.report(error::missing_block(block_type, found.missing_item()));
                }
                None
            }
            [only] => Some(only),
            [first, second, ..] => {
                self.report(error::duplicate_block(block_type, first, second));
                Some(first)
            }
        }
    }

    /// All attributes of the only block of a type, as a map.
    fn block_attributes(&mut self, spec: &BlockAttributesSpec, found: &Found<'_>) -> Value {
        let element = &spec.element_type;
        let Some(block) = self.only_block(&spec.block_type, spec.required, found) else {
            return Value::null(Type::map(element.without_optional()));
        };
        let body = block.body();
        let (attributes, mut diagnostics) = body.just_attributes_within(self.evaluation.bounds());
        self.evaluation.tell_limit(body.missing_item(), &mut diagnostics);
        self.report_all(diagnostics);
        let place = Some((block.source(), block.definition_span()));
        let Some(mut entries) = self.room_for(attributes.len(), place) else { return Value::dynamic() };
        for attribute in attributes {
            if self.evaluation.is_over() {
                break;
            }
            let written = attribute.written();
            let value = self.value_of(written, &body, (element, spec.defaults.as_ref()), |error| {
                error::block_attribute_type(&spec.block_type, written, error)
            });
            let place = Some((written.source(), written.name_span()));
            let Some(name) = self.within(place, |meter| normalize_charged(written.name(), meter)) else {
                break;
            };
            entries.push((name, value));
        }
        self.map_of(entries, element, block).with_marks(body.marks())
    }

    /// The value of the first part that is not null, else that of the last one. Parts behind it are not decoded, so
    /// nothing is said of them.
    fn first_not_null(&mut self, specs: &[Spec], found: &Found<'_>) -> Value {
        let mut marks = Marks::EMPTY;
        let mut last = Value::default();
        for spec in specs {
            last = self.spec(spec, found);
            if !last.is_null() {
                break;
            }
            // That it was null may be as secret as a value.
            marks.extend(last.marks());
        }
        last.with_marks(&marks)
    }

    fn block_label(&mut self, spec: &BlockLabelSpec, found: &Found<'_>) -> Value {
        match found.labels.get(spec.index) {
            Some((text, place)) => {
                let text =
                    self.within(Some((&place.source, place.span)), |meter| normalize_charged(text, meter));
                text.map_or_else(|| Value::unknown(Type::String), Value::string_nfc)
            }
            None => {
                self.report(error::no_such_label(&spec.name, found.missing_item()));
                Value::null(Type::String)
            }
        }
    }

    /// The value of a part, if nothing is wrong with it; else an unknown one.
    fn sound(&mut self, spec: &Spec, found: &Found<'_>, ty: impl FnOnce() -> Type) -> Result<Value, Value> {
        let before = self.diagnostics.len();
        let value = self.spec(spec, found);
        if has_errors(&self.diagnostics[before..]) {
            return Err(Value::unknown(ty().without_optional()));
        }
        Ok(value)
    }

    /// A value with what the specification promises of it. A promise that the value breaks is told where the value
    /// comes from.
    fn refined(&mut self, spec: &RefineSpec, found: &Found<'_>) -> Value {
        let value = match self.sound(&spec.nested, found, || spec.nested.implied_type()) {
            Ok(value) => value,
            Err(unknown) => return unknown,
        };
        value.refine(&spec.refinement).unwrap_or_else(|problem| {
            let place = place_of(&spec.nested, found, self.evaluation);
            self.report(error::refinement(&problem, place.as_ref()));
            Value::unknown(spec.nested.implied_type().without_optional())
        })
    }

    /// A value that a function of the host has looked at. Complaints without a place get that of the value.
    fn validated(&mut self, spec: &ValidateSpec, found: &Found<'_>) -> Value {
        let value = match self.sound(&spec.nested, found, || spec.nested.implied_type()) {
            Ok(value) => value,
            Err(unknown) => return unknown,
        };
        let mut problems = (spec.check)(&value);
        if problems.iter().any(|problem| problem.subject.is_none())
            && let Some(place) = place_of(&spec.nested, found, self.evaluation)
        {
            for problem in problems.iter_mut().filter(|problem| problem.subject.is_none()) {
                *problem = problem.clone().at(&place.source, place.span);
            }
        }
        self.report_all(problems);
        value
    }

    fn transform(&mut self, spec: &TransformSpec, found: &Found<'_>) -> Value {
        let nested = match self.sound(spec.nested(), found, || spec.implied_type().clone()) {
            Ok(nested) => nested,
            Err(unknown) => return unknown,
        };
        let Some(expression) = spec.expression() else { return Value::default() };
        let (value, diagnostics) = self.evaluation.evaluate(expression, Some(&spec.inner_scope(nested)));
        self.report_all(diagnostics);
        value
    }
}
