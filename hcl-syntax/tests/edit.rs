//! Editing documents: what each edit does, shown on small ones, and what holds for all of the corpora.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

mod corpus;

use std::fmt::Write as _;

use hcl_syntax::ast::{Block, Body, Label};
use hcl_syntax::edit::{Address, Document, Gap, Reach, find_in_json};
use hcl_syntax::escape::write_quoted;
use hcl_syntax::json::JsonFile;
use hcl_syntax::source::Span;
use stopwatch::Stopwatch;

fn document(text: &str) -> Document {
    Document::parse("main.hcl", text).unwrap()
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// The document after an attribute has been set.
fn set(text: &str, place: &str, value: &str) -> String {
    let mut document = document(text);
    document.set(&address(place), value, Reach::One).unwrap();
    document.text().to_owned()
}

fn set_creating(text: &str, place: &str, value: &str) -> String {
    let mut document = document(text);
    document.set_creating(&address(place), value, Reach::One).unwrap();
    document.text().to_owned()
}

/// The document without something.
fn without(text: &str, place: &str) -> String {
    let mut document = document(text);
    document.remove(&address(place), Reach::One).unwrap();
    document.text().to_owned()
}

fn got(text: &str, place: &str) -> Vec<String> {
    let found = document(text).get(&address(place)).unwrap();
    found.into_iter().map(|text| String::from_utf8(text).unwrap()).collect()
}

/// Why an edit is refused; the document must be as before.
fn refusal(text: &str, edit: impl Fn(&mut Document) -> Result<(), hcl_syntax::diagnostic::Error>) -> String {
    let mut document = document(text);
    let problems = edit(&mut document).unwrap_err();
    assert_eq!(document.text(), text);
    format!("{}: {}", problems.diagnostics()[0].summary, problems.diagnostics()[0].detail)
}

const INSTANCE: &str = "\
# The web server.
resource \"aws_instance\" \"web\" {
  ami   = \"abc\" # pinned
  count = 2

  tags = {
    Name = \"web\"
    \"x.y\" = 1 // odd
  }

  ingress {
    port = 80
  }

  # TLS
  ingress {
    port = 443
  }
}
";

#[test]
fn get_prints_the_source_text() {
    assert_eq!(got(INSTANCE, "resource.aws_instance.web.ami"), ["\"abc\""]);
    assert_eq!(
        got(INSTANCE, "resource.aws_instance.web.tags"),
        ["{\n  Name = \"web\"\n  \"x.y\" = 1 // odd\n}"]
    );
    assert_eq!(got(INSTANCE, "resource.aws_instance.web.tags.Name"), ["\"web\""]);
    assert_eq!(got(INSTANCE, "resource.aws_instance.web.tags[\"x.y\"]"), ["1"]);
    assert_eq!(got(INSTANCE, "resource.*.web.ingress[1].port"), ["443"]);
    assert_eq!(got(INSTANCE, "resource.aws_instance.web.ingress.port"), ["80", "443"]);
    assert_eq!(got(INSTANCE, "resource.aws_instance.web.ingress[1]"), ["ingress {\n  port = 443\n}"]);
    // Labels left out at the end: every block that begins so.
    assert_eq!(got("a \"x\" \"y\" {}\na \"x\" {}\na \"z\" {}\n", "a.x"), ["a \"x\" \"y\" {}", "a \"x\" {}"]);
    assert_eq!(got("a \"x.y\" {\n  b = [1, [2, 3]]\n}\n", "a.\"x.y\".b[1][0]"), ["2"]);
}

#[test]
fn set_replaces_nothing_but_the_value() {
    let changed = set(INSTANCE, "resource.aws_instance.web.ami", "var.ami");
    assert_eq!(changed, INSTANCE.replace("\"abc\"", "var.ami"));
    let changed = set(INSTANCE, "resource.aws_instance.web.tags.Name", "\"x\"");
    assert_eq!(changed, INSTANCE.replace("\"web\"\n", "\"x\"\n"));
    assert_eq!(set("a = 1", "a", "2"), "a = 2");
    assert_eq!(set("\u{feff}a = 1", "a", "2"), "\u{feff}a = 2");
    assert_eq!(set("\u{feff}", "a", "2"), "\u{feff}a = 2\n");
    assert_eq!(set("a = [1, 2, 3]\n", "a[1]", "{}"), "a = [1, {}, 3]\n");
}

