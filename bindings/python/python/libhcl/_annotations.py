"""Annotations and fields of classes, as kinds."""

from __future__ import annotations

import builtins
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import os
import pathlib
import re
import sys
import types
from typing import Any, Callable, Dict, Final, List, Literal, NamedTuple, Optional, Tuple, TypeVar, Union
from typing import get_args, get_origin, get_type_hints

from ._kinds import Anything, AnyOf, Elements, Fixed, Kind, Made, Mapping, Number, OneOf, Record, Scalar, Source
from ._kinds import WrittenNull
from ._values import Capsule, Expression, Sensitive, Unknown

_UNIONS = (Union,) + ((types.UnionType,) if hasattr(types, "UnionType") else ())
_LISTS = (list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable, collections.abc.Collection)
_SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_BARE = (tuple,) + _LISTS + _SETS + _MAPPINGS
#: Classes whose instances are made from text by something else than a call.
_FROM_TEXT: Dict[Any, Callable[[str], Any]] = {
    datetime.date: datetime.date.fromisoformat,
    # Until 3.11 Python reads no "Z".
    datetime.datetime: lambda text: datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text),
    datetime.time: datetime.time.fromisoformat,
    os.PathLike: pathlib.Path,
}
#: Classes that no text makes.
_REFUSED = (datetime.timedelta, datetime.tzinfo, re.Pattern, dict, list, tuple, set, frozenset, bytes)


class Kinds:
    """The kinds of annotations."""

    def __init__(self) -> None:
        self.records: Dict[Any, Record] = {}

    def of(self, ty: Any, where: Optional[str], is_lenient: bool = False) -> Kind:
        """The kind of an annotation. `where` is what messages call its place; a class that is lenient checks what is not
        understood by itself."""
        ty, origin, arguments = _plain_annotation(ty)

        def inner(one: Any) -> Kind:
            return self.of(one, where, is_lenient)

        if ty is Any or ty is object or isinstance(ty, TypeVar):
            return Anything()
        if origin in _UNIONS:
            return self.union([inner(one) for one in arguments])
        if origin is Literal:
            return OneOf([(_literal(one), one) for one in arguments])
        if ty is None or ty is type(None):
            return Scalar(type(None))
        if ty in (str, bool, int, Sensitive, Unknown, Capsule):
            return Scalar(ty)
        if ty in (float, decimal.Decimal):
            return Number(ty)
        if ty is Expression:
            return Source()
        if ty in _BARE or ty is Tuple or origin in _BARE and not arguments and origin is not tuple:
            # Of anything: a name without brackets, of typing too.
            origin = origin or ty
            arguments = (Any, ...) if origin is tuple else (Any, Any)
        if origin is tuple and arguments[-1:] != (Ellipsis,):
            return Fixed([inner(one) for one in arguments])
        if origin is tuple or origin in _LISTS:
            return Elements(tuple if origin is tuple else list, inner(arguments[0]))
        if origin in _SETS:
            if getattr(get_origin(arguments[0]) or arguments[0], "__hash__", None) is None:
                raise TypeError(f"{where}: an annotation of {ty!r} is not decoded: its elements can't be those of a set")
            return Elements(frozenset if origin is frozenset else set, inner(arguments[0]))
        if origin in _MAPPINGS:
            return Mapping(self.key(arguments[0], where), inner(arguments[1]))
        if inspect.isclass(ty) and origin is None:
            kind = self.class_(ty, where, is_lenient)
            if kind is not None:
                return kind
        if is_lenient:
            return Anything()
        if where is None:
            raise TypeError(f"{ty!r} has no annotations of fields that its constructor takes, to decode by")
        raise TypeError(f"{where}: an annotation of {ty!r} is not decoded")

    def union(self, kinds: List[Kind]) -> Kind:
        nulls = [kind for kind in kinds if isinstance(kind, Scalar) and kind.cls is type(None)]
        others = [kind for kind in kinds if kind not in nulls]
        if nulls and any(isinstance(kind, Source) for kind in others):
            return AnyOf(others, WrittenNull())
        if len(others) == 1 and not nulls:
            return others[0]
        return AnyOf(others, nulls[0] if nulls else None)

    def key(self, ty: Any, where: Optional[str]) -> Optional[Kind]:
        if ty in (str, Any, object) or isinstance(ty, TypeVar):
            return None
        kind = self.of(ty, where)
        is_text = isinstance(kind, OneOf) or isinstance(kind, Made) and kind.wanted.startswith("a text")
        if not is_text:
            raise TypeError(f"{where}: keys of {ty!r} are not decoded: a key is a text")
        return kind

    def class_(self, ty: Any, where: Optional[str], is_lenient: bool) -> Optional[Kind]:
        if issubclass(ty, enum.Enum):
            return OneOf([(member.value, member) for member in ty])
        text = Scalar(str)
        if ty in _FROM_TEXT:
            return Made(ty, _FROM_TEXT[ty], text, str(where))
        if issubclass(ty, pathlib.PurePath):
            return Made(ty, ty, text, str(where))
        if ty in self.records:
            return self.records[ty]
        fields = _fields(ty)
        if fields:
            record = self.records[ty] = Record(ty)
            for one in fields:
                kind = self.of(one.annotation, f"{ty.__name__}.{one.keyword}", one.is_lenient)
                record.fields[one.name] = (one.keyword, one.is_required, kind)
            return record
        if where is None or is_lenient or ty.__module__ == "builtins" or issubclass(ty, _REFUSED) or not _takes_one(ty):
            return None
        for number in (int, float, decimal.Decimal):
            if issubclass(ty, number):
                return Made(ty, ty, Scalar(int) if number is int else Number(number), where)
        return Made(ty, ty, text, where)


