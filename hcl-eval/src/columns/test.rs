//! Conditions over whole columns: comparisons of primitive columns, joined by `&&`, `||` and `!`.
//!
//! A test has an answer for a row only where every operand is plain: no null, no number that is not finite, no text that would
//! change when it is normalised. Rows without an answer are evaluated one by one, so that there is one meaning of an
//! expression and one wording of its problems.

use std::cmp::Ordering;
use std::ops::Range;

use hcl_syntax::ast::{BinaryOperator, Tree, UnaryOperator};

use super::by_text::ByText;
use super::column::{Cells, Column, Integers, f16_to_f64, with_integers};
use super::text::Texts;
use crate::eval::Surroundings;
use crate::limits::Meter;
use crate::program::{Base, Code, Node, OpId};
use crate::types::Type;
use crate::value::string::normalized;
use crate::value::{Number, Repr, Value};

/// Texts of more bytes have no answer in a test, which looks at the limits between blocks of rows only.
const LONGEST: usize = 4096;

/// How many rows are tested together.
pub(super) const ROWS: usize = 1024;
const WORDS: usize = ROWS / 64;

/// A bit for each row of a block.
pub(super) type Mask = [u64; WORDS];

/// The answers for a block of rows.
#[derive(Copy, Clone)]
pub(super) struct Answers {
    /// The answer of each row that has one.
    pub(super) bits: Mask,
    /// 1 for each row that has an answer.
    pub(super) known: Mask,
}

/// A comparison, as it is asked of a cell on the left side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    fn of(operator: BinaryOperator) -> Option<Self> {
        Some(match operator {
            BinaryOperator::Less => Self::Less,
            BinaryOperator::LessEqual => Self::LessEqual,
            BinaryOperator::Greater => Self::Greater,
            BinaryOperator::GreaterEqual => Self::GreaterEqual,
            BinaryOperator::Equal => Self::Equal,
            BinaryOperator::NotEqual => Self::NotEqual,
            _ => return None,
        })
    }

    /// The relation with its sides exchanged.
    fn exchanged(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
        }
    }

    /// True for `!=`, false for `==`.
    fn is_negated(self) -> Option<bool> {
        match self {
            Self::Equal => Some(false),
            Self::NotEqual => Some(true),
            _ => None,
        }
    }
}

/// A column that a test reads. It is a clone, which copies no cells.
type Read<'a> = Column<'a>;

/// The numbers from the first to the second.
type Between<T> = (T, T);

#[derive(Debug)]
enum TestKind<'a> {
    Constant(bool),
    Column(Read<'a>, Asked),
    Pair(Read<'a>, Read<'a>, AskedOfTwo),
    ByText(ByText<'a>),
    Not(Box<Test<'a>>),
    And(Box<Test<'a>>, Box<Test<'a>>),
    Or(Box<Test<'a>>, Box<Test<'a>>),
}

/// A question about each cell.
#[derive(Debug)]
enum Asked {
    /// The answers are the cells themselves.
    True,
    Null,
    Whole(Between<i128>),
    Double(Between<f64>),
    Text(String),
    /// The answers are those of the entries of a dictionary.
    Entry(Vec<Answers>),
}

/// A question about the two cells of a row.
#[derive(Copy, Clone, Debug)]
enum AskedOfTwo {
    Whole(Relation),
    Doubles(Relation),
    SameBool,
    SameText,
}

/// A condition over columns.
#[derive(Debug)]
pub(super) struct Test<'a> {
    kind: TestKind<'a>,
    /// The opposite is asked.
    is_negated: bool,
}

impl std::fmt::Debug for Answers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answers").finish_non_exhaustive()
    }
}

