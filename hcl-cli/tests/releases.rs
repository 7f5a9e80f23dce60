//! Releases of the products as dialects, and what is said of input that is wrong: title, place and advice.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::process::{Command, Output};

use serde_json::Value as Json;

/// Runs the command in a folder with the given files.
fn hcl(files: &[(&str, &str)], environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
    command.args(arguments).current_dir(folder.path()).envs(environment.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The value of an expression in a dialect, or what is wrong.
fn eval(dialect: &str, expression: &str) -> String {
    let output = hcl(&[], &[], &["eval", "--dialect", dialect, "--color", "never", expression]);
    match output.status.success() {
        true => text(&output.stdout),
        // Without the ends of lines, which come where the width is used up.
        false => text(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

#[test]
fn a_function_that_came_later_says_when() {
    let later = [
        ("terraform-1.11", "convert(1, string)", "Terraform 1.15"),
        ("terraform-1.14", "core::convert(1, string)", "Terraform 1.15"),
        ("opentofu-1.10", "ephemeralasnull(1)", "OpenTofu 1.11"),
        ("packer-1.11", "alltrue([true])", "Packer 1.12"),
        ("packer-1.12", "sum([1])", "Packer 1.13"),
        ("packer-1.15", "rfc3339_parse(\"x\")", "Packer 1.16"),
        ("nomad-1.2", "filebase64(\"x\")", "Nomad 1.3"),
        ("nomad-1.3", "strlen(\"x\")", "Nomad 1.4"),
    ];
    for (dialect, expression, since) in later {
        let said = eval(dialect, expression);
        assert!(
            said.starts_with("error: Call to unknown function") && said.contains(since),
            "{dialect}: {said}"
        );
        assert!(said.contains("Choose a later release"), "{dialect}: {said}");
    }
    let known = [
        ("terraform-1.15", "convert(1, string)", "\"1\"\n"),
        ("opentofu-1.11", "ephemeralasnull(1)", "1\n"),
        ("packer-1.12", "alltrue([true])", "true\n"),
        ("nomad-1.4", "strlen(\"x\")", "1\n"),
        // Not only which functions there are, but also what they do.
        ("terraform-1.11", "format(\"%v\", null)", "(known after apply)\n"),
        ("terraform-1.12", "format(\"%v\", null)", "\"null\"\n"),
        ("opentofu-1.9", "format(\"%v\", null)", "(known after apply)\n"),
        ("opentofu-1.10", "format(\"%v\", null)", "\"null\"\n"),
        ("opentofu-1.10", "element([1, 2, 3], -1)", "3\n"),
        ("opentofu-1.9", "can(element(tolist([1, 2, 3]), -1))", "false\n"),
        ("opentofu-1.10", "element(tolist([1, 2, 3]), -4)", "3\n"),
        ("terraform-1.11", "element(tolist([1, 2, 3]), -1)", "3\n"),
        ("opentofu-1.9", "jsondecode(\"{\\\"a\\\":1,\\\"a\\\":true}\").a", "true\n"),
        ("opentofu-1.10", "can(jsondecode(\"{\\\"a\\\":1,\\\"a\\\":true}\"))", "false\n"),
    ];
    for (dialect, expression, value) in known {
        assert_eq!(eval(dialect, expression), value, "{dialect}: {expression}");
    }
}

#[test]
fn a_dialect_that_is_not_there_names_those_that_are() {
    for verb in [&["eval", "1"][..], &["functions"], &["check", "."], &["graph"], &["json", "x.hcl"]] {
        let output = hcl(&[], &[], &[verb, &["--dialect", "terraform-9.9"]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{verb:?}: {said}");
        for known in ["terraform-9.9", "terraform-1.11", "opentofu-1.12", "packer-1.16", "nomad-2.0", "hcl"] {
            assert!(said.contains(known), "{verb:?}: {said}");
        }
    }
}

#[test]
fn functions_say_since_when_they_exist() {
    let page = |arguments: &[&str]| text(&hcl(&[], &[], &[&["functions"], arguments].concat()).stdout);
    assert!(page(&["convert"]).contains("Terraform (since 1.15)"), "{}", page(&["convert"]));
    assert!(page(&["strlen"]).contains("Nomad (since 1.4)"));
    assert!(page(&["alltrue"]).contains("Packer (since 1.12)"));
    let json: Json = serde_json::from_str(&page(&["--json", "convert"])).unwrap();
    let meanings = json["function_signatures"]["convert"]["meanings"].as_array().unwrap();
    assert!(meanings.iter().any(|meaning| meaning["since"]["terraform"] == "1.15"), "{json}");
    let refused = hcl(&[], &[], &["functions", "convert", "--dialect", "terraform-1.12"]);
    assert!(text(&refused.stderr).contains("it exists since Terraform 1.15"), "{}", text(&refused.stderr));
    let listed = page(&["--dialect", "packer-1.12"]);
    assert!(listed.contains("strcontains(") && !listed.contains("startswith("));
    assert!(listed.contains(" Since 1.12.\n") && listed.contains(" Since 1.5.\n"), "{listed}");
}

#[test]
fn templates_have_the_rules_of_their_release() {
    let optional = "variable \"a\" {\n  type    = object({ b = optional(string) })\n  default = {}\n}\n";
    let continues = "source \"null\" \"x\" {}\nbuild {\n  sources = [\"null.x\"]\n  provisioner \"shell\" {\n    \
                     continue_on_error = true\n  }\n}\n";
    let template = |dialect: &str, text: &str, expression: &str| {
        let arguments = ["eval", "--dialect", dialect, "--color", "never", "--module", ".", expression];
        hcl(&[("a.pkr.hcl", text)], &[], &arguments)
    };
    assert_eq!(text(&template("packer-1.14", "", "packer.version").stdout), "\"1.14.0\"\n");
    assert!(template("packer", optional, "var.a").status.success());
    let refused = text(&template("packer-1.15", optional, "var.a").stderr);
    assert!(
        refused.starts_with("error: Invalid type specification") && refused.contains("1.16"),
        "{refused}"
    );
    assert!(template("packer-1.16", continues, "1").status.success());
    let wanted = "packer {\n  required_version = \">= 1.14\"\n}\n";
    assert!(template("packer-1.14", wanted, "1").status.success());
    let refused = text(&template("packer-1.13", wanted, "1").stderr);
    assert!(refused.contains("Unsupported Packer Core version"), "{refused}");
    let registry = "hcp_packer_registry {\n  bucket_name = \"abc\"\n}\n";
    assert!(template("packer-1.13", registry, "1").status.success());
    assert!(text(&template("packer-1.12", registry, "1").stderr).contains("Unsupported block type"));
    let data = "data \"null\" \"x\" {\n  input = local.a\n}\nlocals {\n  a = 1\n}\n";
    assert!(template("packer-1.12", data, "local.a").status.success());
    assert!(text(&template("packer-1.11", data, "local.a").stderr).contains("Unsupported attribute"));
}

/// The first thing that is said: title, line (0 without a place), detail.
fn first(output: &Output) -> (String, u64, String) {
    let document: Json =
        serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let one = &document["diagnostics"][0];
    let word = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
    (word("summary"), one["range"]["start"]["line"].as_u64().unwrap_or(0), word("detail"))
}

#[test]
fn bad_jobs_have_title_place_and_advice() {
    let cases: [(&str, &[&str], &str, u64, &str); 9] = [
        ("job \"a\" {}\njob \"b\" {}\n", &[], "Duplicate job block", 2, "a file of its own"),
        ("locals {\n  a = 1\n}\n", &[], "Missing job block", 0, "Write one"),
        (
            "locals {\n  a = local.b\n  b = local.a\n}\njob \"a\" {}\n",
            &[],
            "Unsupported attribute",
            2,
            "Take one of the references out",
        ),
        (
            "variable \"a\" {\n  default = node.x\n}\njob \"a\" {}\n",
            &[],
            "Variables not allowed",
            2,
            "can't be used here",
        ),
        ("job \"a\" {}\n", &["--var-file", "bad.hcl"], "Invalid expression", 1, "an expression"),
        ("job \"a\" {}\n", &["--var-file", "more.hcl"], "Undefined variable", 1, "Declare it"),
        ("job \"a\" {}\n", &["--var", "b=1"], "Undefined -var variable", 0, "Declare it"),
        ("variable \"a\" {}\njob \"a\" {}\n", &[], "Unset variable \"a\"", 1, "NOMAD_VAR_a"),
        (
            "job \"a\" {\n  dynamic \"group\" {\n    for_each = node.list\n    labels = [\"g\"]\n    content {}\n  }\n}\n",
            &[],
            "Invalid dynamic for_each value",
            3,
            "string",
        ),
    ];
    for (job, arguments, title, line, advice) in cases {
        let files = [("job.nomad.hcl", job), ("bad.hcl", "a =\n"), ("more.hcl", "b = 1\n")];
        let fixed = ["json", "--evaluated", "--dialect", "nomad", "--diagnostics", "json", "job.nomad.hcl"];
        let output = hcl(&files, &[], &[&fixed[..], arguments].concat());
        let (found, at, detail) = first(&output);
        assert_eq!((found.as_str(), at, output.status.code()), (title, line, Some(1)), "{job}");
        assert!(detail.contains(advice), "{title}: {detail}");
    }
    // A value in the environment may be there for another job.
    let files = [("job.nomad.hcl", "job \"a\" {}\n")];
    let arguments = ["json", "--evaluated", "--dialect", "nomad", "job.nomad.hcl"];
    let output = hcl(&files, &[("NOMAD_VAR_other", "1")], &arguments);
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn bad_templates_have_title_place_and_advice() {
    let foreign = "variable \"a\" {\n  default = 1\n}\nvariable \"b\" {\n  default = 2\n  validation {\n    condition     = \
                   var.b > var.a\n    error_message = \"B is more than a.\"\n  }\n}\n";
    let cases: [(&str, &str, &str, u64, &str); 3] = [
        ("a.hcl", "", "Could not find any config file in .", 0, ".pkr.hcl"),
        ("a.pkr.hcl", "variable \"zone\" {}\n", "Unset variable \"zone\"", 1, "PKR_VAR_zone"),
        ("a.pkr.hcl", foreign, "Invalid reference in variable validation", 7, "var.b"),
    ];
    for (name, template, title, line, advice) in cases {
        let arguments = ["eval", "--dialect", "packer", "--diagnostics", "json", "--module", ".", "1"];
        let output = hcl(&[(name, template)], &[], &arguments);
        let (found, at, detail) = first(&output);
        assert_eq!((found.as_str(), at, output.status.code()), (title, line, Some(1)), "{template}");
        assert!(detail.contains(advice), "{title}: {detail}");
    }
}

#[test]
fn check_takes_templates_as_wholes() {
    let check = |files: &[(&str, &str)], arguments: &[&str]| {
        let output =
            hcl(files, &[("PKR_VAR_zone", "5")], &[&["check", "--diagnostics", "json"], arguments].concat());
        match output.stderr.is_empty() {
            true => None,
            false => Some(first(&output))
                .map(|(title, line, _)| (title, line))
                .filter(|(title, _)| !title.is_empty()),
        }
    };
    let variables = ("t/variables.pkr.hcl", "variable \"zone\" {\n  type = string\n}\n");
    let sources = |image: &str| {
        format!(
            "source \"docker\" \"web\" {{\n  image = {image}\n}}\nbuild {{\n  sources = [\"docker.web\"]\n}}\n"
        )
    };
    let (good, bad) = (sources("\"${var.zone}/x\""), sources("var.zoon"));
    let one = |title: &str, line| Some((title.to_owned(), line));
    // Values are for later, and so are files of values.
    let values = ("t/x.auto.pkrvars.hcl", "zone = 1 + nope\n");
    assert_eq!(check(&[variables, values, ("t/sources.pkr.hcl", &good)], &["t"]), None);
    let files = [variables, ("t/sources.pkr.hcl", bad.as_str())];
    assert_eq!(check(&files, &["t"]), one("Unsupported attribute", 2));
    assert_eq!(check(&files, &["."]), one("Unsupported attribute", 2));
    // Of a file that is named the problems in it are told; with the dialect it is a template by itself.
    assert_eq!(check(&files, &["t/sources.pkr.hcl"]), one("Unsupported attribute", 2));
    assert_eq!(check(&files, &["t/variables.pkr.hcl"]), None);
    let files = [variables, ("t/sources.pkr.hcl", good.as_str())];
    assert_eq!(check(&files, &["t/sources.pkr.hcl"]), None);
    assert_eq!(check(&files, &["--dialect", "packer", "t/sources.pkr.hcl"]), one("Unsupported attribute", 2));
    assert_eq!(check(&files, &["--dialect", "terraform", "t"]), None, "its files are files of the language");
    let json = ("t/b.pkr.json", "{\"build\": {\"sources\": [\"null.x\"]}}");
    assert_eq!(check(&[variables, json], &["t"]), one("Unknown source null.x", 1));
    assert_eq!(check(&[variables, json], &["t/b.pkr.json"]), one("Unknown source null.x", 1));
    let wrong = ("t/c.pkr.hcl", "locals {\n  a =\n}\n");
    assert_eq!(check(&[variables, wrong], &["t"]), one("Invalid expression", 2));
    // A release may not have it yet.
    let optional = ("t/o.pkr.hcl", "variable \"o\" {\n  type = object({ a = optional(string) })\n}\n");
    assert_eq!(check(&[optional], &["t"]), None);
    assert_eq!(check(&[optional], &["--dialect", "packer-1.14", "t"]), one("Invalid type specification", 2));
}

#[test]
fn modules_have_the_rules_of_their_release() {
    // Of a module in a dialect, the titles of what is wrong.
    let titles = |dialect: &str, module: &str| {
        let files = [("main.tf", module), ("m/main.tf", "")];
        let fixed = ["eval", "--diagnostics", "json", "--dialect", dialect, "--module", ".", "1"];
        let output = hcl(&files, &[], &fixed);
        match output.stderr.is_empty() {
            true => Vec::new(),
            false => {
                let document: Json = serde_json::from_slice(&output.stderr).unwrap();
                let all = document["diagnostics"].as_array().unwrap();
                all.iter().map(|one| one["summary"].as_str().unwrap_or_default().to_owned()).collect()
            }
        }
    };
    let required = "terraform {\n  required_providers {\n    terraform = { source = \"terraform.io/builtin/terraform\" }\n  }\n}\n";
    let encoding =
        format!("{required}locals {{\n  a = provider::terraform::encode_tfvars({{ b = 1 }})\n}}\n");
    let null = "variable \"a\" {\n  type    = object({ b = string })\n  default = null\n}\nlocals {\n  c = merge(var.a)\n}\n";
    let counted = "variable \"a\" {\n  default   = 1\n  ephemeral = true\n}\nmodule \"m\" {\n  source = \"./m\"\n  count  = var.a\n}\n";
    let surplus =
        "variable \"a\" {\n  type    = list(object({ b = number }))\n  default = [{ b = 1, c = 2 }]\n}\n";
    let cases: [(&str, &str, &[&str]); 20] = [
        ("opentofu-1.10", surplus, &[]),
        ("opentofu-1.11", surplus, &["Object attribute is ignored"]),
        ("terraform", surplus, &[]),
        // Ephemeral values came to OpenTofu with 1.11.
        (
            "opentofu-1.10",
            "variable \"a\" {\n  default = 1\n  ephemeral = true\n}\n",
            &["Unsupported argument"],
        ),
        ("opentofu-1.11", "variable \"a\" {\n  default = 1\n  ephemeral = true\n}\n", &[]),
        ("opentofu-1.9", "ephemeral \"a\" \"b\" {}\n", &["Unsupported block type"]),
        ("opentofu-1.10", "locals {\n  a = tofu.applying\n}\n", &["Invalid \"tofu\" attribute"]),
        ("opentofu-1.12", "locals {\n  a = tofu.applying\n}\n", &[]),
        ("opentofu-1.11", counted, &[]),
        ("opentofu-1.12", counted, &["Invalid count argument"]),
        ("opentofu-1.9", &encoding, &["Call to unknown function"]),
        ("opentofu-1.10", &encoding, &[]),
        ("terraform-1.11", &encoding, &[]),
        // The words for types are wrong references where there is no function that takes them.
        (
            "terraform-1.14",
            "locals {\n  a = convert(1, string)\n}\n",
            &["Invalid reference", "Call to unknown function"],
        ),
        ("terraform-1.15", "locals {\n  a = convert(1, string)\n}\n", &[]),
        ("terraform-1.14", "locals {\n  a = string\n}\n", &["Invalid reference"]),
        // Asked of Terraform 1.11.4, whose error is that of a crash.
        ("terraform-1.11", null, &["Error in function call"]),
        ("terraform", null, &["Error in function call"]),
        ("opentofu", null, &["Error in function call"]),
        ("terraform", "locals {\n  a = merge(null, tomap(null), { b = 1 })\n}\n", &[]),
    ];
    for (dialect, module, wanted) in cases {
        assert_eq!(titles(dialect, module), wanted, "{dialect}: {module}");
    }
}
