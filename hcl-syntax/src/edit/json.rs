//! Places that an address names in JSON syntax, where only a schema tells blocks from values: steps go into objects and arrays.

use super::address::{Address, AddressStep};
use super::error;
use crate::diagnostic::Error;
use crate::json::{JsonFile, JsonProperty, JsonValue};
use crate::source::Span;

/// A place of a JSON text that an address names.
///
/// ```
/// use hcl_syntax::edit::find_in_json;
/// use hcl_syntax::json::JsonFile;
///
/// let file = JsonFile::parse("main.hcl.json", r#"{"service": [{"web": {"port": 80}}, {"db": {}}]}"#)?;
/// let found = find_in_json(&file, &"service.web.port".parse()?)?;
/// assert_eq!(file.source().slice(found[0].span()), r#""port": 80"#);
/// assert_eq!(find_in_json(&file, &"service.*".parse()?)?.len(), 2);
/// assert_eq!(file.source().slice(find_in_json(&file, &"service[1]".parse()?)?[0].span()), r#"{"db": {}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub enum FoundInJson<'t> {
    /// A property of an object.
    Property(JsonProperty<'t>),
    /// An element of an array.
    Element(JsonValue<'t>),
}

impl<'t> FoundInJson<'t> {
    /// All of it: of a property from the name to the end of the value.
    pub fn span(self) -> Span {
        match self {
            Self::Property(property) => property.span(),
            Self::Element(element) => element.span(),
        }
    }

    /// Its value.
    pub fn value(self) -> JsonValue<'t> {
        match self {
            Self::Property(property) => property.value(),
            Self::Element(element) => element,
        }
    }
}

/// Everything that an address names in a JSON text, in the order written. A name stands for a property of an object, and
/// of each object in an array, as several blocks of a type are written; an index for an element; `*` for any property.
///
/// # Errors
/// It names nothing.
///
/// ```
/// use hcl_syntax::edit::find_in_json;
/// use hcl_syntax::json::JsonFile;
///
/// let file = JsonFile::parse("main.tf.json", r#"{"server": {"web": {"port": 8080}}}"#)?;
/// let found = find_in_json(&file, &"server.web.port".parse()?)?;
/// assert_eq!(file.source().slice(found[0].value().span()), "8080");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn find_in_json<'t>(file: &'t JsonFile, address: &Address) -> Result<Vec<FoundInJson<'t>>, Error> {
    let mut values = vec![file.root()];
    let mut found = Vec::new();
    for (n_steps, step) in address.steps.iter().enumerate() {
        found = values.iter().flat_map(|value| entered(*value, step)).collect();
        if found.is_empty() {
            let names: Vec<&str> = values
                .into_iter()
                .flat_map(objects)
                .flat_map(JsonValue::properties)
                .map(JsonProperty::name)
                .collect();
            return Err(error::not_found(file.source(), address, n_steps, &names).into());
        }
        values = found.iter().map(|one| one.value()).collect();
    }
    Ok(found)
}

/// The objects that a name is looked for in: the value, or the elements of an array.
fn objects(value: JsonValue<'_>) -> impl Iterator<Item = JsonValue<'_>> {
    std::iter::once(value).chain(value.elements())
}

fn entered<'t>(value: JsonValue<'t>, step: &AddressStep) -> Vec<FoundInJson<'t>> {
    if let AddressStep::Index(index) = step {
        return value.elements().nth(*index).map(FoundInJson::Element).into_iter().collect();
    }
    let properties = objects(value).flat_map(JsonValue::properties);
    properties.filter(|property| step.matches(property.name())).map(FoundInJson::Property).collect()
}
