//! The command as a script sees it: arguments, standard streams, exit status.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `hcl` with arguments and standard input.
fn hcl(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(arguments)
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A command that doesn't read its input may have ended already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the output is UTF-8")
}

/// The output of a run that succeeds.
fn printed(arguments: &[&str]) -> String {
    let output = hcl(arguments, "");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// A file in a folder of its own, removed in the end.
struct TemporaryFile(std::path::PathBuf);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("hcl-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("temporary folders can be made");
        let path = folder.join(name);
        fs::write(&path, text).expect("temporary files can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("temporary paths are text")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = self.0.parent().map(fs::remove_dir_all);
    }
}

#[test]
fn values_have_several_forms() {
    assert_eq!(printed(&["eval", "1 + 1"]), "2\n");
    assert_eq!(printed(&["eval", "[1, \"a\"]"]), "[\n  1,\n  \"a\",\n]\n");
    assert_eq!(printed(&["eval", "--json", "{ a = [1, true, null] }"]), "{\"a\":[1,true,null]}\n");
    assert_eq!(printed(&["eval", "--raw", "\"a\\nb\""]), "a\nb");
    assert_eq!(printed(&["eval", "--raw", "1.50"]), "1.5");
    assert_eq!(printed(&["eval", "--type", "[1]"]), "tuple([\n    number,\n])\n");
    assert_eq!(printed(&["eval", "--as", "list(string)", "--json", "[1, 2]"]), "[\"1\",\"2\"]\n");
    assert_eq!(printed(&["eval", "-5"]), "-5\n");
}

#[test]
fn the_usage_of_eval_says_that_there_has_to_be_an_expression() {
    let output = hcl(&["eval"], "");
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("<EXPR|--file <FILE>|--jsonl>"), "{told}");
    assert!(!told.contains("[EXPR]"), "{told}");
}

#[test]
fn expressions_come_from_anywhere() {
    let output = hcl(&["eval", "-"], "1 +\n1\n");
    assert_eq!(stdout(&output), "2\n");
    let file = TemporaryFile::new("expression.hcl", "upper(\"a\")\n");
    assert_eq!(printed(&["eval", "-f", file.path()]), "\"A\"\n");
}

#[test]
fn variables_come_from_arguments_and_files() {
    let native = TemporaryFile::new("a.tfvars", "region = \"north\"\nport = 80 + 1\n");
    let json = TemporaryFile::new("b.json", "{\"zone\": [\"a\", 1]}");
    let arguments = ["eval", "--var", "name = \"x\"", "--var-file", native.path(), "--var-file", json.path()];
    let expression = "\"${name}-${region}-${port}-${zone[1]}\"";
    assert_eq!(printed(&[&arguments[..], &[expression]].concat()), "\"x-north-81-1\"\n");
}

#[test]
fn the_exit_status_tells_what_went_wrong() {
    let status = |arguments: &[&str]| hcl(arguments, "").status.code();
    assert_eq!(status(&["eval", "nope"]), Some(1));
    assert_eq!(status(&["eval", "1 +"]), Some(1));
    assert_eq!(status(&["eval"]), Some(2));
    assert_eq!(status(&["eval", "--json", "--raw", "1"]), Some(2));
    assert_eq!(status(&["eval", "--var", "no-equals-sign", "1"]), Some(2));
    assert_eq!(status(&["nonsense"]), Some(2));
    assert_eq!(status(&["eval", "--max-steps", "10", "[for a in range(100) : a]"]), Some(3));
    assert_eq!(status(&["eval", "--max-depth", "5", "((((((((((1))))))))))"]), Some(3));
    assert_eq!(status(&["eval", "--as", "list(list(list(list(string))))", "[]"]), Some(0));
    assert_eq!(
        status(&["eval", "--max-depth", "3", "--as", "list(list(list(list(string))))", "[]"]),
        Some(3)
    );
}