#[test]
fn values_of_several_lines_are_indented_as_their_place() {
    let value = "{\n  x = 1\n\n  y = <<-EOT\n  text\n  EOT\n}\n";
    let changed = set("b {\n  a = 1 # c\n}\n", "b.a", value);
    assert_eq!(changed, "b {\n  a = {\n    x = 1\n\n    y = <<-EOT\n  text\n  EOT\n  } # c\n}\n");
    assert_eq!(got(&changed, "b.a"), [value.trim_end()]);
    // Line ends are those of the document, but not in heredocs, which mean what they say.
    assert_eq!(set("a = 1\r\n", "a", "[\n  1,\n]"), "a = [\r\n  1,\r\n]\r\n");
    assert_eq!(set("a = 1", "a", "<<E\nx\nE\n"), "a = <<E\nx\nE\n");
    // A last line of a blank says that the text ended without a newline.
    assert_eq!(set("a = 1", "b", "<<E\nx\nE"), "a = 1\nb = <<E\nx\nE\n ");
    assert_eq!(without("a = 1\nb = <<E\nx\nE\n ", "b"), "a = 1");
    // What follows a heredoc goes to the next line.
    assert_eq!(set("a = 1 # c\n", "a", "<<E\nx\nE\n"), "a = <<E\nx\nE\n# c\n");
}

#[test]
fn attributes_are_added_behind_the_last_one_and_written_like_it() {
    let changed = set("b {\n  name = 1 # c\n\n  c {}\n}\n", "b.x", "2");
    assert_eq!(changed, "b {\n  name = 1 # c\n  x    = 2\n\n  c {}\n}\n");
    assert_eq!(set("a=1", "b", "2"), "a=1\nb=2");
    assert_eq!(set("", "a", "1"), "a = 1\n");
    assert_eq!(set("# note\n", "a", "1"), "# note\n\na = 1\n");
    assert_eq!(set("b {}\r\n", "b.a", "1"), "b { a = 1 }\r\n");
    assert_eq!(set("b {\n\t# of c\n\tc {}\n}\n", "b.a", "1"), "b {\n\ta = 1\n\n\t# of c\n\tc {}\n}\n");
    assert_eq!(set("b {\n}\n", "b.a", "1"), "b {\n  a = 1\n}\n");
}

/// A block in one line takes one attribute. For a second one it is opened, with blanks behind the brace that say so: once
/// no more than one attribute is left it is as before.
#[test]
fn blocks_in_one_line_open_and_close() {
    for (one_line, value, with) in [
        ("b {}\n", "2", "b { x = 2 }\n"),
        ("b { }\n", "2", "b { x = 2  }\n"),
        ("b { /* c */ }\n", "2", "b { /* c */ x = 2 }\n"),
        ("b {}\n", "[\n  2,\n]", "b {\t\n  x = [\n    2,\n  ]\n}\n"),
        ("b {}\r\n", "2 # c", "b {\t\r\n  x = 2 # c\r\n}\r\n"),
        ("b { a = 1 }\n", "2", "b { \n  a = 1\n  x = 2\n}\n"),
        ("b { a = 1 }\r\n", "2", "b { \r\n  a = 1\r\n  x = 2\r\n}\r\n"),
        ("b { a = [\n1] }\n", "2", "b { \n  a = [\n1]\n  x = 2\n}\n"),
        ("b {a = 1}\n", "2", "b {\t\n  a = 1\n  x = 2\n}\n"),
        ("b { a = 1 /* c */ } # d\n", "2", "b { \t\n  a = 1 /* c */ \n  x = 2\n} # d\n"),
        ("c {\n  b { a = 1 }\n}\n", "2", "c {\n  b { \n    a = 1\n    x = 2\n  }\n}\n"),
    ] {
        let place = if one_line.starts_with('c') { "c.b.x" } else { "b.x" };
        let changed = set(one_line, place, value);
        assert_eq!(changed, with);
        assert_eq!(without(&changed, place), one_line);
    }
    let changed = set(&set("b { a = 1 }\n", "b.x", "2"), "b.y", "3");
    assert_eq!(without(&without(&changed, "b.x"), "b.a"), "b { y = 3 }\n");
    // Lines that stood open stay open, and so do values that need their lines.
    assert_eq!(without("b {\n  a = 1\n  x = 2\n}\n", "b.x"), "b {\n  a = 1\n}\n");
    let heredoc = set(&set("b { a = 1 }\n", "b.x", "2"), "b.a", "<<E\nx\nE");
    assert_eq!(without(&heredoc, "b.x"), "b { \n  a = <<E\nx\nE\n}\n");
    let comment = "b { \n  a = 1 # why\n  x = 2\n}\n";
    assert_eq!(without(comment, "b.x"), "b { \n  a = 1 # why\n}\n");
    let inner = set_creating("b { a = 1 }\n", "b.c.d", "2");
    assert_eq!(inner, "b { \n  a = 1\n\n  c {\n    d = 2\n  }\n}\n");
    assert_eq!(without(&inner, "b.c"), "b { a = 1 }\n");
}