/// An operand of a comparison.
enum Operand<'c, 'a> {
    Column(Read<'a>),
    Value(&'c Value),
}

/// The way from code to a test.
pub(super) struct Planner<'c, 'a> {
    pub(super) code: &'c Code,
    pub(super) tree: &'c Tree,
    pub(super) given: Surroundings<'c>,
    pub(super) columns: &'c [(usize, Column<'a>)],
    /// The only slot of a column that each operation depends on.
    pub(super) sole_slots: Vec<Option<u32>>,
    /// Evaluations for texts are charged to it: the rows take the steps of what is found.
    pub(super) own: Meter,
    /// The call is charged to it.
    pub(super) meter: &'c mut Meter,
    /// Which columns are read.
    pub(super) is_read: Vec<bool>,
    /// The steps of all operations.
    pub(super) steps: u64,
}

impl<'c, 'a> Planner<'c, 'a> {
    /// The test that a program is; `None` if it is something else, or reads a cell in another way.
    pub(super) fn plan(mut self) -> Option<(Test<'a>, u64)> {
        let test = self.test(self.code.root(), 0)?;
        // Each row needs all its cells, also those that do not matter for its result.
        self.is_read.iter().all(|&is_read| is_read).then_some((test, self.steps))
    }

    /// How deep conditions nest.
    pub(super) const DEEPEST: u32 = 64;

    fn test(&mut self, at: OpId, depth: u32) -> Option<Test<'a>> {
        if depth > Self::DEEPEST {
            return None;
        }
        let steps = self.steps;
        if let Some(test) = self.of_parts(at, depth) {
            return Some(test);
        }
        self.steps = steps;
        self.by_text(at, &|value, _| match value.0 {
            Repr::Bool(answer) => Some(Test::of(TestKind::Constant(answer))),
            _ => None,
        })
        .map(|test| Test::of(TestKind::ByText(test)))
    }

    /// The test of the parts of an operation.
    fn of_parts(&mut self, at: OpId, depth: u32) -> Option<Test<'a>> {
        let op = *self.code.op(at);
        self.steps += u64::from(op.cost);
        let plain = |kind| Some(Test::of(kind));
        match op.node {
            Node::Unary { operator: UnaryOperator::Not, operand } => {
                // Each of several in a row takes a step of its own.
                self.steps += 1;
                let inner = self.test(operand, depth + 1)?;
                plain(TestKind::Not(Box::new(inner)))
            }
            Node::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
                ..
            } => {
                let left = Box::new(self.test(left, depth + 1)?);
                let right = Box::new(self.test(right, depth + 1)?);
                plain(match operator {
                    BinaryOperator::And => TestKind::And(left, right),
                    _ => TestKind::Or(left, right),
                })
            }
            Node::Binary { operator, left, right, .. } => {
                let relation = Relation::of(operator)?;
                match (self.operand(left), self.operand(right)) {
                    (Some(Operand::Column(column)), Some(Operand::Value(value))) => {
                        against_value(&column, relation, value, self.meter)
                    }
                    (Some(Operand::Value(value)), Some(Operand::Column(column))) => {
                        against_value(&column, relation.exchanged(), value, self.meter)
                    }
                    (Some(Operand::Column(left)), Some(Operand::Column(right))) => {
                        against_column(left, relation, right)
                    }
                    (Some(Operand::Column(column)), None) => {
                        let test = self
                            .by_text(right, &|value, meter| against_value(&column, relation, value, meter))?;
                        plain(TestKind::ByText(test))
                    }
                    (None, Some(Operand::Column(column))) => {
                        let relation = relation.exchanged();
                        let test = self
                            .by_text(left, &|value, meter| against_value(&column, relation, value, meter))?;
                        plain(TestKind::ByText(test))
                    }
                    _ => None,
                }
            }
            node => self.of_operand(node),
        }
    }

    /// The test of an operand that is a condition itself.
    fn of_operand(&mut self, node: Node) -> Option<Test<'a>> {
        match self.leaf(node)? {
            Operand::Value(Value(Repr::Bool(answer))) => Some(Test::of(TestKind::Constant(*answer))),
            Operand::Value(_) => None,
            Operand::Column(column) => match column.cells() {
                Cells::Bool(_) => Some(Test::of(TestKind::Column(column, Asked::True))),
                Cells::Dictionary { entries, .. } if matches!(entries.cells(), Cells::Bool(_)) => {
                    let inner = Test::of(TestKind::Column((**entries).clone(), Asked::True));
                    of_entries(&column, entries, &inner, self.meter)
                }
                _ => None,
            },
        }
    }

    fn operand(&mut self, at: OpId) -> Option<Operand<'c, 'a>> {
        let op = *self.code.op(at);
        let operand = self.leaf(op.node)?;
        self.steps += u64::from(op.cost);
        Some(operand)
    }

    /// An operand that leads straight to a value or a column.
    fn leaf(&mut self, node: Node) -> Option<Operand<'c, 'a>> {
        let Node::Direct { base, index: slot, path } = node else { return None };
        match base {
            Base::Slot => {}
            Base::Constant => return self.code.values.get(slot as usize).map(Operand::Value),
            _ => return None,
        }
        let Some(number) = self.columns.iter().position(|(bound, _)| *bound == slot as usize) else {
            let value = self.given.slots.get(slot as usize)?.as_ref()?;
            return (path.len == 0).then_some(Operand::Value(value));
        };
        self.is_read[number] = true;
        let mut column = self.columns[number].1.clone();
        if path.len > 0 && !column.is_total() {
            return None;
        }
        for step in self.code.path(path)? {
            column = column.field(step.key.as_ref()?.as_str()?)?;
        }
        // Null of a path may be that of an object around it, which is another matter.
        Some(Operand::Column(column))
    }
}

