"""The functions of python-hcl2: ``from libhcl import hcl2`` in place of ``import hcl2``.

Results are those of python-hcl2 8.1; what differs is named in docs/python-from-python-hcl2.md.

>>> loads('name = "a"')
{'name': '"a"'}
>>> dumps({"name": '"a"'})
'name = "a"\\n'
"""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, TextIO, Tuple

from ._libhcl import hcl2_expression, hcl2_loads

__all__ = [
    "Builder",
    "DeserializerOptions",
    "FormatterOptions",
    "SerializationOptions",
    "StartRule",
    "dump",
    "dumps",
    "from_dict",
    "from_json",
    "load",
    "loads",
    "parse",
    "parse_to_tree",
    "parses",
    "parses_to_tree",
    "reconstruct",
    "serialize",
    "transform",
]

IS_BLOCK = "__is_block__"
_RESERVED = (IS_BLOCK, "__comments__", "__inline_comments__")


@dataclass
class SerializationOptions:
    """How documents are given as dicts."""

    with_comments: bool = True
    with_meta: bool = False
    wrap_objects: bool = False
    wrap_tuples: bool = False
    explicit_blocks: bool = True
    preserve_heredocs: bool = True
    force_operation_parentheses: bool = False
    preserve_scientific_notation: bool = True
    strip_string_quotes: bool = False


@dataclass
class DeserializerOptions:
    """How dicts are read."""

    heredocs_to_strings: bool = False
    strings_to_heredocs: bool = False
    object_elements_colon: bool = False
    object_elements_trailing_comma: bool = True


@dataclass
class FormatterOptions:
    """How text is laid out."""

    indent_length: int = 2
    open_empty_blocks: bool = True
    open_empty_objects: bool = False
    open_empty_tuples: bool = False
    vertically_align_attributes: bool = True
    vertically_align_object_elements: bool = True


_DEFAULT = SerializationOptions()


