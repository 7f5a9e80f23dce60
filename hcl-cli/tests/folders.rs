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
