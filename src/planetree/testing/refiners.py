"""What every refiner promises."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from planetree.refiners import Refiner
from planetree.testing.grown import Case, grown_cases
from planetree.testing.promises import check_parameters, promise, quietly
from planetree.tree import Tree

__all__ = ["check_refiner"]


def check_refiner(refiner: Refiner, *, random_state: int = 0) -> None:
    """Check that a refiner keeps the contract of `planetree.refiners.Refiner`.

    It must give back a tree with no more leaves, whose counts are those of the training cases, and
    with no more errors among them unless its tests look at fewer features; give the same again;
    take trees of thresholds, planes and machines, and a leaf alone; and survive
    `sklearn.base.clone`.

    Parameters
    ----------
    refiner : Refiner
        An instance.
    random_state : int, default=0
        Seed of the tables.

    Raises
    ------
    AssertionError
        Saying which promise is broken, and where.

    Examples
    --------
    >>> from planetree.refiners import TAO
    >>> from planetree.testing import check_refiner
    >>> check_refiner(TAO())
    """
    check_parameters(refiner)
    quietly(refiner, refiner.check, "when its parameters are checked")
    for case in grown_cases(np.random.default_rng(random_state)):
        _check(refiner, case)


def _check(refiner: Refiner, case: Case) -> None:
    where = case.where
    grown = clone(case.estimator).set_params(max_leaves=12).fit(*case.training).tree_

    def refine(by: Refiner) -> Tree:
        within = clone(case.estimator).set_params(max_leaves=12, refiner=by)
        refined: Tree = quietly(by, lambda: within.fit(*case.training).tree_, where)
        return refined

    tree = refine(refiner)
    promise(tree.n_leaves <= grown.n_leaves, refiner, f"makes the tree larger {where}")
    again = tree.graft(0, tree, *case.training)
    same = again.n_nodes == tree.n_nodes and np.allclose(again.counts, tree.counts, rtol=1e-9)
    promise(same, refiner, f"returns counts that are not those of the training cases {where}")
    sparser = tree.n_features.sum() < grown.n_features.sum()
    no_worse = _wrong(tree) <= _wrong(grown) + 1e-9 * float(grown.counts[0].sum())
    promise(sparser or no_worse, refiner, f"errs more and looks at no fewer features {where}")
    promise(refine(refiner) == tree, refiner, f"does not refine the same again {where}")
    promise(refine(clone(refiner)) == tree, refiner, f"refines otherwise when cloned {where}")


def _wrong(tree: Tree) -> float:
    """Weight of the errors in the leaves."""
    wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    return float(wrong[tree.is_leaf].sum())
