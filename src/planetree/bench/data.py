"""The data sets of a study: tables by name, generators, and whatever else is (X, y)."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
from numpy.typing import NDArray

from planetree import datasets
from planetree.bench.noise import Noise, read_noise
from planetree.bench.protocols import Rows
from planetree.bench.seeds import seed_of
from planetree.choices import choose, unknown
from planetree.datasets.readers import format_of
from planetree.errors import StudyError
from planetree.labels import read_labels
from planetree.sources import BUNDLED, Columns, Data, n_rows, read_training
from planetree.table import as_array, is_missing, split
from planetree.table import read_training as read_table

__all__ = ["GENERATORS", "DataSet", "read_data", "take_rows"]

GENERATORS: Mapping[str, Callable[..., Any]] = {
    name.removeprefix("make_").replace("_", "-"): getattr(datasets, name)
    for name in datasets.__all__
    if name.startswith("make_")
}
SOURCE_KEYS = (
    *("source", "target", "drop", "symbolic", "format"),
    *("part", "test", "test_rows", "noise"),
)


@dataclass(frozen=True, eq=False)
class DataSet:
    """Rows of a study, in the form that cells take them apart.

    Parameters
    ----------
    name : str
        What the study calls them.
    X : ndarray of float64 or dict of str to ndarray
        The columns.
    y : ndarray
        The class of each row.
    test : ndarray of int or None
        The rows to test on, where they come with some.
    noise : Noise or None
        What is spoilt in every repetition.
    family : str
        The name that the parts are drawn by: data that differ in noise alone share it.

    Examples
    --------
    >>> from planetree.bench.data import read_data
    >>> iris = read_data("iris", "bundled:iris")
    >>> len(iris.y), iris.digest[:8]
    (150, '...')
    """

    name: str
    X: NDArray[np.float64] | Columns
    y: NDArray[Any]
    test: Rows | None = None
    noise: Noise | None = None
    family: str = ""

    def __post_init__(self) -> None:
        if not self.family:
            object.__setattr__(self, "family", self.name)

    @property
    def digest(self) -> str:
        """What tells these rows from all others, on any machine."""
        schema, values = read_table(split(self.X))
        hashed = hashlib.sha256(
            repr([(f.name, f.kind, f.symbols) for f in schema.features]).encode()
        )
        hashed.update(np.ascontiguousarray(values + 0.0).astype("<f8").tobytes())
        hashed.update(repr(self.y.tolist()).encode())
        hashed.update(repr(None if self.test is None else self.test.tolist()).encode())
        return hashed.hexdigest()

    def describe(self) -> dict[str, Any]:
        """Tell what it is, ready for JSON."""
        noise = None if self.noise is None else self.noise.describe()
        return {"rows": len(self.y), "digest": self.digest[:16], "noise": noise}


def take_rows(X: NDArray[Any] | Columns, rows: Rows) -> Any:
    """Pick rows of either kind of table."""
    if isinstance(X, dict):
        return {name: values[rows] for name, values in X.items()}
    return X[rows]


def read_data(name: str, what: Any, *, seed: int = 0, folder: Path | None = None) -> DataSet:
    """Read one data set of a study.

    Parameters
    ----------
    name : str
        What the study calls it.
    what : DataSet, tuple, str or mapping
        A pair (X, y), perhaps with an array that marks the test rows; ``bundled:NAME``, a path or
        the name of a generator; or a mapping as a study file has it.
    seed : int, default=0
        The study's; generators draw by it and the name.
    folder : path, default=None
        Where relative paths begin.

    Returns
    -------
    DataSet
        The rows.
    """
    try:
        if isinstance(what, DataSet):
            return replace(what, name=name, family=name)
        if isinstance(what, tuple):
            return _from_arrays(name, *what)
        if isinstance(what, str):
            what = {"generator": what} if what in GENERATORS else {"source": what}
        if not isinstance(what, Mapping):
            raise StudyError(f"a pair (X, y), a name or a table is needed, not {what!r}")
        known = _from_generator if "generator" in what else _from_table
        return known(name, dict(what), seed, folder or Path())
    except (ValueError, TypeError, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            error = ValueError(f"{error.filename}: {error.strerror}")
        raise StudyError(f"data {name}: {error}") from None


def _from_arrays(name: str, X: Any, y: Any, test: Any = None) -> DataSet:
    columns = split(X)
    if isinstance(columns, dict):
        columns = {str(column): _column(values) for column, values in columns.items()}
    labels = read_labels(y)
    _, values = read_table(columns)
    if len(labels) != len(values):
        raise StudyError(f"{len(values)} rows, but {len(labels)} labels")
    if len(np.unique(labels)) < 2:
        raise StudyError("one class only; a tree needs two or more to tell apart")
    rows = None
    if test is not None:
        rows = np.asarray(test)
        rows = np.flatnonzero(rows) if rows.dtype == bool else np.unique(rows).astype(np.intp)
        if not 0 < len(rows) < len(labels) or rows[0] < 0 or rows[-1] >= len(labels):
            raise StudyError(f"{len(rows)} test rows of {len(labels)}; some must be left to train")
    return DataSet(name, columns, labels, rows)


def _column(values: Any) -> NDArray[Any]:
    if isinstance(values, nw.Series):
        if values.dtype.is_numeric() and values.dtype not in (nw.Categorical, nw.Enum):
            return values.cast(nw.Float64).to_numpy()
        values = values.to_list()
    array: NDArray[Any] = as_array(values)
    if array.dtype.kind not in "OUT":
        return array
    return np.array([*(None if is_missing(v) else v for v in array), None], object)[:-1]


def _from_generator(name: str, what: dict[str, Any], seed: int, folder: Path) -> DataSet:
    make = choose("generator", what.pop("generator"), GENERATORS)
    test_rows, noise = what.pop("test_rows", None), read_noise(what.pop("noise", None))
    options = inspect.signature(make).parameters
    for key in what:
        if key not in options:
            raise StudyError(unknown("option of the generator", key, [*options, "test_rows"]))
    X, y = make(**{"random_state": seed_of(seed, "generate", name), **what})
    return replace(_from_arrays(name, X, y, _last(test_rows, len(y))), noise=noise)


def _from_table(name: str, what: dict[str, Any], seed: int, folder: Path) -> DataSet:
    for key in what:
        if key not in SOURCE_KEYS:
            raise StudyError(unknown("key", key, [*SOURCE_KEYS, "generator"]))
    if not isinstance(what.get("source"), str):
        raise StudyError(
            "source is missing: bundled:NAME, a file, or generator = NAME in its place"
        )
    data = _open(what["source"], what.get("format"), folder)
    target = what.get("target") or data.known_target
    if target is None:
        raise StudyError(f"target is missing: which column of {data.name} holds the class?")
    drop, symbolic = (_names(key, what.get(key, [])) for key in ("drop", "symbolic"))
    n = None
    if "test" in what:
        n = n_rows(data.read())
        data = _Joined(data.where, data.format, _open(what["test"], what.get("format"), folder))
    training = read_training(data, target, drop=drop, symbolic=symbolic)
    X, y = training.X, training.y
    test = _last(what.get("test_rows"), len(y))
    if data.where.startswith(BUNDLED):
        given = datasets.load(data.where.removeprefix(BUNDLED)).get("split")
        if "part" in what:
            kept = _given_part(what["part"], given)
            X, y = take_rows(X, kept), y[kept]
        elif test is None and given is not None:
            test = np.flatnonzero(given == "test")
    elif "part" in what:
        raise StudyError("part is for bundled sets that come with a division")
    if n is not None:
        if test is not None:
            raise StudyError("test rows are given twice, by test and by test_rows or the set")
        test = np.arange(n, len(y))
    return replace(_from_arrays(name, X, y, test), noise=read_noise(what.get("noise")))


@dataclass
class _Joined(Data):
    """Two tables of the same columns, one below the other."""

    second: Data | None = None

    def read(self, symbolic: Iterable[str] = ()) -> Columns:
        assert self.second is not None
        first, second = super().read(symbolic), self.second.read(symbolic)
        if set(first) != set(second):
            raise StudyError(f"{self.second.name} has other columns than {self.name}")
        return {name: np.concatenate([values, second[name]]) for name, values in first.items()}


def _given_part(part: Any, given: NDArray[Any] | None) -> Rows:
    if part not in ("train", "test") or given is None:
        raise StudyError(
            f"part must be train or test, of a bundled set that comes with a division, not {part!r}"
        )
    return np.flatnonzero(given == part)


def _open(where: Any, format: str | None, folder: Path) -> Data:
    if not isinstance(where, str):
        raise StudyError(f"a file is a string, not {where!r}")
    if not where.startswith(BUNDLED):
        where = str(folder / where)
        if not Path(where).exists():
            raise StudyError(
                f"no file {where}, and no generator of that name; generators: "
                f"{', '.join(GENERATORS)}; bundled sets are written {BUNDLED}NAME"
            )
        if format is None:
            format_of(where)
    return Data(where, format)


def _names(key: str, value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
        raise StudyError(f"{key} is a list of columns, not {value!r}")
    return list(value)


def _last(n: Any, of: int) -> Rows | None:
    if n is None:
        return None
    if isinstance(n, bool) or not isinstance(n, int) or not 0 < n < of:
        raise StudyError(f"test_rows must be a whole number from 1 to {of - 1}, not {n!r}")
    return np.arange(of - n, of)
