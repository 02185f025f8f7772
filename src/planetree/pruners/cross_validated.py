"""The size of a tree, and its plan, chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from planetree.errors import TableError
from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.cost_complexity import (
    PruningPath,
    cost_complexity_pruning_path,
    test_sizes,
)
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["CrossValidated", "SizePath", "SizeStep"]

Floats = NDArray[np.float64]
Wrong = NDArray[np.bool_]
Grow = Callable[[Table], Tree]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]  # rows to grow from, rows to judge by

# From so many rows on, a fifth of them says enough of a tree, and the other folds are not grown.
MANY_ROWS = 5_000
EQUAL = 1e-12  # rates of errors that differ by rounding alone


@dataclass(frozen=True, eq=False)
class SizeStep:
    """One tree of a path: what it takes to read, and how good it is.

    Parameters
    ----------
    plan : str
        What may stand at its nodes: "thresholds", "planes" or "machine".
    n_leaves, n_tests, n_features : int
        How many leaves and tests it has, and how many features its tests look at in all.
    size : float
        Leaves but one, and features at their price.
    accuracy : float
        Its cross-validated accuracy.
    behind : float
        How far that is behind the most accurate tree.
    standard_error : float
        Of that difference, case by case.
    path : PruningPath
        The weakest-link sequence it is one of.
    place : int
        Its place there.

    Examples
    --------
    >>> from planetree import datasets, presets
    >>> iris = datasets.load_iris()
    >>> step = presets.Default().fit(iris.data, iris.target).path_[0]
    >>> step.n_leaves, round(step.accuracy, 2)
    (1, 0.33)
    """

    plan: str
    n_leaves: int
    n_tests: int
    n_features: int
    size: float
    accuracy: float
    behind: float
    standard_error: float
    path: PruningPath = field(repr=False)
    place: int = field(repr=False)

    @property
    def tree(self) -> Tree:
        """The tree, pruned."""
        return self.path.tree(self.place)


class SizePath(Sequence[SizeStep]):
    """Trees from a single leaf up, each more accurate than all smaller ones.

    Parameters
    ----------
    steps : sequence of SizeStep
        The trees, by size.
    chosen : int
        Which of them is taken.

    Examples
    --------
    >>> from planetree import datasets, presets
    >>> iris = datasets.load_iris()
    >>> path = presets.Default().fit(iris.data, iris.target).path_
    >>> path.within(2).n_leaves
    2
    """

    def __init__(self, steps: Sequence[SizeStep], chosen: int) -> None:
        self._steps = tuple(steps)
        self.chosen = chosen

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, place: int) -> SizeStep: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[SizeStep]: ...
    def __getitem__(self, place: int | slice) -> SizeStep | Sequence[SizeStep]:
        return self._steps[place]

    def __iter__(self) -> Iterator[SizeStep]:
        return iter(self._steps)

    def within(self, n_leaves: int) -> SizeStep:
        """The most accurate tree with so many leaves at most.

        Parameters
        ----------
        n_leaves : int
            How many.

        Returns
        -------
        SizeStep
            The tree and what is known of it.
        """
        return max(
            (step for step in self._steps if step.n_leaves <= max(n_leaves, 1)),
            key=lambda step: step.accuracy,
        )

    def __repr__(self) -> str:
        lines = ["  leaves  tests  features  accuracy  plan"]
        for i, step in enumerate(self._steps):
            lines.append(
                f"{'→' if i == self.chosen else ' '} {step.n_leaves:6d} {step.n_tests:6d} "
                f"{step.n_features:9d} {100 * step.accuracy:8.1f} %  {step.plan}"
            )
        return "\n".join(lines)


class CrossValidated(Pruner):
    """Chooses a tree by cross-validation: its size, and what may stand at its nodes.

    Every plan of the estimator (thresholds alone, planes as well, a linear machine at the root) is
    grown on all cases and pruned by weakest links, where a test costs its leaves and its features;
    each of these trees is judged by trees grown the same way without a fold (Breiman, Friedman,
    Olshen and Stone 1984). Taken is the smallest that is not worse than the best of all by more
    than `standard_errors`. The standard error is that of the difference, case by case: two trees
    that are wrong on the same cases differ less than their error rates let expect.

    Parameters
    ----------
    standard_errors : float, default=1.0
        How many standard errors the tree may be worse than the best.
    feature_price : float, default=0.1
        What a feature of a test costs, in leaves.
    folds : int, default=None
        How many; None is five, of which only the first is used beyond 5 000 rows.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier, datasets
    >>> from planetree.pruners import CrossValidated
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> PlaneTreeClassifier(pruner=CrossValidated()).fit(X, y).n_leaves_
    3
    """

    reads = "training"
    chooses = True

    def __init__(
        self,
        standard_errors: float = 1.0,
        feature_price: float = 0.1,
        folds: int | None = None,
    ) -> None:
        self.standard_errors = standard_errors
        self.feature_price = feature_price
        self.folds = folds

    def check(self) -> None:  # noqa: D102
        super().check()
        for name in ("standard_errors", "feature_price"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value < np.inf:
                raise ValueError(
                    f"{name} of CrossValidated must be a number of at least 0, not {value!r}"
                )
        if self.folds is not None and (
            isinstance(self.folds, bool) or not isinstance(self.folds, int) or self.folds < 2
        ):
            raise ValueError(
                "folds of CrossValidated must be a whole number of at least 2 or None, "
                f"not {self.folds!r}"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        path = self.path(tree, evidence)
        return path[path.chosen].tree

    def path(self, tree: Tree, evidence: Evidence) -> SizePath:
        """All trees worth considering, and which one is chosen.

        Parameters
        ----------
        tree : Tree
            The tree as it was grown; without a meaning where there are several plans.
        evidence : Evidence
            The training cases, and how trees grow from them.

        Returns
        -------
        SizePath
            The path.
        """
        table, plans = evidence.training, dict(evidence.plans)
        if table is None or not (plans or evidence.grow):
            raise TableError(
                "CrossValidated grows trees on parts of the training cases: use it as pruner= of "
                "the estimator"
            )
        if not plans and evidence.grow is not None:
            plans = {"tree": evidence.grow}
        splits = self._splits(table, evidence.seed)
        parts = [(table.take(grown), table.take(judged)) for grown, judged in splits]
        judged = np.concatenate([rows for _, rows in splits])
        share = np.ones(len(judged)) if table.weight is None else table.weight[judged]
        share = share / share.mean()

        trees: list[tuple[str, PruningPath, int]] = []
        wrong: list[Wrong] = []
        for plan, grow in plans.items():
            whole = tree if len(plans) == 1 else grow(table)
            path = self._weakest_links(whole)
            trees += [(plan, path, step) for step in range(len(path))]
            wrong += list(self._judge(path, grow, parts))
        return self._path(trees, np.array(wrong), share)

    def _splits(self, table: Table, seed: int) -> list[Split]:
        """Folds with their share of every class."""
        folds = self.folds or 5
        only = 1 if self.folds is None and table.n_rows > MANY_ROWS else folds
        folds = max(2, min(folds, table.n_rows // 2))
        shuffled = np.random.default_rng([seed, 2]).permutation(table.n_rows)
        by_class = shuffled[np.argsort(table.y[shuffled], kind="stable")]
        fold = np.empty(table.n_rows, np.intp)
        fold[by_class] = np.arange(table.n_rows) % folds
        return [
            (np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(min(only, folds))
        ]

    def _weakest_links(self, tree: Tree) -> PruningPath:
        return cost_complexity_pruning_path(tree, feature_price=self.feature_price)

    def _judge(self, path: PruningPath, grow: Grow, parts: Sequence[tuple[Table, Table]]) -> Wrong:
        """Which cases each tree of the path gets wrong, fold after fold.

        A tree of the path stands for the price between it and the next larger one; it is judged
        by the tree of that price grown without the fold.
        """
        between = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
        wrong = []
        for table, judged in parts:
            part = self._weakest_links(grow(table))
            missed = part.labels(part.whole.apply(judged.X)) != judged.y
            wrong.append(missed[[part.step(alpha) for alpha in between]])
        return np.concatenate(wrong, axis=1)

    def _path(
        self, trees: Sequence[tuple[str, PruningPath, int]], wrong: Wrong, share: Floats
    ) -> SizePath:
        rate = wrong @ share / len(share)
        size = np.array([self._size(path, step) for _, path, step in trees])
        best = min(range(len(trees)), key=lambda i: (round(float(rate[i]), 9), size[i]))
        steps: list[SizeStep] = []
        least = np.inf
        for i in sorted(range(len(trees)), key=lambda i: (size[i], rate[i])):
            if rate[i] >= least - EQUAL:
                continue  # a smaller tree is as good
            least = rate[i]
            plan, path, step = trees[i]
            more = share * (wrong[i].astype(float) - wrong[best])
            kept = ~path.whole.is_leaf & (path.first > step)
            steps.append(
                SizeStep(
                    plan,
                    int(path.n_leaves[step]),
                    int(kept.sum()),
                    int(path.whole.n_features[kept].sum()),
                    float(size[i]),
                    float(1 - rate[i]),
                    float(rate[i] - rate[best]),
                    float(more.std() / np.sqrt(len(more))),
                    path,
                    step,
                )
            )
        chosen = next(
            i
            for i, step in enumerate(steps)
            if step.behind <= self.standard_errors * step.standard_error + EQUAL
        )
        return SizePath(steps, chosen)

    def _size(self, path: PruningPath, step: int) -> float:
        kept = ~path.whole.is_leaf & (path.first > step)
        return float(test_sizes(path.whole, self.feature_price)[kept].sum())
