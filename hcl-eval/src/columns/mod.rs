//! Programs over tables: one evaluation for each row of columns that are lent.
//!
//! Columns are bound to slots once ([`Program::evaluate_columns`]). What is the same for all rows is computed once (`constant`).
//! A condition over primitive columns is answered a block of rows at a time (`test`); what it makes of texts is found once for
//! each text (`by_text`). Rows that have no answer then, and all rows of other programs, are evaluated one by one, as
//! [`Program::evaluate`] does. So both ways have one meaning.
//!
//! A cell is a value of its column's type (`column`): dates and times are texts (`moment`). Results come in one by one (`result`)
//! and make cells (`cells`); those that have parts are gathered first (`gathered`). This module knows no layout of a library of
//! columns; `hcl-arrow` has that of Apache Arrow.

mod bits;
mod by_text;
mod cells;
mod column;
mod constant;
mod decimal;
mod gathered;
mod joined;
mod moment;
mod result;
mod test;
mod text;

use std::mem;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::memory;

use crate::eval::Frame;
use crate::limits::{LimitReached, Meter};
use crate::program::{Code, Program};
use crate::types::Defaults;

pub use bits::BitBuffer;
pub use cells::{ResultCells, ResultColumn, Wanted};
use column::NoValue;
pub use column::{Bits, Cells, Column, Integers, arranged};
pub use moment::{MomentForm, Moments};
use result::{Refused, Results};
use test::{Planner, ROWS, Test};
pub use text::{Bounds, Texts};

/// The key of the number of its row among the additions of a diagnostic ([`Diagnostic::extra`]).
pub const ROW: &str = "row";

/// The options of an evaluation over columns.
///
/// ```
/// use hcl_eval::columns::{ColumnsOptions, Wanted};
///
/// let options = ColumnsOptions { wanted: Wanted::Bool, ..ColumnsOptions::default() };
/// assert!(!options.first_error_ends);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ColumnsOptions {
    /// The type of the column of results.
    pub wanted: Wanted,
    /// Defaults of optional attributes, applied to each result before it is converted to [`Wanted::Type`].
    pub defaults: Option<Defaults>,
    /// The first row that fails ends the work.
    pub first_error_ends: bool,
    /// The batches of the same table that were evaluated before this one.
    pub before: Before,
}

/// The batches before this one: numbers of rows go on from there, and so do steps and what results take.
///
/// ```
/// use hcl_eval::columns::{Before, ColumnsOptions};
///
/// let before = Before { rows: 10_000, steps: 40_000, memory: 80_000 };
/// let options = ColumnsOptions { before, ..ColumnsOptions::default() };
/// assert!(options.defaults.is_none());
/// ```
#[derive(Copy, Clone, Debug, Default)]
pub struct Before {
    /// The number of rows.
    pub rows: u64,
    /// The steps that were used.
    pub steps: u64,
    /// The bytes of the results ([`Evaluated::memory`]).
    pub memory: u64,
}

/// The results of all rows.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// A result for each row; null for one that failed.
    pub column: ResultColumn,
    /// Diagnostics of rows, as many as the limit allows, each with [`ROW`].
    pub diagnostics: Diagnostics,
    /// How many rows failed.
    pub n_failed: u64,
    /// The bytes that the results take, about; those of the batches before among them.
    pub memory: u64,
}

