//! Documents as python-hcl2 gives them: strings with their quotes, expressions as `"${…}"` texts in a spacing of their
//! own, blocks marked with `__is_block__`, comments beside.
//!
//! The spacing of expressions is made from the tree. Templates with directives are made from tokens, because the tree does
//! not keep how those are written.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use hcl_syntax::ast::{
    Block, Body, Expression, ExpressionKind, ForExpression, ObjectItem, SplatKind, StepKind, Steps,
    UnaryOperator, Visit, Walk,
};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::lexer::tokens;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::{Source, Span};
use hcl_syntax::token::{Token, TokenKind};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::{checked, error, too_large};
use crate::reading::{Item, items};
use crate::text::bytes_of;

/// `SerializationOptions`, without what changes nothing.
#[derive(FromPyObject)]
#[allow(clippy::struct_excessive_bools, reason = "the options of python-hcl2")]
pub(crate) struct Options {
    #[pyo3(from_py_with = truth)]
    with_comments: bool,
    #[pyo3(from_py_with = truth)]
    wrap_objects: bool,
    #[pyo3(from_py_with = truth)]
    wrap_tuples: bool,
    #[pyo3(from_py_with = truth)]
    explicit_blocks: bool,
    #[pyo3(from_py_with = truth)]
    preserve_heredocs: bool,
    #[pyo3(from_py_with = truth)]
    force_operation_parentheses: bool,
    #[pyo3(from_py_with = truth)]
    preserve_scientific_notation: bool,
    #[pyo3(from_py_with = truth)]
    strip_string_quotes: bool,
}

/// Options are true or false as in Python, where any object is one of them.
fn truth(option: &Bound<'_, PyAny>) -> PyResult<bool> {
    option.is_truthy()
}

/// A text as python-hcl2 gives it.
#[pyfunction]
#[pyo3(signature = (text, options, /),
    text_signature = "(text, options, /)")]
pub(crate) fn hcl2_loads<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    options: Options,
) -> PyResult<Bound<'py, PyDict>> {
    let source = Source::new("<text>", bytes_of(text, "text")?).map_err(|error| too_large(py, error))?;
    let (file, diagnostics) = py.detach(|| parse_file(source, &ParseLimits::default()));
    let file = checked(py, file, diagnostics)?;
    let writer = Writer::new(py, file.source(), &options, false);
    writer.body(file.body(), file.source().span())
}

/// An expression as python-hcl2 lays it out at a level of indentation; with None, in one line.
#[pyfunction]
#[pyo3(signature = (text, indentation, indent_length, /),
    text_signature = "(text, indentation, indent_length, /)")]
pub(crate) fn hcl2_expression(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    indentation: Option<usize>,
    indent_length: usize,
) -> PyResult<String> {
    let written = [b"x = ", bytes_of(text, "text")?.as_slice(), b"\n"].concat();
    let source = Source::new("<expression>", written).map_err(|error| too_large(py, error))?;
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    let file = checked(py, file, diagnostics)?;
    let mut attributes = file.body().attributes();
    let (Some(attribute), None, 0) = (attributes.next(), attributes.next(), file.body().blocks().len())
    else {
        return Err(PyRuntimeError::new_err("the text is more than an expression"));
    };
    let options = Options {
        with_comments: false,
        wrap_objects: false,
        wrap_tuples: false,
        explicit_blocks: true,
        preserve_heredocs: true,
        force_operation_parentheses: false,
        preserve_scientific_notation: true,
        strip_string_quotes: false,
    };
    let writer = Writer::new(py, file.source(), &options, true);
    let of = Of { root: attribute.expression(), starts: Starts::new() };
    match indentation {
        Some(indentation) => writer.laid_out(&of, attribute.expression(), indentation, indent_length),
        None => writer.laid_out_plain(&of, attribute.expression()),
    }
}

struct Writer<'w, 'py> {
    py: Python<'py>,
    source: &'w Source,
    options: &'w Options,
    /// Made when they are needed, which for most texts they are not.
    tokens: OnceCell<Vec<Token>>,
    /// True for text of documents, which has more blanks than the texts of expressions in dicts.
    is_document: bool,
}

/// The expressions of an attribute with the places where they start, in order, the outermost of each place; made when a
/// template needs it.
type Starts<'t> = OnceCell<Vec<(u32, Expression<'t>)>>;

/// The attribute that is being written.
struct Of<'t> {
    root: Expression<'t>,
    starts: Starts<'t>,
}

impl<'t> Of<'t> {
    fn at(&self, offset: u32) -> Option<Expression<'t>> {
        let starts = self.starts.get_or_init(|| {
            let mut starts = Vec::new();
            for visit in Walk::new(self.root) {
                let Visit::Expression(one) = visit else { continue };
                // Parts of templates have the places of what is in them.
                if !is_string(one) || one.source_text().starts_with(['"', '<']) {
                    starts.push((one.span().start, one));
                }
            }
            starts.sort_by_key(|(start, _)| *start);
            starts.dedup_by_key(|(start, _)| *start);
            starts
        });
        let at = starts.binary_search_by_key(&offset, |(start, _)| *start).ok()?;
        Some(starts[at].1)
    }
}

