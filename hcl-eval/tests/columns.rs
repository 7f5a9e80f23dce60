//! Programs over columns give what row-by-row evaluation gives: values, diagnostics and steps.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hcl_eval::columns::{
    Before, BitBuffer, Bits, Bounds, Cells, Column, ColumnsOptions, Evaluated, Integers, ResultCells,
    ResultColumn, Texts, Wanted, row_of,
};
use hcl_eval::eval::{Frame, Scope};
use hcl_eval::function::{Function, Parameter};
use hcl_eval::limits::{CancelToken, Limits, Meter};
use hcl_eval::program::{CompileOptions, Program};
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::{Kind, Number, Type, Value, dialect};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::parser::ParsedExpression;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % sides as u64).expect("few sides")
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.roll(list.len())]
    }
}

/// The cells of one kind, as a host has them: `None` is null.
enum Given {
    Bool(Vec<Option<bool>>),
    Byte(Vec<Option<i8>>),
    Long(Vec<Option<i64>>),
    Natural(Vec<Option<u64>>),
    Double(Vec<Option<f64>>),
    Text(Vec<Option<&'static str>>),
    /// Keys of [`ENTRIES`].
    Dictionary(Vec<Option<u8>>),
    /// Objects of one field, the number.
    Object(Vec<Option<Option<i64>>>),
}

const TEXTS: [&str; 9] =
    ["", "x", "abc", "a text of more than twelve bytes", "\u{e9}", "e\u{301}", "5", "true", "\u{212b}"];
const ENTRIES: [Option<&str>; 4] = [Some("x"), None, Some("e\u{301}"), Some("abc")];
const DOUBLES: [f64; 12] = [
    0.0,
    -0.0,
    0.1,
    0.3,
    1.0,
    -1.5,
    5.0,
    1e300,
    f64::MIN_POSITIVE,
    f64::NAN,
    f64::INFINITY,
    9_007_199_254_740_993.0,
];
const LONGS: [i64; 8] = [0, 1, 2, 5, -1, i64::MAX, i64::MIN, 100];
const NATURALS: [u64; 5] = [0, 1, 5, u64::MAX, 1 << 63];

impl Given {
    fn new(kind: usize, n_rows: usize, dice: &mut Dice) -> Self {
        // Some columns have no nulls at all.
        let nulls = *dice.pick(&[0, 0, 4, 2]);
        macro_rules! cells {
            ($value:expr) => {
                (0..n_rows)
                    .map(|_| if nulls > 0 && dice.roll(nulls) == 0 { None } else { Some($value) })
                    .collect()
            };
        }
        match kind {
            0 => Self::Bool(cells!(dice.roll(2) == 0)),
            1 => Self::Byte(cells!(*dice.pick(&[-128_i8, -1, 0, 1, 5, 127]))),
            2 => Self::Long(cells!(*dice.pick(&LONGS))),
            3 => Self::Natural(cells!(*dice.pick(&NATURALS))),
            4 => {
                let n = *dice.pick(&[9, 12]);
                Self::Double(cells!(*dice.pick(&DOUBLES[..n])))
            }
            5 => {
                let n = *dice.pick(&[4, 9]);
                Self::Text(cells!(*dice.pick(&TEXTS[..n])))
            }
            6 => Self::Dictionary(cells!(u8::try_from(dice.roll(ENTRIES.len())).expect("few"))),
            _ => Self::Object(cells!(if dice.roll(3) == 0 { None } else { Some(*dice.pick(&LONGS)) })),
        }
    }

    fn ty(&self) -> Type {
        match self {
            Self::Bool(_) => Type::Bool,
            Self::Byte(_) | Self::Long(_) | Self::Natural(_) | Self::Double(_) => Type::Number,
            Self::Text(_) | Self::Dictionary(_) => Type::String,
            Self::Object(_) => Type::object(vec![hcl_eval::ObjectAttribute::new("n", Type::Number)]),
        }
    }

    /// The value of a row; `None` if there is none.
    fn value(&self, row: usize) -> Option<Value> {
        let value = match self {
            Self::Bool(cells) => cells[row].map(Value::bool),
            Self::Byte(cells) => cells[row].map(|cell| Value::int(cell.into())),
            Self::Long(cells) => cells[row].map(Value::int),
            Self::Natural(cells) => cells[row].map(|cell| Value::number(Number::from_u64(cell))),
            Self::Double(cells) => match cells[row] {
                Some(cell) => Some(Value::number(Number::from_f64(cell)?)),
                None => None,
            },
            Self::Text(cells) => cells[row].map(Value::string),
            Self::Dictionary(cells) => {
                cells[row].and_then(|cell| ENTRIES[usize::from(cell)]).map(Value::string)
            }
            Self::Object(cells) => cells[row].map(|cell| {
                let n = cell.map_or_else(|| Value::null(Type::Number), Value::int);
                Value::object(vec![("n".into(), n)])
            }),
        };
        Some(value.unwrap_or_else(|| Value::null(self.ty())))
    }
}

/// The memory that a column lends.
#[derive(Default)]
struct Storage {
    valid: Vec<u8>,
    bits: Vec<u8>,
    bytes: Vec<i8>,
    longs: Vec<i64>,
    naturals: Vec<u64>,
    doubles: Vec<f64>,
    keys: Vec<u8>,
    bounds: Vec<i32>,
    text: Vec<u8>,
    inner_valid: Vec<u8>,
    entry_bounds: Vec<i32>,
    entry_text: Vec<u8>,
}

/// Bits behind `skip` others, which are ones.
fn bits(skip: usize, bits: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, bit) in std::iter::repeat_n(true, skip).chain(bits).enumerate() {
        if at % 8 == 0 {
            bytes.push(0);
        }
        if bit {
            *bytes.last_mut().expect("pushed") |= 1 << (at % 8);
        }
    }
    bytes
}

fn joined(cells: impl Iterator<Item = Option<&'static str>>) -> (Vec<i32>, Vec<u8>) {
    let (mut bounds, mut text) = (vec![0], Vec::new());
    for cell in cells {
        text.extend_from_slice(cell.unwrap_or_default().as_bytes());
        bounds.push(i32::try_from(text.len()).expect("short"));
    }
    (bounds, text)
}

/// Whole numbers of a host have 64 bits, those that are no `i64` too.
#[test]
fn large_whole_numbers_are_as_precise_as_small_ones() {
    let cells = [1_u64 << 63, u64::MAX];
    let column = Column::new(Cells::Integer(Integers::U64(&cells)), 2).expect("two rows");
    let done = over("a / length([1, 2, 3])", column, Limits::default(), Wanted::Text).expect("no limit");
    assert_eq!(cell(&done.column, 0).as_str(), Some("3074457345618258602.8"));
    for cell in cells {
        assert_eq!(Value::from(cell).as_number().map(Number::precision), Some(64));
        assert_eq!(Value::from(u128::from(cell)).as_number().map(Number::precision), Some(64));
    }
}

