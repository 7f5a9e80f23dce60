"""What the annotations of a function say: types of the language, and how plain objects become what is annotated."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import types
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Union, get_args, get_origin, get_type_hints

_PLAIN = {
    str: "string",
    bool: "bool",
    int: "number",
    float: "number",
    decimal.Decimal: "number",
    datetime.date: "string",
    datetime.datetime: "string",
    list: "list(any)",
    tuple: "list(any)",
    set: "set(any)",
    frozenset: "set(any)",
    dict: "map(any)",
}
_SEQUENCES = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_SETS = (set, frozenset, collections.abc.Set)
_MAPPINGS = (dict, collections.abc.Mapping)
_UNIONS: Tuple[Any, ...] = (Union,) + ((types.UnionType,) if hasattr(types, "UnionType") else ())

#: Makes an object what an annotation says; None for objects that are so already.
_Convert = Optional[Callable[[Any], Any]]
#: A converter, and whether it takes numbers as `Decimal`.
_Converter = Optional[Tuple[Callable[[Any], Any], bool]]
_Parameter = Tuple[str, str, bool, bool, _Converter]


def _element(arguments: Tuple[Any, ...], at: int) -> Any:
    return arguments[at] if len(arguments) > at else Any


def _is_optional(field: "dataclasses.Field[Any]") -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def type_text(annotation: Any) -> Tuple[str, bool]:
    """The type, and whether null is allowed.

    >>> type_text(Optional[List[int]])
    ('list(number)', True)
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in (inspect.Parameter.empty, Any, object):
        return "any", True
    if annotation is None or annotation is type(None):
        return "any", True
    if origin in _UNIONS:
        others = [argument for argument in arguments if argument is not type(None)]
        inner = type_text(others[0])[0] if len(others) == 1 else "any"
        return inner, len(others) < len(arguments)
    if annotation in _PLAIN:
        return _PLAIN[annotation], False
    if origin is Literal:
        return _common(list(arguments)), None in arguments
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        return f"tuple([{', '.join(type_text(argument)[0] for argument in arguments)}])", False
    if origin is tuple or origin in _SEQUENCES:
        return f"list({type_text(_element(arguments, 0))[0]})", False
    if origin in _SETS:
        return f"set({type_text(_element(arguments, 0))[0]})", False
    if origin in _MAPPINGS:
        return f"map({type_text(_element(arguments, 1))[0]})", False
    if inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        return _common([member.value for member in annotation]), False
    if dataclasses.is_dataclass(annotation):
        hints = get_type_hints(annotation)
        fields = [(field, type_text(hints[field.name])[0]) for field in dataclasses.fields(annotation) if field.init]
        texts = (f"{one.name} = optional({ty})" if _is_optional(one) else f"{one.name} = {ty}" for one, ty in fields)
        return "object({%s})" % ", ".join(texts), False
    return "any", False


def _common(values: List[Any]) -> str:
    """The type that all of some values have."""
    for kind in (str, bool, int):
        if all(isinstance(value, kind) for value in values):
            return _PLAIN[kind]
    return "any"


def _said(value: Any) -> str:
    return "null" if value is None else repr(value) if isinstance(value, (int, float, decimal.Decimal)) else type(value).__name__


def _int(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(f"an int is wanted, and {_said(value)} is given")


def _number(kind: Any) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool):
            return kind(value)
        raise TypeError(f"a {kind.__name__} is wanted, and {_said(value)} is given")

    return convert


def _date(kind: Any) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        # Until 3.11 Python reads no "Z".
        text = value[:-1] + "+00:00" if kind is datetime.datetime and value.endswith("Z") else value
        return kind.fromisoformat(text)

    return convert


def _literal(arguments: Tuple[Any, ...]) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if any(value == one and type(value) is type(one) for one in arguments):
            return value
        raise ValueError(f"one of {', '.join(map(repr, arguments))} is wanted, and {value!r} is given")

    return convert