/// Where an expression stands in another.
#[derive(Copy, Clone)]
struct Place {
    /// An operand of an operator, or a part of a conditional.
    is_operand: bool,
    /// Within parentheses, at any distance.
    in_parentheses: bool,
}

/// The kind of problem that a block has whose type is an attribute's name.
const NAMES: &str = "Attribute and block of one name";

/// How much longer than it is written the text of an expression mostly is.
const ROOM: usize = 16;

fn grown<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, run)
}

fn is_dollar(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}')
}

fn dollar(text: String) -> String {
    if is_dollar(&text) { text } else { format!("${{{text}}}") }
}

impl<'w, 'py> Writer<'w, 'py> {
    fn new(py: Python<'py>, source: &'w Source, options: &'w Options, is_document: bool) -> Self {
        Self { py, source, options, tokens: OnceCell::new(), is_document }
    }

    fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| {
            let source = self.source;
            self.py.detach(|| tokens(source))
        })
    }

    fn body<'t>(&self, body: Body<'t>, span: Span) -> PyResult<Bound<'py, PyDict>>
    where
        'w: 't,
    {
        let items = items(body);
        let dict = PyDict::new(self.py);
        let (mut comments, mut inline) = (Vec::new(), Vec::new());
        let attributes = OnceCell::new();
        let earlier = |name: &str, start: u32| {
            let attributes: &HashMap<&str, u32> = attributes
                .get_or_init(|| body.attributes().map(|one| (one.name(), one.name_span().start)).collect());
            attributes.get(name).is_some_and(|attribute| *attribute < start)
        };
        let mut end = span.start;
        let mut absorbed: Option<bool> = None;
        for (start, item) in &items {
            self.between(end, *start, absorbed.take(), &mut comments, &mut inline);
            match item {
                Item::Attribute(one) => {
                    let of = Of { root: one.expression(), starts: Starts::new() };
                    dict.set_item(one.name(), self.value(&of, one.expression(), false)?)?;
                    end = one.expression().span().end;
                    if self.options.with_comments {
                        self.comments_in(one.expression(), &mut inline);
                        absorbed = absorber(one.expression());
                    }
                }
                Item::Block(one) => {
                    let name = one.block_type();
                    let known = dict.get_item(name)?;
                    if known.is_some() && earlier(name, *start) {
                        let detail = format!("Attribute {name} is already defined.");
                        let found = Diagnostic::error("serde.unsupported_block", NAMES, detail);
                        return Err(error(self.py, vec![found.at(self.source, one.type_span())]));
                    }
                    let block = grown(|| self.block(*one))?;
                    match known {
                        Some(list) => list.cast::<PyList>()?.append(block)?,
                        None => dict.set_item(name, PyList::new(self.py, [block])?)?,
                    }
                    end = one.close_span().end;
                }
            }
        }
        self.between(end, span.end, absorbed, &mut comments, &mut inline);
        for (key, found) in [("__comments__", comments), ("__inline_comments__", inline)] {
            if !found.is_empty() {
                let list = PyList::empty(self.py);
                for comment in found {
                    let one = PyDict::new(self.py);
                    one.set_item("value", comment)?;
                    list.append(one)?;
                }
                dict.set_item(key, list)?;
            }
        }
        Ok(dict)
    }

    fn block<'t>(&self, block: Block<'t>) -> PyResult<Bound<'py, PyDict>>
    where
        'w: 't,
    {
        let inside = Span::new(block.open_span().end, block.close_span().start);
        let mut dict = self.body(block.body(), inside)?;
        if self.options.explicit_blocks {
            dict.set_item(intern!(self.py, "__is_block__"), true)?;
        }
        for label in block.labels().collect::<Vec<_>>().into_iter().rev() {
            let written = self.source.slice(label.span());
            let quoted = written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
            let label = match quoted {
                Some(inner) if self.options.strip_string_quotes => unescaped_parts(inner),
                _ => written.to_owned(),
            };
            let outer = PyDict::new(self.py);
            outer.set_item(label, dict)?;
            dict = outer;
        }
        Ok(dict)
    }

    /// The tokens of a part of the text that is whole by itself.
    fn tokens_in(&self, span: Span) -> Vec<Token> {
        // A part of a text is no longer than the text.
        let Ok(part) = Source::new("", self.source.slice(span)) else { return Vec::new() };
        let mut tokens = tokens(&part);
        for token in &mut tokens {
            token.span = Span::new(span.start + token.span.start, span.start + token.span.end);
        }
        tokens
    }

    /// The comments between two items of a body. `absorbed` says that an operation before them takes them for its own,
    /// and whether it is all of the attribute's value.
    fn between(
        &self,
        start: u32,
        end: u32,
        absorbed: Option<bool>,
        comments: &mut Vec<String>,
        inline: &mut Vec<String>,
    ) {
        let gap = self.source.slice(Span::new(start, end));
        if !self.options.with_comments || !gap.contains(['#', '/']) {
            return;
        }
        let run = blanks(gap);
        match absorbed {
            None | Some(true) if run.starts_with(['\n', '\r']) => list(&run, comments),
            None => list(&run, comments),
            Some(_) if !run.starts_with(['\n', '\r']) => list(&run, inline),
            Some(_) => {}
        }
    }

    /// The comments in an expression.
    fn comments_in(&self, expression: Expression<'_>, inline: &mut Vec<String>) {
        let span = expression.span();
        let text = self.source.slice(span);
        // A comment to the end of a line has a newline behind it, for the expression goes on there; strings have comments in
        // sequences only.
        let is_literal = is_string(expression) && !text.contains("${") && !text.contains("%{");
        if is_literal || !(text.contains("/*") || text.contains('\n') && text.contains(['#', '/'])) {
            return;
        }
        // The marker that ends a heredoc is one only with the newline behind it.
        let behind = self.source.slice(Span::new(span.end, self.source.span().end));
        let line = length(behind.split_inclusive('\n').next().unwrap_or_default());
        let tokens = self.tokens_in(Span::new(span.start, span.end + line));
        let tokens = &tokens[..token_at(&tokens, span.end)];
        if !tokens.iter().any(|token| token.kind == TokenKind::Comment) {
            return;
        }
        let (mut hidden, mut ends, mut item_ends) = (Vec::new(), HashSet::new(), HashSet::new());
        for visit in Walk::new(expression) {
            let Visit::Expression(one) = visit else { continue };
            match one.kind() {
                ExpressionKind::Text(_) | ExpressionKind::Template(_) | ExpressionKind::Interpolation(_) => {
                    hidden.push(one.span());
                }
                ExpressionKind::Object(items) => {
                    hidden.extend(items.iter().map(|item| item.key.span().to(item.value.span())));
                    item_ends.extend(items.iter().map(|item| item.value.span().end));
                }
                ExpressionKind::Splat(splat) => {
                    hidden.push(Span::new(splat.marker.start, splat.each.span().end.max(splat.marker.end)));
                }
                ExpressionKind::Binary { .. } => {
                    ends.insert(one.span().end);
                }
                _ => {}
            }
        }
        hidden.sort_by_key(|span| span.start);
        let mut hidden = hidden.into_iter().peekable();
        let mut hidden_until = 0;
        let mut at = 0;
        while at < tokens.len() {
            if !is_blank(&tokens[at]) {
                at += 1;
                continue;
            }
            let before = at.checked_sub(1).map_or(span.start, |before| tokens[before].span.end);
            let first = tokens[at].span.start;
            let mut run = String::new();
            while at < tokens.len() && is_blank(&tokens[at]) {
                run.push_str(blank(self.source, &tokens[at]));
                at += 1;
            }
            while let Some(next) = hidden.next_if(|span| span.start <= first) {
                hidden_until = hidden_until.max(next.end);
            }
            let is_absorbed = ends.contains(&before);
            let is_hidden = first < hidden_until || is_absorbed && item_ends.contains(&before);
            if !(is_hidden || is_absorbed && run.starts_with(['\n', '\r'])) {
                list(&run, inline);
            }
        }
    }

    /// An expression that stands in no other, as an object of Python.
    fn value<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        in_parentheses: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let options = self.options;
        grown(|| match expression.kind() {
            ExpressionKind::Null => Ok(py.None().into_bound(py)),
            ExpressionKind::Bool(truth) => Ok(PyBool::new(py, truth).to_owned().into_any()),
            ExpressionKind::Number(digits) => self.number(digits),
            ExpressionKind::Text(_) | ExpressionKind::Template(_) | ExpressionKind::Interpolation(_) => {
                let mut text = String::with_capacity(expression.span().len() as usize + ROOM);
                self.string(of, expression, false, in_parentheses, &mut text)?;
                Ok(PyString::new(py, &text).into_any())
            }
            ExpressionKind::Tuple(elements) if !options.wrap_tuples => {
                let list = PyList::empty(py);
                for element in elements.iter() {
                    list.append(self.value(of, element, in_parentheses)?)?;
                }
                Ok(list.into_any())
            }
            ExpressionKind::Object(items) if !options.wrap_objects => {
                let dict = PyDict::new(py);
                for item in items.iter() {
                    let key = self.key(of, item, in_parentheses)?;
                    dict.set_item(key, self.value(of, item.value, in_parentheses)?)?;
                }
                Ok(dict.into_any())
            }
            ExpressionKind::Traversal(path) if path.steps().is_empty() => {
                Ok(PyString::new(py, path.root()).into_any())
            }
            ExpressionKind::Parentheses(inner) => {
                let inner = self.value(of, inner, true)?.str()?.to_string();
                let whole = match inner.strip_prefix("${").and_then(|inner| inner.strip_suffix('}')) {
                    Some(inner) => format!("${{({inner})}}"),
                    None => dollar(format!("({inner})")),
                };
                Ok(PyString::new(py, &whole).into_any())
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand }
                if is_negative_literal(operand) && !self.keeps_exponent(operand.source_text()) =>
            {
                self.value(of, operand, in_parentheses)?.neg()
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand }
                if (!options.force_operation_parentheses || is_negative_literal(expression))
                    && matches!(operand.kind(), ExpressionKind::Number(digits) if !self.keeps_exponent(digits)) =>
            {
                let ExpressionKind::Number(digits) = operand.kind() else {
                    return Ok(py.None().into_bound(py));
                };
                self.number(digits)?.neg()
            }
            _ => {
                let place = Place { is_operand: false, in_parentheses };
                let mut text = String::with_capacity(expression.span().len() as usize + ROOM);
                self.dollar_text(of, expression, place, &mut text)?;
                Ok(PyString::new(py, &text).into_any())
            }
        })
    }

    fn keeps_exponent(&self, digits: &str) -> bool {
        self.options.preserve_scientific_notation && digits.contains(['e', 'E'])
    }

    fn number(&self, digits: &str) -> PyResult<Bound<'py, PyAny>> {
        if self.keeps_exponent(digits) {
            return Ok(PyString::new(self.py, &dollar(digits.to_owned())).into_any());
        }
        if digits.contains(['.', 'e', 'E']) {
            return self.py.get_type::<PyFloat>().call1((digits,));
        }
        match digits.parse::<i64>() {
            Ok(small) => Ok(small.into_pyobject(self.py)?.into_any()),
            Err(_) => self.py.get_type::<PyInt>().call1((digits,)),
        }
    }

    fn number_text(&self, digits: &str, out: &mut String) -> PyResult<()> {
        if self.keeps_exponent(digits) {
            out.push_str(digits);
        } else if let Ok(small) = digits.parse::<i64>() {
            out.push_str(&small.to_string());
        } else {
            out.push_str(&self.number(digits)?.str()?.to_cow()?);
        }
        Ok(())
    }

    /// The key of an object of Python.
    fn key<'t>(&self, of: &Of<'t>, item: ObjectItem<'t>, in_parentheses: bool) -> PyResult<String> {
        let mut text = String::with_capacity(item.key.span().len() as usize + ROOM);
        let place = Place { is_operand: false, in_parentheses };
        if let Some(name) = item.key_name() {
            text.push_str(name);
        } else if is_string(item.key) {
            self.string(of, item.key, false, in_parentheses, &mut text)?;
        } else if matches!(item.key.kind(), ExpressionKind::Number(digits) if !self.keeps_exponent(digits)) {
            self.text(of, item.key, place, &mut text)?;
        } else {
            self.dollar_text(of, item.key, place, &mut text)?;
        }
        Ok(text)
    }

    /// The text of an expression as a string that is an interpolation.
    fn dollar_text<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        place: Place,
        out: &mut String,
    ) -> PyResult<()> {
        let start = out.len();
        out.push_str("${");
        self.text(of, expression, place, out)?;
        if is_dollar(&out[start + 2..]) {
            out.replace_range(start..start + 2, "");
        } else {
            out.push('}');
        }
        Ok(())
    }

    /// Writes expressions with commas between them.
    fn listed<'t>(
        &self,
        of: &Of<'t>,
        expressions: impl Iterator<Item = Expression<'t>>,
        place: Place,
        out: &mut String,
    ) -> PyResult<()> {
        for (index, one) in expressions.enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            self.text(of, one, place, out)?;
        }
        Ok(())
    }

    /// Writes an expression that stands in a text.
    fn text<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        place: Place,
        out: &mut String,
    ) -> PyResult<()> {
        grown(|| {
            let kind = expression.kind();
            let is_operation = match kind {
                ExpressionKind::Binary { .. } | ExpressionKind::Conditional { .. } => true,
                ExpressionKind::Unary { .. } => !is_negative_literal(expression),
                _ => false,
            };
            let is_wrapped = is_operation
                && self.options.force_operation_parentheses
                && place.is_operand
                && !place.in_parentheses;
            out.push_str(if is_wrapped { "(" } else { "" });
            self.plain_text(of, expression, kind, place, out)?;
            out.push_str(if is_wrapped { ")" } else { "" });
            Ok(())
        })
    }

    /// Writes an expression that stands in a text, without parentheses around it.
    fn plain_text<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        kind: ExpressionKind<'t>,
        place: Place,
        out: &mut String,
    ) -> PyResult<()> {
        let inner = Place { is_operand: false, ..place };
        let operand = Place { is_operand: true, ..place };
        match kind {
            ExpressionKind::Number(digits) => self.number_text(digits, out)?,
            ExpressionKind::Text(_) | ExpressionKind::Template(_) | ExpressionKind::Interpolation(_) => {
                self.string(of, expression, true, place.in_parentheses, out)?;
            }
            ExpressionKind::Tuple(elements) => {
                out.push('[');
                self.listed(of, elements.iter(), inner, out)?;
                out.push(']');
            }
            ExpressionKind::Object(items) => {
                out.push('{');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    match item.key_name() {
                        Some(name) => out.push_str(name),
                        None => self.text(of, item.key, inner, out)?,
                    }
                    out.push_str(" = ");
                    self.text(of, item.value, inner, out)?;
                }
                out.push('}');
            }
            ExpressionKind::Traversal(path) => {
                out.push_str(path.root());
                self.steps(of, path.steps(), inner, out)?;
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                self.text(of, source, inner, out)?;
                self.steps(of, steps, inner, out)?;
            }
            ExpressionKind::Index { collection, key, .. } => {
                self.text(of, collection, inner, out)?;
                self.indexed(of, key, inner, out)?;
            }
            ExpressionKind::Splat(splat) => {
                self.text(of, splat.source, inner, out)?;
                out.push_str(if splat.kind == SplatKind::Full { "[*]" } else { ".*" });
                self.text(of, splat.each, inner, out)?;
            }
            ExpressionKind::SplatItem => {}
            ExpressionKind::Call(call) => {
                out.push_str(call.name());
                out.push('(');
                self.listed(of, call.arguments().iter(), inner, out)?;
                out.push_str(match (call.expands_final(), self.is_document) {
                    (false, _) => ")",
                    (true, false) => " ...)",
                    (true, true) => " ... )",
                });
            }
            ExpressionKind::For(one) => self.for_expression(of, one, inner, out)?,
            // One number for python-hcl2, of which zero has no sign.
            ExpressionKind::Unary { operand, .. }
                if is_negative_literal(expression)
                    && matches!(operand.kind(), ExpressionKind::Number(digits) if digits.parse() == Ok(0)) =>
            {
                out.push('0');
            }
            ExpressionKind::Unary { operator, operand: of_operator } => {
                out.push(if operator == UnaryOperator::Negate { '-' } else { '!' });
                let place = if is_negative_literal(expression) { inner } else { operand };
                self.text(of, of_operator, place, out)?;
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.text(of, left, operand, out)?;
                out.push(' ');
                out.push_str(operator.symbol());
                out.push(' ');
                self.text(of, right, operand, out)?;
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                self.text(of, condition, operand, out)?;
                out.push_str(" ? ");
                self.text(of, when_true, operand, out)?;
                out.push_str(" : ");
                self.text(of, when_false, operand, out)?;
            }
            ExpressionKind::Parentheses(within) => {
                out.push('(');
                self.text(of, within, Place { is_operand: false, in_parentheses: true }, out)?;
                out.push(')');
            }
            _ => out.push_str(expression.source_text()),
        }
        Ok(())
    }

    fn indexed<'t>(&self, of: &Of<'t>, key: Expression<'t>, place: Place, out: &mut String) -> PyResult<()> {
        out.push('[');
        self.text(of, key, place, out)?;
        out.push(']');
        Ok(())
    }

    fn steps<'t>(&self, of: &Of<'t>, steps: Steps<'t>, place: Place, out: &mut String) -> PyResult<()> {
        for step in steps.iter() {
            match step.kind {
                StepKind::Attribute(word) | StepKind::LegacyIndex(word) => {
                    out.push('.');
                    out.push_str(word);
                }
                StepKind::Index(key) => self.indexed(of, key, place, out)?,
                StepKind::InvalidLegacyIndex => {}
            }
        }
        Ok(())
    }

    fn for_expression<'t>(
        &self,
        of: &Of<'t>,
        one: ForExpression<'t>,
        place: Place,
        out: &mut String,
    ) -> PyResult<()> {
        let blank = if self.is_document { " " } else { "" };
        let operand = Place { is_operand: true, ..place };
        out.push_str(if one.key().is_some() { "{" } else { "[" });
        out.push_str(blank);
        out.push_str("for ");
        if let Some(name) = one.key_name() {
            out.push_str(name);
            out.push_str(", ");
        }
        out.push_str(one.value_name());
        out.push_str(" in ");
        self.text(of, one.collection(), place, out)?;
        out.push_str(" : ");
        if let Some(key) = one.key() {
            self.text(of, key, operand, out)?;
            out.push_str(" => ");
        }
        self.text(of, one.value(), operand, out)?;
        if one.key().is_some() && one.is_grouping() {
            out.push_str(blank);
            out.push_str("...");
            out.push_str(if one.condition().is_none() { blank } else { "" });
        }
        if let Some(condition) = one.condition() {
            out.push_str(" if ");
            self.text(of, condition, place, out)?;
        }
        out.push_str(if one.key().is_some() { "}" } else { "]" });
        Ok(())
    }

    /// A string or heredoc. `inside` says that it stands in the text of an expression, which needs its quotes.
    fn string<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        inside: bool,
        in_parentheses: bool,
        out: &mut String,
    ) -> PyResult<()> {
        let written = self.source.slice(expression.span());
        if written.starts_with("<<") {
            if self.is_document {
                // The text behind it stands on a line of its own.
                out.push_str(written.trim_end_matches(BLANKS));
                out.push('\n');
            } else {
                out.push_str(&self.heredoc(written));
            }
            return Ok(());
        }
        let strips = self.options.strip_string_quotes && !inside;
        let place = Place { is_operand: false, in_parentheses };
        if !strips && self.plain_string(of, expression, written, place, out)? {
            return Ok(());
        }
        out.push_str(if strips { "" } else { "\"" });
        let tokens = self.tokens_in(expression.span());
        let mut at = 1;
        let mut n_directives = 0_usize;
        while let Some(token) = tokens.get(at) {
            let part = self.source.slice(token.span);
            at += 1;
            match token.kind {
                TokenKind::CloseQuote => break,
                TokenKind::TemplateInterpolation => {
                    at = after_blanks(&tokens, at);
                    let Some(inner) = tokens.get(at).and_then(|token| of.at(token.span.start)) else {
                        break;
                    };
                    at = after_sequence(&tokens, inner.span().end);
                    let closing = tokens.get(at - 1).map_or("}", |token| self.source.slice(token.span));
                    if part.ends_with('~') || closing.starts_with('~') {
                        // The markers that strip blanks, which python-hcl2 does not read.
                        out.push_str(part);
                        out.push(' ');
                        self.text(of, inner, place, out)?;
                        out.push(' ');
                        out.push_str(closing);
                    } else {
                        self.dollar_text(of, inner, place, out)?;
                    }
                }
                TokenKind::TemplateControl => {
                    let word =
                        tokens.get(after_blanks(&tokens, at)).map(|token| self.source.slice(token.span));
                    match word {
                        Some("if" | "for") => n_directives += 1,
                        Some("endif" | "endfor") => n_directives = n_directives.saturating_sub(1),
                        _ => {}
                    }
                    at = self.directive(of, (&tokens, at), part, place, out)?;
                }
                // The content of a directive counts as its text, not as the string's value.
                _ if strips && n_directives == 0 => out.push_str(&unescaped_parts(part)),
                _ => out.push_str(part),
            }
        }
        out.push_str(if strips { "" } else { "\"" });
        Ok(())
    }

    /// Writes a string of literals and interpolations, its quotes with it. One with directives, strip markers or comments is
    /// left alone, and false is returned.
    fn plain_string<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        written: &str,
        place: Place,
        out: &mut String,
    ) -> PyResult<bool> {
        if let ExpressionKind::Text(_) = expression.kind() {
            out.push_str(written);
            return Ok(true);
        }
        let (parts, one) = match expression.kind() {
            ExpressionKind::Template(parts) => (Some(parts), None),
            ExpressionKind::Interpolation(inner) => (None, Some(inner)),
            _ => (None, None),
        };
        let (begun, end) = (out.len(), expression.span().end);
        let mut at = expression.span().start + 1;
        out.push('"');
        for part in parts.iter().flat_map(|parts| parts.iter()).chain(one) {
            let span = part.span();
            if span.start == at && matches!(part.kind(), ExpressionKind::Text(_)) {
                out.push_str(self.source.slice(span));
                at = span.end;
                continue;
            }
            let opening = self.source.slice(Span::new(at.min(span.start), span.start));
            let behind = self.source.slice(Span::new(span.end, end));
            let closing = behind.trim_start_matches(BLANKS);
            if opening.trim_end_matches(BLANKS) != "${" || !closing.starts_with('}') {
                out.truncate(begun);
                return Ok(false);
            }
            self.dollar_text(of, part, place, out)?;
            at = end - length(closing) + 1;
        }
        if self.source.slice(Span::new(at, end)) == "\"" {
            out.push('"');
            return Ok(true);
        }
        out.truncate(begun);
        Ok(false)
    }

    /// An expression with its collections and `for`s a line for each part.
    fn laid_out<'t>(
        &self,
        of: &Of<'t>,
        expression: Expression<'t>,
        indentation: usize,
        indent_length: usize,
    ) -> PyResult<String> {
        let inner = |one: Expression<'t>| {
            grown(|| match one.kind() {
                ExpressionKind::Binary { .. }
                | ExpressionKind::Conditional { .. }
                | ExpressionKind::Unary { .. } => self.laid_out_plain(of, one),
                _ => self.laid_out(of, one, indentation + 1, indent_length),
            })
        };
        let line = format!("\n{}", " ".repeat(indent_length * indentation));
        let last = format!("\n{}", " ".repeat(indent_length * indentation.saturating_sub(1)));
        let comma_after = |end: u32| {
            let tokens = self.tokens();
            tokens
                .get(after_blanks(tokens, token_at(tokens, end)))
                .is_some_and(|token| token.kind == TokenKind::Comma)
        };
        match expression.kind() {
            ExpressionKind::Tuple(elements) if !elements.is_empty() => {
                let mut text = "[".to_owned();
                for element in elements.iter() {
                    let comma = if comma_after(element.span().end) { "," } else { "" };
                    text.push_str(&format!("{line}{}{comma}", inner(element)?));
                }
                Ok(format!("{text}{last}]"))
            }
            ExpressionKind::Object(items) if !items.is_empty() => {
                let place = Place { is_operand: false, in_parentheses: false };
                let keys = items.iter().map(|item| match item.key_name() {
                    Some(name) => Ok(name.to_owned()),
                    None => {
                        let mut text = String::new();
                        self.text(of, item.key, place, &mut text)?;
                        Ok(text)
                    }
                });
                let keys = keys.collect::<PyResult<Vec<_>>>()?;
                let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
                let mut text = "{".to_owned();
                for (item, key) in items.iter().zip(keys) {
                    let comma = if comma_after(item.value.span().end) { "," } else { "" };
                    let between = self.source.slice(Span::new(item.key.span().end, item.value.span().start));
                    let pad = " ".repeat(width - key.chars().count());
                    let sign = if between.contains(':') { format!("{pad} :") } else { format!("{pad} =") };
                    text.push_str(&format!("{line}{key}{sign} {}{comma}", inner(item.value)?));
                }
                Ok(format!("{text}{last}}}"))
            }
            ExpressionKind::For(one) => {
                let key_name = one.key_name().map(|name| format!("{name}, ")).unwrap_or_default();
                let intro = format!("for {key_name}{} in {} :", one.value_name(), inner(one.collection())?);
                let condition = match one.condition() {
                    Some(condition) => format!("{line}if {}", inner(condition)?),
                    None => String::new(),
                };
                let value = inner(one.value())?;
                Ok(match one.key() {
                    Some(key) => {
                        let grouping = if one.is_grouping() { " ..." } else { "" };
                        format!(
                            "{{{line}{intro}{line}{} => {value}{grouping}{condition}{last}}}",
                            inner(key)?
                        )
                    }
                    None => format!("[{line}{intro}{line}{value}{condition}{last}]"),
                })
            }
            ExpressionKind::Call(call) => {
                let arguments = call.arguments().iter().map(|argument| match argument.kind() {
                    ExpressionKind::Binary { .. }
                    | ExpressionKind::Conditional { .. }
                    | ExpressionKind::Unary { .. } => self.laid_out_plain(of, argument),
                    _ => grown(|| self.laid_out(of, argument, indentation, indent_length)),
                });
                let arguments = arguments.collect::<PyResult<Vec<_>>>()?.join(", ");
                Ok(format!("{}({arguments}{})", call.name(), if call.expands_final() { " ... " } else { "" }))
            }
            ExpressionKind::Parentheses(one) => match one.kind() {
                ExpressionKind::Binary { .. }
                | ExpressionKind::Conditional { .. }
                | ExpressionKind::Unary { .. } => Ok(format!("({})", self.laid_out_plain(of, one)?)),
                _ => Ok(format!("({})", grown(|| self.laid_out(of, one, indentation, indent_length))?)),
            },
            _ => self.laid_out_plain(of, expression),
        }
    }

    fn laid_out_plain<'t>(&self, of: &Of<'t>, expression: Expression<'t>) -> PyResult<String> {
        let mut text = String::new();
        self.text(of, expression, Place { is_operand: false, in_parentheses: false }, &mut text)?;
        Ok(text)
    }

    /// Writes the directive whose opening stands before one of the tokens; gives the token behind it.
    fn directive<'t>(
        &self,
        of: &Of<'t>,
        (tokens, at): (&[Token], usize),
        opening: &str,
        place: Place,
        text: &mut String,
    ) -> PyResult<usize> {
        let mut at = after_blanks(tokens, at);
        let mut words = Vec::new();
        let mut inner = None;
        while let Some(token) = tokens.get(at) {
            let word = self.source.slice(token.span);
            let takes_expression = match words.first() {
                Some(&"if") => words.len() == 1,
                Some(&"for") => words.last() == Some(&"in") && words.len() > 2,
                _ => false,
            };
            if takes_expression {
                inner = of.at(token.span.start);
                break;
            }
            if token.kind == TokenKind::TemplateSequenceEnd {
                break;
            }
            words.push(word);
            at = after_blanks(tokens, at + 1);
        }
        let after = match inner {
            Some(inner) => after_sequence(tokens, inner.span().end),
            None => at + 1,
        };
        let closing = tokens.get(after - 1).map_or("}", |token| self.source.slice(token.span));
        text.push_str(if opening.ends_with('~') { "%{~ " } else { "%{ " });
        text.push_str(&words.join(" ").replace(" ,", ","));
        if let Some(inner) = inner {
            text.push(' ');
            self.text(of, inner, place, text)?;
        }
        text.push_str(if closing.starts_with('~') { " ~}" } else { " }" });
        Ok(after)
    }

    fn heredoc(&self, written: &str) -> String {
        let options = self.options;
        let quoted =
            |text: &str| if options.strip_string_quotes { text.to_owned() } else { format!("\"{text}\"") };
        let whole = written.trim_end_matches(['\r', '\n', '\t', ' ']);
        if options.preserve_heredocs {
            return quoted(whole);
        }
        let is_flush = whole.starts_with("<<-");
        let opener = whole.find('\n').unwrap_or(whole.len());
        let marker = whole[..opener].trim_start_matches(['<', '-']).trim();
        let content = whole.get(opener + 1..).unwrap_or_default();
        let content = content.strip_suffix(marker).unwrap_or(content).trim_end_matches([' ', '\t']);
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').filter(|_| is_crlf(whole)).unwrap_or(content);
        let mut lines: Vec<&str> = content.split('\n').collect();
        if is_flush {
            let filled = lines.iter().filter(|line| !line.trim().is_empty());
            let indentation =
                filled.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
            lines = lines.into_iter().map(|line| line.get(indentation..).unwrap_or_default()).collect();
        }
        let text = lines.join("\n");
        if options.strip_string_quotes && !is_flush {
            return text;
        }
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        if options.strip_string_quotes { text } else { format!("\"{}\"", text.replace('\n', "\\n")) }
    }
}

