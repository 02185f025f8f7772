"""What the commands do, as functions that return values and print nothing."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from planetree.choices import unknown
from planetree.cli.models import Predictor, schema_of
from planetree.counterfactual import Counterfactual
from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.extras import require
from planetree.rule_classifier import RuleClassifier
from planetree.rules import Fired, RuleSet
from planetree.sources import Columns, Data, Training, n_rows, read_labelled, read_rows, take
from planetree.text import counted
from planetree.tree import Explanation

__all__ = [
    "accuracy",
    "counterfactuals",
    "csv_text",
    "draw",
    "explain",
    "fit",
    "interval",
    "number",
    "pair",
    "predictions",
    "read_cases",
    "records",
]

Progress = Callable[[float], None]
Fitted = PlaneTreeClassifier | RuleClassifier


def fit(estimator: Fitted, training: Training, progress: Progress) -> Fitted:
    """Fit a tree, or rules.

    Parameters
    ----------
    estimator : PlaneTreeClassifier or RuleClassifier
        How.
    training : Training
        To what.
    progress : callable
        Is told the share done.

    Returns
    -------
    PlaneTreeClassifier or RuleClassifier
        A fitted one; the one given is left alone.
    """
    fitted: Fitted = clone(estimator)
    told = "tree__progress" if isinstance(fitted, RuleClassifier) else "progress"
    fitted.set_params(**{told: lambda share: progress(share)})  # a function: no clone copies it
    try:
        fitted.fit(training.X, training.y, sample_weight=training.weight)
    except TableError as error:
        raise TableError(f"{training.name}: {error}") from None
    fitted.set_params(**{told: False})
    return fitted


def read_cases(
    tree: PlaneTreeClassifier, data: Data, target: str | None
) -> tuple[Columns, NDArray[Any]]:
    """Read cases with their classes, for a tree that is there already.

    Parameters
    ----------
    tree : PlaneTreeClassifier
        The model.
    data : Data
        Where the cases are from.
    target : str or None
        The column of the classes; None is the known one of a bundled set.

    Returns
    -------
    tuple of dict and ndarray
        The model's columns, and the class of each case.
    """
    target = target or data.known_target
    if target is None:
        raise TableError(f"{data.name}: which column holds the class? say --target COLUMN")
    cases = read_labelled(data, tree.tree_.schema, target)
    known = {str(label): label for label in tree.classes_.tolist()}
    labels = list(map(str, cases.y.tolist()))  # true may be True here and "True" there
    for row, label in enumerate(labels):
        if label not in known:
            raise TableError(
                f"{data.name}, column {target}: row {row} holds {label}; "
                f"the model knows {', '.join(known)}"
            )
    return cases.X, np.array([known[label] for label in labels], tree.classes_.dtype)


def predictions(
    predictor: Predictor, name: str, columns: Columns, *, proba: bool, keep: Columns
) -> tuple[NDArray[Any], dict[str, list[Any]]]:
    """Predict rows.

    Parameters
    ----------
    predictor : PlaneTreeClassifier or RuleSet
        The model.
    name : str
        What messages call the table.
    columns : dict of str to ndarray
        The rows.
    proba : bool
        Add a column ``proba_CLASS`` for each class.
    keep : dict of str to ndarray
        Columns to begin with.

    Returns
    -------
    predicted : ndarray
        The class of each row.
    table : dict of str to list
        The columns of the result.
    """
    predicted, shares = _predict(predictor, name, columns)
    table: dict[str, list[Any]] = {column: values.tolist() for column, values in keep.items()}
    new: dict[str, list[Any]] = {"prediction": predicted.tolist()}
    if proba:
        new.update({f"proba_{c}": share for c, share in shares.items()})
    for column in new:
        if column in table:
            raise TableError(f"{name}: a column {column} is there already, so --keep cannot be")
    return predicted, table | new


def csv_text(table: Mapping[str, Sequence[Any]]) -> str:
    """Write columns as CSV.

    Parameters
    ----------
    table : dict of str to list
        The columns.

    Returns
    -------
    str
        The file; what is missing is an empty cell.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    cells = [["" if _missing(v) else str(v) for v in column] for column in table.values()]
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def records(table: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Take columns apart into rows, ready for JSON.

    Parameters
    ----------
    table : dict of str to list
        The columns.

    Returns
    -------
    list of dict
        One a row; what is missing is None.
    """
    return [
        {name: None if _missing(v) else v for name, v in zip(table, row, strict=True)}
        for row in zip(*table.values(), strict=True)
    ]


def _missing(value: Any) -> bool:
    return value is None or value != value


def _predict(
    predictor: Predictor, name: str, columns: Columns
) -> tuple[NDArray[Any], dict[Any, list[float]]]:
    try:
        if isinstance(predictor, RuleSet):
            return predictor.predict(columns), {}
        predicted, shares = predictor.predict(columns), predictor.predict_proba(columns)
    except TableError as error:
        raise TableError(f"{name}: {error}") from None
    return predicted, dict(zip(predictor.classes_, shares.T.tolist(), strict=True))


def draw(picture: Callable[[], Any], path: str) -> None:
    """Draw a picture into a file.

    Parameters
    ----------
    picture : callable
        Draws it, and returns its axes.
    path : str
        Where to; its ending says in which format.
    """
    pyplot = require("matplotlib.pyplot", extra="plot", purpose="--picture")
    figure = picture().figure
    known = figure.canvas.get_supported_filetypes()
    try:
        if os.path.splitext(path)[1].removeprefix(".").lower() not in known:
            raise ValueError(f"{path}: pictures are written as {', '.join(sorted(known))}")
        figure.savefig(path, dpi=150)
    finally:
        pyplot.close(figure)


def accuracy(predicted: NDArray[Any], data: Data, columns: Columns, target: str) -> str:
    """Say how many rows got the class that the data has for them.

    Parameters
    ----------
    predicted : ndarray
        The class of each row.
    data : Data
        Where the rows are from.
    columns : dict of str to ndarray
        The rows.
    target : str
        The column of the true classes.

    Returns
    -------
    str
        One line.
    """
    true = columns[target]
    if isinstance(predicted[0], str) and true.dtype.kind == "f":
        true = data.read([target])[target]
    known = np.array([value is not None and value == value for value in true], bool)
    if not known.any():
        raise TableError(f"{data.name}, column {target}: no row has a class to compare with")
    # Whole numbers come from a file as floats; and true may be True here and "True" there.
    kind = float if true.dtype.kind == "f" else str
    right = int((predicted[known].astype(kind) == true[known].astype(kind)).sum())
    of = counted(int(known.sum()), "row") + ("" if known.all() else " with a known class")
    return f"accuracy {100 * right / known.sum():.1f} % ({right} of {of})"


def explain(
    predictor: Predictor, data: Data, rows: Sequence[int] = ()
) -> Iterator[tuple[int, Explanation | Fired]]:
    """Follow rows from the root to their leaves, or to the rule that fires.

    Parameters
    ----------
    predictor : PlaneTreeClassifier or RuleSet
        The model.
    data : Data
        Where the rows are from.
    rows : sequence of int
        Which, counted from 0; none is all.

    Yields
    ------
    tuple of int and Explanation or Fired
        The row and its way.
    """
    columns = read_rows(data, schema_of(predictor))
    n = n_rows(columns)
    for row in rows:
        if not 0 <= row < n:
            raise TableError(f"{data.name}: no row {row}, the rows are 0 to {n - 1}")
    wanted = list(rows) if rows else list(range(n))
    for begin in range(0, len(wanted), 1000):  # so that the first lines need not wait for the last
        some = wanted[begin : begin + 1000]
        try:
            yield from zip(some, predictor.explain(take(columns, some)), strict=True)
        except TableError as error:
            raise TableError(f"{data.name}: {error}") from None


def pair(option: str, text: str, form: str) -> tuple[str, str]:
    """Take what is given for a column apart.

    Parameters
    ----------
    option : str
        The option, for the message.
    text : str
        ``COLUMN=VALUE``; the column's name may hold more of these signs.
    form : str
        How it should look.

    Returns
    -------
    tuple of str
        The column and the value.
    """
    name, sign, value = text.rpartition("=")
    if not sign or not name:
        raise TableError(f"{option} is {form}, not {text}")
    return name, value


def number(option: str, name: str, text: str) -> float:
    """Read a number given for a column.

    Parameters
    ----------
    option, name : str
        The option and the column, for the message.
    text : str
        The number.

    Returns
    -------
    float
        Its value.
    """
    try:
        return float(text)
    except ValueError:
        raise TableError(f"{option} of {name} is a number, not {text!r}") from None


def interval(name: str, text: str) -> tuple[float | None, float | None]:
    """Read ``LOW:HIGH`` given for a column.

    Parameters
    ----------
    name : str
        The column, for the message.
    text : str
        Two numbers, of which either may be left out.

    Returns
    -------
    tuple of float or None
        Both ends.
    """
    low, colon, high = text.partition(":")
    if not colon:
        raise TableError(f"--bounds of {name} is LOW:HIGH, not {text!r}")
    least = number("--bounds", name, low) if low else None
    return least, number("--bounds", name, high) if high else None


def counterfactuals(
    tree: PlaneTreeClassifier,
    data: Data,
    rows: Sequence[int],
    target: str | None,
    **options: Any,
) -> Iterator[tuple[int, Counterfactual | None]]:
    """Find the smallest change of rows.

    Parameters
    ----------
    tree : PlaneTreeClassifier
        The model.
    data : Data
        Where the rows are from; its spread is the unit.
    rows : sequence of int
        Which, counted from 0; none is all.
    target : str or None
        The class wanted.
    **options
        Of `PlaneTreeClassifier.counterfactual`.

    Yields
    ------
    tuple of int and Counterfactual or None
        The row, and None where no allowed change gets the class.
    """
    columns = read_rows(data, tree.tree_.schema)
    n = n_rows(columns)
    for row in rows:
        if not 0 <= row < n:
            raise TableError(f"{data.name}: no row {row}, the rows are 0 to {n - 1}")
    labels = {str(label): label for label in tree.tree_.classes}
    if target is not None and target not in labels:
        raise TableError(unknown("class", target, labels))
    wanted = None if target is None else labels[target]
    for i in rows or range(n):
        case = take(columns, [i])
        if target is not None and tree.predict(case)[0] == wanted:
            raise TableError(f"{data.name}: row {i} is {target} already; nothing must change")
        yield i, tree.counterfactual(case, wanted, X=columns, **options)
