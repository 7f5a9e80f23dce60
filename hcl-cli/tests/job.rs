//! Jobs of Nomad: `hcl json --evaluated`, `hcl check`, and `--module` with the dialect of Nomad.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::process::{Command, Output};

use serde_json::Value as Json;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn hcl(folder: &TempDir, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
    command.args(arguments).current_dir(folder.path()).envs(environment.iter().copied());
    command.output().unwrap()
}

const EVALUATED: [&str; 7] =
    ["json", "--evaluated", "--dialect", "nomad", "--diagnostics", "json", "job.nomad.hcl"];

/// Titles with the lines they are at, 0 for no place.
fn problems(output: &Output) -> Vec<(String, u64)> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let document: Json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let list = document["diagnostics"].as_array().cloned().unwrap_or_default();
    let told = |one: &Json| {
        let title = one["summary"].as_str().unwrap().to_owned();
        (title, one["range"]["start"]["line"].as_u64().unwrap_or(0))
    };
    list.iter().map(told).collect()
}

/// The result of a job with further arguments.
fn evaluated(text: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Json {
    let folder = folder(&[("job.nomad.hcl", text), ("a.hcl", "x = \"file\"\n")]);
    let output = hcl(&folder, &[&EVALUATED[..], arguments].concat(), environment);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(text: &str, arguments: &[&str]) -> Vec<(String, u64)> {
    let folder = folder(&[("job.nomad.hcl", text), ("a.hcl", "x = \"file\"\n"), ("bad.hcl", "x = \n")]);
    let output = hcl(&folder, &[&EVALUATED[..], arguments].concat(), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty());
    problems(&output)
}

fn one(title: &str, line: u64) -> Vec<(String, u64)> {
    vec![(title.to_owned(), line)]
}

#[test]
fn everything_in_a_job_is_a_value() {
    let text = r#"variable "names" {
  default = ["a", "b"]
}
locals {
  later = upper(local.first)
  first = node.class
}
job "web" {
  meta {
    class = local.later
    brace = "{ ${node.x} }"
  }
  dynamic "group" {
    for_each = var.names
    labels   = ["g-${group.value}"]
    content {
      count = group.key + 1
      task "t" {
        config {
          args = [for n in var.names : "${n}-${NOMAD_DC}"]
          dynamic "x" {
            for_each = [1]
            content {}
          }
        }
      }
    }
  }
}
"#;
    let json = evaluated(text, &[], &[]);
    let job = &json["job"]["web"][0];
    assert_eq!(job["meta"][0]["class"], "$${NODE.CLASS}");
    assert_eq!(job["meta"][0]["brace"], "{ $${node.x} }");
    assert_eq!(job["group"]["g-b"][0]["count"], 2);
    let config = &job["group"]["g-a"][0]["task"]["t"][0]["config"][0];
    assert_eq!(config["args"], serde_json::json!(["a-$${NOMAD_DC}", "b-$${NOMAD_DC}"]));
    assert_eq!(config["dynamic"]["x"][0]["for_each"], serde_json::json!([1]));
    assert!(json.get("variable").is_none() && json.get("locals").is_none());
}

const VARIABLE: &str = "variable \"x\" {\n  type = string\n}\njob \"j\" {\n  region = var.x\n}\n";

#[test]
fn values_come_from_the_environment_files_and_arguments() {
    let region = |arguments: &[&str], environment: &[(&str, &str)]| {
        evaluated(VARIABLE, arguments, environment)["job"]["j"][0]["region"].clone()
    };
    let environment = [("NOMAD_VAR_x", "env"), ("NOMAD_VAR_other", "1")];
    assert_eq!(region(&[], &environment), "env");
    assert_eq!(region(&["--var-file", "a.hcl"], &environment), "file");
    assert_eq!(region(&["--var", "x=\"q\"", "--var-file", "a.hcl"], &environment), "\"q\"");
    assert_eq!(region(&["--var", "x=one", "--var", "x=two", "--var", "x"], &[]), "two");
    assert_eq!(region(&["--lax", "--var", "y=1", "--var", "x="], &[]), "");
    assert_eq!(refused(VARIABLE, &[]), one("Unset variable \"x\"", 1));
    assert_eq!(refused(VARIABLE, &["--var", "x=1", "--var", "y=1"]), one("Undefined -var variable", 0));
    assert_eq!(refused(VARIABLE, &["--var", "x=1", "--var-file", "bad.hcl"]), one("Invalid expression", 1));
    let bool = VARIABLE.replace("string", "bool");
    assert_eq!(evaluated(&bool, &["--var", "x=1 == 1"], &[])["job"]["j"][0]["region"], true);
    assert_eq!(refused(&bool, &["--var", "x=yes"]), one("Variables not allowed", 1));
    assert_eq!(refused(&bool, &["--var", "x=5"]), one("Invalid argument value for -var variable", 1));
    let null = "variable \"x\" {\n  default = null\n}\njob \"j\" {\n  region = var.x\n}\n";
    assert_eq!(evaluated(null, &["--var", "x=\"a\""], &[])["job"]["j"][0]["region"], "a");
    assert_eq!(refused(null, &["--var", "x=a"]), one("Variables not allowed", 1));
}

#[test]
fn a_value_without_an_equals_sign_is_passed_over_with_a_warning() {
    let folder =
        folder(&[("job.nomad.hcl", "variable \"x\" {\n  default = 1\n}\njob \"a\" {\n  b = var.x\n}\n")]);
    let output = hcl(&folder, &[&EVALUATED[..], &["--var", "x"]].concat(), &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(problems(&output), one("Ignored -var option", 0));
}

#[test]
fn a_value_that_is_refused_is_told_with_its_rule() {
    let text = "variable \"x\" {\n  default = 1\n  validation {\n    condition     = var.x < 3\n    \
                error_message = \"Too much.\"\n  }\n}\njob \"a\" {}\n";
    assert_eq!(refused(text, &["--var", "x=5"]), one("Invalid value for cmd variable", 0));
    let folder = folder(&[("job.nomad.hcl", text)]);
    let output = hcl(&folder, &[&EVALUATED[..], &["--var", "x=5"]].concat(), &[]);
    let told: Json = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(
        told["diagnostics"][0]["detail"],
        "Too much.\nThe condition of var.x at job.nomad.hcl:4,21-30 does not hold."
    );
}

#[test]
fn the_head_is_looked_at_before_the_job() {
    let job = "job \"j\" {\n  region = nope()\n}\n";
    let cases = [
        ("variable \"x\" {\n  type = any\n}\n", one("Invalid type specification", 2)),
        ("variable \"x\" {\n  default = node.x\n}\n", one("Variables not allowed", 2)),
        ("variable \"x\" {\n  default = 1\n  nullable = true\n}\n", one("Unsupported argument", 3)),
        ("variables {\n  x = 1\n}\nvariable \"x\" {\n  default = 1\n}\n", one("Duplicate variable", 4)),
        ("other {}\n", one("Unsupported block type", 1)),
        ("locals {\n  a = local.b\n  b = local.a\n}\n", one("Unsupported attribute", 2)),
        (
            "variable \"x\" {\n  default = 1\n  validation {\n    condition     = var.x > 2\n    error_message = \"m\"\n  }\n}\n",
            one("Invalid value for default variable", 2),
        ),
        (
            "variable \"x\" {\n  default = 1\n  validation {\n    condition     = var.x > var.y\n    error_message = \"m\"\n  }\n}\n",
            one("Invalid reference in variable validation", 4),
        ),
    ];
    for (head, wanted) in cases {
        assert_eq!(refused(&(head.to_owned() + job), &[]), wanted, "{head}");
    }
    assert_eq!(refused("", &[]), one("Missing job block", 0));
    assert_eq!(refused("job \"a\" {}\njob \"b\" {}\n", &[]), one("Duplicate job block", 2));
}

#[test]
fn all_that_is_wrong_with_a_job_is_told() {
    let text = "job \"j\" {\n  a = nope()\n  dynamic \"group\" {\n    for_each = node.list\n    labels = [\"x\"]\n    \
                content {}\n  }\n  meta {\n    b = node.x + 1\n  }\n}\n";
    let found = refused(text, &[]);
    let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
    for wanted in ["Call to unknown function", "Invalid dynamic for_each value", "Invalid operand"] {
        assert!(titles.contains(&wanted), "{found:?}");
    }
}

#[test]
fn locals_go_on_where_try_has_an_answer() {
    let text = "locals {\n  a = try(local.b, \"d\")\n  b = local.a\n  c = [local.b, keys(local)]\n  e = 1\n}\nlocals {\n  e = 2\n}\n\
                job \"j\" {\n  x = [local.a, local.b, local.c[0], local.e]\n}\n";
    assert_eq!(evaluated(text, &[], &[])["job"]["j"][0]["x"], serde_json::json!(["d", "d", "d", 2]));
}

#[test]
fn json_syntax_has_blocks_where_a_job_has_them() {
    let text = r#" {"variable": {"n": {"type": "number", "default": 2}}, "locals": {"t": "${var.n}-${node.x}"},
      "job": {"j": {"meta": {"a": "${local.t}"},
        "dynamic": {"group": {"for_each": ["a"], "labels": ["${group.value}"], "content": {"count": "${var.n}"}}}}}}"#;
    let job = evaluated(text, &[], &[])["job"]["j"][0].clone();
    assert_eq!(job["meta"][0]["a"], "2-$${node.x}");
    assert_eq!(job["group"]["a"][0]["count"], 2);
}

/// A job whose references to the node have blanks and strip markers around and inside.
const JOB_WITH_REFERENCES: &str = r#"variable "ports" {
  type        = map(list(number))
  default     = { "$${a}" = [1] }
  description = "a %%{b}"

  validation {
    condition     = length(var.ports) > 0
    error_message = "No $${port}."
  }
}
variables {
  literal = "$${x}"
}
locals {
  node = upper("${node.class}-${var.literal}")
}
job "j" {
  meta {
    plain  = node.x
    braces = "{ ${node.x} }"
    text   = "{{ key }} $${y} ${local.node}"
    ports  = join(",", keys(var.ports))
    blanks = "${ node.x }"
    behind = "${node.x  }-${ node.y	}-${	node.z }"
    marked = " ${~ node.x ~} ${ node.y ~} ${~ node.z }"
    noted  = "${ node.x /* x */ } ${ /* y */ node.y }"
    equal  = "${ node.x == "$${ node.x}" } ${ (node.x) } ${ [node.x][0] }"
    inner  = node . x
    closed = "${ node.x~}  - ${node.y~}  "
    many   = <<-EOT
      ${ node.x~}
        a
      ${node.y }
    EOT
  }
  dynamic "group" {
    for_each = { a = 1 }
    iterator = it
    labels   = [it.key]
    content {
      count = it.value
    }
  }
}
"#;

