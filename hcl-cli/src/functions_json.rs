//! The output of `hcl functions --json`.
//!
//! The shape is that of `terraform metadata functions -json`, which editors read; what it does not say stands
//! in keys of our own: whether a function is pure, what it needs, the products, notes and examples.

use std::collections::BTreeMap;

use hcl_eval::function::{Function, Parameter};
use hcl_eval::reference::Example;
use hcl_eval::types::Type;
use hcl_eval::value::json::type_to_json;
use serde::Serialize;

use crate::answer::{Json, raw, to_json};
use crate::args::Dialect;
use crate::functions::{Page, since};
use crate::scope;

/// The outermost object.
#[derive(Serialize)]
struct Document<T> {
    format_version: &'static str,
    function_signatures: T,
}

impl<T: Serialize> Document<T> {
    /// The document as a text. The version is that of the format that editors know.
    fn text(function_signatures: T) -> String {
        to_json(&Self { format_version: "1.0", function_signatures })
    }
}

/// A function as Terraform describes one.
#[derive(Serialize)]
struct Signature {
    description: String,
    return_type: Json,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<Argument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variadic_parameter: Option<Argument>,
    signature: String,
    pure: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

/// A parameter as Terraform describes one.
#[derive(Serialize)]
struct Argument {
    name: String,
    description: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_nullable: bool,
    #[serde(rename = "type")]
    ty: Json,
}

/// A meaning of a name with what else there is to know.
#[derive(Serialize)]
struct Meaning<'a> {
    #[serde(flatten)]
    signature: Signature,
    products: &'a [&'static str],
    /// The releases of products that first had it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    since: BTreeMap<&'static str, String>,
}

/// All there is to know about a name.
#[derive(Serialize)]
struct Full<'a> {
    topic: &'a str,
    notes: &'a str,
    examples: Vec<Shown<'a>>,
    meanings: Vec<Meaning<'a>>,
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'a str>,
    input: &'a str,
    output: &'a str,
}

impl Signature {
    /// The description of a function under a name.
    fn of(name: &str, function: &Function) -> Self {
        Self {
            description: function.description().to_owned(),
            return_type: type_json(&function.declared_result()),
            parameters: function.parameters().iter().map(Argument::of).collect(),
            variadic_parameter: function.variadic_parameter().map(Argument::of),
            signature: function.signature_as(name),
            pure: function.is_pure(),
            needs: function.needed_capability().map(hcl_eval::host::Capability::as_str),
        }
    }
}

impl Argument {
    /// The description of a parameter.
    fn of(parameter: &Parameter) -> Self {
        Self {
            name: parameter.name.to_string(),
            description: parameter.description.clone().into_owned(),
            is_nullable: parameter.allow_null,
            ty: type_json(&parameter.ty),
        }
    }
}

/// A type as JSON; `"dynamic"` stands for any, and for what JSON has no word for.
fn type_json(ty: &Type) -> Json {
    raw(type_to_json(ty).unwrap_or_else(|_| "\"dynamic\"".to_owned()))
}

/// Every function of a dialect.
pub fn library(dialect: Dialect) -> String {
    let table = scope::functions(dialect);
    let signatures: BTreeMap<_, _> =
        table.iter().map(|(name, function)| (name, Signature::of(name, function))).collect();
    Document::text(signatures)
}

/// All there is to know about some functions.
pub fn pages(pages: &[Page]) -> String {
    let full: BTreeMap<_, _> = pages.iter().map(|page| (page.name.as_str(), full(page))).collect();
    Document::text(full)
}

/// A page as JSON.
fn full(page: &Page) -> Full<'_> {
    let meanings = page.profiles.iter().map(|profile| Meaning {
        signature: Signature::of(&page.name, &profile.function),
        products: &profile.products,
        since: since(&page.name, &profile.products).into_iter().collect(),
    });
    let shown = |example: &Example<'static>| Shown {
        dialect: example.dialect,
        input: example.input,
        output: example.output,
    };
    Full {
        topic: page.topic,
        notes: page.entry.notes,
        examples: page.entry.examples.iter().map(shown).collect(),
        meanings: meanings.collect(),
    }
}