#[test]
fn keys_are_added_to_objects() {
    assert_eq!(set("a = {}\n", "a.b", "1"), "a = { b = 1 }\n");
    assert_eq!(set("a = { b : 1 }\n", "a.\"c d\"", "2"), "a = { b : 1, \"c d\" : 2 }\n");
    assert_eq!(set("a = {\n  b = 1,\n  c = 2,\n}\n", "a.d", "3"), "a = {\n  b = 1,\n  c = 2,\n  d = 3,\n}\n");
    assert_eq!(set("a = {\n  bb = 1 # x\n}\n", "a.d", "3"), "a = {\n  bb = 1 # x\n  d  = 3\n}\n");
    assert_eq!(set("a = {\n}\n", "a.d", "3"), "a = {\n  d = 3\n}\n");
}

#[test]
fn blocks_are_made_when_asked_for() {
    let changed = set_creating("a = 1\n", "resource.null.\"x y\".count", "2");
    assert_eq!(changed, "a = 1\n\nresource \"null\" \"x y\" {\n  count = 2\n}\n");
    assert_eq!(without(&changed, "resource"), "a = 1\n");
    let changed = set_creating("b {\n  c = 1\n}\n", "b.d.e", "[\n  1,\n]");
    assert_eq!(changed, "b {\n  c = 1\n\n  d {\n    e = [\n      1,\n    ]\n  }\n}\n");
    assert_eq!(set_creating("", "b.a", "1"), "b {\n  a = 1\n}\n");
    assert_eq!(set_creating("\u{feff}", "b.a", "1"), "\u{feff}b {\n  a = 1\n}\n");
}

/// An address that leaves labels out leads into the block, where the attribute may be already.
#[test]
fn attributes_of_a_block_are_set_without_its_labels() {
    let text = "b \"l\" {\n  x = 1 # one\n}\n";
    assert_eq!(set(text, "b.x", "2"), "b \"l\" {\n  x = 2 # one\n}\n");
    assert_eq!(set(text, "b[0].x", "2"), "b \"l\" {\n  x = 2 # one\n}\n");
    assert_eq!(set(text, "b.y", "2"), "b \"l\" {\n  x = 1 # one\n  y = 2\n}\n");
    let both = format!("{text}b \"m\" {{\n}}\n");
    let mut document = document(&both);
    document.set(&address("b.x"), "2", Reach::All).unwrap();
    assert_eq!(document.text(), "b \"l\" {\n  x = 2 # one\n}\nb \"m\" {\n  x = 2\n}\n");
    assert_eq!(
        refusal(&both, |document| document.set(&address("b.x"), "2", Reach::One)),
        "Ambiguous address: b names 2 places, at the lines 1, 4. Add labels or an index such as [0] to name one of them, \
         or ask for all."
    );
    assert_eq!(
        refusal(text, |document| document.append_attribute(&address("b.x"), "2", Gap::None, Reach::One)),
        "Already there: b.x is there already, so it can't be added. Set it, or name another one."
    );
    let told = refusal("b \"l\" {\n  x {}\n}\n", |document| document.set(&address("b.x"), "2", Reach::One));
    assert!(told.starts_with("Not an attribute: b.x is a block"), "{told}");
}

