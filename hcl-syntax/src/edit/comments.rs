//! Comments that belong to an item: read and set.

use super::address::Address;
use super::find::Found;
use super::layout::Layout;
use super::{Document, Reach, Replacement, error};
use crate::config::push_within;
use crate::diagnostic::Error;
use crate::lexer::tokens_within;
use crate::limits::{Stopped, Watch};
use crate::parser::ParseLimits;
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
        self.comments_within(address, &self.limits)
    }

    /// [`Document::comments`] within other limits than those of the document.
    ///
    /// # Errors
    /// The address names nothing or several places, or a limit was reached.
    pub fn comments_within(&self, address: &Address, limits: &ParseLimits) -> Result<Comments, Error> {
        let watch = Watch::new(limits);
        let work = self.work(limits, &watch)?;
        let found = work.targets(address, Reach::One)?;
        let comments = found.first().map(|found| work.layout().comments_of(*found)).unwrap_or_default();
        work.go_on()?;
        Ok(comments)
    }

    /// The comments of something that was found.
    pub fn comments_of(&self, found: Found<'_>) -> Comments {
        self.layout(&Watch::idle()).comments_of(found)
    }

    /// Gives items other comments above them; an empty text takes those away that are there. Lines that are no comments
    /// become such.
    ///
    /// # Errors
    /// The address names nothing or several places, or something that has no line of its own.
    pub fn set_lead_comment(&mut self, address: &Address, text: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            let layout = work.layout();
            let comment = lead_comment(text, &self.limits)?;
            let mut edits = work.edits();
            for found in work.targets(address, reach)? {
                let item = found.span();
                let start = layout.lead_start(item);
                if !layout.begins_line(layout.token_at(start)) {
                    return Err(work.refuse(|source| error::no_lines(source, address, found)));
                }
                let mut written = String::new();
                for line in comment.lines() {
                    written.push_str(line);
                    written.push_str(layout.newline);
                    written.push_str(layout.indentation(item.start));
                    work.go_on()?;
                }
                edits
                    .push(&Replacement { span: Span::new(start, item.start), text: written.into_bytes() })?;
            }
            work.applied(edits)?
        };
        self.take(edited);
        Ok(())
    }

    /// Gives items another comment behind them in their line; an empty text takes those away that are there. A text that is
    /// no comment becomes one.
    ///
    /// # Errors
    /// The text has several lines, the address names nothing or several places, or something else stands behind an item
    /// in its line.
    pub fn set_line_comment(&mut self, address: &Address, text: &str, reach: Reach) -> Result<(), Error> {
        let watch = Watch::new(&self.limits);
        let edited = {
            let work = self.work(&self.limits, &watch)?;
            let comment = line_comment(text, &self.limits)?;
            let mut edits = work.edits();
            for found in work.targets(address, reach)? {
                if work.layout().end_of_line(found.span().end).is_none() {
                    return Err(work.refuse(|source| error::no_lines(source, address, found)));
                }
                edits.extend(work.layout().line_comment_set(found.span(), &comment))?;
            }
            work.applied(edits)?
        };
        self.take(edited);
        Ok(())
    }
}

impl Layout<'_> {
    /// The comments of something that was found.
    fn comments_of(self, found: Found<'_>) -> Comments {
        let item = found.span();
        let lead = self.tokens_in(Span::new(self.lead_start(item), item.start));
        let is_comment = |token: &&Token| token.kind == TokenKind::Comment;
        let line = self.line_comments(item.end);
        let [lead, line] = [lead, &line].map(|tokens| {
            let mut comments = Vec::new();
            for token in tokens.iter().take_while(|_| self.goes_on()).filter(is_comment) {
                let text = self.source.slice(token.span).trim_end_matches(['\r', '\n']);
                push_within(&mut comments, self.watch.joined(&[text]), &mut { self.watch });
            }
            comments
        });
        Comments { lead, line }
    }

    /// The changes that give an item another comment behind it in its line.
    fn line_comment_set(self, item: Span, comment: &str) -> Vec<Replacement> {
        let source = self.source;
        let (_, comma) = self.behind_in_line(item.end);
        let behind = comma.map_or(item.end, |comma| comma.span.end);
        let old = self.line_comments(item.end).into_iter().take_while(|_| self.goes_on()).map(|token| {
            let before = self.before(self.token_at(token.span.start)).map_or(item.end, |it| it.span.end);
            let text = source.slice(token.span).trim_end_matches(['\r', '\n']);
            let end = token.span.start + u32::try_from(text.len()).unwrap_or_default();
            (source.slice(Span::new(before, token.span.start)), Span::new(before, end))
        });
        let old: Vec<_> = old.collect();
        let gap = old.first().map_or(" ", |(gap, _)| gap);
        let written = if comment.is_empty() { String::new() } else { self.watch.joined(&[gap, comment]) };
        let new = Replacement { span: Span::empty_at(behind), text: written.into_bytes() };
        let removed = old.into_iter().map(|(_, span)| Replacement { span, text: Vec::new() });
        [new].into_iter().chain(removed).collect()
    }
}

/// A comment above an item: lines with a newline between.
pub(super) fn lead_comment(text: &str, limits: &ParseLimits) -> Result<String, Error> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return Ok(String::new());
    }
    let source = Source::new("comment", text).map_err(|_| error::refused(None))?;
    let stopped = |stopped: Stopped| stopped.diagnostic("Reading", source.name());
    let watch = Watch::new(limits);
    let tokens = tokens_within(&source, limits).map_err(stopped)?;
    let is_written = watch.all(&tokens, |token| {
        matches!(token.kind, TokenKind::Comment | TokenKind::Newline | TokenKind::EndOfFile)
    });
    let mut lines = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        watch.count_bytes(line.len()).map_err(stopped)?;
        lines.push_str(if index == 0 { "" } else { "\n" });
        match is_written {
            true => lines.push_str(line),
            false => lines.push_str(format!("# {line}").trim_end()),
        }
    }
    Ok(lines)
}

/// A comment behind an item.
fn line_comment(text: &str, limits: &ParseLimits) -> Result<String, Error> {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.contains(['\r', '\n']) {
        return Err(error::no_comment(text).into());
    }
    lead_comment(text, limits)
}
