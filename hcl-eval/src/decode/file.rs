//! The specification language: blocks that say what to decode.
//!
//! A file has exactly one block that stands for the whole value, beside `variables` and `function` blocks for
//! the input to use. Directly inside an `object` each block has a label, the name of the attribute; nowhere
//! else has it any.

use std::sync::{Arc, LazyLock};

use hcl_syntax::config::{ConfigBody, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::schema::BodySchema;

use super::arguments::Arguments;
use super::error::{self, LabelProblem, Parent};
use super::spec::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockMapSpec, BlockSpec, BlocksSpec, BodySpec,
    Collection, ObjectSpec, Spec, TransformSpec, WrittenSpec,
};
use super::type_expr::{TypeScopes, evaluate_type};
use crate::Str;
use crate::dialect;
use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::function::{FunctionTable, UserFunctionContext, user_functions_within};
use crate::limits::Meter;
use crate::stack;
use crate::value::Value;
use crate::value::string::normalize_charged;

const BLOCK_TYPES: [&str; 14] = [
    "object",
    "array",
    "literal",
    "attr",
    "block",
    "block_list",
    "block_map",
    "block_set",
    "block_tuple",
    "block_object",
    "block_label",
    "block_attrs",
    "default",
    "transform",
];

static LABELLED: LazyLock<BodySchema> = LazyLock::new(|| specs(&["key"]));
static UNLABELLED: LazyLock<BodySchema> = LazyLock::new(|| specs(&[]));

fn specs(labels: &[&str]) -> BodySchema {
    BLOCK_TYPES.iter().fold(BodySchema::default(), |schema, block_type| schema.block(*block_type, labels))
}

/// The content of a specification file: a specification, and the names that its inputs may use.
///
/// ```
/// use hcl_eval::decode::{SpecFile, decode};
/// use hcl_eval::{dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::File;
///
/// let spec = File::parse("service.hcldec", "attr {\n  name = \"port\"\n  type = number\n}\n")?;
/// let spec = SpecFile::read(&ConfigBody::from(&spec), &EvalOptions::default()).into_result()?;
/// let body = Body::from(&File::parse("main.hcl", "port = \"80\"\n")?);
/// let value = decode(&body, &spec.root, None, &EvalOptions::default()).into_result()?;
/// assert_eq!(value.to_string(), "80");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpecFile {
    /// How to decode a body.
    pub root: BodySpec,
    /// Variables for the input.
    pub variables: IndexMap<Str, Value>,
    /// Functions for the input.
    pub functions: FunctionTable,
}

impl SpecFile {
    /// Reads a specification. What is not understood stands in it as the literal null.
    pub fn read(body: &ConfigBody, options: &EvalOptions<'_>) -> (Self, Diagnostics) {
        let mut evaluation = Evaluation::new(options);
        if let Err(limit) = evaluation.find_lines(body.sources()) {
            let root = BodySpec::new(Spec::Literal(Value::default()));
            return (
                Self { root, variables: IndexMap::default(), functions: FunctionTable::default() },
                limit,
            );
        }
        let scope = Scope::builder().functions(dialect::specification()).build();
        let context = UserFunctionContext::Scope(Arc::clone(&scope));
        let (functions, body, diagnostics) =
            user_functions_within(body, "function", &context, evaluation.bounds());
        let mut reader =
            Reader { scope, types: TypeScopes::default(), evaluation: &mut evaluation, diagnostics };
        let (variables, rest) = reader.variables(&body);
        let root = reader.only_spec(&rest, Parent::File);
        let root = if reader.goes_on(&rest) { root } else { placeholder() };
        let root = BodySpec::within(root, reader.evaluation.bounds());
        reader.goes_on(&rest);
        if !root.label_names().is_empty() {
            reader.diagnostics.push(error::block_label(LabelProblem::Outside, rest.missing_item()));
        }
        reader.evaluation.tell_limit(rest.missing_item(), &mut reader.diagnostics);
        (Self { root, variables, functions }, reader.diagnostics)
    }
}

/// Reading under way.
struct Reader<'r, 'a> {
    scope: Arc<Scope>,
    types: TypeScopes,
    evaluation: &'r mut Evaluation<'a>,
    diagnostics: Diagnostics,
}

/// The collection of the values of blocks by their labels.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Keyed {
    Map,
    Object,
}

/// How much work it is to read a block of a specification.
const PARTS_OF_SPEC: usize = 256;

/// A stand-in for a specification that could not be read.
fn placeholder() -> Spec {
    Spec::Literal(Value::default())
}

