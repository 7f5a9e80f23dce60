//! `hcl functions`: the function library of a dialect, and all there is to know about one function.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use hcl_eval::dialect::{self, PRODUCTS, Profile, profiles};
use hcl_eval::host::Capability;
use hcl_eval::reference::{self, Entry};
use hcl_syntax::diagnostic::suggest::nearest;

use crate::args::{Dialect, FunctionsArguments};
use crate::functions_json;
use crate::output::{Failure, Outcome, print, print_exactly};
use crate::scope;

/// Runs the verb.
///
/// # Errors
/// No dialect has a function of that name, or nothing can be written.
pub fn run(arguments: &FunctionsArguments) -> Result<Outcome, Failure> {
    if arguments.names.is_empty() {
        let dialect = arguments.dialect.unwrap_or(Dialect::TERRAFORM);
        let text = if arguments.json { functions_json::library(dialect) } else { library(dialect) };
        print(text.trim_end())?;
        return Ok(Outcome::Success);
    }
    let pages = arguments.names.iter().map(|name| Page::find(name, arguments.dialect));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print(&functions_json::pages(&pages))?;
    } else {
        let texts: Vec<String> = pages.iter().map(Page::to_string).collect();
        print_exactly(&texts.join("\n"))?;
    }
    Ok(Outcome::Success)
}

/// The releases of products since which a function exists, for those that have releases.
pub fn since(name: &str, products: &[&'static str]) -> Vec<(&'static str, String)> {
    let of = |product: &&'static str| Some((*product, dialect::since(dialect::product(product)?, name)?));
    products.iter().filter_map(of).collect()
}

/// A product with the release since which it has a function, if that is known.
fn with_release(product: &'static str, name: &str) -> String {
    let title = product_name(product);
    match since(name, &[product]).first() {
        Some((_, release)) => format!("{title} (since {release})"),
        None => title.into_owned(),
    }
}

/// Every function of a dialect: its signature, and below what it does and since when it exists. A namespace in which all of
/// them are found a second time is left out.
fn library(dialect: Dialect) -> String {
    let mut text = String::new();
    for (name, function) in scope::functions(dialect).iter().filter(|(name, _)| !name.starts_with("core::")) {
        let since = since(name, &[dialect.name()]).pop().map(|(_, release)| format!(" Since {release}."));
        let (description, since) = (function.description(), since.unwrap_or_default());
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\n    {description}{since}", function.signature_as(name));
    }
    text
}

/// All there is to know about a name.
#[derive(Debug)]
pub struct Page {
    /// The name.
    pub name: String,
    /// The meanings of the name, each with its products.
    pub profiles: Vec<Profile>,
    /// The title of the topic that it belongs to.
    pub topic: &'static str,
    /// Notes and examples.
    pub entry: Entry<'static>,
}

impl Page {
    /// The page of a name; the meanings of one dialect only, if one is given.
    ///
    /// # Errors
    /// There is no such function.
    pub fn find(name: &str, only: Option<Dialect>) -> Result<Self, Failure> {
        let name = name.strip_prefix("core::").unwrap_or(name);
        let mut profiles = profiles(name);
        if let Some(only) = only {
            profiles.retain(|profile| profile.products.contains(&only.name()));
            // An older release counts by itself.
            let is_older = !PRODUCTS.contains(&only.name());
            let table = is_older.then(|| scope::functions(only));
            if let Some(function) = table.as_ref().and_then(|table| table.get(name)) {
                profiles = vec![Profile { products: vec![only.name()], function: Arc::clone(function) }];
            }
        }
        if profiles.is_empty() {
            return Err(unknown(name, only));
        }
        let nothing = ("", Entry { name: "", notes: "", examples: Vec::new() });
        let (topic, entry) = reference::entry(name).unwrap_or(nothing);
        Ok(Self { name: name.to_owned(), profiles, topic, entry })
    }
}

/// The error about a name that is no function: since when the dialect will have it, or the nearest name.
fn unknown(name: &str, only: Option<Dialect>) -> Failure {
    let tables: Vec<_> = match only {
        Some(dialect) => vec![scope::functions(dialect)],
        None => PRODUCTS.iter().filter_map(|product| dialect::by_name(product)).collect(),
    };
    let place =
        only.map_or("no dialect has".to_owned(), |dialect| format!("{} does not have", dialect.name()));
    if let Some(reason) = tables.iter().find_map(|table| table.later(name)) {
        return Failure::Usage(format!("{place} a function named {name:?}: {reason}"));
    }
    let similar = nearest(name, tables.iter().flat_map(|table| table.names()));
    let hint = similar.map_or(String::new(), |similar| format!("; did you mean {similar:?}?"));
    Failure::Usage(format!("{place} a function named {name:?}{hint}"))
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for profile in &self.profiles {
            write_profile(&self.name, profile, f)?;
            writeln!(f)?;
        }
        if !self.entry.notes.is_empty() {
            writeln!(f, "{}\n", without_links(self.entry.notes))?;
        }
        let mut dialect = None;
        for example in &self.entry.examples {
            if dialect != Some(example.dialect) {
                let place =
                    example.dialect.map_or(String::new(), |name| format!(" in {}", product_name(name)));
                writeln!(f, "Examples{place}:")?;
                dialect = Some(example.dialect);
            }
            writeln!(f, "  > {}", example.input)?;
            for line in example.output.lines() {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }
}

/// Markdown with links to other pages as their texts.
fn without_links(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(open) = out.rfind('[') {
            out.remove(open);
        }
        out.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    out
}

/// Writes one meaning of a name: signature, description, parameters, products.
fn write_profile(name: &str, profile: &Profile, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let function = &profile.function;
    writeln!(f, "{}\n\n{}\n", function.signature(), function.description())?;
    let width = function.all_parameters().map(|parameter| parameter.name.chars().count()).max().unwrap_or(0);
    for parameter in function.all_parameters() {
        writeln!(f, "  {:width$}  {}", parameter.name, parameter.description)?;
    }
    let products: Vec<_> = profile.products.iter().map(|product| with_release(product, name)).collect();
    writeln!(f, "{}In: {}", if width > 0 { "\n" } else { "" }, products.join(", "))?;
    if let Some(capability) = function.needed_capability() {
        writeln!(f, "Asks for {}: --allow {}", asked_for(capability), capability.as_str())?;
    }
    Ok(())
}

/// How a product writes its name.
pub fn product_name(dialect: &str) -> Cow<'_, str> {
    let title = dialect::product(dialect).and_then(dialect::title);
    match (title, dialect.split_once('-')) {
        (Some(title), Some((_, release))) => format!("{title} {release}").into(),
        (Some(title), None) => title.into(),
        (None, _) if dialect == "packer-defaults" => "the defaults of Packer's variables".into(),
        (None, _) => dialect.into(),
    }
}

/// Says in words what a function asks the host for.
pub fn asked_for(capability: Capability) -> &'static str {
    match capability {
        Capability::Files => "the file system",
        Capability::Environment => "the environment",
        Capability::Clock => "the time",
        Capability::Random => "random numbers",
        Capability::Network => "a remote store",
        _ => "the outside world",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_texts() {
        assert_eq!(without_links("as [a](a.md) and [b](b.md) do, [0]"), "as a and b do, [0]");
        assert_eq!(without_links("none"), "none");
    }
}
