//! Templates: literal text, interpolations and directives.
//!
//! Tokens are read in one pass. Directives nest by a list of open ones, not by recursion; complaints about
//! their nesting come after those about what is inside, as those of the reference implementation do.

use smallvec::SmallVec;

use super::directive::{Continued, OpenDirective, OpenKind};
use super::error::{Directive, SyntaxError, SyntaxErrorKind};
use super::for_expr::{BadIntroduction, ForNames};
use super::input::{Input, Newlines};
use super::literal::{self, Escapes};
use super::state::Parser;
use super::strip::{self, PendingText, Piece};
use crate::ast::ExprId;
use crate::lexer::Within;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// How many pieces a heredoc has, usually at most.
const USUAL_N_PIECES: usize = 32;

/// Lists that the templates of all levels share.
#[derive(Default)]
pub(super) struct TemplateScratch {
    /// The pieces of texts that are not settled.
    pub(super) pieces: SmallVec<[Piece; 4]>,
    /// The texts of flush heredocs.
    pub(super) pending: Vec<PendingText>,
    pub(super) directives: SmallVec<[OpenDirective; 2]>,
    /// Complaints about the nesting of directives.
    complaints: Vec<SyntaxError>,
}

/// The kind of a part of a template.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    Text,
    /// `${…}`, which alone in a template gives its value as it is.
    Interpolation,
    /// `%{…}`, with all up to its end.
    Directive,
}

/// A template that is being read. Its lists begin at these lengths of the shared ones.
struct Template {
    /// The token that ends it.
    closer: TokenKind,
    /// The surroundings of its text, which decide what its tokens are.
    within: Within,
    /// The escapes that its text may have.
    escapes: Escapes,
    /// A heredoc with `<<-`, which loses the indentation that its lines share.
    is_flush: bool,
    /// The first token after the opener.
    start: Span,
    /// In the list of expressions.
    first_part: usize,
    /// In the list of pieces.
    first_piece: usize,
    /// In the list of texts that are settled at the end.
    first_pending: usize,
    /// In the list of open directives: those before it belong to templates around it.
    first_directive: usize,
    /// In the list of complaints.
    first_complaint: usize,
    /// The first piece of the text at hand.
    first_of_text: usize,
    /// True if `~}` was the token before.
    trims_next: bool,
    /// True if a literal was the token before.
    after_literal: bool,
    /// The kind of the part read last; of a template of one part it decides what the template is.
    last_part: Part,
    /// Directives nest too deep: there is no use in saying that they are unclosed.
    is_given_up: bool,
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// `quoted = '"', { part }, '"'`
    pub(super) fn quoted_template(&mut self) -> ExprId {
        match self.input.take_plain_quoted() {
            Some(span) => self.tree.quoted_text(span),
            None => self.delimited_template(TokenKind::OpenQuote),
        }
    }

    /// `heredoc = "<<", [ "-" ], name, newline, { part }, marker`
    pub(super) fn heredoc(&mut self) -> ExprId {
        self.delimited_template(TokenKind::OpenHeredoc)
    }

    /// `opener, { part }, closer`
    fn delimited_template(&mut self, opener: TokenKind) -> ExprId {
        let open = self.input.take(opener);
        let within = self.input.within(opener, open);
        let (closer, is_flush) = match opener {
            TokenKind::OpenHeredoc => (TokenKind::CloseHeredoc, self.input.bytes(open).get(2) == Some(&b'-')),
            _ => (TokenKind::CloseQuote, false),
        };
        let template = self.begin_template(closer, within, is_flush);
        self.template(template, Some(open))
    }

    /// `bare_template = { part }`, up to the end of the text
    pub(super) fn bare_template(&mut self) -> ExprId {
        let template = self.begin_template(TokenKind::EndOfFile, Within::Nothing, false);
        self.template(template, None)
    }

