//! libhcl.

use std::hint::black_box;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::{Str, Value};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;

use crate::context::Datum;

/// A scope with Terraform's functions and one variable, `var`.
#[derive(Debug)]
pub(crate) struct Ours {
    scope: Arc<Scope>,
    slot: usize,
    value: Value,
}

impl Ours {
    /// An engine with that value as `var`.
    pub(crate) fn new(value: Value) -> Self {
        let functions = dialect::by_name("terraform").expect("the dialect is built in");
        let mut scope = Scope::builder().functions(functions);
        let slot = scope.slot("var");
        Self { scope: scope.build(), slot, value }
    }

    /// The values of variables.
    pub(crate) fn frame(&self) -> Frame {
        let mut frame = Frame::new(&self.scope);
        frame.set(self.slot, Some(self.value.clone()));
        frame
    }

    /// Text to tree.
    pub(crate) fn parse(text: &str) -> ParsedExpression {
        let source = Source::new("expression", text).expect("expressions are short");
        let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        parsed
    }

    /// Text to program.
    pub(crate) fn compile(&self, text: &str) -> Program {
        let parsed = Self::parse(text);
        let id = parsed.expression().id();
        let options = CompileOptions::default();
        let (program, diagnostics) =
            Program::compile(parsed.into_tree(), id, Arc::clone(&self.scope), &options);
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        program
    }

    /// Evaluates a tree without compiling it.
    pub(crate) fn evaluate_once(&self, parsed: &ParsedExpression, frame: &Frame) -> Value {
        let options = EvalOptions { frame: Some(frame), ..EvalOptions::default() };
        let (value, diagnostics) = evaluate(parsed.expression(), Some(&self.scope), &options);
        assert!(diagnostics.is_empty(), "{}", diagnostics[0].summary);
        black_box(value)
    }

    /// The answer; both ways of evaluating must give the same.
    pub(crate) fn value(&self, text: &str) -> serde_json::Value {
        let mut frame = self.frame();
        let (compiled, diagnostics) = self.compile(text).evaluate(&mut frame);
        assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0].summary);
        let value = self.evaluate_once(&Self::parse(text), &frame);
        assert!(value.is_wholly_known() && compiled.raw_equals(&value), "{text}: two answers");
        let json = value.to_json().expect("known values have JSON");
        serde_json::from_str(&json).expect("it is JSON")
    }
}

/// Objects and tuples, as decoding JSON without a type makes them.
pub(crate) fn value(datum: Datum) -> Value {
    match datum {
        Datum::Bool(bool) => Value::bool(bool),
        Datum::Int(int) => Value::int(int),
        Datum::Text(text) => Value::string(text),
        Datum::List(elements) => Value::tuple(elements.into_iter().map(value).collect()),
        Datum::Object(fields) => {
            Value::object(fields.into_iter().map(|(name, datum)| (Str::from(name), value(datum))).collect())
        }
    }
}
