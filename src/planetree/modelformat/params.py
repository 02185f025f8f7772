"""The estimator's parameters in a model file: plain values, and objects of planetree.

An object is kept by the name of its class and its own parameters, which may be objects again. The
names come from a closed set of modules; nothing that a file says is ever imported.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from planetree import learners, merits, pruners, refiners, scaling, selectors, symbols
from planetree.errors import ModelFileError
from planetree.modelformat.strictjson import (
    Where,
    listed,
    number,
    record,
    scalar,
    shown,
    text,
    wrong,
)

__all__ = ["PLUGINS", "Lost", "param_entry", "plain", "read_param"]

# The classes whose instances a parameter may hold; a file can name no other.
PLUGINS: dict[str, type[BaseEstimator]] = {
    name: thing
    for module in (merits, learners, selectors, scaling, refiners, pruners, symbols)
    for name, thing in ((name, getattr(module, name)) for name in module.__all__)
    if inspect.isclass(thing) and issubclass(thing, BaseEstimator) and not inspect.isabstract(thing)
}
MOST_NESTED = 8  # objects within objects; far from the depth that Python can walk


@dataclass(frozen=True)
class Lost:
    """A parameter whose value no file can hold.

    Parameters
    ----------
    shown : str
        The value's `repr` when it was saved.
    """

    shown: str


def plain(value: Any) -> Any:
    """Python's own value in place of NumPy's."""
    return value.item() if isinstance(value, np.generic) else value


# --- writing --------------------------------------------------------------------------------------


class _NotKeptError(Exception):
    """A value that only its `repr` can stand for."""


def param_entry(value: Any) -> Any:
    """What stands in the file for a parameter's value."""
    if isinstance(value, Mapping):
        pairs = [[plain(k), plain(v)] for k, v in value.items()]
        if all(_is_scalar(k) and _is_scalar(v) and type(v) in (int, float) for k, v in pairs):
            return {"pairs": pairs}
    try:
        return _entry(value, 0)
    except _NotKeptError:
        return {"repr": repr(value).encode(errors="backslashreplace").decode()}


def _entry(value: Any, depth: int) -> Any:
    value = plain(value)
    if value is None or _is_scalar(value):
        return value
    if type(value) is tuple:
        return [_item(item, depth) for item in value]
    name = type(value).__name__
    if PLUGINS.get(name) is not type(value) or depth == MOST_NESTED:
        raise _NotKeptError
    params = value.get_params(deep=False)
    return {"class": name, "params": {k: _entry(v, depth + 1) for k, v in params.items()}}


def _item(value: Any, depth: int) -> Any:
    """Entry of one of several values of a parameter, which are not lists again."""
    if value is None or type(value) is tuple:
        raise _NotKeptError
    return _entry(value, depth)


def _is_scalar(value: Any) -> bool:
    try:
        scalar(value, ())
    except ModelFileError:
        return False
    return True


# --- reading --------------------------------------------------------------------------------------


def read_param(value: Any, at: Where) -> Any:
    """Value of a parameter; `Lost` for one that was not kept."""
    if isinstance(value, dict) and "repr" in value:
        return Lost(text(record(value, at, ["repr"])["repr"], (*at, "repr")))
    if isinstance(value, dict) and "pairs" in value:
        return _pairs(record(value, at, ["pairs"])["pairs"], (*at, "pairs"))
    return _value(value, at, 0)


def _value(value: Any, at: Where, depth: int) -> Any:
    if value is None:
        return None
    if isinstance(value, list):
        return tuple(
            _value(item, (*at, i), depth) if isinstance(item, dict) else scalar(item, (*at, i))
            for i, item in enumerate(value)
        )
    if not isinstance(value, dict):
        return scalar(value, at)
    if depth == MOST_NESTED:
        raise wrong(at, "nested too deeply")
    record(value, at, ["class", "params"])
    name = text(value["class"], (*at, "class"))
    plugin = PLUGINS.get(name)
    if plugin is None:
        close = get_close_matches(name, PLUGINS, n=2)
        guess = f"; did you mean {' or '.join(close)}?" if close else ""
        raise wrong((*at, "class"), f"planetree has no such part: {shown(name)}{guess}")
    at = (*at, "params")
    known = inspect.signature(plugin).parameters
    needed = [name for name, parameter in known.items() if parameter.default is parameter.empty]
    params = record(value["params"], at, needed, known)
    return plugin(**{name: _value(v, (*at, name), depth + 1) for name, v in params.items()})


def _pairs(value: Any, at: Where) -> dict[Any, float]:
    pairs: dict[Any, float] = {}
    for i, pair in enumerate(listed(value, at)):
        key, weight = listed(pair, (*at, i), 2)
        number(weight, (*at, i, 1))
        if scalar(key, (*at, i, 0)) in pairs:
            raise wrong((*at, i, 0), "is there twice")
        pairs[key] = weight
    return pairs
