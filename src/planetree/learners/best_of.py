"""Several learners of which each node takes one: that which does best on rows it has not seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.learners.bit2 import BIT2
from planetree.learners.rls import RLS
from planetree.learners.smooth_merit import SmoothMerit
from planetree.view import NodeView

__all__ = ["BestOf"]


class BestOf(CoefficientLearner):
    """The learner that suits the node, found by a race over a few of its rows.

    All learners learn from one part of the node's rows, and each test is judged by another part: by
    the quadratic score of the shares of the classes in its branches, which counts how near they
    come to each row's class. The winner, the first of equals, learns again from all rows. Both
    parts hold every class in its proportion and no more than `race_rows` rows, so that a large node
    costs little more than the winner alone.

    Parameters
    ----------
    learners : tuple of CoefficientLearner, default=None
        Who takes part; None is `RLS`, `BIT2` and `SmoothMerit`.
    race_rows : int or None, default=200
        The most rows that each part of the race takes; None is half of the node for each.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier, datasets
    >>> from planetree.learners import BIT2, RLS, BestOf
    >>> X, y = datasets.load_wine(return_X_y=True)
    >>> learner = BestOf((RLS(), BIT2()))
    >>> PlaneTreeClassifier(learner=learner, univariate=False).fit(X, y).n_leaves_
    3
    """

    def __init__(
        self,
        learners: tuple[CoefficientLearner, ...] | None = None,
        race_rows: int | None = 200,
    ) -> None:
        self.learners = learners
        self.race_rows = race_rows

    @property
    def _all(self) -> list[CoefficientLearner]:
        if self.learners is None:
            return [RLS(), BIT2(), SmoothMerit()]
        given = self.learners
        if not isinstance(given, tuple) or not given:
            raise ValueError(f"learners of BestOf must be a tuple of learners, not {given!r}")
        for learner in given:
            if not isinstance(learner, CoefficientLearner):
                raise ValueError(
                    f"learners of BestOf must be learners such as planetree.learners.RLS(), "
                    f"not {learner!r}"
                )
        return [*given]

    # It takes what all of them take.
    @property
    def multiclass(self) -> bool:  # type: ignore[override]  # noqa: D102
        return all(learner.multiclass for learner in self._all)

    @property
    def weighted(self) -> bool:  # type: ignore[override]  # noqa: D102
        return all(learner.weighted for learner in self._all)

    @property
    def incomplete(self) -> bool:  # type: ignore[override]  # noqa: D102
        return all(learner.incomplete for learner in self._all)

    @property
    def most_columns(self) -> int | None:  # type: ignore[override]  # noqa: D102
        most = [learner.most_columns for learner in self._all]
        return None if None in most else max(n for n in most if n is not None)

    @property
    def max_rows(self) -> int | None:  # type: ignore[override]  # noqa: D102
        return min(
            (n for learner in self._all if (n := learner.max_rows) is not None), default=None
        )

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        if self.race_rows is not None:
            self._require_at_least(race_rows=2)
        learners = self._all
        if len(learners) == 1:
            return _learn(learners[0], view)
        learning, judging = self._parts(view)
        if min(len(set(view.y[part].tolist())) for part in (learning, judging)) < 2:
            return self._first_that_finds(learners, view)  # too few rows for a race
        scores = [_score(learner, view, learning, judging) for learner in learners]
        order = np.argsort(-np.array(scores), kind="stable")
        return self._first_that_finds([learners[i] for i in order], view)

    def _parts(self, view: NodeView) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows to learn from and to judge by: every so many of each class, in random order."""
        most = view.n_rows if self.race_rows is None else self.race_rows
        step = max(2, -(-view.n_rows // most))
        order = np.lexsort((np.random.default_rng(view.seed).random(view.n_rows), view.y))
        return np.sort(order[::step]), np.sort(order[1::step])

    @staticmethod
    def _first_that_finds(learners: list[CoefficientLearner], view: NodeView) -> LinearTest | None:
        return next((test for one in learners if (test := _learn(one, view)) is not None), None)


def _learn(learner: CoefficientLearner, view: NodeView) -> LinearTest | None:
    """As it would if it were alone: the columns on its own scale."""
    return learner.fit(view.rescaled(learner.scaling or learner.default_scaling))


def _score(
    learner: CoefficientLearner,
    view: NodeView,
    learning: NDArray[np.intp],
    judging: NDArray[np.intp],
) -> float:
    """Mean of 2 p(class) - Σ p² over the rows judged, p being the shares in their branch."""
    scaled = view.rescaled(learner.scaling or learner.default_scaling)
    test = learner.fit(scaled.take_rows(learning))
    if test is None:
        return -np.inf
    branch, weight = view.route(test), view.row_weight
    counts = np.zeros((test.n_branches, view.n_classes))
    np.add.at(counts, (branch[learning], view.y[learning]), weight[learning])
    # A branch is worth the node's shares and one case, or one of a single row would count as sure.
    case = weight[learning].mean()
    counts += case * counts.sum(axis=0) / counts.sum()
    share = counts / counts.sum(axis=1, keepdims=True)
    right = share[branch[judging], view.y[judging]]
    score = 2 * right - np.square(share).sum(axis=1)[branch[judging]]
    return float(np.average(score, weights=weight[judging]))