def _dataclass(annotation: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(annotation)
    fields = {field.name: (field, _converter(hints[field.name])) for field in dataclasses.fields(annotation) if field.init}

    def convert(value: Any) -> Any:
        made = {}
        for name, (field, inner) in fields.items():
            given = value.get(name)
            if given is not None or not _is_optional(field):
                made[name] = inner(given) if inner else given
        return annotation(**made)

    return convert


def _collection(kind: Any, part: _Convert) -> _Convert:
    if part is None:
        return None if kind is list else kind
    return lambda value: kind(map(part, value))


def _mapping(part: _Convert) -> _Convert:
    return part and (lambda value: {key: part(one) for key, one in value.items()})


def _optional(inner: _Convert) -> _Convert:
    return inner and (lambda value: None if value is None else inner(value))


def _converter(annotation: Any) -> _Convert:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in _UNIONS:
        others = [argument for argument in arguments if argument is not type(None)]
        return _optional(_converter(others[0])) if len(others) == 1 else None
    if annotation is int:
        return _int
    if annotation in (float, decimal.Decimal):
        return _number(annotation)
    if annotation in (datetime.date, datetime.datetime):
        return _date(annotation)
    if origin is Literal:
        return _literal(arguments)
    if annotation in (tuple, set, frozenset):
        origin = annotation
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        parts = [_converter(argument) for argument in arguments]
        return lambda value: tuple(part(one) if part else one for part, one in zip(parts, value))
    if origin is tuple or origin in _SEQUENCES or origin in _SETS:
        kind: Any = {tuple: tuple, frozenset: frozenset}.get(origin, set if origin in _SETS else list)
        return _collection(kind, _converter(_element(arguments, 0)))
    if origin in _MAPPINGS:
        return _mapping(_converter(_element(arguments, 1)))
    if inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        return annotation
    return _dataclass(annotation) if dataclasses.is_dataclass(annotation) else None


def _mentions_decimal(annotation: Any, seen: Tuple[Any, ...] = ()) -> bool:
    if annotation is decimal.Decimal or any(_mentions_decimal(one, seen) for one in get_args(annotation)):
        return True
    if not dataclasses.is_dataclass(annotation) or annotation in seen:
        return False
    return any(_mentions_decimal(one, (*seen, annotation)) for one in get_type_hints(annotation).values())


def converter(annotation: Any) -> _Converter:
    """What makes a plain object what an annotation says.

    >>> converter(Tuple[int, ...])[0]([1, 2])
    (1, 2)
    >>> converter(List[str]) is None
    True
    """
    convert = _converter(annotation)
    return None if convert is None else (convert, _mentions_decimal(annotation))


def signature(
    function: Callable[..., Any],
) -> Tuple[List[_Parameter], Optional[Tuple[str, str, bool, _Converter]], str, str]:
    """Parameters as (name, type, takes null, has a default, converter), the variadic one, the result's type, a description."""
    description = (inspect.getdoc(function) or "").partition("\n")[0]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        # Some functions of C do not say what they take.
        return [], ("arguments", "any", True, None), "any", description
    try:
        hints = get_type_hints(function)
    except Exception:
        hints = {}
    try:
        return (*_described(parameters, hints), description)
    except RecursionError:
        raise TypeError(f"an annotation of {getattr(function, '__name__', 'the function')} refers to itself") from None


def _described(
    parameters: List[inspect.Parameter], hints: Dict[str, Any]
) -> Tuple[List[_Parameter], Optional[Tuple[str, str, bool, _Converter]], str]:
    plain: List[_Parameter] = []
    variadic: Optional[Tuple[str, str, bool, _Converter]] = None
    for parameter in parameters:
        annotation = hints.get(parameter.name, inspect.Parameter.empty)
        ty, takes_null = type_text(annotation)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            variadic = (parameter.name, ty, takes_null, converter(annotation))
        elif parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            has_default = parameter.default is not inspect.Parameter.empty
            plain.append((parameter.name, ty, takes_null, has_default, converter(annotation)))
    result = type_text(hints["return"])[0] if "return" in hints else "any"
    return plain, variadic, result