impl Reader<'_, '_> {
    /// Looks at the limits before work on all that has been read.
    fn goes_on(&mut self, body: &ConfigBody) -> bool {
        let is_over = self.evaluation.within(body.missing_item(), Meter::look);
        is_over.map_err(|limit| self.diagnostics.extend(limit)).is_ok()
    }

    fn refuse(&mut self, problem: Diagnostic) -> Spec {
        self.diagnostics.push(problem);
        placeholder()
    }

    /// The variables defined in a body, and the rest of it.
    fn variables(&mut self, body: &ConfigBody) -> (IndexMap<Str, Value>, ConfigBody) {
        let (content, rest, problems) =
            self.evaluation.partial_content(body, &BodySchema::default().block("variables", &[]));
        self.diagnostics.extend(problems);
        let mut variables = IndexMap::default();
        for block in &content.blocks {
            let (attributes, problems) = self.evaluation.just_attributes(&block.body());
            self.diagnostics.extend(problems);
            for attribute in attributes {
                if self.evaluation.stopped() {
                    break;
                }
                let (value, problems) = self.evaluation.evaluate(&attribute.expression(), Some(&self.scope));
                self.diagnostics.extend(problems);
                variables.insert(attribute.name().into(), value);
            }
        }
        (variables, rest)
    }

    /// Reads the one nested block of a body.
    fn only_spec(&mut self, body: &ConfigBody, parent: Parent) -> Spec {
        let (content, problems) = self.evaluation.content(body, &UNLABELLED);
        let broken = has_errors(&problems);
        self.diagnostics.extend(problems);
        match content.blocks.as_slice() {
            [] if broken => placeholder(),
            [] => self.refuse(error::missing_spec(parent, body.missing_item())),
            [only] => self.spec(only),
            [_, second, ..] => self.refuse(error::extraneous_spec(parent, second)),
        }
    }

    /// Reads a specification together with its place, which complaints about bodies point at. Reading is charged,
    /// since specifications come as texts of others too.
    fn spec(&mut self, block: &ContentBlock) -> Spec {
        if !self.evaluation.may_report(&self.diagnostics) {
            return placeholder();
        }
        let spec = match self.evaluation.go_on(PARTS_OF_SPEC, (block.source(), block.definition_span())) {
            Ok(()) => self.unplaced_spec(block),
            Err(limit) => {
                self.diagnostics.extend(limit);
                placeholder()
            }
        };
        let spec = Arc::new(spec);
        Spec::Written(WrittenSpec { spec, source: block.source().clone(), span: block.definition_span() })
    }

    /// Reads a specification by the type of its block; the schema has complained of other types.
    fn unplaced_spec(&mut self, block: &ContentBlock) -> Spec {
        let name = block.label(0).map(|label| Str::from(label.text));
        let body = &block.body();
        stack::grow(u32::MAX, || match block.block_type() {
            "object" => self.object(body),
            "array" => self.array(body),
            "attr" => self.attribute(body, name),
            "block" => self.block(body, name),
            "block_list" => self.blocks(body, name, Collection::List),
            "block_set" => self.blocks(body, name, Collection::Set),
            "block_tuple" => self.blocks(body, name, Collection::Tuple),
            "block_map" => self.block_map(body, name, Keyed::Map),
            "block_object" => self.block_map(body, name, Keyed::Object),
            "block_label" => self.block_label(body, name),
            "block_attrs" => self.block_attributes(body, name),
            "default" => self.default(body),
            "transform" => self.transform(body),
            "literal" => self.literal(body),
            _ => placeholder(),
        })
    }

    fn object(&mut self, body: &ConfigBody) -> Spec {
        let (content, problems) = self.evaluation.content(body, &LABELLED);
        self.diagnostics.extend(problems);
        let mut specs = IndexMap::default();
        for block in &content.blocks {
            if self.evaluation.stopped() {
                break;
            }
            let spec = self.spec(block);
            let Some(label) = block.label(0) else { continue };
            let place = Some((block.source(), label.span));
            match self.evaluation.within(place, |meter| normalize_charged(label.text, meter)) {
                Ok(name) => drop(specs.insert(name, spec)),
                Err(limit) => self.diagnostics.extend(limit),
            }
        }
        if self.goes_on(body) { Spec::Object(ObjectSpec::of_normal(specs)) } else { placeholder() }
    }

    fn array(&mut self, body: &ConfigBody) -> Spec {
        let (content, problems) = self.evaluation.content(body, &UNLABELLED);
        self.diagnostics.extend(problems);
        let mut specs = Vec::with_capacity(content.blocks.len());
        for block in &content.blocks {
            if self.evaluation.stopped() {
                break;
            }
            specs.push(self.spec(block));
        }
        Spec::Tuple(specs)
    }

