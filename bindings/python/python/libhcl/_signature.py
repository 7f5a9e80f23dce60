"""What the annotations of a function say in types of the language."""

from __future__ import annotations

import collections.abc
import dataclasses
import decimal
import inspect
import types
import typing
from typing import Any, Callable, List, Optional, Tuple, Union, get_args, get_origin, get_type_hints

_PLAIN = {
    str: "string",
    bool: "bool",
    int: "number",
    float: "number",
    decimal.Decimal: "number",
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
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        return f"tuple([{', '.join(type_text(argument)[0] for argument in arguments)}])", False
    if origin is tuple or origin in _SEQUENCES:
        return f"list({type_text(arguments[0])[0] if arguments else 'any'})", False
    if origin in _SETS:
        return f"set({type_text(arguments[0])[0] if arguments else 'any'})", False
    if origin in _MAPPINGS:
        return f"map({type_text(arguments[1])[0] if arguments else 'any'})", False
    if dataclasses.is_dataclass(annotation):
        hints = get_type_hints(annotation)
        fields = dataclasses.fields(annotation)
        return "object({%s})" % ", ".join(f"{field.name} = {type_text(hints[field.name])[0]}" for field in fields), False
    return "any", False


def signature(
    function: Callable[..., Any],
) -> Tuple[List[Tuple[str, str, bool, bool]], Optional[Tuple[str, str, bool]], str, str]:
    """Parameters as (name, type, takes null, has a default), the variadic one, the result's type, a description."""
    description = (inspect.getdoc(function) or "").partition("\n")[0]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        # Some functions of C do not say what they take.
        return [], ("arguments", "any", True), "any", description
    try:
        hints = get_type_hints(function)
    except Exception:
        hints = {}
    plain: List[Tuple[str, str, bool, bool]] = []
    variadic: Optional[Tuple[str, str, bool]] = None
    for parameter in parameters:
        ty, takes_null = type_text(hints.get(parameter.name, inspect.Parameter.empty))
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            variadic = (parameter.name, ty, takes_null)
        elif parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            plain.append((parameter.name, ty, takes_null, parameter.default is not inspect.Parameter.empty))
    result = type_text(hints["return"])[0] if "return" in hints else "any"
    return plain, variadic, result, description