/// No bit beyond the last is set, whatever the bytes hold there.
#[test]
fn bits_end() {
    let bits = Bits::new(&[0xff], 1, 3).expect("as many");
    let set: Vec<usize> = [0, 2, 3, 6, 7, usize::MAX].into_iter().filter(|at| bits.get(*at)).collect();
    assert_eq!(set, [0, 2]);
}

/// Bits do not begin at a byte.
const SKIP: usize = 3;

impl Storage {
    fn new(given: &Given) -> Self {
        macro_rules! with_valid {
            ($cells:expr, $($field:ident: $value:expr),*) => {
                Storage {
                    valid: bits(SKIP, $cells.iter().map(Option::is_some)),
                    $($field: $value,)*
                    ..Storage::default()
                }
            };
        }
        match given {
            Given::Bool(cells) => {
                with_valid!(cells, bits: bits(SKIP, cells.iter().map(|cell| cell.unwrap_or(true))))
            }
            Given::Byte(cells) => {
                with_valid!(cells, bytes: cells.iter().map(|cell| cell.unwrap_or(5)).collect())
            }
            Given::Long(cells) => {
                with_valid!(cells, longs: cells.iter().map(|cell| cell.unwrap_or(5)).collect())
            }
            Given::Natural(cells) => {
                with_valid!(cells, naturals: cells.iter().map(|cell| cell.unwrap_or(5)).collect())
            }
            Given::Double(cells) => {
                with_valid!(cells, doubles: cells.iter().map(|cell| cell.unwrap_or(5.0)).collect())
            }
            Given::Text(cells) => {
                let (bounds, text) = joined(cells.iter().copied());
                with_valid!(cells, bounds: bounds, text: text)
            }
            Given::Dictionary(cells) => {
                let (entry_bounds, entry_text) = joined(ENTRIES.into_iter());
                with_valid!(
                    cells,
                    keys: cells.iter().map(|cell| cell.unwrap_or(200)).collect(),
                    entry_bounds: entry_bounds,
                    entry_text: entry_text,
                    inner_valid: bits(0, ENTRIES.iter().map(Option::is_some))
                )
            }
            Given::Object(cells) => with_valid!(
                cells,
                longs: cells.iter().map(|cell| cell.flatten().unwrap_or(5)).collect(),
                inner_valid: bits(0, cells.iter().map(|cell| !matches!(cell, Some(None))))
            ),
        }
    }

    fn column(&self, given: &Given, n_rows: usize) -> Column<'_> {
        let valid = |bytes| Bits::new(bytes, 0, n_rows).expect("as many");
        let (cells, is_null) = match given {
            Given::Bool(cells) => {
                let bits = Bits::new(&self.bits, SKIP, n_rows).expect("as many");
                (Cells::Bool(bits), cells.iter().any(Option::is_none))
            }
            Given::Byte(cells) => {
                (Cells::Integer(Integers::I8(&self.bytes)), cells.iter().any(Option::is_none))
            }
            Given::Long(cells) => {
                (Cells::Integer(Integers::I64(&self.longs)), cells.iter().any(Option::is_none))
            }
            Given::Natural(cells) => {
                (Cells::Integer(Integers::U64(&self.naturals)), cells.iter().any(Option::is_none))
            }
            Given::Double(cells) => (Cells::F64(&self.doubles), cells.iter().any(Option::is_none)),
            Given::Text(cells) => {
                let texts = Texts::joined(Bounds::Small(&self.bounds), &self.text);
                (Cells::Text(texts), cells.iter().any(Option::is_none))
            }
            Given::Dictionary(cells) => {
                let texts = Texts::joined(Bounds::Small(&self.entry_bounds), &self.entry_text);
                let entries = Column::new(Cells::Text(texts), ENTRIES.len()).expect("as many");
                let bits = Bits::new(&self.inner_valid, 0, ENTRIES.len()).expect("as many");
                let entries = Box::new(entries.with_validity(bits));
                let keys = Integers::U8(&self.keys);
                let cells_ = Cells::Dictionary { keys, entries, values: Arc::default() };
                (cells_, cells.iter().any(Option::is_none))
            }
            Given::Object(cells) => {
                let field = Column::new(Cells::Integer(Integers::I64(&self.longs)), n_rows).expect("as many");
                let field = field.with_validity(valid(&self.inner_valid));
                let (shape, _) =
                    hcl_eval::columns::arranged(&["n"], &mut Meter::default()).expect("one name");
                (Cells::Struct { shape, fields: vec![field] }, cells.iter().any(Option::is_none))
            }
        };
        let column = Column::new(cells, n_rows).expect("as many");
        if !is_null {
            return column;
        }
        column.with_validity(Bits::new(&self.valid, SKIP, n_rows).expect("as many"))
    }
}

const NAMES: [&str; 8] = ["t", "i", "n", "u", "f", "s", "d", "o"];

/// A random expression. `depth` bounds how deep it nests.
#[expect(clippy::too_many_lines, reason = "it is a grammar")]
fn expression(dice: &mut Dice, depth: usize, out: &mut String) {
    const OPERANDS: [&str; 30] = [
        "t",
        "i",
        "n",
        "u",
        "f",
        "s",
        "d",
        "o.n",
        "t",
        "i",
        "n",
        "f",
        "s",
        "d",
        "true",
        "false",
        "null",
        "0",
        "5",
        "0.1",
        "-1",
        "1e30",
        "\"x\"",
        "\"\u{e9}\"",
        "\"5\"",
        "limit",
        "word",
        "0.5",
        "9007199254740993",
        "o",
    ];
    const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
    /// Expressions that depend on the text of one column, or look so.
    const OF_TEXTS: [&str; 14] = [
        "bounds[s]",
        "bounds[d]",
        "bounds[word]",
        "bounds[\"${s}\"]",
        "startswith(s, \"x\")",
        "startswith(d, \"a\")",
        "upper(d)",
        "upper(s)",
        "length(s)",
        "s == \"x\" ? 5 : 0",
        "s == d ? 5 : 0",
        "contains([\"x\", \"abc\"], s)",
        "[for w in [\"x\", s] : w == \"x\"][1]",
        "tonumber(s)",
    ];
    match dice.roll(if depth == 0 { 8 } else { 14 }) {
        0..=4 => {
            let (left, right) = (dice.pick(&OPERANDS), dice.pick(&OPERANDS));
            let comparison = dice.pick(&COMPARISONS);
            write!(out, "{left} {comparison} {right}").expect("text");
        }
        5 => {
            let operand: &&str = dice.pick(&OPERANDS);
            out.push_str(operand);
        }
        6 => {
            let (left, right) = (dice.pick(&OPERANDS), dice.pick(&OF_TEXTS));
            let comparison = dice.pick(&COMPARISONS);
            let sides = if dice.roll(2) == 0 { [left, right] } else { [right, left] };
            write!(out, "({}) {comparison} ({})", sides[0], sides[1]).expect("text");
        }
        7 => {
            let part: &&str = dice.pick(&OF_TEXTS);
            write!(out, "({part})").expect("text");
        }
        8 => {
            out.push('!');
            out.push('(');
            expression(dice, depth - 1, out);
            out.push(')');
        }
        9 => {
            out.push_str("length([for w in [word, \"b\"] : upper(w)]) > 1 && ");
            expression(dice, depth - 1, out);
        }
        10 => {
            expression(dice, depth - 1, out);
            out.push_str(" ? limit + 1 : limit");
        }
        _ => {
            out.push('(');
            expression(dice, depth - 1, out);
            let joint: &&str = dice.pick(&[") && (", ") || (", ") == ("]);
            out.push_str(joint);
            expression(dice, depth - 1, out);
            out.push(')');
        }
    }
}

