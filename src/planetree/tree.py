"""A grown tree as a frozen value.

Nodes are numbered breadth first: the root is 0, and the branches of a node stand side by side.
That numbering follows from the shape alone, so it does not depend on the order in which nodes were
grown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planetree import frames, influence, surgery, text
from planetree._core import FlatTree
from planetree.costs import Cost, cost_of
from planetree.errors import TableError
from planetree.extras import require
from planetree.labels import read_cases
from planetree.nodetests import EVERY, CutTests, FlatTests, NodeTest
from planetree.schema import Schema, Symbol
from planetree.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from planetree.rules import RuleSet

__all__ = ["Explanation", "Node", "Step", "Tree"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Node:
    """One node, for reading.

    Parameters
    ----------
    id : int
        Its number.
    depth : int
        How many tests lie above it.
    test : NodeTest or None
        None at a leaf.
    children : range
        The nodes of its branches, in order.
    n_rows : int
        How many training rows reached it.
    counts : ndarray
        Their weight in each class.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_
    >>> tree.node(0).children
    range(1, 3)
    """

    id: int
    depth: int
    test: NodeTest | None
    children: range
    n_rows: int
    counts: Floats

    @property
    def is_leaf(self) -> bool:
        """Whether it has no test."""
        return self.test is None


@dataclass(frozen=True)
class Step:
    """One test on the way of one row.

    Parameters
    ----------
    node : int
        Where.
    test : NodeTest
        What was asked.
    branch : int
        Which way the row went.
    condition : str
        The answer in words.
    values : dict
        What the row holds in the features asked for; None is missing, or unseen.
    margin : float or None
        The row's distance from the other side; None where there is none.
    unseen : tuple of str
        Features in which the row holds a symbol that training never saw.
    changes : dict of str to float
        How much more each number alone would have to be for the row to go another way.
    switches : dict of str to tuple
        Which other values of each symbol or boolean alone would send it another way.
    contributions : dict of str to float
        What each feature added here to the probability of the class the row got.
    share : float
        The share of what came here that goes on this way; below 1 where the test sends the row down
        every branch, since its value is missing.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])
    >>> step = tree.explain([[1.25]])[0].steps[0]
    >>> step.margin, step.changes, step.contributions
    (-0.25, {'x0': 0.25}, {'x0': 0.5})
    """

    node: int
    test: NodeTest
    branch: int
    condition: str
    values: dict[str, Symbol | None]
    margin: float | None
    unseen: tuple[str, ...] = ()
    changes: dict[str, float] = field(default_factory=dict)
    switches: dict[str, tuple[Symbol, ...]] = field(default_factory=dict)
    contributions: dict[str, float] = field(default_factory=dict)
    share: float = 1.0


@dataclass(frozen=True)
class Explanation:
    """Why one row got its class.

    Parameters
    ----------
    steps : tuple of Step
        The tests on its way, from the root.
    leaf : int
        The node it reached; of a row in parts, where the greatest part is.
    label : object
        The class it got.
    probabilities : dict
        Share of each class among the training cases of that leaf; of a row in parts, summed over
        its leaves.
    n_leaves : int
        How many leaves the row is in; more than one where a missing value sends it down every
        branch of a test.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> print(CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).explain([[1.25]])[0])
    x0 ≤ 1.5        x0 = 1.25, margin -0.25
    → a (100 %)
    """

    steps: tuple[Step, ...]
    leaf: int
    label: Symbol
    probabilities: dict[Symbol, float]
    n_leaves: int = 1

    @property
    def contributions(self) -> dict[str, float]:
        """What each feature added on the way to the probability of the class.

        They sum to the difference between the leaf's and the root's.
        """
        total: dict[str, float] = {}
        for step in self.steps:
            for name, part in step.contributions.items():
                total[name] = total.get(name, 0.0) + part
        return total

    @property
    def shares(self) -> dict[str, float]:
        """Share of each feature in the decision, the largest first: the size of what it added."""
        sizes = {name: abs(part) for name, part in self.contributions.items()}
        total = sum(sizes.values())
        ordered = sorted(sizes.items(), key=lambda item: -item[1])
        return {name: size / total for name, size in ordered} if total > 0 else {}

    def to_text(self, *, changes: bool = False) -> str:
        """Say it in lines.

        Parameters
        ----------
        changes : bool, default=False
            Whether to say what would have sent the row another way, and each feature's share.

        Returns
        -------
        str
            A line a test, and where the row ended.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])
        >>> print(tree.explain([[1.25]])[0].to_text(changes=True))
        x0 ≤ 1.5        x0 = 1.25, margin -0.25
            the other way: x0 0.25 more
        → a (100 %)
        decided by: x0 100 %
        """
        return text.explanation(self, changes=changes)

    def to_frame(self) -> Any:
        """The way as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row a test and feature: step, node, condition, feature, value, margin, change,
            switches, contribution.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])
        >>> frame = tree.explain([[1.25]])[0].to_frame()
        >>> frame[["feature", "value", "change", "contribution"]].values.tolist()
        [['x0', 1.25, 0.25, 0.5]]
        """
        pandas = require("pandas", extra="pandas", purpose="Explanation.to_frame")
        rows = [
            {
                "step": place,
                "node": step.node,
                "condition": step.condition,
                "feature": name,
                "value": value,
                "margin": step.margin,
                "change": step.changes.get(name),
                "switches": step.switches.get(name, ()),
                "contribution": step.contributions.get(name),
            }
            for place, step in enumerate(self.steps)
            for name, value in step.values.items()
        ]
        columns = ["step", "node", "condition", "feature", "value", "margin", "change"]
        return pandas.DataFrame(rows, columns=[*columns, "switches", "contribution"])

    def __str__(self) -> str:
        return self.to_text()


class _Pruner(Protocol):
    """What `planetree.pruners` offers a tree."""

    def __call__(self, tree: Tree, cases: Table | None, training: Table | None) -> Tree: ...


def require_pruner(pruner: object) -> None:
    """Refuse what prunes nothing, where it is handed over."""
    if isinstance(pruner, type):
        raise ValueError(f"pruner must be an instance, {pruner.__name__}(), not the class")
    if not callable(pruner):
        raise ValueError(
            f"pruner must be a pruner such as planetree.pruners.ReducedError(), not {pruner!r}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A decision tree.

    Parameters
    ----------
    schema : Schema
        The features it was grown on.
    classes : tuple
        The class labels, sorted.
    tests : sequence of NodeTest or None
        The test of every node; None at a leaf.
    counts : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class at every node.
    n_rows : ndarray of int64
        How many training rows reached every node.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    >>> print(tree)
    ├─ x0 ≤ 1.5 → a (1)
    └─ x0 > 1.5 → b (2)
    """

    schema: Schema
    classes: tuple[Symbol, ...]
    tests: Sequence[NodeTest | None]
    counts: Floats
    n_rows: NDArray[np.int64]

    def __post_init__(self) -> None:
        for array in (self.counts, self.n_rows):
            array.flags.writeable = False

    # --- shape ------------------------------------------------------------------------------------

    @cached_property
    def _flat(self) -> FlatTests:
        if isinstance(self.tests, CutTests):
            return self.tests.flatten()
        flat = FlatTests(len(self.tests))
        for node, test in enumerate(self.tests):
            if test is not None:
                test.flatten(flat, node)
        return flat

    @cached_property
    def first_child(self) -> NDArray[np.int32]:
        """Where the branches of every node begin; 0 at a leaf."""
        n_branches = self._flat.arrays["n_branches"]
        return np.where(n_branches > 0, 1 + n_branches.cumsum() - n_branches, 0).astype(np.int32)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Parent of every node; -1 for the root."""
        n_branches = self._flat.arrays["n_branches"]
        return np.concatenate([[-1], np.repeat(np.arange(self.n_nodes), n_branches)]).astype(
            np.int32
        )

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """How many tests lie above every node."""
        depth = np.zeros(self.n_nodes, np.int32)
        # Breadth first, a whole level is one slice and its children the next.
        begin, end, level = 0, 1, 0
        while begin < end:
            depth[begin:end] = level
            begin, end, level = (
                end,
                end + int(self._flat.arrays["n_branches"][begin:end].sum()),
                level + 1,
            )
        return depth

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes have no test."""
        leaf: NDArray[np.bool_] = self._flat.arrays["n_branches"] == 0
        return leaf

    @property
    def n_nodes(self) -> int:
        """How many nodes there are, leaves included."""
        return len(self.tests)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return int(self.is_leaf.sum())

    @property
    def n_tests(self) -> int:
        """How many nodes have a test."""
        return self.n_nodes - self.n_leaves

    @property
    def max_depth(self) -> int:
        """How many tests the longest path has."""
        return int(self.depth[-1])

    @property
    def mean_features_per_test(self) -> float:
        """How many features a test looks at, on average; 0 for a single leaf."""
        if isinstance(self.tests, CutTests):
            return float(self.n_tests > 0)
        return float(self.n_features.sum() / self.n_tests) if self.n_tests else 0.0

    @cached_property
    def n_features(self) -> NDArray[np.int64]:
        """How many features the test of every node looks at; 0 at a leaf."""
        if isinstance(self.tests, CutTests):
            return (~self.is_leaf).astype(np.int64)
        sizes = [0 if test is None else len(test.features) for test in self.tests]
        return np.array(sizes, np.int64)

    def node(self, i: int) -> Node:
        """One node by its number.

        Parameters
        ----------
        i : int
            The number.

        Returns
        -------
        Node
            The node.
        """
        if not 0 <= i < self.n_nodes:
            raise IndexError(f"the tree has nodes 0 to {self.n_nodes - 1}, not {i}")
        first = int(self.first_child[i])
        children = range(first, first + int(self._flat.arrays["n_branches"][i]))
        return Node(
            i, int(self.depth[i]), self.tests[i], children, int(self.n_rows[i]), self.counts[i]
        )

    def walk(self) -> Iterator[Node]:
        """Every node, a parent before its children, the branches of a node from left to right.

        Yields
        ------
        Node
            The next node.
        """
        stack = [0]
        while stack:
            node = self.node(stack.pop())
            yield node
            stack.extend(reversed(node.children))

    # --- prediction -------------------------------------------------------------------------------

    @cached_property
    def probabilities(self) -> Floats:
        """Share of each class at every node."""
        shares: Floats = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """Largest class of every node, as a place in `classes`; the first of equals."""
        largest: NDArray[np.intp] = self.counts.argmax(axis=1)
        return largest

    @property
    def shares(self) -> bool:
        """Whether some test sends a row whose value is missing down every branch, in parts."""
        return self._flat.shares

    @cached_property
    def branch_share(self) -> Floats:
        """Share that every node has of the training weight at its parent; 1 for the root.

        It is also the part of a row that the node gets where a test sends it down every branch.
        """
        weight = self.counts.sum(axis=1)
        together = np.zeros(self.n_nodes)
        np.add.at(together, self.parent[1:], weight[1:])
        share = np.ones(self.n_nodes)
        share[1:] = weight[1:] / together[self.parent[1:]]
        return share

    @cached_property
    def _compiled(self) -> FlatTree:
        flat = self._flat
        features, symbols, fills = zip(*flat.terms) if flat.terms else ((), (), ())
        return FlatTree(
            **flat.arrays,
            first_child=self.first_child,
            branch_table=np.array(flat.branch_table, np.int32),
            term_feature=np.array(features, np.int32),
            term_symbol=np.array(symbols, np.int32),
            term_fill=np.array(fills, np.float64),
            weights=np.array(flat.weights, np.float64),
            share=self.branch_share if flat.shares else np.empty(0),
            n_features=len(self.schema.features),
        )

    def apply(self, X: Floats, n_threads: int = 1) -> NDArray[np.int32]:
        """Leaf that every row reaches.

        Parameters
        ----------
        X : ndarray of float64
            Rows as `planetree.table.read_like` makes them.
        n_threads : int, default=1
            Threads to share the rows out to.

        Returns
        -------
        ndarray of int32
            Node numbers; of a row in parts, the leaf of the greatest part.
        """
        leaves, infinity = self._compiled.apply(X, n_threads)
        self._refuse(infinity)
        found: NDArray[np.int32] = leaves
        return found

    def parts(self, X: Floats, n_threads: int = 1) -> csr_matrix:
        """How much of every row reaches which leaf.

        Parameters
        ----------
        X : ndarray of float64
            Rows as `planetree.table.read_like` makes them.
        n_threads : int, default=1
            Threads to share the rows out to.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row a row, one column a node. Each row sums to 1, and is a single 1 unless a missing
            value has sent it down every branch of a test.
        """
        from scipy.sparse import csr_matrix

        shape = len(X), self.n_nodes
        if not self.shares:
            leaves = self.apply(X, n_threads)
            return csr_matrix((np.ones(len(X)), leaves, np.arange(len(X) + 1)), shape)
        start, leaf, part, infinity = self._compiled.parts(X, n_threads)
        self._refuse(infinity)
        return csr_matrix((part, leaf, start), shape)

    def predict_proba(self, X: Floats, n_threads: int = 1) -> Floats:
        """Probability of every class for every row.

        Parameters
        ----------
        X : ndarray of float64
            Rows as `planetree.table.read_like` makes them.
        n_threads : int, default=1
            Threads to share the rows out to.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The shares in the leaf of each row; of a row in parts, summed over its leaves.
        """
        if not self.shares:
            return self.probabilities.take(self.apply(X, n_threads), axis=0)  # `[]` is slower
        summed: Floats = self.parts(X, n_threads) @ self.probabilities
        return summed

    def predict(self, X: Floats, n_threads: int = 1) -> NDArray[np.intp]:
        """Class of every row.

        Parameters
        ----------
        X : ndarray of float64
            Rows as `planetree.table.read_like` makes them.
        n_threads : int, default=1
            Threads to share the rows out to.

        Returns
        -------
        ndarray of int
            Places in `classes`: the most probable, the first of equals.
        """
        if not self.shares:
            return self.labels.take(self.apply(X, n_threads))
        likeliest: NDArray[np.intp] = self.predict_proba(X, n_threads).argmax(axis=1)
        return likeliest

    def _refuse(self, infinity: tuple[int, int] | None) -> None:
        if infinity is not None:
            row, column = infinity
            name = self.schema.features[column].name
            raise TableError(
                f"column {name} holds an infinity (row {row}); use NaN for a missing value"
            )

    def path(self, x: Floats) -> Explanation:
        """Follow one row from the root to its leaf.

        Parameters
        ----------
        x : ndarray of float64
            One row as `planetree.table.read_like` makes it.

        Returns
        -------
        Explanation
            The tests on its way, and where it ended; of a row in parts, the way of the greatest.
        """
        leaf = int(self.apply(x[None, :])[0])
        probabilities, label, n_leaves = self.probabilities[leaf], int(self.labels[leaf]), 1
        if self.shares:
            parts = self.parts(x[None, :])
            probabilities, n_leaves = (parts @ self.probabilities)[0], parts.nnz
            label = int(probabilities.argmax())
        way = self._way(leaf) if self.shares else set()
        steps = []
        node = self.node(0)
        while node.test is not None:
            branch, share = int(node.test.route(x[None, :])[0]), 1.0
            if branch == EVERY:
                branch = next(b for b, child in enumerate(node.children) if child in way)
                share = float(self.branch_share[node.children[branch]])
            child = self.node(node.children[branch])
            asked = [(self.schema.features[f], x[f]) for f in node.test.features]
            gain = float(self.probabilities[child.id, label] - self.probabilities[node.id, label])
            moved = influence.parts(node.test, self.schema, x)
            steps.append(
                Step(
                    node.id,
                    node.test,
                    branch,
                    node.test.describe(self.schema)[branch],
                    {feature.name: feature.value(held) for feature, held in asked},
                    node.test.margin(x),
                    tuple(feature.name for feature, held in asked if feature.is_unseen(held)),
                    influence.changes(node.test, self.schema, x),
                    influence.switches(node.test, self.schema, x),
                    {name: gain * part for name, part in moved.items()},
                    share,
                )
            )
            node = child
        of_classes = dict(zip(self.classes, probabilities.tolist(), strict=True))
        return Explanation(tuple(steps), leaf, self.classes[label], of_classes, n_leaves)

    def _way(self, leaf: int) -> set[int]:
        """The nodes from a leaf up to the root."""
        way = {leaf}
        while leaf > 0:
            leaf = int(self.parent[leaf])
            way.add(leaf)
        return way

    def decision_path(self, leaves: NDArray[np.int32]) -> csr_matrix:
        """Nodes on the way to each of these leaves, as a sparse 0/1 matrix.

        Parameters
        ----------
        leaves : ndarray of int32
            What `apply` returned.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row a leaf given, one column a node.
        """
        from scipy.sparse import csr_matrix

        lengths = self.depth[leaves] + 1
        start = np.concatenate([[0], lengths.cumsum()])
        indices = np.empty(start[-1], np.int32)
        at = leaves.astype(np.int32)
        active = np.arange(len(leaves))
        for step in range(1, int(lengths.max(initial=0)) + 1):
            indices[start[active + 1] - step] = at  # from the leaf up
            going_on = at > 0
            at, active = self.parent[at[going_on]], active[going_on]
        return csr_matrix((np.ones(start[-1]), indices, start), shape=(len(leaves), self.n_nodes))

    # --- surgery ----------------------------------------------------------------------------------

    def prune(
        self,
        pruner: _Pruner,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        training: tuple[Any, ...] | None = None,
    ) -> Tree:
        """Make the tree smaller without growing it again.

        Parameters
        ----------
        pruner : planetree.pruners.Pruner
            How.
        X, y : table and labels
            The cases the pruner counts: new ones for a pruner that holds some out of growth, those
            of training for one that counts them again, none for one that needs none.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases.
        training : tuple, default=None
            X, y and perhaps sample_weight of the cases the tree was grown from, for a pruner that
            needs both kinds.

        Returns
        -------
        Tree
            A new tree; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import ReducedError, Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"]).tree_
        >>> tree.prune(ReducedError(), [[1], [2], [3], [4]], ["a", "b", "b", "b"]).n_leaves
        2
        """
        require_pruner(pruner)
        cases = None if X is None else read_cases(self.schema, self.classes, X, y, sample_weight)
        grown_from = None if training is None else read_cases(self.schema, self.classes, *training)
        return pruner(self, cases, grown_from)

    def prune_at(self, nodes: Iterable[int]) -> Tree:
        """Make leaves of some nodes.

        Parameters
        ----------
        nodes : iterable of int
            Their numbers.

        Returns
        -------
        Tree
            A new tree; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "a"]).tree_
        >>> print(tree.prune_at([2]))
        ├─ x0 ≤ 1.5 → a (1)
        └─ x0 > 1.5 → a (1 of 2)
        """
        return surgery.prune_at(self, nodes).tree

    def subtree(self, node: int) -> Tree:
        """Take a node and all below it as a tree of its own.

        Parameters
        ----------
        node : int
            Its number.

        Returns
        -------
        Tree
            A new tree.
        """
        return surgery.subtree(self, node).tree

    def graft(
        self,
        node: int,
        branch: Tree,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Tree:
        """Put another tree in the place of a node.

        Parameters
        ----------
        node : int
            Its number.
        branch : Tree
            A tree over the same features and classes.
        X, y : table and labels, default=None
            The training cases, to count them anew; a branch that none of them reaches goes. Without
            them the graft must hold the very cases of the node.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases.

        Returns
        -------
        Tree
            A new tree; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> X, y = [[1], [2], [3], [4]], ["a", "b", "a", "b"]
        >>> tree = CART(pruner=Unpruned()).fit(X, y).tree_
        >>> print(tree.graft(0, tree.subtree(2), X, y))  # the branch on the right, raised
        ├─ x0 ≤ 2.5 → a (1 of 2)
        └─ x0 > 2.5
           ├─ x0 ≤ 3.5 → a (1)
           └─ x0 > 3.5 → b (1)
        """
        cases = None if X is None else read_cases(self.schema, self.classes, X, y, sample_weight)
        return surgery.graft(self, node, branch, cases).tree

    def rounded(
        self,
        digits: int,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Tree:
        """Round weights and cuts, so that the tree is the one that its text shows.

        What that costs, `cost` tells: ``tree.cost(tree.rounded(2), X, y)``.

        Parameters
        ----------
        digits : int
            Significant digits to keep, 1 to 17.
        X, y : table and labels, default=None
            The training cases, to count them anew; a branch that none of them reaches goes. Without
            them every node keeps its counts.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases.

        Returns
        -------
        Tree
            A new tree; this one stays as it is. Fills and the branches of symbols are the same.

        Examples
        --------
        >>> from planetree import PlaneTreeClassifier, datasets
        >>> from planetree.learners import RLS
        >>> X, y = datasets.load_iris(return_X_y=True)
        >>> tree = PlaneTreeClassifier(learner=RLS(), max_depth=2).fit(X, y).tree_
        >>> short = tree.rounded(1)
        >>> short.to_text() == tree.to_text(digits=1)
        True
        >>> tree.cost(short, X, y).changed
        3.0
        """
        if isinstance(digits, bool) or digits not in range(1, 18):
            raise ValueError(f"digits must be a whole number from 1 to 17, not {digits!r}")
        tests = tuple(test and test.rounded(int(digits)) for test in self.tests)
        short = replace(self, tests=tests)
        if X is None:
            return short
        cases = read_cases(self.schema, self.classes, X, y, sample_weight)
        return surgery.recount(short, cases).tree

    def cost(
        self,
        changed: Tree,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Cost:
        """Say what a change to the tree costs: size and errors, before and after.

        Parameters
        ----------
        changed : Tree
            The tree as it would be: pruned, grafted, rounded.
        X, y : table and labels, default=None
            Cases to judge by. Without them the training cases are taken, as they are counted in the
            leaves.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases.

        Returns
        -------
        Cost
            ``print`` shows it as a table.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "a"]).tree_
        >>> print(tree.cost(tree.prune_at([2])))
                tests  leaves  features a test  errors  accuracy
        before      2       3                1  0 of 3  100 %
        after       1       2                1  1 of 3  66.7 %
        """
        if changed.schema != self.schema or changed.classes != self.classes:
            what = "features" if changed.schema != self.schema else "classes"
            raise ValueError(f"the trees have other {what}: there is no change to judge")
        cases = None if X is None else read_cases(self.schema, self.classes, X, y, sample_weight)
        return cost_of(self, changed, cases)

    # --- reading ----------------------------------------------------------------------------------

    def to_text(
        self, *, digits: int = 6, max_depth: int | None = None, numbers: bool = False
    ) -> str:
        """Tree as indented text.

        Parameters
        ----------
        digits : int, default=6
            Significant digits of the cuts shown; the tree itself keeps all (`rounded` does not).
        max_depth : int or None
            Nodes deeper than this are counted, not shown.
        numbers : bool, default=False
            Begin each line with the number of the node that it leads to.

        Returns
        -------
        str
            One line a branch.
        """
        return text.tree(self, digits=digits, max_depth=max_depth, numbers=numbers)

    def to_frame(self, *, library: frames.Library | None = None) -> Any:
        """Weights, cuts and fills of all tests as a data frame.

        There is a row for each term of a test: one for a threshold, one a column for a linear test,
        one a column and branch for a linear machine, one a symbol for a category test.

        Parameters
        ----------
        library : {"pandas", "polars"}, default=None
            What makes the frame; None is pandas, or polars where only that is installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            The columns are node, depth, kind, branch, feature, symbol, weight, fill (what a missing
            value counts as), cut, constant, missing and unseen (the branch of a missing value and
            of a symbol that training has not seen). What a test does not have is missing.

        Examples
        --------
        >>> from planetree import datasets
        >>> from planetree.presets import CART
        >>> X, y = datasets.load_iris(return_X_y=True, as_frame=True)
        >>> tree = CART(max_depth=2).fit(X, y).tree_
        >>> tree.to_frame()[["node", "kind", "feature", "cut"]]
           node       kind       feature   cut
        0     0  threshold  petal_length  2.45
        1     2  threshold   petal_width  1.75
        """
        return frames.frame(frames.test_columns(self), "Tree.to_frame", library)

    def to_rules(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        confidence: float = 0.25,
    ) -> RuleSet:
        """Tree as rules; with the training cases, simplified and ordered (`planetree.rules`).

        Parameters
        ----------
        X, y : table and labels, default=None
            The cases the tree was grown from. Without them every path is a rule as it is.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases.
        confidence : float, default=0.25
            How cautious the accuracy expected of a rule is; smaller is more so.

        Returns
        -------
        RuleSet
            The first rule that fires decides.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> X, y = [[1], [2], [3], [4], [5]], ["a", "b", "b", "b", "a"]
        >>> print(CART(pruner=Unpruned()).fit(X, y).tree_.to_rules(X, y))
        1. x0 > 1.5 and x0 ≤ 4.5 → b (3, 63 %)
        2. x0 ≤ 1.5 → a (1, 25 %)
        3. x0 > 4.5 → a (1, 25 %)
        otherwise → b
        """
        from planetree.rules import rules_of

        cases = None if X is None else read_cases(self.schema, self.classes, X, y, sample_weight)
        return rules_of(self, cases, confidence=confidence)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return (
            f"<Tree: {self.n_tests} tests, {self.n_leaves} leaves, depth {self.max_depth}, "
            f"{len(self.schema.features)} features, {len(self.classes)} classes>"
        )

    def _repr_html_(self) -> str:
        return text.html(self)

    # --- as a value -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.schema == other.schema
            and self.classes == other.classes
            and np.array_equal(self.counts, other.counts)
            and np.array_equal(self.n_rows, other.n_rows)
            and list(self.tests) == list(other.tests)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields: what is compiled or derived is made again."""
        return {
            name: getattr(self, name) for name in ("schema", "classes", "tests", "counts", "n_rows")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()
