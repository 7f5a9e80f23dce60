//! Large inputs of the command: time grows with the text.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use std::fmt::Write as _;
use std::time::Duration;

use clap::Parser;
use hcl_cli::args::{Cli, Verb};
use hcl_cli::output::Reporter;
use stopwatch::Stopwatch;

/// The time that listing the names of a file takes.
fn time_of_vars(text: &str, behind: &[&str]) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.tf");
    std::fs::write(&path, text).unwrap();
    let words = ["hcl", "vars"].into_iter().chain(behind.iter().copied());
    let words = words.map(|word| word.replace("FILE", path.to_str().unwrap()));
    let Verb::Vars(arguments) = Cli::try_parse_from(words).unwrap().verb else { unreachable!() };
    let watch = Stopwatch::start();
    let mut reporter = Reporter::new(&arguments.reporting);
    hcl_cli::vars::listing(&arguments, &mut reporter).unwrap();
    let time = watch.elapsed();
    assert!(!reporter.has_errors());
    time
}

/// Four times the names may take a little more than four times as long, but not sixteen times.
fn assert_linear(text: impl Fn(usize) -> String, behind: &[&str]) {
    let times = |count: usize| {
        let text = text(count);
        (0..3).map(|_| time_of_vars(&text, behind)).min().unwrap()
    };
    let (few, many) = (times(10_000), times(40_000));
    assert!(many < few * 8 + Duration::from_millis(20), "{behind:?}: {few:?}, then {many:?}");
}

fn locals(count: usize, value: impl Fn(usize) -> String) -> String {
    let mut text = String::from("locals {\n");
    for number in 0..count {
        writeln!(text, "  a{number} = {}", value(number)).unwrap();
    }
    text + "}\n"
}

#[test]
fn listing_names_is_linear() {
    assert_linear(|count| locals(count, |number| format!("u{number} + f{number}()")), &["FILE"]);
}

#[test]
fn listing_what_locals_need_is_linear() {
    let chain = |count| {
        locals(count, |number| match number.checked_sub(1) {
            Some(before) => format!("local.a{before}"),
            None => "1".to_owned(),
        })
    };
    assert_linear(chain, &["FILE"]);
    assert_linear(chain, &["--module", "FILE"]);
    let all = |count| {
        let names: Vec<String> = (0..count).map(|number| format!("local.a{number}")).collect();
        chain(count) + &format!("output \"all\" {{\n  value = [{}]\n}}\n", names.join(", "))
    };
    assert_linear(all, &["--module", "FILE", "output.all"]);
}