fn compile(text: &str, scope: &Arc<Scope>) -> Program {
    let parsed: ParsedExpression = text.parse().expect("it can be parsed");
    let id = parsed.expression().id();
    Program::compile(parsed.into_tree(), id, Arc::clone(scope), &CompileOptions::default()).0
}

fn bit(validity: Option<&BitBuffer>, row: usize) -> bool {
    validity.is_none_or(|bits| bits.get(row))
}

/// The cell of a result as a value.
fn cell(column: &ResultColumn, row: usize) -> Value {
    if !bit(column.validity.as_ref(), row) {
        return Value::null(Type::Dynamic);
    }
    match &column.cells {
        ResultCells::Null => Value::null(Type::Dynamic),
        ResultCells::Bool(bits) => Value::bool(bits.get(row)),
        ResultCells::I64(cells) => Value::int(cells[row]),
        ResultCells::F64(cells) => Value::number(Number::from_f64(cells[row]).expect("a number")),
        ResultCells::Text { bounds, bytes } => {
            let range = usize::try_from(bounds[row]).expect("positive")
                ..usize::try_from(bounds[row + 1]).expect("positive");
            Value::string(std::str::from_utf8(&bytes[range]).expect("UTF-8"))
        }
        ResultCells::Struct { names, fields } => {
            let parts = names.iter().zip(fields).map(|(name, field)| (name.clone(), cell(field, row)));
            Value::object(parts.collect())
        }
        other => panic!("no such cells are expected: {other:?}"),
    }
}

fn without_row(said: &Diagnostic) -> Diagnostic {
    Diagnostic { extra: Vec::new(), ..said.clone() }
}

struct Case {
    text: String,
    n_rows: usize,
    given: Vec<Given>,
    wanted: Wanted,
}

/// The value of `bounds`: not all texts, and values of several types.
fn bounds_of_texts() -> Value {
    let number = |text: &str| Value::number(Number::parse(text).expect("a number"));
    Value::object(vec![
        ("".into(), Value::null(Type::Number)),
        ("x".into(), number("5")),
        ("\u{e9}".into(), number("0.1")),
        ("abc".into(), Value::bool(true)),
        ("5".into(), Value::string("abc")),
    ])
}

/// How often a condition was answered by blocks is not seen from outside; that both ways agree is.
#[expect(clippy::too_many_lines, reason = "it is one comparison after the other")]
fn agree(case: &Case) {
    let mut builder = Scope::builder().functions(dialect::terraform());
    let slots: Vec<usize> = NAMES.iter().map(|name| builder.slot(name)).collect();
    let [limit, word, bounds] = ["limit", "word", "bounds"].map(|name| builder.slot(name));
    let scope = builder.build();
    let program = compile(&case.text, &scope);
    let mut frame = Frame::new(&scope);
    frame.set(limit, Some(Value::int(5)));
    frame.set(word, Some(Value::string("x")));
    frame.set(bounds, Some(bounds_of_texts()));
    frame.set(slots[0], Some(Value::string("kept")));

    let storage: Vec<Storage> = case.given.iter().map(Storage::new).collect();
    let columns = slots
        .iter()
        .zip(storage.iter().zip(&case.given))
        .map(|(&slot, (stored, given))| (slot, stored.column(given, case.n_rows)));
    let options = ColumnsOptions { wanted: case.wanted.clone(), ..ColumnsOptions::default() };
    let done = program.evaluate_columns(&mut frame, columns.collect(), case.n_rows, &options);
    let steps = frame.used().steps;
    assert_eq!(frame.get(slots[0]).and_then(Value::as_str), Some("kept"));

    let mut by_row = Frame::new(&scope);
    by_row.set(limit, Some(Value::int(5)));
    by_row.set(word, Some(Value::string("x")));
    by_row.set(bounds, Some(bounds_of_texts()));
    let (mut expected, mut said, mut expected_steps) = (Vec::new(), Diagnostics::new(), 0);
    let mut n_failed = 0;
    for row in 0..case.n_rows {
        let values: Vec<Option<Value>> = case.given.iter().map(|given| given.value(row)).collect();
        if slots.iter().zip(&values).any(|(slot, value)| value.is_none() && program.needs().contains(slot)) {
            n_failed += 1;
            expected.push(None);
            continue;
        }
        for (&slot, value) in slots.iter().zip(values) {
            by_row.set(slot, value);
        }
        let (value, mut problems) = program.evaluate(&mut by_row);
        expected_steps += by_row.used().steps;
        if has_errors(&problems) {
            n_failed += 1;
            expected.push(None);
        } else {
            expected.push(Some(value));
        }
        said.append(&mut problems);
    }
    let Evaluated { column, diagnostics, n_failed: failed, .. } = match done {
        Ok(done) => done,
        Err(problems) => {
            // Results have different types, or none in common.
            let last = problems.last().expect("a reason");
            assert_eq!(last.code, "api.result", "{}: {problems:?}", case.text);
            let types: Vec<Type> =
                expected.iter().flatten().filter(|v| !v.is_null()).map(Value::ty).collect();
            assert!(types.iter().any(|ty| *ty != types[0]), "{}: {problems:?}", case.text);
            return;
        }
    };
    assert_eq!(column.len, case.n_rows);
    for (row, value) in expected.iter().enumerate() {
        let found = cell(&column, row);
        let value = value.clone().unwrap_or_else(|| Value::null(Type::Dynamic));
        let is_same = if value.is_null() {
            found.is_null()
        } else if case.wanted == Wanted::F64 {
            let nearest = value.as_number().map(Number::to_f64);
            nearest == found.as_number().map(Number::to_f64)
        } else {
            let as_double = |value: &Value| value.as_number().map(Number::to_f64);
            value.raw_equals(&found)
                || value.kind() == Kind::Number && as_double(&value) == as_double(&found)
                || value.kind() == Kind::Object && value.to_json().ok() == found.to_json().ok()
        };
        assert!(is_same, "{} in row {row}: {found} instead of {value}", case.text);
    }
    assert_eq!(failed, n_failed, "{}", case.text);
    let cells = |said: &&Diagnostic| said.code != "api.column";
    let found: Vec<Diagnostic> = diagnostics.iter().filter(cells).map(without_row).collect();
    said.truncate(found.len().max(1000));
    if diagnostics.len() < 1000 {
        assert_eq!(found, said, "{}", case.text);
        // Results with parts are gathered, which takes steps of its own.
        let has_parts = matches!(column.cells, ResultCells::Struct { .. });
        assert!(steps == expected_steps || has_parts, "{steps}, not {expected_steps} steps of {}", case.text);
    }
    assert!(diagnostics.iter().all(|said| row_of(said).is_some_and(|row| row < case.n_rows as u64)));
}

