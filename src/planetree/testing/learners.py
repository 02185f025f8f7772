"""What every learner promises."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from planetree.learners import CoefficientLearner, LinearTest
from planetree.linear import Linear
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.selectors import All
from planetree.table import Table
from planetree.testing.promises import (
    check_parameters,
    open_node,
    promise,
    quietly,
    snapshot,
    table_of,
)
from planetree.view import NodeView

__all__ = ["check_learner"]

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


def check_learner(learner: CoefficientLearner, *, random_state: int = 0) -> None:
    """Check that a learner keeps the contract of `planetree.learners.CoefficientLearner`.

    It must leave the view alone, give the same answer for the same view, and answer with a test
    over the columns it is shown, or None; find something where classes lie apart; put up with
    columns that are equal, huge or tiny, and with a handful of rows, without a warning; and survive
    `sklearn.base.clone`. What it says of itself (`multiclass`, `weighted`, `separates`,
    `scale_free`) must be so.

    Parameters
    ----------
    learner : CoefficientLearner
        An instance.
    random_state : int, default=0
        Seed of the tables.

    Raises
    ------
    AssertionError
        Saying which promise is broken, and where.

    Examples
    --------
    >>> from planetree.learners import RLS
    >>> from planetree.testing import check_learner
    >>> check_learner(RLS())
    """
    rng = np.random.default_rng(random_state)
    check_parameters(learner)
    for case in _plain(rng, 2), *([_plain(rng, 3)] if learner.multiclass else []):
        _check_found(learner, case)
    for case in _awkward(rng):
        view = _view(learner, case.table)
        if view.n_columns:  # no learner is asked otherwise
            _answer(learner, view, case.where)
    if learner.weighted:
        _check_weighted(learner, rng)
    if learner.separates:
        for n_classes in (2, 3) if learner.multiclass else (2,):
            _check_separates(learner, rng, n_classes)
    if learner.scale_free:
        _check_scale_free(learner, rng)


class _Case(NamedTuple):
    where: str
    table: Table


def _plain(rng: np.random.Generator, n_classes: int) -> _Case:
    """Classes that lie apart, but for a few rows; the last column is noise."""
    y = np.arange(60) % n_classes
    corners = np.array([[0.0, 0.0], [2.0, 3.0], [5.0, 0.0]])
    X = rng.normal(size=(60, 3))
    X[:, :2] += corners[y]
    return _Case(f"on {n_classes} classes", table_of(X, y))


def _awkward(rng: np.random.Generator) -> list[_Case]:
    """Tables on which some find nothing, and none may fail."""
    x, y = rng.normal(size=(30, 2)), np.arange(30) % 2
    gaps = x.copy()
    gaps[rng.random(x.shape) < 0.3] = np.nan
    return [
        _Case("on equal columns", table_of(x[:, [0, 0, 0]], y)),
        _Case("on a column that is the sum of two", table_of(np.c_[x, x.sum(axis=1)], y)),
        _Case("on a column of one value", table_of(np.c_[x, np.ones(30)], y)),
        _Case("on columns near 1e300", table_of(x * 1e300, y)),
        _Case("on columns near 1e-300", table_of(x * 1e-300, y)),
        _Case("on columns of 1e150 and of 1e-150", table_of(x * [1e150, 1e-150], y)),
        _Case("on missing values", table_of(gaps, y)),
        _Case("on two rows", table_of(x[:2], y[:2])),
        _Case("on fewer rows than columns", table_of(rng.normal(size=(3, 6)), y[:3])),
        _Case("on one column", table_of(x[:, :1], y)),
        _Case("on rows of both classes in each place", table_of(np.repeat(x[:15], 2, axis=0), y)),
    ]


def _view(learner: CoefficientLearner, table: Table, seed: int = 0) -> NodeView:
    return Linear(learner, All()).look(open_node(table, seed))[0]


def _answer(learner: CoefficientLearner, view: NodeView, where: str) -> LinearTest | None:
    """What the learner finds, after all that every answer must keep."""
    before = snapshot(view)
    test = quietly(learner, lambda: learner.fit(view), where)
    promise(snapshot(view) == before, learner, f"changes the view {where}")
    if test is not None:
        promise(
            isinstance(test, LinearThresholdUnit | LinearMachine),
            learner,
            f"returns {test!r} {where}; a test of view.unit or view.machine, or None, is needed",
        )
        problem = test.problem(view.schema)
        promise(problem is None, learner, f"returns a test that makes no sense {where}: {problem}")
        promise(
            len(view.places(test)) == len(test.terms),
            learner,
            f"returns a test over columns that it was not shown {where}",
        )
    promise(learner.fit(view) == test, learner, f"gives two answers for one view {where}")
    promise(clone(learner).fit(view) == test, learner, f"answers otherwise when cloned {where}")
    return test


def _check_found(learner: CoefficientLearner, case: _Case) -> None:
    table = case.table
    view = _view(learner, table)
    test = _answer(learner, view, case.where)
    promise(test is not None, learner, f"finds nothing {case.where} that lie apart")
    assert test is not None
    part = view.restrict((1, 0)[: view.n_columns])
    _answer(learner, part, f"{case.where} of which it is shown two columns")
    branch = test.route(table.X)
    right = sum(np.bincount(table.y[branch == b]).max(initial=0) for b in range(test.n_branches))
    largest = np.bincount(table.y).max()
    promise(
        right > largest,
        learner,
        f"parts the rows no better than not at all {case.where} that lie apart: "
        f"{right} of {table.n_rows} are in the largest class of their branch",
    )


def _check_weighted(learner: CoefficientLearner, rng: np.random.Generator) -> None:
    """The few heavy rows lie apart in one column, the many light ones in another."""
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    light = np.arange(80) >= 20
    X[~light, 0] += 6.0 * y[~light]
    X[light, 1] += 6.0 * y[light]
    weight = np.where(light, 1e-4, 1.0)
    test = _answer(
        learner, _view(learner, table_of(X, y, weight)), "on rows of which some weigh little"
    )
    heard = 0.0
    if test is not None:
        branch = test.route(X)
        counts = np.zeros((test.n_branches, 2))
        np.add.at(counts, (branch, y), weight)
        heard = counts.max(axis=1).sum() / weight.sum()
    promise(
        heard > 0.9, learner, "says that it takes weights, but rows of little weight mislead it"
    )


def _check_separates(learner: CoefficientLearner, rng: np.random.Generator, n: int) -> None:
    for _ in range(5):
        X = rng.normal(size=(60, 3))
        values = X @ rng.normal(size=(3, n))
        second, first = np.sort(values, axis=1)[:, -2:].T
        clear = first - second > 0.5
        y = np.unique(values[clear].argmax(axis=1), return_inverse=True)[1]
        if y.max() == 0:
            continue
        test = _answer(learner, _view(learner, table_of(X[clear], y)), "on separable classes")
        branch = None if test is None else test.route(X[clear])
        right = branch is not None and all(len(set(y[branch == b])) == 1 for b in set(branch))
        promise(right, learner, f"says that it separates, but leaves {n} separable classes mixed")


def _check_scale_free(learner: CoefficientLearner, rng: np.random.Generator) -> None:
    for _ in range(3):
        X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
        X[:, 0] += y
        scale = np.exp(rng.normal(0, 3, 3))
        moved = (X + rng.normal(size=3)) * scale
        ways = [
            None if test is None else test.route(values).tolist()
            for values in (X, moved)
            for test in [_answer(learner, _view(learner, table_of(values, y)), "on noise")]
        ]
        promise(
            ways[0] == ways[1],
            learner,
            "says that it is scale-free, but parts the rows otherwise when a column is shifted "
            "and scaled",
        )