#[test]
fn the_twin_of_a_job_is_the_same_job() {
    let native = folder(&[("job.nomad.hcl", JOB_WITH_REFERENCES)]);
    let twin = hcl(&native, &["json", "--dialect", "nomad", "job.nomad.hcl"], &[]);
    let twin = String::from_utf8(twin.stdout).unwrap();
    let evaluate = ["json", "--evaluated", "--dialect", "nomad"];
    let wanted = hcl(&native, &[&evaluate[..], &["job.nomad.hcl"]].concat(), &[]);
    let json = folder(&[("job.nomad.json", &twin)]);
    let found = hcl(&json, &[&evaluate[..], &["job.nomad.json"]].concat(), &[]);
    assert!(wanted.status.success() && !wanted.stdout.is_empty());
    assert_eq!(String::from_utf8_lossy(&found.stderr), "", "{twin}");
    assert_eq!(String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&wanted.stdout));

    let back = hcl(&json, &["json", "--from", "--dialect", "nomad", "job.nomad.json"], &[]);
    let back = String::from_utf8(back.stdout).unwrap();
    assert!(back.contains("    plain  = node.x\n    braces = \"{ ${node.x} }\"\n"), "{back}");
    assert!(back.contains("    blanks = \"${ node.x }\"\n"), "{back}");
    let returned = folder(&[("job.nomad.hcl", &back)]);
    let found = hcl(&returned, &[&evaluate[..], &["job.nomad.hcl"]].concat(), &[]);
    assert_eq!(String::from_utf8_lossy(&found.stderr), "", "{back}");
    assert_eq!(String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&wanted.stdout), "{back}");
}