#[test]
fn blocks_with_other_labels_are_no_place_for_a_new_one() {
    let one = "resource \"a\" \"b\" {\n}\n";
    for place in ["resource.c.d.x", "resource.a.d.x", "resource.a.x", "resource.x"] {
        let names = address(place);
        let mut document = document(one);
        document.set_creating(&names, "1", Reach::One).unwrap();
        assert_eq!(document.get(&names).unwrap(), [b"1"]);
        assert_eq!(document.get(&address("resource")).unwrap().len(), 2, "{}", document.text());
        assert!(document.text().starts_with(one));
    }
    let inner = "resource \"a\" \"b\" {\n  c \"d\" {\n    x = 1\n  }\n}\n";
    assert_eq!(set_creating(one, "resource.a.b.c.d.x", "1"), inner);
}

#[test]
fn a_comment_in_a_value_never_takes_what_follows() {
    for (text, place) in [("a = { b = 1, c = 2\n}\n", "a.b"), ("a = [1, 2\n]\n", "a[0]")] {
        for value in ["3 # x", "3 // x"] {
            let told = refusal(text, |document| document.set(&address(place), value, Reach::One));
            assert!(told.starts_with("Edit refused: The value ends with a comment"), "{told}");
        }
    }
    assert_eq!(set("a = [1, 2\n]\n", "a[0]", "3 /* x */"), "a = [3 /* x */, 2\n]\n");
    assert_eq!(set("a = { b = 1, c = 2\n}\n", "a.c", "3 # x"), "a = { b = 1, c = 3 # x\n}\n");
    assert_eq!(set("a = 1\n", "a", "3 # x"), "a = 3 # x\n");
}

#[test]
fn heredocs_stand_in_objects_without_commas() {
    let heredoc = "<<E\nx\nE";
    let object = "a = {\n  b = 1,\n  c = 2,\n}\n";
    assert_eq!(set(object, "a.b", heredoc), "a = {\n  b = <<E\nx\nE\n  c = 2,\n}\n");
    assert_eq!(set(object, "a.d", heredoc), "a = {\n  b = 1,\n  c = 2,\n  d = <<E\nx\nE\n}\n");
    assert_eq!(set("a = {b=1, c=2\n}\n", "a.b", heredoc), "a = {b=<<E\nx\nE\nc=2\n}\n");
    assert_eq!(set("a = {\n  b = <<E\nx\nE\n}\n", "a.c", "3"), "a = {\n  b = <<E\nx\nE\n  c = 3\n}\n");
    assert_eq!(set("a = { b = <<E\nx\nE\n}\n", "a.c", "3"), "a = { b = <<E\nx\nE\n  c = 3\n}\n");
    assert_eq!(set("a = { b = <<E\nx\nE\n }\n", "a.c", "3"), "a = { b = <<E\nx\nE\n  c = 3\n }\n");
    assert_eq!(set("a = { b = 1 }\n", "a.c", heredoc), "a = { b = 1, c = <<E\nx\nE\n }\n");
    assert_eq!(without("a = { b = 1, c = <<E\nx\nE\n }\n", "a.c"), "a = { b = 1 }\n");
    assert_eq!(set("a = {}\n", "a.c", heredoc), "a = { c = <<E\nx\nE\n}\n");
    assert_eq!(without("a = { c = <<E\nx\nE\n}\n", "a.c"), "a = {}\n");
    // In a list there is a comma, which may stand in a later line.
    for (list, place, shorter) in [
        ("a = [<<E\nx\nE\n, 2]\n", "a[0]", "a = [2]\n"),
        ("a = [\n  <<E\nx\nE\n  ,\n  2,\n]\n", "a[0]", "a = [\n  2,\n]\n"),
        ("a = [\n  <<E\nx\nE\n  , 2,\n]\n", "a[0]", "a = [\n  2,\n]\n"),
        ("a = [\n  1,\n  <<E\nx\nE\n]\n", "a[1]", "a = [\n  1,\n]\n"),
        ("a = [1, <<E\nx\nE\n]\n", "a[1]", "a = [1]\n"),
        ("a = [<<E\nx\nE\n]\n", "a[0]", "a = []\n"),
        ("a = [1\n, 2]\n", "a[0]", "a = [2]\n"),
        ("a = [1, <<E\nx\nE\n, 2]\n", "a[1]", "a = [1, 2]\n"),
        ("a = { b = 1, c = <<E\nx\nE\n d = 2 }\n", "a.c", "a = { b = 1\n d = 2 }\n"),
    ] {
        assert_eq!(without(list, place), shorter, "{list}");
    }
}

