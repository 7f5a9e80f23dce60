//! The parts of patterns as the trees that `regex-syntax` translates. Places in the text, which only its messages need,
//! are all alike.

use regex_syntax::ast::{
    Alternation, Assertion, AssertionKind, Ast, ClassBracketed, ClassSet, ClassSetItem, ClassSetRange,
    ClassSetUnion, ClassUnicode, ClassUnicodeKind, ClassUnicodeOpKind, Concat, Flag, Flags, FlagsItem,
    FlagsItemKind, Group, GroupKind, Literal, LiteralKind, Position, Repetition, RepetitionKind,
    RepetitionOp, SetFlags, Span,
};

fn span() -> Span {
    Span::splat(Position::new(0, 1, 1))
}

fn literal(c: char) -> Literal {
    Literal { span: span(), kind: LiteralKind::Verbatim, c }
}

pub(super) fn character(c: char) -> Ast {
    Ast::literal(literal(c))
}

/// What a dot stands for.
pub(super) fn any() -> Ast {
    Ast::dot(span())
}

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

pub(super) fn no_flags() -> Flags {
    Flags { span: span(), items: Vec::new() }
}

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

pub(super) fn repetition(kind: RepetitionKind, greedy: bool, atom: Ast) -> Ast {
    let op = RepetitionOp { span: span(), kind };
    Ast::repetition(Repetition { span: span(), op, greedy, ast: Box::new(atom) })
}

pub(super) fn class(negated: bool, items: Vec<ClassSetItem>) -> ClassBracketed {
    let items = ClassSetUnion { span: span(), items };
    ClassBracketed { span: span(), negated, kind: ClassSet::Item(ClassSetItem::Union(items)) }
}

pub(super) fn range(low: char, high: char) -> ClassSetItem {
    ClassSetItem::Range(ClassSetRange { span: span(), start: literal(low), end: literal(high) })
}

/// The characters whose property of this name has this value.
pub(super) fn property(name: &str, value: &str) -> ClassSetItem {
    let (name, value) = (name.to_owned(), value.to_owned());
    let kind = ClassUnicodeKind::NamedValue { op: ClassUnicodeOpKind::Equal, name, value };
    ClassSetItem::Unicode(ClassUnicode { span: span(), negated: false, kind })
}
