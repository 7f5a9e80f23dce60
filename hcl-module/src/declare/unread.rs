//! `moved`, `removed` and `import` blocks, which give no values. Their addresses are read as they are written.

use std::fmt::Write as _;

use hcl_syntax::config::{ConfigExpression, Content, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::schema::BodySchema;

use super::provisioner::Provisioners;
use super::written::{Part, Parts, Written};
use super::{Mode, Reader};
use crate::place::Place;
use crate::resource_values::Key;

/// A block without a value.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    /// `moved`, `removed` or `import`.
    pub(crate) block_type: String,
    pub(crate) place: Place,
    /// The expressions in it that are evaluated some time.
    pub(crate) expressions: Vec<ConfigExpression>,
    /// The target of an `import` block whose address holds nothing to evaluate.
    pub(crate) target: Option<ImportTarget>,
}

/// The target of an `import` block.
#[derive(Clone, Debug)]
pub(crate) struct ImportTarget {
    /// The address as a whole, in one form whatever the form it was written in.
    pub(crate) address: String,
    /// The address of the resource, without the keys of instances.
    pub(crate) resource: String,
    pub(crate) place: Place,
}

/// The error in an address: the title of the complaint and its place. An address that ends behind a word for a
/// mode has none, as in the products.
struct WrongAddress {
    title: &'static str,
    place: Option<Place>,
}

