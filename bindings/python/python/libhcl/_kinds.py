"""Kinds of fields: how a part of a text becomes what an annotation says.

A kind that does not take a part tells the decoder and gives `WRONG`, so that the rest is read too and all mistakes are told
together.
"""

from __future__ import annotations

import decimal
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _libhcl
from ._parts import OneBlock, Part, Place, Plain, Several, Written, place_in, quoted, shortened
from ._values import Expression, HclError

#: Stands for a value of which the decoder has been told why there is none.
WRONG: Any = object()
#: An error, and the part that is unsuitable as a whole if it is about one.
Mistake = Tuple[Optional[Part], HclError]


class Decoder:
    """A text that is read by kinds, and the mistakes that were found in it."""

    def __init__(self, reader: "_libhcl.Reader") -> None:
        self.reader = reader
        self.is_exact = reader.is_exact
        self.mistakes: List[Mistake] = []

    def decode(self, kind: "Kind") -> Any:
        content = self.reader.content()
        if isinstance(content, list):
            whole: Part = OneBlock(self.reader, (0, 0), [], content)
        else:
            whole = Written(content, content.place, self.is_exact)
        try:
            value = self.read(kind, whole)
        except RecursionError:
            raise self.complaint(whole.place, "The text nests too deep to be decoded.") from None
        if self.mistakes:
            raise _joined([error for _, error in self.mistakes])
        return value

    def read(self, kind: "Kind", part: Part) -> Any:
        try:
            return kind.read(self, part)
        except HclError as error:
            # Work that has been stopped is not begun again for the next field.
            if any(found.code.startswith("limit.") for found in error.diagnostics):
                raise
            self.mistakes.append((None, error))
            return WRONG

    def attempt(self, kind: "Kind", part: Part) -> Tuple[Any, List[Mistake]]:
        """The value, and the mistakes, which are not told yet."""
        before, self.mistakes = self.mistakes, []
        try:
            return self.read(kind, part), self.mistakes
        finally:
            self.mistakes = before

    def complaint(self, place: Place, detail: str, kind: str = "unsuitable") -> HclError:
        error: HclError = self.reader.complaint(kind, place, detail)
        return error

    def wrong(self, place: Place, detail: str, kind: str = "unsuitable") -> Any:
        self.mistakes.append((None, self.complaint(place, detail, kind)))
        return WRONG

    def unsuitable(self, part: Part, kind: "Kind") -> Any:
        """Tells that a part is not what a kind wants."""
        value = part.value()
        if isinstance(value, Expression):
            detail = f"The expression {shortened(str(value))!r} depends on names, and none are given; `variables` gives them."
        else:
            detail = f"{kind.wanted[0].upper()}{kind.wanted[1:]} is wanted, and {part.said()} is given.{kind.hint(self, value)}"
        self.mistakes.append((part, self.complaint(part.place, detail)))
        return WRONG

    def nearest(self, name: str, names: List[str]) -> str:
        meant = self.reader.nearest(name, names)
        return "" if meant is None else f" Did you mean {meant!r}?"


class Kind:
    """The meaning of an annotation."""

    #: The name in messages.
    wanted = "a value"
    #: True if a block can be it.
    takes_blocks = False

    def read(self, decoder: Decoder, part: Part) -> Any:
        raise NotImplementedError

    def hint(self, decoder: Decoder, value: Any) -> str:
        """A further sentence, about a value that is not wanted: the one that may be meant."""
        return ""


class Anything(Kind):
    def read(self, decoder: Decoder, part: Part) -> Any:
        return part.loaded()


class Scalar(Kind):
    """A value of one class of Python."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.wanted = "null" if cls is type(None) else f"a value of type {cls.__name__}"

    def read(self, decoder: Decoder, part: Part) -> Any:
        value = part.value()
        return value if type(value) is self.cls else decoder.unsuitable(part, self)


class WrittenNull(Kind):
    """Null as it is written, where an expression is not to be evaluated."""

    wanted = "null"

    def read(self, decoder: Decoder, part: Part) -> Any:
        is_null = isinstance(part, Written) and part.node.source() == "null"
        return None if is_null else decoder.unsuitable(part, self)


class Number(Kind):
    """A number that is a float or a Decimal, also if it is an integer."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.wanted = f"a value of type {cls.__name__}"

    def read(self, decoder: Decoder, part: Part) -> Any:
        value = part.value()
        if type(value) not in (int, float, decimal.Decimal):
            return decoder.unsuitable(part, self)
        try:
            return self.cls(value)
        except OverflowError:
            return decoder.wrong(part.place, f"The number is too large for a {self.cls.__name__}.")


class Source(Kind):
    """The source of an expression."""

    wanted = "an expression"

    def read(self, decoder: Decoder, part: Part) -> Any:
        if isinstance(part, Written):
            return part.node.source()
        if isinstance(part, Plain):
            return decoder.wrong(part.place, "Expressions are wanted, and this one computes values, which have no source.")
        return decoder.unsuitable(part, self)