    /// Reads the arguments of a block with `read`; gives nothing if anything in it is wrong.
    fn arguments<T>(
        &mut self,
        content: &hcl_syntax::config::Content,
        problems: Diagnostics,
        read: impl FnOnce(&mut Arguments<'_, '_>) -> T,
    ) -> Option<T> {
        let before = self.diagnostics.len();
        self.diagnostics.extend(problems);
        let mut arguments =
            Arguments { content, evaluation: &mut *self.evaluation, diagnostics: Diagnostics::new() };
        let taken = read(&mut arguments);
        let problems = arguments.diagnostics;
        self.diagnostics.extend(problems);
        (!has_errors(&self.diagnostics[before..])).then_some(taken)
    }

    fn attribute(&mut self, body: &ConfigBody, label: Option<Str>) -> Spec {
        let schema = BodySchema::default().attribute("name").attribute("type").attribute("required");
        let (content, problems) = self.evaluation.content(body, &schema);
        let taken = self.arguments(&content, problems, |arguments| {
            (arguments.text("name"), arguments.flag("required").unwrap_or(false))
        });
        let Some((name, required)) = taken else { return placeholder() };
        let ty = content.expression("type");
        let (ty, defaults) = evaluate_type(ty.as_ref(), &self.types, self.evaluation, &mut self.diagnostics);
        match name.or(label).filter(|name| !name.is_empty()) {
            Some(name) => Spec::Attribute(AttributeSpec { name, ty, defaults, required }),
            None => self.refuse(error::missing_name(body.missing_item())),
        }
    }

    fn block(&mut self, body: &ConfigBody, label: Option<Str>) -> Spec {
        let schema = BodySchema::default().attribute("block_type").attribute("required");
        let (content, rest, problems) = self.evaluation.partial_content(body, &schema);
        let taken = self.arguments(&content, problems, |arguments| {
            (arguments.text("block_type"), arguments.flag("required").unwrap_or(false))
        });
        let Some((block_type, required)) = taken else { return placeholder() };
        let nested = self.nested(&rest);
        let block_type = block_type.or(label).unwrap_or_default();
        Spec::Block(BlockSpec { block_type, required, nested })
    }

    /// Reads the specification in a block, and holds its `block_label`s against the rule that no label may be
    /// skipped.
    fn nested(&mut self, rest: &ConfigBody) -> Arc<BodySpec> {
        let nested = self.only_spec(rest, Parent::Block);
        let nested = BodySpec::within(nested, self.evaluation.bounds());
        if nested.skips_labels() {
            self.diagnostics.push(error::block_label(LabelProblem::Gap, rest.missing_item()));
        }
        Arc::new(nested)
    }

    fn block_label(&mut self, body: &ConfigBody, label: Option<Str>) -> Spec {
        let schema = BodySchema::default().attribute("name").attribute("index");
        let (content, problems) = self.evaluation.content(body, &schema);
        let taken = self
            .arguments(&content, problems, |arguments| (arguments.text("name"), arguments.whole("index")));
        let Some((name, index)) = taken else { return placeholder() };
        let refuse = |problem| error::block_label(problem, body.missing_item());
        let Ok(index) = usize::try_from(index.unwrap_or(0)) else {
            return self.refuse(refuse(LabelProblem::Negative));
        };
        match name.or(label).filter(|name| !name.is_empty()) {
            Some(name) => Spec::BlockLabel(BlockLabelSpec { index, name }),
            None => self.refuse(refuse(LabelProblem::Unnamed)),
        }
    }

    fn blocks(&mut self, body: &ConfigBody, label: Option<Str>, collection: Collection) -> Spec {
        let schema =
            BodySchema::default().attribute("block_type").attribute("min_items").attribute("max_items");
        let (content, rest, problems) = self.evaluation.partial_content(body, &schema);
        let taken = self.arguments(&content, problems, |arguments| {
            (arguments.text("block_type"), arguments.whole("min_items"), arguments.whole("max_items"))
        });
        let Some((block_type, min_items, max_items)) = taken else { return placeholder() };
        let nested = self.nested(&rest);
        let kind = match collection {
            Collection::List => "block_list",
            Collection::Set => "block_set",
            Collection::Tuple => "block_tuple",
        };
        let (min_items, max_items) = (min_items.unwrap_or(0), max_items.unwrap_or(0));
        match block_type.or(label).filter(|block_type| !block_type.is_empty()) {
            Some(block_type) => {
                Spec::Blocks(BlocksSpec { collection, block_type, min_items, max_items, nested })
            }
            None => self.refuse(error::missing_block_type(kind, body.missing_item())),
        }
    }

