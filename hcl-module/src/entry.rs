//! Declarations of templates and jobs, and their evaluated bodies, as data.

use hcl_eval::eval::Evaluation;
use hcl_eval::evaluated::{EvaluatedBlock, EvaluatedBody, EvaluatedItem};
use hcl_eval::{Str, Type, Value};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::source::Range;
use hcl_syntax::stack;

/// The kind of a declaration of a template or a job.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EntryKind {
    /// `var.NAME`
    Variable,
    /// `local.NAME`
    Local,
    /// `data.TYPE.NAME`
    Data,
    /// A source of images, `source.TYPE.NAME`.
    Source,
    /// A job, `job.NAME`.
    Job,
}

/// A declaration of a template or a job.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_module::nomad::{Job, JobOptions, parse};
/// use hcl_module::{EntryKind, TextFiles};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParseLimits;
///
/// let text = b"variable \"zone\" {\n  default = \"eu\"\n}\njob \"web\" {}\n".to_vec();
/// let body = parse("web.nomad.hcl", text, &ParseLimits::default())?.into_result()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (job, _) = Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation);
/// assert_eq!(job.declared()[0].kind, EntryKind::Variable);
/// assert_eq!(job.declared()[0].address, "var.zone");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The kind.
    pub kind: EntryKind,
    /// How expressions refer to it; of a source how builds do.
    pub address: String,
    /// Where it is declared.
    pub range: Range,
    /// Of a variable its type, if it has one.
    pub ty: Option<Type>,
    /// True if it is declared sensitive.
    pub is_sensitive: bool,
    /// True for a variable with neither a value nor a default.
    pub is_missing: bool,
}

impl Entry {
    pub(crate) fn new(kind: EntryKind, address: String, range: Range) -> Self {
        Self { kind, address, range, ty: None, is_sensitive: false, is_missing: false }
    }
}

/// An evaluated body as an object: `attributes`, an object, and `blocks` if there are any, each with `type`, `labels`
/// (null without any) and `body`. Blocks are in the order of the text, those of dynamic blocks in their place.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_module::nomad::{Job, JobOptions, parse};
/// use hcl_module::{TextFiles, body_value};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParseLimits;
///
/// let text = b"job \"web\" {\n  priority = 40 + 10\n}\n".to_vec();
/// let body = parse("web.nomad.hcl", text, &ParseLimits::default())?.into_result()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (job, _) = Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation);
/// let (body, _) = job.evaluate(&mut evaluation);
/// let json = body_value(&body, &mut evaluation).unwrap().to_json().unwrap();
/// assert!(json.contains(r#""attributes":{"priority":50}"#));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// A limit of the evaluation has been reached. The diagnostic that says so comes once.
pub fn body_value(body: &EvaluatedBody, evaluation: &mut Evaluation<'_>) -> Result<Value, Diagnostics> {
    let n_blocks = body.blocks().count();
    let n_attributes = body.items.len() - n_blocks;
    evaluation.hold_parts(n_attributes, size_of::<(Str, Value)>())?;
    let mut attributes = Vec::with_capacity(n_attributes);
    attributes.extend(body.items.iter().filter_map(|item| match item {
        EvaluatedItem::Attribute(attribute, value) => {
            Some((Str::from(attribute.written().name()), value.clone()))
        }
        EvaluatedItem::Block(_) => None,
    }));
    let mut whole = vec![("attributes", evaluation.object(attributes)?)];
    if n_blocks > 0 {
        whole.push(("blocks", tuple(body.blocks(), n_blocks, evaluation, block)?));
    }
    object(whole, evaluation)
}

fn block(block: &EvaluatedBlock, evaluation: &mut Evaluation<'_>) -> Result<Value, Diagnostics> {
    let labels = match block.labels.len() {
        0 => Value::null(Type::Dynamic),
        n => tuple(block.labels.iter(), n, evaluation, |label, evaluation| evaluation.text(label))?,
    };
    let body = stack::level(|| body_value(&block.body, evaluation))?;
    let block_type = evaluation.text(&block.block_type)?;
    object(vec![("type", block_type), ("labels", labels), ("body", body)], evaluation)
}

/// A tuple of the values that are made of `n` parts.
pub(crate) fn tuple<T>(
    parts: impl Iterator<Item = T>,
    n: usize,
    evaluation: &mut Evaluation<'_>,
    mut make: impl FnMut(T, &mut Evaluation<'_>) -> Result<Value, Diagnostics>,
) -> Result<Value, Diagnostics> {
    evaluation.hold_parts(n, size_of::<Value>())?;
    let mut values = Vec::with_capacity(n);
    for part in parts {
        values.push(make(part, evaluation)?);
    }
    evaluation.tuple(values)
}

pub(crate) fn object(
    attributes: Vec<(&str, Value)>,
    evaluation: &mut Evaluation<'_>,
) -> Result<Value, Diagnostics> {
    evaluation.object(attributes.into_iter().map(|(name, value)| (Str::from(name), value)).collect())
}
