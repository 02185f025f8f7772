"""The trees of Breiman, Friedman, Olshen and Stone (1984)."""

from __future__ import annotations

from typing import Any

from planetree import learners
from planetree.estimator import PlaneTreeClassifier
from planetree.merits import Gini
from planetree.pruners import CostComplexity
from planetree.selectors import CARTDiscard

__all__ = ["CART", "CARTLC"]


def CART(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by the Gini index (Breiman, Friedman, Olshen and Stone 1984).

    Ten-fold cross-validation chooses among the trees of the weakest-link sequence, with one
    standard error, as the book has it; ``pruner=planetree.pruners.Unpruned()`` leaves the tree as
    it grows.

    Parameters
    ----------
    **options : dict
        Any parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.CART(max_depth=3)
    PlaneTreeClassifier(max_depth=3, merit=Gini(), pruner=CostComplexity(cv=10))
    """
    system = {"merit": Gini(), "pruner": CostComplexity(cv=10)}
    return PlaneTreeClassifier(**{**system, **options})


def CARTLC(beta: float = 0.2, **options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Linear combinations found by CART's search, beside univariate tests (Breiman et al. 1984).

    By the Gini index; columns of little use are discarded. A tenth of the cases chooses among the
    trees of the weakest-link sequence, with one standard error and never the root alone: so Bioch
    et al. (1997) prune all trees of planes, BIT's and OC1's. The ten folds of `CART` would take ten
    trees more; ``pruner=planetree.pruners.CostComplexity(cv=10)`` grows them.

    Parameters
    ----------
    beta : float, default=0.2
        β: a column goes while it is worth less than this share of the best.
    **options : dict
        Any parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.CARTLC(beta=0.1).selector
    CARTDiscard(beta=0.1)
    """
    system = {
        "merit": Gini(),
        "learner": learners.CARTLC(),
        "selector": CARTDiscard(beta),
        "pruner": CostComplexity(0.1, standard_errors=1, keep_root=True),
    }
    return PlaneTreeClassifier(**{**system, **options})