    /// Reads a `block_map` or `block_object`. The elements of a map are of one type, so a map can't have dynamic
    /// parts; an object can.
    fn block_map(&mut self, body: &ConfigBody, label: Option<Str>, keyed: Keyed) -> Spec {
        let schema = BodySchema::default().attribute("block_type").required_attribute("labels");
        let (content, rest, problems) = self.evaluation.partial_content(body, &schema);
        let taken = self.arguments(&content, problems, |arguments| {
            (arguments.text("block_type"), arguments.texts("labels"))
        });
        let Some((block_type, label_names)) = taken else { return placeholder() };
        let nested = self.nested(&rest);
        let Some(block_type) = block_type.or(label).filter(|block_type| !block_type.is_empty()) else {
            let kind = if keyed == Keyed::Map { "block_map" } else { "block_object" };
            return self.refuse(error::missing_block_type(kind, body.missing_item()));
        };
        let label_names = label_names.unwrap_or_default();
        if label_names.is_empty() {
            return self.refuse(error::no_labels(body.missing_item()));
        }
        if keyed == Keyed::Map && nested.implied_type().has_dynamic() {
            self.diagnostics.push(error::dynamic_block_map(body.missing_item()));
        }
        let blocks = BlockMapSpec { block_type, label_names, nested };
        match keyed {
            Keyed::Map => Spec::BlockMap(blocks),
            Keyed::Object => Spec::BlockObject(blocks),
        }
    }

    fn block_attributes(&mut self, body: &ConfigBody, label: Option<Str>) -> Spec {
        let schema =
            BodySchema::default().attribute("block_type").attribute("element_type").attribute("required");
        let (content, problems) = self.evaluation.content(body, &schema);
        let taken = self.arguments(&content, problems, |arguments| {
            (arguments.text("block_type"), arguments.flag("required").unwrap_or(false))
        });
        let Some((block_type, required)) = taken else { return placeholder() };
        let ty = content.expression("element_type");
        let (element_type, defaults) =
            evaluate_type(ty.as_ref(), &self.types, self.evaluation, &mut self.diagnostics);
        match block_type.or(label).filter(|block_type| !block_type.is_empty()) {
            Some(block_type) => {
                Spec::BlockAttributes(BlockAttributesSpec { block_type, element_type, defaults, required })
            }
            None => self.refuse(error::missing_block_type("block_attrs", body.missing_item())),
        }
    }

    /// Reads a `default`, without the parts that are in error.
    fn default(&mut self, body: &ConfigBody) -> Spec {
        let (content, problems) = self.evaluation.content(body, &UNLABELLED);
        let broken = has_errors(&problems);
        self.diagnostics.extend(problems);
        match content.blocks.as_slice() {
            [] if broken => return placeholder(),
            [] => return self.refuse(error::missing_spec(Parent::Default, body.missing_item())),
            [only] if !broken => self.diagnostics.push(error::useless_default(only)),
            _ => {}
        }
        let mut specs = Vec::with_capacity(content.blocks.len());
        for block in &content.blocks {
            if self.evaluation.stopped() {
                break;
            }
            let before = self.diagnostics.len();
            let spec = self.spec(block);
            if !has_errors(&self.diagnostics[before..]) {
                specs.push(spec);
            }
        }
        Spec::Default(specs)
    }

    /// Reads a `transform`. Its `result` is evaluated when a body is decoded, with the value of the nested part as
    /// `nested`.
    fn transform(&mut self, body: &ConfigBody) -> Spec {
        let (content, rest, problems) =
            self.evaluation.partial_content(body, &BodySchema::default().attribute("result"));
        self.diagnostics.extend(problems);
        let (nested, problems) = self.evaluation.content(&rest, &UNLABELLED);
        let broken = has_errors(&problems);
        self.diagnostics.extend(problems);
        let [only] = nested.blocks.as_slice() else {
            let n_found = nested.blocks.len();
            return if broken {
                placeholder()
            } else {
                self.refuse(error::invalid_transform(n_found, body.missing_item()))
            };
        };
        let nested = self.spec(only);
        let result = content.expression("result");
        let scope = Some(Arc::clone(&self.scope));
        let (spec, limit) = TransformSpec::within(nested, result, "nested", scope, self.evaluation);
        self.diagnostics.extend(limit);
        Spec::Transform(spec)
    }

    fn literal(&mut self, body: &ConfigBody) -> Spec {
        let (content, problems) =
            self.evaluation.content(body, &BodySchema::default().required_attribute("value"));
        let before = self.diagnostics.len();
        self.diagnostics.extend(problems);
        let Some(value) = content.expression("value") else { return placeholder() };
        let (value, problems) = self.evaluation.evaluate(&value, Some(&self.scope));
        self.diagnostics.extend(problems);
        if has_errors(&self.diagnostics[before..]) { placeholder() } else { Spec::Literal(value) }
    }
}
