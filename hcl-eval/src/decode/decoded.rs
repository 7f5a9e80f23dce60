//! Where a part of a decoded value comes from: from a path in the value to a place in a body.
//!
//! Nothing is remembered while a body is decoded: the path is followed through the specification and the body when
//! they are asked for.

use hcl_syntax::config::{ConfigExpression, ContentAttribute};
use hcl_syntax::parser::{ParseLimits, Splats, TraversalStepKind, parse_traversal};
use hcl_syntax::source::{Source, Span};

use super::decoder::{Found, Labels};
use super::place::Place;
use super::spec::{BlockAttributesSpec, BlockMapSpec, BodySpec, Collection, Spec};
use crate::dynamic::{Block, Body};
use crate::eval::{Evaluation, literal_value};
use crate::stack;
use crate::value::{Path, PathStep};

/// The part of an attribute or block that a place is asked of.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, ObjectSpec, Part, Spec, decoded_place, path_of_text};
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_eval::{Type, dynamic::Body};
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(ObjectSpec::from_iter([("port", Spec::from(AttributeSpec::new("port", Type::Number)))]));
/// let body = Body::from(&File::parse("main.hcl", "port = 80\n")?);
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let port = path_of_text("port").unwrap();
/// let texts = [Part::Name, Part::Value, Part::Whole].map(|part| {
///     let (source, span) = decoded_place(&body, &spec.clone().into(), &port, part, &mut evaluation).unwrap();
///     source.slice(span).to_owned()
/// });
/// assert_eq!(texts, ["port", "80", "port = 80"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// The expression of an attribute, or the element of it that the path leads to; a block from its type to its closing
    /// brace.
    #[default]
    Value,
    /// An attribute from its name to the end of its expression, a block from its type to its closing brace.
    Whole,
    /// The name of an attribute, the key of an element, the type of a block.
    Name,
    /// The type and the labels of a block.
    Header,
}

/// The path that a text such as `listen.public.ports[0]` says; `None` if it says none.
///
/// ```
/// use hcl_eval::decode::path_of_text;
///
/// assert_eq!(path_of_text("[0].a[\"b\"]").map(|path| path.to_text()).as_deref(), Some("[0].a[\"b\"]"));
/// assert!(path_of_text("a + b").is_none());
/// ```
pub fn path_of_text(text: &str) -> Option<Path> {
    if text.is_empty() {
        return Some(Path::new());
    }
    // A reference begins with a name, a path may begin with an index.
    let dot = if text.starts_with('[') { "" } else { "." };
    let source = Source::new("path", format!("value{dot}{text}")).ok()?;
    let (parsed, problems) = parse_traversal(source, Splats::Refused, &ParseLimits::default());
    if !problems.is_empty() {
        return None;
    }
    parsed.steps().map(|step| step_of(step.kind)).collect()
}

fn step_of(kind: TraversalStepKind<'_>) -> Option<PathStep> {
    match kind {
        TraversalStepKind::Attribute(name) => Some(PathStep::Attribute(name.into())),
        TraversalStepKind::Index(key) => literal_value(key).map(PathStep::Index),
        TraversalStepKind::Splat => None,
    }
}

/// Where the part of a decoded value at a path comes from, or where it would have to be put if the body does not have it.
/// Where the path goes on inside of what is computed, it is the expression that computes it.
///
/// `None`: the specification makes no such part, or makes it of nothing in the body: of a literal, or in a set.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Part, Spec, decoded_place, path_of_text};
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_eval::{Type, dynamic::Body};
/// use hcl_syntax::parser::File;
///
/// // A program that checks the decoded value points at the text that it comes from.
/// let spec = Spec::from(AttributeSpec::new("ports", Type::list(Type::Number))).into();
/// let body = Body::from(&File::parse("main.hcl", "ports = [80, 99999]\n")?);
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let second = path_of_text("[1]").unwrap();
/// let (source, span) = decoded_place(&body, &spec, &second, Part::Value, &mut evaluation).unwrap();
/// assert_eq!(source.slice(span), "99999");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn decoded_place(
    body: &Body,
    spec: &BodySpec,
    path: &Path,
    part: Part,
    evaluation: &mut Evaluation<'_>,
) -> Option<(Source, Span)> {
    let mut search = Search { part, evaluation };
    let origin = search.body(body, spec, Labels::none(), path.steps())?;
    Some((origin.place.source, origin.place.span))
}

