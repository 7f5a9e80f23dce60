//! Names bound inside an expression: by `for`, and the item of a splat.

use hcl_syntax::ast::ForExpression;
use hcl_syntax::hash::HashMap;
use smallvec::SmallVec;

use crate::Str;
use crate::program::Base;
use crate::value::Value;

/// The innermost binding; none at the top of an expression.
pub(crate) type Locals<'e> = Option<&'e Local<'e>>;

/// A binding and those around it, a list that lives on the stack.
#[derive(Copy, Clone)]
pub(crate) struct Local<'e> {
    at: &'e Nesting<'e>,
    /// The key of the element at hand of a `for`; the item of a splat.
    key: &'e Value,
    /// The value of the element, or the item.
    value: &'e Value,
}

/// Where in the list the bindings of a `for` or a splat stand, one for each element. The links over several are laid so that any
/// of them is reached in a number of hops that grows with the logarithm of how far out it is.
#[derive(Copy, Clone)]
pub(crate) struct Nesting<'e> {
    outer: Locals<'e>,
    /// A binding farther out, or the same as `outer`.
    far: Locals<'e>,
    /// How many bindings are around this one.
    depth: u32,
    /// The names that a `for` binds.
    names: Option<ForExpression<'e>>,
}

/// Returns the part of a `for` that `name` means. If both names are equal the value wins.
pub(crate) fn part_of(names: ForExpression<'_>, name: &str) -> Option<Base> {
    if names.value_name() == name {
        Some(Base::Element)
    } else if names.key_name() == Some(name) {
        Some(Base::Key)
    } else {
        None
    }
}

impl<'e> Nesting<'e> {
    /// Right inside of these bindings; of a `for` if there are names.
    pub(crate) fn inside(outer: Locals<'e>, names: Option<ForExpression<'e>>) -> Self {
        let Some(Local { at, .. }) = outer else { return Self { outer, far: outer, depth: 0, names } };
        // Two links in a row that are equally long are followed by one over both and itself.
        let length = |local: Locals<'e>, from: u32| from - local.map_or(0, |local| local.at.depth);
        let is_pair = at.far.is_some_and(|far| length(at.far, at.depth) == length(far.at.far, far.at.depth));
        let far = if is_pair { at.far.and_then(|far| far.at.far) } else { outer };
        Self { outer, far, depth: at.depth + 1, names }
    }

    /// How many bindings are around this place.
    pub(crate) fn depth(self) -> u32 {
        self.depth
    }
}

impl<'e> Local<'e> {
    /// A binding at a place.
    pub(crate) fn new(at: &'e Nesting<'e>, key: &'e Value, value: &'e Value) -> Self {
        Self { at, key, value }
    }

    /// The names of a `for` binding.
    pub(crate) fn names(&self) -> Option<ForExpression<'e>> {
        self.at.names
    }

    /// This binding and those around it.
    pub(crate) fn chain(&'e self) -> impl Iterator<Item = &'e Local<'e>> {
        std::iter::successors(Some(self), |local| local.at.outer)
    }

    /// The binding so many farther out.
    pub(crate) fn outward(&'e self, hops: u32) -> Option<&'e Local<'e>> {
        if hops == 0 { Some(self) } else { self.farther_out(hops) }
    }

    fn farther_out(&'e self, hops: u32) -> Option<&'e Local<'e>> {
        let wanted = self.at.depth.checked_sub(hops)?;
        let mut local = self;
        while local.at.depth > wanted {
            local = match local.at.far {
                Some(far) if far.at.depth >= wanted => far,
                _ => local.at.outer?,
            };
        }
        Some(local)
    }

    /// The value of a part of the binding.
    pub(crate) fn part(&self, part: Base) -> &'e Value {
        if part == Base::Key { self.key } else { self.value }
    }
}

/// How many bindings are gone through one by one to find a name.
pub(crate) const FEW: u32 = 16;

/// At what depths names are bound that have [`FEW`] bindings or more around them, so that finding a name takes no
/// longer below many bindings. Names of bindings farther out are not in here.
#[derive(Debug, Default)]
pub(crate) struct DeepNames(Option<Box<HashMap<Str, SmallVec<[u32; 4]>>>>);

impl DeepNames {
    /// Drops the names; quick where there are none, as mostly.
    pub(super) fn discard(self) {
        if self.0.is_none() {
            std::mem::forget(self);
        }
    }

    /// A binding with so many around it begins.
    pub(crate) fn enter(&mut self, names: ForExpression<'_>, depth: u32) {
        if depth >= FEW {
            let all = self.0.get_or_insert_default();
            for name in names.key_name().into_iter().chain([names.value_name()]) {
                all.entry(Str::new(name)).or_default().push(depth);
            }
        }
    }

    /// The binding that began last is over.
    pub(crate) fn leave(&mut self, names: ForExpression<'_>, depth: u32) {
        let Some(all) = self.0.as_mut().filter(|_| depth >= FEW) else { return };
        for name in names.key_name().into_iter().chain([names.value_name()]) {
            let Some(depths) = all.get_mut(name) else { continue };
            depths.pop();
            if depths.is_empty() {
                all.remove(name);
            }
        }
    }

    /// The depth of the innermost binding of a name, at most `within`, if it is in here.
    pub(crate) fn innermost(&self, name: &str, within: u32) -> Option<u32> {
        self.0.as_ref()?.get(name)?.iter().rev().copied().find(|depth| *depth <= within)
    }

    /// The value that the innermost `for` with such a name gives it.
    pub(crate) fn lookup<'e>(&self, locals: Locals<'e>, name: &str) -> Option<&'e Value> {
        let local = locals?;
        let Some(farther) = (local.at.depth + 1).checked_sub(FEW).filter(|farther| *farther > 0) else {
            return lookup(locals, name);
        };
        match self.innermost(name, local.at.depth) {
            Some(depth) => lookup(local.outward(local.at.depth - depth), name),
            None => lookup(local.outward(farther), name),
        }
    }
}

/// The value that the innermost `for` with such a name gives it, looked for in one binding after the other.
fn lookup<'e>(locals: Locals<'e>, name: &str) -> Option<&'e Value> {
    locals?.chain().find_map(|local| Some(local.part(part_of(local.names()?, name)?)))
}

/// The item of the innermost splat.
pub(crate) fn item<'e>(locals: Locals<'e>) -> Option<&'e Value> {
    locals?.chain().find(|local| local.names().is_none()).map(|local| local.value)
}

/// All names bound by `for`, the innermost first.
pub(crate) fn names<'e>(locals: Locals<'e>) -> impl Iterator<Item = &'e str> {
    let bindings = locals.into_iter().flat_map(Local::chain).filter_map(Local::names);
    bindings.flat_map(|names| names.key_name().into_iter().chain([names.value_name()]))
}
