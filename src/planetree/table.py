"""From the user's data to the numbers the kernels read.

Numbers stay double precision; a missing value (NaN, None, pandas' NA and NaT, polars' null) is
NaN; an infinity is refused by name. Frames go through narwhals, so pandas, polars and whatever
else it knows behave alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array

from planetree.errors import TableError
from planetree.scaling import Scale, Scaling
from planetree.schema import Feature, Kind, Schema, Symbol

__all__ = [
    "Columns",
    "Table",
    "as_array",
    "is_mapping",
    "is_missing",
    "read_like",
    "read_training",
    "split",
]

Floats = NDArray[np.float64]
AnyArray = NDArray[Any]
MOST_SYMBOLS = 255  # each is an encoded column
Columns = Floats | dict[str, Any]  # plain numbers, or named columns of any kind


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
    >>> X, y = np.array([[1.0], [2.0]]), np.array([0, 1], np.int32)
    >>> table = Table(Schema((Feature("x"),)), X, y, ("a", "b"))
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

    def take(self, rows: NDArray[Any]) -> Table:
        """Keep these rows, given by place or as a mask."""
        weight = None if self.weight is None else self.weight[rows]
        return Table(self.schema, self.X[rows], self.y[rows], self.classes, weight)

    def relabelled(self, y: NDArray[np.int32], classes: tuple[Symbol, ...]) -> Table:
        """The same rows in other classes; what has been worked out of the columns is shared."""
        other = Table(self.schema, self.X, y, classes, self.weight)
        for name in ("encoded", "encoded_range", "scales"):
            other.__dict__[name] = getattr(self, name)
        return other

    @cached_property
    def encoded(self) -> Floats:
        """One column an entry of ``schema.columns``; `X` itself where all features are numbers."""
        if self.schema.only_numbers:
            return self.X
        encoded = np.empty((self.n_rows, len(self.schema.columns)), order="F")
        for j, column in enumerate(self.schema.columns):
            x = self.X[:, column.feature]
            encoded[:, j] = (
                x if column.symbol is None else np.where(np.isnan(x), x, x == column.symbol)
            )
        return encoded

    @cached_property
    def encoded_range(self) -> Floats:
        """The least and the greatest known value of each encoded column; 0 where none is known."""
        known = ~np.isnan(self.encoded)
        low = np.where(known, self.encoded, np.inf).min(axis=0)
        high = np.where(known, self.encoded, -np.inf).max(axis=0)
        return np.where(low <= high, np.stack([low, high]), 0.0)

    @cached_property
    def scales(self) -> dict[Scaling, Scale]:
        """Scales of the encoded columns that were asked of the whole table, kept here."""
        return {}


def is_mapping(X: Any) -> bool:
    """Whether `X` maps names to columns; scipy's dictionaries of keys do not."""
    return isinstance(X, Mapping) and not issparse(X)


def split(X: Any, names: list[str] | None = None) -> Columns:
    """Take the user's table apart.

    Parameters
    ----------
    X : array, data frame or mapping
        A 2-D array, a frame of any library that narwhals knows, or a mapping of column names to
        columns.
    names : list of str or None
        The columns to take from a mapping, which may hold others too; None takes all.

    Returns
    -------
    ndarray of float64 or dict
        Plain numbers, or named columns of any kind.

    Examples
    --------
    >>> from planetree.table import split
    >>> split([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    if is_mapping(X):
        columns = {str(name): values for name, values in X.items()}
        absent = [name for name in names or () if name not in columns]
        if absent:
            raise TableError(f"columns of the training data are missing: {', '.join(absent)}")
        return _named((name, columns[name]) for name in (columns if names is None else names))
    if not isinstance(X, np.ndarray):
        try:
            frame = nw.from_native(X, pass_through=True)
        except DuplicateError as error:
            raise TableError(" ".join(str(error).split())) from None
        if isinstance(frame, nw.LazyFrame):
            raise TableError("X is a lazy frame; hand over what its collect() gives")
        if isinstance(frame, nw.DataFrame):
            return _named((str(name), frame[:, j]) for j, name in enumerate(frame.columns))
    X = check_array(
        as_array(X) if isinstance(X, list | tuple) else unmasked(X),
        dtype=None,
        ensure_all_finite=False,
        estimator="PlaneTreeClassifier",
    )
    if X.dtype.kind in "fiu":
        numbers: Floats = X.astype(np.float64, copy=False)
        _refuse_infinity(numbers, [f"x{j}" for j in range(X.shape[1])])
        return numbers
    return _named((f"x{j}", X[:, j]) for j in range(X.shape[1]))


def read_training(columns: Columns) -> tuple[Schema, Floats]:
    """Find out what the columns are, and read them.

    Parameters
    ----------
    columns : ndarray or dict
        What `split` returned.

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
    if isinstance(columns, np.ndarray):
        n_columns = columns.shape[1]
        missing = np.zeros(n_columns, bool)
        if _has_nonfinite(columns):
            np.isnan(columns).any(axis=0, out=missing)
        features = tuple(Feature(f"x{j}", missing=bool(missing[j])) for j in range(n_columns))
        for j in np.flatnonzero(missing):
            _require_values(features[j].name, columns[:, j])
        return Schema(features), columns
    read = {name: _read(name, values) for name, values in columns.items()}
    schema = Schema(tuple(_feature(name, kind, values) for name, (kind, values) in read.items()))
    return schema, _codes(schema, [values for _, values in read.values()])


