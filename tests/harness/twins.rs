//! Native syntax written as JSON syntax: what is a constant, what stays a string, what a product reads without
//! evaluating it, and which shape blocks get.

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::json_syntax::{Expressions, JsonStyle, Reader, to_json_with};
use hcl_eval::value::Value;
use hcl_syntax::json::{parse_json, to_native, to_native_for};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use serde_json::{Value as Json, json};

const MODULE: JsonStyle = JsonStyle { expressions: Expressions::Evaluated, reader: Reader::Terraform };

/// The JSON syntax of a text, in the functions of Terraform and with a few names.
fn written(native: &str, style: JsonStyle) -> Json {
    let source = Source::new("main.hcl", native).expect("a small text");
    let (file, problems) = parse_file(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{native}: {problems:?}");
    let marked = Value::string("s").mark(hcl_eval::Mark::new("sensitive"));
    let scope = Scope::builder()
        .functions(dialect::terraform())
        .variable("region", Value::string("north"))
        .variable("secret", marked)
        .variable("ports", Value::list(hcl_eval::Type::Number, vec![Value::from(80)]))
        .build();
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let (text, problems) = to_json_with(&[file.body()], style, &scope, &mut evaluation);
    assert!(problems.is_empty(), "{native}: {problems:?}");
    serde_json::from_str(&text).expect("the text is JSON")
}

/// The JSON of an attribute's expression.
fn expression(text: &str) -> Json {
    written(&format!("a = {text}\n"), JsonStyle::default())["a"].clone()
}

#[test]
fn constants_become_values_if_these_are_of_the_same_type_everywhere() {
    let values = [
        ("1 + 2 * 3", json!(7)),
        ("-1.50", serde_json::from_str("-1.5").expect("a number")),
        ("region == \"north\" ? [region, 1] : [\"x\", 2]", json!(["north", 1])),
        ("\"$${x} ${1 + 1}\"", json!("$${x} 2")),
        ("[for n in [1, 2] : n * 2]", json!([2, 4])),
        ("{ for n in [1, 2] : \"k${n}\" => n }", json!({"k1": 1, "k2": 2})),
        // Every product has these functions, and they agree.
        ("upper(region)", json!("NORTH")),
        ("try(nowhere, [1])", json!("${try(nowhere, [1])}")),
        ("max(1, 2)", json!(2)),
        // Something else would come back, or not in every product.
        ("toset([\"a\"])", json!("${toset([\"a\"])}")),
        ("tomap({ a = 1 })", json!("${tomap({ a = 1 })}")),
        ("tolist([])", json!("${tolist([])}")),
        ("tonumber(\"1\")", json!("${tonumber(\"1\")}")),
        ("tostring(null)", json!("${tostring(null)}")),
        ("concat([1], [2])", json!([1, 2])),
        ("split(\",\", \"a,b\")", json!("${split(\",\", \"a,b\")}")),
        ("length([1])", json!("${length([1])}")),
        ("timestamp()", json!("${timestamp()}")),
        ("true ? null : \"a\"", json!("${true ? null : \"a\"}")),
        ("ports", json!("${ports}")),
        ("secret", json!("${secret}")),
        ("sensitive(1)", json!("${sensitive(1)}")),
        ("1 / 0", json!("${1 / 0}")),
        ("[1, toset([2])]", json!([1, "${toset([2])}"])),
        ("{ a = ports, b = 2 }", json!({"a": "${ports}", "b": 2})),
    ];
    for (text, wanted) in values {
        assert_eq!(expression(text), wanted, "{text}");
    }
    // Numbers that are read have 512 bits, and are written with fewer digits.
    let long = format!("parseint(\"1{}\", 16)", "0".repeat(140));
    assert_eq!(expression(&long), json!(format!("${{{long}}}")));
}

#[test]
fn kept_expressions_are_not_evaluated() {
    let style = JsonStyle { expressions: Expressions::Kept, ..JsonStyle::default() };
    let native = "a = 1 + 1\nb = [1, \"x\", true, null, -1]\nc = \"a${1}b\"\nd = { k = upper(\"x\"), \"q\" = 1 }\ne = region\n\
                  f = { k = region }\ng = \"${1}\"\n";
    let wanted = json!({
        "a": "${1 + 1}",
        "b": [1, "x", true, null, -1],
        "c": "a${1}b",
        "d": {"k": "${upper(\"x\")}", "q": 1},
        "e": "${region}",
        "f": {"k": "${region}"},
        "g": 1
    });
    assert_eq!(written(native, style), wanted);
}

#[test]
fn templates_stay_strings_and_interpolations_alone_stay_values() {
    let cases = [
        ("\"  ${~ v ~}  \"", "${v}${\"\"}", "\"${v}${\"\"}\""),
        ("\"${v}${\"\"}\"", "${v}${\"\"}", "\"${v}${\"\"}\""),
        ("\"${v}${w}\"", "${v}${w}", "\"${v}${w}\""),
        ("\"${~ v}\"", "${v}", "v"),
        ("\"${\"${v}\"}\"", "${v}", "v"),
        ("\"${\"${v}${\"\"}\"}\"", "${v}${\"\"}", "\"${v}${\"\"}\""),
        ("\"$${${v}\"", "$${${v}", "\"$${${v}\""),
        ("\"$${v}\"", "$${v}", "\"$${v}\""),
        // To the reader a carriage return alone makes text of all that follows it.
        ("\"\\r${v}\"", "${\"\\r\"}${v}", "\"\\r${v}\""),
        (
            "\"$\\r%{ if v }\\r%{ endif }\"",
            "${\"$\"}${\"\\r\"}%{ if v }${\"\\r\"}%{ endif }",
            "\"$\\r%{ if v }\\r%{ endif }\"",
        ),
        ("\"\\r\\n${v}\\r$${v}\"", "\r\n${v}${\"\\r\"}$${v}", "\"\\r\\n${v}\\r$${v}\""),
    ];
    for (native, string, back) in cases {
        assert_eq!(expression(native), json!(string), "{native}");
        let source = Source::json("main.json", json!({"a": string}).to_string()).expect("a small text");
        let (file, _) = parse_json(source, &ParseLimits::default());
        let (text, problems) = to_native(&file, None);
        assert!(problems.is_empty(), "{string}: {problems:?}");
        assert_eq!(text, format!("a = {back}\n"), "{string}");
    }
}

/// A module with every kind of argument that Terraform reads without evaluating it, or without names.
const READ_AS_WRITTEN: &str = r#"
variable "a" {
  type        = object({ n = optional(number, 1) })
  default     = { n = 1 + 1, "$${k}" = "$${v}" }
  description = "$${x}"
}
resource "t" "a" {
  provider   = aws.second
  depends_on = [t.b, t.c[0], t.d["x"], t.e.0]
  count      = 1 + 1
  name       = "$${x}"
  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [t.b[each.key].id]
    prevent_destroy      = true
  }
  provisioner "x" {
    when = destroy
  }
  dynamic "rule" {
    for_each = toset(["a"])
    iterator = it
    content {
      depends_on = [it.value]
    }
  }
}
module "m" {
  source    = "./$${m}"
  for_each  = toset(["a"])
  providers = { aws = aws.second, aws.x = aws }
  list      = [t.a]
}
moved {
  from = t.a
  to   = t.b["$${x}"]
}
import {
  to = t.a
  id = "${t.b.id}"
}
removed {
  from = t.gone
}
terraform {
  required_providers {
    aws = { source = "a/b", configuration_aliases = [aws.x] }
  }
}
output "o" {
  value      = t.a
  depends_on = [t.a]
}
"#;

