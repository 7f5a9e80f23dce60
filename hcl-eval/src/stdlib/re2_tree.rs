//! The parts of patterns as the trees that `regex-syntax` translates. Places in the text, which only its messages need,
//! are all alike.

use regex_syntax::ast::{
    self, Alternation, Assertion, AssertionKind, Ast, ClassBracketed, ClassSet, ClassSetItem, ClassSetRange,
    ClassSetUnion, ClassUnicodeKind, ClassUnicodeOpKind, Concat, Flag, Flags, FlagsItem, FlagsItemKind,
    Group, GroupKind, Literal, LiteralKind, Position, Repetition, RepetitionKind, RepetitionOp, SetFlags,
    Span,
};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The place of every part.
fn span() -> Span {
    Span::splat(Position::new(0, 1, 1))
}

/// A character, of a class or alone.
fn literal(c: char) -> Literal {
    Literal { span: span(), kind: LiteralKind::Verbatim, c }
}

/// A character that stands for itself.
pub(super) fn character(c: char) -> Ast {
    Ast::literal(literal(c))
}

/// The characters that a dot stands for.
pub(super) fn any() -> Ast {
    Ast::dot(span())
}

/// A place in the text, such as its start.
pub(super) fn assertion(kind: AssertionKind) -> Ast {
    Ast::assertion(Assertion { span: span(), kind })
}

/// An assertion about words of ASCII.
pub(super) fn of_ascii(kind: AssertionKind) -> Ast {
    let mut flags = no_flags();
    add_flag(&mut flags, FlagsItemKind::Negation);
    add_flag(&mut flags, FlagsItemKind::Flag(Flag::Unicode));
    group(GroupKind::NonCapturing(flags), assertion(kind))
}

/// An empty list of flags, to be added to.
pub(super) fn no_flags() -> Flags {
    Flags { span: span(), items: Vec::new() }
}

/// Appends a flag, or the minus sign before those that are taken back.
pub(super) fn add_flag(flags: &mut Flags, kind: FlagsItemKind) {
    flags.items.push(FlagsItem { span: span(), kind });
}

/// Flags for what follows in the same group.
pub(super) fn flags(flags: Flags) -> Ast {
    Ast::flags(SetFlags { span: span(), flags })
}

pub(super) fn group(kind: GroupKind, inner: Ast) -> Ast {
    Ast::group(Group { span: span(), kind, ast: Box::new(inner) })
}

pub(super) fn concatenation(asts: Vec<Ast>) -> Ast {
    Concat { span: span(), asts }.into_ast()
}

pub(super) fn alternation(asts: Vec<Ast>) -> Ast {
    Alternation { span: span(), asts }.into_ast()
}

/// An atom several times; a greedy one takes as many as it can.
pub(super) fn repetition(kind: RepetitionKind, greedy: bool, atom: Ast) -> Ast {
    let op = RepetitionOp { span: span(), kind };
    Ast::repetition(Repetition { span: span(), op, greedy, ast: Box::new(atom) })
}

/// One of a set of characters.
pub(super) fn class(set: &ClassUnicode) -> Ast {
    let range = |range: &ClassUnicodeRange| {
        let (start, end) = (literal(range.start()), literal(range.end()));
        ClassSetItem::Range(ClassSetRange { span: span(), start, end })
    };
    let items = ClassSetUnion { span: span(), items: set.iter().map(range).collect() };
    let kind = ClassSet::Item(ClassSetItem::Union(items));
    Ast::class_bracketed(ClassBracketed { span: span(), negated: false, kind })
}

/// One of the characters whose property of this name has this value.
pub(super) fn property(name: &str, value: &str) -> Ast {
    let (name, value) = (name.to_owned(), value.to_owned());
    let kind = ClassUnicodeKind::NamedValue { op: ClassUnicodeOpKind::Equal, name, value };
    Ast::class_unicode(ast::ClassUnicode { span: span(), negated: false, kind })
}
