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
    PlaneTreeClassifier(max_depth=3, merit=Gini())
    """
    return PlaneTreeClassifier(**{"merit": Gini(), **options})


def CARTLC(beta: float = 0.2, **options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Linear combinations found by CART's search, beside univariate tests (Breiman et al. 1984).

    By the Gini index; columns of little use are discarded. A tenth of the cases chooses among the
    trees of the weakest-link sequence, with one standard error and never the root alone.

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