#[test]
fn columns_and_rows_agree() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for round in 0..3000 {
        let n_rows = *dice.pick(&[0, 1, 2, 63, 64, 65, 130, 1024, 1100]);
        let n_rows = if round % 20 == 0 { n_rows } else { n_rows.min(130) };
        let mut text = String::new();
        expression(&mut dice, 2, &mut text);
        let given = (0..NAMES.len()).map(|kind| Given::new(kind, n_rows, &mut dice)).collect();
        agree(&Case { text, n_rows, given, wanted: Wanted::Found });
    }
}

/// Evaluates a condition that calls a function with each cell of a column `s`, of texts that are given, or of numbers instead;
/// gives how often that is called. The other column, `n`, has such cells as are made of the numbers.
fn calls_over_cells<'a>(
    texts: &[&str],
    s_cells: Cells<'a>,
    n_cells: impl Fn(&'a [i64]) -> Cells<'a>,
    numbers: &'a [i64],
) -> usize {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let length_of = Function::new("length_of", "Counts its calls.")
        .parameter(Parameter::new("text", Type::String))
        .returns(Type::Number)
        .implementation(move |_, arguments| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(Value::from(arguments[0].as_str().unwrap_or_default().len()))
        });
    let mut builder = Scope::builder().function(length_of);
    let [n, s] = ["n", "s"].map(|name| builder.slot(name));
    let scope = builder.build();
    let program = compile("n >= length_of(s) || s == \"none\"", &scope);

    let n_rows = texts.len();
    let column = |cells| Column::new(cells, n_rows).expect("as many");
    let columns = vec![(n, column(n_cells(numbers))), (s, column(s_cells))];
    let done = program.evaluate_columns(&mut Frame::new(&scope), columns, n_rows, &ColumnsOptions::default());
    let ResultCells::Bool(bits) = done.expect("no errors").column.cells else {
        panic!("booleans are expected")
    };
    for ((row, text), number) in texts.iter().enumerate().zip(numbers) {
        let is_long = usize::try_from(*number).expect("small") >= text.len();
        assert_eq!(bits.get(row), is_long || *text == "none", "row {row}");
    }
    calls.load(Ordering::Relaxed)
}

/// So many small numbers.
fn small_numbers(n_rows: usize) -> Vec<i64> {
    (0..n_rows).map(|row| i64::try_from(row % 5).expect("small")).collect()
}

