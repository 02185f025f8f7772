"""What the checks share: promises kept or broken, and tables to try them on."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone

from planetree.errors import PlugInError
from planetree.merits import Gini
from planetree.schema import Feature, Schema
from planetree.search import OpenNode
from planetree.stopping import Stop
from planetree.table import Table
from planetree.view import NodeView

__all__ = ["check_parameters", "open_node", "promise", "quietly", "snapshot", "table_of"]

T = TypeVar("T")


def promise(kept: object, plug_in: object, broken: str) -> None:
    """Raise AssertionError, with the name of the plug-in, for a promise that is not kept."""
    if not kept:
        raise AssertionError(f"{plug_in!r} {broken}")


def check_parameters(plug_in: BaseEstimator) -> None:
    """A plug-in is its parameters: scikit-learn must be able to clone it and show it."""
    try:
        same = repr(clone(plug_in)) == repr(plug_in)
    except (RuntimeError, TypeError):
        same = False
    promise(same, plug_in, "cannot be cloned: __init__ must store its parameters as they are")


def quietly(plug_in: object, act: Callable[[], T], where: str) -> T:
    """Do something of which no warning may come."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return act()
        except PlugInError as error:
            raise AssertionError(f"{error} ({where})") from error
        except Warning as warning:
            raise AssertionError(f"{plug_in!r} warns {where}: {warning}") from warning


def table_of(X: ArrayLike, y: NDArray[np.intp], weight: NDArray[np.float64] | None = None) -> Table:
    """Table of numbers with classes 0, 1, 2 ..."""
    values = np.array(X, np.float64)
    features = tuple(
        Feature(f"x{j}", missing=bool(np.isnan(column).any())) for j, column in enumerate(values.T)
    )
    classes = tuple(range(int(y.max()) + 1))
    return Table(Schema(features), values, y.astype(np.int32), classes, weight)


def open_node(table: Table, seed: int = 0) -> OpenNode:
    """The root of a tree that may grow from a table."""
    return OpenNode(table, np.arange(table.n_rows, dtype=np.uint32), Gini(), Stop(), (), seed)


def snapshot(view: NodeView) -> tuple[bytes, ...]:
    """What a view holds, to see later whether it has changed."""
    return tuple(np.ascontiguousarray(a).tobytes() for a in (view.Z, view.y, view.row_weight))