impl Column<'_> {
    /// True if every cell has a value.
    fn is_total(&self) -> bool {
        match self.cells() {
            Cells::Null | Cells::Bool(_) | Cells::Integer(_) | Cells::Decimal { .. } => true,
            Cells::Text(Texts::Joined { is_utf8, .. }) => *is_utf8,
            Cells::Text(Texts::Views { .. }) | Cells::F16(_) | Cells::F32(_) | Cells::F64(_) => false,
            Cells::Moment(moments) => moments.as_number,
            Cells::Dictionary { .. } | Cells::List { .. } | Cells::Map { .. } => false,
            Cells::Struct { fields, .. } => fields.iter().all(Column::is_total),
        }
    }
}

/// A column compared with one value.
fn against_value<'a>(
    column: &Read<'a>,
    relation: Relation,
    value: &Value,
    meter: &mut Meter,
) -> Option<Test<'a>> {
    if let Cells::Dictionary { entries, .. } = column.cells() {
        if matches!(value.0, Repr::Null(_)) {
            return None;
        }
        let inner = against_value(entries, relation, value, meter)?;
        return of_entries(column, entries, &inner, meter);
    }
    let is_negated = relation.is_negated();
    let test = |asked| {
        let kind = TestKind::Column(column.clone(), asked);
        Some(Test { kind, is_negated: is_negated.unwrap_or_default() })
    };
    match (column.cells(), &value.0) {
        (_, Repr::Null(Type::Dynamic)) => {
            is_negated?;
            let is_sure =
                column.is_total() && !column.is_of_nulls() && !matches!(column.cells(), Cells::Null);
            if is_sure { test(Asked::Null) } else { None }
        }
        (Cells::Integer(_), Repr::Number(number)) => test(Asked::Whole(integers(relation, number)?)),
        (Cells::F16(_) | Cells::F32(_) | Cells::F64(_), Repr::Number(number)) => {
            test(Asked::Double(floats(relation, number)?))
        }
        (Cells::Text(_), Repr::String(text)) => {
            is_negated?;
            test(Asked::Text(text.as_str().to_owned()))
        }
        (Cells::Bool(_), Repr::Bool(wanted)) => {
            let is_negated = is_negated? == *wanted;
            Some(Test { kind: TestKind::Column(column.clone(), Asked::True), is_negated })
        }
        _ => None,
    }
}

