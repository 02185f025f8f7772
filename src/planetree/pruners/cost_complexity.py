"""Cost-complexity pruning: the sequence of weakest links, and the choice of one tree of it."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planetree.errors import TableError
from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.reduced_error import ROUNDING
from planetree.surgery import Tally, levels_up, prune_at, tally
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["CostComplexity", "PruningPath", "cost_complexity_pruning_path"]

Floats = NDArray[np.float64]
Risk = Literal["errors", "gini"]


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The weakest-link sequence of a tree: ever smaller trees, each within the one before.

    Parameters
    ----------
    whole : Tree
        The tree as it was grown.
    alphas : ndarray
        The price of a leaf from which on each tree is the best; rising from 0.
    risks : ndarray
        The risk of each tree on its training cases, as a share of their weight.
    n_leaves : ndarray of int
        The leaves of each tree.
    first : ndarray of int
        The first tree of the sequence in which each node is a leaf, if it is still there.
    last : ndarray of int
        The first tree in which each node is no longer there.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned, cost_complexity_pruning_path
    >>> X, y = [[1], [2], [3], [4], [5]], ["a", "a", "b", "a", "b"]
    >>> path = cost_complexity_pruning_path(CART(pruner=Unpruned()).fit(X, y).tree_)
    >>> path.alphas, path.n_leaves, path.risks
    (array([0. , 0.1, 0.2]), array([4, 2, 1]), array([0. , 0.2, 0.4]))
    >>> print(path.tree(1))
    ├─ x0 ≤ 2.5 → a (2)
    └─ x0 > 2.5 → b (2 of 3)
    """

    whole: Tree
    alphas: Floats
    risks: Floats
    n_leaves: NDArray[np.int64]
    first: NDArray[np.intp]
    last: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.alphas)

    def tree(self, step: int) -> Tree:
        """One tree of the sequence.

        Parameters
        ----------
        step : int
            Its place: 0 is the largest, -1 the root alone.

        Returns
        -------
        Tree
            The tree, pruned.
        """
        if not -len(self) <= step < len(self):
            raise IndexError(f"the path has trees 0 to {len(self) - 1}, not {step}")
        step %= len(self)
        return prune_at(self.whole, np.flatnonzero((self.first <= step) & ~self.whole.is_leaf)).tree

    def step(self, alpha: float) -> int:
        """Place of the tree that is best at a price.

        Parameters
        ----------
        alpha : float
            The price of a leaf, as a share of the weight of all cases.

        Returns
        -------
        int
            Its place.
        """
        return max(int(np.searchsorted(self.alphas, alpha, side="right")) - 1, 0)

    def along(self, of_nodes: Floats) -> Floats:
        """For each tree, the sum over its leaves of a figure that every node has.

        Parameters
        ----------
        of_nodes : ndarray
            The figure of every node of the whole tree.

        Returns
        -------
        ndarray
            One sum a tree.
        """
        size = len(self.alphas) + 1
        comes = np.bincount(self.first, of_nodes, size)
        goes = np.bincount(np.maximum(self.last, self.first), of_nodes, size)
        sums: Floats = (comes - goes).cumsum()[: len(self.alphas)]
        return sums

    def labels(self, leaves: NDArray[np.int32]) -> NDArray[np.intp]:
        """What each tree answers where the whole tree leads to these leaves.

        Parameters
        ----------
        leaves : ndarray of int
            Nodes of the whole tree.

        Returns
        -------
        ndarray of shape (n_trees, n_leaves)
            The class, as a place among the classes.
        """
        tree, steps = self.whole, np.arange(len(self))[:, None]
        answering = np.tile(np.arange(tree.n_nodes), (len(self), 1))
        for level in reversed([*levels_up(tree)][:-1]):
            gone = self.last[level] <= steps
            answering[:, level] = np.where(
                gone, answering[:, tree.parent[level]], answering[:, level]
            )
        labels: NDArray[np.intp] = tree.labels[answering][:, leaves]
        return labels

    def errors(self, held: Tally) -> Floats:
        """Weight of the cases that each tree gets wrong.

        Parameters
        ----------
        held : planetree.surgery.Tally
            How the cases reach the nodes of the whole tree.

        Returns
        -------
        ndarray
            One number a tree.
        """
        return self.along(held.errors(self.whole.labels))


