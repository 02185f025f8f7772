"""The size of a tree, and its plan, chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from planetree.errors import TableError
from planetree.planes import LinearMachine
from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.families import Family, families_of
from planetree.table import Table
from planetree.threads import side_by_side
from planetree.tree import Tree

__all__ = ["CrossValidated", "SizePath", "SizeStep"]

Floats = NDArray[np.float64]
Wrong = NDArray[np.bool_]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]  # rows to grow from, rows to judge by

# So many rows say enough of a tree: folds beyond them are not grown. From as many on, trees take
# long enough to be made side by side.
ENOUGH_ROWS = 2_000
SUFFIXES = ("", ", refined")  # of a plan's name, for each of its families
EQUAL = 1e-12  # rates of errors that differ by rounding alone


@dataclass(frozen=True, eq=False)
class SizeStep:
    """One tree of a path: what it takes to read, and how good it is.

    Parameters
    ----------
    plan : str
        What may stand at its nodes: "thresholds", "planes" or "machine"; "planes, refined" where
        its tests have been learned anew.
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
    family : Family
        The trees of falling size it is one of.
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
    family: Family = field(repr=False)
    place: int = field(repr=False)

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.family.tree(self.place)


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

    @cached_property
    def tree(self) -> Tree:
        """The tree that is taken."""
        return self[self.chosen].tree

    @property
    def verdict(self) -> str | None:
        """Says so where one linear test is enough, and what the most accurate tree would add."""
        if self.tree.n_tests != 1 or self.tree.n_features[0] < 2:
            return None
        what = "linear machine" if isinstance(self.tree.tests[0], LinearMachine) else "plane"
        step, best = self[self.chosen], self[-1]
        if step is best:
            return f"A {what} here is enough: no tree is more accurate in cross-validation."
        return (
            f"A {what} here is enough: the most accurate tree, of {best.n_leaves} leaves, is "
            f"{100 * step.behind:.1f} ± {100 * step.standard_error:.1f} points better in "
            "cross-validation."
        )

    def within(self, n_leaves: float = np.inf, complexity: float = np.inf) -> SizeStep:
        """The most accurate tree of at most this size.

        Parameters
        ----------
        n_leaves : int, default=inf
            The most leaves; a single leaf is always within.
        complexity : float, default=inf
            The greatest `SizeStep.size`: leaves but one, and features at their price.

        Returns
        -------
        SizeStep
            The tree and what is known of it.
        """
        small = [s for s in self._steps if s.n_leaves <= n_leaves and s.size <= complexity]
        return max(small or self._steps[:1], key=lambda step: step.accuracy)

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
    with a refiner its tests are learned anew at one size after the other besides. Each of these
    trees is judged by trees made the same way without a fold (Breiman, Friedman, Olshen and Stone
    1984). Taken is the smallest that is not worse than the best of all by more than
    `standard_errors` times the share of the best one's size that it saves: a tree of half the size
    may cost half as much as one that saves nearly everything. The standard error is that of the
    difference, case by case: two trees that are wrong on the same cases differ less than their
    error rates let expect.

    Parameters
    ----------
    standard_errors : float, default=1.5
        How many standard errors a tree may be worse than the best that saves its whole size.
    feature_price : float, default=0.1
        What a feature of a test costs, in leaves.
    folds : int, default=None
        How many; None is five, of which as many are used as it takes to judge by 2 000 rows.

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
        standard_errors: float = 1.5,
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
        del tree
        return self.path(evidence).tree

    def path(self, evidence: Evidence) -> SizePath:
        """All trees worth considering, and which one is chosen.

        Parameters
        ----------
        evidence : Evidence
            The training cases, and how trees are made from them.

        Returns
        -------
        SizePath
            The path.
        """
        table = evidence.training
        if table is None or not evidence.plans:
            raise TableError(
                "CrossValidated grows trees on parts of the training cases: use it as pruner= of "
                "the estimator"
            )
        splits = self._splits(table, evidence.seed)
        judged = np.concatenate([rows for _, rows in splits])
        share = np.ones(len(judged)) if table.weight is None else table.weight[judged]
        share = share / share.mean()

        tables = [table, *(table.take(grown) for grown, _ in splits)]
        works = [(plan, part) for plan in evidence.plans.values() for part in tables]

        def told(n_done: int) -> None:
            if evidence.listener is not None:
                evidence.listener(table.n_rows * n_done // len(works))

        many = table.n_rows >= ENOUGH_ROWS and all(p.parallel for p in evidence.plans.values())
        found = iter(
            side_by_side(
                lambda work: families_of(*work, self.feature_price),
                works,
                evidence.n_threads if many else 1,
                told,
            )
        )
        trees: list[tuple[str, Family, int]] = []
        wrong: list[Wrong] = []
        for name in evidence.plans:
            whole, *parts = (next(found) for _ in tables)
            for k, (suffix, family) in enumerate(zip(SUFFIXES, whole, strict=False)):
                missed = [
                    part[k].answers(table.X[held])[part[k].like(family)] != table.y[held]
                    for part, (_, held) in zip(parts, splits, strict=True)
                ]
                trees += [(name + suffix, family, step) for step in range(len(family))]
                wrong += list(np.concatenate(missed, axis=1))
        return self._path(trees, np.array(wrong), share)

    def _splits(self, table: Table, seed: int) -> list[Split]:
        """Folds with their share of every class."""
        folds = max(2, min(self.folds or 5, table.n_rows // 2))
        only = folds if self.folds else -(-folds * ENOUGH_ROWS // table.n_rows)
        shuffled = np.random.default_rng([seed, 2]).permutation(table.n_rows)
        by_class = shuffled[np.argsort(table.y[shuffled], kind="stable")]
        fold = np.empty(table.n_rows, np.intp)
        fold[by_class] = np.arange(table.n_rows) % folds
        return [
            (np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(min(only, folds))
        ]

    def _path(
        self, trees: Sequence[tuple[str, Family, int]], wrong: Wrong, share: Floats
    ) -> SizePath:
        rate = wrong @ share / len(share)
        shapes = [family.shapes[place] for _, family, place in trees]
        size = [shape.size for shape in shapes]
        best = min(range(len(trees)), key=lambda i: (round(float(rate[i]), 9), size[i]))
        steps: list[SizeStep] = []
        least = np.inf
        for i in sorted(range(len(trees)), key=lambda i: (size[i], rate[i])):
            if rate[i] >= least - EQUAL:
                continue  # a smaller tree is as good
            least = rate[i]
            plan, family, place = trees[i]
            more = share * (wrong[i].astype(float) - wrong[best])
            steps.append(
                SizeStep(
                    plan,
                    shapes[i].n_leaves,
                    shapes[i].n_tests,
                    shapes[i].n_features,
                    size[i],
                    float(1 - rate[i]),
                    float(rate[i] - rate[best]),
                    float(more.std() / np.sqrt(len(more))),
                    family,
                    place,
                )
            )
        return SizePath(steps, self.choose(steps))

    def choose(self, steps: Sequence[SizeStep]) -> int:
        """Which tree is taken.

        Parameters
        ----------
        steps : sequence of SizeStep
            Trees from the smallest to the most accurate.

        Returns
        -------
        int
            The place of the smallest that is not too far behind.
        """
        largest = steps[-1].size
        for i, step in enumerate(steps[:-1]):
            allowed = self.standard_errors * (1 - step.size / largest) * step.standard_error
            if step.behind <= allowed + EQUAL:
                return i
        return len(steps) - 1