/// [`calls_over_cells`] with texts one after the other.
fn calls_over(texts: &[&'static str]) -> usize {
    let numbers = small_numbers(texts.len());
    let (bounds, bytes) = joined(texts.iter().map(|&text| Some(text)));
    let s_cells = Cells::Text(Texts::joined(Bounds::Small(&bounds), &bytes));
    calls_over_cells(texts, s_cells, |numbers| Cells::Integer(Integers::I64(numbers)), &numbers)
}

#[test]
fn what_depends_on_a_text_is_evaluated_once_for_each() {
    let few: Vec<&str> = (0..5000).map(|row| ["a", "abc", "none"][row % 3]).collect();
    assert_eq!(calls_over(&few), 3);
    // Rows without a sampled text are evaluated one by one, and so are all where most texts differ.
    let mut rare = vec!["a"; 10_000];
    rare[4567] = "ab";
    assert_eq!(calls_over(&rare), 2);
    assert_eq!(calls_over(&["a", "ab", "abc", "a", "ab"]), 5);
}

#[test]
fn what_depends_on_a_text_is_evaluated_once_whatever_it_is_compared_with() {
    let few: Vec<&str> = (0..5000).map(|row| ["a", "abc", "none"][row % 3]).collect();
    let numbers = small_numbers(few.len());
    let doubles: Vec<f64> = (0..few.len()).map(|row| [0.0, 1.0, 2.0, 3.0, 4.0][row % 5]).collect();
    let (bounds, bytes) = joined(few.iter().map(|&text| Some(text)));
    let s_cells = Cells::Text(Texts::joined(Bounds::Small(&bounds), &bytes));
    // Doubles may be no numbers, so that a row may have no value; there is no such row.
    assert_eq!(calls_over_cells(&few, s_cells, |_| Cells::F64(&doubles), &numbers), 3);
}

#[test]
fn what_depends_on_an_entry_is_evaluated_once_for_each_text_of_a_few() {
    let over_dictionary = |entries: &[String], n_rows: usize| {
        let (mut bounds, mut bytes) = (vec![0], String::new());
        for entry in entries {
            bytes.push_str(entry);
            bounds.push(i32::try_from(bytes.len()).expect("short"));
        }
        let rows: Vec<usize> = (0..n_rows).map(|row| row % entries.len()).collect();
        let keys: Vec<u16> = rows.iter().map(|&entry| u16::try_from(entry).expect("few")).collect();
        let words: Vec<&str> = rows.iter().map(|&entry| entries[entry].as_str()).collect();
        let numbers = small_numbers(n_rows);
        let entries = Box::new(texts(&bounds, &bytes));
        let s_cells = Cells::Dictionary { keys: Integers::U16(&keys), entries, values: Arc::default() };
        calls_over_cells(&words, s_cells, |numbers| Cells::Integer(Integers::I64(numbers)), &numbers)
    };
    let words = |n: usize| (0..n).map(|n| "x".repeat(1 + n % 7)).collect::<Vec<String>>();
    assert_eq!(over_dictionary(&words(3), 5000), 3);
    // As many as are told apart, and just as often as they must be there; then one more.
    assert_eq!(over_dictionary(&words(256), 1024), 256);
    assert_eq!(over_dictionary(&words(257), 5000), 5000);
    assert_eq!(over_dictionary(&words(256), 1023), 1023);
}

#[test]
fn entries_that_are_no_texts_are_evaluated_for_each_row() {
    let n_rows = 100;
    let (entries, keys) = ([1, 22, 333], (0..n_rows).map(|row| [0, 1, 2][row % 3]).collect::<Vec<u8>>());
    let words: Vec<&str> = keys.iter().map(|&key| ["1", "22", "333"][usize::from(key)]).collect();
    let entries = Column::new(Cells::Integer(Integers::I64(&entries)), 3).expect("as many");
    let s_cells =
        Cells::Dictionary { keys: Integers::U8(&keys), entries: Box::new(entries), values: Arc::default() };
    let numbers = small_numbers(n_rows);
    let calls = calls_over_cells(&words, s_cells, |numbers| Cells::Integer(Integers::I64(numbers)), &numbers);
    assert_eq!(calls, n_rows);
}

#[test]
fn a_row_of_an_object_with_a_part_that_has_no_value_fails_whatever_is_read_of_it() {
    let (doubles, numbers) = ([1.0, f64::NAN, 2.0], [1, 5, 5]);
    let (shape, _) = hcl_eval::columns::arranged(&["f", "n"], &mut Meter::default()).expect("two names");
    let field = |cells| Column::new(cells, 3).expect("as many");
    let fields = vec![field(Cells::F64(&doubles)), field(Cells::Integer(Integers::I64(&numbers)))];
    let column = Column::new(Cells::Struct { shape, fields }, 3).expect("as many");
    let done = over("a.n > 1", column, Limits::default(), Wanted::Found).expect("no limit is reached");
    assert_eq!(done.n_failed, 1);
    let answers = [0, 1, 2].map(|row| cell(&done.column, row).as_bool());
    assert_eq!(answers, [Some(false), None, Some(true)]);
}

#[test]
fn texts_of_views_lie_in_them_or_in_a_buffer() {
    let long = "a text of more than twelve bytes";
    let view = |text: &str, place: [u32; 2]| {
        let mut view = [0; 16];
        view[..4].copy_from_slice(&u32::try_from(text.len()).expect("short").to_le_bytes());
        if text.len() <= 12 {
            view[4..4 + text.len()].copy_from_slice(text.as_bytes());
        } else {
            view[4..8].copy_from_slice(&text.as_bytes()[..4]);
            view[8..12].copy_from_slice(&place[0].to_le_bytes());
            view[12..].copy_from_slice(&place[1].to_le_bytes());
        }
        view
    };
    let words = ["", "abcde", "twelve bytes", "one byte more", long];
    let buffers = ["..one byte more", long];
    let views: Vec<[u8; 16]> =
        words.into_iter().zip([[0, 0], [0, 0], [0, 0], [0, 2], [1, 0]]).map(|(t, at)| view(t, at)).collect();
    let cells = || {
        let buffers = buffers.iter().map(|buffer| buffer.as_bytes()).collect();
        Column::new(Cells::Text(Texts::Views { views: &views, buffers }), views.len()).expect("as many")
    };
    let same = over("a", cells(), Limits::default(), Wanted::Found).expect("no errors").column;
    for (row, word) in words.into_iter().enumerate() {
        assert_eq!(cell(&same, row).as_str(), Some(word));
        let text = format!("a == \"{word}\"");
        let done = over(&text, cells(), Limits::default(), Wanted::Found).expect("no errors").column;
        for (other, _) in words.into_iter().enumerate() {
            assert_eq!(cell(&done, other).as_bool(), Some(other == row), "{text}");
        }
    }
}

/// A program's answers for the rows of one column, `a`.
fn over(text: &str, column: Column<'_>, limits: Limits, wanted: Wanted) -> Result<Evaluated, Diagnostics> {
    over_with(text, column, limits, &ColumnsOptions { wanted, ..ColumnsOptions::default() })
}

fn over_with(
    text: &str,
    column: Column<'_>,
    limits: Limits,
    options: &ColumnsOptions,
) -> Result<Evaluated, Diagnostics> {
    let mut builder = Scope::builder().functions(dialect::terraform());
    let slot = builder.slot("a");
    let scope = builder.build();
    let program = compile(text, &scope);
    let mut frame = Frame::new(&scope);
    *frame.limits_mut() = limits;
    let n_rows = column.len();
    program.evaluate_columns(&mut frame, vec![(slot, column)], n_rows, options)
}

fn code(done: Result<Evaluated, Diagnostics>) -> String {
    let said = done.expect_err("it ends");
    said.last().expect("a reason").code.to_string()
}

fn nulls(n: usize) -> Box<Column<'static>> {
    Box::new(Column::new(Cells::Null, n).expect("nulls are of any number"))
}

fn texts<'a>(bounds: &'a [i32], bytes: &'a str) -> Column<'a> {
    let cells = Cells::Text(Texts::joined(Bounds::Small(bounds), bytes.as_bytes()));
    Column::new(cells, bounds.len() - 1).expect("as many")
}

#[test]
fn elements_of_a_cell_count_against_the_limits() {
    const N: usize = 1_000_000_000;
    let fixed = |n| Cells::List { bounds: Bounds::Fixed(n), items: nulls(n), skipped: 0 };
    let column = || Column::new(fixed(N), 1).expect("one row");
    assert_eq!(code(over("a", column(), Limits::default(), Wanted::Found)), "limit.elements");
    let many = Limits { max_elements: u64::MAX, max_steps: u64::MAX, ..Limits::default() };
    assert_eq!(code(over("a", column(), many.clone(), Wanted::Found)), "limit.memory");

    // Lists of lists: each is small, all of them together are not.
    let inner = Column::new(fixed_rows(1000, 1_000_000), 1_000_000).expect("as many");
    let cells = Cells::List { bounds: Bounds::Fixed(1_000_000), items: Box::new(inner), skipped: 0 };
    let column = Column::new(cells, 1).expect("one row");
    assert_eq!(code(over("a", column, many, Wanted::Found)), "limit.memory");

    let keys = texts(&[0, 1, 2], "xy");
    let map = |keys| Cells::Map { bounds: Bounds::Small(&[0, 2]), keys, values: nulls(2), skipped: 0 };
    let column = Column::new(map(Box::new(keys)), 1).expect("one row");
    let few = Limits { max_elements: 1, ..Limits::default() };
    assert_eq!(code(over("a", column, few, Wanted::Found)), "limit.elements");
}