    /// A template at its first token, with the shared lists as they are.
    fn begin_template(&mut self, closer: TokenKind, within: Within, is_flush: bool) -> Template {
        let start = self.input.first_part(within);
        let lists = &mut self.scratch.template;
        if is_flush {
            // Of these all pieces are kept until the end.
            lists.pieces.reserve(USUAL_N_PIECES);
            lists.pending.reserve(USUAL_N_PIECES / 2);
        }
        let escapes = if closer == TokenKind::CloseQuote { Escapes::All } else { Escapes::Sequences };
        Template {
            closer,
            within,
            escapes,
            is_flush,
            start,
            first_part: self.scratch.expressions.len(),
            first_piece: lists.pieces.len(),
            first_pending: lists.pending.len(),
            first_directive: lists.directives.len(),
            first_complaint: lists.complaints.len(),
            first_of_text: lists.pieces.len(),
            trims_next: false,
            after_literal: false,
            last_part: Part::Text,
            is_given_up: false,
        }
    }

    /// Reads the parts and makes a node of them. `open` is the opener, which a bare template has not.
    fn template(&mut self, mut template: Template, open: Option<Span>) -> ExprId {
        let end = self.parts(&mut template);
        self.end_text(&mut template);
        while self.scratch.template.directives.len() > template.first_directive {
            self.unclosed_directive(&mut template, end);
        }
        if template.is_flush {
            self.remove_indentation(template.first_piece, template.first_pending);
        }
        self.scratch.template.pieces.truncate(template.first_piece);
        self.scratch.template.pending.truncate(template.first_pending);
        let complaints = self.scratch.template.complaints.drain(template.first_complaint..);
        for complaint in complaints.collect::<Vec<_>>() {
            self.error(complaint);
        }
        let span = match open {
            Some(open) => open.to(end),
            None => template.start.to(end),
        };
        self.template_node(&template, span)
    }

    /// Makes the node: an interpolation if the template is nothing else, a text if it is one, else a sequence of
    /// parts.
    fn template_node(&mut self, template: &Template, span: Span) -> ExprId {
        let node = match (&self.scratch.expressions[template.first_part..], template.last_part) {
            ([], _) => {
                let text = self.tree.next_text();
                self.tree.template_text(span, span.at_end(), text)
            }
            (&[part], Part::Interpolation) => self.tree.interpolation(span, part),
            (&[part], Part::Text) => self.tree.text_to_template(part, span),
            (parts, _) => self.tree.template(span, parts),
        };
        self.scratch.expressions.truncate(template.first_part);
        node
    }

    /// `part = literal | interpolation | directive`, any number, and the closer. Returns where that is.
    fn parts(&mut self, template: &mut Template) -> Span {
        loop {
            let token = self.input.take_part(template.within);
            if token.kind == template.closer {
                return token.span;
            }
            let trims = std::mem::take(&mut template.trims_next);
            let after_literal = std::mem::take(&mut template.after_literal);
            match token.kind {
                TokenKind::QuotedLiteral | TokenKind::StringLiteral => {
                    self.literal(template, token.span, trims);
                    template.after_literal = true;
                }
                TokenKind::TemplateInterpolation => {
                    self.trim_before(token.span, after_literal);
                    self.interpolation(template, token.span);
                }
                TokenKind::TemplateControl => {
                    self.trim_before(token.span, after_literal);
                    if !self.directive(template, token.span) {
                        template.is_given_up = true;
                        return self.recover_past(template.closer).span;
                    }
                }
                _ => {
                    let kind = SyntaxErrorKind::TemplateUnterminated { start: template.start };
                    self.guarded_error(SyntaxError::new(kind, token.span).from(template.start));
                    return self.recover_past(template.closer).span;
                }
            }
        }
    }

    /// Adds a piece of text, whose bad escapes are reported.
    fn literal(&mut self, template: &Template, span: Span, trims: bool) {
        let is_verbatim = literal::is_verbatim(self.input.text(span), template.escapes, self.report.watch());
        if !is_verbatim && template.escapes == Escapes::All {
            self.check_escapes(span);
        }
        self.scratch.template.pieces.push(Piece::literal(span, is_verbatim, trims));
    }

    /// An opener that ends in `~` trims the literal right before it.
    fn trim_before(&mut self, opener: Span, after_literal: bool) {
        if after_literal
            && opener.len() == 3
            && let Some(piece) = self.scratch.template.pieces.last_mut()
        {
            piece.trim_end = true;
        }
    }

