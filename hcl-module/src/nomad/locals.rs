//! Local values, in whatever order they are written.
//!
//! Each is evaluated after those that it refers to. What is left then refers to itself in a circle, or comes after a
//! circle; there `try` may still find an answer, as it does for Nomad, which tries each in turn until none succeeds.

use std::collections::BTreeSet;
use std::sync::Arc;

use hcl_eval::eval::{Evaluation, Scope};
use hcl_eval::value::Value;
use hcl_syntax::ast::{ExpressionKind, StepKind, Traversal, variables};
use hcl_syntax::config::ContentAttribute;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::hash::HashMap;
use hcl_syntax::parser::ParsedExpression;
use hcl_syntax::source::{Source, Span};

use super::error;
use crate::place::Place;

/// The values of all local values as one object. `scope` is what there is besides.
pub(super) fn evaluate(
    written: &[ContentAttribute],
    scope: &Arc<Scope>,
    evaluation: &mut Evaluation<'_>,
) -> (Value, Diagnostics) {
    let mut names: HashMap<&str, usize> = HashMap::default();
    let mut locals: Vec<Local<'_>> = Vec::new();
    for attribute in written {
        if !evaluation.bounds().goes_on(PARTS_OF_REFERENCES) {
            break;
        }
        let syntax = attribute.expression().syntax();
        let local = Local { name: attribute.name(), syntax, needs: Needs::default() };
        match names.get(attribute.name()) {
            Some(&at) => locals[at] = local,
            None => {
                names.insert(attribute.name(), locals.len());
                locals.push(local);
            }
        }
    }
    for local in &mut locals {
        if !evaluation.bounds().goes_on(PARTS_OF_REFERENCES) {
            break;
        }
        local.needs = Needs::of(&local.syntax, &names);
    }
    let n = locals.len();
    let mut solver = Solver {
        locals,
        scope,
        evaluation,
        values: vec![None; n],
        hopeful: (0..n).collect(),
        diagnostics: Diagnostics::new(),
    };
    solver.solve();
    let values = solver.locals.iter().zip(solver.values);
    let values = values.map(|(local, value)| (local.name.into(), value.unwrap_or_default()));
    (Value::object(values.collect()), solver.diagnostics)
}

/// How much work it is to look the references of a local value up.
const PARTS_OF_REFERENCES: usize = 256;

/// A local value.
struct Local<'a> {
    /// The name behind `local`.
    name: &'a str,
    /// The expression of its value.
    syntax: ParsedExpression,
    /// The local values that it refers to.
    needs: Needs,
}

impl Local<'_> {
    /// The place of the expression, for charges.
    fn place(&self) -> (&Source, Span) {
        (self.syntax.tree().source(), self.syntax.expression().span())
    }
}

/// The targets of an expression's references.
#[derive(Default)]
struct Needs {
    /// The positions of local values, with where they are referred to.
    locals: Vec<(usize, Span)>,
    /// True if it uses all of them at once.
    all: bool,
}

impl Needs {
    /// Gathers the references to local values. Names that are not declared are left to evaluation, which reports
    /// them.
    fn of(syntax: &ParsedExpression, names: &HashMap<&str, usize>) -> Self {
        let mut needs = Self::default();
        for reference in variables(syntax.expression()).into_iter().filter(|one| one.root() == "local") {
            match name_after(reference) {
                Some((name, span)) => needs.locals.extend(names.get(name).map(|&at| (at, span))),
                None => needs.all = true,
            }
        }
        needs
    }
}

/// The name of the local value that a reference means, and the reference up to it; none if that depends.
fn name_after(reference: Traversal<'_>) -> Option<(&str, Span)> {
    let step = reference.steps().iter().next()?;
    let name = match step.kind {
        StepKind::Attribute(name) => name,
        StepKind::Index(key) => match key.kind() {
            ExpressionKind::Text(name) => name,
            _ => return None,
        },
        StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => return None,
    };
    Some((name, reference.root_span().to(step.span)))
}

/// Local values on the way to their values.
struct Solver<'a, 'e> {
    /// The local values, each name once.
    locals: Vec<Local<'a>>,
    /// Variables and functions.
    scope: &'a Arc<Scope>,
    evaluation: &'a mut Evaluation<'e>,
    /// The values that have been found, by position.
    values: Vec<Option<Value>>,
    /// Those without a value that may have one with what is known of their needs.
    hopeful: BTreeSet<usize>,
    diagnostics: Diagnostics,
}

