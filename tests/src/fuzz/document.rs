//! Bodies, and specifications that decode them, that choices write.

use super::choices::Choices;
use super::expression::Writer;

const NAMES: [&str; 4] = ["a", "b", "name", "for_each"];
const BLOCKS: [&str; 4] = ["service", "item", "dynamic", "content"];
const LABELS: [&str; 5] = ["", " \"x\"", " \"service\"", " \"item\"", " x \"y\""];
const TYPES: [&str; 7] = [
    "string",
    "number",
    "any",
    "list(string)",
    "map(any)",
    "object({a = optional(string, \"d\")})",
    "set(number)",
];

/// Attributes and blocks.
pub(super) fn body(choices: &mut Choices<'_>, functions: &[String], depth: u32, out: &mut String) {
    for _ in 0..choices.below(5) {
        if depth < 4 && choices.below(2) == 1 {
            let (block, label) = (choices.of(&BLOCKS), choices.of(&LABELS));
            out.push_str(block);
            out.push_str(label);
            out.push_str(" {\n");
            body(choices, functions, depth + 1, out);
            out.push_str("}\n");
        } else {
            out.push_str(choices.of(&NAMES));
            out.push_str(" = ");
            let mut writer = Writer::new(choices, functions);
            writer.expression();
            out.push_str(&writer.out);
            out.push('\n');
        }
    }
}

/// A specification, nested under a key of the object around it.
pub(super) fn spec(choices: &mut Choices<'_>, depth: u32, out: &mut String) {
    let kinds = if depth < 4 { 13 } else { 4 };
    let kind = choices.below(kinds);
    let key = choices.of(&["", " \"a\"", " \"b\"", " \"item\""]);
    let words = [
        "attr",
        "literal",
        "block_label",
        "block_attrs",
        "object",
        "array",
        "block",
        "block_list",
        "block_set",
        "block_map",
        "default",
        "block_tuple",
        "transform",
    ];
    out.push_str(words[kind]);
    out.push_str(key);
    out.push_str(" {\n");
    match words[kind] {
        "attr" => {
            out.push_str(&format!("name = \"{}\"\ntype = {}\n", choices.of(&NAMES), choices.of(&TYPES)));
            out.push_str(choices.of(&["", "required = true\n"]));
        }
        "literal" => {
            out.push_str(choices.of(&["value = 1\n", "value = \"x\"\n", "value = null\n", "value = [a]\n"]));
        }
        "block_label" => out.push_str(&format!("index = {}\nname = \"l\"\n", choices.below(3))),
        "block_attrs" => out.push_str(&format!(
            "block_type = \"{}\"\nelement_type = {}\n",
            choices.of(&BLOCKS),
            choices.of(&TYPES)
        )),
        "object" | "array" | "default" => {
            for _ in 0..choices.below(4) {
                spec(choices, depth + 1, out);
            }
        }
        "transform" => {
            out.push_str(choices.of(&[
                "result = nested\n",
                "result = upper(nested)\n",
                "result = [nested, nested]\n",
            ]));
            spec(choices, depth + 1, out);
        }
        word => {
            out.push_str(&format!("block_type = \"{}\"\n", choices.of(&BLOCKS)));
            out.push_str(match word {
                "block_map" => choices.of(&["labels = [\"l\"]\n", "labels = [\"k\", \"l\"]\n"]),
                "block" => choices.of(&["", "required = true\n"]),
                _ => choices.of(&["", "min_items = 1\n", "max_items = 1\n"]),
            });
            spec(choices, depth + 1, out);
        }
    }
    out.push_str("}\n");
}
