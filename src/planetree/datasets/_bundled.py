"""The bundled files, and how their columns become what a loader returns."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from planetree.extras import require

from ._source import Columns
from .readers import read_csv

__all__ = ["AsFrame", "bundle", "describe", "index", "names", "read_bundled"]

AsFrame: TypeAlias = bool | Literal["pandas", "polars"]


@cache
def index() -> dict[str, dict[str, Any]]:
    """Read what is known about each bundled set: counts, columns, source, licence, remarks."""
    text = _data("index.json").decode("utf-8")
    sets: dict[str, dict[str, Any]] = json.loads(text)
    return sets


def names() -> tuple[str, ...]:
    """Name the bundled data sets, in alphabetical order.

    Returns
    -------
    tuple of str
        What `load` takes.

    Examples
    --------
    >>> from planetree.datasets import names
    >>> len(names()), names()[:3]
    (21, ('breast', 'bupa', 'car'))
    """
    return tuple(sorted(index()))


def read_bundled(name: str) -> Columns:
    """Read one set; the last column is the class, a first one called split is not a feature."""
    symbolic = {*index()[name]["symbolic"], "class"}
    if index()[name]["split"]:
        symbolic.add("split")
    with (resources.files(__package__) / "data" / f"{name}.csv.gz").open("rb") as file:
        return read_csv(file, symbolic=symbolic)


def bundle(
    columns: Columns,
    *,
    class_names: dict[str, str],
    description: str,
    return_X_y: bool,
    as_frame: AsFrame,
) -> Any:
    """Arrange columns, of which the last is the class, in scikit-learn's manner."""
    features = dict(columns)
    split = features.pop("split", None)
    target_name, target = features.popitem()
    labels = np.array(target.tolist(), dtype=np.str_)
    data: Any
    y: Any
    if as_frame is False:
        frame, data, y = None, _matrix(features), labels
    elif as_frame is True or as_frame == "pandas":
        pandas = require("pandas", extra="pandas", purpose="as_frame=True")
        frame = pandas.DataFrame({**features, target_name: target})
        data, y = frame[list(features)], frame[target_name]
    elif as_frame == "polars":
        polars = require("polars", extra="polars", purpose='as_frame="polars"')
        frame = polars.DataFrame(
            [_polars_series(polars, column, values) for column, values in columns.items()]
        ).select(*features, target_name)
        data, y = frame.select(list(features)), frame[target_name]
    else:
        raise ValueError(f"as_frame={as_frame!r}: choose False, True, 'pandas' or 'polars'")
    if return_X_y:
        return data, y
    # Imported here because scikit-learn imports pandas where it is installed.
    from sklearn.utils import Bunch

    result = Bunch(
        data=data,
        target=y,
        feature_names=list(features),
        target_names=np.array([class_names.get(label, label) for label in np.unique(labels)]),
        DESCR=description,
        frame=frame,
    )
    if split is not None:
        result["split"] = np.array(split.tolist(), dtype=np.str_)
    return result


def describe(name: str) -> str:
    """Put the entry of the index into prose, for `DESCR`."""
    entry = index()[name]
    counts = ", ".join(f"{label} {n}" for label, n in entry["class_distribution"].items())
    lines = [
        entry["title"],
        "=" * len(entry["title"]),
        "",
        f"Rows: {entry['cases']}",
        f"Features: {entry['features']} ({len(entry['numeric'])} numeric, "
        f"{len(entry['symbolic'])} symbolic)",
        f"Classes: {entry['classes']} ({counts})",
        f"Missing cells: {entry['missing_cells']} in {entry['cases_with_missing']} rows",
        f"Creators: {entry['creators']}",
        f"Source: {entry['source']}",
        f"Licence: {entry['licence']}",
        f"Copied from: {entry['copied_from']}",
        "",
        entry["remarks"],
    ]
    if entry["split"]:
        lines.append("The given division into training and test rows is in `split`.")
    return "\n".join(lines) + "\n"


def _data(file: str) -> bytes:
    return (resources.files(__package__) / "data" / file).read_bytes()


def _matrix(features: Columns) -> npt.NDArray[Any]:
    columns = list(features.values())
    if all(column.dtype == np.float64 for column in columns):
        return np.column_stack(columns)
    matrix = np.empty((len(columns[0]), len(columns)), dtype=object)
    for number, column in enumerate(columns):
        matrix[:, number] = column
    return matrix


def _polars_series(polars: Any, column: str, values: npt.NDArray[Any]) -> Any:
    if values.dtype == np.float64:
        return polars.Series(column, values, nan_to_null=True)
    return polars.Series(column, values.tolist(), dtype=polars.String)