def cost_complexity_pruning_path(
    tree: Tree, risk: Risk = "errors", feature_price: float = 0.0
) -> PruningPath:
    """Prune the weakest link again and again (Breiman, Friedman, Olshen and Stone 1984).

    The weakest link is the node whose branches lower the risk least for each leaf they add. All
    that are equally weak go together.

    Parameters
    ----------
    tree : Tree
        The whole tree.
    risk : {"errors", "gini"}, default="errors"
        What a leaf costs: the training cases outside its largest class, or its Gini index times
        its weight, which is what scikit-learn prunes by.
    feature_price : float, default=0.0
        What each feature of a test costs besides, in leaves.

    Returns
    -------
    PruningPath
        Its first tree already lacks the tests that lower the risk by nothing.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned, cost_complexity_pruning_path
    >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "b"]).tree_
    >>> cost_complexity_pruning_path(tree).alphas.round(3)
    array([0.   , 0.333])
    """
    of_node = node_risk(tree, risk)
    total = float(tree.counts[0].sum())
    first, alphas = _weakest_links(tree, of_node, test_sizes(tree, feature_price), ROUNDING * total)
    last = np.full(tree.n_nodes, len(alphas))
    for level in reversed([*levels_up(tree)][:-1]):
        parents = tree.parent[level]
        last[level] = np.minimum(last[parents], first[parents])
    path = PruningPath(tree, np.array(alphas) / total, np.empty(0), np.empty(0, int), first, last)
    n_leaves = path.along(np.ones(tree.n_nodes)).round().astype(np.int64)
    risks = path.along(of_node) / total
    return PruningPath(tree, path.alphas, risks, n_leaves, first, last)


def node_risk(tree: Tree, risk: Risk) -> Floats:
    """What every node costs as a leaf."""
    if risk == "errors":
        return Tally(tree.counts, tree.n_rows, np.empty(0, np.int32)).errors(tree.labels)
    if risk == "gini":
        impurity: Floats = tree.counts.sum(axis=1) * (1 - np.square(tree.probabilities).sum(axis=1))
        return impurity
    raise ValueError(f'risk must be "errors" or "gini", not {risk!r}')


def test_sizes(tree: Tree, feature_price: float) -> Floats:
    """What the test of every node adds to the size of the tree: leaves, and features at a price."""
    n_branches = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    leaves = np.where(tree.is_leaf, 0.0, n_branches - 1.0)
    return leaves if feature_price == 0 else leaves + feature_price * tree.n_features


def _weakest_links(
    tree: Tree, of_node: Floats, size: Floats, rounding: float
) -> tuple[NDArray[np.intp], list[float]]:
    """The step at which each node becomes a leaf, and the price at each step."""
    below = np.where(tree.is_leaf, of_node, 0.0)  # risk of the leaves under each node
    size = size.copy()  # and size of the tests from each node down
    for level in levels_up(tree):
        if level.start > 0:
            np.add.at(below, tree.parent[level], below[level])
            np.add.at(size, tree.parent[level], size[level])
    inner = np.flatnonzero(~tree.is_leaf)
    strength = {i: (of_node[i] - below[i]) / size[i] for i in inner.tolist()}
    heap = [(g, i) for i, g in strength.items()]
    heapq.heapify(heap)
    first = np.where(tree.is_leaf, 0, -1)
    alphas = [0.0]
    while heap:
        g, node = heapq.heappop(heap)
        if first[node] >= 0 or g != strength[node]:
            continue  # gone with a node above it, or weaker since
        if g > alphas[-1] + rounding:
            alphas.append(g)
        stack = [node]
        while stack:
            i = stack.pop()
            if first[i] < 0:
                first[i] = len(alphas) - 1
                stack.extend(tree.node(i).children)
        lost_risk, lost_size = of_node[node] - below[node], size[node]
        i = int(tree.parent[node])
        while i >= 0:
            below[i] += lost_risk
            size[i] -= lost_size
            strength[i] = (of_node[i] - below[i]) / size[i]
            heapq.heappush(heap, (strength[i], i))
            i = int(tree.parent[i])
    return first, alphas