/// True for a string or heredoc.
fn is_string(expression: Expression<'_>) -> bool {
    matches!(
        expression.kind(),
        ExpressionKind::Text(_) | ExpressionKind::Template(_) | ExpressionKind::Interpolation(_)
    )
}

fn is_crlf(text: &str) -> bool {
    text.contains("\r\n")
}

/// The blanks between the braces of an interpolation and its expression.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The length of a part of a text, which has less than 4 GiB.
fn length(part: &str) -> u32 {
    u32::try_from(part.len()).unwrap_or(u32::MAX)
}

/// The text of a comment, or of a newline with the indentation behind it.
fn blank<'s>(source: &'s Source, token: &Token) -> &'s str {
    let text = source.slice(token.span);
    if token.kind == TokenKind::Comment {
        return text;
    }
    let rest = source.slice(Span::new(token.span.start, source.span().end));
    let indentation = rest[text.len()..].bytes().take_while(|byte| b" \t".contains(byte)).count();
    &rest[..text.len() + indentation]
}

/// The first token at or behind an offset.
fn token_at(tokens: &[Token], offset: u32) -> usize {
    tokens.partition_point(|token| token.span.start < offset)
}

fn after_blanks(tokens: &[Token], mut at: usize) -> usize {
    while tokens.get(at).is_some_and(is_blank) {
        at += 1;
    }
    at
}

