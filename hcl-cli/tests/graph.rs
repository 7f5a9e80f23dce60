//! `hcl graph`: what refers to what in a module.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

const FILES: [(&str, &str); 3] = [
    (
        "main.tf",
        r#"variable "region" {
  validation {
    condition     = contains(local.known, var.region)
    error_message = "No."
  }
}

locals {
  known = ["eu", "us"]
  name  = try("web-${var.region}", local.known[0])
  ids   = terraform_data.disk[*].id
}

module "net" {
  source   = "./net"
  for_each = toset(local.known)
  zone     = "${each.key}-${local.name}"
}

resource "terraform_data" "disk" {
  count = length(local.known)
  input = module.net["us"].name

  provisioner "local-exec" {
    command = "echo ${var.region} ${self.id}"
  }
}

output "all" {
  value = [for net in module.net : net.name]
}

output "one" {
  value      = module.net["eu"].name
  depends_on = [terraform_data.disk]
}
"#,
    ),
    ("net/main.tf", "variable \"zone\" {}\nlocals {\n  upper = upper(var.zone)\n}\n"),
    ("net/outputs.tf.json", r#"{ "output": { "name": { "value": "${local.upper}" } } }"#),
];

fn graph(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
    command.arg("graph").args(arguments).current_dir(folder.path()).output().unwrap()
}

fn shown(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = graph(files, arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn text_has_references_below_declarations() {
    let wanted = "\
var.region
  local.known
local.known
local.name
  var.region
  local.known
local.ids
  terraform_data.disk
output.all
  module.net
output.one
  module.net.output.name
  terraform_data.disk
module.net
  local.known
  module.net.output.name
terraform_data.disk
  local.known
  var.region
  module.net.output.name
module.net.var.zone
  local.name
module.net.local.upper
  module.net.var.zone
module.net.output.name
  module.net.local.upper
";
    assert_eq!(shown(&FILES, &["--text"]), wanted);
}

#[test]
fn dot_has_a_cluster_for_each_module() {
    let text = shown(&FILES, &[]);
    assert!(text.starts_with("digraph {\n") && text.ends_with("}\n"), "{text}");
    for line in [
        "  subgraph \"cluster module.net\" {\n  label = \"module.net\"\n  \"module.net.var.zone\" [label = \"var.zone\"",
        "  \"local.name\" -> \"var.region\"\n",
        "  \"module.net.var.zone\" -> \"local.name\"\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let count = |what: char| text.chars().filter(|&one| one == what).count();
    assert_eq!(count('{'), count('}'));
}

#[test]
fn json_has_places_and_edges() {
    let document: Value = serde_json::from_str(&shown(&FILES, &["--json"])).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let zone = nodes.iter().find(|node| node["address"] == "module.net.output.name").unwrap();
    assert_eq!(zone["kind"], "output");
    assert_eq!(zone["module"], "module.net");
    assert_eq!(zone["file"].as_str().unwrap().replace('\\', "/"), "net/outputs.tf.json");
    assert_eq!(zone["line"], 1);
    let edge = serde_json::json!({ "from": "output.one", "to": "module.net.output.name" });
    assert!(document["edges"].as_array().unwrap().contains(&edge), "{document}");
}

#[test]
fn what_could_be_read_is_shown_beside_the_errors() {
    let output = graph(
        &[
            ("main.tf", "locals {\n  a = local.b\n}\nlocals {\n  b = local.a\n}\n"),
            ("x.tf", "locals {\n  a = 1\n}\n"),
        ],
        &["--text"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Duplicate local value definition"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "local.a\nlocal.b\n  local.a\n", "the last counts");
}

#[test]
fn a_folder_that_is_not_there_and_products_without_modules_are_wrong_usage() {
    for arguments in [&["nowhere"][..], &["--dialect", "nomad"]] {
        let output = graph(&FILES, arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
    }
}

#[test]
fn sources_of_opentofu_may_depend_on_values() {
    let main = ("main.tofu", "variable \"kind\" {}\nmodule \"m\" {\n  source = \"./${var.kind}\"\n}\n");
    let child = ("small/main.tf", "output \"o\" {\n  value = 1\n}\n");
    let text = shown(&[main, child], &["--text", "--dialect", "opentofu", "--var", "kind=small"]);
    assert_eq!(text, "var.kind\nmodule.m\n  module.m.output.o\nmodule.m.output.o\n");
}

#[test]
fn chains_may_be_long() {
    let mut text = String::from("locals {\n  a0 = 1\n");
    for number in 1..10_000 {
        text.push_str(&format!("  a{number} = local.a{}\n", number - 1));
    }
    text.push_str("}\n");
    for form in ["--text", "--json"] {
        assert!(shown(&[("main.tf", &text)], &[form]).len() > 100_000);
    }
}
