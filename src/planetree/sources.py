"""From a file, standard input or the name of a bundled set to columns, labels and weights.

Messages begin with the name of the data and name the column or row; rows are counted from 0.
"""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree import datasets
from planetree.choices import unknown
from planetree.datasets import DataFileError
from planetree.datasets._source import parse_number
from planetree.datasets.readers import format_of
from planetree.errors import TableError
from planetree.schema import Schema
from planetree.table import is_missing
from planetree.text import counted

__all__ = [
    "BUNDLED",
    "Columns",
    "Data",
    "Training",
    "is_number",
    "n_rows",
    "read_labelled",
    "read_rows",
    "read_training",
    "take",
]

BUNDLED = "bundled:"
Columns = dict[str, NDArray[Any]]


@dataclass
class Data:
    """A table that can be read more than once: a file, standard input or a bundled set.

    Parameters
    ----------
    where : str
        The path, ``-`` or ``bundled:NAME``.
    format : str or None
        The file's format; None goes by its name, and standard input is CSV.

    Examples
    --------
    >>> from planetree.sources import Data
    >>> sorted(Data("bundled:iris").read())
    ['class', 'petal_length', 'petal_width', 'sepal_length', 'sepal_width']
    """

    where: str
    format: str | None = None
    _raw: bytes | None = field(default=None, init=False, repr=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard input" if self.where == "-" else self.where

    @property
    def path(self) -> str | None:
        """The file, if it is one."""
        return None if self.where == "-" or self.where.startswith(BUNDLED) else self.where

    @property
    def known_target(self) -> str | None:
        """The column of the classes, where that is known beforehand."""
        return "class" if self.where.startswith(BUNDLED) else None

    @property
    def typed(self) -> bool:
        """Whether the table itself says which columns hold numbers; CSV leaves it to the reader."""
        if self.where.startswith(BUNDLED):
            return True
        format = self.format or ("csv" if self.where == "-" else format_of(self.where))
        return format not in ("csv", "tsv")

    def read(self, symbolic: Iterable[str] = ()) -> Columns:
        """Read all columns.

        Parameters
        ----------
        symbolic : iterable of str
            Columns to read as symbols although they look like numbers.

        Returns
        -------
        dict of str to ndarray
            As `planetree.datasets.read_table` gives them.
        """
        if self.where.startswith(BUNDLED):
            return _bundled(self.where, set(symbolic))
        source: Any = self.where
        format = self.format
        if self.where == "-":
            format = format or "csv"
            source = self._buffered(sys.stdin.buffer.read)
        elif os.path.exists(source) and not os.path.isfile(source) and not os.path.isdir(source):
            source = self._buffered(lambda: _bytes(self.where))  # a pipe can be read only once
        try:
            return dict(datasets.read_table(source, format, symbolic=symbolic))
        except DataFileError as error:
            problem = error.problem.replace("format=...", "--format")
            problem = re.sub(r"read it with read_(\w+)", r"say --format \1", problem)
            raise DataFileError(error.file, problem, error.line, error.column) from None

    def _buffered(self, read: Any) -> io.BytesIO:
        if self._raw is None:
            self._raw = read()
        buffer = _NamedBytes(self._raw)
        buffer.name = self.name
        return buffer


class _NamedBytes(io.BytesIO):
    name: str


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _bundled(where: str, symbolic: set[str]) -> Columns:
    name = where.removeprefix(BUNDLED)
    if name not in datasets.names():
        raise TableError(f"{where}: {unknown('bundled set', name, datasets.names())}")
    bundle = datasets.load(name)
    columns: Columns = {}
    for j, feature in enumerate(bundle.feature_names):
        values = bundle.data[:, j]
        columns[feature] = values.astype(float) if isinstance(values[0], float) else values
    columns["class"] = bundle.target
    for column in symbolic:
        _require(where, columns, column)
        columns[column] = _as_symbols(columns[column])
    return columns


def _as_symbols(values: NDArray[Any]) -> NDArray[Any]:
    symbols = np.empty(len(values), object)
    symbols[:] = [None if is_missing(v) else str(v).removesuffix(".0") for v in values]
    return symbols


def _require(name: str, columns: Iterable[str], column: str) -> None:
    columns = list(columns)
    if column not in columns:
        raise TableError(f"{name}: {unknown('column', column, columns)}")


def n_rows(columns: Columns) -> int:
    """Count the rows of a table.

    Parameters
    ----------
    columns : dict of str to ndarray
        The table.

    Returns
    -------
    int
        How many there are.
    """
    return len(next(iter(columns.values())))


def take(columns: Columns, rows: Any) -> Columns:
    """Pick rows of a table of columns.

    Parameters
    ----------
    columns : dict of str to ndarray
        The table.
    rows : ndarray or slice
        Whatever indexes a numpy array.

    Returns
    -------
    dict of str to ndarray
        These rows, in this order.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.sources import take
    >>> take({"x": np.array([1.0, 2.0, 3.0])}, [2, 0])
    {'x': array([3., 1.])}
    """
    return {name: values[rows] for name, values in columns.items()}


@dataclass(frozen=True)
class Training:
    """What a tree is fitted to.

    Parameters
    ----------
    name : str
        Where it comes from.
    target : str
        The column of the classes.
    X : dict of str to ndarray
        The features.
    y : ndarray
        The class of each row.
    weight : ndarray or None
        The weight of each row, above zero.
    """

    name: str
    target: str
    X: Columns
    y: NDArray[Any]
    weight: NDArray[np.float64] | None = None


def read_training(
    data: Data,
    target: str,
    *,
    weight: str | None = None,
    drop: Sequence[str] = (),
    symbolic: Sequence[str] = (),
) -> Training:
    """Read a table and part it into features, classes and weights.

    Parameters
    ----------
    data : Data
        The table.
    target : str
        The column of the classes.
    weight : str or None
        The column of the rows' weights; rows of weight 0 are left out.
    drop : sequence of str
        Columns to leave out.
    symbolic : sequence of str
        Columns to read as symbols although they look like numbers.

    Returns
    -------
    Training
        The parts.

    Examples
    --------
    >>> from planetree.sources import Data, read_training
    >>> sorted(read_training(Data("bundled:iris"), "class", drop=["sepal_width"]).X)
    ['petal_length', 'petal_width', 'sepal_length']
    """
    columns = data.read(symbolic)
    for name in (target, *drop, *([weight] if weight else [])):
        _require(data.name, columns, name)
    y = _labels(data.name, target, columns[target])
    row_weight = None
    if weight is not None:
        row_weight = _weights(data.name, weight, columns[weight])
    X = {name: v for name, v in columns.items() if name not in (target, weight, *drop)}
    if not X:
        raise TableError(f"{data.name}: no column is left to learn from")
    if row_weight is not None and not row_weight.all():
        keep = row_weight > 0
        X, y, row_weight = take(X, keep), y[keep], row_weight[keep]
    if not data.typed:
        _refuse_mixtures(data.name, {c: v for c, v in X.items() if c not in symbolic})
    for column, values in X.items():
        _warn_of_names(data.name, column, values)
    if len(classes := np.unique(y)) < 2:
        raise TableError(
            f"{data.name}, column {target}: one class only ({classes[0]}); "
            "a tree needs two or more to tell apart"
        )
    return Training(data.name, target, X, y, row_weight)


def read_labelled(
    data: Data, schema: Schema, target: str, *, weight: str | None = None
) -> Training:
    """Read rows for a model that is there already, with their classes.

    Parameters
    ----------
    data : Data
        The table.
    schema : Schema
        The model's features.
    target : str
        The column of the classes.
    weight : str or None
        The column of the rows' weights.

    Returns
    -------
    Training
        The model's columns, the classes and the weights.

    Examples
    --------
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.sources import Data, read_labelled
    >>> rows = read_labelled(Data("bundled:glass"), Schema((Feature("RI"),)), "class")
    >>> sorted(rows.X), len(rows.y)
    (['RI'], 214)
    """
    columns = read_rows(data, schema, also=[target, *([weight] if weight else [])])
    y = _labels(data.name, target, columns[target])
    row_weight = None if weight is None else _weights(data.name, weight, columns[weight])
    return Training(data.name, target, {n: columns[n] for n in schema.names}, y, row_weight)


def _labels(name: str, target: str, values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind == "f":
        missing = np.isnan(values)
    else:
        missing = np.fromiter(map(is_missing, values), bool, len(values))
    if missing.any():
        raise TableError(
            f"{name}, column {target}: the class is missing in "
            f"{counted(int(missing.sum()), 'row')}, first in row {missing.argmax()}; "
            "leave such rows out"
        )
    if values.dtype.kind != "f":
        return values if values.dtype.kind == "b" else values.astype(str)
    whole = np.isfinite(values) & (values == np.round(values)) & (np.abs(values) < 2**53)
    if not whole.all():
        row = int((~whole).argmax())
        raise TableError(
            f"{name}, column {target}: a class cannot be {values[row]:g} (row {row}); it must be a "
            f"word or a whole number (--symbolic {target} takes every number for a word)"
        )
    return values.astype(np.int64)


def _refuse_mixtures(name: str, columns: Columns) -> None:
    """Refuse columns of numbers and words: a slip of the pen would make thousands of symbols."""
    mixed: dict[str, str] = {}
    for column, values in columns.items():
        if values.dtype.kind != "O":
            continue
        cells = values.tolist()
        known = [cell for cell in dict.fromkeys(cells) if cell is not None]
        number = next((cell for cell in known if is_number(cell)), None)
        word = next((cell for cell in known if not is_number(cell)), None)
        if number is not None and word is not None:
            mixed[column] = (
                f"the number {number!r} in row {cells.index(number)}, "
                f"but the word {word!r} in row {cells.index(word)}"
            )
    if mixed:
        column, *others = mixed
        raise TableError(
            f"{name}, column {column}: {mixed[column]} (a missing value is an empty cell, ? or NA; "
            f"--symbolic {column} takes all for words)"
            + (f"; likewise {', '.join(others)}" if others else "")
        )


def is_number(cell: str) -> bool:
    """Tell whether a cell of a text file is read as a number.

    Parameters
    ----------
    cell : str
        What stands in it.

    Returns
    -------
    bool
        Whether it is one.

    Examples
    --------
    >>> from planetree.sources import is_number
    >>> is_number("1e3"), is_number("three")
    (True, False)
    """
    try:
        parse_number(cell)
    except ValueError:
        return False
    return True


def _warn_of_names(name: str, column: str, values: NDArray[Any]) -> None:
    """Warn of a column that names the rows: it takes long to learn, and tells nothing of others."""
    if values.dtype.kind != "O":
        return
    n_words = len({value for value in values if value is not None})
    if n_words > max(20, len(values) // 2):
        warnings.warn(
            f"{name}, column {column}: {n_words} different words in {len(values)} rows; "
            f"if they only name the rows, --drop {column}",
            stacklevel=2,
        )


def _weights(name: str, weight: str, values: NDArray[Any]) -> NDArray[np.float64]:
    place = f"{name}, column {weight}"
    if values.dtype.kind != "f":
        raise TableError(f"{place}: weights must be numbers")
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(bad.argmax())
        held = "is missing" if np.isnan(values[row]) else f"is {values[row]:g}"
        raise TableError(
            f"{place}: a weight must be a number of at least 0; in row {row} it {held}"
        )
    if not values.any():
        raise TableError(f"{place}: every weight is 0, no row is left to learn from")
    return values.astype(np.float64)


def read_rows(data: Data, schema: Schema, also: Sequence[str] = ()) -> Columns:
    """Read a table as the training table was read.

    Parameters
    ----------
    data : Data
        The table.
    schema : Schema
        The model's features.
    also : sequence of str
        Other columns that must be there.

    Returns
    -------
    dict of str to ndarray
        All its columns; the model's symbolic features as symbols, whatever they look like.

    Examples
    --------
    >>> from planetree.sources import Data, read_rows
    >>> from planetree.schema import Feature, Schema
    >>> schema = Schema((Feature("RI", "symbolic", ("1.51", "1.52")),))
    >>> read_rows(Data("bundled:glass"), schema)["RI"][:1]
    array(['1.52101'], dtype=object)
    """
    columns = data.read()
    absent = [name for name in schema.names if name not in columns]
    if absent:
        one = len(absent) == 1
        raise TableError(
            f"{data.name}: the model needs {'a column' if one else 'columns'} that it lacks: "
            + "; ".join(unknown("column", name, columns) for name in absent[:1])
            + (f"; also lacking: {', '.join(absent[1:])}" if not one else "")
        )
    for name in also:
        _require(data.name, columns, name)
    symbols = [feature.name for feature in schema.features if feature.kind == "symbolic"]
    again = [name for name in symbols if columns[name].dtype.kind != "O"]
    if again:  # codes such as 1, 2, 3, or a column of which nothing is known here
        columns = data.read(again)
    for feature in schema.features:
        if feature.kind == "numeric" and columns[feature.name].dtype.kind == "O":
            _require_numbers(data.name, feature.name, columns[feature.name])
    return columns


def _require_numbers(name: str, column: str, values: NDArray[Any]) -> None:
    for row, value in enumerate(values):
        try:
            if value is not None:
                float(value)
        except ValueError:
            raise TableError(
                f"{name}, column {column}: numbers in training, but row {row} holds {value!r} "
                "(a missing value is an empty cell, ? or NA)"
            ) from None
