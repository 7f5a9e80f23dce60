"""HCL for Python: read, evaluate, edit and write the language of Terraform, Packer and Nomad.

>>> import libhcl
>>> libhcl.loads('port = 8000 + 80')
{'port': 8080}
>>> libhcl.evaluate("[for n in names : upper(n)]", names=["a", "b"])
['A', 'B']
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

from . import _libhcl
from ._decode import decode
from ._libhcl import Column, Diagnostic, Document, Program, Range, __version__, dumps, evaluate, format, loads
from ._module import Module
from ._values import Block, Capsule, Expression, FoundBlock, HclError, Sensitive, Unknown

if TYPE_CHECKING:
    from ._libhcl import _Allow, _Blocks, _Expressions, _Files, _Numbers, _Syntax

__all__ = [
    "Block",
    "Capsule",
    "Column",
    "Diagnostic",
    "Document",
    "Expression",
    "FoundBlock",
    "HclError",
    "Module",
    "Program",
    "Range",
    "Sensitive",
    "Unknown",
    "__version__",
    "compile",
    "decode",
    "dump",
    "dumps",
    "evaluate",
    "format",
    "load",
    "loads",
    "parse",
]

_Path = Union[str, "os.PathLike[str]"]


def _read(file: Union[_Path, IO[Any]], filename: Optional[str]) -> "tuple[Union[str, bytes], str]":
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return opened.read(), filename or os.fspath(file)
    if not hasattr(file, "read"):
        raise TypeError(f"file is to be a path or a file object, not {type(file).__name__}")
    name = getattr(file, "name", None)
    return file.read(), filename or (name if isinstance(name, str) else "<text>")


def load(
    file: Union[_Path, IO[Any]],
    *,
    filename: Optional[str] = None,
    syntax: _Syntax = None,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    dialect: str = "terraform",
    timeout: Optional[float] = None,
    max_steps: Optional[int] = None,
    numbers: _Numbers = "float",
    expressions: _Expressions = "object",
    blocks: _Blocks = "lists",
) -> Any:
    """The content of a file, given by its path or as a file object, as `loads` gives it; its options are those of `loads`.

    >>> import io
    >>> load(io.StringIO("a = 1"))
    {'a': 1}
    """
    text, name = _read(file, filename)
    return loads(
        text,
        filename=name,
        syntax=syntax,
        variables=variables,
        functions=functions,
        dialect=dialect,
        timeout=timeout,
        max_steps=max_steps,
        numbers=numbers,
        expressions=expressions,
        blocks=blocks,
    )


def parse(
    text: Union[str, bytes],
    *,
    filename: str = "<text>",
    syntax: _Syntax = None,
    timeout: Optional[float] = None,
) -> Document:
    """A text that is read and edited in place.

    >>> doc = parse("a = 1 # one\\n")
    >>> doc.set("a", 2)
    >>> doc.text
    'a = 2 # one\\n'
    """
    return Document(text, filename=filename, syntax=syntax, timeout=timeout)


def dump(data: Mapping[str, Any], file: Union[_Path, IO[str]]) -> None:
    """Writes what `dumps` gives to a file, given by its path or as a file object.

    >>> import sys
    >>> dump({"a": 1}, sys.stdout)
    a = 1
    """
    text = dumps(data)
    if isinstance(file, (str, os.PathLike)):
        with open(file, "w", encoding="utf-8", newline="") as opened:
            opened.write(text)
    else:
        file.write(text)


def compile(
    expression: Any,
    *,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    dialect: str = "terraform",
    files: _Files = None,
    allow: _Allow = None,
    timeout: Optional[float] = None,
    max_steps: Optional[int] = None,
    numbers: _Numbers = "float",
) -> Program:
    """An expression that is evaluated again and again: called with its names as keyword arguments, or with a mapping of them.

    A string is the source of the expression. An `Expression` that was read from a text is compiled where it stands: mistakes
    have their places in that text. Another value, as `loads` gives it for what needs no names, is a constant; for strings
    among those use `decode` with a field of type `Expression`. The options are those of `evaluate`.

    >>> area = compile("width * height")
    >>> area(width=3, height=4)
    12
    >>> area({"width": 2, "height": 2})
    4
    """
    return Program(
        expression,
        functions=functions,
        dialect=dialect,
        files=files,
        allow=allow,
        timeout=timeout,
        max_steps=max_steps,
        numbers=numbers,
    )
