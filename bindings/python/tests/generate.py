"""Generated documents, the same ones for the same seed."""

import random

NAMES = ["a", "name", "size", "for_each", "count", "tags", "zone_id", "x-y", "in_use", "kind"]
ROOTS = ["var.region", "local.tags", "aws_x.main.id", "data.y.z[0].arn", "each.value", "module.net.ids[var.i]", "x"]


PIECES = [
    '"', '\\"', "\\\\", "\\n", "\\", "\n", "$", "%", "$${", "%%{", "}", "{", "a b", "é", "#",
    "${a}", "$${b}", "${ a.b }", '${upper("c")}', '${"d${e}"}', "${ { f = 1 } }", "${[for g in h : g]}", "%{ if i }j%{ endif }",
]  # fmt: skip


class Documents:
    """Makes documents that python-hcl2 and the language both read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def name(self) -> str:
        return self.random.choice(NAMES) + self.random.choice(["", "", "1", "_b", "Z"])

    def number(self) -> str:
        return self.random.choice(["0", "1", "42", "65536", "3.25", "0.5", "1e3", "2.5e-2", "-7", "-35", "-1.5", "123456789012345678901"])

    def literal(self) -> str:
        return self.random.choice(["a", "b c", "", "x/y:z", "\\n", "\\\"q\\\"", "\\\\", "$", "%", "é✓", "$${not}", "%%{not}", "#no", "\\u00e9"])

    def string(self, depth: int) -> str:
        parts = []
        for _ in range(self.random.randint(0, 3)):
            choice = self.random.random()
            if choice < 0.6 or depth <= 0:
                parts.append(self.literal())
            elif choice < 0.93:
                space = self.random.choice(["", " "])
                parts.append("${" + space + self.expression(depth - 1) + space + "}")
            elif choice < 0.97:
                parts.append("%{ if " + self.reference() + " }y%{ else }n%{ endif }")
            else:
                parts.append("%{ for v in " + self.reference() + " }${v}%{ endfor }")
        # Between two literals "$" and "{" could meet.
        return '"' + "_".join(parts) + '"'

    def reference(self) -> str:
        return self.random.choice(ROOTS) + self.random.choice(["", "", ".id", "[0]", '["k"]', ".*.id", "[*].id", "[*].a[0]"])

    def expression(self, depth: int) -> str:
        kind = self.random.randint(0, 16 if depth > 0 else 5)
        inner = depth - 1
        if kind == 0:
            return self.number()
        if kind in (1, 2):
            return self.string(depth)
        if kind == 3:
            return self.random.choice(["true", "false", "null"])
        if kind in (4, 5):
            return self.reference()
        if kind == 6:
            return "(" + self.expression(inner) + ")"
        if kind in (7, 8):
            operator = self.random.choice(["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"])
            return f"{self.term(inner)} {operator} {self.term(inner)}"
        if kind == 9:
            return f"{self.term(inner)} ? {self.expression(inner)} : {self.expression(inner)}"
        if kind in (10, 11):
            arguments = [self.expression(inner) for _ in range(self.random.randint(0, 3))]
            expands = "..." if arguments and self.random.random() < 0.1 else ""
            return f"{self.random.choice(['upper', 'join', 'merge', 'lookup'])}({', '.join(arguments)}{expands})"
        if kind == 12:
            names = self.random.choice(["v", "k, v"])
            condition = self.random.choice(["", " if v != null"])
            return f"[for {names} in {self.reference()} : {self.term(inner)}{condition}]"
        if kind == 13:
            grouping = self.random.choice(["", "..."])
            return f"{{for k, v in {self.reference()} : k => {self.term(inner)}{grouping}}}"
        if kind == 14:
            return self.random.choice(["!", "-"]) + self.reference()
        if kind == 15:
            return self.tuple(inner)
        return self.object(inner)

    def term(self, depth: int) -> str:
        return self.random.choice([self.reference(), f"f({self.reference()})", self.string(depth), f"({self.expression(depth)})"])

    def tuple(self, depth: int) -> str:
        elements = [self.expression(depth) for _ in range(self.random.randint(0, 4))]
        if self.random.random() < 0.3:
            comments = [self.random.choice(["", " # of it", " // too"]) for _ in elements]
            return "[\n" + "".join(f"    {one},{comment}\n" for one, comment in zip(elements, comments)) + "  ]"
        return "[" + ", ".join(elements) + "]"

    def object(self, depth: int) -> str:
        keys = [self.random.choice([self.name(), f'"{self.name()}"', f"({self.reference()})", str(self.random.randint(0, 9))]) for _ in range(3)]
        items = [f"{key} {self.random.choice(['=', ':'])} {self.expression(depth)}" for key in keys[: self.random.randint(0, 3)]]
        if self.random.random() < 0.5:
            return "{\n" + "".join(f"    {item}{self.random.choice(['', ',', ' # c'])}\n" for item in items) + "  }"
        return "{ " + ", ".join(items) + " }"

    def heredoc(self) -> str:
        flush = self.random.choice(["", "-"])
        lines = [self.random.choice(["  text", "    more ${var.x}", "", "x \"y\" \\z", "\ttab"]) for _ in range(self.random.randint(0, 4))]
        return f"<<{flush}EOT\n" + "".join(line + "\n" for line in lines) + "  EOT" * (flush == "-") + "EOT" * (flush == "")

    def comment(self, indentation: str) -> str:
        return self.random.choice(
            ["", "", "", f"{indentation}# alone\n", f"{indentation}// slashes\n", f"{indentation}/* block */\n", "\n", f"{indentation}/* a\n b */\n"]
        )

    def body(self, depth: int, indentation: str) -> str:
        out = []
        used = set()
        for _ in range(self.random.randint(0 if depth < 3 else 1, 5)):
            out.append(self.comment(indentation))
            if depth > 0 and self.random.random() < 0.4:
                labels = "".join(" " + self.random.choice([f'"{self.name()}"', self.name(), '"a.b/c"']) for _ in range(self.random.randint(0, 2)))
                inner = self.body(depth - 1, indentation + "  ")
                out.append(f"{indentation}blk_{self.name()}{labels} {{\n{inner}{indentation}}}\n")
                continue
            name = self.name()
            if name in used:
                continue
            used.add(name)
            value = self.heredoc() if self.random.random() < 0.05 else self.expression(3)
            tail = self.random.choice(["", "", "", " # why", " // why"]) if not value.endswith("EOT") else ""
            out.append(f"{indentation}{name}{self.random.choice([' ', '   '])}= {value}{tail}\n")
        return "".join(out)

    def document(self) -> str:
        return self.body(3, "")

    def hard_text(self) -> str:
        """A text of a dict that may be a string with its quotes, an expression, or neither."""
        before, after = self.random.choice([('"', '"')] * 6 + [("", ""), ("${", "}"), ('"', ""), ("<<EOT\n", "\nEOT")])
        return before + "".join(self.random.choice(PIECES) for _ in range(self.random.randint(0, 4))) + after

    def hard_data(self) -> dict:
        """A dict with one such text: as a value, in a list, as a value or a key of an object, as a label."""
        text = self.hard_text()
        return self.random.choice([{"x": text}, {"x": [1, text]}, {"x": {"k": text}}, {"x": {text: 1}}, {"x": [{text: {"__is_block__": True}}]}])
