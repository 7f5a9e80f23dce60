//! `hcl json` and `hcl vars` on folders, as a script sees it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn hcl(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hcl")).args(arguments).current_dir(folder).output().unwrap()
}

/// Standard output of a command that succeeds.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = hcl(folder, arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*told), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const FILES: [(&str, &str); 6] = [
    ("b.tf", "y = f(local.b)\n\n\nz {\n  s = \"a\\nb\"\n}\n"),
    ("a.hcl", "x = 1 + 1\n"),
    ("sub/c.tf.json", "{\"y\": \"${local.c}\"}"),
    ("sub/d.hcl", ""),
    ("sub/e.txt", "x ="),
    (".hidden/f.hcl", "x ="),
];

#[test]
fn files_of_a_folder_become_an_array_as_when_they_are_named() {
    let folder = folder(&FILES);
    let expected = r#"[
  {
    "x": 2
  },
  {
    "y": "${f(local.b)}",
    "z": [
      {
        "s": "a\nb"
      }
    ]
  },
  {}
]
"#;
    assert_eq!(printed(folder.path(), &["json", "."]), expected);
    assert_eq!(printed(folder.path(), &["json", "a.hcl", "b.tf", "sub/d.hcl"]), expected);
    assert_eq!(printed(folder.path(), &["json", "--from", "sub"]), "y = local.c\n");
    let both = printed(folder.path(), &["json", "--from", ".", "sub/c.tf.json"]);
    assert_eq!(both, "y = local.c\n\ny = local.c\n");
}

/// Much of a result waits in a file, whose folder may not be there.
#[test]
fn the_folder_of_a_file_that_can_not_be_made_is_named() {
    let large = format!("a = \"{}\"\n", "x".repeat(9 << 20));
    let folder = folder(&[("a.hcl", &large)]);
    let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(["json", "a.hcl"])
        .env("TMPDIR", "/not/there")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((&*stderr, output.stdout.len()), ("hcl: /not/there: there is no such file or folder\n", 0));
}

