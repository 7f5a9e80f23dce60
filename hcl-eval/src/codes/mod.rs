//! Explanations of all diagnostics by code: cause and cure, with an example of each.
//!
//! The form of the texts is that of [`hcl_syntax::diagnostic::explain`], which has those of the syntax. Diagnostics
//! of the command `hcl` alone are not among them.

pub use hcl_syntax::diagnostic::explain::{Example, Explanation};
use hcl_syntax::diagnostic::explain::{explanations as of_syntax, read};
use hcl_syntax::diagnostic::suggest::nearest;
use hcl_syntax::packed::Packed;

/// The texts of this crate, a zero byte between one file and the next.
static TEXTS: Packed = Packed::new(include_bytes!(concat!(env!("OUT_DIR"), "/codes.z")));

/// The codes of the diagnostics of syntax and evaluation, area by area.
///
/// ```
/// let semicolon = hcl_eval::codes::explanations().find(|told| told.code == "lex.semicolon").unwrap();
/// assert_eq!(semicolon.wrong[0].text, "a = 1; b = 2\n");
/// ```
pub fn explanations() -> impl Iterator<Item = Explanation<'static>> {
    of_syntax().chain(TEXTS.text().split('\0').flat_map(read))
}

/// Returns the explanation of a code.
///
/// ```
/// use hcl_eval::codes::explain;
///
/// let told = explain("eval.unknown_function").ok_or("a code")?;
/// assert_eq!(told.summary, "Call to unknown function");
/// assert!(told.cause.contains("that no scope has"));
/// # Ok::<(), &str>(())
/// ```
pub fn explain(code: &str) -> Option<Explanation<'static>> {
    explanations().find(|told| told.code == code)
}

/// The letters of a word that is taken for a misspelt last name of a code.
const MIN_MISSPELT: usize = 6;

/// Of `explanations` those that somebody means who writes `text`: the code, else a summary, whatever its case, else an
/// area or its beginning; and where there are none, the code that is nearest.
///
/// ```
/// use hcl_eval::codes::{explanations, find};
///
/// let all: Vec<_> = explanations().collect();
/// assert_eq!(find(&all, "Call to unknown function").unwrap()[0].code, "eval.unknown_function");
/// assert_eq!(find(&all, "eval.unknown_functoin").unwrap_err(), Some("eval.unknown_function"));
/// ```
///
/// # Errors
/// There are none; the code that was probably meant, if there is one.
pub fn find<'e, 'a>(
    explanations: &'e [Explanation<'a>],
    text: &str,
) -> Result<Vec<&'e Explanation<'a>>, Option<&'a str>> {
    let of = |fits: &dyn Fn(&Explanation<'_>) -> bool| {
        explanations.iter().filter(|told| fits(told)).collect::<Vec<_>>()
    };
    let area = format!("{}.", text.trim_end_matches('.'));
    let lowercase = text.to_lowercase();
    let found = [
        of(&|told| told.code == text),
        of(&|told| told.summary.to_lowercase() == lowercase),
        of(&|told| told.code.starts_with(&area)),
    ];
    let found = found.into_iter().find(|found| !found.is_empty());
    found.ok_or_else(|| {
        // The last name alone may have been meant too. Two changes make another word of a short one.
        let whole = nearest(text, explanations.iter().map(|told| told.code));
        whole.or_else(|| {
            let last = |told: &Explanation<'a>| told.code.rsplit('.').next().unwrap_or_default();
            let near = nearest(text, explanations.iter().map(last))
                .filter(|near| *near == text || text.chars().count() >= MIN_MISSPELT)?;
            explanations.iter().find(|told| last(told) == near).map(|told| told.code)
        })
    })
}

/// The examples in Rust are tests of this crate's documentation.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("api.md")]
#[doc = include_str!("value.md")]
#[doc = include_str!("eval.md")]
#[doc = include_str!("limits.md")]
#[derive(Debug)]
pub struct Examples;
