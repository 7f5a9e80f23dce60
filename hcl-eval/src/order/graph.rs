//! Which definitions need each other: an order in which each comes after what it needs.
//!
//! Tarjan's strongly connected components, with a stack of its own instead of recursion: definitions that
//! need each other in a circle form a group, and groups come out with what they need before them. Time and
//! space are linear in definitions and references.

use std::collections::VecDeque;

use hcl_syntax::hash::HashMap;

/// For each definition the definitions that it needs, in the order of the text.
pub(super) type Needs = Vec<Vec<usize>>;

/// Groups of definitions, one after the other in a list.
#[derive(Default)]
pub(super) struct Groups {
    members: Vec<usize>,
    ends: Vec<usize>,
}

impl Groups {
    /// The groups, each after those it needs.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.members[std::mem::replace(&mut start, end)..end])
    }
}

/// Groups of definitions, each after those it needs; a group of several is a circle. Some of them if `goes_on`, which is asked
/// for each definition and each need, says no.
pub(super) fn groups(needs: &Needs, goes_on: &mut dyn FnMut(usize) -> bool) -> Groups {
    let mut search = Search {
        needs,
        number: vec![None; needs.len()],
        lowest: vec![0; needs.len()],
        is_open: vec![false; needs.len()],
        open: Vec::new(),
        n_seen: 0,
        groups: Groups::default(),
    };
    for start in 0..needs.len() {
        if search.number[start].is_none() && !search.visit(start, goes_on) {
            break;
        }
    }
    search.groups
}

struct Search<'n> {
    needs: &'n Needs,
    /// In which order definitions were met first.
    number: Vec<Option<usize>>,
    /// The smallest number that can be reached.
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    n_seen: usize,
    groups: Groups,
}

impl Search<'_> {
    fn enter(&mut self, at: usize) {
        self.number[at] = Some(self.n_seen);
        self.lowest[at] = self.n_seen;
        self.n_seen += 1;
        self.open.push(at);
        self.is_open[at] = true;
    }

    /// Tarjan's search for groups of nodes that need each other, with a stack of its own: chains of definitions may
    /// be as long as the text. False if `goes_on` says so.
    fn visit(&mut self, start: usize, goes_on: &mut dyn FnMut(usize) -> bool) -> bool {
        self.enter(start);
        // Where the search is, and which need comes next there.
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            if !goes_on(1) {
                return false;
            }
            let at = *at;
            if let Some(&needed) = self.needs[at].get(*next) {
                *next += 1;
                match self.number[needed] {
                    None => {
                        self.enter(needed);
                        path.push((needed, 0));
                    }
                    Some(number) if self.is_open[needed] => self.lowest[at] = self.lowest[at].min(number),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                self.lowest[*before] = self.lowest[*before].min(self.lowest[at]);
            }
            if self.number[at] == Some(self.lowest[at]) {
                self.close(at);
            }
        }
        true
    }

    /// Everything opened since `first` is a group.
    fn close(&mut self, first: usize) {
        let from = self.open.iter().rposition(|&at| at == first).unwrap_or(0);
        for &at in &self.open[from..] {
            self.is_open[at] = false;
        }
        self.groups.members.extend(self.open.drain(from..));
        self.groups.ends.push(self.groups.members.len());
    }
}

/// A shortest circle through the first definition of a group; `None` if the group is no circle, or once `goes_on` says no, which
/// is asked for each member and each need.
pub(super) fn circle(
    group: &[usize],
    needs: &Needs,
    goes_on: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<usize>> {
    if let &[only] = group {
        return needs[only].contains(&only).then(|| vec![only]);
    }
    let &start = group.iter().min()?;
    // How the search came to each member.
    let mut came_from: HashMap<usize, Option<usize>> =
        group.iter().take_while(|_| goes_on(1)).map(|&member| (member, None)).collect();
    let mut waiting = VecDeque::from([start]);
    while let Some(at) = waiting.pop_front() {
        for &needed in &needs[at] {
            if !goes_on(1) {
                return None;
            }
            if needed == start {
                return Some(way(at, start, &came_from));
            }
            if let Some(origin @ None) = came_from.get_mut(&needed) {
                *origin = Some(at);
                waiting.push_back(needed);
            }
        }
    }
    None
}

/// The way from `start` to `end`.
fn way(end: usize, start: usize, came_from: &HashMap<usize, Option<usize>>) -> Vec<usize> {
    let origin = |at: &usize| if *at == start { None } else { came_from.get(at).copied().flatten() };
    let mut way: Vec<usize> = std::iter::successors(Some(end), origin).collect();
    way.reverse();
    way
}