#[test]
fn names_of_a_folder_are_listed_in_the_order_of_its_files() {
    let folder = folder(&FILES);
    assert_eq!(printed(folder.path(), &["vars", "."]), "local.b\nlocal.c\nf()\n");
    assert_eq!(
        printed(folder.path(), &["vars", "sub", "var.x + 1", "b.tf"]),
        "local.c\nvar.x\nlocal.b\nf()\n"
    );
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let text = |n: usize| (0..=n).map(|line| format!("a{line} = f{n}(v{line})\n")).collect();
    let files: Vec<(String, String)> = (0..90).map(|n| (format!("{}/{n}.hcl", n % 7), text(n))).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let good = folder(&files);
    files.extend([("3/wrong.hcl", "a = \n"), ("5/wrong.hcl", "b = )\n"), ("a/b.hcl.json", "{\"a\": }")]);
    let bad = folder(&files);
    for verb in ["json", "vars"] {
        for (folder, status) in [(&good, 0), (&bad, 1)] {
            let outputs = ["1", "2", "16"].map(|jobs| {
                let output = hcl(folder.path(), &[verb, "--jobs", jobs, "."]);
                assert_eq!(output.status.code(), Some(status));
                (output.stdout, output.stderr)
            });
            assert!(outputs[0].0.len() + outputs[0].1.len() > 200);
            assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2], "{verb}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_reported_and_the_others_are_read() {
    let folder =
        folder(&[("a.hcl", "x = f(var.a)\n"), ("b.hcl", "y = var.b\n"), ("wrong.hcl", "z = var.c )\n")]);
    let files = ["a.hcl", "gone.hcl", "wrong.hcl", "b.hcl"];
    for verb in ["check", "fmt", "json", "vars"] {
        let output = hcl(folder.path(), &[&[verb], &files[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{verb}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("hcl: gone.hcl: "), "{verb}: {told}");
        // The form of Terraform alone has errors of its own.
        assert_eq!(told.contains("wrong.hcl:1"), verb != "fmt", "{verb}: {told}");

        let output = hcl(folder.path(), &[&[verb, "--diagnostics", "json"], &files[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{verb}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&told).is_ok(), "{verb}: {told}");
        assert!(
            told.contains("\"input.unreadable\"") && told.contains("gone.hcl: there is no such file"),
            "{verb}: {told}"
        );
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed, if verb == "vars" { "var.a\nvar.c\nvar.b\nf()\n" } else { "" }, "{verb}");
    }
    let output = hcl(folder.path(), &["json", "--evaluated", "--diagnostics", "json", "gone.hcl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("\"input.unreadable\""));
}

#[test]
fn flags_may_stand_behind_the_inputs_of_vars() {
    let folder = folder(&[("a.hcl", "x = f(var.a)\n")]);
    let json = "{\"variables\":[\"var.a\"],\"functions\":[\"f\"]}\n";
    for flags in [&["-j", "4"][..], &["-j4"], &["-j=4"], &["--jobs", "4"], &["--jobs=4"]] {
        assert_eq!(
            printed(folder.path(), &[&["vars", "a.hcl"], flags].concat()),
            "var.a\nf()\n",
            "{flags:?}"
        );
        assert_eq!(
            printed(folder.path(), &[&["vars", "a.hcl", "--json"], flags].concat()),
            json,
            "{flags:?}"
        );
        assert_eq!(
            printed(folder.path(), &[&["vars"], flags, &["--json", "a.hcl"]].concat()),
            json,
            "{flags:?}"
        );
    }
    assert_eq!(printed(folder.path(), &["vars", "a.hcl", "-x", "-jobs"]), "var.a\nx\njobs\nf()\n");
    assert_eq!(printed(folder.path(), &["vars", "a.hcl", "--", "-j", "-h"]), "var.a\nj\nh\nf()\n");
    for flags in [&["-j"][..], &["-j0"], &["--jobs"], &["--jbos", "4"]] {
        let output = hcl(folder.path(), &[&["vars", "a.hcl"], flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
    assert!(printed(folder.path(), &["vars", "a.hcl", "--help"]).contains("Usage:"));
}

#[test]
fn what_looks_like_a_path_is_no_expression() {
    let folder = folder(&[("sub/a.hcl", "x = var.a\n")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    let links: &[&str] = if cfg!(unix) { &["link"] } else { &[] };
    for input in
        [&["./sub/b", "../nowhere", "/nowhere", "sub/b", "sub/a.hlc", "main.tf.json"], links].concat()
    {
        let output = hcl(folder.path(), &["vars", input]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{input}: {told}");
        assert!(told.starts_with(&format!("hcl: {input}: ")) && told.lines().count() == 1, "{input}: {told}");
    }
    assert_eq!(
        printed(folder.path(), &["vars", "all/of", "sub / b", "local.json"]),
        "all\nof\nsub\nb\nlocal.json\n"
    );
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_reported_and_the_others_are_read() {
    use std::os::unix::fs::symlink;

    let folder =
        folder(&[("a.hcl", "x = f(var.a)\n"), ("b.hcl", "y = var.b\n"), ("sub/c.hcl", "z = var.c\n")]);
    for name in ["a2.hcl", "b.pkr.hcl", ".hidden.hcl", "sub/other.txt", "in.hcl.json"] {
        symlink("nowhere", folder.path().join(name)).unwrap();
    }
    symlink("loop.hcl", folder.path().join("loop.hcl")).unwrap();
    symlink("sub", folder.path().join("folder.hcl")).unwrap();
    for verb in ["check", "fmt", "json", "vars"] {
        let output = hcl(folder.path(), &[verb, "."]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{verb}: {told}");
        let at = |rest| format!("hcl: {}{rest}", if verb == "check" { "" } else { "./" });
        for (name, is_told) in [
            (at("a2.hcl: there is no such file"), true),
            ("b.pkr.hcl".to_owned(), true),
            (at("loop.hcl: "), true),
            (at("in.hcl.json: there is no such file"), verb == "check" || verb == "vars"),
            ("hidden".to_owned(), false),
            ("other.txt".to_owned(), false),
            ("folder.hcl".to_owned(), false),
        ] {
            assert_eq!(told.matches(&name).count() == 1, is_told, "{verb}, {name}: {told}");
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed, if verb == "vars" { "var.a\nvar.b\nvar.c\nf()\n" } else { "" }, "{verb}");
    }
    let told = String::from_utf8(hcl(folder.path(), &["json", "--from", "."]).stderr).unwrap();
    assert!(
        told.starts_with("hcl: ./in.hcl.json: there is no such file") && told.lines().count() == 1,
        "{told}"
    );
}

/// The system takes any bytes for a name; where they are not UTF-8 messages have a character in their place.
#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8_are_names_of_files() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = folder(&[]);
    let [file, wrong, module, gone] =
        [&b"a\xff.hcl"[..], b"wrong\xfe.hcl", b"module\xff", b"gone\xff"].map(OsStr::from_bytes);
    if fs::write(folder.path().join(file), "x=f(var.a)\n").is_err() {
        // There are file systems that take no such name.
        return;
    }
    fs::write(folder.path().join(wrong), "x = )\n").unwrap();
    fs::create_dir(folder.path().join(module)).unwrap();
    let text = "locals {\n  b = var.b + local.c\n}\n";
    fs::write(folder.path().join(module).join(OsStr::from_bytes(b"b\xff.tf")), text).unwrap();
    let asked = |arguments: &[&str], path: &OsStr| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
        let output = command.args(arguments).arg(path).current_dir(folder.path()).output().unwrap();
        let [out, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (out, told, output.status.code().unwrap())
    };
    let nothing = || String::new();
    assert_eq!(asked(&["vars"], file), ("var.a\nf()\n".to_owned(), nothing(), 0));
    assert_eq!(asked(&["check"], file), (nothing(), nothing(), 0));
    assert_eq!(
        asked(&["json", "--keep-expressions"], file),
        ("{\n  \"x\": \"${f(var.a)}\"\n}\n".to_owned(), nothing(), 0)
    );
    assert_eq!(asked(&["fmt"], file), ("a\u{fffd}.hcl\n".to_owned(), nothing(), 0));
    assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), "x = f(var.a)\n");
    for verb in ["vars", "check", "json"] {
        let (_, told, status) = asked(&[verb], wrong);
        assert!(
            told.contains("on wrong\u{fffd}.hcl line 1") || told.contains("wrong\u{fffd}.hcl:1"),
            "{verb}: {told}"
        );
        assert_eq!(status, 1, "{verb}");
    }
    for verb in ["vars", "check", "json", "fmt"] {
        let (out, told, status) = asked(&[verb], gone);
        assert!(told.starts_with("hcl: gone\u{fffd}: there is no such file"), "{verb}: {told}");
        assert_eq!((&*out, status), ("", 2), "{verb}");
    }
    assert_eq!(asked(&["vars"], module), ("var.b\nlocal.c\n".to_owned(), nothing(), 0));
    assert_eq!(asked(&["vars", "--module"], module), ("var.b\nlocal.c\n".to_owned(), nothing(), 0));
    let (_, told, status) = asked(&["check"], module);
    assert!(told.contains("module\u{fffd}/b\u{fffd}.tf:2"), "{told}");
    assert_eq!(status, 1);
}

/// Texts that would mean something else without their quotes keep them, and so do those with line breaks outside of brackets.
#[test]
fn texts_become_references_where_they_are_read_so() {
    let list = r#"["a.b", "a.b[0]", "5", "true", "null", "for", "a . b", "a\n.b", "a.b -\n1"]"#;
    let json = format!(
        r#"{{"resource": {{"a": {{"b": {{"depends_on": {list}}}}}}}, "variable": {{"x": {{"type": "list(\nstring)"}}, "y": {{"type": "list\n(string)"}}}}}}"#
    );
    let folder = folder(&[("main.tf.json", &json)]);
    assert_eq!(
        printed(folder.path(), &["json", "--from", "--dialect", "terraform", "main.tf.json"]),
        r#"resource "a" "b" {
  depends_on = [a.b, a.b[0], "5", "true", "null", "for", "a . b", "a\n.b", "a.b -\n1"]
}

variable "x" {
  type = list(
  string)
}

variable "y" {
  type = "list\n(string)"
}
"#
    );
}

#[test]
fn folders_without_files_are_told() {
    let folder = folder(&[("a.txt", "x")]);
    for arguments in [&["json", "."][..], &["json", "--from", "."], &["json", "--evaluated", "."]] {
        let output = hcl(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.contains(". is a folder") || told.contains(".: there are no files to convert"),
            "{told}"
        );
    }
    assert_eq!(printed(folder.path(), &["vars", "."]), "");
}

/// The standard error of a command, whether it succeeds or fails with a status.
fn told(folder: &Path, arguments: &[&str], status: i32) -> String {
    let output = hcl(folder, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
    told
}

#[test]
fn the_folder_at_hand_is_checked_where_nothing_is_named() {
    let broken = folder(&[("a.hcl", "x =\n"), ("good/main.tf", "locals {\n  a = 1\n}\n")]);
    let complaint = told(broken.path(), &["check"], 1);
    assert!(complaint.contains("a.hcl"), "{complaint}");
    // A module, and standard input, are all that is meant.
    assert_eq!(told(broken.path(), &["check", "--module", "good"], 0), "");
    assert_eq!(told(broken.path(), &["check", "good"], 0), "");
    assert_eq!(told(broken.path(), &["check", "-"], 0), "");
}

#[test]
fn folders_without_files_are_noted() {
    let empty = folder(&[("empty/notes.txt", "nothing"), ("full/main.tf", ""), ("full/sub/x.txt", "")]);
    let check = "note: there are no files that can be checked in empty\n";
    let module = "note: there are no files of Terraform in empty\n";
    assert_eq!(told(empty.path(), &["check", "empty"], 0), check);
    assert_eq!(told(empty.path(), &["check", "full", "empty"], 0), check);
    assert_eq!(told(empty.path(), &["check", "--module", "empty"], 0), module);
    assert_eq!(told(empty.path(), &["graph", "empty"], 0), module);
    let opentofu = ["graph", "empty", "--dialect", "opentofu"];
    assert_eq!(told(empty.path(), &opentofu, 0), module.replace("Terraform", "OpenTofu"));
    assert_eq!(told(empty.path(), &["check", "full"], 0), "");
    assert_eq!(told(empty.path(), &["graph", "full"], 0), "");
    let document = told(empty.path(), &["check", "--diagnostics", "json", "empty"], 0);
    assert!(!document.contains("note:"), "{document}");
}

#[test]
fn what_is_not_there_has_one_wording() {
    let here = folder(&[]);
    for arguments in [
        &["check", "nix"][..],
        &["check", "nix.hcl"],
        &["check", "--module", "nix"],
        &["eval", "--module", "nix", "1"],
        &["json", "nix"],
        &["fmt", "nix"],
        &["graph", "nix"],
        &["get", "a", "nix"],
    ] {
        let complaint = told(here.path(), arguments, 2);
        let name = if arguments.contains(&"nix.hcl") { "nix.hcl" } else { "nix" };
        assert_eq!(complaint, format!("hcl: {name}: there is no such file or folder\n"), "{arguments:?}");
    }
}

#[test]
fn a_folder_beside_its_module_is_left_out() {
    let here = folder(&[("main.tf", "a = 1\n")]);
    let complaint = told(here.path(), &["json", "--evaluated", "--module", ".", "."], 2);
    assert_eq!(complaint, "hcl: leave the folder . out: --module . evaluates the files in it\n");
}

const NETWORK: [(&str, &str); 2] = [
    (
        "main.tf",
        "variable \"zone\" {}\nvariable \"size\" {\n  default = 1\n}\n\
         module \"network\" {\n  source = \"./modules/network\"\n}\n",
    ),
    (
        "modules/network/main.tf",
        "locals {\n  names = [\"a\"]\n}\noutput \"n\" {\n  value = length(local.names)\n}\n",
    ),
];

#[test]
fn names_of_a_called_module_are_private_to_it() {
    let here = folder(&NETWORK);
    let note = "note: module.network.local.names is private to its module: hcl eval --module modules/network \
                local.names asks there\n";
    for arguments in [
        &["vars", "--module", ".", "module.network.local.names"][..],
        &["eval", "--module", ".", "--address", "module.network.local.names"],
        &["eval", "--module", ".", "module.network.local.names[0]"],
    ] {
        let complaint = told(here.path(), arguments, 1);
        assert!(complaint.ends_with(note), "{arguments:?}: {complaint}");
    }
    for address in ["module.network.local.nosuch", "module.network.nosuch", "module.network.name"] {
        let complaint = told(here.path(), &["eval", "--module", ".", address], 1);
        assert!(!complaint.contains("private"), "{address}: {complaint}");
    }
    assert_eq!(printed(here.path(), &["eval", "--module", "modules/network", "local.names[0]"]), "\"a\"\n");
}

#[test]
fn values_for_variables_that_are_nearly_there_name_them() {
    let here = folder(&[NETWORK[0], NETWORK[1], ("prod.tfvars", "siez = 2\nq = 1\n")]);
    let complaint = told(here.path(), &["eval", "--module", ".", "--var", "zoen=b", "1"], 1);
    assert!(complaint.contains("Did you mean \"zone\"?"), "{complaint}");
    let complaint = told(here.path(), &["eval", "--module", ".", "--var-file", "prod.tfvars", "1"], 0);
    assert!(complaint.contains("Did you mean \"size\"?"), "{complaint}");
    assert_eq!(complaint.matches("Did you mean").count(), 1, "{complaint}");
}

#[test]
fn a_variable_without_a_value_may_be_given_one_by_the_environment() {
    let here = folder(&NETWORK);
    let complaint = told(here.path(), &["eval", "--module", ".", "var.zone"], 0);
    let note = "note: not known because var.zone has no value: --var zone=VALUE gives one, or TF_VAR_zone";
    assert_eq!(complaint, format!("{note} with --allow env\n"));
    let complaint = told(here.path(), &["eval", "--module", ".", "--allow", "env", "var.zone"], 0);
    assert_eq!(complaint, format!("{note}\n"));
}
