"""Texts of HCL as instances of classes, by their annotations."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import os
import pathlib
import types
from typing import Any, Callable, Dict, List, Literal, Type, TypeVar, Union, get_args, get_origin, get_type_hints

from . import _libhcl
from ._values import Expression, HclError

__all__ = ["decode"]

T = TypeVar("T")

_UNIONS = (Union,) + ((types.UnionType,) if hasattr(types, "UnionType") else ())
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable)
_SETS = (set, frozenset, collections.abc.Set)
_MAPPINGS = (dict, collections.abc.Mapping)
#: Classes whose instances are made from text, and how.
_FROM_TEXT: Dict[Any, Callable[[str], Any]] = {
    datetime.date: datetime.date.fromisoformat,
    # Until 3.11 Python reads no "Z".
    datetime.datetime: lambda text: datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text),
    datetime.time: datetime.time.fromisoformat,
    pathlib.Path: pathlib.Path,
    pathlib.PurePath: pathlib.PurePath,
    os.PathLike: pathlib.Path,
}


def decode(cls: Type[T], text: Union[str, bytes, "_libhcl.Document"], **options: Any) -> T:
    """A text as an instance of a class: of a dataclass, a TypedDict, or another class with annotations that takes its
    fields as keyword arguments, such as one of pydantic. The options are those of `loads`.

    A field is an attribute or the blocks of a type: one block for a class, several for a list of it, those with a label
    for a dict of it, by their labels. Enumerations are read by value, dates, times and paths from text. What does not fit
    is told at its place, with what the class itself says against it (`ValueError`) too.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Server:
    ...     port: int
    ...     host: str = "localhost"
    >>> decode(Server, 'port = 80')
    Server(port=80, host='localhost')
    """
    if isinstance(text, _libhcl.Document):
        if options:
            raise TypeError("a Document takes no options: it has been read")
        document, data = text, text.to_dict()
    else:
        for shape in ("blocks", "expressions"):
            if shape in options:
                raise TypeError(f"decode takes no {shape!r}: it reads blocks and expressions by the annotations")
        data = _libhcl.loads(text, **options)
        shared = {key: options[key] for key in ("filename", "syntax", "timeout") if key in options}
        document = _libhcl.Document(text, **shared)
    return _Decoder(document).instance(cls, data, [])  # type: ignore[no-any-return]


class _Decoder:
    def __init__(self, document: "_libhcl.Document") -> None:
        self.document = document

    def wrong(self, path: List[Union[str, int]], detail: str, kind: str = "unsuitable") -> HclError:
        """The complaint about what a path leads to, at the nearest place that is known."""
        places: List[_libhcl.Range] = []
        for end in range(len(path), 0, -1):
            address = "".join(f"[{step}]" if isinstance(step, int) else f".{_quoted(step)}" for step in path[:end])
            try:
                places = self.document.ranges_of(address.lstrip("."))
            except (HclError, TypeError):
                continue
            if places:
                break
        error: HclError = _libhcl.complaint(self.document, kind, places[0] if places else None, detail)
        return error

    def value(self, ty: Any, data: Any, path: List[Union[str, int]]) -> Any:
        # A name that was given to another type is that type.
        ty = getattr(ty, "__supertype__", ty)
        origin, arguments = get_origin(ty), get_args(ty)
        if ty is Any or ty is object or isinstance(ty, TypeVar):
            return data
        if origin in _UNIONS:
            return self.union(arguments, data, path)
        if origin is Literal:
            if data in arguments and not isinstance(data, Expression):
                return data
            raise self.wrong(path, f"One of {', '.join(map(repr, arguments))} is wanted, and {_said(data)} is given.")
        if isinstance(data, Expression) and ty is not Expression:
            raise self.wrong(path, f"The expression {str(data)!r} depends on names, and none are given.")
        if ty is float and type(data) in (int, float):
            return float(data)
        if ty is decimal.Decimal and type(data) in (int, float, decimal.Decimal):
            return decimal.Decimal(str(data)) if type(data) is float else decimal.Decimal(data)
        if ty in (str, bool, int, float, Expression, type(None)):
            if type(data) is ty:
                return data
            raise self.wrong(path, f"A value of type {ty.__name__} is wanted, and {_said(data)} is given.")
        if ty in _FROM_TEXT or inspect.isclass(ty) and issubclass(ty, enum.Enum):
            return self.made(_FROM_TEXT.get(ty, ty), ty, data, path)
        if ty in (list, dict, tuple, set, frozenset):
            origin, arguments = ty, (Any, ...) if ty is tuple else (Any, Any)
        if origin in _LISTS or origin in _SETS or origin is tuple:
            return self.elements(origin, arguments, data, path)
        if origin in _MAPPINGS:
            if isinstance(data, list) and all(isinstance(one, dict) for one in data):
                return self.labelled(arguments[1], data, path)
            if not isinstance(data, dict):
                raise self.wrong(path, f"An object is wanted, and {_said(data)} is given.")
            return {key: self.value(arguments[1], part, [*path, key]) for key, part in data.items()}
        if inspect.isclass(ty) and _fields(ty) is not None:
            if isinstance(data, list) and all(isinstance(one, dict) for one in data):
                if len(data) != 1:
                    raise self.wrong(path, f"One block is wanted, and {len(data)} are given.")
                data = data[0]
            return self.instance(ty, data, path)
        raise TypeError(f"an annotation of {ty!r} is not decoded")

    def made(self, make: Callable[[Any], Any], ty: Any, data: Any, path: List[Union[str, int]]) -> Any:
        """What a class makes of a plain value."""
        if inspect.isclass(ty) and issubclass(ty, enum.Enum):
            if any(type(data) is type(member.value) and data == member.value for member in ty):
                return make(data)
            raise self.wrong(path, f"One of {', '.join(repr(one.value) for one in ty)} is wanted, and {_said(data)} is given.")
        if type(data) is not str:
            raise self.wrong(path, f"A text is wanted, and {_said(data)} is given.")
        try:
            return make(data)
        except ValueError as error:
            raise self.wrong(path, f"The text is no {ty.__name__}: {error}.") from None

    def union(self, choices: Any, data: Any, path: List[Union[str, int]]) -> Any:
        if data is None and type(None) in choices:
            return None
        failure = None
        for choice in choices:
            if choice is type(None):
                continue
            try:
                return self.value(choice, data, path)
            except HclError as error:
                failure = failure or error
        raise failure or self.wrong(path, f"Null is wanted, and {_said(data)} is given.")

    def elements(self, origin: Any, arguments: Any, data: Any, path: List[Union[str, int]]) -> Any:
        if not isinstance(data, list):
            raise self.wrong(path, f"A list is wanted, and {_said(data)} is given.")
        if origin is tuple and arguments and arguments[-1] is not Ellipsis:
            if len(data) != len(arguments):
                raise self.wrong(path, f"{len(arguments)} elements are wanted, and {len(data)} are given.")
            return tuple(self.value(ty, one, [*path, at]) for at, (ty, one) in enumerate(zip(arguments, data)))
        made = [self.value(arguments[0], one, [*path, at]) for at, one in enumerate(data)]
        if origin is tuple:
            return tuple(made)
        return (frozenset(made) if origin is frozenset else set(made)) if origin in _SETS else made

    def labelled(self, ty: Any, blocks: List[Dict[str, Any]], path: List[Union[str, int]]) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for block in blocks:
            for label, content in block.items():
                if label in found:
                    raise self.wrong([*path, label], f"There are several blocks with the label {label!r}.")
                if get_origin(ty) in _MAPPINGS:
                    content = [content]
                found[label] = self.value(ty, content, [*path, label])
        return found

    def instance(self, cls: Any, data: Any, path: List[Union[str, int]]) -> Any:
        fields = _fields(cls)
        if fields is None:
            raise TypeError(f"{cls!r} has no annotations to decode by")
        if not isinstance(data, dict):
            raise self.wrong(path, f"A block or an object is wanted, and {_said(data)} is given.")
        hints = get_type_hints(cls)
        for name in data:
            if name not in fields:
                raise self.wrong([*path, name], f"The name {name!r} is not expected here; {_listed(fields)}.", "unexpected")
        made = {}
        for name, is_required in fields.items():
            if name in data:
                made[name] = self.value(hints[name], data[name], [*path, name])
            elif is_required:
                raise self.wrong(path, f"{name!r} is missing.", "missing")
        try:
            return cls(**made)
        except HclError:
            raise
        except (ValueError, TypeError) as error:
            raise self.refused(error, cls, path) from error

    def refused(self, error: Exception, cls: Any, path: List[Union[str, int]]) -> HclError:
        """What a class says against the values of its fields; one of pydantic says which of them it means."""
        said = getattr(error, "errors", None)
        found: Any = said() if callable(said) else []
        if found and all(isinstance(one, dict) and "loc" in one and "msg" in one for one in found):
            return _joined([self.wrong([*path, *one["loc"]], _sentence(one["msg"])) for one in found])
        return self.wrong(path, f"{cls.__name__} refuses the values: {_sentence(str(error) or type(error).__name__)}")


def _fields(cls: Any) -> Any:
    """The names of a class's fields, and whether each is required; None for a class without annotations."""
    if dataclasses.is_dataclass(cls):
        return {
            field.name: field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            for field in dataclasses.fields(cls)
            if field.init
        }
    if hasattr(cls, "__required_keys__"):
        return {name: name in cls.__required_keys__ for name in get_type_hints(cls)}
    if getattr(cls, "__module__", "builtins") == "builtins" or not hasattr(cls, "__annotations__"):
        return None
    try:
        taken: Any = inspect.signature(cls).parameters
    except (TypeError, ValueError):
        taken = {}
    return {name: _is_required(cls, name, taken.get(name)) for name in get_type_hints(cls) if name[0] != "_"}


def _is_required(cls: Any, name: str, parameter: Any) -> bool:
    if parameter is not None:
        return parameter.default is inspect.Parameter.empty
    # A class that takes any keywords has its defaults as attributes; one of pydantic has them beside.
    field = getattr(cls, "model_fields", {}).get(name)
    return not hasattr(cls, name) and (field is None or bool(field.is_required()))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _joined(errors: List[HclError]) -> HclError:
    """One error with the diagnostics of several."""
    text = "\n\n".join(map(str, errors))
    return HclError(text, [diagnostic for error in errors for diagnostic in error.diagnostics])


def _quoted(step: str) -> str:
    return step if step.replace("_", "a").replace("-", "a").isalnum() and not step[0].isdigit() else f'"{step}"'


def _said(data: Any) -> str:
    return "null" if data is None else f"a value of type {type(data).__name__}"


def _listed(fields: Any) -> str:
    return "the names are " + ", ".join(fields) if fields else "nothing is"

