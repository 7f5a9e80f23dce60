//! Expressions of attributes, with what they are part of.
//!
//! A [`ConfigExpression`] can be kept, sent and evaluated later. It is an expression of native syntax or a
//! value of JSON syntax; [`ConfigExpression::syntax`] gives either as a place in an ordinary tree, for
//! evaluation. What a JSON string is depends on what is asked: a template when evaluated with a scope,
//! its text when evaluated without one, a reference or a call when taken literally.

use std::cell::RefCell;
use std::sync::Arc;

use super::reading::{Bounds, Unbounded, push_within};
use crate::ast::{ExprId, Expression, SharedTree, variable_expressions_while};
use crate::diagnostic::has_errors;
use crate::json::{self, JsonTree, PropertyId, Strings, ValueId};
use crate::parser::{ParseLimits, ParsedExpression, Splats, parse_expression, parse_traversal};
use crate::source::{Range, Source, Span};

/// An expression that owns what it needs, cheap to clone.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::json::JsonFile;
///
/// // An expression in JSON syntax is read as one of native syntax is.
/// let file = JsonFile::parse("main.hcl.json", r#"{"zones": ["${var.home}", "b"]}"#)?;
/// let zones = ConfigBody::from(&file).everything().expression("zones").unwrap();
/// let elements = zones.static_list().unwrap();
/// assert_eq!(elements[0].variables().len(), 1);
/// assert_eq!(elements[1].keyword().as_deref(), Some("b"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConfigExpression(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Native { tree: SharedTree, id: ExprId },
    Json { tree: Arc<JsonTree>, place: JsonPlace },
}

/// A value of a JSON text, or the name of a property, which is a string.
#[derive(Copy, Clone, Debug)]
enum JsonPlace {
    Value(ValueId),
    Name(PropertyId),
}

/// A function call taken literally.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "type = list(string)\n")?;
/// let call = ConfigBody::from(&file).everything().expression("type").unwrap().static_call().unwrap();
/// assert_eq!(call.name, "list");
/// assert_eq!(call.arguments[0].keyword().as_deref(), Some("string"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StaticCall {
    /// The name, its parts joined by `::`.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The arguments as written.
    pub arguments: Vec<ConfigExpression>,
    /// From the opening to the closing parenthesis.
    pub arguments_span: Span,
    /// The source that the spans are places in.
    pub source: Source,
}

impl ConfigExpression {
    /// An expression of native syntax.
    pub fn native(tree: SharedTree, id: ExprId) -> Self {
        Self(Repr::Native { tree, id })
    }

    pub(crate) fn json(tree: Arc<JsonTree>, value: ValueId) -> Self {
        Self(Repr::Json { tree, place: JsonPlace::Value(value) })
    }

    /// The value of JSON syntax, if it is one.
    #[cfg(feature = "conversion")]
    pub(crate) fn as_json(&self) -> Option<ValueId> {
        match self.0 {
            Repr::Json { place: JsonPlace::Value(value), .. } => Some(value),
            _ => None,
        }
    }

    /// The expression as a place in a tree, for evaluation with a scope and for a close look. Strings of
    /// JSON syntax are templates in it; those with errors are
    /// [`Unfinished`](crate::ast::ExpressionKind::Unfinished).
    pub fn syntax(&self) -> ParsedExpression {
        self.syntax_with(Strings::Templates)
    }

    /// Returns the expression, with a choice of what the strings of JSON syntax stand for. For evaluation without a
    /// scope they are [`Strings::Literal`].
    pub fn syntax_with(&self, strings: Strings) -> ParsedExpression {
        let (tree, id) = self.node_with(strings);
        ParsedExpression::new(tree.clone(), id)
    }

