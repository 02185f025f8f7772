"""Text of JSON to values, and values checked, so that what is wrong is told with its place.

Stricter than `json`: no NaN, no infinity, no key twice in an object, no whole number of more than
64 bits, no half of a surrogate pair.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, NoReturn

from planetree.errors import ModelFileError

__all__ = [
    "Where",
    "flag",
    "listed",
    "number",
    "parse",
    "record",
    "scalar",
    "shown",
    "text",
    "whole",
    "wrong",
]

Where = tuple[str | int, ...]  # the way to a value: ("nodes", 3, "test", "feature")

_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 60


def parse(source: str) -> Any:
    """Values that the text stands for."""
    try:
        return json.loads(
            source, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(f"not JSON: {error}") from None
    except RecursionError:
        raise ModelFileError("not a planetree model: nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ModelFileError(f"the key {shown(twice)} is there twice in one object")
    return entries


def _integer(digits: str) -> int:
    if len(digits) <= 20 and -(2**63) <= (value := int(digits)) < 2**64:
        return value
    raise ModelFileError(f"the whole number {shown(digits)[1:-1]} has more than 64 bits")


def _constant(name: str) -> NoReturn:
    raise ModelFileError(f"{name} is no number of JSON")


def shown(value: Any) -> str:
    """The value, or the beginning of a long one."""
    said = _SHOWN.repr(value)
    return said if len(said) <= 80 else said[:77] + "..."


def wrong(where: Where, why: str) -> ModelFileError:
    """The error that says what is wrong in which place."""
    way = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
    return ModelFileError(f"{way[1:]}: {why}" if way else why)


def _must_be(what: str, value: Any, where: Where) -> ModelFileError:
    return wrong(where, f"must be {what}, not {shown(value)}")


def record(
    value: Any, where: Where, keys: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, Any]:
    """An object with these keys, and perhaps the optional ones, and no other."""
    if type(value) is not dict:
        raise _must_be("an object", value, where)
    for key in keys:
        if key not in value:
            raise wrong(where, f'"{key}" is missing')
    known = {*keys, *optional}
    for key in value:
        if key not in known:
            raise wrong(where, f"there is no key {shown(key)}, only {', '.join(sorted(known))}")
    return value


def listed(value: Any, where: Where, length: int | None = None) -> list[Any]:
    """A list, of this length."""
    if type(value) is not list:
        raise _must_be("a list", value, where)
    if length is not None and len(value) != length:
        raise wrong(where, f"must have length {length}, not {len(value)}")
    return value


def text(value: Any, where: Where) -> str:
    """Text that UTF-8 can hold."""
    if type(value) is not str:
        raise _must_be("text", value, where)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise wrong(where, f"{shown(value)} holds half of a surrogate pair") from None
    return value


def whole(value: Any, where: Where, least: int = 0, most: int = 2**53) -> int:
    """A whole number; True is none, 1.0 neither."""
    if type(value) is not int:
        raise _must_be("a whole number", value, where)
    if not least <= value <= most:
        raise wrong(where, f"must lie between {least} and {most}; it is {shown(value)}")
    return value


def number(value: Any, where: Where) -> float:
    """A finite number, written with a decimal point or without."""
    if type(value) is not float and type(value) is not int:
        raise _must_be("a number", value, where)
    if not math.isfinite(value):
        raise _must_be("finite", value, where)
    return float(value)


def flag(value: Any, where: Where) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise _must_be("true or false", value, where)
    return value


def scalar(value: Any, where: Where) -> str | int | float | bool:
    """Text, a whole number within 64 bits, a finite number, true or false."""
    if type(value) is str:
        return text(value, where)
    if type(value) is int:
        return whole(value, where, -(2**63), 2**64 - 1)
    if type(value) is float:
        return number(value, where)
    if type(value) is not bool:
        raise _must_be("text, a number, true or false", value, where)
    return value
