"""What a test made of one row: what would turn it, and how much each feature had to do with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planetree.nodetests import NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Schema, Symbol

__all__ = ["changes", "parts", "switches"]

Floats = NDArray[np.float64]


def changes(test: NodeTest, schema: Schema, x: Floats) -> dict[str, float]:
    """How much more each number alone would have to be for the row to get to another branch.

    A missing number has no change, nor has one that cannot turn the test alone.

    Parameters
    ----------
    test : NodeTest
        The test.
    schema : Schema
        The features.
    x : ndarray of float64
        One row.

    Returns
    -------
    dict of str to float
        The distance to the boundary by name; negative is less.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.influence import changes
    >>> from planetree.planes import LinearThresholdUnit, Term
    >>> from planetree.schema import Feature, Schema
    >>> terms = Term(0, None, fill=0.0), Term(1, None, fill=0.0)
    >>> plane = LinearThresholdUnit(terms, (1.0, 2.0), cut=4.0)
    >>> changes(plane, Schema((Feature("x"), Feature("y"))), np.array([0.0, 0.0]))
    {'x': 4.0, 'y': 2.0}
    """
    found: dict[str, float] = {}
    for i in test.features:
        feature = schema.features[i]
        if feature.kind != "numeric" or np.isnan(x[i]):
            continue
        if isinstance(test, Threshold):
            found[feature.name] = test.cut - float(x[i])
        elif isinstance(test, LinearThresholdUnit):
            slope = _slope(test.terms, test.weights, i)
            if slope:
                margin = float(test.project(x[None, :])[0]) - test.cut
                found[feature.name] = -margin / slope
        elif isinstance(test, LinearMachine):
            heights = test.discriminants(x[None, :])[0]
            first = int(test.route(x[None, :])[0])
            slopes = np.array([_slope(test.terms, row, i) for row in test.weights])
            steeper = slopes - slopes[first]
            able = steeper != 0
            if able.any():
                moves = (heights[first] - heights[able]) / steeper[able]
                found[feature.name] = float(moves[np.abs(moves).argmin()])
    return found


def switches(test: NodeTest, schema: Schema, x: Floats) -> dict[str, tuple[Symbol, ...]]:
    """Which other symbols, or which other boolean, would send the row to another branch.

    Parameters
    ----------
    test : NodeTest
        The test.
    schema : Schema
        The features.
    x : ndarray of float64
        One row.

    Returns
    -------
    dict of str to tuple
        By name; a feature that cannot turn the test alone is not there.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.influence import switches
    >>> from planetree.nodetests import Category
    >>> from planetree.schema import Feature, Schema
    >>> schema = Schema((Feature("hue", "symbolic", ("blue", "green", "red")),))
    >>> test = Category(0, (0, 0, 1), missing=0, unseen=0)
    >>> switches(test, schema, np.array([0.0]))
    {'hue': ('red',)}
    """
    found: dict[str, tuple[Symbol, ...]] = {}
    branch = int(test.route(x[None, :])[0])
    for i in test.features:
        feature = schema.features[i]
        if feature.kind == "numeric" or np.isnan(x[i]):
            continue
        known: tuple[Symbol, ...] = (False, True) if feature.kind == "boolean" else feature.symbols
        rows = np.repeat(x[None, :], len(known), axis=0)
        rows[:, i] = range(len(known))
        turned = tuple(s for s, b in zip(known, test.route(rows), strict=True) if b != branch)
        if turned:
            found[feature.name] = turned
    return found


def parts(test: NodeTest, schema: Schema, x: Floats) -> dict[str, float]:
    """Share of each feature in a test's answer; they sum to 1.

    A test of one feature is that feature's. In a sum a feature's share goes with the size of
    ``w · (x − fill)``, how far the row's value moves the sum away from where a missing value, the
    middle of the node's training rows, would leave it. Of a machine it is the sum that decides
    between the branch taken and the next best. Where nothing moves it, all have the same share.

    Parameters
    ----------
    test : NodeTest
        The test.
    schema : Schema
        The features.
    x : ndarray of float64
        One row.

    Returns
    -------
    dict of str to float
        By name.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.influence import parts
    >>> from planetree.planes import LinearThresholdUnit, Term
    >>> from planetree.schema import Feature, Schema
    >>> terms = Term(0, None, fill=1.0), Term(1, None, fill=1.0)
    >>> plane = LinearThresholdUnit(terms, (1.0, -3.0), cut=4.0)
    >>> parts(plane, Schema((Feature("x"), Feature("y"))), np.array([2.0, 2.0]))
    {'x': 0.25, 'y': 0.75}
    """
    names = [schema.features[i].name for i in test.features]
    if isinstance(test, LinearThresholdUnit):
        weights: Sequence[float] = test.weights
    elif isinstance(test, LinearMachine):
        heights = test.discriminants(x[None, :])[0]
        first = int(test.route(x[None, :])[0])
        heights[first] = -np.inf
        rows = np.array(test.weights)
        weights = (rows[first] - rows[int(np.nanargmax(heights))]).tolist()
    else:
        return dict.fromkeys(names, 1 / len(names))
    moved = dict.fromkeys(test.features, 0.0)
    for term, weight in zip(test.terms, weights, strict=True):
        moved[term.feature] += weight * (float(term.read(x[None, :])[0]) - term.fill)
    sizes = np.abs([*moved.values()])
    total = sizes.sum()
    if not 0 < total < np.inf:
        return dict.fromkeys(names, 1 / len(names))
    return dict(zip(names, (sizes / total).tolist(), strict=True))


def _slope(terms: Sequence[Term], weights: Sequence[float], feature: int) -> float:
    return sum(
        weight
        for term, weight in zip(terms, weights, strict=True)
        if term.feature == feature and term.symbol is None
    )
