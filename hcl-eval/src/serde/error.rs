//! Errors between Rust values and HCL, and their wording.
//!
//! serde raises errors where it has no idea of places. They travel outwards until a place is known: a
//! value the expression it comes from, a body the block that lacks something. The innermost place stays.

use std::fmt;

use hcl_syntax::diagnostic::{self, Diagnostic, Diagnostics, suggest};
use hcl_syntax::source::{Source, Span};
use serde::de::{Expected, Unexpected};

use super::code;
use crate::value::error::sentence;
use crate::value::{Path, PathStep, ValueError};

/// The reason that no Rust value could be made of a value or a body, or no value of a Rust value.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::serde::from_value;
///
/// let error = from_value::<Vec<u16>>(&Value::from(["80", "http"])).unwrap_err();
/// assert_eq!(error.path().to_text(), "[1]");
/// assert_eq!(error.into_diagnostics().len(), 1);
/// ```
pub struct Error(Box<Trouble>);

struct Trouble {
    problem: Problem,
    path: Path,
    /// Not empty once the place is known.
    diagnostics: Diagnostics,
}

/// A problem without a place.
pub(super) struct Problem {
    code: &'static str,
    summary: String,
    detail: String,
    kind: Kind,
}

/// The subject of a problem, where that decides on the place.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    /// Something that is there.
    Present,
    /// Something that is not there.
    Missing,
    /// A name that the type does not have.
    UnknownName,
}

const UNSUITABLE: &str = "Unsuitable value type";

impl Problem {
    fn new(code: &'static str, summary: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, summary: summary.into(), detail: detail.into(), kind: Kind::Present }
    }

    /// A value that the type can't be made of.
    pub(super) fn unsuitable(detail: impl Into<String>) -> Self {
        Self::new(code::UNSUITABLE, UNSUITABLE, detail)
    }

    /// More elements than the type has room for.
    pub(super) fn surplus_elements(found: usize, wanted: usize) -> Self {
        Self::unsuitable(format!("Found {found} elements, but the Rust type takes {wanted}."))
    }

    /// A second block where one is wanted.
    pub(super) fn duplicate_block(block_type: &str) -> Self {
        let detail = format!(
            "Only one block of type \"{block_type}\" is allowed here, or one for each label; an earlier one exists."
        );
        Self::new(code::DUPLICATE_BLOCK, format!("Duplicate {block_type} block"), detail)
    }

    /// A block and an argument of one name.
    pub(super) fn ambiguous_name(name: &str) -> Self {
        let detail = format!(
            "There is an argument named \"{name}\" too. One or the other is wanted, so only one may be given."
        );
        Self::new(code::DUPLICATE_BLOCK, format!("Duplicate {name} block"), detail)
    }

    /// A block where an argument is wanted.
    pub(super) fn block_for_argument(block_type: &str) -> Self {
        let detail = format!(
            "Blocks of type \"{block_type}\" are not expected here, but an argument of that name: write \"{block_type} = …\"."
        );
        Self::new(code::UNSUPPORTED_BLOCK, "Unsupported block type", detail)
    }

    /// More labels than the type asks for.
    pub(super) fn extra_label(block_type: &str, wanted: usize) -> Self {
        let labels = if wanted == 0 { "no labels".to_owned() } else { format!("only {wanted} label(s)") };
        let detail = format!("A block of type \"{block_type}\" takes {labels} here.");
        Self::new(code::LABELS, format!("Extraneous label for {block_type}"), detail)
    }

    /// Fewer labels than the type asks for.
    pub(super) fn missing_label(block_type: &str) -> Self {
        let detail = format!("A block of type \"{block_type}\" needs one more label here.");
        Self::new(code::LABELS, format!("Missing label for {block_type}"), detail)
    }

    /// A value of Rust that can't be written.
    pub(super) fn unserializable(detail: impl Into<String>) -> Self {
        Self::new(code::UNSERIALIZABLE, "Unsuitable Rust value", detail)
    }
}

impl From<Error> for diagnostic::Error {
    fn from(error: Error) -> Self {
        error.into_diagnostics().into()
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self(Box::new(Trouble { problem, path: Path::new(), diagnostics: Diagnostics::new() }))
    }
}

impl Error {
    pub(super) fn unsuitable(detail: impl Into<String>) -> Self {
        Problem::unsuitable(detail).into()
    }