/// A test of the entries of a dictionary as one of its cells; `None` if these are fewer, or a limit has been reached.
fn of_entries<'a>(
    column: &Read<'a>,
    entries: &Read<'a>,
    test: &Test<'a>,
    meter: &mut Meter,
) -> Option<Test<'a>> {
    if column.len() < entries.len() {
        return None;
    }
    let answers = test.all(entries.len(), meter)?;
    Some(Test { kind: TestKind::Column(column.clone(), Asked::Entry(answers)), is_negated: false })
}

/// A column compared with another.
fn against_column<'a>(left: Read<'a>, relation: Relation, right: Read<'a>) -> Option<Test<'a>> {
    let is_float =
        |column: &Read<'a>| matches!(column.cells(), Cells::F16(_) | Cells::F32(_) | Cells::F64(_));
    let (asked, is_negated) = match (left.cells(), right.cells()) {
        (Cells::Integer(_), Cells::Integer(_)) => (AskedOfTwo::Whole(relation), false),
        (Cells::Bool(_), Cells::Bool(_)) => (AskedOfTwo::SameBool, relation.is_negated()?),
        (Cells::Text(_), Cells::Text(_)) => (AskedOfTwo::SameText, relation.is_negated()?),
        _ if is_float(&left) && is_float(&right) => (AskedOfTwo::Doubles(relation), false),
        _ => return None,
    };
    Some(Test { kind: TestKind::Pair(left, right, asked), is_negated })
}

/// The whole numbers of which a relation to `number` holds; of `!=` those of which it does not.
fn integers(relation: Relation, number: &Number) -> Option<Between<i128>> {
    /// Beyond all numbers of columns.
    const FAR: i128 = 1 << 100;
    const NONE: Between<i128> = (1, 0);
    if number.is_infinite() {
        return None;
    }
    let whole = |number: &Number| {
        let near = number.to_i64().map(i128::from).or_else(|| number.to_u64().map(i128::from));
        near.unwrap_or(if number.is_negative() { -FAR } else { FAR })
    };
    if number.is_integer() {
        let bound = whole(number);
        return Some(match relation {
            Relation::Less => (-2 * FAR, bound - 1),
            Relation::LessEqual => (-2 * FAR, bound),
            Relation::Greater => (bound + 1, 2 * FAR),
            Relation::GreaterEqual => (bound, 2 * FAR),
            Relation::Equal | Relation::NotEqual => (bound, bound),
        });
    }
    let below = whole(&number.floor());
    Some(match relation {
        Relation::Less | Relation::LessEqual => (-2 * FAR, below),
        Relation::Greater | Relation::GreaterEqual => (below + 1, 2 * FAR),
        Relation::Equal | Relation::NotEqual => NONE,
    })
}

/// The finite doubles of which a relation to `number` holds; of `!=` those of which it does not. Numbers with fractions are equal
/// if their texts are, so that is asked of those around `number`.
fn floats(relation: Relation, number: &Number) -> Option<Between<f64>> {
    const NONE: Between<f64> = (1.0, 0.0);
    let nearest = number.to_f64();
    if !nearest.is_finite() {
        return None;
    }
    let around = [nearest.next_down(), nearest, nearest.next_up()];
    let ordered = |at: f64, order| Number::from_f64(at).is_some_and(|at| at.cmp(number) == order);
    let below = around.into_iter().rev().find(|&at| ordered(at, Ordering::Less))?;
    let above = around.into_iter().find(|&at| ordered(at, Ordering::Greater))?;
    let equal = around.into_iter().find(|&at| Number::from_f64(at).is_some_and(|at| at.equal(number)));
    Some(match (relation, equal) {
        (Relation::Less, _) => (f64::MIN, below),
        (Relation::Greater, _) => (above, f64::MAX),
        (Relation::LessEqual, Some(equal)) => (f64::MIN, below.max(equal)),
        (Relation::LessEqual, None) => (f64::MIN, below),
        (Relation::GreaterEqual, Some(equal)) => (above.min(equal), f64::MAX),
        (Relation::GreaterEqual, None) => (above, f64::MAX),
        (Relation::Equal | Relation::NotEqual, Some(equal)) => (equal, equal),
        (Relation::Equal | Relation::NotEqual, None) => NONE,
    })
}

