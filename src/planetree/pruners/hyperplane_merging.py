"""Hyperplane merging: two planes in a row become one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import fsum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planetree.cases import Cases
from planetree.errors import TableError
from planetree.planes import LinearThresholdUnit
from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.reduced_error import ROUNDING
from planetree.surgery import Draft, draft, finish
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["HyperplaneMerging", "merged_plane"]

Floats = NDArray[np.float64]

# Unit normals whose sum or difference is shorter count as opposed or parallel: the direction of
# what is left of them would be mostly rounding.
ALIGNED = 1e-7


def merged_plane(
    parent: LinearThresholdUnit,
    side: int,
    child: LinearThresholdUnit,
    inner: int,
    child_share: float,
) -> LinearThresholdUnit | None:
    """The plane that stands for a parent and one of its children (Kubat and Flotzinger 1995).

    It passes through the line where both meet, and turns between them: its angle to the child is
    ``1 - child_share`` of the angle between both. With a share of 0 it is the parent itself, which
    is cutting the child off; with 1 it is the child.

    Parameters
    ----------
    parent : LinearThresholdUnit
        The test above.
    side : {0, 1}
        The branch of the parent that leads to the child.
    child : LinearThresholdUnit
        The test below.
    inner : {0, 1}
        The branch of the child that is kept.
    child_share : float
        The child's cases as a share of the child's and the parent's together.

    Returns
    -------
    LinearThresholdUnit or None
        Branch 1 is the inner region, where both sides are kept; None where the planes face each
        other, so that the inner region is a slab, or a weight is no number.

    Examples
    --------
    x > 0 and y > 0, from as many cases each, become x + y > 0:

    >>> from planetree.planes import LinearThresholdUnit, Term
    >>> from planetree.pruners.hyperplane_merging import merged_plane
    >>> x, y = Term(0, None, fill=0.0), Term(1, None, fill=0.0)
    >>> one, other = LinearThresholdUnit((x,), (1.0,), 0.0), LinearThresholdUnit((y,), (1.0,), 0.0)
    >>> merged_plane(one, 1, other, 1, 0.5).weights
    (1.0, 1.0)
    """
    # Where both nodes fill the same column differently, the parent's fill stands: the new test
    # takes the parent's place and meets the parent's cases.
    terms = {(term.feature, term.symbol): term for term in (*child.terms, *parent.terms)}
    order = [(t.feature, t.symbol) for t in (*parent.terms, *child.terms)]
    keys = list(dict.fromkeys(order))
    n_parent, c_parent = _oriented(parent, side, keys)
    n_child, c_child = _oriented(child, inner, keys)
    apart, along = np.linalg.norm(n_child - n_parent), np.linalg.norm(n_child + n_parent)
    if not along > ALIGNED:
        return None
    if apart > ALIGNED:
        angle = 2 * np.arctan2(apart, along)
        sine = apart * along / 2
        # The solution of the paper's system (10), which is nearly singular for small angles.
        a_child = np.sin(child_share * angle) / sine
        a_parent = np.sin((1 - child_share) * angle) / sine
    else:
        a_child, a_parent = child_share, 1 - child_share
    normal = a_child * n_child + a_parent * n_parent
    constant = a_child * c_child + a_parent * c_parent
    largest = np.abs(normal).max()
    cut = -constant / largest
    kept = np.flatnonzero(normal)
    if not (np.isfinite(normal).all() and np.isfinite(cut)):
        return None
    return LinearThresholdUnit(
        tuple(terms[keys[j]] for j in kept), tuple((normal[kept] / largest).tolist()), float(cut)
    )


def _oriented(
    test: LinearThresholdUnit, branch: int, keys: list[tuple[int, int | None]]
) -> tuple[Floats, float]:
    """Unit normal and constant of a plane, positive on the side of the branch."""
    weight = {(t.feature, t.symbol): w for t, w in zip(test.terms, test.weights, strict=True)}
    normal = np.array([weight.get(key, 0.0) for key in keys])
    length = float(np.linalg.norm(normal)) * (1 if branch == 1 else -1)
    return normal / length, -test.cut / length


@dataclass(frozen=True)
class _Change:
    """What a node could be replaced by, and by how much its estimate would fall."""

    replacement: Draft
    gain: float


class HyperplaneMerging(Pruner):
    """Replaces two tests in a row by one plane between them, or a node by a leaf.

    Each round tries every leaf, and for every linear threshold unit and a child that is one, both
    ways to merge them; takes the change that lowers the pessimistic error of its node most, and
    ends when none lowers it (Kubat and Flotzinger 1995, Table 2). Linear machines and tests of one
    feature are never merged.

    Parameters
    ----------
    merge : bool, default=True
        False only cuts off, which is what the paper compares with.
    estimate : {"sum", "mean"}, default="sum"
        The pessimistic error of a node: the sum over the leaves under it of their training errors
        plus 1/2, or the mean over them of that as a share of a leaf's cases. By the sum the change
        is also the one after which the whole tree has the smallest.
    shift : bool, default=False
        Try each merged plane also where it makes the fewest errors along its normal; otherwise it
        passes through the line where both planes meet, as in the paper.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import LeastSquares
    >>> from planetree.pruners import HyperplaneMerging
    >>> X = np.random.default_rng(0).random((400, 2))
    >>> y = (X > 0.3).all(axis=1)
    >>> learner = LeastSquares(balanced=True)
    >>> tree = PlaneTreeClassifier(learner=learner, univariate=False).fit(X, y)
    >>> tree.n_tests_
    56
    >>> tree.prune(HyperplaneMerging(merge=False), X, y).n_tests_
    28
    >>> tree.prune(HyperplaneMerging(), X, y).n_tests_
    4
    >>> tree.prune(HyperplaneMerging(shift=True), X, y).n_tests_
    3
    """

    reads = "training"

    def __init__(
        self,
        merge: bool = True,
        estimate: Literal["sum", "mean"] = "sum",
        shift: bool = False,
    ) -> None:
        self.merge = merge
        self.estimate = estimate
        self.shift = shift

    @property
    def linear(self) -> bool:  # type: ignore[override]
        """Cutting off is for any tree."""
        return self.merge

    @property
    def rewrites(self) -> bool:  # type: ignore[override]
        """A merged plane is a new test."""
        return self.merge

    def check(self) -> None:  # noqa: D102
        if self.estimate not in ("sum", "mean"):
            raise ValueError(
                f'estimate of HyperplaneMerging must be "sum" or "mean", not {self.estimate!r}'
            )
        if self.shift and not self.merge:
            raise ValueError(
                "shift=True of HyperplaneMerging moves merged planes: merge must be True"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        table = evidence.training
        if table is None:
            raise TableError("HyperplaneMerging needs the cases the tree was grown from")
        root = draft(tree)[0]
        if not root.count(table, Cases.all_of(table)):
            raise TableError("these are not the cases the tree was grown from: branches are empty")
        changes: dict[Draft, list[_Change]] = {}
        while True:
            best, place = 0.0, None
            for node in root.walk():
                if node.test is None:
                    continue
                if node not in changes:
                    changes[node] = self._changes(node, table)
                for change in changes[node]:
                    if change.gain > best:
                        best, place = change.gain, (node, change)
            if place is None:
                return finish(tree, root).tree
            node, change = place
            above = _above(root, node)
            node.become(change.replacement)
            # What was found for nodes above and for the node itself is about trees that are gone;
            # those below it are new.
            changes = {kept: found for kept, found in changes.items() if kept not in above}

    def _error(self, node: Draft) -> float:
        """Pessimistic error of what is under a node; the same whatever the order of its leaves."""
        charges = [self._charge(leaf) for leaf in node.walk() if leaf.test is None]
        return fsum(charges) / (1 if self.estimate == "sum" else len(charges))

    def _charge(self, leaf: Draft) -> float:
        errors = float(np.delete(leaf.counts, leaf.counts.argmax()).sum()) + 0.5
        return errors if self.estimate == "sum" else errors / float(leaf.counts.sum())

    # --- what could be changed --------------------------------------------------------------------

    def _changes(self, node: Draft, table: Table) -> list[_Change]:
        error = self._error(node)
        changes = []
        for replacement in self._replacements(node, table):
            gain = error - self._error(replacement)
            if gain > ROUNDING * error:
                changes.append(_Change(replacement, gain))
        return changes

    def _replacements(self, node: Draft, table: Table) -> Iterator[Draft]:
        yield Draft(None, node.counts, node.n_rows, node.origin, cases=node.cases)
        if not self.merge or not isinstance(node.test, LinearThresholdUnit):
            return
        for side, child in enumerate(node.children):
            if not isinstance(child.test, LinearThresholdUnit):
                continue
            n_node, n_child = float(node.counts.sum()), float(child.counts.sum())
            for inner in (0, 1):
                share = n_child / (n_node + n_child)
                plane = merged_plane(node.test, side, child.test, inner, share)
                if plane is None:
                    continue
                kept = node.children[1 - side], child.children[inner]
                planes = [plane]
                if self.shift:
                    planes.append(shifted_plane(plane, kept, node.cases, table))
                for each in dict.fromkeys(planes):
                    parts = [part.copy() for part in kept]
                    merged = Draft(each, node.counts, node.n_rows, -1, parts)
                    if merged.count(table, node.cases):
                        yield merged


def shifted_plane(
    plane: LinearThresholdUnit, parts: tuple[Draft, Draft], cases: Cases, table: Table
) -> LinearThresholdUnit:
    """The plane, moved along its normal to where both parts, labelled as they are, err least.

    Of equal places the one nearest to the plane's own is taken.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        value = plane.project(table.X[cases.rows])
    order = np.argsort(value, kind="stable")
    value = value[order]
    places = np.flatnonzero(value[1:] > value[:-1]) + 1
    if not len(places) or not np.isfinite(value).all():
        return plane
    below, above = (_errors(part, cases, table)[order] for part in parts)
    errors = (below - above).cumsum()[places - 1]  # beyond those of leaving all of them above
    cuts = value[places - 1] / 2 + value[places] / 2
    cuts = np.where(cuts < value[places], cuts, value[places - 1])
    fewest = np.flatnonzero(errors <= errors.min() + ROUNDING * (below.sum() + above.sum()))
    return replace(plane, cut=float(cuts[fewest[np.abs(cuts[fewest] - plane.cut).argmin()]]))


def _errors(top: Draft, cases: Cases, table: Table) -> Floats:
    """Weight of each case that leaves under the node would get wrong, as they are labelled."""
    errors = np.zeros(len(cases.rows))
    stack = [(top, cases)]
    while stack:
        node, here = stack.pop()
        if node.test is not None:
            stack.extend(zip(node.children, here.down(node.test, table), strict=True))
            continue
        wrong = table.y[here.rows] != node.counts.argmax()
        weight = here.weight(table)
        errors[np.searchsorted(cases.rows, here.rows)] += (
            wrong if weight is None else wrong * weight
        )
    return errors


def _above(root: Draft, node: Draft) -> set[Draft]:
    """The node and those on the way to it."""
    parent = {child: above for above in root.walk() for child in above.children}
    way = {node}
    while node is not root:
        node = parent[node]
        way.add(node)
    return way