#[test]
fn batch_has_the_dialects_rule_for_names() {
    let request = r#"{"expr": "upper(node.x)", "dialect": "nomad-1.10"}"#;
    let text = stdout(&hcl(&["eval", "--jsonl"], request));
    assert!(text.contains(r#""value":"${NODE.X}""#), "{text}");
    let text = stdout(&hcl(&["eval", "--jsonl"], r#"{"expr": "upper(node.x)", "dialect": "packer"}"#));
    assert!(text.contains(r#""ok":false"#), "{text}");
}

#[test]
fn batch_has_the_dialect_and_the_bounds_of_the_command_line() {
    let request = r#"{"expr": "format(\"%d\", null)"}"#;
    let text = stdout(&hcl(&["eval", "--jsonl", "--dialect", "terraform-1.11"], request));
    assert!(text.contains(r#""ok":true"#) && text.contains(r#""unknown":true"#), "{text}");
    let text = stdout(&hcl(&["eval", "--jsonl"], request));
    assert!(text.contains(r#""ok":false"#), "{text}");
    let request = r#"{"expr": "[for a in range(100) : a]"}"#;
    let text = stdout(&hcl(&["eval", "--jsonl", "--max-steps", "10"], request));
    assert!(text.contains("limit.steps"), "{text}");
    let request = r#"{"expr": "a", "vars": {"a": "((((1))))"}}"#;
    assert!(stdout(&hcl(&["eval", "--jsonl"], request)).contains(r#""value":1"#));
    let text = stdout(&hcl(&["eval", "--jsonl", "--max-depth", "3"], request));
    assert!(text.contains("Nesting limit reached"), "{text}");
    let request = r#"{"expr": "[]", "as": "list(list(list(list(string))))"}"#;
    assert!(stdout(&hcl(&["eval", "--jsonl"], request)).contains(r#""value":[]"#));
    let text = stdout(&hcl(&["eval", "--jsonl", "--max-depth", "3"], request));
    assert!(text.contains("Nesting limit reached"), "{text}");
    let request =
        r#"{"expr": "{}", "as": "object({ a = optional(list(number), [for a in [1, 2, 3] : a]) })"}"#;
    assert!(stdout(&hcl(&["eval", "--jsonl"], request)).contains(r#""value":{"a":[1,2,3]}"#));
    let text = stdout(&hcl(&["eval", "--jsonl", "--max-steps", "10"], request));
    assert!(text.contains("limit.steps"), "{text}");
    assert_eq!(hcl(&["eval", "--jsonl", "--var", "a=1"], "").status.code(), Some(2));
    assert_eq!(hcl(&["eval", "--jsonl", "--raw"], "").status.code(), Some(2));
}

#[test]
fn numbers_too_long_to_print_are_refused_before_they_are_written() {
    for form in [&[][..], &["--json"], &["--raw"]] {
        for number in ["1e640000000", "[1e-3000]", "{ a = 1e3000 }"] {
            let arguments = [&["eval", "--max-output", "1000"], form, &[number]].concat();
            let output = hcl(&arguments, "");
            if form == ["--raw"] && number != "1e640000000" {
                assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
                continue;
            }
            assert_eq!(output.status.code(), Some(3), "{arguments:?} {}", stderr(&output));
            assert!(stdout(&output).is_empty());
            assert!(stderr(&output).contains("limit.output"), "{}", stderr(&output));
        }
    }
    assert_eq!(printed(&["eval", "--max-output", "1000", "1e20"]), "100000000000000000000\n");
    let explained = printed(&["eval", "--explain", "1e640000000 + 1"]);
    assert!(explained.contains("(too long to show)"), "{explained}");
    let answers = hcl(&["eval", "--jsonl"], r#"{"expr": "1e640000000"}"#);
    let answer = stdout(&answers);
    assert!(answer.len() < 1000, "{} bytes", answer.len());
    assert!(answer.contains(r#""ok":false"#) && answer.contains("limit.output"), "{answer}");
}

#[test]
fn diagnostics_show_the_source() {
    let output = hcl(&["eval", "--color", "never", "--var", "a=\"x\"", "1 + a"], "");
    let text = stderr(&output);
    assert!(text.starts_with("error: Invalid operand"), "{text}");
    assert!(text.contains("1 + a"), "{text}");
    assert!(text.contains("^"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let colored = stderr(&hcl(&["eval", "--color", "always", "nope"], ""));
    assert!(colored.contains("\u{1b}["), "{colored}");
}

#[test]
fn diagnostics_can_be_read_by_programs() {
    let json = stderr(&hcl(&["eval", "--diagnostics", "json", "nope"], ""));
    assert!(json.starts_with("{\"diagnostics\":[{\"severity\":\"error\""), "{json}");
    assert!(json.contains("\"filename\":\"expression\""), "{json}");
    let sarif = stderr(&hcl(&["eval", "--diagnostics", "sarif", "nope"], ""));
    assert!(sarif.contains("\"version\":\"2.1.0\"") && sarif.contains("\"startColumn\":1"), "{sarif}");
}

#[test]
fn secrets_are_not_printed() {
    let secret = "sensitive(\"s3cret\")";
    assert_eq!(printed(&["eval", secret]), "(sensitive value)\n");
    for form in ["--json", "--raw"] {
        let output = hcl(&["eval", form, secret], "");
        assert_eq!(output.status.code(), Some(1));
        assert!(!stdout(&output).contains("s3cret") && stderr(&output).contains("Hidden value"));
    }
}

#[test]
fn explanations_are_trees() {
    let text = printed(&["eval", "--explain", "--var", "n=2", "n > 1 ? [for x in [n] : x * n] : nope"]);
    let expected = "\
n > 1 ? [for x in [n] : x * n] : nope = [4]
├─ condition n > 1 = true
│  └─ n = 2
├─ [for x in [n] : x * n] = [4], chosen, because the condition is true
│  ├─ [n] = [2]
│  │  └─ n = 2
│  └─ with x = 2
│     └─ x * n = 4
│        ├─ x = 2
│        └─ n = 2
└─ nope is not chosen
";
    assert_eq!(text, expected);
    let colored = printed(&["eval", "--explain", "--color", "always", "1 + 1"]);
    assert_eq!(colored, "1 + 1 = \u{1b}[36m2\u{1b}[0m\n");
    let json = printed(&["eval", "--explain", "--json", "upper(\"a\")"]);
    assert!(json.starts_with("{\"root\":{") && json.contains("\"functions\":[\"upper\"]"), "{json}");
}

#[test]
fn check_reports_every_file() {
    let good = TemporaryFile::new("good.hcl", "a = 1\n");
    let bad = TemporaryFile::new("bad.hcl", "a = \n");
    assert_eq!(hcl(&["check", good.path()], "").status.code(), Some(0));
    let output = hcl(&["check", good.path(), bad.path()], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Invalid expression"), "{}", stderr(&output));
    assert_eq!(hcl(&["check", "no-such-file.hcl"], "").status.code(), Some(2));
    assert_eq!(hcl(&["check", "-"], "a = 1\n").status.code(), Some(0));
}

#[test]
fn vars_lists_what_is_needed() {
    let file = TemporaryFile::new("needs.hcl", "a = var.x[0] + f(local.y)\nb {\n  c = var.x[0]\n}\n");
    assert_eq!(printed(&["vars", file.path()]), "var.x[0]\nlocal.y\nf()\n");
    assert_eq!(
        printed(&["vars", "--json", "a.b + g(1)"]),
        "{\"variables\":[\"a.b\"],\"functions\":[\"g\"]}\n"
    );
    assert_eq!(printed(&["vars", "1 + 1"]), "");
    let text = r#"[{"//": "${c}", "a": {"${k}": "x${var.x[0]}"}}, {"a": [{"b": "${f(local.y)}"}, "plain"]}]"#;
    let json = TemporaryFile::new("needs.hcl.json", text);
    assert_eq!(printed(&["vars", json.path()]), "k\nvar.x[0]\nlocal.y\nf()\n");
    let missing = hcl(&["vars", "no-such-file.tf"], "");
    assert_eq!((missing.status.code(), stdout(&missing)), (Some(2), String::new()));
}

#[test]
fn arguments_that_products_read_unevaluated_need_no_names() {
    let text = "variable \"a\" {\n  type    = map(object({ b = optional(string, any) }))\n  default = f(1)\n}\n\
                job \"x\" {\n  type = service\n}\n";
    let file = TemporaryFile::new("types.tf", text);
    assert_eq!(printed(&["vars", file.path()]), "service\nf()\n");
    for dialect in ["opentofu", "packer", "nomad"] {
        assert_eq!(printed(&["vars", "--dialect", dialect, file.path()]), "service\nf()\n", "{dialect}");
    }
    let all = printed(&["vars", "--dialect", "hcl", file.path()]);
    assert_eq!(all, "string\nany\nservice\nmap()\nobject()\noptional()\nf()\n");
}

#[test]
fn an_address_of_a_module_has_to_be_there() {
    let file =
        TemporaryFile::new("outputs.tf", "output \"a\" {\n  value = local.b\n}\nlocals {\n  b = 1\n}\n");
    let vars = |input: &str| hcl(&["vars", "--module", file.path(), input], "");
    assert_eq!(stdout(&vars("output.a")), "output.a\nlocal.b\n");
    for (input, title) in [
        ("output.nosuch", "Reference to undeclared output"),
        ("local.nosuch", "Reference to undeclared local value"),
        ("module.nosuch.output.a", "Reference to undeclared module"),
    ] {
        let output = vars(input);
        assert_eq!(output.status.code(), Some(1), "{input}");
        assert!(stderr(&output).contains(title), "{input}: {}", stderr(&output));
    }
}

#[test]
fn a_batch_goes_on_after_a_bad_line() {
    let output = hcl(
        &["eval", "--jsonl"],
        "{\"id\": 1, \"expr\": \"1 + 1\"}\nnonsense\n{\"id\": \"x\"}\n\n{\"expr\": \"n\", \"vars\": {\"n\": \"[1]\"}, \"id\": [2]}\n",
    );
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    let answers: Vec<_> = text.lines().collect();
    assert_eq!(answers.len(), 4, "{text}");
    assert!(answers[0].starts_with("{\"id\":1,\"ok\":true,\"value\":2,\"type\":\"number\""), "{text}");
    assert!(answers[1].starts_with("{\"ok\":false,\"diagnostics\":[{\"severity\":\"error\""), "{text}");
    assert!(answers[2].starts_with("{\"id\":\"x\",\"ok\":false,"), "{text}");
    assert!(answers[3].starts_with("{\"id\":[2],\"ok\":true,\"value\":[1],"), "{text}");
}

#[test]
fn a_line_that_is_no_request_is_told_what_is_read() {
    for (verb, key) in
        [("eval", "outer_vars"), ("check", "source_base64"), ("fmt", "style"), ("vars", "expr")]
    {
        for line in ["[]", "1", "\"a\""] {
            let text = stdout(&hcl(&[verb, "--jsonl"], line));
            assert!(text.contains("an object with the key") && text.contains(key), "{text}");
        }
    }
}

#[test]
fn a_flag_that_is_not_there_is_named() {
    for arguments in [&["eval", "--bogus", "1"][..], &["vars", "--bogus", "a", "b"], &["eval", "--bogus"]] {
        let output = hcl(arguments, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--bogus"), "{arguments:?}: {}", stderr(&output));
    }
    for (flag, long) in [("-var", "--var"), ("-var-file=x.tfvars", "--var-file")] {
        let told = stderr(&hcl(&["eval", flag, "x=1", "x"], ""));
        assert!(told.contains(&format!("it is written {long}")), "{told}");
    }
    assert_eq!(printed(&["eval", "--", "--5"]), "5\n");
}

#[test]
fn batch_answers_say_all_there_is_to_a_value() {
    let request =
        "{\"expr\": \"[s, u, 1/0]\", \"vars\": {\"s\": \"sensitive(1)\", \"u\": \"unknown(string)\"}}";
    let text = stdout(&hcl(&["eval", "--jsonl"], request));
    assert!(text.contains("\"partial\":[1,{\"$unknown\":\"string\"},{\"$number\":\"+Inf\"}]"), "{text}");
    assert!(text.contains("\"deep_marks\":[[\"[0]\",\"sensitive\"]]"), "{text}");
    assert!(text.contains("\"type_expr\":\"tuple([number,string,number])\""), "{text}");
}

#[test]
fn batches_check_and_list_variables() {
    let text =
        stdout(&hcl(&["check", "--jsonl"], "{\"source_base64\": \"YSA9IDEKYiAiYyIge30K\", \"id\": 7}"));
    assert!(text.contains("\"name\":\"a\"") && text.contains("\"labels\":[\"c\"]"), "{text}");
    let text = stdout(&hcl(&["vars", "--jsonl"], "{\"expr\": \"a.b[0] + f(a.b[0])\"}"));
    assert_eq!(text, "{\"variables\":[\"a.b[0]\",\"a.b[0]\"],\"functions\":[\"f\"],\"diagnostics\":[]}\n");
}

#[test]
fn a_byte_order_mark_in_json_is_told() {
    let output = hcl(&["check", TemporaryFile::new("bom.json", "\u{feff}{\"a\": 1}").path()], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("byte order mark"), "{}", stderr(&output));
}

#[test]
fn json_syntax_is_checked() {
    let file = TemporaryFile::new("bad.json", "{\n\t\"a\": 1,\n}\n");
    let output = hcl(&["check", "--color", "never", file.path()], "");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.starts_with("error: Trailing comma in object"), "{text}");
    let request = "{\"source\": \"{\\\"a\\\": [1], \\\"//\\\": 2, \\\"b\\\": x}\", \"syntax\": \"json\"}";
    let text = stdout(&hcl(&["check", "--jsonl"], request));
    assert!(text.contains("\"summary\":\"Invalid JSON keyword\""), "{text}");
    assert!(text.contains("\"name\":\"a\"") && text.contains("\"expr\":\"[1]\""), "{text}");
    assert!(!text.contains("\"name\":\"//\""), "{text}");
}

#[test]
fn strings_of_variable_files_in_json_syntax_are_no_templates() {
    let file = TemporaryFile::new("c.tfvars.json", "{\"a\": \"${b}\", \"n\": 1e2}");
    assert_eq!(printed(&["eval", "--var-file", file.path(), "--json", "[a, n]"]), "[\"${b}\",100]\n");
}

#[test]
fn native_syntax_becomes_json_syntax_and_back() {
    let native = "region = var.home\nsize   = 6\n\nservice \"web\" {\n  text = \"$${x} ${y}\"\n}\n";
    let file = TemporaryFile::new("main.hcl", &native.replace('6', "(2 * 3)"));
    let json = printed(&["json", file.path()]);
    assert!(json.contains("\"size\": 6,") && json.contains("\"text\": \"$${x} ${y}\""), "{json}");
    let file = TemporaryFile::new("main.hcl.json", &json);
    assert_eq!(printed(&["json", "--from", file.path()]), native);
    let file = TemporaryFile::new("known.hcl", "a = home\nb = try(other, 1)\n");
    assert_eq!(
        printed(&["json", "--var", "home=sensitive(1)", "--var", "other=[1]", file.path()]),
        "{\n  \"a\": \"${home}\",\n  \"b\": [\n    1\n  ]\n}\n"
    );
}

#[test]
fn a_specification_tells_blocks_from_arguments() {
    let spec = "object {\n  attr \"list\" {\n    type = any\n  }\n  block_list \"port\" {\n                    object {\n      attr \"n\" {\n        type = number\n      }\n    }\n  }\n}\n";
    let spec = TemporaryFile::new("s.hcldec", spec);
    let json = TemporaryFile::new("d.json", "{\"port\": {\"n\": 1}, \"list\": [{\"n\": 2}]}");
    assert_eq!(
        printed(&["json", "--from", "--spec", spec.path(), json.path()]),
        "port {\n  n = 1\n}\n\nlist = [\n  {\n    n = 2\n  },\n]\n"
    );
    let other = TemporaryFile::new("e.json", "{\"ports\": 1}");
    let output = hcl(&["json", "--from", "--spec", spec.path(), other.path()], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
    assert!(stderr(&output).contains("\"port\""), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_command_quietly_and_is_no_success() {
    // More than a pipe holds: a child that another test starts meanwhile has the pipe's end too, until its program runs.
    let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
    command.args(["eval", "format(\"%0200000d\", 1)"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(141)));
}

/// No thread can have a stack of this size, so that none starts.
#[test]
fn files_are_checked_without_other_threads_too() {
    let folder = tempfile::tempdir().expect("a folder");
    for idx in 0..8 {
        fs::write(folder.path().join(format!("{idx}.hcl")), "a = [\n").expect("a file");
    }
    let check = |stack: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl"));
        command.args(["check", "--jobs", "4", "."]).current_dir(&folder).env("RUST_MIN_STACK", stack);
        command.output().expect("the command runs")
    };
    let (alone, together) = (check("4611686018427387904"), check("2000000"));
    assert_eq!(alone.status.code(), Some(1), "{}", stderr(&alone));
    assert_eq!(stderr(&alone), stderr(&together));
    assert_eq!(alone.stdout, together.stdout);
}

#[test]
fn functions_are_listed_by_dialect() {
    let text = printed(&["functions", "--dialect", "nomad"]);
    assert!(text.contains("reverse(str: string) -> string\n    Reverses the text"), "{text}");
    assert!(!text.contains("regexall") && !text.contains("core::"), "{text}");
}

#[test]
fn a_function_is_shown_with_all_its_meanings() {
    let text = printed(&["functions", "index"]);
    assert!(text.contains("index(list: any, value: any) -> number"), "{text}");
    assert!(text.contains("index(collection: any, key: any) -> any"), "{text}");
    assert!(
        text.contains("In: Terraform (since 0.12), OpenTofu (since 1.6), Packer (since 1.5)\n"),
        "{text}"
    );
    assert!(text.contains("Examples in Nomad:\n  > index([\"red\", \"green\"], 1)\n  \"green\"\n"), "{text}");
    let only = printed(&["functions", "index", "--dialect", "nomad"]);
    assert!(!only.contains("-> number"), "{only}");
    assert!(printed(&["functions", "uuid"]).contains("--allow random"));
}

#[test]
fn functions_are_json_as_editors_read_it() {
    let text = printed(&["functions", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("one JSON document");
    assert_eq!(document["format_version"], "1.0");
    let join = &document["function_signatures"]["join"];
    assert_eq!(join["return_type"], "string");
    assert_eq!(join["parameters"][0]["name"], "separator");
    assert_eq!(join["variadic_parameter"]["type"], serde_json::json!(["list", "string"]));
    assert_eq!(document["function_signatures"]["core::file"]["needs"], "fs");
    let text = printed(&["functions", "--json", "substr"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("one JSON document");
    let substr = &document["function_signatures"]["substr"];
    assert_eq!(substr["topic"], "Text");
    assert_eq!(substr["meanings"][0]["products"][3], "nomad");
    assert_eq!(substr["examples"][0]["output"], "\"figura\"");
}

#[test]
fn an_unknown_function_is_told_with_a_similar_name() {
    let refused = hcl(&["functions", "substr", "lenght"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stdout(&refused).is_empty());
    assert!(stderr(&refused).contains("did you mean \"length\"?"), "{}", stderr(&refused));
}

#[test]
fn functions_get_what_is_allowed() {
    let file = TemporaryFile::new("allowed.txt", "text");
    let folder =
        std::path::Path::new(file.path()).parent().and_then(std::path::Path::to_str).expect("a folder");
    let expression = format!("file({:?})", file.path());
    let refused = hcl(&["eval", &expression], "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("--allow fs=DIR"), "{}", stderr(&refused));
    assert_eq!(printed(&["eval", "--allow", &format!("fs={folder}"), &expression]), "\"text\"\n");
    assert_eq!(printed(&["eval", "--allow", "fs,clock", &expression]), "\"text\"\n");
    let outside = hcl(&["eval", "--allow", "fs=src", &expression], "");
    assert_eq!(outside.status.code(), Some(1), "{}", stderr(&outside));
    let missing = hcl(&["eval", "--allow", "fs=no/such/folder", "1"], "");
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
    assert!(stderr(&missing).ends_with(": there is no such file or folder\n"), "{}", stderr(&missing));
    assert_eq!(printed(&["eval", "--allow", "clock", "length(timestamp())"]), "20\n");
    assert_eq!(printed(&["eval", "--allow", "random", "length(uuid())"]), "36\n");
    let variable = format!("content={expression}");
    let printed_variable = printed(&["eval", "--allow", "fs", "--var", &variable, "upper(content)"]);
    assert_eq!(printed_variable, "\"TEXT\"\n");
}

#[test]
fn requests_bring_their_own_files() {
    let request = r#"{"expr": "[file(\"a/b.txt\"), fileexists(\"Cargo.toml\"), try(timestamp(), \"no clock\")]", "files": {"a/b.txt": "aGk="}}"#;
    let output = hcl(&["eval", "--jsonl"], request);
    assert!(stdout(&output).contains(r#""value":["hi",false,"no clock"]"#), "{}", stdout(&output));
    let wrong = hcl(&["eval", "--jsonl"], r#"{"expr": "1", "files": {"a": "!"}}"#);
    assert!(stdout(&wrong).contains("not valid base64"), "{}", stdout(&wrong));
}

/// Names whose values are marked are told with what hides them, on a terminal too, and nothing tells the values.
#[test]
fn values_of_marked_names_are_redacted() {
    let secret = "p=sensitive(\"hunter2\")";
    for color in ["never", "always"] {
        let told = stderr(&hcl(&["eval", "--color", color, "--var", secret, "p + 1"], ""));
        assert!(told.contains(" is (sensitive value)\n") && !told.contains("hunter2"), "{told}");
    }
    // Parts that are marked are not told either; what is not is.
    let object = "o={ user = \"ann\", password = sensitive(\"hunter2\") }";
    let told = stderr(&hcl(&["eval", "--var", object, "o + 1"], ""));
    assert!(told.contains("where o is an object with the attributes \"password\", \"user\"\n"), "{told}");
    // Nor is what comes from the elements of a hidden collection.
    let told = stderr(&hcl(&["eval", "--var", "l=sensitive([\"hunter2\"])", "[for x in l : x + 1]"], ""));
    assert!(told.contains("where x is not shown\n") && !told.contains("hunter2"), "{told}");
}

/// Names of attributes may have been made of what is hidden.
#[test]
fn types_tell_no_hidden_names() {
    let shown = |text: &str| printed(&["eval", "--type", text]);
    assert_eq!(shown("{ (sensitive(\"hunter2\")) = 1 }"), "(sensitive type)\n");
    assert_eq!(shown("[1, { a = { (sensitive(\"hunter2\")) = 1 } }]"), "(sensitive type)\n");
    assert_eq!(shown("sensitive(\"hunter2\")"), "string\n");
    assert_eq!(shown("{ password = sensitive(\"hunter2\") }"), "object({\n    password: string,\n})\n");
}

#[test]
fn every_verb_says_in_one_line_that_a_file_is_missing() {
    for arguments in [
        &["check", "nope.hcl"][..],
        &["check", "nope"],
        &["check", "--module", "nope"],
        &["vars", "nope.hcl"],
        &["vars", "--module", "nope", "1"],
        &["json", "nope.hcl"],
        &["json", "--module", "nope"],
        &["template", "nope.tpl"],
        &["eval", "-f", "nope.hcl"],
        &["eval", "--module", "nope", "1"],
        &["eval", "--var-file", "nope.tfvars", "1"],
        &["console", "--module", "nope"],
        &["graph", "nope"],
        &["fmt", "nope.hcl"],
        &["get", "a", "nope.hcl"],
        &["set", "a", "1", "nope.hcl"],
        &["rm", "a", "nope.hcl"],
        &["decode", "--spec", "nope", "nope.hcl"],
    ] {
        let output = hcl(arguments, "");
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.lines().count() == 1 && told.contains("nope"), "{arguments:?}: {told}");
    }
}

#[test]
fn a_folder_among_files_to_evaluate_is_told_how_it_is_evaluated() {
    let file = TemporaryFile::new("main.tf", "a = 1\n");
    let folder =
        std::path::Path::new(file.path()).parent().and_then(|path| path.to_str()).expect("it is text");
    let output = hcl(&["json", "--evaluated", folder], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("--module {folder}")), "{}", stderr(&output));
}

#[test]
fn standard_input_may_be_of_json_syntax() {
    let json = r#" {"a": "${var.x[0]}", "b": 1}"#;
    assert!(hcl(&["check", "-"], json).status.success());
    assert_eq!(hcl(&["check", "-"], "{\"a\": }").status.code(), Some(1));
    assert_eq!(stdout(&hcl(&["vars", "-"], json)), "var.x[0]\n");
    let evaluated =
        hcl(&["json", "--evaluated", "--var", "x=[7]", "--dialect", "hcl", "-"], r#"{"a": "${x[0]}"}"#);
    assert_eq!(stdout(&evaluated), "{\n  \"a\": 7\n}\n", "{}", stderr(&evaluated));
    let spec = TemporaryFile::new("spec.hcldec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    let decoded = hcl(&["decode", "--spec", spec.path(), "-"], r#"{"a": 1}"#);
    assert_eq!(stdout(&decoded).trim(), "1", "{}", stderr(&decoded));
    let converted = hcl(&["json", "-"], r#"{"a": "${1 + 1}", "b": {"c": [1]}}"#);
    assert_eq!(
        stdout(&converted),
        "{\n  \"a\": 2,\n  \"b\": {\n    \"c\": [\n      1\n    ]\n  }\n}\n",
        "{}",
        stderr(&converted)
    );
    let refused = hcl(&["get", "b", "-"], json);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("only files of native syntax"), "{}", stderr(&refused));
}
