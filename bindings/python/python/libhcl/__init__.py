"""HCL for Python: read, evaluate, edit and write the language of Terraform, Packer and Nomad.

>>> import libhcl
>>> libhcl.loads('port = 8000 + 80')
{'port': 8080}
>>> libhcl.evaluate("[for n in names : upper(n)]", names=["a", "b"])
['A', 'B']
"""

from __future__ import annotations

import os
from typing import IO, Any, Callable, Mapping, Optional, Union

from . import _libhcl
from ._decode import decode
from ._libhcl import Column, Diagnostic, Document, Program, Range, __version__, dumps, evaluate, format, loads
from ._module import Module
from ._values import Block, Capsule, Expression, HclError, Sensitive, Unknown

__all__ = [
    "Block",
    "Capsule",
    "Column",
    "Diagnostic",
    "Document",
    "Expression",
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
    syntax: Optional[str] = None,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    dialect: str = "terraform",
    timeout: Optional[float] = None,
    max_steps: Optional[int] = None,
    numbers: str = "float",
    expressions: str = "object",
    blocks: str = "lists",
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
    syntax: Optional[str] = None,
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
    expression: Union[str, bytes],
    *,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    dialect: str = "terraform",
    files: Any = None,
    allow: Any = None,
    timeout: Optional[float] = None,
    max_steps: Optional[int] = None,
    numbers: str = "float",
) -> Program:
    """An expression that is evaluated again and again: called with its names as keyword arguments.

    >>> area = compile("width * height")
    >>> area(width=3, height=4)
    12
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