/// The token behind the end of the sequence whose expression ends at an offset.
fn after_sequence(tokens: &[Token], end: u32) -> usize {
    let mut at = token_at(tokens, end);
    while tokens.get(at).is_some_and(|token| token.kind != TokenKind::TemplateSequenceEnd) {
        at += 1;
    }
    at + 1
}

/// The comments, and the newlines with the indentation behind them, of a text between two items, which has nothing else.
fn blanks(gap: &str) -> String {
    let mut run = String::with_capacity(gap.len());
    let mut rest = gap;
    while let Some(first) = rest.chars().next() {
        let after =
            |start: usize, end: &str| rest[start..].find(end).map_or(rest.len(), |at| start + at + end.len());
        let taken = match first {
            '/' if rest.starts_with("/*") => after(2, "*/"),
            '#' | '/' => after(0, "\n"),
            // Between comments python-hcl2 has the newline alone.
            '\r' if rest.starts_with("\r\n") => {
                rest = &rest[1..];
                continue;
            }
            '\n' | '\r' => 1 + rest[1..].bytes().take_while(|byte| b" \t".contains(byte)).count(),
            other => {
                rest = &rest[other.len_utf8()..];
                continue;
            }
        };
        run.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    run
}

fn is_blank(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Comment | TokenKind::Newline)
}