/// Lists of `n` nulls each.
fn fixed_rows(n: usize, n_rows: usize) -> Cells<'static> {
    Cells::List { bounds: Bounds::Fixed(n), items: nulls(n * n_rows), skipped: 0 }
}

#[test]
fn entries_of_dictionaries_and_long_texts_look_at_the_limits() {
    let cancel = CancelToken::new();
    cancel.trigger();
    let cancelled = Limits { cancel: Some(cancel), ..Limits::default() };
    let bytes = "\u{e9}".repeat(1 << 20);
    let bounds = [0, 1 << 21];
    let column = texts(&bounds, &bytes);
    // Parts that are the same for all rows look at nothing, so only the cells do.
    assert_eq!(code(over("a == \"x\"", column, cancelled, Wanted::Bool)), "limit.cancelled");

    // Many views of one text.
    let text = vec![b'x'; 1 << 20];
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(1_i32 << 20).to_le_bytes());
    let views = vec![view; 1000];
    let entries = || {
        let cells = Cells::Text(Texts::Views { views: &views, buffers: vec![&text] });
        Box::new(Column::new(cells, 1000).expect("as many"))
    };
    let keys: Vec<u16> = (0..1000).collect();
    let column = |n: usize| {
        let keys = Integers::U16(&keys[..n]);
        let cells = Cells::Dictionary { keys, entries: entries(), values: Arc::default() };
        Column::new(cells, n).expect("as many")
    };
    assert_eq!(code(over("length(a)", column(1000), Limits::default(), Wanted::Found)), "limit.memory");
    // Of a few rows only their entries are read.
    let done = over("length(a)", column(10), Limits::default(), Wanted::Found).expect("it is answered");
    assert_eq!(done.column.cells, ResultCells::I64(vec![1 << 20; 10]));
}

#[test]
fn a_few_cells_of_a_large_dictionary_are_answered_as_many_are() {
    let bounds: Vec<i32> = (0..=26).collect();
    let entries = || Box::new(texts(&bounds, "abcdefghijklmnopqrstuvwxyz"));
    let keys: Vec<u8> = (0..130).map(|row| row % 26).collect();
    let answers = |n: usize| {
        let keys = Integers::U8(&keys[..n]);
        let cells = Cells::Dictionary { keys, entries: entries(), values: Arc::default() };
        let column = Column::new(cells, n).expect("as many");
        over("a == \"c\"", column, Limits::default(), Wanted::Found).expect("it is answered").column
    };
    let (few, many) = (answers(5), answers(130));
    for row in 0..5 {
        assert_eq!(cell(&few, row).as_bool(), Some(row == 2));
        assert_eq!(cell(&many, row).as_bool(), Some(row == 2));
    }
}

#[test]
fn any_is_the_type_that_is_found_and_no_part_of_one() {
    let column = || Column::new(Cells::Integer(Integers::U8(&[1, 2])), 2).expect("as many");
    let any = Wanted::Type(Type::Dynamic);
    let done = over("a", column(), Limits::default(), any).expect("it is answered");
    assert_eq!(done.column.cells, ResultCells::I64(vec![1, 2]));
    for ty in [Type::list(Type::Dynamic), Type::map(Type::list(Type::Dynamic))] {
        let done = over("[a]", column(), Limits::default(), Wanted::Type(ty));
        assert_eq!(code(done), "api.result");
    }
}

#[test]
fn defaults_of_a_type_are_put_into_results() {
    let column = || Column::new(Cells::Integer(Integers::U8(&[1, 2])), 2).expect("as many");
    let (ty, defaults) =
        parse_type_text("object({ n = number, k = optional(string, \"x\") })").expect("a type");
    let options = ColumnsOptions { wanted: Wanted::Type(ty), defaults, ..ColumnsOptions::default() };
    for (text, expected) in
        [("{ n = a }", "x"), ("{ n = a, k = a > 5 ? \"never\" : null }", "x"), ("{ n = a, k = \"y\" }", "y")]
    {
        let done = over_with(text, column(), Limits::default(), &options).expect("it is answered");
        for row in 0..2 {
            let found = cell(&done.column, row);
            assert_eq!(found.get_attribute("k").and_then(Value::as_str), Some(expected), "{text}");
            let n = found.get_attribute("n").and_then(Value::as_number).and_then(Number::to_i64);
            assert_eq!(n, [Some(1), Some(2)][row], "{text}");
        }
    }
    let few = Limits { max_steps: 6, ..Limits::default() };
    assert_eq!(code(over_with("{ n = a }", column(), few, &options)), "limit.steps");
}

#[test]
fn a_limit_within_the_conversion_of_results_is_no_error_of_them() {
    let (ty, _) = parse_type_text("list(string)").expect("a type");
    // A row is converted by itself, and tuples become lists when all of them are there.
    for (text, wanted) in [("range(a)", Wanted::Type(ty)), ("[for i in range(a) : i]", Wanted::Found)] {
        let mut n_answered = 0;
        for max in 0..1_000 {
            let steps = Limits { max_steps: max, ..Limits::default() };
            let memory = Limits { max_memory: 16 * max, ..Limits::default() };
            for (limits, told) in [(steps, "limit.steps"), (memory, "limit.memory")] {
                let column = Column::new(Cells::Integer(Integers::U8(&[100])), 1).expect("one row");
                match over(text, column, limits, wanted.clone()) {
                    Ok(done) => {
                        assert!(done.diagnostics.is_empty(), "{max}: {:?}", done.diagnostics);
                        n_answered += 1;
                    }
                    Err(said) => assert_eq!(said.iter().map(|one| &*one.code).collect::<Vec<_>>(), [told]),
                }
            }
        }
        assert!((2..2_000).contains(&n_answered), "{text}");
    }
}

