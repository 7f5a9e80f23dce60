//! The outcomes of nodes, and the work that each node is.

use std::sync::OnceLock;

use super::Outcome;
use super::prepare::Prepared;
use crate::tree::NodeId;

/// The outcomes of nodes so far, and the work that each node is. Every cell is filled once.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    outcomes: Cells<Outcome>,
    prepared: Cells<Prepared>,
}

impl Memo {
    /// The outcome of a node that has been computed.
    pub(crate) fn get(&self, node: NodeId) -> Option<&Outcome> {
        self.outcomes.get(node)
    }

    /// Keeps the outcome of a node, unless there is one.
    pub(super) fn set(&self, node: NodeId, outcome: Outcome) {
        self.outcomes.get_or_set(node, outcome);
    }

    /// The work that a node is, if it has been made ready.
    pub(super) fn prepared(&self, node: NodeId) -> Option<&Prepared> {
        self.prepared.get(node)
    }

    /// Keeps the work that a node is, unless it has been kept.
    pub(super) fn prepare(&self, node: NodeId, prepared: Prepared) -> &Prepared {
        self.prepared.get_or_set(node, prepared)
    }
}

type Once<T> = OnceLock<Box<T>>;
type Leaf<T> = [Once<T>; 1 << BITS_OF_LEAF];
type Branch<T> = [Once<T>; 1 << BITS_OF_BRANCH];

const BITS_OF_LEAF: u32 = 6;
const BITS_OF_BRANCH: u32 = 7;

/// There are cells for so many nodes.
pub(crate) const MOST_NODES: usize = 1 << (3 * BITS_OF_BRANCH + BITS_OF_LEAF);

/// A cell for each node that there may be. Small modules that are called often have millions of nodes, of which few are needed:
/// cells are made near those that are filled, a few kilobytes at a time, and stay where they are.
#[derive(Debug)]
struct Cells<T>(Once<Branch<Branch<Branch<Leaf<T>>>>>);

impl<T> Default for Cells<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Cells<T> {
    fn get(&self, node: NodeId) -> Option<&T> {
        let [first, second, third, last] = places(node);
        Some(self.0.get()?[first].get()?[second].get()?[third].get()?[last].get()?.as_ref())
    }

    fn get_or_set(&self, node: NodeId, content: T) -> &T {
        let [first, second, third, last] = places(node);
        let leaf = made(&made(&made(&made(&self.0)[first])[second])[third]);
        leaf[last].get_or_init(|| Box::new(content))
    }
}

/// Where the cell of a node is, level by level.
fn places(node: NodeId) -> [usize; 4] {
    let place = |bits_below: u32, bits: u32| node.index() >> bits_below & ((1 << bits) - 1);
    [
        place(2 * BITS_OF_BRANCH + BITS_OF_LEAF, BITS_OF_BRANCH),
        place(BITS_OF_BRANCH + BITS_OF_LEAF, BITS_OF_BRANCH),
        place(BITS_OF_LEAF, BITS_OF_BRANCH),
        place(0, BITS_OF_LEAF),
    ]
}

fn made<T, const N: usize>(place: &Once<[Once<T>; N]>) -> &[Once<T>; N] {
    place.get_or_init(|| Box::new([const { OnceLock::new() }; N]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_a_cell_of_its_own() {
        let cells = Cells::default();
        let nodes = [0, 1, 63, 64, 8191, 8192, 1 << 20, MOST_NODES - 1].map(NodeId::at);
        for node in nodes {
            assert_eq!(cells.get(node), None);
            assert_eq!(cells.get_or_set(node, node.index()), &node.index());
        }
        for node in nodes {
            assert_eq!(cells.get_or_set(node, 0), &node.index());
        }
        assert_eq!(cells.get(NodeId::at(2)), None);
    }
}