class StartRule:
    """A document between reading and writing; `serialize` and `reconstruct` take it. Its text is read when it is made."""

    def __init__(self, text: str, *, discard_comments: bool = False) -> None:
        self.text = text
        self.discard_comments = discard_comments
        # Mistakes are told now, as python-hcl2 does.
        hcl2_loads(text, _DEFAULT)

    def serialize(self, options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
        """The document as a dict."""
        result = hcl2_loads(self.text, options or _DEFAULT)
        return _without_comments(result) if self.discard_comments else result


def _without_comments(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_comments(one) for key, one in value.items() if key not in _RESERVED[1:]}
    return [_without_comments(one) for one in value] if isinstance(value, list) else value


def load(file: TextIO, *, serialization_options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
    """The content of a file as a dict."""
    return loads(file.read(), serialization_options=serialization_options)


def loads(text: str, *, serialization_options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
    """A text as a dict."""
    return hcl2_loads(text, serialization_options or _DEFAULT)


def parse(file: TextIO, *, discard_comments: bool = False) -> StartRule:
    """The content of a file as a document."""
    return parses(file.read(), discard_comments=discard_comments)


def parses(text: str, *, discard_comments: bool = False) -> StartRule:
    """A text as a document."""
    return StartRule(text, discard_comments=discard_comments)


def parse_to_tree(file: TextIO) -> StartRule:
    """The content of a file as a document, for `transform`."""
    return parses(file.read())


def parses_to_tree(text: str) -> StartRule:
    """A text as a document, for `transform`."""
    return parses(text)


def transform(tree: StartRule, *, discard_comments: bool = False) -> StartRule:
    """A document from what `parses_to_tree` gives; there is one kind of tree here."""
    return StartRule(tree.text, discard_comments=discard_comments) if discard_comments else tree


def serialize(tree: StartRule, *, serialization_options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
    """A document as a dict."""
    return tree.serialize(serialization_options)


def reconstruct(tree: StartRule) -> str:
    """The text of a document: of one that was parsed, the text as it was."""
    text = tree.text
    return text if not text or text.endswith("\n") else text + "\n"


def dump(
    data: Dict[str, Any],
    file: TextIO,
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
) -> None:
    """Writes a dict as a text to a file."""
    file.write(dumps(data, deserializer_options=deserializer_options, formatter_options=formatter_options))


def dumps(
    data: Dict[str, Any],
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
) -> str:
    """A dict as a text."""
    if not isinstance(data, dict):
        raise TypeError(f"data is to be a dict, not {type(data).__name__}")
    _check(data, [])
    writer = _Writer(deserializer_options or DeserializerOptions(), formatter_options or FormatterOptions())
    text = writer.document(data)
    return text if not text or text.endswith("\n") else text + "\n"


def from_dict(
    data: Dict[str, Any],
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
    apply_format: bool = True,
) -> StartRule:
    """A document from a dict. Its text is laid out in any case; `apply_format` is taken, and changes nothing."""
    return StartRule(dumps(data, deserializer_options=deserializer_options, formatter_options=formatter_options))


def from_json(
    text: str,
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
    apply_format: bool = True,
) -> StartRule:
    """A document from a dict written as JSON, as `from_dict` makes it."""
    data = json.loads(text)
    return from_dict(data, deserializer_options=deserializer_options, formatter_options=formatter_options)


class Builder:
    """Makes the dict of a document, block by block.

    >>> builder = Builder({"a": 1})
    >>> _ = builder.block("server", ['"web"'], port=80)
    >>> print(dumps(builder.build()), end="")
    a = 1
    <BLANKLINE>
    server "web" {
      port = 80
    }
    """

    def __init__(self, attributes: Optional[Dict[str, Any]] = None) -> None:
        self.blocks: Dict[str, List[Tuple[List[str], "Builder", Optional["Builder"]]]] = defaultdict(list)
        self.attributes = attributes or {}

    def block(
        self,
        block_type: str,
        labels: Optional[List[str]] = None,
        __nested_builder__: Optional["Builder"] = None,
        **attributes: Any,
    ) -> "Builder":
        """Adds a block, and gives the builder of its content."""
        if __nested_builder__ is self:
            raise ValueError("a builder can't be nested in itself")
        block = Builder(attributes)
        self.blocks[block_type].append((list(labels or []), block, __nested_builder__))
        return block

    def build(self) -> Dict[str, Any]:
        """The document."""
        body: Dict[str, Any] = defaultdict(list)
        body.update({IS_BLOCK: True, **self.attributes})
        for block_type, blocks in self.blocks.items():
            for labels, builder, nested in blocks:
                block = builder.build()
                for key, value in (nested.build() if nested else {}).items():
                    if key != IS_BLOCK:
                        block.setdefault(key, []).extend(value)
                for label in reversed(labels):
                    block = {label: block}
                body[block_type].append(block)
        return body


def _is_expression(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("${") and value.endswith("}")


def _has_marker(value: Any) -> bool:
    """True if there is a block anywhere in the value."""
    if isinstance(value, dict):
        return bool(value.get(IS_BLOCK)) or any(map(_has_marker, value.values()))
    return isinstance(value, list) and any(isinstance(one, dict) and _has_marker(one) for one in value)


def _check(value: Any, around: List[int]) -> None:
    """Refuses what refers to itself, what nests deeper than functions of Python may, and keys that are no texts."""
    if not isinstance(value, (dict, list)):
        return
    if id(value) in around:
        raise ValueError("the data refers to itself")
    if len(around) >= 200:
        raise ValueError("the data nests too deep")
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"a key is to be str, not {type(key).__name__}")
    around.append(id(value))
    for one in value.values() if isinstance(value, dict) else value:
        _check(one, around)
    around.pop()


def _is_blocks(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) and _has_marker(one) for one in value)


def _parts(text: str) -> List[str]:
    """Literals and interpolations in turn. Each brace in an interpolation is that of another one; otherwise it is a literal."""
    found: List[Tuple[int, int]] = []
    opened: List[int] = []
    for brace in re.finditer(r"\$?\$\{|[{}]", text):
        if brace[0] == "{":
            opened.clear()
        elif brace[0] != "}":
            opened.append(brace.start())
        elif opened:
            start = opened.pop()
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, brace.end()))
    parts, at = [], 0
    for start, end in found:
        parts += [text[at:start], text[start:end]]
        at = end
    return parts + [text[at:]]


def _without_newline(text: str) -> str:
    """A text without the newline behind a heredoc's marker at its end, where another newline follows."""
    return text[:-1] if text.endswith("\n") else text


def _with_heredocs(text: str) -> str:
    """An expression with the heredocs that stand in quotes in it, which no string in quotes can be."""
    if '"<<' not in text:
        return text
    return re.sub(r'"(<<-?([a-zA-Z][a-zA-Z0-9._-]*)\r?\n(?:.*\n)*?[ \t]*\2)"', "\\1\n", text)


def _widths(items: List[Tuple[str, Any, bool]]) -> List[int]:
    """The width of the longest name among the attributes around each item that no block parts."""
    widths: List[int] = []
    for is_block, run in itertools.groupby(items, key=lambda item: item[2]):
        names = [name for name, _, _ in run]
        widths += [0 if is_block else max(map(len, names))] * len(names)
    return widths


class _Writer:
    """Lays a dict out as python-hcl2 does."""

    def __init__(self, reading: DeserializerOptions, layout: FormatterOptions) -> None:
        self.reading = reading
        self.layout = layout

    def line(self, indentation: int, count: int = 1) -> str:
        return "\n" * count + " " * (self.layout.indent_length * max(indentation, 0))

    def document(self, data: Dict[str, Any]) -> str:
        return self.body(data, 0, None)

    def body(self, data: Dict[str, Any], indentation: int, first: Optional[str]) -> str:
        """The content of a block, or of the document if there is nothing before it."""
        items = [
            (key, value, is_block)
            for key, given in data.items()
            for is_block in [_is_blocks(given)]
            for value in (given if is_block else [given])
            if is_block or key not in _RESERVED
        ]
        parts: List[str] = [] if first is None else [first]
        aligned = first is not None and self.layout.vertically_align_attributes
        widths = _widths(items) if aligned else [0] * len(items)
        for at, (key, value, is_block) in enumerate(items):
            if is_block:
                parts.append(self.block(key, value, indentation + 1))
                if at > 0:
                    parts.insert(-2, self.line(indentation))
                parts.append(self.line(indentation, 2))
                continue
            parts.append(f"{key.ljust(widths[at])} = {_without_newline(self.value(value, indentation + 1))}")
            parts.append(self.line(indentation))
        return "".join(parts[:-1])

    def block(self, block_type: str, value: Dict[str, Any], indentation: int) -> str:
        labels = [block_type]
        body = value
        while isinstance(body, dict) and not body.get(IS_BLOCK):
            keys = [key for key in body if key not in _RESERVED]
            if len(keys) != 1:
                break
            labels.append(keys[0])
            body = body[keys[0]]
        if not isinstance(body, dict):
            raise TypeError(f"a block of {block_type!r} is to be a dict, not {type(body).__name__}")
        content = self.body(body, indentation, self.line(indentation))
        if content:
            content += self.line(indentation - 1)
        elif self.layout.open_empty_blocks:
            content = self.line(indentation - 1, 2)
        return f"{' '.join(self.value(label, 0) for label in labels)} {{{content}}}"

    def value(self, value: Any, indentation: int) -> str:
        if isinstance(value, dict):
            return self.object(value, indentation)
        if isinstance(value, list):
            return self.tuple(value, indentation)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if not isinstance(value, str):
            return str(value)
        if value.startswith('"') and value.endswith('"'):
            return self.string(value)
        if _is_expression(value):
            return hcl2_expression(_with_heredocs(value[2:-1]), indentation, self.layout.indent_length)
        return value

    def string(self, value: str) -> str:
        inner = value[1:-1]
        if not self.reading.heredocs_to_strings and re.match(r"<<-?([a-zA-Z][a-zA-Z0-9._-]*)\r?\n[\s\S]*\1", inner):
            return inner + "\n"
        if self.reading.strings_to_heredocs and "\\n" in inner:
            text = re.sub(r'\\(n|"|\\)', lambda found: "\n" if found[1] == "n" else found[1], inner)
            return f"<<EOF\n{text}\nEOF\n"
        if "%{" in inner.replace("%%{", ""):
            return hcl2_expression(value, None, 0)
        parts = _parts(inner)
        for at, part in enumerate(parts):
            # Quotes beside an interpolation that nothing escapes are dropped.
            if at > 0 and part.startswith('"'):
                part = part[1:]
            if at < len(parts) - 1 and re.search(r'(?<!\\)(?:\\\\)*"\Z', part):
                part = part[:-1]
            parts[at] = hcl2_expression(f'"{part}"', None, 0)[1:-1] if _is_expression(part) else part
        return f'"{"".join(parts)}"'

    def tuple(self, values: List[Any], indentation: int) -> str:
        if not values:
            return f"[{self.line(indentation - 1, 2) if self.layout.open_empty_tuples else ''}]"
        lines = [f"{self.line(indentation)}{self.value(one, indentation + 1)}," for one in values]
        return f"[{''.join(lines)}{self.line(indentation - 1)}]"

    def object(self, values: Dict[str, Any], indentation: int) -> str:
        if not values:
            return f"{{{self.line(indentation - 1, 2) if self.layout.open_empty_objects else ''}}}"
        keys = [hcl2_expression(key[2:-1], None, 0) if _is_expression(key) else self.value(key, 0) for key in values]
        width = max(map(len, keys)) if self.layout.vertically_align_object_elements else 0
        comma = "," if self.reading.object_elements_trailing_comma else ""
        lines = []
        for key, value in zip(keys, values.values()):
            pad = " " * max(width - len(key), 0)
            sign = f"{pad} :" if self.reading.object_elements_colon and width else f"{pad} ="
            if self.reading.object_elements_colon and not width:
                sign = ":"
            text = self.value(value, indentation + 1)
            # The line behind a heredoc's marker ends the item too; a comma has no place there.
            ended = _without_newline(text) if text.endswith("\n") else text + comma
            lines.append(f"{self.line(indentation)}{key}{sign} {ended}")
        return f"{{{''.join(lines)}{self.line(indentation - 1)}}}"
