//! `--module`: what the blocks of a configuration mean, and what is wrong with them, as each product has it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::process::{Command, Output};

use serde_json::Value;

/// Evaluates inside a module of one file, in a folder of its own.
fn hcl(name: &str, text: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    // Packer knows its files by other endings.
    let of_packer = name.replacen(".tf", ".pkr", 1);
    let of_packer = if of_packer.ends_with(".pkr") { of_packer + ".hcl" } else { of_packer };
    let name = if arguments.contains(&"packer") { of_packer.as_str() } else { name };
    std::fs::write(folder.path().join(name), text).unwrap();
    Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(["eval", "--module", name])
        .args(arguments)
        .current_dir(folder.path())
        .env("HCL_TEST_ZONE", "b")
        .output()
        .unwrap()
}

/// The value of an expression, on one line.
fn shown(text: &str, arguments: &[&str]) -> String {
    let output = hcl("main.tf", text, arguments);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}\n{complaints}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The complaints about a file: place and title.
fn complaints_about(name: &str, text: &str, arguments: &[&str]) -> Vec<String> {
    let output = hcl(name, text, &[arguments, &["--diagnostics", "json", "1"]].concat());
    let Ok(report) = serde_json::from_slice::<Value>(&output.stderr) else { return Vec::new() };
    let complaint = |found: &Value| {
        let place = |end: &str| {
            let place = &found["range"][end];
            format!("{},{}", place["line"], place["column"])
        };
        format!("{}-{} {}", place("start"), place("end"), found["summary"].as_str().unwrap())
    };
    report["diagnostics"].as_array().unwrap().iter().map(complaint).collect()
}

fn complaints(text: &str, arguments: &[&str]) -> Vec<String> {
    complaints_about("main.tf", text, arguments)
}

/// A variable block with these lines, from line 2 on.
fn variable(lines: &str) -> String {
    format!("variable \"a\" {{\n{lines}\n}}\n")
}

const OPENTOFU: [&str; 2] = ["--dialect", "opentofu"];
const PACKER: [&str; 2] = ["--dialect", "packer"];
const NOMAD: [&str; 2] = ["--dialect", "nomad"];

#[test]
fn ephemeral_values_are_not_shown() {
    let text = variable("type = string\nephemeral = true\ndefault = \"x\"");
    assert_eq!(shown(&text, &["var.a"]), "(ephemeral value)");
    assert_eq!(shown(&text, &["--dialect", "opentofu", "[var.a]"]), "[ (ephemeral value), ]");
    assert_eq!(shown(&text, &["ephemeralasnull(var.a)"]), "tostring(null)");
    let text = variable("sensitive = true\nephemeral = true\ndefault = \"x\"");
    assert_eq!(shown(&text, &["var.a"]), "(sensitive value)");
}

#[test]
fn wrong_references_are_blamed_at_the_step_that_is_wrong() {
    for (reference, place) in [
        ("module[0]", "2,13-2,16 Invalid reference"),
        ("a_b[\"c\"]", "2,10-2,15 Invalid reference"),
        ("data.a[0]", "2,13-2,16 Invalid reference"),
        ("a_b", "2,7-2,10 Invalid reference"),
        ("module.m[0][1]", "2,18-2,21 Invalid reference"),
        ("module.m[0].x.y", "2,7-2,20 Reference to undeclared module"),
        ("template.x", "2,7-2,15 Reserved symbol name"),
        ("self.id", "2,7-2,11 Invalid \"self\" reference"),
    ] {
        assert_eq!(complaints(&format!("locals {{\n  a = {reference}\n}}\n"), &[]), [place], "{reference}");
    }
}

#[test]
fn flags_are_converted_to_truth_values() {
    assert_eq!(shown(&variable("sensitive = \"true\"\ndefault = 1"), &["var.a"]), "(sensitive value)");
    // Blamed is the beginning of the expression.
    for (wrong, place) in
        [("[]", "2,13-2,14"), ("null", "2,13-2,17"), ("\"x\"", "2,14-2,15"), ("1 + 2", "2,13-2,14")]
    {
        let text = variable(&format!("sensitive = {wrong}\ndefault = 1"));
        assert_eq!(complaints(&text, &[]), [format!("{place} Unsuitable value type")], "{wrong}");
    }
    let reference = variable("sensitive = var.b\ndefault = 1");
    let not_allowed = "2,13-2,16 Variables not allowed";
    assert_eq!(complaints(&reference, &[]), [not_allowed, "2,13-2,18 Unsuitable value type"]);
    assert_eq!(complaints(&reference, &OPENTOFU), [not_allowed]);
}

