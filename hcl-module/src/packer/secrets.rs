//! Texts that are not to be shown.

use std::borrow::Cow;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::Range;

use hcl_eval::eval::Evaluation;
use hcl_eval::{Str, Value};
use hcl_syntax::config::{Bounds, Unbounded};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::HashMap;
use hcl_syntax::sorting::sorted_places_on;

/// The texts in the values of sensitive variables and locals. Values flow freely in templates, so what is kept from
/// view are the texts, wherever they occur.
///
/// ```
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions};
/// use hcl_syntax::diagnostic::IntoResult;
///
/// let text = "variable \"key\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n";
/// let files = TextFiles::from_iter([("image.pkr.hcl", text)]);
/// let template = Template::read(".", &files, &TemplateOptions::default()).into_result()?;
/// assert!(!template.secrets().blot("the key is hunter2").contains("hunter2"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// The texts as they came, none of them empty.
    texts: Vec<Str>,
    /// The places of the texts, in the order of the texts and each text once.
    sorted: Vec<usize>,
    /// Of each text in that order the position of the longest other one that it begins with.
    beginnings: Vec<Option<usize>>,
    /// A limit ended the search for the texts, so any text may be one.
    is_cut: bool,
}

/// The stand-in for a text that is not to be shown.
const BLOT: &str = "<sensitive>";

/// How much work it is to look for a secret at one place of a text.
const PARTS_OF_SEARCH: usize = 16;

/// How many bytes of two texts are compared in the time of a part of work.
const BYTES_COMPARED: usize = 64;

/// A text as messages quote it, if that is another one.
fn as_quoted(text: &Str) -> Option<Str> {
    let quoted = format!("{:?}", text.as_str());
    let quoted = &quoted[1..quoted.len() - 1];
    (quoted != text.as_str()).then(|| quoted.into())
}

impl Secrets {
    /// The texts in values, at any depth. If `bounds` end the search, everything is a secret.
    pub(super) fn of(values: impl Iterator<Item = Value>, bounds: &mut dyn Bounds) -> Self {
        let mut found = Self::default();
        let is_whole = found.gather(values, bounds) && found.arrange(bounds).is_ok();
        if is_whole { found } else { Self { is_cut: true, ..Self::default() } }
    }

    /// Takes the texts of values; false if `bounds` end that.
    fn gather(&mut self, values: impl Iterator<Item = Value>, bounds: &mut dyn Bounds) -> bool {
        let mut goes_on = true;
        for value in values {
            value.walk_while(&mut |_, part| {
                goes_on = bounds.goes_on(PARTS_OF_SEARCH);
                if let Some(text) = part.as_text().filter(|text| !text.is_empty()) {
                    // A quoted text grows by doubling, and is copied.
                    let n_bytes = 3 * text.chars().map(|c| c.escape_debug().len()).sum::<usize>();
                    goes_on =
                        goes_on && bounds.goes_on(text.len() / BYTES_COMPARED) && bounds.has_room(n_bytes);
                    if goes_on {
                        self.texts.extend(as_quoted(text));
                    }
                    self.texts.push(text.clone());
                }
                if goes_on { Continue(true) } else { Break(()) }
            });
            if !goes_on {
                break;
            }
        }
        goes_on
    }

    /// Puts the texts in order, unless `bounds` end that.
    fn arrange(&mut self, bounds: &mut dyn Bounds) -> Result<(), ()> {
        let texts = &self.texts;
        if !bounds.has_room(texts.len() * size_of::<[usize; 5]>()) {
            return Err(());
        }
        let mut go_on = |n| if bounds.goes_on(n) { Ok(()) } else { Err(()) };
        let n_bytes = texts.iter().map(|text| text.len()).sum();
        let places = sorted_places_on(texts.len(), n_bytes, &|a, b| texts[a].cmp(&texts[b]), &mut go_on)?;
        // The texts that the one at hand begins with lie behind each other, the longest last.
        let mut open: Vec<usize> = Vec::new();
        for place in places {
            let text = texts[place].as_str();
            go_on(PARTS_OF_SEARCH + text.len() / BYTES_COMPARED)?;
            let other = |at: usize| texts[self.sorted[at]].as_str();
            if open.last().is_some_and(|&last| other(last) == text) {
                continue;
            }
            while open.pop_if(|at| !text.starts_with(other(*at))).is_some() {}
            self.beginnings.push(open.last().copied());
            open.push(self.sorted.len());
            self.sorted.push(place);
        }
        Ok(())
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && !self.is_cut
    }