/// The bits of up to 64 flags that are 0 or 1.
fn packed(flags: &[u8; 64]) -> u64 {
    let mut word = 0;
    for (at, eight) in flags.chunks_exact(8).enumerate() {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(eight);
        // Flag i, at bit 8 * i, comes to bit 56 + i.
        let eight = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= eight << (8 * at);
    }
    word
}

/// A bit for each of the cells.
pub(super) fn mask_of<T: Copy>(cells: &[T], holds: impl Fn(T) -> bool) -> Mask {
    let mut mask = [0; WORDS];
    for (word, cells) in mask.iter_mut().zip(cells.chunks(64)) {
        let mut flags = [0; 64];
        for (flag, &cell) in flags.iter_mut().zip(cells) {
            *flag = u8::from(holds(cell));
        }
        *word = packed(&flags);
    }
    mask
}

/// A bit for each of `len` rows, by their place in the block.
fn mask_by(len: usize, holds: impl Fn(usize) -> bool) -> Mask {
    let mut mask = [0; WORDS];
    for at in 0..len {
        mask[at / 64] |= u64::from(holds(at)) << (at % 64);
    }
    mask
}

fn in_range<T: Copy + PartialOrd + TryFrom<i128> + Into<i128>>(
    cells: &[T],
    range: Between<i128>,
    most: Between<T>,
) -> Mask {
    let (least, greatest) = (most.0.into(), most.1.into());
    let (Ok(low), Ok(high)) = (T::try_from(range.0.max(least)), T::try_from(range.1.min(greatest))) else {
        return [0; WORDS];
    };
    mask_of(cells, |cell| (cell >= low) & (cell <= high))
}

fn not(mask: Mask) -> Mask {
    mask.map(|word| !word)
}

pub(super) fn both(a: Mask, b: Mask) -> Mask {
    let mut mask = a;
    for (word, other) in mask.iter_mut().zip(b) {
        *word &= other;
    }
    mask
}

pub(super) fn either(a: Mask, b: Mask) -> Mask {
    let mut mask = a;
    for (word, other) in mask.iter_mut().zip(b) {
        *word |= other;
    }
    mask
}

/// The doubles that the cells of a block are.
fn doubles(column: &Column<'_>, start: usize, len: usize) -> [f64; ROWS] {
    let mut doubles = [0.0; ROWS];
    let rows = start..start + len;
    match column.cells() {
        Cells::F64(cells) => doubles[..len].copy_from_slice(&cells[rows]),
        Cells::F32(cells) => {
            for (double, &cell) in doubles.iter_mut().zip(&cells[rows]) {
                *double = f64::from(cell);
            }
        }
        Cells::F16(cells) => {
            for (double, &cell) in doubles.iter_mut().zip(&cells[rows]) {
                *double = f16_to_f64(cell);
            }
        }
        _ => doubles = [f64::NAN; ROWS],
    }
    doubles
}

/// The bits of rows that are 0 where a cell is null.
pub(super) fn valid(column: &Column<'_>, start: usize, len: usize) -> Mask {
    let mut mask = [0; WORDS];
    for (at, word) in mask.iter_mut().take(len.div_ceil(64)).enumerate() {
        *word = column.valid_word(start + 64 * at);
    }
    mask
}

/// The answers of the cells of a column.
fn one(column: &Column<'_>, asked: &Asked, start: usize, len: usize) -> Answers {
    let valid = valid(column, start, len);
    let all = [u64::MAX; WORDS];
    let Answers { bits, known } = match asked {
        Asked::Null => return Answers { bits: not(valid), known: all },
        Asked::True => Answers { bits: bools(column, start, len), known: all },
        Asked::Whole(range) => {
            let Cells::Integer(integers) = column.cells() else { return Answers::NONE };
            Answers { bits: integers_in_range(integers, start..start + len, *range), known: all }
        }
        Asked::Double((low, high)) => {
            let doubles = doubles(column, start, len);
            let bits = mask_of(&doubles[..len], |cell| (cell >= *low) & (cell <= *high));
            Answers { bits, known: mask_of(&doubles[..len], f64::is_finite) }
        }
        Asked::Text(text) => texts(column, start, len, text),
        Asked::Entry(answers) => entries(column, answers, start, len),
    };
    Answers { bits, known: both(known, valid) }
}

