"""Where the searches by merit begin, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from planetree import _core
from planetree.planes import LinearThresholdUnit
from planetree.view import NodeView

__all__ = ["STARTS", "best_plane", "best_univariate", "check_starts", "directions"]

Floats = NDArray[np.float64]

RIDGE = 1e-6  # of a column's variance, so that columns that depend on each other can be solved for


def _univariate(view: NodeView) -> Floats:
    return np.eye(view.n_columns)


def _least_squares(view: NodeView) -> Floats:
    """Normals of the planes that fit each class and its others, by least squares."""
    A = view.sums.A + RIDGE * view.sums.A[-1, -1] * np.eye(view.n_columns + 1)
    _, W, failed = dposv(A, view.sums.B)
    if failed:
        return np.zeros((0, view.n_columns))
    normals = W.T[1:, :-1] if view.n_classes == 2 else W.T[:, :-1]
    largest = np.abs(normals).max(axis=1, keepdims=True)
    usable = ((largest > 0) & np.isfinite(largest))[:, 0]
    # What is behind depends on the unit of a column and on the processor; the search must not.
    rounded: Floats = np.round(normals[usable] / largest[usable] * 2**10) / 2**10
    return rounded


# A start is the best of some directions, cut where that is best.
STARTS: Mapping[str, Callable[[NodeView], Floats]] = {
    "univariate": _univariate,
    "least_squares": _least_squares,
}


def check_starts(who: str, starts: object) -> None:
    """Refuse names that stand for no start.

    Parameters
    ----------
    who : str
        The learner, for the message.
    starts : object
        What the user gave as starts.
    """
    known = ", ".join(map(repr, STARTS))
    if isinstance(starts, str) or not isinstance(starts, Sequence) or not starts:
        raise ValueError(f"{who}: starts must be a tuple of names out of {known}, not {starts!r}")
    for name in starts:
        if name not in STARTS:
            raise ValueError(f"{who}: no start {name!r}; known: {known}")


def best_univariate(view: NodeView) -> Floats | None:
    """Weights of the best univariate test of a node, as directions are.

    Parameters
    ----------
    view : NodeView
        The node.

    Returns
    -------
    ndarray of shape (n_columns,), or None
        1 for its column; None where no cut leaves rows enough on both sides.
    """
    return _best_direction(view, _univariate(view))


def directions(view: NodeView, starts: Iterable[str], univariate: Floats | None = None) -> Floats:
    """Directions to begin at, one a start that has any.

    Parameters
    ----------
    view : NodeView
        The node.
    starts : iterable of str
        Out of `STARTS`.
    univariate : ndarray of shape (n_columns,), optional
        What `best_univariate` has found, where it has been asked.

    Returns
    -------
    ndarray of shape (n, n_columns)
        At most one row a start.
    """
    best = [
        univariate
        if name == "univariate" and univariate is not None
        else _best_direction(view, STARTS[name](view))
        for name in starts
    ]
    return np.array([w for w in best if w is not None]).reshape(-1, view.n_columns)


def _best_direction(view: NodeView, candidates: Floats) -> Floats | None:
    values = np.zeros((view.n_rows, len(candidates)), order="F")
    for c, j in zip(*np.nonzero(candidates), strict=True):  # in this order on every processor
        values[:, c] += view.Z[:, j] * candidates[c, j]
    options = {"merit": view.search["merit"], "min_leaf_rows": view.min_leaf_rows}
    cuts = _core.value_cuts(values=values, **options, **view.cases)
    found = np.flatnonzero(cuts["found"])
    if not len(found):
        return None
    best: Floats = candidates[found[cuts["merit"][found].argmax()]]
    return best


def best_plane(view: NodeView, weights: Iterable[Floats]) -> LinearThresholdUnit | None:
    """Test of greatest merit along any of these weights; of equals the first.

    Parameters
    ----------
    view : NodeView
        The node.
    weights : iterable of ndarray of shape (n_columns,)
        In standardised units.

    Returns
    -------
    LinearThresholdUnit or None
        None where none parts the rows.
    """
    found = [unit for w in weights if (unit := view.best_unit(w)) is not None]
    return max(found, key=lambda pair: pair[0], default=(0.0, None))[1]