struct Search<'s, 'a> {
    part: Part,
    evaluation: &'s mut Evaluation<'a>,
}

/// Where a value comes from.
struct Origin {
    place: Place,
    /// False if this is where it would have to be put.
    is_there: bool,
}

impl Origin {
    fn there(source: &Source, span: Span) -> Self {
        Self { place: Place { source: source.clone(), span }, is_there: true }
    }

    fn missing(found: &Found<'_>) -> Option<Self> {
        let (source, span) = found.missing_item()?;
        Some(Self { place: Place { source: source.clone(), span }, is_there: false })
    }
}

impl Search<'_, '_> {
    fn body(
        &mut self,
        body: &Body,
        spec: &BodySpec,
        labels: Labels<'_>,
        path: &[PathStep],
    ) -> Option<Origin> {
        stack::grow(u32::MAX, || {
            let (content, _, _) = body.find_part(spec.schema(), self.evaluation);
            self.spec(spec.spec(), &Found::new(&content, body, labels), path)
        })
    }

    /// The place that a path into the decoded value comes from, found by the same cases as the value was made by.
    /// None where the value has no such part, or where it is made of nothing in the body.
    fn spec(&mut self, spec: &Spec, found: &Found<'_>, path: &[PathStep]) -> Option<Origin> {
        let (first, rest) = (path.first(), path.get(1..).unwrap_or_default());
        stack::grow(u32::MAX, || match spec {
            Spec::Object(object) => match first {
                Some(step) => self.spec(object.specs().get(name_of(step)?)?, found, rest),
                None => Origin::missing(found),
            },
            Spec::Tuple(specs) => match first {
                Some(step) => self.spec(specs.get(position_of(step)?)?, found, rest),
                None => Origin::missing(found),
            },
            Spec::Attribute(attribute) => match found.attributes.get(&attribute.name) {
                Some(attribute) => Some(self.attribute(attribute, path)),
                None => Origin::missing(found),
            },
            Spec::Block(block) => match found.blocks(&block.block_type).first() {
                Some(written) => self.block(written, &block.nested, 0, path),
                None => Origin::missing(found),
            },
            Spec::Blocks(blocks) => {
                let written = found.blocks(&blocks.block_type);
                match first {
                    None => {
                        written.first().map_or_else(|| Origin::missing(found), |one| Some(self.whole(one)))
                    }
                    // Where an element of a set comes from does not follow from its position.
                    Some(_) if blocks.collection == Collection::Set => None,
                    Some(step) => self.block(written.get(position_of(step)?)?, &blocks.nested, 0, rest),
                }
            }
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => self.labelled(blocks, found, path),
            Spec::BlockAttributes(block) => self.any_attribute(block, found, path),
            Spec::BlockLabel(label) => {
                found.labels.get(label.index).map(|(_, place)| Origin { place, is_there: true })
            }
            Spec::Literal(_) => None,
            Spec::Default(specs) => {
                let mut origins: Vec<_> =
                    specs.iter().filter_map(|spec| self.spec(spec, found, path)).collect();
                let at = origins.iter().position(|origin| origin.is_there).unwrap_or(0);
                (at < origins.len()).then(|| origins.swap_remove(at))
            }
            // A computed value has parts of its own.
            Spec::Transform(transform) => self.spec(transform.nested(), found, &[]),
            Spec::Written(written) => self.spec(&written.spec, found, path),
            Spec::Refined(refined) => self.spec(&refined.nested, found, path),
            Spec::Validated(validated) => self.spec(&validated.nested, found, path),
        })
    }

