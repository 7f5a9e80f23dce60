//! The wording of problems with the syntax; no other file of the parser has any.
//!
//! The grammar names a [`SyntaxErrorKind`] and places; [`SyntaxErrorKind::wording`] turns the kind into
//! code, summary and detail. Summaries are those of the reference implementation, because tools match on
//! them. Details are ours: what was found, what was expected, what to do.

mod habit;
mod kind;

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::source::{Source, Span};

pub(super) use kind::{Directive, ForEnd, SyntaxErrorKind};

/// A complaint: what, where, and within what.
#[derive(Copy, Clone, Debug)]
pub(super) struct SyntaxError {
    /// The kind, which decides the wording.
    kind: SyntaxErrorKind,
    /// The place that it is about.
    subject: Span,
    /// The construct around it that a snippet shows.
    context: Option<Span>,
    /// The text that the detail says was found; mostly the subject.
    found: Span,
}

impl SyntaxError {
    /// A complaint about `subject`.
    pub(super) fn new(kind: SyntaxErrorKind, subject: Span) -> Self {
        Self { kind, subject, context: None, found: subject }
    }

    /// Sets a context that begins where `first` does and ends with the subject.
    #[must_use]
    pub(super) fn from(mut self, first: Span) -> Self {
        self.context = Some(first.to(self.subject));
        self
    }

