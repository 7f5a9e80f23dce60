//! Type expressions: `list(string)`, `object({ name = string, port = optional(number, 80) })`.
//!
//! They have the syntax of expressions and are read without evaluating: keywords are variables, type
//! constructors are calls. What is not understood counts as the dynamic type, so that a type comes out in
//! any case, beside the diagnostics. How the result is written back: `Type::to_type_text`.

use std::collections::BTreeMap;

use hcl_syntax::ast::{Call, Expression, ExpressionKind, ObjectItem};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Error, IntoResult, detail, has_errors};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::{Source, Span};

use super::defaults::OfAttribute;
use super::{Defaults, ObjectAttribute, Type};
use crate::Str;
use crate::convert::convert_metered;
pub use crate::eval::{parse_type, parse_type_text, parse_type_within};
use crate::limits::Meter;
use crate::stack;
use crate::value::string::normalize_within;
use crate::value::{Value, ValueErrorKind};

/// The forms that a type expression may have.
///
/// ```
/// use hcl_eval::types::type_expr::{TypeMode, parse_type};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "object({ port = optional(number) })".parse()?;
/// let problems = |mode| parse_type(parsed.expression(), mode).2.len();
/// assert_eq!((problems(TypeMode::Exact), problems(TypeMode::Constraint)), (1, 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TypeMode {
    /// An exact type: no `any`, no `optional`.
    Exact,
    /// A constraint: `any`, and `optional(T)` for attributes.
    Constraint,
    /// A constraint in which `optional` may have a default.
    ConstraintWithDefaults,
}

/// The means of a reading of types.
pub(crate) trait Means {
    /// The limits of the reading: the parts of a type that have been read when one is reached are not all.
    fn meter(&mut self) -> &mut Meter;

    /// The value of the default of an attribute. That a limit was reached is told by who has the meter.
    fn evaluate(&mut self, default: Expression<'_>) -> (Value, Diagnostics);
}

/// Reads a type: what it is, the defaults of its optional attributes, and what is wrong with it.
pub(crate) fn parse_type_on(
    expression: Expression<'_>,
    mode: TypeMode,
    names: Names,
    means: &mut dyn Means,
) -> (Type, Option<Defaults>, Diagnostics) {
    let mut reader = Reader { mode, names, means, diagnostics: Diagnostics::new() };
    let (ty, defaults) = reader.read(expression);
    (ty, defaults, reader.diagnostics)
}

/// Reads the expression of a type that stands alone in a text.
pub(crate) fn parse_text(text: &str, limits: &ParseLimits) -> Result<ParsedExpression, Error> {
    let source =
        Source::new("type", text).map_err(|error| Diagnostic::error(CODE, SUMMARY, error.to_string()))?;
    parse_expression(source, limits).into_result()
}

const CODE: &str = "type.invalid_specification";
const SUMMARY: &str = "Invalid type specification";
const DEFAULT_CODE: &str = "type.invalid_default";
const DEFAULT_SUMMARY: &str = "Invalid default value for optional attribute";

/// Room is asked for before a name of more bytes becomes that of an attribute.
const LONG_NAME: usize = 1 << 12;

/// How much work a part of a type is: [`Meter::go_on`].
const PARTS_OF_ITEM: usize = 64;

/// How attribute names may be written.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Names {
    /// As in expressions.
    Bare,
    /// As `Type::to_type_text` writes them, too.
    BareOrQuoted,
}