/// The module as Terraform reads it.
fn read_as_written() -> Json {
    json!({
        "variable": {"a": [{
            "type": "object({ n = optional(number, 1) })",
            "default": {"${k}": "${v}", "n": 2},
            "description": "${x}"
        }]},
        "resource": {"t": {"a": [{
            "provider": "aws.second",
            "depends_on": ["t.b", "t.c[0]", "t.d[\"x\"]", "t.e[0]"],
            "count": 2,
            "name": "$${x}",
            "lifecycle": [{
                "ignore_changes": "all",
                "replace_triggered_by": ["t.b[each.key].id"],
                "prevent_destroy": true
            }],
            "provisioner": {"x": [{"when": "destroy"}]},
            "dynamic": {"rule": [{
                "for_each": "${toset([\"a\"])}",
                "iterator": "it",
                "content": [{"depends_on": ["${it.value}"]}]
            }]}
        }]}},
        "module": {"m": [{
            "source": "./${m}",
            "for_each": "${toset([\"a\"])}",
            "providers": {"aws": "aws.second", "aws.x": "aws"},
            "list": ["${t.a}"]
        }]},
        "moved": [{"from": "t.a", "to": "t.b[\"$${x}\"]"}],
        "import": [{"to": "t.a", "id": "${t.b.id}"}],
        "removed": [{"from": "t.gone"}],
        "terraform": [{"required_providers": [{"aws": {"source": "a/b", "configuration_aliases": ["aws.x"]}}]}],
        "output": {"o": [{"value": "${t.a}", "depends_on": ["t.a"]}]}
    })
}

