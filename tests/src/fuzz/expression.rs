//! Expressions that choices write.

use super::choices::Choices;

/// How deep expressions nest at most.
const DEEPEST: u32 = 6;

/// Names in scope; [`super::evaluate`] gives them values.
pub(super) const VARIABLES: [&str; 14] = [
    "n",
    "s",
    "b",
    "nothing",
    "list",
    "set",
    "map",
    "object",
    "tuple",
    "unknown",
    "unknown_list",
    "any",
    "secret",
    "empty",
];

const BINARY: &[&str] = &["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
const WORDS: [&str; 8] = ["a", "b", "name", "0", "key", "for", "null", "é"];
const TYPES: [&str; 10] = [
    "string",
    "number",
    "bool",
    "any",
    "list(string)",
    "set(any)",
    "map(number)",
    "tuple([string, any])",
    "object({a = string, b = optional(number, 1)})",
    "list(object({name = optional(string)}))",
];

/// A text in the making.
pub(super) struct Writer<'c, 'b> {
    choices: &'c mut Choices<'b>,
    /// The functions that are called.
    functions: &'c [String],
    pub(super) out: String,
    depth: u32,
}

impl<'c, 'b> Writer<'c, 'b> {
    pub(super) fn new(choices: &'c mut Choices<'b>, functions: &'c [String]) -> Self {
        Self { choices, functions, out: String::new(), depth: 0 }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self) {
        let name = self.choices.of(&WORDS);
        self.push(name);
    }

    /// An expression.
    pub(super) fn expression(&mut self) {
        if self.depth == DEEPEST || !self.choices.has_more() {
            return self.leaf();
        }
        self.depth += 1;
        match self.choices.below(17) {
            0..3 => self.leaf(),
            3 => self.template(),
            4 => self.operation(),
            5 => {
                let operator = self.choices.of(&["!", "-"]);
                self.push(operator);
                self.expression();
            }
            6 => {
                self.expression();
                self.push(" ? ");
                self.expression();
                self.push(" : ");
                self.expression();
            }
            7..10 => self.call(),
            10 => self.sequence("[", "]", Self::expression),
            11 => self.sequence("{", "}", Self::item),
            12 => self.for_expression(),
            13 => {
                self.expression();
                self.push("[");
                self.expression();
                self.push("]");
            }
            14 => {
                self.expression();
                let step = self
                    .choices
                    .of(&[".a", ".b", ".name", ".0", "[0]", "[\"a\"]", "[*]", ".*", "[*].a", ".*.a"]);
                self.push(step);
            }
            15 => {
                self.push("(");
                self.expression();
                self.push(")");
            }
            _ => self.heredoc(),
        }
        self.depth -= 1;
    }

    fn leaf(&mut self) {
        match self.choices.below(6) {
            0 => {
                let number = self.choices.number();
                self.push(&number);
            }
            1 => {
                let word = self.choices.of(&["true", "false", "null"]);
                self.push(word);
            }
            2 => {
                let text = self.choices.of(&[
                    "\"\"",
                    "\"a\"",
                    "\"1\"",
                    "\"true\"",
                    "\"é\\n\"",
                    "\"%d %s\"",
                    "\"2020-01-01T00:00:00Z\"",
                ]);
                self.push(text);
            }
            3 => {
                let ty = self.choices.of(&TYPES);
                self.push(ty);
            }
            _ => {
                let name = self.choices.of(&VARIABLES);
                self.push(name);
            }
        }
    }

    fn operation(&mut self) {
        self.expression();
        let operator = self.choices.of(BINARY);
        self.push(" ");
        self.push(operator);
        self.push(" ");
        self.expression();
    }

    fn call(&mut self) {
        let functions = self.functions;
        let name = functions.get(self.choices.below(functions.len())).map_or("nothing", String::as_str);
        self.push(name);
        self.sequence("(", ")", Self::expression);
        if self.choices.below(8) == 1 && self.out.ends_with(", )") {
            self.out.truncate(self.out.len() - 3);
            self.push("...)");
        }
    }

    /// Parts with a comma behind each.
    fn sequence(&mut self, open: &str, close: &str, part: fn(&mut Self)) {
        self.push(open);
        for _ in 0..self.choices.below(4) {
            part(self);
            self.push(", ");
        }
        self.push(close);
    }

    fn item(&mut self) {
        match self.choices.below(3) {
            0 => self.name(),
            1 => {
                self.push("(");
                self.expression();
                self.push(")");
            }
            _ => self.template(),
        }
        self.push(" = ");
        self.expression();
    }

    fn for_expression(&mut self) {
        let is_object = self.choices.below(2) == 1;
        self.push(if is_object { "{for k, v in " } else { "[for v in " });
        self.expression();
        self.push(" : ");
        if is_object {
            self.expression();
            self.push(" => ");
        }
        self.expression();
        if is_object && self.choices.below(3) == 1 {
            self.push("...");
        }
        if self.choices.below(3) == 1 {
            self.push(" if ");
            self.expression();
        }
        self.push(if is_object { "}" } else { "]" });
    }

    /// A template in quotes.
    fn template(&mut self) {
        self.push("\"");
        self.parts(false);
        self.push("\"");
    }

    fn heredoc(&mut self) {
        let open = self.choices.of(&["<<E\n", "<<-E\n  "]);
        self.push(open);
        self.parts(true);
        self.push("\nE\n");
    }

    /// The parts of a template, which may be of several lines and of any characters where it is bare.
    pub(super) fn parts(&mut self, is_bare: bool) {
        for _ in 0..self.choices.below(5) {
            match self.choices.below(8) {
                0 => {
                    let text = self.choices.of(&["a", " ", "$${", "%%{", "$", "%", "é", "}", "~"]);
                    self.push(text);
                }
                1 if is_bare => {
                    let text = self.choices.text();
                    self.push(text);
                }
                1 => {
                    let text = self.choices.of(&["\\n", "\\\"", "\\\\", "\\u00e9", "\\U0001F600", "\\t"]);
                    self.push(text);
                }
                2 if is_bare => self.push("\n  "),
                3 => {
                    let open = self.choices.of(&["%{ if b }", "%{ if b ~}", "%{~ if "]);
                    self.push(open);
                    if open.ends_with("if ") {
                        self.expression();
                        self.push(" }");
                    }
                    self.parts_of_directive(is_bare);
                    if self.choices.below(2) == 1 {
                        self.push("%{ else }");
                        self.parts_of_directive(is_bare);
                    }
                    self.push("%{ endif }");
                }
                4 => {
                    self.push("%{ for v in ");
                    self.expression();
                    self.push(" ~}");
                    self.parts_of_directive(is_bare);
                    self.push("%{ endfor ~}");
                }
                _ => {
                    let (open, close) = self.choices.of(&[("${", "}"), ("${~ ", " ~}")]);
                    self.push(open);
                    self.expression();
                    self.push(close);
                }
            }
        }
    }

    fn parts_of_directive(&mut self, is_bare: bool) {
        if self.depth < DEEPEST {
            self.depth += 1;
            self.parts(is_bare);
            self.depth -= 1;
        }
    }
}
