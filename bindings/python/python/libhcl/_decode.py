"""Texts of HCL as instances of classes, by their annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Type, TypeVar, Union, cast

from . import _libhcl
from ._annotations import Kinds
from ._kinds import Decoder, Record

if TYPE_CHECKING:
    from ._libhcl import _Numbers, _Syntax

__all__ = ["decode"]

T = TypeVar("T")


def decode(
    cls: Type[T],
    text: Union[str, bytes, "_libhcl.Document"],
    *,
    filename: Optional[str] = None,
    syntax: _Syntax = None,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    dialect: str = "terraform",
    timeout: Optional[float] = None,
    max_steps: Optional[int] = None,
    numbers: _Numbers = "float",
) -> T:
    """A text as an instance of a class: of a dataclass, a TypedDict, a NamedTuple, or another class with annotations that takes
    its fields as keyword arguments, such as one of attrs or pydantic. The options are those of `loads`; a `Document` has its
    `filename` and `syntax` already.

    A field is an attribute or the blocks of a type: one block for a class, several for a list of it, those with labels for a
    dict of it by their labels, `Dict[str, Dict[str, C]]` for two, `Dict[str, List[C]]` for several blocks of one label. A
    value is of the type that is annotated and is not converted to it; `Decimal` fields have all digits. An `Expression` field
    keeps the source and its place. Enumerations are read by value, dates and times from ISO 8601. Another class, as `UUID`,
    `IPv4Address`, `Fraction` or `Path`, is called with the text.

    What does not fit is an `HclError` with all mistakes at their places, with what the class itself says against a value
    (`ValueError`) too. An annotation that is not understood is a `TypeError`.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Server:
    ...     port: int
    ...     host: str = "localhost"
    >>> decode(Server, 'port = 80')
    Server(port=80, host='localhost')
    """
    if isinstance(text, _libhcl.Document) and not (filename is None and syntax is None):
        raise TypeError("a Document has its filename and its syntax already")
    kind = Kinds().of(cls, None)
    if not isinstance(kind, Record):
        raise TypeError(f"{cls!r} has no annotations to decode by")
    reader = _libhcl.Reader(
        text,
        filename=filename or "<text>",
        syntax=syntax,
        variables=variables,
        functions=functions,
        dialect=dialect,
        timeout=timeout,
        max_steps=max_steps,
        numbers=numbers,
    )
    return cast(T, Decoder(reader).decode(kind))