#[test]
fn batches_go_on_where_those_before_ended() {
    let column = || Column::new(Cells::Integer(Integers::U8(&[1, 2])), 2).expect("as many");
    let after = |before| ColumnsOptions { before, ..ColumnsOptions::default() };
    let before = |rows, steps| after(Before { rows, steps, memory: 0 });
    let done = over_with("a > 1 ? a : a.b", column(), Limits::default(), &before(1_000, 7)).expect("rows");
    assert_eq!(row_of(&done.diagnostics[0]), Some(1_000));
    let raise = ColumnsOptions { first_error_ends: true, ..before(1_000, 0) };
    let said = over_with("a > 1 ? a.b : a", column(), Limits::default(), &raise).expect_err("a row fails");
    assert_eq!(said.iter().map(row_of).collect::<Vec<_>>(), [Some(1_001)]);

    // The limit that is told is that of all batches together, not what is left of it.
    let limits = || Limits { max_steps: 5_000, ..Limits::default() };
    assert!(over_with("a + 1", column(), limits(), &before(0, 4_000)).is_ok());
    for steps in [4_999, 5_000, 5_001, u64::MAX] {
        let said = over_with("a + 1", column(), limits(), &before(0, steps)).expect_err("too many steps");
        assert!(said[0].detail.contains("the limit of 5000 steps"), "{}", said[0].detail);
    }

    let limits = || Limits { max_memory: 100_000, ..Limits::default() };
    let done = over_with("a + 1", column(), limits(), &ColumnsOptions::default()).expect("two numbers");
    assert_eq!(done.memory, 16);
    let memory = |memory| after(Before { memory, ..Before::default() });
    let done = over_with("a + 1", column(), limits(), &memory(50_000)).expect("two numbers more");
    assert_eq!(done.memory, 50_016);
    for taken in [99_990, u64::MAX] {
        assert_eq!(code(over_with("a + 1", column(), limits(), &memory(taken))), "limit.memory");
    }
}

#[test]
fn keys_of_maps_are_texts_each_of_them_once() {
    let bounds = [0, 1, 2, 3, 4, 5];
    let map = |keys| {
        let bounds = Bounds::Small(&[0, 2, 4, 5]);
        let cells = Cells::Map { bounds, keys: Box::new(keys), values: nulls(5), skipped: 0 };
        over("length(a)", Column::new(cells, 3).expect("as many"), Limits::default(), Wanted::Found)
    };
    let valid = Bits::new(&[0b0001_0111], 0, 5).expect("as many");
    let done = map(texts(&bounds, "abcdd").with_validity(valid)).expect("rows are answered");
    assert_eq!(done.n_failed, 1);
    assert_eq!(done.diagnostics[0].detail, "The column \"a\" has a key that is null.");
    assert!(!cell(&done.column, 0).is_null() && !cell(&done.column, 2).is_null());
    let done = map(texts(&bounds, "abccd")).expect("rows are answered");
    assert_eq!(done.n_failed, 1);
    assert_eq!(done.diagnostics[0].detail, "The column \"a\" has a key twice in one map.");
    assert_eq!(row_of(&done.diagnostics[0]), Some(1));
    let cells = Cells::Map {
        bounds: Bounds::Small(&[0, 1]),
        keys: Box::new(Column::new(Cells::Integer(Integers::U8(&[1])), 1).expect("as many")),
        values: nulls(1),
        skipped: 0,
    };
    assert_eq!(Column::new(cells, 1).expect_err("keys are texts"), "has keys that are no texts");
}

#[test]
fn parts_before_the_first_row_are_not_there() {
    let list = |bounds: &'static [i32], items, skipped| {
        let cells = Cells::List { bounds: Bounds::Small(bounds), items: Box::new(items), skipped };
        Column::new(cells, bounds.len() - 1)
    };
    let items = || Column::new(Cells::Integer(Integers::U8(&[7, 8, 9])), 3).expect("as many");
    let column = list(&[100, 101, 103], items(), 100).expect("in the elements");
    let done = over("a[0]", column, Limits::default(), Wanted::Found).expect("it is answered");
    assert_eq!(done.column.cells, ResultCells::I64(vec![7, 8]));
    assert!(list(&[99, 100], items(), 100).is_err());
    assert!(list(&[100, 104], items(), 100).is_err());
}

/// Limits, and how often work has looked at them.
fn counted() -> (Arc<AtomicUsize>, Limits) {
    let n_looks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_looks);
    let cancel = CancelToken::asking(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    });
    (n_looks, Limits { cancel: Some(cancel), ..Limits::default() })
}