    /// The length of the longest secret that a text begins with.
    fn longest_at_start(&self, text: &[u8]) -> Option<usize> {
        if self.is_cut {
            return Some(text.len());
        }
        let secret = |at: usize| self.texts[self.sorted[at]].as_bytes();
        // Of the secrets that sort before the text the last one begins with all those that the text begins with.
        let mut at =
            self.sorted.partition_point(|&place| self.texts[place].as_bytes() <= text).checked_sub(1)?;
        while !text.starts_with(secret(at)) {
            at = self.beginnings[at]?;
        }
        Some(secret(at).len())
    }

    /// The first place from `from` on that secrets take up; those that overlap are one place. If `bounds` end the search, it is
    /// all of the rest.
    fn next_place(&self, text: &str, from: usize, bounds: &mut dyn Bounds) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let mut found: Option<Range<usize>> = None;
        for start in from..bytes.len() {
            if found.as_ref().is_some_and(|found| start >= found.end) {
                break;
            }
            if !bounds.goes_on(PARTS_OF_SEARCH) {
                return Some(found.map_or(start, |found| found.start)..bytes.len());
            }
            if let Some(len) = self.longest_at_start(&bytes[start..]) {
                let place = found.get_or_insert(start..start + len);
                place.end = place.end.max(start + len);
            }
        }
        found
    }

    /// Where a text begins that is cut, and that may be a secret.
    fn cut_secret(&self, text: &str) -> Option<usize> {
        let begins_one = |&start: &usize| {
            let rest = &text[start..];
            let at = self.sorted.partition_point(|&place| self.texts[place].as_str() < rest);
            self.sorted.get(at).is_some_and(|&place| self.texts[place].starts_with(rest))
        };
        text.char_indices().map(|(start, _)| start).find(begins_one)
    }

    /// The description of a value without the secrets in it. Long texts are cut in descriptions.
    fn blot_description(&self, description: &str, bounds: &mut dyn Bounds) -> String {
        let mut blotted = self.blot_within(description, bounds).into_owned();
        if let Some(start) = blotted.strip_suffix("…\"").and_then(|cut| self.cut_secret(cut)) {
            blotted.truncate(start);
            blotted.push_str(BLOT);
            blotted.push('"');
        }
        blotted
    }

    /// A text without the secrets in it.
    pub fn blot<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.blot_within(text, &mut Unbounded)
    }

    fn blot_within<'t>(&self, text: &'t str, bounds: &mut dyn Bounds) -> Cow<'t, str> {
        let mut blotted = String::new();
        let mut done = 0;
        while let Some(place) = self.next_place(text, done, bounds) {
            blotted.push_str(&text[done..place.start]);
            blotted.push_str(BLOT);
            done = place.end;
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        blotted.push_str(&text[done..]);
        Cow::Owned(blotted)
    }

    /// A diagnostic without the secrets in its detail and the values that it tells. Its title stays; the lines of the
    /// source that a snippet shows are left out if they contain one.
    pub fn blot_diagnostic(&self, diagnostic: Diagnostic) -> Diagnostic {
        self.blot_one(diagnostic, &mut HashMap::default(), &mut Unbounded)
    }

    /// Diagnostics as [`Secrets::blot_diagnostic`] gives them. If a limit ends that, the others are left out, and the last one
    /// says so.
    pub fn blot_diagnostics(&self, diagnostics: Diagnostics, evaluation: &mut Evaluation<'_>) -> Diagnostics {
        if self.is_empty() {
            return diagnostics;
        }
        let mut known = HashMap::default();
        let mut blotted = Diagnostics::new();
        for diagnostic in diagnostics {
            let diagnostic = self.blot_one(diagnostic, &mut known, evaluation.bounds());
            if evaluation.stopped() {
                evaluation.tell_limit(None, &mut blotted);
                break;
            }
            blotted.push(diagnostic);
        }
        blotted
    }

    /// `known` has the stretches of texts that have been looked at, by the place in memory.
    #[inline(never)] // Inlined into the C interface, which is optimised less for size, it makes the library 0.7 KB larger.
    fn blot_one(
        &self,
        mut diagnostic: Diagnostic,
        known: &mut HashMap<Range<usize>, bool>,
        bounds: &mut dyn Bounds,
    ) -> Diagnostic {
        // The limit that ended the search for secrets is told in full.
        if !(self.is_cut && diagnostic.code.starts_with("limit.")) {
            diagnostic.detail = self.blot_within(&diagnostic.detail, bounds).into_owned();
        }
        for value in &mut diagnostic.values {
            value.description = self.blot_description(&value.description, bounds);
        }
        let shows_secret = shown(&diagnostic).is_some_and(|lines| {
            let start = lines.as_ptr().addr();
            *known
                .entry(start..start + lines.len())
                .or_insert_with(|| self.next_place(lines, 0, bounds).is_some())
        });
        if shows_secret {
            diagnostic.source = None;
        }
        diagnostic
    }
}