class Made(Kind):
    """A value of another kind, made an instance of a class."""

    def __init__(self, cls: Any, make: Callable[[Any], Any], inner: Kind, where: str) -> None:
        self.cls = cls
        self.make = make
        self.inner = inner
        self.where = where
        is_text = isinstance(inner, Scalar) and inner.cls is str
        self.wanted = f"a text for {cls.__name__}" if is_text else inner.wanted

    def read(self, decoder: Decoder, part: Part) -> Any:
        value, mistakes = decoder.attempt(self.inner, part)
        if mistakes:
            return decoder.unsuitable(part, self)
        try:
            return self.make(value)
        except (ValueError, ArithmeticError) as error:
            given = "text" if isinstance(value, str) else "value"
            return decoder.wrong(part.place, f"The {given} is no {self.cls.__name__}: {_sentence(_reason(error))}")
        except TypeError as error:
            raise TypeError(f"{self.where}: an annotation of {self.cls!r} is not decoded: {error}") from error


class OneOf(Kind):
    """One of some values, each of which stands for something."""

    def __init__(self, choices: List[Tuple[Any, Any]]) -> None:
        self.choices = choices
        texts = [quoted(value) for value, _ in choices]
        self.wanted = f"the value {texts[0]}" if len(texts) == 1 else f"one of {', '.join(texts)}"

    def read(self, decoder: Decoder, part: Part) -> Any:
        value = part.value()
        for choice, meaning in self.choices:
            # True is no 1, and 1 no 1.0.
            if type(choice) is type(value) and choice == value:
                return meaning
        return decoder.unsuitable(part, self)

    def hint(self, decoder: Decoder, value: Any) -> str:
        texts = [choice for choice, _ in self.choices if isinstance(choice, str)]
        return decoder.nearest(value, texts) if type(value) is str else ""


class AnyOf(Kind):
    """A union."""

    def __init__(self, kinds: List[Kind], null: Optional[Kind]) -> None:
        self.kinds = kinds if null is None else [null, *kinds]
        self.takes_blocks = any(kind.takes_blocks for kind in kinds)
        said = kinds if null is None else [*kinds, null]
        self.wanted = " or ".join(dict.fromkeys(kind.wanted for kind in said))

    def read(self, decoder: Decoder, part: Part) -> Any:
        failures: List[List[Mistake]] = []
        for kind in self.kinds:
            value, mistakes = decoder.attempt(kind, part)
            if not mistakes:
                return value
            failures.append(mistakes)
        # A kind that takes the part and refuses something in it says more than the list of kinds.
        inner: List[List[Mistake]] = [mistakes for mistakes in failures if all(about is not part for about, _ in mistakes)]
        if not inner:
            return decoder.unsuitable(part, self)
        closest = min(inner, key=len)
        decoder.mistakes.extend(closest)
        return WRONG

    def hint(self, decoder: Decoder, value: Any) -> str:
        return next((hint for kind in self.kinds if (hint := kind.hint(decoder, value))), "")


class Elements(Kind):
    """A list, a set, or a tuple of any length."""

    def __init__(self, make: Callable[[List[Any]], Any], kind: Kind) -> None:
        self.make = make
        self.kind = kind
        self.wanted = f"a list for {make.__name__}" if make in (set, frozenset) else "a list"
        self.takes_blocks = kind.takes_blocks

    def read(self, decoder: Decoder, part: Part) -> Any:
        elements = part.elements()
        if elements is None:
            return decoder.unsuitable(part, self)
        made = [decoder.read(self.kind, one) for one in elements]
        if any(one is WRONG for one in made):
            return WRONG
        if self.make in (set, frozenset):
            for element, one in zip(elements, made):
                try:
                    hash(one)
                except TypeError:
                    return decoder.wrong(element.place, f"A set is wanted, and {element.said()} can't be an element of one.")
        return self.make(made)


class Fixed(Kind):
    """A tuple of a given length."""

    def __init__(self, kinds: List[Kind]) -> None:
        self.kinds = kinds
        self.wanted = f"a list of {len(kinds)}"

    def read(self, decoder: Decoder, part: Part) -> Any:
        elements = part.elements()
        if elements is None:
            return decoder.unsuitable(part, self)
        if len(elements) != len(self.kinds):
            return decoder.wrong(part.place, f"{len(self.kinds)} elements are wanted, and {len(elements)} are given.")
        made = [decoder.read(kind, one) for kind, one in zip(self.kinds, elements)]
        return WRONG if any(one is WRONG for one in made) else tuple(made)


