//! Templates of Packer on the command line: `eval --module`, `json --evaluated`.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the command in a folder with the given files. Its status, standard output and standard error.
fn hcl(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("writable");
        fs::write(path, text).expect("writable");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(arguments)
        .current_dir(folder.path())
        .env("PKR_VAR_from_env", "set")
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// `hcl eval --dialect packer --module MODULE ARGUMENTS…`
fn eval(files: &[(&str, &str)], module: &str, arguments: &[&str]) -> (i32, String, String) {
    let fixed = ["eval", "--dialect", "packer", "--allow", "fs,env", "--color", "never", "--module", module];
    hcl(files, &[&fixed, arguments].concat())
}

#[test]
fn a_folder_is_evaluated() {
    let files = [
        (
            "t/b.pkr.hcl",
            "variable \"from_env\" {}\nlocals {\n  a = \"${var.from_env}/${path.root}/${file(\"x\")}\"\n}\n",
        ),
        ("t/a.pkr.json", "{\"locals\": {\"b\": \"${upper(local.a)}\"}}"),
        ("t/x", "inside"),
        ("x", "outside"),
    ];
    let (status, out, err) = eval(&files, "t", &["--json", "[local.b, file(\"x\"), filebase64(\"x\")]"]);
    assert_eq!((status, out.trim(), err.as_str()), (0, r#"["SET/T/INSIDE","inside","b3V0c2lkZQ=="]"#, ""));
}

#[test]
fn what_is_wrong_has_the_titles_of_the_product() {
    let other = "variable \"a\" {\n  default = 1\n}\nvariable \"b\" {\n  default = 2\n  validation {\n    condition     = var.b > var.a\n    error_message = \"B is more than a.\"\n  }\n}\n";
    let cases: [(&[(&str, &str)], &str); 5] = [
        (&[("main.hcl", "")], "Could not find any config file in ."),
        (&[("a.pkr.hcl", "variable \"zone\" {}\n")], "Unset variable \"zone\""),
        (&[("a.pkr.hcl", other)], "Invalid reference in variable validation"),
        (
            &[("a.pkr.hcl", "locals {\n  a = local.b\n  b = local.a\n}\n")],
            "failed to prepare execution graph",
        ),
        (&[("a.pkr.hcl", "build {\n  sources = [\"null.x\"]\n}\n")], "Unknown source null.x"),
    ];
    for (files, title) in cases {
        let (status, out, err) = eval(files, ".", &["path.root"]);
        assert_eq!((status, out.as_str()), (1, ""), "{title}");
        assert!(err.starts_with(&format!("error: {title} (")), "{title}: {err}");
    }
}

#[test]
fn what_is_not_there_is_an_error_and_no_wrong_usage() {
    let (status, _, err) = eval(&[], "nowhere", &["1"]);
    assert_eq!(status, 1);
    assert!(err.contains("Could not find any config file in nowhere"), "{err}");
    let (status, _, err) = eval(&[("a.pkr.hcl", "")], ".", &["--var-file", "v.pkrvars.hcl", "1"]);
    assert_eq!(status, 1);
    assert!(err.contains("Failed to read file"), "{err}");
}

#[test]
fn secrets_are_shown_only_as_data() {
    let text = "variable \"key\" {\n  sensitive = true\n  default   = \"hunter2\"\n}\nlocals {\n  url = \"https://me:${var.key}@host\"\n}\n";
    let files = [("a.pkr.hcl", text)];
    let (_, out, _) = eval(&files, ".", &["local.url"]);
    assert_eq!(out, "\"https://me:<sensitive>@host\"\n");
    let (_, out, _) = eval(&files, ".", &["--json", "local.url"]);
    assert_eq!(out, "\"https://me:hunter2@host\"\n");
    let (status, _, err) = eval(&files, ".", &["local.url + 1"]);
    assert_eq!(status, 1);
    assert!(err.contains("<sensitive>") && !err.contains("hunter2"), "{err}");
    let bad = format!("{text}locals {{\n  n = \"hunter2\" + 1\n}}\n");
    let (_, _, err) = eval(&[("a.pkr.hcl", &bad)], ".", &["1"]);
    assert!(err.contains("Invalid operand") && !err.contains("hunter2"), "{err}");
}

#[test]
fn a_wrong_value_of_a_secret_is_not_shown() {
    let declared = "variable \"s\" {\n  type      = string\n  default   = \"x\"\n  sensitive = true\n}\nvariable \"l\" {\n  type      = \
                    list(string)\n  default   = []\n  sensitive = true\n}\n";
    let wrong_default = declared.replace("\"x\"", "[\"geheim\"]");
    let cases: [(&str, &str, &[&str]); 7] = [
        (&wrong_default, "", &[]),
        (declared, "s = [\"geheim\"]\n", &["--var-file", "v.hcl"]),
        (declared, "s = \"geheim\" + 1\n", &["--var-file", "v.hcl"]),
        (declared, "s = geheim\n", &["--var-file", "v.hcl"]),
        (declared, "", &["--var", "l=geheim,x"]),
        (declared, "", &["--var", "l=[geheim]"]),
        (declared, "", &["--var", "l={geheim=1}"]),
    ];
    for (template, values, arguments) in cases {
        let files = [("a.pkr.hcl", template), ("v.hcl", values)];
        for form in [&[][..], &["--diagnostics", "json"]] {
            let (status, out, err) = eval(&files, ".", &[arguments, form, &["1"]].concat());
            assert_eq!((status, out.as_str()), (1, ""), "{values} {arguments:?}");
            assert!(!err.is_empty() && !err.contains("geheim"), "{err}");
        }
    }
    // Values that are no secrets are shown.
    let open = declared.replace("  sensitive = true\n", "");
    let (_, _, err) = eval(&[("a.pkr.hcl", &open)], ".", &["--var", "l=[geheim]", "1"]);
    assert!(err.contains("│ [geheim]"), "{err}");
}

#[test]
fn a_secret_that_needs_a_permission_tells_which() {
    let text = "variable \"key\" {\n  sensitive = true\n  default   = \"geheim${env(\"X\")}\"\n}\n";
    let (status, _, err) =
        hcl(&[("a.pkr.hcl", text)], &["eval", "--dialect", "packer", "--module", ".", "1"]);
    assert_eq!(status, 1);
    assert!(err.contains("--allow env") && !err.contains("geheim"), "{err}");
}

#[test]
fn the_twin_of_a_template_is_the_same_template() {
    let text = r#"variable "disk" {
  type        = object({ size = optional(number, 10) })
  default     = {}
  description = "a $${b}"
  validation {
    condition     = var.disk.size > 0
    error_message = "The size is above 0."
  }
}
variables {
  text = "$${x}%%{y}"
}
locals {
  all = [var.disk, var.text, "${packer.version}-${upper("a")}"]
}
source "null" "x" {
  size = var.disk.size
}
build {
  sources = ["null.x"]
}
"#;
    let (status, twin, err) = hcl(&[("a.pkr.hcl", text)], &["json", "--dialect", "packer", "a.pkr.hcl"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let (_, wanted, _) = eval(&[("a.pkr.hcl", text)], ".", &["--json", "local.all"]);
    let (status, found, err) = eval(&[("a.pkr.json", &twin)], ".", &["--json", "local.all"]);
    assert_eq!((status, err.as_str()), (0, ""), "{twin}");
    assert_eq!(found, wanted);
    assert_eq!(found, "[{\"size\":10},\"${x}%{y}\",\"1.16.0-A\"]\n");
}

#[test]
fn data_sources_have_the_values_that_are_given() {
    let text = "data \"http\" \"motd\" {}\nlocals {\n  motd = upper(data.http.motd.body)\n}\n";
    let files = [("a.pkr.hcl", text)];
    let given = |value| eval(&files, ".", &["--json", "--value", value, "local.motd"]);
    let (status, out, err) = given("data.http.motd={ body = \"hello\" }");
    assert_eq!((status, out.trim(), err.as_str()), (0, "\"HELLO\"", ""));
    for (value, title) in [
        ("data.http.mod={}", "Reference to undeclared resource"),
        ("http.motd={}", "Invalid address"),
        ("data.http.motd[0]={}", "Invalid address"),
    ] {
        let (status, _, err) = given(value);
        assert!(status == 1 && err.contains(title), "{value}: {err}");
    }
    assert!(given("data.http.mod={}").2.contains("Did you mean data.http.motd?"));
    let (status, ..) = hcl(
        &[("a.nomad", "job \"a\" {}\n")],
        &["eval", "--dialect", "nomad", "--module", "a.nomad", "--value", "a.b=1", "1"],
    );
    assert_eq!(status, 2);
}

#[test]
fn builds_are_data() {
    let text = "data \"http\" \"x\" {}\nsource \"null\" \"x\" {\n  a = upper(\"b\")\n  c = data.http.x.body\n}\nbuild {\n  sources = [\"null.x\"]\n}\n";
    let files = [("a.pkr.hcl", text)];
    let fixed = ["json", "--evaluated", "--dialect", "packer", "--color", "never", "--module", ".", "."];
    let (status, out, err) = hcl(&files, &fixed);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("builds[0].sources[0].body.attributes.c"), "{err}");
    let (status, out, err) = hcl(&files, &[&fixed[..], &["--partial"]].concat());
    assert_eq!((status, err.as_str()), (0, ""));
    let body = r#""body":{"attributes":{"a":"B","c":{"$unknown":"any"}}}"#;
    assert!(out.contains(body) && out.ends_with("\"sources\":[[\"null\",\"x\"]]}\n"), "{out}");
}
