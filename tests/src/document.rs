//! Case documents: Markdown with inputs and expectations in fences.
//!
//! A heading names a case; the fences up to the next heading belong to it. A case also sees the `vars`
//! fences of the headings it stands under. Only fences with a word are looked at; prose is for readers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A case document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it is.
    pub path: PathBuf,
    /// The cases, in order.
    pub cases: Vec<Case>,
    lines: Vec<String>,
}

/// The content below one heading.
#[derive(Clone, Debug)]
pub struct Case {
    /// The document's name and the heading.
    pub name: String,
    /// The fences, in order.
    pub fences: Vec<Fence>,
    /// Variables that enclosing headings define, outermost first.
    pub outer_variables: Vec<String>,
}

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fence {
    /// The word after the opening backticks.
    pub word: String,
    /// The words after it: the dialects that the input is evaluated in.
    pub dialects: Vec<String>,
    /// The lines between the backticks, each with its newline.
    pub text: String,
    /// The number of the first line between the backticks, from 0.
    pub first_line: usize,
    /// The number of lines between the backticks.
    pub n_lines: usize,
}

/// New text for a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The fence as it is.
    pub fence: Fence,
    /// The text that ought to be in it.
    pub text: String,
}

impl Document {
    /// All documents below a folder, by path.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn read_all(folder: &Path) -> io::Result<Vec<Self>> {
        let mut paths = Vec::new();
        collect(folder, &mut paths)?;
        paths.sort();
        paths.into_iter().map(|path| Self::read(folder, path)).collect()
    }

    fn read(folder: &Path, path: PathBuf) -> io::Result<Self> {
        let text = fs::read_to_string(&path)?;
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        Ok(Self::parse(path, &name, &text))
    }

    /// Reads a document's text.
    pub fn parse(path: PathBuf, name: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let cases = Reader { name, lines: &lines, cases: Vec::new(), variables: Vec::new() }.read();
        Self { path, cases, lines }
    }

    /// The text with new contents of fences.
    pub fn with_replacements(&self, replacements: &[Replacement]) -> String {
        let mut lines = self.lines.clone();
        let mut sorted: Vec<_> = replacements.iter().collect();
        sorted.sort_by_key(|replacement| std::cmp::Reverse(replacement.fence.first_line));
        for Replacement { fence, text } in sorted {
            let range = fence.first_line..fence.first_line + fence.n_lines;
            lines.splice(range, text.lines().map(str::to_owned));
        }
        lines.join("\n") + "\n"
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Reads headings and fences line by line.
struct Reader<'a> {
    name: &'a str,
    lines: &'a [String],
    cases: Vec<Case>,
    /// The `vars` fences of the headings around, with the heading's level.
    variables: Vec<(usize, String)>,
}

impl Reader<'_> {
    fn read(mut self) -> Vec<Case> {
        let mut level = 0;
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            let hashes = line.bytes().take_while(|&byte| byte == b'#').count();
            if hashes > 0 && line[hashes..].starts_with(' ') {
                level = hashes;
                self.begin_case(level, line[hashes..].trim());
            } else if let Some(words) = line.strip_prefix("```") {
                at = self.fence(words, at + 1, level);
            }
            at += 1;
        }
        self.cases.retain(|case| !case.fences.is_empty());
        self.cases
    }

    fn begin_case(&mut self, level: usize, heading: &str) {
        self.variables.retain(|(outer, _)| *outer < level);
        let outer_variables = self.variables.iter().map(|(_, text)| text.clone()).collect();
        let name = format!("{}: {heading}", self.name);
        self.cases.push(Case { name, fences: Vec::new(), outer_variables });
    }

    /// Reads a fence whose first line is at `first_line`; returns the line that closes it.
    fn fence(&mut self, words: &str, first_line: usize, level: usize) -> usize {
        let mut words = words.split_whitespace().map(str::to_owned);
        let word = words.next().unwrap_or_default();
        let inside = self.lines[first_line..].iter().take_while(|line| !line.starts_with("```"));
        let n_lines = inside.clone().count();
        let text: String = inside.flat_map(|line| [line.as_str(), "\n"]).collect();
        if word == "vars" {
            self.variables.push((level, text.clone()));
        }
        if let (Some(case), false) = (self.cases.last_mut(), word.is_empty()) {
            case.fences.push(Fence { word, dialects: words.collect(), text, first_line, n_lines });
        }
        first_line + n_lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_fences_make_cases() {
        let text = "# Top\n\n```vars\nx = 1\n```\n\n## Inner\n\n```hcl\na = x # = 1\n```\n\n```value\n```\n";
        let document = Document::parse("top.md".into(), "top", text);
        let inner = document.cases.last().expect("two cases");
        assert_eq!(inner.name, "top: Inner");
        assert_eq!(inner.outer_variables, ["x = 1\n"]);
        assert_eq!(inner.fences[0].text, "a = x # = 1\n");
        let replacement = Replacement { fence: inner.fences[1].clone(), text: "a = 1\n".into() };
        let expected = text.replace("```value\n", "```value\na = 1\n");
        assert_eq!(document.with_replacements(&[replacement]), expected);
    }
}