    /// Makes a part of the text that ends here, if there is one.
    fn end_text(&mut self, template: &mut Template) {
        let first_piece = template.first_of_text;
        let end_piece = self.scratch.template.pieces.len();
        if first_piece == end_piece {
            return;
        }
        let node = if template.is_flush {
            let span = strip::span_of(&self.scratch.template.pieces[first_piece..]);
            let node = self.tree.text(span);
            self.scratch.template.pending.push(PendingText { node, first_piece, end_piece });
            template.first_of_text = end_piece;
            node
        } else {
            let node = self.text_node(first_piece, template.escapes);
            self.scratch.template.pieces.truncate(first_piece);
            node
        };
        self.part(template, node, Part::Text);
    }

    fn part(&mut self, template: &mut Template, node: ExprId, kind: Part) {
        self.scratch.expressions.push(node);
        template.last_part = kind;
    }

    /// Ends a text before something that is no literal, which counts when a flush heredoc looks at the beginnings of
    /// lines.
    fn begin_sequence(&mut self, template: &mut Template, opener: Span) {
        self.end_text(template);
        if template.is_flush {
            self.scratch.template.pieces.push(Piece::sequence(opener));
            template.first_of_text = self.scratch.template.pieces.len();
        }
    }

    /// `interpolation = "${", [ "~" ], expression, [ "~" ], "}"`; newlines within do not count.
    fn interpolation(&mut self, template: &mut Template, opener: Span) {
        self.begin_sequence(template, opener);
        let outer = self.input.set_newlines(Newlines::Ignored);
        let expression = self.expression();
        match self.input.take_sequence_end() {
            Some(end) => template.trims_next = trims(end),
            None => {
                let found = self.input.peek();
                self.guarded_error(interpolation_error(template, found));
                self.recover_past(TokenKind::TemplateSequenceEnd);
            }
        }
        self.input.set_newlines(outer);
        self.part(template, expression, Part::Interpolation);
    }

    /// `directive = "%{", [ "~" ], ( "if", expression | "else" | "endif" | "for", introduction, expression
    /// | "endfor" ), [ "~" ], "}"`; newlines within do not count.
    ///
    /// False where nesting reaches its limit.
    fn directive(&mut self, template: &mut Template, opener: Span) -> bool {
        let outer = self.input.set_newlines(Newlines::Ignored);
        let mut goes_on = true;
        match self.directive_word(opener).and_then(|word| Some((word, self.for_names(word)?))) {
            None => {
                self.recover_past(TokenKind::TemplateSequenceEnd);
            }
            Some((directive, names)) => {
                self.begin_sequence(template, opener);
                goes_on = match (directive, names) {
                    (Directive::For, Some(names)) => {
                        let collection = self.expression();
                        self.open_directive(opener, OpenKind::For { names, collection })
                    }
                    (Directive::If, _) => {
                        let condition = self.expression();
                        self.open_directive(opener, OpenKind::If { condition })
                    }
                    _ => {
                        let at = opener.to(self.input.peek().span);
                        self.continue_directive(template, directive, at);
                        true
                    }
                };
                match self.input.take_sequence_end() {
                    Some(end) => template.trims_next = trims(end),
                    None => {
                        let found = self.input.peek().span;
                        let kind = SyntaxErrorKind::DirectiveTrailing { directive };
                        self.guarded_error(SyntaxError::new(kind, found).from(template.start));
                        self.recover_past(TokenKind::TemplateSequenceEnd);
                    }
                }
            }
        }
        self.input.set_newlines(outer);
        goes_on
    }

    /// The word that begins a directive.
    fn directive_word(&mut self, opener: Span) -> Option<Directive> {
        let Some(word) = self.input.eat(TokenKind::Identifier) else {
            let found = self.input.peek().span;
            let kind = SyntaxErrorKind::DirectiveInvalid;
            self.guarded_error(SyntaxError::new(kind, found).from(opener));
            return None;
        };
        let directive = Directive::from_word(self.input.text(word));
        if directive.is_none() {
            let kind = SyntaxErrorKind::DirectiveUnknown;
            self.guarded_error(SyntaxError::new(kind, word).from(opener));
        }
        directive
    }

