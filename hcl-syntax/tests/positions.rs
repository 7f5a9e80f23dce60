//! Lines and columns: by hand for what is odd, and every position of the documents corpus.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod corpus;

use hcl_syntax::source::{Grammar, Pos, Source};
use serde_json::Value;

fn source(text: &str) -> Source {
    Source::new("case.hcl", text).unwrap()
}

/// Line and column of the first place at which `needle` stands.
fn place(text: &str, needle: &str) -> (u32, u32) {
    let pos = source(text).position(u32::try_from(text.find(needle).unwrap()).unwrap());
    (pos.line, pos.column)
}

#[test]
fn a_tab_is_one_column() {
    assert_eq!(place("\ta\t=\t1 x\n", "x"), (1, 8));
}

#[test]
fn a_cluster_is_one_column_whatever_it_is_made_of() {
    for cluster in ["é", "e\u{301}", "日", "👍", "👨\u{200d}👩\u{200d}👧", "🇩🇪", "e\u{301}\u{302}\u{303}"]
    {
        assert_eq!(place(&format!("a = \"{cluster}{cluster}\" x\n"), "x"), (1, 10), "{cluster}");
    }
    // Clusters of different lengths, on a line that is not the first.
    assert_eq!(place("# ü\na = \"é日👍b日\" x\n", "x"), (2, 13));
}

#[test]
fn clusters_start_anew_at_every_token() {
    // The combining mark would join the equals sign, but it is a token.
    assert_eq!(place("a =\u{301} x\n", "x"), (1, 6));
    // And it would join the quote.
    assert_eq!(place("a = \"\u{301}\" x\n", "x"), (1, 9));
    // An escaped opening is a token, its strip marker included.
    assert_eq!(place("a = \"$${~\u{301}\" x\n", "x"), (1, 13));
}

#[test]
fn an_offset_within_a_cluster_has_the_column_of_the_cluster() {
    let source = source("\"日本\" x");
    let column = |offset| source.position(offset).column;
    assert_eq!([1, 2, 3, 4, 6, 7, 8, 9].map(column), [2, 2, 2, 3, 3, 4, 5, 6]);
}

#[test]
fn a_cluster_that_a_bad_escape_tears_counts_for_its_end() {
    let source = source("\"\\q\u{301}\"");
    let range = source.range(hcl_syntax::source::Span::new(1, 3));
    assert_eq!((range.start.column, range.end.column, range.end.byte), (2, 4, 3));
    assert_eq!(source.position(3).column, 3);
}

#[test]
fn lines_end_with_a_line_feed() {
    assert_eq!(place("a = 1\r\nb = 2\r\nx", "x"), (3, 1));
    assert_eq!(place("/* é\r\né */ x", "x"), (2, 6));
    assert_eq!(place("a\rx", "x"), (1, 3), "a carriage return alone is a column");
    assert_eq!(place("<<E\né\u{2028}\nE\nx", "x"), (4, 1), "other separators end no line");
    let end = source("a\n\n").position(3);
    assert_eq!((end.line, end.column, end.byte), (3, 1, 3));
}

#[test]
fn a_byte_order_mark_takes_bytes_but_no_column() {
    assert_eq!(place("\u{feff}a = 1 x\nb", "x"), (1, 7));
    assert_eq!(place("\u{feff}é = 1 x\nb", "x"), (1, 7));
    assert_eq!(place("\u{feff}a = 1\nx", "x"), (2, 1));
    assert_eq!(source("\u{feff}a").position(0), Pos::START);
}

#[test]
fn the_origin_moves_lines_bytes_and_the_columns_of_the_first_line() {
    let origin = Pos { line: 7, column: 11, byte: 100 };
    let source = Source::with_grammar("case", "é${a}\nb", Grammar::Template, origin).unwrap();
    assert_eq!(source.position(0), origin);
    assert_eq!(source.position(4), Pos { line: 7, column: 14, byte: 104 });
    assert_eq!(source.position(7), Pos { line: 8, column: 1, byte: 107 });
}

#[test]
fn an_offset_beyond_the_text_is_its_end() {
    assert_eq!(source("ab").position(99), Pos { line: 1, column: 3, byte: 2 });
}

/// Positions at which the reference has none (`line` 0) are left out.
fn positions(value: &Value, found: &mut Vec<Pos>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| positions(item, found)),
        Value::Object(members) => match members.get("line").and_then(Value::as_u64) {
            Some(0) => {}
            Some(line) => found.push(Pos {
                line: u32::try_from(line).unwrap(),
                column: u32::try_from(members["column"].as_u64().unwrap()).unwrap(),
                byte: members["byte"].as_u64().unwrap(),
            }),
            None => members.values().for_each(|member| positions(member, found)),
        },
        _ => {}
    }
}

#[test]
fn positions_are_those_of_the_corpora() {
    let mut n_positions = 0;
    let mut failed = Vec::new();
    for case in corpus::cases("documents.jsonl").iter().chain(&corpus::cases("documents_bytes.jsonl")) {
        if case.get("differs").is_some() {
            continue;
        }
        let mut theirs = Vec::new();
        positions(case, &mut theirs);
        let source = Source::new("case", corpus::source_of(case)).unwrap();
        for pos in theirs {
            n_positions += 1;
            let ours = source.position(u32::try_from(pos.byte).unwrap());
            if ours != pos {
                failed.push(format!("{}: ours {ours:?}, theirs {pos:?}", case["id"]));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {n_positions}:\n{}", failed.len(), failed.join("\n"));
    assert!(n_positions > 10_000);
}

/// For the place of a bad escape clusters start anew at each escape; everywhere else at each token.
#[test]
fn escapes_tear_clusters() {
    let place = |text: &str| {
        let source = Source::new("f", text).unwrap();
        let (_, problems) = hcl_syntax::parser::parse_file(source, &Default::default());
        problems.iter().map(|problem| problem.subject.as_ref().unwrap().to_string()).collect::<Vec<_>>()
    };
    // A joiner behind an escape, which would be one with its letter, and the family that it splits.
    assert_eq!(place("a = \"\u{1f468}\\n\u{200d}\u{1f469}\\q\"\n"), ["f:1,11-13"]);
    assert_eq!(place("b \"\\u1 \u{600}\\u1\u{301}\" {}\n"), ["f:1,4-7", "f:1,9-12"]);
    assert_eq!(place("a = \"\\n$${\u{1f1e9}\\u00e9\u{1f3fb}\\u1\"\n"), ["f:1,19-22"]);
    // Behind the literal its clusters count.
    assert_eq!(place("a = \"\\n\u{200d}\" ;\n"), ["f:1,10-11", "f:1,10-11"]);
    // Indicators that an interpolation splits are no flag; nor are those of two tokens.
    assert_eq!(place("a = \"\u{1f1e9}${1}\u{1f1ea}\" ;\n"), ["f:1,14-15", "f:1,14-15"]);
    assert_eq!(place("a = \"\u{1f1e9}\u{1f1ea}\" ;\n"), ["f:1,9-10", "f:1,9-10"]);
}
