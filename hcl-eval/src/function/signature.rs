//! Signatures: how a function is called, as text for people and for completion.

use std::fmt::{self, Display, Write as _};

use super::{Function, Parameter};
use crate::limits::Limits;
use crate::types::Type;
use crate::value::Value;

impl Parameter {
    /// The type as a type expression; `any` where there is no constraint.
    pub fn type_text(&self) -> String {
        self.ty.to_type_text()
    }
}

impl Function {
    /// The result type as far as it is the same for all calls: `any` where it depends on the arguments.
    pub fn declared_result(&self) -> Type {
        let unknown = |parameter: &Parameter| Value::unknown(parameter.ty.clone());
        let arguments: Vec<Value> = self.all_parameters().map(unknown).collect();
        self.result_type(&arguments, &Limits::default()).unwrap_or(Type::Dynamic)
    }

    /// How the function is called under its own name, for example
    /// `join(separator: string, lists: list(string)...) -> string`.
    pub fn signature(&self) -> String {
        self.signature_as(self.name())
    }

    /// Returns the signature under another name.
    pub fn signature_as(&self, name: &str) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write_signature(name, &mut text);
        text
    }

    fn write_signature(&self, name: &str, out: &mut String) -> fmt::Result {
        write!(out, "{name}(")?;
        for (position, parameter) in self.parameters().iter().enumerate() {
            write!(out, "{}{}", separator(position), Named(parameter))?;
        }
        if let Some(parameter) = self.variadic_parameter() {
            write!(out, "{}{}...", separator(self.parameters().len()), Named(parameter))?;
        }
        write!(out, ") -> {}", self.declared_result().to_type_text())
    }
}

fn separator(position: usize) -> &'static str {
    if position == 0 { "" } else { ", " }
}

/// A parameter with its type.
struct Named<'a>(&'a Parameter);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.name, self.0.type_text())
    }
}
