//! Programs over columns give what row-by-row evaluation gives: values, diagnostics and steps.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hcl_eval::columns::{
    BitBuffer, Bits, Bounds, Cells, Column, ColumnsOptions, Evaluated, Integers, ResultCells, ResultColumn,
    Texts, Wanted, row_of,
};
use hcl_eval::eval::{Frame, Scope};
use hcl_eval::function::{Function, Parameter};
use hcl_eval::program::{CompileOptions, Program};
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

/// What a column lends.
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
                let cells_ = Cells::Dictionary { keys, entries, values: Vec::new() };
                (cells_, cells.iter().any(Option::is_none))
            }
            Given::Object(cells) => {
                let field = Column::new(Cells::Integer(Integers::I64(&self.longs)), n_rows).expect("as many");
                let field = field.with_validity(valid(&self.inner_valid));
                let (shape, _) = hcl_eval::columns::arranged(&["n"]);
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
    /// What depends on the text of one column, or looks so.
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

/// What `bounds` holds: not all texts, and values of several types.
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
    let Evaluated { column, diagnostics, n_failed: failed } = match done {
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

/// Evaluates a condition that calls a function with each of the texts; gives how often that is called.
fn calls_over(texts: &[&'static str]) -> usize {
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
    let numbers: Vec<i64> = (0..n_rows).map(|row| i64::try_from(row % 5).expect("small")).collect();
    let (bounds, bytes) = joined(texts.iter().map(|&text| Some(text)));
    let column = |cells| Column::new(cells, n_rows).expect("as many");
    let columns = vec![
        (n, column(Cells::Integer(Integers::I64(&numbers)))),
        (s, column(Cells::Text(Texts::joined(Bounds::Small(&bounds), &bytes)))),
    ];
    let done = program.evaluate_columns(&mut Frame::new(&scope), columns, n_rows, &ColumnsOptions::default());
    let ResultCells::Bool(bits) = done.expect("no errors").column.cells else {
        panic!("booleans are expected")
    };
    for (row, text) in texts.iter().enumerate() {
        assert_eq!(bits.get(row), row % 5 >= text.len() || *text == "none", "row {row}");
    }
    calls.load(Ordering::Relaxed)
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