    /// A block whose labels the path begins with, or something in it.
    fn labelled(&mut self, spec: &BlockMapSpec, found: &Found<'_>, path: &[PathStep]) -> Option<Origin> {
        let n_keys = spec.label_names.len();
        let keys: Vec<&str> = path.iter().take(n_keys).map(name_of).collect::<Option<_>>()?;
        let fits = |block: &&&Block| block.labels().zip(&keys).all(|(label, key)| label.text == *key);
        match found.blocks(&spec.block_type).iter().find(fits) {
            Some(block) if keys.len() < n_keys => Some(self.whole(block)),
            Some(block) => self.block(block, &spec.nested, n_keys, path.get(n_keys..)?),
            None if keys.is_empty() => Origin::missing(found),
            None => None,
        }
    }

    /// A block whose attributes may have any name, or one of them.
    fn any_attribute(
        &mut self,
        spec: &BlockAttributesSpec,
        found: &Found<'_>,
        path: &[PathStep],
    ) -> Option<Origin> {
        let Some(written) = found.blocks(&spec.block_type).first() else { return Origin::missing(found) };
        let Some((step, rest)) = path.split_first() else { return Some(self.whole(written)) };
        let (attributes, _) = written.body().just_attributes_within(self.evaluation.bounds());
        let name = name_of(step)?;
        let attribute = attributes.iter().find(|attribute| attribute.written().name() == name)?;
        Some(self.attribute(attribute.written(), rest))
    }

    /// A block, or something in it.
    fn block(&mut self, block: &Block, spec: &BodySpec, n_keys: usize, path: &[PathStep]) -> Option<Origin> {
        if path.is_empty() && (self.part == Part::Header || has_parts(spec.spec())) {
            return Some(self.whole(block));
        }
        self.body(&block.body(), spec, Labels::of(block, n_keys), path)
    }

    fn whole(&self, block: &Block) -> Origin {
        let span = match self.part {
            Part::Value | Part::Whole => block.span(),
            Part::Name => block.type_span(),
            Part::Header => block.definition_span(),
        };
        Origin::there(block.source(), span)
    }

    /// An attribute, or as much of the path inside its expression as is written out.
    fn attribute(&mut self, attribute: &ContentAttribute, path: &[PathStep]) -> Origin {
        let mut at = attribute.expression();
        let mut key = None;
        for step in path {
            let Some((name, value)) = self.element(&at, step) else { break };
            (key, at) = (name, value);
        }
        match (self.part, key) {
            (Part::Name, Some(key)) => Origin::there(key.source(), key.span()),
            (Part::Name, None) if path.is_empty() => Origin::there(attribute.source(), attribute.name_span()),
            (Part::Whole, _) if path.is_empty() => Origin::there(attribute.source(), attribute.span()),
            _ => Origin::there(at.source(), at.span()),
        }
    }

    /// The element that a step leads to in an expression, with its key, if it is written out.
    fn element(
        &mut self,
        of: &ConfigExpression,
        step: &PathStep,
    ) -> Option<(Option<ConfigExpression>, ConfigExpression)> {
        if let Some(position) = position_of(step)
            && let Some(mut elements) = of.static_list()
        {
            return (position < elements.len()).then(|| (None, elements.swap_remove(position)));
        }
        let name = name_of(step)?;
        let mut pairs = of.static_map()?.into_iter();
        // A name of JSON syntax is read as a text of its own, and copied.
        let is_it = |key: &ConfigExpression, evaluation: &mut Evaluation<'_>| {
            evaluation.bounds().has_room(2 * key.span().len() as usize)
                && (key.keyword().is_some_and(|word| word == name)
                    || evaluation.evaluate(key, None).0.as_str().is_some_and(|text| text == name))
        };
        pairs.find(|(key, _)| is_it(key, self.evaluation)).map(|(key, value)| (Some(key), value))
    }
}

/// Returns true if the value has parts that are looked for in the body one by one.
fn has_parts(spec: &Spec) -> bool {
    match spec {
        Spec::Object(_) | Spec::Tuple(_) => true,
        Spec::Written(written) => has_parts(&written.spec),
        Spec::Refined(refined) => has_parts(&refined.nested),
        Spec::Validated(validated) => has_parts(&validated.nested),
        _ => false,
    }
}

