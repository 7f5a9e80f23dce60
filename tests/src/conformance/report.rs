//! Tables and lists of what a run found.

use super::{CorpusReport, Tally};

/// A table of corpora and the areas of each in which something differs.
pub fn table(reports: &[CorpusReport]) -> String {
    let mut out = line("corpus / area", ["cases", "agreed", "differing", "strictly"].map(str::to_owned));
    let mut all = Tally::default();
    for report in reports {
        let total = report.total();
        out.push_str(&row(&report.corpus, &total));
        for (area, tally) in report.areas.iter().filter(|(_, tally)| tally.strictly < tally.cases) {
            out.push_str(&row(&format!("  {area}"), tally));
        }
        all = Tally {
            cases: all.cases + total.cases,
            agreed: all.agreed + total.agreed,
            strictly: all.strictly + total.strictly,
        };
    }
    out.push_str(&row("all", &all));
    out
}

/// The table, then every difference.
pub fn full_report(reports: &[CorpusReport]) -> String {
    let mut out = table(reports);
    for report in reports {
        for difference in &report.differences {
            let kind = if difference.agreed { "agrees, but not strictly" } else { "differs" };
            out.push_str(&format!(
                "\n{} {kind}: {}\n  {}\n",
                difference.id, difference.input, difference.why
            ));
        }
    }
    out
}

fn row(name: &str, tally: &Tally) -> String {
    let differing = tally.cases - tally.agreed;
    line(name, [tally.cases, tally.agreed, differing, tally.strictly].map(|count| count.to_string()))
}

fn line(name: &str, [cases, agreed, differing, strictly]: [String; 4]) -> String {
    format!("{name:<28}{cases:>8}{agreed:>8}{differing:>11}{strictly:>10}\n")
}
