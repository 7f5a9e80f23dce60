//! Comments that belong to an item: read and set.

use super::address::Address;
use super::find::Found;
use super::{Document, Reach, Replacement, error};
use crate::diagnostic::Error;
use crate::lexer::tokens;
use crate::sorting::sort_by;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// The comments of an item, as they are written, without line ends.
///
/// ```
/// use hcl_syntax::edit::Document;
///
/// let document = Document::parse("main.hcl", "# Of the host\nport = 80 // usual\n")?;
/// let comments = document.comments(&"port".parse()?)?;
/// assert_eq!((comments.lead, comments.line), (vec!["# Of the host".to_owned()], vec!["// usual".to_owned()]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comments {
    /// Those directly above it and before it in its line.
    pub lead: Vec<String>,
    /// Those behind it in its line.
    pub line: Vec<String>,
}

impl Document {
    /// The comments of one item.
    ///
    /// ```
    /// use hcl_syntax::edit::{Document, Reach};
    ///
    /// let mut document = Document::parse("main.hcl", "# Of the host\nport = 80 // usual\n").unwrap();
    /// let port = "port".parse().unwrap();
    /// assert_eq!(document.comments(&port).unwrap().line, ["// usual"]);
    /// document.set_lead_comment(&port, "One line.\nAnother.", Reach::One).unwrap();
    /// document.set_line_comment(&port, "", Reach::One).unwrap();
    /// assert_eq!(document.text(), "# One line.\n# Another.\nport = 80\n");
    /// ```
    ///
    /// # Errors
    /// The address names nothing or several places.
    pub fn comments(&self, address: &Address) -> Result<Comments, Error> {
        let found = self.targets(address, Reach::One)?;
        Ok(found.first().map(|found| self.comments_of(*found)).unwrap_or_default())
    }

    /// The comments of something that was found.
    pub fn comments_of(&self, found: Found<'_>) -> Comments {
        let layout = self.layout();
        let (item, source) = (found.span(), self.file().source());
        let lead = layout.tokens_in(Span::new(layout.lead_start(item), item.start));
        let is_comment = |token: &&Token| token.kind == TokenKind::Comment;
        let text = |token: &Token| source.slice(token.span).trim_end_matches(['\r', '\n']).to_owned();
        let line = layout.line_comments(item.end);
        Comments {
            lead: lead.iter().filter(is_comment).map(text).collect(),
            line: line.iter().map(text).collect(),
        }
    }

    /// Gives items other comments above them; an empty text takes those away that are there. Lines that are no comments
    /// become such.
    ///
    /// # Errors
    /// The address names nothing or several places, or something that has no line of its own.
    pub fn set_lead_comment(&mut self, address: &Address, text: &str, reach: Reach) -> Result<(), Error> {
        let layout = self.layout();
        let comment = lead_comment(text)?;
        let mut replacements = Vec::new();
        for found in self.targets(address, reach)? {
            let item = found.span();
            let start = layout.lead_start(item);
            if !layout.begins_line(layout.token_at(start)) {
                return Err(error::no_lines(self.file().source(), address, found).into());
            }
            let mut written = String::new();
            for line in &comment {
                written.push_str(line);
                written.push_str(layout.newline());
                written.push_str(layout.indentation(item.start));
            }
            replacements.push(Replacement { span: Span::new(start, item.start), text: written.into_bytes() });
        }
        self.apply(replacements)
    }

    /// Gives items another comment behind them in their line; an empty text takes those away that are there. A text that is
    /// no comment becomes one.
    ///
    /// # Errors
    /// The text has several lines, the address names nothing or several places, or something else stands behind an item
    /// in its line.
    pub fn set_line_comment(&mut self, address: &Address, text: &str, reach: Reach) -> Result<(), Error> {
        let layout = self.layout();
        let comment = line_comment(text)?;
        let mut replacements = Vec::new();
        for found in self.targets(address, reach)? {
            let item = found.span();
            if layout.end_of_line(item.end).is_none() {
                return Err(error::no_lines(self.file().source(), address, found).into());
            }
            let source = self.file().source();
            let (_, comma) = layout.behind_in_line(item.end);
            let behind = comma.map_or(item.end, |comma| comma.span.end);
            let old = layout.line_comments(item.end).into_iter().map(|token| {
                let before =
                    layout.before(layout.token_at(token.span.start)).map_or(item.end, |it| it.span.end);
                let text = source.slice(token.span).trim_end_matches(['\r', '\n']);
                let end = token.span.start + u32::try_from(text.len()).unwrap_or_default();
                (source.slice(Span::new(before, token.span.start)), Span::new(before, end))
            });
            let old: Vec<_> = old.collect();
            let gap = old.first().map_or(" ", |(gap, _)| gap);
            let written = if comment.is_empty() { String::new() } else { format!("{gap}{comment}") };
            replacements.push(Replacement { span: Span::empty_at(behind), text: written.into_bytes() });
            replacements.extend(old.into_iter().map(|(_, span)| Replacement { span, text: Vec::new() }));
        }
        sort_by(&mut replacements, |a, b| a.span.start.cmp(&b.span.start));
        self.apply(replacements)
    }
}

/// The lines of a comment above an item.
pub(super) fn lead_comment(text: &str) -> Result<Vec<String>, Error> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let source = Source::new("comment", text).map_err(|_| error::refused(None))?;
    let is_written = tokens(&source)
        .iter()
        .all(|token| matches!(token.kind, TokenKind::Comment | TokenKind::Newline | TokenKind::EndOfFile));
    let lines = text.lines();
    Ok(match is_written {
        true => lines.map(str::to_owned).collect(),
        false => lines.map(|line| format!("# {line}").trim_end().to_owned()).collect(),
    })
}

/// A comment behind an item.
fn line_comment(text: &str) -> Result<String, Error> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.contains(['\r', '\n']) {
        return Err(error::no_comment(text).into());
    }
    Ok(lead_comment(text)?.concat())
}