#[test]
fn arguments_that_are_not_evaluated_become_what_the_product_reads() {
    assert_eq!(written(READ_AS_WRITTEN, MODULE), read_as_written());
    // A type in quotes is the type that they hold.
    let quoted = |text: &str| {
        written(&format!("variable \"a\" {{\n  type = {text}\n}}\n"), MODULE)["variable"]["a"][0]["type"]
            .clone()
    };
    assert_eq!(quoted("\"list\""), json!("list"));
    assert_eq!(quoted("list(\"string\")"), json!("list(\"string\")"));
    // Nobody else reads them so, but for the iterators of dynamic blocks, which are the language's.
    let other = written(READ_AS_WRITTEN, JsonStyle::default());
    assert_eq!(other["moved"][0]["from"], json!("${t.a}"));
    assert_eq!(other["variable"]["a"][0]["description"], json!("$${x}"));
    assert_eq!(other["resource"]["t"]["a"][0]["dynamic"]["rule"][0]["iterator"], json!("it"));
    let values = JsonStyle { reader: Reader::Values, ..MODULE };
    assert_eq!(written("a = \"$${x}\"\nb = [-1]\n", values), json!({"a": "${x}", "b": [-1]}));
}

#[test]
fn the_shape_of_blocks_does_not_depend_on_their_order() {
    let blocks = [
        "s \"a\" \"x\" {\n  n = 1\n}\n",
        "s \"b\" \"x\" {\n  n = 2\n}\n",
        "s \"a\" \"y\" {\n  n = 3\n}\n",
        "n = 4\n",
    ];
    let wanted = json!({
        "s": {"a": {"x": [{"n": 1}], "y": [{"n": 3}]}, "b": {"x": [{"n": 2}]}},
        "n": 4
    });
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [0, 2, 1, 3], [2, 3, 0, 1]] {
        let text: String = order.iter().map(|&at| blocks[at]).collect();
        assert_eq!(written(&text, JsonStyle::default()), wanted, "{text}");
    }
    // Blocks of one label keep their order.
    let repeated = "s \"a\" {\n  n = 1\n}\ns \"b\" {}\ns \"a\" {\n  n = 2\n}\n";
    assert_eq!(written(repeated, MODULE), json!({"s": {"a": [{"n": 1}, {"n": 2}], "b": [{}]}}));
    // That of provisioners means something, whatever their labels.
    let ordered =
        "resource \"t\" \"a\" {\n  provisioner \"x\" {}\n  provisioner \"y\" {}\n  provisioner \"x\" {}\n}\n";
    let provisioners = json!([{"x": [{}]}, {"y": [{}]}, {"x": [{}]}]);
    assert_eq!(written(ordered, MODULE)["resource"]["t"]["a"][0]["provisioner"], provisioners);
    let swapped =
        "resource \"t\" \"a\" {\n  provisioner \"x\" {}\n  provisioner \"x\" {}\n  provisioner \"y\" {}\n}\n";
    let provisioners = json!([{"x": [{}, {}]}, {"y": [{}]}]);
    assert_eq!(written(swapped, MODULE)["resource"]["t"]["a"][0]["provisioner"], provisioners);
}

#[test]
fn computed_keys_leave_the_whole_object_to_the_reader() {
    for text in ["{ (k) = 1, b = 2 }", "{ b = 2, (k) = 1 }", "{ \"${k}\" = 1 }", "{ k.x = 1 }"] {
        assert_eq!(expression(text), json!(format!("${{{text}}}")), "{text}");
    }
    // Of several items of one key the last counts.
    assert_eq!(expression("{ a = 1, \"a\" = 2, (\"b\") = x }"), json!({"a": 2, "b": "${x}"}));
}

