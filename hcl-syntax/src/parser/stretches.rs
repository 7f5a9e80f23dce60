//! Long files, scanned and read stretch by stretch, so that no more tokens are held than caches hold.
//!
//! A stretch ends with a line behind which nothing is open: there an item of the file's body begins, or nothing. What is
//! said of errors is about the tokens before them, too, so a file that has any is read again as a whole.

use std::sync::Arc;

use super::cursor::{Newlines, Scanned};
use super::drop_unended_comment;
use super::state::{Parser, Scratch};
use super::{File, ParseLimits};
use crate::ast::Tree;
use crate::diagnostic::Diagnostics;
use crate::format::bracket_change;
use crate::lexer::{Detail, Lexer};
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::{Token, TokenKind};

/// Texts up to this length are one stretch: reading them so has been measured more, and few files are longer.
const LONG: usize = 12 << 20;
/// How much is scanned at once.
const STRETCH: usize = 1 << 16;

/// Whether a file is read in this way.
pub(super) fn is_long(source: &Source) -> bool {
    source.text().len() > LONG
}

/// Reads a file. Gives back nothing but the list of tokens if it has errors.
pub(super) fn parse_long_file(
    source: &Arc<Source>,
    limits: &ParseLimits,
) -> Result<(File, Diagnostics), Vec<Token>> {
    parse_by_stretches(source, limits, STRETCH)
}

fn parse_by_stretches(
    source: &Arc<Source>,
    limits: &ParseLimits,
    len: usize,
) -> Result<(File, Diagnostics), Vec<Token>> {
    let watch = Watch::new(limits);
    let mut stretches = Stretches::new(source, &watch, len);
    stretches.advance();
    let n_tokens = stretches.n_expected();
    let mut tree = Tree::new(Arc::clone(source), n_tokens);
    let mut scratch = Scratch::default();
    let mut items = None;
    while !stretches.lexer.has_problems {
        let scanned = Scanned::without_problems(source.text(), &stretches.lexer.tokens, &watch);
        let mut parser = Parser::new(&mut tree, source, &scanned, Newlines::Significant, limits);
        parser.scratch = scratch;
        let items = items.get_or_insert_with(|| parser.begin_long_file(n_tokens));
        let end = parser.rest_of_body(items, TokenKind::EndOfFile);
        if parser.has_errors() && watch.stopped().is_none() || !parser.names_differ(items) {
            break;
        }
        if !stretches.has_more {
            let body = parser.end_body(items, end);
            let diagnostics = parser.finish();
            tree.shrink(n_tokens);
            return Ok((File { tree: Arc::new(tree), body }, diagnostics));
        }
        scratch = std::mem::take(&mut parser.scratch);
        stretches.advance();
    }
    Err(stretches.lexer.tokens)
}

/// A scanner that stops where nothing is open.
struct Stretches<'s> {
    source: &'s Source,
    /// Its tokens are those of the stretch at hand, and the end of the file.
    lexer: Lexer<'s>,
    /// What has been scanned beyond the stretch.
    rest: Vec<Token>,
    /// Whether there is a stretch after this one.
    has_more: bool,
    /// How much is scanned at once.
    len: usize,
}

impl<'s> Stretches<'s> {
    fn new(source: &'s Source, watch: &'s Watch, len: usize) -> Self {
        let lexer = Lexer::of_source(source, Detail::PlainQuoted, watch);
        Self { source, lexer, rest: Vec::new(), has_more: true, len }
    }