    /// Returns the expression like [`syntax_with`](Self::syntax_with), without a share of the tree.
    pub fn place_with(&self, strings: Strings) -> Expression<'_> {
        let (tree, id) = self.node_with(strings);
        tree.expression(id)
    }

    /// Returns the tree that [`place_with`](Self::place_with) is in.
    ///
    /// ```
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::json::{JsonFile, Strings};
    ///
    /// let file = JsonFile::parse("main.hcl.json", r#"{"zone": "a"}"#)?;
    /// let zone = ConfigBody::from(&file).everything().expression("zone").unwrap();
    /// let id = zone.place_with(Strings::Literal).id();
    /// assert_eq!(zone.tree_with(Strings::Literal).expression(id).source_text(), "\"a\"");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn tree_with(&self, strings: Strings) -> &SharedTree {
        self.node_with(strings).0
    }

    fn node_with(&self, strings: Strings) -> (&SharedTree, ExprId) {
        match &self.0 {
            Repr::Native { tree, id } => (tree, *id),
            Repr::Json { tree, place } => {
                let lowered = json::lowered(tree, strings);
                let id = match *place {
                    JsonPlace::Value(id) => lowered.value(id),
                    JsonPlace::Name(id) => lowered.key(id),
                };
                (&lowered.tree, id)
            }
        }
    }

    /// Returns whether the expression is written in JSON syntax.
    pub fn is_json(&self) -> bool {
        matches!(self.0, Repr::Json { .. })
    }

    /// Returns the source that the spans are places in.
    pub fn source(&self) -> &Source {
        match &self.0 {
            Repr::Native { tree, .. } => tree.source(),
            Repr::Json { tree, .. } => tree.source(),
        }
    }

    /// Where the expression stands.
    pub fn span(&self) -> Span {
        match &self.0 {
            Repr::Native { tree, id } => tree.expression(*id).span(),
            Repr::Json { tree, place: JsonPlace::Value(id) } => tree.span(*id),
            Repr::Json { tree, place: JsonPlace::Name(id) } => tree.name_span(*id),
        }
    }

    /// The place that errors about the expression as a whole point at when it is long: its beginning.
    pub fn start_span(&self) -> Span {
        match &self.0 {
            Repr::Native { tree, id } => tree.expression(*id).start_span(),
            Repr::Json { tree, place: JsonPlace::Value(id) } => tree.start_span(*id),
            Repr::Json { tree, place: JsonPlace::Name(id) } => tree.name_span(*id),
        }
    }

    /// Where the expression stands.
    pub fn range(&self) -> Range {
        self.source().range(self.span())
    }

    /// The variables that the expression refers to, in the order of the text, repetitions included. Each is
    /// an expression whose [`syntax`](ConfigExpression::syntax) is a traversal.
    pub fn variables(&self) -> Vec<Self> {
        let mut found = Vec::new();
        self.find_variables(&mut found, &mut Unbounded);
        found
    }

    /// Adds the [variables](Self::variables) to a list, within bounds: what is there when they end it is not all.
    ///
    /// ```
    /// use hcl_syntax::config::{ConfigBody, Unbounded};
    /// use hcl_syntax::parser::File;
    ///
    /// let sum = ConfigBody::from(&File::parse("main.hcl", "sum = a + b\n")?).everything().expression("sum").unwrap();
    /// let mut found = Vec::new();
    /// sum.find_variables(&mut found, &mut Unbounded);
    /// assert_eq!(found.len(), 2);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn find_variables(&self, found: &mut Vec<Self>, bounds: &mut dyn Bounds) {
        let syntax = self.syntax();
        let bounds = RefCell::new(bounds);
        let goes_on = |n_bytes| {
            let mut bounds = bounds.borrow_mut();
            bounds.goes_on(1) && (n_bytes == 0 || bounds.has_room(n_bytes))
        };
        for variable in variable_expressions_while(syntax.expression(), goes_on) {
            if !push_within(found, beside(syntax.tree(), variable), *bounds.borrow_mut()) {
                break;
            }
        }
    }

    /// How many elements [`static_list`](Self::static_list) has, or pairs [`static_map`](Self::static_map), or arguments the
    /// call of [`static_call`](Self::static_call) at most.
    ///
    /// ```
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::parser::File;
    ///
    /// let list = ConfigBody::from(&File::parse("main.hcl", "list = [a, b]\n")?).everything().expression("list").unwrap();
    /// assert_eq!(list.n_static_parts(), 2);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn n_static_parts(&self) -> usize {
        match &self.0 {
            Repr::Native { tree, id } => {
                let expression = tree.expression(*id);
                let list = expression.as_static_list().map(|elements| elements.len());
                let list = list.or_else(|| Some(expression.as_static_call()?.arguments().len()));
                list.or_else(|| Some(expression.as_static_map()?.len())).unwrap_or(0)
            }
            Repr::Json { tree, place: JsonPlace::Value(id) } => {
                let n = tree.properties_of(*id).map_or(tree.elements_of(*id).len(), Iterator::count);
                // A string may hold a call.
                n.max(tree.string(*id).map_or(0, |(text, _)| text.len() / 2))
            }
            Repr::Json { .. } => 0,
        }
    }

    /// The elements, if the expression is a tuple constructor or a JSON array.
    pub fn static_list(&self) -> Option<Vec<Self>> {
        match &self.0 {
            Repr::Native { tree, id } => {
                let elements = tree.expression(*id).as_static_list()?;
                Some(elements.iter().map(|element| beside(tree, element)).collect())
            }
            Repr::Json { tree, place: JsonPlace::Value(id) } if tree.is_array(*id) => Some(
                tree.elements_of(*id).iter().map(|&element| Self::json(Arc::clone(tree), element)).collect(),
            ),
            Repr::Json { .. } => None,
        }
    }

    /// The keys and values, duplicates kept, if the expression is an object constructor or a JSON object.
    pub fn static_map(&self) -> Option<Vec<(Self, Self)>> {
        match &self.0 {
            Repr::Native { tree, id } => {
                let items = tree.expression(*id).as_static_map()?;
                Some(items.iter().map(|item| (beside(tree, item.key), beside(tree, item.value))).collect())
            }
            Repr::Json { tree, place: JsonPlace::Value(id) } => {
                let pair = |(name, value)| {
                    let name = Self(Repr::Json { tree: Arc::clone(tree), place: JsonPlace::Name(name) });
                    (name, Self::json(Arc::clone(tree), value))
                };
                Some(tree.properties_of(*id)?.map(pair).collect())
            }
            Repr::Json { .. } => None,
        }
    }

    /// The call, if the expression is one, or a JSON string that holds one.
    pub fn static_call(&self) -> Option<StaticCall> {
        let syntax = match &self.0 {
            Repr::Native { .. } => self.syntax(),
            Repr::Json { tree, .. } => parsed(self.string_source()?, tree.limits())?,
        };
        let call = syntax.expression().as_static_call()?;
        Some(StaticCall {
            name: call.name().to_owned(),
            name_span: call.name_span(),
            arguments: call.arguments().iter().map(|argument| beside(syntax.tree(), argument)).collect(),
            arguments_span: call.open_span().to(call.close_span()),
            source: syntax.tree().source().clone(),
        })
    }

    /// The expression as a traversal, if it is one, or a JSON string that holds one:
    /// [`as_static_traversal`](Expression::as_static_traversal) of the result gives its steps.
    pub fn static_traversal(&self) -> Option<ParsedExpression> {
        let syntax = match &self.0 {
            Repr::Native { .. } => self.syntax(),
            Repr::Json { tree, .. } => {
                let source = self.string_source()?;
                let (_, problems) = parse_traversal(source.clone(), Splats::Refused, tree.limits());
                if has_errors(&problems) {
                    return None;
                }
                parsed(source, tree.limits())?
            }
        };
        syntax.expression().as_static_traversal().is_some().then_some(syntax)
    }

    /// The name, if the expression is nothing but a name, or `true`, `false`, `null`; in JSON syntax, a
    /// string with a name.
    pub fn keyword(&self) -> Option<String> {
        let syntax = self.static_traversal()?;
        syntax.expression().as_keyword().map(str::to_owned)
    }

    /// The text of a JSON string as a source of native syntax.
    fn string_source(&self) -> Option<Source> {
        let Repr::Json { tree, place } = &self.0 else { return None };
        let (text, span) = match *place {
            JsonPlace::Value(id) => tree.string(id)?,
            JsonPlace::Name(id) => tree.name(id),
        };
        let origin = tree.source().position(span.start);
        Source::decoded_from(tree.source(), text, origin).ok()
    }
}

/// Another expression of a tree.
fn beside(tree: &SharedTree, other: Expression<'_>) -> ConfigExpression {
    ConfigExpression::native(tree.clone(), other.id())
}

/// A text as an expression, if it is one without errors.
fn parsed(source: Source, limits: &ParseLimits) -> Option<ParsedExpression> {
    let (parsed, problems) = parse_expression(source, limits);
    (!has_errors(&problems)).then_some(parsed)
}