    /// Sets the context.
    #[must_use]
    pub(super) fn within(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Sets the text that was found, where it is not the subject.
    #[must_use]
    pub(super) fn found(mut self, found: Span) -> Self {
        self.found = found;
        self
    }

    /// The complaint in words.
    pub(super) fn diagnostic(&self, source: &Source) -> Diagnostic {
        let (code, summary, detail) = self.kind.wording(source, self.found);
        let diagnostic = Diagnostic::error(code, summary, detail).at(source, self.subject);
        match self.context {
            Some(context) => diagnostic.within(source, context),
            None => diagnostic,
        }
    }
}

/// Names the text at `span`, for use in a sentence.
fn found(source: &Source, span: Span) -> String {
    const LONGEST: usize = 40;
    let text = source.display(span);
    if text.is_empty() {
        return "the end of the text".to_owned();
    }
    if text == "\"" {
        return "a quotation mark".to_owned();
    }
    if text.ends_with('\n') {
        return "the end of the line".to_owned();
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

impl ForEnd {
    /// The advice about something that stands behind a part of a `for` expression.
    fn advice(self) -> &'static str {
        match self {
            Self::TupleResult => {
                "Found after the result. End the expression with \"]\", or write \"if\" and a condition before it."
            }
            Self::ObjectResult => {
                "Found after the result. End the expression with \"}\"; before it only \"...\" and, behind that, \"if\" with a condition may stand."
            }
            Self::Grouping => {
                "Found after \"...\". End the expression with \"}\", or write \"if\" and a condition before it."
            }
            Self::TupleCondition => "Found after the condition. End the expression with \"]\".",
            Self::ObjectCondition => "Found after the condition. End the expression with \"}\".",
        }
    }
}

impl SyntaxErrorKind {
    /// Code, summary and detail. What the text around shows takes the place of the fixed detail.
    fn wording(self, source: &Source, place: Span) -> (&'static str, &'static str, Cow<'static, str>) {
        let (code, summary, advice) = self.fixed_wording();
        if let Some(detail) = habit::detail(self, source, place) {
            return (code, summary, detail.into());
        }
        let detail = match self {
            Self::AttributeRedefined { first } => {
                let name = source.display(place);
                let first = source.range(first);
                format!("The argument \"{name}\" was already set at {first}. {advice}").into()
            }
            Self::EscapeUnknown | Self::EscapeNoCharacter => {
                format!("{} {advice}", found(source, place)).into()
            }
            Self::EscapeTooShort { digits } => {
                format!("{} needs exactly {digits} hexadecimal digits. {advice}", found(source, place)).into()
            }
            Self::DirectiveUnknown => {
                let word = source.display(place);
                let hint = match nearest(&word, Directive::WORDS) {
                    Some(meant) => format!(" Did you mean \"{meant}\"?"),
                    None => String::new(),
                };
                format!("\"{word}\" is no directive. {advice}{hint}").into()
            }
            Self::DirectiveUnclosed { open, at } => {
                let (word, closer, at) = (open.word(), open.closer(), source.range(at));
                format!("The \"{word}\" directive at {at} has no \"{closer}\". {advice}").into()
            }
            Self::DirectiveMismatched { directive, open, at } => {
                let (word, open, closer, at) =
                    (directive.word(), open.word(), open.closer(), source.range(at));
                format!(
                    "\"{word}\" stands where the \"{open}\" directive at {at} needs \"{closer}\". {advice}"
                )
                .into()
            }
            Self::DirectiveOrphan { directive } => {
                let word = directive.word();
                format!("No open directive is continued or ended by this \"{word}\". {advice}").into()
            }
            Self::DirectiveSecondElse { at } => {
                format!("The \"if\" directive at {} already has an \"else\". {advice}", source.range(at))
                    .into()
            }
            Self::DepthLimit { max_depth } => {
                format!("Brackets, blocks and templates may nest {max_depth} levels deep. {advice}").into()
            }
            Self::DiagnosticsLimit { n_left_out } => {
                format!("{n_left_out} further problems were found. {advice}").into()
            }
            _ if advice.starts_with("Found") => {
                advice.replacen("Found", &format!("Found {}", found(source, place)), 1).into()
            }
            _ => advice.into(),
        };
        (code, summary, detail)
    }

    /// Code, summary and the part of the detail that is always the same. A detail that begins with
    /// "Found" goes on to name what was found.
    #[expect(clippy::too_many_lines, reason = "a table: one entry for each kind")]
    fn fixed_wording(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ItemRequired => (
                "parse.item_required",
                "Argument or block definition required",
                "Found where an argument or a block should begin. Write a name here, then \"=\" and a value, or labels and a body in braces.",
            ),
            Self::ItemIncomplete => (
                "parse.item_incomplete",
                "Argument or block definition required",
                "Found with nothing usable after it. For an argument go on with \"=\" and a value, for a block with labels and \"{\" on the same line.",
            ),
            Self::ArgumentNameQuoted => (
                "parse.argument_name_quoted",
                "Invalid argument name",
                "The name of an argument is written without quotes. Remove them.",
            ),
            Self::ArgumentRequired => (
                "parse.argument_required",
                "Argument definition required",
                "A block on a single line contains one argument and no block. Put the contents on lines of their own.",
            ),
            Self::AttributeRedefined { .. } => (
                "parse.attribute_redefined",
                "Attribute redefined",
                "An argument is set once in a body; remove one of the two.",
            ),
            Self::AttributeNewlineMissing => (
                "parse.attribute_newline_missing",
                "Missing newline after argument",
                "Found after the value of an argument, where the line should end. Begin a new line, or put brackets around a value that spans lines.",
            ),
            Self::AttributeCommaUnexpected => (
                "parse.attribute_comma",
                "Unexpected comma after argument",
                "Arguments are separated by newlines. Remove the comma.",
            ),
            Self::BlockEqualsUnexpected => (
                "parse.block_equals",
                "Invalid block definition",
                "A block has no equals sign before its brace. Remove it; or if this is an argument, write one name before it.",
            ),
            Self::BlockNewlineUnexpected => (
                "parse.block_newline",
                "Invalid block definition",
                "The line ends within the header of a block. Put the labels and \"{\" on the line of the block type.",
            ),
            Self::BlockHeaderInvalid => (
                "parse.block_header",
                "Invalid block definition",
                "Found in the header of a block. Only labels, as names or in quotes, and \"{\" may follow the block type.",
            ),
            Self::OneLineBlockComma => (
                "parse.one_line_block_comma",
                "Invalid single-argument block definition",
                "A block on a single line contains one argument. To set more, put each on a line of its own, without commas.",
            ),
            Self::OneLineBlockNewline => (
                "parse.one_line_block_newline",
                "Invalid single-argument block definition",
                "A block that begins on the line of its \"{\" must end on it too. Put \"}\" on this line, or the argument on the next.",
            ),
            Self::OneLineBlockInvalid => (
                "parse.one_line_block",
                "Invalid single-argument block definition",
                "Found where \"}\" should end the block. A block on a single line contains one argument and nothing else.",
            ),
            Self::BlockUnclosed => (
                "parse.block_unclosed",
                "Unclosed configuration block",
                "The text ends before this block does. Add the missing \"}\", or look for an opening bracket that is one too many.",
            ),
            Self::BlockNewlineMissing => (
                "parse.block_newline_missing",
                "Missing newline after block definition",
                "Found after a block, where the line should end. Begin a new line.",
            ),
            Self::LabelTemplate => (
                "parse.label_template",
                "Invalid string literal",
                "A plain string is required here, without interpolations and directives. To mean the characters themselves, double the first one: \"$${\" or \"%%{\".",
            ),
            Self::LabelUnterminated => (
                "parse.label_unterminated",
                "Unterminated string literal",
                "The text ends within a quoted string. Add the closing quote.",
            ),
            Self::LabelInvalid => (
                "parse.label_invalid",
                "Invalid string literal",
                "Found within a quoted string that must be plain text on one line. Close the quotes before it.",
            ),
            Self::EscapeUnknown => (
                "parse.escape_unknown",
                "Invalid escape sequence",
                "is no escape sequence. A backslash begins one of \\n \\r \\t \\\" \\\\ \\uNNNN \\UNNNNNNNN; write \"\\\\\" for a backslash.",
            ),
            Self::EscapeTooShort { .. } => {
                ("parse.escape_too_short", "Invalid escape sequence", "Pad the number with zeros in front.")
            }
            Self::EscapeNoCharacter => (
                "parse.escape_no_character",
                "Invalid escape sequence",
                "is no Unicode character. Use a number up to 10FFFF outside of D800 to DFFF.",
            ),
            Self::ExpressionMissing => (
                "parse.expression_missing",
                "Missing expression",
                "The text ends where a value was expected. Add an expression.",
            ),
            Self::ExpressionInvalid => (
                "parse.expression_invalid",
                "Invalid expression",
                "Found where a value was expected. Write a literal, a reference, a call, a template, or an expression in brackets; inside brackets it may span lines.",
            ),
            Self::NumberInvalid => (
                "parse.number_invalid",
                "Invalid number literal",
                "Found where a number was expected. A number is decimal digits with at most one point and one exponent, of a size that can be stored.",
            ),
            Self::ParenthesesUnbalanced => (
                "parse.parentheses_unbalanced",
                "Unbalanced parentheses",
                "Found where \")\" should close the parentheses. Add it, or an operator between two values.",
            ),
            Self::ConditionalColonMissing => (
                "parse.conditional_colon_missing",
                "Missing false expression in conditional",
                "Found where \":\" should begin the second result. A conditional is CONDITION ? RESULT : OTHER_RESULT.",
            ),
            Self::FunctionNameMissing => (
                "parse.function_name_missing",
                "Missing function name",
                "Found after \"::\", where the name of a function or a namespace should stand. Write it on the same line.",
            ),
            Self::FunctionParenthesisMissing => (
                "parse.function_parenthesis_missing",
                "Missing open parenthesis",
                "Found after a name with \"::\", which can only be that of a function. Add its arguments in parentheses.",
            ),
            Self::ArgumentSeparatorMissing => (
                "parse.argument_separator_missing",
                "Missing argument separator",
                "Found after an argument of a call. Add a comma before the next argument, or \")\" to end the call.",
            ),
            Self::CallUnterminated => (
                "parse.call_unterminated",
                "Unterminated function call",
                "The text ends before this call does. Add the missing \")\".",
            ),
            Self::CallExpansionNotLast => (
                "parse.call_expansion_not_last",
                "Missing closing parenthesis",
                "An argument that is expanded with \"...\" is the last one. End the call with \")\" right after it.",
            ),
            Self::IndexBracketMissing => (
                "parse.index_bracket_missing",
                "Missing close bracket on index",
                "Found where \"]\" should end the index. An index is one expression in brackets.",
            ),
            Self::SplatBracketMissing => (
                "parse.splat_bracket_missing",
                "Missing close bracket on splat index",
                "Found after \"[*\". A splat is written \"[*]\"; the steps for each element follow the bracket.",
            ),
            Self::AttributeNameInvalid => (
                "parse.attribute_name_invalid",
                "Invalid attribute name",
                "Found where the name of an attribute should follow a dot. For a name with other characters write the name in quotes and brackets.",
            ),
            Self::SplatNested => (
                "parse.splat_nested",
                "Nested splat expression not allowed",
                "\".*\" can't be applied to what \".*\" gives. Use \"[*]\" for both.",
            ),
            Self::LegacyIndexFraction => (
                "parse.legacy_index_fraction",
                "Invalid legacy index syntax",
                "Two indexes after dots read as one fractional number. Write them in brackets, as in [0][1]; after \".*\" use \"[*]\" in its place.",
            ),
            Self::TupleSeparatorMissing => (
                "parse.tuple_separator_missing",
                "Missing item separator",
                "Found after an element. Add a comma before the next element, or \"]\" to end the list.",
            ),
            Self::TupleUnterminated => (
                "parse.tuple_unterminated",
                "Unterminated tuple constructor expression",
                "The text ends before this list does. Add the missing \"]\".",
            ),
            Self::ObjectSeparatorMissing => (
                "parse.object_separator_missing",
                "Missing key/value separator",
                "Found after a key. Write \"=\" or \":\" between the key and its value.",
            ),
            Self::ObjectSeparatorMissingBeforeName => (
                "parse.object_separator_missing",
                "Missing key/value separator",
                "Found after a key. Write \"=\" or \":\" between the key and its value; put a key that is no plain name in quotes.",
            ),
            Self::ObjectValueMissing => (
                "parse.object_value_missing",
                "Missing attribute value",
                "Found after a key. Write \"=\" or \":\" and the value on the line of the key.",
            ),
            Self::ObjectItemSeparatorMissing => (
                "parse.object_item_separator_missing",
                "Missing attribute separator",
                "Found after a value. Begin a new line or add a comma before the next key, or \"}\" to end the object.",
            ),
            Self::ObjectUnterminated => (
                "parse.object_unterminated",
                "Unterminated object constructor expression",
                "The text ends before this object does. Add the missing \"}\".",
            ),
            Self::ForNameMissing => (
                "parse.for_name_missing",
                "Invalid 'for' expression",
                "Found where a name for the element should stand. Write \"for NAME in\" or \"for KEY, NAME in\".",
            ),
            Self::ForInMissing => (
                "parse.for_in_missing",
                "Invalid 'for' expression",
                "Found after the names. Write \"in\" and the collection to go through.",
            ),
            Self::ForColonMissing => (
                "parse.for_colon_missing",
                "Invalid 'for' expression",
                "Found after the collection. Write \":\" and the result for each element.",
            ),
            Self::ForTrailing(end) => ("parse.for_trailing", "Invalid 'for' expression", end.advice()),
            Self::ForKeyInTuple => (
                "parse.for_key_in_tuple",
                "Invalid 'for' expression",
                "A list has no keys. Remove the key and \"=>\", or make an object by writing braces in place of the brackets.",
            ),
            Self::ForGroupingInTuple => (
                "parse.for_grouping_in_tuple",
                "Invalid 'for' expression",
                "Grouping with \"...\" needs keys. Remove it, or make an object by writing braces and KEY => VALUE.",
            ),
            Self::ForKeyMissing => (
                "parse.for_key_missing",
                "Invalid 'for' expression",
                "An object needs keys. Write KEY => VALUE, or make a list by writing brackets in place of the braces.",
            ),
            Self::ExpressionTrailing => (
                "parse.expression_trailing",
                "Extra characters after expression",
                "Found after the end of the expression. Remove it, or add the operator that is missing before it.",
            ),
            Self::TemplateUnterminated { .. } => (
                "parse.template_unterminated",
                "Unterminated template string",
                "Found before the end of a template. Add the closing quote, or end a heredoc with its marker on a line of its own.",
            ),
            Self::InterpolationUnclosed => (
                "parse.interpolation_unclosed",
                "Unclosed template interpolation sequence",
                "An interpolation in this template has no end. Add the missing \"}\"; for the characters themselves write \"$${\".",
            ),
            Self::InterpolationTrailing => (
                "parse.interpolation_trailing",
                "Extra characters after interpolation expression",
                "Found where \"}\" should end the interpolation. Remove it, or add the operator that is missing before it.",
            ),
            Self::InterpolationColon => (
                "parse.interpolation_colon",
                "Extra characters after interpolation expression",
                "Found where \"}\" should end the interpolation. If this is shell syntax and not an expression, write \"$${\" for \"${\".",
            ),
            Self::DirectiveInvalid => (
                "parse.directive_invalid",
                "Invalid template directive",
                "Found after \"%{\". A directive begins with if, else, endif, for or endfor; for the characters themselves write \"%%{\".",
            ),
            Self::DirectiveUnknown => (
                "parse.directive_unknown",
                "Invalid template control keyword",
                "Use if, else, endif, for or endfor; for the characters themselves write \"%%{\".",
            ),
            Self::DirectiveForNameMissing => (
                "parse.directive_for_name_missing",
                "Invalid 'for' directive",
                "Found where a name for the element should stand. Write \"for NAME in\" or \"for KEY, NAME in\".",
            ),
            Self::DirectiveForInMissing => (
                "parse.directive_for_in_missing",
                "Invalid 'for' directive",
                "Found after the names. Write \"in\" and the collection to go through.",
            ),
            Self::DirectiveTrailing { directive } => (
                "parse.directive_trailing",
                directive.trailing_summary(),
                "Found where \"}\" should end the directive. Remove it, or put it in a directive of its own.",
            ),
            Self::DirectiveUnclosed { .. } => {
                ("parse.directive_unclosed", "Unexpected end of template", "Add it before the template ends.")
            }
            Self::DirectiveOrphan { directive } => (
                "parse.directive_orphan",
                directive.unexpected_summary(),
                "Remove it, or open one before it.",
            ),
            Self::DirectiveMismatched { directive, .. } => (
                "parse.directive_mismatched",
                directive.unexpected_summary(),
                "Directives nest and do not cross; close the inner one first.",
            ),
            Self::DirectiveSecondElse { .. } => (
                "parse.directive_second_else",
                "Unexpected else directive",
                "Remove one of the two, or nest another \"if\" in it.",
            ),
            Self::VariableRequired => (
                "parse.variable_required",
                "Variable name required",
                "Found where a reference should begin. Write the name of a variable.",
            ),
            Self::TraversalNameRequired => (
                "parse.traversal_name_required",
                "Attribute name required",
                "Found where the name of an attribute should follow a dot. Write a name, or an index in brackets.",
            ),
            Self::TraversalSplat => (
                "parse.traversal_splat",
                "Attribute name required",
                "A splat can't be used in this reference. Name one attribute or one index.",
            ),
            Self::TraversalKeyRequired => (
                "parse.traversal_key_required",
                "Index value required",
                "Found where an index should stand. Write a number or a quoted string without interpolations.",
            ),
            Self::TraversalBracketMissing => (
                "parse.traversal_bracket_missing",
                "Unclosed index brackets",
                "Found where \"]\" should end the index. Add it.",
            ),
            Self::TraversalTrailing => (
                "parse.traversal_trailing",
                "Invalid character",
                "Found where the next step of a reference should begin. A step is a dot and a name, or an index in brackets.",
            ),
            Self::DepthLimit { .. } => {
                ("limit.depth", "Nesting limit reached", "Nest less deeply, or raise the limit.")
            }
            Self::DiagnosticsLimit { .. } => (
                "limit.diagnostics",
                "Too many diagnostics",
                "Correct those shown first, or raise the limit.",
            ),
        }
    }
}
