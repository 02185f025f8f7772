"""From the user's data to the numbers the kernels read.

Numbers stay double precision; a missing value (NaN, None, pandas' NA and NaT, polars' null) is NaN; an infinity is
refused by name. Frames go through narwhals, so pandas, polars and whatever else it knows behave alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from planetree.errors import TableError
from planetree.schema import Feature, Kind, Schema, Symbol

__all__ = ["Table", "is_missing", "read_like", "read_training"]

Floats = NDArray[np.float64]
AnyArray = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Table:
    """Rows ready to learn from.

    Parameters
    ----------
    schema : Schema
        What the columns of `X` are.
    X : ndarray of float64
        One column a feature: numbers, 0/1, or the places of symbols; NaN is missing.
    y : ndarray of int32
        The class of each row, as a place in `classes`.
    classes : tuple
        The class labels, sorted.
    weight : ndarray of float64 or None
        Weight of each row, all above zero; None when every row counts 1.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.table import Table
    >>> table = Table(Schema((Feature("x"),)), np.array([[1.0], [2.0]]), np.array([0, 1], np.int32), ("a", "b"))
    >>> table.n_rows
    2
    """

    schema: Schema
    X: Floats
    y: NDArray[np.int32]
    classes: tuple[Symbol, ...]
    weight: Floats | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.X)

    @cached_property
    def encoded(self) -> Floats:
        """One column an entry of ``schema.columns``; `X` itself where all features are numbers."""
        if self.schema.only_numbers:
            return self.X
        encoded = np.empty((self.n_rows, len(self.schema.columns)), order="F")
        for j, column in enumerate(self.schema.columns):
            x = self.X[:, column.feature]
            encoded[:, j] = x if column.symbol is None else np.where(np.isnan(x), x, x == column.symbol)
        return encoded


def read_training(X: Any) -> tuple[Schema, Floats]:
    """Find out what the columns of `X` are and read them.

    Parameters
    ----------
    X : array, data frame or mapping
        A 2-D array, a frame of any library that narwhals knows, or a mapping of column names to columns.

    Returns
    -------
    schema : Schema
        The features.
    X : ndarray of float64
        One column a feature.

    Examples
    --------
    >>> from planetree.table import read_training
    >>> schema, X = read_training({"age": [31, None], "smokes": [True, False], "sex": ["f", "m"]})
    >>> [feature.kind for feature in schema.features]
    ['numeric', 'boolean', 'symbolic']
    >>> X
    array([[31.,  1.,  0.],
           [nan,  0.,  1.]])
    """
    columns = _split(X)
    if isinstance(columns, np.ndarray):
        missing = np.isnan(columns).any(axis=0) if _has_nonfinite(columns) else np.zeros(columns.shape[1], bool)
        names = [f"x{j}" for j in range(columns.shape[1])]
        features = tuple(Feature(name, missing=bool(m)) for name, m in zip(names, missing))
        for j in np.flatnonzero(missing):
            _require_values(names[j], columns[:, j])
        return Schema(features), columns
    read = {name: _read(name, values) for name, values in columns.items()}
    features = tuple(_feature(name, kind, values) for name, (kind, values) in read.items())
    schema = Schema(features)
    return schema, _codes(schema, [values for _, values in read.values()])


def read_like(X: Any, schema: Schema) -> Floats:
    """Read the columns of `X` as training read its own.

    Parameters
    ----------
    X : array, data frame or mapping
        As many columns as the schema has features, in their order; a mapping may have more, in any order.
    schema : Schema
        The features of the training data.

    Returns
    -------
    ndarray of float64
        One column a feature.

    Examples
    --------
    >>> from planetree.table import read_like, read_training
    >>> schema, _ = read_training({"colour": ["red", "blue"]})
    >>> read_like({"colour": ["blue", None, "green"]}, schema)
    array([[ 0.],
           [nan],
           [ 2.]])
    """
    if isinstance(X, Mapping):
        absent = [name for name in schema.names if name not in X]
        if absent:
            raise TableError(f"columns of the training data are missing: {', '.join(absent)}")
        X = {name: X[name] for name in schema.names}
    columns = _split(X)
    if isinstance(columns, np.ndarray):
        if schema.only_numbers and all(feature.kind == "numeric" for feature in schema.features):
            return columns
        columns = {f"x{j}": columns[:, j] for j in range(columns.shape[1])}
    if len(columns) != len(schema.features):
        raise TableError(f"X has {len(columns)} columns, but the training data had {len(schema.features)}")
    read = [
        _read_as(feature, values) for feature, values in zip(schema.features, columns.values(), strict=True)
    ]
    return _codes(schema, read)


def is_missing(value: Any) -> bool:
    """Whether one value of an object column stands for "not known"."""
    return (
        value is None
        or (isinstance(value, float | np.floating) and bool(value != value))
        or type(value).__name__ in ("NAType", "NaTType")
    )


def _split(X: Any) -> Floats | dict[str, Any]:
    """A plain array of numbers, or the named columns of anything else."""
    if isinstance(X, Mapping):
        return _named(X.items())
    if not isinstance(X, np.ndarray):
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            names = frame.columns
            return _named((str(name), frame[:, j]) for j, name in enumerate(names))
    X = check_array(X, dtype=None, ensure_all_finite=False, estimator="PlaneTreeClassifier")
    if X.dtype.kind in "fiu":
        numbers: Floats = X.astype(np.float64, copy=False)
        _refuse_infinity(numbers, [f"x{j}" for j in range(X.shape[1])])
        return numbers
    return _named((f"x{j}", X[:, j]) for j in range(X.shape[1]))


def _named(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name, values in items:
        if name in columns:
            raise TableError(f"two columns are named {name}; give each its own name")
        columns[name] = values
    lengths = {name: len(values) for name, values in columns.items()}
    if not columns:
        raise TableError("the table has no columns (0 feature(s))")
    if len(set(lengths.values())) > 1:
        raise TableError(f"columns differ in length: {lengths}")
    if not next(iter(lengths.values())):
        raise TableError("the table has no rows (0 sample(s))")
    return columns


def _has_nonfinite(X: Floats) -> bool:
    # One sum tells in nearly all cases; an overflow only costs the closer look.
    with np.errstate(over="ignore", invalid="ignore"):
        return not np.isfinite(X.sum())


def _refuse_infinity(X: Floats, names: list[str]) -> None:
    if _has_nonfinite(X) and (infinite := np.isinf(X)).any():
        row, j = np.unravel_index(int(infinite.argmax()), X.shape)
        raise TableError(f"column {names[int(j)]} holds an infinity (row {row}); use NaN for a missing value")


def _require_values(name: str, values: AnyArray) -> None:
    if np.isnan(values).all() if values.dtype.kind == "f" else all(v is None for v in values):
        raise TableError(f"column {name} holds no value at all; drop it")


def _read(name: str, values: Any) -> tuple[Kind, AnyArray]:
    """Kind and values of one column: float64, or objects with None for missing."""
    if isinstance(values, nw.Series):
        dtype = values.dtype
        if dtype.is_numeric():
            return "numeric", _numbers(name, values.cast(nw.Float64).to_numpy())
        if dtype.is_temporal():
            raise TableError(f"column {name} holds dates or times; turn it into numbers first")
        values = np.array([*values.to_list(), None], dtype=object)[:-1]  # a list of tuples stays one column
    array: AnyArray = np.asarray(values)
    if array.ndim != 1:
        raise TableError(f"column {name} is not one-dimensional")
    if array.dtype.kind in "fiu":
        return "numeric", _numbers(name, array)
    if array.dtype.kind == "b":
        return "boolean", array.astype(np.float64)
    if array.dtype.kind == "U":
        return "symbolic", array.astype(object)
    if array.dtype.kind != "O":
        raise TableError(f"column {name} holds {array.dtype}; numbers, booleans and strings can be learned from")
    missing = np.fromiter((is_missing(v) for v in array), bool, len(array))
    kinds = {_kind_of(name, v) for v in array[~missing]}
    if not kinds:
        return "numeric", np.full(len(array), np.nan)
    if len(kinds) > 1:
        raise TableError(f"column {name} mixes {' and '.join(sorted(kinds))}; make them all alike")
    kind = kinds.pop()
    if kind == "strings":
        objects = array.copy()
        objects[missing] = None
        return "symbolic", objects
    numbers = np.full(len(array), np.nan)
    numbers[~missing] = array[~missing].astype(np.float64)
    return ("boolean" if kind == "booleans" else "numeric"), _numbers(name, numbers)


def _kind_of(name: str, value: Any) -> str:
    if isinstance(value, str):
        return "strings"
    if isinstance(value, bool | np.bool_):
        return "booleans"
    if isinstance(value, Real):
        return "numbers"
    raise TypeError(
        f"column {name} holds {value!r}: an argument must be a string, a boolean or a real number, "
        f"not {type(value).__name__!r}"
    )


def _numbers(name: str, values: AnyArray) -> Floats:
    numbers = values.astype(np.float64, copy=False)
    _refuse_infinity(numbers.reshape(-1, 1), [name])
    return numbers


def _feature(name: str, kind: Kind, values: AnyArray) -> Feature:
    _require_values(name, values)
    if kind != "symbolic":
        return Feature(name, kind, missing=bool(np.isnan(values).any()))
    known = {v for v in values if v is not None}
    return Feature(name, kind, tuple(sorted(known)), missing=any(v is None for v in values))


def _read_as(feature: Feature, values: Any) -> AnyArray:
    kind, read = _read(feature.name, values)
    if kind == feature.kind:
        return read
    if kind != "symbolic" and np.isnan(read).all():  # nothing known: any kind
        return np.full(len(read), None) if feature.kind == "symbolic" else read
    if feature.kind == "numeric" and kind == "boolean":
        return read
    if feature.kind == "boolean" and kind == "numeric" and np.isin(read[~np.isnan(read)], (0, 1)).all():
        return read
    raise TableError(f"column {feature.name} was {feature.kind} in training; this one is {kind}")


def _codes(schema: Schema, columns: list[AnyArray]) -> Floats:
    X = np.empty((len(columns[0]), len(columns)), order="F")
    for j, (feature, values) in enumerate(zip(schema.features, columns, strict=True)):
        if feature.kind != "symbolic":
            X[:, j] = values
            continue
        place: dict[Any, float] = {symbol: float(i) for i, symbol in enumerate(feature.symbols)}
        place[None] = np.nan
        stranger = float(len(feature.symbols))
        X[:, j] = [place.get(v, stranger) for v in values]
    return X