    /// The names after `for`, none after other words. `None` if they can't be read.
    fn for_names(&mut self, directive: Directive) -> Option<Option<ForNames>> {
        if directive != Directive::For {
            return Some(None);
        }
        let (kind, found) = match self.for_introduction() {
            Ok(names) => return Some(Some(names)),
            Err(BadIntroduction::Name(mismatch)) => {
                (SyntaxErrorKind::DirectiveForNameMissing, mismatch.found)
            }
            Err(BadIntroduction::In(mismatch)) => (SyntaxErrorKind::DirectiveForInMissing, mismatch.found),
        };
        self.guarded_error(SyntaxError::new(kind, found.span));
        None
    }

    /// Opens a directive; false where nesting reaches its limit.
    fn open_directive(&mut self, opener: Span, kind: OpenKind) -> bool {
        let at = opener.to(self.input.peek().span);
        let may_nest = self.begin_directive();
        if may_nest {
            self.scratch.open_directive(kind, at);
        }
        may_nest
    }

    /// `else`, `endif` or `endfor`, for the directive that is open.
    fn continue_directive(&mut self, template: &mut Template, directive: Directive, at: Span) {
        match self.scratch.continue_directive(self.tree, template.first_directive, directive, at) {
            Continued::Branch => {}
            Continued::Ended(node) => {
                self.end_directive();
                self.part(template, node, Part::Directive);
            }
            Continued::Mismatched(open) => {
                self.scratch.template.complaints.push(crossing_error(&open, directive, at));
                self.abandon_directive(template, at);
            }
            Continued::Orphan => {
                let kind = SyntaxErrorKind::DirectiveOrphan { directive };
                self.scratch.template.complaints.push(SyntaxError::new(kind, at));
                let placeholder = self.tree.invalid(at);
                self.part(template, placeholder, Part::Directive);
            }
        }
    }

    /// Ends the innermost directive without a use for it.
    fn abandon_directive(&mut self, template: &mut Template, at: Span) {
        let placeholder = self.tree.invalid(at);
        self.scratch.close_directive();
        self.end_directive();
        self.part(template, placeholder, Part::Directive);
    }

    /// Ends a directive that the template ends in, with a complaint.
    fn unclosed_directive(&mut self, template: &mut Template, end: Span) {
        if let Some(open) = self.scratch.template.directives.last()
            && !template.is_given_up
        {
            let kind = SyntaxErrorKind::DirectiveUnclosed { open: open.directive(), at: open.at };
            self.scratch.template.complaints.push(SyntaxError::new(kind, end));
        }
        self.abandon_directive(template, end);
    }
}

/// True if the end of a sequence, `}` or `~}`, trims the text behind it.
fn trims(end: Span) -> bool {
    const TRIMMING_LEN: u32 = 2;
    end.len() == TRIMMING_LEN
}

/// Returns the complaint about a token where an interpolation should end.
fn interpolation_error(template: &Template, found: Token) -> SyntaxError {
    match found.kind {
        TokenKind::EndOfFile => SyntaxError::new(SyntaxErrorKind::InterpolationUnclosed, template.start),
        TokenKind::OpenQuote | TokenKind::CloseQuote if template.closer == TokenKind::CloseQuote => {
            SyntaxError::new(SyntaxErrorKind::InterpolationUnclosed, template.start)
        }
        TokenKind::Colon => {
            SyntaxError::new(SyntaxErrorKind::InterpolationColon, found.span).from(template.start)
        }
        _ => SyntaxError::new(SyntaxErrorKind::InterpolationTrailing, found.span).from(template.start),
    }
}

/// The complaint about a word that does not continue the directive that is open.
fn crossing_error(open: &OpenDirective, directive: Directive, at: Span) -> SyntaxError {
    let kind = match (open.kind, directive) {
        (OpenKind::Else { .. }, Directive::Else) => SyntaxErrorKind::DirectiveSecondElse { at: open.at },
        _ => SyntaxErrorKind::DirectiveMismatched { directive, open: open.directive(), at: open.at },
    };
    SyntaxError::new(kind, at)
}