/// The lines that a snippet of a diagnostic shows.
fn shown(diagnostic: &Diagnostic) -> Option<&str> {
    let (source, subject) = diagnostic.source.as_ref().zip(diagnostic.subject.as_ref())?;
    let widest = diagnostic.context.as_ref().unwrap_or(subject);
    let text = source.text();
    let (subject, widest) = (source.span_of(subject), source.span_of(widest));
    let first = (subject.start.min(widest.start) as usize).min(text.len());
    let last = (subject.end.max(widest.end) as usize).clamp(first, text.len());
    let bytes = text.as_bytes();
    let start = bytes[..first].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[last..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| last + at);
    text.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_blotted_out_wherever_they_are() {
        let texts = ["hunter", "hunter2", ""].map(Value::string);
        let secrets = Secrets::of(std::iter::once(Value::tuple(texts.to_vec())), &mut Unbounded);
        assert_eq!(secrets.blot("user:hunter2/hunter!"), "user:<sensitive>/<sensitive>!");
        assert_eq!(secrets.blot("nothing"), "nothing");
    }

    #[test]
    fn nothing_is_left_of_secrets_that_overlap() {
        let texts = ["ab", "abc", "bcd", "a\u{e9}", "x", "\u{e9}\u{e9}"].map(Value::string);
        let secrets = Secrets::of(texts.into_iter(), &mut Unbounded);
        let blotted = |text| secrets.blot(text).into_owned();
        assert_eq!(blotted("abcde"), "<sensitive>e");
        assert_eq!(blotted("abab"), "<sensitive><sensitive>");
        assert_eq!(blotted("ba\u{e9}\u{e9}c"), "b<sensitive>c");
        assert_eq!(blotted("xx-abd"), "<sensitive><sensitive>-<sensitive>d");
        assert_eq!(blotted("aba"), "<sensitive>a");
    }

    #[test]
    fn secrets_are_found_where_they_are_quoted_or_cut() {
        let long = "token".repeat(20);
        let texts = ["pa\"ss\\word77", &long].map(Value::string);
        let secrets = Secrets::of(texts.into_iter(), &mut Unbounded);
        let detail = format!("cannot parse {:?} as a number", "pa\"ss\\word77");
        assert_eq!(secrets.blot(&detail), "cannot parse \"<sensitive>\" as a number");
        let described = |text: &str| secrets.blot_description(text, &mut Unbounded);
        assert_eq!(described(&format!("\"{}…\"", &long[..60])), "\"<sensitive>\"");
        assert_eq!(described(&format!("\"user {}…\"", &long[..55])), "\"user <sensitive>\"");
        assert_eq!(described("\"nothing of…\""), "\"nothing of…\"");
        assert_eq!(described("a list of string with 3 elements"), "a list of string with 3 elements");
    }

    /// Bounds that end at one of their looks.
    struct AtMost(usize);

    impl Bounds for AtMost {
        fn goes_on(&mut self, _n_parts: usize) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        }

        fn has_room(&mut self, _n_bytes: usize) -> bool {
            true
        }

        fn max_diagnostics(&self) -> usize {
            10
        }
    }

    #[test]
    fn everything_is_a_secret_until_all_are_known() {
        let texts = Value::tuple(["b", "a", "ab", "b"].map(Value::string).to_vec());
        let blotted = |n| {
            let secrets = Secrets::of(std::iter::once(texts.clone()), &mut AtMost(n));
            let diagnostic = |code| Diagnostic::error(code, "T", "a limit of x");
            let detail = |code| secrets.blot_diagnostic(diagnostic(code)).detail;
            assert!(!secrets.is_empty());
            (secrets.blot("x").into_owned(), detail("limit.steps"), detail("packer.local"))
        };
        let told = |texts: [&str; 3]| texts.map(str::to_owned).into();
        assert_eq!(blotted(100), told(["x", "<sensitive> limit of x", "<sensitive> limit of x"]));
        for n in 0..10 {
            assert_eq!(blotted(n), told(["<sensitive>", "a limit of x", "<sensitive>"]), "{n}");
        }
    }
}