#[test]
fn check_knows_what_a_job_is() {
    let check = |name: &str, text: &str, arguments: &[&str]| {
        let folder = folder(&[(name, text)]);
        problems(&hcl(&folder, &[&["check", "--diagnostics", "json", name], arguments].concat(), &[]))
    };
    assert_eq!(check("a.nomad.hcl", VARIABLE, &[]), [], "values are for later");
    assert_eq!(check("a.nomad", "job \"a\" {}\njob \"b\" {}\n", &[]), one("Duplicate job block", 2));
    assert_eq!(check("a.hcl", "x = nope()\n", &[]), []);
    assert_eq!(check("a.hcl", "x = nope()\n", &["--dialect", "nomad"]), one("Unsupported argument", 1));
    let inside = |lines: &str| check("a.nomad.hcl", &format!("job \"a\" {{\n{lines}\n}}\n"), &[]);
    assert_eq!(inside("meta {\n}\nmeta = {\n}"), one("Duplicate meta block", 4));
    assert_eq!(inside("meta = {\na = null\n}"), one("Unsuitable value type", 2));
    assert_eq!(inside("priority = node.cpu"), one("Unsuitable value type", 2));
    assert_eq!(inside("priority = \"70\"\nupdate {\nstagger = \"1h30m\"\n}"), []);
    assert_eq!(inside("update {\nstagger = \"soon\"\n}"), one("Unsuitable value type", 3));
    assert_eq!(inside("update {\nstagger = node.x\n}"), one("Unsuitable value type", 3));
    assert_eq!(inside("group \"g\" {\ntask \"t\" {\nconfig {\nmeta = [null]\n}\n}\n}"), []);
    // Nothing is said of blocks that are not known.
    assert_eq!(inside("other {\nupdate {\nstagger = \"soon\"\n}\n}"), []);
    assert_eq!(check("a.nomad.hcl", include_str!("everything.nomad.hcl"), &[]), []);
}