    /// Goes on to the next stretch.
    fn advance(&mut self) {
        let tokens = &mut self.lexer.tokens;
        tokens.clear();
        tokens.append(&mut self.rest);
        let (mut n_looked_at, mut depth, mut end) = (0, 0, None);
        let mut len = self.len;
        while self.has_more && end.is_none() {
            self.has_more = self.lexer.scan_on(len);
            for (at, token) in self.lexer.tokens.iter().enumerate().skip(n_looked_at) {
                depth += bracket_change(token.kind);
                if depth == 0 && matches!(token.kind, TokenKind::Newline | TokenKind::Comment) {
                    end = Some(at + 1);
                }
            }
            n_looked_at = self.lexer.tokens.len();
            // Where nothing ends for long, ever more is scanned before it is looked at again.
            len = len.saturating_mul(2);
        }
        let tokens = &mut self.lexer.tokens;
        if !self.has_more {
            return drop_unended_comment(self.source, tokens);
        }
        if let Some(end) = end {
            self.rest.extend_from_slice(&tokens[end..]);
            tokens.truncate(end);
            let end = tokens.last().map_or(0, |last| last.span.end);
            tokens.push(Token { kind: TokenKind::EndOfFile, span: Span::empty_at(end) });
        }
    }

    /// How many tokens there will be, going by the first stretch.
    fn n_expected(&self) -> usize {
        let tokens = &self.lexer.tokens;
        let scanned = tokens.last().map_or(1, |last| last.span.end as usize).max(1);
        let len = self.source.text().len();
        tokens.len().saturating_mul(len / scanned + 1).min(len + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::run;

    /// The tree of a text, and what is said of it, by stretches of this length.
    fn by_stretches(source: &Arc<Source>, len: usize) -> Option<String> {
        let limits = ParseLimits::default();
        let (file, diagnostics) = parse_by_stretches(source, &limits, len).ok()?;
        assert_eq!(diagnostics, [], "{}", source.text());
        Some(format!("{file:?}"))
    }

    fn as_a_whole(source: &Arc<Source>) -> (String, Diagnostics) {
        let limits = ParseLimits::default();
        let (body, tree, diagnostics) =
            run(source, (Detail::Grammar, Vec::new()), &limits, Newlines::Significant, |parser| {
                parser.file_body()
            });
        (format!("{:?}", File { tree, body }), diagnostics)
    }

    #[test]
    fn files_are_those_that_are_read_as_a_whole() {
        let texts = [
            "\u{feff}a = 1\nb = 2 # two\n# three\nc = 3",
            "\n\n# one\nb \"l\" {\n  a = [\n    1,\nx\n  ]\n}\nc = {\nd = 1\n}\n# last",
            "a = <<END\nx ${ f(\n1,\n2) } y\nEND\nb = \"${ [\n1\n] }\"\nc = f(\n1\n)\nd = {}\n",
            "/* one\ntwo */ a = 1\nb {\n}\n/* three\n*/\n// four\r\nc = 1\r\n",
            "a = 1\nb = 2\na = 3\n",
            "a = [\n\nb = 1\nc = 2\n",
            "a = 1\n}\nb = {\n",
            "a = 1 ] [\nb = 1\n",
            "a = \"\nb = 1\n",
            "a = ;\n",
        ];
        for text in texts {
            let source = Arc::new(Source::new("input", text).expect("a short text"));
            let (whole, diagnostics) = as_a_whole(&source);
            for len in (1..20).chain([usize::MAX]) {
                let file = by_stretches(&source, len);
                assert_eq!(file, diagnostics.is_empty().then(|| whole.clone()), "{len} bytes of {text:?}");
            }
        }
    }

    #[test]
    fn attributes_of_other_stretches_are_known() {
        let mut text: String = (0..40_000).map(|i| format!("k{i} = {i}\n")).collect();
        let parse = |text: &str| {
            let source = Arc::new(Source::new("input", text).expect("a short text"));
            parse_by_stretches(&source, &ParseLimits::default(), STRETCH)
        };
        assert!(text.len() > 4 * STRETCH);
        let n_attributes = |(file, _): (File, Diagnostics)| file.body().attributes().count();
        assert_eq!(parse(&text).map(n_attributes), Ok(40_000));
        for again in ["k7 = 1\n", "k39999 = 2\n", "k20000 = 3\n"] {
            let len = text.len();
            text.push_str(again);
            assert!(parse(&text).is_err(), "{again}");
            text.truncate(len);
        }
    }
}
