"""Tree alternating optimisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from planetree.cases import Cases
from planetree.nodetests import NodeTest
from planetree.refiners.base import Refiner
from planetree.search import Candidate, OpenNode
from planetree.stopping import ROUNDING
from planetree.surgery import Draft, draft, finish, recount
from planetree.table import Table
from planetree.threads import WORTH_THREADS, side_by_side
from planetree.tree import Tree

__all__ = ["TAO"]

Labels = NDArray[np.int32]
Rows = NDArray[np.intp]
SIDES = ("left", "right")  # the classes of a node's own problem


class TAO(Refiner):
    """Tree alternating optimisation (Carreira-Perpiñán and Tavallali, NeurIPS 2018).

    With all other tests fixed, a test matters only to the cases that one branch gets right and the
    other wrong: sending each to the branch that is right is a problem of two classes, which the
    families of tests that growth searched learn as they would a node. A test is replaced where that
    lowers errors and the price of features together. From the leaves up, again and again, so the
    errors of the whole tree fall until nothing changes.

    Parameters
    ----------
    sweeps : int, default=5
        The most passes over the tests.
    price : float, default=1.0
        What a feature of a test costs, in cases: λ of the paper, whose penalty is on weights.
    max_rows : int, default=20000
        With more cases it learns from as many of them, evenly spaced; None from all.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.datasets import make_planes
    >>> from planetree.learners import RLS
    >>> from planetree.refiners import TAO
    >>> X, y = make_planes(2000, noise=0.0, random_state=0)
    >>> grown = PlaneTreeClassifier(learner=RLS(), max_leaves=8).fit(X, y)
    >>> refined = PlaneTreeClassifier(learner=RLS(), max_leaves=8, refiner=TAO()).fit(X, y)
    >>> bool(refined.score(X, y) > grown.score(X, y))
    True
    """

    def __init__(self, sweeps: int = 5, price: float = 1.0, max_rows: int | None = 20_000) -> None:
        self.sweeps = sweeps
        self.price = price
        self.max_rows = max_rows

    def check(self) -> None:  # noqa: D102
        for name, least, none in (("sweeps", 1, ""), ("max_rows", 1, " or None")):
            value = getattr(self, name)
            if none and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
                raise ValueError(
                    f"{name} of TAO must be a whole number of at least {least}{none}, not {value!r}"
                )
        price = vars(self)["price"]
        if isinstance(price, bool) or not isinstance(price, Real) or not 0 <= float(price) < np.inf:
            raise ValueError(f"price of TAO must be a number of at least 0, not {price!r}")

    def refine(  # noqa: D102
        self, tree: Tree, root: OpenNode, candidates: Sequence[Candidate], n_threads: int = 1
    ) -> Tree:
        table, most = root.table, self.max_rows
        if tree.n_tests == 0 or tree.shares:
            return tree
        if most is not None and table.n_rows > most:
            table = table.take(np.arange(0, table.n_rows, -(-table.n_rows // most)))
        top = draft(tree)[0]
        if not top.count(table, Cases.all_of(table)):
            return tree
        work = _Work(replace(root, table=table), tuple(candidates), self.price, n_threads)
        for _ in range(self.sweeps):
            if not work.sweep(top):
                break
            top.count(table, Cases.all_of(table))
        refined = finish(tree, top).tree
        if table is not root.table:
            refined = recount(refined, root.table).tree
        return min((tree, refined), key=lambda t: _cost(t, self.price, root.table))


def _cost(tree: Tree, price: float, table: Table) -> float:
    """Weight of the errors in the leaves, and the features at their price."""
    wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    unit = float(tree.counts[0].sum()) / table.n_rows
    return float(wrong[tree.is_leaf].sum()) + price * unit * float(tree.n_features.sum())


@dataclass(frozen=True, eq=False)
class _Problem:
    """What the test of a node should do: send these cases to the branch that is right for them."""

    path: tuple[int, ...]
    care: Rows
    toward: Labels

    def same(self, other: _Problem | None) -> bool:
        return (
            other is not None
            and np.array_equal(self.care, other.care)
            and np.array_equal(self.toward, other.toward)
        )


class _Work:
    """The sweeps over one tree."""

    def __init__(
        self, root: OpenNode, candidates: tuple[Candidate, ...], price: float, n_threads: int
    ) -> None:
        table = root.table
        self._root = root
        self._table = table
        self._candidates = candidates
        self._weight = np.ones(table.n_rows) if table.weight is None else table.weight
        self._price = price * float(self._weight.mean())
        self._least = max(root.stop.min_leaf_rows, 1)
        pays = table.n_rows > WORTH_THREADS and all(search.parallel for search in candidates)
        self._n_threads = n_threads if pays else 1
        self._routes: dict[int, tuple[NodeTest, Labels]] = {}
        self._solved: dict[int, tuple[NodeTest, _Problem]] = {}

    def sweep(self, top: Draft) -> bool:
        """Learn every test once, from the leaves up. Whether any was replaced."""
        says: dict[int, Labels] = {}  # what each node answers, for every row; a leaf once for all
        changed = False
        for level in reversed(_levels(top)):
            # The nodes of a level have no case in common.
            open_ = [(node, p) for path, node in level if (p := self._problem(node, path, says))]
            proposed = side_by_side(self._proposals, [p for _, p in open_], self._n_threads)
            for (node, problem), tests in zip(open_, proposed, strict=True):
                changed |= self._improve(node, problem, tests)
            for _, node in level:
                says[id(node)] = self._answer(node, says)
        return changed

    def _answer(self, node: Draft, says: dict[int, Labels]) -> Labels:
        if node.test is None:
            return np.array(node.counts.argmax(), np.int32)
        went = self._went(node.test)
        answer = np.empty(self._table.n_rows, np.int32)
        for branch, child in enumerate(node.children):
            of_child = says.pop(id(child))
            here = went == branch
            answer[here] = of_child if of_child.ndim == 0 else of_child[here]
        return answer

    def _went(self, test: NodeTest) -> Labels:
        """The branch of every row, by a test of the tree; kept, since most tests stay."""
        found = self._routes.get(id(test))
        if found is None:
            found = self._routes[id(test)] = (test, test.route(self._table.X))
        return found[1]

    def _problem(
        self, node: Draft, path: tuple[int, ...], says: dict[int, Labels]
    ) -> _Problem | None:
        """None where a test has many branches, there is nothing to gain, or nothing has changed."""
        if node.test is None or node.test.n_branches != 2:
            return None
        rows, y = node.rows, self._table.y
        left, right = (
            (np.broadcast_to(says[id(child)], len(y))[rows] == y[rows]) for child in node.children
        )
        differ = left != right
        problem = _Problem(path, rows[differ], right[differ].astype(np.int32))
        toward = problem.toward
        if not len(toward) or toward.min() == toward.max():
            return None  # one branch would do: that is for pruning to say
        test, last = self._solved.get(id(node), (None, None))
        if test is node.test and problem.same(last):
            return None
        if self._cost(node.test, problem) <= self._price:
            return None  # not even one feature without an error would do better
        return problem

    def _cost(self, test: NodeTest, problem: _Problem) -> float:
        missed = self._weight[problem.care] @ (self._went(test)[problem.care] != problem.toward)
        return float(missed) + self._price * len(test.features)

    def _improve(self, node: Draft, problem: _Problem, tests: list[NodeTest]) -> bool:
        """Replace the test of a node by a better one, if one was proposed."""
        assert node.test is not None
        before, best, turned = node.test, node.test, False
        rows, care, toward = node.rows, problem.care, problem.toward
        weight, X = self._weight[care], self._table.X[rows]
        caring = np.searchsorted(rows, care)
        total, least = float(weight.sum()), self._cost(before, problem)
        for test in tests:
            went = test.route(X)
            high = int(went.sum())
            if min(high, len(rows) - high) < self._least:
                continue
            wrong = float(weight @ (went[caring] != toward))
            price = self._price * len(test.features)
            for turn, cost in ((False, wrong + price), (True, total - wrong + price)):
                if cost < least - ROUNDING * total:
                    best, turned, least = test, turn, cost
        if best is not before:
            node.test = best
            if turned:
                node.children.reverse()
                problem = replace(problem, toward=1 - toward)
        self._solved[id(node)] = best, problem
        return best is not before

    def _proposals(self, problem: _Problem) -> list[NodeTest]:
        y = np.zeros(self._table.n_rows, np.int32)
        y[problem.care] = problem.toward
        node = OpenNode(
            self._table.relabelled(y, SIDES),
            problem.care.astype(np.uint32),
            self._root.merit,
            replace(self._root.stop, min_leaf_rows=1),
            problem.path,
            self._root.tree_seed,
        )
        found = [offer.test for search in self._candidates if (offer := search(node))]
        return [test for test in found if test.n_branches == 2 and not test.shares]


def _levels(top: Draft) -> list[list[tuple[tuple[int, ...], Draft]]]:
    """The nodes of each level, with the branches that lead to them."""
    levels: list[list[tuple[tuple[int, ...], Draft]]] = [[((), top)]]
    while children := [
        ((*path, branch), child)
        for path, node in levels[-1]
        for branch, child in enumerate(node.children)
    ]:
        levels.append(children)
    return levels
