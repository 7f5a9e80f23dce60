//! What reading data takes: an HCL file of attributes to values, next to its JSON twin through `serde_json`.
//!
//! usage: data FILE.hcl [FILE.json]

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_syntax::ast::Body;
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::Source;

const ROUNDS: u32 = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [hcl, json @ ..] = &arguments[..] else { return Err("usage: data FILE.hcl [FILE.json]".into()) };
    let text = std::fs::read_to_string(hcl)?;
    let parse = || -> Result<File, Box<dyn Error>> {
        let source = Source::new("data", text.as_str())?;
        let (file, problems) = parse_file(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{problems:?}");
        Ok(file)
    };
    let file = parse()?;
    let parsing = least(|| drop(black_box(parse())));
    let evaluating = least(|| drop(black_box(read(file.body()))));
    let both = least(|| drop(black_box(parse().map(|file| read(file.body())))));
    report("parse", parsing, text.len());
    report("evaluate", evaluating, text.len());
    report("both", both, text.len());
    if let Some(json) = json.first() {
        let text = std::fs::read_to_string(json)?;
        let reading = least(|| drop(black_box(serde_json::from_str::<serde_json::Value>(&text))));
        report("serde_json", reading, text.len());
    }
    Ok(())
}

/// All attributes of a body, blocks within included.
fn read(body: Body<'_>) -> Vec<Value> {
    let options = EvalOptions::default();
    let mut values: Vec<Value> =
        body.attributes().map(|attribute| evaluate(attribute.expression(), None, &options).0).collect();
    for block in body.blocks() {
        values.extend(read(block.body()));
    }
    values
}

fn report(name: &str, seconds: f64, bytes: usize) {
    #[expect(clippy::cast_precision_loss, reason = "sizes of files are small enough")]
    let rate = bytes as f64 / seconds / 1e6;
    println!("{name:12} {:10.1} us {rate:8.1} MB/s", seconds * 1e6);
}

fn least(mut body: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        body();
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}