#[test]
fn a_list_or_map_may_be_of_anything() {
    let list = variable("type = list\ndefault = [1, \"a\"]");
    for dialect in [&[][..], &OPENTOFU] {
        assert_eq!(shown(&list, &[dialect, &["type(var.a)"]].concat()), "list(string)");
        assert_eq!(
            shown(&variable("type = map\ndefault = { a = 1 }"), &[dialect, &["type(var.a)"]].concat()),
            "map(number)"
        );
        for wrong in ["set", "object", "tuple"] {
            let found = complaints(&variable(&format!("type = {wrong}\ndefault = []")), dialect);
            assert_eq!(found, [format!("2,8-2,{} Invalid type specification", 8 + wrong.len())]);
        }
        assert_eq!(
            complaints(&variable("type = list(map)"), dialect)[0],
            "2,13-2,16 Invalid type specification"
        );
    }
    assert_eq!(complaints(&list, &PACKER), ["2,8-2,12 Invalid type specification"]);
}

#[test]
fn types_in_quotes() {
    for (ty, title) in [
        ("string", "Invalid quoted type constraints"),
        ("list", "Invalid quoted type constraints"),
        ("map", "Invalid quoted type constraints"),
        ("number", "Invalid legacy variable type hint"),
        ("list(string)", "Invalid legacy variable type hint"),
    ] {
        let text = variable(&format!("type = \"{ty}\"\ndefault = true"));
        let wanted = [format!("2,8-2,{} {title}", 10 + ty.len())];
        assert_eq!(complaints(&text, &[]), wanted);
        assert_eq!(complaints(&text, &OPENTOFU), wanted);
    }
    let quoted = variable("type = \"string\"\ndefault = \"x\"");
    assert_eq!(complaints(&quoted, &NOMAD), ["2,8-2,16 Invalid type specification"]);
}

#[test]
fn types_in_json_syntax_are_in_quotes() {
    let of_type = |ty: &str| format!("{{\"variable\": {{\"a\": {{\"default\": [1], \"type\": \"{ty}\"}}}}}}");
    for ty in ["list", "list(number)", "set(any)"] {
        assert!(complaints_about("main.tf.json", &of_type(ty), &[]).is_empty(), "{ty}");
    }
    assert_eq!(
        complaints_about("main.tf.json", &of_type("set"), &[]),
        ["1,45-1,50 Invalid type specification"]
    );
    assert_eq!(
        complaints_about("main.tf.json", &of_type("set"), &PACKER),
        ["1,45-1,50 Invalid type specification"]
    );
}

