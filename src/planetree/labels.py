"""From the user's target and weights to labels and numbers."""

from __future__ import annotations

from numbers import Real
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from planetree.errors import TableError
from planetree.schema import Schema, Symbol
from planetree.table import Table, as_array, is_missing, read_like, split

__all__ = ["read_cases", "read_labels", "read_rows", "read_weight"]

Floats = NDArray[np.float64]
CLASSES = "y must hold classes: strings, booleans or whole numbers"


def read_labels(y: Any) -> NDArray[Any]:
    """Class labels, one a row, none missing."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    if isinstance(nw.from_native(y, series_only=True, pass_through=True), nw.Series):
        # Here, since scikit-learn makes floats of pandas' nullable integers and booleans.
        y = np.asarray(y)
        y = as_array(y.tolist()) if y.dtype.kind == "O" else y
    labels: NDArray[Any] = column_or_1d(
        as_array(y) if isinstance(y, list | tuple) else y, warn=True
    )
    if labels.dtype.kind == "T":
        labels = labels.astype(object)
    if labels.dtype.kind == "O":
        for row, label in enumerate(labels):
            if is_missing(label):
                raise TableError(f"y is missing in row {row}; drop such rows")
        kinds = sorted({type(label).__name__ for label in labels})
        if not all(isinstance(label, str | np.bool_ | Real) for label in labels):
            raise TableError(f"y holds {', '.join(kinds)}; {CLASSES}")
        if len(kinds) > 1 and "str" in kinds:
            raise TableError(
                f"y mixes labels of different types ({', '.join(kinds)}); make them all alike"
            )
    elif labels.dtype.kind == "f" and (bad := ~np.isfinite(labels)).any():
        row = int(bad.argmax())
        what = "missing (NaN)" if np.isnan(labels[row]) else "an infinity (inf)"
        raise TableError(f"y is {what} in row {row}; drop such rows")
    elif labels.dtype.kind not in "biufU":
        raise TableError(f"y holds {labels.dtype}; {CLASSES}")
    kind = type_of_target(labels, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise TableError(f"Unknown label type: {kind}. {CLASSES}")
    return labels


def read_weight(sample_weight: ArrayLike, n_rows: int) -> Floats:
    """Row weights, none negative, not all zero."""
    weight = np.asarray(sample_weight, np.float64)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.shape != (n_rows,):
        raise TableError(
            f"sample_weight must be one number a row, shape ({n_rows},), not {weight.shape}"
        )
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise TableError(f"sample_weight must be 0 or more and finite; row {row} has {weight[row]}")
    if not weight.any():
        raise TableError("sample_weight is zero in every row; no row is left to learn from")
    return weight


def read_rows(schema: Schema, X: Any) -> Floats:
    """Rows for a tree that is grown already; named columns are found by name."""
    columns = split(X, schema.names)
    if isinstance(columns, dict) and hasattr(X, "columns"):  # a frame; an array has places only
        absent = [name for name in schema.names if name not in columns]
        if absent:
            raise TableError(f"columns of the tree are missing: {', '.join(absent)}")
        columns = {name: columns[name] for name in schema.names}
    width = len(columns) if isinstance(columns, dict) else columns.shape[1]
    if width != len(schema.features):
        raise TableError(
            f"X has {width} columns, but the tree was grown on {len(schema.features)}: "
            f"{', '.join(schema.names)}"
        )
    return read_like(columns, schema)


def read_cases(
    schema: Schema,
    classes: tuple[Symbol, ...],
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None = None,
) -> Table:
    """Labelled cases for a tree that is grown already: its columns, its classes.

    Named columns are found by name, whatever their order and whatever else there is.
    """
    values = read_rows(schema, X)
    labels = read_labels(y)
    if len(labels) != len(values):
        raise TableError(
            f"X and y differ in length: {len(values)} rows, {len(labels)} labels (inconsistent)"
        )
    place = {label: i for i, label in enumerate(classes)}
    for row, label in enumerate(labels.tolist()):
        if label not in place:
            raise TableError(
                f"y is {label!r} in row {row}; the tree knows {', '.join(map(repr, classes))}"
            )
    codes = np.array([place[label] for label in labels.tolist()], np.int32)
    weight = None if sample_weight is None else read_weight(sample_weight, len(values))
    if weight is not None and not weight.all():
        keep = weight > 0
        values, codes, weight = values[keep], codes[keep], weight[keep]
    return Table(schema, values, codes, classes, weight)