/// A text may end with the marker of a heredoc and lack the newline that the marker needs.
#[test]
fn a_heredoc_at_the_end_gets_its_newline() {
    assert_eq!(set("a = <<EOT\nx\nEOT", "b", "1"), "a = <<EOT\nx\nEOT\nb = 1\n");
    assert_eq!(set("a = <<EOT\r\nx\r\nEOT", "b", "1"), "a = <<EOT\r\nx\r\nEOT\r\nb = 1\r\n");
    assert_eq!(without("b = 1\na = <<EOT\nx\nEOT", "b"), "a = <<EOT\nx\nEOT\n");
    assert_eq!(without("a = <<EOT\nx\nEOT\nb = 1", "b"), "a = <<EOT\nx\nEOT\n");
    assert_eq!(without("a = <<EOT\r\nx\r\nEOT\r\n# one\r\nb = 1 # two", "b"), "a = <<EOT\r\nx\r\nEOT\r\n");
    assert_eq!(without("b {\n  a = <<EOT\nx\nEOT\n  c = 1\n}", "b.c"), "b {\n  a = <<EOT\nx\nEOT\n}");
    assert_eq!(set("c = 1\na = <<-EOT\n  x\n  EOT", "c", "2"), "c = 2\na = <<-EOT\n  x\n  EOT\n");
    // Something else that is wrong stays wrong.
    assert!(Document::parse("main.hcl", "a = <<EOT\nx\nEOT y").is_err());
    assert!(Document::parse("main.hcl", "a = <<EOT\nx\nEOD").is_err());
    assert!(Document::parse("main.hcl", "a = \nb = <<EOT\nx\nEOT").is_err());
}

#[test]
fn removing_takes_the_comments_that_belong_to_the_item() {
    let text = "# head\n\n# of a\n/* too */\na = 1 # here\nb = 2\n";
    assert_eq!(without(text, "a"), "# head\n\nb = 2\n");
    assert_eq!(without(INSTANCE, "resource"), "");
    let changed = without(INSTANCE, "resource.aws_instance.web.ingress[1]");
    assert_eq!(changed, INSTANCE.replace("\n  # TLS\n  ingress {\n    port = 443\n  }\n", ""));
    let changed = without(INSTANCE, "resource.aws_instance.web.ingress[0]");
    assert_eq!(changed, INSTANCE.replace("  ingress {\n    port = 80\n  }\n\n", ""));
    assert_eq!(without("b { # open\n  a = 1\n}\n", "b.a"), "b { # open\n}\n");
    assert_eq!(without("a = <<E\n# no comment\nE\nb = 1\n", "b"), "a = <<E\n# no comment\nE\n");
    assert_eq!(without("a = 1\n/* x\n y */ b = 2\n", "b"), "a = 1\n");
}

#[test]
fn removing_leaves_no_gap() {
    assert_eq!(without("a = 1\n\nb = 2\n\nc = 3\n", "b"), "a = 1\n\nc = 3\n");
    assert_eq!(without("a = 1\n\nb = 2\n", "a"), "b = 2\n");
    assert_eq!(without("a = 1\n\nb = 2", "b"), "a = 1");
    assert_eq!(without("a = 1\r\nb = 2", "b"), "a = 1");
    assert_eq!(without("b { a = 1 }\n", "b.a"), "b {}\n");
    // Comments between the braces of one line are the block's.
    assert_eq!(without("b { a = 1 /* c */ } # d\n", "b.a"), "b { /* c */ } # d\n");
    assert_eq!(without("b { /* c */ a = 1 /* d */ }\n", "b.a"), "b { /* c */ /* d */ }\n");
    // One between an element and its comma is the element's.
    assert_eq!(without("a = [1 /* c */, 2 /* d */]\n", "a[0]"), "a = [2 /* d */]\n");
    assert_eq!(without("a = [1 /* c */, 2 /* d */]\n", "a[1]"), "a = [1 /* c */]\n");
    assert_eq!(set("a = { b = 1 /* c */ }\n", "a.d", "2"), "a = { b = 1 /* c */, d = 2 }\n");
    assert_eq!(set("a = { b = 1 /* c */, }\n", "a.d", "2"), "a = { b = 1 /* c */, d = 2, }\n");
    assert_eq!(without("a = { b = 1, c = 2 }\n", "a.b"), "a = { c = 2 }\n");
    assert_eq!(without("a = { b = 1, c = 2 }\n", "a.c"), "a = { b = 1 }\n");
    assert_eq!(without("a = { b = 1 }\n", "a.b"), "a = {}\n");
    assert_eq!(without("a = { b = 1, c = 2,}\n", "a.c"), "a = { b = 1,}\n");
    assert_eq!(without("a = { b = 1, c = 2, /* d */ }\n", "a.c"), "a = { b = 1, /* d */ }\n");
    assert_eq!(without("a = [1, 2,\t]\n", "a[1]"), "a = [1,\t]\n");
    // A comment that is alone in an object does not become that of the new key.
    let with = set("a = {\n  # later\n}\n", "a.b", "1");
    assert_eq!(with, "a = {\n  # later\n\n  b = 1\n}\n");
    assert_eq!(without(&with, "a.b"), "a = {\n  # later\n}\n");
    assert_eq!(without("a = [\n  1, 2,\n  3,\n]\n", "a[1]"), "a = [\n  1,\n  3,\n]\n");
    assert_eq!(without("a = [\n  1,\n  # two\n  2,\n  3,\n]\n", "a[1]"), "a = [\n  1,\n  3,\n]\n");
}

