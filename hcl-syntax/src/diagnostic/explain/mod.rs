//! Explanations of the codes of diagnostics: cause and cure, with an example of each.
//!
//! The texts are Markdown, a file for each area. A second-level heading is a code; below it stand the summary of
//! such diagnostics in italics, the cause, in fences an input that leads to one, the cure, and in fences the input
//! as it should be. Where the cured input needs what goes before the input (`vars`, `scope`, `spec`) unchanged, it is
//! not said again. Tests run the examples. Here are the texts of the syntax; `hcl_eval::codes` has all.

use std::fmt::Write as _;

use super::Severity;
use super::render::{Ink, Page, RenderOptions};
use crate::packed::Packed;
use crate::source::Range;

/// The explanation of a code.
///
/// ```
/// use hcl_syntax::diagnostic::explain::explanations;
/// use hcl_syntax::diagnostic::render::RenderOptions;
///
/// let semicolon = explanations().find(|told| told.code == "lex.semicolon").unwrap();
/// let mut text = String::new();
/// semicolon.render(&RenderOptions::default(), &mut text);
/// assert!(text.contains("lex.semicolon") && text.contains("a = 1; b = 2"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation<'a> {
    /// The code, for example `lex.semicolon`.
    pub code: &'a str,
    /// The summary that diagnostics with the code have, or of several the one of the example.
    pub summary: &'a str,
    /// The cause of the problem.
    pub cause: &'a str,
    /// The cure.
    pub cure: &'a str,
    /// An input that leads to the diagnostic; nothing where no text does so by itself.
    pub wrong: Vec<Example<'a>>,
    /// The input as it should be.
    pub right: Vec<Example<'a>>,
}

/// A part of an example.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Example<'a> {
    /// The kind of text: `hcl`, `json`, `expression`, `spec`, `sh` …, perhaps with more words.
    pub language: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The texts of this crate, a zero byte between one file and the next.
static TEXTS: Packed = Packed::new(include_bytes!(concat!(env!("OUT_DIR"), "/explain.z")));

/// The codes of diagnostics about syntax and about what a body may contain.
///
/// ```
/// use hcl_syntax::diagnostic::explain::explanations;
///
/// let semicolon = explanations().find(|told| told.code == "lex.semicolon").ok_or("explained")?;
/// assert_eq!(semicolon.wrong[0].text, "a = 1; b = 2\n");
/// # Ok::<(), &str>(())
/// ```
pub fn explanations() -> impl Iterator<Item = Explanation<'static>> {
    TEXTS.text().split('\0').flat_map(read)
}

/// Reads the explanations in a text.
pub fn read(text: &str) -> impl Iterator<Item = Explanation<'_>> {
    text.split("\n## ").skip(1).map(read_section)
}

fn read_section(section: &str) -> Explanation<'_> {
    let (code, rest) = section.split_once('\n').unwrap_or((section, ""));
    let (summary, rest) = rest.trim_start().split_once('\n').unwrap_or_default();
    let (cause, rest) = prose(rest);
    let (wrong, rest) = examples(rest);
    let (cure, rest) = prose(rest);
    let (right, _) = examples(rest);
    // Without an example the last paragraph of all is the cure.
    let (cause, cure) = match cause.rsplit_once("\n\n") {
        Some((cause, last)) if wrong.is_empty() => (cause, last),
        _ => (cause, cure),
    };
    let summary = summary.trim().trim_matches('*');
    Explanation { code: code.trim(), summary, cause, cure, wrong, right }
}

/// The paragraphs up to the next fence, and the text from there.
fn prose(text: &str) -> (&str, &str) {
    let end = text.find("```").unwrap_or(text.len());
    (text[..end].trim(), &text[end..])
}

/// The fences up to the next paragraph, and the text from there.
fn examples(mut text: &str) -> (Vec<Example<'_>>, &str) {
    let mut found = Vec::new();
    while let Some((language, rest)) = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')) {
        let end =
            if rest.starts_with("```") { 0 } else { rest.find("\n```").map_or(rest.len(), |at| at + 1) };
        let (inside, rest) = rest.split_at(end);
        found.push(Example { language, text: inside });
        text = rest.strip_prefix("```").unwrap_or(rest).trim_start();
    }
    (found, text)
}

/// A place in a part of an example, to be pointed at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExamplePlace {
    /// Which part of the wrong input, from 0.
    pub part: usize,
    /// The place in it.
    pub range: Range,
    /// The text beside the pointer.
    pub note: String,
}

impl Explanation<'_> {
    /// Appends the explanation as text for people.
    pub fn render(&self, options: &RenderOptions, out: &mut String) {
        self.render_with(&[], options, out);
    }

    /// Appends the explanation as text for people, with places in the wrong input pointed at.
    pub fn render_with(&self, places: &[ExamplePlace], options: &RenderOptions, out: &mut String) {
        let mut page = Page::new(Severity::Warning, options, out);
        page.text(Ink::Strong, self.code);
        if !self.summary.is_empty() {
            page.text(Ink::Plain, &format!(": {}", self.summary));
        }
        page.end_line();
        page.end_line();
        page.prose(self.cause);
        write_examples(&self.wrong, places, "Example:", &mut page);
        page.end_line();
        page.prose(self.cure);
        write_examples(&self.right, &[], "Corrected:", &mut page);
    }
}

fn write_examples(examples: &[Example<'_>], places: &[ExamplePlace], title: &str, page: &mut Page<'_>) {
    for (idx, example) in examples.iter().enumerate() {
        let language = match example.language.split(' ').next().unwrap_or_default() {
            "vars" => "Variables",
            "scope" => "Circumstances",
            "spec" => "Specification",
            "sh" => "Shell",
            "rust" => "Rust",
            _ => "",
        };
        page.end_line();
        let mut line = String::new();
        if idx == 0 {
            line.push_str(title);
        }
        if !language.is_empty() {
            let gap = if idx == 0 { " " } else { "" };
            // Writing to a string does not fail.
            let _ = write!(line, "{gap}({language})");
        }
        if !line.is_empty() {
            page.text(Ink::Plain, "  ");
            page.text(Ink::Faint, &line);
            page.end_line();
            page.end_line();
        }
        let lines = (1u32..).zip(example.text.lines());
        for (number, line) in lines.filter(|(_, line)| !line.starts_with("# ")) {
            page.text(Ink::Plain, &format!("      {line}"));
            page.end_line();
            for place in places.iter().filter(|place| place.part == idx && place.range.start.line == number) {
                write_pointer(place, page);
            }
        }
        if example.text.is_empty() {
            page.text(Ink::Faint, "      (an empty file)");
            page.end_line();
        }
        let n_lines = example.text.lines().count();
        let behind = |place: &&ExamplePlace| place.part == idx && place.range.start.line as usize > n_lines;
        for place in places.iter().filter(behind) {
            write_pointer(place, page);
        }
    }
}

/// A line of carets below a place, and what is to be said of it.
fn write_pointer(place: &ExamplePlace, page: &mut Page<'_>) {
    let Range { start, end, .. } = &place.range;
    let width = if start.line == end.line { end.column.saturating_sub(start.column).max(1) } else { 1 };
    let blanks = " ".repeat(start.column.saturating_sub(1) as usize);
    page.text(Ink::Plain, &format!("      {blanks}"));
    page.text(Ink::Strong, &"^".repeat(width as usize));
    page.text(Ink::Plain, " ");
    page.text(Ink::Strong, &place.note);
    page.end_line();
}