def read_like(columns: Columns, schema: Schema) -> Floats:
    """Read columns as training read its own.

    Parameters
    ----------
    columns : ndarray or dict
        What `split` returned: as many columns as the schema has features, in their order.
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
    if isinstance(columns, np.ndarray):
        if all(feature.kind == "numeric" for feature in schema.features):
            return columns
        columns = {f"x{j}": columns[:, j] for j in range(columns.shape[1])}
    if len(columns) != len(schema.features):
        raise TableError(
            f"X has {len(columns)} columns, but the training data had {len(schema.features)}"
        )
    read = [_read_as(feature, values) for feature, values in zip(schema.features, columns.values())]
    return _codes(schema, read)


def as_array(values: Any) -> AnyArray:
    """Make an array of lists without turning the numbers among strings into strings."""
    array = np.asarray(values)
    return np.asarray(values, dtype=object) if array.dtype.kind == "U" else array


def unmasked(values: Any) -> Any:
    """Put a missing value where numpy's masked arrays have masked one."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if values.dtype.kind in "fiu":
        return np.ma.filled(values.astype(np.float64), np.nan)
    return np.ma.filled(values.astype(object), None)


def is_missing(value: Any) -> bool:
    """Whether one value of an object column stands for "not known"."""
    return (
        value is None
        or (isinstance(value, float | np.floating) and bool(value != value))
        or type(value).__name__ in ("NAType", "NaTType")
    )


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
        raise TableError(
            f"column {names[int(j)]} holds an infinity (row {row}); use NaN for a missing value"
        )


def _require_values(name: str, values: AnyArray) -> None:
    if np.isnan(values).all() if values.dtype.kind == "f" else all(v is None for v in values):
        raise TableError(f"column {name} holds no value at all; drop it")


def _read(name: str, values: Any) -> tuple[Kind, AnyArray]:
    """Kind and values of one column: float64, or objects with None for missing."""
    names = False  # whether its numbers are names
    if isinstance(values, nw.Series):
        dtype = values.dtype
        names = dtype in (nw.Categorical, nw.Enum)
        if dtype.is_numeric():
            numbers = values.cast(nw.Float64).to_numpy()
            if numbers.dtype.kind == "f":
                return "numeric", _numbers(name, numbers)
            # Objects, as pandas before 2.2 makes of Arrow's columns with gaps: read one by one.
        if dtype.is_temporal():
            raise TableError(f"column {name} holds dates or times; turn it into numbers first")
        values = np.array([*values.to_list(), None], dtype=object)[
            :-1
        ]  # a list of tuples stays one column
    array: AnyArray = np.asarray(unmasked(values))
    if array.ndim != 1:
        raise TableError(f"column {name} is not one-dimensional")
    if array.dtype.kind in "fiu":
        return "numeric", _numbers(name, array)
    if array.dtype.kind == "b":
        return "boolean", array.astype(np.float64)
    if array.dtype.kind in "UT":
        array = array.astype(object)
    if array.dtype.kind != "O":
        raise TableError(
            f"column {name} holds {array.dtype}; numbers, booleans and strings can be learned from"
        )
    missing = np.fromiter((is_missing(v) for v in array), bool, len(array))
    kinds = {_kind_of(name, v) for v in array[~missing]}
    if not kinds:
        return "numeric", np.full(len(array), np.nan)
    if len(kinds) > 1:
        raise TableError(f"column {name} mixes {' and '.join(sorted(kinds))}; make them all alike")
    kind = kinds.pop()
    if kind == "strings" or (names and kind == "numbers"):
        objects = np.full(len(array), None)
        objects[~missing] = [str(v) for v in array[~missing]]
        return "symbolic", objects
    found = np.full(len(array), np.nan)
    try:
        found[~missing] = array[~missing].astype(np.float64)
    except OverflowError:
        raise TableError(f"column {name} holds a whole number that no float can hold") from None
    return ("boolean" if kind == "booleans" else "numeric"), _numbers(name, found)


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
    if len(known) > MOST_SYMBOLS:
        raise TableError(
            f"column {name} holds {len(known)} different symbols, more than {MOST_SYMBOLS}: "
            "drop it if it names the rows, or group the rare ones"
        )
    return Feature(name, kind, tuple(sorted(known)), missing=any(v is None for v in values))


def _read_as(feature: Feature, values: Any) -> AnyArray:
    kind, read = _read(feature.name, values)
    if kind == feature.kind:
        return read
    if kind != "symbolic" and np.isnan(read).all():  # nothing known: any kind
        return np.full(len(read), None) if feature.kind == "symbolic" else read
    if feature.kind == "numeric" and kind == "boolean":
        return read
    if (
        feature.kind == "boolean"
        and kind == "numeric"
        and np.isin(read[~np.isnan(read)], (0, 1)).all()
    ):
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
