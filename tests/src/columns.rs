//! The columns of the products: which functions they have, and how these are called.
//!
//! `conformance/functions.tsv` states facts about the products; the tables of the dialects are held against it.

use hcl_eval::function::{Function, Parameter};

/// A function as some products have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name.
    pub name: String,
    /// `name:type` with flags, separated by `, `.
    pub parameters: String,
    /// The parameter for all further arguments, in the same form.
    pub variadic: String,
    /// The result type; `any` when it depends on the arguments.
    pub returns: String,
    /// The capability that it asks the host for; empty for a pure function.
    pub asks: String,
    /// The dialects that have it in this form.
    pub products: Vec<String>,
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let lines = include_str!("../conformance/functions.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(Row::read).collect()
}

impl Row {
    fn read(line: &str) -> Self {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut cell = || cells.next().unwrap_or_default();
        let row = Self {
            name: cell(),
            parameters: cell(),
            variadic: cell(),
            returns: cell(),
            asks: cell(),
            products: cell().split_whitespace().map(str::to_owned).collect(),
        };
        assert!(!row.products.is_empty(), "functions.tsv: {line:?} has too few cells");
        row
    }

    /// Makes the row about `function`.
    pub fn of(function: &Function, like: &Self) -> Self {
        let parameters: Vec<_> = function.parameters().iter().map(parameter_text).collect();
        Self {
            name: like.name.clone(),
            parameters: parameters.join(", "),
            variadic: function.variadic_parameter().map(parameter_text).unwrap_or_default(),
            returns: function.declared_result().to_type_text(),
            asks: asks(function),
            products: like.products.clone(),
        }
    }

    /// Returns whether a product has the function.
    pub fn is_in(&self, product: &str) -> bool {
        self.products.iter().any(|known| known == product)
    }

    /// All but the products, on one line.
    pub fn signature(&self) -> String {
        let Self { name, parameters, variadic, returns, asks, .. } = self;
        format!("{name} | {parameters} | {variadic} | {returns} | {asks}")
    }
}

fn asks(function: &Function) -> String {
    match function.needed_capability() {
        Some(capability) => capability.as_str().to_owned(),
        None if function.is_pure() => String::new(),
        None => "impure".to_owned(),
    }
}

fn parameter_text(parameter: &Parameter) -> String {
    let mut text = format!("{}:{}", parameter.name, parameter.type_text());
    if parameter.allow_null {
        text.push('?');
    }
    if parameter.allow_unknown {
        text.push('~');
    }
    if parameter.allow_marked {
        text.push('^');
    }
    text
}