impl Parts<'_> {
    /// Takes an index that is next; wrong if it is the key of no instance. Gives whether there was one.
    fn instance_key(&mut self, title: &'static str) -> Result<bool, WrongAddress> {
        match self.peek() {
            Some(Part::Key(None)) => Err(self.wrong(title)),
            Some(Part::Key(Some(_))) => {
                self.at += 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn has_two_names(&self) -> bool {
        matches!(self.written.parts.get(self.at..self.at + 2), Some([Part::Name(_), Part::Name(_)]))
    }

    /// The complaint about the next part, or the last if there is no other.
    fn wrong(&self, title: &'static str) -> WrongAddress {
        let last = self.written.parts.len().saturating_sub(1);
        WrongAddress { title, place: self.written.place(self.at.min(last)) }
    }

    /// Takes `module.NAME[KEY]` as often as it comes next. Gives how often, and the place of the first key.
    fn modules(&mut self, wrong_key: &'static str) -> Result<(usize, Option<Place>), WrongAddress> {
        const TITLE: &str = "Invalid address operator";
        let (mut n_modules, mut first_key) = (0, None);
        while self.next_is("module") {
            if self.name().is_none() {
                return Err(self.wrong(TITLE));
            }
            n_modules += 1;
            let key = self.at;
            if self.instance_key(wrong_key)? && first_key.is_none() {
                first_key = self.written.place(key);
            }
        }
        if n_modules > 0 && self.is_key() { Err(self.wrong(TITLE)) } else { Ok((n_modules, first_key)) }
    }

    /// Takes `[MODE.]TYPE.NAME[KEY]` to the end.
    fn resource(&mut self) -> Result<Mode, WrongAddress> {
        const TITLE: &str = "Invalid address";
        let modes = [("data", Mode::Data), ("ephemeral", Mode::Ephemeral), ("resource", Mode::Managed)];
        let mode = modes.into_iter().find(|(word, _)| self.next_is(word)).map(|(_, mode)| mode);
        let rest = self.written.place_from(self.at);
        if mode.is_some() && self.is_done() {
            return Err(WrongAddress { title: TITLE, place: None });
        }
        let is_reserved = mode.is_none()
            && matches!(self.peek(), Some(Part::Name(word)) if RESERVED.contains(&word.as_str()));
        if is_reserved || self.written.parts.len() < self.at + 2 {
            return Err(WrongAddress { title: TITLE, place: rest });
        }
        if self.name().is_none() || self.name().is_none() {
            return Err(self.wrong(TITLE));
        }
        self.instance_key(TITLE)?;
        if !self.is_done() {
            self.at = self.written.parts.len();
            return Err(self.wrong(TITLE));
        }
        Ok(mode.unwrap_or(Mode::Managed))
    }
}

/// Root words that begin the address of no resource.
const RESERVED: [&str; 10] =
    ["var", "local", "path", "terraform", "each", "count", "self", "template", "lazy", "arg"];

/// The thing that an address names.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Named {
    Module,
    Resource(Mode),
}

/// Reads the address of a module or of a resource.
fn address(written: &Written) -> Result<Named, WrongAddress> {
    let mut parts = Parts::of(written);
    let (n_modules, _) = parts.modules("Invalid address operator")?;
    if n_modules > 0 && parts.is_done() { Ok(Named::Module) } else { parts.resource().map(Named::Resource) }
}

/// Reads the address of something that was removed, which is a module or a resource as a whole. True for a module.
fn removed_address(written: &Written) -> Result<bool, WrongAddress> {
    let mut parts = Parts::of(written);
    let has_keys = "Module instance keys not allowed";
    let (n_modules, key) = parts.modules(has_keys)?;
    if key.is_some() {
        return Err(WrongAddress { title: has_keys, place: key });
    }
    if n_modules > 0 && parts.is_done() {
        return Ok(true);
    }
    let is_data = parts.next_is("data");
    if is_data && parts.is_done() {
        return Err(WrongAddress { title: "Invalid address", place: None });
    }
    if is_data && parts.has_two_names() && written.parts.len() == parts.at + 2 {
        return Err(WrongAddress { title: "Data source address not allowed", place: written.place_from(0) });
    }
    if parts.name().is_none() || parts.name().is_none() {
        return Err(parts.wrong("Invalid address"));
    }
    if parts.is_done() { Ok(false) } else { Err(parts.wrong("Resource instance keys not allowed")) }
}

impl Reader<'_, '_> {
    /// Reads a `moved` block.
    pub(super) fn moved(&mut self, block: &ContentBlock) -> Unread {
        let schema = BodySchema::default().required_attribute("from").required_attribute("to");
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        let is_wrong = has_errors(&problems);
        self.diagnostics.extend(problems);
        let ends = ["from", "to"].map(|name| {
            let expression = content.expression(name)?;
            self.address(&expression)
        });
        if let [Some(from), Some(to)] = ends
            && !is_wrong
            && (from == Named::Module) != (to == Named::Module)
        {
            let detail = "A module moves to a module, a resource to a resource.";
            let title = "Invalid \"moved\" addresses";
            self.complain(&Place::of_block(block), "module.address", title, detail);
        }
        unread(block, &content)
    }

    /// The thing that an address names; complains if it is none.
    fn address(&mut self, expression: &ConfigExpression) -> Option<Named> {
        let Some(written) = Written::of(expression) else {
            self.diagnostics.push(no_address(expression));
            return None;
        };
        address(&written).map_err(|wrong| self.diagnostics.push(wrong.told(expression))).ok()
    }

    /// Reads a `removed` block.
    pub(super) fn removed(&mut self, block: &ContentBlock) -> Unread {
        let schema = BodySchema::default()
            .required_attribute("from")
            .block("lifecycle", &[])
            .block("connection", &[])
            .block("provisioner", &["type"]);
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let mut is_resource = false;
        if let Some(expression) = content.expression("from") {
            match Written::of(&expression).map(|written| removed_address(&written)) {
                None => self.diagnostics.push(no_address(&expression)),
                Some(Ok(is_module)) => is_resource = !is_module,
                Some(Err(wrong)) => self.diagnostics.push(wrong.told(&expression)),
            }
        }
        for lifecycle in content.blocks_of_type("lifecycle") {
            let schema = BodySchema::default().attribute("destroy");
            let (lifecycle, problems) = self.evaluation.content(&lifecycle.body(), &schema);
            self.diagnostics.extend(problems);
            self.flag(&lifecycle, "destroy");
        }
        self.provisioners(
            &content,
            if is_resource { Provisioners::OfDestruction } else { Provisioners::None },
        );
        unread(block, &content)
    }

    /// Reads an `import` block. Newer releases import by `identity` as well as by `id`, and then neither is required
    /// here.
    pub(super) fn import(&mut self, block: &ContentBlock) -> Unread {
        let schema = BodySchema::default().required_attribute("to");
        let schema = match self.release.imports_by_identity() {
            true => schema.attribute("id").attribute("identity"),
            false => schema.required_attribute("id"),
        };
        let schema = schema.attribute("for_each").attribute("provider");
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        let n_told = self.diagnostics.len();
        self.diagnostics.extend(problems);
        let to = content.attributes.get("to");
        let target = to.and_then(|to| self.import_target(to));
        if let Some(provider) =
            content.attributes.get("provider").filter(|_| self.diagnostics.len() == n_told)
        {
            self.provider_configuration(&provider.expression());
            if to.is_some_and(|to| is_in_module(&to.expression())) {
                let detail =
                    "Into a module is imported with the provider that the module has. Remove the argument.";
                let title = "Invalid import provider argument";
                let place = Place::of_attribute(provider);
                self.complain(&place, "module.address", title, detail);
            }
        }
        Unread { target, ..unread(block, &content) }
    }

    /// The target of an import: a resource that is managed, of which the keys may be evaluated later.
    fn import_target(&mut self, attribute: &ContentAttribute) -> Option<ImportTarget> {
        let to = self.bare(&attribute.expression())?;
        let written = Written::without_later_keys(&to);
        let is_later = Written::of(&to).is_none();
        let named = match &written {
            None => Err(no_address(&to)),
            Some(written) => match address(written) {
                Ok(Named::Module) => {
                    let place = written.place_from(0);
                    Err(WrongAddress { title: "Invalid address", place }.told(&to))
                }
                named => named.map_err(|wrong| wrong.told(&to)),
            },
        };
        let is_managed = matches!(named, Ok(Named::Resource(Mode::Managed)));
        self.diagnostics.extend(named.err());
        if !is_managed {
            let detail = "Resources are imported: TYPE.NAME, in a module module.NAME.TYPE.NAME.";
            let title = "Invalid import address";
            let place = Place::of_attribute(attribute);
            self.complain(&place, "module.address", title, detail);
            return None;
        }
        let parts = written.filter(|_| !is_later)?.parts;
        let names: Vec<Part> = parts.iter().filter(|part| matches!(part, Part::Name(_))).cloned().collect();
        Some(ImportTarget { address: text_of(&parts), resource: text_of(&names), place: Place::of(&to) })
    }
}

/// An address in the form that messages show. The word `resource` in front says nothing more.
fn text_of(parts: &[Part]) -> String {
    let mut text = String::new();
    for (idx, part) in parts.iter().enumerate() {
        let _ = match part {
            Part::Name(name) if name == "resource" && parts.len() > 2 && idx == 0 => Ok(()),
            Part::Name(name) if text.is_empty() => write!(text, "{name}"),
            Part::Name(name) => write!(text, ".{name}"),
            Part::Key(Some(Key::Position(position))) => write!(text, "[{position}]"),
            Part::Key(Some(Key::Name(name))) => write!(text, "[{name:?}]"),
            Part::Key(None) => write!(text, "[?]"),
        };
    }
    text
}

/// `module.a.b.c`
fn is_in_module(to: &ConfigExpression) -> bool {
    let written = Written::without_later_keys(to);
    written.is_some_and(|written| matches!(written.parts.first(), Some(Part::Name(root)) if root == "module"))
}

fn unread(block: &ContentBlock, content: &Content) -> Unread {
    let evaluated = content.attributes.iter().filter(|one| matches!(one.name(), "id" | "for_each"));
    Unread {
        block_type: block.block_type().to_owned(),
        place: Place::of_block(block),
        expressions: evaluated.map(|attribute| attribute.expression()).collect(),
        target: None,
    }
}

/// `from = 5`
fn no_address(expression: &ConfigExpression) -> Diagnostic {
    let detail = "An address is written without quotes and operators.".to_owned();
    Place::of(expression).error("module.reference.form", "Invalid expression", detail)
}

impl WrongAddress {
    /// The complaint about the address that an expression is.
    fn told(self, expression: &ConfigExpression) -> Diagnostic {
        let detail = match self.title {
            "Module instance keys not allowed" | "Resource instance keys not allowed" => {
                "All instances are removed together. Write the address without keys."
            }
            "Data source address not allowed" => "Data sources are only read, so none has to be removed.",
            _ => "The address of a resource is TYPE.NAME, that of a module module.NAME.",
        };
        match self.place {
            Some(place) => place.error("module.address", self.title, detail.to_owned()),
            None => {
                let detail = format!("{detail} This one, at {}, ends too early.", expression.range());
                Diagnostic::error("module.address", self.title, detail)
            }
        }
    }
}