fn name_of(step: &PathStep) -> Option<&str> {
    match step {
        PathStep::Attribute(name) => Some(name),
        PathStep::Index(key) => key.as_str(),
    }
}

fn position_of(step: &PathStep) -> Option<usize> {
    match step {
        PathStep::Index(key) => key.as_number().and_then(|number| usize::try_from(number.to_i64()?).ok()),
        PathStep::Attribute(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use hcl_syntax::config::ConfigBody;
    use hcl_syntax::parser::parse_file;

    use super::*;
    use crate::decode::SpecFile;
    use crate::eval::EvalOptions;

    const SPEC: &str = r#"
object {
  attr "name" { type = string }
  attr "tags" { type = map(list(string)) }
  attr "absent" { type = string }
  literal "constant" { value = 1 }
  default "port" {
    attr { 
      name = "port"
      type = number
    }
    literal { value = 80 }
  }
  block_map "listen" {
    labels = ["name"]
    object {
      attr "port" { type = number }
      block_label "second" { index = 0 }
    }
  }
  block_list "only" {
    attr { 
      name = "x"
      type = any
    }
  }
  block_set "set" {
    attr { 
      name = "x"
      type = any
    }
  }
  block_attrs "env" {
    element_type = string
  }
  block "log" {
    object {
      attr "level" { type = string }
    }
  }
}
"#;

    const BODY: &str = r#"
name = "a"
tags = {
  first  = ["x", "y"]
  "second" = upper("z")
}
listen "public" "l2" {
  port = 70000
}
only {
  x = [1, 2]
}
only {
  x = 3
}
set {
  x = 3
}
env {
  HOME = "/"
}
"#;

    fn body(name: &str, text: &str) -> Body {
        let (file, problems) = parse_file(Source::new(name, text).unwrap(), &ParseLimits::default());
        assert!(problems.is_empty(), "{problems:?}");
        Body::from(ConfigBody::from(&file))
    }

    fn find(path: &str, part: Part) -> Option<String> {
        let (spec, problems) = SpecFile::read(body("spec", SPEC).written(), &EvalOptions::default());
        assert!(problems.is_empty(), "{problems:?}");
        let (input, path) = (body("input", BODY), path_of_text(path).unwrap());
        let mut evaluation = Evaluation::new(&EvalOptions::default());
        let (source, span) = decoded_place(&input, &spec.root, &path, part, &mut evaluation)?;
        Some(source.slice(span).to_owned())
    }

    #[test]
    fn a_path_leads_to_what_is_written() {
        let block = "listen \"public\" \"l2\" {\n  port = 70000\n}";
        for (path, part, expected) in [
            ("name", Part::Value, "\"a\""),
            ("name", Part::Whole, "name = \"a\""),
            ("name", Part::Name, "name"),
            ("tags.first[1]", Part::Value, "\"y\""),
            ("tags.first", Part::Name, "first"),
            ("tags[\"second\"]", Part::Name, "\"second\""),
            ("tags.second[7].nothing", Part::Value, "upper(\"z\")"),
            ("listen.public.port", Part::Value, "70000"),
            ("listen[\"public\"].port", Part::Name, "port"),
            ("listen.public.second", Part::Value, "\"l2\""),
            ("listen.public", Part::Value, block),
            ("listen.public", Part::Header, "listen \"public\" \"l2\""),
            ("listen", Part::Name, "listen"),
            ("only[0][1]", Part::Value, "2"),
            ("only[1]", Part::Value, "3"),
            ("only[1]", Part::Header, "only"),
            ("env.HOME", Part::Value, "\"/\""),
            // Where it would have to be.
            ("absent", Part::Value, ""),
            ("port", Part::Value, ""),
            ("log.level", Part::Value, ""),
            ("", Part::Value, ""),
        ] {
            assert_eq!(find(path, part).as_deref(), Some(expected), "{path} {part:?}");
        }
        for path in ["nothing", "constant", "set[0]", "only[2]", "listen.other.port", "only.x", "env.OTHER"] {
            assert_eq!(find(path, Part::Value), None, "{path}");
        }
    }
}