#[test]
fn fields_of_cells_are_read_with_looks_at_the_limits() {
    const N: usize = 1 << 8;
    let names: Vec<String> = (0..N).map(|i| format!("f{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (shape, _) = hcl_eval::columns::arranged(&names, &mut Meter::default()).expect("few names");
    let fields = || vec![*nulls(N); N];
    let column = Column::new(Cells::Struct { shape, fields: fields() }, N).expect("as many");
    let (n_looks, limits) = counted();
    over("length([a])", column, limits, Wanted::Found).expect("no row fails");
    assert!(n_looks.load(Ordering::Relaxed) >= (N * N) >> 12, "{n_looks:?} looks at {} fields", N * N);
}

#[test]
fn results_of_a_type_are_gathered_with_looks_at_the_limits() {
    const N: usize = 1 << 16;
    let column =
        || Column::new(Cells::Bool(Bits::new(&[0x55; N / 8], 0, N).expect("so many")), N).expect("bits");
    let (n_plain, limits) = counted();
    over("a", column(), limits, Wanted::Text).expect("no row fails");
    let (n_looks, limits) = counted();
    over("a", column(), limits, Wanted::Type(Type::String)).expect("no row fails");
    let n_more = n_looks.load(Ordering::Relaxed).saturating_sub(n_plain.load(Ordering::Relaxed));
    // They are converted, and listed, beside what is done with texts.
    assert!(n_more >= (2 * N) >> 12, "{n_more} looks at {N} results");
}

#[test]
fn a_text_is_normalised_with_looks_at_the_limits() {
    let text = "e\u{301}".repeat(1 << 19);
    let mut view = [0; 16];
    view[..4].copy_from_slice(&i32::try_from(text.len()).expect("short").to_le_bytes());
    let cells = Cells::Text(Texts::Views { views: &[view], buffers: vec![text.as_bytes()] });
    let (n_looks, limits) = counted();
    let column = Column::new(cells, 1).expect("a row");
    let done = over("a", column, limits, Wanted::Found).expect("a row");
    assert_eq!(cell(&done.column, 0).as_str().map(str::len), Some(1 << 20));
    let n_pieces = text.len() >> 18;
    assert!(n_looks.load(Ordering::Relaxed) > n_pieces, "{n_looks:?} looks at {n_pieces} pieces");
}

#[test]
fn texts_are_looked_at_in_pieces() {
    // A character lies across the end of the first piece, and one begins within another.
    let text = format!("{}\u{e9}{}", "x".repeat((1 << 16) - 1), "y".repeat(1 << 16));
    let end = i32::try_from(text.len()).expect("short");
    for (bounds, is_valid) in [([0, 1 << 15, end], [true, true]), ([0, 1 << 16, end], [false, false])] {
        let done = over("a == null", texts(&bounds, &text), Limits::default(), Wanted::Found).expect("rows");
        let valid = [0, 1].map(|row| !cell(&done.column, row).is_null());
        assert_eq!(valid, is_valid, "{bounds:?}");
    }
}

#[test]
fn whole_numbers_beyond_64_bits_with_a_sign_are_exact() {
    let column = Column::new(Cells::Integer(Integers::U64(&[u64::MAX])), 1).expect("one row");
    let done = over("a * a", column, Limits::default(), Wanted::Text).expect("it is answered");
    assert_eq!(cell(&done.column, 0).as_str(), Some("340282366920938463426481119284349108225"));
}

#[test]
fn batches_joined_are_the_column_of_all_rows() {
    let rows: Vec<u8> = (0..150).map(|row| row % 7).collect();
    let answers = |text: &str, rows: &[u8], wanted: &Wanted| {
        let column = Column::new(Cells::Integer(Integers::U8(rows)), rows.len()).expect("as many");
        over(text, column, Limits::default(), wanted.clone()).expect("rows are answered").column
    };
    let ty = |text: &str| Wanted::Type(parse_type_text(text).expect("a type").0);
    let integer = |bits, is_signed| Wanted::Integer { bits, is_signed };
    let cases = [
        ("a", Wanted::Found),
        ("a / 2", Wanted::Found),
        ("a > 2", Wanted::Found),
        ("\"x${a}\"", Wanted::Found),
        ("null", Wanted::Found),
        ("a > 3", Wanted::Bool),
        ("a", integer(8, true)),
        ("a", integer(16, true)),
        ("a", integer(32, true)),
        ("a", integer(64, true)),
        ("a", integer(8, false)),
        ("a", integer(16, false)),
        ("a", integer(32, false)),
        ("a", integer(64, false)),
        ("a / 4", Wanted::F32),
        ("a / 4", Wanted::F64),
        ("a / 4", Wanted::Decimal { bits: 128, precision: 20, scale: 2 }),
        ("a", Wanted::Text),
        ("a", Wanted::LargeText),
        ("[for i in range(a) : i % 2 == 0 ? i : null]", ty("list(number)")),
        ("{ for i in range(a) : \"k${i}\" => \"v${i}\" }", ty("map(string)")),
        (
            "{ n = a, t = a > 2 ? null : \"x\", l = [a > 4] }",
            ty("object({ n = number, t = string, l = list(bool) })"),
        ),
    ];
    for (text, wanted) in cases {
        // Few nulls, a batch of nothing else, and none at all.
        for text in [format!("a == 1 ? null : {text}"), format!("a < 5 ? null : {text}"), text.to_owned()] {
            let whole = answers(&text, &rows, &wanted);
            for cuts in [[0, 0], [1, 2], [7, 12], [63, 65], [64, 128], [70, 149], [150, 150]] {
                let mut joined = ResultColumn::default();
                for piece in [&rows[..cuts[0]], &rows[cuts[0]..cuts[1]], &rows[cuts[1]..]] {
                    joined.append(answers(&text, piece, &wanted)).expect("they are of one type");
                }
                assert_eq!(joined, whole, "{text} as {wanted:?}, cut at {cuts:?}");
            }
        }
    }
}

#[test]
fn batches_without_cells_of_a_type_take_the_type_of_the_others() {
    let nulls = |len| ResultColumn { len, validity: None, n_nulls: len, cells: ResultCells::Null };
    let two = || {
        let column = Column::new(Cells::Integer(Integers::U8(&[1, 2])), 2).expect("as many");
        over("a", column, Limits::default(), Wanted::Found).expect("rows are answered").column
    };
    let numbers = |column: &ResultColumn| {
        let number = |row| cell(column, row).as_number().and_then(Number::to_i64);
        (0..column.len).map(number).collect::<Vec<_>>()
    };

    let mut first = nulls(2);
    first.append(two()).expect("nulls are of any type");
    assert_eq!((first.len, first.n_nulls), (4, 2));
    assert_eq!(numbers(&first), [None, None, Some(1), Some(2)]);
    let mut last = two();
    last.append(nulls(1)).expect("nulls are of any type");
    assert_eq!((last.len, last.n_nulls), (3, 1));
    assert_eq!(numbers(&last), [Some(1), Some(2), None]);
    let mut all = nulls(2);
    all.append(nulls(3)).expect("nulls are of any type");
    assert_eq!(all, nulls(5));
    let mut none = nulls(0);
    none.append(two()).expect("a column without cells is of any type");
    assert_eq!(none, two());
}

#[test]
fn batches_of_different_types_are_not_joined() {
    let one = |text: &str, wanted| {
        let column = Column::new(Cells::Integer(Integers::U8(&[1])), 1).expect("one row");
        over(text, column, Limits::default(), wanted).expect("the row is answered").column
    };
    let decimal = |precision| Wanted::Decimal { bits: 64, precision, scale: 0 };
    let object = |text| Wanted::Type(parse_type_text(text).expect("a type").0);
    let pairs = [
        (one("a", Wanted::Found), one("a == 1", Wanted::Found)),
        (one("a", Wanted::Found), one("\"x\"", Wanted::Found)),
        (one("\"x\"", Wanted::Text), one("\"x\"", Wanted::LargeText)),
        (one("a", decimal(5)), one("a", decimal(6))),
        (
            one("{ n = a }", object("object({ n = number })")),
            one("{ m = a }", object("object({ m = number })")),
        ),
        (one("{ n = a }", object("map(number)")), one("{ n = a }", object("object({ n = number })"))),
    ];
    for (mut column, other) in pairs {
        let said = column.append(other).expect_err("they have nothing in common");
        assert_eq!(said, "Batches of the table have results of different types. Ask for one type.");
    }
}

#[test]
fn a_column_has_a_cell_for_each_row_and_may_have_more() {
    let mut builder = Scope::builder().functions(dialect::terraform());
    let slot = builder.slot("a");
    let scope = builder.build();
    let program = compile("a > 1", &scope);
    let cells = [1_i64, 2, 3];
    for n_rows in 0..=4 {
        let column = Column::new(Cells::Integer(Integers::I64(&cells)), 3).expect("as many");
        let options = ColumnsOptions::default();
        let done = program.evaluate_columns(&mut Frame::new(&scope), vec![(slot, column)], n_rows, &options);
        match done {
            Ok(done) => assert_eq!((done.column.len, done.n_failed), (n_rows, 0)),
            Err(said) => assert!(n_rows > 3 && said[0].detail.contains("fewer cells"), "{said:?}"),
        }
    }
    for n in 0..=3 {
        let column = Column::new(Cells::Integer(Integers::I64(&cells[..n])), n).expect("as many");
        assert_eq!((column.len(), column.is_empty()), (n, n == 0));
    }
}