#[test]
fn several_places_change_only_when_asked_for() {
    let text = "b { a = 1 }\nb { a = 2 }\n\nb {\n  a = 3\n}\n";
    let told = refusal(text, |document| document.remove(&address("b"), Reach::One).map(|_| ()));
    assert_eq!(
        told,
        "Ambiguous address: b names 3 places, at the lines 1, 2, 4. Add labels or an index such as [0] to name one \
         of them, or ask for all."
    );
    let mut changed = document(text);
    changed.set(&address("b.a"), "0", Reach::All).unwrap();
    assert_eq!(changed.text(), "b { a = 0 }\nb { a = 0 }\n\nb {\n  a = 0\n}\n");
    assert_eq!(changed.remove(&address("b"), Reach::All).unwrap(), 3);
    assert_eq!(changed.text(), "");
    let mut changed = document("a = [1, 2, 3]\nb = { x = 1, y = 2 }\n");
    changed.remove(&address("a[1]"), Reach::All).unwrap();
    assert_eq!(changed.text(), "a = [1, 3]\nb = { x = 1, y = 2 }\n");
}

#[test]
fn refusals_say_what_to_do() {
    let set = |place: &'static str, value: &'static str| {
        move |document: &mut Document| document.set(&address(place), value, Reach::One)
    };
    let told = refusal(INSTANCE, set("resource.aws_instance.wab.ami", "1"));
    assert_eq!(
        told,
        "Address not found: There is no \"wab\" in resource.aws_instance. Did you mean \"web\"?"
    );
    let told = refusal(INSTANCE, |document| {
        document.get(&address("resource.aws_instance.web.tag.Name")).map(|_| ())
    });
    assert_eq!(
        told,
        "Address not found: There is no \"tag\" in resource.aws_instance.web. Did you mean \"tags\"?"
    );
    let told = refusal("a = 1\nb {}\n", |document| document.get(&address("zzz")).map(|_| ()));
    assert_eq!(told, "Address not found: There is no \"zzz\" in main.hcl. There is: a, b.");
    assert!(refusal("b {}\n", set("b", "1")).starts_with("Not an attribute: "));
    assert!(refusal("a = f()\n", set("a.b", "1")).starts_with("Nothing can be added here: "));
    assert!(refusal("a = 1\n", set("a", "1 2")).starts_with("Extra characters after expression: "));
    assert!(refusal("a = 1\n", set("a", "1 +\n2")).starts_with("Edit refused: "));
    assert!(refusal("b { a = 1 }\n", set("b.a", "1 # c")).starts_with("Edit refused: "));
    assert!(refusal("", set("\"x y\"", "1")).starts_with("Not a name: "));
    assert!(Document::parse("main.hcl", "a = \n").is_err());
    for wrong in
        ["", "a.", ".a", "a[", "a[x]", "a[1", "a b", "a[1.5]", "\"${x}\"", "a[99999999999999999999999]"]
    {
        assert!(wrong.parse::<Address>().is_err(), "{wrong}");
    }
}