class Field(NamedTuple):
    #: In texts.
    name: str
    keyword: str
    is_required: bool
    annotation: Any
    #: True if the class checks by itself what it is given.
    is_lenient: bool = False


def _fields(cls: Any) -> Optional[List[Field]]:
    """The fields of a class; None for a class without annotations."""
    if hasattr(cls, "__required_keys__"):
        return [Field(name, name, name in cls.__required_keys__, ty) for name, ty in _hints(cls).items()]
    if hasattr(cls, "__attrs_attrs__"):
        hints = _hints(cls)
        nothing = sys.modules["attr"].NOTHING
        return [
            # A converter takes what the text has, and the annotation says what it makes of that.
            Field(one.alias, one.alias, one.default is nothing, Any if one.converter else hints.get(one.name, Any))
            for one in cls.__attrs_attrs__
            if one.init
        ]
    if isinstance(getattr(cls, "model_fields", None), dict):
        hints = _hints(cls)
        found = []
        for name, one in cls.model_fields.items():
            aliases = [alias for alias in (one.validation_alias, one.alias) if isinstance(alias, str)]
            keyword = aliases[0] if aliases else name
            found.append(Field(keyword, keyword, one.is_required(), hints[name], is_lenient=True))
        return found
    return _annotated(cls)


def _hints(cls: Any) -> Dict[str, Any]:
    try:
        return get_type_hints(cls)
    except NameError as error:
        raise TypeError(f"{cls.__name__}: an annotation can't be resolved: {error}") from error


def _annotated(cls: Any) -> Optional[List[Field]]:
    """The fields of a class that has annotations, and a constructor that takes some of them."""
    hints = {} if getattr(builtins, cls.__name__, None) is cls else _hints(cls)
    if not hints:
        return None
    try:
        parameters: Any = inspect.signature(cls).parameters
    except (TypeError, ValueError):
        return None
    takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
    found = []
    for name, ty in hints.items():
        if name in parameters:
            found.append(Field(name, name, parameters[name].default is inspect.Parameter.empty, ty))
        elif takes_all and not name.startswith("_"):
            # Such a class has its defaults as attributes.
            found.append(Field(name, name, not hasattr(cls, name), ty))
    return found or None


def _takes_one(cls: Any) -> bool:
    """True unless it is known that a class can't be called with one argument."""
    try:
        inspect.signature(cls).bind("")
    except TypeError:
        return False
    except ValueError:
        # Some classes of C do not say what they take.
        pass
    return True


def _plain_annotation(ty: Any) -> Tuple[Any, Any, Tuple[Any, ...]]:
    """An annotation without what is no part of the type, its origin and its arguments."""
    while True:
        if hasattr(ty, "__supertype__"):
            # A name that was given to another type is that type.
            ty = ty.__supertype__
        elif type(ty).__name__ == "TypeAliasType":
            ty = ty.__value__
        elif isinstance(ty, dataclasses.InitVar):
            ty = ty.type
        elif get_origin(ty) is Final or hasattr(ty, "__metadata__") or str(get_origin(ty)).endswith(("Required", "ReadOnly")):
            # `Required` and its like are those of typing or of typing_extensions.
            ty = get_args(ty)[0]
        else:
            return ty, get_origin(ty), get_args(ty)


def _literal(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value
