//! Names bound inside an expression: by `for`, and the item of a splat.

use hcl_syntax::ast::ForExpression;

use crate::value::Value;

/// The innermost binding; none at the top of an expression.
pub(crate) type Locals<'e> = Option<&'e Local<'e>>;

/// A binding and those around it, a list that lives on the stack.
#[derive(Copy, Clone)]
pub(crate) struct Local<'e> {
    pub(crate) outer: Locals<'e>,
    pub(crate) binding: Binding<'e>,
}

#[derive(Copy, Clone)]
pub(crate) enum Binding<'e> {
    /// The element at hand of a `for`.
    For { names: ForExpression<'e>, key: &'e Value, value: &'e Value },
    /// The item at hand of a splat.
    Item(&'e Value),
}

/// Which part of a `for` binding a name means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Key,
    Value,
}

/// What `name` means in a `for`. If both names are the same the value wins.
pub(crate) fn part_of(names: ForExpression<'_>, name: &str) -> Option<Part> {
    if names.value_name() == name {
        Some(Part::Value)
    } else if names.key_name() == Some(name) {
        Some(Part::Key)
    } else {
        None
    }
}

impl<'e> Local<'e> {
    /// This binding and those around it.
    pub(crate) fn chain(&'e self) -> impl Iterator<Item = &'e Local<'e>> {
        std::iter::successors(Some(self), |local| local.outer)
    }

    /// The binding so many farther out.
    #[inline]
    pub(crate) fn outward(&'e self, hops: u16) -> Option<&'e Local<'e>> {
        let mut local = self;
        for _ in 0..hops {
            local = local.outer?;
        }
        Some(local)
    }

    /// The value of a part of a `for` binding.
    #[inline]
    pub(crate) fn part(&self, part: Part) -> Option<&'e Value> {
        match (self.binding, part) {
            (Binding::For { key, .. }, Part::Key) => Some(key),
            (Binding::For { value, .. }, Part::Value) => Some(value),
            (Binding::Item(_), _) => None,
        }
    }
}

/// The value that the innermost `for` with such a name gives it.
pub(crate) fn lookup<'e>(locals: Locals<'e>, name: &str) -> Option<&'e Value> {
    locals?.chain().find_map(|local| match local.binding {
        Binding::For { names, .. } => local.part(part_of(names, name)?),
        Binding::Item(_) => None,
    })
}

/// The item of the innermost splat.
#[inline]
pub(crate) fn item<'e>(locals: Locals<'e>) -> Option<&'e Value> {
    let mut local = locals?;
    loop {
        match local.binding {
            Binding::Item(item) => return Some(item),
            Binding::For { .. } => local = local.outer?,
        }
    }
}

/// All names bound by `for`, the innermost first.
pub(crate) fn names<'e>(locals: Locals<'e>) -> impl Iterator<Item = &'e str> {
    let bindings = locals.into_iter().flat_map(Local::chain).filter_map(|local| match local.binding {
        Binding::For { names, .. } => Some(names),
        Binding::Item(_) => None,
    });
    bindings.flat_map(|names| names.key_name().into_iter().chain([names.value_name()]))
}
