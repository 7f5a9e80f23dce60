//! The report for readers: tables by corpus and area, then every difference under what it means.

use super::report::{NO_FIXTURE, by_decision, grand_total};
use super::{CorpusReport, Difference, Run, Standing, Tally};

/// The report as Markdown. `folder` is where the corpora come from.
pub fn markdown(run: &Run, folder: &str) -> String {
    let mut out = format!("# Conformance\n\nThe corpora of `{folder}`.\n\n");
    summary(run, &mut out);
    for report in &run.reports {
        out.push_str(&format!("\n## {}\n\n", report.corpus));
        out.push_str(&head("area"));
        for (area, tally) in &report.areas {
            out.push_str(&row(area, tally));
        }
    }
    differing(run, &mut out);
    intended(run, &mut out);
    loosely(run, &mut out);
    out
}

fn summary(run: &Run, out: &mut String) {
    out.push_str(&head("corpus"));
    for report in &run.reports {
        out.push_str(&row(&report.corpus, &report.total()));
    }
    out.push_str(&row("all", &grand_total(run)));
    out.push_str(
        "\n*agreed*: by the rules of the corpus; *strictly*: ends of ranges, contexts and byte offsets too; \
         *intended*: differs by a decision, named below; *differing*: differs without one.\n",
    );
    if !run.has_fixture {
        out.push_str(&format!("\n{NO_FIXTURE}.\n"));
    }
    for file in &run.not_run {
        out.push_str(&format!("\nNot run: `{}`: {}.\n", file.file, file.why));
    }
}

/// Writes the differences that are wrong.
fn differing(run: &Run, out: &mut String) {
    let found: Vec<_> = with_standing(run, |standing| *standing == Standing::Differs).collect();
    out.push_str("\n## Differences\n\n");
    if found.is_empty() {
        out.push_str("None.\n");
    }
    found.into_iter().for_each(|difference| entry(difference, out));
}

/// Writes the differences that are intended, by decision.
fn intended(run: &Run, out: &mut String) {
    let by_name = by_decision(run);
    out.push_str("\n## Intended differences\n");
    if by_name.is_empty() {
        out.push_str("\nNone.\n");
    }
    for (name, (decision, differences)) in by_name {
        out.push_str(&format!("\n### {name}\n\n{}\n\n", decision.reason));
        differences.into_iter().for_each(|difference| entry(difference, out));
    }
}

/// Writes the cases that agree by the rules alone.
fn loosely(run: &Run, out: &mut String) {
    let found: Vec<_> = with_standing(run, |standing| *standing == Standing::Agrees).collect();
    if !found.is_empty() {
        out.push_str("\n## Agreeing, but not in everything\n\n");
    }
    found.into_iter().for_each(|difference| entry(difference, out));
}

fn with_standing(run: &Run, wanted: impl Fn(&Standing) -> bool) -> impl Iterator<Item = &Difference> {
    let all = run.reports.iter().flat_map(|report: &CorpusReport| &report.differences);
    all.filter(move |difference| wanted(&difference.standing))
}

fn entry(difference: &Difference, out: &mut String) {
    let asked = difference.input.replace('`', "'");
    let found = difference.why.replace('`', "'");
    out.push_str(&format!("- **{}** `{asked}`\n  - `{found}`\n", difference.id));
}

fn head(name: &str) -> String {
    format!("| {name} | cases | agreed | strictly | intended | differing |\n|---|---:|---:|---:|---:|---:|\n")
}

fn row(name: &str, tally: &Tally) -> String {
    let Tally { cases, agreed, strictly, intended } = tally;
    format!("| {name} | {cases} | {agreed} | {strictly} | {intended} | {} |\n", tally.differing())
}
