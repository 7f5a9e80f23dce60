"""Parts of a text, as `decode` reads them, with their places."""

from __future__ import annotations

import decimal
from typing import Any, Dict, List, Optional, Tuple

from . import _libhcl
from ._values import Block, Sensitive, Unknown

#: Where a part begins and ends, in bytes of the text.
Place = Tuple[int, int]


class Part:
    """A part of a text: an expression, blocks of one name, a computed value."""

    place: Place

    def blocks(self) -> Optional[List["Part"]]:
        """The parts that may each be a block; None for what is no block in either syntax."""
        return None

    def elements(self) -> Optional[List["Part"]]:
        return None

    def entries(self) -> Optional[List[Tuple[str, "Part"]]]:
        return None

    def loaded(self) -> Any:
        """The value as `loads` gives it."""
        raise NotImplementedError

    def value(self) -> Any:
        """The value with exact numbers."""
        return self.loaded()

    def said(self) -> str:
        """The part as messages call it."""
        value = self.value()
        if value is None or isinstance(value, bool):
            return quoted(value)
        if isinstance(value, (int, float, decimal.Decimal)):
            return str(value)
        if isinstance(value, str):
            return f"the text {shortened(str(value))!r}"
        known = {list: "a list", dict: "an object", Sensitive: "a sensitive value", Unknown: "an unknown value"}
        return known.get(type(value), f"a value of type {type(value).__name__}")


class Plain(Part):
    """A part of a value that has been computed."""

    def __init__(self, value: Any, place: Place, is_exact: bool) -> None:
        self.place = place
        self._value = value
        self._is_exact = is_exact

    def elements(self) -> Optional[List[Part]]:
        if not isinstance(self._value, list):
            return None
        return [Plain(one, self.place, self._is_exact) for one in self._value]

    def entries(self) -> Optional[List[Tuple[str, Part]]]:
        if not isinstance(self._value, dict):
            return None
        return [(name, Plain(one, self.place, self._is_exact)) for name, one in self._value.items()]

    def loaded(self) -> Any:
        return self._value if self._is_exact else inexact(self._value)

    def value(self) -> Any:
        return self._value


class Written(Part):
    """An expression, or a value of JSON."""

    def __init__(self, node: "_libhcl.Node", place: Place, is_exact: bool) -> None:
        self.place = place
        self.node = node
        self._is_exact = is_exact
        self._made: Optional[Part] = None

    def _part(self, node: "_libhcl.Node", place: Place) -> Part:
        return Written(node, place, self._is_exact)

    def _computed(self) -> Part:
        if self._made is None:
            self._made = Plain(self.node.value(), self.place, self._is_exact)
        return self._made

    def blocks(self) -> Optional[List[Part]]:
        # In JSON syntax a block is an object, and several are an array of them.
        if not self.node.is_json:
            return None
        elements = self.elements()
        if elements is None:
            return None if self.entries() is None else [self]
        return elements if all(one.entries() is not None for one in elements) else None

    def elements(self) -> Optional[List[Part]]:
        nodes = self.node.elements()
        if nodes is None:
            return None if self.node.entries() is not None else self._computed().elements()
        return [self._part(node, node.place) for node in nodes]

    def entries(self) -> Optional[List[Tuple[str, Part]]]:
        nodes = self.node.entries()
        if nodes is None:
            return None if self.node.elements() is not None else self._computed().entries()
        return [(name, self._part(node, place)) for name, place, node in nodes]

    def loaded(self) -> Any:
        return self.node.loaded()

    def value(self) -> Any:
        return self._computed().value()


class OneBlock(Part):
    """A block of native syntax, below some of its labels; the whole text is one without a name."""

    def __init__(self, reader: "_libhcl.Reader", place: Place, labels: List[Tuple[str, Place]], content: List[Any]) -> None:
        self.place = place
        self.labels = labels
        self._reader = reader
        self._content = content

    def blocks(self) -> Optional[List[Part]]:
        return [self]

    def elements(self) -> Optional[List[Part]]:
        return [self]

    def unlabelled(self) -> "OneBlock":
        """The block below its first label."""
        return OneBlock(self._reader, self.place, self.labels[1:], self._content)

    def has_attributes(self) -> bool:
        return any(len(item) == 3 for item in self._content)

    def entries(self) -> Optional[List[Tuple[str, Part]]]:
        if self.labels:
            return [(self.labels[0][0], self.unlabelled())]
        found: Dict[str, Part] = {}
        for name, place, *rest in self._content:
            before = found.get(name)
            if isinstance(before, Several) and len(rest) == 2:
                before.parts.append(OneBlock(self._reader, place, rest[0], rest[1]))
            elif before is not None:
                raise self._reader.complaint("unsuitable", place, f"The name {name!r} is that of an attribute and of blocks.")
            elif len(rest) == 2:
                found[name] = Several([OneBlock(self._reader, place, rest[0], rest[1])])
            else:
                found[name] = Written(rest[0], place, self._reader.is_exact)
        return list(found.items())

    def loaded(self) -> Any:
        data = {name: part.loaded() for name, part in self.entries() or ()}
        return data if self.labels else Block(data)

    def said(self) -> str:
        return "a block"


class Several(Part):
    """All parts under one name: the blocks of a type, or of a type and labels."""

    def __init__(self, parts: List[Part], label: Optional[str] = None) -> None:
        self.parts = parts
        self.label = label
        self.place = parts[0].place

    def blocks(self) -> Optional[List[Part]]:
        return self.parts

    def elements(self) -> Optional[List[Part]]:
        return self.parts

    def loaded(self) -> Any:
        return [part.loaded() for part in self.parts]

    def said(self) -> str:
        return "a block" if len(self.parts) == 1 else f"{len(self.parts)} blocks"


def place_in(part: Part, path: Any) -> Place:
    """The place that a path of names and positions leads to, as far as it leads."""
    for step in path:
        if isinstance(step, int):
            found = (part.elements() or [])[step : step + 1]
        else:
            found = [one for block in part.blocks() or [part] for name, one in block.entries() or () if name == step]
        if not found:
            break
        part = found[0]
    return part.place


def quoted(value: Any) -> str:
    return {None: "null", True: "true", False: "false"}[value] if value is None or type(value) is bool else repr(value)


def inexact(value: Any) -> Any:
    """A value whose numbers are those of `loads`."""
    if isinstance(value, list):
        return [inexact(one) for one in value]
    if isinstance(value, dict):
        return {key: inexact(one) for key, one in value.items()}
    return float(value) if isinstance(value, decimal.Decimal) else value


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
