//! Expressions taken literally: as a list, a map, a call, a traversal or a keyword, without evaluating
//! them. Parentheses, conditionals and templates are never looked through.
//!
//! ```
//! use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
//! use hcl_syntax::source::Source;
//!
//! let parse = |text: &str| -> ParsedExpression {
//!     let source = Source::new("input", text).unwrap();
//!     parse_expression(source, &ParseLimits::default()).0
//! };
//!
//! // depends_on = [network.main, disk]
//! let parsed = parse("[network.main, disk]");
//! let names: Vec<_> = parsed.expression().as_static_list().unwrap().iter()
//!     .filter_map(|element| element.as_static_traversal())
//!     .map(|traversal| (traversal.root, traversal.steps.len()))
//!     .collect();
//! assert_eq!(names, [("network", 1), ("disk", 0)]);
//!
//! // providers = { aws = aws.west }
//! let parsed = parse("{ aws = aws.west }");
//! let item = parsed.expression().as_static_map().unwrap().iter().next().unwrap();
//! assert_eq!((item.key.as_keyword(), item.value.source_text()), (Some("aws"), "aws.west"));
//!
//! // type = list(string)
//! let parsed = parse("list(string)");
//! let call = parsed.expression().as_static_call().unwrap();
//! assert_eq!((call.name(), call.arguments().first().unwrap().as_keyword()), ("list", Some("string")));
//!
//! // What would have to be evaluated is none of these.
//! let parsed = parse("(list(string))");
//! assert!(parsed.expression().as_static_call().is_none());
//! ```

use super::tree::Tag;
use super::{Call, Expression, ExpressionKind, ExpressionList, ObjectItems, Steps};
use crate::source::Span;

/// The root of a traversal taken literally, and its steps.
///
/// ```
/// use hcl_syntax::ast::StepKind;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "null_resource.a".parse()?;
/// let reference = parsed.expression().as_static_traversal().unwrap();
/// assert_eq!(reference.root, "null_resource");
/// assert!(matches!(reference.steps.iter().next().unwrap().kind, StepKind::Attribute("a")));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StaticTraversal<'t> {
    /// The name; `true`, `false` and `null` count as names here.
    pub root: &'t str,
    /// Where the name stands.
    pub root_span: Span,
    /// The steps, as groups in order: a literal root's steps come as a group of their own.
    pub steps: Steps<'t>,
}

impl<'t> Expression<'t> {
    /// The elements, if it is a tuple constructor.
    pub fn as_static_list(self) -> Option<ExpressionList<'t>> {
        match self.kind() {
            ExpressionKind::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The items as written, duplicates kept, if it is an object constructor.
    pub fn as_static_map(self) -> Option<ObjectItems<'t>> {
        match self.kind() {
            ExpressionKind::Object(items) => Some(items),
            _ => None,
        }
    }

    /// The call, if it is one; cheaper to ask than [`Expression::kind`].
    pub fn as_static_call(self) -> Option<Call<'t>> {
        let node = self.node();
        (node.tag == Tag::Call).then(|| Call::new(self.tree(), node.data))
    }

    /// The traversal, if it is a name, or `true`, `false`, `null`, with attribute and literal index steps.
    pub fn as_static_traversal(self) -> Option<StaticTraversal<'t>> {
        match self.kind() {
            ExpressionKind::Traversal(traversal) => Some(StaticTraversal {
                root: traversal.root(),
                root_span: traversal.root_span(),
                steps: traversal.steps(),
            }),
            ExpressionKind::Null | ExpressionKind::Bool(_) => Some(StaticTraversal {
                root: self.source_text(),
                root_span: self.span(),
                steps: Steps::none(self.tree()),
            }),
            ExpressionKind::RelativeTraversal { source, steps } => match source.kind() {
                ExpressionKind::Null | ExpressionKind::Bool(_) => {
                    Some(StaticTraversal { root: source.source_text(), root_span: source.span(), steps })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The name, if it is nothing but a name, or `true`, `false`, `null`.
    pub fn as_keyword(self) -> Option<&'t str> {
        self.as_static_traversal()
            .filter(|traversal| traversal.steps.is_empty())
            .map(|traversal| traversal.root)
    }
}