/// A problem with a type expression.
#[derive(Copy, Clone)]
enum Problem<'t> {
    /// `any`, where an exact type is wanted
    AnyInexact,
    /// `list`
    ConstructorAlone(&'t str),
    /// `str`
    UnknownKeyword(&'t str),
    /// `"string"`
    NotAType,
    /// `string()`
    ArgumentsOfKeyword(&'t str),
    /// `list()`
    ArgumentCount(&'t str),
    /// `vector(string)`
    UnknownConstructor(&'t str),
    /// `object([])`
    ObjectArgument,
    /// `tuple({})`
    TupleArgument,
    /// `object({(a) = string})`
    AttributeName,
    /// `object({a = string, a = string})`
    DuplicateAttribute(&'t str),
    /// `list(optional(string))`
    OptionalOutsideObject,
    /// `optional()`
    OptionalWithoutType,
    /// `optional(string, "a", "b")`
    OptionalArguments(TypeMode),
    /// `optional(string)`, where an exact type is wanted
    OptionalInexact,
}

impl Problem<'_> {
    /// The sentence of the diagnostic: what is wrong, and what is to be written instead.
    fn detail(self) -> String {
        match self {
            Problem::AnyInexact => "An exact type is needed here, so \"any\" cannot be used.".into(),
            Problem::ConstructorAlone(name) | Problem::ArgumentCount(name) => constructor_usage(name),
            Problem::UnknownKeyword(name) => detail(format_args!(
                "There is no type named \"{name}\". The primitive types are string, number and bool; \"any\" \
                 stands for any type where a constraint is allowed."
            )),
            Problem::NotAType => "A type is a keyword such as string, number or bool, or a constructor with \
                                  its argument in parentheses, such as list(string). It is not quoted."
                .into(),
            Problem::ArgumentsOfKeyword(name) => {
                detail(format_args!("The type \"{name}\" takes no arguments. Remove the parentheses."))
            }
            Problem::UnknownConstructor(name) => detail(format_args!(
                "There is no type constructor named \"{name}\". The constructors are list, set, map, object \
                 and tuple."
            )),
            Problem::ObjectArgument => {
                "The argument of \"object\" must be a map of attribute names to types \
                                        in braces, such as object({ name = string })."
                    .into()
            }
            Problem::TupleArgument => {
                "The argument of \"tuple\" must be a list of types in brackets, such as \
                                       tuple([string, number])."
                    .into()
            }
            Problem::AttributeName => {
                "Attribute names in an object type must be plain names, without quotes or parentheses.".into()
            }
            Problem::DuplicateAttribute(name) => detail(format_args!(
                "The attribute \"{name}\" is defined more than once in this object type."
            )),
            Problem::OptionalOutsideObject => {
                "\"optional\" can only be used for the attributes of an object type.".into()
            }
            Problem::OptionalWithoutType => {
                "\"optional\" needs the type of the attribute as its argument.".into()
            }
            Problem::OptionalArguments(TypeMode::ConstraintWithDefaults) => {
                "\"optional\" takes at most two arguments: the type of the attribute and its default.".into()
            }
            Problem::OptionalArguments(_) => {
                "\"optional\" takes one argument here, the type of the attribute: defaults are not allowed."
                    .into()
            }
            Problem::OptionalInexact => {
                "An exact type is needed here, so no attribute can be optional.".into()
            }
        }
    }
}

fn constructor_usage(name: &str) -> String {
    match name {
        "object" => "The type constructor \"object\" takes one argument, a map of attribute names to types, \
                     such as object({ name = string })."
            .into(),
        "tuple" => "The type constructor \"tuple\" takes one argument, a list of the types of its elements, \
                    such as tuple([string, number])."
            .into(),
        _ => detail(format_args!(
            "The type constructor \"{name}\" takes one argument, the type of its elements, such as \
             {name}(string)."
        )),
    }
}

/// Reads one type expression.
struct Reader<'e> {
    mode: TypeMode,
    names: Names,
    means: &'e mut dyn Means,
    diagnostics: Diagnostics,
}

/// A type and the defaults within it.
type Read = (Type, Option<Defaults>);

/// The stand-in for a type that can't be read.
const UNREADABLE: Read = (Type::Dynamic, None);

impl Reader<'_> {
    fn report(&mut self, problem: Problem<'_>, at: Expression<'_>, subject: Span, context: Option<Span>) {
        let source = at.tree().source();
        let mut diagnostic = Diagnostic::error(CODE, SUMMARY, problem.detail()).at(source, subject);
        if let Some(context) = context {
            diagnostic = diagnostic.within(source, context);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports that a whole expression is no type.
    fn refuse(&mut self, problem: Problem<'_>, expression: Expression<'_>) -> Read {
        self.report(problem, expression, expression.span(), None);
        UNREADABLE
    }

    fn read(&mut self, expression: Expression<'_>) -> Read {
        if let Some(keyword) = keyword(expression) {
            return self.read_keyword(keyword, expression);
        }
        match expression.kind() {
            // How deep the source nests is not known here.
            ExpressionKind::Call(call) => stack::grow(u32::MAX, || self.read_call(call, expression)),
            _ => self.refuse(Problem::NotAType, expression),
        }
    }

    fn read_keyword(&mut self, keyword: &str, expression: Expression<'_>) -> Read {
        match keyword {
            "string" => (Type::String, None),
            "number" => (Type::Number, None),
            "bool" => (Type::Bool, None),
            "any" if self.mode == TypeMode::Exact => self.refuse(Problem::AnyInexact, expression),
            "any" => (Type::Dynamic, None),
            "list" | "set" | "map" | "object" | "tuple" => {
                self.refuse(Problem::ConstructorAlone(keyword), expression)
            }
            _ => self.refuse(Problem::UnknownKeyword(keyword), expression),
        }
    }

    /// Reads a constructor with its argument. One mistake is told, the first by this order: the name, the number of
    /// arguments, the argument.
    fn read_call(&mut self, call: Call<'_>, expression: Expression<'_>) -> Read {
        let name = call.name();
        let parentheses = call.open_span().to(call.close_span());
        match name {
            "string" | "number" | "bool" | "any" => {
                self.report(Problem::ArgumentsOfKeyword(name), expression, parentheses, None);
                return UNREADABLE;
            }
            "list" | "set" | "map" | "object" | "tuple" => {}
            "optional" => {
                self.report(Problem::OptionalOutsideObject, expression, call.name_span(), None);
                return UNREADABLE;
            }
            _ => return self.refuse(Problem::UnknownConstructor(name), expression),
        }
        let arguments = call.arguments();
        let (Some(argument), None) = (arguments.first(), arguments.get(1)) else {
            let subject = match (arguments.get(1), arguments.last()) {
                (Some(surplus), Some(last)) => surplus.span().to(last.span()),
                _ => parentheses,
            };
            self.report(Problem::ArgumentCount(name), expression, subject, Some(parentheses));
            return UNREADABLE;
        };
        match name {
            "list" => self.read_collection(argument, Type::list),
            "set" => self.read_collection(argument, Type::set),
            "map" => self.read_collection(argument, Type::map),
            "object" => self.read_object(argument, expression),
            _ => self.read_tuple(argument, expression),
        }
    }

    fn read_collection(&mut self, element: Expression<'_>, make: fn(Type) -> Type) -> Read {
        let (element, defaults) = self.read(element);
        let ty = make(element);
        let defaults = defaults.map(|within| Defaults::of_collection(ty.clone(), within));
        (ty, defaults)
    }

    fn read_tuple(&mut self, argument: Expression<'_>, expression: Expression<'_>) -> Read {
        let ExpressionKind::Tuple(elements) = argument.kind() else {
            self.report(Problem::TupleArgument, expression, argument.span(), Some(expression.span()));
            return UNREADABLE;
        };
        if !self.has_room(elements.len() * size_of::<Type>()) {
            return UNREADABLE;
        }
        let mut types = Vec::with_capacity(elements.len());
        let mut within = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            if !self.goes_on() {
                break;
            }
            let (ty, defaults) = self.read(element);
            types.push(ty);
            within.extend(defaults.map(|defaults| (i, defaults)));
        }
        let ty = Type::tuple(types);
        let defaults = Defaults::of_tuple(ty.clone(), within);
        (ty, defaults)
    }

    /// Reads the attributes of an object type. An item that is wrong is told and left out, so that mistakes in
    /// several items come at once.
    fn read_object(&mut self, argument: Expression<'_>, expression: Expression<'_>) -> Read {
        let ExpressionKind::Object(items) = argument.kind() else {
            self.report(Problem::ObjectArgument, expression, argument.span(), Some(expression.span()));
            return UNREADABLE;
        };
        let mut attributes = BTreeMap::new();
        for item in items.iter() {
            if !self.goes_on() || !self.has_room_for_name(item) {
                break;
            }
            let Some(name) = self.attribute_name(item) else {
                self.report(Problem::AttributeName, expression, item.key.span(), Some(expression.span()));
                continue;
            };
            if attributes.contains_key(&name) {
                let problem = Problem::DuplicateAttribute(&name);
                self.report(problem, expression, item.key.span(), Some(expression.span()));
                continue;
            }
            if let Some(read) = self.read_attribute(item.value) {
                attributes.insert(name, read);
            }
        }
        if !self.has_room(attributes.len() * size_of::<ObjectAttribute>()) {
            return UNREADABLE;
        }
        let mut types = Vec::with_capacity(attributes.len());
        let mut defaults = Vec::new();
        for (name, Attribute { ty, optional, defaults: of_attribute }) in attributes {
            defaults.extend(of_attribute.map(|of_attribute| (name.clone(), of_attribute)));
            types.push(ObjectAttribute { name, ty, optional });
        }
        let Ok(ty) = Type::object_on(types, &mut Some(self.means.meter())) else { return UNREADABLE };
        let defaults = Defaults::of_object(ty.clone(), defaults);
        (ty, defaults)
    }

    /// Returns whether the limits allow the next part.
    fn goes_on(&mut self) -> bool {
        self.means.meter().go_on(PARTS_OF_ITEM).is_ok()
    }

    fn has_room(&mut self, n_bytes: usize) -> bool {
        self.means.meter().hold(n_bytes).is_ok()
    }

    /// Returns whether there is room for the name of an attribute, and for its normal form beside it.
    fn has_room_for_name(&mut self, item: ObjectItem<'_>) -> bool {
        let n_bytes = item.key.span().len() as usize;
        n_bytes <= LONG_NAME || self.has_room(2 * n_bytes)
    }

    /// The name of an attribute; an empty one if a limit is reached.
    fn attribute_name(&mut self, item: ObjectItem<'_>) -> Option<Str> {
        let name = match (item.key_name(), item.key.kind()) {
            (Some(name), _) => name,
            (None, ExpressionKind::Text(name)) if self.names == Names::BareOrQuoted => name,
            _ => return None,
        };
        Some(normalize_within(name, &mut Some(self.means.meter())).unwrap_or_default())
    }

    /// The type of an attribute, perhaps within `optional`; `None` if that has no type.
    fn read_attribute(&mut self, value: Expression<'_>) -> Option<Attribute> {
        let call = match value.kind() {
            ExpressionKind::Call(call) if call.name() == "optional" => call,
            _ => {
                let (ty, within) = self.read(value);
                return Some(Attribute { ty, optional: false, defaults: OfAttribute::new(None, within) });
            }
        };
        let parentheses = call.open_span().to(call.close_span());
        let arguments = call.arguments();
        let Some(type_argument) = arguments.first() else {
            self.report(Problem::OptionalWithoutType, value, parentheses, Some(value.span()));
            return None;
        };
        let mut optional = false;
        let mut default = None;
        match (self.mode, arguments.len()) {
            (TypeMode::Exact, _) => {
                self.report(Problem::OptionalInexact, value, call.name_span(), Some(value.span()));
            }
            (_, 1) => optional = true,
            (TypeMode::ConstraintWithDefaults, 2) => {
                default =
                    arguments.get(1).and_then(|expression| Some((expression, self.default(expression)?)));
                optional = default.is_some();
            }
            (mode, _) => {
                self.report(Problem::OptionalArguments(mode), value, parentheses, Some(value.span()));
            }
        }
        let (ty, within) = self.read(type_argument);
        let default = default.and_then(|(expression, value)| self.fit_default(expression, &value, &ty));
        Some(Attribute { ty, optional, defaults: OfAttribute::new(default, within) })
    }

    /// The value of a default, which can't refer to anything.
    fn default(&mut self, expression: Expression<'_>) -> Option<Value> {
        let (value, diagnostics) = self.means.evaluate(expression);
        let failed = has_errors(&diagnostics);
        self.diagnostics.extend(diagnostics);
        (!failed).then_some(value)
    }

    /// A default as a value of the attribute's type.
    fn fit_default(&mut self, expression: Expression<'_>, value: &Value, ty: &Type) -> Option<Value> {
        match convert_metered(value, ty, self.means.meter()) {
            Ok(converted) => Some(converted),
            Err(error) if matches!(error.kind, ValueErrorKind::Limit(_)) => None,
            Err(error) => {
                let detail = format!("This default is no value of the attribute's type: {}.", error.reason());
                let diagnostic = Diagnostic::error(DEFAULT_CODE, DEFAULT_SUMMARY, detail);
                self.diagnostics.push(diagnostic.at(expression.tree().source(), expression.span()));
                None
            }
        }
    }
}

/// The facts about one attribute of an object type.
struct Attribute {
    ty: Type,
    optional: bool,
    defaults: Option<OfAttribute>,
}

/// The name, if the expression is a single bare one; the literals `true`, `false` and `null` count as names.
fn keyword(expression: Expression<'_>) -> Option<&str> {
    match expression.kind() {
        ExpressionKind::Traversal(traversal) if traversal.steps().is_empty() => Some(traversal.root()),
        ExpressionKind::Null | ExpressionKind::Bool(_) => Some(expression.source_text()),
        _ => None,
    }
}
