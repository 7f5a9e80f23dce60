//! Slots for the values at paths below a root name.

use std::hash::{Hash, Hasher};

use hcl_syntax::ast::{ExpressionKind, StepKind, Steps};
use hcl_syntax::hash::IndexMap;
use indexmap::Equivalent;

use super::scope::FEW_NAMES;
use crate::Str;

/// The static paths below a root name, each with its slot.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    /// Those of each number of steps in the order in which they came, the longest first.
    of_lengths: Vec<IndexMap<Path, u32>>,
}

/// The names of the steps of a path.
#[derive(PartialEq, Eq, Debug)]
struct Path(Vec<Str>);

/// It has the hash of the traversals that begin with it.
impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|step| step.as_str().hash(state));
    }
}

/// The beginning of a traversal.
struct FirstSteps<'t> {
    steps: Steps<'t>,
    n: usize,
}

impl Hash for FirstSteps<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps.iter().take(self.n).for_each(|step| name_of(step.kind).unwrap_or_default().hash(state));
    }
}

impl Equivalent<Path> for FirstSteps<'_> {
    fn equivalent(&self, path: &Path) -> bool {
        starts_with(self.steps, path)
    }
}

/// The name of a step that may be part of a path.
fn name_of(step: StepKind<'_>) -> Option<&str> {
    match step {
        StepKind::Attribute(name) => Some(name),
        StepKind::Index(key) => match key.kind() {
            ExpressionKind::Text(key) => Some(key),
            _ => None,
        },
        StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => None,
    }
}

fn starts_with(steps: Steps<'_>, path: &Path) -> bool {
    steps.len() >= path.0.len()
        && steps.iter().zip(&path.0).all(|(step, wanted)| name_of(step.kind) == Some(wanted.as_str()))
}

fn n_steps(paths: &IndexMap<Path, u32>) -> usize {
    paths.first().map_or(0, |(path, _)| path.0.len())
}

impl Paths {
    /// The slot of the longest path that a traversal starts with, and its number of steps.
    pub(crate) fn slot_of(&self, steps: Steps<'_>) -> Option<(u32, usize)> {
        self.of_lengths.iter().find_map(|paths| {
            let n = n_steps(paths);
            let slot = if paths.len() <= FEW_NAMES {
                paths.iter().find_map(|(path, slot)| starts_with(steps, path).then_some(slot))
            } else if n <= steps.len() {
                paths.get(&FirstSteps { steps, n })
            } else {
                None
            };
            Some((*slot?, n))
        })
    }

    /// The slot of a path.
    pub(super) fn get(&self, steps: Vec<Str>) -> Option<u32> {
        let of_length = self.of_lengths.iter().find(|paths| n_steps(paths) == steps.len())?;
        of_length.get(&Path(steps)).copied()
    }

    /// The slot of a path, which is `next` if it has none.
    pub(super) fn get_or_add(&mut self, steps: Vec<Str>, next: u32) -> u32 {
        let at = self.of_lengths.partition_point(|paths| n_steps(paths) > steps.len());
        if self.of_lengths.get(at).is_none_or(|paths| n_steps(paths) < steps.len()) {
            self.of_lengths.insert(at, IndexMap::default());
        }
        *self.of_lengths[at].entry(Path(steps)).or_insert(next)
    }

    /// How many paths there are.
    pub(crate) fn len(&self) -> usize {
        self.of_lengths.iter().map(IndexMap::len).sum()
    }

    /// The slots of all paths, those of the longest first.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.of_lengths.iter().flat_map(IndexMap::values).copied()
    }
}