class CostComplexity(Pruner):
    """Prunes by weakest links, and takes the smallest tree that is nearly the best.

    The trees of the weakest-link sequence are judged by cases that growth has not seen: those held
    out, or with `cv` by trees grown on parts of the training cases. The smallest whose errors are
    within `standard_errors` of the fewest is taken (Breiman, Friedman, Olshen and Stone 1984).

    Parameters
    ----------
    holdout : float, default=0.1
        The share of the training cases that growth does not see; without meaning with `cv`.
    standard_errors : float, default=1.0
        How many standard errors the tree may be worse than the best.
    cv : int, default=None
        Judge by cross-validation with so many folds instead; the tree grows from all cases then.
    risk : {"errors", "gini"}, default="errors"
        What a leaf costs in the weakest-link sequence.
    keep_root : bool, default=False
        Whether the root alone is no choice (Bioch et al. 1997).

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import CostComplexity, Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"]).tree_
    >>> tree.prune(CostComplexity(standard_errors=0), [[1], [2], [3]], ["a", "b", "b"]).n_leaves
    2
    """

    reads = "holdout"

    def __init__(
        self,
        holdout: float = 0.1,
        *,
        standard_errors: float = 1.0,
        cv: int | None = None,
        risk: Risk = "errors",
        keep_root: bool = False,
    ) -> None:
        self.holdout = holdout
        self.standard_errors = standard_errors
        self.cv = cv
        self.risk = risk
        self.keep_root = keep_root

    @property
    def held_share(self) -> float:  # noqa: D102
        return 0.0 if self.cv is not None else self.holdout

    def check(self) -> None:  # noqa: D102
        super().check()
        if not isinstance(self.standard_errors, int | float) or not self.standard_errors >= 0:
            raise ValueError(
                "standard_errors of CostComplexity must be a number of at least 0, "
                f"not {self.standard_errors!r}"
            )
        if self.cv is not None and (
            isinstance(self.cv, bool) or not isinstance(self.cv, int) or self.cv < 2
        ):
            raise ValueError(
                "cv of CostComplexity must be a whole number of at least 2 or None, "
                f"not {self.cv!r}"
            )
        if self.risk not in ("errors", "gini"):
            raise ValueError(
                f'risk of CostComplexity must be "errors" or "gini", not {self.risk!r}'
            )
        if not isinstance(self.keep_root, bool | np.bool_):
            raise ValueError(
                f"keep_root of CostComplexity must be True or False, not {self.keep_root!r}"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        path = cost_complexity_pruning_path(tree, self.risk)
        if self.cv is not None and evidence.holdout is None:
            errors, cases = self._cross_validate(path, evidence), evidence.training
        else:
            cases = self.held_out(evidence)
            errors = path.errors(tally(tree, cases))
        assert cases is not None
        if self.keep_root and len(path) > 1:
            errors = errors[:-1]
        return path.tree(choose(errors, cases, self.standard_errors))

    def _cross_validate(self, path: PruningPath, evidence: Evidence) -> Floats:
        """Errors at the price between each tree and the next, of trees grown without a fold."""
        table, grow, cv = evidence.training, evidence.grow, self.cv
        if table is None or grow is None or cv is None:
            raise TableError(
                "CostComplexity with cv grows trees on parts of the training cases: use it as "
                "pruner= of the estimator, or give X and y of a holdout and no cv"
            )
        if table.n_rows < cv:
            raise TableError(
                f"CostComplexity has {table.n_rows} cases for {cv} folds; it needs one a fold at "
                "least: give more cases or a smaller cv, or take Unpruned, which needs none"
            )
        between = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
        fold = np.random.default_rng(evidence.seed).permutation(np.arange(table.n_rows) % cv)
        errors = np.zeros(len(path))
        for k in range(cv):
            part = cost_complexity_pruning_path(grow(table.take(fold != k)), self.risk)
            missed = part.errors(tally(part.whole, table.take(fold == k)))
            errors += missed[[part.step(alpha) for alpha in between]]
        return errors


def choose(errors: Floats, cases: Table, standard_errors: float) -> int:
    """The last tree whose error rate is within so many standard errors of the least."""
    total = float(cases.n_rows if cases.weight is None else cases.weight.sum())
    rate = errors / total
    best = rate.min()
    allowed = best + standard_errors * np.sqrt(best * (1 - best) / cases.n_rows) + ROUNDING
    return int(np.flatnonzero(rate <= allowed)[-1])
