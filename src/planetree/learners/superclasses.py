"""Two-class learners where there are more classes: these are put into two groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree.learners.base import CoefficientLearner, LinearTest, SumsLearner
from planetree.learners.rls import RLS
from planetree.scaling import Scaling
from planetree.view import NodeView

__all__ = ["Superclasses"]

Floats = NDArray[np.float64]


class Superclasses(CoefficientLearner):
    """One plane between two groups of classes (Brodley and Utgoff 1995, section 2.3).

    The classes of the node are put in order along the line on which their means lie furthest
    apart. Each place to cut that order makes two groups, of which `learner` learns as of two
    classes; its weights are then cut where the merit, which knows all classes, is greatest. The
    best of these planes is the test, the first of equals.

    Parameters
    ----------
    learner : CoefficientLearner, default=None
        What learns to tell two classes apart; None is `planetree.learners.RLS`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS, Superclasses
    >>> X, y = load_iris(return_X_y=True)
    >>> for learner in (RLS(), Superclasses(RLS())):
    ...     tree = PlaneTreeClassifier(learner=learner, univariate=False, max_depth=1).fit(X, y)
    ...     print(tree.tree_.tests[0].n_branches)
    3
    2
    """

    def __init__(self, learner: CoefficientLearner | None = None) -> None:
        self.learner = learner

    @property
    def _of_two(self) -> CoefficientLearner:
        learner = RLS() if self.learner is None else self.learner
        if not isinstance(learner, CoefficientLearner):
            raise ValueError(
                f"learner of Superclasses must be a learner such as planetree.learners.RLS(), "
                f"not {learner!r}"
            )
        return learner

    # It takes and keeps to what the other does, but for the number of classes.
    @property
    def weighted(self) -> bool:  # type: ignore[override]  # noqa: D102
        return self._of_two.weighted

    @property
    def incomplete(self) -> bool:  # type: ignore[override]  # noqa: D102
        return self._of_two.incomplete

    @property
    def most_columns(self) -> int | None:  # type: ignore[override]  # noqa: D102
        return self._of_two.most_columns

    @property
    def scaling(self) -> Scaling:  # type: ignore[override]  # noqa: D102
        return self._of_two.scaling or self._of_two.default_scaling

    @property
    def max_rows(self) -> int | None:  # type: ignore[override]  # noqa: D102
        return self._of_two.max_rows

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        learner = self._of_two
        if view.n_classes <= 2:
            return learner.fit(view)
        if isinstance(learner, SumsLearner):
            _ = view.sums  # summed here, those of every two groups follow from them
        order = _along_means(view)
        best_merit, best = -np.inf, None
        for n_first in range(1, view.n_classes):
            second = np.ones(view.n_classes, np.int32)
            second[order[:n_first]] = 0
            test = learner.fit(view.regrouped(second))
            found = None if test is None else view.best_unit(view.weights(test))
            if found is not None and found[0] > best_merit:
                best_merit, best = found
        return best


def _along_means(view: NodeView) -> NDArray[np.intp]:
    """Order of the classes along the line on which their means lie furthest apart."""
    weight = view.class_weight
    means = np.zeros((view.n_classes, view.n_columns))
    np.add.at(means, view.y, view.Z * (view.row_weight / weight[view.y])[:, None])
    means -= (weight / weight.sum()) @ means
    means /= np.abs(means).max() or 1.0  # unscaled columns may be enormous
    direction = np.linalg.svd(means * np.sqrt(weight / weight.sum())[:, None])[2][0]
    return np.argsort(means @ direction, kind="stable")