#[test]
fn strings_of_defaults_in_json_syntax_are_no_templates() {
    let text = r#"{"variable": {"a": {"default": "${x}"}}}"#;
    let output = hcl("main.tf.json", text, &["--raw", "var.a"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "${x}");
}

#[test]
fn a_wrong_type_is_all_that_is_said() {
    for lines in [
        "type = list(foo)\ndefault = 1",
        "type = foo\ndefault = 1\nvalidation {\ncondition = var.a > 5\nerror_message = \"No.\"\n}",
    ] {
        let found = complaints(&variable(lines), &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("Invalid type specification"));
    }
    let found = complaints(&variable("type = foo"), &["--var", "a=1"]);
    assert_eq!(found, ["2,8-2,11 Invalid type specification"]);
}

#[test]
fn defaults_are_held_against_the_declaration() {
    let null = variable("nullable = false\ndefault = null");
    let wanted = ["3,11-3,15 Invalid default value for variable"];
    assert_eq!(complaints(&null, &[]), wanted);
    assert_eq!(complaints(&null, &OPENTOFU), wanted);
    assert_eq!(complaints(&null, &["--var", "a=1"]), wanted);
    let unsuitable = variable("type = number\ndefault = \"x\"");
    assert_eq!(complaints(&unsuitable, &["--var", "a=1"]), ["3,11-3,14 Invalid default value for variable"]);
}

#[test]
fn names_are_declared_once() {
    let text = "variable \"a\" {\n  default = 1\n}\nvariable \"a\" {\n  default = 2\n}\n";
    for dialect in [&[][..], &OPENTOFU] {
        assert_eq!(complaints(text, dialect), ["4,1-4,13 Duplicate variable declaration"]);
    }
    for dialect in [&PACKER, &NOMAD] {
        assert_eq!(complaints(text, dialect), ["4,1-4,13 Duplicate variable"]);
    }
    let text = "locals {\n  a = 1\n}\nlocals {\n  a = nowhere.x\n}\n";
    for dialect in [&[][..], &OPENTOFU] {
        assert_eq!(complaints(text, dialect), ["5,3-5,16 Duplicate local value definition"]);
    }
    assert_eq!(complaints(text, &PACKER), ["5,7-5,16 Duplicate local definition"]);
}

#[test]
fn names_are_identifiers_and_not_reserved() {
    for name in [
        "count",
        "for_each",
        "source",
        "version",
        "providers",
        "lifecycle",
        "locals",
        "depends_on",
        "a.b",
        "1x",
        "x y",
        "",
    ] {
        let text = format!("variable \"{name}\" {{\n  default = 1\n}}\n");
        for dialect in [&[][..], &OPENTOFU] {
            assert_eq!(
                complaints(&text, dialect),
                [format!("1,10-1,{} Invalid variable name", 12 + name.len())]
            );
        }
        // Packer reserves no names.
        let of_packer =
            match name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains(['.', ' ']) {
                true => Vec::new(),
                false => vec![format!("1,10-1,{} Invalid variable name", 12 + name.len())],
            };
        assert_eq!(complaints(&text, &PACKER), of_packer);
    }
    assert!(complaints("variable \"each\" {\n  default = 1\n}\n", &[]).is_empty());
}

#[test]
fn arguments_are_those_that_the_product_knows() {
    let text = variable("default = 1\nfoo = 1\nbar {}");
    let wanted = ["3,1-3,4 Unsupported argument", "4,1-4,4 Unsupported block type"];
    assert_eq!(complaints(&text, &[]), wanted);
    assert_eq!(complaints(&text, &OPENTOFU), wanted);
    assert_eq!(complaints(&text, &NOMAD), wanted);
    let text = variable("description = \"D\"\ndefault = 1\ndeprecated = \"x\"\nconst = true");
    assert_eq!(complaints(&text, &["--dialect", "terraform-1.11"]).len(), 2);
    assert!(complaints(&text, &[]).is_empty());
    assert!(complaints(&text, &OPENTOFU).is_empty());
}

#[test]
fn conditions_are_about_their_own_variable() {
    let condition = |condition: &str| {
        let lines =
            format!("default = 1\nvalidation {{\ncondition = {condition}\nerror_message = \"No.\"\n}}");
        variable(&lines) + "variable \"b\" {\n  default = 1\n}\n"
    };
    for (wrong, refers) in [
        ("true", false),
        ("var.b == 2", true),
        ("var[\"a\"] == 2", true),
        ("[for var in [{ a = false }] : var.a][0]", false),
    ] {
        let place = format!("4,13-4,{}", 13 + wrong.len());
        let title = format!("{place} Invalid variable validation condition");
        for dialect in [&[][..], &OPENTOFU] {
            let mut wanted = vec![title.clone()];
            wanted.extend((!refers).then(|| format!("{place} Invalid validation expression")));
            assert_eq!(complaints(&condition(wrong), dialect), wanted);
        }
        for dialect in [&PACKER, &NOMAD] {
            assert_eq!(complaints(&condition(wrong), dialect).last(), Some(&title));
        }
    }
    assert!(complaints(&condition("var.a == var.b"), &[]).is_empty());
    assert_eq!(complaints(&condition("var.a == 2"), &[]), ["1,1-1,13 Invalid value for variable"]);
}

#[test]
fn conditions_give_true_or_false() {
    let conditioned = |condition: &str| {
        variable(&format!(
            "default = \"x\"\nvalidation {{\ncondition = {condition}\nerror_message = \"no\"\n}}"
        ))
    };
    for (condition, title) in [
        ("var.a == \"x\" ? \"false\" : \"true\"", "Invalid value for variable"),
        ("length(var.a) > local.x", "Invalid value for variable"),
        ("var.a == \"x\" ? null : true", "Invalid variable validation result"),
        ("var.a", "Invalid variable validation result"),
        ("[var.a]", "Invalid variable validation result"),
    ] {
        let found = complaints(&(conditioned(condition) + "locals {\n  x = 3\n}\n"), &[]);
        assert!(matches!(&found[..], [one] if one.ends_with(title)), "{condition}: {found:?}");
    }
    assert_eq!(shown(&conditioned("var.a == \"x\" ? \"true\" : \"false\""), &["var.a"]), "\"x\"");
}

#[test]
fn messages_do_not_tell_what_is_sensitive() {
    let map = variable("type = map(number)\nsensitive = true");
    let output = hcl("main.tf", &map, &["--var", "a={hunter2=\"b\"}", "1"]);
    assert!(!String::from_utf8(output.stderr).unwrap().contains("hunter2"));
    let local = "local \"a\" {\n  expression = \"hunter2\"\n  sensitive = true\n}\n\
                 locals {\n  b = \"x${local.a}\"\n  c = local.a + 1\n}\n";
    let output = hcl("main.pkr.hcl", local, &["--dialect", "packer", "local.b"]);
    assert!(!String::from_utf8(output.stderr).unwrap().contains("hunter2"));
    let sound = local.replace("+ 1", "");
    let output = hcl("main.pkr.hcl", &sound, &["--dialect", "packer", "local.b"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "\"x<sensitive>\"\n");
}

#[test]
fn a_module_has_one_budget() {
    let large = "default = [for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : \"0123456789-${a}-${b}\"]]";
    let many: String = (0..50).map(|i| format!("variable \"v{i}\" {{\n{large}\n}}\n")).collect();
    let found = complaints(&many, &["--max-memory", "20000"]);
    assert!(matches!(&found[..], [one] if one.ends_with("Too much memory")), "{found:?}");
    assert_eq!(shown(&variable(large), &["--max-memory", "20000", "length(var.a)"]), "4");
}

#[test]
fn only_packer_has_locals_in_blocks_of_their_own() {
    let text = "local \"a\" {\n  expression = 1\n}\n";
    assert_eq!(shown(text, &["--dialect", "packer", "local.a"]), "1");
    for dialect in [&[][..], &OPENTOFU, &NOMAD] {
        assert!(!hcl("main.tf", text, &[dialect, &["local.a"]].concat()).status.success());
    }
}

#[test]
fn many_values_are_given_in_time_of_their_number() {
    let declared = |n: usize| -> String { (0..n).map(|i| format!("variable \"v{i}\" {{}}\n")).collect() };
    let given = |n: usize| -> String { (0..n).map(|i| format!("v{i} = {i}\n")).collect() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("given.tfvars");
    std::fs::write(&path, given(20_000)).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(shown(&declared(20_000), &["--timeout", "2s", "--var-file", path, "var.v19999"]), "19999");
}

#[test]
fn a_module_knows_where_it_is() {
    for (arguments, expression, wanted) in [
        (&[][..], "[path.module, path.root]", "[ \".\", \".\", ]"),
        (&[], "[terraform.workspace, terraform.applying]", "[ \"default\", (ephemeral value), ]"),
        (&[], "ephemeralasnull(terraform.applying)", "tobool(null)"),
        (&OPENTOFU, "[tofu.workspace, tofu.applying]", "[ \"default\", (ephemeral value), ]"),
        (&OPENTOFU, "[terraform.workspace, terraform.applying]", "[ \"default\", (ephemeral value), ]"),
        (&PACKER, "path", "{ \"root\" = \".\" }"),
        (&["--allow", "fs"], "path.cwd == abspath(\".\")", "true"),
        (&["--allow", "fs", "--dialect", "packer"], "path.cwd == abspath(\".\")", "true"),
    ] {
        assert_eq!(shown("", &[arguments, &[expression]].concat()), wanted, "{expression}");
    }
    assert!(!hcl("main.tf", "", &["tofu.workspace"]).status.success());
    assert_eq!(shown("", &["--dialect", "nomad", "path"]), "\"${path}\"");
}

#[test]
fn without_a_module_there_is_the_empty_one() {
    let printed = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hcl")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        printed(&["eval", "\"${path.module}/${path.root}/${terraform.workspace}\""]),
        "\"././default\"\n"
    );
    assert_eq!(printed(&["eval", "terraform.applying"]), "(ephemeral value)\n");
    assert_eq!(printed(&["eval", "--dialect", "opentofu", "tofu.workspace"]), "\"default\"\n");
    assert_eq!(printed(&["eval", "--var", "path=1", "path"]), "1\n");
    assert_eq!(printed(&["eval", "--dialect", "hcl", "path"]), "");
    assert_eq!(printed(&["eval", "--dialect", "packer", "path.root"]), "\".\"\n");
    assert_eq!(printed(&["eval", "--dialect", "nomad", "path"]), "\"${path}\"\n");
}