class Mapping(Kind):
    """A dict: of an object, or of blocks by a label."""

    wanted = "an object"
    takes_blocks = True

    def __init__(self, key: Optional[Kind], kind: Kind) -> None:
        self.key = key
        self.kind = kind

    def read(self, decoder: Decoder, part: Part) -> Any:
        n_mistakes = len(decoder.mistakes)
        entries = self.entries(decoder, part)
        if entries is None:
            return decoder.unsuitable(part, self)
        made: Dict[Any, Any] = {}
        for name, inner in entries:
            key = name if self.key is None else decoder.read(self.key, Plain(name, inner.place, True))
            value = decoder.read(self.kind, inner)
            if key is not WRONG:
                made[key] = value
        return made if len(decoder.mistakes) == n_mistakes else WRONG

    def entries(self, decoder: Decoder, part: Part) -> Optional[List[Tuple[str, Part]]]:
        """The names, with what is given under each, in however many blocks."""
        blocks = part.blocks()
        if blocks is None:
            return part.entries()
        found: Dict[str, List[Part]] = {}
        for block in blocks:
            if isinstance(block, OneBlock) and not block.labels and (len(blocks) > 1 or not self.takes_body(block)):
                decoder.wrong(block.place, "A block with a label is wanted, and this one has none.")
                continue
            for name, inner in block.entries() or ():
                found.setdefault(name, []).append(inner)
        return [(name, parts[0] if len(parts) == 1 else Several(parts, name)) for name, parts in found.items()]

    def takes_body(self, block: OneBlock) -> bool:
        """True if the content of a block without labels can be the dict."""
        return not self.kind.takes_blocks or not block.has_attributes() and bool(block.entries())


class Record(Kind):
    """An instance of a class with fields."""

    takes_blocks = True

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.wanted = f"a block or an object for {cls.__name__}"
        #: By the names in texts: the keyword, whether it is required, the kind.
        self.fields: Dict[str, Tuple[str, bool, Kind]] = {}

    def read(self, decoder: Decoder, part: Part) -> Any:
        one = part
        blocks = part.blocks()
        if blocks is not None:
            if len(blocks) > 1:
                label = part.label if isinstance(part, Several) else None
                said = f"One block is wanted, and {len(blocks)} are given."
                said = said if label is None else f"There are several blocks with the label {label!r}."
                return decoder.wrong(blocks[1].place, said)
            if not blocks:
                return decoder.wrong(part.place, "One block is wanted, and none is given.")
            one = blocks[0]
        if isinstance(one, OneBlock) and one.labels:
            label, place = one.labels[0]
            return decoder.wrong(place, f"The block has the label {label!r}, and none is expected here.")
        entries = one.entries()
        if entries is None:
            return decoder.unsuitable(part, self)
        return self.instance(decoder, one, entries)

    def instance(self, decoder: Decoder, part: Part, entries: List[Tuple[str, Part]]) -> Any:
        made = {}
        is_right = True
        meant = set()
        for name, inner in entries:
            if name not in self.fields:
                names = list(self.fields)
                meant.add(decoder.reader.nearest(name, names))
                detail = f"The name {name!r} is not expected here; {_listed(names)}.{decoder.nearest(name, names)}"
                decoder.wrong(inner.place, detail, "unexpected")
                is_right = False
                continue
            keyword, _, kind = self.fields[name]
            made[keyword] = decoder.read(kind, inner)
            is_right = is_right and made[keyword] is not WRONG
        for name, (keyword, is_required, _) in self.fields.items():
            # One mistake is told once: a name that is nearly that of another.
            if is_required and keyword not in made and name not in meant:
                decoder.wrong(part.place, f"{name!r} is missing.", "missing")
                is_right = False
        if not is_right or meant:
            return WRONG
        try:
            return self.cls(**made)
        except HclError:
            raise
        except (ValueError, TypeError) as error:
            return self.refused(decoder, part, error)

    def refused(self, decoder: Decoder, part: Part, error: Exception) -> Any:
        """Tells what a class says against the values of its fields; one of pydantic says which of them it means."""
        found = _structured(error)
        if not found:
            found = [{"loc": (), "msg": f"{self.cls.__name__} refuses the values: {_reason(error)}"}]
        for one in found:
            complaint = decoder.complaint(place_in(part, one["loc"]), _sentence(one["msg"]))
            complaint.__cause__ = error
            decoder.mistakes.append((None, complaint))
        return WRONG


def _structured(error: Exception) -> List[Dict[str, Any]]:
    """The complaints of pydantic, each with its place and what it says."""
    said = getattr(error, "errors", None)
    found: Any = said() if callable(said) else []
    return found if all(isinstance(one, dict) and "loc" in one and "msg" in one for one in found) else []


def _reason(error: Exception) -> str:
    found = _structured(error)
    return "; ".join(one["msg"] for one in found) or str(error) or type(error).__name__


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _joined(errors: List[HclError]) -> HclError:
    """One error with the diagnostics of several, in the order of their places."""
    if len(errors) == 1:
        return errors[0]

    def start(error: HclError) -> int:
        place = error.diagnostics[0].range if error.diagnostics else None
        return -1 if place is None else place.start_byte

    errors = sorted(errors, key=start)
    text = "\n\n".join(map(str, errors))
    return HclError(text, [diagnostic for error in errors for diagnostic in error.diagnostics])


def _listed(names: List[str]) -> str:
    return "the names are " + ", ".join(names) if names else "nothing is"
