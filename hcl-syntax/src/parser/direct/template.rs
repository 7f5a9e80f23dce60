//! Quoted templates; those with `$${` or `%%{`, and heredocs, by their tokens.

use super::{Reader, span};
use crate::ast::ExprId;
use crate::lexer::{self, quoted_stop};
use crate::parser::cursor::Newlines;
use crate::parser::directive::{Continued, OpenKind};
use crate::parser::error::Directive;
use crate::parser::literal::{self, Escapes};
use crate::parser::scanned::Scanned;
use crate::parser::state::Parser;
use crate::parser::template::Part;
use crate::source::Span;

/// How many templates may be read directly within each other. Where one is given up it is read again, with all in it.
const MAX_TEMPLATES: u32 = 4;

/// How long the end of a sequence is that trims the text behind it: `~}`.
const TRIMMING_END: u32 = 2;

impl Reader<'_> {
    /// `quoted = '"', { part }, '"'`
    #[inline(always)]
    pub(super) fn quoted(&mut self) -> Option<ExprId> {
        match self.plain_quoted() {
            Some(span) => Some(self.tree.quoted_text(span)),
            None => self.template(),
        }
    }

    /// The same, if it is not plain text.
    #[inline(never)]
    fn template(&mut self) -> Option<ExprId> {
        let (start, newlines) = (self.pos, self.newlines);
        if self.n_templates < MAX_TEMPLATES {
            let (lengths, n_expressions) = (self.tree.lengths(), self.scratch.expressions.len());
            let (n_steps, n_directives) = (self.scratch.steps.len(), self.scratch.template.directives.len());
            self.n_templates += 1;
            let node = self.nested(Self::parts, ());
            self.n_templates -= 1;
            if node.is_some() || self.has_errors {
                return node;
            }
            self.tree.shorten(&lengths);
            self.scratch.expressions.truncate(n_expressions);
            self.scratch.steps.truncate(n_steps);
            self.scratch.template.directives.truncate(n_directives);
            (self.pos, self.newlines) = (start, newlines);
        }
        self.by_tokens()
    }

    #[inline(never)]
    fn parts(&mut self, (): ()) -> Option<ExprId> {
        let open = self.take();
        let first = self.scratch.expressions.len();
        let first_directive = self.scratch.template.directives.len();
        let mut last_part = Part::Text;
        let mut trims = false;
        while self.may_go_on() {
            if let Some(text) = self.text_part(trims)? {
                self.scratch.expressions.push(text);
                last_part = Part::Text;
            }
            (trims, last_part) = match self.byte_at(self.pos) {
                b'"' => {
                    let is_complete = self.scratch.template.directives.len() == first_directive;
                    let span = open.to(self.take());
                    return is_complete.then(|| self.template_node(span, first, last_part));
                }
                b'$' => (self.interpolation()?, Part::Interpolation),
                _ => (self.directive(first_directive)?, Part::Directive),
            };
        }
        None
    }

    fn template_node(&mut self, span: Span, first: usize, last_part: Part) -> ExprId {
        let node = match (&self.scratch.expressions[first..], last_part) {
            (&[text], Part::Text) if matches!(self.bytes(span), b"\"$\"" | b"\"%\"") => {
                // One token, as plain text is.
                self.tree.discard_from(text.index());
                self.tree.quoted_text(span)
            }
            (&[text], Part::Text) => self.tree.text_to_template(text, span),
            (&[interpolation], Part::Interpolation) => self.tree.interpolation(span, interpolation),
            (parts, _) => self.tree.template(span, parts),
        };
        self.scratch.expressions.truncate(first);
        node
    }

    /// `interpolation = "${", [ "~" ], expression, [ "~" ], "}"`. Whether it trims the text behind it.
    #[inline]
    fn interpolation(&mut self) -> Option<bool> {
        self.take_opener();
        let outer = self.set_newlines(Newlines::Ignored);
        let expression = self.expression()?;
        let close = self.eat_end_of_sequence()?;
        self.newlines = outer;
        self.scratch.expressions.push(expression);
        Some(close.len() == TRIMMING_END)
    }

    /// `directive = "%{", [ "~" ], ( "if", expression | "else" | "endif" | "for", introduction, expression | "endfor" ),
    /// [ "~" ], "}"`, for the innermost of those from `first` on. Whether it trims the text behind it.
    #[inline(never)]
    fn directive(&mut self, first: usize) -> Option<bool> {
        let opener = self.take_opener();
        let outer = self.set_newlines(Newlines::Ignored);
        let word = self.eat_name()?;
        let directive = Directive::from_word(&self.text[word.start as usize..word.end as usize])?;
        let opened = match directive {
            Directive::If => Some(OpenKind::If { condition: self.expression()? }),
            Directive::For => {
                Some(OpenKind::For { names: self.for_names()?, collection: self.expression()? })
            }
            Directive::Else | Directive::EndIf | Directive::EndFor => None,
        };
        let close = self.eat_end_of_sequence()?;
        let at = opener.to(close);
        match opened {
            Some(kind) if self.n_levels() < self.max_depth => self.scratch.open_directive(kind, at),
            Some(_) => return None,
            None => match self.scratch.continue_directive(self.tree, first, directive, at) {
                Continued::Branch => {}
                Continued::Ended(node) => self.scratch.expressions.push(node),
                Continued::Mismatched(_) | Continued::Orphan => return None,
            },
        }
        self.newlines = outer;
        Some(close.len() == TRIMMING_END)
    }

    /// How many levels there are here: calls and directives.
    fn n_levels(&self) -> u32 {
        self.depth + self.n_directives()
    }

    fn n_directives(&self) -> u32 {
        u32::try_from(self.scratch.template.directives.len()).unwrap_or(u32::MAX)
    }

    /// Takes `${` or `%{`, and a marker.
    #[inline]
    fn take_opener(&mut self) -> Span {
        let start = self.pos;
        self.pos += if self.byte_at(start + 2) == b'~' { 3 } else { 2 };
        span(start, self.pos)
    }

    /// Takes `}` or `~}`.
    #[inline]
    fn eat_end_of_sequence(&mut self) -> Option<Span> {
        let start = match self.peek() {
            b'}' => self.pos,
            b'~' if self.at(b"~}") => self.pos,
            _ => return None,
        };
        self.pos += if self.byte_at(start) == b'~' { 2 } else { 1 };
        Some(span(start, self.pos))
    }

    /// Takes text up to a quote, `${` or `%{`, if there is some. What is before it may trim it, and so may what follows.
    #[inline]
    fn text_part(&mut self, trims_start: bool) -> Option<Option<ExprId>> {
        let start = self.pos;
        let has_escapes = self.end_of_text_part()?;
        let part = span(start, self.pos);
        if self.pos == start {
            return Some(None);
        }
        let trims_end = self.byte_at(self.pos) != b'"' && self.byte_at(self.pos + 2) == b'~';
        if trims_start || trims_end {
            return self.trimmed_text(part, trims_start, trims_end).map(Some);
        }
        if !has_escapes {
            return Some(Some(self.tree.text(part)));
        }
        self.scratch.text.clear();
        literal::decode(&self.text[start..self.pos], Escapes::All, &mut self.scratch.text);
        Some(Some(self.tree.decoded_text(part, &self.scratch.text)))
    }

    /// A text without the white space that markers beside it take away.
    #[inline(never)]
    fn trimmed_text(&mut self, part: Span, trims_start: bool, trims_end: bool) -> Option<ExprId> {
        let written = &self.text[part.start as usize..part.end as usize];
        if written.contains(['$', '%']) {
            // It is several tokens, and each marker is about one of them.
            return None;
        }
        self.scratch.text.clear();
        literal::decode(written, Escapes::All, &mut self.scratch.text);
        let mut text = &*self.scratch.text;
        if trims_end {
            text = text.trim_end();
        }
        if trims_start {
            text = text.trim_start();
        }
        Some(self.tree.decoded_text(part, text))
    }

    /// Goes to a quote, `${` or `%{`. Whether there are escapes before it.
    fn end_of_text_part(&mut self) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let mut has_escapes = false;
        while self.may_go_on() {
            self.pos = quoted_stop(bytes, self.pos);
            match bytes[self.pos..] {
                [b'"', ..] | [b'$' | b'%', b'{', ..] => return Some(has_escapes),
                [first @ (b'$' | b'%'), second, b'{', ..] if first == second => return None,
                [b'$' | b'%', ..] => self.pos += 1,
                [b'\\', ..] => {
                    self.pos += literal::escape_len(&self.text[self.pos..])?;
                    has_escapes = true;
                }
                _ => return None,
            }
        }
        None
    }

    /// A quoted template or a heredoc, read by its tokens. There is none if it has errors.
    pub(super) fn by_tokens(&mut self) -> Option<ExprId> {
        let node = self.read_tokens();
        self.has_errors = node.is_none();
        node
    }

    #[inline(never)]
    fn read_tokens(&mut self) -> Option<ExprId> {
        let tokens = std::mem::take(&mut self.tokens);
        let (tokens, end) = lexer::scan_template(self.source, self.pos, self.watch, tokens)?;
        let scanned = Scanned::new(self.text, &tokens, self.watch);
        let (depth, n_directives) = (self.depth, self.n_directives());
        let (tree, scratch) = (&mut *self.tree, &mut self.scratch);
        let mut parser = Parser::new(tree, scratch, self.source, &scanned, self.newlines, self.limits);
        // The expression that it is counts there.
        parser.set_depth(depth + 1, n_directives);
        let node = parser.template_of_tokens();
        if parser.has_errors() {
            return None;
        }
        self.tokens = tokens;
        self.pos = end;
        Some(node)
    }
}