/// The answers of the entries that the cells of a dictionary are.
fn entries(column: &Column<'_>, answers: &[Answers], start: usize, len: usize) -> Answers {
    let Cells::Dictionary { keys, .. } = column.cells() else { return Answers::NONE };
    let bit = |of: fn(&Answers) -> &Mask, at: usize| {
        let entry = usize::try_from(keys.get(start + at)).unwrap_or(usize::MAX);
        let block = answers.get(entry / ROWS);
        block.is_some_and(|block| of(block)[entry % ROWS / 64] >> (entry % 64) & 1 != 0)
    };
    Answers {
        bits: mask_by(len, |at| bit(|answers| &answers.bits, at)),
        known: mask_by(len, |at| bit(|answers| &answers.known, at)),
    }
}

/// The answers of the cells of two columns.
fn two(left: &Column<'_>, right: &Column<'_>, asked: AskedOfTwo, start: usize, len: usize) -> Answers {
    let all = [u64::MAX; WORDS];
    match asked {
        AskedOfTwo::Whole(relation) => {
            let (Cells::Integer(left), Cells::Integer(right)) = (left.cells(), right.cells()) else {
                return Answers::NONE;
            };
            let holds = |at| relation.holds(left.get(start + at).cmp(&right.get(start + at)));
            Answers { bits: mask_by(len, holds), known: all }
        }
        AskedOfTwo::Doubles(relation) => {
            let [left, right] = [left, right].map(|column| doubles(column, start, len));
            let order = |at: usize| left[at].partial_cmp(&right[at]);
            let bits = mask_by(len, |at| order(at).is_some_and(|order| relation.holds(order)));
            Answers { bits, known: mask_by(len, |at| left[at].is_finite() & right[at].is_finite()) }
        }
        AskedOfTwo::SameBool => {
            let [left, right] = [left, right].map(|column| bools(column, start, len));
            Answers { bits: either(both(left, right), both(not(left), not(right))), known: all }
        }
        AskedOfTwo::SameText => text_pairs(left, right, start, len),
    }
}

impl<'a> Test<'a> {
    fn of(kind: TestKind<'a>) -> Self {
        Self { kind, is_negated: false }
    }

    /// The answers for `len` rows from `start` on, at most [`ROWS`].
    pub(super) fn answers(&self, start: usize, len: usize) -> Answers {
        let Answers { bits, known } = match &self.kind {
            TestKind::Constant(answer) => {
                let word = if *answer { u64::MAX } else { 0 };
                Answers { bits: [word; WORDS], known: [u64::MAX; WORDS] }
            }
            TestKind::Not(inner) => {
                let Answers { bits, known } = inner.answers(start, len);
                Answers { bits: not(bits), known }
            }
            TestKind::And(left, right) => {
                let [left, right] = [left, right].map(|test| test.answers(start, len));
                Answers { bits: both(left.bits, right.bits), known: both(left.known, right.known) }
            }
            TestKind::Or(left, right) => {
                let [left, right] = [left, right].map(|test| test.answers(start, len));
                Answers { bits: either(left.bits, right.bits), known: both(left.known, right.known) }
            }
            TestKind::Column(column, asked) => one(column, asked, start, len),
            TestKind::ByText(test) => test.answers(start, len),
            TestKind::Pair(left, right, asked) => {
                let Answers { bits, known } = two(left, right, *asked, start, len);
                let valid = both(valid(left, start, len), valid(right, start, len));
                Answers { bits, known: both(known, valid) }
            }
        };
        Answers { bits: if self.is_negated { not(bits) } else { bits }, known }
    }

