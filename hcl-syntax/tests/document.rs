//! Documents built and rebuilt: adding, moving, renaming, comments, references, and values written from parts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../tests/stopwatch.rs"]
mod stopwatch;

use hcl_syntax::diagnostic::Error;
use hcl_syntax::edit::{Address, Comments, Destination, Document, Gap, NewExpression, Reach, Side};
use hcl_syntax::format::{FormatStyle, format};
use stopwatch::Stopwatch;

fn document(text: &str) -> Document {
    Document::parse("main.hcl", text).unwrap()
}

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// The text after an edit.
fn edited(text: &str, edit: impl FnOnce(&mut Document) -> Result<(), Error>) -> String {
    let mut document = document(text);
    edit(&mut document).unwrap();
    document.text().to_owned()
}

/// Why an edit is refused; the document must be as before.
fn refusal(text: &str, edit: impl FnOnce(&mut Document) -> Result<(), Error>) -> String {
    let mut document = document(text);
    let problems = edit(&mut document).unwrap_err();
    assert_eq!(document.text(), text);
    problems.diagnostics()[0].summary.to_string()
}

#[test]
fn a_dot_in_a_label_follows_a_backslash() {
    let text = "b \"x.y\" \"*\" {\n  a = 1\n}\nb \"x\" \"z 1\" {\n  a = 2\n}\n";
    let got = |place: &str| document(text).get(&address(place)).unwrap();
    assert_eq!(got(r"b.x\.y.\*.a"), [b"1"]);
    assert_eq!(got(r"b.x.z\ 1.a"), [b"2"]);
    assert_eq!(document("b \"\" {}\n").find(&address("b.\"\"")).len(), 1);
    assert_eq!(got("b.*.*.a"), [b"1", b"2"]);
    assert_eq!(address(r"b.10\.0\.0\.0/8").to_string(), "b.\"10.0.0.0/8\"");
    assert_eq!(address("b.web-1.é").to_string(), "b.web-1.é");
    assert!(r"b.\".parse::<Address>().is_err());
}

#[test]
fn what_is_listed_has_an_address_of_its_own() {
    let text = "a = { x = 1, \"y z\" = 2, (k) = 3 }\nb \"x\" {\n  c = 1\n  d {}\n  d {}\n}\nb \"x\" \"y\" {}\ne {}\n";
    let document = document(text);
    let listed = |place: Option<&str>| {
        let place = place.map(address);
        let listed = document.list(place.as_ref()).unwrap();
        for (address, found) in &listed {
            let again = document.find(address);
            assert_eq!(again.len(), 1, "{address}");
            assert_eq!(again[0].span(), found.span());
        }
        listed.into_iter().map(|(address, _)| address.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(listed(None), ["a", "b.x[0]", "b.x.y", "e"]);
    assert_eq!(listed(Some("b.x[0]")), ["b.x[0].c", "b.x[0].d[0]", "b.x[0].d[1]"]);
    assert_eq!(listed(Some("a")), ["a.x", "a.\"y z\""]);
    assert!(document.list(Some(&address("b.x"))).is_err());
    assert!(document.list(Some(&address("a.x"))).is_err());
}

#[test]
fn the_body_of_a_block_stands_at_the_left_edge() {
    let body = |text: &str| {
        let document = document(text);
        let block = document.file().body().blocks().next().unwrap();
        String::from_utf8(document.body_of(block)).unwrap()
    };
    let inner = "# one\na = [\n  1\n]\n\nb { # two\n  c = <<E\nx\nE\n}\n# three";
    let indented = "  # one\n  a = [\n    1\n  ]\n\n  b { # two\n    c = <<E\nx\nE\n  }\n  # three\n";
    assert_eq!(body(&format!("x {{ # zero\n\n{indented}\n}}\n")), inner);
    assert_eq!(body("x { a = 1 }\n"), "a = 1");
    assert_eq!(body("x { /* a */ a = 1 /* b */ }\n"), "/* a */ a = 1 /* b */");
    assert_eq!(body("x { # nothing\n\n}\n"), "");
}

#[test]
fn attributes_are_appended_and_replaced() {
    let append = |text: &str, place: &str, gap: Gap| {
        edited(text, |it| it.append_attribute(&address(place), "v", gap, Reach::All))
    };
    assert_eq!(append("a0 = v0\n", "a1", Gap::None), "a0 = v0\na1 = v\n");
    assert_eq!(
        append("b \"l\" {\n  a1 = v1\n}\n", "b.l.a2", Gap::None),
        "b \"l\" {\n  a1 = v1\n  a2 = v\n}\n"
    );
    assert_eq!(
        append("b \"l\" {\n  a1 = v1\n}\n", "b.l.a2", Gap::EmptyLine),
        "b \"l\" {\n  a1 = v1\n\n  a2 = v\n}\n"
    );
    assert_eq!(append("b {}\nb {\n}\n", "b.a", Gap::EmptyLine), "b { a = v }\nb {\n  a = v\n}\n");
    assert_eq!(append("b { x = 1 }\n", "b.a", Gap::EmptyLine), "b { \n  x = 1\n\n  a = v\n}\n");
    assert_eq!(append("", "a", Gap::EmptyLine), "a = v\n");
    let there = |it: &mut Document| it.append_attribute(&address("a"), "v", Gap::None, Reach::All);
    assert_eq!(refusal("a = 1\n", there), "Already there");

    let text = "# one\na = 1 # two\nb = { \"k\" = 1 }\n";
    assert_eq!(
        edited(text, |it| it.replace(&address("a"), "c", "[2]", Reach::One)),
        "# one\nc = [2] # two\nb = { \"k\" = 1 }\n"
    );
    let changed = edited(text, |it| it.replace(&address("b.k"), "l m", "2", Reach::One));
    assert_eq!(changed, "# one\na = 1 # two\nb = { \"l m\" = 2 }\n");
    assert_eq!(refusal(text, |it| it.replace(&address("a"), "b", "1", Reach::One)), "Edit refused");
    assert_eq!(refusal(text, |it| it.replace(&address("a"), "x y", "1", Reach::One)), "Not a name");
}

#[test]
fn blocks_are_appended_in_canonical_form() {
    let append = |text: &str, place: Option<&str>, body: &str, gap: Gap| {
        let place = place.map(address);
        edited(text, |it| it.append_block(place.as_ref(), "c", &["l", "m\""], body, gap, Reach::All))
    };
    assert_eq!(append("", None, "", Gap::EmptyLine), "c \"l\" \"m\\\"\" {\n}\n");
    let body = "x=1\nlonger=[\n1\n]\nd {\ny=<<E\n z\nE\n}\n";
    let written =
        "c \"l\" \"m\\\"\" {\n  x = 1\n  longer = [\n    1\n  ]\n  d {\n    y = <<E\n z\nE\n  }\n}\n";
    assert_eq!(append("a = 1\n", None, body, Gap::EmptyLine), format!("a = 1\n\n{written}"));
    assert_eq!(append("a = 1\n", None, body, Gap::None), format!("a = 1\n{written}"));
    assert_eq!(append("a = 1", None, "", Gap::EmptyLine), "a = 1\n\nc \"l\" \"m\\\"\" {\n}");
    assert_eq!(
        append("a {}\r\n", None, "x=1\n", Gap::EmptyLine),
        "a {}\r\n\r\nc \"l\" \"m\\\"\" {\r\n  x = 1\r\n}\r\n"
    );
    assert_eq!(
        append("b {\n  a = 1\n}\nb {}\n", Some("b"), "", Gap::EmptyLine),
        "b {\n  a = 1\n\n  c \"l\" \"m\\\"\" {\n  }\n}\nb {\t\n  c \"l\" \"m\\\"\" {\n  }\n}\n"
    );
    let bad = |body: &'static str| {
        move |it: &mut Document| it.append_block(None, "c", &[], body, Gap::None, Reach::One)
    };
    assert_eq!(refusal("", bad("a = ")), "Missing expression");
    // A body can't end its block.
    assert_eq!(refusal("", bad("}\nd {")), "Argument or block definition required");
    let bad = |it: &mut Document| it.append_block(None, "1", &[], "", Gap::None, Reach::One);
    assert_eq!(refusal("", bad), "Not a name");
}

#[test]
fn items_are_put_beside_others() {
    let insert = |text: &str, place: &str, side: Side, new: &str| {
        let changed = edited(text, |it| it.insert(&address(place), side, new));
        let name: String = new.chars().take_while(|c| c.is_alphanumeric()).collect();
        let parent = place.rsplit_once('.').map_or(String::new(), |(parent, _)| format!("{parent}."));
        let back =
            edited(&changed, |it| it.remove(&address(&format!("{parent}{name}")), Reach::One).map(drop));
        assert_eq!(back, text);
        changed
    };
    let text = "# h\n\n# a\na = 1\nb = 2 # b\n\nc {\n  d = 1\n}\n";
    assert_eq!(insert(text, "a", Side::Before, "x = 0"), text.replace("# a\n", "x = 0\n# a\n"));
    assert_eq!(insert(text, "a", Side::After, "x = 0\n"), text.replace("b =", "x = 0\nb ="));
    assert_eq!(insert(text, "b", Side::Before, "x = 0\n"), text.replace("b =", "x = 0\nb ="));
    assert_eq!(insert(text, "b", Side::After, "x = 0\n"), text.replace("# b\n", "# b\nx = 0\n"));
    assert_eq!(insert(text, "c", Side::After, "x {\n}\n"), format!("{text}\nx {{\n}}\n"));
    assert_eq!(insert(text, "c", Side::Before, "x {\n}\n"), text.replace("c {", "x {\n}\n\nc {"));
    assert_eq!(
        insert(text, "c.d", Side::Before, "x {\n  y = 1\n}\n"),
        text.replace("  d", "  x {\n    y = 1\n  }\n\n  d")
    );
    assert_eq!(insert("a = 1", "a", Side::After, "x = 2"), "a = 1\nx = 2");
    assert_eq!(insert("a = 1\r\n", "a", Side::After, "x = [\n1]\n"), "a = 1\r\nx = [\r\n1]\r\n");
    let one_line = "c { d = 1 }\ne = { f = 1 }\n";
    for place in ["c.d", "e.f"] {
        assert_eq!(refusal(one_line, |it| it.insert(&address(place), Side::After, "x = 1")), "Edit refused");
    }
    assert_eq!(refusal("a = 1\n", |it| it.insert(&address("a"), Side::After, "a = 1")), "Edit refused");
}

#[test]
fn items_are_moved_with_their_comments() {
    let text =
        "# of a\na \"1\" {\n  x = 1\n}\n\n# of b\nb {\n  # of y\n  y = 2 # two\n  z = 3\n}\n\nc = 1 # c\n";
    let moved = |from: &str, to: Destination<'_>| edited(text, |it| it.move_item(&address(from), to));
    assert_eq!(
        moved("b", Destination::Beside(&address("a"), Side::Before)),
        "# of b\nb {\n  # of y\n  y = 2 # two\n  z = 3\n}\n\n# of a\na \"1\" {\n  x = 1\n}\n\nc = 1 # c\n"
    );
    assert_eq!(
        moved("b.y", Destination::Into(&address("a"))),
        "# of a\na \"1\" {\n  x = 1\n  # of y\n  y = 2 # two\n}\n\n# of b\nb {\n  z = 3\n}\n\nc = 1 # c\n"
    );
    assert_eq!(
        moved("b", Destination::Into(&address("a"))),
        "# of a\na \"1\" {\n  x = 1\n\n  # of b\n  b {\n    # of y\n    y = 2 # two\n    z = 3\n  }\n}\n\nc = 1 # c\n"
    );
    assert_eq!(
        moved("b.y", Destination::Root),
        "# of a\na \"1\" {\n  x = 1\n}\n\n# of b\nb {\n  z = 3\n}\n\nc = 1 # c\n# of y\ny = 2 # two\n"
    );
    // Where it is already.
    for (from, to, side) in [("a", "b", Side::Before), ("b", "a", Side::After), ("a", "a", Side::After)] {
        assert_eq!(moved(from, Destination::Beside(&address(to), side)), text);
    }
    for (from, to) in [("b", "b"), ("b", "b.y"), ("a", "a.1.x")] {
        let to = address(to);
        let destination = if from == to.to_string() {
            Destination::Into(&to)
        } else {
            Destination::Beside(&to, Side::After)
        };
        assert_eq!(refusal(text, |it| it.move_item(&address(from), destination)), "Edit refused");
    }
}

#[test]
fn items_get_another_address() {
    let moved = |text: &str, from: &str, to: &str| {
        edited(text, |it| it.move_to(&address(from), &address(to), Reach::All))
    };
    let text = "b1 \"l1\" {\n  # why\n  a = 1 # one\n  n \"x\" {\n  }\n}\n\nb2 \"l2\" {\n}\n";
    assert_eq!(moved(text, "b1.l1", "b1.l3"), text.replace("\"l1\"", "\"l3\""));
    assert_eq!(moved(text, "b1.l1", "b3"), text.replace("b1 \"l1\"", "b3"));
    assert_eq!(moved(text, "b1.l1.n.x", "b1.l1.m.y"), text.replace("n \"x\"", "m \"y\""));
    assert_eq!(moved(text, "b1.l1.a", "b1.l1.c"), text.replace("a = 1", "c = 1"));
    assert_eq!(
        moved(text, "b1.l1.a", "b2.l2.c"),
        "b1 \"l1\" {\n  n \"x\" {\n  }\n}\n\nb2 \"l2\" {\n  # why\n  c = 1 # one\n}\n"
    );
    assert_eq!(
        moved(text, "b1.l1.n.x", "b2.l2.m"),
        "b1 \"l1\" {\n  # why\n  a = 1 # one\n}\n\nb2 \"l2\" {\n  m {\n  }\n}\n"
    );
    assert_eq!(
        moved(text, "b1.l1.n.x", "m.y"),
        "b1 \"l1\" {\n  # why\n  a = 1 # one\n}\n\nb2 \"l2\" {\n}\n\nm \"y\" {\n}\n"
    );
    assert_eq!(moved("a = { x = 1 }\nb = { y = 2 }\n", "a.x", "b.z"), "a = {}\nb = { y = 2, z = 1 }\n");
    assert_eq!(moved("a = { x = 1 }\n", "a.x", "a.y"), "a = { y = 1 }\n");
    let text = "r \"a\" \"1\" {}\nr \"a\" \"2\" {}\nr \"b\" \"3\" {}\n";
    assert_eq!(moved(text, "r.a.*", "r.c.*"), text.replace("\"a\"", "\"c\""));
    let clash = |it: &mut Document| it.move_to(&address("a"), &address("b"), Reach::One);
    assert_eq!(refusal("a = 1\nb = 2\n", clash), "Edit refused");
}

#[test]
fn labels_that_stay_are_left_as_they_are_written() {
    let relabel =
        |text: &str, labels: &[&str]| edited(text, |it| it.relabel(&address("b"), labels, Reach::One));
    let text = "b /* 0 */ x \"y\" /* 1 */ \"z\" /* 2 */ {}\n";
    assert_eq!(relabel(text, &["x", "y", "z"]), text);
    assert_eq!(relabel(text, &["x", "q\"", "z"]), text.replace("\"y\"", "\"q\\\"\""));
    assert_eq!(
        relabel(text, &["X", "y", "z", "w"]),
        "b /* 0 */ \"X\" \"y\" /* 1 */ \"z\" \"w\" /* 2 */ {}\n"
    );
    assert_eq!(relabel(text, &["x"]), "b /* 0 */ x /* 2 */ {}\n");
    assert_eq!(relabel(text, &[]), "b /* 2 */ {}\n");
    assert_eq!(relabel("b {}\n", &["x"]), "b \"x\" {}\n");
    assert_eq!(edited(text, |it| it.move_to(&address("b"), &address("c.x.*.Z"), Reach::One)), {
        text.replace('b', "c").replace("\"z\"", "\"Z\"")
    });
}

#[test]
fn comments_are_read_and_set() {
    let text = "b {\n  /* zero */\n  # one\n  a = 1 /* two */ // three\n  o = {\n    # k\n    k = 1 /* c */, # d\n  }\n}\n";
    let comments = |place: &str| document(text).comments(&address(place)).unwrap();
    let of = |lead: &[&str], line: &[&str]| Comments {
        lead: lead.iter().map(ToString::to_string).collect(),
        line: line.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(comments("b.a"), of(&["/* zero */", "# one"], &["/* two */", "// three"]));
    assert_eq!(comments("b.o.k"), of(&["# k"], &["/* c */", "# d"]));
    assert_eq!(comments("b"), of(&[], &[]));

    let lead =
        |place: &str, new: &str| edited(text, |it| it.set_lead_comment(&address(place), new, Reach::One));
    assert_eq!(lead("b.a", ""), text.replace("  /* zero */\n  # one\n", ""));
    assert_eq!(lead("b.a", "new\n\nlines"), text.replace("/* zero */\n  # one\n", "# new\n  #\n  # lines\n"));
    assert_eq!(lead("b", "// as it is\n"), format!("// as it is\n{text}"));
    assert_eq!(lead("b.o.k", "K"), text.replace("# k", "# K"));
    let line =
        |place: &str, new: &str| edited(text, |it| it.set_line_comment(&address(place), new, Reach::One));
    assert_eq!(line("b.a", "new"), text.replace("/* two */ // three", "# new"));
    assert_eq!(line("b.a", ""), text.replace(" /* two */ // three", ""));
    assert_eq!(line("b.o.k", "# new"), text.replace(" /* c */, # d", ", # new"));
    assert_eq!(line("b", "end"), format!("{} # end\n", text.trim_end()));
    assert_eq!(refusal(text, |it| it.set_line_comment(&address("b"), "a\nb", Reach::One)), "Edit refused");
    let one_line = "b { a = 1 }\n";
    assert_eq!(refusal(one_line, |it| it.set_lead_comment(&address("b.a"), "x", Reach::One)), "Edit refused");
    assert_eq!(refusal(one_line, |it| it.set_line_comment(&address("b.a"), "x", Reach::One)), "Edit refused");
}

#[test]
fn references_are_renamed_wherever_they_stand() {
    let text = "\
a = var.old # var.old
b = [for v in var.old : v.x if var.old[\"k\"] == var[\"old\"].y]
c = {
  var = 1, (var.old) = \"${upper(var.old)} %{ if var.old }x%{ endif }\"
}
d = [for var in [1] : var.old]
e = var.older[var.old].z
f \"var.old\" {
  g = <<-EOT
    ${var.old[0].w} $${var.old}
  EOT
  dynamic \"h\" {
    for_each = var.old[*].i
  }
}
i = other.var.old
";
    let mut changed = document(text);
    assert_eq!(changed.rename_references("var.old", "var.new_name").unwrap(), 10);
    let expected = text
        .replace("a = var.old", "a = var.new_name")
        .replace("in var.old", "in var.new_name")
        .replace("if var.old[", "if var.new_name[")
        .replace("var[\"old\"]", "var.new_name")
        .replace("(var.old)", "(var.new_name)")
        .replace("if var.old }", "if var.new_name }")
        .replace("[var.old]", "[var.new_name]")
        .replace("    ${var.old", "    ${var.new_name")
        .replace("= var.old[*]", "= var.new_name[*]");
    assert_eq!(changed.text(), expected);
    assert_eq!(changed.rename_references("var.new_name", "var.old").unwrap(), 10);
    assert_eq!(changed.text(), text.replace("var[\"old\"]", "var.old"));
    assert_eq!(changed.rename_references("nothing", "else").unwrap(), 0);
    // The names may be more or fewer than before.
    assert_eq!(edited("a = b.c.d\n", |it| it.rename_references("b.c", "x").map(drop)), "a = x.d\n");
    assert_eq!(
        edited("a = b.c\n", |it| it.rename_references("b", "module.m.b").map(drop)),
        "a = module.m.b.c\n"
    );
    for wrong in ["", "a.", "a[0]", "a.*", "1", "a b"] {
        assert_eq!(refusal("a = 1\n", |it| it.rename_references(wrong, "x").map(drop)), "Not a reference");
        assert_eq!(refusal("a = 1\n", |it| it.rename_references("x", wrong).map(drop)), "Not a reference");
    }
}

#[test]
fn expressions_are_built_of_parts() {
    let string = NewExpression::string;
    assert_eq!(string("a\n\"${b} %{c} \\").text(), r#""a\n\"$${b} %%{c} \\""#);
    assert_eq!(NewExpression::integer(-5).text(), "-5");
    assert_eq!(NewExpression::bool(true).text(), "true");
    assert_eq!(NewExpression::null().text(), "null");
    assert_eq!(NewExpression::traversal("a . b[ \"c\" ][0]").unwrap().text(), "a.b[\"c\"][0]");
    assert!(NewExpression::traversal("a + b").is_err());
    let name = NewExpression::traversal("var.x").unwrap();
    let call = |name: &str, arguments, expands| NewExpression::call(name, arguments, expands);
    assert_eq!(call("f", vec![], false).unwrap().text(), "f()");
    assert_eq!(call("a::f", vec![name.clone(), string("s")], true).unwrap().text(), "a::f(var.x, \"s\"...)");
    assert!(call("f(", vec![], false).is_err());
    assert_eq!(NewExpression::tuple([]).text(), "[]");
    let object = NewExpression::object([("a", name.clone()), ("long name", NewExpression::tuple([name]))]);
    assert_eq!(object.text(), "{\n  a           = var.x\n  \"long name\" = [var.x]\n}");
    assert_eq!(NewExpression::object::<&str>([]).text(), "{}");
    let outer = NewExpression::object([("o", object)]);
    let changed = edited("b {\n}\n", |it| it.set(&address("b.a"), &outer.text(), Reach::One));
    assert_eq!(
        changed,
        "b {\n  a = {\n    o = {\n      a           = var.x\n      \"long name\" = [var.x]\n    }\n  }\n}\n"
    );
    // Parts that need their line keep it.
    let heredoc = NewExpression::parse("<<E\nx\nE").unwrap();
    let commented = NewExpression::parse("1 # one").unwrap();
    for part in [heredoc, commented] {
        for whole in [
            NewExpression::tuple([part.clone(), NewExpression::null()]),
            NewExpression::call("f", [part.clone(), part.clone()], false).unwrap(),
            NewExpression::object([("k", part.clone()), ("l", part.clone())]),
            part.clone(),
        ] {
            edited("", |it| it.set(&address("a"), &whole.text(), Reach::One));
        }
    }
    assert!(NewExpression::parse("1 +").is_err());
}

/// The time that it takes to write so many blocks.
fn generate(n_blocks: usize) -> std::time::Duration {
    let start = Stopwatch::start();
    let mut document = Document::new("generated.hcl");
    let name = NewExpression::traversal("var.name").unwrap();
    for number in 0..n_blocks {
        let port = NewExpression::integer(number as i64).text();
        let body = format!("port={port}\nname={}\nnested {{\n  x=1\n}}\n", name.text());
        let label = number.to_string();
        document.append_block(None, "service", &[&label], &body, Gap::EmptyLine, Reach::One).unwrap();
    }
    let elapsed = start.elapsed();
    let listed = document.list(None).unwrap();
    assert_eq!(listed.len(), n_blocks);
    let text = document.text();
    assert!(text.starts_with(
        "service \"0\" {\n  port = 0\n  name = var.name\n  nested {\n    x = 1\n  }\n}\n\nservice"
    ));
    assert_eq!(format("generated.hcl", text.as_bytes(), FormatStyle::Hcl).unwrap(), text.as_bytes());
    elapsed
}

#[test]
fn generating_takes_time_in_proportion() {
    let quickest = |n: usize| (0..5).map(|_| generate(n)).min().unwrap();
    let (small, large) = (quickest(1_000), quickest(4_000));
    // Four times the work, with room for a machine that is busy.
    assert!(large < small * 8, "{small:?} {large:?}");
}

#[test]
fn neighbours_that_are_removed_leave_one_gap() {
    let without = |text: &str| edited(text, |it| it.remove(&address("x"), Reach::All).map(drop));
    let x = "# of x\nx {\n}\n";
    assert_eq!(without(&format!("a {{}}\n\n{x}\n{x}")), "a {}\n");
    assert_eq!(without(&format!("a {{}}\n\n{x}{x}\n{x}\nb {{}}\n\n{x}")), "a {}\n\nb {}\n");
    assert_eq!(without(&format!("{x}\n{x}\nb {{}}\n")), "b {}\n");
    assert_eq!(without(&format!("{x}{x}")), "");
}

#[test]
fn labels_by_the_thousand_are_listed_in_proportion() {
    let measure = |n: usize| {
        let labels: String = (0..n).map(|label| format!(" l{label}")).collect();
        let document = document(&format!("b{labels} {{}}\nb{labels} {{}}\n"));
        let start = Stopwatch::start();
        assert_eq!(document.list(None).unwrap().len(), 2);
        start.elapsed()
    };
    let quickest = |n: usize| (0..5).map(|_| measure(n)).min().unwrap();
    let (small, large) = (quickest(2_000), quickest(20_000));
    assert!(large < small * 40, "{small:?} {large:?}");
}

#[test]
fn a_document_can_begin_empty() {
    let mut document = Document::new("new.hcl");
    assert_eq!(document.text(), "");
    document.set(&address("a"), "1", Reach::One).unwrap();
    document.set(&address("longer"), "2", Reach::One).unwrap();
    document.append(None, "b {\n}\n").unwrap();
    document.append(None, "c {\n}\n").unwrap();
    document.set(&address("b.x"), "3", Reach::One).unwrap();
    document.format().unwrap();
    assert_eq!(document.text(), "a      = 1\nlonger = 2\n\nb {\n  x = 3\n}\n\nc {\n}\n");
    assert_eq!(document.name(), "new.hcl");
    assert_eq!(
        document.set(&address("x.y"), "1", Reach::One).unwrap_err().diagnostics()[0]
            .source
            .as_ref()
            .map(|s| s.name().to_owned()),
        None
    );
}
