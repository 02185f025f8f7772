"""The search for the best linear test of one node: learner and selector brought together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planetree import _core
from planetree.errors import PlugInError
from planetree.learners.base import CoefficientLearner, LinearTest, SumsLearner
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.search import Cut, Found, OpenNode, best_cut
from planetree.selectors.base import FeatureSelector, Places, Proposal
from planetree.view import NodeView

__all__ = ["Linear", "Proposals"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """The linear test that a learner finds for the columns that a selector picks.

    Parameters
    ----------
    learner : CoefficientLearner
        Finds the weights.
    selector : FeatureSelector
        Picks the columns.
    max_features : int or None
        The most features a test may look at.
    min_rows_per_feature : float
        A test over n columns needs so many times n distinct rows.
    n_threads : int
        Threads the kernels may use.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.learners import RLS
    >>> from planetree.linear import Linear
    >>> from planetree.merits import Gini
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.search import OpenNode
    >>> from planetree.selectors import All
    >>> from planetree.stopping import Stop
    >>> from planetree.table import Table
    >>> X = np.array([[0.0, 0.0], [0.0, 2.0], [1.0, 0.0], [1.0, 2.0], [1.0, 2.0]])
    >>> y = np.array([0, 1, 0, 1, 1], np.int32)
    >>> table = Table(Schema((Feature("x"), Feature("y"))), X, y, ("a", "b"))
    >>> node = OpenNode(table, np.arange(5, dtype=np.uint32), Gini(), Stop())
    >>> found = Linear(RLS(), All())(node)
    >>> found.merit, found.test.route(X).tolist()
    (0.48, [0, 1, 0, 1, 1])
    """

    learner: CoefficientLearner
    selector: FeatureSelector
    max_features: int | None = None
    min_rows_per_feature: float = 2.0
    n_threads: int = 1

    @property
    def parallel(self) -> bool:  # noqa: D102
        return self.learner.parallel

    def look(self, node: OpenNode) -> tuple[NodeView, Proposals]:
        """What a selector gets to see of a node, and what learns tests there.

        Parameters
        ----------
        node : OpenNode
            The node.

        Returns
        -------
        tuple of NodeView and Proposals
            The columns of the one are the places that the other is asked for.
        """
        view = NodeView(
            node.table,
            node.rows,
            self.learner.scaling or self.learner.default_scaling,
            seed=node.seed,
            merit=node.merit.native,
            choice=node.merit.choice,
            min_leaf_rows=node.stop.min_leaf_rows,
            n_threads=self.n_threads,
            part=node.part,
        )
        return view, Proposals(self, node, view)

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        rows, most = node.rows, self.learner.max_rows
        if most is not None and len(rows) > most:
            # Every k-th row: enough to learn from, and the same whatever the seed.
            node = replace(node, rows=rows[:: -(-len(rows) // most)])
        view, propose = self.look(node)
        if not view.n_columns:
            return None
        try:
            chosen = self.selector.select(view, propose)
        except PlugInError:
            raise
        except ValueError as error:
            raise PlugInError(f"{self.selector!r} cannot be used here: {error}") from error
        if chosen is None:
            return None
        if not isinstance(chosen, Proposal):
            raise PlugInError(
                f"{self.selector!r} must return a proposal it was given, or None, not {chosen!r}"
            )
        if not chosen.allowed:
            raise PlugInError(
                f"{self.selector!r} ended with a test that is not allowed here: it may end with a "
                "proposal whose `allowed` is True, or with None"
            )
        # The standardised rows have served to compare; what counts is how the rows themselves go.
        test, whole = chosen.test, node
        X = propose.X
        if len(node.rows) < len(rows):
            whole = replace(node, rows=rows)
            X = whole.table.X[rows]
            test = _recut(test, X, whole)
        settled = _settle(test, X, node.stop.min_leaf_rows)
        return None if settled is None else whole.judge(*settled)


class Proposals:
    """Learns tests over columns of one node and says what they are worth."""

    def __init__(self, search: Linear, node: OpenNode, view: NodeView) -> None:
        self._search = search
        self._node = node
        self._view = view

    @cached_property
    def X(self) -> Floats:  # noqa: N802
        """The node's rows as the tests read them."""
        return self._node.table.X[self._node.rows]

    def __call__(self, places: Places) -> Proposal | None:
        """Learn from these columns."""
        return self.each([places])[0]

    def each(self, sets: Sequence[Places]) -> list[Proposal | None]:
        """Learn from each of these sets of columns."""
        learner = self._search.learner
        if isinstance(learner, SumsLearner) and not learner.needs_rows:
            return self._each_by_sums(learner, sets)
        return [self._learn(places, learner.fit) for places in sets]

    def again(self, weights: Floats, places: Places) -> Proposal | None:
        """Learn from these columns, beginning with weights of the view."""
        learner = self._search.learner
        return self._learn(places, lambda part: learner.refit(part, weights[..., list(places)]))

    @property
    def thins(self) -> bool:
        """Whether `thinned` is there, which counts columns and not features."""
        return self._search.learner.thins and self._search.max_features is None

    def thinned(self, price: float, share: float) -> Proposal | None:
        """What dropping columns of little weight leads to, in one go."""
        learner, view = self._search.learner, self._view
        enough = self._search.min_rows_per_feature
        most = view.n_columns if enough == 0 else int(self._n_distinct / enough)
        return self._learn(
            tuple(range(view.n_columns)),
            lambda part: learner.thinned(
                part, price=price, ceiling=self._ceiling, share=share, most_columns=most
            ),
        )

    def settle(self, test: LinearTest) -> LinearTest | None:
        """Give up branches that too few of the node's rows take; None if no two are left."""
        settled = _settle(test, self.X, self._node.stop.min_leaf_rows)
        return None if settled is None else settled[0]

    def along(self, weights: Floats, places: Places) -> Proposal | None:
        """Cut best along these weights."""
        view, node = self._view, self._node
        values = (view.Z @ weights)[:, None]
        if node.merit.native is None:
            found = best_cut(
                values[:, 0], view.y, view.weight, view.n_classes, node.merit, node.stop
            )
        else:
            cuts = _core.value_cuts(
                values=values,
                merit=node.merit.native,
                min_leaf_rows=node.stop.min_leaf_rows,
                **view.cases,
            )
            found = Cut(**{name: column[0] for name, column in cuts.items()})
        test = view.unit(weights, -float(found.cut)) if found.found else None
        if test is None:
            return None
        branch = (~(values[:, 0] <= found.cut)).astype(np.int32)
        return self._proposal(places, test, *self.judge(branch, 2), discriminates=True)

    def judge(self, branch: NDArray[np.int32], n_branches: int) -> tuple[float, float]:
        """Merit and training accuracy of a way to part the node's rows."""
        view = self._view
        cell = branch.astype(np.intp) * view.n_classes + view.y
        counts = np.bincount(cell, view.weight, n_branches * view.n_classes).astype(np.float64)
        merits, accuracies = self._judge_all(counts.reshape(1, n_branches, view.n_classes))
        return float(merits[0]), float(accuracies[0])

    def _judge_all(self, counts: Floats) -> tuple[Floats, Floats]:
        """Merit and accuracy of each candidate, from its counts[candidate, branch, class]."""
        merits = np.asarray(self._node.merit(counts), np.float64)
        if merits.shape != (len(counts),) or not np.isfinite(merits).all():
            raise PlugInError(
                f"{self._node.merit!r} must return one finite number a candidate, "
                f"{len(counts)} here, not {merits}"
            )
        return merits, counts.max(axis=2).sum(axis=1) / counts.sum(axis=(1, 2))

    # --- one at a time ----------------------------------------------------------------------------

    def _learn(
        self, places: Places, fit: Callable[[NodeView], LinearTest | None]
    ) -> Proposal | None:
        learner = self._search.learner
        try:
            test = fit(self._view.restrict(places))
        except ValueError as error:
            raise PlugInError(f"{learner!r} cannot be used here: {error}") from error
        if test is None:
            return None
        self._check(test)
        settled = _settle(test, self.X, self._node.stop.min_leaf_rows)
        test, taken = settled or (test, test.route(self.X))
        merit, accuracy = self.judge(taken, test.n_branches)
        return self._proposal(places, test, merit, accuracy, discriminates=settled is not None)

    def _check(self, test: object) -> None:
        """Catch nonsense where it enters, by name."""
        learner = self._search.learner
        if not isinstance(test, LinearThresholdUnit | LinearMachine):
            raise PlugInError(
                f"{learner!r} must return what view.unit or view.machine made, or None, "
                f"not {test!r}"
            )
        if problem := test.problem(self._node.table.schema):
            raise PlugInError(f"{learner!r} returned a test that makes no sense: {problem}")

    # --- many from the same sums ------------------------------------------------------------------

    def _each_by_sums(self, learner: SumsLearner, sets: Sequence[Places]) -> list[Proposal | None]:
        """Solve from the node's sums, then look at the rows once for all sets."""
        view = self._view
        n_columns, proposals = view.n_columns, [None] * len(sets)
        solved: list[tuple[int, LinearTest]] = []
        planes: list[Floats] = []
        for i, places in enumerate(sets):
            W = learner.solve(view.sums.take(places))
            if W is None:
                continue
            everywhere = np.zeros((view.n_classes, n_columns + 1))
            everywhere[:, [*places, n_columns]] = W
            test = view.machine(everywhere)
            if test is None:
                continue
            self._check(test)
            solved.append((i, test))
            planes.append(everywhere[1:] - everywhere[:1] if view.n_classes == 2 else everywhere)
        if not solved:
            return list(proposals)
        counts, n_rows = _core.branch_counts(
            W=np.concatenate(planes),
            n_discriminants=len(planes[0]),
            n_threads=self._search.n_threads,
            **view.kernel,
        )
        merits, accuracies = self._judge_all(counts)
        enough = (n_rows >= max(self._node.stop.min_leaf_rows, 1)).sum(axis=1) >= 2
        result: list[Proposal | None] = list(proposals)
        for (i, test), *judged in zip(solved, merits, accuracies, enough, strict=True):
            merit, accuracy, discriminates = judged
            result[i] = self._proposal(
                sets[i], test, float(merit), float(accuracy), discriminates=bool(discriminates)
            )
        return result

    # --- what is allowed --------------------------------------------------------------------------

    def _proposal(
        self,
        places: Places,
        test: LinearTest,
        merit: float,
        accuracy: float,
        *,
        discriminates: bool,
    ) -> Proposal:
        most = self._search.max_features
        enough = self._search.min_rows_per_feature
        allowed = (
            discriminates
            and (most is None or len(test.features) <= most)
            and (enough == 0 or enough * len(test.terms) <= self._n_distinct)
        )
        return Proposal(places, test, merit, accuracy, allowed, merit / self._ceiling)

    @cached_property
    def _ceiling(self) -> float:
        return self._node.merit.ceiling(self._view.class_weight) or 1.0

    @cached_property
    def _n_distinct(self) -> float:
        """How many distinct rows the node has; as many as could ever be asked for will do."""
        Z = self._view.Z
        needed = self._search.min_rows_per_feature * Z.shape[1]
        looked_at = int(min(len(Z), 2 * needed + 1))
        # Rows that differ in one column differ; that is told faster.
        if (n := len(np.unique(Z[:looked_at, 0]))) >= needed:
            return n
        while (n := len(np.unique(Z[:looked_at], axis=0))) < needed and looked_at < len(Z):
            looked_at = min(len(Z), 4 * looked_at)
        return n


def _recut(test: LinearTest, X: Floats, node: OpenNode) -> LinearTest:
    """The best cut by all rows of a plane that some of them have taught."""
    if not isinstance(test, LinearThresholdUnit) or node.merit.native is None:
        return test
    table, rows = node.table, node.rows
    cuts = _core.value_cuts(
        values=test.project(X)[:, None],
        y=table.y[rows],
        weight=None if table.weight is None else table.weight[rows],
        n_classes=len(table.classes),
        merit=node.merit.native,
        min_leaf_rows=node.stop.min_leaf_rows,
    )
    return replace(test, cut=float(cuts["cut"][0])) if cuts["found"][0] else test


def _settle(
    test: LinearTest, X: Floats, min_leaf_rows: int
) -> tuple[LinearTest, NDArray[np.int32]] | None:
    """Give up branch after branch, the rarest first; with the test the branch of every row."""
    while True:
        taken = test.route(X)
        n_rows = np.bincount(taken, minlength=test.n_branches)
        if n_rows.min() >= max(min_leaf_rows, 1):
            return test, taken
        smaller = test.without(int(n_rows.argmin())) if isinstance(test, LinearMachine) else None
        if smaller is None:
            return None
        test = smaller