/// The native syntax of a text of JSON syntax, as nobody in particular reads it.
fn native(json: &str) -> Result<String, String> {
    let source = Source::json("main.json", json).expect("a small text");
    let (file, problems) = parse_json(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{json}: {problems:?}");
    let (text, problems) = to_native(&file, None);
    match problems.first() {
        Some(problem) => {
            let start = problem.subject.as_ref().map(|place| place.start.column);
            Err(format!("{:?}: {}", start.unwrap_or_default(), problem.detail))
        }
        None => Ok(text),
    }
}

/// Spellings that JSON syntax or native syntax has no place for: the value is the same, and so is what comes of it.
#[test]
fn spellings_of_one_value_become_one() {
    for (json, back) in [
        (r#"{"a": 1.50}"#, r#"{"a": 1.5}"#),
        (r#"{"a": 1e3}"#, r#"{"a": 1000}"#),
        (r#"{"a": "${ v }"}"#, r#"{"a": "${v}"}"#),
        (r#"{"a": "x${ v }"}"#, r#"{"a": "x${v}"}"#),
        (r#"{"a": "${{a=1}}"}"#, r#"{"a": {"a": 1}}"#),
        (r#"{"a": "  ${~ v ~}  "}"#, r#"{"a": "${v}${\"\"}"}"#),
        (r#"{"//": "why", "a": 1}"#, r#"{"a": 1}"#),
        (r#"{"a": "\u0061\/"}"#, r#"{"a": "a/"}"#),
    ] {
        let text = native(json).expect("it has a form in native syntax");
        let wanted: Json = serde_json::from_str(back).expect("the text is JSON");
        let style = JsonStyle { expressions: Expressions::Kept, ..JsonStyle::default() };
        assert_eq!(written(&text, style), wanted, "{json}");
        // After that nothing changes.
        assert_eq!(written(&native(back).expect("it has a form"), style), wanted, "{back}");
    }
}

#[test]
fn names_that_native_syntax_has_not_are_keys_or_errors() {
    assert_eq!(native(r#"{"a": {"a b": 1, "": 2}}"#).as_deref(), Ok("a = {\n  \"a b\" = 1\n  \"\" = 2\n}\n"));
    assert_eq!(
        native(r#"{"a": [{"a b": 1}], "b": {"x y": [{"c": 1}]}}"#).as_deref(),
        Ok("a = [\n  {\n    \"a b\" = 1\n  },\n]\n\nb \"x y\" {\n  c = 1\n}\n")
    );
    for json in [r#"{"a b": 1}"#, r#"{"a b": [{"c": 1}]}"#] {
        let told = native(json).expect_err("it has no form in native syntax");
        assert_eq!(
            told,
            "2: Native syntax has no argument and no type of blocks named \"a b\": such names are letters, digits, \"_\" \
             and \"-\" and begin with a letter. Choose such a name, or make it a key of an object, which may be in quotes."
        );
    }
}

/// Arguments that the product reads without evaluating them come back without quotes.
#[test]
fn what_is_not_evaluated_comes_back() {
    let json = read_as_written();
    let source = Source::json("main.tf.json", json.to_string()).expect("a small text");
    let (file, _) = parse_json(source, &ParseLimits::default());
    let (native, problems) = to_native_for(&file, None, Reader::Terraform);
    assert!(problems.is_empty(), "{problems:?}");
    for line in [
        "type = object({ n = optional(number, 1) })",
        "description = \"$${x}\"",
        "provider = aws.second",
        "depends_on = [t.b, t.c[0], t.d[\"x\"], t.e[0]]",
        "ignore_changes = all",
        "replace_triggered_by = [t.b[each.key].id]",
        "when = destroy",
        "iterator = it",
        "aws.x = aws",
        "from = t.a",
        "to = t.b[\"$${x}\"]",
        "from = t.gone",
        "configuration_aliases = [aws.x]",
    ] {
        assert!(native.lines().any(|written| written.trim() == line), "{line}: {native}");
    }
    assert_eq!(written(&native, MODULE), json);
}
