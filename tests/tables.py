"""Random tables for the property tests: ties, missing values, constants, weights, classes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Feature, Schema
from planetree.table import Table
from planetree.tree import Tree


@st.composite
def tables(draw, *, max_rows=60, weights=True, missing=True, symbols=False):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, max_rows))
    n_classes = draw(st.integers(2, 5))
    columns, features = [], []
    for j in range(draw(st.integers(1, 5))):
        kind = draw(
            st.sampled_from(
                ["continuous", "few", "binary", "constant", "close", *["symbolic"] * symbols]
            )
        )
        x = {
            "continuous": lambda: rng.normal(size=n),
            "few": lambda: rng.integers(0, 6, n) / 4,
            "binary": lambda: rng.integers(0, 2, n).astype(float),
            "constant": lambda: np.full(n, -3.25),
            "close": lambda: 1 + rng.integers(0, 9, n) * 2.0**-52,
            "symbolic": lambda: rng.integers(0, 4, n).astype(float),
        }[kind]()
        if missing and draw(st.booleans()):
            x[rng.random(n) < draw(st.sampled_from([0.1, 0.5, 1.0]))] = np.nan
        symbolic = ("symbolic", ("a", "b", "c", "d")) if kind == "symbolic" else ()
        features.append(Feature(f"x{j}", *symbolic, missing=bool(np.isnan(x).any())))
        columns.append(x)
    weight = None
    if weights and draw(st.booleans()):
        weight = draw(
            st.sampled_from(
                [rng.random(n) + 0.01, rng.integers(1, 4, n).astype(float), rng.lognormal(0, 5, n)]
            )
        )
    y = rng.integers(0, n_classes, n).astype(np.int32)
    layout = draw(st.sampled_from("CF"))
    X = np.array(columns, order="C").T.copy(order=layout)
    return Table(Schema(tuple(features)), X, y, tuple(range(n_classes)), weight)


def linear_test(rng, n_features, *, is_machine):
    """A unit or a machine over some features, with weights that can tie and overflow."""
    terms = tuple(
        Term(int(j), int(rng.integers(3)) if j % 2 else None, float(rng.normal()))
        for j in rng.permutation(n_features)[: rng.integers(n_features + 1)]
    )
    n_sums = int(rng.integers(2, 5)) if is_machine else 1
    weights = rng.choice([0.0, 0.5, -1.0, 3e300, *rng.normal(size=3)], (n_sums, len(terms) + 1))
    rows = tuple(tuple(row) for row in weights[:, 1:].tolist())
    constants = tuple(weights[:, 0].tolist())
    if is_machine:
        return LinearMachine(terms, rows, constants)
    return LinearThresholdUnit(terms, rows[0], constants[0])


def multiway_tree(rng, n_features=4, n_nodes=60, *, planes=True):
    """A tree no grower makes yet: several branches, every kind of test."""
    features = tuple(
        Feature(f"x{j}", "symbolic", ("a", "b", "c")) if j % 2 else Feature(f"x{j}")
        for j in range(n_features)
    )
    tests, open_nodes = [], 1
    while open_nodes > 0:
        open_nodes -= 1
        j = int(rng.integers(n_features))
        kind = rng.random()
        if (len(tests) > 3 and rng.random() < 0.5) or len(tests) + open_nodes > n_nodes:
            tests.append(None)
            continue
        if planes and kind < 0.3:
            test = linear_test(rng, n_features, is_machine=kind < 0.15)
        elif j % 2:
            order = rng.permutation(4)  # so that every branch occurs
            test = Category(
                j,
                tuple(int(b) for b in order[:3]),
                missing=int(rng.integers(4)),
                unseen=int(order[3]),
            )
        elif kind < 0.5:
            test = Known(j)
        else:
            test = Threshold(j, float(rng.normal()), int(rng.integers(2)))
        tests.append(test)
        open_nodes += test.n_branches
    counts = rng.random((len(tests), 3)) + 0.1
    return Tree(
        Schema(features), ("u", "v", "w"), tuple(tests), counts, np.ones(len(tests), np.int64)
    )
