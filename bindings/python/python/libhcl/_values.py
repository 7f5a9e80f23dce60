"""Values of the language that Python has no class for, and the error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

if TYPE_CHECKING:
    from ._libhcl import Diagnostic, Range

__all__ = ["Block", "Capsule", "Expression", "FoundBlock", "HclError", "Sensitive", "Unknown"]


class HclError(ValueError):
    """A text, a value or an evaluation is wrong; ``str()`` shows where, with a snippet.

    >>> from libhcl import loads
    >>> try:
    ...     loads("port = \\n")
    ... except HclError as error:
    ...     print(error.diagnostics[0].range)
    <text>:1,8
    """

    def __init__(self, text: str, diagnostics: Optional[List["Diagnostic"]] = None) -> None:
        super().__init__(text)
        #: What is wrong, in the order in which it was found.
        self.diagnostics: List["Diagnostic"] = diagnostics if diagnostics is not None else []

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


class Expression(str):
    """The source of an expression: what `loads` gives for values that depend on names, and `dumps` writes in canonical form.

    >>> from libhcl import dumps
    >>> dumps({"size": Expression("var.size + 1")})
    'size = var.size + 1\\n'

    `range` is its place in the text that it was read from, or None; what is compiled from it reports mistakes there.
    """

    #: The place in a text.
    range: Optional["Range"] = None

    def __repr__(self) -> str:
        return f"Expression({str.__repr__(self)})"


class Block(Dict[str, Any]):
    """The content of a block: a dict that `dumps` writes as a block.

    >>> from libhcl import dumps
    >>> print(dumps({"server": [{"a": Block(port=80)}]}), end="")
    server "a" {
      port = 80
    }
    """


class FoundBlock(NamedTuple):
    """A block of a `Document`, as `Document.blocks` lists it."""

    type: str
    labels: Tuple[str, ...]
    #: The place of the header.
    range: "Range"
    #: The path that names the block alone, for `get`, `set` and `blocks`.
    path: str


class Unknown:
    """A value that is not known yet, perhaps of a known type, written as in the language: ``Unknown("list(string)")``."""

    __slots__ = ("type",)

    def __init__(self, type: str = "any") -> None:
        self.type = type

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.type,)

    def __repr__(self) -> str:
        return f"Unknown({self.type!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and other.type == self.type

    def __hash__(self) -> int:
        return hash((Unknown, self.type))

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false")


class Sensitive:
    """A value that is not to be shown; what is computed from it is sensitive too.

    It is neither true nor false, so that no condition takes the place of its `value` by mistake.

    >>> Sensitive("hunter2")
    Sensitive(...)
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.value,)

    def __repr__(self) -> str:
        return "Sensitive(...)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sensitive) and bool(other.value == self.value)

    def __hash__(self) -> int:
        return hash((Sensitive, self.value))

    def __bool__(self) -> bool:
        raise TypeError("a sensitive value is neither true nor false; its `value` may be")


class Capsule:
    """An object of Python that expressions pass on to functions of Python without looking into it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.value,)

    def __repr__(self) -> str:
        return f"Capsule({self.value!r})"
