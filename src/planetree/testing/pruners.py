"""What every pruner promises."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from planetree.errors import PlugInError
from planetree.pruners import Pruner
from planetree.testing.grown import Case, grown_cases
from planetree.testing.promises import check_parameters, promise, quietly
from planetree.tree import Tree

__all__ = ["check_pruner"]


def check_pruner(pruner: Pruner, *, random_state: int = 0) -> None:
    """Check that a pruner keeps the contract of `planetree.pruners.Pruner`.

    It must give back no larger tree, whose counts are those of the training cases, and leave the
    one it was given as it is; every node must be one of that tree, with its test or as a leaf,
    unless the pruner says that it `rewrites`; the same again must give the same; it must work as
    part of a fit and after it, on trees of thresholds, planes and machines (or say by `linear` that
    thresholds are none of its business), on a leaf alone; and survive `sklearn.base.clone`.

    Parameters
    ----------
    pruner : Pruner
        An instance.
    random_state : int, default=0
        Seed of the tables.

    Raises
    ------
    AssertionError
        Saying which promise is broken, and where.

    Examples
    --------
    >>> from planetree.pruners import ReducedError
    >>> from planetree.testing import check_pruner
    >>> check_pruner(ReducedError())
    """
    rng = np.random.default_rng(random_state)
    check_parameters(pruner)
    quietly(pruner, pruner.check, "when its parameters are checked")
    # One that chooses among plans is at work in a fit alone.
    cases = [] if pruner.chooses else grown_cases(rng)
    for case in cases:
        if pruner.linear and case.estimator.learner is None:
            _check_refuses(pruner, case)
        else:
            _check(pruner, case)


def _check(pruner: Pruner, case: Case) -> None:
    where = case.where
    grown = case.estimator.fit(*case.training)
    before = grown.tree_.subtree(0)
    counted: tuple[Any, ...] = {"training": case.training, "holdout": case.fresh}.get(
        pruner.reads or "", ()
    )

    def prune(by: Pruner) -> Tree:
        pruned = quietly(by, lambda: grown.prune(by, *counted, training=case.training), where)
        return pruned.tree_

    tree = prune(pruner)
    promise(grown.tree_ == before, pruner, f"changes the tree it is given {where}")
    if pruner.rewrites:
        again = tree.graft(0, tree, *case.training)
        same = again.n_nodes == tree.n_nodes and np.allclose(again.counts, tree.counts, rtol=1e-9)
        promise(same, pruner, f"returns counts that are not those of the training cases {where}")
    else:
        _check_nodes(pruner, tree, before, where)
    promise(prune(pruner) == tree, pruner, f"does not prune the same again {where}")
    promise(prune(clone(pruner)) == tree, pruner, f"prunes otherwise when cloned {where}")

    within = clone(case.estimator).set_params(pruner=pruner)
    first = quietly(pruner, lambda: within.fit(*case.training).tree_, f"in a fit, {where}")
    promise(within.fit(*case.training).tree_ == first, pruner, f"makes fits differ {where}")


def _check_nodes(pruner: Pruner, tree: Tree, whole: Tree, where: str) -> None:
    """Each node, and the one that was in its place."""
    pairs = [(0, 0)]
    for new, old in pairs:
        node, was = tree.node(new), whole.node(old)
        kept = (
            node.n_rows == was.n_rows
            and np.array_equal(node.counts, was.counts)
            and (node.test is None or node.test == was.test)
        )
        promise(
            kept,
            pruner,
            f"makes node {new} anew {where}: say rewrites = True if that is meant",
        )
        if node.test is not None:
            pairs.extend(zip(node.children, was.children, strict=True))


def _check_refuses(pruner: Pruner, case: Case) -> None:
    grown = case.estimator.fit(*case.training)
    try:
        grown.prune(pruner, *case.training, training=case.training)
    except (ValueError, PlugInError) as error:
        promise(
            type(pruner).__name__ in str(error),
            pruner,
            f"refuses a tree without linear tests, but does not name itself: {error}",
        )
        return
    raise AssertionError(
        f"{pruner!r} says that it is about linear tests, but prunes a tree that has none"
    )