impl Solver<'_, '_> {
    /// Evaluates in the order of needs: first those that wait for nothing, then those that use all at once, then, in
    /// a circle, any that succeeds. Limits end it.
    fn solve(&mut self) {
        let mut waiting = vec![0_usize; self.locals.len()];
        let mut users = vec![Vec::new(); self.locals.len()];
        for (at, local) in self.locals.iter().enumerate() {
            waiting[at] = local.needs.locals.len();
            for (needed, _) in &local.needs.locals {
                users[*needed].push(at);
            }
        }
        // Those that use all come when nothing else is left.
        let is_ready = |at: &usize| waiting[*at] == 0 && !self.locals[*at].needs.all;
        let mut ready: Vec<usize> = (0..self.locals.len()).rev().filter(is_ready).collect();
        let mut late: Vec<usize> =
            (0..self.locals.len()).rev().filter(|at| self.locals[*at].needs.all).collect();
        loop {
            while let Some(at) = ready.pop() {
                let (value, problems) = self.attempt(at);
                self.diagnostics.extend(problems);
                self.settle(at, value, &users, &mut waiting, &mut ready);
                if self.evaluation.stopped() {
                    return;
                }
            }
            let next = match late.iter().rfind(|at| waiting[**at] == 0) {
                Some(&at) => {
                    let (value, problems) = self.attempt(at);
                    Some((at, value, problems))
                }
                None => self.first_that_succeeds(),
            };
            let Some((at, value, problems)) = next else { break };
            late.retain(|one| *one != at);
            self.diagnostics.extend(problems);
            self.settle(at, value, &users, &mut waiting, &mut ready);
            if self.evaluation.stopped() {
                return;
            }
        }
        self.report_circles();
    }

    /// Keeps a value, and finds those that have been waiting for nothing else.
    fn settle(
        &mut self,
        at: usize,
        value: Value,
        users: &[Vec<usize>],
        waiting: &mut [usize],
        ready: &mut Vec<usize>,
    ) {
        self.values[at] = Some(value);
        self.hopeful.remove(&at);
        for &user in &users[at] {
            if self.values[user].is_none() {
                self.hopeful.insert(user);
            }
            waiting[user] = waiting[user].saturating_sub(1);
            if waiting[user] == 0 && self.values[user].is_none() && !self.locals[user].needs.all {
                ready.push(user);
            }
        }
    }

    /// The first without a value that can do without those that it waits for, or that reaches a limit.
    fn first_that_succeeds(&mut self) -> Option<(usize, Value, Diagnostics)> {
        let mut from = 0;
        while let Some(&at) = self.hopeful.range(from..).next() {
            let (value, problems) = self.attempt(at);
            if !has_errors(&problems) || self.evaluation.stopped() {
                return Some((at, value, problems));
            }
            if !self.locals[at].needs.all {
                self.hopeful.remove(&at);
            }
            from = at + 1;
        }
        None
    }

    /// The value of one with what is known of the others.
    fn attempt(&mut self, at: usize) -> (Value, Diagnostics) {
        let local = &self.locals[at];
        let known = |at: usize| Some((self.locals[at].name.into(), self.values[at].clone()?));
        let known: Vec<_> = match local.needs.all {
            // A value of all of them grows with their number each time.
            true => match self.evaluation.charge(self.locals.len(), 0, local.place()) {
                Ok(()) => (0..self.locals.len()).filter_map(known).collect(),
                Err(problems) => return (Value::dynamic(), problems),
            },
            false => local.needs.locals.iter().filter_map(|(needed, _)| known(*needed)).collect(),
        };
        let scope =
            Scope::builder().parent(Arc::clone(self.scope)).variable("local", Value::object(known)).build();
        self.evaluation.evaluate_syntax(local.syntax.expression(), Some(&scope))
    }

    /// Reports each circle once, at the reference of the one that stands first.
    fn report_circles(&mut self) {
        let mut is_seen = vec![false; self.locals.len()];
        for start in 0..self.locals.len() {
            let mut way: Vec<usize> = Vec::new();
            let mut at = start;
            while self.values[at].is_none() && !is_seen[at] {
                is_seen[at] = true;
                way.push(at);
                let next =
                    self.locals[at].needs.locals.iter().find(|(needed, _)| self.values[*needed].is_none());
                let Some(&(next, _)) = next else { break };
                at = next;
            }
            if let Some(beginning) = way.iter().position(|one| *one == at) {
                self.report_circle(&way[beginning..]);
            }
        }
    }

    /// Reports a circle, whose members are in the order of the references.
    fn report_circle(&mut self, members: &[usize]) {
        let first = members.iter().enumerate().min_by_key(|(_, at)| **at).map_or(0, |(position, _)| position);
        let members: Vec<usize> = members[first..].iter().chain(&members[..first]).copied().collect();
        let local = &self.locals[members[0]];
        let next = members.get(1).copied().unwrap_or(members[0]);
        let reference = local.needs.locals.iter().find(|(needed, _)| *needed == next);
        let span = reference.map_or_else(|| local.syntax.expression().span(), |(_, span)| *span);
        let place = Place::new(local.syntax.tree().source(), span);
        let mut names: Vec<String> =
            members.iter().map(|at| format!("local.{}", self.locals[*at].name)).collect();
        names.push(names[0].clone());
        self.diagnostics.push(error::circle(&names, &place));
    }
}