#[test]
fn defaults_of_packer_ask_for_the_environment() {
    let text = variable("default = env(\"HCL_TEST_ZONE\")");
    let allowed = ["--dialect", "packer", "--allow", "env"];
    assert_eq!(shown(&text, &[&allowed[..], &["var.a"]].concat()), "\"b\"");
    assert_eq!(
        shown("variables {\n  a = env(\"HCL_TEST_ZONE\")\n}\n", &[&allowed[..], &["var.a"]].concat()),
        "\"b\""
    );
    assert_eq!(
        shown(&variable("default = env(\"HCL_TEST_NONE\")"), &[&allowed[..], &["var.a"]].concat()),
        "\"\""
    );
    // The default is evaluated also when a value is given, which then is a text.
    assert_eq!(shown(&text, &[&allowed[..], &["--var", "a=1", "var.a"]].concat()), "\"1\"");
    assert_eq!(complaints(&text, &PACKER).len(), 1);
    assert_eq!(complaints(&text, &[]), ["2,11-2,31 Function calls not allowed"]);
    let elsewhere = [
        (variable("default = upper(\"x\")"), 1),
        // A function that is not allowed, and a value that is no truth value.
        (variable("default = 1\nsensitive = env(\"HCL_TEST_ZONE\") == \"b\""), 2),
        ("locals {\n  a = env(\"HCL_TEST_ZONE\")\n}\n".to_owned(), 1),
    ];
    for (text, n_complaints) in elsewhere {
        assert_eq!(complaints(&text, &allowed).len(), n_complaints, "{text}");
    }
}

