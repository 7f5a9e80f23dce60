//! hcl-rs, with each attribute of `var` as a variable of its own, because it copies a whole variable
//! whenever it is used.

use std::hint::black_box;

use hcl_rs::eval::{Context, Evaluate as _};

use super::hcl_rs_functions;
use crate::context::{self, Datum};

/// The context; text is prepared by [`HclRs::prepare`].
pub(crate) struct HclRs(Context<'static>);

impl HclRs {
    pub(crate) fn new() -> Self {
        let mut context = Context::new();
        for (name, datum) in context::variables() {
            context.declare_var(name, value(datum));
        }
        hcl_rs_functions::declare(&mut context);
        Self(context)
    }

    /// The text as it has to be written here, and what becomes of it, if hcl-rs can.
    pub(crate) fn prepare(&self, text: &str) -> Option<(String, hcl_rs::Expression)> {
        let text = text.replace("var.", "");
        let expression: hcl_rs::Expression = text.parse().ok()?;
        expression.evaluate(&self.0).ok()?;
        Some((text, expression))
    }

    pub(crate) fn evaluate(&self, expression: &hcl_rs::Expression) -> hcl_rs::Value {
        black_box(expression.evaluate(&self.0).expect("it went well once"))
    }

    /// The answer.
    pub(crate) fn value(&self, expression: &hcl_rs::Expression) -> Option<serde_json::Value> {
        serde_json::to_value(self.evaluate(expression)).ok()
    }
}

fn value(datum: Datum) -> hcl_rs::Value {
    match datum {
        Datum::Bool(bool) => bool.into(),
        Datum::Int(int) => int.into(),
        Datum::Text(text) => text.into(),
        Datum::List(elements) => hcl_rs::Value::Array(elements.into_iter().map(value).collect()),
        Datum::Object(fields) => {
            hcl_rs::Value::Object(fields.into_iter().map(|(name, datum)| (name, value(datum))).collect())
        }
    }
}
