//! Pieces of work whose instructions are counted: a fixed set, always the same input, no clock.

use std::hint::black_box;

use hcl_eval::{Number, Value};

use crate::context::{self, Datum};
use crate::engines::{self, Ours};
use crate::expressions::{EXPRESSIONS, our_engine};
use crate::inputs::{Style, small_files};
use crate::linear::{decode_ours, decoding, services};
use crate::numbers::operands;
use crate::parse::parse_ours;
use crate::texts::{format_ours, json_file, parse_json_ours, value_of_data};

/// The bytes of a file that is parsed or formatted.
pub(crate) const FILE_SIZE: usize = 100_000;

/// A piece, its input ready.
pub(crate) struct Piece {
    /// The bytes that one run goes through; 1 for what is no text.
    pub(crate) n_bytes: usize,
    /// How often it runs when it is counted, so that what is done now and then gets its share.
    pub(crate) repeats: u32,
    work: Box<dyn FnMut()>,
}

impl Piece {
    fn new(repeats: u32, work: impl FnMut() + 'static) -> Self {
        Self { n_bytes: 1, repeats, work: Box::new(work) }
    }

    fn on_text(text: String, work: fn(&str)) -> Self {
        Self { n_bytes: text.len(), ..Self::new(2, move || work(&text)) }
    }

    /// Does the work once, so that what is made at the first time is there.
    pub(crate) fn warm_up(&mut self) {
        (self.work)();
    }

    /// Does the work a number of times. A function of its own, because profilers are told its name.
    #[inline(never)]
    pub(crate) fn counted(&mut self, repeats: u32) {
        for _ in 0..repeats {
            (self.work)();
        }
    }

    /// Does nothing, so that profilers can be told when a piece ends.
    #[inline(never)]
    pub(crate) fn finished(&self) {
        black_box(self);
    }
}

/// A piece, by name: one of [`names`], or a stage of preparing one of the expressions.
pub(crate) fn by_name(name: &str) -> Option<Piece> {
    if names().iter().any(|known| known == name) {
        return Some(make(name));
    }
    let (stage, expression) = name.split_once('_')?;
    preparation(stage, expression)
}

/// Text to tree (`parse`), or to a program (`compile`).
fn preparation(stage: &str, expression: &str) -> Option<Piece> {
    let (_, text) = EXPRESSIONS.into_iter().find(|(known, _)| *known == expression)?;
    let ours = our_engine();
    match stage {
        "parse" => Some(Piece::new(100, move || drop(black_box(Ours::parse(text))))),
        "compile" => Some(Piece::new(100, move || drop(black_box(ours.compile(text))))),
        _ => None,
    }
}

/// All names, in the order of reports.
pub(crate) fn names() -> Vec<String> {
    let files = Style::ALL.map(|style| format!("parse_{}", style.name()));
    let others = [
        "parse_small",
        "format_tf",
        "format_data",
        "parse_json",
        "value_of_data",
        "value_of_json",
        "decode",
        "compile",
        "one_shot",
        "number_small",
        "number_add",
        "number_mul",
        "number_div",
        "number_text",
    ];
    let expressions = EXPRESSIONS.iter().map(|(name, _)| format!("evaluate_{name}"));
    files.into_iter().chain(others.map(str::to_owned)).chain(expressions).collect()
}

fn make(name: &str) -> Piece {
    if let Some(expression) = name.strip_prefix("evaluate_") {
        return evaluation(expression);
    }
    let style = |ending: &str| Style::ALL.into_iter().find(|style| style.name() == ending);
    match (name.split_once('_').unwrap_or((name, "")), name) {
        (_, "parse_small") => {
            let texts = small_files(100);
            let n_bytes = texts.iter().map(String::len).sum();
            Piece { n_bytes, ..Piece::new(2, move || texts.iter().for_each(|text| parse_ours(text))) }
        }
        (_, "parse_json") => Piece::on_text(json_file(FILE_SIZE), parse_json_ours),
        (_, "value_of_data") => {
            Piece::on_text(Style::Data.file(FILE_SIZE, 1), |text| drop(value_of_data(text)))
        }
        (_, "value_of_json") => {
            let json = engines::value(Datum::Object(context::variables())).to_json();
            let work = |text: &str| drop(black_box(Value::from_json_implied(text)));
            Piece::on_text(json.expect("data has JSON"), work)
        }
        (_, "decode") => {
            let input = decoding(services(1_000));
            Piece::new(2, move || decode_ours(&input))
        }
        (("parse", ending), _) if let Some(style) = style(ending) => {
            Piece::on_text(style.file(FILE_SIZE, 1), parse_ours)
        }
        (("format", ending), _) if let Some(style) = style(ending) => {
            Piece::on_text(style.file(FILE_SIZE, 1), format_ours)
        }
        (("number", operation), _) => number(operation),
        _ => all_expressions(name),
    }
}

fn evaluation(expression: &str) -> Piece {
    let ours = our_engine();
    let (_, text) = EXPRESSIONS.iter().find(|(known, _)| *known == expression).expect("a known expression");
    let (program, mut frame) = (ours.compile(text), ours.frame());
    let repeats = if expression.ends_with("1000") { 4 } else { 100 };
    let mut said = Vec::new();
    // As the C interface evaluates.
    Piece::new(repeats, move || drop(black_box(program.evaluate_into(&mut frame, &mut said))))
}

/// All expressions from text, compiled or evaluated at once.
fn all_expressions(name: &str) -> Piece {
    let ours = our_engine();
    if name == "compile" {
        let work = move || EXPRESSIONS.iter().for_each(|(_, text)| drop(black_box(ours.compile(text))));
        return Piece::new(10, work);
    }
    let frame = ours.frame();
    let work = move || {
        let once = |text: &str| drop(ours.evaluate_once(&Ours::parse(text), &frame));
        EXPRESSIONS.iter().for_each(|(_, text)| once(text));
    };
    Piece::new(2, work)
}

fn number(operation: &str) -> Piece {
    let (a, b) = operands();
    let three = Number::from_u64(3);
    let seven = Number::from_u64(7);
    let operation = operation.to_owned();
    let work = move || match operation.as_str() {
        "add" => drop(black_box(black_box(&a).add(black_box(&b)))),
        "mul" => drop(black_box(black_box(&a).mul(black_box(&b)))),
        "div" => drop(black_box(black_box(&a).div(black_box(&b)))),
        "small" => drop(black_box(black_box(&three).mul(black_box(&seven)))),
        _ => drop(black_box(black_box(&b).to_text())),
    };
    Piece::new(100, work)
}