    pub(super) fn conversion(error: &ValueError) -> Self {
        let mut own = Self::unsuitable(whole_sentence(&error.detail()));
        own.0.path = error.path.clone();
        own
    }

    /// A problem that diagnostics tell, such as an evaluation that failed.
    pub(super) fn of_diagnostics(diagnostics: Diagnostics) -> Self {
        let mut error = Self::unsuitable("The expression has no value.");
        error.0.diagnostics = diagnostics;
        error
    }

    /// Moves the problem into a part.
    #[must_use]
    pub(super) fn under(mut self, step: PathStep) -> Self {
        self.0.path.push_front(step);
        self
    }

    fn is_placed(&self) -> bool {
        !self.0.diagnostics.is_empty()
    }

    /// Places the problem, unless it has a place.
    #[must_use]
    pub(super) fn at(mut self, source: &Source, subject: Span, context: Option<Span>) -> Self {
        if !self.is_placed() {
            let mut diagnostic = self.unplaced().at(source, subject);
            if let Some(context) = context {
                diagnostic = diagnostic.within(source, context);
            }
            self.0.diagnostics.push(diagnostic);
        }
        self
    }

    /// Places the problem of a body that is read as a whole: what is missing is missing at `missing`, all else is
    /// wrong with `whole`.
    #[must_use]
    pub(super) fn in_body(mut self, source: &Source, whole: Span, missing: Span) -> Self {
        if self.0.problem.kind != Kind::Missing {
            return self.at(source, whole, None);
        }
        let problem = &mut self.0.problem;
        problem.code = code::MISSING;
        "Missing required argument".clone_into(&mut problem.summary);
        self.at(source, missing, None)
    }

    /// Places the problem at the name of an argument or block type at `span`.
    #[must_use]
    pub(super) fn at_name(mut self, source: &Source, span: Span, is_block: bool) -> Self {
        let problem = &mut self.0.problem;
        if problem.kind == Kind::UnknownName {
            let (code, summary) = match is_block {
                true => (code::UNSUPPORTED_BLOCK, "Unsupported block type"),
                false => (code::UNSUPPORTED_ARGUMENT, "Unsupported argument"),
            };
            problem.code = code;
            summary.clone_into(&mut problem.summary);
        }
        self.at(source, span, None)
    }

    fn unplaced(&self) -> Diagnostic {
        let Problem { code, summary, detail, .. } = &self.0.problem;
        let path = self.0.path.to_text();
        let detail = if path.is_empty() { detail.clone() } else { format!("At {path}: {detail}") };
        Diagnostic::error(*code, summary.clone(), detail)
    }

    /// Where in the value the problem is, as far as no expression stands for the place.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The problem as diagnostics. They have places if an expression or a body was read.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        if self.is_placed() { self.0.diagnostics } else { vec![self.unplaced()] }
    }
}

fn unknown_name(name: &str, expected: &'static [&'static str]) -> Problem {
    let hint = suggest::first_similar(name, expected.iter().copied());
    let hint = hint.map_or_else(String::new, |name| format!(" Did you mean \"{name}\"?"));
    let detail = format!("The name \"{name}\" is not expected here.{hint}");
    Problem { kind: Kind::UnknownName, ..Problem::new(code::UNSUITABLE, UNSUITABLE, detail) }
}

fn missing_name(name: &str) -> Problem {
    let detail = format!("\"{name}\" is required, but no definition was found.");
    Problem { kind: Kind::Missing, ..Problem::new(code::UNSUITABLE, UNSUITABLE, detail) }
}

/// `text` as a sentence of its own.
fn whole_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + &sentence(letters.as_str())
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::unsuitable(whole_sentence(&message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unsuitable(format!("Found {found}, but expected is {expected}."))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unsuitable(format!("Found {found}, but expected is {expected}."))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::unsuitable(format!("Found {length} element(s), but expected is {expected}."))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let known: Vec<_> = expected.iter().map(|name| format!("\"{name}\"")).collect();
        Self::unsuitable(format!("Found \"{variant}\", but expected is one of {}.", known.join(", ")))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        unknown_name(field, expected).into()
    }

    fn missing_field(field: &'static str) -> Self {
        missing_name(field).into()
    }
}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Problem::unserializable(sentence(&message.to_string())).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.diagnostics.first() {
            Some(diagnostic) => diagnostic.fmt(f),
            None => self.unplaced().fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {}