#[test]
fn variables_are_declared_in_a_row() {
    let text = "variables {\n  a = 1\n  b = \"x\"\n}\n";
    for dialect in [PACKER, NOMAD] {
        assert_eq!(shown(text, &[&dialect[..], &["--json", "var"]].concat()), r#"{"a":1,"b":"x"}"#);
        let twice = text.to_owned() + "variable \"b\" {\n  default = 1\n}\n";
        let found = complaints(&twice, &dialect);
        assert!(matches!(&found[..], [one] if one.starts_with("5,1-5,13 Duplicate variable")), "{found:?}");
    }
    assert_eq!(shown(text, &[&PACKER[..], &["--var", "b=y", "var.b"]].concat()), "\"y\"");
    assert_eq!(shown(text, &[&NOMAD[..], &["--var", "b=y", "var.b"]].concat()), "\"y\"");
    assert!(!hcl("main.tf", text, &["var.a"]).status.success());
}

#[test]
fn references_of_a_job_are_left_to_the_client() {
    let text = "variables {\n  dc = \"eu\"\n}\n";
    let arguments = ["--dialect", "nomad", "--json"];
    let value = |expression| shown(text, &[&arguments[..], &[expression]].concat());
    assert_eq!(value("[attr.kernel.name, var.dc]"), r#"["${attr.kernel.name}","eu"]"#);
    assert_eq!(value(r#""${var.dc}-${ env["PATH"] }""#), r#""eu-${ env[\"PATH\"] }""#);
}

const FLEET: &str = "variable \"zone\" {}\nlocals {\n  name = \"web-${var.zone}\"\n}\n\
     resource \"a_b\" \"c\" {\n  count = 2\n  name  = \"${local.name}-${count.index}\"\n}\ndata \"a_d\" \"e\" {\n}\n\
     output \"label\" {\n  value = a_b.c[0].name\n}\n";

#[test]
fn resources_have_the_values_of_a_plan() {
    let names = "a_b.c[*].name";
    assert_eq!(shown(FLEET, &["--var", "zone=b", names]), "(known after apply)");
    let planned = ["--planned", "--var", "zone=b"];
    assert_eq!(shown(FLEET, &[&planned[..], &[names]].concat()), "[ \"web-b-0\", \"web-b-1\", ]");
    let values = ["--value", "a_b.c[1]={ name = \"x=1\" }", "--value", "data.a_d.e={ id = upper(\"r\") }"];
    let asked = "[a_b.c[*].name, data.a_d.e.id]";
    let found = shown(FLEET, &[&planned[..], &values, &[asked]].concat());
    assert_eq!(found, "[ [ \"web-b-0\", \"x=1\", ], \"R\", ]");
    let output = hcl("main.tf", FLEET, &["--value", "a_b.c", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let output = hcl("main.tf", FLEET, &["--value", "a_b.d=1", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("Reference to undeclared resource"));
}

/// The notes beside an answer.
fn notes(text: &str, arguments: &[&str]) -> String {
    String::from_utf8(hcl("main.tf", text, arguments).stderr).unwrap()
}

#[test]
fn a_value_that_is_not_known_says_what_it_comes_from() {
    let label = ["[local.name, a_b.c[0].name, data.a_d.e]"];
    assert_eq!(
        notes(FLEET, &label),
        "note: not known because var.zone has no value: --var zone=VALUE gives one, or TF_VAR_zone with --allow env\n\
         note: not known because a_b.c and data.a_d.e have values only in a run: --planned takes what the blocks say, \
         --value a_b.c=EXPR gives one\n"
    );
    let zone = ["--var", "zone=b"];
    assert_eq!(notes(FLEET, &[&zone[..], &["local.name"]].concat()), "");
    assert!(
        notes(FLEET, &[&zone[..], &["--address", "output.label"]].concat()).contains(" a_b.c has values")
    );
    let planned = ["--planned", "--var", "zone=b"];
    assert_eq!(notes(FLEET, &[&planned[..], &["a_b.c[0].name"]].concat()), "");
    assert!(
        notes(FLEET, &[&planned[..], &["a_b.c[0].id"]].concat()).contains("in a run: --value a_b.c=EXPR")
    );
    let formatted = notes(FLEET, &["--dialect", "terraform-1.11", "format(\"%v\", null)"]);
    assert_eq!(formatted, "note: a part of the value is known only in a run of the product\n");
    // The error is the reason.
    assert!(!notes("locals {\n  a = 1 + \"x\"\n}\n", &["local.a"]).contains("note:"));
    // Standard error is a document then, and a type is known.
    assert!(!notes(FLEET, &["--diagnostics", "json", "var.zone"]).contains("note:"));
    assert_eq!(notes(FLEET, &["--type", "var.zone"]), "");
    // An error about the form of the value has the note too.
    assert!(notes(FLEET, &["--raw", "local.name"]).contains("note: not known because var.zone has no value"));
}

#[test]
fn an_output_of_the_module_is_asked_for_by_its_address() {
    let output = hcl("main.tf", FLEET, &["--var", "zone=b", "output.label"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("Expressions can't refer to"), "{said}");
    assert!(
        said.ends_with("note: hcl eval --module DIR --address output.label gives an output of the module\n"),
        "{said}"
    );
}

#[test]
fn other_verbs_take_a_module() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.tf"), FLEET).unwrap();
    let said = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        said(&["vars", "--module", ".", "output.label"]),
        "output.label\nvar.zone\nlocal.name\na_b.c\n"
    );
    assert_eq!(said(&["vars", "--module", "main.tf"]), "var.zone\nlocal.name\ncount.index\na_b.c[0].name\n");
    let listing: Value =
        serde_json::from_str(&said(&["vars", "--module", ".", "--json", "local.name"])).unwrap();
    assert_eq!(listing["missing"], serde_json::json!(["zone"]));
    let json: Value = serde_json::from_str(&said(&["json", "--module", "."])).unwrap();
    assert_eq!(json["locals"][0]["name"], "web-${var.zone}");
    assert_eq!(said(&["check", "--module", "."]), "");
    assert_eq!(said(&["check", "--module", "main.tf"]), "");
    let explained = said(&["eval", "--module", ".", "--var", "zone=b", "--explain", "upper(local.name)"]);
    assert!(explained.contains("\"WEB-B\"") && explained.contains("local.name"), "{explained}");
}

/// Types, addresses and other names that are read without being evaluated are no needs of a module.
#[test]
fn names_that_are_no_references_are_not_needed() {
    let text = "variable \"a\" {\n  type = map(string)\n}\nmoved {\n  from = x_y.a\n  to = x_y.b\n}\nresource \"x_y\" \"b\" {\n  \
                provider   = x.east\n  depends_on = [x_y.c]\n  size       = var.a.n\n  lifecycle {\n    ignore_changes = \
                [size]\n  }\n}\nresource \"x_y\" \"c\" {}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.tf"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(["vars", "--module", "."])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "x_y.c\nvar.a.n\n");
}

/// A link that leads nowhere is a file of the module that can't be read; then there is no answer, as in the product's console.
#[cfg(unix)]
#[test]
fn a_dangling_link_is_a_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.tf"), "locals {\n  a = 1\n}\n").unwrap();
    std::os::unix::fs::symlink("nowhere.tf", folder.path().join("bad.tf")).unwrap();
    for arguments in [&["eval", "--module", ".", "local.a"][..], &["check", "."]] {
        let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let complaints = String::from_utf8(output.stderr).unwrap();
        assert!(complaints.contains("Failed to read file") && complaints.contains("bad.tf"), "{complaints}");
        assert!(output.stdout.is_empty() && output.status.code() == Some(1), "{complaints}");
    }
}

/// Outputs of a module have an address and no name in expressions.
#[test]
fn values_are_asked_for_by_address() {
    let text = "locals {\n  a = [1, 2]\n}\noutput \"x\" {\n  value = { list = local.a }\n}\noutput \"bad\" {\n  value = local.a[7]\n}\n";
    assert_eq!(shown(text, &["--on-demand", "--address", "output.x.list[1]"]), "2");
    assert_eq!(shown(text, &["--on-demand", "--address", "--json", "local.a"]), "[1,2]");
    let output = hcl("main.tf", text, &["--on-demand", "output.x"]);
    assert!(output.stdout.is_empty() && output.status.code() == Some(1));
    let output = hcl("main.tf", text, &["--address", "--raw", "output.x.list[0]"]);
    assert_eq!((output.stdout, output.status.code()), (b"1".to_vec(), Some(1)));
    assert!(String::from_utf8(output.stderr).unwrap().contains("Invalid index"));
}

/// Errors of modules that nothing needs do not keep the rest from being answered.
#[test]
fn on_demand_no_value_stands_beside_its_errors() {
    let text = "locals {\n  ok = 1\n  bad = upper([])\n  late = local.bad\n}\noutput \"o\" {\n  value = local.bad\n}\n";
    let ask = |arguments: &[&str]| {
        let output = hcl("main.tf", text, &[&["--on-demand"], arguments].concat());
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    for expression in ["local.bad", "local.late", "[local.ok, local.bad]", "try(local.bad, 1)"] {
        assert_eq!(ask(&[expression]), (String::new(), Some(1)), "{expression}");
        assert_eq!(ask(&["--address", expression]), (String::new(), Some(1)), "{expression}");
    }
    assert_eq!(ask(&["--address", "output.o"]), (String::new(), Some(1)));
    assert_eq!(ask(&["local.ok"]), ("1\n".to_owned(), Some(0)));
}

#[test]
fn other_modules_do_not_stand_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let text = "module \"far\" {\n  source = \"hashicorp/consul/aws\"\n}\nmodule \"many\" {\n  source = \"./many\"\n  count  = 1e9\n}\nlocals {\n  a = 1\n}\n";
    std::fs::write(folder.path().join("main.tf"), text).unwrap();
    std::fs::create_dir(folder.path().join("many")).unwrap();
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
        let output = command
            .args(["eval", "--module", "."])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let [out, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (out, told, output.status.code())
    };
    assert_eq!(ask(&["--on-demand", "local.a"]), ("1\n".to_owned(), String::new(), Some(0)));
    let (out, told, status) = ask(&["local.a"]);
    assert_eq!((out.as_str(), status), ("1\n", Some(3)));
    assert!(told.contains("Too many instances") && told.contains("Module not available"), "{told}");
    assert!(ask(&["--on-demand", "module.far.x"]).1.contains("hashicorp/consul/aws"));
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_text_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join(OsStr::from_bytes(b"in\xff"));
    let file = |name: &[u8]| folder.join(OsStr::from_bytes(name));
    if std::fs::create_dir(&folder).is_err() {
        // There are file systems that take no such name.
        return;
    }
    std::fs::write(file(b"\xff.tf"), "locals {\n  a = 1\n}\n").unwrap();
    let asked = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
        let output = command.args(["eval", "--module"]).arg(&folder).arg("local.a").output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(asked(), ["1\n".to_owned(), String::new()]);
    // Two names that look the same in a message are not told apart.
    std::fs::write(file(b"\xfe.tf"), "").unwrap();
    let [_, told] = asked();
    assert!(told.contains("its name is not UTF-8"), "{told}");
}
