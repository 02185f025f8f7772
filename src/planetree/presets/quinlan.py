"""The trees of Quinlan (1986, 1993), as Sverdlov tells them and Yıldız and Alpaydın use them."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.merits import InformationGain
from planetree.symbols import Multiway

__all__ = ["ID3"]


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
