//! `hcl attr`, `hcl block` and `hcl body`, as a script sees them: filters, and files and folders that are changed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scene;

use std::fs;

use scene::Scene;

const TEXT: &str = "\
# The first.
resource \"foo\" \"bar\" {
  # of attr1
  attr1 = \"val1\" # one
  nested {
    attr2 = \"val2\"
  }
}

resource \"foo\" \"baz\" {
  attr1 = \"val3\"
}

resource \"x.y\" \"z\" {
  object = { key = 1 }
}
";

/// The output of a filter for a text; it must succeed in silence.
fn filter(arguments: &[&str], text: &str) -> String {
    let (status, stdout, stderr) = Scene::new("").run(arguments, text);
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

/// Status and complaint of a filter that prints nothing.
fn refusal(arguments: &[&str], text: &str) -> (i32, String) {
    let (status, stdout, stderr) = Scene::new("").run(arguments, text);
    assert_eq!(stdout, "", "{arguments:?}");
    (status, stderr.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn attributes_are_printed() {
    let get = |address: &str| filter(&["attr", "get", address], TEXT);
    assert_eq!(get("resource.foo.bar.nested.attr2"), "\"val2\"\n");
    assert_eq!(get("resource.foo.*.attr1"), "\"val1\"\n\"val3\"\n");
    assert_eq!(get(r"resource.x\.y.z.object.key"), "1\n");
    let commented = filter(&["attr", "get", "--with-comments", "resource.foo.bar.attr1"], TEXT);
    assert_eq!(commented, "# of attr1\n\"val1\" # one\n");
    let labels = "b1 {\n  a1 = v0\n}\nb1 \"l1\" {\n  a1 = v1\n}\nb1 \"l1\" \"l2\" {\n  a1 = v2\n}\n";
    assert_eq!(filter(&["attr", "get", "b1.l1.l2.a1"], labels), "v2\n");
    assert_eq!(filter(&["attr", "get", "b1.a1"], labels), "v0\n");
}

#[test]
fn attributes_are_changed() {
    let set = filter(&["attr", "set", "resource.foo.bar.attr1", "[1, \"x\"]"], TEXT);
    assert_eq!(set, TEXT.replace("\"val1\"", "[1, \"x\"]"));
    let set = filter(&["attr", "set", "resource.foo.*.attr1", "-1"], TEXT);
    assert_eq!(set, TEXT.replace("\"val1\"", "-1").replace("\"val3\"", "-1"));
    let rm = filter(&["attr", "rm", "resource.foo.bar.attr1"], TEXT);
    assert_eq!(rm, TEXT.replace("  # of attr1\n  attr1 = \"val1\" # one\n", ""));
    let append = ["attr", "append", "resource.foo.bar.nested.attr3", "\"val3\""];
    let appended = filter(&append, TEXT);
    assert_eq!(appended, TEXT.replace("= \"val2\"\n", "= \"val2\"\n    attr3 = \"val3\"\n"));
    let appended = filter(&[&append[..], &["--newline"]].concat(), TEXT);
    assert_eq!(appended, TEXT.replace("= \"val2\"\n", "= \"val2\"\n\n    attr3 = \"val3\"\n"));
    let appended = filter(&["attr", "append", r"resource.x\.y.z.object.new", "2"], TEXT);
    assert_eq!(appended, TEXT.replace("key = 1", "key = 1, new = 2"));
    assert_eq!(filter(&["attr", "append", "a", "1"], "b {\n}\n"), "a = 1\n\nb {\n}\n");
    let mv = filter(&["attr", "mv", "resource.foo.bar.attr1", "resource.foo.bar.renamed"], TEXT);
    assert_eq!(mv, TEXT.replace("attr1 = \"val1\"", "renamed = \"val1\""));
    let mv = filter(&["attr", "mv", "resource.foo.bar.attr1", "resource.foo.baz.attr2"], TEXT);
    let without = TEXT.replace("  # of attr1\n  attr1 = \"val1\" # one\n", "");
    let moved = "= \"val3\"\n  # of attr1\n  attr2 = \"val1\" # one\n";
    assert_eq!(mv, without.replace("= \"val3\"\n", moved));
    let replaced = filter(&["attr", "replace", "resource.foo.bar.attr1", "new", "null"], TEXT);
    assert_eq!(replaced, TEXT.replace("attr1 = \"val1\"", "new = null"));
}

#[test]
fn blocks_are_printed_and_changed() {
    assert_eq!(filter(&["block", "list"], TEXT), "resource.foo.bar\nresource.foo.baz\nresource.\"x.y\".z\n");
    assert_eq!(
        filter(&["block", "get", "resource.foo.bar.nested"], TEXT),
        "nested {\n  attr2 = \"val2\"\n}\n"
    );
    let first = TEXT.split("\n\n").next().unwrap();
    let body = "# of attr1\nattr1 = \"val1\" # one\nnested {\n  attr2 = \"val2\"\n}\n";
    assert_eq!(filter(&["body", "get", "resource.foo.bar"], TEXT), body);
    assert_eq!(filter(&["body", "get", "a"], "a {\n}\n"), "");
    assert_eq!(filter(&["block", "rm", "resource.foo.bar"], TEXT), TEXT.replace(&format!("{first}\n\n"), ""));
    let rest = "resource \"x.y\" \"z\" {\n  object = { key = 1 }\n}\n";
    assert_eq!(filter(&["block", "rm", "resource.foo.*"], TEXT), rest);
    let mv = filter(&["block", "mv", "resource.foo.bar", "resource.foo.qux"], TEXT);
    assert_eq!(mv, TEXT.replace("\"bar\"", "\"qux\""));
    let mv = filter(&["block", "mv", "resource.foo.*", "data.new.*"], TEXT);
    assert_eq!(mv, TEXT.replace("resource \"foo\"", "data \"new\""));
    let append = ["block", "append", "resource.foo.baz", "block1.label1"];
    let added = "\"val3\"\n  block1 \"label1\" {\n  }\n";
    assert_eq!(filter(&append, TEXT), TEXT.replace("\"val3\"\n", added));
    let with_line = filter(&[&append[..], &["--newline"]].concat(), TEXT);
    assert_eq!(with_line, TEXT.replace("\"val3\"\n", &added.replacen('\n', "\n\n", 1)));
    assert_eq!(filter(&["block", "new", r"a.b\.c"], TEXT), format!("{TEXT}a \"b.c\" {{\n}}\n"));
    assert_eq!(filter(&["block", "new", "a", "--newline"], TEXT), format!("{TEXT}\na {{\n}}\n"));
    assert_eq!(filter(&["block", "new", "a", "--newline"], ""), "a {\n}\n");
}

#[test]
fn what_is_not_there_leaves_the_text_alone() {
    for arguments in [
        &["attr", "set", "resource.foo.barr.attr1", "1"][..],
        &["attr", "append", "resource.foo.barr.attr1", "1"],
        &["attr", "rm", "resource.foo.barr.attr1"],
        &["attr", "mv", "resource.foo.barr.attr1", "x"],
        &["attr", "replace", "resource.foo.barr.attr1", "x", "1"],
        &["block", "rm", "resource.foo.barr"],
        &["block", "mv", "resource.foo.barr", "x"],
        &["block", "append", "resource.foo.barr", "x"],
    ] {
        let (status, stdout, stderr) = Scene::new("").run(arguments, TEXT);
        assert_eq!((status, stdout.as_str()), (0, TEXT), "{arguments:?}");
        assert!(stderr.contains("warning: Address not found") && stderr.contains("Did you mean"), "{stderr}");
    }
    for arguments in [&["attr", "get", "x.a"][..], &["block", "get", "x"], &["body", "get", "x"]] {
        let (status, stderr) = refusal(arguments, TEXT);
        assert!(status == 0 && stderr.contains("warning: Address not found"), "{stderr}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, said) in [
        (&["attr", "append", "resource.foo.bar.attr1", "1"][..], "Already there"),
        (&["attr", "set", "resource.foo.bar", "1"], "Not an attribute"),
        (&["attr", "rm", "resource.foo.bar"], "Not an attribute"),
        (&["attr", "get", "resource.foo.bar"], "Not an attribute"),
        (&["attr", "set", "resource.foo.bar.attr1", "1 2"], "Extra characters after expression"),
        (&["attr", "set", "a..b", "1"], "Invalid address"),
        (&["block", "rm", "resource.foo.bar.attr1"], "Not a block"),
        (&["block", "get", "resource.foo.bar.attr1"], "Not a block"),
        (&["block", "new", "a[0]"], "Invalid address"),
        (&["block", "append", "resource.foo.bar", "a.*"], "Invalid address"),
    ] {
        let (status, stderr) = refusal(arguments, TEXT);
        assert!(status == 1 && stderr.contains(said), "{arguments:?} {status} {stderr}");
    }
    assert_eq!(refusal(&["attr", "rm", "a", "--write"], TEXT).0, 2);
    assert_eq!(refusal(&["attr", "rm", "a", "absent.hcl"], TEXT).0, 2);
    assert_eq!(refusal(&["attr", "rm", "a"], "a = \n").0, 1);
    assert_eq!(refusal(&["attr"], "").0, 2);
}

#[test]
fn files_and_folders_are_changed_together_or_not_at_all() {
    let scene = Scene::new("a = 1 # one\n");
    let folder = scene.folder.path();
    fs::create_dir(folder.join("modules")).unwrap();
    let files = [("modules/a.tf", "a = 2\n"), ("modules/b.tf", "b = 1\n"), ("modules/c.md", "a = 3\n")];
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // Without --write one input is printed.
    assert_eq!(scene.run(&["attr", "set", "a", "5", "main.hcl"], "").1, "a = 5 # one\n");
    assert_eq!(scene.text(), "a = 1 # one\n");
    assert_eq!(scene.run(&["attr", "set", "a", "5", "."], "").0, 2);
    assert_eq!(scene.silently(&["attr", "set", "a", "5", "main.hcl", "modules", "--write"]), 0);
    assert_eq!(scene.text(), "a = 5 # one\n");
    assert_eq!((text("modules/a.tf"), text("modules/b.tf"), text("modules/c.md")), {
        ("a = 5\n".to_owned(), "b = 1\n".to_owned(), "a = 3\n".to_owned())
    });
    assert_eq!(scene.run(&["attr", "get", "*.a", "modules/a.tf"], "").0, 0);
    assert_eq!(scene.run(&["attr", "get", "a", "."], "").1, "5\n5\n");
    // One of the files can't be changed, so none is.
    fs::write(folder.join("modules/d.tf"), "a = \n").unwrap();
    let (status, _, stderr) = scene.run(&["attr", "set", "a", "6", ".", "--write"], "");
    assert!(status == 1 && stderr.contains("d.tf"), "{stderr}");
    assert_eq!(scene.text(), "a = 5 # one\n");
}