    /// The answers for all of so many rows, block by block; `None` if a limit has been reached.
    fn all(&self, n_rows: usize, meter: &mut Meter) -> Option<Vec<Answers>> {
        let n_blocks = n_rows.div_ceil(ROWS);
        meter.hold_parts(n_blocks, size_of::<Answers>()).ok()?;
        let mut all = Vec::with_capacity(n_blocks);
        for start in (0..n_rows).step_by(ROWS) {
            meter.go_on(ROWS).ok()?;
            all.push(self.answers(start, (n_rows - start).min(ROWS)));
        }
        Some(all)
    }
}

impl Answers {
    pub(super) const NONE: Self = Self { bits: [0; WORDS], known: [0; WORDS] };
}

fn bools(column: &Column<'_>, start: usize, len: usize) -> Mask {
    let mut mask = [0; WORDS];
    if let Cells::Bool(bits) = column.cells() {
        for (at, word) in mask.iter_mut().take(len.div_ceil(64)).enumerate() {
            *word = bits.word(start + 64 * at);
        }
    }
    mask
}

fn integers_in_range(integers: &Integers<'_>, rows: Range<usize>, range: Between<i128>) -> Mask {
    fn most<T: num_bounds::Bounded>(_: &[T]) -> Between<T> {
        (T::LEAST, T::GREATEST)
    }
    with_integers!(integers, cells => in_range(&cells[rows], range, most(cells)))
}

/// The ends of the types of whole numbers.
mod num_bounds {
    pub(super) trait Bounded {
        const LEAST: Self;
        const GREATEST: Self;
    }

    macro_rules! bounded {
        ($($ty:ty)*) => {
            $(impl Bounded for $ty {
                const LEAST: Self = <$ty>::MIN;
                const GREATEST: Self = <$ty>::MAX;
            })*
        };
    }

    bounded!(i8 i16 i32 i64 u8 u16 u32 u64);
}

/// The answers to whether the cells are a text, which is normalised.
fn texts(column: &Column<'_>, start: usize, len: usize, wanted: &str) -> Answers {
    let Cells::Text(texts) = column.cells() else { return Answers::NONE };
    let is_ascii = texts.is_ascii();
    let mut answers = Answers::NONE;
    for at in 0..len {
        let (word, shift) = (at / 64, at % 64);
        let bytes = texts.bytes(start + at);
        let answer = match bytes {
            // Such a row looks at the limits.
            Some(bytes) if bytes.len() > LONGEST => {
                (is_ascii && bytes.len() != wanted.len()).then_some(false)
            }
            Some(bytes) if bytes == wanted.as_bytes() => Some(true),
            Some(bytes) if is_ascii || bytes.is_ascii() => Some(false),
            _ => texts.get(start + at).map(|text| normalized(text).as_str() == wanted),
        };
        answers.bits[word] |= u64::from(answer == Some(true)) << shift;
        answers.known[word] |= u64::from(answer.is_some()) << shift;
    }
    answers
}

/// The answers to whether the texts of two columns are the same.
fn text_pairs(left: &Column<'_>, right: &Column<'_>, start: usize, len: usize) -> Answers {
    let (Cells::Text(left), Cells::Text(right)) = (left.cells(), right.cells()) else { return Answers::NONE };
    let mut answers = Answers::NONE;
    for at in 0..len {
        let answer = match (left.bytes(start + at), right.bytes(start + at)) {
            (Some(a), Some(b)) if a.len().max(b.len()) > LONGEST => None,
            (Some(a), Some(b)) if a.is_ascii() && b.is_ascii() => Some(a == b),
            _ => match (left.get(start + at), right.get(start + at)) {
                (Some(a), Some(b)) => Some(normalized(a) == normalized(b)),
                _ => None,
            },
        };
        answers.bits[at / 64] |= u64::from(answer == Some(true)) << (at % 64);
        answers.known[at / 64] |= u64::from(answer.is_some()) << (at % 64);
    }
    answers
}