#[test]
fn blocks_are_renamed_relabelled_and_moved() {
    let mut document = document("a \"x\" y { # c\n  b = 1\n}\n");
    document.rename(&address("a.x.y.b"), "bb", Reach::One).unwrap();
    document.relabel(&address("a"), &["z", "q\""], Reach::One).unwrap();
    document.rename(&address("a"), "c", Reach::One).unwrap();
    assert_eq!(document.text(), "c \"z\" \"q\\\"\" { # c\n  bb = 1\n}\n");
    document.append(None, "d {\n  e = 1\n}\n").unwrap();
    let moved = String::from_utf8(document.get(&address("c")).unwrap().remove(0)).unwrap();
    document.remove(&address("c"), Reach::One).unwrap();
    document.append(Some(&address("d")), &moved).unwrap();
    assert_eq!(document.text(), "d {\n  e = 1\n\n  c \"z\" \"q\\\"\" { # c\n    bb = 1\n  }\n}\n");
}

/// A body as text, places aside.
fn tree(body: Body<'_>, out: &mut String) {
    for attribute in body.attributes() {
        let _ = writeln!(out, "{} = {}", attribute.name(), attribute.expression().source_text());
    }
    for block in body.blocks() {
        let labels: Vec<_> = block.labels().map(Label::text).collect();
        let _ = writeln!(out, "{} {labels:?} {{", block.block_type());
        tree(block.body(), out);
        out.push_str("}\n");
    }
}

fn tree_of(document: &Document) -> String {
    let mut out = String::new();
    tree(document.file().body(), &mut out);
    out
}

/// The addresses of all bodies, the root's first; and of all attributes, with their places.
fn places(body: Body<'_>, prefix: &str, bodies: &mut Vec<String>, attributes: &mut Vec<(String, [Span; 2])>) {
    bodies.push(prefix.to_owned());
    for attribute in body.attributes() {
        let value = Span::new(attribute.expression().span().start, attribute.span().end);
        attributes.push((format!("{prefix}{}", attribute.name()), [attribute.span(), value]));
    }
    let blocks: Vec<Block<'_>> = body.blocks().collect();
    for (position, block) in blocks.iter().enumerate() {
        let labels: Vec<&str> = block.labels().map(Label::text).collect();
        let alike = |other: &&Block<'_>| {
            other.block_type() == block.block_type()
                && labels
                    .iter()
                    .enumerate()
                    .all(|(at, label)| other.labels().nth(at).map(Label::text) == Some(label))
        };
        let index = blocks[..position].iter().filter(alike).count();
        let mut place = format!("{prefix}{}", block.block_type());
        for label in labels {
            place.push('.');
            write_quoted(label, &mut place);
        }
        places(block.body(), &format!("{place}[{index}]."), bodies, attributes);
    }
}

#[test]
fn edits_change_nothing_else_in_all_documents() {
    let mut n_attributes = 0;
    let mut n_added = 0;
    let corpora = ["documents.jsonl", "documents_bytes.jsonl", "fmt.jsonl"];
    for text in corpora.into_iter().flat_map(corpus::cases).map(|case| corpus::source_of(&case)) {
        let Ok(before) = Document::parse("main.hcl", text.clone()) else { continue };
        let mut bodies = Vec::new();
        let mut attributes = Vec::new();
        places(before.file().body(), "", &mut bodies, &mut attributes);
        for (place, [whole, value]) in attributes.into_iter().take(40) {
            // Blocks may be called as attributes are.
            if before.find(&address(&place)).len() > 1 {
                continue;
            }
            n_attributes += 1;
            check_attribute(&text, &address(&place), whole, value);
        }
        for body in bodies.into_iter().take(20) {
            n_added += 1;
            check_addition(&text, &address(&format!("{body}zz_new")));
        }
    }
    assert!(n_attributes > 1000 && n_added > 800, "{n_attributes} {n_added}");
}

