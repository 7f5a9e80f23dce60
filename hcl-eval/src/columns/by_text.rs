//! Conditions that depend on the text of a column, found once for each text.
//!
//! A column of texts mostly holds few different ones. What a program makes of such a text alone, as in `limits[kind]` and
//! `startswith(region, "eu-")`, is evaluated for the texts in a sample of the rows and for the entries of a dictionary. A row
//! with another text, or with one whose evaluation has a problem, has no answer here.

use hcl_syntax::hash::HashMap;

use super::column::{Cells, Column};
use super::test::{Answers, Planner, ROWS, Test, both, either, mask_of, valid};
use crate::eval::{Evaluator, Run, Surroundings};
use crate::limits::{Meter, Usage};
use crate::program::OpId;
use crate::value::Value;

/// How many different texts are told apart.
const MOST: usize = 256;
/// How many rows are looked at for their texts.
const SAMPLE: usize = 4096;
/// How often a text must be there on average: evaluating for texts costs as much as for rows.
const LEAST_REPEATED: usize = 4;
/// Stands for a text without a test.
const NO_TEST: u16 = u16::MAX;

/// A test for each of some texts, asked of the rows that have that text.
#[derive(Debug)]
pub(super) struct ByText<'a> {
    column: Column<'a>,
    /// The numbers of the tests of texts as they are written; those of a dictionary have the numbers of its entries.
    numbers: HashMap<&'a [u8], u16>,
    tests: Vec<Option<Test<'a>>>,
}

impl ByText<'_> {
    /// The answers for `len` rows from `start` on.
    pub(super) fn answers(&self, start: usize, len: usize) -> Answers {
        let mut numbers = [NO_TEST; ROWS];
        let mut is_seen = [false; MOST];
        for (at, number) in numbers.iter_mut().enumerate().take(len) {
            *number = self.number(start + at).unwrap_or(NO_TEST);
            if let Some(is_seen) = is_seen.get_mut(usize::from(*number)) {
                *is_seen = true;
            }
        }
        let mut all = Answers::NONE;
        for ((number, test), is_seen) in (0..).zip(&self.tests).zip(is_seen) {
            if let (Some(test), true) = (test, is_seen) {
                let Answers { bits, known } = test.answers(start, len);
                let rows = mask_of(&numbers[..len], |of_row| of_row == number);
                all.bits = either(all.bits, both(bits, rows));
                all.known = either(all.known, both(known, rows));
            }
        }
        Answers { known: both(all.known, valid(&self.column, start, len)), ..all }
    }

    fn number(&self, row: usize) -> Option<u16> {
        match self.column.cells() {
            Cells::Text(texts) => self.numbers.get(texts.bytes(row)?).copied(),
            Cells::Dictionary { keys, .. } => u16::try_from(keys.get(row)).ok(),
            _ => None,
        }
    }
}

/// The texts of a sample of a column by their number, and the row of the first cell with each.
type Sample<'a> = (HashMap<&'a [u8], u16>, Vec<usize>);

/// Looks for texts in some rows of a column.
fn sampled<'a>(column: &Column<'a>) -> Option<Sample<'a>> {
    let Cells::Text(texts) = column.cells() else { return None };
    let (mut numbers, mut rows, mut n_looked) = (HashMap::default(), Vec::new(), 0);
    for row in (0..column.len()).step_by((column.len() / SAMPLE).max(1)) {
        let (false, Some(text)) = (column.is_null(row), texts.bytes(row)) else { continue };
        n_looked += 1;
        numbers.entry(text).or_insert_with(|| {
            rows.push(row);
            u16::try_from(rows.len() - 1).unwrap_or(NO_TEST)
        });
        if rows.len() > MOST {
            return None;
        }
    }
    (rows.len() * LEAST_REPEATED <= n_looked).then_some((numbers, rows))
}

impl<'a> Planner<'_, 'a> {
    /// The test that is made of the values of an operation, which depends on one column, for each text of that column.
    pub(super) fn by_text(
        &mut self,
        at: OpId,
        test_of: &dyn Fn(&Value, &mut Meter) -> Option<Test<'a>>,
    ) -> Option<ByText<'a>> {
        let slot = (*self.sole_slots.get(at.0 as usize)?)? as usize;
        let number = self.columns.iter().position(|(bound, _)| *bound == slot)?;
        let column = self.columns[number].1.clone();
        let (numbers, texts): (_, Vec<_>) = match column.cells() {
            Cells::Dictionary { entries, .. } => {
                let is_small = entries.len() <= MOST && entries.len() * LEAST_REPEATED <= column.len();
                let is_of_texts = matches!(entries.cells(), Cells::Text(_));
                (is_small && is_of_texts).then_some(())?;
                (
                    HashMap::default(),
                    (0..entries.len()).map(|entry| entries.value(entry, &mut self.own)).collect(),
                )
            }
            _ => {
                let (numbers, rows) = sampled(&column)?;
                (numbers, rows.into_iter().map(|row| column.value(row, &mut self.own)).collect())
            }
        };
        let mut slots = self.given.slots.to_vec();
        let mut all_steps = None;
        let mut tests = Vec::with_capacity(texts.len());
        for text in texts {
            slots[slot] = text.ok();
            let found = if slots[slot].is_some() { self.evaluated(at, &slots) } else { None };
            // Rows that are answered together take equally many steps.
            let same = found.filter(|(_, steps)| *all_steps.get_or_insert(*steps) == *steps);
            tests.push(same.and_then(|(value, _)| test_of(&value, self.meter)));
        }
        if tests.iter().all(Option::is_none) {
            return None;
        }
        self.is_read[number] = true;
        self.steps += all_steps?;
        Some(ByText { column, numbers, tests })
    }

    /// The value of an operation, and the steps that it takes; `None` if it has problems, or takes anything else that is limited.
    fn evaluated(&mut self, at: OpId, slots: &[Option<Value>]) -> Option<(Value, u64)> {
        self.own.go_on_anew();
        let before = self.own.begin_part();
        let run = Run::new(self.code, self.tree, Surroundings { slots, ..self.given });
        let value = Evaluator::new(&mut self.own).quietly(&run, at)?;
        let used = self.own.end_part(before);
        let is_free =
            used == Usage { steps: used.steps, depth: used.depth, parts: used.parts, ..Usage::default() };
        let is_flat = used.depth + Self::DEEPEST < self.own.limits().max_depth;
        (is_free && is_flat && value.is_light()).then_some((value, used.steps))
    }
}
