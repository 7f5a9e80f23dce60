//! The closed set of things that can be wrong with the syntax.

use crate::source::Span;

/// A complaint of the grammar. The example beside each kind is the shortest text that triggers it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::parser) enum SyntaxErrorKind {
    /// `}`
    ItemRequired,
    /// `a`
    ItemIncomplete,
    /// `"a" = 1`
    ArgumentNameQuoted,
    /// `b { c {} }`
    ArgumentRequired,
    /// `a = 1⏎a = 2`, the first at the given place
    AttributeRedefined { first: Span },
    /// `a = 1 2`
    AttributeNewlineMissing,
    /// `a = 1,`
    AttributeCommaUnexpected,
    /// `b "x" = 1`
    BlockEqualsUnexpected,
    /// `b "x"⏎{}`
    BlockNewlineUnexpected,
    /// `b "x" 1`
    BlockHeaderInvalid,
    /// `b { a = 1, c = 2 }`
    OneLineBlockComma,
    /// `b { a = 1⏎}`
    OneLineBlockNewline,
    /// `b { a = 1 2 }`
    OneLineBlockInvalid,
    /// `b {`
    BlockUnclosed,
    /// `b {} 1`
    BlockNewlineMissing,
    /// `b "${c}" {}`
    LabelTemplate,
    /// `b "c`
    LabelUnterminated,
    /// `b "c⏎" {}`
    LabelInvalid,
    /// `a = "\q"`
    EscapeUnknown,
    /// `a = "\u12"`
    EscapeTooShort { digits: u8 },
    /// `a = "\uD800"`
    EscapeNoCharacter,
    /// `a =` at the end of the file
    ExpressionMissing,
    /// `a = ]`
    ExpressionInvalid,
    /// `a = 1.2.3`
    NumberInvalid,
    /// `a = (1`
    ParenthesesUnbalanced,
    /// `a = b ? c`
    ConditionalColonMissing,
    /// `a = b::1()`
    FunctionNameMissing,
    /// `a = b::c`
    FunctionParenthesisMissing,
    /// `a = f(1 2)`
    ArgumentSeparatorMissing,
    /// `a = f(1`
    CallUnterminated,
    /// `a = f(b..., 1)`
    CallExpansionNotLast,
    /// `a = b[0 1]`
    IndexBracketMissing,
    /// `a = b[* 1]`
    SplatBracketMissing,
    /// `a = b.`
    AttributeNameInvalid,
    /// `a = b.*.*`
    SplatNested,
    /// `a = b.0.1`
    LegacyIndexFraction,
    /// `a = [1 2]`
    TupleSeparatorMissing,
    /// `a = [1`
    TupleUnterminated,
    /// `a = {b 1}`
    ObjectSeparatorMissing,
    /// `a = {b c}`
    ObjectSeparatorMissingBeforeName,
    /// `a = {b}` with a newline or comma instead of the brace
    ObjectValueMissing,
    /// `a = {b = 1 2}`
    ObjectItemSeparatorMissing,
    /// `a = {b = 1`
    ObjectUnterminated,
    /// `a = [for 1]`
    ForNameMissing,
    /// `a = [for b]`
    ForInMissing,
    /// `a = [for b in c]`
    ForColonMissing,
    /// `a = [for b in c: d e]`
    ForTrailing(ForEnd),
    /// `a = [for b in c: d => e]`
    ForKeyInTuple,
    /// `a = [for b in c: d...]`
    ForGroupingInTuple,
    /// `a = {for b in c: d}`
    ForKeyMissing,
    /// `1 2` as an expression that stands alone
    ExpressionTrailing,
    /// `a = "b⏎"`
    TemplateUnterminated { start: Span },
    /// `a = "${b"`
    InterpolationUnclosed,
    /// `a = "${b c}"`
    InterpolationTrailing,
    /// `a = "${b:c}"`
    InterpolationColon,
    /// `a = "%{ 1 }"`
    DirectiveInvalid,
    /// `a = "%{ when b }"`
    DirectiveUnknown,
    /// `a = "%{ for 1 }"`
    DirectiveForNameMissing,
    /// `a = "%{ for b }"`
    DirectiveForInMissing,
    /// `a = "%{ else b }"`
    DirectiveTrailing { directive: Directive },
    /// `a = "%{ if b }"`: the opener, and where it is
    DirectiveUnclosed { open: Directive, at: Span },
    /// `a = "%{ endif }"`
    DirectiveOrphan { directive: Directive },
    /// `a = "%{ if b }%{ endfor }"`: within the opener at the given place
    DirectiveMismatched { directive: Directive, open: Directive, at: Span },
    /// `a = "%{ if b }%{ else }%{ else }%{ endif }"`
    DirectiveSecondElse { at: Span },
    /// `1` as a traversal that stands alone
    VariableRequired,
    /// `a.1` as a traversal that stands alone
    TraversalNameRequired,
    /// `a.*` as a traversal that stands alone
    TraversalSplat,
    /// `a[b]` as a traversal that stands alone
    TraversalKeyRequired,
    /// `a[0` as a traversal that stands alone
    TraversalBracketMissing,
    /// `a b` as a traversal that stands alone
    TraversalTrailing,
    /// `[[[[…` with more brackets than the limit allows
    DepthLimit { max_depth: u32 },
    /// more diagnostics than the limit allows
    DiagnosticsLimit { n_left_out: usize },
}

/// The words that begin a directive.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::parser) enum Directive {
    If,
    Else,
    EndIf,
    For,
    EndFor,
}

impl Directive {
    /// All of them, as suggestions are looked for.
    pub(super) const WORDS: [&'static str; 5] = ["if", "for", "else", "endif", "endfor"];

    /// The directive that a word begins.
    pub(in crate::parser) fn from_word(word: &str) -> Option<Self> {
        match word {
            "if" => Some(Self::If),
            "else" => Some(Self::Else),
            "endif" => Some(Self::EndIf),
            "for" => Some(Self::For),
            "endfor" => Some(Self::EndFor),
            _ => None,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::If => "if",
            Self::Else => "else",
            Self::EndIf => "endif",
            Self::For => "for",
            Self::EndFor => "endfor",
        }
    }

    /// The reference's summary for something behind a complete directive.
    pub(super) fn trailing_summary(self) -> &'static str {
        match self {
            Self::If => "Extra characters in if marker",
            Self::Else => "Extra characters in else marker",
            Self::EndIf => "Extra characters in endif marker",
            Self::For => "Extra characters in for marker",
            Self::EndFor => "Extra characters in endfor marker",
        }
    }

    /// The reference's summary for a directive that has no place where it stands.
    pub(super) fn unexpected_summary(self) -> &'static str {
        match self {
            Self::If => "Unexpected if directive",
            Self::Else => "Unexpected else directive",
            Self::EndIf => "Unexpected endif directive",
            Self::For => "Unexpected for directive",
            Self::EndFor => "Unexpected endfor directive",
        }
    }

    /// The word that closes what this one opens.
    pub(super) fn closer(self) -> &'static str {
        match self {
            Self::For | Self::EndFor => "endfor",
            Self::If | Self::Else | Self::EndIf => "endif",
        }
    }
}

/// The part of a `for` expression that is complete where something stands that should not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::parser) enum ForEnd {
    /// The result, in brackets.
    TupleResult,
    /// The result, in braces.
    ObjectResult,
    /// The result and `...`, in braces.
    Grouping,
    /// The condition, in brackets.
    TupleCondition,
    /// The condition, in braces.
    ObjectCondition,
}