/// Setting, getting and removing one attribute.
fn check_attribute(text: &[u8], place: &Address, whole: Span, value: Span) {
    let [start, end] = [value.start as usize, value.end as usize];
    let mut document = Document::parse("main.hcl", text).unwrap();
    let before = tree_of(&document);
    document.set(place, "[\n  new,\n]", Reach::One).unwrap();
    assert_eq!(document.get(place).unwrap(), [b"[\n  new,\n]"]);
    assert_eq!(document.bytes()[..start], text[..start]);
    assert!(document.bytes().ends_with(&text[end..]));

    let mut document = Document::parse("main.hcl", text).unwrap();
    document.remove(place, Reach::One).unwrap();
    assert!(document.find(place).is_empty());
    let after = tree_of(&document);
    let name = String::from_utf8_lossy(&text[whole.start as usize..]).into_owned();
    let name: String = name.chars().take_while(|c| !matches!(c, ' ' | '=' | '\t' | '/')).collect();
    let gone = format!("{name} = {}\n", String::from_utf8_lossy(&text[start..end]));
    let at = before
        .match_indices(&gone)
        .any(|(at, _)| [&before[..at], &before[at + gone.len()..]].concat() == after);
    assert!(at, "{place}: {before}\n---\n{after}");
}

/// Adding an attribute and removing it.
fn check_addition(text: &[u8], place: &Address) {
    let mut document = Document::parse("main.hcl", text).unwrap();
    // A heredoc at the end has got its newline.
    let text = document.bytes().to_vec();
    for value in ["<<EOT\nx\nEOT", "[\n  1,\n]", "1"] {
        document.set(place, value, Reach::One).unwrap();
        assert_eq!(document.get(place).unwrap(), [value.as_bytes()]);
        document.remove(place, Reach::One).unwrap();
        assert_eq!(document.bytes().escape_ascii().to_string(), text.escape_ascii().to_string(), "{place}");
    }
}

#[test]
fn editing_takes_time_in_proportion() {
    let text =
        |n: usize| (0..n).fold(String::new(), |text, i| text + &format!("b \"x\" {{\n  a{i} = [1]\n}}\n"));
    let measure = |n: usize| {
        let mut document = document(&text(n));
        let start = Stopwatch::start();
        document.set(&address("b.x.new"), "1", Reach::All).unwrap();
        document.set(&address("b.x.new"), "2", Reach::All).unwrap();
        assert_eq!(document.remove(&address("b"), Reach::All).unwrap(), n);
        start.elapsed()
    };
    let quickest = |n: usize| (0..5).map(|_| measure(n)).min().unwrap();
    let (small, large) = (quickest(2_000), quickest(20_000));
    assert!(large < small * 40, "{small:?} {large:?}");
}

#[test]
fn addresses_name_places_of_json_too() {
    let text = r#"{"a": {"b.c": [1, {"d": null}]}, "s": [{"x": {"p": 1}}, {"x": {"p": 2}}], "a ": 3}"#;
    let file = JsonFile::parse("main.hcl.json", text).unwrap();
    let found = |place: &str| -> Vec<&str> {
        let found = find_in_json(&file, &address(place)).unwrap();
        found.into_iter().map(|one| file.source().slice(one.span())).collect()
    };
    assert_eq!(found(r#"a."b.c"[1].d"#), [r#""d": null"#]);
    assert_eq!(found(r#"a["b.c"].d"#), [r#""d": null"#]);
    assert_eq!(found(r#"a."b.c"[0]"#), ["1"]);
    assert_eq!(found("s.x.p"), [r#""p": 1"#, r#""p": 2"#]);
    assert_eq!(found("s[1].x.p"), [r#""p": 2"#]);
    assert_eq!(found("s[0].*.*"), [r#""p": 1"#]);
    for (place, said) in [
        ("none", r#"There is no "none" in main.hcl.json. There is: a, s, a ."#),
        ("s.x.pp", r#"There is no "pp" in s.x. There is: p."#),
        ("s[2]", "There is no element [2] in s. There is: x."),
        ("a[0]", "There is no element [0] in a. There is: b.c."),
    ] {
        let error = find_in_json(&file, &address(place)).unwrap_err();
        assert_eq!(error.diagnostics()[0].detail, said, "{place}");
    }
}

#[test]
fn addresses_may_have_names_of_any_letters() {
    for text in ["é.ü[0].b", "日.本[12]", "\"😀\".é", "a.\"é 日\".b"] {
        assert_eq!(address(text).to_string(), text);
    }
    assert_eq!(address("é[\"日\"].ü").to_string(), "é.日.ü");
    assert_eq!(got("é {\n  日 = 1\n}\n", "é.日"), ["1"]);
}
