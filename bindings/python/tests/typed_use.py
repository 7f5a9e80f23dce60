"""What a program that uses the package looks like to type checkers; it is checked, not run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

import libhcl
from libhcl import Block, Diagnostic, Document, Expression, FoundBlock, HclError, Module, Program, Range, Sensitive, Unknown, hcl2


@dataclass
class Server:
    port: int


def reading() -> List[Range]:
    document: Document = libhcl.parse(b"a = 1", filename="a.hcl", timeout=1.5)
    data: Dict[str, object] = document.to_dict(numbers="decimal", blocks="labels")
    libhcl.load(Path("a.hcl"), variables={"n": 1}, expressions="text")
    document.set("a", [1, Expression("var.x"), data])
    place: Range = document.range_of("a")
    count: int = document.remove("a", all=True)
    blocks: List[FoundBlock] = document.blocks("server")
    place = min([place, *(block.range for block in blocks if block.labels == ("web",))])
    return [place] * count


def words_that_are_none() -> None:
    libhcl.loads("a = 1", blocks="bogus")  # type: ignore[arg-type]
    libhcl.evaluate("1", allow="everything")  # type: ignore[arg-type]


def evaluating(table: object, place: Range) -> str:
    program: Program = libhcl.compile("f(x)", functions={"f": len}, max_steps=10)
    names: str = ", ".join(program.names)
    libhcl.evaluate("x", {"x": Unknown("string")}, y=Sensitive(1), files=["."], allow="time")
    expression = Expression("f(x)")
    expression.range = place
    where: Optional[Range] = libhcl.compile(expression).over(table)[0] or expression.range
    answers: List[object] = [*program.over(table)]
    return names + str(program(x="a")) + str(program({"x": "a"})) + str(where) + str(answers)


def deciding() -> int:
    server: Server = libhcl.decode(Server, "port = 80", filename="a.hcl", variables={"n": 1}, numbers="decimal")
    return server.port


def failing() -> List[Diagnostic]:
    try:
        libhcl.loads("a = ")
    except HclError as error:
        lines: List[int] = [one.range.start_line for one in error.diagnostics if one.range is not None]
        assert lines
        return error.diagnostics
    return []


def writing() -> str:
    text: str = libhcl.dumps({"server": [{"web": Block(port=80)}]})
    return libhcl.format(text, style="terraform")


def modules() -> List[str]:
    module = Module(Path("."), var={"n": 1})
    values: Dict[str, object] = dict(module.local)
    return list(module.output) + list(values) + [one.code for one in module.check()]


def dropping_in() -> Dict[str, object]:
    options = hcl2.SerializationOptions(with_comments=False)
    return hcl2.loads("a = 1", serialization_options=options)
