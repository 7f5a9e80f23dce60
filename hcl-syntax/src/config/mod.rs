//! Bodies of either syntax, read by schema.
//!
//! A [`ConfigBody`] is a body of native or of JSON syntax, or several bodies that are read as one. It owns
//! what it needs and is cheap to clone. [`ConfigBody::content`] gives what a [`BodySchema`] asks for and complains
//! of everything else; [`ConfigBody::partial_content`] gives the rest as a body of its own, so that
//! several readers may share one body without knowing of each other. Where a complaint says where
//! something is missing, it points at [`ConfigBody::missing_item_range`].

mod attributes;
mod content;
pub(crate) mod error;
mod expression;
mod merged;
mod native;
mod reading;

use std::sync::Arc;

use crate::ast::{BodyId, SharedTree};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::{JsonBody, JsonFile};
use crate::parser::File;
use crate::schema::BodySchema;
use crate::source::{Range, Source, Span};

pub use attributes::{Attributes, Named};
pub use content::{Content, ContentAttribute, ContentBlock, ContentLabel};
pub use expression::{ConfigExpression, StaticCall};
pub use reading::{Bounds, Unbounded, has_room_for_table, map_within, push_within};

pub(crate) use content::JsonBlock;
pub(crate) use error::Suggestions;
pub(crate) use reading::{Reading, Wanted};

use native::NativeBody;

/// A body: of a file, of a block, or of several files read as one.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::schema::BodySchema;
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("main.hcl", "service \"web\" {\n  port = 80\n}\nspeed = 1\n")?;
/// let (file, _) = parse_file(source, &ParseLimits::default());
/// let schema = BodySchema::default().required_attribute("region").block("service", &["name"]);
/// let (content, diagnostics) = ConfigBody::from(&file).content(&schema);
/// assert_eq!(content.blocks[0].label(0).map(|label| label.text), Some("web"));
/// assert_eq!(diagnostics[0].summary, "Missing required argument");
/// assert_eq!(diagnostics[1].summary, "Unsupported argument");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConfigBody(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Native(NativeBody),
    Json(JsonBody),
    Merged(Arc<[ConfigBody]>),
}

/// Nothing.
impl Default for ConfigBody {
    fn default() -> Self {
        Self(Repr::Merged(Arc::from([])))
    }
}

impl From<&File> for ConfigBody {
    fn from(file: &File) -> Self {
        Self::native(file.tree().clone(), file.body().id())
    }
}

impl From<&JsonFile> for ConfigBody {
    fn from(file: &JsonFile) -> Self {
        Self::json(JsonBody::new(file.tree().clone(), file.root_id()))
    }
}

impl ConfigBody {
    /// A body of native syntax.
    pub fn native(tree: SharedTree, body: BodyId) -> Self {
        Self(Repr::Native(NativeBody::new(tree, body)))
    }

    pub(crate) fn json(body: JsonBody) -> Self {
        Self(Repr::Json(body))
    }

    /// The body of JSON syntax, if it is one.
    #[cfg(feature = "conversion")]
    pub(crate) fn as_json(&self) -> Option<&JsonBody> {
        match &self.0 {
            Repr::Json(body) => Some(body),
            Repr::Native(_) | Repr::Merged(_) => None,
        }
    }

    /// Several bodies read as one, in the order given. An attribute may be set in one of them only; what is
    /// required may be in any.
    pub fn merged(bodies: Vec<Self>) -> Self {
        if !bodies.iter().any(|body| matches!(body.0, Repr::Merged(_))) {
            return Self(Repr::Merged(bodies.into()));
        }
        let mut flat = Vec::with_capacity(bodies.len());
        for body in bodies {
            match body.0 {
                Repr::Merged(inner) => flat.extend_from_slice(&inner),
                Repr::Native(_) | Repr::Json(_) => flat.push(body),
            }
        }
        Self(Repr::Merged(flat.into()))
    }

    /// Reads what the schema asks for; everything else is an error.
    pub fn content(&self, schema: &BodySchema) -> (Content, Diagnostics) {
        self.content_within(schema, &mut Unbounded)
    }

    /// Reads as [`ConfigBody::content`] does, within bounds; what has been read when they end it is not all, and nothing says so.
    pub fn content_within(&self, schema: &BodySchema, bounds: &mut dyn Bounds) -> (Content, Diagnostics) {
        let mut reading = Reading::new(bounds);
        let content = self.read(&Wanted::new(schema), &mut reading);
        (content, reading.into_diagnostics())
    }

    fn read(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
        match &self.0 {
            Repr::Native(body) => body.content(wanted, reading),
            Repr::Json(body) => body.content(wanted, reading),
            Repr::Merged(bodies) => merged::content(bodies, wanted, reading),
        }
    }

    /// Reads what the schema asks for, and returns a body with the rest.
    pub fn partial_content(&self, schema: &BodySchema) -> (Content, Self, Diagnostics) {
        self.partial_content_within(schema, &mut Unbounded)
    }

    /// Reads as [`ConfigBody::partial_content`] does, within bounds, as [`ConfigBody::content_within`] has them.
    pub fn partial_content_within(
        &self,
        schema: &BodySchema,
        bounds: &mut dyn Bounds,
    ) -> (Content, Self, Diagnostics) {
        let mut reading = Reading::new(bounds);
        let (content, rest) = self.read_part(&Wanted::new(schema), &mut reading);
        (content, rest, reading.into_diagnostics())
    }

