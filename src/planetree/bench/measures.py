"""What is measured of a fitted system: how right it is, how large, what it cost.

Figures that a system has not (leaves of a logistic regression) are None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from planetree.choices import unknown
from planetree.errors import StudyError
from planetree.nodetests import CutTests
from planetree.tree import Tree

__all__ = ["MEASURES", "Fitted", "Measure", "check_measures"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted system and how it did, as measures look at it.

    Parameters
    ----------
    system : estimator
        What was fitted.
    y : ndarray
        The true classes of the test rows.
    predicted : ndarray
        The predicted ones.
    X : object
        The test rows, as the system takes them.
    fit_seconds : float
        CPU time of the fit, all threads.
    predict_seconds : float
        CPU time of the prediction of all test rows.
    peak_memory : float or None
        MiB that the fit took at most beyond what was held before; None where it cannot be known.
    """

    system: Any
    y: NDArray[Any]
    predicted: NDArray[Any]
    X: Any
    fit_seconds: float
    predict_seconds: float
    peak_memory: float | None

    @property
    def tree(self) -> Any:
        """The tree inside, planetree's or scikit-learn's; None if it has none."""
        system = self.system
        while hasattr(system, "steps") or hasattr(system, "best_estimator_"):
            system = system.steps[-1][1] if hasattr(system, "steps") else system.best_estimator_
        tree = getattr(system, "tree_", None)
        return tree if isinstance(tree, Tree) or hasattr(tree, "node_count") else None


@dataclass(frozen=True)
class Measure:
    """One figure of every cell.

    Parameters
    ----------
    name : str
        Its word in study files and its column in the results.
    title : str
        What tables say above it.
    of : callable
        From `Fitted` to a number or None.
    better : {"high", "low"} or None
        Which end is the good one.
    scale : float
        What tables multiply it by.
    digits : int
        How many digits tables show after the point.
    """

    name: str
    title: str
    of: Callable[[Fitted], float | None]
    better: Literal["high", "low"] | None = "low"
    scale: float = 1.0
    digits: int = 1


def _accuracy(fitted: Fitted) -> float:
    return float(np.mean(fitted.predicted == fitted.y))


def _balanced_accuracy(fitted: Fitted) -> float:
    # scikit-learn's warns of a class that only predictions have.
    right = fitted.predicted == fitted.y
    return float(np.mean([right[fitted.y == label].mean() for label in np.unique(fitted.y)]))


def _log_loss(fitted: Fitted) -> float | None:
    if not hasattr(fitted.system, "predict_proba"):
        return None
    shares = np.asarray(fitted.system.predict_proba(fitted.X), float)
    classes = np.asarray(fitted.system.classes_)
    place = np.minimum(np.searchsorted(classes, fitted.y), len(classes) - 1)
    # The share of a class that training has not seen is 0.
    true = np.where(classes[place] == fitted.y, shares[np.arange(len(place)), place], 0.0)
    # As scikit-learn's log_loss: a share of 0 would cost infinitely much.
    return float(-np.log(np.maximum(true, np.finfo(float).eps)).mean())


def _of_tree(
    ours: Callable[[Tree], float], theirs: Callable[[Any], float]
) -> Callable[[Fitted], float | None]:
    def of(fitted: Fitted) -> float | None:
        tree = fitted.tree
        if tree is None:
            return None
        return float(ours(tree) if isinstance(tree, Tree) else theirs(tree))

    return of


def _features_of_tests(tree: Tree) -> list[int]:
    if isinstance(tree.tests, CutTests):
        return [1] * tree.n_tests
    return [len(test.features) for test in tree.tests if test is not None]


def _n_cuts(tree: Any) -> int:
    return int(tree.node_count - tree.n_leaves)


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("accuracy", "accuracy, %", _accuracy, "high", 100),
        Measure("balanced_accuracy", "balanced accuracy, %", _balanced_accuracy, "high", 100),
        Measure("log_loss", "log loss", _log_loss, "low", digits=3),
        Measure("leaves", "leaves", _of_tree(lambda t: t.n_leaves, lambda t: t.n_leaves)),
        Measure("nodes", "nodes", _of_tree(lambda t: t.n_nodes, lambda t: t.node_count)),
        Measure("tests", "tests", _of_tree(lambda t: t.n_tests, _n_cuts)),
        Measure(
            "size",
            "size: features over all tests",
            _of_tree(lambda t: sum(_features_of_tests(t)), _n_cuts),
        ),
        Measure(
            "multivariate_tests",
            "tests of several features",
            _of_tree(lambda t: sum(n > 1 for n in _features_of_tests(t)), lambda t: 0),
            None,
        ),
        Measure(
            "univariate_tests",
            "tests of one feature",
            _of_tree(lambda t: sum(n == 1 for n in _features_of_tests(t)), _n_cuts),
            None,
        ),
        Measure("depth", "depth", _of_tree(lambda t: t.max_depth, lambda t: t.max_depth)),
        Measure("fit_seconds", "CPU seconds to fit", lambda f: f.fit_seconds, digits=4),
        Measure("predict_seconds", "CPU seconds to predict", lambda f: f.predict_seconds, digits=4),
        Measure("peak_memory", "peak memory of the fit, MiB", lambda f: f.peak_memory),
    )
}


def check_measures(names: Any) -> tuple[str, ...]:
    """See that these are names of measures, none twice.

    Parameters
    ----------
    names : sequence of str
        The names.

    Returns
    -------
    tuple of str
        The same.
    """
    if isinstance(names, str) or not isinstance(names, list | tuple) or not names:
        known = ", ".join(MEASURES)
        raise StudyError(f"measures is a list of words, not {names!r}; known: {known}")
    for name in names:
        if name not in MEASURES:
            raise StudyError(unknown("measure", str(name), MEASURES))
        if names.count(name) > 1:
            raise StudyError(f"the measure {name} is listed twice")
    return tuple(names)
