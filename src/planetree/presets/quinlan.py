"""The trees of Quinlan (1986, 1993), as Sverdlov tells them and Yıldız and Alpaydın use them."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.merits import GainRatio, InformationGain
from planetree.pruners import PessimisticBound
from planetree.rule_classifier import RuleClassifier
from planetree.symbols import Multiway

__all__ = ["C45", "ID3", "C45Rules"]


def ID3(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Information gain, a branch for each value of a symbol, thresholds for numbers.

    ID3 (Quinlan 1986) with the numeric splits and the stop of Yıldız and Alpaydın: a node with
    less than 5 % of the training rows is a leaf.

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
    >>> presets.ID3()
    PlaneTreeClassifier(merit=InformationGain(), min_share=0.05, symbols=Multiway())
    """
    own = {"merit": InformationGain(), "symbols": Multiway(), "min_share": 0.05}
    return PlaneTreeClassifier(**{**own, **options})


def C45(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Gain ratio, fractional cases and pessimistic pruning: C4.5 (Quinlan 1993, release 8).

    Parameters
    ----------
    **options : dict
        Any parameter of `PlaneTreeClassifier`: ``merit=GainRatio(guard=False)`` takes the guard and
        the penalty off, ``symbols=Grouped()`` groups the values of symbols.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.C45()
    PlaneTreeClassifier(fractional=True, merit=GainRatio(penalty=True),
                        min_leaf_rows=2, min_merit=1e-06,
                        pruner=PessimisticBound(raising=True),
                        symbols=Multiway())
    """
    own = {
        "merit": GainRatio(penalty=True),
        "symbols": Multiway(),
        "fractional": True,
        "min_leaf_rows": 2,
        "min_merit": 1e-6,  # a test that gains nothing is none
        "pruner": PessimisticBound(raising=True),
    }
    return PlaneTreeClassifier(**{**own, **options})


def C45Rules(confidence: float = 0.25, **options: Any) -> RuleClassifier:  # noqa: N802
    """Rules from an unpruned tree of C4.5: C4.5rules (Quinlan 1993), as Sverdlov tells it.

    Parameters
    ----------
    confidence : float, default=0.25
        How cautious the accuracy expected of a rule is; smaller is more so.
    **options : dict
        Any parameter of the tree, as in `C45`.

    Returns
    -------
    RuleClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import datasets, presets
    >>> X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    >>> print(presets.C45Rules().fit(X, y).rules_)
    1. petal_width ≤ 0.8 → Iris-setosa (50, 97.3 %)
    ...
    """
    return RuleClassifier(C45(**{"pruner": None, **options}), confidence=confidence)