#[test]
fn expressions_and_templates_have_the_references_of_the_dialect() {
    let folder = folder(&[
        ("job.nomad.hcl", "variables {\n  zone = \"a\"\n}\n"),
        ("t", "${var.zone} ${ node.x } }\n"),
    ]);
    let arguments = ["--dialect", "nomad", "--module", "job.nomad.hcl"];
    let printed = |verb: &[&str]| {
        let output = hcl(&folder, verb, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(printed(&[&["template"], &arguments[..], &["t"]].concat()), "a ${ node.x } }\n");
    assert_eq!(
        printed(&[&["eval", "--json"], &arguments[..], &["[upper(node.x), var.zone]"]].concat()),
        "[\"${NODE.X}\",\"a\"]\n"
    );
    assert_eq!(printed(&["eval", "--dialect", "nomad", "--raw", "node.x"]), "${node.x}");
    let output = hcl(&folder, &["eval", "--dialect", "nomad", "var.x"], &[]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("Unsupported attribute"));
}

#[test]
fn other_dialects_evaluate_everything_or_say_why_not() {
    let folder = folder(&[
        (
            "main.tf",
            "variable \"n\" {}\nlocals {\n  a = var.n\n}\nresource \"x\" \"y\" {\n  b = local.a\n  dynamic \"z\" {\n    for_each = [1, 2]\n    content {\n      c = z.value\n    }\n  }\n}\n",
        ),
        ("plain.hcl", "a = 2 * 3\nb {\n  c = [for x in [1] : \"v${x}\"]\n}\n"),
        ("plain.json", r#"{"a": "${upper(\"x\")}"}"#),
        ("wrong.hcl", "a = nowhere\nb = 1 + \"x\"\n"),
    ]);
    let run = |arguments: &[&str]| hcl(&folder, &[&["json", "--evaluated"], arguments].concat(), &[]);
    let json = |output: Output| -> Json { serde_json::from_slice(&output.stdout).unwrap() };
    assert_eq!(json(run(&["plain.hcl"])), serde_json::json!({"a": 6, "b": [{"c": ["v1"]}]}));
    assert_eq!(json(run(&["plain.json"])), serde_json::json!({"a": "X"}));
    let wrong = run(&["--diagnostics", "json", "wrong.hcl"]);
    assert_eq!((wrong.status.code(), problems(&wrong).len()), (Some(1), 2));
    let module = json(run(&["--module", "main.tf", "--var", "n=7", "main.tf"]));
    assert_eq!(module["resource"]["x"]["y"][0]["b"], "7");
    assert_eq!(module["resource"]["x"]["y"][0]["z"][1]["c"], 2);
}

#[test]
fn blocks_made_of_few_elements_are_bounded() {
    let n_levels = 25;
    let opening = |level: usize| format!("dynamic \"b{level}\" {{\nfor_each = [1, 2]\ncontent {{\n");
    let text = format!(
        "job \"a\" {{\n{}v = 1\n{}}}\n",
        (0..n_levels).map(opening).collect::<String>(),
        "}\n}\n".repeat(n_levels),
    );
    // The innermost block is the first that there is no room for: what is inside is made before what follows.
    let folder = folder(&[("job.nomad.hcl", &text)]);
    let output = hcl(&folder, &EVALUATED, &[]);
    assert_eq!(output.status.code(), Some(3), "a limit was reached");
    assert_eq!(problems(&output), one("Too much memory", 3 * n_levels as u64));
}

#[test]
fn secrets_stand_in_jobs_groups_and_tasks() {
    let secret =
        r#""secret": {"s": {"provider": "vault", "config": {"engine": "${node.x}", "dynamic": {"a": 1}}}}"#;
    let text = format!(
        r#"{{"job": {{"a": {{{secret}, "group": {{"g": {{{secret}, "task": {{"t": {{{secret}}}}}}}}}}}}}}}"#
    );
    let folder = folder(&[("job.json", &text)]);
    let output = hcl(&folder, &["json", "--evaluated", "--dialect", "nomad", "job.json"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let job: Json = serde_json::from_slice(&output.stdout).unwrap();
    let job = &job["job"]["a"][0];
    let group = &job["group"]["g"][0];
    for owner in [job, group, &group["task"]["t"][0]] {
        let config = &owner["secret"]["s"][0]["config"][0];
        assert_eq!(*config, serde_json::json!({"engine": "$${node.x}", "dynamic": {"a": 1}}), "{owner}");
    }
}