/// True for what python-hcl2 reads as one negative number: a minus right before a fraction, or before two digits.
fn is_negative_literal(expression: Expression<'_>) -> bool {
    let digits = expression.source_text().strip_prefix('-').unwrap_or_default();
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    is_number
        && digits.len() > 1
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(&byte))
}

/// If what follows the expression belongs to an operation at its end: whether that is all of the expression.
fn absorber(expression: Expression<'_>) -> Option<bool> {
    let mut at = expression;
    let mut is_whole = true;
    loop {
        match at.kind() {
            ExpressionKind::Binary { right, .. } if matches!(right.kind(), ExpressionKind::Binary { .. }) => {
                at = right
            }
            ExpressionKind::Binary { .. } => return Some(is_whole),
            ExpressionKind::Conditional { when_false, .. } => at = when_false,
            _ => return None,
        }
        is_whole = false;
    }
}

/// The comments of a run of newlines and comments.
fn list(run: &str, found: &mut Vec<String>) {
    let stripped = run.trim();
    if let Some(inner) = stripped.strip_prefix("/*").and_then(|inner| inner.strip_suffix("*/")) {
        let text = inner.trim();
        if !text.is_empty() {
            found.push(text.to_owned());
        }
        return;
    }
    for line in run.split('\n') {
        let line = line.trim();
        let line = line.strip_prefix("//").or_else(|| line.strip_prefix('#')).unwrap_or(line);
        if !line.is_empty() {
            found.push(line.trim().to_owned());
        }
    }
}

/// The literal of a string, unescaped but for `$${…}` and `%%{…}`.
fn unescaped_parts(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = [rest.find("$${"), rest.find("%%{")].into_iter().flatten().min() {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        unescape(&rest[..at], &mut out);
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    unescape(rest, &mut out);
    out
}

fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(kind) = rest.chars().next() else {
            out.push('\\');
            return;
        };
        let after = &rest[kind.len_utf8()..];
        let digits = match kind {
            'u' => after.get(..4),
            'U' => after.get(..8),
            _ => None,
        };
        let code = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = code
            .and_then(|digits| Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, digits.len())));
        match (kind, code) {
            (_, Some((decoded, len))) => {
                out.push(decoded);
                rest = &after[len..];
                continue;
            }
            ('n', _) => out.push('\n'),
            ('r', _) => out.push('\r'),
            ('t', _) => out.push('\t'),
            ('"' | '\\', _) => out.push(kind),
            _ => {
                out.push('\\');
                out.push(kind);
            }
        }
        rest = after;
    }
    out.push_str(rest);
}
