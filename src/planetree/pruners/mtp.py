"""Multivariate tree pruning: where a leaf would be worse, a test of fewer features may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from planetree.cases import Cases
from planetree.errors import TableError
from planetree.learners import CoefficientLearner
from planetree.linear import Linear
from planetree.merits import Gini
from planetree.nodetests import NodeTest
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.reduced_error import ROUNDING
from planetree.search import OpenNode
from planetree.selectors import SBE
from planetree.selectors.backward import Backward
from planetree.selectors.base import Proposal
from planetree.stopping import Stop
from planetree.surgery import Draft, draft, finish
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["MTP"]

Rows = NDArray[np.intp]
Path = tuple[int, ...]
_Otherwise = Callable[[Draft, Rows, float], float]


class MTP(Pruner):
    """Reduced error pruning that also takes features out of linear tests.

    From the leaves up, as `ReducedError`. Where a leaf would make more errors on the cases held
    out, and all branches are leaves, column after column leaves the test, which is learned anew
    from the node's own training cases, as long as the errors do not rise (Brodley and Utgoff 1995,
    section 5).

    Parameters
    ----------
    holdout : float, default=0.25
        The share of the training cases that growth does not see.
    learner : CoefficientLearner, default=None
        What learns the tests anew; None is the one that has grown the tree.
    selector : SBE or DSBE, default=None
        Which column goes next; None is `planetree.selectors.SBE`.
    subtrees : bool, default=False
        Simplify nodes that have tests below them as well: those are learned anew from the cases
        they get then, and all of it is taken back where the errors rise.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.pruners import MTP, ReducedError
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 8))
    >>> y = X[:, 0] + X[:, 1] + rng.normal(size=200) > 0
    >>> tree = PlaneTreeClassifier(learner=RLS(), univariate=False)
    >>> for pruner in (ReducedError(), MTP()):
    ...     pruned = tree.set_params(pruner=pruner).fit(X, y)
    ...     print(pruned.n_tests_, pruned.mean_features_per_test_)
    1 8.0
    1 5.0
    """

    reads = "holdout"
    linear = True
    rewrites = True

    def __init__(
        self,
        holdout: float = 0.25,
        *,
        learner: CoefficientLearner | None = None,
        selector: Backward | None = None,
        subtrees: bool = False,
    ) -> None:
        self.holdout = holdout
        self.learner = learner
        self.selector = selector
        self.subtrees = subtrees

    def check(self) -> None:  # noqa: D102
        super().check()
        if self.learner is not None and not isinstance(self.learner, CoefficientLearner):
            raise ValueError(
                f"learner of MTP must be a learner such as planetree.learners.RLS() or None, "
                f"not {self.learner!r}"
            )
        if self.selector is not None and not isinstance(self.selector, Backward):
            raise ValueError(
                f"selector of MTP must be SBE() or DSBE(), which drop columns one by one, or None, "
                f"not {self.selector!r}"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        held, training = self.held_out(evidence), evidence.training
        if training is None:
            raise TableError(
                "MTP learns tests anew from the cases the tree was grown from: give "
                "training=(X, y) too"
            )
        root = draft(tree)[0]
        # Counting makes a tree smaller that has not grown from these cases.
        root.count(training, Cases.all_of(training))
        if not np.array_equal(finish(tree, root).tree.n_rows, tree.n_rows):
            raise TableError("training does not hold the cases the tree was grown from")
        _Pruning(self, evidence, training, held).run(root)
        return finish(tree, root).tree


class _Pruning:
    """One tree being pruned."""

    def __init__(self, pruner: MTP, evidence: Evidence, training: Table, held: Table) -> None:
        linear, root = evidence.linear, evidence.root
        if pruner.learner is not None:
            options = {"learner": pruner.learner}
            linear = replace(linear, **options) if linear else Linear(**options, selector=SBE())
        if linear is None:
            raise ValueError(
                "MTP learns tests anew: prune the estimator, which knows its learner, or name one, "
                "MTP(learner=planetree.learners.RLS())"
            )
        if root is None:
            root = OpenNode(training, np.arange(training.n_rows, dtype=np.uint32), Gini(), Stop())
        self._linear, self._root = linear, root
        self._selector = pruner.selector or SBE()
        self._subtrees = pruner.subtrees
        self._training, self._held = training, held
        weight = held.weight
        self._weight = np.ones(held.n_rows) if weight is None else weight
        self._slack = ROUNDING * float(self._weight.sum())

    def run(self, root: Draft) -> None:
        """Prune from the leaves up."""
        self._paths: dict[Draft, Path] = {root: ()}
        for node in root.walk():
            for b, child in enumerate(node.children):
                self._paths[child] = (*self._paths[node], b)
        self._reduce(root, np.arange(self._held.n_rows), self._simplify)

    def _reduce(self, top: Draft, held_rows: Rows, otherwise: _Otherwise | None = None) -> float:
        """Leaves where they are no worse, else something else; the errors that are left."""
        rows = {top: held_rows}
        order = top.walk()
        for node in order:
            if node.test is not None:
                taken = node.test.route(self._held.X[rows[node]])
                rows.update(
                    (child, rows[node][taken == b]) for b, child in enumerate(node.children)
                )
        errors: dict[Draft, float] = {}
        for node in reversed(order):
            errors[node] = self._errors(node, rows[node])
            if node.test is None:
                continue
            below = sum(errors[child] for child in node.children)
            if errors[node] <= below + self._slack:
                node.test, node.children = None, []
            else:
                errors[node] = below if otherwise is None else otherwise(node, rows[node], below)
        return errors[top]

    def _errors(self, leaf: Draft, held_rows: Rows) -> float:
        wrong = self._held.y[held_rows] != leaf.counts.argmax()
        return float(self._weight[held_rows][wrong].sum())

    # --- fewer columns in a test ------------------------------------------------------------------

    def _simplify(self, node: Draft, held_rows: Rows, errors: float) -> float:
        """Drop columns from the node's test while the errors do not rise."""
        if not isinstance(node.test, LinearThresholdUnit | LinearMachine):
            return errors
        if not self._subtrees and any(child.test is not None for child in node.children):
            return errors
        view, propose = self._linear.look(self._open(node.rows, self._paths[node]))
        places = view.places(node.test)
        # Merit and accuracy of the present test are not asked for: only what it looks at is.
        current = Proposal(places, node.test, 0.0, 0.0, allowed=True)
        whole = node.copy()
        n_branches = node.test.n_branches
        for smaller in self._selector.eliminate(view, propose, places, current):
            test = propose.settle(smaller.test) if smaller.allowed else None
            if test is None or test.n_branches > n_branches:
                break
            changed = self._with(whole, test, self._paths[node])
            changed_errors = self._reduce(changed, held_rows)
            if changed_errors > errors + self._slack:
                break
            errors = changed_errors
            node.become(changed)
            if changed.test is None:
                break
        return errors

    def _with(self, whole: Draft, test: NodeTest, path: Path) -> Draft:
        """The node with another test, what is below it learned anew from the cases it gets."""
        top = self._leaf(whole.rows)
        stack = [(top, whole, test, path)]
        while stack:
            made, old, test, path = stack.pop()
            taken = test.route(self._training.X[made.rows])
            parts = [made.rows[taken == b] for b in range(test.n_branches)]
            if not all(map(len, parts)):
                continue  # a leaf
            made.test, made.children = test, [self._leaf(part) for part in parts]
            if len(old.children) != len(parts):
                continue  # branches are leaves where there is no saying which is which
            for b, (child, was) in enumerate(zip(made.children, old.children, strict=True)):
                again = self._again(was.test, child.rows, (*path, b))
                if again is not None:
                    stack.append((child, was, again, (*path, b)))
        return top

    def _again(self, test: NodeTest | None, rows: Rows, path: Path) -> NodeTest | None:
        """The test learned anew over the same columns; None where it would part nothing."""
        if not isinstance(test, LinearThresholdUnit | LinearMachine):
            return test
        view, propose = self._linear.look(self._open(rows, path))
        places = view.places(test)
        found = propose(places) if places else None
        again = propose.settle(found.test) if found is not None and found.allowed else None
        return again if again is not None and again.n_branches == test.n_branches else None

    def _leaf(self, rows: Rows) -> Draft:
        table = self._training
        weight = None if table.weight is None else table.weight[rows]
        counts = np.bincount(table.y[rows], weight, len(table.classes)).astype(np.float64)
        return Draft(None, counts, len(rows), cases=Cases(rows))

    def _open(self, rows: Rows, path: Path) -> OpenNode:
        return replace(self._root, table=self._training, rows=rows.astype(np.uint32), path=path)