impl Program {
    /// Evaluates once for each of `n_rows` rows. The columns give the slots that they are bound to a value for each row, other
    /// slots keep what the frame holds; afterwards all do.
    ///
    /// The limits are those of the frame. Steps, the deadline and the token are those of all rows together, and so is what is
    /// held in memory with the results; the other limits are those of each row. What was used by all rows is in
    /// [`Frame::used`], the steps of the batches before among it.
    ///
    /// A row fails if its evaluation does, if a cell has no value (NaN, bytes that are no UTF-8, a date before the year 0), or if
    /// its result can be no cell: it has marks, is not known as a whole, or is of another type than the one that was asked for.
    ///
    /// ```
    /// use hcl_eval::columns::{Cells, Column, ColumnsOptions, Integers, ResultCells};
    /// use hcl_eval::eval::{Frame, Scope};
    /// use hcl_eval::program::Program;
    /// use hcl_syntax::parser::ParsedExpression;
    ///
    /// let mut scope = Scope::builder();
    /// let age = scope.slot("age");
    /// let scope = scope.build();
    /// let parsed: ParsedExpression = "age * 2".parse()?;
    /// let id = parsed.expression().id();
    /// let (program, _) = Program::compile(parsed.into_tree(), id, scope.clone(), &Default::default());
    ///
    /// let ages = Column::new(Cells::Integer(Integers::U8(&[17, 18])), 2)?;
    /// let mut frame = Frame::new(&scope);
    /// let done = program.evaluate_columns(&mut frame, vec![(age, ages)], 2, &ColumnsOptions::default());
    /// assert_eq!(done.unwrap().column.cells, ResultCells::I64(vec![34, 36]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A limit has been reached, results have no type in common, or a row failed whose error ends the work. The last diagnostic
    /// says so.
    pub fn evaluate_columns(
        &self,
        frame: &mut Frame,
        mut columns: Vec<(usize, Column<'_>)>,
        n_rows: usize,
        options: &ColumnsOptions,
    ) -> Result<Evaluated, Diagnostics> {
        frame.meter.reset();
        if let Err(limit) = frame.meter.steps(options.before.steps) {
            return Err(vec![self.refused(Refused::Limit(limit), &mut frame.meter)]);
        }
        columns.retain(|(slot, _)| self.needs().contains(slot));
        for (slot, column) in &mut columns {
            match column.prepare(&mut frame.meter) {
                Ok(()) => {}
                Err(NoValue::Cell(problem)) => return Err(vec![self.unsuitable(*slot, &problem)]),
                Err(NoValue::Limit(limit)) => {
                    return Err(vec![self.refused(Refused::Limit(limit), &mut frame.meter)]);
                }
            }
            if column.len() < n_rows {
                return Err(vec![self.unsuitable(*slot, "has fewer cells than the table has rows")]);
            }
        }
        let kept: Vec<_> = columns.iter().map(|(slot, _)| (*slot, frame.get(*slot).cloned())).collect();
        let done = self.all_rows(frame, &columns, n_rows, options);
        for (slot, value) in kept {
            frame.set(slot, value);
        }
        done
    }

    /// Evaluates for all rows, by blocks where the program is a test over columns and the results are bits, else row
    /// by row. `frame` holds what is the same for all rows; its slots that are columns are overwritten.
    fn all_rows(
        &self,
        frame: &mut Frame,
        columns: &[(usize, Column<'_>)],
        n_rows: usize,
        options: &ColumnsOptions,
    ) -> Result<Evaluated, Diagnostics> {
        let special = match n_rows {
            0 => None,
            _ => self.specialized(frame, columns),
        };
        let code = special.as_ref().unwrap_or(self.code());
        let results = Results::new(options, n_rows, &mut frame.meter);
        let results = results.map_err(|refused| vec![self.refused(refused, &mut frame.meter)])?;
        let mut work = Work { program: self, code, columns, options, results, said: Vec::new(), n_failed: 0 };
        let test = if work.results.takes_bits() { work.test(frame) } else { None };
        if let Some(limit) = frame.meter.stopped() {
            return Err(work.ended(Refused::Limit(limit), &mut frame.meter));
        }
        match test {
            Some((test, steps)) => work.by_blocks(frame, n_rows, &test, steps)?,
            None => (0..n_rows).try_for_each(|row| work.row(frame, row))?,
        }
        let Work { results, said, n_failed, .. } = work;
        let memory = results.memory();
        match results.finish(&mut frame.meter) {
            Ok(column) => Ok(Evaluated { column, diagnostics: said, n_failed, memory }),
            Err(refused) => {
                let reason = self.refused(refused, &mut frame.meter);
                Err(with_reason(said, vec![reason]))
            }
        }
    }

    /// The code with the parts computed that are the same for all rows.
    fn specialized(&self, frame: &mut Frame, columns: &[(usize, Column<'_>)]) -> Option<Code> {
        let (given, meter) = frame.surroundings(self.scope());
        let is_column = |slot| columns.iter().any(|(bound, _)| *bound == slot as usize);
        constant::specialized(self.code(), self.tree(), given, meter, is_column)
    }

    /// That a column does not suit.
    fn unsuitable(&self, slot: usize, problem: &str) -> Diagnostic {
        let name = self.scope().slot_name(slot).unwrap_or_default();
        Diagnostic::error("api.column", "Unsuitable column", format!("The column \"{name}\" {problem}."))
    }

    /// That a result can be no cell, or that a limit was reached.
    fn refused(&self, refused: Refused, meter: &mut Meter) -> Diagnostic {
        let expression = self.expression();
        let diagnostic = match refused {
            Refused::Limit(limit) => limit_reached(limit),
            Refused::Row(detail) | Refused::All(detail) => {
                Diagnostic::error("api.result", "Unsuitable result", detail)
            }
        };
        meter.placed(diagnostic, expression.tree().source(), expression.span())
    }
}

/// That a limit ended the work on a table.
///
/// ```
/// use hcl_eval::columns::limit_reached;
/// use hcl_eval::limits::LimitReached;
///
/// assert_eq!(limit_reached(LimitReached::Memory(1 << 20)).code, "limit.memory");
/// ```
#[must_use]
pub fn limit_reached(limit: LimitReached) -> Diagnostic {
    Diagnostic::error(limit.code(), limit.summary(), limit.sentence("The evaluation of the rows"))
}

/// Adds the reason that ended the work to what was said of rows. Where the system has no memory for that, the reason is all.
fn with_reason(mut said: Diagnostics, mut reason: Diagnostics) -> Diagnostics {
    let n = said.len() + reason.len();
    if n > said.capacity() && !memory::is_to_be_had(n * size_of::<Diagnostic>()) {
        return reason;
    }
    said.reserve_exact(reason.len());
    said.append(&mut reason);
    said
}

/// The work on the rows of a table.
struct Work<'w, 'a> {
    program: &'w Program,
    code: &'w Code,
    columns: &'w [(usize, Column<'a>)],
    options: &'w ColumnsOptions,
    results: Results,
    said: Diagnostics,
    n_failed: u64,
}

impl<'a> Work<'_, 'a> {
    /// The test that the program is, and the steps that it takes for a row.
    fn test(&self, frame: &mut Frame) -> Option<(Test<'a>, u64)> {
        let own = frame.meter.beside();
        let (given, meter) = frame.surroundings(self.program.scope());
        let is_column = |slot| self.columns.iter().any(|(bound, _)| *bound == slot as usize);
        let planner = Planner {
            code: self.code,
            tree: self.program.tree(),
            given,
            columns: self.columns,
            sole_slots: constant::sole_slots(self.code, &given, is_column),
            own,
            meter,
            is_read: vec![false; self.columns.len()],
            steps: 0,
        };
        planner.plan()
    }

    /// Answers blocks of rows by the test, 64 rows to a word. Rows that the test can't answer are evaluated in their
    /// place, so that results and complaints stand in the order of rows; steps are charged for each row as an
    /// evaluation of it would.
    fn by_blocks(
        &mut self,
        frame: &mut Frame,
        n_rows: usize,
        test: &Test<'_>,
        steps: u64,
    ) -> Result<(), Diagnostics> {
        for start in (0..n_rows).step_by(ROWS) {
            let len = (n_rows - start).min(ROWS);
            let answers = test.answers(start, len);
            for first in (0..len).step_by(64) {
                let n = (len - first).min(64);
                let within = if n < 64 { (1 << n) - 1 } else { u64::MAX };
                let (bits, known) = (answers.bits[first / 64], answers.known[first / 64] & within);
                if let Err(limit) = frame.meter.steps(steps * u64::from(known.count_ones())) {
                    return Err(self.ended(Refused::Limit(limit), &mut frame.meter));
                }
                if known == within {
                    let pushed = self.results.push_bits(bits, n, &mut frame.meter);
                    pushed.map_err(|refused| self.ended(refused, &mut frame.meter))?;
                    continue;
                }
                for at in 0..n {
                    if known >> at & 1 != 0 {
                        let pushed = self.results.push_bits(bits >> at & 1, 1, &mut frame.meter);
                        pushed.map_err(|refused| self.ended(refused, &mut frame.meter))?;
                    } else {
                        self.row(frame, start + first + at)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Evaluates for one row.
    fn row(&mut self, frame: &mut Frame, row: usize) -> Result<(), Diagnostics> {
        frame.meter.go_on_anew();
        for (slot, column) in self.columns {
            match column.value(row, &mut frame.meter) {
                Ok(value) => frame.slots[*slot] = Some(value),
                Err(NoValue::Cell(problem)) => {
                    let problem = self.program.unsuitable(*slot, &problem);
                    return self.failed(frame, row, vec![problem]);
                }
                Err(NoValue::Limit(limit)) => {
                    let reason = self.program.refused(Refused::Limit(limit), &mut frame.meter);
                    return self.failed(frame, row, vec![reason]);
                }
            }
        }
        let mut said = Diagnostics::new();
        let value = self.program.run(self.code, frame, &mut said);
        if !said.is_empty() && (frame.meter.stopped().is_some() || has_errors(&said)) {
            return self.failed(frame, row, said);
        }
        if !said.is_empty() {
            self.keep(frame, row, said)?;
        }
        let pushed = self.results.push(&value, &mut frame.meter);
        value.discard();
        match pushed {
            Ok(()) => Ok(()),
            Err(refused @ Refused::Row(_)) => {
                let reason = self.program.refused(refused, &mut frame.meter);
                self.failed(frame, row, vec![reason])
            }
            Err(refused) => {
                let mut reason = vec![self.program.refused(refused, &mut frame.meter)];
                self.mark(&mut reason, row);
                Err(with_reason(mem::take(&mut self.said), reason))
            }
        }
    }

    /// Keeps what was said of a row, as long as there is room.
    fn keep(&mut self, frame: &mut Frame, row: usize, mut said: Diagnostics) -> Result<(), Diagnostics> {
        let room = (frame.limits().max_diagnostics as usize).saturating_sub(self.said.len());
        said.truncate(room);
        self.mark(&mut said, row);
        let len = self.said.len();
        if len + said.len() > self.said.capacity() {
            let n = (2 * len).max(len + said.len());
            frame
                .meter
                .hold_parts(n, size_of::<Diagnostic>())
                .map_err(|limit| self.ended(Refused::Limit(limit), &mut frame.meter))?;
            self.said.reserve_exact(n - len);
        }
        self.said.append(&mut said);
        Ok(())
    }

    /// Goes on behind a row that failed, unless that ends the work.
    fn failed(&mut self, frame: &mut Frame, row: usize, mut said: Diagnostics) -> Result<(), Diagnostics> {
        if self.options.first_error_ends || frame.meter.stopped().is_some() {
            self.mark(&mut said, row);
            return Err(with_reason(mem::take(&mut self.said), said));
        }
        self.n_failed += 1;
        self.keep(frame, row, said)?;
        self.results
            .push_null(&mut frame.meter)
            .map_err(|limit| self.ended(Refused::Limit(limit), &mut frame.meter))
    }

    /// Returns the diagnostics of work that was ended: those of rows, and the reason.
    fn ended(&mut self, refused: Refused, meter: &mut Meter) -> Diagnostics {
        let reason = self.program.refused(refused, meter);
        with_reason(mem::take(&mut self.said), vec![reason])
    }

    /// Adds the number of the row to diagnostics.
    fn mark(&self, said: &mut Diagnostics, row: usize) {
        let row = self.options.before.rows + row as u64;
        for diagnostic in said {
            diagnostic.extra.retain(|(key, _)| key != ROW);
            diagnostic.extra.insert(0, (ROW.to_owned(), row.to_string()));
        }
    }
}

/// The number of the row that a diagnostic is about, if an evaluation over columns gave it.
///
/// ```
/// use hcl_eval::columns::{ROW, row_of};
/// use hcl_syntax::diagnostic::Diagnostic;
///
/// let mut said = Diagnostic::error("app.rule", "Rule broken", "The rule is broken.");
/// assert_eq!(row_of(&said), None);
/// said.extra.push((ROW.to_owned(), "7".to_owned()));
/// assert_eq!(row_of(&said), Some(7));
/// ```
#[must_use]
pub fn row_of(diagnostic: &Diagnostic) -> Option<u64> {
    let (_, row) = diagnostic.extra.iter().find(|(key, _)| key == ROW)?;
    row.parse().ok()
}