    fn read_part(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> (Content, Self) {
        match &self.0 {
            Repr::Native(body) => {
                let (content, rest) = body.partial_content(wanted, reading);
                (content, Self(Repr::Native(rest)))
            }
            Repr::Json(body) => {
                let (content, rest) = body.partial_content(wanted, reading);
                (content, Self(Repr::Json(rest)))
            }
            Repr::Merged(bodies) => merged::partial_content(bodies, wanted, reading),
        }
    }

    /// All attributes, in the order of the text; there should be no blocks. In JSON syntax, where nothing
    /// tells, every property is an attribute.
    ///
    /// The complaint about a block also comes when an earlier partial reading has taken that block, as in
    /// the reference implementation.
    pub fn just_attributes(&self) -> (Vec<ContentAttribute>, Diagnostics) {
        self.just_attributes_within(&mut Unbounded)
    }

    /// Reads as [`ConfigBody::just_attributes`] does, within bounds, as [`ConfigBody::content_within`] has them.
    pub fn just_attributes_within(&self, bounds: &mut dyn Bounds) -> (Vec<ContentAttribute>, Diagnostics) {
        let mut reading = Reading::new(bounds);
        let attributes = self.read_attributes(&mut reading);
        (attributes, reading.into_diagnostics())
    }

    fn read_attributes(&self, reading: &mut Reading<'_>) -> Vec<ContentAttribute> {
        match &self.0 {
            Repr::Native(body) => body.just_attributes(reading),
            Repr::Json(body) => body.just_attributes(reading),
            Repr::Merged(bodies) => merged::just_attributes(bodies, reading),
        }
    }

    /// Reads everything, as far as the syntax tells without a schema: in JSON syntax every property of an object is
    /// an attribute, and an array is nothing. Of several attributes of one name the first counts.
    pub fn everything(&self) -> Content {
        self.everything_within(&mut Unbounded)
    }

    /// Reads as [`ConfigBody::everything`] does, within bounds, as [`ConfigBody::content_within`] has them.
    pub fn everything_within(&self, bounds: &mut dyn Bounds) -> Content {
        self.read_everything(&mut Reading::new(bounds))
    }

    fn read_everything(&self, reading: &mut Reading<'_>) -> Content {
        match &self.0 {
            Repr::Native(body) => body.everything(reading),
            Repr::Json(body) => Content { attributes: body.attributes(reading).0, blocks: Vec::new() },
            Repr::Merged(bodies) => merged::everything(bodies, reading),
        }
    }

    /// The attributes that [`ConfigBody::everything`] leaves out because their names came before, each with what
    /// [`ConfigBody::content`] says of it. Of those in one body of native syntax the parser has told.
    ///
    /// ```
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::json::JsonFile;
    ///
    /// let file = JsonFile::parse("main.json", r#"{"port": 80, "port": 81}"#)?;
    /// let duplicates = ConfigBody::from(&file).duplicates();
    /// assert_eq!(duplicates[0].0.name(), "port");
    /// assert_eq!(duplicates[0].1.summary, "Duplicate argument");
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn duplicates(&self) -> Vec<(ContentAttribute, Diagnostic)> {
        self.duplicates_within(&mut Unbounded)
    }

    /// [`ConfigBody::duplicates`] within bounds: what has been found when they end it is not all.
    ///
    /// ```
    /// use hcl_syntax::config::{ConfigBody, Unbounded};
    /// use hcl_syntax::json::JsonFile;
    ///
    /// let body = ConfigBody::from(&JsonFile::parse("main.json", r#"{"port": 80, "port": 81}"#)?);
    /// assert_eq!(body.duplicates_within(&mut Unbounded).len(), 1);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn duplicates_within(&self, bounds: &mut dyn Bounds) -> Vec<(ContentAttribute, Diagnostic)> {
        let mut duplicates = Vec::new();
        self.find_duplicates(&mut duplicates, &mut Reading::new(bounds));
        duplicates
    }

    fn find_duplicates(&self, found: &mut Vec<(ContentAttribute, Diagnostic)>, reading: &mut Reading<'_>) {
        match &self.0 {
            Repr::Native(_) => {}
            Repr::Json(body) => body.find_duplicates(found, reading),
            Repr::Merged(bodies) => merged::find_duplicates(bodies, found, reading),
        }
    }

    /// The sources that the body is written in, in order: one, or those of all bodies of a merged one.
    ///
    /// ```
    /// use hcl_syntax::config::ConfigBody;
    /// use hcl_syntax::parser::File;
    ///
    /// let parse = |name| File::parse(name, "a = 1\n").map(|file| ConfigBody::from(&file));
    /// let body = ConfigBody::merged(vec![parse("a.hcl")?, parse("b.hcl")?]);
    /// assert_eq!(body.sources().map(|source| source.name()).collect::<Vec<_>>(), ["a.hcl", "b.hcl"]);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        let merged = if let Repr::Merged(bodies) = &self.0 { &bodies[..] } else { &[] };
        // A merged body has no merged ones in it.
        self.source().into_iter().chain(merged.iter().filter_map(Self::source))
    }

    /// The source of a body that is not merged.
    fn source(&self) -> Option<&Source> {
        match &self.0 {
            Repr::Native(body) => Some(body.source()),
            Repr::Json(body) => Some(body.source()),
            Repr::Merged(_) => None,
        }
    }

    /// Where something that is missing is said to be missing. Nothing for a merged body of no bodies, and for
    /// a JSON text that is no body.
    pub fn missing_item(&self) -> Option<(&Source, Span)> {
        match &self.0 {
            Repr::Native(body) => Some(body.missing_item()),
            Repr::Json(body) => body.missing_item(),
            Repr::Merged(bodies) => bodies.first()?.missing_item(),
        }
    }

    /// The range of [`ConfigBody::missing_item`].
    pub fn missing_item_range(&self) -> Option<Range> {
        self.missing_item().map(|(source, span)| source.range(span))
    }
}
